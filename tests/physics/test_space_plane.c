/* SPDX-License-Identifier: MIT
 *
 * Planar machines modelled in space move as their planar models do: the slider-crank ideal and with play, and
 * a four-bar of four pins, whose redundant rows are named and whose reactions have the least norm.
 */
#include "physics/play.h"

#include "laws/near.h"
#include "physics/rig.h"

enum { SAMPLES = 200 };
static const double AGREEMENT = 1e-8; /* of the largest value of the channel */

static const char *const both[] = {"slider.x",    "slider.vx",  "rod.x",      "rod.y",       "rod.vy",
                                   "crank.vx",    "slider.ax",  "main.fx",    "main.fy",     "crankpin.fx",
                                   "crankpin.fy", "gudgeon.fx", "gudgeon.fy", "motor.torque"};
enum { COLUMNS = sizeof both / sizeof *both };

/* Both models with the same settings, every channel compared. */
static void compare(const lash_setting *settings, size_t count, double turns, double rtol, double agreement) {
    play_run plane, space;
    play_example(&plane, "flores-2010", settings, count);
    play_example(&space, "planar-in-space", settings, count);
    play_turns(&plane, turns, rtol);
    play_turns(&space, turns, rtol);
    play_go(&plane, both, COLUMNS, SAMPLES);
    play_go(&space, both, COLUMNS, SAMPLES);
    assert_int_equal(plane.status, LASH_STOP_END);
    assert_int_equal(space.status, LASH_STOP_END);
    for (size_t c = 1; c <= COLUMNS; c++) {
        double scale = 0, worst = 0;
        for (size_t k = 0; k < plane.row_count; k++) {
            const double a = plane.rows[k * plane.columns + c], b = space.rows[k * space.columns + c];
            scale = fmax(scale, fabs(a));
            worst = fmax(worst, fabs(a - b));
        }
        if (!(worst <= agreement * scale))
            fail_msg("%s: %g of %g at rtol %g", both[c - 1], worst, scale, rtol);
    }
    play_end(&plane);
    play_end(&space);
}

static void test_ideal(void **state) {
    (void)state;
    const lash_setting ideal = {"gudgeon", "ideal"};
    compare(&ideal, 1, 5, 1e-11, AGREEMENT);
}

static void test_play_at_gudgeon(void **state) {
    (void)state;
    compare(NULL, 0, 1, 1e-12, AGREEMENT);
    // Every bounce across a wide gap multiplies the rounding in which the two differ: a shorter time.
    const lash_setting wide[] = {{"play", "0.2 mm"}, {"friction", "0.1"}};
    compare(wide, 2, 0.2, 1e-12, AGREEMENT);
}

static void test_play_at_crankpin(void **state) {
    (void)state;
    const lash_setting crankpin[] = {{"crankpin", "clearance"}, {"gudgeon", "ideal"}, {"friction", "0.05"}};
    compare(crankpin, 3, 1, 1e-12, AGREEMENT);
}

/* The driven pin with play: the drive holds its angle, not its place; then all three. */
static void test_play_at_main(void **state) {
    (void)state;
    const lash_setting main_pin[] = {{"main", "clearance"}, {"gudgeon", "ideal"}};
    compare(main_pin, 2, 0.5, 1e-12, AGREEMENT);
    const lash_setting all[] = {{"main", "clearance"}, {"crankpin", "clearance"}};
    compare(all, 2, 0.2, 1e-12, AGREEMENT);
}

/* A symmetric four-bar: pivots 0.45 m apart, links of 0.3 m on both sides, coupler 0.25 m; drawn in its
 * symmetric position, moving. In space with another component of gravity across its plane. */
