/* SPDX-License-Identifier: MIT
 *
 * Channels of force elements: their powers against what the bodies gain, m v·a + J ω·α, and forces, lengths,
 * rates and stored energies against closed forms; and what a wrong name of a channel is taken for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

/* W, that a body gains: mass and moment of inertia, the plane. */
static double gain(const rig *r, const char *body, double m, double J) {
    static const char *const names[] = {"vx", "vy", "wz", "ax", "ay", "alphaz"};
    double v[6];
    char name[64];
    for (int k = 0; k < 6; k++) {
        snprintf(name, sizeof name, "%s.%s", body, names[k]);
        v[k] = rig_value(r, name);
    }
    return m * (v[0] * v[3] + v[1] * v[4]) + J * v[2] * v[5];
}

static const char *const free_bodies =
    "bodies:\n"
    "  a: {mass: 2 kg, inertia: 0.3 kg*m^2, position: [0.1, 0.2], velocity: [1, -2], angular_velocity: 3,\n"
    "      points: {p: [0.1, 0.05]}}\n"
    "  b: {mass: 5 kg, inertia: 0.7 kg*m^2, position: [1, 0.7], velocity: [-1, 0.5], angular_velocity: -2,\n"
    "      points: {q: [-0.2, 0.1]}}\n"
    "forces:\n"
    "  s: {type: spring, between: [a.p, b.q], stiffness: 300, damping: 7, free_length: 0.4, actuator: 20*t,\n"
    "      table: {points: [[-2, -10], [0, 0], [2, 30]], interpolation: linear}}\n"
    "  f: {type: force, at: a.p, force: [\"3 + t\", -4], frame: body}\n"
    "  m: {type: torque, body: b, torque: \"2*t\", reaction: a}\n"
    "run: {until: 0.5 s}\n";

static void powers_are_what_bodies_gain(void **state) {
    (void)state;
    rig r = rig_open("%s", free_bodies);
    for (int k = 0; k <= 5; k++) {
        rig_step_to(&r, 0.1 * k);
        const double given = rig_value(&r, "s.power") + rig_value(&r, "f.power") + rig_value(&r, "m.power");
        const double gained = gain(&r, "a", 2, 0.3) + gain(&r, "b", 5, 0.7);
        rig_near(given, gained, 1e-11 * (fabs(gained) + 100), "power at %g s", 0.1 * k);
    }
    rig_close(&r);
}

static void a_spring_tells_its_law(void **state) {
    (void)state;
    rig r = rig_open("%s", free_bodies);
    rig_step_to(&r, 0.3);
    const double l = rig_value(&r, "s.length"), rate = rig_value(&r, "s.rate"), x = l - 0.4;
    const double table = x < 0 ? 5 * x : 15 * x;
    rig_near(rig_value(&r, "s.table"), table, 1e-12 * 30, "table");
    rig_near(rig_value(&r, "s.force"), 300 * x + 7 * rate + table - 20 * 0.3, 1e-10, "force");
    rig_near(rig_value(&r, "s.power"), -rig_value(&r, "s.force") * rate, 1e-10, "power");
    rig_near(rig_value(&r, "s.energy"), 150 * x * x + 0.5 * table * x, 1e-10, "energy");
    rig_near(rig_value(&r, "energy.elastic"), rig_value(&r, "s.energy"), 1e-12, "energy of the whole");
    // The length from the bodies' places.
    const double a = rig_value(&r, "a.angle"), b = rig_value(&r, "b.angle");
    const double dx = rig_value(&r, "b.x") - 0.2 * cos(b) - 0.1 * sin(b) - rig_value(&r, "a.x") -
                      0.1 * cos(a) + 0.05 * sin(a);
    const double dy = rig_value(&r, "b.y") - 0.2 * sin(b) + 0.1 * cos(b) - rig_value(&r, "a.y") -
                      0.1 * sin(a) - 0.05 * cos(a);
    rig_near(l, hypot(dx, dy), 1e-14, "length");
    // A force in body axes, recorded in ground axes.
    rig_near(rig_value(&r, "f.fx"), 3.3 * cos(a) + 4 * sin(a), 1e-13, "fx");
    rig_near(rig_value(&r, "f.fy"), 3.3 * sin(a) - 4 * cos(a), 1e-13, "fy");
    rig_near(rig_value(&r, "f.force"), hypot(3.3, 4), 1e-13, "size");
    rig_near(rig_value(&r, "m.torque"), 0.6, 1e-14, "torque");
    rig_near(rig_value(&r, "m.angle"), b - a, 1e-14, "angle");
    rig_near(rig_value(&r, "m.rate"), rig_value(&r, "b.wz") - rig_value(&r, "a.wz"), 1e-14, "rate");
    rig_close(&r);
}

