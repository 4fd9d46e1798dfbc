/* SPDX-License-Identifier: MIT
 *
 * Expressions: values and derivatives against closed forms and eighth-order differences, the rules of
 * dimensions, messages with their places, and random text that must never crash.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "input/units.h"
#include "math/expression.h"

static const double PI = 3.14159265358979323846;
static const double ROUNDING = 1e-13;  // relative, for a few operations
static const double DIFFERENCE = 1e-8; // relative, of the difference formula on the random expressions

static const lashi_symbol symbols[] = {
    {"play", 5e-5, {.exponent = {1}}},
    {"mass", 0.3, {.exponent = {0, 1}}},
    {"f", 50, {.exponent = {0, 0, -1}}},
    {"a", 9.81, {.exponent = {1, 0, -2}}},
    {"n", 3, {.open = true}},
    {"zero", 0, {.open = true}},
    {"speed", 2, {.exponent = {1, 0, -1}}},
    {"angle", 0.5, {.exponent = {0}}},
};
static const lashi_scope scope = {.symbols = symbols,
                                  .symbol_count = sizeof symbols / sizeof symbols[0],
                                  .of = LASHI_OF_TIME,
                                  .unit = lashi_unit_parse};
static const lashi_scope no_time = {
    .symbols = symbols, .symbol_count = sizeof symbols / sizeof symbols[0], .unit = lashi_unit_parse};

static lash_expression *compile(const char *text) {
    lash_expression *expression;
    lash_error error;
    if (lashi_expression_compile(&expression, text, &scope, &error) != LASH_OK)
        fail_msg("%s: column %d: %s", text, error.column, error.message);
    return expression;
}

static lashi_jet jet_of(const char *text, double t) {
    lash_expression *expression = compile(text);
    lashi_jet jet = lashi_expression_jet(expression, t);
    lash_expression_destroy(expression);
    return jet;
}

static void check_near(const char *text, double found, double wanted, double tolerance) {
    if (!(fabs(found - wanted) <= tolerance * (1 + fabs(wanted))))
        fail_msg("%s: %.17g, wanted %.17g", text, found, wanted);
}

static void check_jet(const char *text, double t, double f, double df, double ddf) {
    lashi_jet jet = jet_of(text, t);
    check_near(text, jet.f, f, ROUNDING);
    check_near(text, jet.df, df, ROUNDING);
    check_near(text, jet.ddf, ddf, ROUNDING);
}

static void check_value(const char *text, double f) {
    check_jet(text, 0, f, 0, 0);
}

/* Fails with a message that holds `part`, at `column`. */
static void check_fails_in(const lashi_scope *where, const char *text, int column, const char *part) {
    lash_expression *expression;
    lash_error error;
    lash_status status = lashi_expression_compile(&expression, text, where, &error);
    lash_expression_destroy(expression);
    if (status != LASH_ERROR_MODEL)
        fail_msg("%s: compiles, but should not", text);
    assert_null(expression);
    assert_int_equal(error.line, 0);
    if (!strstr(error.message, part) || error.column != column)
        fail_msg("%s: column %d (wanted %d): %s (wanted '%s')", text, error.column, column, error.message,
                 part);
}

static void check_fails(const char *text, int column, const char *part) {
    check_fails_in(&scope, text, column, part);
}

static void check_dimension(const char *text, lashi_dimension wanted) {
    lash_expression *expression = compile(text);
    lashi_dimension found = lashi_expression_dimension(expression);
    lash_expression_destroy(expression);
    char a[100], b[100];
    if (found.open != wanted.open || memcmp(found.exponent, wanted.exponent, sizeof found.exponent) != 0)
        fail_msg("%s: is a %s, wanted a %s", text, lashi_dimension_print(a, sizeof a, found),
                 lashi_dimension_print(b, sizeof b, wanted));
}

