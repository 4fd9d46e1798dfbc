/* SPDX-License-Identifier: MIT
 *
 * The worn surfaces of a system, for callers (lash/wear.h).
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "lash/wear.h"
#include "system/system.h"

lashi_contact *lashi_worn_contact(const lash_system *system, size_t index) {
    for (int k = 0; system && k < system->contact_count; k++)
        if (system->contacts[k].worn && index-- == 0)
            return &system->contacts[k];
    return NULL;
}

size_t lash_system_worn_count(const lash_system *system) {
    size_t count = 0;
    while (lashi_worn_contact(system, count))
        count++;
    return count;
}

lash_worn_info lash_system_worn(const lash_system *system, size_t index) {
    const lashi_contact *contact = lashi_worn_contact(system, index);
    if (!contact)
        return (lash_worn_info){0};
    const lashi_contact_numbers *p = contact->p;
    return (lash_worn_info){.joint = contact->name,
                            .sectors = (size_t)contact->worn->bearing.sectors,
                            .clearance = p->size.clearance,
                            .radius = {p->size.bearing_radius, p->size.journal_radius},
                            .length = p->worn_length,
                            .k = p->wear,
                            .depth = {p->worn[0], p->worn[1]},
                            .profile = {contact->worn->bearing.a, contact->worn->journal.a}};
}

lash_status lash_system_set_worn(lash_system *system, size_t index, const double *bearing,
                                 const double *journal, lash_error *error) {
    const lashi_contact *contact = lashi_worn_contact(system, index);
    const double *from[] = {bearing, journal};
    if (!contact || !bearing || !journal)
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "profiles need a joint of the system that wears, and coefficients for both parts");
    lashi_surface *to[] = {&contact->worn->bearing, &contact->worn->journal};
    for (int part = 0; part < LASH_WORN_PARTS; part++)
        for (int s = 0; s < to[part]->sectors; s++)
            if (!(from[part][s] >= 0) || !isfinite(from[part][s]))
                return lashi_fail(error, LASH_ERROR_USAGE,
                                  "joint '%s': coefficient %d of its %s is %g m; worn depths are 0 or more",
                                  contact->name, s, part ? "journal" : "bearing", from[part][s]);
    for (int part = 0; part < LASH_WORN_PARTS; part++)
        memcpy(to[part]->a, from[part], (size_t)to[part]->sectors * sizeof(double));
    lashi_worn_prepare(contact->worn);
    return LASH_OK;
}

double lash_worn_depth(const double *profile, size_t sectors, double angle) {
    if (!profile || !sectors)
        return (double)NAN;
    // The surface only reads them.
    const lashi_surface surface = {(int)sectors, (double *)(uintptr_t)profile};
    return lashi_surface_at(&surface, angle).h;
}

double lash_worn_play(const lash_worn_info *worn) {
    if (!worn || !worn->profile[0])
        return (double)NAN;
    double play = worn->clearance;
    for (int part = 0; part < LASH_WORN_PARTS; part++) {
        double deepest = 0;
        for (size_t s = 0; s < worn->sectors; s++)
            deepest = fmax(deepest, lash_worn_depth(worn->profile[part], worn->sectors,
                                                    6.283185307179586 * (double)s / (double)worn->sectors));
        play += deepest;
    }
    return play;
}
