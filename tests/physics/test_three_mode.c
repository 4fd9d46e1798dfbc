/* SPDX-License-Identifier: MIT
 *
 * The three-mode model: a ball in a fixed ring against closed forms (fall, restitution, friction impulse,
 * sliding and losing the wall), energy, several contacts, other kinds of play in the same machine, the limit
 * of stiff compliant contact.
 */
#include "play.h"

#include "rig.h"

static const double g = 9.81, c = 0.1;

/* A ball of 2 kg, radius of inertia² 0.2, in a ring; what follows `model: three-mode` in %s. */
#define BALL(start)                                                                                          \
    "gravity: [0, -9.81]\nbodies: {ball: {mass: 2, inertia: 0.4, " start "}}\n"                              \
    "joints: {ring: {type: revolute, between: [ground, ball], clearance: {model: three-mode, "               \
    "bearing_radius: 0.5, radial: 0.1, %s}}}\nrun: {until: %g s, rtol: 1e-10}\n"

static const char *const energies[] = {"energy.kinetic", "energy.potential", "energy.balance", "ring.n",
                                       "ring.mode",      "ball.x",           "ball.y",         NULL};

static const lash_event *event_of(const rig_rows *rows, lash_event_kind kind, size_t index) {
    size_t count;
    const lash_event *events = lash_record_events(&count, rows->record);
    for (size_t k = 0; k < count; k++)
        if (events[k].kind == kind && index-- == 0)
            return &events[k];
    fail_msg("no such event");
    return NULL;
}

/* ---- falling and bouncing ---- */

/* Three that meet their walls at one instant, each with its own restitution and friction, and do not affect
 * each other. */
static void bounce_together(void **state) {
    (void)state;
    static const double e[] = {0.2, 0.5, 0.8}, mu[] = {0.3, 0.1, 0.2};
    rig r = rig_open(
        "gravity: [0, -9.81]\nbodies: {a: &ball {mass: 2, inertia: 0.4, angular_velocity: 10, hold: [w]}, b: "
        "*ball, d: "
        "*ball}\n"
        "joints:\n"
        "  ja: {type: revolute, between: [ground, a], clearance: {model: three-mode, bearing_radius: 0.5,\n"
        "    radial: 0.1, restitution: %g, friction: {law: coulomb, coefficient: %g}}}\n"
        "  jb: {type: revolute, between: [ground, b], clearance: {model: three-mode, bearing_radius: 0.5,\n"
        "    radial: 0.1, restitution: %g, friction: {law: coulomb, coefficient: %g}}}\n"
        "  jd: {type: revolute, between: [ground, d], clearance: {model: three-mode, bearing_radius: 0.5,\n"
        "    radial: 0.1, restitution: %g, friction: {law: coulomb, coefficient: %g}}}\n"
        "run: {until: 0.2 s, rtol: 1e-10}\n",
        e[0], mu[0], e[1], mu[1], e[2], mu[2]);
    const double t = sqrt(2 * c / g), v = g * t, h = 1e-3, R = 0.4;
    static const char *const names[] = {"a", "b", "d"};
    rig_step_to(&r, t + h);
    for (int k = 0; k < 3; k++) {
        char name[8];
        const double blow = 2 * (1 + e[k]) * v; // N s; the ball slides all the time
        snprintf(name, sizeof name, "%s.vy", names[k]);
        rig_near(rig_value(&r, name), e[k] * v - g * h, 1e-8, "%s after the impact", names[k]);
        snprintf(name, sizeof name, "%s.vx", names[k]);
        rig_near(fabs(rig_value(&r, name)), mu[k] * blow / 2, 1e-8, "%s to the side", names[k]);
        snprintf(name, sizeof name, "%s.wz", names[k]);
        rig_near(rig_value(&r, name), 10 - mu[k] * blow * R / 0.4, 1e-8, "%s turning", names[k]);
    }
    rig_close(&r);
}

