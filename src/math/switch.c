/* SPDX-License-Identifier: MIT
 *
 * Programs of expressions of the state. An instruction with pieces looks at a second stack to decide about
 * its piece (program.h); here that stack is filled so that it decides as the mode says.
 */
#include "math/switch.h"

#include <math.h>

#include "math/jet.h"
#include "math/switch_piece.h"
#include "math/table.h"

bool lashi_is_switch(lashi_opcode code) {
    switch (code) {
    case LASHI_OP_LESS:
    case LASHI_OP_LESS_EQUAL:
    case LASHI_OP_GREATER:
    case LASHI_OP_GREATER_EQUAL:
    case LASHI_OP_EQUAL:
    case LASHI_OP_NOT_EQUAL:
    case LASHI_OP_MIN:
    case LASHI_OP_MAX:
    case LASHI_OP_ABS:
    case LASHI_OP_SIGN:
    case LASHI_OP_ATAN2:
    case LASHI_OP_MOD:
    case LASHI_OP_SMOOTHSTEP:
    case LASHI_OP_RAMP:
    case LASHI_OP_TABLE: return true;
    default: return false;
    }
}

/* Arguments that an instruction takes. */
static int arguments(lashi_opcode code) {
    return 1 - lashi_program_effect(code);
}

static lashi_jet read_table(const lash_table *table, lashi_jet x, double inside) {
    const lashi_jet f = lashi_table_jet_in(table, x.f, inside);
    return lashi_jet_chain(x, f.f, f.df, f.ddf);
}

/* Runs the program up to an instruction; NULL: a branch jumps over it. */
static lashi_jet *run(lashi_jet *stack, const lash_expression *e, const lashi_instruction *last, double t,
                      const lashi_instant *now) {
    const lashi_instruction *it = e->program;
    lashi_jet *top = stack, deciding[3];
    while (it < last) {
        const int slot = e->switches[it - e->program];
        if (it->code == LASHI_OP_READ) {
            *top++ = now->reads[(int)(it++)->value];
        } else if (it->code == LASHI_OP_BRANCH) {
            it = lashi_program_skip(it, (--top)->f != 0);
        } else if (it->code == LASHI_OP_JUMP) {
            it = lashi_program_skip(it, false);
        } else if (it->code == LASHI_OP_TABLE) {
            top[-1] = read_table(e->tables[(int)it->value], top[-1], now->modes[slot]);
            it++;
        } else if (slot >= 0) {
            lashi_switch_decide(deciding, it->code, now->modes[slot]);
            top = lashi_program_step(top, deciding + 3, it++, t);
        } else {
            top = lashi_program_step(top, top, it++, t);
        }
    }
    return it == last ? top : NULL;
}

lashi_jet lashi_expression_read(const lash_expression *e, double t, const lashi_instant *now) {
    lashi_jet stack[LASHI_MOST_PENDING];
    run(stack, e, e->program + e->count, t, now);
    return stack[0];
}

double lashi_expression_read_value(const lash_expression *e, double t, const lashi_instant *now) {
    return lashi_expression_read(e, t, now).f;
}

bool lashi_switch_at(lashi_jet *d, const lash_expression *e, size_t index, double t,
                     const lashi_instant *now) {
    lashi_jet stack[LASHI_MOST_PENDING];
    const lashi_instruction *it = &e->program[index];
    const lashi_jet *top = run(stack, e, it, t, now);
    if (!top)
        return false;
    *d = lashi_switch_number(it->code, top);
    return true;
}

/* ---- over a stretch of time ---- */

static lashi_bounds_jet anything(void) {
    const lashi_bounds all = {-INFINITY, INFINITY};
    return (lashi_bounds_jet){all, all, all};
}

