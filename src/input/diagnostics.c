/* SPDX-License-Identifier: MIT
 *
 * Collecting mistakes and handing them out in the order of their places.
 */
#include "input/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"

static void point_at_setting(lash_error *mistake, const lash_setting *setting) {
    char line[LASH_ERROR_PLACE];
    snprintf(mistake->file, sizeof mistake->file, "--set");
    mistake->line = mistake->column = 0;
    snprintf(line, sizeof line, "%s=%s", setting->name ? setting->name : "",
             setting->value ? setting->value : "");
    lashi_excerpt(mistake->excerpt, sizeof mistake->excerpt, line, strlen(line), 1);
}

/* Whether two messages differ in nothing but the names that they quote. */
static bool says_the_same(const char *a, const char *b) {
    bool quoted = false;
    while (*a || *b) {
        if (*a == '\'' && *b == '\'')
            quoted = !quoted;
        else if (quoted) { // up to the end of both names
            a += strcspn(a, "'");
            b += strcspn(b, "'");
            if (!*a || !*b)
                return *a == *b;
            continue;
        }
        if (*a++ != *b++)
            return false;
    }
    return true;
}

/* The same of another instance. */
static bool is_same(const lash_error *a, const lash_error *b) {
    return a->line > 0 && a->line == b->line && a->column == b->column && a->status == b->status &&
           strcmp(a->file, b->file) == 0 && says_the_same(a->message, b->message);
}

void lashi_diagnostics_add(void *user, const lash_error *mistake) {
    lashi_diagnostics *diagnostics = user;
    if (mistake->status)
        diagnostics->error_count++;
    if (lashi_diagnostics_full(diagnostics))
        return;
    lash_error kept = *mistake;
    if (kept.line < 0)
        point_at_setting(&kept, &diagnostics->settings[-1 - kept.line]);
    for (size_t i = 0; i < diagnostics->count; i++)
        if (is_same(&diagnostics->mistakes[i], &kept)) {
            diagnostics->error_count -= kept.status != LASH_OK;
            return;
        }
    if (!lashi_append(diagnostics->mistakes, diagnostics->count, diagnostics->capacity, kept))
        diagnostics->out_of_memory = true;
}

bool lashi_diagnostics_full(const lashi_diagnostics *diagnostics) {
    return diagnostics->count >= LASHI_MOST_MISTAKES || diagnostics->out_of_memory;
}

static void add_at(lashi_diagnostics *diagnostics, lash_status status, int line, int column,
                   const char *format, va_list arguments) {
    lash_error mistake = {.status = status, .line = line, .column = column, .time = LASH_UNSET};
    vsnprintf(mistake.message, sizeof mistake.message, format, arguments);
    const lashi_source *source = lashi_sources_find(&mistake.line, diagnostics->sources, line);
    snprintf(mistake.file, sizeof mistake.file, "%s", source ? source->file : "");
    if (mistake.line > 0 && source && !lashi_diagnostics_full(diagnostics))
        lashi_excerpt(mistake.excerpt, sizeof mistake.excerpt, source->text, source->length, mistake.line);
    lashi_diagnostics_add(diagnostics, &mistake);
}

void lashi_mistake(lashi_diagnostics *diagnostics, int line, int column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_at(diagnostics, LASH_ERROR_MODEL, line, column, format, arguments);
    va_end(arguments);
}

void lashi_warning(lashi_diagnostics *diagnostics, int line, int column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_at(diagnostics, LASH_OK, line, column, format, arguments);
    va_end(arguments);
}

void lashi_setting_mistake(lashi_diagnostics *diagnostics, const lash_setting *setting, const char *format,
                           ...) {
    lash_error mistake = {.status = LASH_ERROR_MODEL, .time = LASH_UNSET};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(mistake.message, sizeof mistake.message, format, arguments);
    va_end(arguments);
    point_at_setting(&mistake, setting);
    lashi_diagnostics_add(diagnostics, &mistake);
}

/* The order of the files; what is in none, such as a setting, comes first. */
static size_t rank(const lashi_diagnostics *diagnostics, const char *file) {
    for (size_t i = 0; i < diagnostics->sources->count; i++)
        if (strcmp(diagnostics->sources->list[i].file, file) == 0)
            return i + 1;
    return 0;
}

static int compare(const lashi_diagnostics *diagnostics, const lash_error *p, const lash_error *q) {
    if (strcmp(p->file, q->file) != 0) {
        const size_t a = rank(diagnostics, p->file), b = rank(diagnostics, q->file);
        if (a != b)
            return a < b ? -1 : 1;
    }
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    return (p->column > q->column) - (p->column < q->column);
}

// By insertion: mistakes of one place keep their order, which qsort does not promise, and the list is nearly
// sorted.
static void sort(lashi_diagnostics *diagnostics) {
    lash_error *mistakes = diagnostics->mistakes;
    for (size_t i = 1; i < diagnostics->count; i++) {
        if (compare(diagnostics, &mistakes[i - 1], &mistakes[i]) <= 0)
            continue;
        lash_error moved = mistakes[i];
        size_t j = i;
        for (; j > 0 && compare(diagnostics, &mistakes[j - 1], &moved) > 0; j--)
            mistakes[j] = mistakes[j - 1];
        mistakes[j] = moved;
    }
}

lash_status lashi_diagnostics_report(lashi_diagnostics *diagnostics, const lash_load_options *options,
                                     lash_error *error) {
    if (diagnostics->out_of_memory)
        return lashi_fail_memory(error);
    sort(diagnostics);
    const lash_error *first = NULL;
    for (size_t i = 0; i < diagnostics->count; i++) {
        if (diagnostics->mistakes[i].status && !first)
            first = &diagnostics->mistakes[i];
        if (options && options->report)
            options->report(options->user, &diagnostics->mistakes[i]);
    }
    if (!first)
        return LASH_OK;
    if (error) {
        *error = *first;
        size_t others = diagnostics->error_count - 1, used = strlen(error->message);
        if (others)
            snprintf(error->message + used, sizeof error->message - used, " (and %zu more mistake%s)", others,
                     others > 1 ? "s" : "");
    }
    return LASH_ERROR_MODEL;
}

void lashi_diagnostics_clear(lashi_diagnostics *diagnostics) {
    free(diagnostics->mistakes);
    diagnostics->mistakes = NULL;
    diagnostics->count = diagnostics->capacity = 0;
}
