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

/* By pairs of rows: the first column that one of the pair or of a later one has, an even one. By pairs of columns: the
 * last pair of rows that begins there or before, by its first row. */
static void find_pairs(int *begin, int *last, const int *first, int n) {
    int least = n, row = 0;
    for (int p = (n - 1) / 2; p >= 0; p--) {
        for (int i = 2 * p; i < n && i < 2 * p + 2; i++)
            least = first[i] < least ? first[i] : least;
        begin[p] = least & ~1;
    }
    for (int p = 0; 2 * p < n; p++) {
        while (row + 2 < n && begin[row / 2 + 1] <= 2 * p)
            row += 2;
        last[p] = row;
    }
}

lash_status lashi_ldlt_dense(lashi_ldlt *out, lashi_arena *arena, const int *first, int n,
                             lash_error *error) {
    const size_t N = (size_t)n;
    *out = (lashi_ldlt){.n = n, .values = N * N + 2, .work = N, .int_work = 3 + 5 * N};
    out->first = lashi_arena_alloc(arena, N, sizeof(int));
    out->begin = lashi_arena_alloc(arena, N, sizeof(int));
    out->last = lashi_arena_alloc(arena, N, sizeof(int));
    out->diagonal = lashi_arena_alloc(arena, N, sizeof(int));
    if (!out->first || !out->begin || !out->last || !out->diagonal)
        return lashi_fail_memory(error);
    for (int i = 0; i < n; i++) {
        out->first[i] = first[i];
        out->diagonal[i] = i * n + i;
    }
    find_pairs(out->begin, out->last, first, n);
    return LASH_OK;
}

/* Numeric workspace. Sparse: D [n], Y [n], Lx [nnz(L)]; ints: Lnz, Flag, Pattern [n each], Li [nnz(L)], and
 * which rows are left out [n]. Dense: 1/D [n]; ints: this struct, for the last factor. */
