/* SPDX-License-Identifier: MIT
 *
 * Joints at work: gears against Willis' formula and against forces by hand, rack and pinion, the pin in a
 * slot in a Scotch yoke and a swinging slotted lever, the massless rod, the weld.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

/* Sun 20, planet 15, ring 50 teeth; the planet's pin at 0.35 m of the carrier. Willis:
 *   (ω_s − ω_c)/(ω_r − ω_c) = −z_r/z_s,   (ω_p − ω_c)/(ω_s − ω_c) = −z_s/z_p. */
static void check_train(const char *ring_gear) {
    rig r = rig_open("bodies:\n"
                     "  sun: {mass: 1, inertia: 0.01}\n"
                     "  ring: {mass: 1, inertia: 0.1}\n"
                     "  carrier: {mass: 1, inertia: 0.05, points: {pin: [0.35, 0]}}\n"
                     "  planet: {mass: 0.5, inertia: 0.003, position: [0.35, 0]}\n"
                     "joints:\n"
                     "  s: {type: revolute, between: [ground, sun]}\n"
                     "  r: {type: revolute, between: [ground, ring]}\n"
                     "  c: {type: revolute, between: [ground, carrier]}\n"
                     "  p: {type: revolute, between: [carrier.pin, planet]}\n"
                     "  outer: {type: gear, between: [sun, planet], ratio: 20/15}\n"
                     "  inner: {type: gear, %s}\n"
                     "drives:\n"
                     "  ds: {joint: s, motion: \"10*t + 0.5*t^2\"}\n"
                     "  dr: {joint: r, speed: 3}\n"
                     "run: {until: 3, rtol: 1e-11}\n",
                     ring_gear);
    assert_int_equal(lash_system_mobility(r.system), 2);
    assert_int_equal(lash_system_freedoms(r.system), 0);
    for (int k = 1; k <= 6; k++) { // several turns of every wheel
        const double t = 0.5 * k, ws = 10 + t, wr = 3, as = 1;
        const double wc = (20 * ws + 50 * wr) / 70, wp = wc - 20.0 / 15 * (ws - wc);
        const double ac = 20 * as / 70, ap = ac - 20.0 / 15 * (as - ac);
        rig_step_to(&r, t);
        assert_near(rig_value(&r, "carrier.wz"), wc, 1e-8);
        assert_near(rig_value(&r, "planet.wz"), wp, 1e-8);
        assert_near(rig_value(&r, "carrier.angle"), (20 * (10 * t + 0.5 * t * t) + 50 * 3 * t) / 70, 1e-8);
        assert_near(rig_value(&r, "carrier.alphaz"), ac, 1e-6);
        assert_near(rig_value(&r, "planet.alphaz"), ap, 1e-6);
    }
    rig_close(&r);
}

static void test_planetary_train(void **state) {
    (void)state;
    check_train("between: [ring, planet], ratio: -50/15");
    check_train("between: [planet, ring], ratio: -15/50");
}

/* Ring on the ground: ω_c = ω_s z_s/(z_s + z_r). Undriven: the reduced inertia decides the acceleration. */
static void test_planetary_reduction(void **state) {
    (void)state;
    rig r = rig_open("bodies:\n"
                     "  sun: {mass: 1, inertia: 0.01}\n"
                     "  carrier: {mass: 1, inertia: 0.05, points: {pin: [0, 0.35]}}\n"
                     "  planet: {mass: 0.5, inertia: 0.003, position: [0, 0.35]}\n"
                     "joints:\n"
                     "  s: {type: revolute, between: [ground, sun]}\n"
                     "  c: {type: revolute, between: [ground, carrier]}\n"
                     "  p: {type: revolute, between: [carrier.pin, planet]}\n"
                     "  outer: {type: gear, between: [sun, planet], ratio: 20/15}\n"
                     "  inner: {type: gear, between: [ground, planet], ratio: -50/15}\n"
                     "forces:\n"
                     "  motor: {type: torque, body: sun, torque: 0.2}\n"
                     "run: {until: 4, rtol: 1e-11}\n");
    assert_int_equal(lash_system_freedoms(r.system), 1);
    const double c = 20.0 / 70, p = c - 20.0 / 15 * (1 - c); // speeds per unit speed of the sun
    const double alpha = 0.2 / (0.01 + (0.05 + 0.5 * 0.35 * 0.35) * c * c + 0.003 * p * p);
    assert_relative(rig_value(&r, "sun.alphaz"), alpha, 1e-12);
    rig_step_to(&r, 4);
    assert_relative(rig_value(&r, "sun.wz"), 4 * alpha, 1e-9);
    assert_relative(rig_value(&r, "carrier.wz"), 4 * alpha * c, 1e-9);
    assert_relative(rig_value(&r, "planet.wz"), 4 * alpha * p, 1e-9);
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_true(summary.max_balance_error <= 1e-9 * summary.energy_exchanged);
    rig_close(&r);
}

