/* SPDX-License-Identifier: MIT
 *
 * YAML text → tree, from libfyaml's events. Events rather than its documents, because then depth, repeated
 * keys and aliases are ours to bound: nothing here is recursive, and everything is linear in the size of the
 * text.
 *
 * Before libfyaml sees the text it is scanned once for what YAML does not allow and for brackets nested too
 * deep.
 */
#include "input/yaml.h"

#include <ctype.h>
#include <libfyaml.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

enum { MOST_NODES = 4000000, SMALL_MAP = 16, ANCHOR_SPACE = 0 };
/* Nodes that aliases may add; far above any honest use, far below what hurts. */
static const double MOST_EXPANDED = 1e6;

typedef struct frame {
    lashi_yaml *node;
    size_t first; // of its children in `pending`
    size_t anchor;
} frame;

typedef struct builder {
    lashi_arena *arena;
    lashi_diagnostics *diagnostics;
    const lashi_source *source;
    frame frames[LASHI_YAML_DEPTH_LIMIT + 1];
    size_t depth;
    lashi_yaml **pending; // children of the open nodes, innermost last
    size_t pending_count, pending_capacity;
    lashi_yaml **anchors; // NULL while the node is still open
    size_t anchor_count, anchor_capacity;
    lashi_names names; // of the anchors
    size_t nodes;
    size_t most_documents, documents;
    int second_line; // where the second document begins
    lashi_yaml *roots[2];
} builder;

// ---- before parsing

/* What Lash itself writes, given in the place of what it reads. */
static bool is_text(const lashi_source *s, lashi_diagnostics *d) {
    static const char result[] = "\x89HDF\r\n\x1a\n", table[] = "SQLite format 3";
    if (s->length >= sizeof result - 1 && memcmp(s->text, result, sizeof result - 1) == 0)
        lashi_mistake(d, s->before, 0,
                      "this is an HDF5 file, perhaps a result, where a model or study belongs; "
                      "`lash export RESULT.h5 --model` gives the model it was computed from");
    else if (s->length >= sizeof table && memcmp(s->text, table, sizeof table) == 0)
        lashi_mistake(d, s->before, 0,
                      "this is an SQLite file, perhaps the table of a study, where a model or study belongs; "
                      "`lash study show FILE.db` prints it");
    else
        return true;
    return false;
}

/* What has been seen of keys written as `? KEY`, up to some place of the text. */
typedef struct written_out {
    bool indicators; // nothing but blanks and indicators since the line began
    bool colon;      // nothing but blanks since a colon
    bool question;   // the last byte is a `?` among indicators
    bool any;        // there is such a key
} written_out;

/* False: a tab behind the colon of a map that may be such a key. libfyaml 0.7.12 ends the process there. */
static bool look_for_tab(written_out *keys, char c) {
    const bool blank = c == ' ' || c == '\t', end = c == '\n' || c == '\r';
    keys->any = keys->any || (keys->question && (blank || end));
    if (c == '\t' && keys->any && keys->colon)
        return false;
    keys->question = c == '?' && keys->indicators;
    keys->colon = c == ':' || (keys->colon && blank);
    keys->indicators = end || (keys->indicators && (blank || strchr("-?:", c)));
    return true;
}

static bool isalnum_ascii(unsigned char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static bool scan(const lashi_source *s, lashi_diagnostics *d) {
    int line = s->before + 1, column = 1, depth = 0;
    written_out keys = {.indicators = true};
    uint32_t code;
    for (size_t i = 0; i < s->length; column++) {
        unsigned char c = (unsigned char)s->text[i];
        if (isalnum_ascii(c)) { // most of a text
            keys.question = keys.colon = keys.indicators = false;
            i++;
            continue;
        }
        size_t n = lashi_utf8_length(&code, s->text + i, s->length - i);
        if (n == 0) {
            lashi_mistake(d, line, column,
                          "byte 0x%02x is not UTF-8 text; is this a model file? Save it as UTF-8", c);
            return false;
        }
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
            lashi_mistake(d, line, column,
                          "byte 0x%02x does not belong in a text file; is this a model file?", c);
            return false;
        }
        // Brackets in texts and comments count too: no honest file comes near the limit either way.
        if (c == '[' || c == '{')
            depth++;
        else if ((c == ']' || c == '}') && depth > 0)
            depth--;
        if (depth > LASHI_YAML_DEPTH_LIMIT) {
            lashi_mistake(d, line, column, "nested deeper than %d levels; a model needs fewer than ten",
                          LASHI_YAML_DEPTH_LIMIT);
            return false;
        }
        if (!look_for_tab(&keys, (char)c)) {
            lashi_mistake(d, line, column,
                          "a tab after a colon, below a key that is written with `?`; use a space");
            return false;
        }
        i += n;
        if (c == '\n') {
            line++;
            column = 0;
        }
    }
    return true;
}

