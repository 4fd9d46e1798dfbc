/* SPDX-License-Identifier: MIT
 *
 * Motions that are small beside the machine: errors are rtol of the motion, not of the machine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include "rig.h"

static const double gravity = 9.81;
static const char *const methods[] = {"dop853", "adams", "gear"};
enum { LOOKS = 400, PERIODS = 20 };

/* A place and a speed, by a closed form. */
typedef struct motion {
    double x, v;
} motion;

/* Largest error of the channels over the run, as a share of the largest value of each. */
static double error_of(rig *r, const char *place, const char *speed, double until,
                       motion (*exact)(const void *, double), const void *of) {
    double off[2] = {0, 0}, most[2] = {0, 0};
    for (int k = 1; k <= LOOKS; k++) {
        const double t = until * k / LOOKS;
        const motion is = exact(of, t);
        rig_step_to(r, t);
        off[0] = fmax(off[0], fabs(rig_value(r, place) - is.x));
        off[1] = fmax(off[1], fabs(rig_value(r, speed) - is.v));
        most[0] = fmax(most[0], fabs(is.x));
        most[1] = fmax(most[1], fabs(is.v));
    }
    return fmax(off[0] / most[0], off[1] / most[1]);
}

typedef struct vibration {
    double amplitude, omega;
} vibration;

static motion vibrates(const void *of, double t) {
    const vibration *p = of;
    return (motion){p->amplitude * cos(p->omega * t), -p->amplitude * p->omega * sin(p->omega * t)};
}

/* A mass on a spring in a guide. The model has no length: its size is 1 m. Errors of adams and gear add up over the
 * periods. */
static void mass_on_a_spring(void **state) {
    (void)state;
    static const vibration all[] = {{1, 10}, {1e-3, 10}, {1e-6, 10}, {1e-3, 1000}, {1e-6, 1000}};
    static const double tolerances[] = {1e-4, 1e-6};
    for (size_t k = 0; k < 30; k++) {
        const vibration *p = &all[k % 5];
        const char *method = methods[k / 5 % 3];
        const double rtol = tolerances[k / 15], until = PERIODS * 2 * RIG_PI / p->omega;
        rig r = rig_open("gravity: [0, -9.81]\n"
                         "bodies: {m: {mass: 1, inertia: 1, position: [%.17g, 0]}}\n"
                         "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                         "forces: {k: {type: joint-spring, joint: guide, stiffness: %.17g, free: 0}}\n"
                         "run: {until: %.17g, rtol: %g, method: %s}\n",
                         p->amplitude, p->omega * p->omega, until, rtol, method);
        const double error = error_of(&r, "m.x", "m.vx", until, vibrates, p);
        if (!(error <= 5 * rtol))
            fail_msg("%s: %g m at %g rad/s is off by %.2g rtol at %g", method, p->amplitude, p->omega,
                     error / rtol, rtol);
        rig_close(&r);
    }
}

/* A bar that swings by a small angle, in the plane and in space, where coordinates of a bar on a ball are Euler
 * parameters. */
static void pendulum(void **state) {
    (void)state;
    const double swing = 1e-4, length = 0.3, mass = 1, inertia = 0.03;
    const vibration p = {swing, sqrt(mass * gravity * length / (inertia + mass * length * length)) *
                                    (1 - swing * swing / 16)};
    for (size_t k = 0; k < 6; k++) {
        const char *method = methods[k % 3];
        const double until = PERIODS * 2 * RIG_PI / p.omega, rtol = 1e-6;
        rig r =
            k < 3
                ? rig_open("gravity: [0, -9.81]\n"
                           "bodies: {bar: {mass: 1, inertia: 0.03, position: [%.17g, %.17g], angle: %.17g,\n"
                           "  points: {pin: [0, 0.3]}}}\n"
                           "joints: {pivot: {type: revolute, between: [ground, bar.pin]}}\n"
                           "run: {until: %.17g, rtol: %g, method: %s}\n",
                           length * sin(swing), -length * cos(swing), swing, until, rtol, method)
                : rig_open(
                      "space: spatial\ngravity: [0, -9.81, 0]\n"
                      "bodies: {bar: {mass: 1, inertia: [0.03, 0.03, 0.03], position: [%.17g, %.17g, 0],\n"
                      "  orientation: {axis: [0, 0, 1], angle: %.17g}, points: {pin: [0, 0.3, 0]}}}\n"
                      "joints: {pivot: {type: spherical, between: [ground, bar.pin]}}\n"
                      "run: {until: %.17g, rtol: %g, method: %s}\n",
                      length * sin(swing), -length * cos(swing), swing, until, rtol, method);
        // The place of the centre is as good a coordinate as the angle.
        const vibration centre = {length * swing, p.omega};
        const double error = error_of(&r, "bar.x", "bar.vx", until, vibrates, &centre);
        if (!(error <= 5 * rtol))
            fail_msg("%s, %s: off by %.2g rtol", k < 3 ? "plane" : "space", method, error / rtol);
        rig_close(&r);
    }
}

