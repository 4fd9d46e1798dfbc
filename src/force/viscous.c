/* SPDX-License-Identifier: MIT
 *
 * Viscous friction in a joint: Q = −b ċ along its coordinate; b ċ² is dissipated.
 */
#include "force/force.h"

#include <stddef.h>

void lashi_viscous_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                         const lashi_frame *frames, double t) {
    (void)t;
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&force->coordinate, frames);
    ledger->dissipation += force->damping * c.rate * c.rate;
    lashi_apply_along(g, &force->coordinate, &c, -force->damping * c.rate);
}

// What is recorded.
enum { VISCOUS_BRAKE, VISCOUS_COORDINATE, VISCOUS_RATE, VISCOUS_POWER };
double lashi_viscous_value(const lashi_force *force, const lashi_force_view *view, int channel) {
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&force->coordinate, view->frames);
    switch (channel) {
    case VISCOUS_BRAKE: return -force->damping * c.rate;
    case VISCOUS_COORDINATE: return c.value;
    case VISCOUS_RATE: return c.rate;
    default: return -force->damping * c.rate * c.rate;
    }
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_force_channel channels[] = {
    [VISCOUS_BRAKE] = {"torque|force", "N m|N", "what it does along the joint's coordinate"},
    [VISCOUS_COORDINATE] = {"angle|length", "rad|m", "the joint's coordinate"},
    [VISCOUS_RATE] = {"rate", "rad/s|m/s", "rate of the coordinate"},
    [VISCOUS_POWER] = {"power", "W", "power that it gives to the bodies; negative: lost"},
    {NULL}};

static lash_status compile(lashi_force *out, const lash_force_def *def, const lashi_force_context *context,
                           lash_error *error) {
    out->damping = def->damping;
    return lashi_force_coordinate(&out->coordinate, out, def->joint, def->coordinate, context, error);
}

static const lashi_key keys[] = {
    {.name = "joint",
     .type = LASHI_OBJECT,
     .offset = offsetof(lash_force_def, joint),
     .targets = LASHI_JOINTS,
     .doc = "the joint it brakes"},
    LASHI_WHICH_COORDINATE_KEY,
    {.name = "coefficient",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_force_def, damping),
     .unit = "N m s/rad|N s/m",
     .range = LASHI_NOT_NEGATIVE,
     .doc = "torque per rad/s of a revolute joint, force per m/s of a sliding one"},
    {.name = NULL},
};

const lashi_force_kind lashi_force_viscous = {
    .schema = {"viscous", "Viscous friction in a joint.", .keys = keys},
    .compile = compile,
    .channels = channels,
    .value = lashi_viscous_value,
};

#endif
