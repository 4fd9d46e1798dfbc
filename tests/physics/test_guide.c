/* SPDX-License-Identifier: MIT
 *
 * A block in a channel with play (docs/contacts.md, guides), in the plane and in space: corner impacts against a
 * solution from event to event, a couple carried by two corners, a channel that turns, a slider-crank in
 * other coordinates, the limit of no play, momentum and energy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

/* ---- thrown across ---- */

/* A block of mass m, half-length a, half-height b in a channel that turns about the origin with W, walls at
 * ±w. State: x, y, θ and their rates at the time t. */
typedef struct thrown {
    double m, J, a, b, w, W, e, mu;
    double t, q[3], v[3];
} thrown;

/* Corner k (as numbered by Lash): its place in the block and its wall. */
static void corner_of(double s[2], double *sign, const thrown *b, int k) {
    s[0] = k % 2 ? b->a : -b->a;
    s[1] = k < 2 ? b->b : -b->b;
    *sign = k < 2 ? 1 : -1;
}

/* δ of corner k a time dt after b->t in free flight; row[3] = ∂δ/∂q, *rate = δ̇. */
static double depth(double row[3], double *rate, const thrown *b, int k, double dt) {
    double s[2], sign;
    corner_of(s, &sign, b, k);
    const double angle = b->q[2] + b->v[2] * dt, psi = b->W * (b->t + dt), c = cos(angle), z = sin(angle),
                 S[2] = {c * s[0] - z * s[1], z * s[0] + c * s[1]},
                 r[2] = {b->q[0] + b->v[0] * dt + S[0], b->q[1] + b->v[1] * dt + S[1]},
                 n[2] = {-sign * sin(psi), sign * cos(psi)};
    row[0] = n[0];
    row[1] = n[1];
    row[2] = -n[0] * S[1] + n[1] * S[0];
    // the wall itself moves with W across r
    *rate = row[0] * b->v[0] + row[1] * b->v[1] + row[2] * b->v[2] + b->W * (n[0] * r[1] - n[1] * r[0]);
    return n[0] * r[0] + n[1] * r[1] - b->w;
}

/* From the centre to corner k, x or y, where the block is now. */
static double slide_arm(const thrown *b, int k, int axis) {
    double s[2], sign;
    corner_of(s, &sign, b, k);
    const double c = cos(b->q[2]), z = sin(b->q[2]);
    return axis ? z * s[0] + c * s[1] : c * s[0] - z * s[1];
}

/* Goes to the next impact and through it; the corner that meets, 1 to 4, its speeds in *before, *after. */
static int next_impact(double *before, double *after, thrown *b) {
    const double step = 1e-4;
    double row[3], rate, at = INFINITY;
    int meets = -1;
    for (double dt = 0; meets < 0 && dt < 10; dt += step)
        for (int k = 0; k < 4; k++) {
            double low = dt, high = dt + step;
            if (!(depth(row, &rate, b, k, high) > 0) || !(rate > 0))
                continue;
            for (int i = 0; i < 100; i++) {
                const double middle = 0.5 * (low + high);
                *(depth(row, &rate, b, k, middle) > 0 ? &high : &low) = middle;
            }
            if (high < at) {
                at = high;
                meets = k;
            }
        }
    assert_true(meets >= 0);
    depth(row, before, b, meets, at);
    b->t += at;
    for (int i = 0; i < 3; i++)
        b->q[i] += b->v[i] * at;
    // Along the wall: t = n turned by a quarter, of the corner against the point of the wall beside it.
    const double S[2] = {slide_arm(b, meets, 0), slide_arm(b, meets, 1)},
                 r[2] = {b->q[0] + S[0], b->q[1] + S[1]},
                 along[3] = {-row[1], row[0], row[1] * S[1] + row[0] * S[0]},
                 slip = along[0] * (b->v[0] + b->W * r[1]) + along[1] * (b->v[1] - b->W * r[0]) +
                        along[2] * b->v[2];
    double nn = 0, nt = 0, tt = 0, P[2];
    for (int i = 0; i < 3; i++) {
        const double inverse = 1 / (i < 2 ? b->m : b->J);
        nn += row[i] * row[i] * inverse;
        nt += row[i] * along[i] * inverse;
        tt += along[i] * along[i] * inverse;
    }
    // It sticks, or slides on one of two ways, with Newton's restitution.
    const double u = (1 + b->e) * *before, det = nn * tt - nt * nt;
    P[0] = (tt * u - nt * slip) / det;
    P[1] = (nn * slip - nt * u) / det;
    for (int sign = 1; sign >= -1 && fabs(P[1]) > b->mu * P[0]; sign -= 2) {
        const double normal = u / (nn + sign * b->mu * nt);
        if (sign * (slip - (nt + sign * b->mu * tt) * normal) >= 0) {
            P[0] = normal;
            P[1] = sign * b->mu * normal;
            break;
        }
    }
    for (int i = 0; i < 3; i++)
        b->v[i] -= (P[0] * row[i] + P[1] * along[i]) / (i < 2 ? b->m : b->J);
    *after = b->e * *before;
    return meets + 1;
}

/* The corners stand where they are named, whichever way the block's axes lie in its body. */
static const char *const planar =
    "bodies: {b: {mass: %.17g, inertia: %.17g, position: [%.17g, %.17g], angle: %.17g rad, velocity: [%.17g, "
    "%.17g], angular_velocity: %.17g}, rotor: {mass: 1, inertia: 1, angular_velocity: %.17g}}\njoints: "
    "{pivot: "
    "{type: revolute, between: [ground, rotor]}, j: {type: translational, angle: 0.7 rad, between: [rotor, "
    "b], "
    "axis: [1, 0], clearance: {length: %.17g, height: %.17g, play: %.17g, %s}}}\ndrives: {turn: {joint: "
    "pivot, "
    "speed: %.17g rad/s}}\nrun: {until: %.17g s, rtol: 1e-13}\n";
