/* SPDX-License-Identifier: MIT
 *
 * SuiteSparseQR, loaded when it is needed.
 */
#include "system/spqr_library.h"

struct lashi_spqr_calls lashi_spqr;

lash_status lashi_spqr_load(lash_error *error) {
    static lashi_library library = {.file = LASH_SPQR_FILE,
                                    .name = "SuiteSparseQR",
                                    .need = "large mechanisms",
                                    .package = "libspqr2",
                                    .names = LASHI_LIBRARY_NAMES(LASHI_SPQR_LIST),
                                    .addresses = &lashi_spqr,
                                    .lock = PTHREAD_MUTEX_INITIALIZER};
    return lashi_library_load(&library, error);
}
