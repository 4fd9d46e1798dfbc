/* SPDX-License-Identifier: MIT
 *
 * Amplitude spectra, with averaging after P. D. Welch (IEEE Trans. Audio Electroacoust. 15 (1967) 70).
 *
 * A stretch of n samples x_j under a window w_j gives X_k = Σ w_j x_j e^(−2πijk/n); a sine of amplitude A on
 * a line gives |X_k| = A Σw/2, so that the amplitude is 2|X_k|/Σw. n is any number, so that a window of whole
 * turns stays one: the transform is written as a convolution, which a transform of a power of two does
 * (L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451):
 *     X_k = c_k Σ (x_j c_j) c̄_(k−j),   c_j = e^(−πi j²/n).
 *
 * Windows: Hann, whose lines are narrow and up to 15 % low between two of them; flat-top (G. D'Antona,
 * A. Ferrero, Digital Signal Processing for Measurement Systems, 2006, table 3.1), whose amplitudes are right
 * to 0.1 % wherever they lie; none, for whole periods.
 */
#include "cli/spectrum.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
/* Of the largest value: less is rounding of the signal, and no oscillation. */
static const double NOTHING = 1e-13;

const char *lashi_window_name(size_t index) {
    static const char *const names[] = {"hann", "flat-top", "none"};
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

static double weight(lashi_window window, size_t j, size_t n) {
    static const double flat[] = {0.21557895, -0.41663158, 0.277263158, -0.083578947, 0.006947368};
    const double x = 2 * PI * (double)j / (double)n;
    double sum = 0;
    switch (window) {
    case LASHI_WINDOW_HANN: return 0.5 - 0.5 * cos(x);
    case LASHI_WINDOW_FLAT_TOP:
        for (size_t k = 0; k < sizeof flat / sizeof *flat; k++)
            sum += flat[k] * cos((double)k * x);
        return sum;
    default: return 1;
    }
}

/* In place, n a power of two. */
static void transform(double complex *x, size_t n) {
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            const double complex swap = x[i];
            x[i] = x[j];
            x[j] = swap;
        }
    }
    for (size_t length = 2; length <= n; length <<= 1)
        for (size_t k = 0; k < length / 2; k++) {
            const double complex w = cexp(-2 * PI * I * (double)k / (double)length);
            for (size_t i = k; i < n; i += length) {
                const double complex even = x[i], odd = w * x[i + length / 2];
                x[i] = even + odd;
                x[i + length / 2] = even - odd;
            }
        }
}

/* e^(−πi j²/n); j² is reduced first, so that no digits are lost. */
static double complex chirp(size_t j, size_t n) {
    const uint64_t square = (uint64_t)j * (uint64_t)j % (2 * (uint64_t)n);
    return cexp(-PI * I * (double)square / (double)n);
}

/* Of any n: x has room for `size` ≥ 2n values, a power of two, and so has work. */
static void transform_any(double complex *x, double complex *work, size_t n, size_t size) {
    for (size_t j = 0; j < n; j++)
        x[j] *= chirp(j, n);
    memset(x + n, 0, (size - n) * sizeof *x);
    memset(work, 0, size * sizeof *work);
    for (size_t j = 0; j < n; j++) {
        work[j] = conj(chirp(j, n));
        if (j)
            work[size - j] = work[j];
    }
    transform(x, size);
    transform(work, size);
    for (size_t k = 0; k < size; k++) // the inverse is the transform of the conjugates
        x[k] = conj(x[k] * work[k]);
    transform(x, size);
    for (size_t k = 0; k < n; k++)
        x[k] = conj(x[k]) / (double)size * chirp(k, n);
}

bool lashi_spectrum_create(lashi_spectrum *out, const double *values, size_t n, double dt,
                           lashi_window window, size_t segments) {
    segments = segments < 1 ? 1 : segments;
    // `segments` stretches that overlap by half cover (segments + 1)/2 of their length.
    const size_t length = segments == 1 ? n : 2 * n / (segments + 1), size_needed = 2 * length;
    size_t size = 1;
    while (size < size_needed)
        size <<= 1;
    *out = (lashi_spectrum){.count = length / 2 + 1, .step = 1 / ((double)length * dt)};
    out->amplitude = calloc(out->count, sizeof *out->amplitude);
    double complex *x = calloc(size + 1, sizeof *x), *work = calloc(size + 1, sizeof *work);
    const bool fine = out->amplitude && x && work;
    for (size_t s = 0; fine && s < segments; s++) {
        const double *part = values + (segments == 1 ? 0 : s * (n - length) / (segments - 1));
        double mean = 0, weights = 0;
        for (size_t j = 0; j < length; j++)
            mean += part[j] / (double)length;
        for (size_t j = 0; j < length; j++) {
            const double w = weight(window, j, length);
            x[j] = w * (part[j] - mean);
            weights += w;
        }
        transform_any(x, work, length, size);
        for (size_t k = 1; k < out->count; k++) {
            const bool last = 2 * k == length; // no second line stands for it
            const double amplitude = (last ? 1 : 2) * cabs(x[k]) / weights;
            out->amplitude[k] += amplitude * amplitude / (double)segments;
        }
    }
    for (size_t k = 0; fine && k < out->count; k++)
        out->amplitude[k] = sqrt(out->amplitude[k]);
    free(x);
    free(work);
    if (!fine)
        lashi_spectrum_clear(out);
    return fine;
}

void lashi_spectrum_clear(lashi_spectrum *spectrum) {
    free(spectrum->amplitude);
    *spectrum = (lashi_spectrum){0};
}

double lashi_spectrum_dominant(const lashi_spectrum *spectrum) {
    const double *a = spectrum->amplitude;
    size_t best = 0;
    for (size_t k = 1; k < spectrum->count; k++)
        best = a[k] > a[best] ? k : best;
    if (best == 0 || !(a[best] > 0))
        return (double)NAN;
    // The top of the parabola through the logarithms of three lines.
    double shift = 0;
    if (best > 1 && best + 1 < spectrum->count && a[best - 1] > NOTHING * a[best] &&
        a[best + 1] > NOTHING * a[best]) {
        const double left = log(a[best - 1] / a[best]), right = log(a[best + 1] / a[best]);
        shift = 0.5 * (left - right) / (left + right);
    }
    return ((double)best + shift) * spectrum->step;
}

bool lashi_is_uniform(const double *times, size_t count) {
    const double step = (times[count - 1] - times[0]) / (double)(count - 1);
    for (size_t i = 1; i < count; i++)
        if (fabs(times[i] - times[0] - step * (double)i) > 1e-6 * step)
            return false;
    return true;
}

void lashi_resample(double *out, size_t n, const double *times, const double *values, size_t count) {
    size_t at = 0; // interval that holds t
    for (size_t i = 0; i < n; i++) {
        const double t = times[0] + (times[count - 1] - times[0]) * (double)i / (double)n;
        while (at + 2 < count && times[at + 1] < t)
            at++;
        size_t first = at > 0 ? at - 1 : 0;
        size_t points = count - first < 4 ? count - first : 4;
        if (points < 4 && count >= 4) {
            first = count - 4;
            points = 4;
        }
        double sum = 0; // Lagrange
        for (size_t j = first; j < first + points; j++) {
            double term = values[j];
            for (size_t k = first; k < first + points; k++)
                if (k != j)
                    term *= (t - times[k]) / (times[j] - times[k]);
            sum += term;
        }
        out[i] = sum;
    }
}
