/* SPDX-License-Identifier: MIT
 *
 * Units: scales and dimensions against their definitions (SI brochure, exact inch, pound and mile), names
 * that could surprise, messages, a missing database, many threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "input/units.h"

static const double PI = 3.14159265358979323846;
static const double ROUNDING = 1e-14;

static bool parse(double *scale, double *offset, lashi_dimension *dimension, const char *text,
                  char why[512]) {
    return lashi_unit_parse(scale, offset, dimension, text, strlen(text), why, 512);
}

static void check(const char *text, double wanted, lashi_dimension dimension) {
    double scale, offset;
    lashi_dimension found;
    char why[512] = "";
    if (!parse(&scale, &offset, &found, text, why))
        fail_msg("%s: %s", text, why);
    if (fabs(scale - wanted) > ROUNDING * fabs(wanted) || offset != 0)
        fail_msg("%s: scale %.17g, wanted %.17g, offset %g", text, scale, wanted, offset);
    assert_false(found.open);
    char a[100], b[100];
    if (memcmp(found.exponent, dimension.exponent, sizeof found.exponent) != 0)
        fail_msg("%s is a %s, wanted a %s", text, lashi_dimension_print(a, sizeof a, found),
                 lashi_dimension_print(b, sizeof b, dimension));
}

static void check_fails(const char *text, const char *part) {
    double scale, offset;
    lashi_dimension dimension;
    char why[512] = "";
    if (parse(&scale, &offset, &dimension, text, why))
        fail_msg("%s is accepted as %g", text, scale);
    if (!strstr(why, part))
        fail_msg("%s: %s (wanted '%s')", text, why, part);
}

static const lashi_dimension pure = {.exponent = {0}}, length = {.exponent = {1}}, area = {.exponent = {2}},
                             volume = {.exponent = {3}}, mass = {.exponent = {0, 1}},
                             time_ = {.exponent = {0, 0, 1}}, rate = {.exponent = {0, 0, -1}},
                             speed = {.exponent = {1, 0, -1}}, acceleration = {.exponent = {1, 0, -2}},
                             force = {.exponent = {1, 1, -2}}, torque = {.exponent = {2, 1, -2}},
                             pressure = {.exponent = {-1, 1, -2}}, inertia = {.exponent = {2, 1}},
                             viscosity = {.exponent = {-1, 1, -1}}, damping = {.exponent = {0, 1, -1}},
                             stiffness = {.exponent = {0, 1, -2}}, power = {.exponent = {2, 1, -3}};

static void test_common(void **state) {
    (void)state;
    check("", 1, pure);
    check("m", 1, length);
    check("mm", 1e-3, length);
    check("Mm", 1e6, length);
    check("um", 1e-6, length);
    check("µm", 1e-6, length); // micro sign
    check("μm", 1e-6, length); // Greek mu
    check("nm", 1e-9, length);
    check("in", 0.0254, length);
    check("ft", 0.3048, length);
    check("thou", 2.54e-5, length);
    check("kg", 1, mass);
    check("g", 1e-3, mass);
    check("tonne", 1000, mass);
    check("lb", 0.45359237, mass);
    check("s", 1, time_);
    check("ms", 1e-3, time_);
    check("min", 60, time_);
    check("h", 3600, time_);
    check("d", 86400, time_);
    check("l", 1e-3, volume);
    check("rad", 1, pure);
    check("deg", PI / 180, pure);
    check("°", PI / 180, pure);
    check("rev", 2 * PI, pure);
    check("gon", PI / 200, pure);
    check("%", 0.01, pure);
    check("rpm", 2 * PI / 60, rate);
    check("rev/min", 2 * PI / 60, rate);
    check("deg/s", PI / 180, rate);
    check("Hz", 1, rate);
    check("1/s", 1, rate);
    check("s^-1", 1, rate);
    check("km/h", 1000.0 / 3600, speed);
    check("mph", 1609.344 / 3600, speed);
    check("kph", 1000.0 / 3600, speed);
    check("m/s^2", 1, acceleration);
    check("m/s2", 1, acceleration);
    check("m/s/s", 1, acceleration);
    check("N", 1, force);
    check("kN", 1000, force);
    check("lbf", 0.45359237 * 9.80665, force);
    check("GPa", 1e9, pressure);
    check("N/mm^2", 1e6, pressure);
    check("bar", 1e5, pressure);
    check("cP", 1e-3, viscosity);
    check("mPa s", 1e-3, viscosity);
    check("poise", 0.1, viscosity);
    check("kg m^2", 1, inertia);
    check("kg*m^2", 1, inertia);
    check("g mm2", 1e-9, inertia);
    check("kg m²", 1, inertia);
    check("N s/m", 1, damping);
    check("N m s/rad", 1, (lashi_dimension){.exponent = {2, 1, -1}});
    check("N/mm", 1000, stiffness);
    check("kW", 1000, power);
    check("mm2", 1e-6, area);
}

/* Names that the database lacks or reads otherwise. */
static void test_surprises(void **state) {
    (void)state;
    check("Nm", 1, torque);
    check("N m", 1, torque);
    check("N.m", 1, torque);
    check("kNm", 1000, torque);
    check("Nmm", 1e-3, torque);
    check("nmi", 1852, length);
    check("t", 1000, mass);
    check_fails("ton", "tonne");
    check_fails("oz", "ounce");
    check_fails("cps", "Hz");
    check_fails("kg/m s", "two ways");
    check("kg/m*s", 1, (lashi_dimension){.exponent = {-1, 1, 1}});
    check("kg/m/s", 1, viscosity);
}

