/* SPDX-License-Identifier: MIT
 *
 * Spring–damper–actuator along a joint's coordinate c (angle or travel):
 *   Q = −k (c − c0) − table(c − c0) − d ċ + actuator(t)
 * on the second body, the opposite on the first. Energies as in spring.c.
 */
#include "force/force.h"

#include <math.h>
#include <stddef.h>

/* Q at a state of the coordinate, and its share of the ledger. */
static double along(lashi_ledger *ledger, const lashi_force *force, const lashi_frame *frames,
                    const lashi_coordinate_state *c, double t) {
    const double x = c->value - force->rest;
    double Q = -force->stiffness * x - force->damping * c->rate;
    ledger->elastic += 0.5 * force->stiffness * x * x;
    ledger->dissipation += force->damping * c->rate * c->rate;
    if (force->table) {
        Q -= lashi_force_read(ledger, force, x);
        ledger->elastic += lashi_table_integral(force->table, x) - force->stored;
    }
    if (force->expression[0]) {
        const double push = lashi_force_value(force, 0, frames, t);
        Q += push;
        ledger->input += push * c->rate;
    }
    return Q;
}

void lashi_joint_spring_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                              const lashi_frame *frames, double t) {
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&force->coordinate, frames);
    lashi_apply_along(g, &force->coordinate, &c, along(ledger, force, frames, &c, t));
}

// What is recorded.
enum {
    JOINT_SPRING_PUSH,
    JOINT_SPRING_COORDINATE,
    JOINT_SPRING_RATE,
    JOINT_SPRING_POWER,
    JOINT_SPRING_ENERGY,
    JOINT_SPRING_TABLE
};
double lashi_joint_spring_value(const lashi_force *force, const lashi_force_view *view, int channel) {
    lashi_ledger ledger = {0};
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&force->coordinate, view->frames);
    const double Q = along(&ledger, force, view->frames, &c, view->t);
    switch (channel) {
    case JOINT_SPRING_PUSH: return Q;
    case JOINT_SPRING_COORDINATE: return c.value;
    case JOINT_SPRING_RATE: return c.rate;
    case JOINT_SPRING_POWER: return Q * c.rate;
    case JOINT_SPRING_ENERGY: return ledger.elastic;
    default: return lashi_force_read(&ledger, force, c.value - force->rest);
    }
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static lashi_reading reading(const lashi_force *force, const lashi_frame *frames) {
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&force->coordinate, frames);
    return (lashi_reading){c.value - force->rest, c.rate, force->coordinate.type == LASHI_COORDINATE_ANGLE};
}

static const lashi_force_channel channels[] = {
    [JOINT_SPRING_PUSH] = {"torque|force", "N m|N", "what it does along the joint's coordinate"},
    [JOINT_SPRING_COORDINATE] = {"angle|length", "rad|m", "the joint's coordinate"},
    [JOINT_SPRING_RATE] = {"rate", "rad/s|m/s", "rate of the coordinate"},
    [JOINT_SPRING_POWER] = {"power", "W", "power that the element gives to the bodies"},
    [JOINT_SPRING_ENERGY] = {"energy", "J", "energy stored in it"},
    [JOINT_SPRING_TABLE] = {"table", "N m|N", "value of its table", .with_table = true},
    {NULL}};

static lash_status compile(lashi_force *out, const lash_force_def *def, const lashi_force_context *context,
                           lash_error *error) {
    const lash_status status =
        lashi_force_coordinate(&out->coordinate, out, def->joint, def->coordinate, context, error);
    if (status)
        return status;
    out->stiffness = def->stiffness;
    out->damping = def->damping;
    out->expression[0] = def->actuator;
    lashi_force_table(out, def->table);
    out->rest = isnan(def->free_angle) ? lashi_coordinate_evaluate(&out->coordinate, context->frames).value
                                       : def->free_angle;
    return LASH_OK;
}

static const lashi_key keys[] = {
    {.name = "joint",
     .type = LASHI_OBJECT,
     .offset = offsetof(lash_force_def, joint),
     .targets = LASHI_JOINTS,
     .doc = "the joint whose coordinate it acts on"},
    LASHI_WHICH_COORDINATE_KEY,
    {.name = "stiffness",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_force_def, stiffness),
     .unit = "N m/rad|N/m",
     .fallback = "0",
     .doc = "per rad of a revolute joint or m of a sliding one"},
    {.name = "damping",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_force_def, damping),
     .unit = "N m s/rad|N s/m",
     .range = LASHI_NOT_NEGATIVE,
     .fallback = "0",
     .doc = "per rad/s or m/s"},
    {.name = "free",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_force_def, free_angle),
     .unit = "rad|m",
     .fallback = "(as drawn)",
     .doc = "value of the coordinate without force"},
    {.name = "actuator",
     .type = LASHI_EXPRESSION,
     .offset = offsetof(lash_force_def, actuator),
     .unit = "N m|N",
     .fallback = "(none)",
     .doc = "a torque or force that increases the coordinate, an expression of t"},
    {.name = "table",
     .type = LASHI_TABLE,
     .offset = offsetof(lash_force_def, table),
     .unit = "rad|m,N m|N",
     .fallback = "(none)",
     .doc = "a restoring torque or force over the deflection, added to the linear part"},
    {.name = NULL},
};

const lashi_force_kind lashi_force_joint_spring = {
    .schema = {"joint-spring",
               "A spring, damper and actuator along a joint's coordinate (rotational or sliding).",
               .keys = keys},
    .inputs = {{"actuator"}, {"actuator"}},
    .compile = compile,
    .reading = reading,
    .channels = channels,
    .value = lashi_joint_spring_value,
};

#endif
