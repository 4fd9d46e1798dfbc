/* SPDX-License-Identifier: MIT
 *
 * The normal force laws by name: what each normal_NAME.c defines. A new law is its file and one line here.
 */
#ifndef LASHI_NORMAL_LAWS_H
#define LASHI_NORMAL_LAWS_H

#include "contact/normal.h"

/* The list, in the order it is shown; the first is the default. */
#define LASHI_NORMAL_LAWS(X)                                                                                 \
    X(lankarani_nikravesh)                                                                                   \
    X(hertz)                                                                                                 \
    X(hunt_crossley)                                                                                         \
    X(herbert_mcwhannell)                                                                                    \
    X(lee_wang)                                                                                              \
    X(gonthier)                                                                                              \
    X(zhiying_qishao)                                                                                        \
    X(flores_2011)                                                                                           \
    X(hu_guo)                                                                                                \
    X(exact)                                                                                                 \
    X(kelvin_voigt)                                                                                          \
    X(dubowsky_freudenstein)                                                                                 \
    X(goldsmith)                                                                                             \
    X(esdu_78035)                                                                                            \
    X(johnson)

#define LASHI_NORMAL_DECLARE(law) extern const lashi_normal_law lashi_normal_##law;
LASHI_NORMAL_LAWS(LASHI_NORMAL_DECLARE)
#undef LASHI_NORMAL_DECLARE

#endif