// ---- nodes

static bool fail_memory(builder *b) {
    b->diagnostics->out_of_memory = true;
    return false;
}

/* A line of libfyaml, which counts from 0, over all sources. */
static int line_of(const builder *b, const struct fy_mark *mark) {
    return b->source->before + (mark ? mark->line + 1 : 0);
}

static lashi_yaml *new_node(builder *b, lashi_yaml_type type, const struct fy_mark *mark) {
    if (++b->nodes > MOST_NODES) {
        lashi_mistake(b->diagnostics, line_of(b, mark), mark ? mark->column + 1 : 0,
                      "the file has more than %d values", MOST_NODES);
        return NULL;
    }
    lashi_yaml *node = lashi_arena_alloc(b->arena, 1, sizeof *node);
    if (!node) {
        fail_memory(b);
        return NULL;
    }
    node->type = type;
    node->line = line_of(b, mark);
    node->column = mark ? mark->column + 1 : 0;
    node->text = "";
    node->weight = 1;
    return node;
}

static char *copy(builder *b, const char *text, size_t length) {
    char *result = lashi_arena_alloc(b->arena, length + 1, 1);
    if (!result)
        fail_memory(b);
    else if (length)
        memcpy(result, text, length);
    return result;
}

// A finished or opened node becomes a child of the innermost open one, or the root.
static bool attach(builder *b, lashi_yaml *node) {
    if (b->depth == 0) {
        b->roots[b->documents > 1] = node;
        return true;
    }
    return lashi_append(b->pending, b->pending_count, b->pending_capacity, node) || fail_memory(b);
}

// Remembers an anchor; the node is entered once it is complete, so that an alias cannot contain itself.
static bool note_anchor(size_t *index, builder *b, struct fy_token *token) {
    *index = LASHI_NONE;
    if (!token)
        return true;
    size_t length;
    const char *text = fy_token_get_text(token, &length);
    char *name = text ? copy(b, text, length) : NULL;
    *index = b->anchor_count;
    lashi_name_entry entry = {.name = name, .space = ANCHOR_SPACE, .index = *index};
    return (name && lashi_append(b->anchors, b->anchor_count, b->anchor_capacity, NULL) &&
            lashi_names_add(&b->names, entry)) ||
           fail_memory(b);
}

static bool refuse_tag(builder *b, struct fy_token *tag) {
    if (!tag)
        return true;
    const struct fy_mark *mark = fy_token_start_mark(tag);
    lashi_mistake(b->diagnostics, line_of(b, mark), mark ? mark->column + 1 : 0,
                  "tags (!name) have no meaning in a model file; leave it out");
    return false;
}

static bool add_scalar(builder *b, struct fy_event *event) {
    struct fy_token *token = event->scalar.value;
    const struct fy_mark *mark = fy_event_start_mark(event);
    size_t length = 0, anchor;
    const char *text = token ? fy_token_get_text(token, &length) : NULL;
    lashi_yaml *node = new_node(b, LASHI_YAML_SCALAR, mark);
    if (!node || !refuse_tag(b, event->scalar.tag) || !note_anchor(&anchor, b, event->scalar.anchor))
        return false;
    if (!mark && b->depth &&
        b->pending_count > b->frames[b->depth - 1].first) { // nothing written: at the key
        const lashi_yaml *before = b->pending[b->pending_count - 1];
        node->line = before->line;
        node->column = before->column;
    }
    node->text = copy(b, text ? text : "", text ? length : 0);
    if (!node->text)
        return false;
    if (text && memchr(text, '\0', length)) {
        lashi_mistake(b->diagnostics, node->line, node->column,
                      "a text with a zero character has no meaning here");
        return false;
    }
    enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    node->plain = style == FYSS_PLAIN;
    node->empty = node->plain && length == 0;
    // Where the text is in the file unchanged, columns inside it can be told.
    const struct fy_mark *at = token ? fy_token_start_mark(token) : NULL;
    if (at && length && at->input_pos + length <= b->source->length &&
        memcmp(b->source->text + at->input_pos, text, length) == 0)
        node->text_column = at->column + 1;
    if (node->text_column && !node->plain) // the place of a quoted text is its quote
        node->column = node->text_column - 1;
    if (anchor != LASHI_NONE)
        b->anchors[anchor] = node;
    return attach(b, node);
}

