/* SPDX-License-Identifier: MIT
 *
 * Shared by the files of studies.
 *
 *   read.c       study file → lash_study          distribution.c, iso_fit.c, quantile.c   numbers for tolerances
 *   plan.c       point number → settings          window.c     what a run shows over the kept time
 *   metric.c     the table of metrics             point.c      one point: run it, take its metrics; searches
 *   store.c      the SQLite file                  queue.c      workers on this machine
 *   link.c       other processes                  reread.c     reading a table again
 *   carry.c      the end of a run as the start of the next      batch.c   many points side by side
 */
#ifndef LASHI_STUDY_H
#define LASHI_STUDY_H

#include <stdatomic.h>
#include <stdint.h>

#include "lash/document.h"
#include "lash/lash.h"
#include "lash/study.h"
#include "study/distribution.h"
#include "study/fail.h"

/* ---- what is set ---- */

typedef struct lashi_axis_value {
    const char *text; /* as the model reads it */
    double number;
    bool is_number;
} lashi_axis_value;

typedef struct lashi_axis {
    const char *name;
    const lash_node *key;
    char unit[LASH_NODE_UNIT]; /* SI */
    lashi_axis_value *values;
    size_t count;
    size_t group; /* axes of one group run in step */
} lashi_axis;

typedef struct lashi_draw {
    const char *name;
    const lash_node *key;
    char unit[LASH_NODE_UNIT];
    lashi_distribution distribution;
} lashi_draw;

/* The largest value of a parameter that keeps a metric below a limit. */
typedef struct lashi_search {
    bool wanted;
    const char *name;
    const lash_node *key;
    char unit[LASH_NODE_UNIT];
    double from, to;
    bool log;         /* by ratios */
    size_t scan;      /* equal steps that are looked at first */
    double tolerance; /* of the value found, relative to it */
    size_t metric;
    double below; /* SI */
} lashi_search;

/* ---- what comes out ---- */

enum { LASHI_METRIC_TEXT = 32 };
typedef struct lashi_metric_value {
    double number;                /* NaN: does not apply */
    char text[LASHI_METRIC_TEXT]; /* a metric in words; "" for numbers */
} lashi_metric_value;

struct lashi_metric_kind;
typedef struct lashi_metric {
    const char *name; /* the whole text, which is the name of the column */
    const lash_node *node;
    const struct lashi_metric_kind *kind;
    const char *subject; /* channel, joint or name, "" if the metric has none */
    char unit[LASH_NODE_UNIT];
    lash_study_metric own; /* defined by the caller */
} lashi_metric;

/* Where the trajectory is cut, for the metrics that ask what kind of motion it is. */
typedef struct lashi_cut {
    const char *channel; /* NULL: the angle of the drive whose turns count */
    double at, period;   /* in units of the channel */
    const char **channels;
    char (*units)[LASH_NODE_UNIT]; /* [channel_count] */
    size_t channel_count;
    bool keep; /* points of the section go into the table `section` */
} lashi_cut;

/* How a machine's life is followed at each point, for the metrics that ask how long it is. */
typedef struct lashi_ask {
    const lash_node *node;       /* NULL: not asked */
    const char **keys, **values; /* limits: "play gudgeon", "0.3 mm" */
    size_t count;
    double tolerance; /* 0: the default of lash_life_run */
} lashi_ask;

struct lash_study {
    lash_document *document;
    const char *model_path, *model_text, *title;
    lash_model *model;   /* at some point; others are read again from it. NULL: it runs at none */
    char tables[17];     /* hash of the tables (CSV files) that the model reads, in hexadecimal digits */
    const char *discard; /* as a run's `until`; NULL: nothing */
    lash_setting *fixed; /* parameters and run settings that are the same at every point */
    size_t fixed_count;
    lashi_axis *axes;
    size_t axis_count, group_count, setting_count; /* settings: product of the groups */
    lashi_draw *draws;
    size_t draw_count, sample_count; /* samples per setting; 0: nothing is drawn */
    uint64_t seed;
    lashi_search search;
    lashi_metric *metrics;
    size_t metric_count;
    lashi_cut cut;
    lashi_ask life;
    bool carry; /* along the axis carry_axis a point begins where the one before ended */
    size_t carry_axis;
    size_t point_count;
    char **texts; /* all that was made while reading */
    size_t text_count, text_capacity;
};

/* ---- one point ---- */

typedef struct lashi_trial { /* an evaluation of a search */
    double value, metric;
} lashi_trial;

/* Where a run ended: coordinates, then memory of contacts, then that of signals. */
typedef struct lashi_state {
    double *values;
    size_t count; /* 0: none */
} lashi_state;

