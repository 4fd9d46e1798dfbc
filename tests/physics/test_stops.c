/* SPDX-License-Identifier: MIT
 *
 * Stops (docs/contacts.md, stops) against closed forms: a mass that bounces on a stop until it lies on it, a
 * pendulum between two stops, rigid and compliant, on every joint that can have them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"

static const double g = 9.81;

/* ∫ f over [a, b]: Gauss with five points in each of PARTS parts, for smooth f. */
static double integral(double (*f)(double x, const double *p), const double *p, double a, double b) {
    enum { PARTS = 64 };
    static const double x[5] = {0, 0.538469310105683091, -0.538469310105683091, 0.906179845938663993,
                                -0.906179845938663993},
                        w[5] = {0.568888888888888889, 0.478628670499366468, 0.478628670499366468,
                                0.236926885056189088, 0.236926885056189088};
    const double half = 0.5 * (b - a) / PARTS;
    double sum = 0;
    for (int part = 0; part < PARTS; part++)
        for (int i = 0; i < 5; i++)
            sum += w[i] * f(a + half * (2 * part + 1 + x[i]), p);
    return half * sum;
}

/* ---- a mass on a stop ---- */

/* Falls from h onto a rigid stop: impacts at t1, t1 + 2 e v/g, …, with speeds v, e v, …; at rest before
 * t1 (1 + e)/(1 − e). `a` is the acceleration along the coordinate, `inertia` what belongs to it. */
static void bounce_to_rest(const char *name, const char *model, double h, double a, double inertia) {
    const double e = 0.7, rest = 2e-5, t1 = sqrt(2 * h / a), zeno = t1 * (1 + e) / (1 - e);
    static const char *const channels[] = {"j.min.n", "energy.kinetic", NULL};
    rig r = rig_open("%s\nrun: {until: %.17g s, rtol: 1e-12}\n", model, 1.1 * zeno);
    rig_rows rows = rig_sample(&r, 100, channels, false);
    double t = t1, v = a * t1;
    size_t n = 0;
    for (; e * v >= rest; n++, v *= e, t += 2 * v / a) {
        const lash_event *hit = rig_event(&rows, LASH_EVENT_IMPACT, n);
        if (!hit)
            fail_msg("%s: %zu impacts only", name, n);
        rig_near(hit->time, t, 1e-9, "%s: impact %zu", name, n);
        rig_near(hit->speed, v, 1e-9, "%s: speed before impact %zu", name, n);
        rig_near(hit->rebound, e * v, 1e-9, "%s: speed after impact %zu", name, n);
        rig_near(hit->impulse, inertia * (1 + e) * v, 1e-8, "%s: impulse %zu", name, n);
        rig_near(hit->energy_lost, 0.5 * inertia * v * v * (1 - e * e), 1e-9, "%s: loss %zu", name, n);
    }
    assert_true(n > 30);
    // The last one does not rebound, and the stop carries the weight from there on.
    const lash_event *onset = rig_event(&rows, LASH_EVENT_ONSET, 0);
    assert_non_null(onset);
    rig_near(onset->time, t, 1e-9, "%s: rest", name);
    rig_near(zeno - onset->time, 2 * e * v / (a * (1 - e)), 1e-9, "%s: what smaller bounces would take",
             name);
    assert_null(rig_event(&rows, LASH_EVENT_IMPACT, n + 1));
    assert_null(rig_event(&rows, LASH_EVENT_RELEASE, 0));
    rig_near(rig_at(&rows, 100, 1), inertia * a, 1e-9 * inertia * a, "%s: load", name);
    rig_near(rig_at(&rows, 100, 2), 0, 1e-12, "%s: energy at rest", name);
    rig_ledger(&r, 1e-9);
    rig_rows_close(&rows);
    rig_close(&r);
}

