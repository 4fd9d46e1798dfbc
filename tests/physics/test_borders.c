/* SPDX-License-Identifier: MIT
 *
 * Conditions of the state at exactly their limit: where a number comes to it and stays there, an expression has
 * the value that its text has at that number; where it passes, nothing changes. In closed form, with all methods
 * and side by side.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lash/ensemble.h"
#include "own_cache.h"
#include "rig.h"

static const char *const methods[] = {"dop853", "adams", "gear"};
enum { METHODS = 3, MOST = 16 };

/* A machine, and what its channels are at its end. */
typedef struct machine {
    const char *name, *text;
    double end;  /* s */
    bool beside; /* also in ensembles */
    double tolerance;
    struct {
        const char *channel;
        double wanted;
    } seen[MOST];
} machine;

#define BLOCK                                                                                                \
    "bodies: {b: {mass: 1, inertia: 1}}\n"                                                                   \
    "joints: {g: {type: translational, between: [ground, b], axis: [1, 0]}}\n"
/* Its speed is the time for which a condition has held. */
#define PUSHED(condition) "forces: {f: {type: force, at: b, force: ['if(" condition ", 1 N, 0 N)', 0]}}\n"
/* The time integral of an expression. */
#define OVER_TIME(name, expression) "  " name ": '" expression "'\n  of_" name ": {integral: " name "}\n"
#define HELD(name, condition)       OVER_TIME(name, "if(" condition ", 1, 0)")

static const machine machines[] = {
    {"comes down to zero and stays",
     BLOCK PUSHED("level > 0") "inputs: {pedal: {table: [[0, 1], [0.5, 0], [2, 0]]}}\n"
                               "signals:\n"
                               "  level: 'max(1 - 2*t/(1 s), 0)'\n" //
     HELD("above", "level > 0") HELD("pressed", "pedal > 0") HELD("at_most", "level <= 0")
         HELD("equal", "level == 0") OVER_TIME("way", "sign(level)") HELD("never_below", "level >= 0"),
     1,
     true,
     1e-9,
     {{"b.vx", 0.5},
      {"of_above", 0.5},
      {"of_pressed", 0.5},
      {"of_at_most", 0.5},
      {"of_equal", 0.5},
      {"of_way", 0.5},
      {"of_never_below", 1}}},
    {"a flag",
     BLOCK PUSHED("flag > 0") "signals:\n"
                              "  flag: 'if(t < 0.5 s, 1, 0)'\n"
                              "  held: {hold: 'if(t < 0.45 s, 1, 0)', every: 0.1 s}\n" //
     HELD("raised", "held > 0") HELD("lowered", "not (flag > 0)"),
     1,
     true,
     1e-9,
     {{"b.vx", 0.5}, {"of_raised", 0.5}, {"of_lowered", 0.5}}},
    {"rests and goes on",
     BLOCK "signals:\n"
           "  down: 'if(t < 0.5 s, 1 - 2*t/(1 s), if(t < 0.7 s, 0, -(t - 0.7 s)/(1 s)))'\n"
           "  up: 'if(t < 0.4 s, 1 - 2.5*t/(1 s), if(t < 0.7 s, 0, (t - 0.7 s)/(1 s)))'\n"
           "  touch: '(1 - 2*t/(1 s))^2'\n" //
     HELD("above", "down > 0") HELD("below", "down < 0") HELD("again", "up > 0") HELD("none", "touch <= 0")
         HELD("all", "touch > 0"),
     1,
     true,
     1e-9,
     {{"of_above", 0.5}, {"of_below", 0.3}, {"of_again", 0.7}, {"of_none", 0}, {"of_all", 1}}},
    {"counters",
     BLOCK "signals:\n"
           "  ticks: {hold: 'ticks + 1', every: 0.1 s}\n"
           "  left: {hold: 'left - 1', every: 0.1 s, initial: 10}\n" //
     HELD("late", "ticks >= 3") HELD("early", "ticks < 3") HELD("three", "ticks == 3") HELD(
         "other", "not (ticks == 3)") OVER_TIME("way", "sign(ticks - 3)") HELD("even", "mod(ticks, 2) < 1")
         HELD("two", "mod(ticks, 2) == 0") OVER_TIME("rest", "mod(ticks, 3)") HELD("more", "left > 5")
             HELD("less", "left <= 5") OVER_TIME("side", "sign(left - 5)"),
     1,
     true,
     1e-9,
     {{"of_late", 0.8},
      {"of_early", 0.2},
      {"of_three", 0.1},
      {"of_other", 0.9},
      {"of_way", 0.5},
      {"of_even", 0.5},
      {"of_two", 0.5},
      {"of_rest", 1.0},
      {"of_more", 0.4},
      {"of_less", 0.6},
      {"of_side", -0.1}}},
    // Its speed ends as a cubic, whose last millionth of the time is below rounding.
    {"a drive that ramps to rest",
     "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
     "joints: {p: {type: revolute, between: [ground, a]}, g: {type: translational, between: [ground, b], "
     "axis: [1, 0]}}\n"
     "drives: {d: {joint: p, ramp: {from: 10, to: 0, over: 0.5}}}\n" PUSHED("a.wz > 0 rad/s") "signals:\n" //
     HELD("joint", "p.wz > 0 rad/s") OVER_TIME("way", "sign(a.wz)") HELD("still", "a.wz == 0 rad/s"),
     1,
     true,
     5e-6,
     {{"b.vx", 0.5}, {"of_joint", 0.5}, {"of_way", 0.5}, {"of_still", 0.5}}},
    {"a fall onto a stop",
     "gravity: [0, -10]\n"
     "bodies: {a: {mass: 1, inertia: 1, position: [0, 1], hold: [y]}}\n"
     "joints: {g: {type: translational, between: [ground, a], axis: [0, 1], stops: {min: 0, model: "
     "three-mode, restitution: 0}}}\n"
     "signals:\n" //
     HELD("falls", "a.vy < 0 m/s") HELD("rests", "a.vy >= 0 m/s") HELD("high", "a.y > 0 m")
         HELD("landed", "a.y <= 0 m") OVER_TIME("way", "sign(a.vy)") HELD("slow", "a.vy > -1e-9 m/s")
             HELD("low", "a.y < 1e-9 m"),
     2,
     true,
     1e-8,
     {{"of_falls", 0.44721359549995793},
      {"of_rests", 1.5527864045000421},
      {"of_high", 0.44721359549995793},
      {"of_landed", 1.5527864045000421},
      {"of_way", -0.44721359549995793},
      {"of_slow", 1.5527864045000421},
      {"of_low", 1.5527864045000421}}},
    // Friction of 2 N stops the block at 1 s. The force that then acts moves it from 1.5 s on.
    {"a block that sticks",
     "gravity: [0, -10]\n"
     "bodies: {b: {mass: 1, inertia: 1, velocity: [2, 0], hold: [vx]}}\n"
     "joints: {g: {type: translational, between: [ground, b], axis: [1, 0], friction: {coefficient: 0.2, "
     "length: 0.1}}}\n"
     "forces: {f: {type: force, at: b, force: ['if(b.vx > 0 m/s, 0 N, if(t > 1.5 s, -3 N, 1 N))', 0]}}\n"
     "signals:\n" //
     HELD("moving", "b.vx > 0 m/s") HELD("joint", "g.sdot > 0 m/s") OVER_TIME("way", "sign(b.vx)"),
     2.5,
     false,
     1e-7,
     {{"b.x", 0.5}, {"b.vx", -1}, {"of_moving", 1}, {"of_joint", 1}, {"of_way", 0}}},
    {"a force against what sticks",
     "gravity: [0, -10]\n"
     "bodies: {b: {mass: 1, inertia: 1, velocity: [-3, 0], hold: [vx]}}\n"
     "joints: {g: {type: translational, between: [ground, b], axis: [1, 0], friction: {coefficient: 0.2, "
     "length: 0.1}}}\n"
     "forces: {f: {type: force, at: b, force: ['-1 N*sign(b.vx)', 0]}}\n",
     2,
     false,
     1e-7,
     {{"b.vx", 0}, {"b.x", -1.5}, {"f.fx", 0}, {"g.friction", 0}}},
};

