/* SPDX-License-Identifier: MIT
 *
 * Two measures of a sequence that need no equations: the 0-1 test for chaos and recurrence.
 *
 * 0-1 test. Notation: φ_j, j = 1 … N, one channel of the section; c an angle. The sequence drives a walk in
 * the plane,
 *     p(n) = Σ_{j<=n} φ_j cos(j c),     q(n) = Σ_{j<=n} φ_j sin(j c),
 * which stays bounded for regular motion and spreads like a diffusion for chaotic motion. Its mean square
 * displacement
 *     M(n) = 1/(N − n_cut) Σ_{j=1}^{N−n_cut} [p(j+n) − p(j)]² + [q(j+n) − q(j)]²,   n <= n_cut = N/10
 * has an oscillating part (E φ)² (1 − cos nc)/(1 − cos c) that says nothing; without it, D(n) = M(n) − that
 * part, and K_c is the correlation
 * of D(n) with n: 0 when bounded, 1 when growing linearly (the correlation method of the reference, its
 * "modified" displacement D). Here the mean is taken off φ first, so that the oscillating part is zero; M
 * then is D up to terms of order 1/N, and nothing cancels when the mean is large against the variation. The
 * result is the median of K_c over ANGLES values of c in (π/5, 4π/5): some c resonate with the motion's own
 * frequencies, a minority.
 *
 * Limits. N of a few hundred or more. Sections, not finely sampled signals (which look regular). Noise is
 * chaotic to this test: a sequence that is constant except for rounding must not be given to it. Cost ~ 10 N²
 * operations; of more than LONGEST values the last ones are used. Reference: G. A. Gottwald, I. Melbourne,
 * SIAM J. Appl. Dyn. Syst. 8 (2009) 129-145, eqs. (2.1)-(3.4).
 *
 * Recurrence. Points i < j recur when they lie within a radius of each other in every channel; pairs (i, j),
 * (i+1, j+1), … that all recur form a run. Regular motion recurs in long runs, chaotic motion in short ones,
 * noise in none: the share of recurrent pairs in runs of LASHI_RUN or more is called determinism. Reference:
 * N. Marwan, M. C. Romano, M. Thiel, J. Kurths, Physics Reports 438 (2007) 237-329, eqs. (41), (46).
 */
#include "study/nonlinear.h"

#include <float.h>
#include <stdlib.h>

#include "study/fail.h"

#define PI 3.14159265358979323846

enum { ANGLES = 100, LONGEST = 4000 };

/* ---- 0-1 test ---- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* K for one c. phi[N] has mean 0; p[N], q[N] and M[N/10] are work. */
static double growth_rate(double *p, double *q, double *M, const double *phi, size_t N, double c) {
    const size_t most = N / 10, long_enough = N - most;
    double sum_p = 0, sum_q = 0;
    for (size_t j = 0; j < N; j++) {
        p[j] = sum_p += phi[j] * cos((double)(j + 1) * c);
        q[j] = sum_q += phi[j] * sin((double)(j + 1) * c);
    }
    double mean_M = 0;
    for (size_t n = 1; n <= most; n++) {
        double sum = 0;
        for (size_t j = 0; j < long_enough; j++) {
            const double dp = p[j + n] - p[j], dq = q[j + n] - q[j];
            sum += dp * dp + dq * dq;
        }
        M[n - 1] = sum / (double)long_enough;
        mean_M += M[n - 1] / (double)most;
    }
    // Correlation of M(n) with n = 1 … most.
    const double mean_n = ((double)most + 1) / 2;
    double nn = 0, MM = 0, nM = 0;
    for (size_t n = 1; n <= most; n++) {
        const double dn = (double)n - mean_n, dM = M[n - 1] - mean_M;
        nn += dn * dn;
        MM += dM * dM;
        nM += dn * dM;
    }
    return MM > 0 ? nM / sqrt(nn * MM) : 0;
}

lash_status lashi_zero_one(double *K, const double *values, size_t count, size_t stride, lash_error *error) {
    *K = (double)NAN;
    if (count < LASHI_ZERO_ONE_LEAST)
        return LASH_OK;
    const size_t N = count > LONGEST ? LONGEST : count;
    values += (count - N) * stride;
    double *work = malloc((3 * N + N / 10) * sizeof *work);
    if (!work)
        return lashi_study_fail_memory(error);
    double *phi = work, *p = work + N, *q = work + 2 * N, *M = work + 3 * N;
    double mean = 0, largest = 0;
    for (size_t j = 0; j < N; j++)
        mean += values[j * stride] / (double)N;
    for (size_t j = 0; j < N; j++) {
        phi[j] = values[j * stride] - mean;
        largest = fmax(largest, fabs(phi[j]));
    }
    // What is left of equal values is the rounding of their mean.
    if (largest > (double)N * DBL_EPSILON * fabs(mean) && isfinite(largest)) {
        double rates[ANGLES];
        for (size_t j = 0; j < N; j++)
            phi[j] /= largest;
        for (int k = 0; k < ANGLES; k++)
            rates[k] = growth_rate(p, q, M, phi, N, PI / 5 + 3 * PI / 5 * (k + 0.5) / ANGLES);
        *K = median(rates, ANGLES);
    }
    free(work);
    return LASH_OK;
}

/* ---- recurrence ---- */

static double distance(const double *a, const double *b, size_t width, const double *scales) {
    double worst = 0;
    for (size_t c = 0; c < width; c++)
        worst = fmax(worst, scales ? fabs(a[c] - b[c]) / scales[c] : fabs(a[c] - b[c]));
    return worst;
}

lashi_recurrence lashi_recurrence_measure(const double *points, size_t count, size_t width,
                                          const double *scales, double radius) {
    double close = 0, in_runs = 0, nearest = 0;
    for (size_t lag = 1; lag < count; lag++) {
        size_t run = 0;
        for (size_t i = 0; i + lag <= count; i++) {
            const bool recurs = i + lag < count && distance(points + i * width, points + (i + lag) * width,
                                                            width, scales) <= radius;
            if (recurs) {
                run++;
                continue;
            }
            close += (double)run;
            in_runs += run >= LASHI_RUN ? (double)run : 0;
            run = 0;
        }
    }
    for (size_t i = 0; i < count; i++) {
        double least = INFINITY;
        for (size_t j = 0; j < count; j++)
            if (j != i)
                least = fmin(least, distance(points + i * width, points + j * width, width, scales));
        nearest += least;
    }
    const double pairs = (double)count * ((double)count - 1) / 2;
    return (lashi_recurrence){.rate = pairs > 0 ? close / pairs : (double)NAN,
                              .determinism = close > 0 ? in_runs / close : (double)NAN,

                              .nearest = count > 1 ? nearest / (double)count : (double)NAN};
}
