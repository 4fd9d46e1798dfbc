/* SPDX-License-Identifier: MIT
 *
 * Largest Lyapunov exponent: how fast two trajectories part that begin close together.
 *
 * Notation: y reference trajectory, y + w its neighbour, τ the interval between renormalisations, d the
 * distance they are set to, |w|² = Σ (w_i/s_i)² with scales s_i. Over interval k the neighbour goes from
 * distance d to |w_k|; it is then put back onto the line between both at distance d, and
 *
 *     λ = 1/(N τ) Σ_k ln(|w_k| / d).                                                                  (1)
 *
 * The first intervals are left out: in them w turns towards the direction that grows fastest. With d small
 * against the scales and large against the integrator's error, (1) is the exponent of the tangent flow; the
 * number of intervals in which either fails is given (saturated, floored).
 *
 * Mechanisms. Scales are those of the integrator's tolerance, taken once at the start; d should be
 * sqrt(rtol), half way (in decades) between them and the integrator's error, taken as d² here.
 *
 * Constraints: only differences that the joints allow count. Those that violate constraints are removed at
 * every renormalisation, w ← P(y + w) − P(y) with P the projection; otherwise stabilisation would add its own
 * exponent, −α of Baumgarte, and a motion that settles faster than that would show it.
 *
 * Impacts: the neighbour meets the wall a little earlier or later, at another speed. It is integrated through
 * the contact like the reference, with its own events, so (1) holds without saltation terms.
 *
 * Memory: forces of a contact depend on how it began, by the approach speed and the deflection of bristles.
 * These are part of w and scaled with it where both trajectories remember something. Leaving them out
 * (starting the neighbour with the reference's memory) forgets a difference at every renormalisation inside a
 * contact: half of the exponent of a slider-crank that touches most of the time. They are not perturbed at
 * the start: in a contact that never ends memory is a constant, and its exponent, 0, says nothing of the
 * motion.
 *
 * Time is not perturbed: phases of drives are the same, so a driven machine has no zero exponent of its own.
 *
 * Uncertainty: standard error of the mean of blocks of intervals, longer than the correlation where there are
 * enough. It does not contain the bias ~ ln(N)/(N τ) of neutral (linear) growth: that a motion is neutral
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
/* sqrt(rtol) with the rtol that models have unless they say otherwise. */
static const double SIM_DISTANCE = 1e-4;
/* In scales: beyond that a difference is no longer small. */
static const double LINEAR = 0.1;
/* A difference smaller than so many times the error of the states is not known. */
static const double KNOWN = 10;
enum { BLOCKS = 16 };

/* ---- a pair of trajectories ---- */

typedef struct trajectories {
    size_t n, coordinates;                  /* of a mechanism: n = coordinates, then memory of contacts */
    double *y, *w, *moved, *scales, *spare; /* [n] */
    double resolution;                      /* of a state, in scales */
    /* Moves y and w on by one interval, or (at the start) makes w a difference that is allowed. */
    lash_status (*advance)(struct trajectories *pair, double t, double interval, lash_error *error);
    lash_status (*allow)(struct trajectories *pair, lash_error *error);
    lash_sim *sim;
    lash_state *before, *after;
    lashi_flow flow;
    void *user;
    double *block;
} trajectories;

static lash_status pair_create(trajectories *pair, size_t n, lash_error *error) {
    pair->n = n;
    pair->block = calloc(5 * n, sizeof(double));
    if (!pair->block)
        return lashi_study_fail_memory(error);
    pair->y = pair->block;
    pair->w = pair->block + n;
    pair->moved = pair->block + 2 * n;
    pair->scales = pair->block + 3 * n;
    pair->spare = pair->block + 4 * n;
    return LASH_OK;
}

static void pair_clear(trajectories *pair) {
    free(pair->block);
    lash_state_destroy(pair->before);
    lash_state_destroy(pair->after);
}

static double norm(const trajectories *pair) {
    double sum = 0;
    for (size_t i = 0; i < pair->n; i++)
        sum += pair->w[i] / pair->scales[i] * (pair->w[i] / pair->scales[i]);
    return sqrt(sum);
}

