/* SPDX-License-Identifier: MIT
 *
 * Events: located to rounding, found between samples, simultaneous, armed and disarmed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "count_allocations.h"
#include "integrate/event.h"

enum { MAX = 4 };

typedef struct fixture {
    double rtol[MAX], atol[MAX], work[7 * MAX + MAX];
    lashi_problem problem;
    const lashi_integrator_kind *kind;
    lashi_integrator *self;
    lashi_event events[MAX];
    lashi_event_search search;
} fixture;

static void begin(fixture *x, const char *method, size_t n, lashi_rhs f, size_t count, lashi_event_function g,
                  void *context) {
    for (size_t i = 0; i < MAX; i++) {
        x->rtol[i] = x->atol[i] = 1e-12;
        x->events[i] = (lashi_event){0, 1e-13, 1e-6, true};
    }
    x->problem = (lashi_problem){n, f, context, x->rtol, x->atol, INFINITY};
    x->kind = lashi_integrator_find(method);
    assert_non_null(x->kind);
    assert_int_equal(x->kind->create(&x->self, &x->problem, NULL), LASH_OK);
    x->search = (lashi_event_search){g, context, count, x->events, x->work};
    assert_true(lashi_event_work_size(count, n) <= sizeof x->work / sizeof *x->work);
}

static void end(fixture *x) {
    x->kind->destroy(x->self);
}

/* y' = 1 for all: the interpolant is y = t exactly, and events are functions of time. */
static int clock_rhs(double *ydot, void *context, double t, const double *y) {
    (void)context, (void)t, (void)y;
    ydot[0] = 1;
    return 0;
}

/* One step of the clock from t0 to t1. */
static void clock_step(fixture *x, double t0, double t1) {
    assert_int_equal(x->kind->restart(x->self, t0, &t0, 2 * (t1 - t0), NULL), LASH_OK);
    assert_int_equal(x->kind->step(x->self, t1, NULL), LASH_OK);
    assert_true(x->self->t == t1);
}

static size_t find(fixture *x, double *t, unsigned char *simultaneous, size_t parts) {
    size_t found;
    double y[MAX];
    assert_int_equal(lashi_event_find(&found, t, y, simultaneous, &x->search, x->self, parts, NULL), LASH_OK);
    if (found != SIZE_MAX && x->problem.f == clock_rhs)
        assert_true(fabs(y[0] - *t) < 1e-14);
    return found;
}

/* ---- The bouncing ball ---- */

static const double GRAVITY = 9.81, RESTITUTION = 0.8;

static int fall(double *ydot, void *context, double t, const double *y) {
    (void)context, (void)t;
    ydot[0] = y[1];
    ydot[1] = -GRAVITY;
    return 0;
}

static void height(double *g, double *gdot, void *context, double t, const double *y) {
    (void)context, (void)t;
    g[0] = y[0];
    gdot[0] = y[1];
}

static void height_without_rate(double *g, double *gdot, void *context, double t, const double *y) {
    (void)context, (void)t, (void)gdot;
    g[0] = y[0];
}

/* Ten bounces, from h = 1; the step covers whole flights and more, so that arming happens inside a step. */
static void bounce(lashi_event_function function, double first_step, size_t parts) {
    fixture x;
    begin(&x, "dop853", 2, fall, 1, function, NULL);
    x.events[0].direction = -1;
    x.events[0].rearm = 1e-9;
    double y[2] = {1, 0}, bounce_time = sqrt(2 / GRAVITY), speed = GRAVITY * bounce_time;
    x.kind->restart(x.self, 0, y, 0, NULL);
    for (int i = 0; i < 10; i++) {
        size_t found = SIZE_MAX;
        double t;
        while (found == SIZE_MAX) {
            assert_int_equal(x.kind->step(x.self, 100, NULL), LASH_OK);
            assert_int_equal(lashi_event_find(&found, &t, y, NULL, &x.search, x.self, parts, NULL), LASH_OK);
        }
        assert_true(fabs(t - bounce_time) < 1e-12);
        assert_true(fabs(y[0]) <= 1e-13 && fabs(y[1] + speed) < 1e-11);
        speed *= RESTITUTION;
        bounce_time += 2 * speed / GRAVITY;
        y[1] *= -RESTITUTION;
        x.events[0].armed = false;
        x.kind->restart(x.self, t, y, first_step, NULL);
    }
    end(&x);
}

