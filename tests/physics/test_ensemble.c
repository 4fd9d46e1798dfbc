/* SPDX-License-Identifier: MIT
 *
 * Ensembles (lash/ensemble.h) against runs of the same machines one by one: velocities at the end, extrema, means and
 * contacts; what cannot be a member; and the code for a GPU, which is compiled but not run here: its source is that of the
 * lanes. The growth of a difference against a closed form.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "compile/compiler.h"
#include "compile/write.h"
#include "own_cache.h"
#include "physics/play.h"
#include "sim/sim.h"

#define EXAMPLES LASH_SOURCE_DIR "/examples"

typedef struct machine {
    lash_model *model;
    lash_system *system;
} machine;

static machine make(const char *example, const lash_setting *settings, size_t count) {
    machine m;
    char path[1024];
    lash_error error = {0};
    snprintf(path, sizeof path, "%s/%s.yaml", EXAMPLES, example);
    const lash_load_options options = {.settings = settings, .setting_count = count};
    MUST(lash_model_load(&m.model, path, &options, &error));
    MUST(lash_system_compile(&m.system, m.model, &error));
    return m;
}

static void unmake(machine m) {
    lash_system_destroy(m.system);
    lash_model_destroy(m.model);
}

/* What a run of the same machine shows. */
typedef struct shown {
    double end, least, most, mean, balance_allowed;
    size_t contacts[4]; /* of each joint with play */
} shown;
typedef struct eye {
    size_t channel;
    shown *out;
    double from, integral;
} eye;
static lash_status watch(void *user, lash_sim *sim, double t_old, double t_new) {
    eye *e = user;
    enum { PARTS = 8 };
    if (t_old < e->from)
        return LASH_OK;
    for (int k = 0; k <= PARTS; k++) { // Simpson's rule, and looks inside
        const double t = k == PARTS ? t_new : t_old + (t_new - t_old) * k / PARTS,
                     value = lash_sim_value_at(sim, e->channel, t);
        e->out->least = fmin(e->out->least, value);
        e->out->most = fmax(e->out->most, value);
        e->integral += value * (t_new - t_old) / (3 * PARTS) * (k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2);
    }
    return LASH_OK;
}
static shown run(machine m, const char *channel, double from, double until) {
    lash_error error = {0};
    lash_sim *sim;
    shown out = {.least = INFINITY, .most = -INFINITY};
    MUST(lash_sim_create(&sim, m.system, &error));
    if (from > 0)
        MUST(lash_sim_run_until(sim, from, NULL, NULL, &error));
    const size_t clearances = lash_system_clearance_count(m.system);
    for (size_t k = 0; k < clearances && k < 4; k++)
        out.contacts[k] = lash_sim_summary(sim).clearances[k].contacts; // before
    eye e = {.channel = lash_sim_find_channel(sim, channel), .out = &out, .from = from};
    const lash_run_control control = {.observe = watch, .user = &e};
    MUST(lash_sim_run_until(sim, until, NULL, &control, &error));
    out.end = lash_sim_value(sim, e.channel);
    out.mean = e.integral / (until - from);
    for (size_t k = 0; k < clearances && k < 4; k++)
        out.contacts[k] = lash_sim_summary(sim).clearances[k].contacts - out.contacts[k];
    out.balance_allowed = lash_sim_summary(sim).balance_allowed;
    lash_sim_destroy(sim);
    return out;
}

static void members_are_runs(void **state) {
    (void)state;
    static const char *const plays[] = {"0.04 mm", "0.05 mm", "0.06 mm"}, *const speeds[] = {"4500 rpm",
                                                                                             "5500 rpm"};
    static const double rpm[] = {4500, 5500};
    static const char *const channels[] = {"slider.vx", "slider.ax", "gudgeon.fn"};
    lash_error error = {0};
    lash_ensemble *ensemble = NULL;
    shown of[6][2];
    for (size_t k = 0; k < 6; k++) {
        const lash_setting settings[] = {
            {"play", plays[k % 3]}, {"speed", speeds[k / 3]}, {"run.rtol", "1e-7"}};
        const double turn = 60 / rpm[k / 3];
        machine m = make("flores-2010", settings, 3);
        if (k == 0)
            MUST(lash_ensemble_create(
                &ensemble, m.system,
                &(lash_ensemble_plan){.channels = channels, .channel_count = 3, .contacts = true}, &error));
        MUST(lash_ensemble_add(ensemble, m.system,
                               &(lash_ensemble_span){.from = 0.25 * turn, .until = 1.25 * turn}, &error));
        of[k][0] = run(m, channels[0], 0.25 * turn, 1.25 * turn);
        of[k][1] = run(m, channels[1], 0.25 * turn, 1.25 * turn);
        unmake(m);
    }
    assert_int_equal(lash_ensemble_count(ensemble), 6);
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    for (size_t k = 0; k < 6; k++) {
        assert_int_equal(lash_ensemble_status(ensemble, k), LASH_OK);
        const double size = fmax(fabs(of[k][0].least), fabs(of[k][0].most));
        // Both have errors of a few rtol of the largest value.
        assert_true(fabs(lash_ensemble_value(ensemble, k, 0, LASH_ENSEMBLE_END) - of[k][0].end) <
                    1e-6 * size);
        assert_true(fabs(lash_ensemble_value(ensemble, k, 0, LASH_ENSEMBLE_MEAN) - of[k][0].mean) <
                    1e-6 * size);
        // Steps end at extrema, to 1e-5 of the range.
        assert_true(fabs(lash_ensemble_value(ensemble, k, 0, LASH_ENSEMBLE_MOST) - of[k][0].most) <
                    3e-5 * size);
        assert_true(fabs(lash_ensemble_value(ensemble, k, 0, LASH_ENSEMBLE_LEAST) - of[k][0].least) <
                    3e-5 * size);
        assert_true(fabs(lash_ensemble_value(ensemble, k, 1, LASH_ENSEMBLE_LEAST) - of[k][1].least) <
                    2e-2 * fabs(of[k][1].least));
        const lash_ensemble_contact c = lash_ensemble_contact_of(ensemble, k, 0);
        assert_int_equal((size_t)c.begun, of[k][0].contacts[0]);
        assert_true(c.share > 0.5 && c.share < 1 + 1e-12);
        assert_true(fabs(c.peak / lash_ensemble_value(ensemble, k, 2, LASH_ENSEMBLE_MOST) - 1) < 1e-12);
        double evaluations;
        const double steps = lash_ensemble_steps(ensemble, k, &evaluations);
        assert_true(steps > 100 && evaluations >= 12 * steps && evaluations < 24 * steps);
    }
    lash_ensemble_destroy(ensemble);
}

static machine make_text(const char *text) {
    machine m;
    lash_error error = {0};
    MUST(lash_model_parse(&m.model, text, strlen(text), "member", NULL, &error));
    MUST(lash_system_compile(&m.system, m.model, &error));
    return m;
}

/* Adds the machine of a text; the first one makes the ensemble, as planned. */
static void add_text(lash_ensemble **ensemble, const char *text, double until,
                     const lash_ensemble_plan *plan) {
    lash_error error = {0};
    machine m = make_text(text);
    if (!*ensemble)
        MUST(lash_ensemble_create(ensemble, m.system, plan, &error));
    MUST(lash_ensemble_add(*ensemble, m.system, &(lash_ensemble_span){.until = until}, &error));
    unmake(m);
}

/* Bodies that a belt carries: what should be zero is rounding, from exactly zero on, and no reason to seek its extrema. */
static void channels_that_are_rounding(void **state) {
    (void)state;
    static const char *const channels[] = {"block.ax", "block.vx", "block.y",      "block.vy",
                                           "block.wz", "block.ay", "block.alphaz", "belt.y",
                                           "belt.vy",  "belt.wz",  "belt.ay",      "belt.alphaz"};
    enum { CHANNELS = sizeof channels / sizeof *channels, REAL = 2 };
    lash_error error = {0};
    lash_ensemble *ensemble;
    machine m = make("stick-slip", NULL, 0);
    MUST(lash_ensemble_create(
        &ensemble, m.system, &(lash_ensemble_plan){.channels = channels, .channel_count = CHANNELS}, &error));
    MUST(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.until = 0.3}, &error));
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    if (lash_ensemble_status(ensemble, 0))
        fail_msg("%s", lash_ensemble_reason(ensemble, 0));
    for (size_t k = 0; k < CHANNELS; k++) {
        const double least = lash_ensemble_value(ensemble, 0, k, LASH_ENSEMBLE_LEAST),
                     most = lash_ensemble_value(ensemble, 0, k, LASH_ENSEMBLE_MOST);
        const shown alone = run(m, channels[k], 0, 0.3);
        if (k < REAL)
            assert_true(fabs(most - alone.most) < 1e-6 * alone.most && alone.most > 0.01);
        else
            assert_true(fabs(least) < 1e-11 && fabs(most) < 1e-11);
    }
    lash_ensemble_destroy(ensemble);
    unmake(m);
}

/* A point on a spring of no length at rest: x(t) = A sin(ω t + φ), and its largest and least values are ±A, wherever in a
 * step they are. */
static void extrema_in_closed_form(void **state) {
    (void)state;
    enum { MEMBERS = 120 };
    static const char *const channels[] = {"ball.x", "ball.vx"};
    const double w = 100;
    lash_error error = {0};
    lash_ensemble *ensemble = NULL;
    for (int k = 0; k < MEMBERS; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 "bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, position: [%.17g, %.17g], velocity: [%.17g, "
                 "%.17g], "
                 "points: {c: [0, 0]}}}\n"
                 "ground: {points: {o: [0, 0]}}\n"
                 "forces: {spring: {type: spring, between: [ground.o, ball.c], stiffness: 1e4 N/m, "
                 "free_length: 0}}\n"
                 "run: {until: 0.1 s, rtol: %s}\n",
                 0.01 * sin(0.05 * k), 0.02 * cos(0.05 * k), 0.01 * w * cos(0.05 * k),
                 -0.02 * w * sin(0.05 * k), k % 2 ? "1e-9" : "1e-6");
        add_text(&ensemble, text, 0.1, &(lash_ensemble_plan){.channels = channels, .channel_count = 2});
    }
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    for (size_t k = 0; k < MEMBERS; k++)
        for (size_t v = 0; v < 2; v++) {
            const double size = v ? 0.01 * w : 0.01;
            assert_int_equal(lash_ensemble_status(ensemble, k), LASH_OK);
            const double most = lash_ensemble_value(ensemble, k, v, LASH_ENSEMBLE_MOST) / size,
                         least = lash_ensemble_value(ensemble, k, v, LASH_ENSEMBLE_LEAST) / size;
            const double allowed = k % 2 ? 3e-9 : 5e-6;
            if (!(fabs(most - 1) < allowed && fabs(least + 1) < allowed))
                fail_msg("%s of member %zu: 1 - %.1e and -1 + %.1e", channels[v], k, 1 - most, least + 1);
        }
    lash_ensemble_destroy(ensemble);
}

/* A pendulum let go at the angle A: it turns round at −A, and is fastest, ω² = 2 m g l (1 − cos A)/(J + m l²), at the bottom.
 * There its acceleration upwards is largest as well. To the tolerance that is asked for. */
static void extrema_of_pendulums(void **state) {
    (void)state;
    enum { MEMBERS = 96 };
    static const char *const channels[] = {"bob.angle", "bob.wz", "bob.ay"};
    static const double tolerances[] = {1e-6, 1e-7, 1e-9, 1e-11};
    const double J = 0.01, g = 9.81;
    lash_error error = {0};
    lash_ensemble *ensemble = NULL;
    for (int k = 0; k < MEMBERS; k++) {
        const double A = 0.3 + 0.025 * k, l = 0.1 + 0.03 * (k % 31);
        char text[500];
        snprintf(
            text, sizeof text,
            "gravity: [0, -9.81]\nbodies: {bob: {mass: 1, inertia: 0.01, position: [%.17g, %.17g], angle: "
            "%.17g, points: {top: [0, %.17g]}}}\njoints: {pin: {type: revolute, between: [ground, "
            "bob.top]}}\nrun: {until: 4 s, rtol: %g}\n",
            l * sin(A), -l * cos(A), A, l, tolerances[k % 4]);
        add_text(&ensemble, text, 4, &(lash_ensemble_plan){.channels = channels, .channel_count = 3});
    }
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    for (size_t k = 0; k < MEMBERS; k++) {
        const double A = 0.3 + 0.025 * (double)k, l = 0.1 + 0.03 * (double)(k % 31),
                     w = sqrt(2 * g * l * (1 - cos(A)) / (J + l * l)), allowed = 5 * tolerances[k % 4];
        assert_int_equal(lash_ensemble_status(ensemble, k), LASH_OK);
        const double found[] = {lash_ensemble_value(ensemble, k, 0, LASH_ENSEMBLE_LEAST) / -A,
                                lash_ensemble_value(ensemble, k, 1, LASH_ENSEMBLE_LEAST) / -w,
                                lash_ensemble_value(ensemble, k, 1, LASH_ENSEMBLE_MOST) / w,
                                lash_ensemble_value(ensemble, k, 2, LASH_ENSEMBLE_MOST) / (w * w * l)};
        for (int i = 0; i < 4; i++)
            if (!(fabs(found[i] - 1) < allowed))
                fail_msg("extremum %d of pendulum %zu: 1 + %.2e, allowed %.2e", i, k, found[i] - 1, allowed);
    }
    lash_ensemble_destroy(ensemble);
}

/* A pendulum whose pin is loose, with something else about it. */
#define LOOSE(contact, rest) LOOSE_WITH(contact, "", rest)
#define LOOSE_WITH(contact, more, rest)                                                                      \
    "gravity: [0, -9.81]\n"                                                                                  \
    "ground: {points: {o: [0, 0]}}\n"                                                                        \
    "bodies: {bar: {mass: 2 kg, inertia: 0.02 kg m^2, position: [0.1, 0], points: {o: [-0.1, 0], end: "      \
    "[0.1, 0]}}}\n"                                                                                          \
    "joints:\n"                                                                                              \
    "  pin:\n"                                                                                               \
    "    type: revolute\n"                                                                                   \
    "    between: [ground.o, bar.o]\n"                                                                       \
    "    clearance: {bearing_radius: 10 mm, journal_radius: 9.9 mm, length: 4 mm, contact: {" contact        \
    "}" more "}\n" rest "run: {until: 0.1 s, rtol: 1e-9}\n"

/* The same with contact as a constraint. */
#define RIGID(clearance)                                                                                     \
    "gravity: [0, -9.81]\n"                                                                                  \
    "bodies: {bar: {mass: 2 kg, inertia: 0.02 kg m^2, position: [0.1, 0], points: {o: [-0.1, 0]}}}\n"        \
    "joints: {pin: {type: revolute, between: [ground, bar.o], clearance: {radial: 0.1 mm, " clearance        \
    "}}}\n"                                                                                                  \
    "run: {until: 0.1 s, rtol: 1e-9}\n"

/* The same at the end of an arm that is driven. */
#define DRIVEN(drive)                                                                                        \
    "gravity: [0, -9.81]\n"                                                                                  \
    "ground: {points: {o: [0, 0]}}\n"                                                                        \
    "bodies:\n"                                                                                              \
    "  arm: {mass: 1 kg, inertia: 0.01 kg m^2, position: [0.1, 0], hold: [angle], points: {o: [-0.1, 0], "   \
    "p: [0.1, 0]}}\n"                                                                                        \
    "  bar: {mass: 2 kg, inertia: 0.02 kg m^2, position: [0.2, -0.1], points: {p: [0, 0.1]}}\n"              \
    "joints:\n"                                                                                              \
    "  base: {type: revolute, between: [ground.o, arm.o]}\n"                                                 \
    "  pin:\n"                                                                                               \
    "    type: revolute\n"                                                                                   \
    "    between: [arm.p, bar.p]\n"                                                                          \
    "    clearance: {bearing_radius: 10 mm, journal_radius: 9.9 mm, contact: {stiffness: 1e9, restitution: " \
    "0.6}}\n"                                                                                                \
    "drives: {d: {joint: base, " drive "}}\n"                                                                \
    "run: {until: 0.1 s, rtol: 1e-9}\n"

