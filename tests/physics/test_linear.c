/* SPDX-License-Identifier: MIT
 *
 * Linearisation against closed forms to 1e-9: a compound double pendulum, a shaft on springs in the plane, in
 * space spinning rotors on bushings; what is hinged on something that turns; inputs and outputs; f and its Jacobian; eigenvalues of
 * matrices that have known ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/eigen.h"
#include "physics/rig.h"

static const double TOLERANCE = 1e-9, TWO_PI = 6.283185307179586476925;

static lash_linear *linearise(const rig *r, const char *const *outputs, size_t count) {
    lash_linear *linear;
    lash_error error = {0};
    if (lash_linear_create(&linear, r->sim, outputs, count, &error))
        fail_msg("%s", error.message);
    return linear;
}

static void near(const char *what, double got, double wanted) {
    if (!(fabs(got - wanted) <= TOLERANCE * fmax(fabs(wanted), 1e-3)))
        fail_msg("%s: %.15g, wanted %.15g", what, got, wanted);
}

/* Two rods of mass m, length l, inertia J about their centres, hanging: with α = m l²/4 + J,
 *   [α + m l²  m l²/2] q̈ + [3/2 m g l   0      ] q = 0.
 *   [m l²/2    α     ]      [0        1/2 m g l]                                                      */
static void test_double_pendulum(void **state) {
    (void)state;
    const double m = 2, l = 0.7, J = 0.09, g = 9.81;
    rig r = rig_open(
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  upper: {mass: 2, inertia: 0.09, position: [0, -0.35], points: {a: [0, 0.35], b: [0, -0.35]}}\n"
        "  lower: {mass: 2, inertia: 0.09, position: [0, -1.05], points: {a: [0, 0.35]}}\n"
        "ground: {points: {o: [0, 0]}}\n"
        "joints:\n"
        "  top: {type: revolute, between: [ground.o, upper.a]}\n"
        "  knee: {type: revolute, between: [upper.b, lower.a]}\n"
        "run: {until: 1}\n");
    const double alpha = m * l * l / 4 + J, a = alpha + m * l * l, b = m * l * l / 2, k1 = 1.5 * m * g * l,
                 k2 = 0.5 * m * g * l;
    // det(K − ω²M) = (k1 − a w)(k2 − α w) − b² w²
    const double A = a * alpha - b * b, B = -(k1 * alpha + k2 * a), C = k1 * k2,
                 root = sqrt(B * B - 4 * A * C);
    lash_linear *linear = linearise(&r, NULL, 0);
    assert_int_equal(lash_linear_freedoms(linear), 2);
    lash_mode mode;
    assert_true(lash_linear_mode(&mode, linear, 0));
    near("slow", mode.frequency, sqrt((-B - root) / (2 * A)) / TWO_PI);
    near("its damping", mode.damping, 0);
    assert_true(lash_linear_mode(&mode, linear, 1));
    near("fast", mode.frequency, sqrt((-B + root) / (2 * A)) / TWO_PI);
    assert_false(lash_linear_mode(&mode, linear, 2));
    // The shape: q1/q2 = ω² b/(k1 − a ω²).
    double real[6], imaginary[6];
    const double w = (-B - root) / (2 * A);
    assert_int_equal(lash_linear_shape(real, imaginary, linear, 0, NULL), LASH_OK);
    near("shape", real[2] / real[5], w * b / (k1 - a * w));
    assert_string_equal(lash_linear_coordinate_name(linear, 5), "lower.angle");
    lash_linear_destroy(linear);
    rig_close(&r);
}

/* A rigid shaft on two springs with dampers, pushed from the side: m ÿ + 2c ẏ + 2k y = F, and about its
 * centre J θ̈ + 2c a² θ̇ + 2k a² θ = a F where F acts at one end. Springs are long, so that they stay upright.
 */
