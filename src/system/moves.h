/* SPDX-License-Identifier: MIT
 *
 * Frames of bodies that do not move freely: driven, guided and pinned ones (absorb.c).
 */
#ifndef LASHI_MOVES_H
#define LASHI_MOVES_H

#include <string.h>

#include "system/system.h"

/* What the frame of ground has in space, in numbers that a compiler sees. */
static inline void lashi_ground_in_space(lashi_frame *frame) {
    const lashi_vec3 none = {0, 0, 0};
    frame->r = frame->v = frame->spin = frame->own = none;
    for (int k = 0; k < 9; k++)
        frame->A[k] = k % 4 == 0;
}

/* Frame and acceleration of a prescribed body in the plane: first how it turns; then, with sine and cosine of
 * its angle, the rest. Its point s stays `at` its place. */
static inline void lashi_prescribe_turn(lashi_frame *frame, double a[LASHI_FREEDOMS],
                                        const lashi_absorbed *item, double t, double inside) {
    const lashi_jet f = lashi_profile_jet_in(&item->drive.profile, t, inside);
    frame->angle = item->sign * f.f;
    frame->w = item->sign * f.df;
    a[2] = item->sign * f.ddf + 0.0; // −0 becomes 0
}
static inline void lashi_prescribe_place(lashi_frame *frame, double a[LASHI_FREEDOMS], lashi_vec2 s,
                                         lashi_vec2 at) {
    const lashi_vec2 S = lashi_turn(frame, s);
    const double w = frame->w, alpha = a[2];
    frame->x = at.x - S.x;
    frame->y = at.y - S.y;
    frame->vx = w * S.y;
    frame->vy = -w * S.x;
    a[0] = alpha * S.y + w * w * S.x + 0.0; // −0 becomes 0
    a[1] = -alpha * S.x + w * w * S.y + 0.0;
}

/* The same in space: a turn about a fixed axis n through P, of the angle θ with its rates w and alpha. With φ the
 * turn since the start, A = A0 + A1 cos φ + A2 sin φ, and the part of S across n is e cos φ + n × e sin φ. s and c: sine
 * and cosine of φ/2. */
static inline void lashi_turned_in_space(lashi_frame *frame, double a[LASHI_FREEDOMS],
                                         const lashi_absorbed *item, double s, double c, double w,
                                         double alpha) {
    for (int k = 0; k < 4; k++)
        frame->p[k] = c * item->p[0][k] + s * item->p[1][k];
    const double cosine = c * c - s * s, sine = 2 * c * s; // of the turn
    for (int k = 0; k < 9; k++)
        frame->A[k] = item->A[0][k] + cosine * item->A[1][k] + sine * item->A[2][k];
    const lashi_vec3 inward = lashi_axpy3(lashi_scale3(cosine, item->arm[0]), sine, item->arm[1]),
                     back = lashi_axpy3(lashi_scale3(sine, item->arm[0]), -cosine, item->arm[1]);
    frame->r = lashi_sub3(item->middle, inward);
    frame->v = lashi_scale3(w, back);
    frame->spin = lashi_scale3(w, item->axis);
    frame->own = lashi_scale3(w, item->own);
    const lashi_vec3 v = lashi_axpy3(lashi_scale3(alpha, back), w * w, inward);
    a[0] = v.x, a[1] = v.y, a[2] = v.z;
    a[3] = alpha * item->own.x, a[4] = alpha * item->own.y, a[5] = alpha * item->own.z;
}

static inline double lashi_half_turn(const lashi_absorbed *item, double angle) {
    return 0.5 * (angle - item->angle);
}

static inline void lashi_turn_in_space(lashi_frame *frame, double a[LASHI_FREEDOMS],
                                       const lashi_absorbed *item, double angle, double w, double alpha) {
    double s, c;
    lashi_sincos(lashi_half_turn(item, angle), &s, &c);
    lashi_turned_in_space(frame, a, item, s, c, w, alpha);
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
    if (item->along == 0) {
        frame->x = at, frame->y = item->across;
        frame->vx = rate, frame->vy = 0;
    } else {
        frame->x = item->across, frame->y = at;
        frame->vx = 0, frame->vy = rate;
    }
    frame->w = 0;
    frame->c = item->c;
    frame->s = item->s;
    frame->angle = item->angle;
}

static inline void lashi_guide_in_space(lashi_frame *frame, const lashi_absorbed *item, double at,
                                        double rate) {
    const lashi_frame *f = &item->frame;
    const int k = item->along;
    frame->r = (lashi_vec3){k == 0 ? at : f->r.x, k == 1 ? at : f->r.y, k == 2 ? at : f->r.z};
    frame->v = (lashi_vec3){k == 0 ? rate : 0, k == 1 ? rate : 0, k == 2 ? rate : 0};
    memcpy(frame->A, f->A, sizeof frame->A);
    memcpy(frame->p, f->p, sizeof frame->p);
    frame->spin = frame->own = (lashi_vec3){0, 0, 0};
}

/* Sines and cosines of all angles that vary, two at a time. */
__attribute__((always_inline)) static inline void lashi_turn_all(lashi_frame *frames,
                                                                 const lash_system *system) {
    for (const int *b = system->turners, *end = b + system->turner_count; b < end; b += 2)
        lashi_frames_turn(&frames[b[0]], &frames[b[1]]);
}

/* lashi_frames_at in the plane; keeps: known is not NULL; again: the frames have been filled before. */
__attribute__((always_inline)) static inline void
lashi_frames_in_plane(lashi_frame *frames, double (*known)[LASHI_FREEDOMS], bool keeps, bool again,
                      const lash_system *system, double t, const double *y) {
    const double *v = y + system->v_at;
    double unused[LASHI_FREEDOMS];
    for (const int *b = system->movers, *end = b + system->free_count; b < end; b++) {
        const int q = system->q_at[*b];
        lashi_frame_place(&frames[*b], y + q, v + q);
    }
    const lashi_crank *const cranks = system->cranks, *const last = cranks + system->crank_count;
    for (const lashi_crank *k = cranks; k < last; k++)
        lashi_prescribe_turn(&frames[k->body], keeps ? known[k->body] : unused, k->absorbed, t,
                             frames[0].inside);
    lashi_turn_all(frames, system);
    for (const lashi_crank *k = cranks; k < last; k++)
        lashi_prescribe_place(&frames[k->body], keeps ? known[k->body] : unused, k->s, k->at);
    for (const lashi_guide *g = system->guides, *end = g + system->guide_count; g < end; g++) {
        lashi_frame *frame = &frames[g->body];
        if (!again)
            lashi_guide_in_plane(frame, &system->absorbed[g->absorbed], y[g->q], v[g->q]);
        else if (g->along == 0)
            frame->x = y[g->q], frame->vx = v[g->q]; // the rest stays
        else
            frame->y = y[g->q], frame->vy = v[g->q];
    }
}

/* Moves a body in space by share·step, an exact turn in body axes. */
static inline void lashi_shift_body(double q[7], const double step[LASHI_FREEDOMS], double share) {
    for (int k = 0; k < 3; k++)
        q[k] += share * step[k];
    const lashi_vec3 turn = lashi_scale3(0.5 * share, lashi_vec3_of(step + 3));
    const double half = lashi_length3(turn), sinc = half > 0 ? sin(half) / half : 1;
    const double delta[4] = {cos(half), sinc * turn.x, sinc * turn.y, sinc * turn.z};
    const double p[4] = {q[3], q[4], q[5], q[6]};
    lashi_compose(q + 3, p, delta);
}

#endif
