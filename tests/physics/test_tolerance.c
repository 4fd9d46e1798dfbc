/* SPDX-License-Identifier: MIT
 *
 * What rtol means: the error of a run is at most 3 rtol, relative to the largest values, whatever the machine
 * and the method.
 *
 *     physics_tolerance            the coarse test
 *     physics_tolerance table [WORDS]  every case, method and tolerance, as the table of
 *                                  docs/validation/tolerance.md; with WORDS the rows of machines whose names
 *                                  contain them
 *
 * The error. Positions, angles, velocities, angular velocities, forces of contacts and films and drive torques at
 * SAMPLES equal parts of the first turn against the same run at REFERENCE: the largest difference in a group
 * of one unit, over the largest value in that group; the worst group counts. Where contacts bounce, errors
 * grow with each of them: there the fifth beginning of a contact ends the comparison.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

enum { SAMPLES = 397, IMPACTS = 5, MOST_CHANNELS = 400, MOST_GROUPS = 12, SETTINGS = 5 };
static const double REFERENCE = 1e-11;
static const double PROMISED = 3;   // error over rtol
static const double NOTHING = 1e-9; // of a group: nothing moves in this unit
static const double BEFORE = 0.999; // of the time of the fifth contact: its own onset is not compared

typedef struct machine {
    const char *name;
    const char *example; // NULL: text
    const char *text;
    lash_setting settings[SETTINGS];
    double until; // s; 0: a turn of `motor`
} machine;

#define SLIDER_CRANK_BODIES                                                                                  \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 0.3, inertia: 1e-4, position: [25 mm, 0], points: {main: [-25 mm, 0], pin: [25 mm, "    \
    "0]}}\n"                                                                                                 \
    "  rod: {mass: 0.21, inertia: 2.5e-4, position: [110 mm, 0], points: {big: [-60 mm, 0], small: [60 mm, " \
    "0]}}\n"                                                                                                 \
    "  slider: {mass: 0.14, inertia: 1e-4, position: [170 mm, 0]}\njoints:\n"                                \
    "  main: {type: revolute, between: [ground, crank.main]}\n"
/* A slider-crank whose gudgeon pin has this play, driven so. */
#define SLIDER_CRANK(clearance, drive)                                                                       \
    "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n" SLIDER_CRANK_BODIES          \
    "  crankpin: {type: revolute, between: [rod.big, crank.pin]}\n"                                          \
    "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: {bearing_radius: 10 mm, "          \
    "length: 20 mm, " clearance "}}\n"                                                                       \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"                              \
    "drives: {motor: {joint: main, " drive "}}\n"
#define STEEL "materials: steel, contact: {restitution: 0.9}"

/* The same with oil in both pins of the rod. */
#define OIL(oil) "contact: {stiffness: 1e10, restitution: 0.9}, lubricant: {film: short, " oil "}"
#define SLIDER_CRANK_OILED(oil)                                                                              \
    "gravity: [0, -9.81]\n" SLIDER_CRANK_BODIES                                                              \
    "  crankpin: {type: revolute, between: [rod.big, crank.pin], clearance: {bearing_radius: 10 mm, "        \
    "length: 20 mm, diametric: 0.1 mm, " OIL(                                                                \
        oil) "}}\n"                                                                                          \
             "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: {bearing_radius: 10 mm, " \
             "length: "                                                                                      \
             "20 mm, diametric: 0.1 mm, " OIL(                                                               \
                 oil) "}}\n"                                                                                 \
                      "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"            \
                      "drives: {motor: {joint: main, speed: 1500 rpm}}\n"

/* Links of 0.2 m in a row, pinned to ground, falling, with play in every pin. */
#define LINK(n, x)                                                                                           \
    "  l" n ": {mass: 1, inertia: 4e-3, position: [" x ", 0], points: {a: [-0.1, 0], b: [0.1, 0]}}\n"
#define PIN(n, from, to)                                                                                     \
    "  p" n ": {type: revolute, between: [" from ", " to                                                     \
    "], clearance: {bearing_radius: 10 mm, radial: 0.1 "                                                     \
    "mm, length: 20 mm, " STEEL "}}\n"

