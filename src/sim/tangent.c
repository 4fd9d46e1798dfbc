/* SPDX-License-Identifier: MIT
 *
 * A tangent: the difference w to a motion that is infinitely close, integrated with a run.
 *
 * Notation: y the state, f its rates; w of the same size, m_k the difference of what contact k remembers
 * for its damping (its approach speed). Both are behind y in the vector that is integrated, (y, w, m).
 *
 * Between events        ẇ = ∂f/∂y w + Σ_k ∂f/∂m_k m_k,    ṁ = 0.                                       (1)
 * The right side is a derivative along one direction, (f(t, y + εw, m + εm) − f(t, y − εw, m − εm))/2ε: two
 * more evaluations, of neighbours so close that their modes are those of the motion. It is integrated with y,
 * by the same stages and the same steps: what the steps leave out of y changes w by that order, whereas the
 * difference of two separate runs would be lost in the errors of both. w has an error control of its own:
 * where sliding turns round, its rate has a peak that y hardly shows.
 *
 * At an event g = 0, at which y⁻ becomes y⁺ = R(t, y⁻), the neighbour arrives later by
 *     dt = −(∇g·w⁻)/ġ,
 * and after it        w⁺ = ∂R/∂y (w⁻ + f⁻ dt) + ∂R/∂t dt − f⁺ dt,                                     (2)
 * the saltation matrix times w⁻ (Leine & Nijmeijer, Dynamics and Bifurcations of Non-Smooth Mechanical
 * Systems, 2004, ch. 7). The neighbour is put at its own event, y⁻ + ε(w⁻ + f⁻ dt) at t + ε dt, and sent
 * through the same code as the motion, so that R is whatever that code does: an onset, which gives the
 * contact its approach speed; an impact; a branch of a law. Modes that a jump of a force or drive changes do
 * so at the same instant in both: dt = 0. Where the neighbour's modes become others than those of the motion
 * (the speed below which an impact does not rebound lies between them), w⁺ is the part of w⁻ that the joints
 * allow from then on.
 *
 * ε. With r the rounding of positions and s the length over which forces change, both errors of the
 * difference, r/(ε|w|) and ε|w|/s, are alike at ε|w| = sqrt(r s). |w| is measured in the scales of the
 * tolerance, approach speeds by themselves. Integrals (the ledger, counted angles) have no scale: nothing
 * depends on them, and their w stays zero.
 *
 * Constraints. w is tangent to them (dynamics/project.c) when it is set, and (1) and (2) keep it so except for
 * errors, which are taken away after every step: they would not die out.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim.h"

/* sqrt(s) in scales: a scale is some thousandths of a contact's depth, a tenth of a machine. */
static const double APART = 10;
/* Error of w in a step while its length is 1; and the least, of the noise in ẇ, that is more than that. */
static const double TOLERANCE = 1e-6, NOISE_SHARE = 0.1;
/* Its length is brought back to 1, in scales, when it has passed this or its inverse. */
static const double LONGEST = 10;
/* What the constraints leave of w, if it is less than this share, is rounding: they allow nothing. */
static const double ROUNDING = 1e-9;
/* A difference shrunk so much by an event may be rounding in directions that are not free any more. */
static const double SHRUNK = 1e-3;
/* Shares of the last step: over which an event function without a rate is differentiated; and so far behind
 * an event f⁺ is looked at, since a contact that has just begun may still be a rounding away from its wall.
 */
static const double RATE_SHARE = 1e-3, AFTER = 1e-8;

struct lashi_tangent {
    lash_sim *neighbour; /* its memories, workspace and y_event are where the neighbour is put */
    double *weight;      /* [n_y] 1/scale; 0: an integral */
    double noise;        /* rounding of positions of the machine's size, in scales */
    double tolerance;    /* of w in a step */
    double *rate;        /* [n_y] f⁻ of an event; between events of the neighbour behind */
    double *g, *gdot;    /* [events] */
};

size_t lashi_tangent_size(const lash_system *system) {
    return (size_t)(system->n_y + system->contact_count);
}

/* ---- the neighbour ---- */

