/* SPDX-License-Identifier: MIT
 *
 * Tables: a function through points (x_i, y_i), i = 0 … n, with h_i = x_{i+1} - x_i and the slopes of the
 * chords s_i = (y_{i+1} - y_i)/h_i.
 *
 * Every kind is a cubic in each interval, given by its second derivatives at both ends, P_i and Q_i: with
 * a = (x_{i+1} - x)/h, b = (x - x_i)/h,
 *     f = a y_i + b y_{i+1} + ((a^3 - a) P_i + (b^3 - b) Q_i) h^2/6.
 *
 * Spline: value and two derivatives continuous. With M_i = P_i = Q_{i-1}, continuity of f' gives one row per
 * inner point, h_{i-1} M_{i-1} + 2 (h_{i-1} + h_i) M_i + h_i M_{i+1} = 6 (s_i - s_{i-1}). Natural ends: M =
 * 0, so that the continuation along the end tangent is C2 as well. Periodic: the rows close into a ring,
 * solved by two tridiagonal solves (Sherman-Morrison). C. de Boor, A Practical Guide to Splines, 1978, ch.
 * IV.
 *
 * Monotone: value and one derivative continuous; between two points the function does not leave their values.
 * The slope at a point is that of the parabola through it and its neighbours, but 0 at an extremum of the
 * points, and at most 3 times the lesser chord (F. N. Fritsch, R. E. Carlson, SIAM J. Numer. Anal. 17 (1980)
 * 238; J. M. Hyman, SIAM J. Sci. Stat. Comput. 4 (1983) 645). Of order 3 where the points are monotone.
 *
 * Straight lines: P = Q = 0; at a corner the slope is the one to the right.
 *
 * The rows are diagonally dominant, so elimination needs no pivoting. Search is without state.
 */
#include "math/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/breaks.h"
#include "math/table_value.h"

enum { MOST_POINTS = 1000000, FEWEST_IN_RING = 3 };

// Ends of a periodic table that meet to this part of the range of y (and of x) are taken as meeting.
static const double CLOSURE = 1e-6;

static void free_points(lash_table *table) {
    free(table->x);
    table->x = table->y = table->P = table->Q = table->integral = NULL;
}

