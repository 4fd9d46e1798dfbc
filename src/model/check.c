/* SPDX-License-Identifier: MIT
 *
 * The check of a whole model, the same for one read from a file and one built in C. This file walks the
 * objects and checks every key by what the schema says of it; check_rules.c holds what several keys together
 * must fulfil.
 *
 * A message names the object and the key, says what is wrong, and then what to do. All mistakes are found;
 * one that follows from another (a key that could not be read) is not said.
 */
#include "model/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum {
    MOST_MISTAKES = 1000,
    KEY_PATH = 128,
    LIST_TEXT = 256,
    LONGEST_LIST = 2000 // names that are looked at for a suggestion
};

// ---- saying it

static void say(lashi_check *check, lash_status status, lashi_subject subject, const char *key,
                const char *format, va_list arguments) {
    const lash_model *model = check->model;
    lash_error mistake = {.status = status, .time = LASH_UNSET};
    const lashi_place *place = lashi_model_find_place(model, subject.name, key);
    if (place && place->bad)
        return;
    int used = subject.name ? snprintf(mistake.message, sizeof mistake.message, "%s '%.100s': ", subject.word,
                                       subject.name)
                            : 0;
    vsnprintf(mistake.message + used, sizeof mistake.message - (size_t)used, format, arguments);
    snprintf(mistake.object, sizeof mistake.object, "%s", subject.name ? subject.name : "");
    snprintf(mistake.file, sizeof mistake.file, "%s", model->file);
    if (place) {
        mistake.line = place->line;
        mistake.column = place->column;
        const lashi_source *source = lashi_sources_find(&mistake.line, &model->sources, place->line);
        if (source) {
            snprintf(mistake.file, sizeof mistake.file, "%s", source->file);
            lashi_excerpt(mistake.excerpt, sizeof mistake.excerpt, source->text, source->length,
                          mistake.line);
        }
    }
    if (status && check->count++ == 0 && check->first)
        *check->first = mistake;
    if (check->report)
        check->report(check->user, &mistake);
}

void lashi_complain(lashi_check *check, lashi_subject subject, const char *key, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(check, LASH_ERROR_MODEL, subject, key, format, arguments);
    va_end(arguments);
}

void lashi_warn(lashi_check *check, lashi_subject subject, const char *key, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(check, LASH_OK, subject, key, format, arguments);
    va_end(arguments);
}

bool lashi_was_given(const lashi_check *check, lashi_subject subject, const char *key) {
    const lashi_place *place = lashi_model_find_place(check->model, subject.name, key);
    return place && strcmp(place->key, key) == 0;
}

bool lashi_was_bad(const lashi_check *check, lashi_subject subject, const char *key) {
    const lashi_place *place = lashi_model_find_place(check->model, subject.name, key);
    return place && place->bad;
}

// ---- names for "did you mean"

typedef struct name_list {
    const lash_model *model;
    unsigned targets; // LASHI_BODIES | …; 0: the points of `body`
    size_t body;
    size_t *next; // points: where the search for the next one continues
} name_list;

static const char *listed_name(const void *data, size_t index) {
    const name_list *list = data;
    const lash_model *model = list->model;
    if (index >= LONGEST_LIST)
        return NULL;
    if (list->targets == 0) { // asked for in order
        size_t i = index == 0 ? 0 : *list->next;
        while (i < model->point_count && model->points[i].body != list->body)
            i++;
        *list->next = i + 1;
        return i < model->point_count ? model->points[i].name : NULL;
    }
    if (list->targets & LASHI_BODIES) {
        size_t first = list->targets & LASHI_GROUND ? 0 : 1;
        if (index < model->body_count - first)
            return model->bodies[index + first].name;
        index -= model->body_count - first;
    }
    if (list->targets & LASHI_JOINTS) {
        if (index < model->joint_count)
            return model->joints[index].name;
        index -= model->joint_count;
    }
    if (list->targets & LASHI_DRIVES) {
        if (index < model->drive_count)
            return model->drives[index].name;
        index -= model->drive_count;
    }
    if (list->targets & LASHI_MATERIALS && index < model->material_count)
        return model->materials[index].name;
    return NULL;
}

