/* SPDX-License-Identifier: MIT
 *
 * The linear algebra of an evaluation: the dense and the sparse path give the same accelerations and
 * reactions, and both those of the whole matrix [M Φqᵀ; Φq 0], solved by LAPACK with pivoting (dgesv).
 *
 * Random mechanisms: every body hangs by a pin, a slide, a weld or a slot on an earlier body or on the
 * ground; massless rods close loops between them; some are driven. Chains: pendulums of many links.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics/evaluate.h"
#include "laws/near.h"
#include "physics/rig.h"

void dgesv_(const int *n, const int *columns, double *A, const int *lda, int *pivot, double *b,
            const int *ldb, int *info);

typedef struct text {
    char *at;
    size_t length;
    FILE *file;
} text;

static void text_open(text *t) {
    t->file = open_memstream(&t->at, &t->length);
    assert_non_null(t->file);
}

/* Body k at (x, y) with a joint there to a body drawn before it. */
static char *random_mechanism(int bodies, int rods, const char *solver, unsigned long long seed) {
    text t;
    text_open(&t);
    double *x = calloc((size_t)bodies, sizeof *x), *y = calloc((size_t)bodies, sizeof *y);
    assert_true(x && y);
    fprintf(t.file, "gravity: [0.3, -9.81]\nbodies:\n");
    for (int k = 0; k < bodies; k++) {
        x[k] = rig_random(&seed, -1, 1);
        y[k] = rig_random(&seed, -1, 1);
        // a body-fixed point per earlier body: its own centre lies there too
        fprintf(
            t.file, "  b%d: {mass: %.17g, inertia: %.17g, position: [%.17g, %.17g], angular_velocity: %.17g",
            k, rig_random(&seed, 0.5, 3), rig_random(&seed, 0.05, 0.5), x[k], y[k], rig_random(&seed, -2, 2));
        fprintf(t.file, ", points: {p: [%.17g, %.17g]}}\n", rig_random(&seed, -0.5, 0.5),
                rig_random(&seed, -0.5, 0.5));
    }
    fprintf(t.file, "joints:\n");
    for (int k = 0; k < bodies; k++) {
        const int parent = (int)rig_random(&seed, -1, k);
        char owner[32];
        snprintf(owner, sizeof owner, parent < 0 || k == 0 ? "ground" : "b%d.p", parent);
        const double kind = rig_random(&seed, 0, 1);
        // assembly moves the bodies to their joints
        if (kind < 0.6)
            fprintf(t.file, "  j%d: {type: revolute, between: [%s, b%d]}\n", k, owner, k);
        else if (kind < 0.75)
            fprintf(t.file, "  j%d: {type: translational, between: [%s, b%d], axis: [%.17g, 1]}\n", k, owner,
                    k, rig_random(&seed, -2, 2));
        else if (kind < 0.85)
            fprintf(t.file, "  j%d: {type: fixed, between: [%s, b%d]}\n", k, owner, k);
        else
            fprintf(t.file, "  j%d: {type: point-on-line, between: [%s, b%d], axis: [%.17g, 1]}\n", k, owner,
                    k, rig_random(&seed, -2, 2));
    }
    for (int k = 0; k < rods; k++) { // from one half to the other, so never within one body
        const int a = (int)rig_random(&seed, 0, bodies / 2), b = (int)rig_random(&seed, bodies / 2, bodies);
        fprintf(t.file, "  r%d: {type: distance, between: [b%d.p, b%d.p], length: 0.7}\n", k, a, b);
    }
    fprintf(t.file, "run: {until: 1, solver: %s}\n", solver);
    fclose(t.file);
    free(x);
    free(y);
    return t.at;
}

static char *chain(int links, const char *solver) {
    text t;
    text_open(&t);
    fprintf(t.file, "gravity: [0, -9.81]\nbodies:\n");
    double x = 0, y = 0;
    for (int k = 0; k < links; k++) {
        const double angle = 0.3 * sin(0.7 * k), c = cos(angle), s = sin(angle);
        fprintf(t.file,
                "  b%d: {mass: 1, inertia: 0.02, position: [%.17g, %.17g], angle: %.17g, angular_velocity: "
                "%.17g, points: {l: "
                "[-0.25, 0], r: [0.25, 0]}}\n",
                k, x + 0.25 * c, y + 0.25 * s, angle, 0.1 * cos(k));
        x += 0.5 * c;
        y += 0.5 * s;
    }
    fprintf(t.file, "joints:\n  j0: {type: revolute, between: [ground, b0.l]}\n");
    for (int k = 1; k < links; k++)
        fprintf(t.file, "  j%d: {type: revolute, between: [b%d.r, b%d.l]}\n", k, k - 1, k);
    fprintf(t.file, "run: {until: 1, solver: %s}\n", solver);
    fclose(t.file);
    return t.at;
}

