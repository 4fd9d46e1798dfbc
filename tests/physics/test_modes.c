/* SPDX-License-Identifier: MIT
 *
 * Contacts that are constraints, during a run: which of several follow after an impact, pressures that dip
 * below zero for a short while, starts that pull; and the same run by other methods, by the sparse solver,
 * and after going back to a saved state.
 */
#include "play.h"

#include "rig.h"

/* ---- which contacts follow ---- */

/* A bar of 1 kg, 0.01 kg m², pins 0.1 m left and 0.4 m right of its centre at the bottom of their rings. With
 * both closed W = [2 −3; −3 17] 1/kg. */
#define BAR                                                                                                  \
    "ground: {points: {a: [-0.1, 0], b: [0.4, 0]}}\n"                                                        \
    "bodies: {bar: {mass: 1, inertia: 0.01, points: {a: [-0.1, 0], b: [0.4, 0]}}}\njoints:\n"                \
    "  a: {type: revolute, between: [ground.a, bar.a], clearance: {model: three-mode, radial: 0.01, "        \
    "restitution: %g, offset: [0, %.17g]}}\n"                                                                \
    "  b: {type: revolute, between: [ground.b, bar.b], clearance: {model: three-mode, radial: 0.01, "        \
    "restitution: %g, offset: [0, %.17g]}}\n"                                                                \
    "forces:\n  lift: {type: force, at: bar, force: [0, %.17g]}\n"                                           \
    "  turn: {type: torque, body: bar, torque: %.17g}\nrun: {until: 0.02 s, rtol: 1e-10}\n"

/* Accelerations into the walls without contact, and what follows from them by trying every set. */
typedef struct outcome {
    bool closed[2];
    double N[2];
} outcome;

static outcome tried(const double b[2]) {
    const double W[2][2] = {{2, -3}, {-3, 17}}, det = 25;
    for (int set = 0; set < 4; set++) {
        outcome o = {.closed = {set & 1, set & 2}};
        if (set == 3) {
            o.N[0] = (W[1][1] * b[0] - W[0][1] * b[1]) / det;
            o.N[1] = (W[0][0] * b[1] - W[1][0] * b[0]) / det;
        } else {
            for (int k = 0; k < 2; k++)
                o.N[k] = o.closed[k] ? b[k] / W[k][k] : 0;
        }
        bool good = true;
        for (int k = 0; k < 2; k++) {
            const double into = b[k] - W[k][0] * o.N[0] - W[k][1] * o.N[1];
            good = good && (o.closed[k] ? o.N[k] >= 0 : into <= 0);
        }
        if (good)
            return o;
    }
    fail_msg("no set of contacts");
    return (outcome){0};
}

/* Both pins strike at once without rebound, or lie there from the start; then the load, which presses, lifts
 * or tips the bar, says which of them follow. In the first load both closed would pull, the left one more:
 * let go, it would have to be closed again. */