static const char *chosen_name(const void *data, size_t index) {
    const lashi_key *key = data;
    return key->choices(index);
}

// "did you mean 'x'?" or a list of what there is.
static const char *advice(char *buffer, size_t size, const char *word,
                          const char *(*name)(const void *, size_t), const void *list) {
    const char *nearest = lashi_nearest(word, name, list);
    if (nearest) {
        snprintf(buffer, size, "did you mean '%s'?", nearest);
        return buffer;
    }
    size_t used = 0;
    snprintf(buffer, size, "the model has none");
    const char *entry;
    for (size_t i = 0; (entry = name(list, i)) != NULL; i++) {
        int more = snprintf(buffer + used, size - used, "%s%s", i ? ", " : "choose from: ", entry);
        if (more < 0 || used + (size_t)more + 8 > size) {
            snprintf(buffer + used, size - used, ", ...");
            break;
        }
        used += (size_t)more;
    }
    return buffer;
}

static const char *targets_word(unsigned targets) {
    return targets & LASHI_BODIES   ? "body"
           : targets & LASHI_JOINTS ? "joint"
           : targets & LASHI_DRIVES ? "drive"
                                    : "material";
}

static const lashi_absent *find_absent(const lash_model *model, const char *name) {
    for (size_t i = 0; i < model->absent_count; i++)
        if (strcmp(model->absent[i].name, name) == 0)
            return &model->absent[i];
    return NULL;
}

// ---- single values

// Above it not every whole number is a double; it also fits every integer that counts.
static const double LARGEST_WHOLE = 9007199254740992; // 2^53

static const char *shown_unit(const lashi_key *key) {
    return key->unit && key->unit[0] && !strchr(key->unit, '|') ? key->unit : "";
}

static const char *range_text(lashi_range range) {
    switch (range) {
    case LASHI_POSITIVE: return "must be greater than zero";
    case LASHI_NOT_NEGATIVE: return "must not be negative";
    case LASHI_FRACTION: return "must lie in (0, 1], above zero and at most one";
    case LASHI_NOT_ZERO: return "must not be zero";
    case LASHI_POISSON: return "must lie between -1 and 0.5";
    case LASHI_WHOLE: return "must be a whole number, 1 or more";
    case LASHI_ANY: break;
    }
    return "must be a finite number";
}

static bool in_range(lashi_range range, double x) {
    switch (range) {
    case LASHI_POSITIVE: return x > 0;
    case LASHI_NOT_NEGATIVE: return x >= 0;
    case LASHI_FRACTION: return x > 0 && x <= 1;
    case LASHI_NOT_ZERO: return x != 0;
    case LASHI_POISSON: return x > -1 && x < 0.5;
    case LASHI_WHOLE: return x >= 1 && x == floor(x);
    case LASHI_ANY: break;
    }
    return true;
}

// What one can do about a value that is often wrong for the same reason.
static const char *cure(const lashi_key *key) {
    if (strcmp(key->name, "mass") == 0)
        return "; a rod without mass is a joint of type distance";
    if (strcmp(key->name, "inertia") == 0) // of the plane
        return "; a body that cannot turn still needs one, any positive value will do";
    if (strcmp(key->name, "radial") == 0 || strcmp(key->name, "diametric") == 0)
        return "; for an ideal joint leave the clearance block out";
    return "";
}

static void check_number(lashi_check *check, lashi_subject subject, const char *path, const lashi_key *key,
                         double x) {
    if (!isfinite(x))
        lashi_complain(check, subject, path, "%s must be a finite number", path);
    else if (key->range == LASHI_WHOLE && x > LARGEST_WHOLE)
        lashi_complain(check, subject, path, "%s is too large a number to count with, it is %g", path, x);
    else if (!in_range(key->range, x))
        lashi_complain(check, subject, path, "%s %s, it is %g%s%s%s", path, range_text(key->range), x,
                       shown_unit(key)[0] ? " " : "", shown_unit(key), cure(key));
}

