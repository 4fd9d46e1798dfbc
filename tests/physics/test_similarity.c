/* SPDX-License-Identifier: MIT
 *
 * Similar machines: with all lengths times 4^i, all masses times 2^j and all times times 2^k a machine makes the
 * same motion, every number times its own powers of these. So the run must take as many steps, find as many
 * events and end in the same place: whatever in it decides about a step, a tolerance, an event or an iteration
 * has to be compared with something of its own unit. The factors change no digit of a number; what is left is
 * the rounding of powers, and what contacts make of it.
 *
 * Numbers of the models below are written @VALUE l m t@, with the exponents of m, kg and s.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lash/linear.h"
#include "physics/rig.h"

typedef struct scale {
    double length, mass, time;
} scale;

static const scale unscaled = {1, 1, 1},
                   scales[] = {{64, 1, 1}, {1, 32, 1}, {1.0 / 16, 4, 1}, {1, 1, 8}, {1.0 / 16, 4, 1.0 / 4}};
/* Of them: those that do not change the time. */
enum { TIMELESS = 3, SCALES = 5 };

static double factor(const scale *s, double l, double m, double t) {
    return pow(s->length, l) * pow(s->mass, m) * pow(s->time, t);
}

/* The text with its numbers scaled, to be freed. */
static char *scaled(const char *text, const scale *s) {
    char *out = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&out, &size);
    assert_non_null(file);
    while (*text) {
        const char *at = strchr(text, '@');
        if (!at) {
            fputs(text, file);
            break;
        }
        double value, l, m, t;
        int used = 0;
        fwrite(text, 1, (size_t)(at - text), file);
        if (sscanf(at, "@%lf %lf %lf %lf@%n", &value, &l, &m, &t, &used) != 4 || used == 0)
            fail_msg("no number: %.40s", at);
        fprintf(file, "%.17g", value * factor(s, l, m, t));
        text = at + used;
    }
    fclose(file);
    return out;
}

/* What a unit such as "kg m^2/s" becomes. */
static double factor_of(const scale *s, const char *unit) {
    static const struct {
        const char *name;
        int l, m, t;
    } known[] = {{"m", 1, 0, 0},  {"kg", 0, 1, 0}, {"s", 0, 0, 1},   {"N", 1, 1, -2},
                 {"J", 2, 1, -2}, {"W", 2, 1, -3}, {"Pa", -1, 1, -2}};
    double value = 1, sign = 1;
    while (*unit) {
        const size_t skipped = strspn(unit, " *·");
        unit += skipped;
        if (*unit == '/') {
            sign = -1;
            unit++;
            continue;
        }
        const size_t length = strcspn(unit, " */^");
        double power = 1;
        const char *name = unit;
        unit += length;
        if (*unit == '^')
            power = strtod(unit + 1, (char **)&unit);
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strlen(known[k].name) == length && strncmp(known[k].name, name, length) == 0)
                value *= pow(factor(s, known[k].l, known[k].m, known[k].t), sign * power);
    }
    return value;
}

static rig open_scaled(const char *text, const char *settings, const scale *s) {
    char *whole = scaled(text, s), *end = scaled(settings, s);
    rig r = rig_open("%s%s", whole, end);
    free(whole);
    free(end);
    return r;
}

static rig run(const char *text, const char *settings, const scale *s) {
    rig r = open_scaled(text, settings, s);
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, settings);
    return r;
}

/* Counts of what is computed, which differ where rounding decides about a step. */
static void near_count(size_t found, size_t expected, double share, const char *what, const char *settings,
                       size_t k) {
    if (fabs((double)found - (double)expected) > 3 + share * (double)expected)
        fail_msg("%s, scale %zu: %zu %s, not %zu", settings, k, found, what, expected);
}

static void same_values(const rig *first, const rig *other, const scale *s, double allowed,
                        const char *settings) {
    const size_t count = lash_sim_channel_count(first->sim);
    for (size_t c = 0; c < count; c++) {
        const char *unit = lash_sim_channel_unit(first->sim, c), *name = lash_sim_channel_name(first->sim, c);
        if (strncmp(name, "constraint", 10) == 0 || strcmp(name, "energy.balance") == 0)
            continue;          // errors themselves
        double largest = 1e-9; // of this unit; less is rounding
        for (size_t d = 0; d < count; d++)
            if (strcmp(lash_sim_channel_unit(first->sim, d), unit) == 0)
                largest = fmax(largest, fabs(lash_sim_value(first->sim, d)));
        const double f = factor_of(s, unit), expected = lash_sim_value(first->sim, c) * f,
                     found = lash_sim_value(other->sim, c);
        if (isnan(expected) && isnan(found))
            continue;
        if (!(fabs(found - expected) <= allowed * largest * f))
            fail_msg("%s, scale %g %g %g: %s is %.17g, not %.17g", settings, s->length, s->mass, s->time,
                     name, found, expected);
    }
}

