/* SPDX-License-Identifier: MIT
 *
 * What a run says about its own numbers: rows belong to their instant whatever the method, a run whose energy
 * balance is off or whose joints come apart fails and one that is good does not, and nothing is recorded that
 * is not a number.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/rig.h"
#include "sim/sim.h"

/* ---- rows belong to their instant ---- */

/* A rotor in an oil film: stiff, smooth, and all of its motion is integrated. */
static rig rotor(const char *method, double rtol, const char *stabilisation) {
    return rig_open("gravity: [0, -9.81]\n"
                    "materials: {steel: {young: 207 GPa, poisson: 0.3, density: 7850 kg/m^3}}\n"
                    "bodies: {shaft: {mass: 1, inertia: 1e-3}}\n"
                    "joints:\n"
                    "  pin:\n"
                    "    type: revolute\n"
                    "    between: [ground, shaft]\n"
                    "    clearance:\n"
                    "      {bearing_radius: 20.05 mm, radial: 50 um, length: 20 mm, materials: steel,\n"
                    "       contact: {restitution: 0.9}, lubricant: {film: short, viscosity: 0.03 Pa s,\n"
                    "       dry: false}}\n"
                    "drives: {motor: {joint: pin, speed: 3000 rpm}}\n"
                    "run: {until: 20 ms, method: %s, rtol: %g, stabilisation: %s}\n",
                    method, rtol, stabilisation);
}

/* After a step, and after every other thing that moves the present point, channels are those of the
 * coordinates. */
static void channels_belong_to_the_present_point(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"}, *const ways[] = {"baumgarte",
                                                                                       "projection"};
    for (size_t m = 0; m < 6; m++) {
        rig r = rotor(methods[m / 2], 1e-6, ways[m % 2]);
        double y[6];
        assert_int_equal(lash_sim_coordinate_count(r.sim), 6);
        for (int k = 0; k < 60; k++) {
            lash_error error = {0};
            rig_require(lash_sim_step(r.sim, 1, &error), &error, "step");
            if (k == 40) {
                lash_sim_coordinates(y, r.sim);
                y[0] += 1e-6;
                rig_require(lash_sim_set_coordinates(r.sim, y, &error), &error, "set");
            }
            lash_sim_coordinates(y, r.sim);
            assert_true(rig_value(&r, "shaft.x") == y[0]);
            assert_true(rig_value(&r, "shaft.vy") == y[4]);
            // Of a film without dry contact the force on the journal and its weight are all there is.
            assert_true(fabs(rig_value(&r, "shaft.ay") + 9.81 - rig_value(&r, "pin.fy")) < 1e-12);
        }
        rig_close(&r);
    }
}

/* The error of the balance is that of the integration: it falls with the tolerance. */
static void balance_follows_the_tolerance(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    for (size_t m = 0; m < 3; m++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            rig r = rotor(methods[m], k ? 1e-8 : 1e-2, "baumgarte");
            lash_error failure = {0};
            rig_require(lash_sim_run(r.sim, NULL, NULL, &failure), &failure, "run");
            const lash_summary s = lash_sim_summary(r.sim);
            error[k] = s.max_balance_error / s.energy_exchanged;
            rig_close(&r);
        }
        assert_true(error[1] < 1e-11);
        assert_true(error[1] < fmax(1e-2 * error[0], 1e-14)); // rounding
    }
}

/* ---- what steps cost, whatever is recorded ---- */

static void evaluations_are_those_of_the_steps(void **state) {
    (void)state;
    static const char *const channels[] = {"pin.f", NULL};
    static const char *const methods[] = {"dop853", "adams", "gear"};
    for (size_t m = 0; m < 3; m++) {
        lash_summary summary[2];
        for (int k = 0; k < 2; k++) {
            rig r = rotor(methods[m], 1e-6, "baumgarte");
            rig_rows rows = rig_sample(&r, k ? 5000 : 1, channels, false);
            summary[k] = lash_sim_summary(r.sim);
            rig_rows_close(&rows);
            rig_close(&r);
        }
        assert_int_equal(summary[0].steps, summary[1].steps);
        assert_int_equal(summary[0].evaluations, summary[1].evaluations);
        assert_true(summary[0].evaluations > summary[0].steps);
        assert_true(summary[0].looks < summary[0].steps);
        assert_true(summary[1].looks >= 4990 && summary[1].looks <= 5000 + 4 * summary[1].steps);
    }
}

