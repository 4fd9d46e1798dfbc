/* SPDX-License-Identifier: MIT
 *
 * LDLᵀ of a chain: a symmetric positive definite matrix of square blocks of 3 or 5 rows, each coupled with the one
 * before and the one after it and with no other. Chains of balls and pins in space have such matrices.
 *
 * Storage: n rows that are n apart, of which only what stands on and above the diagonal is read; a factor has Lᵀ
 * above the diagonal. With u = D Lᵀ, row k of a block and of its coupling with the next one:
 *     u_kj = A_kj − Σ_i u_ij L_ki  for i < k in this block,   L_jk = u_kj/D_k,
 * and the next block loses Σ_k u_kj L_ik. All sums have the order of ldlt.c, so that the numbers are the same. A row
 * has an odd number of entries: pairs, and a last one alone. What one block takes from the next one does not go
 * through memory entry by entry.
 */
#ifndef LASHI_CHAIN_H
#define LASHI_CHAIN_H

#include <stddef.h>

#include "math/ldlt.h"

/* Two numbers side by side. */
typedef double lashi_pair2 __attribute__((vector_size(16), aligned(8), may_alias));

enum { LASHI_CHAIN_MOST = 5 }; /* rows of a block */

#define LASHI_UNROLLED _Pragma("GCC unroll 8") for
#define LASHI_IN_PLACE __attribute__((always_inline)) static inline

/* A row of a block, of which pairs before some `from` are not used. */
typedef struct lashi_chain_row {
    lashi_pair2 pair[LASHI_CHAIN_MOST / 2];
    double last;
} lashi_chain_row;

LASHI_IN_PLACE lashi_chain_row lashi_chain_read(const double *a, int block, int from) {
    lashi_chain_row r = {0};
    LASHI_UNROLLED(int p = from; p < block / 2; p++)
    r.pair[p] = *(const lashi_pair2 *)(a + 2 * p);
    r.last = a[block - 1];
    return r;
}
LASHI_IN_PLACE void lashi_chain_write(double *a, const lashi_chain_row *r, int block, int from) {
    LASHI_UNROLLED(int p = from; p < block / 2; p++)
    *(lashi_pair2 *)(a + 2 * p) = r->pair[p];
    a[block - 1] = r->last;
}
/* r −= k u */
LASHI_IN_PLACE void lashi_chain_take(lashi_chain_row *r, const lashi_chain_row *u, double k, int block,
                                     int from) {
    LASHI_UNROLLED(int p = from; p < block / 2; p++)
    r->pair[p] -= u->pair[p] * k;
    r->last -= u->last * k;
}
/* k u */
LASHI_IN_PLACE lashi_chain_row lashi_chain_times(const lashi_chain_row *u, double k, int block, int from) {
    lashi_chain_row r = {0};
    LASHI_UNROLLED(int p = from; p < block / 2; p++)
    r.pair[p] = u->pair[p] * k;
    r.last = u->last * k;
    return r;
}
LASHI_IN_PLACE double lashi_chain_entry(const lashi_chain_row *r, int j, int block) {
    return j == block - 1 ? r->last : r->pair[j / 2][j % 2];
}

/* Factors the block that begins at row `at`, after those before it. own: that block less what they have taken,
 * becomes the next one less that. inverse: 1/D. Returns −1, or the first row that depends on those before it. */
