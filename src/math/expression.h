/* SPDX-License-Identifier: MIT
 *
 * Expressions of parameters, time and the state: text → compiled postfix program → value with exact first and
 * second time derivatives (second-order Taylor arithmetic). Dimensions are checked while compiling. What an
 * expression reads of the state stays a name here; the system makes it a number (system/reads.h).
 */
#ifndef LASHI_EXPRESSION_H
#define LASHI_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "lash/model.h"

/* Exponents of m, kg, s, A, K, mol, cd. `open`: a plain number, which takes whatever dimension is needed.
 * Angles are pure numbers; `angle`: it has to do with one (rad, rpm, pi). `frequency`: it comes from Hz,
 * 1/min and the like, which count whole turns or periods, so that it is no angular speed. */
typedef struct lashi_dimension {
    signed char exponent[7];
    bool open, angle, frequency;
} lashi_dimension;

/* f, f', f'' with respect to time. */
typedef struct lashi_jet {
    double f, df, ddf;
} lashi_jet;

typedef struct lashi_symbol {
    const char *name; /* without the $ */
    double value;     /* SI */
    lashi_dimension dimension;
} lashi_symbol;

/* What an expression is a function of: nothing, t, `angle`, or t and the state. */
typedef enum lashi_variable {
    LASHI_OF_NOTHING,
    LASHI_OF_TIME,
    LASHI_OF_ANGLE,
    LASHI_OF_STATE
} lashi_variable;

/* What a name of a quantity stands for: nothing; something that can be read; or something that may not be
 * read where it is. */
typedef enum lashi_naming { LASHI_UNKNOWN, LASHI_KNOWN, LASHI_REFUSED } lashi_naming;

/* What an expression may refer to. */
typedef struct lashi_scope {
    const lashi_symbol *symbols;
    size_t symbol_count;
    lashi_variable of; /* what is allowed as well */
    /* Resolves a unit such as "kg m^2": SI value = scale * x + offset. NULL: no units. False: unknown; the
     * callee writes why and what it might have meant, of the dimension wanted if that is known, into `why`. */
    bool (*unit)(double *scale, double *offset, lashi_dimension *dimension, const char *text, size_t length,
                 const lashi_dimension *wanted, char *why, size_t why_size);
    const lashi_dimension *wanted; /* of the whole expression; NULL: not known */
    /* LASHI_OF_STATE: whether there is a quantity of that name, and its dimension; if not, the callee writes
     * why. NULL: every name stands for one, of any dimension. */
    lashi_naming (*quantity)(lashi_dimension *dimension, void *context, const char *name, char *why,
                             size_t why_size);
    void *context;
    const char *prefix; /* of an instance, "c1.": names are searched for in it first; NULL: none */
    bool curve;         /* curve(x) is the table that the owner puts into `tables` */
} lashi_scope;

/* Whether `length` characters name a quantity, and its full name. */
enum { LASHI_QUANTITY_TEXT = 512 };
lashi_naming lashi_quantity_find(char name[LASHI_QUANTITY_TEXT], lashi_dimension *dimension,
                                 const lashi_scope *scope, const char *text, size_t length, char *why,
                                 size_t why_size);
/* Length of the name of a quantity at text[at], 0: none. OBJECT.quantity, in which a dash belongs to
 * the object's name: `a-b.vx` is of the object `a-b`; or a single word, in which it does not. */
size_t lashi_quantity_length(const char *text, size_t length, size_t at);

/* On failure error->column is the position in `text` (from 1) and error->line is 0. */
lash_status lashi_expression_compile(lash_expression **out, const char *text, const lashi_scope *scope,
                                     lash_error *error);
/* At a break (breaks.h) the value is that just after it. */
lashi_jet lashi_expression_jet(const lash_expression *expression, double t);
double lashi_expression_value(const lash_expression *expression, double t);
/* The same on the piece that holds at the time `inside`, also at its ends; NaN: at t itself. */
lashi_jet lashi_expression_jet_in(const lash_expression *expression, double t, double inside);
lashi_dimension lashi_expression_dimension(const lash_expression *expression);
bool lashi_expression_is_constant(const lash_expression *expression); /* contains neither t nor a quantity */
/* The names of the quantities that it reads; NULL past the end. */
const char *lashi_expression_reads(const lash_expression *expression, size_t index);

/* Dimensions: does a fit where b is wanted (open fits all, but no frequency where an angle is wanted), and in
 * words: "length [m]", "torque or energy [kg m^2/s^2]". */
bool lashi_dimension_fits(lashi_dimension a, lashi_dimension b);
const char *lashi_dimension_print(char *buffer, size_t size, lashi_dimension dimension);
/* The SI unit alone, "kg m^2/s^2"; "" of a pure or plain number. */
enum { LASHI_UNIT_TEXT = 64 };
void lashi_dimension_unit(char unit[LASHI_UNIT_TEXT], lashi_dimension dimension);

#endif
