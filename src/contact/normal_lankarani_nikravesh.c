/* SPDX-License-Identifier: MIT
 *
 * Normal force law lankarani-nikravesh: F = K delta^n (1 + h deltadot/v).
 *
 * h = 3(1 - e_r^2)/4 (P1 eq. 15, P4 eq. 25).
 *
 * From equating the loss of a full impact to the hysteresis of an undamped one: right to first order in 1 -
 * e_r, hence for hard contacts. At e_r = 0.5 it really gives 0.725, at 0.9 0.913; h stays below 3/4, so no
 * request brings the restitution below 0.663.
 */
#include "contact/normal_laws.h"

static double damping(double e_r) {
    return 3 * (1 - e_r * e_r) / 4;
}

const lashi_normal_law lashi_normal_lankarani_nikravesh = {
    .name = "lankarani-nikravesh",
    .doc = "Lankarani and Nikravesh, the law of the papers",
    .reference = "H. M. Lankarani, P. E. Nikravesh, A contact force model with hysteresis damping for impact "
                 "analysis of multibody systems, J. Mech. Des. 112 (1990) 369-376",
    .family = LASHI_NORMAL_POWER,
    .exponent = 1.5,
    .damping = damping,
};
