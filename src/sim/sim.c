/* SPDX-License-Identifier: MIT
 *
 * The loop: propose and accept a step, look for events, record, change mode.
 */
#include "sim/sim.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "math/breaks.h"
#include "math/larger.h"
#include "sim/recorder.h"

/* ---- create ---- */

static size_t aligned(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

static lash_status create_state(lash_sim *sim, lash_error *error) {
    const size_t contacts = (size_t)sim->system->contact_count;
    lash_state head = {.bytes = aligned(sizeof head)};
    head.memories_at = head.bytes;
    head.bytes += aligned(contacts * sizeof(lashi_memory));
    head.accounts_at = head.bytes;
    head.bytes += aligned(contacts * sizeof(lashi_contact_account));
    head.phases_at = head.bytes;
    head.bytes += aligned(contacts * sizeof(lashi_phase));
    const size_t rubs = (size_t)sim->system->rub_count;
    head.armed_at = head.bytes;
    head.bytes += aligned((3 * contacts + rubs) * sizeof(lashi_event));
    head.rubs_at = head.bytes;
    head.bytes += aligned(rubs * sizeof(lashi_rub_memory));
    head.sound_at = head.bytes;
    head.bytes += aligned((size_t)sim->system->motion.count * sizeof(double));
    head.repeats_at = head.bytes;
    head.bytes += aligned((size_t)sim->system->motion.most_repeats * sizeof(int));
    head.inputs_at = head.bytes;
    head.bytes += aligned((size_t)sim->system->force_count * sizeof *sim->inputs);
    head.modes_at = head.bytes;
    head.bytes += aligned(2 * (size_t)sim->system->machine.switch_count * sizeof(double));
    head.settings_at = head.bytes;
    head.bytes += aligned((size_t)sim->system->machine.input_count * sizeof(double));
    head.deposits_at = head.bytes;
    head.bytes += aligned((size_t)sim->system->deposits * sizeof(double));
    head.history_at = head.bytes;
    const size_t own = sim->kinds[0]->history_size(&sim->problem),
                 passing = sim->kinds[1]->history_size(&sim->problem);
    head.bytes += aligned(own > passing ? own : passing);
    sim->state = calloc(1, head.bytes);
    if (!sim->state)
        return lashi_fail_memory(error);
    *sim->state = head;
    sim->memories = (lashi_memory *)((char *)sim->state + head.memories_at);
    sim->accounts = (lashi_contact_account *)((char *)sim->state + head.accounts_at);
    sim->phases = (lashi_phase *)((char *)sim->state + head.phases_at);
    sim->events = (lashi_event *)((char *)sim->state + head.armed_at);
    sim->inputs = (double(*)[LASHI_INPUTS])(void *)((char *)sim->state + head.inputs_at);
    sim->modes = (double *)(void *)((char *)sim->state + head.modes_at);
    sim->driven = sim->modes + sim->system->machine.switch_count;
    sim->settings = (double *)(void *)((char *)sim->state + head.settings_at);
    sim->deposits = (double *)(void *)((char *)sim->state + head.deposits_at);
    memcpy(sim->settings, sim->workspace->settings,
           (size_t)sim->system->machine.input_count * sizeof(double));
    sim->workspace->settings = sim->settings;
    sim->workspace->modes = sim->modes;
    sim->workspace->now.modes = sim->modes;
    sim->rub_memories = (lashi_rub_memory *)((char *)sim->state + head.rubs_at);
    sim->workspace->memories = sim->memories;
    sim->workspace->rub_memories = sim->rub_memories;
    lashi_constraint_work *c = &sim->workspace->constraints;
    int *repeats = (int *)((char *)sim->state + head.repeats_at);
    memcpy(repeats, c->repeats, (size_t)sim->system->motion.redundant * sizeof(int));
    c->repeats = sim->probe.repeats = repeats;
    c->sound = sim->probe.sound = (double *)((char *)sim->state + head.sound_at);
    return LASH_OK;
}

/* Functions of time are those of this piece from now on. */
static void hold_piece(lash_sim *sim, lashi_piece piece) {
    sim->state->piece = piece;
    sim->workspace->frames[0].inside = sim->frames[0].inside = piece.inside;
    sim->workspace->present = false;
}

void lashi_sim_rescale(lash_sim *sim) {
    lashi_scale_tolerances(sim->scaled, sim);
    sim->kind->rescale(sim->integrator, sim->scaled);
}

/* Takes note of how far and how fast the machine is at y. */
static void note_motion(lash_sim *sim, const double *y) {
    const lash_system *system = sim->system;
    double way = sim->state->way, speed = sim->state->speed;
    for (int i = 0; i < system->n_q; i++)
        way = lashi_larger(way, sim->share[i] * fabs(y[i] - sim->y_start[i]));
    for (int i = system->v_at; i < system->v_at + system->n_v; i++)
        speed = lashi_larger(speed, sim->share[i] * fabs(y[i]));
    way = lashi_smaller(way, 1);
    speed = lashi_smaller(speed, 1);
    const bool more = way > sim->state->way || speed > sim->state->speed;
    sim->state->way = way;
    sim->state->speed = speed;
    if (more)
        lashi_sim_rescale(sim);
}

static lash_status begin(lash_sim *sim, lash_error *error) {
    const lash_run_def *run = &sim->system->model->run;
    const double start = sim->system->start;
    lashi_sim_rescale(sim);
    note_motion(sim, sim->y_start);
    hold_piece(sim, lashi_piece_from(sim->system, start));
    sim->state->counted_from = isnan(sim->system->discard) ? INFINITY : sim->system->discard;
    lash_status status = lashi_switches_begin(sim, error);
    if (!status)
        status = lashi_contacts_begin(sim, error);
    if (!status)
        status =
            lashi_sim_restart(sim, start, sim->y_start, isnan(run->first_step) ? 0 : run->first_step, error);
    if (!status)
        status = lashi_sim_evaluate(sim, start, lashi_sim_y(sim), error);
    if (status)
        return lashi_sim_explain(sim, status, error);
    return lashi_account_begin(sim, error);
}

/* Where the model begins, with the inputs as they are. */
static lash_status start(lash_sim *sim, bool given, lash_error *error) {
    lash_status status = begin(sim, error);
    if (!status && !given && strcmp(sim->system->model->run.start, "equilibrium") == 0) {
        status = lashi_equilibrium(sim, error);
        if (!status)
            status = begin(sim, error);
    }
    return status;
}

lash_status lash_sim_begin_again(lash_sim *sim, lash_error *error) {
    if (!sim)
        return lashi_fail_null(error);
    if (sim->integrator->t != sim->system->start)
        return lashi_fail(error, LASH_ERROR_USAGE, "the run has gone on to t = %.9g s: it cannot begin again",
                          sim->integrator->t);
    if (!sim->given)
        memcpy(sim->y_start, sim->system->y0, (size_t)sim->system->n_y * sizeof(double));
    return start(sim, sim->given, error);
}

/* At the given coordinates (NULL: as assembled), and with a tangent if it will be where `at` is. */
static lash_status create(lash_sim **out, const lash_system *system, const double *coordinates,
                          const lash_sim *at, lash_error *error) {
    *out = NULL;
    lash_sim *sim = calloc(1, sizeof *sim);
    if (!sim)
        return lashi_fail_memory(error);
    const lash_run_def *run = &system->model->run;
    const size_t n = (size_t)system->n_y + (at ? lashi_tangent_size(system) : 0);
    sim->system = system;
    sim->found = SIZE_MAX;
    sim->flip = -1;
    sim->kind = lashi_integrator_find(run->method);
    lash_status status = lashi_workspace_create(&sim->workspace, system, error);
    sim->rtol = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    sim->atol = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    sim->scaled = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    sim->share = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    sim->least = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    sim->y_work = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    sim->ydot_work = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    sim->y_event = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    sim->y_start = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    double *shake = lashi_arena_alloc(&sim->arena, n, sizeof(double)),
           *size = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    sim->calls = lashi_arena_alloc(&sim->arena, (size_t)system->force_count, sizeof *sim->calls);
    if (!status && (!sim->calls || !sim->rtol || !sim->atol || !sim->scaled || !sim->share || !sim->least ||
                    !sim->y_work || !sim->ydot_work || !sim->y_event || !sim->y_start || !shake || !size))
        status = lashi_fail_memory(error);
    if (status)
        goto failed;
    memcpy(sim->y_start, system->y0, (size_t)system->n_y * sizeof(double));
    if (coordinates)
        memcpy(sim->y_start, coordinates, (size_t)(system->n_q + system->n_v) * sizeof(double));
    lashi_set_shake(shake, system);
    lashi_set_size(size, system);
    sim->resolution = lashi_set_tolerances(sim->rtol, sim->atol, system);
    lashi_set_motion(sim->share, sim->least, system);
    sim->least_pace = lashi_least_pace(sim->atol, sim->least, system);
    sim->unrounded = lashi_unrounded_tolerance(system);
    sim->rounding = lashi_rounding(system);
    sim->own_energy = lashi_own_energy(system);
    sim->own_speed = lashi_own_speed(system);
    sim->violation_allowed = lashi_violation_allowed(system);
    sim->problem = (lashi_problem){.n = n,
                                   .f = lashi_evaluate,
                                   .stage = lashi_evaluate_rates,
                                   .early = lashi_evaluate_motion,
                                   .context = sim->workspace,
                                   .rtol = sim->rtol,
                                   .atol = sim->atol,
                                   .max_step = isnan(run->max_step) ? INFINITY : run->max_step,
                                   .reads = (size_t)system->reads,
                                   .shake = shake,
                                   .size = size};
    if (at) {
        sim->problem.reads = 0;
        sim->problem.f = lashi_tangent_evaluate;
        sim->problem.stage = sim->problem.early = NULL;
        sim->problem.context = sim;
        status = lashi_tangent_create(sim, lashi_sim_y(at), error);
    }
    if (!status)
        status = sim->kind->create(&sim->integrator, &sim->problem, error);
    if (!status)
        status = lashi_singular_create(sim, error);
    if (!status)
        status = create_state(sim, error);
    if (!status)
        status = lashi_contacts_create(sim, error);
    if (!status)
        status = lashi_switches_create(sim, error);
    if (!status)
        status = lashi_channels_create(sim, error);
    if (!status)
        status = lashi_inputs_create(sim, error);
    sim->given = coordinates || at;
    if (!status)
        status = start(sim, sim->given, error);
    if (status)
        goto failed;
    *out = sim;
    return LASH_OK;
failed:
    lash_sim_destroy(sim);
    return status;
}

lash_status lash_sim_create(lash_sim **out, const lash_system *system, lash_error *error) {
    return lash_sim_create_at(out, system, NULL, error);
}

lash_status lash_sim_create_at(lash_sim **out, const lash_system *system, const double *coordinates,
                               lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !system)
        return lashi_fail_null(error);
    lash_sim *twin = NULL;
    lash_status status = create(out, system, coordinates, NULL, error);
    if (status || !lashi_invariants_wanted())
        return status;
    if (lash_sim_repeats(*out))
        status = create(&twin, system, coordinates, NULL, error);
    if (!status)
        status = lashi_invariants_create(*out, twin, error);
    if (status) {
        lash_sim_destroy(*out);
        *out = NULL;
    }
    return status;
}

