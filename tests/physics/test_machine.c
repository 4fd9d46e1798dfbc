/* SPDX-License-Identifier: MIT
 *
 * Machines: forces that depend on the state, signals with states, motors and controllers, inputs, switches on
 * the state; against closed forms, discrete solutions and conservation of energy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lash/linear.h"
#include "rig.h"
#include "system/system.h"

static const char *const methods[] = {"dop853", "adams", "gear"};
enum { METHODS = 3 };

/* A mass of 1 kg on a guide; a wheel of 1 kg m² on a shaft. */
#define SLIDE                                                                                                \
    "bodies: {m: {mass: 1, inertia: 1, position: [%.17g, 0], velocity: [%.17g, 0]}}\n"                       \
    "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
#define WHEEL                                                                                                \
    "bodies: {wheel: {mass: 1, inertia: 0.5}}\n"                                                             \
    "joints: {shaft: {type: revolute, between: [ground, wheel]}}\n"

static void near(const char *what, double found, double wanted, double tolerance) {
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%s: %.17g, wanted %.17g (off by %.3g)", what, found, wanted, fabs(found - wanted));
}

static void go(rig *r, double end) {
    lash_error error = {0};
    rig_require(lash_sim_run_until(r->sim, end, NULL, NULL, &error), &error, "run");
}

/* Error of the energy balance, of the energy exchanged. */
static void balanced(const rig *r, double share) {
    const lash_summary s = lash_sim_summary(r->sim);
    near("balance", s.max_balance_error, 0, share * (s.energy_exchanged + 1));
}

/* ---- expressions of the state ---- */

/* Smoothstep. */
static double steps(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x * x * x * (10 - x * (15 - 6 * x));
}

/* Time and state in one expression, in every order: functions of time alone are taken out of it and read again. */
static void test_time_and_state(void **state) {
    (void)state;
    static const char *const texts[] = {
        "(m.x/(1 m) + t/(1 s))*(m.vx/(1 m/s) + t/(1 s))",
        "(t/(1 s))*(m.x/(1 m))*(sin(2*t/(1 s)) + 1)",
        "sin(2*t/(1 s))*(1 + t/(1 s)) + m.x/(1 m)",
        "if(m.x > 0, t/(1 s)*m.x/(1 m) + 1, (t/(1 s))^2*m.vx/(1 m/s))",
        "if(t > 0.3 s, (m.x/(1 m) + t/(1 s))*2, 3*t/(1 s) - m.x/(1 m))",
        "max(m.x/(1 m)*t/(1 s), cos(3*t/(1 s)) - m.vx/(1 m/s)*t/(1 s))",
        "(1 + t/(1 s))^2/(2 + sin(m.x/(1 m) + t/(1 s)))",
        "(m.x/(1 m) + (t/(1 s) + (m.vx/(1 m/s)*(t/(1 s))^2 - exp(-t/(1 s)))))*t/(1 s)",
        // Functions with pieces.
        "ramp(m.x, -0.1 m, 0.2 m)",
        "smoothstep(m.x/(0.3 m))",
        "mod(m.x, 0.13 m)/(1 m)",
        "abs(m.vx)/(1 m/s) - abs(m.x - 0.1 m)/(1 m)",
        "sign(m.x) + 2*sign(m.vx)",
        "atan2(m.vx/(1 m/s), m.x/(1 m))",
        "min(m.x/(1 m), m.vx/(1 m/s)) + 3*max(0.2, m.x/(1 m))",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        rig r = rig_open(SLIDE "signals: {u: \"%s\"}\n"
                               "forces: {push: {type: force, at: m, force: [-4 N/m*guide.s, 0]}}\n"
                               "run: {until: 2, rtol: 1e-10}\n",
                         0.3, 0.8, texts[k]);
        for (int step = 0; step < 20; step++) {
            rig_step_to(&r, 0.1 * step + 0.05);
            const double t = lash_sim_time(r.sim), x = rig_value(&r, "m.x"), v = rig_value(&r, "m.vx");
            const double wanted[] = {
                (x + t) * (v + t),
                t * x * (sin(2 * t) + 1),
                sin(2 * t) * (1 + t) + x,
                x > 0 ? t * x + 1 : t * t * v,
                t > 0.3 ? (x + t) * 2 : 3 * t - x,
                fmax(x * t, cos(3 * t) - v * t),
                (1 + t) * (1 + t) / (2 + sin(x + t)),
                (x + (t + (v * t * t - exp(-t)))) * t,
                steps((x + 0.1) / 0.3),
                steps(x / 0.3),
                x - 0.13 * floor(x / 0.13),
                fabs(v) - fabs(x - 0.1),
                (x > 0 ? 1 : -1) + (v > 0 ? 2 : -2),
                atan2(v, x),
                fmin(x, v) + 3 * fmax(0.2, x),
            };
            near(texts[k], rig_value(&r, "u"), wanted[k], 1e-12);
        }
        rig_close(&r);
    }
}

