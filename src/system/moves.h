/* SPDX-License-Identifier: MIT
 *
 * Frames of bodies that do not move freely: driven, guided and pinned ones (absorb.c).
 */
#ifndef LASHI_MOVES_H
#define LASHI_MOVES_H

#include "system/system.h"

/* Frame and acceleration of a prescribed body in the plane: first how it turns; then, with sine and cosine of
 * its angle, the rest. */
static inline void lashi_prescribe_turn(lashi_frame *frame, double a[LASHI_FREEDOMS],
                                        const lashi_absorbed *item, double t, double inside) {
    const lashi_jet f = lashi_profile_jet_in(&item->drive.profile, t, inside);
    frame->angle = item->sign * f.f;
    frame->w = item->sign * f.df;
    a[2] = item->sign * f.ddf;
}
static inline void lashi_prescribe_place(lashi_frame *frame, double a[LASHI_FREEDOMS],
                                         const lashi_absorbed *item) {
    const lashi_vec2 S = lashi_turn(frame, item->joint.s[item->slot]), P = item->joint.s[1 - item->slot];
    const double w = frame->w, alpha = a[2];
    frame->x = P.x - S.x;
    frame->y = P.y - S.y;
    frame->vx = w * S.y;
    frame->vy = -w * S.x;
    a[0] = alpha * S.y + w * w * S.x;
    a[1] = -alpha * S.x + w * w * S.y;
}

/* The same in space: a turn about a fixed axis through P, of the angle θ with its rates w and alpha. */
static inline void lashi_turn_in_space(lashi_frame *frame, double a[LASHI_FREEDOMS],
                                       const lashi_absorbed *item, double angle, double w, double alpha) {
    const double half = 0.5 * (angle - item->angle);
    double s, c, p[4];
    lashi_sincos(half, &s, &c);
    for (int k = 0; k < 4; k++)
        p[k] = c * item->p[0][k] + s * item->p[1][k];
    lashi_rotation(frame->A, frame->p, p);
    const lashi_geometry *g = item->joint.geometry;
    const lashi_vec3 S = lashi_turn3(frame->A, g->s[item->slot]), back = lashi_cross3(S, item->axis),
                     inward = lashi_cross3(item->axis, back);
    frame->r = lashi_sub3(g->s[1 - item->slot], S);
    frame->v = lashi_scale3(w, back);
    frame->spin = lashi_scale3(w, item->axis);
    frame->own = lashi_scale3(w, item->own);
    const lashi_vec3 v = lashi_axpy3(lashi_scale3(alpha, back), w * w, inward);
    a[0] = v.x, a[1] = v.y, a[2] = v.z;
    a[3] = alpha * item->own.x, a[4] = alpha * item->own.y, a[5] = alpha * item->own.z;
}

static inline void lashi_prescribe_in_space(lashi_frame *frame, double a[LASHI_FREEDOMS],
                                            const lashi_absorbed *item, double t, double inside) {
    const lashi_jet f = lashi_profile_jet_in(&item->drive.profile, t, inside);
    lashi_turn_in_space(frame, a, item, item->sign * f.f, item->sign * f.df, item->sign * f.ddf);
}

/* Frame of a pinned body from θ and its rate, and the acceleration that it has when that rate stays. */
static inline void lashi_swing_in_space(lashi_frame *frame, double a[LASHI_FREEDOMS],
                                        const lashi_absorbed *item, double angle, double w) {
    lashi_turn_in_space(frame, a, item, angle, w, 0);
}

/* Frame of a guided body from its one coordinate and the rate of it. */
static inline void lashi_guide_in_plane(lashi_frame *frame, const lashi_absorbed *item, double at,
                                        double rate) {
    frame->x = item->along == 0 ? at : item->across;
    frame->y = item->along == 1 ? at : item->across;
    frame->vx = item->along == 0 ? rate : 0;
    frame->vy = item->along == 1 ? rate : 0;
    frame->w = 0;
    frame->c = item->c;
    frame->s = item->s;
    frame->angle = item->angle;
}

static inline void lashi_guide_in_space(lashi_frame *frame, const lashi_absorbed *item, double at,
                                        double rate) {
    *frame = item->frame;
    (&frame->r.x)[item->along] = at;
    (&frame->v.x)[item->along] = rate;
}

#endif
