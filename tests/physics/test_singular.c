/* SPDX-License-Identifier: MIT
 *
 * Singular positions: mechanisms that pass a position from which they could continue in several ways, with
 * every method and with loose and tight tolerances, against the closed form of the branch that they came on;
 * positions that cannot be passed are errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

static const double G = 9.81;
static const char *const methods[] = {"dop853", "adams", "gear"};
enum { METHODS = 3 };

/* ---- one freedom by itself ---- */

/* θ̈ = −k cos θ from (θ, ω) over a time, by 4th-order Runge-Kutta in steps far shorter than needed. */
static void swing(double *angle, double *speed, double k, double time) {
    const int steps = (int)ceil(time * 4000);
    const double h = time / steps;
    for (int i = 0; i < steps; i++) {
        const double a1 = *speed, b1 = -k * cos(*angle);
        const double a2 = *speed + h / 2 * b1, b2 = -k * cos(*angle + h / 2 * a1);
        const double a3 = *speed + h / 2 * b2, b3 = -k * cos(*angle + h / 2 * a2);
        const double a4 = *speed + h * b3, b4 = -k * cos(*angle + h * a3);
        *angle += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        *speed += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
    }
}

/* The N four-bar of the IFToMM library (Masoudi and others 2013): N windows of bars of 1 m and 1 kg, the
 * first pin moves with 1 m/s. N loops become dependent at once in the flat position. */
static char *windows(int N, const char *method, double rtol) {
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    assert_non_null(f);
    fprintf(f, "gravity: [0, -9.81]\nground: {points: {");
    for (int i = 0; i <= N; i++)
        fprintf(f, "%sa%d: [%d, 0]", i ? ", " : "", i, i);
    fprintf(f, "}}\nbodies:\n");
    for (int i = 0; i <= N; i++)
        fprintf(f,
                "  k%d: {mass: 1, inertia: 1/12, position: [%d, 0.5], angle: 90 deg, velocity: [0.5, 0], "
                "angular_velocity: -1, points: {o: [-0.5, 0], p: [0.5, 0]}}\n",
                i, i);
    for (int i = 0; i < N; i++)
        fprintf(
            f,
            "  c%d: {mass: 1, inertia: 1/12, position: [%g, 1], velocity: [1, 0], points: {l: [-0.5, 0], r: "
            "[0.5, 0]}}\n",
            i, i + 0.5);
    fprintf(f, "joints:\n");
    for (int i = 0; i <= N; i++)
        fprintf(f, "  a%d: {type: revolute, between: [ground.a%d, k%d.o]}\n", i, i, i);
    for (int i = 0; i < N; i++)
        fprintf(f,
                "  l%d: {type: revolute, between: [k%d.p, c%d.l]}\n"
                "  r%d: {type: revolute, between: [k%d.p, c%d.r]}\n",
                i, i, i, i, i + 1, i);
    fprintf(f, "run: {until: 10, method: %s, rtol: %g}\n", method, rtol);
    fclose(f);
    return text;
}

/* How much worse than its tolerance a run may be after some ten passages. */
static double allowed(int method, double rtol) {
    return (method == 0 ? 300 : 3e4) * rtol;
}

