/* SPDX-License-Identifier: MIT
 *
 * What a joint with play records is what acts: two free bodies that only the joint holds together. The
 * force and the moment at the joint's point of the second body, as recorded, give the accelerations of both
 * bodies by Newton and Euler; with friction, bristles and films, in the plane and in space.
 *   m_b a_b = F,   J_b α_b = M + S × F,   m_a a_a = −F,   J_a α_a = −(M + (r_b + S − r_a) × F)
 * J is the same about every axis, so that Euler's equations need no frame.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/rig.h"

static const double M[2] = {1.0, 0.7}, J[2] = {3e-3, 2e-3}, P[3] = {-0.12, 0.004, -0.01};
enum { ROWS = 400 };

static void cross(double out[3], const double a[3], const double b[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* p turned by Euler parameters. */
static void turn(double out[3], const double e[4], const double p[3]) {
    double once[3], twice[3];
    cross(once, e + 1, p);
    cross(twice, e + 1, once);
    for (int i = 0; i < 3; i++)
        out[i] = p[i] + 2 * (e[0] * once[i] + twice[i]);
}

/* Places of both bodies, accelerations, and the joint's force and moment, in space or in the plane. */
typedef struct instant {
    double r[2][3], a[2][3], alpha[2][3], S[3], F[3], M[3];
} instant;

static instant read_instant(const rig_rows *rows, size_t row, bool space) {
    instant now = {0};
    const double *v = rows->value + row * rows->columns + 1;
    if (space) {
        for (int b = 0; b < 2; b++)
            for (int i = 0; i < 3; i++) {
                now.r[b][i] = v[9 * b + i];
                now.a[b][i] = v[9 * b + 3 + i];
                now.alpha[b][i] = v[9 * b + 6 + i];
            }
        turn(now.S, v + 18, P);
        for (int i = 0; i < 3; i++) {
            now.F[i] = v[22 + i];
            now.M[i] = v[25 + i];
        }
        return now;
    }
    for (int b = 0; b < 2; b++) {
        for (int i = 0; i < 2; i++) {
            now.r[b][i] = v[5 * b + i];
            now.a[b][i] = v[5 * b + 2 + i];
        }
        now.alpha[b][2] = v[5 * b + 4];
    }
    const double c = cos(v[10]), s = sin(v[10]);
    now.S[0] = c * P[0] - s * P[1];
    now.S[1] = s * P[0] + c * P[1];
    now.F[0] = v[11], now.F[1] = v[12], now.M[2] = v[13];
    return now;
}

/* Largest error of Newton's and Euler's equations over the run, of the largest force; *most: that one. */
static void check(const char *what, const rig *r, bool space) {
    static const char *const plane_channels[] = {"a.x",     "a.y",  "a.ax", "a.ay", "a.alphaz",
                                                 "b.x",     "b.y",  "b.ax", "b.ay", "b.alphaz",
                                                 "b.angle", "j.fx", "j.fy", "j.mz", NULL};
    static const char *const space_channels[] = {
        "a.x",  "a.y",  "a.z",  "a.ax", "a.ay", "a.az",     "a.alphax", "a.alphay", "a.alphaz", "b.x",
        "b.y",  "b.z",  "b.ax", "b.ay", "b.az", "b.alphax", "b.alphay", "b.alphaz", "b.e0",     "b.e1",
        "b.e2", "b.e3", "j.fx", "j.fy", "j.fz", "j.mx",     "j.my",     "j.mz",     NULL};
    rig_rows rows = rig_sample(r, ROWS, space ? space_channels : plane_channels, false);
    double strongest = 0, twist = 0;
    for (size_t k = 0; k < rows.count; k++) {
        const instant now = read_instant(&rows, k, space);
        double at_b[3], arm[3], at_a[3], size = 1e-6;
        for (int i = 0; i < 3; i++) {
            arm[i] = now.r[1][i] + now.S[i] - now.r[0][i];
            size += fabs(now.F[i]);
        }
        cross(at_b, now.S, now.F);
        cross(at_a, arm, now.F);
        for (int i = 0; i < 3; i++) {
            rig_near(M[1] * now.a[1][i], now.F[i], 1e-11 * size, "%s: force on b, row %zu", what, k);
            rig_near(M[0] * now.a[0][i], -now.F[i], 1e-11 * size, "%s: force on a, row %zu", what, k);
            rig_near(J[1] * now.alpha[1][i], now.M[i] + at_b[i], 1e-11 * size, "%s: moment on b, row %zu",
                     what, k);
            rig_near(J[0] * now.alpha[0][i], -now.M[i] - at_a[i], 1e-11 * size, "%s: moment on a, row %zu",
                     what, k);
            twist = fmax(twist, fabs(now.M[i]));
        }
        strongest = fmax(strongest, size);
    }
    if (!(strongest > 1) || (strstr(what, "friction") && !(twist > 1e-4)))
        fail_msg("%s: nothing happened: %g N, %g N m", what, strongest, twist);
    rig_rows_close(&rows);
}

