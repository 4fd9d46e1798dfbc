/* SPDX-License-Identifier: MIT
 *
 * A model file → lash_model. The sections are read in the order in which they depend on each other, whatever
 * their order in the file: parameters, ground, materials, bodies, joints, drives, inputs, signals, forces,
 * run. Then the model is checked as one built in C is, and all mistakes are reported in the order of their
 * places.
 *
 * An object that could not be read is still declared, so that those which refer to it do not complain too.
 *
 * Each section is read of all parts before the next one: of the file itself, then of its instances (part.h).
 */
#include "input/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "input/text_file.h"

enum { TEXT = 256 };

// ---- sections

static void note_absent(lashi_reader *reader, const char *name, bool bad) {
    lash_model *model = reader->model;
    lashi_absent absent = {.name = lashi_arena_copy_text(&model->arena, name), .bad = bad};
    if (!absent.name || !lashi_append(model->absent, model->absent_count, model->absent_capacity, absent))
        reader->diagnostics->out_of_memory = true;
}

static void read_part(lashi_reader *reader, const char *section, const char *word, lashi_object_reader read) {
    const lashi_yaml *map = lashi_yaml_find(reader->root, section);
    reader->subject = "";
    if (!map || map->empty)
        return;
    if (map->type != LASHI_YAML_MAP) {
        lashi_wrong_node(reader, map, section, "a map of names and definitions");
        return;
    }
    for (size_t i = 0; i < map->count && !lashi_diagnostics_full(reader->diagnostics); i++) {
        const lashi_yaml *name = map->items[2 * i], *node = map->items[2 * i + 1];
        char subject[TEXT], quoted[TEXT / 2];
        const char *full = lashi_full_name(reader, name->text, false), *why;
        snprintf(subject, sizeof subject, "%s '%s': ", word,
                 lashi_quote(quoted, sizeof quoted, full, strlen(full)));
        reader->subject = subject;
        bool fine = true;
        lashi_yaml as = *name; // by its full name
        if (lashi_name_is_valid(name->text, true, &why))
            as.text = full;
        if (node->type == LASHI_YAML_MAP && !lashi_when(&fine, reader, node))
            note_absent(reader, full, false);
        else if (strchr(name->text, '.'))
            lashi_mistake(reader->diagnostics, name->line, name->column,
                          "%s '%s' cannot have this name: a dot separates an instance from what is in it",
                          word, lashi_quote(quoted, sizeof quoted, name->text, strlen(name->text)));
        else
            read(reader, &as, node);
        reader->subject = "";
    }
}

void lashi_read_objects(lashi_reader *first, const char *section, const char *word,
                        lashi_object_reader read) {
    for (lashi_reader *part = first; part; part = part->next)
        read_part(part, section, word, read);
}

size_t lashi_read_definition(void *definition, lashi_reader *reader, const lashi_yaml *name,
                             const lashi_yaml *node, const lashi_kind *kind, const char *extra) {
    size_t first = reader->model->place_count;
    // A plain value in place of a map.
    lashi_yaml key, value, *pair[2] = {&key, &value}, map;
    if (kind && kind->plain && node->type == LASHI_YAML_SCALAR && !node->empty) {
        key = *name;
        key.text = kind->plain;
        map = *node;
        value = *node;
        map.type = LASHI_YAML_MAP;
        map.count = 1;
        map.items = pair;
        node = &map;
    }
    bool is_map = node->type == LASHI_YAML_MAP;
    if (!lashi_model_note_place(reader->model, NULL, "", name->line, name->column, !is_map))
        reader->diagnostics->out_of_memory = true;
    if (!is_map) {
        char found[TEXT];
        lashi_mistake(reader->diagnostics, node->empty ? name->line : node->line,
                      node->empty ? name->column : node->column,
                      "%sexpects a map of keys and values, found %s", reader->subject,
                      lashi_yaml_describe(found, sizeof found, node));
    } else if (kind)
        lashi_take_keys(definition, reader, node, kind, "", extra);
    return first;
}

