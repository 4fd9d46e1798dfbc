/* SPDX-License-Identifier: MIT
 *
 * The normal force laws: numbers of every formula, energy and stiffness against quadrature and differences,
 * the cylinder laws against a direct solution of their published equations, estimates against simulation, bad
 * input.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "contact/normal.h"
#include "model/schema.h"
#include "impact.h"
#include "near.h"
#include "numbers.h"

static const lash_material_def steel = {207e9, 0.3, 7850};
static const lash_material_def bronze = {110e9, 0.34, 8800};
enum { bearing_length_mm = 20 };

static lash_clearance_def definition(const char *law) {
    return (lash_clearance_def){.bearing_radius = 0.01,
                                .journal_radius = 0.0095,
                                .radial = LASH_UNSET,
                                .diametric = LASH_UNSET,
                                .length = bearing_length_mm * 1e-3,
                                .contact = {law, 0.8, LASH_UNSET, LASH_UNSET, 1e-6, NULL, NULL, NULL}};
}

static lashi_normal compiled(const lash_clearance_def *def, bool materials) {
    lashi_normal law;
    lash_error error = {0};
    const lash_material_def *m = materials ? &steel : NULL;
    if (lashi_normal_compile(&law, normal_numbers(), def, m, m, &error) != LASH_OK)
        fail_msg("%s: %s", def->contact.law, error.message);
    return law;
}

static lashi_normal with_stiffness(const char *name, double stiffness, double exponent, double restitution) {
    lash_clearance_def def = definition(name);
    def.contact.stiffness = stiffness;
    def.contact.exponent = exponent;
    def.contact.restitution = restitution;
    return compiled(&def, false);
}

/* ---- stiffness and damping factors ---- */

static void stiffness_comes_from_the_materials(void **state) {
    (void)state;
    lash_clearance_def def = definition("hertz");
    assert_relative(compiled(&def, true).p->stiffness, 66101983978.968456, 1e-14);
    assert_relative(lashi_hertz_stiffness(0.005, 0.00499, 1e-5, &steel, &bronze), 169351315463.16029, 1e-14);
    assert_relative(lashi_hertz_stiffness(0.005, 0.00499, 1e-5, &bronze, &steel), 169351315463.16029, 1e-14);
    /* The play is taken as it was given: the radii are recovered from it. */
    def.journal_radius = LASH_UNSET;
    def.diametric = 0.001;
    assert_relative(compiled(&def, true).p->stiffness, 66101983978.968456, 1e-14);
}

static void damping_factors_have_their_values(void **state) {
    (void)state;
    const struct {
        const char *law;
        double at_half, at_0_8; /* h(0.5), h(0.8), computed apart */
        double at_0;            /* limit for e_r -> 0; INFINITY: h e_r -> slope_0 */
        double slope_0;
        double slope_1; /* h/(1 - e_r) for e_r -> 1 */
    } table[] = {
        {"hunt-crossley", 0.75, 0.3, 1.5, 0, 1.5},
        {"herbert-mcwhannell", 1.0, 0.35714285714285714, 1.5, 0, 1.5},
        {"lee-wang", 0.375, 0.15, 0.75, 0, 0.75},
        {"lankarani-nikravesh", 0.5625, 0.27, 0.75, 0, 1.5},
        {"gonthier", 1.5, 0.45, INFINITY, 1, 2},
        {"zhiying-qishao", 1.5290335285082129, 0.402792668363143, 5.541792074197987, 0, 1.5},
        {"flores-2011", 1.6, 0.4, INFINITY, 1.6, 1.6},
        {"hu-guo", 1.5, 0.375, INFINITY, 1.5, 1.5},
        {"exact", 1.432750533271375, 0.37314620336505367, INFINITY, 1, 1.5},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const lashi_normal_law *law = lashi_normal_find(table[i].law);
        assert_non_null(law);
        assert_relative(law->damping(0.5), table[i].at_half, 1e-14);
        assert_relative(law->damping(0.8), table[i].at_0_8, 1e-14);
        double tiny = 1e-7;
        if (isfinite(table[i].at_0))
            assert_relative(law->damping(tiny), table[i].at_0, 4 * tiny);
        else
            assert_relative(law->damping(tiny) * tiny, table[i].slope_0, 4 * tiny);
        assert_relative(law->damping(1 - tiny) / tiny, table[i].slope_1, 4 * tiny);
        assert_near(law->damping(1), 0, 0);
        assert_relative(with_stiffness(table[i].law, 1e10, LASH_UNSET, 0.8).p->h, table[i].at_0_8, 1e-14);
    }
    assert_null(lashi_normal_find("hertz")->damping);
    assert_near(with_stiffness("hertz", 1e10, LASH_UNSET, 0.8).p->h, 0, 0);
}

