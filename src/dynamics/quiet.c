/* SPDX-License-Identifier: MIT
 *
 * Quiet contacts: lasting contact whose vibration has died out, as a constraint on δ.
 *
 * The force of a contact makes δ vibrate with Ω = √(F′(δ)/m), m the effective mass, about the depth w at
 * which F carries the load. Where loads vary slowly and the vibration is damped out, what is left is w
 * itself: F(w, ẇ) = N = N⁰ − m ẅ with N⁰ the pressure that holds δ̈ = 0, a function of t, q and v like any
 * multiplier. So δ̈ = ẅ, and N follows from that. Nothing vibrates any more: steps become as long as the
 * motion allows. Depths, speeds and forces are those of the contact's own law up to terms of the order
 * (ω/Ω)², ω the frequency of the loads. Losses are those of the law at δ. The power that is left out counts
 * as dissipated, so the energy balance closes.
 *
 * ẅ is far smaller than other accelerations. Over a step a polynomial through its last values replaces it;
 * the contact's memory holds the polynomial. At the end of the step δ is set to w (sim/quieten.c). w, ẇ and ẅ
 * are found there from N⁰ at this point and at a time ε ahead and behind, on the path q ± εv + ½ε²v̇ and
 * v ± εv̇. The real path has ½ε²v̈ more in v. v̈ is known only after v̇ ahead, so the point ahead has none of
 * it and the point behind has twice as much: the second difference is right, the first to the order ε. ε is
 * far shorter than the times in which w changes, and long enough for rounding.
 *
 * N⁰ holds δ̈ = 0, so N, Ṅ and N̈ are N⁰ and its rates less B⁻¹ times ẅ, w⃛ and w⁗ (B below). With the law's own slopes
 *   F(w, ẇ) = N,   F_w ẇ + F_ẇ ẅ = Ṅ,   F_w ẅ + F_ẇ w⃛ + (F_ww ẇ² + 2 F_wẇ ẇ ẅ + F_ẇẇ ẅ²) = N̈.
 * w⃛ and w⁗ are those of the polynomial through ẅ here and at the steps before: without them ẇ would be wrong by (ω/Ω)² of
 * itself, a vibration that nothing damps. In a machine with several plays journals swing with up to 0.15 Ω.
 *
 * N: with g_k = ∂δ_k/∂q, u_k = −g_k − μ_k T_k the generalised force of N_k = 1 with its friction, and
 * p_k = M⁻¹ (u_k − Φqᵀ S⁻¹ Φq M⁻¹ u_k) its effect on v̇,
 *   B N = g·v̇ + bias − δ̈,   B_ik = −g_i·p_k,   v̇ without these contacts.
 *
 * Limits (sim/quieten.c keeps to them): ρ = |ẅ|/(Ω² w) and (ẇ/(Ω w))² are small.
 */
#include "dynamics/evaluate.h"

#include <math.h>
#include <string.h>

/* Least response of a contact to its own force, as a share of its response without friction. */
static const double LEAST_PIVOT = 1e-6;
/* ε, in 1/Ω. */
static const double NEARBY = 0.03;

/* One contact and its answer to N = 1. */
typedef struct answer {
    double g[LASHI_LINKS][LASHI_FREEDOMS]; /* ∂δ/∂q by slot */
    double u[LASHI_LINKS][LASHI_FREEDOMS]; /* generalised force of N = 1 */
    double mu;                             /* F_T = −μ N */
    double N;
    double beside[2]; /* N⁰ at t + ε, t − ε */
    double (*p)[LASHI_FREEDOMS];
    double *x; /* multipliers of N = 1 */
} answer;

struct lashi_quiet_work {
    answer *answers;        /* [contacts] */
    double *B;              /* [contacts][contacts] */
    int *list;              /* those that are quiet */
    double *right, *result; /* [contacts] of B x = b */
    double *still;          /* [contacts] N⁰ */
    double *first, *second; /* [contacts] its rates */
    double *third, *fourth; /* [contacts] w⃛, and the next one */
    double *vdot;           /* [n_v] */
    double *jerk;           /* [n_v] v̈ */
    double *y, *ydot;
    double (*step)[LASHI_FREEDOMS];
};