void lashi_finish_object(lashi_reader *reader, const lashi_yaml *name, size_t first, lash_status status,
                         const char *kept, const lash_error *error) {
    lash_model *model = reader->model;
    if (status == LASH_ERROR_MEMORY)
        reader->diagnostics->out_of_memory = true;
    if (status) {
        if (status != LASH_ERROR_MEMORY)
            lashi_mistake(reader->diagnostics, name->line, name->column, "%s", error->message);
        model->place_count = first < model->place_count ? first : model->place_count;
        note_absent(reader, name->text, true);
        return;
    }
    for (size_t i = first; i < model->place_count; i++)
        model->places[i].name = kept;
}

static void read_material(lashi_reader *reader, const lashi_yaml *name, const lashi_yaml *node) {
    lash_material_def def = lash_material_default();
    lash_error error = {0};
    size_t first = lashi_read_definition(&def, reader, name, node, &lashi_material_kind, NULL);
    lash_status status = lash_model_add_material(reader->model, name->text, &def, &error);
    lashi_finish_object(reader, name, first, status,
                        status ? NULL : reader->model->materials[reader->model->material_count - 1].name,
                        &error);
}

// The inertia of the last body may be about one of its points, by name.
static void read_inertia_point(lashi_reader *reader, const lashi_yaml *node, size_t first) {
    lash_model *model = reader->model;
    size_t body = model->body_count - 1;
    if (!node || node->type != LASHI_YAML_SCALAR || !node->text[0] ||
        lashi_take_point_place(model->bodies[body].def.inertia_at, reader, node, "inertia_at", body))
        return;
    for (size_t i = first; i < model->place_count; i++)
        if (strcmp(model->places[i].key, "inertia_at") == 0)
            model->places[i].bad = true;
}

static void read_body(lashi_reader *reader, const lashi_yaml *name, const lashi_yaml *node) {
    lash_body_def def = lash_body_default();
    lash_error error = {0};
    size_t first = lashi_read_definition(&def, reader, name, node, &lashi_body_kind, NULL);
    lashi_place_body(&def, &reader->placing);
    lash_status status = lash_model_add_body(reader->model, name->text, &def, &error);
    lashi_finish_object(reader, name, first, status,
                        status ? NULL : reader->model->bodies[reader->model->body_count - 1].name, &error);
    const lashi_yaml *points = lashi_yaml_find(node, "points");
    if (!status && points && points->type == LASHI_YAML_MAP)
        lashi_take_points(reader, points, name->text);
    if (!status && reader->model->space == LASH_SPATIAL)
        read_inertia_point(reader, lashi_yaml_find(node, "inertia_at"), first);
}

// The `type` of a joint or force, NULL if it has none; its place is noted.
static const char *read_type(lashi_reader *reader, const lashi_yaml *node) {
    const lashi_yaml *type = lashi_yaml_find(node, "type");
    const char *word = NULL;
    if (!type)
        return NULL;
    bool good = lashi_take_word(&word, reader, type, "type", "a word such as revolute");
    if (!lashi_model_note_place(reader->model, NULL, "type", type->line, type->column, !good))
        reader->diagnostics->out_of_memory = true;
    return good ? word : NULL;
}

// The keys of a type of the other space mean nothing here; the check refuses the type itself.
static const lashi_kind *fitting(const lashi_reader *reader, const lashi_kind *kind) {
    return kind && lashi_fits(kind->space, reader->model->space) ? kind : NULL;
}

static void read_joint(lashi_reader *reader, const lashi_yaml *name, const lashi_yaml *node) {
    size_t first = reader->model->place_count;
    const char *type = read_type(reader, node);
    lash_joint_def def = lash_joint_default(type);
    lash_error error = {0};
    lashi_read_definition(&def, reader, name, node,
                          fitting(reader, lashi_joint_schema_find(type, reader->model->space)), "type");
    lashi_place_joint(&def, reader, node);
    lash_status status = lash_model_add_joint(reader->model, name->text, &def, &error);
    if (!status && reader->placing.turned)
        memcpy(reader->model->joints[reader->model->joint_count - 1].ground, reader->placing.orientation,
               sizeof reader->placing.orientation);
    lashi_finish_object(reader, name, first, status,
                        status ? NULL : reader->model->joints[reader->model->joint_count - 1].name, &error);
}

