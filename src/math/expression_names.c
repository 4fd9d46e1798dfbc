/* SPDX-License-Identifier: MIT
 *
 * The functions and operators of expressions: adding one is a line here, its code in program.c, its bounds in
 * breaks.c.
 */
#include "math/expression_names.h"

#include <string.h>

static const lashi_function functions[] = {
    {"sin", LASHI_OP_SIN, 1, LASHI_RULE_PURE},
    {"cos", LASHI_OP_COS, 1, LASHI_RULE_PURE},
    {"tan", LASHI_OP_TAN, 1, LASHI_RULE_PURE},
    {"asin", LASHI_OP_ASIN, 1, LASHI_RULE_PURE},
    {"acos", LASHI_OP_ACOS, 1, LASHI_RULE_PURE},
    {"atan", LASHI_OP_ATAN, 1, LASHI_RULE_PURE},
    {"sinh", LASHI_OP_SINH, 1, LASHI_RULE_PURE},
    {"cosh", LASHI_OP_COSH, 1, LASHI_RULE_PURE},
    {"tanh", LASHI_OP_TANH, 1, LASHI_RULE_PURE},
    {"exp", LASHI_OP_EXP, 1, LASHI_RULE_PURE},
    {"log", LASHI_OP_LOG, 1, LASHI_RULE_PURE},
    {"log10", LASHI_OP_LOG10, 1, LASHI_RULE_PURE},
    {"sqrt", LASHI_OP_SQRT, 1, LASHI_RULE_ROOT},
    {"abs", LASHI_OP_ABS, 1, LASHI_RULE_KEEPS},
    {"sign", LASHI_OP_SIGN, 1, LASHI_RULE_TO_NUMBER},
    {"min", LASHI_OP_MIN, -2, LASHI_RULE_ALIKE},
    {"max", LASHI_OP_MAX, -2, LASHI_RULE_ALIKE},
    {"pow", LASHI_OP_POWER, 2, LASHI_RULE_RAISES},
    {"mod", LASHI_OP_MOD, 2, LASHI_RULE_ALIKE},
    {"hypot", LASHI_OP_HYPOT, 2, LASHI_RULE_ALIKE},
    {"atan2", LASHI_OP_ATAN2, 2, LASHI_RULE_ALIKE_TO_NUMBER},
    {"if", LASHI_OP_BRANCH, 3, LASHI_RULE_CHOOSES},
    {"rate", LASHI_OP_RATE, 1, LASHI_RULE_PER_TIME},
    {"smoothstep", LASHI_OP_SMOOTHSTEP, 1, LASHI_RULE_PURE},
    {"ramp", LASHI_OP_RAMP, 3, LASHI_RULE_ALIKE_TO_NUMBER},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

const lashi_operator lashi_operators[] = {
    {"or", LASHI_OP_OR, 1, NULL, NULL},
    {"and", LASHI_OP_AND, 2, NULL, NULL},
    {"<=", LASHI_OP_LESS_EQUAL, 4, "compares", "with"},
    {">=", LASHI_OP_GREATER_EQUAL, 4, "compares", "with"},
    {"==", LASHI_OP_EQUAL, 4, "compares", "with"},
    {"!=", LASHI_OP_NOT_EQUAL, 4, "compares", "with"},
    {"<", LASHI_OP_LESS, 4, "compares", "with"},
    {">", LASHI_OP_GREATER, 4, "compares", "with"},
    {"+", LASHI_OP_ADD, 5, "adds", "to"},
    {"-", LASHI_OP_SUBTRACT, 5, "subtracts", "from"},
    {"*", LASHI_OP_MULTIPLY, 6, NULL, NULL},
    {"/", LASHI_OP_DIVIDE, 6, NULL, NULL},
    {"^", LASHI_OP_POWER, 8, NULL, NULL},
    {NULL, LASHI_OP_CONSTANT, 0, NULL, NULL},
};

const lashi_function *lashi_function_find(const char *name) {
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

const char *lashi_function_name(const void *list, size_t index) {
    (void)list;
    return index < FUNCTIONS ? functions[index].name : index == FUNCTIONS ? "pi" : NULL;
}
