/* SPDX-License-Identifier: MIT
 *
 * The present point of a sim from outside: coordinates and contact memory, read, written, projected.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim.h"

size_t lash_sim_coordinate_count(const lash_sim *sim) {
    if (!sim)
        return 0;
    return (size_t)(sim->system->n_q + sim->system->n_v);
}

bool lash_sim_coordinate_is_angle(const lash_sim *sim, size_t index) {
    if (!sim)
        return false;
    return index < (size_t)sim->system->n_q && lashi_position_is_angle(sim->system, (int)index);
}

void lash_sim_coordinates(double *values, const lash_sim *sim) {
    if (!values || !sim)
        return;
    memcpy(values, lashi_sim_y(sim), lash_sim_coordinate_count(sim) * sizeof(double));
}

void lash_sim_coordinate_scales(double *values, const lash_sim *sim) {
    if (!values || !sim)
        return;
    const lash_run_def *run = &sim->system->model->run;
    for (size_t i = 0; i < lash_sim_coordinate_count(sim); i++)
        values[i] = (sim->atol[i] + sim->rtol[i] * fabs(lashi_sim_y(sim)[i])) / run->rtol;
}

lash_status lashi_sim_displace(lash_sim *sim, lash_error *error) {
    const double t = sim->integrator->t;
    lash_status status = lashi_sim_evaluate(sim, t, lashi_sim_y(sim), error);
    const double before = lashi_account_energy(sim);
    if (!status)
        status = lashi_sim_restart(sim, t, sim->y_work, sim->integrator->h_next, error);
    if (!status)
        status = lashi_sim_evaluate(sim, t, lashi_sim_y(sim), error);
    if (!status)
        sim->state->energy0 += lashi_account_energy(sim) - before;
    return status;
}

lash_status lash_sim_set_coordinates(lash_sim *sim, const double *values, lash_error *error) {
    if (!sim || !values)
        return lashi_fail_null(error);
    memcpy(sim->y_work, lashi_sim_y(sim), sim->problem.n * sizeof(double));
    memcpy(sim->y_work, values, lash_sim_coordinate_count(sim) * sizeof(double));
    lashi_quiet_release(sim);
    lashi_press_forget(sim);
    lashi_contacts_set_pieces(sim, sim->integrator->t, sim->y_work);
    lashi_contacts_renew(sim, sim->integrator->t, sim->y_work);
    return lashi_sim_displace(sim, error);
}

lash_status lash_sim_project_coordinates(double *values, lash_sim *sim, lash_error *error) {
    if (!values || !sim)
        return lashi_fail_null(error);
    const size_t bytes = lash_sim_coordinate_count(sim) * sizeof(double);
    memcpy(sim->y_work, lashi_sim_y(sim), sim->problem.n * sizeof(double));
    memcpy(sim->y_work, values, bytes);
    if (lashi_project(sim->y_work, sim->workspace, sim->integrator->t, LASHI_ENOUGH))
        return lashi_fail_at(error, LASH_ERROR_SINGULAR, sim->integrator->t, "",
                             "no coordinates near the given ones fit the constraints at t = %.9g s",
                             sim->integrator->t);
    memcpy(values, sim->y_work, bytes);
    return LASH_OK;
}

double *lashi_damping_memory(const lash_sim *sim, int k) {
    lashi_onset *onset = &sim->memories[k].onset;
    return sim->system->contacts[k].normal.scale == LASHI_SCALE_ENERGY ? &onset->inverse_mass : &onset->speed;
}

/* Of every contact: what scales its damping, and its bristles. */
size_t lash_sim_memory_count(const lash_sim *sim) {
    if (!sim)
        return 0;
    size_t count = 0;
    for (int k = 0; k < sim->system->contact_count; k++)
        count += 1 + (size_t)lashi_kind_of(&sim->system->contacts[k])->bristles;
    return count;
}

void lash_sim_memory(double *values, const lash_sim *sim) {
    if (!values || !sim)
        return;
    for (int k = 0; k < sim->system->contact_count; k++) {
        const int bristle = sim->system->contacts[k].bristle,
                  count = lashi_kind_of(&sim->system->contacts[k])->bristles;
        const bool touching = sim->memories[k].touching;
        values[0] = touching ? *lashi_damping_memory(sim, k) : 0;
        for (int i = 0; i < count; i++)
            values[1 + i] = touching && bristle >= 0 ? lashi_sim_y(sim)[bristle + i] : 0;
        values += 1 + count;
    }
}

double lash_sim_contact_onset(const lash_sim *sim, size_t contact) {
    if (!sim || contact >= (size_t)sim->system->contact_count || !sim->memories[contact].touching)
        return (double)NAN;
    return sim->memories[contact].onset.speed;
}

lash_status lash_sim_set_memory(lash_sim *sim, const double *values, lash_error *error) {
    if (!sim || !values)
        return lashi_fail_null(error);
    for (size_t i = 0; i < lash_sim_memory_count(sim); i++)
        if (!isfinite(values[i]))
            return lashi_fail(error, LASH_ERROR_USAGE, "lash_sim_set_memory: value %zu is not finite", i);
    memcpy(sim->y_work, lashi_sim_y(sim), sim->problem.n * sizeof(double));
    for (int k = 0; k < sim->system->contact_count; k++) {
        const lashi_contact *contact = &sim->system->contacts[k];
        if (sim->memories[k].touching) {
            *lashi_damping_memory(sim, k) = fmax(values[0], 0);
            for (int i = 0; i < lashi_bristles(contact); i++)
                sim->y_work[contact->bristle + i] = values[1 + i];
        }
        values += 1 + lashi_kind_of(contact)->bristles;
    }
    return lashi_sim_restart(sim, sim->integrator->t, sim->y_work, sim->integrator->h_next, error);
}
