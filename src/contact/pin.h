/* SPDX-License-Identifier: MIT
 *
 * The gap of a pin in the plane (pin.c has the derivation), inline: an evaluation has it without a call.
 */
#ifndef LASHI_PIN_H
#define LASHI_PIN_H

#include "contact/contact.h"

__attribute__((always_inline)) static inline void
lashi_pin_gap_inline(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_gap_size *size = &contact->p->size;
    const lashi_pair p = lashi_pair_evaluate(i, j, contact->p->s);
    const double e = sqrt(lashi_dot(p.d, p.d)), per_e = e > 0 ? 1 / e : 0;
    const double R_j = size->journal_arm, a = size->bearing_arm + size->carried * e;
    const lashi_vec2 n = lashi_scale(per_e, p.d), t = lashi_perp(n);
    const double across = lashi_dot(p.ddot, t), slip = across + R_j * j->w - a * i->w;
    out->e = e;
    out->delta = e - size->clearance;
    out->deltadot = lashi_dot(p.ddot, n);
    out->sliding = e > 0 ? slip : 0;
    if (contact->sliding == LASHI_SLIDING_GEOMETRIC)
        out->sliding = across * (out->delta * per_e);
    out->n = (lashi_vec3){n.x, n.y, 0};
    out->t = (lashi_vec3){t.x, t.y, 0};
    out->d = (lashi_vec3){p.d.x, p.d.y, 0};
    out->ddot = (lashi_vec3){p.ddot.x, p.ddot.y, 0};
    out->slip = (lashi_vec3){slip * t.x, slip * t.y, 0};
    out->arm[0] = (lashi_vec3){p.S[0].x + a * n.x, p.S[0].y + a * n.y, 0};
    out->arm[1] = (lashi_vec3){p.S[1].x + R_j * n.x, p.S[1].y + R_j * n.y, 0};
}

#endif
