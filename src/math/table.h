/* SPDX-License-Identifier: MIT
 *
 * A function given by points: natural cubic spline, periodic spline, or straight lines; value and two
 * derivatives. Outside its range a table goes on along its end tangent (spline, lines) or repeats (periodic).
 */
#ifndef LASHI_TABLE_H
#define LASHI_TABLE_H

#include "math/expression.h"

/* Makes a table periodic with the given period, >= its range; a spline is refitted so that it closes
 * smoothly. */
lash_status lashi_table_make_periodic(lash_table *table, double period, lash_error *error);
/* Value and derivatives with respect to x. No allocation, no memory of earlier calls. */
lashi_jet lashi_table_jet(const lash_table *table, double x);
/* Integral from the table's first point to x; used for potentials and ledgers. */
double lashi_table_integral(const lash_table *table, double x);
double lashi_table_first(const lash_table *table);
double lashi_table_last(const lash_table *table);
size_t lashi_table_size(const lash_table *table);

#endif