static void test_windows(void **state) {
    (void)state;
    static const struct {
        int N;
        double rtol;
    } cases[] = {{1, 1e-5}, {1, 1e-8}, {1, 1e-10}, {2, 1e-8}, {2, 1e-12}, {5, 1e-8}, {40, 1e-8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int m = 0; m < METHODS; m++) {
            const int N = cases[i].N;
            char *text = windows(N, methods[m], cases[i].rtol);
            rig r = rig_open("%s", text);
            free(text);
            const double k = G * (0.5 * (N + 1) + N) / ((N + 1) / 3.0 + N);
            double angle = RIG_PI / 2, speed = -1;
            for (int t = 1; t <= 10; t++) {
                rig_step_to(&r, t);
                swing(&angle, &speed, k, 1);
                // An error of the speed becomes one of the angle, for as long as it lasts.
                assert_near(rig_value(&r, "k0.angle"), angle, t * allowed(m, cases[i].rtol));
                assert_near(rig_value(&r, "c0.angle"), 0, 1e3 * allowed(m, cases[i].rtol));
            }
            lash_error error = {0};
            rig_require(lash_sim_judge(r.sim, &error), &error, "judge");
            rig_close(&r);
        }
}

/* Three cranks on one coupler in a line: one of them is redundant, and in the flat position a second. */
#define CRANKS                                                                                               \
    "gravity: [0, -9.81]\n"                                                                                  \
    "ground: {points: {b: [1, 0], c: [0.4, 0]}}\n"                                                           \
    "bodies:\n"                                                                                              \
    "  one: {mass: 1, inertia: 0.02, position: [0.125, 0.2165063509461097], angle: 60 deg, points: {o: "     \
    "[-0.25, 0], p: [0.25, 0]}}\n"                                                                           \
    "  two: {mass: 1, inertia: 0.02, position: [1.125, 0.2165063509461097], angle: 60 deg, points: {o: "     \
    "[-0.25, 0], p: [0.25, 0]}}\n"                                                                           \
    "  three: {mass: 2, inertia: 0.05, position: [0.525, 0.2165063509461097], angle: 60 deg, points: {o: "   \
    "[-0.25, 0], p: [0.25, 0]}}\n"                                                                           \
    "  coupler: {mass: 3, inertia: 0.3, position: [0.75, 0.4330127018922193], points: {a: [-0.5, 0], b: "    \
    "[0.5, 0], c: [-0.1, 0]}}\n"                                                                             \
    "joints:\n"                                                                                              \
    "  o1: {type: revolute, between: [ground, one.o]}\n"                                                     \
    "  o2: {type: revolute, between: [ground.b, two.o]}\n"                                                   \
    "  o3: {type: revolute, between: [ground.c, three.o]}\n"                                                 \
    "  p1: {type: revolute, between: [one.p, coupler.a]}\n"                                                  \
    "  p2: {type: revolute, between: [two.p, coupler.b]}\n"                                                  \
    "  p3: {type: revolute, between: [coupler.c, three.p]}\n"

static void test_three_cranks(void **state) {
    (void)state;
    const double J = 0.02 + 0.02 + 0.05 + 4 * 0.0625 + 3 * 0.25, M = 4 * 0.25 + 3 * 0.5;
    const double tolerances[] = {1e-5, 1e-8, 1e-11};
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < METHODS; m++) {
            rig r = rig_open(CRANKS "run: {until: 3, method: %s, rtol: %g}\n", methods[m], tolerances[k]);
            double angle = RIG_PI / 3, speed = 0;
            for (int i = 1; i <= 12; i++) { // at none of these times it is flat
                const double t = 0.25 * i;
                rig_step_to(&r, t);
                swing(&angle, &speed, G * M / J, 0.25);
                const double off = t * allowed(m, tolerances[k]);
                assert_near(rig_value(&r, "one.angle"), angle, off);
                assert_near(rig_value(&r, "three.angle"), angle, off);
                // What the ground carries is what the masses do not do: of least norm, but this sum is fixed.
                const double alpha = -G * M * cos(angle) / J;
                const double fy = rig_value(&r, "o1.fy") + rig_value(&r, "o2.fy") + rig_value(&r, "o3.fy");
                const double wanted = 7 * G + M * (alpha * cos(angle) - speed * speed * sin(angle));
                assert_near(fy, wanted, 1e3 * off);
                assert_true(rig_value(&r, "o1.f") < 300 && rig_value(&r, "p3.f") < 300);
            }
            lash_error error = {0};
            rig_require(lash_sim_judge(r.sim, &error), &error, "judge");
            rig_close(&r);
        }
}

/* ---- four-bars with unequal ways ---- */

/* Crank a at the origin, rocker c at (1, 0), coupler b; centres of mass in the middle, the coupler's aside.
 */
