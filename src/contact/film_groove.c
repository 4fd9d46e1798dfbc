/* SPDX-License-Identifier: MIT
 *
 * Filling the table of film_groove.h, and reading between its nodes (math/spline.h).
 */
#include "contact/film_groove.h"

#include <stdlib.h>

#include "base/error.h"
#include "math/spline.h"

static const double groove_pi = 3.14159265358979323846;
static const double groove_x_step = LASHI_TABLE_X_END / (LASHI_GROOVE_X - 1);
static const double groove_angle_step = 2 * 3.14159265358979323846 / LASHI_GROOVE_ANGLE;
static const double groove_place_step = 2 * 3.14159265358979323846 / LASHI_GROOVE_PLACE;

/* --- Reading ----------------------------------------------------------------------------------------------
 */

typedef struct groove_cell {
    int i, j, k;
    double wx[4], wb[4], ws[4]; /* weights of the four coefficients each way */
    double size;                /* sqrt(a^2 + u^2 b^2) */
    double u, ca, sa;           /* cos and sin of beta */
} groove_cell;

/* The position of an angle in (-pi, pi] on a circle of nodes. */
static inline double groove_around(double angle, double step) {
    return (angle < 0 ? angle + 2 * groove_pi : angle) * (1 / step);
}

static inline groove_cell groove_locate(double eps, double a, double b, const double place[2]) {
    groove_cell at = {.u = sqrt((1 - eps) * (1 + eps))};
    double across = at.u * b;
    at.size = sqrt(a * a + across * across);
    if (!(at.size > 0))
        return at;
    at.ca = a / at.size;
    at.sa = across / at.size;
    double x = eps / sqrt(at.u), H = 1 - eps * place[0];
    // H (exp(i theta) + exp(i gamma)), never 0.
    double s = atan2(place[1] * (H + at.u), place[0] * H + (place[0] - eps));
    at.i = lashi_spline_weights(at.wx, (x < LASHI_TABLE_X_END ? x : LASHI_TABLE_X_END) * (1 / groove_x_step),
                                LASHI_GROOVE_X - 1);
    at.j =
        lashi_spline_weights(at.wb, groove_around(atan2(across, a), groove_angle_step), LASHI_GROOVE_ANGLE);
    at.k = lashi_spline_weights(at.ws, groove_around(s, groove_place_step), LASHI_GROOVE_PLACE);
    return at;
}

lashi_impedance lashi_groove_table_impedance(const lashi_groove_table *table, double eps, double a, double b,
                                             const double place[2]) {
    groove_cell at = groove_locate(eps, a, b, place);
    if (!(at.size > 0))
        return (lashi_impedance){0, 0};
    double v = 0, q = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const double(*c)[2] = &table->c.force[at.i + i][at.j + j][at.k];
            double w = at.wx[i] * at.wb[j];
            v += w * (at.ws[0] * c[0][0] + at.ws[1] * c[1][0] + at.ws[2] * c[2][0] + at.ws[3] * c[3][0]);
            q += w * (at.ws[0] * c[0][1] + at.ws[1] * c[1][1] + at.ws[2] * c[2][1] + at.ws[3] * c[3][1]);
        }
    double cube = v * v * v, D = cube * v, C = cube * q, scale = at.size / (at.u * at.u);
    return (lashi_impedance){.r = scale / at.u * (at.ca * D - at.sa * C),
                             .t = scale * (at.sa * D + at.ca * C)};
}

double lashi_groove_table_peak(const lashi_groove_table *table, double eps, double a, double b,
                               const double place[2]) {
    groove_cell at = groove_locate(eps, a, b, place);
    if (!(at.size > 0))
        return 0;
    double root = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                root += at.wx[i] * at.wb[j] * at.ws[k] * table->c.peak[at.i + i][at.j + j][at.k + k] / at.u;
    return root * root * root * root * at.size;
}

#ifndef LASHI_KERNEL // a compiled model reads

/* --- Filling ----------------------------------------------------------------------------------------------
 */

