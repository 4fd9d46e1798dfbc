/* SPDX-License-Identifier: MIT
 *
 * What must hold for any machine in every step, whatever the model says: with LASH_CHECK=1 in the environment
 * a run is looked at beside its steps, and a step that breaks a law ends it with an error that names the
 * place. The run itself is the same bit for bit, with its own workspace for every look.
 *
 * Inside a step, at the nodes of Gauss and at its end:
 *   time       continues;
 *   numbers    coordinates and their rates are finite;
 *   contacts   free ones are not beyond their wall, so that none is passed over; touching ones not off it;
 *              those that are constraints on it;
 *   reaction   what a contact does to its bodies has no resultant force and no resultant moment;
 *   momentum   of a machine that nothing holds to ground changes by its weight alone;
 *   power      d(K + V + U)/dt = input − losses, with the derivative by differences of the energies along ẏ.
 *              Joints that are not quite closed do work, λ Φ̇, which is allowed for;
 *   impulse    of a contact grows by the integral of its force.
 * Every REPEAT steps:
 *   state      a second sim that is restored from the state before the step makes the same step, bit for bit.
 *
 * The energy of the whole run and the joints are judged by account.c, with or without this.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/gauss.h"
#include "sim/sim.h"

enum { REPEAT = 32 };

/* δ on the wrong side of zero, in accuracies of the contact: a bounce that small is merged, and located. */
static const double AT_WALL = 4;
/* Of the moments and forces there are. */
static const double THIRD_LAW = 1e-9, FREE = 1e-7;
/* Of the power that flows; the difference is taken over this share of the step, or of a radian. */
static const double POWER = 1e-4, DIFFERENCE = 1e-3;
/* Of the largest force times the step, and of what it was in this contact: both sums see kinks of the force
 * between their points. */
static const double IMPULSE = 0.05, IMPULSE_OF_PEAK = 1e-3;
/* Steps of a contact after which it is looked at: methods that remember begin each as Euler would. */
enum { SETTLED_AT_ONCE = 3, SETTLED = 40 };
static const double ROUNDING = 1024;

/* Of one contact, since it began. */
typedef struct impulse {
    double since;           /* s */
    double grown, integral; /* N s: what the run says, and the integral of the force */
    double size;            /* N s, of the largest force */
    double step, strongest; /* N s, N: of the present step */
    int steps;
} impulse;

struct lashi_invariants {
    lashi_workspace *workspace;
    lash_sim *twin;           /* that repeats steps; NULL: the method does not repeat */
    lash_state *before;       /* of the twin's step */
    double *y, *ydot, *moved; /* [problem.n] */
    impulse *impulses;        /* [contacts] */
    size_t steps;
    bool repeating, free;
};

static lash_status broken(double t, const char *object, const char *what, double value, double allowed,
                          lash_error *error) {
    return lashi_fail_at(error, LASH_ERROR_INTERNAL, t, object,
                         "LASH_CHECK: at t = %.9g s %s%s%s%s: %.6g where %.3g is allowed. This is a fault of "
                         "Lash; please report it with the model",
                         t, object[0] ? "'" : "", object, object[0] ? "': " : "", what, value, allowed);
}

/* Nothing acts from ground or from outside. */
static bool is_free(const lash_system *system) {
    for (int c = 0; c < system->motion.count; c++)
        if (!system->motion.items[c].body[0] || !system->motion.items[c].body[1])
            return false;
    for (int k = 0; k < system->contact_count; k++)
        if (!system->contacts[k].body[0] || !system->contacts[k].body[1])
            return false;
    for (int f = 0; f < system->force_count; f++)
        if (!system->forces[f].body[0] || !system->forces[f].body[1])
            return false;
    return system->absorbed_count == 0;
}

void lashi_invariants_destroy(lashi_invariants *check) {
    if (!check)
        return;
    lashi_workspace_destroy(check->workspace);
    lash_sim_destroy(check->twin);
    lash_state_destroy(check->before);
    free(check->y);
    free(check->impulses);
    free(check);
}

