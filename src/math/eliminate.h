/* SPDX-License-Identifier: MIT
 *
 * Small dense systems of equations that need not be symmetric: Gauss's elimination with row pivots.
 */
#ifndef LASHI_ELIMINATE_H
#define LASHI_ELIMINATE_H

#include <stdbool.h>
#include <stddef.h>

/* A x = b, A [n][n] by rows; x takes the place of b, and A is used up. False: a pivot is zero or no number.
 * determinant: of A; NULL: not asked for. */
bool lashi_eliminate(double *determinant, double *A, double *b, size_t n);

#endif
