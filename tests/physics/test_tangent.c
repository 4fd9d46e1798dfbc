/* SPDX-License-Identifier: MIT
 *
 * The tangent that a sim carries, against the difference of two runs that begin close together, for every
 * kind of event; areas and exponents against closed forms; and exponents that do not depend on the tolerance
 * of the run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "physics/rig.h"
#include "study/nonlinear.h"
#include "study/study.h"

enum { MOST = 80 };

static void step_to(lash_sim *sim, double until) {
    lash_error error = {0};
    lash_status status = LASH_OK;
    while (!status)
        status = lash_sim_step(sim, until, &error);
    rig_require(status, &error, "step");
}

static double length_of(const double *w, const double *scales, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += w[i] / scales[i] * (w[i] / scales[i]);
    return sqrt(sum);
}

/* ---- against two runs ---- */

/* The difference at `until` of motions that begin at t = 0 beside each other: as the tangent has it, against
 * that of two runs, of its length. */
static double disagreement(const rig *r, const double *velocities, size_t count, double until,
                           size_t events) {
    static const double APART = 1e-4; // of the two runs, in scales
    enum { PARTS = 3 };
    lash_error error = {0};
    const size_t n = lash_sim_coordinate_count(r->sim), all = n + lash_sim_memory_count(r->sim);
    double y[MOST], w[MOST] = {0}, scales[MOST], end[2][MOST], moved[MOST];
    assert_true(all <= MOST);
    lash_sim_coordinates(y, r->sim);
    for (size_t i = 0; i < count; i++)
        y[n - count + i] = velocities[i];
    lash_sim *start = NULL, *tangent = NULL, *beside = NULL;
    rig_require(lash_sim_create_at(&start, r->system, y, &error), &error, "start");
    rig_require(lash_sim_create_tangent(&tangent, start, &error), &error, "tangent");
    lash_sim_coordinate_scales(scales, start);
    for (size_t i = 0; i < n; i++)
        w[i] = scales[i] * sin(1 + 2.3 * (double)i);
    rig_require(lash_sim_set_tangent(tangent, w, &error), &error, "set");
    rig_require(lash_sim_tangent(w, tangent, &error), &error, "get");
    const double length = length_of(w, scales, n);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < n; i++)
            moved[i] = y[i] + (side ? APART : -APART) / length * w[i];
        rig_require(lash_sim_project_coordinates(moved, start, &error), &error, "project");
        rig_require(lash_sim_create_at(&beside, r->system, moved, &error), &error, "beside");
        step_to(beside, until);
        lash_sim_coordinates(end[side], beside);
        lash_sim_destroy(beside);
    }
    // What is read may be set again, at any length.
    for (int part = 1; part <= PARTS; part++) {
        step_to(tangent, until * part / PARTS);
        rig_require(lash_sim_tangent(w, tangent, &error), &error, "get");
        for (size_t i = 0; i < all && part < PARTS; i++)
            w[i] *= part % 2 ? 1e5 : 1e-5;
        rig_require(lash_sim_set_tangent(tangent, w, &error), &error, "set");
    }
    for (size_t i = 0; i < n; i++)
        moved[i] = w[i] - (end[1][i] - end[0][i]) * length / (2 * APART);
    const double off = length_of(moved, scales, n) / length_of(w, scales, n);
    print_message("  grown by %.4g over %zu events, off by %.2g\n", length_of(w, scales, n) / length,
                  lash_sim_summary(tangent).events, off);
    assert_true(lash_sim_summary(tangent).events >= events);
    lash_sim_destroy(tangent);
    lash_sim_destroy(start);
    return off;
}

#define BALL(play)                                                                                           \
    "gravity: [0, -9.81]\n"                                                                                  \
    "bodies: {ball: {mass: 0.2, inertia: 1e-4}}\n"                                                           \
    "joints: {gap: {type: revolute, between: [ground, ball], clearance: {\n"                                 \
    "  bearing_radius: 10 mm, radial: 0.5 mm, " play "}}}\n"                                                 \
    "run: {until: 1, rtol: 1e-11}\n"
