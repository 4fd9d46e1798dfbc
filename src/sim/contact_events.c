/* SPDX-License-Identifier: MIT
 *
 * Contacts of joints with play during a run: found, located, begun, ended, accounted for (docs/physics.md,
 * section 7).
 *
 * Events. g = δ with rate δ̇ for every joint; a free joint waits for δ to rise through zero, a touching one
 * for it to fall. Laws whose force jumps at δ̇ = 0 have a second event there. Both are located on the step's
 * interpolant.
 *
 * No tunnelling. Every step is looked through unless a bound on what δ can do in it excludes an event:
 *   free        δ changes by no more than the way of the centre, |ė| times the step; twice the faster end's,
 *               as the speed may grow. Where that way is a small part of the gap, also the bound by the cubic of
 *               Hermite below excludes one. A step is looked at in parts no longer than a quarter of the gap's
 *               diameter; one that would need more than PARTS_MOST parts is cut;
 *   touching    the bound by the cubic of Hermite (event.h). Tangential speed does not count here: a journal
 *               may slide round its wall; and so for a film's border δ = e0.
 * On top of that every stage of every step reports when δ is on the other side of the mode, so that an
 * excursion between two looks is not passed over. And no step is accepted whose end is beyond the wall of its
 * mode by more than the tolerance and going deeper: the end is part of both bounds, and the search finds
 * that event in any case.
 *
 * Chatter. An event is armed again when δ has gone behind zero by the tolerance, or by the errors of the
 * positions where those are larger. A journal that comes back before that changes its mode only when δ is
 * past zero by as much: bounces smaller than that are merged, so that ever shorter bounces end. Changes of
 * mode that were then not at δ = 0 are counted as chatter.
 *
 * Impact or following. A contact that ended within LASHI_IMPACT_TIMES Hertz times of its own approach speed and of
 * the effective mass at its place is an impact, a longer one is following.
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const double PART_OF_GAP = 0.5, SHORT_WAY = 0.1; /* of c */
static const double PARTS_MOST = 64, PART_OF_PIECE = 0.5;
/* Share of a piece of an excitation beside its end that is at it. */
static const double AT_CORNER = 1e-9;
/* Of a step that was cut at a corner: the least that is left of it for the next one. */
static const double LEAST_REST = 0.05;
/* A located event is placed closer than asked: the last iteration for the root costs almost nothing. */
static const double CLOSER = 1e-3;
/* Threshold of a contact that was thrown off its wall by an impact, of the accuracy of that wall. */
static const double FLIES_OFF = 10;
/* Part of the time of an impact: a law that changes its branch after a shorter step rests there. */
static const double RESTS = 0.01;
/* Rounding of the time, in units of it, to which an event is located at least. */
static const double ROUNDING = 4;
enum { TOLERANCE_HALVINGS = 60 };
/* Parts of a step in which the pressure of a contact that is a constraint may pass zero (modes.c). */
enum { SIXTEENTHS = 16 };
/* Of one contact. */
enum { MOST_BORDERS = 4 };

/* ---- event functions ---- */

static void event_values(double *g, double *gdot, void *context, double t, const double *y) {
    lash_sim *sim = context;
    lashi_frames_at(sim->frames, NULL, sim->system, t, y);
    for (int k = 0; k < sim->system->contact_count; k++) {
        const lashi_gap m = lashi_gap_of(&sim->system->contacts[k], sim->frames);
        // A film that carries everything has no dry contact to find.
        g[k] = sim->system->contacts[k].dry ? m.delta : -sim->system->contacts[k].p->room;
        gdot[k] = sim->system->contacts[k].dry ? m.deltadot : 0;
        if (lashi_presses(sim, k))
            gdot[k] = (double)NAN;
    }
    if (sim->workspace->linked)
        lashi_press_values(g, sim, t, y);
    for (int s = 0; s < sim->border_count; s++) {
        const int at = sim->system->contact_count + s, k = sim->borders[s].contact;
        switch (sim->borders[s].kind) {
        case LASHI_BORDER_TURNING: g[at] = gdot[k]; break;
        case LASHI_BORDER_FILM:
            g[at] = g[k] - sim->system->contacts[k].p->hybrid.e0;
            gdot[at] = gdot[k];
            break;
        default: {
            const lashi_gap m = lashi_gap_of(&sim->system->contacts[k], sim->frames);
            const bool up = sim->borders[s].kind == LASHI_BORDER_UP;
            g[at] = up ? m.phase - sim->phases[k].high : sim->phases[k].low - m.phase;
            gdot[at] = up ? m.phase_rate : -m.phase_rate;
        }
        }
    }
    if (sim->system->sticks)
        lashi_stick_values(g + sim->system->contact_count + sim->border_count, sim, t, y);
}

/* One of them; those of the gap of one contact depend on two bodies. */
static void event_value(double *g, double *gdot, void *context, double t, const double *y, size_t index) {
    lash_sim *sim = context;
    const int k = (int)index;
    if (k >= sim->system->contact_count || !sim->system->contacts[k].dry || lashi_presses(sim, k)) {
        event_values(g, gdot, context, t, y);
        return;
    }
    lashi_frames_of_contact(sim->frames, sim->system, &sim->system->contacts[k], t, y);
    const lashi_gap m = lashi_gap_of(&sim->system->contacts[k], sim->frames);
    g[k] = m.delta;
    gdot[k] = m.deltadot;
}

/* |δ| of joint k that is not zero. */
static double threshold(const lash_sim *sim, int k) {
    return fmax(sim->system->contacts[k].p->tolerance, lashi_resolution(sim));
}