/* The same with a motor instead. */
#define MOTOR(motor, rest)                                                                                   \
    "gravity: [0, -9.81]\n"                                                                                  \
    "bodies:\n"                                                                                              \
    "  arm: {mass: 1 kg, inertia: 0.01 kg m^2, position: [0.1, 0], points: {o: [-0.1, 0], p: [0.1, 0]}}\n"   \
    "  bar: {mass: 2 kg, inertia: 0.02 kg m^2, position: [0.2, -0.1], points: {p: [0, 0.1], q: [0, "         \
    "-0.1]}}\n"                                                                                              \
    "joints:\n"                                                                                              \
    "  base: {type: revolute, between: [ground, arm.o]}\n"                                                   \
    "  pin:\n"                                                                                               \
    "    type: revolute\n"                                                                                   \
    "    between: [arm.p, bar.p]\n"                                                                          \
    "    clearance: {bearing_radius: 10 mm, journal_radius: 9.9 mm, contact: {stiffness: 1e9, restitution: " \
    "0.6}}\n"                                                                                                \
    "forces:\n  m: {type: motor, joint: base, " motor "}\n" rest "run: {until: 0.1 s, rtol: 1e-9}\n"

/* A slider-crank with friction in its ideal joints, and what moves it: stretched, or with its crank turned on by 0.7 rad. */
#define DRY(pins, guide, gudgeon, more)                                                                      \
    DRY_AT("[0.025, 0]", "[0.125, 0]", "[0.2, 0]", pins, guide, gudgeon, more)
#define DRY_AT_AN_ANGLE(pins, guide, gudgeon, more)                                                          \
    DRY_AT("[0.0191211, 0.0161054], angle: 0.7", "[0.111492, 0.0161054], angle: -0.216425", "[0.184743, 0]", \
           pins, guide, gudgeon, more)
#define DRY_AT(crank, rod, slider, pins, guide, gudgeon, more)                                               \
    "gravity: [0, -9.81]\n"                                                                                  \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 0.2 kg, inertia: 1e-4, position: " crank ", points: {o: [-0.025, 0], p: [0.025, "       \
    "0]}}\n"                                                                                                 \
    "  rod: {mass: 0.3 kg, inertia: 1e-3, position: " rod ", points: {p: [-0.075, 0], q: [0.075, 0]}}\n"     \
    "  slider: {mass: 0.3 kg, inertia: 1e-3, position: " slider ", points: {q: [0, 0]}}\n"                   \
    "joints:\n"                                                                                              \
    "  o: {type: revolute, between: [ground, crank.o], friction: {" pins "}}\n"                              \
    "  p: {type: revolute, between: [crank.p, rod.p], friction: {" pins "}}\n"                               \
    "  q: {type: revolute, between: [rod.q, slider.q], " gudgeon "}\n"                                       \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0], friction: {" guide "}}\n" more  \
    "run: {until: 0.1 s, rtol: 1e-9}\n"
#define DRIVE "drives: {d: {joint: o, speed: 100 rad/s}}\n"
/* A pendulum of two bars in space. */
#define DRY_IN_SPACE(joints)                                                                                 \
    "space: spatial\n"                                                                                       \
    "gravity: [0, 0, -9.81]\n"                                                                               \
    "bodies:\n"                                                                                              \
    "  arm: {mass: 1 kg, inertia: [0.01, 0.02, 0.02], position: [0.1, 0, 0], points: {o: [-0.1, 0, "         \
    "0], p: [0.1, 0, 0]}}\n"                                                                                 \
    "  bar: {mass: 2 kg, inertia: [0.02, 0.03, 0.01], position: [0.2, 0, -0.1], points: {p: [0, 0, "         \
    "0.1]}, angular_velocity: [1, 2, 3]}\n"                                                                  \
    "joints:\n" joints "run: {until: 0.3 s, rtol: 1e-9}\n"

/* Machines of several kinds, eleven copies of each beside a run. */
static const struct kind {
    const char *example, *text, *channel;
    double until;
} kinds[] = {
    {"flores-2010", NULL, "slider.vx", 0.002}, // two joints with play, and none
    {"slider-crank", NULL, "slider.vx", 0.1},
    {NULL, LOOSE("stiffness: 1e9, restitution: 0.6", ""), "bar.vy", 0.05},
    {NULL, LOOSE("stiffness: 1e9, restitution: 0.6, approach: energy", ""), "bar.vy", 0.05},
    // stops, beside play and in space beside teeth
    {NULL,
     LOOSE("stiffness: 1e9, restitution: 0.6",
           "    stops: {min: -0.01, max: 1, contact: {stiffness: 1e5, restitution: 0.5}}\n"),
     "bar.wz", 0.05},
    {NULL,
     "space: spatial\n"
     "ground: {points: {b: [0.1, 0, 0]}}\n"
     "bodies:\n"
     "  a: {mass: 1, inertia: [1e-3, 1e-3, 2e-3], angular_velocity: [0, 0, 20], hold: [w]}\n"
     "  b: {mass: 2, inertia: [3e-3, 3e-3, 5e-3], position: [0.1, 0, 0]}\n"
     "joints:\n"
     "  ra: {type: revolute, between: [ground, a], axis: [0, 0, 1]}\n"
     "  rb: {type: revolute, between: [ground.b, b], axis: [0, 0, 1],\n"
     "       stops: {min: -0.1, contact: {stiffness: 1e5, restitution: 0.5}}}\n"
     "  g: {type: gear, joints: [ra, rb], ratio: 0.5, backlash: {angle: 0.5 deg, stiffness: 5e4, damping: "
     "3}}\n"
     "run: {until: 0.1 s, rtol: 1e-9}\n",
     "b.wz", 0.05},
    // functions of time, with pieces and pulses, …
    {NULL,
     LOOSE("stiffness: 1e9, restitution: 0.6",
           "forces:\n"
           "  f: {type: force, at: bar.o, force: ['20 N * sin(300 rad/s * t)', 'if(t < 13.1 ms, 5 N, -30 "
           "N)']}\n"
           "  k: {type: torque, body: bar, torque: '3 N m * exp(-((t - 31 ms)/(0.05 ms))^2) + 0.1 N m'}\n"),
     "bar.wz", 0.05},
    {NULL, DRIVEN("motion: '0.3 rad * sin(20 rad/s * t)'"), "bar.vx", 0.05},
    {NULL, DRIVEN("ramp: {to: 20 rad/s, over: 20 ms}"), "bar.vx", 0.05},
    {NULL, DRIVEN("table: {points: [[0, 0], [10 ms, 0.02], [25 ms, 0.1], [40 ms, 0.05], [100 ms, 0.05]]}"),
     "bar.vx", 0.05},
    // … and tables over a coordinate, a narrow one among them
    {"engine", NULL, "piston.vx", 0.06},
    {NULL,
     LOOSE("stiffness: 1e9, restitution: 0.6",
           "forces:\n"
           "  s: {type: spring, between: [ground.o, bar.end], stiffness: 10 N/m, free_length: 0.2, "
           "table: {points: [[-0.01, 0], [2e-5, 0], [5e-5, 40], [8e-5, 0], [0.01, 0]], beyond: hold}}\n"),
     "bar.vx", 0.05},
    // bristles; films, alone and with dry contact
    {NULL,
     LOOSE_WITH("stiffness: 1e9, restitution: 0.6",
                ", friction: {law: lugre, coefficient: 0.1, coefficient_static: 0.15}", ""),
     "bar.vy", 0.05},
    {NULL,
     LOOSE_WITH("stiffness: 1e9, restitution: 0.6",
                ", lubricant: {film: short, viscosity: 400 cP, e0: 5 um, e1: 10 um}", ""),
     "pin.film", 0.05},
    {NULL,
     LOOSE_WITH("stiffness: 1e9, restitution: 0.6", ", lubricant: {film: long, viscosity: 40 cP, dry: false}",
                ""),
     "bar.vx", 0.02},
    {NULL,
     LOOSE_WITH("stiffness: 1e9, restitution: 0.6",
                ", lubricant: {film: reynolds, viscosity: 400 cP, e0: 5 um, e1: 10 um}", ""),
     "pin.film", 0.05},
    // a law that changes where a contact turns, alone and with conditions of the state
    {NULL, LOOSE("stiffness: 1e8, restitution: 0.6, law: kelvin-voigt", ""), "bar.vy", 0.012},
    {NULL,
     LOOSE("stiffness: 1e8, restitution: 0.6, law: kelvin-voigt",
           "forces: {f: {type: torque, body: bar, torque: '-0.1 N m s * max(bar.wz, 0 rad/s) + 0.3 N m * "
           "sign(bar.wz + 1 rad/s)'}}\n"),
     "bar.vy", 0.012},
    {"flores-2004", NULL, "slider.vx", 0.01},
    // in space: a ball, dry and in oil, and a pin that touches at both ends at once
    {"flores-2006", NULL, "coupler.wz", 0.06},
    {"flores-2006 lubricated", NULL, "rocker.vz", 0.05},
    {"planar-in-space", NULL, "slider.vx", 0.005},
    {NULL,
     "space: spatial\n"
     "gravity: [0, 0, -9.81]\n"
     "bodies:\n"
     "  arm: {mass: 1 kg, inertia: [0.01, 0.02, 0.02], position: [0.1, 0, 0], points: {o: [-0.1, 0, "
     "0], p: [0.1, 0, 0]}}\n"
     "  bar: {mass: 2 kg, inertia: [0.02, 0.03, 0.01], position: [0.2, 0, -0.1], points: {p: [0, 0, "
     "0.1]}}\n"
     "joints:\n"
     "  base: {type: revolute, between: [ground, arm.o], axis: [0.6, 0, 0.8]}\n"
     "  ball:\n"
     "    type: spherical\n"
     "    between: [arm.p, bar.p]\n"
     "    clearance: {bearing_radius: 10 mm, journal_radius: 9.9 mm, contact: {stiffness: 1e9, restitution: "
     "0.6}, friction: {law: lugre, coefficient: 0.1, coefficient_static: 0.15}}\n"
     "drives: {d: {joint: base, motion: '0.3 rad * sin(20 rad/s * t)'}}\n"
     "run: {until: 0.1 s, rtol: 1e-9}\n",
     "d.torque", 0.03},
    // friction of ideal joints: pins and guides with every law, one that presses at both ends, beside a load that is
    // constant; …
    {NULL,
     DRY("law: ambrosio, coefficient: 0.2, radius: 10 mm",
         "law: threlfall, coefficient: 0.3, length: 60 mm, force: 2 N",
         "friction: {law: bengisu-akay, coefficient: 0.1, coefficient_static: 0.15, radius: 6 mm, torque: "
         "0.01 N m}",
         "forces: {m: {type: torque, body: crank, torque: '3 N m * cos(40 rad/s * t)'}}\n"),
     "slider.vx", 0.1},
    {NULL,
     DRY("law: stribeck, coefficient: 0.2, coefficient_static: 0.3, radius: 10 mm",
         "law: threlfall, force: 20 N", "", "forces: {m: {type: torque, body: crank, torque: 3 N m}}\n"),
     "slider.ax", 0.1},
    {NULL,
     DRY("law: stribeck, coefficient: 0.2, coefficient_static: 0.3, radius: 10 mm",
         "law: lugre, coefficient: 0.2, coefficient_static: 0.3, length: 60 mm", "", DRIVE),
     "d.torque", 0.05},
    // … beside play, and beside a contact with three modes; …
    {NULL,
     DRY("law: threlfall, coefficient: 0.2, radius: 10 mm", "law: threlfall, coefficient: 0.2, length: 60 mm",
         "clearance: {bearing_radius: 10 mm, journal_radius: 9.9 mm, contact: {stiffness: 1e9, restitution: "
         "0.6}, friction: {coefficient: 0.1, law: threlfall}}",
         DRIVE),
     "slider.vx", 0.02},
    {NULL,
     DRY("law: threlfall, coefficient: 0.2, radius: 10 mm", "law: threlfall, coefficient: 0.2, length: 60 mm",
         "clearance: {model: three-mode, bearing_radius: 10 mm, journal_radius: 9.9 mm, restitution: 0.6, "
         "friction: {coefficient: 0.1, law: threlfall}}",
         DRIVE),
     "slider.vx", 0.02},
    {NULL, // its damping is bounded by a mass
     DRY("law: threlfall, coefficient: 0.2, radius: 10 mm", "law: threlfall, coefficient: 0.5, length: 60 mm",
         "clearance: {bearing_radius: 10 mm, journal_radius: 9.9 mm, contact: {stiffness: 1e8, restitution: "
         "0.5, approach: energy}}",
         DRIVE),
     "slider.vx", 0.02},
    // … with the law coulomb, which holds: all four joints at a time, a pin that begins to press without sliding, a joint with
    // play beside ideal ones; a block that is pulled by a belt; …
    {NULL,
     DRY_AT_AN_ANGLE(
         "law: coulomb, coefficient: 0.2, radius: 10 mm",
         "law: coulomb, coefficient: 0.2, length: 60 mm, force: 2 N",
         "friction: {law: coulomb, coefficient: 0.1, coefficient_static: 0.15, radius: 6 mm, torque: "
         "0.01 N m}",
         "forces: {m: {type: torque, body: crank, torque: '3 N m * cos(40 rad/s * t)'}}\n"),
     "slider.vx", 0.2},
    {NULL, LOOSE_WITH("stiffness: 1e8, restitution: 0.5", ", friction: {law: coulomb, coefficient: 0.3}", ""),
     "bar.wz", 0.1},
    {NULL,
     LOOSE_WITH("stiffness: 1e8, restitution: 0.5", ", friction: {law: coulomb, coefficient: 0.05}", ""),
     "bar.vy", 0.1},
    {NULL,
     DRY("law: coulomb, coefficient: 0.2, radius: 10 mm", "law: coulomb, coefficient: 0.2, length: 60 mm",
         "clearance: {bearing_radius: 10 mm, journal_radius: 9.9 mm, contact: {stiffness: 1e8, restitution: "
         "0.5}, friction: {coefficient: 0.2, law: coulomb}}",
         DRIVE),
     "slider.vx", 0.06},
    {"stick-slip", NULL, "block.vx", 3},
    {NULL,
     DRY_IN_SPACE(
         "  base: {type: revolute, between: [ground, arm.o], axis: [0.6, 0, 0.8], friction: {law: coulomb, "
         "coefficient: 0.3, radius: 20 mm, length: 50 mm}}\n"
         "  way: {type: prismatic, between: [arm.p, bar.p], axis: [0.6, 0, 0.8], friction: {law: coulomb, "
         "coefficient: 0.15, coefficient_static: 0.2, length: 100 mm}}\n"),
     "bar.vz", 0.3},
    // … in space: a pin that carries moments and thrust, a ball, which slides in three directions, a shaft in two, …
    {NULL,
     DRY_IN_SPACE(
         "  base: {type: revolute, between: [ground, arm.o], axis: [0.6, 0, 0.8], friction: {law: threlfall, "
         "coefficient: 0.3, radius: 20 mm, length: 50 mm}}\n"
         "  ball: {type: spherical, between: [arm.p, bar.p], friction: {law: threlfall, coefficient: 0.3, "
         "radius: "
         "20 mm}}\n"),
     "bar.wx", 0.3},
    {NULL,
     DRY_IN_SPACE(
         "  base: {type: universal, between: [ground, arm.o], axis: [0, 1, 0], second_axis: [0, 0, 1], "
         "friction: "
         "{law: ambrosio, coefficient: 0.3, radius: 20 mm, length: 50 mm}}\n"
         "  sleeve: {type: cylindrical, between: [arm.p, bar.p], axis: [0.6, 0, 0.8], friction: {law: "
         "threlfall, coefficient: 0.3, radius: 20 mm, length: 50 mm}}\n"),
     "bar.vz", 0.3},
    {NULL,
     DRY_IN_SPACE(
         "  base: {type: revolute, between: [ground, arm.o], axis: [0, 1, 0]}\n"
         "  ball: {type: spherical, between: [arm.p, bar.p], friction: {law: lugre, coefficient: 0.3, "
         "coefficient_static: 0.4, radius: 20 mm}}\n"),
     "bar.wx", 0.05},
    {NULL,
     DRY_IN_SPACE(
         "  base: {type: revolute, between: [ground, arm.o], axis: [0, 1, 0]}\n"
         "  way: {type: prismatic, between: [arm.p, bar.p], axis: [0.6, 0, 0.8], friction: {law: threlfall, "
         "coefficient: 0.2, length: 50 mm, width: 30 mm, force: 1 N}}\n"),
     "bar.vz", 0.3},
    // … and teeth, which lose a part and push their wheels apart
    {NULL,
     "gravity: [0, -9.81]\n"
     "ground: {points: {b: [0.15, 0]}}\n"
     "bodies:\n"
     "  one: {mass: 1, inertia: 1e-3, points: {c: [0, 0]}}\n"
     "  two: {mass: 2, inertia: 5e-3, position: [0.15, 0], points: {c: [0, 0]}}\n"
     "joints:\n"
     "  a: {type: revolute, between: [ground, one.c], friction: {law: threlfall, coefficient: 0.1, radius: "
     "10 mm}}\n"
     "  b: {type: revolute, between: [ground.b, two.c], friction: {law: threlfall, coefficient: 0.1, radius: "
     "10 mm}}\n"
     "  g: {type: gear, between: [one.c, two.c], ratio: 0.5, pressure_angle: 20 deg, friction: {loss: 0.04, "
     "law: "
     "threlfall}}\n"
     "forces: {m: {type: torque, body: one, torque: '2 N m * sin(20 rad/s * t)'}}\n"
     "run: {until: 0.5 s, rtol: 1e-9}\n",
     "two.wz", 0.5},
    {NULL,
     "space: spatial\n"
     "ground: {points: {b: [0.1, 0, 0]}}\n"
     "bodies:\n"
     "  a: {mass: 1, inertia: [1e-3, 1e-3, 2e-3], angular_velocity: [0, 0, 20], hold: [w]}\n"
     "  b: {mass: 2, inertia: [3e-3, 3e-3, 5e-3], position: [0.1, 0, 0]}\n"
     "joints:\n"
     "  ra: {type: revolute, between: [ground, a], axis: [0, 0, 1]}\n"
     "  rb: {type: revolute, between: [ground.b, b], axis: [0, 0, 1]}\n"
     "  g: {type: gear, joints: [ra, rb], ratio: 0.5, friction: {loss: 0.05, law: threlfall}}\n"
     "forces: {m: {type: torque, body: b, torque: [0, 0, '-2 N m * sin(20 rad/s * t)']}}\n"
     "run: {until: 0.5 s, rtol: 1e-9}\n",
     "b.wz", 0.5},
    // contacts that are constraints, which press and pull
    {NULL, RIGID("model: permanent-contact, offset: [0, -0.1 mm]"), "pin.n", 0.05},
    {"grigore-2011", NULL, "O2.n", 0.4},
    {NULL,
     "space: spatial\n"
     "gravity: [0, 0, -9.81]\n"
     "bodies:\n"
     "  arm: {mass: 1 kg, inertia: [0.01, 0.02, 0.02], position: [0.1, 0, 0], points: {o: [-0.1, 0, "
     "0], p: [0.1, 0, 0]}}\n"
     "  bar: {mass: 2 kg, inertia: [0.02, 0.03, 0.01], position: [0.2, 0, -0.1], points: {p: [0, 0, "
     "0.1]}}\n"
     "joints:\n"
     "  base: {type: revolute, between: [ground, arm.o], axis: [0.6, 0, 0.8]}\n"
     "  ball: {type: spherical, between: [arm.p, bar.p], clearance: {model: permanent-contact, radial: 0.1 "
     "mm, offset: [0, 0, -0.1 mm]}}\n"
     "drives: {d: {joint: base, motion: '0.3 rad * sin(20 rad/s * t)'}}\n"
     "run: {until: 0.1 s, rtol: 1e-9}\n",
     "ball.n", 0.05},
    // expressions of the state: smooth ones, kinks and jumps, …
    {NULL,
     LOOSE("stiffness: 1e9, restitution: 0.6",
           "forces:\n"
           "  s: {type: spring, between: [ground.o, bar.end], stiffness: 10 N/m, free_length: 0.2}\n"
           "  f: {type: force, at: bar.o, force: ['-20 N s/m * bar.vx - 3 N * sin(bar.angle) + 1e3 N/m * "
           "(s.length - 0.2 m)', '2 N * exp(-t/(10 ms)) * tanh(bar.vy/(1 m/s))']}\n"
           "  k: {type: torque, body: bar, torque: '-0.1 N m s * bar.wz - 0.01 N m s * pin.wz'}\n"),
     "bar.wz", 0.05},
    {NULL,
     LOOSE("stiffness: 1e9, restitution: 0.6", "forces:\n"
                                               "  f: {type: force, at: bar.end, force: ['if(bar.vx > 0.05 "
                                               "m/s, -30 N, 20 N)', 'max(-3 N, min(3 N, -40 "
                                               "N s/m * bar.vy)) - 20 N * sign(bar.y + 5 mm)']}\n"
                                               "  k: {type: torque, body: bar, torque: '1 N m * "
                                               "abs(bar.wz/(10 rad/s)) + 1 N m * mod(bar.y/(3 mm), 1) + "
                                               "2 N m * smoothstep(t/(5 ms) + bar.y/(10 mm))'}\n"),
     "bar.wz", 0.05},
    // … a speed that is zero up to an instant that rounding would choose, and counts as that for longer …
    {NULL,
     LOOSE(
         "stiffness: 1e9, restitution: 0.6",
         "forces: {f: {type: torque, body: bar, torque: '1 N m * if(bar.vx > 1 um/s, 1, if(bar.vx < -1 um/s, "
         "-1, 0))'}}\n"),
     "bar.wz", 0.05},
    // … motors with a line, with a curve, and with controllers …
    {NULL, MOTOR("stall_torque: 20 N m, no_load_speed: 30 rad/s", ""), "arm.wz", 0.05},
    {NULL,
     MOTOR("curve: {points: [[-100, 25], [0, 20], [5, 18], [12, 6], [30, 0], [100, -40]], interpolation: "
           "monotone, "
           "beyond: hold}",
           ""),
     "bar.vx", 0.05},
    {NULL,
     MOTOR("position: {to: '0.5 rad * smoothstep(t/(30 ms))', kp: 300, kd: 8, ki: 2000, limit: 25 N m}, "
           "stall_torque: 40 N m, no_load_speed: 60 rad/s",
           ""),
     "m.torque", 0.05},
    {NULL, MOTOR("speed: {to: 10 rad/s, kp: 4, ki: 100, limit: 15 N m, every: 2 ms}", ""), "bar.vx", 0.05},
    // … and signals
    {NULL,
     MOTOR("stall_torque: 5 N m, no_load_speed: 60 rad/s",
           "  k: {type: torque, body: arm, torque: '5 N m + drag + 2 N m * held'}\n"
           "signals:\n"
           "  slow: {lag: 'arm.wz', time: 5 ms}\n"
           "  turned: {integral: 'bar.wz'}\n"
           "  drag: {value: '-0.2 N m s * slow - 0.3 N m * turned + 0.01 N m s * rate(bar.angle)'}\n"
           "  held: {hold: 'sin(20 * bar.angle)', every: 7 ms}\n"),
     "drag", 0.05},
    {NULL,
     "space: spatial\n"
     "gravity: [0, 0, -9.81]\n"
     "bodies:\n"
     "  arm: {mass: 1 kg, inertia: [0.01, 0.02, 0.02], position: [0.1, 0, 0], points: {o: [-0.1, 0, "
     "0], p: [0.1, 0, 0]}}\n"
     "  bar: {mass: 2 kg, inertia: [0.02, 0.03, 0.01], position: [0.2, 0, -0.1], points: {p: [0, 0, "
     "0.1]}}\n"
     "joints:\n"
     "  base: {type: revolute, between: [ground, arm.o], axis: [0.6, 0, 0.8]}\n"
     "  ball:\n"
     "    type: spherical\n"
     "    between: [arm.p, bar.p]\n"
     "    clearance: {bearing_radius: 10 mm, journal_radius: 9.9 mm, contact: {stiffness: 1e9, restitution: "
     "0.6}}\n"
     "forces:\n"
     "  m: {type: motor, joint: base, stall_torque: 20 N m, no_load_speed: 30 rad/s}\n"
     "  k: {type: torque, body: bar, torque: ['-0.1 N m s * bar.wx', '-0.1 N m s * min(bar.wy, 1 rad/s)', "
     "0]}\n"
     "run: {until: 0.1 s, rtol: 1e-9}\n",
     "bar.wx", 0.05},
};

