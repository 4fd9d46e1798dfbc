/* SPDX-License-Identifier: MIT
 *
 * The slider-crank of Flores 2010 with play, as the example file has it: against reference values, its own
 * ideal limit, its energy, and itself.
 *
 * Reference: tests/reference/slider-crank.csv, the first turn with play at the gudgeon pin, by an independent
 * program in other coordinates.
 */
#include "physics/play.h"

#include <stdlib.h>

static const char *const reference_channels[] = {"slider.x",     "slider.vx",  "slider.ax",
                                                 "motor.torque", "gudgeon.fn", "gudgeon.e"};
enum { QUANTITIES = 6, INSTANTS = 16 };

static void read_reference(double rows[INSTANTS][QUANTITIES + 1]) {
    FILE *file = fopen(LASH_SOURCE_DIR "/tests/reference/slider-crank.csv", "r");
    assert_non_null(file);
    char line[1024];
    int count = 0;
    while (fgets(line, sizeof line, file)) {
        char *at = line, *end;
        if (line[0] == '#' || line[0] == 't')
            continue;
        assert_true(count < INSTANTS);
        for (int k = 0; k <= QUANTITIES; k++, at = end + 1)
            rows[count][k] = strtod(at, &end);
        count++;
    }
    fclose(file);
    assert_int_equal(count, INSTANTS);
}

static void agrees_with_the_reference(void **state) {
    (void)state;
    double reference[INSTANTS][QUANTITIES + 1];
    read_reference(reference);
    const struct {
        double rtol, limit[QUANTITIES];
    } levels[] = {{1e-8, {1e-6, 1e-6, 1e-5, 1e-5, 1e-5, 1e-5}},
                  {1e-10, {1e-8, 1e-8, 1e-7, 1e-7, 1e-7, 1e-7}}};
    for (size_t l = 0; l < 2; l++) {
        play_run r;
        play_example(&r, "flores-2010", NULL, 0);
        play_turns(&r, 1, levels[l].rtol);
        play_go(&r, reference_channels, QUANTITIES, INSTANTS);
        assert_int_equal(r.status, LASH_STOP_END);
        assert_int_equal(r.row_count, INSTANTS + 1);
        for (int k = 1; k <= QUANTITIES; k++) {
            double worst = 0, size = 0;
            for (size_t i = 0; i < INSTANTS; i++) {
                const double *row = r.rows + (i + 1) * r.columns;
                assert_true(fabs(row[0] - reference[i][0]) < 1e-15);
                worst = fmax(worst, fabs(row[k] - reference[i][k]));
                size = fmax(size, fabs(reference[i][k]));
            }
            if (!(worst <= levels[l].limit[k - 1] * size))
                fail_msg("rtol %g: %s differs by %g of its maximum", levels[l].rtol,
                         reference_channels[k - 1], worst / size);
        }
        play_end(&r);
    }
}

/* The peaks of four contacts, wherever in a step they fall. */
static void peaks_converge(void **state) {
    (void)state;
    enum { contacts = 4, levels = 48 };
    double force[contacts], depth[contacts];
    for (int k = levels; k >= 0; k--) {
        play_run r;
        play_example(&r, "flores-2010", NULL, 0);
        play_turns(&r, 0.06, pow(10, -7.5 - k / 12.0));
        play_go(&r, NULL, 0, 1);
        for (size_t i = 0; i < contacts; i++) {
            const lash_event *out = play_event(&r, LASH_EVENT_RELEASE, i);
            assert_non_null(out);
            if (k == levels) {
                force[i] = out->peak_force;
                depth[i] = out->peak_penetration;
            }
            assert_true(fabs(out->peak_force / force[i] - 1) < 1e-5);
            assert_true(fabs(out->peak_penetration / depth[i] - 1) < 1e-5);
        }
        play_end(&r);
    }
}