/* Rounding decides about more steps of a method that remembers them; one scale is enough for it. It also decides when
 * contacts become quiet that still vibrate a little. */
static void compare(const char *text, const char *settings, double allowed, size_t count) {
    const bool remembers = !strstr(settings, "dop853"), quiet = strstr(text, "following: reduce");
    const double share = remembers ? 0.2 : quiet ? 0.1 : 0.05;
    rig first = run(text, settings, &unscaled);
    const lash_summary a = lash_sim_summary(first.sim);
    const double least = lash_system_least_rtol(first.system, NULL);
    assert_true(a.steps > 5);
    for (size_t k = remembers ? count - 1 : 0; k < count; k++) {
        rig other = run(text, settings, &scales[k]);
        const lash_summary b = lash_sim_summary(other.sim);
        rig_near(lash_system_least_rtol(other.system, NULL), least, 1e-12 * least, "%s: least rtol",
                 settings);
        near_count(b.events, a.events, 0, "events", settings, k);
        near_count(b.steps, a.steps, share, "steps", settings, k);
        near_count(b.evaluations, a.evaluations, share, "evaluations", settings, k);
        near_count(b.looks, a.looks, 0.2, "looks", settings, k);
        near_count(b.settled_turns, a.settled_turns, 0, "turns to settle", settings, k);
        same_values(&first, &other, &scales[k], allowed, settings);
        rig_close(&other);
    }
    rig_close(&first);
}

#define METHODS (LASH_HAVE_CVODE ? 3 : 1)
static const char *const methods[] = {"dop853", "adams", "gear"};

static const char *with(const char *settings, const char *method) {
    static char out[300];
    snprintf(out, sizeof out, "run: {%s, alpha: @5 0 0 -1@, beta: @5 0 0 -1@, method: %s}\n", settings,
             method);
    return out;
}

/* ---- machines ---- */

#define CRANK                                                                                                \
    "gravity: [0, @-9.81 1 0 -2@]\n"                                                                         \
    "bodies:\n"                                                                                              \
    "  crank: {mass: @0.3 0 1 0@, inertia: @1e-4 2 1 0@, position: [@0.025 1 0 0@, 0],\n"                    \
    "          points: {main: [@-0.025 1 0 0@, 0], pin: [@0.025 1 0 0@, 0]}}\n"                              \
    "  rod: {mass: @0.21 0 1 0@, inertia: @2.5e-4 2 1 0@, position: [@0.11 1 0 0@, 0],\n"                    \
    "        points: {big: [@-0.06 1 0 0@, 0], small: [@0.06 1 0 0@, 0]}}\n"                                 \
    "  slider: {mass: @0.14 0 1 0@, inertia: @1e-4 2 1 0@, position: [@0.17 1 0 0@, 0]}\n"                   \
    "joints:\n"                                                                                              \
    "  main: {type: revolute, between: [ground, crank.main]}\n"                                              \
    "  crankpin: {type: revolute, between: [rod.big, crank.pin]}\n"                                          \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"

#define DRY(following)                                                                                       \
    "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: {\n"                               \
    "    bearing_radius: @0.01 1 0 0@, radial: @1e-4 1 0 0@, tolerance: @1e-12 1 0 0@,\n"                    \
    "    contact: {stiffness: @6.6e10 -0.5 1 -2@, restitution: 0.7, speed_floor: @1e-6 1 0 -1@,\n"           \
    "              following: " following "},\n"                                                             \
    "    friction: {law: ambrosio, coefficient: 0.05, v0: @1e-4 1 0 -1@, v1: @1e-3 1 0 -1@}}}\n"

#define SLOW_DRIVE "drives: {motor: {joint: main, speed: @20 0 0 -1@}}\n"

