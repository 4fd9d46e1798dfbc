/* SPDX-License-Identifier: MIT
 *
 * Oils: the bands of SAE J300, thinner when hotter, thicker by grade, names, bad input.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "contact/oil.h"
#include "near.h"

static double viscosity(const char *grade, double celsius) {
    double mu;
    lash_error error = {0};
    if (lashi_oil_viscosity(&mu, NULL, grade, celsius, &error) != LASH_OK)
        fail_msg("%s", error.message);
    return mu;
}

/* Kinematic viscosity at 100 C by SAE J300, mm^2/s; mineral oil has 840 kg/m^3 there, and the fit 5 %. */
static void grades_lie_in_their_bands(void **state) {
    (void)state;
    static const struct {
        const char *grade;
        double low, high;
    } bands[] = {{"SAE 20", 6.9, 9.3},
                 {"SAE 30", 9.3, 12.5},
                 {"SAE 40", 12.5, 16.3},
                 {"SAE 50", 16.3, 21.9},
                 {"SAE 60", 21.9, 26.1}};
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
        double nu = viscosity(bands[i].grade, 100) / 840 * 1e6;
        assert_true(nu > 0.95 * bands[i].low && nu < 1.05 * bands[i].high);
    }
}

static void values_of_the_formula(void **state) {
    (void)state;
    // SAE 30 at 100 F: 0.0141 exp(1360/195) microreyn.
    assert_relative(viscosity("SAE 30", (100 - 32) / 1.8), 0.0141 * exp(1360.0 / 195) * 6.894757e-3, 1e-6);
    assert_relative(viscosity("SAE 10", (100 - 32) / 1.8), 0.0158 * exp(1157.5 / 195) * 6.894757e-3, 1e-6);
}

static void hot_oil_is_thin_and_high_grades_are_thick(void **state) {
    (void)state;
    for (size_t i = 0; lashi_oil_name(i); i++)
        for (double celsius = 10; celsius < 140; celsius += 10) {
            assert_true(viscosity(lashi_oil_name(i), celsius) > viscosity(lashi_oil_name(i), celsius + 10));
            if (i)
                assert_true(viscosity(lashi_oil_name(i), celsius) >
                            viscosity(lashi_oil_name(i - 1), celsius));
        }
}

static void names_are_read_with_some_tolerance(void **state) {
    (void)state;
    double mu = viscosity("SAE 40", 60);
    assert_near(viscosity("sae40", 60), mu, 0);
    assert_near(viscosity("SAE-40", 60), mu, 0);
    assert_near(viscosity("40", 60), mu, 0);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    double mu;
    const char *warning;
    lash_error error = {0};
    assert_int_equal(lashi_oil_viscosity(&mu, &warning, "SAE 35", 60, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "did you mean 'SAE 3"));
    assert_int_equal(lashi_oil_viscosity(&mu, &warning, NULL, 60, &error), LASH_ERROR_MODEL);
    assert_int_equal(lashi_oil_viscosity(&mu, &warning, "", 60, &error), LASH_ERROR_MODEL);
    assert_int_equal(lashi_oil_viscosity(&mu, &warning, "SAE 300", 60, &error), LASH_ERROR_MODEL);
    assert_int_equal(lashi_oil_viscosity(&mu, &warning, "SAE 30", NAN, &error), LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "temperature"));
    assert_int_equal(lashi_oil_viscosity(&mu, &warning, "SAE 30", -60, &error), LASH_ERROR_MODEL);
    assert_int_equal(lashi_oil_viscosity(&mu, &warning, "SAE 30", 60, &error), LASH_OK);
    assert_null(warning);
    assert_int_equal(lashi_oil_viscosity(&mu, &warning, "SAE 30", 0, &error), LASH_OK);
    assert_non_null(warning);
    assert_int_equal(lashi_oil_viscosity(&mu, &warning, "SAE 30", 160, &error), LASH_OK);
    assert_non_null(warning);
    assert_true(mu > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grades_lie_in_their_bands),
        cmocka_unit_test(values_of_the_formula),
        cmocka_unit_test(hot_oil_is_thin_and_high_grades_are_thick),
        cmocka_unit_test(names_are_read_with_some_tolerance),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
