/* SPDX-License-Identifier: MIT
 *
 * Singular positions, and how the motion passes them: a parallelogram that comes through its flat position, a
 * linkage that stretches.
 *
 * There rows of Φq come to depend on each other, and the mechanism could continue in several ways. Its motion is
 * smooth all the same: it continues as it came. But the equations do not say so there. With d the distance to
 * the position, the component of v̇ in which the ways differ is a quotient of two numbers that vanish with d;
 * an error ε of v becomes ε/d in v̇, and a level Φ = ε instead of 0 is a curve that turns from one way into
 * the other at a distance of √ε. An integrator that shortens its steps to see what happens comes ever closer,
 * and leaves on any way, with joints closed and energy kept.
 *
 * So the position is jumped over. A step that ends near one is taken back. From its beginning the motion goes
 * on with a method that can step past a time without looking close to it (integrate/integrator.h), until the
 * position lies behind; what is in between is the method's polynomial, as accurate there as elsewhere. Then
 * the model's method takes over again. Both the points where such steps end and those where they evaluate the
 * equations are put onto the constraints by projection, since there alone v̇ is a smooth function: off them
 * every error would come back divided by d. What is left is rounding, about 1e-16/d³.
 *
 * How near: by how much the determinant of a constraint in the factor of S has fallen against the largest
 * that the run has seen, which grows as 1/d² (system/constraints.h). When: where that is largest, on the
 * interpolant of the step that was taken back, then on the way that v and v̇ lead.
 *
 * Rows that repeat others are left out by a choice that becomes bad where the rest comes to depend on each
 * other though the rank stays. So they are chosen again: then nothing is near any more.
 *
 * Limits. Where the mechanism comes to rest close to the position, or where no motion continues (a dead
 * centre that a drive pushes through), no step succeeds, and the run ends with an error.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim.h"

/* Falls of a determinant: from this on a singular position is searched for, … */
static const double AWARE = 30;
/* … there is one if it falls so far, at a distance of some hundredths of the mechanism's size, … */
static const double NEAR = 1e3;
/* … so far rounding blurs the constraints more than an interpolant is off, … */
static const double BLURRED = 1e7;
/* … and so far the direction in which the motion continues is no longer known. */
static const double LOST = 1e9;
/* Errors of positions, of the mechanism's size, that steps near the position can be held to, by rounding at
 * these distances. */
static const double NOISE = 1e-8;
/* How far ahead the position matters, in steps: as far as the method comes that makes room for it; … */
static const double HORIZON = 1.5;
/* … and, where steps are far shorter than that, in rad and of the mechanism's size. */
static const double SHORT_WAY = 0.3;
static const double LITTLE = 1e-3; /* of a step, for a difference */
/* First step of a method that has the position in its middle, in distances to it. */
static const double ACROSS = 2.15;
/* The search for it: in so many parts, and so often finer. */
enum { LOOKS = 16, ZOOMS = 3 };

lash_status lashi_singular_create(lash_sim *sim, lash_error *error) {
    const lashi_constraint_set *set = &sim->system->motion;
    sim->kinds[0] = sim->kinds[1] = sim->kind;
    sim->integrators[0] = sim->integrator;
    if (set->rows == 0 || set->most_repeats > set->redundant) // none, or some that do not always hold
        return LASH_OK;
    const lash_status status = lashi_constraint_work_create(&sim->probe, &sim->arena, set, error);
    sim->y_probe = lashi_arena_alloc(&sim->arena, sim->problem.n, sizeof(double));
    if (status || !sim->y_probe)
        return lashi_fail_memory(error);
    for (size_t k = 0; !sim->kinds[1]->step_past; k++)
        sim->kinds[1] = lashi_integrator_kinds[k];
    lashi_problem problem = sim->problem;
    if (!sim->tangent)
        problem.f = lashi_evaluate_onto, problem.stage = problem.early = NULL;
    return sim->kinds[1]->create(&sim->integrators[1], &problem, error);
}

void lashi_singular_select(lash_sim *sim) {
    sim->kind = sim->kinds[sim->state->crossing];
    sim->integrator = sim->integrators[sim->state->crossing];
    lashi_sim_rescale(sim);
}

/* ---- how near, and when ---- */

/* Fall of the determinants at the last evaluation. */
static double fallen_here(const lash_sim *sim) {
    int weakest;
    const lashi_workspace *w = sim->workspace;
    return w->singular_row >= 0 ? INFINITY
                                : lashi_constraints_fallen(&weakest, &w->constraints, &sim->system->motion);
}

