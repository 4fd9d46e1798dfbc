/* SPDX-License-Identifier: MIT
 *
 * Forces by a table over a coordinate that act along a short part of its travel: no step passes over them. The
 * speed behind a bump follows from its work, v = sqrt(v0² − 2 W/m), and so does the place where a mass turns
 * back; a table that repeats does the same work in every period; a motion that has no such table takes the same
 * steps.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

static const char *const methods[] = {"dop853", "adams", "gear"};
static const char *const kinds[] = {"linear", "monotone"};
enum { METHODS = 3, KINDS = 2 };

#define SLIDE                                                                                                \
    "bodies: {m: {mass: 1, inertia: 1, velocity: [%g, 0]}}\n"                                                \
    "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"

static void near(const char *what, double found, double wanted, double tolerance) {
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%s: %.17g, wanted %.17g (off by %.3g)", what, found, wanted, fabs(found - wanted));
}

/* x and v at the end. */
static void run(double y[2], rig *r) {
    lash_error error = {0};
    rig_require(lash_sim_run(r->sim, NULL, NULL, &error), &error, "run");
    y[0] = rig_value(r, "m.x");
    y[1] = rig_value(r, "m.vx");
    rig_close(r);
}

/* ---- one bump ---- */

/* Behind a triangle that takes 0.3 J, at 5 m. */
static void test_bumps(void **state) {
    (void)state;
    const double widths[] = {0.5, 1e-2, 1e-3, 2e-5}, speeds[] = {0.8, 1, 7.3},
                 tolerances[] = {1e-4, 1e-6, 1e-8};
    const double W = 0.3, share = 300; // of the tolerance
    for (int k = 0; k < KINDS; k++)
        for (int m = 0; m < METHODS; m++)
            for (int w = 0; w < 4; w++)
                for (int s = 0; s < 3; s++)
                    for (int i = 0; i < 3; i++) {
                        const double v = speeds[s], half = widths[w], F = -W / half;
                        rig r =
                            rig_open(SLIDE "forces: {bump: {type: load, over: guide, joint: guide, table: "
                                           "{points: [[0, 0], [%.17g, 0], [5, %.17g], [%.17g, 0], [20, 0]], "
                                           "interpolation: %s}}}\n"
                                           "run: {until: %g, method: %s, rtol: %g, balance: 0.5}\n",
                                     v, 5 - half, F, 5 + half, kinds[k], 10 / v, methods[m], tolerances[i]);
                        double y[2];
                        char what[120];
                        snprintf(what, sizeof what, "%s, %g m wide, %g m/s, with %s at %g", kinds[k], half, v,
                                 methods[m], tolerances[i]);
                        run(y, &r);
                        near(what, y[1], sqrt(v * v - 2 * W), share * tolerances[i]);
                    }
}

/* A smooth bump of many points, of which no single one stands out. Trapezoids of cos² over equal parts are
 * exact. */
static void test_smooth_bump(void **state) {
    (void)state;
    enum { POINTS = 201 };
    static const char *const smooth[] = {"linear", "monotone", "spline"};
    const double half = 0.01, W = 0.3;
    char points[POINTS * 60] = "";
    for (int i = 0, at = 0; i < POINTS; i++) {
        const double u = -1.25 + 2.5 * i / (POINTS - 1), c = fabs(u) < 1 ? cos(0.5 * RIG_PI * u) : 0;
        at += snprintf(points + at, sizeof points - (size_t)at, "[%.17g, %.17g], ", 5 + half * u,
                       -W / half * c * c); // the integral of cos² is 1
    }
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < METHODS; m++) {
            rig r =
                rig_open(SLIDE "forces: {bump: {type: joint-spring, joint: guide, free: 0, table: {points: "
                               "[[-1, 0], [2, 0], [4.9, 0], %s [5.1, 0], [8, 0], [20, 0]], "
                               "interpolation: %s}}}\n"
                               "run: {until: 10, method: %s, rtol: 1e-8, balance: 0.5}\n",
                         1.0, points, smooth[k], methods[m]);
            double y[2];
            run(y, &r);
            // A spring's table is a tension: it gives back what a load would take.
            near(smooth[k], y[1], sqrt(1 + 2 * W), 3e-6);
        }
}

