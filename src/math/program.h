/* SPDX-License-Identifier: MIT
 *
 * The postfix program an expression is compiled to, and the step that runs one instruction over jets.
 */
#ifndef LASHI_PROGRAM_H
#define LASHI_PROGRAM_H

#include "math/expression.h"

typedef enum lashi_opcode {
    LASHI_OP_CONSTANT,
    LASHI_OP_TIME,
    LASHI_OP_NEGATE,
    LASHI_OP_ADD,
    LASHI_OP_SUBTRACT,
    LASHI_OP_MULTIPLY,
    LASHI_OP_DIVIDE,
    LASHI_OP_POWER,
    LASHI_OP_LESS,
    LASHI_OP_LESS_EQUAL,
    LASHI_OP_GREATER,
    LASHI_OP_GREATER_EQUAL,
    LASHI_OP_EQUAL,
    LASHI_OP_NOT_EQUAL,
    LASHI_OP_AND,
    LASHI_OP_OR,
    LASHI_OP_NOT,
    LASHI_OP_SELECT,
    LASHI_OP_SIN,
    LASHI_OP_COS,
    LASHI_OP_TAN,
    LASHI_OP_ASIN,
    LASHI_OP_ACOS,
    LASHI_OP_ATAN,
    LASHI_OP_SINH,
    LASHI_OP_COSH,
    LASHI_OP_TANH,
    LASHI_OP_EXP,
    LASHI_OP_LOG,
    LASHI_OP_LOG10,
    LASHI_OP_SQRT,
    LASHI_OP_ABS,
    LASHI_OP_SIGN,
    LASHI_OP_SMOOTHSTEP,
    LASHI_OP_ATAN2,
    LASHI_OP_HYPOT,
    LASHI_OP_MIN,
    LASHI_OP_MAX,
    LASHI_OP_MOD,
    LASHI_OP_RAMP
} lashi_opcode;

typedef struct lashi_instruction {
    lashi_opcode code;
    int column;   /* place in the text from 0, for messages */
    double value; /* LASHI_OP_CONSTANT: SI */
} lashi_instruction;

/* Runs one instruction; top points past the highest value of the stack. Returns the new top. */
lashi_jet *lashi_program_step(lashi_jet *top, const lashi_instruction *it, double t);
/* How many values the instruction adds to the stack: 1, 0, -1 or -2. */
int lashi_program_effect(lashi_opcode code);

#endif
