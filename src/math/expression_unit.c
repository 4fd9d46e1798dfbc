/* SPDX-License-Identifier: MIT
 *
 * Where a literal's unit ends. A unit is a run of names joined by blanks, '*', '.' or '/', each with an
 * exponent written ^2, ^-1 or 2: "kg m^2", "N*m", "m/s^2", "m2"; "1/s" is one too. A name belongs to the unit
 * unless it is t, pi, e, and, or, not, or is called like a function:
 *     0.5 m/s*t is (0.5 m/s)*t     3 m/2 is 1.5 m     2 m*sin(t) is (2 m)*sin(t)     5 N m is a torque
 * The name of a quantity does not belong to it either: 40 N*s/m*slider.vx is (40 N*s/m)*slider.vx.
 */
#include "math/expression_unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

typedef struct cursor {
    const char *text;
    size_t length;
    const lashi_scope *scope;
} cursor;

static char at(const cursor *c, size_t i) {
    return i < c->length ? c->text[i] : '\0';
}

static size_t skip_blanks(const cursor *c, size_t i) {
    while (isspace((unsigned char)at(c, i)))
        i++;
    return i;
}

/* Letters, %, and all of UTF-8 beyond ASCII: µ, °, Ω, ². */
static bool in_unit_name(char ch) {
    return isalpha((unsigned char)ch) || ch == '_' || ch == '%' || (unsigned char)ch >= 0x80;
}

static bool is_digit(char ch) {
    return isdigit((unsigned char)ch) != 0;
}

/* Names that are never units, because they mean something else in an expression. */
static bool is_reserved(const char *name, size_t length) {
    static const char *const words[] = {"t", "pi", "e", "and", "or", "not"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && strncmp(words[i], name, length) == 0)
            return true;
    return false;
}

/* Whether a quantity of the machine is named at i, or something that was meant to be one. */
static bool is_quantity(const cursor *c, size_t i) {
    char name[LASHI_QUANTITY_TEXT], why[512] = "";
    lashi_dimension unused;
    const size_t length = lashi_quantity_length(c->text, c->length, i);
    if (c->scope->of != LASHI_OF_STATE || !c->scope->quantity || length == 0)
        return false;
    if (lashi_quantity_find(name, &unused, c->scope, c->text + i, length, why, sizeof why) != LASHI_UNKNOWN)
        return true;
    // A misspelt one, unless it is a unit such as N.m.
    double scale, offset;
    return (strchr(name, '.') || strstr(why, "did you mean")) && c->scope->unit &&
           !c->scope->unit(&scale, &offset, &unused, name, length, NULL, why, sizeof why);
}

/* End of the unit name with exponent at i, or i if none. */
static size_t factor_end(const cursor *c, size_t i) {
    size_t end = i;
    while (in_unit_name(at(c, end)))
        end++;
    if (end == i || is_reserved(c->text + i, end - i) || is_quantity(c, i))
        return i;
    if (at(c, end) == '^') {
        size_t digits = end + 1 + (at(c, end + 1) == '-' || at(c, end + 1) == '+');
        if (!is_digit(at(c, digits)))
            return end;
        end = digits;
    }
    while (is_digit(at(c, end)))
        end++;
    // A name with a parenthesis after it is a function.
    return at(c, skip_blanks(c, end)) == '(' ? i : end;
}

/* End of the unit at i, or i if none. */
static size_t unit_end(const cursor *c, size_t i) {
    size_t end = i;
    if (at(c, i) == '1') {
        // "1/s": the 1 counts only with a stroke and a name after it.
        size_t stroke = skip_blanks(c, i + 1), name = skip_blanks(c, stroke + 1);
        if (at(c, stroke) != '/' || (end = factor_end(c, name)) == name)
            return i;
    } else {
        end = factor_end(c, i);
        if (end == i)
            return i;
    }
    for (;;) {
        size_t next = skip_blanks(c, end);
        if (at(c, next) == '*' || at(c, next) == '.' || at(c, next) == '/')
            next = skip_blanks(c, next + 1);
        size_t last = factor_end(c, next);
        if (last == next || next == end)
            return end;
        end = last;
    }
}

