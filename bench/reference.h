// SPDX-License-Identifier: MIT
// Reference values of the benchmark: read from a CSV file, compared with a run.
//
// The file has '#' comment lines, one line of column names, then rows of
//     t, slider x, slider vx, slider ax, crank moment, normal force, eccentricity      (SI units)
// as in tests/reference/slider-crank.csv. The error of a quantity is the largest difference over all rows,
// divided by the largest reference magnitude of that quantity.
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BENCH_X,            // slider position, m
    BENCH_V,            // slider velocity, m/s
    BENCH_A,            // slider acceleration, m/s^2
    BENCH_MOMENT,       // torque on the crank about its pivot, N m
    BENCH_NORMAL,       // normal contact force, N
    BENCH_ECCENTRICITY, // distance between the pin's and the bearing's centre, m
    BENCH_QUANTITIES
};

enum { BENCH_ROWS_MAX = 256 };

typedef struct {
    double value[BENCH_QUANTITIES];
} bench_sample;

typedef struct {
    int count;
    double time[BENCH_ROWS_MAX]; // s, ascending, > 0
    bench_sample sample[BENCH_ROWS_MAX];
} bench_reference;

// Short column titles in the order of the enum.
extern const char *const bench_quantity_name[BENCH_QUANTITIES];

// Returns 0, or -1 after a message on stderr when the file cannot be read or has a malformed row.
int bench_reference_load(bench_reference *reference, const char *path);

// error[k] as defined above; samples in the order of reference->time.
void bench_reference_compare(double error[BENCH_QUANTITIES], const bench_reference *reference,
                             const bench_sample *samples);

#ifdef __cplusplus
}
#endif
#endif