static void elements_of_joints(void **state) {
    (void)state;
    rig r =
        rig_open("bodies:\n"
                 "  arm: {mass: 2 kg, inertia: 0.1 kg*m^2, position: [0.5, 0], points: {pin: [-0.5, 0]}}\n"
                 "  sled: {mass: 3 kg, inertia: 1 kg*m^2, position: [2, 1], velocity: [1.5, 0]}\n"
                 "joints:\n"
                 "  pin: {type: revolute, between: [ground, arm.pin]}\n"
                 "  rail: {type: translational, between: [ground, sled], axis: [1, 0]}\n"
                 "forces:\n"
                 "  coil: {type: joint-spring, joint: pin, stiffness: 8, damping: 0.2, free: 0.3}\n"
                 "  leaf: {type: joint-spring, joint: rail, free: 1, table: [[-9, -18], [9, 18]]}\n"
                 "  oil: {type: viscous, joint: rail, coefficient: 4}\n"
                 "  push: {type: load, over: rail, joint: pin, table: [[0, 0], [5, 10], [9, 12]]}\n"
                 "  gas: {type: load, over: pin, at: sled, direction: [2, 0], table: [[-9, -9], [9, 9]]}\n"
                 "run: {until: 0.4 s}\n");
    rig_step_to(&r, 0.4);
    const double angle = rig_value(&r, "pin.angle"), w = rig_value(&r, "pin.wz"), s = rig_value(&r, "rail.s"),
                 v = rig_value(&r, "rail.sdot");
    rig_near(rig_value(&r, "coil.torque"), -8 * (angle - 0.3) - 0.2 * w, 1e-12, "coil");
    rig_near(rig_value(&r, "coil.energy"), 4 * (angle - 0.3) * (angle - 0.3), 1e-12, "energy");
    rig_near(rig_value(&r, "coil.angle"), angle, 0, "angle");
    rig_near(rig_value(&r, "leaf.table"), 2 * (s - 1), 1e-12, "table of a spring");
    rig_near(rig_value(&r, "leaf.force"), -2 * (s - 1), 1e-12, "leaf");
    rig_near(rig_value(&r, "oil.force"), -4 * v, 1e-12, "oil");
    rig_near(rig_value(&r, "oil.length"), s, 0, "length");
    rig_near(rig_value(&r, "oil.power"), -4 * v * v, 1e-12, "lost");
    rig_near(rig_value(&r, "push.length"), s, 0, "place in the table");
    rig_near(rig_value(&r, "push.rate"), v, 0, "its rate");
    rig_near(rig_value(&r, "push.power"), rig_value(&r, "push.torque") * w, 1e-12, "load along a joint");
    rig_near(rig_value(&r, "gas.table"), angle, 1e-12, "value of the table");
    rig_near(rig_value(&r, "gas.force"), angle, 1e-12, "load");
    rig_near(rig_value(&r, "gas.power"), angle * v, 1e-12, "load at a point");
    const double given = rig_value(&r, "coil.power") + rig_value(&r, "leaf.power") +
                         rig_value(&r, "oil.power") + rig_value(&r, "push.power") +
                         rig_value(&r, "gas.power");
    rig_near(given, gain(&r, "arm", 2, 0.1) + gain(&r, "sled", 3, 1), 1e-8, "all powers");
    rig_close(&r);
}

