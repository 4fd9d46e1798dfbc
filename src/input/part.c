/* SPDX-License-Identifier: MIT
 *
 * Components, the files that bring them, and instances; part.h explains the words.
 *
 * Files are searched for beside the file that includes them, and each is read once. Their texts are kept with
 * the model's own as a second document, so that a result, a study or an FMU needs nothing else:
 *
 *   ---
 *   included files:
 *     "cylinder.yaml": |2+
 *       bodies: …
 *
 * What could be used against a reader is bounded: depth of includes and of instances, their number, and the
 * size of all texts together. Files and components that contain themselves are refused.
 */
#include "input/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "input/reader.h"
#include "input/text_file.h"

enum { TEXT = 256, MOST_DEPTH = 16, MOST_INSTANCES = 10000 };

static void out_of_memory(lashi_reader *reader) {
    reader->diagnostics->out_of_memory = true;
}

// ---- components

static const char *listed_component(const void *library, size_t index) {
    for (const lashi_library *l = library; l; l = l->outer) {
        if (index < l->count)
            return l->list[index].name;
        index -= l->count;
    }
    return NULL;
}

static lashi_component *find_component(const lashi_library *library, const char *name) {
    for (const lashi_library *l = library; l; l = l->outer)
        for (size_t i = 0; i < l->count; i++)
            if (strcmp(l->list[i].name, name) == 0)
                return &l->list[i];
    return NULL;
}

/* A new component of the library, or NULL after complaining. */
static lashi_component *declare(lashi_reader *reader, lashi_library *library, const lashi_yaml *key,
                                const char *name, const char *cure) {
    char quoted[TEXT];
    const char *why;
    lashi_quote(quoted, sizeof quoted, name, strlen(name));
    if (!lashi_name_is_valid(name, false, &why)) {
        lashi_mistake(reader->diagnostics, key->line, key->column,
                      "component '%s' cannot have this name: %s%s", quoted, why, cure);
        return NULL;
    }
    for (size_t i = 0; i < library->count; i++)
        if (strcmp(library->list[i].name, name) == 0) {
            lashi_mistake(reader->diagnostics, key->line, key->column,
                          "there is a component '%s' already; give this one another name", quoted);
            return NULL;
        }
    lashi_component *component = &library->list[library->count++];
    *component = (lashi_component){.name = name, .key = key, .folder = reader->folder, .library = library};
    return component;
}

/* Keys that only the whole model has. */
static bool is_of_the_whole(const char *key) {
    return strcmp(key, "gravity") == 0 || strcmp(key, "run") == 0 || strcmp(key, "space") == 0 ||
           strcmp(key, "title") == 0;
}

static void refuse_whole(lashi_reader *reader, const lashi_component *component) {
    for (size_t i = 0; i < component->root->count; i++) {
        const lashi_yaml *key = component->root->items[2 * i];
        if (is_of_the_whole(key->text))
            lashi_mistake(reader->diagnostics, key->line, key->column,
                          "component '%s': '%s' belongs to the whole model, not to a part of it",
                          component->name, key->text);
    }
}

static lashi_library *read_library(lashi_reader *reader, const lashi_library *outer);

/* One entry of `components`. */
static void read_component(lashi_reader *reader, lashi_library *library, const lashi_yaml *key,
                           const lashi_yaml *node) {
    lashi_component *component = declare(reader, library, key, key->text, "");
    if (!component)
        return;
    if (node->type != LASHI_YAML_MAP) {
        char found[TEXT];
        lashi_mistake(reader->diagnostics, node->line, node->column,
                      "component '%s': expects a map of sections such as bodies and joints, found %s",
                      component->name, lashi_yaml_describe(found, sizeof found, node));
        return;
    }
    component->root = node;
    refuse_whole(reader, component);
    if (reader->parts->depth >= MOST_DEPTH) {
        lashi_mistake(reader->diagnostics, key->line, key->column,
                      "component '%s': components are nested more than %d deep", component->name, MOST_DEPTH);
        return;
    }
    lashi_reader inner = *reader;
    inner.root = node;
    reader->parts->depth++;
    const lashi_library *own = read_library(&inner, library);
    reader->parts->depth--;
    component->library = own ? own : library;
}

// ---- included files

/* cylinder from parts/cylinder.yaml */
static const char *stem(lashi_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return lashi_arena_print(arena, "%.*s", dot && dot != name ? (int)(dot - name) : (int)strlen(name), name);
}

