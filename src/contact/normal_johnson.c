/* SPDX-License-Identifier: MIT
 *
 * Normal force law johnson: a cylinder in a cylindrical hole, per length,
 *
 *     delta = F/(pi E* L) (ln(4 pi E* L c/F) - 1),   1/E* = (1 - nu_i^2)/E_i + (1 - nu_j^2)/E_j.
 *
 * In the other cylinder laws' notation 1/(pi E*) = sigma_i + sigma_j. Static, elastic; may carry a damping
 * factor. Ends at delta_e = 4c/exp(2) = 0.541 c, where its stiffness is infinite: heavy loads and small play
 * leave its range.
 */
#include "contact/normal_laws.h"

static lashi_cylinder_law cylinder(const lashi_cylinder_data *d) {
    double a = d->compliance / d->length;
    double b = 4 * d->length * d->clearance / d->compliance;
    return lashi_cylinder_from(a, b, -1);
}

const lashi_normal_law lashi_normal_johnson = {
    .name = "johnson",
    .doc = "cylinders, implicit; ends at an indentation of 0.54 c",
    .reference = "K. L. Johnson, Contact Mechanics, Cambridge University Press (1985), section 5.6",
    .family = LASHI_NORMAL_CYLINDER,
    .cylinder = cylinder,
};
