/* SPDX-License-Identifier: MIT
 *
 * Friction law ambrosio (the papers'; P2 eq. 12, P4 eq. 29): mu = c_f c_d sign(v),
 *
 *     c_d = 0 for |v| <= v0,  (|v| - v0)/(v1 - v0) for v0 <= |v| <= v1,  1 for |v| >= v1.
 *
 * Coulomb friction with a dead zone that keeps the force from jumping where the sliding reverses. No
 * sticking: under a tangential load a contact creeps at v0 or faster. The slope jumps at v0 and v1.
 */
#include "contact/friction_laws.h"

static double ambrosio_coefficient(double *zdot, const lashi_friction *law, double v, double z) {
    (void)z;
    *zdot = 0;
    return lashi_friction_ramp(law->p, v);
}

static size_t ambrosio_kinks(lashi_friction_numbers *p) {
    p->kinks[0] = p->v0;
    p->kinks[1] = p->v1;
    return 2;
}

const lashi_friction_law lashi_friction_ambrosio = {
    .name = "ambrosio",
    .doc = "Coulomb with a dead zone below v0 and full friction above v1",
    .reference =
        "J. A. C. Ambrosio, Impact of rigid and flexible multibody systems: deformation description and "
        "contact models, in: Virtual Nonlinear Multibody Systems, NATO Science Series 103 (2003) 57-81",
    .needs = LASHI_FRICTION_DEAD_ZONE,
    .ramps = true,
    .coefficient = ambrosio_coefficient,
    .kinks = ambrosio_kinks,
};
