/* SPDX-License-Identifier: MIT
 *
 * A corner of a rectangular block against one wall of a rectangular channel, in space (docs/contacts.md, guides).
 *
 * As corner.c, with v a direction of the channel across its axis: n = σ v, δ = n·d − w, d from P_i to the
 * corner,
 *     δ̇ = n·(ḋ − ω_i × d),   δ̈ = n·d̈ + 2 ṅ·ḋ + n̈·d
 * Each of the eight corners can meet two walls: across the height (a) and across the width (b).
 */
#include "contact/guide.h"
#include "contact/rules.h"
#include "contact/wear.h"

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Sine of the angle between two directions below which they are the same. */
static const double PARALLEL = 1e-6;

void lashi_block_corner_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, contact->p->s3);
    const lashi_vec3 none = {0, 0, 0};
    out->e = 0;
    out->n = lashi_scale3(contact->p->sign, lashi_turn3(i->A, contact->p->across));
    out->delta = lashi_dot3(out->n, p.d) - contact->p->wall;
    const double behind = lashi_guide_is_common(contact) ? 0 : out->delta;
    out->arm[0] = lashi_axpy3(lashi_add3(p.S[0], p.d), -behind, out->n);
    out->arm[1] = p.S[1];
    const lashi_vec3 rate = lashi_sub3(p.ddot, lashi_cross3(i->spin, p.d));
    out->deltadot = lashi_dot3(out->n, rate);
    out->d = p.d;
    out->ddot = rate;
    out->ndot = lashi_cross3(i->spin, out->n);
    const lashi_vec3 v = lashi_sub3(lashi_velocity_at3(j, out->arm[1]), lashi_velocity_at3(i, out->arm[0]));
    out->slip = lashi_axpy3(v, -lashi_dot3(out->n, v), out->n);
    out->sliding = lashi_length3(out->slip);
    out->t = out->sliding > 0 ? lashi_scale3(1 / out->sliding, out->slip) : none;
}

static double block_corner_bias(const lashi_contact *contact, const lashi_frame *frames,
                                const lashi_gap *gap) {
    (void)gap;
    const lashi_frame *i = &frames[contact->body[0]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, &frames[contact->body[1]], contact->p->s3);
    const lashi_axis v = lashi_axis_evaluate(i, contact->p->across);
    return contact->p->sign *
           (lashi_dot3(v.u, p.dbias) + 2 * lashi_dot3(v.rate, p.ddot) + lashi_dot3(v.bias, p.d));
}

#ifndef LASHI_KERNEL // a compiled model needs no more

/* As round.h: Ṡ_j = ω_j × S_j, and Ṡ_i is that of the corner, less the way b = 0 or δ back to the wall. */
static double drift(const lashi_contact *contact, const lashi_frame *frames, const lashi_gap *gap,
                    lashi_vec3 t) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const bool common = lashi_guide_is_common(contact);
    const double behind = common ? 0 : gap->delta, behind_rate = common ? 0 : gap->deltadot;
    const lashi_vec3 arm_j = lashi_cross3(j->spin, gap->arm[1]);
    const lashi_vec3 corner = lashi_sub3(lashi_add3(j->v, arm_j), i->v);
    const lashi_vec3 arm_i = lashi_axpy3(lashi_axpy3(corner, -behind_rate, gap->n), -behind, gap->ndot);
    const lashi_vec3 rate = lashi_sub3(lashi_cross3(j->spin, arm_j), lashi_cross3(i->spin, arm_i));
    return lashi_dot3(t, rate) - lashi_dot3(t, gap->ndot) * gap->deltadot;
}

static void check(lashi_check *check, lashi_subject subject, const lash_joint_def *def) {
    const lash_clearance_def *play = &def->clearance;
    lashi_guide_check(check, subject, def, LASHI_ALLOWS_MODES);
    if (play->has_wear)
        lashi_wear_check(check, subject, play, true, NULL);
    if (play->side_play >= play->width)
        lashi_complain(check, subject, "clearance.side_play",
                       "clearance.side_play (%g m) is not smaller than the block's width (%g m): it is the "
                       "width of the channel minus that of the block; is its unit right?",
                       play->side_play, play->width);
    const lashi_vec3 axis = lashi_vec3_of(def->axis), height = lashi_vec3_of(play->height_axis);
    if (lashi_length3(lashi_cross3(axis, height)) <= PARALLEL * lashi_length3(axis) * lashi_length3(height))
        lashi_complain(check, subject, "clearance.height_axis",
                       "clearance.height_axis goes along the guide: the height of a block is across it");
}

/* Corners 1 to 4 behind, 5 to 8 ahead; walls a across the height, b across the width. What wears are the lines
 * along which they pass: a1 and a2 on the walls a, at the lower and the upper side of the width, b1 and b2 on the
 * walls b likewise; each pair of walls has four corners on such a line. */