/* Conditions joined by and, or, not: a mass at 1 m/s, x = t, and how long each holds, also where that is so short that a step
 * would pass it. */
static void test_joined_conditions(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double wanted;
    } cases[] = {
        {"if(m.x > 0.31 m and m.x < 0.3101 m, 1, 0)", 1e-4},
        {"if(m.x < 0.31 m or m.x > 0.3101 m, 1, 0)", 2 - 1e-4},
        {"if(not (m.x < 0.31 m or m.x > 0.3101 m), 1, 0)", 1e-4},
        {"if(not (m.x > 0.31 m and m.x < 0.3101 m), 1, 0)", 2 - 1e-4},
        {"if(m.x > 0.5 m and t < 0.9 s, 1, 0)", 0.4},
        {"if(m.x > 0.5 m and not (m.x > 0.7 m or t < 0.6 s), 1, 0)", 0.1},
        {"if((m.x > 0.2 m and m.x < 0.3 m) or (m.x > 1.2 m and m.x < 1.25 m), 1, 0)", 0.15},
        {"if(m.vx > 2 m/s or m.x > 1.5 m, 1, 0)", 0.5},
        {"if(m.vx > 2 m/s and m.x > 1.5 m, 1, 0)", 0},
        {"if(m.vx < 2 m/s and m.x > 1.5 m, 1, 0)", 0.5},
        // Of functions with pieces, in each of them.
        {"if(ramp(m.x, 0.2 m, 0.4 m)*m.x > 1 m and ramp(m.x, 0.2 m, 0.4 m)*m.x < 1.0001 m, 1, 0)", 1e-4},
        {"if(smoothstep(m.x/(0.3 m))*m.x > 1 m and m.x < 1.0001 m, 1, 0)", 1e-4},
        {"if(abs(m.x - 1.5 m) > 0.5 m and m.x > 0.9999 m and m.x < 1.2 m, 1, 0)", 1e-4},
        {"if(abs(m.x - 0.5 m) > 0.5 m and m.x < 1.0001 m, 1, 0)", 1e-4},
        {"if(mod(m.x, 0.7 m) > 0.3 m and mod(m.x, 0.7 m) < 0.3001 m, 1, 0)", 3e-4},
        {"if(max(m.x, 0.6 m) > 1 m and min(m.x, 1.7 m) < 1.0001 m, 1, 0)", 1e-4},
        {"if(sign(m.x - 0.4 m)*m.x > 1 m and m.x < 1.0001 m, 1, 0)", 1e-4},
        // A short one inside of a branch is found where the branch is taken, and only there.
        {"if(m.x > 0.5 m and m.x < 1.5 m, if(m.x > 1 m and m.x < 1.0001 m, 1, 0), 0)", 1e-4},
        {"if(m.x < 0.5 m or m.x > 1.5 m, 0, if(m.x > 1 m and m.x < 1.0001 m, 1, 0))", 1e-4},
        {"if(not (m.x > 0.5 m), 0, if(m.x > 1 m and m.x < 1.0001 m, 1, 0))", 1e-4},
        {"if(m.x > 0.5 m and m.x > 1.5 m, 0, if(m.x > 1 m and m.x < 1.0001 m, 1, 0))", 1e-4},
        {"if(m.x > 0.5 m or m.x > 1.5 m, if(m.x > 1 m and m.x < 1.0001 m, 1, 0), 0)", 1e-4},
        // Compared is the branch that joined conditions choose: the parabola, never 9 m^2; it is small for 0.2 ms.
        {"if(if(m.x > -1 m and m.vx > 5 m/s, 9 m^2, (m.x - 1 m)^2) < 1e-8 m^2, 1, 0)", 2e-4},
        {"if(if(m.vx > 5 m/s and m.x > -1 m, 9 m^2, (m.x - 1 m)^2) < 1e-8 m^2, 1, 0)", 2e-4},
        {"if(if(m.vx < 5 m/s and m.x > -1 m, (m.x - 1 m)^2, 9 m^2) < 1e-8 m^2, 1, 0)", 2e-4},
        {"if(if(m.x < -1 m or m.vx > 5 m/s, 9 m^2, (m.x - 1 m)^2) < 1e-8 m^2, 1, 0)", 2e-4},
        {"if(if(m.x < -1 m or m.vx < 5 m/s, (m.x - 1 m)^2, 9 m^2) < 1e-8 m^2, 1, 0)", 2e-4},
        {"if(if(m.x > -1 m or m.vx > 5 m/s, (m.x - 1 m)^2, 9 m^2) < 1e-8 m^2, 1, 0)", 2e-4},
        {"if(if(not (m.vx > 5 m/s), (m.x - 1 m)^2, 9 m^2) < 1e-8 m^2, 1, 0)", 2e-4},
        {"if(if(not (m.vx < 5 m/s), 9 m^2, (m.x - 1 m)^2) < 1e-8 m^2, 1, 0)", 2e-4},
        {"if(if(m.x + 3 m > 2*m.x - 9 m and not (m.vx > 5 m/s or m.x < -1 m), (m.x - 1 m)^2, 9 m^2) < 1e-8 "
         "m^2, 1, 0)",
         2e-4},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rig r = rig_open(SLIDE "signals: {sum: {integral: \"%s\"}}\nrun: {until: 2, rtol: 1e-10}\n", 0.0, 1.0,
                         cases[k].text);
        go(&r, 2);
        near(cases[k].text, rig_value(&r, "sum"), cases[k].wanted, 1e-9);
        rig_close(&r);
    }
}

