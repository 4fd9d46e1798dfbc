/* SPDX-License-Identifier: MIT
 *
 * Filling the table of film_table.h, and reading between its nodes.
 *
 * A uniform cubic B-spline with coefficients c has at node i the value (c[i-1] + 4 c[i] + c[i+1])/6; the
 * coefficients come from one small linear system per line, first along beta, then along x.
 */
#include "contact/film_table.h"

#include <stdlib.h>

#include "base/error.h"

static const double x_step = LASHI_TABLE_X_END / (LASHI_TABLE_X - 1);
static const double angle_step = 3.14159265358979323846 / (LASHI_TABLE_ANGLE - 1);
enum { ALONG, ACROSS, PEAK };
enum { LINE = (LASHI_TABLE_X > LASHI_TABLE_ANGLE ? LASHI_TABLE_X : LASHI_TABLE_ANGLE) + 2 };

/* --- Reading ----------------------------------------------------------------------------------------------
 */

typedef struct cell {
    int i, j;
    double wx[4], wb[4]; /* weights of the four coefficients each way */
    double size;         /* sqrt(a^2 + u^2 b^2) */
    double u, ca, sa;    /* cos and sin of beta */
} cell;

static inline int weights(double w[4], double position, int nodes) {
    int i = (int)position;
    if (i > nodes - 2)
        i = nodes - 2;
    double t = position - i, r = 1 - t;
    w[0] = r * r * r / 6;
    w[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
    w[2] = (4 - 6 * r * r + 3 * r * r * r) / 6;
    w[3] = t * t * t / 6;
    return i;
}

static inline cell locate(double eps, double a, double b) {
    cell at = {.u = sqrt((1 - eps) * (1 + eps))};
    double across = at.u * fabs(b);
    at.size = sqrt(a * a + across * across);
    if (!(at.size > 0))
        return at;
    at.ca = a / at.size;
    at.sa = across / at.size;
    double x = eps / sqrt(at.u);
    at.i = weights(at.wx, (x < LASHI_TABLE_X_END ? x : LASHI_TABLE_X_END) * (1 / x_step), LASHI_TABLE_X);
    at.j = weights(at.wb, atan2(across, a) * (1 / angle_step), LASHI_TABLE_ANGLE);
    return at;
}

static inline double value(const lashi_film_table *table, const cell *at, int channel) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const double(*row)[LASHI_TABLE_CHANNELS] = &table->c[at->i + i][at->j];
        sum += at->wx[i] * (at->wb[0] * row[0][channel] + at->wb[1] * row[1][channel] +
                            at->wb[2] * row[2][channel] + at->wb[3] * row[3][channel]);
    }
    return sum;
}

lashi_impedance lashi_film_table_impedance(const lashi_film_table *table, double eps, double a, double b) {
    cell at = locate(eps, a, b);
    if (!(at.size > 0))
        return (lashi_impedance){0, 0};
    double v = value(table, &at, ALONG), cube = v * v * v;
    double D = cube * v, C = cube * value(table, &at, ACROSS);
    double scale = at.size / (at.u * at.u);
    return (lashi_impedance){.r = scale / at.u * (at.ca * D - at.sa * C),
                             .t = copysign(scale, b) * (at.sa * D + at.ca * C)};
}

double lashi_film_table_peak(const lashi_film_table *table, double eps, double a, double b) {
    cell at = locate(eps, a, b);
    if (!(at.size > 0))
        return 0;
    double root = value(table, &at, PEAK) / at.u;
    return root * root * root * root * at.size;
}

/* --- Filling ----------------------------------------------------------------------------------------------
 */