static void all_laws_are_listed(void **state) {
    (void)state;
    const char *names[] = {
        "hertz",        "hunt-crossley",  "herbert-mcwhannell",    "lee-wang",  "lankarani-nikravesh",
        "gonthier",     "zhiying-qishao", "flores-2011",           "hu-guo",    "exact",
        "kelvin-voigt", "esdu-78035",     "dubowsky-freudenstein", "goldsmith", "johnson"};
    size_t count = sizeof names / sizeof *names;
    for (size_t i = 0; i < count; i++)
        assert_string_equal(lashi_normal_find(names[i])->name, names[i]);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(lashi_normal_find(lashi_normal_law_name(i)), lashi_normal_laws[i]);
        assert_true(strlen(lashi_normal_laws[i]->doc) > 0 && strlen(lashi_normal_laws[i]->reference) > 0);
    }
    assert_null(lashi_normal_law_name(count));
    assert_null(lashi_normal_find("hertzian"));
    assert_null(lashi_normal_find(NULL));
}

/* ---- the force ---- */

static void force_has_its_values(void **state) {
    (void)state;
    /* K = 1e10, delta = 10 um, deltadot = 0.3, approach 0.7 m/s, h = 0.27. */
    lashi_normal law = with_stiffness("lankarani-nikravesh", 1e10, LASH_UNSET, 0.8);
    lashi_normal_result r = lashi_normal_force(&law, 1e-5, 0.3, 0.7);
    assert_relative(r.force, 352.81983608450061, 1e-14);
    assert_relative(r.elastic, 316.22776601683793, 1e-14);
    assert_relative(r.damping_power, (352.81983608450061 - 316.22776601683793) * 0.3, 1e-13);
    r = lashi_normal_force(&law, 1e-5, -0.3, 0.7);
    assert_relative(r.force, 2 * 316.22776601683793 - 352.81983608450061, 1e-14);
    assert_relative(r.damping_power, (352.81983608450061 - 316.22776601683793) * 0.3, 1e-13);
    /* Other exponents go through pow(). */
    law = with_stiffness("hertz", 1e10, 1.2, 0.8);
    assert_relative(lashi_normal_force(&law, 1e-5, 0.3, 0.7).force, 1e4, 1e-13);
    /* No contact, no force. */
    assert_near(lashi_normal_force(&law, 0, 0.3, 0.7).force, 0, 0);
    assert_near(lashi_normal_force(&law, -1e-5, 0.3, 0.7).force, 0, 0);
}

static void a_bearing_does_not_pull(void **state) {
    (void)state;
    lashi_normal law = with_stiffness("lankarani-nikravesh", 1e10, LASH_UNSET, 0.8);
    lashi_normal_result r = lashi_normal_force(&law, 1e-5, -0.7 / 0.27 * 1.1, 0.7);
    assert_near(r.force, 0, 0);
    assert_relative(r.damping_power, 316.22776601683793 * 0.7 / 0.27 * 1.1, 1e-13);
    for (size_t i = 0; lashi_normal_laws[i]; i++) {
        bool linear = lashi_normal_laws[i]->family == LASHI_NORMAL_BILINEAR;
        lash_clearance_def def = definition(lashi_normal_laws[i]->name);
        if (linear)
            def.contact.stiffness = 1e8;
        law = compiled(&def, !linear);
        for (double rate = -5; rate <= 5; rate += 0.01) {
            r = lashi_normal_force(&law, 2e-5, rate, 0.1);
            assert_true(r.force >= 0 && r.damping_power >= 0);
        }
    }
}

