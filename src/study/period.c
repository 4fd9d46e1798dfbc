/* SPDX-License-Identifier: MIT
 *
 * Period of a sequence of section points: the smallest n after which everything repeats.
 *
 * Notation: x_i, i = 0 … N−1, points with several channels, s_c the scale of channel c. The residue of n is
 *
 *     r(n) = max_i max_c |x_{i+n,c} − x_{i,c}| / s_c,       i = 0 … N−1−n,
 *
 * and the period the smallest n with r(n) <= tolerance. The maximum over the whole sequence is taken, not a
 * mean: one point that does not come back is one too many, whether it is a burst or a transient that has not
 * died out.
 *
 * Limits. Every candidate must be seen at least three times over, n <= N/3. Scales must be lengths of the
 * motion, not of its section: the points of a period-1 motion differ by rounding alone, and so does their
 * range. A quasi-periodic motion comes back within any tolerance if one waits long enough (Dirichlet: within
 * 1/n of the circle after some n steps at most); with a tolerance of 1e-3 and n <= 64 it is taken for
 * periodic only by a winding number that is rational to about 1e-3/n.
 */
#include "study/nonlinear.h"

/* r(n), or a value above `enough` as soon as it is known to be. */
static double residue_of(size_t n, const double *points, size_t count, size_t width, const double *scales,
                         double enough) {
    double worst = 0;
    for (size_t i = 0; i + n < count && !(worst > enough); i++)
        for (size_t c = 0; c < width; c++) {
            const double change = fabs(points[(i + n) * width + c] - points[i * width + c]);
            const double r = scales ? change / scales[c] : change;
            if (!(r <= worst)) // not a number counts as a difference
                worst = isnan(r) ? INFINITY : r;
        }
    return worst;
}

size_t lashi_period(double *residue, const double *points, size_t count, size_t width, const double *scales,
                    double tolerance, size_t most) {
    double best = INFINITY;
    size_t found = 0;
    for (size_t n = 1; !found && n <= most && n <= count / 3; n++) {
        const double r = residue_of(n, points, count, width, scales, best);
        if (r < best)
            best = r;
        if (r <= tolerance)
            found = n;
    }
    if (residue)
        *residue = best;
    return found;
}
