/* SPDX-License-Identifier: MIT
 *
 * Results in files, in a build without HDF5: none is written or opened, and the message says why.
 */
#include "base/library.h"
#include "lash/record.h"
#include "record/sink.h"

static lash_status missing(lash_error *error) {
    return lashi_library_missing(error, "HDF5", "results in files", "LASH_WITH_HDF5");
}

lash_status lashi_hdf5_sink_create(lashi_sink **out, const char *path, const lashi_sink_layout *layout,
                                   lash_error *error) {
    (void)path, (void)layout;
    *out = NULL;
    return missing(error);
}

lash_status lash_result_open(lash_result **out, const char *path, lash_error *error) {
    (void)path;
    if (out)
        *out = NULL;
    return missing(error);
}

/* No result exists: NULL is all that these can be given. */

void lash_result_close(lash_result *result) {
    (void)result;
}

size_t lash_result_column_count(const lash_result *result) {
    (void)result;
    return 0;
}

const char *lash_result_column_name(const lash_result *result, size_t column) {
    (void)result, (void)column;
    return NULL;
}

const char *lash_result_column_unit(const lash_result *result, size_t column) {
    (void)result, (void)column;
    return NULL;
}

const char *lash_result_column_meaning(const lash_result *result, size_t column) {
    (void)result, (void)column;
    return NULL;
}

size_t lash_result_row_count(const lash_result *result, lash_stream stream) {
    (void)result, (void)stream;
    return 0;
}

lash_status lash_result_read(double *values, lash_result *result, lash_stream stream, size_t first,
                             size_t count, lash_error *error) {
    (void)values, (void)result, (void)stream, (void)first, (void)count;
    return missing(error);
}

lash_status lash_result_read_columns(double *values, lash_result *result, lash_stream stream,
                                     const size_t *columns, size_t column_count, size_t first, size_t count,
                                     lash_error *error) {
    (void)values, (void)result, (void)stream, (void)columns, (void)column_count, (void)first, (void)count;
    return missing(error);
}

size_t lash_result_event_count(const lash_result *result) {
    (void)result;
    return 0;
}

lash_status lash_result_read_events(lash_event *events, lash_result *result, lash_error *error) {
    (void)events, (void)result;
    return missing(error);
}

const char *lash_result_text(lash_result *result, const char *name) {
    (void)result, (void)name;
    return NULL;
}
