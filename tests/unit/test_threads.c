/* SPDX-License-Identifier: MIT
 *
 * Threads: models read at the same time, one compiled system shared by simulations of several threads,
 * results written and read, a study on several workers. All give the numbers that one thread gives; under the
 * thread sanitizer (preset threads) no two touch the same memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lash/lash.h"

enum { THREADS = 8, MOST_COORDINATES = 64 };
static char folder[] = "/tmp/lash-threads-XXXXXX";

static const char text[] =
    "gravity: [0, -9.81]\nparameters: {play: 0.5 mm}\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
    "bodies: {bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0.05, -0.08], angle: 0.6}}\n"
    "joints:\n  pin: {type: revolute, between: [ground, bob.a], clearance: {bearing_radius: 1 cm, radial: "
    "$play,\n"
    "        materials: steel, contact: {restitution: 0.9}}}\n"
    "run: {until: 0.05, samples: 20}\n";

typedef struct job {
    const lash_system *shared;    // NULL: a model and a system of its own
    double end[MOST_COORDINATES]; // coordinates at the end
    lash_status status;
    int number;
} job;

static lash_status simulate(job *j, const lash_system *system) {
    lash_sim *sim;
    lash_status status = lash_sim_create(&sim, system, NULL);
    if (!status)
        status = lash_sim_run(sim, NULL, NULL, NULL);
    if (status >= 0 && lash_sim_coordinate_count(sim) <= MOST_COORDINATES)
        lash_sim_coordinates(j->end, sim);
    lash_sim_destroy(sim);
    return status;
}

static void *work(void *user) {
    job *j = user;
    lash_model *model = NULL;
    lash_system *system = NULL;
    if (j->shared) {
        j->status = simulate(j, j->shared);
        return NULL;
    }
    j->status = lash_model_parse(&model, text, strlen(text), "threads", NULL, NULL);
    if (!j->status)
        j->status = lash_system_compile(&system, model, NULL);
    if (!j->status)
        j->status = simulate(j, system);
    lash_system_destroy(system);
    lash_model_destroy(model);
    return NULL;
}

/* All at once; each ends as one alone does. */
static void compare(const lash_system *shared) {
    static job jobs[THREADS], alone;
    pthread_t threads[THREADS];
    alone = (job){.shared = shared};
    work(&alone);
    assert_true(alone.status >= 0);
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.shared = shared, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(jobs[i].status, alone.status);
        assert_memory_equal(jobs[i].end, alone.end, sizeof alone.end);
    }
}

static void test_models_of_their_own(void **state) {
    (void)state;
    compare(NULL);
}

static void test_shared_system(void **state) {
    (void)state;
    lash_model *model;
    lash_system *system;
    assert_int_equal(lash_model_parse(&model, text, strlen(text), "threads", NULL, NULL), LASH_OK);
    assert_int_equal(lash_system_compile(&system, model, NULL), LASH_OK);
    compare(system);
    lash_system_destroy(system);
    lash_model_destroy(model);
}

static void put(const char *path, const char *what) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(what, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The tables of one worker and of several are the same, cell by cell. */
static void test_study_on_workers(void **state) {
    (void)state;
    lash_study_table *tables[2];
    put("model.yaml", text);
    put("study.yaml", "model: model.yaml\naxes: {play: {from: 0.3 mm, to: 0.6 mm, steps: 12}}\n"
                      "metrics: [max bob.y, rms bob.vx]\n");
    for (int i = 0; i < 2; i++) {
        lash_study *study;
        lash_study_progress progress;
        const char *store = i ? "many.db" : "one.db";
        const lash_study_options options = {.store = store, .jobs = i ? 4 : 1};
        assert_int_equal(lash_study_load(&study, "study.yaml", NULL, NULL), LASH_OK);
        assert_int_equal(lash_study_run(&progress, study, &options, NULL), LASH_OK);
        assert_int_equal(progress.failed, 0);
        lash_study_destroy(study);
        assert_int_equal(lash_study_table_open(&tables[i], store, NULL), LASH_OK);
    }
    assert_int_equal(lash_study_table_rows(tables[0]), 12);
    assert_int_equal(lash_study_table_rows(tables[1]), 12);
    for (size_t r = 0; r < 12; r++)
        for (size_t c = 0; c < lash_study_table_width(tables[0]); c++)
            assert_string_equal(lash_study_table_text(tables[0], r, c),
                                lash_study_table_text(tables[1], r, c));
    lash_study_table_close(tables[0]);
    lash_study_table_close(tables[1]);
}

static int begin(void **state) {
    (void)state;
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int end(void **state) {
    (void)state;
    static const char *const files[] = {"model.yaml", "study.yaml", "one.db", "many.db"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    return chdir("/") != 0 || rmdir(folder) != 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_of_their_own),
        cmocka_unit_test(test_shared_system),
        cmocka_unit_test(test_study_on_workers),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
