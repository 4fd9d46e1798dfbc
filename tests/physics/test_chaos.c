/* SPDX-License-Identifier: MIT
 *
 * Sections, exponents and verdicts of mechanisms: against closed forms where there are any, against the
 * literature for the driven pendulum, and for joints with play against what must hold (the exponent does not
 * depend on how it is measured; a machine that repeats has none that is positive).
 *
 * The pendulum is θ'' + 0.05 θ' + sin θ = A sin(0.7 t): exponent 0.1400 at A = 0.6 (J. C. Sprott, Chaos and
 * Time-Series Analysis, Oxford 2003, appendix A).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "physics/rig.h"
#include "study/metric.h"

static const double TWO_PI = 2 * RIG_PI;

/* ---- rigs ---- */

/* Moment about the pivot 2, m g l = 2. */
static rig open_pendulum(double amplitude, double until) {
    return rig_open(
        "gravity: [0, -2]\n"
        "bodies:\n"
        "  rod: {mass: 1, inertia: 1, position: [0.1, -1], angle: 0.1 rad, points: {top: [0, 1]}}\n"
        "joints: {pivot: {type: revolute, between: [ground, rod.top]}}\n"
        "forces:\n"
        "  brake: {type: viscous, joint: pivot, coefficient: 0.1}\n"
        "  load: {type: torque, body: rod, torque: \"%.17g*sin(0.7*t)\"}\n"
        "run: {until: %.17g}\n",
        2 * amplitude, until);
}

/* Mass 1 on a spring k = ω², with damping c, from rest at x = 1. */
static rig open_spring(double omega, double damping, double until) {
    return rig_open("bodies: {mass: {mass: 1, inertia: 1, position: [1, 0]}}\n"
                    "joints: {guide: {type: translational, between: [ground, mass], axis: [1, 0]}}\n"
                    "forces: {spring: {type: joint-spring, joint: guide, stiffness: %.17g, damping: %.17g, "
                    "free: 0}}\n"
                    "run: {until: %.17g, rtol: 1e-10}\n",
                    omega * omega, damping, until);
}

/* examples/muvengei-2012.yaml with play at one joint. */
static rig open_play(const char *joint, const char *radial, const char *until) {
    rig r = {0};
    lash_error error = {0};
    const bool big = !strcmp(joint, "crankpin");
    const lash_setting settings[] = {{"radial", radial},
                                     {"crankpin", big ? "clearance" : "ideal"},
                                     {"gudgeon", big ? "ideal" : "clearance"},
                                     {"run.until", until}};
    const lash_load_options options = {.settings = settings, .setting_count = 4};
    rig_require(lash_model_load(&r.model, LASH_SOURCE_DIR "/examples/muvengei-2012.yaml", &options, &error),
                &error, "model");
    rig_require(lash_system_compile(&r.system, r.model, &error), &error, "compile");
    rig_require(lash_sim_create(&r.sim, r.system, &error), &error, "create");
    return r;
}

static lashi_window ranges; // of the channels of the last section, in its order

static lash_status observe(void *section, lash_sim *sim, double t_old, double t_new) {
    const lash_status status = lashi_window_observe(&ranges, sim, t_old, t_new);
    return status ? status : lashi_section_observe(section, sim, t_old, t_new);
}

static lashi_section *cut(const rig *r, lashi_surface surface, const char *const *channels, size_t count,
                          double from) {
    lashi_section *section = NULL;
    lash_error error = {0};
    rig_require(lashi_section_create(&section, r->sim, &surface, channels, count, from, 0, &error), &error,
                "section");
    lashi_window_clear(&ranges);
    rig_require(lashi_window_create(&ranges, count, 1e-6, &error), &error, "ranges");
    for (size_t k = 0; k < count; k++)
        assert_int_equal(lashi_window_track_range(&ranges, lash_sim_find_channel(r->sim, channels[k])), k);
    const lash_run_control control = {.observe = observe, .user = section};
    rig_require(lash_sim_run(r->sim, NULL, &control, &error), &error, "run");
    return section;
}

