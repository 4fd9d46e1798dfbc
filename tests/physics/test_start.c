/* SPDX-License-Identifier: MIT
 *
 * Runs that begin at another time than 0: functions of time have the values of that time, against closed forms;
 * a machine that does not depend on time moves as it does from 0; time limits, turns and statistics count from
 * the start.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

static const char *const methods[] = {"dop853", "adams", "gear"};
static const double starts[] = {0, 2.5, -1.75, 40};
enum { METHODS = 3, STARTS = 4 };

#define PIVOT                                                                                                \
    "bodies: {m: {mass: 1, inertia: 1}}\n"                                                                   \
    "joints: {pivot: {type: revolute, between: [ground, m]}}\n"

/* v' = F(t) = sin 3t from rest at t0: v = (cos 3t0 − cos 3t)/3, x by another integral. */
static void test_force(void **state) {
    (void)state;
    for (int s = 0; s < STARTS; s++)
        for (int k = 0; k < METHODS; k++) {
            const double t0 = starts[s], t = t0 + 1.3;
            rig r = rig_open("bodies: {m: {mass: 1, inertia: 1}}\n"
                             "forces: {push: {type: force, at: m, force: [\"sin(3*t)\", 0]}}\n"
                             "run: {begin: %.17g, until: %.17g, method: %s, rtol: 1e-10}\n",
                             t0, t, methods[k]);
            lash_error error = {0};
            assert_true(lash_sim_time(r.sim) == t0);
            rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
            const double v = (cos(3 * t0) - cos(3 * t)) / 3,
                         x = cos(3 * t0) / 3 * (t - t0) - (sin(3 * t) - sin(3 * t0)) / 9;
            rig_near(rig_value(&r, "m.vx"), v, 1e-7, "v from %g by %s", t0, methods[k]);
            rig_near(rig_value(&r, "m.x"), x, 1e-7, "x from %g by %s", t0, methods[k]);
            const lash_summary summary = lash_sim_summary(r.sim);
            assert_true(summary.start == t0 && summary.end == t);
            rig_close(&r);
        }
}

/* A jump of a force before the start is over, one after it is met exactly. */
static void test_breaks(void **state) {
    (void)state;
    rig r = rig_open("bodies: {m: {mass: 1, inertia: 1}}\n"
                     "forces: {push: {type: force, at: m, force: [\"if(t < 1, 100, if(t < 3, 2, 5))\", 0]}}\n"
                     "run: {begin: 2, until: 4, rtol: 1e-4}\n");
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    rig_near(rig_value(&r, "m.vx"), 7, 1e-13, "v");
    rig_near(rig_value(&r, "m.x"), 1 + 2 + 2.5, 1e-13, "x");
    rig_close(&r);
}

/* The machine is put together as a motion asks for at the start; a coordinate that is given is that of the
 * start, and a ramp goes on as far as it has come. */
static void test_drives(void **state) {
    (void)state;
    rig r = rig_open(PIVOT
                     "drives: {d: {joint: pivot, motion: \"0.4*sin(2*t)\"}}\nrun: {begin: 1.2, until: 2}\n");
    rig_near(rig_value(&r, "m.angle"), 0.4 * sin(2.4), 1e-12, "angle of a motion");
    rig_near(rig_value(&r, "m.wz"), 0.8 * cos(2.4), 1e-12, "speed of a motion");
    rig_step_to(&r, 2);
    rig_near(rig_value(&r, "m.angle"), 0.4 * sin(4.0), 1e-12, "angle at the end");
    rig_close(&r);
    r = rig_open(PIVOT "drives: {d: {joint: pivot, ramp: {from: 0, to: 8, over: 2}, start: 0.3}}\n"
                       "run: {begin: 1, until: 3}\n");
    rig_near(rig_value(&r, "m.angle"), 0.3, 1e-13, "angle of a ramp");
    rig_near(rig_value(&r, "m.wz"), 4, 1e-12, "speed of half a ramp");
    rig_step_to(&r, 3);
    // ∫p over the second half of a ramp is 1/2 − (1/16)(5/2 − 3/2 + 1/4) = 27/64
    rig_near(rig_value(&r, "m.angle"), 0.3 + 8 * 2 * 27.0 / 64 + 8, 1e-12, "angle after it");
    rig_close(&r);
    for (int s = 0; s < STARTS; s++) {
        r = rig_open(PIVOT "drives: {d: {joint: pivot, speed: 10}}\nrun: {begin: %.17g, until: 3 rev of d}\n",
                     starts[s]);
        rig_near(lash_system_end(r.system), starts[s] + 0.6 * RIG_PI, 1e-14 * (1 + fabs(starts[s])),
                 "three turns");
        rig_near(rig_value(&r, "m.angle"), 0, 1e-13, "as drawn");
        rig_close(&r);
        r = rig_open(PIVOT "drives: {d: {joint: pivot, motion: \"5*t + sin(t)\"}}\n"
                           "run: {begin: %.17g, until: 2 rev of d}\n",
                     starts[s]);
        const double end = lash_system_end(r.system);
        rig_near(5 * (end - starts[s]) + sin(end) - sin(starts[s]), 4 * RIG_PI, 1e-10,
                 "two turns of a motion");
        rig_close(&r);
    }
}