lash_status lash_sim_create_tangent(lash_sim **out, const lash_sim *at, lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !at)
        return lashi_fail_null(error);
    const lashi_machine *machine = &at->system->machine;
    if (machine->switch_count || lashi_next_sample(machine, 0, INFINITY) < INFINITY)
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "a machine with %s has no tangent here: Lyapunov exponents and sensitivities need "
                          "forces that are smooth in the state; leave it out, or write it smoothly",
                          machine->switch_count ? "switches on the state (if, min, max, sign, …)"
                                                : "sampled signals");
    if (at->system->sticks)
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "exponents and sensitivities are not available with the friction law coulomb, "
                          "because neighbouring motions merge when they stick; take a law that is a function "
                          "of the speed, for example stribeck");
    lash_status status = create(out, at->system, NULL, at, error);
    if (status)
        return status;
    lash_sim *sim = *out;
    // The same state, except for the history of the integrator, which is longer here.
    const size_t bytes = sim->state->bytes;
    memcpy(sim->state, at->state, at->state->history_at);
    sim->state->bytes = bytes;
    sim->state->tangent_length = 1;
    sim->state->crossing = 0; // it begins with the model's method
    lashi_quiet_release(sim);
    lashi_inputs_use(sim);
    hold_piece(sim, at->state->piece);
    lashi_press_forget(sim);
    memset(sim->y_work, 0, sim->problem.n * sizeof(double));
    memcpy(sim->y_work, lashi_sim_y(at), (size_t)at->system->n_y * sizeof(double));
    const double h = sim->kind->remembers ? 0 : at->integrator->h_next;
    status = lashi_sim_restart(sim, at->integrator->t, sim->y_work, h, error);
    if (status) {
        lash_sim_destroy(sim);
        *out = NULL;
    }
    return status;
}

