/* SPDX-License-Identifier: MIT
 *
 * The version is written in two places, include/lash/version.h and the project() line of CMakeLists.txt.
 */
#include "lash/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void test_header_equals_project(void **state) {
    (void)state;
    assert_string_equal(LASH_VERSION, LASH_PROJECT_VERSION);
}

static void test_text_equals_numbers(void **state) {
    (void)state;
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", LASH_VERSION_MAJOR, LASH_VERSION_MINOR, LASH_VERSION_PATCH);
    assert_string_equal(LASH_VERSION, text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header_equals_project),
        cmocka_unit_test(test_text_equals_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
