/* SPDX-License-Identifier: MIT
 *
 * HDF5, loaded when it is needed.
 */
#include "record/hdf5_library.h"

struct lashi_hdf5_calls lashi_hdf5;

lash_status lashi_hdf5_load(lash_error *error) {
    static lashi_library library = {.file = LASH_HDF5_FILE,
                                    .name = "HDF5",
                                    .need = "results in files",
                                    .package = "libhdf5-103-1",
                                    .names = LASHI_LIBRARY_NAMES(LASHI_HDF5_LIST),
                                    .addresses = &lashi_hdf5,
                                    .lock = PTHREAD_MUTEX_INITIALIZER};
    return lashi_library_load(&library, error);
}