static void bounces_are_exact(void **state) {
    (void)state;
    bounce(height, 10.0, 1);
}

static void bounces_are_exact_without_rates(void **state) {
    (void)state;
    bounce(height_without_rate, 2.0, 8); // the shortest flight lasts 0.12 s
}

/* ---- Functions of time ---- */

/* A parabola that dips below zero by `depth` at t = 1. */
static void dip(double *g, double *gdot, void *context, double t, const double *y) {
    (void)y;
    double depth = *(double *)context;
    g[0] = (t - 1) * (t - 1) - depth;
    gdot[0] = 2 * (t - 1);
}

static void grazing_double_crossing_is_found_from_the_rates(void **state) {
    (void)state;
    fixture x;
    double depth = 1e-10, t;
    begin(&x, "dop853", 1, clock_rhs, 1, dip, &depth);
    clock_step(&x, 0, 2.5);
    // The rates find both crossings, each by its direction; the time of one is as exact as the depth allows.
    x.events[0].direction = -1;
    assert_int_equal(find(&x, &t, NULL, 1), 0);
    assert_true(fabs(t - (1 - 1e-5)) < 1e-7);
    x.events[0].direction = 1;
    assert_int_equal(find(&x, &t, NULL, 1), 0);
    assert_true(fabs(t - (1 + 1e-5)) < 1e-7);
    x.events[0].direction = 0;
    assert_int_equal(find(&x, &t, NULL, 3), 0);
    assert_true(t < 1);
    // A miss by as little is none.
    depth = -1e-10;
    assert_int_equal(find(&x, &t, NULL, 1), SIZE_MAX);
    assert_int_equal(find(&x, &t, NULL, 7), SIZE_MAX);
    end(&x);
}

/* The same from below: a hill. */
static void hill(double *g, double *gdot, void *context, double t, const double *y) {
    dip(g, gdot, context, t, y);
    g[0] = -g[0];
    gdot[0] = -gdot[0];
}

static void a_hill_is_found_as_a_dip(void **state) {
    (void)state;
    fixture x;
    double height_over_zero = 1e-4, t;
    begin(&x, "dop853", 1, clock_rhs, 1, hill, &height_over_zero);
    clock_step(&x, 0, 1.7);
    assert_int_equal(find(&x, &t, NULL, 1), 0);
    assert_true(fabs(t - 0.99) < 1e-11);
    end(&x);
}

/* A short excursion without rates. */
static void blip(double *g, double *gdot, void *context, double t, const double *y) {
    (void)context, (void)y, (void)gdot;
    g[0] = 0.01 - (t - 0.37) * (t - 0.37); // positive for 0.27 < t < 0.47
}

static void tunnelling_is_found_with_parts(void **state) {
    (void)state;
    fixture x;
    double t;
    begin(&x, "dop853", 1, clock_rhs, 1, blip, NULL);
    clock_step(&x, 0, 1);
    assert_int_equal(find(&x, &t, NULL, 1), SIZE_MAX);
    assert_int_equal(find(&x, &t, NULL, 8), 0);
    assert_true(fabs(t - 0.27) < 1e-12);
    end(&x);
}

/* Three functions, two of which vanish at t = 0.6, and one before, rising. */
static void several(double *g, double *gdot, void *context, double t, const double *y) {
    (void)context, (void)y;
    g[0] = t - 0.6, gdot[0] = 1;
    g[1] = 0.36 - t * t, gdot[1] = -2 * t;
    g[2] = t - 0.4, gdot[2] = 1;
}

