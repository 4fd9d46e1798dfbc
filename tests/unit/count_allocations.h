/* SPDX-License-Identifier: MIT
 *
 * Counts the allocations of the program it is included in, by standing in front of the C library's malloc or,
 * in a sanitizer build, by the sanitizer's hook.
 */
#ifndef LASHI_TEST_COUNT_ALLOCATIONS_H
#define LASHI_TEST_COUNT_ALLOCATIONS_H

#include <stddef.h>

static volatile size_t allocation_count;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COUNT_BY_SANITIZER
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define COUNT_BY_SANITIZER
#endif

#ifdef COUNT_BY_SANITIZER

int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void *, size_t),
                                              void (*free_hook)(const volatile void *));

static void count_malloc(const volatile void *memory, size_t size) {
    (void)memory, (void)size;
    allocation_count++;
}

static void ignore_free(const volatile void *memory) {
    (void)memory;
}

__attribute__((constructor)) static void install_counter(void) {
    __sanitizer_install_malloc_and_free_hooks(count_malloc, ignore_free);
}

#else

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    allocation_count++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocation_count++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocation_count++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocation_count++;
    return __libc_memalign(alignment, size);
}

#endif
#endif
