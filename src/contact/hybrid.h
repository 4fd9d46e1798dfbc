/* SPDX-License-Identifier: MIT
 *
 * Film and dry contact together (P4 eq. 35): the film alone up to e = c, the dry contact alone beyond
 * e = c + e0, the weighted mean between:
 *
 *     F = (1 - w) F_film + w F_dry,   w = (e - c)/e0 kept within 0 and 1.
 *
 * The film is that of the clearance c + e1, so that it is finite over the whole transition: e1 > e0. Force
 * and moments are continuous; their slope jumps at e = c and at e = c + e0, which the loop locates as events.
 *
 * Energy. The elastic part of the weighted dry force depends on delta = e - c alone and has the potential
 *     U_h(delta) = integral_0^delta w F_el,
 * and what is lost is (1 - w) of the film's power and w of the contact's damping and friction: with these the
 * ledger closes as without the mean.
 */
#ifndef LASHI_HYBRID_H
#define LASHI_HYBRID_H

#include "contact/normal.h"
#include "lash/status.h"

/* Numbers only. */
typedef struct lashi_hybrid {
    double e0; /* m, width of the transition */
    double e1; /* m, added to the clearance of the film */
} lashi_hybrid;

/* Checks 0 < e0 < e1 for the radial clearance c. */
lash_status lashi_hybrid_compile(lashi_hybrid *out, double e0, double e1, double clearance,
                                 lash_error *error);

/* w of the dry contact at delta = e - c. */
static inline double lashi_hybrid_weight(const lashi_hybrid *hybrid, double delta) {
    double w = delta / hybrid->e0;
    return w > 0 ? (w < 1 ? w : 1) : 0;
}

/* One force or moment or power out of both. */
static inline double lashi_hybrid_mean(double weight, double film, double dry) {
    return (1 - weight) * film + weight * dry;
}

/* U_h(delta), J. */
double lashi_hybrid_energy(const lashi_hybrid *hybrid, const lashi_normal *law, double delta);

#endif