/* A step of dop853 takes twelve evaluations, one that is rejected eleven, the first point one. */
static void steps_and_attempts_are_counted(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, -9.81]\n"
                     "bodies: {bob: {mass: 2, inertia: 0.1, position: [0.5, 0], points: {top: [-0.5, 0]}}}\n"
                     "joints: {pivot: {type: revolute, between: [ground, bob.top]}}\n"
                     "run: {until: 3, rtol: 1e-6, first_step: 1}\n");
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_true(summary.rejected > 0 && summary.rejected < summary.steps);
    assert_int_equal(summary.evaluations, 1 + 12 * summary.steps + 11 * summary.rejected);
    rig_close(&r);
}

/* Going back to a state adds its own evaluation to the looks, and takes nothing away from what was counted. */
static void looks_stay_when_a_state_returns(void **state) {
    (void)state;
    rig r = rotor("dop853", 1e-6, "baumgarte");
    lash_error error = {0};
    lash_state *kept;
    rig_step_to(&r, 0.004);
    rig_require(lash_state_create(&kept, r.sim, &error), &error, "state");
    rig_step_to(&r, 0.01);
    const lash_summary before = lash_sim_summary(r.sim);
    rig_require(lash_sim_restore(r.sim, kept, &error), &error, "restore");
    const lash_summary after = lash_sim_summary(r.sim);
    assert_true(after.looks >= before.looks && after.looks <= before.looks + 4);
    assert_true(after.evaluations < before.evaluations);
    lash_state_destroy(kept);
    rig_close(&r);
}

/* ---- the tolerance ---- */

/* At the least tolerance the first of the error scales is rounding, with every method: a little below it nothing changes
 * any more, a little above it something does. */
static void scales_end_at_the_least_tolerance(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams"};
    for (int m = 0; m < (LASH_HAVE_CVODE ? 2 : 1); m++) {
        static const double times[] = {0.5, 0.95, 1.05};
        double least = 1e-6, atol[3][12];
        for (int k = -1; k < 3; k++) { // first to ask for it
            rig r = rig_open(
                "gravity: [0, -9.81]\n"
                "bodies: {bob: {mass: 2, inertia: 0.1, position: [0.5, 0], points: {top: [-0.5, 0]}}}\n"
                "joints: {pivot: {type: revolute, between: [ground, bob.top]}}\n"
                "run: {until: 3, method: %s, rtol: 1e-3, atol: %.17g}\n",
                methods[m], k < 0 ? least : least * times[k]);
            const int n = r.system->n_q + r.system->n_v;
            assert_true(n <= 12);
            if (k < 0)
                least = lash_system_least_rtol(r.system, NULL);
            else
                memcpy(atol[k], r.sim->atol, (size_t)n * sizeof(double));
            if (k == 1)
                assert_memory_equal(atol[0], atol[1], (size_t)n * sizeof(double));
            if (k == 2)
                assert_memory_not_equal(atol[1], atol[2], (size_t)n * sizeof(double));
            rig_close(&r);
        }
        assert_true(least > 1e-16 && least < 1e-9);
    }
}

/* Rounding of positions shakes what a contact acts on: in proportion to how far from the origin the machine is. */
static void rounding_shakes_contacts(void **state) {
    (void)state;
    double shake[2][12] = {{0}};
    int n = 0;
    for (int k = 0; k < 2; k++) {
        rig r = rig_open(
            "ground: {points: {o: [%d, 0]}}\n"
            "bodies: {bob: {mass: 2, inertia: 0.1, position: [%d, -0.5], points: {top: [0, 0.5]}}}\n"
            "joints: {pin: {type: revolute, between: [ground.o, bob.top], clearance: {bearing_radius: 1 cm, "
            "radial: 1 mm, contact: {stiffness: 1e9, restitution: 0.9}}}}\n"
            "run: {until: 1}\n",
            1000 << k, 1000 << k);
        n = r.system->n_v;
        assert_true(r.system->v_at + n <= 12);
        lashi_set_shake(shake[k], r.system);
        memmove(shake[k], shake[k] + r.system->v_at, (size_t)n * sizeof(double));
        rig_close(&r);
    }
    for (int i = 0; i < n; i++) {
        assert_true(shake[0][i] > 0);
        rig_near(shake[1][i], 2 * shake[0][i], 1e-9 * shake[1][i], "shake of velocity %d", i);
    }
    rig_near(shake[0][0], shake[0][1], 1e-12 * shake[0][0], "both ways alike");
}