static void read_drive(lashi_reader *reader, const lashi_yaml *name, const lashi_yaml *node) {
    lash_drive_def def = lash_drive_default();
    lash_error error = {0};
    size_t first = lashi_read_definition(&def, reader, name, node, &lashi_drive_kind, NULL);
    lashi_place_drive(&def, reader, node);
    lash_status status = lash_model_add_drive(reader->model, name->text, &def, &error);
    lashi_finish_object(reader, name, first, status,
                        status ? NULL : reader->model->drives[reader->model->drive_count - 1].name, &error);
}

static void read_force(lashi_reader *reader, const lashi_yaml *name, const lashi_yaml *node) {
    size_t first = reader->model->place_count;
    const char *type = read_type(reader, node);
    lash_force_def def = lash_force_default(type);
    lash_error error = {0};
    lashi_read_definition(&def, reader, name, node,
                          fitting(reader, lashi_force_schema_find(type, reader->model->space)), "type");
    lashi_place_force(&def, reader, node);
    if (def.table && def.period > 0 &&
        !lashi_period_fits(reader, lashi_yaml_find(node, "period"), "period", def.table, def.period, "rad|m"))
        def.period = LASH_UNSET; // so that nothing else is said about it
    lash_status status = lash_model_add_force(reader->model, name->text, &def, &error);
    lashi_finish_object(reader, name, first, status,
                        status ? NULL : reader->model->forces[reader->model->force_count - 1].name, &error);
}

// ---- the file

static const char *listed_key(const void *list, size_t index) {
    (void)list;
    return lashi_top_kind.keys[index].name;
}

static void note_top(lashi_reader *reader, const char *key, const lashi_yaml *node, bool bad) {
    if (!lashi_model_note_place(reader->model, NULL, key, node->line, node->column, bad))
        reader->diagnostics->out_of_memory = true;
}

static void refuse_unknown_keys(lashi_reader *reader, const lashi_yaml *root) {
    for (size_t i = 0; i < root->count; i++) {
        const lashi_yaml *key = root->items[2 * i];
        if (lashi_kind_find(&lashi_top_kind, key->text, reader->model->space) ||
            lashi_is_instance(root->items[2 * i + 1]))
            continue;
        char quoted[TEXT];
        const char *nearest = lashi_key_synonym(key->text, &lashi_top_kind, reader->model->space);
        if (!nearest)
            nearest = lashi_nearest(key->text, listed_key, NULL);
        const bool indented = root->items[2 * i + 1]->type != LASHI_YAML_MAP || i == 0;
        lashi_mistake(
            reader->diagnostics, key->line, key->column, "'%s' is not a key of a model file; %s%s%s",
            lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)), nearest ? "did you mean '" : "",
            nearest    ? nearest
            : indented ? "see `lash help format`"
                       : "if it belongs to the section above, indent it like the others there",
            nearest ? "'?" : "");
        if (nearest && !lashi_yaml_find(root, nearest))
            note_top(reader, nearest, key, true);
    }
}

static const char *space_name(const void *list, size_t index) {
    (void)list;
    return lashi_kind_find(&lashi_top_kind, "space", LASH_PLANAR)->choices(index);
}

// What all vectors depend on. A word that is not known is taken for the nearest one.
static void read_space(lashi_reader *reader, const lashi_yaml *root) {
    const lashi_yaml *space = lashi_yaml_find(root, "space");
    const char *word;
    if (!space || !lashi_take_word(&word, reader, space, "space", "planar or spatial"))
        return;
    const char *nearest = lashi_nearest(word, space_name, NULL);
    if (nearest && strcmp(nearest, "spatial") == 0)
        reader->model->space = LASH_SPATIAL;
    if (strcmp(word, "planar") != 0 && strcmp(word, "spatial") != 0)
        lashi_wrong_node(reader, space, "space", "planar or spatial");
}

static void read_top(lashi_reader *reader, const lashi_yaml *root) {
    const lashi_yaml *title = lashi_yaml_find(root, "title"), *gravity = lashi_yaml_find(root, "gravity");
    const char *word;
    double g[3] = {0};
    lash_status status = LASH_OK;
    if (title && lashi_take_word(&word, reader, title, "title", "a text"))
        status = lash_model_set_title(reader->model, word, NULL);
    if (gravity && lashi_take_vector(g, reader, gravity, "gravity", "m/s^2"))
        status = status ? status : lash_model_set_gravity(reader->model, g, NULL);
    if (status)
        reader->diagnostics->out_of_memory = true;
}