static rig slider_crank(const char *model, double start) {
    return rig_open(
        "gravity: [0, 0]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
        "bodies:\n"
        "  crank: {mass: 0.3, inertia: 1e-5, position: [0.025, 0], points: {o: [-0.025, 0], a: [0.025, 0]}}\n"
        "  rod: {mass: 0.21, inertia: 2.5e-4, position: [0.11, 0], points: {a: [-0.06, 0], b: [0.06, 0]}}\n"
        "  slider: {mass: 0.14, inertia: 1e-5, position: [0.17, 0]}\n"
        "joints:\n"
        "  main: {type: revolute, between: [ground, crank.o]}\n"
        "  pin: {type: revolute, between: [crank.a, rod.a]}\n"
        "  gudgeon: {type: revolute, between: [rod.b, slider], clearance: {bearing_radius: 1 cm, radial: 0.2 "
        "mm,\n"
        "            %s}}\n"
        "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
        "drives: {motor: {joint: main, speed: 200}}\n"
        "run: {begin: %.17g, until: 0.4 rev of motor, rtol: 1e-10}\n",
        model, start);
}

/* Nothing in it knows the time: the same motion, events and statistics, later. Times near 2 s are rounded to
 * 4e-16 s. */
static void test_play(void **state) {
    (void)state;
    static const char *const models[] = {"materials: steel, contact: {restitution: 0.9}",
                                         "model: three-mode, restitution: 0.9"};
    static const char *const channels[] = {"slider.x", "slider.vx", "rod.angle", NULL};
    for (int m = 0; m < 2; m++) {
        rig a = slider_crank(models[m], 0), b = slider_crank(models[m], 2);
        rig_rows x = rig_sample(&a, 30, channels, false), y = rig_sample(&b, 30, channels, false);
        for (size_t row = 0; row <= 30; row++) {
            rig_near(rig_at(&y, row, 0), 2 + rig_at(&x, row, 0), 1e-15, "time of row %zu", row);
            for (size_t c = 1; c <= 3; c++)
                rig_near(rig_at(&y, row, c), rig_at(&x, row, c), 1e-6 * (1 + fabs(rig_at(&x, row, c))),
                         "%s: %s, row %zu", models[m], channels[c - 1], row);
        }
        const lash_summary p = lash_sim_summary(a.sim), q = lash_sim_summary(b.sim);
        assert_true(p.events > 2);
        assert_int_equal(p.events, q.events);
        assert_int_equal(p.clearances[0].impacts, q.clearances[0].impacts);
        rig_near(q.clearances[0].free_fraction, p.clearances[0].free_fraction, 1e-6, "free");
        rig_near(q.clearances[0].following_fraction, p.clearances[0].following_fraction, 1e-6, "following");
        rig_near(q.clearances[0].peak.time, 2 + p.clearances[0].peak.time, 1e-6, "time of the peak");
        rig_rows_close(&x);
        rig_rows_close(&y);
        rig_close(&a);
        rig_close(&b);
    }
}

/* Permanent contact that pulls from the start is lost then: gravity presses a ball down on the top of its
 * ring. */
static void test_permanent(void **state) {
    (void)state;
    rig r = rig_open(
        "gravity: [0, -9.81]\nbodies: {ball: {mass: 2, inertia: 0.1}}\n"
        "joints: {ring: {type: revolute, between: [ground, ball], clearance: {model: permanent-contact,\n"
        "         radial: 0.1, offset: [0, 0.1]}}}\nrun: {begin: 7, until: 7.01}\n");
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_int_equal(summary.clearances[0].losses, 1);
    assert_true(summary.clearances[0].first_loss == 7);
    rig_close(&r);
}

/* Positions of a driven mechanism, without integration. */
static void test_kinematics(void **state) {
    (void)state;
    static const char *const channels[] = {"m.angle", "m.wz", NULL};
    rig r = rig_open(PIVOT "drives: {d: {joint: pivot, motion: \"0.2*t^2\"}}\nrun: {begin: 3, until: 5}\n");
    rig_rows rows = rig_sample(&r, 8, channels, true);
    for (size_t k = 0; k <= 8; k++) {
        const double t = 3 + 0.25 * (double)k;
        rig_near(rig_at(&rows, k, 0), t, 1e-15, "time");
        rig_near(rig_at(&rows, k, 1), 0.2 * t * t, 1e-12, "angle at %g", t);
        rig_near(rig_at(&rows, k, 2), 0.4 * t, 1e-12, "speed at %g", t);
    }
    rig_rows_close(&rows);
    rig_close(&r);
}

