/* SPDX-License-Identifier: MIT
 *
 * Compiling a model and beginning a run when an allocation fails: whichever it is, the call ends with
 * ERROR_MEMORY, returns nothing and leaves nothing behind.
 */
#include "fault/counting.h"
#include "lash/lash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Joints to assemble, velocities to find, play, a drive and a table. */
static const char text[] =
    "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: 0.01, position: [0.05, 0.001], points: {a: [-0.05, 0], b: [0.05, 0]}}\n"
    "  rod: {mass: 1, inertia: 0.01, position: [0.2, 0.001], points: {a: [-0.1, 0], b: [0.1, 0]}}\n"
    "  block: {mass: 1, inertia: 0.01, position: [0.3, 0]}\n"
    "joints:\n"
    "  main: {type: revolute, between: [ground, crank.a]}\n"
    "  pin: {type: revolute, between: [crank.b, rod.a]}\n"
    "  end: {type: revolute, between: [rod.b, block], clearance: {bearing_radius: 1 cm, radial: 0.1 mm,\n"
    "        materials: steel, contact: {restitution: 0.9}}}\n"
    "  guide: {type: translational, between: [ground, block], axis: [1, 0]}\n"
    "drives: {motor: {joint: main, speed: 100 rpm}}\n"
    "run: {until: 0.01 s}\n";

/* Those whose films take no table. */
static const char *const examples[] = {
    "andrews",         "bell-mouth",   "coupling",          "double-pendulum", "engine",
    "flores-2004",     "flores-2006",  "flores-2008-guide", "four-bar",        "gear-rattle",
    "gear-train",      "grigore-2011", "inline-four",       "muvengei-2012",   "piston-slap",
    "planar-in-space", "press",        "robot-arm",         "robot-elbow",     "shaper",
    "slider-crank",    "start-stop",   "stick-slip",        "stops",           "worn-slider-crank"};

/* Of the rows; given up before it is a file. */
static char table[] = "/tmp/lash-fault-XXXXXX";

static lash_status go(lash_model *model, lash_error *error) {
    lash_system *system;
    lash_sim *sim = NULL, *tangent = NULL;
    lash_record *record = NULL;
    lash_state *saved = NULL;
    lash_linear *linear = NULL;
    const lash_record_options options = {.samples = 3, .every = LASH_UNSET};
    lash_status status = lash_system_compile(&system, model, error);
    assert_true((status == LASH_OK) == (system != NULL));
    if (!status) {
        status = lash_sim_create(&sim, system, error);
        assert_true((status == LASH_OK) == (sim != NULL));
    }
    if (!status) {
        status = lash_record_create(&record, sim, &options, error);
        assert_true((status == LASH_OK) == (record != NULL));
    }
    if (!status)
        status = lash_record_to_memory(record, error);
    if (!status)
        status = lash_record_to_csv(record, table, error);
    if (!status) {
        status = lash_state_create(&saved, sim, error);
        assert_true((status == LASH_OK) == (saved != NULL));
    }
    if (!status) {
        status = lash_linear_create(&linear, sim, NULL, 0, error);
        assert_true((status == LASH_OK) == (linear != NULL));
        if (status == LASH_ERROR_MODEL || status == LASH_ERROR_USAGE) // this machine cannot be linearized
            status = LASH_OK;
    }
    if (!status) {
        status = lash_sim_create_tangent(&tangent, sim, error);
        assert_true((status == LASH_OK) == (tangent != NULL));
        if (status == LASH_ERROR_MODEL || status == LASH_ERROR_USAGE) // nor has every machine a tangent
            status = LASH_OK;
    }
    lash_sim_destroy(tangent);
    lash_linear_destroy(linear);
    lash_state_destroy(saved);
    lash_record_destroy(record);
    lash_sim_destroy(sim);
    lash_system_destroy(system);
    return status;
}

/* Whichever allocation fails. */
static void each_allocation(lash_model *model, const char *name) {
    enum { MANY = 60 }; // fewer would mean that the count sees nothing
    lash_error error = {0};
    for (long n = 1;; n++) {
        counting_start(n, COUNTING_ONCE);
        const lash_status status = go(model, &error);
        if (!counting_stop()) {
            assert_int_equal(status, LASH_OK);
            assert_true(n > MANY);
            break;
        }
        if (status != LASH_ERROR_MEMORY)
            fail_msg("%s, allocation %ld: status %d, %s", name, n, (int)status, error.message);
    }
}

static void test_a_model(void **state) {
    (void)state;
    lash_model *model;
    lash_error error = {0};
    if (lash_model_parse(&model, text, strlen(text), "fault.yaml", NULL, &error) != LASH_OK)
        fail_msg("%s", error.message);
    each_allocation(model, "model");
    lash_model_destroy(model);
}

static void test_examples(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        char path[500];
        lash_model *model;
        lash_error error = {0};
        snprintf(path, sizeof path, LASH_SOURCE_DIR "/examples/%s.yaml", examples[k]);
        if (lash_model_load(&model, path, NULL, &error) != LASH_OK)
            fail_msg("%s", error.message);
        if (LASH_HAVE_CVODE || strcmp(lash_model_run(model)->method, "dop853") == 0)
            each_allocation(model, examples[k]);
        lash_model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_model), cmocka_unit_test(test_examples)};
    close(mkstemp(table));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(table);
    return failed;
}
