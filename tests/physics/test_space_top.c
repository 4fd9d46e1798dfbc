/* SPDX-License-Identifier: MIT
 *
 * Rotation in space against closed forms.
 *
 * Free top, I1 < I2 < I3, M² > 2 E I2 (Landau & Lifshitz, Mechanics, section 37):
 *   ω1 = a1 cn τ, ω2 = a2 sn τ, ω3 = a3 dn τ,   τ = t √((I3 − I2)(M² − 2 E I1)/(I1 I2 I3))
 * with sn, cn, dn by the descending arithmetic-geometric mean (Abramowitz & Stegun 16.4); and the precession
 * about M, φ̇ = M (I1 ω1² + I2 ω2²)/(I1² ω1² + I2² ω2²), by Simpson's rule.
 * Heavy symmetric top with a fixed tip, A about the tip, C about its axis, inclined by θ: steady precession Ω
 * where A Ω² cos θ − C ω3 Ω + m g l = 0.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

static const double I1 = 1, I2 = 2, I3 = 3, W1 = 0.7, W3 = 1.2, END = 10;
enum { SAMPLES = 100, PER_SAMPLE = 200 };

static void jacobi(double *sn, double *cn, double *dn, double u, double k2) {
    enum { MOST = 12 };
    double a[MOST] = {1}, c[MOST] = {sqrt(k2)}, b = sqrt(1 - k2);
    int n = 0;
    for (; n + 1 < MOST && c[n] > 1e-17; n++) {
        c[n + 1] = (a[n] - b) / 2;
        a[n + 1] = (a[n] + b) / 2;
        b = sqrt(a[n] * b);
    }
    double phi = ldexp(a[n] * u, n);
    for (; n > 0; n--)
        phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = sqrt(1 - k2 * *sn * *sn);
}

/* ω in body axes at the time t, from (W1, 0, W3). */
static void closed_form(double w[3], double t) {
    const double E2 = I1 * W1 * W1 + I3 * W3 * W3, M2 = I1 * I1 * W1 * W1 + I3 * I3 * W3 * W3;
    const double low = M2 - E2 * I1, high = E2 * I3 - M2;
    double sn, cn, dn;
    jacobi(&sn, &cn, &dn, t * sqrt((I3 - I2) * low / (I1 * I2 * I3)), (I2 - I1) * high / ((I3 - I2) * low));
    w[0] = sqrt(high / (I1 * (I3 - I1))) * cn;
    w[1] = sqrt(high / (I2 * (I3 - I2))) * sn;
    w[2] = sqrt(low / (I3 * (I3 - I1))) * dn;
}

static double precession(double t) {
    double w[3];
    closed_form(w, t);
    const double M = sqrt(I1 * I1 * W1 * W1 + I3 * I3 * W3 * W3);
    const double p1 = I1 * w[0], p2 = I2 * w[1];
    return M * (p1 * w[0] + p2 * w[1]) / (p1 * p1 + p2 * p2);
}

static const char *const channels[] = {"top.wbx", "top.wby", "top.wbz", "top.e0", "top.e1", "top.e2",
                                       "top.e3",  "top.wx",  "top.wy",  "top.wz", NULL};

