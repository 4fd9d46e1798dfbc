/* SPDX-License-Identifier: MIT
 *
 * Names of quantities. OBJECT.quantity: what is before the last dot is the object.
 */
#include "model/quantity.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

typedef struct listed {
    const char *suffix;
    int component;
    const char *unit;
    bool travel;
} listed;

static const listed of_body[] = {{"x", 0, "m", false},
                                 {"y", 1, "m", false},
                                 {"angle", 2, "rad", false},
                                 {"vx", 3, "m/s", false},
                                 {"vy", 4, "m/s", false},
                                 {"wz", 5, "rad/s", false},
                                 {NULL}};
static const listed of_body_in_space[] = {{"x", 0, "m", false},      {"y", 1, "m", false},
                                          {"z", 2, "m", false},      {"vx", 3, "m/s", false},
                                          {"vy", 4, "m/s", false},   {"vz", 5, "m/s", false},
                                          {"wx", 6, "rad/s", false}, {"wy", 7, "rad/s", false},
                                          {"wz", 8, "rad/s", false}, {NULL}};
static const listed of_angle[] = {{"angle", 0, "rad", false}, {"wz", 1, "rad/s", false}, {NULL}};
static const listed of_travel[] = {{"s", 0, "m", true}, {"sdot", 1, "m/s", true}, {NULL}};
static const listed of_both[] = {{"angle", 0, "rad", false},
                                 {"wz", 1, "rad/s", false},
                                 {"s", 0, "m", true},
                                 {"sdot", 1, "m/s", true},
                                 {NULL}};
static const listed of_drive_angle[] = {{"angle", 0, "rad", false}, {"rate", 1, "rad/s", false}, {NULL}};
static const listed of_drive_travel[] = {{"s", 0, "m", true}, {"rate", 1, "m/s", true}, {NULL}};
static const listed of_spring[] = {{"length", 0, "m", false}, {"rate", 1, "m/s", false}, {NULL}};
static const listed of_motor[] = {
    {"angle", 0, "rad", false}, {"coordinate", 0, "rad", false}, {"rate", 1, "rad/s", false}, {NULL}};
static const listed of_linear_motor[] = {
    {"length", 0, "m", true}, {"coordinate", 0, "m", true}, {"rate", 1, "m/s", true}, {NULL}};
static const listed of_turning[] = {{"angle", 0, "rad", false}, {"rate", 1, "rad/s", false}, {NULL}};
static const listed of_sliding[] = {{"length", 0, "m", true}, {"rate", 1, "m/s", true}, {NULL}};
static const listed nothing[] = {{NULL}};

/* Channels that are results of the instant: what the suffix begins with. */
typedef struct implicit {
    const char *suffix, *what;
} implicit;
static const implicit refused[] = {
    {"ax", "an acceleration"},     {"ay", "an acceleration"},     {"az", "an acceleration"},
    {"alphax", "an acceleration"}, {"alphay", "an acceleration"}, {"alphaz", "an acceleration"},
    {"fx", "a reaction"},          {"fy", "a reaction"},          {"fz", "a reaction"},
    {"mx", "a reaction"},          {"my", "a reaction"},          {"mz", "a reaction"},
    {"f", "a reaction"},           {"m", "a reaction"},           {"n", "a contact force"},
    {"fn", "a contact force"},     {"ft", "a contact force"},     {"fe", "a contact force"},
    {"fd", "a contact force"},     {"torque", "a reaction"},      {"force", "a force"},
    {"power", "a force"},          {"friction", "a reaction"},
};

static const char *suffix_at(const void *list, size_t index) {
    return ((const listed *)list)[index].suffix;
}

static lashi_naming find(lashi_quantity *out, const listed *list, const char *suffix) {
    for (size_t i = 0; list[i].suffix; i++)
        if (strcmp(list[i].suffix, suffix) == 0) {
            out->component = list[i].component;
            out->unit = list[i].unit;
            out->travel = list[i].travel;
            return LASHI_KNOWN;
        }
    return LASHI_UNKNOWN;
}

static const listed *list_of_force(const char *type, char coordinate) {
    if (!type)
        return nothing;
    if (strcmp(type, "spring") == 0)
        return of_spring;
    if (strcmp(type, "motor") == 0)
        return coordinate == 't' ? of_linear_motor : of_motor;
    if (strcmp(type, "joint-spring") == 0 || strcmp(type, "viscous") == 0)
        return coordinate == 't' ? of_sliding : of_turning;
    return nothing;
}

lashi_naming lashi_force_quantity(lashi_quantity *out, const char *type, char coordinate,
                                  const char *suffix) {
    *out = (lashi_quantity){.kind = LASHI_QUANTITY_FORCE};
    return find(out, list_of_force(type, coordinate), suffix);
}

/* Of the joint that a drive or force acts on: 'r', 't'. */
static char coordinate_of(const lash_model *model, const char *joint, const char *which) {
    const size_t index = lashi_model_find_joint(model, joint);
    if (index == LASHI_NONE)
        return 'r';
    const char *type = model->joints[index].def.type;
    if (which && lashi_joint_has_both(type))
        return strcmp(which, "travel") == 0 ? 't' : 'r';
    return lashi_joint_coordinate(type);
}

