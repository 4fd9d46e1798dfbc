/* SPDX-License-Identifier: MIT
 *
 * Tables: interpolation, smoothness, order of convergence, integrals and continuation, against functions
 * known in closed form.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/table.h"

static const double PI = 3.14159265358979323846;
static const double ROUNDING = 1e-12;

static void check_near(double found, double wanted, double tolerance) {
    if (!(fabs(found - wanted) <= tolerance * (1 + fabs(wanted))))
        fail_msg("%.17g, wanted %.17g", found, wanted);
}

static lash_table *create(const double *x, const double *y, size_t count, lash_interpolation interpolation) {
    lash_table *table;
    lash_error error;
    if (lash_table_create(&table, x, y, count, interpolation, &error) != LASH_OK)
        fail_msg("%s", error.message);
    return table;
}

/* sin over [0, 2 pi] on n uneven intervals. */
static lash_table *sine(size_t n, lash_interpolation interpolation) {
    double *x = malloc((n + 1) * sizeof *x), *y = malloc((n + 1) * sizeof *y);
    assert_non_null(x);
    assert_non_null(y);
    for (size_t i = 0; i <= n; i++) {
        double s = (double)i / (double)n;
        x[i] = 2 * PI * (s + 0.1 / (2 * PI) * sin(2 * PI * s));
        y[i] = sin(x[i]);
    }
    lash_table *table = create(x, y, n + 1, interpolation);
    free(x);
    free(y);
    return table;
}

/* A parabola arc with natural ends is known: points (0,0), (1,1), (2,0) give M = -3 in the middle. */
static void test_known_spline(void **state) {
    (void)state;
    lash_table *table = create((double[]){0, 1, 2}, (double[]){0, 1, 0}, 3, LASH_SPLINE);
    for (double x = 0; x <= 1; x += 0.125) {
        lashi_jet jet = lashi_table_jet(table, x);
        check_near(jet.f, 1.5 * x - 0.5 * x * x * x, ROUNDING);
        check_near(jet.df, 1.5 - 1.5 * x * x, ROUNDING);
        check_near(jet.ddf, -3 * x, ROUNDING);
        check_near(lashi_table_integral(table, x), 0.75 * x * x - 0.125 * x * x * x * x, ROUNDING);
    }
    check_near(lashi_table_integral(table, 2), 1.25, ROUNDING);
    // Beyond the ends along the tangent, with its integral.
    lashi_jet left = lashi_table_jet(table, -2), right = lashi_table_jet(table, 3);
    check_near(left.f, -3, ROUNDING);
    check_near(left.df, 1.5, ROUNDING);
    check_near(right.f, -1.5, ROUNDING);
    check_near(right.df, -1.5, ROUNDING);
    assert_true(left.ddf == 0 && right.ddf == 0);
    check_near(lashi_table_integral(table, -2), 3, ROUNDING);
    check_near(lashi_table_integral(table, 3), 1.25 - 0.75, ROUNDING);
    assert_true(lashi_table_first(table) == 0 && lashi_table_last(table) == 2 &&
                lashi_table_size(table) == 3);
    lash_table_destroy(table);
}

static void test_two_points(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        lash_table *table = create((double[]){1, 3}, (double[]){5, 9}, 2, k ? LASH_LINEAR : LASH_SPLINE);
        lashi_jet jet = lashi_table_jet(table, 10);
        check_near(jet.f, 23, ROUNDING);
        check_near(jet.df, 2, ROUNDING);
        check_near(lashi_table_integral(table, 2), 6, ROUNDING);
        lash_table_destroy(table);
    }
}