/* A s for the Euler parameters of a row. */
static void turn(double out[3], const double *e, const double s[3]) {
    const double cross[3] = {e[2] * s[2] - e[3] * s[1], e[3] * s[0] - e[1] * s[2], e[1] * s[1] - e[2] * s[0]};
    out[0] = s[0] + 2 * (e[0] * cross[0] + e[2] * cross[2] - e[3] * cross[1]);
    out[1] = s[1] + 2 * (e[0] * cross[1] + e[3] * cross[0] - e[1] * cross[2]);
    out[2] = s[2] + 2 * (e[0] * cross[2] + e[1] * cross[1] - e[2] * cross[0]);
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Angle of the body's third axis about M, against two fixed directions across M. */
static double azimuth(const double *e, const double M[3]) {
    static const double third[3] = {0, 0, 1};
    const double size = sqrt(dot(M, M)), u[3] = {M[2] / size, 0, -M[0] / size}; // M has no y at the start
    double axis[3];
    turn(axis, e, third);
    return atan2(axis[1], dot(u, axis));
}

/* The rows of a free run: energy, angular momentum, attitude and closed form to the tolerance. */
static void check_free(const rig_rows *rows, double tolerance, double drift) {
    const double M[3] = {I1 * W1, 0, I3 * W3}, E2 = I1 * W1 * W1 + I3 * W3 * W3, size = sqrt(dot(M, M));
    double phi = azimuth((double[]){1, 0, 0, 0}, M);
    for (size_t k = 0; k < rows->count; k++) {
        const double *row = rows->value + k * rows->columns, *w = row + 1, *e = row + 4;
        double expected[3], momentum[3], spin[3];
        closed_form(expected, row[0]);
        for (int i = 0; i < 3; i++)
            assert_near(w[i], expected[i], tolerance);
        assert_near(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3], 1, 1e-12);
        const double own[3] = {I1 * w[0], I2 * w[1], I3 * w[2]};
        assert_relative(dot(own, w), E2, drift);
        turn(momentum, e, own);
        turn(spin, e, w);
        for (int i = 0; i < 3; i++) {
            assert_near(momentum[i], M[i], drift * size);
            assert_near(row[8 + i], spin[i], 1e-13);
        }
        if (k > 0) { // Simpson's rule over the interval
            const double a = rows->value[(k - 1) * rows->columns], h = (row[0] - a) / PER_SAMPLE;
            for (int i = 0; i < PER_SAMPLE; i++)
                phi +=
                    h / 6 *
                    (precession(a + i * h) + 4 * precession(a + (i + 0.5) * h) + precession(a + (i + 1) * h));
        }
        assert_near(remainder(azimuth(e, M) - phi, 2 * RIG_PI), 0, 2 * tolerance);
    }
}

static rig_rows run_free(rig *r, const char *body, const char *method, double rtol) {
    *r = rig_open("space: spatial\n"
                  "bodies: {top: {mass: 2, %s, angular_velocity: [%.17g, 0, %.17g]}}\n"
                  "run: {until: %g, rtol: %g, method: %s}\n",
                  body, W1, W3, END, rtol, method);
    return rig_sample(r, SAMPLES, channels, false);
}

