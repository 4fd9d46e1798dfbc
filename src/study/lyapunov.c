/* SPDX-License-Identifier: MIT
 *
 * Largest Lyapunov exponent: how fast two trajectories part that begin close together.
 *
 * Notation: w the difference of two trajectories, τ the interval between renormalisations, |w|² =
 * Σ (w_i/s_i)² with scales s_i. At the start of each interval w is given the length d; over interval k it
 * grows to |w_k|, and
 *
 *     λ = 1/(N τ) Σ_k ln(|w_k| / d).                                                                  (1)
 *
 * The first intervals are left out: in them w turns towards the direction that grows fastest.
 *
 * Mechanisms. w is the tangent of a sim (src/sim/tangent.c): it is integrated with the motion, through
 * impacts and changes of mode, so that (1) is the exponent of the tangent flow along the motion that the sim
 * itself runs, whatever its tolerance. The difference of two separate runs would not do: in a motion that
 * contracts it sinks into the errors of both, and the exponent measured is that of the tolerance.
 * Only coordinates count in |w|, in the scales of the tolerance, taken once at the start. What contacts
 * remember (approach speed, bristles) is carried in w, since forces depend on it, but not counted: it has no
 * length of its own. It does not differ at the start: in a contact that never ends memory is a constant, and
 * its exponent, 0, says nothing of the motion.
 *
 * Time is not perturbed: phases of drives are the same, so a driven machine has no zero exponent of its own.
 *
 * Maps and differential equations: two trajectories at the distance d, put back onto the line between them at
 * every renormalisation. With d small against the scales and large against rounding this is the same; the
 * number of intervals in which either fails is given (saturated, floored).
 *
 * Uncertainty: standard error of the mean of blocks of intervals, longer than the correlation where there are
 * enough; and what the integration of the tangent may have left out, its tolerance in every step. It does not
 * contain the bias ~ ln(N)/(N τ) of neutral (linear) growth: that a motion is neutral
 * shows in lashi_lyapunov_curve() falling as 1/N.
 *
 * Reference: G. Benettin, L. Galgani, A. Giorgilli, J.-M. Strelcyn, Meccanica 15 (1980) 9-20 and 21-30.
 */
#include "study/nonlinear.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "study/fail.h"

static const double FLOW_DISTANCE = 1e-6;
/* Length in scales beyond which a difference is no longer small. */
static const double LINEAR = 0.1;
/* A difference smaller than so many times the error of the states is not known. */
static const double KNOWN = 10;
enum { BLOCKS = 16 };

/* ---- a difference that is moved on ---- */

typedef struct difference {
    size_t n, coordinates;     /* of a mechanism: n = coordinates, then memory of contacts */
    double *w, *scales;        /* [n], [coordinates] */
    double d;                  /* its length at the start of an interval, in scales */
    double resolution, linear; /* least and largest length that means anything */
    double doubt;              /* error of ln |w| that its integration may have made so far */
    /* Moves w on from t by one interval, or makes it one that is allowed (interval 0). */
    lash_status (*advance)(struct difference *self, double t, double interval, lash_error *error);
    lash_sim *sim;
    lashi_flow flow;
    void *user;
    double *y, *moved; /* [n] of a map or a differential equation */
    double *block;
} difference;

static lash_status difference_create(difference *self, size_t n, lash_error *error) {
    self->n = n;
    self->block = calloc(4 * n, sizeof(double));
    if (!self->block)
        return lashi_study_fail_memory(error);
    self->w = self->block;
    self->scales = self->block + n;
    self->y = self->block + 2 * n;
    self->moved = self->block + 3 * n;
    return LASH_OK;
}

static double norm(const difference *self) {
    double sum = 0;
    for (size_t i = 0; i < self->coordinates; i++)
        sum += self->w[i] / self->scales[i] * (self->w[i] / self->scales[i]);
    return sqrt(sum);
}

/* Some direction, the same every time: fractional parts of multiples of the golden ratio. Memory of contacts
 * differs only by what follows from that. */
