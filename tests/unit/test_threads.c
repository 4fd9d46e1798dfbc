/* SPDX-License-Identifier: MIT
 *
 * Threads: models read at the same time, and one compiled system shared by simulations of several threads.
 * All give the numbers that one thread gives; under the thread sanitizer (preset threads) no two touch the
 * same memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "lash/lash.h"

enum { THREADS = 8, MOST_COORDINATES = 64 };

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

/* A thread that may use one core only counts one. */
static void test_cores(void **state) {
    (void)state;
    cpu_set_t all, one;
    size_t first = 0;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(lash_core_count(), CPU_COUNT(&all));
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(lash_core_count(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_of_their_own),
        cmocka_unit_test(test_shared_system),
        cmocka_unit_test(test_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
