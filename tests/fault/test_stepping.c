/* SPDX-License-Identifier: MIT
 *
 * Memory from a model file to a running sim: no allocation while stepping, whatever the method, with and
 * without play; and when the nth allocation of load, compile or create fails, the call says so, returns nothing
 * and keeps nothing.
 */
#include "fault/counting.h"
#include "lash/lash.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The same machine in the plane and in space. */
static const char *const examples[] = {LASH_SOURCE_DIR "/examples/flores-2010.yaml",
                                       LASH_SOURCE_DIR "/examples/planar-in-space.yaml"};
enum { EXAMPLES = sizeof examples / sizeof *examples };

typedef struct stages {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
} stages;

/* As far as it comes; what failed is NULL. */
static lash_status build(stages *s, const char *example, const lash_setting *settings, size_t count,
                         lash_error *error) {
    const lash_load_options options = {.settings = settings, .setting_count = count};
    *s = (stages){0};
    lash_status status = lash_model_load(&s->model, example, &options, error);
    assert_true((status == LASH_OK) == (s->model != NULL));
    if (!status) {
        status = lash_system_compile(&s->system, s->model, error);
        assert_true((status == LASH_OK) == (s->system != NULL));
    }
    if (!status) {
        status = lash_sim_create(&s->sim, s->system, error);
        assert_true((status == LASH_OK) == (s->sim != NULL));
    }
    return status;
}

static void clear(stages *s) {
    lash_sim_destroy(s->sim);
    lash_system_destroy(s->system);
    lash_model_destroy(s->model);
}

/* Allocations and frees of 400 steps. */
static long count_steps(const char *example, const char *method, const char *stabilisation,
                        const char *gudgeon, const char *crankpin) {
    const lash_setting settings[] = {{"gudgeon", gudgeon}, {"crankpin", crankpin}};
    stages s;
    lash_error error = {0};
    assert_int_equal(build(&s, example, settings, 2, &error), LASH_OK);
    lash_run_def run = *lash_model_run(s.model);
    run.method = method;
    run.stabilisation = stabilisation;
    lash_sim_destroy(s.sim);
    lash_system_destroy(s.system);
    assert_int_equal(lash_model_set_run(s.model, &run, &error), LASH_OK);
    assert_int_equal(lash_system_compile(&s.system, s.model, &error), LASH_OK);
    assert_int_equal(lash_sim_create(&s.sim, s.system, &error), LASH_OK);
    const size_t torque = lash_sim_find_channel(s.sim, "motor.torque");
    double sum = 0;
    enum { STEPS = 400 };
    counting_start(0, COUNTING_ONCE);
    for (int k = 0; k < STEPS; k++) {
        assert_int_equal(lash_sim_step(s.sim, 1, &error), LASH_OK);
        sum += lash_sim_value(s.sim, torque);
    }
    counting_stop();
    const long allocations = counting_allocations(), frees = counting_frees();
    const lash_summary summary = lash_sim_summary(s.sim);
    print_message("%s, %s, gudgeon %s, crankpin %s: %ld allocations, %ld frees in %zu steps, %zu events\n",
                  method, stabilisation, gudgeon, crankpin, allocations, frees, summary.steps,
                  summary.events);
    assert_true(sum == sum);
    if (strcmp(gudgeon, "clearance") == 0 && strcmp(stabilisation, "baumgarte") == 0)
        assert_true(summary.events > 0); // contacts came and went meanwhile
    clear(&s);
    return allocations + frees;
}

static void test_no_allocation_while_stepping(void **state) {
    (void)state;
    static const char *const methods[] = {"dop853", "adams", "gear"};
    enum { METHODS = LASH_HAVE_CVODE ? 3 : 1 };
    long count = 0;
    for (int k = 0; k < METHODS * EXAMPLES; k++) {
        const int m = k % METHODS, x = k / METHODS;
        count += count_steps(examples[x], methods[m], "baumgarte", "ideal", "ideal");
        count += count_steps(examples[x], methods[m], "projection", "ideal", "ideal");
        count += count_steps(examples[x], methods[m], "baumgarte", "clearance", "ideal");
        count += count_steps(examples[x], methods[m], "baumgarte", "clearance", "clearance");
        count += count_steps(examples[x], methods[m], "projection", "clearance", "ideal");
    }
    assert_int_equal(count, 0);
}

/* Blocks that are out, as counted: some are given back to libraries that the counts do not see into, so what
 * counts is the comparison with a run that succeeds. */