/* The other channels that an ensemble takes of a machine, and what a run shows of them. */
enum { MOST_OTHERS = 24 }; // spread over all that there are
typedef struct others {
    const char *name[MOST_OTHERS];
    size_t channel[MOST_OTHERS], count;
    double largest[MOST_OTHERS], end[MOST_OTHERS];
} others;
static lash_status watch_others(void *user, lash_sim *sim, double t_old, double t_new) {
    others *o = user;
    double value[MOST_OTHERS];
    (void)t_old;
    lash_sim_values_at(value, sim, o->channel, o->count, t_new);
    for (size_t i = 0; i < o->count; i++)
        o->largest[i] = fmax(o->largest[i], fabs(value[i]));
    return LASH_OK;
}
static void find_others(others *out, lashi_seen *seen, lashi_arena *names, machine m, size_t first,
                        double until) {
    lash_error error = {0};
    lash_sim *sim;
    *out = (others){.count = 0};
    MUST(lash_sim_create(&sim, m.system, &error));
    const size_t all = lash_sim_channel_count(sim), step = (all + MOST_OTHERS - 1) / MOST_OTHERS;
    for (size_t k = first % step; k < all; k += step)
        if (lashi_seen_find(&seen[out->count], m.system, lash_sim_channel_name(sim, k))) {
            out->name[out->count] = lashi_arena_print(names, "%s", lash_sim_channel_name(sim, k));
            out->channel[out->count++] = k;
        }
    const lash_run_control control = {.observe = watch_others, .user = out};
    MUST(lash_sim_run_until(sim, until, NULL, &control, &error));
    for (size_t i = 0; i < out->count; i++)
        out->end[i] = lash_sim_value(sim, out->channel[i]);
    lash_sim_destroy(sim);
}

static void kinds_of_machines(void **state) {
    (void)state;
    lash_error error = {0};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        static const struct {
            const char *example;
            lash_setting settings[2];
        } special[] = {{"flores-2010", {{"run.rtol", "1e-8"}, {"crankpin", "clearance"}}},
                       {"flores-2006 lubricated", {{"run.rtol", "1e-8"}, {"ball", "lubricated"}}}};
        const struct kind *kind = &kinds[k];
        const lash_setting *settings = special[0].settings;
        size_t count = 1;
        char name[64] = "";
        if (kind->example)
            snprintf(name, sizeof name, "%.*s", (int)strcspn(kind->example, " "), kind->example);
        for (size_t i = 0; kind->example && i < sizeof special / sizeof *special; i++)
            if (strcmp(kind->example, special[i].example) == 0) {
                settings = special[i].settings;
                count = 2;
            }
        machine m = kind->text ? make_text(kind->text) : make(name, settings, count);
        lash_ensemble *ensemble;
        lashi_arena names = {0};
        others other;
        lashi_seen seen[MOST_OTHERS];
        find_others(&other, seen, &names, m, k, kind->until);
        MUST(
            lash_ensemble_create(&ensemble, m.system,
                                 &(lash_ensemble_plan){.channels = &kind->channel,
                                                       .channel_count = 1,
                                                       .cuts = other.name,
                                                       .cut_count = other.count,
                                                       .contacts = kind->text && strstr(kind->text, "stops")},
                                 &error));
        for (int copy = 0; copy < 11; copy++)
            MUST(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.from = 0, .until = kind->until},
                                   &error));
        const shown alone = run(m, kind->channel, 0, kind->until);
        MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
        const double size = fmax(fabs(alone.least), fabs(alone.most));
        for (size_t copy = 0; copy < 11; copy++) {
            if (lash_ensemble_status(ensemble, copy) != LASH_OK)
                fail_msg("machine %zu: %s", k, lash_ensemble_reason(ensemble, copy));
            const double end = lash_ensemble_value(ensemble, copy, 0, LASH_ENSEMBLE_END),
                         mean = lash_ensemble_value(ensemble, copy, 0, LASH_ENSEMBLE_MEAN);
            if (!(fabs(end - alone.end) < 1e-6 * size) || !(fabs(mean - alone.mean) < 1e-6 * size))
                fail_msg("machine %zu: %.12g, mean %.12g, not %.12g, %.12g, of %g", k, end, mean, alone.end,
                         alone.mean, size);
            // The account closes: to a millionth of the energy exchanged, where a hundredth is allowed.
            if (!(lash_ensemble_balance(ensemble, copy) < 1e-4 * alone.balance_allowed))
                fail_msg("machine %zu: the balance is off by %g J, %g are allowed", k,
                         lash_ensemble_balance(ensemble, copy), alone.balance_allowed);
            for (size_t i = 0; i < other.count; i++) {
                const double found = lash_ensemble_value(ensemble, copy, 1 + i, LASH_ENSEMBLE_END);
                if (!(fabs(found - other.end[i]) < 1e-5 * other.largest[i] + 1e-9))
                    fail_msg("machine %zu: %s is %.12g, not %.12g, of %g", k, other.name[i], found,
                             other.end[i], other.largest[i]);
            }
            // The lanes do not disturb each other.
            assert_true(end == lash_ensemble_value(ensemble, 0, 0, LASH_ENSEMBLE_END));
            for (size_t c = 0; c < lash_system_clearance_count(m.system); c++)
                assert_int_equal((size_t)lash_ensemble_contact_of(ensemble, copy, c).begun,
                                 alone.contacts[c]);
        }
        lash_ensemble_destroy(ensemble);
        lashi_arena_clear(&names);
        unmake(m);
    }
}

