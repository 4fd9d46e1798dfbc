/* SPDX-License-Identifier: MIT
 *
 * Jets: see jet.h for the rule of each operation and what happens at corners.
 */
#include "math/jet.h"

#include <math.h>

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

lashi_jet lashi_jet_power(lashi_jet a, lashi_jet b) {
    double n = b.f;
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

lashi_jet lashi_jet_asin(lashi_jet a) {
    double square = (1 - a.f) * (1 + a.f), g_x = 1 / sqrt(square);
    return lashi_jet_chain(a, asin(a.f), g_x, a.f * g_x / square);
}

lashi_jet lashi_jet_acos(lashi_jet a) {
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

lashi_jet lashi_jet_sqrt(lashi_jet a) {
    double g = sqrt(a.f), g_x = 0.5 / g;
    return lashi_jet_chain(a, g, g_x, -0.5 * g_x / a.f);
}

lashi_jet lashi_jet_abs(lashi_jet a) {
    return lashi_jet_max(a, lashi_jet_negate(a));
}

lashi_jet lashi_jet_sign(lashi_jet a) {
    return lashi_jet_constant(a.f > 0 ? 1 : a.f < 0 ? -1 : a.f);
}

lashi_jet lashi_jet_smoothstep(lashi_jet a) {
    double x = a.f;
    if (x <= 0 || x >= 1)
        return lashi_jet_constant(x <= 0 ? 0 : 1);
    double rest = 1 - x;
    return lashi_jet_chain(a, x * x * x * (10 - x * (15 - 6 * x)), 30 * x * x * rest * rest,
                           60 * x * rest * (1 - 2 * x));
}

lashi_jet lashi_jet_atan2(lashi_jet y, lashi_jet x) {
    double r = hypot(x.f, y.f);
    if (r == 0)
        return lashi_jet_constant(atan2(y.f, x.f));
    // r angle' = c y' - s x' with c, s the cosine and sine of the angle; once more for angle''.
    double c = x.f / r, s = y.f / r;
    double rate = (c * y.df - s * x.df) / r;
    double second = (c * y.ddf - s * x.ddf - 2 * rate * (c * x.df + s * y.df)) / r;
    return (lashi_jet){atan2(y.f, x.f), rate, second};
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

/* Is a less than b just after this time? */
static bool less_soon(lashi_jet a, lashi_jet b) {
    return a.f != b.f ? a.f < b.f : a.df != b.df ? a.df < b.df : a.ddf < b.ddf;
}

lashi_jet lashi_jet_min(lashi_jet a, lashi_jet b) {
    return isnan(a.f) || (!isnan(b.f) && less_soon(a, b)) ? a : b;
}

lashi_jet lashi_jet_max(lashi_jet a, lashi_jet b) {
    return isnan(a.f) || (!isnan(b.f) && less_soon(b, a)) ? a : b;
}

lashi_jet lashi_jet_mod(lashi_jet a, lashi_jet b) {
    double rest = fmod(a.f, b.f);
    if (rest != 0 && (rest < 0) != (b.f < 0))
        rest += b.f;
    double turns = round((a.f - rest) / b.f);
    return (lashi_jet){rest, a.df - scaled(turns, b.df), a.ddf - scaled(turns, b.ddf)};
}
