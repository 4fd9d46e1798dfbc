/* SPDX-License-Identifier: MIT
 *
 * Projection onto the constraints.
 *
 * Positions and velocities (Lubich 1991, Eich 1993): Newton's method on Φ(q, t) = 0 and Φq v + Φt = 0 with
 * the least change in the metric of M, hence with the same matrix S as the dynamics:
 *   Δq = −M⁻¹ Φqᵀ S⁻¹ Φ,  Δv = −M⁻¹ Φqᵀ S⁻¹ (Φq v + Φt).
 *
 * A difference (w_q, w_v) to a motion nearby, likewise: Φq w_q = 0 and Φq w_v + (∂/∂q)(Φq v + Φt) w_q = 0.
 * The derivative in the second is a difference of Φ̇ at q ± ε w_q.
 */
#include "dynamics/evaluate.h"

#include <math.h>
#include <string.h>

int lashi_project(double *y, lashi_workspace *w, double t, double enough) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    if (set->rows == 0)
        return 0;
    double(*step)[LASHI_FREEDOMS] = w->acceleration, *moves = w->acceleration[0]; // by freedom
    double *x = w->lambda;
    const double(*inverse)[LASHI_FREEDOMS] = (const double(*)[LASHI_FREEDOMS])system->inverse_free;
    double before = INFINITY;
    w->present = false;
    lashi_following_switch(w);
    for (int k = 0;; k++) {
        lashi_frames_at(w->frames, NULL, system, t, y);
        lashi_constraints_evaluate(&w->constraints, set, w->frames, t);
        double worst = 0;
        for (int i = 0; i < set->rows; i++)
            worst = fmax(worst, fabs(w->constraints.Phi[i]));
        if (!isfinite(worst))
            return 1;
        if (lashi_constraints_factor(&w->constraints, set, inverse, 0) >= 0)
            return 1;
        if (lashi_projection_ends(worst, before, enough * system->length, k))
            break;
        before = worst;
        memcpy(x, w->constraints.Phi, (size_t)set->rows * sizeof(double));
        lashi_constraints_solve(x, &w->constraints, set);
        memset(step, 0, (size_t)system->bodies * sizeof *step);
        lashi_constraints_subtract(step, &w->constraints, set, x);
        lashi_constraints_yield(step, set, w->frames, inverse);
        lashi_shift_state(y, system, (const double(*)[LASHI_FREEDOMS])step, 1);
    }
    // Φ̇ and the factor are those of the positions found.
    memcpy(x, w->constraints.Phi_dot, (size_t)set->rows * sizeof(double));
    lashi_constraints_solve(x, &w->constraints, set);
    memset(step, 0, (size_t)system->bodies * sizeof *step);
    lashi_constraints_subtract(step, &w->constraints, set, x);
    lashi_constraints_yield(step, set, w->frames, inverse);
    for (int i = 0; i < system->n_v; i++)
        y[system->v_at + i] += moves[system->freedom[i]];
    return 0;
}

/* Positions or velocities of w as velocities of the bodies; in space Euler parameters become a turn. */
static void spread(double (*out)[LASHI_FREEDOMS], const lash_system *system, const lashi_frame *frames,
                   const double *w, const double *y, bool positions) {
    double *velocities = out[0]; // by freedom
    memset(out, 0, (size_t)system->bodies * sizeof *out);
    for (int i = 0; (!positions || !system->spatial) && i < system->n_v; i++)
        velocities[system->freedom[i]] = w[(positions ? 0 : system->v_at) + i];
    for (int b = 1; positions && system->spatial && b < system->bodies; b++) {
        if (!lashi_turns_freely(system, b)) {
            if (system->moves[b])
                velocities[system->freedom[system->u_at[b]]] = w[system->q_at[b]] / system->q_rate[b];
            continue;
        }
        const double *p = y + system->q_at[b] + 3, *d = w + system->q_at[b] + 3;
        const double two = 2 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
        memcpy(out[b], d - 3, 3 * sizeof *d);
        out[b][3] = two * (p[0] * d[1] - p[1] * d[0] + p[3] * d[2] - p[2] * d[3]);
        out[b][4] = two * (p[0] * d[2] - p[2] * d[0] + p[1] * d[3] - p[3] * d[1]);
        out[b][5] = two * (p[0] * d[3] - p[3] * d[0] + p[2] * d[1] - p[1] * d[2]);
    }
    for (int k = 0; k < system->pin_count; k++) {
        const lashi_pinned *pin = &system->pins[k];
        const double u = out[pin->body][pin->way];
        lashi_pin_unit(out[pin->body], pin, &frames[pin->body]);
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            out[pin->body][i] *= u;
    }
}