/* More than the mass has: it turns inside the bump, or in front of a hill that gives all back behind it. */
static void test_turning(void **state) {
    (void)state;
    const double widths[] = {0.1, 1e-3, 1e-5};
    for (int m = 0; m < METHODS; m++)
        for (int w = 0; w < 3; w++) {
            const double a = widths[w];
            double y[2];
            rig r = rig_open(SLIDE "forces: {bump: {type: load, over: guide, joint: guide, table: {points: "
                                   "[[-9, 0], [%.17g, 0], [5, %.17g], [%.17g, 0], [20, 0]], "
                                   "interpolation: linear}}}\n"
                                   "run: {until: 9, method: %s, rtol: 1e-8, balance: 0.5}\n",
                             1.0, 5 - a, -1.2 / a, 5 + a, methods[m]);
            run(y, &r);
            near("turned inside", y[1], -1, 3e-6);
            // F = −k s on the first flank: a quarter of a period there and one back.
            near("where", y[0], 5 - a - (9 - (5 - a) - RIG_PI * a / sqrt(1.2)), 1e-4);
            r = rig_open(SLIDE "forces: {hill: {type: load, over: guide, joint: guide, table: {points: "
                               "[[-9, 0], [%.17g, 0], [%.17g, %.17g], [5, 0], [%.17g, %.17g], [%.17g, 0], "
                               "[20, 0]], interpolation: linear}}}\n"
                               "run: {until: 9, method: %s, rtol: 1e-8, balance: 0.5}\n",
                         1.0, 5 - 2 * a, 5 - a, -0.6 / a, 5 + a, 0.6 / a, 5 + 2 * a, methods[m]);
            run(y, &r);
            near("turned by a hill", y[1], -1, 3e-6);
        }
}

/* ---- coordinates that turn ---- */

/* A rotor that is braked in a thousandth of every turn, either way round: ω² falls by 2 W/J. */
static void test_turns(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++)
        for (int way = -1; way <= 1; way += 2) {
            const double half = 2e-3, W = 0.5;
            rig r =
                rig_open("bodies: {m: {mass: 1, inertia: 1, angular_velocity: %g}}\n"
                         "joints: {pin: {type: revolute, between: [ground, m]}}\n"
                         "forces: {brake: {type: load, over: pin, joint: pin, period: 2*pi, table: {points: "
                         "[[0, 0], [%.17g, 0], [2, %.17g], [%.17g, 0]], interpolation: linear}}}\n"
                         "run: {until: 7, method: %s, rtol: 1e-8, balance: 0.5}\n",
                         10.0 * way, 2 - half, -way * W / half, 2 + half, methods[m]);
            lash_error error = {0};
            rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
            const double angle = rig_value(&r, "m.angle"), speed = rig_value(&r, "m.wz");
            const double passed = way > 0 ? floor((angle - 2) / (2 * RIG_PI)) + 1
                                          : floor((-angle - (2 * RIG_PI - 2)) / (2 * RIG_PI)) + 1;
            assert_true(passed >= 10);
            near("speed", speed, way * sqrt(100 - 2 * W * passed), 1e-5);
            rig_close(&r);
        }
}

/* A driven crank pushes a mass that is not its own, for an instant of every turn: 20 impulses. */
static void test_driven(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        const double half = 1e-3, area = 0.1, w = 4 * RIG_PI;
        rig r = rig_open("bodies: {crank: {mass: 1, inertia: 1}, m: {mass: 2, inertia: 1}}\n"
                         "joints: {pin: {type: revolute, between: [ground, crank]},\n"
                         "         guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                         "drives: {motor: {joint: pin, speed: %.17g}}\n"
                         "forces: {push: {type: load, over: pin, at: m, direction: [1, 0], period: 2*pi, "
                         "table: {points: [[0, 0], [%.17g, 0], [3, %.17g], [%.17g, 0]], "
                         "interpolation: linear}}}\n"
                         "run: {until: 10, method: %s, rtol: 1e-8, balance: 0.5}\n",
                         w, 3 - half, area / half, 3 + half, methods[m]);
        double y[2];
        run(y, &r);
        near("speed", y[1], 20 * area / w / 2, 5e-6);
    }
}