/* What the damping of contact k remembers, as far as it matters. */
static double remembered(const lash_sim *sim, int k) {
    const lashi_normal *law = &sim->system->contacts[k].normal;
    switch (law->scale) {
    case LASHI_SCALE_FIRST: return fmax(*lashi_damping_memory(sim, k), law->p->speed_floor);
    case LASHI_SCALE_ENERGY: return *lashi_damping_memory(sim, k);
    case LASHI_SCALE_BRANCH:
    case LASHI_SCALE_VISCOUS: break;
    }
    return 0;
}

/* Rounding of positions, in scales. */
static double noise_at(const lash_sim *sim, const double *y) {
    double noise = sim->tangent->noise;
    for (int i = 0; i < sim->system->n_q; i++)
        noise = fmax(noise, DBL_EPSILON * fabs(y[i]) * sim->tangent->weight[i]);
    return noise;
}

/* |w|, with m. */
static double length_of(const lash_sim *sim, const double *y) {
    const double *w = y + sim->system->n_y, *m = w + sim->system->n_y, *weight = sim->tangent->weight;
    double sum = 0;
    for (int i = 0; i < sim->system->n_y; i++)
        sum += w[i] * weight[i] * (w[i] * weight[i]);
    for (int k = 0; k < sim->system->contact_count; k++)
        if (m[k] != 0)
            sum += m[k] / remembered(sim, k) * (m[k] / remembered(sim, k));
    return sqrt(sum);
}

/* ε; 0: there is no difference. */
static double spread(const lash_sim *sim, const double *y) {
    const double length = length_of(sim, y);
    return length > 0 ? APART * sqrt(noise_at(sim, y)) / length : 0;
}

/* The neighbour's y_event and memories at y. */
static void put(const lash_sim *sim, const double *y, double epsilon) {
    const lash_system *system = sim->system;
    lash_sim *neighbour = sim->tangent->neighbour;
    const double *w = y + system->n_y, *m = w + system->n_y;
    for (int i = 0; i < system->n_y; i++)
        neighbour->y_event[i] = y[i] + epsilon * w[i];
    for (int k = 0; k < system->contact_count; k++) {
        neighbour->memories[k] = sim->memories[k];
        if (m[k] != 0)
            *lashi_damping_memory(neighbour, k) = remembered(sim, k) + epsilon * m[k];
    }
    memcpy(neighbour->phases, sim->phases, (size_t)system->contact_count * sizeof *sim->phases);
    neighbour->workspace->frames[0].inside = neighbour->frames[0].inside = sim->frames[0].inside;
}

/* ---- creation ---- */

lash_status lashi_tangent_create(lash_sim *sim, const double *y, lash_error *error) {
    const lash_system *system = sim->system;
    const size_t n = (size_t)system->n_y, events = 3 * (size_t)system->contact_count;
    lashi_tangent *tangent = lashi_arena_alloc(&sim->arena, 1, sizeof *tangent);
    if (!tangent)
        return lashi_fail_memory(error);
    sim->tangent = tangent;
    tangent->weight = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    tangent->rate = lashi_arena_alloc(&sim->arena, n, sizeof(double));
    tangent->g = lashi_arena_alloc(&sim->arena, events, sizeof(double));
    tangent->gdot = lashi_arena_alloc(&sim->arena, events, sizeof(double));
    if (!tangent->weight || !tangent->rate || !tangent->g || !tangent->gdot)
        return lashi_fail_memory(error);
    for (int i = 0; i < system->n_q + system->n_v; i++)
        tangent->weight[i] = system->model->run.rtol / sim->atol[i];
    for (int k = 0; k < system->contact_count; k++)
        for (int i = 0; i < lashi_bristles(&system->contacts[k]); i++) {
            const int at = system->contacts[k].bristle + i;
            tangent->weight[at] = system->model->run.rtol / sim->atol[at];
        }
    for (int i = 0; i < system->n_q; i++) {
        const double size = lashi_position_turns(system, i) ? 1 : system->length;
        tangent->noise = fmax(tangent->noise, DBL_EPSILON * size * tangent->weight[i]);
    }
    tangent->tolerance = fmax(TOLERANCE, NOISE_SHARE * sqrt(noise_at(sim, y)) / APART);
    for (size_t i = 0; i < n; i++)
        if (tangent->weight[i] > 0)
            sim->atol[n + i] = tangent->tolerance / tangent->weight[i];
    return lash_sim_create(&tangent->neighbour, system, error);
}