lash_status lashi_invariants_create(lash_sim *sim, lash_sim *twin, lash_error *error) {
    lashi_invariants *check = calloc(1, sizeof *check);
    if (!check) {
        lash_sim_destroy(twin);
        return lashi_fail_memory(error);
    }
    const size_t n = sim->problem.n, contacts = (size_t)sim->system->contact_count;
    sim->invariants = check; // destroyed with the sim
    check->twin = twin;
    check->free = is_free(sim->system);
    check->y = calloc(3 * n, sizeof(double));
    check->impulses = calloc(contacts + 1, sizeof *check->impulses);
    if (!check->y || !check->impulses)
        return lashi_fail_memory(error);
    check->ydot = check->y + n;
    check->moved = check->ydot + n;
    lash_status status = lashi_workspace_create(&check->workspace, sim->system, error);
    if (!status) { // its memories, inputs and left-out rows are those of the sim
        check->workspace->memories = sim->memories;
        check->workspace->rub_memories = sim->rub_memories;
        check->workspace->settings = sim->settings;
        check->workspace->modes = sim->modes;
        check->workspace->constraints.repeats = sim->workspace->constraints.repeats;
        check->workspace->constraints.sound = sim->workspace->constraints.sound;
    }
    if (!status && twin)
        status = lash_state_create(&check->before, sim, error);
    return status;
}

/* ---- at one point ---- */

/* On which side of its wall a contact is. */
static lash_status check_contact(const lash_sim *sim, int k, double t, lash_error *error) {
    const lashi_contact *contact = &sim->system->contacts[k];
    const lashi_memory *memory = &sim->memories[k];
    const double delta = sim->invariants->workspace->contact_states[k].gap.delta;
    double allowed = AT_WALL * fmax(contact->p->tolerance, lashi_resolution(sim));
    if (!contact->dry)
        return LASH_OK;
    if (lashi_contact_holds(contact, memory)) {
        allowed = fmax(allowed, sim->violation_allowed / contact->p->lever);
        return fabs(delta) <= allowed
                   ? LASH_OK
                   : broken(t, contact->name, "a contact that follows its wall is off it or beyond it", delta,
                            allowed, error);
    }
    if (!memory->touching && !(delta <= allowed))
        return broken(t, contact->name, "in free flight the contact is beyond its wall", delta, allowed,
                      error);
    if (memory->touching && !(delta >= -allowed))
        return broken(t, contact->name, "in contact it is off its wall", delta, allowed, error);
    return LASH_OK;
}

/* A force and its moment about the origin of ground, added up; size: of both. */
typedef struct wrench {
    lashi_vec3 force, moment;
    double force_size, moment_size;
} wrench;

static void add(wrench *out, const lash_system *system, const lashi_frame *frame,
                const double g[LASHI_FREEDOMS]) {
    const bool spatial = system->spatial;
    const lashi_vec3 r = spatial ? frame->r : (lashi_vec3){frame->x, frame->y, 0};
    const lashi_vec3 f = {g[0], g[1], spatial ? g[2] : 0};
    const lashi_vec3 m =
        spatial ? lashi_turn3(frame->A, (lashi_vec3){g[3], g[4], g[5]}) : (lashi_vec3){0, 0, g[2]};
    const lashi_vec3 about = lashi_add3(m, lashi_cross3(r, f));
    out->force = lashi_add3(out->force, f);
    out->moment = lashi_add3(out->moment, about);
    out->force_size += lashi_length3(f);
    out->moment_size += lashi_length3(m) + (lashi_length3(r) + system->length) * lashi_length3(f);
}

static lash_status check_wrench(const wrench *sum, double share, double t, const char *object,
                                const char *force, const char *moment, lash_error *error) {
    if (!(lashi_length3(sum->force) <= share * sum->force_size))
        return broken(t, object, force, lashi_length3(sum->force), share * sum->force_size, error);
    if (!(lashi_length3(sum->moment) <= share * sum->moment_size))
        return broken(t, object, moment, lashi_length3(sum->moment), share * sum->moment_size, error);
    return LASH_OK;
}

/* With `points: own` forces act on each part at its own surface, which are δ apart: N m at most. */
static double couple(const lashi_contact_state *state) {
    return lashi_length3(lashi_add3(state->dry, state->wet)) * fabs(state->gap.delta);
}