static void set_event(lash_sim *sim, int k, bool armed) {
    const lashi_contact *contact = &sim->system->contacts[k];
    if (lashi_presses(sim, k)) {
        sim->events[k] = lashi_press_event(sim, k, armed);
        return;
    }
    sim->events[k] = (lashi_event){.direction = sim->memories[k].touching ? -1 : 1,
                                   .tolerance = (contact->by_tolerance ? 1 : CLOSER) * contact->p->tolerance,
                                   .threshold = threshold(sim, k),
                                   .armed = armed};
}

/* The second event of a contact: δ̇ = 0 of a law that switches there, in contact alone; δ = e0 of a film; or
 * an end of a piece, which is armed where it is left. */
static void set_border(lash_sim *sim, int s, bool armed) {
    const int k = sim->borders[s].contact;
    const lashi_contact *contact = &sim->system->contacts[k];
    lashi_event *event = &sim->events[sim->system->contact_count + s];
    switch (sim->borders[s].kind) {
    case LASHI_BORDER_TURNING:
        *event =
            (lashi_event){.direction = sim->memories[k].onset.unloading ? 1 : -1,
                          .tolerance = 1e-6 * contact->normal.p->speed_floor,
                          .threshold = sim->memories[k].touching ? contact->normal.p->speed_floor : INFINITY,
                          .armed = false};
        break;
    case LASHI_BORDER_FILM:
        *event = (lashi_event){.direction = sim->memories[k].through ? -1 : 1,
                               .tolerance = CLOSER * contact->p->tolerance,
                               .threshold = threshold(sim, k),
                               .armed = armed};
        break;
    default:
        *event = (lashi_event){.direction = 1,
                               .threshold = AT_CORNER * (sim->phases[k].high - sim->phases[k].low)};
    }
}

void lashi_contacts_set_pieces(lash_sim *sim, double t, const double *y) {
    sim->workspace->frames[0].phases = sim->frames[0].phases = NULL;
    lashi_frames_at(sim->frames, NULL, sim->system, t, y);
    for (int s = 0; s < sim->border_count; s++) {
        const int k = sim->borders[s].contact;
        const lashi_contact *contact = &sim->system->contacts[k];
        if (sim->borders[s].kind == LASHI_BORDER_UP) {
            const lashi_gap m = lashi_gap_of(contact, sim->frames);
            const int way = m.phase_rate < 0 ? -1 : 1;
            sim->phases[k] = lashi_kind_of(contact)->piece(contact, m.phase, way);
            set_border(sim, s, false);
            set_border(sim, s + 1, false);
        }
    }
    sim->workspace->frames[0].phases = sim->frames[0].phases = sim->phases;
}

lash_status lashi_contacts_create(lash_sim *sim, lash_error *error) {
    const lash_system *system = sim->system;
    const size_t contacts = (size_t)system->contact_count;
    sim->borders = lashi_arena_alloc(&sim->arena, MOST_BORDERS * contacts, sizeof *sim->borders);
    if (!sim->borders)
        return lashi_fail_memory(error);
    for (int k = 0; k < system->contact_count; k++) {
        sim->by_tolerance = sim->by_tolerance || system->contacts[k].by_tolerance;
        sim->quietens = sim->quietens || system->contacts[k].quietens;
        if (system->contacts[k].lubricated && system->contacts[k].dry)
            sim->borders[sim->border_count++] = (lashi_border){k, LASHI_BORDER_FILM};
        if (system->contacts[k].normal.switches_at_turning) {
            sim->borders[sim->border_count++] = (lashi_border){k, LASHI_BORDER_TURNING};
            sim->any_switch = true;
        }
        if (system->contacts[k].cornered && system->contacts[k].phase == k) {
            sim->borders[sim->border_count++] = (lashi_border){k, LASHI_BORDER_UP};
            sim->borders[sim->border_count++] = (lashi_border){k, LASHI_BORDER_DOWN};
        }
    }
    const size_t rubs = system->sticks ? (size_t)system->rub_count : 0;
    const size_t count = contacts + (size_t)sim->border_count + rubs;
    sim->simultaneous = lashi_arena_alloc(&sim->arena, count, 1);
    sim->frames = lashi_arena_alloc(&sim->arena, (size_t)system->bodies, sizeof *sim->frames);
    sim->summaries = lashi_arena_alloc(&sim->arena, contacts, sizeof *sim->summaries);
    sim->search = (lashi_event_search){
        .function = event_values,
        .one = event_value,
        .context = sim,
        .count = count,
        .events = sim->events,
        .end = INFINITY,
        .work = lashi_arena_alloc(&sim->arena, lashi_event_work_size(count, sim->problem.n), sizeof(double))};
    sim->turning = lashi_arena_alloc(&sim->arena, contacts, 1);
    sim->was_touching = lashi_arena_alloc(&sim->arena, contacts, 1);
    sim->followed = lashi_arena_alloc(&sim->arena, contacts, 1);
    sim->impacts = lashi_arena_alloc(&sim->arena, contacts, sizeof *sim->impacts);
    sim->ends = lashi_arena_alloc(&sim->arena, contacts, sizeof *sim->ends);
    sim->timed = lashi_press_timed(system);
    sim->pressures = lashi_arena_alloc(&sim->arena, lashi_press_work(system), sizeof *sim->pressures);
    if (!sim->turning || !sim->was_touching || !sim->followed || !sim->impacts || !sim->ends ||
        !sim->pressures)
        return lashi_fail_memory(error);
    if (!sim->simultaneous || !sim->frames || !sim->summaries || !sim->search.work)
        return lashi_fail_memory(error);
    lashi_frame_ground(&sim->frames[0]);
    const lash_status status = lashi_stick_create(sim, error);
    if (status)
        return status;
    // At most three events of every joint in one step: no growing later.
    sim->happened_capacity = 3 * count + 2;
    sim->happened = calloc(sim->happened_capacity, sizeof *sim->happened);
    if (!sim->happened)
        return lashi_fail_memory(error);
    return LASH_OK;
}

