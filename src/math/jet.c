/* SPDX-License-Identifier: MIT
 *
 * Jets: see jet.h for the rule of each operation and what happens at corners.
 */
#include "math/jet.h"

#include <math.h>

/* Share of its distance at the deciding time by which an argument may be out of range through rounding. */
static const double ROUNDING = 1e-9;
static const double PI = 3.14159265358979323846;

/* factor * derivative, where a derivative of exactly 0 wins over an infinite factor. */
static double scaled(double factor, double derivative) {
    return derivative == 0 ? 0 : factor * derivative;
}

lashi_jet lashi_jet_constant(double value) {
    return (lashi_jet){value, 0, 0};
}

lashi_jet lashi_jet_negate(lashi_jet a) {
    return (lashi_jet){-a.f, -a.df, -a.ddf};
}

lashi_jet lashi_jet_add(lashi_jet a, lashi_jet b) {
    return (lashi_jet){a.f + b.f, a.df + b.df, a.ddf + b.ddf};
}

lashi_jet lashi_jet_subtract(lashi_jet a, lashi_jet b) {
    return (lashi_jet){a.f - b.f, a.df - b.df, a.ddf - b.ddf};
}

lashi_jet lashi_jet_multiply(lashi_jet a, lashi_jet b) {
    return (lashi_jet){a.f * b.f, a.df * b.f + a.f * b.df, a.ddf * b.f + 2 * a.df * b.df + a.f * b.ddf};
}

lashi_jet lashi_jet_divide(lashi_jet a, lashi_jet b) {
    // q b = a, differentiated once and twice.
    lashi_jet q;
    q.f = a.f / b.f;
    q.df = (a.df - scaled(q.f, b.df)) / b.f;
    q.ddf = (a.ddf - 2 * scaled(q.df, b.df) - scaled(q.f, b.ddf)) / b.f;
    return q;
}

lashi_jet lashi_jet_chain(lashi_jet a, double g, double g_x, double g_xx) {
    return (lashi_jet){g, scaled(g_x, a.df), scaled(g_x, a.ddf) + scaled(g_xx, a.df * a.df)};
}

/* x, or `end` where x has left the range of its function by rounding alone, at an end of the piece in which
 * it is within the range. */
static double pulled(double x, double end, double at) {
    return (at - end) * (x - end) < 0 && fabs(x - end) <= ROUNDING * fabs(at - end) ? end : x;
}

lashi_jet lashi_jet_power(lashi_jet a, lashi_jet b, lashi_jet at) {
    double n = b.f;
    if (n != rint(n))
        a.f = pulled(a.f, 0, at.f);
    if (b.df == 0 && b.ddf == 0) {
        // The factors 0 of n = 0 and n = 1 must win over 0^-1, hence no product there.
        double g_x = n == 0 ? 0 : n * pow(a.f, n - 1);
        double g_xx = n == 0 || n == 1 ? 0 : n * (n - 1) * pow(a.f, n - 2);
        return lashi_jet_chain(a, pow(a.f, n), g_x, g_xx);
    }
    return lashi_jet_exp(lashi_jet_multiply(b, lashi_jet_log(a)));
}

lashi_jet lashi_jet_sin(lashi_jet a) {
    double s = sin(a.f);
    return lashi_jet_chain(a, s, cos(a.f), -s);
}

lashi_jet lashi_jet_cos(lashi_jet a) {
    double c = cos(a.f);
    return lashi_jet_chain(a, c, -sin(a.f), -c);
}

lashi_jet lashi_jet_tan(lashi_jet a) {
    double g = tan(a.f), g_x = 1 + g * g;
    return lashi_jet_chain(a, g, g_x, 2 * g * g_x);
}

lashi_jet lashi_jet_asin(lashi_jet a, lashi_jet at) {
    a.f = pulled(pulled(a.f, 1, at.f), -1, at.f);
    double square = (1 - a.f) * (1 + a.f), g_x = 1 / sqrt(square);
    return lashi_jet_chain(a, asin(a.f), g_x, a.f * g_x / square);
}

lashi_jet lashi_jet_acos(lashi_jet a, lashi_jet at) {
    a.f = pulled(pulled(a.f, 1, at.f), -1, at.f);
    double square = (1 - a.f) * (1 + a.f), g_x = -1 / sqrt(square);
    return lashi_jet_chain(a, acos(a.f), g_x, a.f * g_x / square);
}

lashi_jet lashi_jet_atan(lashi_jet a) {
    double g_x = 1 / (1 + a.f * a.f);
    return lashi_jet_chain(a, atan(a.f), g_x, -2 * (a.f * g_x) * g_x);
}

lashi_jet lashi_jet_sinh(lashi_jet a) {
    double g = sinh(a.f);
    return lashi_jet_chain(a, g, cosh(a.f), g);
}

lashi_jet lashi_jet_cosh(lashi_jet a) {
    double g = cosh(a.f);
    return lashi_jet_chain(a, g, sinh(a.f), g);
}

lashi_jet lashi_jet_tanh(lashi_jet a) {
    // 1/cosh^2 rather than 1 - tanh^2, which cancels for large arguments.
    double g = tanh(a.f), c = cosh(a.f), g_x = 1 / c / c;
    return lashi_jet_chain(a, g, g_x, -2 * g * g_x);
}