/* Gaussian elimination with pivoting on A (n by n) and its right side. */
static void solve_line(double A[LINE][LINE], double *f, int n) {
    for (int p = 0; p < n; p++) {
        int best = p;
        for (int i = p + 1; i < n; i++)
            if (fabs(A[i][p]) > fabs(A[best][p]))
                best = i;
        for (int k = 0; k < n; k++) {
            double swap = A[p][k];
            A[p][k] = A[best][k];
            A[best][k] = swap;
        }
        double swap = f[p];
        f[p] = f[best];
        f[best] = swap;
        for (int i = p + 1; i < n; i++) {
            double factor = A[i][p] / A[p][p];
            for (int k = p; factor != 0 && k < n; k++)
                A[i][k] -= factor * A[p][k];
            f[i] -= factor * f[p];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            f[i] -= A[i][k] * f[k];
        f[i] /= A[i][i];
    }
}

typedef enum line_end { EVEN, ODD, FREE } line_end;

/* Values at n nodes, f[1 ... n], to n + 2 coefficients f[0 ... n + 1]. */
static void spline(double *f, int n, line_end end) {
    double A[LINE][LINE] = {{0}};
    for (int i = 1; i <= n; i++) {
        A[i][i - 1] = A[i][i + 1] = 1.0 / 6;
        A[i][i] = 4.0 / 6;
    }
    f[0] = f[n + 1] = 0;
    if (end == FREE) { // the third derivative does not jump at the node next to the end
        const double jump[5] = {1, -4, 6, -4, 1};
        for (int k = 0; k < 5; k++) {
            A[0][k] = jump[k];
            A[n + 1][n + 1 - k] = jump[k];
        }
    } else {
        double mirror = end == EVEN ? -1 : 1;
        A[0][0] = A[n + 1][n + 1] = 1;
        A[0][2] = A[n + 1][n - 1] = mirror;
    }
    solve_line(A, f, n + 2);
}

static void to_coefficients(lashi_film_table *table) {
    double line[LINE];
    for (int channel = 0; channel < LASHI_TABLE_CHANNELS; channel++) {
        for (int i = 1; i <= LASHI_TABLE_X; i++) {
            for (int j = 1; j <= LASHI_TABLE_ANGLE; j++)
                line[j] = table->c[i][j][channel];
            spline(line, LASHI_TABLE_ANGLE, channel == ACROSS ? ODD : EVEN);
            for (int j = 0; j < LASHI_TABLE_ANGLE + 2; j++)
                table->c[i][j][channel] = line[j];
        }
        for (int j = 0; j < LASHI_TABLE_ANGLE + 2; j++) {
            for (int i = 1; i <= LASHI_TABLE_X; i++)
                line[i] = table->c[i][j][channel];
            spline(line, LASHI_TABLE_X, FREE);
            for (int i = 0; i < LASHI_TABLE_X + 2; i++)
                table->c[i][j][channel] = line[i];
        }
    }
}

lash_status lashi_film_direct(lashi_impedance *out, double *peak, lashi_reynolds *grid,
                              const lashi_reynolds_problem *problem, lash_error *error) {
    lashi_reynolds_result fine, coarse;
    lash_status status = lashi_reynolds_solve(&fine, &coarse, grid, problem, error);
    if (status != LASH_OK)
        return status;
    // Richardson: the scheme is of second order.
    *out = (lashi_impedance){.r = fine.radial + (fine.radial - coarse.radial) / 3,
                             .t = fine.transverse + (fine.transverse - coarse.transverse) / 3};
    *peak = fine.peak + (fine.peak - coarse.peak) / 3;
    return LASH_OK;
}

/* eps^2 = x^2 u has one root: eps^4 + x^4 eps^2 - x^4 = 0. */
double lashi_film_table_eps(double x) {
    double k = x * x * x * x;
    return sqrt(2 * k / (k + sqrt(k * k + 4 * k)));
}

/* The problem at the coordinates (x, beta), for a vector (a, u b) of length 1. */
static lashi_reynolds_problem problem_at(const lashi_film_table *table, double x, double beta) {
    double eps = x > 0 ? lashi_film_table_eps(x) : 0;
    return (lashi_reynolds_problem){.length_ratio = table->length_ratio,
                                    .eps = eps,
                                    .a = cos(beta),
                                    .b = sin(beta) / sqrt((1 - eps) * (1 + eps)),
                                    .cavitated = !table->full,
                                    .inlet = table->inlet};
}

static lash_status fill_node(lashi_film_table *table, int i, int j, lashi_reynolds *grid, lash_error *error) {
    double beta = j * angle_step, peak;
    lashi_reynolds_problem problem = problem_at(table, i * x_step, beta);
    double u = sqrt((1 - problem.eps) * (1 + problem.eps));
    lashi_impedance g;
    lash_status status = lashi_film_direct(&g, &peak, grid, &problem, error);
    if (status != LASH_OK)
        return status;
    double T_r = u * u * u * g.r, T_t = u * u * g.t;
    double D = T_r * cos(beta) + T_t * sin(beta);
    if (!(D > 0) || !(peak > 0))
        return lashi_fail(error, LASH_ERROR_INTERNAL,
                          "the film of L/D = %g at eps = %g, beta = %g resists no motion",
                          table->length_ratio, problem.eps, beta);
    double *node = table->c[i + 1][j + 1];
    bool ends = j == 0 || j == LASHI_TABLE_ANGLE - 1;
    node[ALONG] = sqrt(sqrt(D));
    node[ACROSS] = ends ? 0 : (T_t * cos(beta) - T_r * sin(beta)) / pow(D, 0.75);
    node[PEAK] = u * sqrt(sqrt(peak));
    return LASH_OK;
}

/* Compares with direct solutions between the nodes, on a spread set of points. */
static lash_status measure(lashi_film_table *table, lashi_reynolds *grid, lash_error *error) {
    enum { POINTS = 160 };
    const double golden = 0.61803398874989485, thick = 0.95;
    for (int k = 0; k < POINTS; k++) {
        double x = ((int)((k + 0.5) * (LASHI_TABLE_X - 1) / POINTS) + 0.5) * x_step;
        double beta = ((int)(fmod(k * golden, 1) * (LASHI_TABLE_ANGLE - 1)) + 0.5) * angle_step;
        lashi_reynolds_problem problem = problem_at(table, x, beta);
        lashi_impedance g;
        double peak;
        lash_status status = lashi_film_direct(&g, &peak, grid, &problem, error);
        if (status != LASH_OK)
            return status;
        lashi_impedance s = lashi_film_table_impedance(table, problem.eps, problem.a, problem.b);
        double off = hypot(s.r - g.r, s.t - g.t);
        if (problem.eps <= thick) {
            table->error = fmax(table->error, off / hypot(g.r, g.t));
        } else {
            lashi_impedance most = lashi_film_table_impedance(table, problem.eps, 1, 0);
            table->error_thin = fmax(table->error_thin, off / hypot(most.r, most.t));
        }
    }
    return LASH_OK;
}

lash_status lashi_film_table_compute(lashi_film_table **out, double length_ratio, lashi_inlet inlet,
                                     bool full, lash_error *error) {
    *out = NULL;
    if (inlet == LASHI_INLET_GROOVE)
        return lashi_fail(error, LASH_ERROR_MODEL,
                          "a groove is fixed to the bearing and has no table: take the inlet periodic");
    lashi_film_table *table = calloc(1, sizeof *table);
    if (!table)
        return lashi_fail_memory(error);
    table->length_ratio = length_ratio;
    table->inlet = inlet;
    table->full = full;
    lashi_reynolds *grid;
    lash_status status = lashi_reynolds_create(&grid, LASHI_TABLE_AROUND, LASHI_TABLE_ACROSS, error);
    for (int i = 0; i < LASHI_TABLE_X && status == LASH_OK; i++)
        for (int j = 0; j < LASHI_TABLE_ANGLE && status == LASH_OK; j++)
            status = fill_node(table, i, j, grid, error);
    if (status == LASH_OK) {
        to_coefficients(table);
        status = measure(table, grid, error);
    }
    lashi_reynolds_destroy(grid);
    if (status != LASH_OK) {
        lashi_film_table_destroy(table);
        return status;
    }
    *out = table;
    return LASH_OK;
}

lash_status lashi_film_table_create(lashi_film_table **out, double length_ratio, lashi_inlet inlet, bool full,
                                    lash_error *error) {
    *out = NULL;
    lashi_film_table *table = calloc(1, sizeof *table);
    if (!table)
        return lashi_fail_memory(error);
    if (lashi_film_cache_read(table, length_ratio, inlet, full)) {
        *out = table;
        return LASH_OK;
    }
    free(table);
    lash_status status = lashi_film_table_compute(out, length_ratio, inlet, full, error);
    if (status == LASH_OK)
        lashi_film_cache_write(*out);
    return status;
}

void lashi_film_table_destroy(lashi_film_table *table) {
    free(table);
}
