/* SPDX-License-Identifier: MIT
 *
 * Events: located to rounding, found between samples, simultaneous, armed and disarmed; and that none is
 * passed by, whatever its state.
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
        x->events[i] = (lashi_event){1, 1e-13, 1e-6, true};
    }
    x->problem = (lashi_problem){
        .n = n, .f = f, .context = context, .rtol = x->rtol, .atol = x->atol, .max_step = INFINITY};
    x->kind = lashi_integrator_find(method);
    assert_non_null(x->kind);
    assert_int_equal(x->kind->create(&x->self, &x->problem, NULL), LASH_OK);
    x->search = (lashi_event_search){g, context, count, x->events, x->work, INFINITY, NULL};
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

/* Uniform in [-1, 1], the same everywhere (Steele, Lea & Flood 2014, splitmix64). */
static double pseudo_random(unsigned long long *seed) {
    unsigned long long z = (*seed += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
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
    x.events[0].threshold = 1e-9;
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
    x.events[0].direction = -1;
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
    x.events[1].direction = -1;
    clock_step(&x, 0.1, 1);
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
    x.events[1] = (lashi_event){-1, 1e-13, 10, false};
    assert_int_equal(find(&x, &t, simultaneous, 4), 0);
    assert_true(simultaneous[0] && !simultaneous[1]);
    end(&x);
}

/* The same with counts: of all at once, and of one. */
static void all_of_several(double *g, double *gdot, void *context, double t, const double *y) {
    ((int *)context)[0]++;
    several(g, gdot, context, t, y);
}

static void one_of_several(double *g, double *gdot, void *context, double t, const double *y, size_t index) {
    double all[2][3];
    ((int *)context)[1]++;
    several(all[0], all[1], context, t, y);
    for (size_t k = 0; k < 3; k++) {
        g[k] = k == index ? all[0][k] : (double)NAN;
        gdot[k] = k == index ? all[1][k] : (double)NAN;
    }
}

/* Where one function can be evaluated alone, roots are found so: all of them at the ends of the parts and at the event. */
static void roots_ask_for_one_function(void **state) {
    (void)state;
    fixture x;
    double t[2];
    unsigned char simultaneous[2][3];
    int counts[2] = {0, 0};
    begin(&x, "dop853", 1, clock_rhs, 3, all_of_several, counts);
    x.events[1].direction = -1;
    x.events[2].direction = -1;
    clock_step(&x, 0.1, 1);
    const size_t found = find(&x, &t[0], simultaneous[0], 1);
    assert_true(counts[0] > 4 && counts[1] == 0);
    x.search.one = one_of_several;
    counts[0] = 0;
    assert_int_equal(find(&x, &t[1], simultaneous[1], 1), found);
    assert_true(t[1] == t[0] && counts[0] == 3 && counts[1] > 0);
    assert_memory_equal(simultaneous[0], simultaneous[1], sizeof simultaneous[0]);
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
    x.events[0].direction = -1;
    x.events[0].threshold = 0.5;
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
    x.events[0] = (lashi_event){-1, 1e-13, 1.5, false};
    assert_int_equal(find(&x, &t, NULL, 5), SIZE_MAX);
    assert_false(x.events[0].armed);
    // An armed event on which a step starts exactly is found where it returns, not where it starts.
    x.events[0] = (lashi_event){-1, 1e-13, 0.5, true};
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
    x.events[0] = (lashi_event){-1, 1e-13, 0.5, false};
    x.events[1].direction = -1;
    clock_step(&x, 0, 1);
    assert_int_equal(find(&x, &t, NULL, 1), 1);
    assert_false(x.events[0].armed);
    end(&x);
}

/* ---- Disarmed events that happen all the same ---- */

/* g = a0 + a1 t + a2 t^2 + a3 t^3, with its rate or without. */
typedef struct cubic {
    double a[4];
    bool rates;
} cubic;

static double cubic_value(const cubic *c, double t) {
    return c->a[0] + t * (c->a[1] + t * (c->a[2] + t * c->a[3]));
}

static void cubic_events(double *g, double *gdot, void *context, double t, const double *y) {
    const cubic *c = context;
    (void)y;
    g[0] = cubic_value(c, t);
    if (c->rates)
        gdot[0] = c->a[1] + t * (2 * c->a[2] + t * 3 * c->a[3]);
}

/* When the disarmed event of threshold 1e-3 is found in the step from 0 to 1; NAN: not. */
static double found_disarmed(double a0, double a1, double a2, double a3, bool rates, size_t parts,
                             bool *armed) {
    fixture x;
    cubic c = {{a0, a1, a2, a3}, rates};
    double t;
    begin(&x, "dop853", 1, clock_rhs, 1, cubic_events, &c);
    x.events[0] = (lashi_event){1, 1e-13, 1e-3, false};
    clock_step(&x, 0, 1);
    const size_t found = find(&x, &t, NULL, parts);
    if (armed)
        *armed = x.events[0].armed;
    end(&x);
    return found == 0 ? t : (double)NAN;
}

/* A bounce smaller than the threshold, and then far past zero. */
static void a_small_bounce_is_no_way_through(void **state) {
    (void)state;
    bool armed;
    // g = t^2 - 1e-3 t: down to -2.5e-7, back through zero at 1e-3, and on to 1.
    assert_true(fabs(found_disarmed(0, -1e-3, 1, 0, true, 1, &armed) - 1e-3) < 1e-9);
    assert_false(armed);
    assert_true(fabs(found_disarmed(0, -1e-3, 1, 0, true, 7, NULL) - 1e-3) < 1e-9);
    // The same upside down in time: it starts below zero, under the threshold, and rises all the way.
    assert_true(fabs(found_disarmed(-1e-4, 1, 0, 0, true, 1, NULL) - 1e-4) < 1e-12);
    assert_true(fabs(found_disarmed(-1e-4, 1, 0, 0, false, 1, NULL) - 1e-4) < 1e-12);
    // Without rates the bounce between two samples is not seen: it is placed where the threshold is passed.
    assert_true(fabs(found_disarmed(0, -1e-3, 1, 0, false, 1, NULL) - 0.0321267) < 1e-6);
    // A bounce that reaches the threshold arms it.
    assert_true(fabs(found_disarmed(0, -0.1, 1, 0, true, 1, &armed) - 0.1) < 1e-12);
    assert_true(armed);
    // Away from zero for good.
    assert_true(isnan(found_disarmed(0, -1, 0, 0, true, 1, &armed)));
    assert_true(armed);
    // Up and down again, under the threshold, and over it.
    assert_true(isnan(found_disarmed(0, 1e-3, -1e-3, 0, true, 1, NULL)));
    assert_true(found_disarmed(1e-4, 1, -1, 0, true, 1, NULL) < 1e-3);
}

static void an_event_that_starts_past_zero(void **state) {
    (void)state;
    // Rising: it has happened already.
    assert_true(found_disarmed(0.1, 1, 0, 0, true, 1, NULL) == 0);
    assert_true(found_disarmed(0.1, 1, 0, 0, false, 1, NULL) == 0);
    // Falling, back to where it belongs, or on the way there.
    assert_true(isnan(found_disarmed(0.1, -1, 0, 0, true, 1, NULL)));
    assert_true(isnan(found_disarmed(0.1, -0.01, 0, 0, true, 1, NULL)));
    // Falling, but it turns before: there.
    assert_true(fabs(found_disarmed(0.3, -0.5, 0.5, 0, true, 1, NULL) - 0.5) < 1e-12);
    // Falling, through zero and back again.
    assert_true(fabs(found_disarmed(0.16, -1, 1, 0, true, 1, NULL) - 0.8) < 1e-12);
}

/* Rates of the same sign at both ends, and two extrema between. */
static void several_extrema_between_the_ends(void **state) {
    (void)state;
    // g = 40 (t - 0.2)(t - 0.45)(t - 0.9) + shift: up to a hill, down a valley, up again.
    const double a1 = 40 * (0.2 * 0.45 + 0.2 * 0.9 + 0.45 * 0.9), a2 = -40 * (0.2 + 0.45 + 0.9);
    fixture x;
    cubic c = {{-40 * 0.2 * 0.45 * 0.9, a1, a2, 40}, true};
    double t;
    begin(&x, "dop853", 1, clock_rhs, 1, cubic_events, &c);
    clock_step(&x, 0, 0.88); // ends below zero again
    assert_int_equal(find(&x, &t, NULL, 1), 0);
    assert_true(fabs(t - 0.2) < 1e-12);
    x.events[0] = (lashi_event){1, 1e-13, 10, false}; // under the threshold all the way
    assert_int_equal(find(&x, &t, NULL, 1), SIZE_MAX);
    end(&x);
    // Disarmed, from zero: g = -t (1 - 3t)(1 - t/q), down, up through zero at 1/3, and down to q.
    for (double q = 0.98; q < 1.03; q += 0.04)
        assert_true(fabs(found_disarmed(0, -1, 3 + 1 / q, -3 / q, true, 1, NULL) - 1.0 / 3) < 1e-12);
}

/* Whatever the function and the state of the event, u is nowhere past the threshold before what was found, or
 * before the end of a step without an event. */
static void nothing_is_passed_by(void **state) {
    (void)state;
    unsigned long long seed = 7;
    const double threshold = 0.02;
    size_t events = 0, none = 0;
    for (int k = 0; k < 20000; k++) {
        cubic c = {.rates = k % 4 != 0};
        fixture x;
        double t, way = k % 2 ? 1 : -1;
        for (int i = 1; i < 4; i++)
            c.a[i] = way * pseudo_random(&seed);
        // Just handled, near zero, or anywhere behind it.
        c.a[0] = k % 3 == 0 ? 0 : -way * fabs(pseudo_random(&seed)) * (k % 3 == 1 ? 0.01 : 1);
        begin(&x, "dop853", 1, clock_rhs, 1, cubic_events, &c);
        x.events[0] = (lashi_event){(int)way, 1e-13, threshold, k % 5 == 0};
        clock_step(&x, 0, 1);
        const size_t found = find(&x, &t, NULL, c.rates ? 1 + (size_t)k % 3 : 16);
        const double until = found == 0 ? t : 1;
        for (int i = 0; i <= 1000; i++)
            if (way * cubic_value(&c, until * i / 1000) > threshold + 1e-12)
                fail_msg("function %d: past zero by %g at %g, before %g", k,
                         way * cubic_value(&c, until * i / 1000), until * i / 1000, until);
        *(found == 0 ? &events : &none) += 1;
        end(&x);
    }
    assert_true(events > 5000 && none > 5000);
}

static void searching_allocates_nothing(void **state) {
    (void)state;
    fixture x;
    double t;
    begin(&x, "dop853", 1, clock_rhs, 1, wave, NULL);
    x.events[0].direction = -1;
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
        cmocka_unit_test(roots_ask_for_one_function),
        cmocka_unit_test(bounces_are_exact_without_rates),
        cmocka_unit_test(grazing_double_crossing_is_found_from_the_rates),
        cmocka_unit_test(a_hill_is_found_as_a_dip),
        cmocka_unit_test(tunnelling_is_found_with_parts),
        cmocka_unit_test(earliest_and_simultaneous),
        cmocka_unit_test(disarmed_events_wait_for_their_threshold),
        cmocka_unit_test(arming_after_the_event_does_not_count),
        cmocka_unit_test(a_small_bounce_is_no_way_through),
        cmocka_unit_test(an_event_that_starts_past_zero),
        cmocka_unit_test(several_extrema_between_the_ends),
        cmocka_unit_test(nothing_is_passed_by),
        cmocka_unit_test(searching_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