/* What a contact does to all its bodies together. */
static lash_status check_reaction(const lash_sim *sim, int k, double t, lash_error *error) {
    const lashi_contact *contact = &sim->system->contacts[k];
    const lashi_workspace *w = sim->invariants->workspace;
    wrench sum = {0};
    for (int link = 0; link < LASHI_LINKS; link++) {
        const int body = contact->body[link];
        bool again = link >= LASHI_SLOTS && contact->acts != LASHI_ACTS_ON_ROWS;
        for (int before = 0; before < link; before++)
            again = again || contact->body[before] == body;
        double g[LASHI_FREEDOMS] = {0};
        if (again)
            continue;
        if (!body && contact->acts == LASHI_ACTS_ON_ROWS)
            return LASH_OK; // rows of ground need not be filled
        lashi_contact_load(g, contact, w->frames, &w->contact_states[k], body);
        add(&sum, sim->system, &w->frames[body], g);
    }
    sum.moment_size += couple(&w->contact_states[k]) / THIRD_LAW;
    return check_wrench(&sum, THIRD_LAW, t, contact->name, "its forces on both parts are not opposite",
                        "its moments on both parts are not opposite", error);
}

/* Of a machine that nothing holds: M v̇ less its weight. */
static lash_status check_momentum(const lash_sim *sim, double t, lash_error *error) {
    const lash_system *system = sim->system;
    const lashi_workspace *w = sim->invariants->workspace;
    wrench sum = {0};
    for (int b = 1; b < system->bodies; b++) {
        double g[LASHI_FREEDOMS];
        for (int k = 0; k < LASHI_FREEDOMS; k++)
            g[k] = system->mass[b][k] * w->acceleration[b][k] - system->weight[b][k];
        if (system->spatial) { // + ω′ × J′ω′
            const double *J = system->mass[b] + 3;
            const lashi_vec3 u = w->frames[b].own;
            g[3] += (J[2] - J[1]) * u.y * u.z;
            g[4] += (J[0] - J[2]) * u.z * u.x;
            g[5] += (J[1] - J[0]) * u.x * u.y;
            sum.moment_size += (J[0] + J[1] + J[2]) * lashi_dot3(u, u);
        }
        sum.force_size += lashi_length3(lashi_vec3_of(system->weight[b]));
        add(&sum, system, &w->frames[b], g);
    }
    for (int k = 0; k < system->contact_count; k++)
        sum.moment_size += couple(&w->contact_states[k]) / FREE;
    return check_wrench(&sum, FREE, t, "", "the momentum of a free machine changes",
                        "the angular momentum of a free machine changes", error);
}

/* ---- power ---- */

static double energy_at(double *size, const lash_sim *sim, double t, double later) {
    lashi_invariants *check = sim->invariants;
    for (int i = 0; i < sim->system->n_y; i++)
        check->moved[i] = check->y[i] + later * check->ydot[i];
    lashi_look(check->workspace, t + later, check->moved);
    const lashi_energy e = lashi_energy_evaluate(check->workspace);
    *size = fmax(*size, fabs(e.kinetic) + fabs(e.potential) + fabs(e.elastic));
    return e.kinetic + e.potential + e.elastic;
}