static void check(const machine *it, const char *how, size_t k, double found) {
    if (!(fabs(found - it->seen[k].wanted) <= it->tolerance))
        fail_msg("%s, %s: %s = %.12g, wanted %.12g", it->name, how, it->seen[k].channel, found,
                 it->seen[k].wanted);
}

static void runs_in_closed_form(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (int method = 0; method < METHODS; method++) {
            const machine *it = &machines[i];
            lash_error error = {0};
            rig r = rig_open("%srun: {until: %g, method: %s}\n", it->text, it->end, methods[method]);
            rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, it->name);
            for (size_t k = 0; k < MOST && it->seen[k].channel; k++)
                check(it, methods[method], k, rig_value(&r, it->seen[k].channel));
            rig_close(&r);
        }
}

static void beside_in_closed_form(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        const machine *it = &machines[i];
        const char *channels[MOST];
        size_t count = 0;
        lash_error error = {0};
        lash_ensemble *ensemble;
        if (!it->beside)
            continue;
        for (; count < MOST && it->seen[count].channel; count++)
            channels[count] = it->seen[count].channel;
        rig r = rig_open("%srun: {until: %g}\n", it->text, it->end);
        rig_require(lash_ensemble_create(&ensemble, r.system,
                                         &(lash_ensemble_plan){.channels = channels, .channel_count = count},
                                         &error),
                    &error, it->name);
        rig_require(lash_ensemble_add(ensemble, r.system, &(lash_ensemble_span){.until = it->end}, &error),
                    &error, it->name);
        rig_require(lash_ensemble_run(ensemble, LASH_ON_LANES, NULL, NULL, &error), &error, it->name);
        if (lash_ensemble_status(ensemble, 0) != LASH_OK)
            fail_msg("%s, side by side: %s", it->name, lash_status_name(lash_ensemble_status(ensemble, 0)));
        for (size_t k = 0; k < count; k++)
            check(it, "side by side", k, lash_ensemble_value(ensemble, 0, k, LASH_ENSEMBLE_END));
        lash_ensemble_destroy(ensemble);
        rig_close(&r);
    }
}

