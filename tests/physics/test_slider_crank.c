/* SPDX-License-Identifier: MIT
 *
 * The ideal slider-crank of Flores 2010 against its closed form, over one turn at constant speed.
 *
 * With crank angle φ = ωt, crank r, rod l at angle ψ (l sin ψ = −r sin φ), primes d/dφ:
 *   ψ′ = −r cos φ/(l cos ψ),  ψ″ = (r sin φ/l + sin ψ ψ′²)/cos ψ,  x = r cos φ + l cos ψ.
 * The crank torque follows from the power balance T ω = d(kinetic + potential)/dt, without any joint force:
 *   T = ω² [m₃ x′x″ + m₂ (x₂′x₂″ + y₂′y₂″) + J₂ ψ′ψ″] + g (m₁ y₁′ + m₂ y₂′).
 * The force of the gudgeon pin on the slider along the guide is m₃ ω² x″.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

static const double R = 0.05, L = 0.12, M1 = 0.30, M2 = 0.21, M3 = 0.14, J2 = 2.5e-4, G = 9.81;
static const double OMEGA = 5000 * 2 * RIG_PI / 60;

static const char MODEL[] = //
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  crank:  {mass: 0.30, inertia: 1e-4, position: [25 mm, 0], points: {main: [-25 mm, 0], pin: [25 mm, "
    "0]}}\n"
    "  rod:    {mass: 0.21, inertia: 2.5e-4, position: [110 mm, 0], points: {big: [-60 mm, 0], small: [60 "
    "mm, 0]}}\n"
    "  slider: {mass: 0.14, inertia: 1e-4, position: [170 mm, 0]}\n"
    "joints:\n"
    "  main:     {type: revolute, between: [ground, crank.main]}\n"
    "  crankpin: {type: revolute, between: [rod.big, crank.pin]}\n"
    "  gudgeon:  {type: revolute, between: [rod.small, slider]}\n"
    "  guide:    {type: translational, between: [ground, slider], axis: [1, 0]}\n"
    "drives:\n"
    "  motor: {joint: main, speed: 5000 rpm}\n"
    "run: {until: 1 rev of motor, method: %s, rtol: 1e-10, max_steps: 5000, stabilisation: %s}\n";

enum { X, V, A, TORQUE, PIN, QUANTITIES };
static const char *const channels[] = {"slider.x",     "slider.vx",  "slider.ax",
                                       "motor.torque", "gudgeon.fx", NULL};

static void closed_form(double out[QUANTITIES], double t) {
    const double phi = OMEGA * t, s = sin(phi), c = cos(phi);
    const double sp = -R / L * s, cp = sqrt(1 - sp * sp);
    const double p1 = -R * c / (L * cp), p2 = (R * s / L + sp * p1 * p1) / cp;
    const double x1 = -R * s - L * sp * p1, x2 = -R * c - L * (cp * p1 * p1 + sp * p2);
    const double h = L / 2; // rod's centre of mass from the crank pin
    const double gx1 = -R * s - h * sp * p1, gx2 = -R * c - h * (cp * p1 * p1 + sp * p2);
    const double gy1 = R * c + h * cp * p1, gy2 = -R * s + h * (cp * p2 - sp * p1 * p1);
    const double w2 = OMEGA * OMEGA;
    out[X] = R * c + L * cp;
    out[V] = OMEGA * x1;
    out[A] = w2 * x2;
    out[TORQUE] =
        w2 * (M3 * x1 * x2 + M2 * (gx1 * gx2 + gy1 * gy2) + J2 * p1 * p2) + G * (M1 * R / 2 * c + M2 * gy1);
    out[PIN] = M3 * out[A];
}

/* Largest error of each quantity over the turn, relative to its largest value. */
static void check(const char *method, const char *stabilisation, bool kinematics, double tolerance) {
    rig r = rig_open(MODEL, method, stabilisation);
    assert_int_equal(lash_system_mobility(r.system), 1);
    assert_int_equal(lash_system_freedoms(r.system), 0);
    assert_null(lash_system_redundant(r.system, 0));
    enum { INTERVALS = 360 };
    rig_rows rows = rig_sample(&r, INTERVALS, channels, kinematics);
    double error[QUANTITIES] = {0}, size[QUANTITIES] = {0};
    for (size_t k = 0; k < rows.count; k++) {
        double exact[QUANTITIES];
        const double t = rig_at(&rows, k, 0);
        assert_near(t, 2 * RIG_PI / OMEGA * (double)k / INTERVALS, 1e-17);
        closed_form(exact, t);
        for (int i = 0; i < QUANTITIES; i++) {
            error[i] = fmax(error[i], fabs(rig_at(&rows, k, (size_t)i + 1) - exact[i]));
            size[i] = fmax(size[i], fabs(exact[i]));
        }
    }
    print_message("%s, %s%s:", method, stabilisation, kinematics ? ", kinematics" : "");
    for (int i = 0; i < QUANTITIES; i++)
        print_message(" %s %.1e", channels[i], error[i] / size[i]);
    const lash_summary summary = lash_sim_summary(r.sim);
    if (!kinematics)
        print_message(", balance %.1e, %zu steps", summary.max_balance_error / summary.energy_exchanged,
                      summary.steps);
    print_message("\n");
    for (int i = 0; i < QUANTITIES; i++)
        assert_near(error[i] / size[i], 0, tolerance);
    if (!kinematics)
        assert_true(summary.max_balance_error <= tolerance * summary.energy_exchanged);
    rig_rows_close(&rows);
    rig_close(&r);
}

static void test_dop853(void **state) {
    (void)state;
    check("dop853", "baumgarte", false, 1e-9);
}

static void test_dop853_projection(void **state) {
    (void)state;
    check("dop853", "projection", false, 1e-9);
}

static void test_adams(void **state) {
    (void)state;
    check("adams", "baumgarte", false, 1e-7);
}

static void test_adams_projection(void **state) {
    (void)state;
    check("adams", "projection", false, 1e-7);
}

static void test_gear(void **state) {
    (void)state;
    check("gear", "baumgarte", false, 1e-7);
}

static void test_gear_projection(void **state) {
    (void)state;
    check("gear", "projection", false, 1e-7);
}

/* No integration: only the closure of Newton's iteration is left. */
static void test_kinematics(void **state) {
    (void)state;
    check("dop853", "baumgarte", true, 1e-11);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dop853),     cmocka_unit_test(test_dop853_projection),
        cmocka_unit_test(test_adams),      cmocka_unit_test(test_adams_projection),
        cmocka_unit_test(test_gear),       cmocka_unit_test(test_gear_projection),
        cmocka_unit_test(test_kinematics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
