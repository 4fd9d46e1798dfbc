/* SPDX-License-Identifier: MIT
 *
 * Dimensions of sums, products and powers: see expression_value.h for the rules.
 */
#include "math/expression_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BASES = 7,
    MAX_EXPONENT = 60,
    WORDS = 160
}; // |exponent| <= 60 keeps every sum of two inside a signed char

lashi_value lashi_value_make(lashi_value_kind kind, const signed char exponent[7], size_t start, size_t at) {
    lashi_value v = {.kind = kind, .start = start, .at = at};
    for (int i = 0; i < BASES && exponent; i++)
        v.exponent[i] = exponent[i];
    return v;
}

static void set_kind(lashi_value *a, lashi_value_kind kind) {
    *a = lashi_value_make(kind, NULL, a->start, a->at);
}

static bool same_exponents(const lashi_value *a, const lashi_value *b) {
    return memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0;
}

static bool has_dimension(const lashi_value *a) {
    const lashi_value none = {0};
    return !same_exponents(a, &none);
}

/* "a length [m]", "an area [m^2]". */
static const char *in_words(char buffer[WORDS], const lashi_value *a) {
    lashi_dimension dimension = {.open = a->kind != LASHI_FIXED};
    for (int i = 0; i < BASES; i++)
        dimension.exponent[i] = (signed char)a->exponent[i];
    char name[WORDS - 8];
    lashi_dimension_print(name, sizeof name, dimension);
    snprintf(buffer, WORDS, "%s %s", strchr("aeiou", name[0]) ? "an" : "a", name);
    return buffer;
}

bool lashi_value_unite(lashi_value *a, const lashi_value *b, const char *verb, const char *joint,
                       char why[LASHI_WHY]) {
    const bool angle = a->angle || b->angle, frequency = a->frequency || b->frequency;
    if (a->kind == LASHI_FIXED && b->kind == LASHI_FIXED && !same_exponents(a, b)) {
        char first[WORDS], second[WORDS];
        bool backwards = strcmp(joint, "from") == 0; // a - b subtracts b from a
        in_words(first, backwards ? b : a);
        in_words(second, backwards ? a : b);
        snprintf(why, LASHI_WHY, "%s %s %s %s; both must have the same dimension", verb, first, joint,
                 second);
        return false;
    }
    if (a->kind != LASHI_FIXED && b->kind == LASHI_FIXED) {
        a->kind = LASHI_FIXED;
        memcpy(a->exponent, b->exponent, sizeof a->exponent);
    } else if (a->kind != LASHI_FIXED && (a->kind != b->kind || !same_exponents(a, b))) {
        set_kind(a, LASHI_ANYTHING);
    }
    a->angle = angle;
    a->frequency = frequency;
    return true;
}

bool lashi_value_multiply(lashi_value *a, const lashi_value *b, int power, char why[LASHI_WHY]) {
    const bool angle = a->angle || b->angle, frequency = !angle && (a->frequency || b->frequency);
    if (a->kind == LASHI_ANYTHING || b->kind == LASHI_ANYTHING) {
        set_kind(a, LASHI_ANYTHING);
        a->angle = angle;
        a->frequency = frequency;
        return true;
    }
    a->angle = angle;
    a->frequency = frequency;
    for (int i = 0; i < BASES; i++) {
        a->exponent[i] += power * b->exponent[i];
        if (abs(a->exponent[i]) > MAX_EXPONENT) {
            snprintf(why, LASHI_WHY, "the power of a unit goes beyond %d here", MAX_EXPONENT);
            return false;
        }
    }
    if (b->kind == LASHI_FIXED)
        a->kind = LASHI_FIXED;
    return true;
}

bool lashi_value_raise(lashi_value *a, double n, char why[LASHI_WHY]) {
    if (!has_dimension(a))
        return true;
    lashi_value result = *a;
    bool whole = isfinite(n);
    for (int i = 0; i < BASES && whole; i++) {
        double exponent = n * a->exponent[i];
        whole = exponent == rint(exponent) && fabs(exponent) <= MAX_EXPONENT;
        result.exponent[i] = whole ? (int)exponent : 0;
    }
    if (whole) {
        *a = result;
        return true;
    }
    if (a->kind == LASHI_FREE) {
        set_kind(a, LASHI_ANYTHING);
        return true;
    }
    char words[WORDS];
    in_words(words, a);
    if (isnan(n))
        snprintf(why, LASHI_WHY, "raises %s to a power that varies; make the base a pure number", words);
    else if (n == 0.5)
        snprintf(why, LASHI_WHY, "takes the root of %s, which has no whole dimension", words);
    else
        snprintf(why, LASHI_WHY, "raises %s to the power %g, which gives no whole dimension", words, n);
    return false;
}

bool lashi_value_strip(lashi_value *a, const char *what, char why[LASHI_WHY]) {
    if (a->kind == LASHI_FIXED && has_dimension(a)) {
        char words[WORDS];
        snprintf(why, LASHI_WHY, "%s needs a pure number or an angle, not %s; divide it by a reference value",
                 what, in_words(words, a));
        return false;
    }
    set_kind(a, LASHI_FREE);
    return true;
}
