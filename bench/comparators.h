// SPDX-License-Identifier: MIT
// The programs Lash is measured against, all on one problem, all behind one kind of call.
//
// Problem: flores-2010 with play at the rod-slider joint only (diametric 0.05 mm, 5000 rpm, friction 0.01),
// from the ideal position at crank angle 0. Each function runs it at one accuracy setting and fills one row
// of the table; nothing here uses the Lash library.
#ifndef BENCH_COMPARATORS_H
#define BENCH_COMPARATORS_H

#include "reference.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *system;              // name and method, static storage
    double setting;                  // rtol or accuracy asked for
    double error;                    // slider velocity, first turn, relative to its maximum
    double errors[BENCH_QUANTITIES]; // the same for every quantity
    double ms_per_turn;              // wall time, least of the repetitions
    double evaluations_per_turn;     // of the accelerations, those of rejected steps included
    double impacts_per_turn;         // contact onsets
} bench_row;

// What one run of a comparator is asked and what it answers.
typedef struct {
    double tolerance;    // rtol or accuracy
    int turns;           // of the crank, >= 1
    int sample_count;    // number of instants
    const double *times; // s, ascending, > 0, within the run
} bench_request;

typedef struct {
    long evaluations;
    long steps;     // accepted
    long rejected;  // steps tried again with a smaller size
    long impacts;   // contact onsets
    double seconds; // wall time of the run
} bench_cost;

// One run. samples[i] belongs to times[i]. Returns 0, or -1 after a message on stderr.
typedef int bench_run(bench_sample *samples, bench_cost *cost, const bench_request *request);

bench_run bench_handwritten_run; // two coordinates, Dormand-Prince 5(4)
bench_run
    bench_simbody_run; // Simbody, Runge-Kutta-Merson; these two only where BENCH_HAVE_SIMBODY is defined
bench_run bench_simbody_adams_run; // Simbody, CPodes with Adams

// Runs `run` `repetitions` times over `turns` turns and fills the row. Returns 0 or -1.
int bench_measure(bench_row *row, const char *system, bench_run *run, double tolerance, int turns,
                  int repetitions, const bench_reference *reference);

// One line of column titles, one line per row; `baseline_ms` > 0 gives the last column, ms relative to it.
void bench_print_header(void);
void bench_print_row(const bench_row *row, double baseline_ms);

#ifdef __cplusplus
}
#endif
#endif