/* The speed that a machine has by itself: falling through its own size whichever way gravity points; the fastest it is
 * thrown or turned with; the fastest its drive turns it. */
static void speed_of_its_own(void **state) {
    (void)state;
    static const struct {
        const char *space, *more;
        double g, v, w; /* one of them decides */
    } cases[] = {{"gravity: [3, -4]\n", "", 5, 0, 0},
                 {"gravity: [-4, 3]\n", "", 5, 0, 0},
                 {"space: spatial\ngravity: [3, -4, 12]\n", "", 13, 0, 0},
                 {"gravity: [0, -1]\n", ", velocity: [30, 40]", 0, 50, 0},
                 {"gravity: [0, -1]\n", ", angular_velocity: -70", 0, 0, 70}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const bool solid = strstr(cases[k].space, "spatial") != NULL;
        rig r = rig_open("%sbodies: {m: {mass: 2, inertia: %s, points: {p: [2, 0%s]}%s}}\nrun: {until: 1}\n",
                         cases[k].space, solid ? "[1, 1, 1]" : "1", solid ? ", 0" : "", cases[k].more);
        const double L = r.system->length, own = fmax(sqrt(cases[k].g * L), fmax(cases[k].v, cases[k].w * L));
        rig_near(lashi_own_speed(r.system), own, 1e-12 * own, "own speed, case %zu", k);
        rig_near(lashi_own_energy(r.system), 2 * own * own, 1e-12 * own * own, "own energy, case %zu", k);
        rig_close(&r);
    }
    // A drive is as fast as it ever is: this one at its end, by turns or straight on.
    for (int turns = 0; turns < 2; turns++) {
        rig r = rig_open("bodies: {m: {mass: 2, inertia: 1, points: {p: [2, 0]}}}\n"
                         "joints: {j: {type: %s, between: [ground, m]%s}}\n"
                         "drives: {d: {joint: j, motion: 20 %s*(t/1 s)^2}}\nrun: {until: 3}\n",
                         turns ? "revolute" : "translational", turns ? "" : ", axis: [1, 0]",
                         turns ? "rad" : "m");
        const double own = 120 * (turns ? r.system->length : 1);
        rig_near(lashi_own_speed(r.system), own, 1e-12 * own, "own speed, driven, %d", turns);
        rig_close(&r);
    }
}

/* Ten times the tolerance is ten times every error scale that is not rounding, and none is without one but the
 * integrals: of positions, speeds, bristles of play and of ideal joints, signals; in the plane and in space. */
static void every_scale_goes_with_the_tolerance(void **state) {
    (void)state;
    static const char *const models[] = {
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 0.01, position: [0.5, 0], points: {o: [-0.5, 0], p: [0.5, 0]}}\n"
        "  b: {mass: 1, inertia: 0.01, position: [1.5, 0], points: {p: [-0.5, 0]}}\n"
        "joints:\n"
        "  o: {type: revolute, between: [ground, a.o], friction: {law: lugre, coefficient: 0.1, radius: "
        "0.01}}\n"
        "  p: {type: revolute, between: [a.p, b.p], clearance: {bearing_radius: 1 cm, radial: 1 mm,\n"
        "      contact: {stiffness: 1e9, restitution: 0.9}, friction: {law: lugre, coefficient: 0.1}}}\n"
        "signals: {far: {integral: a.x}, slow: {lag: a.vx, time: 0.1 s}}\n",
        "space: spatial\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0.5, 0, 0], points: {o: [-0.5, 0, 0], p: "
        "[0.5, 0, 0]}}\n"
        "  b: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [1.5, 0, 0], points: {p: [-0.5, 0, 0]}}\n"
        "joints:\n"
        "  o: {type: spherical, between: [ground, a.o], friction: {law: lugre, coefficient: 0.1, radius: "
        "0.01}}\n"
        "  p: {type: spherical, between: [a.p, b.p], clearance: {bearing_radius: 1 cm, radial: 1 mm,\n"
        "      contact: {stiffness: 1e9, restitution: 0.9}, friction: {law: lugre, coefficient: 0.1}}}\n"};
    for (int k = 0; k < 2; k++) {
        rig r[2];
        for (int i = 0; i < 2; i++)
            r[i] = rig_open("%srun: {until: 1, rtol: %g}\n", models[k], i ? 1e-4 : 1e-5);
        const lash_system *system = r[0].system;
        int controlled = 0;
        for (int i = 0; i < system->n_y; i++) {
            const double a = r[0].sim->atol[i], b = r[1].sim->atol[i];
            rig_near(b, 10 * a, 1e-12 * b, "scale of component %d", i);
            controlled += a > 0;
        }
        const int ways = k ? 2 * 3 : 2; // bristles of both
        assert_true(controlled == system->n_q + system->n_v + ways + (k ? 0 : 2));
        for (int i = 0; i < 2; i++)
            rig_close(&r[i]);
    }
}

