/* SPDX-License-Identifier: MIT
 *
 * Breaks of functions of time against their closed forms, and against a fine grid for random functions;
 * ranges against values inside them.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "input/units.h"
#include "math/breaks.h"

static const double PI = 3.14159265358979323846;

static lash_expression *compile(const char *text) {
    const lashi_scope scope = {.of = LASHI_OF_TIME, .unit = lashi_unit_parse};
    lash_expression *expression;
    lash_error error;
    if (lashi_expression_compile(&expression, text, &scope, &error))
        fail_msg("%s: %s", text, error.message);
    return expression;
}

/* The breaks of `text` between a and b are these, to rounding, in this order. */
static void check(const char *text, double a, double b, const double *wanted, size_t count) {
    lash_expression *e = compile(text);
    for (size_t i = 0; i <= count; i++) {
        const double next = lashi_expression_next_break(e, a, b), right = i < count ? wanted[i] : b;
        if (!(fabs(next - right) <= 64 * DBL_EPSILON * fabs(right)))
            fail_msg("%s: break %zu is %.17g, not %.17g", text, i + 1, next, right);
        a = next;
    }
    lash_expression_destroy(e);
}
#define CHECK(text, a, b, ...)                                                                               \
    check(text, a, b, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void test_conditions(void **state) {
    (void)state;
    CHECK("if(t < 5 s, 0 N, if(t < 5.01 s, 1000 N, 0 N))", 0, 10, 5, 5.01);
    CHECK("if(t >= 0.3, 1, 0) + if(0.7 > t, 2, 3)", 0, 1, 0.3, 0.7);
    CHECK("if(t == 0.25 or t != 0.5 and not t > 0.75, 1, 0)", 0, 1, 0.25, 0.5, 0.75);
    CHECK("if(2*t + 1 < 4 - t, t, 1)", 0, 3, 1);
    CHECK("if(t^2 < 2, 1, t)", 0, 5, sqrt(2));
    CHECK("if(sin(100*t) > 0.3, 1, 0)", 0, 0.1, asin(0.3) / 100, (PI - asin(0.3)) / 100,
          (2 * PI + asin(0.3)) / 100, (3 * PI - asin(0.3)) / 100);
    CHECK("if(exp(-t) < 1e-3, 1, 0)", 0, 100, log(1000));
    CHECK("if(sin(t)*cos(t) > 0.6, 1, 0)", 0, 100, 100); // never; the product of the ranges says nothing
    // Two that are close together, and one of 1 ns in 1000 s.
    CHECK("if(t < 1, 0, if(t < 1.000000001, 1, 0))", 0, 1000, 1, 1.000000001);
    CHECK("if((t - 3)*(t - 3.0001) < 0, 1, 0)", 0, 1000, 3, 3.0001);
    // What is not worked out has no breaks.
    CHECK("if(t < 0.5, sign(sin(30*t) - 0.5), 0)", 0, 10, asin(0.5) / 30, (PI - asin(0.5)) / 30,
          (2 * PI + asin(0.5)) / 30, (3 * PI - asin(0.5)) / 30, (4 * PI + asin(0.5)) / 30, 0.5);
}

static void test_corners(void **state) {
    (void)state;
    CHECK("abs(t - 0.5)", 0, 1, 0.5);
    CHECK("min(t, 1 - t) + max(t, 0.2)", 0, 1, 0.2, 0.5);
    CHECK("sign(t - 0.1)", 0, 1, 0.1);
    CHECK("abs(abs(t - 2) - 1)", 0, 4, 1, 2, 3);
    CHECK("max(0, sin(t))", 1, 10, PI, 2 * PI, 3 * PI);
    CHECK("smoothstep((t - 1)/2)", 0, 10, 1, 3);
    CHECK("ramp(t, 2, 2.5)", 0, 10, 2, 2.5);
    CHECK("mod(t, 0.25)", 0.1, 1.1, 0.25, 0.5, 0.75, 1);
    CHECK("mod(-t, 0.25)", 0.1, 0.8, 0.25, 0.5, 0.75);
    CHECK("if(mod(t, 1) < 0.5, 1, -1)", 0.2, 2.2, 0.5, 1, 1.5, 2);
    CHECK("atan2(sin(t), cos(t))", 0.1, 10, PI, 2 * PI, 3 * PI);
    // Smooth everywhere.
    CHECK("sin(2*pi*50*t) + t^3/7 + exp(-t/5 s)*2^t", 0, 1000, 1000);
    CHECK("sqrt(1 + t^2) + hypot(t, 3)", 0, 1000, 1000);
}

static void test_touching(void **state) {
    (void)state;
    // The extremum of a sine is known to the root of rounding only.
    lash_expression *e = compile("if(1 - cos(t) > 0, 1, 0)");
    double t = lashi_expression_next_break(e, 1, 10);
    assert_true(fabs(t - 2 * PI) < 1e-7);
    lash_expression_destroy(e);
    e = compile("asin(sin(t))"); // a saw with its corners at pi/2
    t = lashi_expression_next_break(e, 1, 10);
    assert_true(fabs(t - 0.5 * PI) < 1e-7);
    lash_expression_destroy(e);
    CHECK("sqrt((t - 1)^2)", 0, 2, 1);
    CHECK("hypot(t - 1, 2*(t - 1))", 0, 2, 1);
    CHECK("if((t - 1)^3 > 0, 1, 0)", 0, 2, 1);
    // Nothing ever changes, though ranges cannot tell the sign.
    CHECK("if(t - t > 0, 1, 2) + max(0*t, 0) + abs(0*sin(t))", 0, 100, 100);
}

static void test_ends(void **state) {
    (void)state;
    CHECK("1/(t - 0.5)", 0, 1, 0.5);
    CHECK("log(t - 0.5)", 0.6, 1, 1);
    CHECK("sqrt(1 - t)", 0, 2, 1);
    CHECK("tan(t)", 0, 2, 0.5 * PI);
    CHECK("(1 - t)^1.5", 0, 2, 1);
    CHECK("(t - 1)^-2", 0, 2, 1);
    CHECK("t/(2 s) + t^2", 0, 2, 2);
}

static void test_many(void **state) {
    (void)state;
    // Ten thousand of them, each from the one before.
    lash_expression *e = compile("mod(t, 0.1)");
    double t = 0;
    for (int i = 1; i <= 10000; i++) {
        t = lashi_expression_next_break(e, t, 1001);
        if (!(fabs(t - 0.1 * i) <= 1e-12 * t))
            fail_msg("break %d at %.17g", i, t);
    }
    lash_expression_destroy(e);
}

/* The next pulse between two times, where a few other extrema do no harm; those of a wave are none. */
static void check_pulse(const char *text, double a, double b, double wanted) {
    lash_expression *e = compile(text);
    double found = a;
    for (int i = 0; i < 4 && found < wanted - 1e-6; i++)
        found = lashi_expression_next_pulse(e, found, b, 0.5 * (a + b));
    if (!(fabs(found - wanted) <= 1e-6))
        fail_msg("%s: pulse at %.17g, not %.17g", text, found, wanted);
    lash_expression_destroy(e);
}

/* An extremum that is found twice would be a pulse: far shorter than the half wave behind it. */
static void test_waves_have_no_pulse(void **state) {
    (void)state;
    static const char *const waves[] = {"3*sin(2*pi*500*t)", "sin(2*pi*499.7*t) + 0.2*cos(2*pi*500*t - 1)",
                                        "(2 + sin(t))*cos(2*pi*450*t)", "tanh(2*sin(3000*t)) + 1e3"};
    static const double starts[] = {0, 1.23, 17, 345.6, 1e3, 12345.678};
    for (size_t k = 0; k < sizeof waves / sizeof *waves; k++) {
        lash_expression *e = compile(waves[k]);
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
            // Not from the middle of a flank, which is shorter than those that follow, nor to one.
            const double a = lashi_expression_next_pulse(e, starts[i], starts[i] + 0.9, starts[i] + 0.5);
            const double from = a < starts[i] + 0.9 ? a : starts[i], b = from + 0.9;
            const double found = lashi_expression_next_pulse(e, from, b, from + 0.5);
            if (!(found > b - 0.005))
                fail_msg("%s: pulse at %.17g", waves[k], found);
        }
        lash_expression_destroy(e);
    }
}

