/* SPDX-License-Identifier: MIT
 *
 * Where in the file something was written, and how a piece of the file is quoted in a message.
 *
 * Quoted text is untrusted: control characters, broken UTF-8 and directional marks (which could make a
 * terminal show something else than what is there) are written as \xNN or \u{…}, and long lines are cut.
 */
#include "model/model.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXCERPT_CHARACTERS = 120, QUOTE_CHARACTERS = 60 };

bool lashi_sources_add(lashi_sources *sources, const char *file, const char *text, size_t length) {
    lashi_source source = {.file = file, .text = text, .length = length};
    if (sources->count) {
        const lashi_source *last = &sources->list[sources->count - 1];
        source.before = last->before + 2; // its last line may have no end
        for (size_t i = 0; i < last->length; i++)
            source.before += last->text[i] == '\n';
    }
    return lashi_append(sources->list, sources->count, sources->capacity, source);
}

const lashi_source *lashi_sources_find(int *own_line, const lashi_sources *sources, int line) {
    size_t i = sources->count;
    while (i > 0 && sources->list[i - 1].before > line)
        i--;
    if (i == 0)
        return NULL;
    *own_line = line - sources->list[i - 1].before;
    return &sources->list[i - 1];
}

bool lashi_model_note_place(lash_model *model, const void *name, const char *key, int line, int column,
                            bool bad) {
    lashi_place place = {.name = name, .key = "", .line = line, .column = column, .bad = bad};
    if (key[0])
        place.key = lashi_arena_copy_text(&model->arena, key);
    return place.key && lashi_append(model->places, model->place_count, model->place_capacity, place);
}

// By object, then in the order of noting.
static int compare_places(const void *a, const void *b) {
    const lashi_place *p = a, *q = b;
    uintptr_t m = (uintptr_t)p->name, n = (uintptr_t)q->name;
    if (m != n)
        return m < n ? -1 : 1;
    return (p->line > q->line) - (p->line < q->line);
}

void lashi_model_sort_places(lash_model *model) {
    if (model->place_count)
        qsort(model->places, model->place_count, sizeof *model->places, compare_places);
}

const lashi_place *lashi_model_find_place(const lash_model *model, const void *name, const char *key) {
    size_t low = 0, high = model->place_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)model->places[middle].name < (uintptr_t)name)
            low = middle + 1;
        else
            high = middle;
    }
    const lashi_place *best = NULL;
    for (size_t i = low; i < model->place_count && model->places[i].name == name; i++) {
        const lashi_place *place = &model->places[i];
        size_t length = strlen(place->key);
        bool around = strncmp(key, place->key, length) == 0 &&
                      (length == 0 || key[length] == '\0' || key[length] == '.');
        size_t best_length = best ? strlen(best->key) : 0;
        if (around && (!best || length > best_length || (length == best_length && place->bad)))
            best = place;
    }
    return best;
}

size_t lashi_utf8_length(uint32_t *code, const char *bytes, size_t length) {
    const unsigned char *text = (const unsigned char *)bytes;
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = text[0] < 0x80           ? 1
               : (text[0] >> 5) == 0x06 ? 2
               : (text[0] >> 4) == 0x0e ? 3
               : (text[0] >> 3) == 0x1e ? 4
                                        : 0;
    if (n == 0 || n > length)
        return 0;
    *code = n == 1 ? text[0] : text[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (text[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < least[n] || *code > 0x10ffff || surrogate ? 0 : n;
}

// Characters that are invisible, or turn the direction of writing around.
static bool is_treacherous(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

static void escape(char *buffer, size_t size, const char *text, size_t length, int characters) {
    static const char dots[] = "...";
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < length; characters--) {
        char piece[16];
        uint32_t code = 0;
        size_t n = lashi_utf8_length(&code, text + i, length - i);
        if (n == 0)
            snprintf(piece, sizeof piece, "\\x%02x", (unsigned char)text[i]);
        else if (code == '\t')
            snprintf(piece, sizeof piece, " ");
        else if (is_treacherous(code))
            snprintf(piece, sizeof piece, code < 0x100 ? "\\x%02x" : "\\u{%x}", (unsigned)code);
        else {
            memcpy(piece, text + i, n);
            piece[n] = '\0';
        }
        size_t more = strlen(piece);
        if (characters == 0 || used + more + sizeof dots > size) {
            snprintf(buffer + used, size - used, "%s", dots);
            return;
        }
        memcpy(buffer + used, piece, more + 1);
        used += more;
        i += n ? n : 1;
    }
}

void lashi_excerpt(char *buffer, size_t size, const char *text, size_t length, int line) {
    size_t begin = 0;
    for (int i = 1; i < line && begin < length; i++) {
        const char *end = memchr(text + begin, '\n', length - begin);
        begin = end ? (size_t)(end - text) + 1 : length;
    }
    const char *end = begin < length ? memchr(text + begin, '\n', length - begin) : NULL;
    size_t count = end ? (size_t)(end - text) - begin : length - begin;
    if (count && text[begin + count - 1] == '\r')
        count--;
    escape(buffer, size, text + begin, count, EXCERPT_CHARACTERS);
}

const char *lashi_quote(char *buffer, size_t size, const char *text, size_t length) {
    escape(buffer, size, text, length, QUOTE_CHARACTERS);
    return buffer;
}
