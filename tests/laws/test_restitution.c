/* SPDX-License-Identifier: MIT
 *
 * The restitution a damping factor really gives: against its defining equation in extended precision,
 * published table values, limits, and direct simulation of the impact. The same where the damping is bounded
 * by the energy in the contact, against a closed form of the integral.
 */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contact/normal.h"
#include "contact/restitution.h"
#include "impact.h"
#include "near.h"
#include "numbers.h"

/* e by bisection of h + ln(1 - h e) + h e - ln(1 + h), long double. */
static long double restitution_by_bisection(long double h) {
    long double low = 0, high = h > 1 ? 1 / h : 1;
    for (int i = 0; i < 200; i++) {
        long double e = (low + high) / 2;
        long double defect = h * (1 + e) - log1pl(h) + log1pl(-h * e);
        *(defect > 0 ? &low : &high) = e;
    }
    return low;
}

static void solves_its_equation(void **state) {
    (void)state;
    for (double h = 1e-2; h < 30; h *= 1.07)
        assert_near(lashi_restitution_of(h), (double)restitution_by_bisection(h), 1e-14);
}

static void has_the_published_values(void **state) {
    (void)state;
    assert_near(lashi_restitution_of(0.5625), 0.72524111401019727, 1e-14); /* Lankarani-Nikravesh, 0.5 */
    assert_near(lashi_restitution_of(0.75), 0.66296220000154599, 1e-14);   /* Hunt-Crossley, 0.5 */
    assert_near(lashi_restitution_of(1.6), 0.47044477932673953, 1e-14);    /* Flores, 0.5 */
    assert_near(lashi_restitution_of(0.1425), 0.91317667780558105, 1e-14); /* the same at 0.9 */
    assert_near(lashi_restitution_of(0.15), 0.90901574134920231, 1e-14);
    assert_near(lashi_restitution_of(1.6 / 9), 0.8939206926633782, 1e-14);
    assert_near(lashi_restitution_damping(0.5), 1.432750533271375, 1e-13);
    assert_near(lashi_restitution_damping(0.8), 0.37314620336505367, 1e-13);
}

/* e = 1 - 2h/3 + 4h^2/9 - O(h^3) near 0; e -> 1/h for large h; falling between. */
static void has_its_limits(void **state) {
    (void)state;
    assert_near(lashi_restitution_of(0), 1, 0);
    for (double h = 1e-12; h < 1e-3; h *= 10)
        assert_near((1 - lashi_restitution_of(h)) / h, 2.0 / 3 - 4 * h / 9, h * h + 1e-15 / h);
    for (double h = 60; h < 1e300; h *= 1e7)
        assert_near(lashi_restitution_of(h) * h, 1, 1e-15);
    double last = 1;
    for (double h = 1e-6; h < 1e6; h *= 1.01) {
        double e = lashi_restitution_of(h);
        assert_true(e < last && e > 0 && h * e < 1 + 1e-15);
        last = e;
    }
}

static void inverts(void **state) {
    (void)state;
    assert_near(lashi_restitution_damping(1), 0, 0);
    for (int i = 1; i < 1000; i++) {
        double e = i / 1000.0;
        assert_near(lashi_restitution_of(lashi_restitution_damping(e)), e, 2e-15);
    }
    assert_near(lashi_restitution_damping(1e-9) * 1e-9, 1, 1e-15);
    assert_near(lashi_restitution_damping(1 - 1e-6) / 1e-6, 1.5, 2e-6);
}

/* ---- bounded ---- */

/* -3 ln e = ln max(h, 1) + integral of h/(1 + h x - h x^3) from x = -min(1, 1/h) to 1 in partial fractions:
 * with the roots r of x^3 - x - 1/h it is -sum of ln(x - r)/(3 r^2 - 1). Near h = 3 sqrt(3)/2 two roots meet.
 */
