/* SPDX-License-Identifier: MIT
 *
 * A zip archive, written to a stream: files are stored as they are, with the date of 1980-01-01, so that
 * equal contents make equal bytes.
 */
#ifndef LASHI_ZIP_H
#define LASHI_ZIP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct lashi_zip_entry {
    char *name;
    uint32_t sum, size, at;
} lashi_zip_entry;

typedef struct lashi_zip {
    FILE *stream;
    lashi_zip_entry *entries;
    size_t count;
    uint32_t at; /* bytes written */
    bool failed; /* memory, or larger than the format allows */
} lashi_zip;

void lashi_zip_add(lashi_zip *zip, const char *name, const void *bytes, size_t size);
/* The directory at its end; false: something went wrong. Frees what it holds. */
bool lashi_zip_finish(lashi_zip *zip);

#endif
