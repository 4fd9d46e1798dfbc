/* SPDX-License-Identifier: MIT
 *
 * The bearing by itself: textbook numbers of the closed forms, agreement between the models in their limits,
 * the search for the eccentricity, grooves, flows and friction, bad input.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "lash/bearing.h"
#include "lash/quantity.h"
#include "near.h"

static const double pi = 3.14159265358979323846;

static lash_bearing_point solved(const lash_bearing_def *bearing, double eps) {
    lash_bearing_point point;
    lash_error error = {0};
    if (lash_bearing_solve(&point, bearing, eps, &error) != LASH_OK)
        fail_msg("%s", error.message);
    return point;
}

static void the_short_bearing_by_ocvirk(void **state) {
    (void)state;
    lash_bearing_def bearing = lash_bearing_default();
    bearing.film = "short";
    bearing.length_ratio = 0.2;
    for (double eps = 0.1; eps < 0.95; eps += 0.1) {
        lash_bearing_point p = solved(&bearing, eps);
        double u2 = 1 - eps * eps;
        // S (L/D)^2 = (1 - eps^2)^2/(pi eps sqrt(pi^2 (1 - eps^2) + 16 eps^2)), tan(phi) = pi sqrt(1 -
        // eps^2)/(4 eps)
        double number = u2 * u2 / (pi * eps * sqrt(pi * pi * u2 + 16 * eps * eps)) / 0.04;
        assert_relative(p.sommerfeld, number, 1e-12);
        assert_relative(tan(p.attitude), pi * sqrt(u2) / (4 * eps), 1e-12);
        assert_relative(p.inlet_flow - p.side_flow, (1 - eps) / 2, 1e-12);
        assert_relative(p.load, 1 / (pi * p.sommerfeld), 1e-14);
        assert_relative(p.friction, p.torque / p.load, 1e-14);
        assert_relative(p.min_film, 1 - eps, 1e-14);
    }
}

static void the_long_bearing_by_sommerfeld(void **state) {
    (void)state;
    lash_bearing_def bearing = lash_bearing_default();
    bearing.film = "long";
    bearing.length_ratio = 4;
    bearing.full = true;
    for (double eps = 0.1; eps < 0.95; eps += 0.1) {
        lash_bearing_point p = solved(&bearing, eps);
        double u = sqrt(1 - eps * eps), k = 2 + eps * eps;
        assert_relative(p.load, 12 * pi * eps / (k * u), 1e-12);
        assert_relative(p.attitude, pi / 2, 1e-12);
        // Sommerfeld's friction: 4 pi (1 + 2 eps^2)/((2 + eps^2) u)
        assert_relative(p.torque, 4 * pi * (1 + 2 * eps * eps) / (k * u), 1e-12);
    }
}

static void the_finite_bearing_lies_between(void **state) {
    (void)state;
    lash_bearing_def finite = lash_bearing_default(), brief = finite;
    brief.film = "short";
    finite.inlet = "periodic";
    finite.length_ratio = brief.length_ratio = 0.05;
    for (double eps = 0.2; eps < 0.8; eps += 0.2) {
        lash_bearing_point a = solved(&finite, eps), b = solved(&brief, eps);
        assert_relative(a.sommerfeld, b.sommerfeld, 0.02);
        assert_relative(a.attitude, b.attitude, 0.01);
        assert_relative(a.side_flow, b.side_flow, 0.01);
        assert_relative(a.inlet_flow, b.inlet_flow, 0.01);
        assert_relative(a.peak_pressure, b.peak_pressure, 0.02);
        assert_true(a.load < b.load);
    }
}

/* Nearly concentric, with a film that pulls as well as it pushes, Reynolds' equation is linear in eps:
 *   p = P(z) sin(theta),  P'' - P/R^2 = -6 mu w eps/c^2,  P(+-L/2) = 0,
 * for every L/D. What is left is of the order eps^2, and what two grids leave together. */
static void the_finite_bearing_nearly_concentric(void **state) {
    (void)state;
    lash_bearing_def bearing = lash_bearing_default();
    bearing.full = true;
    bearing.inlet = "periodic";
    const double eps = 1e-4;
    for (double ratio = 0.1; ratio < 1; ratio *= 1.7) {
        bearing.length_ratio = ratio;
        const lash_bearing_point p = solved(&bearing, eps);
        assert_relative(p.load, 6 * pi * eps * (1 - tanh(ratio) / ratio), 2e-5);
        assert_relative(p.attitude, pi / 2, 1e-6);
        assert_relative(p.peak_pressure, 6 * eps * (1 - 1 / cosh(ratio)), 1e-5);
        assert_relative(p.torque, 2 * pi, 1e-6);
    }
}

/* Load, friction and pressure of Raimondi and Boyd (1958), L/D = 1, eps = 0.6: (R/c) f = 3.22, P/p_max =
 * 0.415. */
static void a_published_point(void **state) {
    (void)state;
    lash_bearing_def bearing = lash_bearing_default();
    lash_bearing_point p = solved(&bearing, 0.6);
    assert_relative(p.sommerfeld, 0.121, 0.005);
    assert_relative(p.friction, 3.22, 0.005);
    assert_relative(p.load / 2 / p.peak_pressure, 0.415, 0.005);
    assert_relative(2 * pi * p.inlet_flow, 4.33, 0.005);
}

