/* SPDX-License-Identifier: MIT
 *
 * Rack and pinion: the pitch circle (radius r) of a pinion on body j with centre P_j rolls on a line of body
 * i with direction u.
 *
 *   s = u·d, d = P_j − P_i;  Φ = s − s0 + r (θ_j − θ_i)
 * With r > 0 the pinion is on the side perp(u) of the line: when it turns forward (+) it rolls backward along
 * u, as on a floor below it. With r < 0 it is on the other side. Jacobian and γ are those of the travel
 * coordinate (coordinate.c) plus ∓r in the angles. Another joint keeps the centre at its height. −Φqᵀλ is the
 * tooth force along the rack, as a force at the pinion's centre with the moment r λ.
 */
#include "joint/line.h"
#include "joint/sliding.h"

#include <math.h>
#include <stddef.h>

static lashi_coordinate travel(const lashi_constraint *joint) {
    return (lashi_coordinate){.type = LASHI_COORDINATE_TRAVEL,
                              .body = {joint->body[0], joint->body[1]},
                              .s = {joint->s[0], joint->s[1]},
                              .axis = joint->axis};
}

void lashi_rack_rows(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_coordinate coordinate = travel(joint);
    const lashi_coordinate_state s = lashi_coordinate_evaluate(&coordinate, frames);
    const double r = joint->radius[0];
    lashi_set_row(out->J, 1, 0, 0, s.J[0][0], s.J[0][1], s.J[0][2] - r);
    lashi_set_row(out->J, 1, 1, 0, s.J[1][0], s.J[1][1], s.J[1][2] + r);
    out->Phi[0] = s.value - joint->length + r * (j->angle - i->angle - joint->angle);
    out->Phi_dot[0] = s.rate + r * (j->w - i->w);
    out->gamma[0] = -s.bias;
}

/* Across the rack, on the side where the pinion stands; at its centre, and on the rack below it. */
void lashi_rack_apart(double row[LASHI_SLOTS][LASHI_FREEDOMS], const lashi_constraint *joint,
                      const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair p = lashi_pair_evaluate(i, j, joint->s);
    const lashi_vec2 h = lashi_scale(joint->radius[0] > 0 ? 1 : -1, lashi_perp(lashi_turn(i, joint->axis)));
    lashi_apply_at(row[1], p.S[1], h);
    lashi_apply_at(row[0], lashi_add(p.S[0], p.d), lashi_scale(-1, h));
}

/* Loss of the mesh: as of a gear pair, along half the difference of travel and rolled arc. */
void lashi_rack_slide(lashi_slide *out, int place, const lashi_constraint *joint, const lashi_frame *frames) {
    (void)place;
    const lashi_coordinate coordinate = travel(joint);
    const double r = 0.5 * joint->radius[0];
    lashi_slide_along(out, 0, &coordinate, 0.5, frames);
    out->T[0][0][2] += r;
    out->T[0][1][2] -= r;
    out->speed[0] -= r * (frames[joint->body[1]].w - frames[joint->body[0]].w);
    out->travel[0] -= r * (frames[joint->body[1]].angle - frames[joint->body[0]].angle);
    out->ends = 1;
    memset(out->press, 0, sizeof out->press);
    out->press[0][0][0] = 1;
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_slides slides = {.places = 1, .ways = 1, .unit = "N", .fill = lashi_rack_slide};

static lash_status compile(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames,
                           lash_error *error) {
    const lash_status status = lashi_compile_axis(out, def, error);
    if (status)
        return status;
    const lashi_coordinate coordinate = travel(out);
    out->radius[0] = def->radius;
    out->pressure = isnan(def->pressure_angle) ? 0 : tan(def->pressure_angle);
    out->angle = frames[out->body[1]].angle - frames[out->body[0]].angle;
    out->length = lashi_coordinate_evaluate(&coordinate, frames).value;
    return LASH_OK;
}

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("a point of the rack's body, and the centre of the pinion"),
    LASHI_AXIS_KEY("direction of the rack in the first body's axes; any length"),
    {.name = "radius",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_joint_def, radius),
     .unit = "m",
     .range = LASHI_NOT_ZERO,
     .doc = "pitch radius of the pinion; positive: the pinion is to the left of the axis"},
    LASHI_PRESSURE_KEY,
    LASHI_FRICTION_KEY(lashi_mesh_rubbing),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_rack = {
    .schema = {"rack-and-pinion",
               "A pinion rolls on a straight rack; either may be the one that moves. Another joint keeps the "
               "pinion at its height.",
               .keys = keys, .space = LASHI_PLANE_ONLY, .instead = "in space use a screw or a gear"},
    .plane = {.rows = 1,
              .row_names = {"rolling"},
              .compile = compile,
              .apart = lashi_rack_apart,
              .slides = &slides},
};

#endif
