/* SPDX-License-Identifier: MIT
 *
 * Models in space: orientations against products of elementary rotations and back, inertia tensors against
 * closed forms, files in every form a value may have, and the check of models built in C.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lash/scene.h"
#include "math/expression.h"
#include "model/model.h"

static const double PI = 3.14159265358979323846;
static const double ROUNDING = 1e-15; // of numbers of size one, per operation

static void near(double found, double wanted, double tolerance) {
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%.17g, wanted %.17g", found, wanted);
}

static uint64_t random_state = 5;

static double uniform(double low, double high) { // splitmix64
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// ---- orientations

static void multiply(double out[3][3], const double a[3][3], const double b[3][3]) {
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

// Turn about coordinate axis k.
static void elementary(double out[3][3], size_t k, double angle) {
    const size_t i = (k + 1) % 3, j = (k + 2) % 3;
    memset(out, 0, 9 * sizeof **out);
    out[k][k] = 1;
    out[i][i] = out[j][j] = cos(angle);
    out[j][i] = sin(angle);
    out[i][j] = -sin(angle);
}

static void same_matrix(const double orientation[4], const double wanted[3][3], double tolerance) {
    double A[3][3];
    assert_true(lashi_orientation_matrix(A, orientation));
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            near(A[i][j], wanted[i][j], tolerance);
}

static void test_about(void **state) {
    (void)state;
    double e[4], wanted[3][3];
    for (size_t k = 0; k < 3; k++) {
        double axis[3] = {0};
        axis[k] = 2.5; // any length
        for (int i = -8; i <= 8; i++) {
            assert_true(lash_orientation_about(e, axis, i * PI / 4 + 0.1));
            elementary(wanted, k, i * PI / 4 + 0.1);
            same_matrix(e, wanted, 4 * ROUNDING);
        }
    }
    // A third of a turn about the diagonal exchanges the axes in turn, however long the diagonal is written.
    const double lengths[] = {1, 1e-300, 1e300}, cyclic[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (size_t i = 0; i < 3; i++) {
        const double axis[3] = {lengths[i], lengths[i], lengths[i]};
        assert_true(lash_orientation_about(e, axis, 2 * PI / 3));
        same_matrix(e, cyclic, 4 * ROUNDING);
    }
    const double zero[3] = {0}, broken[3] = {1, LASH_UNSET, 0}, z[3] = {0, 0, 1};
    assert_false(lash_orientation_about(e, zero, 1));
    assert_false(lash_orientation_about(e, broken, 1));
    assert_false(lash_orientation_about(e, z, (double)INFINITY));
}

static void test_angles(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        const double roll = uniform(-4, 4), pitch = uniform(-4, 4), yaw = uniform(-4, 4);
        double x[3][3], y[3][3], z[3][3], zy[3][3], wanted[3][3], e[4];
        elementary(x, 0, roll);
        elementary(y, 1, pitch);
        elementary(z, 2, yaw);
        multiply(zy, z, y);
        multiply(wanted, zy, x);
        lash_orientation_angles(e, roll, pitch, yaw);
        same_matrix(e, wanted, 8 * ROUNDING);
    }
}

// The columns of a rotation matrix give it back, half turns among them, where e0 is zero.
static void test_axes(void **state) {
    (void)state;
    double e[4], A[3][3];
    for (int i = 0; i < 300; i++) {
        if (i < 30) {
            const double axis[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
            lash_orientation_about(e, axis, PI * (i % 2) + (i < 20 ? 0 : uniform(-1e-6, 1e-6)));
        } else
            lash_orientation_angles(e, uniform(-4, 4), uniform(-4, 4), uniform(-4, 4));
        assert_true(lashi_orientation_matrix(A, e));
        double x[3], y[3], back[4];
        for (size_t k = 0; k < 3; k++) {
            x[k] = 3 * A[k][0];
            y[k] = 0.2 * A[k][1] - 5 * A[k][0]; // made perpendicular
        }
        assert_true(lash_orientation_axes(back, x, y));
        same_matrix(back, (const double(*)[3])A, 1e-13); // y is short against what is taken off it
        near(back[0] * back[0] + back[1] * back[1] + back[2] * back[2] + back[3] * back[3], 1, 1e-14);
        assert_true(back[0] >= 0);
    }
    const double x[3] = {1, 2, 3}, minus[3] = {-2, -4, -6}, zero[3] = {0}, near_x[3] = {1, 2, 3 + 1e-9};
    const double beside[3] = {1, 2, 3 + 1e-7};
    assert_false(lash_orientation_axes(e, x, x));
    assert_false(lash_orientation_axes(e, x, minus));
    assert_false(lash_orientation_axes(e, x, zero));
    assert_false(lash_orientation_axes(e, zero, x));
    assert_false(lash_orientation_axes(e, x, near_x));
    assert_true(lash_orientation_axes(e, x, beside));
}

static void test_lengths(void **state) {
    (void)state;
    const double long_one[4] = {3e200, 0, 0, 4e200}, zero[4] = {0}, broken[4] = {1, 0, LASH_UNSET, 0};
    double e[4], A[3][3];
    assert_true(lashi_orientation_unit(e, long_one));
    near(e[0], 0.6, ROUNDING);
    near(e[3], 0.8, ROUNDING);
    assert_false(lashi_orientation_matrix(A, zero));
    assert_false(lashi_orientation_matrix(A, broken));
}

// ---- inertia

// A box a × b × c about its corner, products and all, becomes the box about its centre.
static void test_parallel_axes(void **state) {
    (void)state;
    const double a = 0.3, b = 0.5, c = 0.2, m = 7;
    lash_body_def body = lash_body_default();
    body.mass = m;
    const double corner[6] = {m * (b * b + c * c) / 3, m * (a * a + c * c) / 3, m * (a * a + b * b) / 3,
                              -m * a * b / 4,          -m * a * c / 4,          -m * b * c / 4};
    memcpy(body.inertia, corner, sizeof corner);
    const double at[3] = {-a / 2, -b / 2, -c / 2};
    memcpy(body.inertia_at, at, sizeof at);
    double J[6];
    assert_true(lashi_body_inertia(J, &body));
    const double wanted[6] = {m * (b * b + c * c) / 12, m * (a * a + c * c) / 12, m * (a * a + b * b) / 12};
    for (size_t i = 0; i < 6; i++)
        near(J[i], wanted[i], 1e-15);
}

static void test_inertia_axes(void **state) {
    (void)state;
    const double z[3] = {0, 0, 1}, phi = 0.7, c = cos(phi), s = sin(phi);
    lash_body_def body = lash_body_default();
    body.inertia[0] = 2, body.inertia[1] = 3, body.inertia[2] = 4; // products unset: zero
    double J[6];
    assert_true(lashi_body_inertia(J, &body));
    assert_true(J[0] == 2 && J[1] == 3 && J[2] == 4 && J[3] == 0 && J[4] == 0 && J[5] == 0);
    assert_true(lash_orientation_about(body.inertia_axes, z, phi));
    assert_true(lashi_body_inertia(J, &body));
    const double wanted[6] = {2 * c * c + 3 * s * s, 2 * s * s + 3 * c * c, 4, (2 - 3) * s * c, 0, 0};
    for (size_t i = 0; i < 6; i++)
        near(J[i], wanted[i], 8 * ROUNDING);
    memset(body.inertia_axes, 0, sizeof body.inertia_axes);
    assert_false(lashi_body_inertia(J, &body));
}

// The moments of a turned diagonal tensor are its diagonal, also when they are far apart or equal.
static void test_principal_moments(void **state) {
    (void)state;
    const double diagonals[][3] = {{1, 1, 1}, {1, 1, 1.5}, {0.2, 0.9, 1}, {1e-8, 1, 1}, {-1, 0.5, 2}};
    for (size_t i = 0; i < 200; i++) {
        const double *wanted = diagonals[i % 5];
        lash_body_def body = lash_body_default();
        memcpy(body.inertia, wanted, 3 * sizeof *wanted);
        lash_orientation_angles(body.inertia_axes, uniform(-4, 4), uniform(-4, 4), uniform(-4, 4));
        double J[6], moments[3];
        assert_true(lashi_body_inertia(J, &body));
        lashi_principal_moments(moments, J);
        for (size_t k = 0; k < 3; k++)
            near(moments[k], wanted[k], 2e-14);
    }
}

// ---- files

static void print_mistake(void *user, const lash_error *mistake) {
    (void)user;
    if (mistake->status)
        print_error("%s:%d:%d: %s\n", mistake->file, mistake->line, mistake->column, mistake->message);
}

static lash_model *parse(const char *text) {
    lash_load_options options = {.report = print_mistake};
    lash_model *model;
    if (lash_model_parse(&model, text, strlen(text), "test.yaml", &options, NULL))
        fail_msg("not read:\n%s", text);
    return model;
}

static void test_file(void **state) {
    (void)state;
    lash_model *model =
        parse("gravity: [0, 0, -9.81 m/s^2]\n"
              "ground: {points: {pivot: [0.8, 0, 10 cm]}}\n"
              "bodies:\n"
              "  rod:\n"
              "    mass: 2\n"
              "    inertia: [4 kg m^2, 5, 6, 0.1, -0.2, 0.3]\n"
              "    position: [25 mm, 1 in, 3]\n"
              "    velocity: [1, 2, 3]\n"
              "    angular_velocity: [1 rpm, 0, 2]\n"
              "    hold: [z, vz, orientation, w]\n"
              "    points: {tip: [1, 2, 30 cm]}\n"
              "  disc: {mass: 1, inertia: [6, 5, 4], inertia_at: rim, points: {rim: [0.5, 0, 0.1]}}\n"
              "  cone: {mass: 1, inertia: [6, 5, 4], inertia_at: cone.top, points: {top: [0, 0.1, 0]}}\n"
              "  ring: {mass: 1, inertia: [6, 5, 4], inertia_at: [0, 0, 0.1], inertia_axes: [2, 0, 0, 0]}\n"
              "forces:\n"
              "  push: {type: force, at: rod.tip, force: [1, sin(t), 2*t]}\n"
              "space: $where\n" // the last line, and a switch: it still counts for all above
              "parameters: {where: {choose: spatial, from: [planar, spatial]}}\n");
    assert_int_equal(model->space, LASH_SPATIAL);
    assert_true(model->gravity[2] == -9.81);
    const lash_body_def *rod = &model->bodies[1].def;
    const double tensor[6] = {4, 5, 6, 0.1, -0.2, 0.3};
    assert_memory_equal(rod->inertia, tensor, sizeof tensor);
    assert_true(rod->position[2] == 3 && rod->velocity[2] == 3 && rod->angular_velocity[2] == 2);
    near(rod->angular_velocity[0], 2 * PI / 60, ROUNDING);
    assert_int_equal(rod->hold, LASH_HOLD_Z | LASH_HOLD_VZ | LASH_HOLD_ANGLE | LASH_HOLD_W);
    assert_true(isnan(rod->inertia_at[0]) && rod->orientation[0] == 1);
    size_t body;
    double at[3];
    assert_true(lashi_model_find_point(&body, at, model, "rod.tip") && at[2] == 0.3);
    assert_true(lashi_model_find_point(&body, at, model, "ground.pivot") && at[2] == 0.1);
    assert_true(model->bodies[2].def.inertia_at[0] == 0.5 && model->bodies[2].def.inertia_at[2] == 0.1);
    assert_true(model->bodies[3].def.inertia_at[0] == 0 && model->bodies[3].def.inertia_at[1] == 0.1);
    assert_true(model->bodies[4].def.inertia_at[2] == 0.1 && model->bodies[4].def.inertia_axes[0] == 2);
    near(lashi_expression_value(model->forces[0].def.force[2], 3), 6, 0);
    lash_model_destroy(model);
}

// One orientation, a third of a turn about (1, 1, 1), in all forms; drawings see it too.
static void test_forms(void **state) {
    (void)state;
    static const char *const forms[] = {
        "{axis: [2, 2, 2], angle: 120 deg}",
        "{angle: 2*pi/3, axis: [1, 1, 1]}",
        "[1, 1, 1, 1]",
        "[-0.5, -0.5, -0.5, -0.5]",
        "{x: [0, 1, 0], y: [0, 3, 1]}",
        "{x: [0, 2, 0], z: [1, 7, 0]}",
        "{y: [0, 0, 1], z: [1, 0, -5]}",
        "{z: [1, 0, -5], y: [0, 0, 1]}",
        "{roll: 90 deg, yaw: 90 deg}",
    };
    const double cyclic[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "space: spatial\n"
                 "bodies: {rod: {mass: 1, inertia: [1, 1, 1], orientation: %s, inertia_axes: %s}}\n",
                 forms[i], forms[i]);
        lash_model *model = parse(text);
        same_matrix(model->bodies[1].def.orientation, cyclic, 8 * ROUNDING);
        same_matrix(model->bodies[1].def.inertia_axes, cyclic, 8 * ROUNDING);
        const lash_scene_body body = lash_scene_body_at(model, 1);
        same_matrix(body.orientation, cyclic, 8 * ROUNDING);
        near(fabs(body.orientation[0]), 0.5, ROUNDING);
        lash_model_destroy(model);
    }
}

// ---- models built in C

static lash_model *new_model(lash_space space, const lash_body_def *body) {
    lash_model *model;
    assert_int_equal(lash_model_create(&model, space, NULL), LASH_OK);
    assert_int_equal(lash_model_add_body(model, "bob", body, NULL), LASH_OK);
    return model;
}

static void expect_mistake(lash_model *model, const char *text) {
    lash_error error = {0};
    assert_int_equal(lash_model_validate(model, &error), LASH_ERROR_MODEL);
    if (!strstr(error.message, text))
        fail_msg("'%s' is not in '%s'", text, error.message);
    lash_model_destroy(model);
}

static lash_body_def ball(void) {
    lash_body_def body = lash_body_default();
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.4;
    return body;
}

static void test_check(void **state) {
    (void)state;
    lash_body_def body = ball();
    lash_model *model = new_model(LASH_SPATIAL, &body);
    const double gravity[3] = {0, 0, -9.81};
    assert_int_equal(lash_model_set_gravity(model, gravity, NULL), LASH_OK);
    assert_true(model->gravity[2] == -9.81);
    assert_int_equal(lash_model_validate(model, NULL), LASH_OK);
    lash_model_destroy(model);

    body.hold = LASH_HOLD_Z | LASH_HOLD_VZ;
    model = new_model(LASH_SPATIAL, &body);
    assert_int_equal(lash_model_validate(model, NULL), LASH_OK);
    lash_model_destroy(model);
    expect_mistake(new_model(LASH_PLANAR, &body), "hold has unknown bits");

    body = ball();
    body.inertia_at[0] = body.inertia_at[1] = body.inertia_at[2] = 0;
    expect_mistake(new_model(LASH_PLANAR, &body), "'inertia_at' is for spatial models");
    body = ball();
    memset(body.orientation, 0, sizeof body.orientation);
    expect_mistake(new_model(LASH_SPATIAL, &body), "orientation: Euler parameters that are all zero");
    body = ball();
    body.inertia[4] = (double)INFINITY;
    expect_mistake(new_model(LASH_SPATIAL, &body), "every component of inertia must be a finite number");
    body = ball();
    body.inertia[2] = LASH_UNSET;
    expect_mistake(new_model(LASH_SPATIAL, &body), "inertia is missing");
}

// A flat disc is the limit, Jx + Jy = Jz; rounding must not refuse it, nor a tensor written in turned axes.
static void test_triangle(void **state) {
    (void)state;
    for (int i = 0; i < 50; i++) {
        lash_body_def body = ball();
        const double moments[3] = {uniform(0.1, 1), uniform(0.1, 1), 0};
        body.inertia[0] = moments[0];
        body.inertia[1] = moments[1];
        body.inertia[2] = moments[0] + moments[1];
        lash_orientation_angles(body.inertia_axes, uniform(-4, 4), uniform(-4, 4), uniform(-4, 4));
        lash_model *model = new_model(LASH_SPATIAL, &body);
        assert_int_equal(lash_model_validate(model, NULL), LASH_OK);
        lash_model_destroy(model);
        body.inertia[2] *= 1 + 1e-6;
        expect_mistake(new_model(LASH_SPATIAL, &body), "exceeds the sum of the other two");
    }
}

// What a joint of one space is refused for in the other.
static void test_misfits(void **state) {
    (void)state;
    const lash_body_def body = ball();
    lash_model *model = new_model(LASH_SPATIAL, &body);
    lash_joint_def joint = lash_joint_default("translational");
    joint.between[0] = "ground";
    joint.between[1] = "bob";
    joint.axis[0] = 1, joint.axis[1] = joint.axis[2] = 0;
    assert_int_equal(lash_model_add_joint(model, "guide", &joint, NULL), LASH_OK);
    expect_mistake(model, "type 'translational' is for planar models; in space use prismatic");

    model = new_model(LASH_PLANAR, &body);
    joint = lash_joint_default("revolute");
    joint.between[0] = "ground";
    joint.between[1] = "bob";
    joint.has_clearance = true;
    joint.clearance.bearing_radius = 0.01;
    joint.clearance.radial = 1e-4;
    joint.clearance.contact.stiffness = 1e9;
    joint.clearance.contact.restitution = 0.9;
    joint.clearance.axial = 1e-4;
    assert_int_equal(lash_model_add_joint(model, "pin", &joint, NULL), LASH_OK);
    expect_mistake(model, "'clearance.axial' is for spatial models");

    model = new_model(LASH_SPATIAL, &body);
    lash_drive_def drive = lash_drive_default();
    drive.body = "bob";
    drive.speed = 1;
    assert_int_equal(lash_model_add_drive(model, "motor", &drive, NULL), LASH_OK);
    expect_mistake(model, "'body' is for planar models; in space drive a joint");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_about),
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_parallel_axes),
        cmocka_unit_test(test_inertia_axes),
        cmocka_unit_test(test_principal_moments),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_triangle),
        cmocka_unit_test(test_misfits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
