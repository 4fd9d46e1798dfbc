/* SPDX-License-Identifier: MIT
 *
 * LDLᵀ: a profile kernel of our own for small systems, SuiteSparse's LDL for large ones.
 *
 * Profile kernel, row i (Golub & Van Loan, Matrix Computations, 4th ed., sec. 4.1, by rows): with u_k = L_ik
 * D_k u_j = A_ij − Σ_k u_k L_jk  for j = first[i] … i−1,   D_i = A_ii − Σ_k u_k²/D_k,   L_ik = u_k/D_k. L
 * overwrites A below the diagonal, 1/D_i stands in work[i].
 */
#include "math/ldlt.h"

#include <string.h>
#include <suitesparse/ldl.h>

#include "base/error.h"

lash_status lashi_ldlt_dense(lashi_ldlt *out, lashi_arena *arena, const int *first, int n,
                             lash_error *error) {
    *out = (lashi_ldlt){.n = n, .values = (size_t)n * (size_t)n, .work = (size_t)n};
    out->first = lashi_arena_alloc(arena, (size_t)n, sizeof(int));
    out->diagonal = lashi_arena_alloc(arena, (size_t)n, sizeof(int));
    if (!out->first || !out->diagonal)
        return lashi_fail_memory(error);
    for (int i = 0; i < n; i++) {
        out->first[i] = first[i];
        out->diagonal[i] = i * n + i;
    }
    return LASH_OK;
}

/* Sparse numeric workspace: D [n], Y [n], Lx [nnz(L)]; ints: Lnz, Flag, Pattern [n each], Li [nnz(L)]. */
lash_status lashi_ldlt_sparse(lashi_ldlt *out, lashi_arena *arena, const int *start, const int *column, int n,
                              lash_error *error) {
    const size_t entries = (size_t)start[n], N = (size_t)n;
    *out = (lashi_ldlt){.n = n, .sparse = true, .values = entries};
    out->start = lashi_arena_alloc(arena, N + 1, sizeof(int));
    out->column = lashi_arena_alloc(arena, entries, sizeof(int));
    out->L_start = lashi_arena_alloc(arena, N + 1, sizeof(int));
    out->parent = lashi_arena_alloc(arena, N, sizeof(int));
    out->diagonal = lashi_arena_alloc(arena, N, sizeof(int));
    int *scratch = lashi_arena_alloc(arena, 2 * N, sizeof(int));
    if (!out->start || !out->column || !out->L_start || !out->parent || !out->diagonal || !scratch)
        return lashi_fail_memory(error);
    memcpy(out->start, start, (N + 1) * sizeof(int));
    memcpy(out->column, column, entries * sizeof(int));
    for (int i = 0; i < n; i++)
        for (int at = start[i]; at < start[i + 1]; at++)
            if (column[at] == i)
                out->diagonal[i] = at;
    // Rows of the lower triangle are columns of the upper one, which is what LDL reads.
    ldl_symbolic(n, out->start, out->column, out->L_start, out->parent, scratch, scratch + n, NULL, NULL);
    const size_t fill = (size_t)out->L_start[n];
    out->work = 2 * N + fill;
    out->int_work = 3 * N + fill;
    return LASH_OK;
}

/* Two rows, one pin: the size that machines with a driven crank and play elsewhere come down to. */
static int pair_factor(double *A, double *restrict inverse) {
    const double least = LASHI_PIVOT_SHARE * A[3];
    if (!(A[0] > 0))
        return 0;
    inverse[0] = 1 / A[0];
    const double u = A[2], l = u * inverse[0], pivot = A[3] - u * l;
    if (!(pivot > least))
        return 1;
    A[2] = l;
    inverse[1] = 1 / pivot;
    return -1;
}