/* ---- the verdict ---- */

/* A free body of 2 kg at 3 m/s exchanges nothing: rtol of m v², which is its own energy, and rtol of its kinetic
 * energy in every step. */
static void what_is_allowed_of_a_free_body(void **state) {
    (void)state;
    const double rtol = 1e-4, mass = 2, v = 3;
    rig r = rig_open("gravity: [0, 0]\nbodies: {ball: {mass: %g, inertia: 1, velocity: [%g, 0]}}\n"
                     "run: {until: 1, rtol: %g, max_step: 0.02, balance: 0.5}\n",
                     mass, v, rtol);
    lash_error error = {0};
    rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_true(summary.steps >= 50 && summary.energy_exchanged < 1e-12);
    const double allowed = rtol * mass * v * v * (1 + 0.5 * (double)summary.steps);
    rig_near(summary.balance_allowed, allowed, 1e-9 * allowed, "balance allowed");
    rig_close(&r);
}

static lash_status run_of(rig *r, lash_error *error) {
    *error = (lash_error){0};
    return lash_sim_run(r->sim, NULL, NULL, error);
}

/* Two bars of 1 m that fall from the horizontal, by a method that damps them out at a tolerance this loose.
 */
static rig loose_pendulum(double rtol, const char *more) {
    return rig_open(
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: 0.0833, position: [0.5, 0], points: {o: [-0.5, 0], p: [0.5, 0]}}\n"
        "  b: {mass: 1, inertia: 0.0833, position: [1.5, 0], points: {p: [-0.5, 0]}}\n"
        "joints:\n"
        "  o: {type: revolute, between: [ground, a.o]}\n"
        "  p: {type: revolute, between: [a.p, b.p]}\n"
        "run: {until: 100 s, method: gear, rtol: %g%s}\n",
        rtol, more);
}

static void balance_that_is_off_fails_the_run(void **state) {
    (void)state;
    lash_error error;
    rig r = loose_pendulum(5e-3, "");
    assert_int_equal(run_of(&r, &error), LASH_ERROR_ACCURACY);
    const lash_summary s = lash_sim_summary(r.sim);
    assert_true(s.max_balance_error > 0.01 * s.energy_exchanged);
    assert_true(s.max_balance_error > s.balance_allowed);
    assert_int_equal(s.status, LASH_ERROR_ACCURACY);
    assert_string_equal(s.message, error.message);
    assert_non_null(strstr(error.message, "energy balance is off by"));
    assert_non_null(strstr(error.message, "Lower rtol"));
    assert_true(error.time > 0 && error.time < 100);
    assert_true(s.end == 100); // judged at the end: all of it is there
    assert_int_equal(lash_sim_judge(r.sim, NULL), LASH_ERROR_ACCURACY);
    rig_close(&r);

    // A caller that steps by itself asks for the verdict.
    r = loose_pendulum(5e-3, "");
    rig_step_to(&r, 100);
    assert_int_equal(lash_sim_judge(r.sim, &error), LASH_ERROR_ACCURACY);
    rig_close(&r);

    // As advised; and as allowed.
    r = loose_pendulum(5e-3, ", balance: 0.05");
    assert_int_equal(run_of(&r, &error), LASH_STOP_END);
    rig_close(&r);
    r = loose_pendulum(5e-4, ", balance: 1e-3");
    assert_int_equal(run_of(&r, &error), LASH_ERROR_ACCURACY);
    rig_close(&r);
    r = loose_pendulum(5e-4, "");
    assert_int_equal(run_of(&r, &error), LASH_STOP_END);
    rig_close(&r);
}

