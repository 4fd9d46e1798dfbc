/* SPDX-License-Identifier: MIT
 *
 * What kind of motion is it? Sections, exponent, period, 0-1 test, recurrence, and a verdict from all of
 * them.
 *
 *   section (poincare.c)  →  period (period.c), 0-1 test and recurrence (zero_one.c)  ┐
 *   exponent (lyapunov.c)  ───────────────────────────────────────────────────────────┴→  verdict (verdict.c)
 *
 * Nothing here keeps state between calls; the functions of sequences know nothing of mechanisms.
 */
#ifndef LASHI_NONLINEAR_H
#define LASHI_NONLINEAR_H

#include <stdatomic.h>

#include "lash/lash.h"

/* ---- Poincaré sections (poincare.c) ---- */

/* Where a trajectory is cut: channel = value, or channel = value + k period for every whole k.
 *   phase of a drive:  {"motor.angle", phase, 2π, 0}       any profile; every passage of the phase
 *   phase of a load:   {"time", 0, T, 0}                   every T seconds
 *   event surface:     {"gudgeon.delta", 0, 0, +1}         rising through a value */
typedef struct lashi_surface {
    const char *channel;
    double value;
    double period; /* in units of the channel; 0: one surface */
    int direction; /* +1 rising, -1 falling, 0 both */
} lashi_surface;

typedef struct lashi_section {
    size_t width;   /* channels of a point */
    size_t count;   /* points */
    double *times;  /* [count] s */
    double *points; /* [count][width] */

    /* private to poincare.c */
    size_t surface_channel, *channels, capacity, limit;
    bool of_time;
    double value, period, from, last_time, last_value, last_rate;
    int direction;
    struct lashi_window *window; /* looks into steps */
    lash_status status;
} lashi_section;

/* Points before the time `from` are dropped; after `limit` points (0: never) the rest is ignored. Fails on an
 * unknown channel. `error` is also written while the section is used: a channel that cannot be followed. */
lash_status lashi_section_create(lashi_section **out, const lash_sim *sim, const lashi_surface *surface,
                                 const char *const *channels, size_t count, double from, size_t limit,
                                 lash_error *error);
void lashi_section_destroy(lashi_section *section);
/* An observer for lash_run_control, user = the section; may also be called from another observer. */
lash_status lashi_section_observe(void *section, lash_sim *sim, double t_old, double t_new);

/* ---- largest Lyapunov exponent (lyapunov.c) ---- */

typedef struct lashi_lyapunov_options {
    double interval; /* s (maps: steps) between renormalisations, > 0 */
    size_t count;    /* intervals measured, >= 2 */
    size_t align;    /* intervals before that, in which the difference turns to its fastest direction */
    double distance; /* maps and flows: of the two trajectories in scales; 0: 1e-6 */
    size_t blocks;   /* for the standard error; 0: 16 or fewer */
    const atomic_bool *stop; /* looked at after every interval; true: LASH_STOP_INTERRUPTED. May be NULL */
} lashi_lyapunov_options;

typedef struct lashi_lyapunov {
    double exponent; /* 1/s (maps: per step) */
    double error;    /* its standard error, from blocks of intervals, and that of the integration */
    double interval; /* s */
    size_t count;    /* intervals measured */
    double *growth;  /* [count] ln of the growth over each interval */
    size_t floored; /* of a map or flow: intervals in which the difference sank into rounding: the exponent is
                       an upper bound */
    size_t saturated; /* intervals in which it left the linear range: take a shorter interval */
    double end;       /* s, where the reference trajectory ended */
} lashi_lyapunov;

/* Advances y[n] from t to t + interval. */
typedef lash_status (*lashi_flow)(void *user, double *y, double t, double interval, lash_error *error);

/* Of the motion that a sim would run from its present state on, also beyond the end of the run; the sim stays
 * as it is. */
lash_status lashi_lyapunov_sim(lashi_lyapunov *out, const lash_sim *sim,
                               const lashi_lyapunov_options *options, lash_error *error);
