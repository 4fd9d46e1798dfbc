/* SPDX-License-Identifier: MIT
 *
 * Components and instances: a machine made of them is the one written out, bit for bit; instances that are
 * moved and turned; files that are included, and a text that needs none of them any more; tables that are
 * shifted, scaled and repeated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../physics/rig.h"

static char folder[] = "lash-parts-XXXXXX";

static void write_file(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static rig open_file(const char *name) {
    char path[200];
    rig r = {0};
    lash_error error = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    rig_require(lash_model_load(&r.model, path, NULL, &error), &error, "model");
    rig_require(lash_system_compile(&r.system, r.model, &error), &error, "compile");
    rig_require(lash_sim_create(&r.sim, r.system, &error), &error, "create");
    return r;
}

/* Both models have the same channels, and after a run the same values, bit for bit. */
static void expect_same_runs(rig *a, rig *b, double until) {
    assert_int_equal(lash_sim_channel_count(a->sim), lash_sim_channel_count(b->sim));
    rig_step_to(a, until);
    rig_step_to(b, until);
    for (size_t k = 0; k < lash_sim_channel_count(a->sim); k++) {
        assert_string_equal(lash_sim_channel_name(a->sim, k), lash_sim_channel_name(b->sim, k));
        const double x = lash_sim_value(a->sim, k), y = lash_sim_value(b->sim, k);
        if (memcmp(&x, &y, sizeof x) != 0)
            fail_msg("%s: %.17g and %.17g", lash_sim_channel_name(a->sim, k), x, y);
    }
}

#define MACHINE                                                                                              \
    "gravity: [0, -9.81]\n"                                                                                  \
    "parameters: {speed: 3000 rpm}\n"                                                                        \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 8 kg, inertia: 0.06 kg*m^2, angular_velocity: $speed, hold: [angle, w],\n"              \
    "          points: {p1: [0, 40 mm], p2: [0, -40 mm], p3: [0, -40 mm], p4: [0, 40 mm]}}\n"                \
    "joints:\n"                                                                                              \
    "  main: {type: revolute, between: [ground, crank]}\n"

#define CYLINDER                                                                                             \
    "parameters: {pin: {name: crank.p1}, phase: 0 deg, up: 40 mm, load: {name: main}, big: {choose: play, "  \
    "from: "                                                                                                 \
    "[ideal, play]}}\n"                                                                                      \
    "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n"                                                   \
    "bodies:\n"                                                                                              \
    "  rod: {mass: 0.6 kg, inertia: 2e-3 kg*m^2, position: [0, \"$up + 42 mm\"], angle: 90 deg,\n"           \
    "        points: {big: [-42 mm, 0], small: [98 mm, 0]}}\n"                                               \
    "  piston: {mass: 0.5 kg, inertia: 1e-3 kg*m^2, position: [0, \"$up + 140 mm\"]}\n"                      \
    "joints:\n"                                                                                              \
    "  big:\n"                                                                                               \
    "    type: revolute\n"                                                                                   \
    "    between: [$pin, rod.big]\n"                                                                         \
    "    clearance: {when: {big: play}, radial: 0.05 mm, bearing_radius: 20 mm, materials: steel,\n"         \
    "                contact: {restitution: 0.8}}\n"                                                         \
    "  gudgeon: {type: revolute, between: [rod.small, piston]}\n"                                            \
    "  bore: {type: translational, between: [ground.axis, piston], axis: [0, 1]}\n"                          \
    "ground: {points: {axis: [0, 0]}}\n"                                                                     \
    "forces:\n"                                                                                              \
    "  gas: {type: load, over: $load, at: piston, direction: [0, -1],\n"                                     \
    "        table: {points: [[0, 0], [20 deg, 4000], [180 deg, 300], [360 deg, 0]], shift: $phase, "        \
    "period: 720 deg}}\n"

static const char *const four =
    MACHINE "include: cylinder.yaml\n"
            "cylinders:\n"
            "  - {use: cylinder, as: c1, with: {load: main, pin: crank.p1}}\n"
            "  - {use: cylinder, as: c2, with: {load: main, pin: crank.p2, phase: 540 deg, up: -40 mm}}\n"
            "  - {use: cylinder, as: c3, with: {load: main, pin: crank.p3, phase: 180 deg, up: -40 mm}}\n"
            "  - {use: cylinder, as: c4, with: {load: main, pin: crank.p4, phase: 360 deg}}\n"
            "run: {until: 4 ms}\n";

