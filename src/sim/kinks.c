/* SPDX-License-Identifier: MIT
 *
 * Kinks of friction laws: sliding speeds at which the slope of a law jumps.
 *
 * A step across a kink is of low order, and its error test, made for smooth motion, may not see how wrong it
 * is where the kink lies between two stages. So a step that has passed one is taken again up to it, and the
 * next begins there. The time is found on the interpolant of the step that is thrown away; it is good enough
 * where what is left of the kink is a small share of a step, since its error goes with the square of that
 * share.
 *
 * Not of adams and gear: they would have to begin anew, with more steps than the kink costs them.
 */
#include "sim/sim.h"

#include <math.h>

#include "math/root.h"

/* Share of a step at its ends in which a kink does no harm, and accuracy of its place. */
static const double AT_END = 1e-2, PLACE = 1e-4;

typedef struct passage {
    lash_sim *sim;
    int contact;
    double level; /* m/s, of the sliding: a kink, or its opposite */
} passage;

static double above(void *context, double t) {
    const passage *p = context;
    lash_sim *sim = p->sim;
    if (lashi_sim_sample(sim->y_work, sim, t, NULL))
        return (double)NAN;
    lashi_frames_at(sim->frames, NULL, sim->system, t, sim->y_work);
    return lashi_gap_of(&sim->system->contacts[p->contact], sim->frames).sliding - p->level;
}

double lashi_kink(lash_sim *sim, bool at_ends) {
    const double t_old = sim->integrator->t_old, h = sim->t_new - t_old, margin = at_ends ? 0 : AT_END * h;
    double first = sim->t_new - margin;
    bool found = false;
    if (sim->kind->remembers)
        return INFINITY;
    for (int k = 0; k < sim->system->contact_count; k++) {
        const lashi_friction *law = &sim->system->contacts[k].friction;
        if (!sim->memories[k].touching)
            continue;
        for (size_t i = 0; i < 2 * law->kink_count; i++) {
            const double level = (i % 2 ? -1 : 1) * law->p->kinks[i / 2];
            const double a = sim->memories[k].sliding - level, b = sim->ends[k].sliding - level;
            // A way that is below the errors of positions says nothing.
            if (!(a * b < 0) || fmax(fabs(a), fabs(b)) * h < sim->resolution)
                continue;
            passage p = {sim, k, level};
            const double t = lashi_root(above, &p, t_old, a, sim->t_new, b, PLACE * fabs(b - a));
            if (t > t_old + margin && t < first) {
                first = t;
                found = true;
            }
        }
    }
    return found ? first : INFINITY;
}
