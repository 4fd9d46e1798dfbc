/* SPDX-License-Identifier: MIT
 *
 * Second-order Taylor arithmetic: (f, f', f'') of sums, products and functions of jets. Exact to rounding.
 *
 * g(x):  g,  g_x x',  g_x x'' + g_xx x'^2.
 * Functions with pieces (abs, mod, …) get their arguments twice: the second ones, `at`, belong to another
 * time, which decides which piece holds. The ends of the ranges of sqrt, asin, … belong to the range that
 * holds then, even if rounding is a little outside. Where that time is itself a corner, the piece just after
 * it is taken. A derivative that is exactly zero stays zero even when a factor is infinite: sqrt of a
 * quantity that rests at 0 rests too.
 */
#ifndef LASHI_JET_H
#define LASHI_JET_H

#include "math/expression.h"

lashi_jet lashi_jet_constant(double value);
lashi_jet lashi_jet_negate(lashi_jet a);
lashi_jet lashi_jet_add(lashi_jet a, lashi_jet b);
lashi_jet lashi_jet_subtract(lashi_jet a, lashi_jet b);
lashi_jet lashi_jet_multiply(lashi_jet a, lashi_jet b);
lashi_jet lashi_jet_divide(lashi_jet a, lashi_jet b);
lashi_jet lashi_jet_power(lashi_jet a, lashi_jet b, lashi_jet at);
/* g of a, given g, g_x and g_xx at a.f. */
lashi_jet lashi_jet_chain(lashi_jet a, double g, double g_x, double g_xx);

lashi_jet lashi_jet_sin(lashi_jet a);
lashi_jet lashi_jet_cos(lashi_jet a);
lashi_jet lashi_jet_tan(lashi_jet a);
lashi_jet lashi_jet_asin(lashi_jet a, lashi_jet at);
lashi_jet lashi_jet_acos(lashi_jet a, lashi_jet at);
lashi_jet lashi_jet_atan(lashi_jet a);
lashi_jet lashi_jet_sinh(lashi_jet a);
lashi_jet lashi_jet_cosh(lashi_jet a);
lashi_jet lashi_jet_tanh(lashi_jet a);
lashi_jet lashi_jet_exp(lashi_jet a);
lashi_jet lashi_jet_log(lashi_jet a);
lashi_jet lashi_jet_log10(lashi_jet a);
lashi_jet lashi_jet_sqrt(lashi_jet a, lashi_jet at);
lashi_jet lashi_jet_abs(lashi_jet a, lashi_jet at);
lashi_jet lashi_jet_sign(lashi_jet at); /* -1, 0, 1; derivatives 0 */
/* 0 below 0, 1 above 1, x^3 (10 - 15 x + 6 x^2) between: C2 */
lashi_jet lashi_jet_smoothstep(lashi_jet a, lashi_jet at);

lashi_jet lashi_jet_atan2(lashi_jet y, lashi_jet x, lashi_jet y_at, lashi_jet x_at);
lashi_jet lashi_jet_hypot(lashi_jet a, lashi_jet b);
lashi_jet lashi_jet_min(lashi_jet a, lashi_jet b, lashi_jet a_at, lashi_jet b_at);
lashi_jet lashi_jet_max(lashi_jet a, lashi_jet b, lashi_jet a_at, lashi_jet b_at);
/* a - b floor(a/b): has the sign of b */
lashi_jet lashi_jet_mod(lashi_jet a, lashi_jet b, lashi_jet a_at, lashi_jet b_at);

/* The sign of a - b just after: -1, 0, 1; 2: one of them is not a number. */
int lashi_jet_order(lashi_jet a, lashi_jet b);
/* floor(a/b) just after. */
double lashi_jet_turns(lashi_jet a, lashi_jet b);

#endif