/* theta of s, both in [-pi, pi]: (theta + gamma)/2 = s, by bisection. */
static double theta_of(double s, double eps) {
    double low = -groove_pi, high = groove_pi;
    for (int n = 0; n < 60; n++) {
        double theta = (low + high) / 2;
        double gamma = 2 * atan2(sqrt(1 + eps) * sin(theta / 2), sqrt(1 - eps) * cos(theta / 2));
        if (theta + gamma > 2 * s)
            high = theta;
        else
            low = theta;
    }
    return (low + high) / 2;
}

/* The problem at the coordinates (x, beta, s), for a vector (a, u b) of length 1. */
static lashi_reynolds_problem problem_at(const lashi_groove_table *table, double x, double beta, double s) {
    lashi_reynolds_problem problem = lashi_film_table_problem(&table->key, x, beta);
    problem.inlet = LASHI_INLET_GROOVE;
    problem.pin = theta_of(remainder(s, 2 * groove_pi), problem.eps);
    return problem;
}

/* One node and its mirror. */
static lash_status fill_node(lashi_groove_table *table, int i, int j, int k, lashi_reynolds *grid,
                             lash_error *error) {
    double beta = j * groove_angle_step, peak;
    lashi_reynolds_problem problem = problem_at(table, i * groove_x_step, beta, k * groove_place_step);
    double u = sqrt((1 - problem.eps) * (1 + problem.eps));
    lashi_impedance g;
    lash_status status = lashi_film_direct(&g, &peak, grid, &problem, error);
    if (status != LASH_OK)
        return status;
    double T_r = u * u * u * g.r, T_t = u * u * g.t;
    double D = T_r * cos(beta) + T_t * sin(beta);
    if (!(D > 0) || !(peak > 0))
        return lashi_fail(error, LASH_ERROR_INTERNAL,
                          "the grooved film of L/D = %g at eps = %g, beta = %g, theta = %g resists no motion",
                          problem.length_ratio, problem.eps, beta, problem.pin);
    double v = sqrt(sqrt(D)), q = (T_t * cos(beta) - T_r * sin(beta)) / (v * v * v), p = u * sqrt(sqrt(peak));
    int mirrored_j = (LASHI_GROOVE_ANGLE - j) % LASHI_GROOVE_ANGLE;
    int mirrored_k = (LASHI_GROOVE_PLACE - k) % LASHI_GROOVE_PLACE;
    double *node = table->c.force[i + 1][j + 1][k + 1];
    double *mirror = table->c.force[i + 1][mirrored_j + 1][mirrored_k + 1];
    mirror[0] = node[0] = v;
    mirror[1] = -q;
    node[1] = q;
    table->c.peak[i + 1][mirrored_j + 1][mirrored_k + 1] = table->c.peak[i + 1][j + 1][k + 1] = p;
    return LASH_OK;
}

/* A line of `count` nodes, `stride` apart, its first coefficient at *first. */
static void fit(double *first, size_t stride, int count, lashi_spline_end end) {
    double line[LASHI_SPLINE_MOST + 3];
    int extra = end == LASHI_SPLINE_PERIODIC ? 3 : 2;
    for (int k = 1; k <= count; k++)
        line[k] = first[(size_t)k * stride];
    lashi_spline_coefficients(line, count, end);
    for (int k = 0; k < count + extra; k++)
        first[(size_t)k * stride] = line[k];
}

/* One channel of values, `channels` apart, to coefficients: along s, then beta, then x. */
static void to_coefficients(double *field, size_t channels) {
    const int X = LASHI_GROOVE_X, B = LASHI_GROOVE_ANGLE, S = LASHI_GROOVE_PLACE;
    const size_t row = (size_t)(S + 3) * channels, plane = (size_t)(B + 3) * row;
    for (int i = 1; i <= X; i++)
        for (int j = 1; j <= B; j++)
            fit(field + (size_t)i * plane + (size_t)j * row, channels, S, LASHI_SPLINE_PERIODIC);
    for (int i = 1; i <= X; i++)
        for (int k = 0; k < S + 3; k++)
            fit(field + (size_t)i * plane + (size_t)k * channels, row, B, LASHI_SPLINE_PERIODIC);
    for (int j = 0; j < B + 3; j++)
        for (int k = 0; k < S + 3; k++)
            fit(field + (size_t)j * row + (size_t)k * channels, plane, X, LASHI_SPLINE_FREE);
}

