/* SPDX-License-Identifier: MIT
 *
 * Permanent contact, |e| = c as a constraint: the four-bar of Grigore 2011 against other coordinates, contact
 * losses, a pendulum in its ring in the plane and in space, starts.
 */
#include "play.h"

#include "rig.h"

/* ---- the four-bar in other coordinates ---- */

/* φ direction of the journal in O2, θ2 and θ3 of the bars; one loop equation |C − B| = r with multiplier N3.
 *   A = 2 l1 n(ωt),  X2 = A + r n(φ) + l2 n(θ2),  B = X2 + l2 n(θ2),  C = O4 − 2 l3 n(θ3),  D = (C − B)/r
 * Lagrange with N3 D on B and −N3 D on C; N2 and the pivot's force from the momentum of the bars. */
typedef struct four_bar {
    double accelerations[3], N2, N3, H4, V4;
} four_bar;

static const double l1 = 0.1, l2 = 0.28, l3 = 0.3, r = 0.02, m = 2, J = 0.06, omega = 10, M3 = -20;

static four_bar four_bar_at(double t, const double q[3], const double v[3]) {
    const double n[3][2] = {{cos(q[0]), sin(q[0])}, {cos(q[1]), sin(q[1])}, {cos(q[2]), sin(q[2])}};
    const double p[3][2] = {{-n[0][1], n[0][0]}, {-n[1][1], n[1][0]}, {-n[2][1], n[2][0]}};
    const double A[2] = {2 * l1 * cos(omega * t), 2 * l1 * sin(omega * t)}, O4[2] = {0.8, 0};
    const double Adot[2] = {-omega * A[1], omega * A[0]};
    double D[2], rate[2], V0[2], B0[2], C0[2], square = 0; // V0, B0, C0: accelerations without those of q
    for (int k = 0; k < 2; k++) {
        D[k] = (O4[k] - 2 * l3 * n[2][k] - A[k] - r * n[0][k] - 2 * l2 * n[1][k]) / r;
        rate[k] = -2 * l3 * v[2] * p[2][k] - Adot[k] - r * v[0] * p[0][k] - 2 * l2 * v[1] * p[1][k];
        square += rate[k] * rate[k];
        V0[k] = -omega * omega * A[k] - r * v[0] * v[0] * n[0][k] - l2 * v[1] * v[1] * n[1][k];
        B0[k] = V0[k] - l2 * v[1] * v[1] * n[1][k];
        C0[k] = 2 * l3 * v[2] * v[2] * n[2][k];
    }
#define DOT(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1])
    double E[4][5] = {
        {m * r * r, m * r * l2 * DOT(p[0], p[1]), 0, -r * DOT(D, p[0]), -m * r * DOT(p[0], V0)},
        {m * r * l2 * DOT(p[0], p[1]), J + m * l2 * l2, 0, -2 * l2 * DOT(D, p[1]), -m * l2 * DOT(p[1], V0)},
        {0, 0, J + m * l3 * l3, -2 * l3 * DOT(D, p[2]), M3},
        {r * DOT(D, p[0]), 2 * l2 * DOT(D, p[1]), 2 * l3 * DOT(D, p[2]), 0,
         DOT(D, C0) - DOT(D, B0) + square / r}};
    for (int i = 0; i < 4; i++) { // elimination with row exchange
        int best = i;
        for (int k = i + 1; k < 4; k++)
            best = fabs(E[k][i]) > fabs(E[best][i]) ? k : best;
        for (int c = 0; c < 5; c++) {
            const double swap = E[i][c];
            E[i][c] = E[best][c];
            E[best][c] = swap;
        }
        for (int k = 0; k < 4; k++)
            for (int c = 4; k != i && c >= i; c--)
                E[k][c] -= E[k][i] / E[i][i] * E[i][c];
    }
    four_bar out = {.N3 = E[3][4] / E[3][3]};
    for (int i = 0; i < 3; i++)
        out.accelerations[i] = E[i][4] / E[i][i];
    double force[2];
    for (int k = 0; k < 2; k++) {
        const double a2 = V0[k] + r * out.accelerations[0] * p[0][k] + l2 * out.accelerations[1] * p[1][k];
        const double a3 = l3 * v[2] * v[2] * n[2][k] - l3 * out.accelerations[2] * p[2][k];
        out.N2 += (out.N3 * D[k] - m * a2) * n[0][k];
        force[k] = m * a3 + out.N3 * D[k];
    }
    out.H4 = force[0];
    out.V4 = force[1];
    return out;
}

