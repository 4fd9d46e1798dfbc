/* SPDX-License-Identifier: MIT
 *
 * Large systems in a build without SuiteSparseQR: the dense way, which takes longer.
 */
#include "system/spqr.h"

lash_status lashi_spqr_dependent(unsigned char *dependent, const lashi_columns *A, double least,
                                 lash_error *error) {
    lashi_arena scratch = {0};
    const lash_status status = lashi_columns_dependent(dependent, A, least, &scratch, error);
    lashi_arena_clear(&scratch);
    return status;
}
