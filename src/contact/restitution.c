/* SPDX-License-Identifier: MIT
 *
 * What a damping factor really gives: restitution of a free two-body impact under F = f(delta)(1 + h
 * deltadot/v).
 *
 * Free impact of an effective mass m at speed v, with w = deltadot/v: m v^2 w dw = -f(delta)(1 + h w) d
 * delta, hence over loading (w from 1 to 0) and unloading (0 to -e), between the same two indentations,
 *
 *     int_0^1 w/(1 + h w) dw = int_0^e w/(1 - h w) dw.
 *
 * f, m and v have gone: e depends on h alone. Both sides are p(h)/h^2 and p(-h e)/h^2 with p(x) = x - ln(1 +
 * x), so
 *
 *     p(h) = p(-h e),   which is   h(1 + e) = ln((1 + h)/(1 - h e)).
 *
 * 1 - h e > 0 at the solution: the force factor stays positive, a free impact never meets the no-pull limit.
 * For solving, 1 - h e = exp(-y), so that no argument of a logarithm is ever near its pole: p(-h e) = y - 1 +
 * exp(-y), and e = (1 - exp(-y))/h. Roots are taken of both sides, which then are linear in h and y near 0; p
 * and y - 1 + exp(-y) lose digits to cancellation there and are summed as series. Good to rounding from h = 0
 * to h = 1e300. Limits: e -> 1 - 2h/3 for small h, e -> 1/h for large h.
 */
#include "contact/restitution.h"

#include <math.h>

#include "math/root.h"

/* Below this |x| the series is used: above, cancellation costs little more than one digit. */
static const double series_below = 0.125;
static const double large = 100;
enum { series_terms = 24 }; /* 0.125^24 is far below rounding */

/* sqrt(2(x - ln(1 + x))) for x >= 0: x sqrt(1 - 2x/3 + 2x^2/4 - …). */
static double loading_root(double x) {
    if (x > series_below)
        return sqrt(2 * (x - log1p(x)));
    double sum = 0;
    for (int k = series_terms; k >= 0; k--)
        sum = 2.0 / (k + 2) - x * sum;
    return x * sqrt(sum);
}

/* sqrt(2(y - 1 + exp(-y))) for y >= 0: y sqrt(1 - y/3 + y^2/12 - …). */
static double unloading_root(double y) {
    if (y > series_below)
        return sqrt(2 * (y + expm1(-y)));
    double sum = 1;
    for (int k = series_terms; k >= 3; k--)
        sum = 1 - y / k * sum;
    return y * sqrt(sum);
}

static double unloading_defect(void *context, double y) {
    const double *target = context;
    return unloading_root(y) - *target;
}

double lashi_restitution_of(double h) {
    if (!(h > 0))
        return 1;
    if (h > large)
        return 1 / h; /* exp(-y) < exp(-large/2) is below rounding */
    /* y - 1 + exp(-y) = p lies below y and above y - 1, hence p <= y <= p + 1; one more keeps the sign sure.
     */
    double target = loading_root(h);
    double p = 0.5 * target * target;
    double low = p, high = p + 2;
    double low_value = unloading_defect(&target, low), high_value = unloading_defect(&target, high);
    double y = lashi_root(unloading_defect, &target, low, low_value, high, high_value, 0);
    double e = -expm1(-y) / h;
    return e < 1 ? e : 1;
}

static double restitution_defect(void *context, double h) {
    const double *e = context;
    return lashi_restitution_of(h) - *e;
}

double lashi_restitution_damping(double e) {
    if (!(e < 1))
        return 0;
    /* e(h) falls from 1 at h = 0 and lies below 1/h. */
    double high = 1 / e;
    double high_value = restitution_defect(&e, high);
    if (high_value >= 0)
        return high; /* e is so small that e = 1/h to rounding */
    return lashi_root(restitution_defect, &e, 0, 1 - e, high, high_value, 0);
}
