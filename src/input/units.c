/* SPDX-License-Identifier: MIT
 *
 * Units: text → scale, offset and dimension. The text is taken apart here, each name is looked up in our own
 * lists first and in udunits then, and the factors are multiplied from left to right.
 *
 * Choices that a reader may want to know:
 *   angles are pure numbers (rad = 1), so rpm, deg/s and Hz share the dimension 1/s; rpm and rev carry their
 *   2 pi, Hz does not, so that neither Hz nor 1/min is taken for an angular speed;
 *   "20 Nm" is newton metre, also with kNm, mNm, Nmm;
 *   mph and kph are speeds (the database has milliphot);
 *   "kg/m s" is refused, because it is read both ways; "kg/m*s" is (kg/m)*s as in any product;
 *   degC and degF have an offset only alone; in "W/m/degC" they are differences;
 *   names with two customary meanings (ton, oz, cps, a, PS) are refused with the unambiguous ones named.
 *
 * The scanner of udunits keeps global state: one lock covers all calls. Its message handler is restored after
 * each, because it belongs to the whole process; numbers are read in the C locale.
 */
#include "input/units.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <udunits2.h>

#include "base/text.h"

enum { MAX_NAME = 63, MAX_POWER = 20, BASES = 7 };

typedef struct unit {
    double scale, offset;
    int exponent[BASES];
    bool angle;  // made of rad
    bool counts; // something per second or minute: see is_frequency
} unit;

/* What udunits calls otherwise, or something else by the same name. */
static const struct {
    const char *name, *meaning;
} aliases[] = {
    {"deg", "degree"},       {"rev", "revolution"},   {"P", "poise"},
    {"cP", "centipoise"},    {"mP", "millipoise"},    {"Nm", "N.m"},
    {"kNm", "kN.m"},         {"mNm", "mN.m"},         {"MNm", "MN.m"},
    {"Nmm", "N.mm"},         {"Ncm", "N.cm"},         {"Ns", "N.s"},
    {"Nms", "N.m.s"},        {"mph", "mile/hour"},    {"kph", "km/hour"},
    {"kmh", "km/hour"},      {"kp", "kgf"},           {"nmi", "nautical_mile"},
    {"dyn", "dyne"},         {"thou", "mil"},         {"gon", "0.9 degree"},
    {"turns", "revolution"}, {"mdeg", "millidegree"}, {"lbm", "lb"},
};

/* Names that mean different things to different people. */
static const struct {
    const char *name, *cure;
} ambiguous[] = {
    {"ton", "write tonne (1000 kg), short_ton or long_ton"},
    {"tons", "write tonne (1000 kg), short_ton or long_ton"},
    {"oz", "write avoirdupois_ounce for the mass"},
    {"cps", "write Hz, or rev/s for turns"},
    {"a", "write year for the time, m/s^2 for an acceleration"},
    {"PS", "write 735.49875 W"},
};

static const char *const common[] = {
    "m",    "mm",    "cm",     "km",      "um",    "µm",     "nm",     "in",     "inch",  "ft",
    "kg",   "g",     "mg",     "tonne",   "lb",    "s",      "ms",     "us",     "min",   "h",
    "Hz",   "kHz",   "rad",    "mrad",    "deg",   "rev",    "rpm",    "degree", "N",     "kN",
    "mN",   "MN",    "lbf",    "Pa",      "kPa",   "MPa",    "GPa",    "hPa",    "bar",   "mbar",
    "psi",  "J",     "kJ",     "mJ",      "W",     "kW",     "mW",     "K",      "degC",  "degF",
    "cP",   "poise", "cSt",    "St",      "Nm",    "kNm",    "A",      "V",      "mol",   "mile",
    "mph",  "hour",  "day",    "second",  "meter", "gram",   "newton", "pascal", "joule", "watt",
    "slug", "hp",    "micron", "percent", "l",     "kelvin", "radian", "minute", NULL,
};

static const char *common_name(const void *list, size_t index) {
    return ((const char *const *)list)[index];
}

/* ---- the database, under one lock ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ut_system *database; // guarded by the lock
static bool clears_at_exit;

/* What a call into udunits changes in the process, to be put back. */
typedef struct surroundings {
    ut_error_message_handler handler;
    locale_t c_locale, before;
} surroundings;