#define SOLID(joint, friction)                                                                               \
    "space: spatial\n"                                                                                       \
    "gravity: [0, 0, -9.81]\n"                                                                               \
    "bodies: {ball: {mass: 0.2, inertia: [1e-4, 2e-4, 1.5e-4]}}\n"                                           \
    "joints: {gap: {between: [ground, ball], " joint ",\n"                                                   \
    "  bearing_radius: 10 mm, radial: 0.5 mm,\n"                                                             \
    "  contact: {law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.7}, friction: {" friction "}}}}\n" \
    "run: {until: 1, rtol: 1e-11}\n"
#define DAMPED  "contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.8}"
#define SLIDING "friction: {law: threlfall, coefficient: 0.1, vr: 1e-3}"

static void test_every_event(void **state) {
    (void)state;
    static const struct {
        const char *what, *text;
        double velocities[6];
        size_t events;
    } cases[] = {
        {"onset and release", BALL(DAMPED), {0.1, -0.2, 3}, 6},
        {"sliding", BALL(DAMPED ", " SLIDING), {0.1, -0.2, 3}, 6},
        {"bristles", BALL(DAMPED ", friction: {law: lugre, coefficient: 0.1}"), {0.1, -0.2, 3}, 6},
        {"bounded damping",
         BALL("contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.5, approach: energy}"),
         {0.1, -0.2, 3},
         5},
        {"a law that switches",
         BALL("contact: {law: kelvin-voigt, stiffness: 1e7, restitution: 0.6}"),
         {0.1, -0.2, 3},
         6},
        {"a film pressed through",
         BALL("length: 20 mm, " DAMPED ", lubricant: {film: squeeze-long, viscosity: 1e-5}, "
              "offset: [0.1 mm, 0]"),
         {0.1, -0.3, 3},
         8},
        {"impacts", BALL("model: three-mode, restitution: 0.7, " SLIDING), {0.1, -0.2, 3}, 3},
        {"impact, following, loss",
         BALL("model: three-mode, restitution: 0, offset: [0, -0.4 mm]"),
         {0.13, 0, 3},
         5},
        {"a force that jumps",
         BALL("model: three-mode, restitution: 0, offset: [0, -0.4 mm]") "forces: {pull: {type: force, at: "
                                                                         "ball, force: [0, \"if(t < 0.012, "
                                                                         "0, 5)\"]}}\n",
         {0.05, 0, 3},
         3},
        {"lost to a force of time",
         BALL("model: three-mode, restitution: 0, offset: [0, -0.49 mm]") "forces: {pull: {type: force, at: "
                                                                          "ball, force: [0, \"250 "
                                                                          "N/s*t\"]}}\n",
         {0.05, 0, 3},
         2},
        {"a ball in space",
         SOLID("type: spherical, clearance: {length: 1 mm", "law: lugre, coefficient: 0.1"),
         {0.1, 0.05, -0.2, 3, 1, 2},
         6},
        {"a pin in space",
         SOLID("type: revolute, axis: [1, 0, 0], clearance: {length: 20 mm, axial: 0.1 mm",
               "law: threlfall, coefficient: 0.1, vr: 1e-3"),
         {0.1, 0.05, -0.2, 3, 1, 2},
         8},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        print_message("%s\n", cases[k].what);
        rig r = rig_open("%s", cases[k].text);
        const size_t count = strstr(cases[k].text, "spatial") ? 6 : 3;
        assert_true(disagreement(&r, cases[k].velocities, count, 0.02, cases[k].events) < 5e-5);
        rig_close(&r);
    }
}

/* A journal that spins falls on its bearing: y is x, y, angle and their rates. */
static lash_sim *dropped(const rig *r, double speed) {
    double y[6];
    lash_error error = {0};
    lash_sim *sim = NULL;
    assert_int_equal(lash_sim_coordinate_count(r->sim), 6);
    lash_sim_coordinates(y, r->sim);
    y[3] = 0;
    y[4] = -speed;
    y[5] = 30;
    rig_require(lash_sim_create_at(&sim, r->system, y, &error), &error, "start");
    return sim;
}

/* The rest speed lies between a motion and its neighbours, however close: one rebounds, the other does not,
 * and friction takes another part of its spin. Their difference is not large, it is of another kind: what the
 * joints allow of the one before remains. */
