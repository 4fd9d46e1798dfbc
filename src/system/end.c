/* SPDX-License-Identifier: MIT
 *
 * The end of the run and of its transient: a time, or so many turns of a drive.
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
lash_status lashi_turn_time(double *out, const lash_system *system, int drive_index, double turns,
                            lash_error *error) {
    const lashi_constraint *drive = lashi_drive_constraint(system, drive_index);
    turn_search search = {.profile = &drive->profile, .goal = turns * TURN};
    search.start = lashi_profile_jet(&drive->profile, system->start).f;
    if (drive->profile.type == LASHI_PROFILE_SPEED && drive->profile.speed != 0) {
        *out = system->start + search.goal / fabs(drive->profile.speed);
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
            *out = lashi_root(turns_left, &search, t, left, t + dt, next, 1e-13 * search.goal);
            return LASH_OK;
        }
        t += dt;
        left = next;
    }
    const char *name = system->drives[drive_index].name;
    return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, name,
                         "run: drive '%s' does not make %g turns within %.3g s; give a time instead", name,
                         turns, t - start);
}

static lash_status find_moment(double *out, const lash_system *system, double time, double turns,
                               const char *drive, lash_error *error) {
    *out = time;
    if (!drive)
        return LASH_OK;
    const size_t index = lashi_model_find_drive(system->model, drive);
    return lashi_turn_time(out, system, (int)index, turns, error);
}

lash_status lashi_find_end(lash_system *system, lash_error *error) {
    const lash_run_def *run = &system->model->run;
    lash_status status =
        find_moment(&system->end, system, run->until, run->until_turns, run->until_drive, error);
    if (!status)
        status = find_moment(&system->discard, system, run->discard, run->discard_turns, run->discard_drive,
                             error);
    if (!status && system->discard >= system->end)
        status = lashi_fail_at(
            error, LASH_ERROR_MODEL, (double)NAN, "run.discard",
            "run: discard, %.9g s, leaves nothing of the run, which ends at %.9g s; discard less, or 0",
            system->discard, system->end);
    return status;
}
