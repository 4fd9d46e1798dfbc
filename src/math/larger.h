/* SPDX-License-Identifier: MIT
 *
 * fmax and fmin, inlined; a number is preferred to NaN. For the step loop, where compilers would otherwise
 * call the library.
 */
#ifndef LASHI_LARGER_H
#define LASHI_LARGER_H

static inline double lashi_larger(double a, double b) {
    const double larger = a > b ? a : b; // one instruction, which gives b where one is NaN
    return b == b ? larger : a;
}
static inline double lashi_smaller(double a, double b) {
    const double smaller = a < b ? a : b;
    return b == b ? smaller : a;
}

#endif
