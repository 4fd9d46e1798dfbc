/* SPDX-License-Identifier: MIT
 *
 * Rows and events → arrays that grow. Names of joints in events stay the system's.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "record/sink.h"

typedef struct memory_stream {
    double *values;
    size_t rows, capacity; // capacity in rows
} memory_stream;

typedef struct memory_sink {
    lashi_sink base;
    size_t columns;
    memory_stream streams[LASH_STREAMS];
    lash_event *events;
    size_t event_count, event_capacity;
} memory_sink;

static lash_status row(lashi_sink *base, lash_stream which, const double *values, lash_error *error) {
    memory_sink *self = (memory_sink *)base;
    memory_stream *stream = &self->streams[which];
    size_t row_bytes = self->columns * sizeof *values;
    if (!lashi_grow(&stream->values, &stream->capacity, stream->rows, row_bytes ? row_bytes : 1))
        return lashi_fail_memory(error);
    memcpy(stream->values + stream->rows * self->columns, values, row_bytes);
    stream->rows++;
    return LASH_OK;
}

static lash_status event(lashi_sink *base, const lash_event *what, lash_error *error) {
    memory_sink *self = (memory_sink *)base;
    if (!lashi_append(self->events, self->event_count, self->event_capacity, *what))
        return lashi_fail_memory(error);
    return LASH_OK;
}

static lash_status finish(lashi_sink *base, const lash_summary *summary, lash_error *error) {
    (void)base;
    (void)summary;
    (void)error;
    return LASH_OK;
}

static void destroy(lashi_sink *base) {
    memory_sink *self = (memory_sink *)base;
    for (size_t i = 0; i < LASH_STREAMS; i++)
        free(self->streams[i].values);
    free(self->events);
    free(self);
}

lash_status lashi_memory_sink_create(lashi_sink **out, const lashi_sink_layout *layout, lash_error *error) {
    *out = NULL;
    memory_sink *self = calloc(1, sizeof *self);
    if (!self)
        return lashi_fail_memory(error);
    self->base = (lashi_sink){row, event, NULL, finish, destroy};
    self->columns = layout->columns;
    *out = &self->base;
    return LASH_OK;
}

const double *lashi_memory_sink_rows(size_t *row_count, const lashi_sink *sink, lash_stream stream) {
    const memory_sink *self = (const memory_sink *)sink;
    *row_count = self->streams[stream].rows;
    return self->streams[stream].values;
}

const lash_event *lashi_memory_sink_events(size_t *count, const lashi_sink *sink) {
    const memory_sink *self = (const memory_sink *)sink;
    *count = self->event_count;
    return self->events;
}