static bool add_alias(builder *b, struct fy_event *event) {
    const struct fy_mark *mark = fy_event_start_mark(event);
    int line = line_of(b, mark), column = mark ? mark->column : 0; // of the star
    size_t length;
    const char *text = fy_token_get_text(event->alias.anchor, &length);
    char *name = text ? copy(b, text, length) : NULL;
    if (!name)
        return fail_memory(b);
    char quoted[80];
    lashi_quote(quoted, sizeof quoted, name, length);
    const lashi_name_entry *entry = lashi_names_find(&b->names, ANCHOR_SPACE, name);
    if (!entry) {
        lashi_mistake(b->diagnostics, line, column, "there is no anchor &%s before this alias", quoted);
        return false;
    }
    if (!b->anchors[entry->index]) {
        lashi_mistake(b->diagnostics, line, column, "the alias *%s is used inside its own anchor", quoted);
        return false;
    }
    return attach(b, b->anchors[entry->index]);
}

static bool open_node(builder *b, struct fy_event *event) {
    bool map = event->type == FYET_MAPPING_START;
    const struct fy_mark *mark = fy_event_start_mark(event);
    lashi_yaml *node = new_node(b, map ? LASHI_YAML_MAP : LASHI_YAML_LIST, mark);
    if (!node)
        return false;
    if (b->depth == LASHI_YAML_DEPTH_LIMIT) {
        lashi_mistake(b->diagnostics, node->line, node->column,
                      "nested deeper than %d levels; a model needs fewer than ten", LASHI_YAML_DEPTH_LIMIT);
        return false;
    }
    size_t anchor;
    struct fy_token *tag = map ? event->mapping_start.tag : event->sequence_start.tag;
    struct fy_token *name = map ? event->mapping_start.anchor : event->sequence_start.anchor;
    if (!refuse_tag(b, tag) || !note_anchor(&anchor, b, name) || !attach(b, node))
        return false;
    b->frames[b->depth++] = (frame){.node = node, .first = b->pending_count, .anchor = anchor};
    return true;
}

// Leaves out keys that are not texts or are there already.
static bool keep_keys(builder *b, lashi_yaml *map) {
    lashi_names seen = {0};
    size_t kept = 0;
    for (size_t i = 0; i < map->count; i++) {
        lashi_yaml *key = map->items[2 * i], *first = NULL;
        if (key->type != LASHI_YAML_SCALAR) {
            lashi_mistake(b->diagnostics, key->line, key->column, "a key must be a word, not %s",
                          key->type == LASHI_YAML_MAP ? "a map" : "a list");
            continue;
        }
        if (map->count <= SMALL_MAP) {
            for (size_t j = 0; j < kept && !first; j++)
                if (strcmp(map->items[2 * j]->text, key->text) == 0)
                    first = map->items[2 * j];
        } else {
            const lashi_name_entry *entry = lashi_names_find(&seen, 0, key->text);
            if (entry)
                first = map->items[2 * entry->index];
            else if (!lashi_names_add(&seen, (lashi_name_entry){.name = key->text, .index = kept})) {
                free(seen.entries);
                return fail_memory(b);
            }
        }
        if (first) {
            char quoted[80];
            lashi_mistake(b->diagnostics, key->line, key->column,
                          "'%s' is given twice, first in line %d; leave one of them out",
                          lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)),
                          first->line - b->source->before);
            continue;
        }
        map->items[2 * kept] = key;
        map->items[2 * kept + 1] = map->items[2 * i + 1];
        kept++;
    }
    map->count = kept;
    free(seen.entries);
    return true;
}

