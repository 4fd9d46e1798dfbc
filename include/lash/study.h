/* SPDX-License-Identifier: MIT
 *
 * lash_study: one model run at many points, its metrics in one SQLite file.
 *
 *   lash_study_load(&study, "play.yaml", &options, &error);
 *   lash_study_run(&outcome, study, &(lash_study_options){.store = "play.db", .jobs = 4}, &error);
 *   lash_study_table_open(&table, "play.db", &error);
 *
 * Points are written as they finish; a study that was stopped continues where it was. What is
 * in the table does not depend on the number of workers, their order or interruptions.
 */
#ifndef LASH_STUDY_H
#define LASH_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include "lash/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lash_study lash_study;
typedef struct lash_study_table lash_study_table;

/* Reads a study file and the model it names and checks both: all mistakes are reported. Settings are not
 * taken: a study says what is set. */
lash_status lash_study_load(lash_study **out, const char *path, const lash_load_options *options,
                            lash_error *error);
/* The same from text; `name` stands for it in messages, and the model is searched for beside it. */
lash_status lash_study_parse(lash_study **out, const char *text, size_t length, const char *name,
                             const lash_load_options *options, lash_error *error);
void lash_study_destroy(lash_study *study);
const char *lash_study_title(const lash_study *study);
size_t lash_study_point_count(const lash_study *study);

/* A metric that the caller makes, a column of the table: the study lists it as `own NAME`. Workers call for
 * several points at once, each with a memory of its own. */
typedef struct lash_study_metric {
    const char *unit; /* "" of a pure number; NULL the same */
    size_t memory;    /* bytes for each point, zeros at its beginning; may be 0 */
    /* Called for every accepted step of the time that is kept, as by lash_run_control; may be NULL. */
    lash_status (*observe)(void *user, void *memory, lash_sim *sim, double t_old, double t_new);
    /* Called once at the end of the run, before the value; may be NULL. An error is that of the point, which
     * fails with it; LASH_STOP_INTERRUPTED stops the study, and the point is left for the next time. */
    lash_status (*conclude)(void *user, void *memory, lash_sim *sim, lash_error *error);
    /* The value at the end of the run; NaN: none. */
    double (*value)(void *user, void *memory, lash_sim *sim);
    void *user;
} lash_study_metric;
/* LASH_ERROR_USAGE: the study lists no `own NAME`. A study is run when all that it lists are set. */
lash_status lash_study_set_metric(lash_study *study, const char *name, const lash_study_metric *metric,
                                  lash_error *error);

/* How points are computed. */
typedef enum lash_study_way {
    LASH_STUDY_ONE_BY_ONE, /* each as a run of its model is: to the bit */
    LASH_STUDY_LANES, /* many side by side in the lanes of each core (lash/ensemble.h): within the tolerance */
    LASH_STUDY_GPU,   /* … on a GPU */
    LASH_STUDY_FASTEST /* on a GPU if there is one and there are many points, else side by side */
} lash_study_way;

typedef struct lash_study_progress {
    size_t points;  /* of the study */
    size_t done;    /* in the table, failed ones included */
    size_t failed;  /* of these */
    size_t earlier; /* were in the table when this call began */
    double elapsed; /* s */
    size_t ahead;   /* computed, but not in the table yet */
} lash_study_progress;

/* Messages between processes that work on one study together. Rank 0 gives out the points and writes. Calls
 * are never made by two threads at once. */
typedef struct lash_study_link {
    int rank, size;
    lash_status (*send)(void *user, int to, const void *bytes, size_t count, lash_error *error);
    /* A message that has come, from anyone, its bytes to be freed with free(); *bytes is NULL when there is
     * none: it does not wait. */
    lash_status (*receive)(void *user, int *from, void **bytes, size_t *count, lash_error *error);
    void *user;
} lash_study_link;

typedef struct lash_study_options {
    const char *store; /* SQLite file; used by rank 0 alone */
    size_t jobs;       /* worker threads of this process, 0: one per core */
    bool retry_failed; /* computes failed points again */
    /* Points that cannot be computed that way are computed one by one; the table says which way each was. */
    lash_study_way way;
    /* Told once each why points are not computed the way that was asked for; may be NULL. Called by any thread, never
     * by two at once. */
    void (*say)(void *user, const char *message);
    /* Called after every point and a few times per second, never by two threads at once; false stops the
     * study: points in flight are given up, the others are kept. May be NULL. */
    bool (*progress)(void *user, const lash_study_progress *progress);
    void *user;
    const lash_study_link *link; /* NULL: this process alone */
} lash_study_options;

/* Computes the points that are not in the table yet. LASH_OK also when points failed; their messages are in
 * the table. LASH_STOP_INTERRUPTED when `progress` said so. */
lash_status lash_study_run(lash_study_progress *outcome, const lash_study *study,
                           const lash_study_options *options, lash_error *error);

/* The table of a study, finished or not, in memory. */
lash_status lash_study_table_open(lash_study_table **out, const char *path, lash_error *error);
void lash_study_table_close(lash_study_table *table);

typedef enum lash_study_column_kind {
    LASH_COLUMN_POINT,  /* number of the point */
    LASH_COLUMN_AXIS,   /* what was set */
    LASH_COLUMN_METRIC, /* what came out */
    LASH_COLUMN_TIMING, /* what came out and varies */
    LASH_COLUMN_STATUS  /* "ok" or the name of a status; the message of a failure */
} lash_study_column_kind;

typedef struct lash_study_column {
    const char *name, *unit;
    lash_study_column_kind kind;
} lash_study_column;

size_t lash_study_table_width(const lash_study_table *table);
lash_study_column lash_study_table_column(const lash_study_table *table, size_t column);
size_t lash_study_table_rows(const lash_study_table *table);   /* done */
size_t lash_study_table_points(const lash_study_table *table); /* of the whole study */
/* A cell as text, "" if it is empty; numbers so that they read back exactly. Its number, NaN if it is none.
 */
const char *lash_study_table_text(const lash_study_table *table, size_t row, size_t column);
double lash_study_table_number(const lash_study_table *table, size_t row, size_t column);
/* "title", "version", "study" and "model" (the files), "samples" (number of drawn points per setting, "0":
 * nothing is drawn), "section" (channels whose cuts are kept, separated by commas), "section angle" (rad
 * between cuts, "": they are not cuts of an angle), "computed" ("90 on a GPU, 10 one by one"); NULL: no such
 * text. */
const char *lash_study_table_about(const lash_study_table *table, const char *name);

/* Cuts of trajectories that a study with `section: {keep: true}` has kept: one channel, or "time", in the
 * order of points and times; points[i] is the number of the point, from 1. Both to be freed with free(). */
lash_status lash_study_cuts_read(double **values, size_t **points, size_t *count, const char *path,
                                 const char *channel, lash_error *error);

/* Names of the channels with cuts, a line feed behind each, to be freed with free(); "" where none are kept.
 */
lash_status lash_study_cut_channels(char **names, const char *path, lash_error *error);

/* A quantile of a column over rows [first, first + count) that did not fail. */
typedef struct lash_study_quantile {
    double value;     /* interpolated between order statistics; NaN: no rows */
    double low, high; /* confidence band: the order statistics that enclose it; NaN: too few rows */
    size_t count;     /* rows used */
} lash_study_quantile;
lash_study_quantile lash_study_table_quantile(const lash_study_table *table, size_t column, size_t first,
                                              size_t count, double probability, double confidence);

#ifdef __cplusplus
}
#endif
#endif