LASHI_IN_PLACE int lashi_chain_step(lashi_chain_row own[LASHI_CHAIN_MOST], double *A, double *inverse, int n,
                                    int block, int at) {
    double *const first = A + (ptrdiff_t)at * n + at;
    const bool more = at + block < n;
    lashi_chain_row next[LASHI_CHAIN_MOST], lower[LASHI_CHAIN_MOST], coupled[LASHI_CHAIN_MOST];
    LASHI_UNROLLED(int k = 0; k < block; k++) {
        double *const a = first + (ptrdiff_t)k * n;
        const double least = LASHI_PIVOT_SHARE * a[k];
        if (more)
            next[k] = lashi_chain_read(a + block, block, 0);
        LASHI_UNROLLED(int i = 0; i < k; i++) {
            const double l = lashi_chain_entry(&lower[i], k, block);
            lashi_chain_take(&own[k], &own[i], l, block, k / 2);
            if (more)
                lashi_chain_take(&next[k], &next[i], l, block, 0);
        }
        const double pivot = lashi_chain_entry(&own[k], k, block);
        if (!(pivot > least))
            return at + k;
        const double v = inverse[at + k] = 1 / pivot;
        lower[k] = lashi_chain_times(&own[k], v, block, k / 2);
        lashi_chain_write(a, &lower[k], block, k / 2);
        if (more) {
            coupled[k] = lashi_chain_times(&next[k], v, block, 0);
            lashi_chain_write(a + block, &coupled[k], block, 0);
        }
    }
    if (!more)
        return -1;
    LASHI_UNROLLED(int i = 0; i < block; i++) {
        own[i] = lashi_chain_read(first + (ptrdiff_t)(block + i) * n + block, block, i / 2);
        LASHI_UNROLLED(int k = 0; k < block; k++)
        lashi_chain_take(&own[i], &next[k], lashi_chain_entry(&coupled[k], i, block), block, i / 2);
    }
    return -1;
}

/* Factors A. inverse: [n] 1/D. Returns −1, or the first row that depends on those before it. */
LASHI_IN_PLACE int lashi_chain_factor(double *A, double *inverse, int n, int block) {
    lashi_chain_row own[LASHI_CHAIN_MOST] = {0};
    LASHI_UNROLLED(int k = 0; k < block; k++)
    own[k] = lashi_chain_read(A + (ptrdiff_t)k * n, block, k / 2);
    int bad = -1;
    for (int at = 0; at < n && bad < 0; at += block)
        bad = lashi_chain_step(own, A, inverse, n, block, at);
    return bad;
}

/* x: right-hand side in, solution out; forwards with rows of Lᵀ, backwards with their products. */
LASHI_IN_PLACE void lashi_chain_solve(const double *A, const double *inverse, int n, int block,
                                      double *restrict x) {
    lashi_chain_row own = lashi_chain_read(x, block, 0);
    for (int at = 0; at < n; at += block) {
        const double *const first = A + (ptrdiff_t)at * n + at;
        const bool more = at + block < n;
        lashi_chain_row next = {0};
        if (more)
            next = lashi_chain_read(x + at + block, block, 0);
        LASHI_UNROLLED(int k = 0; k < block; k++) {
            const double *const a = first + (ptrdiff_t)k * n, xk = lashi_chain_entry(&own, k, block);
            if (k + 1 < block) {
                const lashi_chain_row lower = lashi_chain_read(a, block, (k + 1) / 2);
                lashi_chain_take(&own, &lower, xk, block, (k + 1) / 2);
                if (k % 2 == 0)
                    own.pair[k / 2][0] = xk; // of the diagonal
            }
            if (more) {
                const lashi_chain_row coupled = lashi_chain_read(a + block, block, 0);
                lashi_chain_take(&next, &coupled, xk, block, 0);
            }
        }
        LASHI_UNROLLED(int p = 0; p < block / 2; p++)
        *(lashi_pair2 *)(x + at + 2 * p) = own.pair[p] * *(const lashi_pair2 *)(inverse + at + 2 * p);
        x[at + block - 1] = own.last * inverse[at + block - 1];
        own = next;
    }
    double after[LASHI_CHAIN_MOST] = {0};
    for (int at = n - block; at >= 0; at -= block) {
        const double *const first = A + (ptrdiff_t)at * n + at;
        const bool more = at + block < n;
        double y[LASHI_CHAIN_MOST];
        LASHI_UNROLLED(int k = block - 1; k >= 0; k--) {
            const double *const a = first + (ptrdiff_t)k * n;
            double sum = x[at + k];
            LASHI_UNROLLED(int i = block - 1; i >= 0; i--)
            if (more)
                sum -= a[block + i] * after[i];
            LASHI_UNROLLED(int i = block - 1; i > k; i--)
            sum -= a[i] * y[i];
            y[k] = sum;
        }
        LASHI_UNROLLED(int k = 0; k < block; k++)
        x[at + k] = after[k] = y[k];
    }
}

#endif
