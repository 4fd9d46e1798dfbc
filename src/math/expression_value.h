/* SPDX-License-Identifier: MIT
 *
 * What is known of a value while an expression is compiled: its kind and dimension, and the rules by which
 * sums, products and powers combine them.
 *
 * Each value is of one of these kinds:
 *   fixed   a number with a unit, or a parameter that was given one.
 *   free    plain numbers, pi, e, t and what is made of these alone: fits everything ("5*t" is an angle or a
 *           length, "sin(2*pi*50*t)" is fine). In a product with a fixed value a plain number is a pure
 *           number and t is a time: 2*$play is a length, $a*t^2/2 and t^2/2*$a too. Results of sin, exp, …
 *           are free.
 *   any     what cannot be known: a parameter that is a plain number, a sum such as 1 + t, and all products
 *           with these. Fits everything.
 *   truth   the result of a comparison.
 * Sums, comparisons, min, max, mod, hypot, atan2, ramp and the branches of if need values that fit, and the
 * fixed one decides. sin, exp, … need a pure number. Powers of a fixed value need a constant whole exponent,
 * or a half one where that leaves whole dimensions.
 */
#ifndef LASHI_EXPRESSION_VALUE_H
#define LASHI_EXPRESSION_VALUE_H

#include "math/expression.h"

enum { LASHI_WHY = 512 }; /* size of a message */

typedef enum lashi_value_kind { LASHI_TRUTH, LASHI_FIXED, LASHI_FREE, LASHI_ANYTHING } lashi_value_kind;

typedef struct lashi_value {
    lashi_value_kind kind;
    int exponent[7];       /* fixed and free: of m, kg, s, A, K, mol, cd; 0 otherwise */
    bool angle, frequency; /* as in lashi_dimension; a product with an angle is no longer a frequency */
    size_t start;          /* where its code begins in the program */
    size_t at;             /* where it begins in the text */
} lashi_value;

lashi_value lashi_value_make(lashi_value_kind kind, const signed char exponent[7], size_t start, size_t at);

/* Each makes *a the result and keeps its start and place; false with the cause in `why`. None is a truth
 * value. */
/* a + b, or anything else that needs both alike. The message reads "VERB a length JOINT a mass". */
bool lashi_value_unite(lashi_value *a, const lashi_value *b, const char *verb, const char *joint,
                       char why[LASHI_WHY]);
/* a b^power, power = 1 or -1. */
bool lashi_value_multiply(lashi_value *a, const lashi_value *b, int power, char why[LASHI_WHY]);
/* a^n; n is NaN when the exponent is not constant. */
bool lashi_value_raise(lashi_value *a, double n, char why[LASHI_WHY]);
/* Checks that a is a pure number, which `what` needs, and makes it a free one. */
bool lashi_value_strip(lashi_value *a, const char *what, char why[LASHI_WHY]);

#endif
