/* SPDX-License-Identifier: MIT
 *
 * Contacts that are constraints, during a run: which of several follow after an impact, pressures that dip
 * below zero for a short while, starts that pull; and the same run by other methods, by the sparse solver,
 * and after a return to a saved state.
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

/* A ball that loops in its ring, a little too slow for the top: φ away from it N = m g (3 (1 − cos φ) − ε).
 */
static void finds_dips_of_the_motion(void **state) {
    (void)state;
    static const char *const channels[] = {"ring.n", NULL}, *const methods[] = {"dop853", "adams", "gear"};
    const double g = 9.81, c = 0.1;
    for (int method = 0; method < 3; method++)
        for (double rtol = 1e-6; rtol > 1e-11; rtol *= 0.01)
            for (double slow = 0.3; slow > 1e-3; slow *= 0.6) {
                rig r = rig_open("gravity: [0, -9.81]\nbodies: {ball: {mass: 2, inertia: 0.1, position: [0, "
                                 "-0.1], velocity: [%.17g, 0]}}\njoints: {ring: {type: revolute, between: "
                                 "[ground, ball], clearance: {model: permanent-contact, radial: 0.1}}}\n"
                                 "run: {until: 0.32 s, rtol: %g, method: %s}\n",
                                 sqrt(c * g * (5 - slow)), rtol, methods[method]);
                rig_rows rows = rig_sample(&r, 10, channels, false);
                size_t count;
                const lash_event *events = lash_record_events(&count, rows.record);
                if (count != 2)
                    fail_msg("%s, rtol %g, %g: %zu events", methods[method], rtol, slow, count);
                const double phi = acos(1 - slow / 3);
                if (!(fabs(events[0].angle - (RIG_PI / 2 - phi)) < 100 * rtol / phi) ||
                    !(fabs(events[1].angle - (RIG_PI / 2 + phi)) < 100 * rtol / phi))
                    fail_msg("%s, rtol %g, %g: at %.12g and %.12g instead of %.12g rad from the top",
                             methods[method], rtol, slow, events[0].angle - RIG_PI / 2,
                             events[1].angle - RIG_PI / 2, phi);
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

/* ---- other ways to the same run ---- */

/* The four-bar of Grigore 2011 in both models; a slider-crank with two rattling pins; a ball with friction.
 */
#define WAYS "run: {until: %g s, rtol: %g, method: %s, solver: %s}\n"
static const char *const machines[] = {
    "bodies:\n"
    "  bar1: {mass: 1, inertia: 0.01, position: [0.1, 0], points: {O1: [-0.1, 0], O2: [0.1, 0]}}\n"
    "  bar2: {mass: 2, inertia: 0.06, position: [0.35, \"0.15*sqrt(3)\"], angle: 60 deg, points: {O2: "
    "[-0.28, 0], O3: [0.28, 0]}, velocity: [0, 2]}\n"
    "  bar3: {mass: 2, inertia: 0.06, position: [0.65, \"0.15*sqrt(3)\"], angle: -60 deg, points: {O3: "
    "[-0.3, 0], O4: [0.3, 0]}, velocity: [\"0.5*sqrt(3)\", 0.5], angular_velocity: \"-10/3\"}\n"
    "ground: {points: {O4: [0.8, 0]}}\njoints:\n"
    "  O1: {type: revolute, between: [ground, bar1.O1]}\n"
    "  a: {type: revolute, between: [bar1.O2, bar2.O2], clearance: {model: permanent-contact, radial: "
    "0.02}}\n"
    "  b: {type: revolute, between: [bar2.O3, bar3.O3], clearance: {model: permanent-contact, radial: "
    "0.02}}\n"
    "  O4: {type: revolute, between: [ground.O4, bar3.O4]}\n"
    "drives: {motor: {joint: O1, speed: 10}}\nforces: {load: {type: torque, body: bar3, torque: -20}}\n" WAYS,
    "gravity: [0, -9.81]\nground: {points: {a: [-0.2, 0], b: [0.2, 0]}}\n"
    "bodies: {bar2: {mass: 1, inertia: 0.02, points: {a: [-0.2, 0], b: [0.2, 0]}}}\njoints:\n"
    "  a: {type: revolute, between: [ground.a, bar2.a], clearance: {model: three-mode, radial: 0.01, "
    "restitution: 0.6, offset: [0, -0.002]}}\n"
    "  b: {type: revolute, between: [ground.b, bar2.b], clearance: {model: three-mode, radial: 0.01, "
    "restitution: 0.3, offset: [0, -0.002]}}\n"
    "forces: {turn: {type: torque, body: bar2, torque: \"0.3*sin(20*t)\"}}\n" WAYS,
    "gravity: [0, -9.81]\nground: {points: {a: [0, 0], b: [0.5, 0]}}\n"
    "bodies: {bar2: {mass: 2, inertia: 0.4, points: {a: [0, 0], b: [0.3, 0]}}, link: {mass: 1, inertia: "
    "0.1, position: [0.3, 0.2], points: {b: [0, -0.2]}}}\njoints:\n"
    "  a: {type: revolute, between: [ground.a, bar2.a], clearance: {model: three-mode, bearing_radius: 0.05, "
    "radial: 0.01, restitution: 0.5, friction: {law: threlfall, coefficient: 0.2, vr: 0.05}}}\n"
    "  b: {type: revolute, between: [bar2.b, link.b], clearance: {model: permanent-contact, radial: 0.01, "
    "offset: [0, 0.01]}}\n"
    "forces: {turn: {type: torque, body: bar2, torque: \"6*cos(9*t)\"}}\n" WAYS};
static const double ends[] = {0.5, 0.4, 0.3};
enum { MACHINES = sizeof machines / sizeof *machines, ROWS = 50 };
static const char *const seen[] = {"bar2.angle", "bar2.y", "a.n", "b.n", "a.mode", "b.mode", NULL};

static rig machine(int k, double rtol, const char *method, const char *solver) {
    return rig_open(machines[k], ends[k], rtol, method, solver);
}

/* Same rows and same events. */
static void compare(const char *what, const rig_rows *rows, const rig_rows *expected, double tolerance) {
    for (size_t c = 1; c < rows->columns; c++) {
        double largest = 0, worst = 0;
        for (size_t row = 0; row < rows->count; row++) {
            largest = fmax(largest, fabs(rig_at(expected, row, c)));
            worst = fmax(worst, fabs(rig_at(rows, row, c) - rig_at(expected, row, c)));
        }
        if (!(worst <= tolerance * largest))
            fail_msg("%s: %s is off by %g of %g", what, seen[c - 1], worst, largest);
    }
    size_t count, other;
    const lash_event *a = lash_record_events(&count, rows->record),
                     *b = lash_record_events(&other, expected->record);
    if (count != other)
        fail_msg("%s: %zu events instead of %zu", what, count, other);
    assert_true(count > 3);
    for (size_t k = 0; k < count; k++)
        if (a[k].kind != b[k].kind || strcmp(a[k].joint, b[k].joint) != 0 ||
            !(fabs(a[k].time - b[k].time) <= tolerance))
            fail_msg("%s: event %zu at %.12g s instead of %.12g s", what, k, a[k].time, b[k].time);
}

static void methods_and_solvers_agree(void **state) {
    (void)state;
    static const struct {
        const char *method, *solver;
        double rtol, tolerance;
    } ways[] = {{"dop853", "sparse", 1e-10, 1e-7},
                {"adams", "dense", 1e-10, 1e-6},
                {"adams", "sparse", 1e-10, 1e-6},
                {"gear", "dense", 1e-10, 1e-6},
                {"gear", "sparse", 1e-10, 1e-6}};
    for (int k = 0; k < MACHINES; k++) {
        rig best = machine(k, 1e-11, "dop853", "dense");
        rig_rows expected = rig_sample(&best, ROWS, seen, false);
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            char what[100];
            snprintf(what, sizeof what, "machine %d, %s, %s", k, ways[way].method, ways[way].solver);
            rig r = machine(k, ways[way].rtol, ways[way].method, ways[way].solver);
            assert_string_equal(lash_system_solver(r.system), ways[way].solver);
            rig_rows rows = rig_sample(&r, ROWS, seen, false);
            compare(what, &rows, &expected, ways[way].tolerance);
            rig_rows_close(&rows);
            rig_close(&r);
        }
        rig_rows_close(&expected);
        rig_close(&best);
    }
}

/* Back to a state saved in the middle, in the same simulation and in another one of the same system: dop853
 * goes on bit for bit, the others to their tolerance. */
static void goes_on_from_a_saved_state(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    for (int k = 0; k < MACHINES; k++)
        for (int method = 0; method < 3; method++) {
            rig r = machine(k, 1e-10, methods[method], "auto");
            lash_error error = {0};
            lash_state *saved = NULL;
            lash_sim *twin = NULL;
            size_t columns[6];
            double values[3][6];
            for (int c = 0; c < 6; c++)
                columns[c] = lash_sim_find_channel(r.sim, seen[c]);
            // Some way into the run, at the end of a step: in whatever mode it is then.
            for (int step = 0; lash_sim_time(r.sim) < 0.45 * ends[k]; step++)
                rig_require(lash_sim_step(r.sim, ends[k], &error), &error, "step");
            rig_require(lash_state_create(&saved, r.sim, &error), &error, "save");
            rig_require(lash_sim_create(&twin, r.system, &error), &error, "create");
            rig_require(lash_sim_restore(twin, saved, &error), &error, "restore");
            size_t events[3];
            for (int run = 0; run < 3; run++) {
                lash_sim *sim = run == 2 ? twin : r.sim;
                if (run == 1)
                    rig_require(lash_sim_restore(sim, saved, &error), &error, "restore");
                rig_require(lash_sim_run(sim, NULL, NULL, &error), &error, "run");
                events[run] = lash_sim_summary(sim).events;
                for (int c = 0; c < 6; c++)
                    values[run][c] = lash_sim_value(sim, columns[c]);
            }
            for (int run = 1; run < 3; run++) {
                assert_int_equal(events[run], events[0]);
                for (int c = 0; c < 6; c++) {
                    const double off = fabs(values[run][c] - values[0][c]);
                    if (!(off <= (method ? 1e-6 * fabs(values[0][c]) + 1e-9 : 0)))
                        fail_msg("machine %d, %s, way %d: %s is %.12g, not %.12g", k, methods[method], run,
                                 seen[c], values[run][c], values[0][c]);
                }
            }
            lash_sim_destroy(twin);
            lash_state_destroy(saved);
            rig_close(&r);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_what_presses),       cmocka_unit_test(consistent_after_impacts),
        cmocka_unit_test(finds_short_dips),           cmocka_unit_test(finds_dips_of_the_motion),
        cmocka_unit_test(pulls_from_the_start),       cmocka_unit_test(methods_and_solvers_agree),
        cmocka_unit_test(goes_on_from_a_saved_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
