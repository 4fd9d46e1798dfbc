/* SPDX-License-Identifier: MIT
 *
 * A map of the file → a definition struct, key by key as the schema says. Where each value stands is noted,
 * with the mark "bad" if it could not be read, so that the check later points at it or keeps silent about it.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "input/reader.h"

enum { TEXT = 256, KEY_PATH = 128 };

typedef struct key_list {
    const lashi_kind *kind;
    lash_space space;
} key_list;

// The keys that fit the space.
static const char *listed_key(const void *data, size_t index) {
    const key_list *list = data;
    const lashi_key *key;
    for (size_t i = 0; (key = lashi_kind_key(list->kind, i)) != NULL; i++)
        if (lashi_fits(key->space, list->space) && index-- == 0)
            return key->name;
    return NULL;
}

static void note(lashi_reader *reader, const char *path, const lashi_yaml *key, const lashi_yaml *value,
                 bool bad) {
    // A map below its key would be marked at its first entry, which is not at fault.
    const bool below = value && value->type == LASHI_YAML_MAP && value->line != key->line;
    const lashi_yaml *at = value && !value->empty && !below ? value : key;
    if (!lashi_model_note_place(reader->model, NULL, path, at->line, at->column, bad))
        reader->diagnostics->out_of_memory = true;
}

// The only block of a kind that has such a key; NULL: none, or more than one.
static const char *block_with(const lashi_kind *kind, const char *name, lash_space space) {
    const char *found = NULL;
    const lashi_key *key;
    for (size_t i = 0; (key = lashi_kind_key(kind, i)) != NULL; i++)
        if (key->type == LASHI_BLOCK && lashi_fits(key->space, space) &&
            lashi_kind_find(key->block, name, space)) {
            if (found)
                return NULL;
            found = key->name;
        }
    return found;
}

/* Words of other programs and books, and the keys that mean the same here. */
static const struct {
    const char *word, *key;
} synonyms[] = {
    {"duration", "until"},
    {"end", "until"},
    {"end_time", "until"},
    {"t_end", "until"},
    {"tend", "until"},
    {"tolerance", "rtol"},
    {"tol", "rtol"},
    {"integrator", "method"},
    {"dt", "every"},
    {"output_step", "every"},
    {"m", "mass"},
    {"J", "inertia"},
    {"I", "inertia"},
    {"markers", "points"},
    {"mu", "coefficient"},
    {"k", "stiffness"},
    {"c", "damping"},
    {"bodies", "between"},
    {"connects", "between"},
    {"rpm", "speed"},
    {"omega", "speed"},
    {"angle", "motion"},
    {"position", "motion"},
    {"direction", "axis"},
    {"gap", "radial"},
    {"clearance", "radial"},
    {"radial_clearance", "radial"},
    {"diametral", "diametric"},
    {"E", "young"},
    {"youngs_modulus", "young"},
    {"nu", "poisson"},
    {"cor", "restitution"},
    {"radius", "bearing_radius"},
    {"play", "diametric"},
    {"play", "clearance"},
    {"play", "backlash"},
    {"clearance", "backlash"},
    {"backlash", "clearance"},
    {"body", "bodies"},
    {"parts", "bodies"},
    {"links", "bodies"},
    {"loads", "forces"},
    {"motors", "drives"},
    {"constants", "parameters"},
    {"variables", "parameters"},
};

const char *lashi_key_synonym(const char *word, const lashi_kind *kind, lash_space space) {
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(word, synonyms[i].word) == 0 && lashi_kind_find(kind, synonyms[i].key, space))
            return synonyms[i].key;
    return NULL;
}

/* A joint that is always ideal is given play. */
static bool wants_play(const char *word) {
    return strcmp(word, "clearance") == 0 || strcmp(word, "backlash") == 0 || strcmp(word, "play") == 0;
}

