/* SPDX-License-Identifier: MIT
 *
 * The oil film of a lubricated joint: force, friction and loss from the motion of the journal. Below a pin in
 * the plane; the ball in space is the same in the frame that turns with both bodies (film_squeeze_ball.c).
 *
 * Notation (gap_size.h): i bearing, j journal, e = e n the journal's centre from the bearing's, t = n turned
 * by +90 degrees; c radial clearance of the film, R journal radius, L length, mu viscosity, h = c - e
 * cos(theta) the film at the angle theta from n towards t, eps = e/c, H = h/c.
 *
 * Kinematics. In the frame that turns with the mean speed (w_i + w_j)/2 of the two bodies the walls carry no
 * oil around on average, and what is left is a squeeze film: the journal's centre moves there with
 *     c (a n + b t),   a = edot.n/c = epsdot,
 *                      b = edot.t/c - eps (w_i + w_j)/2 = -eps (w_i + w_j - 2 phidot)/2,
 * and Reynolds' equation (docs/physics.md, section 5) has the source 12 mu (a cos theta + b sin theta) R^2/c^2 alone.
 * Rotation, precession and squeeze thus enter through a and b only, and p, f are homogeneous of first degree
 * in (a, b): a film is one function of eps and of the direction of (a, b), the impedance
 *     f on the journal = -K (g_r n + g_t t),   K = mu L R^3/c^2,   g = integral of P (cos, sin) dtheta dzeta,
 * with P = p c^2/(mu R^2) and zeta from the middle of the bearing (0) to its end (1). With cavitation P >= 0
 * makes g nonlinear in the direction: a rotation and a squeeze part cannot be added, and are not tabulated apart.
 * Impedance: D. Childs, H. Moes, H. van Leeuwen, Journal bearing impedance descriptions for rotordynamic
 * applications, J. Lubr. Technol. 99 (1977) 198-210.
 *
 * Friction. The shear on both walls is mu R (w_j - w_i)/h with the sign of each, plus (h/2) dp/dx on both. By
 * parts the second is the moment of f: about the own centres
 *     M_j = -mu R^3 L J (w_j - w_i) - (e/2) f_t,   M_i = +mu R^3 L J (w_j - w_i) - (e/2) f_t,
 * J = integral dtheta/h = 2 pi/(c sqrt(1 - eps^2)); M_i + M_j + e f_t = 0, as a film without inertia must.
 * The shear acts all around: broken oil still drags (as in Raimondi and Boyd's tables).
 *
 * Loss. Minus the power of f, M_i and M_j on the two bodies is
 *     K c (a g_r + b g_t) + mu R^3 L J (w_j - w_i)^2 >= 0,
 * the first because it is the integral of h^3 |grad p|^2/(12 mu): the energy ledger closes by construction.
 *
 * Limits: rigid, aligned, isothermal, laminar, no inertia of the oil, terms of order c/R dropped.
 *
 * A film model is one file (film_NAME.c) that defines a lashi_film_law, and one line in films.h.
 */
#ifndef LASHI_FILM_H
#define LASHI_FILM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "contact/reynolds.h"
#include "lash/status.h"

typedef struct lashi_film lashi_film;
typedef struct lashi_film_table lashi_film_table;
typedef struct lashi_groove_table lashi_groove_table;

typedef struct lashi_impedance {
    double r, t; /* 1/s: g_r and g_t */
} lashi_impedance;

typedef struct lashi_film_law {
    const char *name, *doc, *reference;
    double trusted_from, trusted_to; /* L/D within which the model is trusted ... */
    const char *warning;             /* ... and what to say outside */
    bool tabulated;                  /* needs a table of its L/D and inlet */
    bool ball;                       /* of a ball in its socket, in space; else of a pin in the plane */
    bool full;                       /* a full film unless told otherwise; a ball's is never another */
    bool shear;                      /* drags by shear unless told otherwise */
    lashi_impedance (*impedance)(const lashi_film *film, double eps, double a, double b);
    /* With a groove at (cos, sin) of its angle from n. NULL: the model knows no grooves. */
    lashi_impedance (*grooved)(const lashi_film *film, double eps, double a, double b, const double place[2]);
    double (*grooved_peak)(const lashi_film *film, double eps, double a, double b, const double place[2]);
    /* A ball's drag by shear over `shear` of lashi_film, along n and across it. */
    lashi_impedance (*drag)(double eps);
    /* P at (theta, zeta), 1/s; negative where a full film pulls. NULL: known on a grid only. */
    double (*pressure)(const lashi_film *film, double eps, double a, double b, double theta, double zeta);
    /* Largest P, 1/s; NULL: searched in `pressure`. */
    double (*peak)(const lashi_film *film, double eps, double a, double b);
} lashi_film_law;

extern const lashi_film_law *const lashi_films[];        /* NULL-terminated */
const lashi_film_law *lashi_film_find(const char *name); /* NULL: unknown */
const char *lashi_film_name(size_t index);               /* NULL past the end */
bool lashi_film_is_ball(const char *name);

/* What a film is compiled from. All lengths in m. */
typedef struct lashi_film_data {
    const char *model;
    double viscosity; /* Pa s, > 0 */
    double length;    /* L > 0; of no meaning to a ball */
    double radius;    /* R > 0 */
    double clearance; /* c > 0; the hybrid's is larger than the joint's */
    bool full;        /* the film pulls as well: no cavitation */
    int shear;        /* -1: as the model has it; 0: no drag by shear; 1: drag */
    lashi_inlet inlet;
    double groove; /* rad, place of the groove in the bearing's axes */
} lashi_film_data;