static void joints_apart_fail_the_run(void **state) {
    (void)state;
    lash_error error;
    rig r = loose_pendulum(0.3, ", balance: 10");
    assert_int_equal(run_of(&r, &error), LASH_ERROR_ACCURACY);
    const lash_summary s = lash_sim_summary(r.sim);
    assert_true(s.max_position_violation > s.violation_allowed);
    assert_non_null(strstr(error.message, "joints were apart by"));
    rig_close(&r);
    r = loose_pendulum(5e-3, ", balance: 10");
    assert_int_equal(run_of(&r, &error), LASH_STOP_END);
    rig_close(&r);
}

/* What exchanges nothing has an error of 100 % of it: by the tolerance alone, or by rounding. */
static void machines_that_run_freely_are_good(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    static const double rtols[] = {1e-4, 1e-6, 1e-8, 1e-10};
    lash_error error;
    for (size_t m = 0; m < 3; m++)
        for (size_t k = 0; k < 4; k++) {
            rig r = rig_open("bodies: {bar: {mass: 1, inertia: 0.01, position: [0.5, 0], velocity: [0, 50],\n"
                             "              angular_velocity: 100, points: {o: [-0.5, 0]}}}\n"
                             "joints: {pin: {type: revolute, between: [ground, bar.o]}}\n"
                             "run: {until: 3 s, method: %s, rtol: %g}\n",
                             methods[m], rtols[k]);
            rig_require(run_of(&r, &error), &error, "bar");
            const lash_summary s = lash_sim_summary(r.sim);
            assert_true(s.max_balance_error > 0.01 * s.energy_exchanged); // else this tests nothing
            rig_close(&r);
            r = rig_open(
                "space: spatial\n"
                "bodies: {top: {mass: 1, inertia: [0.01, 0.012, 0.02], angular_velocity: [1, 2, 300]}}\n"
                "run: {until: 1 s, method: %s, rtol: %g}\n",
                methods[m], rtols[k]);
            rig_require(run_of(&r, &error), &error, "top");
            rig_close(&r);
            // A megajoule far above the ground beside a pendulum of a few microjoules.
            r = rig_open("gravity: [0, -9.81]\n"
                         "ground: {points: {high: [0, 1000]}}\n"
                         "bodies:\n"
                         "  wheel: {mass: 1000, inertia: 2000, position: [0, 1000], angular_velocity: 30}\n"
                         "  bob: {mass: 1e-6, inertia: 1e-8, position: [1, 0], points: {o: [-1, 0]}}\n"
                         "joints:\n"
                         "  high: {type: revolute, between: [ground.high, wheel]}\n"
                         "  pin: {type: revolute, between: [ground, bob.o]}\n"
                         "run: {until: 3 s, method: %s, rtol: %g}\n",
                         methods[m], rtols[k]);
            rig_require(run_of(&r, &error), &error, "wheel");
            rig_close(&r);
        }
}

