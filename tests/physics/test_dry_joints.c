/* SPDX-License-Identifier: MIT
 *
 * Friction of ideal joints of every type and with every law, sticking contacts of joints with play, friction
 * that leaves rigid parts no motion, and saved states that continue bit for bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lash/linear.h"
#include "rig.h"
#include "sim/sim.h"

static const double g = 9.81;
static const char *const methods[] = {"dop853", "adams", "gear"};

static double hat(double mu) {
    return mu / sqrt(1 + mu * mu);
}

/* ---- laws ---- */

/* A block thrown onto a level guide: far above the speeds of their laws all slow down with the law's own
 * coefficient, and lugre and coulomb come to rest. */
static void every_law_slows_a_block(void **state) {
    (void)state;
    static const struct {
        const char *law;
        double mu;
    } laws[] = {{"coulomb", 0.3},      {"ambrosio", 0.3}, {"threlfall", 0.3 * 0.950212931632136},
                {"bengisu-akay", 0.3}, {"stribeck", 0.3}, {"lugre", 0.3}};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        rig r = rig_open("gravity: [0, -9.81]\n"
                         "ground: {points: {o: [0, 0]}}\n"
                         "bodies: {block: {mass: 2, inertia: 0.01, velocity: [3, 0]}}\n"
                         "joints: {way: {type: translational, between: [ground.o, block], axis: [1, 0],\n"
                         "               friction: {law: %s, coefficient: 0.3, length: 0.1}}}\n"
                         "run: {until: 3 s, rtol: 1e-10%s}\n",
                         laws[k].law, strcmp(laws[k].law, "lugre") == 0 ? ", method: gear" : "");
        rig_step_to(&r, 0.4);
        const double early = rig_value(&r, "way.sdot");
        rig_step_to(&r, 0.9);
        rig_near((early - rig_value(&r, "way.sdot")) / 0.5, laws[k].mu * g, 1e-6, "%s", laws[k].law);
        rig_near(rig_value(&r, "way.friction"), -laws[k].mu * 2 * g, 1e-6, "%s: force", laws[k].law);
        rig_step_to(&r, 3);
        rig_near(rig_value(&r, "way.sdot"), 0, strcmp(laws[k].law, "coulomb") == 0 ? 1e-14 : 2e-4,
                 "%s: comes to rest", laws[k].law);
        rig_near(rig_value(&r, "energy.friction"), 9, 1e-5, "%s: what is lost", laws[k].law);
        rig_ledger(&r, 1e-7);
        rig_close(&r);
    }
}

/* A constant torque takes the shape of its law, with or without friction by the load. */
static void constant_friction_has_the_shape_of_its_law(void **state) {
    (void)state;
    for (int loaded = 0; loaded < 2; loaded++) {
        rig r = rig_open(
            "gravity: [0, -9.81]\n"
            "ground: {points: {o: [0, 0]}}\n"
            "bodies: {disc: {mass: 2, inertia: 0.5, angular_velocity: 0.02}}\n"
            "joints: {pin: {type: revolute, between: [ground.o, disc],\n"
            "               friction: {law: ambrosio, v0: 1e-3, v1: 3e-3, radius: 0.1, torque: 0.4%s}}}\n"
            "run: {until: 1 s}\n",
            loaded ? ", coefficient: 0.2" : "");
        // 0.1 m · 0.02 rad/s is half the way from v0 to v1
        const double m = 0.5 * 0.2;
        rig_near(rig_value(&r, "pin.friction"), -0.5 * 0.4 - loaded * hat(m) * 0.1 * 2 * g, 1e-12,
                 "friction in the transition");
        rig_close(&r);
    }
}

/* ---- gears ---- */

/* Regularised friction that holds a block on an incline is a strong damper, at the limit of stability of explicit steps. It is the
 * block's own weight along the incline all the same, at any tolerance; and so is the force of a strong damper in which
 * a light body sinks. */
static void damped_bodies_are_held(void **state) {
    (void)state;
    static const char *const laws[] = {"ambrosio", "threlfall", "stribeck", "bengisu-akay", "lugre"};
    static const double rtols[] = {1e-3, 1e-4, 1e-6, 1e-8};
    for (size_t i = 0; i < sizeof rtols / sizeof *rtols; i++) {
        for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
            rig r = rig_open("gravity: [3, -9.81]\nbodies: {a: {mass: 1, inertia: 1e-3}}\n"
                             "joints: {g: {type: translational, between: [ground, a], axis: [1, 0],\n"
                             "    friction: {law: %s, coefficient: 0.5, length: 0.1}}}\n"
                             "run: {until: 0.5 s, rtol: %g}\n",
                             laws[k], rtols[i]);
            rig_step_to(&r, 0.3);
            while (lash_sim_time(r.sim) < 0.5) {
                assert_true(lash_sim_step(r.sim, 0.5, NULL) == LASH_OK);
                rig_near(rig_value(&r, "g.friction"), -3, 3 * 3 * rtols[i], "%s", laws[k]);
                rig_near(rig_value(&r, "a.ax"), 0, 9.81 * 3 * rtols[i], "%s", laws[k]);
            }
            rig_close(&r);
        }
        rig r = rig_open(
            "gravity: [0, -9.81]\nbodies: {a: {mass: 1 g, inertia: 1}}\n"
            "joints: {g: {type: translational, between: [ground, a], axis: [0, 1]}}\n"
            "forces: {v: {type: viscous, joint: g, coefficient: 10}}\nrun: {until: 0.05 s, rtol: %g}\n",
            rtols[i]);
        rig_step_to(&r, 0.02);
        while (lash_sim_time(r.sim) < 0.05) {
            assert_true(lash_sim_step(r.sim, 0.05, NULL) == LASH_OK);
            rig_near(rig_value(&r, "a.vy"), -9.81e-4, 3 * 9.81e-4 * rtols[i], "sinking");
        }
        rig_close(&r);
    }
}

/* A torque on the first wheel drives the second: J1 α = T − r1 F, J2 α r1/r2 = r2 F (1 − k). With
 * the wheels at rest less torque than the loss against a brake moves nothing. */
static void mesh_loses(void **state) {
    (void)state;
    const double J1 = 0.02, J2 = 0.3, r1 = 0.1, r2 = 0.2, k = 0.08, T = 5;
    const double alpha = T / (J1 + J2 * (r1 / r2) * (r1 / r2) / (1 - k));
    rig r = rig_open(
        "ground: {points: {a: [0, 0], b: [0.3, 0]}}\n"
        "bodies: {one: {mass: 1, inertia: %.17g}, two: {mass: 2, inertia: %.17g, position: [0.3, 0]}}\n"
        "joints:\n"
        "  a: {type: revolute, between: [ground.a, one]}\n"
        "  b: {type: revolute, between: [ground.b, two]}\n"
        "  mesh: {type: gear, between: [one, two], ratio: 0.5, friction: {loss: %.17g}}\n"
        "forces: {motor: {type: torque, body: one, torque: %.17g}}\n"
        "run: {until: 1 s, rtol: 1e-10}\n",
        J1, J2, k, T);
    rig_step_to(&r, 1);
    rig_near(rig_value(&r, "one.wz"), alpha, 1e-8 * alpha, "speed");
    const double F = (T - J1 * alpha) / r1;
    rig_near(fabs(rig_value(&r, "mesh.friction")), k * F, 1e-8, "friction");
    rig_near(rig_value(&r, "energy.friction"), k * F * r1 * alpha / 2, 1e-7, "lost");
    rig_ledger(&r, 1e-9);
    rig_close(&r);
}

