/* SPDX-License-Identifier: MIT
 *
 * A corner of a block in a straight channel, in the plane (docs/contacts.md, guides).
 *
 * The channel belongs to body i: it goes through P_i along u, v = perp(u), its walls at ±w, w = (h + p)/2.
 * The corner is fixed in body j. With d from P_i to the corner and σ = ±1 for the wall it can meet, n = σ v,
 *   δ = n·d − w
 *   δ̇ = n·(ḋ − ω_i perp(d)),        since v̇ = −ω_i u and v·perp(d) = u·d
 *   δ̈ = n·d̈ + 2 ṅ·ḋ + n̈·d,          its velocity part n·d̈ − 2 σ ω_i u·ḋ − ω_i² n·d
 * The forces act at the corner on both bodies (points: common), or on the channel at the corner's projection on
 * the wall (own). What slides is the difference of the velocities of these material points along u. A face that
 * lies on the wall is two corners.
 */
#include "contact/guide.h"
#include "contact/rules.h"
#include "contact/wear.h"

#include <stddef.h>
#include <stdio.h>

void lashi_corner_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_pair p = lashi_pair_evaluate(i, j, contact->p->s);
    const lashi_vec2 u = lashi_turn(i, (lashi_vec2){contact->p->axis.x, contact->p->axis.y});
    const lashi_vec2 n = lashi_scale(contact->p->sign, lashi_perp(u));
    const lashi_vec2 turn = lashi_perp(p.d), rate = {p.ddot.x - i->w * turn.x, p.ddot.y - i->w * turn.y};
    out->e = 0;
    out->delta = lashi_dot(n, p.d) - contact->p->wall;
    out->deltadot = lashi_dot(n, rate);
    lashi_guide_touch(out, contact, i, &p, rate, n, out->delta);
}

static double corner_bias(const lashi_contact *contact, const lashi_frame *frames, const lashi_gap *gap) {
    const lashi_frame *i = &frames[contact->body[0]];
    const lashi_pair p = lashi_pair_evaluate(i, &frames[contact->body[1]], contact->p->s);
    const lashi_vec2 n = {gap->n.x, gap->n.y}, t = lashi_perp(n); // ṅ = ω_i t
    return lashi_dot(n, p.dbias) + 2 * i->w * lashi_dot(t, p.ddot) - i->w * i->w * lashi_dot(n, p.d);
}

