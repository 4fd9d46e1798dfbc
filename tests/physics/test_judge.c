/* SPDX-License-Identifier: MIT
 *
 * What a run says about its own numbers: rows belong to their instant whatever the method.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/rig.h"

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
            rig r = rotor(methods[m], k ? 1e-8 : 1e-4, "baumgarte");
            lash_error failure = {0};
            rig_require(lash_sim_run(r.sim, NULL, NULL, &failure), &failure, "run");
            const lash_summary s = lash_sim_summary(r.sim);
            error[k] = s.max_balance_error / s.energy_exchanged;
            rig_close(&r);
        }
        assert_true(error[1] < 1e-11);
        assert_true(error[1] < 1e-2 * error[0]);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_belong_to_the_present_point),
        cmocka_unit_test(balance_follows_the_tolerance),
        cmocka_unit_test(evaluations_are_those_of_the_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
