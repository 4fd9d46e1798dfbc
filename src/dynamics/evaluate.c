/* SPDX-License-Identifier: MIT
 *
 * One evaluation (evaluate.h). The hot path: no allocation, no I/O, no comparison of names.
 */
#include "dynamics/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "contact/apply.h"
#include "dynamics/motion.h"
#include "math/larger.h"
#include "system/links.h"
#include "system/moves.h"

/* One pin: of two bodies that both move, products for S are summed in the order of the bodies. Corrections need its
 * rows in the workspace. */
static void plan_pin(lashi_workspace *w) {
    const lash_system *system = w->system;
    const lashi_constraint *joint = system->motion.items;
    if (!w->constraints.pair || system->motion.count != 1 || !joint->pin || w->rubs ||
        system->motion.corrections > 0)
        return;
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        const int b = joint->body[slot];
        w->pin.end[slot] =
            (struct lashi_pin_end){.frame = &w->frames[b],
                                   .a = w->acceleration[b],
                                   .f = w->force[b],
                                   .inverse = system->moves[b] ? system->inverse_free[b] : NULL};
    }
    w->pin.rows = lashi_rows_of(&w->constraints, joint);
    if (!w->pin.end[0].inverse || !w->pin.end[1].inverse || joint->body[0] < joint->body[1])
        w->pin.joint = joint;
}

