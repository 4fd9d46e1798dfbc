/* SPDX-License-Identifier: MIT
 *
 * Normal force law goldsmith: a pin in a hole, per length (P4 eq. 26 with m = 1),
 *
 *     delta = F s/L (ln(L c/(F R_i R_j s)) + 1),   s = sigma_i + sigma_j, sigma = (1 - nu^2)/(pi E).
 *
 * The argument of the logarithm has the dimension 1/m^2: the law changes with the unit of length. It is kept
 * because the literature compares with it, is evaluated in SI units, and warns. Ends at delta_e = c/(R_i R_j)
 * in SI numbers.
 */
#include "contact/normal_laws.h"

static lashi_cylinder_law cylinder(const lashi_cylinder_data *d) {
    double a = d->compliance / d->length;
    double b = d->length * d->clearance / (d->bearing_radius * d->journal_radius * d->compliance);
    return lashi_cylinder_from(a, b, 1);
}

const lashi_normal_law lashi_normal_goldsmith = {
    .name = "goldsmith",
    .doc = "cylinders, implicit; dimensionally inconsistent, kept for comparison",
    .reference = "W. Goldsmith, Impact, Edward Arnold, London (1960)",
    .family = LASHI_NORMAL_CYLINDER,
    .cylinder = cylinder,
    .warning = "the law goldsmith is dimensionally inconsistent (its logarithm holds 1/m^2): its force "
               "depends on the "
               "unit of length, here the metre; dubowsky-freudenstein is the consistent form",
};