bool lashi_quiet_create(lashi_workspace *w) {
    const lash_system *system = w->system;
    const size_t contacts = (size_t)system->contact_count, n = (size_t)system->n_y;
    bool any = false;
    for (int k = 0; k < system->contact_count; k++)
        any = any || system->contacts[k].quietens;
    // Where λ is found by iteration, or some contact is a multiplier already, none becomes quiet.
    if (!any || w->linked || w->rubs || system->motion.corrections > 0)
        return true;
    lashi_quiet_work *s = lashi_arena_alloc(&w->arena, 1, sizeof *s);
    w->quiet = lashi_arena_alloc(&w->arena, contacts, sizeof *w->quiet);
    if (!s || !w->quiet)
        return false;
    s->answers = lashi_arena_alloc(&w->arena, contacts, sizeof *s->answers);
    s->B = lashi_arena_alloc(&w->arena, contacts * contacts, sizeof(double));
    s->list = lashi_arena_alloc(&w->arena, contacts, sizeof(int));
    s->right = lashi_arena_alloc(&w->arena, contacts, sizeof(double));
    s->result = lashi_arena_alloc(&w->arena, contacts, sizeof(double));
    s->still = lashi_arena_alloc(&w->arena, contacts, sizeof(double));
    s->first = lashi_arena_alloc(&w->arena, contacts, sizeof(double));
    s->second = lashi_arena_alloc(&w->arena, contacts, sizeof(double));
    s->third = lashi_arena_alloc(&w->arena, contacts, sizeof(double));
    s->fourth = lashi_arena_alloc(&w->arena, contacts, sizeof(double));
    s->vdot = lashi_arena_alloc(&w->arena, (size_t)system->n_v, sizeof(double));
    s->jerk = lashi_arena_alloc(&w->arena, (size_t)system->n_v, sizeof(double));
    s->y = lashi_arena_alloc(&w->arena, n, sizeof(double));
    s->ydot = lashi_arena_alloc(&w->arena, n, sizeof(double));
    s->step = lashi_arena_alloc(&w->arena, (size_t)system->bodies, sizeof *s->step);
    for (size_t k = 0; s->answers && k < contacts; k++) {
        answer *a = &s->answers[k];
        a->p = lashi_arena_alloc(&w->arena, (size_t)system->bodies, sizeof *a->p);
        a->x = lashi_arena_alloc(&w->arena, (size_t)system->motion.rows, sizeof(double));
        if (!a->p || !a->x)
            return false;
    }
    w->quieting = s;
    return s->answers && s->B && s->list && s->right && s->result && s->still && s->first && s->second &&
           s->third && s->fourth && s->vdot && s->jerk && s->y && s->ydot && s->step;
}

void lashi_quiet_list(lashi_workspace *w) {
    w->quiet_count = 0;
    for (int k = 0; w->quieting && k < w->system->contact_count; k++)
        if (w->memories[k].touching == LASHI_QUIET)
            w->quieting->list[w->quiet_count++] = k;
    w->present = false;
}

int lashi_quiet_suspend(lashi_workspace *w, lashi_memory *memories) {
    const int count = w->quiet_count;
    for (int i = 0; i < count; i++)
        memories[w->quieting->list[i]].touching = LASHI_TOUCHES;
    w->quiet_count = 0;
    w->present = false;
    return count;
}

void lashi_quiet_resume(lashi_workspace *w, lashi_memory *memories, int count) {
    for (int i = 0; i < count; i++)
        memories[w->quieting->list[i]].touching = LASHI_QUIET;
    w->quiet_count = count;
    w->present = false;
}

/* a·v over the bodies of a contact. */
static double product(const double (*a)[LASHI_FREEDOMS], const lashi_contact *contact,
                      const double (*v)[LASHI_FREEDOMS]) {
    double sum = 0;
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            sum += a[link][i] * v[contact->body[link]][i];
    return sum;
}