/* How long a free impact lasts, s. */
static double hertz_time(const lashi_contact *contact, double mass, double speed) {
    const lashi_normal *law = &contact->normal;
    return isfinite(mass) ? lashi_normal_estimate(law, mass, fmax(speed, law->p->speed_floor)).time
                          : INFINITY;
}

/* Mass and Hertz time of contacts that exist from the start: of the free impact that would be where they are.
 * What cannot be evaluated is reported by the next evaluation. */
static void weigh_contacts(lash_sim *sim) {
    bool evaluated = false;
    for (int k = 0; k < sim->system->contact_count; k++) {
        const lashi_contact *contact = &sim->system->contacts[k];
        lashi_memory *memory = &sim->memories[k];
        if (!memory->touching || contact->model != LASHI_MODEL_COMPLIANT)
            continue;
        if (!evaluated && lashi_evaluate(sim->ydot_work, sim->workspace, sim->system->start, sim->y_start))
            break;
        evaluated = true;
        const lashi_gap *gap = &sim->workspace->contact_states[k].gap;
        const double mass =
            lashi_gap_mass(contact, gap, lashi_effective_mass(sim->workspace, k, gap, gap->n));
        const double energy = lashi_normal_energy(&contact->normal, memory->delta);
        const double speed = sqrt(memory->deltadot * memory->deltadot + 2 * energy / mass);
        memory->onset.inverse_mass = 1 / mass;
        sim->accounts[k].hertz_time = hertz_time(contact, mass, speed);
    }
}

/* All events begin anew. */
static void arm(lash_sim *sim) {
    for (int k = 0; k < sim->system->contact_count; k++)
        set_event(sim, k, lashi_presses(sim, k));
    for (int s = 0; s < sim->border_count; s++)
        if (sim->borders[s].kind <= LASHI_BORDER_FILM)
            set_border(sim, s, true);
}

lash_status lashi_contacts_fit(lash_sim *sim, lash_error *error) {
    const double t = sim->integrator->t, *y = lashi_sim_y(sim);
    if (sim->search.count == 0)
        return LASH_OK;
    lashi_contacts_set_pieces(sim, t, y);
    lashi_contacts_measure(sim->ends, sim, t, y);
    for (int k = 0; k < sim->system->contact_count; k++) {
        const lashi_contact *contact = &sim->system->contacts[k];
        lashi_memory *memory = &sim->memories[k];
        const double delta = sim->ends[k].delta, before = memory->delta;
        if (!contact->dry || lashi_presses(sim, k))
            continue;
        if (memory->touching ? fabs(delta - before) > threshold(sim, k) : delta > threshold(sim, k))
            return lashi_fail_at(
                error, LASH_ERROR_MODEL, t, contact->name,
                "the state of t = %.9g s does not fit this model: the parts of '%s' %s there, "
                "by %.3g m or rad; their depth was %.3g. Clearances and lengths must be those "
                "that it was computed with, at least while parts touch",
                t, contact->name, delta > 0 ? "overlap" : "are apart", fabs(delta), before);
        memory->through = contact->lubricated && delta > contact->p->hybrid.e0;
    }
    lashi_contacts_renew(sim, t, y);
    arm(sim);
    return LASH_OK;
}

/* Friction at (t, y), and which of the contacts that rest follow: each decides the other. found: the rub whose event it is;
 * -1: none. */
static lash_status settle(double *y, lash_sim *sim, double t, int found, lash_error *error) {
    enum { MOST_ROUNDS = 8 };
    if (!sim->system->sticks)
        return LASH_OK;
    lash_status status = lashi_stick_decide(y, sim, t, found, false, error);
    bool changed = true;
    for (int round = 0; !status && changed && round < MOST_ROUNDS; round++) {
        status = lashi_modes_resettle(&changed, y, sim, t, error);
        if (!status && changed)
            status = lashi_stick_decide(y, sim, t, -1, true, error);
    }
    return status;
}

/* Modes of the initial state: a journal given outside its gap starts in contact. */
lash_status lashi_contacts_begin(lash_sim *sim, lash_error *error) {
    const lash_system *system = sim->system;
    if (sim->search.count == 0)
        return LASH_OK;
    lashi_contacts_set_pieces(sim, system->start, sim->y_start);
    lashi_frames_at(sim->frames, NULL, system, system->start, sim->y_start);
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_gap m = lashi_gap_of(&system->contacts[k], sim->frames);
        lashi_memory *memory = &sim->memories[k];
        *memory = (lashi_memory){.touching = m.delta > 0 && system->contacts[k].dry,
                                 .through = system->contacts[k].lubricated && system->contacts[k].dry &&
                                            m.delta > system->contacts[k].p->hybrid.e0,
                                 .since = system->start,
                                 .delta = m.delta,
                                 .deltadot = m.deltadot,
                                 .onset.speed = m.delta > 0 ? fmax(m.deltadot, 0) : 0,
                                 .factor = lashi_gap_factor(&system->contacts[k], &m),
                                 .angle = atan2(m.n.y, m.n.x)};
        sim->accounts[k] = (lashi_contact_account){
            .contacts = sim->memories[k].touching != 0, .min_film = -m.delta, .farthest = fabs(m.delta)};
    }
    sim->state->turn_end = INFINITY;
    sim->crank0 = lashi_crank_angle(system, system->start);
    weigh_contacts(sim);
    lash_status status = lashi_modes_begin(sim, error);
    if (!status)
        status = settle(sim->y_start, sim, system->start, -1, error);
    if (!status)
        status = lashi_modes_begun(sim, error);
    if (!status && system->sticks)
        status = lashi_stick_decided(sim->y_start, sim, system->start, error);
    sim->logging = true;
    lashi_contacts_renew(sim, system->start, sim->y_start);
    arm(sim);
    return status;
}