void lashi_tangent_destroy(lashi_tangent *tangent) {
    if (tangent)
        lash_sim_destroy(tangent->neighbour);
}

/* ---- between events ---- */

/* Rates of the neighbour at y + epsilon w. *beyond: it is on another side of a wall than its modes say.
 */
static int evaluate_beside(double *rates, bool *beyond, const lash_sim *sim, double t, const double *y,
                           double epsilon) {
    const lash_sim *neighbour = sim->tangent->neighbour;
    put(sim, y, epsilon);
    neighbour->workspace->mismatch = 0;
    const int bad = lashi_evaluate(rates, neighbour->workspace, t, neighbour->y_event);
    *beyond = neighbour->workspace->mismatch != 0;
    return bad;
}

int lashi_tangent_evaluate(double *ydot, void *context, double t, const double *y) {
    const lash_sim *sim = context;
    const int n = sim->system->n_y;
    const double *weight = sim->tangent->weight, epsilon = spread(sim, y);
    double *wdot = ydot + n;
    if (lashi_evaluate(ydot, sim->workspace, t, y))
        return 1;
    memset(wdot, 0, lashi_tangent_size(sim->system) * sizeof(double));
    if (!(epsilon > 0))
        return 0;
    bool beyond[2];
    if (evaluate_beside(wdot, &beyond[0], sim, t, y, epsilon) ||
        evaluate_beside(sim->tangent->rate, &beyond[1], sim, t, y, -epsilon))
        return 1;
    // Between both, or between the motion and the one that is not beyond a wall.
    const bool one = beyond[0] != beyond[1];
    const double *ahead = one && beyond[0] ? ydot : wdot,
                 *behind = one && beyond[1] ? ydot : sim->tangent->rate;
    const double apart = one ? epsilon : 2 * epsilon;
    for (int i = 0; i < n; i++)
        wdot[i] = weight[i] > 0 ? (ahead[i] - behind[i]) / apart : 0;
    return 0;
}

/* The part of w that the constraints allow, y being at t. */
static lash_status allow(double *y, lash_sim *sim, double t, lash_error *error) {
    const lash_system *system = sim->system;
    const lash_sim *neighbour = sim->tangent->neighbour;
    double *w = y + system->n_y;
    const double epsilon = spread(sim, y), before = length_of(sim, y);
    if (!(epsilon > 0))
        return LASH_OK;
    put(sim, y, 0);
    if (lashi_project_difference(w, neighbour->workspace, t, y, neighbour->y_event, epsilon))
        return lashi_fail_at(error, LASH_ERROR_SINGULAR, t, "",
                             "the mechanism has no tangent at t = %.9g s: it is in a singular position", t);
    if (!(length_of(sim, y) > ROUNDING * before))
        memset(w, 0, lashi_tangent_size(system) * sizeof *w);
    return LASH_OK;
}

static void normalise(double *y, lash_sim *sim) {
    const double length = length_of(sim, y);
    if (!(length > 0))
        return;
    for (size_t i = 0; i < lashi_tangent_size(sim->system); i++)
        y[(size_t)sim->system->n_y + i] /= length;
    sim->state->tangent_length *= length;
}

lash_status lashi_tangent_correct(double *y, lash_sim *sim, double t, lash_error *error) {
    const double length = length_of(sim, y);
    if (length > LONGEST || length < 1 / LONGEST)
        normalise(y, sim);
    return allow(y, sim, t, error);
}

/* ---- events ---- */

