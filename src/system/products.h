/* SPDX-License-Identifier: MIT
 *
 * Products with the Jacobian blocks of one constraint, [column][row]; constraints.c forms them for all.
 */
#ifndef LASHI_PRODUCTS_H
#define LASHI_PRODUCTS_H

#include "joint/joint.h"

/* The products of a block over `columns` columns from `first` on. Called with constants, so that each case
 * becomes straight code. */
static inline void lashi_add_products(double *restrict S, int stride, const double *restrict Ja, int rows_a,
                                      const double *restrict Jb, int rows_b, const double w[LASHI_FREEDOMS],
                                      int first, int columns) {
    for (int k = first; k < first + columns; k++)
        for (int rb = 0; rb < rows_b; rb++) {
            const double x = w[k] * Jb[k * rows_b + rb];
            for (int ra = 0; ra < rows_a; ra++)
                S[rb * stride + ra] += x * Ja[k * rows_a + ra];
        }
}

/* out += J u of one constraint and one of its bodies. */
static inline void lashi_multiply_rows(double *restrict out, const double *restrict J, int rows,
                                       const double *u, int width) {
    for (int r = 0; r < rows; r++) {
        double sum = J[r] * u[0];
        for (int k = 1; k < width; k++)
            sum += J[k * rows + r] * u[k];
        out[r] += sum;
    }
}

/* force −= Jᵀ x of the same two. */
static inline void lashi_subtract_rows(double *restrict force, const double *restrict J, int rows,
                                       const double *x, int width) {
    for (int k = 0; k < width; k++) {
        double sum = J[k * rows] * x[0];
        for (int r = 1; r < rows; r++)
            sum += J[k * rows + r] * x[r];
        force[k] -= sum;
    }
}

#endif
