/* SPDX-License-Identifier: MIT
 *
 * The pressure in the film of a finite bearing: Reynolds' equation in two dimensions, with p >= 0.
 *
 * Notation: theta from the line of centres n (journal centre from bearing centre) towards t, H = h/c =
 * 1 - eps cos(theta), zeta = z/(L/2) from the middle plane to the end, D = 2R. a and b are the journal
 * centre's velocity over c, seen in the frame that turns with the mean speed (w_i + w_j)/2 of the two bodies:
 *     a = edot.n / c,   b = edot.t / c - eps (w_i + w_j)/2    (film.h)
 * With p = (mu R^2/c^2) P the equation of docs/physics.md, section 5 is
 *     d/dtheta (H^3 dP/dtheta) + (D/L)^2 H^3 d2P/dzeta2 = -12 (a cos theta + b sin theta),
 * P = 0 at zeta = 1, even in zeta, periodic in theta. P is linear in the scale of (a, b). Cavitated: P >= 0,
 * the left side plus the right's opposite <= 0, one of the two zero everywhere; this puts dP/dn = 0 where the
 * film breaks. Full: the plain equation, P of both signs.
 *
 * Inlet: `periodic` adds nothing; `max-film` holds P = 0 on the line theta = pi; `groove` on the line theta =
 * `pin`, over the whole length.
 */
#ifndef LASHI_REYNOLDS_H
#define LASHI_REYNOLDS_H

#include <stdbool.h>
#include <stddef.h>

#include "lash/status.h"

typedef enum lashi_inlet { LASHI_INLET_PERIODIC, LASHI_INLET_MAX_FILM, LASHI_INLET_GROOVE } lashi_inlet;

/* By name: "periodic", "max-film", "groove"; anything else is periodic. NULL past the end. */
lashi_inlet lashi_inlet_of(const char *name);
const char *lashi_inlet_name(size_t index);

typedef struct lashi_reynolds_problem {
    double length_ratio; /* L/D > 0 */
    double eps;          /* 0 <= eps < 1 */
    double a, b;         /* 1/s, or any other scale */
    bool cavitated;
    lashi_inlet inlet;
    double pin; /* rad, theta of the groove */
} lashi_reynolds_problem;

/* All linear in the scale of (a, b). */
typedef struct lashi_reynolds_result {
    double radial, transverse; /* integral of P cos, P sin over theta and 0 < zeta < 1: f on the journal is
                                  -(mu L R^3/c^2) (radial n + transverse t) */
    double peak, peak_angle;   /* largest P; its theta, rad */
    double side_flow;          /* out of both ends, over R c L / 2 */
    double inlet_flow; /* largest flow around through one section of the pressure film, over R c L / 2 */
    double residual;   /* of the discrete complementarity conditions, relative to their terms */
    int iterations;
} lashi_reynolds_result;

/* A grid with its workspace. `around` points (even, >= 16) on the circle, `across` intervals (even, >= 4) on
 * half the length. */
typedef struct lashi_reynolds lashi_reynolds;
lash_status lashi_reynolds_create(lashi_reynolds **out, int around, int across, lash_error *error);
void lashi_reynolds_destroy(lashi_reynolds *grid);

/* Solves one problem, first on the grid of every second node, whose result *coarse takes (NULL: not wanted;
 * it exists where around is a multiple of 4 and >= 64, across a multiple of 4 and >= 8). */
lash_status lashi_reynolds_solve(lashi_reynolds_result *out, lashi_reynolds_result *coarse,
                                 lashi_reynolds *grid, const lashi_reynolds_problem *problem,
                                 lash_error *error);

#endif
