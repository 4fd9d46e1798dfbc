/* SPDX-License-Identifier: MIT
 *
 * The account of a run at its accepted steps, and the verdict on it: whether its numbers can be trusted.
 *
 * Energy. Whatever the equations, K + V + U + lost − input is constant. Its change is the error of the
 * integration, or a mistake: a force or drive that jumps, a contact that was passed over. It may reach
 *   `run: balance` of the energy exchanged, the largest change of an entry of the ledger;
 *   or what the tolerance allows: rtol of an energy the mechanism has by itself (of the share that its largest speed is
 *     of its own, where no contact yields), since one that stands still exchanges nothing; and rtol of the kinetic energy in every step, but no more than that share, since one
 *     that spins freely exchanges nothing either, and its energy is only as good as its speeds;
 *   and rounding, which grows with the steps and with the largest of the entries, not with their changes.
 * A larger error fails the run at its end: early on, little has been exchanged yet.
 *
 * Joints. Ideal joints that are apart by APART of the machine's size (in rad: of 1), or by APART_OF_PLAY of
 * the smallest play, move another machine.
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/larger.h"

static const double ROUNDING = 16, FIRST_ROUNDINGS = 16; /* of every step, in ε; and steps' worth before it */
static const double APART = 0.01, APART_OF_PLAY = 0.1;

static double largest(const double values[LASHI_ENTRIES]) {
    double most = 0;
    for (int i = 0; i < LASHI_ENTRIES; i++)
        most = lashi_larger(most, fabs(values[i]));
    return most;
}

double lashi_balance_tolerated(double share, double rtol, double steps, double own_energy, double kinetic,
                               double largest, double exchanged) {
    const double tolerated = rtol * own_energy + fmin(share, rtol * steps) * kinetic;
    const double rounding = ROUNDING * DBL_EPSILON * (FIRST_ROUNDINGS + steps) * largest;
    return fmax(share * exchanged, tolerated) + rounding;
}

double lashi_balance_allowed(const lash_sim *sim) {
    const lash_run_def *run = &sim->system->model->run;
    const lash_state *state = sim->state;
    return lashi_balance_tolerated(run->balance, run->rtol, (double)lashi_sim_counts(sim).steps,
                                   sim->own_energy * lashi_speed_share(sim), state->kinetic, state->largest,
                                   state->exchanged);
}

double lashi_violation_allowed(const lash_system *system) {
    double allowed = APART * fmin(1, system->length);
    for (int k = 0; k < system->contact_count; k++)
        allowed = fmin(allowed, APART_OF_PLAY * system->contacts[k].p->room * system->contacts[k].p->lever);
    return allowed;
}

/* Kinetic, potential and elastic energy, losses and input of the present point, J; the workspace holds it. */
static void read_ledger(double entries[LASHI_ENTRIES], const lash_sim *sim) {
    const double *y = lashi_sim_y(sim), *work = y + sim->system->work_at;
    const lashi_energy e = lashi_energy_evaluate(sim->workspace);
    entries[0] = e.kinetic, entries[1] = e.potential, entries[2] = e.elastic;
    entries[3] = work[LASHI_WORK_DISSIPATION];
    for (int k = 0; k < LASHI_LOSSES * sim->system->contact_count; k++)
        entries[3] += y[sim->system->loss_at + k];
    for (int r = 0; r < sim->system->rub_count; r++)
        entries[3] += sim->system->rubs[r].loss >= 0 ? y[sim->system->rubs[r].loss] : 0;
    entries[4] = work[LASHI_WORK_INPUT];
}

static double stored(const double *entries) {
    return entries[0] + entries[1] + entries[2];
}

/* What stays constant: what is stored and lost, less the input. */
static double closed(const double *entries) {
    return stored(entries) + entries[3] - entries[4];
}

lash_status lashi_account_begin(lash_sim *sim, lash_error *error) {
    lash_state *state = sim->state;
    read_ledger(state->ledger0, sim);
    state->energy0 = stored(state->ledger0);
    state->off_since = (double)NAN;
    return lashi_account_keep(sim, error);
}

void lashi_account_from_now(lash_sim *sim) {
    sim->state->counted_from = sim->integrator->t;
    sim->state->counting = 1;
    lashi_contacts_part(sim, sim->integrator->t, lashi_sim_y(sim));
}

lash_status lashi_account_transient(lash_sim *sim, lash_error *error) {
    const double t = sim->state->counted_from;
    if (sim->state->counting || !(sim->t_new >= t))
        return LASH_OK;
    const lash_status status = lashi_sim_sample(sim->y_work, sim, t, error);
    if (!status)
        lashi_contacts_part(sim, t, sim->y_work);
    sim->state->counting = 1;
    return status;
}

