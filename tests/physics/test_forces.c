/* SPDX-License-Identifier: MIT
 *
 * Every force element against a closed form, and its entry in the energy ledger against the same closed form.
 *
 * Oscillator of mass m, stiffness k, damping c from x0 at rest, about its rest position, with ω² = k/m,
 * ζ = c/(2mω), ω_d = ω sqrt(1 − ζ²):
 *   x = x0 e^(−ζωt) (cos ω_d t + ζω/ω_d sin ω_d t),   ẋ = −x0 ω²/ω_d e^(−ζωt) sin ω_d t.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

static const double TIGHT = 1e-9; /* relative, at rtol 1e-11 */

/* The ledger closes, to the tolerance, over what was exchanged. */
static void check_balance(const rig *r) {
    const lash_summary summary = lash_sim_summary(r->sim);
    assert_true(summary.energy_exchanged > 0);
    assert_true(summary.max_balance_error <= TIGHT * summary.energy_exchanged);
    assert_near(rig_value(r, "energy.balance"), 0, summary.max_balance_error);
}

typedef struct oscillator {
    double x, v;
} oscillator;

static oscillator damped(double x0, double m, double k, double c, double t) {
    const double w = sqrt(k / m), zeta = c / (2 * m * w), wd = w * sqrt(1 - zeta * zeta),
                 e = exp(-zeta * w * t);
    return (oscillator){x0 * e * (cos(wd * t) + zeta * w / wd * sin(wd * t)),
                        -x0 * w * w / wd * e * sin(wd * t)};
}

/* A block on a guide along x, 0.2 m from the rest position of an element with k = 50 N/m, m = 2 kg. */
#define BLOCK                                                                                                \
    "bodies: {block: {mass: 2, inertia: 1, position: [1, 0.3]}}\n"                                           \
    "ground: {points: {wall: [0, 0.3]}}\n"                                                                   \
    "joints: {guide: {type: translational, between: [ground.wall, block], axis: [1, 0]}}\n"                  \
    "run: {until: 5, rtol: 1e-11}\n"

static void check_block(const char *force, double damping) {
    rig r = rig_open("%sforces: {%s}\n", BLOCK, force);
    const double energy0 = 0.5 * 50 * 0.2 * 0.2;
    for (int k = 1; k <= 10; k++) {
        const double t = 0.5 * k;
        const oscillator exact = damped(0.2, 2, 50, damping, t);
        rig_step_to(&r, t);
        assert_near(rig_value(&r, "block.x"), 0.8 + exact.x, TIGHT);
        assert_near(rig_value(&r, "block.vx"), exact.v, TIGHT);
        const double elastic = 25 * exact.x * exact.x, kinetic = exact.v * exact.v;
        assert_near(rig_value(&r, "energy.elastic"), elastic, TIGHT);
        assert_near(rig_value(&r, "energy.kinetic"), kinetic, TIGHT);
        assert_near(rig_value(&r, "energy.dissipated"), energy0 - elastic - kinetic, TIGHT);
        assert_near(rig_value(&r, "energy.input"), 0, 0);
    }
    check_balance(&r);
    rig_close(&r);
}

static void test_spring(void **state) {
    (void)state;
    check_block("s: {type: spring, between: [ground.wall, block], stiffness: 50, free_length: 0.8}", 0);
    check_block("s: {type: spring, between: [block, ground.wall], stiffness: 50, free_length: 0.8}", 0);
    check_block(
        "s: {type: spring, between: [ground.wall, block], stiffness: 50, damping: 4, free_length: 0.8}", 4);
}

/* A table on a straight line is the linear spring; half from the table and half from the stiffness too. */
static void test_table_spring(void **state) {
    (void)state;
    check_block(
        "s: {type: spring, between: [ground.wall, block], free_length: 0.8, table: {points: [[-0.5, -25], "
        "[-0.1, -5], [0.3, 15], [0.5, 25]]}}",
        0);
    check_block(
        "s: {type: spring, between: [ground.wall, block], free_length: 0.8, table: {points: [[-0.5, -25], "
        "[0.5, 25]], interpolation: linear}}",
        0);
    check_block("s: {type: spring, between: [ground.wall, block], free_length: 0.8, stiffness: 20, damping: "
                "4, table: "
                "{points: [[-0.5, -15], [0, 0], [0.5, 15]]}}",
                4);
}

