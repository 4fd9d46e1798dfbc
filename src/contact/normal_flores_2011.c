/* SPDX-License-Identifier: MIT
 *
 * Normal force law flores-2011: F = K delta^n (1 + h deltadot/v).
 *
 * h = 8(1 - e_r)/(5 e_r).
 *
 * For the whole range of e_r, a little too much damping throughout: 0.470 at e_r = 0.5, 0.894 at 0.9, 0.069
 * at 0.1.
 */
#include "contact/normal_laws.h"

static double damping(double e_r) {
    return 8 * (1 - e_r) / (5 * e_r);
}

const lashi_normal_law lashi_normal_flores_2011 = {
    .name = "flores-2011",
    .doc = "Flores and others",
    .reference = "P. Flores, M. Machado, M. T. Silva, J. M. Martins, On the continuous contact force models "
                 "for soft materials in multibody dynamics, Multibody Syst. Dyn. 25 (2011) 357-375",
    .family = LASHI_NORMAL_POWER,
    .exponent = 1.5,
    .damping = damping,
};