static void test_spring_and_drag(void **state) {
    (void)state;
    // x'' = -26 x - 2 x': x = e^-t (cos 5t + sin 5t / 5)
    for (int k = 0; k < METHODS; k++) {
        rig r = rig_open(SLIDE "signals: {drag: \"-2 N*s/m*m.vx\"}\n"
                               "forces: {push: {type: force, at: m, force: [\"drag - 26 N/m*guide.s\", 0]}}\n"
                               "run: {until: 2, method: %s, rtol: 1e-12}\n",
                         1.0, 0.0, methods[k]);
        go(&r, 2);
        near("x", rig_value(&r, "m.x"), exp(-2) * (cos(10) + sin(10) / 5), 1e-9);
        near("drag", rig_value(&r, "drag"), -2 * rig_value(&r, "m.vx"), 1e-15);
        balanced(&r, 1e-9);
        rig_close(&r);
    }
}

static void test_lengths_and_names(void **state) {
    (void)state;
    // A dash belongs to the name of the body; with blanks it is a minus.
    rig r = rig_open("bodies: {a-b: {mass: 2, inertia: 1, position: [0.3, 0.4]}}\n"
                     "forces:\n"
                     "  tie: {type: spring, between: [ground, a-b], stiffness: 10, free_length: 0.5}\n"
                     "  pull: {type: force, at: a-b, force: [\"1 N/m*tie.length - 1 N*s/m * a-b.vx\", 0]}\n"
                     "signals: {gap: \"tie.length - 0.1 m\", speed: rate(tie.length), same: tie.rate}\n"
                     "run: {until: 1}\n");
    near("gap", rig_value(&r, "gap"), 0.4, 1e-15);
    near("force", rig_value(&r, "a-b.ax"), 0.25, 1e-14);
    go(&r, 1);
    near("rate", rig_value(&r, "speed"), rig_value(&r, "same"), 1e-15);
    near("length", rig_value(&r, "gap") + 0.1, hypot(rig_value(&r, "a-b.x"), rig_value(&r, "a-b.y")), 1e-14);
    rig_close(&r);
}

static void test_linearised(void **state) {
    (void)state;
    rig r = rig_open(SLIDE
                     "forces: {push: {type: force, at: m, force: [\"-9 N/m*guide.s - 0.6 N*s/m*m.vx\", 0]}}\n"
                     "run: {until: 1}\n",
                     0.0, 0.0);
    lash_linear *linear = NULL;
    lash_error error = {0};
    rig_require(lash_linear_create(&linear, r.sim, NULL, 0, &error), &error, "linear");
    size_t rows, columns;
    const double *A = lash_linear_matrix(&rows, &columns, linear, 'A');
    assert_int_equal(rows, 2);
    near("stiffness", A[2], -9, 1e-9);
    near("damping", A[3], -0.6, 1e-9);
    lash_linear_destroy(linear);
    rig_close(&r);
    // With an integral of the position and an input: x = (q, v, s).
    r = rig_open(SLIDE "inputs: {gain: 2}\n"
                       "signals: {sum: {integral: m.x}, slow: {lag: \"gain*m.vx\", time: 0.5 s}}\n"
                       "forces: {push: {type: force, at: m, force: [\"-7 N/m/s*sum - gain^2*1 N\", 0]}}\n"
                       "run: {until: 1}\n",
                 0.0, 0.5);
    rig_require(lash_linear_create(&linear, r.sim, NULL, 0, &error), &error, "linear");
    A = lash_linear_matrix(&rows, &columns, linear, 'A');
    const double wanted[16] = {0, 1, 0, 0, 0, 0, -7, 0, 1, 0, 0, 0, 0, 4, 0, -2};
    assert_int_equal(rows, 4);
    for (int i = 0; i < 16; i++)
        near("A", A[i], wanted[i], 1e-9);
    const double *B = lash_linear_matrix(&rows, &columns, linear, 'B');
    near("B", B[1 * columns], -4, 1e-6);
    near("B", B[3 * columns], 1, 1e-6);
    lash_linear_destroy(linear);
    rig_close(&r);
}