static const machine machines[] = {
    {"slider-crank, ideal", "flores-2010", NULL, {{"gudgeon", "ideal"}}, 0},
    {"four-bar with a spring, ideal", "four-bar", NULL, {{0}}, 0},
    {"double pendulum, ideal", "double-pendulum", NULL, {{0}}, 1},
    {"Andrews' mechanism, ideal", "andrews", NULL, {{0}}, 0.03},
    {"gudgeon 0.05 mm, 5000 rpm", "flores-2010", NULL, {{0}}, 0},
    {"gudgeon 0.5 mm, 5000 rpm", "flores-2010", NULL, {{"play", "0.5 mm"}}, 0},
    {"gudgeon 0.01 mm, 1000 rpm", "flores-2010", NULL, {{"play", "0.01 mm"}, {"speed", "1000 rpm"}}, 0},
    {"gudgeon 0.2 mm, 50 rpm", "flores-2010", NULL, {{"play", "0.2 mm"}, {"speed", "50 rpm"}}, 0},
    {"crankpin 0.2 mm, 500 rpm",
     "flores-2010",
     NULL,
     {{"play", "0.2 mm"}, {"speed", "500 rpm"}, {"crankpin", "clearance"}, {"gudgeon", "ideal"}},
     0},
    {"main 0.1 mm, 5000 rpm",
     "flores-2010",
     NULL,
     {{"play", "0.1 mm"}, {"main", "clearance"}, {"gudgeon", "ideal"}},
     0},
    {"two joints 0.1 mm, 1000 rpm",
     "flores-2010",
     NULL,
     {{"play", "0.1 mm"}, {"speed", "1000 rpm"}, {"crankpin", "clearance"}},
     0},
    {"three joints 0.05 mm, 5000 rpm",
     "flores-2010",
     NULL,
     {{"main", "clearance"}, {"crankpin", "clearance"}},
     0},
    {"from rest by a ramp",
     NULL,
     SLIDER_CRANK("diametric: 0.1 mm, " STEEL, "ramp: {to: 3000 rpm, over: 20 ms}"),
     {{0}},
     0},
    {"friction threlfall",
     NULL,
     SLIDER_CRANK("diametric: 0.1 mm, " STEEL ", friction: {law: threlfall, coefficient: 0.1}",
                  "speed: 1500 rpm"),
     {{0}},
     0},
    {"friction bengisu-akay",
     NULL,
     SLIDER_CRANK("diametric: 0.1 mm, " STEEL
                  ", friction: {law: bengisu-akay, coefficient: 0.1, coefficient_static: 0.15}",
                  "speed: 1500 rpm"),
     {{0}},
     0},
    {"friction lugre",
     NULL,
     SLIDER_CRANK("diametric: 0.1 mm, " STEEL
                  ", friction: {law: lugre, coefficient: 0.1, coefficient_static: 0.15}",
                  "speed: 1500 rpm"),
     {{0}},
     0},
    {"linear contact, restitution 0.5",
     NULL,
     SLIDER_CRANK("diametric: 0.1 mm, contact: {law: exact, exponent: 1, stiffness: 1e8, restitution: 0.5}",
                  "speed: 1500 rpm"),
     {{0}},
     0},
    {"film squeeze-long, dry contact", "flores-2004", NULL, {{0}}, 0},
    {"film short",
     NULL,
     SLIDER_CRANK("diametric: 0.1 mm, " STEEL ", lubricant: {film: short, viscosity: 0.02 Pa s, dry: false}",
                  "speed: 1500 rpm"),
     {{0}},
     0},
    {"film reynolds",
     NULL,
     SLIDER_CRANK("diametric: 0.1 mm, " STEEL
                  ", lubricant: {film: reynolds, viscosity: 0.02 Pa s, dry: false}",
                  "speed: 1500 rpm"),
     {{0}},
     0},
    {"two films, short, dry contact", NULL, SLIDER_CRANK_OILED("viscosity: 0.02 Pa s"), {{0}}, 0.008},
    {"shaft and disc on films",
     NULL,
     "gravity: [0, -9.81]\nbodies:\n"
     "  shaft: {mass: 2, inertia: 2e-3, position: [0, 0], angular_velocity: 300}\n"
     "  disc: {mass: 5, inertia: 1e-2, position: [0, 0]}\njoints:\n"
     "  b1: {type: revolute, between: [ground, shaft], clearance: {bearing_radius: 20 mm, length: 20 mm, "
     "diametric: 0.1 mm, " OIL(
         "viscosity: 0.03 Pa s, dry: false") "}}\n"
                                             "  b2: {type: revolute, between: [shaft, disc], clearance: "
                                             "{bearing_radius: 30 mm, length: 20 mm, "
                                             "diametric: 0.12 mm, " OIL(
                                                 "viscosity: 0.03 Pa s, dry: false") "}}\n",
     {{0}},
     0.04},
    {"in space, ball 0.1 mm", "flores-2006", NULL, {{"play", "0.1 mm"}}, 0.5},
    {"in space, ball 0.5 mm", "flores-2006", NULL, {{0}}, 0.5},
    {"in space, ideal", "flores-2006", NULL, {{"ball", "ideal"}}, 0.5},
    {"in space, pin 0.05 mm", "planar-in-space", NULL, {{0}}, 0},
    {"piston in a channel", "piston-slap", NULL, {{0}}, 0.024},
    {"pendulum on stops", "stops", NULL, {{0}}, 2},
    {"pendulum on rigid stops", "stops", NULL, {{"contact", "rigid"}}, 2},
    {"permanent contact", "grigore-2011", NULL, {{0}}, 0.5},
    {"three-mode contact", "grigore-2011", NULL, {{"model", "three-mode"}}, 0.5},
    {"gears with backlash", "gear-rattle", NULL, {{0}}, 0.0667},
    {"gears, ideal", "gear-train", NULL, {{0}}, 0.2},
    {"chain of 4, play in every pin",
     NULL,
     "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\nbodies:\n" LINK("1", "0.1")
         LINK("2", "0.3") LINK("3", "0.5") LINK("4", "0.7") "joints:\n" PIN("1", "ground", "l1.a")
             PIN("2", "l1.b", "l2.a") PIN("3", "l2.b", "l3.a") PIN("4", "l3.b", "l4.a"),
     {{0}},
     0.2},
};
enum { MACHINES = sizeof machines / sizeof *machines };

