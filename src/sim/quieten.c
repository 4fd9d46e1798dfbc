/* SPDX-License-Identifier: MIT
 *
 * When lasting contact becomes quiet and when it is resolved again (dynamics/quiet.c has the equations).
 *
 * What a quiet contact leaves out is its vibration about w. It becomes quiet where that vibration,
 *     A = √((δ − w)² + (δ̇ − ẇ)²/Ω²),
 * is below ENTER of what the tolerance allows: rtol of the contact's largest force, and rtol of the machine's
 * speed, whichever is less, but no more than a hundredth of w. With following: reduce it is a thousandth of
 * w.
 *
 * Since δ is integrated from a polynomial in place of ẅ, it drifts off w, which is far better known; N is
 * not touched by that. So the drift is measured as a position and a speed, rtol of the widest gap and
 * of the machine's speed, and every step ends with δ put back on w. What A has beyond the drift that the error of the
 * polynomial explains is a vibration that something has begun, or what w and ẇ themselves err by: a shorter step tells
 * these from drift, which it makes smaller. What a polynomial errs by is also an error of the force.
 *
 * A contact is resolved again, from the beginning of the step, where that is more than the tolerance allows,
 * or where w changes so fast that nothing of this holds, ρ > FAST: so before a contact opens, since ρ grows
 * without bound as N falls, and where loads become fast. Forces that jump begin vibrations: there it is resolved whatever
 * follows. At a kink of a friction law ẇ jumps, and a vibration of Δẇ/Ω begins: where that is more than what may be left
 * out when a contact becomes quiet, it is resolved there. Else the step ends at the kink and the next begins with
 * ẅ alone, since its derivatives jump too.
 *
 * Contacts become quiet all at once, and so they are resolved: one that is resolved bounds the step anyway,
 * and one that begins or ends shakes the others. The test costs some evaluations. So it is done where δ̇ was
 * small in all of them for CALM steps, again after WAIT steps, and ever later where contacts were quiet for
 * too short a time to be worth it.
 *
 * Lasting contact has a tolerance of its own (lashi_lasting_leniency): what is asked of steps between
 * bounces, which multiply errors, is far more than its force and depth need.
 */
#include "sim/sim.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* What is left out when a contact becomes quiet, and at a kink, in its units; ρ that is too fast. */
static const double ENTER = 0.7, FAST = 0.03;
/* Of w: what may be left out with following: reduce, and at most. */
static const double REDUCED = 1e-3, SHALLOW = 1e-2;
/* What may have drifted at the end of a step, of what the tolerance allows over many. */
static const double DRIFT_SHARE = 0.3;
/* How far the force may go from what it is at the end of a step. */
static const double STEEP = 3;
/* What is not drift counts as so many times too much: a third of the step shows whether it is a vibration. */
static const double UNEXPLAINED = 8;
/* Share of Ω w up to which |δ̇| may be that of a contact that has become quiet. */
static const double SLOW = 0.05;
enum { CALM = 8, WAIT = 8, LONGEST_WAIT = 256 };
/* A vibration that is certainly too large, in units of what may be left out and of w. */
static const double FAR = 10, FAR_OF_DEPTH = 1e-3;
/* Quiet steps that are worth it. */
enum { LASTED = 16 };
/* A step in which a contact has drifted too far is repeated, by this share over the cube root of how far.
 */
static const double SHORTER = 0.7;
/* In units of 1/Ω: first steps of a quiet contact, beyond a kink at least, and of one that is resolved again; and the
 * shortest that is worth it: a resolved step is about as long and costs two thirds. */
static const double FIRST_QUIET = 20, BEYOND_KINK = 4, FIRST_RESOLVED = 0.5, SHORTEST = 1;
/* What one step may err by in lasting contact, of what may be left out: as errors of a vibration add up until
 * it is damped out, so much of its damping ratio, between bounds. And when contact lasts, in the longest time
 * of an impact. */
static const double OF_DAMPING = 3, LEAST_SHARE = 0.002, LARGEST_SHARE = 0.2, MOST_DAMPED = 0.5, LASTS = 3;

/* m: the vibration that the tolerance allows at this depth and frequency. */
static double unit_of(const lash_sim *sim, int k, double depth, double frequency) {
    const lashi_contact *contact = &sim->system->contacts[k];
    const double force = lashi_largest_force(sim, k) / lashi_normal_stiffness(&contact->normal, depth),
                 speed = sim->own_speed / (frequency * contact->p->lever);
    return sim->system->model->run.rtol * fmin(force, speed);
}