static void read_ground(lashi_reader *reader) {
    const lashi_yaml *ground = lashi_yaml_find(reader->root, "ground");
    if (ground && ground->type != LASHI_YAML_MAP)
        note_top(reader, "ground", ground,
                 !lashi_wrong_node(reader, ground, "ground", "a map such as {points: {pivot: [0.8, 0]}}"));
    else if (ground) {
        int nothing = 0; // the only key is `points`, which has no field
        bool fine = lashi_take_keys(&nothing, reader, ground, &lashi_ground_kind, "ground", NULL);
        const lashi_yaml *points = lashi_yaml_find(ground, "points");
        if (fine && points)
            lashi_take_points(reader, points, "ground");
    }
}

const char *lashi_run_setting(const lash_setting *setting) {
    static const char prefix[] = "run.";
    size_t length = strlen(prefix);
    return setting->name && strncmp(setting->name, prefix, length) == 0 ? setting->name + length : NULL;
}

// Settings of the run block, each read as a map of one key that is at the setting's place.
static void override_run(lash_run_def *def, lashi_reader *reader, const lash_load_options *options) {
    const lash_run_def initial = lash_run_default();
    const lash_run_def own = *def;
    bool rows_chosen = false;
    int steps_at = 0;
    for (size_t i = 0; options && i < options->setting_count; i++) {
        const char *key = lashi_run_setting(&options->settings[i]), *value = options->settings[i].value;
        int place = -1 - (int)i;
        if (key && strcmp(key, "steps") == 0)
            steps_at = place;
        bool twice = false;
        for (size_t k = 0; key && k < i; k++)
            twice = twice || (lashi_run_setting(&options->settings[k]) &&
                              strcmp(lashi_run_setting(&options->settings[k]), key) == 0);
        if (!key)
            continue;
        if (twice) {
            lashi_mistake(reader->diagnostics, place, 0, "run.%.100s is set twice", key);
            continue;
        }
        // What the setting replaces.
        if (strcmp(key, "until") == 0) {
            def->until = initial.until;
            def->until_turns = initial.until_turns;
            def->until_drive = initial.until_drive;
        }
        if (strcmp(key, "discard") == 0) {
            def->discard = initial.discard;
            def->discard_turns = initial.discard_turns;
            def->discard_drive = initial.discard_drive;
        }
        bool rows = strcmp(key, "samples") == 0 || strcmp(key, "every") == 0 || strcmp(key, "steps") == 0;
        if (rows && !rows_chosen) {
            rows_chosen = true;
            def->samples = initial.samples; // the three keys are one choice
            def->every = initial.every;
            def->steps = false;
        }
        lashi_yaml name = {.type = LASHI_YAML_SCALAR, .line = place, .text = key, .plain = true};
        lashi_yaml node = name, *pair[2] = {&name, &node};
        node.text = value ? value : "";
        node.empty = !node.text[0];
        const lashi_yaml map = {.type = LASHI_YAML_MAP, .line = place, .text = "", .count = 1, .items = pair};
        lashi_take_keys(def, reader, &map, &lashi_run_kind, "run", NULL);
    }
    // Without samples of their own, run.steps=true replaces those of the model, and run.steps=false keeps them.
    if (!rows_chosen || !isnan(def->samples) || !isnan(def->every) ||
        (isnan(own.samples) && isnan(own.every)))
        return;
    const bool counted = !isnan(own.samples);
    if (def->steps)
        lashi_warning(
            reader->diagnostics, steps_at, 0,
            "every step is recorded, but not the rows of the model's run block; to record both, add "
            "--%s %g",
            counted ? "samples" : "every", counted ? own.samples : own.every);
    else {
        def->samples = own.samples;
        def->every = own.every;
    }
}

static void read_run(lashi_reader *reader, const lashi_yaml *root, const lash_load_options *options) {
    const lashi_yaml *map = lashi_yaml_find(root, "run");
    lash_run_def def = lash_run_default();
    bool fine;
    if (map && map->type != LASHI_YAML_MAP) {
        note_top(reader, "run", map, !lashi_wrong_node(reader, map, "run", "a map of keys and values"));
        return;
    }
    if (map && lashi_when(&fine, reader, map)) {
        lashi_take_keys(&def, reader, map, &lashi_run_kind, "run", NULL);
        if (!lashi_yaml_find(map, "steps"))
            def.steps = isnan(def.samples) && isnan(def.every);
    }
    override_run(&def, reader, options);
    if (lash_model_set_run(reader->model, &def, NULL))
        reader->diagnostics->out_of_memory = true;
}