static double bounded_in_partial_fractions(double h) {
    const long double from = h > 1 ? -1 / (long double)h : -1;
    long double complex r[3] = {0.4L + 0.9L * I, -0.65L + 0.72L * I, 1.1L}, sum = 0;
    for (int sweep = 0; sweep < 400; sweep++) // Durand and Kerner's iteration
        for (int i = 0; i < 3; i++) {
            const long double complex others = (r[i] - r[(i + 1) % 3]) * (r[i] - r[(i + 2) % 3]);
            r[i] -= (r[i] * r[i] * r[i] - r[i] - 1 / (long double)h) / others;
        }
    for (int i = 0; i < 3; i++)
        sum -= (clogl(1 - r[i]) - clogl(from - r[i])) / (3 * r[i] * r[i] - 1);
    return (double)expl(-(logl(h > 1 ? h : 1) + creall(sum)) / 3);
}

static void bounded_has_its_closed_form(void **state) {
    (void)state;
    for (double h = 1e-3; h < 1e4; h *= 1.013)
        if (fabs(h - 2.598) > 0.05)
            assert_relative(lashi_restitution_of_bounded(h), bounded_in_partial_fractions(h), 1e-12);
    /* docs/clearance.md: the h of the exact law, used bounded, rebounds less. */
    assert_near(lashi_restitution_of_bounded(lashi_restitution_damping(0.9)), 0.895, 5e-4);
    assert_near(lashi_restitution_of_bounded(lashi_restitution_damping(0.7)), 0.646, 5e-4);
    assert_near(lashi_restitution_of_bounded(lashi_restitution_damping(0.5)), 0.350, 6e-4);
}

/* e = 1 - 2h/3 + O(h^2) near 0, h^(-3/2) for large h; falling between, also where the force begins to be cut.
 */
static void bounded_has_its_limits(void **state) {
    (void)state;
    assert_near(lashi_restitution_of_bounded(0), 1, 0);
    for (double h = 1e-12; h < 1e-3; h *= 10)
        assert_near((1 - lashi_restitution_of_bounded(h)) / h, 2.0 / 3, h + 1e-15 / h);
    for (double h = 1e12; h < 1e150; h *= 1e9)
        assert_relative(lashi_restitution_of_bounded(h) * h * sqrt(h), 1, 1e-10);
    double last = 1;
    for (double h = 1e-6; h < 1e6; h *= 1.01) {
        double e = lashi_restitution_of_bounded(h);
        assert_true(e < last && e > 0);
        last = e;
    }
}

static void bounded_inverts(void **state) {
    (void)state;
    assert_near(lashi_restitution_damping_bounded(1), 0, 0);
    for (int i = 1; i < 1000; i++) {
        double e = i / 1000.0;
        assert_relative(lashi_restitution_of_bounded(lashi_restitution_damping_bounded(e)), e, 1e-13);
    }
    assert_near(lashi_restitution_damping_bounded(1 - 1e-6) / 1e-6, 1.5, 2e-6);
    assert_relative(lashi_restitution_damping_bounded(1e-60), 1e40, 1e-9);
}

static lashi_normal law_with(const char *name, double restitution, double exponent) {
    lash_clearance_def def = {.bearing_radius = 0.01,
                              .journal_radius = LASH_UNSET,
                              .radial = 0.0005,
                              .diametric = LASH_UNSET,
                              .length = LASH_UNSET,
                              .contact = {name, restitution, 6.61e10, exponent, 1e-6, NULL, NULL, NULL}};
    lashi_normal law;
    assert_int_equal(lashi_normal_compile(&law, normal_numbers(), &def, NULL, NULL, NULL), LASH_OK);
    return law;
}

/* Simulated rebound = prediction, hysteresis area = damping loss = kinetic energy lost, force never negative.
 */
static void check_impact(const lashi_normal *law, double mass, double speed) {
    impact_result r = impact_simulate(law, mass, speed, 4000);
    double energy = 0.5 * mass * speed * speed;
    double lost = energy - 0.5 * mass * r.rebound * r.rebound;
    assert_near(r.rebound / speed, law->p->restitution, 1e-9);
    assert_near(r.area / energy, lost / energy, 1e-9);
    assert_near(r.lost / energy, lost / energy, 1e-9);
    assert_true(r.force_least >= 0 && r.power_least >= 0);
}

