/* SPDX-License-Identifier: MIT
 *
 * Many machines of one structure, computed side by side: in the lanes of a core's vector registers, or on a GPU.
 *
 *   lash_ensemble_create(&ensemble, system, channels, count, &error);
 *   for each member: lash_ensemble_add(ensemble, system_of_member, from, until, &error);
 *   lash_ensemble_run(ensemble, LASH_ON_GPU, NULL, NULL, &error);
 *   lash_ensemble_value(ensemble, member, channel, LASH_ENSEMBLE_MOST);
 *
 * Members differ in numbers, not in what there is: bodies, joints, laws. Each is advanced by dop853 with the tolerances of
 * its own model and its own steps. Numbers agree with a run of that model within its tolerance, not to the bit.
 */
#ifndef LASH_ENSEMBLE_H
#define LASH_ENSEMBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "lash/status.h"
#include "lash/system.h"

typedef struct lash_ensemble lash_ensemble;

typedef enum lash_on { LASH_ON_LANES, LASH_ON_GPU } lash_on;

/* For machines like this one. channels: x, y, angle, vx, vy, wz, ax, ay or alphaz of a body that moves freely or along a
 * guide; fn or delta of a joint with play. LASH_ERROR_MODEL with the reason where such machines cannot be computed so. */
lash_status lash_ensemble_create(lash_ensemble **out, const lash_system *system, const char *const *channels,
                                 size_t channel_count, lash_error *error);
void lash_ensemble_destroy(lash_ensemble *ensemble);
/* One more member, from the start of its model to the time `until`, s; values are taken from the time `from` on, at the
 * first step that begins there. The system is not needed any more afterwards. LASH_ERROR_MODEL: it is another structure. */
lash_status lash_ensemble_add(lash_ensemble *ensemble, const lash_system *system, double from, double until,
                              lash_error *error);
size_t lash_ensemble_count(const lash_ensemble *ensemble);

/* All members to their ends. progress (may be NULL): called now and then with how many have been; false stops.
 * LASH_STOP_INTERRUPTED then; LASH_ERROR_IO with the reason where there is no GPU or no compiler for it. */
lash_status lash_ensemble_run(lash_ensemble *ensemble, lash_on on,
                              bool (*progress)(void *user, size_t finished), void *user, lash_error *error);

/* LASH_OK: the member is at its end; LASH_ERROR_STEP: its steps became too short; LASH_ERROR_USAGE: there is no
 * such member, or it has not been run. */
lash_status lash_ensemble_status(const lash_ensemble *ensemble, size_t member);

typedef enum lash_ensemble_what {
    LASH_ENSEMBLE_LEAST,
    LASH_ENSEMBLE_MOST,
    LASH_ENSEMBLE_MEAN,
    LASH_ENSEMBLE_RMS,
    LASH_ENSEMBLE_END /* at the end; positions and velocities only */
} lash_ensemble_what;
/* Of a channel over the time that counts, SI; extrema are those of the ends of steps. NaN where there is none. */
double lash_ensemble_value(const lash_ensemble *ensemble, size_t member, size_t channel,
                           lash_ensemble_what what);

/* Of a contact, in the order of lash_system_clearance. */
typedef struct lash_ensemble_contact {
    double begun; /* contacts that have begun */
    double share; /* of the time, in contact */
    double peak;  /* N, largest force at the ends of steps */
} lash_ensemble_contact;
lash_ensemble_contact lash_ensemble_contact_of(const lash_ensemble *ensemble, size_t member, size_t contact);
/* Accepted steps of a member, and attempts. */
double lash_ensemble_steps(const lash_ensemble *ensemble, size_t member, double *attempts);

#endif
