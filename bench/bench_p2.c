// SPDX-License-Identifier: MIT
// Every variant of Flores 2010 to its end: four sizes of play, four speeds, play in one, two or three joints.
//
//     bench_p2 [TURNS | full]
//
// TURNS turns each (5 by default); `full` is the paper's 10 s, 833 turns at 5000 rpm. One line per variant:
// wall time, evaluations and impacts per turn, the balance of energy relative to what was exchanged, and how
// the run ended. The exit code is 1 when a run did not reach its end.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lash/lash.h"

static const char *const speeds[] = {"50 rpm", "500 rpm", "1000 rpm", "5000 rpm"};
static const double rpm[] = {50, 500, 1000, 5000};
static const char *const plays[] = {"0.05 mm", "0.10 mm", "0.20 mm", "0.50 mm"};
typedef struct {
    const char *name, *main, *crankpin, *gudgeon;
} place;
static const place places[] = {{"gudgeon", "ideal", "ideal", "clearance"},
                               {"crankpin", "ideal", "clearance", "ideal"},
                               {"both", "ideal", "clearance", "clearance"},
                               {"all three", "clearance", "clearance", "clearance"}};
static const double paper = 10; // s, of a run

static int run(const place *where, int speed, int play, double turns) {
    lash_error error = {0};
    lash_model *model = NULL;
    lash_system *system = NULL;
    lash_sim *sim = NULL;
    const lash_setting settings[] = {{"speed", speeds[speed]},
                                     {"play", plays[play]},
                                     {"main", where->main},
                                     {"crankpin", where->crankpin},
                                     {"gudgeon", where->gudgeon}};
    const lash_load_options options = {.settings = settings, .setting_count = 5};
    lash_status status =
        lash_model_load(&model, LASH_SOURCE_DIR "/examples/flores-2010.yaml", &options, &error);
    if (!status) {
        lash_run_def r = *lash_model_run(model);
        r.until_turns = turns;
        status = lash_model_set_run(model, &r, &error);
    }
    if (!status)
        status = lash_system_compile(&system, model, &error);
    if (!status)
        status = lash_sim_create(&sim, system, &error);
    if (!status)
        status = lash_sim_run(sim, NULL, NULL, &error);
    printf("%-10s %8s %8s", where->name, plays[play], speeds[speed]);
    if (sim) {
        const lash_summary s = lash_sim_summary(sim);
        double impacts = 0, contacts = 0, following = 0;
        size_t chatter = 0;
        for (size_t k = 0; k < s.clearance_count; k++) {
            impacts += (double)s.clearances[k].impacts;
            contacts += (double)s.clearances[k].contacts;
            following += s.clearances[k].following_fraction / (double)s.clearance_count;
            chatter += s.clearances[k].chatter;
        }
        const double done = s.end / 60 * rpm[speed];
        printf(" %9.2f %10.0f %9.1f %9.1f %9.3f %8zu %9.1e", 1e3 * s.wall_time / done,
               (double)s.evaluations / done, impacts / done, contacts / done, following, chatter,
               s.max_balance_error / s.energy_exchanged);
    }
    printf("  %s\n", status < 0 ? error.message : "reached the end");
    fflush(stdout);
    lash_sim_destroy(sim);
    lash_system_destroy(system);
    lash_model_destroy(model);
    return status < 0;
}

int main(int argc, char **argv) {
    const bool full = argc > 1 && strcmp(argv[1], "full") == 0;
    const double turns = argc > 1 && !full ? atof(argv[1]) : 5;
    if (!(turns > 0)) {
        fprintf(stderr, "usage: bench_p2 [TURNS | full]\n");
        return 2;
    }
    printf("%-10s %8s %8s %9s %10s %9s %9s %9s %8s %9s  %s\n", "play at", "size", "speed", "ms/turn",
           "eval/turn", "imp/turn", "cont/turn", "following", "chatter", "balance", "end");
    int failures = 0;
    for (size_t w = 0; w < sizeof places / sizeof *places; w++)
        for (int s = 3; s >= 0; s--)
            for (int p = 0; p < 4; p++)
                failures += run(&places[w], s, p, full ? paper / 60 * rpm[s] : turns);
    if (failures)
        fprintf(stderr, "%d runs did not reach their end\n", failures);
    return failures ? 1 : 0;
}
