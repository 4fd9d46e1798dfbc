/* SPDX-License-Identifier: MIT
 *
 * Initial conditions: roughly drawn mechanisms are closed, held values are kept, what cannot be closed is
 * refused with the joint named; velocities follow the joints and drives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"
#include "system/system.h"

/* Four-bar: crank 0.2 at the origin, coupler 0.6, rocker 0.5 at (0.7, 0); drawn within a few centimetres. */
#define FOUR_BAR                                                                                             \
    "ground: {points: {right: [0.7, 0]}}\n"                                                                  \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 1, inertia: 0.01, position: [0.08, 0.07], angle: %.17g, points: {o: [-0.1, 0], a: "     \
    "[0.1, "                                                                                                 \
    "0]}, %s}\n"                                                                                             \
    "  coupler: {mass: 1, inertia: 0.03, position: [0.4, 0.35], angle: 0.3, points: {a: [-0.3, 0], b: "      \
    "[0.3, 0]}}\n"                                                                                           \
    "  rocker: {mass: 1, inertia: 0.02, position: [0.73, 0.27], angle: 1.8, points: {b: [0.25, 0], c: "      \
    "[-0.25, "                                                                                               \
    "0]}}\n"                                                                                                 \
    "joints:\n"                                                                                              \
    "  o: {type: revolute, between: [ground, crank.o]}\n"                                                    \
    "  a: {type: revolute, between: [crank.a, coupler.a]}\n"                                                 \
    "  b: {type: revolute, between: [coupler.b, rocker.b]}\n"                                                \
    "  c: {type: revolute, between: [ground.right, rocker.c]}\n"

/* Rocker and coupler angles for a crank angle, coupler above. */
static void four_bar(double *coupler, double *rocker, double crank) {
    const double ax = 0.2 * cos(crank), ay = 0.2 * sin(crank), dx = 0.7 - ax, dy = -ay, d = hypot(dx, dy);
    const double along = (d * d + 0.36 - 0.25) / (2 * d), up = sqrt(0.36 - along * along);
    const double bx = ax + (along * dx - up * dy) / d, by = ay + (along * dy + up * dx) / d;
    *coupler = atan2(by - ay, bx - ax);
    *rocker = atan2(by, bx - 0.7);
}

static void test_rough_drawing_closes(void **state) {
    (void)state;
    rig r = rig_open(FOUR_BAR "run: {until: 1}\n", 0.9, "hold: []");
    const double crank = rig_value(&r, "crank.angle");
    double coupler, rocker;
    four_bar(&coupler, &rocker, crank);
    assert_true(rig_value(&r, "constraint.position") <= 1e-13);
    assert_true(fabs(crank - 0.9) < 0.2); // near what was drawn
    assert_true(crank != 0.9);
    assert_near(rig_value(&r, "coupler.angle"), coupler, 1e-12);
    assert_near(rig_value(&r, "rocker.angle"), rocker, 1e-12);
    rig_close(&r);
}

static void test_held_values_are_kept(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) { // also far from the drawing of the others
        const double angle = 0.9 + 0.4 * (k - 4);
        double coupler, rocker;
        rig r = rig_open(FOUR_BAR "run: {until: 1}\n", angle, "hold: [angle, w], angular_velocity: 3");
        assert_true(rig_value(&r, "crank.angle") == angle);
        assert_true(rig_value(&r, "crank.wz") == 3);
        four_bar(&coupler, &rocker, angle);
        assert_near(sin(rig_value(&r, "coupler.angle") - coupler), 0, 1e-12);
        assert_near(sin(rig_value(&r, "rocker.angle") - rocker), 0, 1e-12);
        // speeds by differences of the closed form
        const double h = 1e-4;
        double c1, r1, c0, r0;
        four_bar(&c1, &r1, angle + h);
        four_bar(&c0, &r0, angle - h);
        assert_near(rig_value(&r, "coupler.wz"), 3 * (c1 - c0) / (2 * h), 1e-6);
        assert_near(rig_value(&r, "rocker.wz"), 3 * (r1 - r0) / (2 * h), 1e-6);
        assert_true(rig_value(&r, "constraint.velocity") <= 1e-12);
        rig_close(&r);
    }
}

