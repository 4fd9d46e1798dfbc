/* SPDX-License-Identifier: MIT
 *
 * Contacts that are constraints, during a run (docs/physics.md, section 6): permanent contact and the three-mode
 * model.
 *
 * Permanent contact. The constraint holds throughout; where its pressure N changes sign contact would be lost
 * or regained. These instants are located and logged, and the motion continues as the constraint has it.
 *
 * Three modes.
 *   following     the constraint holds; ends where N falls through zero
 *   free flight   no force; ends where |e| = c again
 *   impact        takes no time (dynamics/impact.c); all contacts closed at that instant take part
 * After an impact a contact that does not separate follows, the others fly. An impact that would rebound
 * slower than rest_speed does not rebound: ever smaller bounces end in following, and so do those smaller than
 * the errors of the positions. At the beginning and the end of following contact positions and velocities are
 * put onto the constraints that hold, so that no drift is taken over into free flight.
 *
 * Which of the contacts at rest against their walls follow: with a the accelerations into the walls and N the
 * pressures, N ≥ 0, a ≤ 0, one of them zero in each. That is a linear complementarity problem, solved by
 * exchanging the first contact that is wrong, a closed one with N < 0 or an open one with a > 0, until none
 * is (Murty, Opsearch 11 (1974) 123; it ends for independent contacts without friction). a > 0 of
 * an open contact is N > 0 of the same one closed. Where dependent contacts or friction give no such set
 * within LASHI_REST_EXCHANGES changes, contacts are let go only, until no N is negative.
 *
 * Friction changes N, and which contacts follow changes friction. So both are decided in turn, until neither changes
 * (contact_events.c): what sticks may pull another contact off its wall at the same instant.
 *
 * N as an event function costs an evaluation of the equations. So a step is looked through, in SIXTEENTHS,
 * only where N comes near zero in it: nearer than it varies. First the stages of the integrator say so, which
 * cost nothing, by their range and that of the step before. Then the polynomial through N in the ends and
 * QUARTERS of the step on the interpolant. The first question is left out where a load or drive is a function
 * of the time or a table: what does not move the machine does not shorten its steps, and may lie between the
 * stages. Sound to this degree: under such loads N on the other side for a quarter of a step or longer is
 * found, however it gets there, and a shorter dip where it shows in a point; max_step makes that as fine as
 * one likes. Otherwise N is as smooth in the step as the motion that the error control has accepted.
 *
 * Reference: Pfeiffer & Glocker, Multibody Dynamics with Unilateral Contacts, 1996, ch. 5.
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "dynamics/impulses.h"

/* N of the largest one seen: an event of N is armed again; N is zero at another joint's event. */
static const double ARMING_FORCE = 1e-9, NO_FORCE = 1e-10;
/* Share of c from the wall within which a start is a start in contact. */
static const double AT_WALL = 1e-9;

/* N counts as near zero when it is, in lengths of its range. */
static const double NEAR = 1.0;

/* Changes of mode at one instant that are still taken as a chain of impacts. */
enum { MOST_STUCK = 1000 };
/* Looks at N per step, and those at the polynomial through them. */
enum { QUARTERS = 4, GRID = 32 };

bool lashi_presses(const lash_sim *sim, int k) {
    return lashi_contact_holds(&sim->system->contacts[k], &sim->memories[k]);
}

void lashi_press_values(double *g, lash_sim *sim, double t, const double *y) {
    bool any = false;
    for (int k = 0; k < sim->system->contact_count; k++)
        any = any || lashi_presses(sim, k);
    if (!any)
        return;
    const int bad = lashi_evaluate(sim->ydot_work, sim->workspace, t, y);
    for (int k = 0; k < sim->system->contact_count; k++)
        if (lashi_presses(sim, k))
            g[k] = bad ? (double)NAN : sim->workspace->contact_states[k].normal_force;
}

lashi_event lashi_press_event(const lash_sim *sim, int k, bool armed) {
    return (lashi_event){.direction = sim->memories[k].pulling ? 1 : -1,
                         .tolerance = 0, // to the rounding of t
                         .threshold = ARMING_FORCE * lashi_largest_force(sim, k),
                         .armed = armed};
}