/* ---- finding ---- */

static void measure(lashi_gap_point *point, lash_sim *sim, int k, const lashi_gap *gap) {
    const lashi_contact *contact = &sim->system->contacts[k];
    *point = (lashi_gap_point){gap->delta, gap->deltadot, lashi_gap_speed(contact, gap), gap->sliding};
    sim->memories[k].factor = lashi_gap_factor(contact, gap);
}

void lashi_contacts_measure(lashi_gap_point *points, lash_sim *sim, double t, const double *y) {
    const int contacts = sim->system->contact_count;
    if (sim->workspace->present && y == lashi_sim_y(sim) && t == sim->integrator->t) {
        for (int k = 0; k < contacts; k++)
            measure(&points[k], sim, k, &sim->workspace->contact_states[k].gap);
        return;
    }
    lashi_frames_at(sim->frames, NULL, sim->system, t, y);
    for (int k = 0; k < contacts; k++) {
        const lashi_gap gap = lashi_gap_of(&sim->system->contacts[k], sim->frames);
        measure(&points[k], sim, k, &gap);
    }
}

void lashi_contacts_renew(lash_sim *sim, double t, const double *y) {
    lashi_contacts_measure(sim->ends, sim, t, y);
    for (int k = 0; k < sim->system->contact_count; k++) {
        sim->memories[k].delta = sim->ends[k].delta;
        sim->memories[k].deltadot = sim->ends[k].deltadot;
        sim->memories[k].speed = sim->ends[k].speed;
        sim->memories[k].sliding = sim->ends[k].sliding;
    }
}

/* Whether δ of joint k may have passed `border` in the last step, h long, upwards (way 1) or down (−1). */
static bool may_pass(const lash_sim *sim, int k, double h, double border, int way) {
    const lashi_memory *start = &sim->memories[k];
    const lashi_gap_point *end = &sim->ends[k];
    const double last = way * (end->delta - border);
    return last > 0 || lashi_event_bound(way * (start->delta - border), way * start->deltadot, last,
                                         way * end->deltadot, h) > 0;
}

/* Parts for the ends of pieces of excitations. */
static double parts_of_pieces(lash_sim *sim, double h) {
    double parts = 0;
    lashi_frames_at(sim->frames, NULL, sim->system, sim->integrator->t, sim->integrator->y);
    for (int s = 0; s < sim->border_count; s++) {
        if (sim->borders[s].kind != LASHI_BORDER_UP)
            continue;
        const int k = sim->borders[s].contact;
        const lashi_phase *at = &sim->phases[k];
        const lashi_gap end = lashi_gap_of(&sim->system->contacts[k], sim->frames);
        const double room = fmin(at->high - end.phase, end.phase - at->low),
                     path = h * fabs(end.phase_rate) / (PART_OF_PIECE * (at->high - at->low));
        // Twice the path: it may have been faster before.
        if (2 * h * fabs(end.phase_rate) > room)
            parts = fmax(parts, fmax(1, ceil(path)));
    }
    return parts;
}

/* Parts the last step must be looked at in; 0: nothing can have happened. */
static double parts_needed(lash_sim *sim) {
    const lash_system *system = sim->system;
    const double h = sim->integrator->t - sim->integrator->t_old;
    const bool linked = sim->workspace->linked;
    double parts = linked && (sim->workspace->mismatch || lashi_press_near(sim)) ? SIXTEENTHS
                   : sim->workspace->mismatch                                    ? 4
                                                                                 : 0;
    if (sim->any_switch)
        parts = 4;
    if (system->sticks)
        parts = fmax(parts, lashi_stick_parts(sim));
    lashi_contacts_measure(sim->ends, sim, sim->integrator->t, sim->integrator->y);
    if (sim->border_count)
        parts = fmax(parts, parts_of_pieces(sim, h));
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        const lashi_memory *memory = &sim->memories[k];
        if (!contact->dry || lashi_presses(sim, k))
            continue;
        if (memory->touching) {
            if (may_pass(sim, k, h, 0, -1) ||
                (contact->lubricated && may_pass(sim, k, h, contact->p->hybrid.e0, memory->through ? -1 : 1)))
                parts = fmax(parts, 1);
            continue;
        }
        const double path = h * fmax(memory->speed, sim->ends[k].speed);
        // Twice the path: the speed may grow inside the step, which the stages would show.
        if (2 * path < -memory->delta || 2 * path < -sim->ends[k].delta)
            continue;
        // δ of a straight way is nowhere larger than at its ends, and a short one is nearly straight.
        if (path < SHORT_WAY * contact->p->room && !may_pass(sim, k, h, 0, 1))
            continue;
        parts = fmax(parts, fmax(1, ceil(path / (PART_OF_GAP * contact->p->room))));
    }
    return parts;
}

/* P4's detector: the step is repeated with half its length until the first penetration is within tolerance. A
 * journal that is past zero already has had that. */
static bool penetrates_too_deep(lash_sim *sim) {
    const lash_system *system = sim->system;
    lashi_frames_at(sim->frames, NULL, system, sim->integrator->t, sim->integrator->y);
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        if (contact->by_tolerance && !sim->memories[k].touching && sim->memories[k].delta <= 0 &&
            lashi_gap_of(contact, sim->frames).delta > contact->p->tolerance)
            return true;
    }
    return false;
}

