/* SPDX-License-Identifier: MIT
 *
 * Interval arithmetic against the numbers themselves: no value and no derivative of any function at any
 * point of a stretch is outside of its bounds; over a short stretch the bounds are narrow; over a long one
 * those of a function of one variable are its least and its largest value.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "math/bounds.h"
#include "math/jet.h"

static uint64_t chance_state;
static double chance(double low, double high) {
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return low + (high - low) * ((double)(chance_state >> 11) * 0x1p-53);
}

/* ---- the functions, of bounds and of numbers ---- */

static lashi_jet jet_asin(lashi_jet a) {
    return lashi_jet_asin(a, a);
}
static lashi_jet jet_acos(lashi_jet a) {
    return lashi_jet_acos(a, a);
}
static lashi_jet jet_sqrt(lashi_jet a) {
    return lashi_jet_sqrt(a, a);
}
static lashi_jet jet_smoothstep(lashi_jet a) {
    return lashi_jet_smoothstep(a, a);
}
static lashi_jet jet_square(lashi_jet a) {
    return lashi_jet_multiply(a, a);
}
static lashi_jet jet_power(lashi_jet a, lashi_jet b) {
    return lashi_jet_power(a, b, a);
}
static lashi_jet jet_atan2(lashi_jet a, lashi_jet b) {
    return lashi_jet_atan2(a, b, a, b);
}
static lashi_bounds_jet above(lashi_bounds_jet y, lashi_bounds_jet x) {
    return lashi_bounds_atan2(y, x, 1);
}
static lashi_bounds_jet below(lashi_bounds_jet y, lashi_bounds_jet x) {
    return lashi_bounds_atan2(y, x, -1);
}

/* The function exists from `low` to `high`, and is smooth between and away from these. */
static const struct {
    const char *name;
    lashi_bounds_jet (*bounds)(lashi_bounds_jet);
    lashi_jet (*jet)(lashi_jet);
    double low, high;
} ones[] = {
    {"negate", lashi_bounds_negate, lashi_jet_negate, -9, 9},
    {"square", lashi_bounds_square, jet_square, -9, 9},
    {"sin", lashi_bounds_sin, lashi_jet_sin, -9, 9},
    {"cos", lashi_bounds_cos, lashi_jet_cos, -9, 9},
    {"tan", lashi_bounds_tan, lashi_jet_tan, -1.57, 1.57},
    {"asin", lashi_bounds_asin, jet_asin, -1, 1},
    {"acos", lashi_bounds_acos, jet_acos, -1, 1},
    {"atan", lashi_bounds_atan, lashi_jet_atan, -9, 9},
    {"sinh", lashi_bounds_sinh, lashi_jet_sinh, -5, 5},
    {"cosh", lashi_bounds_cosh, lashi_jet_cosh, -5, 5},
    {"tanh", lashi_bounds_tanh, lashi_jet_tanh, -5, 5},
    {"exp", lashi_bounds_exp, lashi_jet_exp, -5, 5},
    {"log", lashi_bounds_log, lashi_jet_log, 0, 9},
    {"log10", lashi_bounds_log10, lashi_jet_log10, 0, 9},
    {"sqrt", lashi_bounds_sqrt, jet_sqrt, 0, 9},
    {"smoothstep", lashi_bounds_smoothstep, jet_smoothstep, 0, 1},
};

/* Of two, each between its own ends. */
static const struct {
    const char *name;
    lashi_bounds_jet (*bounds)(lashi_bounds_jet, lashi_bounds_jet);
    lashi_jet (*jet)(lashi_jet, lashi_jet);
    double low[2], high[2];
    bool exact; // over a box: its corners hold the extremes
} twos[] = {
    {"add", lashi_bounds_add, lashi_jet_add, {-3, -3}, {3, 3}, true},
    {"subtract", lashi_bounds_subtract, lashi_jet_subtract, {-3, -3}, {3, 3}, true},
    {"multiply", lashi_bounds_multiply, lashi_jet_multiply, {-3, -3}, {3, 3}, true},
    {"divide", lashi_bounds_divide, lashi_jet_divide, {-3, 0.1}, {3, 3}, true},
    {"divide by less than 0", lashi_bounds_divide, lashi_jet_divide, {-3, -3}, {3, -0.1}, true},
    {"power", lashi_bounds_power, jet_power, {0.1, -2}, {3, 2}, true},
    {"hypot", lashi_bounds_hypot, lashi_jet_hypot, {0.1, -3}, {3, 3}, false},
    {"atan2 above", above, jet_atan2, {0.1, -3}, {3, 3}, true},
    {"atan2 below", below, jet_atan2, {-3, -3}, {-0.1, 3}, true},
};

