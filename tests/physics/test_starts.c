/* SPDX-License-Identifier: MIT
 *
 * Where a run begins and what is counted: static equilibrium against closed forms, a settled motion against
 * the steady state of a driven oscillator, and statistics after a transient against the events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"
#include "sim/sim.h"

static const double G = 9.81;

static void a_mass_hangs_on_its_spring(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, -9.81]\n"
                     "bodies: {m: {mass: 2 kg, inertia: 1, position: [0.1, -0.5]}}\n"
                     "forces: {s: {type: spring, between: [ground, m], stiffness: 300, free_length: 0.4}}\n"
                     "run: {until: 1 s, start: equilibrium}\n");
    rig_near(rig_value(&r, "m.x"), 0, 1e-12, "below the hook");
    rig_near(rig_value(&r, "m.y"), -0.4 - 2 * G / 300, 1e-12, "elongation m g/k");
    rig_near(rig_value(&r, "s.force"), 2 * G, 1e-10, "tension");
    rig_step_to(&r, 1);
    rig_near(rig_value(&r, "m.y"), -0.4 - 2 * G / 300, 1e-10, "it stays");
    rig_close(&r);
}

/* A rod on two springs, unlike each other: moments and forces balance. */
static void a_beam_on_two_springs(void **state) {
    (void)state;
    rig r = rig_open(
        "gravity: [0, -9.81]\nground: {points: {a: [-1, 0], b: [2, 0]}}\n"
        "bodies: {beam: {mass: 10 kg, inertia: 5, position: [0, -1], points: {a: [-1, 0], b: [2, 0]}}}\n"
        "forces:\n"
        "  a: {type: spring, between: [ground.a, beam.a], stiffness: 4000, free_length: 0.9}\n"
        "  b: {type: spring, between: [ground.b, beam.b], stiffness: 2000, free_length: 0.9}\n"
        "run: {until: 1 s, start: equilibrium}\n");
    static const char *const still[] = {"beam.ax", "beam.ay", "beam.alphaz", "beam.vx", "beam.vy", "beam.wz"};
    for (size_t k = 0; k < sizeof still / sizeof *still; k++)
        rig_near(rig_value(&r, still[k]), 0, 1e-10, "%s", still[k]);
    // For springs that hang nearly straight: two thirds of the weight on a, one third on b.
    rig_near(rig_value(&r, "a.force"), 10 * G * 2 / 3, 0.02, "a");
    rig_near(rig_value(&r, "b.force"), 10 * G / 3, 0.02, "b");
    rig_close(&r);
}

/* A load so small that its contact is a picometre deep: steps along the wall run out, and nothing is amiss with what
 * holds the bar. */
static void steps_along_a_wall_run_out(void **state) {
    (void)state;
    static const char text[] =
        "gravity: [-1.18, -9.81]\n"
        "bodies: {a: {mass: 1e-9, inertia: 5e-13, position: [0.04, 0], points: {p: [-0.04, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground, a.p], clearance: {bearing_radius: 10 mm,\n"
        "  radial: 0.01 mm, contact: {stiffness: 1e10, restitution: 0.8}}}}\n"
        "run: {until: 1 ms, start: equilibrium}\n";
    lash_model *model = NULL;
    lash_system *system = NULL;
    lash_sim *sim = NULL;
    lash_error error = {0};
    rig_require(lash_model_parse(&model, text, sizeof text - 1, "test.yaml", NULL, &error), &error, "model");
    rig_require(lash_system_compile(&system, model, &error), &error, "compile");
    const lash_status status = lash_sim_create(&sim, system, &error);
    if (status != LASH_OK) { // found is as good
        assert_int_equal(status, LASH_ERROR_ASSEMBLY);
        assert_non_null(strstr(error.message, "presses 'pin' in so little"));
    }
    lash_sim_destroy(sim);
    lash_system_destroy(system);
    lash_model_destroy(model);
}

/* On the way to an equilibrium a step that is too long ends at the longest allowed one, in its direction; a shorter one
 * is taken whole. A free body: y begins with its place and its angle. */