typedef struct evaluated {
    lash_model *model;
    lash_system *system;
    lashi_workspace *workspace;
} evaluated;

/* False when the random mechanism cannot be closed or stands in a singular position: then there is nothing to
 * compare. */
static bool evaluate(evaluated *e, char *model_text) {
    lash_error error = {0};
    *e = (evaluated){0};
    rig_require(lash_model_parse(&e->model, model_text, strlen(model_text), "random.yaml", NULL, &error),
                &error, "model");
    free(model_text);
    const lash_status status = lash_system_compile(&e->system, e->model, &error);
    if (status == LASH_ERROR_ASSEMBLY)
        return false;
    rig_require(status, &error, "compile");
    rig_require(lashi_workspace_create(&e->workspace, e->system, &error), &error, "workspace");
    double *ydot = calloc((size_t)e->system->n_y, sizeof *ydot);
    assert_non_null(ydot);
    const int failed = lashi_evaluate(ydot, e->workspace, 0, e->system->y0);
    free(ydot);
    return !failed;
}

static void evaluated_clear(evaluated *e) {
    lashi_workspace_destroy(e->workspace);
    lash_system_destroy(e->system);
    lash_model_destroy(e->model);
}

/* λ by the name of the constraint: the two paths order them differently. */
static double multiplier(const evaluated *e, const char *name, int row) {
    const lashi_constraint_set *set = &e->system->motion;
    for (int c = 0; c < set->count; c++)
        if (strcmp(set->items[c].name, name) == 0)
            return e->workspace->lambda[set->items[c].first_row + row];
    fail_msg("no constraint '%s'", name);
    return (double)NAN;
}

/* Largest differences between two paths, relative to the largest value. */
static void compare(double out[2], const evaluated *a, const evaluated *b) {
    double difference[2] = {0}, size[2] = {0};
    for (int body = 1; body < a->system->bodies; body++)
        for (int k = 0; k < 3; k++) {
            const double x = a->workspace->acceleration[body][k], y = b->workspace->acceleration[body][k];
            difference[0] = fmax(difference[0], fabs(x - y));
            size[0] = fmax(size[0], fabs(x));
        }
    for (int c = 0; c < a->system->motion.count; c++)
        for (int row = 0; row < a->system->motion.items[c].rows; row++) {
            const char *name = a->system->motion.items[c].name;
            const double x = multiplier(a, name, row), y = multiplier(b, name, row);
            difference[1] = fmax(difference[1], fabs(x - y));
            size[1] = fmax(size[1], fabs(x));
        }
    for (int k = 0; k < 2; k++)
        out[k] = size[k] > 0 ? difference[k] / size[k] : 0;
}

/* The whole matrix by LAPACK; accelerations alone, since they exist also where reactions are not unique. */
static double against_whole_matrix(const evaluated *e) {
    const lash_system *system = e->system;
    const lashi_constraint_set *set = &system->motion;
    const int nq = system->n_q, n = nq + set->rows, one = 1;
    double *A = calloc((size_t)n * (size_t)n, sizeof *A), *b = calloc((size_t)n, sizeof *b);
    int *pivot = calloc((size_t)n, sizeof *pivot), info = 0;
    assert_true(A && b && pivot);
    const double gravity[3] = {system->gravity.x, system->gravity.y, 0};
    for (int i = 0; i < nq; i++) {
        A[i * n + i] = system->mass[1 + i / 3][i % 3];
        b[i] = A[i * n + i] * gravity[i % 3];
    }
    for (int c = 0; c < set->count; c++) {
        const lashi_constraint *item = &set->items[c];
        double J[LASHI_LINKS * LASHI_FREEDOMS * LASHI_MAX_ROWS], Phi[LASHI_MAX_ROWS], rate[LASHI_MAX_ROWS],
            gamma[LASHI_MAX_ROWS];
        const lashi_rows into = {.J = J, .Phi = Phi, .Phi_dot = rate, .gamma = gamma};
        lashi_constraint_rows(&into, item, e->workspace->frames, 0);
        for (int row = 0; row < item->rows; row++) {
            const int i = nq + item->first_row + row;
            b[i] = gamma[row] - system->two_alpha * rate[row] - system->beta_squared * Phi[row];
            for (int slot = 0; slot < LASHI_SLOTS; slot++)
                for (int k = 0; k < 3 && item->body[slot] > 0; k++) {
                    const int j = 3 * (item->body[slot] - 1) + k;
                    A[i * n + j] = A[j * n + i] =
                        J[slot * LASHI_FREEDOMS * item->rows + k * item->rows + row];
                }
        }
    }
    dgesv_(&n, &one, A, &n, pivot, b, &n, &info);
    assert_int_equal(info, 0);
    double difference = 0, size = 0;
    for (int i = 0; i < nq; i++) {
        difference = fmax(difference, fabs(b[i] - e->workspace->acceleration[1 + i / 3][i % 3]));
        size = fmax(size, fabs(b[i]));
    }
    free(A);
    free(b);
    free(pivot);
    return difference / size;
}