/* x″ + ω² x = a sin Ωt from rest: what moves is not known at the start. */
static const double NATURAL = 1000, FORCED = 300, PUSH = 1;
static motion answers(const void *of, double t) {
    (void)of;
    const double k = PUSH / (NATURAL * NATURAL - FORCED * FORCED);
    return (motion){k * (sin(FORCED * t) - FORCED / NATURAL * sin(NATURAL * t)),
                    k * FORCED * (cos(FORCED * t) - cos(NATURAL * t))};
}

/* The machine has no play in its first form; in the second a rigid stop waits far away, whose gap is no scale either. */
static void forced_from_rest(void **state) {
    (void)state;
    static const char *const stops[] = {"", ", stops: {max: 1 m, model: three-mode, restitution: 0.5}"};
    for (size_t k = 0; k < 6; k++) {
        const char *method = methods[k % 3];
        const double rtol = 1e-6, until = 0.1;
        rig r = rig_open("bodies: {m: {mass: 1, inertia: 1}}\n"
                         "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]%s}}\n"
                         "forces: {k: {type: joint-spring, joint: guide, stiffness: 1e6, free: 0,\n"
                         "  actuator: \"sin(300 * t)\"}}\n"
                         "run: {until: %.17g, rtol: %g, method: %s}\n",
                         stops[k / 3], until, rtol, method);
        const double error = error_of(&r, "m.x", "m.vx", until, answers, NULL);
        if (!(error <= 5 * rtol))
            fail_msg("%s%s: off by %.2g rtol", method, stops[k / 3], error / rtol);
        rig_close(&r);
    }
}

/* A mass that dry friction brings to rest: each half swing is 2 F/k shorter. */
typedef struct rubbing {
    double amplitude, omega, deflection; // the last is F/k
} rubbing;

static motion rubs(const void *of, double t) {
    const rubbing *p = of;
    double x = p->amplitude;
    for (; fabs(x) > p->deflection; t -= RIG_PI / p->omega) {
        const double centre = copysign(p->deflection, x), a = x - centre;
        if (t < RIG_PI / p->omega)
            return (motion){centre + a * cos(p->omega * t), -a * p->omega * sin(p->omega * t)};
        x = 2 * centre - x;
    }
    return (motion){x, 0};
}

static void friction_stops_it(void **state) {
    (void)state;
    static const rubbing all[] = {
        {1, 10, 0.13}, {1e-6, 10, 0.13e-6}, {1e-6, 1000, 0.03e-6}, {1e-9, 10, 0.13e-9}};
    static const double tolerances[] = {1e-2, 1e-4, 1e-6};
    for (size_t k = 0; k < 36; k++) {
        const rubbing *p = &all[k / 9];
        const double rtol = tolerances[k / 3 % 3], stiffness = p->omega * p->omega,
                     until = 6 * 2 * RIG_PI / p->omega;
        rig r = rig_open("bodies: {m: {mass: 1, inertia: 1, position: [%.17g, 0]}}\n"
                         "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0],\n"
                         "  friction: {law: coulomb, force: %.17g}}}\n"
                         "forces: {k: {type: joint-spring, joint: guide, stiffness: %.17g, free: 0}}\n"
                         "run: {until: %.17g, rtol: %g, method: %s}\n",
                         p->amplitude, stiffness * p->deflection, stiffness, until, rtol, methods[k % 3]);
        const double error = error_of(&r, "m.x", "m.vx", until, rubs, p);
        const lash_summary summary = lash_sim_summary(r.sim);
        if (!(error <= 5 * fmax(rtol, summary.least_rtol)))
            fail_msg("%s: %g m off by %.2g rtol at %g", methods[k % 3], p->amplitude, error / rtol, rtol);
        rig_close(&r);
    }
}

