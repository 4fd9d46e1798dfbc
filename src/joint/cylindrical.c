/* SPDX-License-Identifier: MIT
 *
 * Cylindrical joint in space: P_j stays on the axis through P_i, the axes stay parallel; 4 rows (space.h).
 */
#include "joint/keys.h"
#include "joint/sliding.h"

#include <stddef.h>

void lashi_cylindrical_rows3(const lashi_rows *out, const lashi_constraint *joint,
                             const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    lashi_line_rows(out, 4, 0, joint, i, j);
    lashi_parallel_rows(out, 4, 2, joint, i, j);
}

/* It turns and slides: friction acts against both together. */
void lashi_cylindrical_slide3(lashi_slide *out, int place, const lashi_constraint *joint,
                              const lashi_frame *frames) {
    (void)place;
    const lashi_vec3 u = lashi_turn3(frames[joint->body[0]].A, joint->geometry->a[0][2]);
    lashi_loads loads = {0};
    lashi_coordinate travel = joint->coordinate;
    travel.type = LASHI_COORDINATE_TRAVEL;
    lashi_slide_along(out, 0, &joint->coordinate, joint->rubbing.radius, frames);
    lashi_slide_along(out, 1, &travel, 1, frames);
    lashi_load_line(&loads, joint, frames);
    lashi_load_dot(&loads, joint, frames, 0, 2);
    lashi_load_dot(&loads, joint, frames, 1, 2);
    lashi_press_ends(out, &loads, u, joint->rubbing.length);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_slides slides = {
    .places = 1, .ways = 2, .round = true, .unit = "N", .fill = lashi_cylindrical_slide3};

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("a point of the axis on each body"),
    LASHI_AXIS_KEY("direction of the axis in the first body's axes; any length"),
    LASHI_SECOND_AXIS_KEY("the same direction in the second body's axes"),
    LASHI_FRICTION_KEY(lashi_sleeve_rubbing),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_cylindrical = {
    .schema = {"cylindrical",
               "A shaft in a sleeve: it turns and slides along its axis. Coordinate: the angle of the second "
               "body relative to the first.",
               .keys = keys, .space = LASHI_SPACE_ONLY},
    .space = {.rows = 4,
              .row_names = {"across 1", "across 2", LASHI_ROTATION " 1", LASHI_ROTATION " 2"},
              .steady = LASHI_STEADY_ON_GROUND,
              .coordinate = LASHI_HAS_ANGLE,
              .has_travel = true,
              .has_axis = true,
              .slides = &slides},
};

#endif