/* m: the vibration that may be left out there. */
static double most_left_out(const lash_sim *sim, int k, double depth, double frequency) {
    return sim->system->contacts[k].reduces ? REDUCED * depth
                                            : fmin(unit_of(sim, k, depth, frequency), SHALLOW * depth);
}

/* m: how far a quiet contact may drift off its depth. */
static double farthest_drift(const lash_sim *sim, int k, double frequency) {
    const lashi_contact_numbers *p = sim->system->contacts[k].p;
    return DRIFT_SHARE * sim->system->model->run.rtol *
           fmin(sim->accounts[k].farthest, sim->own_speed / (frequency * p->lever));
}

/* Ω of a contact that touches, so deep. */
static double frequency_at(const lash_sim *sim, int k, double depth) {
    return sqrt(lashi_normal_stiffness(&sim->system->contacts[k].normal, depth) *
                sim->memories[k].onset.inverse_mass);
}

static bool lasts(const lash_sim *sim, int k) {
    const lashi_memory *memory = &sim->memories[k];
    return memory->touching && sim->system->contacts[k].watched &&
           sim->integrator->t - memory->since > LASTS * lashi_impact_limit(&sim->accounts[k]);
}

/* What one step may err by, of unit_of. */
static double share_of_step(const lash_sim *sim, int k, double frequency) {
    const lashi_memory *memory = &sim->memories[k];
    const double speed = SLOW * frequency * memory->delta;
    const lashi_normal_result r =
        lashi_normal_force_phase(&sim->system->contacts[k].normal, memory->delta, speed, &memory->onset);
    const double ratio = (r.force - r.elastic) / speed * memory->onset.inverse_mass / (2 * frequency);
    // Stability bounds the step then, and errors are what it lets grow.
    if (ratio > MOST_DAMPED)
        return 0;
    // Errors of the speed are force too.
    return fmin(LARGEST_SHARE, fmax(LEAST_SHARE, OF_DAMPING * ratio)) / (1 + 2 * ratio);
}

double lashi_lasting_leniency(const lash_sim *sim) {
    const lash_system *system = sim->system;
    double allowed = INFINITY;
    // Every joint with play has a contact that lasts: nothing bounces.
    for (int k = 0, end; k < system->contact_count; k = end) {
        bool held = false;
        for (end = k; end < system->contact_count && system->contacts[end].joint == system->contacts[k].joint;
             end++) {
            if (!sim->memories[end].touching)
                continue;
            if (!system->contacts[end].quietens || !lasts(sim, end) || system->contacts[end].lubricated ||
                system->contacts[end].friction.bristle)
                return 1;
            // As deep as it has been, where an error of the depth is the largest one of the force.
            const double depth = fmax(sim->memories[end].delta, sim->memories[end].peak_delta);
            const double frequency = frequency_at(sim, end, depth);
            if (!(frequency > 0))
                return 1;
            held = true;
            allowed = fmin(allowed, share_of_step(sim, end, frequency) * unit_of(sim, end, depth, frequency) *
                                        system->contacts[end].p->lever);
        }
        if (!held)
            return 1;
    }
    return isfinite(allowed) ? fmax(1, allowed / sim->unrounded) : 1;
}

/* What a contact leaves out at the point last looked at, in m. */
typedef struct leftover {
    double vibration; /* A */
    double unit;      /* what may be left out */
    double force;     /* of the force, as a depth */
    double explained; /* of A: drift */
    double drift;     /* what may have drifted */
} leftover;

/* After a step of length h; 0: at a point. False: it cannot be quiet. */
static bool left_out(leftover *out, const lash_sim *sim, int k, double h) {
    const lashi_quiet *q = &sim->workspace->quiet[k];
    const lashi_contact_state *state = &sim->workspace->contact_states[k];
    if (!(state->normal_force > 0) || !(q->depth > 0) || !(q->fast < FAST))
        return false;
    const double off = fabs(q->curve - lashi_quiet_curve(&sim->memories[k].quiet, sim->integrator->t));
    out->vibration = hypot(state->gap.delta - q->depth, (state->gap.deltadot - q->rate) / q->frequency);
    out->unit = most_left_out(sim, k, q->depth, q->frequency);
    out->force = h > 0 ? off / (q->frequency * q->frequency) : 0;
    out->explained = off * h * (h / 4 + 1 / q->frequency);
    out->drift = fmax(out->unit, fmin(farthest_drift(sim, k, q->frequency), SHALLOW * q->depth));
    return true;
}

/* Looks at the contacts that are quiet, at (t, y). False: one cannot be. */
static bool look_at(lash_sim *sim, double t, const double *y) {
    lashi_workspace *w = sim->workspace;
    const int mismatch = w->mismatch;
    const bool fine = !lashi_sim_evaluate(sim, t, y, NULL) && !lashi_quiet_look(w, t, y);
    w->mismatch = mismatch;
    return fine;
}

