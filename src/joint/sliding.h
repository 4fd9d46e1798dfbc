/* SPDX-License-Identifier: MIT
 *
 * What slides in ideal joints: parts that the files of the joints combine (docs/contacts.md, friction of
 * ideal joints).
 *
 * F and M are force and moment on the second body at its point, as the multipliers give them:
 *   points   F = −λ           along   F = −λ a           dot of a and b   M = λ a × b
 * A pin about u of length ℓ carries F/2 ± u × M/ℓ at its two ends, without the part along u, and F·u at its
 * collar. A load that is linear in λ is written by columns: load[component][row].
 */
#ifndef LASHI_SLIDING_H
#define LASHI_SLIDING_H

#include <string.h>

#include "joint/space.h"

/* A coordinate of the joint as way k, `radius` m per unit of it. */
static inline void lashi_slide_along(lashi_slide *out, int k, const lashi_coordinate *coordinate,
                                     double radius, const lashi_frame *frames) {
    const lashi_coordinate_state c = lashi_coordinate_evaluate(coordinate, frames);
    memset(out->T[k], 0, sizeof out->T[k]);
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            out->T[k][slot][i] = radius * c.J[slot][i];
    out->speed[k] = radius * c.rate;
    out->bias[k] = radius * c.bias;
    out->travel[k] = radius * c.value;
    out->held = true;
}

/* Turning about `axis`, fixed in the body `on`, as way k. */
static inline void lashi_slide_about(lashi_slide *out, int k, const lashi_constraint *joint,
                                     const lashi_frame *frames, const lashi_frame *on, lashi_vec3 axis) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_axis a = lashi_axis_evaluate(on, axis);
    const double radius = joint->rubbing.radius;
    const lashi_vec3 none = {0, 0, 0}, spin = lashi_sub3(j->spin, i->spin), arm = lashi_scale3(radius, a.u);
    memset(out->T[k], 0, sizeof out->T[k]);
    lashi_set_row3(out->T[k][0], 1, 0, 0, i, none, lashi_scale3(-1, arm));
    lashi_set_row3(out->T[k][1], 1, 0, 0, j, none, arm);
    out->speed[k] = lashi_dot3(arm, spin);
    out->bias[k] = radius * lashi_dot3(a.rate, spin);
    out->travel[k] = 0;
    out->held = false;
}

/* Force and moment per unit of λ for each row of a joint in space. */
typedef struct lashi_loads {
    int rows;
    lashi_vec3 F[LASHI_MAX_ROWS], M[LASHI_MAX_ROWS];
} lashi_loads;

static inline void lashi_load_points(lashi_loads *out) {
    out->F[out->rows++] = (lashi_vec3){-1, 0, 0};
    out->F[out->rows++] = (lashi_vec3){0, -1, 0};
    out->F[out->rows++] = (lashi_vec3){0, 0, -1};
}

static inline void lashi_load_line(lashi_loads *out, const lashi_constraint *joint,
                                   const lashi_frame *frames) {
    for (int k = 0; k < 2; k++)
        out->F[out->rows++] =
            lashi_scale3(-1, lashi_turn3(frames[joint->body[0]].A, joint->geometry->a[0][k]));
}

/* Of the row that keeps axis a of the first body normal to axis b of the second. */
static inline void lashi_load_dot(lashi_loads *out, const lashi_constraint *joint, const lashi_frame *frames,
                                  int a, int b) {
    out->M[out->rows++] = lashi_cross3(lashi_turn3(frames[joint->body[0]].A, joint->geometry->a[0][a]),
                                       lashi_turn3(frames[joint->body[1]].A, joint->geometry->a[1][b]));
}

static inline void lashi_press_set(lashi_slide *out, int end, int row, lashi_vec3 R) {
    out->press[end][0][row] = R.x;
    out->press[end][1][row] = R.y;
    out->press[end][2][row] = R.z;
}

/* The two ends of a pin or guide about the direction u, as ends 0 and 1. */
static inline void lashi_press_ends(lashi_slide *out, const lashi_loads *loads, lashi_vec3 u, double length) {
    for (int row = 0; row < loads->rows; row++) {
        const lashi_vec3 F = lashi_axpy3(loads->F[row], -lashi_dot3(u, loads->F[row]), u);
        const lashi_vec3 couple = lashi_scale3(1 / length, lashi_cross3(u, loads->M[row]));
        lashi_press_set(out, 0, row, lashi_axpy3(couple, 0.5, F));
        lashi_press_set(out, 1, row, lashi_axpy3(lashi_scale3(-1, couple), 0.5, F));
    }
    out->ends = 2;
}

/* One more end: `scale` times the component of `vectors`, forces or moments, along u. */
static inline void lashi_press_along(lashi_slide *out, const lashi_loads *loads, const lashi_vec3 *vectors,
                                     lashi_vec3 u, double scale) {
    for (int row = 0; row < loads->rows; row++)
        lashi_press_set(out, out->ends, row, (lashi_vec3){scale * lashi_dot3(u, vectors[row]), 0, 0});
    out->ends++;
}

#endif