static void four_bar_step(double *t, double q[3], double v[3], double h) {
    double x[6], k[4][6], sum[6] = {0};
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 3; i++) {
            x[i] = q[i] + (s ? at[s] * h * k[s - 1][i] : 0);
            x[3 + i] = v[i] + (s ? at[s] * h * k[s - 1][3 + i] : 0);
        }
        const four_bar f = four_bar_at(*t + at[s] * h, x, x + 3);
        for (int i = 0; i < 3; i++) {
            k[s][i] = x[3 + i];
            k[s][3 + i] = f.accelerations[i];
        }
        for (int i = 0; i < 6; i++)
            sum[i] += weight[s] * k[s][i] / 6;
    }
    for (int i = 0; i < 3; i++) {
        q[i] += h * sum[i];
        v[i] += h * sum[3 + i];
    }
    *t += h;
}

static rig grigore(double rtol) {
    char path[512];
    rig g = {0};
    lash_error error = {0};
    snprintf(path, sizeof path, "%s/examples/grigore-2011.yaml", LASH_SOURCE_DIR);
    rig_require(lash_model_load(&g.model, path, NULL, &error), &error, "model");
    lash_run_def run = *lash_model_run(g.model);
    run.rtol = rtol;
    rig_require(lash_model_set_run(g.model, &run, &error), &error, "run");
    rig_require(lash_system_compile(&g.system, g.model, &error), &error, "compile");
    rig_require(lash_sim_create(&g.sim, g.system, &error), &error, "create");
    return g;
}

static const char *const curves[] = {"bar2.angle", "bar3.angle", "O2.n", "O3.n", "O4.fx", "O4.fy", NULL};
enum { CURVES = 6, SAMPLES = 100 };

static void four_bar_against_other_coordinates(void **state) {
    (void)state;
    rig g = grigore(1e-10);
    rig_rows rows = rig_sample(&g, SAMPLES, curves, false);
    // The start of the paper: φ = 60°·2 … from the positions it gives.
    const double x = 0.35 - l2 * 0.5 - 2 * l1, y = 0.15 * sqrt(3) - l2 * 0.5 * sqrt(3);
    double t = 0, q[3] = {atan2(y, x), RIG_PI / 3, -RIG_PI / 3}, v[3] = {0, 0, -omega / 3};
    // Ẋ2 = Ȧ + r φ̇ p(φ) with θ̇2 = 0.
    v[0] = (0.2 * omega - 2 * l1 * omega) * cos(q[0]) / r;
    double largest[CURVES] = {0}, worst[CURVES] = {0};
    enum { STEPS = 500 }; // between samples
    for (int row = 0; row <= SAMPLES; row++) {
        const four_bar f = four_bar_at(t, q, v);
        const double expected[CURVES] = {q[1], q[2], f.N2, f.N3, f.H4, f.V4};
        for (int c = 0; c < CURVES; c++) {
            largest[c] = fmax(largest[c], fabs(expected[c]));
            worst[c] = fmax(worst[c], fabs(expected[c] - rig_at(&rows, (size_t)row, (size_t)c + 1)));
        }
        for (int k = 0; k < STEPS; k++)
            four_bar_step(&t, q, v, 0.5 / SAMPLES / STEPS);
    }
    for (int c = 0; c < CURVES; c++)
        if (!(worst[c] < 1e-8 * largest[c]))
            fail_msg("%s is off by %g of its largest %g", curves[c], worst[c], largest[c]);
    rig_rows_close(&rows);
    rig_close(&g);
}