static void refused(const char *text, const char *words) {
    lash_model *model = NULL;
    lash_error error = {0};
    assert_int_equal(lash_model_parse(&model, text, strlen(text), "test.yaml", NULL, &error),
                     LASH_ERROR_MODEL);
    if (!strstr(error.message, words))
        fail_msg("'%s' is not in: %s", words, error.message);
}

static void test_refused(void **state) {
    (void)state;
#define PUSHED(what)                                                                                         \
    "bodies: {m: {mass: 1, inertia: 1}}\njoints: {guide: {type: translational, between: [ground, m], axis: " \
    "[1, 0]}}\n"                                                                                             \
    "forces: {push: {type: force, at: m, force: [\"" what "\", 0]}}\n"
    refused(PUSHED("1 kg*m.ax"), "implicit");
    refused(PUSHED("guide.fy"), "implicit");
    refused(PUSHED("-2 N*s/m*m.x"), "where a force");
    refused(PUSHED("-2 N*s/m*m.speed"), "it has x, y, angle, vx, vy, wz");
    refused(PUSHED("-2 N*s/m*guid.sdot"), "did you mean 'guide'?");
    refused(PUSHED("5 N-m.x*1 N/m"), "");
    refused(PUSHED("1 N*t-m.x"), "m.x");
    refused("bodies: {m: {mass: 1, inertia: 1}}\nsignals: {a: b + 1, b: 2*c, c: a}\n", "a -> b -> c -> a");
}

/* ---- signals ---- */

static void test_integral_and_lag(void **state) {
    (void)state;
    for (int k = 0; k < METHODS; k++) {
        rig r = rig_open(SLIDE "signals:\n"
                               "  area: {integral: m.x, initial: 2 m*s}\n"
                               "  slow: {lag: \"3*t\", time: 0.5 s, initial: 1}\n"
                               "  settled: {lag: m.x, time: 0.5 s}\n"
                               "run: {until: 2, method: %s, rtol: 1e-11}\n",
                         1.0, 3.0, methods[k]);
        near("settled at first", rig_value(&r, "settled"), 1, 0);
        go(&r, 2);
        near("area", rig_value(&r, "area"), 2 + 2 + 6, 1e-8);
        near("slow", rig_value(&r, "slow"), 3 * (2 - 0.5) + (1 + 1.5) * exp(-4), 1e-8);
        near("settled", rig_value(&r, "settled"), 1 + 3 * (2 - 0.5) + 1.5 * exp(-4), 1e-8);
        rig_close(&r);
    }
}

static void test_sampled(void **state) {
    (void)state;
    // x_k+1 = x_k + T v_k + T²/2 u_k, v_k+1 = v_k + T u_k, u_k = -4 x_k - 2 v_k - s_k, s_k+1 = s_k + T x_k
    const double T = 0.1;
    for (int k = 0; k < METHODS; k++) {
        rig r = rig_open(SLIDE "signals:\n"
                               "  u: {hold: \"-4 N/m*m.x - 2 N*s/m*m.vx - 1 N/m/s*sum\", every: 0.1 s}\n"
                               "  sum: {hold: \"sum + 0.1 s*m.x\", every: 0.1 s}\n"
                               "forces: {push: {type: force, at: m, force: [u, 0]}}\n"
                               "run: {until: 5, method: %s, rtol: 1e-11}\n",
                         1.0, 0.0, methods[k]);
        double x = 1, v = 0, s = 0;
        for (int i = 0; i < 50; i++) {
            const double u = -4 * x - 2 * v - s;
            s += T * x;
            x += T * v + T * T / 2 * u;
            v += T * u;
        }
        go(&r, 5);
        near("x", rig_value(&r, "m.x"), x, 1e-9);
        near("v", rig_value(&r, "m.vx"), v, 1e-9);
        balanced(&r, 1e-8);
        rig_close(&r);
    }
}

/* ---- motors ---- */

