/* SPDX-License-Identifier: MIT
 *
 * Bounds: see bounds.h for the rule. Functions that end somewhere (sqrt, log, asin) are taken over the part
 * on which they exist; if there is none, or at a pole, the bounds are infinite.
 */
#include "math/bounds.h"

#include <float.h>
#include <math.h>

static const double PI = 3.14159265358979323846;
/* Error of one operation or library function, in units of rounding. */
static const double OUTWARD = 4 * DBL_EPSILON;
static const lashi_bounds ALL = {-INFINITY, INFINITY};

/* ---- bounds of numbers ---- */

static lashi_bounds outward(double low, double high) {
    if (isnan(low) || isnan(high))
        return ALL;
    low = fmin(low, DBL_MAX); // an overflow is only beyond all numbers
    high = fmax(high, -DBL_MAX);
    return (lashi_bounds){low - OUTWARD * fabs(low), high + OUTWARD * fabs(high)};
}

/* Of a function that rises, or falls. */
static lashi_bounds between(double a, double b) {
    return a <= b ? outward(a, b) : outward(b, a);
}

static lashi_bounds add(lashi_bounds a, lashi_bounds b) {
    return outward(a.low + b.low, a.high + b.high);
}

static lashi_bounds negate(lashi_bounds a) {
    return (lashi_bounds){-a.high, -a.low};
}

/* 0 times infinity is 0: a factor that is exactly zero wins (jet.h). */
static double times(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static lashi_bounds multiply(lashi_bounds a, lashi_bounds b) {
    const double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low),
                 s = times(a.high, b.high);
    return outward(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static lashi_bounds scale(double factor, lashi_bounds a) {
    return multiply((lashi_bounds){factor, factor}, a);
}

/* Smallest and largest |x|. */
static lashi_bounds size(lashi_bounds a) {
    const double low = fabs(a.low), high = fabs(a.high);
    return (lashi_bounds){lashi_bounds_excludes_zero(a) ? fmin(low, high) : 0, fmax(low, high)};
}

static lashi_bounds square(lashi_bounds a) {
    const lashi_bounds x = size(a);
    return outward(x.low * x.low, x.high * x.high);
}

/* 1/x; x >= 0 may begin at 0. */
static lashi_bounds inverse(lashi_bounds a) {
    if (a.low > 0 || a.high < 0)
        return outward(1 / a.high, 1 / a.low);
    if (a.low == 0 && a.high > 0)
        return outward(1 / a.high, INFINITY);
    return ALL;
}

/* The part of a between two ends; false: none. */
static bool within(lashi_bounds *a, double low, double high) {
    a->low = fmax(a->low, low);
    a->high = fmin(a->high, high);
    return a->low <= a->high;
}

static lashi_bounds root(lashi_bounds a) {
    return outward(sqrt(fmax(a.low, 0)), sqrt(fmax(a.high, 0)));
}

/* ---- with derivatives ---- */

static const lashi_bounds_jet UNKNOWN = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}, {-INFINITY, INFINITY}};

/* g of a, given the bounds of g, g_x and g_xx. */
static lashi_bounds_jet chain(lashi_bounds_jet a, lashi_bounds g, lashi_bounds g_x, lashi_bounds g_xx) {
    return (lashi_bounds_jet){g, multiply(g_x, a.df),
                              add(multiply(g_x, a.ddf), multiply(g_xx, square(a.df)))};
}

lashi_bounds_jet lashi_bounds_constant(double value) {
    return (lashi_bounds_jet){{value, value}, {0, 0}, {0, 0}};
}

lashi_bounds_jet lashi_bounds_time(double low, double high) {
    return (lashi_bounds_jet){{low, high}, {1, 1}, {0, 0}};
}

lashi_bounds_jet lashi_bounds_negate(lashi_bounds_jet a) {
    return (lashi_bounds_jet){negate(a.f), negate(a.df), negate(a.ddf)};
}

lashi_bounds_jet lashi_bounds_add(lashi_bounds_jet a, lashi_bounds_jet b) {
    return (lashi_bounds_jet){add(a.f, b.f), add(a.df, b.df), add(a.ddf, b.ddf)};
}

lashi_bounds_jet lashi_bounds_subtract(lashi_bounds_jet a, lashi_bounds_jet b) {
    return lashi_bounds_add(a, lashi_bounds_negate(b));
}

lashi_bounds_jet lashi_bounds_multiply(lashi_bounds_jet a, lashi_bounds_jet b) {
    return (lashi_bounds_jet){
        multiply(a.f, b.f), add(multiply(a.df, b.f), multiply(a.f, b.df)),
        add(add(multiply(a.ddf, b.f), scale(2, multiply(a.df, b.df))), multiply(a.f, b.ddf))};
}