static void test_shaft_on_springs(void **state) {
    (void)state;
    const double m = 3, J = 0.2, k = 4e4, c = 15, a = 0.4, L = 0.5;
    rig r =
        rig_open("gravity: [0, 0]\n"
                 "bodies:\n"
                 "  shaft: {mass: 3, inertia: 0.2, position: [0, 0], points: {l: [-0.4, 0], r: [0.4, 0]}}\n"
                 "ground: {points: {l: [-0.4, -0.5], r: [0.4, -0.5]}}\n"
                 "joints:\n"
                 "  guide: {type: point-on-line, between: [ground, shaft], axis: [0, 1]}\n"
                 "forces:\n"
                 "  left: {type: spring, between: [ground.l, shaft.l], stiffness: 4e4, damping: 15}\n"
                 "  right: {type: spring, between: [ground.r, shaft.r], stiffness: 4e4, damping: 15}\n"
                 "  push: {type: force, at: shaft.r, force: [0, 0]}\n"
                 "run: {until: 1}\n");
    static const char *const outputs[] = {"shaft.y", "shaft.angle", "shaft.ay"};
    lash_linear *linear = linearise(&r, outputs, 3);
    (void)L;
    const double heave = sqrt(2 * k / m), pitch = sqrt(2 * k * a * a / J);
    assert_int_equal(lash_linear_freedoms(linear), 2);
    for (size_t i = 0; i < 2; i++) {
        lash_mode mode;
        assert_true(lash_linear_mode(&mode, linear, i));
        const bool slow = i == (heave < pitch ? 0 : 1);
        const double natural = slow ? heave : pitch;
        const double damping = slow ? c / (m * heave) : c * a * a / (J * pitch);
        near("natural", mode.natural, natural / TWO_PI);
        near("damping", mode.damping, damping);
        near("frequency", mode.frequency, natural * sqrt(1 - damping * damping) / TWO_PI);
    }
    // D of the acceleration, and the response C (−A)⁻¹ B at rest: y = F/2k, θ = F/(2 k a).
    size_t rows, columns;
    const double *D = lash_linear_matrix(&rows, &columns, linear, 'D');
    assert_int_equal(rows, 3);
    assert_int_equal(columns, 2);
    assert_string_equal(lash_sim_input_name(r.sim, 1), "push.fy");
    near("D", D[2 * 2 + 1], 1 / m);
    const double *A = lash_linear_matrix(NULL, NULL, linear, 'A'),
                 *B = lash_linear_matrix(NULL, NULL, linear, 'B'),
                 *C = lash_linear_matrix(NULL, NULL, linear, 'C');
    // Positions at rest solve K x = B_v u, K = −A21, 2×2.
    const double K[4] = {-A[8], -A[9], -A[12], -A[13]}, u[2] = {B[2 * 2 + 1], B[3 * 2 + 1]},
                 det = K[0] * K[3] - K[1] * K[2];
    const double x[2] = {(K[3] * u[0] - K[1] * u[1]) / det, (K[0] * u[1] - K[2] * u[0]) / det};
    near("deflection", (C[0] * x[0] + C[1] * x[1]) * 2 * k, 1);
    near("tilt", (C[4] * x[0] + C[5] * x[1]) * 2 * k * a, 1);
    lash_linear_destroy(linear);
    rig_close(&r);
}

/* Whether s = ± i w is among the modes. */
static void require_mode(const lash_linear *linear, const char *what, double w) {
    lash_mode mode;
    for (size_t j = 0; lash_linear_mode(&mode, linear, j); j++)
        if (fabs(mode.imaginary - w) <= TOLERANCE * w && fabs(mode.real) <= TOLERANCE * w)
            return;
    for (size_t j = 0; lash_linear_mode(&mode, linear, j); j++)
        print_message("%.12g %.12g\n", mode.real, mode.imaginary);
    fail_msg("%s: no mode of %.12g rad/s", what, w);
}

/* A rotor of polar inertia P and transverse inertia T spins with Ω on a bushing of tilt stiffness κ, by itself
 * or in a housing whose inertia is D. Its whirl, in the ground: (T + D) w² ∓ P Ω w − κ = 0. */
