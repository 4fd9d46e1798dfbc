/* SPDX-License-Identifier: MIT
 *
 * Drawn parameters by inversion: x = F⁻¹(u).
 *
 * u comes from a counter: seed, name of the parameter, index of the sample and stream are mixed by the
 * finaliser of SplitMix64 (Steele, Lea and Flood 2014). A sample can then be drawn anywhere, in any order,
 * and a parameter more does not change the others.
 *
 * Φ⁻¹: a rational first guess (Abramowitz and Stegun 26.2.23, error < 4.5e-4), then two steps of Halley's
 * method on the tail probability, which erfc gives to full relative precision: each step triples the digits.
 */
#include "study/distribution.h"

#include <math.h>

static const double SQRT_HALF = 0.70710678118654752440, SQRT_2PI = 2.5066282746310005024;
/* A fit's size is normal in the middle of its tolerance, which is this many standard deviations wide. */
static const double DEVIATIONS_IN_TOLERANCE = 6;

static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

double lashi_uniform(uint64_t seed, const char *name, size_t index, unsigned stream) {
    uint64_t x = mix(seed);
    for (const char *c = name; *c; c++)
        x = mix(x ^ (unsigned char)*c);
    x = mix(mix(x ^ index) ^ stream);
    return ((double)(x >> 11) + 0.5) * 0x1p-53;
}

double lashi_normal_cdf(double x) {
    return 0.5 * erfc(-x * SQRT_HALF);
}

double lashi_normal_quantile(double p) {
    if (!(p > 0 && p < 1))
        return p == 0 ? -INFINITY : p == 1 ? INFINITY : (double)NAN;
    const double tail = fmin(p, 1 - p), t = sqrt(-2 * log(tail));
    double x =
        t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int i = 0; i < 2; i++) {
        // Upper tail Q(x) = tail; Q' = -φ, Q'' = xφ.
        const double excess = (0.5 * erfc(x * SQRT_HALF) - tail) * SQRT_2PI * exp(0.5 * x * x);
        x += excess / (1 - 0.5 * x * excess);
    }
    return p < 0.5 ? -x : x;
}

/* In the upper half by symmetry: there the cumulative distribution loses no digits. */
static double truncated(double mean, double deviation, double low, double high, double u) {
    if (low > mean)
        return 2 * mean - truncated(mean, deviation, 2 * mean - high, 2 * mean - low, 1 - u);
    const double a = lashi_normal_cdf((low - mean) / deviation),
                 b = lashi_normal_cdf((high - mean) / deviation);
    const double x = mean + deviation * lashi_normal_quantile(a + u * (b - a));
    return fmin(high, fmax(low, x));
}

static double size_of_part(double low, double high, double u, int uniform) {
    if (uniform || !(high > low))
        return low + u * (high - low);
    return truncated(0.5 * (low + high), (high - low) / DEVIATIONS_IN_TOLERANCE, low, high, u);
}

double lashi_distribution_value(const lashi_distribution *d, const double u[2]) {
    switch (d->kind) {
    case LASHI_NORMAL: return d->p[0] + d->p[1] * lashi_normal_quantile(u[0]);
    case LASHI_UNIFORM: return d->p[0] + u[0] * (d->p[1] - d->p[0]);
    case LASHI_TRUNCATED_NORMAL: return truncated(d->p[0], d->p[1], d->p[2], d->p[3], u[0]);
    case LASHI_FIT:
        return size_of_part(d->p[0], d->p[1], u[0], d->uniform) -
               size_of_part(d->p[2], d->p[3], u[1], d->uniform);
    }
    return (double)NAN;
}
