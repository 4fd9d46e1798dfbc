/* SPDX-License-Identifier: MIT
 *
 * Pins in space with oil, and pins that slide along their sleeve: parallel to its sleeve a pin moves as in the
 * plane, and the forces of its two halves add up; tilted, it conserves momentum and energy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

/* A bar that hangs in an oiled pin, in the plane and in space, with all else the same. */
static void same_in_plane_and_space(const char *joint, const char *film, double length, double share,
                                    const char *extra, double until, double agreement) {
    rig plane = rig_open(
        "gravity: [2, -9.81]\nbodies: {bar: {mass: 0.5, inertia: 0.002, position: [0.1, 0], points: "
        "{pin: [-0.1, 0]}}}\njoints: {j: {type: revolute, between: [ground, bar.pin], clearance: "
        "{bearing_radius: 10 mm, radial: 0.1 mm, length: %.17g, contact: {stiffness: 1e9, restitution: "
        "0.8}%s, lubricant: {film: %s, viscosity: 0.4}}}}\nrun: {until: %g s, rtol: 1e-11}\n",
        share * length, extra, film, until);
    rig space = rig_open(
        "space: spatial\ngravity: [2, -9.81, 0]\nbodies: {bar: {mass: 0.5, inertia: [0.001, 0.003, 0.002], "
        "position: [0.1, 0, 0], points: {pin: [-0.1, 0, 0]}}}\njoints: {j: {type: %s, axis: [0, 0, 1], "
        "between: [ground, bar.pin], clearance: {bearing_radius: 10 mm, radial: 0.1 mm, length: %.17g, "
        "contact: {stiffness: 1e9, restitution: 0.8}%s, lubricant: {film: %s, viscosity: 0.4}}}}\nrun: "
        "{until: %g s, rtol: 1e-11}\n",
        joint, length, extra, film, until);
    static const char *const channels[] = {"bar.x", "bar.y", "bar.vx", "bar.vy", "bar.wz"};
    for (int k = 1; k <= 20; k++) {
        rig_step_to(&plane, until * k / 20);
        rig_step_to(&space, until * k / 20);
        for (size_t c = 0; c < 5; c++)
            rig_near(rig_value(&space, channels[c]), rig_value(&plane, channels[c]),
                     agreement * (c < 2 ? 0.1 : 1 + fabs(rig_value(&plane, channels[c]))),
                     "%s, %s: %s at %d/20", joint, film, channels[c], k);
        const double fx = rig_value(&plane, "j.fx"), fy = rig_value(&plane, "j.fy");
        rig_near(rig_value(&space, "j.fx"), fx, agreement * 1e4, "%s, %s: force along x at %d/20", joint,
                 film, k);
        rig_near(rig_value(&space, "j.fy"), fy, agreement * 1e4, "%s, %s: force along y at %d/20", joint,
                 film, k);
        rig_near(2 * rig_value(&space, "j.end1.film"), rig_value(&plane, "j.film"), agreement * 1e4,
                 "%s, %s: film at %d/20", joint, film, k);
    }
    const double lost = lash_sim_summary(plane.sim).clearances[0].film_loss;
    if (!(lost > 1e-5))
        fail_msg("%s, %s: %g J lost in the film only", joint, film, lost);
    rig_near(2 * lash_sim_summary(space.sim).clearances[0].film_loss, lost, agreement * lost, "%s, %s: loss",
             joint, film);
    rig_near(rig_value(&space, "j.tilt"), 0, 1e-12, "%s, %s: tilt", joint, film);
    rig_ledger(&plane, 1e-9);
    rig_ledger(&space, 1e-9);
    rig_close(&plane);
    rig_close(&space);
}

static void oil_as_in_the_plane(void **state) {
    (void)state;
    static const char *const joints[2] = {"revolute", "cylindrical"};
    for (int k = 0; k < 2; k++) {
        same_in_plane_and_space(joints[k], "squeeze-long", 0.03, 1, "", 0.2, 1e-8);
        same_in_plane_and_space(joints[k], "long", 0.03, 1, "", 0.2, 1e-8);
        // The force of a short film goes with L³, two halves carry a quarter; its drag goes with L, and is
        // left out.
        same_in_plane_and_space(joints[k], "short, shear: no", 0.008, pow(0.25, 1.0 / 3), "", 0.2, 1e-8);
    }
    same_in_plane_and_space("revolute", "squeeze-long", 0.03, 1,
                            ", friction: {law: ambrosio, coefficient: 0.1, v0: 1e-3, v1: 1e-2}", 0.2, 1e-8);
}