lashi_bounds_jet lashi_bounds_divide(lashi_bounds_jet a, lashi_bounds_jet b) {
    if (!lashi_bounds_excludes_zero(b.f))
        return UNKNOWN;
    const lashi_bounds per = inverse(b.f), q = multiply(a.f, per),
                       dq = multiply(add(a.df, negate(multiply(q, b.df))), per),
                       rest = add(scale(2, multiply(dq, b.df)), multiply(q, b.ddf));
    return (lashi_bounds_jet){q, dq, multiply(add(a.ddf, negate(rest)), per)};
}

lashi_bounds_jet lashi_bounds_square(lashi_bounds_jet a) {
    return chain(a, square(a.f), scale(2, a.f), (lashi_bounds){2, 2});
}

/* x^n. */
static lashi_bounds raised(lashi_bounds a, double n) {
    if (n == 0)
        return (lashi_bounds){1, 1};
    if (n < 0)
        return inverse(raised(a, -n));
    if (n != rint(n) && !within(&a, 0, INFINITY))
        return ALL;
    if (fmod(n, 2) == 0)
        a = size(a);
    return between(pow(a.low, n), pow(a.high, n));
}

lashi_bounds_jet lashi_bounds_power(lashi_bounds_jet a, lashi_bounds_jet b) {
    const double n = b.f.low;
    if (b.f.high != n || b.df.low != 0 || b.df.high != 0)
        return lashi_bounds_exp(lashi_bounds_multiply(b, lashi_bounds_log(a)));
    return chain(a, raised(a.f, n), scale(n, raised(a.f, n - 1)), scale(n * (n - 1), raised(a.f, n - 2)));
}

/* Whether a point offset + k step, k a whole number, is between the bounds. */
static bool holds_one_of(lashi_bounds a, double offset, double step) {
    return ceil((a.low - offset) / step) * step + offset <= a.high;
}

static lashi_bounds sine(lashi_bounds a) {
    if (!(a.high - a.low < 2 * PI))
        return (lashi_bounds){-1, 1};
    const lashi_bounds ends = between(sin(a.low), sin(a.high));
    return (lashi_bounds){holds_one_of(a, -0.5 * PI, 2 * PI) ? -1 : fmax(-1, ends.low),
                          holds_one_of(a, 0.5 * PI, 2 * PI) ? 1 : fmin(1, ends.high)};
}

static lashi_bounds cosine(lashi_bounds a) {
    if (!(a.high - a.low < 2 * PI))
        return (lashi_bounds){-1, 1};
    const lashi_bounds ends = between(cos(a.low), cos(a.high));
    return (lashi_bounds){holds_one_of(a, PI, 2 * PI) ? -1 : fmax(-1, ends.low),
                          holds_one_of(a, 0, 2 * PI) ? 1 : fmin(1, ends.high)};
}

lashi_bounds_jet lashi_bounds_sin(lashi_bounds_jet a) {
    const lashi_bounds s = sine(a.f);
    return chain(a, s, cosine(a.f), negate(s));
}

lashi_bounds_jet lashi_bounds_cos(lashi_bounds_jet a) {
    const lashi_bounds c = cosine(a.f);
    return chain(a, c, negate(sine(a.f)), negate(c));
}

lashi_bounds_jet lashi_bounds_tan(lashi_bounds_jet a) {
    const lashi_bounds one = {1, 1};
    const double low = tan(a.f.low), high = tan(a.f.high);
    if (holds_one_of(a.f, 0.5 * PI, PI) || low > high)
        return UNKNOWN;
    const lashi_bounds g = between(low, high), g_x = add(one, square(g));
    return chain(a, g, g_x, scale(2, multiply(g, g_x)));
}

/* 1/sqrt(1 - x^2), x within -1 … 1. */
static lashi_bounds slope_of_asin(lashi_bounds x) {
    const lashi_bounds one = {1, 1};
    lashi_bounds rest = add(one, negate(square(x)));
    rest.low = fmax(rest.low, 0);
    return inverse(root(rest));
}

lashi_bounds_jet lashi_bounds_asin(lashi_bounds_jet a) {
    lashi_bounds x = a.f;
    if (!within(&x, -1, 1))
        return UNKNOWN;
    const lashi_bounds g_x = slope_of_asin(x);
    return chain(a, between(asin(x.low), asin(x.high)), g_x, multiply(x, multiply(g_x, square(g_x))));
}

lashi_bounds_jet lashi_bounds_acos(lashi_bounds_jet a) {
    return lashi_bounds_subtract(lashi_bounds_constant(0.5 * PI), lashi_bounds_asin(a));
}

