/* SPDX-License-Identifier: MIT
 *
 * Friction law none: F_T = 0.
 */
#include "contact/friction_laws.h"

static double none_coefficient(double *zdot, const lashi_friction *law, double v, double z) {
    (void)law;
    (void)v;
    (void)z;
    *zdot = 0;
    return 0;
}

const lashi_friction_law lashi_friction_none = {
    .name = "none",
    .doc = "no friction",
    .reference = "",
    .coefficient = none_coefficient,
};
