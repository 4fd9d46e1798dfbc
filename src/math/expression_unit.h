/* SPDX-License-Identifier: MIT
 *
 * Literals of an expression: a number and the unit that may follow it.
 */
#ifndef LASHI_EXPRESSION_UNIT_H
#define LASHI_EXPRESSION_UNIT_H

#include "math/expression.h"

typedef struct lashi_literal {
    double value; /* SI */
    bool has_unit;
    lashi_dimension dimension; /* closed; meaningful with a unit */
} lashi_literal;

/* Reads the literal at text[at]. Returns how many characters it takes, 0 with an error (column set) when it
 * is wrong. */
size_t lashi_literal_read(lashi_literal *out, const char *text, size_t length, size_t at,
                          const lashi_scope *scope, lash_error *error);

#endif
