/* SPDX-License-Identifier: MIT
 *
 * Light bodies on long levers: neither the precision nor the work of a run depends on m r²/J. A body of mass
 * m at the end of a lever r has J → 0 as its limit the mathematical pendulum; for every J its closed form is
 *   θ̈ = −m g r cos θ / (m r² + J).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

static const double G = 9.81;

/* A pendulum of 1 kg and 1 m that swings from the horizontal through the vertical, in the plane and in space.
 */
static rig pendulum(bool space, double J, double rtol) {
    if (space)
        return rig_open(
            "space: spatial\ngravity: [0, -9.81, 0]\n"
            "bodies: {bob: {mass: 1, inertia: [%.17g, %.17g, %.17g], position: [1, 0, 0], points: "
            "{p: [-1, 0, 0]}}}\n"
            "joints: {pin: {type: revolute, between: [ground, bob.p], axis: [0, 0, 1]}}\n"
            "run: {until: 10, rtol: %g}\n",
            J, J, J, rtol);
    return rig_open("gravity: [0, -9.81]\n"
                    "bodies: {bob: {mass: 1, inertia: %.17g, position: [1, 0], points: {p: [-1, 0]}}}\n"
                    "joints: {pin: {type: revolute, between: [ground, bob.p]}}\n"
                    "run: {until: 10, rtol: %g}\n",
                    J, rtol);
}

static const double inertias[] = {1e-3, 1e-6, 1e-9, 1e-12};
enum { INERTIAS = sizeof inertias / sizeof *inertias };

static void test_work_does_not_depend_on_it(void **state) {
    (void)state;
    for (int space = 0; space < 2; space++) {
        double first = 0;
        for (int k = 0; k < INERTIAS; k++) {
            rig r = pendulum(space == 1, inertias[k], 1e-10);
            rig_step_to(&r, 10);
            const lash_summary summary = lash_sim_summary(r.sim);
            first = k == 0 ? (double)summary.evaluations : first;
            assert_near((double)summary.evaluations, first, 0.1 * first);
            assert_true(summary.max_balance_error < 1e-9);
            rig_close(&r);
        }
    }
}

/* Accelerations along the swing against the closed form, and the tension of the pin. */
static void test_accelerations(void **state) {
    (void)state;
    for (int space = 0; space < 2; space++)
        for (int k = 0; k < INERTIAS; k++) {
            rig r = pendulum(space == 1, inertias[k], 1e-10);
            for (int i = 1; i <= 10; i++) {
                rig_step_to(&r, 0.173 * i);
                const double x = rig_value(&r, "bob.x"), y = rig_value(&r, "bob.y"),
                             w = rig_value(&r, "bob.wz"), alpha = -G * x / (1 + inertias[k]);
                assert_near(rig_value(&r, "bob.alphaz"), alpha, 1e-7);
                assert_near(rig_value(&r, "bob.ax"), -w * w * x - alpha * y, 1e-7);
                assert_near(rig_value(&r, "bob.ay"), -w * w * y + alpha * x, 1e-7);
                assert_near(rig_value(&r, "pin.f"), hypot(-w * w * x - alpha * y, -w * w * y + alpha * x + G),
                            1e-7);
            }
            rig_close(&r);
        }
}

/* A swing of the mathematical pendulum from the horizontal and back takes 4 K(1/√2) √(r/g). */
static void test_mathematical_pendulum(void **state) {
    (void)state;
    const double K = 1.8540746773013719, period = 4 * K * sqrt(1 / G);
    for (int space = 0; space < 2; space++) {
        rig r = pendulum(space == 1, 1e-12, 1e-11);
        rig_step_to(&r, 0.5 * period);
        assert_near(rig_value(&r, "bob.x"), -1, 1e-9);
        rig_step_to(&r, period);
        assert_near(rig_value(&r, "bob.x"), 1, 1e-9);
        assert_near(rig_value(&r, "bob.y"), 0, 1e-9);
        assert_near(rig_value(&r, "bob.wz"), 0, 1e-9);
        rig_close(&r);
    }
}

/* Two point masses on rods that carry nothing else: the double pendulum, in coordinates of its own,
 * (m1 + m2) a + m2 (b cos + w2² sin) = …, both of 1 kg and 1 m, angles from the horizontal. */
static void test_double_pendulum(void **state) {
    (void)state;
    rig r =
        rig_open("gravity: [0, -9.81]\n"
                 "bodies:\n"
                 "  one: {mass: 1, inertia: 1e-12, position: [1, 0], points: {p: [-1, 0]}}\n"
                 "  two: {mass: 1, inertia: 1e-12, position: [1, 1], angle: 90 deg, points: {p: [-1, 0]}}\n"
                 "joints:\n"
                 "  a: {type: revolute, between: [ground, one.p]}\n"
                 "  b: {type: revolute, between: [one, two.p]}\n"
                 "run: {until: 2, rtol: 1e-10}\n");
    for (int i = 0; i <= 10; i++) {
        rig_step_to(&r, 0.1 * i);
        const double t1 = rig_value(&r, "one.angle"), t2 = rig_value(&r, "two.angle"),
                     w1 = rig_value(&r, "one.wz"), w2 = rig_value(&r, "two.wz");
        const double c = cos(t1 - t2), s = sin(t1 - t2), b1 = -s * w2 * w2 - 2 * G * cos(t1),
                     b2 = s * w1 * w1 - G * cos(t2), det = 2 - c * c;
        assert_near(rig_value(&r, "one.alphaz"), (b1 - c * b2) / det, 1e-6);
        assert_near(rig_value(&r, "two.alphaz"), (2 * b2 - c * b1) / det, 1e-6);
    }
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_true(summary.evaluations < 2000);
    rig_close(&r);
}

