/* SPDX-License-Identifier: MIT
 *
 * Breaks: the times at which a function of time passes from one of its pieces to another, or ends. Between
 * two of them it is smooth.
 */
#ifndef LASHI_BREAKS_H
#define LASHI_BREAKS_H

#include "math/program.h"
#include "math/bounds.h"

/* Two times closer than this, s, are one. */
double lashi_time_resolution(double t);

/* Whether instruction i of a program can have breaks. */
bool lashi_has_breaks(const lashi_instruction *program, size_t i);

/* Whether the expression can have them. */
bool lashi_expression_has_breaks(const lash_expression *expression);

/* A time in (a, b] before which the expression has no break, a itself left out: its next one, or b. Also what
 * only touches (the argument of a root that comes down to 0) is given, and sometimes a time that is none. */
double lashi_expression_next_break(const lash_expression *expression, double a, double b);

/* The top of the next pulse after a, or b: within the piece that holds at the time `inside`, which goes from
 * a to b at least. A pulse is an extremum that is narrow beside what is around it. A smooth one is no break,
 * but a long step would not see it. Sometimes an extremum that is no pulse. */
double lashi_expression_next_pulse(const lash_expression *expression, double a, double b, double inside);

/* The same of the second derivative of a function that has no extremum from a to b: a time at which it does
 * what looks at a whole step do not show, or b. */
double lashi_expression_next_shock(const lash_expression *expression, double a, double b, double inside);

/* Bounds of value and derivatives from a to b, on the piece that holds at the time `inside`. */
lashi_bounds_jet lashi_expression_bounds(const lash_expression *expression, double a, double b,
                                         double inside);

/* lashi_program_step over the time from low to high. */
lashi_bounds_jet *lashi_bounds_step(lashi_bounds_jet *top, const lashi_jet *at, const lashi_instruction *it,
                                    double low, double high);
lashi_bounds_jet lashi_bounds_ramp(const lashi_bounds_jet *x); /* (x - x0)/(x1 - x0) */

#endif