/* A contact that begins at rest is damped as one that begins at the floor. */
/* Where a law is cut off its force just vanishes, and on one side of it alone. */
static void laws_are_cut_off_where_they_would_pull(void **state) {
    (void)state;
    const lashi_onset onset = {.speed = 0.2, .inverse_mass = 2};
    for (int n = 0; n < 4; n++) {
        lash_clearance_def def = definition("exact");
        def.contact.stiffness = 1e9;
        def.contact.restitution = 0.2;
        def.contact.approach = n == 1 ? "energy" : NULL;
        lashi_normal law = compiled(&def, false);
        if (n == 2) {
            law.scale = LASHI_SCALE_VISCOUS;
            law.p->viscous = 3000;
        }
        const double delta = 2e-5, speed = n == 3 ? 0 : 0.2, // the floor in place of the speed
            cut = lashi_normal_cut(&law, delta, &(lashi_onset){.speed = speed, .inverse_mass = 2});
        assert_true(cut < 0);
        const lashi_onset *began = n == 3 ? &(lashi_onset){.inverse_mass = 2} : &onset;
        assert_true(lashi_normal_force_phase(&law, delta, cut * (1 - 1e-12), began).force > 0);
        assert_true(lashi_normal_force_phase(&law, delta, cut * (1 + 1e-12), began).force == 0);
    }
    const lashi_normal elastic = with_stiffness("hertz", 1e9, LASH_UNSET, LASH_UNSET),
                       bilinear = with_stiffness("kelvin-voigt", 1e6, LASH_UNSET, 0.3);
    assert_true(lashi_normal_cut(&elastic, 1e-5, &onset) == -INFINITY);
    assert_true(lashi_normal_cut(&bilinear, 1e-5, &onset) == -INFINITY);
    // Bounded by the energy a damping factor of 1 or less never pulls.
    lash_clearance_def mild = definition("lankarani-nikravesh");
    mild.contact.stiffness = 1e9;
    mild.contact.approach = "energy";
    const lashi_normal gentle = compiled(&mild, false);
    assert_true(lashi_normal_cut(&gentle, 1e-5, &onset) == -INFINITY);
}

static void approach_speed_has_a_floor(void **state) {
    (void)state;
    lashi_normal law = with_stiffness("lankarani-nikravesh", 1e10, LASH_UNSET, 0.8);
    double at_floor = lashi_normal_force(&law, 1e-5, 1e-7, 1e-6).force;
    assert_relative(at_floor, 316.22776601683793 * (1 + 0.27 * 0.1), 1e-14);
    assert_near(lashi_normal_force(&law, 1e-5, 1e-7, 0).force, at_floor, 0);
    assert_near(lashi_normal_force(&law, 1e-5, 1e-7, -1).force, at_floor, 0);
    assert_true(lashi_normal_force(&law, 1e-5, 1e-7, 2e-6).force < at_floor);
}

static void kelvin_voigt_has_two_branches(void **state) {
    (void)state;
    lashi_normal law = with_stiffness("kelvin-voigt", 1e8, LASH_UNSET, 0.8);
    assert_true(law.switches_at_turning);
    assert_relative(lashi_normal_force(&law, 1e-5, 0.3, 0.7).force, 1000, 1e-14);
    assert_relative(lashi_normal_force(&law, 1e-5, -0.3, 0.7).force, 800, 1e-14);
    assert_relative(lashi_normal_force(&law, 1e-5, -0.3, 0.7).damping_power, 60, 1e-13);
    assert_near(lashi_normal_force(&law, 1e-5, 0.3, 0.7).damping_power, 0, 0);
    /* The branch may be held against the sign. */
    assert_relative(
        lashi_normal_force_phase(&law, 1e-5, 1e-9, &(lashi_onset){.speed = 0.7, .unloading = 1}).force, 800,
        1e-14);
    assert_false(with_stiffness("kelvin-voigt", 1e8, LASH_UNSET, 1).switches_at_turning);
    assert_false(with_stiffness("exact", 1e8, LASH_UNSET, 0.8).switches_at_turning);
}

