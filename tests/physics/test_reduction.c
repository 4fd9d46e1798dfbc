/* SPDX-License-Identifier: MIT
 *
 * Bodies that are taken out of the equations (driven cranks, guided pistons, rockers on a pin) against the same mechanism with
 * all its equations, `reduce: false`: every channel agrees, reactions, drive torques and ledger included.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"
#include "system/system.h"

static const double AGREEMENT = 1e-8; /* of the largest value of a channel, at rtol 1e-11 */

/* Channels that measure errors, and have no size of their own. */
static bool is_error(const char *name) {
    return strncmp(name, "constraint.", 11) == 0 || strcmp(name, "energy.balance") == 0;
}

/* Channels are compared in the scale of the largest one with their unit. */
static double unit_size(double *const *values, const rig *r, size_t channel, int rows) {
    double size = 0;
    for (size_t c = 0; c < lash_sim_channel_count(r->sim); c++)
        if (strcmp(lash_sim_channel_unit(r->sim, c), lash_sim_channel_unit(r->sim, channel)) == 0)
            for (int k = 0; k < rows; k++)
                size = fmax(size, fabs(values[k][c]));
    return size;
}

static void check_with(const char *settings, const char *model, const char *drive, double until,
                       size_t equations) {
    enum { ROWS = 12 };
    rig r[2];
    double *values[2][ROWS];
    for (int k = 0; k < 2; k++) {
        r[k] = rig_open("%s%srun: {until: 10, rtol: 1e-11, reduce: %s%s}\n", model, drive,
                        k == 0 ? "true" : "false", settings);
        assert_int_equal(lash_system_constraint_count(r[k].system), equations);
        for (int row = 0; row < ROWS; row++) {
            rig_step_to(&r[k], until * row / (ROWS - 1));
            const size_t count = lash_sim_channel_count(r[k].sim);
            values[k][row] = calloc(count, sizeof(double));
            assert_non_null(values[k][row]);
            for (size_t c = 0; c < count; c++)
                values[k][row][c] = lash_sim_value(r[k].sim, c);
        }
    }
    assert_int_equal(lash_sim_channel_count(r[0].sim), lash_sim_channel_count(r[1].sim));
    assert_int_equal(lash_system_freedoms(r[0].system), lash_system_freedoms(r[1].system));
    assert_int_equal(lash_system_mobility(r[0].system), lash_system_mobility(r[1].system));
    int bad = 0;
    for (size_t c = 0; c < lash_sim_channel_count(r[0].sim); c++) {
        const char *name = lash_sim_channel_name(r[0].sim, c);
        assert_string_equal(name, lash_sim_channel_name(r[1].sim, c));
        const double size = unit_size(values[1], &r[1], c, ROWS);
        for (int row = 0; row < ROWS && !is_error(name); row++)
            if (!(fabs(values[0][row][c] - values[1][row][c]) <= AGREEMENT * size) && bad++ < 10)
                print_message("%s in row %d: %.12g reduced, %.12g whole\n", name, row, values[0][row][c],
                              values[1][row][c]);
    }
    for (int k = 0; k < 2; k++) {
        const lash_summary summary = lash_sim_summary(r[k].sim);
        assert_true(summary.max_balance_error <= 1e-8 * summary.energy_exchanged);
        for (int row = 0; row < ROWS; row++)
            free(values[k][row]);
        rig_close(&r[k]);
    }
    assert_int_equal(bad, 0);
}

static void check(const char *model, const char *drive, double until, size_t equations) {
    check_with("", model, drive, until, equations);
}

/* Modes about the start agree as well. */
static void check_modes(const char *model, size_t freedoms) {
    rig r[2];
    lash_linear *linear[2];
    for (int k = 0; k < 2; k++) {
        lash_error error = {0};
        r[k] = rig_open("%srun: {until: 10, rtol: 1e-9, reduce: %s}\n", model, k == 0 ? "true" : "false");
        rig_require(lash_linear_create(&linear[k], r[k].sim, NULL, 0, &error), &error, "linearise");
        assert_int_equal(lash_linear_freedoms(linear[k]), freedoms);
    }
    lash_mode mode[2];
    for (size_t i = 0; lash_linear_mode(&mode[0], linear[0], i); i++) {
        assert_true(lash_linear_mode(&mode[1], linear[1], i));
        const double size = hypot(mode[1].real, mode[1].imaginary);
        rig_near(mode[0].real, mode[1].real, 1e-6 * size, "real part of mode %zu", i);
        rig_near(mode[0].imaginary, mode[1].imaginary, 1e-6 * size, "imaginary part of mode %zu", i);
    }
    for (int k = 0; k < 2; k++) {
        lash_linear_destroy(linear[k]);
        rig_close(&r[k]);
    }
}