/* "a.yaml -> b.yaml -> a.yaml", of the files that are open. */
static void say_cycle(lashi_reader *reader, const lashi_yaml *node, const lashi_included *file) {
    const char *chain = file->path;
    for (const lashi_included *f = reader->parts->files; chain && f && f != file; f = f->next)
        if (f->open)
            chain = lashi_arena_print(reader->arena, "%s -> %s", f->path, chain);
    lashi_say(reader, node, 0, "include", "the file includes itself: %.200s -> %.400s", file->path,
              chain ? chain : "");
}

/* The text of an included file: what the model brings along, or from the disk. NULL after complaining. */
static const char *read_text(size_t *length, lashi_reader *reader, const lashi_yaml *node, const char *path,
                             const char *full) {
    lashi_arena *arena = &reader->model->arena;
    const lashi_yaml *kept = reader->parts->kept ? lashi_yaml_find(reader->parts->kept, path) : NULL;
    if (kept && kept->type == LASHI_YAML_SCALAR) {
        *length = strlen(kept->text);
        const char *copy = lashi_arena_copy_text(arena, kept->text);
        if (!copy)
            out_of_memory(reader);
        return copy;
    }
    if (reader->without_tables && !reader->parts->kept) {
        lashi_say(reader, node, 0, "include",
                  "the text of '%.200s' is not kept with the model, and its file is not searched for here",
                  path);
        return NULL;
    }
    if (reader->parts->kept) {
        lashi_say(reader, node, 0, "include",
                  "'%.200s' is not among the files stored after the model; to read files again, delete what "
                  "follows ---",
                  path);
        return NULL;
    }
    char *text;
    lash_error error = {0};
    const lash_status status = lashi_text_file_read(&text, length, full, "the file", &error);
    if (status == LASH_ERROR_MEMORY)
        out_of_memory(reader);
    else if (status)
        lashi_say(reader, node, 0, "include", "%s", error.message);
    if (status)
        return NULL;
    char *copy = lashi_arena_alloc(arena, *length + 1, 1);
    if (copy)
        memcpy(copy, text, *length);
    else
        out_of_memory(reader);
    free(text);
    return copy;
}

/* Parses an included file; its root is NULL where that failed. */
static void parse(lashi_reader *reader, const lashi_yaml *node, lashi_included *file, const char *full,
                  size_t length) {
    lash_model *model = reader->model;
    const char *name = lashi_arena_copy_text(&model->arena, full);
    reader->parts->text_size += length;
    if (reader->parts->text_size > LASHI_YAML_SIZE_LIMIT / 2) {
        lashi_say(reader, node, 0, "include", "all included files together are larger than %d MiB",
                  LASHI_YAML_SIZE_LIMIT / 2 >> 20);
        return;
    }
    if (!name || !lashi_sources_add(&model->sources, name, file->text, length)) {
        out_of_memory(reader);
        return;
    }
    const lashi_yaml *root = lashi_yaml_parse(NULL, NULL, reader->arena, reader->diagnostics,
                                              model->sources.count - 1),
                     *space = lashi_yaml_find(root, "space");
    if (!root)
        return;
    if (root->type != LASHI_YAML_MAP) {
        char found[TEXT];
        lashi_mistake(reader->diagnostics, root->line, root->column,
                      "a component is a map with sections such as bodies and joints; this is %s",
                      lashi_yaml_describe(found, sizeof found, root));
        return;
    }
    // One that does not say is of the same space.
    const bool spatial = space && strcmp(space->text, "spatial") == 0;
    if (space && spatial != (model->space == LASH_SPATIAL)) {
        lashi_mistake(reader->diagnostics, space->line, space->column,
                      "this file is a %s model, and the one that includes it a %s one",
                      spatial ? "spatial" : "planar", spatial ? "planar" : "spatial");
        return;
    }
    file->root = root;
}

