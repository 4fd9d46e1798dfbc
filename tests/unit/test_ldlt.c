/* SPDX-License-Identifier: MIT
 *
 * LDLᵀ by both paths against matrices whose solution is known: A = B Bᵀ + D with random B of a given pattern,
 * b = A x for a chosen x; and against LAPACK's Cholesky (dposv). A row that repeats others is found, by its
 * index.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "laws/near.h"
#include "math/ldlt.h"

void dposv_(const char *uplo, const int *n, const int *columns, double *A, const int *lda, double *b,
            const int *ldb, int *info);

enum { MOST = 60 };

typedef struct matrix {
    int n;
    double a[MOST][MOST];
    int first[MOST]; /* profile of the lower triangle */
} matrix;

static double uniform(unsigned long long *seed) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) * 0x1p-53 * 2 - 1;
}

/* Symmetric, diagonally dominant enough to be positive definite, with about `share` of the lower triangle
 * filled. */
static matrix random_matrix(int n, double share, unsigned long long *seed) {
    matrix m = {.n = n};
    for (int i = 0; i < n; i++) {
        m.first[i] = i;
        for (int j = 0; j < i; j++)
            if (uniform(seed) * 0.5 + 0.5 < share) {
                m.a[i][j] = m.a[j][i] = uniform(seed);
                m.first[i] = j < m.first[i] ? j : m.first[i];
            }
    }
    for (int i = 0; i < n; i++) {
        double sum = 0.1;
        for (int j = 0; j < n; j++)
            sum += i == j ? 0 : fabs(m.a[i][j]);
        m.a[i][i] = sum;
    }
    return m;
}

typedef struct solver {
    lashi_arena arena;
    lashi_ldlt ldlt;
    double *values, *work;
    int *int_work;
} solver;

/* Plans a matrix for one of the paths and writes it; what lies outside the lower triangle must not matter. */
static solver plan(const matrix *m, bool sparse) {
    solver s = {0};
    const int n = m->n;
    lash_error error = {0};
    if (sparse) {
        int start[MOST + 1] = {0}, column[MOST * MOST], used = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++)
                if (i == j || m->a[i][j] != 0)
                    column[used++] = j;
            start[i + 1] = used;
        }
        assert_int_equal(lashi_ldlt_sparse(&s.ldlt, &s.arena, start, column, n, &error), LASH_OK);
    } else {
        assert_int_equal(lashi_ldlt_dense(&s.ldlt, &s.arena, m->first, n, &error), LASH_OK);
    }
    s.values = lashi_arena_alloc(&s.arena, s.ldlt.values, sizeof(double));
    s.work = lashi_arena_alloc(&s.arena, s.ldlt.work, sizeof(double));
    s.int_work = lashi_arena_alloc(&s.arena, s.ldlt.int_work, sizeof(int));
    for (int i = 0; i < n; i++)
        if (sparse) {
            for (int at = s.ldlt.start[i]; at < s.ldlt.start[i + 1]; at++)
                s.values[at] = m->a[i][s.ldlt.column[at]];
        } else {
            for (int j = 0; j < n; j++)
                s.values[i * n + j] = j <= i ? m->a[i][j] : 1e9;
        }
    for (int i = 0; i < n; i++)
        assert_memory_equal(&s.values[s.ldlt.diagonal[i]], &m->a[i][i], sizeof(double)); // NaN too
    return s;
}

static int factor(solver *s) {
    return lashi_ldlt_factor(&s->ldlt, s->values, s->work, s->int_work, NULL, 0);
}

static void test_known_solutions(void **state) {
    (void)state;
    unsigned long long seed = 1;
    static const int sizes[] = {1, 2, 3, 5, 9, 17, 40, MOST};
    static const double shares[] = {0, 0.1, 0.5, 1};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int d = 0; d < 4; d++)
            for (int sparse = 0; sparse < 2; sparse++) {
                const matrix m = random_matrix(sizes[k], shares[d], &seed);
                const int n = m.n, one = 1;
                int info = 0;
                static double copy[MOST * MOST];
                double x[MOST], b[MOST] = {0}, lapack[MOST];
                for (int i = 0; i < n; i++)
                    x[i] = uniform(&seed);
                for (int i = 0; i < n; i++)
                    for (int j = 0; j < n; j++)
                        b[i] += m.a[i][j] * x[j];
                for (int i = 0; i < n; i++)
                    for (int j = 0; j < n; j++)
                        copy[i * n + j] = m.a[i][j];
                memcpy(lapack, b, sizeof b);
                dposv_("L", &n, &one, copy, &n, lapack, &n, &info);
                assert_int_equal(info, 0);
                solver s = plan(&m, sparse == 1);
                assert_int_equal(factor(&s), -1);
                lashi_ldlt_solve(&s.ldlt, s.values, s.work, s.int_work, b);
                for (int i = 0; i < n; i++) {
                    assert_near(b[i], x[i], 1e-12);
                    assert_near(b[i], lapack[i], 1e-12);
                }
                lashi_arena_clear(&s.arena);
            }
}

