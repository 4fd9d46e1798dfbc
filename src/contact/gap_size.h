/* SPDX-License-Identifier: MIT
 *
 * The sizes of a round gap, pin in bearing or ball in socket, from what the user wrote: the one place where
 * radii and clearances are completed.
 *
 * i carries the bearing (radius R_i), j the journal (R_j); c = R_i − R_j > 0. Forces act at material points
 * on the line through the centres, at the distance R_j from P_j and a from P_i (docs/physics.md, section 2):
 *     common   a = R_j + |e|   both at P_j + R_j n: action and reaction at one point
 *     own      a = R_i         each on its own surface, as in the papers; the two points are δ apart, so that the
 *                              pair has the couple δ F_T and angular momentum is not kept
 * A rigid rotation ω of both bodies slides by 0 at the common point, by ω δ at the own
 * ones. Without penetration R_i = R_j + |e|, and both are the same.
 */
#ifndef LASHI_GAP_SIZE_H
#define LASHI_GAP_SIZE_H

#include <math.h>

#include "lash/model.h"

typedef enum lashi_sliding { LASHI_SLIDING_MATERIAL, LASHI_SLIDING_GEOMETRIC } lashi_sliding;

/* Numbers only. */
typedef struct lashi_gap_size {
    double bearing_radius;       /* m, R_i */
    double journal_radius;       /* m, R_j */
    double clearance;            /* m, c: as given, not a difference of radii where it was given itself */
    double journal_arm;          /* m, R_j; of the shoulders of a pin 0 */
    double bearing_arm, carried; /* a = bearing_arm + carried |e|: R_i and 0, or R_j and 1 */
} lashi_gap_size;

/* Sizes from the definition: exactly one of journal_radius, radial and diametric is set. */
lash_status lashi_gap_size_compile(lashi_gap_size *out, const lash_clearance_def *def, lash_error *error);
/* Which sliding speed friction uses. */
lash_status lashi_sliding_compile(lashi_sliding *out, const lash_clearance_def *def, lash_error *error);

#endif
