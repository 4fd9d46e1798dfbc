/* SPDX-License-Identifier: MIT
 *
 * Play in a ball joint: the spatial four-bar of Flores 2006 as the example file has it, every law on its ball
 * with a closed ledger, and a ball that moves in a plane against the journal of the plane.
 */
#include "physics/play.h"

#include "laws/near.h"
#include "physics/rig.h"

enum { FIRST = 5 }; /* impacts compared */

static void run_example(play_run *r, const lash_setting *settings, size_t count, double until, double rtol,
                        const char *const *channels, size_t columns, size_t samples) {
    play_example(r, "flores-2006", settings, count);
    play_settings(r, until, rtol);
    play_go(r, channels, columns, samples);
    assert_int_equal(r->status, LASH_STOP_END);
}

static const char *const some[] = {"ball.e"};

static void test_freedoms(void **state) {
    (void)state;
    static const struct {
        const char *ball;
        int freedoms; // the coupler turns about its two balls
    } cases[] = {{"clearance", 5}, {"ideal", 2}};
    for (int k = 0; k < 2; k++) {
        const lash_setting setting = {"ball", cases[k].ball};
        play_run r;
        play_example(&r, "flores-2006", &setting, 1);
        play_start(&r);
        assert_int_equal(lash_system_freedoms(r.system), cases[k].freedoms);
        assert_null(lash_system_redundant(r.system, 0));
        play_end(&r);
    }
}

/* The first flight by other equations: crank angle α, angular velocity ω of the coupler in ground axes and
 * the force F at the crank's tip in one 7 × 7 system, the rocker a pendulum with the angle β; classical
 * Runge–Kutta. State: α, α̇, the coupler's three axes in ground axes (nine), ω, β, β̇. */
enum { FLIGHT = 16 };
static const double CRANK_TIP = 0.020, BALL[3] = {-0.07491115437828614, -0.085, 0.06524730875657227},
                    PIVOT[3] = {-0.040, -0.085, 0}, GRAVITY = 9.81;