static int profile_factor(const lashi_ldlt *ldlt, double *A, double *restrict inverse) {
    const int n = ldlt->n;
    if (n == 2)
        return pair_factor(A, inverse);
    const int *first = ldlt->first;
    for (int i = 0; i < n; i++) {
        double *restrict row = A + (size_t)i * (size_t)n;
        const int fi = first[i];
        for (int j = fi + 1; j < i; j++) {
            const double *restrict other = A + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int k = first[j] > fi ? first[j] : fi; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = sum;
        }
        double pivot = row[i];
        const double least = LASHI_PIVOT_SHARE * pivot;
        for (int k = fi; k < i; k++) {
            const double u = row[k];
            row[k] = u * inverse[k];
            pivot -= u * row[k];
        }
        if (!(pivot > least))
            return i;
        inverse[i] = 1 / pivot;
    }
    return -1;
}

static void profile_solve(const lashi_ldlt *ldlt, const double *A, const double *inverse,
                          double *restrict x) {
    const int n = ldlt->n;
    if (n == 2) {
        const double second = (x[1] - A[2] * x[0]) * inverse[1];
        x[0] = x[0] * inverse[0] - A[2] * second;
        x[1] = second;
        return;
    }
    for (int i = 0; i < n; i++) {
        const double *row = A + (size_t)i * (size_t)n;
        double sum = x[i];
        for (int k = ldlt->first[i]; k < i; k++)
            sum -= row[k] * x[k];
        x[i] = sum;
    }
    for (int i = 0; i < n; i++)
        x[i] *= inverse[i];
    for (int i = n - 1; i > 0; i--) {
        const double *row = A + (size_t)i * (size_t)n;
        for (int k = ldlt->first[i]; k < i; k++)
            x[k] -= row[k] * x[i];
    }
}

static int sparse_factor(const lashi_ldlt *ldlt, double *values, double *work, int *int_work) {
    const int n = ldlt->n;
    double *D = work, *Y = work + n, *Lx = work + 2 * (size_t)n;
    int *Lnz = int_work, *flag = int_work + n, *pattern = int_work + 2 * (size_t)n,
        *Li = int_work + 3 * (size_t)n;
    const int done = ldl_numeric(n, ldlt->start, ldlt->column, values, ldlt->L_start, ldlt->parent, Lnz, Li,
                                 Lx, D, Y, pattern, flag, NULL, NULL);
    if (done < n)
        return done;
    for (int i = 0; i < n; i++)
        if (!(D[i] > LASHI_PIVOT_SHARE * values[ldlt->diagonal[i]]))
            return i;
    return -1;
}

int lashi_ldlt_factor(const lashi_ldlt *ldlt, double *values, double *work, int *int_work) {
    return ldlt->sparse ? sparse_factor(ldlt, values, work, int_work) : profile_factor(ldlt, values, work);
}

void lashi_ldlt_isolate(const lashi_ldlt *ldlt, double *values, int row) {
    for (int i = row; i < ldlt->n; i++) {
        // Entries of row i up to the diagonal: from column first on, or those listed.
        const int first = ldlt->sparse ? 0 : ldlt->first[i];
        const int begin = ldlt->sparse ? ldlt->start[i] : i * ldlt->n + first;
        for (int at = begin; at <= ldlt->diagonal[i]; at++)
            if (i == row || (ldlt->sparse ? ldlt->column[at] : first + at - begin) == row)
                values[at] = 0;
    }
    values[ldlt->diagonal[row]] = 1;
}

void lashi_ldlt_solve(const lashi_ldlt *ldlt, const double *values, const double *work, const int *int_work,
                      double *x) {
    if (!ldlt->sparse) {
        profile_solve(ldlt, values, work, x);
        return;
    }
    // LDL's interface is not const-correct; it only reads these.
    const int n = ldlt->n;
    double *D = (double *)(size_t)work, *Lx = D + 2 * (size_t)n;
    int *Li = (int *)(size_t)int_work + 3 * (size_t)n;
    ldl_lsolve(n, x, ldlt->L_start, Li, Lx);
    ldl_dsolve(n, x, D);
    ldl_ltsolve(n, x, ldlt->L_start, Li, Lx);
}
