/* SPDX-License-Identifier: MIT
 *
 * Set-valued friction during a run: where parts stick, slide and turn back (contact/rub.h; the forces are in
 * dynamics/rubbing.c).
 *
 * Events. What slides has its speed along its way as an event function: it falls through zero where it
 * stops or turns back. What sticks has what is left of its friction: it falls through zero where it gives
 * way. The latter costs an evaluation, so that a step is looked through only where the stages came near, or
 * where a load or drive is a function of the time: as the pressure of rigid contacts (modes.c).
 *
 * At an event all places at rest are decided again: what sticks has |f| ≤ its limit. Places that cannot move
 * one without the other, as the pins of a linkage, share what is to be held. How they do so has no effect on
 * the motion except for when they give way: together, when no other shares would hold. So the shares are
 * those for which the largest use |f|/limit is least. That is a linear programme, solved by weights found
 * again and again, share ← limit share/|f| (iteratively reweighted least squares on the dual, an L1 norm;
 * Weiszfeld 1937). If the largest use is then 1, all places with that use begin to slide against f, with the
 * kinetic coefficient, and the others are decided once more. A place whose parts a drive moves slides as the
 * drive says; in a dwell it sticks without force.
 *
 * Where something comes to rest its speed is set to zero, by the smallest change of the velocities: so that
 * errors of the integration do not become creep.
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/larger.h"

/* What two directions differ by that are the same. */
static const double SAME_WAY = 1e-9;
/* Of the forces of places that cannot move one without the other. */
static const double LARGEST_SHARE = 1e6;
/* Lengths of the range of what holds it, from zero, that are near. */
static const double NEAR = 1.0;
/* Of the speed that is none: where the event of what slides in several directions is armed. */
static const double ARMED = 0.25;
enum { KNOWN_CHANGES = 5, TURNS = 40, LOOKS = 16 };

static const lashi_rub *rub_of(const lash_sim *sim, int r) {
    return &sim->system->rubs[r];
}

static bool is_set_valued(const lash_sim *sim, int r) {
    return rub_of(sim, r)->law.kind->sticks;
}

static bool touches(const lash_sim *sim, int r) {
    const int k = rub_of(sim, r)->contact;
    return k < 0 || sim->memories[k].touching;
}

static bool slides(const lashi_rub_memory *memory) {
    return memory->mode == LASHI_RUB_SLIDES || memory->mode == LASHI_RUB_BEGINS;
}

/* What is left of sliding as it does, at the frames of the sim; where it begins, at the workspace's point. */
static double onward(const lash_sim *sim, int r) {
    const lashi_rub_memory *memory = &sim->rub_memories[r];
    lashi_rub_state state = sim->workspace->rub_states[r];
    if (memory->mode == LASHI_RUB_SLIDES) {
        lashi_slide slide;
        int body[LASHI_LINKS];
        lashi_rub_slide(&slide, body, rub_of(sim, r), memory, sim->system, sim->frames);
        memcpy(state.speed, slide.speed, sizeof slide.speed);
    }
    return lashi_rub_onward(rub_of(sim, r), memory, &state);
}

/* The unit vector of `sign` times `a`. */
static void direct(double way[LASHI_WAYS], const double *a, int ways, double sign) {
    const double length = lashi_ways_length(a, ways);
    for (int k = 0; k < ways; k++)
        way[k] = length > 0 ? sign * a[k] / length : k == 0;
}

/* Whether anything is in that mode. */
static bool any(const lash_sim *sim, lashi_rub_mode mode) {
    for (int r = 0; r < sim->system->rub_count; r++)
        if (sim->rub_memories[r].mode == mode && touches(sim, r))
            return true;
    return false;
}

/* What is left of what holds r: of its friction, and before a drive has carried it off. */
static double hold_left(const lash_sim *sim, int r) {
    const lashi_rub_state *state = &sim->workspace->rub_states[r];
    const double carried = 1 - lashi_ways_length(state->speed, rub_of(sim, r)->ways) /
                                   (LASHI_RUB_CARRIED_OFF * sim->rub_memories[r].rest);
    return fmin(lashi_rub_margin(rub_of(sim, r), state), carried);
}