static void test_held_position(void **state) {
    (void)state;
    rig r = rig_open(
        "bodies: {a: {mass: 1, inertia: 1, position: [0.3, 0.5], hold: [x], velocity: [0.2, 0], points: {p: "
        "[0, 0.7]}}}\n"
        "joints: {j: {type: revolute, between: [ground, a.p]}}\n"
        "run: {until: 1}\n");
    assert_true(rig_value(&r, "a.x") == 0.3);
    assert_near(fabs(rig_value(&r, "a.y")), sqrt(0.49 - 0.09), 1e-13);
    rig_close(&r);
}

/* A body whose pin is drawn a little beside its place is moved by the least change, an angle counting as it moves
 * a point at the size L of the mechanism: of d across its arm r a shift takes the share 1/(1 + (r/L)²). */
static void test_least_change_of_position(void **state) {
    (void)state;
    for (int space = 0; space < 2; space++) {
        const double d = 1e-7, arm = 0.3;
        rig r = rig_open("%sbodies: {rod: {mass: 1, inertia: %s, points: {p: [%g, 0%s], q: [-1.2, 0%s]},\n"
                         "  position: [0, %g%s]}}\n"
                         "joints: {pin: {type: %s, between: [ground, rod.p]}}\n"
                         "ground: {points: {far: [0, 0%s]}}\nrun: {until: 1}\n",
                         space ? "space: spatial\n" : "", space ? "[0.1, 0.1, 0.1]" : "0.1", arm,
                         space ? ", 0" : "", space ? ", 0" : "", d, space ? ", 0" : "",
                         space ? "spherical" : "revolute", space ? ", 0" : "");
        const double L = r.system->length, share = 1 / (1 + arm * arm / (L * L));
        assert_true(L > 0.2 && L < 5 && fabs(L - 1) > 1e-3);
        rig_near(rig_value(&r, "rod.y"), d - share * d, 1e-6 * d, "shift");
        rig_close(&r);
    }
}

/* Velocities that were not held change least in kinetic energy: a free bar given a knock about a pin keeps
 * the component of its momentum that the pin allows. */
static void test_least_change_of_velocity(void **state) {
    (void)state;
    rig r = rig_open("bodies: {a: {mass: 2, inertia: 0.3, position: [0.5, 0], velocity: [1, 4], "
                     "angular_velocity: 1, points: "
                     "{p: [-0.5, 0]}}}\n"
                     "joints: {j: {type: revolute, between: [ground, a.p]}}\n"
                     "run: {until: 1}\n");
    // angular momentum about the pin is kept by the impulse at the pin
    const double w = (0.3 * 1 + 2 * 0.5 * 4) / (0.3 + 2 * 0.25);
    assert_near(rig_value(&r, "a.wz"), w, 1e-12);
    assert_near(rig_value(&r, "a.vy"), 0.5 * w, 1e-12);
    assert_near(rig_value(&r, "a.vx"), 0, 1e-12);
    rig_close(&r);
}

