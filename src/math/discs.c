/* SPDX-License-Identifier: MIT
 *
 * Vector by vector, over and over: with all the others as they are, one has (W_rr + ν) f_r = −q_r with ν ≥ 0
 * such that |f_r| is its radius, or ν = 0 where it is shorter. The function falls with every one, and is
 * convex, so that this ends at the least (Hestenes, Conjugate Direction Methods in Optimization, 1980, on
 * coordinates one by one). ν is found by Newton's method on 1/|f| (Moré & Sorensen, SIAM J. Sci. Stat. Comput.
 * 4 (1983) 553-572, eq. 3.3).
 */
#include "math/discs.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "math/eliminate.h"

/* Change, of the largest number, at which all fit; and of a length. */
static const double SAME = 1e-13, SAME_LENGTH = 1e-15;
enum { SWEEPS = 2000, STEPS = 50 };

static double length_of(const double *a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sqrt(sum);
}

/* x = −(W + ν)⁻¹ b; `stride` numbers from one row of W to the next. */
static bool answer(double *x, const double *W, int stride, const double *b, int n, double nu) {
    double matrix[LASHI_DISC_MOST * LASHI_DISC_MOST];
    for (int i = 0; i < n; i++) {
        x[i] = -b[i];
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = W[i * stride + j] + (i == j ? nu : 0);
    }
    return lashi_eliminate(NULL, matrix, x, (size_t)n);
}

static void one(double *f, const double *W, int stride, const double *q, int n, double radius) {
    double size = 0, nu = 0, high = radius > 0 ? length_of(q, n) / radius : 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, W[i * stride + i]);
    for (int k = 0; k < STEPS; k++) {
        const bool fine = answer(f, W, stride, q, n, nu);
        const double length = fine ? length_of(f, n) : INFINITY;
        if (k == 0 && length <= radius)
            return;
        if (!isfinite(length)) { // W alone does not hold every direction
            nu = fmax(DBL_EPSILON * size, 2 * nu);
            continue;
        }
        // d|f|/dν = −f·(W + ν)⁻¹ f/|f|
        double slope[LASHI_DISC_MOST], along = 0;
        answer(slope, W, stride, f, n, nu);
        for (int i = 0; i < n; i++)
            along -= f[i] * slope[i];
        const double step = along > 0 ? (length / radius - 1) * length * length / along : 0;
        nu = fmin(fmax(nu + step, 0), high);
        if (!(fabs(length / radius - 1) > SAME_LENGTH))
            break;
    }
    answer(f, W, stride, q, n, nu);
    const double length = length_of(f, n);
    for (int i = 0; i < n; i++)
        f[i] *= length > 0 ? radius / length : 0;
}

void lashi_discs_least(double *f, const double *W, const double *q, int n, const int *size,
                       const double *radius, int count) {
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0, most = 0;
        for (int r = 0, at = 0; r < count; at += size[r++]) {
            double rest[LASHI_DISC_MOST], before[LASHI_DISC_MOST];
            for (int k = 0; k < size[r]; k++) {
                before[k] = f[at + k];
                rest[k] = q[at + k];
                for (int j = 0; j < n; j++)
                    rest[k] += j < at || j >= at + size[r] ? W[(at + k) * n + j] * f[j] : 0;
            }
            one(f + at, W + at * n + at, n, rest, size[r], radius[r]);
            for (int k = 0; k < size[r]; k++) {
                change = fmax(change, fabs(f[at + k] - before[k]));
                most = fmax(most, fabs(f[at + k]));
            }
        }
        if (count < 2 || !(change > SAME * most))
            break;
    }
}
