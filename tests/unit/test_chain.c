/* SPDX-License-Identifier: MIT
 *
 * LDLᵀ of a chain of blocks: matrices A = B Bᵀ + D with random B of that pattern. The solution of A x = A e is e; factor
 * and solution have the same bits as those of the profile kernel; a row that repeats others is found, by its index.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "laws/near.h"
#include "math/chain.h"

enum { MOST = 50 };

static double uniform(unsigned long long *seed) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) * 0x1p-53 * 2 - 1;
}

/* Σ over couples of neighbours of C Cᵀ, which is positive definite. */
static void random_chain(double A[MOST][MOST], int n, int block, unsigned long long *seed) {
    memset(A, 0, MOST * sizeof *A);
    for (int at = 0; at < n; at += block) {
        const int end = at + 2 * block < n ? at + 2 * block : n;
        double C[2 * LASHI_CHAIN_MOST][2 * LASHI_CHAIN_MOST];
        for (int i = at; i < end; i++)
            for (int j = at; j < end; j++)
                C[i - at][j - at] = uniform(seed) + (i == j);
        for (int i = at; i < end; i++)
            for (int j = at; j < end; j++)
                for (int k = at; k < end; k++)
                    A[i][j] += C[i - at][k - at] * C[j - at][k - at];
    }
}

static int factor(double *A, double *inverse, int n, int block) {
    return block == 3 ? lashi_chain_factor(A, inverse, n, 3)
                      : lashi_chain_factor(A, inverse, n, LASHI_CHAIN_MOST);
}
static void solve(const double *A, const double *inverse, int n, int block, double *x) {
    if (block == 3)
        lashi_chain_solve(A, inverse, n, 3, x);
    else
        lashi_chain_solve(A, inverse, n, LASHI_CHAIN_MOST, x);
}

/* What is below the diagonal must not matter. */
static void copy_above(double *out, double A[MOST][MOST], int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i * n + j] = j < i ? 1e300 : A[i][j];
}

static void solutions_and_bits(void **state) {
    (void)state;
    unsigned long long seed = 1;
    for (int block = 3; block <= LASHI_CHAIN_MOST; block += 2)
        for (int n = block; n <= MOST; n += block) {
            static double A[MOST][MOST], above[MOST * MOST + 2], profile[MOST * MOST + 2];
            double inverse[MOST], pivots[MOST], e[MOST], x[MOST], y[MOST];
            int first[MOST], int_work[3 + 5 * MOST];
            random_chain(A, n, block, &seed);
            for (int i = 0; i < n; i++) {
                e[i] = uniform(&seed);
                first[i] = i / block > 0 ? (i / block - 1) * block : 0;
            }
            for (int i = 0; i < n; i++) {
                x[i] = 0;
                for (int j = 0; j < n; j++) {
                    x[i] += A[i][j] * e[j];
                    profile[i * n + j] = A[i][j];
                }
                y[i] = x[i];
            }
            copy_above(above, A, n);
            assert_int_equal(factor(above, inverse, n, block), -1);
            solve(above, inverse, n, block, x);

            lashi_arena arena = {0};
            lashi_ldlt ldlt;
            lash_error error = {0};
            assert_int_equal(lashi_ldlt_dense(&ldlt, &arena, first, n, &error), LASH_OK);
            assert_int_equal(lashi_ldlt_factor(&ldlt, profile, pivots, int_work, NULL, 0), -1);
            lashi_ldlt_solve(&ldlt, profile, pivots, int_work, y);
            assert_memory_equal(inverse, pivots, (size_t)n * sizeof(double));
            assert_memory_equal(x, y, (size_t)n * sizeof(double));
            for (int i = 0; i < n; i++) {
                assert_near(x[i], e[i], 1e-9);
                for (int j = i + 1; j < n && j / block <= i / block + 1; j++)
                    assert_true(above[i * n + j] == profile[j * n + i]);
            }
            lashi_arena_clear(&arena);
        }
}

static void rows_that_repeat(void **state) {
    (void)state;
    unsigned long long seed = 7;
    for (int block = 3; block <= LASHI_CHAIN_MOST; block += 2)
        for (int row = 1; row < 4 * block; row++) {
            static double A[MOST][MOST], above[MOST * MOST + 2];
            double inverse[MOST];
            const int n = 4 * block;
            random_chain(A, n, block, &seed);
            if (row % block == 0) { // no more than rows of its own block
                for (int j = 0; j < n; j++)
                    A[row][j] = A[j][row] = 0;
            } else {
                for (int j = 0; j < n; j++)
                    A[row][j] = A[row - 1][j];
                for (int j = 0; j < n; j++)
                    A[j][row] = A[j][row - 1];
            }
            copy_above(above, A, n);
            assert_int_equal(factor(above, inverse, n, block), row);
            A[row][row] = (double)NAN;
            copy_above(above, A, n);
            assert_int_equal(factor(above, inverse, n, block), row);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_and_bits),
        cmocka_unit_test(rows_that_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
