/* SPDX-License-Identifier: MIT
 *
 * Tables in CSV files: any bytes are two columns of numbers, or refused. What is read goes, one time in
 * sixteen, through a model that takes it as a force over a coordinate: reading that model takes far longer.
 */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "input/csv.h"
#include "lash/lash.h"

static void read_as_force(const char *path) {
    char text[512];
    snprintf(text, sizeof text,
             "bodies: {bob: {mass: 1, inertia: 1}}\n"
             "joints: {slide: {type: translational, between: [ground, bob], axis: [1, 0]}}\n"
             "forces: {f: {type: load, at: bob, direction: [1, 0], over: slide, beyond: hold, "
             "table: {file: %s, units: [m, N]}}}\n"
             "run: {until: 1 s}\n",
             path);
    lash_model *model;
    const lash_status status = lash_model_parse(&model, text, strlen(text), "/fuzz.yaml", NULL, NULL);
    fuzz_require((status == LASH_OK) == (model != NULL), "a model is whole or there is none");
    lash_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file("table.csv", data, size);
    double *x, *y;
    size_t count;
    lash_error error;
    if (lashi_csv_read(&x, &y, &count, path, 1, 2, &error) == LASH_OK) {
        for (size_t i = 0; i < count; i++)
            fuzz_require(isfinite(x[i]) && isfinite(y[i]), "numbers are finite");
        free(x);
        free(y);
        if (size % 16 == 0)
            read_as_force(path);
    } else
        fuzz_require(!x && !y && error.message[0], "a refusal has a message and leaves nothing");
    return 0;
}