static void test_linear(void **state) {
    (void)state;
    lash_table *table = create((double[]){0, 1, 3}, (double[]){0, 2, 0}, 3, LASH_LINEAR);
    lashi_jet jet = lashi_table_jet(table, 0.25), corner = lashi_table_jet(table, 1);
    check_near(jet.f, 0.5, ROUNDING);
    check_near(jet.df, 2, ROUNDING);
    assert_true(jet.ddf == 0);
    check_near(corner.f, 2, ROUNDING);
    check_near(corner.df, -1, ROUNDING); // to the right
    check_near(lashi_table_integral(table, 2), 1 + 1.5, ROUNDING);
    lash_error error;
    assert_int_equal(lashi_table_make_periodic(table, 4, &error), LASH_OK);
    check_near(lashi_table_jet(table, 3.5).f, 0, ROUNDING); // closed by a line from (3, 0) to (4, 0)
    check_near(lashi_table_jet(table, 4.25).f, 0.5, ROUNDING);
    check_near(lashi_table_jet(table, -3.75).f, 0.5, ROUNDING);
    check_near(lashi_table_integral(table, 8), 6, ROUNDING);
    lash_table_destroy(table);
}

/* Value and derivatives are continuous at the points, from both sides. */
static void test_smooth(void **state) {
    (void)state;
    const double tiny = 1e-7;
    for (int periodic = 0; periodic < 2; periodic++) {
        lash_table *table = sine(12, LASH_SPLINE);
        lash_error error;
        if (periodic)
            assert_int_equal(lashi_table_make_periodic(table, 2 * PI, &error), LASH_OK);
        for (size_t i = 0; i <= 12; i++) {
            double s = (double)i / 12, x = 2 * PI * s + 0.1 * sin(2 * PI * s);
            lashi_jet a = lashi_table_jet(table, x - tiny), b = lashi_table_jet(table, x + tiny);
            check_near(b.f, a.f, 3 * tiny);
            check_near(b.df, a.df, 3 * tiny);
            check_near(b.ddf, a.ddf, 10 * tiny);
            check_near(lashi_table_jet(table, x).f, sin(x), ROUNDING);
        }
        lash_table_destroy(table);
    }
}

static double worst(const lash_table *table, int derivative) {
    double error = 0;
    for (int i = 0; i <= 5000; i++) {
        double x = 2 * PI * i / 5000;
        lashi_jet jet = lashi_table_jet(table, x);
        double d[3] = {jet.f - sin(x), jet.df - cos(x), jet.ddf + sin(x)};
        error = fmax(error, fabs(d[derivative]));
    }
    return error;
}

/* f, f', f'' of the periodic spline of sin converge with orders 4, 3, 2; the natural one too, as sin'' = 0 at
 * both ends; the lines with order 2. */
static void test_orders(void **state) {
    (void)state;
    lash_error error;
    for (int periodic = 0; periodic < 2; periodic++) {
        lash_table *coarse = sine(40, LASH_SPLINE), *fine = sine(80, LASH_SPLINE);
        if (periodic) {
            assert_int_equal(lashi_table_make_periodic(coarse, 2 * PI, &error), LASH_OK);
            assert_int_equal(lashi_table_make_periodic(fine, 2 * PI, &error), LASH_OK);
        }
        for (int k = 0; k < 3; k++)
            check_near(log2(worst(coarse, k) / worst(fine, k)), 4 - k, 0.05);
        lash_table_destroy(coarse);
        lash_table_destroy(fine);
    }
    lash_table *coarse = sine(40, LASH_LINEAR), *fine = sine(80, LASH_LINEAR);
    check_near(log2(worst(coarse, 0) / worst(fine, 0)), 2, 0.05);
    lash_table_destroy(coarse);
    lash_table_destroy(fine);
}

