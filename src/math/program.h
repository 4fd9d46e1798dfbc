/* SPDX-License-Identifier: MIT
 *
 * The postfix program an expression is compiled to, and the step that runs one instruction over jets.
 *
 * Pieces. A function of time may be made of pieces: a condition changes, abs turns, mod jumps, a root ends.
 * Which piece holds is decided at a time of its own, `inside`, not at t: so the function is smooth over a
 * whole piece with both its ends, and rounding near an end decides nothing. Two stacks run side by side, one
 * at t, one at `inside`; each instruction that has pieces looks at the second.
 *
 * The times at which a piece may end are the breaks: zeros of d(t), a condition of the instruction
 * (breaks.h). They are also where an argument leaves the range of its function, or a denominator is zero.
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
    LASHI_OP_BRANCH, /* takes a truth value off; false: continues after `value` more instructions */
    LASHI_OP_JUMP,   /* continues after `value` more instructions */
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
    LASHI_OP_RAMP,
    LASHI_OP_READ,  /* `value`: index into names, then parts; in a system, into its reads */
    LASHI_OP_RATE,  /* the derivative with respect to time */
    LASHI_OP_TABLE, /* `value`: index into tables */
} lashi_opcode;

typedef struct lashi_instruction {
    lashi_opcode code;
    int column;   /* place in the text from 0, for messages */
    double value; /* LASHI_OP_CONSTANT: SI; branch and jump: instructions; read, table: see there */
} lashi_instruction;

enum { LASHI_MOST_PENDING = 64 }; /* values on the stack */

struct lash_expression {
    lashi_instruction *program;
    size_t count;
    bool constant; /* contains neither t nor a quantity */
    bool breaks;   /* of time alone, and some instruction has breaks */
    lashi_dimension dimension;
    /* Expressions of the state. What depends on time alone in them is a part of its own, a function
     * of time. */
    char **names; /* quantities that it reads */
    size_t name_count;
    lash_expression **parts;
    size_t part_count;
    const lash_table *const *tables; /* the owner's */
    const int *switches;             /* [count] in a system: of each instruction; -1: it has none */
};

static inline bool lashi_expression_reads_state(const lash_expression *e) {
    return e->name_count + e->part_count > 0;
}

/* Runs one instruction that is neither a branch nor a jump. top points past the highest value of the stack,
 * the stack, `at` to the same place of the stack that decides about pieces; both may be one stack.
 * Returns the new top. */
lashi_jet *lashi_program_step(lashi_jet *top, const lashi_jet *at, const lashi_instruction *it, double t);
/* Where to continue after a branch, with the truth value it took, or after a jump. */
static inline const lashi_instruction *lashi_program_skip(const lashi_instruction *it, bool yes) {
    return it + 1 + (it->code == LASHI_OP_BRANCH && yes ? 0 : (size_t)it->value);
}
/* How many values the instruction adds to the stack, not counting the branch that is not taken: 1,
 * 0, -1, -2. */
int lashi_program_effect(lashi_opcode code);

#endif