/* Throws the last step away and takes one to t_end. */
static lash_status step_again(lash_sim *sim, double t_end, lash_error *error) {
    const double t = sim->integrator->t_old;
    memcpy(sim->y_work, sim->integrator->y_old, sim->problem.n * sizeof(double));
    lash_status status = lashi_sim_restart(sim, t, sim->y_work, t_end - t, error);
    sim->workspace->mismatch = 0;
    if (!status)
        status = lashi_sim_integrate(sim, t_end, error);
    sim->integrator->counts.rejected++;
    sim->t_new = sim->integrator->t;
    return status;
}

/* A time inside the last step. */
static double between(const lash_sim *sim, double share) {
    return sim->integrator->t_old + share * (sim->integrator->t - sim->integrator->t_old);
}

/* The earliest event of the last step, which is cut where it is too long to be looked through. */
static lash_status find_event(lash_sim *sim, lash_error *error) {
    lash_status status = LASH_OK;
    double parts = parts_needed(sim);
    sim->found = SIZE_MAX;
    sim->flip = -1;
    while (!status && parts > PARTS_MOST) {
        status = step_again(sim, between(sim, 0.5 * PARTS_MOST / parts), error);
        parts = parts_needed(sim);
    }
    if (!status && sim->system->machine.switch_count)
        status = lashi_switches_find(sim, error);
    if (!status && parts > 0) {
        double t;
        sim->search.end = sim->t_new;
        status = lashi_event_find(&sim->found, &t, sim->y_event, sim->simultaneous, &sim->search,
                                  sim->integrator, (size_t)parts, error);
        if (!status && sim->found != SIZE_MAX) {
            sim->t_new = t;
            sim->flip = -1;
        } else if (!status && sim->flip >= 0) { // the search has left another state there
            status = sim->kind->interpolate(sim->y_event, sim->integrator, sim->t_new, error);
        }
    }
    if (!status && lashi_at_event(sim))
        lashi_contacts_measure(sim->ends, sim, sim->t_new, sim->y_event);
    return status;
}

lash_status lashi_contacts_find(lash_sim *sim, lash_error *error) {
    lash_status status = LASH_OK;
    for (int k = 0; sim->by_tolerance && !status && k < TOLERANCE_HALVINGS && penetrates_too_deep(sim); k++)
        status = step_again(sim, between(sim, 0.5), error);
    if (!status)
        status = find_event(sim, error);
    for (double t; !status && (t = lashi_kink(sim, false)) < INFINITY;) {
        const double served = sim->integrator->t - sim->integrator->t_old;
        status = step_again(sim, t, error);
        if (!status)
            status = find_event(sim, error);
        sim->integrator->h_next =
            fmax(sim->integrator->h_next, served); // the kink is the only reason to be short
    }
    if (!status)
        lashi_recount_losses(sim);
    return status;
}

/* ---- changing modes ---- */

double lashi_impact_limit(const lashi_contact_account *account) {
    return LASHI_IMPACT_TIMES * account->hertz_time;
}

double lashi_crank_angle(const lash_system *system, double t) {
    return system->drive_count ? lashi_profile_jet(&lashi_drive_constraint(system, 0)->profile, t).f
                               : (double)NAN;
}

lash_status lashi_log_event(lash_sim *sim, const lash_event *event, lash_error *error) {
    lash_event complete = *event;
    complete.crank = lashi_crank_angle(sim->system, event->time);
    sim->state->events++;
    if (!lashi_append(sim->happened, sim->happened_count, sim->happened_capacity, complete))
        return lashi_fail_memory(error);
    static const char *const names[] = {"angle",    "speed",       "peak_force", "peak_penetration",
                                        "duration", "energy_lost", "rebound",    "impulse",
                                        "elevation"};
    const double numbers[] = {
        complete.angle,    complete.speed,       complete.peak_force, complete.peak_penetration,
        complete.duration, complete.energy_lost, complete.rebound,    complete.impulse,
        complete.elevation};
    return lashi_sim_finite(sim, complete.joint, names, numbers, sizeof numbers / sizeof *numbers,
                            complete.time, error);
}

double lashi_lost_so_far(const lash_sim *sim, int k, const double *y) {
    const double *loss = y + sim->system->loss_at + LASHI_LOSSES * k;
    return loss[LASHI_LOSS_DAMPING] + loss[LASHI_LOSS_FRICTION] + loss[LASHI_LOSS_FILM];
}

/* The contact of joint k begins at (t_new, y_event); the workspace holds that point. */
static lash_status begin_contact(lash_sim *sim, int k, double *h, lash_error *error) {
    const lashi_contact *contact = &sim->system->contacts[k];
    const lashi_gap *m = &sim->workspace->contact_states[k].gap;
    lashi_memory *memory = &sim->memories[k];
    lashi_contact_account *account = &sim->accounts[k];
    account->free_time += sim->t_new - memory->since;
    account->contacts++;
    const double closing = lashi_gap_closing(contact, m), onset = lashi_gap_onset(contact, m);
    account->floor_used +=
        contact->normal.scale == LASHI_SCALE_FIRST && closing < contact->normal.p->speed_floor;
    account->above_validity += closing > contact->normal.p->speed_limit;
    const double mass = lashi_gap_mass(contact, m, lashi_effective_mass(sim->workspace, k, m, m->n));
    account->hertz_time = hertz_time(contact, mass, onset);
    *memory = (lashi_memory){.touching = 1,
                             .through = memory->through,
                             .onset = {.speed = fmax(onset, 0), .inverse_mass = 1 / mass},
                             .since = sim->t_new,
                             .lost_before = lashi_lost_so_far(sim, k, sim->y_event),
                             .impulse_before = sim->y_event[sim->system->impulse_at + k],
                             .angle = atan2(m->n.y, m->n.x),
                             .delta = m->delta,
                             .deltadot = m->deltadot,
                             .speed = memory->speed,
                             .sliding = m->sliding,
                             .factor = memory->factor};
    for (int i = 0; i < lashi_bristles(contact); i++)
        sim->y_event[contact->bristle + i] = 0;
    if (isfinite(account->hertz_time))
        *h = fmin(*h, lashi_first_step(sim, k));
    const lash_event event = {.kind = LASH_EVENT_ONSET,
                              .time = sim->t_new,
                              .joint = contact->name,
                              .angle = memory->angle,
                              .elevation = lashi_elevation(m->n),
                              .speed = fmax(closing, 0)};
    return lashi_log_event(sim, &event, error);
}

