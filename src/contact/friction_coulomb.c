/* SPDX-License-Identifier: MIT
 *
 * Friction law coulomb, set-valued:
 *
 *     |F_T| <= mu_s F_N where nothing slides,   F_T = -mu F_N sign(v) where it does.
 *
 * The force at rest is not a function of the state here: it is what keeps the parts together, and is found
 * with the accelerations (dynamics/rubbing.c); which of the two holds is part of the state and changes at
 * located instants (sim/sticking.c). So this function gives nothing.
 */
#include "contact/friction_laws.h"

static double coulomb_coefficient(double *zdot, const lashi_friction *law, double v, double z) {
    (void)law;
    (void)v;
    (void)z;
    *zdot = 0;
    return 0;
}

const lashi_friction_law lashi_friction_coulomb = {
    .name = "coulomb",
    .doc =
        "exact: sticking up to the static coefficient, sliding with the kinetic one; both located as events",
    .reference = "C. A. Coulomb, Theorie des machines simples, Mem. Math. Phys. Acad. Sci. 10 (1785) 161-332",
    .needs = LASHI_FRICTION_STATIC,
    .sticks = true,
    .coefficient = coulomb_coefficient,
};