static void follows_what_presses(void **state) {
    (void)state;
    unsigned long long seed = 11;
    int count[4] = {0};
    for (int k = 0; k < 60; k++) {
        const double into[2] = {k < 2 ? 0.5 : rig_random(&seed, -10, 10),
                                k < 2 ? -10 : rig_random(&seed, -10, 10)};
        // into_i = −(a + α x_i)
        const double alpha = (into[0] - into[1]) / 0.5, a = -into[0] + 0.1 * alpha;
        const bool strikes = k % 2;
        const double y = strikes ? -0.01 + 1e-8 : -0.01;
        rig r = rig_open(BAR, 0.0, y, 0.0, y, a, 0.01 * alpha);
        lash_error error = {0};
        if (strikes) {
            double start[6];
            assert_int_equal(lash_sim_coordinate_count(r.sim), 6);
            lash_sim_coordinates(start, r.sim);
            start[4] = -1;
            rig_require(lash_sim_set_coordinates(r.sim, start, &error), &error, "start");
            while (lash_sim_summary(r.sim).events == 0)
                rig_require(lash_sim_step(r.sim, 1e-3, &error), &error, "step");
            assert_true(fabs(lash_sim_time(r.sim) - 1e-8) < 1e-12);
        }
        const outcome expected = tried(into);
        const double N[2] = {rig_value(&r, "a.n"), rig_value(&r, "b.n")};
        for (int i = 0; i < 2; i++) {
            const bool closed = rig_value(&r, i ? "b.mode" : "a.mode") == 2;
            if (closed != expected.closed[i] || !(fabs(N[i] - expected.N[i]) < 1e-6))
                fail_msg("load %d: contact %d is %d with %g N, not %d with %g N", k, i, closed, N[i],
                         expected.closed[i], expected.N[i]);
        }
        count[expected.closed[0] + 2 * expected.closed[1]]++;
        rig_step_to(&r, 0.001);
        assert_int_equal(lash_sim_summary(r.sim).clearances[0].chatter, 0);
        assert_int_equal(lash_sim_summary(r.sim).clearances[1].chatter, 0);
        rig_close(&r);
    }
    for (int set = 0; set < 4; set++)
        assert_true(count[set] > 2);
}

/* After every change of mode in a long rattle: closed contacts press, open ones at the wall leave it. */
static void consistent_after_impacts(void **state) {
    (void)state;
    unsigned long long seed = 5;
    size_t changes = 0;
    for (int k = 0; k < 8; k++) {
        rig r = rig_open(BAR, rig_random(&seed, 0, 0.9), -0.005, rig_random(&seed, 0, 0.9), -0.005,
                         rig_random(&seed, -30, -10), rig_random(&seed, -0.5, 1.5));
        lash_error error = {0};
        double start[6];
        lash_sim_coordinates(start, r.sim);
        start[3] = rig_random(&seed, -0.3, 0.3);
        start[5] = rig_random(&seed, -3, 3);
        rig_require(lash_sim_set_coordinates(r.sim, start, &error), &error, "start");
        size_t before = 0;
        while (lash_sim_time(r.sim) < 0.5) {
            rig_require(lash_sim_step(r.sim, 0.5, &error), &error, "step");
            const lash_summary summary = lash_sim_summary(r.sim);
            if (summary.events == before)
                continue;
            changes += summary.events - before;
            before = summary.events;
            for (int i = 0; i < 2; i++) {
                const bool closed = rig_value(&r, i ? "b.mode" : "a.mode") == 2;
                const double N = rig_value(&r, i ? "b.n" : "a.n"),
                             gap = 0.01 - rig_value(&r, i ? "b.e" : "a.e"),
                             x = rig_value(&r, i ? "b.ex" : "a.ex"), y = rig_value(&r, i ? "b.ey" : "a.ey"),
                             pin = i ? 0.4 : -0.1, angle = rig_value(&r, "bar.angle"),
                             w = rig_value(&r, "bar.wz");
                const double into = ((rig_value(&r, "bar.vx") - w * pin * sin(angle)) * x +
                                     (rig_value(&r, "bar.vy") + w * pin * cos(angle)) * y) /
                                    hypot(x, y);
                if (closed ? !(N > -1e-9) : gap < 1e-12 && into > 1e-9)
                    fail_msg("bar %d, %.9g s: contact %d is %d, N %g, into the wall at %g m/s", k,
                             lash_sim_time(r.sim), i, closed, N, into);
            }
        }
        assert_int_equal(lash_sim_summary(r.sim).clearances[0].chatter, 0);
        rig_close(&r);
    }
    assert_true(changes > 100);
}

/* ---- short dips of the pressure ---- */

/* A ball at rest at the bottom of its ring, pressed by 30 N but for a dip exp(−x²) of 40 N: nothing moves, so
 * that the steps are max_step, 0.1 s. N < 0 while |x| < √ln(4/3). */
