/* SPDX-License-Identifier: MIT
 *
 * Teeth of two wheels in the plane (flank.h). Centres P_i, P_j, signed pitch radii r_i, r_j as of the ideal
 * gear (joint/gear.c), d = P_j − P_i, D = |d|, φ its direction, n = d/D, t = perp(n), R = r_i + r_j:
 *     x = ± cos α (r_i (θ_i − φ) + r_j (θ_j − φ) − Φ0),   the sign that of r_i
 *     opening = ± sin α (D − D0),   − where one wheel is an internal ring
 * −∂x/∂q is the tangential force F cos α, at the pitch point of both wheels where D = D0, and R/D of it at the
 * centres always, so that action and reaction have no couple whatever the bearings do; −∂opening/∂q is the
 * radial force F sin α that drives the wheels apart.
 */
#include "contact/flank.h"

#include <stddef.h>
#include <string.h>

static void put(double row[LASHI_FREEDOMS], double x, double y, double angle) {
    row[0] = x, row[1] = y, row[2] = angle;
}

void lashi_flank_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_mesh_numbers *m = &contact->p->mesh;
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_pair p = lashi_pair_evaluate(i, j, contact->p->s);
    const double ri = m->radius[0], rj = m->radius[1], R = ri + rj, D = sqrt(lashi_dot(p.d, p.d));
    const double cosine = ri > 0 ? m->cosine : -m->cosine, sine = ri * rj > 0 ? m->sine : -m->sine;
    const lashi_vec2 n = lashi_scale(1 / D, p.d), t = lashi_perp(n), k = lashi_scale(cosine * R / D, t),
                     h = lashi_scale(sine, n);
    const double phi = atan2(p.d.y, p.d.x);
    lashi_mesh_state s;
    memset(&s, 0, sizeof s);
    s.angle = i->angle - remainder(phi - m->angle, LASHI_TWO_PI);
    s.rate = i->w - lashi_dot(t, p.ddot) / D;
    s.x = cosine * remainder(ri * (i->angle - phi) + rj * (j->angle - phi) - m->zero, LASHI_TWO_PI * R);
    s.xdot = cosine * (ri * i->w + rj * j->w) - lashi_dot(k, p.ddot);
    s.opening = sine * (D - m->distance);
    s.openingdot = lashi_dot(h, p.ddot);
    put(s.row[0], k.x, k.y, cosine * ri + lashi_dot(k, lashi_perp(p.S[0])));
    put(s.row[1], -k.x, -k.y, cosine * rj - lashi_dot(k, lashi_perp(p.S[1])));
    put(s.opening_row[0], -h.x, -h.y, -lashi_dot(h, lashi_perp(p.S[0])));
    put(s.opening_row[1], h.x, h.y, lashi_dot(h, lashi_perp(p.S[1])));
    lashi_flank_fill(out, contact, frames, &s);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static lash_status expand(lashi_expansion *out, lash_error *error) {
    const lash_status status = lashi_flank_expand(out, LASHI_CONTACT_flank, error);
    const lashi_vec2 d = lashi_pair_evaluate(&out->frames[out->closed->body[0]],
                                             &out->frames[out->closed->body[1]], out->closed->s)
                             .d;
    for (int k = 0; k < out->count; k++) {
        out->contacts[k].p->mesh.distance = sqrt(lashi_dot(d, d));
        out->contacts[k].p->mesh.angle = atan2(d.y, d.x);
    }
    return status;
}

static const char *const joints[] = {"gear", NULL};
static const lashi_play play = {
    .key = LASHI_BACKLASH_KEY(LASHI_PLANE_ONLY),
    .joints = joints,
    .most = 2,
    .check = lashi_flank_check,
    .expand = expand,
    .channels = lashi_flank_channels,
    .value = lashi_flank_value,
    .draw = lashi_flank_draw,
};

const lashi_contact_kind lashi_contact_flank = {
    .name = "flank of a gear",
    .play = &play,
    .acts = LASHI_ACTS_ON_ROWS,
    .piece = lashi_flank_piece,
    .bristles = 1,
    .deepest = "a tenth of the machine's size",
};

#endif