/* All of the motion is given: the work of the drive is all that is integrated, and is K + V. */
static void work_of_a_driven_machine_is_right(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    static const double g[] = {0, 9.81};
    for (size_t m = 0; m < 6; m++) {
        rig r = rig_open("gravity: [0, %g]\n"
                         "bodies: {a: {mass: 1, inertia: 1, position: [1, 0], points: {o: [-1, 0]}}}\n"
                         "joints: {j: {type: revolute, between: [ground, a.o]}}\n"
                         "drives: {m: {joint: j, motion: 'sin(20 rad/s * t) * 1 rad'}}\n"
                         "run: {until: 1 s, method: %s}\n",
                         -g[m % 2], methods[m / 2]);
        static const char *const channels[] = {"energy.input", NULL};
        rig_rows rows = rig_sample(&r, 100, channels, false);
        for (size_t i = 0; i < rows.count; i++) {
            const double t = rig_at(&rows, i, 0), rate = 20 * cos(20 * t);
            const double work = rate * rate - 400 + g[m % 2] * sin(sin(20 * t));
            assert_true(fabs(rig_at(&rows, i, 1) - work) < 1e-5 * 400);
        }
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* A displacement from outside brings energy that is no error of the integration. */
static void displacements_keep_the_balance(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    for (size_t m = 0; m < 3; m++) {
        lash_error error = {0};
        double y[6];
        rig r = rig_open("gravity: [0, -9.81]\n"
                         "bodies: {ball: {mass: 1, inertia: 1}}\n"
                         "run: {until: 1 s, method: %s}\n",
                         methods[m]);
        rig_step_to(&r, 0.5);
        const double before = rig_value(&r, "energy.balance");
        lash_sim_coordinates(y, r.sim);
        y[1] += 3;
        y[4] += 7;
        rig_require(lash_sim_set_coordinates(r.sim, y, &error), &error, "set");
        assert_true(fabs(rig_value(&r, "energy.balance") - before) < 1e-12);
        assert_int_equal(run_of(&r, &error), LASH_STOP_END);
        assert_true(fabs(rig_value(&r, "ball.vy") - (7 - 9.81)) < 1e-6);
        rig_close(&r);
    }
}

/* ---- the floor of the tolerance ---- */

static lash_summary fall(double *height, double rtol, const char *lubricant) {
    lash_error error;
    rig r = rig_open(
        "gravity: [0, -9.81]\n"
        "bodies: {ball: {mass: 1, inertia: 1e-3}}\n"
        "joints: {pin: {type: revolute, between: [ground, ball], clearance: {bearing_radius: 10 mm,\n"
        "  radial: 0.1 mm, length: 10 mm, contact: {stiffness: 1e10, restitution: 0.9}%s}}}\n"
        "run: {until: 20 ms, rtol: %.17g}\n",
        lubricant, rtol);
    rig_require(run_of(&r, &error), &error, "fall");
    *height = rig_value(&r, "ball.y");
    const lash_summary s = lash_sim_summary(r.sim);
    rig_close(&r);
    return s;
}

static double least_rtol(const char *lubricant) {
    const char *joint;
    rig r = rig_open(
        "gravity: [0, -9.81]\n"
        "bodies: {ball: {mass: 1, inertia: 1e-3}}\n"
        "joints: {pin: {type: revolute, between: [ground, ball], clearance: {bearing_radius: 10 mm,\n"
        "  radial: 0.1 mm, length: 10 mm, contact: {stiffness: 1e10, restitution: 0.9}%s}}}\n"
        "run: {until: 20 ms}\n",
        lubricant);
    const double least = lash_system_least_rtol(r.system, &joint);
    assert_string_equal(joint, "pin");
    rig_close(&r);
    return least;
}

/* Below it runs are the same, above it they are not. */
static void least_tolerance_is_where_runs_cease_to_differ(void **state) {
    (void)state;
    static const char *const kinds[] = {"", ", lubricant: {film: short, viscosity: 0.1 Pa s, dry: false}"};
    for (int k = 0; k < 2; k++) {
        const double least = least_rtol(kinds[k]);
        double at, below, above;
        const size_t steps = fall(&at, 0.9 * least, kinds[k]).steps;
        assert_int_equal(fall(&below, 0.1 * least, kinds[k]).steps, steps);
        assert_true(below == at);
        assert_true(fall(&above, 30 * least, kinds[k]).steps < steps);
    }
}

/* A film without dry contact knows nothing of that contact's stiffness, and its rotor is no metre in size:
 * gear converges to what dop853 has. */
static void film_alone_has_a_floor_of_its_own(void **state) {
    (void)state;
    lash_error error;
    double x[2];
    for (int k = 0; k < 2; k++) {
        rig r = rotor(k ? "gear" : "dop853", k ? 1e-11 : 1e-10, "baumgarte");
        rig_require(run_of(&r, &error), &error, "rotor");
        x[k] = rig_value(&r, "shaft.x");
        rig_close(&r);
    }
    assert_true(fabs(x[0] - x[1]) < 1e-9 * fabs(x[0]));
    rig r = rotor("dop853", 1e-8, "baumgarte");
    const char *joint;
    assert_true(lash_system_least_rtol(r.system, &joint) < 1e-11);
    rig_close(&r);
}

/* ---- numbers that are none ---- */

/* A balance that is measured from infinity, which no model file can give. */
static rig broken(void) {
    rig r = rig_open("gravity: [0, -9.81]\nbodies: {a: {mass: 1, inertia: 1}}\nrun: {until: 1 s}\n");
    r.sim->state->energy0 = INFINITY;
    return r;
}

static void rows_that_are_not_finite_end_the_run(void **state) {
    (void)state;
    static const char *const channels[] = {"a.y", "energy.balance"};
    lash_error error = {0};
    rig r = broken();
    lash_record *record = NULL;
    const lash_record_options options = {
        .channels = channels, .channel_count = 2, .samples = 10, .every = LASH_UNSET};
    rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
    rig_require(lash_record_to_memory(record, &error), &error, "record");
    assert_int_equal(lash_sim_run(r.sim, record, NULL, &error), LASH_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.message, "'energy.balance' is not a finite number at t = 0 s"));
    assert_string_equal(lash_sim_summary(r.sim).message, error.message);
    size_t count;
    lash_record_rows(&count, record, LASH_STREAM_SAMPLES);
    assert_int_equal(count, 0); // it is not written
    lash_record_destroy(record);
    rig_close(&r);
}

static lash_status look_inside(void *user, lash_sim *sim, double t_old, double t_new) {
    (void)t_new;
    *(double *)user = lash_sim_value_at(sim, lash_sim_find_channel(sim, "energy.balance"), t_old);
    return LASH_OK;
}

static void observers_meet_no_numbers_that_are_none(void **state) {
    (void)state;
    lash_error error = {0};
    double seen = 0;
    const lash_run_control control = {.observe = look_inside, .user = &seen};
    rig r = broken();
    assert_int_equal(lash_sim_run(r.sim, NULL, &control, &error), LASH_ERROR_NOT_FINITE);
    assert_true(fabs(seen) == INFINITY);
    assert_non_null(strstr(error.message, "'energy.balance' is not a finite number at t = 0 s"));
    assert_int_equal(lash_sim_summary(r.sim).status, LASH_ERROR_NOT_FINITE);
    rig_close(&r);
}

/* Half of J ω² is beyond what a number can be. */
static void energies_that_are_not_finite_end_the_run(void **state) {
    (void)state;
    static const char text[] =
        "bodies: {a: {mass: 1, inertia: 1e9, angular_velocity: 1e150}}\nrun: {until: 1 s}\n";
    lash_error error = {0};
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    rig_require(lash_model_parse(&model, text, strlen(text), "test.yaml", NULL, &error), &error, "model");
    rig_require(lash_system_compile(&system, model, &error), &error, "compile");
    assert_int_equal(lash_sim_create(&sim, system, &error), LASH_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.message, "'energy.kinetic' is not a finite number at t = 0 s"));
    lash_system_destroy(system);
    lash_model_destroy(model);
}

