// SPDX-License-Identifier: MIT
// Runs a comparator several times and prints the table of results.
//
// The wall time of a row is the least over the repetitions: other work on the machine can only lengthen a
// run. Evaluations, steps and errors are the same in each repetition, which is checked.
#include "comparators.h"

#include <math.h>
#include <stdio.h>

int bench_measure(bench_row *row, const char *system, bench_run *run, double tolerance, int turns,
                  int repetitions, const bench_reference *reference) {
    bench_sample samples[BENCH_ROWS_MAX];
    bench_request request = {tolerance, turns, reference->count, reference->time};
    bench_cost first = {0};
    double seconds = INFINITY;
    for (int i = 0; i < repetitions; i++) {
        bench_cost cost;
        if (run(samples, &cost, &request) != 0)
            return -1;
        if (i == 0) {
            first = cost;
        } else if (cost.evaluations != first.evaluations || cost.impacts != first.impacts) {
            fprintf(stderr, "%s: repetitions differ\n", system);
            return -1;
        }
        seconds = fmin(seconds, cost.seconds);
    }
    *row = (bench_row){.system = system, .setting = tolerance};
    bench_reference_compare(row->errors, reference, samples);
    row->error = row->errors[BENCH_V];
    row->ms_per_turn = 1e3 * seconds / turns;
    row->evaluations_per_turn = (double)first.evaluations / turns;
    row->impacts_per_turn = (double)first.impacts / turns;
    return 0;
}

void bench_print_header(void) {
    printf("%-28s %8s %9s %9s %9s %10s %10s %8s %7s\n", "system", "setting", "error v", "moment", "normal",
           "ms/turn", "eval/turn", "imp/turn", "ratio");
}

void bench_print_row(const bench_row *row, double baseline_ms) {
    printf("%-28s %8.1e %9.2e %9.2e %9.2e %10.4f %10.0f %8.1f", row->system, row->setting, row->error,
           row->errors[BENCH_MOMENT], row->errors[BENCH_NORMAL], row->ms_per_turn, row->evaluations_per_turn,
           row->impacts_per_turn);
    if (baseline_ms > 0.0)
        printf(" %7.2f\n", row->ms_per_turn / baseline_ms);
    else
        printf(" %7s\n", "-");
}
