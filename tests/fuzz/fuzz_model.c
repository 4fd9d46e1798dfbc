/* SPDX-License-Identifier: MIT
 *
 * The model reader: any bytes are either read or refused. What was read passes the check, what was refused
 * leaves nothing behind. Seeds: examples, tests/broken.
 */
#include "fuzz/fuzz.h"
#include "lash/lash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lash_model *model;
    lash_error error;
    const lash_status status = lash_model_parse(&model, (const char *)data, size, "fuzz.yaml", NULL, &error);
    fuzz_require(status == LASH_OK ? lash_model_validate(model, &error) == LASH_OK
                                   : model == NULL && status < 0,
                 "a model is whole or there is none");
    lash_model_destroy(model);
    return 0;
}
