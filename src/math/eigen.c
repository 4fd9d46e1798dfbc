/* SPDX-License-Identifier: MIT
 *
 * The QR algorithm in complex numbers: balancing, reduction to Hessenberg form by plane rotations, shifted QR
 * steps with deflation (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., sections 7.4, 7.5); then
 * each eigenvector by inverse iteration. Complex numbers cost a factor of four and avoid the double shift.
 * For the matrices of linearised machines, some tens of rows.
 */
#include "math/eigen.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_STEPS = 60, UNUSUAL = 10 }; // QR steps for one eigenvalue; every so often another shift
static const double BALANCED = 0.95;    // a scaling that gains less is not done

typedef double complex number;

/* Powers of 2 that make rows and columns alike: D⁻¹ A D. */
static void balance(double *A, double *D, size_t n) {
    for (size_t i = 0; i < n; i++)
        D[i] = 1;
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < n; i++) {
            double row = 0, column = 0, factor = 1;
            for (size_t k = 0; k < n; k++) {
                row += k == i ? 0 : fabs(A[i * n + k]);
                column += k == i ? 0 : fabs(A[k * n + i]);
            }
            if (row == 0 || column == 0)
                continue;
            const double sum = row + column;
            for (; column < row / 2; column *= 4)
                factor *= 2;
            for (; column >= row * 2; column /= 4)
                factor /= 2;
            if ((column + row) / factor >= BALANCED * sum)
                continue;
            again = true;
            D[i] *= factor;
            for (size_t k = 0; k < n; k++) {
                A[i * n + k] /= factor;
                A[k * n + i] *= factor;
            }
        }
    }
}

/* A plane rotation [c s; −s̄ c] that turns (a, b) to (r, 0); c is real. */
typedef struct rotation {
    double c;
    number s;
} rotation;

static rotation turn_to_first(number a, number b) {
    const double length = hypot(cabs(a), cabs(b));
    if (length == 0 || cabs(b) == 0)
        return (rotation){1, 0};
    if (cabs(a) == 0)
        return (rotation){0, conj(b) / cabs(b)};
    return (rotation){cabs(a) / length, a / cabs(a) * conj(b) / length};
}

static void turn_rows(number *H, size_t n, size_t p, size_t q, rotation r, size_t from, size_t to) {
    for (size_t k = from; k < to; k++) {
        const number a = H[p * n + k], b = H[q * n + k];
        H[p * n + k] = r.c * a + r.s * b;
        H[q * n + k] = r.c * b - conj(r.s) * a;
    }
}

static void turn_columns(number *H, size_t n, size_t p, size_t q, rotation r, size_t from, size_t to) {
    for (size_t k = from; k < to; k++) {
        const number a = H[k * n + p], b = H[k * n + q];
        H[k * n + p] = r.c * a + conj(r.s) * b;
        H[k * n + q] = r.c * b - r.s * a;
    }
}

static void reduce(number *H, size_t n) {
    for (size_t j = 0; j + 2 < n; j++)
        for (size_t i = n - 1; i > j + 1; i--) {
            const rotation r = turn_to_first(H[(i - 1) * n + j], H[i * n + j]);
            turn_rows(H, n, i - 1, i, r, 0, n);
            turn_columns(H, n, i - 1, i, r, 0, n);
            H[i * n + j] = 0;
        }
}

/* The eigenvalue of the last 2×2 block that is nearer to its last entry. */
static number shift_of(const number *H, size_t n, size_t last) {
    const number a = H[(last - 1) * n + last - 1], b = H[(last - 1) * n + last], c = H[last * n + last - 1],
                 d = H[last * n + last];
    const number half = (a - d) / 2, root = csqrt(half * half + b * c);
    const number far = cabs(half + root) > cabs(half - root) ? half + root : half - root;
    return cabs(far) > 0 ? d - b * c / far : d;
}

/* H ← R Q + μ with Q R = H − μ, of the block from first to last. */
static void step(number *H, size_t n, size_t first, size_t last, number shift, rotation *turns) {
    for (size_t i = first; i <= last; i++)
        H[i * n + i] -= shift;
    for (size_t i = first; i < last; i++) {
        turns[i] = turn_to_first(H[i * n + i], H[(i + 1) * n + i]);
        turn_rows(H, n, i, i + 1, turns[i], i, last + 1);
    }
    for (size_t i = first; i < last; i++)
        turn_columns(H, n, i, i + 1, turns[i], first, i + 2 <= last ? i + 2 : last + 1);
    for (size_t i = first; i <= last; i++)
        H[i * n + i] += shift;
}

