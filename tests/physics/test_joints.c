/* SPDX-License-Identifier: MIT
 *
 * Every constraint against differences of itself, at random states far from closed:
 *   Φq      against differences of Φ in each coordinate,
 *   Φq v+Φt against the difference of Φ along the motion q + v s, t + s,
 *   −γ      against the difference of Φ̇ along the same motion (v constant, so Φ̈ = −γ).
 * Central differences of fourth order: their error is h⁴ times a fifth derivative, about 1e-11 here, and
 * rounding over h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "input/units.h"
#include "laws/near.h"
#include "physics/rig.h"
#include "system/system.h"

enum { BODIES = 3, STATES = 40 };
static const double STEP = 1e-3, AGREEMENT = 2e-9; /* of the size of the terms, which is a few units */

typedef struct motion {
    double q[BODIES][3], v[BODIES][3], t;
} motion;

typedef struct rows {
    double J[LASHI_LINKS * LASHI_FREEDOMS * LASHI_MAX_ROWS], Phi[LASHI_MAX_ROWS], Phi_dot[LASHI_MAX_ROWS],
        gamma[LASHI_MAX_ROWS];
} rows;

static rows evaluate(const lashi_constraint *item, const motion *m) {
    lashi_frame frames[BODIES] = {{.c = 1}};
    for (int b = 1; b < BODIES; b++)
        frames[b] = (lashi_frame){.x = m->q[b][0],
                                  .y = m->q[b][1],
                                  .angle = m->q[b][2],
                                  .c = cos(m->q[b][2]),
                                  .s = sin(m->q[b][2]),
                                  .vx = m->v[b][0],
                                  .vy = m->v[b][1],
                                  .w = m->v[b][2]};
    rows out = {0};
    const lashi_rows into = {.J = out.J, .Phi = out.Phi, .Phi_dot = out.Phi_dot, .gamma = out.gamma};
    lashi_constraint_rows(&into, item, frames, m->t);
    return out;
}

/* m moved on by s along its velocity, or along one coordinate. */
static motion moved(const motion *m, double s, int body, int coordinate) {
    motion out = *m;
    if (body > 0) {
        out.q[body][coordinate] += s;
        return out;
    }
    out.t += s;
    for (int b = 1; b < BODIES; b++)
        for (int k = 0; k < 3; k++)
            out.q[b][k] += s * m->v[b][k];
    return out;
}

/* d/ds of Φ and of Φ̇ of every row. */
static void differences(double dPhi[LASHI_MAX_ROWS], double drate[LASHI_MAX_ROWS],
                        const lashi_constraint *item, const motion *m, int body, int coordinate) {
    static const double weight[5] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
    const rows centre = evaluate(item, m);
    for (int r = 0; r < item->rows; r++)
        dPhi[r] = drate[r] = 0;
    for (int k = 0; k < 5; k++) {
        const motion there = moved(m, (k - 2) * STEP, body, coordinate);
        const rows at = evaluate(item, &there);
        for (int r = 0; r < item->rows; r++) {
            double change = at.Phi[r] - centre.Phi[r];
            if (item->type == LASHI_JOINT_gear) // Φ is given up to whole turns of the line of centres
                change = remainder(change, 2 * RIG_PI * (item->radius[0] + item->radius[1]));
            dPhi[r] += weight[k] * change / STEP;
            drate[r] += weight[k] * at.Phi_dot[r] / STEP;
        }
    }
}

/* Distance of the two points of a joint. */
static double apart(const lashi_constraint *item, const motion *m) {
    double d[2] = {0};
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        const double *q = m->q[item->body[slot]], c = cos(q[2]), s = sin(q[2]), sign = slot ? 1 : -1;
        d[0] += sign * (q[0] + c * item->s[slot].x - s * item->s[slot].y);
        d[1] += sign * (q[1] + s * item->s[slot].x + c * item->s[slot].y);
    }
    return hypot(d[0], d[1]);
}

/* The line of centres of a gear turns infinitely fast where they meet: differences need them apart. */
static motion random_motion(unsigned long long *seed, const lashi_constraint *item) {
    motion m = {0};
    do {
        m.t = rig_random(seed, 0.3, 1.7);
        for (int b = 1; b < BODIES; b++)
            for (int k = 0; k < 3; k++) {
                m.q[b][k] = rig_random(seed, -2, 2);
                m.v[b][k] = rig_random(seed, -1.5, 1.5);
            }
    } while (item->type == LASHI_JOINT_gear && apart(item, &m) < 1);
    return m;
}

