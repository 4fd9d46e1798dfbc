/* SPDX-License-Identifier: MIT
 *
 * Units: text → scale, offset and dimension. The text is taken apart here, each name is looked up in our own
 * lists first and then in the table made from udunits' database (units_table.h), and the factors are
 * multiplied from left to right.
 *
 * Choices that a reader may want to know:
 *   angles are pure numbers (rad = 1), so rpm, deg/s and Hz share the dimension 1/s; rpm and rev carry their
 *   2 pi, Hz does not, so that neither Hz nor 1/min is taken for an angular speed;
 *   "20 Nm" is newton metre, also with kNm, mNm, Nmm;
 *   mph and kph are speeds (the database has milliphot);
 *   "kg/m s" is refused, because it is read both ways; "kg/m*s" is (kg/m)*s as in any product;
 *   degC and degF have an offset only alone; in "W/m/degC" they are differences;
 *   names with two customary meanings (ton, oz, cps, a, PS) are refused with the unambiguous ones named.
 */
#include "input/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "input/units_table.h"

enum { MAX_NAME = 63, MAX_POWER = 20, BASES = LASHI_UNIT_BASES };

typedef struct unit {
    double scale, offset;
    int exponent[BASES];
    bool angle;  // made of rad
    bool counts; // something per second or minute: see is_frequency
} unit;

typedef struct reader {
    const char *text;
    size_t length, at;
} reader;