typedef struct trace {
    double rows[SAMPLES + 1][MOST_CHANNELS];
    size_t filled, channels, channel[MOST_CHANNELS];
    int group[MOST_CHANNELS];
    const char *unit[MOST_GROUPS];
    int groups;
    double end, fifth;
    size_t contacts;
} trace;

static lash_status observe(void *user, lash_sim *sim, double t_old, double t_new) {
    trace *t = user;
    (void)t_old;
    for (; t->filled <= SAMPLES; t->filled++) {
        const double at = t->end * (double)t->filled / SAMPLES;
        if (at > t_new)
            break;
        lash_sim_values_at(t->rows[t->filled], sim, t->channel, t->channels, at);
    }
    return LASH_OK;
}

static void count_contact(void *user, const lash_event *event) {
    trace *t = user;
    if ((event->kind == LASH_EVENT_ONSET || event->kind == LASH_EVENT_IMPACT) && ++t->contacts == IMPACTS)
        t->fifth = event->time;
}

/* Channels that are compared: by their last word. */
static bool is_main(const char *name) {
    static const char *const words[] = {"x",  "y",  "z",  "angle", "vx",     "vy",        "vz",
                                        "wx", "wy", "wz", "fn",    "torque", "film_force"};
    const char *dot = strrchr(name, '.');
    for (size_t k = 0; dot && k < sizeof words / sizeof *words; k++)
        if (strcmp(dot + 1, words[k]) == 0)
            return true;
    return false;
}

static void choose_channels(trace *t, const lash_sim *sim) {
    for (size_t c = 0; c < lash_sim_channel_count(sim) && t->channels < MOST_CHANNELS; c++) {
        if (!is_main(lash_sim_channel_name(sim, c)))
            continue;
        const char *unit = lash_sim_channel_unit(sim, c);
        int g = 0;
        while (g < t->groups && strcmp(t->unit[g], unit) != 0)
            g++;
        if (g == t->groups) {
            assert_true(g < MOST_GROUPS);
            t->unit[t->groups++] = unit;
        }
        t->group[t->channels] = g;
        t->channel[t->channels++] = c;
    }
}