/* Mass and place of a rack and inertia of its pinion; then the radius, with its sign, and what the mesh has. */
#define RACK(mesh)                                                                                           \
    "bodies: {rack: {mass: %.17g, inertia: 0.1, position: [0, %g]}, pinion: {mass: 1, inertia: %.17g}}\n"    \
    "joints:\n"                                                                                              \
    "  guide: {type: translational, between: [ground, rack], axis: [1, 0]}\n"                                \
    "  hub: {type: revolute, between: [ground, pinion]}\n"                                                   \
    "  mesh: {type: rack-and-pinion, between: [rack, pinion], axis: [1, 0], radius: %g, " mesh "}\n"

/* The same of a rack, above its pinion or below it, driven by a torque on the pinion or by a force on the rack. */
static void rack_loses(void **state) {
    (void)state;
    const double J = 0.02, M = 1.5, radius = 0.1, k = 0.08;
    for (int which = 0; which < 4; which++) {
        const bool below = which % 2, pushed = which / 2;
        const double T = pushed ? 0 : 5, P = pushed ? 20 : 0;
        rig r = rig_open(
            RACK("friction: {loss: %.17g}") "forces: {motor: {type: torque, body: pinion, torque: %.17g},\n"
                                            "  push: {type: force, at: rack, force: [%.17g, 0]}}\n"
                                            "run: {until: 1 s, rtol: 1e-10}\n",
            M, below ? -radius : radius, J, below ? radius : -radius, k, T, P);
        rig_step_to(&r, 1);
        const double a = pushed ? P / (M + J / (radius * radius) / (1 - k))
                                : T * radius / (J + M * radius * radius / (1 - k));
        const double F = pushed ? P - M * a : (T - J * a / radius) / radius; // into the mesh
        rig_near(fabs(rig_value(&r, "rack.vx")), a, 1e-8 * a, "speed");
        rig_near(fabs(rig_value(&r, "mesh.friction")), k * F, 1e-8, "friction");
        rig_near(rig_value(&r, "energy.friction"), k * F * a / 2, 1e-7, "lost");
        rig_ledger(&r, 1e-9);
        rig_close(&r);
    }
}

/* Teeth at a pressure angle drive rack and pinion apart, above or below: both bearings carry F tan as well. */
static void rack_is_driven_off(void **state) {
    (void)state;
    const double J = 0.02, M = 1.5, radius = 0.1, tooth = tan(0.35), T = 5;
    for (int below = 0; below < 2; below++) {
        rig r = rig_open(
            RACK("pressure_angle: 0.35") "forces: {motor: {type: torque, body: pinion, torque: %.17g}}\n"
                                         "run: {until: 1 s, rtol: 1e-10}\n",
            M, below ? -radius : radius, J, below ? radius : -radius, T);
        rig_step_to(&r, 0.5);
        const double a = T * radius / (J + M * radius * radius), F = M * a, up = below ? 1 : -1;
        rig_near(fabs(rig_value(&r, "rack.vx")), 0.5 * a, 1e-8 * a, "speed");
        rig_near(fabs(rig_value(&r, "hub.fx")), F, 1e-7 * F, "along the rack");
        // The hub holds the pinion against the rack, the guide the rack against the pinion.
        rig_near(rig_value(&r, "hub.fy"), -up * F * tooth, 1e-7 * F, "on the pinion");
        rig_near(rig_value(&r, "guide.fy"), up * F * tooth, 1e-7 * F, "on the rack");
        rig_close(&r);
    }
}

/* On a carrier, with a planet whose centre of mass is not that of its pitch circle: what friction loses is what the machine
 * loses. */
static void planet_loses(void **state) {
    (void)state;
    rig r = rig_open(
        "gravity: [0, -9.81]\nground: {points: {o: [0, 0]}}\n"
        "bodies:\n"
        "  sun: {mass: 1, inertia: 0.02, points: {c: [0.03, -0.02]}, position: [-0.03, 0.02]}\n"
        "  carrier: {mass: 2, inertia: 0.05, position: [0.15, 0], points: {o: [-0.15, 0], p: [0.15, 0]}}\n"
        "  planet: {mass: 1, inertia: 0.01, position: [0.28, -0.05], points: {c: [0.02, 0.05]}}\n"
        "joints:\n"
        "  a: {type: revolute, between: [ground.o, sun.c]}\n"
        "  b: {type: revolute, between: [ground.o, carrier.o]}\n"
        "  c: {type: revolute, between: [carrier.p, planet.c]}\n"
        "  mesh: {type: gear, between: [sun.c, planet.c], ratio: 0.5, friction: {loss: 0.08}}\n"
        "forces: {motor: {type: torque, body: sun, torque: 5}, brake: {type: torque, body: carrier, torque: "
        "-3}}\n"
        "run: {until: 0.5 s, rtol: 1e-11}\n");
    rig_step_to(&r, 0.5);
    assert_true(rig_value(&r, "energy.friction") > 0.01);
    rig_ledger(&r, 1e-8);
    rig_close(&r);
}

/* The same turning as one block: torques on sun and planet press the teeth together without moving them against each other, and
 * their friction holds them, though the centres of mass pull outward. */
static void loaded_teeth_stick(void **state) {
    (void)state;
    rig r = rig_open("ground: {points: {o: [0, 0]}}\n"
                     "bodies:\n"
                     "  sun: {mass: 1, inertia: 0.02, points: {c: [0.03, -0.02]}, position: [-0.03, 0.02], "
                     "angular_velocity: 5, hold: [w]}\n"
                     "  carrier: {mass: 2, inertia: 0.05, position: [0.15, 0], points: {o: [-0.15, 0], p: "
                     "[0.15, 0]}, angular_velocity: 5, hold: [w]}\n"
                     "  planet: {mass: 1, inertia: 0.01, position: [0.28, -0.05], points: {c: [0.02, 0.05]}, "
                     "angular_velocity: 5, hold: [w]}\n"
                     "joints:\n"
                     "  a: {type: revolute, between: [ground.o, sun.c]}\n"
                     "  b: {type: revolute, between: [ground.o, carrier.o]}\n"
                     "  c: {type: revolute, between: [carrier.p, planet.c]}\n"
                     "  mesh: {type: gear, between: [sun.c, planet.c], ratio: 0.5, friction: {loss: 0.5}}\n"
                     "forces: {one: {type: torque, body: sun, torque: 20}, two: {type: torque, body: planet, "
                     "torque: 40},\n"
                     "  brake: {type: torque, body: carrier, torque: -60}}\n"
                     "run: {until: 1 s, rtol: 1e-10}\n");
    rig_step_to(&r, 1);
    rig_near(rig_value(&r, "sun.wz"), rig_value(&r, "carrier.wz"), 1e-9, "the sun");
    rig_near(rig_value(&r, "planet.wz"), rig_value(&r, "carrier.wz"), 1e-9, "the planet");
    rig_near(rig_value(&r, "energy.friction"), 0, 1e-9, "nothing is lost");
    rig_close(&r);
}

/* The same in space, where a gear couples two angles: with θ2 = −i θ1, J1 α = T − |i| M, J2 |i| α = M (1 − k), and its friction
 * is a moment on the second wheel. */