static lash_status end_contact(lash_sim *sim, int k, lash_error *error) {
    const lashi_contact *contact = &sim->system->contacts[k];
    const lashi_gap *m = &sim->workspace->contact_states[k].gap;
    lashi_memory *memory = &sim->memories[k];
    lashi_contact_account *account = &sim->accounts[k];
    const double duration = sim->t_new - memory->since;
    const bool impact = duration <= lashi_impact_limit(account);
    account->impacts += impact;
    *(impact ? &account->impact_time : &account->following_time) += duration;
    lashi_note_contact(account, sim, k);
    const lash_event event = {.kind = LASH_EVENT_RELEASE,
                              .time = sim->t_new,
                              .joint = contact->name,
                              .angle = atan2(m->n.y, m->n.x),
                              .elevation = lashi_elevation(m->n),
                              .speed = fmax(-lashi_gap_closing(contact, m), 0),
                              .peak_force = memory->peak.force,
                              .peak_penetration = memory->peak_delta,
                              .duration = duration,
                              .energy_lost = lashi_lost_so_far(sim, k, sim->y_event) - memory->lost_before,
                              .impact = impact,
                              .impulse = sim->y_event[sim->system->impulse_at + k] - memory->impulse_before,
                              .peak_time = memory->peak.time,
                              .peak_elastic = memory->peak.elastic,
                              .peak_damping = memory->peak.damping,
                              .peak_depth = memory->peak.depth};
    *memory = (lashi_memory){
        .since = sim->t_new, .delta = m->delta, .deltadot = m->deltadot, .speed = memory->speed};
    return lashi_log_event(sim, &event, error);
}

/* Joint k leaves its mode at (t_new, y_event). */
static lash_status toggle(lash_sim *sim, int k, double *h, lash_error *error) {
    const lash_status status = sim->system->contacts[k].model == LASHI_MODEL_PERMANENT
                                   ? lashi_permanent_change(sim, k, error)
                               : sim->memories[k].touching ? end_contact(sim, k, error)
                                                           : begin_contact(sim, k, h, error);
    set_event(sim, k, false);
    // Also of the transition: at δ = 0 the film is not pressed through, whatever small crossings were merged.
    for (int s = 0; s < sim->border_count; s++)
        if (sim->borders[s].contact == k && sim->borders[s].kind <= LASHI_BORDER_FILM)
            set_border(sim, s, true);
    return status;
}

/* Another joint at its own event at the instant of the event found, to its tolerance. */
static bool arrives(const lash_sim *sim, int k) {
    const lashi_memory *memory = &sim->memories[k];
    if (lashi_presses(sim, k))
        return lashi_press_turns(sim, k);
    return sim->events[k].armed && fabs(memory->delta) <= sim->system->contacts[k].p->tolerance &&
           (memory->touching ? memory->deltadot < 0 : memory->deltadot > 0);
}

/* Whether the event of joint k, found now, was located at δ = 0. */
static bool at_zero(const lash_sim *sim, int k) {
    const lashi_memory *memory = &sim->memories[k];
    const double rounding = ROUNDING * DBL_EPSILON * fabs(sim->t_new * memory->deltadot);
    return lashi_presses(sim, k) || sim->system->contacts[k].by_tolerance ||
           fabs(memory->delta) <= sim->events[k].tolerance + rounding;
}

static bool free_flight(const lash_sim *sim) {
    for (int k = 0; k < sim->system->contact_count; k++)
        if (sim->memories[k].touching)
            return false;
    return true;
}

/* Whether the event found is a corner of an excitation. */
static bool at_corner(const lash_sim *sim) {
    const size_t first = (size_t)sim->system->contact_count;
    return sim->found >= first && sim->found < first + (size_t)sim->border_count &&
           sim->borders[sim->found - first].kind >= LASHI_BORDER_UP;
}

/* After an event the step is what served in that mode before, not what was left of it near the event. A
 * corner changes no mode: the step is as long as it was, and where a contact is about to end, what is left of
 * it. */
static double step_in_new_mode(lash_sim *sim) {
    if (at_corner(sim)) {
        const double whole = sim->integrator->t - sim->integrator->t_old,
                     rest = sim->integrator->t - sim->t_new;
        return sim->state->approaching ? fmax(rest, LEAST_REST * whole) : whole;
    }
    const double served = free_flight(sim) ? sim->state->h_free : sim->state->h_smooth;
    sim->state->approaching = 0;
    return fmax(sim->integrator->h_next, served);
}

/* The excitation of contact k continues with its next piece. */
static void next_piece(lash_sim *sim, int s) {
    const int k = sim->borders[s].contact;
    const lashi_contact *contact = &sim->system->contacts[k];
    const bool up = sim->borders[s].kind == LASHI_BORDER_UP;
    lashi_phase *at = &sim->phases[k];
    *at = lashi_kind_of(contact)->piece(contact, up ? at->high : at->low, up ? 1 : -1);
    set_border(sim, up ? s : s - 1, false);
    set_border(sim, up ? s + 1 : s, false);
    sim->workspace->present = false;
    lashi_contacts_renew(sim, sim->t_new, sim->y_event); // rates may jump
}

