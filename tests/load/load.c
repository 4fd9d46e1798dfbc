/* SPDX-License-Identifier: MIT
 *
 * load WHAT COUNT: one program that holds much, or does something often; prints the memory it needed.
 *
 *   load sims 1000       so many runs at once, each a step at a time, one system for all
 *   load repeat 10000    the same run again and again, from the model's text to its end
 *   load days 1          one run over days of simulated time, saved and restored every hour
 *
 * Every run must end where the first one does. Memory after a tenth of the work and at its end is compared:
 * it must not grow.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lash/lash.h"

static const char text[] =
    "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
    "bodies: {bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0.05, -0.08], angle: 0.6}}\n"
    "joints: {pin: {type: revolute, between: [ground, bob.a], clearance: {bearing_radius: 1 cm,\n"
    "  radial: 0.5 mm, materials: steel, contact: {restitution: 0.9}}}}\n"
    "run: {until: 0.05}\n";
static const char crank[] =
    "gravity: [0, -9.81]\n"
    "bodies: {crank: {mass: 1, inertia: 0.01, position: [0.1, 0], points: {a: [-0.1, 0]}}}\n"
    "joints: {axle: {type: revolute, between: [ground, crank.a]}}\n"
    "forces: {brake: {type: viscous, joint: axle, coefficient: 0.01},\n"
    "         motor: {type: torque, body: crank, torque: 0.05*sin(t)}}\n"
    "run: {until: 1 s, rtol: 1e-5}\n";

static void require(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "load: %s\n", what);
        exit(1);
    }
}

/* kB of memory in use now. */
static long memory(void) {
    long pages = 0, unused;
    FILE *file = fopen("/proc/self/statm", "r");
    require(file && fscanf(file, "%ld %ld", &unused, &pages) == 2, "memory cannot be read");
    fclose(file);
    return pages * 4;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct machine {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
} machine;

static machine make(const char *model) {
    machine m = {0};
    lash_error error;
    require(!lash_model_parse(&m.model, model, strlen(model), "load", NULL, &error) &&
                !lash_system_compile(&m.system, m.model, &error) &&
                !lash_sim_create(&m.sim, m.system, &error),
            "the model is not good");
    return m;
}

static void destroy(machine *m) {
    lash_sim_destroy(m->sim);
    lash_system_destroy(m->system);
    lash_model_destroy(m->model);
}

static long sims(size_t count) {
    machine first = make(text);
    lash_sim **all = calloc(count, sizeof(lash_sim *));
    require(all != NULL, "no memory");
    const long before = memory();
    for (size_t k = 0; k < count; k++)
        require(!lash_sim_create(&all[k], first.system, NULL), "a run cannot be begun");
    size_t left = count;
    while (left > 0) {
        left = 0;
        for (size_t k = 0; k < count; k++)
            left += lash_sim_step(all[k], 0.05, NULL) == LASH_OK;
    }
    const long after = memory();
    double end[2][6];
    lash_sim_coordinates(end[0], all[0]);
    for (size_t k = 0; k < count; k++) {
        require(lash_sim_time(all[k]) == 0.05, "a run does not reach its end");
        lash_sim_coordinates(end[1], all[k]);
        require(memcmp(end[0], end[1], sizeof end[0]) == 0, "equal runs end in different places");
        lash_sim_destroy(all[k]);
    }
    free(all);
    destroy(&first);
    printf("%.1f kB each, ", (double)(after - before) / (double)count);
    return 0;
}

static long repeat(size_t count) {
    double end[2][6];
    long early = 0;
    for (size_t k = 0; k < count; k++) {
        machine m = make(text);
        require(lash_sim_run(m.sim, NULL, NULL, NULL) >= 0, "a run fails");
        lash_sim_coordinates(end[k > 0], m.sim);
        require(k == 0 || memcmp(end[0], end[1], sizeof end[0]) == 0, "equal runs end in different places");
        destroy(&m);
        if (k == count / 10)
            early = memory();
    }
    return memory() - early;
}

static long days(size_t count) {
    enum { HOURS = 24, HOUR = 3600 };
    machine m = make(crank);
    lash_state *state = NULL;
    long early = 0;
    const size_t hours = HOURS * count;
    for (size_t hour = 1; hour <= hours; hour++) {
        lash_status status = LASH_OK;
        while (status == LASH_OK)
            status = lash_sim_step(m.sim, (double)(HOUR * hour), NULL);
        require(status == LASH_STOP_END, "a step fails");
        if (!state)
            require(!lash_state_create(&state, m.sim, NULL), "the state cannot be saved");
        require(!lash_sim_save(state, m.sim, NULL) && !lash_sim_restore(m.sim, state, NULL),
                "the state cannot be restored");
        if (hour == (hours + 9) / 10)
            early = memory();
    }
    require(lash_sim_judge(m.sim, NULL) == LASH_OK, "the balance is off");
    printf("%zu steps, ", lash_sim_summary(m.sim).steps);
    const long grown = memory() - early;
    lash_state_destroy(state);
    destroy(&m);
    return grown;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        long (*work)(size_t count);
    } works[] = {{"sims", sims}, {"repeat", repeat}, {"days", days}};
    enum { MAY_GROW = 512 }; /* kB */
    const size_t count = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    for (size_t k = 0; count > 0 && k < sizeof works / sizeof *works; k++)
        if (strcmp(argv[1], works[k].name) == 0) {
            printf("%s %zu: ", argv[1], count);
            const double begun = seconds();
            const long grown = works[k].work(count);
            printf("%.1f s, memory grown by %ld kB\n", seconds() - begun, grown);
            require(grown <= MAY_GROW, "memory grows");
            return 0;
        }
    fprintf(stderr, "usage: load sims|repeat|days COUNT\n");
    return 2;
}