// An unknown key; the one that was probably meant counts as given, so that it is not called missing.
static void refuse_key(lashi_reader *reader, const lashi_yaml *map, const lashi_yaml *key,
                       const lashi_kind *kind, const char *prefix, bool typed) {
    char quoted[TEXT], list[2 * TEXT] = "", path[KEY_PATH];
    if (strcmp(key->text, "<<") == 0) { // what it would have brought in must not be called missing
        lashi_mistake(reader->diagnostics, key->line, key->column,
                      "%smerge keys (<<) are not part of the format; write the keys out", reader->subject);
        note(reader, prefix, key, NULL, true);
        return;
    }
    const key_list known = {kind, reader->model->space};
    const char *nearest = lashi_key_synonym(key->text, kind, known.space), *trap = lashi_yaml_trap(map, key),
               *block = block_with(kind, key->text, reader->model->space), *name;
    if (!nearest)
        nearest = lashi_nearest(key->text, listed_key, &known);
    if (trap) { // "mass:1": the key that stands before it is not missing
        char start[KEY_PATH / 2];
        snprintf(start, sizeof start, "%.*s", (int)strcspn(key->text, ":= "), key->text);
        snprintf(path, sizeof path, "%.*s%s%s", KEY_PATH / 4, prefix, prefix[0] ? "." : "", start);
        if (lashi_kind_find(kind, start, reader->model->space) && !lashi_yaml_find(map, start))
            note(reader, path, key, NULL, true);
    } else if (block) {
        snprintf(list, sizeof list, "it belongs to its block '%s'", block);
    } else if (nearest) {
        snprintf(list, sizeof list, "did you mean '%s'?", nearest);
        snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] ? "." : "", nearest);
        if (!lashi_yaml_find(map, nearest))
            note(reader, path, key, NULL, true);
    } else if (typed && wants_play(key->text) && lashi_kind_find(kind, "between", known.space)) {
        snprintf(
            list, sizeof list,
            "joints of this type are always ideal. Play is for %s joints, and between the teeth of gears",
            known.space == LASH_SPATIAL ? "revolute, spherical, cylindrical and prismatic"
                                        : "revolute and translational");
    } else {
        size_t used = (size_t)snprintf(list, sizeof list, "its keys are ");
        for (size_t i = 0; (name = listed_key(&known, i)) != NULL && used + KEY_PATH / 2 < sizeof list; i++)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", name);
    }
    lashi_mistake(reader->diagnostics, key->line, key->column, "%s'%s' is not a key of %s%s; %s",
                  reader->subject, lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)),
                  prefix[0]                        ? ""
                  : typed                          ? "the type "
                  : strchr("aeiou", kind->name[0]) ? "an "
                                                   : "a ",
                  prefix[0] ? prefix : kind->name, trap ? trap : list);
}

// A key that is for the other space.
static void refuse_misfit(lashi_reader *reader, const lashi_yaml *name, const lashi_key *key,
                          const char *path) {
    lashi_mistake(reader->diagnostics, name->line, name->column, "%s'%s' is %s%s%s", reader->subject, path,
                  lashi_misfit_text(key->space), key->instead ? "; " : "", key->instead ? key->instead : "");
}

// Names the first keys, so that one sees what is asked for; false.
static bool wants_block(lashi_reader *reader, const lashi_yaml *node, const lashi_kind *kind,
                        const char *path) {
    const key_list known = {kind, reader->model->space};
    char text[TEXT] = "a map of keys and values";
    const char *first = listed_key(&known, 0), *second = first ? listed_key(&known, 1) : NULL;
    if (second)
        snprintf(text, sizeof text, "a map of keys and values, as in {%.60s: …, %.60s: …}", first, second);
    return lashi_wrong_node(reader, node, path, text);
}

static bool take_block(void *definition, lashi_reader *reader, const lashi_yaml *node, const lashi_key *key,
                       const char *path) {
    if (node->type != LASHI_YAML_MAP)
        return wants_block(reader, node, key->block, path);
    bool fine;
    if (!lashi_when(&fine, reader, node))
        return true;
    if (key->present)
        *(bool *)((char *)definition + key->present) = true;
    // A block may choose what units such as "rad|m" stand for: by its coordinate, or by giving an angle.
    const char outer = reader->coordinate;
    const lashi_yaml *which = lashi_yaml_find(node, "coordinate");
    if (which && which->type == LASHI_YAML_SCALAR)
        reader->coordinate = strcmp(which->text, "travel") == 0 ? 't' : 'r';
    else if (lashi_kind_find(key->block, "angle", reader->model->space))
        reader->coordinate = lashi_yaml_find(node, "angle") ? 'r' : 't';
    lashi_take_keys((char *)definition + key->offset, reader, node, key->block, path, NULL);
    reader->coordinate = outer;
    return fine; // mistakes inside are noted at their own keys
}

