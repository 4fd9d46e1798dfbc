/* SPDX-License-Identifier: MIT
 *
 * Two ways to own memory: an arena that is freed as a whole (models, compiled systems), and arrays that grow.
 */
#ifndef LASHI_MEMORY_H
#define LASHI_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lashi_arena {
    struct lashi_arena_block *newest;
} lashi_arena;

/* Zeroed memory, aligned for any type and for vector loads; NULL when out of memory. size 0 gives a valid
 * pointer. */
void *lashi_arena_alloc(lashi_arena *arena, size_t count, size_t size);
char *lashi_arena_copy_text(lashi_arena *arena, const char *text);
char *lashi_arena_print(lashi_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "object.part": a run has a hundred such names, and printing them took a third of its creation. */
char *lashi_arena_name(lashi_arena *arena, const char *object, const char *part);
void lashi_arena_clear(lashi_arena *arena);

/* Makes room for one more item: *items grows when count == *capacity. False when out of memory. */
bool lashi_grow(void *items_address, size_t *capacity, size_t count, size_t item_size);

/* Appends *item to a growing array `items` with `count` and `capacity`; false when out of memory. */
#define lashi_append(items, count, capacity, item)                                                           \
    (lashi_grow(&(items), &(capacity), (count), sizeof *(items)) ? ((items)[(count)++] = (item), true)       \
                                                                 : false)

#endif