static void the_load_is_found(void **state) {
    (void)state;
    const char *const films[] = {"short", "long", "reynolds"};
    for (int i = 0; i < 3; i++) {
        lash_bearing_def bearing = lash_bearing_default();
        bearing.film = films[i];
        bearing.length_ratio = 0.7;
        for (double eps = 0.15; eps < 0.99; eps += 0.2) {
            lash_bearing_point p = solved(&bearing, eps), found;
            assert_int_equal(lash_bearing_find(&found, &bearing, p.sommerfeld, NULL), LASH_OK);
            assert_relative(found.eccentricity, eps, 1e-8);
            assert_relative(found.attitude, p.attitude, 1e-6);
        }
        lash_bearing_point p;
        lash_error error = {0};
        assert_int_equal(lash_bearing_find(&p, &bearing, 1e-12, &error), LASH_ERROR_LIMIT);
        assert_non_null(strstr(error.message, "too large"));
        assert_int_equal(lash_bearing_find(&p, &bearing, 1e9, &error), LASH_ERROR_LIMIT);
        assert_int_equal(lash_bearing_find(&p, &bearing, 0, &error), LASH_ERROR_USAGE);
    }
}

static void grooves_are_placed_from_the_load(void **state) {
    (void)state;
    lash_bearing_def plain = lash_bearing_default(), grooved = plain;
    plain.inlet = "periodic";
    grooved.inlet = "groove";
    lash_bearing_point a = solved(&plain, 0.5);
    grooved.groove = pi; // opposite to the load: near where the film forms anyway
    lash_bearing_point b = solved(&grooved, 0.5);
    assert_relative(b.sommerfeld, a.sommerfeld, 0.02);
    grooved.groove = 0.1; // under the load
    lash_bearing_point c = solved(&grooved, 0.5);
    assert_true(c.sommerfeld > 1.5 * a.sommerfeld);
    // At the widest film, as max-film: the groove a half turn from the line of centres.
    lash_bearing_def widest = lash_bearing_default();
    lash_bearing_point d = solved(&widest, 0.5);
    grooved.groove = pi + d.attitude;
    lash_bearing_point e = solved(&grooved, 0.5);
    assert_relative(e.sommerfeld, d.sommerfeld, 1e-6);
    assert_relative(e.attitude, d.attitude, 1e-6);
}

static void refused(const lash_bearing_def *bearing, double eps, const char *part) {
    lash_bearing_point p;
    lash_error error = {0};
    assert_int_equal(lash_bearing_solve(&p, bearing, eps, &error), LASH_ERROR_USAGE);
    if (!strstr(error.message, part))
        fail_msg("'%s' does not say '%s'", error.message, part);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    lash_bearing_def bearing = lash_bearing_default();
    refused(&bearing, 0, "between 0 and 1");
    refused(&bearing, 1, "between 0 and 1");
    refused(&bearing, NAN, "between 0 and 1");
    bearing.film = "reynold";
    refused(&bearing, 0.5, "did you mean 'reynolds'");
    bearing.film = NULL;
    refused(&bearing, 0.5, "no film model");
    bearing.film = "squeeze-long";
    refused(&bearing, 0.5, "no steady load");
    bearing = lash_bearing_default();
    bearing.inlet = "max-flim";
    refused(&bearing, 0.5, "did you mean 'max-film'");
    bearing.inlet = "groove";
    refused(&bearing, 0.5, "angle");
    bearing = lash_bearing_default();
    bearing.length_ratio = -1;
    refused(&bearing, 0.5, "L/D");
}

static void lengths_out_of_range_are_said(void **state) {
    (void)state;
    lash_bearing_def bearing = lash_bearing_default();
    assert_null(lash_bearing_warning(&bearing));
    bearing.film = "short";
    assert_non_null(lash_bearing_warning(&bearing));
    bearing.film = "none";
    assert_null(lash_bearing_warning(&bearing));
    assert_string_equal(lash_oil_name(2), "SAE 30");
    assert_non_null(lash_film_name(0));
    double mu, same;
    assert_int_equal(lash_oil_viscosity(&mu, NULL, "SAE 30", 313.15, NULL), LASH_OK);
    assert_int_equal(lash_quantity_read(&same, "40 degC", "K", NULL), LASH_OK);
    assert_relative(same, 313.15, 1e-12);
    assert_true(mu > 0.08 && mu < 0.11); // ISO VG 100 and SAE 30 are neighbours: 0.09 Pa s at 40 C
}

static void quantities_are_read(void **state) {
    (void)state;
    double value;
    lash_error error = {0};
    assert_int_equal(lash_quantity_read(&value, "0.05 mm", "m", &error), LASH_OK);
    assert_relative(value, 5e-5, 1e-14);
    assert_int_equal(lash_quantity_read(&value, "3000 rpm", "rad/s", &error), LASH_OK);
    assert_relative(value, 100 * pi, 1e-12);
    assert_int_equal(lash_quantity_read(&value, "0.25", "", &error), LASH_OK);
    assert_near(value, 0.25, 0);
    assert_int_equal(lash_quantity_read(&value, "3 kg", "m", &error), LASH_ERROR_USAGE);
    assert_non_null(strstr(error.message, "belongs"));
    assert_true(lash_quantity_read(&value, "3 furlongz", "m", &error) < 0);
    assert_true(lash_quantity_read(&value, "", "m", &error) < 0);
    assert_true(lash_quantity_read(&value, "1/0", "m", NULL) < 0);
    assert_true(lash_quantity_read(&value, "$x", "m", NULL) < 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_short_bearing_by_ocvirk),
        cmocka_unit_test(the_long_bearing_by_sommerfeld),
        cmocka_unit_test(the_finite_bearing_lies_between),
        cmocka_unit_test(the_finite_bearing_nearly_concentric),
        cmocka_unit_test(a_published_point),
        cmocka_unit_test(the_load_is_found),
        cmocka_unit_test(grooves_are_placed_from_the_load),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(lengths_out_of_range_are_said),
        cmocka_unit_test(quantities_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
