/* SPDX-License-Identifier: MIT
 *
 * Normal force law lee-wang: F = K delta^n (1 + h deltadot/v).
 *
 * h = 3(1 - e_r)/4.
 *
 * Half of Hunt-Crossley: loses about half of what is asked even for e_r near 1 (slope of e at 1 is 1/2, not
 * 1).
 */
#include "contact/normal_laws.h"

static double damping(double e_r) {
    return 3 * (1 - e_r) / 4;
}

const lashi_normal_law lashi_normal_lee_wang = {
    .name = "lee-wang",
    .doc = "Lee and Wang",
    .reference = "T. W. Lee, A. C. Wang, On the dynamics of intermittent-motion mechanisms, Part 1, J. Mech. "
                 "Transm. Autom. Des. 105 (1983) 534-540",
    .family = LASHI_NORMAL_POWER,
    .exponent = 1.5,
    .damping = damping,
};
