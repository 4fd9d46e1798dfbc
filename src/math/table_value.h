/* SPDX-License-Identifier: MIT
 *
 * What a table is, and its value: see table.c for the formulas. A header, so that the texts of ensembles have it too.
 */
#ifndef LASHI_TABLE_VALUE_H
#define LASHI_TABLE_VALUE_H

#include <math.h>

#include "math/table.h"

// Share of its range by which x may be beyond an end through rounding; the table still has a value there.
static const double LASHI_TABLE_ROUNDING = 1e-9;

struct lash_table {
    lash_interpolation interpolation;
    lash_beyond beyond;
    bool periodic;
    size_t count;     // points; with the closing one when periodic
    double *x, *y;    // count each, one block
    double *P, *Q;    // second derivatives at the ends of the interval that begins at point i
    double *integral; // from x[0] to x[i]
    double largest;   // |y|
    bool even;        // points are as far apart as each other, to a quarter, …
    double density;   // … and so many intervals are in a unit of x
};

/* The slope of the chord after point i. */
static inline double lashi_table_chord(const lash_table *table, size_t i) {
    return (table->y[i + 1] - table->y[i]) / (table->x[i + 1] - table->x[i]);
}

/* Loops of members side by side must be written out before their lanes are. */
#if defined __clang__ && !defined __NVPTX__
#define LASHI_TABLE_WRITTEN_OUT _Pragma("clang loop unroll(full)")
#else
#define LASHI_TABLE_WRITTEN_OUT
#endif

/* The interval that holds x: x[i] <= x < x[i+1], the last one for its end. Without branches: where points are evenly apart
 * x tells it but for one, else it is halved so often as there are bits. */
static inline size_t lashi_table_interval(const lash_table *table, double x) {
    const size_t last = table->count - 1; // point
    size_t low = 0;
    if (table->even) {
        const double most = (double)(last - 1), guess = (x - table->x[0]) * table->density,
                     least = guess > 0 ? guess : 0; // also of what is no number
        low = (size_t)(least < most ? least : most);
        low -= (low > 0) & (x < table->x[low]);
        low += (low + 1 < last) & (x >= table->x[low + 1]);
        return low;
    }
    LASHI_TABLE_WRITTEN_OUT for (int bit = 63 - __builtin_clzll(last); bit >= 0; bit--) {
        const size_t middle = low + ((size_t)1 << bit);
        low = ((middle < last) & (table->x[middle < last ? middle : 0] <= x)) ? middle : low;
    }
    return low;
}

/* The cubic of interval i, also outside it. */
static inline lashi_jet lashi_table_cubic(const lash_table *table, size_t i, double x) {
    double h = table->x[i + 1] - table->x[i], b = (x - table->x[i]) / h, a = 1 - b;
    double P = table->P[i], Q = table->Q[i];
    return (lashi_jet){
        .f = a * table->y[i] + b * table->y[i + 1] + (a * (a * a - 1) * P + b * (b * b - 1) * Q) * h * h / 6,
        .df = lashi_table_chord(table, i) + ((3 * b * b - 1) * Q - (3 * a * a - 1) * P) * h / 6,
        .ddf = a * P + b * Q,
    };
}

/* Periods between x and the one that begins at x[0]. */
static inline double lashi_table_periods(const lash_table *table, double x) {
    const double first = table->x[0];
    return floor((x - first) / (table->x[table->count - 1] - first));
}

/* x without so many periods. */
static inline double lashi_table_unwound(const lash_table *table, double x, double turns) {
    return x - turns * (table->x[table->count - 1] - table->x[0]);
}

/* Whether x is before the first point or after the last by more than rounding; *end is then that point. */
static inline bool lashi_table_passes(double *end, const lash_table *table, double x) {
    const double first = table->x[0], last = table->x[table->count - 1];
    const double slack = table->beyond == LASH_BEYOND_ERROR ? LASHI_TABLE_ROUNDING * (last - first) : 0;
    *end = x < first ? first : last;
    return x < first - slack || x > last + slack;
}

/* The function before the first point, or after the last one. */
static inline lashi_jet lashi_table_continuation(const lash_table *table, double end, double x) {
    const lashi_jet tangent = lashi_table_cubic(table, lashi_table_interval(table, end), end);
    switch (table->beyond) {
    case LASH_BEYOND_HOLD: return (lashi_jet){tangent.f, 0, 0};
    case LASH_BEYOND_EXTRAPOLATE: return (lashi_jet){tangent.f + tangent.df * (x - end), tangent.df, 0};
    case LASH_BEYOND_ZERO: return (lashi_jet){0, 0, 0};
    default: return (lashi_jet){(double)NAN, (double)NAN, (double)NAN};
    }
}

static inline lashi_jet lashi_table_value_in(const lash_table *table, double x, double inside) {
    if (table->periodic) {
        const double turns = lashi_table_periods(table, inside);
        return lashi_table_cubic(table,
                                 lashi_table_interval(table, lashi_table_unwound(table, inside, turns)),
                                 lashi_table_unwound(table, x, turns));
    }
    double end;
    return lashi_table_passes(&end, table, inside)
               ? lashi_table_continuation(table, end, x)
               : lashi_table_cubic(table, lashi_table_interval(table, inside), x);
}

/* Integral from x_i to the place b = 0 … 1 of interval i. */
static inline double lashi_table_part(const lash_table *table, size_t i, double b) {
    double h = table->x[i + 1] - table->x[i], a = 1 - b, a2 = a * a, b2 = b * b;
    double bend = table->P[i] * (a2 * (2 - a2) - 1) + table->Q[i] * b2 * (b2 - 2);
    return h * (0.5 * (table->y[i] * b * (1 + a) + table->y[i + 1] * b2) + h * h / 24 * bend);
}

static inline double lashi_table_value_integral(const lash_table *table, double x) {
    const double whole = table->integral[table->count - 1];
    double turns = 0, inside = x, rest = 0, end;
    if (table->periodic) {
        turns = lashi_table_periods(table, x);
        inside = lashi_table_unwound(table, x, turns);
    } else if (lashi_table_passes(&end, table, x)) {
        inside = end;
        rest = 0.5 * (x - end) *
               (lashi_table_continuation(table, end, end).f + lashi_table_continuation(table, end, x).f);
    }
    size_t i = lashi_table_interval(table, inside);
    double b = (inside - table->x[i]) / (table->x[i + 1] - table->x[i]);
    return turns * whole + table->integral[i] + lashi_table_part(table, i, b) + rest;
}

/* How far a step from x upwards, or down, may go: in one piece up to its end, and past it as far as `sight` of that point
 * (lashi_table_sights). *past: how far past the end. */
static inline double lashi_table_way(double *past, const lash_table *table, const double *sight, double x,
                                     bool up) {
    const size_t last = table->count - 1;
    const double local = table->periodic ? lashi_table_unwound(table, x, lashi_table_periods(table, x)) : x;
    const bool before = local<table->x[0], after = local> table->x[last];
    const size_t i = lashi_table_interval(table, local);
    size_t next = before ? 0 : after ? last : up ? i + 1 : i;
    double room = fabs(table->x[next] - local);
    *past = sight[next];
    if ((before & !up) | (after & up))
        return 1e300;
    if (room <= -*past) { // it is there
        if (next == (up ? last : 0) && !table->periodic)
            return 1e300;
        next = up ? (next == last ? 0 : next) : (next == 0 ? last : next);
        room += up ? table->x[next + 1] - table->x[next] : table->x[next] - table->x[next - 1];
        *past = sight[up ? next + 1 : next - 1];
    }
    *past = fabs(*past);
    return room;
}

#endif
