/* SPDX-License-Identifier: MIT
 *
 * Teeth of a pinion on a rack, in the plane (flank.h): as the ideal pair (joint/rack.c), with u the rack's
 * direction, h = perp(u), d from P_i of the rack to the pinion's centre P_j and r its pitch radius, signed by
 * the side on which it stands,
 *     x = cos α (u·d − s0 + r (θ_j − θ_i − θ0)),   opening = ± sin α (h·d − h0), the sign that of r
 */
#include "contact/flank.h"

#include <stddef.h>
#include <string.h>

static lashi_coordinate pinion_travel(const lashi_contact *contact) {
    return (lashi_coordinate){.type = LASHI_COORDINATE_TRAVEL,
                              .body = {contact->body[0], contact->body[1]},
                              .s = {contact->p->s[0], contact->p->s[1]},
                              .axis = {contact->p->axis.x, contact->p->axis.y}};
}

static double height(lashi_mesh_state *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_pair p = lashi_pair_evaluate(i, j, contact->p->s);
    const lashi_vec2 u = lashi_turn(i, (lashi_vec2){contact->p->axis.x, contact->p->axis.y}),
                     h = lashi_perp(u);
    const double part = contact->p->mesh.radius[0] > 0 ? contact->p->mesh.sine : -contact->p->mesh.sine;
    const double rows[2][3] = {{-h.x, -h.y, -lashi_dot(h, lashi_perp(p.S[0])) - lashi_dot(u, p.d)},
                               {h.x, h.y, lashi_dot(h, lashi_perp(p.S[1]))}};
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        for (int k = 0; k < LASHI_PLANE; k++)
            out->opening_row[slot][k] = part * rows[slot][k];
    out->openingdot = part * (lashi_dot(h, p.ddot) - i->w * lashi_dot(u, p.d));
    out->opening = part * (lashi_dot(h, p.d) - contact->p->mesh.distance);
    return lashi_dot(h, p.d);
}

void lashi_rack_flank_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_mesh_numbers *m = &contact->p->mesh;
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_coordinate coordinate = pinion_travel(contact);
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&coordinate, frames);
    const double r = m->radius[0];
    lashi_mesh_state s;
    memset(&s, 0, sizeof s);
    height(&s, contact, frames);
    s.angle = j->angle - i->angle;
    s.rate = j->w - i->w;
    s.x = m->cosine * (c.value - m->zero + r * (s.angle - m->angle));
    s.xdot = m->cosine * (c.rate + r * s.rate);
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        for (int k = 0; k < LASHI_PLANE; k++)
            s.row[slot][k] = m->cosine * (c.J[slot][k] + (k == 2 ? (slot ? r : -r) : 0));
    lashi_flank_fill(out, contact, frames, &s);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static lash_status expand(lashi_expansion *out, lash_error *error) {
    const lash_status status = lashi_flank_expand(out, LASHI_CONTACT_rack_flank, error);
    lashi_mesh_state unused;
    for (int k = 0; k < out->count; k++)
        out->contacts[k].p->mesh.distance = height(&unused, &out->contacts[k], out->frames);
    return status;
}

static const char *const joints[] = {"rack-and-pinion", NULL};
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

const lashi_contact_kind lashi_contact_rack_flank = {
    .name = "flank of a rack",
    .play = &play,
    .acts = LASHI_ACTS_ON_ROWS,
    .piece = lashi_flank_piece,
    .bristles = 1,
    .deepest = "a tenth of the machine's size",
};

#endif