static void mass_comes_to_rest(void **state) {
    (void)state;
    bounce_to_rest("translational",
                   "gravity: [0, -9.81]\nbodies: {b: {mass: 2, inertia: 0.1, position: [0.3, 0.5]}}\njoints: "
                   "{j: {type: translational, between: [ground, b], axis: [0, 1], stops: {min: 0.4 m, model: "
                   "three-mode, restitution: 0.7, rest_speed: 2e-5 m/s}}}",
                   0.1, g, 2);
    bounce_to_rest(
        "prismatic",
        "space: spatial\ngravity: [0, -9.81, 0]\nbodies: {b: {mass: 2, inertia: [0.1, 0.2, 0.15], "
        "position: [0, 0.5, 0]}}\njoints: {j: {type: prismatic, between: [ground, b], axis: [0, 1, "
        "0], stops: {min: 0.4 m, model: three-mode, restitution: 0.7, rest_speed: 2e-5 m/s}}}",
        0.1, g, 2);
    bounce_to_rest("cylindrical",
                   "space: spatial\ngravity: [0, -9.81, 0]\nbodies: {b: {mass: 2, inertia: [0.1, 0.2, 0.15], "
                   "position: [0, 0.5, 0]}}\njoints: {j: {type: cylindrical, between: [ground, b], axis: [0, "
                   "1, 0], stops: {coordinate: travel, min: 0.4 m, model: three-mode, restitution: 0.7, "
                   "rest_speed: 2e-5 m/s}}}",
                   0.1, g, 2);
    // A nut of 2 kg and 0.2 kg m² that turns down a screw of pitch 2π 0.3 m: by its angle c, M = J + m p².
    const double p = 0.3, M = 0.2 + 2 * p * p;
    bounce_to_rest("screw",
                   "space: spatial\ngravity: [0, -9.81, 0]\nbodies: {b: {mass: 2, inertia: [0.1, 0.2, 0.15]}}"
                   "\njoints: {j: {type: screw, between: [ground, b], axis: [0, 1, 0], pitch: 2*pi*0.3 m, "
                   "stops: {min: -0.5 rad, model: three-mode, restitution: 0.7, rest_speed: 2e-5 rad/s}}}",
                   0.5, 2 * g * p / M, M);
}