void lashi_stick_values(double *g, lash_sim *sim, double t, const double *y) {
    const bool bad = (any(sim, LASHI_RUB_STICKS) || any(sim, LASHI_RUB_BEGINS)) &&
                     lashi_evaluate(sim->ydot_work, sim->workspace, t, y);
    for (int r = 0; r < sim->system->rub_count; r++) {
        g[r] = 1;
        if (!is_set_valued(sim, r) || !touches(sim, r))
            continue;
        if (bad)
            g[r] = (double)NAN;
        else if (slides(&sim->rub_memories[r]))
            g[r] = onward(sim, r);
        else if (sim->rub_memories[r].mode == LASHI_RUB_STICKS)
            g[r] = hold_left(sim, r);
    }
}

static lashi_event *event_of(const lash_sim *sim, int r) {
    return &sim->events[sim->system->contact_count + sim->border_count + r];
}

/* The event of r in its present mode; the workspace and the sim's frames are where it begins. */
static void set_event(const lash_sim *sim, int r) {
    const lashi_rub_memory *memory = &sim->rub_memories[r];
    lashi_event event = {.direction = -1, .threshold = INFINITY};
    if (is_set_valued(sim, r) && touches(sim, r) && slides(memory)) {
        event.threshold = rub_of(sim, r)->ways > 1 ? ARMED * memory->rest : memory->rest;
        event.armed = onward(sim, r) > event.threshold;
    } else if (is_set_valued(sim, r) && touches(sim, r) && memory->mode == LASHI_RUB_STICKS) {
        event.threshold = LASHI_RUB_HELD;
        event.armed = hold_left(sim, r) > LASHI_RUB_HELD;
    }
    *event_of(sim, r) = event;
}

/* What slides in more than one direction: its way follows it, so that it does not seem to turn back in a
 * long curve; and the first way of a contact in space goes along with its surface. */
static void follow(lash_sim *sim, int r) {
    lashi_rub_memory *memory = &sim->rub_memories[r];
    const int ways = rub_of(sim, r)->ways;
    lashi_slide slide;
    int body[LASHI_LINKS];
    if (ways == 1 || !is_set_valued(sim, r) || !touches(sim, r))
        return;
    lashi_rub_slide(&slide, body, rub_of(sim, r), memory, sim->system, sim->frames);
    if (rub_of(sim, r)->contact >= 0)
        memory->ahead = slide.along[0];
    if (memory->mode == LASHI_RUB_SLIDES && lashi_ways_length(slide.speed, ways) > memory->rest)
        direct(memory->way, slide.speed, ways, 1);
}

static void watch_margins(lash_sim *sim) {
    for (int r = 0; r < sim->system->rub_count; r++) {
        const bool sticks = sim->rub_memories[r].mode == LASHI_RUB_STICKS;
        sim->workspace->least_margin[r] = sim->workspace->most_margin[r] =
            sticks ? lashi_rub_margin(rub_of(sim, r), &sim->workspace->rub_states[r]) : 1;
    }
}

void lashi_stick_watch(lash_sim *sim) {
    lashi_frames_at(sim->frames, NULL, sim->system, sim->integrator->t, lashi_sim_y(sim));
    for (int r = 0; r < sim->system->rub_count; r++)
        follow(sim, r);
    watch_margins(sim);
}

double lashi_stick_reach(const lash_sim *sim) {
    return sim->system->sticks && any(sim, LASHI_RUB_STICKS) ? sim->integrator->t + LASHI_LONGEST_STUCK
                                                             : INFINITY;
}

double lashi_stick_parts(lash_sim *sim) {
    lashi_frames_at(sim->frames, NULL, sim->system, sim->integrator->t, lashi_sim_y(sim));
    for (int r = 0; r < sim->system->rub_count; r++) {
        const lashi_rub_memory *memory = &sim->rub_memories[r];
        const double least = sim->workspace->least_margin[r], most = sim->workspace->most_margin[r];
        if (!is_set_valued(sim, r) || !touches(sim, r))
            continue;
        if (memory->mode == LASHI_RUB_SLIDES && onward(sim, r) < 0)
            return LOOKS;
        if (memory->mode == LASHI_RUB_STICKS && (sim->timed || !(least > NEAR * (most - least))))
            return LOOKS;
    }
    return sim->workspace->mismatch ? LOOKS : 0;
}

/* ---- deciding ---- */

