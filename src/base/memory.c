/* SPDX-License-Identifier: MIT
 *
 * Arena: a list of blocks, each at least as large as what is asked for; nothing is freed singly.
 */
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, FIRST_BLOCK = 4096 };

struct lashi_arena_block {
    struct lashi_arena_block *older;
    size_t size, used;
};

static size_t header_size(void) {
    return (sizeof(struct lashi_arena_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *lashi_arena_alloc(lashi_arena *arena, size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return NULL;
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT;
    struct lashi_arena_block *block = arena->newest;
    if (!block || block->size - block->used < bytes) {
        // Blocks double, so that the number of blocks stays logarithmic.
        size_t block_size = block ? 2 * block->size : FIRST_BLOCK;
        while (block_size < bytes)
            block_size *= 2;
        block = aligned_alloc(ALIGNMENT, header_size() + block_size);
        if (!block)
            return NULL;
        block->older = arena->newest;
        block->size = block_size;
        block->used = 0;
        arena->newest = block;
    }
    void *memory = (char *)block + header_size() + block->used;
    block->used += bytes;
    memset(memory, 0, bytes);
    return memory;
}

char *lashi_arena_copy_text(lashi_arena *arena, const char *text) {
    size_t length = strlen(text) + 1;
    char *copy = lashi_arena_alloc(arena, length, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *lashi_arena_print(lashi_arena *arena, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : lashi_arena_alloc(arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

char *lashi_arena_name(lashi_arena *arena, const char *object, const char *part) {
    const size_t before = strlen(object), after = strlen(part);
    char *text = lashi_arena_alloc(arena, before + after + 2, 1);
    if (!text)
        return NULL;
    memcpy(text, object, before);
    text[before] = '.';
    memcpy(text + before + 1, part, after + 1);
    return text;
}

void lashi_arena_clear(lashi_arena *arena) {
    while (arena->newest) {
        struct lashi_arena_block *older = arena->newest->older;
        free(arena->newest);
        arena->newest = older;
    }
}

bool lashi_grow(void *items_address, size_t *capacity, size_t count, size_t item_size) {
    if (count < *capacity)
        return true;
    size_t larger = *capacity ? 2 * *capacity : 16;
    if (larger > SIZE_MAX / item_size)
        return false;
    void *items;
    memcpy(&items, items_address, sizeof items); // any object pointer has this representation
    items = realloc(items, larger * item_size);
    if (!items)
        return false;
    memcpy(items_address, &items, sizeof items);
    *capacity = larger;
    return true;
}
