/* SPDX-License-Identifier: MIT
 *
 * Bracketed roots: known roots, the stopping rules, and the number of evaluations.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/root.h"

typedef struct probe {
    double (*f)(double x);
    double low, high; // bracket the method must not leave
    int calls;
} probe;

static double call(void *context, double x) {
    probe *p = context;
    p->calls++;
    assert_true(x >= p->low && x <= p->high);
    return p->f(x);
}

static double solve(int *calls, double (*f)(double), double a, double b, double tolerance) {
    probe p = {f, fmin(a, b), fmax(a, b), 0};
    double x = lashi_root(call, &p, a, f(a), b, f(b), tolerance);
    *calls = p.calls;
    return x;
}

static double cosine(double x) {
    return cos(x) - x;
}

static double cubic(double x) {
    return x * x * x - 2 * x - 5;
}

static double steep(double x) {
    return tanh(1e3 * (x - 0.123456789));
}

static double multiple(double x) {
    return pow(x - 0.3, 9);
}

static double jump(double x) {
    return x < 0.7 ? -1 : 2;
}

static double linear(double x) {
    return 3 * x - 1;
}

static double at_zero(double x) {
    return x;
}

static void finds_known_roots(void **state) {
    (void)state;
    int calls;
    assert_true(fabs(solve(&calls, cosine, 0, 1, 0) - 0.73908513321516064) < 3e-16);
    assert_true(calls < 12);
    // Wallis' equation, the bracket in either order.
    assert_true(fabs(solve(&calls, cubic, 2, 3, 0) - 2.0945514815423265) < 1e-15);
    assert_true(calls < 12);
    assert_true(fabs(solve(&calls, cubic, 3, 2, 0) - 2.0945514815423265) < 1e-15);
    assert_true(fabs(solve(&calls, steep, -4, 5, 0) - 0.123456789) < 1e-15);
    assert_true(calls < 40);
}

static void is_superlinear(void **state) {
    (void)state;
    int coarse, fine;
    solve(&coarse, cosine, 0, 1, 1e-4);
    solve(&fine, cosine, 0, 1, 1e-15);
    assert_true(fine - coarse <= 3); // bisection would need 36 more
}

static void hard_functions_cost_no_more_than_bisection(void **state) {
    (void)state;
    int calls;
    assert_true(fabs(solve(&calls, multiple, -1, 2, 0) - 0.3) < 1e-15);
    assert_true(calls < 130);
    double x = solve(&calls, jump, 0, 1, 0);
    assert_true(fabs(x - 0.7) <= 2 * DBL_EPSILON);
    assert_true(calls < 60);
}

static void stops_at_the_tolerance(void **state) {
    (void)state;
    int calls;
    double x = solve(&calls, cosine, 0, 1, 1e-3);
    assert_true(fabs(cosine(x)) <= 1e-3);
    assert_true(calls <= 4);
    solve(&calls, linear, 0, 1, 1e-12);
    assert_true(calls <= 4);
}

static void ends_that_are_roots_are_returned(void **state) {
    (void)state;
    int calls;
    assert_true(solve(&calls, at_zero, 0, 1, 0) == 0);
    assert_int_equal(calls, 0);
    assert_true(solve(&calls, at_zero, -1, 0, 0) == 0);
    assert_int_equal(calls, 0);
    assert_true(fabs(solve(&calls, at_zero, -1, 3, 0)) < 1e-300);
}

static double beside; // a root closer to one end than the rounding of the other

static double beside_an_end(double x) {
    return x - beside;
}

static void stays_between_unlike_ends(void **state) {
    (void)state;
    int calls;
    for (int k = 1; k < 200; k++) {
        const double low = 1e-8 * k / 3;
        beside = low * (1 + 4 * DBL_EPSILON);
        assert_true(fabs(solve(&calls, beside_an_end, low, 1e-3, 0) - beside) <= 4 * DBL_EPSILON * low);
        assert_true(fabs(solve(&calls, beside_an_end, 1e-3, low, 0) - beside) <= 4 * DBL_EPSILON * low);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_known_roots),
        cmocka_unit_test(is_superlinear),
        cmocka_unit_test(hard_functions_cost_no_more_than_bisection),
        cmocka_unit_test(stops_at_the_tolerance),
        cmocka_unit_test(ends_that_are_roots_are_returned),
        cmocka_unit_test(stays_between_unlike_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