static void mesh_loses_in_space(void **state) {
    (void)state;
    const double J1 = 0.02, J2 = 0.3, i = -0.5, k = 0.08, T = 5;
    const double alpha = T / (J1 + J2 * i * i / (1 - k));
    rig r = rig_open("space: spatial\nground: {points: {a: [0, 0, 0], b: [0.3, 0, 0]}}\n"
                     "bodies: {one: {mass: 1, inertia: [1, 1, %.17g]}, two: {mass: 2, inertia: [1, %.17g, "
                     "1], position: [0.3, 0, 0]}}\n"
                     "joints:\n"
                     "  a: {type: revolute, between: [ground.a, one], axis: [0, 0, 1]}\n"
                     "  b: {type: revolute, between: [ground.b, two], axis: [0, 1, 0]}\n"
                     "  mesh: {type: gear, joints: [a, b], ratio: %g, friction: {loss: %.17g}}\n"
                     "forces: {motor: {type: torque, body: one, torque: [0, 0, %.17g]}}\n"
                     "run: {until: 1 s, rtol: 1e-10}\n",
                     J1, J2, i, k, T);
    rig_step_to(&r, 1);
    rig_near(rig_value(&r, "one.wz"), alpha, 1e-8 * alpha, "speed");
    rig_near(rig_value(&r, "two.wy"), -i * alpha, 1e-8 * alpha, "speed of the second");
    const double M = (T - J1 * alpha) / fabs(i);
    rig_near(fabs(rig_value(&r, "mesh.friction")), k * M, 1e-8, "friction");
    rig_near(rig_value(&r, "energy.friction"), k * M * fabs(i) * alpha / 2, 1e-7, "lost");
    rig_ledger(&r, 1e-9);
    rig_close(&r);
}

/* The pressure angle loads the bearings, and they rub: a wheel against a braked one. */
static void teeth_load_dry_bearings(void **state) {
    (void)state;
    const double mu = 0.2, radius = 0.02, T = 5, r1 = 0.1, r2 = 0.2, J1 = 0.02, J2 = 0.3, tooth = tan(0.35);
    rig r = rig_open(
        "ground: {points: {a: [0, 0], b: [0.3, 0]}}\n"
        "bodies: {one: {mass: 1, inertia: %.17g, angular_velocity: 1}, two: {mass: 2, inertia: %.17g,\n"
        "  position: [0.3, 0], angular_velocity: -0.5}}\n"
        "joints:\n"
        "  a: {type: revolute, between: [ground.a, one], friction: {coefficient: %.17g, radius: %.17g}}\n"
        "  b: {type: revolute, between: [ground.b, two], friction: {coefficient: %.17g, radius: %.17g}}\n"
        "  mesh: {type: gear, between: [one, two], ratio: 0.5, pressure_angle: 0.35}\n"
        "forces: {motor: {type: torque, body: one, torque: %.17g}}\n"
        "run: {until: 1 s, rtol: 1e-10}\n",
        J1, J2, mu, radius, mu, radius, T);
    // Both bearings carry F √(1 + tan²): torques hat(μ) ρ F/cos against the motion.
    const double drag = hat(mu) * radius * sqrt(1 + tooth * tooth);
    const double alpha = T / (J1 + (r1 + drag) * J2 * (r1 / r2) / (r2 - drag));
    rig_step_to(&r, 1);
    rig_near(rig_value(&r, "one.wz"), 1 + alpha, 1e-8 * alpha, "speed");
    rig_ledger(&r, 1e-9);
    rig_close(&r);
}

/* A sledge that is stopped with the speed v, and a rod that hangs from it: nothing acts about the hinge, so that m l v becomes
 * (J + m l²) ω. In a run what stops has nearly come to rest, and this would not be seen. */
static void stopping_is_an_impulse(void **state) {
    (void)state;
    const double v = 3, m = 1.5, l = 0.4, J = 0.02;
    rig r =
        rig_open("gravity: [0, -9.81]\nbodies:\n"
                 "  sledge: {mass: 2, inertia: 0.1, velocity: [3, 0], hold: [vx]}\n"
                 "  rod: {mass: %g, inertia: %g, position: [0, -0.4], velocity: [3, 0], angular_velocity: 0, "
                 "hold: [w],\n"
                 "    points: {top: [0, 0.4]}}\n"
                 "joints:\n"
                 "  way: {type: translational, between: [ground, sledge], axis: [1, 0], friction: "
                 "{coefficient: 0.1, length: 0.1}}\n"
                 "  hinge: {type: revolute, between: [sledge, rod.top]}\nrun: {until: 1 s, reduce: false}\n",
                 m, J);
    rig_near(rig_value(&r, "rod.vx"), v, 1e-12, "the start");
    lashi_workspace *w = r.sim->workspace;
    const lash_system *system = r.system;
    double y[64];
    const unsigned char stops[] = {1};
    assert_true(system->n_y <= 64 && system->rub_count == 1);
    memcpy(y, system->y0, (size_t)system->n_y * sizeof *y);
    assert_int_equal(lashi_evaluate(w->ydot, w, 0, y), 0);
    assert_true(lashi_rub_stop(y, w, stops));
    const double spin = m * l * v / (J + m * l * l);
    rig_near(y[system->v_at], 0, 1e-12, "the sledge");
    rig_near(y[system->v_at + 3], l * spin, 1e-12, "the rod");
    rig_near(y[system->v_at + 5], spin, 1e-12, "turning");
    rig_close(&r);
}

/* A cart slides on a guide of length l, an arm sticks in its hinge: one body, with its centre of mass at (x, y) from the guide. The
 * ends carry N/2 ± T/l, T = x N + y f, of which the second is the larger: f = 2 μ (x N + y f)/l. In either order of the joints. */
static void what_sticks_loads_what_slides(void **state) {
    (void)state;
    const double mu = 0.1, l = 0.1, m = 3, x = 0.4 * sqrt(0.5) / m, y = x, N = m * g;
    const double f = 2 * mu * x * N / l / (1 - 2 * mu * y / l);
    static const char *const joints[] = {
        "way: {type: translational, between: [ground, cart], axis: [1, 0], friction: {coefficient: 0.1, "
        "length: 0.1}}",
        "hinge: {type: revolute, between: [cart, arm.o], friction: {coefficient: 0.9, radius: 0.6}}"};
    for (int k = 0; k < 2; k++) {
        rig r = rig_open("gravity: [0, -9.81]\nbodies:\n"
                         "  cart: {mass: 2, inertia: 0.1, velocity: [5, 0]}\n"
                         "  arm: {mass: 1, inertia: 0.02, position: [0.28284271247461900, "
                         "0.28284271247461900], angle: 45 deg, velocity: [5, 0],\n"
                         "    points: {o: [-0.4, 0]}}\n"
                         "joints:\n  %s\n  %s\nrun: {until: 1 s, rtol: 1e-10}\n",
                         joints[k], joints[1 - k]);
        rig_step_to(&r, 0.5);
        rig_near(rig_value(&r, "arm.wz"), 0, 1e-9, "it sticks");
        rig_near(rig_value(&r, "way.friction"), -f, 1e-6 * f, "friction");
        rig_near(rig_value(&r, "cart.vx"), 5 - 0.5 * f / m, 1e-7, "speed");
        rig_ledger(&r, 1e-8);
        rig_close(&r);
    }
}

/* ---- space ---- */