enum { COUNT_OF_ONES = sizeof ones / sizeof *ones, COUNT_OF_TWOS = sizeof twos / sizeof *twos };

/* ---- arguments: parabolas of time ---- */

typedef struct parabola {
    double c[3];
} parabola;

static lashi_jet at(parabola p, double t) {
    return (lashi_jet){p.c[0] + t * (p.c[1] + t * p.c[2]), p.c[1] + 2 * t * p.c[2], 2 * p.c[2]};
}

static lashi_bounds_jet over(parabola p, double low, double high) {
    const lashi_bounds_jet t = lashi_bounds_time(low, high);
    const lashi_bounds_jet square =
        lashi_bounds_multiply(lashi_bounds_constant(p.c[2]), lashi_bounds_square(t));
    const lashi_bounds_jet slope = lashi_bounds_multiply(lashi_bounds_constant(p.c[1]), t);
    return lashi_bounds_add(lashi_bounds_constant(p.c[0]), lashi_bounds_add(slope, square));
}

/* Which has the value x at t. */
static parabola through(double x, double t) {
    parabola p = {{0, chance(-2, 2), chance(-2, 2)}};
    p.c[0] = x - at(p, t).f;
    return p;
}

/* A length, as often short as long. */
static double stretch(void) {
    return pow(10, chance(-6, 0.5));
}

/* ---- what is asked for ---- */

static void require_inside(const char *name, lashi_bounds b, double value, double t) {
    // Rounding of the number itself; its bounds are rounded outwards.
    const double margin = 1e-13 * (1 + fabs(value));
    if (isnan(value) || (value >= b.low - margin && value <= b.high + margin))
        return;
    fail_msg("%s: %.17g at t = %g is not between %.17g and %.17g", name, value, t, b.low, b.high);
}

static void require_all_inside(const char *name, lashi_bounds_jet b, lashi_jet value, double t) {
    if (isnan(value.f))
        return; // the function does not exist there
    require_inside(name, b.f, value.f, t);
    require_inside(name, b.df, value.df, t);
    require_inside(name, b.ddf, value.ddf, t);
}

enum { STRETCHES = 4000, POINTS = 33 };

static void nothing_is_outside(void **state) {
    (void)state;
    chance_state = 1;
    for (int k = 0; k < COUNT_OF_ONES + COUNT_OF_TWOS; k++)
        for (int n = 0; n < STRETCHES; n++) {
            // Also beyond the ends of a function of one.
            const bool one = k < COUNT_OF_ONES;
            const int two = one ? 0 : k - COUNT_OF_ONES;
            const double begin = chance(-1, 1), length = stretch(), middle = begin + length / 2;
            const parabola x = through(one ? chance(ones[k].low - 0.5, ones[k].high + 0.5)
                                           : chance(twos[two].low[0], twos[two].high[0]),
                                       middle),
                           y = through(chance(twos[two].low[1], twos[two].high[1]), middle);
            const lashi_bounds_jet a = over(x, begin, begin + length), b = over(y, begin, begin + length);
            // An angle has its cut at y = 0: the caller knows the side.
            if (!one && twos[two].jet == jet_atan2 && !lashi_bounds_excludes_zero(a.f))
                continue;
            const lashi_bounds_jet all = one ? ones[k].bounds(a) : twos[two].bounds(a, b);
            for (int i = 0; i < POINTS; i++) {
                const double t = begin + length * i / (POINTS - 1);
                const lashi_jet p = at(x, t), q = at(y, t);
                if (one && (ones[k].jet == jet_smoothstep) && (p.f < 0 || p.f > 1))
                    continue; // its bounds are those of the part between
                require_all_inside(one ? ones[k].name : twos[two].name, all,
                                   one ? ones[k].jet(p) : twos[two].jet(p, q), t);
            }
        }
}

/* Powers with a constant exponent go another way. */
static const double exponents[] = {0, 1, 2, 3, 4, 5, -1, -2, -3, 0.5, 1.5, 2.5, -0.5};

static void no_power_is_outside(void **state) {
    (void)state;
    chance_state = 2;
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++)
        for (int n = 0; n < STRETCHES; n++) {
            const double begin = chance(-1, 1), length = stretch();
            const parabola x = through(chance(-2, 2), begin);
            const lashi_bounds_jet all =
                lashi_bounds_power(over(x, begin, begin + length), lashi_bounds_constant(exponents[k]));
            for (int i = 0; i < POINTS; i++) {
                const double t = begin + length * i / (POINTS - 1);
                const lashi_jet p = at(x, t);
                require_all_inside("power", all, lashi_jet_power(p, lashi_jet_constant(exponents[k]), p), t);
            }
        }
}

