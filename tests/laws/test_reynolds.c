/* SPDX-License-Identifier: MIT
 *
 * The finite bearing: order of convergence, the conditions of cavitation, limits to the short and the long
 * bearing, an independent solution of the long cavitated bearing, published tables of finite bearings, flows;
 * the table against direct solutions, its smoothness and loss, and its copy on disk.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "contact/film_table.h"
#include "near.h"
#include "numbers.h"

static const double pi = 3.14159265358979323846;

static lashi_reynolds_result solve(const lashi_reynolds_problem *problem, int around, int across,
                                   lashi_reynolds_result *coarse) {
    lashi_reynolds *grid;
    lashi_reynolds_result result = {0};
    lash_error error = {0};
    if (lashi_reynolds_create(&grid, around, across, &error) != LASH_OK ||
        lashi_reynolds_solve(&result, coarse, grid, problem, &error) != LASH_OK)
        fail_msg("%s", error.message);
    lashi_reynolds_destroy(grid);
    return result;
}

/* A journal that turns at 1 rad/s under a steady load. */
static lashi_reynolds_problem steady(double length_ratio, double eps, lashi_inlet inlet) {
    return (lashi_reynolds_problem){
        .length_ratio = length_ratio, .eps = eps, .b = -eps / 2, .cavitated = true, .inlet = inlet};
}

/* S = (R/c)^2 mu N/P and the attitude angle in degrees. */
static double sommerfeld_number(double radial, double transverse) {
    return 1 / (pi * hypot(radial, transverse));
}
static double attitude(double radial, double transverse) {
    return atan2(-transverse, radial) * 180 / pi;
}

static void converges_with_second_order(void **state) {
    (void)state;
    const struct {
        lashi_reynolds_problem problem;
        double from, to; // bounds of the order; where the film breaks it wavers
    } cases[] = {
        {{.length_ratio = 1, .eps = 0.6, .a = 1, .b = 2, .cavitated = false}, 1.95, 2.05},
        {{.length_ratio = 0.25, .eps = 0.9, .a = -1, .b = 2, .cavitated = false}, 1.9, 2.1},
        {steady(1, 0.6, LASHI_INLET_MAX_FILM), 1.8, 2.2},
        {steady(0.5, 0.3, LASHI_INLET_PERIODIC), 1.8, 2.2},
        {{.length_ratio = 1, .eps = 0.8, .a = 1, .b = 0.2, .cavitated = true}, 1.8, 2.2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lashi_reynolds_result r[3];
        for (int k = 0; k < 3; k++)
            r[k] = solve(&cases[i].problem, 128 << k, 16 << k, NULL);
        double first = hypot(r[0].radial - r[1].radial, r[0].transverse - r[1].transverse);
        double second = hypot(r[1].radial - r[2].radial, r[1].transverse - r[2].transverse);
        double order = log2(first / second);
        if (!(order > cases[i].from && order < cases[i].to))
            fail_msg("case %zu: order %g", i, order);
    }
}

/* Without eccentricity P = 12 a cos(theta) (1 - cosh(l zeta)/cosh(l)), l = L/D: g_r = 12 pi a (1 -
 * tanh(l)/l). */
static void the_centred_full_film_is_exact(void **state) {
    (void)state;
    for (double ratio = 0.1; ratio < 20; ratio *= 3) {
        double exact = 12 * pi * (1 - tanh(ratio) / ratio), error[3];
        for (int k = 0; k < 3; k++) {
            lashi_reynolds_problem problem = {.length_ratio = ratio, .a = 1};
            lashi_reynolds_result r = solve(&problem, 64 << k, 8 << k, NULL);
            error[k] = fabs(r.radial / exact - 1);
            assert_near(r.transverse, 0, 1e-9 * exact);
            if (k == 2)
                assert_relative(r.peak, 12 * (1 - 1 / cosh(ratio)), 1e-3);
        }
        assert_true(error[2] < 3e-4);
        assert_true(error[2] < error[1] / 3.5);
    }
}

static void cavitation_conditions_hold(void **state) {
    (void)state;
    for (int k = 0; k < 40; k++) {
        lashi_reynolds_problem problem = {.length_ratio = 0.2 + 0.1 * k,
                                          .eps = 0.02 + 0.0245 * k,
                                          .a = cos(k),
                                          .b = sin(k),
                                          .cavitated = true,
                                          .inlet = k % 3 == 0   ? LASHI_INLET_PERIODIC
                                                   : k % 3 == 1 ? LASHI_INLET_MAX_FILM
                                                                : LASHI_INLET_GROOVE,
                                          .pin = 0.3 * k};
        lashi_reynolds_result r = solve(&problem, 64, 8, NULL);
        assert_true(r.residual < 1e-10); // of P >= 0, A P >= f and their product
        assert_true(r.iterations < 40);
        assert_true(problem.a * r.radial + problem.b * r.transverse > 0);
        // Homogeneous: twice the speed gives twice the pressure.
        lashi_reynolds_problem twice = problem;
        twice.a *= 2;
        twice.b *= 2;
        lashi_reynolds_result s = solve(&twice, 64, 8, NULL);
        assert_relative(s.radial, 2 * r.radial, 1e-9);
        assert_relative(s.peak, 2 * r.peak, 1e-9);
        // A pull carries less than none: the full film resists more.
        if (problem.inlet == LASHI_INLET_PERIODIC) {
            problem.cavitated = false;
            s = solve(&problem, 64, 8, NULL);
            assert_true(problem.a * s.radial + problem.b * s.transverse >
                        problem.a * r.radial + problem.b * r.transverse);
        }
    }
}

static void pressure_vanishes_at_the_groove(void **state) {
    (void)state;
    // In the broken part a groove changes nothing; in the hill it splits it and costs load.
    lashi_reynolds_problem free = steady(1, 0.5, LASHI_INLET_PERIODIC), grooved = free;
    grooved.inlet = LASHI_INLET_GROOVE;
    grooved.pin = 1.5; // past the thinnest film
    lashi_reynolds_result a = solve(&free, 256, 16, NULL), b = solve(&grooved, 256, 16, NULL);
    assert_relative(b.radial, a.radial, 1e-3);
    assert_relative(b.transverse, a.transverse, 1e-3);
    grooved.pin = -pi / 3;
    b = solve(&grooved, 256, 16, NULL);
    assert_true(hypot(b.radial, b.transverse) < 0.6 * hypot(a.radial, a.transverse));
    // Max-film is a groove at pi.
    grooved.pin = pi;
    lashi_reynolds_problem widest = steady(1, 0.5, LASHI_INLET_MAX_FILM);
    a = solve(&widest, 64, 8, NULL);
    b = solve(&grooved, 64, 8, NULL);
    assert_relative(b.radial, a.radial, 1e-12);
}

static lashi_film closed_film(const char *model, bool full, double length_ratio) {
    lashi_film_data data = {.model = model,
                            .viscosity = 1,
                            .length = 2 * length_ratio,
                            .radius = 1,
                            .clearance = 1e-3,
                            .full = full,
                            .shear = -1};
    lashi_film film;
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, NULL), LASH_OK);
    return film;
}

