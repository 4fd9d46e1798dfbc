/* SPDX-License-Identifier: MIT
 *
 * Rows of a result one after the other in order of time: those of a stream, and where wanted the peaks of
 * contacts that lie between them, so that no figure loses one. Rows are read in blocks: a result may be
 * larger than the memory. Calls that fail have said what is wrong.
 */
#ifndef LASHI_ROWS_H
#define LASHI_ROWS_H

#include "lash/record.h"

typedef struct lashi_rows {
    lash_result *result;
    size_t width, count; /* columns; rows in all */
    struct lashi_rows_part {
        lash_stream stream;
        size_t next, end;  /* rows of the stream that are not in the block yet */
        size_t at, filled; /* rows of the block */
        double *block;
    } parts[2]; /* the stream, the peaks */
} lashi_rows;

/* `count` rows of a stream from `first` on; `peaks`: and those between the first and the last of them. */
lash_status lashi_rows_open(lashi_rows *out, lash_result *result, lash_stream stream, size_t first,
                            size_t count, bool peaks);
/* The next row; NULL after the last. It is valid until the next call. */
lash_status lashi_rows_next(const double **row, lashi_rows *rows);
void lashi_rows_close(lashi_rows *rows);

#endif