static void check_item(const lashi_constraint *item, unsigned long long *seed) {
    double first_J[LASHI_LINKS * LASHI_FREEDOMS * LASHI_MAX_ROWS];
    for (int k = 0; k < STATES; k++) {
        const motion m = random_motion(seed, item);
        const rows at = evaluate(item, &m);
        double dPhi[LASHI_MAX_ROWS], drate[LASHI_MAX_ROWS];
        double scale = 1;
        for (int r = 0; r < item->rows; r++)
            scale = fmax(scale, fmax(fabs(at.Phi_dot[r]), fabs(at.gamma[r])));
        for (int slot = 0; slot < LASHI_SLOTS; slot++)
            for (int c = 0; c < 3 && item->body[slot] > 0; c++) {
                differences(dPhi, drate, item, &m, item->body[slot], c);
                for (int r = 0; r < item->rows; r++) {
                    const double J = at.J[slot * LASHI_FREEDOMS * item->rows + c * item->rows + r];
                    assert_near(J, dPhi[r], AGREEMENT * scale);
                }
            }
        differences(dPhi, drate, item, &m, 0, 0);
        for (int r = 0; r < item->rows; r++) {
            assert_near(at.Phi_dot[r], dPhi[r], AGREEMENT * scale);
            assert_near(-at.gamma[r], drate[r], 10 * AGREEMENT * scale);
        }
        if (k == 0)
            memcpy(first_J, at.J, sizeof first_J);
        for (int slot = 0; slot < LASHI_SLOTS && item->steady; slot++) // what is kept must not change
            for (int i = 0; i < 2 * item->rows; i++)
                assert_true(item->body[slot] == 0 || at.J[slot * LASHI_FREEDOMS * item->rows + i] ==
                                                         first_J[slot * LASHI_FREEDOMS * item->rows + i]);
    }
}

/* One joint between two bodies, drawn so that it can be closed. */
#define TWO_BODIES                                                                                           \
    "ground: {points: {p: [0.3, -0.2]}}\n"                                                                   \
    "bodies:\n"                                                                                              \
    "  a: {mass: 1, inertia: 1, position: [0.1, 0.2], angle: 0.3, points: {p: [0.4, -0.3]}}\n"               \
    "  b: {mass: 1, inertia: 1, position: [0.9, 0.5], angle: -0.4, points: {p: [-0.2, 0.5]}}\n"              \
    "run: {until: 1}\n"

static void check_model(const char *joints) {
    rig r = rig_open("%s%s", TWO_BODIES, joints);
    unsigned long long seed = 7;
    for (int c = 0; c < r.system->motion.count; c++)
        check_item(&r.system->motion.items[c], &seed);
    rig_close(&r);
}

static void test_revolute(void **state) {
    (void)state;
    check_model("joints: {j: {type: revolute, between: [a.p, b.p]}}\n");
    check_model("joints: {j: {type: revolute, between: [ground.p, b.p]}}\n");
    check_model("joints: {j: {type: revolute, between: [a.p, ground.p]}}\n");
}

static void test_translational(void **state) {
    (void)state;
    check_model("joints: {j: {type: translational, between: [a.p, b.p], axis: [3, -1]}}\n");
    check_model("joints: {j: {type: translational, between: [ground.p, b.p], axis: [0.2, 1], angle: 0.3}}\n");
    check_model("joints: {j: {type: translational, between: [a.p, ground.p], axis: [1, 2]}}\n");
}

static void test_fixed(void **state) {
    (void)state;
    check_model("joints: {j: {type: fixed, between: [a.p, b.p]}}\n");
    check_model("joints: {j: {type: fixed, between: [b.p, ground.p], angle: 1 rad}}\n");
}

static void test_distance(void **state) {
    (void)state;
    check_model("joints: {j: {type: distance, between: [a.p, b.p], length: 1.3}}\n");
    check_model("joints: {j: {type: distance, between: [ground.p, a.p]}}\n");
}

static void test_point_on_line(void **state) {
    (void)state;
    check_model("joints: {j: {type: point-on-line, between: [a.p, b.p], axis: [1, 2]}}\n");
    check_model("joints: {j: {type: point-on-line, between: [ground.p, b.p], axis: [-1, 2]}}\n");
    check_model("joints: {j: {type: point-on-line, between: [b.p, ground.p], axis: [-1, 2]}}\n");
}

static void test_gear(void **state) {
    (void)state;
    check_model("joints: {j: {type: gear, between: [a.p, b.p], ratio: 0.6}}\n");
    check_model("joints: {j: {type: gear, between: [a.p, b.p], ratio: -2.5}}\n");
    check_model("joints: {j: {type: gear, between: [ground.p, b.p], ratio: -0.4}}\n");
}

static void test_rack(void **state) {
    (void)state;
    check_model("joints: {j: {type: rack-and-pinion, between: [a.p, b.p], axis: [1, 2], radius: 0.7}}\n");
    check_model(
        "joints: {j: {type: rack-and-pinion, between: [ground.p, b.p], axis: [1, 0], radius: -0.7}}\n");
}