static void elements_in_space(void **state) {
    (void)state;
    rig r = rig_open(
        "space: spatial\n"
        "bodies:\n"
        "  a: {mass: 2 kg, inertia: [0.3, 0.3, 0.3], position: [0.1, 0, 0.05], velocity: [1, -2, 0.5],\n"
        "      angular_velocity: [0.3, -0.2, 0.5], points: {p: [0.1, 0.05, 0.2]}}\n"
        "forces:\n"
        "  mount: {type: bushing, between: [ground, a.p], along: [300, 200, 100], about: [5, 6, 7],\n"
        "          damping_along: [1, 2, 3], damping_about: [0.1, 0.2, 0.3]}\n"
        "  s: {type: spring, between: [ground, a], stiffness: 50, free_length: 0.1}\n"
        "  f: {type: force, at: a.p, force: [1, \"t\", -2], frame: body}\n"
        "  m: {type: torque, body: a, torque: [0.1, 0.2, \"t\"]}\n"
        "run: {until: 0.3 s}\n");
    rig_step_to(&r, 0.2);
    static const char *const linear[][2] = {{"a.vx", "a.ax"}, {"a.vy", "a.ay"}, {"a.vz", "a.az"}};
    static const char *const turning[][2] = {
        {"a.wx", "a.alphax"}, {"a.wy", "a.alphay"}, {"a.wz", "a.alphaz"}};
    double gained = 0;
    for (int k = 0; k < 3; k++)
        gained += 2 * rig_value(&r, linear[k][0]) * rig_value(&r, linear[k][1]) +
                  0.3 * rig_value(&r, turning[k][0]) * rig_value(&r, turning[k][1]);
    const double given = rig_value(&r, "mount.power") + rig_value(&r, "s.power") + rig_value(&r, "f.power") +
                         rig_value(&r, "m.power");
    rig_near(given, gained, 1e-11 * (fabs(gained) + 100), "power");
    rig_near(rig_value(&r, "energy.elastic"), rig_value(&r, "mount.energy") + rig_value(&r, "s.energy"),
             1e-12, "energy");
    const double before = rig_value(&r, "mount.length"), rate = rig_value(&r, "mount.rate"), h = 1e-5;
    assert_true(fabs(rate) > 0.1);
    rig_near(rig_value(&r, "m.torque"), sqrt(0.01 + 0.04 + 0.04), 1e-14, "size of a torque");
    rig_near(rig_value(&r, "f.force"), sqrt(1 + 0.04 + 4), 1e-14, "size of a force");
    rig_step_to(&r, 0.2 + h);
    rig_near((rig_value(&r, "mount.length") - before) / h, 0.5 * (rate + rig_value(&r, "mount.rate")), 1e-7,
             "rate");
    rig_close(&r);
}

/* A load at a point beside the centre of a body that turns, over the travel of another one. */
static void a_load_at_a_point(void **state) {
    (void)state;
    rig r = rig_open(
        "bodies:\n"
        "  a: {mass: 2 kg, inertia: 0.3, velocity: [1, -2], angular_velocity: 4, points: {p: [0.1, 0.25]}}\n"
        "  sled: {mass: 3 kg, inertia: 1, position: [2, 0], velocity: [1.5, 0]}\n"
        "joints: {rail: {type: translational, between: [ground, sled], axis: [1, 0]}}\n"
        "forces: {gas: {type: load, over: rail, at: a.p, direction: [3, 4], table: [[-9, -27], [9, 27]]}}\n"
        "run: {until: 0.5 s, rtol: 1e-10}\n");
    rig_step_to(&r, 0.5);
    const double F = 3 * rig_value(&r, "rail.s");
    rig_near(2 * rig_value(&r, "a.ax"), 0.6 * F, 1e-12, "along x");
    rig_near(2 * rig_value(&r, "a.ay"), 0.8 * F, 1e-12, "along y");
    rig_near(rig_value(&r, "gas.power"), gain(&r, "a", 2, 0.3), 1e-9, "power");
    rig_ledger(&r, 1e-9);
    rig_close(&r);
}

/* In space: F = 3 s along (1, 2, 2)/3, its power F·v of the point,
 * and the ledger closes. */