/* A law changes its branch, a film is pressed through or forms again, or a piece of an excitation ends. */
static lash_status cross_border(lash_sim *sim, int s, lash_error *error) {
    const int k = sim->borders[s].contact;
    lashi_memory *memory = &sim->memories[k];
    lash_status status = LASH_OK;
    if (sim->borders[s].kind >= LASHI_BORDER_UP) {
        next_piece(sim, s);
        return LASH_OK;
    }
    if (sim->borders[s].kind == LASHI_BORDER_FILM) {
        const lashi_gap *m = &sim->workspace->contact_states[k].gap;
        memory->through = !memory->through;
        if (memory->through) {
            const lashi_contact *contact = &sim->system->contacts[k];
            lashi_contact_account *account = &sim->accounts[k];
            account->through++;
            if (memory->film_carried > lashi_normal_elastic(&contact->normal, contact->p->hybrid.e0)) {
                account->dropped++;
                account->dropped_from = fmax(account->dropped_from, memory->film_carried);
            }
            memory->film_carried = 0;
        }
        const lash_event event = {.kind = memory->through ? LASH_EVENT_THROUGH : LASH_EVENT_FILM,
                                  .time = sim->t_new,
                                  .joint = sim->system->contacts[k].name,
                                  .angle = atan2(m->n.y, m->n.x),
                                  .elevation = lashi_elevation(m->n),
                                  .speed = fabs(m->deltadot)};
        status = lashi_log_event(sim, &event, error);
    } else {
        memory->onset.unloading = !memory->onset.unloading;
        // Under a steady load both branches push back: it rests where they meet.
        sim->accounts[k].chatter += sim->t_new - sim->integrator->t_old < RESTS * sim->accounts[k].hertz_time;
    }
    set_border(sim, s, false);
    return status;
}

lash_status lashi_contacts_change(lash_sim *sim, double *h, lash_error *error) {
    if (sim->found == SIZE_MAX)
        return LASH_OK;
    const int bad = lashi_evaluate(sim->ydot_work, sim->workspace, sim->t_new, sim->y_event);
    if (bad)
        return lashi_fail_at(error, LASH_ERROR_NOT_FINITE, sim->t_new, "",
                             "the equations of motion could not be evaluated at a contact at t = %.9g s",
                             sim->t_new);
    if (free_flight(sim))
        sim->state->h_free = sim->integrator->h_next;
    for (int k = 0; k < sim->system->contact_count; k++)
        sim->turning[k] = sim->found == (size_t)k || arrives(sim, k);
    return sim->tangent ? lashi_tangent_cross(sim, h, error) : lashi_contacts_turn(sim, h, error);
}

/* Friction after an event, and the record of what it and contacts that are constraints at times do from now on. modes:
 * some of these are at their event. */
static lash_status settle_and_record(lash_sim *sim, bool modes, int found, lash_error *error) {
    const bool sticks = sim->system->sticks;
    lash_status status = settle(sim->y_event, sim, sim->t_new, found, error);
    if (!status && (modes || sticks))
        status = lashi_modes_changed(sim, error);
    if (!status && sticks)
        status = lashi_stick_decided(sim->y_event, sim, sim->t_new, error);
    if (modes || sticks)
        lashi_contacts_renew(sim, sim->t_new, sim->y_event); // an impact changes the speeds in all gaps
    for (int k = 0; (modes || sticks) && k < sim->system->contact_count; k++)
        if (sim->impacts[k].joins && (modes || sim->was_touching[k] != (sim->memories[k].touching != 0))) {
            set_event(sim, k, lashi_presses(sim, k));
            if (lashi_flies_off(sim, k)) // a slow one comes back from less than the usual threshold
                sim->events[k].threshold = fmax(FLIES_OFF * sim->events[k].tolerance, lashi_resolution(sim));
        }
    return status;
}

lash_status lashi_contacts_turn(lash_sim *sim, double *h, lash_error *error) {
    const lash_system *system = sim->system;
    const int contacts = system->contact_count;
    bool modes = false;
    *h = INFINITY;
    lash_status status = LASH_OK;
    for (int k = 0; !status && k < contacts; k++) {
        if (!sim->turning[k])
            continue;
        sim->accounts[k].chatter += sim->found == (size_t)k && !sim->passing && !at_zero(sim, k);
        if (system->contacts[k].model == LASHI_MODEL_MODES) { // all of them together, below
            modes = true;
            continue;
        }
        status = toggle(sim, k, h, error);
    }
    for (int s = 0; !status && s < sim->border_count; s++)
        if (sim->found == (size_t)(contacts + s))
            status = cross_border(sim, s, error);
    if (!status && modes)
        status = lashi_modes_change(sim, sim->turning, error);
    else if (!status && system->sticks)
        lashi_modes_keep(sim);
    // Whatever has happened, forces or speeds have changed.
    const size_t others = (size_t)(contacts + sim->border_count);
    if (!status)
        status = settle_and_record(
            sim, modes, sim->found != SIZE_MAX && sim->found >= others ? (int)(sim->found - others) : -1,
            error);
    *h = fmin(*h, step_in_new_mode(sim));
    return status;
}

lash_status lashi_contacts_jump(lash_sim *sim, double *h, lash_error *error) {
    const double t = sim->integrator->t;
    lash_status status = LASH_OK;
    sim->t_new = t;
    sim->passing = true;
    memcpy(sim->y_event, lashi_sim_y(sim), sim->problem.n * sizeof(double));
    // Each change is one contact's, and may change what the others feel.
    for (int change = 0; !status && change <= sim->system->contact_count; change++) {
        status = lashi_sim_evaluate(sim, t, sim->y_event, error);
        sim->found = SIZE_MAX;
        for (int k = 0; !status && k < sim->system->contact_count; k++)
            if (lashi_presses(sim, k) && lashi_press_contradicts(sim, k)) {
                sim->found = (size_t)k;
                break;
            }
        if (status || sim->found == SIZE_MAX)
            break;
        status = lashi_contacts_change(sim, h, error);
    }
    if (!status && sim->system->sticks && lashi_stick_contradicts(sim)) {
        lashi_modes_keep(sim);
        status = settle_and_record(sim, false, -1, error);
        *h = sim->integrator->h_next;
    }
    sim->passing = false;
    return status;
}

