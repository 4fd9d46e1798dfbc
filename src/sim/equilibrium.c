/* SPDX-License-Identifier: MIT
 *
 * start: equilibrium. Positions at which nothing accelerates, at rest and under the forces at t = 0.
 *
 * With Z a basis of the velocities that the constraints allow, ZᵀMZ = 1 (linear.c), and a = ZᵀM v̇, Newton's
 * step along Z is dξ = (K + μ)⁻¹ a, K = −∂a/∂ξ. μ is zero where the symmetric part of K is positive definite,
 * and elsewhere large enough that the step leads downhill: so a pendulum that is drawn upright swings down. A
 * step is taken if the forces do work on its way, by those at both of its ends, or if it makes the
 * accelerations smaller; else μ grows. Directions without stiffness and without force stay where they are.
 *
 * Play: a compliant contact touches where δ > 0, at every point that is looked at; its elastic energy is part
 * of the potential, and a journal that hangs free goes downhill until its wall carries it. Friction that is a
 * function of the sliding speed is zero at rest, so that contacts rest where they would without it.
 *
 * Limits: drives must stand still at the start; contacts are soft, since a rigid one that does not touch yet
 * gives no force that shows where it will; films carry nothing at rest.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/eliminate.h"
#include "sim/sim.h"

/* Along a stiff wall steps are as short as its curvature and the depth of the contact let them be, and many. */
enum { MOST_STEPS = 20000, MOST_TRIES = 60 };
static const double LONGEST = 0.1;    // of a step: of the mechanism's size, or rad
static const double FARTHEST = 50;    // of all steps: what goes farther is not held
static const double BALANCED = 1e-12; // of the largest acceleration met: none is left
static const double AT_WALL = 1e-3;   // of the play: so near a wall is on it, for the message
static const double NOISE = 1e-14;    // of the mechanism's size: rounding of positions

/* Whether the symmetric part of K + μ is positive definite (Cholesky). */
static bool is_stiff(double *L, const double *K, double mu, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.5 * (K[i * n + j] + K[j * n + i]) + (i == j ? mu : 0);
            for (size_t k = 0; k < j; k++)
                sum -= L[i * n + k] * L[j * n + k];
            if (i == j && !(sum > 0))
                return false;
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    return true;
}

static double length(const double *a, size_t n) {
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += a[i] * a[i];
    return sqrt(square);
}

static lash_status refuse(const lash_sim *sim, lash_error *error) {
    const lash_system *system = sim->system;
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        if (contact->model == LASHI_MODEL_MODES)
            return lashi_fail(
                error, LASH_ERROR_MODEL,
                "run: start: equilibrium needs contacts with a stiffness, and '%s' is three-mode, "
                "rigid where it touches; give it a contact law, or start it on its wall "
                "(clearance.offset) and at rest",
                contact->name);
        if (contact->lubricated)
            return lashi_fail(error, LASH_ERROR_MODEL,
                              "run: start: equilibrium: the film of '%s' carries nothing at rest; take "
                              "start: settled, or leave the lubricant out",
                              contact->name);
    }
    for (int d = 0; d < system->drive_count; d++) {
        const lashi_jet motion =
            lashi_profile_jet(&lashi_drive_constraint(system, d)->profile, system->start);
        if (motion.df != 0 || motion.ddf != 0)
            return lashi_fail(error, LASH_ERROR_MODEL,
                              "run: start: equilibrium needs drives that stand still at the start, and '%s' "
                              "moves; bring it up by a ramp from 0, or take start: settled",
                              system->drives[d].name);
    }
    return LASH_OK;
}

/* The workspace at y, at rest, with contacts where there are. */
static lash_status stand(lash_sim *sim, const double *y, lash_error *error) {
    const double t = sim->system->start;
    lashi_frames_at(sim->frames, NULL, sim->system, t, y);
    for (int k = 0; k < sim->system->contact_count; k++)
        if (sim->system->contacts[k].model == LASHI_MODEL_COMPLIANT)
            sim->memories[k].touching = lashi_gap_of(&sim->system->contacts[k], sim->frames).delta > 0;
    sim->workspace->present = false;
    return lashi_sim_evaluate(sim, t, y, error);
}

/* The body that accelerates most, and how much, for the message. */
static const char *restless(double *most, const char **unit, const lash_sim *sim) {
    const lash_system *system = sim->system;
    int body = 1;
    double largest = 0; // m/s², what turns at the machine's own size
    *most = 0;
    *unit = "m/s^2";
    for (int b = 1; b < system->bodies; b++) {
        double squares[2] = {0, 0}; // of what moves, of what turns
        for (int k = 0; k < system->width; k++)
            squares[k >= system->turning] +=
                sim->workspace->acceleration[b][k] * sim->workspace->acceleration[b][k];
        const double moves = sqrt(squares[0]), turns = sqrt(squares[1]),
                     size = fmax(moves, turns * system->length);
        if (size > largest) {
            largest = size;
            body = b;
            *most = moves < size ? turns : moves;
            *unit = moves < size ? "rad/s^2" : "m/s^2";
        }
    }
    return system->body_names[body];
}

