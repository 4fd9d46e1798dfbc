/* SPDX-License-Identifier: MIT
 *
 * Documents: the reader's tree, values and messages for files that are no models.
 */
#include "lash/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "input/reader.h"
#include "input/text_file.h"
#include "input/units.h"

enum { SHORT_TEXT = 256 };

struct lash_document {
    lashi_arena arena;
    lashi_sources sources;
    lashi_diagnostics diagnostics;
    lashi_reader reader; /* without parameters and model: values need neither */
    char *path, *text;
    const lashi_yaml *root;
};

static const lashi_yaml *inside(const lash_node *node) {
    return (const lashi_yaml *)(const void *)node;
}

static const lash_node *outside(const lashi_yaml *node) {
    return (const lash_node *)(const void *)node;
}

// ---- loading

/* Takes the text over. */
static lash_status parse(lash_document **out, char *text, size_t length, const char *path,
                         lash_error *error) {
    *out = NULL;
    lash_document *document = calloc(1, sizeof *document);
    if (!document) {
        free(text);
        return lashi_fail_memory(error);
    }
    document->text = text;
    document->path = strdup(path);
    if (!document->path || !lashi_sources_add(&document->sources, document->path, document->text, length)) {
        lash_document_destroy(document);
        return lashi_fail_memory(error);
    }
    document->diagnostics = (lashi_diagnostics){.sources = &document->sources};
    document->reader = (lashi_reader){
        .diagnostics = &document->diagnostics, .arena = &document->arena, .folder = "", .subject = ""};
    document->root = lashi_yaml_parse(NULL, NULL, &document->arena, &document->diagnostics, 0);
    *out = document;
    return LASH_OK;
}

lash_status lash_document_load(lash_document **out, const char *path, lash_error *error) {
    char *text;
    size_t length;
    if (out)
        *out = NULL;
    if (!out || !path)
        return lashi_fail_null(error);
    const lash_status status = lashi_text_file_read(&text, &length, path, "the file", error);
    return status ? status : parse(out, text, length, path, error);
}

lash_status lash_document_parse(lash_document **out, const char *text, size_t length, const char *name,
                                lash_error *error) {
    if (!out || (!text && length > 0))
        return lashi_fail(error, LASH_ERROR_USAGE, "a document is parsed from a text");
    *out = NULL;
    char *copy = malloc(length + 1);
    if (!copy)
        return lashi_fail_memory(error);
    if (length)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return parse(out, copy, length, name ? name : "", error);
}

void lash_document_destroy(lash_document *document) {
    if (!document)
        return;
    lashi_diagnostics_clear(&document->diagnostics);
    lashi_arena_clear(&document->arena);
    free(document->sources.list);
    free(document->path);
    free(document->text);
    free(document);
}

const char *lash_document_text(const lash_document *document) {
    if (!document)
        return "";
    return document->text;
}

// ---- the tree

const lash_node *lash_document_root(const lash_document *document) {
    if (!document)
        return NULL;
    return outside(document->root);
}

lash_node_type lash_node_kind(const lash_node *node) {
    if (!node)
        return LASH_NODE_SCALAR;
    switch (inside(node)->type) {
    case LASHI_YAML_LIST: return LASH_NODE_LIST;
    case LASHI_YAML_MAP: return LASH_NODE_MAP;
    case LASHI_YAML_SCALAR: break;
    }
    return LASH_NODE_SCALAR;
}

size_t lash_node_count(const lash_node *node) {
    if (!node)
        return 0;
    return inside(node)->count;
}

const lash_node *lash_node_item(const lash_node *node, size_t index) {
    if (!node)
        return NULL;
    const lashi_yaml *yaml = inside(node);
    if (index >= yaml->count)
        return NULL;
    return outside(yaml->items[yaml->type == LASHI_YAML_MAP ? 2 * index + 1 : index]);
}

const lash_node *lash_node_key(const lash_node *map, size_t index) {
    if (!map)
        return NULL;
    const lashi_yaml *yaml = inside(map);
    return yaml->type == LASHI_YAML_MAP && index < yaml->count ? outside(yaml->items[2 * index]) : NULL;
}

const lash_node *lash_node_find(const lash_node *map, const char *key) {
    if (!map || !key)
        return NULL;
    return outside(lashi_yaml_find(inside(map), key));
}

const char *lash_node_text(const lash_node *node) {
    if (!node)
        return "";
    return inside(node)->text;
}

// ---- values

bool lash_node_number(double *out, lash_document *document, const lash_node *node, const char *path,
                      const char *unit) {
    if (!out || !document || !node || !path || !unit)
        return false;
    return lashi_take_number(out, &document->reader, inside(node), path, unit);
}