#define FOUR_BAR                                                                                             \
    "gravity: [0, %g]\n"                                                                                     \
    "ground: {points: {r: [1, 0]}}\n"                                                                        \
    "bodies:\n"                                                                                              \
    "  crank: {mass: 1, inertia: 0.05, position: [%.17g, %.17g], angle: %.17g, points: {a: [%.17g, 0], b: "  \
    "[%.17g, 0]}, hold: [angle, w], angular_velocity: %.17g}\n"                                              \
    "  coupler: {mass: 2, inertia: 0.2, position: [%.17g, %.17g], angle: %.17g, points: {a: [%.17g, -0.1], " \
    "b: [%.17g, -0.1]}}\n"                                                                                   \
    "  rocker: {mass: 3, inertia: 0.1, position: [%.17g, %.17g], angle: %.17g, points: {a: [%.17g, 0], b: "  \
    "[%.17g, 0]}}\n"                                                                                         \
    "joints:\n"                                                                                              \
    "  o: {type: revolute, between: [ground, crank.a]}\n"                                                    \
    "  p: {type: revolute, between: [crank.b, coupler.a]}\n"                                                 \
    "  q: {type: revolute, between: [coupler.b, rocker.b]}\n"                                                \
    "  r: {type: revolute, between: [ground.r, rocker.a]}\n"                                                 \
    "%s\n"                                                                                                   \
    "run: {until: 4, method: %s, rtol: %g}\n"

/* side: 1 or −1, of the coupler's end from the line between the crank's end and the rocker's pivot. */
static rig four_bar(double a, double b, double c, double angle, int side, double speed, bool driven,
                    const char *method, double rtol) {
    const double ax = a * cos(angle), ay = a * sin(angle), dx = 1 - ax, dy = -ay, d = hypot(dx, dy);
    const double along = (d * d + b * b - c * c) / (2 * d), up = side * sqrt(b * b - along * along);
    const double bx = ax + (along * dx - up * dy) / d, by = ay + (along * dy + up * dx) / d;
    const double psi = atan2(by - ay, bx - ax);
    char drive[80] = "";
    if (driven)
        snprintf(drive, sizeof drive, "drives: {motor: {joint: o, speed: %.17g}}", speed);
    return rig_open(FOUR_BAR, driven ? 0.0 : -G, ax / 2, ay / 2, angle, -a / 2, a / 2, speed,
                    (ax + bx) / 2 - 0.1 * sin(psi), (ay + by) / 2 + 0.1 * cos(psi), psi, -b / 2, b / 2,
                    (1 + bx) / 2, by / 2, atan2(by, bx - 1), -c / 2, c / 2, drive, method, rtol);
}

/* Rocker angle of the crossed parallelogram, tan φ/2 = −(1 + a)/(1 − a) tan θ/2, through all turns. */
static double crossed(double a, double crank) {
    const double half = crank / 2, whole = floor(half / RIG_PI + 0.5);
    return -2 * (atan((1 + a) / (1 - a) * tan(half - whole * RIG_PI)) + whole * RIG_PI);
}

static void test_crossed_parallelogram(void **state) {
    (void)state;
    const double tolerances[] = {1e-5, 1e-8, 1e-11};
    for (int driven = 0; driven < 2; driven++)
        for (int k = 0; k < 3; k++)
            for (int m = 0; m < METHODS; m++) {
                rig r =
                    four_bar(0.5, 1, 0.5, 1.2, -1, driven ? 3 : -6, driven == 1, methods[m], tolerances[k]);
                const double first = crossed(0.5, 1.2), sense = rig_value(&r, "crank.wz") > 0 ? 1 : -1;
                const double start = rig_value(&r, "rocker.angle");
                double turned = 0;
                for (int i = 1; i <= 40; i++) {
                    rig_step_to(&r, 0.1 * i);
                    const double crank = rig_value(&r, "crank.angle");
                    turned = fmax(turned, sense * (crank - 1.2));
                    assert_near(rig_value(&r, "rocker.angle") - start, crossed(0.5, crank) - first,
                                10 * allowed(m, tolerances[k]));
                    if (driven)
                        assert_near(crank, 1.2 + 0.3 * i, allowed(m, tolerances[k]));
                }
                assert_true(turned > RIG_PI); // through both flat positions
                lash_error error = {0};
                rig_require(lash_sim_judge(r.sim, &error), &error, "judge");
                rig_close(&r);
            }
}

/* A kite folds through the position in which its two short bars lie on each other and could turn freely: it
 * stays symmetrical about the line at half the crank's angle. */
