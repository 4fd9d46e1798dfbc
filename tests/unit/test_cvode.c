/* SPDX-License-Identifier: MIT
 *
 * adams and gear against closed forms and each other, and the rules of the integrator interface.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "count_allocations.h"
#include "integrate/integrator.h"
#include "model/schema.h"

enum { MAX_N = 8 };

static const char *const methods[] = {"adams", "gear"};
enum { METHODS = 2 };

typedef struct fixture {
    lashi_problem problem;
    double rtol[MAX_N], atol[MAX_N];
    lashi_integrator *self;
    const lashi_integrator_kind *kind;
} fixture;

static void begin(fixture *x, const char *method, size_t n, lashi_rhs f, void *context, double tolerance) {
    for (size_t i = 0; i < n; i++)
        x->rtol[i] = x->atol[i] = tolerance;
    x->problem = (lashi_problem){
        .n = n, .f = f, .context = context, .rtol = x->rtol, .atol = x->atol, .max_step = INFINITY};
    x->kind = lashi_integrator_find(method);
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

/* An oscillator, y = (sin t, cos t), and the quadrature of cos^2: t/2 + sin(2t)/4. */
static int oscillator(double *ydot, void *context, double t, const double *y) {
    (void)context, (void)t;
    ydot[0] = y[1];
    ydot[1] = -y[0];
    ydot[2] = y[1] * y[1];
    return 0;
}

static double oscillator_error(const double *y, double t) {
    return fmax(fmax(fabs(y[0] - sin(t)), fabs(y[1] - cos(t))), fabs(y[2] - t / 2 - sin(2 * t) / 4));
}

static const double START[3] = {0, 1, 0};

/* ---- The matrix ---- */

/* y' = -1000 (y - cos t) for both. One component changed and the other kept is a column of the matrix. */
typedef struct columns {
    double last[2], shortest, longest;
    int count;
} columns;

static int stiff_pair(double *ydot, void *context, double t, const double *y) {
    columns *seen = context;
    const bool first = y[0] != seen->last[0], second = y[1] != seen->last[1];
    if (first != second) {
        const double length = fabs(first ? y[0] - seen->last[0] : y[1] - seen->last[1]);
        seen->shortest = fmin(seen->shortest, length);
        seen->longest = fmax(seen->longest, length);
        seen->count++;
    } else {
        memcpy(seen->last, y, sizeof seen->last);
    }
    for (int i = 0; i < 2; i++)
        ydot[i] = -1000 * (y[i] - cos(t));
    return 0;
}

/* Derivatives are taken over far less than an error of the solution. */
static void columns_are_taken_nearby(void **state) {
    (void)state;
    const double start[2] = {0, 0.5}, tolerance = 1e-4;
    columns seen = {{NAN, NAN}, INFINITY, 0, 0};
    fixture x;
    begin(&x, "gear", 2, stiff_pair, &seen, tolerance);
    x.kind->restart(x.self, 0, start, 0, NULL);
    run_to(&x, 1);
    print_message("%d columns, the longest %g\n", seen.count, seen.longest);
    assert_true(seen.count >= 4 && seen.longest > 0 && seen.longest < 1e-2 * tolerance);
    assert_true(fabs(x.self->y[0] - cos(1)) < 1e-2);
    end(&x);
}

/* And over more than the rounding of what f adds to a component, which is zero at the start itself. */
static void columns_exceed_the_rounding_of_what_is_added(void **state) {
    (void)state;
    const double start[2] = {0, 0}, tolerance = 1e-4, size[2] = {30, 30};
    columns seen = {{NAN, NAN}, INFINITY, 0, 0};
    fixture x;
    begin(&x, "gear", 2, stiff_pair, &seen, tolerance);
    x.kind->destroy(x.self);
    x.problem.size = size;
    assert_int_equal(x.kind->create(&x.self, &x.problem, NULL), LASH_OK);
    x.kind->restart(x.self, 0, start, 0, NULL);
    run_to(&x, 1e-3);
    assert_true(seen.count >= 4 && seen.shortest > 0.9 * 1000 * DBL_EPSILON * size[0]);
    end(&x);
}