static void energy_balances(void **state) {
    (void)state;
    const lash_setting cases[][3] = {{{"friction", "0"}, {"play", "0.05 mm"}, {"crankpin", "ideal"}},
                                     {{"friction", "0.03"}, {"play", "0.05 mm"}, {"crankpin", "ideal"}},
                                     {{"friction", "0.03"}, {"play", "0.2 mm"}, {"crankpin", "clearance"}}};
    for (size_t k = 0; k < 3; k++) {
        play_run r;
        play_example(&r, "flores-2010", cases[k], 3);
        play_turns(&r, 20, 1e-9);
        play_go(&r, NULL, 0, 1);
        assert_int_equal(r.status, LASH_STOP_END);
        assert_true(r.summary.max_balance_error <= 1e-7 * r.summary.energy_exchanged);
        assert_true(r.summary.clearances[0].energy_lost > 0);
        play_end(&r);
    }
}

/* As c → 0 the motion tends to the ideal one. The slider's position differs by c and by the penetration,
 * which falls as c^(1/3) because K does as c^(-1/2); its speed differs by an amount of order c. */
static void vanishing_play_is_ideal(void **state) {
    (void)state;
    const char *channels[] = {"slider.x", "slider.vx"};
    const lash_setting ideal[] = {{"gudgeon", "ideal"}};
    enum { samples = 64 };
    double x[samples + 1], v[samples + 1], worst_v[5];
    play_run r;
    play_example(&r, "flores-2010", ideal, 1);
    play_turns(&r, 3, 1e-9);
    play_go(&r, channels, 2, samples);
    for (size_t i = 0; i <= samples; i++) {
        x[i] = r.rows[i * r.columns + 1];
        v[i] = r.rows[i * r.columns + 2];
    }
    play_end(&r);
    static const double plays[] = {0.16e-3, 0.08e-3, 0.04e-3, 0.02e-3, 0.01e-3};
    for (int k = 0; k < 5; k++) {
        char text[32];
        snprintf(text, sizeof text, "%.9f", plays[k]);
        const lash_setting setting = {"play", text};
        play_example(&r, "flores-2010", &setting, 1);
        play_turns(&r, 3, 1e-8);
        play_go(&r, channels, 2, samples);
        double worst_x = 0;
        worst_v[k] = 0;
        for (size_t i = 0; i <= samples; i++) {
            worst_x = fmax(worst_x, fabs(r.rows[i * r.columns + 1] - x[i]));
            worst_v[k] = fmax(worst_v[k], fabs(r.rows[i * r.columns + 2] - v[i]));
        }
        play_end(&r);
        assert_true(worst_x < 0.5 * plays[k] + 1.5e-5 * cbrt(plays[k] / plays[0]));
    }
    // Halved four times: 0.83, 0.32, 0.16, 0.07, 0.03 m/s, a rate of 1.2.
    const double rate = log2(worst_v[0] / worst_v[4]) / 4;
    assert_true(rate > 0.9);
}

/* Bit for bit: again; recorded otherwise; and from a saved state, at any moment, contacts included. */
static void runs_repeat_bit_for_bit(void **state) {
    (void)state;
    enum { samples = 32 };
    const char *few[] = {"slider.vx"}, *all[] = {"slider.vx", "*"};
    double first[samples + 1];
    size_t steps = 0;
    for (int k = 0; k < 4; k++) {
        play_run r;
        play_example(&r, "flores-2010", NULL, 0);
        play_turns(&r, 1, 1e-7);
        play_go(&r, k == 2 ? all : few, k == 2 ? 2 : 1, k == 3 ? 7 * samples : samples);
        for (size_t i = 0; i <= samples; i++) {
            const double v = r.rows[(k == 3 ? 7 * i : i) * r.columns + 1];
            if (k == 0)
                first[i] = v;
            // Sampled seven times as often the sample times differ in their last bit, the motion does not.
            else if (k < 3)
                assert_memory_equal(&first[i], &v, sizeof v);
        }
        assert_true(k == 0 || r.summary.steps == steps);
        steps = r.summary.steps;
        const double last = lash_sim_value(r.sim, lash_sim_find_channel(r.sim, "slider.vx"));
        assert_true(last == first[samples]);
        play_end(&r);
    }
}

