/* SPDX-License-Identifier: MIT
 *
 * lash_result: a finished run read again, and the kind of it that is in memory.
 */
#include "record/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "lash/version.h"
#include "record/summary.h"

size_t lash_result_column_count(const lash_result *result) {
    return result ? result->columns : 0;
}

const char *lash_result_column_name(const lash_result *result, size_t column) {
    return result && column < result->columns ? result->names[column] : NULL;
}

const char *lash_result_column_unit(const lash_result *result, size_t column) {
    return result && column < result->columns ? result->units[column] : NULL;
}

const char *lash_result_column_meaning(const lash_result *result, size_t column) {
    return result && result->meanings && column < result->columns ? result->meanings[column] : NULL;
}

size_t lash_result_row_count(const lash_result *result, lash_stream stream) {
    return result && (unsigned)stream < LASH_STREAMS ? result->rows[stream] : 0;
}

size_t lash_result_event_count(const lash_result *result) {
    return result ? result->event_count : 0;
}

lash_status lash_result_read(double *values, lash_result *result, lash_stream stream, size_t first,
                             size_t count, lash_error *error) {
    size_t rows = lash_result_row_count(result, stream);
    if (!result || (!values && count))
        return lashi_fail_null(error);
    if (first > rows || count > rows - first)
        return lashi_fail(error, LASH_ERROR_USAGE, "rows %zu to %zu were asked for, but there are %zu", first,
                          first + (count ? count - 1 : 0), rows);
    return count ? result->kind->read(values, result, stream, first, count, error) : LASH_OK;
}

lash_status lash_result_read_columns(double *values, lash_result *result, lash_stream stream,
                                     const size_t *columns, size_t column_count, size_t first, size_t count,
                                     lash_error *error) {
    enum { AT_ONCE = 1024 };
    if (!result || (column_count > 0 && (!columns || (count > 0 && !values))))
        return lashi_fail(error, LASH_ERROR_USAGE, "columns are read from a result, by number, into values");
    for (size_t c = 0; c < column_count; c++)
        if (columns[c] >= result->columns)
            return lashi_fail(error, LASH_ERROR_USAGE, "there is no column %zu; the result has %zu",
                              columns[c], result->columns);
    double *block = malloc(AT_ONCE * result->columns * sizeof *block);
    lash_status status = block ? LASH_OK : lashi_fail_memory(error);
    // A chunk of the file holds whole rows, so that reading less would not be quicker.
    for (size_t done = 0; !status && (done < count || count == 0); done += AT_ONCE) {
        const size_t some = count - done < AT_ONCE ? count - done : AT_ONCE;
        status = lash_result_read(block, result, stream, first + done, some, error);
        for (size_t r = 0; !status && r < some; r++)
            for (size_t c = 0; c < column_count; c++)
                values[(done + r) * column_count + c] = block[r * result->columns + columns[c]];
        if (count == 0)
            break;
    }
    free(block);
    return status;
}

lash_status lash_result_read_events(lash_event *events, lash_result *result, lash_error *error) {
    if (!result || (!events && result->event_count))
        return lashi_fail_null(error);
    return result->event_count ? result->kind->read_events(events, result, error) : LASH_OK;
}

void lashi_result_keep(lash_result *result, const char *name, const char *text) {
    if (text)
        result->texts[result->text_count++] = (lashi_kept_text){name, text};
}

lash_status lash_result_state(void **bytes, size_t *count, lash_result *result, const char *name,
                              lash_error *error) {
    if (bytes)
        *bytes = NULL;
    if (!bytes || !count || !result || !name)
        return lashi_fail_null(error);
    *count = 0;
    return result->kind->state ? result->kind->state(bytes, count, result, name, error) : LASH_OK;
}

const char *lash_result_text(lash_result *result, const char *name) {
    for (size_t i = 0; result && name && i < result->text_count; i++)
        if (strcmp(result->texts[i].name, name) == 0)
            return result->texts[i].text;
    return NULL;
}

void lash_result_close(lash_result *result) {
    if (result)
        result->kind->close(result);
}

/* ---- in memory ---- */

typedef struct memory_result {
    lash_result base;
    const double *values[LASH_STREAMS];
    const lash_event *events;
    char *settings, *tables, *summary;
} memory_result;

static lash_status read(double *values, lash_result *result, lash_stream stream, size_t first, size_t count,
                        lash_error *error) {
    (void)error;
    memcpy(values, ((memory_result *)result)->values[stream] + first * result->columns,
           count * result->columns * sizeof *values);
    return LASH_OK;
}

static lash_status read_events(lash_event *events, lash_result *result, lash_error *error) {
    (void)error;
    memcpy(events, ((memory_result *)result)->events, result->event_count * sizeof *events);
    return LASH_OK;
}

static void close(lash_result *result) {
    memory_result *self = (memory_result *)result;
    free(self->settings);
    free(self->tables);
    free(self->summary);
    free(self);
}

lash_status lashi_memory_result(lash_result **out, const lash_record *record, const lashi_sink_layout *layout,
                                const lash_summary *summary, lash_error *error) {
    const lash_model *model = layout->model;
    static const lashi_result_kind kind = {read, read_events, close, NULL};
    memory_result *self = calloc(1, sizeof *self);
    if (!self)
        return lashi_fail_memory(error);
    self->base.kind = &kind;
    self->base.columns = layout->columns;
    self->base.names = layout->names;
    self->base.units = layout->units;
    self->base.meanings = layout->meanings;
    for (lash_stream i = 0; i < LASH_STREAMS; i++)
        self->values[i] = lash_record_rows(&self->base.rows[i], record, i);
    self->events = lash_record_events(&self->base.event_count, record);
    self->settings = lashi_settings_text(model);
    self->tables = lashi_tables_text(model);
    self->summary = summary ? lashi_summary_text(summary) : NULL;
    if (!self->settings || !self->tables || (summary && !self->summary)) {
        close(&self->base);
        return lashi_fail_memory(error);
    }
    lashi_result_keep(&self->base, "version", LASH_VERSION);
    lashi_result_keep(&self->base, "title", model ? lash_model_title(model) : "");
    lashi_result_keep(&self->base, "model", model ? lash_model_text(model) : "");
    lashi_result_keep(&self->base, "settings", self->settings);
    if (lash_model_table(model, 0))
        lashi_result_keep(&self->base, "tables", self->tables);
    lashi_result_keep(&self->base, "summary", self->summary);
    *out = &self->base;
    return LASH_OK;
}