/* A hardening spring: the turning points follow from the energy, which is the integral of the spline. */
static void test_hardening_spring(void **state) {
    (void)state;
    rig r =
        rig_open(BLOCK "forces:\n  s: {type: spring, between: [ground.wall, block], free_length: 0.8, table: "
                       "{points: [[-0.4, -20], [-0.2, -6], [0, 0], [0.2, 6], [0.4, 20]]}}\n");
    const double stored = rig_value(&r, "energy.elastic");
    assert_true(stored > 0.3); // less than the 0.6 J of a straight line, more than half of it
    assert_true(stored < 0.6);
    double least = 1;
    for (int k = 1; k <= 500; k++) {
        rig_step_to(&r, 0.01 * k);
        least = fmin(least, rig_value(&r, "block.x"));
    }
    assert_near(least, 0.6, 2e-4); // symmetric: it swings as far to the other side; samples 0.01 s apart
    check_balance(&r);
    rig_close(&r);
}

static void test_joint_spring_sliding(void **state) {
    (void)state;
    check_block("s: {type: joint-spring, joint: guide, stiffness: 50, free: 0.8}", 0);
    check_block("s: {type: joint-spring, joint: guide, stiffness: 50, damping: 4, free: 0.8}", 4);
    check_block("s: {type: joint-spring, joint: guide, free: 0.8, table: {points: [[-0.5, -25], [0.5, 25]]}}",
                0);
    check_block(
        "s: {type: joint-spring, joint: guide, stiffness: 50, free: 0.8}, v: {type: viscous, joint: guide, "
        "coefficient: 4}",
        4);
}

static void test_joint_spring_rotational(void **state) {
    (void)state;
    rig r =
        rig_open("bodies: {disc: {mass: 2, inertia: 0.4, angle: 1.2 rad}}\n"
                 "joints: {axle: {type: revolute, between: [ground, disc]}}\n"
                 "forces: {s: {type: joint-spring, joint: axle, stiffness: 10, damping: 0.5, free: 0.2}}\n"
                 "run: {until: 4, rtol: 1e-11}\n");
    for (int k = 1; k <= 8; k++) {
        const double t = 0.5 * k;
        const oscillator exact = damped(1, 0.4, 10, 0.5, t);
        rig_step_to(&r, t);
        assert_near(rig_value(&r, "disc.angle"), 0.2 + exact.x, TIGHT);
        assert_near(rig_value(&r, "disc.wz"), exact.v, 5 * TIGHT);
        assert_near(rig_value(&r, "energy.dissipated"), 5 - 5 * exact.x * exact.x - 0.2 * exact.v * exact.v,
                    5 * TIGHT);
    }
    check_balance(&r);
    rig_close(&r);
}

/* Pushed by P sin 2t: x = x0 cos ωt + q(sin 2t − (2/ω) sin ωt), q = P/(m(ω² − 4)). */
static void check_actuator(const char *force, double sign) {
    rig r = rig_open("%sforces: {%s}\n", BLOCK, force);
    const double w = 5, q = sign * 3 / (2 * (25.0 - 4));
    for (int k = 1; k <= 10; k++) {
        const double t = 0.5 * k;
        const double x = 0.2 * cos(w * t) + q * (sin(2 * t) - 2 / w * sin(w * t));
        const double v = -0.2 * w * sin(w * t) + 2 * q * (cos(2 * t) - cos(w * t));
        rig_step_to(&r, t);
        assert_near(rig_value(&r, "block.x"), 0.8 + x, TIGHT);
        assert_near(rig_value(&r, "block.vx"), v, 2 * TIGHT);
        assert_near(rig_value(&r, "energy.input"), v * v + 25 * x * x - 1, 2 * TIGHT);
    }
    check_balance(&r);
    rig_close(&r);
}

static void test_actuators(void **state) {
    (void)state;
    check_actuator(
        "s: {type: spring, between: [ground.wall, block], stiffness: 50, free_length: 0.8, actuator: "
        "\"3*sin(2*t)\"}",
        1);
    check_actuator(
        "s: {type: joint-spring, joint: guide, stiffness: 50, free: 0.8, actuator: \"3*sin(2*t)\"}", 1);
    check_actuator(
        "s: {type: spring, between: [ground.wall, block], stiffness: 50, free_length: 0.8}, f: {type: "
        "force, at: block, force: [\"-3*sin(2*t)\", 0]}",
        -1);
}