/* What assembly has made of what was given: velocities that are not held, places that are not drawn well. */
static void test_what_was_given(void **state) {
    (void)state;
    lash_start_value value;
    // The bar's centre is not said to move, and decides: (J ω)/(J + m r²).
    rig r = rig_open("bodies: {a: {mass: 2, inertia: 0.3, position: [0.5, 0], angular_velocity: 4, points: "
                     "{p: [-0.5, 0]}}}\n"
                     "joints: {j: {type: revolute, between: [ground, a.p]}}\nrun: {until: 1}\n");
    assert_true(lash_system_start_value(&value, r.system, 0));
    assert_string_equal(value.body, "a");
    assert_string_equal(value.quantity, "angular_velocity");
    assert_string_equal(value.hold, "w");
    assert_int_equal(value.size, 1);
    assert_true(value.moves);
    assert_near(value.given[0], 4, 0);
    assert_near(value.start[0], 4 * 0.3 / (0.3 + 2 * 0.25), 1e-12);
    assert_near(value.share, 1 - 0.3 / (0.3 + 2 * 0.25), 1e-12);
    assert_false(lash_system_start_value(&value, r.system, 1));
    rig_close(&r);
    // Held, or given as the joints have it: nothing to tell. What is not given is not told either.
    static const char *const fitting[] = {"hold: [w], angular_velocity: 4",
                                          "angular_velocity: 4, velocity: [0, 2.001]", "hold: []"};
    for (int k = 0; k < 3; k++) {
        r = rig_open("bodies: {a: {mass: 2, inertia: 0.3, position: [0.5, 0], %s, points: {p: [-0.5, 0]}}}\n"
                     "joints: {j: {type: revolute, between: [ground, a.p]}}\nrun: {until: 1}\n",
                     fitting[k]);
        assert_false(lash_system_start_value(&value, r.system, 0));
        rig_close(&r);
    }
    // Places: moved to the pin by 0.1 m; by 0.2 mm is as drawn.
    r = rig_open(
        "bodies:\n"
        "  a: {mass: 1, inertia: 1, position: [0.3, 0.4], hold: [x, angle], points: {p: [-0.3, -0.3]}}\n"
        "  b: {mass: 1, inertia: 1, position: [0.3002, 0.3], hold: [y, angle], points: {p: [0, 0]}}\n"
        "joints:\n"
        "  j: {type: revolute, between: [ground, a.p]}\n"
        "  k: {type: revolute, between: [a, b]}\n"
        "run: {until: 1}\n");
    assert_true(lash_system_start_value(&value, r.system, 0));
    assert_string_equal(value.body, "a");
    assert_string_equal(value.quantity, "position");
    assert_false(value.moves);
    assert_near(value.given[1], 0.4, 0);
    assert_near(value.start[1], 0.3, 1e-12);
    assert_near(value.change, 0.1, 1e-12);
    assert_false(lash_system_start_value(&value, r.system, 1));
    rig_close(&r);
    // In space, by ground axes: a bar about z whose body axes are turned, and one that is drawn off its axis.
    r = rig_open(
        "space: spatial\n"
        "bodies: {a: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0.5, 0], orientation: {axis: [0, 0, "
        "1], angle: 90 deg}, angular_velocity: [0, 0, 4], points: {p: [-0.5, 0, 0]}}}\n"
        "joints: {j: {type: revolute, between: [ground, a.p], axis: [0, 0, 1], second_axis: [0, 0.1, 1]}}\n"
        "run: {until: 1}\n");
    assert_true(lash_system_start_value(&value, r.system, 0));
    assert_string_equal(value.quantity, "orientation");
    assert_near(value.change, atan(0.1), 1e-9);
    assert_true(lash_system_start_value(&value, r.system, 1));
    assert_string_equal(value.quantity, "angular_velocity");
    assert_int_equal(value.size, 3);
    assert_near(value.given[2], 4, 0);
    assert_near(value.start[2], rig_value(&r, "a.wz"), 1e-12);
    assert_near(value.start[0], 0, 1e-12);
    assert_true(value.start[2] > 1 && value.start[2] < 2);
    rig_close(&r);
}

/* A slide keeps the angle between its bodies as drawn, whichever way the first one is turned; or the one that is given. */
static void test_angle_as_drawn(void **state) {
    (void)state;
    for (int given = 0; given < 2; given++) {
        rig r =
            rig_open("bodies:\n  rail: {mass: 1, inertia: 1, angle: 0.5, hold: [x, y, angle]}\n"
                     "  sled: {mass: 1, inertia: 1, position: [1, 0.6], angle: 0.8}\n"
                     "joints:\n  floor: {type: fixed, between: [ground, rail]}\n"
                     "  way: {type: translational, between: [rail, sled], axis: [1, 0]%s}\nrun: {until: 1}\n",
                     given ? ", angle: 0.2" : "");
        rig_near(rig_value(&r, "rail.angle"), 0.5, 1e-12, "the rail");
        rig_near(rig_value(&r, "sled.angle"), given ? 0.7 : 0.8, 1e-12, "the sled");
        rig_close(&r);
    }
}

/* A bar of 0.5 m between pins 1 m apart, beside a pendulum that is in order: each pin stays open by 0.25 m.
 */