void lash_sim_destroy(lash_sim *sim) {
    if (!sim)
        return;
    if (sim->integrators[1])
        sim->kinds[1]->destroy(sim->integrators[1]);
    if (sim->integrators[0])
        sim->kinds[0]->destroy(sim->integrators[0]);
    lashi_invariants_destroy(sim->invariants);
    lashi_tangent_destroy(sim->tangent);
    lashi_workspace_destroy(sim->workspace);
    free(sim->state);
    free(sim->happened);
    lashi_arena_clear(&sim->arena);
    free(sim);
}

/* ---- one step ---- */

/* The workspace holds the present point where the method's last evaluation was there: dop853 ends its steps
 * so; adams and gear change y once more after their last one. */
static lash_status moved(lash_sim *sim, lash_status status) {
    sim->workspace->present = !status && sim->integrator->landed;
    return status;
}

lash_status lashi_sim_integrate(lash_sim *sim, double t_limit, lash_error *error) {
    return moved(sim, sim->kind->step(sim->integrator, t_limit, error));
}

lash_status lashi_sim_integrate_past(lash_sim *sim, double t_past, double leniency, double t_limit,
                                     lash_error *error) {
    return moved(sim, sim->kind->step_past(sim->integrator, t_past, leniency, t_limit, error));
}

lash_status lashi_sim_restart(lash_sim *sim, double t, const double *y, double h, lash_error *error) {
    return moved(sim, sim->kind->restart(sim->integrator, t, y, h, error));
}