#define SPACE "space: spatial\ngravity: [0, -9.81, 0]\nground: {points: {o: [0, 0, 0]}}\n"

/* A pendulum in the plane against the same one on a pin, a ball and a cross in space. */
static void pendulums_in_space(void **state) {
    (void)state;
    static const char *const joints[] = {
        "{type: revolute, between: [ground.o, bob.top], axis: [0, 0, 1], friction: {coefficient: 0.3, "
        "radius: 0.03%s}}",
        "{type: spherical, between: [ground.o, bob.top], friction: {coefficient: 0.3, radius: 0.03}}",
        "{type: universal, between: [ground.o, bob.top], axis: [0, 0, 1], second_axis: [1, 0, 0],\n"
        "  friction: {coefficient: 0.3, radius: 0.03, length: 1e6}}"};
    rig plane = rig_open("gravity: [0, -9.81]\nground: {points: {o: [0, 0]}}\n"
                         "bodies: {bob: {mass: 1.5, inertia: 0.02, position: [0.4, 0], angle: 90 deg,\n"
                         "  points: {top: [0, 0.4]}}}\n"
                         "joints: {pin: {type: revolute, between: [ground.o, bob.top],\n"
                         "  friction: {coefficient: 0.3, radius: 0.03}}}\nrun: {until: 40 s, rtol: 1e-11}\n");
    rig other[4];
    for (int k = 0; k < 4; k++) {
        char joint[300];
        snprintf(joint, sizeof joint, joints[k < 2 ? 0 : k - 1], k == 1 ? ", length: 1e6" : "");
        other[k] =
            rig_open(SPACE "bodies: {bob: {mass: 1.5, inertia: [0.02, 0.02, 0.02], position: [0.4, 0, 0],\n"
                           "  orientation: {axis: [0, 0, 1], angle: 90 deg}, points: {top: [0, 0.4, 0]}}}\n"
                           "joints: {pin: %s}\nrun: {until: 40 s, rtol: 1e-11}\n",
                     joint);
    }
    for (int step = 1; step <= 8; step++) { // it comes to rest on the way
        rig_step_to(&plane, 5 * step);
        const double x = rig_value(&plane, "bob.x"), y = rig_value(&plane, "bob.y");
        for (int k = 0; k < 4; k++) {
            rig_step_to(&other[k], 5 * step);
            rig_near(rig_value(&other[k], "bob.x"), x, 1e-7, "joint %d, x at %d s", k, 5 * step);
            rig_near(rig_value(&other[k], "bob.y"), y, 1e-7, "joint %d, y at %d s", k, 5 * step);
            rig_near(rig_value(&other[k], "energy.friction"), rig_value(&plane, "energy.friction"), 1e-6,
                     "joint %d, lost by %d s", k, 5 * step);
        }
    }
    rig_near(rig_value(&plane, "bob.vx"), 0, 1e-12, "at rest");
    rig_near(rig_value(&other[1], "pin.friction"), rig_value(&plane, "pin.friction"), 1e-6, "holds");
    rig_near(rig_value(&other[3], "pin.first.friction"), rig_value(&plane, "pin.friction"), 1e-6, "holds");
    rig_near(fabs(rig_value(&other[2], "pin.friction")), fabs(rig_value(&plane, "pin.friction")), 1e-6,
             "holds");
    for (int k = 0; k < 4; k++) {
        rig_ledger(&other[k], 1e-7);
        rig_close(&other[k]);
    }
    rig_close(&plane);
}

/* A shaft that turns and slides: with J = m ρ² both speeds fall in proportion, their resultant by hat(μ) g
 * per second, and stop together. */
static void shaft_in_a_sleeve(void **state) {
    (void)state;
    const double mu = 0.25, radius = 0.05, v = 0.6, w = 16, slides = hypot(v, radius * w);
    for (size_t m = 0; m < 3; m++) {
        rig r = rig_open(SPACE
                         "bodies: {shaft: {mass: 2, inertia: [%.17g, 1, 1], velocity: [%.17g, 0, 0],\n"
                         "  angular_velocity: [%.17g, 0, 0]}}\n"
                         "joints: {sleeve: {type: cylindrical, between: [ground.o, shaft], axis: [1, 0, 0],\n"
                         "  friction: {coefficient: %.17g, radius: %.17g, length: 1e9}}}\n"
                         "run: {until: 2 s, rtol: 1e-11, method: %s}\n",
                         2 * radius * radius, v, w, mu, radius, methods[m]);
        const double slows = hat(mu) * g, stop = slides / slows;
        rig_step_to(&r, 0.5 * stop);
        rig_near(rig_value(&r, "sleeve.sdot"), 0.5 * v, 1e-8, "%s: sliding", methods[m]);
        rig_near(rig_value(&r, "sleeve.wz"), 0.5 * w, 1e-7, "%s: turning", methods[m]);
        rig_near(rig_value(&r, "sleeve.friction"), hat(mu) * 2 * g, 1e-7, "%s: friction", methods[m]);
        rig_step_to(&r, 2);
        rig_near(rig_value(&r, "sleeve.s"), 0.5 * v * stop, 1e-7, "%s: way", methods[m]);
        rig_near(rig_value(&r, "sleeve.angle"), 0.5 * w * stop, 1e-6, "%s: angle", methods[m]);
        rig_near(rig_value(&r, "sleeve.sdot"), 0, 1e-13, "%s: rests", methods[m]);
        rig_ledger(&r, 1e-7);
        rig_close(&r);
    }
}

/* Whatever the law, friction knows no direction: a shaft with J = m ρ² that begins with the same speed at its surface,
 * sliding, turning or both, is slowed alike, and as one that can only turn. */
static void every_law_has_no_direction(void **state) {
    (void)state;
    static const char *const laws[] = {
        "law: coulomb, coefficient: 0.3",
        "law: ambrosio, coefficient: 0.3, v0: 0.1, v1: 0.9",
        "law: threlfall, coefficient: 0.3, vr: 0.5",
        "law: bengisu-akay, coefficient: 0.3, coefficient_static: 0.4, vr: 0.1, stribeck_speed: 0.5",
        "law: stribeck, coefficient: 0.3, coefficient_static: 0.4, vr: 0.1, stribeck_speed: 0.5, viscous: 1",
        "law: lugre, coefficient: 0.3, coefficient_static: 0.4, stribeck_speed: 0.5, viscous: 0.2"};
    const double radius = 0.05, v = 0.8;
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        double slowed = 0, lost = 0;
        for (int way = 0; way < 4; way++) { // along, round, both, and in a joint that only turns
            const double angle = way == 0 ? 0 : way == 2 ? 0.7 : 0.5 * RIG_PI;
            rig r =
                rig_open(SPACE "bodies: {shaft: {mass: 2, inertia: [%.17g, 1, 1], velocity: [%.17g, 0, 0],\n"
                               "  angular_velocity: [%.17g, 0, 0]}}\n"
                               "joints: {sleeve: {type: %s, between: [ground.o, shaft], axis: [1, 0, 0],\n"
                               "  friction: {%s, radius: %.17g, length: 1e9}}}\n"
                               "run: {until: 0.1 s, rtol: 1e-10%s}\n",
                         2 * radius * radius, way == 3 ? 0 : v * cos(angle), v * sin(angle) / radius,
                         way == 3 ? "revolute" : "cylindrical", laws[k], radius,
                         strstr(laws[k], "lugre") ? ", method: gear" : "");
            rig_step_to(&r, 0.1);
            const double speed = hypot(rig_value(&r, "shaft.vx"), radius * rig_value(&r, "shaft.wx"));
            const double friction_energy = rig_value(&r, "energy.friction");
            if (way == 0) {
                slowed = speed;
                lost = friction_energy;
                if (!(speed > 0.2 * v && speed < 0.9 * v))
                    fail_msg("%s: from %g to %g m/s shows nothing", laws[k], v, speed);
            }
            rig_near(speed, slowed, 2e-7, "%s: speed, way %d", laws[k], way);
            rig_near(friction_energy, lost, 4e-7, "%s: what is lost, way %d", laws[k], way);
            rig_close(&r);
        }
    }
}