static void impacts_rebound_as_predicted(void **state) {
    (void)state;
    const double asked[] = {0.2, 0.5, 0.9, 1.0};
    for (size_t i = 0; lashi_normal_laws[i]; i++) {
        if (lashi_normal_laws[i]->family == LASHI_NORMAL_CYLINDER)
            continue;
        for (size_t j = 0; j < sizeof asked / sizeof *asked; j++) {
            lashi_normal law = law_with(lashi_normal_laws[i]->name, asked[j], LASH_UNSET);
            check_impact(&law, 0.14, 0.3);
        }
    }
}

/* … whatever mass, speed and exponent. */
static void restitution_depends_on_damping_alone(void **state) {
    (void)state;
    const double exponent[] = {1, 1.2, 2};
    for (size_t i = 0; i < 3; i++) {
        lashi_normal law = law_with("lankarani-nikravesh", 0.5, exponent[i]);
        assert_near(law.p->restitution, 0.72524111401019727, 1e-14);
        check_impact(&law, 3, 1e-3);
        check_impact(&law, 0.01, 5);
    }
    lashi_normal exact = law_with("exact", 0.37, 1.5);
    assert_near(exact.p->restitution, 0.37, 2e-15);
    lashi_normal linear = law_with("kelvin-voigt", 0.49, LASH_UNSET);
    assert_near(linear.p->restitution, 0.7, 1e-15);
}

/* Bounded laws promise what they give without the bound, and keep it in a simulated impact: whatever mass,
 * speed and exponent, for cylinder laws too, and where the force is cut at 0 (e below 0.485). */
