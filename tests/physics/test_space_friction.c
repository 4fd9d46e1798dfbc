/* SPDX-License-Identifier: MIT
 *
 * The law coulomb for play in space: contacts that slide and stick in two directions. Closed forms of a block
 * on a floor and on an incline and of a ball that begins to roll; a ball in its socket against equations
 * written here; a machine of the plane modelled in space; what sticks in moving parts; the state.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "lash/linear.h"
#include "rig.h"

static const double g = 9.81;
static const char *const methods[] = {"dop853", "adams", "gear"};

/* ---- a block on a floor ---- */

/* Its lower four corners are in the plane of its centre of mass and touch the floor at the depth that carries
 * its weight, so that it neither tips nor bounces. The channel is wide. */
static rig block(double angle, double mu, double still, const double v[2], const char *run) {
    const double weight = 2 * g * cos(angle), K = 1e5;
    return rig_open(
        "space: spatial\ngravity: [%.17g, 0, %.17g]\nground: {points: {o: [0, 0, 0]}}\n"
        "bodies:\n"
        "  block: {mass: 2, inertia: [0.01, 0.02, 0.025], position: [0, 0, %.17g],\n"
        "          velocity: [%.17g, %.17g, 0], points: {m: [0, 0, 0.05]}}\n"
        "joints:\n"
        "  s: {type: prismatic, between: [ground.o, block.m], axis: [1, 0, 0], clearance: {\n"
        "    length: 0.2, height: 0.1, width: 2, height_axis: [0, 0, 1], play: 0.09, side_play: 1.9,\n"
        "    contact: {law: hertz, stiffness: %.17g, exponent: 1},\n"
        "    friction: {law: coulomb, coefficient: %.17g, coefficient_static: %.17g}}}\n"
        "run: {%s}\n",
        g * sin(angle), -g * cos(angle), -0.095 - weight / 4 / K, v[0], v[1], K, mu, still, run);
}