/* ---- in space ---- */

static void test_space(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        rig r =
            rig_open("space: spatial\n"
                     "bodies: {m: {mass: 1, inertia: [1, 1, 1], velocity: [1, 0, 0]}}\n"
                     "joints: {guide: {type: prismatic, between: [ground, m], axis: [1, 0, 0]}}\n"
                     "forces: {rope: {type: spring, between: [ground, m], free_length: 0, table: {points: "
                     "[[0, 0], [4.999, 0], [5, 300], [5.001, 0], [20, 0]], interpolation: linear}}}\n"
                     "run: {until: 10, method: %s, rtol: 1e-8, balance: 0.5}\n",
                     methods[m]);
        double y[2];
        run(y, &r);
        near("speed", y[1], sqrt(1 - 2 * 0.3), 3e-6);
    }
}

/* ---- cost ---- */

static size_t evaluations(const char *force, const char *method) {
    rig r = rig_open(SLIDE "forces: {spring: {type: joint-spring, joint: guide, free: 0, %s}}\n"
                           "run: {until: 20, method: %s, rtol: 1e-6}\n",
                     1.0, force, method);
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    const size_t count = lash_sim_summary(r.sim).evaluations;
    rig_close(&r);
    return count;
}

/* A coordinate that starts a rounding before a point of its table, and whose rounding does not see it move
 * within steps that end there. */
static void test_point_within_rounding(void **state) {
    (void)state;
    rig r = rig_open("space: spatial\ncomponents:\n  part:\n"
                     "    bodies: {bar: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [0.2, 0, 0], "
                     "angular_velocity: [0, 0, 2], hold: [w], points: {p: [-0.2, 0, 0], t: [0.2, 0, 0]}}}\n"
                     "    joints: {h: {type: cylindrical, between: [ground, bar.p], axis: [0, 0, 1]}}\n"
                     "    forces: {s: {type: load, over: h, table: [[-4, -1], [0, 2], [4, 1]], at: bar.t, "
                     "direction: [0.2, 0.6, 0.1]}}\n"
                     "one: {use: part}\n"
                     "two: {use: part, orientation: {axis: [1, 0.3, 0.2], angle: 0.6}}\n"
                     "run: {until: 0.3, rtol: 1e-9, max_steps: 2000}\n");
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    near("angle", rig_value(&r, "two.h.angle"), rig_value(&r, "one.h.angle"), 1e-8);
    near("travel", rig_value(&r, "two.h.s"), rig_value(&r, "one.h.s"), 1e-8);
    rig_close(&r);
}

/* A table of a straight line is the same as the stiffness; one of points on a wide curve takes no more steps
 * than its steepness asks for. */
static void test_smooth_tables_cost_nothing(void **state) {
    (void)state;
    char curve[101 * 60] = "table: {interpolation: spline, points: [";
    for (int i = 0; i <= 100; i++) {
        const double x = -5 + 0.1 * i;
        snprintf(curve + strlen(curve), sizeof curve - strlen(curve), "[%.17g, %.17g]%s", x, 4 * sin(x),
                 i < 100 ? ", " : "]}");
    }
    for (int m = 0; m < METHODS; m++) {
        const size_t line = evaluations("table: {interpolation: linear, points: [[-5, -20], [5, 20]]}",
                                        methods[m]),
                     spring = evaluations("stiffness: 4", methods[m]);
        assert_true(line <= spring + spring / 50);
        assert_true(evaluations(curve, methods[m]) < 2 * spring);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bumps),
        cmocka_unit_test(test_smooth_bump),
        cmocka_unit_test(test_turning),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_driven),
        cmocka_unit_test(test_space),
        cmocka_unit_test(test_point_within_rounding),
        cmocka_unit_test(test_smooth_tables_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
