/* SPDX-License-Identifier: MIT
 *
 * Forces in space against closed forms: bushings, forces and torques in ground and body axes, springs between
 * points, springs, friction and loads along joint angles over several turns; momentum and the ledger.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

/* Small oscillations on a bushing in the body's own middle: three along, one about, damped or not. */
static void test_bushing_oscillates(void **state) {
    (void)state;
    static const double m = 2, J = 0.03, k[3] = {800, 1800, 3200}, c = 20, kt = 40, ct = 0.1, x0 = 1e-3,
                        w0 = 1e-3;
    rig r = rig_open("space: spatial\n"
                     "bodies: {b: {mass: %g, inertia: [0.02, 0.025, %g], position: [%g, %g, %g],\n"
                     "             angular_velocity: [0, 0, %g]}}\n"
                     "forces: {rubber: {type: bushing, between: [ground, b], along: [%g, %g, %g],\n"
                     "  about: [50, 60, %g], damping_along: [0, 0, %g], damping_about: [0, 0, %g]}}\n"
                     "run: {until: 2, rtol: 1e-12}\n",
                     m, J, x0, x0, x0, w0, k[0], k[1], k[2], kt, c, ct);
    static const char *const channels[] = {"b.x", "b.y", "b.z", "b.e3", "energy.balance", NULL};
    rig_rows rows = rig_sample(&r, 100, channels, false);
    for (size_t n = 0; n < rows.count; n++) {
        const double t = rig_at(&rows, n, 0);
        for (int i = 0; i < 2; i++)
            assert_near(rig_at(&rows, n, 1 + (size_t)i), x0 * cos(sqrt(k[i] / m) * t), 1e-9 * x0);
        const double d = c / (2 * m), w = sqrt(k[2] / m - d * d);
        assert_near(rig_at(&rows, n, 3), x0 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t)), 1e-9 * x0);
        const double dt = ct / (2 * J), wt = sqrt(kt / J - dt * dt);
        assert_near(2 * rig_at(&rows, n, 4), w0 / wt * exp(-dt * t) * sin(wt * t), 1e-6 * w0 / wt);
        assert_near(rig_at(&rows, n, 5), 0, 1e-12);
    }
    rig_rows_close(&rows);
    rig_close(&r);
}

/* Momentum of two bodies about the origin from channels: p = Σ m v, h = Σ r × m v + J ω (balls). */
static void momentum(double p[3], double h[3], const rig *r, const double m[2], const double J[2]) {
    static const char *const names[2] = {"a", "b"};
    for (int i = 0; i < 3; i++)
        p[i] = h[i] = 0;
    for (int body = 0; body < 2; body++) {
        double x[3], v[3], w[3];
        for (int i = 0; i < 3; i++) {
            char name[16];
            snprintf(name, sizeof name, "%s.%c", names[body], 'x' + i);
            x[i] = rig_value(r, name);
            snprintf(name, sizeof name, "%s.v%c", names[body], 'x' + i);
            v[i] = rig_value(r, name);
            snprintf(name, sizeof name, "%s.w%c", names[body], 'x' + i);
            w[i] = rig_value(r, name);
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            p[i] += m[body] * v[i];
            h[i] += m[body] * (x[j] * v[l] - x[l] * v[j]) + J[body] * w[i];
        }
    }
}