static void steps_towards_equilibrium_are_limited(void **state) {
    (void)state;
    rig r = rig_open("bodies: {b: {mass: 2, inertia: 0.5, position: [0.3, 0.4], points: {p: [0.7, 0]}}}\n"
                     "forces: {s: {type: spring, between: [ground, b.p], stiffness: 10, free_length: 0.1}}\n"
                     "run: {until: 1 s}\n");
    double a[3], K[9], x[3] = {1, -2, 0.5}, from[3], whole[3];
    double *y = calloc((size_t)r.sim->system->n_y, sizeof *y);
    assert_non_null(y);
    memcpy(from, lashi_sim_y(r.sim), sizeof from);
    lashi_stiffness at = {.acceleration = a, .stiffness = K};
    assert_int_equal(lashi_stiffness_find(&at, r.sim, NULL), LASH_OK);
    assert_int_equal(at.freedoms, 3);
    const double unlimited = lashi_stiffness_move(y, r.sim, &at, x, INFINITY);
    double most = 0;
    for (int i = 0; i < 3; i++) {
        whole[i] = y[i] - from[i];
        most = fmax(most, fabs(whole[i]) / (i < 2 ? r.sim->system->length : 1));
    }
    const double longest[] = {0.03, 0.3, 30};
    for (int k = 0; k < 3; k++) {
        rig_near(lashi_stiffness_move(y, r.sim, &at, x, longest[k]), fmin(most, longest[k]), 1e-12, "way");
        for (int i = 0; i < 3; i++)
            rig_near(y[i] - from[i], whole[i] * fmin(1, longest[k] / most), 1e-14, "component %d, at most %g",
                     i, longest[k]);
    }
    assert_true(most > 0.3 && most < 30);
    rig_near(unlimited, most, 1e-12, "way without a limit");
    lashi_stiffness_clear(&at);
    free(y);
    rig_close(&r);
}

