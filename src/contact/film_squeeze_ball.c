/* SPDX-License-Identifier: MIT
 *
 * Film model squeeze-ball: a ball in a socket that is full of oil all around.
 *
 * e = e n the ball's centre from the socket's; N a direction from there, x = N.n = cos(theta); h = c - e.N,
 * H = 1 - eps x. In the frame that turns with W = (w_i + w_j)/2 the walls carry no oil on average (film.h),
 * so that turning enters through the ball's velocity there, c (a n + b t) = edot - W x e, alone:
 *     div(H^3 grad P) = -12 (a n + b t).N   on the unit sphere,   P = p c^2/(mu R^2).
 *
 * Squeeze. What the ball drives out of the cap up to theta flows through its edge, so 2 pi sin(theta) H^3
 * dP/dtheta = -12 pi a sin^2(theta), and P = 3 a/(eps H^2) up to a constant. Across, P = t.N Q(x) with
 *     H (2 Q + 4 x Q' - (1 - x^2) Q'') - 3 eps (x Q - (1 - x^2) Q') = 12 b/H^2,
 * which Q = k (1/H + 1/H^2) with k = 12 b/(4 + eps^2) meets: the sphere's counterpart of Sommerfeld's 2 +
 * eps^2. With the constant that makes P vanish on a great circle both are one formula,
 *     P = (2 - eps x)/H^2 (3 a n + k t).N.
 * Forces: with I_m = integral of (1 - x^2)/H^m over x = -1 ... 1 and l = ln((1 + eps)/(1 - eps))
 *     g_r = 6 pi a I_3,         I_3       = (2 eps/(1 - eps^2) - l)/eps^3
 *     g_t = pi k (I_1 + I_2),   I_1 + I_2 = ((1 + eps^2) l - 2 eps)/eps^3,
 * for K = mu R^4/c^2 (film.h with L = R). At the centre both are 8 pi: the film is round there. Towards the
 * wall g_r grows like 6 pi a/(1 - eps), g_t like ln(1 - eps): under a load W, 1 - eps falls exponentially.
 *
 * Shear. The torque on the ball is -mu R^4 times the integral of (w - N N.w)/h over the sphere, w = w_j -
 * w_i: with 2 pi mu R^4/c times
 *     I_1 = (2 eps - (1 - eps^2) l)/eps^3 for w along n,   l/eps - I_1/2 across it;
 * 4/3 both at the centre. The shear of the pressure flow adds -e x f/2 on each body, as in film.h: the
 * integral of N x grad(p h) over the closed sphere is zero.
 *
 * Limits: the film is closed and full. The film does not determine the level of its pressure: it is counted
 * from the great circle where P vanishes. A socket that is open at its neck carries less; oil that breaks
 * (extent: half) is not covered.
 *
 * The equation: P. K. Goenka, J. F. Booker, Spherical bearings: static and dynamic analysis via the finite
 * element method, J. Lubr. Technol. 102 (1980). The closed forms are derived here.
 */
#include "contact/films.h"

/* Below, the differences of ln lose digits and the series are used; the terms they need for that. */
#define SERIES_BELOW 0.25
enum { SERIES_TERMS = 14 };

typedef struct integrals {
    double closing; /* I_3 */
    double across;  /* I_1 + I_2 */
    double first;   /* I_1 */
    double zeroth;  /* l/eps */
} integrals;

static integrals integrals_at(double eps) {
    integrals I = {0};
    double ee = eps * eps;
    if (eps > SERIES_BELOW) {
        double uu = (1 - eps) * (1 + eps), l = log((1 + eps) / (1 - eps)), cube = eps * ee;
        return (integrals){.closing = (2 * eps / uu - l) / cube,
                           .across = ((1 + ee) * l - 2 * eps) / cube,
                           .first = (2 * eps - uu * l) / cube,
                           .zeroth = l / eps};
    }
    // l = 2 sum eps^(2k+1)/(2k+1), from the highest power down
    for (int k = SERIES_TERMS; k >= 1; k--) {
        double odd = 4.0 * k * k - 1;
        I.closing = 4.0 * k / (2 * k + 1) + ee * I.closing;
        I.across = 8.0 * k / odd + ee * I.across;
        I.first = 4 / odd + ee * I.first;
        I.zeroth = 2.0 / (2 * k - 1) + ee * I.zeroth;
    }
    return I;
}

static lashi_impedance squeeze_ball_impedance(const lashi_film *film, double eps, double a, double b) {
    (void)film;
    const double pi = 3.14159265358979323846;
    const integrals I = integrals_at(eps);
    return (lashi_impedance){.r = 6 * pi * a * I.closing, .t = 12 * pi * b / (4 + eps * eps) * I.across};
}

static lashi_impedance squeeze_ball_drag(double eps) {
    const integrals I = integrals_at(eps);
    return (lashi_impedance){.r = I.first, .t = I.zeroth - I.first / 2};
}

/* On the circle through n and t, which holds the largest. */
static double squeeze_ball_pressure(const lashi_film *film, double eps, double a, double b, double theta,
                                    double zeta) {
    (void)film;
    (void)zeta;
    double along = eps * cos(theta), H = 1 - along;
    return (2 - along) / (H * H) * (3 * a * cos(theta) + 12 * b / (4 + eps * eps) * sin(theta));
}

const lashi_film_law lashi_film_squeeze_ball = {
    .name = "squeeze-ball",
    .doc = "closed full film of a ball in its socket, in space",
    .reference = "P. K. Goenka, J. F. Booker, Spherical bearings: static and dynamic analysis via the finite "
                 "element method, J. Lubr. Technol. 102 (1980); closed forms in this file",
    .trusted_from = 0,
    .trusted_to = INFINITY,
    .warning = "the film model squeeze-ball takes the socket as closed: one that is open carries less",
    .ball = true,
    .full = true,
    .shear = true,
    .impedance = squeeze_ball_impedance,
    .drag = squeeze_ball_drag,
    .pressure = squeeze_ball_pressure,
};