/* The file that a value of `include` names; NULL after complaining. */
static lashi_included *open_file(lashi_reader *reader, const lashi_yaml *node) {
    lashi_parts *parts = reader->parts;
    const char *name;
    if (!lashi_take_word(&name, reader, node, "include", "the name of a file, or a list of them"))
        return NULL;
    const bool absolute = name[0] == '/';
    const char *full = lashi_arena_print(reader->arena, "%s%s", absolute ? "" : reader->folder, name),
               *path = full && !absolute ? full + parts->folder_length : full;
    if (!full) {
        out_of_memory(reader);
        return NULL;
    }
    for (lashi_included *file = parts->files; file; file = file->next)
        if (strcmp(file->path, path) == 0) {
            if (file->open)
                say_cycle(reader, node, file);
            return file->open ? NULL : file;
        }
    if (parts->depth >= MOST_DEPTH) {
        lashi_say(reader, node, 0, "include", "files include one another more than %d deep", MOST_DEPTH);
        return NULL;
    }
    lashi_included *file = lashi_arena_alloc(reader->arena, 1, sizeof *file);
    size_t length;
    if (!file) {
        out_of_memory(reader);
        return NULL;
    }
    *file = (lashi_included){.path = path, .next = parts->files, .open = true};
    parts->files = file;
    file->text = read_text(&length, reader, node, path, full);
    if (file->text)
        parse(reader, node, file, full, length);
    if (file->root) {
        lashi_reader inner = *reader;
        const char *slash = strrchr(full, '/');
        inner.root = file->root;
        inner.folder = lashi_arena_print(reader->arena, "%.*s", slash ? (int)(slash - full) + 1 : 0, full);
        inner.parameter_count = inner.symbol_count = 0; // the file sees its own alone
        inner.names = (lashi_names){0};
        parts->depth++;
        file->library = inner.folder ? read_library(&inner, NULL) : NULL;
        parts->depth--;
        if (!file->library)
            out_of_memory(reader);
    }
    file->open = false;
    return file;
}

/* A file that cannot be read is a component all the same, so that those who use it do not complain, too. */
static void include(lashi_reader *reader, lashi_library *library, const lashi_yaml *node) {
    const lashi_included *file = open_file(reader, node);
    const char *name = stem(reader->arena, node->text);
    if (node->type != LASHI_YAML_SCALAR || !name)
        return;
    lashi_component *component =
        declare(reader, library, node, name, "; it has the name of its file, rename that");
    if (!component || !file || !file->root || !file->library)
        return;
    const char *slash = strrchr(file->path, '/');
    const bool absolute = file->path[0] == '/';
    component->included = true;
    component->root = file->root;
    component->library = file->library;
    component->folder = lashi_arena_print(
        reader->arena, "%.*s%.*s", absolute ? 0 : (int)reader->parts->folder_length,
        reader->parts->first->folder, slash ? (int)(slash - file->path) + 1 : 0, file->path);
    if (!component->folder)
        out_of_memory(reader);
}

// ---- libraries

/* What the reader's sections define and include; NULL: out of memory. */
static lashi_library *read_library(lashi_reader *reader, const lashi_library *outer) {
    const lashi_yaml *components = lashi_yaml_find(reader->root, "components"),
                     *files = lashi_yaml_find(reader->root, "include");
    const size_t most = (components ? components->count : 0) + (files ? files->count + 1 : 0);
    lashi_library *library = lashi_arena_alloc(reader->arena, 1, sizeof *library);
    if (library)
        library->list = lashi_arena_alloc(reader->arena, most, sizeof *library->list);
    if (!library || !library->list) {
        out_of_memory(reader);
        return NULL;
    }
    library->outer = outer;
    if (components && components->type != LASHI_YAML_MAP) {
        if (!components->empty)
            lashi_wrong_node(reader, components, "components", "a map of names and parts");
    } else if (components)
        for (size_t i = 0; i < components->count && !lashi_diagnostics_full(reader->diagnostics); i++)
            read_component(reader, library, components->items[2 * i], components->items[2 * i + 1]);
    if (files && files->type == LASHI_YAML_LIST)
        for (size_t i = 0; i < files->count && !lashi_diagnostics_full(reader->diagnostics); i++)
            include(reader, library, files->items[i]);
    else if (files)
        include(reader, library, files);
    return library;
}

void lashi_take_components(lashi_reader *reader) {
    reader->library = read_library(reader, NULL);
}

// ---- instances

bool lashi_is_instance(const lashi_yaml *node) {
    if (node->type == LASHI_YAML_LIST)
        return node->count > 0 && lashi_is_instance(node->items[0]);
    return lashi_yaml_find(node, "use") != NULL;
}