static void test_free_top(void **state) {
    (void)state;
    static const struct {
        const char *method;
        double rtol, tolerance, drift;
    } cases[] = {{"dop853", 1e-12, 1e-9, 1e-10}, {"adams", 1e-11, 1e-7, 1e-7}, {"gear", 1e-10, 1e-6, 1e-6}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rig r;
        rig_rows rows = run_free(&r, "inertia: [1, 2, 3]", cases[k].method, cases[k].rtol);
        check_free(&rows, cases[k].tolerance, cases[k].drift);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* The same tensor in other axes, about another point, and both: the same motion. */
static void test_inertia_elsewhere(void **state) {
    (void)state;
    static const double angle = 0.8, at[3] = {0.3, -0.5, 0.2}, mass = 2;
    // Axes turned by the angle about z: J' = Rᵀ J R.
    const double c = cos(angle), s = sin(angle);
    const double xx = I1 * c * c + I2 * s * s, yy = I1 * s * s + I2 * c * c, xy = (I2 - I1) * c * s;
    const double square = dot(at, at);
    double about[6] = {I1 + mass * (square - at[0] * at[0]),
                       I2 + mass * (square - at[1] * at[1]),
                       I3 + mass * (square - at[2] * at[2]),
                       -mass * at[0] * at[1],
                       -mass * at[0] * at[2],
                       -mass * at[1] * at[2]};
    char body[3][512];
    snprintf(body[0], sizeof body[0], "inertia: [%.17g, %.17g, 3, %.17g, 0, 0], inertia_axes: {yaw: %.17g}",
             xx, yy, xy, angle);
    snprintf(body[1], sizeof body[1],
             "inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g], inertia_at: [%.17g, %.17g, %.17g]",
             about[0], about[1], about[2], about[3], about[4], about[5], at[0], at[1], at[2]);
    // About a point of the body, and in axes turned by a quarter about x: (xx, zz, yy, xz, −xy, −yz).
    snprintf(body[2], sizeof body[2],
             "inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g], inertia_at: p, "
             "inertia_axes: {axis: [1, 0, 0], angle: 90 deg}, points: {p: [%.17g, %.17g, %.17g]}",
             about[0], about[2], about[1], about[4], -about[3], -about[5], at[0], at[1], at[2]);
    for (int k = 0; k < 3; k++) {
        rig r;
        rig_rows rows = run_free(&r, body[k], "dop853", 1e-12);
        check_free(&rows, 1e-9, 1e-10);
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* With a wrong sign of a product of inertia it is a different body. */
static void test_products_have_a_sign(void **state) {
    (void)state;
    const double c = cos(0.8), s = sin(0.8);
    char body[256];
    snprintf(body, sizeof body, "inertia: [%.17g, %.17g, 3, %.17g, 0, 0], inertia_axes: {yaw: 0.8}",
             I1 * c * c + I2 * s * s, I1 * s * s + I2 * c * c, -(I2 - I1) * c * s);
    rig r;
    rig_rows rows = run_free(&r, body, "dop853", 1e-8);
    double w[3];
    closed_form(w, END);
    assert_true(fabs(rig_at(&rows, SAMPLES, 1) - w[0]) > 1e-3);
    rig_rows_close(&rows);
    rig_close(&r);
}

static void test_steady_precession(void **state) {
    (void)state;
    static const double m = 0.5, l = 0.04, g = 9.81, J = 4e-4, C = 6e-4, tilt = 0.5, Omega = 3;
    const double A = J + m * l * l, st = sin(tilt), ct = cos(tilt);
    const double w3 = (A * ct * Omega * Omega + m * g * l) / (C * Omega), own = w3 - Omega * ct;
    // The axis leans towards x at the start; ω = Ω z + own · axis, v = ω × l axis = (0, Ω l sin θ, 0).
    rig r = rig_open("space: spatial\n"
                     "gravity: [0, 0, -%.17g]\n"
                     "bodies: {top: {mass: %g, inertia: [%g, %g, %g], position: [%.17g, 0, %.17g],\n"
                     "  orientation: {axis: [0, 1, 0], angle: %g}, points: {tip: [0, 0, -%g]},\n"
                     "  angular_velocity: [%.17g, 0, %.17g], velocity: [0, %.17g, 0], hold: [w]}}\n"
                     "joints: {tip: {type: spherical, between: [ground, top.tip]}}\n"
                     "run: {until: 10, rtol: 1e-12}\n",
                     g, m, J, J, C, l * st, l * ct, tilt, l, own * st, Omega + own * ct, Omega * l * st);
    static const char *const names[] = {"top.x",  "top.y",  "top.z",          "top.wbz",
                                        "tip.fx", "tip.fz", "energy.balance", NULL};
    assert_int_equal(lash_system_freedoms(r.system), 3);
    rig_rows rows = rig_sample(&r, SAMPLES, names, false);
    for (size_t k = 0; k < rows.count; k++) {
        const double phase = Omega * rig_at(&rows, k, 0);
        assert_near(rig_at(&rows, k, 1), l * st * cos(phase), 1e-10);
        assert_near(rig_at(&rows, k, 2), l * st * sin(phase), 1e-10);
        assert_near(rig_at(&rows, k, 3), l * ct, 1e-10);
        assert_relative(rig_at(&rows, k, 4), w3, 1e-10);
        assert_near(rig_at(&rows, k, 5), -m * Omega * Omega * l * st * cos(phase), 1e-8);
        assert_near(rig_at(&rows, k, 6), m * g, 1e-8);
        assert_near(rig_at(&rows, k, 7), 0, 1e-10 * 0.5 * C * w3 * w3);
    }
    rig_rows_close(&rows);
    rig_close(&r);
}

/* A heavy asymmetric body on a ball, far from steady: what is conserved stays so, by every integrator. */
static void test_heavy_body(void **state) {
    (void)state;
    static const char *const names[] = {
        "b.x", "b.y", "b.z", "energy.kinetic", "energy.potential", "constraint.position", NULL};
    static const struct {
        const char *method;
        double rtol, agree, drift;
    } cases[] = {{"dop853", 1e-12, 0, 1e-10}, {"adams", 1e-11, 1e-6, 1e-7}, {"gear", 1e-9, 1e-4, 1e-5}};
    double first[SAMPLES + 1][3];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rig r =
            rig_open("space: spatial\n"
                     "gravity: [0, 0, -9.81]\n"
                     "bodies: {b: {mass: 2, inertia: [0.02, 0.03, 0.04, 0.002, -0.003, 0.005],\n"
                     "  position: [0.2, 0, 0], points: {tip: [-0.2, 0, 0]}, angular_velocity: [5, 1, 8]}}\n"
                     "joints: {tip: {type: spherical, between: [ground, b.tip]}}\n"
                     "run: {until: 3, rtol: %g, method: %s, stabilisation: projection}\n",
                     cases[c].rtol, cases[c].method);
        rig_rows rows = rig_sample(&r, SAMPLES, names, false);
        const double energy = rig_at(&rows, 0, 4) + rig_at(&rows, 0, 5);
        for (size_t k = 0; k < rows.count; k++) {
            assert_near(rig_at(&rows, k, 4) + rig_at(&rows, k, 5), energy, cases[c].drift * fabs(energy));
            assert_near(rig_at(&rows, k, 6), 0, c == 0 ? 1e-12 : 1e-6);
            for (int i = 0; i < 3 && c == 0; i++)
                first[k][i] = rig_at(&rows, k, (size_t)i + 1);
            for (int i = 0; i < 3; i++)
                assert_near(rig_at(&rows, k, (size_t)i + 1), first[k][i], cases[c].agree);
        }
        rig_rows_close(&rows);
        rig_close(&r);
    }
}

/* The tangent of two free tops: what lengthens the Euler parameters of either is no difference, and what is across them stays. And
 * it is that of the state which is restored, not of the one before. */
static void test_tangent_of_two_tops(void **state) {
    (void)state;
    rig r =
        rig_open("space: spatial\nbodies:\n"
                 "  one: {mass: 1, inertia: [1, 2, 3], angular_velocity: [0.7, 0, 1.2]}\n"
                 "  two: {mass: 2, inertia: [3, 1, 2], position: [1, 2, 3], velocity: [0.1, 0.2, 0.3],\n"
                 "    orientation: {axis: [1, 2, 2], angle: 70 deg}, angular_velocity: [0.2, 0.5, -0.4]}\n"
                 "run: {until: 1}\n");
    enum { COORDINATES = 26, BODY = 7 };
    lash_error error = {0};
    lash_sim *sim;
    double y[COORDINATES], w[COORDINATES] = {0}, first[COORDINATES], then[COORDINATES];
    assert_int_equal(lash_sim_coordinate_count(r.sim), COORDINATES);
    assert_int_equal(lash_sim_memory_count(r.sim), 0);
    rig_require(lash_sim_create_tangent(&sim, r.sim, &error), &error, "tangent");
    lash_sim_coordinates(y, sim);
    for (int b = 0; b < 2; b++) {
        const double *p = y + BODY * b + 3;
        const double across[4] = {-p[1], p[0], -p[3], p[2]};
        for (int k = 0; k < 4; k++)
            w[BODY * b + 3 + k] = 0.3 * p[k] + 0.2 * across[k];
    }
    rig_require(lash_sim_set_tangent(sim, w, &error), &error, "set");
    rig_require(lash_sim_tangent(first, sim, &error), &error, "get");
    for (int b = 0; b < 2; b++) {
        const double *p = y + BODY * b + 3;
        const double across[4] = {-p[1], p[0], -p[3], p[2]};
        for (int k = 0; k < 4; k++)
            rig_near(first[BODY * b + 3 + k], 0.2 * across[k], 1e-12, "body %d, parameter %d", b, k);
    }
    lash_state *kept;
    rig_require(lash_state_create(&kept, sim, &error), &error, "keep");
    while (lash_sim_step(sim, 1, &error) == LASH_OK)
        ;
    rig_require(lash_sim_tangent(then, sim, &error), &error, "get");
    assert_true(fabs(then[4] - first[4]) > 1e-3);
    rig_require(lash_sim_restore(sim, kept, &error), &error, "restore");
    rig_require(lash_sim_tangent(then, sim, &error), &error, "get");
    assert_memory_equal(then, first, sizeof first);
    lash_state_destroy(kept);
    lash_sim_destroy(sim);
    rig_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_top),          cmocka_unit_test(test_tangent_of_two_tops),
        cmocka_unit_test(test_inertia_elsewhere), cmocka_unit_test(test_products_have_a_sign),
        cmocka_unit_test(test_steady_precession), cmocka_unit_test(test_heavy_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