static void a_pendulum_swings_down(void **state) {
    (void)state;
    rig r = rig_open(
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1 kg, inertia: 0.1, position: [0, 0.5], angle: 91 deg, points: {p: [-0.5, 0], q: [0.5, "
        "0]}}\n"
        "  b: {mass: 2 kg, inertia: 0.1, position: [0.5, 1], angle: 10 deg, points: {p: [-0.5, 0]}}\n"
        "joints:\n"
        "  top: {type: revolute, between: [ground, a.p]}\n"
        "  knee: {type: revolute, between: [a.q, b.p]}\n"
        "run: {until: 1 s, start: equilibrium, stabilisation: projection}\n");
    rig_near(cos(rig_value(&r, "a.angle")), 0, 1e-9, "straight");
    rig_near(rig_value(&r, "a.y"), -0.5, 1e-9, "down");
    rig_near(rig_value(&r, "b.y"), -1.5, 1e-9, "down");
    rig_near(rig_value(&r, "top.fy"), 3 * G, 1e-8, "both hang there");
    rig_close(&r);
}

static void in_space(void **state) {
    (void)state;
    rig r = rig_open("space: spatial\ngravity: [0, 0, -9.81]\n"
                     "bodies: {m: {mass: 3 kg, inertia: [0.1, 0.2, 0.3], position: [0.3, 0.2, -0.3], points: "
                     "{p: [0, 0, 0.2]}}}\n"
                     "joints: {ball: {type: spherical, between: [ground, m.p]}}\n"
                     "forces: {side: {type: force, at: m, force: [3 N, 4 N, 0]}}\n"
                     "run: {until: 1 s, start: equilibrium}\n");
    const double size = hypot(5, 3 * G);
    rig_near(rig_value(&r, "m.x"), 0.2 * 3 / size, 1e-10, "x");
    rig_near(rig_value(&r, "m.y"), 0.2 * 4 / size, 1e-10, "y");
    rig_near(rig_value(&r, "m.z"), -0.2 * 3 * G / size, 1e-10, "z");
    rig_close(&r);
}

static void expect_refusal(const char *text, const char *part) {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    lash_error error = {0};
    rig_require(lash_model_parse(&model, text, strlen(text), "test.yaml", NULL, &error), &error, "model");
    rig_require(lash_system_compile(&system, model, &error), &error, "compile");
    assert_true(lash_sim_create(&sim, system, &error) < 0);
    assert_null(sim);
    if (!strstr(error.message, part))
        fail_msg("wanted: %s; got: %s", part, error.message);
    lash_system_destroy(system);
    lash_model_destroy(model);
}

/* Play: contacts carry what gravity, springs and loads ask for, wherever the parts were drawn. */
static void play_rests(void **state) {
    (void)state;
    // A pendulum in a bearing: K δ^1.5 = m g, straight down.
    rig r = rig_open(
        "gravity: [0, -9.81]\n"
        "bodies: {m: {mass: 2 kg, inertia: 0.1, position: [0.3, 0], points: {p: [-0.3, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground, m.p], clearance: {bearing_radius: 10 mm, radial: "
        "0.1 mm, contact: {law: hertz, stiffness: 1e10}}}}\nrun: {until: 1 s, start: equilibrium}\n");
    rig_near(rig_value(&r, "pin.ey"), -1e-4 - pow(2 * G / 1e10, 2.0 / 3), 1e-14, "depth");
    rig_near(rig_value(&r, "pin.ex"), 0, 1e-12, "aside");
    rig_near(rig_value(&r, "pin.fn"), 2 * G, 1e-7, "its weight");
    rig_near(rig_value(&r, "m.angle"), -RIG_PI / 2, 1e-9, "it hangs");
    rig_step_to(&r, 0.1);
    rig_near(rig_value(&r, "pin.ey"), -1e-4 - pow(2 * G / 1e10, 2.0 / 3), 1e-12, "it stays");
    rig_close(&r);
    // The same drawn level where the wall is stiffer and the arm longer: the way along the wall is the same, its steps
    // are shorter.
    for (int k = 0; k < 4; k++) {
        static const double stiffness[] = {1e11, 1e13, 1e10, 1e11}, arm[] = {0.3, 0.3, 30, 3};
        r = rig_open(
            "gravity: [0, -9.81]\n"
            "bodies: {m: {mass: 1 kg, inertia: 0.03, position: [%g, 0.01], points: {p: [-%g, 0]}}}\n"
            "joints: {pin: {type: revolute, between: [ground, m.p], clearance: {bearing_radius: 10 mm, "
            "radial: 0.05 mm, contact: {stiffness: %g, restitution: 0.8}}}}\n"
            "run: {until: 1 s, start: equilibrium}\n",
            arm[k], arm[k], stiffness[k]);
        rig_near(rig_value(&r, "pin.delta"), pow(G / stiffness[k], 2.0 / 3), 1e-14, "depth %d", k);
        rig_near(rig_value(&r, "m.angle"), -RIG_PI / 2, 1e-9, "it hangs, %d", k);
        rig_close(&r);
    }
    // A stop far below: k δ = m g.
    r = rig_open(
        "gravity: [0, -9.81]\nbodies: {m: {mass: 2 kg, inertia: 0.1, position: [0, 0.5]}}\n"
        "joints: {ways: {type: translational, between: [ground, m], axis: [0, 1], stops: {min: 0.1 m, "
        "contact: "
        "{stiffness: 1e6, restitution: 0.8, exponent: 1}}}}\nrun: {until: 1 s, start: equilibrium}\n");
    rig_near(rig_value(&r, "m.y"), 0.1 - 2 * G / 1e6, 1e-14, "on the stop");
    rig_close(&r);
    // A torque through teeth with backlash against a spring: F = M/r1, φ2 = −F r2/k, and the play is crossed.
    r = rig_open("bodies: {a: {mass: 1, inertia: 0.002}, b: {mass: 1, inertia: 0.005, position: [0.09, 0]}}\n"
                 "ground: {points: {b: [0.09, 0]}}\n"
                 "joints: {pa: {type: revolute, between: [ground, a]}, pb: {type: revolute, between: "
                 "[ground.b, b]}, g: "
                 "{type: gear, between: [a, b], ratio: 0.5, backlash: {circumferential: 0.1 mm, stiffness: "
                 "1e7 N/m}}}\n"
                 "forces: {f: {type: torque, body: a, torque: 3 N m}, s: {type: joint-spring, joint: pb, "
                 "stiffness: 100}}\n"
                 "run: {until: 1 s, start: equilibrium}\n");
    rig_near(rig_value(&r, "g.force"), 100, 1e-7, "tooth force");
    rig_near(rig_value(&r, "b.angle"), -0.06, 1e-12, "the spring");
    rig_near(rig_value(&r, "a.angle"), 0.12 + (5e-5 + 100 / 1e7) / 0.03, 1e-11, "the play and the teeth");
    rig_close(&r);
    // A block in its channel under an eccentric load: forces and couple on two corners.
    r = rig_open(
        "gravity: [0, -9.81]\nbodies: {m: {mass: 2 kg, inertia: 0.01, points: {e: [0.02, 0]}}}\n"
        "joints: {ways: {type: translational, between: [ground, m], axis: [1, 0], clearance: {length: 60 mm, "
        "height: 30 mm, play: 0.2 mm, contact: {law: hertz, stiffness: 1e9}}}}\n"
        "forces: {s: {type: joint-spring, joint: ways, stiffness: 1000, free: 0}, w: {type: force, at: m.e, "
        "force: "
        "[0, -30 N]}}\nrun: {until: 1 s, start: equilibrium}\n");
    const double left = rig_value(&r, "ways.corner3.fn"), right = rig_value(&r, "ways.corner4.fn");
    rig_near(left + right, 2 * G + 30, 1e-6, "the load");
    rig_near(0.03 * fabs(right - left), 30 * 0.02, 1e-4, "the couple, but for the tilt");
    rig_close(&r);
    // A ball in space.
    r = rig_open("space: spatial\ngravity: [0, 0, -9.81]\nbodies: {m: {mass: 2 kg, inertia: [1, 1, 1]}}\n"
                 "joints: {ball: {type: spherical, between: [ground, m], clearance: {bearing_radius: 10 mm, "
                 "radial: 0.1 mm, "
                 "contact: {law: hertz, stiffness: 1e10}}}}\nrun: {until: 1 s, start: equilibrium}\n");
    rig_near(rig_value(&r, "m.z"), -1e-4 - pow(2 * G / 1e10, 2.0 / 3), 1e-14, "the ball");
    rig_close(&r);
}

static void what_has_no_equilibrium(void **state) {
    (void)state;
    expect_refusal(
        "gravity: [0, -9.81]\nbodies: {m: {mass: 1, inertia: 1}}\nrun: {until: 1, start: equilibrium}\n",
        "'m' still accelerates with 9.81 m/s^2");
    expect_refusal(
        "bodies: {m: {mass: 1, inertia: 2}}\njoints: {j: {type: revolute, between: [ground, m]}}\n"
        "forces: {f: {type: torque, body: m, torque: 5 N m}}\nrun: {until: 1, start: equilibrium}\n",
        "'m' still accelerates with 2.5 rad/s^2");
    expect_refusal("bodies: {m: {mass: 1, inertia: 1}}\njoints: {j: {type: revolute, between: [ground, m]}}\n"
                   "drives: {d: {joint: j, speed: 3}}\nrun: {until: 1, start: equilibrium}\n",
                   "drives that stand still");
    expect_refusal(
        "gravity: [0, -9.81]\nbodies: {m: {mass: 1, inertia: 1}}\n"
        "joints: {j: {type: revolute, between: [ground, m], clearance: {radial: 0.1 mm, model: three-mode, "
        "restitution: 0.5}}}\nrun: {until: 1, start: equilibrium}\n",
        "'j' is three-mode, rigid where it touches");
    expect_refusal("gravity: [0, -9.81]\nbodies: {m: {mass: 1, inertia: 1}}\n"
                   "joints: {j: {type: revolute, between: [ground, m], clearance: {radial: 0.1 mm, "
                   "bearing_radius: 10 mm, "
                   "length: 10 mm, lubricant: {film: short, viscosity: 0.1}, contact: {stiffness: 1e9, "
                   "restitution: 0.9}}}}\n"
                   "run: {until: 1, start: equilibrium}\n",
                   "the film of 'j' carries nothing at rest");
    // Nothing is below it: it falls past the stop on the other side.
    expect_refusal(
        "gravity: [0, -9.81]\nbodies: {m: {mass: 1, inertia: 1}}\njoints: {j: {type: translational, between: "
        "[ground, m], axis: [0, 1], stops: {max: 1 m, contact: {stiffness: 1e6, restitution: 0.5}}}}\n"
        "run: {until: 1, start: equilibrium}\n",
        "'m' still accelerates with 9.81");
}

#define OSCILLATOR                                                                                           \
    "bodies: {m: {mass: 2 kg, inertia: 1}}\n"                                                                \
    "joints: {rail: {type: translational, between: [ground, m], axis: [1, 0]}}\n"                            \
    "forces:\n"                                                                                              \
    "  s: {type: joint-spring, joint: rail, stiffness: 800, damping: 8, free: 0}\n"                          \
    "  f: {type: force, at: m, force: [\"50*sin(15*t)\", 0]}\n"

/* m ẍ + d ẋ + k x = F sin Ωt: x = X sin(Ωt − φ) when the start is forgotten. */
static void a_settled_oscillator(void **state) {
    (void)state;
    rig r = rig_open(OSCILLATOR "run: {until: 1 s, start: settled, settle_period: 2*pi/15, rtol: 1e-10}\n");
    static const char *const channels[] = {"m.x", "m.vx", NULL};
    const rig_rows rows = rig_sample(&r, 50, channels, false);
    const lash_summary summary = lash_sim_summary(r.sim);
    const double stiff = 800 - 2 * 15 * 15, damped = 8 * 15, X = 50 / hypot(stiff, damped),
                 phi = atan2(damped, stiff);
    // The transient decays by e^(−d T/2m) a period: a millionth of its size is left after 17 or so.
    assert_in_range(summary.settled_turns, 12, 30);
    assert_true(summary.settled_to <= 1e-6);
    const double begun = rig_at(&rows, 0, 0);
    rig_near(begun, (double)summary.settled_turns * 2 * RIG_PI / 15, 1e-12, "recording begins with a period");
    rig_near(rig_at(&rows, 50, 0), begun + 1, 1e-12, "and lasts as long as the run");
    rig_near(summary.discard, begun, 0, "statistics begin there");
    for (size_t k = 0; k <= 50; k++) {
        const double t = rig_at(&rows, k, 0);
        rig_near(rig_at(&rows, k, 1), X * sin(15 * t - phi), 3e-6 * X, "x at %g", t);
        rig_near(rig_at(&rows, k, 2), 15 * X * cos(15 * t - phi), 3e-6 * 15 * X, "v at %g", t);
    }
    lash_record_destroy(rows.record);
    rig_close(&r);
}

static void turns_of_a_drive_settle(void **state) {
    (void)state;
    // A wheel behind a soft coupling: driven at a constant speed it comes to turn along.
    rig r = rig_open(
        "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 0.1}}\n"
        "joints: {p: {type: revolute, between: [ground, a]}, q: {type: revolute, between: [ground, b]},\n"
        "         c: {type: revolute, between: [a, b]}}\n"
        "drives: {motor: {joint: p, speed: 20 rad/s}}\n"
        "forces: {k: {type: joint-spring, joint: c, stiffness: 10, damping: 0.5, free: 0}}\n"
        "run: {until: 2 rev of motor, start: settled, settle_tolerance: 1e-8}\n");
    static const char *const channels[] = {"b.wz", "motor.angle", NULL};
    const rig_rows rows = rig_sample(&r, 10, channels, false);
    for (size_t k = 0; k <= 10; k++)
        rig_near(rig_at(&rows, k, 1), 20, 1e-6, "b turns along");
    rig_near(rig_at(&rows, 10, 2) - rig_at(&rows, 0, 2), 4 * RIG_PI, 1e-9, "two turns are recorded");
    lash_record_destroy(rows.record);
    rig_close(&r);
    // Not settled in the turns that are allowed: the run goes on, and says so.
    rig s =
        rig_open(OSCILLATOR "run: {until: 0.1 s, start: settled, settle_period: 0.4 s, settle_turns: 3}\n");
    lash_error error = {0};
    rig_require(lash_sim_run(s.sim, NULL, NULL, &error), &error, "run");
    const lash_summary summary = lash_sim_summary(s.sim);
    assert_int_equal(summary.settled_turns, 3);
    assert_true(summary.settled_to > 1e-6);
    rig_close(&s);
}

/* What is counted after the transient is what the events of that time say. */
static void statistics_after_the_transient(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, -9.81]\n"
                     "bodies: {ball: {mass: 1 kg, inertia: 1, position: [0, 0.5 m]}}\n"
                     "joints: {fall: {type: translational, between: [ground, ball], axis: [0, 1],\n"
                     "  stops: {min: 0, contact: {stiffness: 1e6, restitution: 0.8}}}}\n"
                     "run: {until: 2 s, discard: 0.8 s}\n");
    static const char *const channels[] = {"ball.y", NULL};
    const rig_rows rows = rig_sample(&r, 10, channels, false);
    const lash_summary summary = lash_sim_summary(r.sim);
    const lash_clearance_summary *s = &summary.clearances[0];
    size_t contacts = 0;
    double largest = 0, all = 0;
    for (size_t k = 0;; k++) {
        const lash_event *event = rig_event(&rows, LASH_EVENT_RELEASE, k);
        if (!event)
            break;
        contacts += event->time > 0.8;
        all = fmax(all, event->peak_force);
        if (event->time > 0.8)
            largest = fmax(largest, event->peak_force);
    }
    assert_true(contacts > 2 && contacts < s->contacts);
    assert_int_equal(s->after.contacts, contacts);
    rig_near(s->after.peak.force, largest, 1e-9 * largest, "peak after it");
    rig_near(s->peak_force, all, 1e-9 * all, "peak of the whole");
    assert_true(s->after.peak.force < s->peak_force && s->after.peak.time > 0.8);
    rig_near(s->after.free_fraction + s->after.impact_fraction + s->after.following_fraction, 1, 2e-2,
             "fractions");
    assert_true(s->after.energy_lost > 0 && s->after.energy_lost < s->energy_lost);
    lash_record_destroy(rows.record);
    rig_close(&r);
}