/* Two balls coupled by every kind of inner force, far from rest: nothing from outside. */
static void test_inner_forces(void **state) {
    (void)state;
    static const char *const forces[] = {
        "type: bushing, between: [a.p, b.p], along: [300, 200, 500], about: [3, 4, 5], damping_along: [1, 2, "
        "1], "
        "damping_about: [0.1, 0.2, 0.3]",
        "type: spring, between: [a.p, b.p], stiffness: 200, damping: 3, free_length: 0.4",
        "type: spring, between: [a.p, b.p], actuator: \"30*sin(9*t)\"",
        "type: torque, body: a, reaction: b, torque: [1, \"2*cos(3*t)\", -1], frame: body",
    };
    const double m[2] = {1.5, 0.7}, J[2] = {0.02, 0.01};
    for (size_t k = 0; k < sizeof forces / sizeof *forces; k++) {
        rig r = rig_open(
            "space: spatial\n"
            "bodies:\n"
            "  a: {mass: %g, inertia: [%g, %g, %g], position: [0.1, 0.2, 0.3], velocity: [1, 0, -1],\n"
            "      points: {p: [0.1, 0.05, -0.1]}, angular_velocity: [1, 2, 3]}\n"
            "  b: {mass: %g, inertia: [%g, %g, %g], position: [0.5, 0, 0.2], velocity: [0, -1, 0.5],\n"
            "      points: {p: [-0.1, 0.1, 0]}, angular_velocity: [-2, 0, 4]}\n"
            "forces: {f: {%s}}\n"
            "run: {until: 1, rtol: 1e-11}\n",
            m[0], J[0], J[0], J[0], m[1], J[1], J[1], J[1], forces[k]);
        double p[2][3], h[2][3];
        momentum(p[0], h[0], &r, m, J);
        rig_step_to(&r, 1);
        momentum(p[1], h[1], &r, m, J);
        for (int i = 0; i < 3; i++) {
            assert_near(p[1][i], p[0][i], 1e-10);
            assert_near(h[1][i], h[0][i], 1e-9);
        }
        const lash_summary summary = lash_sim_summary(r.sim);
        assert_true(summary.energy_exchanged > 0.1);
        assert_true(summary.max_balance_error <= 1e-9 * summary.energy_exchanged);
        rig_close(&r);
    }
}

/* On a spinning ball: a force in body axes turns with it, one in ground axes does not; a torque in body axes
 * changes ω′ evenly, one in ground axes ω. */
static void test_axes_of_forces(void **state) {
    (void)state;
    static const double m = 2, J = 0.1, w = 5, F = 3, T = 0.4, end = 3;
    static const char *const body =
        "space: spatial\n"
        "bodies: {b: {mass: 2, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, 5],\n"
        "             points: {p: [0.1, 0, 0]}}}\n";
    rig r = rig_open("%sforces: {f: {type: force, at: b, force: [%g, 0, 0], frame: body}}\n"
                     "run: {until: 3, rtol: 1e-11}\n",
                     body, F);
    rig_step_to(&r, end);
    assert_near(rig_value(&r, "b.vx"), F / (m * w) * sin(w * end), 1e-9);
    assert_near(rig_value(&r, "b.vy"), F / (m * w) * (1 - cos(w * end)), 1e-9);
    assert_near(rig_value(&r, "b.wz"), w, 1e-12);
    rig_close(&r);
    // At a point, along z in body axes: the moment (p × F)′ = (0, −0.1 F, 0) is even in body axes.
    r = rig_open("%sforces: {f: {type: force, at: b.p, force: [0, 0, %g], frame: body}}\n"
                 "run: {until: 3, rtol: 1e-11}\n",
                 body, F);
    rig_step_to(&r, end);
    assert_near(rig_value(&r, "b.wby"), -0.1 * F / J * end, 1e-9);
    assert_near(rig_value(&r, "b.wbz"), w, 1e-9);
    rig_close(&r);
    r = rig_open("%sforces: {f: {type: force, at: b, force: [%g, 0, \"t\"]},\n"
                 "         t: {type: torque, body: b, torque: [%g, 0, 0]}}\n"
                 "run: {until: 3, rtol: 1e-11}\n",
                 body, F, T);
    rig_step_to(&r, end);
    assert_near(rig_value(&r, "b.vx"), F / m * end, 1e-10);
    assert_near(rig_value(&r, "b.vz"), end * end / (2 * m), 1e-10);
    assert_near(rig_value(&r, "b.wx"), T / J * end, 1e-10);
    assert_near(rig_value(&r, "b.wy"), 0, 1e-10);
    assert_near(rig_value(&r, "b.wz"), w, 1e-10);
    rig_close(&r);
    r = rig_open("%sforces: {t: {type: torque, body: b, torque: [%g, 0, 0], frame: body}}\n"
                 "run: {until: 3, rtol: 1e-11}\n",
                 body, T);
    rig_step_to(&r, end);
    assert_near(rig_value(&r, "b.wbx"), T / J * end, 1e-10);
    assert_near(rig_value(&r, "b.wby"), 0, 1e-10);
    assert_near(rig_value(&r, "b.wbz"), w, 1e-10);
    rig_close(&r);
}

