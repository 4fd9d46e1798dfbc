/* SPDX-License-Identifier: MIT
 *
 * Sommerfeld's variable gamma, in which the integrals of the long and the short bearing are sums of sines:
 *
 *     cos(theta) = (eps + cos gamma)/(1 + eps cos gamma),   sin(theta) = u sin gamma/(1 + eps cos gamma),
 *     H = 1 - eps cos(theta) = u^2/(1 + eps cos gamma),     dtheta = (H/u) dgamma,   u = sqrt(1 - eps^2).
 *
 * A pressure A cos(theta) + B sin(theta) times something positive is positive on the half turn centred at the
 * direction of (A, B); the full film takes the whole turn. Both are given as end values and the angle
 * between.
 *
 * A. Sommerfeld, Zur hydrodynamischen Theorie der Schmiermittelreibung, Z. Math. Phys. 50 (1904) 97-155;
 * J. F. Booker, A table of the journal-bearing integral, J. Basic Eng. 87 (1965) 533-535.
 */
#ifndef LASHI_SOMMERFELD_H
#define LASHI_SOMMERFELD_H

#include <math.h>
#include <stdbool.h>

typedef struct lashi_arc {
    double u;      /* sqrt(1 - eps^2) */
    double c1, s1; /* cos, sin of gamma at the start ... */
    double c2, s2; /* ... and at the end */
    double turn;   /* gamma_2 - gamma_1, 0 < turn <= 2 pi */
} lashi_arc;

/* The arc where A cos + B sin > 0, or the whole circle. (A, B) = 0 gives the arc of (1, 0). */
static inline lashi_arc lashi_arc_of(double eps, double A, double B, bool full) {
    const double pi = 3.14159265358979323846;
    lashi_arc arc = {.u = sqrt((1 - eps) * (1 + eps)), .c1 = 1, .c2 = 1, .turn = 2 * pi};
    if (full)
        return arc;
    double size = sqrt(A * A + B * B);
    double ca = size > 0 ? A / size : 1, sa = size > 0 ? B / size : 0;
    // It starts a quarter turn before the direction of (A, B) and ends a quarter turn after.
    double H1 = 1 - eps * sa, H2 = 1 + eps * sa;
    arc.c1 = (sa - eps) / H1;
    arc.s1 = -arc.u * ca / H1;
    arc.c2 = (-sa - eps) / H2;
    arc.s2 = arc.u * ca / H2;
    arc.turn = atan2(arc.s2 * arc.c1 - arc.c2 * arc.s1, arc.c1 * arc.c2 + arc.s1 * arc.s2);
    if (!(arc.turn > 0))
        arc.turn += 2 * pi;
    return arc;
}

#endif
