/* SPDX-License-Identifier: MIT
 *
 * The end of the run: a time, or so many turns of a drive.
 */
#include "system/system.h"

#include <math.h>

#include "base/error.h"
#include "math/root.h"

static const double TURN = 6.283185307179586; /* rad */

typedef struct turn_search {
    const lashi_profile *profile;
    double goal; /* rad from the start, of either sign */
    double start;
} turn_search;

static double turns_left(void *context, double t) {
    const turn_search *search = context;
    return search->goal - fabs(lashi_profile_jet(search->profile, t).f - search->start);
}

/* First time at which the drive has turned so far from its start; the scan moves on by at most an eighth of a
 * turn. */
lash_status lashi_find_end(lash_system *system, lash_error *error) {
    const lash_run_def *run = &system->model->run;
    system->end = run->until;
    if (!run->until_drive)
        return LASH_OK;
    const size_t index = lashi_model_find_drive(system->model, run->until_drive);
    const lashi_constraint *drive = lashi_drive_constraint(system, (int)index);
    turn_search search = {.profile = &drive->profile, .goal = run->until_turns * TURN};
    search.start = lashi_profile_jet(&drive->profile, system->start).f;
    if (drive->profile.type == LASHI_PROFILE_SPEED && drive->profile.speed != 0) {
        system->end = system->start + search.goal / fabs(drive->profile.speed);
        return LASH_OK;
    }
    enum { SCAN_STEPS = 2000000 };
    const double start = system->start;
    double t = start, left = turns_left(&search, t);
    for (int k = 0; k < SCAN_STEPS; k++) {
        const lashi_jet f = lashi_profile_jet(&drive->profile, t);
        const double dt = fmin(fmax(TURN / 8 / fmax(fabs(f.df), 1e-3), 1e-7), 0.05 + 0.001 * (t - start));
        const double next = turns_left(&search, t + dt);
        if (next <= 0) {
            system->end = lashi_root(turns_left, &search, t, left, t + dt, next, 1e-13 * search.goal);
            return LASH_OK;
        }
        t += dt;
        left = next;
    }
    return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, run->until_drive,
                         "run: drive '%s' does not make %g turns within %.3g s; give `until` as a time",
                         run->until_drive, run->until_turns, t - start);
}