static lash_status create(lashi_workspace **out, const lash_system *system, lash_error *error) {
    *out = NULL;
    lashi_workspace *w = calloc(1, sizeof *w);
    if (!w)
        return lashi_fail_memory(error);
    w->system = system;
    const size_t bodies = (size_t)system->bodies, rows = (size_t)system->motion.rows;
    w->frames = lashi_arena_alloc(&w->arena, bodies, sizeof *w->frames);
    w->force = lashi_arena_alloc(&w->arena, bodies + 1, sizeof *w->force);
    w->contact_states =
        lashi_arena_alloc(&w->arena, (size_t)system->contact_count, sizeof *w->contact_states);
    w->lambda = lashi_arena_alloc(&w->arena, rows, sizeof(double));
    w->acceleration = lashi_arena_alloc(&w->arena, bodies + 1, sizeof *w->acceleration);
    w->known = system->spatial ? lashi_arena_alloc(&w->arena, bodies + 1, sizeof *w->known) : w->acceleration;
    w->scratch = lashi_arena_alloc(&w->arena, bodies, sizeof *w->scratch);
    w->row_scratch = lashi_arena_alloc(&w->arena, rows, sizeof(double));
    w->ydot = lashi_arena_alloc(&w->arena, (size_t)system->n_y, sizeof(double));
    w->y_onto = lashi_arena_alloc(&w->arena, (size_t)system->n_y, sizeof(double));
    const lashi_machine *machine = &system->machine;
    const size_t inputs = (size_t)machine->input_count;
    double *settings = lashi_arena_alloc(&w->arena, inputs, sizeof(double));
    w->reads = lashi_arena_alloc(&w->arena, (size_t)machine->read_count, sizeof *w->reads);
    w->modes = lashi_arena_alloc(&w->arena, (size_t)machine->switch_count, sizeof(double));
    for (size_t i = 0; settings && i < inputs; i++)
        settings[i] = machine->inputs[i]->table ? (double)NAN : machine->inputs[i]->value;
    w->settings = settings;
    w->now = (lashi_instant){w->reads, w->modes};
    w->seen = (lashi_inputs){NULL, NULL, &w->now};
    bool linked = false, modes = false;
    for (int k = 0; k < system->contact_count; k++) {
        linked = linked || system->contacts[k].constraint >= 0;
        modes = modes || system->contacts[k].model == LASHI_MODEL_MODES;
    }
    w->linked = linked;
    const size_t contacts = (size_t)system->contact_count;
    w->least = lashi_arena_alloc(&w->arena, contacts, sizeof(double));
    w->most = lashi_arena_alloc(&w->arena, contacts, sizeof(double));
    const bool room =
        !modes || lashi_impact_reserve(w, contacts < LASHI_IMPACT_USUAL ? contacts : LASHI_IMPACT_USUAL);
    bool pressed = false, apart = true;
    for (int c = 0; c < system->motion.count; c++)
        pressed = pressed || system->motion.items[c].pressure > 0;
    if (pressed) {
        w->apart = lashi_arena_alloc(&w->arena, (size_t)system->motion.count, sizeof(double));
        apart = w->apart != NULL;
    }
    lash_status status = lashi_constraint_work_create(&w->constraints, &w->arena, &system->motion, error);
    if (!status && system->whole.rows > 0) {
        status = lashi_constraint_work_create(&w->whole, &w->arena, &system->whole, error);
        w->whole_lambda = lashi_arena_alloc(&w->arena, (size_t)system->whole.rows, sizeof(double));
        if (!status && !w->whole_lambda)
            status = lashi_fail_memory(error);
    }
    if (!status && lashi_rubs_needed(system))
        status = lashi_rub_work_create(&w->rubs, &w->arena, system, error);
    const size_t rubs = (size_t)system->rub_count;
    w->rub_states = lashi_arena_alloc(&w->arena, rubs, sizeof *w->rub_states);
    w->least_margin = lashi_arena_alloc(&w->arena, rubs, sizeof(double));
    w->most_margin = lashi_arena_alloc(&w->arena, rubs, sizeof(double));
    // Contact pressures and what presses where parts rub are multipliers: they must be those of least norm.
    w->spares = !system->spatial && !w->rubs && !linked;
    w->constraints.shares = (linked || rubs > 0) && system->motion.most_repeats > 0;
    if (modes)
        w->constraints.off = lashi_arena_alloc(&w->arena, rows, 1);
    if (!status && (!apart || !lashi_quiet_create(w)))
        status = lashi_fail_memory(error);
    if (!status && (!w->rub_states || !w->least_margin || !w->most_margin))
        status = lashi_fail_memory(error);
    if (!status && (!room || (modes && !w->constraints.off)))
        status = lashi_fail_memory(error);
    if (!status && (!w->frames || !w->force || !w->contact_states || !w->lambda || !w->acceleration ||
                    !w->known || !w->scratch || !w->row_scratch || !w->ydot || !w->y_onto || !w->least ||
                    !w->most || !w->reads || !w->modes || !w->settings))
        status = lashi_fail_memory(error);
    if (!status) {
        lashi_frame_ground(&w->frames[0]);
        for (int b = 1; b < system->bodies; b++)
            w->frames[b].c = 1; // of the angle 0
        w->frames[0].inputs = machine->read_count ? &w->seen : NULL;
        w->memories = system->memories0;
        w->rub_memories = system->rub_memories0;
        w->singular_row = w->failed_force = w->failed_rub = w->tight_rub = -1;
        lashi_frames_at(w->frames, w->known, system, system->start, system->y0);
        lashi_constraints_evaluate(&w->constraints, &system->motion, w->frames, system->start);
        status = lashi_constraints_keep_steady(&w->constraints, &w->arena, &system->motion,
                                               (const double(*)[LASHI_FREEDOMS])system->inverse_free, error);
        plan_pin(w);
    }
    if (status)
        lashi_workspace_destroy(w);
    else
        *out = w;
    return status;
}

lash_status lashi_workspace_create(lashi_workspace **out, const lash_system *system, lash_error *error) {
    lash_status status = create(out, system, error);
    if (!status && (*out)->quieting)
        status = create(&(*out)->twin, system, error);
    if (status && *out) {
        lashi_workspace_destroy(*out);
        *out = NULL;
    }
    return status;
}

void lashi_workspace_destroy(lashi_workspace *workspace) {
    if (!workspace)
        return;
    lashi_workspace_destroy(workspace->twin);
    lashi_rub_work_destroy(workspace->rubs);
    lashi_arena_clear(&workspace->arena);
    free(workspace->impact);
    free(workspace);
}

