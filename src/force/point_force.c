/* SPDX-License-Identifier: MIT
 *
 * Point force: components as functions of time, in ground or body axes, at a point of a body.
 * Its power F·ṙ_P is input.
 */
#include "force/force.h"

#include <stddef.h>
#include <string.h>

/* Its components in ground axes. */
static lashi_vec3 pull(const lashi_force *force, const lashi_frame *frames, double t) {
    const lashi_frame *j = &frames[force->body[1]];
    lashi_vec3 F = {lashi_force_value(force, 0, frames, t), lashi_force_value(force, 1, frames, t), 0};
    if (force->spatial) {
        F.z = lashi_force_value(force, 2, frames, t);
        return force->in_body_axes ? lashi_from_user_axes(force, j, F) : F;
    }
    if (force->in_body_axes) {
        const lashi_vec2 turned = lashi_turn(j, (lashi_vec2){F.x, F.y});
        F = (lashi_vec3){turned.x, turned.y, 0};
    }
    return F;
}

static void pull_in_space(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                          const lashi_frame *frames, double t) {
    const lashi_frame *j = &frames[force->body[1]];
    const lashi_vec3 S = lashi_turn3(j->A, force->s3[1]), none = {0, 0, 0};
    const lashi_vec3 F = pull(force, frames, t);
    lashi_apply_at3(g[force->body[1]], j, S, F, none);
    ledger->input += lashi_dot3(F, lashi_velocity_at3(j, S));
}

void lashi_point_force_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                             const lashi_frame *frames, double t) {
    if (force->spatial) {
        pull_in_space(g, ledger, force, frames, t);
        return;
    }
    const lashi_frame *j = &frames[force->body[1]];
    const lashi_vec2 S = lashi_turn(j, force->s[1]);
    const lashi_vec3 F = pull(force, frames, t);
    lashi_apply_at(g[force->body[1]], S, (lashi_vec2){F.x, F.y});
    ledger->input += F.x * (j->vx - j->w * S.y) + F.y * (j->vy + j->w * S.x);
}

// What is recorded.
enum { POINT_FORCE_SIZE, POINT_FORCE_X, POINT_FORCE_Y, POINT_FORCE_Z, POINT_FORCE_POWER };
double lashi_point_force_value(const lashi_force *force, const lashi_force_view *view, int channel) {
    lashi_ledger ledger = {0};
    const lashi_vec3 F = pull(force, view->frames, view->t);
    switch (channel) {
    case POINT_FORCE_SIZE: return lashi_length3(F);
    case POINT_FORCE_X: return F.x;
    case POINT_FORCE_Y: return F.y;
    case POINT_FORCE_Z: return F.z;
    default:
        lashi_point_force_apply(view->scratch, &ledger, force, view->frames, view->t);
        return ledger.input;
    }
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_force_channel channels[] = {
    [POINT_FORCE_SIZE] = {"force", "N", "size of the force"},
    [POINT_FORCE_X] = {"fx", "N", "the force along x, ground axes"},
    [POINT_FORCE_Y] = {"fy", "N", "the force along y, ground axes"},
    [POINT_FORCE_Z] = {"fz", "N", "the force along z, ground axes", LASHI_SPACE_ONLY},
    [POINT_FORCE_POWER] = {"power", "W", "power that the force brings in"},
    {NULL}};

static lash_status compile(lashi_force *out, const lash_force_def *def, const lashi_force_context *context,
                           lash_error *error) {
    for (int k = 0; k < 3; k++)
        out->expression[k] = def->force[k];
    out->in_body_axes = strcmp(def->frame, "body") == 0;
    const lash_status status = lashi_force_point(out, 1, def->at, context, error);
    if (!status)
        lashi_force_own_axes(out, context);
    return status;
}

static const lashi_key keys[] = {
    {.name = "at",
     .type = LASHI_POINT,
     .offset = offsetof(lash_force_def, at),
     .doc = "the point it acts on"},
    {.name = "force",
     .type = LASHI_EXPRESSION_VECTOR,
     .offset = offsetof(lash_force_def, force),
     .unit = "N",
     .doc = "components, each an expression of t"},
    LASHI_FRAME_KEY(LASHI_BOTH_SPACES),
    {.name = NULL},
};

const lashi_force_kind lashi_force_point_force = {
    .schema = {"force", "A force at a point, as a function of time.", .keys = keys},
    .inputs = {{"fx", "fy"}, {"fx", "fy", "fz"}},
    .input_unit = "N",
    .compile = compile,
    .channels = channels,
    .value = lashi_point_force_value,
};

#endif
