/* SPDX-License-Identifier: MIT
 *
 * LASH_CHECK=1: a run that breaks a law of every step ends with an error that names the place, and one that
 * breaks none is the same bit for bit. Each law is broken here by changing a number behind the run's back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "physics/rig.h"
#include "sim/sim.h"

/* A journal that bounces and slides in its bearing. */
static rig journal(const char *method) {
    return rig_open("gravity: [0, -9.81]\n"
                    "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
                    "bodies: {bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0.05, -0.08],\n"
                    "               angle: 0.6}}\n"
                    "joints:\n"
                    "  pin: {type: revolute, between: [ground, bob.a], clearance: {bearing_radius: 1 cm,\n"
                    "        radial: 0.5 mm, materials: steel, contact: {restitution: 0.9},\n"
                    "        friction: {law: threlfall, coefficient: 0.1}}}\n"
                    "run: {until: 0.2, method: %s}\n",
                    method);
}

/* Two bars without ground, joined by a pin with play, in the plane or in space. */
static rig pair(bool space) {
    return space ? rig_open("space: spatial\n"
                            "bodies:\n"
                            "  a: {mass: 1, inertia: [0.01, 0.02, 0.03], points: {p: [0.1, 0, 0]},\n"
                            "      velocity: [0.3, 0, 0.1], angular_velocity: [1, 2, 3]}\n"
                            "  b: {mass: 2, inertia: [0.02, 0.01, 0.02], points: {p: [-0.1, 0, 0]},\n"
                            "      position: [0.2, 0, 0]}\n"
                            "joints: {p: {type: spherical, between: [a.p, b.p], clearance: {bearing_radius: "
                            "1 cm,\n"
                            "    radial: 0.2 mm, contact: {stiffness: 1e9, restitution: 0.8},\n"
                            "    friction: {law: threlfall, coefficient: 0.2}}}}\n"
                            "run: {until: 0.1}\n")
                 : rig_open("bodies:\n"
                            "  a: {mass: 1, inertia: 0.01, points: {p: [0.1, 0]}, velocity: [0.3, 0],\n"
                            "      angular_velocity: 3}\n"
                            "  b: {mass: 2, inertia: 0.02, points: {p: [-0.1, 0]}, position: [0.2, 0]}\n"
                            "joints: {p: {type: revolute, between: [a.p, b.p], clearance: {bearing_radius: "
                            "1 cm,\n"
                            "    radial: 0.2 mm, contact: {stiffness: 1e9, restitution: 0.8},\n"
                            "    friction: {law: threlfall, coefficient: 0.2}}}}\n"
                            "run: {until: 0.1}\n");
}

/* Whole steps until the contact is in this mode. */
static void go_until(rig *r, int touching) {
    lash_error error = {0};
    for (int k = 0; k < 2000 && r->sim->memories[0].touching != touching; k++)
        rig_require(lash_sim_step(r->sim, 1, &error), &error, "step");
    assert_int_equal(r->sim->memories[0].touching, touching);
}

/* The first half of a step. */
static void advance(rig *r) {
    lash_error error = {0};
    rig_require(lashi_sim_advance(r->sim, 1, &error), &error, "advance");
}

static void assert_broken(lash_status status, const lash_error *error, const char *object, const char *what) {
    assert_int_equal(status, LASH_ERROR_INTERNAL);
    assert_non_null(strstr(error->message, "LASH_CHECK"));
    if (!strstr(error->message, what))
        fail_msg("'%s' is not in: %s", what, error->message);
    assert_string_equal(error->object, object);
    assert_true(isfinite(error->time));
}

static void assert_step_broken(rig *r, const char *object, const char *what) {
    lash_error error = {0};
    const lash_status status = lashi_invariants_step(r->sim, &error);
    assert_broken(status, &error, object, what);
    rig_close(r);
}

static void it_is_off_unless_asked_for(void **state) {
    (void)state;
    static const char *const values[] = {NULL, "0", "", "yes"};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        if (values[k])
            setenv("LASH_CHECK", values[k], 1);
        else
            unsetenv("LASH_CHECK");
        rig r = journal("dop853");
        assert_null(r.sim->invariants);
        rig_close(&r);
    }
    setenv("LASH_CHECK", "1", 1);
}

static void runs_are_the_same_with_it(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    for (size_t m = 0; m < 3; m++) {
        double y[2][6];
        lash_summary s[2];
        for (int k = 0; k < 2; k++) {
            lash_error error = {0};
            if (k)
                setenv("LASH_CHECK", "1", 1);
            else
                unsetenv("LASH_CHECK");
            rig r = journal(methods[m]);
            assert_true((r.sim->invariants != NULL) == k);
            rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
            lash_sim_coordinates(y[k], r.sim);
            s[k] = lash_sim_summary(r.sim);
            rig_close(&r);
        }
        assert_memory_equal(y[0], y[1], sizeof y[0]);
        assert_int_equal(s[0].steps, s[1].steps);
        assert_int_equal(s[0].evaluations, s[1].evaluations);
        assert_int_equal(s[0].looks, s[1].looks);
    }
}

static void a_contact_that_was_passed_over_is_noticed(void **state) {
    (void)state;
    rig r = journal("dop853");
    go_until(&r, 1);
    advance(&r);
    r.sim->memories[0].touching = 0;
    assert_step_broken(&r, "pin", "in free flight the contact is beyond its wall");
}