/* A shaft that begins to turn and to slide under a constant push P and torque M, with a wheel on it that is held by
 * its own friction. Friction f is opposite to the motion which begins, φ from turning: with the inertia J of both
 * and their mass m, (P − f sin φ)/m is tan φ times (M/ρ − f cos φ) ρ²/J; and so it stays, from the first instant. */
static void shaft_with_a_wheel_begins(void **state) {
    (void)state;
    const double radius = 0.05, f = 10, P = 11, M = 0.4, J = 0.004 + 0.007, m = 2 + 3;
    double low = 0, high = acos(0);
    for (int i = 0; i < 100; i++) {
        const double phi = 0.5 * (low + high);
        *((P - f * sin(phi)) / m * cos(phi) > (M / radius - f * cos(phi)) * radius * radius / J * sin(phi)
              ? &low
              : &high) = phi;
    }
    const double along = (P - f * sin(low)) / m, turning = (M - f * cos(low) * radius) / J;
    for (size_t k = 0; k < 3; k++) {
        rig r = rig_open(
            "space: spatial\nground: {points: {o: [0, 0, 0]}}\n"
            "bodies: {shaft: {mass: 2, inertia: [0.004, 1, 1]}, wheel: {mass: 3, inertia: [0.007, 1, 1]}}\n"
            "joints:\n"
            "  sleeve: {type: cylindrical, between: [ground.o, shaft], axis: [1, 0, 0],\n"
            "    friction: {force: %.17g, radius: %.17g}}\n"
            "  hub: {type: revolute, between: [shaft, wheel], axis: [1, 0, 0], friction: {torque: 5}}\n"
            "forces: {push: {type: force, at: wheel, force: [%.17g, 0, 0]},\n"
            "         turn: {type: torque, body: wheel, torque: [%.17g, 0, 0]}}\n"
            "run: {until: 1 s, rtol: 1e-10, method: %s}\n",
            f, radius, P, M, methods[k]);
        const double times[] = {1e-10, 1e-8, 1e-6, 1e-3, 1};
        for (int i = 0; i < 5; i++) {
            const double t = times[i];
            rig_step_to(&r, t);
            rig_near(rig_value(&r, "sleeve.sdot") / (along * t), 1, 1e-9, "%s: sliding at %g s", methods[k],
                     t);
            rig_near(rig_value(&r, "sleeve.wz") / (turning * t), 1, 1e-9, "%s: turning at %g s", methods[k],
                     t);
        }
        rig_near(rig_value(&r, "sleeve.friction"), f, 1e-9, "%s: friction", methods[k]);
        rig_near(rig_value(&r, "hub.wz"), 0, 1e-13, "%s: the wheel is held", methods[k]);
        rig_close(&r);
    }
}

/* A guide whose load has a couple, in the plane and in space: a block pushed beside its middle. */
static void couple_on_a_guide(void **state) {
    (void)state;
    const double mu = 0.2, length = 0.1, P = 30, arm = 0.04, m = 2, v = 1;
    // N = m g at the middle, M = P arm: ends N/2 ± M/l, the greater couple wins
    const double N = m * g, M = P * arm, load = fabs(N / 2 + M / length) + fabs(N / 2 - M / length);
    const double a = (P - mu * load) / m;
    rig plane = rig_open(
        "gravity: [0, -9.81]\nground: {points: {o: [0, 0]}}\n"
        "bodies: {block: {mass: 2, inertia: 0.01, velocity: [1, 0], points: {p: [0, %.17g]}}}\n"
        "joints: {way: {type: translational, between: [ground.o, block], axis: [1, 0],\n"
        "  friction: {coefficient: %.17g, length: %.17g}}}\n"
        "forces: {push: {type: force, at: block.p, force: [%.17g, 0]}}\nrun: {until: 1 s, rtol: 1e-10}\n",
        arm, mu, length, P);
    rig space = rig_open(
        SPACE
        "bodies: {block: {mass: 2, inertia: [0.01, 0.01, 0.01], velocity: [1, 0, 0],\n"
        "  points: {p: [0, %.17g, 0], q: [0, 0, 0.05]}}}\n"
        "joints: {way: {type: prismatic, between: [ground.o, block], axis: [1, 0, 0],\n"
        "  friction: {coefficient: %.17g, length: %.17g, width: 0.2}}}\n"
        "forces: {push: {type: force, at: block.p, force: [%.17g, 0, 0]},\n"
        "         turn: {type: force, at: block.q, force: [0, -4, 0]}}\nrun: {until: 1 s, rtol: 1e-10}\n",
        arm, mu, length, P);
    rig_step_to(&plane, 1);
    rig_near(rig_value(&plane, "block.vx"), v + a, 1e-9, "plane");
    // In space 4 N more, and their moment about the guide on sides 0.2 m apart.
    const double N3 = N + 4,
                 load3 = fabs(N3 / 2 + M / length) + fabs(N3 / 2 - M / length) + 2 * 4 * 0.05 / 0.2;
    rig_step_to(&space, 1);
    rig_near(rig_value(&space, "block.vx"), v + (P - mu * load3) / m, 1e-9, "space");
    rig_close(&plane);
    rig_close(&space);
}

/* ---- no motion at all ---- */

/* A block whose centre of mass is h above its guide, l long, and 2 μ h > l: the friction that slows it tilts
 * it, which presses more than the friction can take away (Painlevé). */
static void too_much_friction_says_so(void **state) {
    (void)state;
    for (int less = 0; less < 2; less++) {
        rig r = {0};
        lash_error error = {0};
        char text[600];
        snprintf(text, sizeof text,
                 "gravity: [0, -9.81]\nground: {points: {o: [0, 0]}}\n"
                 "bodies: {block: {mass: 2, inertia: 0.01, position: [0, 0.1], velocity: [1, 0], points: {p: "
                 "[0, -0.1]}}}\n"
                 "joints: {way: {type: translational, between: [ground.o, block.p], axis: [1, 0],\n"
                 "  friction: {coefficient: %g, length: 0.1}}}\nrun: {until: 1 s}\n",
                 less ? 0.49 : 0.51);
        assert_int_equal(lash_model_parse(&r.model, text, strlen(text), "test.yaml", NULL, &error), LASH_OK);
        assert_int_equal(lash_system_compile(&r.system, r.model, &error), LASH_OK);
        const lash_status status = lash_sim_create(&r.sim, r.system, &error);
        if (less) {
            assert_int_equal(status, LASH_OK);
            rig_step_to(&r, 0.05);
            // The couple is more than the weight: μ 2 f h/l = f would be the border, so that f = μ m g still
            // holds
            rig_near(rig_value(&r, "block.vx"), 1 - 0.49 * g * 0.05, 1e-9, "just possible");
        } else {
            assert_int_equal(status, LASH_ERROR_SINGULAR);
            assert_non_null(strstr(error.message, "'way'"));
            assert_non_null(strstr(error.message, "no solution"));
            assert_non_null(strstr(error.message, "Painlevé"));
        }
        rig_close(&r);
    }
}

