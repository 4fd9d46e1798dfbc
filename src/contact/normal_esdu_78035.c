/* SPDX-License-Identifier: MIT
 *
 * Normal force law esdu-78035: a pin in a hole, per length (P4 eq. 27),
 *
 *     delta = F s/L (ln(4 L c/(F s)) + 1),   s = sigma_i + sigma_j, sigma = (1 - nu^2)/(pi E).
 *
 * Static, elastic; may carry a damping factor. Ends at delta_e = 4c, where its stiffness is infinite.
 */
#include "contact/normal_laws.h"

static lashi_cylinder_law cylinder(const lashi_cylinder_data *d) {
    double a = d->compliance / d->length;
    double b = 4 * d->length * d->clearance / d->compliance;
    return lashi_cylinder_from(a, b, 1);
}

const lashi_normal_law lashi_normal_esdu_78035 = {
    .name = "esdu-78035",
    .doc = "cylinders, rectangular contact, implicit",
    .reference =
        "ESDU 78035, Contact phenomena I: stresses, deflections and contact dimensions for normally loaded "
        "unlubricated elastic components, Engineering Sciences Data Unit, London (1978)",
    .family = LASHI_NORMAL_CYLINDER,
    .cylinder = cylinder,
};
