/* SPDX-License-Identifier: MIT
 *
 * Carry-over: the end of a point's run is the start of the next along an axis, so that a branch is followed
 * through its bifurcations.
 *
 * What is carried: the coordinates that are integrated, then the memory of contacts (approach speed, bristle
 * deflection), then that of signals (integral, lag, held value). The next run begins at t = 0 again:
 *   - angles are brought within half a turn of the assembled ones: a crank has turned, its drive restarts;
 *   - coordinates are moved onto the constraints, which the axis may have changed;
 *   - a joint whose journal lies outside its gap starts in contact, and remembers what it did if it touched
 *     before.
 *
 * Limits. Drives and loads must be at the end where they are at the start: whole turns, whole periods. A
 * spring that is wound up by more than half a turn loses whole turns.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/metric.h"

/* How close to a whole number of turns or periods a run must last, as a share of one. */
static const double WHOLE = 1e-6;

size_t lashi_point_before(const lash_study *study, size_t point) {
    if (!study->carry)
        return SIZE_MAX;
    const size_t axis = study->carry_axis;
    if (lashi_point_axis_index(study, point, axis) == 0)
        return SIZE_MAX;
    size_t stride = 1;
    for (size_t i = axis + 1; i < study->axis_count; i++)
        stride *= study->axes[i].count;
    return point - stride;
}

lash_status lashi_carry_begin(lash_sim **sim, const lash_system *system, const lashi_state *state,
                              lash_error *error) {
    const size_t coordinates = lash_sim_coordinate_count(*sim), memory = lash_sim_memory_count(*sim),
                 all = coordinates + memory + lash_sim_signal_count(*sim);
    if (state->count != all)
        return lashi_study_fail(
            error, LASH_ERROR_USAGE,
            "the state carried over from the point before does not fit: %zu values where %zu are "
            "expected",
            state->count, all);
    double *values = calloc(2 * state->count + 1, sizeof *values), *fresh = values + state->count;
    if (!values)
        return lashi_study_fail_memory(error);
    memcpy(values, state->values, state->count * sizeof *values);
    lash_sim_coordinates(fresh, *sim); // it is at its assembled start
    for (size_t i = 0; i < coordinates; i++)
        if (lash_sim_coordinate_is_angle(*sim, i))
            values[i] -= LASHI_TURN * round((values[i] - fresh[i]) / LASHI_TURN);
    lash_status status = lash_sim_project_coordinates(values, *sim, error);
    if (!status) {
        // Created again, so that contacts, ledger and history begin with this state.
        lash_sim_destroy(*sim);
        *sim = NULL;
        status = lash_sim_create_at(sim, system, values, error);
    }
    if (!status) { // a contact that was free has zeros
        lash_sim_memory(fresh, *sim);
        for (size_t i = 0; i < memory; i++)
            fresh[i] = values[coordinates + i] != 0 ? values[coordinates + i] : fresh[i];
        status = lash_sim_set_memory(*sim, fresh, error);
    }
    if (!status)
        status = lash_sim_set_signals(*sim, values + coordinates + memory, error);
    free(values);
    return status;
}

lash_status lashi_carry_end(lashi_state *state, const lash_sim *sim, lash_error *error) {
    const size_t coordinates = lash_sim_coordinate_count(sim), memory = lash_sim_memory_count(sim);
    state->count = coordinates + memory + lash_sim_signal_count(sim);
    free(state->values);
    state->values = calloc(state->count + 1, sizeof *state->values);
    if (!state->values)
        return lashi_study_fail_memory(error);
    lash_sim_coordinates(state->values, sim);
    lash_sim_memory(state->values + coordinates, sim);
    lash_sim_signals(state->values + coordinates + memory, sim);
    return LASH_OK;
}

lash_status lashi_carry_whole(double periods, const char *what, lash_error *error) {
    if (fabs(periods - round(periods)) <= WHOLE * fmax(1, fabs(periods)))
        return LASH_OK;
    return lashi_study_fail(
        error, LASH_ERROR_MODEL,
        "the run lasts %.9g %s: its end is carried over to the next point only from whole "
        "ones; change `until`",
        periods, what);
}
