// SPDX-License-Identifier: MIT
// Time of one evaluation of the equations of motion: the ideal slider-crank and the spatial four-bar (dense
// path), what machines of planar pins cost when they are modelled in space, and pendulum chains of 10 to
// 10,000 links in the plane and, with ball joints or pins, in space, with the exponent of the time over the
// number of links by a fit through all lengths and through those from 100 on.
//
//     bench_chain [LARGEST [REPETITIONS]]
//
// The time is the least over the repetitions, each long enough for the clock: other work on the machine can
// only lengthen it.
#include "dynamics/evaluate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double SLICE =
    2e-3; // s, of one repetition: far above the clock's resolution, below a time slice

typedef struct {
    lash_model *model;
    lash_system *system;
    lashi_workspace *workspace;
    double *y, *ydot;
} subject;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int report(lash_status status, const lash_error *error) {
    if (status)
        fprintf(stderr, "%s: %s\n", lash_status_name(status), error->message);
    return status ? -1 : 0;
}

// Compiles a model, which it takes over; 0 or -1.
static int subject_open(subject *s, lash_model *model) {
    lash_error error = {0};
    *s = (subject){.model = model};
    if (report(lash_system_compile(&s->system, model, &error), &error) ||
        report(lashi_workspace_create(&s->workspace, s->system, &error), &error))
        return -1;
    const size_t n = (size_t)s->system->n_y;
    s->y = malloc(n * sizeof(double));
    s->ydot = malloc(n * sizeof(double));
    if (!s->y || !s->ydot)
        return -1;
    memcpy(s->y, s->system->y0, n * sizeof(double));
    return 0;
}

static void subject_close(subject *s) {
    free(s->y);
    free(s->ydot);
    lashi_workspace_destroy(s->workspace);
    lash_system_destroy(s->system);
    lash_model_destroy(s->model);
}

// Seconds per evaluation, the least of the repetitions; negative when the evaluation fails.
static double measure(subject *s, int repetitions) {
    double least = INFINITY, t = 0;
    long count = 1;
    for (int k = 0; k < repetitions;) {
        const double begun = now();
        for (long i = 0; i < count; i++) {
            t += 1e-9; // another point each time, so that nothing is taken over from the last
            s->y[0] = s->system->y0[0] + 1e-9 * (double)(i & 7);
            if (lashi_evaluate(s->ydot, s->workspace, t, s->y))
                return -1;
        }
        const double spent = now() - begun;
        if (spent < SLICE) {
            count *= 2;
            continue;
        }
        least = fmin(least, spent / (double)count);
        k++;
    }
    return least;
}

// Machines of planar pins, in the plane and in space, where some of their equations repeat others; and a
// four-bar that needs space.
#define PIN(ends, z) "{type: revolute, between: [" ends "]" z "}"
#define SLIDER_CRANK(space, o, J1, J2, J3, z, guide)                                                         \
    space "gravity: [0, -9.81" o "]\n"                                                                       \
          "bodies:\n"                                                                                        \
          "  crank: {mass: 0.30, inertia: " J1 ", position: [25 mm, 0" o "],\n"                              \
          "    points: {main: [-25 mm, 0" o "], pin: [25 mm, 0" o "]}}\n"                                    \
          "  rod: {mass: 0.21, inertia: " J2 ", position: [110 mm, 0" o "],\n"                               \
          "    points: {big: [-60 mm, 0" o "], small: [60 mm, 0" o "]}}\n"                                   \
          "  slider: {mass: 0.14, inertia: " J3 ", position: [170 mm, 0" o "]}\n"                            \
          "joints:\n"                                                                                        \
          "  main: " PIN("ground, crank.main",                                                               \
                         z) "\n"                                                                             \
                            "  crankpin: " PIN("rod.big, crank.pin",                                         \
                                               z) "\n"                                                       \
                                                  "  gudgeon: " PIN(                                         \
                                                      "slider, rod.small",                                   \
                                                      z) "\n"                                                \
                                                         "  guide: {type: " guide                            \
                                                         ", between: [ground, slider], axis: [1, 0" o "]}\n" \
                                                         "drives: {motor: {joint: main, speed: 5000 rpm}}\n" \
                                                         "run: {until: 1 rev of motor}\n"