lashi_bounds_jet lashi_bounds_atan(lashi_bounds_jet a) {
    const lashi_bounds one = {1, 1}, g_x = inverse(add(one, square(a.f)));
    return chain(a, between(atan(a.f.low), atan(a.f.high)), g_x, scale(-2, multiply(a.f, square(g_x))));
}

static lashi_bounds hyperbolic_cosine(lashi_bounds a) {
    const lashi_bounds x = size(a);
    return outward(cosh(x.low), cosh(x.high));
}

lashi_bounds_jet lashi_bounds_sinh(lashi_bounds_jet a) {
    const lashi_bounds g = between(sinh(a.f.low), sinh(a.f.high));
    return chain(a, g, hyperbolic_cosine(a.f), g);
}

lashi_bounds_jet lashi_bounds_cosh(lashi_bounds_jet a) {
    const lashi_bounds g = hyperbolic_cosine(a.f);
    return chain(a, g, between(sinh(a.f.low), sinh(a.f.high)), g);
}

lashi_bounds_jet lashi_bounds_tanh(lashi_bounds_jet a) {
    const lashi_bounds g = between(tanh(a.f.low), tanh(a.f.high)),
                       g_x = square(inverse(hyperbolic_cosine(a.f)));
    return chain(a, g, g_x, scale(-2, multiply(g, g_x)));
}

lashi_bounds_jet lashi_bounds_exp(lashi_bounds_jet a) {
    const lashi_bounds g = between(exp(a.f.low), exp(a.f.high));
    return chain(a, g, g, g);
}

lashi_bounds_jet lashi_bounds_log(lashi_bounds_jet a) {
    lashi_bounds x = a.f;
    if (!within(&x, 0, INFINITY))
        return UNKNOWN;
    const lashi_bounds g_x = inverse(x);
    return chain(a, between(log(x.low), log(x.high)), g_x, negate(square(g_x)));
}

lashi_bounds_jet lashi_bounds_log10(lashi_bounds_jet a) {
    return lashi_bounds_multiply(lashi_bounds_constant(1 / log(10)), lashi_bounds_log(a));
}

lashi_bounds_jet lashi_bounds_sqrt(lashi_bounds_jet a) {
    lashi_bounds x = a.f;
    if (!within(&x, 0, INFINITY))
        return UNKNOWN;
    const lashi_bounds g = root(x), per = inverse(g);
    return chain(a, g, scale(0.5, per), scale(-0.25, multiply(per, square(per))));
}

lashi_bounds_jet lashi_bounds_smoothstep(lashi_bounds_jet a) {
    const lashi_bounds one = {1, 1};
    lashi_bounds x = a.f;
    if (!within(&x, 0, 1))
        return UNKNOWN;
    const lashi_bounds rest = add(one, negate(x)), hill = multiply(x, rest);
    const double low = x.low * x.low * x.low * (10 - x.low * (15 - 6 * x.low)),
                 high = x.high * x.high * x.high * (10 - x.high * (15 - 6 * x.high));
    return chain(a, between(low, high), scale(30, square(hill)),
                 scale(60, multiply(hill, add(one, scale(-2, x)))));
}

lashi_bounds_jet lashi_bounds_hypot(lashi_bounds_jet a, lashi_bounds_jet b) {
    return lashi_bounds_sqrt(lashi_bounds_add(lashi_bounds_square(a), lashi_bounds_square(b)));
}

lashi_bounds_jet lashi_bounds_atan2(lashi_bounds_jet y, lashi_bounds_jet x, int side) {
    // Above the cut, or mirrored there; the extremes are at the corners.
    const lashi_bounds up = side < 0 ? negate(y.f) : y.f;
    const double low = fmax(up.low, 0), high = fmax(up.high, 0);
    lashi_bounds angle = outward(fmin(atan2(low, x.f.high), atan2(high, x.f.high)),
                                 fmax(atan2(low, x.f.low), atan2(high, x.f.low)));
    if (side < 0)
        angle = negate(angle);
    // r² φ' = x y' − y x', and its derivative.
    const lashi_bounds per = inverse(add(square(x.f), square(y.f))),
                       rate = multiply(per, add(multiply(x.f, y.df), negate(multiply(y.f, x.df)))),
                       turn = add(multiply(x.f, x.df), multiply(y.f, y.df)),
                       second = add(add(multiply(x.f, y.ddf), negate(multiply(y.f, x.ddf))),
                                    scale(-2, multiply(rate, turn)));
    return (lashi_bounds_jet){angle, rate, multiply(per, second)};
}