static void test_too_short(void **state) {
    (void)state;
    lash_error error = {0};
    const lash_status status = rig_compile(
        "ground: {points: {far: [1, 0]}}\n"
        "bodies:\n"
        "  fine: {mass: 1, inertia: 1, position: [0, 3], points: {p: [0, 0.5]}}\n"
        "  bar: {mass: 1, inertia: 1, position: [0.4, 0.1], points: {l: [-0.25, 0], r: [0.25, 0]}}\n"
        "joints:\n"
        "  sound: {type: revolute, between: [ground, fine.p]}\n"
        "  left: {type: revolute, between: [ground, bar.l]}\n"
        "  right: {type: revolute, between: [ground.far, bar.r]}\n"
        "run: {until: 1}\n",
        &error);
    assert_int_equal(status, LASH_ERROR_ASSEMBLY);
    assert_int_equal(error.status, LASH_ERROR_ASSEMBLY);
    assert_true(strcmp(error.object, "left") == 0 || strcmp(error.object, "right") == 0);
    assert_non_null(strstr(error.message, error.object));
    assert_non_null(strstr(error.message, "0.25"));
}

/* One body on three pins of the ground: least squares leave the largest gap at the farthest of them. */
static void test_largest_gap_is_named(void **state) {
    (void)state;
    lash_error error = {0};
    const lash_status status = rig_compile("ground: {points: {p: [0.1, 0], q: [2, 0]}}\n"
                                           "bodies: {a: {mass: 1, inertia: 1, position: [0.2, 0]}}\n"
                                           "joints:\n"
                                           "  one: {type: revolute, between: [ground, a]}\n"
                                           "  two: {type: revolute, between: [ground.p, a]}\n"
                                           "  three: {type: revolute, between: [ground.q, a]}\n"
                                           "run: {until: 1}\n",
                                           &error);
    assert_int_equal(status, LASH_ERROR_ASSEMBLY);
    // least squares put it at the mean, 0.7: gaps 0.7, 0.6, 1.3
    assert_string_equal(error.object, "three");
    assert_non_null(strstr(error.message, "1.3"));
}

static void test_held_leaves_no_room(void **state) {
    (void)state;
    lash_error error = {0};
    const lash_status status =
        rig_compile("bodies:\n"
                    "  a: {mass: 1, inertia: 1, position: [0.3, 0.5], hold: [x, y], points: {p: [0, 0.4]}}\n"
                    "joints: {j: {type: revolute, between: [ground, a.p]}}\n"
                    "run: {until: 1}\n",
                    &error);
    assert_int_equal(status, LASH_ERROR_ASSEMBLY);
    assert_string_equal(error.object, "j");
}

static void test_contradicting_drives(void **state) {
    (void)state;
    // Both ends of a parallelogram driven, at speeds that differ.
    static const char model[] =
        "ground: {points: {right: [1, 0]}}\n"
        "bodies:\n"
        "  l: {mass: 1, inertia: 0.01, position: [0, 0.25], angle: 90 deg, points: {o: [-0.25, 0], a: [0.25, "
        "0]}}\n"
        "  c: {mass: 1, inertia: 0.03, position: [0.5, 0.5], points: {a: [-0.5, 0], b: [0.5, 0]}}\n"
        "  r: {mass: 1, inertia: 0.01, position: [1, 0.25], angle: 90 deg, points: {o: [-0.25, 0], a: [0.25, "
        "0]}}\n"
        "joints:\n"
        "  lo: {type: revolute, between: [ground, l.o]}\n"
        "  la: {type: revolute, between: [l.a, c.a]}\n"
        "  rb: {type: revolute, between: [c.b, r.a]}\n"
        "  ro: {type: revolute, between: [ground.right, r.o]}\n"
        "drives:\n"
        "  d1: {joint: lo, speed: 2}\n"
        "  d2: {joint: ro, speed: %s}\n"
        "run: {until: 1}\n";
    char text[2048];
    lash_error error = {0};
    snprintf(text, sizeof text, model, "2.5");
    assert_int_equal(rig_compile(text, &error), LASH_ERROR_ASSEMBLY);
    assert_true(error.object[0] != 0);
    assert_non_null(strstr(error.message, error.object));
    // Equal speeds only repeat each other: it runs, and says so.
    rig r = rig_open(model, "2");
    assert_int_equal(lash_system_freedoms(r.system), 0);
    assert_non_null(lash_system_redundant(r.system, 0));
    assert_non_null(strstr(lash_system_redundant(r.system, 0), "'d2'"));
    assert_null(lash_system_redundant(r.system, 1));
    rig_step_to(&r, 0.5);
    assert_near(rig_value(&r, "l.angle"), RIG_PI / 2 + 1, 1e-7);
    rig_close(&r);
    // Other starts cannot be closed at all.
    snprintf(text, sizeof text, model, "2, start: 2 rad");
    assert_int_equal(rig_compile(text, &error), LASH_ERROR_ASSEMBLY);
}