/* Two free bodies on a spring: ω² = k (1/m1 + 1/m2), the common centre rests. */
static void test_spring_between_bodies(void **state) {
    (void)state;
    rig r = rig_open("bodies:\n"
                     "  a: {mass: 2, inertia: 1, position: [0, 0]}\n"
                     "  b: {mass: 3, inertia: 1, position: [0.6, 0.8]}\n"
                     "forces: {s: {type: spring, between: [a, b], stiffness: 30, free_length: 0.9}}\n"
                     "run: {until: 3, rtol: 1e-11}\n");
    assert_int_equal(lash_system_freedoms(r.system), 6);
    rig_step_to(&r, 3);
    const double l = 0.9 + 0.1 * cos(sqrt(30 * (1.0 / 2 + 1.0 / 3)) * 3);
    const double dx = rig_value(&r, "b.x") - rig_value(&r, "a.x"),
                 dy = rig_value(&r, "b.y") - rig_value(&r, "a.y");
    assert_near(dx, 0.6 * l, TIGHT);
    assert_near(dy, 0.8 * l, TIGHT);
    assert_near(2 * rig_value(&r, "a.x") + 3 * rig_value(&r, "b.x"), 3 * 0.6, TIGHT);
    assert_near(2 * rig_value(&r, "a.vy") + 3 * rig_value(&r, "b.vy"), 0, TIGHT);
    check_balance(&r);
    rig_close(&r);
}

static void test_viscous_decay(void **state) {
    (void)state;
    rig r = rig_open("bodies:\n"
                     "  disc: {mass: 2, inertia: 0.4, angular_velocity: 7}\n"
                     "  block: {mass: 2, inertia: 1, velocity: [3, 0]}\n"
                     "joints:\n"
                     "  axle: {type: revolute, between: [ground, disc]}\n"
                     "  guide: {type: translational, between: [ground, block], axis: [-1, 0]}\n"
                     "forces:\n"
                     "  v1: {type: viscous, joint: axle, coefficient: 0.3}\n"
                     "  v2: {type: viscous, joint: guide, coefficient: 0.8}\n"
                     "run: {until: 3, rtol: 1e-11}\n");
    rig_step_to(&r, 3);
    const double w = 7 * exp(-0.3 / 0.4 * 3), v = 3 * exp(-0.8 / 2 * 3);
    assert_near(rig_value(&r, "disc.wz"), w, TIGHT);
    assert_near(rig_value(&r, "disc.angle"), (7 - w) * 0.4 / 0.3, 5 * TIGHT);
    assert_near(rig_value(&r, "block.vx"), v, TIGHT);
    assert_near(rig_value(&r, "guide.sdot"), -v, TIGHT);
    assert_near(rig_value(&r, "energy.dissipated"), 0.2 * (49 - w * w) + 9 - v * v, 10 * TIGHT);
    check_balance(&r);
    rig_close(&r);
}

/* Constant in body axes at the centre of mass of a spinning body: the path is a row of cycloids. At a point
 * off the centre it also turns the body evenly. */
