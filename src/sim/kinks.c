/* SPDX-License-Identifier: MIT
 *
 * Kinks of contact laws: sliding speeds at which the slope of a friction law jumps, and the rate δ̇ below which
 * a normal force would pull and is cut off at zero.
 *
 * A step across a kink is of low order, and its error test, made for smooth motion, may not see how wrong it
 * is where the kink lies between two stages. So a step that has passed one is repeated up to it, and the
 * next begins there. The time is found on the interpolant of the step that is thrown away; it is good enough
 * where what is left of the kink is a small share of a step, since its error goes with the square of that
 * share.
 *
 * The friction of what slides in several directions follows the direction of its speed. Where that passes close to zero, friction turns
 * round almost at once, and the step is repeated up to there.
 *
 * A contact whose force is cut off ends without one: nothing tells the error test of its end, but what it still
 * loses, the work of its elastic part, ends there. A step across that end is repeated up to it,
 * and a little further.
 *
 * Not of adams and gear: they would have to restart, with more steps than the kink costs them. They restart where a contact
 * ends anyway; what it has lost up to there is integrated again over the part of the step in which it touched.
 */
#include "sim/sim.h"

#include <math.h>

#include "math/gauss.h"
#include "math/root.h"

/* Share of a step at its ends in which a kink does no harm, and accuracy of its place. */
static const double AT_END = 1e-2, PLACE = 1e-4;
/* Share by which a step goes across an end that it is taken up to, so that it is found. */
static const double ACROSS = 1e-4;

/* Kinks of a contact: those of its friction, each with its opposite, and before them the one of its normal
 * force. */
enum { CUT = -1 };

typedef struct passage {
    lash_sim *sim;
    int contact, kink;
} passage;

/* Whether the normal force may be cut off at an end of the step: the parts separate there. */
static inline bool cuts(const lash_sim *sim, int k) {
    return (sim->ends[k].deltadot < 0 || sim->memories[k].deltadot < 0) && sim->system->contacts[k].watched &&
           sim->memories[k].touching == LASHI_TOUCHES;
}

/* How far the gap is above a kink, m/s. */
static double above(const lash_sim *sim, int k, int kink, double delta, double deltadot, double sliding) {
    const lashi_contact *contact = &sim->system->contacts[k];
    if (kink == CUT)
        return contact->p->lever *
               (deltadot - lashi_normal_cut(&contact->normal, delta, &sim->memories[k].onset));
    return sliding - (kink % 2 ? -1 : 1) * contact->friction.p->kinks[kink / 2];
}

/* Whether some speed of a kink lies between two sliding speeds: not where both are faster than all of them. */
static inline bool slides_past(const lashi_contact *contact, double from, double to) {
    const size_t count = contact->friction.kink_count;
    const double fastest = count ? contact->friction.p->kinks[count - 1] : 0;
    return count && !(from > fastest && to > fastest) && !(from < -fastest && to < -fastest);
}

static double above_at(void *context, double t) {
    const passage *p = context;
    lash_sim *sim = p->sim;
    if (lashi_sim_sample(sim->y_work, sim, t, NULL))
        return (double)NAN;
    lashi_frames_of_contact(sim->frames, sim->system, &sim->system->contacts[p->contact], t, sim->y_work);
    const lashi_gap gap = lashi_gap_of(&sim->system->contacts[p->contact], sim->frames);
    return above(sim, p->contact, p->kink, gap.delta, gap.deltadot, gap.sliding);
}

/* Whether the event found is that of something which slides in several directions. Its friction follows the direction: where
 * the speed passes zero, or close to it, friction turns round within the step. */
static bool turns_round(const lash_sim *sim) {
    const size_t others = (size_t)(sim->system->contact_count + sim->border_count);
    if (sim->found == SIZE_MAX || sim->found < others)
        return false;
    const size_t r = sim->found - others;
    return sim->system->rubs[r].ways > 1 && sim->rub_memories[r].mode == LASHI_RUB_SLIDES;
}

/* Whether the step went on beyond that, or beyond the end of a contact that has no force there. A depth below the
 * errors of positions says nothing. */
