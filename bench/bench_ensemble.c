/* SPDX-License-Identifier: MIT
 *
 * Many slider-cranks with play side by side (lash/ensemble.h): turns per second on lanes or on a GPU, and how far the slider's
 * velocity at the end is from that of runs at a tolerance of 1e-10.
 *
 *   bench_ensemble [MODEL] [lanes|gpu] [members] [turns] [rtol] [narrow|wide] [references] [workers]
 *
 * narrow: 4500 to 5500 rpm, play 0.04 to 0.06 mm; wide: 1000 to 6000 rpm, 0.05 to 0.5 mm. As in a study, workers have ensembles of
 * their own and share the device; the time is that from when all of them are ready until all have ended. Errors are relative to
 * the largest velocity of the member; a reference whose number of contacts differs has grazed the wall, and is counted.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lash/ensemble.h"
#include "lash/lash.h"

static double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double uniform(unsigned long long *seed) {
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

typedef struct machine {
    double play, speed; /* mm, rpm */
} machine;

enum { MOST_WORKERS = 64 };
static const char *const channels[] = {"slider.vx"};

static struct {
    const char *path, *rtol;
    lash_model *parsed; /* as the file says */
    double turns;
    bool gpu;
    machine *machines;
    double *error;
    int *grazed;
    long members, references, workers;
    lash_ensemble *ensembles[MOST_WORKERS]; /* member i is number i / workers of ensemble i % workers */
    double begun[MOST_WORKERS], ended[MOST_WORKERS];
    pthread_barrier_t ready;
} all;

static lash_status make(lash_model **model, lash_system **system, const machine *m, const char *rtol,
                        lash_error *error) {
    char play[64], speed[64];
    snprintf(play, sizeof play, "%.17g mm", m->play);
    snprintf(speed, sizeof speed, "%.17g rpm", m->speed);
    const lash_setting settings[] = {{"play", play}, {"speed", speed}, {"run.rtol", rtol}};
    const lash_load_options options = {.settings = settings, .setting_count = 3};
    const lash_status status = lash_model_reload(model, all.parsed, &options, error);
    return status ? status : lash_system_compile(system, *model, error);
}

