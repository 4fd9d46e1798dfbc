/* SPDX-License-Identifier: MIT
 *
 * lash_record: what a run leaves behind. Channels are chosen once; rows go to the sinks as they come: an HDF5
 * file, a CSV file, memory. lash_result reads an HDF5 file again.
 *
 * Streams: `steps` has a row for every accepted step, `samples` uniform rows from dense output, and `peaks` a
 * row where the force of a joint with play was largest between two samples (without samples: two steps), so
 * that none is lost. Recording never changes the integration.
 */
#ifndef LASH_RECORD_H
#define LASH_RECORD_H

#include "lash/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lash_stream {
    LASH_STREAM_SAMPLES,
    LASH_STREAM_STEPS,
    LASH_STREAM_PEAKS,
    LASH_STREAMS
} lash_stream;

typedef struct lash_record_options {
    const char *const *channels; /* names; "slider.*" and "*.vx" are allowed; NULL: all */
    size_t channel_count;
    bool steps;     /* record every accepted step */
    size_t samples; /* N uniform intervals: N + 1 rows, both ends; 0: none, unless `every` */
    double every;   /* s between samples; NaN: none */
    bool peaks;     /* record the peaks between the samples or steps */
    bool still;     /* for lash_sim_kinematics: without integrals over a run, such as energy.input */
} lash_record_options;

/* The channel "time" is always the first column. */
lash_status lash_record_create(lash_record **out, const lash_sim *sim, const lash_record_options *options,
                               lash_error *error);
void lash_record_destroy(lash_record *record); /* files that are not finished are removed */

/* Sinks. Files appear whole when they are finished, or not at all (lash/file.h). CSV takes the samples, or
 * the steps where there are no samples; path "-" is standard output. */
lash_status lash_record_to_hdf5(lash_record *record, const char *path, lash_error *error);
lash_status lash_record_to_csv(lash_record *record, const char *path, lash_error *error);
lash_status lash_record_to_memory(lash_record *record, lash_error *error);
/* Keeps the present state of the sim in the HDF5 file, to continue from (lash_result_state); at the end of a
 * run, before lash_record_finish. */
lash_status lash_record_keep_state(lash_record *record, const lash_sim *sim, lash_error *error);
/* Writes events, summary, model text and settings, and closes the files. */
lash_status lash_record_finish(lash_record *record, const lash_summary *summary, lash_error *error);
/* A summary as a JSON object under the names that files have: {"status": "STOP_END", "steps": 120,
 * "gudgeon.impacts": 3, …}; to be freed with free(), NULL: out of memory. */
char *lash_summary_json(const lash_summary *summary);

size_t lash_record_column_count(const lash_record *record);
const char *lash_record_column_name(const lash_record *record, size_t column);
const char *lash_record_column_unit(const lash_record *record, size_t column);
/* Memory sink: rows of a stream, row-major. NULL without a memory sink. */
const double *lash_record_rows(size_t *row_count, const lash_record *record, lash_stream stream);
const lash_event *lash_record_events(size_t *count, const lash_record *record);

/* A finished run: an HDF5 file, or a record with a memory sink, which must outlive it and keeps its rows.
 * summary NULL: the run has none. */
typedef struct lash_result lash_result;
lash_status lash_result_open(lash_result **out, const char *path, lash_error *error);
lash_status lash_record_result(lash_result **out, const lash_record *record, const lash_summary *summary,
                               lash_error *error);
void lash_result_close(lash_result *result);
size_t lash_result_column_count(const lash_result *result);
const char *lash_result_column_name(const lash_result *result, size_t column);
const char *lash_result_column_unit(const lash_result *result, size_t column);
/* What it is, in a few words; NULL: the file is of an earlier version, which did not keep it. */
const char *lash_result_column_meaning(const lash_result *result, size_t column);
size_t lash_result_row_count(const lash_result *result, lash_stream stream);
/* Rows first … first + count - 1, row-major, all columns, into values. */
lash_status lash_result_read(double *values, lash_result *result, lash_stream stream, size_t first,
                             size_t count, lash_error *error);
/* Some columns of them, in the order asked for, row-major. */
lash_status lash_result_read_columns(double *values, lash_result *result, lash_stream stream,
                                     const size_t *columns, size_t column_count, size_t first, size_t count,
                                     lash_error *error);
size_t lash_result_event_count(const lash_result *result);
/* Numbers that files of earlier versions do not have are NaN. */
lash_status lash_result_read_events(lash_event *events, lash_result *result, lash_error *error);
/* The state at the end of the run ("state"), or where it began if that was not at t = 0 ("start"), as bytes
 * for lash_state_read; to be freed with free(). LASH_OK and NULL: it is not kept. */
lash_status lash_result_state(void **bytes, size_t *count, lash_result *result, const char *name,
                              lash_error *error);
/* Texts kept with the result: "model" (the file), "title", "version", "settings" (NAME=VALUE lines),
 * "tables" (files of tables that the model read, as NAME=CHECKSUM lines; NULL if there are none),
 * "summary" (one "name = value" per line), "format" (of this file); NULL: no such text. */
const char *lash_result_text(lash_result *result, const char *name);

#ifdef __cplusplus
}
#endif
#endif
