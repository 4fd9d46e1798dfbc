/* SPDX-License-Identifier: MIT
 *
 * Ranges: see range.h for the rule. Functions that end somewhere (sqrt, log, asin) are taken over the part of
 * the range on which they exist; where there is none, or at a pole, the result is all numbers.
 */
#include "math/range.h"

#include <float.h>
#include <math.h>

static const double PI = 3.14159265358979323846;
/* Error of one operation or library function, in units of rounding. */
static const double OUTWARD = 4 * DBL_EPSILON;
static const lashi_range ALL = {-INFINITY, INFINITY};

/* ---- ranges of numbers ---- */

static lashi_range outward(double low, double high) {
    if (isnan(low) || isnan(high))
        return ALL;
    return (lashi_range){low - OUTWARD * fabs(low), high + OUTWARD * fabs(high)};
}

/* Of a function that rises, or falls. */
static lashi_range between(double a, double b) {
    return a <= b ? outward(a, b) : outward(b, a);
}

static lashi_range add(lashi_range a, lashi_range b) {
    return outward(a.low + b.low, a.high + b.high);
}

static lashi_range negate(lashi_range a) {
    return (lashi_range){-a.high, -a.low};
}

/* 0 times infinity is 0: a factor that is exactly zero wins (jet.h). */
static double times(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static lashi_range multiply(lashi_range a, lashi_range b) {
    const double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low),
                 s = times(a.high, b.high);
    return outward(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
}

static lashi_range scale(double factor, lashi_range a) {
    return multiply((lashi_range){factor, factor}, a);
}

/* Smallest and largest |x|. */
static lashi_range size(lashi_range a) {
    const double low = fabs(a.low), high = fabs(a.high);
    return (lashi_range){lashi_range_excludes_zero(a) ? fmin(low, high) : 0, fmax(low, high)};
}

static lashi_range square(lashi_range a) {
    const lashi_range x = size(a);
    return outward(x.low * x.low, x.high * x.high);
}

/* 1/x; x >= 0 may begin at 0. */
static lashi_range inverse(lashi_range a) {
    if (a.low > 0 || a.high < 0)
        return outward(1 / a.high, 1 / a.low);
    if (a.low == 0 && a.high > 0)
        return outward(1 / a.high, INFINITY);
    return ALL;
}

/* The part of a between two ends; false: there is none. */
static bool within(lashi_range *a, double low, double high) {
    a->low = fmax(a->low, low);
    a->high = fmin(a->high, high);
    return a->low <= a->high;
}

static lashi_range root(lashi_range a) {
    return outward(sqrt(fmax(a.low, 0)), sqrt(fmax(a.high, 0)));
}

/* ---- with derivatives ---- */

static const lashi_range_jet UNKNOWN = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}, {-INFINITY, INFINITY}};

/* g of a, given the ranges of g, g_x and g_xx. */
static lashi_range_jet chain(lashi_range_jet a, lashi_range g, lashi_range g_x, lashi_range g_xx) {
    return (lashi_range_jet){g, multiply(g_x, a.df), add(multiply(g_x, a.ddf), multiply(g_xx, square(a.df)))};
}

lashi_range_jet lashi_range_constant(double value) {
    return (lashi_range_jet){{value, value}, {0, 0}, {0, 0}};
}

lashi_range_jet lashi_range_time(double low, double high) {
    return (lashi_range_jet){{low, high}, {1, 1}, {0, 0}};
}

lashi_range_jet lashi_range_negate(lashi_range_jet a) {
    return (lashi_range_jet){negate(a.f), negate(a.df), negate(a.ddf)};
}

lashi_range_jet lashi_range_add(lashi_range_jet a, lashi_range_jet b) {
    return (lashi_range_jet){add(a.f, b.f), add(a.df, b.df), add(a.ddf, b.ddf)};
}

lashi_range_jet lashi_range_subtract(lashi_range_jet a, lashi_range_jet b) {
    return lashi_range_add(a, lashi_range_negate(b));
}

lashi_range_jet lashi_range_multiply(lashi_range_jet a, lashi_range_jet b) {
    return (lashi_range_jet){
        multiply(a.f, b.f), add(multiply(a.df, b.f), multiply(a.f, b.df)),
        add(add(multiply(a.ddf, b.f), scale(2, multiply(a.df, b.df))), multiply(a.f, b.ddf))};
}

