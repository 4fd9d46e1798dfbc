/* SPDX-License-Identifier: MIT
 *
 * Kinematics and inverse dynamics of a fully driven mechanism: at every sample positions by Newton from the
 * sample before, velocities from the linear equations, accelerations and drive forces from one evaluation of
 * the dynamics (with no freedom left the constraints alone decide v̇, and λ is what moves the masses so).
 * Friction acts against the speed of each sample: no events are looked for between them.
 *
 * Beyond a singular position (sim/singular.c) a mechanism can be closed in several ways, and Newton may find
 * another than the one it came on. There velocities jump. So a move that is not what the velocities at its
 * two ends make of it, Δq = ½ (q̇_old + q̇) Δt, is cut in halves.
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
/* Share of a move by which it may differ from what its velocities say; a quarter of the ways' angle is more.
 */
static const double UNEVEN = 0.1;
/* Moves as short as this are not cut: rad, and of the mechanism's size. They begin and end drives' motion. */
static const double SHORT = 1e-3;
static const double LEAST_CUT = 1e-9; /* of the longest one */

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

/* Full coordinates' q̇. */
static void rate(double *qdot, const lash_system *system, const double *y) {
    const double *v = y + system->n_full;
    memcpy(qdot, v, system->spatial ? 0 : (size_t)system->full_v * sizeof(double));
    for (int b = 0; system->spatial && b < system->bodies - 1; b++) {
        memcpy(qdot + 7 * b, v + 6 * b, 3 * sizeof(double));
        lashi_orientation_rate(qdot + 7 * b + 3, y + 7 * b + 3, lashi_vec3_of(v + 6 * b + 3));
    }
}

/* Whether the move from `old` to y is what the velocities at both say. rates: [2][n_full]. */
static bool is_even(const lash_system *system, const double *old, const double *y, double dt, double *rates) {
    double moved = 0, off = 0;
    const int width = system->spatial ? 7 : LASHI_PLANE;
    rate(rates, system, old);
    rate(rates + system->n_full, system, y);
    for (int i = 0; i < system->n_full; i++) {
        const double unit = i % width < system->turning ? system->length : 1, move = y[i] - old[i];
        moved = fmax(moved, fabs(move) / unit);
        off = fmax(off, fabs(move - 0.5 * dt * (rates[i] + rates[system->n_full + i])) / unit);
    }
    return off <= UNEVEN * moved || moved <= SHORT;
}

/* The mechanism at t from that at t_old. spare: [3][full coordinates]. */
static lash_status solve_at(double *y, lashi_constraint_work *work, lash_sim *sim, double t_old, double t,
                            double *spare, lash_error *error) {
    const lash_system *system = sim->system;
    lashi_workspace *w = sim->workspace;
    const double(*inverse)[LASHI_FREEDOMS] = (const double(*)[LASHI_FREEDOMS])system->inverse_mass;
    const size_t full = (size_t)(system->n_full + system->full_v + system->counted);
    const double cuts = fmin(fmax(ceil(largest_move(system, t_old, t) / LARGEST_TURN), 1), MOST_CUTS),
                 longest = (t - t_old) / cuts;
    lash_status status = LASH_OK;
    const double inside = w->frames[0].inside;
    w->frames[0].inside = (double)NAN; // the cuts may lie in other pieces of time than t
    double at = t_old, dt = longest;
    do {
        const double next = at + 1.01 * dt < t ? at + dt : t;
        memcpy(spare, y, full * sizeof(double));
        for (int i = 0; i < system->full_v; i++) // predictor
            w->scratch[1 + i / system->width][i % system->width] = y[system->n_full + i];
        lashi_shift(y, system, (const double(*)[LASHI_FREEDOMS])w->scratch, next - at);
        status = lashi_close_positions(y, work, w->frames, system, &system->assembly, next, inverse, error);
        if (!status)
            status =
                lashi_close_velocities(y, work, w->frames, system, &system->assembly, next, inverse, error);
        const bool even = status || is_even(system, spare, y, next - at, spare + full);
        if (even) {
            at = next;
            dt = fmin(2 * dt, longest);
        } else {
            memcpy(y, spare, full * sizeof(double));
            dt = 0.5 * (next - at);
        }
        if (!even && dt < LEAST_CUT * longest)
            status = lashi_fail_at(
                error, LASH_ERROR_SINGULAR, at, "",
                "the mechanism jumps at t = %.9g s: there is no motion from there without a jump. It is in a "
                "singular position (a dead centre, a stretched linkage), or the motion of a drive jumps",
                at);
    } while (!status && at < t);
    w->frames[0].inside = inside;
    return status;
}

