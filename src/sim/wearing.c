/* SPDX-License-Identifier: MIT
 *
 * What contacts wear off (docs/wear.md): dV = k F_N |v_T| dt after Archard, spread over the arc of the
 * moment as the pressure is, or over the splines around a corner.
 *
 * Steps end where contact begins and ends. In contact a step is cut into parts in which no surface passes by
 * more than a sector, and those where the sliding turns back, or a corner passes a node of the profile; each
 * piece is integrated by Gauss's formula on the interpolant. Kept is the work of load and sliding,
 * ∫ F_N |v_T| dt in J, whole and of each sector: volume and depth are multiples of it. The profiles
 * themselves stay as they are: within a sim the force keeps its potential, and the energy balance closes.
 *
 * A deposit in the state: the work, then the shares of both surfaces, [count] each.
 */
#include <math.h>

#include "lash/wear.h"
#include "sim/sim.h"

enum { POINTS = 3 };
static const double place[POINTS] = {0.1127016653792583, 0.5, 0.8872983346207417};
static const double weight[POINTS] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
/* Of a step: it would not be one of a motion that contacts follow. */
static const double MOST_PARTS = 1e5;
/* Of a cut, in parts: its place matters to second order. */
static const double CLOSE = 1e-10;
enum { CUT_STEPS = 60 };

/* A contact at a time of the step. */
typedef struct instant {
    double t;
    lashi_wear_motion motion;
} instant;

/* Frames and coordinates at a time of the step. */
static lash_status go_to(lash_sim *sim, double t, lash_error *error) {
    const lash_status status = lashi_sim_sample(sim->y_work, sim, t, error);
    if (!status)
        lashi_frames_at(sim->frames, NULL, sim->system, t, sim->y_work);
    return status;
}

static lash_status look_at(instant *out, lash_sim *sim, int k, double t, lash_error *error) {
    const lashi_contact *contact = &sim->system->contacts[k];
    lash_status status = go_to(sim, t, error);
    if (status)
        return status;
    const lashi_gap gap = lashi_gap_of(contact, sim->frames);
    out->t = t;
    status = lashi_kind_of(contact)->wearing(&out->motion, contact, sim->frames, &gap, error);
    if (status && error)
        error->time = t;
    return status;
}

/* What is cut at: where the sliding turns back, or the contact is at a node. */
static double ahead_of(const instant *at, bool turning, double node) {
    return turning ? at->motion.slides : at->motion.place - node;
}

/* Where that is zero between two instants at which it has different signs: false position, Illinois variant. */
static lash_status cut(instant *out, lash_sim *sim, int k, instant a, instant b, bool turning, double node,
                       lash_error *error) {
    double at_a = ahead_of(&a, turning, node), at_b = ahead_of(&b, turning, node), last = a.t;
    const double close = CLOSE * (b.t - a.t);
    lash_status status = LASH_OK;
    int kept = 0; // which end has stayed: -1 a, 1 b
    for (int n = 0; n < CUT_STEPS; n++) {
        const double t = (at_a * b.t - at_b * a.t) / (at_a - at_b);
        status = look_at(out, sim, k, t, error);
        const double here = ahead_of(out, turning, node);
        if (status || here == 0 || fabs(t - last) <= close)
            break;
        last = t;
        if ((here > 0) == (at_b > 0)) {
            b.t = t, at_b = here;
            at_a *= kept < 0 ? 0.5 : 1;
            kept = -1;
        } else {
            a.t = t, at_a = here;
            at_b *= kept > 0 ? 0.5 : 1;
            kept = 1;
        }
    }
    *(turning ? &out->motion.slides : &out->motion.place) = turning ? 0 : node;
    return status;
}