lashi_range_jet lashi_range_divide(lashi_range_jet a, lashi_range_jet b) {
    if (!lashi_range_excludes_zero(b.f))
        return UNKNOWN;
    const lashi_range per = inverse(b.f), q = multiply(a.f, per),
                      dq = multiply(add(a.df, negate(multiply(q, b.df))), per),
                      rest = add(scale(2, multiply(dq, b.df)), multiply(q, b.ddf));
    return (lashi_range_jet){q, dq, multiply(add(a.ddf, negate(rest)), per)};
}

lashi_range_jet lashi_range_square(lashi_range_jet a) {
    return chain(a, square(a.f), scale(2, a.f), (lashi_range){2, 2});
}

/* x^n. */
static lashi_range raised(lashi_range a, double n) {
    if (n == 0)
        return (lashi_range){1, 1};
    if (n < 0)
        return inverse(raised(a, -n));
    if (n != rint(n) && !within(&a, 0, INFINITY))
        return ALL;
    if (fmod(n, 2) == 0)
        a = size(a);
    return between(pow(a.low, n), pow(a.high, n));
}

lashi_range_jet lashi_range_power(lashi_range_jet a, lashi_range_jet b) {
    const double n = b.f.low;
    if (b.f.high != n || b.df.low != 0 || b.df.high != 0)
        return lashi_range_exp(lashi_range_multiply(b, lashi_range_log(a)));
    const lashi_range none = {0, 0};
    return chain(a, raised(a.f, n), n == 0 ? none : scale(n, raised(a.f, n - 1)),
                 n == 0 || n == 1 ? none : scale(n * (n - 1), raised(a.f, n - 2)));
}

/* Whether a point offset + k step, k a whole number, is in the range. */
static bool holds_one_of(lashi_range a, double offset, double step) {
    return ceil((a.low - offset) / step) * step + offset <= a.high;
}

static lashi_range sine(lashi_range a) {
    if (!(a.high - a.low < 2 * PI))
        return (lashi_range){-1, 1};
    const lashi_range ends = between(sin(a.low), sin(a.high));
    return (lashi_range){holds_one_of(a, -0.5 * PI, 2 * PI) ? -1 : fmax(-1, ends.low),
                         holds_one_of(a, 0.5 * PI, 2 * PI) ? 1 : fmin(1, ends.high)};
}

static lashi_range cosine(lashi_range a) {
    if (!(a.high - a.low < 2 * PI))
        return (lashi_range){-1, 1};
    const lashi_range ends = between(cos(a.low), cos(a.high));
    return (lashi_range){holds_one_of(a, PI, 2 * PI) ? -1 : fmax(-1, ends.low),
                         holds_one_of(a, 0, 2 * PI) ? 1 : fmin(1, ends.high)};
}

lashi_range_jet lashi_range_sin(lashi_range_jet a) {
    const lashi_range s = sine(a.f);
    return chain(a, s, cosine(a.f), negate(s));
}

lashi_range_jet lashi_range_cos(lashi_range_jet a) {
    const lashi_range c = cosine(a.f);
    return chain(a, c, negate(sine(a.f)), negate(c));
}

lashi_range_jet lashi_range_tan(lashi_range_jet a) {
    const lashi_range one = {1, 1};
    const double low = tan(a.f.low), high = tan(a.f.high);
    if (!(a.f.high - a.f.low < PI) || holds_one_of(a.f, 0.5 * PI, PI) || low > high)
        return UNKNOWN;
    const lashi_range g = between(low, high), g_x = add(one, square(g));
    return chain(a, g, g_x, scale(2, multiply(g, g_x)));
}

/* 1/sqrt(1 - x^2), x within -1 … 1. */
static lashi_range slope_of_asin(lashi_range x) {
    const lashi_range one = {1, 1};
    lashi_range rest = add(one, negate(square(x)));
    rest.low = fmax(rest.low, 0);
    return inverse(root(rest));
}

lashi_range_jet lashi_range_asin(lashi_range_jet a) {
    lashi_range x = a.f;
    if (!within(&x, -1, 1))
        return UNKNOWN;
    const lashi_range g_x = slope_of_asin(x);
    return chain(a, between(asin(x.low), asin(x.high)), g_x,
                 multiply(x, multiply(g_x, square(g_x))));
}

