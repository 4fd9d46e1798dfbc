/* SPDX-License-Identifier: MIT
 *
 * Least, most, mean and mean square of channels over a run, from its interpolant.
 *
 * Every accepted step is evaluated at five points, ends included: its integral is Boole's rule
 *     ∫x dt ≈ h (7x₀ + 32x₁ + 12x₂ + 32x₃ + 7x₄)/90,
 * exact for polynomials of degree 5. Steps end where contacts begin and end, so that kinks lie on ends. Where
 * a parabola through three of them promises a new extremum it is searched for, by parabolas ever closer: what
 * is reported is always a value that the channel has. Where only ranges are asked for, three points are enough:
 * both ends, since velocities jump at impacts, and the middle; integrals are then by Simpson's rule.
 *
 * Steps are as long as the motion allows, and a channel may change faster than that: the reaction at a rotor
 * that turns freely, the sine of an angle. Boole's rule differs from Simpson's on the same points by
 *     h (x₀ − 4x₁ + 6x₂ − 4x₃ + x₄)/180.
 * For a sine whose phase goes on by φ in the step this is the share d = φ⁴/92160 of h (max − min), and Boole's own
 * error is 7 d^1.5 of it. Where that is more than rtol, of x or of x², the step is looked at in halves, as often as
 * it takes. Evenly spaced points may all fall on the same phase of a fast vibration. So x must also be where the
 * polynomial through the five points is, at two more places without a common spacing; for the sine it is off by
 * 9 d^1.25 there. Rounding never settles: what differs as much however close two looks come to each other, until it
 * does not differ at all, is rounding, and left as it is.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/metric.h"

enum { LOOKS = LASHI_LOOKS, LOOKS_AT_RANGES = 3, PARABOLAS = 3, HALVINGS = 15 };
/* Spacing of a parabola, in units of the spacing of the one before. */
static const double CLOSER = 0.125;
/* What the first parabola may miss of an extremum, and what is not worth a search; both as a share of the
 * range of its three points. */
static const double LEFT_OUT = 0.05, NOT_WORTH = 1e-9;
/* Two more looks, as shares of the step, and weights of the polynomial through the five there. */
enum { ASIDES = 2 };
static const double aside[ASIDES] = {0.618, 0.293};
static const double there[ASIDES][LOOKS] = {
    {0.023355858944, -0.156890443776, 0.733928177664, 0.437391540224, -0.037785133056},
    {-0.030676311456, 0.836107837824, 0.260526355264, -0.078670978176, 0.012713096544}};
/* Next to each other: what looks there differ by at most if the channel is smooth, as a share of its range in a part of
 * a step; of a tenth of the way, as a share of the difference; what is a difference of rounding, in units of what was
 * seen of it. */
static const double SMOOTH = 0.1, TENTH = 0.15, ROUNDING = 100;
/* The farthest look from each of some places in a part, as a share of it. */
static const double BESIDE = 0.025;
enum { PLACES = 4 };
/* Differences of looks at a constant, in units of its last digit. */
static const double LAST_DIGITS = 64;
/* Parts of a step that do not settle, after which no more are halved. */
enum { MOST_UNSETTLED = 64 };
/* Of range times time, what may remain unsettled: around jumps. The range is known when a motion is under way; in the
 * first steps from rest it is that of rounding. */
static const double UNSETTLED = 1e-3;
enum { UNDER_WAY = 256 }; /* steps */
static const double weight[LOOKS] = {7.0 / 90, 32.0 / 90, 12.0 / 90, 32.0 / 90, 7.0 / 90};
static const double simpson[LOOKS_AT_RANGES] = {1.0 / 6, 4.0 / 6, 1.0 / 6};