/* Some direction of length d, the same every time: fractional parts of multiples of the golden ratio. Memory
 * of contacts differs only by what follows from that. */
static void begin_direction(trajectories *pair, double d) {
    const double golden = 0.6180339887498949;
    memset(pair->w, 0, pair->n * sizeof(double));
    for (size_t i = 0; i < pair->coordinates; i++)
        pair->w[i] = pair->scales[i] * (0.25 + fmod((double)(i + 1) * golden, 1)) * (i % 2 ? -1 : 1);
    const double length = norm(pair);
    for (size_t i = 0; i < pair->coordinates; i++)
        pair->w[i] *= d / length;
}

/* ---- of a map or a differential equation ---- */

static lash_status allow_all(trajectories *pair, lash_error *error) {
    (void)pair;
    (void)error;
    return LASH_OK;
}

static lash_status advance_flow(trajectories *pair, double t, double interval, lash_error *error) {
    for (size_t i = 0; i < pair->n; i++)
        pair->moved[i] = pair->y[i] + pair->w[i];
    lash_status status = pair->flow(pair->user, pair->y, t, interval, error);
    if (status >= 0)
        status = pair->flow(pair->user, pair->moved, t, interval, error);
    for (size_t i = 0; i < pair->n; i++)
        pair->w[i] = pair->moved[i] - pair->y[i];
    return status < 0 ? status : LASH_OK;
}

/* ---- of a mechanism ---- */

static lash_status allow_by_joints(trajectories *pair, lash_error *error) {
    double *base = pair->spare;
    for (size_t i = 0; i < pair->coordinates; i++)
        pair->moved[i] = pair->y[i] + pair->w[i];
    memcpy(base, pair->y, pair->coordinates * sizeof(double));
    lash_status status = lash_sim_project_coordinates(pair->moved, pair->sim, error);
    if (!status)
        status = lash_sim_project_coordinates(base, pair->sim, error);
    for (size_t i = 0; i < pair->coordinates; i++)
        pair->w[i] = pair->moved[i] - base[i];
    // What is not remembered by both cannot differ by a little.
    for (size_t i = pair->coordinates; i < pair->n; i++)
        if (pair->y[i] == 0 || pair->y[i] + pair->w[i] == 0)
            pair->w[i] = 0;
    return status;
}

static void look(double *y, const trajectories *pair) {
    lash_sim_coordinates(y, pair->sim);
    lash_sim_memory(y + pair->coordinates, pair->sim);
}

/* Memory has no tolerance of its own: speeds weigh like speeds, deflections like positions. */
static void look_at_scales(trajectories *pair) {
    lash_sim_coordinate_scales(pair->scales, pair->sim);
    double length = 0, speed = 0;
    for (size_t i = 0; i < pair->coordinates / 2; i++) {
        length = fmax(length, pair->scales[i]);
        speed = fmax(speed, pair->scales[pair->coordinates / 2 + i]);
    }
    for (size_t i = pair->coordinates; i < pair->n; i += 2) {
        pair->scales[i] = speed;
        pair->scales[i + 1] = length;
    }
}

static lash_status step_to(lash_sim *sim, double t, lash_error *error) {
    lash_status status = LASH_OK;
    while (!status)
        status = lash_sim_step(sim, t, error);
    return status == LASH_STOP_END ? LASH_OK : status;
}