bool lashi_press_turns(const lash_sim *sim, int k) {
    const double N = sim->workspace->contact_states[k].normal_force;
    return sim->events[k].armed && fabs(N) <= NO_FORCE * lashi_largest_force(sim, k);
}

bool lashi_press_contradicts(const lash_sim *sim, int k) {
    const double N = sim->workspace->contact_states[k].normal_force;
    return (sim->memories[k].pulling ? N : -N) > ARMING_FORCE * lashi_largest_force(sim, k);
}

bool lashi_flies_off(const lash_sim *sim, int k) {
    return !sim->memories[k].touching && sim->impacts[k].leave > 0;
}

/* ---- N inside a step ---- */

/* pressures: N at the points of the step, then its range over the step before. */
size_t lashi_press_work(const lash_system *system) {
    return (QUARTERS + 2) * (size_t)system->contact_count;
}

bool lashi_press_timed(const lash_system *system) {
    for (int k = 0; k < system->force_count; k++) {
        const lashi_force *force = &system->forces[k];
        for (int i = 0; i < 3; i++)
            if (force->table || (force->expression[i] && !lashi_expression_is_constant(force->expression[i])))
                return true;
    }
    for (int d = 0; d < system->drive_count; d++) {
        const lashi_profile *profile = &lashi_drive_constraint(system, d)->profile;
        if (profile->type == LASHI_PROFILE_EXPRESSION || profile->type == LASHI_PROFILE_TABLE)
            return true;
    }
    return false;
}

void lashi_press_forget(lash_sim *sim) {
    for (int k = 0; k < sim->system->contact_count; k++) {
        sim->workspace->least[k] = -INFINITY;
        sim->workspace->most[k] = INFINITY;
    }
}

static bool any_presses(const lash_sim *sim) {
    for (int k = 0; k < sim->system->contact_count; k++)
        if (lashi_presses(sim, k))
            return true;
    return false;
}

static void keep_pressures(lash_sim *sim, int point, bool bad) {
    const int count = sim->system->contact_count;
    for (int k = 0; k < count; k++)
        sim->pressures[point * count + k] =
            bad ? (double)NAN : sim->workspace->contact_states[k].normal_force;
}

lash_status lashi_press_begin(lash_sim *sim, lash_error *error) {
    if (!any_presses(sim))
        return LASH_OK;
    const lash_status status = lashi_sim_evaluate(sim, sim->integrator->t, lashi_sim_y(sim), error);
    if (status)
        return status;
    keep_pressures(sim, 0, false);
    const int count = sim->system->contact_count;
    for (int k = 0; k < count; k++) {
        sim->pressures[(QUARTERS + 1) * count + k] = sim->workspace->most[k] - sim->workspace->least[k];
        sim->workspace->least[k] = sim->workspace->most[k] = sim->pressures[k];
    }
    return LASH_OK;
}

/* Whether the stages of the step came near zero. */
static bool stages_near(const lash_sim *sim) {
    const int count = sim->system->contact_count;
    for (int k = 0; k < count; k++) {
        const double least = sim->workspace->least[k], most = sim->workspace->most[k];
        const double lowest = sim->memories[k].pulling ? -most : least;
        if (lashi_presses(sim, k) &&
            !(lowest > NEAR * (most - least + sim->pressures[(QUARTERS + 1) * count + k])))
            return true;
    }
    return false;
}

/* Whether the polynomial through N at QUARTERS, N times `side`, comes near zero or below. */
static bool near_zero(const double *N, int stride, double side) {
    double d[QUARTERS + 1]; // forward differences
    for (int i = 0; i <= QUARTERS; i++)
        d[i] = side * N[i * stride];
    for (int order = 1; order <= QUARTERS; order++)
        for (int i = QUARTERS; i >= order; i--)
            d[i] -= d[i - 1];
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i <= GRID; i++) {
        const double s = (double)(QUARTERS * i) / GRID;
        double p = d[QUARTERS];
        for (int order = QUARTERS - 1; order >= 0; order--)
            p = d[order] + p * (s - order) / (order + 1);
        lowest = fmin(lowest, p);
        highest = fmax(highest, p);
        if (!isfinite(p))
            return true;
    }
    return lowest <= NEAR * (highest - lowest);
}