static size_t fail(lash_error *error, size_t column, const char *format, const char *a, const char *b) {
    char message[LASH_ERROR_TEXT];
    snprintf(message, sizeof message, format, a, b); // NOLINT: the formats are literals of this file
    lashi_fail(error, LASH_ERROR_MODEL, "%s", message);
    if (error)
        error->column = (int)column + 1;
    return 0;
}

/* A value in a unit with an offset (degC) is an absolute one: it must be the whole expression, except for a
 * sign. */
static bool stands_alone(const cursor *c, size_t start, size_t end, bool *minus) {
    size_t first = skip_blanks(c, 0);
    *minus = false;
    if (first != start) {
        *minus = at(c, first) == '-';
        if ((at(c, first) != '-' && at(c, first) != '+') || skip_blanks(c, first + 1) != start)
            return false;
    }
    return skip_blanks(c, end) == c->length;
}

/* x * scale. Decimal parts are divided by their inverse, so that 0.7 mm is the double nearest to 0.0007. */
static double in_si(double x, double scale) {
    double inverse = 1 / scale;
    return scale < 1 && inverse == rint(inverse) ? x / inverse : x * scale;
}

/* The beginning of a text, as far as there is room. */
static void copy_text(char *out, size_t size, const char *text, size_t length) {
    const size_t kept = length < size ? length : size - 1;
    memcpy(out, text, kept);
    out[kept] = '\0';
}

size_t lashi_literal_read(lashi_literal *out, const char *text, size_t length, size_t start,
                          const lashi_scope *scope, lash_error *error) {
    const cursor c = {text, length, scope};
    *out = (lashi_literal){0};
    size_t number = lashi_read_number(&out->value, text + start, length - start);
    if (number == 0)
        return fail(error, start, "a number is needed here%s%s", "", "");
    size_t end = start + number, unit = skip_blanks(&c, end), last = unit_end(&c, unit);
    char word[64], digits[64];
    copy_text(digits, sizeof digits, text + start, number);

    if (last == unit) {
        // What follows must be an operator: a name here is a forgotten product.
        char next = at(&c, unit);
        size_t n = 0;
        while (in_unit_name(at(&c, unit + n)) || is_digit(at(&c, unit + n)))
            n++;
        copy_text(word, sizeof word, text + unit, n);
        bool joins = !strcmp(word, "and") || !strcmp(word, "or");
        if (n > 0 && !joins && is_digit(next))
            return fail(error, unit, "an operator is missing between %s and %s", digits, word);
        if (n > 0 && !joins && strcmp(word, "t") == 0 && scope->of != LASHI_OF_TIME &&
            scope->of != LASHI_OF_STATE)
            return fail(error, unit,
                        "t is the time, which cannot be used here; the unit is written tonne, as in "
                        "%s tonne%s",
                        digits, "");
        if (n > 0 && !joins)
            return fail(error, unit, "a product is written with *: %s*%s", digits, word);
        if (next == '$' || next == '(')
            return fail(error, unit, "a product is written with *: %s*%s", digits,
                        next == '$' ? "$…" : "(…)");
        return number;
    }

    copy_text(word, sizeof word, text + unit, last - unit);
    if (!scope->unit)
        return fail(error, unit, "units cannot be used here: give %s %s as a plain SI number", digits, word);
    double scale = 1, offset = 0;
    char why[512] = "";
    if (!scope->unit(&scale, &offset, &out->dimension, text + unit, last - unit, scope->wanted, why,
                     sizeof why))
        return fail(error, unit, "%s%s", why, "");
    bool minus = false;
    if (offset != 0 && !stands_alone(&c, start, last, &minus))
        return fail(error, unit,
                    "%s counts from its own zero: it must stand alone, not inside a calculation; use K%s",
                    word, "");
    size_t after = skip_blanks(&c, last);
    if (at(&c, after) == '^')
        return fail(error, after,
                    "the exponent of a unit is a whole number, as in m^2; for a power of the value put "
                    "it in parentheses: (%s %s)^…",
                    digits, word);
    // With a minus before it, the sign must act before the offset; the parser negates what we return.
    out->value = minus ? -(in_si(-out->value, scale) + offset) : in_si(out->value, scale) + offset;
    out->has_unit = true;
    out->dimension.open = false;
    return last - start;
}