static bool ends_unseen(const lash_sim *sim) {
    const double h = sim->integrator->t - sim->integrator->t_old;
    if (!(sim->t_new < sim->integrator->t - 2 * ACROSS * h))
        return false;
    if (sim->found >= (size_t)sim->system->contact_count)
        return sim->t_new > sim->integrator->t_old + AT_END * h && turns_round(sim);
    const int k = (int)sim->found;
    const lashi_gap_point *end = &sim->ends[k];
    return cuts(sim, k) && above(sim, k, CUT, end->delta, end->deltadot, end->sliding) < 0 &&
           sim->memories[k].delta > fmax(sim->system->contacts[k].p->tolerance, lashi_resolution(sim));
}

double lashi_kink(lash_sim *sim, bool at_end) {
    const double t_old = sim->integrator->t_old, h = sim->t_new - t_old, margin = AT_END * h,
                 resolution = lashi_resolution(sim);
    double first = sim->t_new - (at_end ? 0 : margin);
    bool found = false;
    if (sim->kind->remembers)
        return INFINITY;
    for (int k = 0; k < sim->system->contact_count; k++) {
        const lashi_contact *contact = &sim->system->contacts[k];
        const lashi_memory *start = &sim->memories[k];
        const lashi_gap_point *end = &sim->ends[k];
        if (!start->touching)
            continue;
        const int kinks =
            slides_past(contact, start->sliding, end->sliding) ? 2 * (int)contact->friction.kink_count : 0;
        for (int kink = cuts(sim, k) ? CUT : 0; kink < kinks; kink++) {
            const double a = above(sim, k, kink, start->delta, start->deltadot, start->sliding),
                         b = above(sim, k, kink, end->delta, end->deltadot, end->sliding);
            // A way that is below the errors of positions says nothing.
            if (!(a * b < 0) || (fabs(a) * h < resolution && fabs(b) * h < resolution))
                continue;
            passage p = {sim, k, kink};
            const double t = lashi_root(above_at, &p, t_old, a, sim->t_new, b, PLACE * fabs(b - a));
            if (t > t_old + margin && t < first) {
                first = t;
                found = true;
            }
        }
    }
    return found ? first : ends_unseen(sim) ? sim->t_new + ACROSS * h : INFINITY;
}

/* Loss and impulse of contact k at the event found, from the interpolant of the motion before it: y_event has them from that
 * of the whole step, in a part of which it does not touch. */
static void recount(lash_sim *sim, int k) {
    const lash_system *system = sim->system;
    const double t_old = sim->integrator->t_old, h = sim->t_new - t_old, *y_old = sim->integrator->y_old;
    const int loss = system->loss_at + LASHI_LOSSES * k, impulse = system->impulse_at + k;
    double lost[LASHI_LOSSES] = {0}, pushed = 0;
    for (int i = 0; i < LASHI_GAUSS; i++) {
        const double t = t_old + lashi_gauss_node[i] * h, weight = lashi_gauss_weight[i] * h;
        if (lashi_sim_sample(sim->y_work, sim, t, NULL) ||
            lashi_evaluate(sim->ydot_work, sim->workspace, t, sim->y_work))
            return;
        for (int j = 0; j < LASHI_LOSSES; j++)
            lost[j] += weight * sim->ydot_work[loss + j];
        pushed += weight * sim->ydot_work[impulse];
    }
    for (int j = 0; j < LASHI_LOSSES; j++)
        sim->y_event[loss + j] = y_old[loss + j] + lost[j];
    sim->y_event[impulse] = y_old[impulse] + pushed;
}

void lashi_recount_losses(lash_sim *sim) {
    if (!sim->kind->remembers || !lashi_at_event(sim))
        return;
    const int mismatch = sim->workspace->mismatch; // says what the step has seen
    lashi_frames_at(sim->frames, NULL, sim->system, sim->integrator->t, sim->integrator->y);
    for (int k = 0; k < sim->system->contact_count; k++) {
        const lashi_contact *contact = &sim->system->contacts[k];
        if (sim->memories[k].touching == LASHI_TOUCHES && contact->model == LASHI_MODEL_COMPLIANT &&
            lashi_gap_of(contact, sim->frames).delta < 0)
            recount(sim, k);
    }
    sim->workspace->mismatch = mismatch;
}
