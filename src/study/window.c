/* SPDX-License-Identifier: MIT
 *
 * Least, most, mean and mean square of channels over a run, from its interpolant.
 *
 * Every accepted step is evaluated at five points, ends included: its integral is Boole's rule
 *     ∫x dt ≈ h (7x₀ + 32x₁ + 12x₂ + 32x₃ + 7x₄)/90,
 * exact for polynomials of degree 5. Steps end where contacts begin and end, so that kinks lie on ends. Where
 * a parabola through three of them promises a new extremum it is searched for, by parabolas ever closer: what
 * is reported is always a value that the channel has. Where only ranges are asked for, three points are enough:
 * both ends, since velocities jump at impacts, and the middle.
 */
#include <math.h>
#include <stdlib.h>

#include "study/metric.h"

enum { LOOKS = 5, LOOKS_AT_RANGES = 3, PARABOLAS = 3 };
/* Spacing of a parabola, in units of the spacing of the one before. */
static const double CLOSER = 0.125;
/* What the first parabola may miss of an extremum, and what is not worth a search; both as a share of the
 * range of its three points. */
static const double LEFT_OUT = 0.05, NOT_WORTH = 1e-9;
static const double weight[LOOKS] = {7.0 / 90, 32.0 / 90, 12.0 / 90, 32.0 / 90, 7.0 / 90};

lash_status lashi_window_create(lashi_window *window, size_t capacity, lash_error *error) {
    *window = (lashi_window){.tracks = calloc(capacity + 1, sizeof *window->tracks),
                             .channels = calloc(capacity + 1, sizeof *window->channels),
                             .looks = calloc(LOOKS * (capacity + 1), sizeof *window->looks)};
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

/* Top of the parabola through three points: its place in spacings from the middle one; false: no top there.
 */
static bool top(double *place, double *height, const double f[3]) {
    const double bend = f[0] - 2 * f[1] + f[2];
    if (!(bend < 0))
        return false;
    *place = 0.5 * (f[0] - f[2]) / bend;
    *height = f[1] - 0.25 * (f[0] - f[2]) * *place;
    return fabs(*place) <= 1;
}

/* Climbs to the extremum near t by parabolas, ever closer; sign 1: upwards. Keeps the best that was seen. */
static void climb(lashi_track *track, lash_sim *sim, double sign, double t, double apart, double t_old,
                  double t_new) {
    double f[3], place, height;
    for (int i = 0; i < PARABOLAS; i++) {
        apart *= CLOSER;
        t = fmin(t_new - apart, fmax(t_old + apart, t));
        for (int k = 0; k < 3; k++) {
            const double at = fmin(t_new, fmax(t_old, t + (k - 1) * apart)), // rounding leaves the step
                x = lash_sim_value_at(sim, track->channel, at);
            extend(track, x);
            f[k] = sign * x;
        }
        if (top(&place, &height, f))
            t += place * apart;
        else if (f[0] != f[2])
            t += f[0] > f[2] ? -apart : apart;
        else
            return;
    }
}

/* Searches where three neighbouring points promise a new extremum. */
static void refine(lashi_window *window, size_t i, lash_sim *sim, double t_old, double t_new, size_t looks) {
    const double apart = (t_new - t_old) / (double)(looks - 1);
    lashi_track *track = &window->tracks[i];
    for (size_t k = 1; k + 1 < looks; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double f[3], place, height;
            for (size_t n = 0; n < 3; n++)
                f[n] = sign * window->looks[(k - 1 + n) * window->count + i];
            const double seen = sign > 0 ? track->most : -track->least,
                         highest = fmax(f[0], fmax(f[1], f[2])),
                         range = highest - fmin(f[0], fmin(f[1], f[2]));
            if (top(&place, &height, f) && height > highest + NOT_WORTH * range &&
                height + LEFT_OUT * range > seen)
                climb(track, sim, sign, t_old + ((double)k + place) * apart, apart, t_old, t_new);
        }
}

double lashi_track_range(const lashi_track *track) {
    const double range = track->most - track->least;
    return range > 0 && isfinite(range) ? range : 1;
}

lash_status lashi_window_observe(lashi_window *window, lash_sim *sim, double t_old, double t_new) {
    const size_t looks = window->sums ? LOOKS : LOOKS_AT_RANGES;
    const double h = t_new - t_old, apart = h / (double)(looks - 1);
    if (!(h > 0))
        return LASH_OK;
    window->length += h;
    if (!window->count)
        return LASH_OK;
    for (size_t k = 0; k < looks; k++)
        lash_sim_values_at(window->looks + k * window->count, sim, window->channels, window->count,
                           k + 1 < looks ? t_old + (double)k * apart : t_new);
    for (size_t i = 0; i < window->count; i++) {
        lashi_track *track = &window->tracks[i];
        for (size_t k = 0; k < looks; k++) {
            const double x = window->looks[k * window->count + i];
            extend(track, x);
            if (!window->sums)
                continue;
            track->integral += h * weight[k] * x;
            track->square += h * weight[k] * x * x;
        }
        refine(window, i, sim, t_old, t_new, looks);
    }
    return LASH_OK;
}
