/* SPDX-License-Identifier: MIT
 *
 * Columns of a matrix by their entries, and which of them depend on those before.
 */
#ifndef LASHI_COLUMNS_H
#define LASHI_COLUMNS_H

#include "base/memory.h"
#include "lash/status.h"

typedef struct lashi_columns {
    int rows, columns;
    int *start, *index; /* [columns + 1], [entries]: rows of column c are index[start[c]] … in rising order */
    double *value;      /* [entries] */
} lashi_columns;

/* dependent[c] = 1 for each column whose part independent of the columns before it is not longer than
 * `least`. Dense, with some 2 rows columns² operations: for small matrices. */
lash_status lashi_columns_dependent(unsigned char *dependent, const lashi_columns *A, double least,
                                    lashi_arena *scratch, lash_error *error);

#endif
