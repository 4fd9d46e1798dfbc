/* SPDX-License-Identifier: MIT
 *
 * A sparse rank-revealing QR factorisation: SuiteSparseQR with a fixed column order drops a column whose part
 * independent of the columns before it is below a tolerance. R is in staircase form: a column is independent
 * when it has an entry in the next row.
 */
#include "system/spqr.h"

#include <string.h>

#include "base/error.h"
#include "system/spqr_library.h"

static cholmod_sparse *copy(const lashi_columns *A, cholmod_common *common) {
    const int entries = A->start[A->columns];
    cholmod_sparse *S = cholmod_l_allocate_sparse((size_t)A->rows, (size_t)A->columns, (size_t)entries, 1, 1,
                                                  0, CHOLMOD_REAL, common);
    if (!S)
        return NULL;
    SuiteSparse_long *start = S->p, *index = S->i;
    for (int c = 0; c <= A->columns; c++)
        start[c] = A->start[c];
    for (int e = 0; e < entries; e++)
        index[e] = A->index[e];
    memcpy(S->x, A->value, (size_t)entries * sizeof(double));
    return S;
}

static bool has_entry(const cholmod_sparse *R, size_t column, SuiteSparse_long row) {
    const SuiteSparse_long *start = R->p, *index = R->i;
    for (SuiteSparse_long e = start[column]; e < start[column + 1]; e++)
        if (index[e] == row)
            return true;
    return false;
}

lash_status lashi_spqr_dependent(unsigned char *dependent, const lashi_columns *A, double least,
                                 lash_error *error) {
    lash_status status = lashi_spqr_load(error);
    if (status)
        return status;
    cholmod_common common;
    cholmod_l_start(&common);
    common.print = 0;
    cholmod_sparse *S = copy(A, &common), *R = NULL;
    SuiteSparse_long *permutation = NULL, next = 0;
    if (!S || SuiteSparseQR_C(SPQR_ORDERING_FIXED, least, 0, 0, S, NULL, NULL, NULL, NULL, &R, &permutation,
                              NULL, NULL, NULL, &common) < 0)
        status = lashi_fail_memory(error);
    for (size_t c = 0; !status && c < R->ncol; c++) {
        const bool own = has_entry(R, c, next);
        dependent[permutation ? (size_t)permutation[c] : c] = !own;
        next += own;
    }
    if (permutation)
        cholmod_l_free((size_t)A->columns, sizeof(SuiteSparse_long), permutation, &common);
    cholmod_l_free_sparse(&R, &common);
    cholmod_l_free_sparse(&S, &common);
    cholmod_l_finish(&common);
    return status;
}
