/* SPDX-License-Identifier: MIT
 *
 * Pendulums and chains: what must be conserved is, periods are right, errors follow the tolerance, and each
 * way of keeping the constraints does what it says.
 *
 * Period of a rigid pendulum of amplitude θ0 (mass m, moment I about the pivot, centre of mass at distance l):
 *   T = 4 sqrt(I/(m g l)) K(sin(θ0/2)),  K(k) = π/(2 agm(1, sqrt(1 − k²)))      (arithmetic-geometric mean)
 * From rest at θ0 it hangs straight down at T/4, where an error of time shows to first order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics/evaluate.h"
#include "laws/near.h"
#include "physics/rig.h"

/* Rods of 1.2 m hanging from the origin; angles against the vertical. */
static const double HALF = 0.6, MASS = 2, INERTIA = 0.3, G = 9.81;

static const char SIMPLE[] =
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  rod: {mass: 2, inertia: 0.3, position: [%.17g, %.17g], angle: %.17g, points: {top: [0, 0.6]}}\n"
    "joints:\n"
    "  pivot: {type: revolute, between: [ground, rod.top]}\n"
    "run: {method: %s, rtol: %g, stabilisation: %s, until: 20}\n";

static const char DOUBLE[] =
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  upper: {mass: 2, inertia: 0.3, position: [0.6*sin(2), -0.6*cos(2)], angle: 2 rad, points: {top: [0, "
    "0.6], low: [0, -0.6]}}\n"
    "  lower: {mass: 1, inertia: 0.1, position: [1.2*sin(2) + 0.5*sin(1), -1.2*cos(2) - 0.5*cos(1)], angle: "
    "1 "
    "rad, points: {top: [0, 0.5]}}\n"
    "joints:\n"
    "  pivot: {type: revolute, between: [ground, upper.top]}\n"
    "  elbow: {type: revolute, between: [upper.low, lower.top]}\n"
    "run: {method: %s, rtol: %g, stabilisation: %s, until: 10}\n";

static rig open_simple(double angle, const char *method, double rtol, const char *stabilisation) {
    return rig_open(SIMPLE, HALF * sin(angle), -HALF * cos(angle), angle, method, rtol, stabilisation);
}

static double period(double amplitude) {
    double a = 1, b = cos(amplitude / 2);
    for (int k = 0; k < 8; k++) {
        const double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    const double I = INERTIA + MASS * HALF * HALF;
    return 4 * sqrt(I / (MASS * G * HALF)) * RIG_PI / (2 * a);
}

static void test_period(void **state) {
    (void)state;
    static const double amplitudes[] = {0.01, 0.5, 1.5, 2.5, 3.0};
    for (size_t k = 0; k < sizeof amplitudes / sizeof *amplitudes; k++) {
        const double T = period(amplitudes[k]);
        rig r = open_simple(amplitudes[k], "dop853", 1e-11, "baumgarte");
        double worst = 0;
        for (int quarter = 1; quarter <= 5; quarter += 2) {
            rig_step_to(&r, quarter * T / 4);
            worst = fmax(worst, fabs(rig_value(&r, "rod.angle") / rig_value(&r, "rod.wz")));
        }
        print_message("amplitude %.2f rad: period %.6f s, passages late by %.1e s\n", amplitudes[k], T,
                      worst);
        assert_near(worst, 0, 1e-10 * T);
        rig_close(&r);
    }
}

/* A thousand times heavier it moves the same, to the bit and step by step: tolerances have the size of the machine. */
static void test_mass_does_not_matter(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    for (int m = 0; m < (LASH_HAVE_CVODE ? 3 : 1); m++) {
        double angle[3];
        size_t steps[3];
        for (int k = 0; k < 3; k++) {
            const double mass = k == 0 ? 1 : k == 1 ? 1024 : 1.0 / 1024;
            rig r = rig_open(
                "gravity: [0, -9.81]\n"
                "bodies: {rod: {mass: %.17g, inertia: %.17g, position: [0.6, 0], points: {top: [-0.6, 0]}}}\n"
                "joints: {pivot: {type: revolute, between: [ground, rod.top]}}\n"
                "run: {method: %s, rtol: 1e-7, until: 3}\n",
                mass, 0.125 * mass, methods[m]);
            rig_step_to(&r, 3);
            angle[k] = rig_value(&r, "rod.angle");
            steps[k] = lash_sim_summary(r.sim).steps;
            rig_close(&r);
        }
        assert_true(angle[1] == angle[0] && angle[2] == angle[0]);
        assert_true(steps[1] == steps[0] && steps[2] == steps[0]);
    }
}

/* A sledge in thick oil, λ = c/m = 1e4/s: once it follows the force, |hλ| = 6.1 bounds the steps of dop853, and they are counted. */
static void test_stiff_steps_are_counted(void **state) {
    (void)state;
    size_t steps[2], stiff[2];
    for (int k = 0; k < 2; k++) {
        rig r = rig_open("bodies: {sledge: {mass: 1, inertia: 1}}\n"
                         "joints: {way: {type: translational, between: [ground, sledge], axis: [1, 0]}}\n"
                         "forces: {oil: {type: viscous, joint: way, coefficient: %g}, f: {type: force, at: "
                         "sledge, force: [sin(t), 0]}}\n"
                         "run: {until: 0.5, rtol: 1e-5}\n",
                         k ? 1e4 : 1.0);
        rig_step_to(&r, 0.5);
        const lash_summary summary = lash_sim_summary(r.sim);
        steps[k] = summary.steps;
        stiff[k] = summary.stiff_steps;
        rig_close(&r);
    }
    print_message("%zu of %zu steps limited by stability, %zu of %zu\n", stiff[0], steps[0], stiff[1],
                  steps[1]);
    assert_int_equal(stiff[0], 0);
    assert_true((double)steps[1] > 0.5 * 1e4 / 6.6 && stiff[1] > steps[1] / 2 && stiff[1] <= steps[1]);
}

/* The summary has the largest violations of the run: those of every step, and they are there. */
static void test_largest_violations(void **state) {
    (void)state;
    rig r = rig_open(DOUBLE, "dop853", 1e-4, "baumgarte");
    lash_error error = {0};
    double position = 0, velocity = 0;
    while (lash_sim_step(r.sim, 10, &error) == LASH_OK) {
        position = fmax(position, rig_value(&r, "constraint.position"));
        velocity = fmax(velocity, rig_value(&r, "constraint.velocity"));
    }
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_true(velocity > 1e-9 && position > 1e-9);
    rig_near(summary.max_velocity_violation, velocity, 1e-9 * velocity, "velocity");
    rig_near(summary.max_position_violation, position, 1e-9 * position, "position");
    rig_close(&r);
}

/* A rod that is hinged at one end, and a bob in a joint with play at the other: free, the end falls with 1.5 g and the bob with g, so that the
 * gap c closes with √(2 · 0.5 g c). */
static void test_typical_speed(void **state) {
    (void)state;
    rig r = rig_open(
        "gravity: [0, -9.81]\n"
        "bodies: {rod: {mass: 3, inertia: 0.25, position: [0.5, 0], points: {o: [-0.5, 0], e: [0.5, 0]}},\n"
        "  bob: {mass: 1, inertia: 0.1, position: [1, 0]}}\n"
        "joints: {hinge: {type: revolute, between: [ground, rod.o]}, cup: {type: revolute, between: [rod.e, "
        "bob],\n"
        "  clearance: {bearing_radius: 10 mm, radial: 0.5 mm, contact: {law: hertz, stiffness: 1e9}}}}\n"
        "run: {until: 1}\n");
    rig_near(lash_system_clearance(r.system, 0).typical_speed, sqrt(2 * 0.5 * 9.81 * 0.5e-3), 1e-9,
             "typical speed");
    rig_close(&r);
}

/* The largest error over five passages falls in proportion to rtol: slope of a line through five decades. */
static void test_tolerance_proportionality(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    for (int m = 0; m < 3; m++) {
        enum { DECADES = 5 };
        double error[DECADES] = {0}, slope = 0;
        for (int k = 0; k < DECADES; k++) {
            rig r = open_simple(1.5, methods[m], pow(10, -6 - k), "baumgarte");
            for (int quarter = 1; quarter <= 9; quarter += 2) {
                rig_step_to(&r, quarter * period(1.5) / 4);
                error[k] = fmax(error[k], fabs(rig_value(&r, "rod.angle")));
            }
            rig_close(&r);
            slope -= (k - 2) * log10(error[k]) / 10; // Σ(k − 2)² = 10
        }
        print_message("%s: error %.1e at rtol 1e-6, %.1e at 1e-10: exponent %.2f\n", methods[m], error[0],
                      error[DECADES - 1], slope);
        assert_in_range((int)(100 * slope), 70, 130);
    }
}

static void test_double_pendulum_energy(void **state) {
    (void)state;
    static const char *const stabilisations[] = {"baumgarte", "projection"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_open(DOUBLE, "dop853", 1e-10, stabilisations[k]);
        const double size = fabs(rig_value(&r, "energy.kinetic") + rig_value(&r, "energy.potential"));
        rig_step_to(&r, 10);
        const lash_summary summary = lash_sim_summary(r.sim);
        print_message(
            "double pendulum, %s: energy drift %.1e of |E|, %.1e of the energy exchanged, %zu steps\n",
            stabilisations[k], summary.max_balance_error / size,
            summary.max_balance_error / summary.energy_exchanged, summary.steps);
        assert_true(summary.max_balance_error <= 1e-9 * size);
        assert_true(summary.max_balance_error <= 1e-9 * summary.energy_exchanged);
        assert_near(rig_value(&r, "energy.input"), 0, 0);
        assert_near(rig_value(&r, "energy.dissipated"), 0, 0);
        rig_close(&r);
    }
}

/* The double pendulum is chaotic (it multiplies errors about tenfold per second here), so agreement is asked
 * for over two seconds. */
static void test_integrators_agree(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    double angle[3][2];
    for (int m = 0; m < 3; m++) {
        rig r = rig_open(DOUBLE, methods[m], 1e-11, "baumgarte");
        rig_step_to(&r, 2);
        angle[m][0] = rig_value(&r, "upper.angle");
        angle[m][1] = rig_value(&r, "lower.angle");
        rig_close(&r);
        if (m > 0)
            print_message("%s against dop853 after 2 s: %.1e, %.1e rad\n", methods[m],
                          angle[m][0] - angle[0][0], angle[m][1] - angle[0][1]);
    }
    for (int m = 1; m < 3; m++)
        for (int k = 0; k < 2; k++)
            assert_near(angle[m][k], angle[0][k], 1e-7);
}

/* Two bodies pinned and sprung together, afloat: momentum and spin about the common centre stay. */
static void test_momentum(void **state) {
    (void)state;
    rig r = rig_open(
        "bodies:\n"
        "  a: {mass: 2, inertia: 0.2, position: [0, 0], velocity: [1, 0.5], angular_velocity: 3, points: "
        "{pin: [0.5, 0.1]}}\n"
        "  b: {mass: 1, inertia: 0.1, position: [1, 0.4], velocity: [-1, 2], angular_velocity: -7, points: "
        "{pin: [-0.5, -0.3]}}\n"
        "joints:\n"
        "  pin: {type: revolute, between: [a.pin, b.pin]}\n"
        "forces:\n"
        "  twist: {type: joint-spring, joint: pin, stiffness: 5, damping: 0.01, free: 0.3}\n"
        "run: {rtol: 1e-11, until: 10}\n");
    assert_int_equal(lash_system_freedoms(r.system), 4);
    double start[3] = {0}, now[3];
    for (int k = 0; k <= 10; k++) {
        rig_step_to(&r, k);
        const double xa = rig_value(&r, "a.x"), ya = rig_value(&r, "a.y"), xb = rig_value(&r, "b.x"),
                     yb = rig_value(&r, "b.y");
        const double ua = rig_value(&r, "a.vx"), va = rig_value(&r, "a.vy"), ub = rig_value(&r, "b.vx"),
                     vb = rig_value(&r, "b.vy");
        now[0] = 2 * ua + ub;
        now[1] = 2 * va + vb;
        // reduced mass 2/3 times (relative position × relative velocity), and the bodies' own spin
        now[2] = 2.0 / 3 * ((xb - xa) * (vb - va) - (yb - ya) * (ub - ua)) + 0.2 * rig_value(&r, "a.wz") +
                 0.1 * rig_value(&r, "b.wz");
        for (int i = 0; i < 3; i++) {
            if (k == 0)
                start[i] = now[i];
            assert_near(now[i], start[i], 1e-10 * 5);
        }
    }
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_true(summary.max_balance_error <= 1e-9 * summary.energy_exchanged);
    rig_close(&r);
}

static double violation(const char *stabilisation, double rtol, double until) {
    rig r = open_simple(2.5, "dop853", rtol, stabilisation);
    double worst = 0;
    lash_error error = {0};
    lash_status status = LASH_OK;
    while (status == LASH_OK) {
        status = lash_sim_step(r.sim, until, &error);
        rig_require(status, &error, "step");
        // the recorded violation is the gap of the pin, computed here from the body alone
        const double angle = rig_value(&r, "rod.angle");
        const double gap = fmax(fabs(rig_value(&r, "rod.x") - HALF * sin(angle)),
                                fabs(rig_value(&r, "rod.y") + HALF * cos(angle)));
        assert_near(rig_value(&r, "constraint.position"), gap, 1e-15);
        worst = fmax(worst, gap);
    }
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_near(summary.max_position_violation, worst, 1e-15);
    rig_close(&r);
    return worst;
}

/* Without stabilisation the gap grows with time, Baumgarte's feedback bounds it, projection leaves rounding.
 */
static void test_stabilisation(void **state) {
    (void)state;
    const double rtol = 1e-6;
    const double none[2] = {violation("none", rtol, 10), violation("none", rtol, 100)};
    const double baumgarte[2] = {violation("baumgarte", rtol, 10), violation("baumgarte", rtol, 100)};
    const double projection = violation("projection", rtol, 100);
    print_message("gap after 10 and 100 s: none %.1e %.1e, baumgarte %.1e %.1e, projection %.1e m\n", none[0],
                  none[1], baumgarte[0], baumgarte[1], projection);
    assert_true(none[1] > 5 * none[0]);
    assert_true(baumgarte[1] < 2 * baumgarte[0]);
    assert_true(baumgarte[1] < 0.1 * none[1]);
    assert_true(projection < 1e-14);
}

/* Off the constraint by hand: Φ̈ = −2αΦ̇ − β²Φ with the gains of the model. */
static void test_baumgarte_gains(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, -9.81]\n"
                     "bodies:\n"
                     "  rod: {mass: 2, inertia: 0.3, position: [0, -0.6], points: {top: [0, 0.6]}}\n"
                     "joints:\n"
                     "  pivot: {type: revolute, between: [ground, rod.top]}\n"
                     "run: {until: 1, alpha: 3, beta: 7}\n");
    lashi_workspace *workspace;
    lash_error error = {0};
    rig_require(lashi_workspace_create(&workspace, r.system, &error), &error, "workspace");
    assert_int_equal(r.system->n_y, 8);
    double y[8] = {0.2, -0.5, 0.4, 1.5, -0.3, 2, 0, 0}, ydot[8];
    assert_int_equal(lashi_evaluate(ydot, workspace, 0, y), 0);
    const double S[2] = {-HALF * sin(0.4), HALF * cos(0.4)}, w = y[5], a = ydot[5];
    const double Phi[2] = {y[0] + S[0], y[1] + S[1]}, rate[2] = {y[3] - w * S[1], y[4] + w * S[0]};
    const double second[2] = {ydot[3] - a * S[1] - w * w * S[0], ydot[4] + a * S[0] - w * w * S[1]};
    for (int i = 0; i < 2; i++)
        assert_near(second[i], -2 * 3 * rate[i] - 7 * 7 * Phi[i], 1e-13 * 50);
    lashi_workspace_destroy(workspace);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_period),
        cmocka_unit_test(test_mass_does_not_matter),
        cmocka_unit_test(test_largest_violations),
        cmocka_unit_test(test_typical_speed),
        cmocka_unit_test(test_stiff_steps_are_counted),
        cmocka_unit_test(test_tolerance_proportionality),
        cmocka_unit_test(test_double_pendulum_energy),
        cmocka_unit_test(test_integrators_agree),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_stabilisation),
        cmocka_unit_test(test_baumgarte_gains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