/* Parts of a piece of time that one step may take: what happens in it shows at CELLS equal looks
 * (math/breaks.c), and so at the stages of dop853 in four steps, and at the ends of those of adams and gear
 * in sixteen. */
enum { PARTS = 4, PARTS_OF_ENDS = 16 };

/* How far the next step may go. */
static double farthest(const lash_sim *sim) {
    const lashi_piece piece = sim->state->piece;
    const double length = 2 * (piece.end - piece.inside), t = sim->integrator->t;
    if (!isfinite(piece.end) || !piece.varies)
        return piece.end;
    const double step = length / (sim->kind->remembers ? PARTS_OF_ENDS : PARTS), next = t + step;
    // The piece may be as short as rounding.
    return next > t && next < piece.end - 0.5 * step ? next : piece.end;
}

/* A step that has seen all that the tables of forces do in it. */
static lash_status take_step(lash_sim *sim, double t_limit, lash_error *error) {
    lash_status status = lashi_singular_step(sim, t_limit, error);
    for (double t; !status && (t = lashi_unseen(sim)) < INFINITY;) {
        const double t_old = sim->integrator->t_old;
        memcpy(sim->y_work, sim->integrator->y_old, sim->problem.n * sizeof(double));
        sim->integrator->counts.rejected++;
        sim->workspace->mismatch = 0;
        sim->workspace->failed_force = sim->workspace->failed_rub = -1;
        status = lashi_sim_restart(sim, t_old, sim->y_work, t - t_old, error);
        if (!status)
            status = lashi_singular_step(sim, t, error);
    }
    return status;
}

/* Of an error that is remembered from step to step, where contacts become quiet: errors vary with the phase of what is
 * left of their vibration, and come back. Elsewhere it would cost steps. */
static const double RECALL = 0.7;

static double reach(const lash_sim *sim, double t_limit) {
    return lashi_smaller(t_limit, lashi_smaller(farthest(sim), lashi_stick_reach(sim)));
}

static bool any_touches(const lash_sim *sim) {
    for (int k = 0; k < sim->system->contact_count; k++)
        if (sim->memories[k].touching == LASHI_TOUCHES)
            return true;
    return false;
}

lash_status lashi_sim_advance(lash_sim *sim, double t_limit, lash_error *error) {
    sim->happened_count = 0;
    sim->found = SIZE_MAX;
    sim->flip = -1;
    lash_status status = lashi_sim_pass(sim, error);
    if (!status && sim->system->machine.switch_count)
        status = lashi_switches_prepare(sim, error);
    if (!status && sim->workspace->linked)
        status = lashi_press_begin(sim, error);
    if (!status && sim->system->sticks)
        lashi_stick_watch(sim);
    sim->workspace->mismatch = 0;
    sim->workspace->failed_force = sim->workspace->failed_rub = -1;
    lashi_quiet_forget(sim);
    if (sim->state->way < 1 || sim->state->speed < 1)
        note_motion(sim, lashi_sim_y(sim));
    sim->integrator->leniency = sim->quietens && !sim->tangent ? lashi_lasting_leniency(sim) : 1;
    // Contacts that may become quiet have a mild test of their own while they last, and none when they are quiet.
    sim->integrator->stable = !sim->quietens || sim->integrator->leniency > 1;
    sim->integrator->shaken = any_touches(sim);
    sim->integrator->recall = sim->workspace->quieting && !sim->tangent ? RECALL : 0;
    const size_t stiff = sim->integrator->counts.stiff;
    if (!status)
        status = take_step(sim, reach(sim, t_limit), error);
    for (double again = 1; sim->workspace->quiet_count > 0 && again > 0;) {
        status = lashi_quiet_check(sim, &again, status, error);
        if (!status && again > 0)
            status = take_step(sim, fmin(reach(sim, t_limit), sim->integrator->t + again), error);
    }
    if (status)
        return lashi_sim_explain(sim, status, error);
    sim->t_new = sim->integrator->t;
    sim->limited = sim->integrator->counts.stiff > stiff;
    if (!sim->search.count)
        return sim->system->machine.switch_count ? lashi_switches_find(sim, error) : LASH_OK;
    status = lashi_contacts_find(sim, error);
    if (!status)
        lashi_contacts_watch(sim);
    return status;
}

lash_status lashi_sim_sample(double *y, lash_sim *sim, double t, lash_error *error) {
    const lash_status status = sim->kind->interpolate(y, sim->integrator, t, error);
    return status ? status : lashi_singular_sample(y, sim, t, error);
}

