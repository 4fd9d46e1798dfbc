/* SPDX-License-Identifier: MIT
 *
 * SuiteSparseQR, loaded for the rank of large systems. The list names the functions that are used.
 */
#ifndef LASHI_SPQR_LIBRARY_H
#define LASHI_SPQR_LIBRARY_H

#include <suitesparse/SuiteSparseQR_C.h>

#include "base/library.h"

/* clang-format off */
#define LASHI_SPQR_LIST(X)                                                                                   \
    X(SuiteSparseQR_C) X(cholmod_l_allocate_sparse) X(cholmod_l_finish) X(cholmod_l_free)                    \
    X(cholmod_l_free_sparse) X(cholmod_l_start)
/* clang-format on */

extern struct lashi_spqr_calls LASHI_LIBRARY_ADDRESSES(LASHI_SPQR_LIST) lashi_spqr;

lash_status lashi_spqr_load(lash_error *error);

#define LASHI_SPQR(name)          (*lashi_spqr.name)
#define SuiteSparseQR_C           LASHI_SPQR(SuiteSparseQR_C)
#define cholmod_l_allocate_sparse LASHI_SPQR(cholmod_l_allocate_sparse)
#define cholmod_l_finish          LASHI_SPQR(cholmod_l_finish)
#define cholmod_l_free            LASHI_SPQR(cholmod_l_free)
#define cholmod_l_free_sparse     LASHI_SPQR(cholmod_l_free_sparse)
#define cholmod_l_start           LASHI_SPQR(cholmod_l_start)

#endif