static lashi_lyapunov exponent_of(const rig *r, lashi_lyapunov_options options) {
    lashi_lyapunov l;
    lash_error error = {0};
    rig_require(lashi_lyapunov_sim(&l, r->sim, &options, &error), &error, "exponent");
    return l;
}

static lashi_verdict judge(const lashi_section *section, double turn, const lashi_lyapunov *exponent) {
    lashi_verdict v;
    lash_error error = {0};
    double scales[4];
    assert_true(section->width <= 4);
    for (size_t k = 0; k < section->width; k++)
        scales[k] = lashi_track_range(&ranges.tracks[k]);
    rig_require(lashi_verdict_of(&v, section->points, section->count, section->width, scales, turn, exponent,
                                 NULL, &error),
                &error, "verdict");
    print_message("%s-%zu: %zu points, residue %.2g, exponent %.4f ± %.4f per section, K %.3f; %s\n",
                  lashi_motion_name(v.motion), v.period, section->count, v.residue, v.per_turn,
                  v.per_turn_error, v.K, v.reason);
    return v;
}

/* ---- sections ---- */

/* Crank 0.3, rod 1: x = 0.3 cos φ + sqrt(1 − 0.09 sin² φ). A drive that speeds up and slows down, forwards
 * and backwards. */
static void test_phase_of_a_drive(void **state) {
    (void)state;
    static const char *const motions[] = {"7*t + 2*sin(3*t)", "-7*t - 2*sin(3*t)", "40*t^2"};
    for (size_t k = 0; k < 3; k++) {
        rig r =
            rig_open("bodies:\n"
                     "  crank: {mass: 1, inertia: 1, position: [0.15, 0], points: {o: [-0.15, 0], p: [0.15, "
                     "0]}}\n"
                     "  rod: {mass: 1, inertia: 1, position: [0.8, 0], points: {p: [-0.5, 0], q: [0.5, 0]}}\n"
                     "  slider: {mass: 1, inertia: 1, position: [1.3, 0]}\n"
                     "joints:\n"
                     "  main: {type: revolute, between: [ground, crank.o]}\n"
                     "  pin: {type: revolute, between: [rod.p, crank.p]}\n"
                     "  gudgeon: {type: revolute, between: [slider, rod.q]}\n"
                     "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
                     "drives: {motor: {joint: main, motion: \"%s\"}}\n"
                     "run: {until: 10, rtol: 1e-10}\n",
                     motions[k]);
        const double phase = 1, from = 2;
        static const char *const channels[] = {"slider.x", "motor.angle"};
        const double end[] = {70 + 2 * sin(30), -70 - 2 * sin(30), 4000};
        const double begin[] = {14 + 2 * sin(6), -14 - 2 * sin(6), 160};
        lashi_section *s = cut(&r, (lashi_surface){"motor.angle", phase, TWO_PI, 0}, channels, 2, from);
        // Monotone profiles: one passage per whole turn between the angles at `from` and at the end.
        const double passages = k == 1
                                    ? ceil((begin[k] - phase) / TWO_PI) - ceil((end[k] - phase) / TWO_PI)
                                    : floor((end[k] - phase) / TWO_PI) - floor((begin[k] - phase) / TWO_PI);
        assert_int_equal(s->count, (size_t)passages);
        const double x = 0.3 * cos(phase) + sqrt(1 - 0.09 * sin(phase) * sin(phase));
        for (size_t i = 0; i < s->count; i++) {
            assert_true(s->times[i] >= from && (i == 0 || s->times[i] > s->times[i - 1]));
            assert_true(fabs(remainder(s->points[2 * i + 1] - phase, TWO_PI)) < 1e-10);
            assert_true(fabs(s->points[2 * i] - x) < 1e-7);
        }
        rig_near(ranges.tracks[0].most, 1.3, 1e-7, "most");
        rig_near(ranges.tracks[0].least, 0.7, 1e-7, "least");
        lashi_section_destroy(s);
        rig_close(&r);
    }
}