/* A damped pendulum on a spring, at rest: a difference falls by exp(-c/(2 J) t) over each half of its period. */
static void growth_in_closed_form(void **state) {
    (void)state;
    static const char text[] =
        "gravity: [0, 0]\n"
        "ground: {points: {o: [0, 0]}}\n"
        "bodies: {bar: {mass: 1 kg, inertia: 2 kg m^2, angle: 0, hold: [angle], points: {o: [0, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground.o, bar.o]}}\n"
        "forces: {s: {type: joint-spring, joint: pin, stiffness: 200 N m/rad, damping: 4 N m s/rad, "
        "free: 0}}\n"
        "run: {until: 1 s, rtol: 1e-9}\n";
    const double decay = 4 / (2 * 2.0), omega = sqrt(200 / 2.0 - decay * decay), half = acos(-1) / omega;
    lash_error error = {0};
    machine m;
    lash_ensemble *ensemble;
    double growth[LASH_ENSEMBLE_BLOCKS];
    MUST(lash_model_parse(&m.model, text, strlen(text), "spring", NULL, &error));
    MUST(lash_system_compile(&m.system, m.model, &error));
    MUST(lash_ensemble_create(&ensemble, m.system, &(lash_ensemble_plan){.exponent = true}, &error));
    const lash_ensemble_span span = {.until = 0.25, .interval = half / 8, .align = 3, .block = 8};
    MUST(lash_ensemble_add(ensemble, m.system, &span, &error));
    assert_int_equal(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.until = 0.25}, &error),
                     LASH_ERROR_USAGE);
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    MUST(lash_ensemble_growth(growth, ensemble, 0));
    for (int b = 0; b < LASH_ENSEMBLE_BLOCKS; b++)
        if (!(fabs(growth[b] + decay * half) < 1e-6))
            fail_msg("block %d: %.12g in place of %.12g", b, growth[b], -decay * half);
    lash_ensemble_destroy(ensemble);
    unmake(m);
}

/* A disk that is pushed from the middle of its bearing to 0.5 m/s, without gravity, on a spring that is softer by e_r when it unloads: every impact is head-on and
 * leaves √e_r of the speed. In contact it takes (π/2) √(m/K) to turn, and 1/√e_r of that to leave. */
/* A block on a spring, whose other end a crank moves, meets a stop once in each turn. */
static void make_knocker(char text[1200], const char *law, double K, double e_r, double damping, double speed,
                         double rtol) {
    snprintf(
        text, 1200,
        "gravity: [0, 0]\n"
        "ground: {points: {o: [0, 0], w: [0.5, 0]}}\n"
        "bodies:\n"
        "  crank: {mass: 0.1 kg, inertia: 1e-4 kg m^2, position: [0, 0], points: {o: [0, 0], p: [0.05, 0]}}\n"
        "  block: {mass: 1 kg, inertia: 0.001 kg m^2, position: [0.3, 0], points: {c: [0, 0]}}\n"
        "joints:\n"
        "  main: {type: revolute, between: [ground.o, crank.o]}\n"
        "  guide: {type: translational, between: [ground.w, block.c], axis: [1, 0], stops: {max: -0.19 m, "
        "contact: {law: %s, stiffness: %g, restitution: %g}}}\n"
        "drives: {motor: {joint: main, speed: %g rad/s}}\n"
        "forces:\n"
        "  s: {type: spring, between: [crank.p, block.c], stiffness: 200 N/m, free_length: 0.3 m}\n"
        "  d: {type: viscous, joint: guide, coefficient: %g N s/m}\n"
        "run: {until: 2 s, rtol: %g}\n",
        law, K, e_r, speed, damping, rtol);
}

/* Its exponent over 16 blocks of `turns`, 1/s, and what has been seen before. */
static double exponent_of(double seen_values[2], const char *text, double turn, size_t aligning,
                          size_t turns) {
    static const char *const seen[] = {"block.ax", "guide.max.delta"};
    const lash_ensemble_span span = {.from = 60 * turn,
                                     .until = 80 * turn,
                                     .interval = turn / 4,
                                     .align = 4 * aligning,
                                     .block = 4 * turns};
    lash_ensemble *ensemble = NULL;
    lash_error error = {0};
    double growth[LASH_ENSEMBLE_BLOCKS], sum = 0;
    machine m = make_text(text);
    MUST(lash_ensemble_create(&ensemble, m.system,
                              &(lash_ensemble_plan){.channels = seen, .channel_count = 2, .exponent = true},
                              &error));
    MUST(lash_ensemble_add(ensemble, m.system, &span, &error));
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    if (lash_ensemble_growth(growth, ensemble, 0))
        fail_msg("no exponent: %s", lash_ensemble_reason(ensemble, 0));
    for (int b = 0; b < LASH_ENSEMBLE_BLOCKS; b++)
        sum += growth[b];
    seen_values[0] = lash_ensemble_value(ensemble, 0, 0, LASH_ENSEMBLE_LEAST);
    seen_values[1] = lash_ensemble_value(ensemble, 0, 1, LASH_ENSEMBLE_MOST);
    lash_ensemble_destroy(ensemble);
    unmake(m);
    return sum / (LASH_ENSEMBLE_BLOCKS * (double)turns * turn);
}

/* Areas of its state shrink by its
 * damper, and at each rebound by the ratio of the accelerations after and before δ̇ = 0, where the force on it is f − K δ and
 * then f − e_r K δ. With complex multipliers the exponent is half of that, but for 1/N: λ = (ln(a⁺/a⁻)/T − c/m)/2. */
static void rebounds_grow_in_closed_form(void **state) {
    (void)state;
    const double speed = 26, K = 1e7, e_r = 0.6, damping = 0.5, turn = 2 * acos(-1) / speed;
    char text[1200];
    double seen[2];
    make_knocker(text, "kelvin-voigt", K, e_r, damping, speed, 1e-9);
    const double exponent = exponent_of(seen, text, turn, 20, 100), before = seen[0],
                 after = before + (1 - e_r) * K * seen[1],
                 wanted = 0.5 * (log(after / before) / turn - damping);
    if (!(fabs(exponent / wanted - 1) < 2e-3))
        fail_msg("exponent %.12g in place of %.12g 1/s", exponent, wanted);
}

/* The same with a power law, whose damping remembers the speed at touch. Return maps (instant and speed from one touch
 * to the next) of another program, integrated to 1e-15 and differentiated by central differences, have two real
 * multipliers: the larger one is that of the exponent, at any tolerance. */
static void touches_grow_as_their_map(void **state) {
    (void)state;
    static const struct {
        double K, rtol, wanted;
    } cases[] = {{1e9, 1e-9, -1.22485036}, {1e10, 1e-9, -0.76351889}, {1e10, 1e-5, -0.76351889}};
    const double speed = 26, turn = 2 * acos(-1) / speed;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1200];
        double seen[2];
        make_knocker(text, "lankarani-nikravesh", cases[k].K, 0.6, 0.5, speed, cases[k].rtol);
        const double exponent = exponent_of(seen, text, turn, 100, 25);
        if (!(fabs(exponent / cases[k].wanted - 1) < 2e-3))
            fail_msg("K %g, rtol %g: exponent %.12g in place of %.12g 1/s", cases[k].K, cases[k].rtol,
                     exponent, cases[k].wanted);
    }
}

static void turning_in_closed_form(void **state) {
    (void)state;
    static const char text[] =
        "gravity: [0, 0]\n"
        "bodies: {disk: {mass: 2 kg, inertia: 1 kg m^2, points: {c: [0, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground, disk], clearance: {bearing_radius: 10 mm, radial: "
        "0.1 mm, contact: {law: kelvin-voigt, stiffness: 1e7, restitution: 0.36}}}}\n"
        "forces: {push: {type: force, at: disk.c, force: ['if(t < 0.1 ms, 10 kN, 0 N)', 0]}}\n"
        "run: {until: 1 s, rtol: 1e-6}\n";
    static const char *const channels[] = {"disk.vx", "disk.x"};
    const double c = 1e-4, v = 0.5, e = sqrt(0.36), quarter = acos(0) * sqrt(2 / 1e7),
                 touch = quarter * (1 + 1 / e),
                 until = 1e-4 + (c - 2.5e-5) / v + touch + 2 * c / (e * v) + touch + 1e-4;
    lash_error error = {0};
    lash_ensemble *ensemble;
    machine m = make_text(text);
    MUST(lash_ensemble_create(
        &ensemble, m.system,
        &(lash_ensemble_plan){.channels = channels, .channel_count = 2, .contacts = true}, &error));
    MUST(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.until = until}, &error));
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    assert_int_equal(lash_ensemble_status(ensemble, 0), LASH_OK);
    const double end = lash_ensemble_value(ensemble, 0, 0, LASH_ENSEMBLE_END),
                 place = lash_ensemble_value(ensemble, 0, 1, LASH_ENSEMBLE_END);
    if (!(fabs(end - e * e * v) < 1e-8 * v) || !(fabs(place - (1e-4 * e * e * v - c)) < 1e-8 * c))
        fail_msg("%.12g m/s in place of %.12g, at %.12g m in place of %.12g", end, e * e * v, place,
                 1e-4 * e * e * v - c);
    const lash_ensemble_contact contact = lash_ensemble_contact_of(ensemble, 0, 0);
    assert_true(contact.begun == 2 && contact.impacts == 2);
    assert_true(fabs(contact.impact_time - 2 * touch) < 1e-8 * touch);
    assert_true(fabs(contact.energy_lost - v * v * (1 - e * e * e * e)) < 1e-8 * v * v); // m/2 = 1 kg
    lash_ensemble_destroy(ensemble);
    unmake(m);
}

/* A force that changes where its body passes a place, at a loose tolerance: constant accelerations a, then -b. */
static void switches_in_closed_form(void **state) {
    (void)state;
    static const char text[] = "gravity: [0, 0]\n"
                               "bodies: {block: {mass: 2 kg, inertia: 1 kg m^2}}\n"
                               "forces: {f: {type: force, at: block, force: ['if(block.x < 0.5 m, 4 N, -2 "
                               "N)', '0.5 N * abs(block.x - 0.7 "
                               "m)/(1 m)']}}\n"
                               "run: {until: 2 s, rtol: 1e-3}\n";
    static const char *const channels[] = {"block.x"};
    const double a = 2, b = 1, until = 2, at = sqrt(2 * 0.5 / a), v = a * at, left = until - at;
    lash_error error = {0};
    lash_ensemble *ensemble;
    machine m = make_text(text);
    MUST(lash_ensemble_create(&ensemble, m.system,
                              &(lash_ensemble_plan){.channels = channels, .channel_count = 1}, &error));
    MUST(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.until = until}, &error));
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    assert_int_equal(lash_ensemble_status(ensemble, 0), LASH_OK);
    const double x = lash_ensemble_value(ensemble, 0, 0, LASH_ENSEMBLE_END),
                 exact = 0.5 + v * left - 0.5 * b * left * left,
                 most = lash_ensemble_value(ensemble, 0, 0, LASH_ENSEMBLE_MOST);
    if (!(fabs(x - exact) < 1e-8))
        fail_msg("%.12g in place of %.12g", x, exact);
    // Where it turns in time, or its end.
    assert_true(fabs(most - (v / b < left ? 0.5 + 0.5 * v * v / b : exact)) < 1e-6);
    lash_ensemble_destroy(ensemble);
    unmake(m);
}

/* Motions that are small beside the machine, next to large ones: their errors are rtol of each. A mass on a spring in the
 * plane, a bar on a ball in space (1 − A²/16 of the frequency), a spring that is four times as stiff on one side, and the
 * mass beside a compliant stop, which is far away. */