/* Units for which udunits has another name, or whose name means something else there. */
static const struct {
    const char *name, *meaning;
} aliases[] = {
    {"deg", "degree"},       {"rev", "revolution"},   {"P", "poise"},
    {"cP", "centipoise"},    {"mP", "millipoise"},    {"Nm", "N.m"},
    {"kNm", "kN.m"},         {"mNm", "mN.m"},         {"MNm", "MN.m"},
    {"Nmm", "N.mm"},         {"Ncm", "N.cm"},         {"Ns", "N.s"},
    {"Nms", "N.m.s"},        {"mph", "mile/hour"},    {"kph", "km/hour"},
    {"kmh", "km/hour"},      {"kp", "kgf"},           {"nmi", "nautical_mile"},
    {"dyn", "dyne"},         {"thou", "mil"},         {"gon", "grade"},
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

/* A name to be proposed, and what would fit. */
typedef struct proposal {
    const lashi_dimension *wanted; // NULL: anything
    char *why;
    size_t size;
} proposal;

/* ---- one name ---- */

static int compare_name(const void *text, const void *entry) {
    return strcasecmp(text, ((const lashi_table_unit *)entry)->text);
}

static int compare_symbol(const void *text, const void *entry) {
    return strcmp(text, ((const lashi_table_unit *)entry)->text);
}

static const lashi_table_unit *find_in_table(const char *text) {
    const size_t size = sizeof(lashi_table_unit);
    const lashi_table_unit *found =
        bsearch(text, lashi_unit_names, lashi_unit_name_count, size, compare_name);
    return found ? found : bsearch(text, lashi_unit_symbols, lashi_unit_symbol_count, size, compare_symbol);
}

/* The longest prefix that a text begins with; NULL: none. */
static const lashi_table_prefix *find_prefix(const char *text, const lashi_table_prefix *prefixes,
                                             int (*compare)(const char *, const char *, size_t)) {
    const lashi_table_prefix *found = NULL;
    for (; prefixes->text; prefixes++) {
        const size_t length = strlen(prefixes->text);
        if (compare(text, prefixes->text, length) == 0 && (!found || length > strlen(found->text)))
            found = prefixes;
    }
    return found;
}

/* As udunits reads a name: prefixes in words as many as there are, a prefix by its symbol once. */
static bool find_with_prefix(unit *out, const char *text) {
    double factor = 1;
    bool symbol_seen = false;
    for (;;) {
        const lashi_table_unit *found = find_in_table(text);
        if (found) {
            *out = (unit){.scale = factor * found->scale, .offset = found->offset, .angle = found->angle};
            for (int k = 0; k < BASES; k++)
                out->exponent[k] = found->exponent[k];
            return true;
        }
        const lashi_table_prefix *prefix = find_prefix(text, lashi_prefix_names, strncasecmp);
        if (!prefix && !symbol_seen) {
            prefix = find_prefix(text, lashi_prefix_symbols, strncmp);
            symbol_seen = true;
        }
        if (!prefix)
            return false;
        factor *= prefix->value;
        text += strlen(prefix->text);
        if (text[0] == '%')
            return false;
    }
}

static bool read_unit(unit *out, reader *r, const proposal *wish);

/* The common units of the dimension wanted, by index. */
static const char *fitting_name(const void *list, size_t index) {
    const lashi_dimension *wanted = list;
    for (size_t i = 0; common[i]; i++) {
        double scale, offset;
        lashi_dimension dimension;
        char unused[256];
        if (lashi_unit_parse(&scale, &offset, &dimension, common[i], strlen(common[i]), NULL, unused,
                             sizeof unused) &&
            lashi_dimension_fits(dimension, *wanted) && dimension.angle == wanted->angle && index-- == 0)
            return common[i];
    }
    return NULL;
}

static bool is_common(const char *name, size_t length) {
    for (size_t i = 0; common[i]; i++)
        if (strlen(common[i]) == length && strncmp(common[i], name, length) == 0)
            return true;
    return false;
}

/* What was meant by a name that is no unit. */
static void propose(const proposal *wish, const char *name) {
    enum { FEW = 5 };
    if (strstr(name, "\u00a0") || strstr(name, "\u202f")) {
        snprintf(wish->why, wish->size, "a no-break space stands before the unit; write an ordinary blank");
        return;
    }
    const lashi_dimension *wanted = wish->wanted && !wish->wanted->open ? wish->wanted : NULL;
    const char *near = wanted ? lashi_nearest(name, fitting_name, wanted) : NULL;
    if (!near && wanted && fitting_name(wanted, 0)) {
        char words[128];
        snprintf(wish->why, wish->size, "unknown unit '%s'; %s is written in ", name,
                 lashi_dimension_print(words, sizeof words, *wanted));
        for (size_t i = 0; i < FEW && fitting_name(wanted, i); i++) {
            const size_t used = strlen(wish->why);
            snprintf(wish->why + used, wish->size - used, "%s%s", i ? ", " : "", fitting_name(wanted, i));
        }
        return;
    }
    for (size_t i = 1; wanted && !near && i < strlen(name); i++)
        if (is_common(name, i) && is_common(name + i, strlen(name + i))) {
            snprintf(wish->why, wish->size, "unknown unit '%s'; did you mean %.*s %s, with a blank?", name,
                     (int)i, name, name + i);
            return;
        }
    near = near ? near : lashi_nearest(name, common_name, common);
    if (near)
        snprintf(wish->why, wish->size, "unknown unit '%s'; did you mean %s?", name, near);
    else
        snprintf(wish->why, wish->size,
                 "unknown unit '%s'; a unit is written like mm, kg m^2, N/m, rpm, deg or MPa", name);
}

static bool find_name(unit *out, const char *name, const proposal *wish) {
    for (size_t i = 0; i < sizeof ambiguous / sizeof ambiguous[0]; i++)
        if (strcmp(ambiguous[i].name, name) == 0) {
            snprintf(wish->why, wish->size, "the unit '%s' has several meanings; %s", name,
                     ambiguous[i].cure);
            return false;
        }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcmp(aliases[i].name, name) == 0) {
            reader meaning = {aliases[i].meaning, strlen(aliases[i].meaning), 0};
            return read_unit(out, &meaning, wish);
        }
    if (find_with_prefix(out, name))
        return true;
    propose(wish, name);
    return false;
}

/* ---- products ---- */

static char peek(const reader *r) {
    return r->at < r->length ? r->text[r->at] : '\0';
}

static bool skip_blanks(reader *r) {
    size_t start = r->at;
    while (isspace((unsigned char)peek(r)))
        r->at++;
    return r->at > start;
}

/* Signs beyond ASCII with a meaning between names: raised ones as in m², s⁻¹, and the dot of N·m. */
static const struct {
    const char *bytes;
    char meaning;
} raised[] = {{"⁰", '0'}, {"¹", '1'}, {"²", '2'}, {"³", '3'}, {"⁴", '4'}, {"⁵", '5'},
              {"⁶", '6'}, {"⁷", '7'}, {"⁸", '8'}, {"⁹", '9'}, {"⁺", '+'}, {"⁻", '-'}};
static const char dot[] = "·";

static bool at_bytes(const reader *r, const char *bytes) {
    return r->length - r->at >= strlen(bytes) && memcmp(r->text + r->at, bytes, strlen(bytes)) == 0;
}

