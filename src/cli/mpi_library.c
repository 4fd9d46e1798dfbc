/* SPDX-License-Identifier: MIT
 *
 * MPI, loaded when it is needed.
 */
#include "cli/mpi_library.h"

struct lashi_mpi_calls lashi_mpi;

lash_status lashi_mpi_load(lash_error *error) {
    static lashi_library library = {.file = LASH_MPI_FILE,
                                    .name = "MPI",
                                    .need = "studies over several processes",
                                    .package = "libopenmpi3",
                                    .names = LASHI_LIBRARY_NAMES(LASHI_MPI_LIST),
                                    .addresses = &lashi_mpi,
                                    .shares_symbols = true,
                                    .lock = PTHREAD_MUTEX_INITIALIZER};
    return lashi_library_load(&library, error);
}
