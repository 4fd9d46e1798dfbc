/* SPDX-License-Identifier: MIT
 *
 * What a drawing is told about a model: places, play of every kind with its numbers in each of the ways a
 * file may give them, springs behind the joints, shapes.
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
    assert_int_equal(a.play_count, 1);
    assert_int_equal(a.body[0], 0);
    assert_int_equal(a.body[1], 1);
    assert_near(a.at[1][0], -0.5);
    const lash_scene_play diametric = lash_scene_play_at(model, 0, 0),
                          radial = lash_scene_play_at(model, 1, 0);
    assert_string_equal(diametric.drawn, "circle");
    assert_near(diametric.bearing_radius, 0.010);
    assert_near(diametric.journal_radius, 0.0095);
    assert_true(isnan(diametric.length) && isnan(diametric.height) && isnan(diametric.min));
    assert_int_equal(b.play_count, 1);
    assert_near(radial.journal_radius, 0.009);
    assert_near(radial.length, 0.005);
    assert_string_equal(c.type, "point-on-line");
    assert_int_equal(c.play_count, 0);
    assert_int_equal(coil.play_count, 0);
    assert_near(c.axis[0] / c.axis[1], 0.75);
    assert_string_equal(coil.name, "coil");
    assert_string_equal(coil.type, "spring");
    assert_near(coil.at[0][1], 2);
    assert_int_equal(coil.body[1], 1);
    lash_model_destroy(model);
}

static bool lists(const char *const *names, const char *name) {
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* A block, a hinge that has stops and a clearance, wheels, a rack; and the same kinds in space. */
static void tells_every_play(void **state) {
    (void)state;
    lash_model *model = parse(
        "bodies:\n"
        "  block: {mass: 1, inertia: 1}\n"
        "  arm: {mass: 1, inertia: 1}\n"
        "  wheel: {mass: 1, inertia: 1, position: [3, 0]}\n"
        "joints:\n"
        "  slide: {type: translational, between: [ground, block], axis: [3, 4], stops: {max: 0.5, contact: "
        "{stiffness: 1e6, restitution: 0.8}}, clearance: {length: 100 mm, height: 50 mm, play: 2 mm, "
        "contact: "
        "{stiffness: 1e9, restitution: 0.8}}}\n"
        "  hinge: {type: revolute, between: [ground, arm], stops: {min: -60 deg, max: 90 deg, contact: "
        "{stiffness: 1e6, restitution: 0.8}}, clearance: {model: three-mode, radial: 1 mm, restitution: "
        "0.5}}\n"
        "  mesh: {type: gear, between: [arm, wheel], ratio: 2, backlash: {circumferential: 0.1 mm, "
        "pressure_angle: 60 deg, stiffness: 1e7 N/m}}\n"
        "  rack: {type: rack-and-pinion, between: [block, wheel], axis: [1, 0], radius: 1, backlash: "
        "{normal: 0.2 mm, pressure_angle: 20 deg, stiffness: 1e7 N/m}}\n"
        "run: {until: 1}\n");
    assert_int_equal(lash_scene_joint_at(model, 0).play_count, 2);
    const lash_scene_play channel = lash_scene_play_at(model, 0, 0), travel = lash_scene_play_at(model, 0, 1),
                          point = lash_scene_play_at(model, 1, 0), angle = lash_scene_play_at(model, 1, 1),
                          teeth = lash_scene_play_at(model, 2, 0), rack = lash_scene_play_at(model, 3, 0);
    assert_string_equal(channel.drawn, "channel");
    assert_near(channel.length, 0.1);
    assert_near(channel.height, 0.05);
    assert_near(channel.play, 0.002);
    assert_true(isnan(channel.width) && isnan(channel.bearing_radius));
    assert_near(channel.up[0], -0.8);
    assert_near(channel.up[1], 0.6);
    assert_true(lists(channel.channels, "tilt") && lists(channel.channels, "corner4.mode"));
    assert_string_equal(travel.drawn, "stops");
    assert_false(travel.turns);
    assert_near(travel.max, 0.5);
    assert_true(isnan(travel.min));
    assert_true(lists(travel.channels, "s") && lists(travel.forces, "max.fn"));
    // Without radii the journal is a point in a ring of the size of the play.
    assert_near(point.bearing_radius, 0.001);
    assert_near(point.journal_radius, 0);
    assert_true(angle.turns && lists(angle.channels, "angle"));
    assert_near(angle.min, -M_PI / 3);
    assert_near(angle.max, M_PI / 2);
    assert_string_equal(teeth.drawn, "teeth");
    assert_near(teeth.backlash, 0.00005); // along the line of action: cos 60°
    assert_near(teeth.pressure_angle, M_PI / 3);
    assert_true(isnan(teeth.play) && !teeth.turns && lists(teeth.channels, "flank2.delta"));
    assert_near(rack.backlash, 0.0002);
    assert_near(rack.pressure_angle, M_PI / 9);
    lash_model_destroy(model);

    model =
        parse("space: spatial\n"
              "bodies:\n"
              "  block: {mass: 1, inertia: [1, 1, 1]}\n"
              "  wheel: {mass: 1, inertia: [1, 1, 1]}\n"
              "joints:\n"
              "  slide: {type: prismatic, between: [ground, block], axis: [0, 0, 2], clearance: {length: 4, "
              "height: 1, "
              "width: 2, play: 1 mm, height_axis: [0, 3, 5], contact: {stiffness: 1e9, restitution: 0.8}}}\n"
              "  slot: {type: cylindrical, between: [ground, wheel], axis: [1, 0, 0], stops: {coordinate: "
              "travel, min: "
              "0, contact: {stiffness: 1e6, restitution: 0.8}}}\n"
              "run: {until: 1}\n");
    const lash_scene_play block = lash_scene_play_at(model, 0, 0), slot = lash_scene_play_at(model, 1, 0);
    assert_string_equal(block.drawn, "channel");
    assert_near(block.width, 2);
    assert_near(block.side_play, 0.001); // as across the height unless it is given
    assert_near(block.up[0], 0);
    assert_near(block.up[1], 1);
    assert_near(block.up[2], 0);
    assert_true(lists(block.channels, "side_offset") && lists(block.channels, "corner8b.mode"));
    assert_false(slot.turns);
    assert_true(lists(slot.channels, "s"));
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(tells_bodies_and_points),
                                       cmocka_unit_test(tells_joints_and_springs),
                                       cmocka_unit_test(tells_every_play), cmocka_unit_test(tells_shapes),
                                       cmocka_unit_test(refuses_wrong_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