#define FOUR_BAR(space, o, J, turned, z)                                                                     \
    space "gravity: [0, -9.81" o "]\n"                                                                       \
          "ground: {points: {far: [400 mm, 0" o "]}}\n"                                                      \
          "bodies:\n"                                                                                        \
          "  crank: {mass: 0.5, inertia: " J(4e-4) ", position: [0, 50 mm" o "], " turned(                   \
              90) ",\n"                                                                                      \
                  "    points: {o: [-50 mm, 0" o "], p: [50 mm, 0" o "]}}\n"                                 \
                  "  coupler: {mass: 1, inertia: " J(1e-2) ", position: [170 mm, 150 mm" o "], " turned(     \
                      20) ",\n"                                                                              \
                          "    points: {p: [-175 mm, 0" o "], q: [175 mm, 0" o "]}}\n"                       \
                          "  rocker: {mass: 0.8, inertia: " J(                                               \
                              4.2e-3) ", position: [370 mm, 110 mm" o                                        \
                                      "], " turned(                                                          \
                                          100) ",\n"                                                         \
                                               "    points: {o: [-125 mm, 0" o "], q: [125 mm, 0" o "]}}\n"  \
                                               "joints:\n"                                                   \
                                               "  main: " PIN(                                               \
                                                   "ground, crank.o",                                        \
                                                   z) "\n"                                                   \
                                                      "  p: " PIN(                                           \
                                                          "coupler.p, crank.p",                              \
                                                          z) "\n"                                            \
                                                             "  q: " PIN(                                    \
                                                                 "coupler.q, rocker.q",                      \
                                                                 z) "\n"                                     \
                                                                    "  out: " PIN(                           \
                                                                        "ground.far, rocker.o",              \
                                                                        z) "\n"                              \
                                                                           "drives: {motor: {joint: main, "  \
                                                                           "speed: 120 rpm}}\n"              \
                                                                           "run: {until: 1 rev of motor}\n"
#define PLANE_J(j)    #j
#define SPACE_J(j)    "[" #j ", " #j ", " #j "]"
#define PLANE_TURN(a) "angle: " #a " deg"
#define SPACE_TURN(a) "orientation: {axis: [0, 0, 1], angle: " #a " deg}"
#define Z             ", axis: [0, 0, 1]"

static const char slider_crank[] = SLIDER_CRANK("", "", "1e-4", "2.5e-4", "1e-4", "", "translational");
static const struct {
    const char *name, *plane, *space;
} pairs[] = {
    {"slider-crank", slider_crank,
     SLIDER_CRANK("space: spatial\n", ", 0", "[1e-5, 1e-4, 1e-4]", "[1e-5, 2.5e-4, 2.5e-4]",
                  "[1e-4, 1e-4, 1e-4]", Z, "prismatic")},
    {"four-bar", FOUR_BAR("", "", PLANE_J, PLANE_TURN, ""),
     FOUR_BAR("space: spatial\n", ", 0", SPACE_J, SPACE_TURN, Z)},
    {"crank and rocker at right angles", FOUR_BAR("", "", PLANE_J, PLANE_TURN, ""),
     "space: spatial\n"
     "gravity: [0, 0, -9.81]\n"
     "ground: {points: {far: [0.3, 0.1, 0]}}\n"
     "bodies:\n"
     "  crank: {mass: 0.2, inertia: [1e-5, 1e-4, 1e-4], position: [0.05, 0, 0],\n"
     "    points: {a: [-0.05, 0, 0], b: [0.05, 0, 0]}}\n"
     "  rod: {mass: 0.3, inertia: [1e-5, 1e-3, 1e-3], position: [0.2, 0.05, 0.1],\n"
     "    orientation: {x: [0.2, 0.1, 0.2], z: [0, 0, 1]}, points: {a: [-0.15, 0, 0], b: [0.15, 0, 0]}}\n"
     "  rocker: {mass: 0.2, inertia: [1e-4, 1e-4, 1e-5], position: [0.3, 0.1, 0.1],\n"
     "    points: {a: [0, 0, -0.1], b: [0, 0, 0.1]}}\n"
     "joints:\n"
     "  main: {type: revolute, between: [ground, crank.a], axis: [0, 0, 1]}\n"
     "  ball: {type: spherical, between: [crank.b, rod.a]}\n"
     "  cross: {type: universal, between: [rocker.b, rod.b], axis: [0, 1, 0], second_axis: [0, 0, 1]}\n"
     "  out: {type: revolute, between: [ground.far, rocker.a], axis: [0, 1, 0]}\n"
     "drives: {motor: {joint: main, speed: 60 rpm}}\n"
     "run: {until: 1 rev of motor}\n"},
};

