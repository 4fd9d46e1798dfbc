/* SPDX-License-Identifier: MIT
 *
 * What happens around an evaluation: projection onto the constraints, and reactions of redundant constraints.
 *
 * Projection (Lubich 1991, Eich 1993): Newton on Φ(q, t) = 0 and Φq v + Φt = 0 with the least change in the
 * metric of M, so with the same matrix S as the dynamics:  Δq = −M⁻¹ Φqᵀ S⁻¹ Φ,  Δv = −M⁻¹ Φqᵀ S⁻¹ (Φq v +
 * Φt).
 *
 * Minimum norm: let row k be dropped, J_k = Σ c_i J_i over the kept rows. Then n_k = (c, −1) satisfies Φqᵀ
 * n_k = 0, and the reactions λ + Σ a_k n_k act alike on the bodies for all a. c solves S c = Φq M⁻¹ J_kᵀ. The
 * a with the least |D λ|², D = 1 for forces and 1/ℓ for moments, solves the normal equations of the n_k; few,
 * so by Gram–Schmidt: each n_k is made orthogonal to the earlier ones and its share is taken out of λ.
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
        for (int i = 0; i < system->n_q; i++)
            y[i] += mobility[freedom[i]] * moves[freedom[i]];
    }
    // Φ̇ belongs to the positions before the last correction, which was too small to matter to it.
    memcpy(x, w->constraints.Phi_dot, (size_t)set->rows * sizeof(double));
    lashi_constraints_solve(x, &w->constraints, set);
    memset(step, 0, (size_t)system->bodies * sizeof *step);
    lashi_constraints_subtract(step, &w->constraints, set, x);
    for (int i = 0; i < system->n_q; i++)
        y[system->v_at + i] += mobility[freedom[i]] * moves[freedom[i]];
    return 0;
}

/* Weight of a row in the norm of reactions: forces 1, moments 1/ℓ². */
static double row_weight(const lash_system *system, const lashi_constraint *item, int row) {
    return lashi_row_is_moment(item, row) ? 1 / (system->length * system->length) : 1;
}

static double weighted_dot(const lash_system *system, const double *a, const double *b) {
    double sum = 0;
    for (int c = 0; c < system->motion.count; c++) {
        const lashi_constraint *item = &system->motion.items[c];
        for (int r = 0; r < item->rows; r++)
            sum += row_weight(system, item, r) * a[item->first_row + r] * b[item->first_row + r];
    }
    return sum;
}

void lashi_minimum_norm(double *lambda, lashi_workspace *w, double t) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    const size_t rows = (size_t)set->rows;
    memcpy(lambda, w->lambda, rows * sizeof(double));
    // W of the dropped rows was cut: take their J from a fresh evaluation, after n_k is begun from it.
    for (int d = 0; d < set->dropped_count; d++) {
        const lashi_dropped *drop = &set->dropped[d];
        const lashi_constraint *item = &set->items[drop->constraint];
        double *n = w->null_vectors + (size_t)d * rows;
        lashi_constraints_evaluate(&w->constraints, set, w->frames, t);
        memset(w->scratch, 0, (size_t)system->bodies * sizeof *w->scratch);
        for (int slot = 0; slot < LASHI_SLOTS; slot++)
            for (int k = 0; k < LASHI_FREEDOMS; k++)
                w->scratch[item->body[slot]][k] +=
                    system->inverse_free[item->body[slot]][k] *
                    w->constraints.J[item->jacobian + (slot * LASHI_FREEDOMS + k) * item->rows +
                                     drop->row_in_constraint];
        memset(n, 0, rows * sizeof(double));
        lashi_constraints_multiply(n, &w->constraints, set, (const double(*)[3])w->scratch);
        lashi_constraints_solve(n, &w->constraints, set); // zero in dropped rows
        n[drop->row] = -1;
        for (int e = 0; e < d; e++) {
            const double *earlier = w->null_vectors + (size_t)e * rows;
            const double share = weighted_dot(system, n, earlier) / weighted_dot(system, earlier, earlier);
            for (size_t i = 0; i < rows; i++)
                n[i] -= share * earlier[i];
        }
        const double share = weighted_dot(system, lambda, n) / weighted_dot(system, n, n);
        for (size_t i = 0; i < rows; i++)
            lambda[i] -= share * n[i];
    }
}
