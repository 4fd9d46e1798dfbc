/* SPDX-License-Identifier: MIT
 *
 * What a binding needs: parameters, other settings, changed definitions; inputs and forces from outside
 * against closed forms; events and records while stepping; states as bytes; studies from text; columns.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "physics/rig.h"

static const char parametric[] = "parameters:\n"
                                 "  weight: 2 kg   # of the block\n"
                                 "  twice: 2*$weight\n"
                                 "  kind: {choose: free, from: [free, held]}\n"
                                 "bodies:\n"
                                 "  block: {mass: $weight, inertia: 1}\n"
                                 "joints:\n"
                                 "  pin: {type: revolute, between: [ground, block], when: {kind: held}}\n"
                                 "forces:\n"
                                 "  pull: {type: force, at: block, force: [\"$twice*0 N/kg\", 0]}\n"
                                 "run: {until: 2, samples: 4}\n";

static lash_model *parse(const char *text) {
    lash_model *model;
    lash_error error;
    rig_require(lash_model_parse(&model, text, strlen(text), "test.yaml", NULL, &error), &error, "model");
    return model;
}

static void test_parameters(void **state) {
    (void)state;
    lash_model *model = parse(parametric), *heavy;
    lash_parameter p;
    assert_true(lash_model_parameter(&p, model, 0));
    assert_string_equal(p.name, "weight");
    assert_string_equal(p.text, "2 kg");
    assert_string_equal(p.unit, "kg");
    assert_string_equal(p.doc, "of the block");
    assert_true(p.value == 2 && !p.choices);
    assert_true(lash_model_parameter(&p, model, 2));
    assert_string_equal(p.text, "free");
    assert_string_equal(p.choices[1], "held");
    assert_null(p.choices[2]);
    assert_true(isnan(p.value));
    assert_false(lash_model_parameter(&p, model, 3));
    assert_false(lash_model_parameter(NULL, model, 0));

    const lash_setting settings[] = {{"weight", "5 kg"}, {"kind", "held"}};
    const lash_load_options options = {.settings = settings, .setting_count = 2};
    lash_error error;
    rig_require(lash_model_reload(&heavy, model, &options, &error), &error, "reload");
    assert_true(lash_model_parameter(&p, heavy, 0) && p.value == 5);
    assert_string_equal(p.usual, "2 kg");
    assert_true(lash_model_parameter(&p, heavy, 1) && p.value == 10);
    assert_true(lash_model_parameter(&p, heavy, 2));
    assert_string_equal(p.text, "held");
    assert_string_equal(p.usual, "free");
    lash_model_destroy(heavy);
    assert_int_equal(lash_model_reload(&heavy, NULL, NULL, &error), LASH_ERROR_USAGE);

    // A definition changed in place: the acceleration follows from the new mass.
    lash_body_def body;
    assert_int_equal(lash_model_get_body(&body, model, "blok", &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_model_get_body(&body, model, "block", &error), LASH_OK);
    assert_true(body.mass == 2);
    body.mass = 8;
    assert_int_equal(lash_model_set_body(model, "block", &body, &error), LASH_OK);
    assert_int_equal(lash_model_reload(&heavy, model, NULL, &error), LASH_ERROR_USAGE);
    rig r = {.model = model};
    rig_require(lash_system_compile(&r.system, model, &error), &error, "compile");
    rig_require(lash_sim_create(&r.sim, r.system, &error), &error, "create");
    const size_t fx = lash_sim_find_input(r.sim, "pull.fx");
    assert_int_equal(lash_sim_set_input(r.sim, fx, 4, &error), LASH_OK);
    assert_true(fabs(rig_value(&r, "block.ax") - 4.0 / 8) < 1e-15);
    rig_close(&r);
}

/* A constant force for a second, then its opposite: x = F/m (1/2 + 1 − 1/2). */
static void test_inputs(void **state) {
    (void)state;
    rig r = {.model = parse(parametric)};
    lash_error error;
    rig_require(lash_system_compile(&r.system, r.model, &error), &error, "compile");
    rig_require(lash_sim_create(&r.sim, r.system, &error), &error, "create");
    assert_int_equal(lash_sim_input_count(r.sim), 2);
    assert_string_equal(lash_sim_input_name(r.sim, 0), "pull.fx");
    assert_string_equal(lash_sim_input_unit(r.sim, 0), "N");
    assert_null(lash_sim_input_name(r.sim, 2));
    assert_int_equal(lash_sim_find_input(r.sim, "pull.fz"), (size_t)-1);
    assert_int_equal(lash_sim_set_input(r.sim, 2, 1, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_sim_set_input(r.sim, 0, (double)NAN, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_sim_set_input(r.sim, 0, 3, &error), LASH_OK);
    assert_true(lash_sim_run_until(r.sim, 1, NULL, NULL, &error) == LASH_STOP_END);
    assert_true(fabs(rig_value(&r, "block.x") - 3.0 / 2 / 2) < 1e-12);
    lash_state *kept;
    assert_int_equal(lash_state_create(&kept, r.sim, &error), LASH_OK);
    assert_int_equal(lash_sim_set_input(r.sim, 0, -3, &error), LASH_OK);
    assert_true(lash_sim_input(r.sim, 0) == -3);
    assert_true(lash_sim_run_until(r.sim, 2, NULL, NULL, &error) == LASH_STOP_END);
    assert_true(fabs(rig_value(&r, "block.x") - 3.0 / 2) < 1e-12);
    assert_true(fabs(rig_value(&r, "block.vx")) < 1e-12);
    // The work of the input is in the ledger: the run stands, and the input is part of the state.
    assert_int_equal(lash_sim_judge(r.sim, &error), LASH_OK);
    assert_int_equal(lash_sim_restore(r.sim, kept, &error), LASH_OK);
    assert_true(lash_sim_input(r.sim, 0) == 3);
    lash_state_destroy(kept);
    rig_close(&r);
}

static void spring(double force[3], void *user, double time, const lash_point_motion *motion) {
    (void)time;
    force[0] = -*(const double *)user * motion->position[0];
}

/* A function as a spring: x = cos(ωt). */
static void test_force_call(void **state) {
    (void)state;
    double stiffness = 18;
    rig r =
        rig_open("gravity: [0, 0]\nbodies:\n  block: {mass: 2, inertia: 1, position: [1, 0]}\n"
                 "forces:\n  pull: {type: force, at: block, force: [0, 0]}\nrun: {until: 5, rtol: 1e-10}\n");
    lash_error error;
    assert_int_equal(lash_sim_set_force(r.sim, "pul", spring, &stiffness, &error), LASH_ERROR_USAGE);
    assert_non_null(strstr(error.message, "did you mean 'pull'"));
    assert_int_equal(lash_sim_set_force(r.sim, "pull", spring, &stiffness, &error), LASH_OK);
    assert_int_equal(lash_sim_run(r.sim, NULL, NULL, &error), LASH_STOP_END);
    assert_true(fabs(rig_value(&r, "block.x") - cos(3 * 5.0)) < 1e-8);
    rig_close(&r);
}

static void look(double force[3], void *user, double time, const lash_point_motion *motion) {
    (void)time;
    (void)force;
    *(lash_point_motion *)user = *motion;
}

/* s turned about `axis`, of length 1, by an angle (Rodrigues). */
static void turn(double out[3], const double s[3], const double axis[3], double angle) {
    const double along = axis[0] * s[0] + axis[1] * s[1] + axis[2] * s[2];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = s[k] * cos(angle) + (axis[i] * s[j] - axis[j] * s[i]) * sin(angle) +
                 axis[k] * along * (1 - cos(angle));
    }
}

/* What a function is told of its point: a free body flies straight on and turns about a fixed axis. */
static void test_force_call_motion(void **state) {
    (void)state;
    static const double r0[3] = {1, 2, -3}, v[3] = {0.5, -0.2, 0.7}, s[3] = {0.3, 0.1, -0.2};
    for (int spatial = 0; spatial < 2; spatial++) {
        rig r =
            spatial
                ? rig_open(
                      "space: spatial\nbodies:\n  top: {mass: 2, inertia: [1, 1, 1], position: [1, 2, -3],\n"
                      "    velocity: [0.5, -0.2, 0.7], angular_velocity: [1, -2, 2], points: {p: [0.3, 0.1, "
                      "-0.2]}}\n"
                      "forces:\n  pull: {type: force, at: top.p, force: [0, 0, 0]}\nrun: {until: 1, rtol: "
                      "1e-11}\n")
                : rig_open("bodies:\n  top: {mass: 2, inertia: 1, position: [1, 2], angle: 0.4,\n"
                           "    velocity: [0.5, -0.2], angular_velocity: 3, points: {p: [0.3, 0.1]}}\n"
                           "forces:\n  pull: {type: force, at: top.p, force: [0, 0]}\nrun: {until: 1, rtol: "
                           "1e-11}\n");
        lash_error error;
        lash_point_motion seen = {0};
        assert_int_equal(lash_sim_set_force(r.sim, "pull", look, &seen, &error), LASH_OK);
        assert_int_equal(lash_sim_run(r.sim, NULL, NULL, &error), LASH_STOP_END);
        rig_value(&r, "top.ax"); // an evaluation at the end
        const double third = 1.0 / 3, axis[2][3] = {{0, 0, 1}, {third, -2 * third, 2 * third}};
        const double *a = axis[spatial], own[3] = {s[0], s[1], spatial ? s[2] : 0};
        double S[3];
        turn(S, own, a, spatial ? 3 : 3.4);
        for (int k = 0; k < 2 + spatial; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            rig_near(seen.position[k], r0[k] + v[k] + S[k], 1e-9, "position %d", k);
            rig_near(seen.velocity[k], v[k] + 3 * (a[i] * S[j] - a[j] * S[i]), 1e-9, "velocity %d", k);
        }
        for (int k = 0; k < 3; k++)
            rig_near(seen.angular_velocity[k], 3 * a[k], 1e-9, "angular velocity %d", k);
        assert_true(spatial ? isnan(seen.angle) : fabs(seen.angle - 3.4) < 1e-9);
        rig_close(&r);
    }
}

typedef struct counter {
    size_t onsets, releases;
} counter;

static void count(void *user, const lash_event *event) {
    counter *c = user;
    c->onsets += event->kind == LASH_EVENT_ONSET;
    c->releases += event->kind == LASH_EVENT_RELEASE;
}

static const char bouncing[] = "gravity: [0, -9.81]\nmaterials:\n  steel: {young: 207 GPa, poisson: 0.3}\n"
                               "bodies:\n  ball: {mass: 1, inertia: 0.01}\n"
                               "joints:\n  cup:\n    type: revolute\n    between: [ground, ball]\n"
                               "    clearance: {bearing_radius: 10 mm, radial: 0.5 mm, materials: steel,"
                               " contact: {law: lankarani-nikravesh, restitution: 0.9}}\n"
                               "run: {until: 0.1, samples: 50}\n";

/* Steps with a record attached give what a run gives, and every event once. */
static void test_stepping(void **state) {
    (void)state;
    rig run = rig_open("%s", bouncing), steps = rig_open("%s", bouncing);
    const lash_record_options options = {.samples = 50, .every = (double)NAN};
    lash_record *whole, *attached;
    lash_error error;
    counter called = {0}, seen = {0};
    const lash_run_control control = {.user = &called, .event = count};
    rig_require(lash_record_create(&whole, run.sim, &options, &error), &error, "record");
    rig_require(lash_record_to_memory(whole, &error), &error, "memory");
    assert_int_equal(lash_sim_run(run.sim, whole, &control, &error), LASH_STOP_END);
    rig_require(lash_record_create(&attached, steps.sim, &options, &error), &error, "record");
    rig_require(lash_record_to_memory(attached, &error), &error, "memory");
    assert_int_equal(lash_sim_attach(steps.sim, attached, 0, &error), LASH_ERROR_USAGE);
    rig_require(lash_sim_attach(steps.sim, attached, 0.1, &error), &error, "attach");
    while (lash_sim_step(steps.sim, 0.1, &error) == LASH_OK) {
        size_t happened;
        const lash_event *events = lash_sim_events(&happened, steps.sim);
        for (size_t i = 0; i < happened; i++)
            count(&seen, &events[i]);
    }
    assert_true(called.onsets > 2 && called.onsets == seen.onsets && called.releases == seen.releases);
    size_t a, b, c, d;
    const double *x = lash_record_rows(&a, whole, LASH_STREAM_SAMPLES),
                 *y = lash_record_rows(&b, attached, LASH_STREAM_SAMPLES);
    assert_int_equal(a, 51);
    assert_int_equal(a, b);
    assert_memory_equal(x, y, a * lash_record_column_count(whole) * sizeof(double));
    lash_record_events(&c, whole);
    lash_record_events(&d, attached);
    assert_int_equal(c, d);
    lash_summary summary = lash_sim_summary(run.sim);
    char *json = lash_summary_json(&summary);
    assert_non_null(json);
    assert_non_null(strstr(json, "{\"status\":\"STOP_END\""));
    assert_non_null(strstr(json, "\"cup.impacts\":"));
    free(json);
    assert_null(lash_summary_json(NULL));
    lash_record_destroy(whole);
    lash_record_destroy(attached);
    rig_close(&run);
    rig_close(&steps);
}

/* Written, read into another sim, the run goes on bit for bit; anything else is refused. */
static void test_bytes(void **state) {
    (void)state;
    rig a = rig_open("%s", bouncing), b = rig_open("%s", bouncing),
        other = rig_open("bodies:\n  ball: {mass: 1, inertia: 1}\nrun: {until: 1}\n");
    lash_error error;
    lash_state *kept, *read;
    void *bytes;
    size_t size;
    lash_sim_run_until(a.sim, 0.05, NULL, NULL, &error);
    rig_require(lash_state_create(&kept, a.sim, &error), &error, "state");
    rig_require(lash_state_create(&read, b.sim, &error), &error, "state");
    rig_require(lash_state_write(&bytes, &size, kept, a.sim, &error), &error, "write");
    rig_require(lash_state_read(read, b.sim, bytes, size, &error), &error, "read");
    rig_require(lash_sim_restore(b.sim, read, &error), &error, "restore");
    lash_sim_run_until(a.sim, 0.1, NULL, NULL, &error);
    lash_sim_run_until(b.sim, 0.1, NULL, NULL, &error);
    assert_true(rig_value(&a, "ball.y") == rig_value(&b, "ball.y"));
    assert_true(rig_value(&a, "ball.vy") == rig_value(&b, "ball.vy"));
    assert_int_equal(lash_state_read(read, b.sim, bytes, size - 1, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_state_read(read, b.sim, bytes, 3, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_state_read(read, other.sim, bytes, size, &error), LASH_ERROR_USAGE);
    assert_non_null(strstr(error.message, "another model"));
    for (size_t i = 0; i < size; i += 7) {
        ((char *)bytes)[i] ^= 1;
        assert_int_equal(lash_state_read(read, b.sim, bytes, size, &error), LASH_ERROR_USAGE);
        ((char *)bytes)[i] ^= 1;
    }
    assert_int_equal(lash_state_read(read, b.sim, NULL, size, &error), LASH_ERROR_USAGE);
    free(bytes);
    lash_state_destroy(kept);
    lash_state_destroy(read);
    rig_close(&a);
    rig_close(&b);
    rig_close(&other);
}

static void test_study_text(void **state) {
    (void)state;
    char text[512];
    snprintf(text, sizeof text,
             "model: %s/examples/slider-crank.yaml\nrun: {until: 1 ms}\nmetrics: [max slider.ax]\n",
             LASH_SOURCE_DIR);
    lash_study *study;
    lash_error error;
    rig_require(lash_study_parse(&study, text, strlen(text), "mine.yaml", NULL, &error), &error, "study");
    assert_int_equal(lash_study_point_count(study), 1);
    lash_study_destroy(study);
    assert_int_equal(lash_study_parse(&study, "metrics: 3", 10, "mine.yaml", NULL, &error), LASH_ERROR_MODEL);
    assert_string_equal(error.file, "mine.yaml");
    assert_null(study);
    assert_int_equal(lash_study_parse(NULL, text, 3, NULL, NULL, &error), LASH_ERROR_USAGE);
}

static void test_columns(void **state) {
    (void)state;
    rig r = rig_open("%s", bouncing);
    const lash_record_options options = {.samples = 2500, .every = (double)NAN};
    const char *path = "test_binding.h5";
    lash_record *record;
    lash_result *result;
    lash_error error;
    rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
    if (lash_record_to_hdf5(record, path, &error) == LASH_ERROR_USAGE) { // a build without HDF5
        lash_record_destroy(record);
        rig_close(&r);
        skip();
    }
    lash_sim_run(r.sim, record, NULL, &error);
    const lash_summary summary = lash_sim_summary(r.sim);
    rig_require(lash_record_finish(record, &summary, &error), &error, "finish");
    rig_require(lash_result_open(&result, path, &error), &error, "open");
    const size_t width = lash_result_column_count(result), count = 2300, first = 100;
    double *all = malloc(count * width * sizeof *all), *some = malloc(2 * count * sizeof *some);
    const size_t columns[2] = {3, 0}, wrong[1] = {width};
    rig_require(lash_result_read(all, result, LASH_STREAM_SAMPLES, first, count, &error), &error, "read");
    rig_require(lash_result_read_columns(some, result, LASH_STREAM_SAMPLES, columns, 2, first, count, &error),
                &error, "columns");
    for (size_t i = 0; i < count; i++)
        assert_true(some[2 * i] == all[i * width + 3] && some[2 * i + 1] == all[i * width]);
    assert_int_equal(lash_result_read_columns(some, result, LASH_STREAM_SAMPLES, wrong, 1, 0, 1, &error),
                     LASH_ERROR_USAGE);
    assert_int_equal(lash_result_read_columns(some, result, LASH_STREAM_SAMPLES, columns, 2, 2500, 2, &error),
                     LASH_ERROR_USAGE);
    assert_int_equal(lash_result_read_columns(some, result, LASH_STREAM_SAMPLES, NULL, 1, 0, 1, &error),
                     LASH_ERROR_USAGE);
    assert_int_equal(lash_result_read_columns(NULL, result, LASH_STREAM_SAMPLES, columns, 2, 0, 1, &error),
                     LASH_ERROR_USAGE);
    assert_int_equal(lash_result_read_columns(NULL, result, LASH_STREAM_SAMPLES, NULL, 0, 0, 1, &error),
                     LASH_OK);
    free(all);
    free(some);
    lash_result_close(result);
    lash_record_destroy(record);
    unlink(path);
    rig_close(&r);
}

/* Samples every so often: at k times that from the start, up to the end. */
static void test_every(void **state) {
    (void)state;
    static const struct {
        double every;
        size_t rows;
    } cases[] = {{0.25, 5}, {0.3, 4}, {1, 2}, {2, 1}, {0.1, 11}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rig r = rig_open("gravity: [0, -9.81]\nbodies: {stone: {mass: 1, inertia: 1, velocity: [0, "
                         "5]}}\nrun: {until: 1}\n");
        static const char *const channels[] = {"stone.y"};
        const lash_record_options options = {
            .channels = channels, .channel_count = 1, .every = cases[c].every};
        lash_record *record;
        lash_error error;
        size_t rows;
        rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
        rig_require(lash_record_to_memory(record, &error), &error, "memory");
        assert_int_equal(lash_sim_run(r.sim, record, NULL, &error), LASH_STOP_END);
        const double *value = lash_record_rows(&rows, record, LASH_STREAM_SAMPLES);
        assert_int_equal(rows, cases[c].rows);
        for (size_t k = 0; k < rows; k++) {
            const double t = cases[c].every * (double)k;
            rig_near(value[2 * k], t, 1e-15, "time");
            rig_near(value[2 * k + 1], 5 * t - 9.81 * t * t / 2, 1e-12, "place");
        }
        lash_record_destroy(record);
        rig_close(&r);
    }
}

/* One peak between two samples at most, the largest there; of all of them the largest is that of the summary. */
static void test_peaks_between_samples(void **state) {
    (void)state;
    rig r = rig_open("%s", bouncing);
    enum { SAMPLES = 4 };
    static const char *const channels[] = {"cup.fn"};
    const lash_record_options options = {
        .channels = channels, .channel_count = 1, .samples = SAMPLES, .every = (double)NAN, .peaks = true};
    lash_record *record;
    lash_error error;
    size_t rows;
    double most = 0;
    rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
    rig_require(lash_record_to_memory(record, &error), &error, "memory");
    assert_int_equal(lash_sim_run(r.sim, record, NULL, &error), LASH_STOP_END);
    const lash_summary summary = lash_sim_summary(r.sim);
    rig_require(lash_record_finish(record, &summary, &error), &error, "finish");
    const double *value = lash_record_rows(&rows, record, LASH_STREAM_PEAKS);
    assert_true(rows >= 2 && rows <= SAMPLES);
    assert_true(summary.clearances[0].impacts > SAMPLES); // more than one in some stretch
    for (size_t k = 0; k < rows; k++) {
        assert_true(k == 0 ||
                    floor(value[2 * k] / (0.1 / SAMPLES)) > floor(value[2 * k - 2] / (0.1 / SAMPLES)));
        most = fmax(most, value[2 * k + 1]);
    }
    rig_near(most, summary.clearances[0].peak_force, 1e-9 * most, "the largest");
    lash_record_destroy(record);
    rig_close(&r);
}

/* The state that a result keeps: read into another sim, it goes on as the first one does, to the bit. */
static void test_kept_state(void **state) {
    (void)state;
    rig r = rig_open("%s", bouncing), other = rig_open("%s", bouncing);
    const lash_record_options options = {.samples = 10, .every = (double)NAN};
    const char *path = "test_binding_state.h5";
    lash_record *record;
    lash_result *result;
    lash_error error;
    void *bytes = NULL;
    size_t count = 0;
    rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
    if (lash_record_to_hdf5(record, path, &error) == LASH_ERROR_USAGE) { // a build without HDF5
        lash_record_destroy(record);
        rig_close(&r);
        rig_close(&other);
        skip();
    }
    assert_true(lash_sim_run_until(r.sim, 0.06, record, NULL, &error) == LASH_STOP_END);
    rig_require(lash_record_keep_state(record, r.sim, &error), &error, "keep");
    const lash_summary summary = lash_sim_summary(r.sim);
    rig_require(lash_record_finish(record, &summary, &error), &error, "finish");
    rig_require(lash_result_open(&result, path, &error), &error, "open");
    rig_require(lash_result_state(&bytes, &count, result, "state", &error), &error, "state");
    assert_non_null(bytes);
    lash_state *kept;
    rig_require(lash_state_create(&kept, other.sim, &error), &error, "room");
    rig_require(lash_state_read(kept, other.sim, bytes, count, &error), &error, "read");
    rig_require(lash_sim_restore(other.sim, kept, &error), &error, "restore");
    assert_true(lash_sim_time(other.sim) == lash_sim_time(r.sim));
    rig_step_to(&r, 0.1);
    rig_step_to(&other, 0.1);
    assert_true(rig_value(&other, "ball.y") == rig_value(&r, "ball.y"));
    assert_true(rig_value(&other, "ball.vy") == rig_value(&r, "ball.vy"));
    free(bytes);
    lash_state_destroy(kept);
    lash_result_close(result);
    lash_record_destroy(record);
    unlink(path);
    rig_close(&r);
    rig_close(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_every),
        cmocka_unit_test(test_peaks_between_samples),
        cmocka_unit_test(test_kept_state),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_force_call),
        cmocka_unit_test(test_force_call_motion),
        cmocka_unit_test(test_stepping),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_study_text),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