/* The same machine, every cylinder written out by C as a user would by hand. */
static char *written_out(void) {
    static const char *const pins[] = {"p1", "p2", "p3", "p4"};
    static const int ups[] = {40, -40, -40, 40}, phases[] = {0, 540, 180, 360};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("gravity: [0, -9.81]\nparameters: {speed: 3000 rpm}\nmaterials: {steel: {young: 207 GPa, poisson: "
          "0.3}}\n"
          "ground: {points: {axis: [0, 0]}}\nbodies:\n"
          "  crank: {mass: 8 kg, inertia: 0.06 kg*m^2, angular_velocity: $speed, hold: [angle, w],\n"
          "          points: {p1: [0, 40 mm], p2: [0, -40 mm], p3: [0, -40 mm], p4: [0, 40 mm]}}\n",
          out);
    for (int k = 0; k < 4; k++)
        fprintf(out,
                "  c%d-rod: {mass: 0.6 kg, inertia: 2e-3 kg*m^2, position: [0, \"%d mm + 42 mm\"], angle: 90 "
                "deg,\n"
                "        points: {big: [-42 mm, 0], small: [98 mm, 0]}}\n"
                "  c%d-piston: {mass: 0.5 kg, inertia: 1e-3 kg*m^2, position: [0, \"%d mm + 140 mm\"]}\n",
                k + 1, ups[k], k + 1, ups[k]);
    fputs("joints:\n  main: {type: revolute, between: [ground, crank]}\n", out);
    for (int k = 1; k <= 4; k++)
        fprintf(out,
                "  c%d-big: {type: revolute, between: [crank.%s, c%d-rod.big], clearance: {radial: 0.05 mm,\n"
                "            bearing_radius: 20 mm, materials: steel, contact: {restitution: 0.8}}}\n"
                "  c%d-gudgeon: {type: revolute, between: [c%d-rod.small, c%d-piston]}\n"
                "  c%d-bore: {type: translational, between: [ground.axis, c%d-piston], axis: [0, 1]}\n",
                k, pins[k - 1], k, k, k, k, k, k);
    fputs("forces:\n", out);
    for (int k = 1; k <= 4; k++)
        fprintf(out,
                "  c%d-gas: {type: load, over: main, at: c%d-piston, direction: [0, -1], period: 720 deg,\n"
                "        table: [[\"%d deg\", 0], [\"20 deg + %d deg\", 4000], [\"180 deg + %d deg\", 300], "
                "[\"360 deg + "
                "%d deg\", 0]]}\n",
                k, k, phases[k - 1], phases[k - 1], phases[k - 1], phases[k - 1]);
    fputs("run: {until: 4 ms}\n", out);
    fclose(out);
    return text;
}

static void components_are_what_is_written_out(void **state) {
    (void)state;
    char *text = written_out();
    write_file("cylinder.yaml", CYLINDER);
    write_file("four.yaml", four);
    rig a = open_file("four.yaml"), b = rig_open("%s", text);
    free(text);
    assert_int_equal(lash_sim_channel_count(a.sim), lash_sim_channel_count(b.sim));
    rig_step_to(&a, 4e-3);
    rig_step_to(&b, 4e-3);
    const lash_summary summary = lash_sim_summary(a.sim);
    assert_int_equal(summary.clearance_count, 4);
    assert_true(summary.clearances[0].contacts > 0); // something happens
    for (size_t k = 0; k < lash_sim_channel_count(a.sim); k++) {
        // c1.rod.x and c1-rod.x
        char name[100];
        snprintf(name, sizeof name, "%s", lash_sim_channel_name(b.sim, k));
        if (name[0] == 'c' && name[2] == '-')
            name[2] = '.';
        assert_string_equal(lash_sim_channel_name(a.sim, k), name);
        const double x = lash_sim_value(a.sim, k), y = lash_sim_value(b.sim, k);
        if (memcmp(&x, &y, sizeof x) != 0)
            fail_msg("%s: %.17g and %.17g", name, x, y);
    }
    rig_close(&a);
    rig_close(&b);
}

