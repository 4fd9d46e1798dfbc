/* SPDX-License-Identifier: MIT
 *
 * Joining sources to one text.
 */
#include "compile/sources.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache.h"

static const char INCLUDE[] = "#include \"", SYSTEM[] = "#include <", DEVICE[] = "compile/device.h";

static size_t find(const char *name, size_t length) {
    size_t k = 0;
    while (lashi_kernel_files[k].name && (strlen(lashi_kernel_files[k].name) != length ||
                                          memcmp(lashi_kernel_files[k].name, name, length) != 0))
        k++;
    return k;
}

static void put(FILE *out, bool *done, bool device, const char *text, const char *end) {
    while (text < end) {
        const char *line = text, *stop = memchr(text, '\n', (size_t)(end - text));
        text = stop ? stop + 1 : end;
        const size_t length = (size_t)(text - line);
        if (device && length > sizeof SYSTEM && memcmp(line, SYSTEM, sizeof SYSTEM - 1) == 0)
            continue;
        if (length < sizeof INCLUDE || memcmp(line, INCLUDE, sizeof INCLUDE - 1) != 0) {
            fwrite(line, 1, length, out);
            continue;
        }
        const char *name = line + sizeof INCLUDE - 1, *quote = memchr(name, '"', (size_t)(text - name));
        const size_t k = quote ? find(name, (size_t)(quote - name)) : find("", 0);
        if (lashi_kernel_files[k].name && !done[k]) {
            done[k] = true;
            put(out, done, device, lashi_kernel_files[k].text, lashi_kernel_files[k].end);
        }
    }
}

static char *join(const char *text, size_t *length, bool device) {
    char *joined = NULL;
    bool *done = calloc(find("", 0) + 1, sizeof *done);
    FILE *out = done ? open_memstream(&joined, length) : NULL;
    if (out) {
        const lashi_kernel_file *first = &lashi_kernel_files[find(DEVICE, sizeof DEVICE - 1)];
        if (device && first->name)
            put(out, done, device, first->text, first->end);
        put(out, done, device, text, text + strlen(text));
        const bool failed = ferror(out);
        if (fclose(out) != 0 || failed) {
            free(joined);
            joined = NULL;
        }
    }
    free(done);
    return joined;
}

char *lashi_sources_join(const char *text, size_t *length) {
    return join(text, length, false);
}

char *lashi_sources_join_device(const char *text, size_t *length) {
    return join(text, length, true);
}

uint64_t lashi_sources_sum(uint64_t basis) {
    uint64_t sum = basis;
    for (const lashi_kernel_file *file = lashi_kernel_files; file->name; file++) {
        sum = lashi_cache_sum(sum, file->name, strlen(file->name));
        sum = lashi_cache_sum(sum, file->text, (size_t)(file->end - file->text));
    }
    return sum;
}