typedef struct lashi_outcome {
    size_t point;
    lash_status status;
    char message[LASH_ERROR_TEXT];
    double wall_time;           /* s */
    lash_study_way way;         /* how it was computed */
    double found;               /* of a search */
    lashi_metric_value *values; /* [metric_count] */
    lashi_trial *trials;
    size_t trial_count;
    double *section; /* [section_count][1 + channels of the cut]: time and values */
    size_t section_count;
    lashi_state end; /* where points carry over */
} lashi_outcome;

lash_status lashi_outcome_init(lashi_outcome *outcome, const lash_study *study, lash_error *error);
void lashi_outcome_clear(lashi_outcome *outcome);
/* Keeps the cuts of a section: [count] times, [count][width] points. */
lash_status lashi_outcome_keep(lashi_outcome *outcome, const double *times, const double *points,
                               size_t count, size_t width, lash_error *error);
/* A failed point has a message and nothing else. */
void lashi_outcome_fail(lashi_outcome *outcome, const lash_study *study, const lash_error *error);

/* Runs a point, from `start` unless it is empty. A failure of the point is in the outcome;
 * LASH_STOP_INTERRUPTED when *stop became true, LASH_ERROR_MEMORY when there is none, LASH_OK otherwise. */
lash_status lashi_point_compute(lashi_outcome *outcome, const lash_study *study, size_t point,
                                const lashi_state *start, const atomic_bool *stop);
/* The drive whose turns count, the one that `until` names or else the first that turns; a NULL name: none. */
lash_drive_info lashi_point_drive(size_t *index, const lash_model *model, const lash_system *system);
/* From when on the metrics of a point count, s: the end of what its study or its model discards, else the start. */
double lashi_point_discard(const lash_model *model, const lash_system *system);
/* The model and the compiled system of a point, both to be destroyed also on failure. */
lash_status lashi_point_compile(lash_model **model, lash_system **system, const lash_study *study,
                                const lash_setting *settings, size_t count, lash_error *error);
/* Prepares a point without running it. *key: what of the study file is at fault if it fails. */
lash_status lashi_point_try(const char **key, const lash_study *study, size_t point, lash_error *error);

/* ---- batch.c ---- */

/* Whether points can be computed side by side, in that way; else `why` says what in the study prevents it. */
bool lashi_batch_suits(const lash_study *study, lash_study_way way, char why[LASH_ERROR_TEXT]);
/* Computes points side by side. Those that cannot be are computed one by one, and `say` is told why; so are those whose
 * members fail, each of which is told to `give_up` with the reason. finish: is given outcomes, which are used again
 * afterwards; ahead: how many points of the batch are at their end. */
typedef struct lashi_batch {
    const lash_study *study;
    lash_study_way way;
    const size_t *points;
    size_t count;
    const atomic_bool *stop;
    void (*finish)(void *user, const lashi_outcome *outcomes, size_t count);
    void (*ahead)(void *user, size_t points);
    void (*say)(void *user, const char *message);
    void (*give_up)(void *user, const char *reason);
    void *user;
} lashi_batch;
/* As lashi_point_compute. */
lash_status lashi_batch_compute(const lashi_batch *batch);

/* ---- carry.c ---- */

/* The point whose end is this one's start; SIZE_MAX: none. It has a smaller number. */
size_t lashi_point_before(const lash_study *study, size_t point);
/* Replaces a sim of this system that has not begun by one that begins at the state. */
lash_status lashi_carry_begin(lash_sim **sim, const lash_system *system, const lashi_state *state,
                              lash_error *error);
lash_status lashi_carry_end(lashi_state *state, const lash_sim *sim, lash_error *error);
/* Fails unless that many periods of `what` are whole ones. */
lash_status lashi_carry_whole(double periods, const char *what, lash_error *error);

/* ---- plan.c ---- */

/* What a point sets. Texts of drawn values and of the searched parameter are in `owned`. */
typedef struct lashi_point_settings {
    lash_setting *settings;
    size_t count;
    char **owned;
    size_t owned_count;
} lashi_point_settings;

size_t lashi_point_axis_index(const lash_study *study, size_t point, size_t axis);
double lashi_point_draw(const lash_study *study, size_t point, size_t draw);
lash_status lashi_point_settings_create(lashi_point_settings *out, const lash_study *study, size_t point,
                                        double searched, lash_error *error);
void lashi_point_settings_clear(lashi_point_settings *settings);

/* ---- read.c ---- */
/* Text that lives as long as the study; NULL: out of memory. */
const char *lashi_study_print(lash_study *study, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- rehearse.c ---- */
/* Tries the model with the settings of the study and notes mistakes at their places in the study file. */
void lashi_study_check(lash_study *study);

#endif
