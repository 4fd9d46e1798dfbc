/* SPDX-License-Identifier: MIT
 *
 * CVODE, loaded when it is needed.
 */
#include "integrate/cvode_library.h"

struct lashi_cvode_calls lashi_cvode;

lash_status lashi_cvode_load(lash_error *error) {
    static lashi_library library = {.file = LASH_CVODE_FILE,
                                    .name = "CVODE",
                                    .need = "the methods adams and gear",
                                    .package = "libsundials-cvode6",
                                    .names = LASHI_LIBRARY_NAMES(LASHI_CVODE_LIST),
                                    .addresses = &lashi_cvode,
                                    .is_copied = true, // Simbody is such a program
                                    .lock = PTHREAD_MUTEX_INITIALIZER};
    return lashi_library_load(&library, error);
}
