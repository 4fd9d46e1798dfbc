/* SPDX-License-Identifier: MIT
 *
 * Motors as signals. With c the coordinate, w = gear ċ the motor's speed, and the torque at full voltage
 *   T(w) = stall (1 − w/no_load), or the table,
 * a motor by itself gives gear T(w), with a voltage u gear stall (u − w/no_load). One with a controller gives
 * what that asks for, between gear T(w) and −gear T(−w), ± gear torque_constant current_limit, and ± limit.
 * The integral of a controller that is limited follows back: d(sum)/dt = e + (output − demand)/(ki windup).
 */
#include "model/motor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/expression.h"
#include "math/program.h"

bool lashi_motor_line(double *stall, double *no_load, const lash_motor_def *motor) {
    *stall = motor->stall_torque;
    *no_load = motor->no_load_speed;
    const double torque = motor->nominal_torque, speed = motor->nominal_speed;
    if (isnan(*stall) && *no_load > speed && torque > 0)
        *stall = torque / (1 - speed / *no_load);
    if (isnan(*no_load) && *stall > torque && speed > 0)
        *no_load = speed / (1 - torque / *stall);
    return *stall > 0 && *no_load > 0;
}

/* ---- signals ---- */

typedef struct maker {
    lash_model *model;
    const char *name;
    const lash_motor_def *motor;
    lash_status status;
    lash_error *error;
} maker;

/* A text of the model's; "" with the status set when out of memory. */
__attribute__((format(printf, 2, 3))) static const char *print(maker *m, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    const char *kept = length < 0 ? NULL : lashi_arena_copy_text(&m->model->arena, text);
    if (length >= 0)
        free(text);
    if (!kept)
        m->status = lashi_fail_memory(m->error);
    return kept ? kept : "";
}

/* An expression of plain SI numbers from a text. */
static lash_expression *make(maker *m, const char *text) {
    lash_expression *out = NULL;
    const lashi_scope scope = {.of = LASHI_OF_STATE, .curve = m->motor->curve != NULL};
    const lash_table **holder = lashi_arena_alloc(&m->model->arena, 1, sizeof *holder);
    if (!m->status && !holder)
        m->status = lashi_fail_memory(m->error);
    if (!m->status)
        m->status = lashi_expression_compile(&out, text, &scope, m->error);
    if (out && m->motor->curve) {
        *holder = m->motor->curve;
        out->tables = holder;
    }
    return out;
}

/* MOTOR.suffix. */
static void add(maker *m, const char *suffix, lash_signal_def def, const char *unit) {
    const char *name = lashi_arena_print(&m->model->arena, "%s.%s", m->name, suffix);
    def.unit = unit;
    if (!m->status && !name)
        m->status = lashi_fail_memory(m->error);
    if (!m->status) {
        m->status = lashi_model_add_own_signal(m->model, name, &def, m->error);
        return;
    }
    lash_expression_destroy(def.value);
    lash_expression_destroy(def.integral);
    lash_expression_destroy(def.hold);
}

static lash_signal_def of_value(lash_expression *value) {
    lash_signal_def def = lash_signal_default();
    def.value = value;
    return def;
}

/* x between two others. */
static const char *between(maker *m, const char *x, const char *low, const char *high) {
    return print(m, "min(max(%s, %s), %s)", x, low, high);
}

static const char *within(maker *m, const char *x, double most) {
    return between(m, x, print(m, "-%.17g", most), print(m, "%.17g", most));
}

static void add_control(maker *m, lash_control_def *c, bool slides) {
    const bool position = m->motor->has_position, sampled = c->every > 0;
    const char *n = m->name, *force = slides ? "N" : "N m",
               *unit = position ? (slides ? "m" : "rad")
                       : slides ? "m/s"
                                : "rad/s";
    add(m, "setpoint", of_value(c->to), unit);
    add(m, "error",
        of_value(make(m, print(m, "%s.setpoint - %s.%s", n, n, position ? "coordinate" : "rate"))), unit);
    const char *demand = print(m, "%.17g*%s.error", c->kp, n);
    if (position && c->kd > 0)
        demand = print(m, "%s + %.17g*(rate(%s.setpoint) - %s.rate)", demand, c->kd, n, n);
    if (c->ki > 0) {
        const double windup = c->windup > 0 ? c->windup : c->kp > 0 ? c->kp / c->ki : 1;
        const char *grows = print(m, "%s.error + (%s.output - %s.demand)/%.17g", n, n, n, c->ki * windup);
        demand = print(m, "%s + %.17g*%s.sum", demand, c->ki, n);
        lash_signal_def def = lash_signal_default();
        if (sampled) {
            def.hold = make(m, print(m, "%s.sum + %.17g*(%s)", n, c->every, grows));
            def.every = c->every;
        } else {
            def.integral = make(m, grows);
        }
        add(m, "sum", def, position ? (slides ? "m s" : "s") : slides ? "m" : "rad");
    }
    lash_signal_def def = of_value(make(m, demand));
    if (sampled) {
        def.hold = def.value;
        def.value = NULL;
        def.every = c->every;
    }
    add(m, "demand", def, force);
}

