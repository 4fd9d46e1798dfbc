/* SPDX-License-Identifier: MIT
 *
 * Drives and forces as functions of time, with breaks: impulses against their closed forms with every method
 * and tolerance, pulses that a long step would pass over, drives that jump, tables and their ends, and breaks
 * together with contacts, samples, checkpoints and limits of the step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

static const char *const methods[] = {"dop853", "adams", "gear"};
enum { METHODS = 3 };

/* A mass of 1 kg on a guide, and what is appended. */
#define SLIDE                                                                                                \
    "bodies: {m: {mass: 1, inertia: 1}}\n"                                                                   \
    "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"

static void near(const char *what, double found, double wanted, double tolerance) {
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%s: %.17g, wanted %.17g (off by %.3g)", what, found, wanted, fabs(found - wanted));
}

/* Speed of the mass after a run under a force; its energy is balanced by the power of the force. */
static double speed_after(const char *force, double until, const char *method, double rtol) {
    // The way, and with it the work, is as accurate as the tolerance, which a short pulse's energy may not be.
    rig r = rig_open(SLIDE "forces: {push: {type: force, at: m, force: [\"%s\", 0]}}\n"
                           "run: {until: %.17g, method: %s, rtol: %g, balance: 0.5}\n",
                     force, until, method, rtol);
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    near("end", lash_sim_time(r.sim), until, 0);
    const lash_summary summary = lash_sim_summary(r.sim);
    // Of the energy exchanged, or of the kinetic energy at 1 m/s.
    near("balance", summary.max_balance_error, 0, 100 * (rtol + 1e-13) * (summary.energy_exchanged + 1));
    double y[2]; // x, v
    assert_int_equal(lash_sim_coordinate_count(r.sim), 2);
    lash_sim_coordinates(y, r.sim);
    rig_close(&r);
    return y[1];
}

/* A run may end a rounding or two after a break. */
static void test_ends_beside_a_break(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        double until = nextafter(0.2, 0);
        for (int k = 0; k < 6; k++, until = nextafter(until, 1))
            near(methods[m], speed_after("if(t < 0.2, 5*t, sin(t))", until, methods[m], 1e-6), 0.1, 1e-7);
    }
}

/* ---- impulses ---- */

