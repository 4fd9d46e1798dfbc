/* SPDX-License-Identifier: MIT
 *
 * Load given by a table over a joint's coordinate, such as the gas force over the crank angle: it acts at a
 * point along a fixed ground direction, or along the coordinate of a joint. Its power is input.
 */
#include "base/error.h"
#include "force/force.h"

#include <math.h>
#include <stddef.h>

void lashi_load_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                      const lashi_frame *frames, double t) {
    (void)t;
    const double value =
        lashi_force_read(ledger, force, lashi_coordinate_evaluate(&force->over, frames).value);
    if (force->body[1] == 0) { // along the coordinate of a joint
        const lashi_coordinate_state c = lashi_coordinate_evaluate(&force->coordinate, frames);
        lashi_apply_along(g, &force->coordinate, &c, value);
        ledger->input += value * c.rate;
        return;
    }
    const lashi_frame *j = &frames[force->body[1]];
    if (force->spatial) {
        const lashi_vec3 at = lashi_turn3(j->A, force->s3[1]), none = {0, 0, 0},
                         push = lashi_scale3(value, force->direction3);
        lashi_apply_at3(g[force->body[1]], j, at, push, none);
        ledger->input += lashi_dot3(push, lashi_velocity_at3(j, at));
        return;
    }
    const lashi_vec2 S = lashi_turn(j, force->s[1]), F = lashi_scale(value, force->direction);
    lashi_apply_at(g[force->body[1]], S, F);
    ledger->input += F.x * (j->vx - j->w * S.y) + F.y * (j->vy + j->w * S.x);
}

static lashi_reading load_reading(const lashi_force *force, const lashi_frame *frames) {
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&force->over, frames);
    return (lashi_reading){c.value, c.rate, force->over.type == LASHI_COORDINATE_ANGLE};
}

// What is recorded.
enum { LOAD_LOAD, LOAD_COORDINATE, LOAD_RATE, LOAD_POWER, LOAD_TABLE };
double lashi_load_value(const lashi_force *force, const lashi_force_view *view, int channel) {
    lashi_ledger ledger = {0};
    const lashi_reading at = load_reading(force, view->frames);
    switch (channel) {
    case LOAD_COORDINATE: return at.x;
    case LOAD_RATE: return at.rate;
    case LOAD_POWER:
        lashi_load_apply(view->scratch, &ledger, force, view->frames, view->t);
        return ledger.input;
    default: return lashi_force_read(&ledger, force, at.x);
    }
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_force_channel channels[] = {
    [LOAD_LOAD] = {"torque|force", "N m|N", "the load, along its direction or its joint's coordinate"},
    [LOAD_COORDINATE] = {"angle|length", "rad|m", "coordinate at which the table is read", .of_over = true},
    [LOAD_RATE] = {"rate", "rad/s|m/s", "rate of that coordinate", .of_over = true},
    [LOAD_POWER] = {"power", "W", "power that the load brings in"},
    [LOAD_TABLE] = {"table", "N m|N", "value of its table"},
    {NULL}};

static lash_status compile(lashi_force *out, const lash_force_def *def, const lashi_force_context *context,
                           lash_error *error) {
    lash_status status = lashi_force_coordinate(&out->over, out, def->over, NULL, context, error);
    if (status)
        return status;
    out->table = def->table;
    if ((def->at != NULL) == (def->joint != NULL))
        return lashi_fail_at(
            error, LASH_ERROR_MODEL, (double)NAN, out->name,
            "load '%s': give either `at` with `direction` (a force at a point) or `joint` (along "
            "its coordinate)",
            out->name);
    if (def->joint)
        return lashi_force_coordinate(&out->coordinate, out, def->joint, NULL, context, error);
    const lashi_vec3 direction = lashi_vec3_of(def->direction);
    const double length =
        out->spatial ? lashi_length3(direction) : hypot(def->direction[0], def->direction[1]);
    if (!(length > 0))
        return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, out->name,
                             "load '%s': `direction` is missing or zero; give for example direction: [1, 0]",
                             out->name);
    out->direction = (lashi_vec2){def->direction[0] / length, def->direction[1] / length};
    out->direction3 = lashi_scale3(1 / length, direction);
    status = lashi_force_point(out, 1, def->at, context, error);
    if (!status && out->body[1] == 0)
        status =
            lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, out->name,
                          "load '%s': a load on ground has no effect; name a point of a body", out->name);
    return status;
}

static const lashi_key keys[] = {
    {.name = "over",
     .type = LASHI_OBJECT,
     .offset = offsetof(lash_force_def, over),
     .targets = LASHI_JOINTS,
     .doc = "the joint at whose coordinate the table is read"},
    {.name = "table",
     .type = LASHI_TABLE,
     .offset = offsetof(lash_force_def, table),
     .unit = "rad|m,N m|N",
     .doc = "force or torque over the coordinate"},
    {.name = "period",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_force_def, period),
     .unit = "rad|m",
     .range = LASHI_POSITIVE,
     .fallback = "(not periodic)",
     .doc =
         "the table repeats with this period of the coordinate, for example 4*pi for a four-stroke engine"},
    {.name = "at",
     .type = LASHI_POINT,
     .offset = offsetof(lash_force_def, at),
     .fallback = "(none)",
     .doc = "point the force acts on"},
    {.name = "direction",
     .type = LASHI_VECTOR,
     .offset = offsetof(lash_force_def, direction),
     .unit = "",
     .fallback = "(none)",
     .doc = "direction of a positive force, in ground axes; any length"},
    {.name = "joint",
     .type = LASHI_OBJECT,
     .offset = offsetof(lash_force_def, joint),
     .targets = LASHI_JOINTS,
     .fallback = "(none)",
     .doc = "instead of `at`: joint whose coordinate the load acts along"},
    {.name = NULL},
};

const lashi_force_kind lashi_force_load = {
    .schema = {"load",
               "A load given by a table over a joint's coordinate, such as a gas force over crank angle.",
               .keys = keys},
    .compile = compile,
    .reading = load_reading,
    .channels = channels,
    .value = lashi_load_value,
};

#endif