static void test_values(void **state) {
    (void)state;
    check_value("1+2*3", 7);
    check_value("2^3^2", 512);
    check_value("-2^2", -4);
    check_value("2^-1", 0.5);
    check_value("8/4/2", 1);
    check_value("1 - 2 - 3", -4);
    check_value("-(1+2)*-3", 9);
    check_value("+.5e1", 5);
    check_value("2*pi", 2 * PI);
    check_value("e", 2.718281828459045);
    check_value("log(e^3)", 3);
    check_value("min(3,1,2) + max(3,1,2,9)", 10);
    check_value("pow(2, 10)", 1024);
    check_value("mod(-1, 3) + mod(7, 3)", 3);
    check_value("mod(7, -3)", -2);
    check_value("hypot(3, 4)", 5);
    check_value("atan2(-1, -1)", -0.75 * PI);
    check_value("log10(1000) + sqrt(16) + abs(-2) + sign(-7)", 8);
    check_value("if(1 < 2 and not 2 < 1, 5, 6)", 5);
    check_value("if(1 > 2 or 3 != 3, 5, 6)", 6);
    check_value("if(2 <= 2 and 2 >= 2 and 2 == 2, 1, 0)", 1);
    check_value("smoothstep(0.5) + smoothstep(-1) + smoothstep(7)", 1.5);
    check_value("ramp(0.75, 0.5, 1)", 0.5);
    // A guard against a parameter that is zero works.
    check_value("if($zero != 0, 1/$zero, 4)", 4);
}

static void test_units(void **state) {
    (void)state;
    check_value("5000 rpm", 5000 * 2 * PI / 60);
    check_value("90 deg", PI / 2);
    check_value("1e-4 kg m^2", 1e-4);
    check_value("20 N m", 20);
    check_value("20 N*m", 20);
    check_value("20 Nm", 20);
    check_value("400 cP", 0.4);
    check_value("25 degC", 298.15);
    check_value("-5 degC", 268.15);
    check_value("207 GPa", 207e9);
    check_value("3 µm + 2 um", 5e-6);
    check_value("3 m/2", 1.5);
    check_value("2 mm2*3", 6e-6);
    check_value("5 1/s", 5);
    check_value("5 s^-1", 5);
    check_value("10 m / s^2", 10);
    check_value("2 min", 120);
    check_value("min(2 min, 3 s)", 3);
    check_value("if($play < 3 mm and 2 s > 1 s, 1 m, 2 m)", 1);
    assert_true(jet_of("0.7 mm", 0).f == 0.0007);
    assert_true(jet_of("170 mm", 0).f == 0.17);
    check_jet("0.5 m/s*t", 2, 1, 0.5, 0);
    check_jet("2 m*sin(t)", 0, 0, 2, 0);
    check_fails("1 + 25 degC", 8, "stand alone");
    check_fails("2*25 degC", 6, "stand alone");
    check_fails("2 pi", 3, "2*pi");
    check_fails("2 e", 3, "2*e");
    check_fails("3 t", 3, "3*t");
    check_fails_in(&no_time, "3 t", 3, "tonne");
    check_fails("2 $play", 3, "*");
    check_fails("2 sin(t)", 3, "2*sin");
    check_fails("2 (3)", 3, "*");
    check_fails("3 m^$n", 4, "whole number");
    check_fails("3 m^2^2", 6, "whole number");
    check_fails("3 mmm", 3, "mm");
    check_fails("3 4", 3, "operator");
    const lashi_scope plain = {.of = LASHI_OF_TIME};
    check_fails_in(&plain, "3 mm", 3, "plain SI");
}