/* The plain sign that a raised one stands for; 0: none here. */
static char peek_raised(const reader *r, size_t *length) {
    for (size_t i = 0; i < sizeof raised / sizeof raised[0]; i++)
        if (at_bytes(r, raised[i].bytes)) {
            *length = strlen(raised[i].bytes);
            return raised[i].meaning;
        }
    return '\0';
}

static bool in_name(const reader *r) {
    const char c = peek(r);
    size_t unused;
    return isalpha((unsigned char)c) || c == '_' || c == '%' ||
           ((unsigned char)c >= 0x80 && !peek_raised(r, &unused) && !at_bytes(r, dot));
}

/* "^-2", "2", "⁻²" or nothing. False: too large, or no number behind a sign. */
static bool read_power(int *power, reader *r) {
    size_t width = 1;
    const bool caret = peek(r) == '^', up = peek_raised(r, &width) != '\0';
    r->at += caret;
    char c = up ? peek_raised(r, &width) : peek(r);
    const bool sign = (caret || up) && (c == '-' || c == '+'), minus = sign && c == '-';
    int n = 0, digits = 0;
    r->at += sign ? width : 0;
    for (;; digits++, r->at += width) {
        c = up ? peek_raised(r, &width) : peek(r);
        if (!isdigit((unsigned char)c))
            break;
        n = 10 * n + (c - '0');
        if (n > MAX_POWER)
            return false;
    }
    *power = digits == 0 ? 1 : minus ? -n : n;
    return digits > 0 || !(caret || sign);
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

static bool read_unit(unit *out, reader *r, const proposal *wish) {
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
        const bool centred = at_bytes(r, dot);
        if (!first && (peek(r) == '*' || peek(r) == '.' || peek(r) == '/' || centred)) {
            divide = peek(r) == '/';
            blank = false;
            r->at += centred ? sizeof dot - 1 : 1;
            skip_blanks(r);
        } else {
            divide = false;
        }
        if (blank && divided) {
            snprintf(wish->why, wish->size,
                     "the unit '%.*s' can be read in two ways; write N/m/s for N/(m s), N*s/m for "
                     "(N/m) s",
                     (int)r->length, r->text);
            return false;
        }
        divided = divided || divide;
        first = false;

        char name[MAX_NAME + 1];
        size_t n = 0;
        for (; in_name(r) && n < MAX_NAME; r->at++)
            name[n++] = peek(r);
        name[n] = '\0';
        if (n == 0) {
            snprintf(wish->why, wish->size, "a unit is written like kg m^2, N/m or 1/s, not '%.*s'",
                     (int)r->length, r->text);
            return false;
        }
        unit factor;
        int power;
        if (!find_name(&factor, name, wish))
            return false;
        if (!read_power(&power, r)) {
            snprintf(wish->why, wish->size,
                     "the exponent of the unit '%s' must be a whole number of at most %d", name, MAX_POWER);
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

/* Units that were read: a model has few, and a study reads them for each of its points. */
typedef struct remembered {
    char text[MAX_NAME + 1];
    size_t length; /* 0: nothing yet */
    double scale, offset;
    lashi_dimension dimension;
} remembered;
enum { MOST_REMEMBERED = 64 };
static _Thread_local remembered memory[MOST_REMEMBERED];

static remembered *place_of(const char *text, size_t length) {
    size_t sum = length;
    for (size_t i = 0; i < length; i++)
        sum = 31 * sum + (unsigned char)text[i];
    return &memory[sum % MOST_REMEMBERED];
}

static bool parse_unit(double *scale, double *offset, lashi_dimension *dimension, const char *text,
                       size_t length, const lashi_dimension *wanted, char *why, size_t why_size) {
    unit u;
    reader r = {text, length, 0};
    if (!read_unit(&u, &r, &(proposal){wanted, why, why_size}))
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

bool lashi_unit_parse(double *scale, double *offset, lashi_dimension *dimension, const char *text,
                      size_t length, const lashi_dimension *wanted, char *why, size_t why_size) {
    const bool is_short = length > 0 && length <= MAX_NAME;
    remembered *at = place_of(text, is_short ? length : 0);
    if (!is_short || at->length != length || memcmp(at->text, text, length) != 0) {
        if (!parse_unit(scale, offset, dimension, text, length, wanted, why, why_size))
            return false;
        if (!is_short)
            return true;
        *at = (remembered){.length = length, .scale = *scale, .offset = *offset, .dimension = *dimension};
        memcpy(at->text, text, length);
    }
    *scale = at->scale;
    *offset = at->offset;
    *dimension = at->dimension;
    return true;
}