/* The time within the first second for which sin(300 t) is above a limit. */
static double time_above(double limit) {
    const double turn = 2 * RIG_PI, first = asin(limit), last = RIG_PI - first, turns = floor(300 / turn),
                 rest = 300 - turns * turn;
    return (turns * (last - first) + fmax(fmin(rest, last) - first, 0)) / 300;
}

/* The same condition several times over: all change at one instant. */
static void conditions_at_one_instant(void **state) {
    (void)state;
    static const double limits[] = {0.1, 0.9, 0.999};
    for (int method = 0; method < METHODS; method++) {
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
            lash_error error = {0};
            rig r = rig_open(
                "bodies: {a: {mass: 1, inertia: 1, angular_velocity: 300, hold: [w, angle]}, b: {mass: 1, "
                "inertia: 1}}\n"
                "joints: {p: {type: revolute, between: [ground, a]}, g: {type: translational, between: "
                "[ground, b], axis: [1, 0]}}\n"
                "signals: {cond: 'if(sin(a.angle) > %g, 1, 0)', of_cond: {integral: cond}}\n"
                "forces: {f: {type: force, at: b, force: ['if(sin(a.angle) > %g, 100 N, 0 N)', "
                "'if(sin(a.angle) > %g, 100 N, 0 N)']}}\n"
                "run: {until: 1 s, method: %s}\n",
                limits[k], limits[k], limits[k], methods[method]);
            rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, methods[method]);
            const double wanted = time_above(limits[k]), speed = rig_value(&r, "b.vx");
            if (!(fabs(speed - 100 * wanted) < 1e-9) || !(fabs(rig_value(&r, "of_cond") - wanted) < 1e-9))
                fail_msg("%s, limit %g: %.12g m/s, wanted %.12g", methods[method], limits[k], speed,
                         100 * wanted);
            rig_close(&r);
        }
        // Three bodies fall 0.5 m, are braked with 3 g, and are back at 1 m.
        lash_error error = {0};
        const double period = 2 * sqrt(0.1) + 2 * sqrt(10) / 30;
        rig r = rig_open(
            "gravity: [0, -10]\n"
            "bodies: {a: {mass: 1, inertia: 1, position: [0, 1]}, b: {mass: 1, inertia: 1, position: [0, "
            "1]}, c: "
            "{mass: 1, inertia: 1, position: [0, 1]}}\n"
            "joints: {ga: {type: translational, between: [ground, a], axis: [0, 1]}, gb: {type: "
            "translational, between: [ground, b], axis: [0, 1]}, gc: {type: translational, between: [ground, "
            "c], axis: [0, 1]}}\n"
            "forces: {fa: {type: force, at: a, force: [0, 'if(a.y < 0.5 m, 40 N, 0 N)']}, fb: {type: force, "
            "at: b, force: [0, 'if(b.y < 0.5 m, 40 N, 0 N)']}, fc: {type: force, at: c, force: [0, 'if(c.y < "
            "0.5 m, 40 N, 0 N)']}}\n"
            "run: {until: %.17g, method: %s}\n",
            3 * period, methods[method]);
        rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, methods[method]);
        static const char *const places[] = {"a.y", "b.y", "c.y"};
        for (int k = 0; k < 3; k++)
            if (!(fabs(rig_value(&r, places[k]) - 1) < 1e-9))
                fail_msg("%s: %s = %.12g", methods[method], places[k], rig_value(&r, places[k]));
        rig_close(&r);
    }
}

/* Inputs that are set: to the limit, away from it and back at one instant. */
static void inputs_that_are_set(void **state) {
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        lash_error error = {0};
        rig r = rig_open(BLOCK "inputs: {pedal: 1}\n" PUSHED("pedal > 0") "run: {until: 2, method: %s}\n",
                         methods[method]);
        static const double values[][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 1}, {0, 1, 0}};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            rig_require(lash_sim_run_until(r.sim, 0.5 * (double)k + 0.25, NULL, NULL, &error), &error, "run");
            for (int i = 0; i < 3; i++)
                rig_require(lash_sim_set_input(r.sim, 0, values[k][i], &error), &error, "set");
        }
        rig_require(lash_sim_run_until(r.sim, 2, NULL, NULL, &error), &error, "run");
        if (!(fabs(rig_value(&r, "b.vx") - 0.75) < 1e-12))
            fail_msg("%s: %.17g", methods[method], rig_value(&r, "b.vx"));
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_in_closed_form),
        cmocka_unit_test(beside_in_closed_form),
        cmocka_unit_test(conditions_at_one_instant),
        cmocka_unit_test(inputs_that_are_set),
    };
    return cmocka_run_group_tests(tests, own_cache_begin, own_cache_end);
}
