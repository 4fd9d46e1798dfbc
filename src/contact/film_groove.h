/* SPDX-License-Identifier: MIT
 *
 * The impedance of a finite bearing with an axial groove at ambient pressure, fixed to the bearing: the table
 * of film_table.h with one more coordinate.
 *
 * The groove is at the angle theta_g from the line of centres; P = 0 along it, so that the film carries
 * nothing across it. In the broken part of the film it changes nothing; in the pressure hill it splits it.
 * The hill is as narrow as u = sqrt(1 - eps^2), so the groove's place is counted like the nodes of the grid
 * (reynolds.c), half in theta, half in Sommerfeld's variable:
 *     s = (theta_g + gamma_g)/2,   exp(i gamma) = (cos(theta) - eps + i u sin(theta))/(1 - eps cos(theta)),
 * that is the direction of exp(i theta_g) + exp(i gamma_g). x, beta and the values are those of
 * film_table.h; beta goes all around (a groove takes the symmetry of b), and b -> -b, s -> -s mirrors.
 *
 * Where the hill reaches the groove the second derivative of the force has a corner: the table's error is
 * larger than without a groove, and the nodes are solved on a coarser grid. Both are measured: the errors
 * kept are those against solutions on the finer grid of film_table.h.
 */
#ifndef LASHI_FILM_GROOVE_H
#define LASHI_FILM_GROOVE_H

#include "contact/film_table.h"

enum {
    LASHI_GROOVE_X = 21,     /* nodes of x = 0 ... LASHI_TABLE_X_END */
    LASHI_GROOVE_ANGLE = 48, /* of beta, all around, even */
    LASHI_GROOVE_PLACE = 48, /* of s, all around, even */
    LASHI_GROOVE_AROUND = 128,
    LASHI_GROOVE_ACROSS = 8
};

#define LASHI_GROOVE_SECONDS 12.0 /* that a table takes to compute, about, on one core */

struct lashi_groove_table {
    double error;      /* largest |error of g|/|g| found, eps <= 0.95 */
    double error_thin; /* the same for eps above, relative to the largest |g| of any direction */
    lashi_film_key key;
    struct lashi_groove_coefficients {
        double force[LASHI_GROOVE_X + 2][LASHI_GROOVE_ANGLE + 3][LASHI_GROOVE_PLACE + 3][2]; /* v, q */
        double peak[LASHI_GROOVE_X + 2][LASHI_GROOVE_ANGLE + 3][LASHI_GROOVE_PLACE + 3];
    } c;
};

/* From the cache, else computed and written to it. */
lash_status lashi_groove_table_create(lashi_groove_table **out, const lashi_film_key *key, lash_error *error);
/* Always computes. */
lash_status lashi_groove_table_compute(lashi_groove_table **out, const lashi_film_key *key,
                                       lash_error *error);
void lashi_groove_table_destroy(lashi_groove_table *table);

/* place: (cos, sin) of theta_g. */
lashi_impedance lashi_groove_table_impedance(const lashi_groove_table *table, double eps, double a, double b,
                                             const double place[2]);
double lashi_groove_table_peak(const lashi_groove_table *table, double eps, double a, double b,
                               const double place[2]);

#endif
