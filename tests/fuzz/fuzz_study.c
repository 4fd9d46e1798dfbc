/* SPDX-License-Identifier: MIT
 *
 * Study files, beside a model they may name: model: model.yaml. Seeds: corpus/study.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "lash/lash.h"

static const char model[] =
    "parameters: {play: 0.1 mm, pin: {choose: a, from: [a, b]}}\n"
    "bodies: {bob: {mass: 1, inertia: 1, position: [$play, 0]}}\nrun: {until: 0.01 s}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char folder[64];
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "/tmp/lash-fuzz-study-XXXXXX");
        fuzz_require(mkdtemp(folder) && chdir(folder) == 0, "there is a folder");
        FILE *file = fopen("model.yaml", "w");
        fuzz_require(file && fputs(model, file) >= 0 && fclose(file) == 0, "the model can be written");
    }
    lash_study *study;
    const lash_status status = lash_study_parse(&study, (const char *)data, size, "study.yaml", NULL, NULL);
    fuzz_require((status == LASH_OK) == (study != NULL), "a study is whole or there is none");
    if (study)
        fuzz_require(lash_study_point_count(study) > 0, "a study has points");
    lash_study_destroy(study);
    return 0;
}
