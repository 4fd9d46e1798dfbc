// SPDX-License-Identifier: MIT
// Lash on the benchmark's problem, behind the same call as the comparators.
//
// The model is examples/flores-2010.yaml, read once. Timed is what a run costs: compiling the system,
// creating the simulation, integrating, sampling; not reading the file, and not making or loading the code of a
// compiled model, which is done once for all runs of a machine.
#include "lash_run.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lash/lash.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int complain(const lash_error *error) {
    fprintf(stderr, "lash: %s\n", error->message);
    return -1;
}

static int run(bench_sample *samples, bench_cost *cost, const bench_request *request, const char *method,
               const char *compiled) {
    static const char *const channels[BENCH_QUANTITIES] = {"slider.x",     "slider.vx",  "slider.ax",
                                                           "motor.torque", "gudgeon.fn", "gudgeon.e"};
    lash_error error = {0};
    lash_model *model = NULL;
    lash_system *system = NULL;
    lash_sim *sim = NULL;
    lash_record *record = NULL;
    int result = -1;
    lash_status status = lash_model_load(&model, LASH_SOURCE_DIR "/examples/flores-2010.yaml", NULL, &error);
    if (!status) {
        lash_run_def settings = *lash_model_run(model);
        settings.until_turns = request->turns;
        settings.rtol = request->tolerance;
        settings.method = method;
        settings.compiled = compiled;
        status = lash_model_set_run(model, &settings, &error);
    }
    double begun = now();
    if (!status)
        status = lash_system_compile(&system, model, &error);
    if (!status)
        status = lash_sim_create(&sim, system, &error);
    const double created = now();
    if (!status)
        status = lash_sim_compile(sim, &error);
    begun += now() - created;
    const lash_record_options options = {.channels = channels,
                                         .channel_count = BENCH_QUANTITIES,
                                         .samples = (size_t)(request->sample_count * request->turns),
                                         .every = LASH_UNSET};
    if (!status)
        status = lash_record_create(&record, sim, &options, &error);
    if (!status)
        status = lash_record_to_memory(record, &error);
    if (!status)
        status = lash_sim_run(sim, record, NULL, &error);
    cost->seconds = now() - begun;
    if (status < 0) {
        complain(&error);
        goto done;
    }
    size_t rows;
    const double *row = lash_record_rows(&rows, record, LASH_STREAM_SAMPLES);
    for (int i = 0; i < request->sample_count; i++) {
        const double *at = row + (size_t)(i + 1) * (BENCH_QUANTITIES + 1);
        if (!(at[0] > request->times[i] - 1e-12 && at[0] < request->times[i] + 1e-12)) {
            fprintf(stderr, "lash: the reference's instants are not uniform over the first turn\n");
            goto done;
        }
        memcpy(samples[i].value, at + 1, sizeof samples[i].value);
    }
    const lash_summary summary = lash_sim_summary(sim);
    cost->evaluations = (long)(summary.evaluations + summary.looks - rows); // but for the samples
    cost->steps = (long)summary.steps;
    cost->rejected = (long)summary.rejected;
    cost->impacts = (long)summary.clearances[0].contacts;
    result = 0;
done:
    lash_record_destroy(record);
    lash_sim_destroy(sim);
    lash_system_destroy(system);
    lash_model_destroy(model);
    return result;
}

int bench_lash_dop853_run(bench_sample *samples, bench_cost *cost, const bench_request *request) {
    return run(samples, cost, request, "dop853", "never");
}

int bench_lash_compiled_run(bench_sample *samples, bench_cost *cost, const bench_request *request) {
    return run(samples, cost, request, "dop853", "always");
}

int bench_lash_adams_run(bench_sample *samples, bench_cost *cost, const bench_request *request) {
    return run(samples, cost, request, "adams", "never");
}