/* ---- energy, stiffness, continuity ---- */

/* Integral of F_el from 0 to delta by Simpson's rule in s, delta s^2: smooth at both ends for every law here.
 */
static double energy_by_quadrature(const lashi_normal *law, double delta) {
    enum { intervals = 4000 };
    double sum = 0;
    for (int i = 0; i <= intervals; i++) {
        double s = (double)i / intervals;
        double weight = i == 0 || i == intervals ? 1 : i % 2 ? 4 : 2;
        sum += weight * lashi_normal_elastic(law, delta * s * s) * 2 * delta * s;
    }
    return sum / (3 * intervals);
}

static void check_derived_quantities(const lashi_normal *law, double delta) {
    assert_relative(lashi_normal_energy(law, delta), energy_by_quadrature(law, delta), 1e-9);
    double h = 1e-4 * delta, d[2];
    for (int i = 0; i < 2; i++, h /= 2)
        d[i] = (lashi_normal_elastic(law, delta + h) - lashi_normal_elastic(law, delta - h)) / (2 * h);
    assert_relative(lashi_normal_stiffness(law, delta), (4 * d[1] - d[0]) / 3, 1e-9);
    /* Continuous: neighbours differ by slope times distance. */
    double near = lashi_normal_elastic(law, delta * (1 + 1e-9)) - lashi_normal_elastic(law, delta);
    assert_near(near, lashi_normal_stiffness(law, delta) * delta * 1e-9,
                1e-14 * lashi_normal_elastic(law, delta));
    assert_true(lashi_normal_elastic(law, 1e-18) < 1e-9 * lashi_normal_elastic(law, delta));
}

static void energy_and_stiffness_belong_to_the_force(void **state) {
    (void)state;
    const double exponent[] = {1, 1.2, 1.5, 2};
    for (size_t i = 0; i < 4; i++) {
        lashi_normal law = with_stiffness("hertz", 1e10, exponent[i], 1);
        check_derived_quantities(&law, 3e-6);
    }
    lashi_normal linear = with_stiffness("kelvin-voigt", 1e8, LASH_UNSET, 0.8);
    check_derived_quantities(&linear, 3e-6);
    const char *cylinders[] = {"dubowsky-freudenstein", "goldsmith", "esdu-78035", "johnson"};
    for (size_t i = 0; i < 4; i++) {
        lash_clearance_def def = definition(cylinders[i]);
        lashi_normal law = compiled(&def, true);
        check_derived_quantities(&law, 1e-7);
        check_derived_quantities(&law, 2e-4);
        assert_near(lashi_normal_energy(&law, 0), 0, 0);
        assert_near(lashi_normal_stiffness(&law, -1), 0, 0);
    }
}

/* ---- cylinder laws ---- */

/* delta(F) as published, in long double. */
static long double published_delta(const char *law, long double F) {
    long double R_i = 0.01L, R_j = 0.0095L, c = 0.0005L, L = bearing_length_mm * 1e-3L;
    long double pi = 3.14159265358979323846264338328L;
    long double sigma = 2 * (1 - 0.3L * 0.3L) / (pi * 207e9L);
    if (strcmp(law, "dubowsky-freudenstein") == 0)
        return F * sigma / L * (logl(L * L * L * c / (F * R_i * R_j * sigma)) + 1);
    if (strcmp(law, "goldsmith") == 0)
        return F * sigma / L * (logl(L * c / (F * R_i * R_j * sigma)) + 1);
    if (strcmp(law, "esdu-78035") == 0)
        return F * sigma / L * (logl(4 * L * c / (F * sigma)) + 1);
    long double E = 1 / (2 * (1 - 0.3L * 0.3L) / 207e9L);
    return F / (pi * E * L) * (logl(4 * pi * E * L * c / F) - 1);
}

/* The force at the end of the range by golden section of the published curve: no formula of the library. */
static long double published_peak(const char *law) {
    long double low = 0, high = 60; /* ln F */
    const long double golden = 0.61803398874989484820L;
    for (int i = 0; i < 200; i++) {
        long double a = high - golden * (high - low), b = low + golden * (high - low);
        if (published_delta(law, expl(a)) < published_delta(law, expl(b)))
            low = a;
        else
            high = b;
    }
    return expl((low + high) / 2);
}