static lashi_bounds around(double a, double b, double c, double d) {
    return (lashi_bounds){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
}

/* A piece of a table is a cubic: its values lie between those of its Bézier points, its slopes likewise. */
static lashi_bounds_jet stretch_table(const lash_table *table, lashi_bounds_jet x, double inside) {
    const double h = x.f.high - x.f.low;
    lashi_bounds_jet out = anything();
    if (!isfinite(h))
        return out;
    const lashi_jet a = lashi_table_jet_in(table, x.f.low, inside),
                    b = lashi_table_jet_in(table, x.f.high, inside);
    if (!isfinite(a.f + b.f))
        return out;
    const double third = h / 3, middle = h > 0 ? 3 * (b.f - a.f) / h - a.df - b.df : a.df;
    const double rounding = 1e-14 * (fabs(a.f) + fabs(b.f));
    out.f = around(a.f, a.f + third * a.df, b.f - third * b.df, b.f);
    out.f.low -= rounding;
    out.f.high += rounding;
    const lashi_bounds slope = around(a.df, b.df, middle, middle);
    if (isfinite(x.df.low) && isfinite(x.df.high))
        out.df = around(slope.low * x.df.low, slope.low * x.df.high, slope.high * x.df.low,
                        slope.high * x.df.high);
    return out;
}

static lashi_bounds_jet *run_stretch(lashi_bounds_jet *stack, const lash_expression *e,
                                     const lashi_instruction *last, const lashi_stretch *s) {
    const lashi_instruction *it = e->program;
    lashi_bounds_jet *top = stack;
    // Truth values are those of the modes; the second stack decides about branches.
    lashi_jet truth[LASHI_MOST_PENDING], *at = truth, deciding[3];
    while (it < last) {
        const int slot = e->switches[it - e->program];
        const lashi_instruction *here = it;
        if (it->code == LASHI_OP_BRANCH) {
            top--;
            it = lashi_program_skip(it, (--at)->f != 0);
            continue;
        }
        if (it->code == LASHI_OP_JUMP) {
            it = lashi_program_skip(it, false);
            continue;
        }
        it++;
        const int taken = arguments(here->code);
        at -= here->code == LASHI_OP_READ ? 0 : taken;
        lashi_jet result = {0, 0, 0};
        if (here->code == LASHI_OP_READ) {
            *top++ = s->reads[(int)here->value];
            result = s->now->reads[(int)here->value];
        } else if (here->code == LASHI_OP_TABLE) {
            top[-1] = stretch_table(e->tables[(int)here->value], top[-1], s->now->modes[slot]);
        } else if (here->code == LASHI_OP_AND || here->code == LASHI_OP_OR || here->code == LASHI_OP_NOT) {
            const bool a = at[0].f != 0, b = taken > 1 && at[1].f != 0;
            result.f = here->code == LASHI_OP_NOT ? !a : here->code == LASHI_OP_AND ? a && b : a || b;
            top -= taken - 1;
        } else if (slot >= 0) {
            lashi_switch_decide(deciding, here->code, s->now->modes[slot]);
            top = lashi_bounds_step(top, deciding + 3, here, s->from, s->to);
            if (here->code >= LASHI_OP_LESS && here->code <= LASHI_OP_NOT_EQUAL) {
                lashi_jet pair[3] = {deciding[1], deciding[2]};
                lashi_program_step(pair + 2, deciding + 3, here, s->from);
                result = pair[0];
            }
        } else {
            deciding[0] = deciding[1] = deciding[2] = (lashi_jet){0, 0, 0};
            top = lashi_bounds_step(top, deciding + 3, here, s->from, s->to);
        }
        *at++ = result;
    }
    return it == last ? top : NULL;
}

lashi_bounds_jet lashi_expression_stretch(const lash_expression *e, const lashi_stretch *stretch) {
    lashi_bounds_jet stack[LASHI_MOST_PENDING];
    run_stretch(stack, e, e->program + e->count, stretch);
    return stack[0];
}

bool lashi_switch_stretch(lashi_bounds_jet *d, const lash_expression *e, size_t index,
                          const lashi_stretch *stretch) {
    lashi_bounds_jet stack[LASHI_MOST_PENDING];
    const lashi_instruction *it = &e->program[index];
    const lashi_bounds_jet *top = run_stretch(stack, e, it, stretch);
    if (!top)
        return false;
    switch (it->code) {
    case LASHI_OP_ABS:
    case LASHI_OP_SIGN:
    case LASHI_OP_SMOOTHSTEP:
    case LASHI_OP_TABLE: *d = top[-1]; break;
    case LASHI_OP_ATAN2: *d = top[-2]; break;
    case LASHI_OP_MOD: *d = lashi_bounds_divide(top[-2], top[-1]); break;
    case LASHI_OP_RAMP: *d = lashi_bounds_ramp(top - 3); break;
    default: *d = lashi_bounds_subtract(top[-2], top[-1]); break;
    }
    return true;
}

/* ---- pieces ---- */

lashi_bounds lashi_switch_piece(const lash_expression *e, size_t index, double mode) {
    const lashi_instruction *it = &e->program[index];
    lashi_bounds piece;
    if (it->code != LASHI_OP_TABLE)
        return lashi_switch_range(it->code, mode);
    lashi_table_piece(&piece.low, &piece.high, e->tables[(int)it->value], mode);
    return piece;
}

double lashi_switch_mode(const lash_expression *e, size_t index, lashi_jet d) {
    const lashi_instruction *it = &e->program[index];
    double low, high;
    if (it->code != LASHI_OP_TABLE)
        return lashi_switch_find(it->code, d);
    lashi_table_piece(&low, &high, e->tables[(int)it->value], d.f);
    if (d.f == low && lashi_switch_side(d, low) < 0)
        return lashi_switch_next(e, index, isinf(high) ? low + 1 : 0.5 * (low + high), false);
    return isinf(low) && isinf(high) ? d.f
           : isinf(low)              ? high - 1
           : isinf(high)             ? low + 1
                                     : 0.5 * (low + high);
}

double lashi_switch_next(const lash_expression *e, size_t index, double mode, bool up) {
    const lashi_instruction *it = &e->program[index];
    if (it->code != LASHI_OP_TABLE)
        return lashi_switch_after(it->code, mode, up);
    const lash_table *table = e->tables[(int)it->value];
    const lashi_bounds piece = lashi_switch_piece(e, index, mode);
    const double end = up ? piece.high : piece.low;
    double low, high;
    lashi_table_piece(&low, &high, table, up ? end : nextafter(end, -INFINITY));
    return isinf(low) ? high - 1 : isinf(high) ? low + 1 : 0.5 * (low + high);
}
