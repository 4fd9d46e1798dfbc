/* SPDX-License-Identifier: MIT
 *
 * Prismatic joint in space: P_j stays on the axis through P_i and the triads stay as drawn; 5 rows (space.h).
 */
#include "joint/keys.h"
#include "joint/sliding.h"

#include <stddef.h>

void lashi_prismatic_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    lashi_line_rows(out, 5, 0, joint, i, j);
    lashi_parallel_rows(out, 5, 2, joint, i, j);
    lashi_keep_angle_row(out, 5, 4, joint, i, j);
}

void lashi_prismatic_slide3(lashi_slide *out, int place, const lashi_constraint *joint,
                            const lashi_frame *frames) {
    (void)place;
    const lashi_vec3 u = lashi_turn3(frames[joint->body[0]].A, joint->geometry->a[0][2]);
    lashi_loads loads = {0};
    lashi_slide_along(out, 0, &joint->coordinate, 1, frames);
    lashi_load_line(&loads, joint, frames);
    lashi_load_dot(&loads, joint, frames, 0, 2);
    lashi_load_dot(&loads, joint, frames, 1, 2);
    lashi_load_dot(&loads, joint, frames, 0, 1);
    lashi_press_ends(out, &loads, u, joint->rubbing.length);
    lashi_press_along(out, &loads, loads.M, u, 2 / joint->rubbing.width); // on both sides
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_slides slides = {.places = 1, .ways = 1, .unit = "N", .fill = lashi_prismatic_slide3};

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("a point of the guide's axis on each body"),
    LASHI_AXIS_KEY("direction of the guide in the first body's axes; any length"),
    LASHI_SECOND_AXIS_KEY("the same direction in the second body's axes"),
    LASHI_FRICTION_KEY(lashi_guide_rubbing),
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
              .has_axis = true,
              .slides = &slides},
};

#endif