static void test_dimensions(void **state) {
    (void)state;
    const lashi_dimension open = {.open = true}, length = {.exponent = {1}}, pure = {.exponent = {0}},
                          torque = {.exponent = {2, 1, -2}};
    check_dimension("5", open);
    check_dimension("5*t", open);
    check_dimension("sin(2*pi*50*t)", open);
    check_dimension("0.1*sin(2*pi*$f*t)", open);
    check_dimension("$play*sin(2*pi*$f*t)", length);
    check_dimension("$a*t^2/2", length);
    check_dimension("t^2/2*$a", length);
    check_dimension("0.5*t^2*$a", length);
    check_dimension("2*$play", length);
    check_dimension("$play/2", length);
    check_dimension("$play + 1", length);
    check_dimension("1 + $play", length);
    check_dimension("$n*$play", open);
    check_dimension("(1 + t/2)*$play", open);
    check_dimension("sqrt($play^2)", length);
    check_dimension("($play^2)^0.5", length);
    check_dimension("hypot($play, 1 mm)", length);
    check_dimension("max($play, 0)", length);
    check_dimension("if(t < 1 s, 0, $play)", length);
    check_dimension("abs(-$play)", length);
    check_dimension("$play/(1 mm)", pure);
    check_dimension("90 deg", pure);
    check_dimension("$speed*t + $play", length);
    check_dimension("20 N m", torque);
    check_dimension("ramp(t, 0, 1 s)*$play", length);

    check_fails("$play + $mass", 7, "adds a length [m] to a mass [kg]");
    check_fails("$play - $mass", 7, "subtracts a mass [kg] from a length [m]");
    check_fails("if($play < $mass, 1, 2)", 10, "compares a length [m] with a mass [kg]");
    check_fails("max($play, $mass)", 12, "max(…) mixes a length [m] and a mass [kg]");
    check_fails("if(1<2, $play, $mass)", 16, "if(…) mixes");
    check_fails("sin($play)", 5, "not a length [m]");
    check_fails("2^$play", 3, "exponent");
    check_fails("$play^t", 6, "power that varies");
    check_fails("$play^0.5", 6, "root of a length");
    check_fails("sqrt($play)", 1, "root of a length");
    check_fails("$play^1.7", 6, "1.7");
    check_fails("$a*t + $play", 6, "adds a speed [m/s] to a length [m]");
    check_fails("$play^60*$play^60", 9, "beyond");
    check_fails("1 + (2 < 3)", 6, "comparison");
    check_fails("1 < 2", 1, "comparison");
    check_fails("1 < 2 < 3", 1, "comparison");
    check_fails("if(1, 2, 3)", 4, "comparison");

    // Where a length belongs.
    assert_true(lashi_dimension_fits(open, length));
    assert_true(lashi_dimension_fits(length, length));
    assert_false(lashi_dimension_fits((lashi_dimension){.exponent = {0, 1}}, length));
    char text[100];
    assert_string_equal(lashi_dimension_print(text, sizeof text, length), "length [m]");
    assert_string_equal(lashi_dimension_print(text, sizeof text, torque), "torque or energy [kg m^2/s^2]");
    assert_string_equal(lashi_dimension_print(text, 4, torque), "tor");
    assert_string_equal(lashi_dimension_print(text, sizeof text, (lashi_dimension){.exponent = {-1, 0, -4}}),
                        "quantity [1/m/s^4]");
}

/* Hz counts turns or periods: 2*pi makes an angular speed of it. */
static void test_frequencies(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool frequency;
    } cases[] = {{"10 Hz", true},          {"2*10 Hz", true},      {"10 Hz + 1 rad/s", true},
                 {"$n*10 Hz", true},       {"-10 Hz", true},       {"max(10 Hz, 2 Hz)", true},
                 {"10 Hz*t", true},        {"2*pi*10 Hz", false},  {"10 Hz*2*pi", false},
                 {"10 rad*3 Hz", false},   {"10 rpm", false},      {"10 1/s", false},
                 {"2*pi*10 Hz*t", false},  {"360 deg*$f", false},  {"sin(2*pi*10 Hz*t)", false},
                 {"exp(-10 Hz*t)", false}, {"5 m*3 Hz/pi", false}, {"if(t < 1 s, 1 Hz, 2 Hz)", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lash_expression *expression = compile(cases[i].text);
        if (lashi_expression_dimension(expression).frequency != cases[i].frequency)
            fail_msg("%s: %s", cases[i].text, cases[i].frequency ? "no frequency" : "a frequency");
        lash_expression_destroy(expression);
    }
    check_fails("sin(10 Hz*t)", 5, "2*pi");
    check_fails("2 + cos(3*t*600 1/min)", 9, "2*pi");
}