/* The change of velocities of least M-norm that removes Φq v = x; overwrites x. */
static double *take_away(double *x, lashi_workspace *w) {
    const lash_system *system = w->system;
    double(*step)[LASHI_FREEDOMS] = w->acceleration, *moves = w->acceleration[0];
    lashi_constraints_solve(x, &w->constraints, &system->motion);
    memset(step, 0, (size_t)system->bodies * sizeof *step);
    lashi_constraints_subtract(step, &w->constraints, &system->motion, x);
    lashi_constraints_yield(step, &system->motion, w->frames,
                            (const double(*)[LASHI_FREEDOMS])system->inverse_free);
    return moves;
}

/* Φq and S at (t, y). 0, or 1 when S is singular. */
static int prepare(lashi_workspace *w, double t, const double *y) {
    lashi_frames_at(w->frames, NULL, w->system, t, y);
    lashi_constraints_evaluate(&w->constraints, &w->system->motion, w->frames, t);
    return lashi_constraints_factor(&w->constraints, &w->system->motion,
                                    (const double(*)[LASHI_FREEDOMS])w->system->inverse_free, 0) >= 0;
}

/* Removes from a difference what only changes the length of Euler parameters, which has no meaning. */
static void keep_length(double *difference, const lash_system *system, const double *y) {
    for (int b = 1; b < system->bodies; b++) {
        if (!lashi_turns_freely(system, b))
            continue;
        const double *p = y + system->q_at[b] + 3;
        double *d = difference + system->q_at[b] + 3, along = 0, square = 0;
        for (int k = 0; k < 4; k++) {
            along += p[k] * d[k];
            square += p[k] * p[k];
        }
        for (int k = 0; k < 4; k++)
            d[k] -= along / square * p[k];
    }
}

/* x = (∂/∂q)(Φq v + Φt) w_q. */
static void bend(double *x, lashi_workspace *w, double t, const double *y, const double *difference,
                 double *beside, double epsilon) {
    const lash_system *system = w->system;
    memset(x, 0, (size_t)system->motion.rows * sizeof *x);
    for (int side = -1; side <= 1; side += 2) {
        memcpy(beside, y, (size_t)system->n_y * sizeof *y);
        for (int i = 0; i < system->n_q; i++)
            beside[i] += side * epsilon * difference[i];
        lashi_frames_at(w->frames, NULL, system, t, beside);
        lashi_constraints_evaluate(&w->constraints, &system->motion, w->frames, t);
        for (int i = 0; i < system->motion.rows; i++)
            x[i] += side * w->constraints.Phi_dot[i] / (2 * epsilon);
    }
}

int lashi_project_difference(double *difference, lashi_workspace *w, double t, const double *y,
                             double *beside, double epsilon) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    double *x = w->lambda;
    w->present = false;
    if (system->spatial)
        keep_length(difference, system, y);
    if (set->rows == 0)
        return 0;
    lashi_following_switch(w);
    // Positions.
    if (prepare(w, t, y))
        return 1;
    memset(x, 0, (size_t)set->rows * sizeof *x);
    spread(w->scratch, system, w->frames, difference, y, true);
    lashi_constraints_multiply(x, &w->constraints, set, (const double(*)[LASHI_FREEDOMS])w->scratch);
    const double *step = take_away(x, w);
    for (int i = 0; !system->spatial && i < system->n_q; i++)
        difference[i] += step[system->freedom[i]];
    for (int b = 1; system->spatial && b < system->bodies; b++) {
        double turn[4], *d = difference + system->q_at[b];
        if (!lashi_turns_freely(system, b)) {
            if (system->moves[b])
                d[0] += system->q_rate[b] * step[system->freedom[system->u_at[b]]];
            continue;
        }
        lashi_orientation_rate(turn, y + system->q_at[b] + 3, lashi_vec3_of(step + LASHI_FREEDOMS * b + 3));
        for (int k = 0; k < 3; k++)
            d[k] += step[LASHI_FREEDOMS * b + k];
        for (int k = 0; k < 4; k++)
            d[3 + k] += turn[k];
    }
    // Velocities.
    bend(x, w, t, y, difference, beside, epsilon);
    if (prepare(w, t, y))
        return 1;
    spread(w->scratch, system, w->frames, difference, y, false);
    lashi_constraints_multiply(x, &w->constraints, set, (const double(*)[LASHI_FREEDOMS])w->scratch);
    step = take_away(x, w);
    for (int i = 0; i < system->n_v; i++)
        difference[system->v_at + i] += step[system->freedom[i]];
    return 0;
}