static void begin_direction(difference *self) {
    const double golden = 0.6180339887498949;
    memset(self->w, 0, self->n * sizeof(double));
    for (size_t i = 0; i < self->coordinates; i++)
        self->w[i] = self->scales[i] * (0.25 + fmod((double)(i + 1) * golden, 1)) * (i % 2 ? -1 : 1);
}

/* Of a map or a differential equation. */
static lash_status advance_flow(difference *self, double t, double interval, lash_error *error) {
    if (!(interval > 0))
        return LASH_OK;
    for (size_t i = 0; i < self->n; i++)
        self->moved[i] = self->y[i] + self->w[i];
    lash_status status = self->flow(self->user, self->y, t, interval, error);
    if (status >= 0)
        status = self->flow(self->user, self->moved, t, interval, error);
    for (size_t i = 0; i < self->n; i++)
        self->w[i] = self->moved[i] - self->y[i];
    return status < 0 ? status : LASH_OK;
}

/* Of a mechanism. */
static lash_status advance_sim(difference *self, double t, double interval, lash_error *error) {
    lash_status status = lash_sim_set_tangent(self->sim, self->w, error);
    for (; !status; self->doubt += lash_sim_tangent_tolerance(self->sim))
        status = lash_sim_step(self->sim, t + interval, error);
    if (status == LASH_STOP_EVENT)
        return lashi_study_fail_end(error, self->sim, "the exponent is known");
    return status == LASH_STOP_END ? lash_sim_tangent(self->w, self->sim, error) : status;
}

/* ---- the measurement ---- */

static lash_status check(const lashi_lyapunov_options *options, size_t n, lash_error *error) {
    if (!(options->interval > 0) || !isfinite(options->interval) || options->count < 2 ||
        !(options->distance >= 0))
        return lashi_study_fail(error, LASH_ERROR_USAGE,
                                "an exponent needs an interval > 0, two intervals or more and no negative "
                                "distance");
    if (n == 0)
        return lashi_study_fail(error, LASH_ERROR_USAGE,
                                "nothing is integrated here: there is no exponent to measure");
    return LASH_OK;
}

/* Mean and standard error of the growth per interval; doubt: of their sum. */
static void conclude(lashi_lyapunov *out, size_t blocks, double doubt) {
    double mean = 0;
    for (size_t k = 0; k < out->count; k++)
        mean += out->growth[k];
    mean /= (double)out->count;
    if (blocks == 0)
        blocks = BLOCKS;
    if (blocks > out->count / 2)
        blocks = out->count / 2 < 2 ? 2 : out->count / 2;
    const size_t length = out->count / blocks, skipped = out->count - blocks * length;
    double centre = 0, variance = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t b = 0; b < blocks; b++) {
            double sum = 0;
            for (size_t k = 0; k < length; k++)
                sum += out->growth[skipped + b * length + k];
            sum /= (double)length;
            if (pass == 0)
                centre += sum / (double)blocks;
            else
                variance += (sum - centre) * (sum - centre) / (double)(blocks - 1);
        }
    }
    out->exponent = mean / out->interval;
    out->error = hypot(sqrt(variance / (double)blocks), doubt / (double)out->count) / out->interval;
}

/* A direction to begin with, of length > 0. */
static lash_status begin(difference *self, double t, lash_error *error) {
    begin_direction(self);
    const lash_status status = self->advance(self, t, 0, error);
    if (!status && !(norm(self) > 0))
        return lashi_study_fail(error, LASH_ERROR_USAGE,
                                "drives and contacts determine all motion at t = %.9g s: nothing can differ "
                                "there, and there is no exponent to measure",
                                t);
    return status;
}