/* ---- Accuracy ---- */

static void error_follows_the_tolerance(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        double before = INFINITY;
        for (int digits = 4; digits <= 10; digits += 2) {
            fixture x;
            double tolerance = pow(10, -digits);
            begin(&x, methods[m], 3, oscillator, NULL, tolerance);
            x.kind->restart(x.self, 0, START, 0, NULL);
            run_to(&x, 10);
            double error = oscillator_error(x.self->y, 10);
            // Multistep codes let errors add up: a few hundred steps here.
            assert_true(error < 1000 * tolerance);
            assert_true(error < before / 5);
            before = error;
            end(&x);
        }
    }
}

static int van_der_pol(double *ydot, void *context, double t, const double *y) {
    (void)t;
    ydot[0] = y[1];
    ydot[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / *(double *)context;
    return 0;
}

/* Reference: IVP test set (Mazzia, Magherini), epsilon = 1e-6 at t = 2. */
static void gear_solves_stiff_van_der_pol(void **state) {
    (void)state;
    const double start[2] = {2, 0}, exact[2] = {0.1706167732170483e1, -0.8928097010247975};
    double epsilon = 1e-6;
    fixture x;
    begin(&x, "gear", 2, van_der_pol, &epsilon, 1e-8);
    x.kind->restart(x.self, 0, start, 0, NULL);
    run_to(&x, 2);
    assert_true(fabs(x.self->y[0] - exact[0]) < 1e-6 && fabs(x.self->y[1] - exact[1]) < 1e-6);
    assert_true(x.self->counts.steps < 5000); // an explicit method needs about a million
    end(&x);
}

static void interpolant_is_as_good_as_the_steps(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        fixture x;
        double y[3];
        begin(&x, methods[m], 3, oscillator, NULL, 1e-8);
        x.kind->restart(x.self, 0, START, 0, NULL);
        while (x.self->t < 5) {
            assert_int_equal(x.kind->step(x.self, 5, NULL), LASH_OK);
            size_t before = x.self->counts.evaluations;
            for (int i = 0; i <= 4; i++) {
                double t = i == 4 ? x.self->t : x.self->t_old + (x.self->t - x.self->t_old) * i / 4;
                assert_int_equal(x.kind->interpolate(y, x.self, t, NULL), LASH_OK);
                assert_true(oscillator_error(y, t) < 3e-6);
            }
            assert_memory_equal(y, x.self->y, sizeof y);
            assert_int_equal(x.self->counts.evaluations, before);
        }
        assert_int_equal(x.kind->interpolate(y, x.self, 6, NULL), LASH_ERROR_INTERNAL);
        end(&x);
    }
}

/* ---- Quadratures ---- */

/* A fast quadrature beside a slow motion. */
static int with_quadrature(double *ydot, void *context, double t, const double *y) {
    (void)context;
    ydot[0] = -y[0];
    ydot[1] = cos(50 * t);
    return 0;
}

static void components_without_tolerance_do_not_control(void **state) {
    (void)state;
    const double start[2] = {1, 0};
    for (int m = 0; m < METHODS; m++) {
        size_t steps[2];
        for (int excluded = 0; excluded < 2; excluded++) {
            fixture x;
            begin(&x, methods[m], 2, with_quadrature, NULL, 1e-6);
            if (excluded)
                x.rtol[1] = x.atol[1] = 0;
            end(&x);
            x.kind->create(&x.self, &x.problem, NULL);
            x.kind->restart(x.self, 0, start, 0, NULL);
            run_to(&x, 4);
            steps[excluded] = x.self->counts.steps;
            assert_true(fabs(x.self->y[0] - exp(-4)) < 1e-4);
            end(&x);
        }
        assert_true(steps[1] * 4 < steps[0]);
    }
}

/* An oscillator and components that rest: the same steps with as many of them as one likes. */
static int with_resting(double *ydot, void *context, double t, const double *y) {
    (void)t;
    memset(ydot, 0, *(size_t *)context * sizeof *ydot);
    ydot[0] = y[1];
    ydot[1] = -y[0] - y[0] * y[0] * y[0];
    return 0;
}

