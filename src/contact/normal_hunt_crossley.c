/* SPDX-License-Identifier: MIT
 *
 * Normal force law hunt-crossley: F = K delta^n (1 + h deltadot/v).
 *
 * h = 3(1 - e_r)/2.
 *
 * First order in 1 - e_r: meant for e_r near 1. At e_r = 0.5 it really gives 0.663; h stays below 3/2, so no
 * request brings the restitution below 0.488.
 */
#include "contact/normal_laws.h"

static double damping(double e_r) {
    return 3 * (1 - e_r) / 2;
}

const lashi_normal_law lashi_normal_hunt_crossley = {
    .name = "hunt-crossley",
    .doc = "Hunt and Crossley",
    .reference = "K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in "
                 "vibroimpact, J. Appl. Mech. 42 (1975) 440-445",
    .family = LASHI_NORMAL_POWER,
    .exponent = 1.5,
    .damping = damping,
};