bool lashi_press_near(lash_sim *sim) {
    const int count = sim->system->contact_count;
    const double t_old = sim->integrator->t_old, h = sim->integrator->t - t_old;
    if (!any_presses(sim) || !(sim->timed || stages_near(sim)))
        return false;
    for (int point = 1; point < QUARTERS; point++) {
        const double t = t_old + h * point / QUARTERS;
        if (lashi_sim_sample(sim->y_work, sim, t, NULL))
            return true; // the search says why
        keep_pressures(sim, point, lashi_evaluate(sim->ydot_work, sim->workspace, t, sim->y_work));
    }
    keep_pressures(sim, QUARTERS, lashi_sim_evaluate(sim, sim->integrator->t, lashi_sim_y(sim), NULL));
    for (int k = 0; k < count; k++)
        if (lashi_presses(sim, k) && near_zero(sim->pressures + k, count, sim->memories[k].pulling ? -1 : 1))
            return true;
    return false;
}

/* ---- permanent contact ---- */

/* N of joint k has changed its sign at t; the workspace holds that point. */
static lash_status log_turn(lash_sim *sim, int k, double t, double duration, lash_error *error) {
    const lashi_gap *m = &sim->workspace->contact_states[k].gap;
    const lash_event event = {.kind = sim->memories[k].pulling ? LASH_EVENT_LOST : LASH_EVENT_REGAINED,
                              .time = t,
                              .joint = sim->system->contacts[k].name,
                              .angle = atan2(m->n.y, m->n.x),
                              .elevation = lashi_elevation(m->n),
                              .speed = fabs(m->sliding),
                              .duration = duration};
    return lashi_log_event(sim, &event, error);
}

lash_status lashi_modes_announce(lash_sim *sim, lash_error *error) {
    sim->happened_count = 0;
    const double start = sim->system->start;
    if (sim->integrator->t > start || sim->state->events > 0)
        return LASH_OK;
    lash_status status = lashi_sim_evaluate(sim, start, lashi_sim_y(sim), error);
    for (int k = 0; !status && k < sim->system->contact_count; k++)
        if (sim->memories[k].pulling) {
            status = log_turn(sim, k, start, 0, error);
            sim->stopping = sim->stopping || sim->system->contacts[k].stops;
        }
    return status;
}

lash_status lashi_permanent_change(lash_sim *sim, int k, lash_error *error) {
    const lashi_contact *contact = &sim->system->contacts[k];
    lashi_memory *memory = &sim->memories[k];
    lashi_contact_account *account = &sim->accounts[k];
    const double duration = sim->t_new - memory->since;
    memory->pulling = !memory->pulling;
    *(memory->pulling ? &account->following_time : &account->free_time) += duration;
    memory->since = sim->t_new;
    if (memory->pulling) {
        if (account->losses++ == 0) {
            account->first_loss = sim->t_new;
            account->first_loss_crank = lashi_crank_angle(sim->system, sim->t_new);
        }
        sim->stopping = sim->stopping || contact->stops;
    }
    return log_turn(sim, k, sim->t_new, duration, error);
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
    return lashi_project(y, sim->workspace, t, LASHI_ENOUGH) ? singular(sim, error) : LASH_OK;
}

/* Marks the contacts that arrive at their event as touching or not. */
static void close_arriving(lash_sim *sim, const unsigned char *turning, int touching) {
    for (int k = 0; k < sim->system->contact_count; k++)
        if (sim->system->contacts[k].model == LASHI_MODEL_MODES && turning[k] && !sim->was_touching[k])
            sim->memories[k].touching = touching;
}

/* The same before an impact: those that arrive are kept on their walls too, or what the others have drifted
 * would push them in. Their velocities stay. */
static lash_status tidy_arrival(lash_sim *sim, const unsigned char *turning, lash_error *error) {
    const size_t size = (size_t)sim->system->n_v * sizeof(double);
    double *y = sim->y_event, *v = y + sim->system->v_at;
    memcpy(sim->y_work, v, size);
    close_arriving(sim, turning, 1);
    const lash_status status = tidy(y, sim, sim->t_new, error);
    close_arriving(sim, turning, 0);
    memcpy(v, sim->y_work, size);
    return status ? status : tidy(y, sim, sim->t_new, error);
}

/* N of every contact that rests, those that are open as if they alone were closed as well: in
 * sim->pressures. *scale grows to the largest. */
