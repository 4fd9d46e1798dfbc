/* SPDX-License-Identifier: MIT
 *
 * Gap kinematics against the motion of points: two bodies move on given paths, and the speeds across the gap
 * are the differences of positions, taken numerically.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "contact/gap.h"
#include "near.h"

static lash_clearance_def definition(void) {
    return (lash_clearance_def){.bearing_radius = 0.01,
                                .journal_radius = LASH_UNSET,
                                .radial = 0.0005,
                                .diametric = LASH_UNSET,
                                .sliding = "material"};
}

static lashi_gap_size compiled(const char *sliding, const char *points) {
    lash_clearance_def def = definition();
    def.sliding = sliding;
    def.contact.points = points;
    lashi_gap_size gap;
    assert_int_equal(lashi_gap_compile(&gap, &def, NULL), LASH_OK);
    return gap;
}

/* Paths of the two centres (m) and the angles (rad) of the two bodies; i = 0 bearing, 1 journal. */
static void place(double r[2], double *angle, int body, double t) {
    if (body == 0) {
        r[0] = 0.02 * sin(3 * t);
        r[1] = 0.01 * t * t;
        *angle = 0.7 * t + 0.2 * t * t;
    } else {
        r[0] = 0.02 * sin(3 * t) + 0.0006 * cos(5 * t) + 0.0001 * t;
        r[1] = 0.01 * t * t + 0.0006 * sin(5 * t);
        *angle = -2.3 * t + sin(t);
    }
}

/* d/dt of f(t, frozen_at = t) by differences of sixth order. */
typedef double (*path)(double t, double frozen_at);
static double slope(path f, double t) {
    const double h = 2e-3, weight[3] = {45, -9, 1};
    double sum = 0;
    for (int k = 1; k <= 3; k++)
        sum += weight[k - 1] * (f(t + k * h, t) - f(t - k * h, t));
    return sum / (60 * h);
}

static double e_component(double t, int axis) {
    double r_i[2], r_j[2], angle;
    place(r_i, &angle, 0, t);
    place(r_j, &angle, 1, t);
    return r_j[axis] - r_i[axis];
}
static double e_x(double t, double frozen) {
    (void)frozen;
    return e_component(t, 0);
}
static double e_y(double t, double frozen) {
    (void)frozen;
    return e_component(t, 1);
}
static double e_size(double t, double frozen) {
    (void)frozen;
    return sqrt(e_x(t, t) * e_x(t, t) + e_y(t, t) * e_y(t, t));
}
static double turn_i(double t, double frozen) {
    double r[2], angle;
    (void)frozen;
    place(r, &angle, 0, t);
    return angle;
}
static double turn_j(double t, double frozen) {
    double r[2], angle;
    (void)frozen;
    place(r, &angle, 1, t);
    return angle;
}

static const double R[2] = {0.01, 0.0095};

/* Along t(frozen): the distance of the two body-fixed points that are `arm` from the centres at the time
 * `frozen`. */
static double distance_of_points(double t, double frozen, const double arm[2]) {
    double size = e_size(frozen, 0), n[2] = {e_x(frozen, 0) / size, e_y(frozen, 0) / size}, at[2][2];
    for (int k = 0; k < 2; k++) {
        double r[2], angle, start, ignored[2];
        place(r, &angle, k, t);
        place(ignored, &start, k, frozen);
        double c = cos(angle - start), s = sin(angle - start);
        at[k][0] = r[0] + arm[k] * (c * n[0] - s * n[1]);
        at[k][1] = r[1] + arm[k] * (s * n[0] + c * n[1]);
    }
    return -(at[1][0] - at[0][0]) * n[1] + (at[1][1] - at[0][1]) * n[0];
}

static double own_distance(double t, double frozen) {
    return distance_of_points(t, frozen, R);
}

/* One place of the plane, as a point of either body. */
static double common_distance(double t, double frozen) {
    return distance_of_points(t, frozen, (double[2]){R[1] + e_size(frozen, 0), R[1]});
}