static void a_contact_without_a_wall_is_noticed(void **state) {
    (void)state;
    rig r = journal("dop853");
    advance(&r);
    r.sim->memories[0].touching = 1;
    assert_step_broken(&r, "pin", "off its wall");
}

static void a_follower_off_its_wall_is_noticed(void **state) {
    (void)state;
    rig r =
        rig_open("gravity: [0, -9.81]\n"
                 "bodies: {bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0, -0.1005]}}\n"
                 "joints: {pin: {type: revolute, between: [ground, bob.a], clearance: {model: three-mode,\n"
                 "  bearing_radius: 1 cm, radial: 0.5 mm, restitution: 0.5}}}\n"
                 "run: {until: 1}\n");
    advance(&r);
    assert_int_equal(lashi_invariants_step(r.sim, NULL), LASH_OK);
    r.sim->memories[0].touching = 1;
    ((lashi_contact *)r.system->contacts)[0].p->size.clearance += 1e-4;
    assert_step_broken(&r, "pin", "follows its wall");
}

/* What the force has done and what the impulse says. */
static void an_impulse_that_is_not_the_force_is_noticed(void **state) {
    (void)state;
    rig r = journal("dop853");
    go_until(&r, 1);
    lash_error error = {0};
    lash_status status = LASH_OK;
    for (int k = 0; k < 5 && !status; k++) {
        advance(&r);
        const int at = r.system->impulse_at;
        const double *before = r.sim->integrator->y_old;
        ((double *)before)[at] -= 0.5 * (r.sim->integrator->y[at] - before[at]);
        status = lashi_invariants_step(r.sim, &error);
        if (!status)
            rig_require(lashi_sim_commit(r.sim, &error), &error, "commit");
    }
    assert_broken(status, &error, "pin", "impulse");
    rig_close(&r);
}

static void energy_from_nowhere_is_noticed(void **state) {
    (void)state;
    rig r = journal("dop853");
    go_until(&r, 1);
    for (int k = 0; k < 6; k++)
        assert_int_equal(lash_sim_step(r.sim, 1, NULL), LASH_OK);
    advance(&r);
    assert_int_equal(lashi_invariants_step(r.sim, NULL), LASH_OK);
    ((double(*)[LASHI_FREEDOMS])r.system->mass)[1][0] *= 1.01; // the accelerations keep the old one
    assert_step_broken(&r, "", "K + V + U");
}

static void forces_that_are_not_opposite_are_noticed(void **state) {
    (void)state;
    for (int space = 0; space < 2; space++) {
        rig r = pair(space);
        go_until(&r, 1);
        advance(&r);
        assert_int_equal(lashi_invariants_step(r.sim, NULL), LASH_OK);
        ((lashi_contact *)r.system->contacts)[0].p->size.bearing_arm += 1e-3;
        assert_step_broken(&r, "p", "moments on both parts");
    }
}

static void momentum_that_changes_is_noticed(void **state) {
    (void)state;
    for (int space = 0; space < 2; space++)
        for (int turning = 0; turning < 2; turning++) {
            rig r = pair(space);
            go_until(&r, 1);
            advance(&r);
            ((double(*)[LASHI_FREEDOMS])r.system->mass)[1][turning ? r.system->turning : 0] *= 1.001;
            assert_step_broken(&r, "",
                               turning ? "the angular momentum of a free machine"
                                       : "the momentum of a free machine");
        }
}

static void numbers_that_are_none_are_noticed(void **state) {
    (void)state;
    rig r = journal("dop853");
    advance(&r);
    ((double *)r.sim->integrator->y_old)[0] = (double)NAN;
    assert_step_broken(&r, "", "is not finite");
}

static void time_that_stands_is_noticed(void **state) {
    (void)state;
    rig r = journal("dop853");
    advance(&r);
    r.sim->integrator->t_old = r.sim->t_new + 1;
    assert_step_broken(&r, "", "time does not go on");
}

/* Between the step and its repetition something changes that is not in the state. */
static lash_status change_weight(void *user, lash_sim *sim, double t_old, double t_new) {
    (void)user, (void)t_old, (void)t_new;
    ((double(*)[LASHI_FREEDOMS])sim->system->weight)[1][1] *= 1.0000001;
    return LASH_OK;
}

static void a_state_that_is_not_all_is_noticed(void **state) {
    (void)state;
    rig r = journal("dop853");
    lash_error error = {0};
    const lash_run_control control = {.observe = change_weight};
    const lash_status status = lash_sim_step_observed(r.sim, 1, &control, &error);
    assert_broken(status, &error, "", "does not repeat its step");
    rig_close(&r);
}

int main(void) {
    setenv("LASH_CHECK", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_off_unless_asked_for),
        cmocka_unit_test(runs_are_the_same_with_it),
        cmocka_unit_test(a_contact_that_was_passed_over_is_noticed),
        cmocka_unit_test(a_contact_without_a_wall_is_noticed),
        cmocka_unit_test(a_follower_off_its_wall_is_noticed),
        cmocka_unit_test(an_impulse_that_is_not_the_force_is_noticed),
        cmocka_unit_test(energy_from_nowhere_is_noticed),
        cmocka_unit_test(forces_that_are_not_opposite_are_noticed),
        cmocka_unit_test(momentum_that_changes_is_noticed),
        cmocka_unit_test(numbers_that_are_none_are_noticed),
        cmocka_unit_test(time_that_stands_is_noticed),
        cmocka_unit_test(a_state_that_is_not_all_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