static lash_status expand(lashi_expansion *out, lash_error *error) {
    enum { WALLS = 2, SIDES = 2, ON_A_LINE = 4 };
    static const char *const lines[WALLS][SIDES] = {{"a1", "a2"}, {"b1", "b2"}};
    const lash_clearance_def *def = &out->def->clearance;
    const lashi_geometry *g = out->closed->geometry;
    const double size[WALLS] = {def->height, def->width},
                 play[WALLS] = {def->play, isnan(def->side_play) ? def->play : def->side_play};
    const int kind = def->has_wear ? LASHI_CONTACT_worn_block_corner : LASHI_CONTACT_block_corner;
    lashi_contact *corners[WALLS][SIDES][ON_A_LINE] = {{{NULL}}};
    int count[WALLS][SIDES] = {{0}};
    lash_status status = LASH_OK;
    out->frees = true;
    for (int k = 0; k < 8; k++) {
        const double ahead = k < 4 ? -0.5 : 0.5, side[WALLS] = {k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5};
        lashi_vec3 corner = lashi_axpy3(g->s[1], ahead * def->length, g->a[1][2]);
        for (int wall = 0; wall < WALLS; wall++)
            corner = lashi_axpy3(corner, side[wall] * size[wall], g->a[1][wall]);
        for (int wall = 0; wall < WALLS; wall++) {
            lashi_contact *contact;
            char part[32];
            snprintf(part, sizeof part, "corner%d%c", k + 1, 'a' + wall);
            status = lashi_guide_corner(&contact, out, kind, part, error);
            if (status)
                return status;
            contact->end = k / 4;
            contact->p->s3[1] = corner;
            if (def->has_wear)
                contact->p->axis = g->a[0][2];
            contact->p->across = g->a[0][wall];
            contact->p->sign = side[wall] > 0 ? 1 : -1;
            contact->p->wall = (size[wall] + play[wall]) / 2;
            contact->p->room = contact->p->doubtful = play[wall] / 2;
            const int at = side[1 - wall] > 0;
            corners[wall][at][count[wall][at]++] = contact;
        }
    }
    for (int line = 0; def->has_wear && !status && line < WALLS * SIDES; line++) {
        const int wall = line / SIDES, side = line % SIDES;
        const char *name = lashi_arena_print(out->arena, "%s.%s", out->closed->name, lines[wall][side]);
        status = lashi_wear_expand_guide(corners[wall][side], ON_A_LINE, out, size[1 - wall] / SIDES,
                                         play[wall], name, error);
    }
    if (status)
        return status;
    out->as_drawn = lashi_play_is_thrown(out);
    return out->as_drawn ? lashi_guide_place(out, error) : LASH_OK;
}

/* The block's middle across the channel, and how far it is turned out of it. */
static const lashi_play_channel channels[] = {{"offset", "m", "middle of the block across the channel"},
                                              {"side_offset", "m", "the same sideways"},
                                              {"tilt", "rad", "angle between block and channel"},
                                              {NULL}};

static double value(const lashi_play_view *view, int channel) {
    const lashi_frame *i = &view->frames[view->contacts->body[0]],
                      *j = &view->frames[view->contacts->body[1]];
    const lashi_geometry *g = view->geometry;
    if (channel < 2)
        return lashi_dot3(lashi_turn3(i->A, g->a[0][channel]), lashi_pair3_evaluate(i, j, g->s).d);
    // The angle of the turn from one triad to the other.
    double trace = 0;
    for (int k = 0; k < 3; k++)
        trace += lashi_dot3(lashi_turn3(i->A, g->a[0][k]), lashi_turn3(j->A, g->a[1][k]));
    lashi_vec3 twice = {0, 0, 0}; // 2 sin(angle) times the axis
    for (int k = 0; k < 3; k++)
        twice = lashi_add3(twice, lashi_cross3(lashi_turn3(i->A, g->a[0][k]), lashi_turn3(j->A, g->a[1][k])));
    return atan2(lashi_length3(twice), trace - 1);
}

static void draw(lash_scene_play *out, const lash_joint_def *def) {
    static const char *const moves[] = {"offset",        "side_offset",   "tilt",          "corner1a.mode",
                                        "corner1b.mode", "corner2a.mode", "corner2b.mode", "corner3a.mode",
                                        "corner3b.mode", "corner4a.mode", "corner4b.mode", "corner5a.mode",
                                        "corner5b.mode", "corner6a.mode", "corner6b.mode", "corner7a.mode",
                                        "corner7b.mode", "corner8a.mode", "corner8b.mode", NULL};
    const lash_clearance_def *play = &def->clearance;
    lashi_guide_draw(out, def);
    out->channels = moves;
    out->width = play->width;
    out->side_play = isnan(play->side_play) ? play->play : play->side_play;
    const lashi_vec3 axis = lashi_vec3_of(def->axis),
                     up = lashi_guide_up(def, lashi_scale3(1 / lashi_length3(axis), axis));
    out->up[0] = up.x, out->up[1] = up.y, out->up[2] = up.z;
}

static const char *const joints[] = {"prismatic", NULL};
static const lashi_play play = {
    .key = LASHI_CLEARANCE_KEY(
        LASHI_SPACE_ONLY, &lashi_guide_block, "(an ideal guide)",
        "play in the guide: the eight corners of the block touch the walls of the channel"),
    .joints = joints,
    .most = 16,
    .check = check,
    .expand = expand,
    .channels = channels,
    .value = value,
    .draw = draw,
};

const lashi_contact_kind lashi_contact_block_corner = {
    .name = "corner of a block in space",
    .play = &play,
    .acts = LASHI_ACTS_IN_SPACE,
    .bristles = 3,
    .deepest = "a tenth of the block's height",
    .bias = block_corner_bias,
    .drift = drift,
};

#endif