static void test_motor_with_load(void **state) {
    (void)state;
    // gear (stall - stall/no_load gear w) - load = (J + gear² rotor) w'
    const double gear = 5, stall = 2, no_load = 100, rotor = 0.02, load = 4, J = 0.5 + gear * gear * rotor,
                 b = gear * gear * stall / no_load, end = (gear * stall - load) / b;
    for (int k = 0; k < METHODS; k++) {
        rig r = rig_open(
            WHEEL "forces:\n"
                  "  main: {type: motor, joint: shaft, gear: 5, rotor_inertia: 0.02, stall_torque: 2,\n"
                  "         nominal_torque: 1, nominal_speed: 50, torque_constant: 0.1}\n"
                  "  load: {type: torque, body: wheel, torque: -4}\n"
                  "run: {until: 3, method: %s, rtol: %g}\n",
            methods[k], k ? 1e-13 : 1e-11);
        for (double t = 0.5; t <= 3; t += 0.5) {
            go(&r, t);
            near("speed", rig_value(&r, "wheel.wz"), end * (1 - exp(-b * t / J)), 1e-9);
            near("angle", rig_value(&r, "wheel.angle"), end * (t - J / b * (1 - exp(-b * t / J))),
                 k ? 1e-8 : 1e-9);
        }
        near("current", rig_value(&r, "main.current"), rig_value(&r, "main.torque") / (gear * 0.1), 1e-12);
        balanced(&r, 1e-8);
        rig_close(&r);
    }
}

static void test_motor_curve(void **state) {
    (void)state;
    // A table with a corner at 10 rad/s: 5 N m up to there, then down to 0 at 30 rad/s.
    for (int k = 0; k < METHODS; k++) {
        rig r =
            rig_open(WHEEL "forces:\n"
                           "  main: {type: motor, joint: shaft, curve: {points: [[0, 5], [10, 5], [30, 0]], "
                           "interpolation: linear}}\n"
                           "run: {until: 4, method: %s, rtol: 1e-11}\n",
                     methods[k]);
        go(&r, 4);
        near("speed", rig_value(&r, "wheel.wz"), 30 - 20 * exp(-0.5 * (4 - 1)), 1e-8);
        rig_close(&r);
    }
}

static void test_position_control(void **state) {
    (void)state;
    // e'' = -(kd e' + kp e)/J: kp 13 J, kd 4 J: e = e^-2t (cos 3t + 2/3 sin 3t)
    for (int k = 0; k < METHODS; k++) {
        rig r = rig_open(
            WHEEL "forces: {servo: {type: motor, joint: shaft, position: {to: 1 rad, kp: 6.5, kd: 2}}}\n"
                  "run: {until: 1.5, method: %s, rtol: 1e-12}\n",
            methods[k]);
        go(&r, 1.5);
        near("angle", rig_value(&r, "wheel.angle"), 1 - exp(-3) * (cos(4.5) + 2.0 / 3 * sin(4.5)), 1e-9);
        near("error", rig_value(&r, "servo.error"), 1 - rig_value(&r, "wheel.angle"), 1e-15);
        rig_close(&r);
    }
    // A setpoint that moves: with kd on its rate, a ramp is followed with e -> 0 like any other start.
    rig r = rig_open(WHEEL
                     "forces: {servo: {type: motor, joint: shaft, position: {to: \"2*t\", kp: 6.5, kd: 2}}}\n"
                     "run: {until: 1, rtol: 1e-12}\n");
    go(&r, 1); // e(0) = 0, e'(0) = 2: e = 2/3 e^-2t sin 3t
    near("ramp", rig_value(&r, "servo.error"), 2.0 / 3 * exp(-2) * sin(3), 1e-9);
    rig_close(&r);
}

static void test_speed_control_and_windup(void **state) {
    (void)state;
    // J w' = kp e + ki ∫e: e'' + 2 e' + 10 e = 0 with kp = 1, ki = 5, e(0) = 3, e'(0) = -6
    rig r = rig_open(WHEEL "forces: {main: {type: motor, joint: shaft, speed: {to: 3 rad/s, kp: 1, ki: 5}}}\n"
                           "run: {until: 2, rtol: 1e-12}\n");
    go(&r, 2);
    near("error", rig_value(&r, "main.error"), exp(-2) * (3 * cos(6) - sin(6)), 1e-9);
    rig_close(&r);
    // Limited to 0.5 N m it takes long; the integral must not grow meanwhile, as it does if it follows
    // slowly.
    for (int slowly = 0; slowly < 2; slowly++) {
        r = rig_open(WHEEL "forces: {main: {type: motor, joint: shaft, speed: {to: 3 rad/s, kp: 1, ki: 5, "
                           "limit: 0.5%s}}}\n"
                           "run: {until: 20}\n",
                     slowly ? ", windup: 1e6 s" : "");
        double most = 0;
        for (double t = 0.05; t < 20; t += 0.05) {
            go(&r, t);
            most = fmax(most, rig_value(&r, "wheel.wz"));
            assert_true(fabs(rig_value(&r, "main.torque")) <= 0.5 + 1e-12);
            if (t < 2)
                near("at full torque", rig_value(&r, "wheel.wz"), t, 1e-9);
        }
        if (slowly)
            assert_true(most > 4);
        else
            near("overshoot", most, 3, 0.25);
        if (!slowly)
            near("speed", rig_value(&r, "wheel.wz"), 3, 1e-4);
        rig_close(&r);
    }
    // The same sampled, all in one: it settles too.
    r = rig_open(
        WHEEL
        "forces: {main: {type: motor, joint: shaft, speed: {to: 3 rad/s, kp: 1, ki: 5, every: 10 ms}}}\n"
        "run: {until: 20}\n");
    go(&r, 20);
    near("sampled", rig_value(&r, "wheel.wz"), 3, 1e-6);
    rig_close(&r);
}