static void test_other_modes(void **state) {
    (void)state;
    rig r = rig_open("%s", BALL("model: three-mode, restitution: 0.5, rest_speed: 0.1, " SLIDING));
    lash_error error = {0};
    const double after = 4e-3; // it falls 0.5 mm in 3.7 ms at least, and flies 20 ms if it rebounds
    double low = 0.1, high = 0.3, y[6];
    while (0.5 * (low + high) > low && 0.5 * (low + high) < high) {
        lash_sim *sim = dropped(&r, 0.5 * (low + high));
        step_to(sim, after);
        lash_sim_coordinates(y, sim);
        *(y[4] > 0.05 ? &high : &low) = 0.5 * (low + high);
        lash_sim_destroy(sim);
    }
    for (int rebounds = 0; rebounds < 2; rebounds++) {
        double w[16] = {0}, before[16], scales[6]; // coordinates, and what the contact remembers
        lash_sim *start = dropped(&r, rebounds ? high : low), *tangent = NULL;
        rig_require(lash_sim_create_tangent(&tangent, start, &error), &error, "tangent");
        lash_sim_coordinate_scales(scales, start);
        w[3] = scales[3];
        w[4] = rebounds ? scales[4] : -scales[4]; // the neighbour is slower, or faster
        w[5] = scales[5];
        rig_require(lash_sim_set_tangent(tangent, w, &error), &error, "set");
        while (lash_sim_summary(tangent).events == 0) {
            rig_require(lash_sim_tangent(before, tangent, &error), &error, "get");
            rig_require(lash_sim_step(tangent, after, &error), &error, "step");
        }
        rig_require(lash_sim_tangent(w, tangent, &error), &error, "get");
        lash_sim_coordinates(y, tangent);
        assert_int_equal(y[4] > 0.05, rebounds);
        rig_near(w[3], before[3], 1e-3 * scales[3], "across");
        // On the wall it goes round the bearing.
        rig_near(w[4], rebounds ? before[4] : y[3] * w[0] / 0.5e-3, 1e-3 * scales[4], "falling");
        rig_near(w[5], before[5], 1e-3 * scales[5], "spin");
        lash_sim_destroy(tangent);
        lash_sim_destroy(start);
    }
    rig_close(&r);
}

#define SOFT "contact: {law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.7}"

/* Joints, drives, stabilisation, methods: a slider-crank with play in its gudgeon pin. A step may leave an
 * error in w, and gear takes the most of them. In permanent contact the journal turns round in its bearing,
 * and w shrinks beside directions that grow. */
