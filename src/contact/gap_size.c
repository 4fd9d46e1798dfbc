/* SPDX-License-Identifier: MIT
 *
 * Sizes of the gap from what the user wrote.
 */
#include "contact/gap_size.h"

#include <string.h>

#include "base/error.h"

/* Where the forces act. */
static void set_arms(lashi_gap_size *gap, bool own) {
    gap->journal_arm = gap->journal_radius;
    gap->bearing_arm = own ? gap->bearing_radius : gap->journal_radius;
    gap->carried = own ? 0 : 1;
}

lash_status lashi_gap_size_compile(lashi_gap_size *out, const lash_clearance_def *def, lash_error *error) {
    *out = (lashi_gap_size){0};
    int given = !isnan(def->journal_radius) + !isnan(def->radial) + !isnan(def->diametric);
    if (given != 1)
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "%s of journal_radius, radial and diametric %s given: the play needs exactly one",
                          given ? "more than one" : "none", given ? "are" : "is");
    const bool own = def->contact.points && strcmp(def->contact.points, "own") == 0;
    if (def->contact.points && !own && strcmp(def->contact.points, "common") != 0)
        return lashi_fail(error, LASH_ERROR_MODEL, "contact.points is '%s': it is 'common' or 'own'",
                          def->contact.points);
    // Contact as a constraint needs no radii: without them the journal is a point in a ring of radius c.
    const bool rigid = def->model && strcmp(def->model, "compliant") != 0;
    if (rigid && isnan(def->bearing_radius) && isnan(def->journal_radius)) {
        const double radial = !isnan(def->radial) ? def->radial : def->diametric / 2;
        *out = (lashi_gap_size){.bearing_radius = radial, .clearance = radial};
        set_arms(out, own);
        return radial > 0 ? LASH_OK
                          : lashi_fail(error, LASH_ERROR_MODEL,
                                       "the radial clearance is %g m: it must be positive", radial);
    }
    if (!(def->bearing_radius > 0) || !isfinite(def->bearing_radius))
        return lashi_fail(error, LASH_ERROR_MODEL, "bearing_radius is %g m: it must be positive",
                          def->bearing_radius);

    double c = !isnan(def->radial)      ? def->radial
               : !isnan(def->diametric) ? def->diametric / 2
                                        : def->bearing_radius - def->journal_radius;
    double journal = !isnan(def->journal_radius) ? def->journal_radius : def->bearing_radius - c;
    if (!(c > 0))
        return lashi_fail(
            error, LASH_ERROR_MODEL,
            "the radial clearance is %g m: it must be positive (the journal must be smaller than the "
            "bearing); delete the clearance block for an ideal joint",
            c);
    if (!(journal > 0))
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "the journal radius is %g m: the clearance must be smaller than the bearing radius",
                          journal);

    *out = (lashi_gap_size){.bearing_radius = def->bearing_radius, .journal_radius = journal, .clearance = c};
    set_arms(out, own);
    return LASH_OK;
}

lash_status lashi_sliding_compile(lashi_sliding *out, const lash_clearance_def *def, lash_error *error) {
    *out = def->sliding && strcmp(def->sliding, "geometric") == 0 ? LASHI_SLIDING_GEOMETRIC
                                                                  : LASHI_SLIDING_MATERIAL;
    if (def->sliding && *out == LASHI_SLIDING_MATERIAL && strcmp(def->sliding, "material") != 0)
        return lashi_fail(error, LASH_ERROR_MODEL, "sliding is '%s': it is 'material' or 'geometric'",
                          def->sliding);
    return LASH_OK;
}
