/* SPDX-License-Identifier: MIT
 *
 * Assembly in space: roughly drawn mechanisms are closed, also from axes at a right angle; contradictions are
 * named, in terms of axes or lengths; values that are held stay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

/* A body whose y axis is to be the pin's z axis, drawn turned by any angle, a right one included. */
static void test_axes_are_turned(void **state) {
    (void)state;
    for (int degrees = -180; degrees < 180; degrees += 15) {
        rig r = rig_open("space: spatial\n"
                         "bodies: {b: {mass: 1, inertia: [1, 1.2, 1.4, 0.1, 0, 0.1], position: [0.1, 0, 0],\n"
                         "             orientation: {roll: %d deg}, points: {p: [-0.1, 0.05, 0]}}}\n"
                         "joints: {j: {type: revolute, between: [ground, b.p], axis: [0, 0, 3], second_axis: "
                         "[0, 0.5, 0]}}\n"
                         "run: {until: 1}\n",
                         degrees);
        const double e[4] = {rig_value(&r, "b.e0"), rig_value(&r, "b.e1"), rig_value(&r, "b.e2"),
                             rig_value(&r, "b.e3")};
        // The body's y axis in ground axes.
        assert_near(2 * (e[1] * e[2] - e[0] * e[3]), 0, 1e-10);
        assert_near(fabs(2 * (e[2] * e[3] + e[0] * e[1])), 1, 1e-10);
        assert_near(rig_value(&r, "constraint.position"), 0, 1e-10);
        assert_int_equal(lash_system_freedoms(r.system), 1);
        rig_close(&r);
    }
}

/* Exactly at a right angle no rounding shows a way to go. */
static void test_axes_across(void **state) {
    (void)state;
    static const double second[3][3] = {{0, 1, 0}, {1, 0, 0}, {-3, 4, 0}};
    for (int k = 0; k < 3; k++) {
        rig r = rig_open("space: spatial\nbodies: {b: {mass: 1, inertia: [1, 1.2, 1.4]}}\n"
                         "joints: {j: {type: revolute, between: [ground, b], axis: [0, 0, 1], second_axis: "
                         "[%g, %g, 0]}}\nrun: {until: 1}\n",
                         second[k][0], second[k][1]);
        const double e[4] = {rig_value(&r, "b.e0"), rig_value(&r, "b.e1"), rig_value(&r, "b.e2"),
                             rig_value(&r, "b.e3")};
        // The second axis in ground axes: its third component, of its length.
        const double along =
            2 * ((e[1] * e[3] - e[0] * e[2]) * second[k][0] + (e[2] * e[3] + e[0] * e[1]) * second[k][1]);
        assert_near(fabs(along), hypot(second[k][0], second[k][1]), 1e-10);
        rig_close(&r);
    }
}

static void expect_failure(const char *text, const char *name, const char *said) {
    lash_error error = {0};
    assert_int_equal(rig_compile(text, &error), LASH_ERROR_ASSEMBLY);
    if (!strstr(error.message, name) || !strstr(error.message, said))
        fail_msg("'%s' and '%s' are not in: %s", name, said, error.message);
}

static void test_contradictions(void **state) {
    (void)state;
    // A held body whose axis is not the pin's.
    expect_failure(
        "space: spatial\n"
        "bodies: {b: {mass: 1, inertia: [1, 1, 1], hold: [orientation]}}\n"
        "joints: {hinge: {type: revolute, between: [ground, b], axis: [0, 0, 1], second_axis: [0, 1, 0]}}\n"
        "run: {until: 1}\n",
        "'hinge'", "axes");
    // Two pins of one body with axes that are not parallel on it.
    expect_failure(
        "space: spatial\n"
        "ground: {points: {q: [1, 0, 0]}}\n"
        "bodies: {b: {mass: 1, inertia: [1, 1, 1], points: {q: [1, 0, 0]}}}\n"
        "joints:\n"
        "  one: {type: revolute, between: [ground, b], axis: [0, 0, 1], second_axis: [0, 0, 1]}\n"
        "  two: {type: revolute, between: [ground.q, b.q], axis: [0, 0, 1], second_axis: [0, 1, 4]}\n"
        "run: {until: 1}\n",
        "'", "axes");
    // A rod that does not reach.
    expect_failure("space: spatial\n"
                   "ground: {points: {far: [3, 0, 1]}}\n"
                   "bodies: {b: {mass: 1, inertia: [1, 1, 1], points: {end: [1, 0, 0]}}}\n"
                   "joints:\n"
                   "  near: {type: spherical, between: [ground, b]}\n"
                   "  reach: {type: spherical, between: [ground.far, b.end]}\n"
                   "run: {until: 1}\n",
                   "'", "stays open by");
}

/* The rod of a slider-crank in space drawn badly: it is closed, and held values stay. */
static void test_roughly_drawn(void **state) {
    (void)state;
    rig r = rig_open(
        "space: spatial\n"
        "ground: {points: {main: [0, 0.1, 0.12]}}\n"
        "bodies:\n"
        "  crank: {mass: 0.12, inertia: [1e-4, 1e-5, 1e-4], position: [0.01, 0.08, 0.13],\n"
        "          points: {pin: [0, 0.08, 0]}, orientation: {axis: [1, 0, 0], angle: 0.4}, hold: "
        "[orientation]}\n"
        "  rod: {mass: 0.5, inertia: [4e-4, 4e-3, 4e-3], position: [0.05, 0.05, 0.1],\n"
        "        orientation: {x: [0.3, -0.1, -0.1], z: [0, 0.3, 1]},\n"
        "        points: {big: [-0.15, 0, 0], small: [0.15, 0, 0]}}\n"
        "  slider: {mass: 2, inertia: [1e-4, 1e-4, 1e-4], position: [0.25, 0.02, -0.01]}\n"
        "joints:\n"
        "  main: {type: revolute, between: [ground.main, crank], axis: [1, 0, 0]}\n"
        "  big: {type: spherical, between: [crank.pin, rod.big]}\n"
        "  small: {type: universal, between: [slider, rod.small], axis: [0, 0, 1], second_axis: [0, 1, 0]}\n"
        "  guide: {type: prismatic, between: [ground, slider], axis: [1, 0, 0]}\n"
        "drives: {motor: {joint: main, speed: 3}}\n"
        "run: {until: 1}\n");
    const double y = 0.1 + 0.08 * cos(0.4), z = 0.12 + 0.08 * sin(0.4);
    assert_near(rig_value(&r, "main.angle"), 0.4, 1e-12);
    assert_near(rig_value(&r, "slider.x"), sqrt(0.09 - y * y - z * z), 1e-10);
    assert_near(rig_value(&r, "constraint.position"), 0, 1e-12);
    assert_near(rig_value(&r, "constraint.velocity"), 0, 1e-11);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes_are_turned),
        cmocka_unit_test(test_axes_across),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_roughly_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