/* A slider that its rod slows at φ from the guide, μ tan φ > 1: the rod may hold it back, with m a/(cos φ + μ sin φ), or
 * drive it on against a guide that jams, with m a/(μ sin φ - cos φ). A run does not choose one of them. */
static void two_answers_are_none(void **state) {
    (void)state;
    for (int jams = 0; jams < 2; jams++) {
        rig r = {0};
        lash_error error = {0};
        char text[900];
        // The crank stands at 90 deg, the rod leads down to the slider at atan(4/3): a = -w² 0.8/0.6 · 0.8 …
        snprintf(text, sizeof text,
                 "gravity: [0, 0]\nground: {points: {o: [0, 0]}}\n"
                 "bodies: {crank: {mass: 1, inertia: 1, points: {p: [0, 0.8]}},\n"
                 "  rod: {mass: 1e-6, inertia: 1e-6, position: [0.3, 0.4], points: {p: [-0.3, 0.4], q: [0.3, "
                 "-0.4]}},\n"
                 "  slider: {mass: 2, inertia: 1, position: [0.6, 0]}}\n"
                 "joints: {main: {type: revolute, between: [ground.o, crank]}, p: {type: revolute, between: "
                 "[crank.p, rod.p]},\n"
                 "  q: {type: revolute, between: [rod.q, slider]},\n"
                 "  way: {type: translational, between: [ground.o, slider], axis: [1, 0], friction: "
                 "{coefficient: %g, length: 1e9}}}\n"
                 "drives: {motor: {joint: main, motion: \"10*t\"}}\nrun: {until: 1 ms}\n",
                 jams ? 0.9 : 0.6);
        if (lash_model_parse(&r.model, text, strlen(text), "test.yaml", NULL, &error) ||
            lash_system_compile(&r.system, r.model, &error))
            fail_msg("%s", error.message);
        const lash_status status = lash_sim_create(&r.sim, r.system, &error);
        if (jams) {
            assert_int_equal(status, LASH_ERROR_SINGULAR);
            assert_non_null(strstr(error.message, "'way'"));
            assert_non_null(strstr(error.message, "several solutions"));
        } else if (status) {
            fail_msg("%s", error.message);
        }
        rig_close(&r);
    }
}

/* ---- contacts with play ---- */

/* A disc that rolls in a ring: contact of a pin in its bearing with play, which sticks. Rigid, it has 3/2 of
 * its mass; from rest at the angle a it is at the bottom with v² = 4/3 g (R − r) (1 − cos a). */
static void disc_rolls_in_a_ring(void **state) {
    (void)state;
    const double R = 0.5, r = 0.1, a = 0.3, m = 2, J = 0.5 * m * r * r, c = R - r;
    for (int rigid = 0; rigid < 2; rigid++) {
        const double e = rigid ? c : (1 - 1e-5) * c; // compliant, it falls onto the ring
        rig d = rig_open(
            "gravity: [0, -9.81]\nground: {points: {o: [0, 0]}}\n"
            "bodies: {disc: {mass: 2, inertia: %.17g, position: [%.17g, %.17g]}}\n"
            "joints: {ring: {type: revolute, between: [ground.o, disc], clearance: {bearing_radius: 0.5,\n"
            "  journal_radius: 0.1, %s, friction: {law: coulomb, coefficient: 0.4},\n"
            "  offset: [%.17g, %.17g]}}}\n"
            "run: {until: 3 s, rtol: 1e-10}\n",
            J, e * sin(a), -e * cos(a),
            rigid ? "model: three-mode, restitution: 0.5"
                  : "contact: {stiffness: 1e8, law: hunt-crossley, restitution: 0.1}",
            e * sin(a), -e * cos(a));
        double fastest = 0, before = 0;
        for (int k = 50; k <= 300; k++) { // compliant, it has settled by then
            rig_step_to(&d, k * 0.01);
            const double v = hypot(rig_value(&d, "disc.vx"), rig_value(&d, "disc.vy"));
            const double energy = 0.75 * v * v + g * (rig_value(&d, "disc.y") + c);
            rig_near(rig_value(&d, "ring.vt"), 0, 1e-7, "rolls, rigid %d", rigid);
            if (k > 50)
                rig_near(energy, before, 1e-5, "energy of rolling at %g s, rigid %d", k * 0.01, rigid);
            if (rigid)
                rig_near(energy, g * c * (1 - cos(a)), 1e-7, "all of it at %g s", k * 0.01);
            before = energy;
            fastest = fmax(fastest, v);
        }
        assert_true(fastest > 0.4);
        rig_ledger(&d, 1e-6);
        rig_close(&d);
    }
}

/* A block in a channel with play on an incline: sticks, or slides with g (sin − μ cos). */
static void block_with_play_on_an_incline(void **state) {
    (void)state;
    const double angle = 0.4, c = cos(angle), s = sin(angle);
    for (int rigid = 0; rigid < 2; rigid++)
        for (int slides = 0; slides < 2; slides++) {
            const double mu = slides ? 0.3 : 0.6;
            rig r =
                rig_open("gravity: [%.17g, %.17g]\nground: {points: {o: [0, 0]}}\n"
                         "bodies: {block: {mass: 2, inertia: 0.01, position: [0, -0.0005]}}\n"
                         "joints: {way: {type: translational, between: [ground.o, block], axis: [1, 0], "
                         "clearance: {length: 0.2,\n"
                         "  height: 0.05, play: 1 mm, %s, friction: {law: coulomb, coefficient: %.17g}}}}\n"
                         "run: {until: 4 s, rtol: 1e-9}\n",
                         g * s, -g * c,
                         rigid ? "model: three-mode, restitution: 0"
                               : "contact: {stiffness: 1e8, law: hunt-crossley, restitution: 0.3}",
                         mu);
            rig_step_to(&r, 2);
            const double x = rig_value(&r, "block.x"), v = rig_value(&r, "block.vx");
            rig_step_to(&r, 4);
            if (slides)
                rig_near((rig_value(&r, "block.vx") - v) / 2, g * (s - mu * c), 1e-5, "slides, rigid %d",
                         rigid);
            else
                rig_near(rig_value(&r, "block.x"), x, 1e-9, "does not creep, rigid %d", rigid);
            rig_ledger(&r, 1e-5);
            rig_close(&r);
        }
}

/* ---- the state ---- */

