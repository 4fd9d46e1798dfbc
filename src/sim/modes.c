/* SPDX-License-Identifier: MIT
 *
 * Contacts that are constraints, during a run (PHYSICS, section 6): permanent contact and the three-mode
 * model.
 *
 * Permanent contact. The constraint holds throughout; where its pressure N changes sign contact would be lost
 * or regained. These instants are located and logged, and the motion goes on as the constraint has it.
 *
 * Three modes.
 *   following     the constraint holds; ends where N falls through zero
 *   free flight   no force; ends where |e| = c again
 *   impact        takes no time (dynamics/impact.c); all contacts closed at that instant take part. After it
 * a contact that does not separate follows, the others fly. Of the contacts that would follow, one whose N is
 * negative is let go, the most negative first, until none is. An impact that would rebound slower than
 * rest_speed does not rebound: ever smaller bounces end in following. At the beginning and the end of
 * following contact positions and velocities are put onto the constraints that hold, so that no drift is
 * taken over into free flight.
 *
 * N as an event function costs an evaluation of the equations. So a step is looked through only when a stage
 * of the integrator has seen N on the other side; stages lie densely in the step.
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* N of the largest one seen: an event of N is armed again; N is zero at another joint's event. */
static const double REARM_FORCE = 1e-9, NO_FORCE = 1e-10;
/* Share of c from the wall within which a start is a start in contact. */
static const double AT_WALL = 1e-9;
/* Speed after an impact, of those before it and the rest speed, that is rounding. */
static const double NO_SPEED = 1e-9;

/* Changes of mode at one instant that are still taken as a chain of impacts. */
enum { MOST_STUCK = 1000 };

static double largest_force(const lash_sim *sim, int k) {
    return fmax(sim->contacts[k].peak_force, sim->accounts[k].peak_force);
}

bool lashi_presses(const lash_sim *sim, int k) {
    return lashi_contact_holds(&sim->system->clearances[k], &sim->contacts[k]);
}

void lashi_press_values(double *g, lash_sim *sim, double t, const double *y) {
    bool any = false;
    for (int k = 0; k < sim->system->clearance_count; k++)
        any = any || lashi_presses(sim, k);
    if (!any)
        return;
    const int bad = lashi_evaluate(sim->ydot_work, sim->workspace, t, y);
    for (int k = 0; k < sim->system->clearance_count; k++)
        if (lashi_presses(sim, k))
            g[k] = bad ? (double)NAN : sim->workspace->contact_states[k].normal_force;
    sim->workspace->y = NULL; // y is the caller's scratch
}

lashi_event lashi_press_event(const lash_sim *sim, int k, bool armed) {
    return (lashi_event){.direction = sim->contacts[k].pulling ? 1 : -1,
                         .tolerance = 0, // to the rounding of t
                         .rearm = REARM_FORCE * largest_force(sim, k),
                         .armed = armed};
}

bool lashi_press_turns(const lash_sim *sim, int k) {
    const double N = sim->workspace->contact_states[k].normal_force;
    return sim->events[k].armed && fabs(N) <= NO_FORCE * largest_force(sim, k);
}

bool lashi_press_contradicts(const lash_sim *sim, int k) {
    const double N = sim->workspace->contact_states[k].normal_force;
    return (sim->contacts[k].pulling ? N : -N) > REARM_FORCE * largest_force(sim, k);
}

bool lashi_flies_off(const lash_sim *sim, int k) {
    return !sim->contacts[k].touching && sim->impacts[k].leave > 0;
}

/* ---- permanent contact ---- */

lash_status lashi_permanent_change(lash_sim *sim, int k, lash_error *error) {
    const lashi_clearance *joint = &sim->system->clearances[k];
    lashi_contact *contact = &sim->contacts[k];
    lashi_contact_account *account = &sim->accounts[k];
    const lashi_gap_motion *m = &sim->workspace->contact_states[k].motion;
    const double duration = sim->t_new - contact->since;
    contact->pulling = !contact->pulling;
    *(contact->pulling ? &account->following_time : &account->free_time) += duration;
    contact->since = sim->t_new;
    const lash_event event = {.kind = contact->pulling ? LASH_EVENT_LOST : LASH_EVENT_REGAINED,
                              .time = sim->t_new,
                              .joint = joint->name,
                              .angle = atan2(m->n[1], m->n[0]),
                              .elevation = lashi_elevation(m->n),
                              .speed = fabs(m->sliding_speed),
                              .duration = duration};
    if (contact->pulling) {
        if (account->losses++ == 0) {
            account->first_loss = sim->t_new;
            account->first_loss_crank = lashi_crank_angle(sim->system, sim->t_new);
        }
        sim->stopping = sim->stopping || joint->stops;
    }
    return lashi_log_event(sim, &event, error);
}

/* ---- three modes ---- */

