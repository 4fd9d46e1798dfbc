/* SPDX-License-Identifier: MIT
 *
 * The functions and operators of expressions, by name.
 */
#ifndef LASHI_EXPRESSION_NAMES_H
#define LASHI_EXPRESSION_NAMES_H

#include "math/program.h"

/* The dimensions that a function needs in its arguments, and the one it gives. */
typedef enum lashi_function_rule {
    LASHI_RULE_PURE,            /* a pure number */
    LASHI_RULE_KEEPS,           /* any, and gives the same */
    LASHI_RULE_TO_NUMBER,       /* any, and gives a pure number */
    LASHI_RULE_ALIKE,           /* all alike, and gives the same */
    LASHI_RULE_ALIKE_TO_NUMBER, /* all alike, and gives a pure number */
    LASHI_RULE_ROOT,
    LASHI_RULE_RAISES,
    LASHI_RULE_CHOOSES, /* a truth value and two alike */
    LASHI_RULE_PER_TIME
} lashi_function_rule;

typedef struct lashi_function {
    const char *name;
    lashi_opcode code;
    int arguments; /* negative: at least so many */
    lashi_function_rule rule;
} lashi_function;

typedef struct lashi_operator {
    const char *text;
    lashi_opcode code;
    int precedence;
    const char *verb, *joint; /* "adds a … to a …" */
} lashi_operator;

/* Ends with a text that is NULL. Where one operator begins like another, the longer one comes first. */
extern const lashi_operator lashi_operators[];

const lashi_function *lashi_function_find(const char *name); /* NULL: none */
/* Known names, for lashi_nearest: functions, then pi. */
const char *lashi_function_name(const void *list, size_t index);

#endif
