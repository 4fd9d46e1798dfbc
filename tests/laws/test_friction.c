/* SPDX-License-Identifier: MIT
 *
 * The friction laws: numbers of every formula, symmetry, bounds, dissipation, continuity and kinks; lugre's
 * steady state, its closed form at constant speed, its stick stiffness and passivity; bad input.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "contact/friction.h"
#include "model/schema.h"
#include "near.h"
#include "numbers.h"

static const double mu_k = 0.1, mu_s = 0.16;

static lash_friction_def definition(const char *law) {
    return (lash_friction_def){.law = law,
                               .coefficient = mu_k,
                               .v0 = 1e-4,
                               .v1 = 1e-3,
                               .vr = 2e-3,
                               .coefficient_static = mu_s,
                               .stribeck_speed = 5e-2,
                               .viscous = 0.02,
                               .bristle_stiffness = 1e5,
                               .bristle_damping = 30};
}

static lashi_friction compiled(const lash_friction_def *def) {
    lashi_friction law;
    lash_error error = {0};
    if (lashi_friction_compile(&law, friction_numbers(), def, &error) != LASH_OK)
        fail_msg("%s: %s", def->law, error.message);
    return law;
}

static lashi_friction named(const char *law) {
    lash_friction_def def = definition(law);
    return compiled(&def);
}

/* mu from the force at F_N = 50 N, with the bristle at rest. */
static double coefficient_at(const lashi_friction *law, double v) {
    double zdot;
    return -lashi_friction_force(law, 50, v, 0, &zdot) / 50;
}

static void laws_have_their_values(void **state) {
    (void)state;
    lashi_friction law = named("ambrosio");
    assert_near(coefficient_at(&law, 0.9e-4), 0, 0);
    assert_relative(coefficient_at(&law, 3.25e-4), mu_k * 0.25, 1e-12);
    assert_relative(coefficient_at(&law, 0.9e-3), mu_k * 8.0 / 9, 1e-12);
    assert_relative(coefficient_at(&law, 1), mu_k, 1e-15);

    law = named("threlfall");
    assert_relative(coefficient_at(&law, 1e-3), mu_k * 0.77686983985157021, 1e-14); /* 1 - exp(-1.5) */
    assert_relative(coefficient_at(&law, 5e-3), mu_k * 0.95021293163213606, 1e-14); /* 1 - exp(-3) */

    law = named("bengisu-akay");
    assert_relative(coefficient_at(&law, 5e-4), mu_s * 0.4375, 1e-14); /* 1 - (3/4)^2 */
    assert_relative(coefficient_at(&law, 2e-3), mu_s, 1e-14);
    assert_relative(coefficient_at(&law, 5.2e-2), mu_k + 0.06 * 0.36787944117144232, 1e-14); /* one v_s on */
    assert_relative(coefficient_at(&law, 10), mu_k, 1e-14);

    law = named("stribeck");
    double curve = mu_k + 0.06 * 0.36787944117144232;
    assert_relative(coefficient_at(&law, 5e-2), curve + 0.02 * 5e-2, 1e-14);
    assert_relative(coefficient_at(&law, 1e-3),
                    (mu_k + 0.06 * 0.99960007998933440) * 0.46211715726000976 + 2e-5, 1e-14); /* tanh(1/2) */

    double zdot;
    law = named("lugre"); /* at z = 1e-6: sigma_0 z = 0.1 */
    double force = lashi_friction_force(&law, 50, 5e-2, 1e-6, &zdot);
    assert_relative(zdot, 5e-2 * (1 - 0.1 / curve), 1e-13);
    assert_relative(force, -50 * (0.1 + 30 * 5e-2 * (1 - 0.1 / curve) + 0.02 * 5e-2), 1e-13);

    law = named("none");
    assert_near(lashi_friction_force(&law, 50, 1, 0, &zdot), 0, 0);
    assert_near(zdot, 0, 0);
}

static void all_laws_are_listed(void **state) {
    (void)state;
    const char *names[] = {"none", "coulomb", "ambrosio", "threlfall", "bengisu-akay", "stribeck", "lugre"};
    size_t count = sizeof names / sizeof *names;
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(lashi_friction_find(names[i])->name, names[i]);
        assert_ptr_equal(lashi_friction_find(lashi_friction_law_name(i)), lashi_friction_laws[i]);
    }
    assert_null(lashi_friction_law_name(count));
    assert_null(lashi_friction_find("amontons"));
    assert_null(lashi_friction_find(NULL));
}