static bool look(lash_sim *sim) {
    return look_at(sim, sim->integrator->t, lashi_sim_y(sim));
}

void lashi_quiet_release(lash_sim *sim) {
    for (int k = 0; sim->workspace->quieting && k < sim->system->contact_count; k++)
        if (sim->memories[k].touching == LASHI_QUIET) {
            lashi_memory *memory = &sim->memories[k];
            memory->touching = LASHI_TOUCHES;
            memory->wait = memory->calm > LASTED || memory->wait == 0 ? WAIT
                           : memory->wait < LONGEST_WAIT              ? 2 * memory->wait
                                                                      : LONGEST_WAIT;
            memory->calm = -memory->wait;
        }
    lashi_quiet_list(sim->workspace);
}

/* The highest Ω of contacts that are quiet, as last looked at in this step: a restored state has seen nothing else. */
static double highest_frequency(const lash_sim *sim) {
    double frequency = 0;
    for (int k = 0; k < sim->system->contact_count; k++)
        if (sim->memories[k].touching == LASHI_QUIET)
            frequency = fmax(frequency, sim->workspace->quiet[k].frequency);
    return frequency;
}

/* About the same where nothing was looked at: from what the memory has of the last point. */
static double remembered_frequency(const lash_sim *sim) {
    double frequency = 0;
    for (int k = 0; k < sim->system->contact_count; k++)
        if (sim->memories[k].touching == LASHI_QUIET)
            frequency = fmax(frequency, frequency_at(sim, k, sim->memories[k].delta));
    return frequency;
}

void lashi_quiet_forget(lash_sim *sim) {
    sim->kink = INFINITY;
    for (int k = 0; sim->workspace->quiet_count > 0 && k < sim->system->contact_count; k++) {
        sim->workspace->least[k] = INFINITY;
        sim->workspace->most[k] = -INFINITY;
    }
}

/* By how much a step h leaves out more than it may; INFINITY: contacts must be resolved. At most 1: it is
 * fine.
 */
static double excess(lash_sim *sim, double h) {
    const lashi_workspace *w = sim->workspace;
    double most = look(sim) ? 0 : INFINITY;
    for (int k = 0; isfinite(most) && k < sim->system->contact_count; k++) {
        leftover r;
        if (sim->memories[k].touching != LASHI_QUIET)
            continue;
        const double N = w->contact_states[k].normal_force;
        // What a stage has seen of the force is no more than a rough value.
        if (!left_out(&r, sim, k, h) || w->least[k] < N / STEEP || w->most[k] > STEEP * N)
            return INFINITY;
        most = fmax(most, fmax(r.vibration / r.drift, r.force / r.unit));
        if (r.vibration > r.unit + r.explained)
            most = fmax(most, UNEXPLAINED * r.vibration / (r.unit + r.explained));
    }
    return most;
}

/* The same where it ends at a kink of a friction law, across which nothing can be looked at. */
static double excess_at_kink(lash_sim *sim) {
    lashi_workspace *w = sim->workspace;
    const int mismatch = w->mismatch;
    double most = lashi_sim_evaluate(sim, sim->integrator->t, lashi_sim_y(sim), NULL) ? INFINITY : 0;
    w->mismatch = mismatch;
    if (isfinite(most))
        lashi_quiet_take(w);
    for (int k = 0; isfinite(most) && k < sim->system->contact_count; k++)
        if (sim->memories[k].touching == LASHI_QUIET)
            most = fmax(most, fabs(w->contact_states[k].gap.delta - w->quiet[k].depth) /
                                  farthest_drift(sim, k, frequency_at(sim, k, w->quiet[k].depth)));
    return most;
}

/* The sim back at the beginning of the step, to take one of length h. */
static lash_status take_back(lash_sim *sim, bool failed, double h, lash_error *error) {
    const double t = failed ? sim->integrator->t : sim->integrator->t_old;
    memcpy(sim->y_work, failed ? sim->integrator->y : sim->integrator->y_old,
           sim->problem.n * sizeof(double));
    sim->integrator->counts.rejected++;
    sim->workspace->mismatch = 0;
    sim->workspace->failed_force = sim->workspace->failed_rub = -1;
    const double kink = sim->kink;
    lashi_quiet_forget(sim);
    sim->kink = kink;
    return lashi_sim_restart(sim, t, sim->y_work, h, error);
}