static void test_impulses(void **state) {
    (void)state;
    const double tolerances[] = {1e-3, 1e-8, 1e-12}, s = asin(0.3);
    const struct {
        const char *force;
        double until, impulse;
        double edges; // N, sum of the jumps: the times of the breaks are rounded
    } cases[] = {
        {"if(t < 5 s, 0 N, if(t < 5.01 s, 1000 N, 0 N))", 10, 10, 2e3},
        {"1000 N*(if(t >= 5, 1, 0) - if(t > 5.01, 1, 0))", 10, 10, 2e3},
        {"500 N*(sign(t - 5) - sign(t - 5.01))", 10, 10, 2e3},
        {"if(abs(t - 5) < 0.005, 1000, 0)", 10, 10, 2e3},
        {"1e5 N/s*max(0, min(t - 5 s, 5.02 s - t))", 10, 10, 2e3}, // a triangle
        {"if(mod(t, 1 s) < 10 us, 1 kN, 0 N)", 9.5, 0.1, 20e3},    // ten of them
        {"if(sin(100*t) > 0.3, 1, 0)", 0.2 * RIG_PI, 10 * (RIG_PI - 2 * s) / 100, 20},
        {"if(t^2 > 2 and not t > 1.5, 3, 0)", 4, 3 * (1.5 - sqrt(2)), 6},
        {"mod(t, 0.25)", 2, 8 * 0.5 * 0.0625, 2},
        // a line with corners
        {"max(0, min(3*t, 6 - t)) + 100*abs(t - 3)", 6, 0.5 * 4.5 * 6 + 900, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int m = 0; m < METHODS; m++)
            for (int k = 0; k < 3; k++) {
                const double v = speed_after(cases[i].force, cases[i].until, methods[m], tolerances[k]);
                char what[200];
                snprintf(what, sizeof what, "%s with %s at %g", cases[i].force, methods[m], tolerances[k]);
                near(what, v, cases[i].impulse,
                     1e-12 * cases[i].impulse + 2.2e-16 * cases[i].until * cases[i].edges);
            }
}

/* Pulses that begin and end at zero: a step that knows the ends of a piece alone would not see them. */
static void test_half_waves(void **state) {
    (void)state;
    const double tolerances[] = {1e-4, 1e-6, 1e-9}, edge = asin(0.995), w = 20 * RIG_PI;
    const struct {
        const char *force;
        double until, impulse;
    } cases[] = {
        {"if(t > 0.2, if(t < 0.2005, 2000*sin(pi*(t - 0.2)/0.0005), 0), 0)", 1, 2 * 2000 * 0.0005 / RIG_PI},
        {"if(t > 0.2, if(t < 0.2005, 2000*sin(pi*(t - 0.2)/0.0005)^2, 0), 0)", 1, 2000 * 0.0005 / 2},
        {"max(0, 2000*sin(2*pi*t/0.1) - 1990)", 0.6,
         6 * (2000 * 2 * cos(edge) - 1990 * (RIG_PI - 2 * edge)) / w},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int m = 0; m < METHODS; m++)
            for (int k = 0; k < 3; k++) {
                char what[200];
                snprintf(what, sizeof what, "%s with %s at %g", cases[i].force, methods[m], tolerances[k]);
                near(what, speed_after(cases[i].force, cases[i].until, methods[m], tolerances[k]),
                     cases[i].impulse, 100 * tolerances[k] * cases[i].impulse);
            }
}

/* Smooth pulses that are flat on top, or whose tails overflow on the way. */
static void test_hidden_pulses(void **state) {
    (void)state;
    const struct {
        const char *force;
        double impulse;
    } cases[] = {
        {"exp(-((t - 5)/0.1)^4)", 0.2 * tgamma(1.25)},
        {"1e3*exp(-((t - 5.01)/1e-3)^4)", 2 * tgamma(1.25)},
        {"100*exp(-((t - 5)/0.01)^8)", 2 * tgamma(1.125)},
        {"1e3/cosh((t - 5)/1e-3)^2", 2},
        {"1e3/cosh((t - 4.9)/1e-3)", RIG_PI},
        {"1e3/(exp((t - 5)/1e-3) + exp(-(t - 5)/1e-3))", RIG_PI / 2},
        {"1e3/(1 + ((t - 5)/1e-3)^100)", 2 * (RIG_PI / 100) / sin(RIG_PI / 100)},
        {"1e3*exp(-((t - 3)/1e-3)^4) + 1e3*exp(-((t - 7)/1e-3)^4)", 4 * tgamma(1.25)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int m = 0; m < METHODS; m++)
            near(cases[i].force, speed_after(cases[i].force, 10, methods[m], 1e-8), cases[i].impulse,
                 1e-6 * cases[i].impulse);
}

/* A square wave over a thousand seconds: the breaks are found as they come. */
static void test_square_wave(void **state) {
    (void)state;
    rig r =
        rig_open(SLIDE "forces: {push: {type: force, at: m, force: [\"if(mod(t, 0.5) < 0.25, 1, -1)\", 0]}}\n"
                       "run: {until: 1024}\n");
    const char *const channels[] = {"m.vx", "m.x", "m.ax", NULL};
    rig_rows rows =
        rig_sample(&r, 8192, channels, false); // samples are exact, and every other one is at a break
    for (size_t i = 0; i < rows.count; i++) {
        // A triangle: the eighth of a second is the grid.
        const size_t phase = i % 4;
        const double v = phase == 2 ? 0.25 : phase == 0 ? 0 : 0.125;
        near("v", rig_at(&rows, i, 1), v, 1e-11);
        const double whole = (double)(i / 4) * 0.0625, part[4] = {0, 0.0078125, 0.03125, 0.0546875};
        near("x", rig_at(&rows, i, 2), whole + part[phase], 1e-8);
        // At a break the sample belongs to the stretch before it.
        near("a", rig_at(&rows, i, 3), i == 0 || phase == 1 || phase == 2 ? 1 : -1, 0);
    }
    rig_rows_close(&rows);
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_true(summary.max_balance_error < 1e-12 && summary.steps < 3 * 4096);
    rig_close(&r);
}

/* The same by gear, which restarts at every break: what it loses there does not add up to a wrong energy.
 */
static void test_square_wave_by_gear(void **state) {
    (void)state;
    rig r =
        rig_open(SLIDE "forces: {push: {type: force, at: m, force: [\"if(mod(t, 0.1) < 0.05, 2, -2)\", 0]}}\n"
                       "run: {until: 1000, method: gear, rtol: 1e-8}\n");
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    rig_ledger(&r, 1e-4);
    rig_close(&r);
}

/* Smooth pulses have no breaks, and are seen all the same. */
static void test_smooth_pulses(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        near("bell", speed_after("1000 N*exp(-((t - 5 s)/(1 ms))^2)", 10, methods[m], 1e-8), sqrt(RIG_PI),
             3e-6);
        near("box",
             speed_after("500 N*(tanh((t - 5 s)/(0.1 ms)) - tanh((t - 5.01 s)/(0.1 ms)))", 10, methods[m],
                         1e-8),
             10, 3e-5);
        near("on a wave", speed_after("sin(t) + 1000*exp(-((t - 5)/1e-3)^2)", 10, methods[m], 1e-8),
             1 - cos(10) + sqrt(RIG_PI), 3e-6);
    }
    near("bell", speed_after("1000 N*exp(-((t - 5 s)/(1 ms))^2)", 10, "dop853", 1e-12), sqrt(RIG_PI), 1e-11);
}

/* Everything else that is a function of time: torques, actuators, vectors in space and in body axes. */
static void test_all_forces(void **state) {
    (void)state;
    static const char *const pulse = "if(t < 5, 0, if(t < 5.01, 1000, 0))";
    rig r = rig_open("bodies: {m: {mass: 1, inertia: 2}}\n"
                     "joints: {pin: {type: revolute, between: [ground, m]}}\n"
                     "forces: {push: {type: torque, body: m, torque: \"%s\"},\n"
                     "  coil: {type: joint-spring, joint: pin, actuator: \"%s\"}}\nrun: {until: 10}\n",
                     pulse, pulse);
    rig_step_to(&r, 10);
    near("torque and actuator", rig_value(&r, "m.wz"), 10, 1e-11);
    rig_close(&r);
    r = rig_open(
        "bodies: {m: {mass: 1, inertia: 2, position: [1, 0]}}\n"
        "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
        "forces: {strut: {type: spring, between: [ground, m], actuator: \"%s\"}}\nrun: {until: 10}\n",
        pulse);
    rig_step_to(&r, 10);
    near("strut", rig_value(&r, "m.vx"), 10, 1e-11);
    rig_close(&r);
    r = rig_open("space: spatial\nbodies: {m: {mass: 2, inertia: [1, 1, 1]}}\n"
                 "forces: {push: {type: force, at: m, frame: body, force: [0, \"%s\", 0]},\n"
                 "  twist: {type: torque, body: m, torque: [0, 0, \"-2*%s\"]}}\nrun: {until: 5.01}\n",
                 pulse, pulse);
    rig_step_to(&r, 5.01);
    near("spin", rig_value(&r, "m.wz"), -20, 1e-10);
    // The force turns with the body: its angle is -1000 (t - 5)^2.
    double wanted[2] = {0, 0};
    for (int i = 0; i < 1000; i++) {
        const double tau = 0.01 * (i + 0.5) / 1000, angle = -1000 * tau * tau;
        wanted[0] += -sin(angle) * 500 * 1e-5;
        wanted[1] += cos(angle) * 500 * 1e-5;
    }
    near("vx", rig_value(&r, "m.vx"), wanted[0], 1e-6);
    near("vy", rig_value(&r, "m.vy"), wanted[1], 1e-6);
    rig_close(&r);
}

/* ---- drives ---- */

/* The acceleration of a drive may jump: the torque does so too, and the energy is that of the motion. */
static void test_drive_acceleration(void **state) {
    (void)state;
    const char *const channels[] = {"motor.torque", "m.angle", "m.wz", NULL};
    for (int way = 0; way < 4; way++) {
        rig r = rig_open(
            "bodies: {m: {mass: 1, inertia: 3}}\njoints: {pin: {type: revolute, between: [ground, m]}}\n"
            "drives: {motor: {joint: pin, motion: \"if(t < 1 s, (t/(1 s))^2/2, t/(1 s) - 0.5)\"}}\n"
            "run: {until: 2, rtol: 1e-8, reduce: %s}\n",
            way & 1 ? "true" : "false");
        rig_rows rows = rig_sample(&r, 8, channels, way & 2);
        for (size_t i = 0; i < rows.count; i++) {
            const double t = 0.25 * (double)i;
            near("torque", rig_at(&rows, i, 1), t <= 1 ? 3 : 0, 1e-9);
            near("angle", rig_at(&rows, i, 2), t <= 1 ? t * t / 2 : t - 0.5, 1e-10);
            near("speed", rig_at(&rows, i, 3), t <= 1 ? t : 1, 1e-10);
        }
        rig_rows_close(&rows);
        if (!(way & 2))
            near("balance", lash_sim_summary(r.sim).max_balance_error, 0, way & 1 ? 1e-12 : 1e-9);
        rig_close(&r);
    }
}

/* A lift of 20 ms in ten seconds of rest, by table and by expression: the mass behind the spring feels it. */
static void test_short_lift(void **state) {
    (void)state;
    static const char *const lifts[] = {
        "table: {points: [[0, 0], [4.99, 0], [5, 1 mm], [5.01, 0], [10, 0]], interpolation: monotone}",
        "table: [[0, 0], [4.9, 0], [4.99, 0], [5, 1 mm], [5.01, 0], [5.1, 0], [10, 0]]",
        "motion: \"1 mm*smoothstep((t - 4.99)/0.01)*smoothstep((5.01 - t)/0.01)\"",
        "motion: \"1 mm*exp(-((t - 5)/4e-3)^2)\""};
    for (size_t i = 0; i < sizeof lifts / sizeof *lifts; i++)
        for (int m = 0; m < METHODS; m++) {
            double at[2][2];
            for (int fine = 0; fine < 2; fine++) {
                rig r = rig_open(
                    "bodies: {cam: {mass: 1, inertia: 1}, m: {mass: 1, inertia: 1, position: [1, 0]}}\n"
                    "joints: {a: {type: translational, between: [ground, cam], axis: [1, 0]},\n"
                    "  b: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                    "drives: {lift: {joint: a, %s}}\n"
                    "forces: {coil: {type: spring, between: [cam, m], stiffness: 100}}\n"
                    "run: {until: 10, rtol: 1e-10, method: %s%s}\n",
                    lifts[i], methods[m], fine ? ", max_step: 1 ms" : "");
                rig_step_to(&r, 10);
                at[fine][0] = rig_value(&r, "m.x") - 1;
                at[fine][1] = rig_value(&r, "m.vx");
                rig_close(&r);
            }
            assert_true(hypot(at[1][0], at[1][1] / 10) > 5e-5); // it does feel it
            near(lifts[i], at[0][0], at[1][0], m == 0 ? 1e-10 : 5e-9);
            near(lifts[i], at[0][1], at[1][1], m == 0 ? 1e-9 : 1e-7);
        }
}

/* A drive that goes on all the time is pushed for a millisecond: its position has no extremum, its
 * acceleration shows it. x = v t + a exp(−u²), u = (t − 5)/s: x'' = 2 a/s² (2 u² − 1) exp(−u²), from −2 a/s²
 * to 4 e^(−3/2) a/s². */
static void test_short_push(void **state) {
    (void)state;
    const double widths[] = {1e-2, 1e-3, 1e-5};
    for (int m = 0; m < METHODS; m++)
        for (int w = 0; w < 3; w++) {
            const double s = widths[w], a = 0.2 * s;
            rig r = rig_open(SLIDE "drives: {d: {joint: guide, motion: \"t + %g*exp(-((t - 5)/%g)^2)\"}}\n"
                                   "run: {until: 10, method: %s, rtol: 1e-8}\n",
                             a, s, methods[m]);
            double least = 0, most = 0;
            lash_status status = LASH_OK;
            lash_error error = {0};
            while ((status = lash_sim_step(r.sim, 10, &error)) == LASH_OK) {
                least = fmin(least, rig_value(&r, "m.ax"));
                most = fmax(most, rig_value(&r, "m.ax"));
            }
            rig_require(status, &error, "step");
            assert_true(least < -0.8 * 2 * a / (s * s));
            assert_true(most > 0.8 * 4 * exp(-1.5) * a / (s * s));
            rig_close(&r);
        }
}

#define DRIVEN(drive)                                                                                        \
    "bodies: {m: {mass: 1, inertia: 3}}\njoints: {pin: {type: revolute, between: [ground, m]}}\n"            \
    "drives: {motor: {joint: pin, " drive "}}\nrun: {until: 1}\n"

/* At the break the position is zero but for the rounding of its time. */
static void test_drive_that_begins_smoothly(void **state) {
    (void)state;
    rig r = rig_open("%s", DRIVEN("motion: \"max((t/(1 s) - 0.3)^3, 0)\""));
    rig_step_to(&r, 1);
    rig_near(rig_value(&r, "motor.angle"), 0.343, 1e-12, "angle");
    rig_near(rig_value(&r, "motor.torque"), 3 * 6 * 0.7, 1e-9, "torque");
    rig_close(&r);
}

static void test_drives_that_jump(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {DRIVEN("motion: \"if(t < 0.5, 0, 1)\""), "position jumps by 1 rad at t = 0.5 s, from 0 to 1 rad"},
        {DRIVEN("motion: abs(t - 0.5)"), "speed jumps by 2 rad/s at t = 0.5 s, from -1 to 1 rad/s"},
        {DRIVEN("motion: \"mod(3*t, 2)\""), "position jumps by -2 rad at t = 0.666666667 s"},
        {DRIVEN("motion: \"max(0, sin(9*t))\""), "speed jumps by 9 rad/s at t = 0.34906585 s, from -9 to 0"},
        {DRIVEN("table: {points: [[0, 0], [0.4, 1], [1, 0]], interpolation: linear}"),
         "speed jumps by -4.167 rad/s"},
        {DRIVEN("table: {points: [[0, 0], [0.4, 1], [0.7, 2]], beyond: hold}"), "speed jumps by"},
        {DRIVEN("table: [[0, 0], [0.4, 1], [0.7, 2]]"), "points from 0 s to 0.7 s and is needed at t = 1 s"},
        {DRIVEN("table: [[0.1, 0], [0.4, 1], [2, 2]]"), "points from 0.1 s to 2 s and is needed at t = 0 s"},
        {DRIVEN("motion: 1/(t - 0.5)"), "no finite value at t = 0.5 s"},
        {DRIVEN("motion: tan(3*t)"), "no finite value at t = 0.523598776 s"},
        {DRIVEN("motion: sqrt(0.7 - t)"), "no finite value at t = 0.7 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lash_error error = {0};
        const lash_status status = rig_compile(cases[i].text, &error);
        if (status != LASH_ERROR_MODEL || !strstr(error.message, cases[i].part) ||
            strcmp(error.object, "motor") != 0)
            fail_msg("%s: %s '%s' (wanted '%s')", cases[i].text, lash_status_name(status), error.message,
                     cases[i].part);
    }
    // Where pieces join continuously nothing is refused.
    static const char *const fine[] = {
        DRIVEN("motion: \"if(t < 0.5, t^2, t - 0.25)\""),
        DRIVEN("motion: \"smoothstep((t - 0.2)/0.5)\""),
        DRIVEN("motion: \"max(0, sin(9*t))^3\""),
        DRIVEN("motion: \"0.1*mod(t, 1) + 0.1*(t - mod(t, 1))\""),
        DRIVEN("ramp: {to: 5, over: 0.5 s}"),
        DRIVEN("table: {points: [[0, 0], [0.4, 1], [0.7, 2]], beyond: extrapolate}")};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        lash_error error = {0};
        if (rig_compile(fine[i], &error))
            fail_msg("%s: %s", fine[i], error.message);
    }
}

