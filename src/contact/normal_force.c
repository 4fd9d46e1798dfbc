/* SPDX-License-Identifier: MIT
 *
 * Normal contact force: elastic energy, stiffness, and the damping of laws that are not scaled by the speed
 * at first touch.
 */
#include "contact/normal.h"

static double cylinder_energy(const lashi_cylinder_law *law, double delta) {
    double y = delta / law->delta_limit, scale = law->force_limit * law->delta_limit;
    if (!(y < 1))
        return scale * (0.25 + (y - 1));
    double w = lashi_cylinder_w(y), x = y / (1 + w);
    return scale * x * x * (2 * w + 1) / 4;
}

double lashi_normal_energy(const lashi_normal *law, double delta) {
    if (!(delta > 0))
        return 0;
    if (law->family == LASHI_NORMAL_CYLINDER)
        return cylinder_energy(&law->p->cylinder, delta);
    return lashi_normal_elastic(law, delta) * delta / (law->p->exponent + 1);
}

double lashi_normal_factor(const lashi_normal *law, double delta, double deltadot, const lashi_onset *onset) {
    if (law->scale == LASHI_SCALE_BRANCH)
        return onset->unloading ? law->p->unloading : 1;
    const double U = lashi_normal_energy(law, delta);
    const double v_e = sqrt(deltadot * deltadot + 2 * onset->inverse_mass * U);
    return 1 + law->p->h * (deltadot / (v_e > law->p->speed_floor ? v_e : law->p->speed_floor));
}

/* Of the bounded law: |deltadot| > v_e/h, and v_e is no less than |deltadot|. */
double lashi_normal_cut(const lashi_normal *law, double delta, const lashi_onset *onset) {
    const double h = law->p->h, floor = law->p->speed_floor;
    switch (law->scale) {
    case LASHI_SCALE_FIRST: return h > 0 ? -fmax(onset->speed, floor) / h : -INFINITY;
    case LASHI_SCALE_ENERGY: {
        const double U = lashi_normal_energy(law, delta);
        return h > 1 ? -fmax(floor / h, sqrt(2 * onset->inverse_mass * U / (h * h - 1))) : -INFINITY;
    }
    case LASHI_SCALE_VISCOUS:
        return law->p->viscous > 0 ? -lashi_normal_elastic(law, delta) / law->p->viscous : -INFINITY;
    case LASHI_SCALE_BRANCH: break;
    }
    return -INFINITY;
}

lashi_normal_result lashi_normal_viscous(const lashi_normal *law, double delta, double deltadot) {
    lashi_normal_result result = {.elastic = lashi_normal_elastic(law, delta)};
    const double force = result.elastic + law->p->viscous * deltadot;
    result.force = force > 0 ? force : 0;
    result.damping_power = (result.force - result.elastic) * deltadot;
    return result;
}

double lashi_normal_stiffness(const lashi_normal *law, double delta) {
    if (!(delta > 0))
        return 0;
    if (law->family != LASHI_NORMAL_CYLINDER)
        return law->p->exponent * lashi_normal_elastic(law, delta) / delta;
    double y = delta / law->p->cylinder.delta_limit;
    if (!(y < 1))
        return 0;
    return law->p->cylinder.force_limit / law->p->cylinder.delta_limit / lashi_cylinder_w(y);
}
