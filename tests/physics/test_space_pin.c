/* SPDX-License-Identifier: MIT
 *
 * A pin with play in space: its end stops, its two ends in static balance, its fall without tilt against the
 * plane's, the ledger of a fall with tilt, stops and friction, and its angle where it tilts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

/* The sim begins again with three velocities of a body (0 the first), from the `first` of its six on: a start
 * is taken from the ideal mechanism, which would not allow them. */
static void set_rates(rig *r, size_t body, size_t bodies, size_t first, const double rates[3]) {
    lash_error error = {0};
    const size_t count = lash_sim_coordinate_count(r->sim);
    assert_int_equal(count, 13 * bodies);
    double *y = malloc(count * sizeof *y);
    assert_non_null(y);
    lash_sim_coordinates(y, r->sim);
    double *v = y + 7 * bodies + 6 * body + first;
    memcpy(v, rates, 3 * sizeof *v);
    lash_sim_destroy(r->sim);
    rig_require(lash_sim_create_at(&r->sim, r->system, y, &error), &error, "create");
    free(y);
}

/* A pin slides between its stops, a apart to either side of the middle: with the law that gives the
 * restitution asked for, its speed falls by e at each, and the flights last 2a/v. */
static void test_stops(void **state) {
    (void)state;
    static const double a = 1e-3, e = 0.7, v0 = 0.2;
    rig r = rig_open(
        "space: spatial\n"
        "bodies:\n"
        "  sleeve: {mass: 1, inertia: [1e-3, 1e-3, 1e-3]}\n"
        "  pin: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4, 1e-5, 0, 0]}\n"
        "joints:\n"
        "  j: {type: revolute, between: [sleeve, pin], axis: [1, 2, 2], clearance: {\n"
        "      bearing_radius: 10 mm, radial: 0.1 mm, length: 30 mm, axial: %g, axial_stiffness: 1e9,\n"
        "      contact: {law: exact, stiffness: 2e9, restitution: %g}}}\n"
        "run: {until: 0.1, rtol: 1e-10}\n",
        a, e);
    assert_int_equal(lash_system_freedoms(r.system), 12);
    set_rates(&r, 1, 2, 0, (const double[]){v0 / 3, v0 * 2 / 3, v0 * 2 / 3});
    static const char *const channels[] = {"pin.vx", "sleeve.vx", "j.ex", "j.end1.fn", "j.tilt", NULL};
    lash_error error = {0};
    lash_record *record = NULL;
    const lash_record_options options = {
        .channels = channels, .channel_count = 5, .samples = 50, .every = LASH_UNSET};
    rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
    rig_require(lash_record_to_memory(record, &error), &error, "record");
    rig_require(lash_sim_run(r.sim, record, NULL, &error), &error, "run");
    size_t count, rows;
    const lash_event *events = lash_record_events(&count, record);
    const double *row = lash_record_rows(&rows, record, LASH_STREAM_SAMPLES);
    assert_true(count >= 8);
    double speed = v0, last = 0;
    for (size_t k = 0; k < 8; k++) {
        assert_string_equal(events[k].joint, "j.stop");
        if (events[k].kind == LASH_EVENT_ONSET) {
            assert_relative(events[k].speed, speed, 1e-7);
            assert_relative(events[k].time - last, (k == 0 ? a : 2 * a) / speed, 1e-7);
        } else {
            speed *= e;
            last = events[k].time;
            assert_relative(events[k].speed, speed, 1e-6);
        }
    }
    for (size_t k = 0; k < rows; k++) { // momentum, and nothing sideways
        assert_near(0.5 * row[6 * k + 1] + row[6 * k + 2], 0.5 * v0 / 3, 1e-14);
        assert_near(row[6 * k + 4], 0, 0);
        assert_near(row[6 * k + 5], 0, 1e-12);
    }
    lash_record_destroy(record);
    rig_close(&r);
}

/* A rod whose weight hangs beside its pin, held by dampers until it rests: end forces from the balance of
 * moments, tilt from the two indentations. F = K/2 δ per end. */