static double solved_directly(const char *law, double delta, long double peak) {
    long double low = 0, high = peak;
    for (int i = 0; i < 200; i++) {
        long double F = (low + high) / 2;
        *(published_delta(law, F) < delta ? &low : &high) = F;
    }
    return (double)low;
}

/* w - ln(1 + w) = -ln y to rounding over all y, the seam of series and iteration included. */
static void cylinder_curve_is_solved_to_rounding(void **state) {
    (void)state;
    for (double t = 1e-15; t < 690; t *= 1.05) {
        double y = exp(-t);
        if (!(y < 1))
            continue;
        long double exact = -logl(y), low = 0, high = 1000;
        for (int i = 0; i < 200; i++) {
            long double w = (low + high) / 2;
            long double value = w - log1pl(w);
            if (w < 0.05L) { /* the difference cancels: its series */
                value = 0;
                for (int k = 14; k >= 2; k--)
                    value = 1.0L / k - w * value;
                value *= w * w;
            }
            *(value < exact ? &low : &high) = w;
        }
        assert_near(lashi_cylinder_w(y), (double)low, 1e-15 * (1 + (double)low));
    }
}

static void cylinder_laws_solve_their_equations(void **state) {
    (void)state;
    const double c = 0.0005, L = bearing_length_mm * 1e-3, R2 = 0.01 * 0.0095;
    const struct {
        const char *law;
        double limit; /* m */
    } table[] = {{"dubowsky-freudenstein", c * L * L / R2},
                 {"goldsmith", c / R2},
                 {"esdu-78035", 4 * c},
                 {"johnson", 4 * c * exp(-2)}};
    for (size_t i = 0; i < 4; i++) {
        lash_clearance_def def = definition(table[i].law);
        lashi_normal law = compiled(&def, true);
        assert_relative(law.p->delta_limit, table[i].limit, 1e-14);
        long double peak = published_peak(table[i].law);
        assert_relative((double)published_delta(table[i].law, peak), law.p->delta_limit, 1e-14);
        /* Against the direct solution, from a picometre to the end, and rising throughout. */
        double last = 0;
        for (double delta = 1e-12; delta < 0.999 * law.p->delta_limit; delta *= 1.01) {
            double F = lashi_normal_elastic(&law, delta);
            assert_relative(F, solved_directly(table[i].law, delta, peak), 2e-14);
            assert_true(F > last);
            last = F;
        }
        /* Up to the end, where F is ill-conditioned: its own delta is met. */
        for (double gap = 1e-3; gap > 1e-15; gap /= 1.3) {
            double delta = law.p->delta_limit * (1 - gap), F = lashi_normal_elastic(&law, delta);
            assert_relative((double)published_delta(table[i].law, F), delta, 4e-15);
            assert_true(F > last && F <= law.p->cylinder.force_limit);
            last = F;
        }
        /* Beyond: finite, continuous, constant; energy consistent. */
        assert_relative(lashi_normal_energy(&law, law.p->delta_limit),
                        lashi_normal_energy(&law, law.p->delta_limit * (1 - 1e-12)), 1e-11);
        assert_relative(lashi_normal_elastic(&law, law.p->delta_limit), (double)peak, 1e-8);
        assert_near(lashi_normal_elastic(&law, 2 * law.p->delta_limit), law.p->cylinder.force_limit, 0);
        assert_relative(lashi_normal_energy(&law, 2 * law.p->delta_limit) -
                            lashi_normal_energy(&law, law.p->delta_limit),
                        law.p->cylinder.force_limit * law.p->delta_limit, 1e-14);
    }
    lash_clearance_def def = definition("goldsmith");
    assert_non_null(compiled(&def, true).warning);
    def.contact.law = "johnson";
    assert_null(compiled(&def, true).warning);
}