/* ---- summary ---- */

/* What contact k has been until t; times in place of fractions. */
static lash_clearance_part part_until(const lash_sim *sim, int k, double t, const double *y) {
    const lashi_contact_account *account = &sim->accounts[k];
    const lashi_memory *memory = &sim->memories[k];
    // The stretch that is not finished yet counts as what it has been so far.
    const double open = t - memory->since;
    const bool impact =
        sim->system->contacts[k].model == LASHI_MODEL_COMPLIANT && open <= lashi_impact_limit(account);
    const bool flies = !memory->touching || memory->pulling;
    return (lash_clearance_part){.impacts = account->impacts,
                                 .contacts = account->contacts,
                                 .free_fraction = account->free_time + (flies ? open : 0),
                                 .impact_fraction = account->impact_time + (!flies && impact ? open : 0),
                                 .following_fraction =
                                     account->following_time + (!flies && !impact ? open : 0),
                                 .energy_lost = lashi_lost_so_far(sim, k, y)};
}

void lashi_contacts_part(lash_sim *sim, double t, const double *y) {
    for (int k = 0; k < sim->system->contact_count; k++)
        sim->accounts[k].before = part_until(sim, k, t, y);
}

/* What came after the transient. */
static lash_clearance_part part_after(const lash_sim *sim, int k, lash_clearance_part now) {
    const lash_clearance_part *before = &sim->accounts[k].before;
    const double time = fmax(sim->integrator->t - sim->state->counted_from, 1e-300);
    if (!sim->state->counting)
        return (lash_clearance_part){0};
    return (lash_clearance_part){.impacts = now.impacts - before->impacts,
                                 .contacts = now.contacts - before->contacts,
                                 .free_fraction = (now.free_fraction - before->free_fraction) / time,
                                 .impact_fraction = (now.impact_fraction - before->impact_fraction) / time,
                                 .following_fraction =
                                     (now.following_fraction - before->following_fraction) / time,
                                 .energy_lost = now.energy_lost - before->energy_lost,
                                 .peak = sim->accounts[k].after};
}

lash_clearance_summary lashi_contact_summary(const lash_sim *sim, int k) {
    static const char *const models[] = {"compliant", "permanent-contact", "three-mode"};
    const lash_system *system = sim->system;
    double turns = (double)NAN;
    if (lashi_drive_turns(system))
        turns = fabs(lashi_crank_angle(system, sim->integrator->t) - sim->crank0) / 6.283185307179586;
    lashi_contact_account all = sim->accounts[k]; // with the contact that is not finished
    const lashi_contact_account *account = &all;
    const lash_clearance_part whole = part_until(sim, k, sim->integrator->t, lashi_sim_y(sim));
    const lash_peak *first = &account->turn[0], *later = &account->turn[1];
    lashi_note_contact(&all, sim, k);
    const double total = fmax(sim->integrator->t - system->start, 1e-300);
    const bool wears = system->contacts[k].deposit >= 0;
    return (lash_clearance_summary){
        .joint = system->contacts[k].name,
        .impacts = account->impacts,
        .contacts = account->contacts,
        .impacts_per_turn = turns >= 1 ? (double)account->impacts / turns : (double)NAN,
        .free_fraction = whole.free_fraction / total,
        .impact_fraction = whole.impact_fraction / total,
        .following_fraction = whole.following_fraction / total,
        .peak_force = lashi_largest_force(sim, k),
        .peak_penetration = account->peak_delta,
        .peak_penetration_time = account->deepest_at,
        .peak = later->force > first->force ? *later : *first,
        .first_turn = *first,
        .later = *later,
        .deep = account->deep,
        .damped = account->damped,
        .damped_peak = account->damped_peak,
        .stiff_steps = account->stiff,
        .energy_lost = whole.energy_lost,
        .floor_used = account->floor_used,
        .above_validity = account->above_validity,
        .lubricated = system->contacts[k].lubricated,
        .film_loss = lashi_sim_y(sim)[system->loss_at + LASHI_LOSSES * k + LASHI_LOSS_FILM],
        .friction_loss = lashi_sim_y(sim)[system->loss_at + LASHI_LOSSES * k + LASHI_LOSS_FRICTION],
        .worn =
            wears ? system->contacts[k].p->wear * sim->deposits[system->contacts[k].deposit] : (double)NAN,
        .sliding_work = wears ? sim->deposits[system->contacts[k].deposit] : (double)NAN,
        .min_film = account->min_film,
        .film_force = account->film_force,
        .film_force_time = account->film_force_time,
        .through = account->through,
        .dropped = account->dropped,
        .dropped_from = account->dropped_from,
        .over_pressure = account->over_pressure,
        .film_pressure = account->over_pressure ? account->film_pressure : (double)NAN,
        .film_pressure_time = account->over_pressure ? account->film_pressure_time : (double)NAN,
        .chatter = account->chatter,
        .model = models[system->contacts[k].model],
        .start = system->contacts[k].start,
        .losses = account->losses,
        .first_loss = account->losses ? account->first_loss : (double)NAN,
        .first_loss_crank = account->losses ? account->first_loss_crank : (double)NAN,
        .after = part_after(sim, k, whole)};
}