/* Sliding speed of r at the workspace's point that is made by `error` of the velocities in y. */
static double speed_of(const lash_sim *sim, int r, const lashi_slide *slide, const int body[LASHI_LINKS],
                       const double *error) {
    const lash_system *system = sim->system;
    double sum = 0, unit[LASHI_FREEDOMS];
    for (int i = 0; i < system->n_v; i++)
        for (int link = 0; link < LASHI_LINKS; link++)
            for (int k = 0; k < rub_of(sim, r)->ways && body[link] == system->freedom[i] / LASHI_FREEDOMS;
                 k++) {
                double speed = 0;
                lashi_velocity_unit(unit, system, sim->workspace->frames, i);
                for (int n = 0; n < LASHI_FREEDOMS; n++)
                    speed += slide->T[k][link][n] * unit[n];
                sum += fabs(speed) * error[system->v_at + i];
            }
    return sum;
}

/* The one that is none: what the tolerance makes of it. */
static double rest_speed(const lash_sim *sim, int r, const lashi_slide *slide, const int body[LASHI_LINKS]) {
    return fmax(LASHI_RUB_AT_REST * lashi_pace(sim) * speed_of(sim, r, slide, body, sim->atol), DBL_MIN);
}

static double project(const double *a, const double *b, int ways) {
    double sum = 0;
    for (int k = 0; k < ways; k++)
        sum += a[k] * b[k];
    return sum;
}

static lash_status look(lash_sim *sim, double t, const double *y, lash_error *error) {
    if (!lashi_evaluate(sim->ydot_work, sim->workspace, t, y))
        return LASH_OK;
    const lash_status status =
        lashi_fail_at(error, LASH_ERROR_SINGULAR, t, "",
                      "the equations of motion could not be solved at t = %.9g s, where friction changes", t);
    return lashi_sim_explain(sim, status, error);
}

/* Share of its friction that is used; of a contact that would have to pull, which has none, all and more: it slides, or is let
 * go afterwards (modes.c). */
static double use_of(const lash_sim *sim, int r) {
    const lashi_rub_state *state = &sim->workspace->rub_states[r];
    const double force = lashi_ways_length(state->force, rub_of(sim, r)->ways);
    return !(force > 0) ? 0 : state->limit > 0 ? force / state->limit : INFINITY;
}

/* The largest use of friction of what rests, as the forces are shared. */
static double largest_use(const lash_sim *sim) {
    double most = 0;
    for (int r = 0; r < sim->system->rub_count; r++)
        most = fmax(most, sim->resting[r] ? use_of(sim, r) : 0);
    return most;
}

/* The shares for which the largest use is least. */
static lash_status balance(lash_sim *sim, double t, const double *y, lash_error *error) {
    double before = INFINITY;
    lash_status status = look(sim, t, y, error);
    for (int k = 0; !status && k < LASHI_RUB_BALANCES; k++) {
        const double most = largest_use(sim);
        if (!(most > 0) || !isfinite(most) || fabs(most - before) <= LASHI_RUB_SAME_USE * most)
            break;
        before = most;
        for (int r = 0; r < sim->system->rub_count; r++) {
            lashi_rub_memory *memory = &sim->rub_memories[r];
            if (!sim->resting[r])
                continue;
            const double use = fmax(use_of(sim, r), LASHI_RUB_LEAST_USE * most) / most;
            memory->share = fmin(memory->share / use, LARGEST_SHARE);
        }
        status = look(sim, t, y, error);
    }
    return status;
}

/* What makes a place begin to slide: forces, or drives alone, which decide the direction as well. */
enum { FREELY = 1, DRIVEN = 2 };

static void begin_sliding(lash_sim *sim, int r, const double *along, double sign, unsigned char why) {
    lashi_rub_memory *memory = &sim->rub_memories[r];
    memory->mode = LASHI_RUB_STARTS;
    direct(memory->way, along, rub_of(sim, r)->ways, sign);
    sim->resting[r] = 0;
    sim->starting[r] = why;
}

static void keep(lash_sim *sim, int r) {
    sim->rub_memories[r].mode = LASHI_RUB_STICKS;
    sim->resting[r] = 1;
    sim->starting[r] = 0;
}

/* Where friction has more than one direction: its way is that of the motion which begins; where none begins
 * it sticks. */
