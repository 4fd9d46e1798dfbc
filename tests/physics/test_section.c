/* SPDX-License-Identifier: MIT
 *
 * Sections of motions known in closed form: a drive that turns evenly from an angle of its own, either way, cut at
 * a phase and its repetitions; and an oscillation cut where it rises or falls through a value. Both passages at a
 * top are found however long the steps are, and however fast a signal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "physics/rig.h"
#include "study/nonlinear.h"

static lashi_section *cut(const rig *r, lashi_surface surface, const char *channel, double from,
                          size_t limit) {
    lashi_section *section = NULL;
    lash_error error = {0};
    rig_require(lashi_section_create(&section, r->sim, &surface, &channel, 1, from, limit, &error), &error,
                "section");
    const lash_run_control control = {.observe = lashi_section_observe, .user = section};
    rig_require(lash_sim_run(r->sim, NULL, &control, &error), &error, "run");
    return section;
}

/* angle = 0.7 + w t, cut at a + k p. */
static void phases_of_a_drive(void **state) {
    (void)state;
    static const double speeds[] = {3, -5}, periods[] = {2 * RIG_PI, 0.9};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 2; k++)
            for (int direction = -1; direction <= 1; direction++) {
                const double w = speeds[s], p = periods[k], a = 0.4, until = 6, from = 1.05;
                rig r = rig_open("bodies: {wheel: {mass: 1, inertia: 1, angle: 0.7}}\n"
                                 "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
                                 "drives: {motor: {joint: axle, motion: \"0.7 + %g*t\"}}\nrun: {until: %g}\n",
                                 w, until);
                lashi_section *section =
                    cut(&r, (lashi_surface){"motor.angle", a, p, direction}, "wheel.angle", from, 0);
                size_t n = 0;
                for (double level = -1000; level <= 1000; level++) {
                    const double turn = w > 0 ? level : -level, t = (a + turn * p - 0.7) / w;
                    if (t < from || t > until || direction * w < 0)
                        continue;
                    assert_true(n < section->count);
                    rig_near(section->times[n], t, 1e-10, "time of cut %zu", n);
                    rig_near(section->points[n++], a + turn * p, 1e-9, "angle there");
                }
                assert_int_equal(section->count, n);
                lashi_section_destroy(section);
                rig_close(&r);
            }
}

/* x = cos 2t passes 0.3 at 2t = ±acos 0.3 + 2πk, falling where it is +. */
static void passages_of_a_value(void **state) {
    (void)state;
    for (int direction = -1; direction <= 1; direction++)
        for (size_t limit = 0; limit <= 3; limit += 3) {
            rig r = rig_open("gravity: [0, 0]\nbodies: {m: {mass: 1, inertia: 1, position: [1, 0]}}\n"
                             "joints: {rail: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                             "forces: {back: {type: force, at: m, force: [\"-4 N/m*m.x\", 0]}}\n"
                             "run: {until: 15, rtol: 1e-10}\n");
            lashi_section *section = cut(&r, (lashi_surface){"m.x", 0.3, 0, direction}, "m.vx", 2, limit);
            size_t n = 0;
            for (int k = 0; k < 20; k++) {
                const int way = k % 2 ? 1 : -1; // falls first
                const double t = (way < 0 ? acos(0.3) : 2 * RIG_PI - acos(0.3)) / 2 + k / 2 * RIG_PI;
                if (t < 2 || t > 15 || direction * way < 0 || (limit && n == limit))
                    continue;
                assert_true(n < section->count);
                rig_near(section->times[n], t, 1e-8, "time of passage %zu", n);
                rig_near(section->points[n++], way * 2 * sqrt(1 - 0.09), 1e-7, "speed there");
            }
            assert_int_equal(section->count, n);
            lashi_section_destroy(section);
            rig_close(&r);
        }
}

/* Passages of wave = cos(w t) through a level near its top, one on each side of it: all of them, at the right times. */
static void check_tops(const char *model, const char *channel, double w, double amplitude, double level,
                       double until, double period, double close) {
    const double half = acos(level / amplitude) / w, turn = 2 * RIG_PI / w;
    rig r = rig_open("%s", model);
    lashi_section *section = cut(&r, (lashi_surface){channel, level, period, 0}, "time", 0, 0);
    size_t n = 0;
    for (int k = 0; k * turn - half < until; k++)
        for (int way = -1; way <= 1; way += 2) {
            const double t = k * turn + way * half;
            if (t <= 0 || t > until)
                continue;
            assert_true(n < section->count);
            rig_near(section->times[n], t, close, "time of passage %zu", n);
            n++;
        }
    assert_int_equal(section->count, n);
    lashi_section_destroy(section);
    rig_close(&r);
}

/* Steps reach over the whole top of an oscillation. */
static void tops_of_an_oscillation(void **state) {
    (void)state;
    static const double levels[] = {0.9, 0.98, 0.999, 0.9999}, rtols[] = {1e-4, 1e-6, 1e-8, 1e-10};
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < 4; k++) {
            char model[500];
            snprintf(model, sizeof model,
                     "gravity: [0, 0]\nbodies: {m: {mass: 1, inertia: 1, position: [1, 0], hold: [x]}}\n"
                     "joints: {rail: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                     "forces: {back: {type: joint-spring, joint: rail, stiffness: 100, free: 0}}\n"
                     "run: {until: 6, rtol: %g}\n",
                     rtols[k]);
            // An error of the amplitude shifts the passage by that over the slope.
            const double slope = 10 * sqrt(1 - levels[l] * levels[l]);
            check_tops(model, "m.x", 10, 1, levels[l], 6, 0, 30 * rtols[k] / slope);
        }
}

/* A body that turns freely takes a handful of steps, in which its angle's cosine goes to and fro hundreds of times. */
static void tops_within_a_step(void **state) {
    (void)state;
    static const double levels[] = {-0.5, 0, 0.9, 0.999};
    for (int l = 0; l < 4; l++)
        check_tops("bodies: {a: {mass: 1, inertia: 1, angular_velocity: 1000, hold: [w, angle]}}\n"
                   "signals: {wave: cos(a.angle)}\nrun: {until: 1}\n",
                   "wave", 1000, 1, levels[l], 1, 0, 1e-9);
}

/* A drive that turns to and fro, cut at a phase that it just reaches. */
static void phases_where_a_drive_turns_back(void **state) {
    (void)state;
    check_tops("bodies: {wheel: {mass: 1, inertia: 1, angle: 2}}\n"
               "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
               "drives: {motor: {joint: axle, motion: \"2*cos(10*t)\"}}\nrun: {until: 3}\n",
               "motor.angle", 10, 2, 1.999, 3, 2 * RIG_PI, 1e-7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_of_a_drive),
        cmocka_unit_test(passages_of_a_value),
        cmocka_unit_test(tops_of_an_oscillation),
        cmocka_unit_test(tops_within_a_step),
        cmocka_unit_test(phases_where_a_drive_turns_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