static bool take_value(void *definition, lashi_reader *reader, const lashi_yaml *node, const lashi_key *key,
                       const char *path) {
    void *field = (char *)definition + key->offset;
    const char *unit = key->unit ? key->unit : "";
    switch (key->type) {
    case LASHI_NUMBER: return lashi_take_number(field, reader, node, path, unit);
    case LASHI_SHARE: return lashi_take_share(field, reader, node, path);
    case LASHI_PAIR: return lashi_take_number_pair(field, reader, node, path, unit);
    case LASHI_INERTIA: return lashi_take_inertia(field, reader, node, path, unit);
    case LASHI_ORIENTATION: return lashi_take_orientation(field, reader, node, path);
    case LASHI_PLACE: return lashi_take_place(field, reader, node, path, unit);
    case LASHI_FLAG: return lashi_take_flag(field, reader, node, path);
    case LASHI_VECTOR: return lashi_take_vector(field, reader, node, path, unit);
    case LASHI_TEXT: return lashi_take_word(field, reader, node, path, "a text");
    case LASHI_CHOICE: return lashi_take_word(field, reader, node, path, "a word");
    case LASHI_OBJECT: return lashi_take_name(field, reader, node, path, "a name", false);
    case LASHI_POINT: return lashi_take_name(field, reader, node, path, "a point such as crank.pin", true);
    case LASHI_OBJECT_PAIR:
        return lashi_take_pair(field, reader, node, path, "name", key->targets == LASHI_MATERIALS);
    case LASHI_POINT_PAIR: return lashi_take_pair(field, reader, node, path, "body.point", false);
    case LASHI_EXPRESSION: return lashi_take_expression(field, reader, node, path, unit);
    case LASHI_TIME_EXPRESSION: return lashi_take_time_expression(field, reader, node, path, unit);
    case LASHI_ANGLE_EXPRESSION: return lashi_take_angle_expression(field, reader, node, path, unit);
    case LASHI_EXPRESSION_VECTOR: return lashi_take_expression_vector(field, reader, node, path, unit);
    case LASHI_TABLE: return lashi_take_table(field, reader, node, path, unit);
    case LASHI_HOLD: return lashi_take_hold(field, reader, node, path);
    case LASHI_UNTIL: return lashi_take_until(field, reader, node, path);
    case LASHI_INLET: return lashi_take_inlet(definition, reader, node, path);
    case LASHI_BLOCK: return take_block(definition, reader, node, key, path);
    case LASHI_POINTS: // belongs to a body that is not in the model yet: the caller reads it
        return node->type == LASHI_YAML_MAP ||
               lashi_wrong_node(reader, node, path,
                                reader->model->space == LASH_PLANAR ? "a map of names and places [x, y]"
                                                                    : "a map of names and places [x, y, z]");
    case LASHI_FILES: // part.c reads them
    case LASHI_MAP: break;
    }
    return true;
}

// Whether the joint of that name turns or slides.
static char coordinate_of(const lashi_reader *reader, const lashi_yaml *name) {
    if (!name || name->type != LASHI_YAML_SCALAR)
        return 0;
    const lashi_parameter *parameter =
        name->text[0] == '$' ? lashi_find_parameter(reader, name->text + 1) : NULL;
    const char *word = parameter && parameter->word ? parameter->word : name->text;
    const size_t index = lashi_model_find_joint(
        reader->model,
        parameter && parameter->is_name && parameter->given ? word : lashi_full_name(reader, word, false));
    return index == LASHI_NONE ? 0 : lashi_joint_coordinate(reader->model->joints[index].def.type);
}

