/* SPDX-License-Identifier: MIT
 *
 * A motor is made of signals: what its controller asks for, and what it gives. They are those of the model,
 * so that limits and corners of its curve are switches like all others, its integral is a state like all
 * others, and each can be recorded and used: MOTOR.setpoint, .error, .demand, .output, .current.
 */
#ifndef LASHI_MOTOR_H
#define LASHI_MOTOR_H

#include "model/check.h"

/* The line of a motor by its two ends; false: it has none, or one that is given in parts. */
bool lashi_motor_line(double *stall, double *no_load, const lash_motor_def *motor);
/* Adds its signals to the model; the torque becomes def->actuator. A motor that the check refuses gets none.
 */
lash_status lashi_motor_expand(lash_model *model, const char *name, lash_force_def *def, lash_error *error);
void lashi_check_motor(lashi_check *check, const lashi_named_force *force);

#endif
