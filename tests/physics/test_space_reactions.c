/* SPDX-License-Identifier: MIT
 *
 * Every joint in space by what it means, not by its equations: a body on the ground under a force and a
 * torque. Only the freedoms that the joint allows move, and all of them do; force and moment of the joint are
 * those of Newton and Euler for the motion seen, and do no work. With the axis, d from the ground's point to
 * the body's, R the turn so far:
 *   m a = F + f,   J α + ω × J ω = T + M + r × f     (about the centre of mass; r to the body's point)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "physics/rig.h"

static const double MASS = 2, INERTIA[3] = {0.02, 0.03, 0.04};
static const double FORCE[3] = {3, -2, 5}, TORQUE[3] = {0.11, 0.23, -0.31};
static const double POINT[3] = {0.1, 0.05, -0.02}, AXIS[3] = {0.3, -0.5, 0.8}, SECOND[3] = {0.5, 0.3, 0};
static const double END = 0.15, CLOSED = 1e-9, BALANCED = 1e-8, MOVED = 1e-4;

typedef enum place { HERE, ON_LINE, IN_PLANE } place;
typedef enum turn { NONE, ABOUT_AXIS, ACROSS, ANY } turn;

static const struct {
    const char *type, *more;
    place place;
    turn turn;
    double pitch; // m, of a screw
} joints[] = {
    {"spherical", "", HERE, ANY, 0},
    {"revolute", ", axis: [0.3, -0.5, 0.8]", HERE, ABOUT_AXIS, 0},
    {"cylindrical", ", axis: [0.3, -0.5, 0.8]", ON_LINE, ABOUT_AXIS, 0},
    {"prismatic", ", axis: [0.3, -0.5, 0.8]", ON_LINE, NONE, 0},
    {"universal", ", axis: [0.3, -0.5, 0.8], second_axis: [0.5, 0.3, 0]", HERE, ACROSS, 0},
    {"planar", ", axis: [0.3, -0.5, 0.8]", IN_PLANE, ABOUT_AXIS, 0},
    {"fixed", "", HERE, NONE, 0},
    {"point-on-line", ", axis: [0.3, -0.5, 0.8]", ON_LINE, ANY, 0},
    {"point-in-plane", ", axis: [0.3, -0.5, 0.8]", IN_PLANE, ANY, 0},
    {"screw", ", axis: [0.3, -0.5, 0.8], pitch: 20 mm", ON_LINE, ABOUT_AXIS, 0.02},
};

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double out[3], const double a[3], const double b[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double size(const double a[3]) {
    return sqrt(dot(a, a));
}

/* Body axes → ground axes, from Euler parameters. */
static void rotate(double out[3], const double e[4], const double x[3]) {
    double once[3], twice[3];
    cross(once, e + 1, x);
    cross(twice, e + 1, once);
    for (int i = 0; i < 3; i++)
        out[i] = x[i] + 2 * e[0] * once[i] + 2 * twice[i];
}

static void read3(double out[3], const rig *r, const char *object, const char *quantity) {
    static const char axes[] = "xyz";
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.%s%c", object, quantity, axes[i]);
        out[i] = rig_value(r, name);
    }
}

static void near_zero(double x, double tolerance, const char *joint, const char *what) {
    if (!(fabs(x) <= tolerance))
        fail_msg("%s: %s is %.3g", joint, what, x);
}