bool lash_node_is_quantity(double *out, char unit[LASH_NODE_UNIT], const lash_document *document,
                           const lash_node *node) {
    if (!out || !unit || !document || !node)
        return false;
    lash_expression *expression;
    const lashi_yaml *yaml = inside(node);
    unit[0] = '\0';
    if (yaml->type != LASHI_YAML_SCALAR || !yaml->text[0] ||
        lashi_compile_text(&expression, &document->reader, yaml->text, LASHI_OF_NOTHING, NULL))
        return false;
    *out = lashi_expression_value(expression, 0);
    lashi_dimension_unit(unit, lashi_expression_dimension(expression));
    lash_expression_destroy(expression);
    return isfinite(*out);
}

bool lash_node_quantity(double *out, char unit[LASH_NODE_UNIT], lash_document *document,
                        const lash_node *node, const char *path) {
    if (!out || !unit || !document || !node || !path)
        return false;
    if (lash_node_is_quantity(out, unit, document, node))
        return true;
    // Not a number: the reader says why. Where it finds nothing wrong but the dimension, ours is the message.
    size_t before = document->diagnostics.error_count;
    if (lashi_take_number(out, &document->reader, inside(node), path, "") ||
        document->diagnostics.error_count == before)
        lashi_wrong_node(&document->reader, inside(node), path, "a number, with or without unit");
    return false;
}

bool lash_node_word(const char **out, lash_document *document, const lash_node *node, const char *path,
                    const char *what) {
    if (!out || !document || !node || !path || !what)
        return false;
    const lashi_yaml *yaml = inside(node);
    *out = yaml->text;
    if (yaml->type == LASHI_YAML_SCALAR && yaml->text[0])
        return true;
    return lashi_wrong_node(&document->reader, yaml, path, what);
}

bool lash_node_whole(size_t *out, lash_document *document, const lash_node *node, const char *path,
                     size_t least, size_t most) {
    if (!out || !document || !node || !path)
        return false;
    double value;
    if (!lash_node_number(&value, document, node, path, ""))
        return false;
    if (!(value >= (double)least && value <= (double)most) || value != floor(value)) {
        lash_document_mistake(document, node, "%s: expects a whole number from %zu to %zu, found %s", path,
                              least, most, lash_node_text(node));
        return false;
    }
    *out = (size_t)value;
    return true;
}

bool lash_node_is(lash_document *document, const lash_node *node, lash_node_type type, const char *path,
                  const char *expected) {
    if (!document || !node || !path || !expected)
        return false;
    return lash_node_kind(node) == type || lashi_wrong_node(&document->reader, inside(node), path, expected);
}

static const char *listed(const void *list, size_t index) {
    return ((const char *const *)list)[index];
}

const char *lash_document_nearest(const char *word, const char *const *names) {
    if (!word || !names)
        return NULL;
    return lashi_nearest(word, listed, (const void *)names);
}

bool lash_node_known_keys(lash_document *document, const lash_node *map, const char *path,
                          const char *const *allowed) {
    if (!document || !map || !path || !allowed)
        return false;
    const lashi_yaml *yaml = inside(map);
    bool fine = true;
    for (size_t i = 0; i < yaml->count; i++) {
        const lashi_yaml *key = yaml->items[2 * i];
        size_t k = 0;
        while (allowed[k] && strcmp(allowed[k], key->text) != 0)
            k++;
        if (allowed[k])
            continue;
        char quoted[SHORT_TEXT], all[SHORT_TEXT] = "";
        size_t used = 0;
        for (k = 0; allowed[k] && used + 32 < sizeof all; k++)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", allowed[k]);
        const char *nearest = lash_document_nearest(key->text, allowed);
        lashi_mistake(&document->diagnostics, key->line, key->column, "%s%s'%s' is not a key here; %s%s%s",
                      path, path[0] ? ": " : "",
                      lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)),
                      nearest ? "did you mean '" : "it takes ", nearest ? nearest : all, nearest ? "'?" : "");
        fine = false;
    }
    return fine;
}

// ---- mistakes

void lash_document_mistake(lash_document *document, const lash_node *node, const char *format, ...) {
    if (!document)
        return;
    char message[LASH_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    lashi_mistake(&document->diagnostics, node ? inside(node)->line : 0, node ? inside(node)->column : 0,
                  "%s", message);
}

void lash_document_add(lash_document *document, const lash_error *mistake) {
    if (!document || !mistake)
        return;
    lashi_diagnostics_add(&document->diagnostics, mistake);
}

size_t lash_document_mistakes(const lash_document *document) {
    if (!document)
        return 0;
    return document->diagnostics.error_count;
}

lash_status lash_document_report(lash_document *document, const lash_load_options *options,
                                 lash_error *error) {
    if (!document)
        return lashi_fail_null(error);
    return lashi_diagnostics_report(&document->diagnostics, options, error);
}
