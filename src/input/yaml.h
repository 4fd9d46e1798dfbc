/* SPDX-License-Identifier: MIT
 *
 * YAML text → a tree of scalars, lists and maps with places. The only file that knows libfyaml is yaml.c.
 *
 * What could be used against a reader is bounded here: size, depth, number of values, and what aliases expand
 * to. An alias is a second pointer to one node, so nothing is copied.
 */
#ifndef LASHI_YAML_H
#define LASHI_YAML_H

#include "base/memory.h"
#include "input/diagnostics.h"

typedef enum lashi_yaml_type { LASHI_YAML_SCALAR, LASHI_YAML_LIST, LASHI_YAML_MAP } lashi_yaml_type;

typedef struct lashi_yaml {
    lashi_yaml_type type;
    int line, column; /* from 1, lines counted over all sources, columns in characters */
    const char *text; /* scalar: ended by a zero, which it does not contain elsewhere; "" otherwise */
    int text_column;  /* scalar: where the text begins if it is in the file as it is, else 0 */
    bool plain;       /* scalar: without quotes */
    bool empty;       /* scalar: nothing at all was written ("key:") */
    size_t count;     /* list: items; map: pairs */
    struct lashi_yaml *
        *items;    /* list: count; map: 2*count, key and value in turn; keys are scalars, all different */
    double weight; /* nodes below, aliases followed */
} lashi_yaml;

enum { LASHI_YAML_SIZE_LIMIT = 16 << 20, LASHI_YAML_DEPTH_LIMIT = 100 };

/* The root of the diagnostics' source of that number, or NULL: mistakes have been noted. Repeated keys are
 * noted and left out, and the tree is returned. A second document is a mistake, unless it holds `key` and
 * nothing else: then *second is its value. Both may be NULL. */
lashi_yaml *lashi_yaml_parse(const lashi_yaml **second, const char *key, lashi_arena *arena,
                             lashi_diagnostics *diagnostics, size_t source);

/* The value of a key of a map; NULL: not there (or not a map). */
lashi_yaml *lashi_yaml_find(const lashi_yaml *map, const char *key);
/* Whether a comma has cut the value of the key at the index: what follows it is the rest of a number. */
bool lashi_yaml_is_cut(const lashi_yaml *map, size_t index);
/* A key that is the rest of a value, as YAML reads {mass: 1,5 kg}, {mass: max(1, 2)} or {mass:1}: the cure;
 * else NULL. */
const char *lashi_yaml_trap(const lashi_yaml *map, const lashi_yaml *key);
/* "a list", "a map", "nothing", "the text 'x'": what was found, for messages. */
const char *lashi_yaml_describe(char *buffer, size_t size, const lashi_yaml *node);

#endif
