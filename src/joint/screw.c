/* SPDX-License-Identifier: MIT
 *
 * Screw joint in space: a cylindrical joint whose travel z and angle θ, counted with its turns, are coupled:
 *   Φ5 = z − (pitch/2π) θ − Φ0,  z = a·d;  5 rows (space.h).
 */
#include "joint/keys.h"
#include "joint/space.h"

#include <stddef.h>

void lashi_screw_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, joint->geometry->s);
    lashi_line_rows(out, 5, 0, joint, i, j);
    lashi_parallel_rows(out, 5, 2, joint, i, j);
    const lashi_axis a = lashi_axis_evaluate(i, joint->geometry->a[0][2]);
    lashi_along_row(out, 5, 4, joint, i, j, &a, &p);
    const lashi_coordinate_state turn = lashi_coordinate_evaluate(&joint->coordinate, frames);
    const double lead = joint->radius[0]; // m/rad
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        for (int k = 0; k < LASHI_FREEDOMS; k++)
            out->J[(slot * LASHI_FREEDOMS + k) * 5 + 4] -= lead * turn.J[slot][k];
    out->Phi[4] -= lead * turn.value + joint->length;
    out->Phi_dot[4] -= lead * turn.rate;
    out->gamma[4] += lead * turn.bias;
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static lash_status compile(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames,
                           lash_error *error) {
    (void)error;
    static const double TWO_PI = 6.283185307179586;
    const lashi_frame *i = &frames[out->body[0]], *j = &frames[out->body[1]];
    out->radius[0] = def->pitch / TWO_PI;
    const lashi_vec3 d = lashi_pair3_evaluate(i, j, out->geometry->s).d;
    out->length = lashi_dot3(lashi_turn3(i->A, out->geometry->a[0][2]), d) -
                  out->radius[0] * lashi_coordinate_evaluate(&out->coordinate, frames).value; // Φ0
    return LASH_OK;
}

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("a point of the axis on each body"),
    LASHI_AXIS_KEY("direction of the axis in the first body's axes; any length"),
    LASHI_SECOND_AXIS_KEY("the same direction in the second body's axes"),
    {.name = "pitch",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_joint_def, pitch),
     .unit = "m",
     .range = LASHI_NOT_ZERO,
     .doc = "travel per turn; negative: a left-hand thread"},
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_screw = {
    .schema = {"screw",
               "A screw in a nut: it turns and moves along its axis by the pitch per turn. Coordinate: the "
               "angle of the second body relative to the first.",
               .keys = keys, .space = LASHI_SPACE_ONLY},
    .space = {.rows = 5,
              .row_names = {"across 1", "across 2", LASHI_ROTATION " 1", LASHI_ROTATION " 2",
                            "along the thread"},
              .steady = LASHI_STEADY_ON_GROUND,
              .coordinate = LASHI_HAS_ANGLE,
              .has_travel = true,
              .has_axis = true,
              .compile = compile},
};

#endif
