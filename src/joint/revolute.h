/* SPDX-License-Identifier: MIT
 *
 * Rows of a revolute joint in the plane (revolute.c has the derivation), inline: most joints are such, and an
 * evaluation has them without a call.
 */
#ifndef LASHI_REVOLUTE_H
#define LASHI_REVOLUTE_H

#include "joint/joint.h"

/* The columns of the translations, which never change. */
static inline void lashi_revolute_steady(double *J) {
    lashi_set_row(J, 2, 0, 0, -1, 0, 0);
    lashi_set_row(J, 2, 0, 1, 0, -1, 0);
    lashi_set_row(J, 2, 1, 0, 1, 0, 0);
    lashi_set_row(J, 2, 1, 1, 0, 1, 0);
}

/* All the rest, from the pair of its points. */
__attribute__((always_inline)) static inline void
lashi_revolute_turning(const lashi_rows *out, const lashi_constraint *joint, lashi_pair p) {
    double *const i = out->J + 2 * 2, *const j = i + 2 * LASHI_FREEDOMS; // ∂Φ/∂θ
    i[0] = p.S[0].y;
    i[1] = -p.S[0].x;
    j[0] = -p.S[1].y;
    j[1] = p.S[1].x;
    out->Phi[0] = p.d.x - joint->offset.x;
    out->Phi[1] = p.d.y - joint->offset.y;
    out->Phi_dot[0] = p.ddot.x;
    out->Phi_dot[1] = p.ddot.y;
    out->gamma[0] = -p.dbias.x;
    out->gamma[1] = -p.dbias.y;
}

#endif
