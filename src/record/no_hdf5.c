/* SPDX-License-Identifier: MIT
 *
 * Results in files, in a build without HDF5: none is written or opened, and the message says why.
 */
#include "base/library.h"
#include "lash/record.h"
#include "record/sink.h"

static lash_status missing(lash_error *error) {
    return lashi_library_missing(error, "HDF5", "results in files", "LASH_WITH_HDF5");
}

lash_status lashi_hdf5_sink_create(lashi_sink **out, const char *path, const lashi_sink_layout *layout,
                                   lash_error *error) {
    (void)path, (void)layout;
    *out = NULL;
    return missing(error);
}

lash_status lash_result_open(lash_result **out, const char *path, lash_error *error) {
    (void)path;
    if (out)
        *out = NULL;
    return missing(error);
}
