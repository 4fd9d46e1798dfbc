/* SPDX-License-Identifier: MIT
 *
 * Elimination with row pivots: see eliminate.h.
 */
#include "math/eliminate.h"

#include <math.h>

static void swap(double *a, double *b) {
    const double kept = *a;
    *a = *b;
    *b = kept;
}

bool lashi_eliminate(double *determinant, double *A, double *b, size_t n) {
    double product = 1;
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t r = i + 1; r < n; r++)
            best = fabs(A[r * n + i]) > fabs(A[best * n + i]) ? r : best;
        if (best != i) {
            for (size_t c = 0; c < n; c++)
                swap(&A[i * n + c], &A[best * n + c]);
            swap(&b[i], &b[best]);
            product = -product;
        }
        product *= A[i * n + i];
        if (!(fabs(A[i * n + i]) > 0))
            return false;
        for (size_t r = i + 1; r < n; r++) {
            const double share = A[r * n + i] / A[i * n + i];
            for (size_t c = i; share != 0 && c < n; c++)
                A[r * n + c] -= share * A[i * n + c];
            b[r] -= share * b[i];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t c = i + 1; c < n; c++)
            b[i] -= A[i * n + c] * b[c];
        b[i] /= A[i * n + i];
    }
    if (determinant)
        *determinant = product;
    return true;
}