/* A section that begins on its own surface, or a rounding before it: the first cut is there, not a step
 * later.
 */
static void test_begins_on_the_surface(void **state) {
    (void)state;
    for (int turns = 1; turns <= 40; turns++) {
        rig r = rig_open("gravity: [0, -9.81]\n"
                         "bodies:\n"
                         "  crank: {mass: 1, inertia: 1, points: {p: [0.1, 0]}}\n"
                         "  rod: {mass: 1, inertia: 1, position: [0.1, -1], points: {p: [0, 1]}}\n"
                         "joints:\n"
                         "  main: {type: revolute, between: [ground, crank]}\n"
                         "  pin: {type: revolute, between: [rod.p, crank.p]}\n"
                         "drives: {motor: {joint: main, speed: 5000 rpm}}\n"
                         "run: {until: %g rev of motor, rtol: 1e-4}\n",
                         turns + 1.5);
        static const char *const channels[] = {"motor.angle"};
        rig_step_to(&r, turns * 0.012);
        lashi_section *s = cut(&r, (lashi_surface){"motor.angle", 0, TWO_PI, 0}, channels, 1, 0);
        assert_true(s->count >= 1 && s->count <= 2);
        for (size_t i = 0; i < s->count; i++)
            assert_true(fabs(remainder(s->points[i], TWO_PI)) < 1e-9);
        lashi_section_destroy(s);
        rig_close(&r);
    }
}

/* x = cos ωt. */
static void test_event_surface(void **state) {
    (void)state;
    const double omega = 3, level = 0.3, first = acos(level) / omega, period = TWO_PI / omega;
    for (int direction = -1; direction <= 1; direction++) {
        rig r = open_spring(omega, 0, 20);
        static const char *const channels[] = {"mass.vx"};
        lashi_section *s = cut(&r, (lashi_surface){"mass.x", level, 0, direction}, channels, 1, 0);
        const double falling = floor((20 - first) / period) + 1, rising = floor((20 + first) / period);
        assert_int_equal(s->count, (size_t)((direction <= 0 ? falling : 0) + (direction >= 0 ? rising : 0)));
        for (size_t i = 0; i < s->count; i++) {
            const double turn = direction ? (double)i : (double)(i / 2);
            const bool down = direction < 0 || (direction == 0 && i % 2 == 0);
            const double t = down ? first + turn * period : (turn + 1) * period - first;
            const double v = (down ? -omega : omega) * sqrt(1 - level * level);
            assert_true(fabs(s->times[i] - t) < 1e-8);
            assert_true(fabs(s->points[i] - v) < 1e-7);
        }
        lashi_section_destroy(s);
        rig_close(&r);
    }
    // By the clock.
    rig r = open_spring(omega, 0, 20);
    static const char *const channels[] = {"mass.x", "time"};
    lashi_section *s = cut(&r, (lashi_surface){"time", 0.25, 0.7, 0}, channels, 2, 0);
    assert_int_equal(s->count, (size_t)(floor((20 - 0.25) / 0.7) + 1));
    for (size_t i = 0; i < s->count; i++) {
        assert_true(fabs(s->points[2 * i + 1] - (0.25 + 0.7 * (double)i)) < 1e-12);
        assert_true(fabs(s->points[2 * i] - cos(omega * s->times[i])) < 1e-7);
    }
    lashi_section_destroy(s);
    rig_close(&r);
}