typedef struct lashi_film_numbers {
    double viscosity;    /* mu */
    double radius;       /* R */
    double clearance;    /* c */
    double length_ratio; /* L/(2R) */
    double scale;        /* K, N s; of a ball with L = R */
    double shear;        /* 2 pi mu R^3 L/c, N m s: Petroff's torque per unit of speed; 0: no drag */
    double groove[2];    /* direction of the groove in the bearing's axes */
} lashi_film_numbers;

/* A film and where its numbers stand. Immutable; owns its table. */
struct lashi_film {
    lashi_film_numbers *p; /* written while compiling */
    const lashi_film_law *kind;
    bool full;
    lashi_film_table *table;
    lashi_groove_table *groove_table; /* NULL: no groove */
    const char *warning;              /* one sentence for the user, NULL: none */
};

/* eps beyond this is taken as this: the forces stay finite where a film without dry contact is pressed shut.
 */
#define LASHI_FILM_EPS_MAX (1 - 1e-6)

typedef struct lashi_film_motion {
    double eps;                /* e/c >= 0 */
    double radial, transverse; /* 1/s, edot.n/c and edot.t/c */
    double omega_i, omega_j;   /* rad/s, bearing and journal */
    double place[2];           /* (cos, sin) of the groove's angle from n; without a groove of no meaning */
} lashi_film_motion;

typedef struct lashi_film_force_result {
    double radial, transverse; /* N, f on the journal along n and t; the bearing takes -f; at the centres */
    double journal_torque;     /* N m, M_j about the journal's centre */
    double bearing_torque;     /* N m, M_i about the bearing's */
    double power;              /* W, lost in the film, >= 0 */
    double thickness;          /* m, least film */
} lashi_film_force_result;

/* Checks the data; tabulates or reads the table where the model needs one (seconds, the first time). */
lash_status lashi_film_compile(lashi_film *out, lashi_film_numbers *p, const lashi_film_data *data,
                               lash_error *error);
void lashi_film_clear(lashi_film *film);

/* The motion across the gap from e and edot in the plane; n and t are unit vectors also at e = 0. `turned`:
 * (cos, sin) of the bearing's angle. */
static inline lashi_film_motion lashi_film_planar(double n[2], double t[2], const lashi_film *film,
                                                  const double e[2], const double edot[2], double omega_i,
                                                  double omega_j, const double turned[2]) {
    double length = sqrt(e[0] * e[0] + e[1] * e[1]);
    // At the very centre every direction serves: the film is round there.
    n[0] = length > 0 ? e[0] / length : 1;
    n[1] = length > 0 ? e[1] / length : 0;
    t[0] = -n[1];
    t[1] = n[0];
    const double *g = film->p->groove;
    const double G[2] = {turned[0] * g[0] - turned[1] * g[1], turned[1] * g[0] + turned[0] * g[1]};
    return (lashi_film_motion){.eps = length / film->p->clearance,
                               .radial = (edot[0] * n[0] + edot[1] * n[1]) / film->p->clearance,
                               .transverse = (edot[0] * t[0] + edot[1] * t[1]) / film->p->clearance,
                               .omega_i = omega_i,
                               .omega_j = omega_j,
                               .place = {G[0] * n[0] + G[1] * n[1], G[0] * t[0] + G[1] * t[1]}};
}

/* The velocity (a, b) that squeezes, 1/s. */
static inline double lashi_film_squeeze(const lashi_film_motion *m) {
    return m->transverse - m->eps * (m->omega_i + m->omega_j) / 2;
}

static inline lashi_film_force_result lashi_film_force(const lashi_film *film, lashi_film_motion m) {
    lashi_film_force_result f;
    f.thickness = film->p->clearance * (1 - m.eps);
    if (!(m.eps < LASHI_FILM_EPS_MAX))
        m.eps = LASHI_FILM_EPS_MAX;
    double a = m.radial, b = lashi_film_squeeze(&m);
    lashi_impedance g = film->groove_table ? film->kind->grooved(film, m.eps, a, b, m.place)
                                           : film->kind->impedance(film, m.eps, a, b);
    f.radial = -film->p->scale * g.r;
    f.transverse = -film->p->scale * g.t;
    double slip = m.omega_j - m.omega_i;
    double drag = film->p->shear * slip / sqrt((1 - m.eps) * (1 + m.eps));
    double moment = film->p->clearance * m.eps * f.transverse / 2;
    f.journal_torque = -drag - moment;
    f.bearing_torque = drag - moment;
    f.power = film->p->scale * film->p->clearance * (a * g.r + b * g.t) + drag * slip;
    return f;
}

/* A bound on the largest pressure, Pa, of any film: P <= 6 |(a, b)| (2 - eps)/(1 - eps)^2 of the long ones
 * and the ball's, and P <= 6 (L/D)^2 |(a, b)|/(1 - eps)^3 of the short one and of Reynolds' equation, where
 * the right-hand side times 1 - zeta^2 is a supersolution. */
static inline double lashi_film_bound(const lashi_film *film, const lashi_film_motion *m) {
    const double h = 1 - fmin(m->eps, LASHI_FILM_EPS_MAX), a = m->radial, b = lashi_film_squeeze(m);
    const double slender = film->p->radius / film->p->clearance, ratio = film->p->length_ratio;
    return film->p->viscosity * slender * slender * 6 * sqrt(a * a + b * b) / (h * h) *
           fmax(1 + h, ratio * ratio / h);
}

/* Largest pressure, Pa. For recording: some models search for it. */
double lashi_film_peak(const lashi_film *film, lashi_film_motion motion);

#endif
