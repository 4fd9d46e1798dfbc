/* SPDX-License-Identifier: MIT
 *
 * Members of an ensemble on a GPU (ensemble.h). The driver is loaded when it is first needed; no toolkit is
 * needed.
 */
#ifndef LASHI_GPU_H
#define LASHI_GPU_H

#include <stdbool.h>
#include <stddef.h>

enum { LASHI_GPU_SAYS = 512 }; /* size of a message */

/* Whether there is a GPU; else `why` says what is missing. */
bool lashi_gpu_is_there(char why[LASHI_GPU_SAYS]);

/* What has been reached between two launches of a group of members. */
typedef struct lashi_gpu_round {
    size_t first, count;   /* its members */
    const double *reached; /* [LASHI_GPU_FIRST][count], their first columns */
    bool begins;           /* nothing has been reached yet */
    size_t left;           /* members of all groups that are still running, … */
    double share;          /* … how many of them are in this group, from 0 to 1, … */
    double launches;       /* … and how many times all of them fill the device */
} lashi_gpu_round;

/* What is called between launches; false stops. */
typedef struct lashi_gpu_calls {
    /* Puts members of the group that are better computed elsewhere into `away`, and says how many launches like the last
     * one the others will take in the mean. */
    double (*choose)(void *user, const lashi_gpu_round *round, size_t *away, size_t *away_count);
    /* Hands over such a member as it is: its row and cuts. The GPU does not continue it. */
    bool (*take)(void *user, size_t member, const double *row, const double *cuts);
    bool (*progress)(void *user, size_t finished);
} lashi_gpu_calls;
enum {
    LASHI_GPU_STATUS = 2,
    LASHI_GPU_FIRST,
    LASHI_GPU_AWAY = 3
}; /* t, h and status (ensemble.h); a status */

typedef struct lashi_gpu_job {
    const char *code; /* for the GPU, as text */
    int threads;      /* of a block */
    size_t count;     /* of members */
    double *rows;     /* [count][column_count], in and out */
    size_t column_count;
    const double *lists; /* [count][number_count] */
    size_t number_count;
    const double *stops; /* [stop_count], of all */
    size_t stop_count;
    double *cuts; /* [count][cut_count], in and out */
    size_t cut_count;
    lashi_gpu_calls calls;
    void *user;
} lashi_gpu_job;
/* Advances members to their ends, except for those that are taken away. False with the reason in `why`; rows
 * and cuts are then those of the last launch that ended, or unchanged. */
bool lashi_gpu_members(const lashi_gpu_job *job, char why[LASHI_GPU_SAYS]);

#endif
