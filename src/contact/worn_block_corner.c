/* SPDX-License-Identifier: MIT
 *
 * A corner of a rectangular block against one wall of a channel whose walls are worn or wear, in space
 * (docs/contacts.md, guides; docs/wear.md).
 *
 * block_corner.c has the corner and its wall, worn_corner.c what a worn face does; v and u are directions of the
 * channel in space here. A wall is worn along the two lines on which corners pass, each of which stands for half
 * of its width: so the corners above and below on one side of the block are a guide of the plane, half as wide,
 * and there are four of them. With h″ the curvature of the face, the normal turns at
 *   ṅ = ω_i × n − h″ ẋ u/s,     s = √(1 + h′²),     and along n itself, which does not matter.
 */
#include <math.h>
#include <stddef.h>

#include "contact/channel.h"
#include "contact/guide.h"
#include "contact/wear.h"

LASHI_APART void lashi_worn_block_corner_gap(lashi_gap *out, const lashi_contact *contact,
                                             const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_vec3 none = {0, 0, 0};
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, contact->p->s3);
    const lashi_vec3 u = lashi_turn3(i->A, contact->p->axis),
                     v = lashi_scale3(contact->p->sign, lashi_turn3(i->A, contact->p->across));
    const lashi_surface_jet h = lashi_channel_at(contact, lashi_dot3(u, p.d));
    const double share = sqrt(1 + h.dh * h.dh);
    const lashi_vec3 rate = lashi_sub3(p.ddot, lashi_cross3(i->spin, p.d));
    out->e = 0;
    out->n = lashi_scale3(1 / share, lashi_axpy3(v, -h.dh, u));
    out->delta = lashi_dot3(v, p.d) - contact->p->wall - h.h - lashi_channel_receded(contact);
    out->share = share;
    out->closing = lashi_dot3(out->n, rate);
    out->deltadot = share * out->closing;
    out->turning = lashi_channel_steepest(contact) * lashi_length3(rate);
    out->d = p.d;
    out->ddot = rate;
    out->ndot = lashi_axpy3(lashi_cross3(i->spin, out->n), -h.ddh * lashi_dot3(u, rate) / share, u);
    const double behind = lashi_guide_is_common(contact) ? 0 : out->delta / share;
    out->arm[0] = lashi_axpy3(lashi_add3(p.S[0], p.d), -behind, out->n);
    out->arm[1] = p.S[1];
    const lashi_vec3 slip =
        lashi_sub3(lashi_velocity_at3(j, out->arm[1]), lashi_velocity_at3(i, out->arm[0]));
    out->slip = lashi_axpy3(slip, -lashi_dot3(out->n, slip), out->n);
    out->sliding = lashi_length3(out->slip);
    out->t = out->sliding > 0 ? lashi_scale3(1 / out->sliding, out->slip) : none;
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        out->centre[slot] = out->arm[slot];
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static lash_status wearing(lashi_wear_motion *out, const lashi_contact *contact, const lashi_frame *frames,
                           const lashi_gap *gap, lash_error *error) {
    const lashi_vec3 u = lashi_turn3(frames[contact->body[0]].A, contact->p->axis);
    return lashi_channel_wearing(out, contact, lashi_dot3(u, gap->d), lashi_dot3(u, gap->slip), gap, error);
}

static void wear(double *shares, const lashi_contact *contact, const lashi_frame *frames,
                 const lashi_gap *gap, double work) {
    const lashi_vec3 u = lashi_turn3(frames[contact->body[0]].A, contact->p->axis);
    lashi_channel_wear(shares, contact, lashi_dot3(u, gap->d), work);
}

const lashi_contact_kind lashi_contact_worn_block_corner = {
    .name = "corner of a block in a worn channel in space",
    .acts = LASHI_ACTS_IN_SPACE,
    .bristles = 3,
    .deepest = "a tenth of the block's height",
    .wearing = wearing,
    .wear = wear,
};

#endif