/* A mass on a spring with a compliant stop far away, whose contact is deeper than the mass moves. */
static void beside_a_stop(void **state) {
    (void)state;
    static const vibration all[] = {{1e-3, 10}, {1e-6, 10}, {1e-8, 1000}};
    for (size_t k = 0; k < 9; k++) {
        const vibration *p = &all[k / 3];
        const double rtol = 1e-6, until = PERIODS * 2 * RIG_PI / p->omega;
        rig r = rig_open("bodies: {m: {mass: 1, inertia: 1, position: [%.17g, 0]}}\n"
                         "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0],\n"
                         "  stops: {max: 10 mm, contact: {stiffness: 1e6, restitution: 0.8}}}}\n"
                         "forces: {k: {type: joint-spring, joint: guide, stiffness: %.17g, free: 0}}\n"
                         "run: {until: %.17g, rtol: %g, method: %s}\n",
                         p->amplitude, p->omega * p->omega, until, rtol, methods[k % 3]);
        const double error = error_of(&r, "m.x", "m.vx", until, vibrates, p);
        const lash_summary summary = lash_sim_summary(r.sim);
        if (!(error <= 5 * fmax(rtol, summary.least_rtol)))
            fail_msg("%s: %g m off by %.2g rtol", methods[k % 3], p->amplitude, error / rtol);
        rig_close(&r);
    }
}

/* A block that falls from a small height onto a rigid stop and bounces. */
static void small_bounces(void **state) {
    (void)state;
    static const double heights[] = {1e-3, 1e-6, 1e-8}, tolerances[] = {1e-3, 1e-6}, e = 0.5;
    for (size_t k = 0; k < 18; k++) {
        const double high = heights[k / 6], rtol = tolerances[k / 3 % 2], fall = sqrt(2 * high / gravity);
        double most = 0;
        rig r = rig_open("gravity: [0, -9.81]\n"
                         "bodies: {b: {mass: 1, inertia: 1, position: [0, %.17g]}}\n"
                         "joints: {way: {type: translational, between: [ground, b], axis: [0, 1],\n"
                         "  stops: {min: 0, model: three-mode, restitution: %g, rest_speed: %.17g}}}\n"
                         "run: {until: 1, rtol: %g, method: %s}\n",
                         high, e, 1e-3 * gravity * fall, rtol, methods[k % 3]);
        for (int look = 1; look <= LOOKS; look++) {
            const double t = 2.9 * fall * look / LOOKS;
            double since = t, v = -gravity * fall, y = high - 0.5 * gravity * t * t;
            for (double start = fall; t > start; start += 2 * v / gravity) {
                v = e * fabs(v);
                since = t - start;
                y = since * (v - 0.5 * gravity * since);
            }
            rig_step_to(&r, t);
            most = fmax(most, fabs(rig_value(&r, "b.y") - y));
        }
        const lash_summary summary = lash_sim_summary(r.sim);
        if (!(most <= 5 * high * fmax(rtol, summary.least_rtol)))
            fail_msg("%s: from %g m off by %.2g rtol at %g", methods[k % 3], high, most / high / rtol, rtol);
        rig_close(&r);
    }
}

/* A spring that is stiffer on one side: (1/2 + 1/2 of the period) of two frequencies. The switch is in the text. */
static motion is_lame(const void *of, double t) {
    const vibration *p = of; // of the side where it starts; the other is twice as fast
    const double right = RIG_PI / p->omega, left = right / 2, period = right + left;
    t = fmod(t + 0.5 * right, period);
    return t < right ? (motion){p->amplitude * sin(p->omega * t), p->amplitude * p->omega * cos(p->omega * t)}
                     : (motion){-0.5 * p->amplitude * sin(2 * p->omega * (t - right)),
                                -p->amplitude * p->omega * cos(2 * p->omega * (t - right))};
}

