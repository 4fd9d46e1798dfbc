/* SPDX-License-Identifier: MIT
 *
 * How a life is made of turns: how many a stage takes and keeps, where a limit of a channel is passed.
 *
 * A ring turns slowly on a fixed journal under a load F(t) = F0 (1 + a sin(w t)). It lies on it, so that a turn
 * wears off k times the mean of F in it times the way of one turn.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "physics/rig.h"

enum { SECTORS = 24 };

/* One turn a second. */
static rig ring(double share, double per_turn) {
    return rig_open(
        "gravity: [0, 0]\nbodies: {ring: {mass: 60, inertia: 0.02, position: [0, -0.3424 mm]}}\n"
        "joints:\n"
        "  bearing: {type: revolute, between: [ring, ground], clearance: {bearing_radius: 10 mm, "
        "radial: 0.05 mm, length: 15 mm,\n"
        "    contact: {law: hunt-crossley, restitution: 0.1, approach: energy, stiffness: 1e7},\n"
        "    friction: {law: threlfall, coefficient: 0.1}, wear: {k: 1e-12, sectors: %d}}}\n"
        "drives: {motor: {joint: bearing, speed: 60 rpm}}\n"
        "forces: {load: {type: force, at: ring, force: [0, \"-50*(1 + %.17g*sin(2*pi*%.17g*t))\"]}}\n"
        "run: {until: 4 rev of motor, rtol: 1e-5}\n",
        (int)SECTORS, share, per_turn);
}

static lash_life *live(const rig *r, lash_life_limit limit, double tolerance, size_t most,
                       const char *store) {
    lash_life *life = NULL;
    lash_error error = {0};
    const lash_life_options options = {
        .limits = &limit, .limit_count = 1, .tolerance = tolerance, .most_turns = most, .store = store};
    rig_require(lash_life_run(&life, r->system, &options, &error), &error, "life");
    return life;
}

/* Turns that repeat after 1, 2 and 3; and those that do so after 6, which is longer than is looked for: then the
 * mean of the last three quarters of them counts. Its standard error is that of F's means over a turn. */
static void turns_of_a_stage(void **state) {
    (void)state;
    const lash_life_limit limit = {.kind = LASH_LIFE_TURNS, .value = 1};
    for (int period = 1; period <= 3; period++) {
        rig r = ring(0.3, 1.0 / period);
        lash_life *life = live(&r, limit, 0.04, 0, NULL);
        const lash_life_stage *stage = lash_life_stage_at(life, 0);
        assert_true(stage->repeats && stage->turns_run == 2 * period && stage->turns_kept == period);
        assert_true(stage->spread < 0.01);
        lash_life_destroy(life);
        rig_close(&r);
    }
    enum { MOST = 20, KEPT = 15 };
    const double share = 0.3, w = 2 * RIG_PI / 6;
    rig r = ring(share, 1.0 / 6);
    lash_life *life = live(&r, limit, 0.004, MOST, NULL);
    const lash_life_stage *stage = lash_life_stage_at(life, 0);
    assert_true(!stage->repeats && stage->turns_run == MOST && stage->turns_kept == KEPT);
    double x[KEPT], mean = 0, squares = 0;
    for (int k = 0; k < KEPT; k++) {
        const double end = MOST - k;
        x[k] = 1 + share * (cos(w * (end - 1)) - cos(w * end)) / w;
        mean += x[k] / KEPT;
    }
    for (int k = 0; k < KEPT; k++)
        squares += (x[k] - mean) * (x[k] - mean);
    rig_near(stage->spread, sqrt(squares / (KEPT - 1) / KEPT) / mean, 0.002, "standard error");
    const double e = 0.05e-3 + pow(50 / 1e7, 2.0 / 3), way = 2 * RIG_PI * (0.00995 + e); // of a turn
    rig_near(stage->joints[0].wear, mean * 1e-12 * 50 * way, 0.01 * 1e-12 * 50 * way, "wear of a turn");
    lash_life_destroy(life);
    rig_close(&r);
}

/* A limit of a channel is passed between two stages, where the line between their largest values meets it. */
static void limit_of_a_channel(void **state) {
    (void)state;
    rig r = ring(0, 1);
    lash_error error = {0};
    lash_life_limit limit;
    rig_require(lash_life_limit_read(&limit, r.sim, "max motor.torque", "0.0515 N m", &error), &error,
                "limit");
    lash_life *life = live(&r, limit, 0.05, 0, NULL);
    const size_t n = lash_life_stage_count(life);
    assert_true(n > 2);
    const lash_life_stage *a = lash_life_stage_at(life, n - 2), *b = lash_life_stage_at(life, n - 1);
    assert_true(a->torque_peak < limit.value && b->torque_peak >= limit.value);
    const double share = (limit.value - a->torque_peak) / (b->torque_peak - a->torque_peak);
    rig_near(lash_life_turns(life), a->turns + share * (b->turns - a->turns), 1e-6 * b->turns, "end");
    assert_string_equal(lash_life_end(life), "max motor.torque");
    lash_life_destroy(life);
    rig_close(&r);
}