/* Of a map or a differential equation; y[n] is the start and becomes the end; scales NULL: 1. */
lash_status lashi_lyapunov_flow(lashi_lyapunov *out, lashi_flow flow, void *user, double *y, size_t n,
                                const double *scales, const lashi_lyapunov_options *options,
                                lash_error *error);
/* From the growth, ln |w|, over blocks of `length` s each. */
lash_status lashi_lyapunov_blocks(lashi_lyapunov *out, const double *growth, size_t blocks, double length,
                                  lash_error *error);
void lashi_lyapunov_clear(lashi_lyapunov *result);
/* Convergence: curve[k] is the exponent from the first k + 1 intervals. */
void lashi_lyapunov_curve(double *curve, const lashi_lyapunov *result);

/* ---- sequences of section points ---- */

/* Smallest n with |x[i+n] − x[i]| <= tolerance × scale in every channel for all i of the sequence (period.c);
 * 0: none up to `most` or up to a third of the points. `scales` NULL: 1. *residue (may be NULL): largest such
 * difference in scales for the n found, or for the best n. */
size_t lashi_period(double *residue, const double *points, size_t count, size_t width, const double *scales,
                    double tolerance, size_t most);

/* Recurrence (zero_one.c): pairs of points closer than `radius` scales in every channel. */
typedef struct lashi_recurrence {
    double rate;        /* share of all pairs */
    double determinism; /* share of those in runs of LASHI_RUN or more that stay close; NaN: no pair */
    double nearest;     /* mean over the points of the distance to the nearest other, in scales */
} lashi_recurrence;
enum { LASHI_RUN = 4 };
lashi_recurrence lashi_recurrence_measure(const double *points, size_t count, size_t width,
                                          const double *scales, double radius);

/* 0-1 test for chaos of a scalar sequence with the given stride: K near 0 regular, near 1 chaotic; NaN with
 * fewer than LASHI_ZERO_ONE_LEAST values, or when they are all equal. */
enum { LASHI_ZERO_ONE_LEAST = 100 };
lash_status lashi_zero_one(double *K, const double *values, size_t count, size_t stride, lash_error *error);

/* ---- verdict (verdict.c) ---- */

typedef enum lashi_motion {
    LASHI_UNDECIDED,
    LASHI_PERIODIC,
    LASHI_QUASI_PERIODIC,
    LASHI_CHAOTIC
} lashi_motion;

typedef struct lashi_verdict_options {
    double period_tolerance; /* of the scales */
    size_t period_most;
    double recurrence_radius; /* of the scales */
    double K_regular, K_chaotic;
    double sigmas;  /* an exponent beyond so many standard errors has a sign */
    double neutral; /* per section interval: smaller exponents count as zero */
} lashi_verdict_options;
lashi_verdict_options lashi_verdict_default(void);

typedef struct lashi_verdict {
    lashi_motion motion;
    size_t period;                   /* of a periodic motion, in section points; 0 otherwise */
    double residue;                  /* of the period, in scales */
    double K;                        /* 0-1 test, largest over the channels */
    double exponent, error;          /* 1/s; NaN: not measured */
    double per_turn, per_turn_error; /* per section interval */
    lashi_recurrence recurrence;
    bool moves_on;      /* the second half of the points lies elsewhere than the first */
    const char *reason; /* one sentence */
} lashi_verdict;

/* From a section's points and an exponent (NULL: not measured). `turn`: s between section points, for the
 * exponent; NaN: their mean spacing is not known and the exponent's unit is already one section interval. */
lash_status lashi_verdict_of(lashi_verdict *out, const double *points, size_t count, size_t width,
                             const double *scales, double turn, const lashi_lyapunov *exponent,
                             const lashi_verdict_options *options, lash_error *error);
/* "periodic", "quasi-periodic", "chaotic", "undecided". */
const char *lashi_motion_name(lashi_motion motion);

#endif
