/* SPDX-License-Identifier: MIT
 *
 * libFuzzer entry of the model reader: any bytes are either read or refused.
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -Iinclude tests/fuzz/fuzz_model.c
 * LIBRARY... -o fuzz_model
 *   ./fuzz_model -max_len=4096 -detect_leaks=0 CORPUS examples tests/broken
 *
 * libfyaml 0.7.12 loses a buffer in one of its error paths, hence no search for leaks; the tests search for
 * ours.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "lash/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lash_model *model;
    lash_error error;
    lash_status status = lash_model_parse(&model, (const char *)data, size, "fuzz.yaml", NULL, &error);
    // What was read passes the check, what was refused leaves nothing behind.
    if (status == LASH_OK ? lash_model_validate(model, &error) != LASH_OK : model != NULL)
        abort();
    lash_model_destroy(model);
    return 0;
}
