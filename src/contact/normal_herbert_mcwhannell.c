/* SPDX-License-Identifier: MIT
 *
 * Normal force law herbert-mcwhannell: F = K delta^n (1 + h deltadot/v).
 *
 * h = 6(1 - e_r)/((2 e_r - 1)^2 + 3).
 *
 * Agrees with Hunt-Crossley at e_r = 0 and e_r = 1 and damps more between: 0.594 at e_r = 0.5, 0.901 at 0.9.
 * h stays below 3/2, so no request brings the restitution below 0.488.
 */
#include "contact/normal_laws.h"

static double damping(double e_r) {
    return 6 * (1 - e_r) / ((2 * e_r - 1) * (2 * e_r - 1) + 3);
}

const lashi_normal_law lashi_normal_herbert_mcwhannell = {
    .name = "herbert-mcwhannell",
    .doc = "Herbert and McWhannell",
    .reference = "R. G. Herbert, D. C. McWhannell, Shape and frequency composition of pulses from an impact "
                 "pair, J. Eng. Ind. 99 (1977) 513-518",
    .family = LASHI_NORMAL_POWER,
    .exponent = 1.5,
    .damping = damping,
};
