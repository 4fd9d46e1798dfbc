/* SPDX-License-Identifier: MIT
 *
 * Assertions on floating-point numbers that say what they found. Include after cmocka.h.
 */
#ifndef LASH_TEST_NEAR_H
#define LASH_TEST_NEAR_H

#include <math.h>

/* |value - expected| <= tolerance, and the same with a tolerance relative to |expected|. NaN never passes. */
#define assert_near(value, expected, tolerance)                                                              \
    near_absolute((value), (expected), (tolerance), __FILE__, __LINE__)
#define assert_relative(value, expected, tolerance)                                                          \
    near_relative((value), (expected), (tolerance), __FILE__, __LINE__)

static inline void near_absolute(double value, double expected, double tolerance, const char *file,
                                 int line) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s:%d: %.17g is not %.17g within %g", file, line, value, expected, tolerance);
}

static inline void near_relative(double value, double expected, double tolerance, const char *file,
                                 int line) {
    near_absolute(value, expected, tolerance * fabs(expected), file, line);
}

#endif