static void give_up(const lash_error *error) {
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* An ensemble in which play and speed vary, whose first machine is the first of all. */
static lash_ensemble *begin_ensemble(void) {
    const lash_ensemble_plan plan = {.channels = channels, .channel_count = 1};
    const machine another = {1.5 * all.machines[0].play, 1.5 * all.machines[0].speed};
    lash_error error = {.message = ""};
    lash_ensemble *ensemble;
    lash_model *model, *other_model;
    lash_system *system, *other;
    if (make(&model, &system, &all.machines[0], all.rtol, &error) ||
        make(&other_model, &other, &another, all.rtol, &error) ||
        lash_ensemble_create(&ensemble, system, &plan, &error) || lash_ensemble_vary(ensemble, other, &error))
        give_up(&error);
    lash_system_destroy(system);
    lash_model_destroy(model);
    lash_system_destroy(other);
    lash_model_destroy(other_model);
    return ensemble;
}

static void add(lash_ensemble *ensemble, const machine *m, double turns) {
    const lash_ensemble_span span = {.until = turns * 60 / m->speed};
    lash_error error = {.message = ""};
    lash_model *model;
    lash_system *system;
    if (make(&model, &system, m, all.rtol, &error) || lash_ensemble_add(ensemble, system, &span, &error))
        give_up(&error);
    lash_system_destroy(system);
    lash_model_destroy(model);
}

static void run(lash_ensemble *ensemble) {
    lash_error error = {.message = ""};
    if (lash_ensemble_run(ensemble, all.gpu ? LASH_ON_GPU : LASH_ON_LANES, NULL, NULL, &error))
        give_up(&error);
}

static void *work(void *user) {
    const long worker = *(const long *)user;
    for (long i = worker; i < all.members; i += all.workers)
        add(all.ensembles[worker], &all.machines[i], all.turns);
    pthread_barrier_wait(&all.ready);
    all.begun[worker] = wall_clock();
    run(all.ensembles[worker]);
    all.ended[worker] = wall_clock();
    return NULL;
}

/* Every so-many-th reference, one worker each. */
static void *refer(void *user) {
    lash_error error = {.message = ""};
    const long worker = *(const long *)user;
    const lash_ensemble *measured = all.ensembles[worker];
    for (long i = worker; i < all.references; i += all.workers) {
        const size_t k = (size_t)(i / all.workers);
        lash_model *model;
        lash_system *system;
        lash_sim *sim;
        if (make(&model, &system, &all.machines[i], "1e-10", &error) || lash_sim_create(&sim, system, &error))
            give_up(&error);
        const double end = all.turns * 60 / all.machines[i].speed;
        if (lash_sim_run_until(sim, end, NULL, NULL, &error) < 0)
            give_up(&error);
        const double v = lash_sim_value(sim, lash_sim_find_channel(sim, "slider.vx")),
                     low = lash_ensemble_value(measured, k, 0, LASH_ENSEMBLE_LEAST),
                     high = lash_ensemble_value(measured, k, 0, LASH_ENSEMBLE_MOST);
        all.error[i] =
            fabs(lash_ensemble_value(measured, k, 0, LASH_ENSEMBLE_END) - v) / fmax(fabs(low), fabs(high));
        all.grazed[i] = lash_ensemble_contact_of(measured, k, 0).begun !=
                        (double)lash_sim_summary(sim).clearances[0].contacts;
        lash_sim_destroy(sim);
        lash_system_destroy(system);
        lash_model_destroy(model);
    }
    return NULL;
}

static void by_all_workers(void *(*what)(void *)) {
    pthread_t thread[MOST_WORKERS];
    long number[MOST_WORKERS];
    for (long k = 0; k < all.workers; k++) {
        number[k] = k;
        if (pthread_create(&thread[k], NULL, what, &number[k]))
            exit(1);
    }
    for (long k = 0; k < all.workers; k++)
        pthread_join(thread[k], NULL);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    const char *where = argc > 2 ? argv[2] : "lanes";
    const bool wide = argc > 6 && strcmp(argv[6], "wide") == 0;
    all.gpu = strcmp(where, "gpu") == 0;
    all.path = argc > 1 ? argv[1] : LASH_SOURCE_DIR "/examples/flores-2010.yaml";
    all.members = argc > 3 ? atol(argv[3]) : 256;
    all.turns = argc > 4 ? atof(argv[4]) : 1;
    all.rtol = argc > 5 ? argv[5] : "1.5e-2";
    all.references = argc > 7 ? atol(argv[7]) : 32;
    all.references = all.references < all.members ? all.references : all.members;
    all.workers = argc > 8 ? atol(argv[8]) : sysconf(_SC_NPROCESSORS_ONLN);
    all.workers = all.workers < 1 ? 1 : all.workers > MOST_WORKERS ? MOST_WORKERS : all.workers;
    const size_t n = (size_t)all.members;
    all.machines = calloc(n, sizeof *all.machines);
    all.error = calloc(n, sizeof *all.error);
    all.grazed = calloc(n, sizeof *all.grazed);
    if (!all.machines || !all.error || !all.grazed ||
        pthread_barrier_init(&all.ready, NULL, (unsigned)all.workers))
        return 1;
    lash_error error = {.message = ""};
    if (lash_model_load(&all.parsed, all.path, &(lash_load_options){.keep_parsed = true}, &error))
        give_up(&error);
    unsigned long long seed = 1;
    for (size_t i = 0; i < n; i++)
        all.machines[i] = wide ? (machine){0.05 + 0.45 * uniform(&seed), 1000 + 5000 * uniform(&seed)}
                               : (machine){0.04 + 0.02 * uniform(&seed), 4500 + 1000 * uniform(&seed)};
    // The driver's start and the compiler are not what is measured.
    lash_ensemble *warm = begin_ensemble();
    add(warm, &all.machines[0], 1e-3);
    run(warm);
    for (long k = 0; k < all.workers; k++)
        all.ensembles[k] = begin_ensemble();
    const double start = wall_clock();
    by_all_workers(work);
    double begun = all.begun[0], ended = all.ended[0], prepared = 0, evaluations = 0, own;
    for (long k = 0; k < all.workers; k++) {
        begun = fmin(begun, all.begun[k]);
        ended = fmax(ended, all.ended[k]);
    }
    prepared = begun - start;
    size_t failed = 0, grazed = 0;
    for (long k = 0; k < all.workers; k++)
        for (size_t i = 0; i < lash_ensemble_count(all.ensembles[k]); i++) {
            failed += lash_ensemble_status(all.ensembles[k], i) != LASH_OK;
            lash_ensemble_steps(all.ensembles[k], i, &own);
            evaluations += own;
        }
    by_all_workers(refer);
    for (long i = 0; i < all.references; i++)
        grazed += all.grazed[i] != 0;
    qsort(all.error, (size_t)all.references, sizeof *all.error, ascending);
    printf("%s %s, %ld members of %g turns, rtol %s, %ld workers: %.4g turns/s (%.3f s; prepared in %.2f s), "
           "%.0f evaluations per turn, %zu failed\n",
           where, wide ? "wide" : "narrow", all.members, all.turns, all.rtol, all.workers,
           (double)all.members * all.turns / (ended - begun), ended - begun, prepared,
           evaluations / ((double)all.members * all.turns), failed);
    if (all.references)
        printf("    error of %ld: median %.2g, 90 %% %.2g, 99 %% %.2g, worst %.2g; another number of "
               "contacts in %zu\n",
               all.references, all.error[all.references / 2], all.error[all.references * 9 / 10],
               all.error[all.references * 99 / 100], all.error[all.references - 1], grazed);
    lash_ensemble_destroy(warm);
    for (long k = 0; k < all.workers; k++)
        lash_ensemble_destroy(all.ensembles[k]);
    lash_model_destroy(all.parsed);
    pthread_barrier_destroy(&all.ready);
    free(all.machines);
    free(all.error);
    free(all.grazed);
    return 0;
}
