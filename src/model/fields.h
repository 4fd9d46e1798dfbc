/* SPDX-License-Identifier: MIT
 *
 * Short forms for tables of keys: with DEF the definition struct,
 *   NUMBER("mass", mass, "kg", LASHI_POSITIVE, NULL, "…")
 * and so on, and CHOICES(function, "one", "two") for the words of a CHOICE.
 */
#ifndef LASHI_FIELDS_H
#define LASHI_FIELDS_H

#include "model/schema.h"

static inline const char *lashi_pick(const char *const *names, size_t count, size_t index) {
    return index < count ? names[index] : NULL;
}

#define CHOICES(function, ...)                                                                               \
    static const char *function(size_t index) {                                                              \
        static const char *const names[] = {__VA_ARGS__};                                                    \
        return lashi_pick(names, sizeof names / sizeof *names, index);                                       \
    }

#define FIELD(key, value_type, member, key_unit, key_range, key_fallback, key_doc)                           \
    .name = key, .type = value_type, .offset = offsetof(DEF, member), .unit = key_unit, .range = key_range,  \
    .fallback = key_fallback, .doc = key_doc
#define NUMBER(key, member, unit, range, fallback, doc)                                                      \
    { FIELD(key, LASHI_NUMBER, member, unit, range, fallback, doc) }
#define VECTOR(key, member, unit, range, fallback, doc)                                                      \
    { FIELD(key, LASHI_VECTOR, member, unit, range, fallback, doc) }
#define CHOICE(key, member, names, fallback, doc)                                                            \
    { FIELD(key, LASHI_CHOICE, member, "", LASHI_ANY, fallback, doc), .choices = names }
#define OBJECT(key, value_type, member, kinds, fallback, doc)                                                \
    { FIELD(key, value_type, member, "", LASHI_ANY, fallback, doc), .targets = kinds }
#define BLOCK(key, member, kind, fallback, doc)                                                              \
    { FIELD(key, LASHI_BLOCK, member, "", LASHI_ANY, fallback, doc), .block = kind }
#define MAP(key, kind, key_doc)                                                                              \
    { .name = key, .type = LASHI_MAP, .unit = "", .fallback = "(none)", .doc = key_doc, .block = kind }

#endif