/* Odd in v (and z), bounded, opposed to the sliding, proportional to the normal force. */
static void friction_opposes_sliding(void **state) {
    (void)state;
    for (size_t i = 0; lashi_friction_laws[i]; i++) {
        lashi_friction law = named(lashi_friction_laws[i]->name);
        for (double v = 1e-8; v < 10; v *= 1.1) {
            double rate[3], z = law.bristle ? 0.3 * law.p->bristle_scale : 0;
            double force = lashi_friction_force(&law, 50, v, z, &rate[0]);
            assert_near(lashi_friction_force(&law, 50, -v, -z, &rate[1]), -force, 0);
            assert_near(rate[1], -rate[0], 0);
            assert_relative(lashi_friction_force(&law, 100, v, z, &rate[2]), 2 * force, 1e-15);
            assert_near(lashi_friction_force(&law, 0, v, z, &rate[2]), 0, 0);
            assert_true(force <= 0 || law.bristle);
            if (!law.bristle)
                assert_true(-force <= 50 * (mu_s + 0.02 * v) * (1 + 1e-15));
        }
        double rest;
        assert_near(lashi_friction_force(&law, 50, 0, 0, &rest), 0, 0);
        assert_near(rest, 0, 0);
    }
}

/* Continuous everywhere; the slope jumps at the kinks the law names and nowhere else. */
static void kinks_are_where_the_law_says(void **state) {
    (void)state;
    const char *names[] = {"none", "ambrosio", "threlfall", "bengisu-akay", "stribeck"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lashi_friction law = named(names[i]);
        for (size_t k = 0; k < law.kink_count; k++) {
            double v = law.p->kinks[k], h = 1e-6 * v;
            assert_true(k == 0 || v > law.p->kinks[k - 1]);
            assert_near(coefficient_at(&law, v + h), coefficient_at(&law, v - h), 1e-5 * mu_s);
            double right = (coefficient_at(&law, v + h) - coefficient_at(&law, v)) / h;
            double left = (coefficient_at(&law, v) - coefficient_at(&law, v - h)) / h;
            assert_true(fabs(right - left) > 1e-3 * mu_k / law.p->stribeck_speed);
        }
        double h = 1e-9;
        for (double v = -3e-3; v < 3e-3; v += 1.7e-5) {
            double right = (coefficient_at(&law, v + h) - coefficient_at(&law, v)) / h;
            double left = (coefficient_at(&law, v) - coefficient_at(&law, v - h)) / h;
            double apart = INFINITY;
            for (size_t k = 0; k < law.kink_count; k++)
                apart = fmin(apart, fabs(fabs(v) - law.p->kinks[k]));
            if (apart > 2 * h)
                assert_near(right, left, 2e-3);
        }
    }
    lashi_friction lugre = named("lugre");
    assert_int_equal(lugre.kink_count, 1);
    assert_near(lugre.p->kinks[0], 0, 0);
}

static void only_lugre_has_a_bristle(void **state) {
    (void)state;
    for (size_t i = 0; lashi_friction_laws[i]; i++) {
        lashi_friction law = named(lashi_friction_laws[i]->name);
        assert_int_equal(law.bristle, strcmp(law.kind->name, "lugre") == 0);
        assert_near(law.p->bristle_scale, law.bristle ? mu_s / 1e5 : 0, 1e-21);
    }
}

/* zdot integrated by Runge-Kutta from z over time T at speed v(t) = a + b cos(w t); *work: integral of mu v.
 */
static double bristle_after(const lashi_friction *law, double *work, double z, double T, double a, double b,
                            double w) {
    enum { steps = 20000 };
    double h = T / steps, node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    *work = 0;
    for (int n = 0; n < steps; n++) {
        double rate = 0, sum = 0, power = 0;
        for (int s = 0; s < 4; s++) {
            double v = a + b * cos(w * h * (n + node[s])), stage = z + node[s] * h * rate;
            double force = lashi_friction_force(law, 1, v, stage, &rate);
            sum += weight[s] * rate;
            power -= weight[s] * force * v;
        }
        z += h / 6 * sum;
        *work += h / 6 * power;
    }
    return z;
}

/* Constant speed: z = g/sigma_0 + (z_0 - g/sigma_0) exp(-sigma_0 v t/g); then the steady force is Stribeck's.
 */