static void earliest_and_simultaneous(void **state) {
    (void)state;
    fixture x;
    double t;
    unsigned char simultaneous[3];
    begin(&x, "dop853", 1, clock_rhs, 3, several, NULL);
    clock_step(&x, 0, 1);
    assert_int_equal(find(&x, &t, simultaneous, 1), 2);
    assert_true(fabs(t - 0.4) < 1e-12);
    assert_true(!simultaneous[0] && !simultaneous[1] && simultaneous[2]);
    // The wrong direction is not seen: then two events come together.
    x.events[2].direction = -1;
    size_t found = find(&x, &t, simultaneous, 4);
    assert_true(found < 2 && fabs(t - 0.6) < 1e-12);
    assert_true(simultaneous[0] && simultaneous[1] && !simultaneous[2]);
    // Simultaneous, but going the other way.
    x.events[1].direction = 1;
    assert_int_equal(find(&x, &t, simultaneous, 4), 0);
    assert_true(simultaneous[0] && !simultaneous[1]);
    // Disarmed events are not marked either: |g| starts under the threshold and stays there.
    x.events[1] = (lashi_event){0, 1e-13, 10, false};
    assert_int_equal(find(&x, &t, simultaneous, 4), 0);
    assert_true(simultaneous[0] && !simultaneous[1]);
    end(&x);
}

static void wave(double *g, double *gdot, void *context, double t, const double *y) {
    (void)context, (void)y;
    g[0] = sin(t);
    gdot[0] = cos(t);
}

static void disarmed_events_wait_for_their_threshold(void **state) {
    (void)state;
    fixture x;
    double t;
    begin(&x, "dop853", 1, clock_rhs, 1, wave, NULL);
    x.events[0].rearm = 0.5;
    // Just handled at t = 0: armed when sin t passes 0.5, found again at pi, not at 0.
    x.events[0].armed = false;
    clock_step(&x, 0, 0.4);
    assert_int_equal(find(&x, &t, NULL, 1), SIZE_MAX);
    assert_false(x.events[0].armed);
    clock_step(&x, 0.4, 1);
    assert_int_equal(find(&x, &t, NULL, 1), SIZE_MAX);
    assert_true(x.events[0].armed);
    clock_step(&x, 1, 4);
    assert_int_equal(find(&x, &t, NULL, 1), 0);
    assert_true(fabs(t - M_PI) < 1e-12);
    // All in one step: armed at the crest between.
    x.events[0].armed = false;
    clock_step(&x, 0, 4);
    assert_int_equal(find(&x, &t, NULL, 1), 0);
    assert_true(fabs(t - M_PI) < 1e-12);
    assert_true(x.events[0].armed);
    // A threshold that is never reached keeps it disarmed.
    x.events[0] = (lashi_event){0, 1e-13, 1.5, false};
    assert_int_equal(find(&x, &t, NULL, 5), SIZE_MAX);
    assert_false(x.events[0].armed);
    // An armed event on which a step starts exactly is found where it returns, not where it starts.
    x.events[0] = (lashi_event){0, 1e-13, 0.5, true};
    assert_int_equal(find(&x, &t, NULL, 2), 0);
    assert_true(fabs(t - M_PI) < 1e-12);
    end(&x);
}

static void two_waves(double *g, double *gdot, void *context, double t, const double *y) {
    wave(g, gdot, context, t, y);
    g[1] = 0.2 - t;
    gdot[1] = -1;
}

static void arming_after_the_event_does_not_count(void **state) {
    (void)state;
    fixture x;
    double t;
    begin(&x, "dop853", 1, clock_rhs, 2, two_waves, NULL);
    x.events[0].rearm = 0.5;
    x.events[0].armed = false;
    clock_step(&x, 0, 1);
    assert_int_equal(find(&x, &t, NULL, 1), 1);
    assert_false(x.events[0].armed);
    end(&x);
}

static void searching_allocates_nothing(void **state) {
    (void)state;
    fixture x;
    double t;
    begin(&x, "dop853", 1, clock_rhs, 1, wave, NULL);
    clock_step(&x, 0.1, 9);
    size_t before = allocation_count;
    size_t found = find(&x, &t, NULL, 10);
    size_t after = allocation_count;
    assert_int_equal(found, 0);
    assert_int_equal(after, before);
    end(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_are_exact),
        cmocka_unit_test(bounces_are_exact_without_rates),
        cmocka_unit_test(grazing_double_crossing_is_found_from_the_rates),
        cmocka_unit_test(a_hill_is_found_as_a_dip),
        cmocka_unit_test(tunnelling_is_found_with_parts),
        cmocka_unit_test(earliest_and_simultaneous),
        cmocka_unit_test(disarmed_events_wait_for_their_threshold),
        cmocka_unit_test(arming_after_the_event_does_not_count),
        cmocka_unit_test(searching_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
