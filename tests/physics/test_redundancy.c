/* SPDX-License-Identifier: MIT
 *
 * Redundant constraints: how many, which, that the motion is that of the mechanism without them, and that the
 * reactions are those of least norm, compared with a dense pseudo-inverse: of all λ with Φqᵀ λ = g − M v̇ the
 * one that LAPACK's dgelss (singular values) finds, moments weighted with the size of the mechanism.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"
#include "sim/sim.h"

void dgelss_(const int *m, const int *n, const int *columns, double *A, const int *lda, double *B,
             const int *ldb, double *singular, const double *rcond, int *rank, double *work, const int *lwork,
             int *info);

enum { MOST = 64 };

/* 1 for a force, 1/size for a moment. */
static double root_weight(const rig *r, const lashi_constraint *item, int row) {
    const bool moment = (item->type == LASHI_JOINT_fixed && row == 2) ||
                        (item->type == LASHI_JOINT_translational && row == 1) ||
                        (item->type == LASHI_JOINT_drive && item->coordinate.type == LASHI_COORDINATE_ANGLE);
    return moment ? 1 / r->system->length : 1;
}

/* All constraints, and their multipliers after an evaluation. */
static const lashi_constraint_set *set_of(const rig *r) {
    return r->system->whole.rows > 0 ? &r->system->whole : &r->system->motion;
}
static const double *multipliers(const rig *r) {
    return r->system->whole.rows > 0 ? r->sim->workspace->whole_lambda : r->sim->workspace->lambda;
}

/* Multipliers of least norm at the present state, and the rank. */
static int pseudo_inverse(double lambda[MOST], const rig *r) {
    const lash_system *system = r->system;
    const lashi_constraint_set *set = set_of(r);
    const int n = system->full_v, rows = set->rows, one = 1, longest = n > rows ? n : rows, lwork = 4096;
    static double A[MOST * MOST], b[MOST], singular[MOST], work[4096],
        J[LASHI_LINKS * LASHI_FREEDOMS * LASHI_MAX_ROWS];
    const double rcond = 1e-10;
    int rank = 0, info = 0;
    assert_true(longest <= MOST);
    memset(A, 0, sizeof A);
    memset(b, 0, sizeof b);
    rig_value(r, "time"); // brings the workspace to the present state
    const lashi_workspace *w = r->sim->workspace;
    for (int c = 0; c < set->count; c++) {
        const lashi_constraint *item = &set->items[c];
        double Phi[LASHI_MAX_ROWS], Phi_dot[LASHI_MAX_ROWS], gamma[LASHI_MAX_ROWS];
        const lashi_rows into = {.J = J, .Phi = Phi, .Phi_dot = Phi_dot, .gamma = gamma};
        lashi_constraint_rows(&into, item, w->frames, lash_sim_time(r->sim));
        for (int slot = 0; slot < LASHI_SLOTS; slot++)
            for (int k = 0; k < 3 && item->body[slot] > 0; k++)
                for (int row = 0; row < item->rows; row++)
                    A[(item->first_row + row) * n + 3 * (item->body[slot] - 1) + k] =
                        J[slot * LASHI_FREEDOMS * item->rows + k * item->rows + row] /
                        root_weight(r, item, row);
    }
    const double gravity[3] = {system->gravity.x, system->gravity.y, 0}; // the only force in these models
    for (int body = 1; body < system->bodies; body++)
        for (int k = 0; k < 3; k++)
            b[3 * (body - 1) + k] = system->mass[body][k] * (gravity[k] - w->acceleration[body][k]);
    dgelss_(&n, &rows, &one, A, &n, b, &longest, singular, &rcond, &rank, work, &lwork, &info);
    assert_int_equal(info, 0);
    for (int c = 0; c < set->count; c++)
        for (int row = 0; row < set->items[c].rows; row++)
            lambda[set->items[c].first_row + row] =
                b[set->items[c].first_row + row] / root_weight(r, &set->items[c], row);
    return rank;
}

static size_t redundant_count(const rig *r) {
    size_t count = 0;
    while (lash_system_redundant(r->system, count))
        count++;
    return count;
}

static void check_reactions(const rig *r) {
    double expected[MOST], size = 0;
    const int rank = pseudo_inverse(expected, r), rows = set_of(r)->rows;
    assert_int_equal(rank, rows - (int)redundant_count(r));
    rig_value(r, "time");
    for (int i = 0; i < rows; i++)
        size = fmax(size, fabs(expected[i]));
    for (int i = 0; i < rows; i++)
        assert_near(multipliers(r)[i], expected[i], 1e-9 * size);
}