static lash_status turn_ways(lash_sim *sim, double t, const double *y, lash_error *error) {
    for (int k = 0; k < TURNS; k++) {
        double most = 0;
        bool any_turns = false;
        for (int r = 0; r < sim->system->rub_count; r++) {
            sim->turns[r] = sim->starting[r] == FREELY && rub_of(sim, r)->ways > 1;
            any_turns = any_turns || sim->turns[r];
        }
        if (!any_turns)
            return LASH_OK;
        if (!lashi_rub_fit(sim->fitted, sim->workspace, sim->turns))
            return lashi_fail_memory(error);
        for (int r = 0; r < sim->system->rub_count; r++) {
            const int ways = rub_of(sim, r)->ways;
            lashi_rub_memory *memory = &sim->rub_memories[r];
            double way[LASHI_WAYS];
            if (!sim->turns[r])
                continue;
            direct(way, sim->fitted[r], ways, -1);
            for (int i = 0; i < ways; i++) {
                most = fmax(most, fabs(way[i] - memory->way[i]));
                memory->way[i] = way[i];
            }
            const double force = lashi_ways_length(sim->workspace->rub_states[r].force, ways);
            if (lashi_ways_length(sim->fitted[r], ways) < (1 - LASHI_RUB_NO_RATE) * force)
                keep(sim, r);
        }
        const lash_status status = look(sim, t, y, error);
        if (status || most <= SAME_WAY)
            return status;
    }
    return LASH_OK;
}

/* Those at rest that cannot be held begin to slide. Returns whether there are any. */
static bool let_go(lash_sim *sim) {
    const double most = largest_use(sim);
    bool any = false;
    for (int r = 0; r < sim->system->rub_count; r++) { // drives move them
        double rate[LASHI_WAYS];
        if (!sim->resting[r])
            continue;
        const double scale = lashi_rub_rate(rate, sim->workspace, r);
        if (!(lashi_ways_length(rate, rub_of(sim, r)->ways) > LASHI_RUB_NO_RATE * scale))
            continue;
        begin_sliding(sim, r, rate, 1, DRIVEN);
        any = true;
    }
    if (any || !(most > 1 - LASHI_RUB_HELD))
        return any;
    for (int r = 0; r < sim->system->rub_count; r++)
        if (sim->resting[r] && !(use_of(sim, r) < (1 - LASHI_RUB_ONE_OF) * most))
            begin_sliding(sim, r, sim->workspace->rub_states[r].force, -1, FREELY);
    return true;
}

/* Those that were to slide, but would do so the other way, stay. Returns whether there are any. */
static bool keep_back(lash_sim *sim) {
    bool any = false;
    for (int r = 0; r < sim->system->rub_count; r++) {
        const lashi_rub_memory *memory = &sim->rub_memories[r];
        double rate[LASHI_WAYS];
        if (!sim->starting[r])
            continue;
        const double scale = lashi_rub_rate(rate, sim->workspace, r);
        if (project(memory->way, rate, rub_of(sim, r)->ways) >= -LASHI_RUB_NO_RATE * scale)
            continue;
        keep(sim, r);
        any = true;
    }
    return any;
}

/* What sticks and what begins to slide of what is at rest. */
static lash_status decide(lash_sim *sim, double t, const double *y, lash_error *error) {
    bool known = true; // the loads of all places at rest, and how much friction they have
    for (int r = 0; r < sim->system->rub_count; r++)
        known = known && (!sim->resting[r] || (rub_of(sim, r)->ways > 1 && rub_of(sim, r)->constraint < 0));
    const int most = known ? KNOWN_CHANGES : LASHI_RUB_CHANGES * sim->system->rub_count;
    lash_status status = LASH_OK;
    for (int r = 0; r < sim->system->rub_count;
         r++) { // with more friction at rest there may be several solutions
        const lashi_friction *law = &rub_of(sim, r)->law;
        known = known && (!sim->resting[r] || law->p->still == law->p->kinetic);
    }
    for (int change = 0; !status && change <= most; change++) {
        status = balance(sim, t, y, error);
        if (!status && !let_go(sim) && !keep_back(sim))
            return LASH_OK;
        if (!status)
            status = look(sim, t, y, error);
        if (!status)
            status = turn_ways(sim, t, y, error);
    }
    // With loads that are known there is a solution, which all places at rest find together.
    for (int r = 0; !status && known && r < sim->system->rub_count; r++)
        if (sim->resting[r] || sim->starting[r])
            begin_sliding(sim, r, sim->workspace->rub_states[r].force, -1, FREELY);
    if (!status && known) {
        status = look(sim, t, y, error);
        return status ? status : turn_ways(sim, t, y, error);
    }
    return status ? status
                  : lashi_fail_at(
                        error, LASH_ERROR_SINGULAR, t, "",
                        "at t = %.9g s no combination of sticking and sliding fits the law coulomb: with so "
                        "much friction rigid parts jam, and their motion has no or several solutions "
                        "(Painlevé). Lower the coefficient, or use a law that is a function of the speed, "
                        "for example stribeck",
                        t);
}

