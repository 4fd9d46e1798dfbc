/* SPDX-License-Identifier: MIT
 *
 * Tables in CSV files, through a model that reads one as a force over time.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "lash/lash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[512];
    const char *path = fuzz_file("table.csv", data, size);
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
    unlink(path);
    return 0;
}
