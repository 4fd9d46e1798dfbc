/* SPDX-License-Identifier: MIT
 *
 * Point in a plane in space: P_j stays in the plane through P_i normal to an axis of body i. One row, Φ = a·d
 * (space.h). It also holds a pin that has play across its axis but not along it.
 */
#include "joint/keys.h"
#include "joint/space.h"

#include <stddef.h>

void lashi_point_in_plane_rows3(const lashi_rows *out, const lashi_constraint *joint,
                                const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, joint->geometry->s);
    const lashi_axis a = lashi_axis_evaluate(i, joint->geometry->a[0][2]);
    lashi_along_row(out, 1, 0, joint, i, j, &a, &p);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("a point of the plane, and the point that stays in it"),
    LASHI_AXIS_KEY("normal of the plane in the first body's axes; any length"),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_point_in_plane = {
    .schema = {"point-in-plane", "A point of the second body stays in a plane of the first.", .keys = keys,
               .space = LASHI_SPACE_ONLY},
    .space = {.rows = 1,
              .row_names = {"across the plane"},
              .steady = LASHI_STEADY_ON_GROUND,
              .has_axis = true},
};

#endif
