/* SPDX-License-Identifier: MIT
 *
 * Expressions of the state: programs with what they read as numbers, and their switches.
 *
 * A switch is an instruction with pieces: a number d decides which piece holds, and each piece is a range of
 * d,
 *     a < b, min, max, …   d = a − b   below 0, above 0          mod         d = a/b   from k to k + 1
 *     abs, sign, atan2     d = a       likewise                  table       d = x     between two points
 *     smoothstep, ramp     d = x       below 0, 0 to 1, above 1
 * d does not decide in each evaluation: a `mode` holds the piece from event to event (sim/switches.c), so
 * that the integrator sees a smooth function. Modes are -1, 0 (d rests at 0) and 1; for smoothstep -1, 0 and
 * 1; for mod k; for a table some x inside the piece.
 */
#ifndef LASHI_SWITCH_H
#define LASHI_SWITCH_H

#include "math/breaks.h"

/* What expressions of the state see at one instant. */
typedef struct lashi_instant {
    const lashi_jet *reads; /* quantities, with those derivatives that are known; else NaN */
    const double *modes;    /* of the switches */
} lashi_instant;

/* Whether an instruction is a switch, if what it looks at reads the state. */
bool lashi_is_switch(lashi_opcode code);

/* The expression as a system holds it: `value` of its reads are indices into reads, switches are numbered. */
lashi_jet lashi_expression_read(const lash_expression *expression, double t, const lashi_instant *now);
double lashi_expression_read_value(const lash_expression *expression, double t, const lashi_instant *now);

/* d of instruction `index`, a switch. False: it is not evaluated now, since another branch holds. */
bool lashi_switch_at(lashi_jet *d, const lash_expression *expression, size_t index, double t,
                     const lashi_instant *now);

/* The same over a stretch of time, from bounds of what is read. */
typedef struct lashi_stretch {
    double from, to;               /* s */
    const lashi_bounds_jet *reads; /* with two derivatives as far as known, else infinite */
    const lashi_instant *now;      /* its modes hold */
} lashi_stretch;
lashi_bounds_jet lashi_expression_stretch(const lash_expression *expression, const lashi_stretch *stretch);
bool lashi_switch_stretch(lashi_bounds_jet *d, const lash_expression *expression, size_t index,
                          const lashi_stretch *stretch);

/* The range of d that a mode stands for. */
lashi_bounds lashi_switch_piece(const lash_expression *expression, size_t index, double mode);
/* The mode of d; where d is between two, the one just after. */
double lashi_switch_mode(const lash_expression *expression, size_t index, lashi_jet d);
/* The mode beyond the upper or lower end of a piece. */
double lashi_switch_next(const lash_expression *expression, size_t index, double mode, bool up);

#endif
