/* SPDX-License-Identifier: MIT
 *
 * Tables over a coordinate that a step has passed over: a force that acts along a thousandth of the way is
 * between the points at which the step evaluates it, and the error control knows nothing of it.
 *
 * After each step every table is looked at along the way that its coordinate went. A flank that is steeper
 * than the table is at both ends of the step, and narrow, was not seen (math/table.h). Then the step is taken
 * again, up to the time at which the coordinate is in the middle of that flank: its end feels the force, and
 * from there on the error control sees what comes.
 *
 * Points where a derivative of the table jumps, the third of a spline, are of another kind: the stages see the force, but no
 * order of the method holds across them. Where the tolerance is so tight that it matters, steps of dop853 end there.
 *
 * How narrow: the stages of dop853 lie no farther apart than a quarter of the step; adams and gear evaluate
 * the ends alone. Also where a coordinate turns inside the step its way is known, from the interpolant.
 */
#include "sim/sim.h"

#include <math.h>

#include "math/breaks.h"
#include "math/root.h"

/* Of the way of one step, by methods without stages between its ends. */
static const double NARROW_OF_ENDS = 1;
/* Parts of a step in which its coordinate is followed. */
enum { PARTS = 8 };

/* A force's table along the interpolant of the last step. */
typedef struct way {
    lash_sim *sim;
    const lashi_force *force;
    double level; // of x
    lash_status status;
} way;

typedef struct point {
    double t, x, rate;
    bool turns;
} point;

static point point_at(way *w, double t, const double *y) {
    lashi_frames_at(w->sim->frames, NULL, w->sim->system, t, y);
    const lashi_reading r = lashi_force_kind_at((size_t)w->force->type)->reading(w->force, w->sim->frames);
    return (point){t, r.x, r.rate, r.turns};
}

static point point_between(way *w, double t) {
    const lash_sim *sim = w->sim;
    if (!w->status)
        w->status = sim->kind->interpolate(sim->y_event, sim->integrator, t, NULL);
    return w->status ? (point){t, (double)NAN, (double)NAN, false} : point_at(w, t, sim->y_event);
}

static double rate_at(void *context, double t) {
    return point_between(context, t).rate;
}

static double above_level(void *context, double t) {
    way *w = context;
    return point_between(w, t).x - w->level;
}

/* The way as points between which x does not turn; their number. */
static int follow(point points[2 * PARTS + 1], way *w, point first, point last) {
    int count = 0;
    points[count++] = first;
    for (int k = 1; k <= PARTS; k++) {
        const point a = points[count - 1],
                    b = k == PARTS ? last : point_between(w, first.t + (last.t - first.t) * k / PARTS);
        if (a.rate * b.rate < 0)
            points[count++] = point_between(w, lashi_root(rate_at, w, a.t, a.rate, b.t, b.rate, 0));
        points[count++] = b;
    }
    return count;
}

/* When x first passes a level; INFINITY: it does not. */
static double first_passing(way *w, const point *points, int count, double level) {
    w->level = level;
    for (int k = 1; k < count; k++) {
        const double a = points[k - 1].x - level, b = points[k].x - level;
        if (a * b < 0)
            return lashi_root(above_level, w, points[k - 1].t, a, points[k].t, b, 0);
    }
    return INFINITY;
}

/* What a step from a.x to `to` and on to b.x has not seen; NaN: nothing. Not what lies within rounding of its start: the
 * coordinate may stand still there, as seen from here, however many steps end at it. */
static double unseen_between(const way *w, point a, double to, point b, double narrow, double fine) {
    const double rounding = w->sim->rounding / (a.turns ? w->sim->system->length : 1);
    return fabs(to - a.x) > rounding ? lashi_table_unseen(w->force->table, a.x + copysign(rounding, to - a.x),
                                                          to, b.x, narrow, fine)
                                     : (double)NAN;
}

/* When the last step was in the middle of what it has not seen of a force's table; INFINITY: it has seen all.
 */
static double unseen_of(way *w, double narrow, double fine) {
    const lashi_integrator *integrator = w->sim->integrator;
    const point a = point_at(w, integrator->t_old, integrator->y_old),
                b = point_at(w, integrator->t, integrator->y);
    const double h = b.t - a.t;
    double low = fmin(fmin(a.x, b.x), -lashi_event_bound(-a.x, -a.rate, -b.x, -b.rate, h)),
           high = fmax(fmax(a.x, b.x), lashi_event_bound(a.x, a.rate, b.x, b.rate, h));
    if (isnan(unseen_between(w, a, low, b, narrow, fine)) &&
        isnan(unseen_between(w, a, high, b, narrow, fine)))
        return INFINITY;
    point points[2 * PARTS + 1];
    const int count = follow(points, w, a, b);
    low = high = a.x;
    for (int k = 1; k < count; k++) {
        low = fmin(low, points[k].x);
        high = fmax(high, points[k].x);
    }
    const double below = unseen_between(w, a, low, b, narrow, fine),
                 above = unseen_between(w, a, high, b, narrow, fine);
    return fmin(isnan(below) ? INFINITY : first_passing(w, points, count, below),
                isnan(above) ? INFINITY : first_passing(w, points, count, above));
}

double lashi_unseen(lash_sim *sim) {
    const bool ends = sim->kind->remembers;
    const double narrow = ends ? NARROW_OF_ENDS : LASHI_TABLE_NARROW,
                 fine = LASHI_TABLE_KNOT * sim->system->model->run.rtol, t_old = sim->integrator->t_old,
                 end = sim->integrator->t;
    way w = {.sim = sim};
    double t = INFINITY;
    for (int k = 0; !w.status && k < sim->system->force_count; k++)
        if (sim->system->forces[k].table) {
            w.force = &sim->system->forces[k];
            t = fmin(t, unseen_of(&w, narrow, fine));
        }
    if (w.status) // a step so long that there is nothing to see on its way
        t = 0.5 * (t_old + end);
    if (t == INFINITY)
        return t;
    return t - t_old > lashi_time_resolution(t_old) && t < end ? t : INFINITY;
}