/* The same for the geometric points P_k + R_k n(t), which slide over the bodies. */
static double geometric_distance(double t, double frozen) {
    double size = e_size(frozen, 0), t_x = -e_y(frozen, 0) / size, t_y = e_x(frozen, 0) / size;
    double now = e_size(t, 0), d = 1 + (R[1] - R[0]) / now;
    return d * (e_x(t, 0) * t_x + e_y(t, 0) * t_y);
}

static lashi_gap motion_at(const lashi_gap_size *gap, double t) {
    double e[2] = {e_x(t, 0), e_y(t, 0)}, edot[2] = {slope(e_x, t), slope(e_y, t)};
    return lashi_gap_planar(gap, e, edot, slope(turn_i, t), slope(turn_j, t));
}

static void speeds_are_those_of_the_points(void **state) {
    (void)state;
    lashi_gap_size material = compiled("material", "own"), common = compiled("material", NULL),
              geometric = compiled("geometric", "own");
    for (double t = 0.05; t < 2; t += 0.13) {
        lashi_gap m = motion_at(&material, t), g = motion_at(&geometric, t);
        assert_near(m.delta, e_size(t, 0) - 0.0005, 1e-18);
        assert_near(m.deltadot, slope(e_size, t), 1e-12);
        assert_near(m.sliding_speed, slope(own_distance, t), 1e-12);
        assert_near(motion_at(&common, t).sliding_speed, slope(common_distance, t), 1e-12);
        assert_near(g.sliding_speed, slope(geometric_distance, t), 1e-12);
        assert_near(g.deltadot, m.deltadot, 0);
        assert_true(fabs(m.sliding_speed) > 10 * fabs(g.sliding_speed)); /* P4's form loses the spin */
        assert_near(m.n[0] * m.n[0] + m.n[1] * m.n[1], 1, 1e-15);
        assert_near(m.n[0] * e_y(t, 0) - m.n[1] * e_x(t, 0), 0, 1e-18);
        assert_near(m.n[0] * m.t[1] - m.n[1] * m.t[0], 1, 1e-15); /* t is n turned by +90 degrees */
        assert_near(m.n[0] * m.t[0] + m.n[1] * m.t[1], 0, 0);
    }
}

/* f on the journal and -f on the bearing, at the distances from the centres that the gap names, do the work
 * -F_N deltadot + F_T v_T. At the common point they have no couple, at the own ones delta F_T. */
static void forces_do_the_stated_work(void **state) {
    (void)state;
    const char *const points[] = {"common", "own"};
    double F_N = 120, F_T = -7, t = 0.4, f[2];
    for (int i = 0; i < 2; i++) {
        lashi_gap_size gap = compiled("material", points[i]);
        lashi_gap m = motion_at(&gap, t);
        lashi_gap_planar_force(f, &m, F_N, F_T);
        double e[2] = {e_x(t, 0), e_y(t, 0)}, edot[2] = {slope(e_x, t), slope(e_y, t)};
        double power = f[0] * edot[0] + f[1] * edot[1], couple = e[0] * f[1] - e[1] * f[0];
        const double arm[2] = {m.bearing_arm, gap.journal_arm};
        for (int k = 0; k < 2; k++) {
            double moment = arm[k] * (m.n[0] * f[1] - m.n[1] * f[0]); /* of f at arm n about P_k */
            assert_relative(moment, arm[k] * F_T, 1e-13);
            power += (k ? 1 : -1) * moment * slope(k ? turn_j : turn_i, t);
            couple += (k ? 1 : -1) * moment;
        }
        assert_relative(power, -F_N * m.deltadot + F_T * m.sliding_speed, 1e-12);
        assert_near(couple, i ? m.delta * F_T : 0, 1e-15);
        /* Outward contact pushes the journal inward. */
        assert_relative(f[0] * m.n[0] + f[1] * m.n[1], -F_N, 1e-14);
    }
}