static void components_without_tolerance_count_for_nothing(void **state) {
    (void)state;
    const double start[MAX_N] = {1};
    for (int m = 0; m < METHODS; m++) {
        lashi_integrator_counts counts[2];
        double end_value[2];
        for (int more = 0; more < 2; more++) {
            fixture x;
            size_t n = more ? MAX_N : 2;
            begin(&x, methods[m], n, with_resting, &n, 1e-6);
            for (size_t i = 2; i < n; i++)
                x.rtol[i] = x.atol[i] = 0;
            end(&x);
            x.kind->create(&x.self, &x.problem, NULL);
            x.kind->restart(x.self, 0, start, 0, NULL);
            run_to(&x, 20);
            counts[more] = x.self->counts;
            end_value[more] = x.self->y[0];
            end(&x);
        }
        assert_int_equal(counts[1].steps, counts[0].steps);
        assert_int_equal(counts[1].rejected, counts[0].rejected);
        assert_true(fabs(end_value[1] - end_value[0]) < 1e-9);
    }
}

enum { MANY = 501 };

/* Decoupled equations y' = -lambda (y - cos t), lambda = 1 … 1e4, and last the quadrature of the slowest and
 * the fastest. */
static double lambda_of(size_t i) {
    return pow(10, 4 * (double)i / (MANY - 2));
}

static int many(double *ydot, void *context, double t, const double *y) {
    (void)context;
    for (size_t i = 0; i + 1 < MANY; i++)
        ydot[i] = -lambda_of(i) * (y[i] - cos(t));
    ydot[MANY - 1] = y[0] + y[MANY - 2];
    return 0;
}

/* y of one of them from y(0) = 0, and its integral. */
static double many_solution(double lambda, double t) {
    return lambda / (1 + lambda * lambda) * (lambda * cos(t) + sin(t) - lambda * exp(-lambda * t));
}

static double many_integral(double lambda, double t) {
    return lambda / (1 + lambda * lambda) * (lambda * sin(t) - cos(t) + exp(-lambda * t));
}

static void gear_without_matrix_is_as_good(void **state) {
    (void)state;
    double *y = calloc(MANY, sizeof *y), *tolerance = calloc(MANY, sizeof *y);
    for (size_t i = 0; i + 1 < MANY; i++)
        tolerance[i] = 1e-8;
    const lashi_problem problem = {
        .n = MANY, .f = many, .rtol = tolerance, .atol = tolerance, .max_step = INFINITY};
    const lashi_integrator_kind *kind = lashi_integrator_find("gear");
    lashi_integrator *self;
    assert_int_equal(kind->create(&self, &problem, NULL), LASH_OK);
    kind->restart(self, 0, y, 0, NULL);
    while (self->t < 1)
        assert_int_equal(kind->step(self, 1, NULL), LASH_OK);
    for (size_t i = 0; i + 1 < MANY; i++)
        assert_true(fabs(self->y[i] - many_solution(lambda_of(i), 1)) < 1e-6);
    double integral = many_integral(1, 1) + many_integral(1e4, 1);
    assert_true(fabs(self->y[MANY - 1] - integral) < 1e-6);
    assert_true(self->counts.steps < 2000);
    kind->destroy(self);
    free(y);
    free(tolerance);
}

/* ---- The rules of the interface ---- */

static void lands_on_the_limit(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        fixture x;
        begin(&x, methods[m], 3, oscillator, NULL, 1e-8);
        x.kind->restart(x.self, 0, START, 0, NULL);
        for (int i = 1; i <= 20; i++)
            run_to(&x, 0.1 * i);
        assert_true(oscillator_error(x.self->y, x.self->t) < 1e-5);
        // A limit a rounding error away, on the way and right after a restart.
        double t = nextafter(x.self->t, INFINITY);
        assert_int_equal(x.kind->step(x.self, t, NULL), LASH_OK);
        assert_true(x.self->t == t);
        double y[3];
        memcpy(y, x.self->y, sizeof y);
        assert_int_equal(x.kind->restart(x.self, t, y, 0, NULL), LASH_OK);
        t = nextafter(t, INFINITY);
        assert_int_equal(x.kind->step(x.self, t, NULL), LASH_OK);
        assert_true(x.self->t == t);
        // And none at all.
        for (int i = 0; i < 30; i++)
            assert_int_equal(x.kind->step(x.self, INFINITY, NULL), LASH_OK);
        assert_true(oscillator_error(x.self->y, x.self->t) < 1e-4);
        assert_int_equal(x.kind->step(x.self, x.self->t, NULL), LASH_ERROR_INTERNAL);
        end(&x);
    }
}