static lash_status rest_pressures(double *scale, double *y, lash_sim *sim, double t, lash_error *error) {
    int bad = 0;
    for (int k = -1; !bad && k < sim->system->contact_count; k++) { // -1: those that are closed
        if (k >= 0 && !(sim->impacts[k].rests && !sim->memories[k].touching))
            continue;
        if (k >= 0)
            sim->memories[k].touching = 1;
        bad = lashi_evaluate(sim->ydot_work, sim->workspace, t, y);
        for (int i = 0; k < 0 && i < sim->system->contact_count; i++)
            sim->pressures[i] = sim->workspace->contact_states[i].normal_force;
        if (k >= 0) {
            sim->pressures[k] = sim->workspace->contact_states[k].normal_force;
            sim->memories[k].touching = 0;
        }
    }
    for (int k = 0; k < sim->system->contact_count; k++)
        if (sim->impacts[k].rests)
            *scale = fmax(*scale, fabs(sim->pressures[k]));
    return bad ? singular(sim, error) : LASH_OK;
}

/* Which of the contacts that rest follow: see above. */
static lash_status settle(double *y, lash_sim *sim, double t, lash_error *error) {
    const int count = sim->system->contact_count;
    double scale = 0;
    for (int k = 0; k < count; k++)
        scale = fmax(scale, lashi_largest_force(sim, k));
    for (int change = 0;; change++) {
        int wrong = -1;
        const lash_status status = rest_pressures(&scale, y, sim, t, error);
        if (status)
            return status;
        for (int k = 0; wrong < 0 && k < count; k++)
            if (sim->impacts[k].rests && lashi_rest_is_wrong(sim->memories[k].touching, sim->pressures[k],
                                                             scale, change < LASHI_REST_EXCHANGES * count))
                wrong = k;
        if (wrong < 0)
            return LASH_OK;
        sim->memories[wrong].touching = !sim->memories[wrong].touching;
    }
}

lash_status lashi_modes_resettle(bool *changed, double *y, lash_sim *sim, double t, lash_error *error) {
    bool any = false;
    for (int k = 0; k < sim->system->contact_count; k++) {
        any = any || sim->impacts[k].rests;
        sim->followed[k] = sim->memories[k].touching != 0;
    }
    const lash_status status = any ? settle(y, sim, t, error) : LASH_OK;
    *changed = false;
    for (int k = 0; k < sim->system->contact_count; k++)
        *changed = *changed || sim->followed[k] != (sim->memories[k].touching != 0);
    return status;
}

/* The impact of all contacts that join, and which of them touch after it. */
static lash_status meet(double *y, lash_sim *sim, double t, lash_error *error) {
    const lash_system *system = sim->system;
    double fastest = 0;
    const int failed = lashi_impact_solve(y, sim->impacts, sim->workspace, t);
    if (failed == LASHI_IMPACT_NO_MEMORY)
        return lashi_fail_memory(error);
    if (failed >= LASHI_IMPACT_LOCKED) {
        const char *name = system->contacts[failed - LASHI_IMPACT_LOCKED].name;
        return lashi_fail_at(
            error, LASH_ERROR_SINGULAR, t, name,
            "at t = %.9g s '%s' is hit by parts to which drives, joints and other contacts leave no freedom: "
            "nothing can yield, and a rigid contact cannot stop them. Take model: compliant there, move the "
            "stop, or drive the machine by a torque or force",
            t, name);
    }
    if (failed)
        return singular(sim, error);
    for (int k = 0; k < system->contact_count; k++)
        if (sim->impacts[k].joins)
            fastest = fmax(fastest, fabs(sim->impacts[k].approach));
    bool any = false;
    for (int k = 0; k < system->contact_count; k++)
        if (sim->impacts[k].joins) {
            sim->memories[k].touching =
                lashi_impact_rests(sim->impacts[k].leave, fastest, system->contacts[k].p->rest_speed);
            sim->impacts[k].rests = sim->memories[k].touching != 0;
            any = any || sim->memories[k].touching;
        }
    const lash_status status = any ? tidy(y, sim, t, error) : LASH_OK;
    return status || !any ? status : settle(y, sim, t, error);
}