static void test_spinning_rotor(void **state) {
    (void)state;
    static const char *const text[] = {
        "space: spatial\nbodies:\n"
        "  rotor: {mass: 1.5, inertia: [0.02, 0.02, 0.03], angular_velocity: [0, 0, 50]}\n"
        "forces:\n"
        "  seat: {type: bushing, between: [ground, rotor], along: [2000, 2000, 2000], about: [30, 30, 0]}\n"
        "run: {until: 1}\n",
        "space: spatial\nbodies:\n"
        "  rotor: {mass: 1, inertia: [0.02, 0.02, 0.03], angular_velocity: [0, 0, 50]}\n"
        "  housing: {mass: 0.5, inertia: [0.01, 0.01, 0.01]}\n"
        "joints: {shaft: {type: revolute, between: [housing, rotor], axis: [0, 0, 1]}}\n"
        "drives: {motor: {joint: shaft, speed: 50}}\n"
        "forces:\n"
        "  seat: {type: bushing, between: [ground, housing], along: [2000, 2000, 2000], about: [30, 30, "
        "30]}\n"
        "run: {until: 1}\n"};
    const double P = 0.03, spin = 50, kappa = 30;
    for (int k = 0; k < 2; k++) {
        rig r = rig_open("%s", text[k]);
        lash_linear *linear = linearise(&r, NULL, 0);
        assert_int_equal(lash_linear_freedoms(linear), 6);
        const double T = k ? 0.03 : 0.02, half = P * spin / (2 * T), root = sqrt(half * half + kappa / T);
        require_mode(linear, "forward", root + half);
        require_mode(linear, "backward", root - half);
        require_mode(linear, "along", sqrt(2000 / 1.5));
        lash_linear_destroy(linear);
        rig_close(&r);
    }
}

/* The same with moments across the axis that differ a little: the whirl follows the mean of both, to the first
 * order of the difference. */
static void test_uneven_rotor(void **state) {
    (void)state;
    double whirl[2][2];
    for (int k = 0; k < 2; k++) {
        rig r = rig_open("space: spatial\nbodies:\n"
                         "  rotor: {mass: 1, inertia: [%g, %g, 0.03], angular_velocity: [0, 0, 50]}\n"
                         "  housing: {mass: 0.5, inertia: [0.01, 0.01, 0.01]}\n"
                         "joints: {shaft: {type: revolute, between: [housing, rotor], axis: [0, 0, 1]}}\n"
                         "drives: {motor: {joint: shaft, speed: 50}}\n"
                         "forces:\n"
                         "  seat: {type: bushing, between: [ground, housing], along: [2000, 2000, 2000], "
                         "about: [30, 30, 30]}\n"
                         "run: {until: 1}\n",
                         k ? 0.02005 : 0.02, k ? 0.01995 : 0.02);
        lash_linear *linear = linearise(&r, NULL, 0);
        const double half = 0.03 * 50 / 0.06, root = sqrt(half * half + 30 / 0.03);
        whirl[k][0] = whirl[k][1] = INFINITY;
        lash_mode mode;
        for (size_t j = 0; lash_linear_mode(&mode, linear, j); j++)
            for (int i = 0; i < 2; i++) {
                const double wanted = i ? root + half : root - half;
                if (fabs(mode.imaginary - wanted) < fabs(whirl[k][i] - wanted))
                    whirl[k][i] = mode.imaginary;
            }
        lash_linear_destroy(linear);
        rig_close(&r);
    }
    for (int i = 0; i < 2; i++)
        if (!(fabs(whirl[1][i] / whirl[0][i] - 1) < 1e-4))
            fail_msg("whirl of %.12g rad/s, %.12g of an even rotor", whirl[1][i], whirl[0][i]);
}

/* A body that turns about its middle axis: small errors grow as exp(s t),
 * s² = Ω² (J3 − J1)(J2 − J3)/(J1 J2). */
static void test_middle_axis(void **state) {
    (void)state;
    rig r = rig_open("space: spatial\n"
                     "bodies: {box: {mass: 1, inertia: [0.03, 0.02, 0.025], angular_velocity: [0, 0, 8]}}\n"
                     "run: {until: 1}\n");
    lash_linear *linear = linearise(&r, NULL, 0);
    double fastest = 0;
    lash_mode mode;
    for (size_t j = 0; lash_linear_mode(&mode, linear, j); j++)
        fastest = fmax(fastest, mode.real);
    near("growth", fastest, 8 * sqrt(0.005 * 0.005 / (0.03 * 0.02)));
    lash_linear_destroy(linear);
    rig_close(&r);
}

/* What is hinged on something that turns with Ω at the distance R, its mass m at d from the hinge and its
 * inertia J about that: in the plane ω² = Ω² m R d/J. A blade that flaps, of a rod's inertia J1 about itself:
 * ω² = Ω² (m R d + J − J1)/J. */