static void check_vector(lashi_check *check, lashi_subject subject, const char *path, const lashi_key *key,
                         const double *x) {
    size_t count = check->model->space == LASH_PLANAR ? 2 : 3;
    bool zero = true;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            lashi_complain(check, subject, path, "every component of %s must be a finite number", path);
            return;
        }
        zero = zero && x[i] == 0;
    }
    if (zero && key->range == LASHI_NOT_ZERO)
        lashi_complain(check, subject, path, "%s has no direction: not all of its components may be zero",
                       path);
}

// A tensor; whether it can be that of a body is seen with the mass.
static void check_inertia(lashi_check *check, lashi_subject subject, const char *path, const double *x) {
    for (size_t i = 0; i < 6; i++)
        if (i < 3 ? !isfinite(x[i]) : isinf(x[i])) {
            lashi_complain(check, subject, path, "every component of %s must be a finite number", path);
            return;
        }
}

static void check_orientation(lashi_check *check, lashi_subject subject, const char *path, const double *x) {
    double unit[4];
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]) || !isfinite(x[3]))
        lashi_complain(check, subject, path, "every component of %s must be a finite number", path);
    else if (!lashi_orientation_unit(unit, x))
        lashi_complain(
            check, subject, path,
            "%s: Euler parameters that are all zero are not an orientation; [1, 0, 0, 0] is not turned",
            path);
}

static void check_choice(lashi_check *check, lashi_subject subject, const char *path, const lashi_key *key,
                         const char *word) {
    for (size_t i = 0; key->choices(i); i++)
        if (strcmp(key->choices(i), word) == 0)
            return;
    char text[LIST_TEXT], quoted[LIST_TEXT];
    lashi_complain(check, subject, path, "%s '%s' is not known; %s", path,
                   lashi_quote(quoted, sizeof quoted, word, strlen(word)),
                   advice(text, sizeof text, word, chosen_name, key));
}

// Where item 1 or 2 of a pair stands; 0: the key has one value.
static void item_place(char place[KEY_PATH], const char *path, int index) {
    if (index)
        snprintf(place, KEY_PATH, "%s.%d", path, index);
    else
        snprintf(place, KEY_PATH, "%s", path);
}

// `index` > 0: the name is that item of a pair.
static void check_object(lashi_check *check, lashi_subject subject, const char *path, int index,
                         unsigned targets, const char *name) {
    const lash_model *model = check->model;
    unsigned space = targets & LASHI_MATERIALS ? LASHI_MATERIAL_SPACE : LASHI_OBJECT_SPACE;
    const lashi_name_entry *entry = lashi_names_find(&model->names, space, name);
    if ((entry && entry->kind & targets) || (targets & LASHI_GROUND && strcmp(name, "ground") == 0))
        return;
    char text[LIST_TEXT], quoted[LIST_TEXT];
    const char *wanted = targets_word(targets);
    const lashi_absent *absent = find_absent(model, name);
    if (absent && absent->bad)
        return;
    char place[KEY_PATH];
    item_place(place, path, index);
    lashi_quote(quoted, sizeof quoted, name, strlen(name));
    if (strcmp(name, "ground") == 0)
        lashi_complain(check, subject, place, "%s cannot be the ground, which does not move; name a %s", path,
                       wanted);
    else if (entry)
        lashi_complain(check, subject, place, "%s: '%s' is not a %s; %s", path, quoted, wanted,
                       advice(text, sizeof text, name, listed_name, &(name_list){model, targets, 0, NULL}));
    else if (absent)
        lashi_complain(check, subject, place, "%s: the %s '%s' is left out by its `when`; leave this out too",
                       path, wanted, quoted);
    else
        lashi_complain(
            check, subject, place, "%s: there is no %s '%s'; %s", path, wanted, quoted,
            targets == LASHI_MATERIALS && model->material_count == 0
                ? "the model has no materials: add, for example, materials: {steel: {young: 207 "
                  "GPa, poisson: 0.3}}"
                : advice(text, sizeof text, name, listed_name, &(name_list){model, targets, 0, NULL}));
}

/* Whether objects have this before their names. */
static bool is_instance(const lash_model *model, const char *name) {
    const size_t length = strlen(name);
    for (size_t i = 1; i < model->body_count; i++)
        if (strncmp(model->bodies[i].name, name, length) == 0 && model->bodies[i].name[length] == '.')
            return true;
    return false;
}