/* What counts turns or periods is no angular speed. */
static void test_frequencies(void **state) {
    (void)state;
    static const char *const counts[] = {"Hz", "kHz", "hertz", "1/min", "min^-1", "1/hour", "1/day", "Hz^1"};
    static const char *const turns[] = {"rad/s", "rpm", "rev/s", "deg/s", "rev/min", "turns/hour", "mrad/s"};
    static const char *const plain[] = {"1/s", "s^-1", "1/ms", "m/min", "kg/hour", "m Hz", "min", "1/min^2"};
    lashi_dimension wanted, found;
    double scale, offset;
    char why[512];
    assert_true(parse(&scale, &offset, &wanted, "rad/s", why) && wanted.angle && !wanted.frequency);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (!parse(&scale, &offset, &found, counts[i], why) || !found.frequency)
            fail_msg("%s is not taken for a frequency", counts[i]);
        assert_false(lashi_dimension_fits(found, wanted));
    }
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        if (!parse(&scale, &offset, &found, turns[i], why) || found.frequency || !found.angle)
            fail_msg("%s is not taken for an angular speed", turns[i]);
        assert_true(lashi_dimension_fits(found, wanted));
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (!parse(&scale, &offset, &found, plain[i], why) || found.frequency || found.angle)
            fail_msg("%s is taken for a frequency or an angular speed", plain[i]);
    assert_true(parse(&scale, &offset, &found, "1/s", why) && lashi_dimension_fits(found, wanted));
}

static void test_temperatures(void **state) {
    (void)state;
    double scale, offset;
    lashi_dimension dimension;
    char why[512];
    assert_true(parse(&scale, &offset, &dimension, "degC", why));
    assert_true(scale == 1 && offset == 273.15 && dimension.exponent[4] == 1);
    assert_true(parse(&scale, &offset, &dimension, "degF", why));
    // Water boils at 212 degF, 373.15 K.
    assert_true(fabs(212 * scale + offset - 373.15) < 1e-9);
    check("1/degC", 1, (lashi_dimension){.exponent = {0, 0, 0, 0, -1}});
    check("W/m/degC", 1, (lashi_dimension){.exponent = {1, 1, -3, 0, -1}});
}

static void test_messages(void **state) {
    (void)state;
    check_fails("Mpa", "did you mean MPa?");
    check_fails("KG", "did you mean kg?");
    check_fails("RPM", "did you mean rpm?");
    check_fails("mmm", "did you mean mm?");
    check_fails("degre", "did you mean degree?");
    check_fails("wombats", "unknown unit 'wombats'");
    check_fails("m^", "whole number");
    check_fails("m^99", "at most 20");
    check_fails("m^20*m^20", "beyond");
    check_fails("m/", "is written like");
}

/* Without the database the message says so; with it back, units work again. */
static void test_missing_database(void **state) {
    (void)state;
    const char *before = getenv("UDUNITS2_XML_PATH");
    char *kept = before ? strdup(before) : NULL;
    lashi_units_clear();
    assert_int_equal(setenv("UDUNITS2_XML_PATH", "no-such-database.xml", 1), 0);
    check_fails("mm", "udunits database");
    if (kept)
        assert_int_equal(setenv("UDUNITS2_XML_PATH", kept, 1), 0);
    else
        assert_int_equal(unsetenv("UDUNITS2_XML_PATH"), 0);
    free(kept);
    check("mm", 1e-3, length);
}

static void *parse_many(void *failures) {
    for (int i = 0; i < 500; i++) {
        double scale = 0, offset;
        lashi_dimension dimension;
        char why[512];
        if (!parse(&scale, &offset, &dimension, i % 2 ? "kN/mm^2" : "rev/min", why) ||
            fabs(scale - (i % 2 ? 1e9 : 2 * PI / 60)) > ROUNDING * scale)
            ++*(int *)failures;
    }
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int failures[THREADS] = {0};
    lashi_units_clear(); // so that they race for the first reading
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, parse_many, &failures[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(failures[i], 0);
    }
}

static void test_random_text(void **state) {
    (void)state;
    static const char *const pieces[] = {"m", "kg", "s", "N",     "mm",  "/",    "*",    ".", " ",
                                         "^", "-",  "2", "1",     "deg", "\xc2", "\xb5", "µ", "°",
                                         "%", "_",  "q", "since", "lg",  "(",    "degC"};
    unsigned seed = 5;
    int good = 0;
    for (int round = 0; round < 20000; round++) {
        char text[128] = "", why[512] = "";
        size_t n = 0;
        for (int i = rand_r(&seed) % 8; i >= 0; i--)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s",
                                  pieces[(size_t)rand_r(&seed) % (sizeof pieces / sizeof pieces[0])]);
        double scale = 0, offset;
        lashi_dimension dimension;
        if (parse(&scale, &offset, &dimension, text, why)) {
            good++;
            assert_true(isfinite(scale) && scale > 0);
        } else {
            assert_true(why[0]);
        }
    }
    assert_true(good > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_common),      cmocka_unit_test(test_surprises),
        cmocka_unit_test(test_frequencies), cmocka_unit_test(test_temperatures),
        cmocka_unit_test(test_messages),    cmocka_unit_test(test_missing_database),
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_random_text),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    lashi_units_clear();
    return failed;
}