static void test_turning_with(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        rig r = rig_open("bodies:\n"
                         "  hub: {mass: 1, inertia: 0.01, points: {a: [0.1, 0]}}\n"
                         "  bob: {mass: 0.1, inertia: 1e-5, position: [0.12, 0], points: {p: [-0.02, 0]}, "
                         "velocity: [0, 12], angular_velocity: 100, hold: [w]}\n"
                         "joints:\n"
                         "  main: {type: revolute, between: [ground, hub]}\n"
                         "  hinge: {type: revolute, between: [hub.a, bob.p]}\n"
                         "drives: {motor: {joint: main, speed: 100}}\n"
                         "run: {until: 1, rtol: 1e-10}\n");
        if (k)
            rig_step_to(&r, 0.003);
        lash_linear *linear = linearise(&r, NULL, 0);
        assert_int_equal(lash_linear_freedoms(linear), 1);
        const double w = 100 * sqrt(0.1 * 0.1 * 0.02 / (1e-5 + 0.1 * 0.02 * 0.02));
        require_mode(linear, "pendulum of a hub", w);
        lash_linear_destroy(linear);
        rig_close(&r);
    }
    rig r = rig_open("space: spatial\nbodies:\n"
                     "  hub: {mass: 1, inertia: [0.1, 0.1, 0.1], points: {a: [0.3, 0, 0]}}\n"
                     "  blade: {mass: 3, inertia: [0.001, 0.4, 0.4], position: [1.3, 0, 0], "
                     "points: {p: [-1, 0, 0]}}\n"
                     "joints:\n"
                     "  main: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
                     "  hinge: {type: revolute, between: [hub.a, blade.p], axis: [0, 1, 0]}\n"
                     "drives: {motor: {joint: main, speed: 40}}\n"
                     "run: {until: 1}\n");
    lash_linear *linear = linearise(&r, NULL, 0);
    require_mode(linear, "blade", 40 * sqrt((3 * 0.3 + 3.4 - 0.001) / 3.4));
    lash_linear_destroy(linear);
    rig_close(&r);
}

/* A pendulum that swings through its lowest point: its speed is no stiffness. */
static void test_passing_pendulum(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, -9.81]\n"
                     "bodies: {bob: {mass: 2, inertia: 0.05, position: [0, -0.4], angular_velocity: 7, "
                     "hold: [w], points: {top: [0, 0.4]}}}\n"
                     "joints: {pivot: {type: revolute, between: [ground, bob.top]}}\n"
                     "run: {until: 1}\n");
    lash_linear *linear = linearise(&r, NULL, 0);
    require_mode(linear, "pendulum", sqrt(2 * 9.81 * 0.4 / (0.05 + 2 * 0.16)));
    lash_linear_destroy(linear);
    rig_close(&r);
}

/* A pendulum in space about the axis u, horizontal and along none of its own axes: ω² = m g d/(m d² + uᵀ J u). */
static void test_pendulum_in_space(void **state) {
    (void)state;
    const double m = 1.5, d = 0.4, g = 9.81, J = 0.36 * 0.02 + 0.64 * 0.03 + 2 * 0.48 * 0.004;
    rig r = rig_open("space: spatial\ngravity: [0, 0, -9.81]\n"
                     "bodies: {bob: {mass: 1.5, inertia: [0.02, 0.03, 0.025, 0.004, -0.003, 0.002],\n"
                     "  position: [0, 0, -0.4], points: {top: [0, 0, 0.4]}}}\n"
                     "joints: {pivot: {type: revolute, between: [ground, bob.top], axis: [0.6, 0.8, 0]}}\n"
                     "run: {until: 1}\n");
    assert_int_equal(lash_sim_coordinate_count(r.sim), 2);
    lash_linear *linear = linearise(&r, NULL, 0);
    assert_int_equal(lash_linear_freedoms(linear), 1);
    lash_mode mode;
    assert_true(lash_linear_mode(&mode, linear, 0));
    near("frequency", mode.frequency, sqrt(m * g * d / (m * d * d + J)) / TWO_PI);
    lash_linear_destroy(linear);
    rig_close(&r);
}

