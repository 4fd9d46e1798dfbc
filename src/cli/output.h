/* SPDX-License-Identifier: MIT
 *
 * Text files that the program writes: whole or not at all, by way of lash_file; "-" is standard
 * output.
 */
#ifndef LASHI_OUTPUT_H
#define LASHI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "lash/file.h"

typedef struct lashi_output {
    FILE *stream;
    lash_file *file; /* NULL: standard output */
} lashi_output;

/* Whether two names (NULL: none) are one file. */
bool lashi_output_same(const char *a, const char *b);

/* Both have said what is wrong when they fail. An output that was opened must be closed: `written` says how
 * writing into it ended, and is given back; if it was LASH_OK, how closing ended. A file that is not whole is
 * removed. */
lash_status lashi_output_open(lashi_output *out, const char *path);
lash_status lashi_output_close(lashi_output *output, lash_status written);

/* One field of a table with commas, in quotes where it needs them. */
void lashi_output_field(FILE *stream, const char *text);

#endif
