/* SPDX-License-Identifier: MIT
 *
 * dop853: its coefficients against the order conditions of all rooted trees, its measured orders, its error
 * against the tolerance, known orbits, and the rules of the integrator interface.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "count_allocations.h"
#include "integrate/dop853_table.h"
#include "integrate/integrator.h"

enum { STAGES = LASHI_DOP853_STAGES, MAX_ORDER = 8 };

/* ---- Order conditions: for every rooted tree, sum_i b_i Phi_i = x^order/gamma (Butcher). ---- */

/* Phi_i of the tree given by the levels of its vertices in preorder; returns gamma. */
static double tree_weights(double phi[STAGES], const int *level, int order) {
    double u[MAX_ORDER][STAGES];
    int size[MAX_ORDER];
    double gamma = 1;
    for (int v = 0; v < order; v++) {
        size[v] = 1;
        for (int i = 0; i < STAGES; i++)
            u[v][i] = 1;
    }
    for (int v = order - 1; v > 0; v--) {
        int parent = v - 1;
        while (level[parent] != level[v] - 1)
            parent--;
        size[parent] += size[v];
        gamma *= size[v];
        for (int i = 0; i < STAGES; i++) {
            double sum = 0;
            for (int j = 0; j < i; j++)
                sum += lashi_dop853_a[i][j] * u[v][j];
            u[parent][i] *= sum;
        }
    }
    memcpy(phi, u[0], sizeof u[0]);
    return gamma * order;
}

/* The next tree with the same number of vertices in the enumeration of Beyer and Hedetniemi; false after the
 * last. */
static bool next_tree(int *level, int order) {
    int p = order - 1;
    while (p > 0 && level[p] <= 1)
        p--;
    if (p <= 0)
        return false;
    int q = p - 1;
    while (level[q] != level[p] - 1)
        q--;
    for (int i = p; i < order; i++)
        level[i] = level[i - (p - q)];
    return true;
}

/* Largest violation over all trees up to `order`, at the fraction x of the step; counts the trees. */
static double order_violation(size_t *trees, const double b[STAGES], int order, double x) {
    double worst = 0;
    *trees = 0;
    for (int n = 1; n <= order; n++) {
        int level[MAX_ORDER];
        for (int i = 0; i < n; i++)
            level[i] = i;
        do {
            double phi[STAGES], sum = 0;
            double gamma = tree_weights(phi, level, n);
            for (int i = 0; i < STAGES; i++)
                sum += b[i] * phi[i];
            worst = fmax(worst, fabs(sum - pow(x, n) / gamma));
            ++*trees;
        } while (n > 1 && next_tree(level, n));
    }
    return worst;
}

static void coefficients_satisfy_order_conditions(void **state) {
    (void)state;
    size_t trees;
    double b5[STAGES];
    for (int i = 0; i < STAGES; i++) {
        double sum = 0, size = 1;
        for (int j = 0; j < i; j++) {
            sum += lashi_dop853_a[i][j];
            size += fabs(lashi_dop853_a[i][j]);
        }
        assert_true(fabs(sum - lashi_dop853_c[i]) < DBL_EPSILON * size);
        b5[i] = lashi_dop853_a[12][i] - lashi_dop853_e5[i];
    }
    assert_true(order_violation(&trees, lashi_dop853_a[12], 8, 1) < 1e-14);
    assert_int_equal(trees, 200);
    assert_true(order_violation(&trees, b5, 5, 1) < 1e-14);
    assert_true(order_violation(&trees, b5, 6, 1) > 1e-5);
    assert_true(order_violation(&trees, lashi_dop853_b3, 3, 1) < 1e-14);
    assert_true(order_violation(&trees, lashi_dop853_b3, 4, 1) > 1e-4);
}

static void interpolant_satisfies_order_conditions(void **state) {
    (void)state;
    for (double x = 0.125; x < 1; x += 0.125) {
        double b[STAGES], z = 1 - x;
        for (int i = 0; i < STAGES; i++) {
            const double(*d)[STAGES] = lashi_dop853_d;
            double p1 = lashi_dop853_a[12][i], p2 = (i == 0) - p1, p3 = p1 - (i == 12) - p2;
            double tail = d[0][i] + x * (d[1][i] + z * (d[2][i] + x * d[3][i]));
            b[i] = x * (p1 + z * (p2 + x * (p3 + z * tail)));
        }
        size_t trees;
        assert_true(order_violation(&trees, b, 7, x) < 1e-14);
        assert_int_equal(trees, 85);
        assert_true(order_violation(&trees, b, 8, x) > 1e-9);
    }
}

/* ---- Problems ---- */

/* Plane Kepler motion, semi-axis 1, eccentricity E, from the pericentre; period 2 pi. */
static const double E = 0.5;

static int kepler(double *ydot, void *context, double t, const double *y) {
    (void)context, (void)t;
    double r2 = y[0] * y[0] + y[1] * y[1], r3 = r2 * sqrt(r2);
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = -y[0] / r3;
    ydot[3] = -y[1] / r3;
    return 0;
}

static void kepler_solution(double *y, double t) {
    double u = t; // Kepler's equation u - E sin u = t by Newton's method
    for (int i = 0; i < 50; i++)
        u -= (u - E * sin(u) - t) / (1 - E * cos(u));
    double b = sqrt(1 - E * E), rate = 1 / (1 - E * cos(u));
    y[0] = cos(u) - E;
    y[1] = b * sin(u);
    y[2] = -sin(u) * rate;
    y[3] = b * cos(u) * rate;
}

