/* SPDX-License-Identifier: MIT
 *
 * Vectors within discs with the least quadratic function (math/discs.h): what must hold there, of random
 * problems, also where vectors are nearly dependent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/discs.h"

static double uniform(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 2147483648.0 - 1;
}

/* Where a vector is shorter than its radius the slope is zero; else it points straight in. */
static void fulfils_its_conditions(void **state) {
    (void)state;
    enum { MOST = 8, COUNT = 3, CASES = 300 };
    unsigned seed = 7;
    int held = 0, shorter = 0;
    for (int c = 0; c < CASES; c++) {
        const int size[COUNT] = {2, 3, 2}, n = 7;
        double A[MOST][MOST], W[MOST * MOST], q[MOST], f[MOST] = {0}, radius[COUNT];
        for (int i = 0; i < n; i++) {
            q[i] = uniform(&seed);
            for (int j = 0; j < n; j++) // in every other case the last vector does nearly what the first does
                A[i][j] = c % 2 && i > 4 ? A[i - 5][j] + 1e-2 * uniform(&seed) : uniform(&seed);
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                W[i * n + j] = i == j ? 1e-3 : 0;
                for (int k = 0; k < n; k++)
                    W[i * n + j] += A[i][k] * A[j][k];
            }
        for (int r = 0; r < COUNT; r++)
            radius[r] = 1 + 0.9 * uniform(&seed);
        double *work = calloc((size_t)lashi_discs_work(n, COUNT), sizeof *work);
        assert_non_null(work);
        lashi_discs_least(f, &(lashi_discs){W, q, n, COUNT, size, radius, work});
        free(work);
        for (int r = 0, at = 0; r < COUNT; at += size[r++]) {
            double slope[3], length = 0, along = 0, across = 0;
            for (int k = 0; k < size[r]; k++) {
                slope[k] = q[at + k];
                for (int j = 0; j < n; j++)
                    slope[k] += W[(at + k) * n + j] * f[j];
                length += f[at + k] * f[at + k];
                along += slope[k] * f[at + k];
            }
            length = sqrt(length);
            for (int k = 0; k < size[r]; k++)
                across = fmax(across, fabs(slope[k] - along * f[at + k] / (length * length)));
            assert_true(length <= radius[r] * (1 + 1e-12));
            assert_true(across <= 1e-9);
            if (length < radius[r] * (1 - 1e-9)) {
                assert_true(fabs(along) <= 1e-9);
                shorter++;
            } else {
                assert_true(along <= 1e-12);
                held++;
            }
        }
    }
    assert_true(held > 100 && shorter > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fulfils_its_conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