static void small_corrections_are_ignored_large_ones_restart(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        fixture x;
        double y[3], kept[3];
        begin(&x, methods[m], 3, oscillator, NULL, 1e-6);
        x.kind->restart(x.self, 0, START, 0, NULL);
        run_to(&x, 2);
        memcpy(kept, x.self->y, sizeof kept);
        memcpy(y, kept, sizeof y);
        y[0] += 1e-8;
        double h = x.self->h_next;
        assert_int_equal(x.kind->correct(x.self, y, NULL), LASH_OK);
        assert_memory_equal(x.self->y, kept, sizeof kept);
        assert_true(x.self->h_next == h);
        // Onto the exact motion, seen from a wrong phase: the correction is taken over.
        y[0] = sin(2.5), y[1] = cos(2.5), y[2] = 1.25 + sin(5) / 4;
        assert_int_equal(x.kind->correct(x.self, y, NULL), LASH_OK);
        assert_memory_equal(x.self->y, y, sizeof y);
        run_to(&x, 4);
        assert_true(oscillator_error(x.self->y, 4.5) < 1e-4);
        end(&x);
    }
}

static void loading_continues_within_the_tolerance(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        fixture a, b;
        begin(&a, methods[m], 3, oscillator, NULL, 1e-8);
        begin(&b, methods[m], 3, oscillator, NULL, 1e-8);
        a.kind->restart(a.self, 0, START, 0, NULL);
        run_to(&a, 3);
        void *history = malloc(a.kind->history_size(&a.problem));
        a.kind->save(history, a.self);
        assert_int_equal(b.kind->load(b.self, history, NULL), LASH_OK);
        assert_true(b.self->t == 3);
        assert_int_equal(b.self->counts.steps, a.self->counts.steps);
        assert_memory_equal(b.self->y, a.self->y, sizeof START);
        run_to(&b, 6);
        assert_true(oscillator_error(b.self->y, 6) < 1e-5);
        free(history);
        end(&a);
        end(&b);
    }
}

typedef enum wall { REFUSES, NOT_A_NUMBER, GIVES_UP } wall;

static int walled(double *ydot, void *context, double t, const double *y) {
    (void)t;
    ydot[0] = 1;
    if (y[0] <= 1)
        return 0;
    switch (*(wall *)context) {
    case REFUSES: return 1;
    case NOT_A_NUMBER: ydot[0] = NAN; return 0;
    case GIVES_UP: break;
    }
    return LASH_ERROR_SINGULAR;
}

static void failures_are_reported_and_nothing_is_printed(void **state) {
    (void)state;
    const wall walls[] = {REFUSES, NOT_A_NUMBER, GIVES_UP};
    const lash_status expected[] = {LASH_ERROR_STEP, LASH_ERROR_NOT_FINITE, LASH_ERROR_SINGULAR};
    // stderr goes to a file meanwhile.
    fixture x[METHODS][3];
    lash_status status[METHODS][3];
    lash_error error[METHODS][3];
    FILE *file = tmpfile();
    fflush(stderr);
    int terminal = dup(2);
    dup2(fileno(file), 2);
    for (int m = 0; m < METHODS; m++)
        for (int i = 0; i < 3; i++) {
            wall kind = walls[i];
            double y0 = 0;
            begin(&x[m][i], methods[m], 1, walled, &kind, 1e-6);
            error[m][i] = (lash_error){0};
            status[m][i] = x[m][i].kind->restart(x[m][i].self, 0, &y0, 0, NULL);
            while (!status[m][i])
                status[m][i] = x[m][i].kind->step(x[m][i].self, 5, &error[m][i]);
        }
    fflush(stderr);
    dup2(terminal, 2);
    close(terminal);
    fseek(file, 0, SEEK_END);
    assert_int_equal(ftell(file), 0);
    fclose(file);

    for (int m = 0; m < METHODS; m++)
        for (int i = 0; i < 3; i++) {
            const lashi_integrator *self = x[m][i].self;
            assert_int_equal(status[m][i], expected[i]);
            assert_int_equal(error[m][i].status, walls[i] == GIVES_UP ? LASH_OK : expected[i]);
            assert_true(self->t <= 1 && fabs(self->y[0] - self->t) < 1e-6);
            if (walls[i] != GIVES_UP) {
                assert_true(self->t > 1 - 1e-9 && error[m][i].time == self->t);
                assert_non_null(strstr(error[m][i].message, "step size too small"));
                assert_non_null(
                    strstr(error[m][i].message, walls[i] == REFUSES ? "beyond this state" : "not finite"));
            }
            end(&x[m][i]);
        }
}

