/* SPDX-License-Identifier: MIT
 *
 * Units: scales and dimensions against their definitions (SI brochure, exact inch, pound and mile), names
 * that could surprise, messages, every name with every prefix against udunits, many threads.
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

#include <udunits2.h>

#include "input/units.h"
#include "input/units_table.h"

static const double PI = 3.14159265358979323846;
static const double ROUNDING = 1e-14;

static bool parse(double *scale, double *offset, lashi_dimension *dimension, const char *text,
                  char why[512]) {
    return lashi_unit_parse(scale, offset, dimension, text, strlen(text), NULL, why, 512);
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
    check("kg·m²", 1, inertia);
    check("kg·m²·s⁻²", 1, torque);
    check("m s⁻¹", 1, speed);
    check("N s/m", 1, damping);
    check("N m s/rad", 1, (lashi_dimension){.exponent = {2, 1, -1}});
    check("N/mm", 1000, stiffness);
    check("kW", 1000, power);
    check("mm2", 1e-6, area);
}

/* Names that the database does not have or reads differently. */
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
    check_fails("m⁻", "whole number");
    check_fails("m^20*m^20", "beyond");
    check_fails("m/", "is written like");
}

/* ---- against udunits ---- */

typedef struct known {
    double scale, offset;
    int exponent[LASHI_UNIT_BASES];
    bool good;
} known;

static ut_status product(const ut_unit *whole, int count, const ut_unit *const *basic, const int *powers,
                         void *out) {
    static const char *const bases[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    known *u = out;
    (void)whole;
    for (int i = 0; i < count; i++) {
        const char *symbol = ut_get_symbol(basic[i], UT_ASCII);
        for (int k = 0; k < LASHI_UNIT_BASES; k++)
            u->exponent[k] += strcmp(bases[k], symbol) == 0 ? powers[i] : 0;
    }
    return UT_SUCCESS;
}

static ut_status basic(const ut_unit *unit, void *out) {
    const int one = 1;
    return product(unit, 1, &unit, &one, out);
}

static const ut_visitor visitor;

static ut_status galilean(const ut_unit *whole, double scale, const ut_unit *underlying, double offset,
                          void *out) {
    known *u = out;
    (void)whole;
    u->scale *= scale;
    u->offset += u->scale * offset;
    return ut_accept_visitor(underlying, &visitor, out);
}

static ut_status timestamp(const ut_unit *whole, const ut_unit *time, double origin, void *out) {
    (void)whole, (void)time, (void)origin, (void)out;
    return UT_MEANINGLESS;
}

static ut_status logarithmic(const ut_unit *whole, double base, const ut_unit *reference, void *out) {
    (void)whole, (void)base, (void)reference, (void)out;
    return UT_MEANINGLESS;
}

static const ut_visitor visitor = {basic, product, galilean, timestamp, logarithmic};

static known ask_udunits(const ut_system *database, const char *text) {
    known out = {.scale = 1};
    ut_unit *unit = ut_parse(database, text, UT_UTF8);
    out.good = unit && ut_accept_visitor(unit, &visitor, &out) == UT_SUCCESS;
    ut_free(unit);
    return out;
}

/* Names that Lash reads in its own way. */
static bool is_own(const char *text) {
    static const char *const own[] = {"P",   "cP",  "mP",   "Nm",    "kNm",  "mNm", "MNm",  "ton",
                                      "Ncm", "Ns",  "Nms",  "mph",   "kph",  "kmh", "tons", "a",
                                      "oz",  "cps", "PS",   "nmi",   "dyn",  "gon", "kp",   "Nmm",
                                      "rev", "deg", "thou", "turns", "mdeg", "lbm"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i], text) == 0)
            return true;
    return false;
}

static size_t compare_with_udunits(const ut_system *database, const char *text) {
    if (is_own(text))
        return 0;
    const known wanted = ask_udunits(database, text);
    double scale = 0, offset = 0;
    lashi_dimension dimension;
    char why[512] = "";
    const bool good = parse(&scale, &offset, &dimension, text, why);
    if (good != wanted.good)
        fail_msg("'%s': udunits %s it, Lash %s it: %s", text, wanted.good ? "knows" : "does not know",
                 good ? "knows" : "does not know", why);
    if (!good)
        return 0;
    if (fabs(scale - wanted.scale) > 1e-15 * fabs(wanted.scale) ||
        fabs(offset - wanted.offset) > 1e-15 * fabs(wanted.offset))
        fail_msg("'%s': %.17g x + %.17g, udunits %.17g x + %.17g", text, scale, offset, wanted.scale,
                 wanted.offset);
    for (int k = 0; k < LASHI_UNIT_BASES; k++)
        if (dimension.exponent[k] != wanted.exponent[k])
            fail_msg("'%s' has another dimension in udunits", text);
    return 1;
}

/* Every name and symbol, alone, with each prefix, and in letters of the other case. */
static void test_every_unit(void **state) {
    (void)state;
    ut_set_error_message_handler(ut_ignore);
    ut_system *database = ut_read_xml(NULL);
    assert_non_null(database);
    size_t known_ones = 0;
    char text[256];
    for (size_t i = 0; i < lashi_unit_name_count + lashi_unit_symbol_count; i++) {
        const char *name = i < lashi_unit_name_count ? lashi_unit_names[i].text
                                                     : lashi_unit_symbols[i - lashi_unit_name_count].text;
        known_ones += compare_with_udunits(database, name);
        snprintf(text, sizeof text, "%s", name);
        for (char *c = text; *c; c++)
            if (*c >= 'a' && *c <= 'z')
                *c = (char)(*c - 'a' + 'A');
        known_ones += compare_with_udunits(database, text);
        for (const lashi_table_prefix *p = lashi_prefix_names; p->text; p++) {
            snprintf(text, sizeof text, "%s%s", p->text, name);
            known_ones += compare_with_udunits(database, text);
        }
        for (const lashi_table_prefix *p = lashi_prefix_symbols; p->text; p++) {
            snprintf(text, sizeof text, "%s%s", p->text, name);
            known_ones += compare_with_udunits(database, text);
            snprintf(text, sizeof text, "kilo%s%s", p->text, name);
            known_ones += compare_with_udunits(database, text);
        }
    }
    assert_true(known_ones > 20000);
    ut_free_system(database);
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
        cmocka_unit_test(test_messages),    cmocka_unit_test(test_every_unit),
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_random_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