static lash_status singular(const lash_sim *sim, lash_error *error) {
    return lashi_fail_at(error, LASH_ERROR_SINGULAR, sim->t_new, "",
                         "the equations of an impact or of following contact have no solution at t = %.9g s: "
                         "contacts and joints depend on each other there, or there is more friction than a "
                         "rigid contact can have",
                         sim->t_new);
}

/* Positions and velocities of y on the constraints that hold. */
static lash_status tidy(double *y, lash_sim *sim, double t, lash_error *error) {
    sim->workspace->y = NULL;
    return lashi_project(y, sim->workspace, t) ? singular(sim, error) : LASH_OK;
}

/* Lets go of contacts that would have to pull, of those marked. */
static lash_status settle(double *y, lash_sim *sim, double t, lash_error *error) {
    for (;;) {
        int weakest = -1;
        double least = 0;
        if (lashi_evaluate(sim->ydot_work, sim->workspace, t, y))
            return singular(sim, error);
        for (int k = 0; k < sim->system->clearance_count; k++) {
            const double N = sim->workspace->contact_states[k].normal_force;
            if (sim->impacts[k].joins && sim->contacts[k].touching && N < least) {
                least = N;
                weakest = k;
            }
        }
        if (weakest < 0)
            return LASH_OK;
        sim->contacts[weakest].touching = 0;
    }
}

/* The impact of all contacts that join, and which of them touch after it. */
static lash_status meet(double *y, lash_sim *sim, double t, lash_error *error) {
    const lash_system *system = sim->system;
    double fastest = 0;
    if (lashi_impact_solve(y, sim->impacts, sim->workspace, t))
        return singular(sim, error);
    for (int k = 0; k < system->clearance_count; k++)
        if (sim->impacts[k].joins)
            fastest = fmax(fastest, fabs(sim->impacts[k].approach));
    bool any = false;
    for (int k = 0; k < system->clearance_count; k++)
        if (sim->impacts[k].joins) {
            sim->contacts[k].touching =
                sim->impacts[k].leave <= NO_SPEED * fmax(fastest, system->clearances[k].rest_speed);
            any = any || sim->contacts[k].touching;
        }
    const lash_status status = any ? tidy(y, sim, t, error) : LASH_OK;
    return status || !any ? status : settle(y, sim, t, error);
}

lash_status lashi_modes_begin(lash_sim *sim, lash_error *error) {
    const lash_system *system = sim->system;
    bool any = false;
    if (!sim->workspace->linked)
        return LASH_OK;
    for (int k = 0; k < system->clearance_count; k++) {
        const lashi_clearance *joint = &system->clearances[k];
        lashi_contact *contact = &sim->contacts[k];
        sim->impacts[k] = (lashi_impact){0};
        if (joint->play == LASHI_PLAY_COMPLIANT)
            continue;
        contact->touching = joint->play == LASHI_PLAY_PERMANENT;
        sim->impacts[k].joins = joint->play == LASHI_PLAY_MODES &&
                                contact->delta >= -(AT_WALL * joint->gap.clearance + joint->tolerance);
        any = any || sim->impacts[k].joins;
    }
    lash_status status = any ? meet(sim->y_start, sim, 0, error) : LASH_OK;
    for (int i = system->work_at; any && i < system->counted_at; i++)
        sim->y_start[i] = 0; // the ledger begins here
    if (!status && lashi_evaluate(sim->ydot_work, sim->workspace, 0, sim->y_start))
        status = lashi_sim_explain(sim, LASH_ERROR_NOT_FINITE, error);
    sim->workspace->y = NULL;
    for (int k = 0; !status && k < system->clearance_count; k++) {
        const lashi_contact_state *state = &sim->workspace->contact_states[k];
        lashi_contact_account *account = &sim->accounts[k];
        if (system->clearances[k].play == LASHI_PLAY_COMPLIANT)
            continue;
        account->contacts = sim->contacts[k].touching != 0;
        sim->contacts[k].peak_force = fmax(0, state->normal_force);
        sim->contacts[k].pulling =
            system->clearances[k].play == LASHI_PLAY_PERMANENT && state->normal_force < 0;
        if (sim->contacts[k].pulling) {
            account->losses = 1;
            account->first_loss_crank = lashi_crank_angle(system, 0);
        }
    }
    return status;
}

/* Following contact of joint k begins at (t_new, y_event). */
static lash_status begin_following(lash_sim *sim, int k, lash_error *error) {
    const lashi_gap_motion *m = &sim->workspace->contact_states[k].motion;
    lashi_contact *contact = &sim->contacts[k];
    sim->accounts[k].contacts++;
    contact->lost_before = lashi_lost_so_far(sim, k, sim->y_event);
    contact->peak_force = contact->peak_delta = 0;
    const lash_event event = {.kind = LASH_EVENT_ONSET,
                              .time = sim->t_new,
                              .joint = sim->system->clearances[k].name,
                              .angle = atan2(m->n[1], m->n[0]),
                              .elevation = lashi_elevation(m->n),
                              .speed = fmax(0, sim->impacts[k].approach)};
    return lashi_log_event(sim, &event, error);
}