/* A piston cannot be driven through its dead centre: no velocities there. */
static void test_dead_centre(void **state) {
    (void)state;
    lash_error error = {0};
    const lash_status status = rig_compile(
        "bodies:\n"
        "  crank: {mass: 1, inertia: 1, position: [0.1, 0], points: {o: [-0.1, 0], a: [0.1, 0]}}\n"
        "  rod: {mass: 1, inertia: 1, position: [0.4, 0], points: {a: [-0.2, 0], b: [0.2, 0]}}\n"
        "  piston: {mass: 1, inertia: 1, position: [0.6, 0]}\n"
        "joints:\n"
        "  o: {type: revolute, between: [ground, crank.o]}\n"
        "  a: {type: revolute, between: [crank.a, rod.a]}\n"
        "  b: {type: revolute, between: [rod.b, piston]}\n"
        "  bore: {type: translational, between: [ground, piston], axis: [1, 0]}\n"
        "drives: {ram: {joint: bore, speed: 1}}\n"
        "run: {until: 1}\n",
        &error);
    assert_int_equal(status, LASH_ERROR_ASSEMBLY);
    assert_non_null(strstr(error.message, "dead position"));
}

/* What is wrong is the inertia, the masses or a joint with play, not the joints that are affected by it. */
static void test_causes_are_named(void **state) {
    (void)state;
    lash_error error = {0};
    const char *const chain =
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  b: {mass: %s, inertia: %s, position: [0.3, 0], angular_velocity: 1,\n"
        "      points: {a: [-0.3, 0], c: [0.3, 0]}}\n"
        "  d: {mass: 1, inertia: %s, position: [0.9, 0], points: {a: [-0.3, 0], c: [0.3, 0]}}\n"
        "joints:\n"
        "  p: {type: revolute, between: [ground, b.a]}\n"
        "  q: {type: revolute, between: [b.c, d.a]}\n"
        "  s: {type: point-on-line, between: [ground, d.c], axis: [1, 0]}\n"
        "run: {until: 0.1}\n";
    char text[1024];
    snprintf(text, sizeof text, chain, "1", "1", "1e-30");
    assert_int_equal(rig_compile(text, &error), LASH_ERROR_MODEL);
    assert_string_equal(error.object, "d");
    assert_non_null(strstr(error.message, "its inertia is too small beside its mass"));

    lash_model *model = NULL;
    lash_system *system = NULL;
    lash_sim *sim = NULL;
    snprintf(text, sizeof text, chain, "1e-16", "1e-16", "1");
    rig_require(lash_model_parse(&model, text, strlen(text), "test.yaml", NULL, &error), &error, "model");
    rig_require(lash_system_compile(&system, model, &error), &error, "compile");
    assert_int_equal(lash_sim_create(&sim, system, &error), LASH_ERROR_SINGULAR);
    assert_non_null(strstr(error.message, "the masses of 'b' (1e-16 kg) and 'd' (1 kg) are too far apart"));
    lash_system_destroy(system);
    lash_model_destroy(model);

    assert_int_equal(
        rig_compile(
            "bodies: {b: {mass: 1, inertia: 1, velocity: [0.5, 0], hold: [vx]}}\n"
            "joints: {p: {type: revolute, between: [ground, b], clearance: {radial: 1 mm, bearing_radius: "
            "10 mm, contact: {law: hertz, stiffness: 1e9}}}}\n"
            "run: {until: 1}\n",
            &error),
        LASH_ERROR_ASSEMBLY);
    assert_non_null(strstr(error.message, "has play, but starts with the velocities of a joint without"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rough_drawing_closes),
        cmocka_unit_test(test_held_values_are_kept),
        cmocka_unit_test(test_held_position),
        cmocka_unit_test(test_least_change_of_velocity),
        cmocka_unit_test(test_least_change_of_position),
        cmocka_unit_test(test_what_was_given),
        cmocka_unit_test(test_too_short),
        cmocka_unit_test(test_angle_as_drawn),
        cmocka_unit_test(test_largest_gap_is_named),
        cmocka_unit_test(test_held_leaves_no_room),
        cmocka_unit_test(test_contradicting_drives),
        cmocka_unit_test(test_dead_centre),
        cmocka_unit_test(test_causes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