static bool close_node(builder *b) {
    if (b->depth == 0)
        return true;
    frame *top = &b->frames[--b->depth];
    lashi_yaml *node = top->node;
    size_t count = b->pending_count - top->first;
    node->items = lashi_arena_alloc(b->arena, count, sizeof *node->items);
    if (!node->items)
        return fail_memory(b);
    if (count)
        memcpy(node->items, b->pending + top->first, count * sizeof *node->items);
    b->pending_count = top->first;
    node->count = node->type == LASHI_YAML_MAP ? count / 2 : count;
    for (size_t i = 0; i < count; i++)
        node->weight += node->items[i]->weight;
    if (node->weight > (double)b->nodes + MOST_EXPANDED) {
        lashi_mistake(b->diagnostics, node->line, node->column,
                      "its aliases expand to more than %.0f values; write the file without them",
                      MOST_EXPANDED);
        return false;
    }
    if (top->anchor != LASHI_NONE)
        b->anchors[top->anchor] = node;
    return node->type != LASHI_YAML_MAP || keep_keys(b, node);
}

// ---- libfyaml

static void no_output(struct fy_diag *diag, void *user, const char *text, size_t length) {
    (void)diag;
    (void)user;
    (void)text;
    (void)length;
}

/* What helps against an error of libfyaml, by a part of its text; NULL: nothing known. */
static const char *cure_of(const char *message) {
    static const struct {
        const char *part, *cure;
    } cures[] = {
        {"invalid indentation",
         "the keys of one block begin in the same column; compare with the lines above"},
        {"multiline plain key",
         "a key is followed by a colon and a blank, as in key: value, and the lines of a "
         "block begin in the same column"},
        {"block sequence", "a list has - before each entry, a map of names has none"},
        {"nested block mapping", "a text with a colon in it needs quotes"},
        {"missing comma", "a comma, or a closing } or ], is missing before this place"},
        {"mismatched flow", "a [ or { before this place is not closed"},
        {"without closing quote", "write the quote at the end of the text, too"},
        {"cannot start with", "a text that begins with it needs quotes"},
    };
    for (size_t i = 0; i < sizeof cures / sizeof *cures; i++)
        if (strstr(message, cures[i].part))
            return cures[i].cure;
    return NULL;
}

// The first error of libfyaml becomes ours; what follows it is mostly consequence.
static void take_error(builder *b, struct fy_diag *diag) {
    void *previous = NULL;
    struct fy_diag_error *found = fy_diag_errors_iterate(diag, &previous);
    if (!found) {
        lashi_mistake(b->diagnostics, b->source->before + 1, 1, "this is not YAML");
        return;
    }
    char message[LASH_ERROR_PLACE];
    lashi_quote(message, sizeof message, found->msg ? found->msg : "", found->msg ? strlen(found->msg) : 0);
    const bool tab = strncmp(message, "tab ", 4) == 0 || strstr(message, " tab ");
    const char *cure = tab ? "indent with spaces" : cure_of(message);
    // libfyaml counts columns here from 1 like us; a place past the last line is put on it.
    lashi_mistake(b->diagnostics, b->source->before + (found->line > 0 ? found->line : 1),
                  found->column > 0 ? found->column : 1, "this is not YAML: %s%s%s",
                  tab ? "a tab character may not be used as indentation" : message, cure ? "; " : "",
                  cure ? cure : "");
}

static bool take_event(builder *b, struct fy_event *event) {
    switch (event->type) {
    case FYET_DOCUMENT_START:
        b->second_line = line_of(b, fy_event_start_mark(event));
        if (++b->documents > b->most_documents) {
            lashi_mistake(b->diagnostics, b->second_line, 1,
                          "a second document begins here; a model file holds one");
            return false;
        }
        return true;
    case FYET_SCALAR: return add_scalar(b, event);
    case FYET_ALIAS: return add_alias(b, event);
    case FYET_MAPPING_START:
    case FYET_SEQUENCE_START: return open_node(b, event);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: return close_node(b);
    default: return true;
    }
}

