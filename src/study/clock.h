/* SPDX-License-Identifier: MIT
 *
 * The time that passes while a study runs.
 */
#ifndef LASHI_CLOCK_H
#define LASHI_CLOCK_H

#include <time.h>

/* s, from any beginning. */
static inline double lashi_wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