/* What is made of the motion up to a time, which is not integrated here. */
static lash_status refuse_states(const lash_system *system, lash_error *error) {
    for (int s = 0; s < system->machine.signal_count; s++)
        if (system->machine.signals[s].kind != LASHI_SIGNAL_VALUE)
            return lashi_fail(error, LASH_ERROR_MODEL,
                              "kinematics integrates nothing, and the signal '%s' has a state that follows "
                              "from the motion before: leave it out, or use `lash run`",
                              system->machine.signals[s].name);
    for (int r = 0; r < system->rub_count; r++)
        if (system->rubs[r].law.bristle)
            return lashi_fail(
                error, LASH_ERROR_MODEL,
                "kinematics integrates nothing, and the bristles of the friction of '%s' follow "
                "from the motion before: take another law, or use `lash run`",
                system->rubs[r].name);
    return LASH_OK;
}

lash_status lash_sim_kinematics(lash_sim *sim, lash_record *record, const lash_run_control *control,
                                lash_error *error) {
    if (!sim || !record)
        return lashi_fail_null(error);
    const lash_system *system = sim->system;
    if (system->contact_count)
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "kinematics is for ideal joints, and joint '%s' has play, whose motion the drives "
                          "do not determine: make it ideal, or use `lash run`",
                          system->contacts[0].name);
    if (system->freedoms != 0)
        return lashi_fail(
            error, LASH_ERROR_MODEL,
            "kinematics needs a fully driven mechanism: %d degree%s of freedom %s left; add drives, or "
            "use `lash run`",
            system->freedoms, system->freedoms == 1 ? "" : "s", system->freedoms == 1 ? "is" : "are");
    if (!(system->end > system->start))
        return lashi_fail(error, LASH_ERROR_USAGE, "the run has no end after its start: give `until`");
    if (lashi_record_integrates(record, sim))
        return lashi_fail(
            error, LASH_ERROR_USAGE,
            "kinematics integrates nothing, and the record has integrals over a run: make it with "
            "`still`");
    if (refuse_states(system, error))
        return LASH_ERROR_MODEL;
    lashi_arena scratch = {0};
    lashi_constraint_work work;
    lash_status status = lashi_constraint_work_create(&work, &scratch, &system->assembly, error);
    const size_t full = (size_t)(system->n_full + system->full_v + system->counted);
    double *y = lashi_arena_alloc(&scratch, full, sizeof(double)); // full coordinates
    double *spare = lashi_arena_alloc(&scratch, 3 * full, sizeof(double));
    if (!status && (!y || !spare))
        status = lashi_fail_memory(error);
    if (!status)
        memcpy(y, system->full0, full * sizeof(double));
    if (!status)
        status = lashi_record_layout(record, system->start, system->end, error);
    double t_old = system->start;
    for (size_t k = 0; !status && k < lashi_record_sample_count(record); k++) {
        const double t = lashi_record_sample_time(record, k);
        status = lashi_sim_look_ahead(sim, t, error);
        if (!status)
            status = solve_at(y, &work, sim, t_old, t, spare, error);
        if (!status) {
            memcpy(sim->y_event, sim->y_start, (size_t)system->n_y * sizeof(double));
            lashi_reduce(sim->y_event, system, y);
            status = lashi_switches_settle(sim, t, sim->y_event, error);
        }
        if (!status && system->sticks)
            lashi_stick_by_speed(sim, t, sim->y_event);
        if (!status)
            status = lashi_record_point(record, sim, t, sim->y_event, error);
        if (!status && control && control->progress && !control->progress(control->user, t, system->end))
            status = LASH_STOP_INTERRUPTED;
        t_old = t;
    }
    lashi_arena_clear(&scratch);
    sim->ended = status ? status : LASH_STOP_END;
    return sim->ended;
}