static void bounded_impacts_rebound_as_without(void **state) {
    (void)state;
    static const lash_material_def steel = {207e9, 0.3, 7850};
    const double asked[] = {0.05, 0.2, 0.5, 0.9, 0.999, 1.0};
    const char *laws[] = {"lankarani-nikravesh", "exact", "flores-2011", "dubowsky-freudenstein"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        for (size_t j = 0; j < sizeof asked / sizeof *asked; j++) {
            lash_clearance_def def = {
                .bearing_radius = 0.01,
                .journal_radius = LASH_UNSET,
                .radial = 0.0005,
                .diametric = LASH_UNSET,
                .length = 0.02,
                .contact = {laws[i], asked[j], LASH_UNSET, LASH_UNSET, 1e-12, NULL, NULL, "first"}};
            const bool cylinder = i == 3;
            if (cylinder)
                def.contact.damping = "exact";
            else
                def.contact.stiffness = 6.61e10, def.contact.exponent = j % 2 ? 1.5 : 1.2;
            const lash_material_def *material = cylinder ? &steel : NULL;
            lashi_normal first, bounded;
            assert_int_equal(lashi_normal_compile(&first, normal_numbers(), &def, material, material, NULL),
                             LASH_OK);
            def.contact.approach = "energy";
            assert_int_equal(lashi_normal_compile(&bounded, normal_numbers(), &def, material, material, NULL),
                             LASH_OK);
            assert_near(bounded.p->restitution, first.p->restitution, 1e-13);
            assert_true(bounded.p->h < first.p->h || first.p->h == 0);
            for (int k = 0; k < 2; k++) {
                const double mass = k ? 3 : 0.14, speed = k ? 1e-2 : 0.3;
                impact_result r = impact_simulate(&bounded, mass, speed, 20000);
                assert_near(r.rebound / speed, first.p->restitution, 1e-8);
                assert_true(r.force_least >= 0 && r.power_least >= 0);
                const double energy = 0.5 * mass * speed * speed;
                assert_near(r.lost / energy, 1 - first.p->restitution * first.p->restitution, 1e-8);
            }
        }
}

/* The damping part is at most h times the elastic one, whatever the motion: also where neither body can move.
 */
static void bounded_damping_is_bounded(void **state) {
    (void)state;
    lash_clearance_def def = {.bearing_radius = 0.01,
                              .journal_radius = LASH_UNSET,
                              .radial = 0.0005,
                              .diametric = LASH_UNSET,
                              .length = LASH_UNSET,
                              .contact = {"exact", 0.6, 6.61e10, 1.5, 1e-6, NULL, NULL, "energy"}};
    lashi_normal law;
    assert_int_equal(lashi_normal_compile(&law, normal_numbers(), &def, NULL, NULL, NULL), LASH_OK);
    for (double inverse_mass = 0; inverse_mass < 200; inverse_mass = 1 + 10 * inverse_mass)
        for (double delta = 1e-12; delta < 1e-3; delta *= 3)
            for (double rate = -10; rate <= 10; rate += 0.5) {
                const lashi_onset onset = {.speed = 2.4e-4, .inverse_mass = inverse_mass};
                const lashi_normal_result r = lashi_normal_force_phase(&law, delta, rate, &onset);
                assert_true(fabs(r.force - r.elastic) <= (1 + 1e-12) * law.p->h * r.elastic);
                assert_true(r.damping_power >= 0);
            }
    /* At the first touch it is the law with the approach speed. */
    const lashi_onset touch = {.speed = 0.3, .inverse_mass = 5};
    const lashi_normal_result r = lashi_normal_force_phase(&law, 1e-15, 0.3, &touch);
    assert_relative(r.force, r.elastic * (1 + law.p->h), 1e-9);
}

/* m δ̈ = −k δ − c δ̇ by steps of the classical method until the force is zero; k = m = 1, v = 1. */
static double viscous_by_steps(double c) {
    const double h = 1e-4;
    double x = 0, v = 1;
    for (;;) {
        double dx[4], dv[4];
        for (int k = 0; k < 4; k++) {
            const double part = k == 0 ? 0 : k == 3 ? h : h / 2;
            dx[k] = v + (k ? part * dv[k - 1] : 0);
            dv[k] = -(x + (k ? part * dx[k - 1] : 0)) - c * dx[k];
        }
        const double next_x = x + h / 6 * (dx[0] + 2 * dx[1] + 2 * dx[2] + dx[3]);
        const double next_v = v + h / 6 * (dv[0] + 2 * dv[1] + 2 * dv[2] + dv[3]);
        if (v < 0 && next_x + c * next_v <= 0)
            return -next_v; // an extremum of the speed: to second order in the step
        x = next_x, v = next_v;
    }
}

/* A linear spring with a linear damper, below and above critical damping, c = 2. */
static void test_viscous(void **state) {
    (void)state;
    static const double dampers[] = {0.02, 0.5, 1, 1.5, 1.9, 1.9999, 2, 2.0001, 2.5, 10};
    for (size_t i = 0; i < sizeof dampers / sizeof *dampers; i++) {
        const double c = dampers[i], k = 3e7, m = 0.2;
        assert_near(lashi_restitution_viscous(1, c, 1), viscous_by_steps(c), 1e-7);
        assert_relative(lashi_restitution_viscous(k, c * sqrt(k * m), m), lashi_restitution_viscous(1, c, 1),
                        1e-9);
    }
    assert_near(lashi_restitution_viscous(1, 0, 1), 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_its_equation),
        cmocka_unit_test(has_the_published_values),
        cmocka_unit_test(has_its_limits),
        cmocka_unit_test(inverts),
        cmocka_unit_test(bounded_has_its_closed_form),
        cmocka_unit_test(bounded_has_its_limits),
        cmocka_unit_test(bounded_inverts),
        cmocka_unit_test(impacts_rebound_as_predicted),
        cmocka_unit_test(restitution_depends_on_damping_alone),
        cmocka_unit_test(bounded_impacts_rebound_as_without),
        cmocka_unit_test(bounded_damping_is_bounded),
        cmocka_unit_test(test_viscous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
