/* SPDX-License-Identifier: MIT
 *
 * Fixed joint: two bodies as one. The rows of the revolute joint, and
 *   Φ3 = θ_j − θ_i − θ0,  Φq_i = [0, 0, −1],  Φq_j = [0, 0, 1],  γ3 = 0.
 */
#include "joint/line.h"

#include <stddef.h>

void lashi_fixed_rows(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair p = lashi_pair_evaluate(i, j, joint->s);
    const double Ji[9] = {-1, 0, p.S[0].y, 0, -1, -p.S[0].x, 0, 0, -1};
    const double Jj[9] = {1, 0, -p.S[1].y, 0, 1, p.S[1].x, 0, 0, 1};
    for (int k = 0; k < 9; k++) {
        out->J[k] = Ji[k];
        out->J[9 + k] = Jj[k];
    }
    out->Phi[0] = p.d.x;
    out->Phi[1] = p.d.y;
    out->Phi[2] = j->angle - i->angle - joint->angle;
    out->Phi_t[0] = out->Phi_t[1] = out->Phi_t[2] = 0;
    out->gamma[0] = -p.dbias.x;
    out->gamma[1] = -p.dbias.y;
    out->gamma[2] = 0;
}

static lash_status compile(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames,
                           lash_error *error) {
    (void)error;
    lashi_compile_angle(out, def, frames);
    return LASH_OK;
}

static const lashi_key keys[] = {
    {.name = "between",
     .type = LASHI_POINT_PAIR,
     .offset = offsetof(lash_joint_def, between),
     .doc = "the two points that coincide"},
    LASHI_ANGLE_KEY,
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_fixed = {
    .schema = {"fixed", "A weld: two points coincide and the bodies keep their relative angle.", keys},
    .rows = 3,
    .compile = compile,
};