/* Two wheels on fixed centres: α1 = T/(J1 + J2 i²), i = r1/r2; the tooth force J2 i α1/r2 pushes the second
 * wheel up at the pitch point and the first one down, and their bearings hold it and the weight. */
static void test_tooth_force(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, -10]\n"
                     "bodies:\n"
                     "  one: {mass: 2, inertia: 0.02}\n"
                     "  two: {mass: 3, inertia: 0.09, position: [0.5, 0]}\n"
                     "joints:\n"
                     "  b1: {type: revolute, between: [ground, one]}\n"
                     "  b2: {type: revolute, between: [ground.far, two]}\n"
                     "  mesh: {type: gear, between: [one, two], ratio: 2/3}\n"
                     "forces:\n"
                     "  motor: {type: torque, body: one, torque: 6}\n"
                     "ground: {points: {far: [0.5, 0]}}\n"
                     "run: {until: 1}\n");
    const double r1 = 0.2, r2 = 0.3, i = r1 / r2, alpha = 6 / (0.02 + 0.09 * i * i),
                 F = 0.09 * i * alpha / r2;
    assert_relative(rig_value(&r, "one.alphaz"), alpha, 1e-13);
    assert_relative(rig_value(&r, "two.alphaz"), -i * alpha, 1e-13);
    assert_near(rig_value(&r, "mesh.fx"), 0, 1e-12 * F);
    assert_relative(rig_value(&r, "mesh.fy"), F, 1e-12);
    assert_relative(rig_value(&r, "mesh.mz"), -r2 * F, 1e-12);
    assert_relative(rig_value(&r, "b1.fy"), F + 2 * 10, 1e-12);
    assert_relative(rig_value(&r, "b2.fy"), -F + 3 * 10, 1e-12);
    rig_close(&r);
}

/* Internal pair: both wheels turn alike, i = r1/r2 with the ring the second wheel. */
static void test_internal_pair(void **state) {
    (void)state;
    rig r = rig_open("bodies:\n"
                     "  pinion: {mass: 2, inertia: 0.02, position: [0.3, 0]}\n"
                     "  ring: {mass: 3, inertia: 0.5}\n"
                     "joints:\n"
                     "  b1: {type: revolute, between: [ground.p, pinion]}\n"
                     "  b2: {type: revolute, between: [ground, ring]}\n"
                     "  mesh: {type: gear, between: [pinion, ring], ratio: -1/4}\n"
                     "forces:\n"
                     "  motor: {type: torque, body: pinion, torque: 2}\n"
                     "ground: {points: {p: [0.3, 0]}}\n"
                     "run: {until: 1}\n");
    // centre distance 0.3 = r2 − r1 and r1/r2 = 1/4: r1 = 0.1, r2 = 0.4
    const double alpha = 2 / (0.02 + 0.5 / 16), F = 0.5 * alpha / 4 / 0.4;
    assert_relative(rig_value(&r, "pinion.alphaz"), alpha, 1e-13);
    assert_relative(rig_value(&r, "ring.alphaz"), alpha / 4, 1e-13);
    // the pitch point lies at x = 0.4, beyond both centres: the pinion pushes the ring up there
    assert_relative(rig_value(&r, "mesh.fy"), F, 1e-12);
    assert_relative(rig_value(&r, "mesh.mz"), 0.4 * F, 1e-12);
    assert_relative(rig_value(&r, "b1.fy"), F, 1e-12);
    rig_close(&r);
}

