/* SPDX-License-Identifier: MIT
 *
 * What guides with play share, in the plane and in space: a block in its channel (docs/contacts.md, guides).
 */
#ifndef LASHI_GUIDE_H
#define LASHI_GUIDE_H

#include "contact/contact.h"

/* Rules of a guide's `clearance`. */
void lashi_guide_check(lashi_check *check, lashi_subject subject, const lash_joint_def *def, unsigned allows);
/* A corner of the block: the next contact of the expansion, with the stiffness of a rounded corner where
 * materials are given. */
lash_status lashi_guide_corner(lashi_contact **out, lashi_expansion *expansion, int kind, const char *part,
                               lash_error *error);
/* Refuses a corner that is drawn deeper in its wall than half of the play. */
lash_status lashi_guide_place(const lashi_expansion *expansion, lash_error *error);
/* Direction of the height across the unit axis u, axes of the first body: as given, or some; zero where it is
 * given along u. Of a joint without a block: some. */
static inline lashi_vec3 lashi_guide_up(const lash_joint_def *def, lashi_vec3 u) {
    const double *given = def->clearance.height_axis;
    return def->has_clearance && !isnan(given[0]) ? lashi_across(lashi_vec3_of(given), u)
                                                  : lashi_any_across(u);
}
/* The numbers of a block in its channel as it is drawn. */
void lashi_guide_draw(lash_scene_play *out, const lash_joint_def *def);

/* Where the forces on channel and block act, and what slides: at the corner both, or on the wall that of the
 * channel. d: from P_i to the corner. */
static inline bool lashi_guide_is_common(const lashi_contact *contact) {
    return contact->p->size.carried > 0;
}

/* What a corner of the plane has of its gap once its normal and depth along it are known; `rate`: of d in the
 * axes of the channel. At the wall the channel is that much nearer to P_i. */
__attribute__((always_inline)) static inline void
lashi_guide_touch(lashi_gap *out, const lashi_contact *contact, const lashi_frame *i, const lashi_pair *p,
                  lashi_vec2 rate, lashi_vec2 n, double depth) {
    const lashi_vec2 t = lashi_perp(n);
    const double behind = lashi_guide_is_common(contact) ? 0 : depth;
    const double slip = lashi_dot(t, rate) + behind * i->w;
    out->sliding = slip;
    out->n = (lashi_vec3){n.x, n.y, 0};
    out->t = (lashi_vec3){t.x, t.y, 0};
    out->d = (lashi_vec3){p->d.x, p->d.y, 0};
    out->ddot = (lashi_vec3){rate.x, rate.y, 0};
    out->slip = (lashi_vec3){slip * t.x, slip * t.y, 0};
    out->arm[0] = (lashi_vec3){p->S[0].x + p->d.x - behind * n.x, p->S[0].y + p->d.y - behind * n.y, 0};
    out->arm[1] = (lashi_vec3){p->S[1].x, p->S[1].y, 0};
}

#endif