/* The accepted point, or what is carried behind it, moved onto the constraints. */
static lash_status correct(lash_sim *sim, lash_error *error) {
    const double t = sim->integrator->t;
    memcpy(sim->y_work, lashi_sim_y(sim), sim->problem.n * sizeof(double));
    lash_status status = LASH_OK;
    const double enough = sim->state->crossing ? LASHI_SHARP : LASHI_ENOUGH;
    if ((sim->system->projects || sim->state->crossing) &&
        lashi_project(sim->y_work, sim->workspace, t, enough)) {
        status = lashi_fail_at(error, LASH_ERROR_SINGULAR, t, "",
                               "projection onto the constraints failed at t = %.9g s", t);
        return lashi_sim_explain(sim, status, error);
    }
    if (sim->tangent)
        status = lashi_tangent_correct(sim->y_work, sim, t, error);
    return status ? status : moved(sim, sim->kind->correct(sim->integrator, sim->y_work, error));
}

lash_status lashi_sim_commit(lash_sim *sim, lash_error *error) {
    lash_status status = LASH_OK;
    double h = 0;
    if (sim->system->contact_count)
        status = lashi_account_transient(sim, error);
    if (!status && sim->system->deposits)
        status = lashi_wear_step(sim, error);
    if (!status && sim->search.count) {
        status = lashi_contacts_check(sim, error);
        if (!status && sim->workspace->quiet_count > 0 && lashi_at_event(sim))
            lashi_quiet_end(sim);
        if (!status)
            status = lashi_contacts_change(sim, &h, error);
        // An impact changes what expressions read.
        if (!status && h > 0 && sim->system->machine.switch_count)
            status = lashi_switches_settle(sim, sim->t_new, sim->y_event, error);
    }
    if (!status && h > 0)
        status = lashi_sim_restart(sim, sim->t_new, sim->y_event, h, error);
    if (!status && sim->flip >= 0) {
        status = lashi_switches_turn(sim, error); // the run ends here, even if that fails
        h = sim->kind->remembers ? 0 : sim->integrator->h_next;
        const lash_status begun = lashi_sim_restart(sim, sim->t_new, sim->y_event, h, status ? NULL : error);
        status = status ? status : begun;
    }
    if (!status && (sim->system->projects || sim->state->crossing || sim->tangent))
        status = correct(sim, error);
    if (!status)
        status = lashi_singular_end(sim, error);
    if (!status && sim->workspace->quieting && !sim->tangent && !sim->kind->remembers && !lashi_at_event(sim))
        status = lashi_quieten(sim, error);
    sim->state->t = sim->integrator->t;
    // The pressure of a contact that is a constraint is a multiplier; energies and violations need none.
    if (!status && sim->workspace->linked)
        status = lashi_sim_evaluate(sim, sim->integrator->t, lashi_sim_y(sim), error);
    if (status)
        return lashi_sim_explain(sim, status, error);
    if (!sim->workspace->present)
        lashi_look(sim->workspace, sim->integrator->t, lashi_sim_y(sim));
    lashi_modes_note(sim);
    return lashi_account_keep(sim, error);
}

/* A piece shorter than so many resolutions of the time is one that rounding has cut off: near there two sides
 * of a comparison are the same to rounding. The search continues behind it, ever farther, but not by more than
 * this share of the time. */
static const double CROWDED = 64, MOST_CROWDED = 1e-6;

/* From the piece that ends at t to the next. *jumps: forces or accelerations do. */
static lash_status next_piece(bool *jumps, lash_sim *sim, double t, lash_error *error) {
    const double resolution = lashi_time_resolution(t);
    const double skipped = sim->state->crowded ? ldexp(resolution, sim->state->crowded) : 0;
    const lashi_piece after = lashi_piece_from(sim->system, t + skipped);
    const lash_status status = lashi_piece_pass(jumps, sim->system, t, sim->state->piece, after, error);
    sim->state->crowded = after.end - (t + skipped) > CROWDED * resolution ? 0 : sim->state->crowded + 1;
    hold_piece(sim, after);
    if (!status && skipped > MOST_CROWDED * fabs(t))
        return lashi_fail_at(
            error, LASH_ERROR_STEP, t, "",
            "at t = %.17g s a condition of a drive or force changes without end: the two sides "
            "of a comparison, or of min or max, are the same to rounding there; write it so "
            "that they differ",
            t);
    return status;
}

lash_status lashi_sim_look_ahead(lash_sim *sim, double t, lash_error *error) {
    lash_status status = LASH_OK;
    bool jumps;
    while (!status && sim->state->piece.end < t)
        status = next_piece(&jumps, sim, sim->state->piece.end, error);
    return status;
}

/* What a jump of forces does to contacts and friction, and that to what expressions read. */
static lash_status jump_contacts(lash_sim *sim, double *h, double t, lash_error *error) {
    const lash_status status = lashi_contacts_jump(sim, h, error);
    return status || !(*h > 0) ? status : lashi_switches_settle(sim, t, sim->y_event, error);
}

