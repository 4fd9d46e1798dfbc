/* SPDX-License-Identifier: MIT
 *
 * lash run --verify: which digits of a run stand.
 */
#ifndef LASHI_VERIFY_H
#define LASHI_VERIFY_H

#include "cli/job.h"

typedef struct lashi_trace lashi_trace;

/* What a run is compared by: its observer, to be set as job->observe before the run. */
lash_status lashi_trace_create(lashi_trace **out, const lashi_job *job);
void lashi_trace_destroy(lashi_trace *trace);
lash_status lashi_trace_observe(void *trace, lash_sim *sim, double t_old, double t_new);

/* Runs the model again with a tolerance ten times tighter, and so with another method, and prints what differs
 * from the run that `first` has seen. LASH_ERROR_DOUBT: a digit of its summary does not stand. The job's
 * system and sim are gone afterwards. */
lash_status lashi_verify(lashi_job *job, lashi_trace *first);

#endif
