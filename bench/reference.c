// SPDX-License-Identifier: MIT
// Reads reference values and measures errors against them; see reference.h for the format.
#include "reference.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const bench_quantity_name[BENCH_QUANTITIES] = {"x", "v", "a", "moment", "normal", "ecc"};

enum { LINE_MAX_CHARS = 1024 };

// A row is the time and one value per quantity, separated by commas, with nothing after.
static int parse_row(double *time, bench_sample *sample, const char *line) {
    double field[1 + BENCH_QUANTITIES];
    const char *at = line;
    for (int k = 0; k < 1 + BENCH_QUANTITIES; k++) {
        char *end;
        field[k] = strtod(at, &end);
        if (end == at || !isfinite(field[k]))
            return -1;
        at = end;
        if (k < BENCH_QUANTITIES && *at++ != ',')
            return -1;
    }
    while (isspace((unsigned char)*at))
        at++;
    if (*at != '\0')
        return -1;
    *time = field[0];
    for (int k = 0; k < BENCH_QUANTITIES; k++)
        sample->value[k] = field[k + 1];
    return 0;
}

int bench_reference_load(bench_reference *reference, const char *path) {
    reference->count = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return -1;
    }
    int status = 0;
    int header_seen = 0;
    int line_number = 0;
    char line[LINE_MAX_CHARS];
    while (status == 0 && fgets(line, sizeof line, file)) {
        line_number++;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (!header_seen) {
            header_seen = 1;
            continue;
        }
        int n = reference->count;
        double before = n > 0 ? reference->time[n - 1] : 0.0;
        if (n == BENCH_ROWS_MAX || parse_row(&reference->time[n], &reference->sample[n], line) != 0 ||
            !(reference->time[n] > before)) {
            fprintf(stderr, "%s:%d: not a row of reference values\n", path, line_number);
            status = -1;
        } else {
            reference->count++;
        }
    }
    fclose(file);
    if (status == 0 && reference->count == 0) {
        fprintf(stderr, "%s: no reference values\n", path);
        status = -1;
    }
    return status;
}

void bench_reference_compare(double error[BENCH_QUANTITIES], const bench_reference *reference,
                             const bench_sample *samples) {
    for (int k = 0; k < BENCH_QUANTITIES; k++) {
        double largest = 0.0;
        double difference = 0.0;
        for (int i = 0; i < reference->count; i++) {
            double wanted = reference->sample[i].value[k];
            double d = fabs(samples[i].value[k] - wanted);
            largest = fmax(largest, fabs(wanted));
            // A NaN must not pass as a small error.
            if (!(d <= difference))
                difference = d;
        }
        error[k] = difference / largest;
    }
}