/* A drive prescribes the motion, whatever a motor of the same joint gives. */
static void warn_of_idle_motors(lashi_reader *reader) {
    const lash_model *model = reader->model;
    for (size_t i = 0; i < model->force_count; i++) {
        const lashi_named_force *force = &model->forces[i];
        const lashi_place *place = lashi_model_find_place(model, force->name, "joint");
        if (!place || !force->def.joint || !force->def.type || strcmp(force->def.type, "motor") != 0)
            continue;
        for (size_t k = 0; k < model->drive_count; k++)
            if (model->drives[k].def.joint && strcmp(model->drives[k].def.joint, force->def.joint) == 0)
                lashi_warning(
                    reader->diagnostics, place->line, place->column,
                    "force '%s': the drive '%s' prescribes the motion of '%s', which the motor cannot "
                    "change; leave one of the two out",
                    force->name, model->drives[k].name, force->def.joint);
    }
}

static void read_root(lashi_reader *reader, const lash_load_options *options) {
    const lashi_yaml *root = reader->root;
    if (root->type != LASHI_YAML_MAP) {
        char found[TEXT];
        lashi_mistake(reader->diagnostics, root->line, root->column,
                      "a model file is a map with keys such as bodies and joints; this is %s",
                      lashi_yaml_describe(found, sizeof found, root));
        return;
    }
    const lashi_yaml *studied = lashi_yaml_find(root, "model");
    if (studied && !lashi_yaml_find(root, "bodies")) {
        lashi_mistake(reader->diagnostics, studied->line, studied->column,
                      "this is a study, not a model: run it with `lash study`, or name the model it studies");
        return;
    }
    if (!lashi_model_note_place(reader->model, NULL, "", root->line, root->column, false))
        reader->diagnostics->out_of_memory = true;
    refuse_unknown_keys(reader, root);
    lashi_take_parameters(reader, lashi_yaml_find(root, "parameters"), options, NULL, NULL);
    read_space(reader, root);
    read_top(reader, root);
    lashi_take_components(reader);
    lashi_take_instances(reader);
    for (lashi_reader *part = reader; part; part = part->next)
        read_ground(part);
    lashi_read_objects(reader, "materials", "material", read_material);
    size_t errors = reader->diagnostics->error_count;
    lashi_read_objects(reader, "bodies", "body", read_body);
    // Bodies that could not be taken in are there all the same: then it is not said that there are none.
    const lashi_yaml *bodies = lashi_yaml_find(root, "bodies");
    if (bodies)
        note_top(reader, "bodies", bodies, !bodies->empty && reader->diagnostics->error_count > errors);
    else if (reader->diagnostics->error_count)
        note_top(reader, "bodies", root, true);
    lashi_read_objects(reader, "joints", "joint", read_joint);
    lashi_read_objects(reader, "drives", "drive", read_drive);
    for (lashi_reader *part = reader; part; part = part->next)
        lashi_declare_signals(part);
    lashi_take_inputs(reader, options);
    lashi_take_signals(reader);
    lashi_read_objects(reader, "forces", "force", read_force);
    read_run(reader, root, options);
    lashi_check_instances(reader);
    for (lashi_reader *part = reader; part; part = part->next)
        lashi_warn_unused(part);
    lashi_model_sort_places(reader->model);
    warn_of_idle_motors(reader);
    if (!lashi_diagnostics_full(reader->diagnostics) &&
        lashi_model_check(reader->model, lashi_diagnostics_add, reader->diagnostics, NULL) ==
            LASH_ERROR_MEMORY)
        reader->diagnostics->out_of_memory = true;
}

