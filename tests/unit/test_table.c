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

#include "math/table_value.h"

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
    assert_int_equal(lash_table_set_beyond(table, LASH_BEYOND_EXTRAPOLATE, NULL), LASH_OK);
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
    for (int k = 0; k < 3; k++) {
        lash_table *table = create((double[]){1, 3}, (double[]){5, 9}, 2, (lash_interpolation)k);
        assert_int_equal(lash_table_set_beyond(table, LASH_BEYOND_EXTRAPOLATE, NULL), LASH_OK);
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
        else
            assert_int_equal(lash_table_set_beyond(table, LASH_BEYOND_EXTRAPOLATE, NULL), LASH_OK);
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
    check_fails((double[]){0, 2, 1}, y, 3, "must increase");
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

/* A spline's third derivative jumps at its points: what that makes is to be seen where it is more than is asked for, unless
 * the points are so many that the function is smooth. */
static void test_points_that_matter(void **state) {
    (void)state;
    enum { MOST = 4001 };
    static double x[MOST], y[MOST];
    for (int dense = 0; dense < 2; dense++) {
        const size_t count = dense ? MOST : 9;
        for (size_t i = 0; i < count; i++) {
            x[i] = 4 * (double)i / (double)(count - 1);
            y[i] = cos(x[i]);
        }
        lash_table *table = create(x, y, count, LASH_SPLINE);
        const double up = lashi_table_unseen(table, 0.8, 1.2, 1.2, 0.3, 1e-6),
                     down = lashi_table_unseen(table, 1.2, 0.8, 0.8, 0.3, 1e-6);
        if (dense ? !(isnan(up) && isnan(down)) : !(up == 1 && down == 1))
            fail_msg("%zu points: %g and %g", count, up, down);
        assert_true(isnan(lashi_table_unseen(table, 0.8, 1.2, 1.2, 0.3, 1e-2)));
        assert_true(isnan(lashi_table_unseen(table, 0.8, 1.2, 1.2, 1, 1e-6)));
        assert_true(isnan(lashi_table_unseen(table, 0.80001, 0.80002, 0.80002, 0.3, 1e-6)));
        assert_true(dense || isnan(lashi_table_unseen(table, 0.6, 0.9, 0.9, 0.3, 1e-6)));
        // One that is passed alone is seen, where three are passed they are a smooth function.
        const double one = lashi_table_unseen(table, 0.7, 1.3, 1.3, 0.3, 2e-3),
                     three = lashi_table_unseen(table, 0.5, 2.4, 2.4, 0.3, 2e-3);
        assert_true(dense || (one == 1 && isnan(three)));
        lash_table_destroy(table);
    }
}

/* Between two points a monotone table does not leave their values, and it has no corner. */
static void test_monotone(void **state) {
    (void)state;
    unsigned seed = 3;
    for (int round = 0; round < 500; round++) {
        enum { COUNT = 9 };
        double x[COUNT], y[COUNT], at = -2;
        for (size_t i = 0; i < COUNT; i++) {
            x[i] = at;
            y[i] = rand_r(&seed) % 3 ? 0.01 * (rand_r(&seed) % 1000) : i > 0 ? y[i - 1] : 0;
            at += 0.001 * (1 + rand_r(&seed) % 1000);
        }
        const bool periodic = round % 2;
        lash_table *table = create(x, y, COUNT, LASH_MONOTONE);
        if (periodic)
            assert_int_equal(lashi_table_make_periodic(table, at - x[0], NULL), LASH_OK);
        double integral = 0;
        for (size_t i = 0; i + 1 < COUNT; i++) {
            const double h = x[i + 1] - x[i], low = fmin(y[i], y[i + 1]), high = fmax(y[i], y[i + 1]);
            for (int k = 0; k <= 100; k++) {
                const double f = lashi_table_jet(table, x[i] + h * k / 100).f;
                if (!(f >= low - ROUNDING && f <= high + ROUNDING))
                    fail_msg("%g is not between %g and %g", f, low, high);
            }
            // Simpson's formula is exact for a cubic; so are differences of the slope at the points.
            integral += h / 6 * (y[i] + 4 * lashi_table_jet(table, x[i] + 0.5 * h).f + y[i + 1]);
            check_near(lashi_table_integral(table, x[i + 1]), integral, ROUNDING);
            if (i > 0)
                check_near(lashi_table_jet_in(table, x[i], x[i] - 1e-4 * (x[i] - x[i - 1])).df,
                           lashi_table_jet_in(table, x[i], x[i] + 1e-4 * h).df, 1e-10);
        }
        if (periodic)
            check_near(lashi_table_jet_in(table, x[0], x[0] - 1e-9).df, lashi_table_jet(table, x[0]).df,
                       1e-9);
        double where, value;
        assert_true(lashi_table_overshoot(table, &where, &value) < ROUNDING);
        lash_table_destroy(table);
    }
    // The work of a press: nothing, then 1000 N. The spline has another sign.
    const double x[] = {0, 5e-3, 6e-3, 10e-3}, y[] = {0, 0, 1000, 1000};
    lash_table *table = create(x, y, 4, LASH_MONOTONE), *spline = create(x, y, 4, LASH_SPLINE);
    assert_true(lashi_table_jet(table, 3e-3).f == 0 && lashi_table_jet(table, 8e-3).f == 1000);
    check_near(lashi_table_jet(table, 5.5e-3).f, 500, ROUNDING);
    assert_true(lashi_table_jet(spline, 3e-3).f < -800);
    double where = 0, value = 0, lowest = 0;
    const double share = lashi_table_overshoot(spline, &where, &value);
    for (double at = 0; at < 10e-3; at += 1e-7)
        lowest = fmax(lowest, fmax(-lashi_table_jet(spline, at).f, lashi_table_jet(spline, at).f - 1000));
    check_near(1000 * share, lowest, 1e-6);
    check_near(lashi_table_jet(spline, where).f, value, ROUNDING);
    check_near(share, (value < 0 ? -value : value - 1000) / 1000, ROUNDING);
    lash_table_destroy(table);
    lash_table_destroy(spline);
    // Points of 1 + (x − 1)²: at both ends the slope is that of the parabola.
    const double px[] = {1.5, 1.75, 2.5, 3, 3.25};
    double py[5];
    for (int i = 0; i < 5; i++)
        py[i] = 1 + (px[i] - 1) * (px[i] - 1);
    table = create(px, py, 5, LASH_MONOTONE);
    check_near(lashi_table_jet(table, 1.5).df, 1, ROUNDING);
    check_near(lashi_table_jet_in(table, 3.25, 3.2).df, 4.5, ROUNDING);
    lash_table_destroy(table);
    // How far any spline leaves its points, against looks at it.
    for (int round = 0; round < 40; round++) {
        enum { COUNT = 6, LOOKS = 2000 };
        double u[COUNT], v[COUNT], at = 0, low = INFINITY, high = -INFINITY, most = 0;
        for (size_t i = 0; i < COUNT; i++) {
            u[i] = at += 0.1 + 0.001 * (rand_r(&seed) % 1000);
            v[i] = 0.01 * (rand_r(&seed) % 1000);
            low = fmin(low, v[i]);
            high = fmax(high, v[i]);
        }
        spline = create(u, v, COUNT, LASH_SPLINE);
        for (size_t i = 0; i + 1 < COUNT; i++)
            for (int k = 0; k <= LOOKS; k++) {
                const double f = lashi_table_jet(spline, u[i] + (u[i + 1] - u[i]) * k / LOOKS).f;
                most = fmax(most, fmax(f - fmax(v[i], v[i + 1]), fmin(v[i], v[i + 1]) - f));
            }
        check_near(lashi_table_overshoot(spline, &where, &value), most / (high - low), 1e-5);
        lash_table_destroy(spline);
    }
    // Third order where the points rise or fall.
    double error[2] = {0, 0};
    for (int fine = 0; fine < 2; fine++) {
        table = sine(fine ? 160 : 80, LASH_MONOTONE);
        for (double at = -1; at < 1; at += 0.001)
            error[fine] = fmax(error[fine], fabs(lashi_table_jet(table, PI + at).f - sin(PI + at)));
        lash_table_destroy(table);
    }
    assert_true(error[0] / error[1] > 7);
}

/* Outside its points. */
static void test_beyond(void **state) {
    (void)state;
    const double x[] = {1, 2, 4}, y[] = {0, 6, 0}, ends[] = {3, 6, 1};
    lash_table *table = create(x, y, 3, LASH_LINEAR);
    assert_true(isnan(lashi_table_jet(table, 0.9).f) && isnan(lashi_table_jet(table, 4.1).f));
    assert_true(isnan(lashi_table_integral(table, 0.9)) && !lashi_table_covers(table, 0.9));
    assert_true(lashi_table_covers(table, 1) && lashi_table_covers(table, 4));
    assert_true(lashi_table_covers(table, 1 - 1e-12)); // rounding
    check_near(lashi_table_jet(table, 4 + 1e-12).f, 0, 1e-11);
    assert_int_equal(lash_table_set_beyond(table, LASH_BEYOND_ZERO, NULL), LASH_OK);
    assert_true(lashi_table_jet(table, 0).f == 0 && lashi_table_jet(table, 9).f == 0);
    check_near(lashi_table_integral(table, 9), 9, ROUNDING);
    assert_int_equal(lash_table_set_beyond(table, LASH_BEYOND_EXTRAPOLATE, NULL), LASH_OK);
    check_near(lashi_table_jet(table, 5).f, -3, ROUNDING);
    check_near(lashi_table_integral(table, 5), 9 - 1.5, ROUNDING);
    lash_table_destroy(table);
    table = create(x, ends, 3, LASH_LINEAR);
    assert_int_equal(lash_table_set_beyond(table, LASH_BEYOND_HOLD, NULL), LASH_OK);
    assert_true(lashi_table_jet(table, 0).f == 3 && lashi_table_jet(table, 9).f == 1);
    assert_true(lashi_table_jet(table, 9).df == 0);
    check_near(lashi_table_integral(table, 5), 4.5 + 7 + 1, ROUNDING);
    check_near(lashi_table_integral(table, 0), -3, ROUNDING);
    lash_error error;
    assert_int_equal(lash_table_set_beyond(table, LASH_BEYOND_ZERO, &error), LASH_ERROR_MODEL);
    assert_int_equal(lash_table_set_beyond(table, (lash_beyond)9, &error), LASH_ERROR_USAGE);
    lash_table_destroy(table);
}

/* The points are breaks, also of a table that repeats; between them a piece is one cubic. */
static void test_pieces(void **state) {
    (void)state;
    const double x[] = {1, 2, 4}, y[] = {0, 6, 0};
    lash_table *table = create(x, y, 3, LASH_LINEAR);
    assert_true(lashi_table_next_break(table, 0, 10) == 1 && lashi_table_next_break(table, 1, 10) == 2);
    assert_true(lashi_table_next_break(table, 2.5, 10) == 4 && lashi_table_next_break(table, 4, 10) == 10);
    assert_true(lashi_table_next_break(table, 2.5, 3) == 3);
    assert_true(lashi_table_jet_in(table, 2, 1.5).df == 6 && lashi_table_jet_in(table, 2, 2.5).df == -3);
    assert_int_equal(lashi_table_make_periodic(table, 3, NULL), LASH_OK);
    double t = 0;
    for (int i = 0; i < 10; i++) {
        t = lashi_table_next_break(table, t, 100);
        check_near(t, i % 2 ? 2 + 3 * (i / 2) : 1 + 3 * (i / 2), ROUNDING);
    }
    check_near(lashi_table_jet_in(table, 7, 6.9).df, -3, ROUNDING);
    check_near(lashi_table_jet_in(table, 7, 7.1).df, 6, ROUNDING);
    lash_table_destroy(table);
}

/* The most points a table may have; and places that are not numbers do no harm. */
/* The interval of each place is that of a plain search, with points evenly apart, nearly so, and at random; also just beside
 * points, far outside, and for what is no number. */
static void test_intervals(void **state) {
    (void)state;
    enum { MOST = 60 };
    static const double apart[] = {0, 0.08, 0.24, 0.9};
    double x[MOST], y[MOST] = {0};
    unsigned random = 7;
    for (size_t k = 0; k < sizeof apart / sizeof *apart; k++)
        for (size_t count = 2; count < MOST; count++) {
            for (size_t i = 0; i < count; i++)
                x[i] =
                    0.3 +
                    0.1 * ((double)i +
                           apart[k] *
                               ((double)((random = random * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5) *
                               2);
            for (size_t i = 1; i < count; i++)
                x[i] = fmax(x[i], x[i - 1] + 1e-6);
            lash_table *table = create(x, y, count, LASH_LINEAR);
            assert_true(apart[k] > 0.1 || table->even);
            for (int place = -3; place < 3 * (int)count + 3; place++) {
                const size_t near = place < 0                     ? 0
                                    : (size_t)(place / 3) < count ? (size_t)(place / 3)
                                                                  : count - 1;
                const double at = place < 0                 ? -pow(10, -2 * place)
                                  : place / 3 >= (int)count ? pow(10, 2 * (place - 3 * (int)count))
                                                            : nextafter(x[near], (place % 3 - 1) * 1e9);
                const double looked = place >= 0 && place % 3 == 1 ? x[near] : at;
                size_t wanted = 0;
                while (wanted + 2 < count && x[wanted + 1] <= looked)
                    wanted++;
                assert_int_equal(lashi_table_interval(table, looked), wanted);
            }
            assert_int_equal(lashi_table_interval(table, (double)NAN), 0);
            lash_table_destroy(table);
        }
}

/* How far steps may go: as far as the table in what is smooth; a few points in noise; less beside a pulse, up to it; and up to
 * corners where they matter. */
static void test_sights(void **state) {
    (void)state;
    enum { COUNT = 2001, PULSE = 1200 };
    static double x[COUNT], y[COUNT], sight[COUNT];
    const double h = 1.0 / (COUNT - 1);
    for (size_t i = 0; i < COUNT; i++) {
        x[i] = (double)i * h;
        y[i] = sin(x[i]);
    }
    lash_table *table = create(x, y, COUNT, LASH_SPLINE);
    lashi_table_sights(sight, table, 1e-6);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(sight[i] >= 0.25);
    lash_table_destroy(table);
    y[PULSE] += 1;
    table = create(x, y, COUNT, LASH_SPLINE);
    lashi_table_sights(sight, table, 1); // where corners do not matter
    for (size_t i = 0; i < COUNT; i++) {
        const double away = fabs(x[i] - x[PULSE]), least = away > 20 * h ? away / 16 : h;
        assert_true(sight[i] >= least && sight[i] < fmax(4 * away, 8 * h));
    }
    lash_table_destroy(table);
    for (size_t i = 0; i < COUNT; i++)
        y[i] = i % 2 ? 1 : -1;
    table = create(x, y, COUNT, LASH_LINEAR);
    lashi_table_sights(sight, table, 1e-6);
    for (size_t i = 1; i + 1 < COUNT; i++)
        assert_true(sight[i] < 0 && sight[i] > -0.01 * h);
    double past;
    check_near(lashi_table_way(&past, table, sight, x[5] + 0.4 * h, true), 0.6 * h, ROUNDING);
    check_near(lashi_table_way(&past, table, sight, x[5] + 0.4 * h, false), 0.4 * h, ROUNDING);
    assert_true(past > 0 && past < 0.01 * h);
    check_near(lashi_table_way(&past, table, sight, x[6] - 1e-9 * h, true), h, 1e-8 * h); // it is there
    lashi_table_sights(sight, table, 10);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(sight[i] > 0.5 * h && sight[i] < 4 * h);
    assert_true(lashi_table_way(&past, table, sight, 2, true) > 1e9);
    check_near(lashi_table_way(&past, table, sight, 2, false), 1, ROUNDING);
    lash_table_destroy(table);
}

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
        cmocka_unit_test(test_monotone),     cmocka_unit_test(test_beyond),
        cmocka_unit_test(test_pieces),       cmocka_unit_test(test_points_that_matter),
        cmocka_unit_test(test_intervals),    cmocka_unit_test(test_sights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