/* What is asked for: q̇ and v̇; ẏ; or ẏ and all that the workspace has of it. Less than all is asked for in the plane
 * alone, and spared where it costs: with one pin, and of direct contacts. Friction that depends on reactions needs the
 * states of contacts, pressures those that follow, and quiet contacts what their solution is made of. */
typedef enum wanted { MOTION, RATES, ALL } wanted;
static bool needs_all(const lashi_workspace *w) {
    return !w->spares || w->quiet_count > 0 || w->code;
}

/* Two numbers side by side. */
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

/* Where the rates of one contact go. */
typedef struct contact_rates {
    double *loss, *impulse;
} contact_rates;

/* Stage 3: gravity, force elements, joints with play. Their losses, impulses and bristle rates go straight to
 * ydot. */
__attribute__((always_inline)) static inline void
apply_contact(lashi_workspace *w, double *ydot, contact_rates rates, const double *y,
              const lashi_contact *contact, const lashi_memory *memory, lashi_contact_state *state,
              bool direct, wanted want) {
    static const double no_bristle[3];
    double zdot[3];
    if (direct) {
        lashi_apply_inline(w->force, state, zdot, contact, memory, w->frames, no_bristle, true);
        w->mismatch |= (state->gap.delta > 0) != (memory->touching != 0);
    } else {
        lashi_contact_apply(w->force, state, zdot, contact, memory, w->frames,
                            contact->bristle >= 0 ? y + contact->bristle : no_bristle);
        w->mismatch |= contact->watched && lashi_contact_mismatch(contact, memory, state->gap.delta);
        if (contact->excited)
            w->ledger.input += state->input_power;
        for (int i = 0; i < lashi_bristles(contact); i++)
            ydot[contact->bristle + i] = zdot[i];
    }
    if (want == MOTION)
        return;
    rates.loss[LASHI_LOSS_DAMPING] = state->damping_power;
    rates.loss[LASHI_LOSS_FRICTION] = state->friction_power;
    rates.loss[LASHI_LOSS_FILM] = direct ? 0 : state->film_power;
    *rates.impulse = state->normal_force;
}

__attribute__((always_inline)) static inline void apply_forces(lashi_workspace *w, double *ydot, double t,
                                                               const double *y, int width, wanted want) {
    const lash_system *system = w->system;
    const double *weight = system->weight[0];
    double *f = w->force[0];
    for (int i = LASHI_FREEDOMS, end = system->bodies * LASHI_FREEDOMS; i < end; i += LASHI_FREEDOMS)
        for (int k = i; k < i + width; k += 2)
            *(two *)(f + k) = *(const two *)(weight + k);
    w->ledger = (lashi_ledger){0};
    for (int k = 0; k < system->force_count; k++)
        lashi_force_apply(w->force, &w->ledger, &system->forces[k], w->frames, t);
    const lashi_contact *contact = system->contacts, *const end = contact + system->contact_count;
    const lashi_memory *memory = w->memories;
    lashi_contact_state *state = w->contact_states;
    contact_rates rates = {ydot + system->loss_at, ydot + system->impulse_at};
    for (; contact < end; contact++, memory++, state++, rates.loss += LASHI_LOSSES, rates.impulse++) {
        lashi_contact_state passing;
        if (width == LASHI_PLANE && contact->direct)
            apply_contact(w, ydot, rates, y, contact, memory, want == ALL ? state : &passing, true, want);
        else
            apply_contact(w, ydot, rates, y, contact, memory, state, false, ALL);
    }
}

/* The first force without a finite value; -1: none. */
static int failed_force(lashi_workspace *w, double t) {
    for (int k = 0; k < w->system->force_count; k++) {
        lashi_ledger alone = {0};
        lashi_force_apply(w->scratch, &alone, &w->system->forces[k], w->frames, t);
        w->failed_at = alone.table_at;
        w->failed_t = t;
        if (!isfinite(alone.input + alone.elastic))
            return k;
    }
    return -1;
}