static void a_saved_state_goes_on_bit_for_bit(void **state) {
    (void)state;
    const lash_setting settings[] = {{"crankpin", "clearance"}};
    const double end = 0.004;
    lash_error error = {0};
    play_run r;
    play_example(&r, "flores-2010", settings, 1);
    play_settings(&r, end, 1e-7);
    play_start(&r);
    const size_t fn = lash_sim_find_channel(r.sim, "gudgeon.fn"),
                 vx = lash_sim_find_channel(r.sim, "slider.vx");
    int touching = 0;
    for (int stop = 1; stop <= 6; stop++) {
        // To a place that steps choose, on to the end, and the same again from the copy.
        while (lash_sim_time(r.sim) < stop * 2.1e-4)
            MUST(lash_sim_step(r.sim, end, &error));
        touching += lash_sim_value(r.sim, fn) > 0;
        lash_state *copy;
        MUST(lash_state_create(&copy, r.sim, &error));
        double value[2], force[2];
        size_t impacts[2];
        for (int k = 0; k < 2; k++) {
            while (lash_sim_step(r.sim, end, &error) == LASH_OK)
                ;
            value[k] = lash_sim_value(r.sim, vx);
            force[k] = lash_sim_value(r.sim, fn);
            impacts[k] = lash_sim_summary(r.sim).clearances[0].contacts;
            MUST(lash_sim_restore(r.sim, copy, &error));
        }
        lash_state_destroy(copy);
        assert_memory_equal(&value[0], &value[1], sizeof(double));
        assert_memory_equal(&force[0], &force[1], sizeof(double));
        assert_int_equal(impacts[0], impacts[1]);
    }
    assert_true(touching > 0 && touching < 6);
    play_end(&r);
}

/* Adams and gear see the same motion. */
static void integrators_agree(void **state) {
    (void)state;
    double reference[INSTANTS][QUANTITIES + 1];
    read_reference(reference);
    static const char *const methods[] = {"adams", "gear"};
    for (int m = 0; m < 2; m++) {
        play_run r;
        play_example(&r, "flores-2010", NULL, 0);
        lash_error error = {0};
        lash_run_def run = *lash_model_run(r.model);
        run.method = methods[m];
        run.until_turns = 0.25;
        run.rtol = m ? 1e-7 : 1e-9;
        MUST(lash_model_set_run(r.model, &run, &error));
        play_go(&r, reference_channels, QUANTITIES, 4);
        assert_int_equal(r.status, LASH_STOP_END);
        for (size_t i = 0; i < 4; i++)
            assert_true(fabs(r.rows[(i + 1) * r.columns + 2] - reference[i][2]) < (m ? 1e-4 : 1e-5) * 28.5);
        play_end(&r);
    }
}

/* Every switch of both examples runs, with the degrees of freedom that the play frees. */
static void switches_run(void **state) {
    (void)state;
    static const char *const words[] = {"ideal", "clearance"};
    for (int k = 0; k < 8; k++) {
        const lash_setting settings[] = {
            {"main", words[k & 1]}, {"crankpin", words[k >> 1 & 1]}, {"gudgeon", words[k >> 2]}};
        play_run r;
        play_example(&r, "flores-2010", settings, 3);
        play_turns(&r, 0.5, 1e-6);
        play_go(&r, NULL, 0, 1);
        const size_t open = (size_t)((k & 1) + (k >> 1 & 1) + (k >> 2));
        assert_int_equal(r.status, LASH_STOP_END);
        assert_int_equal(r.summary.clearance_count, open);
        assert_int_equal(lash_system_freedoms(r.system), 2 * open);
        play_end(&r);
    }
    for (int k = 0; k < 4; k++) {
        const lash_setting settings[] = {
            {"crankpin", words[k & 1]}, {"gudgeon", words[k >> 1]}, {"radial", "0.3 mm"}};
        play_run r;
        play_example(&r, "muvengei-2012", settings, 3);
        play_turns(&r, 0.5, 1e-6);
        play_go(&r, NULL, 0, 1);
        assert_int_equal(r.status, LASH_STOP_END);
        assert_int_equal(r.summary.clearance_count, (k & 1) + (k >> 1));
        play_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_reference), cmocka_unit_test(peaks_converge),
        cmocka_unit_test(energy_balances),           cmocka_unit_test(vanishing_play_is_ideal),
        cmocka_unit_test(runs_repeat_bit_for_bit),   cmocka_unit_test(a_saved_state_goes_on_bit_for_bit),
        cmocka_unit_test(integrators_agree),         cmocka_unit_test(switches_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