static bool find_values(number *values, number *H, size_t n, rotation *turns) {
    size_t steps = 0;
    for (size_t last = n; last-- > 0;) {
        for (steps = 0;; steps++) {
            size_t first = last;
            while (first > 0 &&
                   cabs(H[first * n + first - 1]) >
                       DBL_EPSILON * (cabs(H[first * n + first]) + cabs(H[(first - 1) * n + first - 1])))
                first--;
            if (first == last)
                break;
            if (steps == MOST_STEPS)
                return false;
            const bool unusual = steps % UNUSUAL == UNUSUAL - 1;
            step(H, n, first, last,
                 unusual ? H[last * n + last] + cabs(H[last * n + last - 1]) : shift_of(H, n, last), turns);
        }
        values[last] = H[last * n + last];
    }
    return true;
}

/* x ← (A − λ)⁻¹ x by elimination with pivoting; pivots that vanish are a rounding of A. */
static void solve(number *x, number *work, const double *A, size_t n, number lambda, double size) {
    for (size_t i = 0; i < n * n; i++)
        work[i] = A[i] - (i % (n + 1) == 0 ? lambda : 0);
    for (size_t j = 0; j < n; j++) {
        size_t pivot = j;
        for (size_t i = j + 1; i < n; i++)
            pivot = cabs(work[i * n + j]) > cabs(work[pivot * n + j]) ? i : pivot;
        for (size_t k = 0; pivot != j && k < n; k++) {
            const number kept = work[j * n + k];
            work[j * n + k] = work[pivot * n + k];
            work[pivot * n + k] = kept;
        }
        const number kept = x[j];
        x[j] = x[pivot];
        x[pivot] = kept;
        if (cabs(work[j * n + j]) < DBL_EPSILON * size)
            work[j * n + j] = DBL_EPSILON * size;
        for (size_t i = j + 1; i < n; i++) {
            const number factor = work[i * n + j] / work[j * n + j];
            for (size_t k = j + 1; k < n; k++)
                work[i * n + k] -= factor * work[j * n + k];
            x[i] -= factor * x[j];
        }
    }
    for (size_t j = n; j-- > 0;) {
        for (size_t k = j + 1; k < n; k++)
            x[j] -= work[j * n + k] * x[k];
        x[j] /= work[j * n + j];
    }
}

/* Its largest component becomes 1. */
static void normalise(number *x, size_t n) {
    size_t largest = 0;
    for (size_t i = 1; i < n; i++)
        largest = cabs(x[i]) > cabs(x[largest]) ? i : largest;
    const number unit = x[largest];
    for (size_t i = 0; i < n && cabs(unit) > 0; i++)
        x[i] /= unit;
}

static int by_frequency(const void *a, const void *b) {
    const number x = *(const number *)a, y = *(const number *)b;
    const double u = fabs(cimag(x)), v = fabs(cimag(y)), near = 1e-12 * (cabs(x) + cabs(y));
    if (fabs(u - v) > near)
        return u < v ? -1 : 1;
    if (fabs(creal(x) - creal(y)) > near)
        return creal(x) < creal(y) ? -1 : 1;
    return (cimag(x) > cimag(y)) - (cimag(x) < cimag(y));
}

lash_status lashi_eigen(double complex *values, double complex *vectors, const double *A, size_t n,
                        lash_error *error) {
    lashi_arena arena = {0};
    double *B = lashi_arena_alloc(&arena, n * n, sizeof *B), *D = lashi_arena_alloc(&arena, n, sizeof *D);
    number *H = lashi_arena_alloc(&arena, n * n, sizeof *H);
    rotation *turns = lashi_arena_alloc(&arena, n, sizeof *turns);
    lash_status status = B && D && H && turns ? LASH_OK : lashi_fail_memory(error);
    double size = 0;
    for (size_t i = 0; !status && i < n * n; i++)
        if (!isfinite(A[i]))
            status = lashi_fail(error, LASH_ERROR_NOT_FINITE, "a matrix has an entry that is not a number");
    if (!status) {
        memcpy(B, A, n * n * sizeof *B);
        balance(B, D, n);
        for (size_t i = 0; i < n * n; i++) {
            H[i] = B[i];
            size = fmax(size, fabs(B[i]));
        }
        reduce(H, n);
        if (!find_values(values, H, n, turns))
            status = lashi_fail(error, LASH_ERROR_INTERNAL, "eigenvalues could not be found");
    }
    if (!status)
        qsort(values, n, sizeof *values, by_frequency);
    for (size_t k = 0; !status && k < n; k++) {
        number *x = vectors + k * n;
        for (size_t i = 0; i < n; i++)
            x[i] = 1 + (double)(i * (k + 1)) / 8; // not orthogonal to anything that is likely
        for (int pass = 0; pass < 3; pass++) {
            solve(x, H, B, n, values[k] + DBL_EPSILON * size, size);
            normalise(x, n);
        }
        for (size_t i = 0; i < n; i++)
            x[i] *= D[i];
        normalise(x, n);
    }
    lashi_arena_clear(&arena);
    return status;
}