/* Space: q̇ from v, and the rates of the counted angles. */
static void advance_in_space(double *ydot, const lashi_workspace *w, const double *y) {
    const lash_system *system = w->system;
    for (int b = 1; b < system->bodies; b++) {
        if (system->moves[b] == LASHI_MOVES_NOT)
            continue;
        double *rate = ydot + system->q_at[b];
        const double *v = y + system->v_at + system->u_at[b];
        if (system->moves[b] != LASHI_MOVES_FREELY)
            rate[0] = system->q_rate[b] * v[0];
        else
            lashi_rate_in_space(rate, y + system->q_at[b] + 3, v);
    }
    for (int j = 0; j < system->joint_count; j++) {
        const lashi_coordinate *coordinate = &system->joints[j].coordinate;
        if (system->joints[j].has_coordinate && coordinate->counted >= 0)
            ydot[system->counted_at + coordinate->counted] = lashi_coordinate_rate(coordinate, w->frames);
    }
}

/* v̇ = M⁻¹ f of one freedom, and of one body in the plane. */
__attribute__((always_inline)) static inline double accelerated(double inverse, double f) {
    return inverse * f + 0.0; // −0 becomes 0
}
__attribute__((always_inline)) static inline void accelerate_body(double *a, const double *inverse,
                                                                  const double *f) {
    for (int k = 0; k < LASHI_PLANE; k++)
        a[k] = accelerated(inverse[k], f[k]);
}

/* The same of a list of bodies. */
__attribute__((always_inline)) static inline void accelerate_bodies(lashi_workspace *w, const int *b,
                                                                    int count) {
    const double *inverse = w->system->inverse_free[0], *f = w->force[0];
    double *a = w->acceleration[0];
    for (const int *end = b + count; b < end; b++) {
        const ptrdiff_t i = (ptrdiff_t)*b * LASHI_FREEDOMS;
        accelerate_body(a + i, inverse + i, f + i);
    }
}

/* v̇ = M⁻¹ f of all bodies; where motion is prescribed, M⁻¹ is 0 and v̇ the known one. A pinned body has both. In the
 * plane `known` is v̇ itself. */
__attribute__((always_inline)) static inline void accelerate(lashi_workspace *w, int width) {
    const lash_system *system = w->system;
    const double *inverse = system->inverse_free[0], *f = w->force[0], *known = w->known[0];
    double *a = w->acceleration[0];
    if (width == LASHI_PLANE) {
        accelerate_bodies(w, system->movers, system->mover_count);
        return;
    }
    const int end = system->bodies * LASHI_FREEDOMS;
    for (int i = LASHI_FREEDOMS; i < end; i += 2)
        *(two *)(a + i) = *(const two *)(inverse + i) * *(const two *)(f + i) + *(const two *)(known + i);
    for (int k = 0; k < system->pin_count; k++) {
        const lashi_pinned *pin = &system->pins[k];
        const int b = pin->body;
        lashi_pin_yield(w->acceleration[b], pin, &w->frames[b], system->inverse_free[b], w->force[b]);
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            w->acceleration[b][i] += w->known[b][i];
    }
}

/* −γ + 2α Φ̇ + β² Φ */
__attribute__((always_inline)) static inline void missing(double *restrict x, const double *restrict Phi,
                                                          const double *restrict Phi_dot,
                                                          const double *restrict gamma,
                                                          const lash_system *restrict system, int rows) {
    for (int i = 0; i < rows; i++)
        x[i] = system->two_alpha * Phi_dot[i] + system->beta_squared * Phi[i] - gamma[i];
}

/* x = S⁻¹ (Φq v̇ − γ + 2α Φ̇ + β² Φ): the multipliers of what v̇ still lacks to satisfy the constraints. */
__attribute__((always_inline)) static inline void find_multipliers(double *x, lashi_workspace *w, int width) {
    const lashi_constraint_set *set = &w->system->motion;
    const lashi_constraint_work *c = &w->constraints;
    missing(x, c->Phi, c->Phi_dot, c->gamma, w->system, set->rows);
    lashi_multiply_links(x, c->J, set, (const double(*)[LASHI_FREEDOMS])w->acceleration, width);
    lashi_solve_links(x, c, set);
}

