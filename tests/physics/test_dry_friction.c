/* SPDX-License-Identifier: MIT
 *
 * Friction of ideal joints and the law coulomb (docs/contacts.md, friction of ideal joints) against closed
 * forms: a block on an incline, pendulums with a dry pin, stick-slip on a belt; a slider-crank with friction
 * in all its joints against minimal coordinates; joints that stick together; machines with no motion at all.
 *
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

static const double g = 9.81;
static const char *const methods[] = {"dop853", "adams", "gear"};

/* ---- a block on an incline ---- */

static rig incline(double angle, double mu, double still, double v, const char *run) {
    const double c = cos(angle), s = sin(angle);
    return rig_open(
        "gravity: [0, -9.81]\n"
        "ground: {points: {o: [0, 0]}}\n"
        "bodies:\n"
        "  block: {mass: 2, inertia: 0.01, angle: %.17g, velocity: [%.17g, %.17g]}\n"
        "joints:\n"
        "  way: {type: translational, between: [ground.o, block], axis: [%.17g, %.17g],\n"
        "        friction: {law: coulomb, coefficient: %.17g, coefficient_static: %.17g, length: 0.1}}\n"
        "run: {%s}\n",
        angle, v * c, v * s, c, s, mu, still, run);
}

/* It goes up, stops, and comes back where friction cannot hold it. */
static void block_slides_back(void **state) {
    (void)state;
    const double angle = RIG_PI / 6, mu = 0.3, v = 1;
    const double up = g * (sin(angle) + mu * cos(angle)), down = g * (sin(angle) - mu * cos(angle));
    static const char *const channels[] = {"way.s", "way.sdot", "way.friction", NULL};
    for (size_t m = 0; m < 3; m++) {
        char run[100];
        snprintf(run, sizeof run, "until: 1 s, rtol: 1e-11, method: %s", methods[m]);
        rig r = incline(angle, mu, mu, v, run);
        rig_rows rows = rig_sample(&r, 50, channels, false);
        const double stop = v / up;
        for (size_t k = 0; k < rows.count; k++) {
            const double t = rig_at(&rows, k, 0), after = t - stop;
            const double s =
                after < 0 ? v * t - 0.5 * up * t * t : 0.5 * v * stop - 0.5 * down * after * after;
            rig_near(rig_at(&rows, k, 1), s, 1e-8, "%s: way at %g s", methods[m], t);
            rig_near(rig_at(&rows, k, 2), after < 0 ? v - up * t : -down * after, 1e-8, "%s: speed at %g s",
                     methods[m], t);
            rig_near(rig_at(&rows, k, 3), (after < 0 ? -1 : 1) * mu * 2 * g * cos(angle), 1e-8,
                     "%s: friction at %g s", methods[m], t);
        }
        const lash_event *turn = rig_event(&rows, LASH_EVENT_SLIP, 0);
        assert_non_null(turn);
        assert_string_equal(turn->joint, "way");
        rig_near(turn->time, stop, 1e-10, "%s: turns back", methods[m]);
        rig_ledger(&r, 1e-8);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* It goes up, stops, and stays for good: a thousand seconds later it has not crept. */
static void block_sticks(void **state) {
    (void)state;
    const double angle = RIG_PI / 6, mu = 0.58, v = 1, stop = v / (g * (sin(angle) + mu * cos(angle)));
    for (size_t m = 0; m < 3; m++) {
        char run[100];
        snprintf(run, sizeof run, "until: 1000 s, rtol: 1e-11, method: %s", methods[m]);
        rig r = incline(angle, mu, 0.6, v, run);
        static const char *const channels[] = {"way.s", "way.sdot", "way.friction", NULL};
        rig_rows rows = rig_sample(&r, 10, channels, false);
        rig_near(rig_event(&rows, LASH_EVENT_STICK, 0)->time, stop, 1e-10, "%s: sticks", methods[m]);
        assert_null(rig_event(&rows, LASH_EVENT_SLIP, 0));
        for (size_t k = 1; k < rows.count; k++) {
            rig_near(rig_at(&rows, k, 1), 0.5 * v * stop, 1e-9, "%s: where it sticks", methods[m]);
            rig_near(rig_at(&rows, k, 1), rig_at(&rows, 1, 1), 1e-13, "%s: does not creep", methods[m]);
            rig_near(rig_at(&rows, k, 2), 0, 1e-13, "%s: speed", methods[m]);
            rig_near(rig_at(&rows, k, 3), 2 * g * sin(angle), 1e-9, "%s: friction", methods[m]);
        }
        rig_ledger(&r, 1e-8);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* ---- pendulums ---- */

/* A disc on a torsion spring: every half swing takes 2 M/k off, until the spring cannot turn it any more. M
 * is constant, or that of the weight on the pin. */
static void disc_decays(void **state) {
    (void)state;
    const double k = 20, J = 0.5, w = sqrt(k / J), mu = 0.4, radius = 0.1;
    const struct {
        const char *friction;
        double M;
    } cases[] = {
        {"torque: 0.9 N*m", 0.9},
        {"coefficient: 0.4, radius: 100 mm", mu / sqrt(1 + mu * mu) * radius * 2 * g},
        {"coefficient: 0.4, radius: 100 mm, torque: 0.3 N*m", mu / sqrt(1 + mu * mu) * radius * 2 * g + 0.3}};
    for (size_t c = 0; c < 3; c++)
        for (size_t m = 0; m < 3; m++) {
            const double M = cases[c].M;
            double amplitude = 1;
            static const char *const channels[] = {"pin.angle", "pin.friction", "pin.mz", NULL};
            rig r = rig_open("gravity: [0, -9.81]\n"
                             "ground: {points: {o: [0, 0]}}\n"
                             "bodies: {disc: {mass: 2, inertia: %.17g, angle: 1}}\n"
                             "joints: {pin: {type: revolute, between: [ground.o, disc], friction: {%s}}}\n"
                             "forces: {s: {type: joint-spring, joint: pin, stiffness: %.17g, free: 0}}\n"
                             "run: {until: 8 s, rtol: 1e-12, method: %s}\n",
                             J, cases[c].friction, k, methods[m]);
            rig_rows rows = rig_sample(&r, 800, channels, false);
            int half = 0;
            for (; amplitude > 2 * M / k; half++)
                amplitude -= 2 * M / k;
            const bool once_more = amplitude > M / k; // it still moves, but does not get through the middle
            const double last =
                once_more ? (half % 2 ? -1 : 1) * (2 * M / k - amplitude) : (half % 2 ? -1 : 1) * amplitude;
            const int swings = half + once_more;
            for (int n = 0; n < swings - 1; n++)
                rig_near(rig_event(&rows, LASH_EVENT_SLIP, (size_t)n)->time, (n + 1) * RIG_PI / w, 1e-8,
                         "%s, %s: turn %d", cases[c].friction, methods[m], n);
            rig_near(rig_event(&rows, LASH_EVENT_STICK, 0)->time, swings * RIG_PI / w, 1e-8, "%s, %s: sticks",
                     cases[c].friction, methods[m]);
            // The angle is a cosine about ±M/k.
            for (size_t row = 0; row < rows.count; row++) {
                const double t = rig_at(&rows, row, 0);
                const int n = (int)(t * w / RIG_PI);
                const double side = n % 2 ? -1 : 1;
                const double angle =
                    n >= swings ? last : side * ((1 - (2 * n + 1) * M / k) * cos(w * t - n * RIG_PI) + M / k);
                rig_near(rig_at(&rows, row, 1), angle, 1e-8, "%s, %s: angle at %g s", cases[c].friction,
                         methods[m], t);
                rig_near(rig_at(&rows, row, 2), n >= swings ? k * last : side * M, 1e-7,
                         "%s, %s: friction at %g s", cases[c].friction, methods[m], t);
                rig_near(rig_at(&rows, row, 3), rig_at(&rows, row, 2), 1e-12, "the joint passes it on");
            }
            rig_ledger(&r, 1e-8);
            rig_rows_close(&rows);
            rig_close(&r);
        }
}

/* A heavy pendulum with a constant friction torque: m g l (cos b − cos a) = M (a + b) from one turn to the
 * next. */
static void pendulum_decays(void **state) {
    (void)state;
    const double m = 1.5, l = 0.4, M = 0.25;
    rig r =
        rig_open("gravity: [0, -9.81]\n"
                 "ground: {points: {o: [0, 0]}}\n"
                 "bodies:\n"
                 "  bob: {mass: %.17g, inertia: 0.02, position: [%.17g, %.17g], angle: 2.0,\n"
                 "        points: {top: [0, %.17g]}}\n"
                 "joints: {pin: {type: revolute, between: [ground.o, bob.top], friction: {torque: %.17g}}}\n"
                 "run: {until: 12 s, rtol: 1e-12}\n",
                 m, l * sin(2.0), -l * cos(2.0), l, M);
    double a = 2.0;
    for (int n = 0;; n++) {
        double low = -a, high = a; // b on the other side
        for (int k = 0; k < 200; k++) {
            const double b = 0.5 * (low + high);
            *(m * g * l * (cos(b) - cos(a)) < M * (a + b) ? &high : &low) = b;
        }
        const double b = low; // −a is the other root
        if (!(m * g * l * sin(a) > M))
            break;
        lash_error error = {0};
        size_t count = 0;
        while (count == 0) {
            const lash_status status = lash_sim_step(r.sim, 40, &error);
            assert_int_equal(status, LASH_OK);
            lash_sim_events(&count, r.sim);
        }
        rig_near((n % 2 ? 1 : -1) * rig_value(&r, "pin.angle"), b, 1e-8, "turn %d", n);
        a = b;
        if (b < 0)
            break;
    }
    assert_true(a < 0.5);
    rig_ledger(&r, 1e-9);
    rig_close(&r);
}

/* ---- a belt ---- */

static void block_on_a_belt(void **state) {
    (void)state;
    const double m = 1, k = 50, V = 0.1, mu = 0.3, still = 0.5, w = sqrt(k / m);
    const double X = (still - mu) * m * g / k;
    for (size_t method = 0; method < 3; method++) {
        static const char *const channels[] = {"block.x", "block.vx", "top.friction", NULL};
        rig r = rig_open(
            "gravity: [0, -9.81]\n"
            "ground: {points: {o: [0, 0], wall: [-1, 0]}}\n"
            "bodies:\n"
            "  belt: {mass: 5, inertia: 0.1}\n"
            "  block: {mass: 1, inertia: 0.01, velocity: [%.17g, 0]}\n"
            "joints:\n"
            "  bed: {type: translational, between: [ground.o, belt], axis: [1, 0]}\n"
            "  top: {type: translational, between: [belt, block], axis: [1, 0],\n"
            "        friction: {coefficient: %.17g, coefficient_static: %.17g, length: 0.1 m}}\n"
            "drives: {motor: {joint: bed, speed: %.17g}}\n"
            "forces: {s: {type: spring, between: [ground.wall, block], stiffness: 50, free_length: 1}}\n"
            "run: {until: 10 s, rtol: 1e-12, method: %s}\n",
            V, mu, still, V, methods[method]);
        rig_rows rows = rig_sample(&r, 500, channels, false);
        const double slips_for = 2 * (RIG_PI - atan(X * w / V)) / w;
        double begin = 0, x0 = 0; // of sticking
        size_t row = 0;
        for (size_t n = 0; n < 7; n++) {
            const double breaks = begin + (still * m * g / k - x0) / V, ends = breaks + slips_for;
            const lash_event *slip = rig_event(&rows, LASH_EVENT_SLIP, n),
                             *stick = rig_event(&rows, LASH_EVENT_STICK, n);
            assert_non_null(slip);
            assert_non_null(stick);
            rig_near(slip->time, breaks, 1e-8, "%s: slips %zu", methods[method], n);
            rig_near(stick->time, ends, 1e-8, "%s: sticks %zu", methods[method], n);
            for (double t; row < rows.count && (t = rig_at(&rows, row, 0)) < ends; row++) {
                const double T = t - breaks, middle = mu * m * g / k;
                const double x = T < 0 ? x0 + V * (t - begin) : middle + X * cos(w * T) + V / w * sin(w * T);
                rig_near(rig_at(&rows, row, 1), x, 1e-8, "%s: x at %g s", methods[method], t);
                rig_near(rig_at(&rows, row, 2), T < 0 ? V : -X * w * sin(w * T) + V * cos(w * T), 1e-7,
                         "%s: speed at %g s", methods[method], t);
                rig_near(rig_at(&rows, row, 3), T < 0 ? k * x : mu * m * g, 1e-6, "%s: friction at %g s",
                         methods[method], t);
            }
            begin = ends;
            x0 = mu * m * g / k - X; // the cosine has turned round
        }
        rig_ledger(&r, 1e-8);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* ---- a slider-crank with friction everywhere ---- */

/* In line: crank OA of length a, rod AB of length b with its centre of mass in its middle, slider at B.
 * Bodies by Newton and Euler, one after the other; friction by iteration from none. */
typedef struct machine {
    double a, b;       /* m */
    double mc, mr, ms; /* kg */
    double Jc, Jr;     /* kg m², about their centres, of which the crank's is in its middle */
    double mu, radius; /* of all pins */
    double mu_way, length;
    double torque, push; /* N m on the crank, N along x on the slider */
} machine;

/* α of the crank; way: signs of the sliding in main, big, small and guide. */
static double crank_acceleration(const machine *p, double theta, double w, const double way[4]) {
    const double m = p->mu / sqrt(1 + p->mu * p->mu);
    const double sp = -p->a / p->b * sin(theta), cp = sqrt(1 - sp * sp); // of the rod's angle
    const double wr = -p->a * cos(theta) * w / (p->b * cp);
    // Friction: torques on crank, rod and slider at their pins, force on the slider.
    double f[4] = {0, 0, 0, 0}, alpha = 0;
    for (int pass = 0; pass < 500; pass++) {
        double rest[2], load[2][6]; // all is linear in α where friction is given
        for (int k = 0; k < 2; k++) {
            const double ar =
                (-p->a * cos(theta) * k + p->a * sin(theta) * w * w + p->b * sp * wr * wr) / (p->b * cp);
            const double Ax = -p->a * (sin(theta) * k + cos(theta) * w * w),
                         Ay = p->a * (cos(theta) * k - sin(theta) * w * w);
            const double rx = p->b / 2 * cp, ry = p->b / 2 * sp; // from A to the rod's centre
            const double Gx = Ax - ry * ar - rx * wr * wr, Gy = Ay + rx * ar - ry * wr * wr;
            const double Sx = p->ms * (Ax - 2 * ry * ar - 2 * rx * wr * wr) - p->push - f[3]; // on slider
            // Rod about A: r × m a + J ar = r × m g − 2r × S + friction on it.
            const double left = p->mr * (rx * Gy - ry * Gx) + p->Jr * ar + p->mr * g * rx - (f[1] - f[2]);
            const double Sy = -(left - 2 * ry * Sx) / (2 * rx);
            const double Fx = p->mr * Gx + Sx, Fy = p->mr * (Gy + g) + Sy; // crank on rod
            const double cx = p->a / 2 * cos(theta), cy = p->a / 2 * sin(theta);
            const double Ox = p->mc * Ax / 2 + Fx, Oy = p->mc * (Ay / 2 + g) + Fy; // ground on crank
            rest[k] = p->Jc * k + p->mc * (cx * Ay - cy * Ax) / 2 + p->mc * g * cx + 2 * (cx * Fy - cy * Fx) -
                      p->torque - f[0] + f[1];
            const double all[6] = {Ox, Oy, Fx, Fy, Sx, Sy};
            memcpy(load[k], all, sizeof all);
        }
        const double before = alpha;
        double R[6], change = 0;
        alpha = -rest[0] / (rest[1] - rest[0]);
        for (int i = 0; i < 6; i++)
            R[i] = load[0][i] + alpha * (load[1][i] - load[0][i]);
        const double N = p->ms * g - R[5], M = -f[2]; // of the guide on the slider
        const double fresh[4] = {
            -way[0] * m * p->radius * hypot(R[0], R[1]), -way[1] * m * p->radius * hypot(R[2], R[3]),
            -way[2] * m * p->radius * hypot(R[4], R[5]),
            -way[3] * p->mu_way * (fabs(N / 2 + M / p->length) + fabs(N / 2 - M / p->length))};
        for (int i = 0; i < 4; i++) {
            change += fabs(fresh[i] - f[i]);
            f[i] = fresh[i];
        }
        if (pass > 3 && change + fabs(alpha - before) < 1e-15 * (fabs(alpha) + 1))
            break;
    }
    return alpha;
}

static double sign(double x) {
    return x > 0 ? 1 : -1;
}

/* Signs of sliding at the crank's angle, turning forward: second body against the first. */
static void ways_at(double way[4], const machine *p, double theta, double turning) {
    const double sp = -p->a / p->b * sin(theta), cp = sqrt(1 - sp * sp);
    const double wr = -p->a * cos(theta) / (p->b * cp);
    way[0] = turning;
    way[1] = turning * sign(wr - 1);
    way[2] = turning * sign(0 - wr);
    way[3] = turning * sign(-p->a * sin(theta) - p->b * sp * wr);
}

static rig slider_crank(const machine *p, double theta, double w, const char *push, const char *run) {
    const double A[2] = {p->a * cos(theta), p->a * sin(theta)};
    const double sp = -A[1] / p->b, cp = sqrt(1 - sp * sp), x = A[0] + p->b * cp;
    return rig_open(
        "gravity: [0, -9.81]\n"
        "ground: {points: {o: [0, 0]}}\n"
        "bodies:\n"
        "  crank: {mass: %.17g, inertia: %.17g, position: [%.17g, %.17g], angle: %.17g,\n"
        "          angular_velocity: %.17g, hold: [w], points: {o: [%.17g, 0], a: [%.17g, 0]}}\n"
        "  rod: {mass: %.17g, inertia: %.17g, position: [%.17g, %.17g], angle: %.17g,\n"
        "        points: {a: [%.17g, 0], b: [%.17g, 0]}}\n"
        "  slider: {mass: %.17g, inertia: 1e-3, position: [%.17g, 0]}\n"
        "joints:\n"
        "  main: {type: revolute, between: [ground.o, crank.o], friction: {coefficient: %.17g, radius: "
        "%.17g}}\n"
        "  big: {type: revolute, between: [crank.a, rod.a], friction: {coefficient: %.17g, radius: %.17g}}\n"
        "  small: {type: revolute, between: [rod.b, slider], friction: {coefficient: %.17g, radius: %.17g}}\n"
        "  way: {type: translational, between: [ground.o, slider], axis: [1, 0],\n"
        "        friction: {coefficient: %.17g, length: %.17g}}\n"
        "forces:\n"
        "  motor: {type: torque, body: crank, torque: %.17g}\n"
        "  push: {type: force, at: slider, force: [\"%s\", 0]}\n"
        "run: {%s}\n",
        p->mc, p->Jc, A[0] / 2, A[1] / 2, theta, w, -p->a / 2, p->a / 2, p->mr, p->Jr, A[0] + p->b / 2 * cp,
        A[1] + p->b / 2 * sp, asin(sp), -p->b / 2, p->b / 2, p->ms, x, p->mu, p->radius, p->mu, p->radius,
        p->mu, p->radius, p->mu_way, p->length, p->torque, push, run);
}

static const machine engine = {.a = 0.1,
                               .b = 0.3,
                               .mc = 0.8,
                               .mr = 0.6,
                               .ms = 0.5,
                               .Jc = 0.02,
                               .Jr = 0.005,
                               .mu = 0.25,
                               .radius = 0.015,
                               .mu_way = 0.15,
                               .length = 0.08,
                               .torque = 1.2,
                               .push = -3};

/* ω over θ by Runge and Kutta's method, from quarter to quarter, where signs change. */
static void slider_crank_turns(void **state) {
    (void)state;
    enum { STEPS = 400, QUARTERS = 8 };
    const machine *p = &engine;
    const double w0 = 12, from = 0;
    double w[QUARTERS + 1] = {w0}, t[QUARTERS + 1] = {0};
    for (int q = 0; q < QUARTERS; q++) {
        const double h = RIG_PI / 2 / STEPS;
        double y[2] = {w[q], t[q]}, way[4];
        ways_at(way, p, from + (q + 0.5) * RIG_PI / 2, 1);
        for (int s = 0; s < STEPS; s++) {
            static const double c[4] = {0, 0.5, 0.5, 1};
            double k[4][2];
            for (int i = 0; i < 4; i++) {
                const double at = from + q * RIG_PI / 2 + (s + c[i]) * h,
                             v = i ? y[0] + c[i] * h * k[i - 1][0] : y[0];
                k[i][0] = crank_acceleration(p, at, v, way) / v;
                k[i][1] = 1 / v;
            }
            for (int i = 0; i < 2; i++)
                y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        }
        w[q + 1] = y[0], t[q + 1] = y[1];
    }
    for (size_t m = 0; m < 3; m++) {
        char run[100];
        snprintf(run, sizeof run, "until: 100 s, rtol: 1e-11, method: %s", methods[m]);
        rig r = slider_crank(p, from, w0, "-3", run);
        for (int q = 1; q <= QUARTERS; q++) {
            rig_step_to(&r, t[q]);
            rig_near(rig_value(&r, "crank.angle"), from + q * RIG_PI / 2, 1e-7, "%s: angle, quarter %d",
                     methods[m], q);
            rig_near(rig_value(&r, "crank.wz"), w[q], 1e-7 * w0, "%s: speed, quarter %d", methods[m], q);
        }
        assert_true(fabs(w[QUARTERS] - w0) > 1); // friction or motor did something
        rig_ledger(&r, 1e-8);
        rig_close(&r);
    }
}

/* At rest all four joints stick together; they give way when all of them are at their limits. */
static void linkage_gives_way(void **state) {
    (void)state;
    machine p = engine;
    const double theta = 0.9;
    // The motor carries the weight.
    const machine smooth[2] = {
        {.a = p.a, .b = p.b, .mc = p.mc, .mr = p.mr, .ms = p.ms, .Jc = p.Jc, .Jr = p.Jr, .length = 1},
        {.a = p.a,
         .b = p.b,
         .mc = p.mc,
         .mr = p.mr,
         .ms = p.ms,
         .Jc = p.Jc,
         .Jr = p.Jr,
         .length = 1,
         .torque = 1}};
    double low = 0, high = 100, way[4] = {1, 1, 1, 1};
    const double falls = crank_acceleration(&smooth[0], theta, 0, way);
    p.torque = -falls / (crank_acceleration(&smooth[1], theta, 0, way) - falls);
    ways_at(way, &p, theta, 1); // pushed against x the crank turns forward
    for (int k = 0; k < 200; k++) {
        p.push = -0.5 * (low + high);
        *(crank_acceleration(&p, theta, 0, way) > 0 ? &high : &low) = -p.push;
    }
    assert_true(high > 1 && high < 99);
    // Without the push it rests.
    p.push = 0;
    ways_at(way, &p, theta, -1);
    assert_true(crank_acceleration(&p, theta, 0, way) > 0);
    char run[100];
    snprintf(run, sizeof run, "until: %.17g s, rtol: 1e-10", 1.2 * high / 5);
    rig r = slider_crank(&p, theta, 0, "-5*t", run);
    static const char *const channels[] = {"crank.angle", NULL};
    rig_rows rows = rig_sample(&r, 10, channels, false);
    for (size_t n = 0; n < 4; n++)
        rig_near(rig_event(&rows, LASH_EVENT_SLIP, n)->time, high / 5, 1e-8, "joint %zu gives way", n);
    rig_near(rig_at(&rows, 8, 1), theta, 1e-13, "it rests before");
    assert_true(fabs(rig_at(&rows, 10, 1) - theta) > 1e-5);
    rig_ledger(&r, 1e-6);
    rig_rows_close(&rows);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_slides_back), cmocka_unit_test(block_sticks),
        cmocka_unit_test(disc_decays),       cmocka_unit_test(pendulum_decays),
        cmocka_unit_test(block_on_a_belt),   cmocka_unit_test(slider_crank_turns),
        cmocka_unit_test(linkage_gives_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