static const char *const profiles[] = {
    "speed: 1.3, start: 0.2",
    "ramp: {from: -0.4, to: 1.1, over: 3}, start: 0.1",
    "ramp: {from: 0.5, to: 1.1, over: 0.2}",
    "motion: \"0.3*sin(2*t) + 0.1*t^2\"",
    "table: {points: [[0, 0], [0.5, 0.3], [1.1, 0.1], [1.6, 0.4], [2.5, 1]]}",
};

static void test_drives(void **state) {
    (void)state;
    // The spline's third derivative jumps at its nodes; a step of the differences across one loses an order.
    for (size_t k = 0; k < sizeof profiles / sizeof *profiles; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "joints: {j: {type: revolute, between: [a.p, b.p]}}\ndrives: {d: {joint: j, %s}}\n",
                 profiles[k]);
        check_model(text);
        snprintf(text, sizeof text,
                 "joints: {j: {type: revolute, between: [a.p, b.p]}}\ndrives: {d: {body: b, %s}}\n",
                 profiles[k]);
        check_model(text);
        snprintf(text, sizeof text,
                 "joints: {j: {type: translational, between: [a.p, b.p], axis: [1, 1]}}\n"
                 "drives: {d: {joint: j, %s}}\n",
                 profiles[k]);
        check_model(text);
        snprintf(text, sizeof text,
                 "joints: {j: {type: point-on-line, between: [ground.p, b.p], axis: [1, 1]}}\n"
                 "drives: {d: {joint: j, %s}}\n",
                 profiles[k]);
        check_model(text);
    }
}

/* The ramp: speeds at both ends, the way covered, and three continuous derivatives at its corners. */
static void test_ramp(void **state) {
    (void)state;
    const lashi_profile ramp = {.type = LASHI_PROFILE_RAMP, .start = 0.7, .from = 2, .to = 5, .over = 0.8};
    assert_near(lashi_profile_jet(&ramp, 0).f, 0.7, 0);
    assert_near(lashi_profile_jet(&ramp, 0).df, 2, 0);
    assert_near(lashi_profile_jet(&ramp, 0.4).df, 3.5, 1e-15);
    assert_near(lashi_profile_jet(&ramp, 0.8).f, 0.7 + 0.8 * 3.5, 1e-15);
    assert_near(lashi_profile_jet(&ramp, 2.8).f, 0.7 + 0.8 * 3.5 + 2 * 5, 1e-14);
    for (int corner = 0; corner < 2; corner++) {
        const double t = 0.8 * corner, h = 1e-5;
        const lashi_jet before = lashi_profile_jet(&ramp, t - h), after = lashi_profile_jet(&ramp, t + h);
        assert_near(before.df, after.df, 2e-9 * 5); // ~ h³
        assert_near(before.ddf, after.ddf, 1e-6);   // ~ h²
    }
    double worst = 0; // ḟ against differences of f, f̈ against those of ḟ
    for (int k = 1; k < 80; k++) {
        const double t = 0.01 * k, h = 1e-4;
        const lashi_jet low = lashi_profile_jet(&ramp, t - h), high = lashi_profile_jet(&ramp, t + h),
                        here = lashi_profile_jet(&ramp, t);
        worst = fmax(worst, fabs((high.f - low.f) / (2 * h) - here.df));
        worst = fmax(worst, fabs((high.df - low.df) / (2 * h) - here.ddf));
    }
    assert_near(worst, 0, 1e-5);
}

/* A motion is bounded over a stretch if it and both derivatives are: x^2.5 is, x^1.5 has no second derivative at 0,
 * sqrt no first, 1/x no value. */
static void bounded_motions(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool bounded;
    } cases[] = {{"abs(t - 1)^2.5", true},
                 {"abs(t - 1)^1.5", false},
                 {"sqrt(abs(t - 1))", false},
                 {"1/(t - 1)", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const lashi_scope scope = {.of = LASHI_OF_TIME, .unit = lashi_unit_parse};
        lash_expression *e;
        lash_error error = {0};
        if (lashi_expression_compile(&e, cases[k].text, &scope, &error))
            fail_msg("%s: %s", cases[k].text, error.message);
        const lashi_profile profile = {.type = LASHI_PROFILE_EXPRESSION, .expression = e};
        assert_true(lashi_profile_is_bounded(&profile, 1.5, 2, 1.7));
        if (lashi_profile_is_bounded(&profile, 1, 1.1, 1.05) != cases[k].bounded)
            fail_msg("%s", cases[k].text);
        lash_expression_destroy(e);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounded_motions),    cmocka_unit_test(test_revolute),
        cmocka_unit_test(test_translational), cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_distance),      cmocka_unit_test(test_point_on_line),
        cmocka_unit_test(test_gear),          cmocka_unit_test(test_rack),
        cmocka_unit_test(test_drives),        cmocka_unit_test(test_ramp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
