/* SPDX-License-Identifier: MIT
 *
 * Numbers in files: a point whatever the locale, and digits enough to read back the same double.
 */
#ifndef LASHI_NUMBER_H
#define LASHI_NUMBER_H

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LASHI_NUMBER_LENGTH = 32 }; /* "-1.2345678901234567e-308" and its end fit */

/* Between begin and end this thread prints numbers as in C. */
typedef struct lashi_plain_numbers {
    locale_t plain, before;
} lashi_plain_numbers;

static inline lashi_plain_numbers lashi_plain_numbers_begin(void) {
    lashi_plain_numbers numbers = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};
    if (numbers.plain)
        numbers.before = uselocale(numbers.plain);
    return numbers;
}

static inline void lashi_plain_numbers_end(lashi_plain_numbers numbers) {
    if (numbers.plain) {
        uselocale(numbers.before);
        freelocale(numbers.plain);
    }
}

/* Writes at most LASHI_NUMBER_LENGTH characters with the end; returns their number without it. */
static inline size_t lashi_print_number(char *out, double value) {
    if (isnan(value)) { // never "-nan"
        memcpy(out, "nan", 4);
        return 3;
    }
    return (size_t)snprintf(out, LASHI_NUMBER_LENGTH, "%.17g", value);
}

#endif