/* An included file is of the space of what includes it, unless it says otherwise. */
static void included_in_space(void **state) {
    (void)state;
    write_file("top.yaml", "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}}\n"
                           "joints: {j: {type: spherical, between: [ground, b]}}\n");
    write_file("tops.yaml",
               "space: spatial\ninclude: top.yaml\ntops: [{use: top, as: a}]\nrun: {until: 1 s}\n");
    rig r = open_file("tops.yaml");
    rig_near(rig_value(&r, "a.b.z"), 0, 1e-12, "assembled");
    rig_close(&r);
    write_file("top.yaml", "space: planar\nbodies: {b: {mass: 1, inertia: 1}}\n");
    char path[200];
    lash_model *model;
    lash_error error = {0};
    snprintf(path, sizeof path, "%s/tops.yaml", folder);
    assert_int_equal(lash_model_load(&model, path, NULL, &error), LASH_ERROR_MODEL);
    assert_non_null(
        strstr(error.message, "this file is a planar model, and the one that includes it a spatial one"));
}

/* A controlled axis, names with a prefix and its numbers: of a component none. */
static void put_axis(FILE *out, const char *section, const char *prefix, const char *target,
                     const char *load) {
    const char *p = prefix;
    if (strcmp(section, "inputs") == 0)
        fprintf(out, "      %strim: 0 rad\n", p);
    else if (strcmp(section, "bodies") == 0)
        fprintf(out, "      %sarm: {mass: 1, inertia: \"%s\"}\n", p, load);
    else if (strcmp(section, "joints") == 0)
        fprintf(out, "      %spin: {type: revolute, between: [ground, %sarm]}\n", p, p);
    else if (strcmp(section, "signals") == 0)
        fprintf(out,
                "      %serror: \"%s + %strim - %spin.angle\"\n"
                "      %ssmooth: {lag: %serror, time: 0.1 s}\n"
                "      %sheld: {hold: \"2 N*m*%serror\", every: 0.05 s}\n"
                "      %ssum: {integral: \"%serror/(1 s)\"}\n",
                p, target, p, p, p, p, p, p, p, p);
    else
        fprintf(out,
                "      %smotor: {type: motor, joint: %spin, position: {to: \"%s + %strim\", kp: 5 N m, ki: 3 "
                "N m/s, "
                "kd: 1 N m s, limit: 2 N m}}\n"
                "      %sbrake: {type: torque, body: %sarm, torque: \"%sheld - 0.2 N m s*%spin.wz + 0.1 N "
                "m*if(%smotor.output > 1 N m, 1, 0)\"}\n",
                p, p, target, p, p, p, p, p, p);
}

/* Signals with states, samples, inputs, motors and their controllers in a component: each instance has its
 * own, with its numbers, and they are those of the model written out. */
static void machines_in_components(void **state) {
    (void)state;
    static const char *const sections[5] = {"inputs", "bodies", "joints", "signals", "forces"};
    char *texts[2];
    size_t size;
    for (int k = 0; k < 2; k++) {
        FILE *out = open_memstream(&texts[k], &size);
        if (k)
            fputs("components:\n  axis:\n    parameters: {target: 1 rad, load: 0.1}\n", out);
        for (int s = 0; s < 5; s++) {
            fprintf(out, "%s%s:\n", k ? "    " : "", sections[s]);
            if (k)
                put_axis(out, sections[s], "", "$target", "$load");
            if (!k && s == 3)
                fputs("      both: \"c1_error + c2_smooth\"\n", out);
            if (!k && s == 4)
                fputs("      last: {type: torque, body: c1_arm, torque: \"0.01 N m*both\"}\n", out);
            if (!k) {
                put_axis(out, sections[s], "c1_", "1 rad", "0.1");
                put_axis(out, sections[s], "c2_", "0.5 rad", "0.3");
            }
        }
        if (k)
            fputs("axes:\n  - {use: axis, as: c1}\n  - {use: axis, as: c2, with: {target: 0.5 rad, load: "
                  "0.3}}\n"
                  "signals: {both: \"c1.error + c2.smooth\"}\n"
                  "forces: {last: {type: torque, body: c1.arm, torque: \"0.01 N m*both\"}}\n",
                  out);
        fputs("run: {until: 2 s}\n", out);
        fclose(out);
    }
    rig a = rig_open("%s", texts[1]), b = rig_open("%s", texts[0]);
    const size_t count = lash_sim_channel_count(a.sim);
    assert_int_equal(count, lash_sim_channel_count(b.sim));
    // Inputs by their names, each its own.
    for (int k = 0; k < 2; k++) {
        lash_error error = {0};
        rig *r = k ? &b : &a;
        const char *wanted = k ? "c2_trim" : "c2.trim";
        size_t input = 0;
        while (input < lash_sim_input_count(r->sim) &&
               strcmp(lash_sim_input_name(r->sim, input), wanted) != 0)
            input++;
        rig_step_to(r, 0.7);
        rig_require(lash_sim_set_input(r->sim, input, 0.25, &error), &error, "input");
        rig_step_to(r, 2);
    }
    for (size_t k = 0; k < count; k++) {
        char name[100];
        snprintf(name, sizeof name, "%s", lash_sim_channel_name(b.sim, k));
        if (name[0] == 'c' && name[2] == '_')
            name[2] = '.';
        assert_string_equal(lash_sim_channel_name(a.sim, k), name);
        const double x = lash_sim_value(a.sim, k), y = lash_sim_value(b.sim, k);
        if (memcmp(&x, &y, sizeof x) != 0)
            fail_msg("%s: %.17g and %.17g", name, x, y);
    }
    rig_near(rig_value(&a, "c1.pin.angle"), 1, 0.05, "the first goes to its target");
    rig_near(rig_value(&a, "c2.pin.angle"), 0.75, 0.1, "the second to its own and its input");
    free(texts[0]);
    free(texts[1]);
    rig_close(&a);
    rig_close(&b);
}