static void test_periodic(void **state) {
    (void)state;
    lash_error error;
    lash_table *table = sine(400, LASH_SPLINE);
    assert_int_equal(lashi_table_make_periodic(table, 2 * PI, &error), LASH_OK);
    for (double x = -30; x < 30; x += 0.37) {
        check_near(lashi_table_jet(table, x).f, sin(x), 1e-8);
        check_near(lashi_table_integral(table, x), 1 - cos(x), 1e-8);
    }
    assert_int_equal(lashi_table_make_periodic(table, 2 * PI, &error), LASH_ERROR_USAGE);
    lash_table_destroy(table);

    // Without the closing point: one is added, on a ring of 3 points as well.
    double x[] = {0, 2 * PI / 3, 4 * PI / 3}, y[] = {0, sqrt(0.75), -sqrt(0.75)};
    table = create(x, y, 3, LASH_SPLINE);
    assert_int_equal(lashi_table_make_periodic(table, 2 * PI, &error), LASH_OK);
    lashi_jet start = lashi_table_jet(table, 0), end = lashi_table_jet(table, 2 * PI - 1e-12);
    check_near(end.f, start.f, 1e-10);
    check_near(end.df, start.df, 1e-10);
    check_near(end.ddf, start.ddf, 1e-10);
    // By symmetry M = (0, m, -m) with h (0 + 4 m - m) = 6 (chord after - chord before).
    double h = 2 * PI / 3, m = 6 * (-2 * sqrt(0.75) / h - sqrt(0.75) / h) / (3 * h);
    check_near(lashi_table_jet(table, h).ddf, m, ROUNDING);
    lash_table_destroy(table);
}

static void check_fails(const double *x, const double *y, size_t count, const char *part) {
    lash_table *table;
    lash_error error;
    lash_status status = lash_table_create(&table, x, y, count, LASH_SPLINE, &error);
    assert_null(table);
    assert_int_equal(status, LASH_ERROR_MODEL);
    if (!strstr(error.message, part))
        fail_msg("%s (wanted '%s')", error.message, part);
}

static void test_refusals(void **state) {
    (void)state;
    const double y[4] = {0, 1, 2, 3};
    check_fails(y, y, 1, "at least 2");
    check_fails(NULL, NULL, 0, "at least 2");
    check_fails((double[]){0, 1, 1}, y, 3, "point 3 (x = 1)");
    check_fails((double[]){0, 2, 1}, y, 3, "must rise");
    check_fails((double[]){0, 1, (double)INFINITY}, y, 3, "not finite");
    check_fails((double[]){0, 1, 2}, (double[]){0, (double)NAN, 1}, 3, "point 2");
    check_fails((double[]){0, 1e-300, 1}, (double[]){0, 1e200, 0}, 3, "overflows");
    check_fails(y, y, 1000001, "1000000");
    lash_table *table;
    lash_error error;
    assert_int_equal(lash_table_create(&table, NULL, y, 2, LASH_SPLINE, &error), LASH_ERROR_USAGE);
    lash_table_destroy(NULL);

    // A refused period leaves the table as it was.
    table = create(y, y, 4, LASH_SPLINE);
    assert_int_equal(lashi_table_make_periodic(table, 2, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "shorter"));
    assert_int_equal(lashi_table_make_periodic(table, 3, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "end where it begins"));
    assert_int_equal(lashi_table_make_periodic(table, (double)NAN, &error), LASH_ERROR_MODEL);
    check_near(lashi_table_jet(table, 1.5).f, 1.5, ROUNDING);
    lash_table_destroy(table);
    table = create((double[]){0, 1, 2}, (double[]){0, 1, 0}, 3, LASH_SPLINE);
    assert_int_equal(lashi_table_make_periodic(table, 2, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "at least 3"));
    lash_table_destroy(table);
}

/* The most points a table may have; and places that are not numbers do no harm. */
static void test_large(void **state) {
    (void)state;
    lash_table *table = sine(999999, LASH_SPLINE);
    check_near(lashi_table_jet(table, 1.25).f, sin(1.25), ROUNDING);
    check_near(lashi_table_jet(table, 1.25).df, cos(1.25), 1e-9);
    check_near(lashi_table_integral(table, PI), 2, 1e-11);
    assert_true(isnan(lashi_table_jet(table, (double)NAN).f));
    lash_error error;
    assert_int_equal(lashi_table_make_periodic(table, 2 * PI, &error), LASH_OK);
    check_near(lashi_table_jet(table, 1.25 - 2 * PI).f, sin(1.25), ROUNDING);
    assert_true(isnan(lashi_table_jet(table, (double)INFINITY).f));
    lash_table_destroy(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_spline), cmocka_unit_test(test_two_points),
        cmocka_unit_test(test_linear),       cmocka_unit_test(test_smooth),
        cmocka_unit_test(test_orders),       cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
