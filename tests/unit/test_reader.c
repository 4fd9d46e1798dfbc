/* SPDX-License-Identifier: MIT
 *
 * Reading model files that are right: every kind of value against what it must become, parameters and
 * switches, `when`, tables, warnings; and thousands of damaged copies of good files, which may be refused but
 * never crash.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "math/expression.h"
#include "math/table.h"
#include "model/model.h"

static const double PI = 3.14159265358979323846;
static const double ROUNDING = 1e-14; // relative

static void near(double found, double wanted) {
    if (!(fabs(found - wanted) <= ROUNDING * fabs(wanted)))
        fail_msg("%.17g, wanted %.17g", found, wanted);
}

static void print_mistake(void *user, const lash_error *mistake) {
    (void)user;
    if (mistake->status)
        print_error("%s:%d:%d: %s\n", mistake->file, mistake->line, mistake->column, mistake->message);
}

static lash_model *parse_with(const char *text, const lash_setting *settings, size_t count) {
    lash_load_options options = {.settings = settings, .setting_count = count, .report = print_mistake};
    lash_model *model;
    if (lash_model_parse(&model, text, strlen(text), "test.yaml", &options, NULL))
        fail_msg("not read:\n%s", text);
    return model;
}

static lash_model *parse(const char *text) {
    return parse_with(text, NULL, 0);
}

static void test_bodies(void **state) {
    (void)state;
    lash_model *model = parse("title: Two bodies\n"
                              "space: planar\n"
                              "gravity: [0, -9.81 m/s^2]\n"
                              "ground: {points: {pivot: [0.8, 10 cm]}}\n"
                              "bodies:\n"
                              "  rod:\n"
                              "    mass: 300 g\n"
                              "    inertia: 2.5 kg cm^2\n"
                              "    position: [25 mm, 1 in]\n"
                              "    angle: 30 deg\n"
                              "    velocity: [1, 36 km/h]\n"
                              "    angular_velocity: 60 rpm\n"
                              "    hold: [x, angle, w]\n"
                              "    points: {a: [-60 mm, 0], b: [2*30 mm, sqrt(4)*1 mm]}\n"
                              "  bob: {mass: 1, inertia: 1, hold: vy}\n");
    assert_string_equal(lash_model_title(model), "Two bodies");
    assert_true(strncmp(lash_model_text(model), "title: Two", 10) == 0);
    near(model->gravity[1], -9.81);
    const lash_body_def *rod = &model->bodies[1].def;
    near(rod->mass, 0.3);
    near(rod->inertia[2], 2.5e-4);
    near(rod->position[0], 0.025);
    near(rod->position[1], 0.0254);
    near(rod->angle, PI / 6);
    near(rod->velocity[1], 10);
    near(rod->angular_velocity[2], 2 * PI);
    assert_int_equal(rod->hold, LASH_HOLD_X | LASH_HOLD_ANGLE | LASH_HOLD_W);
    assert_int_equal(model->bodies[2].def.hold, LASH_HOLD_VY);
    size_t body;
    double at[3];
    assert_true(lashi_model_find_point(&body, at, model, "rod.b"));
    near(at[0], 0.06);
    near(at[1], 0.002);
    assert_true(lashi_model_find_point(&body, at, model, "ground.pivot"));
    near(at[1], 0.1);
    lash_model_destroy(model);
}

static const char mechanism[] =
    "parameters:\n"
    "  half: $play/2\n"
    "  play: 0.05 mm\n"
    "  friction: 0.01\n"
    "  law: {choose: exact, from: [exact, hertz]}\n"
    "  pin: {choose: clearance, from: [ideal, clearance]}\n"
    "materials:\n"
    "  steel: &steel {young: 207 GPa, poisson: 0.3, density: 7850 kg/m^3}\n"
    "  iron: *steel\n"
    "bodies:\n"
    "  rod: {mass: 0.21, inertia: 2.5e-4, points: {big: [-60 mm, 0], small: [60 mm, 0]}}\n"
    "  slider: {mass: 0.14, inertia: 1e-4, position: [60 mm, 0]}\n"
    "joints:\n"
    "  main: {type: revolute, between: [ground, rod.big]}\n"
    "  gudgeon:\n"
    "    type: revolute\n"
    "    between: [slider, rod.small]\n"
    "    clearance:\n"
    "      when: {pin: clearance}\n"
    "      bearing_radius: 10 mm\n"
    "      radial: $half\n"
    "      length: 20 mm\n"
    "      materials: [steel, iron]\n"
    "      contact: {law: $law, restitution: 0.9, speed_floor: 1 um/s}\n"
    "      friction: {law: ambrosio, coefficient: $friction}\n"
    "      offset: [10 um, 0]\n"
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0], angle: 0}\n"
    "  rail: {type: point-on-line, between: [ground, slider], axis: [0, 2], when: {pin: [ideal]}}\n";

static void test_clearance(void **state) {
    (void)state;
    lash_model *model = parse(mechanism);
    assert_int_equal(model->joint_count, 3); // the rail is left out
    const lash_joint_def *joint = &model->joints[1].def;
    assert_true(joint->has_clearance);
    near(joint->clearance.radial, 2.5e-5);
    near(joint->clearance.bearing_radius, 0.01);
    near(joint->clearance.contact.speed_floor, 1e-6);
    near(joint->clearance.friction.coefficient, 0.01);
    near(joint->clearance.friction.v0, 1e-4);
    near(joint->clearance.offset[0], 1e-5);
    assert_true(isnan(joint->clearance.diametric) && isnan(joint->clearance.journal_radius));
    assert_string_equal(joint->clearance.materials[0], "steel");
    assert_string_equal(joint->clearance.materials[1], "iron");
    assert_string_equal(joint->clearance.contact.law, "exact");
    near(model->materials[1].def.young, 207e9);
    near(model->joints[2].def.axis[0], 1);
    lash_model_destroy(model);
}

static void test_settings(void **state) {
    (void)state;
    const lash_setting settings[] = {{"play", "0.2 mm"}, {"law", "hertz"}};
    lash_model *model = parse_with(mechanism, settings, 2);
    near(model->joints[1].def.clearance.radial, 1e-4); // half follows play
    assert_string_equal(model->joints[1].def.clearance.contact.law, "hertz");
    assert_int_equal(lash_model_setting_count(model), 2);
    assert_string_equal(lash_model_setting(model, 0).value, "0.2 mm");
    lash_model_destroy(model);
    const lash_setting ideal[] = {{"pin", "ideal"}, {"play", "1e-4"}};
    model = parse_with(mechanism, ideal, 2);
    assert_false(model->joints[1].def.has_clearance);
    assert_int_equal(model->joint_count, 4); // the rail stands
    lash_model_destroy(model);
    const lash_setting expression[] = {{"play", "2*pi*$friction*1 mm"}};
    model = parse_with(mechanism, expression, 1);
    near(model->joints[1].def.clearance.radial, PI * 1e-5);
    lash_model_destroy(model);
}

static void test_drives_and_forces(void **state) {
    (void)state;
    lash_model *model = parse(
        "parameters: {f: 2 Hz}\n"
        "bodies:\n"
        "  rod: {mass: 1, inertia: 1}\n"
        "  cart: {mass: 1, inertia: 1}\n"
        "joints:\n"
        "  pin: {type: revolute, between: [ground, rod]}\n"
        "  guide: {type: translational, between: [ground, cart], axis: [1, 0]}\n"
        "drives:\n"
        "  motor: {joint: pin, speed: 5000 rpm, start: 90 deg}\n"
        "  shaker: {joint: guide, motion: \"10 mm*sin(2*pi*$f*t)\"}\n"
        "  spin: {body: cart, ramp: {to: 60 rpm, over: 100 ms}}\n"
        "forces:\n"
        "  push: {type: force, at: cart, force: [\"3 N*t/1 s\", 0], frame: body}\n"
        "  twist: {type: torque, body: rod, torque: -20 N m, reaction: cart}\n"
        "  coil: {type: spring, between: [ground, rod], stiffness: 2 N/mm, damping: 3, free_length: 10 cm}\n"
        "  gas: {type: load, over: pin, at: cart, direction: [-1, 0], period: 360 deg,\n"
        "        table: {points: [[0, 0], [180 deg, 1 kN], [360 deg, 0]], interpolation: linear}}\n"
        "run: {until: 20 rev of motor, method: gear, rtol: 1e-9, samples: 100, max_step: 1 ms}\n");
    near(model->drives[0].def.speed, 5000 * 2 * PI / 60);
    near(model->drives[0].def.start, PI / 2);
    lashi_jet jet = lashi_expression_jet(model->drives[1].def.motion, 0);
    near(jet.df, 0.01 * 4 * PI);
    near(model->drives[2].def.ramp_to, 2 * PI);
    near(model->drives[2].def.ramp_over, 0.1);
    near(model->drives[2].def.ramp_from, 0);
    near(lashi_expression_value(model->forces[0].def.force[0], 2), 6);
    assert_string_equal(model->forces[0].def.frame, "body");
    near(lashi_expression_value(model->forces[1].def.torque, 0), -20);
    near(model->forces[2].def.stiffness, 2000);
    near(model->forces[2].def.free_length, 0.1);
    near(lashi_table_jet(model->forces[3].def.table, PI / 2).f, 500);
    near(model->forces[3].def.period, 2 * PI);
    const lash_run_def *run = lash_model_run(model);
    near(run->until_turns, 20);
    assert_string_equal(run->until_drive, "motor");
    assert_true(isnan(run->until));
    assert_string_equal(run->method, "gear");
    near(run->max_step, 1e-3);
    assert_false(run->steps); // samples are asked for instead
    lash_model_destroy(model);
    model = parse("bodies: {a: {mass: 1, inertia: 1}}\nrun: {until: 200 ms, samples: 5, steps: true}\n");
    near(lash_model_run(model)->until, 0.2);
    assert_true(lash_model_run(model)->steps);
    lash_model_destroy(model);
}

// A table file beside the model file, with columns chosen and units converted.
static void test_table_file(void **state) {
    (void)state;
    char folder[] = "/tmp/lash-reader-XXXXXX", path[64], model_path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/cam.csv", folder);
    snprintf(model_path, sizeof model_path, "%s/cam.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("time,none,lift\n0,7,0\n1000,7,90\n2000,7,180\n", file);
    fclose(file);
    file = fopen(model_path, "w");
    assert_non_null(file);
    fputs("bodies: {rod: {mass: 1, inertia: 1}}\n"
          "joints: {pin: {type: revolute, between: [ground, rod]}}\n"
          "drives:\n"
          "  motor:\n"
          "    joint: pin\n"
          "    table: {file: cam.csv, columns: [1, 3], units: [ms, deg], interpolation: linear}\n",
          file);
    fclose(file);
    lash_model *model;
    lash_load_options options = {.report = print_mistake};
    lash_error error = {0};
    lash_status status = lash_model_load(&model, model_path, &options, &error);
    unlink(path);
    unlink(model_path);
    rmdir(folder);
    assert_int_equal(status, LASH_OK);
    near(lashi_table_last(model->drives[0].def.table), 2);
    near(lashi_table_jet(model->drives[0].def.table, 1).f, PI / 2);
    lash_model_destroy(model);
}

static void count_warnings(void *user, const lash_error *mistake) {
    assert_int_equal(mistake->status, LASH_OK);
    assert_true(mistake->line > 0 && mistake->excerpt[0]);
    *(size_t *)user += 1;
}

static void test_warnings(void **state) {
    (void)state;
    static const char text[] = "parameters: {a: 1, b: 2, c: {choose: x, from: [x, y]}, d: 3}\n"
                               "bodies:\n"
                               "  bob: {mass: $b, inertia: 1}\n"
                               "  rod: {when: {c: y}, mass: $d, inertia: 1}\n";
    size_t count = 0;
    lash_load_options options = {.report = count_warnings, .user = &count};
    lash_model *model;
    assert_int_equal(lash_model_parse(&model, text, strlen(text), "w.yaml", &options, NULL), LASH_OK);
    assert_int_equal(count, 1); // a alone: d is used in a part that is left out
    lash_model_destroy(model);
}

static void test_spellings(void **state) {
    (void)state;
    // Quotes, block style, BOM, Windows lines, JSON.
    static const char *const texts[] = {
        "\xef\xbb\xbf{bodies: {a: {mass: 1, inertia: 1}}}\n",
        "bodies:\r\n  a:\r\n    mass: 1\r\n    inertia: 1\r\n",
        "{\"bodies\": {\"a\": {\"mass\": 1, \"inertia\": \"1 kg m^2\"}}}",
        "bodies:\n  a:\n    mass: '1'\n    inertia: >-\n      1\n",
        "--- # a document\nbodies: {a: {mass: +1, inertia: 1.}}\n...\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        lash_model *model = parse(texts[i]);
        near(model->bodies[1].def.mass, 1);
        lash_model_destroy(model);
    }
}

// ---- damaged files

// libfyaml 0.7.12 loses a buffer when a text with dozens of doubled quotes is followed by what is not YAML.
// Nothing of ours is left out: the rule is about its own allocations.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml";
}

static uint64_t random_state;

static uint64_t next_random(void) { // splitmix64
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static size_t below(size_t n) {
    return n ? (size_t)(next_random() % n) : 0;
}

static size_t damage(char *text, size_t length, size_t capacity) {
    static const char marks[] = "[]{}:,-&*!|>'\"%@`#?\n\t $.e0\x80\xff";
    for (size_t k = 1 + below(4); k > 0 && length > 0; k--) {
        size_t at = below(length), n = 1 + below(8);
        switch (below(6)) {
        case 0: text[at] = (char)(text[at] ^ (1 << below(8))); break;
        case 1: text[at] = marks[below(sizeof marks - 1)]; break;
        case 2: length = at; break; // cut off
        case 3:                     // leave out
            n = n < length - at ? n : length - at;
            memmove(text + at, text + at + n, length - at - n);
            length -= n;
            break;
        default: { // copy a piece elsewhere
            size_t from = below(length);
            n = 1 + below(40);
            n = n < length - from ? n : length - from;
            if (length + n > capacity)
                break;
            char piece[41];
            memcpy(piece, text + from, n);
            memmove(text + at + n, text + at, length - at);
            memcpy(text + at, piece, n);
            length += n;
        }
        }
    }
    return length;
}

static void check_damaged(const char *text, size_t length) {
    lash_model *model;
    lash_error error = {0};
    lash_status status = lash_model_parse(&model, text, length, "damaged.yaml", NULL, &error);
    if (status == LASH_OK)
        assert_int_equal(lash_model_validate(model, NULL), LASH_OK);
    else {
        assert_int_equal(status, LASH_ERROR_MODEL);
        assert_true(error.message[0] != '\0');
        assert_null(model);
    }
    lash_model_destroy(model);
}

static int is_yaml(const struct dirent *entry) {
    size_t n = strlen(entry->d_name);
    return n > 5 && strcmp(entry->d_name + n - 5, ".yaml") == 0;
}

static const char in_space[] =
    "space: spatial\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  rod: {mass: 2, inertia: [4, 5, 6, 0.1, -0.2, 0.3], inertia_at: tip, points: {tip: [0, 0, 0.3]},\n"
    "    inertia_axes: {x: [0, 1, 0], z: [1, 7, 0]}, orientation: {axis: [2, 2, 2], angle: 120 deg}}\n"
    "  disc: {mass: 1, inertia: [6, 5, 4], orientation: {roll: 1, pitch: 2, yaw: 3}, hold: [z, "
    "orientation],\n"
    "    inertia_at: [0.5, 0, 0.1], inertia_axes: [1, 0, 0, 1], angular_velocity: [1, 0, 2]}\n"
    "forces: {push: {type: force, at: rod.tip, force: [1, sin(t), 2*t]}}\n";

// All examples, read as they are; damaged copies of them and of the mechanism above.
static void test_damage(void **state) {
    (void)state;
    enum { CASES = 5000, CAPACITY = 1 << 16, MOST = 64 };
    static char text[CAPACITY];
    char *seeds[MOST];
    size_t lengths[MOST], count = 2;
    seeds[0] = strdup(mechanism);
    lengths[0] = strlen(mechanism);
    seeds[1] = strdup(in_space);
    lengths[1] = strlen(in_space);
    struct dirent **entries;
    const char *folder = LASH_SOURCE_DIR "/examples";
    int files = scandir(folder, &entries, is_yaml, alphasort);
    for (int i = 0; i < files; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        lash_load_options options = {.report = print_mistake};
        lash_model *model;
        if (lash_model_load(&model, path, &options, NULL))
            fail_msg("%s is not read", path);
        size_t length = strlen(lash_model_text(model));
        if (count < MOST && length < CAPACITY / 2) {
            lengths[count] = length;
            seeds[count++] = strdup(lash_model_text(model));
        }
        lash_model_destroy(model);
        free(entries[i]);
    }
    if (files >= 0)
        free(entries);
    random_state = 20100101; // any seed will do; a fixed one can be run again
    for (int i = 0; i < CASES; i++) {
        size_t k = below(count);
        memcpy(text, seeds[k], lengths[k]);
        size_t length = damage(text, lengths[k], CAPACITY);
        // A block of its own size, so that reading past the end is seen.
        char *exact = malloc(length ? length : 1);
        assert_non_null(exact);
        memcpy(exact, text, length);
        check_damaged(exact, length);
        free(exact);
    }
    for (size_t i = 0; i < count; i++)
        free(seeds[i]);
}

/* A model that keeps its parsed text is read again like the text itself, mistakes included. */
static void test_parsed_once(void **state) {
    (void)state;
    static const char text[] = "parameters: {m: 2 kg}\n"
                               "bodies: {a: {mass: $m, inertia: 3*$m*1 m^2, position: [0.1, 0]}}\n"
                               "joints: {r: {type: revolute, between: [ground, a]}}\n"
                               "run: {until: 1 s}\n";
    static const char *const values[] = {"5 kg", "0.125 kg", "-1 kg", "7 m"};
    lash_model *kept;
    lash_error errors[2];
    assert_int_equal(lash_model_parse(&kept, text, strlen(text), "test.yaml",
                                      &(lash_load_options){.keep_parsed = true}, &errors[0]),
                     LASH_OK);
    assert_non_null(kept->parsed_root);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        const lash_setting setting = {"m", values[k]};
        const lash_load_options options = {.settings = &setting, .setting_count = 1};
        lash_model *both[2];
        const lash_status status =
            lash_model_parse(&both[0], text, strlen(text), "test.yaml", &options, &errors[0]);
        assert_int_equal(lash_model_reload(&both[1], kept, &options, &errors[1]), status);
        assert_int_equal(status != LASH_OK, k > 1);
        if (status) {
            assert_string_equal(errors[0].message, errors[1].message);
            assert_int_equal(errors[0].line, errors[1].line);
            assert_int_equal(errors[0].column, errors[1].column);
            continue;
        }
        assert_true(both[0]->bodies[1].def.mass == both[1]->bodies[1].def.mass);
        assert_true(both[0]->bodies[1].def.mass == strtod(values[k], NULL));
        assert_string_equal(lash_model_text(both[0]), lash_model_text(both[1]));
        assert_null(both[1]->parsed_root);
        for (int i = 0; i < 2; i++)
            lash_model_destroy(both[i]);
    }
    lash_model_destroy(kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),      cmocka_unit_test(test_clearance),
        cmocka_unit_test(test_settings),    cmocka_unit_test(test_drives_and_forces),
        cmocka_unit_test(test_table_file),  cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_spellings),   cmocka_unit_test(test_damage),
        cmocka_unit_test(test_parsed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