static void test_tilted_rod(void **state) {
    (void)state;
    static const double m = 2, g = 9.81, length = 0.03, c = 1e-4, K = 2e7;
    static const double beside[] = {0, 0.006, 0.05}; // m, of the centre of mass from the pin's middle
    for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) {
        rig r =
            rig_open("space: spatial\n"
                     "gravity: [0, 0, -%g]\n"
                     "bodies: {rod: {mass: %g, inertia: [1e-3, 2e-3, 2e-3], position: [%g, 0, 0],\n"
                     "               points: {pin: [-%g, 0, 0]}}}\n"
                     "joints:\n"
                     "  j: {type: revolute, between: [ground, rod.pin], axis: [1, 0, 0], clearance: {\n"
                     "      bearing_radius: 10 mm, radial: %g, length: %g,\n"
                     "      contact: {law: hunt-crossley, stiffness: %g, exponent: 1, restitution: 0.5}}}\n"
                     "forces: {oil: {type: bushing, between: [ground, rod.pin],\n"
                     "               damping_along: [0, 2000, 2000], damping_about: [1, 1, 1]}}\n"
                     "run: {until: 2, rtol: 1e-8, method: gear}\n",
                     g, m, beside[k], beside[k], c, length, K);
        rig_step_to(&r, 2);
        const double second = m * g * (0.5 + beside[k] / length), first = m * g * (0.5 - beside[k] / length);
        assert_relative(rig_value(&r, "j.end2.fn"), second, 1e-5);
        assert_relative(rig_value(&r, "j.end1.fn"), fabs(first), 1e-5);
        assert_relative(rig_value(&r, "j.fz"), m * g, 1e-6);
        assert_near(rig_value(&r, "j.my"), -m * g * beside[k] * cos(rig_value(&r, "j.tilt")), 1e-5);
        const double e1 = (first > 0 ? -1 : 1) * (c + fabs(first) / (K / 2)), e2 = -c - second / (K / 2);
        assert_near(sin(rig_value(&r, "j.tilt")), fabs(e2 - e1) / length, 1e-9);
        assert_near(rig_value(&r, "j.ez"), (e1 + e2) / 2, 1e-9);
        assert_near(rig_value(&r, "j.ex"), 0, 1e-12);
        rig_close(&r);
    }
}

/* Falling without tilt, spinning, on an oblique axis: the journal of the plane, half the force at each end.
 */
static void test_fall_as_in_the_plane(void **state) {
    (void)state;
    static const double u[3] = {2.0 / 3, 1.0 / 3, 2.0 / 3}, v[3] = {-2.0 / 3, 2.0 / 3, 1.0 / 3};
    static const char *const frictions[] = {"law: none", "law: threlfall, coefficient: 0.2",
                                            "law: lugre, coefficient: 0.2"};
    static const char *const plane_channels[] = {"b.x", "b.y", "b.wz", "j.fn", "j.fx", "j.mz", NULL};
    static const char *const space_channels[] = {"b.x",       "b.y",    "b.z",  "b.wx", "j.end1.fn",
                                                 "j.end2.fn", "j.tilt", "j.fx", "j.my", NULL};
    for (size_t f = 0; f < sizeof frictions / sizeof *frictions; f++) {
        char play[256];
        snprintf(play, sizeof play,
                 "clearance: {bearing_radius: 10 mm, radial: 0.1 mm, length: 20 mm,\n"
                 "  contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.8}, friction: {%s}}",
                 frictions[f]);
        rig plane = rig_open("gravity: [3, -9]\n"
                             "bodies: {b: {mass: 0.2, inertia: 8e-6, angular_velocity: 30}}\n"
                             "joints: {j: {type: revolute, between: [ground, b], %s}}\n"
                             "run: {until: 0.03, rtol: 1e-11}\n",
                             play);
        rig space = rig_open(
            "space: spatial\n"
            "gravity: [%.17g, %.17g, %.17g]\n"
            "bodies: {b: {mass: 0.2, inertia: [8e-6, 8e-6, 8e-6], angular_velocity: [-10, -20, 20]}}\n"
            "joints: {j: {type: revolute, between: [ground, b], axis: [-1, -2, 2], %s}}\n"
            "run: {until: 0.03, rtol: 1e-11}\n",
            3 * u[0] - 9 * v[0], 3 * u[1] - 9 * v[1], 3 * u[2] - 9 * v[2], play);
        rig_rows p = rig_sample(&plane, 100, plane_channels, false),
                 s = rig_sample(&space, 100, space_channels, false);
        for (size_t k = 0; k < p.count; k++) {
            for (int i = 0; i < 3; i++)
                assert_near(rig_at(&s, k, 1 + (size_t)i), rig_at(&p, k, 1) * u[i] + rig_at(&p, k, 2) * v[i],
                            1e-12);
            assert_near(rig_at(&s, k, 4), -rig_at(&p, k, 3) / 3, 1e-6);
            assert_near(rig_at(&s, k, 5), rig_at(&p, k, 4) / 2, 1e-4);
            assert_near(rig_at(&s, k, 6), rig_at(&p, k, 4) / 2, 1e-4);
            assert_near(rig_at(&s, k, 7), 0, 1e-8);
            assert_near(rig_at(&s, k, 9), rig_at(&p, k, 6) * -2 / 3, 1e-6);
        }
        rig_rows_close(&p);
        rig_rows_close(&s);
        rig_close(&plane);
        rig_close(&space);
    }
}

