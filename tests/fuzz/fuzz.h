/* SPDX-License-Identifier: MIT
 *
 * What the fuzz entries share. An entry is a file fuzz_NAME.c with LLVMFuzzerTestOneInput; it is linked
 * twice: with libFuzzer for campaigns (`make fuzz`), and with replay.c, which gives it the corpus and random
 * changes of it, the same each time (`make test`).
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise that was broken: stops the fuzzer with the input at hand. */
static inline void fuzz_require(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "broken promise: %s\n", what);
        abort();
    }
}

/* A file of this process alone, in memory where there is such a folder, with these bytes. */
static inline const char *fuzz_file(const char *name, const uint8_t *data, size_t size) {
    static char path[128];
    snprintf(path, sizeof path, "%s/lash-fuzz-%d-%s", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (int)getpid(), name);
    FILE *file = fopen(path, "wb");
    fuzz_require(file && fwrite(data, 1, size, file) == size && fclose(file) == 0,
                 "the input can be written");
    return path;
}

#endif
