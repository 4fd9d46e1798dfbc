/* SPDX-License-Identifier: MIT
 *
 * --set NAME=VALUE: one setting per line, on a model with parameters of every kind.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "lash/lash.h"

static const char text[] =
    "parameters: {play: 0.1 mm, half: $play/2, count: 3, pin: {choose: a, from: [a, b]}}\n"
    "bodies: {rod: {mass: 1, inertia: $count, position: [$half, $play]}}\n"
    "run: {until: 1 s}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { MOST = 8 };
    lash_setting settings[MOST];
    size_t count = 0;
    char *copy = calloc(size + 1, 1), *rest = copy, *line;
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    while (count < MOST && (line = strsep(&rest, "\n"))) {
        char *value = strchr(line, '=');
        if (!value)
            continue;
        *value = '\0';
        settings[count++] = (lash_setting){line, value + 1};
    }
    lash_model *model;
    const lash_load_options options = {.settings = settings, .setting_count = count};
    const lash_status status = lash_model_parse(&model, text, strlen(text), "fuzz.yaml", &options, NULL);
    fuzz_require((status == LASH_OK) == (model != NULL), "a model is whole or there is none");
    lash_model_destroy(model);
    free(copy);
    return 0;
}
