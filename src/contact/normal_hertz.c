/* SPDX-License-Identifier: MIT
 *
 * Normal force law hertz: F = K delta^n.
 *
 * F = K delta^n, n = 1.5 (P4 eq. 22).
 *
 * Two elastic half-spaces touching over a small ellipse, no friction, static. Loses nothing: every free
 * impact rebounds with e = 1, whatever restitution is asked for. The stiffness K is that of spheres, which a
 * journal of similar radius is not; P4 section 3.3 says why it is used all the same.
 */
#include "contact/normal_laws.h"

const lashi_normal_law lashi_normal_hertz = {
    .name = "hertz",
    .doc = "Hertz: elastic, no loss",
    .reference =
        "H. Hertz, Ueber die Beruehrung fester elastischer Koerper, J. reine angew. Math. 92 (1882) 156-171",
    .family = LASHI_NORMAL_POWER,
    .exponent = 1.5,
    .damping = NULL,
};