/* A slider-crank with everything that can act on its crank and its piston; %s: the ground joint of each, and
 * the run of the guide, chosen below. */
#define MECHANISM(pin, guide, position)                                                                      \
    "gravity: [1, -9.81]\n"                                                                                  \
    "ground: {points: {m: [0.01, 0.02], wall: [1, 0.1], side: [0.5, 0]}}\n"                                  \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 1, inertia: 0.02, position: [0.1, 0.1], angle: 0.6, points: {o: [-0.08, 0.03], a: "     \
    "[0.1, 0.02], q: "                                                                                       \
    "[0.03, 0.1]}}\n"                                                                                        \
    "  rod: {mass: 0.8, inertia: 0.03, position: [0.35, 0.1], angle: -0.3, points: {a: [-0.3, 0], b: [0.3, " \
    "0.01]}}\n"                                                                                              \
    "  piston: {mass: 2, inertia: 0.1, " position ", points: {p: [0.02, 0.05], g: [0.01, -0.04]}}\n"         \
    "joints:\n"                                                                                              \
    "  main: {type: revolute, " pin "}\n"                                                                    \
    "  a: {type: revolute, between: [crank.a, rod.a]}\n"                                                     \
    "  b: {type: revolute, between: [rod.b, piston.p]}\n"                                                    \
    "  guide: {type: translational, " guide "}\n"                                                            \
    "forces:\n"                                                                                              \
    "  f: {type: force, at: piston.p, force: [\"3*cos(5*t)\", -2]}\n"                                        \
    "  g: {type: force, at: crank.q, force: [2, 1], frame: body}\n"                                          \
    "  t: {type: torque, body: crank, reaction: rod, torque: 0.3}\n"                                         \
    "  s: {type: spring, between: [ground.wall, piston.g], stiffness: 40, damping: 2}\n"                     \
    "  js: {type: joint-spring, joint: main, stiffness: 0.5, damping: 0.02}\n"                               \
    "  v: {type: viscous, joint: guide, coefficient: 1.5}\n"                                                 \
    "  l: {type: load, over: main, at: piston, direction: [-1, 0.2], period: 2*pi, table: {points: [[0, "    \
    "0], [2, 5], [4, 1], "                                                                                   \
    "[2*pi, 0]]}}\n"

#define PIN      "between: [ground.m, crank.o]"
#define PIN_BACK "between: [crank.o, ground.m]"
#define ALONG_X  "between: [ground, piston.g], axis: [-3, 0]", "position: [0.6, 0.04]"
#define ALONG_Y  "between: [ground.side, piston.g], axis: [0, 1]", "position: [0.49, 0.3]"
#define OBLIQUE  "between: [ground, piston.g], axis: [5, 1]", "position: [0.6, 0.1]"
#define TURNED   "between: [piston.g, ground], axis: [1, 0]", "position: [0.6, 0.04]"
/* A macro's arguments are counted before its own are put in. */
#define WITH(pin, place)       MECHANISM_OF(pin, place)
#define MECHANISM_OF(pin, ...) MECHANISM(pin, __VA_ARGS__)

static void test_driven_crank_and_piston(void **state) {
    (void)state;
    check(WITH(PIN, ALONG_X), "drives: {motor: {joint: main, speed: 7}}\n", 1.5, 9);
    check(WITH(PIN_BACK, ALONG_X), "drives: {motor: {joint: main, speed: -7}}\n", 1.5, 9);
    check(WITH(PIN, ALONG_X), "drives: {motor: {body: crank, motion: \"0.6 + 2*sin(3*t)\"}}\n", 1.5, 9);
    check(WITH(PIN_BACK, ALONG_X), "drives: {motor: {body: crank, ramp: {to: 9, over: 0.7}}}\n", 1.5, 9);
    check(WITH(PIN, OBLIQUE), "drives: {motor: {joint: main, speed: 7}}\n", 1.5, 9);
    check(WITH(PIN, TURNED), "drives: {motor: {joint: main, speed: 7}}\n", 1.5, 9);
}

static void test_guided_piston_alone(void **state) {
    (void)state;
    check(WITH(PIN, ALONG_X), "", 1, 8);
    check(WITH(PIN_BACK, ALONG_Y), "", 0.4, 8);
}

static void test_driven_piston(void **state) {
    (void)state;
    check(WITH(PIN, ALONG_X), "drives: {ram: {joint: guide, motion: \"-0.61 + 0.03*sin(4*t)\"}}\n", 1.5, 9);
}

/* The crank carries play, its own reactions come from the contact: nothing may be lost by the reduction. */
static void test_with_play(void **state) {
    (void)state;
    check("materials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
          "bodies:\n"
          "  crank: {mass: 0.30, inertia: 1e-4, position: [25 mm, 0], points: {main: [-25 mm, 0], pin: [25 "
          "mm, 0]}}\n"
          "  rod: {mass: 0.21, inertia: 2.5e-4, position: [110 mm, 0], points: {big: [-60 mm, 0], small: [60 "
          "mm, 0]}}\n"
          "  slider: {mass: 0.14, inertia: 1e-4, position: [170 mm, 0]}\n"
          "joints:\n"
          "  main: {type: revolute, between: [ground, crank.main]}\n"
          "  crankpin: {type: revolute, between: [rod.big, crank.pin], clearance: {bearing_radius: 10 mm, "
          "radial: 0.1 mm, "
          "materials: steel, contact: {restitution: 0.9}}}\n"
          "  gudgeon: {type: revolute, between: [slider, rod.small]}\n"
          "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n",
          "drives: {motor: {joint: main, speed: 600 rpm}}\n", 4e-3, 7);
}

/* The same in space: a crank and a piston that are not in one plane, with inertias whose axes are not those
 * of the bodies, joined by a ball and a cross. */
#define IN_SPACE(pin, guide, place)                                                                          \
    "space: spatial\n"                                                                                       \
    "gravity: [1, -9.81, 2]\n"                                                                               \
    "ground: {points: {m: [0.01, 0.02, 0.03], wall: [1, 0.1, 0.2]}}\n"                                       \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 1, inertia: [0.02, 0.03, 0.025, 0.004, -0.003, 0.002], position: [0.1, 0.1, 0.03],\n"   \
    "    orientation: {axis: [0, 0, 1], angle: 0.6}, points: {o: [-0.08, 0.03, 0], a: [0.1, 0.02, 0.05]}}\n" \
    "  rod: {mass: 0.8, inertia: [0.001, 0.03, 0.03], position: [0.4, 0.1, 0.1],\n"                          \
    "    orientation: {x: [1, -0.1, 0.1], z: [0, 0, 1]}, points: {a: [-0.3, 0, 0], b: [0.3, 0.01, 0]}}\n"    \
    "  piston: {mass: 2, inertia: [0.1, 0.12, 0.09, 0.01, 0.02, 0.005], " place ",\n"                        \
    "    points: {p: [0.02, 0.05, 0.03], g: [0.01, -0.04, 0.02]}}\n"                                         \
    "joints:\n"                                                                                              \
    "  main: {type: revolute, " pin "}\n"                                                                    \
    "  a: {type: spherical, between: [crank.a, rod.a]}\n"                                                    \
    "  b: {type: universal, between: [piston.p, rod.b], axis: [0, 1, 0], second_axis: [0, 0, 1]}\n"          \
    "  guide: {type: prismatic, " guide "}\n"                                                                \
    "forces:\n"                                                                                              \
    "  f: {type: force, at: piston.p, force: [\"3*cos(5*t)\", -2, 1]}\n"                                     \
    "  t: {type: torque, body: crank, reaction: rod, torque: [0.3, 0.1, -0.2]}\n"                            \
    "  s: {type: spring, between: [ground.wall, piston.g], stiffness: 40, damping: 2}\n"                     \
    "  js: {type: joint-spring, joint: main, stiffness: 0.5, damping: 0.02}\n"                               \
    "  v: {type: viscous, joint: guide, coefficient: 1.5}\n"
#define SPACE_OF(pin, ...) IN_SPACE(pin, __VA_ARGS__)
#define SPACE(pin, place)  SPACE_OF(pin, place)
#define PIN3               "between: [ground.m, crank.o], axis: [0.1, -0.2, 1]"
#define PIN3_BACK          "between: [crank.o, ground.m], axis: [0.1, -0.2, 1]"
#define PIN3_SECOND        "between: [ground.m, crank.o], axis: [0.1, -0.2, 1], second_axis: [0.05, -0.1, 1]"
#define ALONG3_X           "between: [ground, piston.g], axis: [-3, 0, 0]", "position: [0.7, 0.05, 0.1]"
#define ALONG3_Z           "between: [ground.m, piston.g], axis: [0, 0, 2]", "position: [0.6, 0.2, 0.1]"
#define OBLIQUE3           "between: [ground, piston.g], axis: [5, 1, 0.3]", "position: [0.7, 0.05, 0.1]"

static void test_in_space(void **state) {
    (void)state;
    check(SPACE(PIN3, ALONG3_X), "drives: {motor: {joint: main, speed: 7}}\n", 1.5, 18);
    check(SPACE(PIN3_BACK, ALONG3_X), "drives: {motor: {joint: main, speed: -7}}\n", 1.5, 18);
    check(SPACE(PIN3_SECOND, ALONG3_X), "drives: {motor: {joint: main, motion: \"0.6 + 2*sin(3*t)\"}}\n", 1.5,
          18);
    check(SPACE(PIN3_BACK, OBLIQUE3), "drives: {motor: {joint: main, ramp: {to: 9, over: 0.7}}}\n", 1.5, 18);
    check(SPACE(PIN3, ALONG3_X), "", 1, 17);
    check(SPACE(PIN3_BACK, ALONG3_Z), "", 0.3, 17);
}

/* Pins and a guide that repeat each other in space: reactions are still those of least norm of all joints. */
#define PINS                                                                                                 \
    "space: spatial\n"                                                                                       \
    "gravity: [0, -9.81, 1]\n"                                                                               \
    "ground: {points: {m: [0, 0, 3 mm]}}\n"                                                                  \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 0.3, inertia: [1e-3, 2e-3, 2e-3], position: [25 mm, 0, 3 mm],\n"                        \
    "    points: {o: [-25 mm, 0, 0], pin: [25 mm, 0, 0]}}\n"                                                 \
    "  rod: {mass: 0.21, inertia: [1e-4, 2e-3, 2e-3], position: [110 mm, 0, 0],\n"                           \
    "    points: {big: [-60 mm, 0, 3 mm], small: [60 mm, 0, -2 mm]}}\n"                                      \
    "  slider: {mass: 0.14, inertia: [1e-3, 1e-3, 1e-3], position: [170 mm, 0, 0], points: {p: [0, 0, -2 "   \
    "mm]}}\n"                                                                                                \
    "joints:\n"                                                                                              \
    "  main: {type: revolute, axis: [0, 0, 1], between: [ground.m, crank.o]}\n"                              \
    "  crankpin: {type: revolute, axis: [0, 0, 1], between: [rod.big, crank.pin]}\n"                         \
    "  gudgeon: {type: revolute, axis: [0, 0, 1], between: [slider.p, rod.small]}\n"                         \
    "  guide: {type: prismatic, between: [ground, slider], axis: [1, 0, 0]}\n"                               \
    "forces: {f: {type: force, at: slider.p, force: [\"3*cos(5*t)\", 0.4, 2]}}\n"

static void test_redundant_in_space(void **state) {
    (void)state;
    check(PINS, "drives: {motor: {joint: main, speed: 30}}\n", 0.5, 21);
    check(PINS, "", 0.5, 20);
}

/* A driven crank is taken out whichever body it is: the one that is written last, too, and drawn with the other sign of
 * its Euler parameters. */
static void test_any_body_in_space(void **state) {
    (void)state;
    static const char crank[] =
        "  crank: {mass: 0.3, inertia: [1e-3, 2e-3, 2e-3], position: [0, 0.025, 0],\n"
        "    orientation: {axis: [0, 0, 1], angle: %s}, points: {o: [-0.025, 0, 0], pin: [0.025, 0, 0]}}\n",
                      rod[] = "  rod: {mass: 0.21, inertia: [1e-4, 2e-3, 2e-3], position: [0.055, 0.025, 0], "
                              "points: {big: [-0.06, 0, 0]}}\n";
    static const char *const angles[] = {"90 deg", "-270 deg"};
    int freedoms[4];
    for (int k = 0; k < 4; k++) {
        char one[400], both[1000];
        snprintf(one, sizeof one, crank, angles[k % 2]);
        snprintf(both, sizeof both, "%s%s", k < 2 ? one : rod, k < 2 ? rod : one);
        rig r = rig_open("space: spatial\ngravity: [0, -9.81, 1]\nbodies:\n%s"
                         "joints:\n"
                         "  main: {type: revolute, axis: [0, 0, 1], between: [ground, crank.o]}\n"
                         "  pin: {type: spherical, between: [crank.pin, rod.big]}\n"
                         "drives: {motor: {joint: main, motion: \"90 deg + 3*t\"}}\nrun: {until: 1}\n",
                         both);
        freedoms[k] = r.system->n_v;
        rig_step_to(&r, 0.5);
        rig_near(rig_value(&r, "crank.x"), 0.025 * cos(RIG_PI / 2 + 1.5), 1e-12, "crank");
        rig_close(&r);
    }
    for (int k = 0; k < 4; k++)
        assert_int_equal(freedoms[k], 6); // those of the rod
}

/* Two bodies on pins in ground, one of them not along a principal axis, and a rod between them: %s is what holds
 * the rod to the first. */
#define ROCKERS(ball, cross)                                                                                 \
    "space: spatial\n"                                                                                       \
    "gravity: [1, -2, -9.81]\n"                                                                              \
    "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n"                                                   \
    "ground: {points: {far: [0.3, 0.1, 0]}}\n"                                                               \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 0.2, inertia: [1e-4, 2e-4, 2e-4], position: [0.05, 0, 0],\n"                            \
    "    points: {a: [-0.05, 0, 0], b: [0.05, 0, 0]}}\n"                                                     \
    "  rod: {mass: 0.3, inertia: [1e-4, 1e-3, 1e-3], position: [0.2, 0.05, 0.1],\n"                          \
    "    orientation: {x: [0.2, 0.1, 0.2], z: [0, 0, 1]}, points: {a: [-0.15, 0, 0], b: [0.15, 0, 0]}}\n"    \
    "  rocker: {mass: 0.2, inertia: [1e-4, 1.3e-4, 6e-5, 2e-5, -1e-5, 1e-5], position: [0.3, 0.1, 0.1],\n"   \
    "    points: {a: [0, 0.01, -0.1], b: [0, 0, 0.1]}}\n"                                                    \
    "joints:\n"                                                                                              \
    "  main: {type: revolute, between: [ground, crank.a], axis: [0, 0, 1]}\n"                                \
    "  ball: {type: spherical, between: [crank.b, rod.a]" ball "}\n"                                         \
    "  cross: {type: universal, between: [rocker.b, rod.b], axis: [0, 1, 0], second_axis: [0, 0, 1]" cross   \
    "}\n"                                                                                                    \
    "  out: {type: revolute, between: [rocker.a, ground.far], axis: [0.1, 1, 0.2]}\n"                        \
    "forces:\n"                                                                                              \
    "  js: {type: joint-spring, joint: out, stiffness: 0.5, damping: 0.02}\n"                                \
    "  t: {type: torque, body: crank, torque: [0.1, 0.05, 0.2]}\n"
#define PLAY ", clearance: {bearing_radius: 10 mm, radial: 0.1 mm, materials: steel, "

static void test_rockers_in_space(void **state) {
    (void)state;
    rig r = rig_open("%srun: {until: 1}\n", ROCKERS("", ""));
    assert_int_equal(lash_sim_coordinate_count(r.sim), 13 + 2 + 2);
    rig_close(&r);
    check(ROCKERS("", ""), "", 0.3, 17);
    check_with(", stabilisation: projection", ROCKERS("", ""), "", 0.3, 17);
    check(ROCKERS(PLAY "contact: {restitution: 0.8}, friction: {law: lugre, coefficient: 0.1}}", ""), "",
          0.02, 14);
    check(ROCKERS(PLAY "contact: {restitution: 0.5, approach: energy}}", ""), "", 6e-3, 14);
    check(
        ROCKERS(", clearance: {model: three-mode, radial: 0.1 mm, restitution: 0.5, offset: [0.05 mm, 0, 0]}",
                ""),
        "", 0.03, 15);
    check(ROCKERS(", clearance: {model: permanent-contact, radial: 0.1 mm, offset: [0, 0, 0.1 mm]}", ""), "",
          0.02, 15);
    check(ROCKERS(", friction: {coefficient: 0.2, radius: 10 mm}", ""), "", 0.1, 17);
    check_modes(ROCKERS("", ""), 1);
    check_modes(ROCKERS(", friction: {torque: 0.01}", ""), 1);
    check_modes(ROCKERS(", friction: {torque: 5}", ""), 0); // it sticks
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driven_crank_and_piston),
        cmocka_unit_test(test_guided_piston_alone),
        cmocka_unit_test(test_driven_piston),
        cmocka_unit_test(test_with_play),
        cmocka_unit_test(test_in_space),
        cmocka_unit_test(test_rockers_in_space),
        cmocka_unit_test(test_redundant_in_space),
        cmocka_unit_test(test_any_body_in_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