static void test_rack_rolling(void **state) {
    (void)state;
    // On a floor under oblique gravity: a = g_x/(1 + J/(m r²)), ω = −v/r.
    rig r = rig_open("gravity: [3, -9]\n"
                     "bodies:\n"
                     "  wheel: {mass: 2, inertia: 0.05, position: [0, 0.2]}\n"
                     "joints:\n"
                     "  height: {type: point-on-line, between: [ground.axle, wheel], axis: [1, 0]}\n"
                     "  floor: {type: rack-and-pinion, between: [ground, wheel], axis: [1, 0], radius: 0.2}\n"
                     "ground: {points: {axle: [0, 0.2]}}\n"
                     "run: {until: 2, rtol: 1e-11, stabilisation: projection}\n");
    const double a = 3 / (1 + 0.05 / (2 * 0.2 * 0.2));
    rig_step_to(&r, 2);
    assert_relative(rig_value(&r, "wheel.vx"), 2 * a, 1e-10);
    assert_relative(rig_value(&r, "wheel.wz"), -2 * a / 0.2, 1e-10);
    assert_relative(rig_value(&r, "wheel.x"), 2 * a, 1e-10);
    assert_relative(rig_value(&r, "height.fy"), 2 * 9, 1e-12);
    assert_relative(rig_value(&r, "floor.fx"), 2 * (a - 3), 1e-12); // friction of rolling, backwards
    assert_relative(rig_value(&r, "floor.mz"), 0.05 * -a / 0.2, 1e-12);
    rig_close(&r);

    // A pinion on a fixed axle above moves a rack on a guide: ẍ = T r/(J + m r²), along +x for a positive
    // torque.
    r = rig_open("bodies:\n"
                 "  pinion: {mass: 1, inertia: 0.02, position: [0, 0.1]}\n"
                 "  rack: {mass: 4, inertia: 0.1}\n"
                 "joints:\n"
                 "  axle: {type: revolute, between: [ground.axle, pinion]}\n"
                 "  guide: {type: translational, between: [ground, rack], axis: [1, 0]}\n"
                 "  mesh: {type: rack-and-pinion, between: [rack, pinion], axis: [1, 0], radius: 0.1}\n"
                 "forces:\n"
                 "  motor: {type: torque, body: pinion, torque: 3}\n"
                 "ground: {points: {axle: [0, 0.1]}}\n"
                 "run: {until: 2, rtol: 1e-11}\n");
    const double ax = 3 * 0.1 / (0.02 + 4 * 0.1 * 0.1);
    assert_relative(rig_value(&r, "rack.ax"), ax, 1e-12);
    assert_relative(rig_value(&r, "mesh.fx"), -4 * ax, 1e-12);
    assert_relative(rig_value(&r, "axle.fx"), 4 * ax, 1e-12);
    // the rack is pushed at its teeth, on its own axis: the guide takes no moment
    assert_near(rig_value(&r, "guide.mz"), 0, 1e-12);
    rig_step_to(&r, 2);
    assert_relative(rig_value(&r, "rack.x"), 2 * ax, 1e-10);
    rig_close(&r);
}

/* x = r cos ωt, and the drive pays for the yoke's kinetic energy: T = m ẋ ẍ/ω. */
static void test_scotch_yoke(void **state) {
    (void)state;
    rig r = rig_open("bodies:\n"
                     "  crank: {mass: 1, inertia: 0.01, points: {pin: [0.2, 0]}}\n"
                     "  yoke: {mass: 3, inertia: 0.1, position: [0.2, 0]}\n"
                     "joints:\n"
                     "  main: {type: revolute, between: [ground, crank]}\n"
                     "  guide: {type: translational, between: [ground, yoke], axis: [1, 0]}\n"
                     "  slot: {type: point-on-line, between: [yoke, crank.pin], axis: [0, 1]}\n"
                     "drives: {motor: {joint: main, speed: 4}}\n"
                     "run: {until: 1 rev of motor, rtol: 1e-10}\n");
    static const char *const channels[] = {"yoke.x",  "yoke.vx", "yoke.ax", "motor.torque",
                                           "slot.fx", "slot.fy", "slot.s",  NULL};
    rig_rows rows = rig_sample(&r, 36, channels, false);
    for (size_t k = 0; k < rows.count; k++) {
        const double p = 4 * rig_at(&rows, k, 0), x = 0.2 * cos(p), v = -0.8 * sin(p), a = -3.2 * cos(p);
        const double expected[] = {x, v, a, 3 * v * a / 4, -3 * a, 0, 0.2 * sin(p)};
        for (size_t i = 0; i < 7; i++)
            assert_near(rig_at(&rows, k, i + 1), expected[i], 1e-9 * 10);
    }
    rig_rows_close(&rows);
    rig_close(&r);
}