static void four_bar_converges(void **state) {
    (void)state;
    rig loose = grigore(1e-9), tight = grigore(1e-11);
    rig_rows a = rig_sample(&loose, 1000, curves, false), b = rig_sample(&tight, 1000, curves, false);
    for (size_t c = 1; c <= CURVES; c++) {
        double largest = 0, worst = 0;
        for (size_t row = 0; row < a.count; row++) {
            largest = fmax(largest, fabs(rig_at(&b, row, c)));
            worst = fmax(worst, fabs(rig_at(&a, row, c) - rig_at(&b, row, c)));
        }
        assert_true(worst < 1e-7 * largest);
    }
    // Contact losses: the same instants, to far better than 1e-8 s.
    size_t count, other;
    const lash_event *first = lash_record_events(&count, a.record),
                     *second = lash_record_events(&other, b.record);
    assert_int_equal(count, 5);
    assert_int_equal(other, count);
    for (size_t k = 0; k < count; k++) {
        assert_true(first[k].kind == (k % 2 ? LASH_EVENT_REGAINED : LASH_EVENT_LOST));
        assert_string_equal(first[k].joint, "O2");
        assert_true(fabs(first[k].time - second[k].time) < 1e-9);
        assert_true(fabs(first[k].crank - omega * first[k].time) < 1e-12);
    }
    const lash_summary summary = lash_sim_summary(loose.sim);
    assert_true(summary.max_position_violation < 1e-10);
    assert_true(summary.max_balance_error < 1e-8 * summary.energy_exchanged);
    assert_int_equal(summary.clearances[0].losses, 3);
    assert_int_equal(summary.clearances[1].losses, 0);
    assert_true(summary.clearances[0].first_loss == first[0].time);
    rig_rows_close(&a);
    rig_rows_close(&b);
    rig_close(&loose);
    rig_close(&tight);
}

/* ---- a ball in its ring ---- */

#define RING_PLANE                                                                                           \
    "gravity: [0, -9.81]\nbodies: {ball: {mass: 2, inertia: 0.1}}\n"                                         \
    "joints: {ring: {type: revolute, between: [ground, ball], clearance: {model: permanent-contact, "        \
    "radial: 0.1, offset: %s%s}}}\nrun: {until: 2 s, rtol: 1e-10}\n"
#define RING_SPACE                                                                                           \
    "space: spatial\ngravity: [0, -9.81, 0]\nbodies: {ball: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"          \
    "joints: {ring: {type: spherical, between: [ground, ball], clearance: {model: permanent-contact, "       \
    "radial: 0.1, offset: %s%s}}}\nrun: {until: 2 s, rtol: 1e-10}\n"

/* Released at the height y0 of a ring of radius c: N = m g (y0 + … ) from energy, N = −m g (3 y − 2 y0)/c. */
static void pendulum_in_a_ring(void **state) {
    (void)state;
    static const char *const channels[] = {"ball.y", "ring.n", "ring.e", NULL};
    for (int space = 0; space < 2; space++) {
        rig g =
            space ? rig_open(RING_SPACE, "[0.06, 0.08, 0]", "") : rig_open(RING_PLANE, "[0.06, 0.08]", "");
        rig_rows rows = rig_sample(&g, 200, channels, false);
        for (size_t row = 0; row < rows.count; row++) {
            const double y = rig_at(&rows, row, 1), N = rig_at(&rows, row, 2);
            assert_true(fabs(N + 2 * 9.81 * (3 * y - 2 * 0.08) / 0.1) < 1e-7);
            assert_true(fabs(rig_at(&rows, row, 3) - 0.1) < 1e-10);
        }
        // It pulls from the start; N = 0 at y = 2 y0/3, on the way down and on the way up again.
        size_t count;
        const lash_event *events = lash_record_events(&count, rows.record);
        assert_true(count > 4);
        assert_true(events[0].time == 0 && events[0].kind == LASH_EVENT_LOST);
        for (size_t k = 1; k < count; k++)
            assert_true(fabs(sin(events[k].angle) - 2 * 0.8 / 3) < 1e-8);
        rig_rows_close(&rows);
        rig_close(&g);
    }
}

