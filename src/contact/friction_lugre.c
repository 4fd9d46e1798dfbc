/* SPDX-License-Identifier: MIT
 *
 * Friction law lugre: bristles of deflection z (m), per unit normal force,
 *
 *     zdot = v - sigma_0 |v| z/g(v),   mu = sigma_0 z + sigma_1 zdot + sigma_2 v,
 *     g(v) = mu_k + (mu_s - mu_k) exp(-(v/v_s)^2).
 *
 * Sticks, with stiffness sigma_0 F_N and damping sigma_1 F_N. Steady sliding gives g(v) sign(v) + sigma_2 v.
 * |z| stays within mu_s/sigma_0. The bristles store sigma_0 z^2/2 per unit normal force, so F_T v_T may be
 * positive for a moment; mu v - d/dt(sigma_0 z^2/2) >= 0 while sigma_1 |v| <= 4 g(v), and at every speed when
 * mu_s = mu_k. The memory z does not see F_N: a contact begins with z = 0 (lashi_friction.bristle). z relaxes
 * at the rate sigma_0 |v|/g, which makes fast sliding stiff. The slope of zdot jumps at v = 0.
 */
#include "contact/friction_laws.h"

static double lugre_coefficient(double *zdot, const lashi_friction *law, double v, double z) {
    *zdot = v - law->p->sigma0 * fabs(v) * z / lashi_stribeck_curve(law, v);
    return law->p->sigma0 * z + law->p->sigma1 * *zdot + law->p->viscous * v;
}

static size_t lugre_kinks(lashi_friction_numbers *p) {
    p->kinks[0] = 0;
    return 1;
}

const lashi_friction_law lashi_friction_lugre = {
    .name = "lugre",
    .doc = "bristle model with sticking; one state per joint",
    .reference =
        "C. Canudas de Wit, H. Olsson, K. J. Astrom, P. Lischinsky, A new model for control of systems with "
        "friction, IEEE Trans. Autom. Control 40 (1995) 419-425",
    .needs = LASHI_FRICTION_STATIC | LASHI_FRICTION_VISCOUS | LASHI_FRICTION_BRISTLE,
    .coefficient = lugre_coefficient,
    .kinks = lugre_kinks,
};
