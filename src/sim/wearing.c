/* SPDX-License-Identifier: MIT
 *
 * What contacts wear off (PHYSICS, section 15): dV = k F_N |v_T| dt after Archard, spread over the arc of the
 * moment as the pressure is.
 *
 * Steps end where contact begins and ends. In contact a step is cut into parts in which no part's surface
 * passes by more than a sector, and each is integrated by Gauss's formula on the interpolant. Kept is the
 * work of load and sliding, ∫ F_N |v_T| dt in J, whole and of each sector: volume and depth are multiples of
 * it. The profiles themselves stay as they are: within a sim the bed keeps its potential, and the energy
 * balance closes.
 *
 * A deposit in the state: the work, then [sectors] of the bearing and [sectors] of the journal.
 */
#include <math.h>

#include "lash/wear.h"
#include "sim/sim.h"

enum { POINTS = 3 };
static const double place[POINTS] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double weight[POINTS] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
static const double TWO_PI = 6.283185307179586;
static const lashi_vec3 z_axis = {0, 0, 1};
/* Of a step: it would not be one of a motion that contacts follow. */
static const double MOST_PARTS = 1e5;

/* Where the journal of a worn pin is in its bearing, in the bearing's axes. */
static void look(lashi_vec2 *e, double *alpha, const lashi_contact *contact, const lashi_frame *frames,
                 const lashi_gap *gap) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    *e = (lashi_vec2){i->c * gap->d.x + i->s * gap->d.y, i->c * gap->d.y - i->s * gap->d.x};
    *alpha = j->angle - i->angle;
}

/* Contact k at the point in y_work, whose frames are filled: `dt` of its wear. */
static void wear_off(lash_sim *sim, int k, double dt) {
    const lashi_contact *contact = &sim->system->contacts[k];
    double *to = sim->deposits + contact->deposit, zdot[3], alpha;
    lashi_contact_state state;
    lashi_vec2 e;
    lashi_contact_apply(sim->workspace->scratch, &state, zdot, contact, &sim->memories[k], sim->frames,
                        contact->bristle >= 0 ? sim->y_work + contact->bristle : (double[3]){0});
    const double work = dt * state.normal_force * fabs(state.gap.sliding);
    if (!(work > 0))
        return;
    const int sectors = contact->worn->bearing.sectors;
    look(&e, &alpha, contact, sim->frames, &state.gap);
    to[0] += work;
    lashi_worn_share(to + 1, to + 1 + sectors, contact->worn, contact->p->size.clearance, e, alpha, work);
}

static bool rubs_off(const lash_sim *sim, int k) {
    return sim->system->contacts[k].deposit >= 0 && sim->memories[k].touching;
}

/* The frames at a time of the step. */
static lash_status look_at(lash_sim *sim, double t, lash_error *error) {
    const lash_status status = lashi_sim_sample(sim->y_work, sim, t, error);
    if (!status)
        lashi_frames_at(sim->frames, NULL, sim->system, t, sim->y_work);
    return status;
}

/* How many sectors contact k passes per second, on the part that it passes faster. */
static double sectors_passed(const lash_sim *sim, int k) {
    const lashi_contact *contact = &sim->system->contacts[k];
    const lashi_gap gap = lashi_gap_of(contact, sim->frames);
    const double swing = gap.e > 0 ? lashi_dot3(gap.ddot, lashi_cross3(z_axis, gap.d)) / (gap.e * gap.e) : 0;
    const double i = fabs(swing - sim->frames[contact->body[0]].w),
                 j = fabs(swing - sim->frames[contact->body[1]].w);
    return fmax(i, j) * contact->worn->bearing.sectors / TWO_PI;
}

lash_status lashi_wear_step(lash_sim *sim, lash_error *error) {
    const int contacts = sim->system->contact_count;
    const double t = sim->integrator->t_old, h = sim->t_new - t;
    double parts = 0;
    bool any = false;
    for (int k = 0; k < contacts; k++)
        any = any || rubs_off(sim, k);
    if (!any)
        return LASH_OK;
    lash_status status = look_at(sim, t + 0.5 * h, error);
    for (int k = 0; k < contacts && !status; k++)
        if (rubs_off(sim, k))
            parts = fmax(parts, h * sectors_passed(sim, k));
    parts = fmin(fmax(ceil(parts), 1), MOST_PARTS);
    for (double n = 0; n < parts && !status; n++)
        for (int p = 0; p < POINTS && !status; p++) {
            status = look_at(sim, t + (n + place[p]) * h / parts, error);
            for (int k = 0; k < contacts && !status; k++)
                if (rubs_off(sim, k))
                    wear_off(sim, k, weight[p] * h / parts);
        }
    return status;
}

double lash_sim_worn(double *bearing, double *journal, const lash_sim *sim, size_t index) {
    const lashi_contact *contact = sim ? lashi_worn_contact(sim->system, index) : NULL;
    if (!contact)
        return (double)NAN;
    const int sectors = contact->worn->bearing.sectors;
    const double *from = contact->deposit < 0 ? NULL : sim->deposits + contact->deposit;
    const double k = contact->p->wear;
    for (int s = 0; s < sectors; s++) {
        if (bearing)
            bearing[s] = from ? k * contact->p->portion[0] * from[1 + s] : 0;
        if (journal)
            journal[s] = from ? k * contact->p->portion[1] * from[1 + sectors + s] : 0;
    }
    return from ? k * from[0] : 0;
}