static lash_status advance_sim(trajectories *pair, double t, double interval, lash_error *error) {
    lash_sim *sim = pair->sim;
    for (size_t i = 0; i < pair->n; i++)
        pair->moved[i] = pair->y[i] + pair->w[i];
    // The reference first, then back, and its neighbour over the same stretch.
    lash_status status = lash_sim_save(pair->before, sim, error);
    if (!status)
        status = step_to(sim, t + interval, error);
    if (!status)
        status = lash_sim_save(pair->after, sim, error);
    if (status)
        return status;
    look(pair->y, pair);
    status = lash_sim_restore(sim, pair->before, error);
    if (!status)
        status = lash_sim_set_memory(sim, pair->moved + pair->coordinates, error);
    if (!status)
        status = lash_sim_set_coordinates(sim, pair->moved, error);
    if (!status)
        status = step_to(sim, t + interval, error);
    if (status)
        return status;
    look(pair->moved, pair);
    for (size_t i = 0; i < pair->n; i++)
        pair->w[i] = pair->moved[i] - pair->y[i];
    return lash_sim_restore(sim, pair->after, error);
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

/* Mean and standard error of the growth per interval. */
static void conclude(lashi_lyapunov *out, size_t blocks) {
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
    out->error = sqrt(variance / (double)blocks) / out->interval;
}

static lash_status measure(lashi_lyapunov *out, trajectories *pair, double t,
                           const lashi_lyapunov_options *options, double d, lash_error *error) {
    const size_t all = options->align + options->count;
    *out = (lashi_lyapunov){.interval = options->interval, .count = options->count};
    out->growth = calloc(options->count, sizeof(double));
    if (!out->growth)
        return lashi_study_fail_memory(error);
    begin_direction(pair, d);
    lash_status status = pair->allow(pair, error);
    for (size_t k = 0; !status && k < all; k++) {
        double length = norm(pair);
        // Lost in rounding, or no motion of the joints at all: another direction.
        if (!(length > 0)) {
            begin_direction(pair, d);
            status = pair->allow(pair, error);
            length = norm(pair);
        }
        if (!status && !(length > 0))
            status = lashi_study_fail(error, LASH_ERROR_USAGE,
                                      "the drives decide all motion: there is no exponent to measure");
        for (size_t i = 0; i < pair->n; i++)
            pair->w[i] *= d / length;
        if (!status)
            status = pair->advance(pair, t + (double)k * options->interval, options->interval, error);
        if (!status)
            status = pair->allow(pair, error);
        if (!status && options->stop && atomic_load_explicit(options->stop, memory_order_relaxed))
            status = LASH_STOP_INTERRUPTED;
        const double grown = norm(pair);
        if (!status && !isfinite(grown))
            status =
                lashi_study_fail(error, LASH_ERROR_NOT_FINITE,
                                 "the distance of two trajectories is not finite after %zu intervals", k);
        if (status || k < options->align)
            continue;
        out->floored += grown < KNOWN * pair->resolution;
        out->saturated += grown > LINEAR;
        out->growth[k - options->align] = log(fmax(grown, pair->resolution) / d);
    }
    out->end = t + (double)all * options->interval;
    if (!status)
        conclude(out, options->blocks);
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
    trajectories two = {
        .flow = flow, .user = user, .coordinates = n, .advance = advance_flow, .allow = allow_all};
    status = pair_create(&two, n, error);
    if (!status) {
        for (size_t i = 0; i < n; i++)
            two.scales[i] = scales ? scales[i] : 1;
        memcpy(two.y, y, n * sizeof *y);
        two.resolution = DBL_EPSILON;
        const double d = options->distance > 0 ? options->distance : FLOW_DISTANCE;
        status = measure(out, &two, 0, options, d, error);
        memcpy(y, two.y, n * sizeof *y);
    }
    pair_clear(&two);
    return status;
}

lash_status lashi_lyapunov_sim(lashi_lyapunov *out, lash_sim *sim, const lashi_lyapunov_options *options,
                               lash_error *error) {
    *out = (lashi_lyapunov){0};
    const size_t coordinates = lash_sim_coordinate_count(sim);
    lash_status status = check(options, coordinates, error);
    if (status)
        return status;
    trajectories two = {
        .sim = sim, .coordinates = coordinates, .advance = advance_sim, .allow = allow_by_joints};
    status = pair_create(&two, coordinates + lash_sim_memory_count(sim), error);
    if (!status)
        status = lash_state_create(&two.before, sim, error);
    if (!status)
        status = lash_state_create(&two.after, sim, error);
    if (!status) {
        look(two.y, &two);
        look_at_scales(&two);
        const double d = options->distance > 0 ? options->distance : SIM_DISTANCE;
        two.resolution = d * d;
        status = measure(out, &two, lash_sim_time(sim), options, d, error);
    }
    pair_clear(&two);
    return status;
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
