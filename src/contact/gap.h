/* SPDX-License-Identifier: MIT
 *
 * The gap of a joint with play: from the relative motion of the two centres to indentation and sliding speed.
 *
 * i carries the bearing (radius R_i, centre P_i), j the journal (R_j, P_j); c = R_i - R_j > 0.
 *     e = r_j^P - r_i^P,  n = e/|e|,  delta = |e| - c,  deltadot = edot . n,  t = n turned by +90 degrees
 * At |e| = 0 there is no direction: n = t = 0, hence no force; c > 0 makes delta = -c < 0 there.
 *
 * The laws see delta, deltadot and v_T alone. Force on the journal f = -F_N n + F_T t, on the bearing -f.
 * Both act at material points on the line through the centres, at the distance R_j from P_j and a from P_i:
 * moments R_j F_T about P_j and -a F_T about P_i. Where (PHYSICS section 2):
 *     common   a = R_j + |e|   both at P_j + R_j n: action and reaction at one point
 *     own      a = R_i         each on its own surface, as in the papers. The two points are delta apart, so
 *                              the pair has the couple delta F_T and angular momentum is not kept
 * Sliding speed:
 *     material   v_T = edot . t + R_j w_j - a w_i              of these two points
 *     geometric  v_T = edot . t (1 - c/|e|) = edot . t delta/|e|   P4 eq. 14, which differentiates R_k n
 * The power of both forces is -F_N deltadot + F_T v_T with the material v_T; with the geometric one friction
 * may do work of either sign. A rigid rotation w of both bodies slides by 0 at the common point, by w delta
 * at the own ones. Without penetration R_i = R_j + |e|, and both are the same.
 */
#ifndef LASHI_GAP_H
#define LASHI_GAP_H

#include <math.h>

#include "lash/model.h"

typedef enum lashi_sliding { LASHI_SLIDING_MATERIAL, LASHI_SLIDING_GEOMETRIC } lashi_sliding;

typedef struct lashi_gap_size {
    double bearing_radius; /* m, R_i */
    double journal_radius; /* m, R_j */
    double clearance;      /* m, c: as given, not a difference of radii where it was given itself */
    lashi_sliding sliding;
    double journal_arm;          /* m, R_j; of the shoulders of a pin 0 */
    double bearing_arm, carried; /* a = bearing_arm + carried |e|: R_i and 0, or R_j and 1 */
} lashi_gap_size;

/* The motion across the gap; in space t is the direction of sliding. */
typedef struct lashi_gap {
    double e;             /* m, |e| */
    double bearing_arm;   /* m, a; 0 at e = 0 */
    double n[3], t[3];    /* unit vectors; 0 at e = 0 */
    double delta;         /* m, > 0 in contact */
    double deltadot;      /* m/s */
    double sliding_speed; /* m/s, v_T along t */
} lashi_gap;

/* Sizes from the definition: exactly one of journal_radius, radial and diametric is set. */
lash_status lashi_gap_compile(lashi_gap_size *out, const lash_clearance_def *def, lash_error *error);

static inline lashi_gap lashi_gap_planar(const lashi_gap_size *gap, const double e[2], const double edot[2],
                                                double bearing_speed, double journal_speed) {
    lashi_gap m = {0};
    m.e = sqrt(e[0] * e[0] + e[1] * e[1]);
    m.delta = m.e - gap->clearance;
    if (!(m.e > 0))
        return m;
    const double per_e = 1 / m.e;
    m.n[0] = e[0] * per_e;
    m.n[1] = e[1] * per_e;
    m.t[0] = -m.n[1];
    m.t[1] = m.n[0];
    m.deltadot = edot[0] * m.n[0] + edot[1] * m.n[1];
    m.bearing_arm = gap->bearing_arm + gap->carried * m.e;
    double across = edot[0] * m.t[0] + edot[1] * m.t[1];
    m.sliding_speed = gap->sliding == LASHI_SLIDING_MATERIAL
                          ? across + gap->journal_arm * journal_speed - m.bearing_arm * bearing_speed
                          : across * (m.delta * per_e);
    return m;
}

/* f on the journal, from F_N >= 0 and F_T along t. */
static inline void lashi_gap_planar_force(double f[2], const lashi_gap *motion, double normal_force,
                                          double friction_force) {
    f[0] = -normal_force * motion->n[0] + friction_force * motion->t[0];
    f[1] = -normal_force * motion->n[1] + friction_force * motion->t[1];
}

#endif