static void lugre_follows_its_closed_form(void **state) {
    (void)state;
    lashi_friction law = named("lugre"), stribeck = named("stribeck");
    const double speed[] = {-0.3, 0.02, 0.05, 1};
    for (size_t i = 0; i < sizeof speed / sizeof *speed; i++) {
        double v = speed[i], g = mu_k + (mu_s - mu_k) * exp(-(v / 5e-2) * (v / 5e-2)), work, zdot;
        double end = copysign(g / 1e5, v), start = -0.4e-6, T = 2.5 * g / (1e5 * fabs(v));
        assert_relative(bristle_after(&law, &work, start, T, v, 0, 0), end + (start - end) * exp(-2.5),
                        1e-12);
        double steady = lashi_friction_force(&law, 50, v, end, &zdot);
        assert_near(zdot, 0, 1e-15 * fabs(v));
        double rounding = 50 * 30 * 1e-15 * fabs(v); /* of sigma_1 zdot, where zdot is a difference */
        assert_near(steady, -50 * copysign(g + 0.02 * fabs(v), v), rounding + 1e-14);
        /* |v| >> v_r: tanh(v/v_r) = 1 to 1e-8. */
        assert_relative(steady, lashi_friction_force(&stribeck, 50, v, 0, &zdot), 1e-8);
    }
}

/* Sticking: a small displacement x is met by the force sigma_0 F_N x. */
static void lugre_sticks_with_its_stiffness(void **state) {
    (void)state;
    lashi_friction law = named("lugre");
    double work, zdot, x = 1e-10;
    double z = bristle_after(&law, &work, 0, 1e-4, x / 1e-4, 0, 0);
    assert_relative(lashi_friction_force(&law, 50, 0, z, &zdot), -50 * 1e5 * x, 1e-4);
}

/* With mu_s = mu_k the work spent is at least what the bristles store, at every speed. */
static void lugre_is_passive(void **state) {
    (void)state;
    lash_friction_def def = definition("lugre");
    def.coefficient_static = LASH_UNSET; /* = coefficient */
    lashi_friction law = compiled(&def);
    assert_near(law.p->still, mu_k, 0);
    double z = 0, stored = 0;
    for (int i = 0; i < 40; i++) {
        double work;
        z = bristle_after(&law, &work, z, 1e-4 * (1 + i % 7), 0.01 * (i % 5 - 2), 0.02 * (i % 3),
                          3e3 * (1 + i % 4));
        assert_true(fabs(z) <= law.p->bristle_scale * (1 + 1e-12));
        assert_true(work >= 0.5 * 1e5 * z * z - stored - 1e-15);
        stored = 0.5 * 1e5 * z * z;
    }
}

static void refuse(lash_friction_def def, const char *word) {
    lashi_friction law;
    lash_error error = {0};
    assert_int_equal(lashi_friction_compile(&law, friction_numbers(), &def, &error), LASH_ERROR_MODEL);
    if (!strstr(error.message, word))
        fail_msg("'%s' does not speak of '%s'", error.message, word);
    assert_int_equal(lashi_friction_compile(&law, friction_numbers(), &def, NULL), LASH_ERROR_MODEL);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    refuse(definition("amontons"), "amontons");
    lash_friction_def def = definition("ambrosio");
    def.coefficient = -0.1;
    refuse(def, "coefficient");
    def = definition("ambrosio");
    def.v1 = def.v0;
    refuse(def, "v1");
    def.v0 = -1;
    refuse(def, "v0");
    def = definition("threlfall");
    def.vr = 0;
    refuse(def, "vr");
    def = definition("bengisu-akay");
    def.stribeck_speed = LASH_UNSET;
    refuse(def, "stribeck_speed");
    def = definition("stribeck");
    def.coefficient_static = 0.05;
    refuse(def, "coefficient_static");
    def = definition("stribeck");
    def.viscous = -1;
    refuse(def, "viscous");
    def = definition("lugre");
    def.bristle_stiffness = 0;
    refuse(def, "bristle_stiffness");
    def = definition("lugre");
    def.bristle_damping = -1;
    refuse(def, "bristle_damping");
    def = definition("lugre");
    def.coefficient = 0;
    refuse(def, "coefficient");
    /* Parameters of other laws are not looked at. */
    def = definition("ambrosio");
    def.vr = def.stribeck_speed = def.bristle_stiffness = LASH_UNSET;
    assert_near(compiled(&def).p->kinetic, mu_k, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_have_their_values),
        cmocka_unit_test(all_laws_are_listed),
        cmocka_unit_test(friction_opposes_sliding),
        cmocka_unit_test(kinks_are_where_the_law_says),
        cmocka_unit_test(only_lugre_has_a_bristle),
        cmocka_unit_test(lugre_follows_its_closed_form),
        cmocka_unit_test(lugre_sticks_with_its_stiffness),
        cmocka_unit_test(lugre_is_passive),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
