/* SPDX-License-Identifier: MIT
 *
 * The shoulders of a pin with play along its axis, in space: with u the axis of the sleeve and d = P_j − P_i,
 * n = ±u, δ = |u·d| − c, at P_j on both bodies; frictionless.
 */
#include "contact/round.h"

void lashi_shoulder_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, contact->p->s3);
    const lashi_vec3 u = lashi_turn3(i->A, contact->p->axis), udot = lashi_cross3(i->spin, u);
    const double z = lashi_dot3(u, p.d), zdot = lashi_dot3(udot, p.d) + lashi_dot3(u, p.ddot);
    // ė along u alone: what turns with u does not move the shoulder
    lashi_round_gap(out, contact, i, j, &p, lashi_scale3(z, u), lashi_scale3(zdot, u),
                    lashi_add3(p.S[0], p.d));
}

#ifndef LASHI_KERNEL // a compiled model needs no more

/* Along the sleeve. */
static lashi_vec3 across(const lashi_contact *contact, const lashi_frame *frames, lashi_vec3 v) {
    const lashi_vec3 a = lashi_turn3(frames[contact->body[0]].A, contact->p->axis);
    return lashi_scale3(lashi_dot3(v, a), a);
}

const lashi_contact_kind lashi_contact_shoulder = {
    .name = "shoulder of a pin",
    .acts = LASHI_ACTS_IN_SPACE,
    .bristles = 3,
    .centred = true,
    .deepest = "a quarter of the pin's radius",
    .across = across,
};

#endif