static void run_ends_at_a_loss(void **state) {
    (void)state;
    // From below the horizontal; a start above it would pull at once.
    rig g = rig_open("parameters: {push: -30 N}\nbodies: {ball: {mass: 1, inertia: 0.1}}\n"
                     "joints: {ring: {type: revolute, between: [ground, ball], clearance: {model: "
                     "permanent-contact, radial: 0.1, offset: [0, -0.1], stop_at_loss: true}}}\n"
                     "forces: {push: {type: force, at: ball, force: [0, \"$push + t*30 N/s\"]}}\n"
                     "run: {until: 5 s}\n");
    lash_error error = {0};
    assert_int_equal(lash_sim_run(g.sim, NULL, NULL, &error), LASH_STOP_EVENT);
    assert_true(fabs(lash_sim_time(g.sim) - 1) < 1e-9); // N = 30 − 30 t, at rest at the bottom
    assert_true(fabs(rig_value(&g, "ring.n")) < 1e-7);
    rig_close(&g);
    // One that pulls at once is over before its first step; who steps on takes it for a contact that pulls.
    g = rig_open("gravity: [0, -9.81]\nbodies: {ball: {mass: 2, inertia: 0.1}}\n"
                 "joints: {ring: {type: revolute, between: [ground, ball], clearance: {model: "
                 "permanent-contact, radial: 0.1, offset: [0.06, 0.08], stop_at_loss: true}}}\n"
                 "run: {until: 0.5 s}\n");
    size_t count;
    assert_int_equal(lash_sim_step(g.sim, 0.1, &error), LASH_STOP_EVENT);
    assert_true(lash_sim_time(g.sim) == 0);
    const lash_event *events = lash_sim_events(&count, g.sim);
    assert_true(count == 1 && events[0].kind == LASH_EVENT_LOST && events[0].time == 0);
    assert_int_equal(lash_sim_step(g.sim, 0.1, &error), LASH_STOP_EVENT);
    assert_true(lash_sim_time(g.sim) > 0);
    rig_close(&g);
}

static void starts_are_checked(void **state) {
    (void)state;
    lash_error error = {0};
    assert_int_equal(
        rig_compile("bodies: {ball: {mass: 2, inertia: 0.1}}\n"
                    "joints: {ring: {type: revolute, between: [ground, ball], clearance: {model: "
                    "permanent-contact, radial: 0.1}}}\n",
                    &error),
        LASH_ERROR_MODEL);
    assert_non_null(strstr(error.message, "offset"));
    // An offset is on the wall, however the clearance of 0.1 m is given.
    static const char *const ways[] = {"radial: 0.1", "diametric: 0.2",
                                       "bearing_radius: 0.6, journal_radius: 0.5"};
    for (int k = 0; k < 3; k++)
        for (int on = 0; on < 2; on++) {
            char text[400];
            snprintf(
                text, sizeof text,
                "bodies: {ball: {mass: 2, inertia: 0.1}}\njoints: {ring: {type: revolute, between: [ground, "
                "ball], clearance: {model: permanent-contact, %s, offset: [%g, 0.06]}}}\nrun: {until: 1}\n",
                ways[k], on ? 0.08 : 0.07);
            lash_model *model;
            assert_int_equal(lash_model_parse(&model, text, strlen(text), "ring", NULL, &error),
                             on ? LASH_OK : LASH_ERROR_MODEL);
            assert_true(on || strstr(error.message, "0.1 m"));
            lash_model_destroy(model);
        }
    // Drawn a little off the wall: moved there, and the contact counts among the constraints.
    rig g = rig_open("bodies: {ball: {mass: 2, inertia: 0.1, position: [0.11, 0], velocity: [1, 2]}}\n"
                     "joints: {ring: {type: revolute, between: [ground, ball], clearance: {model: "
                     "permanent-contact, radial: 0.1}}}\n");
    assert_int_equal(lash_system_freedoms(g.system), 2);
    assert_true(fabs(rig_value(&g, "ball.x") - 0.1) < 1e-12 && fabs(rig_value(&g, "ball.vx")) < 1e-12);
    assert_true(fabs(rig_value(&g, "ring.n") - 2 * 4 / 0.1) < 1e-9);
    rig_close(&g);
}