/* Everything at once: the ledger closes, and energy only falls. */
static void test_ledger(void **state) {
    (void)state;
    static const char *const frictions[] = {"law: none", "law: stribeck, coefficient: 0.1",
                                            "law: lugre, coefficient: 0.1"};
    static const char *const channels[] = {"energy.kinetic", "energy.potential", "energy.elastic", "j.tilt",
                                           NULL};
    for (size_t f = 0; f < sizeof frictions / sizeof *frictions; f++) {
        rig r =
            rig_open("space: spatial\n"
                     "gravity: [2, -9, 1]\n"
                     "bodies:\n"
                     "  arm: {mass: 1, inertia: [2e-3, 3e-3, 4e-3, 2e-4, 0, 0], position: [0.1, 0, 0.02],\n"
                     "        points: {a: [-0.1, 0, -0.02], b: [0.1, 0, 0]}}\n"
                     "  end: {mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], position: [0.25, 0, 0.02],\n"
                     "        points: {b: [-0.05, 0, 0]}}\n"
                     "joints:\n"
                     "  main: {type: revolute, between: [ground, arm.a], axis: [0, 0, 1]}\n"
                     "  j: {type: revolute, between: [arm.b, end.b], axis: [0, 0, 1], clearance: {\n"
                     "      bearing_radius: 8 mm, radial: 0.05 mm, length: 20 mm, axial: 0.05 mm,\n"
                     "      contact: {stiffness: 5e8, restitution: 0.8}, friction: {%s}}}\n"
                     "run: {until: 0.1, rtol: 1e-9}\n",
                     frictions[f]);
        assert_int_equal(lash_system_freedoms(r.system), 7);
        rig_rows rows = rig_sample(&r, 200, channels, false);
        const lash_summary summary = lash_sim_summary(r.sim);
        assert_true(summary.max_balance_error <= 1e-9 * summary.energy_exchanged);
        double least = INFINITY, tilt = 0;
        for (size_t k = 0; k < rows.count; k++) {
            const double energy = rig_at(&rows, k, 1) + rig_at(&rows, k, 2) + rig_at(&rows, k, 3);
            // Bristles hold a little energy that the ledger counts as lost when they deflect.
            assert_true(energy <= least + summary.max_balance_error + (f == 2 ? 1e-6 : 0));
            least = fmin(least, energy);
            tilt = fmax(tilt, rig_at(&rows, k, 4));
        }
        assert_true(tilt > 1e-3); // the ends do touch apart
        size_t touched = 0;
        for (size_t k = 0; k < summary.clearance_count; k++)
            touched += summary.clearances[k].contacts > 0;
        assert_int_equal(summary.clearance_count, 3);
        assert_int_equal(touched, 3);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* A rotor wobbles freely within the play of its pin: R(t) = turn(H, Ωt) turn(z, ψ̇t), H inclined by α to the
 * bearing. Its angle is the twist of that product of quaternions, 2 atan2(z, w), with all its turns. */
static void test_angle_of_a_wobbling_rotor(void **state) {
    (void)state;
    static const double across = 1e-3, along = 1.5e-3, w1 = 22, w3 = 100; // kg m², rad/s
    const double alpha = atan2(across * w1, along * w3), precession = hypot(w1, along * w3 / across),
                 nutation = w3 * (1 - along / across);
    rig r = rig_open("space: spatial\n"
                     "bodies: {rotor: {mass: 1, inertia: [%g, %g, %g]}}\n"
                     "joints:\n"
                     "  pin: {type: revolute, between: [ground, rotor], axis: [0, 0, 1], clearance: {\n"
                     "        bearing_radius: 20 mm, radial: 5 mm, length: 20 mm,\n"
                     "        contact: {stiffness: 1e8, restitution: 0.5}}}\n"
                     "run: {until: 6, rtol: 1e-11}\n",
                     across, across, along);
    set_rates(&r, 0, 1, 3, (const double[]){w1, 0, w3});
    static const char *const channels[] = {"pin.angle", "pin.wz", "pin.tilt", "pin.end1.mode", NULL};
    rig_rows rows = rig_sample(&r, 1000, channels, false);
    double tilt = 0;
    for (size_t k = 0; k < rows.count; k++) {
        const double t = rig_at(&rows, k, 0), half = precession * t / 2, turns = round(half / RIG_PI),
                     c = cos(half), s = cos(alpha) * sin(half);
        assert_near(rig_at(&rows, k, 1), nutation * t + 2 * (atan(cos(alpha) * tan(half)) + RIG_PI * turns),
                    1e-7);
        assert_near(rig_at(&rows, k, 2), nutation + precession * cos(alpha) / (c * c + s * s), 1e-6);
        assert_near(rig_at(&rows, k, 4), 0, 0);
        tilt = fmax(tilt, rig_at(&rows, k, 3));
    }
    assert_near(tilt, 2 * alpha, 1e-3);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* What acts on the angle of a pin that tilts does not ask where a body's axes across the pin point. */
static void test_angle_and_axes_of_the_body(void **state) {
    (void)state;
    static const char *const channels[] = {"bar.x", "bar.vz", "bar.wx", "bar.wz", "pin.wz", "pin.tilt", NULL};
    double end[2][7];
    for (size_t k = 0; k < 2; k++) {
        const double turn = k == 0 ? 0 : 0.7; // rad, of the body's axes about the pin's
        rig r = rig_open("space: spatial\n"
                         "gravity: [0, 0, -9.81]\n"
                         "bodies:\n"
                         "  bar: {mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0.1, 0, 0],\n"
                         "        orientation: {axis: [0, 0, 1], angle: %.17g},\n"
                         "        points: {a: [%.17g, %.17g, 0]}}\n"
                         "joints:\n"
                         "  pin: {type: revolute, between: [ground, bar.a], axis: [0, 0, 1], clearance: {\n"
                         "        bearing_radius: 15 mm, radial: 1 mm, length: 50 mm,\n"
                         "        contact: {law: hertz, stiffness: 1e7}}}\n"
                         "forces: {motor: {type: joint-spring, joint: pin, actuator: 2 N m}}\n"
                         "run: {until: 0.05, rtol: 1e-11}\n",
                         turn, -0.1 * cos(turn), 0.1 * sin(turn));
        rig_rows rows = rig_sample(&r, 1, channels, false);
        for (size_t c = 0; c < 7; c++)
            end[k][c] = rig_at(&rows, 1, c);
        rig_rows_close(&rows);
        rig_close(&r);
    }
    assert_true(end[0][6] > 0.01); // it tilts
    for (size_t c = 1; c < 7; c++)
        assert_near(end[1][c], end[0][c], 1e-8 * fmax(1, fabs(end[0][c])));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_tilted_rod),
        cmocka_unit_test(test_fall_as_in_the_plane),
        cmocka_unit_test(test_ledger),
        cmocka_unit_test(test_angle_of_a_wobbling_rotor),
        cmocka_unit_test(test_angle_and_axes_of_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
