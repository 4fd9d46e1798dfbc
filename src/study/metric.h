/* SPDX-License-Identifier: MIT
 *
 * Metrics of a point: a table of kinds. Adding one is one line in the table and its function (metric.c).
 */
#ifndef LASHI_METRIC_H
#define LASHI_METRIC_H

#include "study/nonlinear.h"
#include "study/study.h"

/* ---- what a run shows over the kept time (window.c) ---- */

typedef struct lashi_track { /* one channel */
    size_t channel;
    double least, most;
    double integral, square; /* ∫x dt, ∫x² dt */
    double rounding;         /* how much of x is rounding, where it was looked for */
    int rough;               /* places in this step that may be rounding */
    double unsettled;        /* what parts of steps that are not resolved may be off, as an integral */
    double fast, fast_step;  /* s, the last step with such a part, and its length */
} lashi_track;

typedef struct lashi_window {
    lashi_track *tracks;
    size_t count;
    size_t *channels;              /* [count], of the tracks */
    double *looks;                 /* workspace */
    double settled, settled_aside; /* what differences of looks may be, as shares of the range */
    lash_error *error;             /* of whoever made it: what cannot be followed */
    double length;                 /* s */
    double coarsest;               /* range of any channel that settles nothing: INFINITY, or less */
    /* Called instead for each part of a step that is short enough, in the order of time, where there is one track:
     * x holds LASHI_LOOKS looks, evenly spaced and with both ends. NULL: the window sums up itself. */
    void (*resolved)(void *user, lash_sim *sim, const double *x, double t_old, double t_new);
    void *user;
    bool sums;     /* integrals are asked for, not only ranges */
    int unsettled; /* parts of this step */
    size_t steps;
} lashi_window;

/* rtol: what its integrals may miss, relative to a channel's range. `error` is written while it is used. */
lash_status lashi_window_create(lashi_window *window, size_t capacity, double rtol, lash_error *error);
void lashi_window_clear(lashi_window *window);
/* Index of the track of a channel, made if there is none. */
size_t lashi_window_track(lashi_window *window, size_t channel);
/* The same where its least and most are all that must be right; integrals are then as good as three looks at a step. */
size_t lashi_window_track_range(lashi_window *window, size_t channel);
lash_status lashi_window_observe(lashi_window *window, lash_sim *sim, double t_old, double t_new);
/* At the end of the time: LASH_ERROR_ACCURACY where a channel changed too fast. */
lash_status lashi_window_check(const lashi_window *window, const lash_sim *sim);
enum { LASHI_LOOKS = 5 };
/* Top of the parabola through three points: its place in spacings from the middle one; false: it has none. */
bool lashi_top(double *place, double *height, const double f[3]);
/* The extremum of a channel near t, and its time, by parabolas ever closer, the first of which was through points so
 * far apart; sign 1: the highest. Within [t_old, t_new] of the last step. */
double lashi_climb(double *at_best, lash_sim *sim, size_t channel, double sign, double t, double apart,
                   double t_old, double t_new);
/* most − least, the length that recurrence is measured in; 1 where that is 0. */
double lashi_track_range(const lashi_track *track);

/* ---- what a metric sees when the run has ended ---- */

typedef struct lashi_play_account { /* of a joint with play, from the start */
    double impacts, free_time, impact_time, following_time, energy_lost;
} lashi_play_account;

typedef struct lashi_view {
    const lash_study *study;
    lash_sim *sim;
    void *const *memories; /* [metric_count] of metrics that the caller makes */
    const lashi_window *window;
    const size_t *tracks;      /* [metric_count] track of each metric's channel; SIZE_MAX: none */
    double length;             /* s, of the window */
    double turns;              /* of the drive in the window; NaN without one */
    double evaluations, steps; /* in the window */
    const lashi_play_account *before, *after; /* [clearances] at both ends of the window */
    lash_summary summary;                     /* of the whole run */
    double wall_time;                         /* s */
    lashi_verdict verdict;                    /* where a metric needs it */
    double life_turns, life_hours;            /* likewise */
} lashi_view;

enum { /* what must be prepared for a kind */
       LASHI_NEEDS_SECTION = 1,
       LASHI_NEEDS_EXPONENT = 2,
       LASHI_NEEDS_LIFE = 4,
       LASHI_JUDGED = LASHI_NEEDS_SECTION | LASHI_NEEDS_EXPONENT
};
#define LASHI_TURN 6.283185307179586476925 /* rad */
/* Renormalisations of the exponent per turn; turns in which the difference is turned are part of what is
 * discarded before. */
enum { LASHI_RENORMALISATIONS = 8, LASHI_ALIGNING_TURNS = 4 };

typedef enum lashi_subject {
    LASHI_NO_SUBJECT,
    LASHI_OF_CHANNEL,
    LASHI_OF_JOINT,
    LASHI_OF_CALLER
} lashi_subject;

typedef struct lashi_metric_kind {
    const char *name; /* what the metric's text begins with */
    lashi_subject subject;
    const char *unit; /* NULL: the channel's */
    bool timing;      /* varies: kept apart from the table */
    bool words;       /* a text, not a number */
    unsigned needs;
    /* metric: its place in the study; joint: index of the clearance, for LASHI_OF_JOINT. */
    lashi_metric_value (*compute)(const lashi_view *view, size_t metric, size_t joint);
} lashi_metric_kind;

/* What any metric of the study needs. */
unsigned lashi_study_needs(const lash_study *study);
/* LASH_ERROR_LIMIT: a motion with so few cuts cannot be judged (point.c). */
lash_status lashi_cuts_check(size_t count, lash_error *error);
/* The metrics of a point from what it has shown (point.c). */
void lashi_take_metrics(lashi_metric_value *values, const lash_system *system, const lashi_view *view);

extern const lashi_metric_kind lashi_metric_kinds[]; /* a NULL name ends it */
/* The kind that a text begins with, and what follows it; NULL: none. */
const lashi_metric_kind *lashi_metric_find(const char **subject, const char *text);

#endif