lash_status lashi_modes_begin(lash_sim *sim, lash_error *error) {
    const lash_system *system = sim->system;
    bool any = false;
    if (!sim->workspace->linked)
        return LASH_OK;
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        lashi_memory *memory = &sim->memories[k];
        sim->impacts[k] = (lashi_impact){0};
        if (contact->model == LASHI_MODEL_COMPLIANT)
            continue;
        memory->touching = contact->model == LASHI_MODEL_PERMANENT;
        sim->impacts[k].joins = contact->model == LASHI_MODEL_MODES &&
                                memory->delta >= -(AT_WALL * contact->p->room + contact->p->tolerance);
        any = any || sim->impacts[k].joins;
    }
    lash_status status = any ? meet(sim->y_start, sim, system->start, error) : LASH_OK;
    for (int i = system->work_at; any && i < system->signal_at; i++)
        sim->y_start[i] = 0; // the ledger begins here
    return status;
}

lash_status lashi_modes_begun(lash_sim *sim, lash_error *error) {
    const lash_system *system = sim->system;
    lash_status status = LASH_OK;
    if (!sim->workspace->linked)
        return LASH_OK;
    if (lashi_evaluate(sim->ydot_work, sim->workspace, system->start, sim->y_start))
        status = lashi_sim_explain(sim, LASH_ERROR_NOT_FINITE, error);
    for (int k = 0; !status && k < system->contact_count; k++) {
        const lashi_contact_state *state = &sim->workspace->contact_states[k];
        lashi_contact_account *account = &sim->accounts[k];
        if (system->contacts[k].model == LASHI_MODEL_COMPLIANT)
            continue;
        account->contacts = sim->memories[k].touching != 0;
        lashi_note_force(sim, k, system->start, fmax(0, state->normal_force));
        sim->memories[k].pulling =
            system->contacts[k].model == LASHI_MODEL_PERMANENT && state->normal_force < 0;
        if (sim->memories[k].pulling) {
            account->losses = 1;
            account->first_loss = system->start;
            account->first_loss_crank = lashi_crank_angle(system, system->start);
        }
    }
    return status;
}

/* Following contact of joint k begins at (t_new, y_event). */
static lash_status begin_following(lash_sim *sim, int k, lash_error *error) {
    const lashi_gap *m = &sim->workspace->contact_states[k].gap;
    lashi_memory *memory = &sim->memories[k];
    sim->accounts[k].contacts++;
    memory->lost_before = lashi_lost_so_far(sim, k, sim->y_event);
    memory->impulse_before = sim->y_event[sim->system->impulse_at + k];
    memory->peak = (lash_peak){0};
    const lash_event event = {.kind = LASH_EVENT_ONSET,
                              .time = sim->t_new,
                              .joint = sim->system->contacts[k].name,
                              .angle = atan2(m->n.y, m->n.x),
                              .elevation = lashi_elevation(m->n),
                              .speed = fmax(0, sim->impacts[k].approach)};
    return lashi_log_event(sim, &event, error);
}

static lash_status end_following(lash_sim *sim, int k, lash_error *error) {
    const lashi_gap *m = &sim->workspace->contact_states[k].gap;
    lashi_memory *memory = &sim->memories[k];
    lashi_contact_account *account = &sim->accounts[k];
    const double duration = sim->t_new - memory->since;
    account->following_time += duration;
    const lash_event event = {.kind = LASH_EVENT_RELEASE,
                              .time = sim->t_new,
                              .joint = sim->system->contacts[k].name,
                              .angle = atan2(m->n.y, m->n.x),
                              .elevation = lashi_elevation(m->n),
                              .speed = fmax(0, sim->impacts[k].leave),
                              .peak_force = memory->peak.force,
                              .duration = duration,
                              .energy_lost = lashi_lost_so_far(sim, k, sim->y_event) - memory->lost_before,
                              .impulse = sim->y_event[sim->system->impulse_at + k] - memory->impulse_before,
                              .peak_time = memory->peak.time,
                              .peak_elastic = (double)NAN,
                              .peak_damping = (double)NAN};
    memory->peak = (lash_peak){0};
    return lashi_log_event(sim, &event, error);
}