/* The text of a model needs no other file, and says the same. */
static void texts_stand_alone(void **state) {
    (void)state;
    write_file("cylinder.yaml", CYLINDER);
    write_file("four.yaml", four);
    rig a = open_file("four.yaml");
    const char *text = lash_model_text(a.model);
    assert_non_null(strstr(text, "included files:"));
    rig b = {0};
    lash_error error = {0};
    const lash_load_options look = {.without_tables = true};
    rig_require(lash_model_parse(&b.model, text, strlen(text), "elsewhere/model.yaml", &look, &error), &error,
                "again");
    rig_require(lash_system_compile(&b.system, b.model, &error), &error, "compile");
    rig_require(lash_sim_create(&b.sim, b.system, &error), &error, "create");
    assert_string_equal(lash_model_text(b.model), text);
    expect_same_runs(&a, &b, 1e-3);
    // Read again with other settings.
    lash_model *other;
    const lash_setting setting = {"speed", "1000 rpm"};
    const lash_load_options options = {.settings = &setting, .setting_count = 1};
    rig_require(lash_model_reload(&other, a.model, &options, &error), &error, "reload");
    lash_model_destroy(other);
    rig_close(&a);
    rig_close(&b);
    // Where files must not be read, a text without them is refused.
    lash_model *refused;
    assert_int_equal(lash_model_parse(&refused, four, strlen(four), "elsewhere/model.yaml", &look, &error),
                     LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "is not kept with the model"));
}

#define PENDULUM                                                                                             \
    "    parameters: {a: 0.3 rad, k: 2 N*m}\n"                                                               \
    "    ground: {points: {pivot: [0.1, 0.2]}}\n"                                                            \
    "    bodies:\n"                                                                                          \
    "      arm: {mass: 2 kg, inertia: 0.1 kg*m^2, position: [0.6, 0.2], angle: 0, points: {pin: [-0.5, "     \
    "0]}}\n"                                                                                                 \
    "      sled: {mass: 1 kg, inertia: 0.1 kg*m^2, position: [1, 0], velocity: [0.5, 0]}\n"                  \
    "    joints:\n"                                                                                          \
    "      pin: {type: revolute, between: [ground.pivot, arm.pin], stops: {max: 0.2 rad, contact: "          \
    "{stiffness: 1e4, restitution: 0.7}}}\n"                                                                 \
    "      rail: {type: translational, between: [ground, sled], axis: [1, 0]}\n"                             \
    "    forces:\n"                                                                                          \
    "      coil: {type: joint-spring, joint: pin, stiffness: $k, free: $a}\n"                                \
    "      push: {type: force, at: arm, force: [1 N, \"3 N*sin(t/(1 s))\"]}\n"                               \
    "      wind: {type: load, over: pin, at: sled, direction: [1, 0], table: [[-3, -1], [0, 0], [3, 1]]}\n"