#define LAW "contact: {stiffness: 1e8, exponent: 1.5, law: hertz}"

/* Play with a velocity: the journal flies straight on from its offset until it touches. */
static void a_journal_is_thrown(void **state) {
    (void)state;
    static const char *const models[2] = {LAW, "model: three-mode, restitution: 0.5"};
    for (int m = 0; m < 2; m++) {
        rig r = rig_open(
            "bodies: {m: {mass: 1 kg, inertia: 1, angular_velocity: 3, points: {p: [0.2, 0]}, position: "
            "[-0.2, 0]}}\n"
            "joints: {pin: {type: revolute, between: [ground, m.p], clearance: {bearing_radius: 10 mm, "
            "radial: 1 mm, offset: [0.3 mm, -0.1 mm], velocity: [0.04, 0.03], %s}}}\n"
            "run: {until: 1 s, rtol: 1e-10}\n",
            models[m]);
        // That of its point, which the body has by its own velocity and by turning.
        const double x0 = rig_value(&r, "m.x"), y0 = rig_value(&r, "m.y"), a0 = rig_value(&r, "m.angle"),
                     vx = rig_value(&r, "m.vx"), vy = rig_value(&r, "m.vy"), w = rig_value(&r, "m.wz"),
                     t = 5e-3;
        rig_near(vx - 0.2 * w * sin(a0), 0.04, 1e-12, "vx");
        rig_near(vy + 0.2 * w * cos(a0), 0.03, 1e-12, "vy");
        rig_near(rig_value(&r, "pin.ex"), 0.3e-3, 1e-15, "ex");
        rig_step_to(&r, t);
        rig_near(rig_value(&r, "pin.ex"), x0 + vx * t + 0.2 * cos(a0 + w * t), 1e-12, "ex later");
        rig_near(rig_value(&r, "pin.ey"), y0 + vy * t + 0.2 * sin(a0 + w * t), 1e-12, "ey later");
        rig_close(&r);
    }
    // In a machine: the crank goes on as driven, the slider as the play lets it.
    rig r = rig_open(
        "bodies:\n"
        "  crank: {mass: 1, inertia: 0.01, points: {q: [0.1, 0]}}\n"
        "  rod: {mass: 1, inertia: 0.01, position: [0.25, 0], points: {p: [-0.15, 0], q: [0.15, 0]}}\n"
        "  slider: {mass: 1, inertia: 0.01, position: [0.4, 0]}\n"
        "joints:\n"
        "  main: {type: revolute, between: [ground, crank]}\n"
        "  big: {type: revolute, between: [crank.q, rod.p]}\n"
        "  small: {type: revolute, between: [rod.q, slider], clearance: {bearing_radius: 10 mm, radial: 0.5 "
        "mm, "
        "velocity: [0.2, -0.1], " LAW "}}\n"
        "  ways: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
        "drives: {d: {joint: main, speed: 10 rad/s, start: 90 deg}}\nrun: {until: 1 s, rtol: 1e-10}\n");
    const double h = 1e-6, before[2] = {rig_value(&r, "small.ex"), rig_value(&r, "small.ey")};
    rig_near(rig_value(&r, "crank.wz"), 10, 1e-12, "the crank");
    rig_step_to(&r, h);
    rig_near((rig_value(&r, "small.ex") - before[0]) / h, 0.2, 1e-4, "along the guide");
    rig_near((rig_value(&r, "small.ey") - before[1]) / h, -0.1, 1e-4, "across it");
    rig_close(&r);
}

