/* SPDX-License-Identifier: MIT
 *
 * Finite bearings in motion, with and without an oil groove: the table of a groove against direct solutions,
 * its symmetry, centre and loss; runs whose film force is that of the direct solution at every sampled state
 * and whose energy balance closes; a journal that settles where the grooved bearing by itself carries the
 * load; a groove that turns with its bearing.
 */
#include "own_cache.h"
#include "physics/play.h"

#include <stdlib.h>
#include <unistd.h>

#include "contact/film_groove.h"
#include "laws/numbers.h"

static const double L = 0.02, R = 0.02, c = 50e-6, mu = 0.04; /* L/D = 0.5 */
static const lashi_film_key key = {LASHI_INLET_GROOVE, false, 0.5};
static lashi_groove_table *table;

/* The tables go to a cache of their own, where the runs find them. */
static int compute_tables(void **state) {
    lash_error error = {0};
    if (own_cache_begin(state))
        return -1;
    if (lashi_groove_table_create(&table, &key, &error) != LASH_OK) {
        fprintf(stderr, "%s\n", error.message);
        return -1;
    }
    return 0;
}

static int drop_tables(void **state) {
    lashi_groove_table_destroy(table);
    return own_cache_end(state);
}

static double random_number(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static lashi_reynolds *fine_grid(void) {
    lashi_reynolds *grid;
    assert_int_equal(lashi_reynolds_create(&grid, LASHI_TABLE_AROUND, LASHI_TABLE_ACROSS, NULL), LASH_OK);
    return grid;
}

/* ---- the table ---- */

static void a_grooved_table_is_the_direct_solution(void **state) {
    (void)state;
    enum { POINTS = 150 };
    assert_true(table->error > 0 && table->error < 5e-3);
    assert_true(table->error_thin > 0 && table->error_thin < 3e-3);
    lashi_reynolds *grid = fine_grid();
    uint64_t seed = 5;
    double mean = 0;
    for (int k = 0; k < POINTS; k++) {
        double eps = 0.95 * random_number(&seed), beta = 2 * pi * random_number(&seed);
        double theta = 2 * pi * random_number(&seed), peak;
        double a = cos(beta), b = sin(beta) / sqrt(1 - eps * eps), place[2] = {cos(theta), sin(theta)};
        lashi_reynolds_problem problem = {.length_ratio = 0.5,
                                          .eps = eps,
                                          .a = a,
                                          .b = b,
                                          .cavitated = true,
                                          .inlet = LASHI_INLET_GROOVE,
                                          .pin = theta};
        lashi_impedance direct, g = lashi_groove_table_impedance(table, eps, a, b, place);
        assert_int_equal(lashi_film_direct(&direct, &peak, grid, &problem, NULL), LASH_OK);
        double off = hypot(g.r - direct.r, g.t - direct.t) / hypot(direct.r, direct.t);
        mean += off / POINTS;
        assert_true(off < 1e-2);
        // The higher of two hills has a corner where they are equal.
        assert_true(fabs(lashi_groove_table_peak(table, eps, a, b, place) / peak - 1) < 0.06);
    }
    assert_true(mean < 5e-4);
    lashi_reynolds_destroy(grid);
}

static void a_grooved_table_loses_power_and_mirrors(void **state) {
    (void)state;
    uint64_t seed = 6;
    for (int k = 0; k < 20000; k++) {
        double eps = LASHI_FILM_EPS_MAX * pow(random_number(&seed), 0.2);
        double beta = 2 * pi * random_number(&seed), theta = 2 * pi * random_number(&seed);
        double a = cos(beta), b = sin(beta), place[2] = {cos(theta), sin(theta)};
        lashi_impedance g = lashi_groove_table_impedance(table, eps, a, b, place);
        assert_true(isfinite(g.r) && isfinite(g.t) && a * g.r + b * g.t > 0);
        lashi_impedance m = lashi_groove_table_impedance(table, eps, a, -b, (double[2]){place[0], -place[1]});
        double size = hypot(g.r, g.t);
        assert_true(fabs(m.r - g.r) < 1e-9 * size && fabs(m.t + g.t) < 1e-9 * size);
    }
    lashi_impedance still = lashi_groove_table_impedance(table, 0.5, 0, 0, (double[2]){1, 0});
    assert_true(still.r == 0 && still.t == 0);
}

static lashi_film grooved_film(double angle) {
    lashi_film_data data = {"reynolds", mu, L, R, c, false, -1, LASHI_INLET_GROOVE, angle};
    lashi_film film;
    lash_error error = {0};
    MUST(lashi_film_compile(&film, film_numbers(), &data, &error));
    return film;
}

/* Force on the journal in ground axes. */
static void film_force(double f[2], const lashi_film *film, const double e[2], const double edot[2], double w,
                       double angle) {
    double n[2], t[2];
    lashi_film_motion m =
        lashi_film_planar(n, t, film, e, edot, w, 3 * w, (double[2]){cos(angle), sin(angle)});
    lashi_film_force_result r = lashi_film_force(film, m);
    for (int k = 0; k < 2; k++)
        f[k] = r.radial * n[k] + r.transverse * t[k];
}

/* All turned by one angle gives the same force turned; the bearing alone, another one. Near the centre the
 * direction of e does not matter. */
static void the_groove_turns_with_the_bearing(void **state) {
    (void)state;
    lashi_film film = grooved_film(0.7);
    const double e[2] = {0.5 * c, 0.2 * c}, edot[2] = {1e-3, 2e-3};
    double f[2], g[2], still[2];
    film_force(f, &film, e, edot, 10, 0);
    const double size = hypot(f[0], f[1]);
    for (int k = 1; k < 12; k++) {
        double C = cos(k), S = sin(k);
        const double e_k[2] = {C * e[0] - S * e[1], S * e[0] + C * e[1]},
                     edot_k[2] = {C * edot[0] - S * edot[1], S * edot[0] + C * edot[1]};
        film_force(g, &film, e_k, edot_k, 10, k);
        assert_true(fabs(g[0] - (C * f[0] - S * f[1])) < 1e-9 * size);
        assert_true(fabs(g[1] - (S * f[0] + C * f[1])) < 1e-9 * size);
    }
    film_force(g, &film, e, edot, 10, 1.5);
    assert_true(hypot(g[0] - f[0], g[1] - f[1]) > 0.02 * size);
    film_force(still, &film, (double[2]){0, 0}, edot, 10, 0.4);
    for (int k = 0; k < 12; k++) {
        film_force(g, &film, (double[2]){1e-6 * c * cos(k), 1e-6 * c * sin(k)}, edot, 10, 0.4);
        assert_true(hypot(g[0] - still[0], g[1] - still[1]) < 2e-3 * hypot(still[0], still[1]));
    }
    lashi_film_clear(&film);
}

/* ---- in a mechanism ---- */

static lash_clearance_def oiled(const char *inlet, double groove) {
    lash_clearance_def play = play_clearance("lankarani-nikravesh", 0.9);
    play.bearing_radius = R + c;
    play.radial = c;
    play.length = L;
    play.has_lubricant = true;
    play.lubricant.film = "reynolds";
    play.lubricant.viscosity = mu;
    play.lubricant.inlet = inlet;
    play.lubricant.groove = groove;
    play.lubricant.dry = false;
    return play;
}

/* The ball as the bearing of a journal in the ground, thrown and spinning: e is minus its place. */
static void forces_in_a_run_are_those_of_the_direct_solution(void **state) {
    (void)state;
    static const char *const channels[] = {"ball.x",  "ball.y",         "ball.vx",
                                           "ball.vy", "ball.angle",     "ball.wz",
                                           "pin.ex",  "pin.film_force", "energy.balance"};
    static const struct {
        const char *inlet;
        double limit; /* of the force's error */
    } cases[] = {{"periodic", 1.5e-3}, {"groove", 1e-2}};
    const double groove = 0.7, thin = 1e-3, K = thin * L * R * (R / c) * (R / c);
    lashi_reynolds *grid = fine_grid();
    for (int k = 0; k < 2; k++) {
        play_run r;
        lash_clearance_def play = oiled(cases[k].inlet, k ? groove : LASH_UNSET);
        play.lubricant.viscosity = thin;
        play_ball(&r, &play, 0.02, 0.05, 150, 400);
        // The other way round: the ball carries the bearing.
        r.model->joints[0].def.between[0] = "ball";
        r.model->joints[0].def.between[1] = "ground";
        play_settings(&r, 0.02, 1e-9);
        play_go(&r, channels, 9, 60);
        if (r.status != LASH_STOP_END)
            fail_msg("%s: %s", cases[k].inlet, r.error.message);
        assert_true(r.summary.max_balance_error <= 1e-10 * r.summary.energy_exchanged);
        double moved = 0;
        for (size_t i = 1; i < r.row_count; i++) {
            const double *row = r.rows + i * r.columns + 1;
            const double e = hypot(row[0], row[1]), n[2] = {-row[0] / e, -row[1] / e}, eps = e / c;
            assert_true(fabs(row[6] + row[0]) < 1e-15);
            lashi_reynolds_problem problem = {.length_ratio = L / (2 * R),
                                              .eps = eps,
                                              .a = -(row[2] * n[0] + row[3] * n[1]) / c,
                                              .b = -(-row[2] * n[1] + row[3] * n[0]) / c - eps * row[5] / 2,
                                              .cavitated = true,
                                              .inlet = k ? LASHI_INLET_GROOVE : LASHI_INLET_PERIODIC,
                                              .pin = groove + row[4] - atan2(n[1], n[0])};
            lashi_impedance g;
            double peak;
            assert_int_equal(lashi_film_direct(&g, &peak, grid, &problem, NULL), LASH_OK);
            assert_true(fabs(row[7] / (K * hypot(g.r, g.t)) - 1) < cases[k].limit);
            moved = fmax(moved, eps);
        }
        assert_true(moved > 0.5); // it went somewhere
        play_end(&r);
    }
    lashi_reynolds_destroy(grid);
}

/* Under a steady load; the groove in the ground's axes is that from the load, which points down. */
static void a_journal_settles_at_the_grooved_bearings_point(void **state) {
    (void)state;
    const double mass = 0.1, speed = 100, from_load = 2.2;
    lash_error error = {0};
    lash_bearing_def bearing = lash_bearing_default();
    bearing.length_ratio = 0.5;
    bearing.inlet = "groove";
    bearing.groove = from_load;
    lash_bearing_point point;
    MUST(lash_bearing_solve(&point, &bearing, 0.6, &error));
    const double gravity = point.load * mu * speed * R * L * (R / c) * (R / c) / mass;
    const lash_clearance_def play = oiled("groove", from_load - pi / 2);
    play_run r;
    play_ball(&r, &play, 0, 0, 0, gravity);
    lash_drive_def drive = lash_drive_default();
    drive.body = "ball";
    drive.speed = speed;
    MUST(lash_model_add_drive(r.model, "motor", &drive, &error));
    lash_run_def run = *lash_model_run(r.model);
    run.method = "gear";
    MUST(lash_model_set_run(r.model, &run, &error));
    play_settings(&r, 1, 1e-8);
    const char *channels[] = {"pin.ex", "pin.ey", "pin.film_pressure"};
    play_go(&r, channels, 3, 10);
    if (r.status != LASH_STOP_END)
        fail_msg("%s", r.error.message);
    const double *end = r.rows + (r.row_count - 1) * r.columns;
    assert_true(fabs(hypot(end[1], end[2]) / c - 0.6) < 2e-3);
    assert_true(fabs(atan2(end[1], -end[2]) - point.attitude) < 3e-3);
    const double pressure = point.peak_pressure * mu * speed * (R / c) * (R / c);
    assert_true(fabs(end[3] / pressure - 1) < 0.02);
    play_end(&r);
}

static void work_ahead_is_told(void **state) {
    (void)state;
    play_run r;
    lash_film_work work;
    lash_clearance_def play = oiled("groove", 0);
    play_ball(&r, &play, 0, 0, 0, 0);
    assert_false(lash_film_work_at(&work, r.model, 0)); // kept already
    play_end(&r);
    play.length = 0.7 * L;
    play_ball(&r, &play, 0, 0, 0, 0);
    assert_true(lash_film_work_at(&work, r.model, 0));
    assert_string_equal(work.joint, "pin");
    assert_true(fabs(work.length_ratio - 0.35) < 1e-12 && work.seconds > 0);
    assert_false(lash_film_work_at(&work, r.model, 1));
    play_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_grooved_table_is_the_direct_solution),
                                       cmocka_unit_test(a_grooved_table_loses_power_and_mirrors),
                                       cmocka_unit_test(the_groove_turns_with_the_bearing),
                                       cmocka_unit_test(forces_in_a_run_are_those_of_the_direct_solution),
                                       cmocka_unit_test(a_journal_settles_at_the_grooved_bearings_point),
                                       cmocka_unit_test(work_ahead_is_told)};
    return cmocka_run_group_tests(tests, compute_tables, drop_tables);
}