lash_status lashi_window_create(lashi_window *window, size_t capacity, double rtol, lash_error *error) {
    *window =
        (lashi_window){.error = error,
                       .coarsest = INFINITY,
                       .tracks = calloc(capacity + 1, sizeof *window->tracks),
                       .channels = calloc(capacity + 1, sizeof *window->channels),
                       .looks = calloc(((HALVINGS + 1) * LOOKS + 1) * (capacity + 1), sizeof *window->looks),
                       .settled = pow(rtol / 7, 2.0 / 3),
                       .settled_aside = 4 * 9 * pow(rtol / 7, 2.5 / 3)};
    if (window->tracks && window->channels && window->looks)
        return LASH_OK;
    lashi_window_clear(window);
    return lashi_study_fail_memory(error);
}

void lashi_window_clear(lashi_window *window) {
    free(window->tracks);
    free(window->channels);
    free(window->looks);
    *window = (lashi_window){0};
}

size_t lashi_window_track_range(lashi_window *window, size_t channel) {
    for (size_t i = 0; i < window->count; i++)
        if (window->channels[i] == channel)
            return i;
    window->channels[window->count] = channel;
    window->tracks[window->count] = (lashi_track){.channel = channel, .least = INFINITY, .most = -INFINITY};
    return window->count++;
}

size_t lashi_window_track(lashi_window *window, size_t channel) {
    window->sums = true;
    return lashi_window_track_range(window, channel);
}

static void extend(lashi_track *track, double x) {
    if (x < track->least || isnan(x)) // a NaN stays
        track->least = x;
    if (x > track->most || isnan(x))
        track->most = x;
}

bool lashi_top(double *place, double *height, const double f[3]) {
    const double bend = f[0] - 2 * f[1] + f[2];
    if (!(bend < 0))
        return false;
    *place = 0.5 * (f[0] - f[2]) / bend;
    *height = f[1] - 0.25 * (f[0] - f[2]) * *place;
    return true;
}

/* The same between the three points. */
static bool top(double *place, double *height, const double f[3]) {
    return lashi_top(place, height, f) && fabs(*place) <= 1;
}

double lashi_climb(double *at_best, lash_sim *sim, size_t channel, double sign, double t, double apart,
                   double t_old, double t_new) {
    double f[3], place, height, best = -INFINITY;
    *at_best = t;
    for (int i = 0; i < PARABOLAS; i++) {
        apart *= CLOSER;
        t = fmin(t_new - apart, fmax(t_old + apart, t));
        for (int k = 0; k < 3; k++) {
            const double at = fmin(t_new, fmax(t_old, t + (k - 1) * apart)), // rounding leaves the step
                x = lash_sim_value_at(sim, channel, at);
            f[k] = sign * x;
            if (f[k] > best || isnan(x)) { // a NaN stays
                best = f[k];
                *at_best = at;
            }
        }
        if (top(&place, &height, f))
            t += place * apart;
        else if (f[0] != f[2])
            t += f[0] > f[2] ? -apart : apart;
        else
            break;
    }
    return sign * best;
}

/* Searches where three neighbouring points promise a new extremum. */
static void refine(lashi_track *track, const double *x, size_t stride, lash_sim *sim, double t_old,
                   double t_new, size_t looks) {
    const double apart = (t_new - t_old) / (double)(looks - 1);
    for (size_t k = 1; k + 1 < looks; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double f[3], place, height, at;
            for (size_t n = 0; n < 3; n++)
                f[n] = sign * x[(k - 1 + n) * stride];
            const double seen = sign > 0 ? track->most : -track->least,
                         highest = fmax(f[0], fmax(f[1], f[2])),
                         range = highest - fmin(f[0], fmin(f[1], f[2]));
            if (top(&place, &height, f) && height > highest + NOT_WORTH * range &&
                height + LEFT_OUT * range > seen)
                extend(track, lashi_climb(&at, sim, track->channel, sign, t_old + ((double)k + place) * apart,
                                          apart, t_old, t_new));
        }
}

double lashi_track_range(const lashi_track *track) {
    const double range = track->most - track->least;
    return range > 0 && isfinite(range) ? range : 1;
}

