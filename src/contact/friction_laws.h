/* SPDX-License-Identifier: MIT
 *
 * The friction laws by name: what each friction_NAME.c defines. A new law is its file and one line here.
 */
#ifndef LASHI_FRICTION_LAWS_H
#define LASHI_FRICTION_LAWS_H

#include "contact/friction.h"

/* The list, in the order it is shown; the first is the default. */
#define LASHI_FRICTION_LAWS(X)                                                                               \
    X(none)                                                                                                  \
    X(coulomb)                                                                                               \
    X(ambrosio)                                                                                              \
    X(threlfall)                                                                                             \
    X(bengisu_akay)                                                                                          \
    X(stribeck)                                                                                              \
    X(lugre)

#define LASHI_FRICTION_DECLARE(law) extern const lashi_friction_law lashi_friction_##law;
LASHI_FRICTION_LAWS(LASHI_FRICTION_DECLARE)
#undef LASHI_FRICTION_DECLARE

#endif
