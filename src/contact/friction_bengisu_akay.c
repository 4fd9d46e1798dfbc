/* SPDX-License-Identifier: MIT
 *
 * Friction law bengisu-akay: a parabola up to the static coefficient, then a decay to the kinetic one,
 *
 *     mu = mu_s (1 - (|v| - v_r)^2/v_r^2) sign(v)                       for |v| <= v_r,
 *     mu = (mu_k + (mu_s - mu_k) exp(-(|v| - v_r)/v_s)) sign(v)         for |v| >= v_r.
 *
 * v_s (stribeck_speed) is 1/xi of the paper. The law has no sticking: below v_r a loaded contact creeps. The
 * slope jumps at v_r, from 0 to -(mu_s - mu_k)/v_s.
 */
#include "contact/friction_laws.h"

static double bengisu_akay_coefficient(double *zdot, const lashi_friction *law, double v, double z) {
    (void)z;
    *zdot = 0;
    double past = fabs(v) - law->p->vr;
    double mu =
        past < 0 ? law->p->still * (1 - (past / law->p->vr) * (past / law->p->vr))
                 : law->p->kinetic + (law->p->still - law->p->kinetic) * exp(-past / law->p->stribeck_speed);
    return copysign(mu, v);
}

static size_t bengisu_akay_kinks(lashi_friction_numbers *p) {
    p->kinks[0] = p->vr;
    return 1;
}

const lashi_friction_law lashi_friction_bengisu_akay = {
    .name = "bengisu-akay",
    .doc = "parabolic rise to the static coefficient, exponential fall to the kinetic one",
    .reference = "M. T. Bengisu, A. Akay, Stability of friction-induced vibrations in "
                 "multi-degree-of-freedom systems, "
                 "J. Sound Vib. 171 (1994) 557-570",
    .needs = LASHI_FRICTION_TRANSITION | LASHI_FRICTION_STATIC,
    .coefficient = bengisu_akay_coefficient,
    .kinks = bengisu_akay_kinks,
};
