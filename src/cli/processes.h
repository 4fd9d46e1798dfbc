/* SPDX-License-Identifier: MIT
 *
 * The processes that a launcher such as mpirun has started together. MPI stays behind processes.c.
 */
#ifndef LASHI_PROCESSES_H
#define LASHI_PROCESSES_H

#include "lash/study.h"

/* The link to the others; NULL when this process is alone (*status OK), or when joining failed, which has
 * been said. Without a launcher MPI is not touched. */
const lash_study_link *lashi_processes_join(lash_status *status);
/* The worst status of all processes: they continue or stop together. */
lash_status lashi_processes_agree(const lash_study_link *link, lash_status status);
void lashi_processes_leave(const lash_study_link *link); /* NULL is fine */

#endif