/* v_T = t·ḋ − ω_i n·d + ω_i b with b the way to the wall, and ṫ = −ω_i n */
static double corner_drift(const lashi_contact *contact, const lashi_frame *frames, const lashi_gap *gap,
                           lashi_vec3 along) {
    const lashi_frame *i = &frames[contact->body[0]];
    const lashi_pair p = lashi_pair_evaluate(i, &frames[contact->body[1]], contact->p->s);
    const lashi_vec2 n = {gap->n.x, gap->n.y}, t = {along.x, along.y};
    const double behind = lashi_guide_is_common(contact) ? 0 : gap->deltadot;
    return lashi_dot(t, p.dbias) - 2 * i->w * lashi_dot(n, p.ddot) - i->w * i->w * lashi_dot(t, p.d) +
           i->w * behind;
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static void check(lashi_check *check, lashi_subject subject, const lash_joint_def *def) {
    lashi_guide_check(check, subject, def, LASHI_ALLOWS_MODES | LASHI_ALLOWS_RUBBING);
    if (def->clearance.has_wear)
        lashi_wear_check(check, subject, &def->clearance, true, NULL);
    else if (!isnan(def->clearance.width))
        lashi_complain(check, subject, "clearance.width",
                       "clearance.width: in the plane only wear needs it; leave it out");
}

/* Corners 1 and 2 against the upper wall (behind, ahead), 3 and 4 against the lower one. */
static lash_status expand(lashi_expansion *out, lash_error *error) {
    const lash_clearance_def *def = &out->def->clearance;
    const lashi_constraint *closed = out->closed;
    // The block's own axes: those of the channel, turned back by the angle the bodies keep.
    const double c = cos(-closed->angle), s = sin(-closed->angle);
    const lashi_vec2 u = closed->axis, along = {c * u.x - s * u.y, s * u.x + c * u.y}, up = lashi_perp(along);
    enum { CORNERS = 4 };
    lashi_contact *corners[CORNERS] = {NULL};
    const int kind = def->has_wear ? LASHI_CONTACT_worn_corner : LASHI_CONTACT_corner;
    out->frees = true;
    for (int k = 0; k < CORNERS; k++) {
        const double ahead = k % 2 ? 0.5 : -0.5, above = k < 2 ? 0.5 : -0.5;
        lashi_contact *contact;
        char part[32];
        snprintf(part, sizeof part, "corner%d", k + 1);
        const lash_status status = lashi_guide_corner(&contact, out, kind, part, error);
        if (status)
            return status;
        corners[k] = contact;
        contact->end = k % LASHI_WORN_ENDS;
        contact->p->axis = (lashi_vec3){u.x, u.y, 0};
        contact->p->sign = above > 0 ? 1 : -1;
        contact->p->wall = (def->height + def->play) / 2;
        contact->p->room = contact->p->doubtful = def->play / 2;
        contact->p->s[1] = lashi_add(closed->s[1], lashi_add(lashi_scale(ahead * def->length, along),
                                                             lashi_scale(above * def->height, up)));
    }
    const lash_status status = def->has_wear ? lashi_wear_expand_guide(corners, CORNERS, out, def->width,
                                                                       def->play, closed->name, error)
                                             : LASH_OK;
    if (status)
        return status;
    out->as_drawn = lashi_play_is_thrown(out);
    return out->as_drawn ? lashi_guide_place(out, error) : LASH_OK;
}

/* Of the block's middle across the channel, and its angle against it. */
static const lashi_play_channel channels[] = {{"offset", "m", "middle of the block across the channel"},
                                              {"tilt", "rad", "angle between block and channel"},
                                              {NULL}};

static double value(const lashi_play_view *view, int channel) {
    const lashi_contact *first = view->contacts, *last = first + 3; // opposite corners
    const lashi_frame *i = &view->frames[first->body[0]], *j = &view->frames[first->body[1]];
    const lashi_vec2 v = lashi_perp(lashi_turn(i, (lashi_vec2){first->p->axis.x, first->p->axis.y}));
    const lashi_vec2 middle[LASHI_SLOTS] = {first->p->s[0],
                                            lashi_scale(0.5, lashi_add(first->p->s[1], last->p->s[1]))};
    if (channel == 0)
        return lashi_dot(v, lashi_pair_evaluate(i, j, middle).d);
    const lashi_vec2 along = lashi_turn(j, lashi_sub(first[1].p->s[1], first->p->s[1])); // along the block
    return atan2(lashi_dot(v, along), -lashi_dot(lashi_perp(v), along));
}

static void draw(lash_scene_play *out, const lash_joint_def *def) {
    static const char *const moves[] = {
        "offset", "tilt", "corner1.mode", "corner2.mode", "corner3.mode", "corner4.mode", NULL};
    lashi_guide_draw(out, def);
    out->channels = moves;
    const double length = hypot(def->axis[0], def->axis[1]);
    out->up[0] = -def->axis[1] / length;
    out->up[1] = def->axis[0] / length;
    out->up[2] = 0;
}

static const char *const joints[] = {"translational", NULL};
static const lashi_play play = {
    .key = LASHI_CLEARANCE_KEY(
        LASHI_PLANE_ONLY, &lashi_guide_block, "(an ideal guide)",
        "play in the guide: the four corners of the block touch the walls of the channel"),
    .joints = joints,
    .most = 4,
    .check = check,
    .expand = expand,
    .channels = channels,
    .value = value,
    .draw = draw,
};

const lashi_contact_kind lashi_contact_corner = {
    .name = "corner of a block",
    .play = &play,
    .acts = LASHI_ACTS_IN_PLANE,
    .bristles = 1,
    .deepest = "a tenth of the block's height",
    .bias = corner_bias,
    .drift = corner_drift,
};

#endif