static void test_random_mechanisms(void **state) {
    (void)state;
    int compared = 0, redundant = 0;
    double worst[2] = {0}, whole = 0;
    for (unsigned long long seed = 1; seed <= 60; seed++) {
        const int bodies = 4 + (int)(seed % 17), rods = (int)(seed % 3);
        evaluated dense, sparse;
        const bool ok[2] = {evaluate(&dense, random_mechanism(bodies, rods, "dense", seed)),
                            evaluate(&sparse, random_mechanism(bodies, rods, "sparse", seed))};
        assert_int_equal(ok[0], ok[1]);
        if (ok[0]) {
            assert_string_equal(lash_system_solver(dense.system), "dense");
            assert_string_equal(lash_system_solver(sparse.system), "sparse");
            double error[2];
            compare(error, &dense, &sparse);
            for (int k = 0; k < 2; k++)
                worst[k] = fmax(worst[k], error[k]);
            if (lash_system_redundant(dense.system, 0))
                redundant++;
            else
                whole = fmax(whole, fmax(against_whole_matrix(&dense), against_whole_matrix(&sparse)));
            compared++;
        }
        evaluated_clear(&dense);
        evaluated_clear(&sparse);
    }
    print_message("%d mechanisms (%d redundant): dense against sparse %.1e, reactions %.1e; against the "
                  "whole matrix %.1e\n",
                  compared, redundant, worst[0], worst[1], whole);
    assert_true(compared >= 40);
    assert_near(worst[0], 0, 1e-11); // rounding times the condition of the worst of them
    assert_near(worst[1], 0, 1e-11);
    assert_near(whole, 0, 1e-11);
}

static void test_chains(void **state) {
    (void)state;
    static const int lengths[] = {1, 2, 3, 10, 31, 100, 500, 600};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        evaluated dense, sparse, automatic;
        double error[2];
        assert_true(evaluate(&dense, chain(lengths[k], "dense")));
        assert_true(evaluate(&sparse, chain(lengths[k], "sparse")));
        assert_true(evaluate(&automatic, chain(lengths[k], "auto")));
        compare(error, &dense, &sparse);
        const double whole = fmax(against_whole_matrix(&dense), against_whole_matrix(&sparse));
        print_message("chain of %d: %.1e, reactions %.1e, against the whole matrix %.1e, auto is %s\n",
                      lengths[k], error[0], error[1], whole, lash_system_solver(automatic.system));
        assert_near(error[0], 0, 1e-11);
        assert_near(error[1], 0, 1e-11);
        assert_near(whole, 0, 1e-10);
        if (lengths[k] <= 500) // narrow, if it is long
            assert_string_equal(lash_system_solver(automatic.system), "dense");
        if (lengths[k] >= 600)
            assert_string_equal(lash_system_solver(automatic.system), "sparse");
        evaluated_clear(&dense);
        evaluated_clear(&sparse);
        evaluated_clear(&automatic);
    }
}

/* All pins on one hub: S is full, and with many rows the sparse path is chosen. */
static void test_wide_profile(void **state) {
    (void)state;
    for (int arms = 20; arms <= 40; arms += 20) {
        text t;
        text_open(&t);
        fprintf(t.file, "bodies:\n  hub: {mass: 1, inertia: 1}\n");
        for (int k = 0; k < arms; k++)
            fprintf(t.file, "  a%d: {mass: 1, inertia: 0.1, position: [%d, 0], points: {e: [-1, 0]}}\n", k,
                    k % 2);
        fprintf(t.file, "joints:\n");
        for (int k = 0; k < arms; k++)
            fprintf(t.file, "  j%d: {type: revolute, between: [hub, a%d.e]}\n", k, k);
        fprintf(t.file, "run: {until: 1}\n");
        fclose(t.file);
        evaluated e;
        assert_true(evaluate(&e, t.at));
        assert_string_equal(lash_system_solver(e.system), arms == 20 ? "dense" : "sparse");
        evaluated_clear(&e);
    }
}

/* Both paths over a run: the same motion. */
static void test_runs(void **state) {
    (void)state;
    char *texts[2] = {chain(12, "dense"), chain(12, "sparse")};
    double angle[2];
    for (int k = 0; k < 2; k++) {
        rig r = rig_open("%s", texts[k]);
        rig_step_to(&r, 0.5);
        angle[k] = rig_value(&r, "b11.angle");
        rig_close(&r);
        free(texts[k]);
    }
    assert_near(angle[0], angle[1], 1e-10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_mechanisms),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_wide_profile),
        cmocka_unit_test(test_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
