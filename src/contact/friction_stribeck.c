/* SPDX-License-Identifier: MIT
 *
 * Friction law stribeck: static, falling and viscous friction, smooth through rest,
 *
 *     mu = (mu_k + (mu_s - mu_k) exp(-(v/v_s)^2)) tanh(v/v_r) + sigma_2 v.
 *
 * tanh stands for the sign, so that the force is smooth everywhere; v_r well below v_s leaves the curve
 * itself untouched beyond a few v_r. No sticking.
 */
#include "contact/friction_laws.h"

static double stribeck_coefficient(double *zdot, const lashi_friction *law, double v, double z) {
    (void)z;
    *zdot = 0;
    return lashi_stribeck_curve(law, v) * tanh(v / law->p->vr) + law->p->viscous * v;
}

const lashi_friction_law lashi_friction_stribeck = {
    .name = "stribeck",
    .doc = "static, falling and viscous friction, smooth through rest",
    .reference =
        "B. Armstrong-Helouvry, P. Dupont, C. Canudas de Wit, A survey of models, analysis tools and "
        "compensation methods for the control of machines with friction, Automatica 30 (1994) 1083-1138",
    .needs = LASHI_FRICTION_TRANSITION | LASHI_FRICTION_STATIC | LASHI_FRICTION_VISCOUS,
    .coefficient = stribeck_coefficient,
};
