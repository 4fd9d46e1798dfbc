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

bool lashi_name_is_valid(const char *name, bool may_be_reserved, const char **why) {
    *why = "a name begins with a letter and goes on with letters (a to z), digits, _ and -";
    if (!name || !is_letter(name[0]))
        return false;
    for (const char *c = name; *c; c++)
        if (!is_letter(*c) && !(*c >= '0' && *c <= '9') && *c != '-')
            return false;
    *why = "ground, energy, constraint and time have a meaning of their own; choose another name";
    for (size_t i = 0; !may_be_reserved && i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(name, reserved[i]) == 0)
            return false;
    return true;
}