/* The workspace holds (t, y), whose rates are in ydot; it does not any more after this. */
static lash_status check_power(const lash_sim *sim, double t, double h, lash_error *error) {
    const lash_system *system = sim->system;
    const lashi_invariants *check = sim->invariants;
    const lashi_workspace *w = check->workspace;
    double brought = w->ledger.input - w->ledger.dissipation,
           flow = fabs(w->ledger.input) + w->ledger.dissipation, pull = 0, size = 0, leak = 0,
           quick = 1 / fmax(h, DBL_MIN); // 1/s; bodies that a drive turns need not be followed by the steps
    for (int b = 1; b < system->bodies; b++) {
        const lashi_frame *f = &w->frames[b];
        const double planar[] = {f->vx, f->vy, f->w, 0, 0, 0};
        quick = fmax(quick, system->spatial ? lashi_length3(f->own) : fabs(f->w));
        const double spatial[] = {f->v.x, f->v.y, f->v.z, f->own.x, f->own.y, f->own.z};
        for (int k = 0; k < system->width; k++) {
            const double v = (system->spatial ? spatial : planar)[k];
            const double force =
                fabs(system->mass[b][k] * w->acceleration[b][k]) + fabs(system->weight[b][k]);
            flow += force * fabs(v);
            pull += k < system->turning ? force : 0;
        }
    }
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact_state *s = &w->contact_states[k];
        for (int i = 0; i < LASHI_LOSSES; i++) {
            const double lost = check->ydot[system->loss_at + LASHI_LOSSES * k + i];
            brought -= lost;
            flow += fabs(lost);
        }
        flow += fabs(s->normal_force * s->gap.deltadot);
        pull += fabs(s->normal_force);
    }
    for (int r = 0; r < system->rub_count; r++) {
        const double lost = system->rubs[r].loss >= 0 ? check->ydot[system->rubs[r].loss] : 0;
        brought -= lost;
        flow += fabs(lost);
    }
    for (int i = 0; i < system->motion.rows; i++)
        leak += fabs(w->lambda[i] * w->constraints.Phi_dot[i]);
    const double epsilon = DIFFERENCE / quick;
    const double change = energy_at(&size, sim, t, epsilon) - energy_at(&size, sim, t, -epsilon);
    // Error with which the change of power in a step is known; then rounding of energies, positions, times.
    const double bend = fabs(change) / epsilon;
    const double allowed = leak + POWER * (flow + bend) +
                           ROUNDING * DBL_EPSILON * (size + pull * system->length + flow * fabs(t)) / epsilon;
    const double off = change / (2 * epsilon) - brought;
    if (!(fabs(off) <= allowed))
        return broken(t, "", "K + V + U does not change by what comes in and is lost, in W", off, allowed,
                      error);
    return LASH_OK;
}

/* ---- one step ---- */

static lash_status check_finite(const lash_sim *sim, const double *values, double t, const char *what,
                                lash_error *error) {
    for (int i = 0; i < sim->system->n_y; i++)
        if (!isfinite(values[i]))
            return broken(t, "", what, values[i], 0, error);
    return LASH_OK;
}

/* (t, y) inside the step; false: it cannot be evaluated there, which is no fault (near a singular position).
 */
static lash_status check_point(bool *seen, const lash_sim *sim, double t, lash_error *error) {
    lashi_invariants *check = sim->invariants;
    lashi_workspace *w = check->workspace;
    w->frames[0] = sim->workspace->frames[0];
    lashi_quiet_list(w);
    *seen = lashi_evaluate(check->ydot, w, t, check->y) == 0;
    lash_status status = check_finite(sim, check->y, t, "a coordinate is not finite", error);
    if (!status && *seen)
        status = check_finite(sim, check->ydot, t, "a rate is not finite", error);
    for (int k = 0; !status && k < sim->system->contact_count; k++) {
        status = check_contact(sim, k, t, error);
        if (!status && *seen)
            status = check_reaction(sim, k, t, error);
    }
    if (!status && *seen && check->free)
        status = check_momentum(sim, t, error);
    return status;
}

/* What the impulse of a contact has grown by since the contact began; y at the end of the step is at hand. */
static lash_status check_impulse(const lash_sim *sim, int k, double h, lash_error *error) {
    const lashi_invariants *check = sim->invariants;
    impulse *sum = &check->impulses[k];
    const int at = sim->system->impulse_at + k;
    const double before = sim->integrator->y_old[at], rounding = ROUNDING * DBL_EPSILON * fabs(check->y[at]);
    sum->grown += check->y[at] - before;
    sum->integral += sum->step;
    sum->size += h * fmax(sum->strongest, IMPULSE_OF_PEAK * sim->memories[k].peak.force) + rounding;
    sum->steps++;
    if (sum->steps < (sim->kind->remembers ? SETTLED : SETTLED_AT_ONCE))
        return LASH_OK;
    if (!(fabs(sum->grown - sum->integral) <= IMPULSE * sum->size))
        return broken(sim->t_new, sim->system->contacts[k].name,
                      "its impulse does not grow by the integral of its force, in N s",
                      sum->grown - sum->integral, IMPULSE * sum->size, error);
    return LASH_OK;
}