/* Turned and moved as a whole: the motion is the same, seen from there. */
static void instances_are_turned(void **state) {
    (void)state;
    rig r = rig_open("components:\n  swing:\n" PENDULUM "a: {use: swing}\n"
                     "b: {use: swing, at: [2, 3], angle: 40 deg}\nrun: {until: 1 s, rtol: 1e-11}\n");
    const double c = cos(40 * RIG_PI / 180), s = sin(40 * RIG_PI / 180);
    for (int k = 0; k <= 4; k++) {
        rig_step_to(&r, 0.25 * k);
        static const char *const bodies[] = {"arm", "sled"};
        for (int b = 0; b < 2; b++) {
            char name[40];
            double v[2][3];
            for (int i = 0; i < 2; i++) {
                static const char *const quantities[] = {"x", "y", "angle"};
                for (int q = 0; q < 3; q++) {
                    snprintf(name, sizeof name, "%c.%s.%s", "ab"[i], bodies[b], quantities[q]);
                    v[i][q] = rig_value(&r, name);
                }
            }
            rig_near(v[1][0], 2 + c * v[0][0] - s * v[0][1], 1e-8, "x of %s", bodies[b]);
            rig_near(v[1][1], 3 + s * v[0][0] + c * v[0][1], 1e-8, "y of %s", bodies[b]);
            rig_near(v[1][2], v[0][2] + 40 * RIG_PI / 180, 1e-8, "angle of %s", bodies[b]);
        }
        rig_near(rig_value(&r, "b.coil.torque"), rig_value(&r, "a.coil.torque"), 1e-6, "coil");
        rig_near(rig_value(&r, "b.wind.force"), rig_value(&r, "a.wind.force"), 1e-7, "wind");
    }
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_true(summary.clearances[0].contacts > 0); // the stop was met
    assert_int_equal(summary.clearances[0].contacts, summary.clearances[1].contacts);
    rig_close(&r);
}

static void instances_are_turned_in_space(void **state) {
    (void)state;
    rig r = rig_open("space: spatial\ncomponents:\n  top:\n"
                     "    ground: {points: {foot: [0.1, 0, 0]}}\n"
                     "    bodies:\n      b: {mass: 1 kg, inertia: [0.02, 0.03, 0.04], position: [0.1, 0, "
                     "0.2], angular_velocity: [1, 2, "
                     "30], points: {tip: [0, 0, -0.2]}}\n"
                     "    joints: {p: {type: spherical, between: [ground.foot, b.tip]}}\n"
                     "    forces: {f: {type: force, at: b, force: [0, 0, \"-9.81 N\"]}, t: {type: torque, "
                     "body: b, torque: [0.1, 0, 0]}}\n"
                     "one: {use: top}\n"
                     "two: {use: top, at: [1, 2, 3], orientation: {axis: [1, 1, 1], angle: 120 deg}}\n"
                     "run: {until: 0.5 s, rtol: 1e-11}\n");
    rig_step_to(&r, 0.5);
    // x → y → z → x
    rig_near(rig_value(&r, "two.b.y"), 2 + rig_value(&r, "one.b.x"), 1e-8, "x becomes y");
    rig_near(rig_value(&r, "two.b.z"), 3 + rig_value(&r, "one.b.y"), 1e-8, "y becomes z");
    rig_near(rig_value(&r, "two.b.x"), 1 + rig_value(&r, "one.b.z"), 1e-8, "z becomes x");
    rig_near(rig_value(&r, "two.b.wx"), rig_value(&r, "one.b.wz"), 1e-6, "spin");
    rig_close(&r);
}

/* The largest difference of a channel between the instances one and two of a run until `until`. */
static double difference(const rig *r, const char *channel, double until) {
    double most = 0;
    for (int k = 0; k <= 20; k++) {
        char name[2][60];
        rig_step_to(r, until * k / 20);
        for (int i = 0; i < 2; i++)
            snprintf(name[i], sizeof name[i], "%s.%s", i ? "two" : "one", channel);
        most = fmax(most, fabs(rig_value(r, name[1]) - rig_value(r, name[0])));
    }
    return most;
}

/* What is given about a joint with the ground goes with the instance: of a motor its setpoint, of a worn
 * bearing or journal its profile; in space also where the joint's angle is zero, so its stops, springs and
 * drives. */
