/* SPDX-License-Identifier: MIT
 *
 * What all results have in common, and what each kind of them does in its own way: a file (hdf5_result.c), or
 * a record in memory (result.c).
 */
#ifndef LASHI_RESULT_H
#define LASHI_RESULT_H

#include "record/sink.h"

typedef struct lashi_kept_text {
    const char *name, *text;
} lashi_kept_text;

typedef struct lashi_result_kind {
    /* Rows that are there, at least one. */
    lash_status (*read)(double *values, lash_result *result, lash_stream stream, size_t first, size_t count,
                        lash_error *error);
    lash_status (*read_events)(lash_event *events, lash_result *result, lash_error *error);
    void (*close)(lash_result *result);
    /* The bytes of a state that is kept; NULL: none is. */
    lash_status (*state)(void **bytes, size_t *count, lash_result *result, const char *name,
                         lash_error *error);
} lashi_result_kind;

/* The first part of every kind. */
struct lash_result {
    const lashi_result_kind *kind;
    size_t rows[LASH_STREAMS], event_count, columns;
    const char *const *names, *const *units; /* [columns] */
    const char *const *meanings;             /* [columns]; NULL: in files of earlier versions */
    lashi_kept_text texts[7];
    size_t text_count;
};

/* What a record has in its memory sink; names and units are the record's. */
lash_status lashi_memory_result(lash_result **out, const lash_record *record, const lashi_sink_layout *layout,
                                const lash_summary *summary, lash_error *error);
/* NULL is not kept. */
void lashi_result_keep(lash_result *result, const char *name, const char *text);

#endif
