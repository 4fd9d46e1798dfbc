/* SPDX-License-Identifier: MIT
 *
 * What contacts in space share: from the line between the points that may touch to normal and sliding.
 *
 * e is the vector that closes, `foot` the place on i, from its centre of mass, from which e is counted. The
 * points that touch are foot + a n on i and P_j + R_j n on j (gap_size.h); δ̇ = n·(v_Qj − v_Qi) with the
 * velocities of these material points, and the sliding velocity is what is left of their difference.
 *
 * Its rate. With u = v_Qj − v_Qi and S the arms of both points, v_Q = v + ω × S and
 *     u̇ = (accelerations) + ω_j × Ṡ_j − ω_i × Ṡ_i,    d/dt (u − (n·u) n) along t ⊥ n:  t·u̇ − (t·ṅ) δ̇
 * Ṡ_j = ω_j × (P_j) + R_j ṅ;  foot = P_j − e in every kind, so that Ṡ_i = v_Pj − ė − v_i + a ṅ + ȧ n.
 */
#ifndef LASHI_ROUND_H
#define LASHI_ROUND_H

#include "contact/contact.h"

/* Pins and balls as they are drawn. */
void lashi_round_draw(lash_scene_play *out, const lash_joint_def *def);

static inline void lashi_round_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *i,
                                   const lashi_frame *j, const lashi_pair3 *p, lashi_vec3 e, lashi_vec3 edot,
                                   lashi_vec3 foot) {
    const lashi_vec3 none = {0, 0, 0};
    out->e = lashi_length3(e);
    out->delta = out->e - contact->p->size.clearance;
    out->n = out->e > 0 ? lashi_scale3(1 / out->e, e) : none;
    out->d = e;
    out->ddot = edot;
    out->ndot = out->e > 0 ? lashi_scale3(1 / out->e, edot) : none;
    out->arm[0] = lashi_axpy3(foot, contact->p->size.bearing_arm + contact->p->size.carried * out->e, out->n);
    out->arm[1] = lashi_axpy3(p->S[1], contact->p->size.journal_arm, out->n);
    const lashi_vec3 v = lashi_sub3(lashi_velocity_at3(j, out->arm[1]), lashi_velocity_at3(i, out->arm[0]));
    out->deltadot = lashi_dot3(out->n, v);
    out->slip = lashi_axpy3(v, -out->deltadot, out->n);
    lashi_vec3 slide = out->slip;
    if (contact->sliding == LASHI_SLIDING_GEOMETRIC && out->e > 0)
        slide = lashi_scale3(out->delta / out->e, lashi_axpy3(p->ddot, -lashi_dot3(out->n, p->ddot), out->n));
    out->sliding = lashi_length3(slide);
    out->t = out->sliding > 0 ? lashi_scale3(1 / out->sliding, slide) : none;
}

/* The velocity part of that rate. */
static inline double lashi_round_drift(const lashi_contact *contact, const lashi_frame *frames,
                                       const lashi_gap *gap, lashi_vec3 t) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_gap_size *size = &contact->p->size;
    const lashi_vec3 ndot = lashi_axpy3(gap->ndot, -lashi_dot3(gap->ndot, gap->n), gap->n);
    const lashi_vec3 centre = lashi_cross3(j->spin, lashi_axpy3(gap->arm[1], -size->journal_arm, gap->n));
    const lashi_vec3 foot = lashi_sub3(lashi_sub3(lashi_add3(j->v, centre), gap->ddot), i->v);
    const lashi_vec3 arm_i = lashi_axpy3(lashi_axpy3(foot, size->bearing_arm + size->carried * gap->e, ndot),
                                         size->carried * lashi_dot3(gap->ddot, gap->n), gap->n);
    const lashi_vec3 arm_j = lashi_axpy3(centre, size->journal_arm, ndot);
    const lashi_vec3 rate = lashi_sub3(lashi_cross3(j->spin, arm_j), lashi_cross3(i->spin, arm_i));
    return lashi_dot3(t, rate) - lashi_dot3(t, ndot) * gap->deltadot;
}

#endif