/* A pendulum with reduce: false: f is known, and so is its Jacobian along the motion. */
static void test_rates(void **state) {
    (void)state;
    rig r = rig_open("gravity: [0, 0]\n"
                     "bodies:\n"
                     "  block: {mass: 2, inertia: 1, position: [0.3, 0], velocity: [0.5, 0]}\n"
                     "ground: {points: {o: [-1, 0]}}\n"
                     "forces:\n"
                     "  spring: {type: spring, between: [ground.o, block], stiffness: 8, free_length: 1}\n"
                     "run: {until: 1}\n");
    assert_int_equal(lash_sim_coordinate_count(r.sim), 6);
    double y[6], rates[6], J[36];
    lash_sim_coordinates(y, r.sim);
    assert_int_equal(lash_sim_rates(rates, r.sim, 0, y, NULL), LASH_OK);
    near("x'", rates[0], 0.5);
    near("vx'", rates[3], -8 * 0.3 / 2);
    assert_int_equal(lash_sim_jacobian(J, r.sim, 0, y, NULL), LASH_OK);
    near("dx'/dvx", J[0 * 6 + 3], 1);
    near("dvx'/dx", J[3 * 6 + 0], -4);
    near("dvy'/dy", J[4 * 6 + 1], -4 * 0.3 / 1.3); // the force turns with the spring: −k (l − l0)/l /m
    assert_int_equal(lash_sim_rates(NULL, r.sim, 0, y, NULL), LASH_ERROR_USAGE);
    assert_int_equal(lash_sim_jacobian(J, NULL, 0, y, NULL), LASH_ERROR_USAGE);
    rig_close(&r);
}

/* An input that enters as its cube: 3u² at u = 2 N, in coordinates in which the mass is 1. */
static void test_curved_input(void **state) {
    (void)state;
    rig r = rig_open(
        "inputs: {u: 2 N}\nbodies: {m: {mass: 2 kg, inertia: 1}}\n"
        "joints: {ways: {type: translational, between: [ground, m], axis: [1, 0]}}\n"
        "forces: {f: {type: force, at: m, force: [\"u*u*u/(1 N^2) - 5 N/m*m.x\", 0]}}\nrun: {until: 1 s}\n");
    lash_linear *l;
    lash_error error = {0};
    static const char *const outputs[] = {"m.x"};
    rig_require(lash_linear_create(&l, r.sim, outputs, 1, &error), &error, "linear");
    size_t rows, inputs;
    const double *B = lash_linear_matrix(&rows, &inputs, l, 'B');
    assert_int_equal(rows, 2);
    assert_true(fabs(fabs(B[inputs]) - 12 / sqrt(2.0)) < 2e-5); // a difference of 3 mN, squared, is left
    lash_linear_destroy(l);
    rig_close(&r);
}

/* What is made of pieces is differentiated in the piece that holds: a stiffness by the side, a held value, a
 * place that slides with friction by its load, one that sticks and is no freedom; on the border it is
 * refused. */
static void test_pieces(void **state) {
    (void)state;
    static const char machine[] = "inputs: {u: 0 N}\ngravity: [0, -9.81]\n"
                                  "bodies: {m: {mass: 2 kg, inertia: 1, position: [%g, 0]}, n: {mass: 1, "
                                  "inertia: 1, velocity: [%g, 0]}}\n"
                                  "joints:\n"
                                  "  ways: {type: translational, between: [ground, m], axis: [1, 0]}\n"
                                  "  top: {type: translational, between: [ground, n], axis: [1, 0],\n"
                                  "        friction: {law: coulomb, coefficient: 0.3, length: 0.1 m}}\n"
                                  "signals: {held: {hold: \"m.x*5 N/m\", every: 0.1 s}}\n"
                                  "forces:\n"
                                  "  f: {type: force, at: m, force: [\"-if(m.x > 0 m, 200 N/m, 50 N/m)*m.x - "
                                  "3 N*s/m*m.vx + u + held\", 0]}\n"
                                  "  g: {type: force, at: n, force: [\"0.1 N - 5 N/m*n.x\", 0]}\n"
                                  "run: {until: 1 s}\n";
    for (int k = 0; k < 4; k++) {
        const double x = k % 2 ? -0.1 : 0.1, stiffness = k % 2 ? 50 : 200;
        const bool slides = k > 1;
        rig r = rig_open(machine, x, slides ? 0.4 : 0.0);
        lash_linear *l;
        lash_error error = {0};
        static const char *const outputs[] = {"m.x", "n.x"};
        rig_require(lash_linear_create(&l, r.sim, outputs, 2, &error), &error, "linear");
        const size_t n = slides ? 4 : 2, f = n / 2;
        size_t rows, columns, inputs;
        assert_int_equal(lash_linear_freedoms(l), f);
        const double *A = lash_linear_matrix(&rows, &columns, l, 'A'),
                     *C = lash_linear_matrix(&rows, &columns, l, 'C'),
                     *B = lash_linear_matrix(&rows, &inputs, l, 'B');
        // Which freedom is that of m: the one that its place follows.
        size_t m = 0;
        for (size_t i = 0; i < f; i++)
            m = fabs(C[i]) > fabs(C[m]) ? i : m;
        near("stiffness", A[(f + m) * n + m], -stiffness / 2);
        near("damping", A[(f + m) * n + f + m], -1.5);
        near("input", fabs(B[(f + m) * inputs]), 1 / sqrt(2.0));
        if (slides) {
            const size_t other = 1 - m;
            near("spring of the sliding one", A[(f + other) * n + other], -5);
            near("no damping", A[(f + other) * n + f + other], 0);
            // Lifted by a force, it presses and rubs less: inputs are u, f.fx, f.fy, g.fx, g.fy.
            near("friction by the load", B[(f + other) * inputs + 4] * copysign(1, C[n + other]), 0.3);
        } else {
            near("what sticks stays", hypot(C[n], C[n + 1]), 0);
        }
        lash_linear_destroy(l);
        rig_close(&r);
    }
    rig r = rig_open(machine, 0.0, 0.0);
    lash_linear *l;
    lash_error error = {0};
    assert_int_equal(lash_linear_create(&l, r.sim, NULL, 0, &error), LASH_ERROR_USAGE);
    assert_null(l);
    assert_non_null(strstr(error.message, "changes just here"));
    rig_close(&r);
}

