/* SPDX-License-Identifier: MIT
 *
 * The widths of the hybrid, and its elastic energy: within the transition U_h = (1/e0) integral s F_el(s) ds,
 * by parts (delta U(delta) - integral U)/e0; for a power law K delta^(n+2)/((n+2) e0), for the others Gauss's
 * rule on the smooth U.
 */
#include "contact/hybrid.h"

#include "base/error.h"

lash_status lashi_hybrid_compile(lashi_hybrid *out, double e0, double e1, double clearance,
                                 lash_error *error) {
    *out = (lashi_hybrid){0};
    if (!(e0 > 0) || !isfinite(e0))
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "e0 is %g m: the width of the transition from film to dry contact must be positive",
                          e0);
    if (!(e1 > e0) || !isfinite(e1))
        return lashi_fail(
            error, LASH_ERROR_MODEL,
            "e1 = %g m must be larger than e0 = %g m: the film of the clearance c + e1 would close "
            "inside the transition",
            e1, e0);
    if (e0 > clearance)
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "e0 = %g m is larger than the clearance of %g m: the transition is a thin layer",
                          e0, clearance);
    *out = (lashi_hybrid){.e0 = e0, .e1 = e1};
    return LASH_OK;
}

/* Gauss's rule: places within 0 and 1, and weights. */
static const double gauss_at[5] = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                                   0.95308992296933200};
static const double gauss_weight[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                       0.23931433524968324, 0.11846344252809454};

/* integral_0^delta U: U of a cylinder law grows like delta^2/ln, so the rule is taken in s = sqrt of the
 * place. */
static double integral_of_energy(const lashi_normal *law, double delta) {
    enum { PIECES = 4 };
    double sum = 0;
    for (int piece = 0; piece < PIECES; piece++)
        for (int k = 0; k < 5; k++) {
            double s = (piece + gauss_at[k]) / PIECES;
            sum += gauss_weight[k] / PIECES * 2 * s * lashi_normal_energy(law, s * s * delta);
        }
    return sum * delta;
}

double lashi_hybrid_energy(const lashi_hybrid *hybrid, const lashi_normal *law, double delta) {
    if (!(delta > 0))
        return 0;
    double inside = fmin(delta, hybrid->e0), U = lashi_normal_energy(law, inside), U_h;
    if (law->family == LASHI_NORMAL_CYLINDER)
        U_h = (inside * U - integral_of_energy(law, inside)) / hybrid->e0;
    else // U = K delta^(n+1)/(n+1)
        U_h = U * inside * (law->p->exponent + 1) / ((law->p->exponent + 2) * hybrid->e0);
    return delta > hybrid->e0 ? U_h + lashi_normal_energy(law, delta) - U : U_h;
}
