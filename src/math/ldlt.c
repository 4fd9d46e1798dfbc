/* SPDX-License-Identifier: MIT
 *
 * LDLᵀ: a profile kernel of our own for small systems, SuiteSparse's LDL for large ones.
 *
 * Profile kernel, row i (Golub & Van Loan, Matrix Computations, 4th ed., sec. 4.1, by rows): with u_k = L_ik D_k
 *     u_j = A_ij − Σ_k u_k L_jk  for j = first[i] … i−1,   D_i = A_ii − Σ_k u_k²/D_k,   L_ik = u_k/D_k.
 * L overwrites A below the diagonal, 1/D_i is in work[i]. Rows that are left out are removed first and the
 * others moved together, so that they cost nothing: place a of the factor then belongs to row keep[a].
 */
#include "math/ldlt.h"

#include <string.h>
#include <suitesparse/ldl.h>

#include "base/error.h"
#include "math/pair.h"

/* The last row that begins at or before each column. */
static void find_last(int *last, const int *first, int n) {
    for (int k = 0; k < n; k++)
        last[k] = k;
    for (int i = 0; i < n; i++)
        last[first[i]] = i; // the largest, since i rises
    for (int k = 1; k < n; k++)
        last[k] = last[k] > last[k - 1] ? last[k] : last[k - 1];
}

lash_status lashi_ldlt_dense(lashi_ldlt *out, lashi_arena *arena, const int *first, int n,
                             lash_error *error) {
    const size_t N = (size_t)n;
    *out = (lashi_ldlt){.n = n, .values = N * N + 1, .work = 3 * N + 2, .int_work = 3 + 4 * N};
    out->first = lashi_arena_alloc(arena, N, sizeof(int));
    out->last = lashi_arena_alloc(arena, N, sizeof(int));
    out->diagonal = lashi_arena_alloc(arena, N, sizeof(int));
    if (!out->first || !out->last || !out->diagonal)
        return lashi_fail_memory(error);
    for (int i = 0; i < n; i++) {
        out->first[i] = first[i];
        out->diagonal[i] = i * n + i;
    }
    find_last(out->last, first, n);
    return LASH_OK;
}

/* Numeric workspace. Sparse: D [n], Y [n], Lx [nnz(L)]; ints: Lnz, Flag, Pattern [n each], Li [nnz(L)], and
 * which rows are left out [n]. Dense: 1/D [n], two columns of L [2 n + 2]; ints: this struct, for the last
 * factor. */
typedef struct closed {
    int *left_out; /* how many rows are left out; if none, the rest is not used */
    int *listed;   /* for how many of them the lists below were made */
    int *stay;     /* number of rows before the first one that is left out */
    int *keep, *first,
        *last;  /* [n − listed] row of each place, its first column, and of that column the last row */
    int *place; /* [n] place of each row; -1: left out */
} closed;
static closed closed_of(const lashi_ldlt *ldlt, const int *int_work) {
    int *list = (int *)(size_t)int_work;
    const size_t n = (size_t)ldlt->n;
    return (closed){list, list + 1, list + 2, list + 3, list + 3 + n, list + 3 + 2 * n, list + 3 + 3 * n};
}

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
    out->int_work = 4 * N + fill;
    return LASH_OK;
}

/* Up to so many rows the whole square is copied faster than its profile. */
enum { WHOLE_ROWS = 20 };

/* Of a profile, each row from its first column to one past the diagonal. */
void lashi_ldlt_copy(const lashi_ldlt *ldlt, double *restrict values, const double *restrict from) {
    const size_t n = (size_t)ldlt->n;
    if (ldlt->sparse || n <= WHOLE_ROWS) {
        memcpy(values, from, ldlt->values * sizeof(double));
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t at = i * n + (size_t)ldlt->first[i]; at <= i * n + i + 1; at++)
            values[at] = from[at];
}

/* Two numbers side by side. */
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

/* An entry of a row left of its first column is 0, whatever the memory holds. */
static inline double entry(const double *row, int first, int k) {
    return first <= k ? row[k] : 0;
}

/* Factors the first n rows of A, whose rows are `stride` apart; last: the last row that begins at or before
 * each column. Two columns and two rows at a time: what the two columns take from the rows below is
 * subtracted at once, also one entry past the diagonal. Terms of column k are subtracted before those of
 * later columns, as in the formula above. Pairs that are read together were written together, which
 * processors forward fast. */
