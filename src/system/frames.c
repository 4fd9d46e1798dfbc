/* SPDX-License-Identifier: MIT
 *
 * Frames of the bodies: position, orientation and velocities from coordinates; stage 1 of every evaluation.
 */
#include "system/moves.h"

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
            lashi_prescribe_in_space(frame, known ? known[item->body] : unused, item, t, frames[0].inside);
            continue;
        }
        const double at = y[system->q_at[item->body]],
                     rate = system->q_rate[item->body] * y[system->v_at + system->u_at[item->body]];
        if (item->kind == LASHI_PINNED)
            lashi_swing_in_space(frame, known ? known[item->body] : unused, item, at, rate);
        else
            lashi_guide_in_space(frame, item, at, rate);
    }
    frames[0].counted = y + system->counted_at;
}

void lashi_frames_of_contact(lashi_frame *frames, const lash_system *system, const lashi_contact *contact,
                             double t, const double *y) {
    const int *body = contact->body;
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        if (!contact->plain || (body[slot] > 0 && system->moves[body[slot]] != LASHI_MOVES_FREELY)) {
            lashi_frames_at(frames, NULL, system, t, y);
            return;
        }
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        const double *q = y + system->q_at[body[slot]];
        if (body[slot] > 0 && system->spatial)
            lashi_frame_from3(&frames[body[slot]], q, y + system->v_at + system->u_at[body[slot]]);
        else if (body[slot] > 0)
            lashi_frame_from(&frames[body[slot]], q, q + system->v_at);
    }
}

void lashi_frames_at(lashi_frame *frames, double (*known)[LASHI_FREEDOMS], const lash_system *system,
                     double t, const double *y) {
    if (system->spatial)
        frames_in_space(frames, known, system, t, y);
    else if (known)
        lashi_frames_in_plane(frames, known, true, false, system, t, y);
    else
        lashi_frames_in_plane(frames, NULL, false, false, system, t, y);
}