static void test_section_mistakes(void **state) {
    (void)state;
    rig r = open_spring(3, 0, 1);
    lash_error error = {0};
    lashi_section *s;
    const char *channels[] = {"mass.x", "mass.nothing"};
    assert_int_equal(
        lashi_section_create(&s, r.sim, &(lashi_surface){"motor.angle", 0, 1, 0}, channels, 1, 0, 0, &error),
        LASH_ERROR_USAGE);
    assert_null(s);
    assert_non_null(strstr(error.message, "motor.angle"));
    assert_int_equal(
        lashi_section_create(&s, r.sim, &(lashi_surface){"mass.x", 0, 0, 0}, channels, 2, 0, 0, &error),
        LASH_ERROR_USAGE);
    assert_non_null(strstr(error.message, "mass.nothing"));
    assert_int_equal(
        lashi_section_create(&s, r.sim, &(lashi_surface){"mass.x", 0, -1, 0}, channels, 1, 0, 0, &error),
        LASH_ERROR_USAGE);
    rig_close(&r);
}

/* ---- exponents ---- */

/* A mass on a spring with damping: −c/2m. A braced pendulum in absolute coordinates that settles faster than
 * Baumgarte's stabilisation (5 1/s): its own rate shows, not that one. */
static void test_damped(void **state) {
    (void)state;
    rig r = open_spring(3, 0.8, 1);
    const double half_turn = RIG_PI / sqrt(9 - 0.16);
    lashi_lyapunov l =
        exponent_of(&r, (lashi_lyapunov_options){.interval = half_turn, .count = 20, .align = 5});
    print_message("spring: %.7f, known %.7f\n", l.exponent, -0.4);
    assert_true(fabs(l.exponent + 0.4) < 1e-4 * 0.4);
    assert_int_equal(l.floored + l.saturated, 0);
    lashi_lyapunov_clear(&l);
    rig_close(&r);
    // Moment about the pivot 2, stiffness 2·900 without gravity, damping 2·2·20.
    r = rig_open(
        "bodies: {rod: {mass: 1, inertia: 1, position: [0, -1], points: {top: [0, 1]}}}\n"
        "joints: {pivot: {type: revolute, between: [ground, rod.top]}}\n"
        "forces: {brace: {type: joint-spring, joint: pivot, stiffness: 1800, damping: 80, free: 0}}\n"
        "run: {until: 1, rtol: 1e-10, reduce: false}\n");
    assert_int_equal(lash_sim_coordinate_count(r.sim), 6);
    l = exponent_of(&r,
                    (lashi_lyapunov_options){.interval = RIG_PI / sqrt(900 - 400), .count = 40, .align = 10});
    print_message("braced pendulum: %.5f, known %.5f\n", l.exponent, -20.0);
    assert_true(fabs(l.exponent + 20) < 1e-3 * 20);
    lashi_lyapunov_clear(&l);
    rig_close(&r);
}

static void test_driven_pendulum(void **state) {
    (void)state;
    const double T = TWO_PI / 0.7;
    static const char *const channels[] = {"rod.x", "rod.wz"};
    for (int strong = 0; strong < 2; strong++) {
        rig r = open_pendulum(strong ? 0.6 : 0.1, 400 * T);
        lashi_section *s = cut(&r, (lashi_surface){"time", 0, T, 0}, channels, 2, 100 * T);
        lashi_lyapunov l = exponent_of(
            &r, (lashi_lyapunov_options){.interval = T, .count = strong ? 1500 : 100, .align = 50});
        const lashi_verdict v = judge(s, T, &l);
        assert_int_equal(v.motion, strong ? LASHI_CHAOTIC : LASHI_PERIODIC);
        assert_int_equal(v.period, strong ? 0 : 1);
        if (strong) {
            print_message("driven pendulum: %.4f ± %.4f, known 0.1400\n", l.exponent, l.error);
            assert_true(l.error < 0.006 && fabs(l.exponent - 0.1400) < 4 * l.error);
        } else {
            // A pair of complex multipliers: areas shrink by exp(−0.05 t), lengths by half of that.
            assert_true(fabs(l.exponent + 0.025) < 2e-3 * 0.025 + 3 * l.error);
        }
        lashi_lyapunov_clear(&l);
        lashi_section_destroy(s);
        rig_close(&r);
    }
}