/* The present piece is over. */
static lash_status leave_piece(lash_sim *sim, lash_error *error) {
    const double t = sim->integrator->t;
    const lashi_piece before = sim->state->piece;
    bool jumps;
    double h = 0;
    lash_status status = next_piece(&jumps, sim, t, error);
    if (status)
        return status;
    const double *y = lashi_sim_y(sim);
    if (sim->system->machine.read_count)
        status = lashi_switches_pass(sim, &y, t, error);
    jumps = jumps || y != lashi_sim_y(sim);
    if (!status && y != lashi_sim_y(sim)) // sampled: the rest sees the new values
        status = lashi_sim_restart(sim, t, y, sim->integrator->h_next, error);
    if (jumps && sim->workspace->quiet_count > 0)
        lashi_quiet_release(sim);
    if (!status && (sim->workspace->linked || sim->system->sticks))
        status = jump_contacts(sim, &h, t, error);
    const double go_on = sim->kind->remembers ? 0 : sim->integrator->h_next;
    // A method that sees only the ends of its steps would miss what begins softly.
    jumps = jumps || (before.anew && sim->kind->remembers);
    if (!status && (h > 0 || jumps))
        status = lashi_sim_restart(sim, t, h > 0 ? sim->y_event : lashi_sim_y(sim), h > 0 ? h : go_on, error);
    else if (!status)
        status = sim->kind->correct(sim->integrator, lashi_sim_y(sim), error);
    sim->workspace->present = false;
    return lashi_sim_explain(sim, status, error);
}

lash_status lashi_sim_pass(lash_sim *sim, lash_error *error) {
    return sim->integrator->t < sim->state->piece.end ? LASH_OK : leave_piece(sim, error);
}

lash_status lashi_sim_jump(lash_sim *sim, lash_error *error) {
    double h = 0;
    lash_status status = LASH_OK;
    sim->workspace->present = false;
    if (sim->workspace->quiet_count > 0)
        lashi_quiet_release(sim);
    if (sim->system->machine.switch_count)
        status = lashi_switches_settle(sim, sim->integrator->t, lashi_sim_y(sim), error);
    if (!status && (sim->workspace->linked || sim->system->sticks))
        status = jump_contacts(sim, &h, sim->integrator->t, error);
    const double go_on = sim->kind->remembers ? 0 : sim->integrator->h_next;
    if (!status)
        status = lashi_sim_restart(sim, sim->integrator->t, h > 0 ? sim->y_event : lashi_sim_y(sim),
                                   h > 0 ? h : go_on, error);
    return lashi_sim_explain(sim, status, error);
}

/* ---- the run ---- */

static double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static lash_status observe(lash_sim *sim, const lash_run_control *control, lash_error *error) {
    sim->observed = true;
    sim->flaw.status = LASH_OK;
    const lash_status status = control->observe(control->user, sim, sim->integrator->t_old, sim->t_new);
    sim->observed = false;
    if (!status && sim->flaw.status)
        *error = sim->flaw;
    return status ? status : sim->flaw.status;
}

/* One step, for all who look on. */
static lash_status watched_step(lash_sim *sim, double t_limit, lash_record *record,
                                const lash_run_control *control, lash_error *error) {
    lash_status status = sim->invariants ? lashi_invariants_begin(sim, error) : LASH_OK;
    if (!status)
        status = lashi_sim_advance(sim, t_limit, error);
    if (!status && sim->invariants)
        status = lashi_invariants_step(sim, error);
    if (!status && record)
        status = lashi_record_samples(record, sim, error);
    if (!status && control && control->observe)
        status = observe(sim, control, error);
    if (!status)
        status = lashi_sim_commit(sim, error);
    if (!status && sim->integrator->t < t_limit)
        status = lashi_sim_pass(sim, error);
    if (!status && sim->invariants)
        status = lashi_invariants_end(sim, t_limit, error);
    if (!status && record)
        status = lashi_record_step(record, sim, error);
    for (size_t k = 0; !status && control && control->event && k < sim->happened_count; k++)
        control->event(control->user, &sim->happened[k]);
    return status || !sim->stopping ? status : LASH_STOP_EVENT;
}

lash_status lash_sim_step(lash_sim *sim, double t_limit, lash_error *error) {
    return lash_sim_step_observed(sim, t_limit, NULL, error);
}

lash_status lash_sim_step_observed(lash_sim *sim, double t_limit, const lash_run_control *control,
                                   lash_error *error) {
    lash_error own;
    if (!sim || isnan(t_limit))
        return lashi_fail(error, LASH_ERROR_USAGE, "a step needs a sim and a time to stop at");
    if (!(sim->integrator->t < t_limit))
        return LASH_STOP_END;
    // A contact that pulls from the start is lost before the first step.
    bool lost = false;
    for (int k = 0; sim->integrator->t == sim->system->start && k < sim->system->contact_count; k++)
        lost = lost || (sim->memories[k].pulling && sim->system->contacts[k].stops);
    if (lost && sim->state->events == 0) {
        const lash_status status = lashi_modes_announce(sim, error ? error : &own);
        if (status)
            return status;
        for (size_t k = 0; control && control->event && k < sim->happened_count; k++)
            control->event(control->user, &sim->happened[k]);
        return LASH_STOP_EVENT;
    }
    return watched_step(sim, t_limit, sim->record, control, error ? error : &own);
}

