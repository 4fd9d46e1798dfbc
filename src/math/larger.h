/* SPDX-License-Identifier: MIT
 *
 * The larger and the smaller of a number and what may be NaN, in one instruction: a where b is NaN. For the step
 * loop, where fmax and fmin, which also allow for a NaN in a, take a call or five instructions.
 */
#ifndef LASHI_LARGER_H
#define LASHI_LARGER_H

static inline double lashi_larger(double a, double b) {
    return b > a ? b : a;
}
static inline double lashi_smaller(double a, double b) {
    return b < a ? b : a;
}

#endif