/* Effect of N_k = 1; after an evaluation without quiet contacts. */
static void respond(lashi_workspace *w, int k) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    const lashi_contact *contact = &system->contacts[k];
    const lashi_gap *gap = &w->contact_states[k].gap;
    answer *a = &w->quieting->answers[k];
    double unused;
    lashi_contact_unit(a->g, contact, w->frames, gap, gap->n);
    a->mu = contact->acts == LASHI_ACTS_ON_ROWS
                ? 0
                : -lashi_friction_force(&contact->friction, 1, gap->sliding, 0, &unused);
    memset(a->u, 0, sizeof a->u);
    if (a->mu != 0)
        lashi_contact_unit(a->u, contact, w->frames, gap, gap->t);
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            a->u[link][i] = -a->g[link][i] - a->mu * a->u[link][i];
    memset(a->p, 0, (size_t)system->bodies * sizeof *a->p);
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            a->p[contact->body[link]][i] += a->u[link][i];
    lashi_constraints_yield(a->p, set, w->frames, (const double(*)[LASHI_FREEDOMS])system->inverse_free);
    if (set->rows == 0)
        return;
    memset(a->x, 0, (size_t)set->rows * sizeof *a->x);
    lashi_constraints_multiply(a->x, &w->constraints, set, (const double(*)[LASHI_FREEDOMS])a->p);
    lashi_constraints_solve(a->x, &w->constraints, set);
    lashi_constraints_move(a->p, w->scratch, &w->constraints, set, a->x);
}