/* A coupler of 1 m on parallel cranks of 0.5 m, the third with its pivot at (0.4, height). */
#define CRANKS                                                                                               \
    "gravity: [0, -9.81]\n"                                                                                  \
    "ground: {points: {b: [1, 0], c: [0.4, %g]}}\n"                                                          \
    "bodies:\n"                                                                                              \
    "  one: {mass: 1, inertia: 0.02, position: [0.125, 0.2165063509461097], angle: 60 deg, points: {o: "     \
    "[-0.25, 0], p: "                                                                                        \
    "[0.25, 0]}}\n"                                                                                          \
    "  two: {mass: 1, inertia: 0.02, position: [1.125, 0.2165063509461097], angle: 60 deg, points: {o: "     \
    "[-0.25, 0], p: "                                                                                        \
    "[0.25, 0]}}\n"                                                                                          \
    "  three: {mass: 2, inertia: 0.05, position: [0.525, 0.2165063509461097 + %g], angle: 60 deg, points: "  \
    "{o: [-0.25, 0], "                                                                                       \
    "p: [0.25, 0]}}\n"                                                                                       \
    "  coupler: {mass: 3, inertia: 0.3, position: [0.75, 0.4330127018922193], points: {a: [-0.5, 0], b: "    \
    "[0.5, 0], c: "                                                                                          \
    "[-0.1, %g]}}\n"                                                                                         \
    "joints:\n"                                                                                              \
    "  o1: {type: revolute, between: [ground, one.o]}\n"                                                     \
    "  o2: {type: revolute, between: [ground.b, two.o]}\n"                                                   \
    "  o3: {type: revolute, between: [ground.c, three.o]}\n"                                                 \
    "  p1: {type: revolute, between: [one.p, coupler.a]}\n"                                                  \
    "  p2: {type: revolute, between: [two.p, coupler.b]}\n"
#define LAST_PIN "  p3: {type: revolute, between: [coupler.c, three.p]}\n"
/* A third crank that only follows: its equations repeat those of the other two. */
#define LAST_SLOT "  p3: {type: point-on-line, between: [coupler.c, three.p], axis: [0, 1]}\n"

static void test_parallelogram_with_a_fifth_bar(void **state) {
    (void)state;
    rig r = rig_open(CRANKS LAST_PIN "run: {until: 1, rtol: 1e-11}\n", 0.0, 0.0, 0.0);
    rig plain = rig_open(CRANKS LAST_SLOT "run: {until: 1, rtol: 1e-11}\n", 0.0, 0.0, 0.0);
    assert_int_equal(lash_system_constraint_count(r.system), 12);
    assert_int_equal(redundant_count(&r), 1);
    assert_int_equal(redundant_count(&plain), 0);
    assert_int_equal(lash_system_freedoms(r.system), 1);
    assert_int_equal(lash_system_freedoms(plain.system), 1);
    assert_non_null(strstr(lash_system_redundant(r.system, 0), "joint 'p3'"));
    for (int k = 0; k <= 6;
         k++) { // from 60° until it hangs over to the other side of the dead position, short of it
        const double t = 0.05 * k;
        rig_step_to(&r, t);
        rig_step_to(&plain, t);
        assert_near(rig_value(&r, "one.angle"), rig_value(&plain, "one.angle"), 1e-10);
        assert_near(rig_value(&r, "one.alphaz"), rig_value(&plain, "one.alphaz"), 1e-8);
        // closed form of the one degree of freedom: cranks about their pivots, the coupler along a circle of
        // 0.5 m
        const double angle = rig_value(&r, "one.angle");
        const double J = 0.02 + 0.02 + 0.05 + 4 * 0.0625 + 3 * 0.25, m = (1 + 1 + 2) * 0.25 + 3 * 0.5;
        assert_near(rig_value(&r, "one.alphaz"), -9.81 * m * cos(angle) / J, 1e-8);
        check_reactions(&r);
        check_reactions(&plain);
    }
    rig_close(&plain);
    rig_close(&r);
}

/* Pivots not in one line: the cranks turn through where two of them alone would be in a dead position. One of
 * the three times four equations is redundant at every angle, but not always the same one. */
static void test_three_cranks_turn_round(void **state) {
    (void)state;
    rig r = rig_open(CRANKS LAST_PIN
                     "drives: {motor: {joint: o1, speed: 3}}\nrun: {until: 1 rev of motor, rtol: 1e-10}\n",
                     0.7, 0.7, 0.7);
    assert_int_equal(redundant_count(&r), 1);
    assert_int_equal(lash_system_freedoms(r.system), 0);
    for (int k = 1; k <= 24; k++) {
        const double t = 2 * RIG_PI / 3 * k / 24, angle = RIG_PI / 3 + 3 * t;
        rig_step_to(&r, t);
        assert_near(rig_value(&r, "three.angle"), angle, 1e-8);
        assert_near(rig_value(&r, "coupler.angle"), 0, 1e-8);
        assert_near(rig_value(&r, "coupler.ay"), -9 * 0.5 * sin(angle), 1e-6);
        check_reactions(&r);
    }
    rig_close(&r);
}

