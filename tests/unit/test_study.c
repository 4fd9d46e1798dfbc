/* SPDX-License-Identifier: MIT
 *
 * Studies: axes and the numbering of points, distributions, ISO 286 fits, quantiles and their bands, the file
 * of a study, workers and metrics of the caller.
 *
 * Normal quantiles are compared with tabulated values and with Φ; limits of fits with the tables of ISO
 * 286-2; ranks with sums of binomials done by hand.
 */
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/read.h"
#include "study/store.h"
#include "study/study.h"

static void assert_near(double actual, double wanted, double tolerance) {
    if (!(fabs(actual - wanted) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", actual, wanted, tolerance);
}

// ---- distributions

static void normal_quantiles(void **state) {
    (void)state;
    assert_near(lashi_normal_quantile(0.5), 0, 1e-15);
    assert_near(lashi_normal_quantile(0.975), 1.959963984540054, 1e-14);
    assert_near(lashi_normal_quantile(0.995), 2.5758293035489004, 1e-14);
    assert_near(lashi_normal_quantile(1e-10), -6.361340902404056, 1e-13);
    for (double x = -8; x <= 5; x += 0.37) // above, 1 − Φ has lost its digits
        assert_near(lashi_normal_quantile(lashi_normal_cdf(x)), x, 2e-10);
    // Distributions are inverses: more with a larger u, and the definition's value.
    const double u[2] = {0.975, 0.5}, z = 1.959963984540054;
    const lashi_distribution normal = {LASHI_NORMAL, {10, 2}, 0}, uniform = {LASHI_UNIFORM, {3, 7}, 0},
                             wide = {LASHI_TRUNCATED_NORMAL, {10, 2, -1e3, 1e3}, 0};
    assert_near(lashi_distribution_value(&normal, u), 10 + 2 * z, 1e-13);
    assert_near(lashi_distribution_value(&uniform, u), 6.9, 1e-14);
    assert_near(lashi_distribution_value(&wide, u), 10 + 2 * z, 1e-9);
    // A tolerance is six standard deviations, and nothing is outside of it: hole 6 to 12, shaft in its middle.
    const lashi_distribution fit = {LASHI_FIT, {6, 12, 1, 3}, 0};
    const double inside = lashi_normal_cdf(3) - lashi_normal_cdf(-3),
                 one[2] = {(lashi_normal_cdf(1) - lashi_normal_cdf(-3)) / inside, 0.5};
    assert_near(lashi_distribution_value(&fit, one), 9 + 1 - 2, 1e-9);
}

/* Mean and variance of values drawn at the middles of equal shares of probability. */
static void moments(double *mean, double *variance, const lashi_distribution *d, int n) {
    double sum = 0, square = 0;
    for (int i = 0; i < n; i++) {
        const double u[2] = {(i + 0.5) / n, 0.5}, x = lashi_distribution_value(d, u);
        sum += x / n;
        square += x * x / n;
    }
    *mean = sum;
    *variance = square - sum * sum;
}

static void distributions(void **state) {
    (void)state;
    double mean, variance;
    moments(&mean, &variance, &(lashi_distribution){LASHI_NORMAL, {3, 0.5}, 0}, 200000);
    assert_near(mean, 3, 1e-9);
    assert_near(variance, 0.25, 2e-5);
    moments(&mean, &variance, &(lashi_distribution){LASHI_UNIFORM, {2, 5}, 0}, 100000);
    assert_near(mean, 3.5, 1e-9);
    assert_near(variance, 9.0 / 12, 1e-9);
    // Half a normal: mean √(2/π), variance 1 − 2/π; on either side.
    moments(&mean, &variance, &(lashi_distribution){LASHI_TRUNCATED_NORMAL, {0, 1, 0, 40}, 0}, 200000);
    assert_near(mean, 0.7978845608028654, 1e-5);
    assert_near(variance, 0.3633802276324187, 1e-4);
    moments(&mean, &variance, &(lashi_distribution){LASHI_TRUNCATED_NORMAL, {0, 1, -40, 0}, 0}, 200000);
    assert_near(mean, -0.7978845608028654, 1e-5);
    // Far out in a tail the limits hold and digits are not lost: the mean is
    // the hazard rate φ(9)/Q(9) ≈ 9 + 1/9 − 2/9³.
    moments(&mean, &variance, &(lashi_distribution){LASHI_TRUNCATED_NORMAL, {0, 1, 9, 10}, 0}, 100000);
    assert_near(mean, 9.1084, 1e-3);
}

static void draws_are_reproducible(void **state) {
    (void)state;
    enum { N = 20000 };
    double sum = 0, product = 0;
    for (size_t i = 0; i < N; i++) {
        const double u = lashi_uniform(1, "play", i, 0), v = lashi_uniform(1, "friction", i, 0);
        assert_true(u > 0 && u < 1);
        assert_true(u == lashi_uniform(1, "play", i, 0));
        sum += u / N;
        product += (u - 0.5) * (v - 0.5) / N;
    }
    // Five standard errors: 1/√(12 N), and 1/(12 √N) for the product of independent ones.
    assert_near(sum, 0.5, 5 / sqrt(12.0 * N));
    assert_near(product, 0, 5 / (12 * sqrt((double)N)));
    assert_true(lashi_uniform(1, "play", 0, 0) != lashi_uniform(2, "play", 0, 0));
    assert_true(lashi_uniform(1, "play", 0, 0) != lashi_uniform(1, "play", 0, 1));
}

// ---- fits

static void fits(void **state) {
    (void)state;
    static const struct {
        const char *fit;
        double diameter;  /* mm */
        double limits[4]; /* µm: hole low, high, shaft low, high */
    } known[] = {
        {"H7/g6", 20, {0, 21, -20, -7}}, {"H7/f7", 20, {0, 21, -41, -20}}, {"H8/e8", 50, {0, 39, -89, -50}},
        {"H7/k6", 25, {0, 21, 2, 15}},   {"H6/h5", 3, {0, 6, -4, 0}},      {"H7/h6", 18, {0, 18, -11, 0}},
        {"H9/h9", 120, {0, 87, -87, 0}}, {"H8/k8", 60, {0, 46, 0, 46}},    {"H7/g6", 6, {0, 12, -12, -4}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double limits[4];
        assert_null(lashi_fit_limits(limits, known[i].fit, known[i].diameter * 1e-3));
        for (int k = 0; k < 4; k++)
            assert_near(limits[k], known[i].limits[k] * 1e-6, 1e-15);
    }
    double limits[4];
    assert_non_null(lashi_fit_limits(limits, "H7", 0.02));
    assert_non_null(lashi_fit_limits(limits, "H7/g6x", 0.02));
    assert_non_null(lashi_fit_limits(limits, "F7/h6", 0.02));
    assert_non_null(lashi_fit_limits(limits, "H7/z6", 0.02));
    assert_non_null(lashi_fit_limits(limits, "H4/g6", 0.02));
    assert_non_null(lashi_fit_limits(limits, "H7/g6", 0.1201));
    assert_non_null(lashi_fit_limits(limits, "H7/g6", 0));
    // The clearance of H7/g6 at 20 mm: 7 … 41 µm, in the middle 24 µm.
    lashi_distribution d = {LASHI_FIT, {0, 21e-6, -20e-6, -7e-6}, 0};
    for (int uniform = 0; uniform < 2; uniform++) {
        d.uniform = uniform;
        assert_near(lashi_distribution_value(&d, (double[]){0.5, 0.5}), 24e-6, 1e-18);
        assert_near(lashi_distribution_value(&d, (double[]){1e-16, 1 - 1e-16}), 7e-6, 1e-9);
        assert_near(lashi_distribution_value(&d, (double[]){1 - 1e-16, 1e-16}), 41e-6, 1e-9);
    }
}

// ---- quantiles

static void quantiles(void **state) {
    (void)state;
    const double x[] = {1, 2, 4, 8, 16};
    assert_near(lashi_quantile(x, 5, 0), 1, 0);
    assert_near(lashi_quantile(x, 5, 0.5), 4, 0);
    assert_near(lashi_quantile(x, 5, 0.625), 6, 1e-15);
    assert_near(lashi_quantile(x, 5, 1), 16, 0);
    assert_true(isnan(lashi_quantile(x, 0, 0.5)));
    // Median of 10: P(B <= 1) = 11/1024 < 0.025 < 56/1024 = P(B <= 2): ranks 2 and 9, 97.9 %.
    size_t low, high;
    lashi_quantile_ranks(&low, &high, 10, 0.5, 0.95);
    assert_int_equal(low, 2);
    assert_int_equal(high, 9);
    // Of 5 values none is surely below the median: P(B = 0) = 1/32 > 0.025.
    lashi_quantile_ranks(&low, &high, 5, 0.5, 0.95);
    assert_int_equal(low, 0);
    assert_int_equal(high, 0);
    // The 95 % quantile of 60 has no upper bound: 0.95⁶⁰ = 4.6 % > 2.5 %; of 80 it has: 1.7 %.
    lashi_quantile_ranks(&low, &high, 60, 0.95, 0.95);
    assert_int_equal(high, 0);
    lashi_quantile_ranks(&low, &high, 80, 0.95, 0.95);
    assert_int_equal(high, 80);
}

/* The band covers the true quantile at least as often as it says. */
static void bands_cover(void **state) {
    (void)state;
    enum { TRIALS = 2000, N = 50 };
    int covered = 0;
    size_t low, high;
    lashi_quantile_ranks(&low, &high, N, 0.25, 0.9);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        // x_(low) <= q means: at least `low` of the values are below q = 0.25; and so on.
        size_t below = 0;
        for (size_t i = 0; i < N; i++)
            below += lashi_uniform(trial, "x", i, 0) < 0.25;
        covered += below >= low && below < high;
    }
    // Three standard errors of 2000 trials.
    assert_true(covered >= TRIALS * 0.9 - 3 * sqrt(TRIALS * 0.9 * 0.1));
}

// ---- axes

static char folder[] = "/tmp/lash-study-XXXXXX";

static void write_study(const char *text) {
    FILE *file = fopen("study.yaml", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static lash_study *load(const char *text) {
    lash_study *study;
    lash_error error;
    write_study(text);
    if (lash_study_load(&study, "study.yaml", NULL, &error))
        fail_msg("%s", error.message);
    return study;
}

static void axes(void **state) {
    (void)state;
    lash_study *study = load("model: " LASH_SOURCE_DIR "/examples/flores-2010.yaml\n"
                             "axes:\n"
                             "  play: {from: 0.01 mm, to: 1 mm, steps: 3, scale: log}\n"
                             "  gudgeon: [ideal, clearance]\n"
                             "  friction: [0.01, 0.02, 0.03]\n"
                             "  speed: {from: 60 rpm, to: 120 rpm, steps: 2}\n"
                             "zip: [play, friction]\n"
                             "sample: {count: 5, seed: 9, restitution: {uniform: [0.5, 0.9]}}\n"
                             "metrics: [max slider.ax]\n");
    assert_int_equal(lash_study_point_count(study), 3 * 2 * 2 * 5);
    assert_near(study->axes[0].values[1].number, 1e-4, 1e-18);
    assert_near(study->axes[0].values[2].number, 1e-3, 0);
    assert_string_equal(study->axes[0].unit, "m");
    assert_near(study->axes[3].values[1].number, 4 * 3.14159265358979323846, 1e-14);
    // The sample runs fastest, then the last group; axes that are zipped stay together.
    for (size_t point = 0; point < 60; point++) {
        const size_t setting = point / 5;
        assert_int_equal(lashi_point_axis_index(study, point, 3), setting % 2);
        assert_int_equal(lashi_point_axis_index(study, point, 1), setting / 2 % 2);
        assert_int_equal(lashi_point_axis_index(study, point, 0), setting / 4);
        assert_int_equal(lashi_point_axis_index(study, point, 2), setting / 4);
        assert_true(lashi_point_draw(study, point, 0) == lashi_point_draw(study, point % 5, 0));
    }
    lashi_point_settings settings;
    assert_int_equal(lashi_point_settings_create(&settings, study, 59, 0, NULL), 0);
    assert_int_equal(settings.count, 5);
    assert_string_equal(settings.settings[1].name, "gudgeon");
    assert_string_equal(settings.settings[1].value, "clearance");
    lashi_point_settings_clear(&settings);
    lash_study_destroy(study);
}

// ---- workers

static const char loose_bob[] =
    "gravity: [0, -9.81]\nparameters: {play: 0.5 mm}\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
    "bodies: {bob: {mass: 1, inertia: 0.01, points: {a: [0, 0.1]}, position: [0.05, -0.08], angle: 0.6}}\n"
    "joints:\n  pin: {type: revolute, between: [ground, bob.a], clearance: {bearing_radius: 1 cm, radial: "
    "$play,\n"
    "        materials: steel, contact: {restitution: 0.9}}}\n"
    "run: {until: 0.05, samples: 20}\n";

/* The tables of one worker and of several are the same, cell by cell. */
static void workers_agree(void **state) {
    (void)state;
    lash_study_table *tables[2];
    FILE *model = fopen("model.yaml", "w");
    assert_non_null(model);
    assert_true(fputs(loose_bob, model) >= 0);
    assert_int_equal(fclose(model), 0);
    static const char content[] = "model: model.yaml\naxes: {play: {from: 0.3 mm, to: 0.6 mm, steps: 12}}\n"
                                  "metrics: [max bob.y, rms bob.vx]\n";
    for (int i = 0; i < 2; i++) {
        lash_study *study = load(content);
        lash_study_progress progress;
        const char *store = i ? "many.db" : "one.db";
        const lash_study_options options = {.store = store, .jobs = i ? 4 : 1};
        assert_int_equal(lash_study_run(&progress, study, &options, NULL), LASH_OK);
        assert_int_equal(progress.failed, 0);
        lash_study_destroy(study);
        assert_int_equal(lash_study_table_open(&tables[i], store, NULL), LASH_OK);
    }
    assert_int_equal(lash_study_table_rows(tables[0]), 12);
    assert_int_equal(lash_study_table_rows(tables[1]), 12);
    for (size_t r = 0; r < 12; r++)
        for (size_t c = 0; c < lash_study_table_width(tables[0]); c++)
            assert_string_equal(lash_study_table_text(tables[0], r, c),
                                lash_study_table_text(tables[1], r, c));
    lash_study_table_close(tables[0]);
    lash_study_table_close(tables[1]);
}

// ---- tables of the model

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The hash of a model's tables changes with their contents, wherever the model is, and with nothing else. */
static void tables_are_told_apart(void **state) {
    (void)state;
    static const char model[] = "bodies: {m: {mass: 1, inertia: 1}}\n"
                                "joints: {guide: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
                                "inputs: {u: {unit: N, table: {file: push.csv}}}\nrun: {until: 1}\n";
    static const char *const models[] = {"pushed.yaml", "below/pushed.yaml"}, *const tables[] = {
                                                                                  "push.csv",
                                                                                  "below/push.csv"};
    mkdir("below", 0700);
    for (int k = 0; k < 2; k++) {
        uint64_t hashes[3] = {1, 1, 1};
        write_text(models[k], model);
        for (int i = 0; i < 3; i++) {
            lash_model *read;
            lash_error error = {0};
            write_text(tables[k], i == 1 ? "0,1\n1,3\n" : "0,1\n1,2\n");
            if (lash_model_load(&read, models[k], NULL, &error))
                fail_msg("%s", error.message);
            lashi_hash_tables(&hashes[i], read, models[k]);
            lash_model_destroy(read);
        }
        assert_true(hashes[0] == hashes[2] && hashes[0] != hashes[1] && hashes[0] != 1);
        unlink(models[k]);
        unlink(tables[k]);
    }
    rmdir("below");
}

// ---- integrals and extrema

static double cell(const lash_study_table *table, size_t row, const char *column) {
    for (size_t c = 0; c < lash_study_table_width(table); c++)
        if (strcmp(lash_study_table_column(table, c).name, column) == 0)
            return lash_study_table_number(table, row, c);
    fail_msg("no column %s", column);
    return 0;
}

static void run_study(lash_study_table **table, const char *model, const char *content) {
    lash_study_progress progress;
    write_text("fast.yaml", model);
    lash_study *study = load(content);
    const lash_study_options options = {.store = "fast.db", .jobs = 1};
    unlink("fast.db");
    assert_int_equal(lash_study_run(&progress, study, &options, NULL), LASH_OK);
    lash_study_destroy(study);
    assert_int_equal(lash_study_table_open(table, "fast.db", NULL), LASH_OK);
}

/* A body that turns freely takes half a dozen steps however fast it is, and its sine is followed within them. Among 200
 * speeds are such whose vibration has the same phase at evenly spaced instants. */
static void fast_signals_are_followed(void **state) {
    (void)state;
    lash_study_table *table;
    run_study(&table,
              "parameters: {w: 1 rad/s}\n"
              "bodies: {a: {mass: 1, inertia: 1, angular_velocity: $w, hold: [w]}}\n"
              "signals: {wave: sin(a.angle)}\nrun: {until: 1}\n",
              "model: fast.yaml\naxes: {w: {from: 10 rad/s, to: 10000 rad/s, steps: 200, scale: log}}\n"
              "metrics: [mean wave, rms wave, max wave, min wave]\n");
    assert_int_equal(lash_study_table_rows(table), 200);
    for (size_t r = 0; r < 200; r++) {
        const double w = cell(table, r, "w");
        assert_near(cell(table, r, "mean wave"), (1 - cos(w)) / w, 3e-6);
        assert_near(cell(table, r, "rms wave"), sqrt(0.5 - sin(2 * w) / (4 * w)), 3e-6);
        assert_near(cell(table, r, "max wave"), 1, 3e-6);
        assert_near(cell(table, r, "min wave"), -1, 3e-6);
    }
    lash_study_table_close(table);
}

/* A reaction that does nothing to the motion: an unbalanced rotor in space, whose pin leaves one angle. */
static void reactions_of_a_rotor(void **state) {
    (void)state;
    lash_study_table *table;
    run_study(
        &table,
        "space: spatial\nparameters: {w: 1 rad/s}\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0.1, 0, 0], angular_velocity: [0, 0, $w],\n"
        "    points: {p: [-0.1, 0, 0]}, hold: [w]}}\n"
        "joints: {pin: {type: revolute, between: [ground, a.p], axis: [0, 0, 1]}}\nrun: {until: 1}\n",
        "model: fast.yaml\naxes: {w: [50 rad/s, 700 rad/s, 2970.3 rad/s, 3000 rad/s]}\n"
        "metrics: [mean pin.fx, rms pin.fx, max pin.fx, mean pin.fz, rms pin.fz]\n");
    assert_int_equal(lash_study_table_rows(table), 4);
    for (size_t r = 0; r < 4; r++) {
        const double w = cell(table, r, "w"), force = 0.1 * w * w;
        assert_near(cell(table, r, "mean pin.fx") / force, -sin(w) / w, 3e-6);
        assert_near(cell(table, r, "rms pin.fx") / force, sqrt(0.5 + sin(2 * w) / (4 * w)), 3e-6);
        assert_near(cell(table, r, "max pin.fx") / force, 1, 3e-6);
        assert_near(cell(table, r, "mean pin.fz") / force, 0, 1e-9);
    }
    lash_study_table_close(table);
}

/* What a thousand values in a step do not show is an error, not a number; a jump in a step is none. */
static void too_fast_signals_are_refused(void **state) {
    (void)state;
    lash_study_table *table;
    run_study(&table,
              "parameters: {k: 1}\n"
              "bodies: {a: {mass: 1, inertia: 1, angular_velocity: 1 rad/s, hold: [w]}}\n"
              "signals: {wave: sin($k*a.angle), jump: \"if(a.angle > 0.3, 2, 1)\"}\nrun: {until: 1}\n",
              "model: fast.yaml\naxes: {k: [1, 1e7]}\nmetrics: [mean wave, mean jump]\n");
    assert_near(cell(table, 0, "mean wave"), 1 - cos(1), 3e-6);
    assert_near(cell(table, 0, "mean jump"), 1.7, 3e-6);
    assert_true(isnan(cell(table, 1, "mean wave")));
    const size_t last = lash_study_table_width(table) - 1;
    assert_string_equal(lash_study_table_column(table, last).name, "message");
    assert_non_null(strstr(lash_study_table_text(table, 1, last), "wave changes too fast"));
    lash_study_table_close(table);
}

/* The same where the time that counts begins with a long step: what is fast is not taken for rounding. */
static void too_fast_signals_are_refused_after_a_discard(void **state) {
    (void)state;
    lash_study_table *table;
    run_study(
        &table,
        "parameters: {k: 1}\n"
        "bodies: {a: {mass: 1, inertia: 1, angular_velocity: 1 rad/s, hold: [w]}}\n"
        "signals: {wave: sin($k*a.angle)}\nrun: {until: 1}\n",
        "model: fast.yaml\naxes: {k: [1, 1.7e7, 1e8, 1.1e9, 1e10]}\ndiscard: 0.2 s\nmetrics: [mean wave]\n");
    assert_near(cell(table, 0, "mean wave"), (cos(0.2) - cos(1)) / 0.8, 3e-6);
    for (size_t r = 1; r < lash_study_table_rows(table); r++)
        assert_true(isnan(cell(table, r, "mean wave")));
    lash_study_table_close(table);
}

/* Three bars that hang at rest: their accelerations and reactions are rounding, and no failure. */
static void rest_is_resolved(void **state) {
    (void)state;
    lash_study_table *table;
    run_study(&table,
              "gravity: [0, -9.81]\nparameters: {a: 1}\nbodies:\n"
              "  b1: {mass: 1, inertia: 0.03, position: [0, -0.3], angle: -90 deg,\n"
              "       points: {l: [-0.3, 0], r: [0.3, 0]}}\n"
              "  b2: {mass: 1.7, inertia: 0.03, position: [0, -0.9], angle: -90 deg,\n"
              "       points: {l: [-0.3, 0], r: [0.3, 0]}}\n"
              "  b3: {mass: $a, inertia: 0.03, position: [0, -1.5], angle: -90 deg, points: {l: [-0.3, 0]}}\n"
              "joints:\n"
              "  j1: {type: revolute, between: [ground, b1.l]}\n"
              "  j2: {type: revolute, between: [b1.r, b2.l]}\n"
              "  j3: {type: revolute, between: [b2.r, b3.l]}\nrun: {until: 10}\n",
              "model: fast.yaml\naxes: {a: [0.37, 1]}\nmetrics: [rms j1.fx, mean j1.fy, rms b3.ax, rms "
              "b3.alphaz, rms j2.f]\n");
    for (size_t r = 0; r < lash_study_table_rows(table); r++) {
        assert_near(cell(table, r, "mean j1.fy"), 9.81 * (2.7 + (r ? 1 : 0.37)), 1e-9);
        assert_near(cell(table, r, "rms j1.fx"), 0, 1e-9);
        assert_near(cell(table, r, "rms b3.alphaz"), 0, 1e-9);
    }
    lash_study_table_close(table);
}

// ---- metrics that the caller makes

/* The distance that the slider has covered, from the speed at both ends of every step. */
typedef struct way {
    double sum;
    size_t steps;
} way;

static lash_status add_way(void *user, void *memory, lash_sim *sim, double t_old, double t_new) {
    way *w = memory;
    const size_t channel = lash_sim_find_channel(sim, user);
    if (w->steps++ == 0)
        assert_true(w->sum == 0); // every point begins afresh
    w->sum += 0.5 * (t_new - t_old) *
              (fabs(lash_sim_value_at(sim, channel, t_old)) + fabs(lash_sim_value_at(sim, channel, t_new)));
    return LASH_OK;
}

static double way_of(void *user, void *memory, lash_sim *sim) {
    (void)user, (void)sim;
    return ((const way *)memory)->sum;
}

static double end_of(void *user, void *memory, lash_sim *sim) {
    (void)user, (void)memory;
    return lash_sim_time(sim);
}

static void metrics_of_the_caller(void **state) {
    (void)state;
    lash_study *study = load("model: " LASH_SOURCE_DIR "/examples/flores-2010.yaml\n"
                             "set: {gudgeon: ideal}\naxes: {speed: [1000 rpm, 2000 rpm, 3000 rpm]}\n"
                             "run: {until: 1 rev of motor, max_step: 20 us}\n"
                             "metrics: [own way, peak-to-peak slider.x, own end]\n");
    lash_study_progress progress;
    lash_error error;
    lash_study_table *table;
    char channel[] = "slider.vx";
    const lash_study_options options = {.store = "study.db", .jobs = 2};
    const lash_study_metric of_way = {
        .unit = "m", .memory = sizeof(way), .observe = add_way, .value = way_of, .user = channel};
    const lash_study_metric of_end = {.unit = "s", .value = end_of}, nothing = {.unit = "m"};
    unlink("study.db");
    assert_int_equal(lash_study_run(&progress, study, &options, &error), LASH_ERROR_USAGE);
    assert_non_null(strstr(error.message, "own way"));
    assert_int_equal(lash_study_set_metric(study, "wya", &of_way, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_study_set_metric(study, "way", &nothing, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_study_set_metric(study, "way", &of_way, &error), LASH_OK);
    assert_int_equal(lash_study_set_metric(study, "end", &of_end, &error), LASH_OK);
    assert_int_equal(lash_study_run(&progress, study, &options, &error), LASH_OK);
    assert_int_equal(progress.failed, 0);
    assert_int_equal(lash_study_table_open(NULL, "study.db", &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_study_table_open(&table, "study.db", &error), LASH_OK);
    size_t columns[3] = {0};
    for (size_t c = 0; c < lash_study_table_width(table); c++) {
        const lash_study_column column = lash_study_table_column(table, c);
        for (size_t k = 0; k < 3; k++)
            if (strcmp(column.name, (const char *[]){"own way", "peak-to-peak slider.x", "own end"}[k]) == 0)
                columns[k] = c;
    }
    assert_string_equal(lash_study_table_column(table, columns[0]).unit, "m");
    assert_string_equal(lash_study_table_column(table, columns[2]).unit, "s");
    for (size_t r = 0; r < 3; r++) {
        // There and back; the sum by trapezia is good to 1e-4 with such steps.
        const double stroke = lash_study_table_number(table, r, columns[1]);
        assert_true(fabs(lash_study_table_number(table, r, columns[0]) - 2 * stroke) < 1e-4 * stroke);
        assert_true(fabs(lash_study_table_number(table, r, columns[2]) - 0.06 / (double)(r + 1)) < 1e-12);
    }
    // Quantiles of a column: of all rows, of the last two, of none; and of a column of words.
    lash_study_quantile q = lash_study_table_quantile(table, columns[2], 0, SIZE_MAX, 0.5, 0.5);
    assert_int_equal(q.count, 3);
    assert_true(fabs(q.value - 0.03) < 1e-12 && q.low <= q.value && q.high >= q.value);
    q = lash_study_table_quantile(table, columns[2], 1, 2, 0.5, 0.95);
    assert_int_equal(q.count, 2);
    assert_true(fabs(q.value - 0.025) < 1e-12 && isnan(q.low) && isnan(q.high)); // two say too little
    size_t words = 0;
    for (size_t c = 0; c < lash_study_table_width(table) + 1; c++) {
        q = lash_study_table_quantile(table, c, c ? 3 : 0, SIZE_MAX, 0.5, 0.95);
        if (q.count == 0) {
            assert_true(isnan(q.value) && isnan(q.low) && isnan(q.high));
            words++;
        }
    }
    assert_true(words > 0);
    lash_study_table_close(table);
    lash_study_destroy(study);
    unlink("study.db");
}

// ---- the file

static void versions_are_kept_apart(void **state) {
    (void)state;
    lash_study *study = load("model: " LASH_SOURCE_DIR "/examples/flores-2010.yaml\n"
                             "set: {gudgeon: ideal}\n"
                             "run: {until: 0.01 rev of motor}\n"
                             "metrics: [max slider.ax]\n");
    lash_study_progress progress;
    lash_error error;
    const lash_study_options options = {.store = "study.db", .jobs = 1};
    assert_int_equal(lash_study_run(&progress, study, &options, &error), LASH_OK);
    assert_int_equal(progress.done, 1);
    assert_int_equal(progress.earlier, 0);
    assert_int_equal(lash_study_run(&progress, study, &options, &error), LASH_OK);
    assert_int_equal(progress.earlier, 1);
    sqlite3 *db;
    assert_int_equal(sqlite3_open("study.db", &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE about SET value = '0.0.7' WHERE name = 'version'", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(lash_study_run(&progress, study, &options, &error), LASH_ERROR_USAGE);
    assert_non_null(strstr(error.message, "0.0.7"));
    lash_study_destroy(study);
}

static int enter(void **state) {
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state) {
    (void)state;
    static const char *const names[] = {"study.yaml",   "model.yaml", "study.db", "study.db-wal",
                                        "study.db-shm", "one.db",     "many.db"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(names[i]);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_quantiles),
        cmocka_unit_test(distributions),
        cmocka_unit_test(draws_are_reproducible),
        cmocka_unit_test(fits),
        cmocka_unit_test(quantiles),
        cmocka_unit_test(bands_cover),
        cmocka_unit_test(axes),
        cmocka_unit_test(tables_are_told_apart),
        cmocka_unit_test(workers_agree),
        cmocka_unit_test(fast_signals_are_followed),
        cmocka_unit_test(reactions_of_a_rotor),
        cmocka_unit_test(too_fast_signals_are_refused),
        cmocka_unit_test(too_fast_signals_are_refused_after_a_discard),
        cmocka_unit_test(rest_is_resolved),
        cmocka_unit_test(metrics_of_the_caller),
        cmocka_unit_test(versions_are_kept_apart),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
