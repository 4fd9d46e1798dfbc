/* SPDX-License-Identifier: MIT
 *
 * A corner of a block in a channel whose faces are worn or wear, in the plane (docs/contacts.md, guides;
 * docs/wear.md).
 *
 * As corner.c, but the face lies at w + h(x) from the middle, x = u·d along the channel, h its profile
 * (worn.h), and the corner has receded by a. With v = σ perp(u) the depth and its slope by the place of the
 * corner in the channel are
 *   δ = v·d − w − h(x) − a,     ∂δ/∂d = v − h′ u = s n,     s = √(1 + h′²).
 * The law's force acts along that slope: F_N = F(δ) s along the unit normal n, and the faces close along it at
 * w = n·(ḋ − ω_i perp(d)), so that δ̇ = s w, and the power F_N w is that of the law, F δ̇: a force with a
 * potential. δ is the distance across the channel, which is that to the face to first order in h′.
 *
 * Wear. The channel's share of what is worn off goes to the splines around x. The block's: two corners stand
 * for a face that lies on the wall, so each stands for the half of it that is on its side. A face that loses
 * material stays straight between its ends, and these recede by a₁ and a₂: b ℓ (a₁ + a₂)/2 is its volume, b the
 * width and ℓ the length. So a corner that loses V recedes by a = V/(b ℓ/2). It recedes across the channel, to
 * first order in the block's tilt, which is p/ℓ at most. That the ends of a real block wear round is not in it.
 */
#include <math.h>
#include <stddef.h>

#include "contact/channel.h"
#include "contact/guide.h"
#include "contact/wear.h"

LASHI_APART void lashi_worn_corner_gap(lashi_gap *out, const lashi_contact *contact,
                                       const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_pair p = lashi_pair_evaluate(i, j, contact->p->s);
    const lashi_vec2 u = lashi_turn(i, (lashi_vec2){contact->p->axis.x, contact->p->axis.y});
    const lashi_vec2 v = lashi_scale(contact->p->sign, lashi_perp(u));
    const lashi_vec2 turn = lashi_perp(p.d), rate = {p.ddot.x - i->w * turn.x, p.ddot.y - i->w * turn.y};
    const lashi_surface_jet h = lashi_channel_at(contact, lashi_dot(u, p.d));
    const double share = sqrt(1 + h.dh * h.dh);
    const lashi_vec2 n = lashi_scale(1 / share, lashi_sub(v, lashi_scale(h.dh, u)));
    out->e = 0;
    out->delta = lashi_dot(v, p.d) - contact->p->wall - h.h - lashi_channel_receded(contact);
    out->share = share;
    out->closing = lashi_dot(n, rate);
    out->deltadot = share * out->closing;
    out->turning = lashi_channel_steepest(contact) * sqrt(lashi_dot(rate, rate));
    lashi_guide_touch(out, contact, i, &p, rate, n, out->delta / share);
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        out->centre[slot] = out->arm[slot];
}

#ifndef LASHI_KERNEL // a compiled model needs no more

/* Where the corner is along the channel, m. */
static double along(const lashi_contact *contact, const lashi_frame *frames, const lashi_gap *gap) {
    const lashi_vec2 u =
        lashi_turn(&frames[contact->body[0]], (lashi_vec2){contact->p->axis.x, contact->p->axis.y});
    return u.x * gap->d.x + u.y * gap->d.y;
}

static lash_status wearing(lashi_wear_motion *out, const lashi_contact *contact, const lashi_frame *frames,
                           const lashi_gap *gap, lash_error *error) {
    return lashi_channel_wearing(out, contact, along(contact, frames, gap), gap->sliding, gap, error);
}

static void wear(double *shares, const lashi_contact *contact, const lashi_frame *frames,
                 const lashi_gap *gap, double work) {
    lashi_channel_wear(shares, contact, along(contact, frames, gap), work);
}

const lashi_contact_kind lashi_contact_worn_corner = {
    .name = "corner of a block in a worn channel",
    .acts = LASHI_ACTS_IN_PLANE,
    .bristles = 1,
    .deepest = "a tenth of the block's height",
    .wearing = wearing,
    .wear = wear,
};

#endif
