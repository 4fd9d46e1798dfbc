/* SPDX-License-Identifier: MIT
 *
 * Prismatic joint in space: P_j stays on the axis through P_i and the triads stay as drawn; 5 rows (space.h).
 */
#include "joint/keys.h"
#include "joint/space.h"

#include <stddef.h>

void lashi_prismatic_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    lashi_line_rows(out, 5, 0, joint, i, j);
    lashi_parallel_rows(out, 5, 2, joint, i, j);
    lashi_keep_angle_row(out, 5, 4, joint, i, j);
}

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("a point of the guide's axis on each body"),
    LASHI_AXIS_KEY("direction of the guide in the first body's axes; any length"),
    LASHI_SECOND_AXIS_KEY("the same direction in the second body's axes"),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_prismatic = {
    .schema = {"prismatic",
               "A guide in space: the second body slides along an axis of the first and does not turn. "
               "Coordinate: travel of the second point along the axis from the first.",
               .keys = keys, .space = LASHI_SPACE_ONLY},
    .space = {.rows = 5,
              .row_names = {"across 1", "across 2", LASHI_ROTATION " 1", LASHI_ROTATION " 2",
                            LASHI_ROTATION " 3"},
              .steady = LASHI_STEADY_ON_GROUND,
              .coordinate = LASHI_HAS_TRAVEL,
              .has_axis = true},
};