static rig open_four_bar(bool spatial, double across) {
    const double x = 0.1, y = sqrt(0.3 * 0.3 - x * x); // of the crank's tip
    const char *third = spatial ? ", 0" : "", *axis = spatial ? ", axis: [0, 0, 1]" : "";
    char gravity[64] = "", inertia[2][64] = {"2e-3", "1e-3"};
    if (spatial) {
        snprintf(gravity, sizeof gravity, ", %.17g", across);
        snprintf(inertia[0], sizeof inertia[0], "[2e-3, 2e-3, 2e-3]");
        snprintf(inertia[1], sizeof inertia[1], "[1e-4, 1e-3, 1e-3]");
    }
    return rig_open("space: %s\n"
                    "gravity: [0, -9.81%s]\n"
                    "ground: {points: {far: [0.45, 0%s]}}\n"
                    "bodies:\n"
                    "  crank: {mass: 0.5, inertia: %s, position: [%.17g, %.17g%s],\n"
                    "          points: {a: [%.17g, %.17g%s], b: [%.17g, %.17g%s]}}\n"
                    "  coupler: {mass: 0.3, inertia: %s, position: [0.225, %.17g%s], velocity: [1, 0%s],\n"
                    "            points: {a: [-0.125, 0%s], b: [0.125, 0%s]}}\n"
                    "  rocker: {mass: 0.5, inertia: %s, position: [%.17g, %.17g%s],\n"
                    "           points: {a: [%.17g, %.17g%s], b: [%.17g, %.17g%s]}}\n"
                    "joints:\n"
                    "  one: {type: revolute, between: [ground, crank.a]%s}\n"
                    "  two: {type: revolute, between: [crank.b, coupler.a]%s}\n"
                    "  three: {type: revolute, between: [coupler.b, rocker.b]%s}\n"
                    "  four: {type: revolute, between: [ground.far, rocker.a]%s}\n"
                    "run: {until: 1, rtol: 1e-11, stabilisation: projection}\n",
                    spatial ? "spatial" : "planar", gravity, third, inertia[0], x / 2, y / 2, third, -x / 2,
                    -y / 2, third, x / 2, y / 2, third, inertia[1], y, third, third, third, third, inertia[0],
                    0.45 - x / 2, y / 2, third, x / 2, -y / 2, third, -x / 2, y / 2, third, axis, axis, axis,
                    axis);
}

static void test_four_bar(void **state) {
    (void)state;
    static const char *const names[] = {"coupler.x", "coupler.y", "coupler.vx", "rocker.vy",
                                        "one.fx",    "one.fy",    "two.fx",     "two.fy",
                                        "four.fx",   "four.fy",   NULL};
    static const char *const out_of_plane[] = {"one.fz",  "one.mx",    "one.my",     "two.fz", "three.mx",
                                               "four.fz", "coupler.z", "coupler.wx", NULL};
    rig plane = open_four_bar(false, 0);
    rig_rows expected = rig_sample(&plane, 100, names, false);
    for (int k = 0; k < 2; k++) {
        const double across = k == 0 ? 0 : -3;
        rig space = open_four_bar(true, across);
        // Four pins of five rows on three bodies that keep one freedom: three rows too many, of the last
        // pins.
        assert_int_equal(lash_system_freedoms(space.system), 1);
        for (size_t i = 0; i < 3; i++) {
            const char *row = lash_system_redundant(space.system, i);
            assert_non_null(row);
            assert_true(strstr(row, "three") || strstr(row, "four"));
        }
        assert_null(lash_system_redundant(space.system, 3));
        if (k == 1) { // the weight across the plane is shared evenly where everything is symmetric
            const double half = 0.5 * 1.3 * 3;
            assert_relative(rig_value(&space, "one.fz"), half, 1e-9);
            assert_relative(rig_value(&space, "four.fz"), half, 1e-9);
        }
        rig_rows rows = rig_sample(&space, 100, names, false);
        for (size_t c = 1; c < rows.columns; c++) {
            double scale = 0, worst = 0;
            for (size_t n = 0; n < rows.count; n++) {
                scale = fmax(scale, fabs(rig_at(&expected, n, c)));
                worst = fmax(worst, fabs(rig_at(&expected, n, c) - rig_at(&rows, n, c)));
            }
            if (!(worst <= AGREEMENT * scale))
                fail_msg("%s: %g of %g", names[c - 1], worst, scale);
        }
        rig_rows_close(&rows);
        rig_close(&space);
    }
    // Of all reactions that give this motion those with the least norm have nothing across the plane.
    rig flat = open_four_bar(true, 0);
    rig_rows none = rig_sample(&flat, 50, out_of_plane, false);
    for (size_t n = 0; n < none.count; n++)
        for (size_t c = 1; c < none.columns; c++)
            assert_near(rig_at(&none, n, c), 0, 1e-9);
    rig_rows_close(&none);
    rig_close(&flat);
    rig_rows_close(&expected);
    rig_close(&plane);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ideal),
        cmocka_unit_test(test_play_at_gudgeon),
        cmocka_unit_test(test_play_at_crankpin),
        cmocka_unit_test(test_play_at_main),
        cmocka_unit_test(test_four_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
