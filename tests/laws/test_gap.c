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

#include "contact/contact.h"
#include "near.h"

static lash_clearance_def definition(void) {
    return (lash_clearance_def){.bearing_radius = 0.01,
                                .journal_radius = LASH_UNSET,
                                .radial = 0.0005,
                                .diametric = LASH_UNSET,
                                .sliding = "material"};
}

/* A pin's shape, and which speed it tells friction. */
typedef struct shape {
    lashi_gap_size size;
    lashi_sliding sliding;
} shape;

static shape compiled(const char *sliding, const char *points) {
    lash_clearance_def def = definition();
    def.sliding = sliding;
    def.contact.points = points;
    shape pin;
    assert_int_equal(lashi_gap_size_compile(&pin.size, &def, NULL), LASH_OK);
    assert_int_equal(lashi_sliding_compile(&pin.sliding, &def, NULL), LASH_OK);
    return pin;
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

/* The gap of a pin whose centres are the bodies' own, from e, its rate and the bodies' speeds. */
static lashi_gap gap_of(const shape *pin, const double e[2], const double edot[2], double w_i, double w_j) {
    lashi_contact_numbers numbers = {.size = pin->size};
    const lashi_contact contact = {
        .p = &numbers, .kind = LASHI_CONTACT_pin, .body = {0, 1}, .sliding = pin->sliding};
    const lashi_frame frames[2] = {{.c = 1, .w = w_i},
                                   {.x = e[0], .y = e[1], .vx = edot[0], .vy = edot[1], .c = 1, .w = w_j}};
    const lashi_gap gap = lashi_gap_of(&contact, frames);
    return gap;
}

static lashi_gap motion_at(const shape *pin, double t) {
    const double e[2] = {e_x(t, 0), e_y(t, 0)}, edot[2] = {slope(e_x, t), slope(e_y, t)};
    return gap_of(pin, e, edot, slope(turn_i, t), slope(turn_j, t));
}

/* f on the journal from F_N and F_T, as lashi_contact_unit puts them on the bodies: rows [body][x, y,
 * moment]. */
static void force_rows(double row[LASHI_LINKS][LASHI_FREEDOMS], const shape *pin, const lashi_gap *m,
                       double F_N, double F_T) {
    lashi_contact_numbers numbers = {.size = pin->size};
    const lashi_contact contact = {
        .p = &numbers, .kind = LASHI_CONTACT_pin, .body = {0, 1}, .sliding = pin->sliding};
    const lashi_frame frames[2] = {{.c = 1}, {.c = 1}};
    lashi_contact_unit(row, &contact, frames, m, lashi_axpy3(lashi_scale3(-F_N, m->n), F_T, m->t));
}

static void speeds_are_those_of_the_points(void **state) {
    (void)state;
    shape material = compiled("material", "own"), common = compiled("material", NULL),
          geometric = compiled("geometric", "own");
    for (double t = 0.05; t < 2; t += 0.13) {
        lashi_gap m = motion_at(&material, t), g = motion_at(&geometric, t);
        assert_near(m.delta, e_size(t, 0) - 0.0005, 1e-18);
        assert_near(m.deltadot, slope(e_size, t), 1e-12);
        assert_near(m.sliding, slope(own_distance, t), 1e-12);
        assert_near(motion_at(&common, t).sliding, slope(common_distance, t), 1e-12);
        assert_near(g.sliding, slope(geometric_distance, t), 1e-12);
        assert_near(g.deltadot, m.deltadot, 0);
        assert_true(fabs(m.sliding) > 10 * fabs(g.sliding)); /* P4's form loses the spin */
        assert_near(m.n.x * m.n.x + m.n.y * m.n.y, 1, 1e-15);
        assert_near(m.n.x * e_y(t, 0) - m.n.y * e_x(t, 0), 0, 1e-18);
        assert_near(m.n.x * m.t.y - m.n.y * m.t.x, 1, 1e-15); /* t is n turned by +90 degrees */
        assert_near(m.n.x * m.t.x + m.n.y * m.t.y, 0, 0);
    }
}

/* f on the journal and -f on the bearing, where the gap says, do the work -F_N deltadot + F_T v_T. At the
 * common point they have no couple, at the own ones delta F_T. */
static void forces_do_the_stated_work(void **state) {
    (void)state;
    const char *const points[] = {"common", "own"};
    const double F_N = 120, F_T = -7, t = 0.4;
    double row[LASHI_LINKS][LASHI_FREEDOMS];
    for (int i = 0; i < 2; i++) {
        shape size = compiled("material", points[i]);
        lashi_gap m = motion_at(&size, t);
        force_rows(row, &size, &m, F_N, F_T);
        const double *f = row[1];
        const double e[2] = {e_x(t, 0), e_y(t, 0)}, edot[2] = {slope(e_x, t), slope(e_y, t)};
        double power = f[0] * edot[0] + f[1] * edot[1], couple = e[0] * f[1] - e[1] * f[0];
        const double arm[2] = {i ? R[0] : R[1] + e_size(t, 0), R[1]};
        for (int k = 0; k < 2; k++) {
            const double moment = row[k][2]; /* about P_k */
            assert_relative(moment, (k ? 1 : -1) * arm[k] * F_T, 1e-13);
            power += moment * slope(k ? turn_j : turn_i, t);
            couple += moment;
        }
        assert_relative(power, -F_N * m.deltadot + F_T * m.sliding, 1e-12);
        assert_near(couple, i ? m.delta * F_T : 0, 1e-15);
        /* Outward contact pushes the journal inward. */
        assert_relative(f[0] * m.n.x + f[1] * m.n.y, -F_N, 1e-14);
    }
}

/* Both bodies turn as one: nothing slides at the common point, w delta at the own ones. */
static void a_rigid_rotation_does_not_slide(void **state) {
    (void)state;
    const double w = 3, e[2] = {0.0004, -0.0005}, edot[2] = {-w * e[1], w * e[0]};
    shape common = compiled("material", "common"), own = compiled("material", "own");
    assert_near(gap_of(&common, e, edot, w, w).sliding, 0, 1e-17);
    lashi_gap m = gap_of(&own, e, edot, w, w);
    assert_relative(m.sliding, w * m.delta, 1e-12);
}

static void the_centre_is_no_special_place(void **state) {
    (void)state;
    const char *sliding[] = {"material", "geometric"};
    for (int i = 0; i < 2; i++) {
        shape gap = compiled(sliding[i], NULL);
        double e[2] = {0, 0}, edot[2] = {1, 2}, f[LASHI_LINKS][LASHI_FREEDOMS];
        lashi_gap m = gap_of(&gap, e, edot, 3, 4);
        assert_near(m.delta, -0.0005, 0);
        assert_near(m.e, 0, 0);
        force_rows(f, &gap, &m, 10, 10);
        const double zero[] = {m.n.x, m.n.y, m.t.x, m.t.y, m.deltadot, m.sliding, f[1][0], f[1][1]};
        for (size_t k = 0; k < sizeof zero / sizeof *zero; k++)
            assert_near(zero[k], 0, 0);
        e[0] = 1e-300; /* its square underflows */
        assert_true(isfinite(gap_of(&gap, e, edot, 3, 4).sliding));
    }
}

static void sizes_come_from_any_one_number(void **state) {
    (void)state;
    lashi_gap_size gap;
    lash_clearance_def def = definition();
    assert_int_equal(lashi_gap_size_compile(&gap, &def, NULL), LASH_OK);
    assert_near(gap.clearance, 0.0005, 0);
    assert_near(gap.journal_radius, 0.0095, 1e-17);
    def.radial = LASH_UNSET;
    def.diametric = 0.001;
    assert_int_equal(lashi_gap_size_compile(&gap, &def, NULL), LASH_OK);
    assert_near(gap.clearance, 0.0005, 0);
    def.diametric = LASH_UNSET;
    def.journal_radius = 0.0095;
    assert_int_equal(lashi_gap_size_compile(&gap, &def, NULL), LASH_OK);
    assert_near(gap.clearance, 0.0005, 1e-17);
    assert_near(gap.journal_radius, 0.0095, 0);
    def.sliding = NULL; /* material is the default */
    lashi_sliding sliding = LASHI_SLIDING_GEOMETRIC;
    assert_int_equal(lashi_sliding_compile(&sliding, &def, NULL), LASH_OK);
    assert_int_equal(sliding, LASHI_SLIDING_MATERIAL);
}

static void refuse(lash_clearance_def def, const char *word) {
    lashi_gap_size gap;
    lashi_sliding sliding;
    lash_error error = {0};
    const lash_status status = lashi_gap_size_compile(&gap, &def, &error);
    assert_int_equal(status ? status : lashi_sliding_compile(&sliding, &def, &error), LASH_ERROR_MODEL);
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