static surroundings enter(void) {
    surroundings s = {.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    pthread_mutex_lock(&lock);
    s.handler = ut_set_error_message_handler(ut_ignore);
    if (s.c_locale)
        s.before = uselocale(s.c_locale);
    return s;
}

static void leave(const surroundings *s) {
    ut_set_error_message_handler(s->handler);
    if (s->c_locale) {
        uselocale(s->before);
        freelocale(s->c_locale);
    }
    pthread_mutex_unlock(&lock);
}

void lashi_units_clear(void) {
    surroundings s = enter();
    if (database)
        ut_free_system(database);
    database = NULL;
    leave(&s);
}

/* ---- one name ---- */

static ut_status refuse(void) {
    return UT_MEANINGLESS;
}

static ut_status visit_product(const ut_unit *whole, int count, const ut_unit *const *basic,
                               const int *powers, void *out) {
    (void)whole;
    static const char *const bases[BASES] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    unit *u = out;
    for (int i = 0; i < count; i++) {
        const char *symbol = ut_get_symbol(basic[i], UT_ASCII);
        if (!symbol)
            return refuse();
        if (strcmp(symbol, "rad") == 0) {
            u->angle = true;
            continue;
        }
        int k = 0;
        while (k < BASES && strcmp(bases[k], symbol) != 0)
            k++;
        if (k == BASES)
            return refuse();
        u->exponent[k] += powers[i];
    }
    return UT_SUCCESS;
}

static ut_status visit_basic(const ut_unit *basic, void *out) {
    const int one = 1;
    return visit_product(basic, 1, &basic, &one, out);
}

static const ut_visitor visitor;

static ut_status visit_galilean(const ut_unit *whole, double scale, const ut_unit *underlying, double offset,
                                void *out) {
    (void)whole;
    unit *u = out;
    u->scale *= scale;
    u->offset += u->scale * offset; // udunits counts the offset in the unit itself: K = 5/9 (F + 459.67)
    return ut_accept_visitor(underlying, &visitor, out);
}

static ut_status visit_timestamp(const ut_unit *whole, const ut_unit *time, double origin, void *out) {
    (void)whole, (void)time, (void)origin, (void)out;
    return refuse();
}

static ut_status visit_logarithmic(const ut_unit *whole, double base, const ut_unit *reference, void *out) {
    (void)whole, (void)base, (void)reference, (void)out;
    return refuse();
}

static const ut_visitor visitor = {visit_basic, visit_product, visit_galilean, visit_timestamp,
                                   visit_logarithmic};

/* Looks a name up in udunits. The lock is held. */
static bool find_in_database(unit *out, const char *name) {
    *out = (unit){.scale = 1};
    ut_unit *found = ut_parse(database, name, UT_UTF8);
    if (!found)
        return false;
    bool good = ut_accept_visitor(found, &visitor, out) == UT_SUCCESS;
    ut_free(found);
    return good;
}

static bool find_name(unit *out, const char *name, char *why, size_t why_size) {
    for (size_t i = 0; i < sizeof ambiguous / sizeof ambiguous[0]; i++)
        if (strcmp(ambiguous[i].name, name) == 0) {
            snprintf(why, why_size, "the unit '%s' has several meanings; %s", name, ambiguous[i].cure);
            return false;
        }
    const char *meaning = name;
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcmp(aliases[i].name, name) == 0)
            meaning = aliases[i].meaning;

    surroundings s = enter();
    if (!database) {
        database = ut_read_xml(NULL);
        if (database && !clears_at_exit)
            clears_at_exit = atexit(lashi_units_clear) == 0;
    }
    bool have_database = database != NULL;
    bool good = have_database && find_in_database(out, meaning);
    leave(&s);

    if (good)
        return true;
    if (!have_database) {
        snprintf(
            why, why_size,
            "the unit '%s' cannot be looked up: the udunits database cannot be read; install it (Debian: "
            "libudunits2-data) or point UDUNITS2_XML_PATH at udunits2.xml",
            name);
        return false;
    }
    const char *near = lashi_nearest(name, common_name, common);
    if (near)
        snprintf(why, why_size, "unknown unit '%s'; did you mean %s?", name, near);
    else
        snprintf(why, why_size, "unknown unit '%s'; a unit is written like mm, kg m^2, N/m, rpm, deg or MPa",
                 name);
    return false;
}

/* ---- products ---- */

typedef struct reader {
    const char *text;
    size_t length, at;
} reader;

static char peek(const reader *r) {
    return r->at < r->length ? r->text[r->at] : '\0';
}

static bool skip_blanks(reader *r) {
    size_t start = r->at;
    while (isspace((unsigned char)peek(r)))
        r->at++;
    return r->at > start;
}

static bool in_name(char c) {
    return isalpha((unsigned char)c) || c == '_' || c == '%' || (unsigned char)c >= 0x80;
}