static void spring_with_two_sides(void **state) {
    (void)state;
    static const vibration all[] = {{1, 100}, {1e-6, 100}};
    for (size_t k = 0; k < 6; k++) {
        const vibration *p = &all[k / 3];
        const double rtol = 1e-6, until = 10 * 1.5 * RIG_PI / p->omega;
        rig r = rig_open(
            "bodies: {m: {mass: 1, inertia: 1, position: [%.17g, 0]}}\n"
            "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
            "forces: {k: {type: force, at: m, force: [\"-if(m.x > 0, 1e4, 4e4) * m.x * 1 N / 1 m\", 0]}}\n"
            "run: {until: %.17g, rtol: %g, method: %s}\n",
            p->amplitude, until, rtol, methods[k % 3]);
        const double error = error_of(&r, "m.x", "m.vx", until, is_lame, p);
        if (!(error <= 5 * rtol))
            fail_msg("%s: %g m off by %.2g rtol", methods[k % 3], p->amplitude, error / rtol);
        rig_close(&r);
    }
}

/* Where the coordinates have no digits for it, the run says so. */
static void rounding_is_reported(void **state) {
    (void)state;
    static const struct {
        double amplitude, rtol;
        bool said;
    } all[] = {{1e-3, 1e-8, false}, {1e-9, 1e-8, true}, {1e-9, 1e-4, false}, {0, 1e-8, false}};
    for (size_t k = 0; k < 4; k++) {
        rig r = rig_open("bodies: {m: {mass: 1, inertia: 1, position: [%.17g, 0]}}\n"
                         "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                         "forces: {k: {type: joint-spring, joint: guide, stiffness: 1e6, free: 0}}\n"
                         "run: {until: 0.05, rtol: %g}\n",
                         all[k].amplitude, all[k].rtol);
        rig_step_to(&r, 0.05);
        const lash_summary summary = lash_sim_summary(r.sim);
        char *text = lash_summary_warnings(&summary);
        assert_non_null(text);
        if ((strstr(text, "so small beside the machine") != NULL) != all[k].said)
            fail_msg("%g m at rtol %g, least %g: '%s'", all[k].amplitude, all[k].rtol, summary.least_rtol,
                     text);
        free(text);
        rig_close(&r);
    }
}

/* The balance of a small motion is judged by its own energy, not by that of a machine that moves as far as it is large. */
static void balance_is_of_the_motion(void **state) {
    (void)state;
    rig r = rig_open("bodies: {m: {mass: 1, inertia: 1, position: [1e-6, 0]}}\n"
                     "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                     "forces: {k: {type: joint-spring, joint: guide, stiffness: 1e6, free: 0}}\n"
                     "run: {until: 0.05}\n");
    rig_step_to(&r, 0.05);
    const lash_summary summary = lash_sim_summary(r.sim);
    const double energy = 0.5 * 1e6 * 1e-12;
    assert_true(summary.max_balance_error < 1e-5 * energy);
    assert_true(summary.balance_allowed < 0.02 * energy);
    rig_close(&r);
}

/* A run that is continued from a copy of its state takes the same steps. */
static void state_holds_the_motion(void **state) {
    (void)state;
    lash_error error = {0};
    rig r = rig_open("bodies: {m: {mass: 1, inertia: 1, position: [1e-6, 0]}}\n"
                     "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                     "forces: {k: {type: joint-spring, joint: guide, stiffness: 1e6, free: 0}}\n"
                     "run: {until: 1}\n");
    lash_state *kept = NULL;
    for (int k = 0; k < 5; k++)
        rig_require(lash_sim_step(r.sim, 1, &error), &error, "step");
    rig_require(lash_state_create(&kept, r.sim, &error), &error, "state");
    double t[2], x[2];
    for (int again = 0; again < 2; again++) {
        for (int k = 0; k < 20; k++)
            rig_require(lash_sim_step(r.sim, 1, &error), &error, "step");
        t[again] = lash_sim_time(r.sim);
        x[again] = rig_value(&r, "m.x");
        rig_require(lash_sim_restore(r.sim, kept, &error), &error, "restore");
    }
    assert_true(t[0] == t[1] && x[0] == x[1]);
    lash_state_destroy(kept);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_on_a_spring),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(forced_from_rest),
        cmocka_unit_test(friction_stops_it),
        cmocka_unit_test(beside_a_stop),
        cmocka_unit_test(small_bounces),
        cmocka_unit_test(spring_with_two_sides),
        cmocka_unit_test(rounding_is_reported),
        cmocka_unit_test(balance_is_of_the_motion),
        cmocka_unit_test(state_holds_the_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
