/* SPDX-License-Identifier: MIT
 *
 * Film model long: the infinitely long bearing with squeeze and wedge (Sommerfeld).
 *
 * Without axial flow d/dtheta(H^3 dP/dtheta) = -12 (a cos theta + b sin theta) has the periodic solution
 *     P = 6 (2 - eps cos theta)/H^2 (a cos theta + B sin theta),   B = 2b/(2 + eps^2),
 * the sum of the squeeze film and of Sommerfeld's journal, each with its usual constant. Full film:
 *     g_r = 12 pi a/u^3,   g_t = 24 pi b/((2 + eps^2) u).
 * Half film (Guembel, half Sommerfeld): P where it is positive, on the half turn about the direction of (a,
 * B). As P vanishes at both ends, g follows by parts from dP/dtheta, which in gamma (sommerfeld.h) is
 *     dP/dtheta dtheta = -12 a sin gamma (1 + eps cos gamma)/u^4 dgamma
 *                      + 6 B (2 cos gamma - eps)(1 + eps cos gamma)/u^3 dgamma,
 * and integrated, with s = sin gamma, k = cos gamma, between the ends of the arc
 *     g_r =  6 a [gamma - s k]/u^3       - 6 B [s^2 + eps k]/u^2
 *     g_t = -6 a [s^2 - 2 eps k]/u^4     + 6 B [u^2 gamma + s k + eps s]/u^3.
 *
 * Limits: L/D above 2. The half film does not conserve oil where it breaks; `reynolds` does.
 */
#include "contact/films.h"
#include "contact/sommerfeld.h"

static lashi_impedance long_impedance(const lashi_film *film, double eps, double a, double b) {
    double B = 2 * b / (2 + eps * eps);
    lashi_arc arc = lashi_arc_of(eps, a, B, film->full);
    double u = arc.u, uu = u * u, uuu = uu * u;
    double sk = arc.s2 * arc.c2 - arc.s1 * arc.c1, ss = (arc.s2 - arc.s1) * (arc.s2 + arc.s1);
    double k = arc.c2 - arc.c1, s = arc.s2 - arc.s1;
    return (lashi_impedance){
        .r = 6 * a * (arc.turn - sk) / uuu - 6 * B * (ss + eps * k) / uu,
        .t = -6 * a * (ss - 2 * eps * k) / (uu * uu) + 6 * B * (uu * arc.turn + sk + eps * s) / uuu,
    };
}

static double long_pressure(const lashi_film *film, double eps, double a, double b, double theta,
                            double zeta) {
    (void)zeta;
    double along = eps * cos(theta), H = 1 - along, B = 2 * b / (2 + eps * eps);
    double P = 6 * (2 - along) / (H * H) * (a * cos(theta) + B * sin(theta));
    return film->full ? P : fmax(P, 0);
}

const lashi_film_law lashi_film_long = {
    .name = "long",
    .doc = "long bearing with wedge and squeeze, full or half film",
    .reference =
        "A. Sommerfeld, Zur hydrodynamischen Theorie der Schmiermittelreibung, Z. Math. Phys. 50 (1904) "
        "97-155; O. Pinkus, B. Sternlicht, Theory of Hydrodynamic Lubrication (1961)",
    .trusted_from = 2,
    .trusted_to = INFINITY,
    .warning = "the film model long is trusted for L/D of 2 and more: a shorter bearing lets oil out at its "
               "ends and carries less; reynolds takes any L/D",
    .shear = true,
    .impedance = long_impedance,
    .pressure = long_pressure,
};
