/* SPDX-License-Identifier: MIT
 *
 * A file that appears whole or not at all: it is written as PATH.part and renamed when it is complete. Until
 * then a former file of that name stays as it was. A lock keeps two runs from writing the same file.
 */
#ifndef LASHI_PART_FILE_H
#define LASHI_PART_FILE_H

#include <stdbool.h>

#include "lash/status.h"

typedef struct lashi_part_file {
    char *path, *part; /* part is NULL when path is written directly: a device or a pipe */
    int descriptor;    /* open for reading and writing, empty; -1: closed */
} lashi_part_file;

/* `direct`: a path that exists and is no regular file may be written to as it is. On failure nothing is left
 * behind and the struct is empty. */
lash_status lashi_part_open(lashi_part_file *out, const char *path, bool direct, lash_error *error);
/* Closes and renames. On failure the file is removed by lashi_part_clear. */
lash_status lashi_part_commit(lashi_part_file *file, lash_error *error);
/* Frees everything; a file that was not committed is removed. Safe to call twice. */
void lashi_part_clear(lashi_part_file *file);
/* The message for a failed write: number is an errno. */
lash_status lashi_part_fail(const lashi_part_file *file, int number, lash_error *error);

#endif
