/* SPDX-License-Identifier: MIT
 *
 * Tables: a function through points (x_i, y_i), i = 0 … n, with h_i = x_{i+1} - x_i.
 *
 * Spline: cubic in each interval, value and two derivatives continuous. With M_i the second derivative at x_i
 * and a = (x_{i+1} - x)/h, b = (x - x_i)/h, f = a y_i + b y_{i+1} + ((a^3 - a) M_i + (b^3 - b) M_{i+1})
 * h^2/6, and continuity of f' gives one row per inner point, h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i
 * M_{i+1} = 6 ((y_{i+1} - y_i)/h_i - (y_i - y_{i-1})/h_{i-1}). Natural ends: M = 0, so that the continuation
 * along the end tangent is C2 as well. Periodic: the rows close into a ring, solved by two tridiagonal solves
 * (Sherman-Morrison). Straight lines are M = 0 throughout; at a corner the slope is the one to the right. C.
 * de Boor, A Practical Guide to Splines, 1978, ch. IV.
 *
 * The rows are diagonally dominant, so elimination needs no pivoting. Search is by bisection, without state.
 */
#include "math/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_POINTS = 1000000, FEWEST_IN_RING = 3 };

// Ends of a periodic table that meet to this part of the range of y (and of x) are taken as meeting.
static const double CLOSURE = 1e-6;

struct lash_table {
    lash_interpolation interpolation;
    bool periodic;
    size_t count;     // points; with the closing one when periodic
    double *x, *y;    // count each, one block
    double *M;        // second derivatives
    double *integral; // from x[0] to x[i]
};

static void free_points(lash_table *table) {
    free(table->x);
    table->x = table->y = table->M = table->integral = NULL;
}

static bool allocate_points(lash_table *table, size_t count) {
    table->x = calloc(4 * count, sizeof *table->x);
    if (!table->x)
        return false;
    table->y = table->x + count;
    table->M = table->y + count;
    table->integral = table->M + count;
    table->count = count;
    return true;
}

/* The slope of the chord after point i. */
static double chord(const lash_table *table, size_t i) {
    return (table->y[i + 1] - table->y[i]) / (table->x[i + 1] - table->x[i]);
}

/* Solves the symmetric tridiagonal system of n rows in place: diagonal d (destroyed), off-diagonal e (n - 1),
 * and `sides` right-hand sides, each n long. */
static void solve_tridiagonal(double *d, const double *e, double *const *b, int sides, size_t n) {
    for (size_t i = 1; i < n; i++) {
        double w = e[i - 1] / d[i - 1];
        d[i] -= w * e[i - 1];
        for (int s = 0; s < sides; s++)
            b[s][i] -= w * b[s][i - 1];
    }
    for (int s = 0; s < sides; s++) {
        b[s][n - 1] /= d[n - 1];
        for (size_t i = n - 1; i-- > 0;)
            b[s][i] = (b[s][i] - e[i] * b[s][i + 1]) / d[i];
    }
}

/* M of the natural spline; work holds 2 count. */
static void fit_natural(lash_table *table, double *work) {
    size_t n = table->count - 2; // inner points
    if (n == 0)
        return;
    double *d = work, *e = work + table->count, *b = table->M + 1;
    for (size_t i = 0; i < n; i++) {
        d[i] = 2 * (table->x[i + 2] - table->x[i]);
        e[i] = table->x[i + 2] - table->x[i + 1];
        b[i] = 6 * (chord(table, i + 1) - chord(table, i));
    }
    solve_tridiagonal(d, e, &b, 1, n);
}

/* M of the periodic spline over the ring of count - 1 points; work holds 3 count. */
static void fit_periodic(lash_table *table, double *work) {
    size_t n = table->count - 1;
    double *d = work, *e = work + table->count, *u = work + 2 * table->count, *b = table->M;
    for (size_t i = 0; i < n; i++) {
        size_t before = i == 0 ? n - 1 : i - 1;
        double h = table->x[i + 1] - table->x[i], h_before = table->x[before + 1] - table->x[before];
        d[i] = 2 * (h_before + h);
        e[i] = h;
        b[i] = 6 * (chord(table, i) - chord(table, before));
        u[i] = 0;
    }
    // The ring's matrix is T + c c^T/gamma, c = (gamma, 0, …, 0, corner), T tridiagonal and still dominant.
    double corner = e[n - 1], gamma = -d[0];
    d[0] -= gamma;
    d[n - 1] -= corner * corner / gamma;
    u[0] = gamma;
    u[n - 1] = corner;
    solve_tridiagonal(d, e, (double *[]){b, u}, 2, n);
    double ratio = corner / gamma;
    double factor = (b[0] + ratio * b[n - 1]) / (1 + u[0] + ratio * u[n - 1]);
    for (size_t i = 0; i < n; i++)
        b[i] -= factor * u[i];
    b[n] = b[0];
}

