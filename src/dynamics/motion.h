/* SPDX-License-Identifier: MIT
 *
 * Parts of an evaluation that concern one body, besides its forces.
 */
#ifndef LASHI_MOTION_H
#define LASHI_MOTION_H

#include "joint/joint.h"

/* Space: −ω′ × J′ω′; J′ is diagonal in principal axes. */
static inline void lashi_add_gyroscopic(double force[LASHI_FREEDOMS], const double mass[LASHI_FREEDOMS],
                                        const lashi_frame *frame) {
    const double *J = mass + 3;
    double *g = force + 3;
    const lashi_vec3 u = frame->own;
    g[0] -= (J[2] - J[1]) * u.y * u.z;
    g[1] -= (J[0] - J[2]) * u.z * u.x;
    g[2] -= (J[1] - J[0]) * u.x * u.y;
}

/* Space: q̇ of a free body with the Euler parameters p, whose length returns to 1, and the velocities v. */
static inline void lashi_rate_in_space(double rate[7], const double p[4], const double v[LASHI_FREEDOMS]) {
    static const double LENGTH_RATE = 5; /* 1/s, κ: how fast */
    rate[0] = v[0], rate[1] = v[1], rate[2] = v[2];
    lashi_orientation_rate(rate + 3, p, lashi_vec3_of(v + 3));
    const double excess = LENGTH_RATE * (1 - p[0] * p[0] - p[1] * p[1] - p[2] * p[2] - p[3] * p[3]);
    for (int k = 0; k < 4; k++)
        rate[3 + k] += excess * p[k];
}

/* R = M v̇ − g moves a prescribed body. Its power is that of the drive, since the pin stands still. */
static inline double lashi_prescribed_power(bool spatial, const double m[LASHI_FREEDOMS],
                                            const double a[LASHI_FREEDOMS], const double g[LASHI_FREEDOMS],
                                            const lashi_frame *f) {
    if (spatial)
        return (m[0] * a[0] - g[0]) * f->v.x + (m[1] * a[1] - g[1]) * f->v.y + (m[2] * a[2] - g[2]) * f->v.z +
               (m[3] * a[3] - g[3]) * f->own.x + (m[4] * a[4] - g[4]) * f->own.y +
               (m[5] * a[5] - g[5]) * f->own.z;
    return (m[0] * a[0] - g[0]) * f->vx + (m[1] * a[1] - g[1]) * f->vy + (m[2] * a[2] - g[2]) * f->w;
}

/* R: force and moment of the joint on a prescribed or guided body in the plane, the moment about the joint's
 * point s. For a prescribed body R[2] is the torque of its drive. */
static inline void lashi_balance(double R[LASHI_FREEDOMS], const double m[LASHI_FREEDOMS],
                                 const double a[LASHI_FREEDOMS], const double g[LASHI_FREEDOMS],
                                 const lashi_frame *f, lashi_vec2 s) {
    for (int k = 0; k < LASHI_FREEDOMS; k++)
        R[k] = m[k] * a[k] - g[k];
    const lashi_vec2 S = lashi_turn(f, s);
    R[2] -= S.x * R[1] - S.y * R[0];
}

/* The same in space, in ground axes; s: in those of the body. */
static inline void lashi_balance_in_space(lashi_vec3 *F, lashi_vec3 *M, const double m[LASHI_FREEDOMS],
                                          const double a[LASHI_FREEDOMS], const double g[LASHI_FREEDOMS],
                                          const lashi_frame *f, lashi_vec3 s) {
    double R[LASHI_FREEDOMS];
    for (int k = 0; k < LASHI_FREEDOMS; k++)
        R[k] = m[k] * a[k] - g[k];
    *F = lashi_vec3_of(R);
    *M = lashi_sub3(lashi_turn3(f->A, lashi_vec3_of(R + 3)), lashi_cross3(lashi_turn3(f->A, s), *F));
}

#endif
