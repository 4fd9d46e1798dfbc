/* SPDX-License-Identifier: MIT
 *
 * Counts the allocations of the library and fails the nth of them on demand.
 *
 * The programs of tests/fault are linked with --wrap for malloc, calloc, realloc, aligned_alloc and free: the
 * calls that Lash itself makes pass through counting.c, those inside shared libraries (libc's own, CVODE's,
 * HDF5's) do not. A piece of an arena counts as an allocation too, whether or not it needs a new block.
 *
 *     for (long n = 1;; ++n) {
 *         counting_start(n, COUNTING_ONCE);
 *         lash_status status = lash_model_load(&model, path, NULL, &error);
 *         if (!counting_stop())
 *             break;                             // fewer than n allocations: every one has failed once
 *         assert_int_equal(status, LASH_ERROR_MEMORY);
 *     }
 */
#ifndef COUNTING_H
#define COUNTING_H

#include <stdbool.h>

typedef enum counting_mode {
    COUNTING_ONCE,   /* only the nth allocation fails */
    COUNTING_ONWARDS /* the nth and all after it fail */
} counting_mode;

/* Sets all counts to 0; from now on allocation number `fail_at` (from 1) fails. 0: none does. */
void counting_start(long fail_at, counting_mode mode);
/* No allocation fails any more; the counts stay. Returns whether one was made to fail. */
bool counting_stop(void);

/* Since counting_start: calls that ask for memory, the failed ones included, and blocks given back. A realloc
 * of a block counts as one of each. */
long counting_allocations(void);
long counting_frees(void);

#endif
