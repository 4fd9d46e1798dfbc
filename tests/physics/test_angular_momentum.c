/* SPDX-License-Identifier: MIT
 *
 * Two free bars, hinged to each other by a joint with play and friction: action and reaction are a pair at one
 * point, so that the bars' angular momentum is conserved, and what they lose of their energy is in the ledger.
 * The papers' points (own) leave the couple δ F_T, which is checked by its closed form.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/near.h"
#include "physics/rig.h"

enum { ROWS = 150 };
static const double M[2] = {1.0, 0.7};

/* ---- plane ---- */

static const double J[2] = {4e-3, 2e-3};
static const char *const plane_channels[] = {
    "a.x",     "a.y",  "a.vx",     "a.vy",           "a.wz",
    "b.x",     "b.y",  "b.vx",     "b.vy",           "b.wz",
    "j.delta", "j.ft", "a.ax",     "a.ay",           "a.alphaz",
    "b.ax",    "b.ay", "b.alphaz", "energy.balance", "energy.friction",
    NULL};
enum { DELTA = 11, FT = 12, ACCELERATIONS = 13, BALANCE = 19, FRICTION = 20 };

static rig plane_bars(const char *clearance) {
    return rig_open(
        "bodies:\n"
        "  a: {mass: %g, inertia: %g, angular_velocity: 40, points: {p: [0.1, 0]}}\n"
        "  b: {mass: %g, inertia: %g, position: [0.22, 0.03], angle: 20 deg, velocity: [1, -0.5],\n"
        "      angular_velocity: -25, points: {p: [-0.12, 0.01]}}\n"
        "joints: {j: {type: revolute, between: [a.p, b.p], clearance: {%s}}}\n"
        "run: {until: 0.1, rtol: 1e-11}\n",
        M[0], J[0], M[1], J[1], clearance);
}

/* Σ m r × u + J w for velocities (u, w), or its rate from accelerations; *size: the sum of magnitudes. */
static double spin_of(double *size, const rig_rows *rows, size_t row, const size_t u[2]) {
    double sum = 0;
    *size = 0;
    for (size_t b = 0; b < 2; b++) {
        const double x = rig_at(rows, row, 1 + 5 * b), y = rig_at(rows, row, 2 + 5 * b);
        const double orbit = M[b] * (x * rig_at(rows, row, u[b] + 1) - y * rig_at(rows, row, u[b])),
                     own = J[b] * rig_at(rows, row, u[b] + 2);
        sum += orbit + own;
        *size += fabs(orbit) + fabs(own);
    }
    return sum;
}

typedef struct outcome {
    double drift;   /* of L, of its parts */
    double couple;  /* largest |dL/dt − expected| of the sum of moments */
    double rubbed;  /* N, largest F_T */
    double lost;    /* J, by friction */
    double balance; /* J, largest */
} outcome;

/* `own`: dL/dt = δ F_T is expected, else 0. */
static outcome plane_outcome(const char *clearance, bool own) {
    static const size_t velocities[2] = {3, 8}, accelerations[2] = {ACCELERATIONS, ACCELERATIONS + 3};
    outcome out = {0};
    rig r = plane_bars(clearance);
    rig_rows rows = rig_sample(&r, ROWS, plane_channels, false);
    double size, start = spin_of(&size, &rows, 0, velocities);
    const double scale = size;
    for (size_t k = 0; k < rows.count; k++) {
        const double L = spin_of(&size, &rows, k, velocities), rate = spin_of(&size, &rows, k, accelerations);
        const double expected = own ? rig_at(&rows, k, DELTA) * rig_at(&rows, k, FT) : 0;
        out.drift = fmax(out.drift, fabs(L - start) / scale);
        out.couple = fmax(out.couple, size > 0 ? fabs(rate - expected) / size : 0);
        out.rubbed = fmax(out.rubbed, fabs(rig_at(&rows, k, FT)));
        out.balance = fmax(out.balance, fabs(rig_at(&rows, k, BALANCE)));
    }
    out.lost = rig_at(&rows, rows.count - 1, FRICTION);
    rig_rows_close(&rows);
    rig_close(&r);
    return out;
}

