// SPDX-License-Identifier: MIT
// Prints the table of the comparators alone: error against the reference, cost per turn, over a range of
// settings.
//
//     bench_comparators [REFERENCE.csv [TURNS [REPETITIONS]]]
//
// The error is that of the first turn; the cost is the mean over TURNS turns (1 by default).
#include "comparators.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    const char *system;
    bench_run *run;
    double loosest, tightest; // settings, a decade apart
} peer;

static const peer peers[] = {
    {"handwritten, dopri5", bench_handwritten_run, 1e-5, 1e-13},
#ifdef BENCH_HAVE_SIMBODY
    {"simbody, merson", bench_simbody_run, 1e-6, 1e-10},
    {"simbody, adams", bench_simbody_adams_run, 1e-6, 1e-10},
#endif
};

int main(int argc, char **argv) {
    static bench_reference reference;
    const char *path = argc > 1 ? argv[1] : LASH_SOURCE_DIR "/tests/reference/slider-crank.csv";
    int turns = argc > 2 ? atoi(argv[2]) : 1;
    int repetitions = argc > 3 ? atoi(argv[3]) : 5;
    if (turns < 1 || repetitions < 1) {
        fprintf(stderr, "usage: bench_comparators [REFERENCE.csv [TURNS [REPETITIONS]]]\n");
        return 2;
    }
    if (bench_reference_load(&reference, path) != 0)
        return 4;
    bench_print_header();
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++) {
        // A little slack, since repeated division does not hit the last power of ten exactly.
        for (double setting = peers[i].loosest; setting > 0.5 * peers[i].tightest; setting /= 10.0) {
            bench_row row;
            if (bench_measure(&row, peers[i].system, peers[i].run, setting, turns, repetitions, &reference) !=
                0)
                return 1;
            bench_print_row(&row, 0.0);
        }
    }
    return 0;
}