static const char *const spatial =
    "space: spatial\nbodies: {b: {mass: %.17g, inertia: [1, 1, %.17g], position: [%.17g, %.17g, 0], "
    "orientation: {axis: [0, 0, 1], angle: %.17g rad}, velocity: [%.17g, %.17g, 0], angular_velocity: [0, 0, "
    "%.17g]}, rotor: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, %.17g]}}\njoints: {pivot: {type: "
    "revolute, axis: [0, 0, 1], between: [ground, rotor]}, j: {type: prismatic, between: [rotor, b], axis: "
    "[1, 0, 0], second_axis: "
    "[0.76484218728448842, -0.64421768723769102, 0], clearance: {length: %.17g, height: %.17g, width: 0.1, "
    "height_axis: [0, 1, 0], play: %.17g, %s}}}\ndrives: {turn: {joint: pivot, speed: %.17g rad/s}}\nrun: "
    "{until: %.17g s, rtol: 1e-13}\n";

static rig open_thrown(const char *format, const thrown *b, const char *contact, double until) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    // The body's axes are 0.7 rad ahead of the block's.
    return rig_open(format, b->m, b->J, b->q[0], b->q[1], b->q[2] + 0.7, b->v[0], b->v[1], b->v[2], b->W,
                    2 * b->a, 2 * b->b, 2 * (b->w - b->b), contact, b->W, until);
#pragma GCC diagnostic pop
}

static const thrown still = {.m = 0.5,
                             .J = 3e-4,
                             .a = 0.05,
                             .b = 0.02,
                             .w = 0.022,
                             .e = 0.8,
                             .q = {0.1, 0.0003, 0.004},
                             .v = {0.2, 0.5, 1.7}};
static const thrown turning = {.m = 0.5,
                               .J = 3e-4,
                               .a = 0.05,
                               .b = 0.02,
                               .w = 0.022,
                               .e = 0.8,
                               .W = 2,
                               .q = {0.1, 0.0003, 0.004},
                               .v = {0.2, 0.6, 2.9}};

/* Times and velocities of the first impacts, and the positions at the end. */
static void impacts_follow(const char *format, const char *of_space, thrown b, size_t impacts) {
    static const char *const channels[] = {"b.x", "b.y", "b.angle", "b.vx", "b.vy", "b.wz", NULL};
    static const char *const in_space[] = {"b.x", "b.y", "b.vx", "b.vy", "b.wz", NULL};
    const bool space = strcmp(of_space, "space") == 0;
    thrown copy = b;
    double before, after;
    for (size_t n = 0; n < impacts; n++)
        next_impact(&before, &after, &copy);
    const double end = copy.t + 1e-4;
    char contact[200];
    int at = snprintf(contact, sizeof contact, "model: three-mode, restitution: %g, rest_speed: 1e-6", b.e);
    if (b.mu > 0)
        snprintf(contact + at, sizeof contact - (size_t)at, ", friction: {law: threlfall, coefficient: %g}",
                 b.mu);
    rig r = open_thrown(format, &b, contact, end);
    rig_rows rows = rig_sample(&r, 10, space ? in_space : channels, false);
    // In space two corners stand side by side and meet together, each with half the impulse.
    static const int corner_in_space[4][2] = {{2, 4}, {6, 8}, {1, 3}, {5, 7}};
    for (size_t n = 0; n < impacts; n++) {
        const int corner = next_impact(&before, &after, &b);
        for (size_t side = 0; side < (space ? 2 : 1); side++) {
            const lash_event *hit = rig_event(&rows, LASH_EVENT_IMPACT, space ? 2 * n + side : n);
            char name[40];
            if (!hit)
                fail_msg("%s: %zu impacts only", of_space, n);
            if (space)
                snprintf(name, sizeof name, "j.corner%da", corner_in_space[corner - 1][side]);
            else
                snprintf(name, sizeof name, "j.corner%d", corner);
            assert_string_equal(hit->joint, name);
            rig_near(hit->time, b.t, 1e-9, "%s: impact %zu", of_space, n);
            rig_near(hit->speed, before, 1e-9, "%s: speed before impact %zu", of_space, n);
            rig_near(hit->rebound, after, 1e-9, "%s: speed after impact %zu", of_space, n);
        }
    }
    const double q[3] = {b.q[0] + b.v[0] * (end - b.t), b.q[1] + b.v[1] * (end - b.t),
                         b.q[2] + 0.7 + b.v[2] * (end - b.t)};
    for (size_t k = 0; k < 3; k++) {
        if (!space || k < 2)
            rig_near(rig_at(&rows, 10, k + 1), q[k], 1e-9, "%s: position %zu", of_space, k);
        rig_near(rig_at(&rows, 10, k + (space ? 3 : 4)), b.v[k], 1e-9 * (k == 2 ? 100 : 1),
                 "%s: velocity %zu", of_space, k);
    }
    rig_ledger(&r, 1e-9);
    rig_rows_close(&rows);
    rig_close(&r);
}

static void corner_impacts(void **state) {
    (void)state;
    impacts_follow(planar, "plane", still, 25);
    impacts_follow(planar, "plane", turning, 15);
    thrown rough[2] = {still, turning};
    for (int k = 0; k < 2; k++) {
        rough[k].mu = 0.2;
        rough[k].e = 0.6;
        impacts_follow(planar, "rough walls", rough[k], 10);
    }
    impacts_follow(spatial, "space", still, 25);
    impacts_follow(spatial, "space", turning, 15);
}