// Three bodies each, in the plane and in space.
static int bench_pairs(int repetitions) {
    printf("\n%-36s %12s %12s %8s\n", "machine", "plane ns", "space ns", "ratio");
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const char *const texts[2] = {pairs[k].plane, pairs[k].space};
        double seconds[2];
        for (int i = 0; i < 2; i++) {
            lash_model *model;
            lash_error error = {0};
            subject s;
            if (report(lash_model_parse(&model, texts[i], strlen(texts[i]), pairs[k].name, NULL, &error),
                       &error))
                return -1;
            seconds[i] = subject_open(&s, model) == 0 ? measure(&s, repetitions) : -1;
            subject_close(&s);
            if (!(seconds[i] > 0))
                return -1;
        }
        printf("%-36s %12.0f %12.0f %8.2f\n", pairs[k].name, 1e9 * seconds[0], 1e9 * seconds[1],
               seconds[1] / seconds[0]);
    }
    return 0;
}

// One evaluation of a model, which it takes over.
static int bench_model(const char *name, lash_model *model, int repetitions) {
    subject s;
    int status = subject_open(&s, model);
    if (status == 0) {
        const double seconds = measure(&s, repetitions);
        status = seconds > 0 ? 0 : -1;
        printf("%s, %zu equations, %s: %.0f ns per evaluation\n", name,
               lash_system_constraint_count(s.system), lash_system_solver(s.system), 1e9 * seconds);
    }
    subject_close(&s);
    return status;
}

static int bench_slider_crank(int repetitions) {
    lash_model *model;
    lash_error error = {0};
    if (report(lash_model_parse(&model, slider_crank, strlen(slider_crank), "slider-crank", NULL, &error),
               &error))
        return -1;
    return bench_model("ideal slider-crank", model, repetitions);
}

// The four-bar of flores-2006 with an ideal ball and with play.
static int bench_four_bar(int repetitions) {
    static const char *const choices[2] = {"ideal", "clearance"};
    for (int k = 0; k < 2; k++) {
        lash_model *model;
        lash_error error = {0};
        const lash_setting ball = {"ball", choices[k]};
        const lash_load_options options = {.settings = &ball, .setting_count = 1};
        char name[64];
        snprintf(name, sizeof name, "spatial four-bar, ball: %s", choices[k]);
        if (report(lash_model_load(&model, LASH_SOURCE_DIR "/examples/flores-2006.yaml", &options, &error),
                   &error) ||
            bench_model(name, model, repetitions))
            return -1;
    }
    return 0;
}