static double distance(const double *a, const double *b, size_t n) {
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

enum { MAX_N = 8 };

typedef struct fixture {
    lashi_problem problem;
    double rtol[MAX_N], atol[MAX_N];
    lashi_integrator *self;
    const lashi_integrator_kind *kind;
} fixture;

static void begin(fixture *x, size_t n, lashi_rhs f, void *context, double rtol, double atol,
                  double max_step) {
    for (size_t i = 0; i < n; i++) {
        x->rtol[i] = rtol;
        x->atol[i] = atol;
    }
    x->problem = (lashi_problem){
        .n = n, .f = f, .context = context, .rtol = x->rtol, .atol = x->atol, .max_step = max_step};
    x->kind = lashi_integrator_find("dop853");
    assert_non_null(x->kind);
    assert_int_equal(x->kind->create(&x->self, &x->problem, NULL), LASH_OK);
}

static void run_to(fixture *x, double t) {
    while (x->self->t < t)
        assert_int_equal(x->kind->step(x->self, t, NULL), LASH_OK);
    assert_true(x->self->t == t);
}

static void end(fixture *x) {
    x->kind->destroy(x->self);
}

static double rate(double coarse, double fine) {
    return log2(coarse / fine);
}

/* ---- Orders ---- */

/* Error over [0, 2] in steps of h, the error control switched off by a huge tolerance. */
static double fixed_step_error(double h) {
    fixture x;
    double y[4], exact[4];
    begin(&x, 4, kepler, NULL, 0, 1e20, h);
    kepler_solution(y, 1);
    kepler_solution(exact, 3);
    x.kind->restart(x.self, 1, y, h, NULL);
    run_to(&x, 3);
    double error = distance(x.self->y, exact, 4);
    end(&x);
    return error;
}

static void global_error_has_order_8(void **state) {
    (void)state;
    double e1 = fixed_step_error(0.25), e2 = fixed_step_error(0.125), e3 = fixed_step_error(0.0625);
    assert_true(fabs(rate(e1, e2) - 8) < 0.5);
    assert_true(fabs(rate(e2, e3) - 8) < 0.3);
}

/* Largest error of the interpolant over one step of size h, and of the step itself. */
static void local_errors(double *inside, double *at_end, double h) {
    fixture x;
    double y[4], exact[4];
    begin(&x, 4, kepler, NULL, 0, 1e20, h);
    kepler_solution(y, 2.5);
    x.kind->restart(x.self, 2.5, y, h, NULL);
    run_to(&x, 2.5 + h);
    kepler_solution(exact, 2.5 + h);
    *at_end = distance(x.self->y, exact, 4);
    *inside = 0;
    for (int i = 1; i < 32; i++) {
        double t = 2.5 + h * i / 32.0;
        assert_int_equal(x.kind->interpolate(y, x.self, t, NULL), LASH_OK);
        kepler_solution(exact, t);
        *inside = fmax(*inside, distance(y, exact, 4));
    }
    end(&x);
}

static void one_step_has_orders_8_and_7(void **state) {
    (void)state;
    double inside[2], at_end[2];
    local_errors(&inside[0], &at_end[0], 0.6);
    local_errors(&inside[1], &at_end[1], 0.3);
    // An order p leaves a local error h^(p+1).
    assert_true(fabs(rate(inside[0], inside[1]) - 8) < 0.3);
    assert_true(fabs(rate(at_end[0], at_end[1]) - 9) < 0.4);
}

static int counted_kepler(double *ydot, void *context, double t, const double *y) {
    ++*(size_t *)context;
    return kepler(ydot, NULL, t, y);
}

static void interpolant_joins_smoothly(void **state) {
    (void)state;
    fixture x;
    double y[4], end_y[4], start_y[4];
    size_t calls = 0;
    begin(&x, 4, counted_kepler, &calls, 1e-6, 1e-6, INFINITY);
    kepler_solution(y, 0);
    x.kind->restart(x.self, 0, y, 0, NULL);
    for (int i = 0; i < 5; i++)
        assert_int_equal(x.kind->step(x.self, 6, NULL), LASH_OK);
    const size_t before = calls;
    assert_int_equal(x.self->counts.evaluations, before);
    assert_int_equal(x.kind->interpolate(end_y, x.self, x.self->t, NULL), LASH_OK);
    assert_int_equal(x.kind->interpolate(start_y, x.self, x.self->t_old, NULL), LASH_OK);
    assert_int_equal(calls, before); // the ends need no polynomial
    assert_true(x.self->landed);
    assert_memory_equal(end_y, x.self->y, sizeof end_y);
    assert_memory_equal(start_y, x.self->y_old, sizeof start_y);
    // Slope at both ends, by a difference into the step.
    double h = x.self->t - x.self->t_old, d = 1e-6 * h;
    x.kind->interpolate(end_y, x.self, x.self->t - d, NULL);
    x.kind->interpolate(start_y, x.self, x.self->t_old + d, NULL);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs((x.self->y[i] - end_y[i]) / d - x.self->ydot[i]) < 1e-5);
        assert_true(fabs((start_y[i] - x.self->y_old[i]) / d - x.self->ydot_old[i]) < 1e-5);
    }
    assert_int_equal(calls, before + 3);                  // three extra stages, once
    assert_int_equal(x.self->counts.evaluations, before); // which no step needs
    assert_false(x.self->landed);
    assert_int_equal(x.kind->interpolate(y, x.self, x.self->t + h, NULL), LASH_ERROR_INTERNAL);
    end(&x);
}

/* ---- Control ---- */

