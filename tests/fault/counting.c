/* SPDX-License-Identifier: MIT
 *
 * The wrapped allocation functions. __wrap_X is what calls to X become, __real_X is X; the linker makes both
 * names. Tests allocate from one thread, so the counts are plain numbers.
 */
#include "fault/counting.h"

#include <errno.h>
#include <stddef.h>

#include "base/memory.h"

static struct {
    long fail_at;
    counting_mode mode;
    long allocations, frees;
    bool failed;
} counting;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__real_lashi_arena_alloc(lashi_arena *arena, size_t count, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);
void *__wrap_lashi_arena_alloc(lashi_arena *arena, size_t count, size_t size);

/* Counts one allocation and says whether it is to fail. */
static bool fails(void) {
    long number = ++counting.allocations;
    if (counting.fail_at == 0 || number < counting.fail_at)
        return false;
    if (counting.mode == COUNTING_ONCE && number != counting.fail_at)
        return false;
    counting.failed = true;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size) {
    if (fails())
        return NULL;
    counting.frees += block != NULL;
    return __real_realloc(block, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

void __wrap_free(void *block) {
    counting.frees += block != NULL;
    __real_free(block);
}

void *__wrap_lashi_arena_alloc(lashi_arena *arena, size_t count, size_t size) {
    return fails() ? NULL : __real_lashi_arena_alloc(arena, count, size);
}

void counting_start(long fail_at, counting_mode mode) {
    counting.fail_at = fail_at;
    counting.mode = mode;
    counting.allocations = 0;
    counting.frees = 0;
    counting.failed = false;
}

bool counting_stop(void) {
    counting.fail_at = 0;
    return counting.failed;
}

long counting_allocations(void) {
    return counting.allocations;
}

long counting_frees(void) {
    return counting.frees;
}