#define SIZES   "bearing_radius: 10 mm, radial: 0.1 mm, length: 20 mm, "
#define CONTACT "contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.8%s}, "

static const char *const frictions[] = {
    "friction: {law: ambrosio, coefficient: 0.2}",
    "friction: {law: threlfall, coefficient: 0.2, vr: 0.01}",
    "friction: {law: bengisu-akay, coefficient: 0.2, coefficient_static: 0.3}",
    "friction: {law: stribeck, coefficient: 0.2, coefficient_static: 0.3, viscous: 0.01}",
    "friction: {law: lugre, coefficient: 0.2, coefficient_static: 0.3}",
    "friction: {law: threlfall, coefficient: 0.2, vr: 0.01}, sliding: geometric",
    "friction: {law: threlfall, coefficient: 0.2, vr: 0.01}, lubricant: {film: short, viscosity: 1 cP}",
};
enum { LAWS = sizeof frictions / sizeof *frictions };

static void require(const outcome *out, const char *what) {
    if (!(out->drift < 1e-10) || !(out->couple < 1e-12) || !(out->balance < 1e-9))
        fail_msg("%s: drift %.2g, couple %.2g, balance %.2g J", what, out->drift, out->couple, out->balance);
}

static void test_plane(void **state) {
    (void)state;
    for (size_t f = 0; f < LAWS; f++) {
        char text[400];
        snprintf(text, sizeof text, SIZES CONTACT "%s", "", frictions[f]);
        const outcome out = plane_outcome(text, false);
        require(&out, text);
        if (!strstr(frictions[f], "geometric")) { // whose sliding is next to nothing
            assert_true(out.rubbed > 1);
            assert_true(out.lost > 0.01);
        }
    }
}

/* The papers' way: the couple is δ F_T, L changes by its integral, the ledger closes all the same. */
static void test_own_points(void **state) {
    (void)state;
    for (size_t f = 0; f < 5; f++) {
        char text[400];
        snprintf(text, sizeof text, SIZES CONTACT "%s", ", points: own", frictions[f]);
        const outcome out = plane_outcome(text, true);
        assert_true(out.drift > 1e-6);
        assert_near(out.couple, 0, 1e-12);
        assert_near(out.balance, 0, 1e-9);
    }
}

/* Impacts and following as constraints: the points are the same at |e| = c. */
static void test_three_mode(void **state) {
    (void)state;
    static const char *const points[] = {"common", "own"};
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "model: three-mode, restitution: 0.5, " SIZES
                 "contact: {points: %s}, friction: {law: threlfall, coefficient: 0.2, vr: 0.01}",
                 points[k]);
        const outcome out = plane_outcome(text, false);
        require(&out, text);
        assert_true(out.rubbed > 1);
        assert_true(out.lost > 0.01);
    }
}

/* ---- space ---- */

static const double BALL[2] = {3e-3, 2e-3}; /* kg m², the same about every axis */
static const char *const bodies[] = {"a", "b"};
static const char *const quantities[] = {"x",  "y",  "z",  "vx", "vy",     "vz",     "wx",    "wy",
                                         "wz", "ax", "ay", "az", "alphax", "alphay", "alphaz"};
enum { OF_A_BODY = sizeof quantities / sizeof *quantities };

/* The same as spin_of in space: at 3 velocities, at 9 accelerations. */
static void spin3_of(double sum[3], double *size, const rig_rows *rows, size_t row, size_t at) {
    sum[0] = sum[1] = sum[2] = *size = 0;
    for (size_t b = 0; b < 2; b++) {
        const double *value = rows->value + row * rows->columns + 1 + b * OF_A_BODY;
        const double *r = value, *u = value + at, *w = value + at + 3;
        for (int i = 0; i < 3; i++) {
            const double orbit = M[b] * (r[(i + 1) % 3] * u[(i + 2) % 3] - r[(i + 2) % 3] * u[(i + 1) % 3]);
            sum[i] += orbit + BALL[b] * w[i];
            *size += fabs(orbit) + fabs(BALL[b] * w[i]);
        }
    }
}