static void test_derivatives(void **state) {
    (void)state;
    double t = 0.7, w = 2 * PI * 50;
    check_jet("sin(2*pi*50*t)", 0.0123, sin(w * 0.0123), w * cos(w * 0.0123), -w * w * sin(w * 0.0123));
    check_jet("exp(-2*t)*cos(t)", t, exp(-2 * t) * cos(t), -exp(-2 * t) * (2 * cos(t) + sin(t)),
              exp(-2 * t) * (3 * cos(t) + 4 * sin(t)));
    check_jet("t^3", t, t * t * t, 3 * t * t, 6 * t);
    check_jet("1/t", t, 1 / t, -1 / (t * t), 2 / (t * t * t));
    check_jet("t^t", t, pow(t, t), pow(t, t) * (log(t) + 1),
              pow(t, t) * ((log(t) + 1) * (log(t) + 1) + 1 / t));
    check_jet("sqrt(t)", 4, 2, 0.25, -1.0 / 32);
    check_jet("tan(t)", 0.25 * PI, 1, 2, 4);
    check_jet("atan2(sin(t), cos(t))", t, t, 1, 0);
    check_jet("hypot(3*t, 4*t)", t, 5 * t, 5, 0);
    check_jet("hypot(1, t)", 0, 1, 0, 1);
    check_jet("hypot(3*t + t^2, 4*t + 2*t^2)", 0, 0, 5, 4.4); // along the velocity: (3 2 + 4 4)/5
    check_jet("smoothstep(t)", 0.5, 0.5, 1.875, 0);
    check_jet("mod(5*t^2, 2)", 1.1, 5 * 1.21 - 6, 11, 10);
    check_jet("ramp(t, 1, 3)*10", 2, 5, 10 * 1.875 / 2, 0);

    // Whole powers at zero.
    check_jet("t^0", 0, 1, 0, 0);
    check_jet("t^1", 0, 0, 1, 0);
    check_jet("t^2", 0, 0, 0, 2);
    check_jet("t^3", 0, 0, 0, 0);
    check_jet("(t-1)^2", 0, 1, -2, 2);
    check_jet("(-2 + t)^3", 0, -8, 12, -12);
    // Corners: the derivative just after.
    check_jet("abs(t - 1)", 1, 0, 1, 0);
    check_jet("abs(1 - t)", 1, 0, 1, 0);
    check_jet("abs(t - 2)", 1, 1, -1, 0);
    check_jet("min(t, t^2)", 0, 0, 0, 2);
    check_jet("max(t, t^2)", 1, 1, 2, 2);
    check_jet("hypot(3*t, 4*t)", 0, 0, 5, 0);
    check_jet("hypot(3*t^2, 4*t^2)", 0, 0, 0, 10);
    check_jet("sqrt(0*t)", 1, 0, 0, 0);
    // Branches: the derivative of the one taken, and no trace of the other.
    check_jet("if(t < 1, t^2, log(t - 1))", 0.5, 0.25, 1, 2);
    check_jet("if(t < 1, t^2, 5*t)", 1, 5, 5, 0);
}

/* A random smooth function of t, of moderate size. */
static size_t grow(char *out, size_t size, int depth, unsigned *seed) {
    static const char *const one[] = {"sin(%)",
                                      "cos(%)",
                                      "tanh(%)",
                                      "atan(%)",
                                      "sqrt(1 + (%)^2)",
                                      "exp(-(%)^2)",
                                      "log(3 + sin(%))",
                                      "asin(0.9*sin(%))",
                                      "acos(0.8*cos(%))",
                                      "-(%)",
                                      "sinh(tanh(%))",
                                      "cosh(sin(%))",
                                      "log10(2 + cos(%))",
                                      "tan(sin(%))",
                                      "smoothstep(0.5 + 0.2*sin(%))"};
    static const char *const two[] = {"(%) + (%)",
                                      "(%) - (%)",
                                      "(%)*sin(%)",
                                      "(%)/(2 + cos(%))",
                                      "hypot(%, 1.5 + sin(%))",
                                      "atan2(sin(%), 3 + sin(%))",
                                      "(2 + sin(%))^(cos(%))",
                                      "if(t < 50, %, %)",
                                      "0.1*pow(2 + cos(%), 3)*sin(%)"};
    if (depth == 0)
        return (size_t)snprintf(out, size, "%.2f*t", 0.5 + 0.01 * (double)(rand_r(seed) % 100));
    unsigned pick = (unsigned)rand_r(seed) % 24;
    const char *pattern = pick < 15 ? one[pick] : two[pick - 15];
    size_t n = 0;
    for (const char *c = pattern; *c && n + 1 < size; c++)
        n += *c == '%' ? grow(out + n, size - n, depth - 1, seed) : (out[n] = *c, (size_t)1);
    out[n] = '\0';
    return n;
}

/* Eighth-order central first difference. */
static double slope(const double samples[9], double h) {
    return (672 * (samples[5] - samples[3]) - 168 * (samples[6] - samples[2]) +
            32 * (samples[7] - samples[1]) - 3 * (samples[8] - samples[0])) /
           (840 * h);
}