/* Compares with solutions on a finer grid, on a spread set of points between the nodes. */
static lash_status measure(lashi_groove_table *table, lash_error *error) {
    enum { POINTS = 240 };
    const double golden = 0.61803398874989485, silver = 0.41421356237309515, thick = 0.95;
    lashi_reynolds *grid;
    lash_status status = lashi_reynolds_create(&grid, LASHI_TABLE_AROUND, LASHI_TABLE_ACROSS, error);
    for (int n = 0; n < POINTS && status == LASH_OK; n++) {
        double x = ((int)((n + 0.5) * (LASHI_GROOVE_X - 1) / POINTS) + 0.5) * groove_x_step;
        double beta = ((int)(fmod(n * golden, 1) * LASHI_GROOVE_ANGLE) + 0.5) * groove_angle_step;
        double s = ((int)(fmod(n * silver, 1) * LASHI_GROOVE_PLACE) + 0.5) * groove_place_step, peak;
        lashi_reynolds_problem problem = problem_at(table, x, beta, s);
        const double place[2] = {cos(problem.pin), sin(problem.pin)};
        lashi_impedance g, most;
        status = lashi_film_direct(&g, &peak, grid, &problem, error);
        if (status != LASH_OK)
            break;
        lashi_impedance t = lashi_groove_table_impedance(table, problem.eps, problem.a, problem.b, place);
        double off = hypot(t.r - g.r, t.t - g.t);
        if (problem.eps <= thick) {
            table->error = fmax(table->error, off / hypot(g.r, g.t));
        } else {
            most = lashi_groove_table_impedance(table, problem.eps, 1, 0, (double[2]){-1, 0});
            table->error_thin = fmax(table->error_thin, off / hypot(most.r, most.t));
        }
    }
    lashi_reynolds_destroy(grid);
    return status;
}

lash_status lashi_groove_table_compute(lashi_groove_table **out, const lashi_film_key *key,
                                       lash_error *error) {
    *out = NULL;
    lashi_groove_table *table = calloc(1, sizeof *table);
    if (!table)
        return lashi_fail_memory(error);
    table->key = *key;
    lashi_reynolds *grid;
    lash_status status = lashi_reynolds_create(&grid, LASHI_GROOVE_AROUND, LASHI_GROOVE_ACROSS, error);
    for (int i = 0; i < LASHI_GROOVE_X && status == LASH_OK; i++)
        for (int k = 0; k < LASHI_GROOVE_PLACE && status == LASH_OK; k++)
            for (int j = 0; j <= LASHI_GROOVE_ANGLE / 2 && status == LASH_OK; j++)
                status = fill_node(table, i, j, k, grid, error);
    lashi_reynolds_destroy(grid);
    if (status == LASH_OK) {
        to_coefficients(&table->c.force[0][0][0][0], 2);
        to_coefficients(&table->c.force[0][0][0][1], 2);
        to_coefficients(&table->c.peak[0][0][0], 1);
        status = measure(table, error);
    }
    if (status != LASH_OK) {
        lashi_groove_table_destroy(table);
        return status;
    }
    *out = table;
    return LASH_OK;
}

lash_status lashi_groove_table_create(lashi_groove_table **out, const lashi_film_key *key,
                                      lash_error *error) {
    *out = NULL;
    lashi_groove_table *table = calloc(1, sizeof *table);
    double errors[2];
    if (!table)
        return lashi_fail_memory(error);
    if (lashi_film_cache_read(&table->c, errors, sizeof table->c, key)) {
        table->key = *key;
        table->error = errors[0];
        table->error_thin = errors[1];
        *out = table;
        return LASH_OK;
    }
    free(table);
    lash_status status = lashi_groove_table_compute(out, key, error);
    if (status == LASH_OK)
        lashi_film_cache_write(&(*out)->c, (double[2]){(*out)->error, (*out)->error_thin}, sizeof(*out)->c,
                               key);
    return status;
}

void lashi_groove_table_destroy(lashi_groove_table *table) {
    free(table);
}

#endif