typedef struct closed {
    int *left_out;     /* how many rows are left out; if none, the rest is not used */
    int *listed;       /* for how many of them the lists below were made */
    int *stay;         /* number of rows before the first one that is left out */
    int *keep, *first; /* [n − listed] row of each place, its first column … */
    int *begin, *last; /* … and what find_pairs makes of that */
    int *place;        /* [n] place of each row; -1: left out */
} closed;
static closed closed_of(const lashi_ldlt *ldlt, const int *int_work) {
    int *list = (int *)(size_t)int_work;
    const size_t n = (size_t)ldlt->n;
    int *keep = list + 3;
    return (closed){list, list + 1, list + 2, keep, keep + n, keep + 2 * n, keep + 3 * n, keep + 4 * n};
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

/* Two numbers side by side. */
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

/* Up to so many rows the whole square is copied faster than its profile. */
enum { WHOLE_ROWS = 20 };

/* Of a profile, what the factorisation reads. */
void lashi_ldlt_copy(const lashi_ldlt *ldlt, double *restrict values, const double *restrict from) {
    const size_t n = (size_t)ldlt->n;
    if (ldlt->sparse || n <= WHOLE_ROWS) {
        memcpy(values, from, ldlt->values * sizeof(double));
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t at = i * n + (size_t)ldlt->begin[i / 2]; at <= i * n + i; at += 2)
            *(two *)(values + at) = *(const two *)(from + at);
}

/* The entries of rows k and k + 1 in columns k and k + 1, as far as there are such rows. */
typedef struct corner {
    double first, left, second;
} corner;
static inline corner corner_at(const double *A, int k, int n, int stride) {
    const double *row = A + (size_t)k * (size_t)stride + k;
    return k + 1 < n ? (corner){row[0], row[stride], row[stride + 1]} : (corner){.first = k < n ? row[0] : 0};
}

/* Factors the first n rows of A, whose rows are `stride` apart. Two columns and two rows at a time: what the
 * two columns take from the rows below is subtracted at once, also one entry past the diagonal. Terms of column k are
 * subtracted before those of later columns, as in the formula above. Columns of L become rows above the diagonal as
 * well. Pairs that are read together were written together, which processors forward fast; what the next pivots need
 * does not go through memory. */
static int profile_factor(double *A, double *restrict inverse, const int *last, int n, int stride) {
    if (stride == 2 && n == 2)
        return lashi_pair_factor(A, inverse);
    for (int i = 0; i < n; i++)
        inverse[i] = LASHI_PIVOT_SHARE * A[(size_t)i * (size_t)stride + (size_t)i];
    corner c = corner_at(A, 0, n, stride);
    int k = 0;
    for (; k + 1 < n; k += 2) {
        double *const L0 = A + (size_t)k * (size_t)stride, *const L1 = L0 + stride, *row = L1;
        if (!(c.first > inverse[k]))
            return k;
        const double v0 = inverse[k] = 1 / c.first, l = c.left * v0, pivot = c.second - c.left * l;
        if (!(pivot > inverse[k + 1]))
            return k + 1;
        const double v1 = inverse[k + 1] = 1 / pivot;
        L1[k] = l;
        const int end = last[k / 2];
        int i = k + 2;
        c = corner_at(A, i, n, stride);
        for (; i <= end && i + 1 < n; i += 2) {
            double *upper = row + stride, *lower = upper + stride;
            row = lower;
            const two a = *(const two *)(upper + k), b = *(const two *)(lower + k), u0 = {a[0], b[0]},
                      u1 = (two){a[1], b[1]} - u0 * l, l0 = u0 * v0, l1 = u1 * v1;
            *(two *)(L0 + i) = l0;
            *(two *)(L1 + i) = l1;
            *(two *)(upper + k) = (two){l0[0], l1[0]};
            *(two *)(lower + k) = (two){l0[1], l1[1]};
            for (int j = k + 2; j < i; j += 2) {
                const two c0 = *(const two *)(L0 + j), c1 = *(const two *)(L1 + j);
                *(two *)(upper + j) = *(const two *)(upper + j) - u0[0] * c0 - u1[0] * c1;
                *(two *)(lower + j) = *(const two *)(lower + j) - u0[1] * c0 - u1[1] * c1;
            }
            const two diagonal = *(const two *)(upper + i) - u0[0] * l0 - u1[0] * l1,
                      below = *(const two *)(lower + i) - u0[1] * l0 - u1[1] * l1;
            *(two *)(upper + i) = diagonal;
            *(two *)(lower + i) = below;
            if (i == k + 2)
                c = (corner){diagonal[0], below[0], below[1]};
        }
        if (i <= end) { // the last row of an odd number
            double *alone = row + stride;
            const double u0 = alone[k], u1 = alone[k + 1] - u0 * l;
            L0[i] = u0 * v0;
            L1[i] = u1 * v1;
            *(two *)(alone + k) = (two){L0[i], L1[i]};
            for (int j = k + 2; j < i; j += 2)
                *(two *)(alone + j) =
                    *(const two *)(alone + j) - u0 * *(const two *)(L0 + j) - u1 * *(const two *)(L1 + j);
            alone[i] = alone[i] - u0 * L0[i] - u1 * L1[i];
            if (i == k + 2)
                c.first = alone[i];
        }
    }
    if (k < n) {
        if (!(c.first > inverse[k]))
            return k;
        inverse[k] = 1 / c.first;
    }
    return -1;
}

/* Solves with that factor: forwards with columns of L, backwards with its rows, two at a time; what comes next does not
 * go through memory here either. */
static void profile_solve(const double *A, const double *inverse, const int *begin, const int *last, int n,
                          int stride, double *restrict x) {
    if (stride == 2 && n == 2) {
        lashi_pair_solve(A, inverse, x);
        return;
    }
    int k = 0;
    double x0 = n > 0 ? x[0] : 0, x1 = n > 1 ? x[1] : 0;
    for (; k + 1 < n; k += 2) {
        const double *L0 = A + (size_t)k * (size_t)stride, *L1 = L0 + stride;
        x1 -= L1[k] * x0;
        *(two *)(x + k) = (two){x0, x1} * *(const two *)(inverse + k);
        const int end = last[k / 2];
        int i = k + 4;
        for (; i <= end && i + 1 < n; i += 2)
            *(two *)(x + i) =
                *(const two *)(x + i) - *(const two *)(L0 + i) * x0 - *(const two *)(L1 + i) * x1;
        if (i <= end) // the last row of an odd number
            x[i] = x[i] - L0[i] * x0 - L1[i] * x1;
        i = k + 2;
        if (i + 1 < n) {
            two next = *(const two *)(x + i);
            if (i <= end)
                next = next - *(const two *)(L0 + i) * x0 - *(const two *)(L1 + i) * x1;
            x0 = next[0], x1 = next[1];
        } else if (i < n) {
            x0 = i <= end ? x[i] - L0[i] * x0 - L1[i] * x1 : x[i];
        }
    }
    if (k < n) {
        const double *row = A + (size_t)k * (size_t)stride;
        x[k] = x0 *= inverse[k];
        for (int j = begin[k / 2]; j < k; j += 2)
            *(two *)(x + j) -= *(const two *)(row + j) * x0;
    }
    k -= 2;
    two next = k >= 0 ? *(const two *)(x + k) : (two){0, 0};
    for (; k >= 0; k -= 2) {
        const double *upper = A + (size_t)k * (size_t)stride, *lower = upper + stride;
        x1 = next[1];
        x0 = next[0] - lower[k] * x1;
        *(two *)(x + k) = (two){x0, x1};
        const int from = begin[k / 2], before = k - 2;
        for (int j = from; j < before; j += 2)
            *(two *)(x + j) =
                *(const two *)(x + j) - *(const two *)(lower + j) * x1 - *(const two *)(upper + j) * x0;
        if (before >= 0)
            next = *(const two *)(x + before);
        if (before >= from)
            next = next - *(const two *)(lower + before) * x1 - *(const two *)(upper + before) * x0;
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
    find_pairs(c.begin, c.last, c.first, kept);
    *c.stay = 0;
    while (*c.stay < kept && c.keep[*c.stay] == *c.stay)
        ++*c.stay;
}

/* Moves the rows and columns that stay together, in place. */
static void close_up(const lashi_ldlt *ldlt, double *A, closed c) {
    const size_t n = (size_t)ldlt->n;
    for (int a = 0; a < ldlt->n - *c.left_out; a++) {
        const double *from = A + (size_t)c.keep[a] * n;
        double *to = A + (size_t)a * n;
        for (int k = c.first[a]; a >= *c.stay && k <= a; k++)
            to[k] = from[c.keep[k]];
        for (int k = c.begin[a / 2]; k < c.first[a]; k++)
            to[k] = 0;
    }
}

static int closed_factor(const lashi_ldlt *ldlt, double *A, double *inverse, closed c, const int *left_out) {
    list_kept(ldlt, c, left_out);
    close_up(ldlt, A, c);
    const int bad = profile_factor(A, inverse, c.last, ldlt->n - *c.left_out, ldlt->n);
    return bad < 0 ? bad : c.keep[bad];
}

static void closed_solve(const lashi_ldlt *ldlt, const double *A, const double *inverse, closed c,
                         double *restrict x) {
    int place = ldlt->n - *c.left_out;
    for (int a = *c.stay; a < place; a++)
        x[a] = x[c.keep[a]];
    profile_solve(A, inverse, c.begin, c.last, place, ldlt->n, x);
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
    return profile_factor(values, work, ldlt->last, ldlt->n, ldlt->n);
}

double lashi_ldlt_inverse_pivots(const lashi_ldlt *ldlt, const double *work, const int *int_work, int first,
                                 int rows) {
    double product = 1;
    if (ldlt->sparse) {
        for (int row = first; row < first + rows; row++)
            product *= 1 / work[row];
    } else if (int_work[0] == 0) {
        for (int row = first; row < first + rows; row++)
            product *= work[row];
    } else {
        const int *place = closed_of(ldlt, int_work).place;
        for (int row = first; row < first + rows; row++)
            product *= place[row] < 0 ? 1 : work[place[row]];
    }
    return product;
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
        profile_solve(values, work, ldlt->begin, ldlt->last, ldlt->n, ldlt->n, x);
}