static int profile_factor(double *A, double *restrict inverse, const int *first, const int *last, int n,
                          int stride) {
    if (stride == 2 && n == 2)
        return lashi_pair_factor(A, inverse);
    double *restrict L0 = inverse + n, *restrict L1 = L0 + n + 1; // the columns, from top to bottom
    for (int i = 0; i < n; i++)
        inverse[i] = LASHI_PIVOT_SHARE * A[(size_t)i * (size_t)stride + (size_t)i];
    int k = 0;
    for (; k + 1 < n; k += 2) {
        double *row = A + (size_t)k * (size_t)stride;
        if (!(row[k] > inverse[k]))
            return k;
        const double v0 = inverse[k] = 1 / row[k];
        row += stride;
        const double u = entry(row, first[k + 1], k), l = u * v0, pivot = row[k + 1] - u * l;
        if (!(pivot > inverse[k + 1]))
            return k + 1;
        const double v1 = inverse[k + 1] = 1 / pivot;
        row[k] = l;
        const int end = last[k + 1];
        int i = k + 2;
        for (; i <= end && i + 1 < n; i += 2) {
            double *upper = row + stride, *lower = upper + stride;
            row = lower;
            const two u0 = {entry(upper, first[i], k), entry(lower, first[i + 1], k)},
                      u1 = (two){entry(upper, first[i], k + 1), entry(lower, first[i + 1], k + 1)} - u0 * l,
                      l0 = u0 * v0, l1 = u1 * v1;
            *(two *)(L0 + i) = l0;
            *(two *)(L1 + i) = l1;
            *(two *)(upper + k) = (two){l0[0], l1[0]};
            *(two *)(lower + k) = (two){l0[1], l1[1]};
            for (int j = k + 2; j <= i; j += 2) {
                const two c0 = *(const two *)(L0 + j), c1 = *(const two *)(L1 + j);
                *(two *)(upper + j) = *(const two *)(upper + j) - u0[0] * c0 - u1[0] * c1;
                *(two *)(lower + j) = *(const two *)(lower + j) - u0[1] * c0 - u1[1] * c1;
            }
        }
        if (i <= end) { // the last row of an odd number
            double *alone = row + stride;
            const double u0 = entry(alone, first[i], k), u1 = entry(alone, first[i], k + 1) - u0 * l;
            const two l0 = {u0 * v0, 0}, l1 = {u1 * v1, 0};
            *(two *)(L0 + i) = l0;
            *(two *)(L1 + i) = l1;
            *(two *)(alone + k) = (two){l0[0], l1[0]};
            for (int j = k + 2; j <= i; j += 2)
                *(two *)(alone + j) =
                    *(const two *)(alone + j) - u0 * *(const two *)(L0 + j) - u1 * *(const two *)(L1 + j);
        }
    }
    if (k < n) {
        const double pivot = A[(size_t)k * (size_t)stride + (size_t)k];
        if (!(pivot > inverse[k]))
            return k;
        inverse[k] = 1 / pivot;
    }
    return -1;
}

/* Solves with that factor, two rows at a time as well. */
static void profile_solve(const double *A, const double *inverse, const int *first, int n, int stride,
                          double *restrict x) {
    if (stride == 2 && n == 2) {
        lashi_pair_solve(A, inverse, x);
        return;
    }
    const double *row = A;
    int i = 0;
    for (; i + 1 < n; i += 2) {
        const double *lower = row + stride;
        const int f0 = first[i], f1 = first[i + 1];
        two sum = *(const two *)(x + i);
        for (int k = f0 < f1 ? f0 : f1; k < i; k++)
            sum -= (two){entry(row, f0, k), entry(lower, f1, k)} * x[k];
        sum[1] -= entry(lower, f1, i) * sum[0];
        *(two *)(x + i) = sum;
        row = lower + stride;
    }
    if (i < n) {
        double sum = x[i];
        for (int k = first[i]; k < i; k++)
            sum -= row[k] * x[k];
        x[i] = sum;
    }
    for (i = 0; i < n; i++)
        x[i] *= inverse[i];
    i = n - 1;
    if (n % 2 != 0) {
        row = A + (size_t)i * (size_t)stride;
        const double last = x[i];
        for (int k = first[i] & ~1; k < i; k += 2)
            *(two *)(x + k) -= (two){entry(row, first[i], k), row[k + 1]} * last;
        i--;
    }
    for (; i > 0; i -= 2) {
        const double *lower = A + (size_t)i * (size_t)stride, *upper = lower - stride;
        const int f0 = first[i - 1], f1 = first[i];
        const double last = x[i], other = x[i - 1] - entry(lower, f1, i - 1) * last;
        *(two *)(x + i - 1) = (two){other, last};
        for (int k = (f0 < f1 ? f0 : f1) & ~1; k < i - 1; k += 2) {
            const two of_last = {entry(lower, f1, k), entry(lower, f1, k + 1)},
                      of_other = {entry(upper, f0, k), entry(upper, f0, k + 1)};
            *(two *)(x + k) = *(const two *)(x + k) - of_last * last - of_other * other;
        }
    }
}

/* Lists the rows that stay, unless they are those of the last factor. */
static void list_kept(const lashi_ldlt *ldlt, closed c, const int *left_out) {
    const int n = ldlt->n;
    int kept = 0, same = 0;
    while (same < *c.left_out && c.place[left_out[same]] < 0)
        same++;
    if (same == *c.left_out && *c.listed == same)
        return;
    *c.listed = *c.left_out;
    memset(c.place, 0, (size_t)n * sizeof(int));
    for (int k = 0; k < *c.left_out; k++)
        c.place[left_out[k]] = -1;
    for (int i = 0; i < n; i++) {
        if (c.place[i] < 0)
            continue;
        int first = ldlt->first[i];
        while (c.place[first] < 0)
            first++;
        c.keep[kept] = i;
        c.place[i] = kept;
        c.first[kept++] = c.place[first];
    }
    find_last(c.last, c.first, kept);
    *c.stay = 0;
    while (*c.stay < kept && c.keep[*c.stay] == *c.stay)
        ++*c.stay;
}

