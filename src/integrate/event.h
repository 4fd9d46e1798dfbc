/* SPDX-License-Identifier: MIT
 *
 * Events of y' = f(t, y): instants at which a function g_k(t, y) passes zero, located on the interpolant.
 *
 * An event is armed or disarmed. One that has just been handled (g = 0 to rounding) is disarmed, so that it
 * is not found again; it is armed when g has gone back behind zero by a threshold. Where g is past zero by
 * that much, it has happened whether it was armed or not.
 */
#ifndef LASHI_EVENT_H
#define LASHI_EVENT_H

#include "integrate/integrator.h"

/* All event functions at once: g[k] and, where the caller has it, its rate gdot[k] = dg_k/dt (NaN: unknown).
 */
typedef void (*lashi_event_function)(double *g, double *gdot, void *context, double t, const double *y);

typedef struct lashi_event {
    int direction;    /* +1 rising, -1 falling through zero */
    double tolerance; /* |g| at the located instant */
    double threshold; /* |g| that is not zero: behind zero it arms the event, past zero it has happened.
                         INFINITY: a disarmed event cannot happen */
    bool armed;
} lashi_event;

typedef struct lashi_event_search {
    lashi_event_function function;
    void *context;
    size_t count;
    lashi_event *events; /* count */
    double *work;        /* lashi_event_work_size(count, n) doubles, owned by the caller */
    double end;          /* s: the step is looked through up to here, no farther than its own end */
    /* The one at `index` of g and gdot, where that is cheaper; the others may be anything. NULL: all at once. */
    void (*one)(double *g, double *gdot, void *context, double t, const double *y, size_t index);
} lashi_event_search;

/* A bound on what u may reach between two points h apart, from u and its rate at both. The cubic of Hermite
 * lies below the largest of its control points u0, u0 + h u0dot/3, u1 - h u1dot/3, u1; half as much again
 * allows for what the cubic leaves out. NaN without rates. */
static inline double lashi_event_bound(double u0, double u0dot, double u1, double u1dot, double h) {
    const double first = u0 + 0.5 * h * u0dot, last = u1 - 0.5 * h * u1dot;
    return first > last ? first : last;
}

size_t lashi_event_work_size(size_t count, size_t n);

/* Looks through the integrator's last step in `parts` equal parts (>= 1), and inside each part for an
 * extremum that passes zero and returns (from the rates). On return *found is the index of the earliest event
 * or SIZE_MAX, *t_event its time, and y_event (n) the state there; `simultaneous` (may be NULL) gets 1 for
 * every event within tolerance of zero at that time with a matching direction. Events are armed again as the
 * step passes their threshold. Nothing is disarmed: that is the caller's, when it has handled the event. */
lash_status lashi_event_find(size_t *found, double *t_event, double *y_event, unsigned char *simultaneous,
                             lashi_event_search *search, lashi_integrator *integrator, size_t parts,
                             lash_error *error);

#endif
