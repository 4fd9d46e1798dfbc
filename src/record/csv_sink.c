/* SPDX-License-Identifier: MIT
 *
 * Rows → a CSV file: the heading `name [unit],…`, then numbers that read back the same. The samples are
 * written, or the steps where there are no samples; events are not. "-" is standard output.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "lash/file.h"
#include "base/number.h"
#include "record/sink.h"

enum { BUFFER_BYTES = 64 * 1024 };

typedef struct csv_sink {
    lashi_sink base;
    lash_file *output; // NULL: standard output
    lash_stream stream;
    size_t columns;
    char *line; // room for one row
    char *buffer;
    size_t used; // of BUFFER_BYTES
    int error;   // errno of the first write that failed, 0: none; nothing is written after it
} csv_sink;

static lash_status outcome(const csv_sink *self, lash_error *error) {
    if (self->error && !self->output)
        return lashi_fail(error, LASH_ERROR_IO, "writing to standard output failed: %s",
                          strerror(self->error));
    return self->error ? lash_file_fail(self->output, self->error, error) : LASH_OK;
}

static lash_status write_all(csv_sink *self, const char *bytes, size_t count, lash_error *error) {
    int descriptor = self->output ? lash_file_descriptor(self->output) : STDOUT_FILENO;
    while (count > 0 && !self->error) {
        ssize_t put = write(descriptor, bytes, count);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            self->error = put < 0 ? errno : EIO;
        else {
            bytes += put;
            count -= (size_t)put;
        }
    }
    return outcome(self, error);
}

static lash_status flush(csv_sink *self, lash_error *error) {
    size_t count = self->used;
    self->used = 0;
    return write_all(self, self->buffer, count, error);
}

static lash_status put(csv_sink *self, const char *bytes, size_t count, lash_error *error) {
    lash_status status = LASH_OK;
    if (self->used + count > BUFFER_BYTES)
        status = flush(self, error);
    if (status != LASH_OK || count > BUFFER_BYTES)
        return status != LASH_OK ? status : write_all(self, bytes, count, error);
    memcpy(self->buffer + self->used, bytes, count);
    self->used += count;
    return LASH_OK;
}

static lash_status row(lashi_sink *base, lash_stream stream, const double *values, lash_error *error) {
    csv_sink *self = (csv_sink *)base;
    if (stream != self->stream)
        return LASH_OK;
    char *end = self->line;
    lashi_plain_numbers numbers = lashi_plain_numbers_begin();
    for (size_t i = 0; i < self->columns; i++) {
        end += lashi_print_number(end, values[i]);
        *end++ = i + 1 < self->columns ? ',' : '\n';
    }
    lashi_plain_numbers_end(numbers);
    return put(self, self->line, (size_t)(end - self->line), error);
}

static lash_status heading(csv_sink *self, const lashi_sink_layout *layout, lash_error *error) {
    lash_status status = LASH_OK;
    for (size_t i = 0; i < layout->columns && status == LASH_OK; i++) {
        const char *parts[5] = {i ? "," : "", layout->names[i], " [", layout->units[i], "]"};
        for (size_t k = 0; k < 5 && status == LASH_OK; k++)
            status = put(self, parts[k], strlen(parts[k]), error);
    }
    return status == LASH_OK ? put(self, "\n", 1, error) : status;
}

static lash_status event(lashi_sink *base, const lash_event *what, lash_error *error) {
    (void)base;
    (void)what;
    (void)error;
    return LASH_OK;
}

static lash_status finish(lashi_sink *base, const lash_summary *summary, lash_error *error) {
    (void)summary;
    csv_sink *self = (csv_sink *)base;
    lash_status status = flush(self, error);
    if (status == LASH_OK && self->output)
        status = lash_file_commit(self->output, error);
    return status;
}

static void destroy(lashi_sink *base) {
    csv_sink *self = (csv_sink *)base;
    lash_file_destroy(self->output);
    free(self->line);
    free(self->buffer);
    free(self);
}

lash_status lashi_csv_sink_create(lashi_sink **out, const char *path, const lashi_sink_layout *layout,
                                  lash_error *error) {
    *out = NULL;
    csv_sink *self = calloc(1, sizeof *self);
    if (!self)
        return lashi_fail_memory(error);
    self->base = (lashi_sink){row, event, NULL, finish, destroy};
    self->stream = layout->streams[LASH_STREAM_SAMPLES] ? LASH_STREAM_SAMPLES : LASH_STREAM_STEPS;
    self->columns = layout->columns;
    self->line = calloc(layout->columns ? layout->columns : 1, LASHI_NUMBER_LENGTH);
    self->buffer = malloc(BUFFER_BYTES);
    lash_status status = self->line && self->buffer ? LASH_OK : lashi_fail_memory(error);
    if (status == LASH_OK && strcmp(path, "-") != 0)
        status = lash_file_create(&self->output, path, true, error);
    if (status == LASH_OK)
        status = heading(self, layout, error);
    if (status != LASH_OK) {
        destroy(&self->base);
        return status;
    }
    *out = &self->base;
    return LASH_OK;
}