static void require_narrow(const char *name, lashi_bounds_jet b, lashi_jet value) {
    const double most = 1e-3 * (1 + fabs(value.f) + fabs(value.df) + fabs(value.ddf));
    if (!(b.f.high - b.f.low <= most && b.df.high - b.df.low <= most && b.ddf.high - b.ddf.low <= most))
        fail_msg("%s: bounds of (%g, %g, %g) are wide", name, value.f, value.df, value.ddf);
}

static void short_stretches_have_narrow_bounds(void **state) {
    (void)state;
    chance_state = 3;
    const double length = 1e-8;
    for (int n = 0; n < STRETCHES; n++) {
        const double begin = chance(-1, 1);
        for (int k = 0; k < COUNT_OF_ONES; k++) {
            const double room = 0.05 * (ones[k].high - ones[k].low);
            const parabola x = through(chance(ones[k].low + room, ones[k].high - room), begin);
            require_narrow(ones[k].name, ones[k].bounds(over(x, begin, begin + length)),
                           ones[k].jet(at(x, begin)));
        }
        for (int k = 0; k < COUNT_OF_TWOS; k++) {
            const parabola x = through(chance(twos[k].low[0], twos[k].high[0]), begin),
                           y = through(chance(twos[k].low[1], twos[k].high[1]), begin);
            require_narrow(twos[k].name,
                           twos[k].bounds(over(x, begin, begin + length), over(y, begin, begin + length)),
                           twos[k].jet(at(x, begin), at(y, begin)));
        }
        for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
            const bool any = exponents[k] >= 0 && exponents[k] == rint(exponents[k]);
            const parabola x = through(any ? chance(-2, 2) : chance(0.2, 2), begin);
            const lashi_jet p = at(x, begin);
            require_narrow(
                "power",
                lashi_bounds_power(over(x, begin, begin + length), lashi_bounds_constant(exponents[k])),
                lashi_jet_power(p, lashi_jet_constant(exponents[k]), p));
        }
    }
}

static void require_same(const char *name, double bound, double value, double low, double high) {
    if (fabs(bound - value) > 1e-4 * (1 + fabs(value)))
        fail_msg("%s over %g ... %g: %g is not %g", name, low, high, bound, value);
}

static void long_stretches_have_the_extremes(void **state) {
    (void)state;
    chance_state = 4;
    enum { LOOKS = 2001 };
    for (int k = 0; k < COUNT_OF_ONES; k++)
        for (int n = 0; n < 200; n++) {
            const double room = 1e-3 * (ones[k].high - ones[k].low);
            const double p = chance(ones[k].low + room, ones[k].high - room),
                         q = chance(ones[k].low + room, ones[k].high - room), low = fmin(p, q),
                         high = fmax(p, q);
            const lashi_bounds_jet all = ones[k].bounds(lashi_bounds_time(low, high));
            double least = INFINITY, most = -INFINITY;
            for (int i = 0; i < LOOKS; i++) {
                const double f = ones[k].jet((lashi_jet){low + (high - low) * i / (LOOKS - 1), 1, 0}).f;
                least = fmin(least, f);
                most = fmax(most, f);
            }
            require_same(ones[k].name, all.f.low, least, low, high);
            require_same(ones[k].name, all.f.high, most, low, high);
        }
    for (int k = 0; k < COUNT_OF_TWOS; k++)
        for (int n = 0; twos[k].exact && n < 1000; n++) {
            double ends[2][2];
            for (int i = 0; i < 2; i++) {
                const double p = chance(twos[k].low[i], twos[k].high[i]),
                             q = chance(twos[k].low[i], twos[k].high[i]);
                ends[i][0] = fmin(p, q);
                ends[i][1] = fmax(p, q);
            }
            const lashi_bounds_jet all = twos[k].bounds(lashi_bounds_time(ends[0][0], ends[0][1]),
                                                        lashi_bounds_time(ends[1][0], ends[1][1]));
            double least = INFINITY, most = -INFINITY;
            for (int i = 0; i < 4; i++) {
                const double f =
                    twos[k].jet((lashi_jet){ends[0][i % 2], 1, 0}, (lashi_jet){ends[1][i / 2], 1, 0}).f;
                least = fmin(least, f);
                most = fmax(most, f);
            }
            require_same(twos[k].name, all.f.low, least, ends[0][0], ends[0][1]);
            require_same(twos[k].name, all.f.high, most, ends[0][0], ends[0][1]);
        }
}