static void test_kite(void **state) {
    (void)state;
    const double tolerances[] = {1e-5, 1e-8, 1e-11};
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < METHODS; m++) {
            rig r = four_bar(1, 0.6, 0.6, 0.5, 1, -2, false, methods[m], tolerances[k]);
            double least = 1;
            for (int i = 0; i <= 40; i++) {
                if (i > 0)
                    rig_step_to(&r, 0.1 * i);
                const double crank = rig_value(&r, "crank.angle");
                least = fmin(least, crank);
                const double rocker = rig_value(&r, "rocker.angle"), coupler = rig_value(&r, "coupler.angle");
                const double near = 100 * allowed(m, tolerances[k]);
                assert_near(0.6 * sin(rocker - crank / 2), sin(crank / 2), near);
                assert_near(cos(rocker + coupler - crank), 1, near);
            }
            assert_true(least < -0.3); // through it
            lash_error error = {0};
            rig_require(lash_sim_judge(r.sim, &error), &error, "judge");
            rig_close(&r);
        }
}

/* Kinematics keeps to its way as well, wherever the samples fall. */
static void test_kinematics(void **state) {
    (void)state;
    for (size_t samples = 10; samples < 1300; samples += 1 + samples / 7)
        for (int k = 0; k < 2; k++) {
            const double a = k ? 0.5 : 0.84;
            rig r = four_bar(a, 1, a, 0.7, -1, 3.3, true, "dop853", 1e-8);
            static const char *const channels[] = {"crank.angle", "rocker.angle", NULL};
            rig_rows rows = rig_sample(&r, samples, channels, true);
            for (size_t i = 0; i < rows.count; i++) {
                const double crank = 0.7 + 3.3 * 4 * (double)i / (double)samples;
                assert_near(rig_at(&rows, i, 1), crank, 1e-9);
                assert_near(cos(rig_at(&rows, i, 2) - crossed(a, crank)), 1, 1e-9);
            }
            rig_rows_close(&rows);
            rig_close(&r);
        }
}

/* ---- in space ---- */

/* A parallelogram of pins in space: three rows repeat others, and one more when it is flat. */
static void test_in_space(void **state) {
    (void)state;
    const double c = 0.5 * cos(1.2), s = 0.5 * sin(1.2);
    for (int m = 0; m < METHODS; m++) {
        rig r =
            rig_open("space: spatial\ngravity: [0, -9.81, 0]\nground: {points: {r: [1, 0, 0]}}\nbodies:\n"
                     "  one: {mass: 1, inertia: [0.001, 0.1, 0.1], position: [%.17g, %.17g, 0], orientation: "
                     "{axis: [0, 0, 1], angle: 1.2}, angular_velocity: [0, 0, -3], hold: [orientation, w], "
                     "points: {a: [-0.25, 0, 0], b: [0.25, 0, 0]}}\n"
                     "  bar: {mass: 2, inertia: [0.001, 0.3, 0.3], position: [%.17g, %.17g, 0], points: {a: "
                     "[-0.5, 0, 0], b: [0.5, 0, 0]}}\n"
                     "  two: {mass: 3, inertia: [0.001, 0.1, 0.1], position: [%.17g, %.17g, 0], orientation: "
                     "{axis: [0, 0, 1], angle: 1.2}, points: {a: [-0.25, 0, 0], b: [0.25, 0, 0]}}\n"
                     "joints:\n"
                     "  o: {type: revolute, between: [ground, one.a], axis: [0, 0, 1]}\n"
                     "  p: {type: revolute, between: [one.b, bar.a], axis: [0, 0, 1]}\n"
                     "  q: {type: revolute, between: [bar.b, two.b], axis: [0, 0, 1]}\n"
                     "  r: {type: revolute, between: [ground.r, two.a], axis: [0, 0, 1]}\n"
                     "run: {until: 5, method: %s, rtol: 1e-8}\n",
                     c / 2, s / 2, c + 0.5, s, 1 + c / 2, s / 2, methods[m]);
        const double J = 0.1 + 0.1 + 4 * 0.0625 + 2 * 0.25, k = G * (4 * 0.25 + 2 * 0.5) / J;
        double angle = 1.2, speed = -3;
        for (int t = 1; t <= 5; t++) {
            rig_step_to(&r, t);
            swing(&angle, &speed, k, 1);
            const double off = t * allowed(m, 1e-8);
            assert_near(rig_value(&r, "one.x"), 0.25 * cos(angle), off);
            assert_near(rig_value(&r, "two.y"), 0.25 * sin(angle), off);
            assert_near(rig_value(&r, "bar.y"), 0.5 * sin(angle), off);
        }
        rig_close(&r);
    }
}