/* A slider on two guides of one rail: the equations of the second repeat those of the first. */
static void test_double_guide(void **state) {
    (void)state;
#define SLIDER_CRANK                                                                                         \
    "gravity: [0, -9.81]\n"                                                                                  \
    "ground: {points: {g: [0.3, 0.1]}}\n"                                                                    \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 1, inertia: 0.01, position: [0.05, 0.0866], angle: 60 deg, points: {o: [-0.1, 0], a: "  \
    "[0.1, 0]}}\n"                                                                                           \
    "  rod: {mass: 1, inertia: 0.03, position: [0.3, 0.0866], angle: -20 deg, points: {a: [-0.3, 0], b: "    \
    "[0.3, 0]}}\n"                                                                                           \
    "  slider: {mass: 2, inertia: 0.1, position: [0.67, 0], points: {w: [0.1, 0.1]}}\n"                      \
    "joints:\n"                                                                                              \
    "  o: {type: revolute, between: [ground, crank.o]}\n"                                                    \
    "  a: {type: revolute, between: [crank.a, rod.a]}\n"                                                     \
    "  b: {type: revolute, between: [rod.b, slider]}\n"                                                      \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
    rig r =
        rig_open(SLIDER_CRANK "  again: {type: translational, between: [ground.g, slider.w], axis: [-2, 0]}\n"
                              "run: {until: 1, rtol: 1e-11}\n");
    rig plain = rig_open(SLIDER_CRANK "run: {until: 1, rtol: 1e-11}\n");
    assert_int_equal(redundant_count(&r), 2);
    assert_string_equal(lash_system_redundant(r.system, 0), "joint 'again' (across the guide)");
    assert_string_equal(lash_system_redundant(r.system, 1), "joint 'again' (rotation)");
    assert_int_equal(lash_system_freedoms(r.system), 1);
    for (int k = 0; k <= 10; k++) {
        rig_step_to(&r, 0.1 * k);
        rig_step_to(&plain, 0.1 * k);
        assert_near(rig_value(&r, "crank.angle"), rig_value(&plain, "crank.angle"), 1e-8);
        assert_near(rig_value(&r, "slider.vx"), rig_value(&plain, "slider.vx"), 1e-7);
        // the two guides share what the one carried, about the slider's centre too
        const double fy = rig_value(&r, "guide.fy") + rig_value(&r, "again.fy");
        assert_near(fy, rig_value(&plain, "guide.fy"), 1e-5);
        assert_near(rig_value(&r, "guide.mz") + rig_value(&r, "again.mz") + 0.1 * rig_value(&r, "again.fy"),
                    rig_value(&plain, "guide.mz"), 1e-5);
        check_reactions(&r);
    }
    rig_close(&plain);
    rig_close(&r);
}

/* A beam on three pins, and a second weld: the reactions are those of least norm, by symmetry equal. */
static void test_statically_indeterminate(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, -10]\n"
                     "ground: {points: {l: [-1, 0], r: [1, 0]}}\n"
                     "bodies: {beam: {mass: 3, inertia: 1, points: {l: [-1, 0], r: [1, 0]}}}\n"
                     "joints:\n"
                     "  l: {type: revolute, between: [ground.l, beam.l]}\n"
                     "  m: {type: revolute, between: [ground, beam]}\n"
                     "  r: {type: revolute, between: [ground.r, beam.r]}\n"
                     "run: {until: 1}\n");
    assert_int_equal(lash_system_freedoms(r.system), 0);
    assert_int_equal(redundant_count(&r), 3);
    static const char *const names[] = {"l.fy", "m.fy", "r.fy"};
    for (int k = 0; k < 3; k++)
        assert_near(rig_value(&r, names[k]), 10, 1e-10);
    assert_near(rig_value(&r, "l.fx"), 0, 1e-10);
    check_reactions(&r);
    rig_step_to(&r, 1);
    assert_near(rig_value(&r, "beam.y"), 0, 1e-14);
    rig_close(&r);

    r = rig_open("gravity: [0, -10]\n"
                 "bodies: {block: {mass: 3, inertia: 1, points: {a: [-0.5, 0], b: [0.5, 0.2]}}}\n"
                 "ground: {points: {a: [-0.5, 0], b: [0.5, 0.2]}}\n"
                 "joints:\n"
                 "  a: {type: fixed, between: [ground.a, block.a]}\n"
                 "  b: {type: fixed, between: [ground.b, block.b]}\n"
                 "drives: {still: {body: block, speed: 0}}\n"
                 "run: {until: 1}\n");
    assert_int_equal(redundant_count(&r), 4);
    assert_string_equal(lash_system_redundant(r.system, 3),
                        "drive 'still' (prescribes what is already fixed)");
    check_reactions(&r);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallelogram_with_a_fifth_bar),
        cmocka_unit_test(test_three_cranks_turn_round),
        cmocka_unit_test(test_double_guide),
        cmocka_unit_test(test_statically_indeterminate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