/* Relative distance of the finite bearing from a closed form. */
static double distance(const char *model, double length_ratio, double eps, double angle, bool full) {
    lashi_film film = closed_film(model, full, length_ratio);
    lashi_reynolds_problem problem = {
        .length_ratio = length_ratio, .eps = eps, .a = cos(angle), .b = sin(angle), .cavitated = !full};
    int across = length_ratio > 1 ? 32 : 8; // long: layers at the ends; short: edges of the hill
    lashi_reynolds_result coarse, fine = solve(&problem, 4096 / across, across, &coarse);
    double r = fine.radial + (fine.radial - coarse.radial) / 3;
    double t = fine.transverse + (fine.transverse - coarse.transverse) / 3;
    lashi_impedance g = film.kind->impedance(&film, eps, problem.a, problem.b);
    return hypot(r - g.r, t - g.t) / hypot(g.r, g.t);
}

static void tends_to_the_short_bearing(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        double eps = 0.1 + 0.12 * k, angle = 0.7 * k;
        double at_tenth = distance("short", 0.1, eps, angle, false);
        double at_fortieth = distance("short", 0.025, eps, angle, false);
        // 1.5 % at L/D = 1/40 up to eps = 0.7, and falling with L/D.
        assert_true(at_fortieth < 0.015);
        assert_true(at_fortieth < 0.35 * at_tenth);
    }
}

static void tends_to_the_long_bearing(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        double eps = 0.1 + 0.16 * k, angle = 0.7 * k;
        double at_ten = distance("long", 10, eps, angle, true);
        double at_forty = distance("long", 40, eps, angle, true);
        // The ends cost a share of D/L or less: 2.5 % at L/D = 40.
        assert_true(at_forty < 1.0 / 40);
        assert_relative(at_forty, at_ten / 4, 0.01);
    }
}