/* ---- switches ---- */

static void test_bang_bang(void **state) {
    (void)state;
    // x'' = -sign(x) from x = 1: through zero at sqrt 2, 3 sqrt 2, …
    for (int k = 0; k < METHODS; k++) {
        rig r = rig_open(SLIDE "signals: {u: -sign(guide.s)}\n"
                               "forces: {push: {type: force, at: m, force: [\"1 N*u\", 0]}}\n"
                               "run: {until: 40, method: %s, rtol: %g}\n",
                         1.0, 0.0, methods[k], k ? 1e-13 : 1e-10);
        lash_error error = {0};
        int found = 0;
        double before = rig_value(&r, "u");
        while (lash_sim_time(r.sim) < 39) {
            rig_require(lash_sim_step(r.sim, 39, &error), &error, "step");
            const double u = rig_value(&r, "u");
            if (u != before) {
                near("instant", lash_sim_time(r.sim), (2 * found + 1) * sqrt(2), 1e-9);
                found++;
            }
            before = u;
        }
        assert_int_equal(found, 14);
        balanced(&r, 1e-9);
        rig_close(&r);
    }
}

static void test_pulse_over_the_way(void **state) {
    (void)state;
    // A force along a millionth of the way, and a square wave of the position.
    for (int k = 0; k < METHODS; k++) {
        rig r = rig_open(SLIDE "forces: {push: {type: force, at: m, force: [\"if(m.x > 5 and m.x < "
                               "5.0009765625, 1024 N, 0 N)\", 0]}}\n"
                               "run: {until: 10, method: %s, rtol: 1e-10}\n",
                         0.0, 1.0, methods[k]);
        go(&r, 10);
        near("pulse", pow(rig_value(&r, "m.vx"), 2), 3, 1e-11);
        rig_close(&r);
        r = rig_open(
            SLIDE "forces: {push: {type: force, at: m, force: [\"0.001 N*sign(sin(100 rad/m*m.x))\", 0]}}\n"
                  "run: {until: 10, method: %s, rtol: 1e-10}\n",
            0.0, 1.0, methods[k]);
        go(&r, 10);
        const double x = rig_value(&r, "m.x"), phase = fmod(x, 0.02 * RIG_PI), half = 0.01 * RIG_PI;
        const double work = 0.001 * (phase < half ? phase : 2 * half - phase);
        near("wave", pow(rig_value(&r, "m.vx"), 2), 1 + 2 * work, 1e-12);
        rig_close(&r);
    }
}

static void test_impulses_in_time(void **state) {
    (void)state;
    // Functions of time inside expressions of the state: the pulse, a square wave, a table with corners.
    const struct {
        const char *force;
        double impulse;
    } cases[] = {{"if(t >= 5 s and t < 5.01 s, 1000 N, 0 N) + still", 10},
                 {"still + if(mod(t, 0.5 s) < 0.25 s, 4 N, -1 N)", 10 * 1.5},
                 {"gust*(1 + m.y/(1 m))", 0.5 * 2 * 8 + 3 * 8 + 0.5 * 1 * 8},
                 {"if(m.y < 1 m, if(t > 2 s and t < 2.001 s, 1000 N, 0 N), 5 N)", 1}};
    for (int k = 0; k < METHODS; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            rig r =
                rig_open(SLIDE "inputs: {gust: {unit: N, table: [[1 s, 0], [3 s, 8], [6 s, 8], [7 s, 0]]}}\n"
                               "signals: {still: \"0 N/m*m.y\"}\n"
                               "forces: {push: {type: force, at: m, force: [\"%s\", 0]}}\n"
                               "run: {until: 10, method: %s, balance: 0.5}\n",
                         0.0, 0.0, cases[i].force, methods[k]);
            go(&r, 10);
            near(cases[i].force, rig_value(&r, "m.vx"), cases[i].impulse,
                 k && i == 2 ? 1e-7 : 1e-12 * (1 + cases[i].impulse));
            rig_close(&r);
        }
}

/* A drive brings a machine to rest against a drag that grows with v|v|: the speed of the slider, which follows
 * the constraints, falls to zero once. At rest the drive carries the weight of crank and half the rod alone. */
