/* SPDX-License-Identifier: MIT
 *
 * fmax and fmin, inlined: a number goes before NaN. For what is done at every step, where compilers call the
 * library otherwise.
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