/* The same at (t, y); the factor stays in the probe. */
static double fallen_at(int *weakest, lash_sim *sim, double t, const double *y) {
    const lashi_constraint_set *set = &sim->system->motion;
    lashi_frames_at(sim->frames, NULL, sim->system, t, y);
    lashi_constraints_evaluate(&sim->probe, set, sim->frames, t);
    const int bad = lashi_constraints_factor(&sim->probe, set,
                                             (const double(*)[LASHI_FREEDOMS])sim->system->inverse_free, 0);
    if (bad < 0)
        return lashi_constraints_fallen(weakest, &sim->probe, set);
    for (*weakest = set->count - 1; set->items[*weakest].first_row > bad;)
        --*weakest;
    return INFINITY;
}

/* The same at a time within the last step, from its interpolant; or after it, where v and v̇ lead to, which
 * are in the workspace. */
static double fallen_then(lash_sim *sim, double t) {
    const lash_system *system = sim->system;
    const lashi_workspace *w = sim->workspace;
    const double ahead = t - sim->integrator->t, *y = sim->integrator->y;
    int weakest;
    if (!(ahead > 0))
        return sim->kind->interpolate(sim->y_probe, sim->integrator, t, NULL)
                   ? 0
                   : fallen_at(&weakest, sim, t, sim->y_probe);
    double(*step)[LASHI_FREEDOMS] = w->scratch, *moves = w->scratch[0];
    const double *acceleration = w->acceleration[0]; // by freedom
    memcpy(sim->y_probe, y, (size_t)system->n_y * sizeof(double));
    memset(step, 0, (size_t)system->bodies * sizeof *step);
    for (int i = 0; i < system->n_v; i++)
        moves[system->freedom[i]] =
            ahead * (y[system->v_at + i] + 0.5 * ahead * acceleration[system->freedom[i]]);
    lashi_shift_state(sim->y_probe, system, (const double(*)[LASHI_FREEDOMS])step, 1);
    return fallen_at(&weakest, sim, t, sim->y_probe);
}

/* Until when to look: as the method needs that makes room, and twice as far as the position seems to be,
 * since 1/√fall is a straight line that ends there; but not farther than a short way. */
static double horizon(lash_sim *sim, double h) {
    const lash_system *system = sim->system;
    const double t = sim->integrator->t, *v = sim->integrator->y + system->v_at;
    const double now = fallen_then(sim, t), soon = fallen_then(sim, t + LITTLE * h);
    const double seems = soon > now ? LITTLE * h / (1 - sqrt(now / soon)) : 0;
    double rate = 0;
    for (int i = 0; i < system->n_v; i++) {
        const bool turns = system->freedom[i] % LASHI_FREEDOMS >= system->turning;
        rate = fmax(rate, fabs(v[i]) / (turns ? 1 : system->length));
    }
    return t + fmax(HORIZON * h, fmin(2 * seems, SHORT_WAY / rate));
}

/* When a singular position is passed, from a time in the last step until soon; -INFINITY: none is. */
static double find_singular(lash_sim *sim, double from, double h) {
    if (lashi_evaluate(sim->ydot_work, sim->workspace, sim->integrator->t, sim->integrator->y))
        return -INFINITY;
    const double begin = from, end = horizon(sim, h);
    double to = end, when = from, most = 0;
    for (int zoom = 0; zoom < ZOOMS; zoom++) {
        const double spacing = (to - from) / LOOKS;
        for (int k = 0; k <= LOOKS; k++) {
            const double fallen = fallen_then(sim, from + k * spacing);
            if (fallen > most) {
                most = fallen;
                when = from + k * spacing;
            }
        }
        if (zoom == 0 && !(when > begin && when < end && most > AWARE))
            return -INFINITY;
        from = fmax(when - spacing, begin);
        to = fmin(when + spacing, end);
    }
    return most > NEAR ? when : -INFINITY;
}

/* Leaves out other rows where that makes the constraints sound again at (t, y). */
static bool choose_rows(lash_sim *sim, double t, const double *y) {
    const lashi_constraint_set *set = &sim->system->motion;
    int weakest;
    if (set->redundant == 0)
        return false;
    fallen_at(&weakest, sim, t, y);
    if (!lashi_constraints_choose(&sim->probe, set))
        return false;
    fallen_at(&weakest, sim, t, y);
    lashi_constraints_note(&sim->probe, set);
    return true;
}

/* ---- steps ---- */

