/* SPDX-License-Identifier: MIT
 *
 * What joints in the plane share that keep a point on a line: the row Φ = h·d of translational.c.
 */
#ifndef LASHI_LINE_H
#define LASHI_LINE_H

#include "base/error.h"
#include "joint/joint.h"
#include "joint/keys.h"

/* Row 0 of out, which has `rows` rows: P_j on the line through P_i along the joint's axis; derived in
 * translational.c. */
static inline void lashi_line_row(const lashi_rows *out, int rows, const lashi_constraint *joint,
                                  const lashi_frame *i, const lashi_frame *j) {
    const lashi_pair p = lashi_pair_evaluate(i, j, joint->s);
    const lashi_vec2 u = lashi_turn(i, joint->axis), h = lashi_perp(u);
    const double along = lashi_dot(u, p.d), across = lashi_dot(h, p.d);
    lashi_set_row(out->J, rows, 0, 0, -h.x, -h.y, -lashi_dot(h, lashi_perp(p.S[0])) - along);
    lashi_set_row(out->J, rows, 1, 0, h.x, h.y, lashi_dot(h, lashi_perp(p.S[1])));
    out->Phi[0] = across;
    out->Phi_dot[0] = lashi_dot(h, p.ddot) - i->w * along;
    out->gamma[0] = -lashi_dot(h, p.dbias) + 2 * i->w * lashi_dot(u, p.ddot) + i->w * i->w * across;
}

/* Row `row` of out: the bodies keep their relative angle. */
static inline void lashi_angle_row(const lashi_rows *out, int rows, int row, const lashi_constraint *joint,
                                   const lashi_frame *i, const lashi_frame *j) {
    lashi_set_row(out->J, rows, 0, row, 0, 0, -1);
    lashi_set_row(out->J, rows, 1, row, 0, 0, 1);
    out->Phi[row] = j->angle - i->angle - joint->angle;
    out->Phi_dot[row] = j->w - i->w;
    out->gamma[row] = 0;
}

/* The axis made a unit vector; an error when it is zero. */
lash_status lashi_compile_axis(lashi_constraint *out, const lash_joint_def *def, lash_error *error);
/* The relative angle to keep: as given, or as drawn. */
void lashi_compile_angle(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames);

#endif
