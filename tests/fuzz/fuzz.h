/* SPDX-License-Identifier: MIT
 *
 * What the fuzz entries share. An entry is a file fuzz_NAME.c with LLVMFuzzerTestOneInput; it is linked
 * twice: with libFuzzer for campaigns (`make fuzz`), and with replay.c, which gives it the corpus and random
 * changes of it, the same each time (`make test`).
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lash/study.h"

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
    fuzz_require(pwrite(file, data, size, 0) == (ssize_t)size && ftruncate(file, (off_t)size) == 0,
                 "the input can be written");
    return fuzz_path;
}

/* A function of a library that Lash has loaded, but does not call itself. NULL: there is none. */
typedef struct fuzz_wanted {
    const char *library, *name;
    void *found;
} fuzz_wanted;
static inline int fuzz_look(struct dl_phdr_info *info, size_t size, void *user) {
    fuzz_wanted *wanted = user;
    (void)size;
    void *handle =
        strstr(info->dlpi_name, wanted->library) ? dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    wanted->found = handle ? dlsym(handle, wanted->name) : NULL;
    return wanted->found != NULL;
}
static inline void *fuzz_symbol(const char *library, const char *name) {
    fuzz_wanted wanted = {library, name, NULL};
    dl_iterate_phdr(fuzz_look, &wanted);
    return wanted.found;
}

/* Before SQLite is first used: one thread needs no locks within the process, and nobody asks for its memory. */
static inline void fuzz_ask_sqlite(void) {
    enum { SINGLE_THREAD = 1, MEMORY_STATISTICS = 9 }; // SQLITE_CONFIG_SINGLETHREAD, _MEMSTATUS
    static bool asked;
    int (*configure)(int, ...);
    lash_study_table *none;
    if (asked)
        return;
    asked = true;
    lash_study_table_open(&none, "/", NULL); // loads it
    void *found = fuzz_symbol("libsqlite3", "sqlite3_config");
    memcpy(&configure, &found, sizeof configure);
    if (found)
        fuzz_require(configure(SINGLE_THREAD) == 0 && configure(MEMORY_STATISTICS, 0) == 0,
                     "SQLite is asked in time");
}

#endif