/* The long cavitated bearing by quadrature: P rises from 0 at theta = -pi and ends with P = P' = 0 at
 * theta_2. H^3 P' = 6 eps (cos(theta) - cos(theta_2)) w, up to the sign: one unknown, found by bisection. */
static void long_pressure(double out[3], double eps, double end) {
    enum { STEPS = 20000 };
    double P = 0, step = (end + pi) / STEPS, radial = 0, transverse = 0;
    for (int i = 0; i < STEPS; i++) {
        double theta = -pi + (i + 0.5) * step, H = 1 - eps * cos(theta);
        double rise = 6 * eps * (cos(end) - cos(theta)) / (H * H * H) * step;
        radial += (P + rise / 2) * cos(theta) * step;
        transverse += (P + rise / 2) * sin(theta) * step;
        P += rise;
    }
    out[0] = P;
    out[1] = radial;
    out[2] = transverse;
}

static void the_long_cavitated_bearing(void **state) {
    (void)state;
    for (double eps = 0.2; eps < 0.95; eps += 0.2) {
        double low = 0.01, high = 1.5, found[3];
        for (int i = 0; i < 50; i++) {
            double middle = (low + high) / 2;
            long_pressure(found, eps, middle);
            if (found[0] > 0) // still above zero: the film breaks later
                low = middle;
            else
                high = middle;
        }
        // The ends cost a share of D/L, which two lengths tell.
        lashi_reynolds_problem fifty = steady(50, eps, LASHI_INLET_MAX_FILM);
        lashi_reynolds_problem hundred = steady(100, eps, LASHI_INLET_MAX_FILM);
        lashi_reynolds_result one = solve(&fifty, 512, 16, NULL), two = solve(&hundred, 512, 16, NULL);
        double radial = 2 * two.radial - one.radial, transverse = 2 * two.transverse - one.transverse;
        assert_relative(sommerfeld_number(radial, transverse), sommerfeld_number(found[1], found[2]), 1e-3);
        assert_near(attitude(radial, transverse), attitude(found[1], found[2]), 0.02);
    }
}

/* Three-digit values that go back to A. A. Raimondi, J. Boyd, A solution for the finite journal bearing and
 * its application to analysis and design, ASLE Trans. 1 (1958) 159-209; not compared with the printed paper.
 * The tolerance is the difference found: what this solver gives is converged (below) and has the right limits
 * (above). */
static void agrees_with_raimondi_and_boyd(void **state) {
    (void)state;
    static const struct {
        double length_ratio, eps, S, attitude;
    } table[] = {
        {1, 0.1, 1.33, 79.5},     {1, 0.2, 0.631, 74.02},    {1, 0.4, 0.264, 63.10},
        {1, 0.6, 0.121, 50.58},   {1, 0.8, 0.0446, 36.24},   {1, 0.9, 0.0188, 26.45},
        {0.5, 0.1, 4.31, 81.62},  {0.5, 0.2, 2.03, 74.94},   {0.5, 0.4, 0.779, 61.45},
        {0.5, 0.6, 0.319, 48.14}, {0.5, 0.8, 0.0923, 33.31}, {0.5, 0.9, 0.0313, 23.66},
        {0.25, 0.1, 16.2, 82.31}, {0.25, 0.2, 7.57, 75.18},  {0.25, 0.4, 2.83, 60.86},
        {0.25, 0.6, 1.07, 46.72}, {0.25, 0.8, 0.261, 31.04}, {0.25, 0.9, 0.0736, 21.85},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lashi_reynolds_problem problem = steady(table[i].length_ratio, table[i].eps, LASHI_INLET_MAX_FILM);
        lashi_reynolds_result r = solve(&problem, 128, 16, NULL);
        assert_relative(sommerfeld_number(r.radial, r.transverse), table[i].S, 0.016);
        assert_near(attitude(r.radial, r.transverse), table[i].attitude, 0.6);
    }
    // Flow Q/(R c N L) and the share that leaves at the sides, L/D = 1.
    static const double flow[][3] = {
        {0.2, 3.59, 0.280}, {0.4, 3.99, 0.497}, {0.6, 4.33, 0.680}, {0.8, 4.62, 0.842}};
    for (int i = 0; i < 4; i++) {
        lashi_reynolds_problem problem = steady(1, flow[i][0], LASHI_INLET_MAX_FILM);
        lashi_reynolds_result r = solve(&problem, 128, 16, NULL);
        assert_relative(pi * r.inlet_flow, flow[i][1], 0.005);
        assert_relative(r.side_flow / r.inlet_flow, flow[i][2], 0.01);
    }
}