static const listed *list_of(lashi_quantity *out, const lash_model *model, const lashi_name_entry *entry) {
    out->index = entry->index;
    switch (entry->kind) {
    case LASHI_BODIES:
        out->kind = LASHI_QUANTITY_BODY;
        return model->space == LASH_SPATIAL ? of_body_in_space : of_body;
    case LASHI_JOINTS: {
        const char *type = model->joints[entry->index].def.type;
        const char coordinate = type ? lashi_joint_coordinate(type) : 0;
        out->kind = LASHI_QUANTITY_COORDINATE;
        return !coordinate                                                  ? nothing
               : model->space == LASH_SPATIAL && lashi_joint_has_both(type) ? of_both
               : coordinate == 't'                                          ? of_travel
                                                                            : of_angle;
    }
    case LASHI_DRIVES: {
        const lash_drive_def *def = &model->drives[entry->index].def;
        out->kind = LASHI_QUANTITY_DRIVE;
        return def->joint && coordinate_of(model, def->joint, def->coordinate) == 't' ? of_drive_travel
                                                                                      : of_drive_angle;
    }
    case LASHI_FORCES: {
        const lash_force_def *def = &model->forces[entry->index].def;
        out->kind = LASHI_QUANTITY_FORCE;
        return list_of_force(def->type, def->joint ? coordinate_of(model, def->joint, def->coordinate) : 0);
    }
    default: return nothing;
    }
}

static const char *object_name(const void *list, size_t index) {
    const lash_model *model = list;
    if (index + 1 < model->body_count)
        return model->bodies[index + 1].name;
    index -= model->body_count - 1;
    if (index < model->joint_count)
        return model->joints[index].name;
    index -= model->joint_count;
    if (index < model->drive_count)
        return model->drives[index].name;
    index -= model->drive_count;
    return index < model->force_count ? model->forces[index].name : NULL;
}

static lashi_naming refuse(const char *suffix, const char *name, char *why, size_t size) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(refused[i].suffix, suffix) == 0) {
            snprintf(
                why, size,
                "%s is %s: it depends on all forces at the same instant, so an expression that uses it would "
                "make the equations implicit. Positions, velocities, lengths, signals and inputs can be used",
                name, refused[i].what);
            return LASHI_REFUSED;
        }
    return LASHI_UNKNOWN;
}

enum { LONGEST_OBJECT = 512 };

static bool is_signal(lashi_quantity *out, const lash_model *model, const char *name) {
    const lashi_name_entry *entry = lashi_names_find(&model->names, LASHI_OBJECT_SPACE, name);
    if (!entry || (entry->kind != LASHI_SIGNALS && entry->kind != LASHI_NAMED_INPUTS))
        return false;
    const bool signal = entry->kind == LASHI_SIGNALS;
    out->kind = signal ? LASHI_QUANTITY_SIGNAL : LASHI_QUANTITY_INPUT;
    out->index = entry->index;
    out->unit = signal ? model->signals[entry->index].def.unit : model->inputs[entry->index].def.unit;
    return true;
}

/* What is before the last dot of a name; false: nothing, or too much. */
static bool split(char object[LONGEST_OBJECT], const char **suffix, const char *name) {
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name || dot - name >= LONGEST_OBJECT)
        return false;
    memcpy(object, name, (size_t)(dot - name));
    object[dot - name] = '\0';
    *suffix = dot + 1;
    return true;
}

static bool is_known(const lash_model *model, const char *name) {
    lashi_quantity unused = {0};
    char object[LONGEST_OBJECT];
    const char *suffix;
    if (is_signal(&unused, model, name))
        return true;
    const lashi_name_entry *entry =
        split(object, &suffix, name) ? lashi_names_find(&model->names, LASHI_OBJECT_SPACE, object) : NULL;
    return entry && find(&unused, list_of(&unused, model, entry), suffix) == LASHI_KNOWN;
}

/* There is no such object. */
static lashi_naming no_object(const lash_model *model, const char *name, const char *object, char *why,
                              size_t size) {
    const char *near = lashi_nearest(object, object_name, model);
    for (const char *dash = strchr(name, '-'); dash; dash = strchr(dash + 1, '-'))
        if (is_known(model, dash + 1)) {
            snprintf(why, size,
                     "there is no '%.100s'. In such a name a dash belongs to the object; write a minus with "
                     "spaces: %.*s - %s",
                     object, (int)(dash - name), name, dash + 1);
            return LASHI_UNKNOWN;
        }
    snprintf(why, size, "%s: there is no body, joint, drive or force '%.100s'%s%s%s", name, object,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return LASHI_UNKNOWN;
}

lashi_naming lashi_model_quantity(lashi_quantity *out, const lash_model *model, const char *name, char *why,
                                  size_t size) {
    char object[LONGEST_OBJECT];
    const char *suffix;
    *out = (lashi_quantity){0};
    if (is_signal(out, model, name))
        return LASHI_KNOWN;
    if (!split(object, &suffix, name)) {
        snprintf(why, size, "there is no signal or input '%.100s'", name);
        return LASHI_UNKNOWN;
    }
    const lashi_name_entry *entry = lashi_names_find(&model->names, LASHI_OBJECT_SPACE, object);
    if (!entry)
        return no_object(model, name, object, why, size);
    const listed *list = list_of(out, model, entry);
    if (find(out, list, suffix) == LASHI_KNOWN)
        return LASHI_KNOWN;
    if (refuse(suffix, name, why, size) == LASHI_REFUSED)
        return LASHI_REFUSED;
    const char *near = lashi_nearest(suffix, suffix_at, list);
    size_t used = (size_t)snprintf(why, size, "%.100s: '%.100s' has no '%.100s' that can be used here; ",
                                   name, object, suffix);
    if (near)
        snprintf(why + used, size - used, "did you mean %s.%s?", object, near);
    else if (!list[0].suffix)
        snprintf(why + used, size - used, "it has nothing that can");
    else
        for (size_t i = 0; list[i].suffix && used + 16 < size; i++)
            used += (size_t)snprintf(why + used, size - used, "%s%s", i ? ", " : "it has ", list[i].suffix);
    return LASHI_REFUSED;
}