static void joints_of_the_ground_are_turned(void **state) {
    (void)state;
    static const char *const placed[] = {
        "two: {use: part, angle: 35 deg}\n",
        "two: {use: part, orientation: {axis: [1, 0.3, 0.2], angle: 35 deg}}\n",
        "two: {use: part, orientation: {axis: [0, 0, 1], angle: 35 deg}}\n"};
    static const char *const bar[] = {
        "inertia: 0.02, position: [0.2, 0], angular_velocity: 2, hold: [w], points: {p: [-0.2, 0]}",
        "inertia: [0.02, 0.03, 0.02], position: [0.2, 0, 0], angular_velocity: [0, 0, 2], hold: [w], points: "
        "{p: "
        "[-0.2, 0, 0]}"};
    static const char *const ends[] = {"ground, bar.p", "bar.p, ground"};
    static const char *const what[] = {
        "forces: {m: {type: motor, joint: p, position: {to: 0.1*sin(3*t), kp: 5, kd: 0.1}}}",
        "forces: {s: {type: joint-spring, joint: p, stiffness: 5, free: 0.3}}",
        "forces: {l: {type: load, over: p, joint: p, table: [[-9, -1], [0, 2], [9, 1]]}}"};
    static const char *const pins[] = {"",
                                       ", stops: {min: -0.3, max: 0.25, contact: {stiffness: 500, "
                                       "restitution: 0.7}}",
                                       ", clearance: {bearing_radius: 10 mm, radial: 0.5 mm, length: 30 mm, "
                                       "contact: {stiffness: 1e8, restitution: 0.6}, wear: {bearing: "
                                       "\"50e-6*(1+sin(angle))\", journal: \"30e-6*(1+cos(angle))\"}}"};
    for (int place = 0; place < 3; place++)
        for (int k = 0; k < 10; k++) {
            const int worn = k / 2 == 4, pin = worn ? 2 : k / 2 == 3;
            rig r = rig_open("%scomponents:\n  part:\n    bodies: {bar: {mass: 1, %s}}\n"
                             "    joints: {p: {type: revolute, between: [%s]%s%s}}\n    %s\n"
                             "one: {use: part}\n%srun: {until: 1, rtol: 1e-10}\n",
                             place ? "space: spatial\n" : "", bar[place > 0], ends[k % 2],
                             place ? ", axis: [0, 0, 1]" : "", pins[pin],
                             k / 2 < 3 ? what[k / 2] : "signals: {none: 0}", placed[place]);
            const char *const channel = worn ? "p.e" : place ? "bar.wbz" : "bar.wz";
            const double apart = difference(&r, channel, worn ? 0.03 : 0.5);
            if (!(apart <= (worn ? 1e-10 : 1e-8)))
                fail_msg("%s%s with %s: %s differs by %g", placed[place], ends[k % 2],
                         k / 2 < 3 ? what[k / 2] : pins[pin], channel, apart);
            rig_close(&r);
        }
}

/* Components in components, in files in folders, with tables beside them. */
static void parts_of_parts(void **state) {
    (void)state;
    char path[200];
    snprintf(path, sizeof path, "%s/deep", folder);
    mkdir(path, 0700);
    write_file("deep/pull.csv", "0,1\n10,1\n");
    write_file("deep/mass.yaml",
               "title: a mass by itself\nparameters: {m: 1 kg}\nbodies: {block: {mass: $m, inertia: 1}}\n"
               "joints: {rail: {type: translational, between: [ground, block], axis: [1, 0]}}\n"
               "forces: {pull: {type: load, over: rail, joint: rail, table: pull.csv}}\nrun: {until: 1 s}\n");
    write_file("pair.yaml", "include: deep/mass.yaml\nleft: {use: mass, with: {m: 2 kg}}\n"
                            "right: {use: mass, at: [0, 1], with: {m: 4 kg}}\n");
    write_file("all.yaml",
               "include: pair.yaml\np: {use: pair}\nq: {use: pair, at: [0, 5]}\nrun: {until: 1 s}\n");
    rig r = open_file("all.yaml");
    rig_step_to(&r, 1);
    rig_near(rig_value(&r, "p.left.block.x"), 0.25, 1e-12, "half of a t² / m");
    rig_near(rig_value(&r, "q.right.block.x"), 0.125, 1e-12, "half of a t² / m");
    rig_near(rig_value(&r, "q.right.block.y"), 6, 0, "places add up");
    assert_string_equal(lash_model_table(r.model, 0), "deep/pull.csv");
    assert_null(lash_model_table(r.model, 1));
    rig_close(&r);
}