/* Three light cranks on one coupler, of which one is redundant: θ̈ = −g M cos θ/J of the whole, and the
 * reactions of least norm change with the cranks' inertia no more than it does. */
static void test_redundant(void **state) {
    (void)state;
    double first[6] = {0};
    for (int k = 0; k < INERTIAS; k++) {
        const double J = inertias[k];
        rig r = rig_open("gravity: [0, -9.81]\n"
                         "ground: {points: {b: [1, 0], c: [0.4, 0]}}\n"
                         "bodies:\n"
                         "  one: {mass: 1, inertia: %.17g, position: [0.125, 0.2165063509461097], angle: 60 "
                         "deg, points: {o: "
                         "[-0.25, 0], p: [0.25, 0]}}\n"
                         "  two: {mass: 1, inertia: %.17g, position: [1.125, 0.2165063509461097], angle: 60 "
                         "deg, points: {o: "
                         "[-0.25, 0], p: [0.25, 0]}}\n"
                         "  three: {mass: 2, inertia: %.17g, position: [0.525, 0.2165063509461097], angle: "
                         "60 deg, points: {o: "
                         "[-0.25, 0], p: [0.25, 0]}}\n"
                         "  coupler: {mass: 3, inertia: 0.3, position: [0.75, 0.4330127018922193], points: "
                         "{a: [-0.5, 0], b: "
                         "[0.5, 0], c: [-0.1, 0]}}\n"
                         "joints:\n"
                         "  o1: {type: revolute, between: [ground, one.o]}\n"
                         "  o2: {type: revolute, between: [ground.b, two.o]}\n"
                         "  o3: {type: revolute, between: [ground.c, three.o]}\n"
                         "  p1: {type: revolute, between: [one.p, coupler.a]}\n"
                         "  p2: {type: revolute, between: [two.p, coupler.b]}\n"
                         "  p3: {type: revolute, between: [coupler.c, three.p]}\n"
                         "run: {until: 1, rtol: 1e-10}\n",
                         J, J, J);
        assert_non_null(lash_system_redundant(r.system, 0));
        static const char *const forces[] = {"o1.f", "o2.f", "o3.f", "p1.f", "p2.f", "p3.f"};
        const double inertia = 3 * J + 4 * 0.0625 + 3 * 0.25, M = 4 * 0.25 + 3 * 0.5;
        for (int i = 0; i < 6; i++) {
            const double force = rig_value(&r, forces[i]);
            first[i] = k == 0 ? force : first[i];
            assert_near(force, first[i], 20 * inertias[0] * first[i]);
        }
        for (int i = 0; i <= 5; i++) {
            rig_step_to(&r, 0.05 * i);
            const double angle = rig_value(&r, "one.angle");
            assert_near(rig_value(&r, "one.alphaz"), -G * M * cos(angle) / inertia, 1e-8);
        }
        const lash_summary summary = lash_sim_summary(r.sim);
        assert_true(summary.evaluations < 200);
        rig_close(&r);
    }
}

/* Initial velocities of a light body are found as those of a heavy one. */
static void test_initial_velocities(void **state) {
    (void)state;
    for (int k = 0; k < INERTIAS; k++) {
        rig r = rig_open(
            "bodies: {bob: {mass: 1, inertia: %.17g, position: [1, 0], velocity: [0.3, 4], points: {p: "
            "[-1, 0]}}}\n"
            "joints: {pin: {type: revolute, between: [ground, bob.p]}}\n"
            "run: {until: 1}\n",
            inertias[k]);
        assert_near(rig_value(&r, "bob.wz"), 4 / (1 + inertias[k]), 1e-11);
        assert_near(rig_value(&r, "bob.vy"), 4 / (1 + inertias[k]), 1e-11);
        assert_near(rig_value(&r, "bob.vx"), 0, 1e-11);
        rig_close(&r);
    }
}

static void test_too_light(void **state) {
    (void)state;
    lash_error error = {0};
    assert_int_equal(
        rig_compile("bodies: {bob: {mass: 1, inertia: 1e-15, position: [1, 0], points: {p: [-1, 0]}}}\n"
                    "joints: {pin: {type: revolute, between: [ground, bob.p]}}\n"
                    "run: {until: 1}\n",
                    &error),
        LASH_ERROR_MODEL);
    assert_string_equal(error.object, "bob");
    assert_non_null(strstr(error.message, "inertia"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_does_not_depend_on_it),
        cmocka_unit_test(test_accelerations),
        cmocka_unit_test(test_mathematical_pendulum),
        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_redundant),
        cmocka_unit_test(test_initial_velocities),
        cmocka_unit_test(test_too_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
