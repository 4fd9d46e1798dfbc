/* SPDX-License-Identifier: MIT
 *
 * Where recorded rows go. A sink is a table of functions; rows come one at a time and are buffered by the
 * sink. Adding a sink is one new file with its lashi_NAME_sink_create.
 */
#ifndef LASHI_SINK_H
#define LASHI_SINK_H

#include "lash/record.h"

typedef struct lashi_sink_layout {
    size_t columns;
    const char *const *names, *const *units, *const *meanings; /* [columns]; live as long as the sink */
    bool streams[LASH_STREAMS];                                /* which streams will get rows */
    const lash_model *model;                                   /* for its text, settings and title */
    size_t contact_length; /* of the longest name that an event can have */
} lashi_sink_layout;

typedef struct lashi_sink lashi_sink;
struct lashi_sink {
    lash_status (*row)(lashi_sink *self, lash_stream stream, const double *values, lash_error *error);
    lash_status (*event)(lashi_sink *self, const lash_event *event, lash_error *error);
    /* What a run continues from: "state" at its end, "start" where it did not begin at t = 0. NULL: not kept.
     */
    lash_status (*keep)(lashi_sink *self, const char *name, const void *bytes, size_t count,
                        lash_error *error);
    lash_status (*finish)(lashi_sink *self, const lash_summary *summary, lash_error *error);
    void (*destroy)(lashi_sink *self); /* what is not finished is removed */
};

lash_status lashi_hdf5_sink_create(lashi_sink **out, const char *path, const lashi_sink_layout *layout,
                                   lash_error *error);
lash_status lashi_csv_sink_create(lashi_sink **out, const char *path, const lashi_sink_layout *layout,
                                  lash_error *error);
lash_status lashi_memory_sink_create(lashi_sink **out, const lashi_sink_layout *layout, lash_error *error);
/* Rows and events of a memory sink. */
const double *lashi_memory_sink_rows(size_t *row_count, const lashi_sink *sink, lash_stream stream);
const lash_event *lashi_memory_sink_events(size_t *count, const lashi_sink *sink);

#endif