static void a_load_at_a_point_in_space(void **state) {
    (void)state;
    rig r = rig_open("space: spatial\n"
                     "bodies:\n"
                     "  a: {mass: 2 kg, inertia: [0.3, 0.2, 0.1], velocity: [1, -2, 0.5], angular_velocity: "
                     "[0.3, -0.2, 0.5],\n"
                     "      points: {p: [0.1, 0.05, 0.2]}}\n"
                     "  sled: {mass: 3 kg, inertia: [1, 1, 1], position: [2, 0, 0], velocity: [1.5, 0, 0]}\n"
                     "joints: {rail: {type: prismatic, between: [ground, sled], axis: [1, 0, 0]}}\n"
                     "forces: {gas: {type: load, over: rail, at: a.p, direction: [1, 2, 2], table: [[-9, "
                     "-27], [9, 27]]}}\n"
                     "run: {until: 0.5 s, rtol: 1e-10}\n");
    rig_step_to(&r, 0.5);
    const double F = 3 * rig_value(&r, "rail.s");
    rig_near(rig_value(&r, "gas.force"), F, 1e-12, "force");
    rig_near(2 * rig_value(&r, "a.ax"), F / 3, 1e-12, "along x");
    rig_near(2 * rig_value(&r, "a.ay"), 2 * F / 3, 1e-12, "along y");
    rig_ledger(&r, 1e-9);
    rig_close(&r);
}

/* The stiffnesses of a bushing are along the axes of its first body, however the second one is turned. */
static void a_bushing_has_the_axes_of_its_first_body(void **state) {
    (void)state;
    rig r = rig_open(
        "space: spatial\n"
        "bodies: {a: {mass: 2 kg, inertia: [0.3, 0.2, 0.1], position: [0.01, 0.02, 0.03],\n"
        "  orientation: {axis: [0, 0, 1], angle: 90 deg}}}\n"
        "forces: {mount: {type: bushing, between: [ground, a], along: [300, 200, 100], about: [5, 6, 7]}}\n"
        "run: {until: 0.2 s}\n");
    rig_near(rig_value(&r, "a.ax"), -300 * 0.01 / 2, 1e-12, "along x");
    rig_near(rig_value(&r, "a.ay"), -200 * 0.02 / 2, 1e-12, "along y");
    rig_near(rig_value(&r, "a.az"), -100 * 0.03 / 2, 1e-12, "along z");
    rig_near(rig_value(&r, "mount.force"), sqrt(9 + 16 + 9), 1e-12, "force");
    rig_near(rig_value(&r, "mount.torque"), 0, 1e-12, "no moment: it is not turned from where it was drawn");
    rig_close(&r);
}

static const char *listed(const void *list, size_t index) {
    return ((const char *const *)list)[index];
}

static void wrong_names_are_understood(void **state) {
    (void)state;
    static const char *const names[] = {"time",      "rocker.x",   "rocker.wz", "ways.s",
                                        "ways.sdot", "coil.force", "coil.rate", "coil.length",
                                        "c1.rod.wz", "pin.delta",  "pin.mz",    NULL};
    static const char *const pairs[][2] = {{"rocker.omega", "rocker.wz"},    {"ways.travel", "ways.s"},
                                           {"ways.speed", "ways.sdot"},      {"coil.tension", "coil.force"},
                                           {"coil.velocity", "coil.rate"},   {"c1.rod.omega", "c1.rod.wz"},
                                           {"pin.penetration", "pin.delta"}, {"pin.torque", "pin.mz"},
                                           {"rocker.Omega", "rocker.wz"},    {"rockr.wz", "rocker.wz"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const char *found = lash_channel_nearest(pairs[k][0], listed, names);
        assert_non_null(found);
        assert_string_equal(found, pairs[k][1]);
    }
    assert_null(lash_channel_nearest("nothing.omega", listed, names));
    assert_null(lash_channel_nearest("rocker.penetration", listed, names));
}

static void all_channels_say_what_they_are(void **state) {
    (void)state;
    rig r = rig_open("%s", free_bodies);
    for (size_t k = 0; k < lash_sim_channel_count(r.sim); k++) {
        const char *meaning = lash_sim_channel_meaning(r.sim, k);
        assert_non_null(meaning);
        assert_true(strlen(meaning) > 3);
    }
    assert_null(lash_sim_channel_meaning(r.sim, lash_sim_channel_count(r.sim)));
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_are_what_bodies_gain),
        cmocka_unit_test(a_spring_tells_its_law),
        cmocka_unit_test(elements_of_joints),
        cmocka_unit_test(elements_in_space),
        cmocka_unit_test(a_load_at_a_point),
        cmocka_unit_test(a_load_at_a_point_in_space),
        cmocka_unit_test(a_bushing_has_the_axes_of_its_first_body),
        cmocka_unit_test(wrong_names_are_understood),
        cmocka_unit_test(all_channels_say_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