/* ---- what cannot be passed ---- */

static void test_no_way_on(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        // A ram pushes a piston to its dead centre, 0.6 m from the pivot, and on.
        rig r = rig_open("bodies:\n"
                         "  crank: {mass: 1, inertia: 1, position: [0.05, 0.0866], angle: 60 deg, points: "
                         "{o: [-0.1, 0], a: "
                         "[0.1, 0]}}\n"
                         "  rod: {mass: 1, inertia: 1, position: [0.3, 0.08], angle: -20 deg, points: {a: "
                         "[-0.2, 0], b: [0.2, "
                         "0]}}\n"
                         "  piston: {mass: 1, inertia: 1, position: [0.5, 0], hold: [x]}\n"
                         "joints:\n"
                         "  o: {type: revolute, between: [ground, crank.o]}\n"
                         "  a: {type: revolute, between: [crank.a, rod.a]}\n"
                         "  b: {type: revolute, between: [rod.b, piston]}\n"
                         "  bore: {type: translational, between: [ground, piston], axis: [1, 0]}\n"
                         "drives: {ram: {joint: bore, speed: 0.2}}\n"
                         "run: {until: 2, method: %s}\n",
                         methods[m]);
        lash_error error = {0};
        assert_int_equal(lash_sim_run(r.sim, NULL, NULL, &error), LASH_ERROR_SINGULAR);
        assert_near(error.time, 0.5, 1e-3);
        assert_non_null(strstr(error.message, "singular position"));
        rig_close(&r);
    }
}

/* A four-bar without a crank that turns fully, driven on where it is stretched: with play the force of a contact
 * that began slowly grows without bound, at little depth. */
static void test_locks_with_play(void **state) {
    (void)state;
    rig r = rig_open(
        "ground: {points: {right: [0.4, 0]}}\n"
        "bodies:\n"
        "  crank: {mass: 0.5, inertia: 2e-3, position: [0, 0.1], angle: 90 deg, hold: [angle], points: "
        "{o: [-0.1, 0], a: [0.1, 0]}}\n"
        "  coupler: {mass: 1, inertia: 1e-2, position: [0.147, 0.186], angle: -5.3 deg, points: {a: "
        "[-0.15, 0], b: [0.15, 0]}}\n"
        "  rocker: {mass: 0.8, inertia: 4.2e-3, position: [0.346, 0.084], angle: 122 deg, points: {o: "
        "[-0.1, 0], b: [0.1, 0]}}\n"
        "joints:\n"
        "  o: {type: revolute, between: [ground, crank.o]}\n"
        "  a: {type: revolute, between: [crank.a, coupler.a]}\n"
        "  b: {type: revolute, between: [coupler.b, rocker.b], clearance: {bearing_radius: 10 mm, "
        "diametric: 0.1 mm, contact: {stiffness: 1e12, restitution: 0.5}}}\n"
        "  c: {type: revolute, between: [ground.right, rocker.o]}\n"
        "drives: {motor: {joint: o, speed: 6 rpm}}\n"
        "run: {until: 1}\n");
    lash_error error = {0};
    assert_int_equal(lash_sim_run(r.sim, NULL, NULL, &error), LASH_ERROR_LIMIT);
    assert_near(error.time, 0.506, 2e-3);
    assert_string_equal(error.object, "b");
    assert_non_null(strstr(error.message, "the machine locks here"));
    rig_close(&r);
}

