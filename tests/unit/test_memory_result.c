/* SPDX-License-Identifier: MIT
 *
 * A record in memory read as a result, and a run that was interrupted and is continued.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lash/lash.h"

/* A ball that bounces in its socket: events, and rows of all streams. */
static const char MODEL[] =
    "title: Bouncing\n"
    "parameters: {play: {value: 1 mm, range: [0.5 mm, 2 mm]}, lone: 3}\n"
    "bodies:\n"
    "  arm: {mass: 1, inertia: 0.02, position: [0, -0.2], velocity: [0.5, 0], points: {top: [0, 0.2]}}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, arm.top], clearance: {bearing_radius: 10 mm, radial: $play,\n"
    "        contact: {stiffness: 1e8, restitution: 0.6}}}\n"
    "run: {until: 60 ms, samples: 50, steps: true}\n";

typedef struct machine {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    lash_record *record;
} machine;

static void build(machine *m) {
    const lash_setting setting = {"play", "0.8 mm"};
    const lash_load_options options = {.settings = &setting, .setting_count = 1};
    const lash_record_options rows = {.samples = 50, .every = (double)NAN, .steps = true, .peaks = true};
    assert_int_equal(lash_model_parse(&m->model, MODEL, strlen(MODEL), "m.yaml", &options, NULL), LASH_OK);
    assert_int_equal(lash_system_compile(&m->system, m->model, NULL), LASH_OK);
    assert_int_equal(lash_sim_create(&m->sim, m->system, NULL), LASH_OK);
    assert_int_equal(lash_record_create(&m->record, m->sim, &rows, NULL), LASH_OK);
    assert_int_equal(lash_record_to_memory(m->record, NULL), LASH_OK);
}

static void clear(machine *m) {
    lash_record_destroy(m->record);
    lash_sim_destroy(m->sim);
    lash_system_destroy(m->system);
    lash_model_destroy(m->model);
}

/* Stops after every few steps. */
static bool few(void *user, double time, double end) {
    (void)time, (void)end;
    return ++*(int *)user % 3 != 0;
}

static void test_goes_on(void **state) {
    (void)state;
    machine whole, parts;
    build(&whole);
    build(&parts);
    assert_int_equal(lash_sim_run(whole.sim, whole.record, NULL, NULL), LASH_STOP_END);
    int steps = 0, calls = 0;
    const lash_run_control control = {.progress = few, .user = &steps};
    lash_status status;
    while ((status = lash_sim_run(parts.sim, parts.record, &control, NULL)) == LASH_STOP_INTERRUPTED)
        calls++;
    assert_int_equal(status, LASH_STOP_END);
    assert_true(calls > 3);
    for (lash_stream i = 0; i < LASH_STREAMS; i++) {
        size_t n, m;
        const double *a = lash_record_rows(&n, whole.record, i), *b = lash_record_rows(&m, parts.record, i);
        assert_int_equal(n, m);
        assert_true(i == LASH_STREAM_PEAKS || n > 20);
        if (n)
            assert_memory_equal(a, b, n * lash_record_column_count(whole.record) * sizeof *a);
    }
    size_t n, m;
    lash_record_events(&n, whole.record);
    lash_record_events(&m, parts.record);
    assert_int_equal(n, m);
    assert_true(n >= 2);
    assert_int_equal(lash_sim_summary(parts.sim).status, LASH_STOP_END);
    clear(&whole);
    clear(&parts);
}