/* Steps until something goes wrong. */
static lash_status step_until_error(const rig *r, double t, lash_error *error) {
    lash_status status = LASH_OK;
    for (int k = 0; k < 200000 && !status; k++)
        status = lash_sim_step(r->sim, t, error);
    return status;
}

/* What is not seen before the run, because its end is open or there are too many breaks, ends it. */
static void test_troubles_in_the_run(void **state) {
    (void)state;
    static const struct {
        const char *text;
        lash_status status;
        const char *object, *part;
        double time;
    } cases[] = {
        {"drives: {d: {joint: guide, motion: \"if(t < 0.5, 0, 1)\"}}", LASH_ERROR_MODEL, "d",
         "position jumps by 1 m", 0.5},
        {"drives: {d: {joint: guide, motion: \"1e-3*max(0, sin(1000*t))^3 + max(0, t - 2)\"}}",
         LASH_ERROR_MODEL, "d", "speed jumps by 1 m/s", 2}, // the 637th break
        {"drives: {d: {joint: guide, table: [[0, 0], [1, 1], [2, 3]]}}", LASH_ERROR_LIMIT, "d",
         "from 0 s to 2 s", 2},
        {"forces: {f: {type: force, at: m, force: [\"1/(t - 0.5)\", 0]}}", LASH_ERROR_NOT_FINITE, "f",
         "no finite value", 0.5},
        {"forces: {f: {type: force, at: m, force: [\"log(2 - t)\", 0]}}", LASH_ERROR_NOT_FINITE, "f",
         "no finite value", 2},
        {"forces: {f: {type: load, over: guide, joint: guide, table: [[0, 1], [2, 1], [8, 1]]}}",
         LASH_ERROR_LIMIT, "f", "which go from 0 to 8", 4},
        {"forces: {f: {type: joint-spring, joint: guide, table: [[-1, 1], [2, -1]], actuator: 2}}",
         LASH_ERROR_LIMIT, "f", "which go from -1 to 2", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int m = 0; m < METHODS; m++) {
            lash_error error = {0};
            rig r = rig_open(SLIDE "%s\nrun: {method: %s}\n", cases[i].text, methods[m]);
            const lash_status status = step_until_error(&r, 20, &error);
            if (status != cases[i].status || strcmp(error.object, cases[i].object) != 0 ||
                !strstr(error.message, cases[i].part))
                fail_msg("%s with %s: %s '%s', %s", cases[i].text, methods[m], lash_status_name(status),
                         error.object, error.message);
            if (cases[i].time > 0 && !(fabs(error.time - cases[i].time) < 0.01 * cases[i].time))
                fail_msg("%s with %s: at %.9g s, not %g s", cases[i].text, methods[m], error.time,
                         cases[i].time);
            assert_int_equal(lash_status_exit_code(status), status == LASH_ERROR_MODEL ? 3 : 1);
            rig_close(&r);
        }
}

/* ---- tables of loads and springs ---- */

/* The work of a press: a mass that comes with 2 m/s loses what the table takes, and nothing before it. */
static void test_load_table(void **state) {
    (void)state;
    static const char *const ends[] = {"beyond: hold", "beyond: extrapolate"};
    for (int m = 0; m < METHODS; m++)
        for (int k = 0; k < 2; k++) {
            rig r = rig_open("bodies: {m: {mass: 10, inertia: 1, velocity: [2, 0]}}\n"
                             "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                             "forces: {work: {type: load, over: guide, joint: guide, table:\n"
                             "  {points: [[0, 0], [5 mm, 0], [6 mm, -1000 N], [10 mm, -1000 N]], %s}}}\n"
                             "run: {until: 6.5 ms, rtol: 1e-10, method: %s}\n",
                             ends[k], methods[m]);
            rig_step_to(&r, 2.5e-3);
            near("before", rig_value(&r, "m.vx"), 2, 1e-12);
            rig_step_to(&r, 6.5e-3);
            const double x = rig_value(&r, "m.x"), v = rig_value(&r, "m.vx");
            assert_true(x > 11e-3);
            near("energy", 5 * v * v, 20 - 1000 * (x - 5.5e-3), 1e-6);
            rig_close(&r);
        }
}

/* A spring whose force holds beyond 1 m: half linear, half constant; the energy is conserved. */
static void test_spring_table(void **state) {
    (void)state;
    rig r = rig_open("bodies: {m: {mass: 1, inertia: 1, velocity: [6, 0]}}\n"
                     "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                     "forces: {coil: {type: joint-spring, joint: guide, table:\n"
                     "  {points: [[-1, -10], [1, 10]], interpolation: linear, beyond: hold}}}\n"
                     "run: {until: 10, rtol: 1e-10}\n");
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    const double x = fabs(rig_value(&r, "m.x")), v = rig_value(&r, "m.vx");
    near("energy", v * v / 2 + (x < 1 ? 5 * x * x : 5 + 10 * (x - 1)), 18, 18e-7);
    assert_true(lash_sim_summary(r.sim).max_balance_error < 18e-7);
    rig_close(&r);
}

/* ---- with everything else ---- */

/* A ball of 1 kg lies in its bearing; from 0.5 s to 0.6 s it is lifted with twice its weight. */
#define BALL                                                                                                 \
    "gravity: [0, -10]\nbodies: {ball: {mass: 1, inertia: 1}}\n"                                             \
    "joints: {ring: {type: revolute, between: [ground, ball], clearance: {%s, radial: 1, offset: [0, "       \
    "-1]}}}\n"                                                                                               \
    "forces: {lift: {type: force, at: ball, force: [0, \"if(t < 0.5, 0, if(t < 0.6, 20, 0))\"]}}\n"          \
    "run: {until: 1, rtol: 1e-10, method: %s}\n"

static void test_contacts(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++)
        for (int modes = 0; modes < 2; modes++) {
            rig r = rig_open(BALL, modes ? "model: three-mode, restitution: 0" : "model: permanent-contact",
                             methods[m]);
            lash_record *record;
            lash_error error = {0};
            size_t count;
            rig_require(
                lash_record_create(&record, r.sim, &(lash_record_options){.every = LASH_UNSET}, &error),
                &error, "record");
            rig_require(lash_record_to_memory(record, &error), &error, "record");
            rig_require(lash_sim_run(r.sim, record, NULL, &error), &error, "run");
            const lash_event *events = lash_record_events(&count, record);
            assert_true(count >= 2);
            // It pulls, or flies, from the instant of the jump; no rule for chatter was needed.
            assert_int_equal(events[0].kind, modes ? LASH_EVENT_RELEASE : LASH_EVENT_LOST);
            near("lost", events[0].time, 0.5, 0);
            if (modes) { // up with 10 m/s^2 for 0.1 s, then down again: back after 0.1 + (1 + sqrt 2)/10 s
                assert_int_equal(events[1].kind, LASH_EVENT_IMPACT);
                near("back", events[1].time, 0.6 + (1 + sqrt(2)) / 10, 1e-9);
                near("speed", events[1].speed, sqrt(2), 1e-8);
            } else {
                assert_int_equal(events[1].kind, LASH_EVENT_REGAINED);
                near("regained", events[1].time, 0.6, 0);
            }
            assert_int_equal(lash_sim_summary(r.sim).clearances[0].chatter, 0);
            lash_record_destroy(record);
            rig_close(&r);
        }
}

/* stop_at_loss ends the run at the jump itself. */
static void test_stop_at_jump(void **state) {
    (void)state;
    rig r = rig_open(BALL, "model: permanent-contact, stop_at_loss: true", "dop853");
    lash_error error = {0};
    assert_int_equal(lash_sim_run(r.sim, NULL, NULL, &error), LASH_STOP_EVENT);
    near("end", lash_sim_time(r.sim), 0.5, 0);
    rig_close(&r);
}

#define SHAKEN                                                                                               \
    "gravity: [0, -9.81]\nbodies: {bob: {mass: 1, inertia: 0.1, position: [0.3, -0.4], points: {top: "       \
    "[-0.3, 0.4]}}}\n"                                                                                       \
    "joints: {pin: {type: revolute, between: [ground, bob.top]}}\n"                                          \
    "forces: {push: {type: torque, body: bob, torque: \"if(sin(7*t) > 0.2, 3, mod(t, 0.3))\"}}\n"            \
    "run: {until: 3, method: %s%s}\n"

/* A checkpoint inside a piece, and one at a break: the run goes on bit for bit. */
static void test_checkpoints(void **state) {
    (void)state;
    for (int at_break = 0; at_break < 2; at_break++) {
        rig r = rig_open(SHAKEN, "dop853", "");
        lash_error error = {0};
        lash_state *kept;
        rig_step_to(&r, at_break ? 1.2 : 1.1); // 1.2 = 4 * 0.3
        rig_require(lash_state_create(&kept, r.sim, &error), &error, "save");
        rig_step_to(&r, 3);
        const double angle = rig_value(&r, "bob.angle"), w = rig_value(&r, "bob.wz");
        rig_require(lash_sim_restore(r.sim, kept, &error), &error, "restore");
        rig_step_to(&r, 3);
        near("angle", rig_value(&r, "bob.angle"), angle, 0);
        near("w", rig_value(&r, "bob.wz"), w, 0);
        lash_state_destroy(kept);
        rig_close(&r);
    }
}

/* Limits of the caller, breaks and max_step do not disturb each other. */
static void test_limits(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        double w[3];
        for (int way = 0; way < 3; way++) {
            rig r =
                rig_open(SHAKEN, methods[m], way == 2 ? ", rtol: 1e-10, max_step: 5 ms" : ", rtol: 1e-10");
            for (int k = 1; way == 1 && k <= 30; k++) {
                rig_step_to(&r, 0.1 * k); // every third is a break
                near("time", lash_sim_time(r.sim), 0.1 * k, 0);
            }
            rig_step_to(&r, 3);
            w[way] = rig_value(&r, "bob.wz");
            rig_close(&r);
        }
        near("with stops", w[1], w[0], 1e-7);
        near("with max_step", w[2], w[0], 1e-7);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_beside_a_break),
        cmocka_unit_test(test_impulses),
        cmocka_unit_test(test_half_waves),
        cmocka_unit_test(test_hidden_pulses),
        cmocka_unit_test(test_square_wave),
        cmocka_unit_test(test_square_wave_by_gear),
        cmocka_unit_test(test_smooth_pulses),
        cmocka_unit_test(test_all_forces),
        cmocka_unit_test(test_drive_acceleration),
        cmocka_unit_test(test_short_lift),
        cmocka_unit_test(test_short_push),
        cmocka_unit_test(test_drive_that_begins_smoothly),
        cmocka_unit_test(test_drives_that_jump),
        cmocka_unit_test(test_troubles_in_the_run),
        cmocka_unit_test(test_load_table),
        cmocka_unit_test(test_spring_table),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_stop_at_jump),
        cmocka_unit_test(test_checkpoints),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