// Links of 0.1 m from the origin, hanging in waves; drawn closed. Pins in space have their axis along z.
static lash_model *chain_model(int links, lash_space space, const char *type) {
    static const double z[3] = {0, 0, 1};
    lash_model *model;
    lash_error error = {0};
    if (report(lash_model_create(&model, space, &error), &error))
        return NULL;
    const double gravity[3] = {0, -9.81, 0}, left[3] = {-0.05, 0, 0}, right[3] = {0.05, 0, 0};
    lash_status status = lash_model_set_gravity(model, gravity, &error);
    double x = 0, y = 0;
    for (int k = 0; !status && k < links; k++) {
        char name[32], end[48], before[48] = "ground";
        snprintf(name, sizeof name, "link%d", k);
        snprintf(end, sizeof end, "link%d.l", k);
        if (k > 0)
            snprintf(before, sizeof before, "link%d.r", k - 1);
        lash_body_def body = lash_body_default();
        body.mass = 0.1;
        body.inertia[2] = 1e-4;
        const double angle = -1.2 + 0.4 * sin(0.3 * k);
        if (space == LASH_SPATIAL) {
            body.inertia[0] = 1e-5;
            body.inertia[1] = 1e-4;
            lash_orientation_about(body.orientation, z, angle);
        } else {
            body.angle = angle;
        }
        body.position[0] = x + 0.05 * cos(angle);
        body.position[1] = y + 0.05 * sin(angle);
        x += 0.1 * cos(angle);
        y += 0.1 * sin(angle);
        lash_joint_def pin = lash_joint_default(type);
        if (space == LASH_SPATIAL && strcmp(type, "revolute") == 0)
            memcpy(pin.axis, z, sizeof z);
        pin.between[0] = before;
        pin.between[1] = end;
        char joint[32];
        snprintf(joint, sizeof joint, "pin%d", k);
        status = lash_model_add_body(model, name, &body, &error);
        if (!status)
            status = lash_model_add_point(model, name, "l", left, &error);
        if (!status)
            status = lash_model_add_point(model, name, "r", right, &error);
        if (!status)
            status = lash_model_add_joint(model, joint, &pin, &error);
    }
    if (report(status, &error)) {
        lash_model_destroy(model);
        return NULL;
    }
    return model;
}

// Least squares of log time over log length.
typedef struct {
    double n, x, y, xx, xy;
} fit;

static void fit_add(fit *f, double x, double y) {
    f->n++;
    f->x += x;
    f->y += y;
    f->xx += x * x;
    f->xy += x * y;
}

static int bench_chains(lash_space space, const char *type, int largest, int repetitions) {
    static const int lengths[] = {10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
    fit all = {0}, large = {0};
    printf("\nchain of %s links in %s\n", type, space == LASH_SPATIAL ? "space" : "the plane");
    printf("%8s %8s %12s %12s %12s\n", "links", "solver", "us/eval", "ns/link", "set-up s");
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths && lengths[k] <= largest; k++) {
        const double begun = now();
        lash_model *model = chain_model(lengths[k], space, type);
        if (!model)
            return -1;
        subject s;
        const int opened = subject_open(&s, model);
        const double set_up = now() - begun;
        const double seconds = opened == 0 ? measure(&s, repetitions) : -1;
        if (seconds > 0) {
            printf("%8d %8s %12.2f %12.1f %12.3f\n", lengths[k], lash_system_solver(s.system), 1e6 * seconds,
                   1e9 * seconds / lengths[k], set_up);
            fit_add(&all, log(lengths[k]), log(seconds));
            if (lengths[k] >= 100)
                fit_add(&large, log(lengths[k]), log(seconds));
        }
        subject_close(&s);
        if (!(seconds > 0))
            return -1;
    }
    const fit *fits[2] = {&all, &large};
    for (int k = 0; k < 2; k++)
        if (fits[k]->n > 1)
            printf("time grows with links to the power %.3f (%s)\n",
                   (fits[k]->n * fits[k]->xy - fits[k]->x * fits[k]->y) /
                       (fits[k]->n * fits[k]->xx - fits[k]->x * fits[k]->x),
                   k == 0 ? "fit over all lengths" : "from 100 links on");
    return 0;
}

int main(int argc, char **argv) {
    const int largest = argc > 1 ? atoi(argv[1]) : 10000, repetitions = argc > 2 ? atoi(argv[2]) : 20;
    if (largest < 10 || repetitions < 1) {
        fprintf(stderr, "usage: bench_chain [LARGEST [REPETITIONS]]\n");
        return 2;
    }
    return bench_slider_crank(repetitions) || bench_four_bar(repetitions) || bench_pairs(repetitions) ||
                   bench_chains(LASH_PLANAR, "revolute", largest, repetitions) ||
                   bench_chains(LASH_SPATIAL, "spherical", largest, repetitions) ||
                   bench_chains(LASH_SPATIAL, "revolute", largest, repetitions)
               ? 1
               : 0;
}
