/* SPDX-License-Identifier: MIT
 *
 * Lasting contact that is quiet (following: auto): against the closed form of the depth under a slowly varying
 * load, and against the same run with the contact resolved. Forces, speeds, losses and events agree to the
 * tolerance; the ledger closes; a checkpoint continues bit for bit.
 *
 * A block of mass m is pressed against a Hertz stop, K δ^1.5, by F(t), with a viscous force c ẋ. Then
 *   K w^1.5 = F − c ẇ − m ẅ,   ẇ, ẅ those of (F/K)^(2/3),
 * up to (ω/Ω)⁴ of w.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "physics/rig.h"
#include "sim/sim.h"

static const double MASS = 2, STIFFNESS = 1e12, VISCOUS = 2000;

#define PRESSED                                                                                              \
    "bodies: {block: {mass: 2, inertia: 0.1, position: [-1e-9, 0]}}\n"                                       \
    "joints:\n"                                                                                              \
    "  guide: {type: translational, between: [ground, block], axis: [1, 0],\n"                               \
    "          stops: {max: 0, contact: {law: hertz, stiffness: 1e12, following: %s}}}\n"                    \
    "forces:\n"                                                                                              \
    "  f: {type: force, at: block, force: [\"%s\", 0]}\n"                                                    \
    "  v: {type: viscous, joint: guide, coefficient: 2000}\n"                                                \
    "run: {until: %g, rtol: %g, method: %s}\n"

/* F = 200 + 100 sin 5t, N. */
static const char wave[] = "200 + 100*sin(5*t)";

static double depth_at(double t) {
    const double F = 200 + 100 * sin(5 * t), rate = 500 * cos(5 * t), bend = -2500 * sin(5 * t);
    const double w = pow(F / STIFFNESS, 2.0 / 3), wdot = 2.0 / 3 * w * rate / F,
                 wddot = 2.0 / 3 * w * (bend / F - rate * rate / (3 * F * F));
    return pow((F - VISCOUS * wdot - MASS * wddot) / STIFFNESS, 2.0 / 3);
}

/* All evaluations of the equations, looks included. */
static double evaluations(const rig *r) {
    const lash_summary summary = lash_sim_summary(r->sim);
    return (double)summary.evaluations + (double)summary.looks;
}

