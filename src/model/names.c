/* SPDX-License-Identifier: MIT
 *
 * The index of names of a model: open addressing with linear probing, at most half full. A chain of 10,000
 * links or a file full of bodies is then read in linear time. Also the syntax of names.
 */
#include "model/model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 64 };

/* Channels are NAME.quantity: these would be taken for something else. */
static const char *const reserved[] = {"ground", "energy", "constraint", "time"};

// FNV-1a over the name, begun with the space.
static size_t hash(unsigned space, const char *name) {
    uint64_t h = 14695981039346656037u ^ space;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

static lashi_name_entry *slot(lashi_name_entry *entries, size_t size, unsigned space, const char *name) {
    size_t i = hash(space, name) & (size - 1);
    while (entries[i].name && (entries[i].space != space || strcmp(entries[i].name, name) != 0))
        i = (i + 1) & (size - 1);
    return &entries[i];
}

const lashi_name_entry *lashi_names_find(const lashi_names *names, unsigned space, const char *name) {
    if (!names->size || !name)
        return NULL;
    const lashi_name_entry *entry = slot(names->entries, names->size, space, name);
    return entry->name ? entry : NULL;
}

bool lashi_names_add(lashi_names *names, lashi_name_entry entry) {
    if (2 * (names->count + 1) > names->size) {
        size_t size = names->size ? 2 * names->size : FIRST_SIZE;
        lashi_name_entry *entries = calloc(size, sizeof *entries);
        if (!entries)
            return false;
        for (size_t i = 0; i < names->size; i++)
            if (names->entries[i].name)
                *slot(entries, size, names->entries[i].space, names->entries[i].name) = names->entries[i];
        free(names->entries);
        names->entries = entries;
        names->size = size;
    }
    *slot(names->entries, names->size, entry.space, entry.name) = entry;
    names->count++;
    return true;
}

static bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* A name, or one of the parts of a dotted one, of so many characters. */
static bool is_valid(const char *name, size_t length, bool may_be_reserved, const char **why) {
    *why = "a name begins with a letter and continues with letters (a to z), digits, _ and -";
    if (length == 0 || !is_letter(name[0]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!is_letter(name[i]) && !(name[i] >= '0' && name[i] <= '9') && name[i] != '-')
            return false;
    *why = "ground, energy, constraint and time have a meaning of their own; choose another name";
    for (size_t i = 0; !may_be_reserved && i < sizeof reserved / sizeof *reserved; i++)
        if (strncmp(name, reserved[i], length) == 0 && !reserved[i][length])
            return false;
    return true;
}

bool lashi_name_is_valid(const char *name, bool may_be_reserved, const char **why) {
    return is_valid(name ? name : "", name ? strlen(name) : 0, may_be_reserved, why);
}

bool lashi_full_name_is_valid(const char *name, bool may_be_reserved, const char **why) {
    const char *part = name ? name : "", *dot;
    for (; (dot = strchr(part, '.')) != NULL; part = dot + 1)
        if (!is_valid(part, (size_t)(dot - part), false, why))
            return false;
    return is_valid(part, strlen(part), may_be_reserved, why);
}
