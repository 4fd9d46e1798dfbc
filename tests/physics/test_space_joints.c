/* SPDX-License-Identifier: MIT
 *
 * Every constraint in space against differences of itself, at random states far from closed:
 *   Φq       against differences of Φ along each velocity of a body, v and ω′ (principal axes),
 *   Φq v+Φt  against the difference of Φ along the motion, t + s,
 *   −γ       against the difference of Φ̇ along the motion with v and ω′ constant, so that Φ̈ = −γ.
 * Orientations move by exact turns. Central differences of fourth order: error about 1e-11 here, and rounding
 * over the step. Angles are counted from the middle of the stencil, so that none jumps by a turn inside it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"
#include "system/system.h"

enum { BODIES = 4, STATES = 25, MOST_ANGLES = 8 };
static const double STEP = 1e-3, AGREEMENT = 2e-9; /* of the size of the terms, which is a few units */
static const double ANGLE_CLEAR = 0.3; /* least ρ of an angle: at 0 the axes give it no direction */

typedef struct motion {
    double q[BODIES][7], v[BODIES][6], t;
    double counted[MOST_ANGLES];
} motion;

typedef struct rows {
    double J[LASHI_LINKS * LASHI_FREEDOMS * LASHI_MAX_ROWS], Phi[LASHI_MAX_ROWS], Phi_dot[LASHI_MAX_ROWS],
        gamma[LASHI_MAX_ROWS];
} rows;

static void fill_frames(lashi_frame frames[BODIES], const motion *m) {
    lashi_frame_ground(&frames[0]);
    for (int b = 1; b < BODIES; b++)
        lashi_frame_from3(&frames[b], m->q[b], m->v[b]);
}

static rows evaluate(const lashi_constraint *item, const motion *m) {
    lashi_frame frames[BODIES];
    fill_frames(frames, m);
    frames[0].counted = m->counted;
    rows out = {0};
    const lashi_rows into = {.J = out.J, .Phi = out.Phi, .Phi_dot = out.Phi_dot, .gamma = out.gamma};
    lashi_constraint_rows(&into, item, frames, m->t);
    return out;
}

static void move_body(double q[7], const double v[6], double s) {
    for (int k = 0; k < 3; k++)
        q[k] += s * v[k];
    const double size = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]), half = 0.5 * s * size;
    if (!(size > 0))
        return;
    const double k = sin(half) / size, turn[4] = {cos(half), k * v[3], k * v[4], k * v[5]};
    const double p[4] = {q[3], q[4], q[5], q[6]};
    lashi_compose(q + 3, p, turn);
}

/* m moved on by s along its velocity, or along one velocity of one body. */
static motion moved(const motion *m, double s, int body, int freedom) {
    motion out = *m;
    if (body > 0) {
        double v[6] = {0};
        v[freedom] = 1;
        move_body(out.q[body], v, s);
        return out;
    }
    out.t += s;
    for (int b = 1; b < BODIES; b++)
        move_body(out.q[b], m->v[b], s);
    return out;
}

/* d/ds of Φ and of Φ̇ of every row. */
static void differences(double dPhi[LASHI_MAX_ROWS], double drate[LASHI_MAX_ROWS],
                        const lashi_constraint *item, const motion *m, int body, int freedom) {
    static const double weight[5] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
    const rows centre = evaluate(item, m);
    for (int r = 0; r < item->rows; r++)
        dPhi[r] = drate[r] = 0;
    for (int k = 0; k < 5; k++) {
        const motion there = moved(m, (k - 2) * STEP, body, freedom);
        const rows at = evaluate(item, &there);
        for (int r = 0; r < item->rows; r++) {
            double change = at.Phi[r] - centre.Phi[r];
            if (item->type == LASHI_JOINT_drive) // whole turns do not matter to it
                change = remainder(change, 2 * RIG_PI);
            dPhi[r] += weight[k] * change / STEP;
            drate[r] += weight[k] * at.Phi_dot[r] / STEP;
        }
    }
}

/* Whether an angle has a direction; its value is where the count begins. */
static bool count_from_here(motion *m, const lash_system *system) {
    lashi_frame frames[BODIES];
    fill_frames(frames, m);
    for (int j = 0; j < system->joint_count; j++) {
        const lashi_coordinate *c = &system->joints[j].coordinate;
        if (!system->joints[j].has_coordinate || c->counted < 0)
            continue;
        const lashi_vec3 u = lashi_turn3(frames[c->body[0]].A, c->geometry->a[0][2]),
                         b = lashi_turn3(frames[c->body[1]].A, c->geometry->a[1][0]);
        const lashi_vec3 third = lashi_turn3(frames[c->body[1]].A, c->geometry->a[1][2]);
        if ((c->tilts ? 1 + lashi_dot3(u, third) : lashi_length3(lashi_cross3(u, b))) < ANGLE_CLEAR)
            return false;
        m->counted[c->counted] = lashi_coordinate_evaluate(c, frames).value;
    }
    return true;
}