#define DRY "contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.8}, "

static void in_the_plane(void **state) {
    (void)state;
    static const char *const plays[] = {
        DRY "friction: {law: threlfall, coefficient: 0.2, vr: 0.01}",
        DRY "friction: {law: lugre, coefficient: 0.2, coefficient_static: 0.3}",
        DRY
        "friction: {law: threlfall, coefficient: 0.2, vr: 0.01}, lubricant: {film: short, viscosity: 10 cP}",
        DRY "lubricant: {film: short, viscosity: 0.1 Pa s, dry: false}",
        DRY "lubricant: {film: long, viscosity: 0.01 Pa s, dry: false}",
        "model: three-mode, restitution: 0, friction: {law: threlfall, coefficient: 0.2, vr: 0.01}",
    };
    for (size_t k = 0; k < sizeof plays / sizeof *plays; k++) {
        rig r = rig_open(
            "bodies:\n"
            "  a: {mass: %g, inertia: %g, angular_velocity: 40, points: {p: [0.1, 0]}}\n"
            "  b: {mass: %g, inertia: %g, position: [0.22, 0.03], angle: 20 deg, velocity: [1, -0.5],\n"
            "      angular_velocity: -25, points: {p: [%g, %g]}}\n"
            "joints: {j: {type: revolute, between: [a.p, b.p], clearance: {bearing_radius: 10 mm,\n"
            "         radial: 0.1 mm, length: 20 mm, %s}}}\n"
            "run: {until: 0.05, rtol: 1e-9}\n",
            M[0], J[0], M[1], J[1], P[0], P[1], plays[k]);
        check(plays[k], &r, false);
        rig_close(&r);
    }
}