static void test_compliant(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++)
        compare(CRANK DRY("auto") SLOW_DRIVE,
                with("until: 0.2 rev of motor, first_step: @1e-4 0 0 1@", methods[m]), 1e-5, SCALES);
    // Reduced contacts have no error control: ẅ is that of the steps before, of which rounding makes two more or less, and
    // accelerations differ by 2e-5 of the largest at any rtol.
    compare(CRANK DRY("reduce") SLOW_DRIVE,
            with("until: 0.4 rev of motor, first_step: @1e-4 0 0 1@", "dop853"), 1e-4, SCALES);
}

static void test_oil(void **state) {
    (void)state;
    compare(CRANK
            "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: {\n"
            "    bearing_radius: @0.01 1 0 0@, radial: @1e-4 1 0 0@, length: @0.02 1 0 0@,\n"
            "    tolerance: @1e-12 1 0 0@,\n"
            "    contact: {stiffness: @6.6e10 -0.5 1 -2@, restitution: 0.7, speed_floor: @1e-6 1 0 -1@},\n"
            "    lubricant: {film: short, viscosity: @0.4 -1 1 -1@}}}\n" SLOW_DRIVE,
            with("until: 0.4 rev of motor, first_step: @1e-4 0 0 1@", "dop853"), 1e-5, SCALES);
}

/* Impacts, following contact, sticking and sliding of what is rigid. */
static void test_rigid(void **state) {
    (void)state;
    static const char text[] =
        "gravity: [0, @-9.81 1 0 -2@]\n"
        "bodies:\n"
        "  cart: {mass: @2 0 1 0@, inertia: @0.1 2 1 0@, velocity: [@1.5 1 0 -1@, 0], hold: [vx]}\n"
        "  bob: {mass: @0.7 0 1 0@, inertia: @0.01 2 1 0@, position: [0, @-0.3 1 0 0@], points: {top: [0, "
        "@0.3 1 0 0@]}}\n"
        "joints:\n"
        "  rail: {type: translational, between: [ground, cart], axis: [1, 0],\n"
        "         friction: {coefficient: 0.1, coefficient_static: 0.15, length: @0.2 1 0 0@},\n"
        "         stops: {max: @0.4 1 0 0@, min: @-0.1 1 0 0@, model: three-mode, restitution: 0.5, "
        "rest_speed: @0.05 1 0 -1@}}\n"
        "  pivot: {type: revolute, between: [cart, bob.top], clearance: {model: three-mode, radial: @0.002 1 "
        "0 0@,\n"
        "          restitution: 0.4, rest_speed: @0.01 1 0 -1@, tolerance: @1e-12 1 0 0@}}\n";
    for (int m = 0; m < METHODS; m++)
        compare(text, with("until: @0.7 0 0 1@, first_step: @1e-4 0 0 1@", methods[m]), 1e-4, SCALES);
}

/* A ball with play on a pendulum in space, with bristles. The length of Euler parameters is kept at a rate of
 * its own, 1/s. */
static void test_space(void **state) {
    (void)state;
    static const char text[] =
        "space: spatial\n"
        "gravity: [0, 0, @-9.81 1 0 -2@]\n"
        "bodies:\n"
        "  arm: {mass: @2 0 1 0@, inertia: [@0.01 2 1 0@, @0.02 2 1 0@, @0.025 2 1 0@], position: [@0.2 1 0 "
        "0@, 0, 0],\n"
        "        points: {pin: [@-0.2 1 0 0@, 0, 0], tip: [@0.2 1 0 0@, 0, 0]}}\n"
        "  bob: {mass: @0.5 0 1 0@, inertia: [@1e-3 2 1 0@, @2e-3 2 1 0@, @2.5e-3 2 1 0@], position: [@0.5 1 "
        "0 0@, 0, 0],\n"
        "        velocity: [0, @1 1 0 -1@, 0], points: {pin: [@-0.1 1 0 0@, 0, 0]}}\n"
        "joints:\n"
        "  hinge: {type: revolute, between: [ground, arm.pin], axis: [0, 1, 0]}\n"
        "  ball: {type: spherical, between: [arm.tip, bob.pin], clearance: {\n"
        "    bearing_radius: @0.01 1 0 0@, radial: @2e-4 1 0 0@, tolerance: @1e-12 1 0 0@,\n"
        "    contact: {law: hunt-crossley, stiffness: @1e9 -0.5 1 -2@, restitution: 0.6, speed_floor: @1e-6 "
        "1 0 -1@, approach: energy},\n"
        "    friction: {law: lugre, coefficient: 0.1, stribeck_speed: @1e-2 1 0 -1@, bristle_stiffness: @1e4 "
        "-1 0 0@, bristle_damping: @100 -1 0 1@}}}\n";
    compare(text, with("until: @0.05 0 0 1@, first_step: @1e-4 0 0 1@", "dop853"), 1e-4, TIMELESS);
}