/* Straight on: it stops after v/(μ g), v²/(2 μ g) away. */
static void block_stops(void **state) {
    (void)state;
    const double mu = 0.2, v[2] = {1, 0.5}, speed = hypot(v[0], v[1]), way = speed * speed / (2 * mu * g);
    for (size_t m = 0; m < 3; m++) {
        static const char *const channels[] = {"block.x", "block.y", "s.corner1a.ft", "s.corner1a.vt", NULL};
        char run[100];
        snprintf(run, sizeof run, "until: 4 s, rtol: 1e-11, method: %s", methods[m]);
        rig r = block(0, mu, mu, v, run);
        rig_rows rows = rig_sample(&r, 400, channels, false);
        static const char *const touching[] = {"s.corner1a", "s.corner3a", "s.corner5a", "s.corner7a"};
        for (size_t k = 0; k < 4; k++) {
            const lash_event *stick = rig_event(&rows, LASH_EVENT_STICK, k);
            assert_non_null(stick);
            assert_string_equal(stick->joint, touching[k]);
            rig_near(stick->time, speed / (mu * g), 1e-8, "%s: stops", methods[m]);
        }
        assert_null(rig_event(&rows, LASH_EVENT_STICK, 4));
        for (size_t k = 0; k < rows.count; k++) {
            const double t = rig_at(&rows, k, 0), T = fmin(t, speed / (mu * g));
            const double s = speed * T - 0.5 * mu * g * T * T;
            rig_near(rig_at(&rows, k, 1), s * v[0] / speed, 1e-8, "%s: x at %g s", methods[m], t);
            rig_near(rig_at(&rows, k, 2), s * v[1] / speed, 1e-8, "%s: y at %g s", methods[m], t);
            rig_near(rig_at(&rows, k, 3), t < T + 1e-9 ? -mu * 2 * g / 4 : 0, 1e-7, "%s: friction at %g s",
                     methods[m], t);
            rig_near(rig_at(&rows, k, 4), speed - mu * g * T, 1e-8, "%s: speed at %g s", methods[m], t);
        }
        rig_near(rig_value(&r, "block.x"), way * v[0] / speed, 1e-8, "%s: does not creep", methods[m]);
        rig_ledger(&r, 1e-9);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* Across an incline, it turns downhill while it slows down. With φ from downhill, u = tan(φ/2), a = g sin α,
 * κ = μ/tan α: v = C u^κ (1 + u²)/(2 u), and for κ > 1 it stops, after C/(2 a) (u^(κ−1)/(κ−1) +
 * u^(κ+1)/(κ+1)). The direction has a singularity there. */
static void block_curves(void **state) {
    (void)state;
    const double angle = 0.3, mu = 0.4, v[2] = {0, 0.5}, a = g * sin(angle), kappa = mu / tan(angle);
    const double C = 0.5; // at u = 1
    const double stop = C / (2 * a) * (1 / (kappa - 1) + 1 / (kappa + 1));
    for (size_t m = 0; m < 3; m++) {
        static const char *const channels[] = {"block.vx", "block.vy", NULL};
        char run[100];
        snprintf(run, sizeof run, "until: 0.5 s, rtol: 1e-11, method: %s", methods[m]);
        rig r = block(angle, mu, mu, v, run);
        rig_rows rows = rig_sample(&r, 200, channels, false);
        rig_near(rig_event(&rows, LASH_EVENT_STICK, 0)->time, stop, 1e-8, "%s: stops", methods[m]);
        assert_null(rig_event(&rows, LASH_EVENT_SLIP, 0));
        for (size_t k = 0; k < rows.count; k++) {
            const double t = rig_at(&rows, k, 0), vx = rig_at(&rows, k, 1), vy = rig_at(&rows, k, 2);
            // The equation of the time, solved for u.
            double low = 0, high = 1;
            for (int i = 0; i < 200; i++) {
                const double u = 0.5 * (low + high),
                             left = C / (2 * a) *
                                    (pow(u, kappa - 1) / (kappa - 1) + pow(u, kappa + 1) / (kappa + 1));
                *(left > stop - t ? &high : &low) = u;
            }
            const double u = high, speed = t < stop ? C * pow(u, kappa) * (1 + u * u) / (2 * u) : 0;
            rig_near(hypot(vx, vy), speed, 1e-8, "%s: speed at %g s", methods[m], t);
            rig_near(vy, speed * 2 * u / (1 + u * u), 1e-8, "%s: speed across at %g s", methods[m], t);
        }
        rig_ledger(&r, 1e-9);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* Below the angle of friction it stays where it stopped, above it goes: also where only the static
 * coefficient holds it. */
static void block_on_an_incline(void **state) {
    (void)state;
    const double angle = 0.3, t = tan(angle), v[2] = {-0.3, 0.2};
    const struct {
        double mu, still;
        bool goes;
    } cases[] = {{1.01 * t, 1.01 * t, false}, {0.99 * t, 0.99 * t, true}, {0.8 * t, 1.01 * t, false}};
    for (size_t c = 0; c < 3; c++) {
        rig r = block(angle, cases[c].mu, cases[c].still, v, "until: 10 s, rtol: 1e-10");
        rig_step_to(&r, 3);
        const double x = rig_value(&r, "block.x"), vx = rig_value(&r, "block.vx");
        rig_step_to(&r, 9);
        if (cases[c].goes)
            // Friction has the direction of the speed, which is that of the incline by now.
            rig_near((rig_value(&r, "block.vx") - vx) / 6, g * (sin(angle) - cases[c].mu * cos(angle)), 1e-6,
                     "slides");
        else if (cases[c].mu > t)
            rig_near(rig_value(&r, "block.x"), x, 1e-13, "does not creep");
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

/* ---- a ball ---- */

/* A ball in a tube, as a pin without length, thrown along it: it begins to roll with 5/7 of its speed after
 * 2 v/(7 μ g). */
static void ball_begins_to_roll(void **state) {
    (void)state;
    const double mu = 0.2, stop = 2 / (7 * mu * g);
    for (size_t m = 0; m < 3; m++) {
        static const char *const channels[] = {"ball.vx", "ball.wy", "ball.x", NULL};
        rig r = rig_open("space: spatial\ngravity: [0, 0, -9.81]\nground: {points: {o: [0, 0, 0]}}\n"
                         "bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008], position: [0, 0, %.17g],\n"
                         "  velocity: [1, 0, 0]}}\n"
                         "joints: {tube: {type: revolute, between: [ground.o, ball], axis: [1, 0, 0],\n"
                         "  clearance: {axial: 10, bearing_radius: 0.5, journal_radius: 0.1, length: 1e-14,\n"
                         "  offset: [0, 0, %.17g], velocity: [1, 0, 0],\n"
                         "  contact: {law: hertz, stiffness: 1e5, exponent: 1},\n"
                         "  friction: {law: coulomb, coefficient: %.17g}}}}\n"
                         "run: {until: 0.4 s, rtol: 1e-11, method: %s}\n",
                         -0.4 - 2 * g / 1e5, -0.4 - 2 * g / 1e5, mu, methods[m]);
        rig_rows rows = rig_sample(&r, 100, channels, false);
        rig_near(rig_event(&rows, LASH_EVENT_STICK, 0)->time, stop, 1e-8, "%s: rolls", methods[m]);
        for (size_t k = 0; k < rows.count; k++) {
            const double t = rig_at(&rows, k, 0), T = fmin(t, stop);
            rig_near(rig_at(&rows, k, 1), 1 - mu * g * T, 1e-8, "%s: speed at %g s", methods[m], t);
            rig_near(rig_at(&rows, k, 2), 25 * mu * g * T, 1e-7, "%s: turns at %g s", methods[m], t);
            rig_near(rig_at(&rows, k, 3), T - 0.5 * mu * g * T * T + (t - T) * 5 / 7, 1e-8, "%s: way at %g s",
                     methods[m], t);
        }
        rig_ledger(&r, 1e-9);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* A ball in a socket that stands still, by itself: r from the centre, v, ω; the law linear. */
typedef struct ball {
    double r[3], v[3], w[3];
} ball;
enum { FREE, SLIDES, STICKS, STARTS };
static const double mass = 2, inertia = 0.008, radius = 0.1, play = 0.4, stiffness = 1e5, mu_ball = 0.25;

static double inner(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double *out, const double *a, const double *b) {
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* What happens at s: δ, the sliding velocity u, the friction that would hold it, and the friction's limit. */
typedef struct view {
    double n[3], u[3], hold[3], delta, limit;
} view;

static view look(const ball *s) {
    view o;
    double turn[3], ndot[3], curve[3], free[3];
    const double e = sqrt(inner(s->r, s->r));
    for (int k = 0; k < 3; k++)
        o.n[k] = s->r[k] / e;
    const double vn = inner(o.n, s->v);
    cross(turn, s->w, o.n);
    for (int k = 0; k < 3; k++) {
        o.u[k] = s->v[k] - vn * o.n[k] + radius * turn[k];
        ndot[k] = (s->v[k] - vn * o.n[k]) / e;
    }
    cross(curve, s->w, ndot);
    o.delta = e - play;
    o.limit = mu_ball * stiffness * fmax(o.delta, 0);
    for (int k = 0; k < 3; k++) // rate of u without friction, except for what is along n
        free[k] = (k == 2 ? -g : 0) + radius * curve[k] - vn * ndot[k];
    const double along = inner(free, o.n), mobility = 1 / mass + radius * radius / inertia;
    for (int k = 0; k < 3; k++)
        o.hold[k] = -(free[k] - along * o.n[k]) / mobility;
    return o;
}

static void rates(ball *d, const ball *s, int mode) {
    const view o = look(s);
    double f[3], moment[3];
    const double u = sqrt(inner(o.u, o.u)), h = sqrt(inner(o.hold, o.hold));
    for (int k = 0; k < 3; k++) {
        f[k] = mode == FREE     ? 0
               : mode == STICKS ? o.hold[k]
               : mode == SLIDES ? -o.limit * o.u[k] / u
                                : o.limit * o.hold[k] / h; // it begins against what would hold it
        d->r[k] = s->v[k];
        d->v[k] = (k == 2 ? -g : 0) + (f[k] - (mode == FREE ? 0 : stiffness * o.delta * o.n[k])) / mass;
    }
    cross(moment, o.n, f);
    for (int k = 0; k < 3; k++)
        d->w[k] = radius * moment[k] / inertia;
}

static ball step(const ball *s, int mode, double h) {
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    ball out = *s, d = {{0}, {0}, {0}};
    for (int i = 0; i < 4; i++) {
        ball x = *s;
        for (int k = 0; k < 9; k++)
            (k < 3 ? x.r : k < 6 ? x.v : x.w)[k % 3] += at[i] * h * (k < 3 ? d.r : k < 6 ? d.v : d.w)[k % 3];
        rates(&d, &x, mode);
        for (int k = 0; k < 9; k++)
            (k < 3   ? out.r
             : k < 6 ? out.v
                     : out.w)[k % 3] += weight[i] * h *
                                        (k < 3   ? d.r
                                         : k < 6 ? d.v
                                                 : d.w)[k % 3];
    }
    return out;
}

/* Positive while the mode may last. */
static double lasts(const ball *s, int mode) {
    const view o = look(s);
    if (mode == FREE)
        return -o.delta;
    return mode == STICKS ? fmin(o.delta, o.limit - sqrt(inner(o.hold, o.hold))) : o.delta;
}

/* From *s for the time T; counts changes from sticking to sliding. */
static int go(ball *s, int *mode, double T) {
    int slips = 0;
    for (double t = 0; t < T;) {
        const view o = look(s);
        const double u = sqrt(inner(o.u, o.u)), hold = sqrt(inner(o.hold, o.hold));
        if (*mode == SLIDES && u < 1e-10 && hold < o.limit)
            *mode = STICKS;
        if (*mode == STARTS && u > 1e-9)
            *mode = SLIDES;
        // Friction turns slow sliding fast.
        const double quick =
            *mode == SLIDES ? 0.3 * u / (o.limit * (1 / mass + radius * radius / inertia)) : INFINITY;
        double h = fmin(fmin(*mode == STARTS ? 1e-7 : 5e-6, fmax(quick, 1e-11)), T - t);
        ball next = step(s, *mode, h);
        if (lasts(&next, *mode) < 0) { // where it ends
            double low = 0, high = h;
            while (high - low > 1e-17) {
                h = 0.5 * (low + high);
                if (h == low || h == high)
                    break;
                next = step(s, *mode, h);
                *(lasts(&next, *mode) < 0 ? &high : &low) = h;
            }
            h = high;
            next = step(s, *mode, h);
            const bool opens = *mode != FREE && look(&next).delta < 0;
            slips += *mode == STICKS && !opens;
            *mode = opens ? FREE : *mode == STICKS ? STARTS : SLIDES;
        }
        *s = next;
        t += h;
    }
    return slips;
}

static void ball_in_a_socket(void **state) {
    (void)state;
    rig r =
        rig_open("space: spatial\ngravity: [0, 0, -9.81]\nground: {points: {o: [0, 0, 0]}}\n"
                 "bodies: {ball: {mass: 2, inertia: [0.008, 0.008, 0.008], position: [0.1, 0, -0.387],\n"
                 "  angular_velocity: [3, 5, 7]}}\n"
                 "joints: {s: {type: spherical, between: [ground.o, ball], clearance: {bearing_radius: 0.5,\n"
                 "  journal_radius: 0.1, offset: [0.1, 0, -0.387], velocity: [0.5, 0.3, 0],\n"
                 "  contact: {law: hertz, stiffness: 1e5, exponent: 1},\n"
                 "  friction: {law: coulomb, coefficient: 0.25}}}}\n"
                 "run: {until: 1 s, rtol: 1e-11}\n");
    ball s = {{0.1, 0, -0.387}, {0.5, 0.3, 0}, {3, 5, 7}};
    int mode = FREE, slips = 0;
    static const char *const names[] = {"ball.x",  "ball.y",  "ball.z",  "ball.vx", "ball.vy",
                                        "ball.vz", "ball.wx", "ball.wy", "ball.wz"};
    for (int k = 1; k <= 20; k++) {
        slips += go(&s, &mode, 0.02);
        rig_step_to(&r, 0.02 * k);
        for (int i = 0; i < 9; i++)
            rig_near(rig_value(&r, names[i]),
                     (i < 3   ? s.r
                      : i < 6 ? s.v
                              : s.w)[i % 3],
                     i < 3 ? 1e-8 : 3e-7, "%s at %g s", names[i], 0.02 * k);
    }
    assert_true(slips >= 3); // it has rolled, and slipped again
    rig_ledger(&r, 1e-9);
    rig_close(&r);
}

/* ---- machines ---- */

/* A pendulum on a pin with play, in the plane and in space: the pin's two ends share what the pin carries. */
static void plane_and_space(void **state) {
    (void)state;
    static const char plane[] =
        "gravity: [0.5, -9.81]\nground: {points: {o: [0, 0]}}\n"
        "bodies: {bob: {mass: 1, inertia: 0.012, position: [0.1, 0], points: {top: [-0.1, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground.o, bob.top], clearance: {bearing_radius: 10 mm,\n"
        "  radial: 0.1 mm, contact: {stiffness: 1e8, law: hunt-crossley, restitution: 0.3},\n"
        "  friction: {law: coulomb, coefficient: 0.4, coefficient_static: 0.5}}}}\n"
        "run: {until: 1 s, rtol: 1e-11}\n";
    static const char space[] =
        "space: spatial\ngravity: [0.5, -9.81, 0]\nground: {points: {o: [0, 0, 0]}}\n"
        "bodies: {bob: {mass: 1, inertia: [0.01, 0.01, 0.012], position: [0.1, 0, 0],\n"
        "  points: {top: [-0.1, 0, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground.o, bob.top], axis: [0, 0, 1],\n"
        "  clearance: {bearing_radius: 10 mm, length: 20 mm, radial: 0.1 mm,\n"
        "  contact: {stiffness: 1e8, law: hunt-crossley, restitution: 0.3},\n"
        "  friction: {law: coulomb, coefficient: 0.4, coefficient_static: 0.5}}}}\n"
        "run: {until: 1 s, rtol: 1e-11}\n";
    rig p = rig_open("%s", plane), s = rig_open("%s", space);
    for (int k = 1; k <= 20; k++) {
        rig_step_to(&p, 0.05 * k);
        rig_step_to(&s, 0.05 * k);
        rig_near(rig_value(&s, "bob.x"), rig_value(&p, "bob.x"), 1e-8, "x at %g s", 0.05 * k);
        rig_near(rig_value(&s, "bob.wz"), rig_value(&p, "bob.wz"), 1e-6, "turns at %g s", 0.05 * k);
        rig_near(rig_value(&s, "energy.friction"), rig_value(&p, "energy.friction"), 1e-8, "lost at %g s",
                 0.05 * k);
    }
    assert_true(rig_value(&p, "energy.friction") > 0.01);
    rig_ledger(&s, 1e-9);
    rig_close(&p);
    rig_close(&s);
}

static const char bowl[] =
    "space: spatial\ngravity: [0, 0, -9.81]\nground: {points: {o: [0, 0, 0]}}\n"
    "bodies:\n"
    "  bowl: {mass: 5, inertia: [0.3, 0.4, 0.5], position: [0.1, 0.2, 0], angular_velocity: [1, 2, -1.5],\n"
    "         points: {c: [0.1, -0.05, 0.07], k: [-0.1, -0.2, 0]}}\n"
    "  ball: {mass: 2, inertia: [0.008, 0.009, 0.011], position: [0.18, 0.14, 0.08],\n"
    "         points: {c: [0.02, 0.01, -0.01]}}\n"
    "joints:\n"
    "  s: {%s}\n"
    "forces:\n"
    "  b: {type: bushing, between: [ground.o, bowl.k], along: [2000, 2000, 2000], damping_along: [2, 2, 2]}\n"
    "run: {until: 1 s, rtol: 1e-9}\n";

/* Both parts move and turn, their points are not their centres: what sticks does not slide at all. Ball, pin
 * and block, with forces at common and at own points; all invariants are checked. */
static void sticks_in_moving_parts(void **state) {
    (void)state;
    static const char *const kinds[] = {
        "type: spherical, between: [bowl.c, ball.c], clearance: {bearing_radius: 0.12, journal_radius: 0.1",
        "type: revolute, axis: [1, 2, 0], between: [bowl.c, ball.c], clearance: {bearing_radius: 0.03, "
        "radial: "
        "1 mm, length: 0.1, axial: 2 mm",
        ("type: prismatic, axis: [1, 2, 0], between: [bowl.c, ball.c], clearance: {length: 0.1, height: "
         "0.05, "
         "width: 0.06, play: 1 mm")};
    static const char *const parts[] = {"s", "s.end1", "s.corner2b"};
    static const double until[] = {0.5, 0.5, 0.06};
    for (size_t k = 0; k < 6; k++) {
        char joint[600], text[2000], name[50];
        snprintf(joint, sizeof joint,
                 "%s, contact: {points: %s, stiffness: 1e7, law: hunt-crossley, restitution: 0.2}, friction: "
                 "{law: coulomb, coefficient: 0.6}}",
                 kinds[k / 2], k % 2 ? "own" : "common");
        snprintf(text, sizeof text, bowl, joint);
        setenv("LASH_CHECK", "1", 1);
        rig r = rig_open("%s", text);
        unsetenv("LASH_CHECK");
        snprintf(name, sizeof name, "%s.vt", parts[k / 2]);
        size_t still = 0;
        lash_error error = {0};
        while (lash_sim_time(r.sim) < until[k / 2]) {
            rig_require(lash_sim_step(r.sim, until[k / 2], &error), &error, "step");
            const double v = rig_value(&r, name);
            snprintf(name, sizeof name, "%s.fn", parts[k / 2]);
            still += rig_value(&r, name) > 0 && v < 1e-10;
            snprintf(name, sizeof name, "%s.vt", parts[k / 2]);
        }
        assert_true(still > (k < 4 ? 50 : 5));
        rig_ledger(&r, k % 2 ? 1e-7 : 1e-8);
        rig_close(&r);
    }
}

/* ---- the state ---- */

static void goes_on_bit_for_bit(void **state) {
    (void)state;
    rig r = rig_open(
        "space: spatial\ngravity: [0.3, 0.2, -9.81]\nground: {points: {o: [0, 0, 0]}}\n"
        "bodies: {bob: {mass: 1, inertia: [0.01, 0.012, 0.008], position: [0.1, 0, 0],\n"
        "  points: {top: [-0.1, 0, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground.o, bob.top], axis: [0, 1, 0],\n"
        "  clearance: {bearing_radius: 10 mm, radial: 0.1 mm, length: 30 mm, axial: 0.2 mm,\n"
        "  contact: {stiffness: 1e9, restitution: 0.5}, friction: {law: coulomb, coefficient: 0.3}}}}\n"
        "run: {until: 2 s}\n");
    static const char *const names[] = {"bob.x", "bob.wy", "pin.end1.ft", "pin.end2.ft", "energy.friction"};
    for (int k = 1; k < 12; k++) {
        lash_state *kept = NULL;
        double values[5];
        rig_step_to(&r, 0.1 * k + 0.007);
        assert_int_equal(lash_state_create(&kept, r.sim, NULL), LASH_OK);
        rig_step_to(&r, 0.1 * k + 0.1);
        for (int i = 0; i < 5; i++)
            values[i] = rig_value(&r, names[i]);
        assert_int_equal(lash_sim_restore(r.sim, kept, NULL), LASH_OK);
        rig_step_to(&r, 0.1 * k + 0.1);
        for (int i = 0; i < 5; i++)
            assert_true(values[i] == rig_value(&r, names[i]));
        lash_state_destroy(kept);
    }
    rig_close(&r);
}

/* A block that sticks on its floor by four corners keeps three freedoms of its six: up, and tilting. */
static void sticking_is_no_freedom(void **state) {
    (void)state;
    for (int slides = 0; slides < 2; slides++) {
        const double v[2] = {slides ? 1 : 1e-30, 0};
        rig r = block(0, 0.3, 0.3, v, "until: 1 s");
        lash_linear *l;
        lash_error error = {0};
        static const char *const outputs[] = {"block.z"};
        rig_require(lash_linear_create(&l, r.sim, outputs, 1, &error), &error, "linear");
        assert_int_equal(lash_linear_freedoms(l), slides ? 6 : 3);
        lash_linear_destroy(l);
        rig_close(&r);
    }
}

/* v, of ground axes, in those of a body that is turned about `axis` (unit) by `angle`. */
static void in_body(double out[3], const double v[3], const double axis[3], double angle) {
    const double c = cos(angle), s = -sin(angle);
    const double along = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = c * v[i] + s * (axis[j] * v[k] - axis[k] * v[j]) + (1 - c) * along * axis[i];
    }
}

/* Ideal joints with friction in a machine whose bodies have axes of their own: turned in any way they describe the
 * same machine, which moves in the same way and loses as much. */
static void test_axes_of_bodies(void **state) {
    (void)state;
    static const char *const joints[] = {
        "type: revolute, friction: {coefficient: 0.05, radius: 0.05, length: 0.1}",
        "type: cylindrical, friction: {coefficient: 0.05, radius: 0.05, length: 0.1}",
        "type: prismatic, friction: {coefficient: 0.05, length: 0.1, width: 0.06}",
        "type: universal, friction: {coefficient: 0.05, radius: 0.05, length: 0.1}",
        "type: spherical, friction: {coefficient: 0.05, radius: 0.05}",
    };
    // Of ground axes, at the start: from a's centre to its joints, from b's to its own, the directions of the joints.
    static const double arm[3][3] = {{-0.3, 0.1, 0.05}, {0.2, -0.1, 0.1}, {-0.15, 0.2, -0.1}},
                        first[3] = {0.6, 0, 0.8}, second[3] = {0.48, 0.6, 0.64}, across[3] = {0.8, 0, -0.6},
                        about[2][3] = {{0.36, 0.48, 0.8}, {0.6, -0.8, 0}};
    for (size_t n = 0; n < sizeof joints / sizeof *joints; n++) {
        rig r[2];
        const bool cross = strstr(joints[n], "universal"), free_axes = strstr(joints[n], "spherical");
        for (int turned = 0; turned < 2; turned++) {
            const double angle[2] = {turned ? 1.1 : 0, turned ? -2.3 : 0};
            double p[3][3], axis[3][3];
            in_body(p[0], arm[0], about[0], angle[0]);
            in_body(p[1], arm[1], about[0], angle[0]);
            in_body(p[2], arm[2], about[1], angle[1]);
            in_body(axis[0], first, about[0], angle[0]);                   // of the first joint on a
            in_body(axis[1], second, about[0], angle[0]);                  // of the second on a
            in_body(axis[2], cross ? across : second, about[1], angle[1]); // and on b
            for (int i = 0; turned && i < 3; i++)                          // of any length
                axis[0][i] *= 2.5, axis[2][i] *= 0.4;
            char axes[300] = "";
            if (!free_axes)
                snprintf(axes, sizeof axes, ", %s: [%.17g, %.17g, %.17g], %s: [%.17g, %.17g, %.17g]", "axis",
                         axis[1][0], axis[1][1], axis[1][2], "second_axis", axis[2][0], axis[2][1],
                         axis[2][2]);
            r[turned] = rig_open(
                "space: spatial\ngravity: [1, -2, -9.81]\n"
                "ground: {points: {o: [%.17g, %.17g, %.17g]}}\n"
                "bodies:\n"
                "  a: {mass: 1, inertia: [0.02, 0.02, 0.02], points: {o: [%.17g, %.17g, %.17g], p: [%.17g, "
                "%.17g, "
                "%.17g]},\n    orientation: {axis: [%g, %g, %g], angle: %g}}\n"
                "  b: {mass: 0.7, inertia: [0.01, 0.01, 0.01], points: {p: [%.17g, %.17g, %.17g]},\n"
                "    position: [%.17g, %.17g, %.17g], orientation: {axis: [%g, %g, %g], angle: %g}}\n"
                "joints:\n"
                "  hinge: {type: revolute, between: [ground.o, a.o], axis: [%.17g, %.17g, %.17g], "
                "second_axis: [%.17g, "
                "%.17g, %.17g],\n    friction: {coefficient: 0.2, radius: 0.04, length: 0.08}}\n"
                "  joint: {%s, between: [a.p, b.p]%s}\n"
                "run: {until: 1, rtol: 1e-10}\n",
                arm[0][0], arm[0][1], arm[0][2], p[0][0], p[0][1], p[0][2], p[1][0], p[1][1], p[1][2],
                about[0][0], about[0][1], about[0][2], angle[0], p[2][0], p[2][1], p[2][2],
                arm[1][0] - arm[2][0], arm[1][1] - arm[2][1], arm[1][2] - arm[2][2], about[1][0], about[1][1],
                about[1][2], angle[1], first[0], first[1], first[2], axis[0][0], axis[0][1], axis[0][2],
                joints[n], axes);
        }
        for (int step = 1; step <= 10; step++) {
            static const char *const same[] = {"a.x", "a.y", "a.z", "b.x", "b.y", "b.z", "energy.friction"};
            for (int k = 0; k < 2; k++)
                rig_step_to(&r[k], 0.02 * step);
            for (size_t i = 0; i < sizeof same / sizeof *same; i++)
                rig_near(rig_value(&r[1], same[i]), rig_value(&r[0], same[i]), 1e-7, "%s, %s at %g s",
                         joints[n], same[i], 0.02 * step);
        }
        assert_true(rig_value(&r[0], "energy.friction") > 1e-3);
        for (int k = 0; k < 2; k++) {
            rig_ledger(&r[k], 1e-7);
            rig_close(&r[k]);
        }
    }
}

/* Friction of a ball in a machine of one freedom, with a lever of 2.5 cm. At 0.63 s the parts turn about almost the same axis at the
 * same speed: the difference passes close to zero, and its friction turns round within less than a step, without sticking. A step
 * across that had an error of 30 tolerances. */
static void ball_turns_round(void **state) {
    (void)state;
    static const double tolerances[] = {1e-7, 1e-8, 1e-9, 1e-12};
    double speed[4];
    for (int k = 0; k < 4; k++) {
        rig r = rig_open(
            "space: spatial\ngravity: [0, 0, -9.81]\n"
            "parameters: {lean: atan(1/2) + asin(183/2960/sqrt(5)), x: -0.4 - 0.74*sin($lean), z: "
            "0.74*cos($lean)}\n"
            "bodies:\n"
            "  crank: {mass: 2, inertia: [0.4, 0.3, 0.3], points: {tip: [0, 0, 0.2]}, angular_velocity: [8, "
            "0, 0],\n"
            "    hold: [w]}\n"
            "  coupler: {mass: 1.4, inertia: [0.17, 0.004, 0.17], position: [$x/2, -0.425, (0.2 + $z)/2],\n"
            "    orientation: {y: [$x, -0.85, $z - 0.2], z: [0, 0, 1]}, points: {a: [0, -0.61, 0], b: [0, "
            "0.61, 0]}}\n"
            "  rocker: {mass: 0.3, inertia: [0.014, 0.0003, 0.014], position: [($x - 0.4)/2, -0.85, $z/2],\n"
            "    orientation: {y: [$x + 0.4, 0, $z], x: [0, 1, 0]}, points: {p: [0, -0.37, 0], b: [0, 0.37, "
            "0]}}\n"
            "ground: {points: {r: [-0.4, -0.85, 0]}}\n"
            "joints:\n"
            "  main: {type: revolute, between: [ground, crank], axis: [1, 0, 0]}\n"
            "  cross: {type: universal, between: [crank.tip, coupler.a], axis: [0, 0, 1], second_axis: [1, "
            "0, 0]}\n"
            "  ball: {type: spherical, between: [rocker.b, coupler.b], friction: {coefficient: 0.05, radius: "
            "0.5}}\n"
            "  pivot: {type: revolute, between: [ground.r, rocker.p], axis: [0, 1, 0]}\n"
            "run: {until: 0.7, rtol: %g}\n",
            tolerances[k]);
        rig_step_to(&r, 0.7);
        speed[k] = rig_value(&r, "crank.wx");
        rig_close(&r);
    }
    for (int k = 0; k < 3; k++)
        rig_near(speed[k], speed[3], 3 * 8 * tolerances[k], "rtol %g", tolerances[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_stops),
        cmocka_unit_test(block_curves),
        cmocka_unit_test(block_on_an_incline),
        cmocka_unit_test(ball_begins_to_roll),
        cmocka_unit_test(ball_in_a_socket),
        cmocka_unit_test(plane_and_space),
        cmocka_unit_test(sticks_in_moving_parts),
        cmocka_unit_test(goes_on_bit_for_bit),
        cmocka_unit_test(sticking_is_no_freedom),
        cmocka_unit_test(test_axes_of_bodies),
        cmocka_unit_test(ball_turns_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