/* With a tolerance that allows far more, a jump is four times the one before it, not longer. */
static void jumps_grow_by_four(void **state) {
    (void)state;
    rig r = ring(0, 1);
    const lash_life_limit limit = {.kind = LASH_LIFE_TURNS, .value = 1500};
    lash_life *life = live(&r, limit, 0.5, 0, NULL);
    assert_true(lash_life_stage_count(life) >= 4);
    double turns[4];
    for (size_t i = 0; i < 4; i++) {
        turns[i] = lash_life_stage_at(life, i)->turns;
        assert_true(lash_life_stage_at(life, i)->turns_run >= 2); // two show whether they repeat
    }
    assert_true(turns[0] == 0 && turns[1] >= 1);
    rig_near(turns[2] - turns[1], 4 * turns[1], 1e-9 * turns[1], "second jump");
    assert_true(turns[3] - turns[2] <= 16 * turns[1] * (1 + 1e-12));
    lash_life_destroy(life);
    rig_close(&r);
}

/* Turn by turn each is computed once, behind those of the first stage, which settles. */
static void turn_by_turn(void **state) {
    (void)state;
    rig r = ring(0, 1);
    lash_life *life = NULL;
    lash_error error = {0};
    const lash_life_limit limit = {.kind = LASH_LIFE_TURNS, .value = 4};
    const lash_life_options options = {
        .limits = &limit, .limit_count = 1, .tolerance = 0.05, .turn_by_turn = 1};
    rig_require(lash_life_run(&life, r.system, &options, &error), &error, "life");
    assert_true(lash_life_stage_count(life) >= 4 && lash_life_stage_at(life, 0)->turns_run >= 2);
    for (size_t i = 1; i < lash_life_stage_count(life); i++) {
        const lash_life_stage *stage = lash_life_stage_at(life, i);
        assert_true(stage->turns == (double)i && stage->turns_run == 1 && stage->turns_kept == 1);
    }
    lash_life_destroy(life);
    rig_close(&r);
}

/* A bearing that is worn but does not wear says so, and one that wears says how much. */
static void what_does_not_wear_says_so(void **state) {
    (void)state;
    for (int wears = 0; wears < 2; wears++) {
        rig r = rig_open(
            "gravity: [0, -9.81]\nbodies: {shaft: {mass: 20, inertia: 0.02, position: [0, -0.34 mm]}}\n"
            "joints:\n"
            "  bearing: {type: revolute, between: [ground, shaft], clearance: {bearing_radius: 10 mm, "
            "radial: 0.05 mm, length: 15 mm,\n"
            "    contact: {law: hunt-crossley, restitution: 0.1, stiffness: 1e7},\n"
            "    wear: {%ssectors: 24, bearing: \"3 um*(1 + cos(angle))\"}}}\n"
            "drives: {motor: {joint: bearing, speed: 60 rpm}}\nrun: {until: 0.1 s}\n",
            wears ? "k: 1e-12, " : "");
        lash_error error = {0};
        rig_require(lash_sim_run(r.sim, NULL, NULL, &error), &error, "run");
        const lash_summary summary = lash_sim_summary(r.sim);
        assert_true(wears ? summary.clearances[0].worn > 0 : isnan(summary.clearances[0].worn));
        assert_true(wears ? summary.clearances[0].sliding_work > 0
                          : isnan(summary.clearances[0].sliding_work));
        rig_close(&r);
    }
}

/* What a file keeps of a life is that life. */
static void kept_in_a_file(void **state) {
    (void)state;
    char path[] = "/tmp/lash-life-XXXXXX";
    close(mkstemp(path));
    rig r = ring(0, 1);
    const lash_life_limit limit = {.kind = LASH_LIFE_TURNS, .value = 300};
    lash_life *life = live(&r, limit, 0.05, 0, path), *again = NULL;
    lash_error error = {0};
    rig_require(lash_life_open(&again, path, &error), &error, "open");
    assert_true(lash_life_stage_count(life) > 2 &&
                lash_life_stage_count(again) == lash_life_stage_count(life));
    for (size_t i = 0; i < lash_life_stage_count(life); i++) {
        const lash_life_stage *a = lash_life_stage_at(life, i), *b = lash_life_stage_at(again, i);
        assert_true(a->turns == b->turns && a->turns_run == b->turns_run && a->turns_kept == b->turns_kept &&
                    a->spread == b->spread && a->repeats == b->repeats && a->torque_peak == b->torque_peak &&
                    a->torque_rms == b->torque_rms);
        assert_true(a->joints[0].play == b->joints[0].play && a->joints[0].wear == b->joints[0].wear);
        for (int part = 0; part < LASH_WORN_PARTS; part++)
            assert_memory_equal(a->joints[0].profile[part], b->joints[0].profile[part],
                                SECTORS * sizeof(double));
    }
    assert_true(lash_life_turns(again) == 300);
    assert_string_equal(lash_life_end(again), "turns");
    lash_life_destroy(life);
    lash_life_destroy(again);
    rig_close(&r);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_of_a_stage),   cmocka_unit_test(limit_of_a_channel),
        cmocka_unit_test(jumps_grow_by_four), cmocka_unit_test(what_does_not_wear_says_so),
        cmocka_unit_test(kept_in_a_file),     cmocka_unit_test(turn_by_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