/* What a channel may miss: a share of its range, and rounding. */
static double enough(const lashi_window *window, const lashi_track *track, double share) {
    const double largest = fmax(fabs(track->least), fabs(track->most));
    return share * fmin(track->most - track->least, window->coarsest) + ROUNDING * track->rounding +
           LAST_DIGITS * DBL_EPSILON * largest;
}

/* Whether Boole's rule is good enough for all channels, from t_old to t_new; x: looks, a row for each. */
static bool is_settled(lashi_window *window, const double *x, lash_sim *sim, double t_old, double t_new) {
    static const double difference[LOOKS] = {1, -4, 6, -4, 1};
    const size_t n = window->count;
    for (size_t i = 0; i < n; i++) {
        const lashi_track *track = &window->tracks[i];
        double off = 0, off_square = 0;
        for (size_t k = 0; k < LOOKS; k++) {
            off += difference[k] * x[k * n + i];
            off_square += difference[k] * x[k * n + i] * x[k * n + i];
        }
        const double largest = fmax(fabs(track->least), fabs(track->most)),
                     most = enough(window, track, 180 * window->settled);
        if (fabs(off) > most || fabs(off_square) > 2 * most * largest)
            return false;
    }
    double *more = window->looks + (HALVINGS + 1) * LOOKS * n;
    for (size_t m = 0; m < ASIDES; m++) {
        lash_sim_values_at(more, sim, window->channels, n, t_old + aside[m] * (t_new - t_old));
        for (size_t i = 0; i < n; i++) {
            lashi_track *track = &window->tracks[i];
            double off = -more[i];
            for (size_t k = 0; k < LOOKS; k++)
                off += there[m][k] * x[k * n + i];
            extend(track, more[i]);
            if (fabs(off) > enough(window, track, window->settled_aside))
                return false;
        }
    }
    return true;
}

/* Whether a channel is rough after t, or even: then its slope explains that it changes by `much` in `length`. However
 * fast it is, looks ever closer to each other differ ever less; rounding differs as much, and then hardly at all. */
typedef enum manner { FLAT, ROUGH, EVEN } manner;

static manner manner_after(lash_sim *sim, size_t channel, double t, double length, double much) {
    const double x = lash_sim_value_at(sim, channel, t);
    manner seen = FLAT;
    for (double apart = BESIDE * length; t + 0.1 * apart > t; apart *= 0.1) {
        const double differ = fabs(lash_sim_value_at(sim, channel, t + apart) - x);
        if (differ > SMOOTH * much) {
            seen = ROUGH;
            continue;
        }
        if (!(differ * length > SMOOTH * much * apart))
            break;
        const double tenth = fabs(lash_sim_value_at(sim, channel, t + 0.1 * apart) - x);
        if (tenth > 0 && tenth <= TENTH * differ)
            return EVEN;
    }
    return seen;
}

/* At how many places of a part of a step, in which it changes by `much`, a channel is rough; none where it is even at
 * one. */
static int rough_places(lash_sim *sim, size_t channel, double t_old, double t_new, double much) {
    int rough = 0;
    for (int k = 0; k < PLACES; k++) {
        const double t = t_old + (t_new - t_old) * k / PLACES;
        const manner seen = manner_after(sim, channel, t, t_new - t_old, much);
        if (seen == EVEN)
            return 0;
        rough += seen == ROUGH;
    }
    return rough;
}