static void it_is_thrown_in_space(void **state) {
    (void)state;
    static const char *const joints[2] = {"type: spherical, between: [ground, m], clearance: "
                                          "{bearing_radius: 10 mm, radial: 1 mm, velocity: [0.04, "
                                          "0.03, 0.02]",
                                          "type: revolute, axis: [0, 0, 1], between: [ground, m], clearance: "
                                          "{bearing_radius: 10 mm, radial: 1 mm, "
                                          "length: 20 mm, velocity: [0.04, 0.03, 0]"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_open("space: spatial\nbodies: {m: {mass: 1 kg, inertia: [1, 1, 1]}}\n"
                         "joints: {pin: {%s, " LAW "}}}\nrun: {until: 1 s, rtol: 1e-10}\n",
                         joints[k]);
        rig_step_to(&r, 5e-3);
        rig_near(rig_value(&r, "m.x"), 0.2e-3, 1e-13, "x");
        rig_near(rig_value(&r, "m.y"), 0.15e-3, 1e-13, "y");
        rig_near(rig_value(&r, "m.z"), k ? 0 : 0.1e-3, 1e-13, "z");
        rig_close(&r);
    }
    lash_error error = {0};
    assert_int_equal(
        rig_compile("space: spatial\nbodies: {m: {mass: 1 kg, inertia: [1, 1, 1]}}\njoints: {pin: {type: "
                    "revolute, axis: [0, 0, 1], between: [ground, m], clearance: {bearing_radius: 10 mm, "
                    "radial: 1 mm, length: 20 mm, velocity: [0, 0.03, 0.1], " LAW "}}}\n"
                    "run: {until: 1 s}\n",
                    &error),
        LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "has 0.1 m/s along the pin"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mass_hangs_on_its_spring),
        cmocka_unit_test(a_beam_on_two_springs),
        cmocka_unit_test(steps_towards_equilibrium_are_limited),
        cmocka_unit_test(steps_along_a_wall_run_out),
        cmocka_unit_test(a_pendulum_swings_down),
        cmocka_unit_test(in_space),
        cmocka_unit_test(play_rests),
        cmocka_unit_test(what_has_no_equilibrium),
        cmocka_unit_test(a_settled_oscillator),
        cmocka_unit_test(a_journal_is_thrown),
        cmocka_unit_test(it_is_thrown_in_space),
        cmocka_unit_test(turns_of_a_drive_settle),
        cmocka_unit_test(statistics_after_the_transient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