/* A parallelogram drawn flat: it has one freedom, not two, and no beginning. */
static void test_flat_start(void **state) {
    (void)state;
    static const char text[] =
        "ground: {points: {r: [1, 0]}}\n"
        "bodies:\n"
        "  one: {mass: 1, inertia: 0.1, position: [0.25, 0], angular_velocity: 3, points: {a: [-0.25, 0], b: "
        "[0.25, 0]}}\n"
        "  bar: {mass: 1, inertia: 0.1, position: [1, 0], points: {a: [-0.5, 0], b: [0.5, 0]}}\n"
        "  two: {mass: 1, inertia: 0.1, position: [1.25, 0], points: {a: [-0.25, 0], b: [0.25, 0]}}\n"
        "joints:\n"
        "  o: {type: revolute, between: [ground, one.a]}\n"
        "  p: {type: revolute, between: [one.b, bar.a]}\n"
        "  q: {type: revolute, between: [bar.b, two.b]}\n"
        "  r: {type: revolute, between: [ground.r, two.a]}\n"
        "run: {until: 2}\n";
    lash_model *model = NULL;
    lash_system *system = NULL;
    lash_sim *sim = NULL;
    lash_error error = {0};
    rig_require(lash_model_parse(&model, text, strlen(text), "test.yaml", NULL, &error), &error, "model");
    rig_require(lash_system_compile(&system, model, &error), &error, "compile");
    assert_int_equal(lash_system_freedoms(system), 1);
    assert_null(lash_system_redundant(system, 0));
    assert_int_equal(lash_sim_create(&sim, system, &error), LASH_ERROR_SINGULAR);
    assert_non_null(strstr(error.message, "start elsewhere"));
    assert_null(sim);
    lash_system_destroy(system);
    lash_model_destroy(model);
}

/* ---- on the way ---- */

/* A run that is saved in the middle of a passage continues from there as it did. */
static void test_restored(void **state) {
    (void)state;
    rig r = four_bar(0.5, 1, 0.5, 1.2, -1, -6, false, "dop853", 1e-8);
    lash_error error = {0};
    enum { STEPS = 120 };
    lash_state *states[STEPS] = {0};
    double angles[STEPS];
    for (int k = 0; k < STEPS; k++) {
        rig_require(lash_state_create(&states[k], r.sim, &error), &error, "save");
        rig_require(lash_sim_step(r.sim, 4, &error), &error, "step");
        angles[k] = rig_value(&r, "crank.angle");
    }
    for (int k = 0; k < STEPS; k++) { // each step again, from its own beginning
        rig_require(lash_sim_restore(r.sim, states[k], &error), &error, "restore");
        rig_require(lash_sim_step(r.sim, 4, &error), &error, "step");
        assert_true(rig_value(&r, "crank.angle") == angles[k]);
        lash_state_destroy(states[k]);
    }
    rig_close(&r);
}

/* A sample that falls on the position itself is refused, one beside it is not. */
static void test_samples(void **state) {
    (void)state;
    static const char *const channels[] = {"rocker.angle", "o.f"};
    for (int k = 0; k < 2; k++) {
        rig r = four_bar(0.5, 1, 0.5, k ? RIG_PI / 2 : 1.2, 1, RIG_PI / 2, true, "dop853", 1e-8);
        const lash_record_options options = {
            .channels = channels, .channel_count = 2, .samples = 360, .every = LASH_UNSET};
        lash_record *record = NULL;
        lash_error error = {0};
        rig_require(lash_record_create(&record, r.sim, &options, &error), &error, "record");
        rig_require(lash_record_to_memory(record, &error), &error, "record");
        const lash_status status = lash_sim_run(r.sim, record, NULL, &error);
        if (k) { // flat at 1 s, and there is a sample then
            assert_int_equal(status, LASH_ERROR_SINGULAR);
            assert_near(error.time, 1, 1e-9);
            assert_non_null(strstr(error.message, "times of samples"));
        } else {
            rig_require(status, &error, "run");
        }
        lash_record_destroy(record);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_three_cranks),
        cmocka_unit_test(test_crossed_parallelogram),
        cmocka_unit_test(test_kite),
        cmocka_unit_test(test_kinematics),
        cmocka_unit_test(test_in_space),
        cmocka_unit_test(test_no_way_on),
        cmocka_unit_test(test_locks_with_play),
        cmocka_unit_test(test_flat_start),
        cmocka_unit_test(test_restored),
        cmocka_unit_test(test_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