static void small_motions_in_closed_form(void **state) {
    (void)state;
    enum { KINDS = 4, MEMBERS = 16 };
    static const char *const channels[KINDS][2] = {
        {"m.x", "m.vx"}, {"bar.x", "bar.vx"}, {"m.x", "m.vx"}, {"m.x", "m.vx"}};
    const double rtol = 1e-6, omega = 100, g = 9.81, l = 0.3, swings = sqrt(g * l / (0.03 + l * l));
    for (int kind = 0; kind < KINDS; kind++) {
        lash_error error = {0};
        lash_ensemble *ensemble = NULL;
        double size[MEMBERS], exact[MEMBERS][2];
        for (int k = 0; k < MEMBERS; k++) {
            static const double whole = 8.25; // of its periods
            // Axes turned by less than 1e-8 rad are those of ground, which is another structure.
            const double A = kind == 1 ? 1e-2 * pow(10, -k % 5) : pow(10, -k % 7),
                         w = kind == 1 ? swings * (1 - A * A / 16) : omega,
                         until = whole * 2 * pi / w * (kind == 2 ? 0.75 : 1);
            char text[600];
            snprintf(
                text, sizeof text,
                kind == 3   ? "bodies: {m: {mass: 1, inertia: 1, position: [%.17g, 0]}}\n"
                              "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0],\n"
                              "  stops: {max: 10, contact: {stiffness: 1e6, restitution: 0.8}}}}\n"
                              "forces: {k: {type: joint-spring, joint: guide, stiffness: 1e4, free: 0}}\n"
                              "run: {until: %.17g, rtol: %g}\n"
                : kind == 0 ? "bodies: {m: {mass: 1, inertia: 1, position: [%.17g, 0]}}\n"
                              "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                              "forces: {k: {type: joint-spring, joint: guide, stiffness: 1e4, free: 0}}\n"
                              "run: {until: %.17g, rtol: %g}\n"
                : kind == 2 ? "bodies: {m: {mass: 1, inertia: 1, position: [%.17g, 0]}}\n"
                              "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                              "forces: {k: {type: force, at: m, force: [\"-if(m.x > 0, 1e4, 4e4) * m.x * 1 N "
                              "/ 1 m\", 0]}}\n"
                              "run: {until: %.17g, rtol: %g}\n"
                            : "space: spatial\ngravity: [0, -9.81, 0]\nparameters: {A: %.17g}\n"
                              "bodies: {bar: {mass: 1, inertia: [0.03, 0.03, 0.03], position: [0.3*sin($A), "
                              "-0.3*cos($A), 0],\n"
                              "  orientation: {axis: [0, 0, 1], angle: $A}, points: {pin: [0, 0.3, 0]}}}\n"
                              "joints: {pivot: {type: spherical, between: [ground, bar.pin]}}\n"
                              "run: {until: %.17g, rtol: %g}\n",
                A, until, rtol);
            size[k] = kind == 1 ? l * A : A;
            // A quarter of a period after the last whole one: in the middle, or still on the soft side.
            exact[k][0] = kind == 2 ? A * cos(3 * pi / 8) : 0;
            exact[k][1] = kind == 1   ? -2 * sin(A / 2) * swings * l
                          : kind == 2 ? -A * w * sin(3 * pi / 8)
                                      : -A * w;
            add_text(&ensemble, text, until,
                     &(lash_ensemble_plan){.channels = channels[kind], .channel_count = 2});
        }
        MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
        for (size_t k = 0; k < MEMBERS; k++) {
            const double w = kind == 1 ? swings : omega,
                         x = lash_ensemble_value(ensemble, k, 0, LASH_ENSEMBLE_END) - exact[k][0],
                         v = lash_ensemble_value(ensemble, k, 1, LASH_ENSEMBLE_END) - exact[k][1];
            assert_int_equal(lash_ensemble_status(ensemble, k), LASH_OK);
            // The bar's closed form lacks A⁴.
            if (!(fabs(x) < 5 * rtol * size[k] && fabs(v) < 5 * rtol * w * size[k]))
                fail_msg("kind %d, member %zu, %g: off by %.2g and %.2g rtol", kind, k, size[k],
                         x / size[k] / rtol, v / size[k] / w / rtol);
        }
        lash_ensemble_destroy(ensemble);
    }
}

/* ---- contacts with three modes ---- */

/* A block that falls onto a stop from the height `high`: it leaves with e times the speed at which it arrives, until that
 * is below the rest speed; then it stays. */
typedef struct bounced {
    double y, v, free, lost; /* m, m/s, s, J */
    int impacts;
} bounced;
static bounced bounce(double high, double e, double rest, double mass, double g, double until) {
    bounced b = {0};
    double t = sqrt(2 * high / g), v = g * t;
    if (until < t)
        return (bounced){high - 0.5 * g * until * until, -g * until, until, 0, 0};
    for (;;) {
        const double leaves = e * v >= rest ? e * v : 0, flight = 2 * leaves / g;
        b.impacts++;
        b.lost += 0.5 * mass * (v * v - leaves * leaves);
        if (leaves == 0 || t + flight > until) {
            const double since = leaves > 0 ? until - t : 0;
            b.y = leaves * since - 0.5 * g * since * since;
            b.v = leaves - g * since;
            b.free = leaves > 0 ? until : t;
            return b;
        }
        v = leaves;
        t += flight;
    }
}

static void bounces_in_closed_form(void **state) {
    (void)state;
    enum { MEMBERS = 40 };
    static const char *const channels[] = {"block.y", "block.vy"};
    const double g = 9.81, mass = 2, rest = 0.02, until = 1.1;
    lash_error error = {0};
    lash_ensemble *ensemble = NULL;
    for (int k = 0; k < MEMBERS; k++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "gravity: [0, -9.81]\n"
            "bodies: {block: {mass: 2 kg, inertia: 1 kg m^2, position: [0, %.17g]}}\n"
            "joints: {way: {type: translational, between: [ground, block], axis: [0, 1], stops: {min: 0, "
            "model: three-mode, restitution: %.17g, rest_speed: 0.02}}}\n"
            "run: {until: 2 s, rtol: 1e-9}\n",
            0.2 + 0.01 * k, 0.02 * (k + 1));
        add_text(&ensemble, text, until,
                 &(lash_ensemble_plan){.channels = channels, .channel_count = 2, .contacts = true});
    }
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    for (size_t k = 0; k < MEMBERS; k++) {
        const double high = 0.2 + 0.01 * (double)k;
        const bounced b = bounce(high, 0.02 * (double)(k + 1), rest, mass, g, until);
        const lash_ensemble_contact c = lash_ensemble_contact_of(ensemble, k, 0);
        assert_int_equal(lash_ensemble_status(ensemble, k), LASH_OK);
        assert_int_equal((int)c.impacts, b.impacts);
        assert_int_equal((int)c.begun, b.free < until);
        const double y = lash_ensemble_value(ensemble, k, 0, LASH_ENSEMBLE_END),
                     v = lash_ensemble_value(ensemble, k, 1, LASH_ENSEMBLE_END),
                     least = lash_ensemble_value(ensemble, k, 1, LASH_ENSEMBLE_LEAST);
        if (!(fabs(y - b.y) < 1e-9 && fabs(v - (b.free < until ? 0 : b.v)) < 1e-9))
            fail_msg("member %zu: %.12g m and %.12g m/s in place of %.12g and %.12g", k, y, v, b.y, b.v);
        assert_true(fabs(least + sqrt(2 * g * high)) < 1e-9); // at the first touch
        assert_true(fabs((1 - c.share) * until - b.free) < 1e-9);
        assert_true(c.impact_time == 0 && fabs(c.following_time - (until - b.free)) < 1e-9);
        assert_true(fabs(c.energy_lost - b.lost) < 1e-9 * mass * g * high);
        // All energy is accounted for, what impacts take away included.
        assert_true(lash_ensemble_balance(ensemble, k) < 1e-10 * mass * g * high);
    }
    lash_ensemble_destroy(ensemble);
}

/* A block with the speed v falls through half of the play onto the wall, without a rebound, and slides on it until it stops
 * and stays. Of the impulse m w its corners have together, μ m w acts along the wall; then μ m g. Friction acts below the
 * centre, but turns nothing as long as μ times the height is less than the length. */
static void friction_in_closed_form(void **state) {
    (void)state;
    enum { MEMBERS = 40 };
    static const char *const channels[] = {"block.x", "block.vx"};
    const double g = 9.81, mass = 2, play = 4e-3, fall = sqrt(play / g), w = g * fall, until = 1;
    lash_error error = {0};
    lash_ensemble *ensemble = NULL;
    double mu[MEMBERS], v[MEMBERS];
    for (int k = 0; k < MEMBERS; k++) {
        char text[700];
        mu[k] = 0.2 + 0.005 * k;
        v[k] = 0.02 * (k + 1);
        snprintf(text, sizeof text,
                 "gravity: [0, -9.81]\n"
                 "bodies: {block: {mass: 2 kg, inertia: 0.01 kg m^2, velocity: [%.17g, 0]}}\n"
                 "joints: {way: {type: translational, between: [ground, block], axis: [1, 0], clearance: "
                 "{model: three-mode, length: 100 mm, height: 50 mm, play: 4 mm, restitution: 0, friction: "
                 "{law: coulomb, coefficient: %.17g}}}}\n"
                 "run: {until: 2 s, rtol: 1e-9}\n",
                 v[k], mu[k]);
        add_text(&ensemble, text, until,
                 &(lash_ensemble_plan){.channels = channels, .channel_count = 2, .contacts = true});
    }
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    for (size_t k = 0; k < MEMBERS; k++) {
        // The impact may stop it.
        const double after = fmax(v[k] - mu[k] * w, 0), way = v[k] * fall + after * after / (2 * mu[k] * g),
                     energy = 0.5 * mass * (v[k] * v[k] + w * w);
        double lost = 0, impacts = 0;
        assert_int_equal(lash_ensemble_status(ensemble, k), LASH_OK);
        for (size_t c = 0; c < 4; c++) {
            const lash_ensemble_contact x = lash_ensemble_contact_of(ensemble, k, c);
            lost += x.energy_lost;
            impacts += x.impacts;
        }
        const double x = lash_ensemble_value(ensemble, k, 0, LASH_ENSEMBLE_END),
                     end = lash_ensemble_value(ensemble, k, 1, LASH_ENSEMBLE_END);
        if (!(fabs(x - way) < 1e-9 && fabs(end) < 1e-9 && fabs(lost - energy) < 1e-9 * energy) ||
            impacts != 2)
            fail_msg("member %zu: %.12g m, %.3g m/s, %.12g J, %g impacts, not %.12g m, 0, %.12g J, 2", k, x,
                     end, lost, impacts, way, energy);
        assert_true(lash_ensemble_balance(ensemble, k) < 1e-10 * energy);
    }
    lash_ensemble_destroy(ensemble);
}

/* A wheel whose centre of mass is r beside its pin, without gravity: the pin carries m r √(ω⁴ + ω̇²), and its friction μ̂ ρ times
 * that, so ω̇ = −κ ω², κ = c/√(1 − c²), c = μ̂ ρ m r/J about the pin. Beside it a block that is driven at the speed u: its guide
 * takes μ m g. */
static void rubbing_in_closed_form(void **state) {
    (void)state;
    enum { MEMBERS = 40 };
    static const char *const channels[] = {"wheel.wz", "wheel.angle", "pin.friction", "d.force",
                                           "way.friction"};
    const double r = 0.1, mass = 2, J = 0.03 + mass * r * r, g = 9.81, w = 50, until = 0.2;
    lash_error error = {0};
    lash_ensemble *ensemble = NULL;
    double mu[MEMBERS], radius[MEMBERS], load[MEMBERS];
    for (int k = 0; k < MEMBERS; k++) {
        char text[1000];
        mu[k] = 0.02 * (k + 1);
        radius[k] = 0.01 + 0.001 * (k % 7);
        load[k] = 1 + 0.2 * k;
        snprintf(
            text, sizeof text,
            "bodies:\n"
            "  wheel: {mass: 2 kg, inertia: 0.03 kg m^2, position: [0.1, 0], angular_velocity: %.17g, "
            "velocity: [0, "
            "%.17g], hold: [w], points: {o: [-0.1, 0]}}\n"
            "  block: {mass: %.17g kg, inertia: 0.01 kg m^2}\n"
            "joints:\n"
            "  pin: {type: revolute, between: [ground, wheel.o], friction: {law: ambrosio, coefficient: "
            "%.17g, "
            "radius: %.17g}}\n"
            "  way: {type: translational, between: [ground, block], axis: [1, 0], friction: {law: ambrosio, "
            "coefficient: %.17g, length: 0.1}}\n"
            "drives: {d: {joint: way, speed: 0.7 m/s}}\n"
            "forces: {f: {type: force, at: block, force: [0, %.17g]}}\n"
            "run: {until: 2 s, rtol: 1e-10}\n",
            w, w * r, mass, mu[k], radius[k], mu[k], -load[k] * g);
        add_text(&ensemble, text, until, &(lash_ensemble_plan){.channels = channels, .channel_count = 5});
    }
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    for (size_t k = 0; k < MEMBERS; k++) {
        const double hat = mu[k] / sqrt(1 + mu[k] * mu[k]), c = hat * radius[k] * mass * r / J,
                     kappa = c / sqrt(1 - c * c), end = w / (1 + kappa * w * until);
        const struct {
            double value, is;
        } of[] = {{lash_ensemble_value(ensemble, k, 0, LASH_ENSEMBLE_END), end},
                  {lash_ensemble_value(ensemble, k, 1, LASH_ENSEMBLE_END), log1p(kappa * w * until) / kappa},
                  {lash_ensemble_value(ensemble, k, 2, LASH_ENSEMBLE_END), -kappa * end * end * J},
                  {lash_ensemble_value(ensemble, k, 3, LASH_ENSEMBLE_MEAN), mu[k] * load[k] * g},
                  {lash_ensemble_value(ensemble, k, 4, LASH_ENSEMBLE_END), -mu[k] * load[k] * g}};
        assert_int_equal(lash_ensemble_status(ensemble, k), LASH_OK);
        for (size_t i = 0; i < sizeof of / sizeof *of; i++)
            if (!(fabs(of[i].value / of[i].is - 1) < 1e-9))
                fail_msg("member %zu, %s: %.12g, not %.12g", k, channels[i], of[i].value, of[i].is);
        assert_true(lash_ensemble_balance(ensemble, k) < 1e-9 * 0.5 * J * w * w);
    }
    lash_ensemble_destroy(ensemble);
}

/* A wheel on a spring that is let go: its pin takes T = μ̂ ρ m g, so each swing ends 2 T/k nearer to the middle, and the last one
 * where friction at rest holds it. And a block that slides on a wall which yields, with its centre of mass at the height of its
 * corners, until it stops, v²/(2 μ g) away. */
static void sticking_in_closed_form(void **state) {
    (void)state;
    enum { MEMBERS = 24 };
    static const char *const channels[] = {"wheel.angle", "wheel.wz", "block.x", "block.vx", "pin.friction"};
    const double mass = 2, J = 0.002, k = 8, g = 9.81, K = 1e6, until = 2.5;
    lash_error error = {0};
    lash_ensemble *ensemble = NULL;
    double mu[MEMBERS], start[MEMBERS], v[MEMBERS];
    for (int i = 0; i < MEMBERS; i++) {
        char text[1500];
        mu[i] = 0.2 + 0.01 * i;
        start[i] = 0.5 + 0.07 * (i % 5);
        v[i] = 0.5 + 0.03 * i;
        snprintf(
            text, sizeof text,
            "gravity: [0, -9.81]\n"
            "ground: {points: {o: [1, 0]}}\n"
            "bodies:\n"
            "  wheel: {mass: %.17g, inertia: %.17g, angle: %.17g, hold: [angle]}\n"
            "  block: {mass: 2, inertia: 0.01, position: [1, %.17g], velocity: [%.17g, 0], points: {m: [0, "
            "0.025]}}\n"
            "joints:\n"
            "  pin: {type: revolute, between: [ground, wheel], friction: {law: coulomb, coefficient: %.17g, "
            "coefficient_static: %.17g, radius: 20 mm}}\n"
            "  way: {type: translational, between: [ground.o, block.m], axis: [1, 0], clearance: {length: "
            "0.2, "
            "height: 0.05, play: 4 mm, contact: {law: hertz, stiffness: %.17g, exponent: 1}, friction: {law: "
            "coulomb, coefficient: %.17g}}}\n"
            "forces: {s: {type: joint-spring, joint: pin, stiffness: %.17g N m/rad, free: %.17g}}\n"
            "run: {until: 3 s, rtol: 1e-9}\n",
            mass, J, start[i], -0.025 - 0.002 - mass * g / 2 / K, v[i], mu[i], 1.2 * mu[i], K, mu[i], k, 0.0);
        add_text(&ensemble, text, until, &(lash_ensemble_plan){.channels = channels, .channel_count = 5});
    }
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    for (size_t i = 0; i < MEMBERS; i++) {
        const double still = 1.2 * mu[i], T = mu[i] / sqrt(1 + mu[i] * mu[i]) * 0.02 * mass * g,
                     most = still / sqrt(1 + still * still) * 0.02 * mass * g;
        double angle = start[i], t = 0;
        for (; fabs(angle) * k > most; t += acos(-1) * sqrt(J / k))
            angle = (angle > 0 ? 2 : -2) * T / k - angle;
        assert_true(t < until);
        const struct {
            double value, is, scale;
        } of[] = {
            {lash_ensemble_value(ensemble, i, 0, LASH_ENSEMBLE_END), angle, 1},
            {lash_ensemble_value(ensemble, i, 1, LASH_ENSEMBLE_END), 0, sqrt(k / J)},
            {lash_ensemble_value(ensemble, i, 2, LASH_ENSEMBLE_END), 1 + v[i] * v[i] / (2 * mu[i] * g), 1},
            {lash_ensemble_value(ensemble, i, 3, LASH_ENSEMBLE_END), 0, 1},
            {lash_ensemble_value(ensemble, i, 4, LASH_ENSEMBLE_END), k * angle, most}};
        assert_int_equal(lash_ensemble_status(ensemble, i), LASH_OK);
        for (size_t c = 0; c < sizeof of / sizeof *of; c++)
            if (!(fabs(of[c].value - of[c].is) < 1e-8 * of[c].scale))
                fail_msg("member %zu, %s: %.12g, not %.12g", i, channels[c], of[c].value, of[c].is);
        if (!(lash_ensemble_balance(ensemble, i) < 1e-8))
            fail_msg("member %zu: the balance is off by %g J", i, lash_ensemble_balance(ensemble, i));
    }
    lash_ensemble_destroy(ensemble);
}

/* Machines with such contacts, beside runs. */
#define MODES_IN_SPACE(joint)                                                                                \
    "space: spatial\n"                                                                                       \
    "gravity: [0, 0, -9.81]\n"                                                                               \
    "bodies:\n"                                                                                              \
    "  arm: {mass: 1 kg, inertia: [0.01, 0.02, 0.02], position: [0.1, 0, 0], points: {o: [-0.1, 0, 0], p: "  \
    "[0.1, 0, 0]}}\n"                                                                                        \
    "  bar: {mass: 2 kg, inertia: [0.02, 0.03, 0.01], position: [0.2, 0, -0.1], points: {p: [0, 0, "         \
    "0.1]}}\n"                                                                                               \
    "joints:\n" joint "run: {until: 0.1 s, rtol: 1e-9}\n"
#define CROSSHEAD(law)                                                                                       \
    "gravity: [0, -9.81]\n"                                                                                  \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 0.2 kg, inertia: 1e-4, position: [0.025, 0], points: {o: [-0.025, 0], p: [0.025, "      \
    "0]}}\n"                                                                                                 \
    "  rod: {mass: 0.3 kg, inertia: 1e-3, position: [0.125, 0], points: {p: [-0.075, 0], q: [0.075, 0]}}\n"  \
    "  slider: {mass: 0.3 kg, inertia: 1e-3, position: [0.2, 0], points: {q: [0.01, 0]}}\n"                  \
    "joints:\n"                                                                                              \
    "  o: {type: revolute, between: [ground, crank.o]}\n"                                                    \
    "  p: {type: revolute, between: [crank.p, rod.p]}\n"                                                     \
    "  q: {type: revolute, between: [rod.q, slider.q]}\n"                                                    \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0], clearance: {model: "            \
    "three-mode, "                                                                                           \
    "length: 100 mm, height: 50 mm, play: 1 mm, restitution: 0.4, friction: {coefficient: 0.2, law: " law    \
    "}}}\n"                                                                                                  \
    "drives: {d: {joint: o, speed: 100 rad/s}}\n"                                                            \
    "run: {until: 0.1 s, rtol: 1e-9}\n"
static const struct modes {
    const char *text; /* NULL: grigore-2011 at this speed */
    const char *speed, *channel;
    double from, until;
} modes[] = {
    {RIGID("model: three-mode, restitution: 0.5"), NULL, "pin.n", 0, 0.1},
    {RIGID("model: three-mode, restitution: 0"), NULL, "pin.e", 0.003, 0.05},
    {RIGID("model: three-mode, restitution: 0.9, rest_speed: 0.01"), NULL, "pin.delta", 0, 0.03},
    // two pins that knock each other off their walls, and stay in contact; the window begins between impacts
    {NULL, "10 rad/s", "O2.n", 0, 0.5},
    {NULL, "30 rad/s", "bar3.wz", 0.05, 0.4},
    // beside compliant contact, with forces that jump
    {"gravity: [0, -9.81]\n"
     "bodies:\n"
     "  arm: {mass: 1 kg, inertia: 0.01 kg m^2, position: [0.1, 0], points: {o: [-0.1, 0], p: [0.1, 0]}}\n"
     "  bar: {mass: 2 kg, inertia: 0.02 kg m^2, position: [0.3, 0], points: {p: [-0.1, 0]}}\n"
     "joints:\n"
     "  base: {type: revolute, between: [ground, arm.o], clearance: {radial: 0.2 mm, model: three-mode, "
     "restitution: 0.4}}\n"
     "  pin: {type: revolute, between: [arm.p, bar.p], clearance: {bearing_radius: 10 mm, journal_radius: "
     "9.9 "
     "mm, contact: {stiffness: 1e8, restitution: 0.6}}}\n"
     "forces: {f: {type: force, at: bar, force: ['20 N * sin(300 rad/s * t)', 'if(t < 13.1 ms, 5 N, -30 "
     "N)']}}\n"
     "run: {until: 0.1 s, rtol: 1e-9}\n",
     NULL, "bar.wz", 0.01, 0.05},
    // a force that jumps pulls a contact off its wall at once, another presses it back
    {"gravity: [0, -9.81]\n"
     "bodies: {block: {mass: 2 kg, inertia: 1 kg m^2}}\n"
     "joints: {way: {type: translational, between: [ground, block], axis: [0, 1], stops: {min: 0, model: "
     "three-mode, restitution: 0.5}}}\n"
     "forces: {f: {type: force, at: block, force: [0, 'if(t < 20 ms, 0 N, if(t < 45 ms, 60 N, -20 N))']}}\n"
     "run: {until: 0.2 s, rtol: 1e-9}\n",
     NULL, "block.vy", 0, 0.2},
    // all corners of a block in its guide, two at a time
    {"gravity: [0, -9.81]\n"
     "bodies:\n"
     "  crank: {mass: 0.2 kg, inertia: 1e-4, position: [0.025, 0], points: {o: [-0.025, 0], p: [0.025, 0]}}\n"
     "  rod: {mass: 0.3 kg, inertia: 1e-3, position: [0.125, 0], points: {p: [-0.075, 0], q: [0.075, 0]}}\n"
     "  slider: {mass: 0.3 kg, inertia: 1e-3, position: [0.2, 0], points: {q: [0.01, 0]}}\n"
     "joints:\n"
     "  o: {type: revolute, between: [ground, crank.o]}\n"
     "  p: {type: revolute, between: [crank.p, rod.p]}\n"
     "  q: {type: revolute, between: [rod.q, slider.q]}\n"
     "  guide: {type: translational, between: [ground, slider], axis: [1, 0], clearance: {model: three-mode, "
     "length: 100 mm, height: 50 mm, play: 1 mm, restitution: 0.4}}\n"
     "drives: {d: {joint: o, speed: 100 rad/s}}\n"
     "run: {until: 0.1 s, rtol: 1e-9}\n",
     NULL, "slider.wz", 0, 0.05},
    // stops of two joints on one chain, with a motor
    {"gravity: [0, -9.81]\n"
     "bodies:\n"
     "  arm: {mass: 1 kg, inertia: 0.01 kg m^2, position: [0.1, 0], points: {o: [-0.1, 0], p: [0.1, 0]}}\n"
     "  bar: {mass: 2 kg, inertia: 0.02 kg m^2, position: [0.3, 0], points: {p: [-0.1, 0]}}\n"
     "joints:\n"
     "  base: {type: revolute, between: [ground, arm.o], stops: {min: -0.2, max: 0.1, model: three-mode, "
     "restitution: 0.4}}\n"
     "  elbow: {type: revolute, between: [arm.p, bar.p], stops: {min: -0.1, max: 0.1, model: three-mode, "
     "restitution: 0.6}}\n"
     "forces: {m: {type: motor, joint: elbow, stall_torque: 2 N m, no_load_speed: 30 rad/s}}\n"
     "run: {until: 1 s, rtol: 1e-9}\n",
     NULL, "bar.wz", 0, 0.6},
    // space: a ball at the end of a driven arm, with and without a pin that is absorbed, and stops
    {MODES_IN_SPACE(
         "  base: {type: revolute, between: [ground, arm.o], axis: [0.6, 0, 0.8]}\n"
         "  ball: {type: spherical, between: [arm.p, bar.p], clearance: {model: three-mode, radial: "
         "0.1 mm, restitution: 0.5}}\n"
         "drives: {d: {joint: base, motion: '0.3 rad * sin(20 rad/s * t)'}}\n"),
     NULL, "ball.n", 0, 0.05},
    // with friction: two pins of a chain, one knocks the other off its wall, both stick at times
    {"gravity: [0, -9.81]\n"
     "bodies:\n"
     "  arm: {mass: 1 kg, inertia: 0.01 kg m^2, position: [0.1, 0], points: {o: [-0.1, 0], p: [0.1, 0]}}\n"
     "  bar: {mass: 2 kg, inertia: 0.02 kg m^2, position: [0.3, 0], points: {p: [-0.1, 0]}}\n"
     "joints:\n"
     "  base: {type: revolute, between: [ground, arm.o], clearance: {bearing_radius: 20 mm, radial: 0.2 mm, "
     "model: three-mode, restitution: 0.4, friction: {law: coulomb, coefficient: 0.3}}}\n"
     "  pin: {type: revolute, between: [arm.p, bar.p], clearance: {bearing_radius: 20 mm, radial: 0.3 mm, "
     "model: three-mode, restitution: 0.3, friction: {law: coulomb, coefficient: 0.2, coefficient_static: "
     "0.25}}}\n"
     "run: {until: 0.1 s, rtol: 1e-9}\n",
     NULL, "base.ft", 0.01, 0.1},
    // two more: one would have to pull if it stuck, so it slides; and what sticks pulls others off their walls
    {"gravity: [0, -9.81]\n"
     "bodies:\n"
     "  b0: {mass: 2.8904, inertia: 0.006215, position: [0.0634972847535, 0.0463398124086], angle: "
     "0.630442073535, points: {o: [-0.0786084180297, 0], p: [0.0786084180297, 0]}}\n"
     "  b1: {mass: 2.8572, inertia: 0.018367, position: [0.229885379037, 0.124374925079], angle: "
     "0.298823759299, points: {o: [-0.107662020901, 0], p: [0.107662020901, 0]}}\n"
     "joints:\n"
     "  p0: {type: revolute, between: [ground, b0.o], clearance: {bearing_radius: 18.353 mm, radial: 0.2596 "
     "mm, model: three-mode, restitution: 0.6, friction: {law: coulomb, coefficient: 0.3643, "
     "coefficient_static: 0.3818}}}\n"
     "  p1: {type: revolute, between: [b0.p, b1.o], clearance: {bearing_radius: 9.824 mm, radial: 0.0702 mm, "
     "model: three-mode, restitution: 0, friction: {law: coulomb, coefficient: 0.4778, coefficient_static: "
     "0.5719}}}\n"
     "run: {until: 0.2 s, rtol: 1e-9}\n",
     NULL, "p1.ft", 0.15, 0.17},
    {"gravity: [0, -9.81]\n"
     "bodies:\n"
     "  b0: {mass: 1.1167, inertia: 0.002807, position: [0.0486656744575, 0.0478591287651], angle: "
     "0.777042519094, points: {o: [-0.0682557255954, 0], p: [0.0682557255954, 0]}}\n"
     "  b1: {mass: 0.3352, inertia: 0.002675, position: [0.156833937424, -0.0376092017273], angle: "
     "-1.15103269037, points: {o: [-0.146002635015, 0], p: [0.146002635015, 0]}}\n"
     "  b2: {mass: 2.5450, inertia: 0.006444, position: [0.278407154314, -0.104175097591], angle: "
     "0.821793287583, points: {o: [-0.0911584842696, 0], p: [0.0911584842696, 0]}}\n"
     "  b3: {mass: 2.0034, inertia: 0.007444, position: [0.469825417321, -0.0591077408308], angle: "
     "-0.166173527468, points: {o: [-0.131154295336, 0], p: [0.131154295336, 0]}}\n"
     "joints:\n"
     "  p0: {type: revolute, between: [ground, b0.o], clearance: {bearing_radius: 18.117 mm, radial: 0.1569 "
     "mm, model: three-mode, restitution: 0.4, friction: {law: coulomb, coefficient: 0.3593, "
     "coefficient_static: 0.4259}}}\n"
     "  p1: {type: revolute, between: [b0.p, b1.o], clearance: {bearing_radius: 19.416 mm, radial: 0.3292 "
     "mm, model: three-mode, restitution: 0, friction: {law: coulomb, coefficient: 0.4820, "
     "coefficient_static: 0.5915}}}\n"
     "  p2: {type: revolute, between: [b1.p, b2.o], clearance: {bearing_radius: 24.990 mm, radial: 0.2160 "
     "mm, model: three-mode, restitution: 0, friction: {law: coulomb, coefficient: 0.0915, "
     "coefficient_static: 0.1355}}}\n"
     "  p3: {type: revolute, between: [b2.p, b3.o], clearance: {bearing_radius: 11.838 mm, radial: 0.2836 "
     "mm, model: three-mode, restitution: 0.6, friction: {law: coulomb, coefficient: 0.4829, "
     "coefficient_static: 0.4874}}}\n"
     "run: {until: 0.2 s, rtol: 1e-9}\n",
     NULL, "p1.ft", 0.18, 0.2},
    // a block that slips and sticks on two corners, which hold it together
    {"gravity: [0, -9.81]\n"
     "bodies: {slider: {mass: 2 kg, inertia: 1e-2, velocity: [0.5, 0]}}\n"
     "joints: {guide: {type: translational, between: [ground, slider], axis: [1, 0], clearance: {model: "
     "three-mode, length: 100 mm, height: 50 mm, play: 1 mm, restitution: 0.4, friction: {law: coulomb, "
     "coefficient: 0.3, coefficient_static: 0.5}}}}\n"
     "forces: {f: {type: force, at: slider, force: ['12 N * sin(20 rad/s * t)', 0]}}\n"
     "run: {until: 1 s, rtol: 1e-9}\n",
     NULL, "slider.x", 0, 1},
    // all corners of a crosshead, with a law that is a function of the speed
    {CROSSHEAD("ambrosio, v0: 1e-4, v1: 1e-2"), NULL, "slider.wz", 0, 0.1},
    {CROSSHEAD("coulomb"), NULL, "guide.corner3.ft", 0, 0.1},
    {MODES_IN_SPACE(
         "  base: {type: revolute, between: [ground, arm.o], axis: [0, 0.6, 0.8], stops: {min: "
         "-0.05, model: three-mode, restitution: 0.3}}\n"
         "  ball: {type: spherical, between: [arm.p, bar.p], clearance: {model: three-mode, radial: "
         "0.1 mm, restitution: 0.5}}\n"),
     NULL, "bar.wx", 0, 0.1},
};

/* What contacts have done from one summary of a run to another. */
typedef struct done {
    double impacts, begun, free, following, lost;
} done;
static void note(done *of, lash_sim *sim, double t, double sign) {
    const lash_summary all = lash_sim_summary(sim);
    for (size_t k = 0; k < all.clearance_count; k++) {
        const lash_clearance_summary *c = &all.clearances[k];
        of[k].impacts += sign * (double)c->impacts;
        of[k].begun += sign * (double)c->contacts;
        of[k].free += sign * c->free_fraction * t;
        of[k].following += sign * c->following_fraction * t;
        of[k].lost += sign * c->energy_lost;
    }
}

static void contacts_with_three_modes(void **state) {
    (void)state;
    enum { COPIES = 11, MOST = 16 };
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        const struct modes *kind = &modes[k];
        const lash_setting settings[] = {{"model", "three-mode"}, {"speed", kind->speed}};
        machine m = kind->text ? make_text(kind->text) : make("grigore-2011", settings, 2);
        const double from = kind->from, until = kind->until;
        lash_error error = {0};
        lash_ensemble *ensemble;
        lash_sim *sim;
        done of[MOST] = {{0}};
        MUST(lash_sim_create(&sim, m.system, &error));
        if (from > 0) {
            MUST(lash_sim_run_until(sim, from, NULL, NULL, &error));
        }
        note(of, sim, from, -1);
        MUST(lash_sim_run_until(sim, until, NULL, NULL, &error));
        note(of, sim, until, 1);
        lash_sim_destroy(sim);
        const shown alone = run(m, kind->channel, from, until);
        MUST(lash_ensemble_create(
            &ensemble, m.system,
            &(lash_ensemble_plan){.channels = &kind->channel, .channel_count = 1, .contacts = true}, &error));
        for (int copy = 0; copy < COPIES; copy++)
            MUST(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.from = from, .until = until},
                                   &error));
        MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
        const double size = fmax(fabs(alone.least), fabs(alone.most)), length = until - from;
        double impacts = 0, energy = 0;
        for (size_t c = 0; c < lash_system_clearance_count(m.system); c++)
            energy = fmax(energy, of[c].lost);
        for (size_t copy = 0; copy < COPIES; copy++) {
            assert_int_equal(lash_ensemble_status(ensemble, copy), LASH_OK);
            const double end = lash_ensemble_value(ensemble, copy, 0, LASH_ENSEMBLE_END),
                         mean = lash_ensemble_value(ensemble, copy, 0, LASH_ENSEMBLE_MEAN),
                         most = lash_ensemble_value(ensemble, copy, 0, LASH_ENSEMBLE_MOST);
            if (!(fabs(end - alone.end) < 1e-6 * size) || !(fabs(mean - alone.mean) < 1e-6 * size) ||
                !(fabs(most - alone.most) < 1e-4 * size))
                fail_msg("machine %zu: %.12g, mean %.12g, most %.12g, not %.12g, %.12g, %.12g", k, end, mean,
                         most, alone.end, alone.mean, alone.most);
            if (!(lash_ensemble_balance(ensemble, copy) < 1e-6 * alone.balance_allowed))
                fail_msg("machine %zu: the balance is off by %g J, %g are allowed", k,
                         lash_ensemble_balance(ensemble, copy), alone.balance_allowed);
            assert_true(end == lash_ensemble_value(ensemble, 0, 0, LASH_ENSEMBLE_END));
            for (size_t c = 0; c < lash_system_clearance_count(m.system); c++) {
                const lash_ensemble_contact x = lash_ensemble_contact_of(ensemble, copy, c);
                impacts += x.impacts;
                if (x.impacts != of[c].impacts || x.begun != of[c].begun ||
                    !(fabs((1 - x.share) * length - of[c].free) < 1e-6 * length) ||
                    !(fabs(x.following_time - of[c].following) < 1e-6 * length) ||
                    !(fabs(x.energy_lost - of[c].lost) < 1e-6 * energy))
                    fail_msg("machine %zu, contact %zu: %g impacts, %g begun, %.9g s free, %.9g s following, "
                             "%.9g J lost, not %g, %g, %.9g, %.9g, %.9g",
                             k, c, x.impacts, x.begun, (1 - x.share) * length, x.following_time,
                             x.energy_lost, of[c].impacts, of[c].begun, of[c].free, of[c].following,
                             of[c].lost);
            }
        }
        assert_true(impacts >= COPIES); // there were some
        lash_ensemble_destroy(ensemble);
        unmake(m);
    }
}

