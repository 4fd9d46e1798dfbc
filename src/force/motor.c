/* SPDX-License-Identifier: MIT
 *
 * Motor: a torque or force along a joint's coordinate, the opposite on the first body. Its value is made of
 * signals (model/motor.h); its power is input.
 */
#include "force/force.h"

#include <stddef.h>

#include "model/fields.h"

void lashi_motor_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                       const lashi_frame *frames, double t) {
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&force->coordinate, frames);
    const double Q = lashi_force_value(force, 0, frames, t);
    lashi_apply_along(g, &force->coordinate, &c, Q);
    ledger->input += Q * c.rate;
}

// What is recorded.
enum { MOTOR_TORQUE, MOTOR_ANGLE, MOTOR_RATE, MOTOR_POWER };
double lashi_motor_value(const lashi_force *force, const lashi_force_view *view, int channel) {
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&force->coordinate, view->frames);
    const double Q = lashi_force_value(force, 0, view->frames, view->t);
    return channel == MOTOR_TORQUE  ? Q
           : channel == MOTOR_ANGLE ? c.value
           : channel == MOTOR_RATE  ? c.rate
                                    : Q * c.rate;
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_force_channel channels[] = {
    [MOTOR_TORQUE] = {"torque|force", "N m|N", "what the motor gives along the coordinate"},
    [MOTOR_ANGLE] = {"angle|length", "rad|m", "the coordinate"},
    [MOTOR_RATE] = {"rate", "rad/s|m/s", "its rate"},
    [MOTOR_POWER] = {"power", "W", "power that the motor gives to the bodies"},
    {NULL}};

static lash_status compile(lashi_force *out, const lash_force_def *def, const lashi_force_context *context,
                           lash_error *error) {
    out->expression[0] = def->actuator;
    return lashi_force_coordinate(&out->coordinate, out, def->joint, def->coordinate, context, error);
}

#define DEF lash_control_def
#define CONTROL_KEYS(of, gain, integral_gain)                                                                \
    {FIELD("to", LASHI_EXPRESSION, to, of, LASHI_ANY, NULL, "the setpoint")},                                \
        NUMBER("kp", kp, gain, LASHI_NOT_NEGATIVE, "0", "gain of the error, setpoint minus value"),          \
        NUMBER("ki", ki, integral_gain, LASHI_NOT_NEGATIVE, "0", "gain of its integral"),                    \
        NUMBER("limit", limit, "N m|N", LASHI_POSITIVE, "(none)",                                            \
               "largest torque or force that it asks for, along the coordinate"),                            \
        NUMBER("windup", windup, "s", LASHI_POSITIVE, "(kp/ki)",                                             \
               "time constant with which the integral is drawn back while the motor gives less than is "     \
               "asked for"),                                                                                 \
        NUMBER("every", every, "s", LASHI_POSITIVE, "(it works all the time)", "time from sample to sample")
static const lashi_key position_keys[] = {
    CONTROL_KEYS("rad|m", "N m/rad|N/m", "N m/rad/s|N/m/s"),
    NUMBER("kd", kd, "N m s/rad|N s/m", LASHI_NOT_NEGATIVE, "0", "gain of the error's rate"),
    {0}};
static const lashi_key speed_keys[] = {CONTROL_KEYS("rad/s|m/s", "N m s/rad|N s/m", "N m/rad|N/m"), {0}};
static const lashi_kind position_block = {"position", "A controller of the joint's coordinate.",
                                          .keys = position_keys};
static const lashi_kind speed_block = {"speed", "A controller of the coordinate's rate.", .keys = speed_keys};
#undef DEF

#define DEF lash_force_def
static const lashi_key keys[] = {
    {.name = "joint",
     .type = LASHI_OBJECT,
     .offset = offsetof(lash_force_def, joint),
     .targets = LASHI_JOINTS,
     .doc = "the joint that it drives"},
    LASHI_WHICH_COORDINATE_KEY,
    NUMBER("gear", motor.gear, "|rad/m", LASHI_NOT_ZERO, "1",
           "turns of the motor per turn of the joint; of a sliding joint its angle per travel"),
    {FIELD("rotor_inertia", LASHI_NUMBER, motor.rotor_inertia, "kg m^2", LASHI_NOT_NEGATIVE, "0",
           "of the rotor, for a joint of the ground"),
     .space = LASHI_PLANE_ONLY, .instead = "in space make the rotor a body of its own"},
    NUMBER("stall_torque", motor.stall_torque, "N m", LASHI_POSITIVE, "(from the nominal point, or none)",
           "torque at rest"),
    NUMBER("no_load_speed", motor.no_load_speed, "rad/s", LASHI_POSITIVE, "(from the nominal point, or none)",
           "speed without torque: a straight line joins both"),
    NUMBER("nominal_torque", motor.nominal_torque, "N m", LASHI_POSITIVE, "(none)",
           "of a point on that line"),
    NUMBER("nominal_speed", motor.nominal_speed, "rad/s", LASHI_POSITIVE, "(none)", "of the same point"),
    {FIELD("curve", LASHI_TABLE, motor.curve, "rad/s,N m", LASHI_ANY, "(the line)", "torque over speed")},
    {FIELD("voltage", LASHI_EXPRESSION, motor.voltage, "", LASHI_ANY, "1",
           "share of the full voltage, -1 to 1")},
    NUMBER("torque_constant", motor.torque_constant, "N m/A", LASHI_POSITIVE, "(none)", "torque per current"),
    NUMBER("current_limit", motor.current_limit, "A", LASHI_POSITIVE, "(none)", "most current, either way"),
    {FIELD("position", LASHI_BLOCK, motor.position, "", LASHI_ANY, "(none)", "controls the coordinate"),
     .block = &position_block, .present = offsetof(lash_force_def, motor.has_position)},
    {FIELD("speed", LASHI_BLOCK, motor.speed, "", LASHI_ANY, "(none)", "controls its rate"),
     .block = &speed_block, .present = offsetof(lash_force_def, motor.has_speed)},
    {.name = NULL},
};
#undef DEF

const lashi_force_kind lashi_force_motor = {
    .schema =
        {"motor",
         "A motor that drives a joint by torque: by its curve of torque over speed, or as its controller "
         "asks.",
         .keys = keys},
    .inputs = {{"torque"}, {"torque"}},
    .compile = compile,
    .channels = channels,
    .value = lashi_motor_value,
};

#endif