static lash_status fail_to_cross(lash_sim *sim, lash_error *error) {
    const double t = sim->integrator->t, t_singular = sim->state->t_singular;
    int weakest = 0;
    fallen_at(&weakest, sim, t, sim->integrator->y);
    sim->workspace->singular_row = -1; // it is explained here
    const char *name = sim->system->motion.items[weakest].name;
    return lashi_fail_at(
        error, LASH_ERROR_SINGULAR, t, name,
        "the mechanism comes to a singular position near t = %.6g s, where the constraints of '%s' depend on "
        "the others (a dead centre, a stretched linkage, a parallelogram that is flat), and the motion could "
        "not be followed past it from t = %.9g s. The motion may end there, or could continue in several "
        "ways; start elsewhere, change what drives it there, or give a joint of the loop play",
        t_singular > t ? t_singular : t, name, t);
}

/* Back to the beginning of the step, put onto the constraints, with the method that steps past; h: the step
 * that was natural there. */
static lash_status turn_back(lash_sim *sim, double h, lash_error *error) {
    const lashi_integrator *own = sim->integrator;
    const double t = own->t_old;
    double *y = sim->y_work;
    memcpy(y, own->y_old, sim->problem.n * sizeof(double));
    sim->integrator->counts.rejected++;
    sim->state->crossing = 1;
    lashi_singular_select(sim);
    if (choose_rows(sim, t, y))
        sim->state->t_singular = -INFINITY;
    if (lashi_project(y, sim->workspace, t, LASHI_SHARP))
        return LASH_ERROR_SINGULAR;
    if (sim->kinds[1] != sim->kinds[0]) // its steps are not known
        h = fmax(ACROSS * (sim->state->t_singular - t), 0);
    return lashi_sim_restart(sim, t, y, h, error);
}

lash_status lashi_singular_step(lash_sim *sim, double t_limit, lash_error *error) {
    lashi_workspace *w = sim->workspace;
    lash_state *state = sim->state;
    lash_status status = LASH_OK;
    if (!state->crossing) {
        const double natural = sim->integrator->h_next;
        status = lashi_sim_integrate(sim, t_limit, error);
        const double fallen = sim->integrators[1] ? fallen_here(sim) : 0;
        if (!(fallen > AWARE))
            return status;
        state->t_singular = find_singular(sim, sim->integrator->t_old, natural);
        if (!(fallen > NEAR) && !(state->t_singular > sim->integrator->t_old))
            return status;
        status = turn_back(sim, natural, error);
    } else {
        const lashi_integrator *passer = sim->integrator;
        const bool others = choose_rows(sim, passer->t, passer->y);
        const double found = find_singular(sim, passer->t, passer->h_next);
        if (others || found > passer->t)
            state->t_singular = found;
    }
    w->mismatch = 0;
    if (!status)
        status = lashi_sim_integrate_past(
            sim, state->t_singular, fmax(NOISE * sim->system->length / sim->resolution, 1), t_limit, error);
    const double fallen = fallen_here(sim);
    sim->crossed = !(fallen > NEAR) && !(state->t_singular > sim->integrator->t);
    return status < 0 || fallen > LOST ? fail_to_cross(sim, error) : status;
}

lash_status lashi_singular_sample(double *y, lash_sim *sim, double t, lash_error *error) {
    int weakest;
    const double fallen = sim->state->crossing ? fallen_at(&weakest, sim, t, y) : 0;
    if (fallen > LOST) {
        const char *name = sim->system->motion.items[weakest].name;
        return lashi_fail_at(error, LASH_ERROR_SINGULAR, t, name,
                             "a value is asked for at t = %.9g s, where the mechanism is in a singular "
                             "position: the constraints of '%s' depend on the others, and accelerations and "
                             "reactions are not determined. Choose other times of samples",
                             t, name);
    }
    if (fallen > 0 && fallen <= BLURRED) {
        memcpy(sim->y_probe, y, (size_t)sim->system->n_y * sizeof(double));
        if (lashi_project(sim->y_probe, sim->workspace, t, LASHI_SHARP) == 0)
            memcpy(y, sim->y_probe, (size_t)sim->system->n_y * sizeof(double));
    }
    return LASH_OK;
}

lash_status lashi_singular_end(lash_sim *sim, lash_error *error) {
    if (!sim->state->crossing || !sim->crossed)
        return LASH_OK;
    const lashi_integrator *passer = sim->integrator;
    sim->state->crossing = 0;
    lashi_singular_select(sim);
    return lashi_sim_restart(sim, passer->t, passer->y, sim->kinds[1] == sim->kinds[0] ? passer->h_next : 0,
                             error);
}