/* Bearings of several lengths in one ensemble: each has the table of its own film. */
static void tables_of_films(void **state) {
    (void)state;
    static const char text[] =
        LOOSE_WITH("stiffness: 1e9, restitution: 0.6",
                   ", lubricant: {film: reynolds, viscosity: 400 cP, e0: 5 um, e1: 10 um}", "");
    static const char *const channels[] = {"pin.film_force"}, lengths[] = "484";
    lash_error error = {0};
    lash_ensemble *ensemble = NULL;
    double alone[3];
    for (size_t k = 0; k < 3; k++) {
        char own[sizeof text];
        memcpy(own, text, sizeof text);
        strstr(own, "length: 4 mm")[8] = lengths[k];
        machine m = make_text(own);
        if (k == 0)
            MUST(lash_ensemble_create(&ensemble, m.system,
                                      &(lash_ensemble_plan){.channels = channels, .channel_count = 1},
                                      &error));
        MUST(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.until = 0.01}, &error));
        alone[k] = run(m, channels[0], 0, 0.01).end;
        unmake(m);
    }
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(lash_ensemble_status(ensemble, k), LASH_OK);
        const double end = lash_ensemble_value(ensemble, k, 0, LASH_ENSEMBLE_END);
        if (!(fabs(end - alone[k]) < 1e-6 * fabs(alone[k])))
            fail_msg("member %zu: %.12g and %.12g", k, end, alone[k]);
    }
    assert_true(fabs(alone[1] / alone[0] - 1) > 0.01); // another film
    lash_ensemble_destroy(ensemble);
}

