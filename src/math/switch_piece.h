/* SPDX-License-Identifier: MIT
 *
 * Pieces of the switches of expressions (switch.h) other than tables, by the code of their instruction alone. A
 * header, so that the texts of ensembles have it too.
 */
#ifndef LASHI_SWITCH_PIECE_H
#define LASHI_SWITCH_PIECE_H

#include <math.h>

#include "math/bounds.h"
#include "math/jet.h"
#include "math/program.h"

/* Values of the deciding stack that select the piece of a mode, the last argument at [2]. */
static inline void lashi_switch_decide(lashi_jet deciding[3], lashi_opcode code, double mode) {
    const lashi_jet zero = {0, 0, 0}, one = {1, 0, 0}, at = {mode, 0, 0};
    deciding[0] = deciding[1] = deciding[2] = zero;
    switch (code) {
    case LASHI_OP_ABS:
    case LASHI_OP_SIGN: deciding[2] = at; break;
    case LASHI_OP_SMOOTHSTEP: deciding[2] = (lashi_jet){0.5 + mode, 0, 0}; break;
    case LASHI_OP_RAMP:
        deciding[0] = (lashi_jet){0.5 + mode, 0, 0};
        deciding[2] = one;
        break;
    case LASHI_OP_MOD:
        deciding[1] = (lashi_jet){mode + 0.5, 0, 0};
        deciding[2] = one;
        break;
    case LASHI_OP_ATAN2:
        deciding[1] = at;
        deciding[2] = one;
        break;
    default: deciding[1] = at; break; // compared with zero
    }
}

/* d of a switch whose arguments end below top. */
static inline lashi_jet lashi_switch_number(lashi_opcode code, const lashi_jet *top) {
    switch (code) {
    case LASHI_OP_ABS:
    case LASHI_OP_SIGN:
    case LASHI_OP_SMOOTHSTEP:
    case LASHI_OP_TABLE: return top[-1];
    case LASHI_OP_ATAN2: return top[-2];
    case LASHI_OP_MOD: return lashi_jet_divide(top[-2], top[-1]);
    case LASHI_OP_RAMP:
        return lashi_jet_divide(lashi_jet_subtract(top[-3], top[-2]), lashi_jet_subtract(top[-1], top[-2]));
    default: return lashi_jet_subtract(top[-2], top[-1]);
    }
}

/* The range of d that a mode stands for. */
static inline lashi_bounds lashi_switch_range(lashi_opcode code, double mode) {
    lashi_bounds piece = {-INFINITY, INFINITY};
    switch (code) {
    case LASHI_OP_MOD: return (lashi_bounds){mode, mode + 1};
    case LASHI_OP_SMOOTHSTEP:
    case LASHI_OP_RAMP:
        if (mode >= 0)
            piece.low = mode;
        if (mode <= 0)
            piece.high = mode + 1;
        return piece;
    default:
        if (mode >= 0)
            piece.low = 0;
        if (mode <= 0)
            piece.high = 0;
        return piece;
    }
}

/* Whether d rests at the border of two pieces. */
static inline bool lashi_switch_rests(lashi_opcode code, double mode) {
    const bool numbered = code == LASHI_OP_MOD || code == LASHI_OP_SMOOTHSTEP || code == LASHI_OP_RAMP ||
                          code == LASHI_OP_TABLE;
    return !numbered && mode == 0;
}

/* Whether the value at a border is another than beside it: of comparisons, sign, mod and atan2. */
static inline bool lashi_switch_jumps(lashi_opcode code) {
    return (code >= LASHI_OP_LESS && code <= LASHI_OP_NOT_EQUAL) || code == LASHI_OP_SIGN ||
           code == LASHI_OP_MOD || code == LASHI_OP_ATAN2;
}

/* The sign of d − level just after: -1, 0, 1. */
static inline int lashi_switch_side(lashi_jet d, double level) {
    const double parts[3] = {d.f - level, d.df, d.ddf};
    for (int k = 0; k < 3; k++)
        if (parts[k] > 0 || parts[k] < 0)
            return parts[k] > 0 ? 1 : -1;
    return 0;
}

/* The mode of d; where d is between two, the one just after. */
static inline double lashi_switch_find(lashi_opcode code, lashi_jet d) {
    switch (code) {
    case LASHI_OP_MOD: {
        const double k = floor(d.f);
        return k == d.f && lashi_switch_side(d, k) < 0 ? k - 1 : k;
    }
    case LASHI_OP_SMOOTHSTEP:
    case LASHI_OP_RAMP: return lashi_switch_side(d, 0) < 0 ? -1 : lashi_switch_side(d, 1) > 0 ? 1 : 0;
    default: return lashi_switch_side(d, 0);
    }
}

/* The mode beyond the upper or lower end of a piece. */
static inline double lashi_switch_after(lashi_opcode code, double mode, bool up) {
    switch (code) {
    case LASHI_OP_MOD:
    case LASHI_OP_SMOOTHSTEP:
    case LASHI_OP_RAMP: return mode + (up ? 1 : -1);
    default: return up ? 1 : -1;
    }
}

#endif
