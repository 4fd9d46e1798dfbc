/* SPDX-License-Identifier: MIT
 *
 * Film model short: the infinitely short bearing with squeeze and wedge (Ocvirk).
 *
 * Without circumferential pressure flow (D/L)^2 H^3 d2P/dzeta2 = -12 (a cos theta + b sin theta):
 *     P = 6 (L/D)^2 (1 - zeta^2) (a cos theta + b sin theta)/H^3,
 * positive on the half turn about the direction of (a, b): the cavitated film takes this arc, the full film
 * the whole turn. With the mean 2/3 over zeta g = 4 (L/D)^2 integral (a cos + b sin)(cos, sin)/H^3 dtheta,
 * and in gamma (sommerfeld.h; s = sin gamma, k = cos gamma), between the ends of the arc
 *     integral cos^2/H^3    = [eps^2 gamma + 2 eps s + (gamma + s k)/2]/u^5
 *     integral sin cos/H^3  = [s^2/2 - eps k]/u^4
 *     integral sin^2/H^3    = [gamma - s k]/(2 u^3).
 * Static limit (docs/physics.md, section 5): f_r = -mu w R L^3 eps^2/(c^2 u^4), f_t = pi mu w R L^3 eps/(4 c^2 u^3).
 *
 * Limits: L/D up to 1/4; too stiff at high eps, where the hill of pressure is narrower than the bearing is
 * long.
 */
#include "contact/films.h"
#include "contact/sommerfeld.h"

static lashi_impedance short_impedance(const lashi_film *film, double eps, double a, double b) {
    lashi_arc arc = lashi_arc_of(eps, a, b, film->full);
    double u = arc.u, uu = u * u, uuu = uu * u;
    double sk = arc.s2 * arc.c2 - arc.s1 * arc.c1, ss = (arc.s2 - arc.s1) * (arc.s2 + arc.s1);
    double k = arc.c2 - arc.c1, s = arc.s2 - arc.s1;
    double cc = (eps * eps * arc.turn + 2 * eps * s + (arc.turn + sk) / 2) / (uuu * uu);
    double sc = (ss / 2 - eps * k) / (uu * uu);
    double s2 = (arc.turn - sk) / (2 * uuu);
    double scale = 4 * film->p->length_ratio * film->p->length_ratio;
    return (lashi_impedance){.r = scale * (a * cc + b * sc), .t = scale * (a * sc + b * s2)};
}

static double short_pressure(const lashi_film *film, double eps, double a, double b, double theta,
                             double zeta) {
    double H = 1 - eps * cos(theta);
    double P = 6 * film->p->length_ratio * film->p->length_ratio * (1 - zeta * zeta) *
               (a * cos(theta) + b * sin(theta)) / (H * H * H);
    return film->full ? P : fmax(P, 0);
}

const lashi_film_law lashi_film_short = {
    .name = "short",
    .doc = "short bearing with wedge and squeeze, full or cavitated film",
    .reference = "F. W. Ocvirk, Short-bearing approximation for full journal bearings, NACA TN 2808 (1952)",
    .trusted_from = 0,
    .trusted_to = 0.25,
    .warning = "the film model short is trusted up to L/D = 1/4: a longer bearing carries less than it says; "
               "reynolds takes any L/D",
    .shear = true,
    .impedance = short_impedance,
    .pressure = short_pressure,
};
