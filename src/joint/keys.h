/* SPDX-License-Identifier: MIT
 *
 * Keys that several joint types have.
 */
#ifndef LASHI_JOINT_KEYS_H
#define LASHI_JOINT_KEYS_H

#include <stddef.h>

#include "model/schema.h"

#define LASHI_BETWEEN_KEY(text)                                                                              \
    { .name = "between", .type = LASHI_POINT_PAIR, .offset = offsetof(lash_joint_def, between), .doc = text }

#define LASHI_AXIS_KEY(text)                                                                                 \
    {                                                                                                        \
        .name = "axis", .type = LASHI_VECTOR, .offset = offsetof(lash_joint_def, axis), .unit = "",          \
        .range = LASHI_NOT_ZERO, .doc = text                                                                 \
    }

/* In space: the direction on the second body. */
#define LASHI_SECOND_AXIS_KEY(text)                                                                          \
    {                                                                                                        \
        .name = "second_axis", .type = LASHI_VECTOR, .offset = offsetof(lash_joint_def, second_axis),        \
        .unit = "", .range = LASHI_NOT_ZERO, .fallback = "(as drawn)", .space = LASHI_SPACE_ONLY,            \
        .doc = text                                                                                          \
    }
#define LASHI_CROSS_AXIS_KEY(text)                                                                           \
    {                                                                                                        \
        .name = "second_axis", .type = LASHI_VECTOR, .offset = offsetof(lash_joint_def, second_axis),        \
        .unit = "", .range = LASHI_NOT_ZERO, .doc = text                                                     \
    }

/* Friction of the ideal joint. */
#define LASHI_FRICTION_KEY(kind)                                                                             \
    {                                                                                                        \
        .name = "friction", .type = LASHI_BLOCK, .offset = offsetof(lash_joint_def, friction), .unit = "",   \
        .fallback = "(no friction)", .block = &(kind), .present = offsetof(lash_joint_def, has_friction),    \
        .doc = "dry friction of the ideal joint, from the reaction it carries"                               \
    }

#define LASHI_PRESSURE_KEY                                                                                   \
    {                                                                                                        \
        .name = "pressure_angle", .type = LASHI_NUMBER, .offset = offsetof(lash_joint_def, pressure_angle),  \
        .unit = "rad", .range = LASHI_NOT_NEGATIVE, .fallback = "(0)", .space = LASHI_PLANE_ONLY,            \
        .instead = "in space the teeth transmit a moment, no force",                                         \
        .doc = "pressure angle of the teeth: they "                                                          \
               "drive the wheels apart with its tangent times the force along the pitch circle"              \
    }

#define LASHI_ANGLE_KEY                                                                                      \
    {                                                                                                        \
        .name = "angle", .type = LASHI_NUMBER, .offset = offsetof(lash_joint_def, angle), .unit = "rad",     \
        .fallback = "(as drawn)", .doc = "angle of the second body relative to the first"                    \
    }

#endif