/* Light bodies on long levers (lever.c): corrects v̇ by what it still lacks. It is not computed again from λ:
 * the small part of λ that turns a light body is lost in rounding. */
__attribute__((noinline)) static void correct(lashi_workspace *w, int width) {
    const lashi_constraint_set *set = &w->system->motion;
    for (int pass = 0; pass < set->corrections; pass++) {
        find_multipliers(w->row_scratch, w, width);
        lashi_constraints_move(w->acceleration, w->scratch, &w->constraints, set, w->row_scratch);
        for (int i = 0; i < set->rows; i++)
            w->lambda[i] += w->row_scratch[i];
    }
}

/* S += of one body of the pin; J: ∂Φ/∂θ. */
__attribute__((always_inline)) static inline void add_turn(double S[4], const struct lashi_pin_end *end,
                                                           lashi_vec2 J) {
    if (!end->inverse)
        return;
    const double x = end->inverse[2] * J.x, y = end->inverse[2] * J.y;
    S[0] += x * J.x;
    S[2] += y * J.x;
    S[3] += y * J.y;
}

/* The rows of one pin and S in factors, within one evaluation. */
typedef struct pin_rows {
    double J[LASHI_SLOTS * 2 * LASHI_FREEDOMS], Phi[2], Phi_dot[2], gamma[2]; // of J the columns that turn
    double S[4], pivots[2];
} pin_rows;

/* What the workspace has of them. */
static void keep_pin(lashi_workspace *w, lashi_pair p, const double S[4], const double pivots[2]) {
    lashi_constraint_work *c = &w->constraints;
    lashi_revolute_turning(&w->pin.rows, w->pin.joint, p);
    c->inverse = (const double(*)[LASHI_FREEDOMS])w->system->inverse_free;
    c->frames = w->frames;
    c->shared = false;
    c->repeat_count = c->int_work[0] = 0;
    c->S[0] = S[0];
    c->S[2] = S[2];
    c->S[3] = S[3];
    c->factor[0] = pivots[0];
    c->factor[1] = pivots[1];
}

/* Stage 2 for one pin (w->pin). Returns the row that makes S singular; -1: none. */
__attribute__((always_inline)) static inline int factor_pin(pin_rows *pin, lashi_workspace *w, wanted want) {
    const struct lashi_pin_end *i = &w->pin.end[0], *j = &w->pin.end[1];
    const double *steady = w->constraints.S_steady;
    const lashi_pair p = lashi_pair_evaluate(i->frame, j->frame, w->pin.joint->s);
    lashi_revolute_turning(&(lashi_rows){pin->J, pin->Phi, pin->Phi_dot, pin->gamma, true}, w->pin.joint, p);
    double S[4] = {steady[0], 0, steady[2], steady[3]};
    add_turn(S, i, (lashi_vec2){p.S[0].y, -p.S[0].x});
    add_turn(S, j, (lashi_vec2){-p.S[1].y, p.S[1].x});
    const int singular = lashi_pair_factor(S, pin->pivots);
    pin->S[0] = S[0], pin->S[2] = S[2], pin->S[3] = S[3];
    if (want == ALL)
        keep_pin(w, p, S, pin->pivots);
    return singular;
}

/* v̇ of one of its bodies without it. */
__attribute__((always_inline)) static inline void begin_end(double a[LASHI_PLANE],
                                                            const struct lashi_pin_end *end) {
    if (end->inverse)
        accelerate_body(a, end->inverse, end->f);
    else
        a[0] = end->a[0], a[1] = end->a[1], a[2] = end->a[2];
}