/* Where the extrema are given up, because the bounds of the rate are far wider than the rate itself (the sum of
 * two squares is 1), a pulse is found by its height. */
static void test_pulse_without_extrema(void **state) {
    (void)state;
    lash_expression *e = compile("t + 1e-3*(sin(1e5*t)^2 + cos(1e5*t)^2) + 5*exp(-((t - 7.3)/0.01)^2)");
    const double found = lashi_expression_next_pulse(e, 0, 10, 5);
    if (!(fabs(found - 7.3) < 0.05))
        fail_msg("pulse at %.17g", found);
    lash_expression_destroy(e);
}

/* A change of speed by 2D within some milliseconds at t = 12, seen from 10 to 20: a push, unless it is next to nothing beside a
 * speed of 1000, 1e-6 of that within the whole stretch. */
static void test_shocks(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool found;
    } cases[] = {{"1000*t + 1.2e-7*sqrt((t - 12)^2 + 1e-6)", true},
                 {"1000*t + 8e-8*sqrt((t - 12)^2 + 1e-6)", false},
                 {"1000*t + 1e-8*sqrt((t - 12)^2 + 1e-6)", false},
                 {"t + 1e-8*sqrt((t - 12)^2 + 1e-6)", true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lash_expression *e = compile(cases[k].text);
        const double found = lashi_expression_next_shock(e, 10, 20, 15);
        if (!(fabs(found - (cases[k].found ? 12 : 20)) < 0.1))
            fail_msg("%s: shock at %.17g", cases[k].text, found);
        lash_expression_destroy(e);
    }
}