static void goes_on_bit_for_bit(void **state) {
    (void)state;
    rig r =
        rig_open("gravity: [0, -9.81]\n"
                 "ground: {points: {o: [0, 0], wall: [-1, 0]}}\n"
                 "bodies: {belt: {mass: 5, inertia: 0.1}, block: {mass: 1, inertia: 0.01},\n"
                 "         bob: {mass: 1, inertia: 0.1, position: [0, -0.3], points: {top: [0, 0.3]}}}\n"
                 "joints:\n"
                 "  bed: {type: translational, between: [ground.o, belt], axis: [1, 0]}\n"
                 "  top: {type: translational, between: [belt, block], axis: [1, 0],\n"
                 "        friction: {coefficient: 0.3, coefficient_static: 0.5, length: 0.1 m}}\n"
                 "  pin: {type: revolute, between: [block, bob.top], friction: {law: lugre, coefficient: "
                 "0.2, radius: 0.01}}\n"
                 "drives: {motor: {joint: bed, speed: 0.1}}\n"
                 "forces: {s: {type: spring, between: [ground.wall, block], stiffness: 50, free_length: 1}}\n"
                 "run: {until: 10 s}\n");
    static const double times[] = {0.5, 0.8, 1.7, 2.6};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        lash_state *kept = NULL;
        rig_step_to(&r, times[k]);
        assert_int_equal(lash_state_create(&kept, r.sim, NULL), LASH_OK);
        rig_step_to(&r, times[k] + 1.5);
        const double x = rig_value(&r, "block.x"), f = rig_value(&r, "pin.friction"),
                     lost = rig_value(&r, "energy.friction");
        assert_int_equal(lash_sim_restore(r.sim, kept, NULL), LASH_OK);
        rig_step_to(&r, times[k] + 1.5);
        assert_true(x == rig_value(&r, "block.x"));
        assert_true(f == rig_value(&r, "pin.friction"));
        assert_true(lost == rig_value(&r, "energy.friction"));
        assert_int_equal(lash_sim_restore(r.sim, kept, NULL), LASH_OK);
        lash_state_destroy(kept);
    }
    rig_close(&r);
}

/* ---- drives ---- */

/* A drive that moves a joint with friction, rests, and goes on: while it rests there is no friction, and no
 * event is missed where it begins softly. */
static void driven_joint_rests(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, -9.81]\nground: {points: {o: [0, 0]}}\n"
                     "bodies: {block: {mass: 2, inertia: 0.01}}\n"
                     "joints: {way: {type: translational, between: [ground.o, block], axis: [1, 0],\n"
                     "  friction: {coefficient: 0.3, length: 0.1}}}\n"
                     "drives: {d: {joint: way, motion: \"if(t < 1, 0, (t - 1)^3) * 1 m\"}}\n"
                     "run: {until: 3 s}\n");
    rig_step_to(&r, 0.5);
    rig_near(rig_value(&r, "way.friction"), 0, 1e-9, "rests");
    rig_step_to(&r, 2);
    rig_near(rig_value(&r, "way.friction"), -0.3 * 2 * g, 1e-9, "moves");
    rig_near(rig_value(&r, "d.force"), 0.3 * 2 * g + 2 * 6, 1e-6, "the drive pulls");
    rig_near(rig_value(&r, "energy.friction"), 0.3 * 2 * g * 1, 1e-6, "lost");
    rig_ledger(&r, 1e-6);
    rig_close(&r);
}

/* A drive that rests between two motions: no friction there either, whatever the errors of the speed are. */
static void driven_joint_rests_again(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        rig r = rig_open("gravity: [0, -9.81]\nground: {points: {o: [0, 0]}}\n"
                         "bodies: {block: {mass: 2, inertia: 0.01}}\n"
                         "joints: {way: {type: translational, between: [ground.o, block], axis: [1, 0],\n"
                         "  friction: {coefficient: 0.3, length: 0.1}}}\n"
                         "drives: {d: {joint: way, motion: \"0.1 m*(smoothstep(t/(0.2 s)) - smoothstep((t - "
                         "0.3 s)/(0.2 s)))\"}}\n"
                         "run: {until: 1 s, method: %s}\n",
                         methods[k]);
        static const double at[] = {0.1, 0.25, 0.4, 0.6},
                            friction[] = {-0.3 * 2 * 9.81, 0, 0.3 * 2 * 9.81, 0};
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            rig_step_to(&r, at[i]);
            rig_near(rig_value(&r, "way.friction"), friction[i], 1e-9, "%s at %g s", methods[k], at[i]);
        }
        rig_ledger(&r, 1e-4);
        rig_close(&r);
    }
}

/* In space, with balls and crosses that slide in several directions, while a drive comes to rest and turns back: a
 * run agrees with the kinematics, which ask for no more than the speeds. */
static void driven_balls_rest(void **state) {
    (void)state;
    enum { ROWS = 60 };
    static const char *const motions[] = {"0.5*sin(20*t) + 0.4", "if(t < 0.1, 0, smoothstep((t - 0.1)/0.1))",
                                          "smoothstep(t/0.1) - smoothstep((t - 0.15)/0.1)"};
    static const char *const channels[] = {"motor.torque", "ball.friction", "way.friction", "way.sdot", NULL};
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
        rig_rows rows[2];
        rig r[2];
        for (int still = 0; still < 2; still++) {
            r[still] =
                rig_open("space: spatial\ngravity: [0, 0, -9.81]\nground: {points: {w: [0.1, 0.05, 0.02]}}\n"
                         "bodies:\n"
                         "  crank: {mass: 0.3, inertia: [1e-4, 2e-4, 2e-4], position: [0, 0, 0.025],\n"
                         "          points: {a: [0, 0, -0.025], b: [0, 0, 0.025]}}\n"
                         "  rod: {mass: 0.2, inertia: [1e-5, 3e-4, 3e-4], position: [0.08, 0.025, 0.035],\n"
                         "        orientation: {x: [0.16, 0.05, -0.03], z: [0, 0, 1]},\n"
                         "        points: {a: [-0.09, 0, 0], b: [0.09, 0, 0]}}\n"
                         "  slider: {mass: 0.15, inertia: [1e-4, 1e-4, 1e-4], position: [0.17, 0.05, 0.02]}\n"
                         "joints:\n"
                         "  main: {type: revolute, between: [ground, crank.a], axis: [0, 1, 0],\n"
                         "         friction: {coefficient: 0.1, radius: 0.01, length: 0.02}}\n"
                         "  cross: {type: universal, between: [crank.b, rod.a], axis: [0, 1, 0], "
                         "second_axis: [0, 0, 1],\n"
                         "          friction: {coefficient: 0.1, radius: 0.005, length: 0.02}}\n"
                         "  ball: {type: spherical, between: [slider, rod.b], friction: {coefficient: 0.1, "
                         "radius: 0.01}}\n"
                         "  way: {type: prismatic, between: [ground.w, slider], axis: [1, 0, 0],\n"
                         "        friction: {coefficient: 0.1, length: 0.03, width: 0.03, force: 0.5}}\n"
                         "drives: {motor: {joint: main, motion: \"%s\"}}\n"
                         "run: {until: 0.3 s, rtol: 1e-10, stabilisation: projection}\n",
                         motions[k]);
            rows[still] = rig_sample(&r[still], ROWS, channels, still);
        }
        for (size_t i = 0; i <= ROWS; i++)
            for (size_t c = 1; c < 4 && !(fabs(rig_at(&rows[1], i, 4)) < 1e-6);
                 c++) // not where it turns back
                rig_near(rig_at(&rows[0], i, c), rig_at(&rows[1], i, c), 1e-6, "%s: %s at %g s", motions[k],
                         channels[c - 1], rig_at(&rows[0], i, 0));
        for (int still = 0; still < 2; still++) {
            rig_rows_close(&rows[still]);
            rig_close(&r[still]);
        }
    }
}

/* A driven block without integration: friction acts against each sample's own speed, also after the drive has turned
 * back, and not where it rests. */