static void in_space(void **state) {
    (void)state;
    static const struct {
        const char *joint, *play;
    } cases[] = {
        {"type: spherical", DRY "friction: {law: threlfall, coefficient: 0.2, vr: 0.01}"},
        {"type: spherical", DRY "friction: {law: lugre, coefficient: 0.2, coefficient_static: 0.3}"},
        {"type: spherical",
         "contact: {law: hertz, stiffness: 1e9}, lubricant: {film: squeeze-ball, viscosity: 0.5 Pa s}"},
        {"type: spherical", "model: three-mode, restitution: 0"},
        {"type: revolute, axis: [0, 0, 1]",
         "length: 20 mm, " DRY "friction: {law: threlfall, coefficient: 0.2, vr: 0.01}"},
        {"type: revolute, axis: [0, 0, 1]",
         "length: 20 mm, axial: 0.2 mm, " DRY "friction: {law: threlfall, coefficient: 0.2, vr: 0.01}"},
        {"type: revolute, axis: [0, 0, 1]",
         "length: 20 mm, " DRY "lubricant: {film: short, viscosity: 0.1 Pa s}"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rig r = rig_open(
            "space: spatial\n"
            "bodies:\n"
            "  a: {mass: %g, inertia: [%g, %g, %g], angular_velocity: [5, -10, 40], points: {p: [0.1, 0, "
            "0.02]}}\n"
            "  b: {mass: %g, inertia: [%g, %g, %g], position: [0.22, -0.004, 0.03], velocity: [1, 2, 0.5],\n"
            "      angular_velocity: [15, 8, -20], points: {p: [%g, %g, %g]}}\n"
            "joints: {j: {%s, between: [a.p, b.p], clearance: {bearing_radius: 10 mm, radial: 0.1 mm, %s}}}\n"
            "run: {until: 0.02, rtol: 1e-9}\n",
            M[0], J[0], J[0], J[0], M[1], J[1], J[1], J[1], P[0], P[1], P[2], cases[k].joint, cases[k].play);
        check(cases[k].play, &r, true);
        rig_close(&r);
    }
}

/* The same for stops, which act along what the joint leaves free. */
static void joints_with_stops(void **state) {
    (void)state;
    static const char *const stops[] = {"contact: {law: hertz, exponent: 1, stiffness: 1e5}",
                                        "model: three-mode, restitution: 0"};
    static const struct {
        const char *joint, *bounds;
        bool space;
    } cases[] = {
        {"type: revolute", "min: -0.2 rad, max: 0.3 rad", false},
        {"type: translational, axis: [0.6, 0.8]", "min: -1 mm, max: 2 mm", false},
        {"type: revolute, axis: [0.6, 0, 0.8]", "min: -0.2 rad, max: 0.3 rad", true},
        {"type: prismatic, axis: [0.6, 0, 0.8]", "min: -1 mm, max: 2 mm", true},
        {"type: cylindrical, axis: [0.6, 0, 0.8]", "coordinate: travel, min: -1 mm, max: 2 mm", true},
        {"type: cylindrical, axis: [0.6, 0, 0.8]", "coordinate: angle, min: -0.2 rad, max: 0.3 rad", true},
    };
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        const char *joint = cases[k / 2].joint, *bounds = cases[k / 2].bounds;
        const bool space = cases[k / 2].space;
        char bodies[900], what[200];
        if (space)
            snprintf(bodies, sizeof bodies,
                     "space: spatial\nbodies:\n  a: {mass: %g, inertia: [%g, %g, %g], angular_velocity: [5, "
                     "-10, 40],"
                     " points: {p: [0.1, 0, 0.02]}}\n"
                     "  b: {mass: %g, inertia: [%g, %g, %g], position: [0.22, -0.004, 0.03], velocity: [1, "
                     "2, 0.5],"
                     " angular_velocity: [15, 8, -20], points: {p: [%g, %g, %g]}}\n",
                     M[0], J[0], J[0], J[0], M[1], J[1], J[1], J[1], P[0], P[1], P[2]);
        else
            snprintf(bodies, sizeof bodies,
                     "bodies:\n  a: {mass: %g, inertia: %g, angular_velocity: 40, points: {p: [0.1, 0]}}\n"
                     "  b: {mass: %g, inertia: %g, position: [0.22, -0.004], velocity: [3, 4],"
                     " angular_velocity: -25, points: {p: [%g, %g]}}\n",
                     M[0], J[0], M[1], J[1], P[0], P[1]);
        snprintf(what, sizeof what, "%s, %s, %s", joint, bounds, stops[k % 2]);
        rig r = rig_open("%sjoints: {j: {%s, between: [a.p, b.p], stops: {%s, %s}}}\n"
                         "run: {until: 0.04, rtol: 1e-9}\n",
                         bodies, joint, bounds, stops[k % 2]);
        check(what, &r, space);
        if (lash_sim_summary(r.sim).events == 0)
            fail_msg("%s: no stop was met", what);
        rig_close(&r);
    }
}

/* What is said of a contact before the run: with the accelerations of both bodies, which nothing holds yet, the gap
 * closes at √(2 a c), a = |Δ(a + α × S + ω × (ω × S))|; along that direction n the bodies weigh 1/m =
 * Σ 1/m + (S × n)·J⁻¹(S × n), and an elastic impact has the closed form of Hertz's law. */