static void test_pulses(void **state) {
    (void)state;
    check_pulse("exp(-((t - 5)/1e-3)^2)", 0, 10, 5);
    check_pulse("7 - 2/(1 + ((t - 5)/1e-4)^2)", 0, 10, 5);
    check_pulse("sin(t) + exp(-((t - 5)/1e-3)^2)", 0, 10, 5);
    check_pulse("tanh((t - 5)*1e4) - tanh((t - 5.01)*1e4)", 0, 10, 5.005);
    check_pulse("exp(-exp(-((t - 5)/1e-3)^2))", 0, 10, 5);
    check_pulse("exp(-((t - 5)/1e-3)^2)", 5.1, 10, 10);
    check_pulse("sin(2*pi*t)", 0, 10, 10);
    check_pulse("t*exp(-t)*cos(9*t)", 0, 20, 20);
    check_pulse("3*t/(2 + cos(exp(-(200*(t - 5))^2)))", 0, 10, 5.0000075); // on a slope
    check_pulse("1/(1 + 9*t^2) - exp(-((t - 5)/1e-3)^2)", 0, 10, 5);
    check_pulse("3 + 0*t", 0, 10, 10);
    check_pulse("3", 0, 10, 10);
    check_pulse("t^2 - 7*t", 0, 10, 10);
    check_pulse("sin(t)^2 + cos(t)^2", 0, 10, 10); // rounding alone
}

/* A random function of t with pieces. */
static size_t grow(char *out, size_t size, int depth, unsigned *seed) {
    static const char *const one[] = {
        "sin(%)",       "cos(2*(%))",      "tanh(%)",          "atan(%)", "sqrt(1 + (%)^2)",
        "exp(-(%)^2)",  "log(3 + sin(%))", "asin(0.9*sin(%))", "-(%)",    "sinh(tanh(%))",
        "cosh(sin(%))", "tan(sin(%))",     "acos(0.8*cos(%))", "abs(%)",  "sign(%)",
        "mod(%, 0.7)",  "smoothstep(%)",   "log10(2 + cos(%))"};
    static const char *const two[] = {"(%) + (%)",
                                      "(%) - (%)",
                                      "(%)*sin(%)",
                                      "(%)/(2 + cos(%))",
                                      "hypot(%, 1.5 + sin(%))",
                                      "atan2(sin(%), 3 + sin(%))",
                                      "(2 + sin(%))^(cos(%))",
                                      "if((%) < 0.3, t, %)",
                                      "min(%, %)",
                                      "max(%, %)",
                                      "ramp(%, -0.5, 1 + (%)^2)",
                                      "0.1*pow(2 + cos(%), 3)*sin(%)"};
    enum { ONE = sizeof one / sizeof *one, TWO = sizeof two / sizeof *two };
    if (depth == 0)
        return (size_t)snprintf(out, size, "(%.2f*t - %.2f)", 0.5 + 0.01 * (double)(rand_r(seed) % 300),
                                0.01 * (double)(rand_r(seed) % 200));
    unsigned pick = (unsigned)rand_r(seed) % (ONE + TWO);
    const char *pattern = pick < ONE ? one[pick] : two[pick - ONE];
    size_t n = 0;
    for (const char *c = pattern; *c && n + 1 < size; c++)
        n += *c == '%' ? grow(out + n, size - n, depth - 1, seed) : (out[n] = *c, (size_t)1);
    out[n] = '\0';
    return n;
}

/* To the rounding of x, which is computed. */
static bool holds(lashi_bounds r, double x) {
    const double slack = 1e-12 * (1 + fabs(x));
    return x >= r.low - slack && x <= r.high + slack;
}

/* Between two breaks the function is as its jets say, everywhere: the integral of f' is the change of f, by
 * Gauss's formula on a fine grid. A break that was passed over shows in it. And the ranges hold all values.
 */
