/* SPDX-License-Identifier: MIT
 *
 * Filling the table of film_table.h, and reading between its nodes (math/spline.h).
 */
#include "contact/film_table.h"

#include <stdlib.h>

#include "base/error.h"
#include "math/spline.h"

static const double film_x_step = LASHI_TABLE_X_END / (LASHI_TABLE_X - 1);
static const double film_angle_step = 3.14159265358979323846 / (LASHI_TABLE_ANGLE - 1);
enum { FILM_ALONG, FILM_ACROSS, FILM_PEAK };

/* --- Reading ----------------------------------------------------------------------------------------------
 */

typedef struct film_cell {
    int i, j;
    double wx[4], wb[4]; /* weights of the four coefficients each way */
    double size;         /* sqrt(a^2 + u^2 b^2) */
    double u, ca, sa;    /* cos and sin of beta */
} film_cell;

static inline film_cell film_locate(double eps, double a, double b) {
    film_cell at = {.u = sqrt((1 - eps) * (1 + eps))};
    double across = at.u * fabs(b);
    at.size = sqrt(a * a + across * across);
    if (!(at.size > 0))
        return at;
    at.ca = a / at.size;
    at.sa = across / at.size;
    double x = eps / sqrt(at.u);
    at.i = lashi_spline_weights(at.wx, (x < LASHI_TABLE_X_END ? x : LASHI_TABLE_X_END) * (1 / film_x_step),
                                LASHI_TABLE_X - 1);
    at.j = lashi_spline_weights(at.wb, atan2(across, a) * (1 / film_angle_step), LASHI_TABLE_ANGLE - 1);
    return at;
}

static inline double film_cell_value(const lashi_film_table *table, const film_cell *at, int channel) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const double(*row)[LASHI_TABLE_CHANNELS] = &table->c[at->i + i][at->j];
        sum += at->wx[i] * (at->wb[0] * row[0][channel] + at->wb[1] * row[1][channel] +
                            at->wb[2] * row[2][channel] + at->wb[3] * row[3][channel]);
    }
    return sum;
}

lashi_impedance lashi_film_table_impedance(const lashi_film_table *table, double eps, double a, double b) {
    film_cell at = film_locate(eps, a, b);
    if (!(at.size > 0))
        return (lashi_impedance){0, 0};
    double v = film_cell_value(table, &at, FILM_ALONG), cube = v * v * v;
    double D = cube * v, C = cube * film_cell_value(table, &at, FILM_ACROSS);
    double scale = at.size / (at.u * at.u);
    return (lashi_impedance){.r = scale / at.u * (at.ca * D - at.sa * C),
                             .t = copysign(scale, b) * (at.sa * D + at.ca * C)};
}

double lashi_film_table_peak(const lashi_film_table *table, double eps, double a, double b) {
    film_cell at = film_locate(eps, a, b);
    if (!(at.size > 0))
        return 0;
    double root = film_cell_value(table, &at, FILM_PEAK) / at.u;
    return root * root * root * root * at.size;
}

#ifndef LASHI_KERNEL // a compiled model reads

/* --- Filling ----------------------------------------------------------------------------------------------
 */

static void to_coefficients(lashi_film_table *table) {
    double line[LASHI_SPLINE_MOST + 2];
    for (int channel = 0; channel < LASHI_TABLE_CHANNELS; channel++) {
        for (int i = 1; i <= LASHI_TABLE_X; i++) {
            for (int j = 1; j <= LASHI_TABLE_ANGLE; j++)
                line[j] = table->c[i][j][channel];
            lashi_spline_coefficients(line, LASHI_TABLE_ANGLE,
                                      channel == FILM_ACROSS ? LASHI_SPLINE_ODD : LASHI_SPLINE_EVEN);
            for (int j = 0; j < LASHI_TABLE_ANGLE + 2; j++)
                table->c[i][j][channel] = line[j];
        }
        for (int j = 0; j < LASHI_TABLE_ANGLE + 2; j++) {
            for (int i = 1; i <= LASHI_TABLE_X; i++)
                line[i] = table->c[i][j][channel];
            lashi_spline_coefficients(line, LASHI_TABLE_X, LASHI_SPLINE_FREE);
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

lashi_reynolds_problem lashi_film_table_problem(const lashi_film_key *key, double x, double beta) {
    double eps = x > 0 ? lashi_film_table_eps(x) : 0;
    return (lashi_reynolds_problem){.length_ratio = key->length_ratio,
                                    .eps = eps,
                                    .a = cos(beta),
                                    .b = sin(beta) / sqrt((1 - eps) * (1 + eps)),
                                    .cavitated = !key->full,
                                    .inlet = key->inlet};
}

static lash_status fill_node(lashi_film_table *table, int i, int j, lashi_reynolds *grid, lash_error *error) {
    double beta = j * film_angle_step, peak;
    lashi_reynolds_problem problem = lashi_film_table_problem(&table->key, i * film_x_step, beta);
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
                          table->key.length_ratio, problem.eps, beta);
    double *node = table->c[i + 1][j + 1];
    bool ends = j == 0 || j == LASHI_TABLE_ANGLE - 1;
    node[FILM_ALONG] = sqrt(sqrt(D));
    node[FILM_ACROSS] = ends ? 0 : (T_t * cos(beta) - T_r * sin(beta)) / pow(D, 0.75);
    node[FILM_PEAK] = u * sqrt(sqrt(peak));
    return LASH_OK;
}

/* Compares with direct solutions between the nodes, on a spread set of points. */
static lash_status measure(lashi_film_table *table, lashi_reynolds *grid, lash_error *error) {
    enum { POINTS = 160 };
    const double golden = 0.61803398874989485, thick = 0.95;
    for (int k = 0; k < POINTS; k++) {
        double x = ((int)((k + 0.5) * (LASHI_TABLE_X - 1) / POINTS) + 0.5) * film_x_step;
        double beta = ((int)(fmod(k * golden, 1) * (LASHI_TABLE_ANGLE - 1)) + 0.5) * film_angle_step;
        lashi_reynolds_problem problem = lashi_film_table_problem(&table->key, x, beta);
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

lash_status lashi_film_table_compute(lashi_film_table **out, const lashi_film_key *key, lash_error *error) {
    *out = NULL;
    lashi_film_table *table = calloc(1, sizeof *table);
    if (!table)
        return lashi_fail_memory(error);
    table->key = *key;
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

lash_status lashi_film_table_create(lashi_film_table **out, const lashi_film_key *key, lash_error *error) {
    *out = NULL;
    lashi_film_table *table = calloc(1, sizeof *table);
    double errors[2];
    if (!table)
        return lashi_fail_memory(error);
    if (lashi_film_cache_read(table->c, errors, sizeof table->c, key)) {
        table->key = *key;
        table->error = errors[0];
        table->error_thin = errors[1];
        *out = table;
        return LASH_OK;
    }
    free(table);
    lash_status status = lashi_film_table_compute(out, key, error);
    if (status == LASH_OK)
        lashi_film_cache_write((*out)->c, (double[2]){(*out)->error, (*out)->error_thin}, sizeof(*out)->c,
                               key);
    return status;
}

void lashi_film_table_destroy(lashi_film_table *table) {
    free(table);
}

#endif