/* Event function `index` where the neighbour is put, and its rate. */
static double event_value(double *rate, const lashi_tangent *tangent, size_t index, double t,
                          const double *y) {
    lash_sim *neighbour = tangent->neighbour;
    tangent->gdot[index] = (double)NAN; // of those that do not know it
    neighbour->search.function(tangent->g, tangent->gdot, neighbour, t, y);
    *rate = tangent->gdot[index];
    return tangent->g[index];
}

/* ε dt: how much later than the motion the neighbour, put beside it, reaches its event. f⁻ is in `rate`. */
static double delay_of(const lash_sim *sim, double epsilon) {
    const lashi_tangent *tangent = sim->tangent;
    const size_t n = (size_t)sim->system->n_y;
    double *y = sim->y_work, rate, unused;
    const double t = sim->t_new, tau = RATE_SHARE * (sim->integrator->t - sim->integrator->t_old);
    put(sim, sim->y_event, 0);
    const double here = event_value(&rate, tangent, sim->found, t, sim->y_event);
    if (isnan(rate)) {
        double side[2];
        for (int s = 0; s < 2; s++) {
            const double dt = s ? tau : -tau;
            for (size_t i = 0; i < n; i++)
                y[i] = sim->y_event[i] + dt * tangent->rate[i];
            side[s] = event_value(&unused, tangent, sim->found, t + dt, y);
        }
        rate = (side[1] - side[0]) / (2 * tau);
    }
    put(sim, sim->y_event, epsilon);
    const double there = event_value(&unused, tangent, sim->found, t, tangent->neighbour->y_event);
    const double delay = -(there - here) / rate;
    return isfinite(delay) ? delay : 0;
}

static bool same_modes(const lash_sim *a, const lash_sim *b) {
    for (int k = 0; k < a->system->contact_count; k++) {
        const lashi_memory *x = &a->memories[k], *z = &b->memories[k];
        if (x->touching != z->touching || x->through != z->through || x->pulling != z->pulling ||
            x->onset.unloading != z->onset.unloading)
            return false;
    }
    return true;
}

static lash_status fail_beside(const lash_sim *sim, lash_error *error) {
    return lashi_fail_at(error, LASH_ERROR_NOT_FINITE, sim->t_new, "",
                         "the equations of motion could not be evaluated beside a contact at t = %.9g s",
                         sim->t_new);
}

/* The neighbour through its event, by (t, y) of its own; what it becomes is left in it. */
static lash_status cross_beside(lash_sim *sim, double delay, lash_error *error) {
    const size_t contacts = (size_t)sim->system->contact_count;
    lash_sim *neighbour = sim->tangent->neighbour;
    for (int i = 0; i < sim->system->n_y; i++)
        neighbour->y_event[i] += delay * sim->tangent->rate[i];
    neighbour->t_new = sim->t_new + delay;
    neighbour->found = sim->found;
    neighbour->happened_count = 0;
    memcpy(neighbour->turning, sim->turning, contacts);
    memcpy(neighbour->accounts, sim->accounts, contacts * sizeof *sim->accounts);
    memcpy(neighbour->events, sim->events, sim->search.count * sizeof *sim->events);
    if (lashi_evaluate(neighbour->ydot_work, neighbour->workspace, neighbour->t_new, neighbour->y_event))
        return fail_beside(sim, error);
    double unused;
    return lashi_contacts_turn(neighbour, &unused, error);
}