static void test_closed_form(void **state) {
    (void)state;
    static const char *const channels[] = {"block.x", "guide.max.fn", "guide.max.mode", NULL};
    static const char *const methods[] = {"dop853", "adams", "gear"};
    static const double closes[] = {1e-6, 1e-5, 1e-4}; // as the method integrates works
    enum { ROWS = 200 };
    for (int m = 0; m < 3; m++) {
        const double rtol = 1e-6;
        rig r = rig_open(PRESSED, "auto", wave, 3.0, rtol, methods[m]);
        rig_rows rows = rig_sample(&r, ROWS, channels, false);
        for (size_t k = ROWS / 4; k <= ROWS; k++) { // the start has vibrated out
            const double t = rig_at(&rows, k, 0), w = depth_at(t), N = STIFFNESS * pow(w, 1.5);
            rig_near(rig_at(&rows, k, 1), w, 3 * rtol * 4.5e-7, "%s: depth at %g s", methods[m], t);
            rig_near(rig_at(&rows, k, 2), N, 5 * rtol * 300, "%s: force at %g s", methods[m], t);
            assert_true(rig_at(&rows, k, 3) == 2);
        }
        rig_ledger(&r, closes[m]);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* Four blocks in a row, pressed together and against a wall: each contact carries the push less what the blocks
 * between take, and all four are quiet at once. */
static void test_row_of_blocks(void **state) {
    (void)state;
    static const char *const channels[] = {
        "j1.s",      "j1.max.fn",   "j1.max.mode", "j2.s",      "j2.max.fn",   "j2.max.mode", "j3.s",
        "j3.max.fn", "j3.max.mode", "j4.s",        "j4.max.fn", "j4.max.mode", NULL};
    static const double masses[] = {2, 1, 3, 1.5}, stiff[] = {1e11, 3e11, 2e11, 5e11};
    rig r = rig_open("gravity: [0, 0]\n"
                     "bodies:\n"
                     "  a: {mass: 2, inertia: 0.1, position: [-1e-9, 0]}\n"
                     "  b: {mass: 1, inertia: 0.1, position: [-2e-9, 0]}\n"
                     "  c: {mass: 3, inertia: 0.1, position: [-3e-9, 0]}\n"
                     "  d: {mass: 1.5, inertia: 0.1, position: [-4e-9, 0]}\n"
                     "joints:\n"
                     "  j1: {type: translational, between: [ground, a], axis: [1, 0],\n"
                     "       stops: {max: 0, contact: {law: hertz, stiffness: 1e11, following: reduce}}}\n"
                     "  j2: {type: translational, between: [a, b], axis: [1, 0],\n"
                     "       stops: {max: 0, contact: {law: hertz, stiffness: 3e11, following: reduce}}}\n"
                     "  j3: {type: translational, between: [b, c], axis: [1, 0],\n"
                     "       stops: {max: 0, contact: {law: hertz, stiffness: 2e11, following: reduce}}}\n"
                     "  j4: {type: translational, between: [c, d], axis: [1, 0],\n"
                     "       stops: {max: 0, contact: {law: hertz, stiffness: 5e11, following: reduce}}}\n"
                     "forces:\n"
                     "  push: {type: force, at: d, force: [\"200 + 100*sin(5*t)\", 0]}\n"
                     "  v1: {type: viscous, joint: j1, coefficient: 4000}\n"
                     "  v2: {type: viscous, joint: j2, coefficient: 4000}\n"
                     "  v3: {type: viscous, joint: j3, coefficient: 4000}\n"
                     "  v4: {type: viscous, joint: j4, coefficient: 4000}\n"
                     "run: {until: 1, rtol: 1e-6}\n");
    enum { ROWS = 60 };
    rig_rows rows = rig_sample(&r, ROWS, channels, false);
    for (size_t k = ROWS / 2; k <= ROWS; k++) { // the start has vibrated out
        const double t = rig_at(&rows, k, 0), F = 200 + 100 * sin(5 * t), rate = 500 * cos(5 * t),
                     bend = -2500 * sin(5 * t);
        double x[4], way = 0, bends[4], all = 0, N = F;
        for (int i = 0; i < 4; i++) { // each block goes with the depths before it
            x[i] = pow(F / stiff[i], 2.0 / 3);
            bends[i] = all += 2.0 / 3 * x[i] * (bend / F - rate * rate / (3 * F * F));
        }
        for (int i = 3; i >= 0; i--) {
            N -= masses[i] * bends[i];
            const double force = N - 4000 * 2.0 / 3 * x[i] * rate / F, w = pow(force / stiff[i], 2.0 / 3);
            rig_near(rig_at(&rows, k, (size_t)(3 * i + 1)), w, 1e-3 * w, "depth %d at %g s", i + 1, t);
            rig_near(rig_at(&rows, k, (size_t)(3 * i + 2)), force, 1e-4 * force, "force %d at %g s", i + 1,
                     t);
            assert_true(rig_at(&rows, k, (size_t)(3 * i + 3)) == 2);
            way += w;
        }
        assert_true(way > 0);
    }
    rig_ledger(&r, 1e-3);
    assert_true(evaluations(&r) < 60000); // resolved, their vibrations take 300,000
    rig_rows_close(&rows);
    rig_close(&r);
}

/* The same about a pin in space, with moments and angles: m d² + uᵀ J u = 2 kg m² about the pin's axis u. */
static void test_closed_form_of_a_turn(void **state) {
    (void)state;
    static const char *const channels[] = {"pin.angle", "pin.max.fn", "pin.max.mode", NULL};
    enum { ROWS = 200 };
    const double rtol = 1e-6;
    rig r = rig_open(
        "space: spatial\ngravity: [0, 0, 0]\n"
        "bodies: {lever: {mass: 4, inertia: [0.9, 1.3, 1.0, 0.1, 0.125, -0.2], position: [0, 0.5, 0],\n"
        "  orientation: {axis: [0.6, 0, 0.8], angle: -1e-9}, points: {o: [0, -0.5, 0]}}}\n"
        "joints:\n"
        "  pin: {type: revolute, between: [ground, lever.o], axis: [0.6, 0, 0.8],\n"
        "    stops: {max: 0, contact: {law: hertz, stiffness: 1e12, following: auto}}}\n"
        "forces:\n"
        "  f: {type: torque, body: lever, torque: [\"0.6*(%s)\", 0, \"0.8*(%s)\"]}\n"
        "  v: {type: viscous, joint: pin, coefficient: 2000}\n"
        "run: {until: 3, rtol: 1e-6}\n",
        wave, wave);
    assert_int_equal(lash_sim_coordinate_count(r.sim), 2);
    rig_rows rows = rig_sample(&r, ROWS, channels, false);
    for (size_t k = ROWS / 4; k <= ROWS; k++) {
        const double t = rig_at(&rows, k, 0), w = depth_at(t), N = STIFFNESS * pow(w, 1.5);
        rig_near(rig_at(&rows, k, 1), w, 3 * rtol * 4.5e-7, "depth at %g s", t);
        rig_near(rig_at(&rows, k, 2), N, 5 * rtol * 300, "moment at %g s", t);
        assert_true(rig_at(&rows, k, 3) == 2);
    }
    rig_ledger(&r, 1e-6);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* It is worth it: the same run resolved takes many times the evaluations. */
static void test_cost(void **state) {
    (void)state;
    double cost[2];
    for (int k = 0; k < 2; k++) {
        rig r = rig_open(PRESSED, k ? "auto" : "resolve", wave, 3.0, 1e-6, "dop853");
        rig_step_to(&r, 3);
        cost[k] = evaluations(&r);
        rig_close(&r);
    }
    print_message("%g evaluations resolved, %g quiet\n", cost[0], cost[1]);
    assert_true(cost[1] < cost[0] / 5);
}

/* Where every joint with play has a contact that lasts the error test of a step is milder; a block that flies between
 * its stops beside it takes that back, and so does a contact that is to be resolved. */
static void test_milder_where_contact_lasts(void **state) {
    (void)state;
    static const struct {
        const char *following, *beside;
        bool milder;
    } cases[] = {
        {"auto", "", true},
        {"auto",
         "  other: {type: translational, between: [ground, o], axis: [1, 0], stops: {min: -1, max: 1,\n"
         "          contact: {law: hertz, stiffness: 1e12}}}\n",
         false},
        {"resolve", "", false}};
    for (int k = 0; k < 3; k++) {
        rig r = rig_open(
            "bodies: {block: {mass: 2, inertia: 0.1, position: [-1e-9, 0]}%s}\n"
            "joints:\n"
            "  guide: {type: translational, between: [ground, block], axis: [1, 0],\n"
            "          stops: {max: 0, contact: {law: hertz, stiffness: 1e12, following: %s}}}\n%s"
            "forces: {f: {type: force, at: block, force: [\"200 + 100*sin(5*t)\", 0]},\n"
            "  v: {type: viscous, joint: guide, coefficient: 2000}}\n"
            "run: {until: 1, rtol: 1e-6}\n",
            *cases[k].beside ? ", o: {mass: 1, inertia: 0.1}" : "", cases[k].following, cases[k].beside);
        rig_step_to(&r, 0.5);
        const double leniency = lashi_lasting_leniency(r.sim);
        if (!(cases[k].milder ? leniency > 1 : leniency == 1))
            fail_msg("case %d: %g", k, leniency);
        rig_close(&r);
    }
}

/* Two quiet contacts that act on each other: a beam on two bearings 2a apart, with F(t) at a distance p from its
 * middle and oil about it, which damps the start out. N_l + N_r = W + F + c v, (N_r − N_l) a = F p + d ω, up to what
 * the beam's own accelerations of some micrometres per second squared take. */
static void test_two_bearings(void **state) {
    (void)state;
    static const char *const channels[] = {"l.fn", "r.fn", "l.mode", "r.mode", "beam.vy", "beam.wz", NULL};
    enum { ROWS = 100 };
    const double W = 2 * 9.81, a = 0.5, p = 0.2;
    rig r = rig_open(
        "gravity: [0, -9.81]\nground: {points: {l: [-0.5, 0], r: [0.5, 0]}}\n"
        "bodies: {beam: {mass: 2, inertia: 0.1, points: {l: [-0.5, 0], r: [0.5, 0], p: [0.2, 0]}}}\n"
        "joints:\n"
        "  l: {type: revolute, between: [ground.l, beam.l], clearance: &play {bearing_radius: 10 mm,\n"
        "    radial: 0.1 mm, contact: {law: hertz, stiffness: 1e10, following: auto}}}\n"
        "  r: {type: revolute, between: [ground.r, beam.r], clearance: *play}\n"
        "forces:\n"
        "  f: {type: force, at: beam.p, force: [0, \"-10 - 5*(1 - cos(5*t))\"]}\n"
        "  v: {type: force, at: beam, force: [0, \"-2000 N*s/m*beam.vy\"]}\n"
        "  w: {type: torque, body: beam, torque: \"-200 N*m*s*beam.wz\"}\n"
        "run: {until: 2, start: equilibrium, rtol: 1e-6}\n");
    rig_rows rows = rig_sample(&r, ROWS, channels, false);
    for (size_t k = ROWS / 4; k <= ROWS; k++) {
        const double t = rig_at(&rows, k, 0), F = 10 + 5 * (1 - cos(5 * t));
        const double sum = W + F + 2000 * rig_at(&rows, k, 5),
                     apart = (F * p + 200 * rig_at(&rows, k, 6)) / a;
        assert_true(rig_at(&rows, k, 3) == 2 && rig_at(&rows, k, 4) == 2);
        rig_near(rig_at(&rows, k, 1), (sum - apart) / 2, 2e-5, "left at %g s", t);
        rig_near(rig_at(&rows, k, 2), (sum + apart) / 2, 2e-5, "right at %g s", t);
    }
    assert_true(evaluations(&r) < 20000); // resolved they are ten times as many
    rig_rows_close(&rows);
    rig_close(&r);
}

/* The load falls and turns: the contact opens where it does when it is resolved, and closes again. */
static void test_opens(void **state) {
    (void)state;
    static const char *const channels[] = {"block.x", NULL};
    double open[2], closed[2], lost[2];
    for (int k = 0; k < 2; k++) {
        rig r = rig_open(PRESSED, k ? "auto" : "resolve", "200*cos(2*t)", 2.6, 1e-8, "dop853");
        rig_rows rows = rig_sample(&r, 50, channels, false);
        const lash_event *release = rig_event(&rows, LASH_EVENT_RELEASE, 0),
                         *onset = rig_event(&rows, LASH_EVENT_ONSET, 0);
        assert_non_null(release);
        assert_non_null(onset);
        open[k] = release->time;
        closed[k] = onset->time;
        lost[k] = lash_sim_summary(r.sim).clearances[0].peak_force;
        rig_ledger(&r, 1e-8);
        rig_rows_close(&rows);
        rig_close(&r);
    }
    rig_near(open[1], open[0], 1e-7, "release");
    rig_near(closed[1], closed[0], 1e-6, "onset");
    rig_near(lost[1], lost[0], 1e-6 * lost[0], "peak");
}

/* The slider-crank of flores-2010 at 50 rpm, whose contact follows after some thirty impacts. */
#define SLOW                                                                                                 \
    "gravity: [0, -9.81]\n"                                                                                  \
    "materials: {steel: {young: 207 GPa, poisson: 0.3, density: 7850}}\n"                                    \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 0.30, inertia: 1e-4, position: [25 mm, 0], points: {main: [-25 mm, 0], pin: [25 mm, "   \
    "0]}}\n"                                                                                                 \
    "  rod: {mass: 0.21, inertia: 2.5e-4, position: [110 mm, 0], points: {big: [-60 mm, 0], small: [60 mm, " \
    "0]}}\n"                                                                                                 \
    "  slider: {mass: 0.14, inertia: 1e-4, position: [170 mm, 0]}\n"                                         \
    "joints:\n"                                                                                              \
    "  main: {type: revolute, between: [ground, crank.main]}\n"                                              \
    "  crankpin: {type: revolute, between: [rod.big, crank.pin]}\n"                                          \
    "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: {bearing_radius: 10 mm, "          \
    "diametric: 0.05 mm,\n"                                                                                  \
    "    materials: steel, contact: {restitution: 0.9, following: %s},\n"                                    \
    "    friction: {law: ambrosio, coefficient: 0.01, v0: 1e-4, v1: 1e-3}}}\n"                               \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"                              \
    "drives: {motor: {joint: main, speed: 50 rpm}}\n"                                                        \
    "run: {until: 0.25, rtol: %g}\n"

static void test_slider_crank(void **state) {
    (void)state;
    static const char *const channels[] = {"gudgeon.fn",    "slider.vx",    "rod.wz",
                                           "gudgeon.delta", "motor.torque", NULL};
    enum { ROWS = 100 };
    const double rtol = 1e-6;
    rig r[2];
    rig_rows rows[2];
    for (int k = 0; k < 2; k++) {
        r[k] = rig_open(SLOW, k ? "auto" : "resolve", rtol);
        rows[k] = rig_sample(&r[k], ROWS, channels, false);
        rig_ledger(&r[k], 1e-8);
    }
    const lash_clearance_summary was = lash_sim_summary(r[0].sim).clearances[0],
                                 is = lash_sim_summary(r[1].sim).clearances[0];
    assert_int_equal(is.impacts, was.impacts);
    assert_int_equal(is.contacts, was.contacts);
    assert_true(was.impacts > 20);
    rig_near(is.peak_force, was.peak_force, rtol * was.peak_force, "peak force");
    rig_near(is.energy_lost, was.energy_lost, 3 * rtol * was.energy_lost, "energy lost");
    // Positions go by the play, 25 µm.
    const double largest[] = {was.peak_force, 0.26, 5, 25e-6, 0.05 * was.peak_force};
    for (size_t k = 0; k <= ROWS; k++)
        for (size_t c = 0; c < 5; c++)
            rig_near(rig_at(&rows[1], k, c + 1), rig_at(&rows[0], k, c + 1), 5 * rtol * largest[c],
                     "%s at %g s", channels[c], rig_at(&rows[0], k, 0));
    print_message("%g evaluations resolved, %g quiet\n", evaluations(&r[0]), evaluations(&r[1]));
    assert_true(evaluations(&r[1]) < evaluations(&r[0]) / 4);
    for (int k = 0; k < 2; k++) {
        rig_rows_close(&rows[k]);
        rig_close(&r[k]);
    }
}

/* Play in two or all three pins, from where all of them last: the journals swing in their bearings with up to 0.1 Ω and
 * slide through the kinks of their friction. From one state, against the same machine resolved at rtol 1e-10; bounces,
 * which multiply differences, are over. */
#define SEVERAL                                                                                              \
    "gravity: [0, -9.81]\n"                                                                                  \
    "materials: {steel: {young: 207 GPa, poisson: 0.3, density: 7850}}\n"                                    \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 0.30, inertia: 1e-4, position: [25 mm, 0], points: {main: [-25 mm, 0], pin: [25 mm, "   \
    "0]}}\n"                                                                                                 \
    "  rod: {mass: 0.21, inertia: 2.5e-4, position: [110 mm, 0], points: {big: [-60 mm, 0], small: [60 mm, " \
    "0]}}\n"                                                                                                 \
    "  slider: {mass: 0.14, inertia: 1e-4, position: [170 mm, 0]}\n"                                         \
    "joints:\n"                                                                                              \
    "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: &play {bearing_radius: 10 mm, "    \
    "diametric: %g mm,\n"                                                                                    \
    "    materials: steel, contact: {restitution: 0.9, following: %s, points: own},\n"                       \
    "    friction: {law: ambrosio, coefficient: 0.01, v0: 1e-4, v1: 1e-3}}}\n"                               \
    "  crankpin: {type: revolute, between: [rod.big, crank.pin], clearance: *play}\n"                        \
    "  main: {type: revolute, between: [ground, crank.main]%s}\n"                                            \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"                              \
    "drives: {motor: {joint: main, speed: 50 rpm}}\n"                                                        \
    "run: {until: 1, rtol: %g}\n"