/* The run to `end`, s (0: as the machine says). False: it failed. */
static bool follow(trace *t, const machine *m, const char *method, double rtol, double end) {
    rig r = {0};
    lash_error error = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/examples/%s.yaml", LASH_SOURCE_DIR, m->example ? m->example : "");
    size_t settings = 0;
    while (settings < SETTINGS && m->settings[settings].name)
        settings++;
    const lash_load_options options = {.settings = m->settings, .setting_count = settings};
    *t = (trace){.fifth = INFINITY};
    if (m->example)
        rig_require(lash_model_load(&r.model, path, &options, &error), &error, m->name);
    else
        rig_require(lash_model_parse(&r.model, m->text, strlen(m->text), "test.yaml", NULL, &error), &error,
                    m->name);
    lash_run_def run = *lash_model_run(r.model);
    run.rtol = rtol;
    run.method = method;
    run.until = end > 0 ? end : m->until > 0 ? m->until : LASH_UNSET;
    run.until_turns = end > 0 || m->until > 0 ? LASH_UNSET : 1;
    run.until_drive = end > 0 || m->until > 0 ? NULL : "motor";
    rig_require(lash_model_set_run(r.model, &run, &error), &error, m->name);
    rig_require(lash_system_compile(&r.system, r.model, &error), &error, m->name);
    rig_require(lash_sim_create(&r.sim, r.system, &error), &error, m->name);
    t->end = lash_system_end(r.system);
    choose_channels(t, r.sim);
    const lash_run_control control = {.user = t, .observe = observe, .event = count_contact};
    const lash_status status = lash_sim_run(r.sim, NULL, &control, &error);
    if (status < 0)
        fprintf(stderr, "%s, %s, rtol %g: %s\n", m->name, method, rtol, error.message);
    rig_close(&r);
    return status >= 0;
}

/* The worst group: largest difference over largest value. */
static double error_of(const trace *t, const trace *reference) {
    double largest[MOST_GROUPS] = {0}, apart[MOST_GROUPS] = {0}, worst = 0;
    for (size_t i = 0; i <= SAMPLES; i++)
        for (size_t c = 0; c < t->channels; c++) {
            const int g = t->group[c];
            const double d = fabs(t->rows[i][c] - reference->rows[i][c]);
            largest[g] = fmax(largest[g], fabs(reference->rows[i][c]));
            if (!(d <= apart[g]))
                apart[g] = d;
        }
    for (int g = 0; g < t->groups; g++)
        if (largest[g] > NOTHING && !(apart[g] / largest[g] <= worst))
            worst = apart[g] / largest[g];
    return worst;
}

static trace exact, found;

static void find_exact(const machine *m) {
    if (!follow(&exact, m, "dop853", REFERENCE, 0))
        fail();
    const double before = BEFORE * exact.fifth;
    if (isfinite(before) && !follow(&exact, m, "dop853", REFERENCE, before))
        fail();
}

static const char *const methods[] = {"dop853", "adams", "gear"};
enum { METHODS = sizeof methods / sizeof *methods };

/* The table of docs/validation/tolerance.md: error over rtol. With `only`, the rows of machines whose names contain it. */
static void print_table(const char *only) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!only) {
        printf("| machine | method |");
        for (int digits = 3; digits <= 8; digits++)
            printf(" 1e-%d |", digits);
        printf("\n|---|---|---|---|---|---|---|---|\n");
    }
    for (size_t k = 0; k < MACHINES; k++) {
        if (only && !strstr(machines[k].name, only))
            continue;
        find_exact(&machines[k]);
        for (size_t i = 0; i < METHODS; i++) {
            printf("| %s | %s |", machines[k].name, methods[i]);
            for (int digits = 3; digits <= 8; digits++) {
                const double rtol = pow(10, -digits);
                if (follow(&found, &machines[k], methods[i], rtol, exact.end))
                    printf(" %.2g |", error_of(&found, &exact) / rtol);
                else
                    printf(" fails |");
            }
            printf("\n");
        }
    }
}

/* Checks the error, and gives it over rtol. */
static double promised(const machine *m, const char *method, double rtol) {
    if (!follow(&found, m, method, rtol, exact.end))
        fail();
    const double error = error_of(&found, &exact);
    rig_near(error, 0, PROMISED * rtol, "%s, %s, rtol %g: error", m->name, method, rtol);
    return error / rtol;
}

static void test_error_is_promised(void **state) {
    (void)state;
    double logarithms = 0;
    for (size_t k = 0; k < MACHINES; k++) {
        find_exact(&machines[k]);
        promised(&machines[k], "dop853", 1e-7);
        for (size_t i = 0; i < METHODS; i++)
            promised(&machines[k], methods[i], 1e-4);
        for (size_t i = 0; i < METHODS; i++)
            logarithms += log10(promised(&machines[k], methods[i], 1e-6)) / (MACHINES * METHODS);
    }
    // Nor much smaller: no more accuracy is computed than is asked for.
    assert_true(logarithms > -1.5);
}