static void test_mechanism(void **state) {
    (void)state;
    static const struct {
        const char *play, *run;
        double bound;
    } cases[] = {
        {SOFT, "reduce: false", 5e-5},
        {SOFT, "reduce: false, stabilisation: projection", 5e-5},
        {SOFT, "reduce: true", 5e-5},
        {SOFT, "method: adams", 1e-4},
        {SOFT, "method: gear", 1e-3},
        {"model: permanent-contact, offset: [0.3 mm, 0]", "reduce: true", 1e-3},
        {"model: three-mode, restitution: 0.6", "reduce: true", 5e-5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        print_message("%s, %s\n", cases[k].play, cases[k].run);
        rig r = rig_open("gravity: [0, -9.81]\n"
                         "bodies:\n"
                         "  crank: {mass: 0.3, inertia: 1e-4, position: [25 mm, 0],\n"
                         "          points: {o: [-25 mm, 0], p: [25 mm, 0]}}\n"
                         "  rod: {mass: 0.2, inertia: 2.5e-4, position: [110 mm, 0],\n"
                         "        points: {p: [-60 mm, 0], q: [60 mm, 0]}}\n"
                         "  slider: {mass: 0.14, inertia: 1e-4, position: [170 mm, 0]}\n"
                         "joints:\n"
                         "  main: {type: revolute, between: [ground, crank.o]}\n"
                         "  pin: {type: revolute, between: [rod.p, crank.p]}\n"
                         "  gudgeon: {type: revolute, between: [slider, rod.q],\n"
                         "            clearance: {bearing_radius: 10 mm, radial: 0.3 mm, %s}}\n"
                         "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
                         "drives: {motor: {joint: main, speed: 300 rad/s}}\n"
                         "run: {until: 1, rtol: 1e-10, %s}\n",
                         cases[k].play, cases[k].run);
        assert_true(disagreement(&r, NULL, 0, 0.02, 5) < cases[k].bound);
        rig_close(&r);
    }
}

/* In the midst of a contact, a difference in what it remembers alone. */
static void test_memory(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        static const double fast[3] = {0.1, -0.2, 3}, step[2] = {1e-4, 1e-10};
        rig r = rig_open("%s", k ? BALL(DAMPED ", friction: {law: lugre, coefficient: 0.1}") : BALL(DAMPED));
        lash_error error = {0};
        double y[6], w[8] = {0}, end[2][6], memory[2], scales[6], off[6];
        lash_sim_coordinates(y, r.sim);
        memcpy(y + 3, fast, sizeof fast);
        rig_require(lash_sim_set_coordinates(r.sim, y, &error), &error, "start");
        do
            rig_require(lash_sim_step(r.sim, 1, &error), &error, "step");
        while (!(rig_value(&r, "gap.delta") > 1e-6));
        lash_sim *tangent = NULL;
        lash_state *middle = NULL;
        rig_require(lash_state_create(&middle, r.sim, &error), &error, "save");
        rig_require(lash_sim_create_tangent(&tangent, r.sim, &error), &error, "tangent");
        lash_sim_coordinate_scales(scales, r.sim);
        lash_sim_memory(memory, r.sim);
        assert_true(memory[0] > 0.2 && (memory[1] > 0) == (k == 1));
        w[6 + k] = step[k];
        rig_require(lash_sim_set_tangent(tangent, w, &error), &error, "set");
        rig_require(lash_sim_tangent(w, tangent, &error), &error, "get");
        assert_true(fabs(w[6 + k] - step[k]) < 1e-12 * step[k] && length_of(w, scales, 6) == 0);
        const double until = lash_sim_time(r.sim) + 0.001;
        for (int side = 0; side < 2; side++) {
            double moved[2] = {memory[0], memory[1]};
            moved[k] += side ? step[k] : -step[k];
            rig_require(lash_sim_restore(r.sim, middle, &error), &error, "restore");
            rig_require(lash_sim_set_memory(r.sim, moved, &error), &error, "memory");
            step_to(r.sim, until);
            lash_sim_coordinates(end[side], r.sim);
        }
        assert_true(rig_value(&r, "gap.delta") < 0); // the contact has ended
        step_to(tangent, until);
        rig_require(lash_sim_tangent(w, tangent, &error), &error, "get");
        for (size_t i = 0; i < 6; i++)
            off[i] = w[i] - (end[1][i] - end[0][i]) / 2;
        assert_true(length_of(w, scales, 6) > 0 && w[6] == 0 && w[7] == 0);
        assert_true(length_of(off, scales, 6) < 1e-4 * length_of(w, scales, 6));
        lash_state_destroy(middle);
        lash_sim_destroy(tangent);
        rig_close(&r);
    }
}

/* What is carried over to the next point of a study has all components of the bristles. */
static void test_carry_of_bristles_in_space(void **state) {
    (void)state;
    rig r =
        rig_open("%s", SOLID("type: spherical, clearance: {length: 1 mm", "law: lugre, coefficient: 0.1"));
    lash_error error = {0};
    double y[13], before[4], after[4];
    static const double fast[6] = {0.1, -0.3, -0.2, -3, -1, -2};
    lash_sim_coordinates(y, r.sim);
    memcpy(y + 7, fast, sizeof fast);
    rig_require(lash_sim_set_coordinates(r.sim, y, &error), &error, "start");
    do
        rig_require(lash_sim_step(r.sim, 1, &error), &error, "step");
    while (!(rig_value(&r, "gap.delta") > 1e-6));
    assert_int_equal(lash_sim_memory_count(r.sim), 4);
    lash_sim_memory(before, r.sim);
    assert_true(before[0] > 0 && before[1] != 0 && before[2] < 0 && before[3] != 0);
    lashi_state carried = {0};
    rig_require(lashi_carry_end(&carried, r.sim, &error), &error, "end");
    rig_require(lashi_carry_begin(&r.sim, r.system, &carried, &error), &error, "begin");
    lash_sim_memory(after, r.sim);
    for (size_t i = 0; i < 4; i++)
        assert_true(after[i] == before[i]);
    free(carried.values);
    rig_close(&r);
}

/* ---- closed forms ---- */