static void test_several_plays(void **state) {
    (void)state;
    enum { EXACT, RESOLVED, QUIET, RUNS, ROWS = 100 };
    const double rtol = 1e-6;
    const struct {
        double size, from, to;
        const char *main;
        double cheaper;
    } cases[] = {{0.1, 0.12, 0.37, "", 4.4}, {0.2, 0.35, 0.6, ", clearance: *play", 6}};
    for (int c = 0; c < 2; c++) {
        lash_error error = {0};
        lash_state *kept = NULL;
        rig r[RUNS];
        double before[RUNS], cost[RUNS];
        for (int k = 0; k < RUNS; k++)
            r[k] = rig_open(SEVERAL, cases[c].size, k == QUIET ? "auto" : "resolve", cases[c].main,
                            k == EXACT ? 1e-10 : rtol);
        rig_step_to(&r[EXACT], cases[c].from);
        rig_require(lash_state_create(&kept, r[EXACT].sim, &error), &error, "save");
        for (int k = 1; k < RUNS; k++)
            rig_require(lash_sim_restore(r[k].sim, kept, &error), &error, "restore");
        for (int k = 0; k < RUNS; k++)
            before[k] = evaluations(&r[k]);
        const int contacts = r[EXACT].sim->system->contact_count;
        assert_int_equal(contacts, c == 0 ? 2 : 3);
        double rod = 0, apart = 0;
        int quiet = 0;
        for (int i = 1; i <= ROWS; i++) {
            const double t = cases[c].from + (cases[c].to - cases[c].from) * i / ROWS;
            for (int k = 0; k < RUNS; k++)
                rig_step_to(&r[k], t);
            rod = fmax(rod, fabs(rig_value(&r[EXACT], "rod.wz")));
            apart = fmax(apart, fabs(rig_value(&r[QUIET], "rod.wz") - rig_value(&r[EXACT], "rod.wz")));
            for (int k = 0; k < contacts; k++) {
                char fn[64];
                snprintf(fn, sizeof fn, "%s.fn", r[EXACT].sim->system->contacts[k].name);
                rig_near(rig_value(&r[QUIET], fn), rig_value(&r[EXACT], fn),
                         2 * rtol * lashi_largest_force(r[EXACT].sim, k), "%s at %g s", fn, t);
                assert_true(r[EXACT].sim->memories[k].touching);
                quiet += r[QUIET].sim->memories[k].touching == LASHI_QUIET;
            }
        }
        assert_true(apart < 4 * rtol * rod);
        for (int k = 0; k < contacts; k++) {
            const lash_clearance_summary was = lash_sim_summary(r[EXACT].sim).clearances[k],
                                         is = lash_sim_summary(r[QUIET].sim).clearances[k];
            assert_int_equal(is.contacts, was.contacts);
            rig_near(is.peak_force, was.peak_force, rtol * was.peak_force, "peak force");
            rig_near(is.energy_lost, was.energy_lost, rtol * was.energy_lost, "energy lost");
        }
        rig_ledger(&r[QUIET], 1e-7);
        for (int k = 0; k < RUNS; k++)
            cost[k] = evaluations(&r[k]) - before[k];
        print_message("%d plays: %g evaluations resolved, %g quiet, %.2f of the time\n", contacts,
                      cost[RESOLVED], cost[QUIET], (double)quiet / (ROWS * contacts));
        assert_true(cost[QUIET] < cost[RESOLVED] / cases[c].cheaper);
        lash_state_destroy(kept);
        for (int k = 0; k < RUNS; k++)
            rig_close(&r[k]);
    }
}

