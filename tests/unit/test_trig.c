/* SPDX-License-Identifier: MIT
 *
 * lashi_sincos against long double: below one unit in the last place over its range, in every quadrant, next
 * to the multiples of π/2 where the reduction cancels, and handed on to the library beyond its range.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/trig.h"

static double units(double value, long double exact) {
    const double size = fabs((double)exact);
    return (double)(fabsl((long double)value - exact) / (long double)(nextafter(size, 2) - size));
}

static double worst_at(double x) {
    double s, c;
    lashi_sincos(x, &s, &c);
    return fmax(units(s, sinl((long double)x)), units(c, cosl((long double)x)));
}

static void stays_below_one_unit(void **state) {
    (void)state;
    srand48(7);
    double worst = 0;
    for (int i = 0; i < 400000; i++) {
        const double x = (2 * drand48() - 1) * pow(10, 12 * drand48() - 6);
        worst = fmax(worst, worst_at(x));
    }
    assert_true(worst < 1);
}

static void holds_next_to_multiples_of_a_right_angle(void **state) {
    (void)state;
    double worst = 0;
    for (int k = -630000; k <= 630000; k += 7)
        for (int side = -1; side <= 1; side++)
            worst = fmax(worst, worst_at((double)k * 1.5707963267948966 * (1 + side * 1e-12)));
    assert_true(worst < 1);
}

static void gives_the_quadrants(void **state) {
    (void)state;
    double s, c;
    lashi_sincos(0, &s, &c);
    assert_true(s == 0 && c == 1);
    for (int k = -9; k <= 9; k++) {
        lashi_sincos(0.3 + k * 1.5707963267948966, &s, &c);
        assert_true(fabs(s - sin(0.3 + k * 1.5707963267948966)) < 3e-16);
        assert_true(fabs(c - cos(0.3 + k * 1.5707963267948966)) < 3e-16);
    }
}

static void hands_on_what_is_out_of_range(void **state) {
    (void)state;
    double s, c;
    lashi_sincos(1e15, &s, &c);
    assert_true(s == sin(1e15) && c == cos(1e15));
    lashi_sincos((double)NAN, &s, &c);
    assert_true(isnan(s) && isnan(c));
    lashi_sincos((double)INFINITY, &s, &c);
    assert_true(isnan(s) && isnan(c));
}

/* Whether two angles side by side have the bits of each alone, or say that they do not. */
static bool two_are_as_one(double x, double y) {
    double s[2], c[2];
    lashi_two sines, cosines;
    lashi_sincos(x, &s[0], &c[0]);
    lashi_sincos(y, &s[1], &c[1]);
    const bool near = fabs(x) <= LASHI_TRIG_RANGE && fabs(y) <= LASHI_TRIG_RANGE;
    if (lashi_sincos_two((lashi_two){x, y}, &sines, &cosines) != near)
        return false;
    return !near || (memcmp(s, &sines, sizeof s) == 0 && memcmp(c, &cosines, sizeof c) == 0);
}

static void two_angles_have_the_bits_of_one(void **state) {
    (void)state;
    srand48(8);
    for (int i = 0; i < 400000; i++) {
        const double x = (2 * drand48() - 1) * pow(10, 12 * drand48() - 6),
                     y = (2 * drand48() - 1) * pow(10, 14 * drand48() - 7); // some are out of range
        assert_true(two_are_as_one(x, y) && two_are_as_one(y, x));
    }
    for (int k = -9; k <= 9; k++)
        assert_true(two_are_as_one(k * 1.5707963267948966, -k * 1.5707963267948966));
    assert_true(two_are_as_one(0.0, -0.0) && two_are_as_one((double)NAN, 1.0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_angles_have_the_bits_of_one),
        cmocka_unit_test(stays_below_one_unit),
        cmocka_unit_test(holds_next_to_multiples_of_a_right_angle),
        cmocka_unit_test(gives_the_quadrants),
        cmocka_unit_test(hands_on_what_is_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