/* Compliant corners, e = 1: a contact takes π √(m/K), so that the positions come nearer as K^−1/2. */
static void rigid_limit(void **state) {
    (void)state;
    thrown b = still;
    double before, after, errors[3];
    b.e = 1;
    for (int n = 0; n < 4; n++)
        next_impact(&before, &after, &b);
    const double end = b.t + 1e-4, y = b.q[1] + b.v[1] * 1e-4, angle = b.q[2] + 0.7 + b.v[2] * 1e-4;
    for (int k = 0; k < 3; k++) {
        char contact[100];
        snprintf(contact, sizeof contact, "contact: {law: hertz, exponent: 1, stiffness: %g}",
                 1e9 * pow(100, k));
        rig r = open_thrown(planar, &still, contact, end);
        rig_step_to(&r, end);
        errors[k] = hypot(rig_value(&r, "b.y") - y, 0.05 * (rig_value(&r, "b.angle") - angle));
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
    assert_true(errors[0] < 1e-3);
    for (int k = 1; k < 3; k++)
        rig_near(errors[k - 1] / errors[k], 10, 1, "errors %g and %g", errors[k - 1], errors[k]);
}

/* The height of a block in space goes along height_axis, which is given in the channel's own axes: a block
 * thrown along it goes half the play, one thrown across it half the side play, whatever the inertia's axes.
 */
static void height_goes_along_its_axis(void **state) {
    (void)state;
    static const char *const channels[] = {"energy.balance", NULL};
    for (int n = 0; n < 2; n++) {
        rig r = rig_open(
            "space: spatial\nbodies: {a: {mass: 1, inertia: [2, 2.5, 3, 0.3, 0.2, 0.1]}, b: {mass: 1, "
            "inertia: "
            "[1, 1, 1], velocity: %s}}\njoints: {j: {type: prismatic, between: [a, b], axis: [1, 0, 0], "
            "clearance: {length: 0.1, height: 0.04, width: 0.08, height_axis: [5, 3, 4], play: 4 mm, "
            "side_play: 2 mm, model: three-mode, restitution: 0.5}}}\nrun: {until: 5 ms, rtol: 1e-10}\n",
            n ? "[0, -0.8, 0.6]" : "[0, 0.6, 0.8]");
        rig_rows rows = rig_sample(&r, 2, channels, false);
        const lash_event *hit = rig_event(&rows, LASH_EVENT_IMPACT, 0);
        assert_non_null(hit);
        rig_near(hit->time, n ? 1e-3 : 2e-3, 1e-12, "throw %d", n);
        assert_int_equal(hit->joint[strlen(hit->joint) - 1], n ? 'b' : 'a');
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* ---- at rest and following ---- */

/* A load outside of the block tilts it until two opposite corners touch: y = 0, w = b cos θ − a sin θ, and
 * with x the arm of the corners N4 − N1 = F, x (N1 + N4) = F L cos θ. */
static void couple_on_two_corners(void **state) {
    (void)state;
    const double a = 0.05, b = 0.02, w = 0.022, F = 3, L = 0.13;
    double tilt = 0;
    for (int k = 0; k < 50; k++)
        tilt = -asin((w - b * cos(tilt)) / a);
    const double x = a * cos(tilt) + b * sin(tilt), sum = F * L * cos(tilt) / x, N4 = 0.5 * (sum + F),
                 N1 = 0.5 * (sum - F);
    // Rigid: it bounces, and comes to rest.
    rig r =
        rig_open("bodies: {b: {mass: 0.5, inertia: 3e-4, points: {load: [0.13, 0]}}}\njoints: {j: {type: "
                 "translational, between: [ground, b], axis: [1, 0], clearance: {length: 0.1, height: "
                 "0.04, play: 0.004, model: three-mode, restitution: 0.5}}}\nforces: {f: {type: force, at: "
                 "b.load, force: [0, -3]}}\nrun: {until: 2 s, rtol: 1e-11}\n");
    rig_step_to(&r, 2);
    rig_near(rig_value(&r, "j.tilt"), tilt, 1e-11, "tilt");
    rig_near(rig_value(&r, "j.offset"), 0, 1e-11, "offset");
    rig_near(rig_value(&r, "j.corner1.n"), N1, 1e-9, "corner 1");
    rig_near(rig_value(&r, "j.corner4.n"), N4, 1e-9, "corner 4");
    rig_near(rig_value(&r, "j.corner2.n"), 0, 1e-12, "corner 2");
    rig_near(rig_value(&r, "j.corner3.n"), 0, 1e-12, "corner 3");
    rig_ledger(&r, 1e-9);
    rig_close(&r);
    // Compliant, brought to rest by dampers: the same balance at the angle that it takes.
    const double K = 1e5;
    rig soft = rig_open(
        "ground: {points: {u: [-0.2, 1], v: [0.2, 1], w: [-1, 0]}}\nbodies: {b: {mass: 0.5, inertia: 3e-4, "
        "points: "
        "{load: [0.13, 0], u: [-0.2, 0], v: [0.2, 0]}}}\njoints: {j: {type: translational, between: "
        "[ground, b], axis: [1, 0], clearance: {length: 0.1, height: 0.04, play: 0.004, contact: {law: "
        "hertz, stiffness: 1e5, exponent: 1}}}}\nforces:\n  f: {type: force, at: b.load, force: [0, "
        "-3]}\n  u: {type: spring, between: [ground.u, b.u], damping: 20 N s/m}\n  v: {type: spring, "
        "between: [ground.v, b.v], damping: 20 N s/m}\n  w: {type: spring, between: [ground.w, b], damping: "
        "100 N s/m}\nrun: {until: 1 s, rtol: 1e-12}\n");
    rig_step_to(&soft, 1);
    const double found = rig_value(&soft, "j.tilt"), X = a * cos(found) + b * sin(found),
                 n1 = rig_value(&soft, "j.corner1.fn"), n4 = rig_value(&soft, "j.corner4.fn");
    rig_near(n4 - n1, F, 1e-9, "force of compliant corners");
    rig_near(X * (n1 + n4), F * L * cos(found), 1e-9, "couple of compliant corners");
    rig_near(rig_value(&soft, "j.corner1.delta"), n1 / K, 1e-14, "depth of corner 1");
    rig_near(found, tilt, (n1 + n4) / K / x, "tilt of compliant corners");
    assert_true(rig_value(&soft, "j.corner2.mode") == 0 && rig_value(&soft, "j.corner3.mode") == 0);
    rig_close(&soft);
}

/* On the lower wall of a channel that goes down by β, with friction μ: a = g (sin β − μ cos β), and with
 * N = m g cos β the corners carry N/2 ± μ N b/(2 a), since friction acts b below the centre. */
static void slides_with_friction(void **state) {
    (void)state;
    static const char *const models[2] = {"model: three-mode, restitution: 0.5",
                                          "contact: {law: hertz, exponent: 1, stiffness: 1e6}"};
    const double mu = 0.15, angle = 0.5, g = 9.81, m = 0.5, N = m * g * cos(angle), t = 0.4,
                 a = g * (sin(angle) - mu * cos(angle)), behind = 0.5 * N * (1 - mu * 0.02 / 0.05),
                 ahead = 0.5 * N * (1 + mu * 0.02 / 0.05);
    for (int n = 0; n < 2; n++) {
        // A compliant block is drawn as deep as it lies: its corners at N/2 ∓ … over 1e6.
        const double middle = n ? 0.5 * (behind + ahead) / 1e6 : 0,
                     tilt = n ? -(ahead - behind) / 1e6 / 0.1 : 0, down = -0.002 - middle;
        rig r = rig_open("gravity: [%.17g, %.17g]\nbodies: {b: {mass: 0.5, inertia: 3e-4, position: [0.1, "
                         "%.17g], angle: %.17g "
                         "rad, velocity: [1, 0]}}\njoints: {j: {type: translational, angle: 0 rad, between: "
                         "[ground, b], axis: [1, "
                         "0], clearance: {length: 0.1, height: 0.04, play: 0.004, %s, friction: {law: "
                         "ambrosio, coefficient: "
                         "%.17g, v0: 1e-4, v1: 1e-3}}}}\nrun: {until: 1 s, rtol: 1e-11}\n",
                         g * sin(angle), -g * cos(angle), down, tilt, models[n], mu);
        rig_step_to(&r, t);
        rig_near(rig_value(&r, "j.s"), 0.1 + t + 0.5 * a * t * t, n ? 1e-6 : 1e-9, "model %d: travel", n);
        rig_near(rig_value(&r, "b.vx"), 1 + a * t, n ? 1e-6 : 1e-9, "model %d: speed", n);
        if (n == 0) {
            rig_near(rig_value(&r, "j.corner3.n"), behind, 1e-9, "behind");
            rig_near(rig_value(&r, "j.corner4.n"), ahead, 1e-9, "ahead");
        } else {
            rig_near(rig_value(&r, "j.corner3.fn"), behind, 1e-3, "behind");
            rig_near(rig_value(&r, "j.corner4.fn"), ahead, 1e-3, "ahead");
        }
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

/* In a channel that turns with Ω the block lies on the wall behind it and slides outwards, s = s0 cosh Ωt:
 * both corners together press with m (2 Ω ṡ + Ω² p/2), each with half of it. */
static void slides_in_a_turning_channel(void **state) {
    (void)state;
    const double m = 0.5, W = 3, s0 = 0.2, play = 0.004, end = 0.5;
    rig r =
        rig_open("bodies: {b: {mass: 0.5, inertia: 3e-4, position: [0.2, -0.002], velocity: [0.006, 0.6], "
                 "angular_velocity: 3}, rotor: {mass: 1, inertia: 1, angular_velocity: 3}}\njoints: {pivot: "
                 "{type: revolute, between: [ground, rotor]}, j: {type: translational, between: [rotor, b], "
                 "axis: [1, 0], clearance: {length: 0.1, height: 0.04, play: 0.004, model: three-mode, "
                 "restitution: 0.5}}}\ndrives: {turn: {joint: pivot, speed: 3 rad/s}}\nrun: {until: 0.5 s, "
                 "rtol: 1e-12}\n");
    rig_step_to(&r, end);
    const double s = s0 * cosh(W * end), sdot = s0 * W * sinh(W * end);
    rig_near(rig_value(&r, "j.s"), s, 1e-9, "travel");
    rig_near(rig_value(&r, "j.offset"), -play / 2, 1e-9, "offset");
    for (int k = 3; k < 5; k++) {
        char name[40];
        snprintf(name, sizeof name, "j.corner%d.n", k);
        rig_near(rig_value(&r, name), 0.5 * m * (2 * W * sdot + W * W * play / 2), 1e-8, "%s", name);
    }
    rig_ledger(&r, 1e-9);
    rig_close(&r);
    r = rig_open(
        "space: spatial\nbodies: {b: {mass: 0.5, inertia: [1, 1, 3e-4], position: [0.2, -0.002, 0], "
        "velocity: [0.006, 0.6, 0], angular_velocity: [0, 0, 3]}, rotor: {mass: 1, inertia: [1, 1, 1], "
        "angular_velocity: [0, 0, 3]}}\njoints: {pivot: {type: revolute, axis: [0, 0, 1], between: "
        "[ground, rotor]}, j: {type: prismatic, between: [rotor, b], axis: [1, 0, 0], clearance: "
        "{length: 0.1, height: 0.04, width: 0.1, height_axis: [0, 1, 0], play: 0.004, model: "
        "three-mode, restitution: 0.5}}}\ndrives: {turn: {joint: pivot, speed: 3 rad/s}}\nrun: {until: "
        "0.5 s, rtol: 1e-12}\n");
    rig_step_to(&r, end);
    rig_near(rig_value(&r, "j.s"), s, 1e-9, "travel in space");
    rig_near(rig_value(&r, "j.offset"), -play / 2, 1e-9, "offset in space");
    double all = 0;
    for (int k = 0; k < 4; k++) { // four on the wall: their sum is determined, not each one
        char name[40];
        snprintf(name, sizeof name, "j.corner%da.n", 2 * k + 1);
        all += rig_value(&r, name);
    }
    rig_near(all, m * (2 * W * sdot + W * W * play / 2), 1e-8, "corners in space");
    rig_ledger(&r, 1e-9);
    rig_close(&r);
}

/* ---- a slider-crank in other coordinates ---- */

/* Crank of length r turned with W, rod, slider whose pin stands at s from its centre of mass, where the block
 * of half-sizes a, b has its middle; the channel along the x-axis. With φ, θ the angles of rod and slider,
 *   P = r (cos Wt, sin Wt) + l (cos φ, sin φ),   C = P − R(θ) s,
 * two equations of motion without any constraint. Corners as in Lankarani and Nikravesh. */
typedef struct crank {
    double r, l, W, rod_mass, rod_inertia, mass, inertia, s[2], a, b, w, K, n, h, g;
    double t, z[4];     /* φ, θ, φ̇, θ̇ */
    int touching[4];    /* corners … */
    double approach[4]; /* … and their speed when they began */
} crank;

/* δ and δ̇ of corner k; *arm = ∂δ/∂(φ, θ). */
static double gap_of(double *rate, double arm[2], const crank *c, int k, double t, const double z[4]) {
    const double sign = k < 2 ? 1 : -1, cx = (k % 2 ? c->a : -c->a) - c->s[0],
                 cy = (k < 2 ? c->b : -c->b) - c->s[1], C = cos(z[1]), S = sin(z[1]);
    const double y = c->r * sin(c->W * t) + c->l * sin(z[0]) + S * cx + C * cy;
    arm[0] = sign * c->l * cos(z[0]);
    arm[1] = sign * (C * cx - S * cy);
    *rate = sign * c->r * c->W * cos(c->W * t) + arm[0] * z[2] + arm[1] * z[3];
    return sign * y - c->w;
}

static void crank_rates(double out[4], const crank *c, double t, const double z[4]) {
    const double C = cos(z[1]), S = sin(z[1]), Rs[2] = {C * c->s[0] - S * c->s[1], S * c->s[0] + C * c->s[1]},
                 e[2] = {cos(z[0]), sin(z[0])}, f[2] = {-e[1], e[0]}, // along the rod, across it
        pin[2] = {-c->r * c->W * c->W * cos(c->W * t), -c->r * c->W * c->W * sin(c->W * t)};
    double M[2][2] = {{c->rod_inertia, 0}, {0, c->inertia}}, Q[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const double rod = 0.5 * c->l * f[i],              // ∂(centre of the rod)/∂φ
            slider[2] = {c->l * f[i], i ? -Rs[0] : Rs[1]}, // ∂C/∂φ, ∂C/∂θ
            weight = i ? -c->g : 0, a_rod = pin[i] - 0.5 * c->l * z[2] * z[2] * e[i],
                     a_slider = pin[i] - c->l * z[2] * z[2] * e[i] + z[3] * z[3] * Rs[i];
        M[0][0] += c->rod_mass * rod * rod;
        Q[0] += c->rod_mass * rod * (weight - a_rod);
        for (int u = 0; u < 2; u++) {
            Q[u] += c->mass * slider[u] * (weight - a_slider);
            for (int v = 0; v < 2; v++)
                M[u][v] += c->mass * slider[u] * slider[v];
        }
    }
    for (int k = 0; k < 4; k++) {
        double rate, arm[2];
        const double delta = gap_of(&rate, arm, c, k, t, z);
        if (!c->touching[k] || !(delta > 0))
            continue;
        const double F = fmax(0, c->K * pow(delta, c->n) * (1 + c->h * rate / c->approach[k]));
        Q[0] -= F * arm[0];
        Q[1] -= F * arm[1];
    }
    const double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    out[0] = z[2];
    out[1] = z[3];
    out[2] = (M[1][1] * Q[0] - M[0][1] * Q[1]) / det;
    out[3] = (M[0][0] * Q[1] - M[1][0] * Q[0]) / det;
}

/* One step of the classical Runge–Kutta method. */
static void crank_step(double out[4], const crank *c, double h) {
    double k[4][4], at[4];
    for (int stage = 0; stage < 4; stage++) {
        const double share = stage == 0 ? 0 : stage == 3 ? h : 0.5 * h;
        for (int i = 0; i < 4; i++)
            at[i] = c->z[i] + (stage ? share * k[stage - 1][i] : 0);
        crank_rates(k[stage], c, c->t + share, at);
    }
    for (int i = 0; i < 4; i++)
        out[i] = c->z[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* To the time `end` in steps of h that end where a contact begins or ends. */
static void crank_run(crank *c, double end, double h) {
    while (c->t < end) {
        const double whole = fmin(h, end - c->t);
        double high = whole, z[4], rate, arm[2];
        int first = -1;
        crank_step(z, c, whole);
        for (int k = 0; k < 4; k++) {
            if ((gap_of(&rate, arm, c, k, c->t + whole, z) > 0) == c->touching[k])
                continue;
            double under = 0, over = high; // the first of all
            double before[4];
            crank_step(before, c, high);
            if ((gap_of(&rate, arm, c, k, c->t + high, before) > 0) == c->touching[k])
                continue;
            for (int i = 0; i < 60; i++) {
                const double middle = 0.5 * (under + over);
                crank_step(before, c, middle);
                *((gap_of(&rate, arm, c, k, c->t + middle, before) > 0) == c->touching[k] ? &under : &over) =
                    middle;
            }
            high = over;
            first = k;
        }
        crank_step(z, c, first < 0 ? whole : high);
        memcpy(c->z, z, sizeof z);
        c->t = first < 0 && whole < h ? end : c->t + (first < 0 ? whole : high);
        if (first >= 0) {
            gap_of(&rate, arm, c, first, c->t, c->z);
            c->touching[first] = !c->touching[first];
            c->approach[first] = fmax(rate, 1e-6);
        }
    }
}

static const char *const crank_planar =
    "gravity: [0, -9.81]\nbodies:\n"
    "  crank: {mass: 0.3, inertia: 1e-4, position: [0.025, 0], points: {main: [-0.025, 0], pin: [0.025, "
    "0]}}\n"
    "  rod: {mass: 0.21, inertia: 2.5e-4, position: [0.11, 0], points: {big: [-0.06, 0], small: [0.06, 0]}}\n"
    "  slider: {mass: 0.14, inertia: 1e-4, position: [0.17, 0], points: {pin: [0.01, 0.003]}}\njoints:\n"
    "  main: {type: revolute, between: [ground, crank.main]}\n"
    "  crankpin: {type: revolute, between: [crank.pin, rod.big]}\n"
    "  gudgeon: {type: revolute, between: [rod.small, slider.pin]}\n"
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0], clearance: {length: 0.06, "
    "height: "
    "0.04, play: 0.0004, contact: {law: lankarani-nikravesh, stiffness: %.17g, restitution: 0.5}}}\n"
    "drives: {motor: {joint: main, speed: 60 rad/s, start: 0 rad}}\nrun: {until: %.17g s, rtol: 1e-12}\n";
static const char *const crank_spatial =
    "space: spatial\ngravity: [0, -9.81, 0]\nbodies:\n"
    "  crank: {mass: 0.3, inertia: [1e-4, 1e-4, 1e-4], position: [0.025, 0, 0], points: {main: [-0.025, 0, "
    "0], "
    "pin: [0.025, 0, 0]}}\n"
    "  rod: {mass: 0.21, inertia: [2.5e-4, 2.5e-4, 2.5e-4], position: [0.11, 0, 0], points: {big: [-0.06, 0, "
    "0], "
    "small: [0.06, 0, 0]}}\n"
    "  slider: {mass: 0.14, inertia: [1e-4, 1e-4, 1e-4], position: [0.17, 0, 0], points: {pin: [0.01, 0.003, "
    "0]}}\njoints:\n"
    "  main: {type: revolute, axis: [0, 0, 1], between: [ground, crank.main]}\n"
    "  crankpin: {type: revolute, axis: [0, 0, 1], between: [crank.pin, rod.big]}\n"
    "  gudgeon: {type: revolute, axis: [0, 0, 1], between: [rod.small, slider.pin]}\n"
    "  guide: {type: prismatic, between: [ground, slider], axis: [1, 0, 0], clearance: {length: 0.06, "
    "height: "
    "0.04, width: 0.05, height_axis: [0, 1, 0], play: 0.0004, contact: {law: lankarani-nikravesh, stiffness: "
    "%.17g, restitution: 0.5}}}\n"
    "drives: {motor: {joint: main, speed: 60 rad/s, start: 0 rad}}\nrun: {until: %.17g s, rtol: 1e-12}\n";

static void slider_crank_in_other_coordinates(void **state) {
    (void)state;
    const double K = 1e9, turn = 2 * RIG_PI / 60;
    crank c = {.r = 0.05,
               .l = 0.12,
               .W = 60,
               .rod_mass = 0.21,
               .rod_inertia = 2.5e-4,
               .mass = 0.14,
               .inertia = 1e-4,
               .s = {0.01, 0.003},
               .a = 0.03,
               .b = 0.02,
               .w = 0.0202,
               .K = K,
               .n = 1.5,
               .h = 0.75 * (1 - 0.25),
               .g = 9.81};
    c.z[0] = asin(c.s[1] / c.l);
    c.z[2] = -c.r * c.W / (c.l * cos(c.z[0]));
    rig plane = rig_open(crank_planar, K, turn), space = rig_open(crank_spatial, K / 2, turn);
    for (int k = 1; k <= 20; k++) {
        const double t = turn * k / 20;
        crank_run(&c, t, 2e-7);
        rig_step_to(&plane, t);
        rig_step_to(&space, t);
        const double C = cos(c.z[1]), S = sin(c.z[1]),
                     x = c.r * cos(c.W * t) + c.l * cos(c.z[0]) - (C * c.s[0] - S * c.s[1]),
                     y = c.r * sin(c.W * t) + c.l * sin(c.z[0]) - (S * c.s[0] + C * c.s[1]);
        rig_near(rig_value(&plane, "slider.x"), x, 1e-9, "x at %d/20", k);
        rig_near(rig_value(&plane, "slider.y"), y, 1e-9, "y at %d/20", k);
        rig_near(rig_value(&plane, "slider.angle"), c.z[1], 1e-7, "angle at %d/20", k);
        rig_near(rig_value(&space, "slider.x"), rig_value(&plane, "slider.x"), 1e-10, "x in space, %d/20", k);
        rig_near(rig_value(&space, "slider.y"), rig_value(&plane, "slider.y"), 1e-10, "y in space, %d/20", k);
        rig_near(rig_value(&space, "guide.tilt"), fabs(rig_value(&plane, "guide.tilt")), 1e-8,
                 "tilt in space, %d/20", k);
    }
    assert_true(lash_sim_summary(plane.sim).events > 10);
    rig_ledger(&plane, 1e-9);
    rig_ledger(&space, 1e-9);
    rig_close(&plane);
    rig_close(&space);
}

/* Rigid corners without rebound: the motion is away from that of the ideal guide by no more than the play. */
static void no_play_is_the_ideal_guide(void **state) {
    (void)state;
#define MACHINE                                                                                              \
    "gravity: [0, -9.81]\nbodies:\n"                                                                         \
    "  crank: {mass: 0.3, inertia: 1e-4, position: [0.025, 0], points: {main: [-0.025, 0], pin: [0.025, "    \
    "0]}}\n"                                                                                                 \
    "  rod: {mass: 0.21, inertia: 2.5e-4, position: [0.11, 0], points: {big: [-0.06, 0], small: [0.06, "     \
    "0]}}\n"                                                                                                 \
    "  slider: {mass: 0.14, inertia: 1e-4, position: [0.17, 0], points: {pin: [0.01, 0.003]}}\njoints:\n"    \
    "  main: {type: revolute, between: [ground, crank.main]}\n"                                              \
    "  crankpin: {type: revolute, between: [crank.pin, rod.big]}\n"                                          \
    "  gudgeon: {type: revolute, between: [rod.small, slider.pin]}\n"                                        \
    "  guide: {type: translational, between: [ground, slider], axis: [1, 0]%s}\n"                            \
    "forces: {f: {type: torque, body: crank, torque: 1 N m}}\nrun: {until: 0.08 s, rtol: 1e-10}\n"
    rig ideal = rig_open(MACHINE, "");
    rig_step_to(&ideal, 0.08);
    const double x = rig_value(&ideal, "slider.x"), angle = rig_value(&ideal, "crank.angle");
    assert_true(angle > 1);
    for (int k = 0; k < 3; k++) {
        const double play = 1e-4 * pow(10, -k);
        char clearance[200];
        snprintf(clearance, sizeof clearance,
                 ", clearance: {length: 0.06, height: 0.04, play: %g, model: three-mode, restitution: 0}",
                 play);
        rig r = rig_open(MACHINE, clearance);
        rig_step_to(&r, 0.08);
        rig_near(rig_value(&r, "slider.x"), x, 2 * play, "x with play %g", play);
        rig_near(rig_value(&r, "crank.angle"), angle, 2 * play / 0.05, "crank with play %g", play);
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
    rig_close(&ideal);
#undef MACHINE
}

/* ---- where it may start, and what moves it along ---- */

static void corners_start_inside(void **state) {
    (void)state;
    static const char *const models[2] = {
        "bodies: {b: {mass: 1, inertia: 1, position: [0, %g], velocity: [0.1, 0]}}\njoints: {j: {type: "
        "translational, axis: [1, "
        "0], between: [ground, b], clearance: {length: 0.1, height: 0.04, play: 4 mm, contact: {stiffness: "
        "1e8, restitution: "
        "0.5}}}}\nrun: {until: 1 s}\n",
        "space: spatial\nbodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0, %g, 0], velocity: [0.1, 0, "
        "0]}}\njoints: {j: {type: "
        "prismatic, axis: [1, 0, 0], between: [ground, b], clearance: {length: 0.1, height: 0.04, width: "
        "0.04, height_axis: [0, 1, "
        "0], play: 4 mm, contact: {stiffness: 1e8, restitution: 0.5}}}}\nrun: {until: 1 s}\n"};
    static const char *const corners[2] = {"j.corner1 is drawn 0.0021 m inside",
                                           "j.corner2a is drawn 0.0021 m inside"};
    for (int n = 0; n < 2; n++) {
        char text[1000];
        lash_error error = {0};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, models[n], 0.0041);
        assert_int_equal(rig_compile(text, &error), LASH_ERROR_MODEL);
        if (!strstr(error.message, corners[n]) || !strstr(error.message, "'j'"))
            fail_msg("'%s' does not say '%s'", error.message, corners[n]);
        snprintf(text, sizeof text, models[n], 0.0039); // less deep: it is pushed out
#pragma GCC diagnostic pop
        assert_int_equal(rig_compile(text, &error), LASH_OK);
    }
}

/* A block that is driven along its channel, or held there by a spring, while it knocks at the walls. */
static void driven_along_the_guide(void **state) {
    (void)state;
    static const char *const ways[2] = {
        "drives: {d: {joint: j, motion: 0.05*sin(40*t)}}\n",
        "forces: {f: {type: joint-spring, joint: j, stiffness: 800 N/m, free: 0 m}}\n"};
    for (int n = 0; n < 2; n++) {
        rig r = rig_open("gravity: [0, -9.81]\nbodies: {b: {mass: 0.5, inertia: 3e-4, velocity: [2, 0.3], "
                         "angular_velocity: "
                         "1.5}}\njoints: {j: {type: translational, between: [ground, b], axis: [1, 0], "
                         "clearance: {length: 0.1, "
                         "height: 0.04, play: 0.004, contact: {stiffness: 1e9, restitution: 0.6}}}}\n%srun: "
                         "{until: 0.2 s, rtol: "
                         "1e-12}\n",
                         ways[n]);
        for (int k = 1; k <= 10; k++) { // both move as 0.05 sin 40 t: no force acts along the guide
            const double t = 0.02 * k;
            rig_step_to(&r, t);
            rig_near(rig_value(&r, "j.s"), 0.05 * sin(40 * t), 1e-9, "way %d: travel", n);
            rig_near(rig_value(&r, "b.vx"), 2 * cos(40 * t), 1e-8, "way %d: speed", n);
            assert_true(fabs(rig_value(&r, "j.offset")) < 0.0021);
        }
        assert_true(lash_sim_summary(r.sim).events > 10);
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

/* ---- momentum ---- */

/* Channel and block both free, with damped corners and friction: nothing comes from outside. */
static void free_pairs_keep_momentum(void **state) {
    (void)state;
    static const char *const models[] = {
        "contact: {law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.6}, friction: {law: ambrosio, "
        "coefficient: 0.2, v0: 1e-4, v1: 1e-3}",
        "model: three-mode, restitution: 0.6"};
    for (int n = 0; n < 2; n++) {
        rig r =
            rig_open("bodies: {a: {mass: 2, inertia: 0.01, position: [0.1, 0.2], velocity: [1, -2], "
                     "angular_velocity: 1.5}, b: {mass: 0.5, inertia: 3e-4, position: [0.1, 0.2], velocity: "
                     "[1.5, -1.5], angular_velocity: 4}}\njoints: {j: {type: translational, between: [a, b], "
                     "axis: [0.8, 0.6], clearance: {length: 0.1, height: 0.04, play: 0.004, %s}}}\nrun: "
                     "{until: 0.1 s, rtol: 1e-12}\n",
                     models[n]);
        double first[3] = {0};
        for (int k = 0; k <= 20; k++) {
            if (k)
                rig_step_to(&r, 0.005 * k);
            const double p[2][6] = {{rig_value(&r, "a.x"), rig_value(&r, "a.y"), rig_value(&r, "a.vx"),
                                     rig_value(&r, "a.vy"), rig_value(&r, "a.wz"), 0.01},
                                    {rig_value(&r, "b.x"), rig_value(&r, "b.y"), rig_value(&r, "b.vx"),
                                     rig_value(&r, "b.vy"), rig_value(&r, "b.wz"), 3e-4}};
            const double mass[2] = {2, 0.5};
            double now[3] = {0};
            for (int b = 0; b < 2; b++) {
                now[0] += mass[b] * p[b][2];
                now[1] += mass[b] * p[b][3];
                now[2] += mass[b] * (p[b][0] * p[b][3] - p[b][1] * p[b][2]) + p[b][5] * p[b][4];
            }
            for (int i = 0; i < 3; i++) {
                first[i] = k ? first[i] : now[i];
                rig_near(now[i], first[i], 1e-10, "model %d: momentum %d", n, i);
            }
        }
        if (lash_sim_summary(r.sim).events < 4)
            fail_msg("pair %d: %zu events only", n, lash_sim_summary(r.sim).events);
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

/* The same in space, turning about all axes; bodies with J of a ball, so that L needs no axes. */
static void free_pairs_in_space(void **state) {
    (void)state;
    static const char *const joints[] = {
        "{type: prismatic, between: [a, b], axis: [0.8, 0.6, 0], clearance: {length: 0.1, height: 0.04, "
        "width: "
        "0.06, play: 0.004, side_play: 0.002, contact: {law: lankarani-nikravesh, stiffness: 1e9, "
        "restitution: "
        "0.6}, friction: {law: ambrosio, coefficient: 0.2, v0: 1e-4, v1: 1e-3}}}",
        "{type: prismatic, between: [a, b], axis: [0.8, 0.6, 0], clearance: {length: 0.1, height: 0.04, "
        "width: "
        "0.06, play: 0.004, side_play: 0.002, model: three-mode, restitution: 0.6}}",
        "{type: cylindrical, between: [a, b], axis: [0.8, 0.6, 0], clearance: {length: 0.1, bearing_radius: "
        "0.02, radial: 0.002, contact: {law: lankarani-nikravesh, stiffness: 1e9, restitution: 0.6}, "
        "friction: "
        "{law: ambrosio, coefficient: 0.2, v0: 1e-4, v1: 1e-3}}}",
        "{type: cylindrical, between: [a, b], axis: [0.8, 0.6, 0], stops: {coordinate: travel, min: -1 mm, "
        "max: 1 mm, contact: {stiffness: 1e8, restitution: 0.8}}}",
        ("{type: prismatic, between: [a, b], axis: [0.8, 0.6, 0], stops: {min: -1 mm, max: 1 mm, model: "
         "three-mode, restitution: 0.8}}")};
    for (int n = 0; n < 5; n++) {
        const bool ideal = n > 2; // their velocities must fit the joint
        rig r = rig_open(
            "space: spatial\nbodies: {a: {mass: 2, inertia: [0.01, 0.01, 0.01], position: [0.1, 0.2, "
            "0.3], velocity: [1, -2, 0.5], angular_velocity: [1.5, 0.5, -1]}, b: {mass: 0.5, "
            "inertia: [3e-4, 3e-4, 3e-4], position: [0.1, 0.2, 0.3], velocity: %s, "
            "angular_velocity: %s}}\njoints: {j: %s}\nrun: {until: 0.1 s, rtol: 1e-12}\n",
            ideal ? "[1.4, -1.7, 0.5]" : "[1.5, -1.5, 0.9]", ideal ? "[1.5, 0.5, -1]" : "[4, 1, -3]",
            joints[n]);
        static const char *const names[2][9] = {
            {"a.x", "a.y", "a.z", "a.vx", "a.vy", "a.vz", "a.wx", "a.wy", "a.wz"},
            {"b.x", "b.y", "b.z", "b.vx", "b.vy", "b.vz", "b.wx", "b.wy", "b.wz"}};
        const double mass[2] = {2, 0.5}, inertia[2] = {0.01, 3e-4};
        double first[6] = {0};
        for (int k = 0; k <= 20; k++) {
            double now[6] = {0};
            if (k)
                rig_step_to(&r, 0.005 * k);
            for (int b = 0; b < 2; b++) {
                double q[9];
                for (int i = 0; i < 9; i++)
                    q[i] = rig_value(&r, names[b][i]);
                for (int i = 0; i < 3; i++) {
                    const int u = (i + 1) % 3, v = (i + 2) % 3;
                    now[i] += mass[b] * q[3 + i];
                    now[3 + i] += mass[b] * (q[u] * q[3 + v] - q[v] * q[3 + u]) + inertia[b] * q[6 + i];
                }
            }
            for (int i = 0; i < 6; i++) {
                first[i] = k ? first[i] : now[i];
                rig_near(now[i], first[i], 1e-10, "joint %d at %g s: momentum %d", n, 0.005 * k, i);
            }
        }
        if (lash_sim_summary(r.sim).events < 4)
            fail_msg("pair %d: %zu events only", n, lash_sim_summary(r.sim).events);
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

/* The height stands where it is asked for, also in a first body whose principal axes are turned: the offset
 * is that along the given direction, freed of its part along the guide, and the wall there is half the play
 * away. */
static void height_has_a_direction(void **state) {
    (void)state;
    static const double given[][3] = {{0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {3, -4, 7}};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        const double *h = given[k], length = hypot(h[0], h[1]), v[2] = {0.2, 0.3},
                     speed = (h[0] * v[0] + h[1] * v[1]) / length,
                     side = (h[0] * v[1] - h[1] * v[0]) / length;
        rig r = rig_open("space: spatial\nbodies: {c: {mass: 1, inertia: [2, 2, 3, 0.5, 0, 0]}, b: {mass: 1, "
                         "inertia: [1, 1, 1], "
                         "velocity: [%g, %g, 0.5]}}\njoints: {hold: {type: fixed, between: [ground, c]}, j: "
                         "{type: prismatic, between: [c, b], axis: [0, 0, 1], clearance: "
                         "{length: 0.1, height: 0.05, width: 0.06, play: 2 mm, side_play: 3 mm, height_axis: "
                         "[%g, %g, %g], "
                         "model: three-mode, restitution: 0.5}}}\nrun: {until: 1, rtol: 1e-12}\n",
                         v[0], v[1], h[0], h[1], h[2]);
        rig_step_to(&r, 1e-3);
        rig_near(rig_value(&r, "j.offset"), 1e-3 * speed, 1e-12, "offset %zu", k);
        rig_near(rig_value(&r, "j.side_offset"), 1e-3 * side, 1e-12, "offset to the side %zu", k);
        rig_near(rig_value(&r, "j.corner2a.delta"), 1e-3 * speed - 1e-3, 1e-12, "depth %zu", k);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corner_impacts),
        cmocka_unit_test(rigid_limit),
        cmocka_unit_test(height_goes_along_its_axis),
        cmocka_unit_test(couple_on_two_corners),
        cmocka_unit_test(slides_with_friction),
        cmocka_unit_test(slides_in_a_turning_channel),
        cmocka_unit_test(slider_crank_in_other_coordinates),
        cmocka_unit_test(no_play_is_the_ideal_guide),
        cmocka_unit_test(corners_start_inside),
        cmocka_unit_test(driven_along_the_guide),
        cmocka_unit_test(free_pairs_keep_momentum),
        cmocka_unit_test(free_pairs_in_space),
        cmocka_unit_test(height_has_a_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
