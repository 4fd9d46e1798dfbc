/* SPDX-License-Identifier: MIT
 *
 * Dependent columns: matrices whose dependencies are known because they were made so, by the dense and the
 * sparse way; near dependencies on both sides of the limit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/columns.h"
#include "system/spqr.h"

enum { MOST = 40 };
static const double LEAST = 1e-9;

typedef struct matrix {
    lashi_columns A;
    int start[MOST + 1], index[MOST * MOST];
    double value[MOST * MOST];
} matrix;

static double draw(unsigned *seed) {
    return 2.0 * rand_r(seed) / RAND_MAX - 1;
}

/* Unit columns, of which every third is a mixture of earlier ones, and all beyond the number of rows. */
static void make(matrix *m, unsigned char *wanted, int rows, int columns, unsigned *seed) {
    double full[MOST][MOST] = {{0}};
    int rank = 0;
    for (int c = 0; c < columns; c++) {
        const bool mixture = c % 3 == 2 || rank == rows;
        for (int k = 0; mixture && k < c; k++) {
            const double share = draw(seed);
            for (int i = 0; i < rows; i++)
                full[c][i] += share * full[k][i];
        }
        double square = 0;
        for (int i = 0; i < rows; i++) {
            if (!mixture)
                full[c][i] = draw(seed);
            square += full[c][i] * full[c][i];
        }
        for (int i = 0; i < rows; i++)
            full[c][i] /= sqrt(square);
        wanted[c] = mixture;
        rank += !mixture;
    }
    m->A = (lashi_columns){rows, columns, m->start, m->index, m->value};
    int used = 0;
    for (int c = 0; c < columns; c++) {
        m->start[c] = used;
        for (int i = 0; i < rows; i++) {
            m->index[used] = i;
            m->value[used++] = full[c][i];
        }
    }
    m->start[columns] = used;
}

static void test_made_dependent(void **state) {
    (void)state;
    unsigned seed = 11;
    static matrix m;
    for (int round = 0; round < 200; round++) {
        unsigned char wanted[MOST], dense[MOST], sparse[MOST];
        const int rows = 1 + rand_r(&seed) % MOST, columns = 1 + rand_r(&seed) % MOST;
        make(&m, wanted, rows, columns, &seed);
        lashi_arena scratch = {0};
        assert_int_equal(lashi_columns_dependent(dense, &m.A, LEAST, &scratch, NULL), LASH_OK);
        assert_int_equal(lashi_spqr_dependent(sparse, &m.A, LEAST, NULL), LASH_OK);
        lashi_arena_clear(&scratch);
        assert_memory_equal(dense, wanted, (size_t)columns);
        assert_memory_equal(sparse, wanted, (size_t)columns);
    }
}

/* Two unit columns at an angle a: the second is dependent when sin a is below the limit. */
static void test_limit(void **state) {
    (void)state;
    static const double angles[] = {1e-12, 0.9e-9, 1.1e-9, 1e-6};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        int start[] = {0, 1, 3}, index[] = {0, 0, 1};
        double value[] = {1, cos(angles[k]), sin(angles[k])};
        const lashi_columns A = {2, 2, start, index, value};
        unsigned char dependent[2];
        lashi_arena scratch = {0};
        assert_int_equal(lashi_columns_dependent(dependent, &A, LEAST, &scratch, NULL), LASH_OK);
        lashi_arena_clear(&scratch);
        assert_int_equal(dependent[0], 0);
        assert_int_equal(dependent[1], angles[k] < LEAST);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_dependent),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
