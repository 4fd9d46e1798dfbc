/* SPDX-License-Identifier: MIT
 *
 * Events on the interpolant of one step.
 *
 * Notation: u = g times the event's direction, so that every event is u rising through zero: before it u < 0,
 * past it u > 0.
 *
 * The step is cut into equal parts. In each part an event is
 *   armed       if u comes from below −threshold. It happens at the first zero: a change of sign between the
 *               ends, or an extremum between them that passes zero and returns;
 *   disarmed    otherwise: it has just been handled, and u is zero to rounding. It is armed at the first instant
 *               at which u < −threshold. If u rises above the threshold before that, it has happened all the
 *               same: at the zero before, or, where u has not been below zero, there.
 * So whatever an event was before, no step ends with u above the threshold unless the
 * event was found. The exception is u that starts there and falls, back to where it belongs.
 *
 * Between two points with known rates u is bounded by the cubic of Hermite (lashi_event_bound); only where
 * that bound passes zero is the extremum sought on the interpolant itself, as the root of the rate. A root is
 * located by bracketing, to |g| <= tolerance or the rounding of t. The first part with an event holds the
 * earliest; later parts are not looked at.
 *
 * Limits: between two samples a function of unknown rate (NaN) shows a change of sign only. What the rates at
 * the ends and, where those do not fit one extremum, at samples between do not show needs more parts.
 */
#include "integrate/event.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/root.h"

/* Samples of a part in which a disarmed event of unknown or irregular rate may pass its thresholds and
 * return; halvings of a part in which an armed one may. */
enum { SAMPLES = 16, HALVINGS = 4 };
/* No such instant in the part. */
static const double NONE = INFINITY;

/* One event function along the interpolant. */
typedef struct event_trace {
    lashi_event_search *search;
    lashi_integrator *integrator;
    double *y, *g, *gdot; // work: n, count, count
    size_t index;
    double level;       // u counts from here
    lash_status status; // the first failure of the interpolant
    lash_error *error;
} event_trace;

/* A point of it. */
typedef struct sample {
    double t, u, udot;
} sample;

static bool go_to(event_trace *trace, double t) {
    if (!trace->status)
        trace->status = trace->integrator->kind->interpolate(trace->y, trace->integrator, t, trace->error);
    return !trace->status;
}

static bool evaluate(event_trace *trace, double t) {
    if (!go_to(trace, t))
        return false;
    for (size_t k = 0; k < trace->search->count; k++)
        trace->gdot[k] = NAN;
    trace->search->function(trace->g, trace->gdot, trace->search->context, t, trace->y);
    return true;
}

static bool evaluate_one(event_trace *trace, double t) {
    lashi_event_search *search = trace->search;
    if (!search->one)
        return evaluate(trace, t);
    if (!go_to(trace, t))
        return false;
    trace->gdot[trace->index] = NAN;
    search->one(trace->g, trace->gdot, search->context, t, trace->y, trace->index);
    return true;
}

static int direction(const event_trace *trace) {
    return trace->search->events[trace->index].direction;
}

static double value(void *context, double t) {
    event_trace *trace = context;
    return evaluate_one(trace, t) ? direction(trace) * trace->g[trace->index] - trace->level : NAN;
}

static double rate(void *context, double t) {
    event_trace *trace = context;
    return evaluate_one(trace, t) ? direction(trace) * trace->gdot[trace->index] : NAN;
}

static sample sample_at(event_trace *trace, double t) {
    double u = value(trace, t);
    return (sample){t, u, trace->status ? NAN : direction(trace) * trace->gdot[trace->index]};
}

/* The instant in [a, b] at which the rate is zero, the rates at the ends being of opposite sign. */
static sample extremum(event_trace *trace, sample a, sample b) {
    double t = lashi_root(rate, trace, a.t, a.udot, b.t, b.udot, 0.0);
    return sample_at(trace, t);
}

/* Where u = level between a, below it, and b. */
static double passing(event_trace *trace, sample a, sample b, double level) {
    trace->level = level;
    double t = lashi_root(value, trace, a.t, a.u - level, b.t, b.u - level,
                          trace->search->events[trace->index].tolerance);
    trace->level = 0;
    return t;
}