/* Moves the rows and columns that stay together, in place. */
static void close_up(const lashi_ldlt *ldlt, double *A, closed c) {
    const size_t n = (size_t)ldlt->n;
    for (int a = *c.stay; a < ldlt->n - *c.left_out; a++) {
        const double *from = A + (size_t)c.keep[a] * n;
        double *to = A + (size_t)a * n;
        for (int k = c.first[a]; k <= a; k++)
            to[k] = from[c.keep[k]];
    }
}

static int closed_factor(const lashi_ldlt *ldlt, double *A, double *inverse, closed c, const int *left_out) {
    list_kept(ldlt, c, left_out);
    close_up(ldlt, A, c);
    const int bad = profile_factor(A, inverse, c.first, c.last, ldlt->n - *c.left_out, ldlt->n);
    return bad < 0 ? bad : c.keep[bad];
}

static void closed_solve(const lashi_ldlt *ldlt, const double *A, const double *inverse, closed c,
                         double *restrict x) {
    int place = ldlt->n - *c.left_out;
    for (int a = *c.stay; a < place; a++)
        x[a] = x[c.keep[a]];
    profile_solve(A, inverse, c.first, place, ldlt->n, x);
    for (int i = ldlt->n - 1; i >= *c.stay; i--)
        x[i] = place > 0 && c.keep[place - 1] == i ? x[--place] : 0;
}

/* Makes a row of the matrix and its column those of the unit matrix. */
static void isolate(const lashi_ldlt *ldlt, double *values, int row) {
    for (int i = row; i < ldlt->n; i++)
        for (int at = ldlt->start[i]; at <= ldlt->diagonal[i]; at++)
            if (i == row || ldlt->column[at] == row)
                values[at] = 0;
    values[ldlt->diagonal[row]] = 1;
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

/* All cases but the common one, kept out of its code. */
__attribute__((noinline)) static int other_factor(const lashi_ldlt *ldlt, double *values, double *work,
                                                  int *int_work, const int *left_out, int count) {
    if (!ldlt->sparse) {
        int_work[0] = count;
        return closed_factor(ldlt, values, work, closed_of(ldlt, int_work), left_out);
    }
    unsigned char *out = (unsigned char *)(int_work + ldlt->int_work - ldlt->n);
    memset(out, 0, (size_t)ldlt->n);
    for (int k = 0; k < count; k++) {
        isolate(ldlt, values, left_out[k]);
        out[left_out[k]] = 1;
    }
    return sparse_factor(ldlt, values, work, int_work);
}

int lashi_ldlt_factor(const lashi_ldlt *ldlt, double *values, double *work, int *int_work,
                      const int *left_out, int count) {
    if (ldlt->sparse || count > 0)
        return other_factor(ldlt, values, work, int_work, left_out, count);
    int_work[0] = 0;
    return profile_factor(values, work, ldlt->first, ldlt->last, ldlt->n, ldlt->n);
}

double lashi_ldlt_inverse_pivot(const lashi_ldlt *ldlt, const double *work, const int *int_work, int row) {
    if (ldlt->sparse)
        return 1 / work[row];
    if (int_work[0] == 0)
        return work[row];
    const int place = closed_of(ldlt, int_work).place[row];
    return place < 0 ? 1 : work[place];
}

__attribute__((noinline)) static void other_solve(const lashi_ldlt *ldlt, const double *values,
                                                  const double *work, const int *int_work, double *x) {
    const int n = ldlt->n;
    if (!ldlt->sparse) {
        closed_solve(ldlt, values, work, closed_of(ldlt, int_work), x);
        return;
    }
    const unsigned char *out = (const unsigned char *)(int_work + ldlt->int_work - n);
    for (int i = 0; i < n; i++)
        x[i] = out[i] ? 0 : x[i];
    // LDL's interface is not const-correct; it only reads these.
    double *D = (double *)(size_t)work, *Lx = D + 2 * (size_t)n;
    int *Li = (int *)(size_t)int_work + 3 * (size_t)n;
    ldl_lsolve(n, x, ldlt->L_start, Li, Lx);
    ldl_dsolve(n, x, D);
    ldl_ltsolve(n, x, ldlt->L_start, Li, Lx);
}

void lashi_ldlt_solve(const lashi_ldlt *ldlt, const double *values, const double *work, const int *int_work,
                      double *x) {
    if (ldlt->sparse || int_work[0] > 0)
        other_solve(ldlt, values, work, int_work, x);
    else
        profile_solve(values, work, ldlt->first, ldlt->n, ldlt->n, x);
}