/* A checkpoint in quiet contact goes on bit for bit. */
static void test_restores(void **state) {
    (void)state;
    lash_error error = {0};
    lash_state *kept = NULL;
    rig r = rig_open(PRESSED, "auto", wave, 3.0, 1e-6, "dop853");
    rig_step_to(&r, 1);
    rig_require(lash_state_create(&kept, r.sim, &error), &error, "save");
    double x[2], work[2];
    for (int k = 0; k < 2; k++) {
        rig_step_to(&r, 2);
        x[k] = rig_value(&r, "block.x");
        work[k] = rig_value(&r, "energy.balance");
        rig_require(lash_sim_restore(r.sim, kept, &error), &error, "restore");
    }
    assert_memory_equal(&x[0], &x[1], sizeof x[0]);
    assert_memory_equal(&work[0], &work[1], sizeof work[0]);
    lash_state_destroy(kept);
    rig_close(&r);
}

/* A linearisation in quiet contact is that of the law: the block vibrates with √(1.5 K w^0.5/m). */
static void test_linear(void **state) {
    (void)state;
    lash_error error = {0};
    double frequency[2];
    for (int k = 0; k < 2; k++) {
        rig r = rig_open(PRESSED, k ? "auto" : "resolve", wave, 3.0, 1e-6, "dop853");
        rig_step_to(&r, 1);
        lash_linear *linear = NULL;
        rig_require(lash_linear_create(&linear, r.sim, NULL, 0, &error), &error, "linearise");
        lash_mode mode;
        assert_true(lash_linear_mode(&mode, linear, 0));
        frequency[k] = mode.frequency;
        lash_linear_destroy(linear);
        const double before = rig_value(&r, "block.x");
        rig_near(before, depth_at(1), 1e-6 * depth_at(1), "depth");
        rig_close(&r);
    }
    rig_near(frequency[1], frequency[0], 1e-6 * frequency[0], "frequency");
    const double own = sqrt(1.5 * STIFFNESS * sqrt(depth_at(1)) / MASS);
    assert_true(fabs(frequency[1] * 2 * 3.14159265358979 - own) < 0.1 * own);
}

/* following: reduce leaves out what is above the tolerance, up to a thousandth of the depth. */
static void test_reduce(void **state) {
    (void)state;
    double cost[2];
    for (int k = 0; k < 2; k++) {
        rig r = rig_open(PRESSED, k ? "reduce" : "auto", wave, 0.5, 1e-8, "dop853");
        rig_step_to(&r, 0.5);
        rig_near(rig_value(&r, "block.x"), depth_at(0.5), 1e-3 * depth_at(0.5), "depth");
        cost[k] = evaluations(&r);
        rig_ledger(&r, 1e-6);
        rig_close(&r);
    }
    print_message("%g evaluations auto, %g reduce\n", cost[0], cost[1]);
    assert_true(cost[1] < cost[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_row_of_blocks),
        cmocka_unit_test(test_closed_form_of_a_turn),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_milder_where_contact_lasts),
        cmocka_unit_test(test_two_bearings),
        cmocka_unit_test(test_opens),
        cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_several_plays),
        cmocka_unit_test(test_restores),
        cmocka_unit_test(test_reduce),
        cmocka_unit_test(test_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