static motion random_motion(unsigned long long *seed, const lash_system *system) {
    motion m = {0};
    do {
        m.t = rig_random(seed, 0.3, 1.7);
        for (int b = 1; b < BODIES; b++) {
            for (int k = 0; k < 7; k++)
                m.q[b][k] = rig_random(seed, -1, 1);
            for (int k = 0; k < 6; k++)
                m.v[b][k] = rig_random(seed, -1.5, 1.5);
        }
    } while (!count_from_here(&m, system));
    return m;
}

static void check_item(const lashi_constraint *item, const lash_system *system, unsigned long long *seed) {
    double first_J[LASHI_LINKS * LASHI_FREEDOMS * LASHI_MAX_ROWS];
    for (int k = 0; k < STATES; k++) {
        const motion m = random_motion(seed, system);
        const rows at = evaluate(item, &m);
        double dPhi[LASHI_MAX_ROWS], drate[LASHI_MAX_ROWS], scale = 1;
        for (int r = 0; r < item->rows; r++)
            scale = fmax(scale, fmax(fabs(at.Phi_dot[r]), fabs(at.gamma[r])));
        for (int link = 0; link < LASHI_LINKS; link++)
            for (int c = 0; c < LASHI_FREEDOMS && item->body[link] > 0; c++) {
                differences(dPhi, drate, item, &m, item->body[link], c);
                for (int r = 0; r < item->rows; r++)
                    assert_near(at.J[(link * LASHI_FREEDOMS + c) * item->rows + r], dPhi[r],
                                AGREEMENT * scale);
            }
        differences(dPhi, drate, item, &m, 0, 0);
        for (int r = 0; r < item->rows; r++) {
            assert_near(at.Phi_dot[r], dPhi[r], AGREEMENT * scale);
            assert_near(-at.gamma[r], drate[r], 10 * AGREEMENT * scale);
        }
        if (k == 0)
            memcpy(first_J, at.J, sizeof first_J);
        for (int slot = 0; slot < LASHI_SLOTS && item->steady; slot++) // what is kept must not change
            for (int i = 0; i < 3 * item->rows; i++)
                assert_true(item->body[slot] == 0 || at.J[slot * LASHI_FREEDOMS * item->rows + i] ==
                                                         first_J[slot * LASHI_FREEDOMS * item->rows + i]);
    }
}

/* Bodies with full inertia, so that principal axes and the user's differ, drawn turned; p is a common place.
 */
#define THREE_BODIES                                                                                         \
    "space: spatial\n"                                                                                       \
    "ground: {points: {p: [0.3, -0.2, 0.1]}}\n"                                                              \
    "bodies:\n"                                                                                              \
    "  a: {mass: 1, inertia: [1, 1.2, 1.5, 0.2, -0.1, 0.3], position: [0.1, 0.2, -0.3],\n"                   \
    "      orientation: {roll: 0.3, pitch: -0.4, yaw: 1.1}, points: {p: [0.4, -0.3, 0.2]}}\n"                \
    "  b: {mass: 2, inertia: [0.8, 0.9, 0.6, -0.1, 0.15, 0.05], position: [0.9, 0.5, 0.2],\n"                \
    "      orientation: {axis: [1, -2, 0.5], angle: 70 deg}, points: {p: [-0.2, 0.5, 0.1]}}\n"               \
    "  c: {mass: 1, inertia: [1, 1.1, 1.3, 0.1, 0.1, 0.1], position: [-0.4, 0.1, 0.6],\n"                    \
    "      orientation: [0.5, 0.1, -0.7, 0.2], points: {p: [0.1, 0.2, -0.3]}}\n"                             \
    "run: {until: 1, reduce: false}\n"

static void check_model(const char *rest, int expected) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s", THREE_BODIES, rest);
    lash_error error = {0};
    lash_model *model = NULL;
    lash_system *system = NULL;
    rig_require(lash_model_parse(&model, text, strlen(text), "test.yaml", NULL, &error), &error, rest);
    rig_require(lash_system_compile(&system, model, &error), &error, rest);
    unsigned long long seed = 7;
    int found = 0;
    for (int c = 0; c < system->motion.count; c++) {
        check_item(&system->motion.items[c], system, &seed);
        found += system->motion.items[c].rows;
    }
    assert_int_equal(found, expected);
    lash_system_destroy(system);
    lash_model_destroy(model);
}

