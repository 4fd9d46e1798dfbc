/* SPDX-License-Identifier: MIT
 *
 * Symmetric positive definite systems A x = b by A = L D Lᵀ without pivoting: two paths over one storage
 * rule.
 *
 * Storage: for row i of the lower triangle the columns from first[i] to i, contiguous, as one stretch of
 * `values`:
 *     dense path    row i starts at i*n; entries left of first[i] are 0 (profile, or skyline, storage)
 *     sparse path   compressed rows with the sorted columns of the lower triangle; factor by SuiteSparse's LDL
 * Rows of one constraint share their columns, so that a block is written with one stride
 * (src/system/constraints.c). Entries above the diagonal may be written too, in the dense path also one past the last
 * row; they are ignored. A dense factor has L below the diagonal and Lᵀ above it.
 */
#ifndef LASHI_LDLT_H
#define LASHI_LDLT_H

#include <stdbool.h>

#include "base/memory.h"
#include "lash/status.h"

typedef struct lashi_ldlt {
    int n;
    bool sparse;
    int *first;      /* dense: [n] first column of each row */
    int *begin;      /* dense: by pairs of rows and … */
    int *last;       /* … by pairs of columns; see find_pairs */
    int *start;      /* sparse: [n+1] rows of the matrix in `values`; dense: NULL */
    int *column;     /* sparse: [start[n]] */
    int *L_start;    /* sparse: [n+1] columns of L */
    int *parent;     /* sparse: [n] elimination tree */
    int *diagonal;   /* [n] where the diagonal entries are in `values` */
    size_t values;   /* doubles that hold the matrix */
    size_t work;     /* doubles of numeric workspace, including the factor */
    size_t int_work; /* ints of numeric workspace */
} lashi_ldlt;

/* A pivot below this share of its diagonal entry means a row that depends on the others. Full-rank mechanisms
 * stay above 1e-10 unless they are in a singular position; rounding gives about 1e-16. */
#define LASHI_PIVOT_SHARE 1e-13

/* Dense: the profile is given by first[]. Memory of `out` comes from the arena. */
lash_status lashi_ldlt_dense(lashi_ldlt *out, lashi_arena *arena, const int *first, int n, lash_error *error);
/* Sparse: the pattern of the lower triangle by rows, sorted; the caller has chosen a fill-reducing order. */
lash_status lashi_ldlt_sparse(lashi_ldlt *out, lashi_arena *arena, const int *start, const int *column, int n,
                              lash_error *error);

/* `from` to `values`: what of it the factorisation reads. */
void lashi_ldlt_copy(const lashi_ldlt *ldlt, double *restrict values, const double *restrict from);

/* Numeric factorisation of `values` into `work`, without the rows left_out[count] and their columns: as if
 * they were those of the unit matrix. Returns -1, or the index of the first row that depends on those before
 * it. Overwrites `values`. */
int lashi_ldlt_factor(const lashi_ldlt *ldlt, double *values, double *work, int *int_work,
                      const int *left_out, int count);
/* Product of 1/D_i over `rows` rows from `first` on, after factor. */
double lashi_ldlt_inverse_pivots(const lashi_ldlt *ldlt, const double *work, const int *int_work, int first,
                                 int rows);
/* x: right-hand side in, solution out; 0 for rows that are left out. */
void lashi_ldlt_solve(const lashi_ldlt *ldlt, const double *values, const double *work, const int *int_work,
                      double *x);

#endif
