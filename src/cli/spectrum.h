/* SPDX-License-Identifier: MIT
 *
 * Spectra of equally spaced samples: amplitudes of the sines that a signal is made of.
 */
#ifndef LASHI_SPECTRUM_H
#define LASHI_SPECTRUM_H

#include <stdbool.h>
#include <stddef.h>

typedef enum lashi_window { LASHI_WINDOW_HANN, LASHI_WINDOW_FLAT_TOP, LASHI_WINDOW_NONE } lashi_window;
/* "hann", "flat-top", "none"; NULL past the end. */
const char *lashi_window_name(size_t index);

typedef struct lashi_spectrum {
    double *amplitude; /* [count]: a sine A sin(2πft) gives A at its line; [0] is 0, the mean is left out */
    size_t count;
    double step; /* Hz between lines */
} lashi_spectrum;

/* Of n samples dt apart: the mean of the powers of `segments` stretches that overlap by half, each with its
 * mean taken out and under a window. False: out of memory. */
bool lashi_spectrum_create(lashi_spectrum *out, const double *values, size_t n, double dt,
                           lashi_window window, size_t segments);
void lashi_spectrum_clear(lashi_spectrum *spectrum);
/* The frequency of the largest line, Hz, found between the lines; NaN: nothing oscillates. */
double lashi_spectrum_dominant(const lashi_spectrum *spectrum);

/* Values at rising times → n values equally spaced from the first on, the last time being the first of what
 * would follow; by cubics through four neighbours. */
void lashi_resample(double *out, size_t n, const double *times, const double *values, size_t count);
/* Whether times are equally spaced, to rounding. */
bool lashi_is_uniform(const double *times, size_t count);

#endif
