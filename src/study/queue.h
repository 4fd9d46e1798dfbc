/* SPDX-License-Identifier: MIT
 *
 * Points to compute, and the processes that share them.
 */
#ifndef LASHI_QUEUE_H
#define LASHI_QUEUE_H

#include <pthread.h>

#include "study/store.h"
#include "study/study.h"

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
    lash_study_progress progress;
    lash_status status; /* of what went wrong, first */
    lash_error error;
} lashi_queue;

enum { LASHI_TAKEN = 3 };

/* The next point that is to be computed and where it starts (to be freed); false: there is none, or the study
 * is being stopped. */
bool lashi_queue_take(size_t *point, lashi_state *start, lashi_queue *queue);
/* Writes a point that has been computed. */
void lashi_queue_finish(lashi_queue *queue, const lashi_outcome *outcome);
/* Ends the study with this. */
void lashi_queue_fail(lashi_queue *queue, lash_status status, const lash_error *error);

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
