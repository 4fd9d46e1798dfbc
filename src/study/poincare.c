/* SPDX-License-Identifier: MIT
 *
 * Poincaré sections: the points at which a trajectory passes a surface.
 *
 * Notation: s(t) is the surface's channel along the motion, t_0 … t_1 an accepted step. The surfaces are
 *     s = a                    one surface, or
 *     s = a + k p              for every whole k: the phase a of an angle (p = 2π) or of the time (p = T).
 * Passing upwards through the level l means s(t_0) < l <= s(t_1), downwards s(t_0) > l >= s(t_1): a point
 * that falls on the seam of two steps is counted once. The instant is the root of s(t) − l on the step's
 * dense output, bracketed by construction, by the method of false position with halved weights ("Illinois"):
 * G. Dahlquist, Å. Björck, Numerical Methods, Prentice-Hall 1974, section 6.4.2.
 *
 * Within a step s is looked at five times, or in parts of the step that resolve it (window.c). Where a parabola
 * through three of the looks promises that s reaches a level and turns back, the extremum is searched for; so each
 * piece between looks and extrema that are neighbours is passed through once or not at all.
 *
 * Limits. A phase that goes on at the same rate in two steps, as that of a steady drive, is taken to do so between
 * their ends. A passage there and back is found if s goes beyond the level by more than about 1e-8 of its range. To
 * start on the surface is not a passage.
 *
 * Reference: H. Poincaré, Les méthodes nouvelles de la mécanique céleste III, Gauthier-Villars 1899, ch. 27.
 */
#include "study/nonlinear.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "study/fail.h"
#include "study/metric.h"

enum { ROOT_ITERATIONS = 100 };
/* How well parts of a step resolve s: as the tolerance of an integral (window.c). */
static const double RESOLVED = 1e-5;
/* What a parabola may miss of an extremum, as a share of the range of its points; and of its place, in spacings. */
static const double MISSES = 0.1, NEAR = 1.25;
/* Rates of a phase in two steps that are the same. */
static const double SAME = 1e-3;
/* Share of the change of s over the bracket at which rounding of s is reached. */
static const double ROOT_TOLERANCE = 1e-14;

/* ---- cutting a step ---- */

static double surface_at(const lashi_section *section, lash_sim *sim, double t) {
    return section->of_time ? t : lash_sim_value_at(sim, section->surface_channel, t);
}

/* The instant of s = level in [a, b], s(a) and s(b) on different sides of it or on it. */
static double locate(const lashi_section *section, lash_sim *sim, double level, double a, double sa, double b,
                     double sb) {
    if (section->of_time)
        return fmin(b, fmax(a, level));
    double fa = sa - level, fb = sb - level;
    const double enough = ROOT_TOLERANCE * fabs(sb - sa);
    if (fb == 0)
        return b;
    for (int k = 0; k < ROOT_ITERATIONS; k++) {
        const double t = b - fb * (b - a) / (fb - fa);
        if (!(t > fmin(a, b) && t < fmax(a, b))) // one end is on the level except for rounding
            return fabs(fa) < fabs(fb) ? a : b;
        const double f = surface_at(section, sim, t) - level;
        if (!(fabs(f) > enough))
            return t;
        if (f * fb < 0) {
            a = b;
            fa = fb;
        } else {
            fa /= 2;
        }
        b = t;
        fb = f;
    }
    return b;
}

static lash_status take_point(lashi_section *section, lash_sim *sim, double t) {
    if (t < section->from || (section->limit && section->count == section->limit))
        return LASH_OK;
    if (section->count == section->capacity) {
        const size_t capacity = section->capacity ? 2 * section->capacity : 64;
        if (capacity > SIZE_MAX / sizeof(double) / section->width)
            return LASH_ERROR_MEMORY;
        double *times = realloc(section->times, capacity * sizeof *times);
        if (times)
            section->times = times;
        double *points = realloc(section->points, capacity * section->width * sizeof *points);
        if (points)
            section->points = points;
        if (!times || !points)
            return LASH_ERROR_MEMORY;
        section->capacity = capacity;
    }
    double *point = section->points + section->count * section->width;
    for (size_t k = 0; k < section->width; k++)
        point[k] = lash_sim_value_at(sim, section->channels[k], t);
    section->times[section->count++] = t;
    return LASH_OK;
}

/* All passages between two values of the surface's channel. */
static lash_status cut(lashi_section *section, lash_sim *sim, double t0, double s0, double t1, double s1) {
    const double a = section->value, p = section->period;
    const bool rising = s1 > s0;
    if (s0 == s1 || (section->direction > 0 && !rising) || (section->direction < 0 && rising))
        return LASH_OK;
    // Levels a + k p with k from first to last, in the order of time; without a period only k = 0 counts.
    double first = 0, last = 0;
    if (p > 0) {
        first = rising ? floor((s0 - a) / p) + 1 : ceil((s0 - a) / p) - 1;
        last = rising ? floor((s1 - a) / p) : ceil((s1 - a) / p);
    } else if (rising ? !(s0 < a && a <= s1) : !(s0 > a && a >= s1)) {
        return LASH_OK;
    }
    lash_status status = LASH_OK;
    const double step = rising ? 1 : -1;
    for (double k = first; !status && step * (last - k) >= 0; k += step)
        status = take_point(section, sim, locate(section, sim, a + k * p, t0, s0, t1, s1));
    return status;
}

/* A point of s along a step. */
typedef struct node {
    double t, s;
} node;

/* The next level above s, or with way −1 below it; infinite: there is none. */
static double next_level(const lashi_section *section, double s, int way) {
    const double a = section->value, p = section->period;
    if (!(p > 0))
        return way * (a - s) > 0 ? a : way * (double)INFINITY;
    return a + p * (way > 0 ? floor((s - a) / p) + 1 : ceil((s - a) / p) - 1);
}

