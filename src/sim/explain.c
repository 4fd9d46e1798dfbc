/* SPDX-License-Identifier: MIT
 *
 * Why a step failed, in words: which force or drive has no value, which constraints depend on each other.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim.h"

/* Digits with which two numbers look different. */
static int digits_apart(double a, double b) {
    enum { FEW = 6, ALL = 17 };
    char texts[2][32];
    for (int digits = FEW; digits < ALL; digits++) {
        snprintf(texts[0], sizeof texts[0], "%.*g", digits, a);
        snprintf(texts[1], sizeof texts[1], "%.*g", digits, b);
        if (strcmp(texts[0], texts[1]) != 0)
            return digits;
    }
    return ALL;
}

/* A force that had no value in the step that failed. */
static lash_status explain_force(const lash_sim *sim, double t, lash_error *error) {
    const lashi_force *force = &sim->system->forces[sim->workspace->failed_force];
    const double x = sim->workspace->failed_at;
    if (!force->table || lashi_table_covers(force->table, x))
        return lashi_fail_at(
            error, LASH_ERROR_NOT_FINITE, t, force->name,
            "force '%s' has no finite value at t = %.9g s: a division by zero, an overflow, or "
            "an argument outside the range of its function",
            force->name, t);
    const double first = lashi_table_first(force->table), last = lashi_table_last(force->table);
    const int digits = digits_apart(x, x < first ? first : last);
    const bool turns = lashi_force_kind_at((size_t)force->type)->reading(force, sim->frames).turns;
    const char *si = turns ? "rad" : "m", *usual = turns ? "deg" : "mm";
    const double scale = turns ? 360 / LASHI_TWO_PI : 1e3;
    return lashi_fail_at(error, LASH_ERROR_LIMIT, t, force->name,
                         "at t = %.9g s force '%s' reads its table at x = %.*g %s (%.*g %s), outside its "
                         "points, which go from "
                         "%.*g to %.*g %s (%.*g to %.*g %s). Add points, or say how it continues: beyond: "
                         "hold, extrapolate or "
                         "zero, or with a period",
                         t, force->name, digits, x, si, digits, scale * x, usual, digits, first, digits, last,
                         si, digits, scale * first, digits, scale * last, usual);
}

/* Friction whose equations had no solution, or several, in the step that failed. */
static lash_status explain_friction(const lash_sim *sim, lash_error *error) {
    if (sim->workspace->rub_solutions == LASHI_RUBS_NO_MEMORY)
        return lashi_fail_memory(error);
    const char *name = sim->system->rubs[sim->workspace->failed_rub].name;
    return lashi_fail_at(
        error, LASH_ERROR_SINGULAR, sim->workspace->t, name,
        "at t = %.9g s the friction in '%s' is so large that the equations of motion of rigid parts have %s "
        "(Painlevé): the friction grows with the reaction, and the reaction with the friction. Lower the "
        "coefficient, "
        "or give the joint play, with compliant contact",
        sim->workspace->t, name, sim->workspace->rub_solutions == 0 ? "no solution" : "several solutions");
}

/* Position, speed or acceleration of a drive from which the square may overflow. */
static const double TOO_LARGE = 1e100;

/* A drive that has no value at the time t; NULL: none. */
static const char *failed_drive(const lash_sim *sim, double t) {
    for (int d = 0; d < sim->system->drive_count; d++) {
        const lashi_profile *profile = &lashi_drive_constraint(sim->system, d)->profile;
        const lashi_jet f = lashi_profile_jet_in(profile, t, sim->state->piece.inside);
        if (!(fabs(f.f) + fabs(f.df) + fabs(f.ddf) < TOO_LARGE))
            return sim->system->drives[d].name;
    }
    return NULL;
}

/* A step that fails this near to the end of a piece, as a share of the time, fails because of what is there.
 * */
static const double AT_END = 1e-6;

/* Steps that grow ever shorter toward an instant from which on friction has no solution: before it the forces of rigid
 * parts may grow without bound. */
