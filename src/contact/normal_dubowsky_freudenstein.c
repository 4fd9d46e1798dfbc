/* SPDX-License-Identifier: MIT
 *
 * Normal force law dubowsky-freudenstein: a pin in a hole, per length (P4 eq. 26 with m = 3),
 *
 *     delta = F s/L (ln(L^3 c/(F R_i R_j s)) + 1),   s = sigma_i + sigma_j, sigma = (1 - nu^2)/(pi E).
 *
 * Static, elastic; may carry a damping factor. Ends at delta_e = c L^2/(R_i R_j), where its stiffness is
 * infinite.
 */
#include "contact/normal_laws.h"

static lashi_cylinder_law cylinder(const lashi_cylinder_data *d) {
    double a = d->compliance / d->length;
    double b = d->length * d->length * d->length * d->clearance /
               (d->bearing_radius * d->journal_radius * d->compliance);
    return lashi_cylinder_from(a, b, 1);
}

const lashi_normal_law lashi_normal_dubowsky_freudenstein = {
    .name = "dubowsky-freudenstein",
    .doc = "cylinders of finite length, implicit",
    .reference =
        "S. Dubowsky, F. Freudenstein, Dynamic analysis of mechanical systems with clearances, Part 1, "
        "J. Eng. Ind. 93 (1971) 305-309",
    .family = LASHI_NORMAL_CYLINDER,
    .cylinder = cylinder,
};
