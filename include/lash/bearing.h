/* SPDX-License-Identifier: MIT
 *
 * A journal bearing by itself, under a steady load: characteristic numbers over the eccentricity, without any
 * mechanism; and the lists of film models and oils.
 *
 *   lash_bearing_def bearing = lash_bearing_default();
 *   bearing.length_ratio = 0.5;
 *   lash_bearing_solve(&point, &bearing, 0.6, &error);
 *   printf("S = %g\n", point.sommerfeld);
 *
 * The journal turns with w, the bearing stands; with both turning w is the sum of their speeds.
 */
#ifndef LASH_BEARING_H
#define LASH_BEARING_H

#include <stdbool.h>
#include <stddef.h>

#include "lash/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lash_bearing_def {
    const char *film;    /* "reynolds", "short" or "long" */
    double length_ratio; /* L/D > 0 */
    bool full;           /* the film pulls as well: no cavitation */
    const char *inlet;   /* reynolds: "max-film", "periodic" or "groove" */
    double groove;       /* rad, place of the groove from the direction of the load, with the rotation */
} lash_bearing_def;

/* reynolds, L/D = 1, cavitated, max-film. */
lash_bearing_def lash_bearing_default(void);

/* Dimensionless: W load, R radius, L length, c radial clearance, mu viscosity, w speed. */
typedef struct lash_bearing_point {
    double eccentricity;  /* e/c */
    double sommerfeld;    /* S = (R/c)^2 mu N/P, N = w/2pi, P = W/(2RL) */
    double attitude;      /* rad, of the line of centres from the load, with the rotation */
    double load;          /* W/(mu w R L (R/c)^2) = 1/(pi S) */
    double friction;      /* (R/c) times the coefficient of friction of the journal */
    double torque;        /* on the journal, over mu w R^3 L/c */
    double inlet_flow;    /* oil that enters the pressure film, over w R c L */
    double side_flow;     /* oil that leaves at both ends, over w R c L */
    double min_film;      /* over c */
    double peak_pressure; /* over mu w (R/c)^2 */
} lash_bearing_point;

/* 0 < eccentricity < 1. */
lash_status lash_bearing_solve(lash_bearing_point *out, const lash_bearing_def *bearing, double eccentricity,
                               lash_error *error);
/* The eccentricity that carries a load, given by its Sommerfeld number. */
lash_status lash_bearing_find(lash_bearing_point *out, const lash_bearing_def *bearing, double sommerfeld,
                              lash_error *error);
/* One sentence when L/D is outside what the film model is trusted for, NULL otherwise. */
const char *lash_bearing_warning(const lash_bearing_def *bearing);

/* Film models and oils by index, NULL past the end. */
const char *lash_film_name(size_t index);
const char *lash_oil_name(size_t index);
/* Viscosity in Pa s of an oil ("SAE 30") at a temperature in K. *warning (may be NULL): one sentence when the
 * temperature is outside the data, NULL otherwise. */
lash_status lash_oil_viscosity(double *out, const char **warning, const char *oil, double temperature,
                               lash_error *error);

#ifdef __cplusplus
}
#endif
#endif
