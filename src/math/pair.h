/* SPDX-License-Identifier: MIT
 *
 * LDLᵀ of two rows.
 */
#ifndef LASHI_PAIR_H
#define LASHI_PAIR_H

#include "math/ldlt.h"

/* Two rows, one pin: what remains of a machine with a driven crank and play in another joint. */
static inline int lashi_pair_factor(double *A, double *restrict inverse) {
    const double u = A[2], first = 1 / A[0], l = u * first, pivot = A[3] - u * l;
    const bool fails = !(A[0] > 0), fails_then = !(pivot > LASHI_PIVOT_SHARE * A[3]);
    A[2] = l;
    inverse[0] = first;
    inverse[1] = 1 / pivot;
    return fails ? 0 : fails_then ? 1 : -1;
}

static inline void lashi_pair_solve(const double *A, const double *inverse, double *restrict x) {
    const double second = (x[1] - A[2] * x[0]) * inverse[1];
    x[0] = x[0] * inverse[0] - A[2] * second;
    x[1] = second;
}

#endif