static void test_result(void **state) {
    (void)state;
    machine m;
    lash_result *result = NULL;
    lash_error error = {0};
    build(&m);
    assert_int_equal(lash_sim_run(m.sim, m.record, NULL, NULL), LASH_STOP_END);
    const lash_summary summary = lash_sim_summary(m.sim);
    assert_int_equal(lash_record_finish(m.record, &summary, NULL), LASH_OK);
    assert_int_equal(lash_record_result(&result, m.record, &summary, &error), LASH_OK);

    const size_t columns = lash_record_column_count(m.record);
    assert_int_equal(lash_result_column_count(result), columns);
    for (size_t c = 0; c < columns; c++) {
        assert_string_equal(lash_result_column_name(result, c), lash_record_column_name(m.record, c));
        assert_string_equal(lash_result_column_unit(result, c), lash_record_column_unit(m.record, c));
    }
    assert_null(lash_result_column_name(result, columns));
    size_t rows;
    const double *values = lash_record_rows(&rows, m.record, LASH_STREAM_SAMPLES);
    assert_int_equal(rows, 51);
    assert_int_equal(lash_result_row_count(result, LASH_STREAM_SAMPLES), rows);
    double *read = calloc(rows * columns, sizeof *read);
    assert_non_null(read);
    assert_int_equal(lash_result_read(read, result, LASH_STREAM_SAMPLES, 3, rows - 3, &error), LASH_OK);
    assert_memory_equal(read, values + 3 * columns, (rows - 3) * columns * sizeof *read);
    const size_t wanted[] = {columns - 1, 0};
    assert_int_equal(lash_result_read_columns(read, result, LASH_STREAM_SAMPLES, wanted, 2, 5, 2, &error),
                     LASH_OK);
    assert_true(read[0] == values[5 * columns + columns - 1] && read[3] == values[6 * columns]);
    assert_int_equal(lash_result_read(read, result, LASH_STREAM_SAMPLES, 50, 2, &error), LASH_ERROR_USAGE);
    free(read);

    size_t count;
    const lash_event *events = lash_record_events(&count, m.record);
    assert_int_equal(lash_result_event_count(result), count);
    lash_event *copy = calloc(count + 1, sizeof *copy);
    assert_non_null(copy);
    assert_int_equal(lash_result_read_events(copy, result, &error), LASH_OK);
    assert_memory_equal(copy, events, count * sizeof *copy);
    free(copy);

    assert_string_equal(lash_result_text(result, "title"), "Bouncing");
    assert_string_equal(lash_result_text(result, "model"), MODEL);
    assert_string_equal(lash_result_text(result, "settings"), "play=0.8 mm\n");
    assert_non_null(strstr(lash_result_text(result, "summary"), "status = STOP_END\n"));
    assert_null(lash_result_text(result, "nothing"));
    lash_result_close(result);

    // Without a summary there is none; without a memory sink there is nothing to read.
    assert_int_equal(lash_record_result(&result, m.record, NULL, NULL), LASH_OK);
    assert_null(lash_result_text(result, "summary"));
    lash_result_close(result);
    lash_record *other;
    const lash_record_options few_rows = {.samples = 2, .every = (double)NAN};
    assert_int_equal(lash_record_create(&other, m.sim, &few_rows, NULL), LASH_OK);
    assert_int_equal(lash_record_result(&result, other, NULL, &error), LASH_ERROR_USAGE);
    assert_null(result);
    lash_record_destroy(other);
    assert_int_equal(lash_record_result(NULL, m.record, NULL, NULL), LASH_ERROR_USAGE);
    clear(&m);
}

/* The range of a parameter is kept, and one that is set need not lie in it. */
static void test_range(void **state) {
    (void)state;
    const lash_setting far = {"play", "5 mm"};
    const lash_load_options options = {.settings = &far, .setting_count = 1};
    lash_model *model;
    lash_parameter p;
    assert_int_equal(lash_model_parse(&model, MODEL, strlen(MODEL), "m.yaml", &options, NULL), LASH_OK);
    assert_true(lash_model_parameter(&p, model, 0));
    assert_string_equal(p.usual, "1 mm");
    assert_string_equal(p.text, "5 mm");
    assert_true(fabs(p.value - 5e-3) < 1e-15 && fabs(p.low - 5e-4) < 1e-15 && fabs(p.high - 2e-3) < 1e-15);
    assert_true(lash_model_parameter(&p, model, 1));
    assert_true(isnan(p.low) && isnan(p.high));
    lash_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_goes_on), cmocka_unit_test(test_result),
                                       cmocka_unit_test(test_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
