/* SPDX-License-Identifier: MIT
 *
 * Mechanisms in space against closed forms: Bricard's over-constrained loop, the spatial slider-crank,
 * Hooke's joint, screw, gears in ground and on a carrier, a shaft in a sleeve; angles over many turns.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

/* Bricard's mechanism (benchmark A04 of the IFToMM library of multibody systems): five rods of 1 m and 1 kg
 * along five edges of a cube's zigzag hexagon, the sixth edge is ground; at each corner a pin across both
 * rods; gravity along −y. Grübler counts no freedom, it has one. */
static rig open_bricard(double rtol) {
    static const double corner[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    static const char *const axis[6] = {"0, 1, 0", "0, 0, 1", "1, 0, 0", "0, 1, 0", "0, 0, 1", "1, 0, 0"};
    char bodies[2048] = "", joints[2048] = "";
    size_t b = 0, j = 0;
    for (int k = 0; k < 5; k++) {
        double middle[3], half[3], J[3];
        for (int i = 0; i < 3; i++) {
            middle[i] = (corner[k][i] + corner[k + 1][i]) / 2;
            half[i] = corner[k + 1][i] - middle[i];
            J[i] = half[i] != 0 ? 0.1 * 0.1 / 6 : (1 + 0.1 * 0.1) / 12; // square bar, 0.1 m thick
        }
        b += (size_t)snprintf(bodies + b, sizeof bodies - b,
                              "  rod%d: {mass: 1, inertia: [%.17g, %.17g, %.17g], position: [%g, %g, %g],\n"
                              "         points: {a: [%g, %g, %g], b: [%g, %g, %g]}}\n",
                              k + 1, J[0], J[1], J[2], middle[0], middle[1], middle[2], -half[0], -half[1],
                              -half[2], half[0], half[1], half[2]);
    }
    for (int k = 0; k < 6; k++) {
        char first[32] = "ground", second[32] = "ground.end";
        if (k > 0)
            snprintf(first, sizeof first, "rod%d.b", k);
        if (k < 5)
            snprintf(second, sizeof second, "rod%d.a", k + 1);
        j += (size_t)snprintf(joints + j, sizeof joints - j,
                              "  pin%d: {type: revolute, between: [%s, %s], axis: [%s]}\n", k + 1, first,
                              second, axis[k]);
    }
    return rig_open("space: spatial\n"
                    "gravity: [0, -9.81, 0]\n"
                    "ground: {points: {end: [0, 0, 1]}}\n"
                    "bodies:\n%sjoints:\n%srun: {until: 10, rtol: %g}\n",
                    bodies, joints, rtol);
}

static void test_bricard(void **state) {
    (void)state;
    static const char *const channels[] = {
        "energy.kinetic", "energy.potential", "constraint.position", "rod3.x", "rod3.y", "rod3.z", NULL};
    enum { SAMPLES = 200 };
    double last[3] = {0};
    for (int k = 0; k < 2; k++) {
        rig r = open_bricard(k == 0 ? 1e-8 : 1e-11);
        assert_int_equal(lash_system_constraint_count(r.system), 30);
        assert_int_equal(lash_system_freedoms(r.system), 1);
        assert_non_null(lash_system_redundant(r.system, 0));
        assert_non_null(strstr(lash_system_redundant(r.system, 0), "pin6"));
        assert_null(lash_system_redundant(r.system, 1));
        rig_rows rows = rig_sample(&r, SAMPLES, channels, false);
        const double energy = rig_at(&rows, 0, 1) + rig_at(&rows, 0, 2);
        double swing = 0, drift = 0, apart = 0;
        for (size_t n = 0; n < rows.count; n++) {
            swing = fmax(swing, rig_at(&rows, n, 1));
            drift = fmax(drift, fabs(rig_at(&rows, n, 1) + rig_at(&rows, n, 2) - energy));
            apart = fmax(apart, rig_at(&rows, n, 3));
        }
        assert_true(swing > 4); // J
        assert_true(drift <= (k == 0 ? 1e-6 : 1e-9) * swing);
        assert_true(apart <= (k == 0 ? 1e-6 : 1e-9));
        for (int i = 0; i < 3; i++) {
            if (k == 1)
                assert_near(rig_at(&rows, SAMPLES, (size_t)i + 4), last[i], 1e-5);
            last[i] = rig_at(&rows, SAMPLES, (size_t)i + 4);
        }
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* Slider-crank in space: crank 0.08 m about x at (0, 0.1, 0.12), rod 0.3 m, slider on the x axis:
 *   s = √(L² − B_y² − B_z²),  B the crank pin. */
static void slider(double out[3], double angle, double w) {
    static const double L = 0.3, r = 0.08;
    const double c = cos(angle), s = sin(angle), y = 0.1 + r * c, z = 0.12 + r * s;
    const double dy = -r * s * w, dz = r * c * w, ddy = -r * c * w * w, ddz = -r * s * w * w;
    out[0] = sqrt(L * L - y * y - z * z);
    out[1] = -(y * dy + z * dz) / out[0];
    out[2] = -(dy * dy + y * ddy + dz * dz + z * ddz + out[1] * out[1]) / out[0];
}

static void test_slider_crank(void **state) {
    (void)state;
    // The balance of a run; kinematics has none.
    static const char *const channels[2][8] = {
        {"slider.x", "slider.vx", "slider.ax", "main.angle", "guide.s", "motor.torque", "energy.balance",
         NULL},
        {"slider.x", "slider.vx", "slider.ax", "main.angle", "guide.s", "motor.torque", NULL}};
    static const double w = 7;
    double s[3];
    slider(s, 0, w);
    for (int kinematics = 0; kinematics < 2; kinematics++) {
        rig r = rig_open("space: spatial\n"
                         "gravity: [0, 0, -9.81]\n"
                         "ground: {points: {main: [0, 0.1, 0.12]}}\n"
                         "bodies:\n"
                         "  crank: {mass: 0.12, inertia: [1e-4, 1e-5, 1e-4], position: [0, 0.1, 0.12],\n"
                         "          points: {pin: [0, 0.08, 0]}}\n"
                         "  rod: {mass: 0.5, inertia: [4e-4, 4e-3, 4e-3], position: [%.17g, 0.09, 0.06],\n"
                         "        orientation: {x: [%.17g, -0.18, -0.12], z: [0, 0, 1]},\n"
                         "        points: {big: [-0.15, 0, 0], small: [0.15, 0, 0]}}\n"
                         "  slider: {mass: 2, inertia: [1e-4, 1e-4, 1e-4], position: [%.17g, 0, 0]}\n"
                         "joints:\n"
                         "  main: {type: revolute, between: [ground.main, crank], axis: [1, 0, 0]}\n"
                         "  big: {type: spherical, between: [crank.pin, rod.big]}\n"
                         "  small: {type: universal, between: [slider, rod.small], axis: [0, 0, 1], "
                         "second_axis: [0, 1, 0]}\n"
                         "  guide: {type: prismatic, between: [ground, slider], axis: [1, 0, 0]}\n"
                         "drives: {motor: {joint: main, speed: %g}}\n"
                         "run: {until: 3 rev of motor, rtol: 1e-11, stabilisation: projection}\n",
                         s[0] / 2, s[0], s[0], w);
        assert_int_equal(lash_system_mobility(r.system), 1);
        assert_int_equal(lash_system_freedoms(r.system), 0);
        assert_null(lash_system_redundant(r.system, 0));
        rig_rows rows = rig_sample(&r, 90, channels[kinematics], kinematics);
        for (size_t k = 0; k < rows.count; k++) {
            double expected[3];
            const double angle = w * rig_at(&rows, k, 0);
            slider(expected, angle, w);
            assert_near(rig_at(&rows, k, 1), expected[0], 1e-11);
            assert_near(rig_at(&rows, k, 2), expected[1], 1e-9);
            assert_near(rig_at(&rows, k, 3), expected[2], 1e-8);
            assert_near(rig_at(&rows, k, 4), angle, 1e-10);
            assert_near(rig_at(&rows, k, 5), expected[0], 1e-11);
            if (!kinematics)
                assert_near(rig_at(&rows, k, 7), 0, 1e-9);
        }
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* The motor's torque from virtual work: P = d/dt (T + V). */
static void test_drive_power(void **state) {
    (void)state;
    rig r = rig_open(
        "space: spatial\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {arm: {mass: 3, inertia: [0.15, 0.2, 0.3, 0.02, -0.03, 0.04], position: [0, 0.4, 0],\n"
        "               points: {p: [0, -0.4, 0]}}}\n"
        "joints: {main: {type: revolute, between: [ground, arm.p], axis: [1, 0, 0]}}\n"
        "drives: {motor: {joint: main, motion: \"2*t^2\"}}\n"
        "run: {until: 1, rtol: 1e-11}\n");
    static const char *const channels[] = {"motor.torque", "motor.power", "main.mx", "main.my", NULL};
    rig_rows rows = rig_sample(&r, 10, channels, false);
    for (size_t k = 0; k < rows.count; k++) {
        const double t = rig_at(&rows, k, 0), angle = 2 * t * t;
        const double torque = (0.15 + 3 * 0.4 * 0.4) * 4 + 3 * 9.81 * 0.4 * cos(angle);
        assert_near(rig_at(&rows, k, 1), torque, 1e-7);
        assert_near(rig_at(&rows, k, 2), torque * 4 * t, 1e-6);
    }
    rig_rows_close(&rows);
    rig_close(&r);
}

/* Hooke's joint between shafts at the angle β: tan θ2 = tan θ1/cos β, ω2/ω1 = cos β/(1 − sin²β cos²θ1). */
static void test_universal(void **state) {
    (void)state;
    static const double beta = 0.6, w = 11, turns = 20;
    rig r = rig_open(
        "space: spatial\n"
        "bodies:\n"
        "  first: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
        "  second: {mass: 1, inertia: [0.01, 0.02, 0.02], orientation: {x: [%.17g, %.17g, 0], "
        "z: [0, 0, 1]}}\n"
        "joints:\n"
        "  in: {type: revolute, between: [ground, first], axis: [1, 0, 0]}\n"
        "  cross: {type: universal, between: [first, second], axis: [0, 1, 0], second_axis: [0, 0, 1]}\n"
        "  out: {type: revolute, between: [ground, second], axis: [%.17g, %.17g, 0]}\n"
        "drives: {motor: {joint: in, speed: %g}}\n"
        "run: {until: %g rev of motor, rtol: 1e-10}\n",
        cos(beta), sin(beta), cos(beta), sin(beta), w, turns);
    // Both shafts are held by their pins: the three rows of the cross's centre are redundant.
    assert_int_equal(lash_system_mobility(r.system), 1);
    for (size_t k = 0; k < 3; k++)
        assert_non_null(lash_system_redundant(r.system, k));
    assert_null(lash_system_redundant(r.system, 3));
    static const char *const channels[] = {"in.angle", "out.angle", "out.wz", "second.wbx", NULL};
    rig_rows rows = rig_sample(&r, 400, channels, false);
    const double from = rig_at(&rows, 0, 2);
    for (size_t k = 0; k < rows.count; k++) {
        const double angle = w * rig_at(&rows, k, 0), sb = sin(beta), c = cos(angle);
        const double ratio = cos(beta) / (1 - sb * sb * c * c);
        double out = atan2(sin(angle) / cos(beta), cos(angle));
        out += 2 * RIG_PI * round((angle - out) / (2 * RIG_PI)); // both pass the quarters together
        assert_near(rig_at(&rows, k, 1), angle, 1e-8);
        assert_near(rig_at(&rows, k, 2) - from, out, 1e-8);
        assert_near(rig_at(&rows, k, 3), ratio * w, 1e-7);
        assert_near(rig_at(&rows, k, 4), ratio * w, 1e-7);
    }
    assert_near(rig_at(&rows, 400, 2) - from, turns * 2 * RIG_PI, 1e-8);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* A screw on an oblique axis: pushed along it, z̈ = F/(m + C (2π/p)²); turned, its travel is p per turn. */
static void test_screw(void **state) {
    (void)state;
    static const double m = 0.2, C = 5e-6, p = 0.01, F = 30, pitch[2] = {0.01, -0.01};
    for (int k = 0; k < 2; k++) {
        rig r =
            rig_open("space: spatial\n"
                     "bodies: {screw: {mass: %g, inertia: [%g, 3e-6, 3e-6], orientation: {x: [1, 2, 2], y: "
                     "[0, 1, -1]}}}\n"
                     "joints: {nut: {type: screw, between: [ground, screw], axis: [1, 2, 2], pitch: %g}}\n"
                     "forces: {push: {type: force, at: screw, force: [10, 20, 20]}}\n"
                     "run: {until: 0.5, rtol: 1e-11}\n",
                     m, C, pitch[k]);
        assert_int_equal(lash_system_freedoms(r.system), 1);
        const double drawn = rig_value(&r, "nut.angle");
        rig_step_to(&r, 0.5);
        const double lead = 2 * RIG_PI / p, travel = 0.5 * F / (m + C * lead * lead) * 0.25;
        assert_true(travel / p > 5); // turns
        assert_relative(rig_value(&r, "screw.x"), travel / 3, 1e-9);
        assert_relative(rig_value(&r, "screw.y"), travel * 2 / 3, 1e-9);
        assert_relative(rig_value(&r, "nut.angle") - drawn, 2 * RIG_PI * travel / pitch[k], 1e-9);
        assert_relative(rig_value(&r, "screw.wbx"), 2 * RIG_PI / pitch[k] * 4 * travel, 1e-9);
        assert_near(rig_value(&r, "energy.balance"), 0, 1e-9 * F * travel);
        rig_close(&r);
    }
    rig r = rig_open("space: spatial\n"
                     "bodies: {screw: {mass: 1, inertia: [1e-3, 1e-3, 1e-3]}}\n"
                     "joints: {nut: {type: screw, between: [ground, screw], axis: [0, 1, 0], pitch: 5 mm}}\n"
                     "drives: {motor: {joint: nut, speed: 600 rpm}}\n"
                     "run: {until: 12.25 rev of motor, rtol: 1e-10}\n");
    rig_step_to(&r, lash_system_end(r.system));
    assert_near(rig_value(&r, "screw.y"), 12.25 * 5e-3, 1e-9);
    rig_close(&r);
}

/* Bevel wheels in ground, driven by a torque on the first: α1 = T/(J1 + ratio² J2), θ2 = −ratio θ1. */
static void test_gear(void **state) {
    (void)state;
    static const double T = 0.4, J1 = 0.01, J2 = 0.003, ratio = 2.5, end = 3;
    rig r = rig_open("space: spatial\n"
                     "bodies:\n"
                     "  one: {mass: 1, inertia: [%g, 0.01, 0.01], position: [0.1, 0, 0]}\n"
                     "  two: {mass: 1, inertia: [0.003, %g, 0.003], position: [0, 0.1, 0]}\n"
                     "ground: {points: {one: [0.1, 0, 0], two: [0, 0.1, 0]}}\n"
                     "joints:\n"
                     "  a: {type: revolute, between: [ground.one, one], axis: [1, 0, 0]}\n"
                     "  b: {type: revolute, between: [ground.two, two], axis: [0, 1, 0]}\n"
                     "  mesh: {type: gear, joints: [a, b], ratio: %g}\n"
                     "forces: {t: {type: torque, body: one, torque: [%g, 0, 0]}}\n"
                     "run: {until: %g, rtol: 1e-10}\n",
                     J1, J2, ratio, T, end);
    assert_int_equal(lash_system_freedoms(r.system), 1);
    rig_step_to(&r, end);
    const double angle = 0.5 * T / (J1 + ratio * ratio * J2) * end * end;
    assert_true(angle > 50);
    assert_relative(rig_value(&r, "a.angle"), angle, 1e-9);
    assert_relative(rig_value(&r, "b.angle"), -ratio * angle, 1e-9);
    assert_relative(rig_value(&r, "two.wy"), -ratio * 2 * angle / end, 1e-9);
    rig_close(&r);
}

/* Counts at the border of ±π and beyond it: wheels and a nut drawn half a turn round, whose angle rounding
 * may give either sign, and a drive that starts turns away from what is drawn. Assembly must neither jump by
 * a pitch nor by a turn, and kinematics and motion agree over many turns. */
static void test_counts(void **state) {
    (void)state;
    static const char *const channels[] = {"a.angle", "b.angle", "nut.angle", "screw.z", "two.e3", NULL};
    for (int k = 0; k < 4; k++) {
        const bool kinematics = k % 2;
        const double start = k < 2 ? RIG_PI : -20, ratio = 0.4, pitch = 0.01, w = 30;
        char from[64] = "";
        if (k >= 2)
            snprintf(from, sizeof from, ", start: %g rad", start);
        rig r = rig_open("space: spatial\n"
                         "bodies:\n"
                         "  one: {mass: 1, inertia: [1, 1, 1], orientation: {yaw: 180 deg}}\n"
                         "  two: {mass: 1, inertia: [1, 1, 1], orientation: {yaw: 180.0000000001 deg}}\n"
                         "  screw: {mass: 1, inertia: [1, 1, 1], orientation: {yaw: -180 deg}}\n"
                         "joints:\n"
                         "  a: {type: revolute, between: [ground, one], axis: [0, 0, 1]}\n"
                         "  b: {type: revolute, between: [ground, two], axis: [0, 0, 1]}\n"
                         "  nut: {type: screw, between: [ground, screw], axis: [0, 0, 1], pitch: %g}\n"
                         "  mesh: {type: gear, joints: [a, b], ratio: %g}\n"
                         "  mesh2: {type: gear, joints: [a, nut], ratio: -1}\n"
                         "drives: {motor: {joint: a, speed: %g%s}}\n"
                         "run: {until: 12 rev of motor, rtol: 1e-10}\n",
                         pitch, ratio, w, from);
        assert_int_equal(lash_system_freedoms(r.system), 0);
        rig_rows rows = rig_sample(&r, 50, channels, kinematics);
        const double a0 = rig_at(&rows, 0, 1);
        assert_near(remainder(a0 - start, 2 * RIG_PI), 0, 1e-9);
        if (k >= 2)
            assert_near(a0, start, 1e-9);
        for (size_t n = 0; n < rows.count; n++) {
            const double angle = w * rig_at(&rows, n, 0);
            assert_near(rig_at(&rows, n, 1), a0 + angle, 1e-8);
            assert_near(rig_at(&rows, n, 2) - rig_at(&rows, 0, 2), -ratio * angle, 1e-8);
            assert_near(rig_at(&rows, n, 3) - rig_at(&rows, 0, 3), angle, 1e-8);
            assert_near(rig_at(&rows, n, 4) - rig_at(&rows, 0, 4), angle * pitch / (2 * RIG_PI), 1e-9);
        }
        if (k < 2) { // nothing was to be moved
            assert_near(rig_at(&rows, 0, 4), 0, 1e-9);
            assert_near(fabs(rig_at(&rows, 0, 5)), 1, 1e-9);
        } else // the nut has followed the count of the first wheel
            assert_near(remainder(rig_at(&rows, 0, 4) - (a0 - RIG_PI) * pitch / (2 * RIG_PI), pitch), 0,
                        1e-9);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* A planet rolling around a wheel that is fixed in ground, on a carrier: it turns 1 + ratio times as fast. */
static void test_planet(void **state) {
    (void)state;
    static const double T = 2, Jc = 0.02, mp = 0.5, Jp = 1e-3, arm = 0.2, ratio = 3, end = 3;
    // The same with the planet's pin named the other way round, and as the first of the two.
    static const struct {
        const char *pin, *joints;
        double ratio, sign;
    } ways[] = {{"carrier.p, planet", "sun, pin", 3, 1},
                {"planet, carrier.p", "sun, pin", -3, -1},
                {"planet, carrier.p", "pin, sun", -1.0 / 3, -1}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        rig r = rig_open("space: spatial\n"
                         "bodies:\n"
                         "  carrier: {mass: 1, inertia: [0.02, 0.02, %g], points: {p: [%g, 0, 0]}}\n"
                         "  planet: {mass: %g, inertia: [1e-3, 1e-3, %g], position: [%g, 0, 0]}\n"
                         "joints:\n"
                         "  sun: {type: revolute, between: [carrier, ground], axis: [0, 0, 1]}\n"
                         "  pin: {type: revolute, between: [%s], axis: [0, 0, 1]}\n"
                         "  mesh: {type: gear, joints: [%s], ratio: %.17g}\n"
                         "forces: {t: {type: torque, body: carrier, torque: [0, 0, %g]}}\n"
                         "run: {until: %g, rtol: 1e-11}\n",
                         Jc, arm, mp, Jp, arm, ways[k].pin, ways[k].joints, ways[k].ratio, T, end);
        assert_int_equal(lash_system_freedoms(r.system), 1);
        rig_step_to(&r, end);
        const double J = Jc + mp * arm * arm + Jp * (1 + ratio) * (1 + ratio), w = T / J * end;
        assert_relative(rig_value(&r, "carrier.wz"), w, 1e-9);
        assert_relative(rig_value(&r, "planet.wz"), (1 + ratio) * w, 1e-9);
        assert_relative(rig_value(&r, "sun.angle"), -0.5 * w * end, 1e-9);
        assert_relative(rig_value(&r, "pin.angle"), ways[k].sign * 0.5 * ratio * w * end, 1e-9);
        rig_close(&r);
    }
}

/* A shaft in a sleeve slides and turns independently; its angle counts on through many turns. */
static void test_cylindrical(void **state) {
    (void)state;
    rig r =
        rig_open("space: spatial\n"
                 "bodies: {shaft: {mass: 2, inertia: [0.3, 0.05, 0.3, 0.04, 0, 0], position: [0, 0.3, 0]}}\n"
                 "joints: {sleeve: {type: cylindrical, between: [ground, shaft], axis: [0, 1, 0]}}\n"
                 "forces:\n"
                 "  push: {type: force, at: shaft, force: [5, 8, -3]}\n"
                 "  turn: {type: torque, body: shaft, torque: [1, 0.7, 2]}\n"
                 "run: {until: 5, rtol: 1e-11}\n");
    assert_int_equal(lash_system_freedoms(r.system), 2);
    rig_step_to(&r, 5);
    assert_near(rig_value(&r, "shaft.y"), 0.3 + 0.5 * 8 / 2 * 25, 1e-8);
    assert_near(rig_value(&r, "sleeve.angle"), 0.5 * 0.7 / 0.05 * 25, 1e-7); // 28 turns
    assert_near(rig_value(&r, "sleeve.fx"), -5, 1e-8);
    assert_near(rig_value(&r, "sleeve.fy"), 0, 1e-8);
    assert_near(rig_value(&r, "sleeve.fz"), 3, 1e-8);
    rig_close(&r);
}

/* Both coordinates of a sleeve driven make a helix; a screw driven by its travel turns. */
static void test_travel(void **state) {
    (void)state;
    for (int kinematics = 0; kinematics < 2; kinematics++) {
        rig r =
            rig_open("space: spatial\n"
                     "bodies:\n"
                     "  shaft: {mass: 2, inertia: [0.3, 0.2, 0.3, 0.04, 0, 0], points: {rim: [0.1, 0, 0]}}\n"
                     "  bolt: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}\n"
                     "ground: {points: {nut: [1, 0, 0]}}\n"
                     "joints:\n"
                     "  sleeve: {type: cylindrical, between: [ground, shaft], axis: [0, 1, 0]}\n"
                     "  nut: {type: screw, between: [ground.nut, bolt], axis: [0, 1, 0], pitch: 0.02}\n"
                     "drives:\n"
                     "  turn: {joint: sleeve, coordinate: angle, speed: 20}\n"
                     "  push: {joint: sleeve, coordinate: travel, motion: \"0.1*sin(3*t)\"}\n"
                     "  feed: {joint: nut, coordinate: travel, speed: 0.1}\n"
                     "run: {until: 2, rtol: 1e-10}\n");
        static const char *const channels[] = {"sleeve.angle", "sleeve.s", "shaft.y", "nut.angle",
                                               "nut.s",        "bolt.y",   NULL};
        assert_int_equal(lash_system_freedoms(r.system), 0);
        rig_rows rows = rig_sample(&r, 40, channels, kinematics);
        for (size_t k = 0; k < rows.count; k++) {
            const double t = rig_at(&rows, k, 0), s = 0.1 * sin(3 * t);
            assert_near(rig_at(&rows, k, 1), 20 * t, 1e-8);
            assert_near(rig_at(&rows, k, 2), s, 1e-9);
            assert_near(rig_at(&rows, k, 3), s, 1e-9);
            assert_near(rig_at(&rows, k, 4), 2 * RIG_PI * 0.1 * t / 0.02, 1e-7);
            assert_near(rig_at(&rows, k, 5), 0.1 * t, 1e-9);
            assert_near(rig_at(&rows, k, 6), 0.1 * t, 1e-9);
        }
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bricard),     cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_drive_power), cmocka_unit_test(test_universal),
        cmocka_unit_test(test_screw),       cmocka_unit_test(test_gear),
        cmocka_unit_test(test_counts),      cmocka_unit_test(test_planet),
        cmocka_unit_test(test_cylindrical), cmocka_unit_test(test_travel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