static void test_follower_force(void **state) {
    (void)state;
    rig r = rig_open("bodies:\n"
                     "  a: {mass: 2, inertia: 0.5, angular_velocity: 3}\n"
                     "  b: {mass: 2, inertia: 0.5, position: [0, 5], points: {p: [0, 0.2]}}\n"
                     "forces:\n"
                     "  f: {type: force, at: a, force: [4, 0], frame: body}\n"
                     "  g: {type: force, at: b.p, force: [-4, 0], frame: body}\n"
                     "run: {until: 2, rtol: 1e-11}\n");
    rig_step_to(&r, 2);
    assert_near(rig_value(&r, "a.vx"), 2.0 / 3 * sin(6), TIGHT);
    assert_near(rig_value(&r, "a.vy"), 2.0 / 3 * (1 - cos(6)), TIGHT);
    assert_near(rig_value(&r, "a.x"), 2.0 / 9 * (1 - cos(6)), TIGHT);
    assert_near(rig_value(&r, "a.wz"), 3, 0);
    assert_near(rig_value(&r, "b.wz"), 2 * 0.2 * 4 / 0.5, 5 * TIGHT);
    assert_near(rig_value(&r, "b.angle"), 0.5 * 4 * 0.2 * 4 / 0.5, 5 * TIGHT);
    check_balance(&r);
    rig_close(&r);

    // In ground axes at a point: the moment follows the turning arm, as of a pendulum without support.
    r = rig_open("bodies: {a: {mass: 2, inertia: 0.5, angle: 0.5 rad, points: {p: [0.3, 0.1]}}}\n"
                 "forces: {f: {type: force, at: a.p, force: [4, \"6*t\"]}}\n"
                 "run: {until: 2, rtol: 1e-11}\n");
    const double sx = 0.3 * cos(0.5) - 0.1 * sin(0.5), sy = 0.3 * sin(0.5) + 0.1 * cos(0.5);
    assert_near(rig_value(&r, "a.alphaz"), (sx * 0 - sy * 4) / 0.5, 1e-13);
    rig_step_to(&r, 2);
    assert_near(rig_value(&r, "a.vx"), 4, TIGHT);
    assert_near(rig_value(&r, "a.vy"), 6 * 4 / 2 / 2, TIGHT);
    check_balance(&r);
    rig_close(&r);
}

/* A torque between two bodies turns them apart and brings in T (ω_b − ω_a). */
static void test_torque(void **state) {
    (void)state;
    rig r = rig_open("bodies:\n"
                     "  a: {mass: 1, inertia: 0.5}\n"
                     "  b: {mass: 1, inertia: 0.2, position: [1, 0]}\n"
                     "forces: {t: {type: torque, body: b, reaction: a, torque: \"3*t^2\"}}\n"
                     "run: {until: 2, rtol: 1e-11}\n");
    rig_step_to(&r, 2);
    assert_near(rig_value(&r, "b.wz"), 8 / 0.2, 40 * TIGHT);
    assert_near(rig_value(&r, "a.wz"), -8 / 0.5, 40 * TIGHT);
    assert_near(rig_value(&r, "energy.input"), 32 / 0.2 + 32 / 0.5, 500 * TIGHT);
    check_balance(&r);
    rig_close(&r);
}

/* A gas force over the crank angle, repeated every two turns, forwards and backwards. */
static void check_load(double speed) {
    rig r = rig_open(
        "bodies:\n"
        "  crank: {mass: 1, inertia: 1}\n"
        "  piston: {mass: 2, inertia: 1, position: [1, 0]}\n"
        "  plunger: {mass: 4, inertia: 1, position: [2, 0]}\n"
        "joints:\n"
        "  main: {type: revolute, between: [ground, crank]}\n"
        "  bore: {type: translational, between: [ground, piston], axis: [1, 0]}\n"
        "  bore2: {type: translational, between: [ground, plunger], axis: [-1, 0]}\n"
        "drives: {motor: {joint: main, speed: %g}}\n"
        "forces:\n"
        "  gas: {type: load, over: main, at: piston, direction: [-2, 0], period: 4*pi, table: {points: [[0, "
        "0], [pi, 10], [2*pi, 4], [3*pi, 4], [4*pi, 0]], interpolation: linear}}\n"
        "  gas2: {type: load, over: main, joint: bore2, period: 4*pi, table: {points: [[0, 0], [pi, 10], "
        "[2*pi, 4], [3*pi, 4], [4*pi, 0]], interpolation: linear}}\n"
        "run: {until: 30, rtol: 1e-11}\n",
        speed);
    static const double value[] = {0, 10, 4, 4, 0};
    for (int k = 1; k <= 40; k++) {
        const double t = 0.37 * k, phi = speed * t;
        rig_step_to(&r, t);
        const double u = (phi - 4 * RIG_PI * floor(phi / (4 * RIG_PI))) / RIG_PI;
        const int cell = (int)fmin(u, 3);
        const double F = value[cell] + (u - cell) * (value[cell + 1] - value[cell]);
        assert_near(rig_value(&r, "piston.ax"), -F / 2, 1e-7);
        assert_near(rig_value(&r, "plunger.ax"), -F / 4, 1e-7);
    }
    // its work is the piston's and plunger's kinetic energy, the drive's is nothing
    assert_near(rig_value(&r, "energy.input"), rig_value(&r, "energy.kinetic") - 0.5 * speed * speed,
                1e-7 * rig_value(&r, "energy.kinetic"));
    assert_near(rig_value(&r, "motor.torque"), 0, 1e-12);
    check_balance(&r);
    rig_close(&r);
}