/* A gear of 1e8 N/m turning steadily, as in a drive that has run for long: its flanks are 5e-7 m deep, places
 * rounded to 1e-14 of the angle. With radii r, R and inertias I, J:
 * w² = k (r²/I + R²/J), the trace of the stiffness. */
static void test_turned_far(void **state) {
    (void)state;
    static const double angles[] = {0, 5, 63, 94, 1000, 1e9};
    const double k = 1e8, small = 2e-4, large = 4e-3, r1 = 0.02, r2 = 0.06;
    for (int i = 0; i < 6; i++) {
        rig r = rig_open(
            "bodies:\n"
            "  pinion: {mass: 0.3, inertia: 2e-4, angular_velocity: -18}\n"
            "  wheel: {mass: 2, inertia: 4e-3, position: [0.08, 0], angular_velocity: 6, hold: [w]}\n"
            "joints:\n"
            "  p: {type: revolute, between: [ground, pinion]}\n"
            "  w: {type: revolute, between: [ground.w, wheel]}\n"
            "  mesh: {type: gear, between: [pinion, wheel], ratio: 20/60, backlash: "
            "{circumferential: 0 mm, pressure_angle: 0, stiffness: 1e8, damping: 1000}}\n"
            "ground: {points: {w: [0.08, 0]}}\n"
            "forces:\n"
            "  drag: {type: torque, body: wheel, torque: \"-0.5 N m s/rad*wheel.wz\"}\n"
            "  motor: {type: torque, body: pinion, torque: -1}\n"
            "run: {until: 1}\n");
        rig_step_to(&r, 0.01); // the load presses the flanks
        double turned[12];
        assert_int_equal(lash_sim_coordinate_count(r.sim), 12);
        lash_sim_coordinates(turned, r.sim);
        turned[2] -= angles[i];
        turned[5] += angles[i] / 3;
        assert_int_equal(lash_sim_set_coordinates(r.sim, turned, NULL), LASH_OK);
        lash_linear *linear = linearise(&r, NULL, 0);
        assert_int_equal(lash_linear_freedoms(linear), 2);
        const double *A = lash_linear_matrix(NULL, NULL, linear, 'A');
        const double own = lash_linear_uncertainty(linear),
                     wrong = fabs(-(A[8] + A[13]) / (k * (r1 * r1 / small + r2 * r2 / large)) - 1);
        assert_true(wrong <= own || angles[i] > 1e8);
        assert_true(angles[i] > 1e8 ? own > 1e-6 : wrong < 1e-9 * fmax(angles[i], 10));
        lash_linear_destroy(linear);
        rig_close(&r);
    }
}

/* What moves freely has modes of 0 and no damping, not rounding of either sign; what creeps has not: two disks on a
 * stiff shaft, with a slow drag or without, whose speed is integrated. Undamped modes have a damping of 0. */