/* "^-2", "2" or nothing. False: too large or no number after ^. */
static bool read_power(int *power, reader *r) {
    bool caret = peek(r) == '^', minus = false;
    if (caret) {
        r->at++;
        minus = peek(r) == '-';
        if (minus || peek(r) == '+')
            r->at++;
    }
    if (!isdigit((unsigned char)peek(r))) {
        *power = 1;
        return !caret;
    }
    int n = 0;
    for (; isdigit((unsigned char)peek(r)); r->at++) {
        n = 10 * n + (peek(r) - '0');
        if (n > MAX_POWER)
            return false;
    }
    *power = minus ? -n : n;
    return true;
}

static bool has_exponents(const unit *u, const int exponent[BASES]) {
    return memcmp(u->exponent, exponent, sizeof u->exponent) == 0;
}

/* Units that one counts by: Hz, and minutes or hours, which nobody takes for 1/s or s. */
static bool counts(const unit *factor) {
    static const int rate[BASES] = {0, 0, -1}, time[BASES] = {0, 0, 1};
    const double decades = log10(factor->scale);
    return has_exponents(factor, rate) || (has_exponents(factor, time) && decades != rint(decades));
}

/* Per second or minute, and not of an angle: turns, or periods, or radians? */
static bool is_frequency(const unit *u) {
    static const int rate[BASES] = {0, 0, -1};
    return u->counts && !u->angle && has_exponents(u, rate);
}

/* Multiplies by factor^power; exact factors stay exact, because powers are repeated products. */
static void take(unit *out, const unit *factor, int power) {
    double product = 1;
    for (int i = 0; i < abs(power); i++)
        product *= factor->scale;
    out->scale = power < 0 ? out->scale / product : out->scale * product;
    for (int k = 0; k < BASES; k++)
        out->exponent[k] += power * factor->exponent[k];
    out->angle = out->angle || factor->angle;
    out->counts = out->counts || counts(factor);
}

static bool read_unit(unit *out, reader *r, char *why, size_t why_size) {
    *out = (unit){.scale = 1};
    bool divide = false, divided = false, first = true;
    double offset = 0;
    int factors = 0;
    skip_blanks(r);
    if (peek(r) == '1') {
        r->at++;
        skip_blanks(r);
        first = false;
    }
    while (r->at < r->length) {
        bool blank = !first;
        if (!first && (peek(r) == '*' || peek(r) == '.' || peek(r) == '/')) {
            divide = peek(r) == '/';
            blank = false;
            r->at++;
            skip_blanks(r);
        } else {
            divide = false;
        }
        if (blank && divided) {
            snprintf(why, why_size,
                     "the unit '%.*s' can be read in two ways; write N/m/s for N/(m s), N*s/m for "
                     "(N/m) s",
                     (int)r->length, r->text);
            return false;
        }
        divided = divided || divide;
        first = false;

        char name[MAX_NAME + 1];
        size_t n = 0;
        for (; in_name(peek(r)) && n < MAX_NAME; r->at++)
            name[n++] = peek(r);
        name[n] = '\0';
        if (n == 0) {
            snprintf(why, why_size, "a unit is written like kg m^2, N/m or 1/s, not '%.*s'", (int)r->length,
                     r->text);
            return false;
        }
        unit factor;
        int power;
        if (!find_name(&factor, name, why, why_size))
            return false;
        if (!read_power(&power, r)) {
            snprintf(why, why_size, "the exponent of the unit '%s' must be a whole number of at most %d",
                     name, MAX_POWER);
            return false;
        }
        if (divide)
            power = -power;
        offset = ++factors == 1 && power == 1 ? factor.offset : 0;
        take(out, &factor, power);
        skip_blanks(r);
    }
    out->offset = offset;
    return true;
}

bool lashi_unit_parse(double *scale, double *offset, lashi_dimension *dimension, const char *text,
                      size_t length, char *why, size_t why_size) {
    unit u;
    reader r = {text, length, 0};
    if (!read_unit(&u, &r, why, why_size))
        return false;
    *dimension = (lashi_dimension){.open = false, .angle = u.angle, .frequency = is_frequency(&u)};
    for (int k = 0; k < BASES; k++) {
        if (abs(u.exponent[k]) > MAX_POWER) {
            snprintf(why, why_size, "the unit '%.*s' has an exponent beyond %d", (int)length, text,
                     MAX_POWER);
            return false;
        }
        dimension->exponent[k] = (signed char)u.exponent[k];
    }
    if (!isfinite(u.scale) || u.scale == 0) {
        snprintf(why, why_size, "the unit '%.*s' is too large or too small for a number", (int)length, text);
        return false;
    }
    *scale = u.scale;
    *offset = u.offset;
    return true;
}