static lash_status explain_jam(const lash_sim *sim, lash_error *error) {
    const double t = sim->integrator->t;
    const char *name = sim->system->rubs[sim->workspace->tight_rub].name;
    return lashi_fail_at(
        error, LASH_ERROR_SINGULAR, t, name,
        "at t = %.9g s steps become ever shorter, and the friction in '%s' is so large that the equations of "
        "motion of rigid parts may have no solution or several (Painlevé): the friction grows with the "
        "reaction, and the reaction with the friction, until they jam. Lower the coefficient, or give the "
        "joint play, with compliant contact",
        t, name);
}

/* Steps that grow ever shorter toward a pole of a drive or a force. */
static lash_status explain_step(const lash_sim *sim, lash_error *error) {
    const lashi_piece piece = sim->state->piece;
    bool jumps;
    if (!(piece.end - sim->integrator->t < AT_END * piece.end))
        return sim->workspace->tight_rub >= 0 ? explain_jam(sim, error) : LASH_ERROR_STEP;
    lash_error why;
    const lash_status status = lashi_piece_pass(&jumps, sim->system, piece.end, piece,
                                                lashi_piece_from(sim->system, piece.end), &why);
    if (status == LASH_ERROR_NOT_FINITE && error)
        *error = why;
    return status == LASH_ERROR_NOT_FINITE ? status : LASH_ERROR_STEP;
}

/* Masses of which the lighter one is lost beside the heavier. */
static const double FAR_APART = 1e12;

/* The lightest and the heaviest body, where they are so far apart. */
static bool masses_apart(int *light, int *heavy, const lash_system *system) {
    *light = *heavy = 1;
    for (int b = 2; b < system->bodies; b++) {
        *light = system->mass[b][0] < system->mass[*light][0] ? b : *light;
        *heavy = system->mass[b][0] > system->mass[*heavy][0] ? b : *heavy;
    }
    return system->bodies > 1 && system->mass[*heavy][0] > FAR_APART * system->mass[*light][0];
}

lash_status lashi_sim_explain(const lash_sim *sim, lash_status status, lash_error *error) {
    const int row = sim->workspace->singular_row;
    if (status >= 0)
        return status;
    if (sim->workspace->failed_force >= 0)
        return explain_force(sim, sim->workspace->failed_t, error);
    if (sim->workspace->failed_rub >= 0)
        return explain_friction(sim, error);
    const char *drive = failed_drive(sim, sim->workspace->t);
    if (drive)
        return lashi_fail_at(
            error, LASH_ERROR_NOT_FINITE, sim->workspace->t, drive,
            "drive '%s' or one of its first two derivatives has no finite value at t = %.9g s, "
            "or far too large a one",
            drive, sim->workspace->t);
    if (status == LASH_ERROR_STEP && row < 0)
        return explain_step(sim, error);
    if (row < 0)
        return status;
    const lashi_constraint_set *set = &sim->system->motion;
    const char *name = "";
    for (int c = 0; c < set->count; c++)
        if (row >= set->items[c].first_row)
            name = set->items[c].name;
    int light, heavy;
    if (masses_apart(&light, &heavy, sim->system))
        return lashi_fail_at(
            error, LASH_ERROR_SINGULAR, sim->integrator->t, name,
            "the equations of motion could not be solved at t = %.9g s at '%s': the masses of '%s' (%.3g kg) "
            "and '%s' (%.3g kg) are too far apart for numbers of 16 digits. Check their units; a body that "
            "is "
            "so heavy can be ground, one that is so light can be left out or made heavier",
            sim->integrator->t, name, sim->system->body_names[light], sim->system->mass[light][0],
            sim->system->body_names[heavy], sim->system->mass[heavy][0]);
    return lashi_fail_at(
        error, LASH_ERROR_SINGULAR, sim->integrator->t, name,
        "the equations of motion became singular at t = %.9g s: the constraints of '%s' depend on the others "
        "there. The mechanism is in a singular position (a dead centre, a stretched linkage) or a joint is "
        "wrong; start elsewhere, or remove the constraint",
        sim->integrator->t, name);
}