/* Stage 4 for it, in the same order as for others; the columns of its translations are ∓1. */
__attribute__((always_inline)) static inline void solve_pin(lashi_workspace *w, const pin_rows *pin,
                                                            wanted want) {
    const struct lashi_pin_end *i = &w->pin.end[0], *j = &w->pin.end[1];
    const double *J_i = pin->J + 2 * 2, *J_j = J_i + 2 * LASHI_FREEDOMS; // ∂Φ/∂θ
    double x[2], a_i[LASHI_PLANE], a_j[LASHI_PLANE];
    begin_end(a_i, i);
    begin_end(a_j, j);
    missing(x, pin->Phi, pin->Phi_dot, pin->gamma, w->system, 2);
    x[0] += -a_i[0] + J_i[0] * a_i[2];
    x[1] += -a_i[1] + J_i[1] * a_i[2];
    x[0] += a_j[0] + J_j[0] * a_j[2];
    x[1] += a_j[1] + J_j[1] * a_j[2];
    lashi_pair_solve(pin->S, pin->pivots, x);
    i->f[0] += x[0];
    i->f[1] += x[1];
    i->f[2] -= J_i[0] * x[0] + J_i[1] * x[1];
    j->f[0] -= x[0];
    j->f[1] -= x[1];
    j->f[2] -= J_j[0] * x[0] + J_j[1] * x[1];
    if (want != ALL)
        return; // find_rates needs no more
    accelerate_bodies(w, w->system->movers, w->system->mover_count);
    w->lambda[0] = x[0], w->lambda[1] = x[1];
}

/* Stage 2: rows of the constraints. */
__attribute__((always_inline)) static inline void find_rows(lashi_workspace *w, double t) {
    lashi_following_switch(w);
    lashi_evaluate_rows(&w->constraints, &w->system->motion, w->frames, t);
}

/* Stages 1 to 3; factors: with S. Returns 0, or 1 when S is singular or a force has no finite value. */
__attribute__((always_inline)) static inline int begin(lashi_workspace *w, pin_rows *pin, double *ydot,
                                                       double t, const double *y, int width, bool factors,
                                                       wanted want) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    w->present = false; // unless the caller knows better
    w->t = t;
    // 1 positions and velocities
    if (width > LASHI_PLANE) {
        lashi_frames_at(w->frames, w->known, system, t, y);
    } else {
        lashi_frames_in_plane(w->frames, w->known, true, true, system, t, y);
    }
    // 2 constraints: what depends on positions alone comes before forces
    if (factors && width == LASHI_PLANE && w->pin.joint) {
        w->singular_row = factor_pin(pin, w, want);
    } else {
        find_rows(w, t);
        w->singular_row =
            factors && set->rows > 0
                ? lashi_factor_links(&w->constraints, set,
                                     (const double(*)[LASHI_FREEDOMS])system->inverse_free, width)
                : -1;
    }
    if (w->singular_row >= 0)
        return 1;
    // 3 forces
    if (system->machine.read_count)
        lashi_reads_evaluate(w, ydot, t, y);
    apply_forces(w, ydot, t, y, width, want);
    if (!isfinite(w->ledger.input + w->ledger.elastic)) {
        w->failed_force = failed_force(w, t);
        return 1;
    }
    for (int b = 1; width > LASHI_PLANE && b < system->bodies; b++)
        lashi_add_gyroscopic(w->force[b], system->mass[b], &w->frames[b]);
    return 0;
}

/* Stage 4: v̇ and λ. */
__attribute__((always_inline)) static inline int solve(lashi_workspace *w, const pin_rows *pin, double *ydot,
                                                       const double *y, int width, wanted want) {
    const lashi_constraint_set *set = &w->system->motion;
    if (width == LASHI_PLANE && w->pin.joint) {
        solve_pin(w, pin, want);
        return 0;
    }
    accelerate(w, width);
    if (set->rows > 0)
        find_multipliers(w->lambda, w, width);
    if (w->rubs && lashi_rubs_solve(w, ydot, y))
        return 1;
    if (set->rows > 0)
        lashi_subtract_links(w->force, w->constraints.J, set, w->lambda, width);
    if (set->rows > 0 || w->rubs)
        accelerate(w, width);
    if (set->corrections > 0)
        correct(w, width);
    return 0;
}