lash_status lashi_account_keep(lash_sim *sim, lash_error *error) {
    lash_state *state = sim->state;
    double now[LASHI_ENTRIES], change[LASHI_ENTRIES], position, velocity;
    static const char *const names[LASHI_ENTRIES] = {"energy.kinetic", "energy.potential", "energy.elastic",
                                                     "energy.dissipated", "energy.input"};
    read_ledger(now, sim);
    const lash_status status =
        lashi_sim_finite(sim, "", names, now, LASHI_ENTRIES, sim->integrator->t, error);
    if (status)
        return status;
    for (int k = 0; k < LASHI_ENTRIES; k++)
        change[k] = now[k] - state->ledger0[k];
    memcpy(state->ledger, now, sizeof now);
    const double balance = closed(now) - state->energy0;
    state->kinetic = lashi_larger(state->kinetic, now[0]);
    state->largest = lashi_larger(state->largest, largest(now));
    state->exchanged = lashi_larger(state->exchanged, largest(change));
    state->max_balance = lashi_larger(state->max_balance, fabs(balance));
    // The share of the energy exchanged is the least that is allowed.
    if (!(state->max_balance > sim->system->model->run.balance * state->exchanged) ||
        !(state->max_balance > lashi_balance_allowed(sim)))
        state->off_since = (double)NAN;
    else if (isnan(state->off_since))
        state->off_since = sim->integrator->t;
    lashi_violation(&position, &velocity, sim->workspace);
    if (position > sim->violation_allowed && !(state->max_position > sim->violation_allowed))
        state->apart_since = sim->integrator->t;
    state->max_position = lashi_larger(state->max_position, position);
    state->max_velocity = lashi_larger(state->max_velocity, velocity);
    for (int k = 0; k < sim->system->contact_count; k++) {
        if (!sim->system->contacts[k].lubricated)
            continue;
        const double force = fabs(sim->workspace->contact_states[k].film_force);
        if (force > sim->accounts[k].film_force) {
            sim->accounts[k].film_force = force;
            sim->accounts[k].film_force_time = sim->integrator->t;
        }
    }
    lashi_constraints_note(&sim->workspace->constraints, &sim->system->motion);
    return LASH_OK;
}

lash_status lashi_account_rebase(lash_sim *sim, lash_error *error) {
    lash_state *state = sim->state;
    double now[LASHI_ENTRIES];
    read_ledger(now, sim);
    state->energy0 += closed(now) - closed(state->ledger);
    for (int k = 0; k < LASHI_ENTRIES; k++)
        state->ledger0[k] += now[k] - state->ledger[k];
    return lashi_account_keep(sim, error);
}

double lashi_account_energy(const lash_sim *sim) {
    double entries[LASHI_ENTRIES];
    read_ledger(entries, sim);
    return stored(entries);
}

/* What the summary says about joints with play. */
static lash_status judge_contacts(const lash_sim *sim, lash_error *error) {
    static const char *const names[] = {"peak_force", "peak_penetration", "energy_lost", "film_loss",
                                        "min_film"};
    lash_status status = LASH_OK;
    for (int k = 0; !status && k < sim->system->contact_count; k++) {
        const lash_clearance_summary s = lashi_contact_summary(sim, k);
        const double numbers[] = {s.peak_force, s.peak_penetration, s.energy_lost, s.film_loss, s.min_film};
        status = lashi_sim_finite(sim, s.joint, names, numbers, sizeof numbers / sizeof *numbers,
                                  sim->integrator->t, error);
    }
    return status;
}

lash_status lash_sim_judge(const lash_sim *sim, lash_error *error) {
    if (!sim)
        return lashi_fail_null(error);
    const lash_state *state = sim->state;
    const lash_status status = judge_contacts(sim, error);
    if (status)
        return status;
    if (state->max_position > sim->violation_allowed)
        return lashi_fail_at(error, LASH_ERROR_ACCURACY, state->apart_since, "",
                             "joints were apart by up to %.3g m or rad, too far since t = %.9g s: the motion "
                             "is that of another "
                             "machine. Use stabilisation: projection, lower rtol, or look for a drive that "
                             "jumps near that time",
                             state->max_position, state->apart_since);
    if (state->max_balance > lashi_balance_allowed(sim))
        return lashi_fail_at(
            error, LASH_ERROR_ACCURACY, state->off_since, "",
            "the energy balance is off by %.3g J, %.3g %% of the energy exchanged where %.3g %% are allowed, "
            "since t = %.9g s: the motion cannot be trusted. Lower rtol or try another method; if that does "
            "not help, look for a force or a drive that jumps near that time",
            state->max_balance, 100 * state->max_balance / state->exchanged,
            100 * sim->system->model->run.balance, state->off_since);
    return LASH_OK;
}
