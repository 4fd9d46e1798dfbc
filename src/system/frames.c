/* SPDX-License-Identifier: MIT
 *
 * Frames of the bodies: position, orientation and velocities from coordinates; stage 1 of every evaluation.
 */
#include "system/system.h"

void lashi_frame_ground(lashi_frame *frame) {
    *frame =
        (lashi_frame){.c = 1, .A = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {1, 0, 0, 0}, .inside = (double)NAN};
}

void lashi_frames_fill(lashi_frame *frames, const lash_system *system, const double *full) {
    const double *q = full, *v = full + system->n_full;
    const int step = system->spatial ? 7 : LASHI_PLANE;
    for (int b = 1; b < system->bodies; b++, q += step, v += system->width)
        if (system->spatial)
            lashi_frame_from3(&frames[b], q, v);
        else
            lashi_frame_from(&frames[b], q, v);
    if (system->counted > 0)
        frames[0].counted = full + system->n_full + system->full_v;
}

/* Frame and acceleration of a prescribed body. */
static void prescribe(lashi_frame *frame, double a[LASHI_FREEDOMS], const lashi_absorbed *item, double t,
                      double inside) {
    const lashi_jet f = lashi_profile_jet_in(&item->drive.profile, t, inside);
    const double angle = item->sign * f.f, w = item->sign * f.df, alpha = item->sign * f.ddf;
    lashi_sincos(angle, &frame->s, &frame->c);
    const lashi_vec2 S = lashi_turn(frame, item->joint.s[item->slot]), P = item->joint.s[1 - item->slot];
    frame->angle = angle;
    frame->x = P.x - S.x;
    frame->y = P.y - S.y;
    frame->vx = w * S.y;
    frame->vy = -w * S.x;
    frame->w = w;
    a[0] = alpha * S.y + w * w * S.x;
    a[1] = -alpha * S.x + w * w * S.y;
    a[2] = alpha;
}

/* The same in space: a turn about a fixed axis through P. */
static void prescribe_in_space(lashi_frame *frame, double a[LASHI_FREEDOMS], const lashi_absorbed *item,
                               double t, double inside) {
    const lashi_jet f = lashi_profile_jet_in(&item->drive.profile, t, inside);
    const double half = 0.5 * (item->sign * f.f - item->angle), w = item->sign * f.df,
                 alpha = item->sign * f.ddf;
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

static void frames_in_space(lashi_frame *frames, double (*known)[LASHI_FREEDOMS], const lash_system *system,
                            double t, const double *y) {
    double unused[LASHI_FREEDOMS];
    for (int b = 1; b < system->bodies; b++)
        if (system->moves[b] == LASHI_MOVES_FREELY)
            lashi_frame_from3(&frames[b], y + system->q_at[b], y + system->v_at + system->u_at[b]);
    for (int k = 0; k < system->absorbed_count; k++) {
        const lashi_absorbed *item = &system->absorbed[k];
        lashi_frame *frame = &frames[item->body];
        if (item->kind == LASHI_PRESCRIBED) {
            prescribe_in_space(frame, known ? known[item->body] : unused, item, t, frames[0].inside);
            continue;
        }
        *frame = item->frame;
        (&frame->r.x)[item->along] = y[system->q_at[item->body]];
        (&frame->v.x)[item->along] = y[system->v_at + system->u_at[item->body]];
    }
    frames[0].counted = y + system->counted_at;
}

void lashi_frames_at(lashi_frame *frames, double (*known)[LASHI_FREEDOMS], const lash_system *system,
                     double t, const double *y) {
    if (system->spatial) {
        frames_in_space(frames, known, system, t, y);
        return;
    }
    double unused[LASHI_FREEDOMS];
    for (int b = 1; b < system->bodies; b++)
        if (system->moves[b] == LASHI_MOVES_FREELY)
            lashi_frame_from(&frames[b], y + system->q_at[b], y + system->v_at + system->q_at[b]);
    for (int k = 0; k < system->absorbed_count; k++) {
        const lashi_absorbed *item = &system->absorbed[k];
        lashi_frame *frame = &frames[item->body];
        if (item->kind == LASHI_PRESCRIBED) {
            prescribe(frame, known ? known[item->body] : unused, item, t, frames[0].inside);
            continue;
        }
        const double at = y[system->q_at[item->body]], rate = y[system->v_at + system->q_at[item->body]];
        frame->x = item->along == 0 ? at : item->across;
        frame->y = item->along == 1 ? at : item->across;
        frame->vx = item->along == 0 ? rate : 0;
        frame->vy = item->along == 1 ? rate : 0;
        frame->w = 0;
        frame->c = item->c;
        frame->s = item->s;
        frame->angle = item->angle;
    }
}
