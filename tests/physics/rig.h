/* SPDX-License-Identifier: MIT
 *
 * A mechanism on the test bench: model text → model → system → sim in one call, channels by name, samples as
 * rows. Every failure fails the test with the library's own message. Include after cmocka.h.
 */
#ifndef LASH_TEST_RIG_H
#define LASH_TEST_RIG_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lash/lash.h"

#define RIG_PI 3.14159265358979323846

typedef struct rig {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
} rig;

/* Rows of samples; column 0 is the time, then the channels asked for, in that order. */
typedef struct rig_rows {
    lash_record *record;
    const double *value; /* [count][columns] */
    size_t count, columns;
} rig_rows;

static inline void rig_require(lash_status status, const lash_error *error, const char *stage) {
    if (status < 0)
        fail_msg("%s: %s: %s", stage, lash_status_name(status), error->message);
}

/* Model text with printf's conversions, through every stage. */
__attribute__((format(printf, 1, 2))) static inline rig rig_open(const char *format, ...) {
    rig r = {0};
    lash_error error = {0};
    char *text = NULL;
    va_list values;
    va_start(values, format);
    const int length = vasprintf(&text, format, values);
    va_end(values);
    assert_true(length > 0);
    lash_status status = lash_model_parse(&r.model, text, (size_t)length, "test.yaml", NULL, &error);
    free(text);
    rig_require(status, &error, "model");
    rig_require(lash_system_compile(&r.system, r.model, &error), &error, "compile");
    rig_require(lash_sim_create(&r.sim, r.system, &error), &error, "create");
    return r;
}

static inline void rig_close(rig *r) {
    lash_sim_destroy(r->sim);
    lash_system_destroy(r->system);
    lash_model_destroy(r->model);
    *r = (rig){0};
}

/* The outcome of compiling a model text that reads well, for tests of assembly. */
static inline lash_status rig_compile(const char *text, lash_error *error) {
    lash_model *model = NULL;
    lash_system *system = NULL;
    rig_require(lash_model_parse(&model, text, strlen(text), "test.yaml", NULL, error), error, "model");
    const lash_status status = lash_system_compile(&system, model, error);
    assert_true((status == LASH_OK) == (system != NULL));
    lash_system_destroy(system);
    lash_model_destroy(model);
    return status;
}

static inline double rig_value(const rig *r, const char *channel) {
    const size_t index = lash_sim_find_channel(r->sim, channel);
    if (index == (size_t)-1)
        fail_msg("no channel '%s'", channel);
    return lash_sim_value(r->sim, index);
}

/* Steps to the time t exactly. A motion that creeps is a failure, not a wait. */
static inline void rig_step_to(const rig *r, double t) {
    enum { MOST_STEPS = 50000 };
    lash_error error = {0};
    lash_status status = LASH_OK;
    for (int k = 0; status == LASH_OK; k++) {
        status = lash_sim_step(r->sim, t, &error);
        if (k == MOST_STEPS)
            fail_msg("step: %d steps did not reach %g s, only %.9g s", MOST_STEPS, t, lash_sim_time(r->sim));
    }
    rig_require(status, &error, "step");
}

/* The whole run (or its kinematics) with `intervals` uniform samples of the channels, a NULL-ended list. */
static inline rig_rows rig_sample(const rig *r, size_t intervals, const char *const *channels,
                                  bool kinematics) {
    rig_rows rows = {0};
    lash_error error = {0};
    size_t count = 0;
    while (channels[count])
        count++;
    const lash_record_options options = {.channels = channels,
                                         .channel_count = count,
                                         .samples = intervals,
                                         .every = LASH_UNSET,
                                         .still = kinematics};
    rig_require(lash_record_create(&rows.record, r->sim, &options, &error), &error, "record");
    rig_require(lash_record_to_memory(rows.record, &error), &error, "record");
    const lash_status status = kinematics ? lash_sim_kinematics(r->sim, rows.record, NULL, &error)
                                          : lash_sim_run(r->sim, rows.record, NULL, &error);
    rig_require(status, &error, "run");
    const lash_summary summary = lash_sim_summary(r->sim);
    rig_require(lash_record_finish(rows.record, &summary, &error), &error, "finish");
    rows.value = lash_record_rows(&rows.count, rows.record, LASH_STREAM_SAMPLES);
    rows.columns = lash_record_column_count(rows.record);
    assert_non_null(rows.value);
    assert_int_equal(rows.count, intervals + 1);
    assert_int_equal(rows.columns, count + 1);
    for (size_t k = 0; k < count; k++)
        assert_string_equal(lash_record_column_name(rows.record, k + 1), channels[k]);
    return rows;
}

static inline double rig_at(const rig_rows *rows, size_t row, size_t column) {
    return rows->value[row * rows->columns + column];
}

/* The nth event of a kind; NULL: there are fewer. */
static inline const lash_event *rig_event(const rig_rows *rows, lash_event_kind kind, size_t n) {
    size_t count;
    const lash_event *events = lash_record_events(&count, rows->record);
    for (size_t k = 0; k < count; k++)
        if (events[k].kind == kind && n-- == 0)
            return &events[k];
    return NULL;
}

/* Fails with both numbers where they differ by more than `allowed`. */
__attribute__((format(printf, 4, 5))) static inline void rig_near(double found, double expected,
                                                                  double allowed, const char *format, ...) {
    if (fabs(found - expected) <= allowed)
        return;
    char what[200];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    fail_msg("%s: %.17g, not %.17g: off by %.3g, allowed %.3g", what, found, expected, found - expected,
             allowed);
}

/* The ledger of the run so far closes to `share` of what was exchanged. */
static inline void rig_ledger(const rig *r, double share) {
    const lash_summary summary = lash_sim_summary(r->sim);
    assert_true(summary.energy_exchanged > 0);
    if (!(summary.max_balance_error <= share * summary.energy_exchanged))
        fail_msg("the energy is off by %g of %g J", summary.max_balance_error, summary.energy_exchanged);
}

static inline void rig_rows_close(rig_rows *rows) {
    lash_record_destroy(rows->record);
    *rows = (rig_rows){0};
}

/* Uniform in [low, high]; a small generator of its own (Steele, Lea & Flood 2014, splitmix64), so that a
 * failing case is the same everywhere. */
static inline double rig_random(unsigned long long *seed, double low, double high) {
    unsigned long long z = (*seed += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

#endif