// What units such as "rad|m" stand for in this object.
static void look_at_coordinates(lashi_reader *reader, const lashi_yaml *map) {
    const lashi_yaml *over = lashi_yaml_find(map, "over"), *which = lashi_yaml_find(map, "coordinate");
    const bool travel = which && which->type == LASHI_YAML_SCALAR && strcmp(which->text, "travel") == 0;
    const lashi_yaml *type = lashi_yaml_find(map, "type");
    const char own = type && type->type == LASHI_YAML_SCALAR ? lashi_joint_coordinate(type->text) : 0;
    reader->coordinate = own                            ? own
                         : lashi_yaml_find(map, "body") ? 'r'
                         : travel                       ? 't'
                         : lashi_yaml_find(map, "at")   ? 't' // a force at a point is in N
                                                      : coordinate_of(reader, lashi_yaml_find(map, "joint"));
    reader->has_over = over != NULL;
    reader->over_coordinate = coordinate_of(reader, over);
}

static void join(char path[KEY_PATH], const char *prefix, const char *name) {
    const size_t before = strnlen(prefix, KEY_PATH / 2), length = strnlen(name, KEY_PATH / 2 - 2);
    memcpy(path, prefix, before);
    path[before] = '.';
    memcpy(path + before + (before > 0), name, length);
    path[before + (before > 0) + length] = '\0';
}

bool lashi_take_keys(void *definition, lashi_reader *reader, const lashi_yaml *map, const lashi_kind *kind,
                     const char *prefix, const char *extra) {
    bool fine = true;
    if (!prefix[0])
        look_at_coordinates(reader, map);
    for (size_t i = 0; i < map->count && !lashi_diagnostics_full(reader->diagnostics); i++) {
        const lashi_yaml *name = map->items[2 * i], *node = map->items[2 * i + 1];
        if (strcmp(name->text, "when") == 0 || (extra && strcmp(name->text, extra) == 0))
            continue;
        const lashi_key *key = lashi_kind_find(kind, name->text, reader->model->space);
        if (!key) {
            refuse_key(reader, map, name, kind, prefix, extra != NULL);
            fine = false;
            continue;
        }
        char path[KEY_PATH];
        join(path, prefix, key->name);
        bool good = lashi_fits(key->space, reader->model->space);
        if (good && lashi_yaml_is_cut(map, i))
            good = false; // the next key says why
        else if (good)
            good = take_value(definition, reader, node, key, path);
        else
            refuse_misfit(reader, name, key, path);
        note(reader, path, name, node, !good);
        bool pair = key->type == LASHI_POINT_PAIR || key->type == LASHI_OBJECT_PAIR;
        for (size_t k = 0; good && pair && k < node->count; k++) {
            snprintf(path, sizeof path, "%s%s%s.%zu", prefix, prefix[0] ? "." : "", key->name, k + 1);
            note(reader, path, name, node->items[k], false);
        }
        fine = fine && good;
    }
    return fine;
}

bool lashi_take_points(lashi_reader *reader, const lashi_yaml *map, const char *body) {
    bool fine = true;
    for (size_t i = 0; i < map->count && !lashi_diagnostics_full(reader->diagnostics); i++) {
        const lashi_yaml *name = map->items[2 * i];
        char path[KEY_PATH], quoted[TEXT];
        snprintf(path, sizeof path, "points.%.60s",
                 lashi_quote(quoted, sizeof quoted, name->text, strlen(name->text)));
        double at[3] = {0};
        lash_error error;
        // A point whose place is wrong still counts as declared.
        fine = lashi_take_vector(at, reader, map->items[2 * i + 1], path, "m") && fine;
        const bool of_ground = strcmp(body, "ground") == 0;
        const char *why, *full = name->text;
        if (of_ground && lashi_name_is_valid(name->text, true, &why)) {
            lashi_place_point(at, &reader->placing);
            full = lashi_full_name(reader, name->text, false);
        }
        lash_status status = lash_model_add_point(reader->model, body, full, at, &error);
        if (status == LASH_ERROR_MEMORY)
            reader->diagnostics->out_of_memory = true;
        else if (status) {
            lashi_mistake(reader->diagnostics, name->line, name->column, "%s%.800s", reader->subject,
                          error.message);
            fine = false;
        }
    }
    return fine;
}