static void summaries_that_are_not_finite_fail_the_run(void **state) {
    (void)state;
    lash_error error;
    rig r = rotor("gear", 1e-6, "baumgarte");
    r.sim->accounts[0].peak_delta = INFINITY;
    assert_int_equal(run_of(&r, &error), LASH_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.message, "'pin.peak_penetration' is not a finite number at t = 0.02 s"));
    rig_close(&r);
}

/* ---- peaks between samples ---- */

/* A run with a row for every peak; steps: instead of 7 samples. */
static lash_record *recorded(rig *r, bool steps, bool peaks) {
    static const char *const channels[] = {"pin.fn", "bar.ay"};
    const lash_record_options options = {.channels = channels,
                                         .channel_count = 2,
                                         .samples = steps ? 0 : 7,
                                         .every = LASH_UNSET,
                                         .steps = steps,
                                         .peaks = peaks};
    lash_record *record = NULL;
    lash_error error = {0};
    rig_require(lash_record_create(&record, r->sim, &options, &error), &error, "record");
    rig_require(lash_record_to_memory(record, &error), &error, "record");
    rig_require(lash_sim_run(r->sim, record, NULL, &error), &error, "run");
    const lash_summary summary = lash_sim_summary(r->sim);
    rig_require(lash_record_finish(record, &summary, &error), &error, "finish");
    return record;
}

/* The largest force among rows, and its time. */
static double largest_of(double *time, const double *rows, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[3 * i + 1] > most) {
            most = rows[3 * i + 1];
            *time = rows[3 * i];
        }
    return most;
}

/* A pendulum that drops onto its pin and bounces; or whose pin presses as a constraint, largest at the
 * bottom. */