/* A mass on a spring with damping c, shaken, between two walls: areas of the phase plane shrink by exp(−ct/m)
 * and by ε² in every impact, whatever the motion. */
static void test_area(void **state) {
    (void)state;
    const double c = 0.8, restitution = 0.6, until = 0.9;
    rig r = rig_open("bodies: {mass: {mass: 1, inertia: 1}}\n"
                     "joints:\n"
                     "  guide: {type: translational, between: [ground, mass], axis: [1, 0]}\n"
                     "  walls: {type: revolute, between: [ground, mass], clearance: {model: three-mode, "
                     "radial: 0.1, restitution: %g}}\n"
                     "forces:\n"
                     "  spring: {type: joint-spring, joint: guide, stiffness: 40, damping: %g, free: 0}\n"
                     "  shaker: {type: force, at: mass, force: [\"20*cos(7*t)\", 0]}\n"
                     "run: {until: %g, rtol: 1e-6}\n",
                     restitution, c, until);
    lash_error error = {0};
    double w[2][4] = {{1e-6, 0}, {0, 1e-5}};
    assert_int_equal(lash_sim_coordinate_count(r.sim), 2);
    assert_int_equal(lash_sim_memory_count(r.sim), 2);
    size_t impacts = 0;
    for (int k = 0; k < 2; k++) {
        lash_sim *tangent = NULL;
        rig_require(lash_sim_create_tangent(&tangent, r.sim, &error), &error, "tangent");
        rig_require(lash_sim_set_tangent(tangent, w[k], &error), &error, "set");
        step_to(tangent, until);
        rig_require(lash_sim_tangent(w[k], tangent, &error), &error, "get");
        impacts = lash_sim_summary(tangent).clearances[0].impacts;
        lash_sim_destroy(tangent);
    }
    const double area = (w[0][0] * w[1][1] - w[0][1] * w[1][0]) / 1e-11;
    const double known = exp(-c * until) * pow(restitution, 2 * (double)impacts);
    print_message("%zu impacts: area %.6g, known %.6g\n", impacts, area, known);
    assert_true(impacts >= 4 && fabs(area / known - 1) < 1e-4);
    rig_close(&r);
}

static lashi_lyapunov exponent_of(const rig *r, double interval, size_t count, size_t align) {
    lashi_lyapunov l;
    lash_error error = {0};
    const lashi_lyapunov_options options = {.interval = interval, .count = count, .align = align};
    rig_require(lashi_lyapunov_sim(&l, r->sim, &options, &error), &error, "exponent");
    return l;
}

static void check_exponent(const rig *r, const char *what, double known, double within, double interval,
                           size_t count) {
    lashi_lyapunov l = exponent_of(r, interval, count, 20);
    print_message("%s: %.7f ± %.7f, known %.7f\n", what, l.exponent, l.error, known);
    assert_true(fabs(l.exponent - known) < 3 * l.error && l.error < within * fabs(known));
    lashi_lyapunov_clear(&l);
}