/* A table that is shifted, scaled and repeated, against what it stands for. */
static void tables_are_changed(void **state) {
    (void)state;
    rig r = rig_open("bodies: {b: {mass: 1 kg, inertia: 1, velocity: [1, 0]}}\n"
                     "joints: {rail: {type: translational, between: [ground, b], axis: [1, 0]}}\n"
                     "drives: {d: {joint: rail, speed: 1 m/s, start: 0}}\n"
                     "forces:\n"
                     "  f: {type: load, over: rail, joint: rail, table: {points: [[0, 0], [1, 2], [2, 0]],\n"
                     "      interpolation: linear, shift: 0.5 m, scale: 3, period: 2 m}}\n"
                     "run: {until: 7 s}\n");
    for (double t = 0.1; t < 7; t += 0.3) {
        rig_step_to(&r, t);
        const double x = fmod(t + 1.5, 2), hat = x < 1 ? 2 * x : 2 * (2 - x);
        rig_near(rig_value(&r, "f.table"), 3 * hat, 1e-9, "table at %g", t);
    }
    rig_close(&r);
}

static void long_ways_are_bounded(void **state) {
    (void)state;
    lash_model *model;
    lash_error error = {0};
    // Each component holds ten of the one before: a million, if they were not counted.
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("components:\n  c0: {bodies: {b: {mass: 1, inertia: 1}}}\n", out);
    for (int k = 1; k < 7; k++) {
        fprintf(out, "  c%d: {i: [", k);
        for (int i = 0; i < 10; i++)
            fprintf(out, "%s{use: c%d, as: i%d}", i ? ", " : "", k - 1, i);
        fputs("]}\n", out);
    }
    fputs("all: {use: c6}\n", out);
    fclose(out);
    assert_int_equal(lash_model_parse(&model, text, size, "many.yaml", NULL, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "more than 10000 instances"));
    free(text);
    // Files in files.
    for (int k = 0; k < 40; k++) {
        char name[32], inner[200];
        snprintf(name, sizeof name, "f%d.yaml", k);
        snprintf(inner, sizeof inner, "include: f%d.yaml\nbodies: {b: {mass: 1, inertia: 1}}\n", k + 1);
        write_file(name, inner);
    }
    char path[200];
    snprintf(path, sizeof path, "%s/f0.yaml", folder);
    assert_int_equal(lash_model_load(&model, path, NULL, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "more than 16 deep"));
    // A file that includes itself says how, and where.
    write_file("loop.yaml", "bodies: {b: {mass: 1, inertia: 1}}\ninclude: other.yaml\n");
    write_file("other.yaml", "include: loop.yaml\n");
    write_file("start.yaml", "include: loop.yaml\nbodies: {b: {mass: 1, inertia: 1}}\n");
    snprintf(path, sizeof path, "%s/start.yaml", folder);
    assert_int_equal(lash_model_load(&model, path, NULL, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "loop.yaml -> other.yaml -> loop.yaml"));
    assert_non_null(strstr(error.file, "other.yaml"));
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 10);
}

/* Mistakes point into the file they stand in. */
static void mistakes_have_their_file(void **state) {
    (void)state;
    lash_model *model;
    lash_error error = {0};
    char path[200];
    write_file("part.yaml", "bodies:\n  rod:\n    mass: -3 kg\n    inertia: 1\n");
    write_file("whole.yaml", "include: part.yaml\nr1: {use: part}\nr2: {use: part}\n");
    snprintf(path, sizeof path, "%s/whole.yaml", folder);
    assert_int_equal(lash_model_load(&model, path, NULL, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.file, "part.yaml"));
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 11);
    assert_string_equal(error.excerpt, "    mass: -3 kg");
    assert_null(strstr(error.message, "more mistake")); // of both instances, said once
    write_file("part.yaml", "bodies:\n  rod: {mass: 3 kg, inertia: 1\njoints: {}\n");
    assert_int_equal(lash_model_load(&model, path, NULL, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.file, "part.yaml"));
    assert_non_null(strstr(error.message, "not YAML"));
}

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_what_is_written_out),
        cmocka_unit_test(included_in_space),
        cmocka_unit_test(machines_in_components),
        cmocka_unit_test(texts_stand_alone),
        cmocka_unit_test(instances_are_turned),
        cmocka_unit_test(instances_are_turned_in_space),
        cmocka_unit_test(joints_of_the_ground_are_turned),
        cmocka_unit_test(parts_of_parts),
        cmocka_unit_test(tables_are_changed),
        cmocka_unit_test(long_ways_are_bounded),
        cmocka_unit_test(mistakes_have_their_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