static lash_status log_change(lash_sim *sim, int r, double t, const lashi_rub_memory *before,
                              lash_error *error) {
    const lashi_rub_memory *now = &sim->rub_memories[r];
    const bool slid = slides(before), goes_on = slides(now);
    // What slides in several directions may turn by any angle without having been at rest.
    const bool back = slid && (rub_of(sim, r)->ways == 1 || sim->starting[r]) &&
                      project(before->way, now->way, rub_of(sim, r)->ways) < 0;
    if (!sim->logging || !touches(sim, r) || (slid == goes_on && !back))
        return LASH_OK;
    const lash_event event = {
        .kind = goes_on ? LASH_EVENT_SLIP : LASH_EVENT_STICK, .time = t, .joint = rub_of(sim, r)->name};
    return lashi_log_event(sim, &event, error);
}

/* Who is at rest, and how the others slide. found: the one whose event it is; -1: none. again: at the same instant. */
static void sort(lash_sim *sim, int found, bool again) {
    for (int r = 0; r < sim->system->rub_count; r++) {
        lashi_rub_memory *memory = &sim->rub_memories[r];
        const int ways = rub_of(sim, r)->ways;
        lashi_slide slide;
        int body[LASHI_LINKS];
        if (!again)
            sim->before[r] = *memory;
        sim->resting[r] = sim->starting[r] = sim->stuck_so[r] = 0;
        if (!is_set_valued(sim, r))
            continue;
        if (!touches(sim, r)) {
            *memory = (lashi_rub_memory){0};
            continue;
        }
        const bool stuck = memory->mode == LASHI_RUB_STICKS, begins = memory->mode == LASHI_RUB_BEGINS;
        sim->stuck_so[r] = stuck;
        lashi_rub_slide(&slide, body, rub_of(sim, r), memory, sim->system, sim->workspace->frames);
        memory->rest = rest_speed(sim, r, &slide, body);
        if (rub_of(sim, r)->contact >= 0)
            memory->ahead = slide.along[0];
        const double speed = lashi_ways_length(slide.speed, ways) / memory->rest;
        // What has begun to slide goes on to begin where others change.
        if (begins && speed > 1 && found != r &&
            lashi_rub_onward(rub_of(sim, r), memory, &sim->workspace->rub_states[r]) > 0)
            continue;
        sim->resting[r] = speed <= (stuck    ? 0.5 * LASHI_RUB_CARRIED_OFF
                                    : begins ? LASHI_RUB_SLOW
                                             : 1) ||
                          (found == r && !stuck && ways == 1);
        memory->share = 1;
        memory->mode = sim->resting[r] ? LASHI_RUB_STICKS : LASHI_RUB_SLIDES;
        if (!sim->resting[r])
            direct(memory->way, slide.speed, ways, 1);
    }
}

/* What could not be stopped without much greater changes of other speeds goes on as if it had just begun. */
static void go_on_slowly(lash_sim *sim, int r) {
    lashi_rub_memory *memory = &sim->rub_memories[r];
    const double *speed = sim->workspace->rub_states[r].speed;
    const int ways = rub_of(sim, r)->ways;
    if (!sim->resting[r] || ways == 1 || lashi_ways_length(speed, ways) <= memory->rest)
        return;
    sim->resting[r] = 0;
    memory->mode = LASHI_RUB_BEGINS;
    direct(memory->way, speed, ways, 1);
}

