/* SPDX-License-Identifier: MIT
 *
 * What the fuzz entries share. An entry is a file fuzz_NAME.c with LLVMFuzzerTestOneInput; it is linked
 * twice: with libFuzzer for campaigns (`make fuzz`), and with replay.c, which gives it the corpus and random
 * changes of it, the same each time (`make test`).
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <fcntl.h>
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

/* A file of this process alone, in memory where there is such a folder, with these bytes. It is the same file
 * each time, and goes at the end. */
static char fuzz_path[128];
static inline void fuzz_remove(void) {
    unlink(fuzz_path);
}
static inline const char *fuzz_file(const char *name, const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) {
        snprintf(fuzz_path, sizeof fuzz_path, "%s/lash-fuzz-%d-%s",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid(), name);
        file = open(fuzz_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        atexit(fuzz_remove);
    }
    fuzz_require(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size,
                 "the input can be written");
    return fuzz_path;
}

#endif
