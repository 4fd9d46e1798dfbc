/* SPDX-License-Identifier: MIT
 *
 * Results, as export and report read them. Seeds are made by the program: see seeds.sh.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "lash/lash.h"

enum { BLOCK = 64 };

/* HDF5 takes half a megabyte for each file, and gives it back: so two thirds of the time were page faults. It
 * keeps memory of its own if it is let. */
static void keep_memory(void) {
    static bool asked;
    int (*limits)(int, int, int, int, int, int);
    lash_result *none;
    if (asked)
        return;
    asked = true;
    lash_result_open(&none, "/", NULL); // loads HDF5
    void *found = fuzz_symbol("libhdf5", "H5set_free_list_limits");
    memcpy(&limits, &found, sizeof limits);
    if (found)
        limits(-1, -1, -1, -1, -1, -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const texts[] = {"model", "title", "version", "settings", "summary", "format"};
    keep_memory();
    const char *path = fuzz_file("result.h5", data, size);
    lash_result *result;
    size_t bytes;
    const lash_status status = lash_result_open(&result, path, NULL);
    fuzz_require((status == LASH_OK) == (result != NULL), "a result is whole or there is none");
    if (!result)
        return 0;
    const size_t width = lash_result_column_count(result);
    double *rows = calloc(BLOCK * width + 1, sizeof *rows);
    for (lash_stream s = 0; s < LASH_STREAMS; s++) {
        const size_t count = lash_result_row_count(result, s);
        fuzz_require(count * width * sizeof(double) <= size, "no more rows than the file has room for");
        for (size_t i = 0; rows && i < count; i += BLOCK)
            if (lash_result_read(rows, result, s, i, count - i < BLOCK ? count - i : BLOCK, NULL))
                break;
    }
    free(rows);
    const size_t count = lash_result_event_count(result);
    fuzz_require(count <= size, "no more events than the file has room for");
    lash_event *events = calloc(count + 1, sizeof *events);
    if (events)
        lash_result_read_events(events, result, NULL);
    free(events);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        lash_result_text(result, texts[i]);
    for (size_t i = 0; i < width; i++) {
        const char *meaning = lash_result_column_meaning(result, i);
        fuzz_require(lash_result_column_name(result, i) && lash_result_column_unit(result, i) &&
                         (!meaning || strlen(meaning) < size),
                     "columns have names, and meanings or none");
    }
    void *state = NULL;
    const lash_status kept = lash_result_state(&state, &bytes, result, "state", NULL);
    fuzz_require(!(kept && state) && bytes <= size, "a state is whole, and no larger than the file");
    free(state);
    lash_result_close(result);
    return 0;
}