static void cylinder_laws_carry_damping(void **state) {
    (void)state;
    lash_clearance_def def = definition("johnson");
    lashi_normal law = compiled(&def, true);
    assert_relative(law.p->h, 0.27, 1e-14); /* Lankarani-Nikravesh unless another is named */
    def.contact.damping = "exact";
    law = compiled(&def, true);
    assert_near(law.p->restitution, 0.8, 2e-15);
    impact_result r = impact_simulate(&law, 0.14, 0.3, 4000);
    assert_near(r.rebound / 0.3, 0.8, 1e-9);
    assert_near(r.area, 0.5 * 0.14 * 0.09 * (1 - 0.64), 1e-9 * 0.5 * 0.14 * 0.09);
    def.contact.damping = "none";
    law = compiled(&def, true);
    assert_near(law.p->h, 0, 0);
    assert_near(law.p->restitution, 1, 0);
    def.contact.damping = NULL;
    def.contact.restitution = 1;
    assert_near(compiled(&def, true).p->h, 0, 0);
}

/* ---- estimates and validity ---- */

static void estimates_agree_with_simulation(void **state) {
    (void)state;
    const double m = 0.14, v = 0.3;
    lashi_normal hertz = with_stiffness("hertz", 6.61e10, LASH_UNSET, 1);
    lashi_impact_estimate r = lashi_normal_estimate(&hertz, m, v);
    assert_relative(r.time * v / r.delta_max, 2.9432751843247047, 1e-14);
    assert_relative(r.delta_max, pow(m * v * v * 2.5 / (2 * 6.61e10), 0.4), 1e-14);
    assert_relative(r.stiffness, 1.5 * 6.61e10 * sqrt(r.delta_max), 1e-13);
    assert_relative(r.force_max, 6.61e10 * pow(r.delta_max, 1.5), 1e-13);
    lashi_normal laws[] = {hertz, with_stiffness("hertz", 1e9, 1.2, 1), with_stiffness("hertz", 1e12, 2, 1),
                           with_stiffness("kelvin-voigt", 1e8, LASH_UNSET, 0.5)};
    for (size_t i = 0; i < 4; i++) {
        impact_result s = impact_simulate(&laws[i], m, v, 4000);
        r = lashi_normal_estimate(&laws[i], m, v);
        assert_true(r.in_range);
        assert_relative(r.delta_max, s.delta_max, 1e-9);
        assert_relative(r.time, s.time, 1e-9);
    }
    const char *cylinders[] = {"dubowsky-freudenstein", "goldsmith", "esdu-78035", "johnson"};
    for (size_t i = 0; i < 4; i++) {
        lash_clearance_def def = definition(cylinders[i]);
        def.contact.damping = "none";
        lashi_normal law = compiled(&def, true);
        impact_result s = impact_simulate(&law, m, v, 4000);
        r = lashi_normal_estimate(&law, m, v);
        assert_true(r.in_range);
        assert_relative(r.delta_max, s.delta_max, 1e-9);
        assert_relative(r.time, s.time, 1e-6);
        /* More energy than the law can store is reported. */
        r = lashi_normal_estimate(&law, 1e9, 1e4);
        assert_false(r.in_range);
        assert_near(r.delta_max, law.p->delta_limit, 0);
        assert_true(isinf(r.time) && isfinite(r.force_max));
    }
    r = lashi_normal_estimate(&hertz, m, 0);
    assert_true(r.in_range && r.delta_max == 0 && r.time == 0);
}

static void validity_is_a_share_of_the_wave_speed(void **state) {
    (void)state;
    assert_relative(lashi_normal_speed_limit(&steel, &steel), 0.051351170144011671, 1e-14);
    /* The faster of the two waves counts (P4 section 3.3). */
    assert_relative(lashi_normal_speed_limit(&steel, &bronze), 0.051351170144011671, 1e-14);
    assert_relative(lashi_normal_speed_limit(&bronze, &steel), 0.051351170144011671, 1e-14);
    lash_material_def unknown = steel;
    unknown.density = LASH_UNSET;
    assert_true(isinf(lashi_normal_speed_limit(&steel, &unknown)));
    lash_clearance_def def = definition("lankarani-nikravesh");
    assert_relative(compiled(&def, true).p->speed_limit, 0.051351170144011671, 1e-14);
    assert_true(isinf(with_stiffness("hertz", 1e10, LASH_UNSET, 1).p->speed_limit));
}

