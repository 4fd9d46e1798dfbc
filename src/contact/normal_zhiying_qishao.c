/* SPDX-License-Identifier: MIT
 *
 * Normal force law zhiying-qishao: F = K delta^n (1 + h deltadot/v).
 *
 * h = 3/4 (1 - e_r^2) exp(2(1 - e_r)).
 *
 * Lankarani-Nikravesh with a correction that grows for soft contacts; h <= 3 e^2/4 = 5.54, so restitutions
 * below about 0.18 cannot be had.
 */
#include "contact/normal_laws.h"

#include <math.h>

static double damping(double e_r) {
    return 0.75 * (1 - e_r * e_r) * exp(2 * (1 - e_r));
}

const lashi_normal_law lashi_normal_zhiying_qishao = {
    .name = "zhiying-qishao",
    .doc = "Zhiying and Qishao",
    .reference = "Q. Zhiying, L. Qishao, Analysis of impact process based on restitution coefficient, J. "
                 "Dyn. Control 4 (2006) 294-298",
    .family = LASHI_NORMAL_POWER,
    .exponent = 1.5,
    .damping = damping,
};