static int decay(double *ydot, void *context, double t, const double *y) {
    (void)context, (void)t;
    ydot[0] = -1e4 * (y[0] - cos(t));
    return 0;
}

static void adams_counts_stiff_steps_and_gear_none(void **state) {
    (void)state;
    size_t stiff[METHODS], steps[METHODS];
    for (int m = 0; m < METHODS; m++) {
        fixture x;
        double y0 = 1;
        begin(&x, methods[m], 1, decay, NULL, 1e-6);
        x.kind->restart(x.self, 0, &y0, 0, NULL);
        run_to(&x, 1);
        stiff[m] = x.self->counts.stiff;
        steps[m] = x.self->counts.steps;
        end(&x);
    }
    assert_true(stiff[0] > steps[0] / 50);
    assert_true(stiff[1] == 0 && steps[1] * 20 < steps[0]);
}

static void stepping_allocates_nothing(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        fixture x;
        double y[3];
        begin(&x, methods[m], 3, oscillator, NULL, 1e-8);
        size_t before = allocation_count;
        x.kind->restart(x.self, 0, START, 0, NULL);
        x.kind->step(x.self, 1000, NULL);
        size_t first = allocation_count;
        for (int i = 0; i < 100; i++) {
            x.kind->step(x.self, 1000, NULL);
            x.kind->interpolate(y, x.self, 0.5 * (x.self->t + x.self->t_old), NULL);
            memcpy(y, x.self->y, sizeof y);
            x.kind->correct(x.self, y, NULL);
        }
        x.kind->restart(x.self, 0, START, 0, NULL);
        x.kind->step(x.self, 1000, NULL);
        size_t after = allocation_count;
        assert_int_equal(first, before);
        assert_int_equal(after, first);
        end(&x);
    }
}

static void max_step_is_kept(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        fixture x;
        begin(&x, methods[m], 3, oscillator, NULL, 1e-3);
        end(&x);
        x.problem.max_step = 0.01;
        x.kind->create(&x.self, &x.problem, NULL);
        x.kind->restart(x.self, 0, START, 0, NULL);
        while (x.self->t < 1) {
            assert_int_equal(x.kind->step(x.self, 1, NULL), LASH_OK);
            assert_true(x.self->t - x.self->t_old <= 0.01 * (1 + 1e-9));
        }
        end(&x);
    }
}

static void the_list_names_every_method(void **state) {
    (void)state;
    assert_string_equal(lashi_integrator_kinds[0]->name, "dop853");
    size_t count = 0;
    for (; lashi_integrator_kinds[count]; count++) {
        assert_ptr_equal(lashi_integrator_find(lashi_integrator_kinds[count]->name),
                         lashi_integrator_kinds[count]);
        assert_string_equal(lashi_integrator_name(count), lashi_integrator_kinds[count]->name);
        lashi_integrator_kinds[count]->destroy(NULL);
    }
    assert_int_equal(count, 3);
    assert_null(lashi_integrator_name(count));
    assert_null(lashi_integrator_name(count + 1));
    assert_null(lashi_integrator_find("euler"));
}