/* Both bodies turn as one: nothing slides at the common point, w delta at the own ones. */
static void a_rigid_rotation_does_not_slide(void **state) {
    (void)state;
    const double w = 3, e[2] = {0.0004, -0.0005}, edot[2] = {-w * e[1], w * e[0]};
    lashi_gap_size common = compiled("material", "common"), own = compiled("material", "own");
    assert_near(lashi_gap_planar(&common, e, edot, w, w).sliding_speed, 0, 1e-17);
    lashi_gap m = lashi_gap_planar(&own, e, edot, w, w);
    assert_relative(m.sliding_speed, w * m.delta, 1e-12);
}

static void the_centre_is_no_special_place(void **state) {
    (void)state;
    const char *sliding[] = {"material", "geometric"};
    for (int i = 0; i < 2; i++) {
        lashi_gap_size gap = compiled(sliding[i], NULL);
        double e[2] = {0, 0}, edot[2] = {1, 2}, f[2];
        lashi_gap m = lashi_gap_planar(&gap, e, edot, 3, 4);
        assert_near(m.delta, -0.0005, 0);
        assert_near(m.e, 0, 0);
        lashi_gap_planar_force(f, &m, 10, 10);
        const double zero[] = {m.n[0], m.n[1], m.t[0], m.t[1], m.deltadot, m.sliding_speed, f[0], f[1]};
        for (size_t k = 0; k < sizeof zero / sizeof *zero; k++)
            assert_near(zero[k], 0, 0);
        e[0] = 1e-300; /* its square underflows */
        assert_true(isfinite(lashi_gap_planar(&gap, e, edot, 3, 4).sliding_speed));
    }
}

static void sizes_come_from_any_one_number(void **state) {
    (void)state;
    lashi_gap_size gap;
    lash_clearance_def def = definition();
    assert_int_equal(lashi_gap_compile(&gap, &def, NULL), LASH_OK);
    assert_near(gap.clearance, 0.0005, 0);
    assert_near(gap.journal_radius, 0.0095, 1e-17);
    def.radial = LASH_UNSET;
    def.diametric = 0.001;
    assert_int_equal(lashi_gap_compile(&gap, &def, NULL), LASH_OK);
    assert_near(gap.clearance, 0.0005, 0);
    def.diametric = LASH_UNSET;
    def.journal_radius = 0.0095;
    assert_int_equal(lashi_gap_compile(&gap, &def, NULL), LASH_OK);
    assert_near(gap.clearance, 0.0005, 1e-17);
    assert_near(gap.journal_radius, 0.0095, 0);
    def.sliding = NULL; /* material is the default */
    assert_int_equal(lashi_gap_compile(&gap, &def, NULL), LASH_OK);
    assert_int_equal(gap.sliding, LASHI_SLIDING_MATERIAL);
}

static void refuse(lash_clearance_def def, const char *word) {
    lashi_gap_size gap;
    lash_error error = {0};
    assert_int_equal(lashi_gap_compile(&gap, &def, &error), LASH_ERROR_MODEL);
    if (!strstr(error.message, word))
        fail_msg("'%s' does not speak of '%s'", error.message, word);
}

static void bad_sizes_are_refused(void **state) {
    (void)state;
    lash_clearance_def def = definition();
    def.radial = 0;
    refuse(def, "positive");
    def.radial = -1e-4;
    refuse(def, "positive");
    def.radial = 0.01;
    refuse(def, "journal");
    def.radial = LASH_UNSET;
    refuse(def, "none of");
    def.journal_radius = 0.011;
    refuse(def, "smaller than the bearing");
    def.journal_radius = INFINITY;
    refuse(def, "clearance");
    def = definition();
    def.diametric = 0.001;
    refuse(def, "more than one");
    def = definition();
    def.bearing_radius = LASH_UNSET;
    refuse(def, "bearing_radius");
    def = definition();
    def.sliding = "slippery";
    refuse(def, "slippery");
    def = definition();
    def.contact.points = "everywhere";
    refuse(def, "everywhere");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speeds_are_those_of_the_points),  cmocka_unit_test(forces_do_the_stated_work),
        cmocka_unit_test(a_rigid_rotation_does_not_slide), cmocka_unit_test(the_centre_is_no_special_place),
        cmocka_unit_test(sizes_come_from_any_one_number),  cmocka_unit_test(bad_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
