/* SPDX-License-Identifier: MIT
 *
 * Planar joint in space: P_j stays in the plane through P_i normal to the axis, and this axis stays parallel
 * to that of the second body; 3 rows (space.h).
 */
#include "joint/keys.h"
#include "joint/space.h"

#include <stddef.h>

void lashi_planar_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, joint->geometry->s);
    const lashi_axis a = lashi_axis_evaluate(i, joint->geometry->a[0][2]);
    lashi_along_row(out, 3, 0, joint, i, j, &a, &p);
    lashi_parallel_rows(out, 3, 1, joint, i, j);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("a point of the plane on each body"),
    LASHI_AXIS_KEY("normal of the plane in the first body's axes; any length"),
    LASHI_SECOND_AXIS_KEY("the same direction in the second body's axes"),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_planar = {
    .schema = {"planar", "A plane on a plane: the second body slides and turns in a plane of the first.",
               .keys = keys, .space = LASHI_SPACE_ONLY},
    .space = {.rows = 3,
              .row_names = {"across the plane", LASHI_ROTATION " 1", LASHI_ROTATION " 2"},
              .steady = LASHI_STEADY_ON_GROUND,
              .has_axis = true},
};

#endif