/* ---- bad input ---- */

static void refuse(lash_clearance_def def, bool materials, const char *word) {
    lashi_normal law;
    lash_error error = {0};
    const lash_material_def *m = materials ? &steel : NULL;
    assert_int_equal(lashi_normal_compile(&law, normal_numbers(), &def, m, m, &error), LASH_ERROR_MODEL);
    if (!strstr(error.message, word))
        fail_msg("'%s' does not speak of '%s'", error.message, word);
    assert_int_equal(lashi_normal_compile(&law, normal_numbers(), &def, m, m, NULL), LASH_ERROR_MODEL);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    const double bad_restitution[] = {0, -0.1, 1.1, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        lash_clearance_def def = definition("hertz");
        def.contact.restitution = bad_restitution[i];
        refuse(def, true, "restitution");
    }
    /* A law that damps needs a restitution, one that does not may go without. */
    const char *damped[] = {"exact", "kelvin-voigt", "johnson"};
    for (size_t i = 0; i < 3; i++) {
        lash_clearance_def def = definition(damped[i]);
        def.contact.restitution = LASH_UNSET;
        def.contact.damping = "hu-guo";
        if (i == 1)
            def.contact.stiffness = 1e8;
        refuse(def, i != 1, "restitution");
    }
    const char *elastic[] = {"hertz", "johnson"};
    for (size_t i = 0; i < 2; i++) {
        lash_clearance_def def = definition(elastic[i]);
        def.contact.restitution = LASH_UNSET;
        assert_near(compiled(&def, true).p->restitution, 1, 0);
    }
    lash_clearance_def def = definition("hertzian");
    refuse(def, true, "hertzian");
    def = definition("hertz");
    refuse(def, false, "materials or stiffness");
    def.contact.stiffness = 1e10;
    refuse(def, true, "both");
    def.contact.stiffness = -1;
    refuse(def, false, "stiffness");
    def = definition("hertz");
    def.contact.speed_floor = 0;
    refuse(def, true, "speed_floor");
    def = definition("hertz");
    def.contact.exponent = 0.5;
    refuse(def, true, "exponent");
    def = definition("kelvin-voigt");
    refuse(def, true, "stiffness");
    def.contact.stiffness = 1e8;
    def.contact.exponent = 1.5;
    refuse(def, false, "exponent");
    def = definition("johnson");
    def.length = LASH_UNSET;
    refuse(def, true, "length");
    def = definition("johnson");
    def.contact.stiffness = 1e8;
    refuse(def, false, "materials");
    def = definition("johnson");
    def.contact.damping = "esdu-78035";
    refuse(def, true, "damping");
    def = definition("johnson");
    def.contact.exponent = 1.5;
    refuse(def, true, "exponent");
    def = definition("hertz");
    def.journal_radius = 0.011;
    refuse(def, true, "clearance");
    /* Allowed, with a word of warning: a stiffness of one exponent used with another. */
    def = definition("hertz");
    def.contact.exponent = 1.4;
    assert_non_null(compiled(&def, true).warning);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_comes_from_the_materials),
        cmocka_unit_test(damping_factors_have_their_values),
        cmocka_unit_test(all_laws_are_listed),
        cmocka_unit_test(force_has_its_values),
        cmocka_unit_test(a_bearing_does_not_pull),
        cmocka_unit_test(laws_are_cut_off_where_they_would_pull),
        cmocka_unit_test(approach_speed_has_a_floor),
        cmocka_unit_test(kelvin_voigt_has_two_branches),
        cmocka_unit_test(energy_and_stiffness_belong_to_the_force),
        cmocka_unit_test(cylinder_curve_is_solved_to_rounding),
        cmocka_unit_test(cylinder_laws_solve_their_equations),
        cmocka_unit_test(cylinder_laws_carry_damping),
        cmocka_unit_test(estimates_agree_with_simulation),
        cmocka_unit_test(validity_is_a_share_of_the_wave_speed),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
