/* SPDX-License-Identifier: MIT
 *
 * One evaluation (evaluate.h). The hot path: no allocation, no I/O, no comparison of names.
 */
#include "dynamics/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/motion.h"
#include "math/larger.h"
#include "system/links.h"

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
    w->known = lashi_arena_alloc(&w->arena, bodies + 1, sizeof *w->known);
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
        w->frames[0].inputs = machine->read_count ? &w->seen : NULL;
        w->memories = system->memories0;
        w->rub_memories = system->rub_memories0;
        w->singular_row = w->failed_force = w->failed_rub = -1;
        lashi_frames_at(w->frames, w->known, system, system->start, system->y0);
        lashi_constraints_evaluate(&w->constraints, &system->motion, w->frames, system->start);
        status = lashi_constraints_keep_steady(&w->constraints, &w->arena, &system->motion,
                                               (const double(*)[LASHI_FREEDOMS])system->inverse_free, error);
        w->pin = !system->spatial && w->constraints.pair && system->motion.count == 1 &&
                 system->motion.items[0].steady && !w->rubs;
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

/* Stage 2: gravity, force elements, joints with play. Their losses, impulses and bristle rates go straight to
 * ydot. */
static void apply_forces(lashi_workspace *w, double *ydot, double t, const double *y) {
    const lash_system *system = w->system;
    memcpy(w->force, system->weight, (size_t)system->bodies * sizeof *w->force);
    w->ledger = (lashi_ledger){0};
    for (int k = 0; k < system->force_count; k++)
        lashi_force_apply(w->force, &w->ledger, &system->forces[k], w->frames, t);
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        lashi_contact_state *state = &w->contact_states[k];
        static const double no_bristle[3];
        double zdot[3];
        lashi_contact_apply(w->force, state, zdot, contact, &w->memories[k], w->frames,
                            contact->bristle >= 0 ? y + contact->bristle : no_bristle);
        w->mismatch |= contact->watched && lashi_contact_mismatch(contact, &w->memories[k], state->gap.delta);
        double *loss = ydot + system->loss_at + LASHI_LOSSES * k;
        loss[LASHI_LOSS_DAMPING] = state->damping_power;
        loss[LASHI_LOSS_FRICTION] = state->friction_power;
        loss[LASHI_LOSS_FILM] = state->film_power;
        ydot[system->impulse_at + k] = state->normal_force;
        if (contact->excited)
            w->ledger.input += state->input_power;
        for (int i = 0; i < lashi_bristles(contact); i++)
            ydot[contact->bristle + i] = zdot[i];
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
        if (system->moves[b] != LASHI_MOVES_FREELY) {
            rate[0] = system->q_rate[b] * y[system->v_at + system->u_at[b]];
            continue;
        }
        lashi_rate_in_space(rate, y + system->q_at[b] + 3, &w->frames[b]);
    }
    for (int j = 0; j < system->joint_count; j++) {
        const lashi_coordinate *coordinate = &system->joints[j].coordinate;
        if (system->joints[j].has_coordinate && coordinate->counted >= 0)
            ydot[system->counted_at + coordinate->counted] = lashi_coordinate_rate(coordinate, w->frames);
    }
}

/* Two numbers side by side. */
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