static void cross(double out[3], const double a[3], const double b[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* x of M x = q by elimination with pivoting; M and q are used up. */
static void solve7(double x[7], double M[7][7], double q[7]) {
    for (int c = 0; c < 7; c++) {
        int pivot = c;
        for (int r = c + 1; r < 7; r++)
            if (fabs(M[r][c]) > fabs(M[pivot][c]))
                pivot = r;
        for (int k = 0; k < 7; k++) {
            const double swap = M[c][k];
            M[c][k] = M[pivot][k];
            M[pivot][k] = swap;
        }
        const double swap = q[c];
        q[c] = q[pivot];
        q[pivot] = swap;
        for (int r = c + 1; r < 7; r++) {
            const double factor = M[r][c] / M[c][c];
            for (int k = c; k < 7; k++)
                M[r][k] -= factor * M[c][k];
            q[r] -= factor * q[c];
        }
    }
    for (int c = 6; c >= 0; c--) {
        x[c] = q[c];
        for (int k = c + 1; k < 7; k++)
            x[c] -= M[c][k] * x[k];
        x[c] /= M[c][c];
    }
}

/* Rate of the state; e and its rate: ball from socket. */
static void flight(double rate[FLIGHT], double e[3], double edot[3], const double s[FLIGHT]) {
    static const double J[3] = {1.7743e-3, 3.51e-5, 1.7743e-3}, m = 0.1416, rocker = 0.0316;
    const double arm[3] = {BALL[0], BALL[1], BALL[2] - CRANK_TIP};
    const double half = 0.5 * sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
    const double *w = s + 11, a = s[0], alpha_dot = s[1];
    const double tip[3] = {0, -CRANK_TIP * sin(a), CRANK_TIP * cos(a)}, by[3] = {0, -tip[2], tip[1]};
    double r[3], wr[3], wwr[3], Jw[3] = {0}, gyro[3], tensor[3][3] = {{0}};
    for (int i = 0; i < 3; i++)
        r[i] = half * s[2 + 3 + i]; // along its second axis, from tip to middle
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                tensor[i][j] += J[k] * s[2 + 3 * k + i] * s[2 + 3 * k + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            Jw[i] += tensor[i][j] * w[j];
    cross(wr, w, r);
    cross(wwr, w, wr);
    cross(gyro, w, Jw);
    // Rows: crank, a disc about its pivot; m a = F + m g; J ω̇ + ω × J ω = −r × F. Columns: α̈, ω̇, F.
    const double tilde[3][3] = {{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};
    double M[7][7] = {{0}}, q[7], x[7];
    M[0][0] = 3.92e-5;
    q[0] = 0;
    for (int i = 0; i < 3; i++) {
        M[0][4 + i] = by[i];
        M[1 + i][0] = m * by[i];
        M[1 + i][4 + i] = -1;
        for (int j = 0; j < 3; j++) {
            M[1 + i][1 + j] = -m * tilde[i][j];
            M[4 + i][1 + j] = tensor[i][j];
            M[4 + i][4 + j] = tilde[i][j];
        }
        q[1 + i] = (i == 2 ? -m * GRAVITY : 0) - m * (wwr[i] - tip[i] * alpha_dot * alpha_dot);
        q[4 + i] = -gyro[i];
    }
    solve7(x, M, q);
    rate[0] = alpha_dot;
    rate[1] = x[0];
    for (int k = 0; k < 3; k++)
        cross(rate + 2 + 3 * k, w, s + 2 + 3 * k);
    for (int i = 0; i < 3; i++)
        rate[11 + i] = x[1 + i];
    // The rocker turns about y by β.
    const double c = cos(s[14]), d = sin(s[14]), x0 = BALL[0] - PIVOT[0], z0 = BALL[2];
    const double u[3] = {c * x0 + d * z0, 0, c * z0 - d * x0}, turned[3] = {u[2], 0, -u[0]};
    rate[14] = s[15];
    rate[15] = -rocker * GRAVITY * turned[2] / 2 / (1.456e-4 + rocker * (x0 * x0 + z0 * z0) / 4);
    for (int i = 0; i < 3; i++) {
        e[i] = tip[i] + 2 * r[i] - PIVOT[i] - u[i];
        edot[i] = by[i] * alpha_dot + 2 * wr[i] - turned[i] * s[15];
    }
}

static void fly(double out[FLIGHT], const double s[FLIGHT], double h) {
    static const double ahead[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[FLIGHT] = {0}, at[FLIGHT], e[3], edot[3];
    memcpy(out, s, FLIGHT * sizeof *s);
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < FLIGHT; i++)
            at[i] = s[i] + h * ahead[stage] * k[i];
        flight(k, e, edot, at);
        for (int i = 0; i < FLIGHT; i++)
            out[i] += h * weight[stage] * k[i];
    }
}

static double gap(const double s[FLIGHT], double *speed) {
    double rate[FLIGHT], e[3], edot[3];
    flight(rate, e, edot, s);
    const double size = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    *speed = (e[0] * edot[0] + e[1] * edot[1] + e[2] * edot[2]) / size;
    return size - 0.5e-3;
}

static void test_first_flight(void **state) {
    (void)state;
    // The coupler's axes as drawn: y to the ball, z as near to the ground's as it can be.
    double s[FLIGHT] = {0}, next[FLIGHT], speed, t = 0;
    const double arm[3] = {BALL[0], BALL[1], BALL[2] - CRANK_TIP}, up[3] = {0, 0, 1};
    const double size = sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
    for (int i = 0; i < 3; i++)
        s[5 + i] = arm[i] / size;
    cross(s + 2, s + 5, up);
    const double level = sqrt(s[2] * s[2] + s[3] * s[3] + s[4] * s[4]);
    for (int i = 0; i < 3; i++)
        s[2 + i] /= level;
    cross(s + 8, s + 2, s + 5);
    double h = 1e-5;
    for (fly(next, s, h); gap(next, &speed) < 0; fly(next, s, h)) {
        memcpy(s, next, sizeof s);
        t += h;
        assert_true(t < 0.1);
    }
    double low = 0;
    for (int k = 0; k < 50; k++) { // bisection of the last step
        const double middle = 0.5 * (low + h);
        fly(next, s, middle);
        if (gap(next, &speed) < 0)
            low = middle;
        else
            h = middle;
    }
    play_run r;
    run_example(&r, NULL, 0, 0.018, 1e-10, some, 1, 10);
    const lash_event *onset = play_event(&r, LASH_EVENT_ONSET, 0);
    assert_non_null(onset);
    assert_near(onset->time, t + h, 1e-10);
    assert_relative(onset->speed, speed, 1e-8);
    play_end(&r);
}

/* The ideal machine has one freedom that moves: nothing turns the coupler about its own axis. With the crank
 * at α the rocker leans by β from the vertical, where the coupler of 122 mm fits, |ball − tip|² = 122² (mm):
 *   5920 sin β − 2960 cos α cos β − 3400 sin α = 183
 * The kinetic energy is J α̇²/2, and it swings between α = 0 and the angle where the potential V is that of the
 * start:
 *   period = 2 ∫ √(J/(2(V(0) − V(α)))) dα,  a smooth periodic function of θ with α = end (1 − cos θ)/2. */
static double potential_and_inertia(double *J, double a) {
    const double p = 5920, q = 2960 * cos(a), right = 183 + 3400 * sin(a);
    const double b = atan2(q, p) + asin(right / sqrt(p * p + q * q));
    const double by = (3400 * cos(a) - 2960 * sin(a) * cos(b)) / (p * cos(b) + q * sin(b)); // dβ/dα
    const double tip[3] = {0, -0.020 * cos(a), -0.020 * sin(a)},                            // d/dα of places
        ball[3] = {-0.074 * cos(b) * by, 0, -0.074 * sin(b) * by};
    *J = 3.92e-5 + (1.456e-4 + 0.0316 * 0.037 * 0.037) * by * by;
    for (int i = 0; i < 3; i++) {
        const double middle = (tip[i] + ball[i]) / 2, axis = (ball[i] - tip[i]) / 0.122;
        *J += 0.1416 * middle * middle + 1.7743e-3 * axis * axis;
    }
    return GRAVITY * (0.1416 * (0.010 * cos(a) + 0.037 * cos(b)) + 0.0316 * 0.037 * cos(b));
}

static void test_ideal_period(void **state) {
    (void)state;
    enum { NODES = 400 };
    double J, low = 3, end = 6.2, half = 0; // V is below that of the start at 3 rad and above it at 6.2
    const double start = potential_and_inertia(&J, 0);
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + end);
        if (potential_and_inertia(&J, middle) < start)
            low = middle;
        else
            end = middle;
    }
    for (int k = 0; k < NODES; k++) {
        const double theta = RIG_PI * (k + 0.5) / NODES;
        const double V = potential_and_inertia(&J, 0.5 * end * (1 - cos(theta)));
        half += RIG_PI / NODES * 0.5 * end * sin(theta) * sqrt(J / (2 * (start - V)));
    }
    static const char *const channels[] = {"crank_pivot.angle", "crank_pivot.wz", "coupler.wby", "rocker.z"};
    const lash_setting ideal = {"ball", "ideal"};
    play_run r;
    run_example(&r, &ideal, 1, 2 * half, 1e-11, channels, 4, 2);
    assert_near(half, 0.676, 5e-4);
    for (size_t k = 0; k < 3; k++) { // at the start, after half a period, after one
        const double *row = r.rows + k * r.columns;
        assert_near(row[0], (double)k * half, 1e-12);
        assert_near(row[1], k == 1 ? end : 0, 1e-8);
        assert_near(row[2], 0, 1e-6);
        assert_near(row[3], 0, 1e-12);
    }
    assert_near(r.rows[4], BALL[2] / 2, 1e-12);
    assert_near(r.rows[2 * r.columns + 4], BALL[2] / 2, 1e-9);
    play_end(&r);
}

/* Instants and approach speeds of the first impacts do not depend on the tolerance. */
static void test_first_impacts(void **state) {
    (void)state;
    play_run coarse, fine;
    run_example(&coarse, NULL, 0, 0.05, 1e-9, some, 1, 10);
    run_example(&fine, NULL, 0, 0.05, 1e-11, some, 1, 10);
    for (size_t k = 0; k < FIRST; k++) {
        const lash_event *a = play_event(&coarse, LASH_EVENT_ONSET, k),
                         *b = play_event(&fine, LASH_EVENT_ONSET, k);
        const lash_event *c = play_event(&coarse, LASH_EVENT_RELEASE, k),
                         *d = play_event(&fine, LASH_EVENT_RELEASE, k);
        assert_true(a && b && c && d && c->impact && d->impact);
        assert_near(a->time, b->time, 1e-9);
        assert_relative(a->speed, b->speed, 1e-6);
        assert_near(c->time, d->time, 1e-9);
        assert_relative(c->peak_force, d->peak_force, 1e-6);
    }
    // The ball is slower at each of the first three impacts. The peak forces do not simply follow: the second
    // impact is along another direction, in which the linkage has less than half the mass.
    static const double force[3] = {235.572, 133.661, 209.453};
    for (size_t k = 0; k < 3; k++) {
        assert_relative(play_event(&fine, LASH_EVENT_RELEASE, k)->peak_force, force[k], 1e-5);
        if (k > 0)
            assert_true(play_event(&fine, LASH_EVENT_ONSET, k)->speed <
                        0.9 * play_event(&fine, LASH_EVENT_ONSET, k - 1)->speed);
    }
    play_end(&coarse);
    play_end(&fine);
}

/* Two seconds: the energy never rises; with an ideal ball there is none of the peaks. */
static void test_two_seconds(void **state) {
    (void)state;
    static const char *const channels[] = {"energy.kinetic", "energy.potential", "energy.elastic", "ball.f"};
    play_run r;
    run_example(&r, NULL, 0, 2, 1e-6, channels, 4, 2000);
    double least = INFINITY;
    for (size_t k = 0; k < r.row_count; k++) {
        const double *row = r.rows + k * r.columns, energy = row[1] + row[2] + row[3];
        assert_true(energy <= least + r.summary.max_balance_error);
        least = fmin(least, energy);
    }
    assert_true(r.summary.max_balance_error <= 1e-8 * r.summary.energy_exchanged);
    assert_true(r.summary.clearances[0].energy_lost > 1e-3);
    assert_true(r.summary.clearances[0].peak_force > 400);
    assert_true(r.summary.clearances[0].impacts > 40); // chaotic: 69 to 173 at 24 tolerances nearby
    play_end(&r);
    const lash_setting ideal = {"ball", "ideal"};
    run_example(&r, &ideal, 1, 2, 1e-9, channels, 4, 2000);
    for (size_t k = 0; k < r.row_count; k++)
        assert_true(r.rows[k * r.columns + 4] < 30);
    play_end(&r);
}

/* The example with another contact and friction, to the release of its second impact. */
static void run_law(const char *contact, const char *friction) {
    char path[512], text[8192], changed[8192];
    snprintf(path, sizeof path, "%s/examples/flores-2006.yaml", LASH_SOURCE_DIR);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    const char *at = strstr(text, "law: lankarani-nikravesh"), *rest = at ? strstr(at, "}\n") : NULL;
    assert_non_null(rest);
    snprintf(changed, sizeof changed, "%.*s%s}\n      length: 20 mm\n      friction: {%s}\n%s",
             (int)(at - text), text, contact, friction, rest + strlen("}\n"));
    lash_error error = {0};
    play_run r = {0};
    if (lash_model_parse(&r.model, changed, strlen(changed), "test.yaml", NULL, &error))
        fail_msg("%s; %s: %s", contact, friction, error.message);
    play_settings(&r, 0.03, 1e-10);
    play_go(&r, some, 1, 10);
    if (r.status != LASH_STOP_END)
        fail_msg("%s; %s: %s", contact, friction, r.error.message);
    const lash_clearance_summary *ball = &r.summary.clearances[0];
    assert_true(ball->contacts >= 1 && ball->peak_force > 10);
    if (!(r.summary.max_balance_error <= 1e-9 * r.summary.energy_exchanged))
        fail_msg("%s; %s: the ledger is open by %g J of %g J", contact, friction, r.summary.max_balance_error,
                 r.summary.energy_exchanged);
    assert_true(ball->energy_lost >= -1e-9 * r.summary.energy_exchanged);
    play_end(&r);
}

static void test_normal_laws(void **state) {
    (void)state;
    static const char *const laws[] = {
        "hunt-crossley",  "herbert-mcwhannell", "lee-wang", "gonthier", "lankarani-nikravesh",
        "zhiying-qishao", "flores-2011",        "hu-guo",   "exact",    "dubowsky-freudenstein",
        "goldsmith",      "esdu-78035",         "johnson"};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        char contact[128];
        snprintf(contact, sizeof contact, "law: %s, restitution: 0.8", laws[k]);
        run_law(contact, "law: ambrosio, coefficient: 0.1");
    }
    run_law("law: hertz", "law: none");
}