static void error_follows_the_tolerance(void **state) {
    (void)state;
    double exact[4], y[4], first = 0, last = 0;
    kepler_solution(exact, 20);
    for (int digits = 4; digits <= 12; digits++) {
        fixture x;
        double tolerance = pow(10, -digits);
        begin(&x, 4, kepler, NULL, tolerance, tolerance, INFINITY);
        kepler_solution(y, 0);
        x.kind->restart(x.self, 0, y, 0, NULL);
        run_to(&x, 20);
        double ratio = distance(x.self->y, exact, 4) / tolerance;
        // Three orbits amplify local errors by about ten per orbit.
        assert_true(ratio > 0.05 && ratio < 500);
        if (digits == 4)
            first = ratio;
        last = ratio;
        end(&x);
    }
    assert_true(last / first < 100 && last / first > 0.01);
}

/* The restricted three-body orbit of Arenstorf (section II.0 of Hairer, Norsett, Wanner). */
static int arenstorf(double *ydot, void *context, double t, const double *y) {
    (void)context, (void)t;
    const double mu = 0.012277471, mc = 1 - mu;
    double d1 = pow((y[0] + mu) * (y[0] + mu) + y[1] * y[1], 1.5);
    double d2 = pow((y[0] - mc) * (y[0] - mc) + y[1] * y[1], 1.5);
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = y[0] + 2 * y[3] - mc * (y[0] + mu) / d1 - mu * (y[0] - mc) / d2;
    ydot[3] = y[1] - 2 * y[2] - mc * y[1] / d1 - mu * y[1] / d2;
    return 0;
}

static void arenstorf_orbit_closes(void **state) {
    (void)state;
    const double start[4] = {0.994, 0, 0, -2.00158510637908252240537862224};
    const double period = 17.0652165601579625588917206249;
    fixture x;
    begin(&x, 4, arenstorf, NULL, 1e-12, 1e-12, INFINITY);
    x.kind->restart(x.self, 0, start, 0, NULL);
    run_to(&x, period);
    assert_true(fabs(x.self->y[0] - start[0]) < 1e-6 && fabs(x.self->y[1] - start[1]) < 1e-6);
    // Twelve evaluations a step, the last of which a rejected step spares; two for the first step.
    const lashi_integrator_counts *counts = &x.self->counts;
    assert_true(counts->evaluations == 12 * counts->steps + 11 * counts->rejected + 2);
    assert_true(counts->rejected < counts->steps / 3);
    assert_int_equal(counts->stiff, 0);
    end(&x);
}

