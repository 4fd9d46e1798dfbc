/* SPDX-License-Identifier: MIT
 *
 * fmax and fmin, inlined; a number is preferred to NaN. For the step loop, where compilers would otherwise
 * call the library.
 */
#ifndef LASHI_LARGER_H
#define LASHI_LARGER_H

static inline double lashi_larger(double a, double b) {
    return a > b || b != b ? a : b;
}
static inline double lashi_smaller(double a, double b) {
    return a < b || b != b ? a : b;
}

#endif
