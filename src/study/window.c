/* SPDX-License-Identifier: MIT
 *
 * Least, most, mean and mean square of channels over a run, from its interpolant.
 *
 * Every accepted step is looked at in five points, ends included: its integral is Boole's rule
 *     ∫x dt ≈ h (7x₀ + 32x₁ + 12x₂ + 32x₃ + 7x₄)/90,
 * exact for polynomials of degree 5. Steps end where contacts begin and end, so that kinks lie on ends. An
 * interior point that is higher than its neighbours and would be a new extremum is refined: the channel is
 * evaluated at the top of the parabola through the three.
 */
#include <math.h>
#include <stdlib.h>

#include "study/metric.h"

enum { LOOKS = 5 };
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

size_t lashi_window_track(lashi_window *window, size_t channel) {
    for (size_t i = 0; i < window->count; i++)
        if (window->channels[i] == channel)
            return i;
    window->channels[window->count] = channel;
    window->tracks[window->count] = (lashi_track){.channel = channel, .least = INFINITY, .most = -INFINITY};
    return window->count++;
}

static void extend(lashi_track *track, double x) {
    if (!(x >= track->least)) // a NaN stays
        track->least = x;
    if (!(x <= track->most))
        track->most = x;
}

/* Where in units of the spacing the parabola through three points has its top. */
static double vertex(double a, double b, double c) {
    return 0.5 * (a - c) / (a - 2 * b + c);
}

static void refine(lashi_window *window, size_t i, lash_sim *sim, double t_old, double apart) {
    lashi_track *track = &window->tracks[i];
    for (size_t k = 1; k + 1 < LOOKS; k++) {
        const double a = window->looks[(k - 1) * window->count + i], b = window->looks[k * window->count + i],
                     c = window->looks[(k + 1) * window->count + i];
        if ((b > a && b > c && b >= track->most) || (b < a && b < c && b <= track->least))
            extend(track,
                   lash_sim_value_at(sim, track->channel, t_old + ((double)k + vertex(a, b, c)) * apart));
    }
}

lash_status lashi_window_observe(lashi_window *window, lash_sim *sim, double t_old, double t_new) {
    const double h = t_new - t_old, apart = h / (LOOKS - 1);
    if (!(h > 0))
        return LASH_OK;
    window->length += h;
    if (!window->count)
        return LASH_OK;
    const size_t evaluations = lash_sim_summary(sim).evaluations;
    for (size_t k = 0; k < LOOKS; k++)
        lash_sim_values_at(window->looks + k * window->count, sim, window->channels, window->count,
                           k + 1 < LOOKS ? t_old + (double)k * apart : t_new);
    for (size_t i = 0; i < window->count; i++) {
        lashi_track *track = &window->tracks[i];
        for (size_t k = 0; k < LOOKS; k++) {
            const double x = window->looks[k * window->count + i];
            extend(track, x);
            track->integral += h * weight[k] * x;
            track->square += h * weight[k] * x * x;
        }
        refine(window, i, sim, t_old, apart);
    }
    window->looked += lash_sim_summary(sim).evaluations - evaluations;
    return LASH_OK;
}
