/* SPDX-License-Identifier: MIT
 *
 * Revolute joint: point P_i of body i and P_j of body j coincide.
 *
 *   Φ = d − offset,  d = r_j + S_j − r_i − S_i          (2 rows, m)
 *   Φq_i = [−I, −perp(S_i)],  Φq_j = [I, perp(S_j)]
 *   γ  = ω_j² S_j − ω_i² S_i
 * The offset is zero except while a joint with play is assembled from a given start.
 * In space: the points coincide and the axes are parallel, 5 rows (space.h).
 */
#include "joint/keys.h"
#include "joint/revolute.h"
#include "joint/sliding.h"

#include <stddef.h>

void lashi_revolute_rows(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    lashi_revolute_steady(out->J);
    lashi_revolute_turning(out, joint,
                           lashi_pair_evaluate(&frames[joint->body[0]], &frames[joint->body[1]], joint->s));
}

void lashi_revolute_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    lashi_pin_rows3(out, joint, frames);
}

void lashi_revolute_slide(lashi_slide *out, int place, const lashi_constraint *joint,
                          const lashi_frame *frames) {
    (void)place;
    const lashi_coordinate angle = {.type = LASHI_COORDINATE_ANGLE, .body = {joint->body[0], joint->body[1]}};
    lashi_slide_along(out, 0, &angle, joint->rubbing.radius, frames);
    out->ends = 1;
    memset(out->press, 0, sizeof out->press);
    out->press[0][0][0] = out->press[0][1][1] = 1;
}

void lashi_revolute_slide3(lashi_slide *out, int place, const lashi_constraint *joint,
                           const lashi_frame *frames) {
    (void)place;
    const lashi_vec3 u = lashi_turn3(frames[joint->body[0]].A, joint->geometry->a[0][2]);
    lashi_loads loads = {0};
    lashi_slide_along(out, 0, &joint->coordinate, joint->rubbing.radius, frames);
    lashi_load_points(&loads);
    lashi_load_dot(&loads, joint, frames, 0, 2);
    lashi_load_dot(&loads, joint, frames, 1, 2);
    lashi_press_ends(out, &loads, u, joint->rubbing.length);
    lashi_press_along(out, &loads, loads.F, u, 1);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_slides slides = {
    .places = 1, .ways = 1, .round = true, .unit = "N m", .fill = lashi_revolute_slide};

static const lashi_slides slides3 = {
    .places = 1, .ways = 1, .round = true, .unit = "N m", .fill = lashi_revolute_slide3};

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("the two points that coincide; a joint with play: bearing first, journal second"),
    {.name = "axis",
     .type = LASHI_VECTOR,
     .offset = offsetof(lash_joint_def, axis),
     .unit = "",
     .range = LASHI_NOT_ZERO,
     .space = LASHI_SPACE_ONLY,
     .doc = "direction of the pin in the first body's axes; any length"},
    LASHI_SECOND_AXIS_KEY("the same direction in the second body's axes"),
    LASHI_FRICTION_KEY(lashi_pin_rubbing),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_revolute = {
    .schema = {"revolute",
               "A pin: two points coincide, the bodies turn freely. Coordinate: the angle of the second body "
               "relative to the first.",
               .keys = keys},
    .plane = {.rows = 2,
              .row_names = {"x", "y"},
              .steady = LASHI_STEADY,
              .coordinate = LASHI_HAS_ANGLE,
              .slides = &slides},
    .space = {.rows = 5,
              .row_names = {"x", "y", "z", LASHI_ROTATION " 1", LASHI_ROTATION " 2"},
              .steady = LASHI_STEADY,
              .coordinate = LASHI_HAS_ANGLE,
              .has_axis = true,
              .slides = &slides3},
};

#endif