static void test_exponents(void **state) {
    (void)state;
    static const double tolerances[] = {1e-4, 1e-7, 1e-10};
    for (size_t k = 0; k < 3; k++) {
        const double rtol = tolerances[k];
        print_message("rtol %g\n", rtol);
        // A mass on a spring with damping: −c/2m.
        rig r = rig_open("bodies: {mass: {mass: 1, inertia: 1, position: [1, 0]}}\n"
                         "joints: {guide: {type: translational, between: [ground, mass], axis: [1, 0]}}\n"
                         "forces: {spring: {type: joint-spring, joint: guide, stiffness: 9, damping: 0.8, "
                         "free: 0}}\n"
                         "run: {until: 1, rtol: %g}\n",
                         rtol);
        check_exponent(&r, "spring", -0.4, 1e-3, RIG_PI / sqrt(9 - 0.16), 20);
        rig_close(&r);
        // A body in space that settles faster than anything that keeps it on its constraints or its Euler
        // parameters at their length. Moment about the pivot 2, stiffness 2·900, damping 2·2·20.
        for (int reduce = 0; reduce < 2; reduce++) {
            r = rig_open(
                "space: spatial\n"
                "bodies: {rod: {mass: 1, inertia: [1, 0.5, 1], position: [0, -1, 0], points: {top: [0, 1, "
                "0]}}}\n"
                "joints: {pivot: {type: revolute, between: [ground, rod.top], axis: [0, 0, 1]}}\n"
                "forces: {brace: {type: joint-spring, joint: pivot, stiffness: 1800, damping: 80, free: 0}}\n"
                "run: {until: 1, rtol: %g, reduce: %s}\n",
                rtol, reduce ? "true" : "false");
            assert_int_equal(lash_sim_coordinate_count(r.sim), reduce ? 2 : 13);
            for (size_t i = 0; i < lash_sim_coordinate_count(r.sim); i++)
                assert_int_equal(lash_sim_coordinate_is_angle(r.sim, i), reduce && i == 0);
            check_exponent(&r, "pendulum in space", -20, 1e-3, RIG_PI / sqrt(900 - 400), 20);
            rig_close(&r);
        }
        // A ball on a shaken table (three-mode), one bounce per period: the two multipliers are a pair of
        // complex numbers whose product is ε².
        r = rig_open(
            "gravity: [0, -10]\n"
            "bodies: {table: {mass: 1, inertia: 1}, ball: {mass: 0.1, inertia: 1}}\n"
            "joints:\n"
            "  slide: {type: translational, between: [ground, table], axis: [0, 1]}\n"
            "  rail: {type: translational, between: [ground, ball], axis: [0, 1]}\n"
            "  ring: {type: revolute, between: [table, ball], clearance: {model: three-mode, radial: "
            "50 mm, restitution: 0.5, offset: [0, -40 mm]}}\n"
            "drives: {shaker: {joint: slide, motion: \"1.2e-3*sin(100*t)\"}}\n"
            "run: {until: 1, rtol: %g}\n",
            rtol);
        step_to(r.sim, 400 * RIG_PI / 50);
        check_exponent(&r, "ball on a shaken table", log(0.5) / (RIG_PI / 50), 0.02, RIG_PI / 50, 500);
        rig_close(&r);
        // A mass at rest on a contact F = Kδ(1 + hδ̇/v), v the floor of the approach speed: −gh/2v.
        r = rig_open("gravity: [0, -10]\n"
                     "bodies: {ball: {mass: 1, inertia: 1}}\n"
                     "joints:\n"
                     "  rail: {type: translational, between: [ground, ball], axis: [0, 1]}\n"
                     "  ring: {type: revolute, between: [ground, ball], clearance: {bearing_radius: 10 mm, "
                     "radial: 1 mm, offset: [0, -0.999 mm], contact: {law: hunt-crossley, exponent: 1, "
                     "stiffness: 1e5, restitution: 0.5, speed_floor: 0.1}}}\n"
                     "run: {until: 1, rtol: %g}\n",
                     rtol);
        step_to(r.sim, 1);
        const double rate = -10 * 0.75 / 0.2;
        check_exponent(&r, "ball at rest", rate, 1e-3, RIG_PI / sqrt(1e5 - rate * rate), 40);
        rig_close(&r);
    }
}

/* ---- the tolerance does not matter ---- */

static lashi_lyapunov exponent_of_example(const char *name, const lash_setting *settings, size_t count,
                                          double turn, size_t discard, size_t kept) {
    lash_error error = {0};
    rig r = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/examples/%s.yaml", LASH_SOURCE_DIR, name);
    const lash_load_options options = {.settings = settings, .setting_count = count};
    rig_require(lash_model_load(&r.model, path, &options, &error), &error, "model");
    rig_require(lash_system_compile(&r.system, r.model, &error), &error, "compile");
    rig_require(lash_sim_create(&r.sim, r.system, &error), &error, "create");
    step_to(r.sim, (double)discard * turn);
    lashi_lyapunov l = exponent_of(&r, turn / 8, 8 * kept, 32);
    l.exponent *= turn;
    l.error *= turn;
    print_message("%s, rtol %s: %.4f ± %.4f per turn\n", name, settings[0].value, l.exponent, l.error);
    rig_close(&r);
    return l;
}

/* The slider-cranks of flores-2010 with 0.05 mm at the gudgeon pin, and of muvengei-2012 with 0.01 mm at the
 * crankpin. With runs at rtol 1e-10 and two trajectories instead of a tangent, −1.82 ± 0.02 and −13.28. */