/* A joint between two bodies, from ground to one, and from one to ground. */
static void check_joint(const char *keys, int expected) {
    static const char *const ends[] = {"a.p, b.p", "ground.p, b.p", "c.p, ground.p"};
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        char text[512];
        snprintf(text, sizeof text, "joints: {j: {between: [%s], %s}}\n", ends[k], keys);
        check_model(text, expected);
    }
}

static void test_joints(void **state) {
    (void)state;
    check_joint("type: spherical", 3);
    check_joint("type: revolute, axis: [1, 2, -0.5]", 5);
    check_joint("type: revolute, axis: [1, 2, -0.5], second_axis: [0, 1, 3]", 5);
    check_joint("type: cylindrical, axis: [1, 2, -0.5]", 4);
    check_joint("type: prismatic, axis: [0, 2, -0.5]", 5);
    check_joint("type: prismatic, axis: [0, 2, -0.5], second_axis: [1, 1, 1]", 5);
    check_joint("type: universal, axis: [1, 0, 0.3], second_axis: [0.1, 1, 0]", 4);
    check_joint("type: fixed", 6);
    check_joint("type: planar, axis: [1, 1, 1]", 3);
    check_joint("type: distance, length: 0.7", 1);
    check_joint("type: point-on-line, axis: [3, -1, 2]", 2);
    check_joint("type: point-in-plane, axis: [3, -1, 2]", 1);
    check_joint("type: screw, axis: [-1, 1, 2], pitch: 0.4", 5);
    check_joint("type: screw, axis: [-1, 1, 2], pitch: -1.3, second_axis: [1, 2, 2]", 5);
}

/* Wheels in ground, in a housing that moves, and one on the other's shaft. */
static void test_gear(void **state) {
    (void)state;
    check_model("joints:\n"
                "  one: {type: revolute, between: [ground.p, a.p], axis: [0, 1, 1]}\n"
                "  two: {type: revolute, between: [ground, b.p], axis: [1, 0, 0.2]}\n"
                "  mesh: {type: gear, joints: [one, two], ratio: 0.6}\n",
                11);
    check_model("joints:\n"
                "  one: {type: cylindrical, between: [c.p, a.p], axis: [0, 1, 1]}\n"
                "  two: {type: revolute, between: [c, b.p], axis: [1, 0, 0.2]}\n"
                "  mesh: {type: gear, joints: [one, two], ratio: -2.5}\n",
                10);
    check_model("joints:\n"
                "  one: {type: revolute, between: [ground.p, a.p], axis: [0, 1, 1]}\n"
                "  two: {type: revolute, between: [a, b.p], axis: [1, 0, 0.2]}\n"
                "  mesh: {type: gear, joints: [one, two], ratio: 3}\n",
                11);
}

static void test_drives(void **state) {
    (void)state;
    static const char *const profiles[] = {"speed: 1.3, start: 0.2", "ramp: {from: -0.4, to: 1.1, over: 3}",
                                           "motion: \"0.3*sin(2*t) + 0.1*t^2\""};
    static const struct {
        const char *type, *coordinate;
        int rows;
    } driven[] = {{"revolute", "", 6},
                  {"cylindrical", "", 5},
                  {"cylindrical", ", coordinate: travel", 5},
                  {"screw, pitch: 0.2", "", 6},
                  {"screw, pitch: 0.2", ", coordinate: travel", 6},
                  {"prismatic", "", 6},
                  {"point-on-line", "", 3}};
    for (size_t k = 0; k < sizeof profiles / sizeof *profiles; k++)
        for (size_t d = 0; d < sizeof driven / sizeof *driven; d++) {
            char text[512];
            snprintf(text, sizeof text,
                     "joints: {j: {between: [%s, b.p], axis: [1, -1, 2], type: %s}}\n"
                     "drives: {d: {joint: j, %s%s}}\n",
                     k == 1 ? "ground.p" : "c.p", driven[d].type, profiles[k], driven[d].coordinate);
            check_model(text, driven[d].rows);
        }
}

/* A pin with play that is held along its axis leaves one row; its angle is defined at any tilt. */
static void test_pin_with_play(void **state) {
    (void)state;
#define LOOSE_PIN                                                                                            \
    "joints: {j: {type: revolute, between: [a.p, b.p], axis: [1, 2, -0.5], clearance: {\n"                   \
    "  bearing_radius: 10 mm, radial: 0.1 mm, length: 20 mm,\n"                                              \
    "  contact: {stiffness: 1e9, restitution: 0.9}}}}\n"
    check_model(LOOSE_PIN, 1);
    check_model(LOOSE_PIN "drives: {d: {joint: j, motion: \"0.3*sin(2*t)\"}}\n", 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_gear),
        cmocka_unit_test(test_drives),
        cmocka_unit_test(test_pin_with_play),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