/* The equation of van der Pol with epsilon = 1e-3; counts its calls. */
static int van_der_pol(double *ydot, void *context, double t, const double *y) {
    (void)t;
    ++*(size_t *)context;
    ydot[0] = y[1];
    ydot[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-3;
    return 0;
}

/* The program dop853 of Hairer and Wanner, on its own example with dense output at every step, reports 1345
 * steps accepted and 21530 evaluations (as noted with the numerical tests of the MESA stellar evolution
 * code). Another order of rounding may turn a rejection or two. */
static void work_equals_that_of_the_original(void **state) {
    (void)state;
    const double start[2] = {2, 0}, exact[2] = {1.7632345401889102, -0.83568868191466206};
    double y[2];
    fixture x;
    size_t calls = 0;
    begin(&x, 2, van_der_pol, &calls, 1e-9, 1e-9, INFINITY);
    x.kind->restart(x.self, 0, start, 0, NULL);
    while (x.self->t < 2) {
        assert_int_equal(x.kind->step(x.self, 2, NULL), LASH_OK);
        x.kind->interpolate(y, x.self, 0.5 * (x.self->t + x.self->t_old), NULL);
    }
    assert_true(distance(x.self->y, exact, 2) < 1e-8);
    const lashi_integrator_counts *counts = &x.self->counts;
    assert_true(fabs((double)counts->steps / 1345 - 1) < 0.01);
    const size_t work = counts->evaluations + 3 * counts->steps;
    assert_true(fabs((double)work / 21530 - 1) < 0.01);
    // Beside them only what looks at interpolants of steps at the border of stability, and makes some of them again in parts.
    assert_true(calls >= work && calls <= 2 * work);
    end(&x);
}

static int decay(double *ydot, void *context, double t, const double *y) {
    (void)t;
    ydot[0] = -*(double *)context * (y[0] - cos(t)) - sin(t);
    return 0;
}

static void stability_limit_is_counted(void **state) {
    (void)state;
    double lambda = 1e4, y0 = 1;
    fixture x;
    begin(&x, 1, decay, &lambda, 1e-4, 1e-4, INFINITY);
    x.kind->restart(x.self, 0, &y0, 0, NULL);
    run_to(&x, 1);
    assert_true(x.self->counts.stiff > x.self->counts.steps / 3);
    assert_true(fabs(x.self->y[0] - cos(1)) < 1e-3);
    end(&x);
}

/* On the border of stability what is left of a fast decay stays, as large as the tolerance allows; inside it does not, and
 * its rate, lambda times that, is right as well. */
static void stable_steps_leave_nothing_of_a_fast_decay(void **state) {
    (void)state;
    double worst[2], lambda = 1e4, y0 = 1;
    size_t evaluations[2];
    for (int k = 0; k < 2; k++) {
        fixture x;
        begin(&x, 1, decay, &lambda, 1e-4, 1e-4, INFINITY);
        x.kind->restart(x.self, 0, &y0, 0, NULL);
        x.self->stable = k;
        worst[k] = 0;
        while (x.self->t < 1) {
            assert_int_equal(x.kind->step(x.self, 1, NULL), LASH_OK);
            worst[k] = fmax(worst[k], fabs(x.self->ydot[0] + sin(x.self->t)) / lambda);
        }
        evaluations[k] = x.self->counts.evaluations;
        assert_true(x.self->counts.stiff > x.self->counts.steps / 3);
        end(&x);
    }
    print_message("errors %g and %g, %zu and %zu evaluations\n", worst[0], worst[1], evaluations[0],
                  evaluations[1]);
    assert_true(worst[1] < 1e-2 * worst[0] && evaluations[1] < 2 * evaluations[0]);
}

/* A mass on a spring with w² = 1e4 1/s², its damping `context` times critical. */
static int damped(double *ydot, void *context, double t, const double *y) {
    (void)t;
    const double w = 100, *damping = context;
    ydot[0] = y[1];
    ydot[1] = -w * w * y[0] - 2 * *damping * w * y[1];
    return 0;
}

/* Its speed when it is let go with 1 at 0, from the two rates of decay. */
static double let_go(double t, double slow, double fast) {
    return (slow * exp(slow * t) - fast * exp(fast * t)) / (slow - fast);
}

/* Between steps that fast damping limits y is as right as at their ends, where it was as far off as the stages are, a
 * hundred times the tolerance; in whatever order it is asked for, it is the same. */
static void interpolant_of_stiff_steps_stays_with_the_motion(void **state) {
    (void)state;
    enum { POINTS = 19 };
    static const double dampings[] = {1.5, 5, 20, 100};
    const double w = 100, start[2] = {0, 1};
    for (size_t k = 0; k < sizeof dampings / sizeof *dampings; k++)
        for (double rtol = 1e-3; rtol > 1e-10; rtol *= 0.1) {
            double damping = dampings[k], worst = 0, at_ends = 0;
            const double root = sqrt(damping * damping - 1);
            const double slow = -w / (damping + root), fast = -w * (damping + root);
            fixture x;
            begin(&x, 2, damped, &damping, 0, rtol, INFINITY);
            x.kind->restart(x.self, 0, start, 0, NULL);
            while (x.self->t < 0.5) {
                assert_int_equal(x.kind->step(x.self, 0.5, NULL), LASH_OK);
                const double from = x.self->t_old, h = x.self->t - from;
                const lashi_integrator_counts counts = x.self->counts;
                double y[POINTS][2];
                for (size_t i = 0; i < POINTS; i++) { // out of order: POINTS is prime
                    const size_t p = i * 7 % POINTS;
                    const double t = from + (double)(p + 1) / (POINTS + 1) * h;
                    assert_int_equal(x.kind->interpolate(y[p], x.self, t, NULL), LASH_OK);
                    worst = fmax(worst, fabs(y[p][1] - let_go(t, slow, fast)));
                }
                at_ends = fmax(at_ends, fabs(x.self->y[1] - let_go(x.self->t, slow, fast)));
                for (size_t p = 0; p < POINTS; p++) {
                    double again[2];
                    const double t = from + (double)(p + 1) / (POINTS + 1) * h;
                    assert_int_equal(x.kind->interpolate(again, x.self, t, NULL), LASH_OK);
                    assert_memory_equal(again, y[p], sizeof again);
                }
                assert_memory_equal(&x.self->counts, &counts, sizeof counts);
            }
            if (!(worst < 2 * fmax(rtol, at_ends)))
                fail_msg("damping %g, rtol %g: %g of it, %g at the ends", damping, rtol, worst / rtol,
                         at_ends / rtol);
            assert_true(x.self->counts.stiff > 0);
            end(&x);
        }
}

/* A point on a circle, w turns of 1 rad in a second: any two rates differ by w times what their points differ. */
static int circle(double *ydot, void *context, double t, const double *y) {
    (void)t;
    const double w = *(double *)context;
    ydot[0] = w * y[1];
    ydot[1] = -w * y[0];
    return 0;
}

/* An error test that lets everything pass does not see what grows beyond the boundary of stability, h w = 6.1: no step
 * is longer than 0.6 of it, from the second on, whether the one before was so long or shorter. */
static void after_a_mild_test_steps_are_stable(void **state) {
    (void)state;
    double w = 100;
    const double start[2] = {0, 1};
    fixture x;
    begin(&x, 2, circle, &w, 0, 1e-6, INFINITY);
    x.self->leniency = 1e30;
    x.self->stable = true;
    x.kind->restart(x.self, 0, start, 0, NULL);
    for (int k = 0; k < 30; k++) {
        assert_int_equal(x.kind->step(x.self, 100, NULL), LASH_OK);
        if (!(w * x.self->h_next < 0.6 * 6.1 * (1 + 1e-6)))
            fail_msg("step %d: %g", k, w * x.self->h_next);
    }
    assert_true(w * x.self->h_next > 0.6 * 6.1 * (1 - 1e-6)); // and none is much shorter
    end(&x);
}

/* A wave that is steep for a tenth of its period. */
static int bumpy(double *ydot, void *context, double t, const double *y) {
    (void)context;
    (void)y;
    ydot[0] = exp(-4 * sin(t) * sin(t));
    return 0;
}

/* Where the error of a step goes with the phase of a vibration, one that is remembered spares steps that are rejected. */
static void errors_that_are_remembered_come_back(void **state) {
    (void)state;
    const double start = 0;
    size_t rejected[2];
    for (int recalls = 0; recalls < 2; recalls++) {
        fixture x;
        begin(&x, 1, bumpy, NULL, 0, 1e-9, INFINITY);
        x.self->recall = recalls ? 0.7 : 0;
        x.kind->restart(x.self, 0, &start, 0.01, NULL);
        run_to(&x, 300);
        rejected[recalls] = x.self->counts.rejected;
        end(&x);
    }
    if (!(rejected[0] > 100 && rejected[1] < rejected[0] / 2))
        fail_msg("%zu and %zu rejected", rejected[0], rejected[1]);
}

/* y0' = -y0; y1' = fast, a quadrature that is left out of the error control when its tolerances are 0. */
static int with_quadrature(double *ydot, void *context, double t, const double *y) {
    (void)context;
    ydot[0] = -y[0];
    ydot[1] = cos(50 * t);
    return 0;
}

static void components_without_tolerance_do_not_control(void **state) {
    (void)state;
    const double start[2] = {1, 0};
    size_t steps[2];
    for (int excluded = 0; excluded < 2; excluded++) {
        fixture x;
        begin(&x, 2, with_quadrature, NULL, 1e-8, 1e-8, INFINITY);
        if (excluded)
            x.rtol[1] = x.atol[1] = 0;
        end(&x);
        assert_int_equal(x.kind->create(&x.self, &x.problem, NULL), LASH_OK);
        x.kind->restart(x.self, 0, start, 0.01, NULL);
        run_to(&x, 4);
        steps[excluded] = x.self->counts.steps;
        assert_true(fabs(x.self->y[0] - exp(-4)) < 1e-8);
        end(&x);
    }
    assert_true(steps[1] * 4 < steps[0]);
}

/* ---- Limits and failures ---- */

static void lands_on_the_limit_and_keeps_its_stride(void **state) {
    (void)state;
    fixture x;
    double y[4];
    begin(&x, 4, kepler, NULL, 1e-9, 1e-9, INFINITY);
    kepler_solution(y, 0);
    x.kind->restart(x.self, 0, y, 0, NULL);
    for (int i = 0; i < 8; i++)
        assert_int_equal(x.kind->step(x.self, 6, NULL), LASH_OK);
    double natural = x.self->h_next, t = x.self->t;
    // A limit far closer than the step, then one a rounding error away.
    assert_int_equal(x.kind->step(x.self, t + 1e-3 * natural, NULL), LASH_OK);
    assert_true(x.self->t == t + 1e-3 * natural);
    assert_true(x.self->h_next >= natural);
    t = nextafter(x.self->t, INFINITY);
    assert_int_equal(x.kind->step(x.self, t, NULL), LASH_OK);
    assert_true(x.self->t == t);
    assert_true(x.self->h_next >= natural);
    // Within 1 % beyond the step: stretched.
    natural = x.self->h_next;
    t = x.self->t + 1.005 * natural;
    assert_int_equal(x.kind->step(x.self, t, NULL), LASH_OK);
    assert_true(x.self->t == t || x.self->counts.rejected > 0);
    assert_int_equal(x.kind->step(x.self, x.self->t, NULL), LASH_ERROR_INTERNAL);
    end(&x);
}

static void max_step_is_kept(void **state) {
    (void)state;
    fixture x;
    double y[4];
    begin(&x, 4, kepler, NULL, 1e-4, 1e-4, 0.01);
    kepler_solution(y, 0);
    x.kind->restart(x.self, 0, y, 0, NULL);
    while (x.self->t < 1) {
        x.kind->step(x.self, 1, NULL);
        assert_true(x.self->t - x.self->t_old <= 0.01 * 1.02);
    }
    end(&x);
}

/* Kepler motion, and how near its evaluations come to a time. */
typedef struct hole {
    double at, nearest;
} hole;

static int holed(double *ydot, void *context, double t, const double *y) {
    hole *h = context;
    h->nearest = fmin(h->nearest, fabs(t - h->at));
    return kepler(ydot, NULL, t, y);
}

/* Wherever the time to be stepped past lies, no stage of the step past it, of those before or of their
 * interpolants comes closer than a tenth of the step, and the error is that of other steps. */
static void steps_past_a_time(void **state) {
    (void)state;
    for (double at = 0.9; at < 2.5; at += 0.0713)
        for (int k = 0; k < 2; k++) {
            fixture x;
            hole h = {at, 1};
            double y[4], exact[4], past = 0;
            begin(&x, 4, holed, &h, 1e-9, 1e-9, INFINITY);
            kepler_solution(y, 0);
            x.kind->restart(x.self, 0, y, 0, NULL);
            while (x.self->t < 3) {
                const bool close = fabs(x.self->t - at) < 0.5; // a mild test lets no step grow
                assert_int_equal(x.kind->step_past(x.self, at, k && close ? 10 : 1, 3, NULL), LASH_OK);
                if (x.self->t_old < at && at < x.self->t)
                    past = x.self->t - x.self->t_old;
                const double middle = 0.5 * (x.self->t_old + x.self->t);
                assert_int_equal(x.kind->interpolate(y, x.self, middle, NULL), LASH_OK);
                kepler_solution(exact, middle);
                assert_true(distance(y, exact, 4) < 1e-7);
            }
            assert_true(past > 0.05 && h.nearest > 0.1 * past);
            kepler_solution(exact, 3);
            assert_true(distance(x.self->y, exact, 4) < (k ? 1e-7 : 2e-8));
            end(&x);
        }
}

typedef enum wall { REFUSES, NOT_A_NUMBER, GIVES_UP } wall;

/* y' = 1 that cannot be evaluated beyond y = 1 + 1e-3. */
static int walled(double *ydot, void *context, double t, const double *y) {
    (void)t;
    ydot[0] = 1;
    if (y[0] <= 1.001)
        return 0;
    switch (*(wall *)context) {
    case REFUSES: return 1;
    case NOT_A_NUMBER: ydot[0] = NAN; return 0;
    case GIVES_UP: break;
    }
    return LASH_ERROR_SINGULAR;
}

static void failing_steps_are_retried_then_reported(void **state) {
    (void)state;
    const wall walls[] = {REFUSES, NOT_A_NUMBER, GIVES_UP};
    const lash_status expected[] = {LASH_ERROR_STEP, LASH_ERROR_NOT_FINITE, LASH_ERROR_SINGULAR};
    for (int i = 0; i < 3; i++) {
        fixture x;
        wall kind = walls[i];
        double y0 = 0;
        lash_error error = {0};
        begin(&x, 1, walled, &kind, 1e-6, 1e-6, INFINITY);
        assert_int_equal(x.kind->restart(x.self, 0, &y0, 0.3, NULL), LASH_OK);
        lash_status status = LASH_OK;
        while (!status && x.self->t < 1)
            status = x.kind->step(x.self, 1, &error);
        if (kind != GIVES_UP) {
            assert_int_equal(status, LASH_OK);
            while (!status)
                status = x.kind->step(x.self, 5, &error);
            assert_true(fabs(x.self->t - 1.001) < 1e-12);
            assert_true(error.time == x.self->t);
            assert_non_null(strstr(error.message, "step size too small"));
            assert_true(x.self->counts.rejected > 5);
        } else {
            while (!status)
                status = x.kind->step(x.self, 5, &error);
            assert_int_equal(error.status, LASH_OK); // the callee keeps its own record
        }
        assert_int_equal(status, expected[i]);
        // The last accepted point is still whole.
        assert_true(fabs(x.self->y[0] - x.self->t) < 1e-12 && x.self->ydot[0] == 1);
        end(&x);
    }
}

static int step_force(double *ydot, void *context, double t, const double *y) {
    (void)context, (void)y;
    ydot[0] = t < 1 ? 1e12 * sin(1e9 * y[0]) : -1e12;
    return 0;
}

static void impossible_tolerance_is_reported(void **state) {
    (void)state;
    fixture x;
    double y0 = 1e-3;
    lash_error error = {0};
    begin(&x, 1, step_force, NULL, 0, 1e-30, INFINITY);
    lash_status status = x.kind->restart(x.self, 0.5, &y0, 1e-3, &error);
    while (!status)
        status = x.kind->step(x.self, 2, &error);
    assert_int_equal(status, LASH_ERROR_STEP);
    assert_non_null(strstr(error.message, "error test"));
    end(&x);
}

static int steady_where_finite(double *ydot, void *context, double t, const double *y) {
    (void)context;
    ydot[0] = 1;
    return !isfinite(y[0]) || !isfinite(t);
}

/* So large that the square of its measure is infinite: the first step is sought, and found, all the same. */
static void huge_coordinates_have_a_first_step(void **state) {
    (void)state;
    fixture x;
    const double y0 = 1e200;
    begin(&x, 1, steady_where_finite, NULL, 0, 1e-8, INFINITY);
    assert_int_equal(x.kind->restart(x.self, 0, &y0, 0, NULL), LASH_OK);
    assert_true(x.self->h_next > 0 && isfinite(x.self->h_next));
    end(&x);
}

/* ---- Restart, correction, checkpoints ---- */

static void correction_moves_the_end_of_the_interpolant(void **state) {
    (void)state;
    fixture x;
    double y[4], moved[4], near[4];
    begin(&x, 4, kepler, NULL, 1e-8, 1e-8, INFINITY);
    kepler_solution(y, 0);
    x.kind->restart(x.self, 0, y, 0, NULL);
    for (int i = 0; i < 6; i++)
        x.kind->step(x.self, 6, NULL);
    double h_next = x.self->h_next, t = x.self->t;
    x.kind->interpolate(near, x.self, 0.5 * (t + x.self->t_old), NULL);
    size_t before = x.self->counts.evaluations;
    for (int i = 0; i < 4; i++)
        moved[i] = x.self->y[i] + 1e-9;
    assert_int_equal(x.kind->correct(x.self, moved, NULL), LASH_OK);
    assert_true(x.self->t == t && x.self->h_next == h_next);
    assert_memory_equal(x.self->y, moved, sizeof moved);
    kepler(y, NULL, t, moved);
    assert_memory_equal(x.self->ydot, y, sizeof y);
    x.kind->interpolate(y, x.self, t - 1e-9, NULL);
    assert_true(fabs(y[0] + 1e-9 * x.self->ydot[0] - moved[0]) < 1e-14);
    assert_int_equal(x.self->counts.evaluations, before + 1);
    assert_int_equal(x.kind->step(x.self, 6, NULL), LASH_OK);
    end(&x);
}

static void loading_continues_bit_for_bit(void **state) {
    (void)state;
    fixture a, b;
    double y[4];
    begin(&a, 4, kepler, NULL, 1e-9, 1e-9, INFINITY);
    begin(&b, 4, kepler, NULL, 1e-9, 1e-9, INFINITY);
    kepler_solution(y, 0);
    a.self->recall = b.self->recall = 0.9;
    a.kind->restart(a.self, 0, y, 0, NULL);
    for (int i = 0; i < 7; i++)
        a.kind->step(a.self, 30, NULL);
    void *history = malloc(a.kind->history_size(&a.problem));
    a.kind->save(history, a.self);
    assert_int_equal(b.kind->load(b.self, history, NULL), LASH_OK);
    assert_true(b.self->t == a.self->t);
    for (int i = 0; i < 40; i++) {
        assert_int_equal(a.kind->step(a.self, 30, NULL), LASH_OK);
        assert_int_equal(b.kind->step(b.self, 30, NULL), LASH_OK);
        assert_true(a.self->t == b.self->t && a.self->h_next == b.self->h_next);
        assert_memory_equal(a.self->y, b.self->y, sizeof y);
    }
    assert_int_equal(a.self->counts.evaluations, b.self->counts.evaluations);
    free(history);
    end(&a);
    end(&b);
}

static void stepping_allocates_nothing(void **state) {
    (void)state;
    fixture x;
    double y[4];
    begin(&x, 4, kepler, NULL, 1e-9, 1e-9, INFINITY);
    kepler_solution(y, 0);
    assert_true(allocation_count > 0);
    size_t before = allocation_count;
    x.kind->restart(x.self, 0, y, 0, NULL);
    for (int i = 0; i < 50; i++) {
        x.kind->step(x.self, 100, NULL);
        x.kind->interpolate(y, x.self, 0.5 * (x.self->t + x.self->t_old), NULL);
        memcpy(y, x.self->y, sizeof y);
        x.kind->correct(x.self, y, NULL);
    }
    size_t after = allocation_count;
    assert_int_equal(after, before);
    end(&x);
}

enum { MANY = 60000 };

static int oscillators(double *ydot, void *context, double t, const double *y) {
    (void)context, (void)t;
    for (size_t i = 0; i < MANY; i += 2) {
        ydot[i] = y[i + 1];
        ydot[i + 1] = -y[i];
    }
    return 0;
}

static void many_components_behave_as_two(void **state) {
    (void)state;
    double *y = malloc(MANY * sizeof *y), *tolerance = malloc(MANY * sizeof *y);
    for (size_t i = 0; i < MANY; i++) {
        y[i] = (double)(i % 2);
        tolerance[i] = 1e-10;
    }
    const lashi_problem problem = {
        .n = MANY, .f = oscillators, .rtol = tolerance, .atol = tolerance, .max_step = INFINITY};
    const lashi_integrator_kind *kind = lashi_integrator_find("dop853");
    lashi_integrator *self;
    assert_int_equal(kind->create(&self, &problem, NULL), LASH_OK);
    assert_true((uintptr_t)self->y % 64 == 0);
    assert_int_equal(kind->restart(self, 0, y, 0, NULL), LASH_OK);
    while (self->t < 10)
        assert_int_equal(kind->step(self, 10, NULL), LASH_OK);
    for (size_t i = 0; i < MANY; i += 2)
        assert_true(fabs(self->y[i] - sin(10)) < 1e-9 && fabs(self->y[i + 1] - cos(10)) < 1e-9);
    kind->destroy(self);
    kind->destroy(NULL);
    free(y);
    free(tolerance);
}

/* An oscillator in the first two of 24 components and its squares, summed up, in the rest. */
static int oscillator_with_sums(double *ydot, void *context, double t, const double *y) {
    (void)context, (void)t;
    ydot[0] = y[1];
    ydot[1] = -y[0];
    for (size_t i = 2; i < 24; i++)
        ydot[i] = y[i % 2] * y[i % 2];
    return 0;
}

/* For stages that the sums do not use. */
static int oscillator_without_sums(double *ydot, void *context, double t, const double *y) {
    (void)context, (void)t;
    ydot[0] = y[1];
    ydot[1] = -y[0];
    for (size_t i = 2; i < 24; i++)
        ydot[i] = (double)NAN;
    return 0;
}

static void components_that_are_not_read_come_out_the_same(void **state) {
    (void)state;
    double y[24] = {0, 1}, tolerance[24] = {1e-9, 1e-9}, found[3][24], between[3][24];
    for (size_t k = 0; k < 3; k++) {
        const lashi_problem problem = {.n = 24,
                                       .f = oscillator_with_sums,
                                       .rtol = tolerance,
                                       .atol = tolerance,
                                       .max_step = INFINITY,
                                       .reads = k ? 2 : 0,
                                       .early = k == 2 ? oscillator_without_sums : NULL};
        const lashi_integrator_kind *kind = lashi_integrator_find("dop853");
        lashi_integrator *self;
        assert_int_equal(kind->create(&self, &problem, NULL), LASH_OK);
        assert_int_equal(kind->restart(self, 0, y, 0, NULL), LASH_OK);
        while (self->t < 10)
            assert_int_equal(kind->step(self, 10, NULL), LASH_OK);
        memcpy(found[k], self->y, sizeof found[k]);
        assert_int_equal(kind->interpolate(between[k], self, 0.5 * (self->t_old + self->t), NULL), LASH_OK);
        kind->destroy(self);
    }
    for (size_t k = 1; k < 3; k++) {
        assert_memory_equal(found[0], found[k], sizeof found[0]);
        assert_memory_equal(between[0], between[k], sizeof between[0]);
    }
    assert_true(fabs(found[1][2] - (5 - sin(20) / 4)) < 1e-8);
}

/* An oscillator whose acceleration is off by something between ±1e-9 that no step makes smaller. */
static int shaken_oscillator(double *ydot, void *context, double t, const double *y) {
    (void)t;
    unsigned *seed = context;
    *seed = 1664525 * *seed + 1013904223;
    ydot[0] = y[1];
    ydot[1] = -y[0] + 1e-9 * ((double)*seed / 2147483648.0 - 1);
    return 0;
}

static void rounding_is_not_followed(void **state) {
    (void)state;
    const double y[2] = {0, 1e-7}, tolerance[2] = {1e-8, 1e-12}, shake[2] = {0, 3e-9};
    size_t steps[2];
    for (int known = 0; known < 2; known++) {
        unsigned seed = 1;
        const lashi_problem problem = {.n = 2,
                                       .f = shaken_oscillator,
                                       .context = &seed,
                                       .rtol = tolerance,
                                       .atol = tolerance,
                                       .max_step = INFINITY,
                                       .shake = shake};
        const lashi_integrator_kind *kind = lashi_integrator_find("dop853");
        lashi_integrator *self;
        assert_int_equal(kind->create(&self, &problem, NULL), LASH_OK);
        self->shaken = known;
        assert_int_equal(kind->restart(self, 0, y, 0.1, NULL), LASH_OK);
        while (self->t < 10)
            assert_int_equal(kind->step(self, 10, NULL), LASH_OK);
        assert_true(hypot(self->y[0] - 1e-7 * sin(10), self->y[1] - 1e-7 * cos(10)) < 2e-8);
        steps[known] = self->counts.steps;
        kind->destroy(self);
    }
    assert_in_range(steps[1], 10, 60);
    assert_true(steps[0] > 20 * steps[1]);
}

/* An oscillator that for a while cannot be evaluated, is noise that no step is short enough for, or spoils and
 * refuses the second of two evaluations at one time: that of the new point, after all stages. */
typedef struct moody {
    bool refuses, raves, sulks;
    double from, last;
} moody;

static int moody_oscillator(double *ydot, void *context, double t, const double *y) {
    moody *m = context;
    const bool again = t == m->last;
    m->last = t;
    ydot[0] = y[1];
    ydot[1] = -y[0];
    if (m->raves && t > m->from)
        ydot[0] += 1e12 * sin(1e17 * (t - m->from));
    if (m->sulks && again && t > m->from)
        ydot[0] = ydot[1] = 1e3;
    return t > m->from && (m->refuses || (m->sulks && again));
}

/* A step that fails for good leaves the last point whole: the run goes on from there as if nothing had been. */
static void a_failed_step_leaves_the_point(void **state) {
    (void)state;
    fixture x;
    moody m = {.last = NAN};
    const double start[2] = {0, 1};
    begin(&x, 2, moody_oscillator, &m, 1e-11, 1e-11, INFINITY);
    x.kind->restart(x.self, 0, start, 0, NULL);
    for (int k = 1; k <= 6; k++) {
        run_to(&x, k);
        lash_error error;
        m = (moody){.refuses = k % 3 == 1,
                    .raves = k % 3 == 2,
                    .sulks = k % 3 == 0,
                    .from = x.self->t + 1e-3,
                    .last = NAN};
        lash_status status = LASH_OK;
        while (!status)
            status = x.kind->step(x.self, k + 1, &error);
        assert_true(status < 0);
        const double t = x.self->t, h = 1e-9;
        assert_true(t <= m.from && fabs(x.self->y[0] - sin(t)) < 1e-9 && fabs(x.self->y[1] - cos(t)) < 1e-9);
        m.refuses = m.raves = m.sulks = false;
        // A short step shows what is taken for the slope at its start.
        x.self->h_next = h;
        assert_int_equal(x.kind->step(x.self, t + h, NULL), LASH_OK);
        assert_true(fabs((x.self->y[0] - sin(t)) / h - cos(t)) < 1e-2);
    }
    run_to(&x, 10);
    assert_true(fabs(x.self->y[0] - sin(10)) < 1e-8);
    end(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_not_followed),
        cmocka_unit_test(coefficients_satisfy_order_conditions),
        cmocka_unit_test(interpolant_satisfies_order_conditions),
        cmocka_unit_test(global_error_has_order_8),
        cmocka_unit_test(one_step_has_orders_8_and_7),
        cmocka_unit_test(interpolant_joins_smoothly),
        cmocka_unit_test(error_follows_the_tolerance),
        cmocka_unit_test(arenstorf_orbit_closes),
        cmocka_unit_test(work_equals_that_of_the_original),
        cmocka_unit_test(stability_limit_is_counted),
        cmocka_unit_test(stable_steps_leave_nothing_of_a_fast_decay),
        cmocka_unit_test(interpolant_of_stiff_steps_stays_with_the_motion),
        cmocka_unit_test(after_a_mild_test_steps_are_stable),
        cmocka_unit_test(components_without_tolerance_do_not_control),
        cmocka_unit_test(lands_on_the_limit_and_keeps_its_stride),
        cmocka_unit_test(max_step_is_kept),
        cmocka_unit_test(steps_past_a_time),
        cmocka_unit_test(failing_steps_are_retried_then_reported),
        cmocka_unit_test(impossible_tolerance_is_reported),
        cmocka_unit_test(huge_coordinates_have_a_first_step),
        cmocka_unit_test(correction_moves_the_end_of_the_interpolant),
        cmocka_unit_test(errors_that_are_remembered_come_back),
        cmocka_unit_test(loading_continues_bit_for_bit),
        cmocka_unit_test(stepping_allocates_nothing),
        cmocka_unit_test(many_components_behave_as_two),
        cmocka_unit_test(components_that_are_not_read_come_out_the_same),
        cmocka_unit_test(a_failed_step_leaves_the_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
