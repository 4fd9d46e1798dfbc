/* SPDX-License-Identifier: MIT
 *
 * Members of an ensemble on a GPU (ensemble.h). The driver is loaded when it is first asked for; no toolkit
 * is needed.
 */
#ifndef LASHI_GPU_H
#define LASHI_GPU_H

#include <stdbool.h>
#include <stddef.h>

enum { LASHI_GPU_SAYS = 512 }; /* size of a message */

/* Whether there is one; else `why` says what is missing. */
bool lashi_gpu_is_there(char why[LASHI_GPU_SAYS]);

/* Called between launches with the members that are at their end; false stops. */
typedef bool lashi_gpu_progress(void *user, size_t finished);

typedef struct lashi_gpu_job {
    const char *code; /* for the GPU, as text */
    int threads;      /* of a block */
    size_t count;     /* of members */
    double *columns;  /* [column_count][count], in and out */
    size_t column_count;
    const double *numbers; /* [number_count][count] */
    size_t number_count;
    double *cuts; /* [cut_count][count], in and out */
    size_t cut_count;
    size_t rest; /* members that may be left on their way: a thread of a GPU alone is slow */
    lashi_gpu_progress *progress;
    void *user;
} lashi_gpu_job;
/* Advances members to their ends, but for `rest` of them. False with the reason in `why`; columns and cuts are
 * then those of the last launch that ended, or as they were. */
bool lashi_gpu_members(const lashi_gpu_job *job, char why[LASHI_GPU_SAYS]);

#endif
