/* SPDX-License-Identifier: MIT
 *
 * Dependent columns of a large matrix, by SuiteSparseQR.
 */
#ifndef LASHI_SPQR_H
#define LASHI_SPQR_H

#include "math/columns.h"

/* As lashi_columns_dependent, sparse. */
lash_status lashi_spqr_dependent(unsigned char *dependent, const lashi_columns *A, double least,
                                 lash_error *error);

#endif
