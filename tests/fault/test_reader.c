/* SPDX-License-Identifier: MIT
 *
 * Reading a model file when an allocation fails: whichever it is, the call ends with ERROR_MEMORY, returns no
 * model and leaves nothing behind.
 */
#include "fault/counting.h"
#include "lash/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "title: Fault\n"
                           "gravity: [0, -9.81]\n"
                           "parameters: {play: 0.1 mm, half: $play/2, pin: {choose: a, from: [a, b]}}\n"
                           "materials: {steel: {young: 207 GPa, poisson: 0.3}}\n"
                           "bodies:\n"
                           "  rod: {mass: 1, inertia: 1, points: &p {a: [1, 0], b: [2 mm, 0]}}\n"
                           "  bob: {mass: 1, inertia: 1, points: *p}\n"
                           "  off: {when: {pin: b}, mass: 1, inertia: 1}\n"
                           "joints:\n"
                           "  pivot:\n"
                           "    type: revolute\n"
                           "    between: [ground, rod.a]\n"
                           "    clearance: {bearing_radius: 1 cm, radial: $half, materials: steel,\n"
                           "                contact: {restitution: 0.9}}\n"
                           "  hinge: {type: revolute, between: [rod.b, bob.a]}\n"
                           "drives:\n"
                           "  motor: {joint: hinge, table: [[0, 0], [1 s, 90 deg], [2 s, 180 deg]]}\n"
                           "forces:\n"
                           "  push: {type: force, at: bob, force: [sin(t), cos(t)]}\n"
                           "run: {until: 2 rev of motor}\n";

static const char broken[] =
    "bodies: {rod: {mass: -1, inertia: x, lenght: 3}}\njoints: {pin: {type: hinge}}\n";

static void fail_each(const char *model_text, lash_status usual) {
    enum { MANY = 10 }; // fewer allocations would mean that the count sees nothing
    lash_setting setting = {"play", "0.2 mm"};
    lash_load_options options = {.settings = &setting, .setting_count = usual == LASH_OK ? 1 : 0};
    for (long n = 1;; n++) {
        lash_model *model;
        lash_error error = {0};
        counting_start(n, COUNTING_ONCE);
        lash_status status =
            lash_model_parse(&model, model_text, strlen(model_text), "fault.yaml", &options, &error);
        if (!counting_stop()) {
            assert_int_equal(status, usual);
            assert_true(n > MANY);
            lash_model_destroy(model);
            return;
        }
        if (status != LASH_ERROR_MEMORY)
            fail_msg("allocation %ld: status %d, %s", n, (int)status, error.message);
        assert_null(model);
    }
}

static void test_good(void **state) {
    (void)state;
    fail_each(text, LASH_OK);
}

static void test_broken(void **state) {
    (void)state;
    fail_each(broken, LASH_ERROR_MODEL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_broken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