static void test_friction_laws(void **state) {
    (void)state;
    static const char *const laws[] = {
        "law: none",
        "law: ambrosio, coefficient: 0.1",
        "law: threlfall, coefficient: 0.1",
        "law: bengisu-akay, coefficient: 0.1, coefficient_static: 0.15",
        "law: stribeck, coefficient: 0.1, coefficient_static: 0.15, viscous: 0.2",
        "law: lugre, coefficient: 0.1, coefficient_static: 0.12",
    };
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
        run_law("law: lankarani-nikravesh, restitution: 0.9", laws[k]);
}

/* A ball thrown into its socket within a plane, spinning about the plane's normal, is the journal of the
 * plane: the same gap, force and friction. In space the plane is tilted. */
static void test_as_in_the_plane(void **state) {
    (void)state;
    static const char *const frictions[] = {"law: none", "law: threlfall, coefficient: 0.2",
                                            "law: lugre, coefficient: 0.2"};
    static const char *const plane_channels[] = {"b.x", "b.y", "b.vx", "b.vy", "b.wz", "j.fn", NULL};
    static const char *const space_channels[] = {"b.x",  "b.y",  "b.z",  "b.vx", "b.vy", "b.vz",
                                                 "b.wx", "b.wy", "b.wz", "j.fn", NULL};
    static const char clearance[] = "clearance: {bearing_radius: 10 mm, radial: 0.1 mm, offset: [%s],\n"
                                    "  contact: {law: hunt-crossley, stiffness: 1e9, restitution: 0.8}, "
                                    "friction: {%s}}";
    // The plane's axes in ground axes: x → u, y → v, normal n.
    static const double u[3] = {2.0 / 3, 1.0 / 3, 2.0 / 3}, v[3] = {-2.0 / 3, 2.0 / 3, 1.0 / 3},
                        n[3] = {-1.0 / 3, -2.0 / 3, 2.0 / 3}, g[2] = {3, -9}, e[2] = {2e-5, 1e-5};
    for (size_t f = 0; f < sizeof frictions / sizeof *frictions; f++) {
        char play[2][512], offset[2][128];
        double a[3], c[3];
        for (int i = 0; i < 3; i++) {
            a[i] = g[0] * u[i] + g[1] * v[i];
            c[i] = e[0] * u[i] + e[1] * v[i];
        }
        snprintf(offset[0], sizeof offset[0], "%.17g, %.17g", e[0], e[1]);
        snprintf(offset[1], sizeof offset[1], "%.17g, %.17g, %.17g", c[0], c[1], c[2]);
        for (int k = 0; k < 2; k++)
            snprintf(play[k], sizeof play[k], clearance, offset[k], frictions[f]);
        rig plane = rig_open("gravity: [%g, %g]\n"
                             "bodies: {b: {mass: 0.2, inertia: 8e-6, angular_velocity: 30}}\n"
                             "joints: {j: {type: revolute, between: [ground, b], %s}}\n"
                             "run: {until: 0.05, rtol: 1e-11}\n",
                             g[0], g[1], play[0]);
        rig space = rig_open("space: spatial\n"
                             "gravity: [%.17g, %.17g, %.17g]\n"
                             "bodies: {b: {mass: 0.2, inertia: [8e-6, 8e-6, 8e-6],\n"
                             "             angular_velocity: [%.17g, %.17g, %.17g]}}\n"
                             "joints: {j: {type: spherical, between: [ground, b], %s}}\n"
                             "run: {until: 0.05, rtol: 1e-11}\n",
                             a[0], a[1], a[2], 30 * n[0], 30 * n[1], 30 * n[2], play[1]);
        rig_rows p = rig_sample(&plane, 100, plane_channels, false),
                 s = rig_sample(&space, 100, space_channels, false);
        bool touched = false;
        for (size_t k = 0; k < p.count; k++) {
            for (int i = 0; i < 3; i++) {
                const size_t column = 1 + (size_t)i;
                assert_near(rig_at(&s, k, column), rig_at(&p, k, 1) * u[i] + rig_at(&p, k, 2) * v[i], 1e-12);
                assert_near(rig_at(&s, k, column + 3), rig_at(&p, k, 3) * u[i] + rig_at(&p, k, 4) * v[i],
                            1e-8);
                assert_near(rig_at(&s, k, column + 6), rig_at(&p, k, 5) * n[i], 1e-6);
            }
            assert_near(rig_at(&s, k, 10), rig_at(&p, k, 6), 1e-4);
            touched = touched || rig_at(&p, k, 6) > 10;
        }
        assert_true(touched);
        rig_rows_close(&p);
        rig_rows_close(&s);
        rig_close(&plane);
        rig_close(&space);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_freedoms),      cmocka_unit_test(test_first_flight),
        cmocka_unit_test(test_ideal_period),  cmocka_unit_test(test_first_impacts),
        cmocka_unit_test(test_two_seconds),   cmocka_unit_test(test_normal_laws),
        cmocka_unit_test(test_friction_laws), cmocka_unit_test(test_as_in_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