static void test_tolerance(void **state) {
    (void)state;
    static const char *const tolerances[] = {"1e-6", "1e-8", "1e-10"};
    double before = 0;
    for (size_t k = 0; k < 3; k++) {
        const lash_setting small[] = {{"run.rtol", tolerances[k]}};
        lashi_lyapunov l = exponent_of_example("flores-2010", small, 1, 0.012, 24, 32);
        assert_true(fabs(l.exponent + 1.8) < 0.01 && fabs(l.exponent + 1.8) < l.error && l.error < 0.05);
        lashi_lyapunov_clear(&l);
    }
    for (size_t k = 0; k < 2; k++) {
        const lash_setting pin[] = {{"run.rtol", tolerances[k]},
                                    {"radial", "0.01 mm"},
                                    {"crankpin", "clearance"},
                                    {"gudgeon", "ideal"}};
        lashi_lyapunov l = exponent_of_example("muvengei-2012", pin, 4, 0.012, 8, 16);
        assert_true(fabs(l.exponent + 13.28) < l.error && l.error < 0.2);
        assert_true(k == 0 || fabs(l.exponent - before) < 1e-3);
        before = l.exponent;
        lashi_lyapunov_clear(&l);
    }
}

/* ---- no exponent ---- */

static void test_nothing_differs(void **state) {
    (void)state;
    lash_error error = {0};
    lashi_lyapunov l;
    const lashi_lyapunov_options options = {.interval = 0.1, .count = 10};
    // A mass that lies on its wall and stays there.
    rig r = rig_open("gravity: [0, -10]\n"
                     "bodies: {ball: {mass: 1, inertia: 1}}\n"
                     "joints:\n"
                     "  rail: {type: translational, between: [ground, ball], axis: [0, 1]}\n"
                     "  ring: {type: revolute, between: [ground, ball], clearance: {model: three-mode, "
                     "radial: 1 mm, restitution: 0.5}}\n"
                     "run: {until: 1}\n");
    step_to(r.sim, 1);
    assert_int_equal(lashi_lyapunov_sim(&l, r.sim, &options, &error), LASH_ERROR_USAGE);
    assert_non_null(strstr(error.message, "nothing can differ"));
    rig_close(&r);
    // One that is thrown up and falls back on it, once per period.
    r = rig_open("gravity: [0, -10]\n"
                 "bodies: {ball: {mass: 1, inertia: 1}}\n"
                 "joints:\n"
                 "  rail: {type: translational, between: [ground, ball], axis: [0, 1]}\n"
                 "  ring: {type: revolute, between: [ground, ball], clearance: {model: three-mode, radial: "
                 "1 m, restitution: 0, offset: [0, -0.99 m]}}\n"
                 "forces: {pull: {type: force, at: ball, force: [0, \"20*sin(20*t)\"]}}\n"
                 "run: {until: 3}\n");
    step_to(r.sim, 4 * RIG_PI / 10 + 0.12);
    assert_true(rig_value(&r, "ring.mode") == 0);
    const lashi_lyapunov_options periods = {.interval = RIG_PI / 10, .count = 5};
    assert_int_equal(lashi_lyapunov_sim(&l, r.sim, &periods, &error), LASH_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "minus infinity"));
    rig_close(&r);
    // Drives alone, in absolute coordinates.
    r = rig_open("bodies: {rod: {mass: 1, inertia: 1, position: [0, -1], points: {top: [0, 1]}}}\n"
                 "joints: {pivot: {type: revolute, between: [ground, rod.top]}}\n"
                 "drives: {motor: {joint: pivot, speed: 1 rad/s}}\n"
                 "run: {until: 1, reduce: false}\n");
    assert_int_equal(lashi_lyapunov_sim(&l, r.sim, &options, &error), LASH_ERROR_USAGE);
    assert_non_null(strstr(error.message, "nothing can differ"));
    // A sim without a tangent has none to give.
    double w[6];
    assert_int_equal(lash_sim_tangent(w, r.sim, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_sim_set_tangent(r.sim, w, &error), LASH_ERROR_USAGE);
    assert_true(isnan(lash_sim_tangent_tolerance(r.sim)));
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_event),
        cmocka_unit_test(test_other_modes),
        cmocka_unit_test(test_mechanism),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_carry_of_bristles_in_space),
        cmocka_unit_test(test_area),
        cmocka_unit_test(test_exponents),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_nothing_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