static void check_point(lashi_check *check, lashi_subject subject, const char *path, int index,
                        const char *reference) {
    size_t body;
    double at[3];
    if (lashi_model_find_point(&body, at, check->model, reference))
        return;
    char name[LIST_TEXT], text[LIST_TEXT], quoted[LIST_TEXT];
    const char *dot = lashi_point_dot(reference);
    snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - reference) : (int)strlen(reference), reference);
    if (body == LASHI_NONE) {
        check_object(check, subject, path, index, LASHI_BODIES | LASHI_GROUND,
                     is_instance(check->model, name) ? reference : name);
        return;
    }
    // A point list that could not be read has been complained about already.
    if (lashi_was_bad(check, (lashi_subject){"body", body ? check->model->bodies[body].name : NULL},
                      body ? "points" : "ground.points"))
        return;
    const char *point = dot + 1;
    size_t next = 0;
    const name_list points = {check->model, 0, body, &next};
    char place[KEY_PATH];
    item_place(place, path, index);
    lashi_complain(check, subject, place, "%s: '%s' has no point '%s'; %s", path, name,
                   lashi_quote(quoted, sizeof quoted, point, strlen(point)),
                   listed_name(&points, 0)
                       ? advice(text, sizeof text, point, listed_name, &points)
                       : "it has no points: give it some, `points: {NAME: [x, y]}`, or name it alone");
}

static unsigned known_holds(lash_space space) {
    unsigned bits = 0;
    for (size_t i = 0; lashi_hold_at(i).name; i++)
        if (lashi_fits(lashi_hold_at(i).space, space))
            bits |= lashi_hold_at(i).bit;
    return bits;
}

// ---- all keys of an object

static void check_key(lashi_check *check, lashi_subject subject, const char *path, const lashi_key *key,
                      const void *definition) {
    const void *field = (const char *)definition + key->offset;
    const char *const *texts = field;
    switch (key->type) {
    case LASHI_NUMBER: check_number(check, subject, path, key, *(const double *)field); break;
    case LASHI_SHARE: {
        const double *share = field;
        check_number(check, subject, path, key, isnan(share[0]) ? share[1] : share[0]);
        break;
    }
    case LASHI_PAIR:
        for (int i = 0; i < 2; i++)
            check_number(check, subject, path, key, ((const double *)field)[i]);
        break;
    case LASHI_INERTIA: check_inertia(check, subject, path, field); break;
    case LASHI_ORIENTATION: check_orientation(check, subject, path, field); break;
    case LASHI_PLACE:
    case LASHI_VECTOR: check_vector(check, subject, path, key, field); break;
    case LASHI_INLET:
    case LASHI_CHOICE: check_choice(check, subject, path, key, texts[0]); break;
    case LASHI_OBJECT: check_object(check, subject, path, 0, key->targets, texts[0]); break;
    case LASHI_OBJECT_PAIR:
        check_object(check, subject, path, 1, key->targets, texts[0]);
        if (texts[1])
            check_object(check, subject, path, 2, key->targets, texts[1]);
        break;
    case LASHI_POINT: check_point(check, subject, path, 0, texts[0]); break;
    case LASHI_POINT_PAIR:
        check_point(check, subject, path, 1, texts[0]);
        check_point(check, subject, path, 2, texts[1]);
        break;
    case LASHI_HOLD:
        if (*(const unsigned *)field & ~known_holds(check->model->space))
            lashi_complain(check, subject, path, "%s has unknown bits; combine LASH_HOLD_...", path);
        break;
    case LASHI_BLOCK: lashi_check_keys(check, subject, field, key->block, path); break;
    case LASHI_FLAG:
    case LASHI_TEXT:
    case LASHI_EXPRESSION:
    case LASHI_TIME_EXPRESSION:
    case LASHI_ANGLE_EXPRESSION:
    case LASHI_EXPRESSION_VECTOR:
    case LASHI_TABLE:
    case LASHI_UNTIL:
    case LASHI_POINTS:
    case LASHI_FILES:
    case LASHI_MAP: break;
    }
}