static void test_drag_until_a_drive_rests(void **state) {
    (void)state;
    static const char *const stabilisation[] = {"baumgarte", "projection", "none"};
    static const double rtol[] = {1e-4, 1e-6, 1e-8, 1e-10}, g = 9.81;
    for (size_t k = 0; k < sizeof stabilisation / sizeof *stabilisation; k++)
        for (size_t i = 0; i < sizeof rtol / sizeof *rtol; i++) {
            rig r = rig_open(
                "gravity: [0, -9.81]\n"
                "bodies:\n"
                "  crank: {mass: 0.3, inertia: 1e-4, position: [0.025, 0],\n"
                "          points: {a: [-0.025, 0], b: [0.025, 0]}}\n"
                "  rod: {mass: 0.2, inertia: 2e-4, position: [0.11, 0], points: {a: [-0.06, 0], b: [0.06, "
                "0]}}\n"
                "  slider: {mass: 0.14, inertia: 1e-4, position: [0.17, 0]}\n"
                "joints:\n"
                "  main: {type: revolute, between: [ground, crank.a]}\n"
                "  big: {type: revolute, between: [crank.b, rod.a]}\n"
                "  gud: {type: revolute, between: [rod.b, slider]}\n"
                "  way: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
                "drives: {d: {joint: main, motion: \"smoothstep(t/0.05) - smoothstep((t - 0.08)/0.05)\"}}\n"
                "forces: {drag: {type: force, at: slider,\n"
                "         force: [\"-40 N s^2/m^2*slider.vx*abs(slider.vx)\", 0]}}\n"
                "run: {until: 0.2, rtol: %g, stabilisation: %s}\n",
                rtol[i], stabilisation[k]);
            go(&r, 0.2);
            near(stabilisation[k], rig_value(&r, "d.torque"), (0.3 * 0.025 + 0.2 * 0.025) * g, 30 * rtol[i]);
            rig_close(&r);
        }
}

static void test_sliding_is_refused(void **state) {
    (void)state;
    rig r = rig_open(SLIDE "forces: {push: {type: force, at: m, force: [\"-1 N*sign(m.vx)\", 0]}}\n"
                           "run: {until: 5}\n",
                     0.0, 2.0);
    lash_error error = {0};
    assert_int_equal(lash_sim_run(r.sim, NULL, NULL, &error), LASH_ERROR_STEP);
    assert_non_null(strstr(error.message, "driven back from both"));
    near("time", error.time, 2, 1e-9);
    near("end", lash_sim_time(r.sim), 2, 1e-9);
    rig_close(&r);
}

/* ---- instances ---- */

