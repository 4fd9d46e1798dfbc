/* SPDX-License-Identifier: MIT
 *
 * Surfaces that wear: what a compiled system has of them, and what a sim has worn off.
 *
 * A profile is a worn depth over the angle in the part's own axes: a periodic sum of cubic B-splines, one for
 * each of `sectors` equal sectors, with the coefficients a_s at 2π s/sectors. Its integral over the angle is
 * (2π/sectors) Σ a_s. In a sim the profiles stay as they are; what it wears off is counted, sector by sector.
 * To go on with more wear: read it, add it to the profiles, and begin another sim.
 */
#ifndef LASH_WEAR_H
#define LASH_WEAR_H

#include "lash/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parts of a joint. */
enum { LASH_BEARING, LASH_JOURNAL, LASH_WORN_PARTS };

/* A joint with worn surfaces, or with such that wear. */
typedef struct lash_worn_info {
    const char *joint;
    size_t sectors;
    double clearance;                       /* m, radial, as new */
    double radius[LASH_WORN_PARTS], length; /* m; the length is NaN where nothing wears */
    double k;                               /* m²/N, worn volume per load and sliding distance; 0: none */
    double depth[LASH_WORN_PARTS];          /* 1/m², of a coefficient per worn volume in its sector */
    const double *profile[LASH_WORN_PARTS]; /* m, [sectors] coefficients, ≥ 0 */
} lash_worn_info;

size_t lash_system_worn_count(const lash_system *system);
/* All zeros past the end. */
lash_worn_info lash_system_worn(const lash_system *system, size_t index);
/* Other profiles for a joint, m, [sectors] each, every coefficient 0 or more. No sim of the system may be at
 * work meanwhile; those that exist are to be begun anew. */
lash_status lash_system_set_worn(lash_system *system, size_t index, const double *bearing,
                                 const double *journal, lash_error *error);

/* m, the depth of a profile at an angle, rad. */
double lash_worn_depth(const double *profile, size_t sectors, double angle);
/* m, the radial play where both parts are worn most. */
double lash_worn_play(const lash_worn_info *worn);

/* What a sim has worn off a joint so far, m³; in `bearing` and `journal` what each sector has of it,
 * [sectors] each, which may be NULL. NaN: no such joint. */
double lash_sim_worn(double *bearing, double *journal, const lash_sim *sim, size_t index);

#ifdef __cplusplus
}
#endif
#endif
