/* SPDX-License-Identifier: MIT
 *
 * Tables of studies, with their cuts. Seeds are made by the program: see seeds.sh.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "lash/lash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_ask_sqlite();
    const char *path = fuzz_file("study.db", data, size);
    lash_study_table *table;
    const lash_status status = lash_study_table_open(&table, path, NULL);
    fuzz_require((status == LASH_OK) == (table != NULL), "a table is whole or there is none");
    for (size_t r = 0; r < lash_study_table_rows(table); r++)
        for (size_t c = 0; c < lash_study_table_width(table); c++)
            fuzz_require(lash_study_table_text(table, r, c) != NULL, "cells have texts");
    for (size_t c = 0; c < lash_study_table_width(table); c++)
        lash_study_table_quantile(table, c, 0, SIZE_MAX, 0.5, 0.95);
    lash_study_table_close(table);
    char *names = NULL;
    if (!lash_study_cut_channels(&names, path, NULL)) {
        double *values;
        size_t *points, count;
        names[strcspn(names, "\n")] = '\0';
        if (!lash_study_cuts_read(&values, &points, &count, path, names, NULL)) {
            free(values);
            free(points);
        }
    }
    free(names);
    return 0;
}
