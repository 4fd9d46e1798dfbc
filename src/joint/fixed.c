/* SPDX-License-Identifier: MIT
 *
 * Fixed joint: two bodies as one. The rows of the revolute joint, and
 *   Φ3 = θ_j − θ_i − θ0,  Φq_i = [0, 0, −1],  Φq_j = [0, 0, 1],  γ3 = 0.
 * In space: the points coincide and the triads stay as drawn, 6 rows (space.h).
 */
#include "joint/line.h"
#include "joint/space.h"

#include <stddef.h>

void lashi_fixed_rows(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair p = lashi_pair_evaluate(i, j, joint->s);
    lashi_set_row(out->J, 3, 0, 0, -1, 0, p.S[0].y);
    lashi_set_row(out->J, 3, 0, 1, 0, -1, -p.S[0].x);
    lashi_set_row(out->J, 3, 1, 0, 1, 0, -p.S[1].y);
    lashi_set_row(out->J, 3, 1, 1, 0, 1, p.S[1].x);
    out->Phi[0] = p.d.x;
    out->Phi[1] = p.d.y;
    out->Phi_dot[0] = p.ddot.x;
    out->Phi_dot[1] = p.ddot.y;
    out->gamma[0] = -p.dbias.x;
    out->gamma[1] = -p.dbias.y;
    lashi_angle_row(out, 3, 2, joint, i, j);
}

void lashi_fixed_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, joint->geometry->s);
    lashi_point_rows(out, 6, 0, joint, i, j, &p);
    lashi_parallel_rows(out, 6, 3, joint, i, j);
    lashi_keep_angle_row(out, 6, 5, joint, i, j);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static lash_status compile(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames,
                           lash_error *error) {
    (void)error;
    lashi_compile_angle(out, def, frames);
    return LASH_OK;
}

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("the two points that coincide"),
    {.name = "angle",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_joint_def, angle),
     .unit = "rad",
     .fallback = "(as drawn)",
     .space = LASHI_PLANE_ONLY,
     .instead = "in space the bodies stay as they are drawn",
     .doc = "angle of the second body relative to the first"},
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_fixed = {
    .schema = {"fixed", "A weld: two points coincide and the bodies keep their relative angle.",
               .keys = keys},
    .plane = {.rows = 3, .row_names = {"x", "y", LASHI_ROTATION}, .steady = LASHI_STEADY, .compile = compile},
    .space = {.rows = 6,
              .row_names = {"x", "y", "z", LASHI_ROTATION " 1", LASHI_ROTATION " 2", LASHI_ROTATION " 3"},
              .steady = LASHI_STEADY},
};

#endif
