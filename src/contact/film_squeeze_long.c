/* SPDX-License-Identifier: MIT
 *
 * Film model squeeze-long: the infinitely long bearing, squeeze alone; rotation carries nothing.
 *
 * Without axial flow d/dtheta(H^3 dP/dtheta) = -12 a cos(theta), symmetric about the line of centres:
 *     P = 6 a cos(theta) (2 - eps cos(theta))/H^2                     (P4 eq. 33, with R_j^2 for R_j^3)
 * up to a constant, chosen to vanish at theta = +-90 degrees. Full film (P4 eq. 34):
 *     g_r = 12 pi a/(1 - eps^2)^(3/2),   g_t = 0.
 * Half film: the side the journal moves away from carries no pressure (Ravn, in P4 section 4.2); with
 * cos(gamma_0) = -eps at theta = 90 degrees
 *     g_r = 12 a (gamma_0 + eps u)/u^3           towards the wall (a > 0),
 *     g_r = 12 a (pi - gamma_0 - eps u)/u^3      away from it.
 * The force acts at the centres; shear is left out unless asked for, as in P4.
 *
 * Limits: L/D above 2, and rotation slow against the squeeze. Under a constant load eps/u grows like time:
 * the wall is never reached.
 */
#include "contact/films.h"

static lashi_impedance squeeze_long_impedance(const lashi_film *film, double eps, double a, double b) {
    (void)b;
    const double pi = 3.14159265358979323846;
    double u = sqrt((1 - eps) * (1 + eps)), share = pi;
    if (!film->full) {
        // gamma_0 + eps u - pi/2 from its sine keeps its digits at small eps.
        double over = asin(eps) + eps * u;
        share = a > 0 ? pi / 2 + over : pi / 2 - over;
    }
    return (lashi_impedance){.r = 12 * a * share / (u * u * u), .t = 0};
}

static double squeeze_long_pressure(const lashi_film *film, double eps, double a, double b, double theta,
                                    double zeta) {
    (void)b;
    (void)zeta;
    double along = eps * cos(theta), H = 1 - along;
    double P = 6 * a * cos(theta) * (2 - along) / (H * H);
    return film->full ? P : fmax(P, 0);
}

const lashi_film_law lashi_film_squeeze_long = {
    .name = "squeeze-long",
    .doc = "squeeze film of a long bearing, no wedge",
    .reference =
        "P. Flores, J. Ambrosio, J. P. Claro, Dynamic analysis for planar multibody mechanical systems "
        "with lubricated joints, Multibody Syst. Dyn. 12 (2004) 47-74, eqs. 33 and 34",
    .trusted_from = 2,
    .trusted_to = INFINITY,
    .warning = "the film model squeeze-long is trusted for L/D of 2 and more: a shorter bearing lets oil out "
               "at its ends and carries less; reynolds takes any L/D",
    .full = true,
    .shear = false,
    .impedance = squeeze_long_impedance,
    .pressure = squeeze_long_pressure,
};