/* The first zero between a, a.u < 0, and b. */
static double first_zero(event_trace *trace, sample a, sample b, int halvings) {
    if (b.u >= 0)
        return passing(trace, a, b, 0);
    if (!(lashi_event_bound(a.u, a.udot, b.u, b.udot, b.t - a.t) >= 0))
        return NONE; // also without rates
    if (a.udot > 0 && b.udot < 0) {
        sample turn = extremum(trace, a, b);
        return turn.u >= 0 ? passing(trace, a, turn, 0) : NONE;
    }
    // More than one extremum.
    if (halvings == 0)
        return NONE;
    sample middle = sample_at(trace, a.t + 0.5 * (b.t - a.t));
    double t = first_zero(trace, a, middle, halvings - 1);
    return t < NONE ? t : first_zero(trace, middle, b, halvings - 1);
}

/* Whether u does not turn between a and b, by the cubic of Hermite (Fritsch & Carlson 1980). */
static bool monotone(sample a, sample b) {
    double slope = (b.u - a.u) / (b.t - a.t);
    return a.udot * slope >= 0 && b.udot * slope >= 0 && fmax(fabs(a.udot), fabs(b.udot)) <= 3 * fabs(slope);
}

/* A disarmed event, or one that starts on zero, between a and b. */
static double first_return(double *armed_at, event_trace *trace, sample a, sample b) {
    const lashi_event *event = &trace->search->events[trace->index];
    const double arming = event->armed ? 0.0 : event->threshold;
    const bool turns = a.udot * b.udot < 0;
    const int points = turns ? 2 : monotone(a, b) ? 1 : SAMPLES;
    sample low = a;
    if (isinf(event->threshold))
        return NONE;
    if (a.u > event->threshold && !(a.udot < 0))
        return a.t;
    for (int i = 1; i <= points; i++) {
        sample p = i == points ? b
                   : turns     ? extremum(trace, a, b)
                               : sample_at(trace, a.t + (b.t - a.t) * i / points);
        if (p.u < -arming) {
            *armed_at = p.t;
            return first_zero(trace, p, b, HALVINGS);
        }
        if (p.u < low.u)
            low = p;
        if (p.u > event->threshold && (p.u > a.u || !(p.udot < 0)))
            return low.u < event->threshold ? passing(trace, low, p, low.u < 0 ? 0 : event->threshold)
                   : low.t > a.t            ? low.t
                                            : p.t;
    }
    return NONE;
}

/* Event `trace->index` in the part from a to b: when it happens, and when it was armed if it was not (or
 * NONE). */
static double look_through(double *armed_at, event_trace *trace, sample a, sample b) {
    const lashi_event *event = &trace->search->events[trace->index];
    *armed_at = a.u < -event->threshold ? a.t : NONE;
    return *armed_at < NONE || (event->armed && a.u < 0) ? first_zero(trace, a, b, HALVINGS)
                                                         : first_return(armed_at, trace, a, b);
}

/* Marks every armed event that is within its tolerance of zero at t and goes its way. */
static void mark_simultaneous(unsigned char *simultaneous, const event_trace *trace, size_t found,
                              const double *left, const double *right) {
    for (size_t k = 0; k < trace->search->count; k++) {
        const lashi_event *event = &trace->search->events[k];
        double way = isnan(trace->gdot[k]) ? right[k] - left[k] : trace->gdot[k];
        simultaneous[k] = k == found || (event->armed && fabs(trace->g[k]) <= event->tolerance &&
                                         way * event->direction >= 0);
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
    event_trace trace = {search, integrator, y, g, gdot, 0, 0, LASH_OK, error};
    const double t_old = integrator->t_old, end = fmin(integrator->t, search->end), h = end - t_old;
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
        double t_right = part == parts ? end : t_old + h * (double)part / (double)parts;
        if (!evaluate(&trace, t_right))
            return trace.status;
        memcpy(right, g, count * sizeof *g);
        memcpy(right_dot, gdot, count * sizeof *gdot);

        // The earliest event of this part.
        double earliest = NONE;
        for (size_t k = 0; k < count; k++) {
            trace.index = k;
            const int way = search->events[k].direction;
            sample a = {t_left, way * left[k], way * left_dot[k]},
                   b = {t_right, way * right[k], way * right_dot[k]};
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
