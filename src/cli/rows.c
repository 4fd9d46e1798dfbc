/* SPDX-License-Identifier: MIT
 *
 * Two streams of rows merged by their times.
 */
#include "cli/rows.h"

#include <math.h>
#include <stdlib.h>

#include "cli/talk.h"

enum { BLOCK_ROWS = 512 };

static lash_status read(double *values, lash_result *result, lash_stream stream, size_t first, size_t count) {
    lash_error error = {.time = (double)NAN};
    const lash_status status = lash_result_read(values, result, stream, first, count, &error);
    if (status)
        lashi_talk_error(&error);
    return status;
}

/* The first row of the peaks that is later than a time. */
static lash_status find_after(size_t *index, lashi_rows *rows, double *row, double time) {
    size_t low = 0, high = lash_result_row_count(rows->result, LASH_STREAM_PEAKS);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const lash_status status = read(row, rows->result, LASH_STREAM_PEAKS, middle, 1);
        if (status)
            return status;
        if (row[0] > time)
            high = middle;
        else
            low = middle + 1;
    }
    *index = low;
    return LASH_OK;
}

/* Peaks between the first and the last row. */
static lash_status choose_peaks(lashi_rows *rows, size_t first, size_t count) {
    struct lashi_rows_part *peaks = &rows->parts[1];
    lash_status status = read(peaks->block, rows->result, rows->parts[0].stream, first, 1);
    if (!status)
        status = find_after(&peaks->next, rows, peaks->block, peaks->block[0]);
    if (!status)
        status = read(peaks->block, rows->result, rows->parts[0].stream, first + count - 1, 1);
    return status ? status : find_after(&peaks->end, rows, peaks->block, peaks->block[0]);
}

lash_status lashi_rows_open(lashi_rows *out, lash_result *result, lash_stream stream, size_t first,
                            size_t count, bool peaks) {
    *out = (lashi_rows){
        .result = result,
        .width = lash_result_column_count(result),
        .parts = {{.stream = stream, .next = first, .end = first + count}, {.stream = LASH_STREAM_PEAKS}}};
    lash_status status = LASH_OK;
    for (size_t k = 0; k < 2 && !status; k++)
        if (!(out->parts[k].block = calloc(BLOCK_ROWS * out->width + 1, sizeof(double))))
            status = lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status && peaks && count > 1 && lash_result_row_count(result, LASH_STREAM_PEAKS))
        status = choose_peaks(out, first, count);
    for (size_t k = 0; k < 2; k++)
        out->count += out->parts[k].end - out->parts[k].next;
    if (status)
        lashi_rows_close(out);
    return status;
}

/* The current row of a part; NULL: none left. */
static lash_status peek(const double **row, lashi_rows *rows, struct lashi_rows_part *part) {
    *row = NULL;
    if (part->at == part->filled) {
        const size_t left = part->end - part->next;
        part->at = 0;
        part->filled = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        const lash_status status =
            part->filled ? read(part->block, rows->result, part->stream, part->next, part->filled) : LASH_OK;
        if (status)
            return status;
        part->next += part->filled;
    }
    if (part->filled)
        *row = part->block + part->at * rows->width;
    return LASH_OK;
}

lash_status lashi_rows_next(const double **row, lashi_rows *rows) {
    const double *candidates[2];
    for (size_t k = 0; k < 2; k++) {
        const lash_status status = peek(&candidates[k], rows, &rows->parts[k]);
        if (status)
            return status;
    }
    const bool peak = candidates[1] && (!candidates[0] || candidates[1][0] < candidates[0][0]);
    *row = candidates[peak];
    rows->parts[peak].at += *row != NULL;
    return LASH_OK;
}

void lashi_rows_close(lashi_rows *rows) {
    free(rows->parts[0].block);
    free(rows->parts[1].block);
    *rows = (lashi_rows){0};
}
