/* SPDX-License-Identifier: MIT
 *
 * Normal force law gonthier: F = K delta^n (1 + h deltadot/v).
 *
 * h = (1 - e_r^2)/e_r.
 *
 * Has the limit h -> 1/e_r for e_r -> 0 of the exact root and is close to it for soft contacts (0.488 at e_r
 * = 0.5, 0.304 at 0.3). Near e_r = 1 it damps by a third too much (h -> 2(1 - e_r) where 3/2 (1 - e_r) is
 * right).
 */
#include "contact/normal_laws.h"

static double damping(double e_r) {
    return (1 - e_r * e_r) / e_r;
}

const lashi_normal_law lashi_normal_gonthier = {
    .name = "gonthier",
    .doc = "Gonthier and others",
    .reference =
        "Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedboeuf, A regularized contact model with asymmetric "
        "damping and dwell-time dependent friction, Multibody Syst. Dyn. 11 (2004) 209-233",
    .family = LASHI_NORMAL_POWER,
    .exponent = 1.5,
    .damping = damping,
};