/* Text that grows. */
typedef struct writing {
    char *text;
    size_t length;
} writing;
__attribute__((format(printf, 2, 3))) static void write_text(writing *w, const char *format, ...) {
    enum { MOST = 2 << 20 };
    va_list arguments;
    if (!w->text)
        w->text = malloc(MOST);
    assert_non_null(w->text);
    va_start(arguments, format);
    w->length += (size_t)vsnprintf(w->text + w->length, MOST - w->length, format, arguments);
    va_end(arguments);
    assert_true(w->length < MOST);
}
/* Points of a measured table from 0 to 1: a wave, noise of a tenth of it, and a pulse as narrow as six of 20,001 points. Their
 * integral by straight lines. */
enum { MANY_POINTS = 20001 };
static double add_points(writing *w, double apart, const char *unit, const char *unit_y) {
    double x_old = 0, y_old = 0, integral = 0;
    unsigned random = 1;
    for (int i = 0; i < MANY_POINTS; i++) {
        const double noise = (double)((random = random * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
        const int inside = i > 0 && i < MANY_POINTS - 1;
        const double x = (i + (inside ? apart * noise : 0)) / (MANY_POINTS - 1.0),
                     y = inside ? sin(9 * x) + 0.1 * noise + (abs(i - 12345) < 3 ? 40 : 0) : 0;
        integral += i ? 0.5 * (y + y_old) * (x - x_old) : 0;
        write_text(w, "%s[%.17g%s, %.17g%s]", i ? ", " : "", x, unit, y, unit_y);
        x_old = x;
        y_old = y;
    }
    return integral;
}

/* A block passes a force that depends on its place, by a table of 20,001 points evenly apart or not: its energy in the end. It
 * is fast or slow, so that a step is as long as the table or as a few points. */
static void long_tables_in_closed_form(void **state) {
    (void)state;
    static const double apart[] = {0, 0.9}, speeds[] = {1.2, 30, 3000};
    static const char *const channels[] = {"block.vx", "block.x"};
    const lash_ensemble_plan plan = {.channels = channels, .channel_count = 2};
    for (size_t k = 0; k < 2; k++) {
        lash_error error = {0};
        lash_ensemble *ensemble = NULL;
        double integral = 0;
        for (size_t i = 0; i < 3; i++) {
            writing w = {0};
            write_text(
                &w,
                "gravity: [0, 0]\n"
                "bodies: {block: {mass: 2 kg, inertia: 1 kg m^2, position: [-0.1, 0], velocity: [%g, 0]}}\n"
                "joints: {guide: {type: translational, between: [ground, block], axis: [1, 0]}}\n"
                "forces: {f: {type: load, over: guide, at: block, direction: [1, 0], table: {beyond: zero, "
                "interpolation: linear, points: [",
                speeds[i]);
            integral = add_points(&w, apart[k], "", "");
            write_text(&w, "]}}}\nrun: {until: 10 s, rtol: 1e-9}\n");
            add_text(&ensemble, w.text, 2 / speeds[i], &plan);
            free(w.text);
        }
        MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
        for (size_t i = 0; i < 3; i++) {
            const double v = sqrt(speeds[i] * speeds[i] + integral), // 2/m = 1
                end = lash_ensemble_value(ensemble, i, 0, LASH_ENSEMBLE_END);
            assert_int_equal(lash_ensemble_status(ensemble, i), LASH_OK);
            assert_true(lash_ensemble_value(ensemble, i, 1, LASH_ENSEMBLE_END) > 1);
            if (!(fabs(end - v) < 1e-8 * v))
                fail_msg("table %zu, block %zu: %.12g m/s in place of %.12g", k, i, end, v);
        }
        lash_ensemble_destroy(ensemble);
    }
}

/* A spring by a table that ends: blocks that stay within it swing as they should, one that leaves it is given up, and fails
 * alone with a message. */
static void tables_that_end(void **state) {
    (void)state;
    static const double speeds[] = {0.5, 1.9, 2.1};
    static const char *const channels[] = {"block.x"};
    const lash_ensemble_plan plan = {.channels = channels, .channel_count = 1};
    lash_error error = {0};
    lash_ensemble *ensemble = NULL;
    for (size_t i = 0; i < 3; i++) {
        char text[1024];
        lash_sim *sim;
        snprintf(text, sizeof text,
                 "gravity: [0, 0]\n"
                 "bodies: {block: {mass: 2 kg, inertia: 1 kg m^2, velocity: [%g, 0]}}\n"
                 "joints: {guide: {type: translational, between: [ground, block], axis: [1, 0]}}\n"
                 "forces: {f: {type: load, over: guide, at: block, direction: [-1, 0], table: [[-1, -8], [1, "
                 "8]]}}\nrun: {until: 10 s, rtol: 1e-9}\n",
                 speeds[i]);
        machine m = make_text(text);
        add_text(&ensemble, text, 5, &plan);
        MUST(lash_sim_create(&sim, m.system, &error));
        assert_int_equal(lash_sim_run_until(sim, 5, NULL, NULL, &error),
                         i < 2 ? LASH_STOP_END : LASH_ERROR_LIMIT);
        lash_sim_destroy(sim);
        unmake(m);
    }
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(lash_ensemble_status(ensemble, i), LASH_OK);
        assert_true(fabs(lash_ensemble_value(ensemble, i, 0, LASH_ENSEMBLE_END) - speeds[i] / 2 * sin(10)) <
                    1e-7);
        assert_true(fabs(lash_ensemble_value(ensemble, i, 0, LASH_ENSEMBLE_MOST) - speeds[i] / 2) < 1e-7);
    }
    assert_int_equal(lash_ensemble_status(ensemble, 2), LASH_ERROR_STEP);
    lash_ensemble_destroy(ensemble);
}

/* A load over time by 20,001 points: steps end at all of them. */
static void load_histories_in_closed_form(void **state) {
    (void)state;
    static const char *const channels[] = {"block.vx"};
    const lash_ensemble_plan plan = {.channels = channels, .channel_count = 1};
    static const double speeds[] = {0.5, 3};
    lash_error error = {0};
    lash_ensemble *ensemble = NULL;
    double integral = 0;
    for (size_t i = 0; i < 2; i++) {
        writing w = {0};
        write_text(&w,
                   "gravity: [0, 0]\n"
                   "bodies: {block: {mass: 2 kg, inertia: 1 kg m^2, velocity: [%g, 0]}}\n"
                   "forces: {f: {type: force, at: block, force: [load, 0]}}\n"
                   "inputs: {load: {unit: N, table: [",
                   speeds[i]);
        integral = add_points(&w, 0.9, " s", "");
        write_text(&w, "]}}\nrun: {until: 1 s, rtol: 1e-6}\n");
        add_text(&ensemble, w.text, 1, &plan);
        free(w.text);
    }
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
    for (size_t i = 0; i < 2; i++) {
        const double v = speeds[i] + integral / 2,
                     end = lash_ensemble_value(ensemble, i, 0, LASH_ENSEMBLE_END);
        assert_int_equal(lash_ensemble_status(ensemble, i), LASH_OK);
        if (!(fabs(end - v) < 1e-12 * v))
            fail_msg("block %zu: %.15g m/s in place of %.15g", i, end, v);
    }
    lash_ensemble_destroy(ensemble);
}

/* A bead in a vertical ring of radius R, from its lowest point at the speed v₀: N = m (v₀²/R − 2 g + 3 g cos θ). Where it is fast
 * enough for its way round, but not to press all the way, it pulls near the top: for how long, in one round; and where the
 * run ends with that, it is given up. A slow one always presses. */
static double time_of_bead(double from, double to, double speed, double R) {
    enum { PARTS = 2000 };
    double sum = 0;
    for (int i = 0; i <= PARTS; i++) {
        const double angle = from + (to - from) * i / PARTS,
                     rate = sqrt(speed * speed / (R * R) - 2 * 9.81 / R * (1 - cos(angle)));
        sum += (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) / rate;
    }
    return sum * (to - from) / (3 * PARTS);
}
static void pressure_in_closed_form(void **state) {
    (void)state;
    const double R = 0.5, g = 9.81, fast = sqrt(4.5 * g * R), slow = sqrt(1.5 * g * R),
                 round = time_of_bead(0, 2 * pi, fast, R),
                 pulls = time_of_bead(acos((2 - 4.5) / 3), 2 * pi - acos((2 - 4.5) / 3), fast, R);
    for (int stops = 0; stops < 2; stops++) {
        const lash_ensemble_plan plan = {.contacts = !stops};
        lash_ensemble *ensemble = NULL;
        for (int k = 0; k < 2; k++) {
            char text[600];
            snprintf(
                text, sizeof text,
                "gravity: [0, -9.81]\n"
                "bodies: {bead: {mass: 2 kg, inertia: 0.02 kg m^2, position: [0, -0.5], velocity: [%.17g, "
                "0], points: {c: [0, 0]}}}\n"
                "joints: {ring: {type: revolute, between: [ground, bead.c], clearance: {radial: 0.5 m, "
                "model: permanent-contact%s}}}\n"
                "run: {until: 10 s, rtol: 1e-10}\n",
                k ? slow : fast, stops ? ", stop_at_loss: true" : "");
            add_text(&ensemble, text, round, &plan);
        }
        lash_error error = {0};
        MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
        assert_int_equal(lash_ensemble_status(ensemble, 0), stops ? LASH_ERROR_STEP : LASH_OK);
        assert_int_equal(lash_ensemble_status(ensemble, 1), LASH_OK);
        assert_true(!stops || strstr(lash_ensemble_reason(ensemble, 0), "stop_at_loss"));
        for (size_t k = 0; k < 2 && !stops; k++) {
            const lash_ensemble_contact contact = lash_ensemble_contact_of(ensemble, k, 0);
            const double wanted = k ? round : round - pulls;
            if (!(fabs(contact.following_time - wanted) < 1e-8 * round))
                fail_msg("bead %zu: %.12g s in place of %.12g", k, contact.following_time, wanted);
            assert_true(fabs(contact.share - wanted / round) < 1e-8);
            assert_true(contact.impacts == 0 && contact.impact_time == 0);
        }
        lash_ensemble_destroy(ensemble);
    }
}

/* More places that rub than are written out: double pendulums beside each other, each as one of them alone. */
static void many_places_that_rub(void **state) {
    (void)state;
    enum { PENDULUMS = 9, ROOM = 8192 };
    static const char form[] = "{law: ambrosio, coefficient: 0.2, radius: 10 mm}";
    static const char *const seen[] = {"b0.wz", "b8.wz"};
    lash_error error = {0};
    lash_ensemble *ensemble;
    shown alone = {0};
    for (int count = 1; count <= PENDULUMS; count += PENDULUMS - 1) {
        char text[ROOM], bodies[ROOM] = "", joints[ROOM] = "", points[ROOM] = "";
        size_t b = 0, j = 0, p = 0;
        for (int k = 0; k < count; k++) {
            p += (size_t)snprintf(points + p, ROOM - p, "o%d: [%d, 0], ", k, k);
            b += (size_t)snprintf(
                bodies + b, ROOM - b,
                "  a%d: {mass: 1 kg, inertia: 0.01 kg m^2, position: [%d.1, 0], points: {o: [-0.1, 0], p: "
                "[0.1, "
                "0]}}\n"
                "  b%d: {mass: 1 kg, inertia: 0.01 kg m^2, position: [%d.2, -0.1], points: {p: [0, 0.1]}}\n",
                k, k, k, k);
            j += (size_t)snprintf(joints + j, ROOM - j,
                                  "  j%d: {type: revolute, between: [ground.o%d, a%d.o], friction: %s}\n"
                                  "  k%d: {type: revolute, between: [a%d.p, b%d.p], friction: %s}\n",
                                  k, k, k, form, k, k, k, form);
        }
        assert_true(snprintf(text, ROOM,
                             "gravity: [0, -9.81]\nground: {points: {%s}}\nbodies:\n%sjoints:\n%s"
                             "run: {until: 0.2 s, rtol: 1e-9, balance: 1e-6}\n",
                             points, bodies, joints) < ROOM);
        machine m = make_text(text);
        if (count == 1) {
            alone = run(m, seen[0], 0, 0.2);
            unmake(m);
            continue;
        }
        MUST(lash_ensemble_create(&ensemble, m.system,
                                  &(lash_ensemble_plan){.channels = seen, .channel_count = 2}, &error));
        for (int copy = 0; copy < 3; copy++)
            MUST(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.until = 0.2}, &error));
        MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
        for (size_t copy = 0; copy < 3; copy++) {
            assert_int_equal(lash_ensemble_status(ensemble, copy), LASH_OK);
            for (size_t k = 0; k < 2; k++) {
                const double end = lash_ensemble_value(ensemble, copy, k, LASH_ENSEMBLE_END);
                if (!(fabs(end - alone.end) < 1e-7 * fmax(fabs(alone.least), fabs(alone.most))))
                    fail_msg("%s: %.12g, not %.12g", seen[k], end, alone.end);
            }
        }
        lash_ensemble_destroy(ensemble);
        unmake(m);
    }
}

static bool never(void *user, size_t finished) {
    *(size_t *)user = finished;
    return false;
}

