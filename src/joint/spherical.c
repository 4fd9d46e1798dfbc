/* SPDX-License-Identifier: MIT
 *
 * Spherical joint in space: P_i and P_j coincide, 3 rows (space.h).
 */
#include "joint/keys.h"
#include "joint/space.h"

#include <stddef.h>

void lashi_spherical_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, joint->geometry->s);
    lashi_point_rows(out, 3, 0, joint, i, j, &p);
}

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("the two points that coincide; a joint with play: socket first, ball second"),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_spherical = {
    .schema = {"spherical", "A ball joint: two points coincide, the bodies turn freely about them.",
               .keys = keys, .space = LASHI_SPACE_ONLY},
    .space = {.rows = 3, .row_names = {"x", "y", "z"}, .steady = LASHI_STEADY},
};