static void what_is_said_of_a_contact(void **state) {
    (void)state;
    static const double S[2][3] = {{0.2, 0.1, 0}, {-0.1, 0.3, 0}}, mass[2] = {2, 1};
    static const double inertia[2][3] = {{0.03, 0.05, 0.04}, {0.02, 0.01, 0.015}};
    static const char *const names[2] = {"a", "b"};
    const double c = 0.5e-3, K = 1e9;
    for (int space = 0; space < 2; space++) {
        rig r = rig_open(
            "%s"
            "joints: {pin: {between: [a.p, b.p], %s, radial: 0.5 mm, contact: {law: hertz, stiffness: "
            "%g}}}}\n"
            "run: {until: 0.01}\n",
            space ? "space: spatial\nbodies:\n"
                    "  a: {mass: 2, inertia: [0.03, 0.05, 0.04], points: {p: [0.2, 0.1, 0]},\n"
                    "    angular_velocity: [1, -2, 3]}\n"
                    "  b: {mass: 1, inertia: [0.02, 0.01, 0.015], points: {p: [-0.1, 0.3, 0]},\n"
                    "    position: [0.3, -0.2, 0], angular_velocity: [2, 4, -5]}\n"
                    "forces: {push: {type: force, at: a, force: [3, -4, 2]},\n"
                    "  turn: {type: torque, body: b, torque: [0.2, -0.1, 0.3]}}\n"
                  : "bodies:\n"
                    "  a: {mass: 2, inertia: 0.04, points: {p: [0.2, 0.1]}, angular_velocity: 3}\n"
                    "  b: {mass: 1, inertia: 0.015, points: {p: [-0.1, 0.3]}, position: [0.3, -0.2],\n"
                    "    angular_velocity: -5}\n"
                    "forces: {push: {type: force, at: a, force: [3, -4]},\n"
                    "  turn: {type: torque, body: b, torque: 0.7}}\n",
            space ? "type: spherical, clearance: {bearing_radius: 1 cm"
                  : "type: revolute, clearance: {bearing_radius: 1 cm",
            K);
        double a[3] = {0}, n[3], size = 0, light = 0;
        for (int k = 0; k < 2; k++) {
            double v[3][3] = {{0}}, part[2][3]; // acceleration, of turning, angular velocity
            static const char *const of[3] = {"a", "alpha", "w"};
            for (int q = 0; q < 3; q++)
                for (int i = space || q == 0 ? 0 : 2; i < (space || q > 0 ? 3 : 2); i++) {
                    char channel[20];
                    snprintf(channel, sizeof channel, "%s.%s%c", names[k], of[q], "xyz"[i]);
                    v[q][i] = rig_value(&r, channel);
                }
            cross(part[0], v[1], S[k]);
            double inner[3];
            cross(inner, v[2], S[k]);
            cross(part[1], v[2], inner);
            for (int i = 0; i < 3; i++)
                a[i] += (k ? 1 : -1) * (v[0][i] + part[0][i] + part[1][i]);
        }
        for (int i = 0; i < 3; i++)
            size += a[i] * a[i];
        size = sqrt(size);
        for (int i = 0; i < 3; i++)
            n[i] = a[i] / size;
        for (int k = 0; k < 2; k++) {
            double arm[3];
            cross(arm, S[k], n);
            light += 1 / mass[k];
            for (int i = 0; i < 3; i++)
                light += arm[i] * arm[i] / inertia[k][i];
        }
        const lash_clearance_info info = lash_system_clearance(r.system, 0);
        const double m = 1 / light, v = sqrt(2 * size * c), deep = pow(1.25 * m * v * v / K, 0.4);
        assert_true(size > 1);
        rig_near(info.typical_speed, v, 1e-9 * v, "typical speed");
        rig_near(info.effective_mass, m, 1e-9 * m, "effective mass");
        rig_near(info.max_penetration, deep, 1e-6 * deep, "depth");
        rig_near(info.max_force, K * pow(deep, 1.5), 1e-6 * K * pow(deep, 1.5), "force");
        rig_near(info.contact_time, 2.9432753 * deep / v, 1e-6 * deep / v, "time"); // 2 ∫ dx/√(1 − x^2.5)
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_plane),
        cmocka_unit_test(in_space),
        cmocka_unit_test(joints_with_stops),
        cmocka_unit_test(what_is_said_of_a_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