lash_status lashi_motor_expand(lash_model *model, const char *name, lash_force_def *def, lash_error *error) {
    lash_motor_def *motor = &def->motor;
    maker made = {model, name, motor, LASH_OK, error}, *m = &made;
    const size_t joint = def->joint ? lashi_model_find_joint(model, def->joint) : LASHI_NONE;
    const char *type = joint == LASHI_NONE ? NULL : model->joints[joint].def.type;
    const bool slides = type && (lashi_joint_coordinate(type) == 't' ||
                                 (def->coordinate && strcmp(def->coordinate, "travel") == 0));
    const char *force = slides ? "N" : "N m";
    double stall, no_load;
    const bool line = lashi_motor_line(&stall, &no_load, motor);
    lash_control_def *control = motor->has_position ? &motor->position
                                : motor->has_speed  ? &motor->speed
                                                    : NULL;
    if ((!line && !motor->curve && !control) || (control && !control->to) ||
        (motor->voltage && (control || motor->curve)) || (motor->has_position && motor->has_speed))
        return LASH_OK; // the check says so
    const double gear = motor->gear, slope = stall / no_load;
    const char *speed = print(m, "(%.17g*%s.rate)", gear, name), *low = NULL, *high = NULL, *torque = NULL;
    if (motor->curve) {
        high = print(m, "%.17g*curve(%s)", gear, speed);
        low = print(m, "-%.17g*curve(-%s)", gear, speed);
    } else if (line) {
        high = print(m, "%.17g*(%.17g - %.17g*%s)", gear, stall, slope, speed);
        low = print(m, "%.17g*(-%.17g - %.17g*%s)", gear, stall, slope, speed);
    }
    if (control) {
        add_control(m, control, slides);
        torque = print(m, "%s.demand", name);
        if (high)
            torque = gear > 0 ? between(m, torque, low, high) : between(m, torque, high, low);
        if (control->limit > 0)
            torque = within(m, torque, control->limit);
    } else if (motor->voltage && line && !motor->curve) {
        add(m, "voltage", of_value(motor->voltage), "");
        torque = print(m, "%.17g*(%.17g*%s.voltage - %.17g*%s)", gear, stall, name, slope, speed);
    } else {
        torque = high;
    }
    if (motor->current_limit > 0 && motor->torque_constant > 0)
        torque = within(m, torque, fabs(gear) * motor->torque_constant * motor->current_limit);
    add(m, "output", of_value(make(m, torque)), force);
    if (motor->torque_constant > 0)
        add(m, "current", of_value(make(m, print(m, "%s.output/%.17g", name, gear * motor->torque_constant))),
            "A");
    def->actuator = make(m, print(m, "%s.output", name));
    if (!def->actuator) // the expressions are the signals' all the same
        motor->voltage = motor->position.to = motor->speed.to = NULL;
    return m->status;
}

/* ---- the check ---- */

static void check_control(lashi_check *check, lashi_subject subject, const char *block,
                          const lash_control_def *control) {
    char path[64];
    if (!(control->kp > 0) && !(control->ki > 0)) {
        snprintf(path, sizeof path, "%s.kp", block);
        lashi_complain(check, subject, path, "%s: a controller needs kp or ki above zero", block);
    }
}

void lashi_check_motor(lashi_check *check, const lashi_named_force *force) {
    const lash_motor_def *motor = &force->def.motor;
    const lashi_subject subject = {"force", force->name};
    double stall, no_load;
    const int points = !isnan(motor->stall_torque) + !isnan(motor->no_load_speed) +
                       (!isnan(motor->nominal_torque) || !isnan(motor->nominal_speed));
    static const char *const decisive[] = {"stall_torque",  "no_load_speed",   "nominal_torque",
                                           "nominal_speed", "curve",           "position",
                                           "speed",         "torque_constant", "current_limit"};
    for (size_t i = 0; i < sizeof decisive / sizeof *decisive; i++)
        if (lashi_was_bad(check, subject, decisive[i]))
            return;
    if (motor->has_position && motor->has_speed)
        lashi_complain(check, subject, "speed", "a motor follows a position or a speed, not both");
    if (motor->curve && points > 0)
        lashi_complain(check, subject, "curve",
                       "the torque over speed is given twice: by its curve and by numbers; give one of them");
    else if (!motor->curve && points > 0 && !lashi_motor_line(&stall, &no_load, motor))
        lashi_complain(check, subject, points == 1 ? "" : "nominal_torque",
                       "the line from stall_torque to no_load_speed needs two points: two of stall_torque, "
                       "no_load_speed, and nominal_torque with nominal_speed, which must lie between them");
    else if (points > 2)
        lashi_complain(check, subject, "nominal_torque",
                       "the line from stall_torque to no_load_speed is given by both its ends already; leave "
                       "nominal_torque and nominal_speed out");
    if (!motor->curve && points == 0 && !motor->has_position && !motor->has_speed)
        lashi_complain(
            check, subject, "",
            "a motor needs its torque over speed (stall_torque and no_load_speed, or curve), or what "
            "it follows (position or speed)");
    if (motor->voltage && (motor->curve || motor->has_position || motor->has_speed))
        lashi_complain(check, subject, "voltage",
                       "voltage is for a motor by stall_torque and no_load_speed without a controller");
    if (!isnan(motor->current_limit) && isnan(motor->torque_constant))
        lashi_complain(check, subject, "current_limit",
                       "current_limit needs torque_constant, which makes a torque of a current");
    if (motor->has_position)
        check_control(check, subject, "position", &motor->position);
    if (motor->has_speed)
        check_control(check, subject, "speed", &motor->speed);
    if (motor->rotor_inertia > 0 && force->def.joint) {
        const size_t joint = lashi_model_find_joint(check->model, force->def.joint);
        size_t ends[2] = {1, 1};
        double at[3];
        for (int k = 0; joint != LASHI_NONE && k < 2; k++)
            lashi_model_find_point(&ends[k], at, check->model, check->model->joints[joint].def.between[k]);
        if (joint != LASHI_NONE && ends[0] != LASHI_GROUND_BODY && ends[1] != LASHI_GROUND_BODY)
            lashi_complain(
                check, subject, "rotor_inertia",
                "rotor_inertia is for a motor on the ground; between two moving bodies make the rotor "
                "a body of its own, coupled by a gear");
    }
}
