/* SPDX-License-Identifier: MIT
 *
 * Drawn parameters: distributions by their inverses, and numbers that depend on nothing but seed, name and
 * index.
 */
#ifndef LASHI_DISTRIBUTION_H
#define LASHI_DISTRIBUTION_H

#include <stddef.h>
#include <stdint.h>

typedef enum lashi_distribution_kind {
    LASHI_NORMAL,           /* mean, standard deviation */
    LASHI_UNIFORM,          /* low, high */
    LASHI_TRUNCATED_NORMAL, /* mean, standard deviation, low, high */
    LASHI_FIT               /* hole low, high, shaft low, high: the clearance of a fit */
} lashi_distribution_kind;

typedef struct lashi_distribution {
    lashi_distribution_kind kind;
    double p[4];
    int uniform; /* a fit: sizes uniform over the tolerance, not normal */
} lashi_distribution;

/* A number strictly between 0 and 1. The same four always give the same one. */
double lashi_uniform(uint64_t seed, const char *name, size_t index, unsigned stream);
/* Value of the distribution; u[1] is used by a fit alone (u[0] the hole, u[1] the shaft). */
double lashi_distribution_value(const lashi_distribution *distribution, const double u[2]);
/* Φ and its inverse. */
double lashi_normal_cdf(double x);
double lashi_normal_quantile(double p);

/* Quantiles of sorted values (quantile.c): between the order statistics (n − 1) p apart, R-7 of Hyndman and
 * Fan; and the ranks, from 1, of the order statistics that enclose the quantile with the given confidence
 * whatever the distribution: P(x_(low) <= q_p <= x_(high)) >= confidence. Rank 0: none. */
double lashi_quantile(const double *sorted, size_t count, double p);
void lashi_quantile_ranks(size_t *low, size_t *high, size_t count, double p, double confidence);

/* ISO 286 (iso_fit.c). Limits of a fit such as "H7/g6" for a diameter in m: hole low, high, shaft low, high,
 * as deviations in m. NULL, or what is wrong. */
const char *lashi_fit_limits(double limits[4], const char *fit, double diameter);

#endif
