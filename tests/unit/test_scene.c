/* SPDX-License-Identifier: MIT
 *
 * What a drawing is told about a model: places, radii with play in each of the ways a file may give it,
 * springs behind the joints, shapes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lash/scene.h"

static const char TEXT[] =
    "gravity: [0, -9.81]\n"
    "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
    "ground: {points: {wall: [-1, 2]}}\n"
    "bodies:\n"
    "  arm: {mass: 1, inertia: 1, position: [0.5, 0], angle: 60 deg, points: {left: [-0.5, 0], right: [0.5, "
    "0]}}\n"
    "  wheel: {mass: 1, inertia: 1, position: [1, 0], shape: {cylinder: {radius: 20 mm}, box: {size: [1, "
    "2]}}}\n"
    "joints:\n"
    "  a: {type: revolute, between: [ground, arm.left], clearance: {bearing_radius: 10 mm, diametric: 1 mm,\n"
    "      materials: steel, contact: {restitution: 0.9}}}\n"
    "  b: {type: revolute, between: [arm.right, wheel], clearance: {bearing_radius: 10 mm, radial: 1 mm,\n"
    "      materials: steel, contact: {restitution: 0.9}, length: 5 mm}}\n"
    "  c: {type: point-on-line, between: [ground, wheel], axis: [3, 4]}\n"
    "forces:\n"
    "  weight: {type: torque, body: wheel, torque: 1}\n"
    "  coil: {type: spring, between: [ground.wall, arm.right], stiffness: 10}\n"
    "run: {until: 1}\n";

static lash_model *parse(const char *text) {
    lash_model *model;
    lash_error error = {0};
    if (lash_model_parse(&model, text, strlen(text), "scene.yaml", NULL, &error))
        fail_msg("%s", error.message);
    return model;
}

static void assert_near(double value, double wanted) {
    assert_true(fabs(value - wanted) <= 1e-15 * fmax(1, fabs(wanted)));
}

static void tells_bodies_and_points(void **state) {
    (void)state;
    lash_model *model = parse(TEXT);
    double gravity[3];
    lash_scene_gravity(gravity, model);
    assert_near(gravity[1], -9.81);
    assert_int_equal(lash_scene_space(model), LASH_PLANAR);
    assert_int_equal(lash_scene_body_count(model), 3);
    const lash_scene_body ground = lash_scene_body_at(model, 0), arm = lash_scene_body_at(model, 1);
    assert_string_equal(ground.name, "ground");
    assert_null(ground.shape);
    assert_near(ground.orientation[0], 1);
    assert_string_equal(arm.name, "arm");
    assert_near(arm.position[0], 0.5);
    assert_near(arm.orientation[0], sqrt(0.75)); // half of 60 degrees about z
    assert_near(arm.orientation[3], 0.5);
    assert_int_equal(lash_scene_point_count(model), 3);
    const lash_scene_point right = lash_scene_point_at(model, 2);
    assert_string_equal(right.name, "right");
    assert_int_equal(right.body, 1);
    assert_near(right.at[0], 0.5);
    lash_model_destroy(model);
}

static void tells_joints_and_springs(void **state) {
    (void)state;
    lash_model *model = parse(TEXT);
    assert_int_equal(lash_scene_joint_count(model), 4); // the torque is nothing between two points
    const lash_scene_joint a = lash_scene_joint_at(model, 0), b = lash_scene_joint_at(model, 1),
                           c = lash_scene_joint_at(model, 2), coil = lash_scene_joint_at(model, 3);
    assert_true(a.has_clearance);
    assert_int_equal(a.body[0], 0);
    assert_int_equal(a.body[1], 1);
    assert_near(a.at[1][0], -0.5);
    assert_near(a.bearing_radius, 0.010);
    assert_near(a.journal_radius, 0.0095);
    assert_true(isnan(a.length));
    assert_near(b.journal_radius, 0.009);
    assert_near(b.length, 0.005);
    assert_string_equal(c.type, "point-on-line");
    assert_false(c.has_clearance);
    assert_true(isnan(c.bearing_radius));
    assert_near(c.axis[0] / c.axis[1], 0.75);
    assert_string_equal(coil.name, "coil");
    assert_string_equal(coil.type, "spring");
    assert_near(coil.at[0][1], 2);
    assert_int_equal(coil.body[1], 1);
    lash_model_destroy(model);
}

static void tells_shapes(void **state) {
    (void)state;
    lash_model *model = parse(TEXT);
    const lash_shape_def *plain = lash_scene_body_at(model, 1).shape,
                         *wheel = lash_scene_body_at(model, 2).shape;
    assert_false(plain->has_cylinder || plain->has_box || plain->has_sphere || plain->has_link);
    assert_true(wheel->has_cylinder && wheel->has_box && !wheel->has_sphere);
    assert_near(wheel->cylinder.radius, 0.02);
    assert_true(isnan(wheel->cylinder.length) && isnan(wheel->cylinder.axis[0]));
    assert_near(wheel->cylinder.at[0], 0);
    assert_near(wheel->box.size[1], 2);
    lash_model_destroy(model);
}

static void refuses_wrong_shapes(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"{cylinder: {radius: -1}}", "shape.cylinder.radius"},
        {"{cylinder: {length: 1}}", "shape.cylinder.radius is missing"},
        {"{ball: {radius: 1}}", "'ball' is not a key of shape"},
        {"{sphere: {radius: 1 kg}}", "shape.sphere.radius"},
        {"{cylinder: {radius: 1, axis: [0, 0]}}", "shape.cylinder.axis"},
        {"round", "shape"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        lash_model *model;
        lash_error error = {0};
        snprintf(text, sizeof text, "bodies: {b: {mass: 1, inertia: 1, shape: %s}}\nrun: {until: 1}\n",
                 wrong[i][0]);
        assert_int_equal(lash_model_parse(&model, text, strlen(text), "m.yaml", NULL, &error),
                         LASH_ERROR_MODEL);
        assert_non_null(strstr(error.message, wrong[i][1]));
        assert_null(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_bodies_and_points), cmocka_unit_test(tells_joints_and_springs),
        cmocka_unit_test(tells_shapes), cmocka_unit_test(refuses_wrong_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