/* Solves B x = b, both by place in the list. 0, or 1 where there is no solution. */
static int solve(double *x, lashi_workspace *w, const double *b) {
    const lash_system *system = w->system;
    lashi_quiet_work *s = w->quieting;
    const int n = w->quiet_count;
    memcpy(x, b, (size_t)n * sizeof *x);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->B[i * n + j] = -product((const double(*)[LASHI_FREEDOMS])s->answers[s->list[i]].g,
                                       &system->contacts[s->list[i]],
                                       (const double(*)[LASHI_FREEDOMS])s->answers[s->list[j]].p);
    for (int i = 0; i < n; i++) {
        if (!(s->B[i * n + i] > LEAST_PIVOT * system->contacts[s->list[i]].p->response))
            return 1;
        for (int r = i + 1; r < n; r++) {
            const double share = s->B[r * n + i] / s->B[i * n + i];
            for (int c = i; c < n; c++)
                s->B[r * n + c] -= share * s->B[i * n + c];
            x[r] -= share * x[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int c = i + 1; c < n; c++)
            x[i] -= s->B[i * n + c] * x[c];
        x[i] /= s->B[i * n + i];
        if (!isfinite(x[i]))
            return 1;
    }
    return 0;
}

/* N at (t, y) that makes δ̈ as given, by place in the list; NULL: 0. The forces are not applied yet. */
static int find_pressures(lashi_workspace *w, double *ydot, double t, const double *y,
                          const double *deltaddot) {
    const lash_system *system = w->system;
    lashi_quiet_work *s = w->quieting;
    if (lashi_evaluate_open(ydot, w, t, y))
        return 1;
    for (int i = 0; i < w->quiet_count; i++)
        respond(w, s->list[i]);
    for (int i = 0; i < w->quiet_count; i++) {
        const int k = s->list[i];
        const lashi_contact *contact = &system->contacts[k];
        s->right[i] = product((const double(*)[LASHI_FREEDOMS])s->answers[k].g, contact,
                              (const double(*)[LASHI_FREEDOMS])w->acceleration) +
                      lashi_kind_of(contact)->bias(contact, w->frames, &w->contact_states[k].gap) -
                      (deltaddot ? deltaddot[i] : 0);
    }
    const int bad = solve(s->result, w, s->right);
    for (int i = 0; !bad && i < w->quiet_count; i++)
        s->answers[s->list[i]].N = s->result[i];
    return bad;
}

/* The depth at which the law carries N, by Newton's method from nearby. */
static double depth_under(const lashi_normal *law, double N, double depth) {
    enum { PASSES = 50 };
    static const double ENOUGH = 1e-15;
    if (!(N > 0) || !(depth > 0))
        return 0;
    for (int pass = 0; pass < PASSES; pass++) {
        const double slope = lashi_normal_stiffness(law, depth);
        if (!(slope > 0))
            break;
        const double step = (N - lashi_normal_elastic(law, depth)) / slope;
        depth = fmax(depth + step, 0.1 * depth);
        if (fabs(step) <= ENOUGH * depth)
            break;
    }
    return depth;
}

/* Applies contact k with its N: forces on the bodies, its state, its part of ẏ. */
static void press(lashi_workspace *w, double *ydot, int k) {
    const lash_system *system = w->system;
    const lashi_contact *contact = &system->contacts[k];
    const answer *a = &w->quieting->answers[k];
    lashi_contact_state *state = &w->contact_states[k];
    const lashi_gap *gap = &state->gap;
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            w->force[contact->body[link]][i] += a->N * a->u[link][i];
    if (system->motion.rows > 0)
        for (int r = 0; r < system->motion.rows; r++) {
            w->row_scratch[r] = a->N * a->x[r];
            w->lambda[r] += w->row_scratch[r];
        }
    if (system->motion.rows > 0)
        lashi_constraints_subtract(w->force, &w->constraints, &system->motion, w->row_scratch);
    for (int b = 1; b < system->bodies; b++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            w->acceleration[b][i] += a->N * a->p[b][i];
    state->normal_force = a->N;
    w->least[k] = fmin(w->least[k], a->N);
    w->most[k] = fmax(w->most[k], a->N);
    state->friction_force = -a->mu * a->N;
    state->friction_power = -state->friction_force * lashi_dot3(gap->t, gap->slip);
    const lashi_normal_result law =
        lashi_normal_force_phase(&contact->normal, gap->delta, gap->deltadot, &w->memories[k].onset);
    state->damping_power = law.damping_power;
    w->ledger.dissipation += (a->N - law.force) * gap->deltadot;
    if (contact->acts != LASHI_ACTS_ON_ROWS)
        state->dry = lashi_axpy3(lashi_scale3(-a->N, gap->n), state->friction_force, gap->t);
    double *loss = ydot + system->loss_at + LASHI_LOSSES * k;
    loss[LASHI_LOSS_DAMPING] = state->damping_power;
    loss[LASHI_LOSS_FRICTION] = state->friction_power;
    ydot[system->impulse_at + k] = a->N;
}

/* s->y: y a time `apart` from here, on the path of v, v̇ and `bends` times v̈. */
static void go_beside(lashi_workspace *w, const double *y, double apart, double bends) {
    const lash_system *system = w->system;
    lashi_quiet_work *s = w->quieting;
    double *moves = s->step[0]; // by freedom
    memcpy(s->y, y, (size_t)system->n_y * sizeof *y);
    for (int i = 0; i < system->n_v; i++) {
        moves[system->freedom[i]] = y[system->v_at + i] + 0.5 * apart * s->vdot[i];
        s->y[system->v_at + i] += apart * (s->vdot[i] + bends * apart * s->jerk[i]);
    }
    lashi_shift_state(s->y, system, (const double(*)[LASHI_FREEDOMS])s->step, apart);
}

/* F, F_w and F_ẇ of the law of contact k at its w and ẇ, and what F̈ has of w, ẇ and ẅ beside F_w ẅ + F_ẇ w⃛, a time
 * `apart` from there. */
typedef struct slopes {
    lashi_normal_result at;
    double depth, rate, bend; /* N/m, N s/m, N/s² */
} slopes;

static slopes slopes_of(const lashi_workspace *w, int k, double apart) {
    static const double PART = 1e-5;
    const lashi_normal *law = &w->system->contacts[k].normal;
    const lashi_onset *onset = &w->memories[k].onset;
    const lashi_quiet *q = &w->quiet[k];
    const double deeper = PART * q->depth, faster = PART * q->frequency * q->depth;
#define FORCE(more, quicker)                                                                                 \
    lashi_normal_force_phase(law, q->depth + (more), q->rate + (quicker), onset).force
    slopes out = {.at = lashi_normal_force_phase(law, q->depth, q->rate, onset)};
    if (!(out.at.force > 0) || !(faster > 0))
        return out;
    out.depth = (FORCE(deeper, 0) - FORCE(-deeper, 0)) / (2 * deeper);
    out.rate = (FORCE(0, faster) - FORCE(0, -faster)) / (2 * faster);
    const double further = apart * q->rate, later = apart * q->curve;
    out.bend = (FORCE(further, later) - 2 * out.at.force + FORCE(-further, -later)) / (apart * apart);
#undef FORCE
    return out;
}

/* Depth, rate, curve and ρ of the contact at place i from N⁰ here and beside, without damping and inertia. */
static void find_depth(lashi_workspace *w, int i, double apart) {
    lashi_quiet_work *s = w->quieting;
    const int k = s->list[i];
    const answer *a = &s->answers[k];
    lashi_quiet *out = &w->quiet[k];
    s->first[i] = (a->beside[0] - a->beside[1]) / (2 * apart);
    s->second[i] = (a->beside[0] - 2 * s->still[i] + a->beside[1]) / (apart * apart);
    out->rate = out->curve = 0;
    out->fast = INFINITY;
    out->depth = depth_under(&w->system->contacts[k].normal, s->still[i], w->contact_states[k].gap.delta);
    slopes law = slopes_of(w, k, apart);
    if (!(law.depth > 0))
        return;
    out->rate = s->first[i] / law.depth;
    law = slopes_of(w, k, apart);
    if (!(law.depth > 0))
        return;
    out->curve = (s->second[i] - law.bend) / law.depth;
    const double slow = out->rate / (out->frequency * out->depth),
                 bend = fabs(out->curve) / (out->frequency * out->frequency * out->depth);
    out->fast = fmax(bend, slow * slow);
}

/* The first two derivatives at t of the polynomial through (t, curve) and the values before: r[0] + r[1] curve. */
static void rates_of_way(double third[2], double fourth[2], const lashi_quiet_way *way, double t) {
    // Horner's scheme for a polynomial whose divided differences are linear in `curve`.
    double part[LASHI_QUIET_POINTS + 1][2] = {{0, 1}};
    const int count = way->count < LASHI_QUIET_POINTS ? way->count : LASHI_QUIET_POINTS - 1;
    for (int i = 0; i < count; i++)
        for (int c = 0; c < 2; c++)
            part[i + 1][c] = (part[i][c] - (c == 0 ? way->part[i] : 0)) / (t - way->at[i]);
    for (int c = 0; c < 2; c++) {
        double value = 0, first = 0, second = 0;
        for (int i = count; i >= 0; i--) {
            const double s = i > 0 ? t - way->at[i - 1] : 0;
            second = second * s + 2 * first;
            first = first * s + value;
            value = value * s + part[i][c];
        }
        third[c] = first;
        fourth[c] = second;
    }
}

/* The next two rates of w, by the values of ẅ before, of the contact at place i; without any they are 0. */
static void follow_on(lashi_workspace *w, int i, double t, double apart) {
    lashi_quiet_work *s = w->quieting;
    const int k = s->list[i];
    const lashi_quiet_way *way = &w->memories[k].quiet;
    const lashi_quiet *q = &w->quiet[k];
    s->third[i] = s->fourth[i] = 0;
    if (way->count == 0 || !(t > way->at[0]) || !(q->depth > 0))
        return;
    // ẅ = curve − τ w⃛ − w⁗/Ω², and w⃛ and w⁗ from that ẅ: without this short steps would raise its errors.
    double third[2], fourth[2];
    rates_of_way(third, fourth, way, t);
    const slopes law = slopes_of(w, k, apart);
    const double late = law.depth > 0 ? law.rate / law.depth : 0, slow = 1 / (q->frequency * q->frequency),
                 curve = (q->curve - late * third[0] - slow * fourth[0]) /
                         (1 + late * third[1] + slow * fourth[1]);
    s->third[i] = third[0] + third[1] * curve;
    s->fourth[i] = fourth[0] + fourth[1] * curve;
}

/* w and ẇ under N and Ṅ, with damping. */
static void damp(lashi_workspace *w, int k, double N, double change, double apart) {
    enum { PASSES = 2 };
    lashi_quiet *out = &w->quiet[k];
    for (int pass = 0; pass < PASSES && out->depth > 0; pass++) {
        slopes at = slopes_of(w, k, apart);
        if (!(at.at.force > 0) || !(at.depth > 0))
            break;
        out->depth = depth_under(&w->system->contacts[k].normal, N * at.at.elastic / at.at.force, out->depth);
        at = slopes_of(w, k, apart);
        if (at.depth > 0)
            out->rate = (change - at.rate * out->curve) / at.depth; // F_w ẇ + F_ẇ ẅ = Ṅ
    }
}

/* The twin sees what this workspace sees, except for y. */
static void share_with_twin(lashi_workspace *w) {
    lashi_workspace *twin = w->twin;
    twin->memories = w->memories;
    twin->frames[0] = w->frames[0];
    twin->settings = w->settings;
    twin->modes = w->modes;
    twin->now.modes = w->modes;
    twin->seen = w->seen;
    twin->seen.now = &twin->now;
    if (w->frames[0].inputs)
        twin->frames[0].inputs = &twin->seen;
    twin->constraints.repeats = w->constraints.repeats;
    twin->quiet_count = w->quiet_count;
    memcpy(twin->quieting->list, w->quieting->list, (size_t)w->quiet_count * sizeof(int));
}

/* N⁰ of all quiet contacts at t + apart; from the first of the two sides also v̈. */
static int look_beside(lashi_workspace *w, double t, const double *y, double apart, int side) {
    const lash_system *system = w->system;
    lashi_workspace *twin = w->twin;
    lashi_quiet_work *s = w->quieting;
    go_beside(w, y, apart, side);
    w->evaluations++;
    if (find_pressures(twin, twin->quieting->ydot, t + apart, s->y, NULL))
        return 1;
    for (int i = 0; i < w->quiet_count; i++) {
        s->answers[s->list[i]].beside[side] = twin->quieting->answers[s->list[i]].N;
        if (side == 0)
            press(twin, twin->quieting->ydot, s->list[i]);
    }
    const double *acceleration = twin->acceleration[0]; // by freedom
    for (int i = 0; side == 0 && i < system->n_v; i++)
        s->jerk[i] = (acceleration[system->freedom[i]] - s->vdot[i]) / apart;
    return 0;
}

/* δ̈ of the quiet contacts, by place in the list. */
static void curves_at(double *deltaddot, const lashi_workspace *w, double t) {
    for (int i = 0; i < w->quiet_count; i++)
        deltaddot[i] = lashi_quiet_curve(&w->memories[w->quieting->list[i]].quiet, t);
}

int lashi_quiet_solve(double *ydot, lashi_workspace *w, double t, const double *y) {
    lashi_quiet_work *s = w->quieting;
    curves_at(s->still, w, t);
    if (find_pressures(w, ydot, t, y, s->still))
        return 1;
    for (int i = 0; i < w->quiet_count; i++)
        press(w, ydot, s->list[i]);
    return 0;
}

int lashi_quiet_look(lashi_workspace *w, double t, const double *y) {
    const lash_system *system = w->system;
    lashi_quiet_work *s = w->quieting;
    const int n = w->quiet_count;
    double highest = 0;
    share_with_twin(w);
    // From the present evaluation to δ̈ = 0: N⁰ = N + B⁻¹ δ̈.
    curves_at(s->right, w, t);
    if (solve(s->result, w, s->right))
        return 1;
    const double *acceleration = w->acceleration[0]; // by freedom
    for (int i = 0; i < system->n_v; i++)
        s->vdot[i] = acceleration[system->freedom[i]];
    for (int i = 0; i < n; i++) {
        const int k = s->list[i];
        const lashi_contact *contact = &system->contacts[k];
        const answer *a = &s->answers[k];
        s->still[i] = a->N + s->result[i];
        const double response =
            -product((const double(*)[LASHI_FREEDOMS])a->g, contact, (const double(*)[LASHI_FREEDOMS])a->p);
        w->quiet[k].frequency = sqrt(
            fmax(lashi_normal_stiffness(&contact->normal, w->contact_states[k].gap.delta) * response, 0));
        highest = fmax(highest, w->quiet[k].frequency);
        const double *p = a->p[0];
        for (int v = 0; v < system->n_v; v++)
            s->vdot[v] += s->result[i] * p[system->freedom[v]];
    }
    if (!(highest > 0))
        return 1;
    const double apart = NEARBY / highest;
    if (look_beside(w, t, y, apart, 0) || look_beside(w, t, y, -apart, 1))
        return 1;
    for (int i = 0; i < n; i++) {
        lashi_quiet *q = &w->quiet[s->list[i]];
        find_depth(w, i, apart);
        q->jump = (q->curve - lashi_quiet_curve(&w->memories[s->list[i]].quiet, t)) * apart;
        follow_on(w, i, t, apart);
    }
    // N and its rates without what inertia takes of them: B⁻¹ times ẅ, w⃛ and the next one.
    if (solve(s->result, w, s->fourth))
        return 1;
    for (int i = 0; i < n; i++) {
        lashi_quiet *q = &w->quiet[s->list[i]];
        const slopes law = slopes_of(w, s->list[i], apart);
        if (law.depth > 0)
            q->curve = (s->second[i] - s->result[i] - law.rate * s->third[i] - law.bend) / law.depth;
        s->right[i] = q->curve;
    }
    if (solve(s->result, w, s->right) || solve(s->fourth, w, s->third))
        return 1;
    for (int i = 0; i < n; i++)
        damp(w, s->list[i], s->still[i] - s->result[i], s->first[i] - s->fourth[i], apart);
    return 0;
}

void lashi_quiet_take(lashi_workspace *w) {
    for (int i = 0; i < w->quiet_count; i++) {
        const int k = w->quieting->list[i];
        const lashi_gap *gap = &w->contact_states[k].gap;
        lashi_quiet *out = &w->quiet[k];
        out->depth = gap->delta;
        out->rate = gap->deltadot;
        out->curve = 0;
        const lashi_normal *law = &w->system->contacts[k].normal;
        const lashi_normal_result at =
            lashi_normal_force_phase(law, gap->delta, gap->deltadot, &w->memories[k].onset);
        if (at.force > 0)
            out->depth =
                depth_under(law, w->contact_states[k].normal_force * at.elastic / at.force, out->depth);
    }
}

int lashi_quiet_reach(double *y, lashi_workspace *w) {
    const lash_system *system = w->system;
    lashi_quiet_work *s = w->quieting;
    const int n = w->quiet_count;
    for (int speeds = 1; speeds >= 0; speeds--) {
        for (int i = 0; i < n; i++) {
            const lashi_gap *gap = &w->contact_states[s->list[i]].gap;
            const lashi_quiet *q = &w->quiet[s->list[i]];
            s->right[i] = speeds ? gap->deltadot - q->rate : gap->delta - q->depth;
        }
        if (solve(s->result, w, s->right))
            return 1;
        for (int i = 0; i < n; i++) {
            const answer *a = &s->answers[s->list[i]];
            const double *p = a->p[0];
            for (int v = 0; speeds && v < system->n_v; v++)
                y[system->v_at + v] += s->result[i] * p[system->freedom[v]];
            if (!speeds)
                lashi_shift_state(y, system, (const double(*)[LASHI_FREEDOMS])a->p, s->result[i]);
        }
    }
    return 0;
}