lashi_range_jet lashi_range_acos(lashi_range_jet a) {
    return lashi_range_subtract(lashi_range_constant(0.5 * PI), lashi_range_asin(a));
}

lashi_range_jet lashi_range_atan(lashi_range_jet a) {
    const lashi_range one = {1, 1}, g_x = inverse(add(one, square(a.f)));
    return chain(a, between(atan(a.f.low), atan(a.f.high)), g_x,
                 scale(-2, multiply(a.f, square(g_x))));
}

static lashi_range hyperbolic_cosine(lashi_range a) {
    const lashi_range x = size(a);
    return outward(cosh(x.low), cosh(x.high));
}

lashi_range_jet lashi_range_sinh(lashi_range_jet a) {
    const lashi_range g = between(sinh(a.f.low), sinh(a.f.high));
    return chain(a, g, hyperbolic_cosine(a.f), g);
}

lashi_range_jet lashi_range_cosh(lashi_range_jet a) {
    const lashi_range g = hyperbolic_cosine(a.f);
    return chain(a, g, between(sinh(a.f.low), sinh(a.f.high)), g);
}

lashi_range_jet lashi_range_tanh(lashi_range_jet a) {
    const lashi_range g = between(tanh(a.f.low), tanh(a.f.high)),
                      g_x = square(inverse(hyperbolic_cosine(a.f)));
    return chain(a, g, g_x, scale(-2, multiply(g, g_x)));
}

lashi_range_jet lashi_range_exp(lashi_range_jet a) {
    const lashi_range g = between(exp(a.f.low), exp(a.f.high));
    return chain(a, g, g, g);
}

lashi_range_jet lashi_range_log(lashi_range_jet a) {
    lashi_range x = a.f;
    if (!within(&x, 0, INFINITY))
        return UNKNOWN;
    const lashi_range g_x = inverse(x);
    return chain(a, between(log(x.low), log(x.high)), g_x, negate(square(g_x)));
}

lashi_range_jet lashi_range_log10(lashi_range_jet a) {
    return lashi_range_multiply(lashi_range_constant(1 / log(10)), lashi_range_log(a));
}

lashi_range_jet lashi_range_sqrt(lashi_range_jet a) {
    lashi_range x = a.f;
    if (!within(&x, 0, INFINITY))
        return UNKNOWN;
    const lashi_range g = root(x), per = inverse(g);
    return chain(a, g, scale(0.5, per), scale(-0.25, multiply(per, square(per))));
}

lashi_range_jet lashi_range_smoothstep(lashi_range_jet a) {
    const lashi_range one = {1, 1};
    lashi_range x = a.f;
    if (!within(&x, 0, 1))
        return UNKNOWN;
    const lashi_range rest = add(one, negate(x)), hill = multiply(x, rest);
    const double low = x.low * x.low * x.low * (10 - x.low * (15 - 6 * x.low)),
                 high = x.high * x.high * x.high * (10 - x.high * (15 - 6 * x.high));
    return chain(a, between(low, high), scale(30, square(hill)),
                 scale(60, multiply(hill, add(one, scale(-2, x)))));
}

lashi_range_jet lashi_range_hypot(lashi_range_jet a, lashi_range_jet b) {
    return lashi_range_sqrt(lashi_range_add(lashi_range_square(a), lashi_range_square(b)));
}

lashi_range_jet lashi_range_atan2(lashi_range_jet y, lashi_range_jet x, int side) {
    // Above the cut, or mirrored there; the extremes are at the corners.
    const lashi_range up = side < 0 ? negate(y.f) : y.f;
    const double low = fmax(up.low, 0), high = fmax(up.high, 0);
    lashi_range angle = outward(fmin(atan2(low, x.f.high), atan2(high, x.f.high)),
                                fmax(atan2(low, x.f.low), atan2(high, x.f.low)));
    if (side < 0)
        angle = negate(angle);
    // r² φ' = x y' − y x', and its derivative.
    const lashi_range per = inverse(add(square(x.f), square(y.f))),
                      rate = multiply(per, add(multiply(x.f, y.df), negate(multiply(y.f, x.df)))),
                      turn = add(multiply(x.f, x.df), multiply(y.f, y.df)),
                      second = add(add(multiply(x.f, y.ddf), negate(multiply(y.f, x.ddf))),
                                   scale(-2, multiply(rate, turn)));
    return (lashi_range_jet){angle, rate, multiply(per, second)};
}
