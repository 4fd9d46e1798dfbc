/* SPDX-License-Identifier: MIT
 *
 * Rows and events of a result as CSV: a line of names with units, then numbers that read back the same. Calls
 * that fail have said what is wrong.
 */
#ifndef LASHI_TABLE_H
#define LASHI_TABLE_H

#include <stdio.h>

#include "lash/record.h"

/* Rows that are written: inside a window, and the first one of each `every`. */
typedef struct lashi_sieve {
    double from, to, every; /* s; every NaN: all */
    double next;            /* s, NaN at first: of the next row */
} lashi_sieve;

/* The columns of a stream, in the order given; wanted NULL: all rows. */
lash_status lashi_table_rows(FILE *stream, lash_result *result, lash_stream which, const size_t *columns,
                             size_t count, lashi_sieve *wanted);
lash_status lashi_table_events(FILE *stream, lash_result *result);

#endif