void lashi_look(lashi_workspace *workspace, double t, const double *y) {
    pin_rows unused;
    begin(workspace, &unused, workspace->ydot, t, y, workspace->system->width, false, ALL);
}

__attribute__((always_inline)) static inline int evaluate_open(double *ydot, lashi_workspace *w, double t,
                                                               const double *y, int width, wanted want) {
    pin_rows pin = {0};
    w->evaluations++;
    return begin(w, &pin, ydot, t, y, width, true, want) || solve(w, &pin, ydot, y, width, want);
}

int lashi_evaluate_open(double *ydot, lashi_workspace *w, double t, const double *y) {
    return evaluate_open(ydot, w, t, y, w->system->width, ALL);
}

/* 5 ẏ, and the power of drives. */
__attribute__((always_inline)) static inline void find_rates(double *ydot, lashi_workspace *w,
                                                             const double *y, int width, wanted want) {
    const lash_system *system = w->system;
    if (want == ALL && w->linked)
        lashi_following_finish(w, ydot);
    const double *acceleration = w->acceleration[0], *v = y + system->v_at;
    const int *freedom = system->freedom, n = system->n_v;
    if (width > LASHI_PLANE)
        advance_in_space(ydot, w, y);
    for (int i = 0; width == LASHI_PLANE && i < n; i += 2) // one too many is written again below
        *(two *)(ydot + i) = *(const two *)(v + i);
    double *vdot = ydot + system->v_at;
    if (width == LASHI_PLANE && want != ALL && w->pin.joint) {
        const double *inverse = system->inverse_free[0], *f = w->force[0];
        for (int i = 0; i < n; i++)
            vdot[i] = accelerated(inverse[freedom[i]], f[freedom[i]]);
    } else {
        for (int i = 0; i < n; i++)
            vdot[i] = acceleration[freedom[i]];
    }
    if (want == MOTION)
        return;
    for (int d = 0; d < system->drive_count; d++) {
        const lashi_drive_info *drive = &system->drives[d];
        if (drive->absorbed >= 0) {
            const int b = system->absorbed[drive->absorbed].body;
            w->ledger.input += lashi_prescribed_power(width > LASHI_PLANE, system->mass[b],
                                                      w->acceleration[b], w->force[b], &w->frames[b]);
            continue;
        }
        const lashi_constraint *item = &system->motion.items[drive->constraint];
        w->ledger.input -=
            w->lambda[item->first_row] * lashi_coordinate_evaluate(&item->coordinate, w->frames).rate;
    }
    ydot[system->work_at + LASHI_WORK_INPUT] = w->ledger.input;
    ydot[system->work_at + LASHI_WORK_DISSIPATION] = w->ledger.dissipation;
}

/* All stages; width: 3 in the plane, 6 in space. */
__attribute__((always_inline)) static inline int evaluate(double *ydot, lashi_workspace *w, double t,
                                                          const double *y, int width, wanted want) {
    if (want == ALL && w->quiet_count > 0 ? lashi_quiet_solve(ydot, w, t, y)
                                          : evaluate_open(ydot, w, t, y, width, want))
        return 1;
    find_rates(ydot, w, y, width, want);
    return 0;
}

int lashi_evaluate(double *ydot, void *context, double t, const double *y) {
    lashi_workspace *w = context;
    if (w->code && !w->code(ydot, w, t, y))
        return 0;
    return w->system->spatial ? evaluate(ydot, w, t, y, LASHI_FREEDOMS, ALL)
                              : evaluate(ydot, w, t, y, LASHI_PLANE, ALL);
}

int lashi_evaluate_rates(double *ydot, void *context, double t, const double *y) {
    lashi_workspace *w = context;
    return needs_all(w) ? lashi_evaluate(ydot, w, t, y) : evaluate(ydot, w, t, y, LASHI_PLANE, RATES);
}