/* What the joint keeps closed, and that it lets the rest move. */
static void check_freedoms(size_t k, const rig *r, const double e[4], const double d[3]) {
    const char *type = joints[k].type;
    const double unit = size(AXIS), a[3] = {AXIS[0] / unit, AXIS[1] / unit, AXIS[2] / unit},
                 along = dot(a, d);
    double aside[3], turned[3], angle = 2 * atan2(size((double[]){e[1], e[2], e[3]}), e[0]);
    cross(aside, a, d);
    rotate(turned, e, a);
    const double tilt = size((double[]){turned[0] - a[0], turned[1] - a[1], turned[2] - a[2]});
    if (joints[k].place == HERE)
        near_zero(size(d), CLOSED, type, "the distance of its points");
    if (joints[k].place == ON_LINE)
        near_zero(size(aside), CLOSED, type, "the way off its axis");
    if (joints[k].place == IN_PLANE)
        near_zero(along, CLOSED, type, "the way off its plane");
    if (joints[k].place == ON_LINE)
        assert_true(fabs(along) > MOVED);
    if (joints[k].place == IN_PLANE)
        assert_true(size(aside) > MOVED);
    if (joints[k].turn == NONE)
        near_zero(angle, CLOSED, type, "its turn");
    if (joints[k].turn == ABOUT_AXIS) {
        near_zero(tilt, CLOSED, type, "the tilt of its axis");
        assert_true(fabs(angle) > MOVED);
    }
    if (joints[k].turn == ACROSS) {
        double second[3];
        rotate(second, e, SECOND);
        near_zero(dot(AXIS, second), CLOSED, type, "the cosine between its axes");
        assert_true(fabs(angle) > MOVED);
    }
    if (joints[k].turn == ANY)
        assert_true(tilt > MOVED);
    if (joints[k].pitch != 0) {
        const double sense = dot((double[]){e[1], e[2], e[3]}, a) < 0 ? -1 : 1;
        near_zero(along - joints[k].pitch * sense * angle / (2 * RIG_PI), CLOSED, type,
                  "travel less pitch by turns");
    }
    (void)r;
}

static void test_every_joint(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
        rig r =
            rig_open("space: spatial\n"
                     "ground: {points: {o: [0.3, 0.35, 0.38]}}\n"
                     "bodies: {b: {mass: 2, inertia: [0.02, 0.03, 0.04], points: {p: [0.1, 0.05, -0.02]},\n"
                     "             position: [0.2, 0.3, 0.4]}}\n"
                     "joints: {j: {type: %s, between: [ground.o, b.p]%s}}\n"
                     "forces:\n"
                     "  f: {type: force, at: b, force: [3, -2, 5]}\n"
                     "  t: {type: torque, body: b, torque: [0.11, 0.23, -0.31]}\n"
                     "run: {until: 1 s, rtol: 1e-12, stabilisation: projection}\n",
                     joints[k].type, joints[k].more);
        rig_step_to(&r, END);
        const double e[4] = {rig_value(&r, "b.e0"), rig_value(&r, "b.e1"), rig_value(&r, "b.e2"),
                             rig_value(&r, "b.e3")};
        const double back[4] = {e[0], -e[1], -e[2], -e[3]};
        double x[3], v[3], a[3], w[3], alpha[3], f[3], M[3], p[3], d[3];
        read3(x, &r, "b", "");
        read3(v, &r, "b", "v");
        read3(a, &r, "b", "a");
        read3(w, &r, "b", "w");
        read3(alpha, &r, "b", "alpha");
        read3(f, &r, "j", "f");
        read3(M, &r, "j", "m");
        rotate(p, e, POINT);
        const double o[3] = {0.3, 0.35, 0.38};
        for (int i = 0; i < 3; i++)
            d[i] = x[i] + p[i] - o[i];
        check_freedoms(k, &r, e, d);

        // Newton.
        for (int i = 0; i < 3; i++)
            near_zero(MASS * a[i] - FORCE[i] - f[i], BALANCED * 10, joints[k].type, "m a - F - f");
        // Euler, in body axes.
        double wb[3], ab[3], L[3], gyro[3], moment[3], lever[3], mb[3];
        rotate(wb, back, w);
        rotate(ab, back, alpha);
        for (int i = 0; i < 3; i++)
            L[i] = INERTIA[i] * wb[i];
        cross(gyro, wb, L);
        cross(lever, p, f);
        for (int i = 0; i < 3; i++)
            moment[i] = TORQUE[i] + M[i] + lever[i];
        rotate(mb, back, moment);
        for (int i = 0; i < 3; i++)
            near_zero(INERTIA[i] * ab[i] + gyro[i] - mb[i], BALANCED, joints[k].type,
                      "J alpha + w x J w - moments");
        // No work: on the ground nothing moves.
        double vp[3];
        cross(vp, w, p);
        for (int i = 0; i < 3; i++)
            vp[i] += v[i];
        near_zero(dot(f, vp) + dot(M, w), BALANCED, joints[k].type, "the power of the joint");
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_joint)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