lash_status lash_sim_attach(lash_sim *sim, lash_record *record, double end, lash_error *error) {
    if (!sim)
        return lashi_fail(error, LASH_ERROR_USAGE, "there is no sim to attach a record to");
    sim->record = NULL;
    if (!record)
        return LASH_OK;
    if (!(end > sim->integrator->t) || !isfinite(end))
        return lashi_fail(error, LASH_ERROR_USAGE, "a record goes to a time after the present one, %.9g s",
                          sim->integrator->t);
    sim->happened_count = 0;
    const lash_status status = lashi_record_begin(record, sim, sim->integrator->t, end, error);
    sim->record = status ? NULL : record;
    return status;
}

const lash_event *lash_sim_events(size_t *count, const lash_sim *sim) {
    const size_t happened = sim ? sim->happened_count : 0;
    if (count)
        *count = happened;
    return happened ? sim->happened : NULL;
}

lash_status lash_sim_settle(lash_sim *sim, const lash_run_control *control, lash_error *error) {
    lash_error own;
    error = error ? error : &own;
    if (!sim)
        return lashi_fail_null(error);
    if (strcmp(sim->system->model->run.start, "settled") != 0 || sim->integrator->t != sim->system->start)
        return LASH_OK;
    const double begun = wall_clock();
    const lash_status status = lashi_settle(sim, control, error);
    sim->wall_time += wall_clock() - begun;
    if (status) {
        sim->ended = status;
        snprintf(sim->message, sizeof sim->message, "%.511s", status < 0 ? error->message : "");
    }
    return status;
}

lash_status lash_sim_run(lash_sim *sim, lash_record *record, const lash_run_control *control,
                         lash_error *error) {
    lash_error own;
    error = error ? error : &own;
    if (!sim)
        return lashi_fail_null(error);
    const lash_status status = lash_sim_settle(sim, control, error);
    if (status)
        return status;
    const double settled = sim->settled_turns ? sim->state->counted_from - sim->system->start : 0;
    return lash_sim_run_until(sim, sim->system->end + settled, record, control, error);
}

lash_status lash_sim_run_until(lash_sim *sim, double end, lash_record *record,
                               const lash_run_control *control, lash_error *error) {
    lash_error own;
    if (!sim)
        return lashi_fail_null(error);
    if (!error)
        error = &own;
    const double begun = wall_clock();
    const double max_steps = sim->system->model->run.max_steps;
    lash_status status = LASH_OK;
    if (!(end > sim->integrator->t))
        return lashi_fail(error, LASH_ERROR_USAGE, "the run has no end after its start: give `until`");
    status = lashi_modes_announce(sim, error);
    const bool goes_on = record && record == sim->interrupted && end == sim->interrupted_end;
    if (!status && record && !goes_on)
        status = lashi_record_begin(record, sim, sim->integrator->t, end, error);
    if (!status && sim->happened_count > 0 && sim->stopping)
        status = LASH_STOP_EVENT;
    for (size_t k = 0; !status && control && control->event && k < sim->happened_count; k++)
        control->event(control->user, &sim->happened[k]);
    for (double count = 0; !status && sim->integrator->t < end; count++) {
        status = watched_step(sim, end, record, control, error);
        if (!status && sim->consider)
            status = sim->consider(sim, end, error);
        if (!status && control && control->progress &&
            !control->progress(control->user, sim->integrator->t, end) && sim->integrator->t < end)
            status = LASH_STOP_INTERRUPTED;
        if (!status && count + 1 >= max_steps && sim->integrator->t < end)
            status = lashi_fail_at(error, LASH_ERROR_LIMIT, sim->integrator->t, "",
                                   "stopped after max_steps = %.0f steps at t = %.9g s", max_steps,
                                   sim->integrator->t);
    }
    sim->wall_time += wall_clock() - begun;
    sim->interrupted = status == LASH_STOP_INTERRUPTED ? record : NULL;
    sim->interrupted_end = end;
    if (status == LASH_OK || status == LASH_STOP_EVENT) {
        const lash_status verdict = lash_sim_judge(sim, error);
        status = verdict ? verdict : status;
    }
    sim->ended = status ? status : LASH_STOP_END;
    snprintf(sim->message, sizeof sim->message, "%.511s", status < 0 ? error->message : "");
    return status < 0 ? status : sim->ended;
}

const lash_system *lash_sim_system(const lash_sim *sim) {
    return sim ? sim->system : NULL;
}

double lash_sim_time(const lash_sim *sim) {
    if (!sim)
        return (double)NAN;
    return sim->integrator->t;
}

lashi_integrator_counts lashi_sim_counts(const lash_sim *sim) {
    lashi_integrator_counts counts = sim->integrators[0]->counts;
    if (sim->integrators[1]) {
        counts.steps += sim->integrators[1]->counts.steps;
        counts.rejected += sim->integrators[1]->counts.rejected;
        counts.evaluations += sim->integrators[1]->counts.evaluations;
        counts.stiff += sim->integrators[1]->counts.stiff;
    }
    return counts;
}