/* One piece, in which everything is smooth. */
static lash_status wear_off(lash_sim *sim, int k, double from, double to, lash_error *error) {
    const lashi_contact *contact = &sim->system->contacts[k];
    double *deposit = sim->deposits + contact->deposit, zdot[3];
    for (int p = 0; p < POINTS; p++) {
        lashi_contact_state state;
        const lash_status status = go_to(sim, from + place[p] * (to - from), error);
        if (status)
            return status;
        lashi_contact_apply(sim->workspace->scratch, &state, zdot, contact, &sim->memories[k], sim->frames,
                            contact->bristle >= 0 ? sim->y_work + contact->bristle : (double[3]){0});
        const double work = weight[p] * (to - from) * state.normal_force * fabs(state.gap.sliding);
        if (!(work > 0))
            continue;
        deposit[0] += work;
        lashi_kind_of(contact)->wear(deposit + 1, contact, sim->frames, &state.gap, work);
    }
    return LASH_OK;
}

/* The node that comes first from a to b; false: none. */
static bool node_between(double *node, double a, double b) {
    *node = b > a ? floor(a) + 1 : ceil(a) - 1;
    return (*node - a) * (b - *node) > 0;
}

/* A part of the step, cut into pieces. */
static lash_status wear_between(lash_sim *sim, int k, instant from, const instant *to, lash_error *error) {
    lash_status status = LASH_OK;
    while (!status && from.t < to->t) {
        instant until = *to;
        double node;
        if (from.motion.slides * until.motion.slides < 0)
            status = cut(&until, sim, k, from, until, true, 0, error);
        if (!status && node_between(&node, from.motion.place, until.motion.place))
            status = cut(&until, sim, k, from, until, false, node, error);
        if (!status)
            status = wear_off(sim, k, from.t, until.t, error);
        if (until.t <= from.t) // rounding
            break;
        from = until;
    }
    return status;
}

/* Contact k in the step. */
static lash_status wear_contact(lash_sim *sim, int k, double t, double h, lash_error *error) {
    instant from, to, end;
    lash_status status = look_at(&to, sim, k, t, error);
    if (!status)
        status = look_at(&end, sim, k, t + h, error);
    if (status)
        return status;
    const double passed = fmax(to.motion.passed, end.motion.passed),
                 parts = fmin(fmax(ceil(h * passed), 1), MOST_PARTS);
    for (double n = 1; n <= parts && !status; n++) {
        from = to;
        to = end;
        if (n < parts)
            status = look_at(&to, sim, k, t + n * h / parts, error);
        if (!status)
            status = wear_between(sim, k, from, &to, error);
    }
    return status;
}

lash_status lashi_wear_step(lash_sim *sim, lash_error *error) {
    const double t = sim->integrator->t_old, h = sim->t_new - t;
    lash_status status = LASH_OK;
    for (int k = 0; k < sim->system->contact_count && !status; k++)
        if (sim->system->contacts[k].deposit >= 0 && sim->memories[k].touching)
            status = wear_contact(sim, k, t, h, error);
    return status;
}

double lash_sim_worn(double *first, double *second, const lash_sim *sim, size_t index) {
    const lashi_contact *contact = sim ? lashi_worn_contact(sim->system, index) : NULL;
    if (!contact)
        return (double)NAN;
    const lashi_worn *worn = contact->worn;
    const int count = worn->surface[0].count;
    double volume = 0, *to[LASH_WORN_PARTS] = {first, second};
    for (int part = 0; part < LASH_WORN_PARTS; part++)
        for (int s = 0; s < count && to[part]; s++)
            to[part][s] = 0;
    for (int c = 0; c < sim->system->contact_count; c++) {
        contact = &sim->system->contacts[c];
        if (contact->worn != worn || contact->deposit < 0)
            continue;
        const double *from = sim->deposits + contact->deposit, k = contact->p->wear;
        volume += k * from[0];
        for (int part = 0; part < LASH_WORN_PARTS; part++)
            for (int s = 0; s < count && to[part]; s++)
                to[part][s] +=
                    k * contact->p->portion[lashi_worn_loser(worn, part, s)] * from[1 + part * count + s];
    }
    return volume;
}
