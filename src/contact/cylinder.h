/* SPDX-License-Identifier: MIT
 *
 * Journal in a bearing of length L as cylinders: the implicit laws, solved in closed form.
 *
 * All four published laws read   delta = a F (ln(b/F) + s)   with constants a (m/N), b (N) and s = +1 or -1.
 * The slope d delta/dF = a (ln(b/F) + s - 1) falls to zero at the force F_e = b exp(s - 1), at delta_e = a
 * F_e: there the law ends, its stiffness infinite. In units of that point, x = F/F_e and y = delta/delta_e,
 * all are the same:
 *
 *     y = x (1 - ln x),   0 < x <= 1.
 *
 * With w = -ln x >= 0 this is  x = y/(1 + w),  w - ln(1 + w) = -ln y = t  (1 + w = -W_{-1}(-y/e), Lambert's
 * function). Barry's first approximation without its small terms starts within 1 %, and two steps of Halley's
 * third-order iteration on g(w) = w - ln(1 + w) - t reach rounding for every y; near the end of the range (w
 * -> 0, a double root) a series in p = sqrt(2t) takes over. No table, no tolerance, as smooth as the law.
 *
 *     energy     U = F_e delta_e x^2 (2w + 1)/4          (by parts, from the integral of y over x)
 *     stiffness  dF/d delta = F_e/delta_e / w
 *
 * Beyond delta_e the force stays at F_e, so that a trial stage of the integrator gets a finite number; the
 * loop has to end the run there (lashi_normal.delta_limit). Reference: D. A. Barry et al., Analytical
 * approximations for real values of the Lambert W-function, Math. Comput. Simul. 53 (2000) 95-103.
 */
#ifndef LASHI_CYLINDER_H
#define LASHI_CYLINDER_H

#include <math.h>

typedef struct lashi_cylinder_law {
    double force_limit; /* N, F_e */
    double delta_limit; /* m, delta_e */
} lashi_cylinder_law;

/* From the constants of delta = a F (ln(b/F) + s). */
static inline lashi_cylinder_law lashi_cylinder_from(double a, double b, double s) {
    lashi_cylinder_law law;
    law.force_limit = b * exp(s - 1);
    law.delta_limit = a * law.force_limit;
    return law;
}

/* w >= 0 with w - ln(1 + w) = -ln y, for 0 < y <= 1. */
static inline double lashi_cylinder_w(double y) {
    const double series_below = 1e-6; /* of t; the first neglected term p^5/4320 is then below rounding */
    const double barry = 0.3361;
    double t = -log(y), p = sqrt(2 * t);
    if (t < series_below)
        return p * (1 + p * (1.0 / 3 + p * (1.0 / 36 - p / 270)));
    double w = t + 2 / barry * (1 - 1 / (1 + 0.5 * barry * p));
    for (int i = 0; i < 2; i++) {
        double u = 1 + w, slope = w / u, g = w - log1p(w) - t;
        w -= 2 * g * slope / (2 * slope * slope - g / (u * u));
    }
    return w;
}

/* F(delta), delta > 0. */
static inline double lashi_cylinder_force(const lashi_cylinder_law *law, double delta) {
    double y = delta / law->delta_limit;
    return y < 1 ? law->force_limit * (y / (1 + lashi_cylinder_w(y))) : law->force_limit;
}

#endif
