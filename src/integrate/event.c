/* SPDX-License-Identifier: MIT
 *
 * Events on the interpolant of one step.
 *
 * The step is cut into equal parts. In each part an event is, in this order,
 *   1. armed, if it is not: at the first instant at which |g| passes its threshold (to either side);
 *   2. looked for from there on: a change of sign between the ends in the wanted direction, or an extremum
 *      between the ends that passes zero and returns. From the rates at both ends the cubic of Hermite gives
 *      the value of the extremum; only where that value, with a margin for what the cubic leaves out, passes
 *      zero is the extremum sought on the interpolant itself, as the root of the rate;
 *   3. located by bracketed root finding, to |g| <= tolerance or the rounding of t.
 * The first part with an event holds the earliest; later parts are not looked at.
 *
 * Limits: between two samples a function of unknown rate (NaN) shows a change of sign only; with rates one
 * extremum per part is seen. More structure than that needs more parts.
 */
#include "integrate/event.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/root.h"

/* Share of the Hermite extremum's excursion added as a margin for the error of the cubic. */
static const double SCREEN_MARGIN = 0.5;
/* Samples of a part in which a disarmed event of unknown or irregular rate may pass its threshold and return.
 */
enum { ARMING_SAMPLES = 16 };
/* No such instant in the part. */
static const double NONE = INFINITY;

/* One event function along the interpolant. */
typedef struct event_trace {
    lashi_event_search *search;
    lashi_integrator *integrator;
    double *y, *g, *gdot; // work: n, count, count
    size_t index;
    lash_status status; // the first failure of the interpolant
    lash_error *error;
} event_trace;

/* A point of it. */
typedef struct sample {
    double t, g, gdot;
} sample;

static bool evaluate(event_trace *trace, double t) {
    if (!trace->status)
        trace->status = trace->integrator->kind->interpolate(trace->y, trace->integrator, t, trace->error);
    if (trace->status)
        return false;
    for (size_t k = 0; k < trace->search->count; k++)
        trace->gdot[k] = NAN;
    trace->search->function(trace->g, trace->gdot, trace->search->context, t, trace->y);
    return true;
}

static double value(void *context, double t) {
    event_trace *trace = context;
    return evaluate(trace, t) ? trace->g[trace->index] : NAN;
}

static double rate(void *context, double t) {
    event_trace *trace = context;
    return evaluate(trace, t) ? trace->gdot[trace->index] : NAN;
}

static sample sample_at(event_trace *trace, double t) {
    double g = value(trace, t);
    return (sample){t, g, trace->status ? NAN : trace->gdot[trace->index]};
}

/* The instant in [a, b] at which the rate is zero, the rates at the ends being of opposite sign. */
static sample extremum(event_trace *trace, sample a, sample b) {
    double t = lashi_root(rate, trace, a.t, a.gdot, b.t, b.gdot, 0.0);
    return sample_at(trace, t);
}

/* The crossing between a and b in the wanted direction: its time, or NONE. */
static double crossing(event_trace *trace, sample a, sample b) {
    const lashi_event *event = &trace->search->events[trace->index];
    bool rising = a.g < 0 && b.g >= 0, falling = a.g > 0 && b.g <= 0;
    if (!(rising && event->direction >= 0) && !(falling && event->direction <= 0))
        return NONE;
    return lashi_root(value, trace, a.t, a.g, b.t, b.g, event->tolerance);
}

/* Whether the cubic of Hermite through a and b, whose rates have opposite signs, comes near zero at its
 * extremum from the side on which a lies. */
static bool may_pass_zero(sample a, sample b) {
    double side = a.g > 0 ? 1 : -1, h = b.t - a.t;
    double ga = side * a.g, gb = side * b.g, da = side * h * a.gdot, db = side * h * b.gdot;
    if (!(da < 0 && db > 0))
        return false; // the extremum leads away from zero
    // g = ga + da x + p x^2 + q x^3: the root of its slope between 0 and 1, in the form that does not cancel.
    double p = 3 * (gb - ga) - 2 * da - db, q = da + db - 2 * (gb - ga);
    double x = -da / (p + sqrt(p * p - 3 * q * da));
    double lowest = ga + x * (da + x * (p + x * q));
    double excursion = fmin(ga, gb) - lowest;
    return lowest - SCREEN_MARGIN * excursion <= 0;
}

/* The earliest crossing between a and b: of the change of sign, or by an extremum that passes zero and
 * returns. */
static double first_crossing(event_trace *trace, sample a, sample b) {
    bool same_side = (a.g > 0 && b.g > 0) || (a.g < 0 && b.g < 0);
    if (!same_side)
        return crossing(trace, a, b);
    if (isnan(a.gdot) || isnan(b.gdot) || !may_pass_zero(a, b))
        return NONE;
    sample turn = extremum(trace, a, b);
    double t = crossing(trace, a, turn);
    return t < NONE ? t : crossing(trace, turn, b);
}