/* A part of a step, whose looks a parabola follows: cut between its looks and the extrema that reach levels. */
static void cut_part(void *user, lash_sim *sim, const double *x, double t_old, double t_new) {
    lashi_section *section = user;
    const double apart = (t_new - t_old) / (LASHI_LOOKS - 1);
    node nodes[3 * LASHI_LOOKS];
    size_t count = 0;
    for (int k = 0; k < LASHI_LOOKS; k++)
        nodes[count++] = (node){k + 1 < LASHI_LOOKS ? t_old + k * apart : t_new, x[k]};
    if (section->last_time == t_old) // what jumps where steps meet is passed through as well
        nodes[0].s = section->last_value;
    for (int k = 1; k + 1 < LASHI_LOOKS; k++)
        for (int way = -1; way <= 1; way += 2) {
            const double f[3] = {way * x[k - 1], way * x[k], way * x[k + 1]};
            double place, height;
            if (!lashi_top(&place, &height, f) || fabs(place) > NEAR)
                continue;
            const double beside = fmax(f[1], place < 0 ? f[0] : f[2]),
                         range = fmax(f[1], fmax(f[0], f[2])) - fmin(f[1], fmin(f[0], f[2]));
            if (height + MISSES * range < way * next_level(section, way * beside, way))
                continue;
            node *n = &nodes[count++];
            n->s = lashi_climb(&n->t, sim, section->surface_channel, way, t_old + (k + place) * apart, apart,
                               t_old, t_new);
        }
    for (size_t i = LASHI_LOOKS; i < count; i++)
        for (size_t k = i; k > 0 && nodes[k].t < nodes[k - 1].t; k--) {
            const node before = nodes[k - 1];
            nodes[k - 1] = nodes[k];
            nodes[k] = before;
        }
    for (size_t k = 1; k < count && !section->status; k++)
        section->status = cut(section, sim, nodes[k - 1].t, nodes[k - 1].s, nodes[k].t, nodes[k].s);
    section->last_time = nodes[count - 1].t;
    section->last_value = nodes[count - 1].s;
}

/* A phase that went on at the same rate in the step before; the step is cut. */
static bool goes_on(lash_status *status, lashi_section *section, lash_sim *sim, double t_old, double t_new) {
    const double s0 = section->last_time == t_old ? section->last_value : surface_at(section, sim, t_old),
                 s1 = surface_at(section, sim, t_new), before = section->last_rate;
    section->last_rate = (s1 - s0) / (t_new - t_old);
    if (!section->of_time && !(fabs(section->last_rate - before) <= SAME * fabs(before)))
        return false;
    section->last_time = t_new;
    section->last_value = s1;
    *status = cut(section, sim, t_old, s0, t_new, s1);
    return true;
}

lash_status lashi_section_observe(void *user, lash_sim *sim, double t_old, double t_new) {
    lashi_section *section = user;
    lash_status status;
    if (t_new < section->from || (section->limit && section->count == section->limit))
        return LASH_OK;
    if ((section->of_time || section->period > 0) && goes_on(&status, section, sim, t_old, t_new))
        return status;
    status = lashi_window_observe(section->window, sim, t_old, t_new);
    return status ? status : section->status;
}

/* ---- create ---- */

static lash_status find_channel(size_t *out, const lash_sim *sim, const char *name, lash_error *error) {
    *out = lash_sim_find_channel(sim, name);
    if (*out == SIZE_MAX)
        return lashi_study_fail(error, LASH_ERROR_USAGE, "a section asks for '%s': there is no such channel",
                                name);
    return LASH_OK;
}

lash_status lashi_section_create(lashi_section **out, const lash_sim *sim, const lashi_surface *surface,
                                 const char *const *channels, size_t count, double from, size_t limit,
                                 lash_error *error) {
    *out = NULL;
    if (count == 0 || !(surface->period >= 0) || !isfinite(surface->value))
        return lashi_study_fail(
            error, LASH_ERROR_USAGE,
            "a section needs at least one channel, a finite value and no negative period");
    lashi_section *section = calloc(1, sizeof *section);
    if (!section)
        return lashi_study_fail_memory(error);
    section->width = count;
    section->channels = calloc(count, sizeof *section->channels);
    lash_status status = section->channels ? LASH_OK : lashi_study_fail_memory(error);
    section->window = calloc(1, sizeof *section->window);
    if (!status)
        status = section->window ? lashi_window_create(section->window, 1, RESOLVED, error)
                                 : lashi_study_fail_memory(error);
    if (!status)
        status = find_channel(&section->surface_channel, sim, surface->channel, error);
    for (size_t k = 0; !status && k < count; k++)
        status = find_channel(&section->channels[k], sim, channels[k], error);
    if (status) {
        lashi_section_destroy(section);
        return status;
    }
    section->of_time = !strcmp(surface->channel, "time");
    section->value = surface->value;
    section->period = surface->period;
    section->direction = surface->direction;
    section->from = from;
    section->limit = limit;
    section->last_time = section->last_rate = (double)NAN;
    lashi_window_track(section->window, section->surface_channel);
    section->window->resolved = cut_part;
    section->window->user = section;
    if (section->period > 0)
        section->window->coarsest = section->period;
    *out = section;
    return LASH_OK;
}

void lashi_section_destroy(lashi_section *section) {
    if (!section)
        return;
    if (section->window)
        lashi_window_clear(section->window);
    free(section->window);
    free(section->times);
    free(section->points);
    free(section->channels);
    free(section);
}