/* Poles are seen wherever they are, and nowhere else. */
static void poles_of_the_tangent(void **state) {
    (void)state;
    chance_state = 5;
    const double pi = 3.14159265358979323846;
    for (int n = 0; n < STRETCHES; n++) {
        const double low = chance(-9, 9), high = low + stretch();
        const bool pole = floor((high - pi / 2) / pi) > floor((low - pi / 2) / pi);
        const lashi_bounds_jet all = lashi_bounds_tan(lashi_bounds_time(low, high));
        assert_int_equal(isinf(all.f.low) && isinf(all.f.high), pole);
        assert_int_equal(isinf(all.ddf.high), pole);
    }
}

/* Where a function ends its slope is infinite, but what rests there rests (jet.h). */
static void rest_at_the_end(void **state) {
    (void)state;
    const lashi_bounds_jet root = lashi_bounds_sqrt(lashi_bounds_constant(0)),
                           arc = lashi_bounds_asin(lashi_bounds_constant(1));
    assert_true(root.f.low == 0 && root.f.high == 0);
    assert_true(root.df.low == 0 && root.df.high == 0 && root.ddf.low == 0 && root.ddf.high == 0);
    assert_true(arc.df.low == 0 && arc.df.high == 0 && arc.ddf.low == 0 && arc.ddf.high == 0);
    const lashi_bounds slope = lashi_bounds_sqrt(lashi_bounds_time(0, 1)).df; // 1/(2 sqrt t)
    assert_true(fabs(slope.low - 0.5) < 1e-14 && isinf(slope.high));
}

/* Nothing is known beyond the ends, of a quotient by what may be 0, and of numbers that are too large. */
static void unknown(void **state) {
    (void)state;
    const lashi_bounds_jet time = lashi_bounds_time(2, 3);
    const lashi_bounds_jet all[] = {
        lashi_bounds_asin(time),
        lashi_bounds_acos(time),
        lashi_bounds_smoothstep(time),
        lashi_bounds_log(lashi_bounds_negate(time)),
        lashi_bounds_sqrt(lashi_bounds_negate(time)),
        lashi_bounds_divide(time, lashi_bounds_time(-1, 1)),
        lashi_bounds_power(lashi_bounds_negate(time), lashi_bounds_constant(0.5)),
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        assert_true(isinf(all[k].f.low) && isinf(all[k].f.high));
    const lashi_bounds large = lashi_bounds_exp(lashi_bounds_time(800, 900)).f;
    assert_true(large.low > 1e308 && isfinite(large.low) && isinf(large.high));
    const lashi_bounds small = lashi_bounds_negate(lashi_bounds_exp(lashi_bounds_time(800, 900))).f;
    assert_true(isinf(small.low) && small.high < -1e308 && isfinite(small.high));
}

/* On the cut along −x the angle is that of the piece, whose side its middle tells; at the origin and where y rests,
 * x decides. */
static void atan2_on_its_cut(void **state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    const lashi_jet x = {-2, 0, 0}, right = {2, 0, 0}, above = {1, 0, 0}, below = {-1, 0, 0},
                    rest = {0, 0, 0};
    for (int k = -1; k <= 1; k++) {
        const lashi_jet y = {k * 1e-17, 3, 0};
        const lashi_jet a = lashi_jet_atan2(y, x, above, x), b = lashi_jet_atan2(y, x, below, x);
        assert_true(fabs(a.f - pi) < 1e-15 && fabs(b.f + pi) < 1e-15);
        assert_true(fabs(a.df + 1.5) < 1e-15 && fabs(b.df + 1.5) < 1e-15);
    }
    assert_true(lashi_jet_atan2(rest, x, rest, x).f == pi &&
                lashi_jet_atan2(rest, right, rest, right).f == 0);
    assert_true(lashi_jet_atan2(rest, rest, rest, x).f == pi &&
                lashi_jet_atan2(rest, rest, rest, right).f == 0);
    assert_true(fabs(lashi_jet_atan2(above, x, above, x).f - atan2(1, -2)) < 1e-15);
    assert_true(fabs(lashi_jet_atan2(below, x, below, x).f - atan2(-1, -2)) < 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atan2_on_its_cut),
        cmocka_unit_test(nothing_is_outside),
        cmocka_unit_test(no_power_is_outside),
        cmocka_unit_test(short_stretches_have_narrow_bounds),
        cmocka_unit_test(long_stretches_have_the_extremes),
        cmocka_unit_test(poles_of_the_tangent),
        cmocka_unit_test(rest_at_the_end),
        cmocka_unit_test(unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
