/* SPDX-License-Identifier: MIT
 *
 * Spherical joint in space: P_i and P_j coincide, 3 rows (space.h).
 */
#include "joint/keys.h"
#include "joint/sliding.h"

#include <stddef.h>

void lashi_spherical_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    lashi_ball_rows3(out, joint, frames);
}

void lashi_spherical_slide3(lashi_slide *out, int place, const lashi_constraint *joint,
                            const lashi_frame *frames) {
    (void)place;
    for (int k = 0; k < 3; k++)
        lashi_slide_about(out, k, joint, frames, &frames[joint->body[0]], joint->geometry->a[0][k]);
    out->ends = 1;
    lashi_press_set(out, 0, 0, (lashi_vec3){1, 0, 0});
    lashi_press_set(out, 0, 1, (lashi_vec3){0, 1, 0});
    lashi_press_set(out, 0, 2, (lashi_vec3){0, 0, 1});
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_slides slides = {
    .places = 1, .ways = 3, .round = true, .unit = "N m", .fill = lashi_spherical_slide3};

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("the two points that coincide; a joint with play: socket first, ball second"),
    LASHI_FRICTION_KEY(lashi_ball_rubbing),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_spherical = {
    .schema = {"spherical", "A ball joint: two points coincide, the bodies turn freely about them.",
               .keys = keys, .space = LASHI_SPACE_ONLY},
    .space = {.rows = 3, .row_names = {"x", "y", "z"}, .steady = LASHI_STEADY, .slides = &slides},
};

#endif