lash_status lashi_stick_decide(double *y, lash_sim *sim, double t, int found, bool again, lash_error *error) {
    const lash_system *system = sim->system;
    lash_status status = look(sim, t, y, error);
    if (status)
        return status;
    sort(sim, found, again);
    bool stops = false;
    for (int r = 0; r < system->rub_count; r++) {
        lashi_slide slide;
        int body[LASHI_LINKS];
        if (!sim->resting[r] || sim->stuck_so[r])
            continue;
        stops = true;
        lashi_rub_slide(&slide, body, rub_of(sim, r), &sim->rub_memories[r], system, sim->workspace->frames);
        memcpy(sim->rub_memories[r].held, slide.travel, sizeof slide.travel);
    }
    if (stops) { // else what gives way would not be at its limit any more
        if (!lashi_rub_stop(y, sim->workspace, sim->resting))
            return lashi_fail_memory(error);
        status = look(sim, t, y, error);
        for (int r = 0; !status && r < system->rub_count; r++)
            go_on_slowly(sim, r);
    }
    if (!status)
        status = decide(sim, t, y, error);
    for (int r = 0; !status && r < system->rub_count; r++)
        if (sim->starting[r])
            sim->rub_memories[r].mode = rub_of(sim, r)->ways > 1 ? LASHI_RUB_BEGINS : LASHI_RUB_SLIDES;
    return status;
}

void lashi_stick_by_speed(lash_sim *sim, double t, const double *y) {
    lashi_frames_at(sim->workspace->frames, NULL, sim->system, t, y);
    sim->workspace->present = false;
    for (int r = 0; r < sim->system->rub_count; r++) {
        lashi_rub_memory *memory = &sim->rub_memories[r];
        lashi_slide slide;
        int body[LASHI_LINKS];
        if (!is_set_valued(sim, r))
            continue;
        lashi_rub_slide(&slide, body, rub_of(sim, r), memory, sim->system, sim->workspace->frames);
        const double none = LASHI_RUB_AT_REST * speed_of(sim, r, &slide, body, sim->least);
        const bool rests = lashi_ways_length(slide.speed, rub_of(sim, r)->ways) <= none;
        *memory = (lashi_rub_memory){
            .mode = rests ? LASHI_RUB_STICKS : LASHI_RUB_BY_SPEED, .rest = fmax(none, DBL_MIN), .share = 1};
        memcpy(memory->held, slide.travel, sizeof slide.travel);
    }
}

lash_status lashi_stick_decided(const double *y, lash_sim *sim, double t, lash_error *error) {
    lash_status status = LASH_OK;
    lashi_frames_at(sim->frames, NULL, sim->system, t, y);
    for (int r = 0; !status && r < sim->system->rub_count; r++) {
        set_event(sim, r);
        status = log_change(sim, r, t, &sim->before[r], error);
    }
    watch_margins(sim);
    return status;
}

/* Whether r has to be decided again at the workspace's point: also where it slides with a speed that is none, since its drive may
 * have come to rest. */
static bool is_doubtful(const lash_sim *sim, int r) {
    const lashi_rub_memory *memory = &sim->rub_memories[r];
    lashi_slide slide;
    int body[LASHI_LINKS];
    if (memory->mode == LASHI_RUB_STICKS)
        return hold_left(sim, r) < -LASHI_RUB_HELD;
    if (memory->mode != LASHI_RUB_SLIDES)
        return false;
    lashi_rub_slide(&slide, body, rub_of(sim, r), memory, sim->system, sim->workspace->frames);
    return lashi_ways_length(slide.speed, rub_of(sim, r)->ways) <= rest_speed(sim, r, &slide, body);
}

bool lashi_stick_contradicts(const lash_sim *sim) {
    for (int r = 0; r < sim->system->rub_count; r++)
        if (is_set_valued(sim, r) && touches(sim, r) && is_doubtful(sim, r))
            return true;
    return false;
}

lash_status lashi_stick_create(lash_sim *sim, lash_error *error) {
    const size_t count = (size_t)sim->system->rub_count;
    sim->resting = lashi_arena_alloc(&sim->arena, count, 1);
    sim->starting = lashi_arena_alloc(&sim->arena, count, 1);
    sim->turns = lashi_arena_alloc(&sim->arena, count, 1);
    sim->stuck_so = lashi_arena_alloc(&sim->arena, count, 1);
    sim->before = lashi_arena_alloc(&sim->arena, count, sizeof *sim->before);
    sim->fitted = lashi_arena_alloc(&sim->arena, count, sizeof *sim->fitted);
    return sim->resting && sim->starting && sim->turns && sim->stuck_so && sim->before && sim->fitted
               ? LASH_OK
               : lashi_fail_memory(error);
}
