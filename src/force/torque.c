/* SPDX-License-Identifier: MIT
 *
 * Torque on a body as a function of time; the opposite acts on another body if one is named. Its power is
 * input.
 */
#include "force/force.h"

#include <stddef.h>

void lashi_torque_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                        const lashi_frame *frames, double t) {
    const double T = lashi_expression_value(force->expression[0], t);
    g[force->body[1]][2] += T;
    g[force->body[0]][2] -= T;
    ledger->input += T * (frames[force->body[1]].w - frames[force->body[0]].w);
}

static lash_status compile(lashi_force *out, const lash_force_def *def, const lashi_force_context *context,
                           lash_error *error) {
    out->expression[0] = def->torque;
    const lash_status status = lashi_force_point(out, 1, def->body, context, error);
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
     .doc = "counter-clockwise positive, an expression of t"},
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
    .compile = compile,
};