static void test_instances(void **state) {
    (void)state;
    // Two sliders made of one component: names in it are those of the instance, also in turned ones.
    rig r = rig_open("components:\n"
                     "  unit:\n"
                     "    parameters: {k: 4}\n"
                     "    bodies: {m: {mass: 1, inertia: 1, position: [0.5, 0]}}\n"
                     "    joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                     "    signals: {pull: \"-$k*guide.s*1 N/m\"}\n"
                     "    forces: {push: {type: force, at: m, force: [pull, 0]}}\n"
                     "units:\n"
                     "  - {use: unit, as: u1, at: [0, 0]}\n"
                     "  - {use: unit, as: u2, at: [0, 1], angle: 90 deg, with: {k: 9}}\n"
                     "signals: {both: u1.pull + u2.pull}\n"
                     "run: {until: 1, rtol: 1e-11}\n");
    go(&r, 1);
    near("first", rig_value(&r, "u1.guide.s"), 0.5 * cos(2), 1e-9);
    near("second", rig_value(&r, "u2.m.y"), 1 + 0.5 * cos(3), 1e-9);
    near("both", rig_value(&r, "both"), -4 * 0.5 * cos(2) - 9 * 0.5 * cos(3), 1e-8);
    rig_close(&r);
}

/* ---- inputs, checkpoints ---- */

static void test_inputs(void **state) {
    (void)state;
    rig r = rig_open(SLIDE "inputs: {thrust: 2 N}\n"
                           "forces: {push: {type: force, at: m, force: [\"thrust*(1 + 0*m.y/(1 m))\", 0]}}\n"
                           "run: {until: 3}\n",
                     0.0, 0.0);
    lash_error error = {0};
    const size_t input = lash_sim_find_input(r.sim, "thrust");
    near("default", lash_sim_input(r.sim, input), 2, 0);
    assert_string_equal(lash_sim_input_unit(r.sim, input), "N");
    go(&r, 1);
    rig_require(lash_sim_set_input(r.sim, input, -5, &error), &error, "set");
    near("channel", rig_value(&r, "thrust"), -5, 0);
    go(&r, 3);
    near("x", rig_value(&r, "m.x"), 1 + 2 * 2 - 5 * 2, 1e-12);
    rig_close(&r);
}

static void test_checkpoint(void **state) {
    (void)state;
    rig r = rig_open(SLIDE "inputs: {gain: 1}\n"
                           "signals:\n"
                           "  u: {hold: \"-4 N/m*m.x - 2 N*s/m*m.vx\", every: 0.07 s}\n"
                           "  area: {integral: abs(m.x)}\n"
                           "forces: {push: {type: force, at: m, force: [\"gain*u - 0.5 N*sign(m.x)\", 0]}}\n"
                           "run: {until: 6}\n",
                     1.0, 0.0);
    lash_error error = {0};
    lash_state *kept = NULL;
    go(&r, 2);
    rig_require(lash_sim_set_input(r.sim, 0, 1.5, &error), &error, "set");
    rig_require(lash_state_create(&kept, r.sim, &error), &error, "save");
    double values[2][3];
    for (int run = 0; run < 2; run++) {
        go(&r, 4.1);
        const char *const channels[] = {"m.x", "area", "u"};
        for (int i = 0; i < 3; i++)
            values[run][i] = rig_value(&r, channels[i]);
        rig_require(lash_sim_set_input(r.sim, 0, 9, &error), &error, "set");
        rig_require(lash_sim_restore(r.sim, kept, &error), &error, "restore");
    }
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    lash_state_destroy(kept);
    rig_close(&r);
}

/* rate(…) of a velocity is refused in either branch of an if, however short. */
static void rates_of_branches(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool fine;
    } cases[] = {{"rate(if(t < 1 s, guide.s, 0 m))", true},
                 {"rate(if(t < 1 s, 0 m, 2*guide.s + 1 m))", true},
                 {"rate(if(t < 1 s, m.vx, 0 m/s))", false},
                 {"rate(if(t < 1 s, 0 m/s, m.vx))", false},
                 {"rate(if(t < 1 s, if(t < 2 s, m.vx, 1 m/s), 0 m/s))", false},
                 {"rate(if(t < 1 s, 0 m/s, if(t < 2 s, 1 m/s, 3*m.vx)))", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[500];
        lash_error error = {0};
        snprintf(text, sizeof text,
                 "bodies: {m: {mass: 1, inertia: 1}}\n"
                 "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                 "signals: {u: \"%s\"}\nrun: {until: 1}\n",
                 cases[k].text);
        const lash_status status = rig_compile(text, &error);
        if ((status == LASH_OK) != cases[k].fine)
            fail_msg("%s: %s", cases[k].text, error.message);
        assert_true(cases[k].fine || strstr(error.message, "would be an acceleration"));
    }
}

/* A piece of time ends anew at a break of an expression only: not at a point of a table, a sample or the end. */
static void pieces_of_time(void **state) {
    (void)state;
    static const struct {
        const char *force;
        double end;
        bool anew;
    } cases[] = {{"if(t < 0.3 s, 1 N, 2 N)", 0.3, true}, {"u", 0.4, false}, {"3 N/s*t", 2, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rig r = rig_open("bodies: {m: {mass: 1, inertia: 1}}\n"
                         "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                         "forces: {push: {type: force, at: m, force: [\"%s\", 0]}}\n"
                         "%srun: {until: 2}\n",
                         cases[k].force,
                         k == 1 ? "inputs: {u: {unit: N, table: [[0, 1], [0.4, 2], [1, 0], [3, 1]]}}\n" : "");
        const lashi_piece piece = lashi_piece_from(r.system, 0);
        near(cases[k].force, piece.end, cases[k].end, 1e-12);
        if (piece.anew != cases[k].anew)
            fail_msg("%s: anew", cases[k].force);
        assert_true(piece.inside > 0 && piece.inside < piece.end);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_of_branches),
        cmocka_unit_test(pieces_of_time),
        cmocka_unit_test(test_spring_and_drag),
        cmocka_unit_test(test_time_and_state),
        cmocka_unit_test(test_joined_conditions),
        cmocka_unit_test(test_lengths_and_names),
        cmocka_unit_test(test_linearised),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_integral_and_lag),
        cmocka_unit_test(test_sampled),
        cmocka_unit_test(test_motor_with_load),
        cmocka_unit_test(test_motor_curve),
        cmocka_unit_test(test_position_control),
        cmocka_unit_test(test_speed_control_and_windup),
        cmocka_unit_test(test_bang_bang),
        cmocka_unit_test(test_pulse_over_the_way),
        cmocka_unit_test(test_impulses_in_time),
        cmocka_unit_test(test_sliding_is_refused),
        cmocka_unit_test(test_drag_until_a_drive_rests),
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