static void bounces_to_rest(void **state) {
    (void)state;
    const double e = 0.6;
    rig r = rig_open(BALL(""), "restitution: 0.6, rest_speed: 1 mm/s", 2.0);
    rig_rows rows = rig_sample(&r, 500, energies, false);
    double t = sqrt(2 * c / g), v = g * t;
    size_t impacts = 0;
    for (; e * v >= 1e-3; impacts++) {
        const lash_event *hit = event_of(&rows, LASH_EVENT_IMPACT, impacts);
        assert_true(fabs(hit->time - t) < 1e-10);
        assert_true(fabs(hit->speed - v) < 1e-9 && fabs(hit->rebound - e * v) < 1e-9);
        assert_true(fabs(hit->impulse - 2 * (1 + e) * v) < 1e-8);
        assert_true(fabs(hit->energy_lost - v * v * (1 - e * e)) < 1e-8);
        v *= e;
        t += 2 * v / g;
    }
    // The last one does not rebound.
    assert_true(fabs(event_of(&rows, LASH_EVENT_ONSET, 0)->time - t) < 1e-9);
    const lash_summary summary = lash_sim_summary(r.sim);
    assert_int_equal(summary.clearances[0].impacts, impacts + 1);
    assert_int_equal(summary.clearances[0].chatter, 0);
    assert_true(fabs(summary.clearances[0].free_fraction - t / 2) < 1e-9);
    assert_true(fabs(rig_value(&r, "ring.n") - 2 * g) < 1e-7 && rig_value(&r, "ring.mode") == 2);
    for (size_t k = 1; k < rows.count; k++) {
        const double before = rig_at(&rows, k - 1, 1) + rig_at(&rows, k - 1, 2);
        assert_true(rig_at(&rows, k, 1) + rig_at(&rows, k, 2) < before + 1e-10);
        assert_true(fabs(rig_at(&rows, k, 3)) < 1e-9);
    }
    rig_rows_close(&rows);
    rig_close(&r);
}

/* A spinning ball falls to the bottom: tangential impulse of sticking or sliding friction. */
static void friction_impulse(void **state) {
    (void)state;
    const double v = sqrt(2 * g * c), e = 0.5, R = 0.4, m = 2, J = 0.4, spin = 20;
    const double stick = R * spin / (1 / m + R * R / J), normal = m * (1 + e) * v;
    for (int k = 0; k < 2; k++) {
        const double mu = k ? 0.9 * stick / normal : 1.1 * stick / normal;
        char friction[200];
        snprintf(friction, sizeof friction,
                 "restitution: 0.5, friction: {law: threlfall, coefficient: %.17g, vr: 1e-4}", mu);
        rig r = rig_open(BALL("angular_velocity: 20"), friction, 0.2);
        lash_error error = {0};
        const size_t count = lash_sim_coordinate_count(r.sim);
        double start[6];
        assert_int_equal(count, 6);
        lash_sim_coordinates(start, r.sim);
        start[5] = spin;
        rig_require(lash_sim_set_coordinates(r.sim, start, &error), &error, "start");
        rig_step_to(&r, v / g + 1e-3);
        const double P = k ? mu * normal : stick;
        assert_true(fabs(rig_value(&r, "ball.wz") - (spin - R * P / J)) < 1e-8);
        assert_true(fabs(rig_value(&r, "ball.vx") + P / m) < 1e-8);
        if (!k) // it rolls
            assert_true(fabs(rig_value(&r, "ball.vx") + R * rig_value(&r, "ball.wz")) < 1e-8);
        rig_close(&r);
    }
}

/* ---- energy at one impact ---- */

/* What Newton's and Coulomb's laws alone would make of an impact: energy lost, which may be negative. W: nn,
 * nt, tt; u: normal and tangential velocity before it. */
static double plain_loss(const double W[3], const double u[2], double e, double mu) {
    const double det = W[0] * W[2] - W[1] * W[1], r = (1 + e) * u[0];
    double n = (W[2] * r - W[1] * u[1]) / det, t = (W[0] * u[1] - W[1] * r) / det;
    if (!(n >= 0 && fabs(t) <= mu * n)) {
        const double N = r / (W[0] + mu * W[1]), T = mu * N; // sliding along t after it, or against
        const bool along = N > 0 && u[1] - W[1] * N - W[2] * T >= 0;
        n = along ? N : r / (W[0] - mu * W[1]);
        t = along ? T : -mu * n;
    }
    return 0.5 * (n * u[0] * (1 - e) + t * (2 * u[1] - W[1] * n - W[2] * t));
}

