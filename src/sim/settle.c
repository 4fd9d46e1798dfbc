/* SPDX-License-Identifier: MIT
 *
 * start: settled. Turns of the first drive (or given periods) are run until the state at the end of one is
 * that at the end of the last: positions, velocities and what contacts remember, each to the tolerance times
 * its scale (read_scales). Angles may have moved on by whole turns. A motion that repeats its
 * state repeats itself. Time continues: recording begins where the turns end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim.h"

static const double TURN = 6.283185307179586;

lash_status lash_system_turn_end(double *out, const lash_system *system, double turns, lash_error *error) {
    if (!out || !system)
        return lashi_fail_null(error);
    const double period = system->model->run.settle_period;
    *out = system->start + turns * period;
    if (!isnan(period))
        return LASH_OK;
    return lashi_drive_turns(system) ? lashi_turn_time(out, system, 0, turns, error)
                                     : lashi_fail(error, LASH_ERROR_MODEL,
                                                  "turns are those of the first drive, and there is none "
                                                  "that turns (a motor is a force, not a drive): give run: "
                                                  "settle_period, the period of what excites the machine");
}

/* Coordinates, then memory. */
static void read_state(double *values, const lash_sim *sim) {
    lash_sim_coordinates(values, sim);
    lash_sim_memory(values + lash_sim_coordinate_count(sim), sim);
}

/* The largest difference, of the scales. */
static double difference(const lash_sim *sim, const double *now, const double *before, const double *scales) {
    const size_t n = lash_sim_coordinate_count(sim), all = n + lash_sim_memory_count(sim);
    double largest = 0;
    for (size_t i = 0; i < all; i++) {
        double d = now[i] - before[i];
        if (i < n && lash_sim_coordinate_is_angle(sim, i))
            d -= TURN * round(d / TURN);
        // Memory has no scale of its own: it is compared with itself.
        const double scale = i < n ? scales[i] : fmax(fabs(now[i]), fabs(before[i]));
        largest = fmax(largest, scale > 0 ? fabs(d) / scale : 0);
    }
    return largest;
}

/* Errors that count as one rtol, at the motion so far. */
static void read_scales(double *scales, const lash_sim *sim) {
    lash_sim_coordinate_scales(scales, sim);
    for (size_t i = 0; i < lash_sim_coordinate_count(sim); i++)
        scales[i] *= sim->scaled[i] / sim->atol[i];
}

lash_status lashi_settle(lash_sim *sim, const lash_run_control *control, lash_error *error) {
    const lash_run_def *run = &sim->system->model->run;
    const size_t count = lash_sim_coordinate_count(sim) + lash_sim_memory_count(sim);
    double *now = calloc(3 * count + 1, sizeof *now), *before = now + count, *scales = before + count;
    if (!now)
        return lashi_fail_memory(error);
    lash_status status = LASH_OK;
    double end = 0, last = 0;
    sim->settled_turns = 0;
    sim->settled = false;
    read_state(before, sim);
    while (!status && !sim->settled && (double)sim->settled_turns < run->settle_turns) {
        status = lash_system_turn_end(&end, sim->system, (double)sim->settled_turns + 1, error);
        while (!status && sim->integrator->t < end) {
            status = lash_sim_step(sim, end, error);
            if (!status && control && control->progress &&
                !control->progress(control->user, 0, end + sim->system->end))
                status = LASH_STOP_INTERRUPTED;
        }
        if (status == LASH_STOP_END)
            status = LASH_OK;
        if (status)
            break;
        read_state(now, sim);
        read_scales(scales, sim);
        sim->settled_turns++;
        last = difference(sim, now, before, scales);
        sim->settled = last <= run->settle_tolerance;
        memcpy(before, now, count * sizeof *now);
    }
    sim->settled_to = last;
    free(now);
    if (!status)
        lashi_account_from_now(sim);
    return status;
}