/* Signals, a lag, an integral and a spring on a machine without play. */
static const char ideal[] = CRANK
    "  gudgeon: {type: revolute, between: [slider, rod.small]}\n"
    "signals: {far: {integral: slider.x}, slow: {lag: slider.vx, time: @0.05 0 0 1@}}\n"
    "forces:\n"
    "  back: {type: spring, between: [ground, slider], stiffness: @90 0 1 -2@, free_length: @0.05 1 0 0@, "
    "damping: @2 0 1 -1@}\n"
    "  push: {type: force, at: slider, force: [\"@-3 0 1 -1@ N s/m*slow + @2 0 1 -3@ N/m/s*far\", 0]}\n"
    "  turn: {type: torque, body: crank, torque: \"@0.5 2 1 -2@ N m*sin(@11 0 0 -1@ rad/s*t)\"}\n";

static void test_ideal(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++)
        compare(ideal, with("until: @0.5 0 0 1@, first_step: @1e-4 0 0 1@", methods[m]), 1e-5, SCALES);
    for (int m = 0; m < METHODS; m++)
        compare(ideal,
                with("until: @0.5 0 0 1@, atol: 1e-8, rtol: 1e-7, first_step: @1e-4 0 0 1@", methods[m]),
                1e-5, SCALES);
}

/* Repeating motion, and rest. */
static void test_starts(void **state) {
    (void)state;
    static const char swing[] =
        "gravity: [0, @-9.81 1 0 -2@]\n"
        "bodies: {bob: {mass: @2 0 1 0@, inertia: @0.1 2 1 0@, position: [0, @-0.5 1 0 0@], points: {top: "
        "[0, @0.5 1 0 0@]}}}\n"
        "joints: {pivot: {type: revolute, between: [ground, bob.top]}}\n"
        "forces:\n"
        "  drag: {type: viscous, joint: pivot, coefficient: @2 2 1 -1@}\n"
        "  push: {type: torque, body: bob, torque: \"@3 2 1 -2@ N m*(1 + sin(@4 0 0 -1@ rad/s*t))\"}\n";
    compare(swing, with("until: @3 0 0 1@, start: equilibrium, first_step: @1e-3 0 0 1@", "dop853"), 1e-9,
            SCALES);
    compare(swing,
            with("until: @1 0 0 1@, start: settled, settle_period: @1.5707963267948966 0 0 1@, first_step: "
                 "@1e-3 0 0 1@",
                 "dop853"),
            1e-7, SCALES);
}

/* Frequencies of a vibration about the present state. */
static void test_linear(void **state) {
    (void)state;
    rig first =
        open_scaled(ideal, "run: {until: @1 0 0 1@, alpha: @5 0 0 -1@, beta: @5 0 0 -1@}\n", &unscaled);
    lash_linear *a, *b;
    lash_error error = {0};
    rig_require(lash_linear_create(&a, first.sim, NULL, 0, &error), &error, "linear");
    for (size_t k = 0; k < SCALES; k++) {
        rig other =
            open_scaled(ideal, "run: {until: @1 0 0 1@, alpha: @5 0 0 -1@, beta: @5 0 0 -1@}\n", &scales[k]);
        rig_require(lash_linear_create(&b, other.sim, NULL, 0, &error), &error, "linear");
        lash_mode p, q;
        size_t n = 0;
        for (; lash_linear_mode(&p, a, n); n++) {
            assert_true(lash_linear_mode(&q, b, n));
            rig_near(q.real * scales[k].time, p.real, 1e-7 * (fabs(p.real) + fabs(p.imaginary)), "decay");
            rig_near(q.imaginary * scales[k].time, p.imaginary, 1e-7 * (fabs(p.real) + fabs(p.imaginary)),
                     "frequency");
        }
        assert_true(n > 1);
        lash_linear_destroy(b);
        rig_close(&other);
    }
    lash_linear_destroy(a);
    rig_close(&first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compliant), cmocka_unit_test(test_oil),   cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_space),     cmocka_unit_test(test_ideal), cmocka_unit_test(test_starts),
        cmocka_unit_test(test_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
