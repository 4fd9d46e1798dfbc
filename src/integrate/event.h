/* SPDX-License-Identifier: MIT
 *
 * Events of y' = f(t, y): instants at which a function g_k(t, y) passes zero, located on the interpolant.
 *
 * An event is armed or disarmed. A disarmed event is not looked for until |g| has passed its re-arm
 * threshold, so that an event which has just been handled (g = 0 to rounding) is not found again.
 */
#ifndef LASHI_EVENT_H
#define LASHI_EVENT_H

#include "integrate/integrator.h"

/* All event functions at once: g[k] and, where the caller has it, its rate gdot[k] = dg_k/dt (NaN: unknown).
 */
typedef void (*lashi_event_function)(double *g, double *gdot, void *context, double t, const double *y);

typedef struct lashi_event {
    int direction;    /* +1 rising, -1 falling, 0 both */
    double tolerance; /* |g| at the located instant */
    double rearm;     /* |g| at which a disarmed event is armed again */
    bool armed;
} lashi_event;

typedef struct lashi_event_search {
    lashi_event_function function;
    void *context;
    size_t count;
    lashi_event *events; /* count */
    double *work;        /* lashi_event_work_size(count, n) doubles, owned by the caller */
} lashi_event_search;

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