int lashi_evaluate_motion(double *ydot, void *context, double t, const double *y) {
    lashi_workspace *w = context;
    return needs_all(w) ? lashi_evaluate(ydot, w, t, y) : evaluate(ydot, w, t, y, LASHI_PLANE, MOTION);
}

int lashi_evaluate_onto(double *ydot, void *context, double t, const double *y) {
    lashi_workspace *w = context;
    memcpy(w->y_onto, y, (size_t)w->system->n_y * sizeof(double));
    return lashi_project(w->y_onto, w, t, LASHI_SHARP) || lashi_evaluate(ydot, w, t, w->y_onto);
}

/* The row of the whole set that corresponds to a row of the motion set. */
static int whole_row(const lash_system *system, int row) {
    const lashi_constraint *item = system->motion.items;
    while (row >= item->first_row + item->rows)
        item++;
    const int at = item->type == LASHI_JOINT_drive ? system->drives[item->origin].whole
                                                   : system->joints[item->origin].whole;
    return system->whole.items[at].first_row + row - item->first_row;
}

/* Multipliers of all constraints that give the bodies w->acceleration: λ, and for the absorbed ones what
 * w->force still lacks, M v̇ − f = −Φqᵀ x; of these the ones of least norm. */
static void share_whole(lashi_workspace *w) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->whole;
    const double(*inverse)[LASHI_FREEDOMS] = (const double(*)[LASHI_FREEDOMS])system->inverse_mass;
    double *x = w->whole_lambda;
    memset(x, 0, (size_t)set->rows * sizeof *x);
    lashi_constraints_evaluate(&w->whole, set, w->frames, w->t);
    for (int k = 0; k < set->redundant; k++)
        w->whole.repeats[k] = whole_row(system, w->constraints.repeats[k]);
    if (lashi_constraints_factor(&w->whole, set, inverse, 0) >= 0)
        return; // a singular position
    for (int b = 1; b < system->bodies; b++)
        for (int k = 0; k < LASHI_FREEDOMS; k++)
            w->scratch[b][k] = inverse[b][k] * w->force[b][k] - w->acceleration[b][k];
    lashi_constraints_multiply(x, &w->whole, set, (const double(*)[LASHI_FREEDOMS])w->scratch);
    lashi_constraints_solve(x, &w->whole, set);
    for (int row = 0; row < system->motion.rows; row++)
        x[whole_row(system, row)] += w->lambda[row];
    lashi_constraints_share(x, &w->whole, set);
}

void lashi_reactions_share(lashi_workspace *workspace) {
    lashi_constraint_work *c = &workspace->constraints;
    if (c->shared)
        return;
    c->shared = true;
    if (workspace->whole_lambda)
        share_whole(workspace);
    else if (c->repeat_count > 0)
        lashi_constraints_share(workspace->lambda, c, &workspace->system->motion);
}

lashi_energy lashi_energy_evaluate(const lashi_workspace *workspace) {
    const lash_system *system = workspace->system;
    lashi_energy energy = {.elastic = workspace->ledger.elastic};
    for (int b = 1; b < system->bodies; b++)
        lashi_add_energy(&energy, system->spatial, system->mass[b], system->weight[b], &workspace->frames[b]);
    for (int k = 0; k < system->contact_count; k++)
        if (workspace->memories[k].touching && system->contacts[k].model == LASHI_MODEL_COMPLIANT)
            energy.elastic += lashi_contact_energy(&system->contacts[k], &workspace->contact_states[k].gap);
    return energy;
}

void lashi_violation(double *position, double *velocity, const lashi_workspace *workspace) {
    const double *Phi = workspace->constraints.Phi, *Phi_dot = workspace->constraints.Phi_dot;
    double largest = 0, fastest = 0;
    for (int i = 0, rows = workspace->system->motion.rows; i < rows; i++) {
        largest = lashi_larger(largest, fabs(Phi[i]));
        fastest = lashi_larger(fastest, fabs(Phi_dot[i]));
    }
    *position = largest;
    *velocity = fastest;
}