/* v̇ = M⁻¹ f of all bodies; where motion is prescribed, M⁻¹ is 0 and v̇ the known one. A pinned body has both. */
__attribute__((always_inline)) static inline void accelerate(lashi_workspace *w, int width) {
    const double *inverse = w->system->inverse_free[0], *f = w->force[0], *known = w->known[0];
    double *a = w->acceleration[0];
    const int end = w->system->bodies * LASHI_FREEDOMS;
    for (int i = LASHI_FREEDOMS; i < end; i += LASHI_FREEDOMS) {
        for (int k = i; k + 1 < i + width; k += 2)
            *(two *)(a + k) = *(const two *)(inverse + k) * *(const two *)(f + k) + *(const two *)(known + k);
        if (width == LASHI_PLANE)
            a[i + 2] = inverse[i + 2] * f[i + 2] + known[i + 2];
    }
    for (int k = 0; width > LASHI_PLANE && k < w->system->pin_count; k++) {
        const lashi_pinned *pin = &w->system->pins[k];
        const int b = pin->body;
        lashi_pin_yield(w->acceleration[b], pin, &w->frames[b], w->system->inverse_free[b], w->force[b]);
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

/* All of this, and f − Φqᵀλ, for one joint of two rows in the plane (w->pin), in the same order. Returns the row that
 * makes S singular; -1: none. */
__attribute__((always_inline)) static inline int solve_pin(lashi_workspace *w,
                                                           const double (*inverse)[LASHI_FREEDOMS]) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    const lashi_link *const links = set->links, *const end = links + set->link_count;
    lashi_constraint_work *c = &w->constraints;
    double S[4] = {c->S_steady[0], 0, c->S_steady[2], c->S_steady[3]}, pivots[2], x[2];
    missing(x, c->Phi, c->Phi_dot, c->gamma, system, 2);
    for (const lashi_block *block = set->blocks; block < set->blocks + set->block_count; block++)
        if (!block->kept)
            lashi_add_products(S, 2, c->J + block->J_a, 2, c->J + block->J_b, 2, inverse[block->body], 2, 1);
    for (const lashi_link *link = links; link < end; link++)
        lashi_multiply_rows(x, c->J + link->J, 2, w->acceleration[link->body], LASHI_PLANE);
    const int singular = lashi_pair_factor(S, pivots);
    lashi_pair_solve(S, pivots, x);
    for (const lashi_link *link = links; link < end; link++)
        lashi_subtract_rows(w->force[link->body], c->J + link->J, 2, x, LASHI_PLANE);
    c->inverse = inverse;
    c->shared = false;
    c->repeat_count = c->int_work[0] = 0;
    c->S[0] = S[0];
    c->S[2] = S[2];
    c->S[3] = S[3];
    for (int i = 0; i < 2; i++) {
        c->factor[i] = pivots[i];
        w->lambda[i] = x[i];
    }
    return singular;
}

/* Stage 4: v̇ and λ. */
__attribute__((always_inline)) static inline int solve(lashi_workspace *w, double *ydot, const double *y,
                                                       int width) {
    const lashi_constraint_set *set = &w->system->motion;
    const double(*inverse)[LASHI_FREEDOMS] = (const double(*)[LASHI_FREEDOMS])w->system->inverse_free;
    accelerate(w, width);
    if (width == LASHI_PLANE && w->pin) {
        w->singular_row = solve_pin(w, inverse);
        if (w->singular_row >= 0)
            return 1;
    } else {
        if (set->rows > 0) {
            w->singular_row = lashi_factor_links(&w->constraints, set, inverse, width);
            if (w->singular_row >= 0)
                return 1;
            find_multipliers(w->lambda, w, width);
        }
        if (w->rubs && lashi_rubs_solve(w, ydot, y))
            return 1;
        if (set->rows > 0)
            lashi_subtract_links(w->force, w->constraints.J, set, w->lambda, width);
    }
    if (set->rows > 0 || w->rubs)
        accelerate(w, width);
    if (set->corrections > 0)
        correct(w, width);
    return 0;
}

/* Stages 1 to 3. Returns 0, or 1 when a force has no finite value. */
__attribute__((always_inline)) static inline int see(lashi_workspace *w, double *ydot, double t,
                                                     const double *y, int width) {
    const lash_system *system = w->system;
    w->present = false; // unless the caller knows better
    w->t = t;
    // 1 positions and velocities
    lashi_frames_at(w->frames, w->known, system, t, y);
    if (system->machine.read_count)
        lashi_reads_evaluate(w, ydot, t, y);
    // 2 forces
    apply_forces(w, ydot, t, y);
    if (!isfinite(w->ledger.input + w->ledger.elastic)) {
        w->failed_force = failed_force(w, t);
        return 1;
    }
    for (int b = 1; width > LASHI_PLANE && b < system->bodies; b++)
        lashi_add_gyroscopic(w->force[b], system->mass[b], &w->frames[b]);
    // 3 constraints
    lashi_following_switch(w);
    lashi_constraints_evaluate(&w->constraints, &system->motion, w->frames, t);
    return 0;
}

void lashi_look(lashi_workspace *workspace, double t, const double *y) {
    see(workspace, workspace->ydot, t, y, workspace->system->width);
}

__attribute__((always_inline)) static inline int evaluate_open(double *ydot, lashi_workspace *w, double t,
                                                               const double *y, int width) {
    w->evaluations++;
    if (see(w, ydot, t, y, width))
        return 1;
    // 4 accelerations and multipliers
    return solve(w, ydot, y, width);
}

int lashi_evaluate_open(double *ydot, lashi_workspace *w, double t, const double *y) {
    return evaluate_open(ydot, w, t, y, w->system->width);
}

/* All stages; width: 3 in the plane, 6 in space. */
__attribute__((always_inline)) static inline int evaluate(double *ydot, lashi_workspace *w, double t,
                                                          const double *y, int width) {
    const lash_system *system = w->system;
    if (w->quiet_count > 0 ? lashi_quiet_solve(ydot, w, t, y) : evaluate_open(ydot, w, t, y, width))
        return 1;
    if (w->linked)
        lashi_following_finish(w, ydot);
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
    // 5 ẏ
    const double *acceleration = w->acceleration[0], *v = y + system->v_at;
    const int *freedom = system->freedom;
    double *vdot = ydot + system->v_at;
    if (width > LASHI_PLANE)
        advance_in_space(ydot, w, y);
    for (int i = 0, n = system->n_v; i < n; i++) {
        vdot[i] = acceleration[freedom[i]];
        if (width == LASHI_PLANE)
            ydot[i] = v[i];
    }
    ydot[system->work_at + LASHI_WORK_INPUT] = w->ledger.input;
    ydot[system->work_at + LASHI_WORK_DISSIPATION] = w->ledger.dissipation;
    return 0;
}

int lashi_evaluate(double *ydot, void *context, double t, const double *y) {
    lashi_workspace *w = context;
    if (w->code && !w->code(ydot, w, t, y))
        return 0;
    return w->system->spatial ? evaluate(ydot, w, t, y, LASHI_FREEDOMS)
                              : evaluate(ydot, w, t, y, LASHI_PLANE);
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