/* A lever with a slot swung by a crank pin (the driving half of a Geneva wheel, a shaper's quick return):
 * crank r, lever pivot d below the crank's; with D = r² + d² + 2 r d sin φ the lever turns at ψ̇ = ω r (r + d
 * sin φ)/D,  ψ̈ = ω² r d cos φ (d² − r²)/D². */
static void test_slotted_lever(void **state) {
    (void)state;
    rig r = rig_open("bodies:\n"
                     "  crank: {mass: 1, inertia: 0.01, points: {pin: [0.2, 0]}}\n"
                     "  lever: {mass: 2, inertia: 0.3, position: [0, -0.5], angle: 68 deg}\n"
                     "joints:\n"
                     "  main: {type: revolute, between: [ground, crank]}\n"
                     "  pivot: {type: revolute, between: [ground.low, lever]}\n"
                     "  slot: {type: point-on-line, between: [lever, crank.pin], axis: [1, 0]}\n"
                     "drives: {motor: {joint: main, speed: 4}}\n"
                     "ground: {points: {low: [0, -0.5]}}\n"
                     "run: {until: 1 rev of motor, rtol: 1e-10}\n");
    static const char *const channels[] = {"lever.angle",  "lever.wz", "lever.alphaz",
                                           "motor.torque", "slot.s",   NULL};
    for (int kinematics = 0; kinematics < 2; kinematics++) {
        rig_rows rows = rig_sample(&r, 36, channels, kinematics == 1);
        for (size_t k = 0; k < rows.count; k++) {
            const double p = 4 * rig_at(&rows, k, 0), c = 0.2 * cos(p), s = 0.2 * sin(p);
            const double D = 0.04 + 0.25 + 2 * 0.5 * s;
            const double w = 4 * 0.2 * (0.2 + 0.5 * sin(p)) / D;
            const double a = 16 * 0.2 * 0.5 * cos(p) * (0.25 - 0.04) / (D * D);
            const double expected[] = {atan2(0.5 + s, c), w, a, 0.3 * w * a / 4, sqrt(D)};
            static const double size[] = {2, 8, 40, 15, 0.7}; // of the largest value of each
            for (size_t i = 0; i < 5; i++)
                assert_near(rig_at(&rows, k, i + 1), expected[i], (kinematics ? 1e-13 : 1e-9) * size[i]);
        }
        rig_rows_close(&rows);
    }
    rig_close(&r);
}

/* A body hung by its centre of mass on a massless rod: the centre is a point pendulum, the body spins on
 * freely, and the rod carries m (g cos θ + L θ̇²). */
static void test_massless_rod(void **state) {
    (void)state;
    rig r = rig_open(
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  bob: {mass: 2, inertia: 0.1, position: [0.8*sin(1), -0.8*cos(1)], angular_velocity: 5}\n"
        "  twin: {mass: 2, inertia: 0.1, position: [0.8*sin(1), -0.8*cos(1)], angle: 1 rad}\n"
        "  arm: {mass: 1e-6, inertia: 1e-7, position: [0, 0], angle: 1 rad, points: {end: [0, -0.8]}}\n"
        "joints:\n"
        "  rod: {type: distance, between: [ground, bob]}\n"
        "  top: {type: revolute, between: [ground, arm]}\n"
        "  end: {type: revolute, between: [arm.end, twin]}\n"
        "run: {until: 3, rtol: 1e-11, stabilisation: projection}\n");
    for (int k = 1; k <= 6; k++) {
        rig_step_to(&r, 0.5 * k);
        const double x = rig_value(&r, "bob.x"), y = rig_value(&r, "bob.y");
        const double v2 = pow(rig_value(&r, "bob.vx"), 2) + pow(rig_value(&r, "bob.vy"), 2);
        assert_near(x, rig_value(&r, "twin.x"), 1e-6); // the arm's moment of inertia is 8e-8 of the bob's
        assert_near(y, rig_value(&r, "twin.y"), 1e-6);
        assert_relative(hypot(x, y), 0.8, 1e-13);
        assert_relative(v2, 2 * 9.81 * (-y - 0.8 * cos(1)), 1e-8);
        assert_near(rig_value(&r, "bob.wz"), 5, 0);
        const double tension = 2 * (9.81 * -y / 0.8 + v2 / 0.8);
        assert_relative(rig_value(&r, "rod.fx"), -tension * x / 0.8, 1e-9);
        assert_relative(rig_value(&r, "rod.fy"), -tension * y / 0.8, 1e-9);
        assert_near(rig_value(&r, "end.fy"), rig_value(&r, "rod.fy"), 1e-5);
    }
    rig_close(&r);
}