static void test_load(void **state) {
    (void)state;
    check_load(2);
    check_load(-2);
}

static void test_gravity(void **state) {
    (void)state;
    rig r = rig_open(
        "gravity: [1, -9]\n"
        "bodies: {a: {mass: 2, inertia: 1, position: [0, 3], velocity: [1, 4], angular_velocity: 2}}\n"
        "run: {until: 2, rtol: 1e-11}\n");
    rig_step_to(&r, 2);
    assert_near(rig_value(&r, "a.x"), 2 + 2, TIGHT);
    assert_near(rig_value(&r, "a.y"), 3 + 8 - 18, TIGHT);
    assert_near(rig_value(&r, "a.angle"), 4, TIGHT);
    assert_near(rig_value(&r, "energy.potential"), -2 * (4 * 1 + 7 * 9), 100 * TIGHT);
    check_balance(&r);
    rig_close(&r);
}

/* A table that is left by a hair: the message shows digits that differ. */
static void test_table_left_by_a_hair(void **state) {
    (void)state;
    rig r = rig_open("bodies: {m: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
                     "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                     "forces: {push: {type: load, over: guide, joint: guide, table: [[0, 0], [0.337, 0]]}}\n"
                     "run: {until: 0.33700001}\n");
    lash_error error = {0};
    assert_int_equal(lash_sim_run(r.sim, NULL, NULL, &error), LASH_ERROR_LIMIT);
    double x, first, last;
    const char *text = strstr(error.message, "x = ");
    assert_non_null(text);
    assert_int_equal(
        sscanf(text, "x = %lf m (%*f mm), outside its points, which go from %lf to %lf m (0 to 337 mm)", &x,
               &first, &last),
        3);
    assert_true(x > last);
    rig_close(&r);
}

/* The end of a table over an angle is told in rad and in degrees. */
static void test_table_end_in_degrees(void **state) {
    (void)state;
    rig r =
        rig_open("bodies: {wheel: {mass: 1, inertia: 1, angular_velocity: 1}}\n"
                 "joints: {pin: {type: revolute, between: [ground, wheel]}}\n"
                 "forces: {push: {type: load, over: pin, joint: pin, table: [[-10 deg, 0], [90 deg, 0]]}}\n"
                 "run: {until: 2}\n");
    lash_error error = {0};
    assert_int_equal(lash_sim_run(r.sim, NULL, NULL, &error), LASH_ERROR_LIMIT);
    const char *ends = strstr(error.message, "which go from ");
    double low, high;
    assert_non_null(ends);
    assert_int_equal(sscanf(ends, "which go from -0.17453%*f to 1.57%*f rad (%lf to %lf deg)", &low, &high),
                     2);
    assert_true(fabs(low + 10) < 1e-3 && fabs(high - 90) < 1e-3);
    rig_close(&r);
}

/* A push of a tenth of a millisecond within ten seconds, beside a factor that depends on the motion: F √π w/m. */
static void test_push_beside_the_state(void **state) {
    (void)state;
    rig r = rig_open(
        "bodies: {m: {mass: 2, inertia: 1}}\n"
        "forces: {f: {type: force, at: m, force: [\"100 N*exp(-((t - 5)/1e-4)^2)*cos(m.y/(1 m))\", 0]}}\n"
        "run: {until: 10}\n");
    rig_step_to(&r, 10);
    rig_near(rig_value(&r, "m.vx"), 100 * sqrt(RIG_PI) * 1e-4 / 2, 1e-7, "speed");
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_push_beside_the_state),
        cmocka_unit_test(test_spring),
        cmocka_unit_test(test_table_spring),
        cmocka_unit_test(test_hardening_spring),
        cmocka_unit_test(test_joint_spring_sliding),
        cmocka_unit_test(test_joint_spring_rotational),
        cmocka_unit_test(test_actuators),
        cmocka_unit_test(test_spring_between_bodies),
        cmocka_unit_test(test_viscous_decay),
        cmocka_unit_test(test_follower_force),
        cmocka_unit_test(test_torque),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_table_left_by_a_hair),
        cmocka_unit_test(test_table_end_in_degrees),
        cmocka_unit_test(test_gravity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
