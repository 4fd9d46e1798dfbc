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

/* Advances all members to their ends. columns: [column_count][count], in and out; numbers:
 * [number_count][count]. code: for the GPU, as text; threads: of a block. False with the reason in `why`;
 * columns are then those of the last launch that ended, or as they were. */
bool lashi_gpu_members(double *columns, size_t column_count, const double *numbers, size_t number_count,
                       size_t count, const char *code, int threads, lashi_gpu_progress *progress, void *user,
                       char why[LASHI_GPU_SAYS]);

#endif