/* Row r replaced by a combination of two rows before it, in rows and columns: A stays symmetric and its pivot
 * vanishes. */
static void test_dependent_row(void **state) {
    (void)state;
    unsigned long long seed = 5;
    for (int k = 0; k < 20; k++)
        for (int sparse = 0; sparse < 2; sparse++) {
            const int n = 12, r = 2 + k % 10, p = k % r, q = (k / 2 + 1) % r;
            matrix m = random_matrix(n, 1, &seed);
            const double u = 1 + uniform(&seed) / 2, v = 1 + uniform(&seed) / 2;
            for (int j = 0; j < n; j++)
                m.a[r][j] = u * m.a[p][j] + v * m.a[q][j];
            for (int j = 0; j < n; j++)
                m.a[j][r] = u * m.a[j][p] + v * m.a[j][q];
            for (int i = 0; i < n; i++)
                m.first[i] = 0;
            solver s = plan(&m, sparse == 1);
            assert_int_equal(factor(&s), r);
            lashi_arena_clear(&s.arena);
        }
}

/* Rows that are left out: the solution is that of the matrix without them, and 0 for them. */
static void test_rows_left_out(void **state) {
    (void)state;
    unsigned long long seed = 7;
    for (int k = 0; k < 20; k++)
        for (int sparse = 0; sparse < 2; sparse++) {
            const int n = 12, a = k % n, b = (5 * k + 3) % n;
            matrix m = random_matrix(n, 0.5, &seed);
            solver s = plan(&m, sparse == 1);
            double x[MOST], right[MOST] = {0};
            for (int i = 0; i < n; i++)
                x[i] = i == a || i == b ? 0 : uniform(&seed);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    right[i] += m.a[i][j] * x[j];
            const int left_out[] = {a, b};
            assert_int_equal(lashi_ldlt_factor(&s.ldlt, s.values, s.work, s.int_work, left_out, 2), -1);
            assert_true(lashi_ldlt_inverse_pivots(&s.ldlt, s.work, s.int_work, a, 1) == 1);
            for (int i = 0; i < n; i++) // the first pivot is the first diagonal entry
                if (i != a && i != b) {
                    assert_near(lashi_ldlt_inverse_pivots(&s.ldlt, s.work, s.int_work, i, 1), 1 / m.a[i][i],
                                1e-12);
                    break;
                }
            right[a] = 5e9; // does not matter
            lashi_ldlt_solve(&s.ldlt, s.values, s.work, s.int_work, right);
            for (int i = 0; i < n; i++)
                assert_near(right[i], x[i], 1e-12);
            lashi_arena_clear(&s.arena);
        }
}

/* Where a row that stays depends on others, it is named by its own index. */
static void test_dependent_beside_left_out(void **state) {
    (void)state;
    unsigned long long seed = 11;
    for (int sparse = 0; sparse < 2; sparse++) {
        const int n = 9, r = 6;
        matrix m = random_matrix(n, 1, &seed);
        for (int j = 0; j < n; j++)
            m.a[r][j] = m.a[2][j] + m.a[4][j];
        for (int j = 0; j < n; j++)
            m.a[j][r] = m.a[j][2] + m.a[j][4];
        solver s = plan(&m, sparse == 1);
        const int left_out[] = {3, 1};
        assert_int_equal(lashi_ldlt_factor(&s.ldlt, s.values, s.work, s.int_work, left_out, 2), r);
        lashi_arena_clear(&s.arena);
    }
}

/* A row of zeros, a negative diagonal, numbers that are none: no factor, and never a crash. */
static void test_no_factor(void **state) {
    (void)state;
    static const double bad[] = {0, -1, NAN, INFINITY};
    unsigned long long seed = 9;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        for (int sparse = 0; sparse < 2; sparse++) {
            matrix m = random_matrix(6, 0, &seed);
            m.a[3][3] = bad[k];
            solver s = plan(&m, sparse == 1);
            if (isfinite(bad[k]))
                assert_int_equal(factor(&s), 3);
            else
                assert_true(factor(&s) >= 0);
            lashi_arena_clear(&s.arena);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_solutions), cmocka_unit_test(test_dependent_row),
        cmocka_unit_test(test_rows_left_out),   cmocka_unit_test(test_dependent_beside_left_out),
        cmocka_unit_test(test_no_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