/* Integral from x_i to the place b = 0 … 1 of interval i. */
static double part(const lash_table *table, size_t i, double b) {
    double h = table->x[i + 1] - table->x[i], a = 1 - b, a2 = a * a, b2 = b * b;
    double bend = table->M[i] * (a2 * (2 - a2) - 1) + table->M[i + 1] * b2 * (b2 - 2);
    return h * (0.5 * (table->y[i] * b * (1 + a) + table->y[i + 1] * b2) + h * h / 24 * bend);
}

/* Second derivatives and integrals of the points as they are. */
static lash_status fit(lash_table *table, lash_error *error) {
    if (table->interpolation == LASH_SPLINE) {
        double *work = calloc(3 * table->count, sizeof *work);
        if (!work)
            return lashi_fail_memory(error);
        if (table->periodic)
            fit_periodic(table, work);
        else
            fit_natural(table, work);
        free(work);
    }
    for (size_t i = 0; i + 1 < table->count; i++) {
        table->integral[i + 1] = table->integral[i] + part(table, i, 1);
        if (!isfinite(table->M[i]) || !isfinite(table->integral[i + 1]) || !isfinite(chord(table, i)))
            return lashi_fail(
                error, LASH_ERROR_MODEL,
                "the table overflows near point %zu (x = %g): its values are too large or its points too "
                "close together",
                i + 1, table->x[i]);
    }
    return LASH_OK;
}

lash_status lash_table_create(lash_table **out, const double *x, const double *y, size_t count,
                              lash_interpolation interpolation, lash_error *error) {
    *out = NULL;
    if (count > 0 && (!x || !y))
        return lashi_fail(error, LASH_ERROR_USAGE, "lash_table_create needs x and y");
    if (interpolation != LASH_SPLINE && interpolation != LASH_LINEAR)
        return lashi_fail(error, LASH_ERROR_USAGE, "lash_table_create: unknown interpolation %d",
                          (int)interpolation);
    if (count < 2)
        return lashi_fail(error, LASH_ERROR_MODEL, "a table needs at least 2 points, here %s %zu",
                          count == 1 ? "is" : "are", count);
    if (count > MOST_POINTS)
        return lashi_fail(error, LASH_ERROR_MODEL, "a table may have %d points, here are %zu; thin it out",
                          MOST_POINTS, count);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return lashi_fail(error, LASH_ERROR_MODEL, "point %zu of the table (%g, %g) is not finite", i + 1,
                              x[i], y[i]);
        if (i > 0 && x[i] <= x[i - 1])
            return lashi_fail(
                error, LASH_ERROR_MODEL,
                "x must rise from point to point: point %zu (x = %.12g) does not come after x = %.12g", i + 1,
                x[i], x[i - 1]);
    }
    lash_table *table = calloc(1, sizeof *table);
    if (!table || !allocate_points(table, count)) {
        free(table);
        return lashi_fail_memory(error);
    }
    table->interpolation = interpolation;
    memcpy(table->x, x, count * sizeof *x);
    memcpy(table->y, y, count * sizeof *y);
    lash_status status = fit(table, error);
    if (status != LASH_OK) {
        lash_table_destroy(table);
        return status;
    }
    *out = table;
    return LASH_OK;
}

void lash_table_destroy(lash_table *table) {
    if (!table)
        return;
    free_points(table);
    free(table);
}

