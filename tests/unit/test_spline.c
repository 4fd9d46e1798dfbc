/* SPDX-License-Identifier: MIT
 *
 * Splines on even nodes: values at the nodes, polynomials and their ends, fourth order, periodic lines.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/spline.h"

static const double pi = 3.14159265358979323846;

static double value(const double *f, double position, int intervals) {
    double w[4];
    int i = lashi_spline_weights(w, position, intervals);
    return w[0] * f[i] + w[1] * f[i + 1] + w[2] * f[i + 2] + w[3] * f[i + 3];
}

static double cubic(double x) {
    return 1 + x * (2 - x * (0.3 + 0.1 * x));
}

static void free_ends_reproduce_cubics(void **state) {
    (void)state;
    double f[LASHI_SPLINE_MOST + 3];
    for (int k = 0; k < 9; k++)
        f[k + 1] = cubic(k);
    lashi_spline_coefficients(f, 9, LASHI_SPLINE_FREE);
    for (double x = 0; x <= 8; x += 0.125)
        assert_true(fabs(value(f, x, 8) - cubic(x)) < 1e-11 * 100);
}

/* The largest error of a wave over n intervals, between and at the nodes. */
static double wave_error(int n, lashi_spline_end end, double phase) {
    double f[LASHI_SPLINE_MOST + 3], worst = 0;
    const bool closed = end == LASHI_SPLINE_PERIODIC;
    const double turn = closed ? 2 * pi : pi;
    for (int k = 0; k <= n; k++)
        f[k + 1] = cos(turn * k / n - phase);
    lashi_spline_coefficients(f, closed ? n : n + 1, end);
    for (int k = 0; k <= 8 * n; k++) {
        double error = fabs(value(f, k / 8.0, n) - cos(turn * k / (8.0 * n) - phase));
        worst = fmax(worst, error);
        assert_true(k % 8 || error < 1e-13);
    }
    return worst;
}

static void waves_converge_with_fourth_order(void **state) {
    (void)state;
    static const lashi_spline_end ends[] = {LASHI_SPLINE_EVEN, LASHI_SPLINE_ODD, LASHI_SPLINE_FREE,
                                            LASHI_SPLINE_PERIODIC};
    for (int i = 0; i < 4; i++) {
        double phase = ends[i] == LASHI_SPLINE_ODD ? pi / 2 : ends[i] == LASHI_SPLINE_PERIODIC ? 1.1 : 0;
        double order = log2(wave_error(16, ends[i], phase) / wave_error(32, ends[i], phase));
        assert_true(order > 3.8 && order < 5.3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_ends_reproduce_cubics),
                                       cmocka_unit_test(waves_converge_with_fourth_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