// A key of the other space must not be set, unless it has a default or shares its field with one that fits.
static void check_misfit(lashi_check *check, lashi_subject subject, const char *path, const lashi_kind *kind,
                         const lashi_key *key, const void *definition) {
    const bool has_default = key->fallback && key->fallback[0] != '(';
    if (has_default || key->type == LASHI_ORIENTATION || !lashi_key_is_set(key, definition) ||
        lashi_fits(lashi_kind_find(kind, key->name, check->model->space)->space, check->model->space))
        return;
    lashi_complain(check, subject, path, "'%s' is %s%s%s", path, lashi_misfit_text(key->space),
                   key->instead ? "; " : "", key->instead ? key->instead : "");
}

// The path of a key. Every key of a model gets one, most for nothing: without the cost of printing.
static void join(char path[KEY_PATH], const char *prefix, const char *name) {
    const size_t before = strnlen(prefix, KEY_PATH - 2), dot = before > 0;
    const size_t length = strnlen(name, KEY_PATH - 1 - before - dot);
    memcpy(path, prefix, before);
    path[before] = '.';
    memcpy(path + before + dot, name, length);
    path[before + dot + length] = '\0';
}

void lashi_check_keys(lashi_check *check, lashi_subject subject, const void *definition,
                      const lashi_kind *kind, const char *prefix) {
    const lashi_key *key;
    for (size_t i = 0; (key = lashi_kind_key(kind, i)) != NULL; i++) {
        if (!lashi_key_is_set(key, definition) && key->fallback)
            continue; // most keys: nothing to check, and nothing to be misfit
        char path[KEY_PATH];
        join(path, prefix, key->name);
        if (!lashi_fits(key->space, check->model->space)) {
            check_misfit(check, subject, path, kind, key, definition);
            continue;
        }
        // A block that shares its owner's struct (ramp) is checked with the rules.
        if (key->type == LASHI_BLOCK && !key->present && key->offset == 0)
            continue;
        if (lashi_key_is_set(key, definition))
            check_key(check, subject, path, key, definition);
        else if (!key->fallback)
            lashi_complain(check, subject, path, "%s is missing: %s%s%s%s", path, key->doc,
                           shown_unit(key)[0] ? " [" : "", shown_unit(key), shown_unit(key)[0] ? "]" : "");
    }
}

// The types of one list that fit the space.
typedef struct type_list {
    const lashi_kind *(*schema)(size_t index);
    lash_space space;
} type_list;

static const char *listed_type(const void *data, size_t index) {
    const type_list *list = data;
    const lashi_kind *kind;
    for (size_t i = 0; (kind = list->schema(i)) != NULL; i++)
        if (lashi_fits(kind->space, list->space) && index-- == 0)
            return kind->name;
    return NULL;
}

/* The type that is meant by another word for it; the word itself where none is. */
static const char *usual_type(const char *word, const type_list *list) {
    static const struct {
        const char *word, *type;
    } others[] = {{"ball", "spherical"},       {"hinge", "revolute"},     {"pin", "revolute"},
                  {"slider", "translational"}, {"slider", "prismatic"},   {"guide", "translational"},
                  {"guide", "prismatic"},      {"slot", "point-on-line"}, {"weld", "fixed"},
                  {"hooke", "universal"},      {"cardan", "universal"},   {"rod", "distance"},
                  {"damper", "spring"}};
    const char *type;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (size_t k = 0; strcmp(word, others[i].word) == 0 && (type = listed_type(list, k)) != NULL; k++)
            if (strcmp(type, others[i].type) == 0)
                return type;
    return word;
}

// The kind of a joint or force; NULL after complaining.
static const lashi_kind *check_type(lashi_check *check, lashi_subject subject, const lashi_kind *kind,
                                    const char *type, const lashi_kind *(*schema)(size_t)) {
    char text[LIST_TEXT], quoted[LIST_TEXT];
    const type_list list = {schema, check->model->space};
    if (kind && lashi_fits(kind->space, list.space))
        return kind;
    if (!type)
        lashi_complain(check, subject, "type", "type is missing; %s",
                       advice(text, sizeof text, "", listed_type, &list));
    else if (!kind)
        lashi_complain(check, subject, "type", "type '%s' is not known; %s",
                       lashi_quote(quoted, sizeof quoted, type, strlen(type)),
                       advice(text, sizeof text, usual_type(type, &list), listed_type, &list));
    else
        lashi_complain(check, subject, "type", "type '%s' is for %s models; %s", type,
                       lashi_fits(kind->space, LASH_PLANAR) ? "planar" : "spatial",
                       kind->instead ? kind->instead : advice(text, sizeof text, "", listed_type, &list));
    return NULL;
}