/* Two bodies on a spring swing along the line between them with their reduced mass. */
static void test_spring(void **state) {
    (void)state;
    static const double k = 90, m1 = 1, m2 = 2, stretch = 0.1;
    rig r = rig_open("space: spatial\n"
                     "bodies:\n"
                     "  a: {mass: %g, inertia: [1, 1, 1]}\n"
                     "  b: {mass: %g, inertia: [1, 1, 1], position: [0.2, 0.4, 0.4]}\n"
                     "forces: {s: {type: spring, between: [a, b], stiffness: %g, free_length: %g}}\n"
                     "run: {until: 2, rtol: 1e-11}\n",
                     m1, m2, k, 0.6 - stretch);
    rig_step_to(&r, 1.7);
    const double w = sqrt(k * (m1 + m2) / (m1 * m2)), length = 0.6 - stretch + stretch * cos(w * 1.7);
    const char *const axes[3] = {"x", "y", "z"};
    static const double direction[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3};
    for (int i = 0; i < 3; i++) {
        char name[2][8];
        snprintf(name[0], sizeof name[0], "a.%s", axes[i]);
        snprintf(name[1], sizeof name[1], "b.%s", axes[i]);
        assert_near(rig_value(&r, name[1]) - rig_value(&r, name[0]), direction[i] * length, 1e-10);
    }
    rig_close(&r);
}

/* Along a joint's angle, over more than three turns: spring, load table and friction see the counted angle.
 */
static void test_along_an_angle(void **state) {
    (void)state;
    static const double J = 0.02, k = 0.5, far = 10, c = 0.05;
    static const char *const types[] = {"revolute", "cylindrical"};
    static const char *const springs[] = {
        "type: joint-spring, joint: j, stiffness: 0.5, free: 10 rad",
        "type: load, over: j, joint: j, table: {points: [[-10, 10], [30, -10]], interpolation: linear}"};
    for (size_t n = 0; n < 4; n++) {
        rig r =
            rig_open("space: spatial\n"
                     "bodies: {b: {mass: 1, inertia: [%g, 0.03, 0.03, 0, 0, 0.005], position: [0.2, 0, 0]}}\n"
                     "joints: {j: {type: %s, between: [ground, b], axis: [1, 0, 0]}}\n"
                     "forces: {f: {%s}}\n"
                     "run: {until: 2, rtol: 1e-11}\n",
                     J, types[n % 2], springs[n / 2]);
        const double w = sqrt(k / J);
        double most = 0;
        for (int i = 1; i <= 20; i++) {
            rig_step_to(&r, 0.1 * i);
            const double angle = far * (1 - cos(w * 0.1 * i));
            assert_near(rig_value(&r, "j.angle"), angle, 1e-8);
            most = fmax(most, angle);
        }
        assert_true(most > 6 * RIG_PI);
        rig_close(&r);
    }
    rig r = rig_open("space: spatial\n"
                     "bodies: {b: {mass: 1, inertia: [%g, 0.03, 0.03], angular_velocity: [40, 0, 0]}}\n"
                     "joints: {j: {type: revolute, between: [ground, b], axis: [1, 0, 0]}}\n"
                     "forces: {f: {type: viscous, joint: j, coefficient: %g}}\n"
                     "run: {until: 2, rtol: 1e-11}\n",
                     J, c);
    rig_step_to(&r, 2);
    assert_near(rig_value(&r, "j.angle"), 40 * J / c * (1 - exp(-c / J * 2)), 1e-9);
    assert_near(rig_value(&r, "energy.damping"), 0.5 * J * 1600 * (1 - exp(-2 * c / J * 2)), 1e-8);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bushing_oscillates), cmocka_unit_test(test_inner_forces),
        cmocka_unit_test(test_axes_of_forces),     cmocka_unit_test(test_spring),
        cmocka_unit_test(test_along_an_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
