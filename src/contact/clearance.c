/* SPDX-License-Identifier: MIT
 *
 * One evaluation of a joint with play (PHYSICS, sections 2 to 4).
 *
 * Force on the journal f = −F_N n + F_T t at Q_j = P_j + R_j n, on the bearing −f at Q_i = P_i + a n, which
 * is the same point unless the model asks for the papers' way (gap.h). Moved to the centres P_k this adds the
 * moments R_j F_T on the journal and −a F_T on the bearing. A film acts at the centres, with torques of its
 * own; together with dry contact each has its share (hybrid.h).
 */
#include "contact/clearance.h"

static inline lashi_contact_state motion(lashi_pair *p, const lashi_contact *contact,
                                         const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    *p = lashi_pair_evaluate(i, j, contact->s);
    const double e[2] = {p->d.x, p->d.y}, edot[2] = {p->ddot.x, p->ddot.y};
    return (lashi_contact_state){
        .motion = lashi_gap_planar(&contact->gap, e, edot, i->w, j->w), .ex = p->d.x, .ey = p->d.y};
}

lashi_contact_state lashi_contact_motion(const lashi_contact *contact, const lashi_frame *frames) {
    if (contact->touch != LASHI_TOUCH_PLANE) {
        lashi_contact_place place;
        return lashi_clearance_motion3(&place, contact, frames);
    }
    lashi_pair p;
    lashi_contact_state state = motion(&p, contact, frames);
    state.speed = sqrt(lashi_dot(p.ddot, p.ddot));
    return state;
}

/* The dry contact with weight w (1 without a film); f gets its force on the journal; F_T is returned. */
static double dry_contact(double f[2], lashi_contact_state *out, double *zdot, const lashi_contact *contact,
                          const lashi_memory *memory, const lashi_frame *frames, const lashi_pair *p,
                          double bristle, double w) {
    const lashi_normal_result normal =
        lashi_normal_force_phase(&contact->normal, out->motion.delta, out->motion.deltadot, &memory->onset);
    const double F_T =
        w * lashi_friction_force(&contact->friction, normal.force, out->motion.sliding_speed, bristle, zdot);
    out->normal_force = w * normal.force;
    out->friction_force = F_T;
    out->damping_power = w * normal.damping_power;
    lashi_gap_planar_force(f, &out->motion, out->normal_force, F_T);
    // The material sliding speed is the one friction does its work at, whichever the law was given.
    const double across = p->ddot.x * out->motion.t[0] + p->ddot.y * out->motion.t[1];
    out->friction_power = -F_T * (across + contact->gap.journal_arm * frames[contact->body[1]].w -
                                  out->motion.bearing_arm * frames[contact->body[0]].w);
    return F_T;
}

static inline lashi_film_motion film_motion(double n[2], double t[2], const lashi_contact *contact,
                                            const lashi_frame *frames, const lashi_pair *p) {
    const double e[2] = {p->d.x, p->d.y}, edot[2] = {p->ddot.x, p->ddot.y};
    const lashi_frame *i = &frames[contact->body[0]];
    return lashi_film_planar(n, t, &contact->film, e, edot, i->w, frames[contact->body[1]].w,
                             (double[2]){i->c, i->s});
}

/* The film with weight 1 − w, added to f; the torques on bearing and journal. */
static void wet_contact(double f[2], double torque[LASHI_SLOTS], lashi_contact_state *out,
                        const lashi_contact *contact, const lashi_frame *frames, const lashi_pair *p,
                        double w) {
    double n[2], t[2];
    const lashi_film_force_result film = lashi_film_force(&contact->film, film_motion(n, t, contact, frames, p));
    const double share = out->film_share = 1 - w;
    f[0] += share * (film.radial * n[0] + film.transverse * t[0]);
    f[1] += share * (film.radial * n[1] + film.transverse * t[1]);
    torque[0] = share * film.bearing_torque;
    torque[1] = share * film.journal_torque;
    out->film_force = share * sqrt(film.radial * film.radial + film.transverse * film.transverse);
    out->film_power = share * film.power;
    out->film_torque = torque[1];
}

void lashi_contact_apply(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double *zdot,
                           const lashi_contact *contact, const lashi_memory *memory,
                           const lashi_frame *frames, const double *bristle) {
    if (contact->touch != LASHI_TOUCH_PLANE) {
        lashi_clearance_apply3(g, out, zdot, contact, memory, frames, bristle);
        return;
    }
    lashi_pair p;
    *out = motion(&p, contact, frames);
    *zdot = 0;
    if (contact->model != LASHI_MODEL_COMPLIANT)
        return; // its force is a multiplier, and its friction goes with that
    const bool touching = memory->touching && out->motion.delta > 0;
    if (!touching && !contact->lubricated)
        return;
    double f[2] = {0, 0}, torque[LASHI_SLOTS] = {0, 0}, w = 1, F_T = 0;
    if (contact->lubricated)
        w = touching ? lashi_hybrid_weight(&contact->hybrid, out->motion.delta) : 0;
    if (touching)
        F_T = dry_contact(f, out, zdot, contact, memory, frames, &p, *bristle, w);
    if (contact->lubricated && w < 1)
        wet_contact(f, torque, out, contact, frames, &p, w);
    out->fx = f[0];
    out->fy = f[1];
    lashi_apply_at(g[contact->body[1]], p.S[1], (lashi_vec2){f[0], f[1]});
    lashi_apply_at(g[contact->body[0]], p.S[0], (lashi_vec2){-f[0], -f[1]});
    g[contact->body[1]][2] += contact->gap.journal_arm * F_T + torque[1];
    g[contact->body[0]][2] += torque[0] - out->motion.bearing_arm * F_T;
}

lashi_film_motion lashi_clearance_film(const lashi_contact *contact, const lashi_frame *frames) {
    if (contact->touch != LASHI_TOUCH_PLANE) {
        lashi_vec3 along, across;
        lashi_contact_place place;
        const lashi_contact_state at = lashi_clearance_motion3(&place, contact, frames);
        return lashi_clearance_film3(&along, &across, contact, frames, &at, &place);
    }
    const lashi_pair p = lashi_pair_evaluate(&frames[contact->body[0]], &frames[contact->body[1]], contact->s);
    double n[2], t[2];
    return film_motion(n, t, contact, frames, &p);
}

double lashi_clearance_elastic(const lashi_contact *contact, double delta) {
    const double share = contact->lubricated ? lashi_hybrid_weight(&contact->hybrid, delta) : 1;
    return share * lashi_normal_elastic(&contact->normal, delta);
}

double lashi_contact_energy(const lashi_contact *contact, double delta) {
    return contact->lubricated ? lashi_hybrid_energy(&contact->hybrid, &contact->normal, delta)
                             : lashi_normal_energy(&contact->normal, delta);
}