/* largest: impulse of all contacts of this impact. */
static lash_status log_impact(lash_sim *sim, int k, double largest, lash_error *error) {
    const lashi_impact *impact = &sim->impacts[k];
    const lashi_gap *m = &sim->workspace->contact_states[k].gap;
    if (!lashi_impulse_counts(impact->impulse, largest))
        return LASH_OK;
    sim->accounts[k].impacts++;
    const lash_event event = {.kind = LASH_EVENT_IMPACT,
                              .time = sim->t_new,
                              .joint = sim->system->contacts[k].name,
                              .angle = atan2(m->n.y, m->n.x),
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
    for (int k = 0; k < system->contact_count; k++) {
        const bool modes = system->contacts[k].model == LASHI_MODEL_MODES;
        arrives = arrives || (modes && turning[k] && !sim->memories[k].touching);
        holds = holds || (modes && sim->memories[k].touching);
        sim->was_touching[k] = modes && sim->memories[k].touching;
        sim->impacts[k] =
            (lashi_impact){.joins = modes && (turning[k] || sim->memories[k].touching),
                           .merges = turning[k] && !sim->memories[k].touching && !sim->events[k].armed};
    }
    sim->stuck = sim->t_new > sim->integrator->t_old ? 0 : sim->stuck + 1;
    if (sim->stuck > MOST_STUCK)
        return lashi_fail_at(error, LASH_ERROR_LIMIT, sim->t_new, "",
                             "at t = %.9g s contacts open and close again without end; a larger rest_speed "
                             "lets them follow",
                             sim->t_new);
    lash_status status = !holds    ? LASH_OK
                         : arrives ? tidy_arrival(sim, turning, error)
                                   : tidy(sim->y_event, sim, sim->t_new, error);
    if (!status && arrives) {
        // Also one that has just left the wall and may be thrown back by this impact.
        for (int k = 0; k < system->contact_count; k++)
            if (system->contacts[k].model == LASHI_MODEL_MODES &&
                fabs(sim->memories[k].delta) <= system->contacts[k].p->tolerance)
                sim->impacts[k].joins = true;
        status = meet(sim->y_event, sim, sim->t_new, error);
    } else if (!status) {
        for (int k = 0; k < system->contact_count; k++) {
            sim->impacts[k].rests = sim->impacts[k].joins && !turning[k];
            if (sim->impacts[k].joins && turning[k])
                sim->memories[k].touching = 0;
        }
        status = settle(sim->y_event, sim, sim->t_new, error);
    }
    return status;
}

void lashi_modes_keep(lash_sim *sim) {
    for (int k = 0; k < sim->system->contact_count; k++) {
        const bool holds = sim->system->contacts[k].model == LASHI_MODEL_MODES && sim->memories[k].touching;
        sim->was_touching[k] = holds;
        sim->impacts[k] = (lashi_impact){.joins = holds, .rests = holds};
    }
}

lash_status lashi_modes_changed(lash_sim *sim, lash_error *error) {
    const lash_system *system = sim->system;
    bool any = false;
    double largest = 0;
    for (int k = 0; k < system->contact_count; k++)
        if (sim->impacts[k].joins) {
            any = true;
            largest = fmax(largest, sim->impacts[k].impulse);
        }
    // The events are described by the point after all changes.
    lash_status status = LASH_OK;
    if (any && lashi_evaluate(sim->ydot_work, sim->workspace, sim->t_new, sim->y_event))
        status = singular(sim, error);
    for (int k = 0; !status && k < system->contact_count; k++) {
        lashi_memory *memory = &sim->memories[k];
        const bool before = sim->was_touching[k], now = memory->touching;
        if (!sim->impacts[k].joins)
            continue;
        status = log_impact(sim, k, largest, error);
        if (!before)
            sim->accounts[k].free_time += sim->t_new - memory->since;
        if (!status && before && !now)
            status = end_following(sim, k, error);
        if (!status && !before && now)
            status = begin_following(sim, k, error);
        if (before != now || !before)
            memory->since = sim->t_new;
        memory->angle =
            atan2(sim->workspace->contact_states[k].gap.n.y, sim->workspace->contact_states[k].gap.n.x);
    }
    return status;
}

void lashi_modes_note(lash_sim *sim) {
    for (int k = 0; sim->workspace->linked && k < sim->system->contact_count; k++)
        if (lashi_presses(sim, k))
            lashi_note_force(sim, k, sim->integrator->t,
                             fabs(sim->workspace->contact_states[k].normal_force));
}
