/* SPDX-License-Identifier: MIT
 *
 * Universal joint in space: P_i and P_j coincide, and a·b = 0 for the two axes of the cross; 4 rows
 * (space.h).
 */
#include "joint/keys.h"
#include "joint/sliding.h"

#include <stddef.h>

void lashi_universal_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, joint->geometry->s);
    const lashi_beside b = lashi_axis_beside(i, j, joint->geometry->a[1][2]);
    lashi_point_rows(out, 4, 0, joint, i, j, &p);
    lashi_dot_row(out, 4, 3, i, j, joint->geometry->a[0][2], &b);
}

/* Two pins: the cross in the first body, and in the second. */
void lashi_universal_slide3(lashi_slide *out, int place, const lashi_constraint *joint,
                            const lashi_frame *frames) {
    const lashi_frame *on = &frames[joint->body[place]];
    const lashi_vec3 axis = joint->geometry->a[place][2], u = lashi_turn3(on->A, axis);
    lashi_loads loads = {0};
    lashi_slide_about(out, 0, joint, frames, on, axis);
    lashi_load_points(&loads);
    lashi_load_dot(&loads, joint, frames, 2, 2);
    lashi_press_ends(out, &loads, u, joint->rubbing.length);
    lashi_press_along(out, &loads, loads.F, u, 1);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const char *const parts[] = {"first", "second"};
static const lashi_slides slides = {
    .places = 2, .ways = 1, .part = parts, .round = true, .unit = "N m", .fill = lashi_universal_slide3};

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("the centre of the cross on each body"),
    LASHI_AXIS_KEY("axis of the cross in the first body's axes; any length"),
    LASHI_CROSS_AXIS_KEY("axis of the cross in the second body's axes, across the other"),
    LASHI_FRICTION_KEY(lashi_cross_rubbing),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_universal = {
    .schema = {"universal",
               "A Hooke's joint: two points coincide, and the axis of the cross on the first body stays "
               "across that on the second.",
               .keys = keys, .space = LASHI_SPACE_ONLY},
    .space = {.rows = 4,
              .row_names = {"x", "y", "z", LASHI_ROTATION},
              .steady = LASHI_STEADY,
              .has_axis = true,
              .slides = &slides},
};

#endif