static lash_status end_following(lash_sim *sim, int k, lash_error *error) {
    const lashi_gap_motion *m = &sim->workspace->contact_states[k].motion;
    lashi_contact *contact = &sim->contacts[k];
    lashi_contact_account *account = &sim->accounts[k];
    const double duration = sim->t_new - contact->since;
    account->following_time += duration;
    account->peak_force = fmax(account->peak_force, contact->peak_force);
    const lash_event event = {.kind = LASH_EVENT_RELEASE,
                              .time = sim->t_new,
                              .joint = sim->system->clearances[k].name,
                              .angle = atan2(m->n[1], m->n[0]),
                              .elevation = lashi_elevation(m->n),
                              .speed = fmax(0, sim->impacts[k].leave),
                              .peak_force = contact->peak_force,
                              .duration = duration,
                              .energy_lost = lashi_lost_so_far(sim, k, sim->y_event) - contact->lost_before};
    contact->peak_force = 0;
    return lashi_log_event(sim, &event, error);
}

static lash_status log_impact(lash_sim *sim, int k, lash_error *error) {
    const lashi_impact *impact = &sim->impacts[k];
    const lashi_gap_motion *m = &sim->workspace->contact_states[k].motion;
    if (!(impact->impulse > 0))
        return LASH_OK;
    sim->accounts[k].impacts++;
    const lash_event event = {.kind = LASH_EVENT_IMPACT,
                              .time = sim->t_new,
                              .joint = sim->system->clearances[k].name,
                              .angle = atan2(m->n[1], m->n[0]),
                              .elevation = lashi_elevation(m->n),
                              .speed = fmax(0, impact->approach),
                              .rebound = fmax(0, impact->leave),
                              .impulse = impact->impulse,
                              .energy_lost = impact->lost,
                              .impact = true};
    return lashi_log_event(sim, &event, error);
}

/* `turning`: contacts at their event, free ones that arrive and following ones whose N is zero. */
lash_status lashi_modes_change(lash_sim *sim, const unsigned char *turning, lash_error *error) {
    const lash_system *system = sim->system;
    bool arrives = false, holds = false;
    for (int k = 0; k < system->clearance_count; k++) {
        const bool modes = system->clearances[k].play == LASHI_PLAY_MODES;
        arrives = arrives || (modes && turning[k] && !sim->contacts[k].touching);
        holds = holds || (modes && sim->contacts[k].touching);
        sim->was_touching[k] = modes && sim->contacts[k].touching;
        sim->impacts[k] = (lashi_impact){.joins = modes && (turning[k] || sim->contacts[k].touching)};
    }
    sim->stuck = sim->t_new > sim->integrator->t_old ? 0 : sim->stuck + 1;
    if (sim->stuck > MOST_STUCK)
        return lashi_fail_at(error, LASH_ERROR_LIMIT, sim->t_new, "",
                             "at t = %.9g s contacts open and close again without end; a larger rest_speed "
                             "lets them follow",
                             sim->t_new);
    lash_status status = holds ? tidy(sim->y_event, sim, sim->t_new, error) : LASH_OK;
    if (!status && arrives) {
        status = meet(sim->y_event, sim, sim->t_new, error);
    } else {
        for (int k = 0; k < system->clearance_count; k++)
            if (sim->impacts[k].joins && turning[k])
                sim->contacts[k].touching = 0;
    }
    // The events are described by the point after all changes.
    if (!status && lashi_evaluate(sim->ydot_work, sim->workspace, sim->t_new, sim->y_event))
        status = singular(sim, error);
    for (int k = 0; !status && k < system->clearance_count; k++) {
        lashi_contact *contact = &sim->contacts[k];
        const bool before = sim->was_touching[k], now = contact->touching;
        if (!sim->impacts[k].joins)
            continue;
        contact->delta = sim->workspace->contact_states[k].motion.delta;
        contact->deltadot = sim->workspace->contact_states[k].motion.deltadot;
        status = log_impact(sim, k, error);
        if (!before)
            sim->accounts[k].free_time += sim->t_new - contact->since;
        if (!status && before && !now)
            status = end_following(sim, k, error);
        if (!status && !before && now)
            status = begin_following(sim, k, error);
        if (before != now || !before)
            contact->since = sim->t_new;
        contact->angle = atan2(sim->workspace->contact_states[k].motion.n[1],
                               sim->workspace->contact_states[k].motion.n[0]);
    }
    sim->workspace->y = NULL;
    return status;
}

void lashi_modes_note(lash_sim *sim) {
    for (int k = 0; sim->workspace->linked && k < sim->system->clearance_count; k++)
        if (lashi_presses(sim, k))
            sim->contacts[k].peak_force =
                fmax(sim->contacts[k].peak_force, fabs(sim->workspace->contact_states[k].normal_force));
}