static void finds_short_dips(void **state) {
    (void)state;
    static const char *const channels[] = {"ring.n", NULL};
    const double h = 0.1, half = sqrt(log(4.0 / 3));
    for (int length = 0; length < 2; length++)
        for (int k = 0; k < 40; k++) {
            // The whole dip is a quarter or an eighth of a step; anywhere in it, and across its ends.
            const double w = (length ? 0.125 : 0.25) * h / (2 * half), t0 = 0.5 + h * k / 40;
            rig r = rig_open("bodies: {ball: {mass: 1, inertia: 0.1}}\n"
                             "joints: {ring: {type: revolute, between: [ground, ball], clearance: {model: "
                             "permanent-contact, radial: 0.1, offset: [0, -0.1]}}}\n"
                             "forces: {push: {type: force, at: ball, force: [0, "
                             "\"-30 N + 40 N*exp(-((t/1 s - %.17g)/%.17g)^2)\"]}}\n"
                             "run: {until: 1 s, first_step: 0.1 s, max_step: 0.1 s}\n",
                             t0, w);
            rig_rows rows = rig_sample(&r, 10, channels, false);
            size_t count;
            const lash_event *events = lash_record_events(&count, rows.record);
            if (count != 2)
                fail_msg("length %d, dip at %g of a step: %zu events", length, k / 40.0, count);
            assert_int_equal(events[0].kind, LASH_EVENT_LOST);
            assert_int_equal(events[1].kind, LASH_EVENT_REGAINED);
            assert_true(fabs(events[0].time - (t0 - w * half)) < 1e-8);
            assert_true(fabs(events[1].time - (t0 + w * half)) < 1e-8);
            rig_rows_close(&rows);
            rig_close(&r);
        }
}

/* ---- starts ---- */

/* At rest near the top of its ring: N = −m g sin 53° at once. */
static void pulls_from_the_start(void **state) {
    (void)state;
    static const char *const channels[] = {"ring.n", NULL};
    for (int stop = 0; stop < 2; stop++) {
        rig r = rig_open("gravity: [0, -9.81]\nbodies: {ball: {mass: 2, inertia: 0.1}}\n"
                         "joints: {ring: {type: revolute, between: [ground, ball], clearance: {model: "
                         "permanent-contact, radial: 0.1, offset: [0.06, 0.08], stop_at_loss: %s}}}\n"
                         "run: {until: 0.5 s}\n",
                         stop ? "true" : "false");
        lash_error error = {0};
        lash_state *copy = NULL;
        rig_require(lash_state_create(&copy, r.sim, &error), &error, "state");
        for (int again = 0; again < 2; again++) {
            lash_record *record = NULL;
            const lash_record_options options = {
                .channels = channels, .channel_count = 1, .samples = 5, .every = LASH_UNSET};
            rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
            rig_require(lash_record_to_memory(record, &error), &error, "record");
            assert_int_equal(lash_sim_run(r.sim, record, NULL, &error),
                             stop ? LASH_STOP_EVENT : LASH_STOP_END);
            size_t count, row_count;
            const lash_event *events = lash_record_events(&count, record);
            lash_record_rows(&row_count, record, LASH_STREAM_SAMPLES);
            const lash_summary summary = lash_sim_summary(r.sim);
            assert_int_equal(row_count, stop ? 1 : 6);
            assert_true(stop ? count == 1 : count > 1);
            assert_int_equal(summary.events, count);
            assert_int_equal(events[0].kind, LASH_EVENT_LOST);
            assert_true(events[0].time == 0 && fabs(sin(events[0].angle) - 0.8) < 1e-12);
            assert_true(summary.clearances[0].first_loss == 0);
            size_t losses = 0;
            for (size_t k = 0; k < count; k++)
                losses += events[k].kind == LASH_EVENT_LOST;
            assert_int_equal(summary.clearances[0].losses, losses);
            lash_record_destroy(record);
            rig_require(lash_sim_restore(r.sim, copy, &error), &error, "restore");
        }
        lash_state_destroy(copy);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_what_presses),
        cmocka_unit_test(consistent_after_impacts),
        cmocka_unit_test(finds_short_dips),
        cmocka_unit_test(pulls_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