/* A pin thrown askew into the oil of a free sleeve: momentum and angular momentum stay, the ledger closes. */
static void tilted_pins_keep_momentum(void **state) {
    (void)state;
    static const char *const joints[2] = {"revolute", "cylindrical"};
    static const char *const films[3] = {"squeeze-long", "long", "short"};
    for (int n = 0; n < 6; n++) {
        rig r = rig_open(
            "space: spatial\nbodies: {a: {mass: 2, inertia: [0.01, 0.01, 0.01], position: [0.1, 0.2, 0.3]}, "
            "b: "
            "{mass: 0.5, inertia: [3e-4, 3e-4, 3e-4], position: [0.1, 0.2, 0.3]}}\njoints: {j: {type: %s, "
            "between: [a, b], axis: [0.8, 0.6, 0], clearance: {length: 0.02, bearing_radius: 0.02, radial: "
            "0.2 mm, contact: {stiffness: 1e9, restitution: 0.6}, friction: {law: ambrosio, coefficient: "
            "0.1, v0: 1e-3, v1: 1e-2}, lubricant: {film: %s, viscosity: 0.02}}}}\nrun: {until: 0.05 s, "
            "rtol: 1e-10}\n",
            joints[n / 3], films[n % 3]);
        // Velocities as the axial constraint of a revolute joint allows them: across the axis.
        static const double start[12] = {0.06, -0.08, 0.5, 1.5, 0.5, -1, -0.3, 0.4, 0.1, 4, 1, -3};
        lash_error error = {0};
        const size_t count = lash_sim_coordinate_count(r.sim);
        double y[26];
        assert_int_equal(count, 26);
        lash_sim_coordinates(y, r.sim);
        memcpy(y + 14, start, sizeof start);
        rig_require(lash_sim_project_coordinates(y, r.sim, &error), &error, "velocities");
        rig_require(lash_sim_set_coordinates(r.sim, y, &error), &error, "start");
        static const char *const names[2][9] = {
            {"a.x", "a.y", "a.z", "a.vx", "a.vy", "a.vz", "a.wx", "a.wy", "a.wz"},
            {"b.x", "b.y", "b.z", "b.vx", "b.vy", "b.vz", "b.wx", "b.wy", "b.wz"}};
        const double mass[2] = {2, 0.5}, inertia[2] = {0.01, 3e-4};
        double first[6] = {0}, tilt = 0;
        for (int k = 0; k <= 20; k++) {
            double now[6] = {0};
            if (k)
                rig_step_to(&r, 0.0025 * k);
            tilt = fmax(tilt, rig_value(&r, "j.tilt"));
            for (int b = 0; b < 2; b++) {
                double q[9];
                for (int i = 0; i < 9; i++)
                    q[i] = rig_value(&r, names[b][i]);
                for (int i = 0; i < 3; i++) {
                    const int u = (i + 1) % 3, v = (i + 2) % 3;
                    now[i] += mass[b] * q[3 + i];
                    now[3 + i] += mass[b] * (q[u] * q[3 + v] - q[v] * q[3 + u]) + inertia[b] * q[6 + i];
                }
            }
            for (int i = 0; i < 6; i++) {
                first[i] = k ? first[i] : now[i];
                rig_near(now[i], first[i], 1e-10, "%s, %s at %g s: momentum %d", joints[n / 3], films[n % 3],
                         0.0025 * k, i);
            }
        }
        const double lost = lash_sim_summary(r.sim).clearances[0].film_loss;
        if (!(lost > 1e-5 && tilt > 1e-3))
            fail_msg("%s, %s: %g J lost in the film, %g rad of tilt only", joints[n / 3], films[n % 3], lost,
                     tilt);
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oil_as_in_the_plane),
        cmocka_unit_test(tilted_pins_keep_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