static void test_random(void **state) {
    (void)state;
    static const double node[3] = {-0.7745966692414834, 0, 0.7745966692414834},
                        weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    enum { CELLS = 100, ROUNDS = 1000, MOST_PIECES = 60 };
    unsigned seed = 11;
    size_t pieces = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char text[8192];
        grow(text, sizeof text, 1 + round % 3, &seed);
        lash_expression *e = compile(text);
        double a = 0;
        for (int piece = 0; a < 3 && piece < MOST_PIECES; piece++) {
            const double b = lashi_expression_next_break(e, a, 3), inside = 0.5 * (a + b);
            double integral = 0, size = 0, steepest = 0;
            assert_true(b > a);
            for (int i = 0; i < CELLS; i++) {
                const double h = (b - a) / CELLS, middle = a + h * (i + 0.5);
                for (int k = 0; k < 3; k++) {
                    const lashi_jet f = lashi_expression_jet_in(e, middle + 0.5 * h * node[k], inside);
                    integral += h * weight[k] * f.df;
                    size = fmax(size, fabs(f.f));
                    steepest = fmax(steepest, fabs(f.df));
                    // Not decided by `inside`: the piece is the same.
                    const double own = lashi_expression_value(e, middle + 0.5 * h * node[k]);
                    if (b - a > 1e-9 && !(fabs(own - f.f) <= 1e-12 * (1 + fabs(own))))
                        fail_msg("%s: %.17g, not %.17g at %.17g in (%.17g, %.17g)", text, own, f.f,
                                 middle + 0.5 * h * node[k], a, b);
                }
            }
            const double change =
                lashi_expression_jet_in(e, b, inside).f - lashi_expression_jet_in(e, a, inside).f;
            if (!(fabs(change - integral) <= 1e-6 * (size + (b - a) * steepest) + 1e-12))
                fail_msg("%s: from %.17g to %.17g it changes by %.17g, its slope says %.17g", text, a, b,
                         change, integral);
            // A stretch of the piece.
            const double low = a + 0.37 * (b - a), high = a + 0.61 * (b - a);
            const lashi_bounds_jet r = lashi_expression_bounds(e, low, high, inside);
            for (int i = 0; i <= 20; i++) {
                const lashi_jet f = lashi_expression_jet_in(e, low + (high - low) * i / 20, inside);
                if (!holds(r.f, f.f) || !holds(r.df, f.df) || !holds(r.ddf, f.ddf))
                    fail_msg("%s: (%g, %g, %g) is not within ([%g, %g], [%g, %g], [%g, %g])", text, f.f, f.df,
                             f.ddf, r.f.low, r.f.high, r.df.low, r.df.high, r.ddf.low, r.ddf.high);
            }
            a = b;
            pieces++;
        }
        lash_expression_destroy(e);
    }
    assert_true(pieces > 2 * ROUNDS);
}

/* At its ends a piece goes on as inside it, whatever rounding says. */
static void test_sides(void **state) {
    (void)state;
    lash_expression *e = compile("if(t < 5 s, 1, 2) + mod(t, 1) + sign(t - 5) + abs(t - 5) + max(t, 10 - t)");
    const double left = lashi_expression_jet_in(e, 5, 4.5).f, right = lashi_expression_jet_in(e, 5, 5.5).f;
    assert_true(left == 1 + 1 - 1 + 0 + 5);
    assert_true(right == 2 + 0 + 1 + 0 + 5);
    assert_true(lashi_expression_jet_in(e, 5, 4.5).df == 0 + 1 - 1 - 1);
    assert_true(lashi_expression_jet_in(e, 5, 5.5).df == 0 + 1 + 1 + 1);
    // Without a piece of its own, t is just after the break.
    assert_true(lashi_expression_value(e, 5) == right);
    assert_true(lashi_expression_jet_in(e, 5, (double)NAN).f == right);
    lash_expression_destroy(e);
    // The argument of the root is -5.6e-17 at 0.1, by rounding alone.
    e = compile("sqrt(0.3 - 3*t)");
    assert_true(isnan(lashi_expression_value(e, 0.1)));
    assert_true(lashi_expression_jet_in(e, 0.1, 0.05).f == 0);
    assert_true(isnan(lashi_expression_jet_in(e, 0.11, 0.05).f));
    lash_expression_destroy(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_touching),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_pulses),
        cmocka_unit_test(test_shocks),
        cmocka_unit_test(test_pulse_without_extrema),
        cmocka_unit_test(test_waves_have_no_pulse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
