/* SPDX-License-Identifier: MIT
 *
 * Programs of expressions over jets, on a fixed stack, without allocation. An instruction takes its arguments
 * off the stack and leaves the result. Truth values are jets 1 and 0.
 */
#include "math/program.h"

#include <math.h>

#include "math/jet.h"

static lashi_jet truth(bool value) {
    return lashi_jet_constant(value ? 1 : 0);
}

static lashi_jet compare(lashi_opcode code, lashi_jet a, lashi_jet b) {
    int order = lashi_jet_order(a, b);
    switch (code) {
    case LASHI_OP_LESS: return truth(order == -1);
    case LASHI_OP_LESS_EQUAL: return truth(order <= 0);
    case LASHI_OP_GREATER: return truth(order == 1);
    case LASHI_OP_GREATER_EQUAL: return truth(order == 0 || order == 1);
    case LASHI_OP_EQUAL: return truth(order == 0);
    default: return truth(order != 0);
    }
}

/* (x - x0)/(x1 - x0) */
static lashi_jet share_of(const lashi_jet *x) {
    return lashi_jet_divide(lashi_jet_subtract(x[0], x[1]), lashi_jet_subtract(x[2], x[1]));
}

lashi_jet *lashi_program_step(lashi_jet *top, const lashi_jet *at, const lashi_instruction *it, double t) {
    lashi_jet *a = top - 1, *b = top - 1; // the last value; for two arguments a is the one below
    if (it->code == LASHI_OP_CONSTANT || it->code == LASHI_OP_TIME) {
        *top = it->code == LASHI_OP_CONSTANT ? lashi_jet_constant(it->value) : (lashi_jet){t, 1, 0};
        return top + 1;
    }
    switch (it->code) {
    case LASHI_OP_NEGATE: *a = lashi_jet_negate(*a); return top;
    case LASHI_OP_NOT: *a = truth(a->f == 0); return top;
    case LASHI_OP_SIN: *a = lashi_jet_sin(*a); return top;
    case LASHI_OP_COS: *a = lashi_jet_cos(*a); return top;
    case LASHI_OP_TAN: *a = lashi_jet_tan(*a); return top;
    case LASHI_OP_ASIN: *a = lashi_jet_asin(*a, at[-1]); return top;
    case LASHI_OP_ACOS: *a = lashi_jet_acos(*a, at[-1]); return top;
    case LASHI_OP_ATAN: *a = lashi_jet_atan(*a); return top;
    case LASHI_OP_SINH: *a = lashi_jet_sinh(*a); return top;
    case LASHI_OP_COSH: *a = lashi_jet_cosh(*a); return top;
    case LASHI_OP_TANH: *a = lashi_jet_tanh(*a); return top;
    case LASHI_OP_EXP: *a = lashi_jet_exp(*a); return top;
    case LASHI_OP_LOG: *a = lashi_jet_log(*a); return top;
    case LASHI_OP_LOG10: *a = lashi_jet_log10(*a); return top;
    case LASHI_OP_SQRT: *a = lashi_jet_sqrt(*a, at[-1]); return top;
    case LASHI_OP_ABS: *a = lashi_jet_abs(*a, at[-1]); return top;
    case LASHI_OP_SIGN: *a = lashi_jet_sign(at[-1]); return top;
    case LASHI_OP_SMOOTHSTEP: *a = lashi_jet_smoothstep(*a, at[-1]); return top;
    case LASHI_OP_RATE: *a = (lashi_jet){a->df, a->ddf, (double)NAN}; return top;
    default: break;
    }
    a = top - 2;
    switch (it->code) {
    case LASHI_OP_ADD: *a = lashi_jet_add(*a, *b); break;
    case LASHI_OP_SUBTRACT: *a = lashi_jet_subtract(*a, *b); break;
    case LASHI_OP_MULTIPLY: *a = lashi_jet_multiply(*a, *b); break;
    case LASHI_OP_DIVIDE: *a = lashi_jet_divide(*a, *b); break;
    case LASHI_OP_POWER: *a = lashi_jet_power(*a, *b, at[-2]); break;
    case LASHI_OP_LESS:
    case LASHI_OP_LESS_EQUAL:
    case LASHI_OP_GREATER:
    case LASHI_OP_GREATER_EQUAL:
    case LASHI_OP_EQUAL:
    case LASHI_OP_NOT_EQUAL: *a = compare(it->code, at[-2], at[-1]); break;
    case LASHI_OP_AND: *a = truth(a->f != 0 && b->f != 0); break;
    case LASHI_OP_OR: *a = truth(a->f != 0 || b->f != 0); break;
    case LASHI_OP_ATAN2: *a = lashi_jet_atan2(*a, *b, at[-2], at[-1]); break;
    case LASHI_OP_HYPOT: *a = lashi_jet_hypot(*a, *b); break;
    case LASHI_OP_MIN: *a = lashi_jet_min(*a, *b, at[-2], at[-1]); break;
    case LASHI_OP_MAX: *a = lashi_jet_max(*a, *b, at[-2], at[-1]); break;
    case LASHI_OP_MOD: *a = lashi_jet_mod(*a, *b, at[-2], at[-1]); break;
    case LASHI_OP_RAMP:
        a = top - 3;
        *a = lashi_jet_smoothstep(share_of(a), share_of(at - 3));
        break;
    default: break;
    }
    return a + 1;
}

int lashi_program_effect(lashi_opcode code) {
    switch (code) {
    case LASHI_OP_CONSTANT:
    case LASHI_OP_READ:
    case LASHI_OP_TIME: return 1;
    case LASHI_OP_RAMP: return -2;
    case LASHI_OP_RATE:
    case LASHI_OP_TABLE:
    case LASHI_OP_NEGATE:
    case LASHI_OP_NOT: return 0;
    // After a jump comes the other branch, which leaves its value at the same place: -1 like the default.
    default: return code >= LASHI_OP_SIN && code <= LASHI_OP_SMOOTHSTEP ? 0 : -1;
    }
}

#ifndef LASHI_KERNEL // the text of an ensemble has each program written out

/* ---- whole programs ---- */

lashi_jet lashi_expression_jet(const lash_expression *expression, double t) {
    lashi_jet stack[LASHI_MOST_PENDING], *top = stack;
    const lashi_instruction *it = expression->program, *end = it + expression->count;
    while (it < end) {
        if (it->code == LASHI_OP_BRANCH)
            it = lashi_program_skip(it, (--top)->f != 0);
        else if (it->code == LASHI_OP_JUMP)
            it = lashi_program_skip(it, false);
        else
            top = lashi_program_step(top, top, it++, t);
    }
    return stack[0];
}

lashi_jet lashi_expression_jet_in(const lash_expression *expression, double t, double inside) {
    if (!expression->breaks || isnan(inside))
        return lashi_expression_jet(expression, t);
    lashi_jet stack[LASHI_MOST_PENDING], *top = stack, deciding[LASHI_MOST_PENDING], *at = deciding;
    const lashi_instruction *it = expression->program, *end = it + expression->count;
    while (it < end) {
        if (it->code == LASHI_OP_BRANCH) {
            top--;
            it = lashi_program_skip(it, (--at)->f != 0);
        } else if (it->code == LASHI_OP_JUMP) {
            it = lashi_program_skip(it, false);
        } else {
            top = lashi_program_step(top, at, it, t);
            at = lashi_program_step(at, at, it++, inside);
        }
    }
    return stack[0];
}

double lashi_expression_value(const lash_expression *expression, double t) {
    return lashi_expression_jet(expression, t).f;
}

#endif