/* For a disarmed event, or one that starts on zero: where in [a, b] |g| first passes the threshold. t = NONE:
 * not. */
static sample arming(event_trace *trace, sample a, sample b, double threshold) {
    const sample never = {NONE, NAN, NAN};
    bool rates = !isnan(a.gdot) && !isnan(b.gdot);
    double leaves = a.gdot > 0 ? 1 : -1; // the side to which it leaves
    // Away and not back.
    if (rates && leaves * b.g > threshold)
        return b;
    // Away and back: the farthest point between.
    if (rates && a.gdot * b.gdot < 0) {
        sample turn = extremum(trace, a, b);
        return fabs(turn.g) > threshold ? turn : never;
    }
    // No rates, or more than one extremum.
    for (int i = 1; i < ARMING_SAMPLES; i++) {
        sample s = sample_at(trace, a.t + (b.t - a.t) * i / ARMING_SAMPLES);
        if (fabs(s.g) > threshold)
            return s;
    }
    return fabs(b.g) > threshold ? b : never;
}

/* Event `trace->index` in the part from a to b: when it happens, and when it was armed if it was not (or
 * NONE). */
static double look_through(double *armed_at, event_trace *trace, sample a, sample b) {
    const lashi_event *event = &trace->search->events[trace->index];
    *armed_at = NONE;
    if (!event->armed && fabs(a.g) > event->rearm) {
        *armed_at = a.t;
    } else if (!event->armed || a.g == 0) {
        a = arming(trace, a, b, event->armed ? 0.0 : event->rearm);
        *armed_at = a.t;
        if (!(a.t < b.t))
            return NONE;
    }
    return first_crossing(trace, a, b);
}

/* Marks every armed event that is within its tolerance of zero at t and goes its way. */
static void mark_simultaneous(unsigned char *simultaneous, const event_trace *trace, size_t found,
                              const double *left, const double *right) {
    for (size_t k = 0; k < trace->search->count; k++) {
        const lashi_event *event = &trace->search->events[k];
        double way = isnan(trace->gdot[k]) ? right[k] - left[k] : trace->gdot[k];
        simultaneous[k] = k == found || (event->armed && fabs(trace->g[k]) <= event->tolerance &&
                                         (event->direction == 0 || way * event->direction >= 0));
    }
}

size_t lashi_event_work_size(size_t count, size_t n) {
    return 7 * count + n; // g and gdot at both ends of a part and at a point, the instants of arming, y
}

lash_status lashi_event_find(size_t *found, double *t_event, double *y_event, unsigned char *simultaneous,
                             lashi_event_search *search, lashi_integrator *integrator, size_t parts,
                             lash_error *error) {
    const size_t count = search->count;
    double *left = search->work, *left_dot = left + count, *right = left_dot + count,
           *right_dot = right + count, *armed_at = right_dot + count;
    double *g = armed_at + count, *gdot = g + count, *y = gdot + count;
    event_trace trace = {search, integrator, y, g, gdot, 0, LASH_OK, error};
    const double t_old = integrator->t_old, h = integrator->t - t_old;
    *found = SIZE_MAX;
    *t_event = NAN;
    if (simultaneous)
        memset(simultaneous, 0, count);
    if (count == 0 || !(h > 0))
        return LASH_OK;

    if (!evaluate(&trace, t_old))
        return trace.status;
    memcpy(left, g, count * sizeof *g);
    memcpy(left_dot, gdot, count * sizeof *gdot);
    double t_left = t_old;
    for (size_t part = 1; part <= parts; part++) {
        double t_right = part == parts ? integrator->t : t_old + h * (double)part / (double)parts;
        if (!evaluate(&trace, t_right))
            return trace.status;
        memcpy(right, g, count * sizeof *g);
        memcpy(right_dot, gdot, count * sizeof *gdot);

        // The earliest event of this part.
        double earliest = NONE;
        for (size_t k = 0; k < count; k++) {
            trace.index = k;
            sample a = {t_left, left[k], left_dot[k]}, b = {t_right, right[k], right_dot[k]};
            double t = look_through(&armed_at[k], &trace, a, b);
            if (trace.status)
                return trace.status;
            if (t < earliest) {
                earliest = t;
                *found = k;
            }
        }
        // Arming counts up to the event only.
        for (size_t k = 0; k < count; k++)
            if (armed_at[k] < NONE && armed_at[k] <= earliest)
                search->events[k].armed = true;
        if (earliest < NONE) {
            if (!evaluate(&trace, earliest))
                return trace.status;
            *t_event = earliest;
            if (simultaneous)
                mark_simultaneous(simultaneous, &trace, *found, left, right);
            return integrator->kind->interpolate(y_event, integrator, earliest, error);
        }
        memcpy(left, right, count * sizeof *left);
        memcpy(left_dot, right_dot, count * sizeof *left_dot);
        t_left = t_right;
    }
    return LASH_OK;
}
