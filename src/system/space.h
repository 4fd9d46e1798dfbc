/* SPDX-License-Identifier: MIT
 *
 * Bodies and joints in space: see space.c.
 */
#ifndef LASHI_SYSTEM_SPACE_H
#define LASHI_SYSTEM_SPACE_H

#include "system/system.h"

/* Masses, principal axes and initial coordinates of a body from its definition. */
lash_status lashi_body_in_space(lash_system *system, int body, lash_error *error);
/* A vector in the user's axes of a body, in its principal axes. */
lashi_vec3 lashi_to_principal(const lash_system *system, int body, const double user[3]);
/* Points and triads of a joint from its definition and the frames as drawn; at: the points in user axes. */
lash_status lashi_geometry_compile(lashi_geometry *out, const lash_system *system,
                                   const lashi_named_joint *named, const int body[LASHI_SLOTS],
                                   const double at[LASHI_SLOTS][3], const lashi_joint_form *form,
                                   const lashi_frame *frames, lash_error *error);

#endif
