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
 *
 * Bounded: F = f(delta)(1 + h x), x = deltadot/v_e, v_e^2 = deltadot^2 + 2U/m. With E = m v_e^2/2 the energy
 * in the contact, U = E (1 - x^2), dU = f d delta and dE = -h x dU, hence
 *
 *     d ln E/dx = 2 h x^2/D,   D = 1 + h x (1 - x^2),      x from 1 at the touch down to -1 at the release.
 *
 * Again f, m and the speed have gone. From x = -1/h on, for h > 1, the force is 0: the speed stays as it is
 * there, so that e^2 = x^2 E/E_0 at that point. As 3 h x^2 = h - dD/dx, with D = 1 at both ends and 1/h^2 at
 * x = -1/h,
 *
 *     -ln e = (ln max(h, 1) + integral of h/D over x from -min(1, 1/h) to 1)/3.
 *
 * D > 0 throughout. For large h it is small within 1/h^3 of the lower end and within 1/h of the upper one;
 * with x = end +- width (exp(s) - 1) the integrand is smooth on the scale 1 in s, and Gauss's rule in pieces
 * of a half good to rounding. Written with the distance from the end D has no cancellation.
 */
#include "contact/restitution.h"

#include <math.h>
#include <stdbool.h>

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

/* ---- bounded ---- */

/* Beyond this h, e = h^(-3/2) to rounding. */
static const double limit_from = 1e30;
static const double middle = 0.5; /* where the two ends of the integral meet */

typedef struct bounded_end {
    double h;
    double from;  /* -1, or -1/h where the force is cut; the upper end is 1 */
    double width; /* of the region at this end in which D changes */
    bool upper;
} bounded_end;

/* h/D dx/ds at x = from + width (exp(s) - 1), or 1 - width (exp(s) - 1). */
static double bounded_integrand(const bounded_end *end, double s) {
    const double h = end->h, distance = end->width * expm1(s);
    double D;
    if (end->upper) {
        const double x = 1 - distance;
        D = 1 + h * x * distance * (1 + x);
    } else {
        const double x = end->from + distance;
        D = (h < 1 ? 1 - h : 0) + h * (distance - x * x * x); // 1 + h from is 0 where the force is cut
    }
    return h / D * end->width * exp(s);
}

static double bounded_integral(const bounded_end *end) {
    static const double at[5] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                 0.8650633666889845, 0.9739065285171717};
    static const double weight[5] = {0.2955242247147529, 0.2692667193099964, 0.2190863625159820,
                                     0.1494513491505806, 0.0666713443086881};
    const double length = end->upper ? 1 - middle : middle - end->from;
    const double range = log1p(length / end->width);
    const int pieces = 4 + 2 * (int)range;
    double sum = 0;
    for (int piece = 0; piece < pieces; piece++)
        for (int k = 0; k < 5; k++)
            for (int side = -1; side <= 1; side += 2) {
                const double s = range * (piece + 0.5 + 0.5 * side * at[k]) / pieces;
                sum += weight[k] * bounded_integrand(end, s);
            }
    return 0.5 * range / pieces * sum;
}

/* -ln e. */
static double bounded_loss(double h) {
    if (h > limit_from)
        return 1.5 * log(h);
    const double cut = h > 1 ? h : 1;
    const bounded_end lower = {h, -1 / cut, 1 / (cut * cut * cut), false}, upper = {h, 0, 0.5 / cut, true};
    return (log(cut) + bounded_integral(&lower) + bounded_integral(&upper)) / 3;
}

double lashi_restitution_of_bounded(double h) {
    return h > 0 ? exp(-bounded_loss(h)) : 1;
}

static double bounded_defect(void *context, double h) {
    const double *loss = context;
    return bounded_loss(h) - *loss;
}

double lashi_restitution_damping_bounded(double e) {
    if (!(e < 1))
        return 0;
    double loss = -log(e), high = 1;
    while (bounded_defect(&loss, high) < 0)
        high *= 8;
    return lashi_root(bounded_defect, &loss, 0, -loss, high, bounded_defect(&loss, high), 0);
}

/* m δ̈ + c δ̇ + k δ = 0 from δ = 0 with v; it is left where the force, and so δ̈, is zero. With β = c/2m and
 * ω² = k/m − β² that is at ω t = atan2(2βω, β² − ω²), with the speed v exp(−βt) (T. Schwager, T. Pöschel,
 * Granular Matter 9 (2007) 465). Beyond critical damping ω is imaginary. */
double lashi_restitution_viscous(double k, double c, double m) {
    const double beta = c / (2 * m), square = k / m - beta * beta, w = sqrt(fabs(square));
    if (!(w > 1e-9 * beta)) // critical: both forms tend to it
        return exp(-2.0);
    const double wt = square > 0 ? atan2(2 * beta * w, beta * beta - w * w) : log((beta + w) / (beta - w));
    return exp(-beta / w * wt);
}
