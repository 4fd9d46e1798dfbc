/* SPDX-License-Identifier: MIT
 *
 * A function given by points: natural cubic spline, monotone cubic, or straight lines; value and two
 * derivatives. Outside its range a table has no value (NaN), or continues as `beyond` says, or repeats
 * (periodic).
 */
#ifndef LASHI_TABLE_H
#define LASHI_TABLE_H

#include "math/expression.h"

/* Whether the table is no longer than a period. */
bool lashi_table_fits(const lash_table *table, double period);
/* Makes a table periodic with the given period, >= its range; a spline is refitted so that it closes
 * smoothly. */
lash_status lashi_table_make_periodic(lash_table *table, double period, lash_error *error);
/* Moves it along x and y; NULL: none. */
void lashi_table_move(lash_table *table, double dx, double dy);
/* Value and derivatives with respect to x, at a point those after it. No allocation, no memory of earlier
 * calls. */
lashi_jet lashi_table_jet(const lash_table *table, double x);
/* The same of the piece between two points that holds at `inside`, also at its ends. */
lashi_jet lashi_table_jet_in(const lash_table *table, double x, double inside);
/* Whether it has a value at x. */
bool lashi_table_covers(const lash_table *table, double x);
/* Integral from the table's first point to x, for potentials and energy balances. */
double lashi_table_integral(const lash_table *table, double x);
/* A table over time: its next point after a, or b (breaks.h). */
double lashi_table_next_break(const lash_table *table, double a, double b);
/* The stretch between two points in which x is, or before the first (-INFINITY) or after the last (INFINITY).
 */
void lashi_table_piece(double *low, double *high, const lash_table *table, double x);
/* How far the function leaves the range of its two neighbouring points at most, as a share of the range of y;
 * at *x it is *y there. 0: nowhere. */
double lashi_table_overshoot(const lash_table *table, double *x, double *y);
/* What two readings of the table, at `from` and at `seen`, do not show between `from` and `to`: a place on
 * the first flank that is steeper than the function is at both and narrower than the share `narrow` of the
 * way; with `narrow` below 1 also a corner, and a point where a derivative jumps by what makes more than the share `fine` of
 * its largest value. NaN: none. */
double lashi_table_unseen(const lash_table *table, double from, double to, double seen, double narrow,
                          double fine);
/* Stages of a method lie no farther apart than a quarter of its step: NARROW for it. By what a table may leave the cubic that
 * led to a point of it, in units of its largest value times rtol: of this a step makes a small share, but steps across points
 * are many. And how far from a point a step may end that ends there, of the distance to the next one. */
static const double LASHI_TABLE_NARROW = 0.3, LASHI_TABLE_KNOT = 3, LASHI_TABLE_PLACE = 1e-3;
/* The longest steps that pass each point, or end beside it, and see what the table does; < 0: there they end, to within so
 * much, for no order of a method holds across it. sight: [lashi_table_size]. */
void lashi_table_sights(double *sight, const lash_table *table, double fine);
lash_interpolation lashi_table_kind(const lash_table *table);
lash_beyond lashi_table_beyond(const lash_table *table);
double lashi_table_first(const lash_table *table);
double lashi_table_last(const lash_table *table);
size_t lashi_table_size(const lash_table *table);

#endif