/* On a linear stop: parabola, then δ = (g/ω²)(1 − cos ωt) + (v/ω) sin ωt, left at tan(ωt/2) = −vω/g. */
static void mass_on_a_spring(void **state) {
    (void)state;
    const double K = 1e6, m = 2, h = 0.1, w = sqrt(K / m), t1 = sqrt(2 * h / g), v = g * t1,
                 stays = 2 * (RIG_PI - atan(v * w / g)) / w;
    static const char *const channels[] = {"b.y", NULL};
    rig r =
        rig_open("gravity: [0, -9.81]\nbodies: {b: {mass: 2, inertia: 0.1, position: [0.3, 0.5]}}\njoints: "
                 "{j: {type: translational, between: [ground, b], axis: [0, 1], stops: {min: 0.4 m, "
                 "contact: {law: hertz, exponent: 1, stiffness: 1e6}}}}\nrun: {until: 5 s, rtol: 1e-13}\n");
    rig_rows rows = rig_sample(&r, 10, channels, false);
    double t = t1;
    for (size_t n = 0; n < 17; n++, t += stays + 2 * t1) {
        const lash_event *on = rig_event(&rows, LASH_EVENT_ONSET, n),
                         *off = rig_event(&rows, LASH_EVENT_RELEASE, n);
        assert_true(on && off);
        rig_near(on->time, t, 1e-9, "onset %zu", n);
        rig_near(off->time, t + stays, 1e-9, "release %zu", n);
        rig_near(off->speed, v, 1e-9, "speed %zu", n);
        rig_near(off->peak_penetration, g / (w * w) + hypot(g / (w * w), v / w), 1e-9, "depth %zu", n);
        rig_near(off->impulse, m * (2 * v + g * stays), 1e-8, "impulse %zu", n);
        assert_string_equal(on->joint, "j.min");
    }
    rig_ledger(&r, 1e-9);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* ---- a pendulum ---- */

/* 1/φ̇ at φ: p = {φ̇² at φ0, φ0, 2 m g l/J}. */
static double slowness(double phi, const double *p) {
    return 1 / sqrt(p[0] + p[2] * (cos(phi) - cos(p[1])));
}

#define PENDULUM                                                                                             \
    "bodies: {b: {mass: 2, inertia: 0.1, position: [%.17g, %.17g], angle: %.17g rad, "                       \
    "angular_velocity: %.17g, velocity: [%.17g, %.17g], points: {p: [0, 0.5]}}}\n"

/* From the bottom between rigid stops at −0.3 and 0.2: each way by quadrature, each impact by e. */
static void pendulum_between_stops(void **state) {
    (void)state;
    const double e = 0.95, w0 = 4, a = 2 * 2 * g * 0.5 / (0.1 + 2 * 0.25), at[2] = {-0.3, 0.2};
    static const char *const channels[] = {"energy.balance", NULL};
    rig r = rig_open("gravity: [0, -9.81]\n" PENDULUM
                     "joints: {j: {type: revolute, between: [ground, b.p], stops: {min: -0.3 rad, max: 0.2 "
                     "rad, model: three-mode, restitution: 0.95}}}\nrun: {until: 6 s, rtol: 1e-13}\n",
                     0.0, -0.5, 0.0, w0, 0.5 * w0, 0.0);
    rig_rows rows = rig_sample(&r, 10, channels, false);
    double phi = 0, square = w0 * w0, t = 0;
    size_t n = 0;
    for (int side = 1;; side = !side, n++) {
        const double p[3] = {square, phi, a}, speed = square + a * (cos(at[side]) - cos(phi));
        if (!(speed > 0.01)) // the next one is not reached, or only just
            break;
        t += fabs(integral(slowness, p, phi, at[side]));
        if (t > 6)
            break;
        const lash_event *hit = rig_event(&rows, LASH_EVENT_IMPACT, n);
        if (!hit)
            fail_msg("%zu impacts only", n);
        assert_string_equal(hit->joint, side ? "j.max" : "j.min");
        rig_near(hit->time, t, 1e-9, "impact %zu", n);
        rig_near(hit->speed, sqrt(speed), 1e-9, "speed before impact %zu", n);
        rig_near(hit->rebound, e * sqrt(speed), 1e-9, "speed after impact %zu", n);
        rig_near(hit->impulse, 0.6 * (1 + e) * sqrt(speed), 1e-9, "impulse %zu", n);
        phi = at[side];
        square = e * e * speed;
    }
    assert_true(n > 20);
    rig_ledger(&r, 1e-9);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* Half of the flight above a stop that the weight presses against: φ = top − u², p = {top, 2 m g l/J}. */
static double rise(double u, const double *p) {
    const double x = 0.5 * u * u, sinc = x > 0 ? sin(x) / x : 1;
    return 2 / sqrt(p[1] * sin(p[0] - x) * sinc);
}

/* Falls against a stop at 0.3 rad from 0.8 and bounces there: ever smaller, at rest in finite time. */
static void pendulum_comes_to_rest(void **state) {
    (void)state;
    const double e = 0.5, stop = 0.3, a = 2 * 2 * g * 0.5 / (0.1 + 2 * 0.25), rest = 1e-6;
    static const char *const channels[] = {"j.min.n", "b.angle", NULL};
    rig r = rig_open("gravity: [0, -9.81]\n" PENDULUM
                     "joints: {j: {type: revolute, between: [ground, b.p], stops: {min: 0.3 rad, model: "
                     "three-mode, restitution: 0.5, rest_speed: 1e-6 rad/s}}}\nrun: {until: 3 s, rtol: "
                     "1e-13}\n",
                     0.5 * sin(0.8), -0.5 * cos(0.8), 0.8, 0.0, 0.0, 0.0);
    rig_rows rows = rig_sample(&r, 10, channels, false);
    double top = 0.8, t = 0, v = 0;
    size_t n = 0;
    for (;; n++) {
        const double p[2] = {top, a}, half = integral(rise, p, 0, sqrt(top - stop));
        t += n ? 2 * half : half;
        v = sqrt(a * (cos(stop) - cos(top)));
        const lash_event *hit = rig_event(&rows, LASH_EVENT_IMPACT, n);
        if (!hit)
            fail_msg("%zu impacts only", n);
        rig_near(hit->time, t, 1e-9, "impact %zu", n);
        rig_near(hit->speed, v, 1e-9, "speed %zu", n);
        if (e * v < rest)
            break;
        v *= e;
        // cos top = cos stop − v²/a, without cancellation
        top = stop + 2 * asin(0.5 * v * v / a / (2 * sin(stop)));
        for (int k = 0; k < 50; k++)
            top = stop + 2 * asin(0.5 * v * v / a / sin(0.5 * (top + stop)));
    }
    assert_true(n > 15);
    assert_null(rig_event(&rows, LASH_EVENT_IMPACT, n + 1));
    rig_near(rig_event(&rows, LASH_EVENT_ONSET, 0)->time, t, 1e-9, "rest");
    rig_near(rig_at(&rows, 10, 1), 2 * g * 0.5 * sin(stop), 1e-9, "moment of the stop");
    rig_near(rig_at(&rows, 10, 2), stop, 1e-11, "angle at rest");
    rig_ledger(&r, 1e-9);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* A balance wheel with a spring k between linear stops K: harmonic motions about 0 and, in the stop, about
 * K a/(k + K), joined where φ = ±a. With min and max at ±a all contacts are the same. */
static void wheel_between_springs(const char *joint) {
    const double J = 0.02, k = 3, K = 500, a = 0.1, w0 = 2, w = sqrt(k / J), W = sqrt((k + K) / J),
                 v = sqrt(w0 * w0 - w * w * a * a), first = asin(a * w / w0) / w, way = 2 * first,
                 middle = K * a / (k + K);
    static const char *const channels[] = {"energy.balance", NULL};
    rig r =
        rig_open("%s\nforces: {f: {type: joint-spring, joint: j, stiffness: 3 N m/rad, free: 0 rad}}\nrun: "
                 "{until: 8 s, rtol: 1e-13}\n",
                 joint);
    rig_rows rows = rig_sample(&r, 10, channels, false);
    // In the stop φ − middle = A cos(Wt) + (v/W) sin(Wt), A = a − middle > 0: back at A after the angle
    // 2 atan(v/(W A)).
    const double contact = 2 * atan2(v, W * (a - middle)) / W;
    double t = first;
    for (size_t n = 0; n < 60; n++, t += contact + way) {
        const lash_event *on = rig_event(&rows, LASH_EVENT_ONSET, n),
                         *off = rig_event(&rows, LASH_EVENT_RELEASE, n);
        assert_true(on && off);
        assert_string_equal(on->joint, n % 2 ? "j.min" : "j.max");
        rig_near(on->time, t, 1e-9, "onset %zu", n);
        rig_near(off->time, t + contact, 1e-9, "release %zu", n);
        rig_near(on->speed, v, 1e-9, "speed %zu", n);
        rig_near(off->peak_penetration, hypot(a - middle, v / W) + middle - a, 1e-9, "depth %zu", n);
        rig_near(off->peak_force, K * off->peak_penetration, 1e-6, "force %zu", n);
    }
    rig_ledger(&r, 1e-9);
    rig_rows_close(&rows);
    rig_close(&r);
}

static void compliant_stops(void **state) {
    (void)state;
    wheel_between_springs(
        "bodies: {b: {mass: 1, inertia: 0.02, angular_velocity: 2}}\njoints: {j: {type: "
        "revolute, between: [ground, b], stops: {min: -0.1 rad, max: 0.1 rad, contact: {law: "
        "hertz, exponent: 1, stiffness: 500}}}}");
    wheel_between_springs(
        "space: spatial\nbodies: {b: {mass: 1, inertia: [0.03, 0.025, 0.02], angular_velocity: "
        "[0, 0, 2]}}\njoints: {j: {type: revolute, between: [ground, b], axis: [0, 0, 1], "
        "stops: {min: -0.1 rad, max: 0.1 rad, contact: {law: hertz, exponent: 1, stiffness: "
        "500}}}}");
}

static double creep(double delta, const double *p) {
    const double elastic = p[0] * delta * sqrt(delta);
    return p[1] * elastic / (p[2] - elastic);
}

/* Pressed by F onto a stop from a picometre away: the damping, scaled by the speed at the first touch, carries nearly all, and
 * F = K δ^1.5 (1 + χ δ̇) gives t = ∫ χ K δ^1.5/(F − K δ^1.5) dδ. It limits the steps, which are counted where it acts; with the
 * energy's speed none are. */
static void slow_beginning(void **state) {
    (void)state;
    const double F = 100, K = 1e9, e = 0.5, chi = 0.75 * (1 - e * e) / sqrt(2 * F * 1e-12);
    for (int bounded = 0; bounded < 2; bounded++) {
        rig r = rig_open("bodies: {b: {mass: 1, inertia: 1}}\n"
                         "joints: {j: {type: translational, between: [ground, b], axis: [1, 0], stops: {max: "
                         "1 pm, contact: {law: "
                         "lankarani-nikravesh, stiffness: %g, restitution: %g, approach: %s}}}}\n"
                         "forces: {f: {type: force, at: b, force: [%g, 0]}}\nrun: {until: 20 ms, rtol: 1e-6}",
                         K, e, bounded ? "energy" : "first", F);
        rig_step_to(&r, 0.02);
        const lash_summary s = lash_sim_summary(r.sim);
        assert_int_equal(s.clearance_count, 1);
        if (bounded) {
            assert_int_equal(s.clearances[0].stiff_steps, 0);
        } else {
            rig_near(integral(creep, (double[]){K, chi, F}, 0, rig_value(&r, "j.max.delta")), 0.02, 1e-3,
                     "it creeps");
            assert_true(s.stiff_steps > s.steps / 2);
            assert_int_equal(s.clearances[0].stiff_steps, s.stiff_steps);
        }
        rig_close(&r);
    }
}

/* ---- where a machine may start ---- */

/* Stops that would hold a mass that is torn off them: their force is cut off at zero, and what is stored in
 * them then is lost. The ledger closes across the kink, and where such a contact ends without a force. */
static void torn_off(void **state) {
    (void)state;
    static const char *const laws[3] = {"exponent: 1.5", "exponent: 1.5, approach: energy", "exponent: 1.1"};
    for (int n = 0; n < 3; n++) {
        rig r = rig_open(
            "bodies: {bob: {mass: 1, inertia: 0.01}}\njoints: {slide: {type: translational, between: "
            "[ground, bob], axis: [1, 0], stops: {min: -1 mm, max: 1 mm, contact: {law: exact, "
            "stiffness: 1e9, restitution: 0.2, %s}}}}\nforces: {f: {type: force, at: bob, force: "
            "[\"1000 N*sin(3000*t) + 500 N*cos(2200*t)\", 0]}}\nrun: {until: 0.1 s, rtol: 1e-12}\n",
            laws[n]);
        rig_step_to(&r, 0.1);
        assert_true(lash_sim_summary(r.sim).events > 10);
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

/* Mass b, on its way to the right, takes along mass a, which a force presses on its own stop. If a would leave
 * slower than its rest speed it stays, and b with it; else both go on with the momentum of b. */
static void pull_at_what_rests(void **state) {
    (void)state;
    const double push = 5, m_a = 2, m_b = 1, rest = 0.1, way = 0.5, h = 1e-4;
    for (int k = 0; k < 6; k++) {
        const double together = rest * (k < 3 ? 0.2 + 0.35 * k : 1.1 + (k - 3)),
                     speed = together * (m_a + m_b) / m_b;
        rig r = rig_open("bodies: {a: {mass: %g, inertia: 1, position: [1 cm, 0]},\n"
                         "  b: {mass: %g, inertia: 1, position: [5 cm, 0], velocity: [%.17g, 0]}}\n"
                         "joints:\n"
                         "  ga: {type: translational, axis: [1, 0], between: [ground, a], stops: {min: 0 m,\n"
                         "    model: three-mode, restitution: 0.5, rest_speed: %g m/s}}\n"
                         "  ab: {type: translational, axis: [1, 0], between: [a, b], stops: {max: 55 cm,\n"
                         "    model: three-mode, restitution: 0, rest_speed: %g m/s}}\n"
                         "forces: {push: {type: force, at: a, force: [-%g, 0]}}\n"
                         "run: {until: 10 s, rtol: 1e-10}\n",
                         m_a, m_b, speed, rest, rest, push);
        rig_step_to(&r, way / speed - h); // a has come to rest long before
        rig_near(rig_value(&r, "a.vx"), 0, 1e-12, "a on its stop");
        rig_near(rig_value(&r, "b.vx"), speed, 1e-9, "b before");
        rig_step_to(&r, way / speed + h);
        const double left = k < 3 ? 0 : together - push / (m_a + m_b) * h;
        rig_near(rig_value(&r, "a.vx"), left, 1e-6, "a, taken along at %g m/s", together);
        rig_near(rig_value(&r, "b.vx"), left, 1e-6, "b, taken along at %g m/s", together);
        rig_close(&r);
    }
}

static void refused(const char *text, const char *place, const char *cause) {
    lash_error error = {0};
    assert_int_equal(rig_compile(text, &error), LASH_ERROR_MODEL);
    if (!strstr(error.message, place) || !strstr(error.message, cause))
        fail_msg("'%s' says neither '%s' nor '%s'", error.message, place, cause);
}

static void starts_between_its_stops(void **state) {
    (void)state;
    refused("bodies: {b: {mass: 1, inertia: 1, angle: 1.2 rad}}\njoints: {j: {type: revolute, between: "
            "[ground, b], stops: {max: 1 "
            "rad, contact: {stiffness: 1e5, restitution: 0.5}}}}\nrun: {until: 1 s}\n",
            "j.max", "starts 0.2 rad beyond its stop at 1 rad");
    refused("bodies: {b: {mass: 1, inertia: 1, position: [0.1, 0]}}\njoints: {j: {type: translational, axis: "
            "[1, 0], between: "
            "[ground, b], stops: {min: 0.3 m, model: three-mode, restitution: 0.5}}}\nrun: {until: 1 s}\n",
            "j.min", "starts 0.2 m beyond its stop at 0.3 m");
    refused("space: spatial\nbodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0.1, 0, 0]}}\njoints: {j: "
            "{type: cylindrical, "
            "axis: [1, 0, 0], between: [ground, b], stops: {coordinate: travel, max: -0.1 m, model: "
            "three-mode, restitution: "
            "0.5}}}\nrun: {until: 1 s}\n",
            "j.max", "starts 0.2 m beyond its stop at -0.1 m");
    // Rounding of the limit is no mistake: it rests there.
    rig r = rig_open("gravity: [0, -9.81]\nbodies: {b: {mass: 2, inertia: 1, position: [0, 0.3]}}\njoints: "
                     "{j: {type: translational, "
                     "axis: [0, 1], between: [ground, b], stops: {min: 0.1 + 0.2 m, model: three-mode, "
                     "restitution: 0.5}}}\nrun: "
                     "{until: 1 s}\n");
    rig_step_to(&r, 1);
    rig_near(rig_value(&r, "j.min.n"), 2 * g, 1e-9, "load from the start");
    rig_close(&r);
}

/* ---- together with play and drives ---- */

/* A pin with play that also has stops: a rotor in a loose bearing knocks at its stops; momentum and energy
 * balance. */
static void stops_of_a_joint_with_play(void **state) {
    (void)state;
    static const char *const kinds[2] = {"contact: {law: hertz, exponent: 1, stiffness: 1e4}",
                                         "model: three-mode, restitution: 0.9"};
    for (int n = 0; n < 2; n++) {
        rig r = rig_open(
            "bodies: {a: {mass: 2, inertia: 0.01}, b: {mass: 1, inertia: 0.02, position: [0, -0.1], "
            "velocity: [0.3, 0.1], "
            "angular_velocity: 3, points: {p: [0, 0.1]}}}\njoints: {j: {type: revolute, between: [a, b.p], "
            "clearance: {bearing_radius: 10 mm, radial: 1 mm, contact: {stiffness: 1e8, restitution: 0.7}}, "
            "stops: "
            "{min: -0.1 rad, max: 0.1 rad, %s}}}\nrun: {until: 0.5 s, rtol: 1e-11}\n",
            kinds[n]);
        static const char *const names[2][5] = {{"a.x", "a.y", "a.vx", "a.vy", "a.wz"},
                                                {"b.x", "b.y", "b.vx", "b.vy", "b.wz"}};
        const double mass[2] = {2, 1}, inertia[2] = {0.01, 0.02};
        double first[3] = {0};
        for (int k = 0; k <= 20; k++) {
            double now[3] = {0};
            if (k)
                rig_step_to(&r, 0.025 * k);
            for (int b = 0; b < 2; b++) {
                double q[5];
                for (int i = 0; i < 5; i++)
                    q[i] = rig_value(&r, names[b][i]);
                now[0] += mass[b] * q[2];
                now[1] += mass[b] * q[3];
                now[2] += mass[b] * (q[0] * q[3] - q[1] * q[2]) + inertia[b] * q[4];
            }
            for (int i = 0; i < 3; i++) {
                first[i] = k ? first[i] : now[i];
                rig_near(now[i], first[i], 1e-10, "stops %d at %g s: momentum %d", n, 0.025 * k, i);
            }
            assert_true(fabs(rig_value(&r, "j.angle")) < (n ? 0.1 + 1e-9 : 0.12));
        }
        const lash_summary summary = lash_sim_summary(r.sim);
        assert_int_equal(summary.clearance_count, 3);
        for (size_t k = 0; k < 3; k++)
            if (summary.clearances[k].contacts + summary.clearances[k].impacts < 2)
                fail_msg("%s touches %zu times only", summary.clearances[k].joint,
                         summary.clearances[k].contacts);
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_comes_to_rest),
        cmocka_unit_test(mass_on_a_spring),
        cmocka_unit_test(pendulum_between_stops),
        cmocka_unit_test(pendulum_comes_to_rest),
        cmocka_unit_test(compliant_stops),
        cmocka_unit_test(slow_beginning),
        cmocka_unit_test(torn_off),
        cmocka_unit_test(pull_at_what_rests),
        cmocka_unit_test(starts_between_its_stops),
        cmocka_unit_test(stops_of_a_joint_with_play),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