static void test_random_derivatives(void **state) {
    (void)state;
    const double h = 1.0 / 2048;
    unsigned seed = 7;
    for (int round = 0; round < 2000; round++) {
        char text[4096];
        grow(text, sizeof text, 1 + round % 4, &seed);
        lash_expression *expression = compile(text);
        double t = 0.001 * (rand_r(&seed) % 1500), f[9], df[9];
        for (int i = 0; i < 9; i++) {
            lashi_jet jet = lashi_expression_jet(expression, t + (i - 4) * h);
            f[i] = jet.f;
            df[i] = jet.df;
            assert_true(isfinite(jet.f) && isfinite(jet.df) && isfinite(jet.ddf));
        }
        lashi_jet jet = lashi_expression_jet(expression, t);
        lash_expression_destroy(expression);
        double size = 1 + fabs(jet.f) + fabs(jet.df) + fabs(jet.ddf);
        check_near(text, jet.df, slope(f, h), DIFFERENCE * size);
        check_near(text, jet.ddf, slope(df, h), DIFFERENCE * size);
    }
}

static void test_messages(void **state) {
    (void)state;
    check_fails("", 1, "empty");
    check_fails("1 +", 4, "ends");
    check_fails("sni(t)", 1, "did you mean sin?");
    check_fails("sin", 1, "sin(…)");
    check_fails("play*2", 1, "$play");
    check_fails("$ply", 1, "did you mean $play?");
    check_fails("$unknown", 1, "define it");
    check_fails("$", 1, "name of a parameter");
    check_fails("foo(3)", 1, "smoothstep");
    check_fails("(1 + 2", 7, "column 1");
    check_fails("1 + 2)", 6, "closes nothing");
    check_fails("sin(1, 2)", 7, "takes 1 argument");
    check_fails("atan2(1)", 1, "needs 2 arguments");
    check_fails("max(1)", 1, "at least 2");
    check_fails("sin(1", 6, "not closed");
    check_fails("t**2", 3, "^");
    check_fails("if(t = 2, 1, 2)", 6, "not closed");
    check_fails("t = 2", 3, "==");
    check_fails("2 + #", 5, "#");
    check_fails("t $n", 3, "operator is missing");
    check_fails("1/0", 2, "finite");
    check_fails("3 + log(-1)", 5, "finite");
    check_fails("1e999", 1, "finite");
    check_fails("atan(1/$zero)", 7, "finite");
    check_fails("1e300*1e300*t", 6, "finite");
    check_fails("ramp(t, 1, 1)", 1, "x0 < x1");
    check_fails_in(&no_time, "2*t", 3, "must be constant");
}

static void test_limits(void **state) {
    (void)state;
    enum { DEEP = 100000 };
    char *text = malloc(DEEP + 1);
    assert_non_null(text);
    memset(text, '(', DEEP);
    text[DEEP] = '\0';
    check_fails(text, 8193, "longer");
    text[8000] = '\0';
    check_fails(text, 101, "nested deeper");
    memset(text, '-', 8000);
    check_fails(text, 101, "nested deeper");
    // A long sum is not a deep one.
    size_t n = 0;
    for (int i = 0; i < 2000; i++)
        n += (size_t)sprintf(text + n, "%st", i ? "+" : "");
    assert_true(jet_of(text, 2).f == 4000);
    // Many values pending: t+(t+(t+…
    n = 0;
    for (int i = 0; i < 45; i++)
        n += (size_t)sprintf(text + n, "max(t,t,(");
    check_fails(text, (int)n + 1, "ends");
    n = 0;
    for (int i = 0; i < 40; i++)
        n += (size_t)sprintf(text + n, "max(t,t,");
    n += (size_t)sprintf(text + n, "t");
    for (int i = 0; i < 40; i++)
        n += (size_t)sprintf(text + n, ")");
    lash_expression *expression;
    lash_error error;
    assert_int_equal(lashi_expression_compile(&expression, text, &scope, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "pending"));
    free(text);
}