static void check_joints(lashi_check *check) {
    const lash_model *model = check->model;
    for (size_t i = 0; i < model->joint_count && check->count < MOST_MISTAKES; i++) {
        const lashi_named_joint *joint = &model->joints[i];
        lashi_subject subject = {"joint", joint->name};
        const lashi_kind *kind =
            check_type(check, subject, lashi_joint_schema_find(joint->def.type, model->space),
                       joint->def.type, lashi_joint_schema);
        if (!kind)
            continue;
        lashi_check_keys(check, subject, &joint->def, kind, "");
        lashi_check_joint(check, joint);
    }
}

static void check_forces(lashi_check *check) {
    const lash_model *model = check->model;
    for (size_t i = 0; i < model->force_count && check->count < MOST_MISTAKES; i++) {
        const lashi_named_force *force = &model->forces[i];
        lashi_subject subject = {"force", force->name};
        const lashi_kind *kind =
            check_type(check, subject, lashi_force_schema_find(force->def.type, model->space),
                       force->def.type, lashi_force_schema);
        if (!kind)
            continue;
        lashi_check_keys(check, subject, &force->def, kind, "");
        lashi_check_force(check, force);
    }
}

/* Pa: the moduli of rubber and, with a margin, of diamond. What lies outside mostly has the wrong unit. */
static const double SOFTEST = 1e6, HARDEST = 1e13;

static void check_material(lashi_check *check, lashi_subject subject, const lash_material_def *def) {
    lashi_check_keys(check, subject, def, &lashi_material_kind, "");
    if (def->young > 0 && (def->young < SOFTEST || def->young > HARDEST))
        lashi_warn(check, subject, "young", "young is %.4g Pa, %s; steel has 207 GPa. Is its unit right?",
                   def->young, def->young < SOFTEST ? "softer than rubber" : "harder than any solid");
}

lash_status lashi_model_check(const lash_model *model, void (*report)(void *, const lash_error *), void *user,
                              lash_error *error) {
    lashi_check check = {.model = model, .report = report, .user = user, .first = error};
    check.body_drivers = calloc(model->body_count, sizeof *check.body_drivers);
    check.joint_drivers = calloc(2 * model->joint_count + 1, sizeof *check.joint_drivers);
    if (!check.body_drivers || !check.joint_drivers) {
        free(check.body_drivers);
        free(check.joint_drivers);
        return lashi_fail_memory(error);
    }
    for (size_t i = 0; i < model->material_count && check.count < MOST_MISTAKES; i++)
        check_material(&check, (lashi_subject){"material", model->materials[i].name},
                       &model->materials[i].def);
    for (size_t i = 1; i < model->body_count && check.count < MOST_MISTAKES; i++) {
        lashi_check_keys(&check, (lashi_subject){"body", model->bodies[i].name}, &model->bodies[i].def,
                         &lashi_body_kind, "");
        lashi_check_body(&check, &model->bodies[i]);
    }
    if (model->body_count == 1)
        lashi_complain(&check, (lashi_subject){"model", NULL}, "bodies",
                       "there are no bodies; a mechanism has at least one");
    check_joints(&check);
    for (size_t i = 0; i < model->drive_count && check.count < MOST_MISTAKES; i++) {
        lashi_check_keys(&check, (lashi_subject){"drive", model->drives[i].name}, &model->drives[i].def,
                         &lashi_drive_kind, "");
        lashi_check_drive(&check, &model->drives[i]);
    }
    check_forces(&check);
    const bool room = lashi_check_signals(&check);
    lashi_check_run(&check);
    free(check.body_drivers);
    free(check.joint_drivers);
    if (!room)
        return lashi_fail_memory(error);
    return check.count ? LASH_ERROR_MODEL : LASH_OK;
}