/* Two welded bodies swing as the one that they make together. */
static void test_weld(void **state) {
    (void)state;
    rig two = rig_open(
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 2, inertia: 0.1, position: [0.5, 0], points: {pivot: [-0.5, 0], seam: [0.3, 0.2]}}\n"
        "  b: {mass: 1, inertia: 0.05, position: [1.1, 0.5], angle: 30 deg, points: {seam: "
        "[-0.3*cos(pi/6) - 0.3*sin(pi/6), 0.3*sin(pi/6) - 0.3*cos(pi/6)]}}\n"
        "joints:\n"
        "  pivot: {type: revolute, between: [ground, a.pivot]}\n"
        "  seam: {type: fixed, between: [a.seam, b.seam]}\n"
        "run: {until: 2, rtol: 1e-11}\n");
    // common centre at the mass-weighted mean of (0.5, 0) and (1.1, 0.5); inertia by Steiner
    const double cx = (2 * 0.5 + 1.1) / 3, cy = 0.5 / 3;
    const double J = 0.1 + 0.05 + 2 * (pow(cx - 0.5, 2) + cy * cy) + pow(1.1 - cx, 2) + pow(0.5 - cy, 2);
    rig one =
        rig_open("gravity: [0, -9.81]\n"
                 "bodies:\n"
                 "  a: {mass: 3, inertia: %.17g, position: [%.17g, %.17g], points: {pivot: [%.17g, %.17g]}}\n"
                 "joints:\n"
                 "  pivot: {type: revolute, between: [ground, a.pivot]}\n"
                 "run: {until: 2, rtol: 1e-11}\n",
                 J, cx, cy, -cx, -cy);
    assert_int_equal(lash_system_freedoms(two.system), 1);
    for (int k = 0; k <= 4; k++) {
        rig_step_to(&two, 0.5 * k);
        rig_step_to(&one, 0.5 * k);
        assert_near(rig_value(&two, "a.angle"), rig_value(&one, "a.angle"), 1e-9);
        assert_near(rig_value(&two, "b.angle") - rig_value(&two, "a.angle"), RIG_PI / 6, 1e-10);
        assert_near(rig_value(&two, "a.alphaz"), rig_value(&one, "a.alphaz"), 1e-7);
        assert_near(rig_value(&two, "pivot.fx"), rig_value(&one, "pivot.fx"), 1e-6);
        assert_near(rig_value(&two, "pivot.fy"), rig_value(&one, "pivot.fy"), 1e-6);
        // the weld moves b: force m(a − g), and moment about the seam from b's spin and that force
        const double fx = rig_value(&two, "b.ax"), fy = rig_value(&two, "b.ay") + 9.81;
        const double b =
            rig_value(&two, "b.angle") - RIG_PI / 6; // seam from b's centre: (−0.3, −0.3) at the start
        const double sx = -0.3 * cos(b) + 0.3 * sin(b), sy = -0.3 * sin(b) - 0.3 * cos(b);
        assert_near(rig_value(&two, "seam.fx"), fx, 1e-10);
        assert_near(rig_value(&two, "seam.fy"), fy, 1e-10);
        assert_near(rig_value(&two, "seam.mz"), 0.05 * rig_value(&two, "b.alphaz") - (sx * fy - sy * fx),
                    1e-10);
    }
    rig_close(&one);
    rig_close(&two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planetary_train),
        cmocka_unit_test(test_planetary_reduction),
        cmocka_unit_test(test_tooth_force),
        cmocka_unit_test(test_internal_pair),
        cmocka_unit_test(test_rack_rolling),
        cmocka_unit_test(test_scotch_yoke),
        cmocka_unit_test(test_slotted_lever),
        cmocka_unit_test(test_massless_rod),
        cmocka_unit_test(test_weld),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