static bool parse(builder *b) {
    struct fy_diag_cfg diag_cfg;
    fy_diag_cfg_default(&diag_cfg);
    diag_cfg.fp = NULL;
    diag_cfg.output_fn = no_output;
    diag_cfg.level = FYET_ERROR;
    diag_cfg.colorize = false;
    struct fy_diag *diag = fy_diag_create(&diag_cfg);
    if (!diag)
        return fail_memory(b);
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE |
                                        FYPCF_SLOPPY_FLOW_INDENTATION | FYPCF_DEFAULT_VERSION_1_2,
                               .diag = diag};
    struct fy_parser *parser = fy_parser_create(&cfg);
    bool fine = parser && fy_parser_set_string(parser, b->source->text, b->source->length) == 0;
    if (!fine)
        fail_memory(b);
    struct fy_event *event;
    while (fine && (event = fy_parser_parse(parser)) != NULL) {
        fine = take_event(b, event);
        fy_parser_event_free(parser, event);
    }
    if (fine && (fy_parser_get_stream_error(parser) || fy_diag_got_error(diag))) {
        take_error(b, diag);
        fine = false;
    }
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return fine;
}

lashi_yaml *lashi_yaml_parse(const lashi_yaml **second, const char *key, lashi_arena *arena,
                             lashi_diagnostics *diagnostics, size_t index) {
    const lashi_source *source = &diagnostics->sources->list[index];
    if (source->length > LASHI_YAML_SIZE_LIMIT) {
        lashi_mistake(diagnostics, source->before, 0, "the file is larger than %d MiB; is this a model file?",
                      LASHI_YAML_SIZE_LIMIT >> 20);
        return NULL;
    }
    if (!is_text(source, diagnostics) || !scan(source, diagnostics))
        return NULL;
    builder b = {
        .arena = arena, .diagnostics = diagnostics, .source = source, .most_documents = second ? 2 : 1};
    bool fine = parse(&b);
    free(b.pending);
    free(b.anchors);
    free(b.names.entries);
    if (fine && (!b.roots[0] || b.roots[0]->empty)) {
        lashi_mistake(diagnostics, source->before + 1, 1,
                      "the file is empty; a model has at least `bodies`, a study `model`");
        return NULL;
    }
    if (fine && b.roots[1]) {
        const lashi_yaml *held = b.roots[1]->count == 1 ? lashi_yaml_find(b.roots[1], key) : NULL;
        if (!held) {
            lashi_mistake(diagnostics, b.second_line, 1,
                          "a second document begins here; a model file holds one");
            return NULL;
        }
        *second = held;
    }
    return fine ? b.roots[0] : NULL;
}

lashi_yaml *lashi_yaml_find(const lashi_yaml *map, const char *key) {
    if (map && map->type == LASHI_YAML_MAP)
        for (size_t i = 0; i < map->count; i++)
            if (strcmp(map->items[2 * i]->text, key) == 0)
                return map->items[2 * i + 1];
    return NULL;
}

/* A key that is what a comma left of a number or of an expression. */
static bool is_rest(const lashi_yaml *key, const lashi_yaml *value) {
    const char *first = key->text + (key->text[0] && strchr("+-.", key->text[0]));
    return value->empty && key->plain && (isdigit((unsigned char)*first) || strpbrk(key->text, "()$"));
}

bool lashi_yaml_is_cut(const lashi_yaml *map, size_t index) {
    return index + 1 < map->count && is_rest(map->items[2 * index + 2], map->items[2 * index + 3]);
}

const char *lashi_yaml_trap(const lashi_yaml *map, const lashi_yaml *key) {
    const lashi_yaml *value = lashi_yaml_find(map, key->text);
    if (!value || !value->empty || !key->plain)
        return NULL;
    const char *colon = strchr(key->text, ':');
    if (colon && colon != key->text && colon[1] && colon[1] != ' ')
        return "a space is missing after the colon";
    if (strchr(key->text, '='))
        return "a key and its value have a colon between them: mass: 1 kg";
    if (is_rest(key, value))
        return "within {} a comma begins the next key: write decimals with a point, 1.5, and put an "
               "expression "
               "that has a comma in quotes, \"max(1, 2)\"";
    return NULL;
}

const char *lashi_yaml_describe(char *buffer, size_t size, const lashi_yaml *node) {
    char quoted[80];
    switch (node->type) {
    case LASHI_YAML_LIST: snprintf(buffer, size, "a list"); break;
    case LASHI_YAML_MAP: snprintf(buffer, size, "a map"); break;
    case LASHI_YAML_SCALAR:
        if (node->empty)
            snprintf(buffer, size, "nothing");
        else
            snprintf(buffer, size, "'%s'",
                     lashi_quote(quoted, sizeof quoted, node->text, strlen(node->text)));
        break;
    }
    return buffer;
}
