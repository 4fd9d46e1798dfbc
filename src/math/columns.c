/* SPDX-License-Identifier: MIT
 *
 * Dependent columns by Gram-Schmidt orthogonalisation, done twice: the second pass removes what rounding has
 * left of the first, so that the basis is orthogonal to rounding whatever the columns are (L. Giraud, J.
 * Langou, M. Rozložník, J. van den Eshof, Rounding error analysis of the classical Gram-Schmidt
 * orthogonalization process, Numer. Math. 101 (2005) 87-100).
 */
#include "math/columns.h"

#include <math.h>

#include "base/error.h"

/* x −= (b·x) b */
static void take_away(double *x, const double *b, int n) {
    double product = 0;
    for (int i = 0; i < n; i++)
        product += b[i] * x[i];
    for (int i = 0; i < n; i++)
        x[i] -= product * b[i];
}

lash_status lashi_columns_dependent(unsigned char *dependent, const lashi_columns *A, double least,
                                    lashi_arena *scratch, lash_error *error) {
    const size_t n = (size_t)A->rows, most = (size_t)(A->rows < A->columns ? A->rows : A->columns);
    double *basis = lashi_arena_alloc(scratch, (most + 1) * n, sizeof *basis); // and the current column
    if (!basis)
        return lashi_fail_memory(error);
    size_t rank = 0;
    for (int c = 0; c < A->columns; c++) {
        double *x = basis + rank * n, square = 0;
        for (size_t i = 0; i < n; i++)
            x[i] = 0;
        for (int e = A->start[c]; e < A->start[c + 1]; e++)
            x[A->index[e]] = A->value[e];
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = 0; k < rank; k++)
                take_away(x, basis + k * n, A->rows);
        for (size_t i = 0; i < n; i++)
            square += x[i] * x[i];
        dependent[c] = rank == n || !(sqrt(square) > least);
        if (dependent[c])
            continue;
        for (size_t i = 0; i < n; i++)
            x[i] /= sqrt(square);
        rank++;
    }
    return LASH_OK;
}