/* Why there is none. wanders: the steps ran out before the way did, as along a wall where they are too short. */
static lash_status not_found(lash_sim *sim, bool wanders, lash_error *error) {
    const lash_system *system = sim->system;
    double most;
    const char *unit, *body = restless(&most, &unit, sim);
    int wall = -1;
    for (int k = 0; wanders && wall < 0 && k < system->contact_count; k++)
        if (lashi_gap_of(&system->contacts[k], sim->frames).delta > -AT_WALL * system->contacts[k].p->room)
            wall = k;
    if (wall < 0)
        return lashi_fail_at(error, LASH_ERROR_ASSEMBLY, 0, body,
                             "run: start: equilibrium was not found: '%s' still accelerates with %.3g %s; "
                             "is everything held by joints, springs or gravity?",
                             body, most, unit);
    return lashi_fail_at(
        error, LASH_ERROR_ASSEMBLY, 0, body,
        "run: start: equilibrium was not found: '%s' still accelerates with %.3g %s after %d "
        "steps of the search. Its load presses '%s' in so little that steps along the wall "
        "are too short: draw the machine closer to where it rests, or give that contact less "
        "stiffness; start: settled also comes to rest, if the machine loses energy",
        body, most, unit, (int)MOST_STEPS, system->contacts[wall].name);
}

lash_status lashi_equilibrium(lash_sim *sim, lash_error *error) {
    const lash_system *system = sim->system;
    const size_t n = (size_t)system->n_v;
    lash_status status = refuse(sim, error);
    if (status || n == 0)
        return status;
    // y_start with velocities at rest; a, K, x, L, A of the freedoms, which are n at most.
    double *room = calloc(2 * n + 3 * n * n + 1, sizeof *room), *a = room, *x = a + n, *K = x + n,
           *A = K + n * n, *L = A + n * n;
    if (!room)
        return lashi_fail_memory(error);
    memcpy(sim->y_work, lashi_sim_y(sim), sim->problem.n * sizeof(double));
    memset(sim->y_work + system->v_at, 0, n * sizeof(double));
    double largest = 0, mu = 0, mass = 0, gone = 0;
    for (int b = 1; b < system->bodies; b++)
        mass += system->mass[b][0];
    const double size = sqrt(mass) * system->length;
    bool balanced = false;
    int step = 0;
    if (!status)
        status = lashi_sim_restart(sim, sim->system->start, sim->y_work, 0, error);
    for (; !status && !balanced && step < MOST_STEPS && gone < FARTHEST; step++) {
        status = stand(sim, lashi_sim_y(sim), error);
        if (status)
            break;
        lashi_stiffness at = {.acceleration = a, .stiffness = K};
        status = lashi_stiffness_find(&at, sim, error);
        if (status)
            break;
        const size_t f = at.freedoms;
        const double now = length(a, f);
        largest = fmax(largest, now);
        double norm = 0;
        for (size_t i = 0; i < f * f; i++)
            norm = fmax(norm, fabs(K[i]));
        status = stand(sim, lashi_sim_y(sim), error);
        const double noise = fmax(1e-9 * largest, NOISE * norm * size);
        balanced = f == 0 || now <= BALANCED * largest || now == 0;
        bool moved = false;
        double way = 0;
        mu = mu > 1e-3 * now / size ? mu / 10 : 0; // less would be longer than the machine
        for (int tried = 0; !status && !balanced && !moved && tried < MOST_TRIES; tried++) {
            if (!is_stiff(L, K, mu, f)) {
                mu = fmax(10 * mu, 1e-8 * norm + now / size);
                continue;
            }
            memcpy(x, a, f * sizeof *x);
            memcpy(A, K, f * f * sizeof *A);
            for (size_t i = 0; i < f; i++)
                A[i * f + i] += mu;
            if (lashi_eliminate(NULL, A, x, f) &&
                (way = lashi_stiffness_move(sim->y_work, sim, &at, x, LONGEST)) > 0 &&
                !stand(sim, sim->y_work, NULL)) {
                double work = 0;
                for (size_t i = 0; i < f; i++)
                    work += a[i] * x[i];
                const double after = lashi_stiffness_residual(&work, sim, &at, x);
                moved = work > 0 || after < now;
                // At the bottom: rounding is all that is left.
                balanced = now < noise && !(after < 0.5 * now);
            }
            if (!moved)
                mu = fmax(10 * mu, 1e-8 * norm + now / size);
        }
        lashi_stiffness_clear(&at);
        gone += moved ? way : 0;
        if (moved && !balanced)
            status = lashi_sim_restart(sim, sim->system->start, sim->y_work, 0, error);
        else if (!status && !balanced)
            break;
    }
    free(room);
    if (!status)
        status = stand(sim, lashi_sim_y(sim), error);
    if (!status && !balanced)
        return not_found(sim, step == MOST_STEPS, error);
    if (!status)
        memcpy(sim->y_start, lashi_sim_y(sim), (size_t)system->n_y * sizeof(double));
    return status;
}