lash_status lashi_quiet_check(lash_sim *sim, double *again, lash_status status, lash_error *error) {
    const bool failed = status < 0;
    const double h = failed ? 0 : sim->integrator->t - sim->integrator->t_old;
    *again = 0;
    if (!failed && sim->integrator->t != sim->kink) {
        sim->t_new = sim->integrator->t;
        lashi_contacts_measure(sim->ends, sim, sim->t_new, lashi_sim_y(sim));
        sim->kink = lashi_kink(sim, true);
        if (sim->kink < INFINITY) {
            *again = sim->kink - sim->integrator->t_old;
            return take_back(sim, false, *again, error);
        }
    }
    const double most = failed                            ? INFINITY
                        : sim->integrator->t == sim->kink ? excess_at_kink(sim)
                                                          : excess(sim, h);
    // What has drifted off in a long step does so less in a shorter one.
    const double shorter = fmax(0.3, SHORTER / cbrt(most)) * h;
    if (!(most > 1)) {
        sim->integrator->h_next = fmin(sim->integrator->h_next, shorter);
        return status;
    }
    const double frequency = remembered_frequency(sim);
    *again = shorter;
    if (!isfinite(most) || !(*again * frequency > SHORTEST)) {
        lashi_quiet_release(sim);
        *again = FIRST_RESOLVED / frequency;
    }
    return take_back(sim, failed, *again, error);
}

/* δ̈ of the step that begins at t, where it is `curve`. */
static void extend(lashi_quiet_way *way, double t, double curve) {
    const int count = way->count < LASHI_QUIET_POINTS ? way->count : LASHI_QUIET_POINTS - 1;
    lashi_quiet_way out = {.count = count + 1, .at = {t}, .part = {curve}};
    for (int i = 0; i < count; i++) {
        out.at[i + 1] = way->at[i];
        out.part[i + 1] = (out.part[i] - way->part[i]) / (t - way->at[i]);
    }
    *way = out;
}

/* The same beyond a kink at t. */
static void turn(lashi_quiet_way *way, double t) {
    *way = (lashi_quiet_way){.count = 1, .at = {t}, .part = {lashi_quiet_curve(way, t)}};
}

/* y_event, at which the workspace stands, with all contacts that are quiet where they should be. What that
 * changes of the energy counts as dissipated. */
static bool reach(lash_sim *sim, double t) {
    const double before = lashi_account_energy(sim);
    if (lashi_quiet_reach(sim->y_event, sim->workspace))
        return false;
    lashi_look(sim->workspace, t, sim->y_event);
    sim->y_event[sim->system->work_at + LASHI_WORK_DISSIPATION] += before - lashi_account_energy(sim);
    return true;
}

void lashi_quiet_end(lash_sim *sim) {
    if (!lashi_evaluate(sim->ydot_work, sim->workspace, sim->t_new, sim->y_event)) {
        lashi_quiet_take(sim->workspace);
        reach(sim, sim->t_new);
    }
    lashi_quiet_release(sim);
}

/* y_event: the present point with all contacts that are quiet where they should be, as last looked at, and δ̈
 * of the step to come, which a kink leaves as it is. */
static bool move_onto(lash_sim *sim, bool bends) {
    const lashi_workspace *w = sim->workspace;
    memcpy(sim->y_event, lashi_sim_y(sim), sim->problem.n * sizeof(double));
    if (!reach(sim, sim->integrator->t))
        return false;
    for (int k = 0; k < sim->system->contact_count; k++)
        if (sim->memories[k].touching == LASHI_QUIET && bends)
            turn(&sim->memories[k].quiet, sim->integrator->t);
        else if (sim->memories[k].touching == LASHI_QUIET)
            extend(&sim->memories[k].quiet, sim->integrator->t, w->quiet[k].curve);
    return true;
}

/* Whether all contacts that touch have been calm for long enough to make the test worth its cost. */
static bool all_calm(lash_sim *sim) {
    bool any = false, calm = true;
    for (int k = 0; k < sim->system->contact_count; k++) {
        const lashi_contact *contact = &sim->system->contacts[k];
        lashi_memory *memory = &sim->memories[k];
        if (!memory->touching)
            continue;
        const bool slow = contact->quietens && !contact->excited &&
                          fabs(memory->deltadot) < SLOW * frequency_at(sim, k, memory->delta) * memory->delta;
        memory->calm = memory->calm < 0 || slow ? memory->calm + 1 : 0;
        calm = calm && memory->calm >= CALM &&
               sim->integrator->t - memory->since > lashi_impact_limit(&sim->accounts[k]);
        any = true;
    }
    return any && calm;
}

