/* SPDX-License-Identifier: MIT
 *
 * lash_file: a file that appears whole or not at all. Everything that Lash writes goes this way. And a way to
 * read that does not hang.
 *
 *   lash_file_create(&file, "page.html", false, &error);
 *   write(lash_file_descriptor(file), …);
 *   lash_file_commit(file, &error);
 *   lash_file_destroy(file);
 *
 * It is written as PATH.part, and takes the place of PATH when it is complete and on the disk. Until then a
 * former file stays as it was. A lock on PATH.part keeps a second writer out, of this process or another;
 * what a killed one left there is taken over by the next.
 */
#ifndef LASH_FILE_H
#define LASH_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "lash/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lash_file lash_file;

/* `direct`: a path that exists and is no regular file (a device, a pipe with a reader) is written to as it
 * is. On failure nothing is left behind. */
lash_status lash_file_create(lash_file **out, const char *path, bool direct, lash_error *error);
const char *lash_file_path(const lash_file *file);
/* Open for reading and writing (direct: for writing), empty; it stays the file's own. -1 for NULL. */
int lash_file_descriptor(const lash_file *file);
/* Brings everything to the disk and gives the file its name. */
lash_status lash_file_commit(lash_file *file, lash_error *error);
/* Frees everything; a file that was not committed is removed. */
void lash_file_destroy(lash_file *file);
/* The message for a write that failed: number is an errno. */
lash_status lash_file_fail(const lash_file *file, int number, lash_error *error);

/* A file to be read, which may be a pipe: it waits two seconds at most for somebody to write into it. NULL
 * with errno: it cannot be opened; ETIMEDOUT: nobody writes. To be closed with fclose. */
FILE *lash_file_open(const char *path);
/* Why it could not, in words. */
const char *lash_file_reason(int number);

#ifdef __cplusplus
}
#endif
#endif
