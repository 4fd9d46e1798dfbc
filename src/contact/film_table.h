/* SPDX-License-Identifier: MIT
 *
 * The impedance of a finite bearing (film.h) as a table of its L/D and inlet, smooth to the second
 * derivative.
 *
 * Coordinates. With u = sqrt(1 - eps^2) the pressure hill at the thinnest film is as wide as u, and so the
 * sliding part b sin(theta) counts there as u b: the direction is the angle beta of (a, u |b|), 0 <= beta <=
 * pi, and the other coordinate x = eps/sqrt(u), in which powers of u are smooth. Both are divided evenly.
 *
 * Values. (T_r, T_t) = (u^3 g_r, u^2 g_t)/sqrt(a^2 + u^2 b^2) tends to a limit at eps -> 1. Its components
 * along and across (cos, sin)(beta) are D and C; kept are
 *     v = D^(1/4),   q = C/v^3,   D = T_r cos(beta) + T_t sin(beta) > 0,   C = T_t cos(beta) - T_r sin(beta),
 * for a g_r + b g_t = (a^2 + u^2 b^2) D/u^3: the loss in the film is positive whatever the error of the
 * table. The roots tame the fall of D towards beta = pi, where
 * a journal leaves the wall and is hardly held. b -> -b mirrors: v even, q odd. The largest pressure is kept
 * as (u^4 P/sqrt(a^2 + u^2 b^2))^(1/4).
 *
 * Between the nodes: cubic B-splines in both directions (even or odd at beta = 0 and pi; no knot next to the
 * ends in x), beyond the last x the T of the last x.
 *
 * Right as they are for motion are `periodic`, and `max-film` away from the centre; a groove, which is fixed
 * to the bearing, has a third coordinate (film_groove.h).
 */
#ifndef LASHI_FILM_TABLE_H
#define LASHI_FILM_TABLE_H

#include "contact/film.h"
#include "contact/film_cache.h"

enum {
    LASHI_TABLE_X = 33,     /* nodes of x = 0 ... 5, eps up to 0.9992 */
    LASHI_TABLE_ANGLE = 33, /* nodes of beta */
    LASHI_TABLE_CHANNELS = 3
};
#define LASHI_TABLE_X_END   5.0
#define LASHI_TABLE_SECONDS 4.0 /* that a table takes to compute, about, on one core */

struct lashi_film_table {
    lashi_film_key key;
    double error;      /* largest |error of g|/|g| found between nodes, eps <= 0.95 */
    double error_thin; /* the same for eps above, relative to the largest |g| of any direction */
    /* Spline coefficients; one more on each side. [i][j] belongs to node i - 1, j - 1. */
    double c[LASHI_TABLE_X + 2][LASHI_TABLE_ANGLE + 2][LASHI_TABLE_CHANNELS];
};

/* From the cache, else by solving Reynolds' equation on the table's nodes and writing the cache. */
lash_status lashi_film_table_create(lashi_film_table **out, const lashi_film_key *key, lash_error *error);
/* Always computes. */
lash_status lashi_film_table_compute(lashi_film_table **out, const lashi_film_key *key, lash_error *error);
void lashi_film_table_destroy(lashi_film_table *table);

lashi_impedance lashi_film_table_impedance(const lashi_film_table *table, double eps, double a, double b);
double lashi_film_table_peak(const lashi_film_table *table, double eps, double a, double b);

/* eps at x. */
double lashi_film_table_eps(double x);
/* The problem at the coordinates (x, beta) of a table, for a vector (a, u b) of length 1. */
lashi_reynolds_problem lashi_film_table_problem(const lashi_film_key *key, double x, double beta);
/* The direct solution by the same route as the table's nodes: g and the largest P, from two grids. */
lash_status lashi_film_direct(lashi_impedance *out, double *peak, lashi_reynolds *grid,
                              const lashi_reynolds_problem *problem, lash_error *error);
enum { LASHI_TABLE_AROUND = 256, LASHI_TABLE_ACROSS = 12 };

#endif