lash_status lashi_tangent_cross(lash_sim *sim, double *h, lash_error *error) {
    const lash_system *system = sim->system;
    const lashi_tangent *tangent = sim->tangent;
    const lash_sim *neighbour = tangent->neighbour;
    const int n = system->n_y;
    double *y = sim->y_event, *w = y + n, *m = w + n;
    const double epsilon = spread(sim, y);
    if (!(epsilon > 0))
        return lashi_contacts_turn(sim, h, error);
    memcpy(tangent->rate, sim->ydot_work, (size_t)n * sizeof(double));
    put(sim, y, epsilon);
    const double delay = sim->passing ? 0 : delay_of(sim, epsilon);
    lash_status status = cross_beside(sim, delay, error);
    if (!status)
        status = lashi_contacts_turn(sim, h, error);
    const double after = AFTER * (sim->integrator->t - sim->integrator->t_old);
    for (int i = 0; i < n; i++)
        sim->y_work[i] = y[i] + after * tangent->rate[i];
    if (!status && lashi_evaluate(sim->ydot_work, sim->workspace, sim->t_new + after, sim->y_work))
        status = fail_beside(sim, error);
    if (status)
        return status;
    const bool same = same_modes(sim, neighbour);
    const double before = length_of(sim, y);
    for (int i = 0; same && i < n; i++)
        w[i] =
            tangent->weight[i] > 0 ? (neighbour->y_event[i] - delay * sim->ydot_work[i] - y[i]) / epsilon : 0;
    for (int k = 0; k < system->contact_count; k++) {
        const int bristle = system->contacts[k].bristle;
        if (same)
            m[k] = (remembered(neighbour, k) - remembered(sim, k)) / epsilon;
        if (!sim->memories[k].touching)
            m[k] = 0;
        for (int i = 0; !sim->memories[k].touching && i < lashi_bristles(&system->contacts[k]); i++)
            w[bristle + i] = 0;
    }
    const bool shrunk = length_of(sim, y) < SHRUNK * before;
    return same && !shrunk ? LASH_OK : allow(y, sim, sim->t_new, error);
}

/* ---- its values ---- */

static lash_status missing(lash_error *error) {
    return lashi_fail(error, LASH_ERROR_USAGE,
                      "this sim carries no tangent: create one with lash_sim_create_tangent");
}

/* y with what is carried behind it, tangent to the constraints. */
static lash_status look(double *y, lash_sim *sim, lash_error *error) {
    memcpy(y, lashi_sim_y(sim), sim->problem.n * sizeof *y);
    return allow(y, sim, sim->integrator->t, error);
}

lash_status lash_sim_tangent(double *values, lash_sim *sim, lash_error *error) {
    if (!values || !sim)
        return lashi_fail_null(error);
    if (!sim->tangent)
        return missing(error);
    const lash_system *system = sim->system;
    const int coordinates = system->n_q + system->n_v;
    const double length = sim->state->tangent_length;
    double *w = sim->y_work + system->n_y, *m = w + system->n_y;
    const lash_status status = look(sim->y_work, sim, error);
    if (status)
        return status;
    for (int i = 0; i < coordinates; i++)
        *values++ = length * w[i];
    for (int k = 0; k < system->contact_count; k++) {
        *values++ = length * m[k];
        const int bristle = system->contacts[k].bristle;
        for (int i = 0; i < lashi_kind_of(&system->contacts[k])->bristles; i++)
            *values++ = bristle >= 0 ? length * w[bristle + i] : 0;
    }
    return LASH_OK;
}

double lash_sim_tangent_tolerance(const lash_sim *sim) {
    if (!sim)
        return (double)NAN;
    return sim->tangent ? LONGEST * sim->tangent->tolerance : (double)NAN;
}

lash_status lash_sim_set_tangent(lash_sim *sim, const double *values, lash_error *error) {
    if (!sim || !values)
        return lashi_fail_null(error);
    if (!sim->tangent)
        return missing(error);
    const lash_system *system = sim->system;
    const int coordinates = system->n_q + system->n_v;
    double *y = sim->y_work, *w = y + system->n_y, *m = w + system->n_y;
    memcpy(y, lashi_sim_y(sim), (size_t)system->n_y * sizeof *y);
    memset(w, 0, lashi_tangent_size(system) * sizeof *w);
    memcpy(w, values, (size_t)coordinates * sizeof *w);
    values += coordinates;
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        if (sim->memories[k].touching) {
            m[k] = values[0];
            for (int i = 0; i < lashi_bristles(contact); i++)
                w[contact->bristle + i] = values[1 + i];
        }
        values += 1 + lashi_kind_of(contact)->bristles;
    }
    lash_status status = allow(y, sim, sim->integrator->t, error);
    if (status)
        return status;
    sim->state->tangent_length = 1;
    normalise(y, sim);
    return lashi_sim_restart(sim, sim->integrator->t, y, sim->integrator->h_next, error);
}
