/* SPDX-License-Identifier: MIT
 *
 * Andrews' squeezing mechanism, examples/andrews.yaml, against the solution of the test set for initial value
 * problems (tests/reference/andrews.csv): there seven relative angles and six loop equations, here seven free
 * bodies and twenty pin equations. The multipliers belong to other constraints and cannot be compared;
 * angles, their rates and accelerations can.
 *
 * The loop equations of the test set, checked at its initial values, tie the geometry to the reference:
 *   E = rr(cos β, sin β) − d(cos(β+θ), sin(β+θ))
 *     = B + ss(sin γ, −cos γ)
 *     = A + zt(cos δ, sin δ) + e(sin(φ+δ), −cos(φ+δ))
 *     = A + u(sin ε, −cos ε) + zf(cos(Ω+ε), sin(Ω+ε)).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON, ANGLES };
static double start[3][ANGLES], end[3][ANGLES]; // angle, rate, acceleration

/* Of the reference's accelerations at the end, which its solver did not control: our methods differ from them
 * all by the same 1.0e-7 and from each other by a hundredth of that (asserted below). */
static const double ACCELERATION_ERROR = 2e-7;

static int read_reference(void **state) {
    (void)state;
    FILE *file = fopen(LASH_SOURCE_DIR "/tests/reference/andrews.csv", "r");
    if (!file)
        return -1;
    char line[256];
    int found = 0;
    while (fgets(line, sizeof line, file)) {
        int index;
        double y0, y1;
        if (sscanf(line, "%d,%lf,%lf", &index, &y0, &y1) != 3 || index > 3 * ANGLES)
            continue;
        start[(index - 1) / ANGLES][(index - 1) % ANGLES] = y0;
        end[(index - 1) / ANGLES][(index - 1) % ANGLES] = y1;
        found++;
    }
    fclose(file);
    return found == 3 * ANGLES ? 0 : -1;
}

static rig open_example(const char *method, const char *rtol, const char *stabilisation) {
    rig r = {0};
    lash_error error = {0};
    rig_require(lash_model_load(&r.model, LASH_SOURCE_DIR "/examples/andrews.yaml", NULL, &error), &error,
                "model");
    lash_run_def run = *lash_model_run(r.model);
    run.method = method;
    run.rtol = strtod(rtol, NULL);
    run.stabilisation = stabilisation;
    rig_require(lash_model_set_run(r.model, &run, &error), &error, "run");
    rig_require(lash_system_compile(&r.system, r.model, &error), &error, "compile");
    rig_require(lash_sim_create(&r.sim, r.system, &error), &error, "create");
    return r;
}

/* The seven angles of the test set, or their rates or accelerations, from the absolute ones. */
static void relative_angles(double out[ANGLES], const rig *r, const char *quantity) {
    double k[8];
    for (int b = 1; b <= 7; b++) {
        char name[32];
        snprintf(name, sizeof name, "k%d.%s", b, quantity);
        k[b] = rig_value(r, name);
    }
    out[BETA] = k[1];
    out[THETA] = k[2] - k[1];
    out[GAMMA] = k[3];
    out[PHI] = k[4] - k[5];
    out[DELTA] = k[5];
    out[OMEGA] = k[6] - k[7];
    out[EPSILON] = k[7];
}

static void test_geometry(void **state) {
    (void)state;
    const double *q = start[0];
    const double E[2] = {0.007 * cos(q[BETA]) - 0.028 * cos(q[BETA] + q[THETA]),
                         0.007 * sin(q[BETA]) - 0.028 * sin(q[BETA] + q[THETA])};
    const double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273;
    const double loops[3][2] = {
        {xb + 0.035 * sin(q[GAMMA]), yb - 0.035 * cos(q[GAMMA])},
        {xa + 0.04 * cos(q[DELTA]) + 0.02 * sin(q[PHI] + q[DELTA]),
         ya + 0.04 * sin(q[DELTA]) - 0.02 * cos(q[PHI] + q[DELTA])},
        {xa + 0.04 * sin(q[EPSILON]) + 0.02 * cos(q[OMEGA] + q[EPSILON]),
         ya - 0.04 * cos(q[EPSILON]) + 0.02 * sin(q[OMEGA] + q[EPSILON])},
    };
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++)
            assert_near(loops[k][i], E[i], 1e-16);
}

static void test_start(void **state) {
    (void)state;
    rig r = open_example("dop853", "1e-10", "baumgarte");
    assert_int_equal(lash_system_mobility(r.system), 1);
    assert_int_equal(lash_system_freedoms(r.system), 1);
    assert_int_equal(lash_system_constraint_count(r.system), 20);
    assert_null(lash_system_redundant(r.system, 0));
    double q[ANGLES], v[ANGLES], a[ANGLES], worst = 0;
    relative_angles(q, &r, "angle");
    relative_angles(v, &r, "wz");
    relative_angles(a, &r, "alphaz");
    for (int i = 0; i < ANGLES; i++) {
        assert_near(q[i], start[0][i], 1e-14);
        assert_near(v[i], 0, 0);
        worst = fmax(worst, fabs(a[i] - start[2][i]) / fabs(start[2][BETA]));
    }
    print_message("initial accelerations: %.1e\n", worst);
    assert_near(worst, 0, 1e-11);
    rig_close(&r);
}

/* Largest error of the angles at the end, each relative to itself; rates and accelerations to their largest.
 * alpha: the angular acceleration of k4. */
static void check_end(double *alpha, const char *method, const char *rtol, const char *stabilisation,
                      double tolerance) {
    static const char *const quantities[3] = {"angle", "wz", "alphaz"};
    rig r = open_example(method, rtol, stabilisation);
    rig_step_to(&r, 0.03);
    double error[3] = {0};
    for (int k = 0; k < 3; k++) {
        double x[ANGLES], size = 0;
        for (int i = 0; i < ANGLES; i++)
            size = fmax(size, fabs(end[k][i]));
        relative_angles(x, &r, quantities[k]);
        for (int i = 0; i < ANGLES; i++)
            error[k] = fmax(error[k], fabs(x[i] - end[k][i]) / (k == 0 ? fabs(end[k][i]) : size));
    }
    const lash_summary summary = lash_sim_summary(r.sim);
    print_message(
        "%s %s %s: angles %.1e, rates %.1e, accelerations %.1e; %zu steps, violation %.1e, balance %.1e\n",
        method, rtol, stabilisation, error[0], error[1], error[2], summary.steps,
        summary.max_position_violation, summary.max_balance_error / summary.energy_exchanged);
    assert_near(error[0], 0, tolerance);
    assert_near(error[1], 0, tolerance);
    assert_near(error[2], 0, ACCELERATION_ERROR);
    *alpha = rig_value(&r, "k4.alphaz");
    rig_close(&r);
}

static void test_end(void **state) {
    (void)state;
    double alpha[5];
    check_end(&alpha[0], "dop853", "1e-12", "baumgarte", 1e-9);
    check_end(&alpha[1], "dop853", "1e-10", "baumgarte", 1e-8);
    check_end(&alpha[2], "dop853", "1e-10", "projection", 1e-8);
    check_end(&alpha[3], "adams", "1e-12", "baumgarte", 1e-8);
    check_end(&alpha[4], "gear", "1e-12", "baumgarte", 1e-7);
    for (int k = 1; k < 5; k++)
        assert_relative(alpha[k], alpha[0], k < 4 ? 1e-9 : 1e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_end),
    };
    return cmocka_run_group_tests(tests, read_reference, NULL);
}
