/* SPDX-License-Identifier: MIT
 *
 * Torque on a body as a function of time; the opposite acts on another body if one is named. Its power is
 * input.
 */
#include "force/force.h"

#include <stddef.h>
#include <string.h>

/* In space: its components in ground axes. */
static lashi_vec3 moment(const lashi_force *force, const lashi_frame *frames, double t) {
    const lashi_vec3 T = {lashi_force_value(force, 0, frames, t), lashi_force_value(force, 1, frames, t),
                          lashi_force_value(force, 2, frames, t)};
    return force->in_body_axes ? lashi_from_user_axes(force, &frames[force->body[1]], T) : T;
}

static void torque_in_space(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                            const lashi_frame *frames, double t) {
    const lashi_frame *i = &frames[force->body[0]], *j = &frames[force->body[1]];
    const lashi_vec3 none = {0, 0, 0}, T = moment(force, frames, t);
    lashi_apply_at3(g[force->body[1]], j, none, none, T);
    lashi_apply_at3(g[force->body[0]], i, none, none, lashi_scale3(-1, T));
    ledger->input += lashi_dot3(T, lashi_sub3(j->spin, i->spin));
}

void lashi_torque_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                        const lashi_frame *frames, double t) {
    if (force->spatial) {
        torque_in_space(g, ledger, force, frames, t);
        return;
    }
    const double T = lashi_force_value(force, 0, frames, t);
    g[force->body[1]][2] += T;
    g[force->body[0]][2] -= T;
    ledger->input += T * (frames[force->body[1]].w - frames[force->body[0]].w);
}

// What is recorded.
enum { TORQUE_TORQUE, TORQUE_ANGLE, TORQUE_RATE, TORQUE_SIZE, TORQUE_X, TORQUE_Y, TORQUE_Z, TORQUE_POWER };
double lashi_torque_value(const lashi_force *force, const lashi_force_view *view, int channel) {
    lashi_ledger ledger = {0};
    const lashi_frame *i = &view->frames[force->body[0]], *j = &view->frames[force->body[1]];
    lashi_vec3 T = {0, 0, 0};
    if (force->spatial)
        T = moment(force, view->frames, view->t);
    switch (channel) {
    case TORQUE_TORQUE: return lashi_force_value(force, 0, view->frames, view->t);
    case TORQUE_ANGLE: return j->angle - i->angle;
    case TORQUE_RATE: return j->w - i->w;
    case TORQUE_SIZE: return lashi_length3(T);
    case TORQUE_X: return T.x;
    case TORQUE_Y: return T.y;
    case TORQUE_Z: return T.z;
    default: lashi_torque_apply(view->scratch, &ledger, force, view->frames, view->t); return ledger.input;
    }
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_force_channel channels[] = {
    [TORQUE_TORQUE] = {"torque", "N m", "the torque, counterclockwise", LASHI_PLANE_ONLY},
    [TORQUE_ANGLE] = {"angle", "rad", "angle of its body relative to the one that takes the reaction",
                      LASHI_PLANE_ONLY},
    [TORQUE_RATE] = {"rate", "rad/s", "rate of that angle", LASHI_PLANE_ONLY},
    [TORQUE_SIZE] = {"torque", "N m", "size of the torque", LASHI_SPACE_ONLY},
    [TORQUE_X] = {"tx", "N m", "the torque about x, ground axes", LASHI_SPACE_ONLY},
    [TORQUE_Y] = {"ty", "N m", "the torque about y, ground axes", LASHI_SPACE_ONLY},
    [TORQUE_Z] = {"tz", "N m", "the torque about z, ground axes", LASHI_SPACE_ONLY},
    [TORQUE_POWER] = {"power", "W", "power that the torque brings in"},
    {NULL}};

static lash_status compile(lashi_force *out, const lash_force_def *def, const lashi_force_context *context,
                           lash_error *error) {
    if (out->spatial) {
        for (int k = 0; k < 3; k++)
            out->expression[k] = def->torques[k];
        out->in_body_axes = strcmp(def->frame, "body") == 0;
    } else {
        out->expression[0] = def->torque;
    }
    const lash_status status = lashi_force_point(out, 1, def->body, context, error);
    if (!status)
        lashi_force_own_axes(out, context);
    return status ? status
                  : lashi_force_point(out, 0, def->reaction ? def->reaction : "ground", context, error);
}

static const lashi_key keys[] = {
    {.name = "body",
     .type = LASHI_OBJECT,
     .offset = offsetof(lash_force_def, body),
     .targets = LASHI_BODIES,
     .doc = "the body it acts on"},
    {.name = "torque",
     .type = LASHI_EXPRESSION,
     .offset = offsetof(lash_force_def, torque),
     .unit = "N m",
     .space = LASHI_PLANE_ONLY,
     .doc = "counter-clockwise positive, an expression of t"},
    {.name = "torque",
     .type = LASHI_EXPRESSION_VECTOR,
     .offset = offsetof(lash_force_def, torques),
     .unit = "N m",
     .space = LASHI_SPACE_ONLY,
     .doc = "components, each an expression of t"},
    LASHI_FRAME_KEY(LASHI_SPACE_ONLY),
    {.name = "reaction",
     .type = LASHI_OBJECT,
     .offset = offsetof(lash_force_def, reaction),
     .targets = LASHI_BODIES | LASHI_GROUND,
     .fallback = "(ground)",
     .doc = "the body that takes the opposite torque"},
    {.name = NULL},
};

const lashi_force_kind lashi_force_torque = {
    .schema = {"torque", "A torque on a body, as a function of time.", .keys = keys},
    .inputs = {{"torque"}, {"tx", "ty", "tz"}},
    .input_unit = "N m",
    .compile = compile,
    .channels = channels,
    .value = lashi_torque_value,
};

#endif