/* The third derivative of a spline jumps at its points. At a tight tolerance steps end there: it was 34 times rtol. */
static void test_points_of_a_spline(void **state) {
    (void)state;
    const machine *m = machines;
    while (strcmp(m->name, "piston in a channel") != 0)
        m++;
    find_exact(m);
    promised(m, "dop853", 1e-8);
}

/* How far from the origin a machine is drawn, and how its drive starts, changes little of what it costs. */
static size_t evaluations(double away, const char *drive) {
    rig r = rig_open(
        "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
        "ground: {points: {o: [%.17g, 0]}}\nbodies:\n"
        "  crank: {mass: 0.3, inertia: 1e-4, position: [%.17g + 0.025, 0], points: {main: [-25 mm, 0], "
        "pin: [25 mm, 0]}}\n"
        "  rod: {mass: 0.21, inertia: 2.5e-4, position: [%.17g + 0.11, 0], points: {big: [-60 mm, 0], "
        "small: [60 mm, 0]}}\n"
        "  slider: {mass: 0.14, inertia: 1e-4, position: [%.17g + 0.17, 0]}\njoints:\n"
        "  main: {type: revolute, between: [ground.o, crank.main]}\n"
        "  crankpin: {type: revolute, between: [rod.big, crank.pin]}\n"
        "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: {bearing_radius: 10 mm, "
        "diametric: 0.05 mm, " STEEL "}}\n"
        "  guide: {type: translational, between: [ground.o, slider], axis: [1, 0]}\n"
        "drives: {motor: {joint: main, %s}}\nrun: {until: 2 rev of motor, rtol: 1e-8}\n",
        away, away, away, away, drive);
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    const size_t count = lash_sim_summary(r.sim).evaluations;
    rig_close(&r);
    return count;
}

static void test_far_away(void **state) {
    (void)state;
    const size_t here = evaluations(0, "speed: 3000 rpm");
    assert_in_range(evaluations(10, "speed: 3000 rpm"), here / 2, here + here / 5);
    assert_in_range(evaluations(100, "speed: 3000 rpm"), here / 2, 3 * here);
}

/* A hanging chain with play in all its joints, which comes to rest in part: what rounding makes of the forces in its
 * contacts is not followed by ever shorter steps. */
static size_t evaluations_of_chain(double away) {
    enum { LINKS = 5 };
    char bodies[2048] = "", joints[2048] = "";
    for (int k = 0; k < LINKS; k++) {
        snprintf(
            bodies + strlen(bodies), sizeof bodies - strlen(bodies),
            "  b%d: {mass: 0.1, inertia: 1e-4, angle: 0.1, position: [%.17g, %.17g], points: {top: [0, 50 "
            "mm], end: [0, -50 mm]}}\n",
            k, 0.005 + 0.01 * k, -away - 0.05 - 0.1 * k);
        char above[16] = "ground.o";
        if (k > 0)
            snprintf(above, sizeof above, "b%d.end", k - 1);
        snprintf(
            joints + strlen(joints), sizeof joints - strlen(joints),
            "  j%d: {type: revolute, between: [%s, b%d.top], clearance: {bearing_radius: 10 mm, diametric: "
            "0.1 mm, materials: steel, contact: {restitution: 0.8, approach: energy}}}\n",
            k, above, k);
    }
    rig r =
        rig_open("gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
                 "ground: {points: {o: [0, %.17g]}}\nbodies:\n%sjoints:\n%srun: {until: 50 ms, rtol: 1e-8}\n",
                 -away, bodies, joints);
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    const size_t count = lash_sim_summary(r.sim).evaluations;
    rig_close(&r);
    return count;
}

static void test_chain_far_away(void **state) {
    (void)state;
    const size_t here = evaluations_of_chain(0);
    assert_in_range(evaluations_of_chain(1), here / 2, 2 * here);
    assert_in_range(evaluations_of_chain(5), here / 2, 3 * here);
}

static void test_from_rest(void **state) {
    (void)state;
    const size_t steady = evaluations(0, "speed: 3000 rpm");
    assert_in_range(evaluations(0, "ramp: {to: 3000 rpm, over: 5 ms}"), steady / 2, 2 * steady);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "table") == 0) {
        print_table(argc > 2 ? argv[2] : NULL);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_error_is_promised),
                                       cmocka_unit_test(test_points_of_a_spline),
                                       cmocka_unit_test(test_far_away), cmocka_unit_test(test_chain_far_away),
                                       cmocka_unit_test(test_from_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
