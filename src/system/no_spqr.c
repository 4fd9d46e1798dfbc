/* SPDX-License-Identifier: MIT
 *
 * Large systems in a build without SuiteSparseQR: the dense factorisation, which takes seconds at MOST_ROWS
 * rows and grows with the cube of their number. More rows are refused.
 */
#include "base/library.h"
#include "system/spqr.h"

enum { MOST_ROWS = 1000 };

lash_status lashi_spqr_dependent(unsigned char *dependent, const lashi_columns *A, double least,
                                 lash_error *error) {
    if (A->columns > MOST_ROWS)
        return lashi_library_missing(error, "SuiteSparseQR",
                                     "models with more than 1000 constraint equations", "LASH_WITH_SPQR");
    lashi_arena scratch = {0};
    const lash_status status = lashi_columns_dependent(dependent, A, least, &scratch, error);
    lashi_arena_clear(&scratch);
    return status;
}