static bool allocate_points(lash_table *table, size_t count) {
    table->x = calloc(5 * count, sizeof *table->x);
    if (!table->x)
        return false;
    table->y = table->x + count;
    table->P = table->y + count;
    table->Q = table->P + count;
    table->integral = table->Q + count;
    table->count = count;
    return true;
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

/* M of the natural spline, in P; work holds 2 count. */
static void fit_natural(lash_table *table, double *work) {
    size_t n = table->count - 2; // inner points
    if (n == 0)
        return;
    double *d = work, *e = work + table->count, *b = table->P + 1;
    for (size_t i = 0; i < n; i++) {
        d[i] = 2 * (table->x[i + 2] - table->x[i]);
        e[i] = table->x[i + 2] - table->x[i + 1];
        b[i] = 6 * (lashi_table_chord(table, i + 1) - lashi_table_chord(table, i));
    }
    solve_tridiagonal(d, e, &b, 1, n);
}

/* M of the periodic spline, in P, over the ring of count - 1 points; work holds 3 count. */
static void fit_periodic(lash_table *table, double *work) {
    size_t n = table->count - 1;
    double *d = work, *e = work + table->count, *u = work + 2 * table->count, *b = table->P;
    for (size_t i = 0; i < n; i++) {
        size_t before = i == 0 ? n - 1 : i - 1;
        double h = table->x[i + 1] - table->x[i], h_before = table->x[before + 1] - table->x[before];
        d[i] = 2 * (h_before + h);
        e[i] = h;
        b[i] = 6 * (lashi_table_chord(table, i) - lashi_table_chord(table, before));
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

/* Slope of the monotone function at a point between the chords before and after it, h long each. */
static double monotone_slope(double before, double after, double h_before, double h_after) {
    if (!(before * after > 0))
        return 0;
    const double parabola = (h_after * before + h_before * after) / (h_before + h_after),
                 most = 3 * fmin(fabs(before), fabs(after));
    return copysign(fmin(fabs(parabola), most), before);
}

/* The same at an end: the parabola through it and the next two points. */
static double monotone_end(double first, double second, double h_first, double h_second) {
    const double parabola = first + (first - second) * h_first / (h_first + h_second);
    if (!(parabola * first > 0))
        return 0;
    return copysign(fmin(fabs(parabola), 3 * fabs(first)), first);
}

/* Slope of the monotone function at point i. */
static double slope_at(const lash_table *table, size_t i) {
    const size_t last = table->count - 1; // point
    const double *x = table->x;
    if (last == 1)
        return lashi_table_chord(table, 0);
    if (i > 0 && i < last)
        return monotone_slope(lashi_table_chord(table, i - 1), lashi_table_chord(table, i), x[i] - x[i - 1],
                              x[i + 1] - x[i]);
    if (table->periodic)
        return monotone_slope(lashi_table_chord(table, last - 1), lashi_table_chord(table, 0),
                              x[last] - x[last - 1], x[1] - x[0]);
    if (i == 0)
        return monotone_end(lashi_table_chord(table, 0), lashi_table_chord(table, 1), x[1] - x[0],
                            x[2] - x[1]);
    return monotone_end(lashi_table_chord(table, last - 1), lashi_table_chord(table, last - 2),
                        x[last] - x[last - 1], x[last - 1] - x[last - 2]);
}

/* P and Q of the monotone function: the cubic with these slopes at both ends. */
static void fit_monotone(lash_table *table) {
    for (size_t i = 0; i + 1 < table->count; i++) {
        const double h = table->x[i + 1] - table->x[i], s = lashi_table_chord(table, i),
                     m = slope_at(table, i), n = slope_at(table, i + 1);
        table->P[i] = (6 * s - 4 * m - 2 * n) / h;
        table->Q[i] = (2 * m + 4 * n - 6 * s) / h;
    }
}

/* Whether a point is where it would be if all were evenly apart tells its interval from x at once. */
static void find_spacing(lash_table *table) {
    static const double EVEN = 0.25; // of an interval
    const double last = (double)(table->count - 1), first = table->x[0],
                 width = (table->x[table->count - 1] - first) / last;
    table->density = 1 / width;
    table->even = isfinite(table->density);
    for (size_t i = 0; table->even && i < table->count; i++)
        table->even = fabs(table->x[i] - first - (double)i * width) < EVEN * width;
}

static void find_largest(lash_table *table) {
    table->largest = 0;
    for (size_t i = 0; i < table->count; i++)
        table->largest = fmax(table->largest, fabs(table->y[i]));
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
        memcpy(table->Q, table->P + 1, (table->count - 1) * sizeof *table->Q);
    } else if (table->interpolation == LASH_MONOTONE) {
        fit_monotone(table);
    }
    for (size_t i = 0; i + 1 < table->count; i++) {
        table->integral[i + 1] = table->integral[i] + lashi_table_part(table, i, 1);
        if (!isfinite(table->P[i]) || !isfinite(table->Q[i]) || !isfinite(table->integral[i + 1]) ||
            !isfinite(lashi_table_chord(table, i)))
            return lashi_fail(
                error, LASH_ERROR_MODEL,
                "the table overflows near point %zu (x = %g): its values are too large or its points too "
                "close together",
                i + 1, table->x[i]);
    }
    find_largest(table);
    find_spacing(table);
    return LASH_OK;
}

lash_status lash_table_create(lash_table **out, const double *x, const double *y, size_t count,
                              lash_interpolation interpolation, lash_error *error) {
    if (out)
        *out = NULL;
    if (!out)
        return lashi_fail_null(error);
    if (count > 0 && (!x || !y))
        return lashi_fail(error, LASH_ERROR_USAGE, "lash_table_create needs x and y");
    if (interpolation != LASH_SPLINE && interpolation != LASH_LINEAR && interpolation != LASH_MONOTONE)
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
                "x must increase from point to point: point %zu (x = %.12g) does not come after x = %.12g",
                i + 1, x[i], x[i - 1]);
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

lash_status lash_table_set_beyond(lash_table *table, lash_beyond beyond, lash_error *error) {
    if (!table)
        return lashi_fail_null(error);
    if (beyond != LASH_BEYOND_ERROR && beyond != LASH_BEYOND_HOLD && beyond != LASH_BEYOND_EXTRAPOLATE &&
        beyond != LASH_BEYOND_ZERO)
        return lashi_fail(error, LASH_ERROR_USAGE, "lash_table_set_beyond: unknown choice %d", (int)beyond);
    const double first = table->y[0], last = table->y[table->count - 1];
    if (beyond == LASH_BEYOND_ZERO && (first != 0 || last != 0))
        return lashi_fail(
            error, LASH_ERROR_MODEL,
            "beyond: zero needs a table that ends with zeros, here y = %g first and %g last; add points with "
            "y = 0, or take beyond: hold",
            first, last);
    table->beyond = beyond;
    return LASH_OK;
}

void lash_table_destroy(lash_table *table) {
    if (!table)
        return;
    free_points(table);
    free(table);
}

bool lashi_table_fits(const lash_table *table, double period) {
    return isfinite(period) && period >= (table->x[table->count - 1] - table->x[0]) * (1 - CLOSURE);
}

lash_status lashi_table_make_periodic(lash_table *table, double period, lash_error *error) {
    if (table->periodic)
        return lashi_fail(error, LASH_ERROR_USAGE, "the table repeats already; give its period once");
    size_t count = table->count;
    double range = table->x[count - 1] - table->x[0], low = table->y[0], high = low;
    if (!lashi_table_fits(table, period))
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

    lash_table fitted = {.interpolation = table->interpolation, .beyond = table->beyond, .periodic = true};
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

void lashi_table_move(lash_table *table, double dx, double dy) {
    for (size_t i = 0; table && i < table->count; i++) {
        table->integral[i] += dy * (table->x[i] - table->x[0]);
        table->y[i] += dy;
    }
    for (size_t i = 0; table && i < table->count; i++)
        table->x[i] += dx;
    if (table)
        find_largest(table);
}

lashi_jet lashi_table_jet_in(const lash_table *table, double x, double inside) {
    return lashi_table_value_in(table, x, inside);
}

lashi_jet lashi_table_jet(const lash_table *table, double x) {
    return lashi_table_value_in(table, x, x);
}

bool lashi_table_covers(const lash_table *table, double x) {
    double end;
    return table->periodic || table->beyond != LASH_BEYOND_ERROR || !lashi_table_passes(&end, table, x);
}

double lashi_table_integral(const lash_table *table, double x) {
    return lashi_table_value_integral(table, x);
}

double lashi_table_next_break(const lash_table *table, double a, double b) {
    const double from = a + lashi_time_resolution(a), first = table->x[0];
    const double turns = table->periodic ? lashi_table_periods(table, from) : 0,
                 local = lashi_table_unwound(table, from, turns);
    double next = first;
    if (local >= first) {
        const size_t i = lashi_table_interval(table, local);
        if (local >= table->x[i + 1] && !table->periodic)
            return b; // past the last point
        next = table->x[i + 1];
    }
    return fmin(b, lashi_table_unwound(table, next, -turns));
}

void lashi_table_piece(double *low, double *high, const lash_table *table, double x) {
    const double turns = table->periodic ? lashi_table_periods(table, x) : 0,
                 local = lashi_table_unwound(table, x, turns);
    const double first = table->x[0], last = table->x[table->count - 1];
    const size_t i = lashi_table_interval(table, local);
    *low = local < first ? -INFINITY : local >= last ? last : lashi_table_unwound(table, table->x[i], -turns);
    *high = local < first   ? first
            : local >= last ? INFINITY
                            : lashi_table_unwound(table, table->x[i + 1], -turns);
}

double lashi_table_overshoot(const lash_table *table, double *x, double *y) {
    double most = 0;
    for (size_t i = 0; i + 1 < table->count; i++) {
        const double h = table->x[i + 1] - table->x[i], P = table->P[i], Q = table->Q[i];
        const double low = fmin(table->y[i], table->y[i + 1]), high = fmax(table->y[i], table->y[i + 1]);
        // f' = 0: c + 2 p b + q b^2, whose roots are taken in the form that does not cancel.
        const double c = lashi_table_chord(table, i) - h / 6 * (Q + 2 * P), p = 0.5 * h * P,
                     q = 0.5 * h * (Q - P);
        const double root = sqrt(fmax(0, p * p - q * c)), sum = -(p + copysign(root, p));
        const double places[2] = {sum / q, c / sum};
        for (int k = 0; k < 2; k++) {
            if (!(places[k] > 0 && places[k] < 1))
                continue;
            const double at = table->x[i] + places[k] * h, f = lashi_table_cubic(table, i, at).f,
                         excess = fmax(f - high, low - f);
            if (excess > most) {
                most = excess;
                *x = at;
                *y = f;
            }
        }
    }
    double low = table->y[0], high = low;
    for (size_t i = 1; i < table->count; i++) {
        low = fmin(low, table->y[i]);
        high = fmax(high, table->y[i]);
    }
    return most > 0 ? most / (high - low) : 0;
}

/* ---- what two readings do not show ---- */

/* Least rise of a flank that matters, as a share of the function's range on the way. */
static const double UNSEEN = 0.03;
/* The same for a corner: by how much the function leaves the line that led to it. */
static const double CORNER = 0.3;

/* The stretch between two points that contains x, numbered on from period to period. Outside a table that
 * does not repeat: −1 before the first point, the number of the last point after it. */
static long stretch_at(const lash_table *table, double x) {
    const long last = (long)table->count - 1;
    if (table->periodic) {
        const double turns = lashi_table_periods(table, x);
        return (long)turns * last + (long)lashi_table_interval(table, lashi_table_unwound(table, x, turns));
    }
    return x < table->x[0] ? -1 : x >= table->x[last] ? last : (long)lashi_table_interval(table, x);
}

/* Periods before stretch or point k. */
static long turns_before(const lash_table *table, long k) {
    const long n = (long)table->count - 1;
    return k >= 0 ? k / n : -((n - 1 - k) / n);
}

/* Where stretch k begins. */
static double point_at(const lash_table *table, long k) {
    const long n = (long)table->count - 1, turns = table->periodic ? turns_before(table, k) : 0;
    return lashi_table_unwound(table, table->x[k - turns * n], -(double)turns);
}

/* Slope of the chord of stretch k. */
static double slope_of(const lash_table *table, long k) {
    const long n = (long)table->count - 1;
    if (table->periodic)
        return lashi_table_chord(table, (size_t)(k - turns_before(table, k) * n));
    if (k >= 0 && k < n)
        return lashi_table_chord(table, (size_t)k);
    return table->beyond == LASH_BEYOND_EXTRAPOLATE ? lashi_table_jet(table, table->x[k < 0 ? 0 : n]).df : 0;
}

/* A way along the table: stretches from `first` to `last`. */
typedef struct walk {
    const lash_table *table;
    double from, to;
    long first, last, way; // way: 1 upwards, −1 down
    double range;          // of the function, at the points passed
} walk;

/* Where the way enters stretch k, and where it leaves it. */
static double entry(const walk *w, long k) {
    return k == w->first ? w->from : point_at(w->table, w->way > 0 ? k : k + 1);
}

static double leave(const walk *w, long k) {
    return k == w->last ? w->to : point_at(w->table, w->way > 0 ? k + 1 : k);
}

static double range_of(const walk *w) {
    double least = lashi_table_jet(w->table, w->from).f, most = least;
    for (long k = w->first; k != w->last; k += w->way) {
        const double y = lashi_table_jet(w->table, leave(w, k)).f;
        least = fmin(least, y);
        most = fmax(most, y);
    }
    return most - least;
}

/* A flank is a row of stretches whose slopes are all above `high`, or all below `low`. Returns the middle of
 * the steepest stretch of the first flank that matters and is narrow; NaN: none. */
static double find_flank(const walk *w, long seen, double low, double high, double narrow) {
    double rise = 0, width = 0, steepest = 0, place = (double)NAN;
    for (long k = w->first + w->way;; k += w->way) {
        const bool over = w->way * (w->last - k) < 0;
        const double slope = over || k == seen ? low : slope_of(w->table, k);
        const double excess = slope > high ? slope - high : slope < low ? slope - low : 0;
        if (!(rise * excess > 0)) { // a flank ends
            if (fabs(rise) > UNSEEN * w->range && width < narrow * fabs(w->to - w->from))
                return place;
            rise = width = steepest = 0;
        }
        if (over)
            return (double)NAN;
        const double length = fabs(leave(w, k) - entry(w, k));
        rise += excess * length;
        width += length;
        if (fabs(excess) > steepest) {
            steepest = fabs(excess);
            place = 0.5 * (entry(w, k) + leave(w, k));
        }
    }
}

/* The first corner on the way that matters; NaN: none. Stages on both sides see it, but an error estimate
 * that two corners share may be zero by chance. */
static double find_corner(const walk *w) {
    for (long k = w->first; k != w->last; k += w->way) {
        const double x = leave(w, k), reach = fmin(fabs(x - w->from), fabs(w->to - x));
        if (fabs(slope_of(w->table, k + w->way) - slope_of(w->table, k)) * reach > CORNER * w->range)
            return x;
    }
    return (double)NAN;
}

/* How far from a point it counts where others follow, of the distance to them: their jumps together are the next derivative of
 * a smooth function, and what is left is a ripple, as large as a jump makes by then. */
static const double RIPPLE = 0.5;

/* The first point on the way where the function leaves the cubic that led to it by more than `fine`: a derivative jumps there,
 * and no order of a method holds across it. NaN: none. */
static double find_knot(const walk *w, double fine) {
    for (long k = w->first; k != w->last; k += w->way) {
        const double x = leave(w, k), from = entry(w, k), next = leave(w, k + w->way);
        const double behind = (k == w->first ? 1 : RIPPLE) * fabs(x - from),
                     ahead = (k + w->way == w->last ? 1 : RIPPLE) * fabs(next - x),
                     at = x + (double)w->way * fmin(behind, ahead);
        if (fabs(lashi_table_jet_in(w->table, at, 0.5 * (x + next)).f -
                 lashi_table_jet_in(w->table, at, 0.5 * (from + x)).f) > fine)
            return x;
    }
    return (double)NAN;
}

double lashi_table_unseen(const lash_table *table, double from, double to, double seen, double narrow,
                          double fine) {
    if (!isfinite(from) || !isfinite(to) || !isfinite(seen))
        return (double)NAN;
    walk w = {.table = table,
              .from = from,
              .to = to,
              .first = stretch_at(table, from),
              .last = stretch_at(table, to),
              .way = to > from ? 1 : -1};
    const long other = stretch_at(table, seen), most = 2 * (long)table->count; // two periods show all
    if (w.first == w.last)
        return (double)NAN;
    if (w.way * (w.last - w.first) > most) {
        w.last = w.first + w.way * most;
        w.to = point_at(table, w.last);
    }
    w.range = range_of(&w);
    const double a = slope_of(table, w.first), b = slope_of(table, other);
    const double flank = find_flank(&w, other, fmin(a, b), fmax(a, b), narrow);
    if (!isnan(flank) || narrow >= 1)
        return flank;
    const double corner = table->interpolation == LASH_SPLINE ? (double)NAN : find_corner(&w);
    return isnan(corner) ? find_knot(&w, fine * table->largest) : corner;
}

/* Whether steps of this length anywhere between a and b pass no more than a few points. */
static bool points_are_wide(const lash_table *table, double a, double b, double step) {
    const long last = stretch_at(table, b);
    bool wide = true;
    for (long k = stretch_at(table, a); wide && k <= last; k++)
        if (table->periodic || (k >= 0 && k < (long)table->count - 1))
            wide = point_at(table, k + 1) - point_at(table, k) >= LASHI_TABLE_NARROW * step;
    return wide;
}

/* Whether at point p, with the stretches before and after it, a derivative jumps so that it matters. */
static bool is_knot(const lash_table *table, size_t p, double fine) {
    const long k = (long)p, last = (long)table->count - 1;
    const bool first = !table->periodic && k == 0, ends = !table->periodic && k == last;
    const double x = point_at(table, k), before = first ? table->x[1] - x : x - point_at(table, k - 1),
                 after = ends ? before : point_at(table, k + 1) - x;
    const walk w = {.table = table,
                    .from = x - RIPPLE * before,
                    .to = x + RIPPLE * after,
                    .first = k - 1,
                    .last = k,
                    .way = 1};
    return !isnan(find_knot(&w, fine * table->largest));
}

/* A share of the shorter stretch at a point: there a step ends. */
static double place_at(const lash_table *table, size_t p) {
    const size_t last = table->count - 1;
    const double before = p > 0 ? table->x[p] - table->x[p - 1] : INFINITY,
                 after = p < last ? table->x[p + 1] - table->x[p] : INFINITY;
    return LASHI_TABLE_PLACE * fmin(before, after);
}

void lashi_table_sights(double *sight, const lash_table *table, double fine) {
    enum { LONGEST = 4 }; // of the whole table
    const double first = table->x[0], width = table->x[table->count - 1] - first;
    bool open = true;
    for (size_t p = 0; p < table->count; p++)
        sight[p] = 0;
    for (double step = LONGEST * width; open; step *= 0.5) {
        // What is less than a step away from a point lies in one of windows of four steps, each half over the next.
        double window = (double)NAN;
        bool clear = false, wide = false;
        open = false;
        for (size_t p = 0; p < table->count; p++) {
            const double own = floor(0.5 * ((table->x[p] - first) / step - 1)), from = first + 2 * own * step,
                         to = from + 4 * step;
            if (sight[p] != 0)
                continue;
            if (own != window) {
                wide = points_are_wide(table, from, to, step);
                clear = wide || isnan(lashi_table_unseen(table, from, to, to,
                                                         LASHI_TABLE_NARROW * step / (to - from), fine));
            }
            window = own;
            sight[p] = !clear ? 0 : wide && is_knot(table, p, fine) ? -place_at(table, p) : step;
            open = open || !clear;
        }
    }
}

lash_interpolation lashi_table_kind(const lash_table *table) {
    return table->interpolation;
}

lash_beyond lashi_table_beyond(const lash_table *table) {
    return table->beyond;
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