/* Keys of a component that mean nothing there. */
static const char *listed_key(const void *list, size_t index) {
    (void)list;
    return lashi_top_kind.keys[index].name;
}

static void refuse_keys(lashi_reader *reader, const lashi_component *component) {
    for (size_t i = 0; i < component->root->count; i++) {
        const lashi_yaml *key = component->root->items[2 * i];
        if (lashi_kind_find(&lashi_top_kind, key->text, reader->model->space) ||
            lashi_is_instance(component->root->items[2 * i + 1]))
            continue;
        char quoted[TEXT];
        const char *nearest = lashi_nearest(key->text, listed_key, NULL);
        lashi_mistake(reader->diagnostics, key->line, key->column, "'%s' is not a key of a component; %s%s%s",
                      lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)),
                      nearest ? "did you mean '" : "", nearest ? nearest : "it has the sections of a model",
                      nearest ? "'?" : "");
    }
}

/* The component that an instance uses; NULL after complaining. */
static lashi_component *used_component(lashi_reader *reader, const lashi_yaml *map, const char *name) {
    const lashi_yaml *use = lashi_yaml_find(map, "use");
    char quoted[TEXT];
    if (!name)
        return NULL;
    lashi_component *component = find_component(reader->library, name);
    lashi_quote(quoted, sizeof quoted, name, strlen(name));
    if (!component) {
        const char *nearest = lashi_nearest(name, listed_component, reader->library);
        lashi_say(reader, use, 0, "use", "there is no component '%s'; %s%s%s", quoted,
                  nearest ? "did you mean '" : "",
                  nearest ? nearest : "define it under components, or include its file", nearest ? "'?" : "");
        return NULL;
    }
    if (component->open) {
        lashi_say(reader, use, 0, "use", "the component '%s' contains itself", quoted);
        return NULL;
    }
    return component->root ? component : NULL;
}

/* Whether the name of an instance is not that of another one; complains if it is. */
static bool is_free(lashi_reader *reader, const lashi_yaml *at, const char *name) {
    const char *why;
    char quoted[TEXT];
    lashi_quote(quoted, sizeof quoted, name, strlen(name));
    if (!lashi_name_is_valid(name, false, &why)) {
        lashi_mistake(reader->diagnostics, at->line, at->column, "instance '%s' cannot have this name: %s",
                      quoted, why);
        return false;
    }
    for (const lashi_reader *other = reader->parts->first; other; other = other->next)
        if (other->outer == reader && strcmp(other->own_name, name) == 0) {
            lashi_mistake(reader->diagnostics, at->line, at->column,
                          "instance '%s': the name is taken already by another instance", quoted);
            return false;
        }
    return true;
}

/* The ground of a moved instance, where it is named without a point. */
static void add_origin(lashi_reader *reader) {
    double at[3] = {0};
    lash_error error;
    const char *name = lashi_arena_print(reader->arena, "%s%s", reader->prefix, LASHI_ORIGIN);
    lashi_place_point(at, &reader->placing);
    if (!name || lash_model_add_point(reader->model, "ground", name, at, &error) == LASH_ERROR_MEMORY)
        out_of_memory(reader);
}

