/* SPDX-License-Identifier: MIT
 *
 * Friction law threlfall: mu = c_f c_d sign(v),
 *
 *     c_d = 1 - exp(-3|v|/v_r) for |v| <= v_r,  1 - exp(-3) = 0.9502 for |v| >= v_r.
 *
 * The upper value is printed as 0.95; the unrounded one keeps the force continuous. Full Coulomb friction is
 * never reached: c_f is 5 % more than the coefficient that acts. No sticking. The slope jumps at v_r.
 */
#include "contact/friction_laws.h"

static double threlfall_coefficient(double *zdot, const lashi_friction *law, double v, double z) {
    (void)z;
    *zdot = 0;
    double ratio = fmin(fabs(v) / law->p->vr, 1);
    return copysign(-law->p->kinetic * expm1(-3 * ratio), v);
}

static size_t threlfall_kinks(lashi_friction_numbers *p) {
    p->kinks[0] = p->vr;
    return 1;
}

const lashi_friction_law lashi_friction_threlfall = {
    .name = "threlfall",
    .doc = "Coulomb with an exponential rise up to vr",
    .reference =
        "D. C. Threlfall, The inclusion of Coulomb friction in mechanisms programs with particular reference "
        "to DRAM, Mech. Mach. Theory 13 (1978) 475-483",
    .needs = LASHI_FRICTION_TRANSITION,
    .coefficient = threlfall_coefficient,
    .kinks = threlfall_kinks,
};
