// SPDX-License-Identifier: MIT
// One table of Lash and its comparators on flores-2010 with play at the gudgeon pin: error, time and
// evaluations per turn, measured in one run.
//
//     bench_play [TURNS [REPETITIONS]]
//
// Settings differ between programs in what error they give, and one setting may be lucky: every program is
// run at a range of settings, and a last block reads off, by a straight line through log(error) against
// log(cost), what each would cost at an error of 1e-6. The ratio is time relative to the hand-written program
// at that error. After it: what the three models of contact cost on this machine, interpreted and compiled.
#include "lash_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lash/lash.h"

typedef struct {
    const char *system;
    bench_run *run;
    double loosest, tightest; // settings
    int per_decade;
} entry;

static const entry entries[] = {
    {"handwritten, dopri5", bench_handwritten_run, 1e-5, 1e-9, 4},
    {"lash, dop853", bench_lash_dop853_run, 3e-2, 3e-6, 4},
    {"lash, dop853, compiled", bench_lash_compiled_run, 3e-2, 3e-6, 4},
    {"lash, adams", bench_lash_adams_run, 3e-3, 3e-7, 4},
#ifdef BENCH_HAVE_SIMBODY
    {"simbody, merson", bench_simbody_run, 1e-6, 1e-9,
     1}, // its Adams asserts in Debian's build on longer runs
#endif
};
enum { ENTRIES = sizeof entries / sizeof *entries };

static const double target = 1e-6; // error at which programs are compared

// Least squares of log(cost) over log(error).
typedef struct {
    double n, x, y, xx, xy;
} line;

static void line_add(line *l, double error, double cost) {
    const double x = log(error), y = log(cost);
    l->n += 1;
    l->x += x;
    l->y += y;
    l->xx += x * x;
    l->xy += x * y;
}

static double line_at(const line *l, double error) {
    const double slope = (l->n * l->xy - l->x * l->y) / (l->n * l->xx - l->x * l->x);
    return exp((l->y - slope * l->x) / l->n + slope * log(error));
}

// One run of flores-2010 with another model of contact at the gudgeon pin, frictionless, restitution 0.9.
static int run_model(double *ms, double *evaluations, const char *name, const char *compiled, int speed,
                     int turns) {
    lash_error error = {0};
    lash_model *model = NULL;
    lash_system *system = NULL;
    lash_sim *sim = NULL;
    const char *rigid = strcmp(name, "compliant") == 0 ? "" : "restitution: 0.9, offset: [-0.025 mm, 0], ";
    char text[2000];
    const int length = snprintf(
        text, sizeof text,
        "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\nbodies:\n"
        "  crank: {mass: 0.3, inertia: 1e-4, position: [0.025, 0], points: {main: [-0.025, 0], pin: [0.025, "
        "0]}}\n"
        "  rod: {mass: 0.21, inertia: 2.5e-4, position: [0.11, 0], points: {big: [-0.06, 0], small: [0.06, "
        "0]}}\n"
        "  slider: {mass: 0.14, inertia: 1e-4, position: [0.17, 0]}\njoints:\n"
        "  main: {type: revolute, between: [ground, crank.main]}\n"
        "  crankpin: {type: revolute, between: [rod.big, crank.pin]}\n"
        "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: {model: %s, bearing_radius: "
        "0.01, diametric: 0.05 mm, %s%s}}\n"
        "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
        "drives: {motor: {joint: main, speed: %d rpm}}\n"
        "run: {until: %d rev of motor, rtol: 1e-8, steps: false, compiled: %s}\n",
        name, rigid, *rigid ? "" : "materials: steel, contact: {restitution: 0.9}", speed, turns, compiled);
    lash_status status = lash_model_parse(&model, text, (size_t)length, "bench", NULL, &error);
    if (!status)
        status = lash_system_compile(&system, model, &error);
    if (!status)
        status = lash_sim_create(&sim, system, &error);
    if (!status)
        status = lash_sim_compile(sim, &error);
    if (!status)
        status = lash_sim_run(sim, NULL, NULL, &error);
    if (status < 0) {
        fprintf(stderr, "lash: %s\n", error.message);
    } else {
        const lash_summary summary = lash_sim_summary(sim);
        *ms = 1e3 * summary.wall_time / turns;
        *evaluations = (double)summary.evaluations / turns;
    }
    lash_sim_destroy(sim);
    lash_system_destroy(system);
    lash_model_destroy(model);
    return status < 0 ? 1 : 0;
}

static int compare_models(int speed, int turns, int repetitions) {
    static const char *const models[] = {"compliant", "three-mode", "permanent-contact"};
    static const char *const ways[] = {"never", "always"};
    printf("\nmodels of contact, frictionless, rtol 1e-8, %d rpm, %d turns\n%-28s %10s %10s %7s %10s\n",
           speed, turns, "model", "ms/turn", "eval/turn", "ratio", "compiled");
    double first = 0;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        double least[] = {INFINITY, INFINITY}, evaluations = 0;
        for (int k = 0; k < 2 * repetitions; k++) {
            double ms;
            if (run_model(&ms, &evaluations, models[i], ways[k % 2], speed, turns))
                return 1;
            least[k % 2] = fmin(least[k % 2], ms);
        }
        first = i == 0 ? least[0] : first;
        printf("%-28s %10.3f %10.0f %7.3f %10.3f\n", models[i], least[0], evaluations, least[0] / first,
               least[1]);
    }
    return 0;
}

int main(int argc, char **argv) {
    static bench_reference reference;
    const int turns = argc > 1 ? atoi(argv[1]) : 1, repetitions = argc > 2 ? atoi(argv[2]) : 5;
    if (turns < 1 || repetitions < 1) {
        fprintf(stderr, "usage: bench_play [TURNS [REPETITIONS]]\n");
        return 2;
    }
    if (bench_reference_load(&reference, LASH_SOURCE_DIR "/tests/reference/slider-crank.csv") != 0)
        return 4;
    line ms[ENTRIES] = {0}, evaluations[ENTRIES] = {0};
    setvbuf(stdout, NULL, _IOLBF, 0); // rows as they come, also into a file
    bench_print_header();
    for (size_t i = 0; i < ENTRIES; i++) {
        const entry *e = &entries[i];
        const int count = (int)lround(log10(e->loosest / e->tightest)) * e->per_decade;
        for (int k = 0; k <= count; k++) {
            bench_row row;
            const double setting = e->loosest * pow(10, -(double)k / e->per_decade);
            if (bench_measure(&row, e->system, e->run, setting, turns, repetitions, &reference) != 0)
                return 1;
            line_add(&ms[i], row.error, row.ms_per_turn);
            line_add(&evaluations[i], row.error, row.evaluations_per_turn);
            if (k % e->per_decade == 0)
                bench_print_row(&row, 0);
        }
    }
    printf("\nat an error of %g in the slider's velocity\n%-28s %10s %10s %7s\n", target, "system", "ms/turn",
           "eval/turn", "ratio");
    const double baseline = line_at(&ms[0], target);
    for (size_t i = 0; i < ENTRIES; i++) {
        const double cost = line_at(&ms[i], target);
        printf("%-28s %10.3f %10.0f %7.2f\n", entries[i].system, cost, line_at(&evaluations[i], target),
               cost / baseline);
    }
    // A slow machine: the contact vibrates as fast as ever, the motion of rigid contact goes with the speed.
    return compare_models(5000, 10, repetitions) || compare_models(50, 1, repetitions);
}
