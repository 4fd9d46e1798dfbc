/* SPDX-License-Identifier: MIT
 *
 * Memory of src/base when an allocation fails, and the proof that counting.c sees what the library allocates:
 * a count that stays 0 because nothing is wrapped would let every other test of this folder pass.
 */
#include "base/memory.h"
#include "fault/counting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_counts_see_the_library(void **state) {
    (void)state;
    lashi_arena arena = {0};
    counting_start(0, COUNTING_ONCE);
    assert_non_null(lashi_arena_alloc(&arena, 1, 8));
    assert_int_equal(counting_allocations(), 2);      // itself, and its block
    assert_non_null(lashi_arena_alloc(&arena, 1, 8)); // from the same block
    assert_int_equal(counting_allocations(), 3);
    lashi_arena_clear(&arena);
    assert_int_equal(counting_frees(), 1);
    assert_false(counting_stop());
}

static void test_modes(void **state) {
    (void)state;
    counting_start(2, COUNTING_ONCE);
    void *first = malloc(1), *second = malloc(1), *third = malloc(1);
    assert_true(counting_stop());
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    free(first);
    free(third);

    counting_start(2, COUNTING_ONWARDS);
    first = malloc(1), second = malloc(1), third = malloc(1);
    assert_true(counting_stop());
    assert_non_null(first);
    assert_null(second);
    assert_null(third);
    free(first);
}

static void test_arena_survives_a_failure(void **state) {
    (void)state;
    lashi_arena arena = {0};
    counting_start(2, COUNTING_ONCE);
    char *text = lashi_arena_copy_text(&arena, "kept");
    assert_non_null(text);
    assert_null(lashi_arena_alloc(&arena, 1 << 20, 1)); // needs a second block
    assert_true(counting_stop());
    assert_string_equal(text, "kept");
    assert_non_null(lashi_arena_alloc(&arena, 1 << 20, 1));
    lashi_arena_clear(&arena);
}

static void test_array_keeps_its_items_when_it_cannot_grow(void **state) {
    (void)state;
    int *items = NULL;
    size_t count = 0, capacity = 0;
    counting_start(3, COUNTING_ONWARDS);
    int next = 0;
    while (lashi_append(items, count, capacity, next))
        assert_true(++next < 1000000); // else no growth ever failed
    assert_true(counting_stop());
    assert_int_equal(count, capacity);
    assert_true(count > 0);
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(items[i], (int)i);
    assert_true(lashi_append(items, count, capacity, 7));
    free(items);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_see_the_library),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_arena_survives_a_failure),
        cmocka_unit_test(test_array_keeps_its_items_when_it_cannot_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