static void what_is_refused(void **state) {
    (void)state;
    static const char *const good[] = {"slider.vx"}, *const bad[] = {"slider.vz"},
                             *const constant[] = {"pin.delta"};
    lash_error error = {0};
    lash_ensemble *ensemble;
    machine crank = make("flores-2010", NULL, 0), ideal = make("slider-crank", NULL, 0);
    assert_int_equal(lash_ensemble_create(&ensemble, crank.system,
                                          &(lash_ensemble_plan){.channels = bad, .channel_count = 1}, &error),
                     LASH_ERROR_USAGE);
    assert_non_null(strstr(error.message, "slider.vz"));
    machine rigid = make_text(RIGID("model: permanent-contact, offset: [0, -0.1 mm]"));
    assert_int_equal(lash_ensemble_create(&ensemble, rigid.system,
                                          &(lash_ensemble_plan){.channels = constant, .channel_count = 1},
                                          &error),
                     LASH_ERROR_USAGE);
    unmake(rigid);
    MUST(lash_ensemble_create(&ensemble, crank.system,
                              &(lash_ensemble_plan){.channels = good, .channel_count = 1}, &error));
    assert_int_equal(
        lash_ensemble_add(ensemble, ideal.system, &(lash_ensemble_span){.from = 0, .until = 1}, &error),
        LASH_ERROR_MODEL);
    assert_int_equal(
        lash_ensemble_add(ensemble, crank.system, &(lash_ensemble_span){.from = 0, .until = 0}, &error),
        LASH_ERROR_USAGE);
    assert_int_equal(
        lash_ensemble_add(ensemble, crank.system, &(lash_ensemble_span){.from = 0, .until = NAN}, &error),
        LASH_ERROR_USAGE);
    for (int k = 0; k < 100; k++)
        MUST(lash_ensemble_add(ensemble, crank.system, &(lash_ensemble_span){.from = 0, .until = 1e-4},
                               &error));
    assert_int_equal(lash_ensemble_status(ensemble, 0), LASH_ERROR_USAGE);
    assert_true(isnan(lash_ensemble_value(ensemble, 0, 0, LASH_ENSEMBLE_END)));
    size_t finished = 0;
    assert_int_equal(lash_ensemble_run(ensemble, LASH_ON_LANES, never, &finished, &error),
                     LASH_STOP_INTERRUPTED);
    assert_true(finished > 0 && finished < 100);
    assert_int_equal(lash_ensemble_status(ensemble, 0), LASH_OK);
    assert_int_equal(lash_ensemble_status(ensemble, 99), LASH_ERROR_USAGE);
    MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error)); // goes on
    assert_int_equal(lash_ensemble_status(ensemble, 99), LASH_OK);
    assert_true(lash_ensemble_value(ensemble, 0, 0, LASH_ENSEMBLE_END) ==
                lash_ensemble_value(ensemble, 99, 0, LASH_ENSEMBLE_END));
    lash_ensemble_destroy(ensemble);
    unmake(crank);
    unmake(ideal);
}

/* Machines that are computed one by one, and what is said of them. */
static void kinds_that_are_refused(void **state) {
    (void)state;
    static const struct refused {
        const char *text, *said;
        lash_ensemble_plan plan;
    } refused[] = {
        {LOOSE("stiffness: 1e9, restitution: 0.6",
               "forces: {f: {type: torque, body: bar, torque: '-0.1 N m s * max(bar.wz, 0 rad/s)'}}\n"),
         "exponents with conditions",
         {.exponent = true}},
        {RIGID("model: three-mode, restitution: 0.5"),
         "exponents with the model three-mode",
         {.exponent = true}},
        {LOOSE_WITH("stiffness: 1e9, restitution: 0.6", ", friction: {law: coulomb, coefficient: 0.1}", ""),
         "exponents with the law coulomb",
         {.exponent = true}},
        {DRY_IN_SPACE(
             "  ball: {type: spherical, between: [arm.p, bar.p], friction: {law: coulomb, coefficient: "
             "0.3, radius: 20 mm}}\n"),
         "the law coulomb where parts slide in several directions",
         {0}},
        {DRY_IN_SPACE(
             "  ball: {type: spherical, between: [arm.p, bar.p], clearance: {bearing_radius: 10 mm, "
             "journal_radius: 9.9 mm, contact: {stiffness: 1e9, restitution: 0.6}, friction: {law: coulomb, "
             "coefficient: 0.3}}}\n"),
         "the law coulomb where parts slide in several directions",
         {0}},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        lash_error error = {0};
        lash_ensemble *ensemble;
        machine m = make_text(refused[k].text);
        assert_int_equal(lash_ensemble_create(&ensemble, m.system, &refused[k].plan, &error),
                         LASH_ERROR_MODEL);
        if (!strstr(error.message, refused[k].said))
            fail_msg("machine %zu: %s", k, error.message);
        unmake(m);
    }
}

/* The text of each is translated; nothing is called that is not there. */
static void code_for_a_gpu(void **state) {
    (void)state;
    static const char *const
        examples[] = {"flores-2010", "piston-slap", "grigore-2011", "grigore-2011", NULL,
                      NULL,          NULL,          NULL,           NULL,           NULL},
        *const texts[] = {
            NULL,
            NULL,
            NULL,
            NULL,
            MOTOR("position: {to: '0.5 rad * smoothstep(t/(30 ms))', kp: 300, kd: 8, ki: "
                  "2000, limit: 25 N m, every: 1 ms}, curve: {points: [[0, 20], [12, 6], "
                  "[30, 0]], beyond: hold}",
                  ""),
            LOOSE("stiffness: 1e9, restitution: 0.6, approach: energy", ""),
            CROSSHEAD("coulomb"),
            DRY("law: ambrosio, coefficient: 0.2, radius: 10 mm",
                "law: ambrosio, coefficient: 0.3, length: 60 mm", "", DRIVE),
            DRY_IN_SPACE("  ball: {type: spherical, between: [arm.p, bar.p], friction: {law: ambrosio, "
                         "coefficient: 0.3, radius: 20 mm}}\n"),
            DRY("law: coulomb, coefficient: 0.2, radius: 10 mm",
                "law: coulomb, coefficient: 0.2, "
                "length: 60 mm",
                "", DRIVE)};
    const lash_setting modes_of_it = {"model", "three-mode"};
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        lash_error error = {0};
        char why[LASHI_COMPILER_SAYS];
        machine m = examples[k] ? make(examples[k], &modes_of_it, k == 3) : make_text(texts[k]);
        lashi_workspace *w;
        lashi_text text;
        const size_t n = (size_t)m.system->n_y;
        double *tolerances = calloc(4 * n, sizeof *tolerances);
        MUST(lashi_workspace_create(&w, m.system, &error));
        lashi_set_tolerances(tolerances, tolerances + n, m.system);
        lashi_set_motion(tolerances + 2 * n, tolerances + 3 * n, m.system);
        lashi_arena names = {0};
        others other = {.count = 0};
        lashi_seen seen[MOST_OTHERS];
        if (!m.system->spatial) // angles there need atan2
            find_others(&other, seen, &names, m, k, 1e-6);
        lashi_arena_clear(&names);
        const lashi_looks looks = {.seen = seen,
                                   .count = (int)other.count,
                                   .rtol = tolerances,
                                   .atol = tolerances + n,
                                   .share = tolerances + 2 * n,
                                   .least = tolerances + 3 * n,
                                   .impacts = true,
                                   .shadow = k == 0 || k == 5};
        MUST(lashi_text_write_ensemble(&text, w, &looks, &error));
        bool *varies = calloc(text.number_count + 1, sizeof *varies);
        varies[0] = true;
        for (size_t i = 0; i < text.number_count; i++) // what is not given
            varies[i] |= !isfinite(text.numbers[i]);
        char *whole = lashi_ensemble_text(text.text, text.numbers, varies, text.number_count);
        char *code = lashi_compiler_gpu(whole, why);
        free(whole);
        free(varies);
        if (!code)
            fail_msg("%s", why);
        assert_non_null(strstr(code, ".entry lash_members"));
        assert_null(strstr(code, ".extern"));
        free(code);
        lashi_text_clear(&text);
        lashi_workspace_destroy(w);
        free(tolerances);
        unmake(m);
    }
}

/* What a run by itself refuses at its end or on its way, a member refuses too. */
static void what_cannot_be_trusted(void **state) {
    (void)state;
    static const struct {
        const char *text; /* NULL: flores-2010 with the setting */
        lash_setting setting;
        lash_status alone, member;
    } cases[] = {{NULL, {"play", "1e-9 m"}, LASH_STOP_END, LASH_OK},
                 {NULL, {"play", "1e-14 m"}, LASH_ERROR_ACCURACY, LASH_ERROR_ACCURACY},
                 {LOOSE("stiffness: 1e9, restitution: 0.6", ""), {0}, LASH_STOP_END, LASH_OK},
                 {LOOSE("stiffness: 1e4, restitution: 0.6", ""), {0}, LASH_ERROR_LIMIT, LASH_ERROR_STEP},
                 // A condition that is driven back from both of its sides, and a limit of steps.
                 {LOOSE("stiffness: 1e9, restitution: 0.6",
                        "forces: {f: {type: force, at: bar, force: ['-60 N * sign(bar.vx)', 0]}}\n"),
                  {0},
                  LASH_ERROR_STEP,
                  LASH_ERROR_STEP},
                 {NULL, {"run.max_steps", "50"}, LASH_ERROR_LIMIT, LASH_ERROR_STEP},
                 // A block that comes to lie on four corners, of which a run leaves one out.
                 {"space: spatial\n"
                  "gravity: [0, 0, -9.81]\n"
                  "bodies: {block: {mass: 0.3 kg, inertia: [1e-3, 1.2e-3, 1.3e-3], velocity: [1, 0, 0]}}\n"
                  "joints: {guide: {type: prismatic, between: [ground, block], axis: [1, 0, 0], clearance: "
                  "{model: three-mode, length: 100 mm, height: 50 mm, width: 40 mm, play: 1 mm, restitution: "
                  "0.2}}}\n"
                  "run: {until: 1 s}\n",
                  {0},
                  LASH_STOP_END,
                  LASH_ERROR_STEP}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lash_error error = {0};
        lash_ensemble *ensemble;
        lash_sim *sim;
        machine m = cases[k].text ? make_text(cases[k].text) : make("flores-2010", &cases[k].setting, 1);
        const double until = cases[k].text ? 0.5 : 1e-3;
        MUST(lash_sim_create(&sim, m.system, &error));
        assert_int_equal(lash_sim_run_until(sim, until, NULL, NULL, &error), cases[k].alone);
        MUST(lash_ensemble_create(&ensemble, m.system, &(lash_ensemble_plan){0}, &error));
        MUST(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.until = until}, &error));
        MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
        assert_int_equal(lash_ensemble_status(ensemble, 0), cases[k].member);
        lash_ensemble_destroy(ensemble);
        lash_sim_destroy(sim);
        unmake(m);
    }
}

/* Forces that change a billion times are refused soon: their pieces are not sought up to the end. */
static void too_many_pieces(void **state) {
    (void)state;
    lash_error error = {0};
    lash_ensemble *ensemble;
    machine m =
        make_text(LOOSE("stiffness: 1e9, restitution: 0.6",
                        "forces: {f: {type: force, at: bar.end, force: ['1 N * sin(1e9 rad/s * t)', 0]}}\n"));
    MUST(lash_ensemble_create(&ensemble, m.system, &(lash_ensemble_plan){0}, &error));
    MUST(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.until = 1e-5}, &error));
    assert_int_equal(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.until = 10}, &error),
                     LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "change so often"));
    lash_ensemble_destroy(ensemble);
    unmake(m);
}

/* A member that would take hours obeys at once, and can be continued. */
static void stops_when_told(void **state) {
    (void)state;
    lash_error error = {0};
    lash_ensemble *ensemble;
    size_t finished = 1;
    machine m = make("flores-2010", NULL, 0);
    MUST(lash_ensemble_create(&ensemble, m.system, &(lash_ensemble_plan){0}, &error));
    MUST(lash_ensemble_add(ensemble, m.system, &(lash_ensemble_span){.until = 900}, &error));
    assert_int_equal(lash_ensemble_run(ensemble, LASH_ON_LANES, never, &finished, &error),
                     LASH_STOP_INTERRUPTED);
    assert_int_equal(finished, 0);
    assert_int_equal(lash_ensemble_status(ensemble, 0), LASH_ERROR_USAGE);
    lash_ensemble_destroy(ensemble);
    unmake(m);
}

/* Cuts alone, or beside channels: the values that a run has at these times. */
static void cuts_are_values_of_runs(void **state) {
    (void)state;
    enum { CUTS = 5, SEEN = 3 };
    static const char *const seen[SEEN] = {"slider.x", "slider.vx", "rod.wz"}, *const channels[] = {
                                                                                   "slider.ax"};
    const lash_setting rtol = {"run.rtol", "1e-8"};
    const double turn = 60.0 / 5000;
    const lash_ensemble_span span = {
        .from = 0.2 * turn, .until = 1.1 * turn, .cut = 0.3 * turn, .cut_period = 0.17 * turn, .cuts = CUTS};
    lash_error error = {0};
    lash_sim *sim;
    machine m = make("flores-2010", &rtol, 1);
    double values[CUTS][SEEN], size[SEEN] = {0};
    MUST(lash_sim_create(&sim, m.system, &error));
    for (int k = 0; k < CUTS; k++) {
        MUST(lash_sim_run_until(sim, span.cut + k * span.cut_period, NULL, NULL, &error));
        for (int i = 0; i < SEEN; i++) {
            values[k][i] = lash_sim_value(sim, lash_sim_find_channel(sim, seen[i]));
            size[i] = fmax(size[i], fabs(values[k][i]));
        }
    }
    lash_sim_destroy(sim);
    for (size_t beside = 0; beside < 2; beside++) {
        lash_ensemble *ensemble;
        const lash_ensemble_plan plan = {
            .channels = channels, .channel_count = beside, .cuts = seen, .cut_count = SEEN, .contacts = true};
        MUST(lash_ensemble_create(&ensemble, m.system, &plan, &error));
        MUST(lash_ensemble_add(ensemble, m.system, &span, &error));
        MUST(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error));
        assert_int_equal(lash_ensemble_status(ensemble, 0), LASH_OK);
        assert_int_equal(lash_ensemble_channel_count(ensemble), beside + SEEN);
        for (size_t k = 0; k < CUTS; k++)
            for (size_t i = 0; i < SEEN; i++) {
                const double found = lash_ensemble_cut(ensemble, 0, k, i);
                if (!(fabs(found - values[k][i]) < 1e-6 * size[i]))
                    fail_msg("cut %zu of %s: %.9g, not %.9g", k, seen[i], found, values[k][i]);
            }
        lash_ensemble_destroy(ensemble);
    }
    unmake(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_runs),
        cmocka_unit_test(channels_that_are_rounding),
        cmocka_unit_test(extrema_in_closed_form),
        cmocka_unit_test(extrema_of_pendulums),
        cmocka_unit_test(kinds_of_machines),
        cmocka_unit_test(small_motions_in_closed_form),
        cmocka_unit_test(growth_in_closed_form),
        cmocka_unit_test(rebounds_grow_in_closed_form),
        cmocka_unit_test(touches_grow_as_their_map),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(kinds_that_are_refused),
        cmocka_unit_test(code_for_a_gpu),
        cmocka_unit_test(what_cannot_be_trusted),
        cmocka_unit_test(too_many_pieces),
        cmocka_unit_test(stops_when_told),
        cmocka_unit_test(cuts_are_values_of_runs),
        cmocka_unit_test(turning_in_closed_form),
        cmocka_unit_test(switches_in_closed_form),
        cmocka_unit_test(tables_of_films),
        cmocka_unit_test(pressure_in_closed_form),
        cmocka_unit_test(long_tables_in_closed_form),
        cmocka_unit_test(tables_that_end),
        cmocka_unit_test(load_histories_in_closed_form),
        cmocka_unit_test(bounces_in_closed_form),
        cmocka_unit_test(friction_in_closed_form),
        cmocka_unit_test(rubbing_in_closed_form),
        cmocka_unit_test(many_places_that_rub),
        cmocka_unit_test(sticking_in_closed_form),
        cmocka_unit_test(contacts_with_three_modes),
    };
    return cmocka_run_group_tests(tests, own_cache_begin, own_cache_end);
}
