/* SPDX-License-Identifier: MIT
 *
 * At the least (W + D) f = −q, with D a number ν_r ≥ 0 for each vector: 0 where it is shorter than its radius.
 *
 * First vector by vector, over and over: with all the others as they are, one has (W_rr + ν) f_r = −q_r. The
 * function falls with every one, and is convex, so that this comes ever nearer to the least, but slowly where
 * vectors are nearly dependent. So after some rounds all ν are found together, by Newton's method on 1/|f_r|
 * − 1/radius (Moré & Sorensen, SIAM J. Sci. Stat. Comput. 4 (1983) 553-572, eq. 3.3, for one of them), which
 * is nearly linear in them, and the rounds go on from there.
 */
#include "math/discs.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "math/eliminate.h"

/* Change, of the largest number, at which all fit; and of a length. */
static const double SAME = 1e-13, SAME_LENGTH = 1e-15;
enum { ROUNDS = 20, SWEEPS = 10, STEPS = 50, TOGETHER = 10 };

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

/* One vector; returns its ν. */
static double one(double *f, const double *W, int stride, const double *q, int n, double radius) {
    double nu = 0, high = radius > 0 ? length_of(q, n) / radius : 0;
    for (int k = 0; k < STEPS; k++) {
        if (!answer(f, W, stride, q, n, nu))
            return 0;
        const double length = length_of(f, n);
        if (k == 0 && length <= radius)
            return 0;
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
    return nu;
}

/* Each in turn; returns the change, of the largest number. */
static double sweep(double *f, double *nu, const lashi_discs *p) {
    double change = 0, most = 0;
    for (int r = 0, at = 0; r < p->count; at += p->size[r++]) {
        double rest[LASHI_DISC_MOST], before[LASHI_DISC_MOST];
        for (int k = 0; k < p->size[r]; k++) {
            before[k] = f[at + k];
            rest[k] = p->q[at + k];
            for (int j = 0; j < p->n; j++)
                rest[k] += j < at || j >= at + p->size[r] ? p->W[(at + k) * p->n + j] * f[j] : 0;
        }
        nu[r] = one(f + at, p->W + at * p->n + at, p->n, rest, p->size[r], p->radius[r]);
        for (int k = 0; k < p->size[r]; k++) {
            change = fmax(change, fabs(f[at + k] - before[k]));
            most = fmax(most, fabs(f[at + k]));
        }
    }
    return most > 0 ? change / most : 0;
}

/* W + D. */
static void stiffen(double *matrix, const double *nu, const lashi_discs *p) {
    memcpy(matrix, p->W, (size_t)p->n * (size_t)p->n * sizeof *matrix);
    for (int r = 0, at = 0; r < p->count; at += p->size[r++])
        for (int k = at; k < at + p->size[r]; k++)
            matrix[k * p->n + k] += nu[r];
}

/* All together, from f and ν; those that are shorter than their radius stay with ν = 0. False: that leads
 * nowhere. */
static bool together(double *f, double *nu, const lashi_discs *p) {
    const int n = p->n, count = p->count;
    double *matrix = p->work, *x = matrix + n * n, *J = x + n, *step = J + count * count,
           *answers = step + count; // [count][n]
    for (int k = 0; k < TOGETHER; k++) {
        double off = 0;
        stiffen(matrix, nu, p);
        for (int i = 0; i < n; i++)
            x[i] = -p->q[i];
        if (!lashi_eliminate(NULL, matrix, x, (size_t)n))
            return false;
        for (int s = 0, to = 0; s < count; to += p->size[s++]) { // (W + D)⁻¹ f_s
            double *a = answers + s * n;
            memset(a, 0, (size_t)n * sizeof *a);
            memcpy(a + to, x + to, (size_t)p->size[s] * sizeof *a);
            stiffen(matrix, nu, p);
            if (nu[s] > 0 && !lashi_eliminate(NULL, matrix, a, (size_t)n))
                return false;
        }
        for (int r = 0, at = 0; r < count; at += p->size[r++]) {
            const double length = length_of(x + at, p->size[r]);
            const bool held = nu[r] > 0;
            if (held && !(length > 0))
                return false;
            step[r] = held ? length * length * (length / p->radius[r] - 1) : 0;
            off = fmax(off, held ? fabs(length / p->radius[r] - 1) : 0);
            for (int s = 0; s < count; s++) {
                double sum = 0;
                for (int i = at; i < at + p->size[r]; i++)
                    sum += x[i] * answers[s * n + i];
                J[r * count + s] = held && nu[s] > 0 ? sum : r == s;
            }
        }
        memcpy(f, x, (size_t)n * sizeof *f);
        if (off <= SAME_LENGTH * 10)
            return true;
        if (!lashi_eliminate(NULL, J, step, (size_t)count))
            return false;
        for (int r = 0; r < count; r++) {
            if (nu[r] > 0 && !(nu[r] + step[r] > 0))
                return false;
            nu[r] += step[r];
        }
    }
    return true;
}

void lashi_discs_least(double *f, const lashi_discs *p) {
    double *nu = p->work + lashi_discs_work(p->n, p->count) - 2 * p->count - p->n, *trial = nu + p->count,
           *g = trial + p->count;
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < SWEEPS; k++)
            if (!(sweep(f, nu, p) > SAME) || p->count < 2)
                return;
        memcpy(trial, nu, (size_t)p->count * sizeof *nu);
        memcpy(g, f, (size_t)p->n * sizeof *f);
        if (together(g, trial, p))
            memcpy(f, g, (size_t)p->n * sizeof *f);
    }
}
