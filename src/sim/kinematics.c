/* SPDX-License-Identifier: MIT
 *
 * Kinematics and inverse dynamics of a fully driven mechanism: at every sample positions by Newton from the
 * sample before, velocities from the linear equations, accelerations and drive forces from one evaluation of
 * the dynamics (with no freedom left the constraints alone decide v̇, and λ is what moves the masses so).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sim/recorder.h"
#include "sim/sim.h"

/* Steps between samples are cut so that no drive turns further than this in one Newton solution. */
static const double LARGEST_TURN = 0.1; /* rad */
enum { MOST_CUTS = 100000 };

static double largest_move(const lash_system *system, double t0, double t1) {
    double most = 0;
    for (int d = 0; d < system->drive_count; d++) {
        const lashi_constraint *drive = lashi_drive_constraint(system, d);
        const double scale = drive->coordinate.type == LASHI_COORDINATE_ANGLE ? 1 : 1 / system->length;
        most = fmax(most, scale * fabs(lashi_profile_jet(&drive->profile, t1).f -
                                       lashi_profile_jet(&drive->profile, t0).f));
    }
    return most;
}

static lash_status solve_at(double *y, lashi_constraint_work *work, lash_sim *sim, double t_old, double t,
                            lash_error *error) {
    const lash_system *system = sim->system;
    lashi_workspace *w = sim->workspace;
    const double(*inverse)[LASHI_FREEDOMS] = (const double(*)[LASHI_FREEDOMS])system->inverse_mass;
    double cuts = ceil(largest_move(system, t_old, t) / LARGEST_TURN);
    cuts = fmin(fmax(cuts, 1), MOST_CUTS);
    lash_status status = LASH_OK;
    const double inside = w->frames[0].inside;
    w->frames[0].inside = (double)NAN; // the cuts may lie in other pieces of time than t
    for (double k = 1; !status && k <= cuts; k++) {
        const double at = k < cuts ? t_old + (t - t_old) * k / cuts : t,
                     before = t_old + (t - t_old) * (k - 1) / cuts;
        for (int i = 0; i < system->full_v; i++) // predictor
            w->scratch[1 + i / system->width][i % system->width] = y[system->n_full + i];
        lashi_shift(y, system, (const double(*)[LASHI_FREEDOMS])w->scratch, at - before);
        status = lashi_close_positions(y, work, w->frames, system, &system->assembly, at, inverse, error);
        if (!status)
            status =
                lashi_close_velocities(y, work, w->frames, system, &system->assembly, at, inverse, error);
    }
    w->frames[0].inside = inside;
    return status;
}

lash_status lash_sim_kinematics(lash_sim *sim, lash_record *record, const lash_run_control *control,
                                lash_error *error) {
    const lash_system *system = sim->system;
    if (system->freedoms != 0)
        return lashi_fail(
            error, LASH_ERROR_MODEL,
            "kinematics needs a fully driven mechanism: %d degree%s of freedom %s left; add drives, or "
            "use `lash run`",
            system->freedoms, system->freedoms == 1 ? "" : "s", system->freedoms == 1 ? "is" : "are");
    if (system->clearance_count)
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "kinematics is for ideal joints, and joint '%s' has play; use `lash run`",
                          system->clearances[0].name);
    if (!(system->end > 0))
        return lashi_fail(error, LASH_ERROR_USAGE, "the run has no end after its start: give `until`");
    lashi_arena scratch = {0};
    lashi_constraint_work work;
    lash_status status = lashi_constraint_work_create(&work, &scratch, &system->assembly, error);
    const size_t full = (size_t)(system->n_full + system->full_v + system->counted);
    double *y = lashi_arena_alloc(&scratch, full, sizeof(double)); // full coordinates
    if (!status && !y)
        status = lashi_fail_memory(error);
    if (!status)
        memcpy(y, system->full0, full * sizeof(double));
    if (!status)
        status = lashi_record_layout(record, 0, system->end, error);
    double t_old = 0;
    for (size_t k = 0; !status && k < lashi_record_sample_count(record); k++) {
        const double t = lashi_record_sample_time(record, k);
        status = lashi_sim_look_ahead(sim, t, error);
        if (!status)
            status = solve_at(y, &work, sim, t_old, t, error);
        if (!status) {
            lashi_reduce(sim->y_event, system, y);
            status = lashi_record_point(record, sim, t, sim->y_event, error);
        }
        if (!status && control && control->progress && !control->progress(control->user, t, system->end))
            status = LASH_STOP_INTERRUPTED;
        t_old = t;
    }
    lashi_arena_clear(&scratch);
    sim->ended = status ? status : LASH_STOP_END;
    return sim->ended;
}