static void test_random_text(void **state) {
    (void)state;
    static const char *const pieces[] = {
        "(",     ")",    "+",    "-",     "*",   "/",     "^",  "**",  ",",  "t",    "pi",  "e",
        "$play", "$n",   "$",    "1",     "2.5", ".",     "3e", "e-4", "mm", "kg m", "rpm", "degC",
        "sin",   "if(",  "max(", "ramp(", "and", "or",    "<",  "==",  "!",  " ",    "\t",  "not",
        "µ",     "\xff", "^2",   "^-1",   "1/s", "sqrt(", "%",  "°",   "[",
    };
    unsigned seed = 3;
    int good = 0;
    for (int round = 0; round < 100000; round++) {
        char text[256] = "";
        size_t n = 0;
        for (int i = rand_r(&seed) % 12; i >= 0; i--) {
            const char *piece = pieces[(size_t)rand_r(&seed) % (sizeof pieces / sizeof pieces[0])];
            n += (size_t)snprintf(text + n, sizeof text - n, "%s", piece);
            if (rand_r(&seed) % 16 == 0 && n + 1 < sizeof text) {
                text[n++] = (char)(1 + rand_r(&seed) % 255);
                text[n] = '\0';
            }
        }
        lash_expression *expression;
        lash_error error;
        if (lashi_expression_compile(&expression, text, &scope, &error) == LASH_OK) {
            good++;
            (void)lashi_expression_jet(expression, 0.3);
        } else {
            assert_null(expression);
            assert_true(error.column >= 1 && error.column <= (int)strlen(text) + 1 && error.message[0]);
        }
        lash_expression_destroy(expression);
    }
    assert_true(good > 1000); // the generator does reach valid expressions
}

static void test_public(void **state) {
    (void)state;
    lash_expression *expression;
    lash_error error;
    assert_int_equal(lash_expression_create(&expression, "0.1*sin(2*pi*t)", &error), LASH_OK);
    assert_false(lashi_expression_is_constant(expression));
    check_near("public", lashi_expression_value(expression, 0.25), 0.1, ROUNDING);
    lash_expression_destroy(expression);
    assert_int_equal(lash_expression_create(&expression, "1 + 2", &error), LASH_OK);
    assert_true(lashi_expression_is_constant(expression));
    lash_expression_destroy(expression);
    assert_int_equal(lash_expression_create(&expression, NULL, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_expression_create(&expression, "1 +", NULL), LASH_ERROR_MODEL);
    assert_null(expression);
    lash_expression_destroy(NULL);
}

static const char *fruit(const void *list, size_t index) {
    return ((const char *const *)list)[index];
}

static void test_nearest(void **state) {
    (void)state;
    static const char *const names[] = {"apple", "banana", "cherry", "m", NULL};
    assert_string_equal(lashi_nearest("appel", fruit, names), "apple");
    assert_string_equal(lashi_nearest("APPLE", fruit, names), "apple");
    assert_string_equal(lashi_nearest("bannaan", fruit, names), "banana");
    assert_string_equal(lashi_nearest("M", fruit, names), "m");
    assert_null(lashi_nearest("k", fruit, names));
    assert_null(lashi_nearest("orange", fruit, names));
    assert_null(lashi_nearest("", fruit, names));
    double x;
    assert_int_equal(lashi_read_number(&x, "1e-4kg", 6), 4);
    assert_true(x == 1e-4);
    assert_int_equal(lashi_read_number(&x, "2e", 2), 1);
    assert_int_equal(lashi_read_number(&x, ".", 1), 0);
    // Short numbers are rounded once, like those of the C library.
    unsigned long long seed = 1;
    for (int k = 0; k < 100000; k++) {
        char text[64];
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        const int digits = 1 + (int)(seed >> 33) % 18, power = (int)(seed >> 40) % 60 - 30;
        const int length = snprintf(text, sizeof text, "%.*f", digits, (double)(seed >> 11) / 9e12);
        if (seed >> 62 & 1)
            snprintf(text + length, sizeof text - (size_t)length, "e%d", power);
        assert_int_equal(lashi_read_number(&x, text, strlen(text)), strlen(text));
        if (!(x == strtod(text, NULL)))
            fail_msg("%s is read as %.17g", text, x);
    }
    assert_int_equal(lashi_read_number(&x, "12345", 2), 2);
    assert_true(x == 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),      cmocka_unit_test(test_units),
        cmocka_unit_test(test_dimensions),  cmocka_unit_test(test_frequencies),
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_random_derivatives),
        cmocka_unit_test(test_messages),    cmocka_unit_test(test_limits),
        cmocka_unit_test(test_random_text), cmocka_unit_test(test_public),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