lashi_jet lashi_jet_exp(lashi_jet a) {
    double g = exp(a.f);
    return lashi_jet_chain(a, g, g, g);
}

lashi_jet lashi_jet_log(lashi_jet a) {
    double g_x = 1 / a.f;
    return lashi_jet_chain(a, log(a.f), g_x, -g_x * g_x);
}

lashi_jet lashi_jet_log10(lashi_jet a) {
    double g_x = 1 / (a.f * log(10));
    return lashi_jet_chain(a, log10(a.f), g_x, -g_x / a.f);
}

lashi_jet lashi_jet_sqrt(lashi_jet a, lashi_jet at) {
    a.f = pulled(a.f, 0, at.f);
    double g = sqrt(a.f), g_x = 0.5 / g;
    return lashi_jet_chain(a, g, g_x, -0.5 * g_x / a.f);
}

int lashi_jet_order(lashi_jet a, lashi_jet b) {
    if (isnan(a.f) || isnan(b.f))
        return 2;
    if (a.f != b.f)
        return a.f < b.f ? -1 : 1;
    if (a.df != b.df)
        return a.df < b.df ? -1 : 1;
    return a.ddf < b.ddf ? -1 : a.ddf > b.ddf;
}

lashi_jet lashi_jet_abs(lashi_jet a, lashi_jet at) {
    return lashi_jet_order(at, lashi_jet_constant(0)) < 0 ? lashi_jet_negate(a) : a;
}

lashi_jet lashi_jet_sign(lashi_jet at) {
    int order = lashi_jet_order(at, lashi_jet_constant(0));
    return lashi_jet_constant(order > 1 ? (double)NAN : order);
}

lashi_jet lashi_jet_smoothstep(lashi_jet a, lashi_jet at) {
    double x = a.f;
    if (at.f <= 0 || at.f >= 1)
        return lashi_jet_constant(at.f <= 0 ? 0 : 1);
    double rest = 1 - x;
    return lashi_jet_chain(a, x * x * x * (10 - x * (15 - 6 * x)), 30 * x * x * rest * rest,
                           60 * x * rest * (1 - 2 * x));
}

lashi_jet lashi_jet_atan2(lashi_jet y, lashi_jet x, lashi_jet y_at, lashi_jet x_at) {
    double r = hypot(x.f, y.f), angle = atan2(y.f, x.f);
    if (r == 0)
        return lashi_jet_constant(x_at.f < 0 ? PI : 0);
    // The cut along -x: y there has the sign it has in the piece. Where y rests at 0, x decides.
    int side = lashi_jet_order(y_at, lashi_jet_constant(0));
    if (x.f < 0 && (side == 1 || side == -1) && y.f * side <= 0)
        angle = side * PI;
    if (side == 0 && y.f == 0)
        angle = x_at.f < 0 ? PI : 0;
    // r angle' = c y' - s x' with c, s the cosine and sine of the angle; once more for angle''.
    double c = x.f / r, s = y.f / r;
    double rate = (c * y.df - s * x.df) / r;
    double second = (c * y.ddf - s * x.ddf - 2 * rate * (c * x.df + s * y.df)) / r;
    return (lashi_jet){angle, rate, second};
}

lashi_jet lashi_jet_hypot(lashi_jet a, lashi_jet b) {
    double r = hypot(a.f, b.f);
    if (r > 0) {
        double c = a.f / r, s = b.f / r, across = c * b.df - s * a.df;
        return (lashi_jet){r, c * a.df + s * b.df, c * a.ddf + s * b.ddf + across * across / r};
    }
    // At the origin the distance grows along the velocity, or along the acceleration when that is zero.
    double speed = hypot(a.df, b.df);
    if (speed > 0)
        return (lashi_jet){r, speed, (a.df * a.ddf + b.df * b.ddf) / speed};
    return (lashi_jet){r, speed, hypot(a.ddf, b.ddf)};
}

lashi_jet lashi_jet_min(lashi_jet a, lashi_jet b, lashi_jet a_at, lashi_jet b_at) {
    int order = lashi_jet_order(a_at, b_at);
    return order == 2 ? lashi_jet_add(a, b) : order < 0 ? a : b;
}

lashi_jet lashi_jet_max(lashi_jet a, lashi_jet b, lashi_jet a_at, lashi_jet b_at) {
    int order = lashi_jet_order(a_at, b_at);
    return order == 2 ? lashi_jet_add(a, b) : order > 0 ? a : b;
}

/* a - b floor(a/b), exact. */
static double rest_of(double a, double b) {
    double rest = fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double lashi_jet_turns(lashi_jet a, lashi_jet b) {
    double rest = rest_of(a.f, b.f), turns = round((a.f - rest) / b.f);
    // On a whole number and falling.
    lashi_jet after = {rest, a.df - turns * b.df, a.ddf - turns * b.ddf};
    int order = lashi_jet_order(after, lashi_jet_constant(0));
    return rest == 0 && (b.f < 0 ? -order : order) == -1 ? turns - 1 : turns;
}

lashi_jet lashi_jet_mod(lashi_jet a, lashi_jet b, lashi_jet a_at, lashi_jet b_at) {
    double rest = rest_of(a.f, b.f), here = round((a.f - rest) / b.f), turns = lashi_jet_turns(a_at, b_at);
    return (lashi_jet){rest + (here - turns) * b.f, a.df - scaled(turns, b.df), a.ddf - scaled(turns, b.ddf)};
}