static void no_peak_is_lost_between_rows(void **state) {
    (void)state;
    static const char *const kinds[] = {
        "bearing_radius: 10 mm, diametric: 0.2 mm, contact: {stiffness: 1e10, restitution: 0.8}",
        "radial: 0.1 mm, model: permanent-contact, offset: [0, -0.1 mm]"};
    for (int k = 0; k < 4; k++) {
        const bool steps = k % 2;
        static const char model[] =
            "gravity: [0, -9.81]\n"
            "bodies: {bar: {mass: 1, inertia: 0.03, position: [0.3, 0], "
            "points: {pin: [-0.3, 0]}}}\n"
            "joints: {pin: {type: revolute, between: [ground, bar.pin], clearance: {%s}}}\n"
            "run: {until: 0.4 s, rtol: 1e-6}\n";
        rig r = rig_open(model, kinds[k / 2]);
        lash_record *record = recorded(&r, steps, true);
        const lash_summary s = lash_sim_summary(r.sim);
        size_t count, peak_count;
        const double *rows =
            lash_record_rows(&count, record, steps ? LASH_STREAM_STEPS : LASH_STREAM_SAMPLES);
        const double *peaks = lash_record_rows(&peak_count, record, LASH_STREAM_PEAKS);
        assert_true(steps || peak_count > 0);
        double at = 0, beside = 0;
        const double most = largest_of(&at, peaks, peak_count), sampled = largest_of(&beside, rows, count);
        assert_true(sampled < s.clearances[0].peak_force);
        // Within what stands out of the neighbours it is there; where it does, exactly, at its instant.
        assert_true(fmax(most, sampled) > 0.999 * s.clearances[0].peak_force);
        if (most > sampled) {
            assert_true(fabs(most - s.clearances[0].peak_force) < 1e-9 * most);
            assert_true(fabs(at - s.clearances[0].peak.time) < 1e-12);
        }
        // In order of time, and larger than the rows around it.
        for (size_t i = 0, next = 0; i < peak_count; i++) {
            const double t = peaks[3 * i], force = peaks[3 * i + 1];
            assert_true(i == 0 || t > peaks[3 * i - 3]);
            while (next < count && rows[3 * next] <= t)
                next++;
            assert_true(next > 0 && next < count);
            assert_true(force > rows[3 * next - 2] && force > rows[3 * next + 1]);
            // By a thousandth; or it is the largest of all so far.
            double before = 0;
            for (size_t j = 0; j < next; j++)
                before = fmax(before, rows[3 * j + 1]);
            for (size_t j = 0; j < i; j++)
                before = fmax(before, peaks[3 * j + 1]);
            assert_true(force > before ||
                        (force > 1.001 * rows[3 * next - 2] && force > 1.001 * rows[3 * next + 1]));
        }
        lash_record_destroy(record);
        rig_close(&r);

        // Recording them changes nothing.
        r = rig_open(model, kinds[k / 2]);
        record = recorded(&r, steps, false);
        const lash_summary without = lash_sim_summary(r.sim);
        assert_int_equal(without.steps, s.steps);
        assert_int_equal(without.evaluations, s.evaluations);
        assert_true(without.max_balance_error == s.max_balance_error);
        lash_record_rows(&peak_count, record, LASH_STREAM_PEAKS);
        assert_int_equal(peak_count, 0);
        lash_record_destroy(record);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_belong_to_the_present_point),
        cmocka_unit_test(balance_follows_the_tolerance),
        cmocka_unit_test(evaluations_are_those_of_the_steps),
        cmocka_unit_test(scales_end_at_the_least_tolerance),
        cmocka_unit_test(speed_of_its_own),
        cmocka_unit_test(rounding_shakes_contacts),
        cmocka_unit_test(every_scale_goes_with_the_tolerance),
        cmocka_unit_test(steps_and_attempts_are_counted),
        cmocka_unit_test(looks_stay_when_a_state_returns),
        cmocka_unit_test(what_is_allowed_of_a_free_body),
        cmocka_unit_test(balance_that_is_off_fails_the_run),
        cmocka_unit_test(joints_apart_fail_the_run),
        cmocka_unit_test(machines_that_run_freely_are_good),
        cmocka_unit_test(work_of_a_driven_machine_is_right),
        cmocka_unit_test(displacements_keep_the_balance),
        cmocka_unit_test(least_tolerance_is_where_runs_cease_to_differ),
        cmocka_unit_test(film_alone_has_a_floor_of_its_own),
        cmocka_unit_test(rows_that_are_not_finite_end_the_run),
        cmocka_unit_test(observers_meet_no_numbers_that_are_none),
        cmocka_unit_test(energies_that_are_not_finite_end_the_run),
        cmocka_unit_test(summaries_that_are_not_finite_fail_the_run),
        cmocka_unit_test(no_peak_is_lost_between_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