static outcome space_outcome(const char *joint, const char *contact, const char *clearance) {
    enum { COLUMNS = 2 * OF_A_BODY + 3 };
    static char names[COLUMNS][40];
    const char *channels[COLUMNS + 1] = {0};
    size_t count = 0;
    for (size_t b = 0; b < 2; b++)
        for (size_t k = 0; k < OF_A_BODY; k++)
            snprintf(names[count++], sizeof *names, "%s.%s", bodies[b], quantities[k]);
    snprintf(names[count++], sizeof *names, "%s.ft", contact);
    snprintf(names[count++], sizeof *names, "energy.balance");
    snprintf(names[count++], sizeof *names, "energy.friction");
    for (size_t k = 0; k < count; k++)
        channels[k] = names[k];
    rig r = rig_open(
        "space: spatial\n"
        "bodies:\n"
        "  a: {mass: %g, inertia: [%g, %g, %g], angular_velocity: [5, -10, 40],\n"
        "      points: {p: [0.1, 0, 0.02]}}\n"
        "  b: {mass: %g, inertia: [%g, %g, %g], position: [0.22, 0.01, 0.03], velocity: [1, 2, 0.5],\n"
        "      angular_velocity: [15, 8, -20], points: {p: [-0.12, 0, -0.01]}}\n"
        "joints: {j: {%s, between: [a.p, b.p], clearance: {%s}}}\n"
        "run: {until: 0.05, rtol: 1e-11}\n",
        M[0], BALL[0], BALL[0], BALL[0], M[1], BALL[1], BALL[1], BALL[1], joint, clearance);
    rig_rows rows = rig_sample(&r, ROWS, channels, false);
    outcome out = {0};
    double start[3], L[3], rate[3], size, scale;
    spin3_of(start, &scale, &rows, 0, 3);
    for (size_t k = 0; k < rows.count; k++) {
        spin3_of(L, &size, &rows, k, 3);
        for (int i = 0; i < 3; i++)
            out.drift = fmax(out.drift, fabs(L[i] - start[i]) / scale);
        spin3_of(rate, &size, &rows, k, 9);
        for (int i = 0; size > 0 && i < 3; i++)
            out.couple = fmax(out.couple, fabs(rate[i]) / size);
        out.rubbed = fmax(out.rubbed, fabs(rig_at(&rows, k, count - 2)));
        out.balance = fmax(out.balance, fabs(rig_at(&rows, k, count - 1)));
    }
    out.lost = rig_at(&rows, rows.count - 1, count);
    rig_rows_close(&rows);
    rig_close(&r);
    return out;
}

static void test_space(void **state) {
    (void)state;
    static const struct {
        const char *joint, *contact, *more;
    } cases[] = {{"type: spherical", "j", ""},
                 {"type: revolute, axis: [0, 0, 1]", "j.end1", ""},
                 {"type: revolute, axis: [0, 0, 1]", "j.end2", "axial: 0.2 mm, "}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t f = 0; f < LAWS - 2; f++) {
            char text[400];
            snprintf(text, sizeof text, SIZES CONTACT "%s%s", "", cases[c].more, frictions[f]);
            const outcome out = space_outcome(cases[c].joint, cases[c].contact, text);
            require(&out, text);
            assert_true(out.rubbed > 1);
            assert_true(out.lost > 0.001);
            if (f > 0)
                continue;
            // The papers' points in the same motion: the couple is there.
            snprintf(text, sizeof text, SIZES CONTACT "%s%s", ", points: own", cases[c].more, frictions[f]);
            assert_true(space_outcome(cases[c].joint, cases[c].contact, text).drift > 1e-7);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_own_points),
        cmocka_unit_test(test_three_mode),
        cmocka_unit_test(test_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