static void driven_joint_turns_back_in_kinematics(void **state) {
    (void)state;
    enum { ROWS = 100 };
    rig r = rig_open("gravity: [0, -9.81]\nground: {points: {o: [0, 0]}}\n"
                     "bodies: {block: {mass: 2, inertia: 0.01}}\n"
                     "joints: {way: {type: translational, between: [ground.o, block], axis: [1, 0],\n"
                     "  friction: {coefficient: 0.3, length: 0.1}}}\n"
                     "drives: {d: {joint: way, motion: \"0.1 m*(smoothstep(t/(0.2 s)) - smoothstep((t - 0.3 "
                     "s)/(0.2 s)))\"}}\n"
                     "run: {until: 0.6 s}\n");
    static const char *const channels[] = {"way.friction", "d.force", "block.ax", "block.vx", NULL};
    rig_rows rows = rig_sample(&r, ROWS, channels, true);
    int ways[3] = {0};
    for (size_t k = 0; k <= ROWS; k++) {
        const double v = rig_at(&rows, k, 4), friction = -0.3 * 2 * g * ((v > 1e-12) - (v < -1e-12));
        rig_near(rig_at(&rows, k, 1), friction, 1e-9, "friction at %g s", rig_at(&rows, k, 0));
        rig_near(rig_at(&rows, k, 2), 2 * rig_at(&rows, k, 3) - friction, 1e-9, "force at %g s",
                 rig_at(&rows, k, 0));
        ways[(v > 1e-12) - (v < -1e-12) + 1]++;
    }
    assert_true(ways[0] > 30 && ways[1] > 30 && ways[2] > 30);
    rig_rows_close(&rows);
    rig_close(&r);
}

/* ---- what a step could pass over, and what an evaluation could remember ---- */

/* A cart that sticks on its rail by a constant force, with a pendulum that swings on it from the level. */
static rig swinging(double force) {
    return rig_open(
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  cart: {mass: 2, inertia: 0.1}\n"
        "  bob: {mass: 1, inertia: 0.02, position: [0.5, 0], points: {top: [-0.5, 0]}}\n"
        "joints:\n"
        "  rail: {type: translational, between: [ground, cart], axis: [1, 0], friction: {force: %.17g}}\n"
        "  pivot: {type: revolute, between: [cart, bob.top]}\n"
        "run: {until: 0.9 s, rtol: 1e-9}\n",
        force);
}

/* The force on the rail passes what holds the cart by a hundred thousandth, for some milliseconds between two
 * stages of a step; or stays below it by as much. */
static void a_short_slip_is_not_passed_over(void **state) {
    (void)state;
    static const char *const channels[] = {"rail.friction", NULL};
    double most = 0;
    enum { ROWS = 9000 };
    rig r = swinging(1e3);
    rig_rows rows = rig_sample(&r, ROWS, channels, false);
    for (size_t k = 0; k <= ROWS; k++)
        most = fmax(most, fabs(rig_at(&rows, k, 1)));
    rig_rows_close(&rows);
    rig_close(&r);
    // All of a free pendulum's weight and speed: ½ (J + m l²) θ'² = m g l sin θ, and the force on its pivot.
    assert_true(most > 5 && most < 3 * 9.81);
    for (int k = 0; k < 2; k++) {
        r = swinging(most * (k ? 1 + 1e-5 : 1 - 1e-5));
        rows = rig_sample(&r, 1, channels, false);
        assert_true((rig_event(&rows, LASH_EVENT_SLIP, 0) != NULL) == (k == 0));
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* Rates are a function of the point alone, bit for bit: whatever was evaluated before. */
static void an_evaluation_remembers_nothing(void **state) {
    (void)state;
    rig r =
        rig_open("gravity: [0, -9.81]\n"
                 "bodies:\n"
                 "  crank: {mass: 0.3, inertia: 1e-3, position: [0.05, 0], angular_velocity: 3, hold: [w],\n"
                 "          points: {main: [-0.05, 0], pin: [0.05, 0]}}\n"
                 "  rod: {mass: 0.2, inertia: 1e-3, position: [0.25, 0], points: {big: [-0.15, 0], small: "
                 "[0.15, 0]}}\n"
                 "  slider: {mass: 0.5, inertia: 1e-3, position: [0.4, 0]}\n"
                 "joints:\n"
                 "  main: {type: revolute, between: [ground, crank.main], friction: {law: threlfall, "
                 "coefficient: 0.2, radius: 0.02}}\n"
                 "  big: {type: revolute, between: [crank.pin, rod.big], friction: {law: threlfall, "
                 "coefficient: 0.3, radius: 0.02}}\n"
                 "  small: {type: revolute, between: [rod.small, slider], friction: {law: threlfall, "
                 "coefficient: 0.3, radius: 0.02}}\n"
                 "  guide: {type: translational, between: [ground, slider], axis: [1, 0], friction: {law: "
                 "threlfall, coefficient: 0.2, length: 0.03}}\n"
                 "run: {until: 1}\n");
    const size_t n = lash_sim_coordinate_count(r.sim);
    enum { POINTS = 40, MOST = 64 };
    static double y[POINTS][MOST], first[POINTS][MOST];
    double again[MOST];
    lash_error error = {0};
    assert_true(n <= MOST);
    for (int k = 0; k < POINTS; k++) {
        rig_step_to(&r, 0.02 * (k + 1));
        lash_sim_coordinates(y[k], r.sim);
        rig_require(lash_sim_rates(first[k], r.sim, lash_sim_time(r.sim), y[k], &error), &error, "rates");
    }
    for (int k = POINTS - 1; k >= 0; k -= 3) {
        rig_require(lash_sim_rates(again, r.sim, 0.02 * (k + 1), y[k], &error), &error, "rates");
        assert_memory_equal(again, first[k], n * sizeof(double));
    }
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_slip_is_not_passed_over),
        cmocka_unit_test(an_evaluation_remembers_nothing),
        cmocka_unit_test(every_law_slows_a_block),
        cmocka_unit_test(constant_friction_has_the_shape_of_its_law),
        cmocka_unit_test(damped_bodies_are_held),
        cmocka_unit_test(mesh_loses),
        cmocka_unit_test(rack_loses),
        cmocka_unit_test(rack_is_driven_off),
        cmocka_unit_test(planet_loses),
        cmocka_unit_test(loaded_teeth_stick),
        cmocka_unit_test(what_sticks_loads_what_slides),
        cmocka_unit_test(stopping_is_an_impulse),
        cmocka_unit_test(mesh_loses_in_space),
        cmocka_unit_test(teeth_load_dry_bearings),
        cmocka_unit_test(pendulums_in_space),
        cmocka_unit_test(shaft_in_a_sleeve),
        cmocka_unit_test(every_law_has_no_direction),
        cmocka_unit_test(two_answers_are_none),
        cmocka_unit_test(shaft_with_a_wheel_begins),
        cmocka_unit_test(couple_on_a_guide),
        cmocka_unit_test(too_much_friction_says_so),
        cmocka_unit_test(disc_rolls_in_a_ring),
        cmocka_unit_test(block_with_play_on_an_incline),
        cmocka_unit_test(goes_on_bit_for_bit),
        cmocka_unit_test(driven_joint_rests),
        cmocka_unit_test(driven_joint_rests_again),
        cmocka_unit_test(driven_balls_rest),
        cmocka_unit_test(driven_joint_turns_back_in_kinematics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