static void read_instance(lashi_reader *reader, const lashi_yaml *key, const lashi_yaml *map, bool listed) {
    char subject[TEXT], quoted[TEXT / 2];
    lashi_instance_def def = {0};
    lashi_kind_default(&def, &lashi_instance_kind);
    const lashi_yaml *as = lashi_yaml_find(map, "as"), *at = as && !as->empty ? as : key;
    const char *word = as && as->type == LASHI_YAML_SCALAR ? as->text : key->text;
    lashi_parts *parts = reader->parts;
    snprintf(subject, sizeof subject,
             "instance '%s': ", lashi_quote(quoted, sizeof quoted, word, strlen(word)));
    if (map->type != LASHI_YAML_MAP) {
        lashi_wrong_node(reader, map, key->text, "an instance such as {use: cylinder, as: c1, at: [0, 0]}");
        return;
    }
    reader->subject = subject;
    bool fine = true;
    if (!lashi_when(&fine, reader, map)) {
        reader->subject = "";
        return;
    }
    fine = lashi_take_keys(&def, reader, map, &lashi_instance_kind, "", NULL) && fine;
    if (fine && listed && !def.as) {
        lashi_say(reader, map, 0, "as", "several instances need names of their own: write as: NAME in each");
        fine = false;
    }
    const char *name = def.as ? def.as : key->text;
    fine = fine && is_free(reader, at, name);
    lashi_component *component = used_component(reader, map, def.use);
    if (fine && component && (parts->count >= MOST_INSTANCES || reader->depth >= MOST_DEPTH)) {
        lashi_say(reader, map, 0, "use",
                  "there are more than %d instances, or they are nested more than %d deep", MOST_INSTANCES,
                  MOST_DEPTH);
        fine = false;
    }
    reader->subject = "";
    if (!fine || !component)
        return;
    lashi_reader *inner = lashi_arena_alloc(reader->arena, 1, sizeof *inner);
    const char *prefix = lashi_arena_print(reader->arena, "%s%s.", reader->prefix, name);
    if (!inner || !prefix) {
        out_of_memory(reader);
        return;
    }
    *inner = (lashi_reader){.model = reader->model,
                            .diagnostics = reader->diagnostics,
                            .arena = reader->arena,
                            .folder = component->folder,
                            .without_tables = reader->without_tables,
                            .subject = "",
                            .root = component->root,
                            .prefix = prefix,
                            .own_name = name,
                            .named = at,
                            .outer = reader,
                            .library = component->library,
                            .parts = parts,
                            .depth = reader->depth + 1};
    lashi_place_within(&inner->placing, &reader->placing, def.at, def.angle, def.orientation);
    parts->last->next = inner;
    parts->last = inner;
    parts->count++;
    if (inner->placing.moved)
        add_origin(inner);
    refuse_keys(inner, component);
    snprintf(subject, sizeof subject, "instance '%s%s': ", reader->prefix, name);
    reader->subject = subject;
    lashi_take_parameters(inner, lashi_yaml_find(component->root, "parameters"), NULL, reader,
                          lashi_yaml_find(map, "with"));
    reader->subject = "";
    component->open = true;
    lashi_take_instances(inner);
    component->open = false;
}

void lashi_take_instances(lashi_reader *reader) {
    for (size_t i = 0; i < reader->root->count && !lashi_diagnostics_full(reader->diagnostics); i++) {
        const lashi_yaml *key = reader->root->items[2 * i], *node = reader->root->items[2 * i + 1];
        if (!lashi_is_instance(node) || lashi_kind_find(&lashi_top_kind, key->text, reader->model->space))
            continue;
        if (node->type == LASHI_YAML_MAP)
            read_instance(reader, key, node, false);
        else
            for (size_t k = 0; k < node->count; k++)
                read_instance(reader, key, node->items[k], true);
    }
}

void lashi_check_instances(const lashi_reader *first) {
    for (const lashi_reader *part = first->next; part; part = part->next) {
        char name[TEXT];
        snprintf(name, sizeof name, "%.*s", (int)strlen(part->prefix) - 1, part->prefix);
        if (lashi_names_find(&part->model->names, LASHI_OBJECT_SPACE, name))
            lashi_mistake(part->diagnostics, part->named->line, part->named->column,
                          "instance '%.100s': the name is taken already by a body, joint, drive or force; "
                          "give it another one",
                          name);
    }
}

// ---- the texts together

/* A text in double quotes. */
static void put_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_file(FILE *out, const lashi_included *file) {
    if (!file)
        return;
    put_file(out, file->next); // the oldest first
    fputs("  ", out);
    put_quoted(out, file->path);
    fputs(": |2+\n", out);
    for (const char *line = file->text; *line;) {
        const size_t length = strcspn(line, "\n");
        if (length)
            fprintf(out, "    %.*s", (int)length, line);
        fputc('\n', out);
        line += length + (line[length] == '\n');
    }
}

const char *lashi_bundle(lashi_reader *first, const char *text) {
    if (!first->parts->files || first->parts->kept)
        return text;
    char *bundle = NULL;
    size_t size;
    FILE *out = open_memstream(&bundle, &size);
    if (!out)
        return NULL;
    fprintf(out, "%s\n---\n# Files that the model includes, as they were when it was read.\n%s:\n", text,
            LASHI_KEPT);
    put_file(out, first->parts->files);
    const bool broken = ferror(out) != 0;
    const char *copy =
        fclose(out) == 0 && !broken ? lashi_arena_copy_text(&first->model->arena, bundle) : NULL;
    free(bundle);
    return copy;
}