lash_summary lash_sim_summary(lash_sim *sim) {
    if (!sim)
        return (lash_summary){0};
    const lash_state *state = sim->state;
    const lashi_integrator_counts counts = lashi_sim_counts(sim);
    for (int k = 0; k < sim->system->contact_count; k++)
        sim->summaries[k] = lashi_contact_summary(sim, k);
    lash_summary summary = {.status = sim->ended,
                            .start = sim->system->start,
                            .end = sim->integrator->t,
                            .steps = counts.steps,
                            .rejected = counts.rejected,
                            .evaluations = counts.evaluations,
                            .looks = sim->workspace->evaluations - counts.evaluations,
                            .wall_time = sim->wall_time,
                            .max_position_violation = state->max_position,
                            .max_velocity_violation = state->max_velocity,
                            .energy_exchanged = state->exchanged,
                            .max_balance_error = state->max_balance,
                            .balance_allowed = lashi_balance_allowed(sim),
                            .violation_allowed = sim->violation_allowed,
                            .least_rtol = lashi_least_rtol(sim),
                            .events = state->events,
                            .first_turn_end = isfinite(state->turn_end) ? state->turn_end : (double)NAN,
                            .discard = isfinite(state->counted_from) ? state->counted_from : (double)NAN,
                            .settled_turns = sim->settled_turns,
                            .settled_to = sim->settled_turns ? sim->settled_to : (double)NAN,
                            .stiff_steps = counts.stiff,
                            .clearance_count = (size_t)sim->system->contact_count,
                            .clearances = sim->summaries,
                            .system = sim->system};
    memcpy(summary.message, sim->message, sizeof summary.message);
    return summary;
}

/* ---- the state ---- */

lash_status lash_state_create(lash_state **out, const lash_sim *sim, lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !sim)
        return lashi_fail_null(error);
    *out = calloc(1, sim->state->bytes);
    if (!*out)
        return lashi_fail_memory(error);
    return lash_sim_save(*out, sim, error);
}

void lash_state_destroy(lash_state *state) {
    free(state);
}

lash_status lash_sim_save(lash_state *state, const lash_sim *sim, lash_error *error) {
    if (!state || !sim)
        return lashi_fail_null(error);
    if (state->bytes && state->bytes != sim->state->bytes)
        return lashi_fail(error, LASH_ERROR_USAGE, "this state belongs to another system");
    memcpy(state, sim->state, sim->state->bytes);
    sim->kind->save((char *)state + state->history_at, sim->integrator);
    return LASH_OK;
}

bool lash_sim_repeats(const lash_sim *sim) {
    return sim && !sim->kinds[0]->remembers;
}

lash_status lash_sim_restore(lash_sim *sim, const lash_state *state, lash_error *error) {
    if (!sim || !state)
        return lashi_fail_null(error);
    if (state->bytes != sim->state->bytes)
        return lashi_fail(error, LASH_ERROR_USAGE, "this state belongs to another system");
    memcpy(sim->state, state, state->bytes);
    lashi_quiet_list(sim->workspace);
    hold_piece(sim, state->piece);
    lashi_inputs_use(sim);
    sim->stopping = false;
    lashi_press_forget(sim);
    sim->stuck = 0;
    sim->found = SIZE_MAX;
    sim->flip = -1;
    lashi_singular_select(sim);
    const size_t before = sim->integrator->counts.evaluations;
    lash_status status =
        moved(sim, sim->kind->load(sim->integrator, (const char *)state + state->history_at, error));
    sim->workspace->evaluations += sim->integrator->counts.evaluations - before; // the looks stay
    return status ? status : lashi_sim_evaluate(sim, sim->integrator->t, lashi_sim_y(sim), error);
}

lash_status lash_sim_adopt(lash_sim *sim, const lash_state *state, lash_error *error) {
    lash_status status = lash_sim_restore(sim, state, error);
    if (status)
        return status;
    const double t = sim->integrator->t;
    double position, velocity;
    lashi_violation(&position, &velocity, sim->workspace);
    if (position > sim->violation_allowed)
        return lashi_fail_at(error, LASH_ERROR_MODEL, t, "",
                             "the state of t = %.9g s does not fit this model: joints are apart by %.3g m or "
                             "rad there. Lengths and drives must be those that it was computed with",
                             t, position);
    sim->state->crowded = 0;
    hold_piece(sim, lashi_piece_from(sim->system, t));
    lashi_quiet_release(sim);
    status = lashi_contacts_fit(sim, error);
    if (!status)
        status = lashi_sim_jump(sim, error);
    if (!status)
        status = lashi_sim_evaluate(sim, t, lashi_sim_y(sim), error);
    return status ? status : lashi_account_rebase(sim, error);
}
