/* SPDX-License-Identifier: MIT
 *
 * Joining sources to one text.
 */
#include "compile/sources.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char INCLUDE[] = "#include \"";

static size_t find(const char *name, size_t length) {
    size_t k = 0;
    while (lashi_kernel_files[k].name && (strlen(lashi_kernel_files[k].name) != length ||
                                          memcmp(lashi_kernel_files[k].name, name, length) != 0))
        k++;
    return k;
}

static void put(FILE *out, bool *done, const char *text, const char *end) {
    while (text < end) {
        const char *line = text, *stop = memchr(text, '\n', (size_t)(end - text));
        text = stop ? stop + 1 : end;
        const size_t length = (size_t)(text - line);
        if (length < sizeof INCLUDE || memcmp(line, INCLUDE, sizeof INCLUDE - 1) != 0) {
            fwrite(line, 1, length, out);
            continue;
        }
        const char *name = line + sizeof INCLUDE - 1, *quote = memchr(name, '"', (size_t)(text - name));
        const size_t k = quote ? find(name, (size_t)(quote - name)) : find("", 0);
        if (lashi_kernel_files[k].name && !done[k]) {
            done[k] = true;
            put(out, done, lashi_kernel_files[k].text, lashi_kernel_files[k].end);
        }
    }
}

char *lashi_sources_join(const char *text, size_t *length) {
    char *joined = NULL;
    bool *done = calloc(find("", 0) + 1, sizeof *done);
    FILE *out = done ? open_memstream(&joined, length) : NULL;
    if (out) {
        put(out, done, text, text + strlen(text));
        const bool failed = ferror(out);
        if (fclose(out) != 0 || failed) {
            free(joined);
            joined = NULL;
        }
    }
    free(done);
    return joined;
}