/* y' = -rate (y - cos t), with a bump of the given width at t = 1. Whoever tries a step again, shorter, goes back in time. */
typedef struct attempts {
    double rate, width, last;
    size_t backwards;
} attempts;

static int relaxation(double *ydot, void *context, double t, const double *y) {
    attempts *a = context;
    a->backwards += t < a->last;
    a->last = t;
    const double x = (t - 1) / a->width;
    ydot[0] = -a->rate * (y[0] - cos(t)) + exp(-x * x) / a->width;
    return 0;
}

static lashi_integrator_counts count_attempts(size_t *backwards, const char *method, double rate,
                                              double width, bool restarted) {
    fixture x;
    attempts a = {.rate = rate, .width = width, .last = -INFINITY};
    const double start = 1;
    begin(&x, method, 1, relaxation, &a, 1e-6);
    x.kind->restart(x.self, 0, &start, 0, NULL);
    if (restarted) {
        run_to(&x, 0.5);
        const double here = x.self->y[0];
        a.last = -INFINITY;
        x.kind->restart(x.self, 0.5, &here, 0, NULL);
    }
    run_to(&x, 2);
    *backwards = a.backwards;
    const lashi_integrator_counts counts = x.self->counts;
    end(&x);
    return counts;
}

static void failed_attempts_are_counted(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++)
        for (int restarted = 0; restarted < 2; restarted++) {
            size_t backwards;
            const lashi_integrator_counts bumpy = count_attempts(&backwards, methods[m], 1, 0.02, restarted);
            assert_true(bumpy.rejected > 3);
            assert_int_equal(bumpy.rejected, backwards);
            assert_true(bumpy.stiff < bumpy.steps / 10); // what failed was the test of the error
            const lashi_integrator_counts stiff = count_attempts(&backwards, methods[m], 1e4, 1, restarted);
            assert_int_equal(stiff.rejected, backwards);
            // The iteration of adams does not converge there; gear has Newton's method.
            if (strcmp(methods[m], "adams") == 0)
                assert_true(stiff.rejected > 50 && stiff.stiff > 50 && stiff.stiff <= stiff.steps);
            else
                assert_int_equal(stiff.stiff, 0);
        }
}

#ifndef COUNT_BY_SANITIZER
/* A program may have functions of another SUNDIALS in it, as those that are linked with Simbody do: none is called in
 * place of CVODE's own. */
static int strange_calls;
int N_VDestroy_Serial(void *vector);
int N_VDestroy_Serial(void *vector) {
    (void)vector;
    return ++strange_calls;
}

static void functions_of_the_program_are_not_taken(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        fixture x;
        begin(&x, methods[m], 3, oscillator, NULL, 1e-8);
        assert_int_equal(x.kind->restart(x.self, 0, START, 0, NULL), LASH_OK);
        assert_int_equal(x.kind->step(x.self, 1000, NULL), LASH_OK);
        end(&x);
    }
    assert_int_equal(strange_calls, 0);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
#ifndef COUNT_BY_SANITIZER
        cmocka_unit_test(functions_of_the_program_are_not_taken),
#endif
        cmocka_unit_test(columns_are_taken_nearby),
        cmocka_unit_test(columns_exceed_the_rounding_of_what_is_added),
        cmocka_unit_test(error_follows_the_tolerance),
        cmocka_unit_test(gear_solves_stiff_van_der_pol),
        cmocka_unit_test(interpolant_is_as_good_as_the_steps),
        cmocka_unit_test(components_without_tolerance_do_not_control),
        cmocka_unit_test(components_without_tolerance_count_for_nothing),
        cmocka_unit_test(gear_without_matrix_is_as_good),
        cmocka_unit_test(lands_on_the_limit),
        cmocka_unit_test(small_corrections_are_ignored_large_ones_restart),
        cmocka_unit_test(loading_continues_within_the_tolerance),
        cmocka_unit_test(failures_are_reported_and_nothing_is_printed),
        cmocka_unit_test(adams_counts_stiff_steps_and_gear_none),
        cmocka_unit_test(stepping_allocates_nothing),
        cmocka_unit_test(max_step_is_kept),
        cmocka_unit_test(the_list_names_every_method),
        cmocka_unit_test(failed_attempts_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
