/* SPDX-License-Identifier: MIT
 *
 * Projection onto the constraints.
 *
 * Projection (Lubich 1991, Eich 1993): Newton on Φ(q, t) = 0 and Φq v + Φt = 0 with the least change in the
 * metric of M, so with the same matrix S as the dynamics:  Δq = −M⁻¹ Φqᵀ S⁻¹ Φ,  Δv = −M⁻¹ Φqᵀ S⁻¹ (Φq v +
 * Φt).
 */
#include "dynamics/evaluate.h"

#include <math.h>
#include <string.h>

static const double POSITION_ENOUGH = 1e-14; /* of the mechanism's size */
enum { PROJECTION_ITERATIONS = 8 };

int lashi_project(double *y, lashi_workspace *w, double t) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    if (set->rows == 0)
        return 0;
    double(*step)[LASHI_FREEDOMS] = w->acceleration, *moves = w->acceleration[0]; // by freedom
    double *x = w->lambda;
    const double(*inverse)[LASHI_FREEDOMS] = (const double(*)[LASHI_FREEDOMS])system->inverse_free;
    const double *mobility = system->inverse_free[0];
    const int *freedom = system->freedom;
    double before = INFINITY;
    w->present = false;
    lashi_touch_switch(w);
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
        // Rounding ends the iteration: the residual no longer falls.
        if (worst <= POSITION_ENOUGH * system->length || worst >= 0.5 * before || k == PROJECTION_ITERATIONS)
            break;
        before = worst;
        memcpy(x, w->constraints.Phi, (size_t)set->rows * sizeof(double));
        lashi_constraints_solve(x, &w->constraints, set);
        memset(step, 0, (size_t)system->bodies * sizeof *step);
        lashi_constraints_subtract(step, &w->constraints, set, x);
        if (system->spatial) {
            for (int i = 0; i < system->n_v; i++)
                moves[freedom[i]] *= mobility[freedom[i]];
            lashi_shift(y, system, (const double(*)[LASHI_FREEDOMS])step, 1);
        } else {
            for (int i = 0; i < system->n_q; i++)
                y[i] += mobility[freedom[i]] * moves[freedom[i]];
        }
    }
    // Φ̇ belongs to the positions before the last correction, which was too small to matter to it.
    memcpy(x, w->constraints.Phi_dot, (size_t)set->rows * sizeof(double));
    lashi_constraints_solve(x, &w->constraints, set);
    memset(step, 0, (size_t)system->bodies * sizeof *step);
    lashi_constraints_subtract(step, &w->constraints, set, x);
    for (int i = 0; i < system->n_v; i++)
        y[system->v_at + i] += mobility[freedom[i]] * moves[freedom[i]];
    return 0;
}