static void test_nothing_holds(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double drag = k ? 0.02 : 0;
        rig r = rig_open("bodies:\n"
                         "  a: {mass: 1, inertia: 0.003, angular_velocity: 7}\n"
                         "  b: {mass: 1, inertia: 0.007, angular_velocity: 7}\n"
                         "joints:\n"
                         "  p: {type: revolute, between: [ground, a]}\n"
                         "  shaft: {type: revolute, between: [a, b]}\n"
                         "signals: {turned: {integral: a.wz - 7 rad/s}}\n"
                         "forces:\n"
                         "  twist: {type: joint-spring, joint: shaft, stiffness: 7e4}\n"
                         "  drag: {type: torque, body: a, torque: \"-%g N m s/rad*(a.wz - 7 rad/s)\"}\n"
                         "  grip: {type: torque, body: b, torque: \"-%g N m s/rad*(b.wz - 7 rad/s)\"}\n"
                         "run: {until: 1}\n",
                         drag * 0.003, drag * 0.007);
        lash_linear *linear = linearise(&r, NULL, 0);
        lash_mode mode;
        int none = 0;
        for (size_t j = 0; lash_linear_mode(&mode, linear, j); j++) {
            none += mode.natural == 0;
            assert_true(mode.natural != 0 || (mode.damping == 0 && mode.real == 0 && mode.imaginary == 0));
            assert_true(mode.damping >= 0 && !signbit(mode.damping));
            if (k && mode.natural > 0 && mode.imaginary == 0)
                assert_true(fabs(-mode.real / drag - 1) < 1e-4);
        }
        assert_int_equal(none, k ? 2 : 3);
        lash_linear_destroy(linear);
        rig_close(&r);
    }
}

static void test_mistakes(void **state) {
    (void)state;
    rig r = rig_open("bodies:\n  a: {mass: 1, inertia: 1}\nrun: {until: 1}\n");
    lash_linear *linear = (lash_linear *)&r;
    lash_error error;
    static const char *const outputs[] = {"a.xx"};
    assert_int_equal(lash_linear_create(&linear, r.sim, outputs, 1, &error), LASH_ERROR_USAGE);
    assert_null(linear);
    assert_non_null(strstr(error.message, "did you mean 'a.x'"));
    assert_int_equal(lash_linear_create(&linear, NULL, NULL, 0, &error), LASH_ERROR_USAGE);
    assert_int_equal(lash_linear_create(&linear, r.sim, NULL, 1, &error), LASH_ERROR_USAGE);
    assert_null(lash_linear_matrix(NULL, NULL, NULL, 'A'));
    lash_linear_destroy(NULL);
    rig_close(&r);
}

/* Companion matrices of polynomials with known roots; a matrix with rows of very different size. */
static void test_eigen(void **state) {
    (void)state;
    // (x² + 1)(x − 2)(x + 3) = x⁴ + x³ − 5x² + x − 6
    const double A[16] = {-1, 5, -1, 6, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    double complex values[4], vectors[16];
    assert_int_equal(lashi_eigen(values, vectors, A, 4, NULL), LASH_OK);
    const double complex wanted[4] = {-3, 2, -I, I};
    for (int k = 0; k < 4; k++) {
        if (!(cabs(values[k] - wanted[k]) < 1e-12))
            fail_msg("%g %g", creal(values[k]), cimag(values[k]));
        for (int i = 0; i < 4; i++) {
            double complex sum = -values[k] * vectors[4 * k + i];
            for (int j = 0; j < 4; j++)
                sum += A[4 * i + j] * vectors[4 * k + j];
            assert_true(cabs(sum) < 1e-12);
        }
    }
    const double stiff[4] = {0, 1, -1e12, -2e3};
    assert_int_equal(lashi_eigen(values, vectors, stiff, 2, NULL), LASH_OK);
    assert_true(fabs(creal(values[0]) + 1e3) < 1e-6 &&
                fabs(fabs(cimag(values[0])) - sqrt(1e12 - 1e6)) < 1e-3);
    const double broken[1] = {(double)NAN};
    assert_int_equal(lashi_eigen(values, vectors, broken, 1, NULL), LASH_ERROR_NOT_FINITE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_shaft_on_springs),
        cmocka_unit_test(test_spinning_rotor),
        cmocka_unit_test(test_uneven_rotor),
        cmocka_unit_test(test_middle_axis),
        cmocka_unit_test(test_turning_with),
        cmocka_unit_test(test_passing_pendulum),
        cmocka_unit_test(test_pendulum_in_space),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_curved_input),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_turned_far),
        cmocka_unit_test(test_nothing_holds),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_eigen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