lash_status lashi_table_make_periodic(lash_table *table, double period, lash_error *error) {
    if (table->periodic)
        return lashi_fail(error, LASH_ERROR_USAGE, "the table is periodic already");
    size_t count = table->count;
    double range = table->x[count - 1] - table->x[0], low = table->y[0], high = low;
    if (!isfinite(period) || !(period >= range * (1 - CLOSURE)))
        return lashi_fail(error, LASH_ERROR_MODEL, "the period %g is shorter than the table, which spans %g",
                          period, range);
    // The table either holds the closing point already or gets one.
    bool closed = period <= range * (1 + CLOSURE);
    for (size_t i = 1; i < count; i++) {
        low = fmin(low, table->y[i]);
        high = fmax(high, table->y[i]);
    }
    if (closed && fabs(table->y[count - 1] - table->y[0]) > CLOSURE * (high - low))
        return lashi_fail(
            error, LASH_ERROR_MODEL,
            "a table over a whole period must end where it begins: y = %g first, %g last; drop the last "
            "point or correct it",
            table->y[0], table->y[count - 1]);
    size_t ring = closed ? count - 1 : count;
    if (table->interpolation == LASH_SPLINE && ring < FEWEST_IN_RING)
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "a periodic spline needs at least %d points in a period, here are %zu; use linear "
                          "interpolation",
                          FEWEST_IN_RING, ring);

    lash_table fitted = {.interpolation = table->interpolation, .periodic = true};
    if (!allocate_points(&fitted, ring + 1))
        return lashi_fail_memory(error);
    memcpy(fitted.x, table->x, ring * sizeof *fitted.x);
    memcpy(fitted.y, table->y, ring * sizeof *fitted.y);
    fitted.x[ring] = table->x[0] + period;
    fitted.y[ring] = table->y[0];
    // A period much smaller than x itself can vanish in rounding.
    lash_status status =
        fitted.x[ring] > fitted.x[ring - 1]
            ? fit(&fitted, error)
            : lashi_fail(error, LASH_ERROR_MODEL, "the period %g ends before the table's last point", period);
    if (status != LASH_OK) {
        free_points(&fitted);
        return status;
    }
    free_points(table);
    *table = fitted;
    return LASH_OK;
}

/* The interval that holds x: x[i] <= x < x[i+1], the last one for its end. */
static size_t interval(const lash_table *table, double x) {
    size_t low = 0, high = table->count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (table->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static lashi_jet jet_inside(const lash_table *table, double x) {
    size_t i = interval(table, x);
    double h = table->x[i + 1] - table->x[i], b = (x - table->x[i]) / h, a = 1 - b;
    double M = table->M[i], M_next = table->M[i + 1];
    return (lashi_jet){
        .f = a * table->y[i] + b * table->y[i + 1] +
             (a * (a * a - 1) * M + b * (b * b - 1) * M_next) * h * h / 6,
        .df = chord(table, i) + ((3 * b * b - 1) * M_next - (3 * a * a - 1) * M) * h / 6,
        .ddf = a * M + b * M_next,
    };
}

/* x moved into the period that begins at x[0]; *turns periods were taken off. */
static double wrap(double *turns, const lash_table *table, double x) {
    double first = table->x[0], last = table->x[table->count - 1], period = last - first;
    *turns = floor((x - first) / period);
    double inside = x - *turns * period;
    // Rounding may leave it just outside.
    return inside < first ? first : inside > last ? last : inside;
}

lashi_jet lashi_table_jet(const lash_table *table, double x) {
    if (table->periodic) {
        double turns;
        return jet_inside(table, wrap(&turns, table, x));
    }
    double first = table->x[0], last = table->x[table->count - 1];
    if (x >= first && x <= last)
        return jet_inside(table, x);
    double end = x < first ? first : last;
    lashi_jet tangent = jet_inside(table, end);
    return (lashi_jet){tangent.f + tangent.df * (x - end), tangent.df, 0};
}

double lashi_table_integral(const lash_table *table, double x) {
    double first = table->x[0], last = table->x[table->count - 1], whole = table->integral[table->count - 1];
    double turns = 0, inside = x, rest = 0;
    if (table->periodic) {
        inside = wrap(&turns, table, x);
    } else if (!(x >= first && x <= last)) {
        inside = x < first ? first : last;
        lashi_jet tangent = jet_inside(table, inside);
        rest = (x - inside) * (tangent.f + 0.5 * tangent.df * (x - inside));
    }
    size_t i = interval(table, inside);
    double b = (inside - table->x[i]) / (table->x[i + 1] - table->x[i]);
    return turns * whole + table->integral[i] + part(table, i, b) + rest;
}

double lashi_table_first(const lash_table *table) {
    return table->x[0];
}

double lashi_table_last(const lash_table *table) {
    return table->x[table->count - 1];
}

size_t lashi_table_size(const lash_table *table) {
    return table->count;
}