/* A slider-crank at full speed, its gudgeon pin drawn against the wall, in the plane and as a ball in space.
 * Where the file gives no velocities the journal starts at rest in its bearing: as with its place as offset,
 * with the velocities of the ideal machine. Velocities that are given are kept. */
static void starts_at_rest_in_the_bearing(void **state) {
    (void)state;
    static const char plane[] = "bodies:\n"
                                "  crank: {mass: 0.3, inertia: 1e-4, points: {pin: [50 mm, 0]}}\n"
                                "  rod: {mass: 0.21, inertia: 2.5e-4, position: [110 mm, 0], points: {big: "
                                "[-60 mm, 0], small: [60 mm, "
                                "0]}%s}\n"
                                "  slider: {mass: 0.14, inertia: 1e-4, position: [169.6 mm, -0.3 mm]%s}\n"
                                "joints:\n"
                                "  main: {type: revolute, between: [ground, crank]}\n"
                                "  crankpin: {type: revolute, between: [rod.big, crank.pin]}\n"
                                "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: "
                                "{model: %s, radial: 0.5 mm%s%s}}\n"
                                "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n"
                                "drives: {motor: {joint: main, speed: 500 rad/s}}\n"
                                "run: {until: 2 ms, rtol: 1e-11}\n";
    static const char *const channels[] = {"rod.vx", "rod.vy", "rod.wz", "slider.vx", "gudgeon.n", NULL};
    static const struct {
        const char *model, *more;
    } models[] = {{"permanent-contact", ""}, {"three-mode", ", restitution: 0.5"}};
    for (int k = 0; k < 2; k++) {
        // As drawn, with what assembly makes of the guide: three-mode is drawn against the wall exactly.
        char drawn[2048], offset[128];
        snprintf(drawn, sizeof drawn, "%s", plane);
        if (k == 1)
            memcpy(strstr(drawn, "169.6 mm, -0.3 mm"), "169.5 mm,  0.0 mm", 17);
        rig rest = rig_open(drawn, "", "", models[k].model, models[k].more, "");
        const double ex = rig_value(&rest, "gudgeon.ex"), ey = rig_value(&rest, "gudgeon.ey");
        assert_true(fabs(hypot(ex, ey) - 0.5e-3) < 1e-13);
        assert_non_null(strstr(lash_system_clearance(rest.system, 0).start, "at rest"));
        // ė = 0, and the crank pin's velocity is the crank's
        const double angle = rig_value(&rest, "rod.angle"), w = rig_value(&rest, "rod.wz");
        assert_true(fabs(rig_value(&rest, "rod.vx") - 0.06 * w * sin(angle) - rig_value(&rest, "slider.vx")) <
                    1e-9);
        assert_true(fabs(rig_value(&rest, "rod.vy") + 0.06 * w * cos(angle)) < 1e-9);
        assert_true(fabs(rig_value(&rest, "rod.vy") - 0.06 * w * cos(angle) - 25) < 1e-9);
        snprintf(offset, sizeof offset, ", offset: [%.17g, %.17g]", ex, ey);
        rig given = rig_open(drawn, "", "", models[k].model, models[k].more, offset);
        assert_non_null(strstr(lash_system_clearance(given.system, 0).start, "at its offset"));
        rig_rows a = rig_sample(&rest, 20, channels, false), b = rig_sample(&given, 20, channels, false);
        for (size_t row = 0; row < a.count; row++)
            for (size_t c = 1; c < a.columns; c++)
                assert_true(fabs(rig_at(&a, row, c) - rig_at(&b, row, c)) <
                            1e-6 * (1 + fabs(rig_at(&b, row, c))));
        rig_rows_close(&a);
        rig_rows_close(&b);
        rig_close(&given);
        rig_close(&rest);
        // The file says how both move: the journal does so around its bearing.
        rig moving = rig_open(drawn, ", velocity: [0, 12.5], angular_velocity: 100", ", velocity: [1, 0]",
                              models[k].model, models[k].more, "");
        assert_non_null(strstr(lash_system_clearance(moving.system, 0).start, "with the velocities"));
        assert_true(fabs(rig_value(&moving, "gudgeon.vt")) > 1);
        rig_close(&moving);
    }
    rig ball = rig_open(
        "space: spatial\n"
        "bodies:\n"
        "  crank: {mass: 0.3, inertia: [1e-4, 1e-4, 1e-4], points: {pin: [50 mm, 0, 0]}}\n"
        "  rod: {mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], position: [50.3 mm, 0, -60.4 mm], points: {top: [0, "
        "0, "
        "60 mm]}}\n"
        "joints:\n"
        "  main: {type: revolute, between: [ground, crank], axis: [0, 0, 1]}\n"
        "  hinge: {type: spherical, between: [crank.pin, rod.top], clearance: {model: permanent-contact, "
        "radial: 0.5 mm}}\n"
        "drives: {motor: {joint: main, speed: 100 rad/s}}\nrun: {until: 1 ms}\n");
    assert_non_null(strstr(lash_system_clearance(ball.system, 0).start, "at rest"));
    assert_true(fabs(rig_value(&ball, "hinge.e") - 0.5e-3) < 1e-12);
    assert_true(fabs(rig_value(&ball, "rod.vx") + 0.06 * rig_value(&ball, "rod.wy")) < 1e-9);
    assert_true(fabs(rig_value(&ball, "rod.vy") - 0.06 * rig_value(&ball, "rod.wx") - 5) < 1e-9);
    assert_true(fabs(rig_value(&ball, "rod.vz")) < 1e-9);
    rig_close(&ball);
    // A wheel turned by a gear, its journal led around the ring: it cannot be at rest, and starts as it must.
    rig wheel = rig_open("bodies:\n"
                         "  a: {mass: 1, inertia: 1e-3}\n"
                         "  b: {mass: 1, inertia: 1e-3, position: [0.1, 0], points: {pin: [5 mm, 0]}}\n"
                         "ground: {points: {b: [0.1, 0]}}\n"
                         "joints:\n"
                         "  first: {type: revolute, between: [ground, a]}\n"
                         "  second: {type: revolute, between: [ground.b, b]}\n"
                         "  gear: {type: gear, between: [a, b], ratio: 1}\n"
                         "  ring: {type: revolute, between: [ground.b, b.pin], clearance: {model: "
                         "permanent-contact, radial: 5 mm}}\n"
                         "drives: {motor: {joint: first, speed: 10 rad/s}}\nrun: {until: 1 s}\n");
    assert_non_null(strstr(lash_system_clearance(wheel.system, 0).start, "swinging"));
    assert_true(fabs(rig_value(&wheel, "b.wz") + 10) < 1e-9);
    rig_close(&wheel);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bar_against_other_coordinates),
        cmocka_unit_test(four_bar_converges),
        cmocka_unit_test(pendulum_in_a_ring),
        cmocka_unit_test(run_ends_at_a_loss),
        cmocka_unit_test(starts_are_checked),
        cmocka_unit_test(starts_at_rest_in_the_bearing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
