/* SPDX-License-Identifier: MIT
 *
 * Models built in C: names, ownership, references, and the check that files go through as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"

static lash_model *new_model(void) {
    lash_model *model;
    assert_int_equal(lash_model_create(&model, LASH_PLANAR, NULL), LASH_OK);
    return model;
}

static lash_body_def some_body(void) {
    lash_body_def body = lash_body_default();
    body.mass = 2;
    body.inertia[2] = 0.5;
    return body;
}

// A pendulum that passes the check.
static lash_model *pendulum(void) {
    lash_model *model = new_model();
    lash_body_def body = some_body();
    const double top[3] = {0, 0.5, 0};
    lash_joint_def joint = lash_joint_default("revolute");
    joint.between[0] = "ground";
    joint.between[1] = "bob.top";
    assert_int_equal(lash_model_add_body(model, "bob", &body, NULL), LASH_OK);
    assert_int_equal(lash_model_add_point(model, "bob", "top", top, NULL), LASH_OK);
    assert_int_equal(lash_model_add_joint(model, "pivot", &joint, NULL), LASH_OK);
    assert_int_equal(lash_model_validate(model, NULL), LASH_OK);
    return model;
}

static void expect_mistake(lash_model *model, const char *text, const char *object) {
    lash_error error = {0};
    assert_int_equal(lash_model_validate(model, &error), LASH_ERROR_MODEL);
    if (!strstr(error.message, text))
        fail_msg("wanted: %s; got: %s", text, error.message);
    assert_string_equal(error.object, object);
    assert_int_equal(error.line, 0); // built in C: no place
    lash_model_destroy(model);
}

static void test_names(void **state) {
    (void)state;
    lash_model *model = new_model();
    lash_body_def body = some_body();
    lash_error error;
    static const char *const good[] = {"a", "_x", "Rod-2", "piston_rod", "groundhog", "Time", "c1.rod"};
    static const char *const bad[] = {"",           "2a",       "-a",    "a.",           ".b",
                                      "a..b",       "energy.x", "a b",   "k\xc3\xb6nig", "ground",
                                      "constraint", "time",     "energy"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(lash_model_add_body(model, good[i], &body, &error), LASH_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(lash_model_add_body(model, bad[i], &body, &error), LASH_ERROR_MODEL);
        assert_non_null(strstr(error.message, "cannot have this name"));
    }
    assert_int_equal(lash_model_add_body(model, NULL, &body, &error), LASH_ERROR_MODEL);
    assert_int_equal(model->body_count, 1 + sizeof good / sizeof *good);
    lash_model_destroy(model);
    lash_model_destroy(NULL);
}

// Bodies, joints, drives and forces share one space; materials and each body's points have their own.
static void test_uniqueness(void **state) {
    (void)state;
    lash_model *model = pendulum();
    lash_error error;
    lash_body_def body = some_body();
    lash_joint_def joint = lash_joint_default("fixed");
    lash_drive_def drive = lash_drive_default();
    lash_force_def force = lash_force_default("torque");
    lash_material_def material = lash_material_default();
    const double at[3] = {0};
    assert_int_equal(lash_model_add_body(model, "pivot", &body, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "taken already by a joint"));
    assert_int_equal(lash_model_add_joint(model, "bob", &joint, &error), LASH_ERROR_MODEL);
    assert_int_equal(lash_model_add_drive(model, "bob", &drive, &error), LASH_ERROR_MODEL);
    assert_int_equal(lash_model_add_force(model, "pivot", &force, &error), LASH_ERROR_MODEL);
    assert_int_equal(lash_model_add_material(model, "bob", &material, &error), LASH_OK);
    assert_int_equal(lash_model_add_material(model, "bob", &material, &error), LASH_ERROR_MODEL);
    assert_int_equal(lash_model_add_point(model, "bob", "top", at, &error), LASH_ERROR_MODEL);
    assert_int_equal(lash_model_add_point(model, "ground", "top", at, &error), LASH_OK);
    assert_int_equal(lash_model_add_point(model, "nobody", "top", at, &error), LASH_ERROR_MODEL);
    lash_model_destroy(model);
}

// Expressions and tables are taken over whether adding works or not; the leak checker is the judge.
static void test_ownership(void **state) {
    (void)state;
    lash_model *model = pendulum();
    char name[] = "pivot";
    for (int i = 0; i < 2; i++) { // the second one fails: its name is taken
        lash_drive_def drive = lash_drive_default();
        drive.joint = name;
        const double x[3] = {0, 1, 2}, y[3] = {0, 1, 4};
        assert_int_equal(lash_table_create(&drive.table, x, y, 3, LASH_SPLINE, NULL), LASH_OK);
        assert_int_equal(lash_model_add_drive(model, "motor", &drive, NULL), i ? LASH_ERROR_MODEL : LASH_OK);
        lash_force_def force = lash_force_default("force");
        force.at = "bob";
        for (int k = 0; k < 2; k++)
            assert_int_equal(lash_expression_create(&force.force[k], "sin(t)", NULL), LASH_OK);
        assert_int_equal(lash_model_add_force(model, "push", &force, NULL), i ? LASH_ERROR_MODEL : LASH_OK);
    }
    memset(name, 'x', sizeof name - 1); // the model has its own copy
    assert_string_equal(model->drives[0].def.joint, "pivot");
    assert_int_equal(lash_model_validate(model, NULL), LASH_OK);
    lash_model_destroy(model);
}

static void test_find(void **state) {
    (void)state;
    lash_model *model = pendulum();
    size_t body;
    double at[3];
    assert_true(lashi_model_find_point(&body, at, model, "bob.top"));
    assert_int_equal(body, 1);
    assert_true(at[0] == 0 && at[1] == 0.5);
    assert_true(lashi_model_find_point(&body, at, model, "ground"));
    assert_int_equal(body, LASHI_GROUND_BODY);
    assert_true(at[0] == 0 && at[1] == 0);
    static const char *const missing[] = {"", ".", "bob.", ".top", "bob.top.x", "rod", "ground.top", "pivot"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        assert_false(lashi_model_find_point(&body, at, model, missing[i]));
    assert_false(lashi_model_find_point(&body, at, model, NULL));
    assert_int_equal(lashi_model_find_joint(model, "pivot"), 0);
    assert_int_equal(lashi_model_find_joint(model, "bob"), LASHI_NONE);
    assert_int_equal(lashi_model_find_drive(model, "pivot"), LASHI_NONE);
    assert_int_equal(lashi_model_find_material(model, "steel"), LASHI_NONE);
    lash_model_destroy(model);
}

// Thousands of names: each is found again, and building stays linear.
static void test_many_names(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    lash_model *model = new_model();
    lash_body_def body = some_body();
    char name[32];
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "link%d", i);
        assert_int_equal(lash_model_add_body(model, name, &body, NULL), LASH_OK);
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "link%d", i);
        assert_int_equal(lashi_model_find_body(model, name), (size_t)i + 1);
    }
    lash_model_destroy(model);
}

static void test_accessors(void **state) {
    (void)state;
    lash_model *model = new_model();
    assert_string_equal(lash_model_title(model), "");
    assert_string_equal(lash_model_text(model), "");
    assert_int_equal(lash_model_setting_count(model), 0);
    assert_null(lash_model_setting(model, 0).name);
    assert_int_equal(lash_model_set_title(model, "four-bar", NULL), LASH_OK);
    assert_string_equal(lash_model_title(model), "four-bar");
    const double gravity[3] = {0, -9.81, 5}, wrong[3] = {0, (double)INFINITY, 0};
    assert_int_equal(lash_model_set_gravity(model, gravity, NULL), LASH_OK);
    assert_true(model->gravity[1] == -9.81 && model->gravity[2] == 0); // the plane has no third component
    assert_int_equal(lash_model_set_gravity(model, wrong, NULL), LASH_ERROR_MODEL);
    char method[] = "gear";
    lash_run_def run = lash_run_default();
    run.method = method;
    assert_int_equal(lash_model_set_run(model, &run, NULL), LASH_OK);
    method[0] = 'b';
    assert_string_equal(lash_model_run(model)->method, "gear");
    lash_model_destroy(model);
    assert_int_equal(lash_model_create(&model, (lash_space)7, NULL), LASH_ERROR_MODEL);
    assert_null(model);
}

static void test_check(void **state) {
    (void)state;
    expect_mistake(new_model(), "there are no bodies", "");
    lash_model *model = pendulum();
    model->bodies[1].def.mass = 0;
    expect_mistake(model, "body 'bob': mass must be greater than zero", "bob");
    model = pendulum();
    model->bodies[1].def.inertia[2] = (double)INFINITY;
    expect_mistake(model, "body 'bob': inertia must be a finite number", "bob");
    model = pendulum();
    model->bodies[1].def.position[1] = (double)NAN;
    expect_mistake(model, "every component of position must be a finite number", "bob");
    model = pendulum();
    model->bodies[1].def.hold = 64;
    expect_mistake(model, "hold has unknown bits", "bob");
    model = pendulum();
    model->joints[0].def.between[1] = NULL;
    expect_mistake(model, "joint 'pivot': between is missing", "pivot");
    model = pendulum();
    model->joints[0].def.type = "hinge";
    expect_mistake(model, "type 'hinge' is not known", "pivot");
    model = pendulum();
    model->joints[0].def.type = NULL;
    expect_mistake(model, "type is missing", "pivot");
    model = pendulum();
    model->joints[0].def = lash_joint_default("fixed");
    model->joints[0].def.between[0] = "ground";
    model->joints[0].def.between[1] = "bob";
    model->joints[0].def.has_clearance = true;
    expect_mistake(model, "clearance: a joint of type fixed cannot have it", "pivot");
    model = pendulum();
    model->run.until = 1;
    model->run.until_turns = 3;
    model->run.until_drive = "motor";
    expect_mistake(model, "there is no drive 'motor'", "");
    model = pendulum();
    model->run.first_step = 2;
    model->run.max_step = 1;
    expect_mistake(model, "run.first_step (2 s) must not be longer than run.max_step (1 s)", "");
}

// A joint with play built in C, one change at a time.
static void test_clearance(void **state) {
    (void)state;
    static const struct {
        size_t offset;
        double value;
        const char *text; // NULL: fine
    } cases[] = {
        {offsetof(lash_clearance_def, radial), 1e-4, NULL},
        {offsetof(lash_clearance_def, radial), 0, "clearance.radial must be greater than zero"},
        {offsetof(lash_clearance_def, diametric), 1e-4, "clearance.radial and clearance.diametric are both"},
        {offsetof(lash_clearance_def, bearing_radius), -1, "clearance.bearing_radius must be greater"},
        {offsetof(lash_clearance_def, bearing_radius), 1e-5, "leaves a journal of no radius"},
        {offsetof(lash_clearance_def, contact.restitution), 1, NULL},
        {offsetof(lash_clearance_def, contact.restitution), 1.0001, "must lie in (0, 1]"},
        {offsetof(lash_clearance_def, contact.stiffness), (double)NAN, "give either materials or contact"},
        {offsetof(lash_clearance_def, tolerance), 0, "clearance.tolerance must be greater than zero"},
        {offsetof(lash_clearance_def, offset), 2e-4, "clearance.offset puts the journal"},
        {offsetof(lash_clearance_def, offset), 1e-4, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lash_model *model = pendulum();
        lash_joint_def *joint = &model->joints[0].def;
        joint->has_clearance = true;
        joint->clearance.bearing_radius = 0.01;
        joint->clearance.radial = 1e-4;
        joint->clearance.contact.restitution = 0.9;
        joint->clearance.contact.stiffness = 1e10;
        joint->clearance.offset[0] = joint->clearance.offset[1] = joint->clearance.offset[2] = 0;
        memcpy((char *)&joint->clearance + cases[i].offset, &cases[i].value, sizeof(double));
        if (cases[i].text) {
            expect_mistake(model, cases[i].text, "pivot");
        } else {
            lash_error error = {0};
            if (lash_model_validate(model, &error))
                fail_msg("case %zu: %s", i, error.message);
            lash_model_destroy(model);
        }
    }
}

static void count(void *user, const lash_error *mistake) {
    *(size_t *)user += mistake->status != LASH_OK;
}

static void test_all_mistakes(void **state) {
    (void)state;
    lash_model *model = pendulum();
    model->bodies[1].def.mass = -1;
    model->bodies[1].def.inertia[2] = -1;
    model->joints[0].def.between[0] = "nobody";
    model->run.rtol = 2;
    size_t found = 0;
    assert_int_equal(lashi_model_check(model, count, &found, NULL), LASH_ERROR_MODEL);
    assert_int_equal(found, 4);
    lash_model_destroy(model);
}

static void test_quoting(void **state) {
    (void)state;
    char buffer[LASH_ERROR_PLACE];
    static const char text[] = "one\ntwo \x1b[31m\xff\xe2\x80\xae\t.\r\nthree";
    lashi_excerpt(buffer, sizeof buffer, text, sizeof text - 1, 1);
    assert_string_equal(buffer, "one");
    lashi_excerpt(buffer, sizeof buffer, text, sizeof text - 1, 2);
    assert_string_equal(buffer, "two \\x1b[31m\\xff\\u{202e} .");
    lashi_excerpt(buffer, sizeof buffer, text, sizeof text - 1, 3);
    assert_string_equal(buffer, "three");
    lashi_excerpt(buffer, sizeof buffer, text, sizeof text - 1, 9);
    assert_string_equal(buffer, "");
    char line[1000];
    memset(line, 'x', sizeof line);
    lashi_excerpt(buffer, sizeof buffer, line, sizeof line, 1);
    assert_int_equal(strlen(buffer), 123);
    assert_string_equal(buffer + 120, "...");
    char small[8];
    assert_string_equal(lashi_quote(small, sizeof small, line, sizeof line), "xxxx...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),        cmocka_unit_test(test_uniqueness),
        cmocka_unit_test(test_ownership),    cmocka_unit_test(test_find),
        cmocka_unit_test(test_many_names),   cmocka_unit_test(test_accessors),
        cmocka_unit_test(test_check),        cmocka_unit_test(test_clearance),
        cmocka_unit_test(test_all_mistakes), cmocka_unit_test(test_quoting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