// The model keeps the text, its name and the settings: a result can then always be run again.
static lash_status keep_source(lash_model *model, const char *text, size_t length, const char *name,
                               const lash_load_options *options, lash_error *error) {
    char *copy = lashi_arena_alloc(&model->arena, length + 1, 1);
    const char *file = lashi_arena_copy_text(&model->arena, name);
    if (!copy || !file)
        return lashi_fail_memory(error);
    if (length)
        memcpy(copy, text, length);
    model->text = copy;
    model->file = file;
    if (!lashi_sources_add(&model->sources, file, copy, length))
        return lashi_fail_memory(error);
    for (size_t i = 0; options && i < options->setting_count; i++) {
        const lash_setting *given = &options->settings[i];
        lash_setting setting = {lashi_arena_copy_text(&model->arena, given->name ? given->name : ""),
                                lashi_arena_copy_text(&model->arena, given->value ? given->value : "")};
        if (!setting.name || !setting.value ||
            !lashi_append(model->settings, model->setting_count, model->setting_capacity, setting))
            return lashi_fail_memory(error);
    }
    return LASH_OK;
}

/* parsed: the tree of the text; NULL: it is made. */
static lash_status read_model(lash_model **out, const lashi_yaml *parsed, const char *text, size_t length,
                              const char *name, const lash_load_options *options, lash_error *error) {
    lash_model *model;
    lashi_arena arena = {0};
    lash_status status = lash_model_create(&model, LASH_PLANAR, error);
    if (status)
        return status;
    lashi_diagnostics diagnostics = {.sources = &model->sources,
                                     .settings = options ? options->settings : NULL};
    lashi_parts parts = {0};
    lashi_reader reader = {.model = model,
                           .diagnostics = &diagnostics,
                           .arena = &arena,
                           .without_tables = options && options->without_tables,
                           .subject = "",
                           .prefix = "",
                           .parts = &parts};
    const char *slash = strrchr(name, '/');
    parts.first = parts.last = &reader;
    parts.folder_length = slash ? (size_t)(slash - name) + 1 : 0;
    reader.folder = lashi_arena_print(&arena, "%.*s", (int)parts.folder_length, name);
    if (!reader.folder)
        status = lashi_fail_memory(error);
    if (!status)
        status = keep_source(model, text, length, name, options, error);
    if (!status) {
        const bool keep = options && options->keep_parsed;
        reader.root = parsed ? parsed
                             : lashi_yaml_parse(&parts.kept, LASHI_KEPT, keep ? &model->parsed : &arena,
                                                &diagnostics, 0);
        if (reader.root)
            read_root(&reader, options);
        // What it includes would have to be kept as well.
        model->parsed_root = keep && !parsed && !parts.kept && !parts.files ? reader.root : NULL;
        status = lashi_diagnostics_report(&diagnostics, options, error);
        if (!status &&
            !(lashi_keep_parameters(&reader) && (model->text = lashi_bundle(&reader, model->text))))
            status = lashi_fail_memory(error);
    }
    lashi_diagnostics_clear(&diagnostics);
    for (lashi_reader *part = &reader; part; part = part->next)
        free(part->names.entries);
    lashi_arena_clear(&arena);
    if (status)
        lash_model_destroy(model);
    else
        *out = model;
    return status;
}

lash_status lash_model_parse(lash_model **out, const char *text, size_t length, const char *name,
                             const lash_load_options *options, lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !text || !name || (options && options->setting_count && !options->settings))
        return lashi_fail_null(error);
    return read_model(out, NULL, text, length, name, options, error);
}

lash_status lash_model_load(lash_model **out, const char *path, const lash_load_options *options,
                            lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !path || (options && options->setting_count && !options->settings))
        return lashi_fail_null(error);
    char *text;
    size_t length;
    lash_error unseen;
    error = error ? error : &unseen;
    *out = NULL;
    if (!path)
        return lashi_fail(error, LASH_ERROR_USAGE, "lash_model_load needs the path of a file");
    lash_status status = lashi_text_file_read(&text, &length, path, "the model file", error);
    if (status) {
        if (status == LASH_ERROR_IO && options && options->report)
            options->report(options->user, error);
        return status;
    }
    status = lash_model_parse(out, text, length, path, options, error);
    free(text);
    return status;
}

lash_status lash_model_reload(lash_model **out, const lash_model *model, const lash_load_options *options,
                              lash_error *error) {
    if (out)
        *out = NULL;
    if (options && options->setting_count && !options->settings)
        return lashi_fail_null(error);
    if (!out || !model || !model->text[0])
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "only a model that was read from a file or a text, and not "
                          "changed since, can be read again");
    return read_model(out, model->parsed_root, model->text, strlen(model->text), model->file, options, error);
}
