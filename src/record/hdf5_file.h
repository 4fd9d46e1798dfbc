/* SPDX-License-Identifier: MIT
 *
 * What the writer and the reader of HDF5 results share: the names inside the file, and a way to write that
 * survives a full disk.
 *
 *   /samples, /steps, /peaks   data [rows][columns], names, units and meanings [columns]
 *   /events            table: kind, time, joint, angle, speed, peak_force, …
 *   /summary           attributes, and `text` with the same as "name = value" lines
 *   /state, /start     what the run can continue from: its end, and where it began if not at t = 0
 *   /model, /settings  text
 *   attributes of /    format, version, title
 */
#ifndef LASHI_HDF5_FILE_H
#define LASHI_HDF5_FILE_H

#include "lash/record.h"
#include "record/hdf5_library.h"

enum { LASHI_HDF5_FORMAT = 1 }; /* raised when a reader of the old layout would misread the new one */

static inline const char *lashi_stream_name(lash_stream stream) {
    static const char *const names[LASH_STREAMS] = {"samples", "steps", "peaks"};
    return names[stream];
}

typedef struct lashi_hdf5_target {
    int descriptor;
    int error; /* errno of the first write that failed, 0: none */
} lashi_hdf5_target;

/* Properties of something new: no time of creation, as equal runs make equal bytes. */
hid_t lashi_hdf5_untimed(hid_t class);

/* Creates an HDF5 file in an open, empty descriptor, which stays the caller's. Writing never fails as far as
 * HDF5 can see: the caller looks at target->error. Negative: no file. */
hid_t lashi_hdf5_create(lashi_hdf5_target *target);
/* Opens the one in a descriptor for reading. */
hid_t lashi_hdf5_open(lashi_hdf5_target *target);

#endif
