/* SPDX-License-Identifier: MIT
 *
 * Nearest names by edit distance (insertion, deletion, substitution, exchange of neighbours, each 1; a change
 * of case only breaks ties), and decimal numbers in the C locale.
 */
#include "base/text.h"

#include <ctype.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lash/text.h"

enum {
    LONGEST_NAME = 63, // longer words get no suggestion
    EDIT = 64,         // cost of one edit; a change of case costs 1
    LONGEST_NUMBER = 400
};

static char lower(char c) {
    return (char)tolower((unsigned char)c);
}

static int smallest(int a, int b) {
    return a < b ? a : b;
}

/* Optimal string alignment distance, in units of 1/EDIT edits. */
static int distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    int rows[3][LONGEST_NAME + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        above[j] = EDIT * (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = EDIT * (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            char p = a[i - 1], q = b[j - 1];
            int change = p == q ? 0 : lower(p) == lower(q) ? 1 : EDIT;
            row[j] = smallest(above[j - 1] + change, EDIT + smallest(above[j], row[j - 1]));
            if (i > 1 && j > 1 && lower(p) == lower(b[j - 2]) && lower(a[i - 2]) == lower(q))
                row[j] = smallest(row[j], before[j - 2] + EDIT);
        }
        int *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[b_length];
}

/* The one name that goes on where the word ends, as lankarani-nikravesh does; NULL: none or several. */
static const char *begins(const char *word, size_t length,
                          const char *(*name)(const void *list, size_t index), const void *list) {
    enum { ENOUGH = 4 };
    const char *found = NULL, *candidate;
    for (size_t i = 0; length >= ENOUGH && (candidate = name(list, i)) != NULL; i++)
        if (strncasecmp(candidate, word, length) == 0) {
            if (found)
                return NULL;
            found = candidate;
        }
    return found;
}

const char *lashi_nearest(const char *word, const char *(*name)(const void *list, size_t index),
                          const void *list) {
    size_t length = strlen(word);
    if (length == 0 || length > LONGEST_NAME)
        return NULL;
    // One slip in a short word, one per three letters in a long one.
    int limit = EDIT * (length < 6 ? 1 : (int)(length / 3)) + LONGEST_NAME, best_distance = limit + 1;
    const char *best = NULL, *candidate;
    for (size_t i = 0; (candidate = name(list, i)) != NULL; i++) {
        size_t candidate_length = strlen(candidate);
        const int longer = abs((int)candidate_length - (int)length); // each letter more is an edit
        if (candidate_length > LONGEST_NAME || EDIT * longer >= best_distance)
            continue;
        int d = distance(word, length, candidate, candidate_length);
        // A word of one letter is like every other: only its case may differ.
        bool everything_changed = d >= EDIT * (int)length;
        if (d < best_distance && !everything_changed) {
            best_distance = d;
            best = candidate;
        }
    }
    return best ? best : begins(word, length, name, list);
}

static bool digit_at(const char *text, size_t length, size_t i) {
    return i < length && text[i] >= '0' && text[i] <= '9';
}

/* A number of few digits: these and the power of ten are exact, so that their product or quotient is rounded once,
 * as strtod rounds it. False: it has more. */
static bool read_short(double *out, const char *text, size_t length) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { MOST_DIGITS = 15, MOST_POWER = sizeof powers / sizeof *powers - 1 };
    double digits = 0;
    int count = 0, power = 0, written = 0;
    bool point = false;
    size_t i = 0;
    for (; i < length && (text[i] | 0x20) != 'e'; i++) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        digits = 10 * digits + (text[i] - '0');
        count += count > 0 || text[i] != '0';
        power -= point;
    }
    if (i < length) {
        const bool minus = text[++i] == '-';
        for (i += minus || text[i] == '+'; i < length && written < 1000; i++)
            written = 10 * written + (text[i] - '0');
        power += minus ? -written : written;
    }
    if (count > MOST_DIGITS || power > MOST_POWER || power < -MOST_POWER)
        return false;
    *out = power < 0 ? digits / powers[-power] : digits * powers[power];
    return true;
}

size_t lashi_read_number(double *out, const char *text, size_t length) {
    size_t i = 0;
    while (digit_at(text, length, i))
        i++;
    size_t digits = i;
    if (i < length && text[i] == '.') {
        i++;
        size_t point = i;
        while (digit_at(text, length, i))
            i++;
        digits += i - point;
    }
    if (digits == 0)
        return 0;
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        // An e without digits after it is not part of the number.
        size_t k = i + 1;
        if (k < length && (text[k] == '+' || text[k] == '-'))
            k++;
        if (digit_at(text, length, k)) {
            while (digit_at(text, length, k))
                k++;
            i = k;
        }
    }
    if (i > LONGEST_NUMBER)
        return 0;
    if (read_short(out, text, i))
        return i;
    char copy[LONGEST_NUMBER + 1];
    memcpy(copy, text, i);
    copy[i] = '\0';
    locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    *out = c_locale ? strtod_l(copy, NULL, c_locale) : strtod(copy, NULL);
    if (c_locale)
        freelocale(c_locale);
    return i;
}

/* Bytes of the character of UTF-8 that begins here; 0: none does. Overlong forms, surrogates and what is
 * beyond Unicode are none. */
static size_t character(const unsigned char *at) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t size = at[0] < 0x80       ? 1
                        : at[0] >> 5 == 6  ? 2
                        : at[0] >> 4 == 14 ? 3
                        : at[0] >> 3 == 30 ? 4
                                           : 0;
    unsigned code = size == 1 ? at[0] : at[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (at[i] >> 6 != 2)
            return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    return size && code >= least[size] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? size : 0;
}

size_t lash_text_fit(const char *text, size_t most) {
    if (!text)
        return 0;
    size_t length = strnlen(text, most);
    if (length < most)
        return length;
    while (length > 0 && ((unsigned char)text[length] >> 6) == 2)
        length--;
    return length;
}

void lash_text_tame(char *text, bool lines) {
    if (!text)
        return;
    for (unsigned char *at = (unsigned char *)text; *at;) {
        const size_t size = character(at);
        // Two blocks of controls: ASCII's, and U+0080 to U+009F.
        if (size == 0)
            *at = '?';
        else if (*at < ' ' ? !(lines && strchr("\n\r\t", *at)) : *at == 0x7f)
            *at = ' ';
        else if (size == 2 && at[0] == 0xc2 && at[1] < 0xa0)
            at[0] = at[1] = ' ';
        at += size ? size : 1;
    }
}
