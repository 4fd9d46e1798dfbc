/* SPDX-License-Identifier: MIT
 *
 * Failure in one statement for the analyses, which see the public headers alone:
 *     return lashi_study_fail(error, LASH_ERROR_USAGE, "…", …);
 */
#ifndef LASHI_STUDY_FAIL_H
#define LASHI_STUDY_FAIL_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "lash/sim.h"

__attribute__((format(printf, 3, 4))) static inline lash_status
lashi_study_fail(lash_error *error, lash_status status, const char *format, ...) {
    if (error) {
        *error = (lash_error){.status = status, .time = (double)NAN};
        va_list values;
        va_start(values, format);
        vsnprintf(error->message, sizeof error->message, format, values);
        va_end(values);
    }
    return status;
}

static inline lash_status lashi_study_fail_memory(lash_error *error) {
    return lashi_study_fail(error, LASH_ERROR_MEMORY, "out of memory");
}

/* A public call that was given NULL where something must be. */
#define lashi_study_fail_null(error)                                                                         \
    lashi_study_fail(error, LASH_ERROR_USAGE, "%s: an argument that must be given is NULL", __func__)

/* Of a run that ends by itself, before what was to be done. */
static inline lash_status lashi_study_fail_end(lash_error *error, const lash_sim *sim, const char *before) {
    return lashi_study_fail(
        error, LASH_ERROR_LIMIT,
        "the run ends at t = %.6g s, where a contact with stop_at_loss is lost, before %s",
        lash_sim_time(sim), before);
}

#endif