lash_status lashi_invariants_begin(lash_sim *sim, lash_error *error) {
    lashi_invariants *check = sim->invariants;
    check->repeating = check->twin && check->steps++ % REPEAT == 0;
    for (int f = 0; f < sim->system->force_count; f++) // a caller's function need not repeat itself
        check->repeating = check->repeating && !sim->calls[f].call;
    return check->repeating ? lash_sim_save(check->before, sim, error) : LASH_OK;
}

lash_status lashi_invariants_step(lash_sim *sim, lash_error *error) {
    lashi_invariants *check = sim->invariants;
    const double t0 = sim->integrator->t_old, h = sim->t_new - t0;
    if (!(h >= 0) || !isfinite(sim->t_new))
        return broken(sim->t_new, "", "time does not go on", h, 0, error);
    if (h == 0 || sim->state->crossing)
        return LASH_OK;
    const size_t looks = sim->workspace->evaluations;
    const bool present = sim->workspace->present;
    const int contacts = sim->system->contact_count;
    bool seen = false, all = true;
    lash_status status = LASH_OK;
    for (int k = 0; k < contacts; k++) {
        impulse *sum = &check->impulses[k];
        if (sum->since != sim->memories[k].since)
            *sum = (impulse){.since = sim->memories[k].since};
        sum->step = sum->strongest = 0;
    }
    for (int i = 0; !status && i <= LASHI_GAUSS; i++) {
        const double t = i < LASHI_GAUSS ? t0 + lashi_gauss_node[i] * h : sim->t_new;
        status = lashi_sim_sample(check->y, sim, t, error);
        if (!status)
            status = check_point(&seen, sim, t, error);
        all = all && seen;
        for (int k = 0; !status && seen && k < contacts; k++) {
            const double force = check->workspace->contact_states[k].normal_force;
            check->impulses[k].step += i < LASHI_GAUSS ? lashi_gauss_weight[i] * h * force : 0;
            check->impulses[k].strongest = fmax(check->impulses[k].strongest, fabs(force));
        }
        if (!status && seen && i == LASHI_GAUSS / 2)
            status = check_power(sim, t, h, error);
    }
    for (int k = 0; !status && all && k < contacts; k++)
        status = check_impulse(sim, k, h, error);
    if (!status && present) // the interpolant has been elsewhere
        status = lashi_sim_evaluate(sim, sim->integrator->t, lashi_sim_y(sim), error);
    sim->workspace->evaluations = looks; // those of the interpolant are not the run's
    return status;
}

/* The bits of two runs after the same step. */
static bool same(const lash_sim *a, const lash_sim *b) {
    bool equal = a->integrator->t == b->integrator->t && a->integrator->h_next == b->integrator->h_next &&
                 a->state->events == b->state->events &&
                 memcmp(lashi_sim_y(a), lashi_sim_y(b), (size_t)a->system->n_y * sizeof(double)) == 0;
    for (int k = 0; equal && k < a->system->contact_count; k++)
        equal = a->memories[k].touching == b->memories[k].touching &&
                a->memories[k].since == b->memories[k].since &&
                a->memories[k].peak.force == b->memories[k].peak.force &&
                a->memories[k].peak_delta == b->memories[k].peak_delta &&
                a->accounts[k].contacts == b->accounts[k].contacts;
    return equal;
}

lash_status lashi_invariants_end(lash_sim *sim, double t_limit, lash_error *error) {
    const lashi_invariants *check = sim->invariants;
    const double t = sim->integrator->t;
    if (t != sim->t_new || t != sim->state->t)
        return broken(t, "", "the step does not end at its own time, in s", t - sim->t_new, 0, error);
    if (!check->repeating)
        return LASH_OK;
    lash_status status = lash_sim_restore(check->twin, check->before, error);
    if (!status)
        status = lash_sim_step(check->twin, t_limit, error);
    if (status < 0)
        return status;
    return same(sim, check->twin) ? LASH_OK
                                  : broken(t, "", "a restored state does not repeat its step, at s",
                                           check->twin->integrator->t - t, 0, error);
}

bool lashi_invariants_wanted(void) {
    const char *wanted = getenv("LASH_CHECK");
    return wanted && strcmp(wanted, "1") == 0;
}
