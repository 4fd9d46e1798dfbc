/* SPDX-License-Identifier: MIT
 *
 * Translational joint: P_j stays on a line through P_i along an axis u fixed in body i, and the bodies keep
 * their relative angle.
 *
 * With h = perp(u) and d = P_j − P_i in ground axes (u, h turn with body i: ḣ = −ω_i u, u̇ = ω_i h):
 *   Φ1 = h·d                         Φ2 = θ_j − θ_i − θ0
 *   Φ̇1 = h·ḋ − ω_i u·d
 *   Φq_i = [−h, −h·perp(S_i) − u·d]  Φq_j = [h, h·perp(S_j)]
 *   γ1 = −h·(ω_i² S_i − ω_j² S_j) + 2 ω_i u·ḋ + ω_i² h·d
 * The first row alone is the pin in a slot (point_on_line.c).
 */
#include "joint/line.h"
#include "joint/sliding.h"

#include <stddef.h>

void lashi_translational_rows(const lashi_rows *out, const lashi_constraint *joint,
                              const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    lashi_line_row(out, 2, joint, i, j);
    lashi_angle_row(out, 2, 1, joint, i, j);
}

void lashi_translational_slide(lashi_slide *out, int place, const lashi_constraint *joint,
                               const lashi_frame *frames) {
    (void)place;
    const lashi_coordinate travel = {.type = LASHI_COORDINATE_TRAVEL,
                                     .body = {joint->body[0], joint->body[1]},
                                     .s = {joint->s[0], joint->s[1]},
                                     .axis = joint->axis};
    lashi_slide_along(out, 0, &travel, 1, frames);
    out->ends = 2;
    memset(out->press, 0, sizeof out->press);
    for (int end = 0; end < 2; end++) {
        out->press[end][0][0] = 0.5;
        out->press[end][0][1] = (end ? -1 : 1) / joint->rubbing.length;
    }
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static lash_status compile(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames,
                           lash_error *error) {
    lashi_compile_angle(out, def, frames);
    return lashi_compile_axis(out, def, error);
}

static const lashi_slides slides = {.places = 1, .ways = 1, .unit = "N", .fill = lashi_translational_slide};

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("a point of the guiding body and a point of the sliding body"),
    LASHI_AXIS_KEY("direction of the guide in the first body's axes; any length"),
    LASHI_ANGLE_KEY,
    LASHI_FRICTION_KEY(lashi_guide_rubbing),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_translational = {
    .schema = {"translational",
               "A slider in a straight guide, without rotation. Coordinate: travel of the second point along "
               "the axis from the first.",
               .keys = keys, .space = LASHI_PLANE_ONLY, .instead = "in space use prismatic"},
    .plane = {.rows = 2,
              .row_names = {"across the guide", LASHI_ROTATION},
              .steady = LASHI_STEADY_ON_GROUND,
              .coordinate = LASHI_HAS_TRAVEL,
              .compile = compile,
              .slides = &slides},
};

#endif