/* Whether a force is so far from the one that would hold δ̈ = 0 that nothing more need be looked at. */
static bool vibrates(const lash_sim *sim, int k) {
    const lashi_normal *law = &sim->system->contacts[k].normal;
    const lashi_contact_state *state = &sim->workspace->contact_states[k];
    const double depth = state->gap.delta, slope = lashi_normal_stiffness(law, depth);
    const double force =
        lashi_normal_force_phase(law, depth, state->gap.deltadot, &sim->memories[k].onset).force;
    const double unit = unit_of(sim, k, depth, frequency_at(sim, k, depth));
    return !(fabs(state->normal_force - force) <= slope * fmax(FAR * unit, FAR_OF_DEPTH * depth));
}

/* All contacts that touch become quiet where they stand, if they may: y_event is that point then. */
static bool become_quiet(lash_sim *sim) {
    lashi_workspace *w = sim->workspace;
    const double begin = sim->integrator->t_old;
    if (!(begin < sim->integrator->t))
        return false;
    for (int k = 0; k < sim->system->contact_count; k++)
        if (sim->memories[k].touching) {
            sim->memories[k].touching = LASHI_QUIET;
            sim->memories[k].quiet = (lashi_quiet_way){0};
        }
    lashi_quiet_list(w);
    bool fine = !lashi_sim_evaluate(sim, sim->integrator->t, lashi_sim_y(sim), NULL);
    for (int k = 0; fine && k < sim->system->contact_count; k++)
        fine = !sim->memories[k].touching || !vibrates(sim, k);
    // How ẅ changes: from where the last step began.
    fine = fine && look_at(sim, begin, sim->integrator->y_old);
    for (int k = 0; fine && k < sim->system->contact_count; k++)
        if (sim->memories[k].touching)
            extend(&sim->memories[k].quiet, begin, w->quiet[k].curve);
    fine = fine && look(sim);
    for (int k = 0; fine && k < sim->system->contact_count; k++) {
        leftover r;
        if (sim->memories[k].touching)
            fine = left_out(&r, sim, k, 0) && r.vibration < ENTER * r.unit;
    }
    if (fine && move_onto(sim, false))
        return true;
    for (int k = 0; k < sim->system->contact_count; k++)
        if (sim->memories[k].touching) {
            sim->memories[k].touching = LASHI_TOUCHES;
            sim->memories[k].calm = -WAIT;
        }
    lashi_quiet_list(w);
    return false;
}

/* Whether the kink of a friction law here begins no more of a vibration than they may leave out. */
static bool bends_little(lash_sim *sim) {
    const lashi_workspace *w = sim->workspace;
    bool little = look(sim);
    for (int k = 0; little && k < sim->system->contact_count; k++)
        if (sim->memories[k].touching == LASHI_QUIET) {
            const lashi_quiet *q = &w->quiet[k];
            little = fabs(q->jump) / q->frequency <
                     ENTER * most_left_out(sim, k, w->contact_states[k].gap.delta, q->frequency);
        }
    return little;
}

/* Those that are quiet continue, from y_event, or are resolved again. *h: a step. */
static bool go_on(lash_sim *sim, double *h) {
    if (sim->workspace->quiet_count == 0)
        return false;
    const bool bends = sim->integrator->t == sim->kink;
    const double frequency = bends ? remembered_frequency(sim) : highest_frequency(sim);
    const bool goes_on = bends ? bends_little(sim) : *h * frequency > SHORTEST;
    bool moved = !lashi_sim_evaluate(sim, sim->integrator->t, lashi_sim_y(sim), NULL);
    if (moved && bends)
        lashi_quiet_take(sim->workspace);
    moved = moved && move_onto(sim, bends);
    if (bends)
        *h = fmax(*h, BEYOND_KINK / frequency);
    if (moved && goes_on)
        return true;
    *h = FIRST_RESOLVED / frequency;
    if (!moved)
        memcpy(sim->y_event, lashi_sim_y(sim), sim->problem.n * sizeof(double));
    lashi_quiet_release(sim);
    return true;
}

lash_status lashi_quieten(lash_sim *sim, lash_error *error) {
    double h = sim->integrator->h_next;
    bool any = go_on(sim, &h);
    for (int k = 0; k < sim->system->contact_count; k++)
        sim->memories[k].calm += sim->memories[k].touching == LASHI_QUIET;
    if (!any && all_calm(sim)) {
        any = become_quiet(sim);
        h = FIRST_QUIET / highest_frequency(sim);
    }
    if (!any)
        return LASH_OK;
    const lash_status status = lashi_sim_restart(sim, sim->integrator->t, sim->y_event, h, error);
    lashi_contacts_renew(sim, sim->integrator->t, lashi_sim_y(sim));
    return status;
}