/* ---- play ---- */

/* A ball dropped in its bearing bounces and comes to rest. Without friction its swing at the bottom is not
 * damped: at rest, with an exponent of zero. */
static void test_ball_in_a_bearing(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, -9.81]\n"
                     "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
                     "bodies: {ball: {mass: 0.2, inertia: 1e-4, position: [0, 0]}}\n"
                     "joints:\n"
                     "  gap:\n"
                     "    type: revolute\n"
                     "    between: [ground, ball]\n"
                     "    clearance:\n"
                     "      bearing_radius: 10 mm\n"
                     "      radial: 0.5 mm\n"
                     "      materials: steel\n"
                     "      contact: {law: lankarani-nikravesh, restitution: 0.5}\n"
                     "run: {until: 0.8}\n");
    static const char *const channels[] = {"gap.ex", "gap.ey", "ball.vy"};
    const double turn = 0.002;
    lashi_section *s = cut(&r, (lashi_surface){"time", 0, turn, 0}, channels, 3, 0.5);
    assert_true(rig_value(&r, "gap.delta") > 0);
    lashi_lyapunov l =
        exponent_of(&r, (lashi_lyapunov_options){.interval = turn, .count = 400, .align = 200});
    // Scales of the whole fall, not of the rest.
    double scales[3] = {0.5e-3, 0.5e-3, 0.1};
    lashi_verdict v;
    assert_int_equal(lashi_verdict_of(&v, s->points, s->count, 3, scales, turn, &l, NULL, NULL), LASH_OK);
    print_message("ball: %s-%zu, residue %.2g, exponent %.3g ± %.2g per section\n",
                  lashi_motion_name(v.motion), v.period, v.residue, v.per_turn, v.per_turn_error);
    assert_int_equal(v.motion, LASHI_PERIODIC);
    assert_int_equal(v.period, 1);
    // Neutral directions part linearly: ln(600/200)/400 at most.
    assert_true(fabs(v.per_turn) < 0.003);
    lashi_lyapunov_clear(&l);
    lashi_section_destroy(s);
    rig_close(&r);
}

static void test_slider_cranks_with_play(void **state) {
    (void)state;
    static const struct {
        const char *joint, *radial;
        lashi_motion motion;
    } cases[] = {{"gudgeon", "0.01 mm", LASHI_PERIODIC},
                 {"crankpin", "0.1 mm", LASHI_PERIODIC},
                 {"gudgeon", "0.5 mm", LASHI_CHAOTIC},
                 {"crankpin", "0.5 mm", LASHI_CHAOTIC}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rig r = open_play(cases[k].joint, cases[k].radial, "150 rev of motor");
        const double turn = lash_system_end(r.system) / 150;
        char ex[32], ey[32];
        snprintf(ex, sizeof ex, "%s.ex", cases[k].joint);
        snprintf(ey, sizeof ey, "%s.ey", cases[k].joint);
        const char *channels[] = {ex, ey, "slider.vx"};
        lashi_section *s = cut(&r, (lashi_surface){"motor.angle", 0.5, TWO_PI, 0}, channels, 3, 40 * turn);
        assert_true(s->count >= 109);
        lashi_lyapunov l =
            exponent_of(&r, (lashi_lyapunov_options){.interval = turn / 4, .count = 400, .align = 40});
        const lashi_verdict v = judge(s, turn, &l);
        assert_string_equal(lashi_motion_name(v.motion), lashi_motion_name(cases[k].motion));
        assert_int_equal(v.period, cases[k].motion == LASHI_PERIODIC);
        assert_true(cases[k].motion == LASHI_PERIODIC ? v.per_turn < -1 : v.per_turn > 3);
        lashi_lyapunov_clear(&l);
        lashi_section_destroy(s);
        rig_close(&r);
    }
}