static void converged_to_half_a_percent(void **state) {
    (void)state;
    static const double ratios[] = {1, 0.5, 0.25},
                        eccentricities[] = {0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99, 0.999};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 8; k++) {
            lashi_reynolds_problem problem = steady(ratios[i], eccentricities[k], LASHI_INLET_MAX_FILM);
            lashi_reynolds_result coarse, used = solve(&problem, 128, 16, NULL);
            lashi_reynolds_result fine = solve(&problem, 256, 32, &coarse);
            double r = fine.radial + (fine.radial - coarse.radial) / 3;
            double t = fine.transverse + (fine.transverse - coarse.transverse) / 3;
            double tolerance = eccentricities[k] <= 0.95 ? 0.0015 : 0.005;
            assert_relative(sommerfeld_number(used.radial, used.transverse), sommerfeld_number(r, t),
                            tolerance);
            assert_relative(attitude(used.radial, used.transverse), attitude(r, t), tolerance);
        }
}

/* In the short limit all that the turning walls bring into the half turn leaves at the sides: 2 pi eps/pi. */
static void the_short_bearing_leaks_as_it_must(void **state) {
    (void)state;
    lashi_reynolds_problem problem = steady(0.05, 0.6, LASHI_INLET_PERIODIC);
    lashi_reynolds_result r = solve(&problem, 256, 8, NULL);
    assert_relative(r.side_flow, 2 * 0.6, 0.01);
}

static void wrong_problems_are_refused(void **state) {
    (void)state;
    lashi_reynolds *grid;
    lashi_reynolds_result r;
    assert_int_equal(lashi_reynolds_create(&grid, 15, 8, NULL), LASH_ERROR_USAGE);
    assert_null(grid);
    assert_int_equal(lashi_reynolds_create(&grid, 64, 3, NULL), LASH_ERROR_USAGE);
    assert_int_equal(lashi_reynolds_create(&grid, 32, 4, NULL), LASH_OK);
    const double wrong[] = {1, 1.5, -0.1, NAN};
    for (int i = 0; i < 4; i++) {
        lashi_reynolds_problem problem = steady(1, wrong[i], LASHI_INLET_PERIODIC);
        assert_int_equal(lashi_reynolds_solve(&r, NULL, grid, &problem, NULL), LASH_ERROR_USAGE);
    }
    lashi_reynolds_problem problem = steady(0, 0.5, LASHI_INLET_PERIODIC);
    assert_int_equal(lashi_reynolds_solve(&r, NULL, grid, &problem, NULL), LASH_ERROR_USAGE);
    problem = (lashi_reynolds_problem){.length_ratio = 1, .eps = 0.5, .cavitated = true}; // at rest
    assert_int_equal(lashi_reynolds_solve(&r, NULL, grid, &problem, NULL), LASH_OK);
    assert_near(r.radial, 0, 0);
    lashi_reynolds_destroy(grid);
    lashi_reynolds_destroy(NULL);
}

/* --- The table --------------------------------------------------------------------------------------------
 */

static lashi_film_table *table;
static const lashi_film_key key = {LASHI_INLET_PERIODIC, false, 0.5};

static int compute_table(void **state) {
    (void)state;
    lash_error error = {0};
    if (lashi_film_table_compute(&table, &key, &error) != LASH_OK) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    return 0;
}

static int drop_table(void **state) {
    (void)state;
    lashi_film_table_destroy(table);
    return 0;
}

