/* SPDX-License-Identifier: MIT
 *
 * Eigenvalues and eigenvectors of a real matrix that need not be symmetric.
 */
#ifndef LASHI_EIGEN_H
#define LASHI_EIGEN_H

#include <complex.h>

#include "base/memory.h"
#include "lash/status.h"

/* A [n][n] by rows. values [n] by rising |Im|, then rising Re; vectors [n][n]: row k belongs to values[k],
 * its largest component is 1. LASH_ERROR_NOT_FINITE: A is not finite. */
lash_status lashi_eigen(double complex *values, double complex *vectors, const double *A, size_t n,
                        lash_error *error);

#endif