/* A jump at t = 0 in a run from before it that is interrupted there: however the condition is written, it is at 0, not at
 * the smallest number below. */
static void a_jump_at_zero(void **state) {
    (void)state;
    static const char *const conditions[] = {"t < 0 s",       "t*1e-9 < 0 s",     "t - 0.1 s < -0.1 s",
                                             "t + 7 s < 7 s", "sin(t/(1 s)) < 0", "t^3 < 0 s^3"};
    for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++)
        for (int k = 0; k < METHODS; k++) {
            rig r = rig_open("bodies: {m: {mass: 1, inertia: 1}}\n"
                             "forces: {push: {type: force, at: m, force: [\"if(%s, 1 N, 3 N)\", 0]}}\n"
                             "run: {begin: -2, until: 3, method: %s, rtol: 1e-8}\n",
                             conditions[c], methods[k]);
            lash_error error = {0};
            rig_require(lash_sim_run_until(r.sim, 0, NULL, NULL, &error), &error, conditions[c]);
            assert_true(lash_sim_time(r.sim) == 0);
            rig_near(rig_value(&r, "m.vx"), 2, 1e-9, "v at 0, %s by %s", conditions[c], methods[k]);
            rig_require(lash_sim_run_until(r.sim, 3, NULL, NULL, &error), &error, conditions[c]);
            rig_near(rig_value(&r, "m.vx"), 2 + 9, 1e-8, "v, %s by %s", conditions[c], methods[k]);
            rig_near(rig_value(&r, "m.x"), 2 + 6 + 13.5, 1e-7, "x, %s by %s", conditions[c], methods[k]);
            rig_close(&r);
        }
}

/* Before a ramp begins, at t = 0, its speed is that from which it starts: also in a run that begins there, with and
 * without integration. */
static void before_a_ramp(void **state) {
    (void)state;
    static const char *const channels[] = {"m.angle", "m.wz", NULL};
    for (int way = 0; way < 2; way++) {
        rig r =
            rig_open(PIVOT "drives: {d: {joint: pivot, ramp: {from: 5, to: -20, over: 0.5}, start: 0.3}}\n"
                           "run: {begin: -0.2, until: 1, stabilisation: none, reduce: %s}\n",
                     way ? "true" : "false");
        rig_rows rows = rig_sample(&r, 60, channels, way == 1);
        for (size_t k = 0; k <= 60; k++) {
            const double t = -0.2 + 0.02 * (double)k, tau = fmin(1, fmax(0, 2 * t)), after = fmax(0, t - 0.5),
                         p = tau * tau * tau * (10 - 15 * tau + 6 * tau * tau),
                         integral = 0.5 * tau * tau * tau * tau * (2.5 - 3 * tau + tau * tau);
            rig_near(rig_at(&rows, k, 1), 0.3 + 5 * (t + 0.2) - 25 * (integral + after), 1e-9, "angle at %g",
                     t);
            rig_near(rig_at(&rows, k, 2), 5 - 25 * p, 1e-8, "speed at %g", t);
        }
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* Rows every so often are counted from the beginning. */
static void rows_from_the_beginning(void **state) {
    (void)state;
    rig r = rig_open("bodies: {m: {mass: 1, inertia: 1}}\nrun: {begin: 3 s, until: 5.05 s, every: 0.1 s}\n");
    lash_error error = {0};
    lash_record *record;
    size_t count;
    const lash_record_options options = {.every = 0.1};
    rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
    rig_require(lash_record_to_memory(record, &error), &error, "memory");
    rig_require(lash_sim_run(r.sim, record, NULL, &error), &error, "run");
    const double *rows = lash_record_rows(&count, record, LASH_STREAM_SAMPLES);
    assert_int_equal(count, 21);
    for (size_t k = 0; k < count; k++)
        rig_near(rows[k * lash_record_column_count(record)], 3 + 0.1 * (double)k, 1e-12, "row %zu", k);
    lash_record_destroy(record);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_from_the_beginning),
                                       cmocka_unit_test(before_a_ramp),
                                       cmocka_unit_test(a_jump_at_zero),
                                       cmocka_unit_test(test_force),
                                       cmocka_unit_test(test_breaks),
                                       cmocka_unit_test(test_drives),
                                       cmocka_unit_test(test_play),
                                       cmocka_unit_test(test_permanent),
                                       cmocka_unit_test(test_kinematics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
