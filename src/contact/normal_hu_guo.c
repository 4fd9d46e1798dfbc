/* SPDX-License-Identifier: MIT
 *
 * Normal force law hu-guo: F = K delta^n (1 + h deltadot/v).
 *
 * h = 3(1 - e_r)/(2 e_r).
 *
 * For the whole range of e_r, with the right slope at e_r = 1: 0.488 at e_r = 0.5, 0.900 at 0.9; a tenth too
 * low at 0.3, and worse below.
 */
#include "contact/normal_laws.h"

static double damping(double e_r) {
    return 3 * (1 - e_r) / (2 * e_r);
}

const lashi_normal_law lashi_normal_hu_guo = {
    .name = "hu-guo",
    .doc = "Hu and Guo",
    .reference = "S. Hu, X. Guo, A dissipative contact force model for impact analysis in multibody "
                 "dynamics, Multibody Syst. Dyn. 35 (2015) 131-151",
    .family = LASHI_NORMAL_POWER,
    .exponent = 1.5,
    .damping = damping,
};