static void check_nth_failure(const char *example, counting_mode mode) {
    stages s;
    lash_error error = {0};
    assert_int_equal(build(&s, example, NULL, 0, &error), LASH_OK); // libraries allocate once for all here
    clear(&s);
    counting_start(0, COUNTING_ONCE);
    assert_int_equal(build(&s, example, NULL, 0, &error), LASH_OK);
    clear(&s);
    counting_stop();
    const long total = counting_allocations(), kept = total - counting_frees();
    long n = 1, bad = 0;
    for (;; n++) {
        error = (lash_error){0};
        counting_start(n, mode);
        const lash_status status = build(&s, example, NULL, 0, &error);
        const bool failed = counting_stop();
        clear(&s);
        if (!failed)
            break;
        if (status != LASH_ERROR_MEMORY || error.status != LASH_ERROR_MEMORY) {
            if (bad++ < 5)
                print_message("allocation %ld of %ld: %s: %s\n", n, total, lash_status_name(status),
                              error.message);
        }
        if (mode == COUNTING_ONCE && counting_allocations() - 1 - counting_frees() > kept) {
            print_message("allocation %ld of %ld: %ld blocks are not given back\n", n, total,
                          counting_allocations() - 1 - counting_frees() - kept);
            bad++;
        }
    }
    print_message("%ld allocations, each made to fail; %ld kept by a run that succeeds\n", n - 1, kept);
    assert_true(n > 20);
    assert_int_equal(n - 1, total);
    assert_int_equal(bad, 0);
}

static void test_one_allocation_fails(void **state) {
    (void)state;
    for (int x = 0; x < EXAMPLES; x++)
        check_nth_failure(examples[x], COUNTING_ONCE);
}

static void test_all_allocations_fail_from_the_nth_on(void **state) {
    (void)state;
    for (int x = 0; x < EXAMPLES; x++)
        check_nth_failure(examples[x], COUNTING_ONWARDS);
}

/* So many spinning journals that fall into their bearings at one instant and rub there: more than a run has
 * room for at its beginning. */
enum { JOURNALS = 100 };

static void make_journals(stages *s, int count) {
    static char text[100 + 300 * JOURNALS];
    char *to = text;
    to += sprintf(to, "gravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < count; k++)
        to += sprintf(to, "  b%d: {mass: 1, inertia: 1e-4, angular_velocity: 10, hold: [w]}\n", k);
    to += sprintf(to, "joints:\n");
    for (int k = 0; k < count; k++)
        to += sprintf(to,
                      "  j%d: {type: revolute, between: [ground, b%d], clearance: {model: three-mode, "
                      "bearing_radius: 1 cm, radial: 0.1 mm, restitution: 0, friction: {law: coulomb, "
                      "coefficient: 0.1}}}\n",
                      k, k);
    to += sprintf(to, "run: {until: 10 ms}\n");
    lash_error error = {0};
    *s = (stages){0};
    const lash_status status =
        lash_model_parse(&s->model, text, (size_t)(to - text), "journals", NULL, &error);
    if (status)
        print_message("%s\n", error.message);
    assert_int_equal(status, LASH_OK);
    assert_int_equal(lash_system_compile(&s->system, s->model, &error), LASH_OK);
    assert_int_equal(lash_sim_create(&s->sim, s->system, &error), LASH_OK);
}

/* Steps to the end; allocation n fails. Returns whether there was one. */
static bool run_journals(stages *s, long n) {
    lash_error error = {0};
    lash_status status = LASH_OK;
    counting_start(n, COUNTING_ONCE);
    while (status == LASH_OK && lash_sim_time(s->sim) < 0.01)
        status = lash_sim_step(s->sim, 0.01, &error);
    const bool failed = counting_stop();
    assert_int_equal(status, failed ? LASH_ERROR_MEMORY : LASH_OK);
    return failed;
}

static double speed_of(const stages *s, int journal) {
    char name[16];
    snprintf(name, sizeof name, "b%d.wz", journal);
    return lash_sim_value(s->sim, lash_sim_find_channel(s->sim, name));
}

static void test_more_contacts_at_once_than_usual(void **state) {
    (void)state;
    stages s;
    make_journals(&s, 1);
    assert_false(run_journals(&s, 0));
    const double alone = speed_of(&s, 0);
    assert_int_equal(counting_allocations(), 0);
    clear(&s);
    make_journals(&s, JOURNALS);
    assert_false(run_journals(&s, 0));
    const long allocations = counting_allocations();
    print_message("%d contacts at once: %ld allocations; %.9g rad/s, alone %.9g rad/s\n", JOURNALS,
                  allocations, speed_of(&s, 0), alone);
    assert_true(allocations > 0);
    assert_true(alone < 9.5); // it rubs
    for (int k = 0; k < JOURNALS; k++)
        assert_true(fabs(speed_of(&s, k) - alone) < 1e-9);
    clear(&s);
    for (long n = 1; n <= allocations; n++) {
        make_journals(&s, JOURNALS);
        assert_true(run_journals(&s, n));
        clear(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_more_contacts_at_once_than_usual),
        cmocka_unit_test(test_no_allocation_while_stepping),
        cmocka_unit_test(test_one_allocation_fails),
        cmocka_unit_test(test_all_allocations_fail_from_the_nth_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
