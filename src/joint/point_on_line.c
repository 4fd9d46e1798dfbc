/* SPDX-License-Identifier: MIT
 *
 * Pin in a slot: P_j stays on the line through P_i along an axis fixed in body i; it may slide and turn.
 * One row, Φ = h·d: derived in translational.c; two of them in space.
 */
#include "joint/line.h"
#include "joint/space.h"

#include <stddef.h>

void lashi_point_on_line_rows(const lashi_rows *out, const lashi_constraint *joint,
                              const lashi_frame *frames) {
    lashi_line_row(out, 1, joint, &frames[joint->body[0]], &frames[joint->body[1]]);
}

void lashi_point_on_line_rows3(const lashi_rows *out, const lashi_constraint *joint,
                               const lashi_frame *frames) {
    lashi_line_rows(out, 2, 0, joint, &frames[joint->body[0]], &frames[joint->body[1]]);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static lash_status compile(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames,
                           lash_error *error) {
    (void)frames;
    return lashi_compile_axis(out, def, error);
}

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("a point of the slotted body on the slot's middle line, and the pin"),
    LASHI_AXIS_KEY("direction of the slot in the first body's axes; any length"),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_point_on_line = {
    .schema =
        {"point-on-line",
         "A pin in a straight slot: it slides and turns. Coordinate: travel of the second point along the "
         "axis from the first.",
         .keys = keys},
    .plane = {.rows = 1,
              .row_names = {"across the slot"},
              .steady = LASHI_STEADY_ON_GROUND,
              .coordinate = LASHI_HAS_TRAVEL,
              .compile = compile},
    .space = {.rows = 2,
              .row_names = {"across the slot 1", "across the slot 2"},
              .steady = LASHI_STEADY_ON_GROUND,
              .coordinate = LASHI_HAS_TRAVEL,
              .has_axis = true},
};

#endif