/* The end of a bar strikes with friction and e = 1 from many sides: where the laws would gain energy, just
 * none is lost; elsewhere what they say. */
static void friction_gives_no_energy(void **state) {
    (void)state;
    const double m = 1, J = 0.05, half = 0.5, R = 0.01, mu = 1.5, start = 0.1 - 1e-7;
    unsigned long long seed = 3;
    int gains = 0, losses = 0;
    for (int k = 0; k < 60; k++) {
        const double angle = rig_random(&seed, -3, 3);
        double v[3] = {rig_random(&seed, -1, 1), rig_random(&seed, -1, 1), rig_random(&seed, -2, 2)};
        const double S[2] = {half * cos(angle), half * sin(angle)}; // from the centre of mass to the pin
        // n down, t to the right.
        const double u[2] = {-(v[1] + v[2] * S[0]), v[0] - v[2] * (S[1] - R)};
        if (u[0] < 0.2)
            continue;
        const double W[3] = {1 / m + S[0] * S[0] / J, S[0] * (S[1] - R) / J,
                             1 / m + (S[1] - R) * (S[1] - R) / J};
        const double lost = plain_loss(W, u, 1, mu);
        rig r =
            rig_open("bodies: {bar: {mass: 1, inertia: 0.05, position: [%.17g, %.17g], angle: %.17g rad, "
                     "points: {end: [0.5, 0]}}}\n"
                     "joints: {ring: {type: revolute, between: [ground, bar.end], clearance: {model: "
                     "three-mode, bearing_radius: 0.11, radial: 0.1, restitution: 1, offset: [0, %.17g], "
                     "friction: {law: threlfall, coefficient: %g}}}}\nrun: {until: 1e-5 s, rtol: 1e-10}\n",
                     -S[0], -start - S[1], angle, -start, mu);
        lash_error error = {0};
        double y[6];
        lash_sim_coordinates(y, r.sim);
        memcpy(y + 3, v, sizeof v);
        rig_require(lash_sim_set_coordinates(r.sim, y, &error), &error, "start");
        const double before = rig_value(&r, "energy.kinetic");
        rig_step_to(&r, 1e-5);
        const double found = before - rig_value(&r, "energy.kinetic");
        assert_true(fabs(found - (lost > 0 ? lost : 0)) < 1e-4);
        assert_true(found > -1e-12);
        gains += lost < -1e-2;
        losses += lost > 1e-2;
        rig_close(&r);
    }
    assert_true(gains > 2 && losses > 2);
}

/* ---- sliding on the wall ---- */