static lash_status measure(lashi_lyapunov *out, difference *self, double t,
                           const lashi_lyapunov_options *options, lash_error *error) {
    const size_t all = options->align + options->count;
    *out = (lashi_lyapunov){.interval = options->interval, .count = options->count};
    out->growth = calloc(options->count, sizeof(double));
    if (!out->growth)
        return lashi_study_fail_memory(error);
    lash_status status = begin(self, t, error);
    for (size_t k = 0; !status && k < all; k++) {
        const double now = t + (double)k * options->interval;
        if (k == options->align)
            self->doubt = 0;
        // Lost in rounding: another direction.
        if (!(norm(self) > 0))
            status = begin(self, now, error);
        const double length = norm(self);
        for (size_t i = 0; i < self->n; i++)
            self->w[i] *= self->d / length;
        if (!status)
            status = self->advance(self, now, options->interval, error);
        if (!status && options->stop && atomic_load_explicit(options->stop, memory_order_relaxed))
            status = LASH_STOP_INTERRUPTED;
        const double grown = norm(self);
        if (!status && !isfinite(grown))
            status =
                lashi_study_fail(error, LASH_ERROR_NOT_FINITE,
                                 "the distance of two trajectories is not finite after %zu intervals", k);
        if (status || k < options->align)
            continue;
        out->floored += grown <= KNOWN * self->resolution;
        out->saturated += grown > self->linear;
        out->growth[k - options->align] = log(fmax(grown, self->resolution) / self->d);
    }
    out->end = t + (double)all * options->interval;
    if (!status)
        conclude(out, options->blocks, self->doubt);
    else
        lashi_lyapunov_clear(out);
    return status;
}

lash_status lashi_lyapunov_flow(lashi_lyapunov *out, lashi_flow flow, void *user, double *y, size_t n,
                                const double *scales, const lashi_lyapunov_options *options,
                                lash_error *error) {
    *out = (lashi_lyapunov){0};
    lash_status status = check(options, n, error);
    if (status)
        return status;
    difference two = {.flow = flow,
                      .user = user,
                      .coordinates = n,
                      .advance = advance_flow,
                      .d = options->distance > 0 ? options->distance : FLOW_DISTANCE,
                      .resolution = DBL_EPSILON,
                      .linear = LINEAR};
    status = difference_create(&two, n, error);
    if (!status) {
        for (size_t i = 0; i < n; i++)
            two.scales[i] = scales ? scales[i] : 1;
        memcpy(two.y, y, n * sizeof *y);
        status = measure(out, &two, 0, options, error);
        memcpy(y, two.y, n * sizeof *y);
    }
    free(two.block);
    return status;
}

lash_status lashi_lyapunov_sim(lashi_lyapunov *out, const lash_sim *sim,
                               const lashi_lyapunov_options *options, lash_error *error) {
    *out = (lashi_lyapunov){0};
    const size_t coordinates = lash_sim_coordinate_count(sim);
    lash_status status = check(options, coordinates, error);
    if (status)
        return status;
    difference tangent = {.coordinates = coordinates, .advance = advance_sim, .d = 1, .linear = INFINITY};
    status = difference_create(&tangent, coordinates + lash_sim_memory_count(sim), error);
    if (!status)
        status = lash_sim_create_tangent(&tangent.sim, sim, error);
    if (!status) {
        lash_sim_coordinate_scales(tangent.scales, sim);
        status = measure(out, &tangent, lash_sim_time(sim), options, error);
    }
    if (!status && out->floored) {
        status = lashi_study_fail(error, LASH_ERROR_LIMIT,
                                  "differences vanish altogether in %zu of %zu intervals, where drives and "
                                  "contacts determine all motion: the exponent is minus infinity",
                                  out->floored, out->count);
        lashi_lyapunov_clear(out);
    }
    lash_sim_destroy(tangent.sim);
    free(tangent.block);
    return status;
}

lash_status lashi_lyapunov_blocks(lashi_lyapunov *out, const double *growth, size_t blocks, double length,
                                  lash_error *error) {
    *out = (lashi_lyapunov){.interval = length, .count = blocks, .growth = calloc(blocks, sizeof(double))};
    if (!out->growth)
        return lashi_study_fail_memory(error);
    memcpy(out->growth, growth, blocks * sizeof *growth);
    conclude(out, 0, 0);
    return LASH_OK;
}

void lashi_lyapunov_clear(lashi_lyapunov *result) {
    free(result->growth);
    *result = (lashi_lyapunov){0};
}

void lashi_lyapunov_curve(double *curve, const lashi_lyapunov *result) {
    double sum = 0;
    for (size_t k = 0; k < result->count; k++) {
        sum += result->growth[k];
        curve[k] = sum / ((double)(k + 1) * result->interval);
    }
}