/* A part of a step that is not halved, where some channel is not settled: it is rounding there, or changes too fast. */
static void take_unsettled(lashi_window *window, lash_sim *sim, const double *x, double t_old, double t_new) {
    const size_t n = window->count;
    window->unsettled++;
    for (size_t i = 0; i < n; i++) {
        lashi_track *track = &window->tracks[i];
        double least = x[i], most = x[i];
        for (size_t k = 1; k < LOOKS; k++) {
            least = fmin(least, x[k * n + i]);
            most = fmax(most, x[k * n + i]);
        }
        const int rough = rough_places(sim, track->channel, t_old, t_new, most - least);
        track->rough += rough;
        if (rough && track->rough > 1) // a jump is rough at one place
            track->rounding = fmax(track->rounding, most - least);
        else if (most - least > SMOOTH * (track->most - track->least)) {
            track->unsettled += (most - least) * (t_new - t_old);
            track->fast = (double)NAN; // in this step
        }
    }
}

/* Looks at a part of a step; the rows of looks of its halves follow its own, whose odd ones are missing unless
 * the part is the whole step. */
static void look(lashi_window *window, lash_sim *sim, double t_old, double t_new, size_t level) {
    const size_t n = window->count, looks = window->sums ? LOOKS : LOOKS_AT_RANGES;
    const double h = t_new - t_old, apart = h / (double)(looks - 1);
    double *x = window->looks + level * LOOKS * n;
    for (size_t k = 0; k < looks; k++)
        if (level == 0 || k % 2)
            lash_sim_values_at(x + k * n, sim, window->channels, n,
                               k + 1 < looks ? t_old + (double)k * apart : t_new);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < looks; k++)
            extend(&window->tracks[i], x[k * n + i]);
    if (window->sums && !is_settled(window, x, sim, t_old, t_new)) {
        if (level < HALVINGS && window->unsettled < MOST_UNSETTLED) {
            for (size_t half = 0; half < 2; half++) {
                for (size_t k = 0; k < 3; k++)
                    memcpy(x + (LOOKS + 2 * k) * n, x + (2 * half + k) * n, n * sizeof *x);
                const double middle = t_old + 0.5 * h;
                look(window, sim, half ? middle : t_old, half ? t_new : middle, level + 1);
            }
            return;
        }
        take_unsettled(window, sim, x, t_old, t_new);
    }
    if (window->resolved) {
        window->resolved(window->user, sim, x, t_old, t_new);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        lashi_track *track = &window->tracks[i];
        const double *shares = window->sums ? weight : simpson;
        for (size_t k = 0; k < looks; k++) {
            track->integral += h * shares[k] * x[k * n + i];
            track->square += h * shares[k] * x[k * n + i] * x[k * n + i];
        }
        refine(track, x + i, n, sim, t_old, t_new, looks);
    }
}

lash_status lashi_window_check(const lashi_window *window, const lash_sim *sim) {
    for (size_t i = 0; i < window->count; i++) {
        const lashi_track *track = &window->tracks[i];
        const double range = fmin(track->most - track->least, window->coarsest);
        if (track->unsettled > UNSETTLED * range * window->length)
            return lashi_study_fail(
                window->error, LASH_ERROR_ACCURACY,
                "%s changes too fast to be followed: it is not resolved within a step of %.3g s at %.9g s, "
                "by %d values of it; set `max_step` in `run` to a few of its periods, or leave it out of "
                "`metrics` and `section`",
                lash_sim_channel_name(sim, track->channel), track->fast_step, track->fast, 4 << HALVINGS);
    }
    return LASH_OK;
}

lash_status lashi_window_observe(lashi_window *window, lash_sim *sim, double t_old, double t_new) {
    if (!(t_new > t_old))
        return LASH_OK;
    window->length += t_new - t_old;
    window->steps++;
    window->unsettled = 0;
    for (size_t i = 0; i < window->count; i++)
        window->tracks[i].rough = 0;
    if (window->count)
        look(window, sim, t_old, t_new, 0);
    for (size_t i = 0; i < window->count && window->unsettled; i++)
        if (isnan(window->tracks[i].fast)) {
            window->tracks[i].fast = t_old;
            window->tracks[i].fast_step = t_new - t_old;
        }
    return window->steps > UNDER_WAY ? lashi_window_check(window, sim) : LASH_OK;
}