/* From the height y0 without friction: N = −m g (3 y − 2 y0)/c, as long as it slides. */
static void slides_as_a_pendulum(void **state) {
    (void)state;
    rig r = rig_open(BALL(""), "restitution: 0, offset: [0.08, -0.06]", 2.0);
    rig_rows rows = rig_sample(&r, 200, energies, false);
    for (size_t k = 0; k < rows.count; k++) {
        assert_true(fabs(rig_at(&rows, k, 4) + 2 * g * (3 * rig_at(&rows, k, 7) + 2 * 0.06) / c) < 1e-7);
        assert_true(rig_at(&rows, k, 5) == 2);
    }
    size_t count;
    lash_record_events(&count, rows.record);
    assert_int_equal(count, 0);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* Fast enough to leave the wall above the middle, at cos θ = (2 − v²/(g c))/3; then a parabola to the wall.
 */
static void loses_the_wall(void **state) {
    (void)state;
    char start[200];
    snprintf(start, sizeof start, "restitution: 0.3");
    const double v0 = sqrt(3.5 * g * c), cosine = -0.5, sine = sqrt(0.75), v = sqrt(g * c * 0.5);
    rig r = rig_open("gravity: [0, -9.81]\nbodies: {ball: {mass: 2, inertia: 0.4, position: [0, -0.1], "
                     "velocity: [%.17g, 0]}}\njoints: {ring: {type: revolute, between: [ground, ball], "
                     "clearance: {model: three-mode, radial: 0.1, %s}}}\nrun: {until: 0.6 s, rtol: 1e-11}\n",
                     v0, start);
    rig_rows rows = rig_sample(&r, 300, energies, false);
    const lash_event *off = event_of(&rows, LASH_EVENT_RELEASE, 0),
                     *on = event_of(&rows, LASH_EVENT_IMPACT, 0);
    assert_true(fabs(off->angle - atan2(-cosine, sine)) < 1e-7);
    // |r + v t + g t²/2| = c again: with r on the wall the quartic has t³ … left: found by bisection.
    const double x = c * sine, y = -c * cosine, vx = v * cosine, vy = v * sine;
    double low = 0.05, high = 0.5;
    for (int k = 0; k < 200; k++) {
        const double t = 0.5 * (low + high), X = x + vx * t, Y = y + vy * t - 0.5 * g * t * t;
        *(X * X + Y * Y < c * c ? &low : &high) = t;
    }
    assert_true(fabs(on->time - off->time - low) < 1e-7);
    assert_true(fabs(on->rebound - 0.3 * on->speed) < 1e-12);
    for (size_t k = 0; k < rows.count; k++)
        assert_true(fabs(rig_at(&rows, k, 3)) < 1e-8);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* The same in space, off the plane of fall: only the normal speed is reversed. */
static void falls_in_space(void **state) {
    (void)state;
    rig r = rig_open(
        "space: spatial\ngravity: [0, 0, -9.81]\nbodies: {ball: {mass: 2, inertia: [0.1, 0.2, 0.2]}}\n"
        "joints: {ring: {type: spherical, between: [ground, ball], clearance: {model: three-mode, "
        "radial: 0.1, offset: [0.03, 0.04, 0], restitution: 0.5}}}\n"
        "run: {until: 3 s, rtol: 1e-10}\n");
    static const char *const channels[] = {"energy.kinetic", "energy.potential", "energy.balance", NULL};
    rig_rows rows = rig_sample(&r, 300, channels, false);
    const lash_event *hit = event_of(&rows, LASH_EVENT_IMPACT, 0);
    const double depth = sqrt(0.01 - 0.0025), fall = sqrt(2 * g * depth);
    assert_true(fabs(hit->time - fall / g) < 1e-10);
    assert_true(fabs(hit->speed - fall * depth / c) < 1e-8 && fabs(hit->rebound - 0.5 * hit->speed) < 1e-12);
    for (size_t k = 1; k < rows.count; k++) {
        const double before = rig_at(&rows, k - 1, 1) + rig_at(&rows, k - 1, 2);
        assert_true(rig_at(&rows, k, 1) + rig_at(&rows, k, 2) < before + 1e-9);
        assert_true(fabs(rig_at(&rows, k, 3)) < 1e-8);
    }
    assert_true(rig_value(&r, "ring.mode") == 2);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* ---- several contacts ---- */

/* A bar whose two pins fall on their rings, with friction and unlike restitution, from many positions: some
 * impacts meet both. Energy falls, the ledger closes, and the bar comes to rest. */
static void bar_in_two_rings(void **state) {
    (void)state;
    static const char *const channels[] = {"energy.kinetic", "energy.potential", "energy.balance", NULL};
    unsigned long long seed = 7;
    for (int k = 0; k < 12; k++) {
        const double tilt = k < 2 ? 0 : rig_random(&seed, -0.02, 0.02), mu = k % 3 * 0.3;
        rig r = rig_open(
            "gravity: [0, -9.81]\nground: {points: {a: [-0.2, 0], b: [0.2, 0]}}\n"
            "bodies: {bar: {mass: 1, inertia: 0.02, points: {a: [-0.2, 0], b: [0.2, 0]}}}\n"
            "joints:\n"
            "  a: {type: revolute, between: [ground.a, bar.a], clearance: {model: three-mode, "
            "bearing_radius: 0.05, radial: 0.01, restitution: 0.9, offset: [%.17g, %.17g], friction: "
            "{law: threlfall, coefficient: %g}}}\n"
            "  b: {type: revolute, between: [ground.b, bar.b], clearance: {model: three-mode, "
            "bearing_radius: 0.05, radial: 0.01, restitution: %g, offset: [%.17g, %.17g], friction: "
            "{law: threlfall, coefficient: %g}}}\n"
            "run: {until: 3 s, rtol: 1e-9}\n",
            0.2 * (1 - cos(tilt)), -0.2 * sin(tilt), mu, k % 2 ? 0.2 : 0.9, -0.2 * (1 - cos(tilt)),
            0.2 * sin(tilt), mu);
        rig_rows rows = rig_sample(&r, 600, channels, false);
        for (size_t row = 1; row < rows.count; row++) {
            const double before = rig_at(&rows, row - 1, 1) + rig_at(&rows, row - 1, 2);
            if (!(rig_at(&rows, row, 1) + rig_at(&rows, row, 2) < before + 1e-9))
                fail_msg("bar %d: energy rises at t = %g", k, rig_at(&rows, row, 0));
            if (!(fabs(rig_at(&rows, row, 3)) < 1e-8))
                fail_msg("bar %d: balance %g", k, rig_at(&rows, row, 3));
        }
        size_t count;
        const lash_event *events = lash_record_events(&count, rows.record);
        for (size_t i = 0; i < count; i++) {
            double lost = 0; // of all contacts at that instant
            for (size_t o = 0; o < count; o++)
                if (events[o].kind == LASH_EVENT_IMPACT && events[o].time == events[i].time)
                    lost += events[o].energy_lost;
            assert_true(lost > -1e-12);
        }
        assert_true(count > 4 && lash_sim_summary(r.sim).clearances[0].chatter == 0);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* Symmetric and level: both pins meet at once, and the bar goes on as a ball would. */
static void level_bar_is_a_ball(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, -9.81]\nground: {points: {a: [-0.2, 0], b: [0.2, 0]}}\n"
                     "bodies: {bar: {mass: 1, inertia: 0.02, points: {a: [-0.2, 0], b: [0.2, 0]}}}\n"
                     "joints:\n"
                     "  a: {type: revolute, between: [ground.a, bar.a], clearance: {model: three-mode, "
                     "radial: 0.01, restitution: 0.5}}\n"
                     "  b: {type: revolute, between: [ground.b, bar.b], clearance: {model: three-mode, "
                     "radial: 0.01, restitution: 0.5}}\n"
                     "run: {until: 0.5 s, rtol: 1e-10}\n");
    static const char *const channels[] = {"bar.angle", NULL};
    rig_rows rows = rig_sample(&r, 10, channels, false);
    const double v = sqrt(2 * g * 0.01);
    for (size_t k = 0; k < 2; k++) {
        const lash_event *hit = event_of(&rows, LASH_EVENT_IMPACT, k);
        assert_true(fabs(hit->time - v / g) < 1e-10);
        assert_true(fabs(hit->impulse - 0.5 * 1.5 * v) < 1e-9 && fabs(hit->rebound - 0.5 * v) < 1e-9);
    }
    assert_true(fabs(rig_value(&r, "a.n") - 0.5 * g) < 1e-6 && fabs(rig_value(&r, "bar.angle")) < 1e-9);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* ---- machines ---- */

#define MACHINE                                                                                              \
    "gravity: [0, -9.81]\nmaterials: {steel: {young: 207 GPa, poisson: 0.3}}\nbodies:\n"                     \
    "  crank: {mass: 0.3, inertia: 1e-4, position: [0.025, 0], points: {main: [-0.025, 0], pin: [0.025, "    \
    "0]}}\n"                                                                                                 \
    "  rod: {mass: 0.21, inertia: 2.5e-4, position: [0.11, 0], points: {big: [-0.06, 0], small: [0.06, "     \
    "0]}}\n"                                                                                                 \
    "  slider: {mass: 0.14, inertia: 1e-4, position: [0.17, 0]}\njoints:\n"                                  \
    "  main: {type: revolute, between: [ground, crank.main]}\n"                                              \
    "  crankpin: {type: revolute, between: [rod.big, crank.pin]%s}\n"                                        \
    "  gudgeon: {type: revolute, between: [slider, rod.small], clearance: {bearing_radius: 0.01, radial: "   \
    "2.5e-4, %s}}\n"                                                                                         \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]}\n%s"                            \
    "drives: {motor: {joint: main, speed: 5000 rpm}}\nrun: {until: %g s, rtol: %g, reduce: %s}\n"

/* Slider velocity of the first half turn: compliant contact approaches the rigid one as it becomes stiff. */
static void limit_of_stiff_contact(void **state) {
    (void)state;
    static const char *const channels[] = {"slider.vx", NULL};
    enum { ROWS = 300 };
    rig rigid = rig_open(MACHINE, "", "model: three-mode, restitution: 0.5", "", 0.006, 1e-9, "true");
    rig_rows expected = rig_sample(&rigid, ROWS, channels, false);
    double before = INFINITY;
    for (double K = 9.47e10; K < 1e15; K *= 100) {
        char contact[200];
        snprintf(contact, sizeof contact, "contact: {law: exact, stiffness: %.17g, restitution: 0.5}", K);
        rig soft = rig_open(MACHINE, "", contact, "", 0.006, 1e-9, "true");
        rig_rows rows = rig_sample(&soft, ROWS, channels, false);
        double mean = 0;
        for (size_t k = 0; k <= ROWS; k++)
            mean += fabs(rig_at(&rows, k, 1) - rig_at(&expected, k, 1)) / ROWS;
        assert_true(mean < 0.5 * before); // the contacts themselves are shorter by 100^0.4
        before = mean;
        rig_rows_close(&rows);
        rig_close(&soft);
    }
    assert_true(before < 0.02);
    rig_rows_close(&expected);
    rig_close(&rigid);
}

/* Every kind of play in one machine, with a redundant guide or without, reduced or not. */
static void mixes(void **state) {
    (void)state;
    static const char *const crankpins[] = {
        ", clearance: {model: permanent-contact, radial: 1e-4, offset: [1e-4, 0]}",
        ", clearance: {model: three-mode, radial: 1e-4, restitution: 0.2}",
        ", clearance: {bearing_radius: 0.01, radial: 1e-4, materials: steel, contact: {restitution: 0.5}}",
        (", clearance: {bearing_radius: 0.01, radial: 1e-4, length: 0.02, materials: steel, contact: "
         "{restitution: 0.5}, lubricant: {film: squeeze-long, viscosity: 0.4}}")};
    static const char *const channels[] = {"slider.vx", NULL};
    for (size_t k = 0; k < 4; k++) {
        double end[3];
        for (int way = 0; way < 3; way++) {
            rig r = rig_open(
                MACHINE, crankpins[k], "model: three-mode, restitution: 0.5, rest_speed: 0.01",
                way == 2 ? "  again: {type: translational, between: [ground, slider], axis: [1, 0]}\n" : "",
                0.003, 1e-9, way ? "false" : "true");
            rig_rows rows = rig_sample(&r, 10, channels, false);
            const lash_summary summary = lash_sim_summary(r.sim);
            assert_true(summary.max_balance_error < 1e-6 * summary.energy_exchanged);
            assert_true(summary.max_position_violation < 1e-9);
            end[way] = rig_at(&rows, 10, 1);
            assert_int_equal(lash_system_redundant(r.system, 0) != NULL, way == 2);
            rig_rows_close(&rows);
            rig_close(&r);
        }
        if (!(fabs(end[1] - end[0]) < 1e-4 * fabs(end[0]) && fabs(end[2] - end[0]) < 1e-4 * fabs(end[0])))
            fail_msg("crankpin %zu: %.9g, %.9g, %.9g m/s", k, end[0], end[1], end[2]);
    }
}

/* A hundred masses fall onto their stops at one instant, more than a run has room for at its start: each rebounds
 * with its own restitution. */
static void many_at_once(void **state) {
    (void)state;
    enum { MANY = 100 };
    char *bodies = malloc(MANY * 100), *joints = malloc(MANY * 200);
    assert_true(bodies && joints);
    for (int k = 0, b = 0, j = 0; k < MANY; k++) {
        b += snprintf(bodies + b, 100, "  m%d: {mass: %d, inertia: 1}\n", k, k + 1);
        j += snprintf(
            joints + j, 200,
            "  s%d: {type: translational, between: [ground, m%d], axis: [0, 1], stops: {min: -0.25 m, model: "
            "three-mode, restitution: %g}}\n",
            k, k, 0.3 + 0.005 * k);
    }
    rig r = rig_open("gravity: [0, -2]\nbodies:\n%sjoints:\n%srun: {until: 1 s}\n", bodies, joints);
    rig_step_to(&r, 0.6);
    assert_int_equal(lash_sim_summary(r.sim).events, MANY);
    for (int k = 0; k < MANY; k++) {
        char name[20];
        snprintf(name, sizeof name, "m%d.vy", k);
        // It has fallen for half a second.
        rig_near(rig_value(&r, name), (0.3 + 0.005 * k) * 1 - 2 * 0.1, 1e-9, "%s", name);
    }
    rig_ledger(&r, 1e-9);
    rig_close(&r);
    free(bodies);
    free(joints);
}

/* A ball that follows its wall begins at its offset in space. */
static void begins_at_its_offset_in_space(void **state) {
    (void)state;
    rig r = rig_open(
        "space: spatial\nbodies: {ball: {mass: 2, inertia: [0.4, 0.4, 0.4]}}\n"
        "joints: {ring: {type: spherical, between: [ground, ball], clearance: {model: permanent-contact,\n"
        "  bearing_radius: 0.5, radial: 0.09, offset: [0.03, 0.06, -0.06]}}}\nrun: {until: 1}\n");
    rig_near(rig_value(&r, "ball.x"), 0.03, 1e-12, "x");
    rig_near(rig_value(&r, "ball.y"), 0.06, 1e-12, "y");
    rig_near(rig_value(&r, "ball.z"), -0.06, 1e-12, "z");
    rig_close(&r);
}

/* A rod whose end rests for an instant on a rough floor (the bottom of a wide bowl) while it turns. If its end stuck, it would
 * have to be pulled; without friction it presses, so it slides, the way it is thrown, with
 * N = m (g − ω² l sin θ)/(1 + m l²/J cos θ (cos θ + μ sin θ)). */
static void slides_where_it_would_pull(void **state) {
    (void)state;
    const double m = 1, l = 0.5, J = 1. / 12, theta = RIG_PI / 4, mu = 0.6, small = 1e-6;
    const double cosine = l * cos(theta), sine = l * sin(theta), w = sqrt(0.8 * g / sine);
    const double N = m * (g - w * w * sine) / (1 + m / J * cosine * (cosine + mu * sine)), f = -mu * N;
    const double stuck = m * (g - w * w * sine - m * g * cosine * cosine / (J + m * l * l));
    assert_true(N > 0 && stuck < 0);
    // The journal, of radius `small`, turns with the rod, and its surface is at rest.
    rig r = rig_open("gravity: [0, -9.81]\n"
                     "bodies: {rod: {mass: 1, inertia: %.17g, position: [%.17g, %.17g], angle: %.17g,\n"
                     "  velocity: [%.17g, %.17g], angular_velocity: %.17g, hold: [x, y, angle, vx, vy, w],\n"
                     "  points: {p: [-0.5, 0]}}}\n"
                     "joints: {bowl: {type: revolute, between: [ground, rod.p], clearance: {bearing_radius:\n"
                     "  1.000001, radial: 1, offset: [0, -1], velocity: [%.17g, 0], model: three-mode,\n"
                     "  restitution: 0, friction: {law: coulomb, coefficient: 0.6}}}}\n"
                     "run: {until: 1 ms, rtol: 1e-9}\n",
                     J, cosine, sine - 1, theta, -w * sine - small * w, w * cosine, w, -small * w);
    rig_near(rig_value(&r, "bowl.n"), N, 1e-5 * N, "N");
    rig_near(rig_value(&r, "bowl.ft"), f, 1e-5 * N, "friction");
    rig_near(rig_value(&r, "rod.alphaz"), (f * sine - N * cosine) / J, 1e-5 * N / J, "acceleration");
    rig_close(&r);
}

/* A block comes to rest on two corners of which one is not pressed, or would have to pull: what rounds its rate are
 * the forces at the other. Neither may then seem to be moved by a drive. */
static void rests_beside_an_idle_corner(void **state) {
    (void)state;
    static const char *const blocks[] = {
        "gravity: [1.57, -9.81]\n"
        "bodies: {block: {mass: 1.366, inertia: 3.71e-4, points: {p: [-0.0489, -0.0125]},\n"
        "  velocity: [-0.904, 0.310], angular_velocity: 1.14}}\n"
        "joints: {way: {type: translational, between: [ground, block], axis: [1, 0], angle: 0, clearance: {\n"
        "  model: three-mode, length: 60.1 mm, height: 42.3 mm, play: 0.30 mm, restitution: 0.30,\n"
        "  friction: {law: coulomb, coefficient: 0.294}}}}\n"
        "forces: {push: {type: force, at: block.p, force: [13.6 N*sin(14.2*t), 23.0 N*cos(13.6*t)]}}\n"
        "run: {until: 0.8 s, rtol: 1e-8}\n",
        "gravity: [-0.68, -9.81]\n"
        "bodies: {block: {mass: 0.813, inertia: 1.76e-4, points: {p: [0.0272, -0.0257]},\n"
        "  velocity: [0.047, -0.212], angular_velocity: -1.09}}\n"
        "joints: {way: {type: translational, between: [ground, block], axis: [1, 0], angle: 0, clearance: {\n"
        "  model: three-mode, length: 46.1 mm, height: 33.1 mm, play: 0.05 mm, restitution: 0.50,\n"
        "  friction: {law: coulomb, coefficient: 0.176}}}}\n"
        "forces: {push: {type: force, at: block.p, force: [2.0 N*sin(33.1*t), 39.8 N*cos(45.3*t)]}}\n"
        "run: {until: 1 s, rtol: 1e-8}\n"};
    static const double until[] = {0.8, 1};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        rig r = rig_open("%s", blocks[k]);
        rig_step_to(&r, until[k]);
        rig_ledger(&r, 1e-7);
        rig_close(&r);
    }
}

/* A four-bar whose friction nearly jams: forces are ten thousand times those without it, and rounding of the equations
 * is as much larger. They are solved all the same. */
static void nearly_jams(void **state) {
    (void)state;
    rig r = rig_open(
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  crank: {mass: 1, inertia: 1e-3, points: {o: [0, 0], end: [0.031204, 0]}, angle: 90 deg}\n"
        "  coupler: {mass: 0.136, inertia: 2.08e-4, position: [0.053962, 0.045019], angle: 0.25062244,\n"
        "    points: {a: [-0.055702, 0], b: [0.055702, 0]}}\n"
        "  rocker: {mass: 0.804, inertia: 7.94e-4, position: [0.093378, 0.029417], angle: 1.11157476,\n"
        "    points: {d: [-0.032817, 0], b: [0.032817, 0]}}\n"
        "ground: {points: {d: [0.078832, 0]}}\n"
        "joints:\n"
        "  main: {type: revolute, between: [ground, crank.o]}\n"
        "  jA: {type: revolute, between: [crank.end, coupler.a]}\n"
        "  jB: {type: revolute, between: [coupler.b, rocker.b], clearance: {model: three-mode,\n"
        "    bearing_radius: 10 mm, radial: 0.05 mm, restitution: 0.3, friction: {law: coulomb, coefficient: "
        "0.057}}}\n"
        "  jD: {type: revolute, between: [ground.d, rocker.d], clearance: {model: three-mode,\n"
        "    bearing_radius: 10 mm, radial: 0.2 mm, restitution: 0.5, friction: {law: coulomb, coefficient: "
        "0.245}}}\n"
        "drives: {turn: {joint: main, speed: 3000 rpm}}\n"
        "run: {until: 0.04 s, rtol: 1e-6}\n");
    rig_step_to(&r, 0.04);
    rig_ledger(&r, 1e-5);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests_beside_an_idle_corner),
        cmocka_unit_test(nearly_jams),
        cmocka_unit_test(slides_where_it_would_pull),
        cmocka_unit_test(bounces_to_rest),
        cmocka_unit_test(bounce_together),
        cmocka_unit_test(begins_at_its_offset_in_space),
        cmocka_unit_test(friction_impulse),
        cmocka_unit_test(slides_as_a_pendulum),
        cmocka_unit_test(loses_the_wall),
        cmocka_unit_test(falls_in_space),
        cmocka_unit_test(bar_in_two_rings),
        cmocka_unit_test(level_bar_is_a_ball),
        cmocka_unit_test(limit_of_stiff_contact),
        cmocka_unit_test(mixes),
        cmocka_unit_test(friction_gives_no_energy),
        cmocka_unit_test(many_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
