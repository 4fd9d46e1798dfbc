/* SPDX-License-Identifier: MIT
 *
 * Points to compute, and the processes that share them.
 */
#ifndef LASHI_QUEUE_H
#define LASHI_QUEUE_H

#include <pthread.h>

#include "study/store.h"
#include "study/study.h"

/* Why points were given up, and how many. */
enum { LASHI_REASONS = 8 };
typedef struct lashi_reason {
    const char *text; /* of lash_ensemble_reason; NULL: none */
    size_t count;
} lashi_reason;

/* How the points of this process are computed, and what has been said about it. */
typedef struct lashi_manner {
    lash_study_way way; /* not LASH_STUDY_FASTEST */
    size_t at_once;     /* points that a worker takes */
    const lash_study_options *options;
    pthread_mutex_t mutex;
    char said[4][LASH_ERROR_TEXT];
    lashi_reason given_up[LASHI_REASONS]; /* of points that failed side by side */
} lashi_manner;
void lashi_manner_begin(lashi_manner *manner, const lash_study *study, const lash_study_options *options,
                        size_t points, size_t jobs);
/* Says at the end how many points were given up side by side, and why. */
void lashi_manner_end(lashi_manner *manner);
/* Reports a message once. */
void lashi_manner_say(lashi_manner *manner, const char *message);

/* Held by the process that gives out points and writes. Fields below the mutex are under it. */
typedef struct lashi_queue {
    const lash_study *study;
    const lash_study_options *options;
    atomic_bool stop;
    pthread_mutex_t mutex;
    lashi_store *store;
    unsigned char *done; /* [point_count] as in lashi_store_open; LASHI_TAKEN: being computed */
    size_t next;
    size_t working; /* threads of this process that have not ended */
    lashi_manner manner;
    lash_study_progress progress;
    lash_status status; /* of the first failure */
    lash_error error;
} lashi_queue;

enum { LASHI_TAKEN = 3 };

/* The next points that are to be computed, `wanted` at most, and where a single one starts (to be freed). Returns
 * how many; 0: none, or the study is being stopped. */
size_t lashi_queue_take(size_t *points, lashi_state *start, lashi_queue *queue, size_t wanted);
/* Writes points that have been computed. */
void lashi_queue_finish(lashi_queue *queue, const lashi_outcome *outcomes, size_t count);
/* Ends the study with this. */
void lashi_queue_fail(lashi_queue *queue, lash_status status, const lash_error *error);

/* Computes points, as many as were taken: one of them from `start`. */
typedef struct lashi_hands {
    const lash_study *study;
    lashi_manner *manner;
    const atomic_bool *stop;
    lashi_outcome outcome; /* of single points */
    void (*finish)(void *user, const lashi_outcome *outcomes, size_t count);
    void (*ahead)(void *user, size_t points);
    void *user;
} lashi_hands;
lash_status lashi_hands_compute(lashi_hands *hands, const size_t *points, size_t count,
                                const lashi_state *start);

/* ---- link.c ---- */

/* Rank 0: tells the others to begin, or that there is nothing to do for them. */
lash_status lashi_link_begin(const lash_study_link *link, const lash_study *study, bool go,
                             lash_error *error);
/* Rank 0: deals with messages that have come. *left: processes that are still at work. False: none came. */
bool lashi_link_serve(int *left, lashi_queue *queue);
/* Other ranks: computes what rank 0 gives out until there is nothing more. */
lash_status lashi_link_work(const lash_study *study, const lash_study_options *options, size_t jobs,
                            lash_error *error);

#endif