/* How often the distance is put back does not matter, though contacts last over it: their memory is scaled
 * too. */
static void test_interval_does_not_matter(void **state) {
    (void)state;
    double exponents[2], errors[2];
    for (size_t k = 0; k < 2; k++) {
        rig r = open_play("crankpin", "0.5 mm", "180 rev of motor");
        const double turn = lash_system_end(r.system) / 180, parts = k ? 32 : 2;
        rig_step_to(&r, 30 * turn);
        lashi_lyapunov l = exponent_of(&r, (lashi_lyapunov_options){.interval = turn / parts,
                                                                    .count = (size_t)(200 * parts),
                                                                    .align = (size_t)(10 * parts)});
        exponents[k] = l.exponent * turn;
        errors[k] = l.error * turn;
        lashi_lyapunov_clear(&l);
        rig_close(&r);
    }
    print_message("crankpin 0.5 mm: %.3f ± %.3f and %.3f ± %.3f per turn\n", exponents[0], errors[0],
                  exponents[1], errors[1]);
    assert_true(fabs(exponents[1] - exponents[0]) < 4 * hypot(errors[0], errors[1]));
    assert_true(hypot(errors[0], errors[1]) < 0.4);
}

/* ---- what the exponent stands on ---- */

static void test_coordinates_and_states(void **state) {
    (void)state;
    rig r = open_play("gudgeon", "0.1 mm", "2 rev of motor");
    lash_error error = {0};
    const size_t n = lash_sim_coordinate_count(r.sim);
    double y[16], moved[16], memory[2];
    assert_true(n <= 16);
    assert_int_equal(lash_sim_memory_count(r.sim), 2);
    rig_step_to(&r, 0.006);
    lash_state *saved;
    rig_require(lash_state_create(&saved, r.sim, &error), &error, "save");
    const double x = rig_value(&r, "slider.x");
    lash_sim_coordinates(y, r.sim);
    // Off the constraints and back: the change that the joints do not allow is gone.
    for (size_t i = 0; i < n; i++)
        moved[i] = y[i] + 1e-4;
    rig_require(lash_sim_set_coordinates(r.sim, moved, &error), &error, "set");
    assert_true(rig_value(&r, "constraint.position") > 1e-5);
    rig_require(lash_sim_restore(r.sim, saved, &error), &error, "restore");
    assert_true(rig_value(&r, "slider.x") == x); // at the same time as before it
    rig_require(lash_sim_project_coordinates(moved, r.sim, &error), &error, "project");
    assert_true(rig_value(&r, "slider.x") == x);
    rig_require(lash_sim_set_coordinates(r.sim, moved, &error), &error, "set");
    assert_true(rig_value(&r, "constraint.position") < 1e-14);
    assert_true(rig_value(&r, "constraint.velocity") < 1e-11);
    rig_require(lash_sim_restore(r.sim, saved, &error), &error, "restore");
    // The approach speed is part of the damping force.
    lash_sim_memory(memory, r.sim);
    assert_true(rig_value(&r, "gudgeon.mode") > 0 && memory[0] > 0 && memory[1] == 0);
    const double force = rig_value(&r, "gudgeon.fn");
    memory[0] *= 2;
    rig_require(lash_sim_set_memory(r.sim, memory, &error), &error, "memory");
    assert_true(rig_value(&r, "gudgeon.fn") != force);
    lash_state_destroy(saved);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phase_of_a_drive),
        cmocka_unit_test(test_begins_on_the_surface),
        cmocka_unit_test(test_event_surface),
        cmocka_unit_test(test_section_mistakes),

        cmocka_unit_test(test_damped),
        cmocka_unit_test(test_driven_pendulum),
        cmocka_unit_test(test_ball_in_a_bearing),
        cmocka_unit_test(test_slider_cranks_with_play),
        cmocka_unit_test(test_interval_does_not_matter),
        cmocka_unit_test(test_coordinates_and_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
