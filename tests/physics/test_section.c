/* SPDX-License-Identifier: MIT
 *
 * Sections of motions known in closed form: a drive that turns evenly from an angle of its own, either way, cut at
 * a phase and its repetitions; and an oscillation cut where it rises or falls through a value.
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_of_a_drive),
        cmocka_unit_test(passages_of_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
