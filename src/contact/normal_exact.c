/* SPDX-License-Identifier: MIT
 *
 * Normal force law exact: F = K delta^n (1 + h deltadot/v) with the h that gives the restitution asked for.
 *
 * h solves h(1 + e_r) = ln((1 + h)/(1 - h e_r)): restitution.c derives it. A free two-body impact then
 * rebounds with e_r itself, whatever K, n, mass and speed. In a mechanism other forces act during the impact,
 * and rebounds differ by as much as those forces count beside the contact force.
 */
#include "contact/normal_laws.h"

#include "contact/restitution.h"

const lashi_normal_law lashi_normal_exact = {
    .name = "exact",
    .doc = "the damping that really gives the restitution asked for",
    .reference =
        "root of the energy balance of a free impact; cf. Y. Zhang, I. Sharf, Validation of nonlinear "
        "viscoelastic contact force models for low speed impact, J. Appl. Mech. 76 (2009) 051002",
    .family = LASHI_NORMAL_POWER,
    .exponent = 1.5,
    .damping = lashi_restitution_damping,
};