static double random_number(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static void the_table_is_the_direct_solution(void **state) {
    (void)state;
    assert_true(table->error > 0 && table->error < 1e-3);
    assert_true(table->error_thin > 0 && table->error_thin < 1e-3);
    lashi_reynolds *grid;
    assert_int_equal(lashi_reynolds_create(&grid, LASHI_TABLE_AROUND, LASHI_TABLE_ACROSS, NULL), LASH_OK);
    uint64_t seed = 3;
    for (int k = 0; k < 60; k++) {
        double eps = 0.95 * random_number(&seed), beta = 2 * pi * random_number(&seed), peak;
        const double fast = 10 * random_number(&seed);
        double a = fast * cos(beta), b = fast * sin(beta) / sqrt(1 - eps * eps);
        lashi_reynolds_problem problem = {.length_ratio = 0.5, .eps = eps, .a = a, .b = b, .cavitated = true};
        lashi_impedance direct, g = lashi_film_table_impedance(table, eps, a, b);
        assert_int_equal(lashi_film_direct(&direct, &peak, grid, &problem, NULL), LASH_OK);
        assert_true(hypot(g.r - direct.r, g.t - direct.t) < 1.5e-3 * hypot(direct.r, direct.t));
        assert_relative(lashi_film_table_peak(table, eps, a, b), peak, 0.02);
    }
    lashi_reynolds_destroy(grid);
}

static void the_table_always_loses_power(void **state) {
    (void)state;
    uint64_t seed = 4;
    for (int k = 0; k < 20000; k++) {
        double eps = LASHI_FILM_EPS_MAX * pow(random_number(&seed), 0.2),
               beta = 2 * pi * random_number(&seed);
        double a = cos(beta), b = sin(beta);
        lashi_impedance g = lashi_film_table_impedance(table, eps, a, b);
        assert_true(isfinite(g.r) && isfinite(g.t) && a * g.r + b * g.t > 0);
        lashi_impedance mirrored = lashi_film_table_impedance(table, eps, a, -b);
        assert_near(mirrored.r, g.r, 1e-12 * fabs(g.r));
        assert_near(mirrored.t, -g.t, 1e-12 * fabs(g.t));
    }
    lashi_impedance still = lashi_film_table_impedance(table, 0.5, 0, 0);
    assert_near(still.r, 0, 0);
    assert_near(still.t, 0, 0);
}

/* Values and slopes agree on both sides of every node and where b changes sign. */
static void the_table_is_smooth(void **state) {
    (void)state;
    const double h = 1e-5, x_step = LASHI_TABLE_X_END / (LASHI_TABLE_X - 1),
                 b_step = pi / (LASHI_TABLE_ANGLE - 1);
    for (int i = 1; i < LASHI_TABLE_X - 1; i += 3)
        for (int j = 0; j < LASHI_TABLE_ANGLE; j += 2)
            for (int direction = 0; direction < 2; direction++) {
                lashi_impedance g[5];
                for (int k = 0; k < 5; k++) {
                    double eps = lashi_film_table_eps(i * x_step + (direction == 0 ? (k - 2) * h : 0));
                    double u = sqrt(1 - eps * eps);
                    double beta = j * b_step + (direction == 1 ? (k - 2) * h : 0);
                    g[k] = lashi_film_table_impedance(table, eps, cos(beta), sin(beta) / u);
                }
                double size = hypot(g[2].r, g[2].t);
                double jump_r = (g[4].r - 3 * g[3].r + 3 * g[2].r - g[1].r) / (h * size);
                double jump_t = (g[4].t - 3 * g[3].t + 3 * g[2].t - g[1].t) / (h * size);
                // Third differences over h vanish with h for a smooth function and not at a kink.
                assert_near(jump_r, 0, 1e-3);
                assert_near(jump_t, 0, 1e-3);
            }
}

static bool read_copy(lashi_film_table *copy, lashi_film_key wanted) {
    double errors[2];
    bool good = lashi_film_cache_read(copy->c, errors, sizeof copy->c, &wanted);
    copy->error = good ? errors[0] : 0;
    copy->error_thin = good ? errors[1] : 0;
    return good;
}

static bool write_table(void) {
    return lashi_film_cache_write(table->c, (double[2]){table->error, table->error_thin}, sizeof table->c,
                                  &key);
}

static void the_table_is_kept_on_disk(void **state) {
    (void)state;
    char folder[] = "/tmp/lash-film-XXXXXX", path[512], sub[600];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    lashi_film_table *copy = calloc(1, sizeof *copy);
    assert_non_null(copy);
    assert_false(read_copy(copy, key));
    assert_true(write_table());
    assert_true(read_copy(copy, key));
    assert_memory_equal(copy->c, table->c, sizeof copy->c);
    assert_true(copy->error == table->error && copy->error_thin == table->error_thin);
    assert_false(read_copy(copy, (lashi_film_key){LASHI_INLET_MAX_FILM, false, 0.5}));
    assert_false(read_copy(copy, (lashi_film_key){LASHI_INLET_PERIODIC, true, 0.5}));
    assert_false(read_copy(copy, (lashi_film_key){LASHI_INLET_PERIODIC, false, nextafter(0.5, 1)}));

    // A film that finds its table need not compute it.
    lashi_film film;
    lashi_film_data data = {"reynolds", 0.1, 0.02, 0.02, 1e-4, false, -1, LASHI_INLET_PERIODIC, 0};
    assert_int_equal(lashi_film_compile(&film, film_numbers(), &data, NULL), LASH_OK);
    assert_memory_equal(film.table->c, table->c, sizeof copy->c);
    lashi_film_force_result f = lashi_film_force(&film, (lashi_film_motion){.eps = 0.6, .omega_j = 100});
    assert_true(f.radial < 0 && f.transverse > 0 && f.power > 0);
    assert_true(lashi_film_peak(&film, (lashi_film_motion){.eps = 0.6, .omega_j = 100}) > 0);
    lashi_film_clear(&film);

    // Damage: one flipped byte in each part, a missing end, something behind the end.
    assert_true(lashi_film_cache_path(path, sizeof path, &key));
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    const long places[] = {0, 9, 60, 4000, (long)info.st_size - 1};
    for (int i = 0; i < 5; i++) {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        fseek(file, places[i], SEEK_SET);
        int byte = fgetc(file);
        fseek(file, places[i], SEEK_SET);
        fputc(byte ^ 1, file);
        fclose(file);
        assert_false(read_copy(copy, key));
        assert_true(write_table()); // and written again over it
        assert_true(read_copy(copy, key));
    }
    assert_int_equal(truncate(path, info.st_size - 8), 0);
    assert_false(read_copy(copy, key));
    assert_int_equal(truncate(path, info.st_size + 8), 0);
    assert_false(read_copy(copy, key));

    // Nowhere to write is no error.
    assert_int_equal(unlink(path), 0);
    snprintf(sub, sizeof sub, "%s/lash", folder);
    assert_int_equal(rmdir(sub), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", "/dev/null", 1), 0);
    assert_false(write_table());
    assert_int_equal(rmdir(folder), 0);
    free(copy);
}

/* Richardson's extrapolation leaves a small part of what the grid errs by, and the peak lies between the nodes where a finer grid
 * has it. */
static void extrapolation_is_worth_it(void **state) {
    (void)state;
    lashi_reynolds *grids[2];
    assert_int_equal(lashi_reynolds_create(&grids[0], 64, 16, NULL), LASH_OK);
    assert_int_equal(lashi_reynolds_create(&grids[1], 256, 64, NULL), LASH_OK);
    static const double eps[] = {0.2, 0.35, 0.65}, b[] = {0.4, 0.2, -0.2};
    for (int k = 0; k < 3; k++) {
        const lashi_reynolds_problem problem = {.length_ratio = 0.5, .eps = eps[k], .a = 0.3, .b = b[k]};
        lashi_impedance g[2];
        lashi_reynolds_result plain[2];
        double peak[2];
        for (int n = 0; n < 2; n++) {
            assert_int_equal(lashi_film_direct(&g[n], &peak[n], grids[n], &problem, NULL), LASH_OK);
            assert_int_equal(lashi_reynolds_solve(&plain[n], NULL, grids[n], &problem, NULL), LASH_OK);
        }
        assert_true(fabs(g[0].r - g[1].r) < 0.1 * fabs(plain[0].radial - g[1].r));
        assert_true(fabs(g[0].t - g[1].t) < 0.1 * fabs(plain[0].transverse - g[1].t));
        assert_near(peak[0], peak[1], 3e-4 * peak[1]);
        assert_near(plain[0].peak_angle, plain[1].peak_angle, 1e-3);
    }
    lashi_reynolds_destroy(grids[0]);
    lashi_reynolds_destroy(grids[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extrapolation_is_worth_it),
        cmocka_unit_test(converges_with_second_order),
        cmocka_unit_test(the_centred_full_film_is_exact),
        cmocka_unit_test(cavitation_conditions_hold),
        cmocka_unit_test(pressure_vanishes_at_the_groove),
        cmocka_unit_test(tends_to_the_short_bearing),
        cmocka_unit_test(tends_to_the_long_bearing),
        cmocka_unit_test(the_long_cavitated_bearing),
        cmocka_unit_test(agrees_with_raimondi_and_boyd),
        cmocka_unit_test(converged_to_half_a_percent),
        cmocka_unit_test(the_short_bearing_leaks_as_it_must),
        cmocka_unit_test(wrong_problems_are_refused),
        cmocka_unit_test(the_table_is_the_direct_solution),
        cmocka_unit_test(the_table_always_loses_power),
        cmocka_unit_test(the_table_is_smooth),
        cmocka_unit_test(the_table_is_kept_on_disk),
    };
    return cmocka_run_group_tests(tests, compute_table, drop_table);
}
