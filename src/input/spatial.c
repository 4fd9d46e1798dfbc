/* SPDX-License-Identifier: MIT
 *
 * Values that only models in space have: an orientation in one of its forms, an inertia tensor, a place that
 * may be the name of a point.
 *
 * Forms of an orientation:
 *   [e0, e1, e2, e3]                        Euler parameters, of any length but zero
 *   {axis: [0, 0, 1], angle: 30 deg}        turned about an axis
 *   {roll: ..., pitch: ..., yaw: ...}       yaw about z, then pitch about the new y, then roll about the new x
 *   {x: [...], y: [...]}, or two others     directions of the axes; the first in the order x, y, z is exact,
 *                                           the second is made perpendicular to it
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "input/reader.h"

enum { KEY_PATH = 128, TEXT = 256, LONGEST_LIST = 2000 /* names looked at for a suggestion */ };

static const char ORIENTATION_FORMS[] =
    "{axis: [0, 0, 1], angle: 30 deg}, {roll: ..., pitch: ..., yaw: ...}, two of {x: [...], y: [...], z: "
    "[...]}, or Euler parameters [e0, e1, e2, e3]";

typedef enum form { ABOUT, ANGLES, AXES } form;
static const struct {
    const char *name;
    form form;
} parts[] = {{"axis", ABOUT}, {"angle", ABOUT}, {"roll", ANGLES}, {"pitch", ANGLES},
             {"yaw", ANGLES}, {"x", AXES},      {"y", AXES},      {"z", AXES}};
enum { PARTS = sizeof parts / sizeof *parts, AXIS = 0, ANGLE = 1, ROLL = 2, X = 5, Y = 6, Z = 7 };

static const char *listed_part(const void *list, size_t index) {
    (void)list;
    return index < PARTS ? parts[index].name : NULL;
}

// Finds the parts of an orientation, all of one form. False after reporting.
static bool find_parts(const lashi_yaml *found[PARTS], lashi_reader *reader, const lashi_yaml *map,
                       const char *path) {
    const char *first = NULL;
    form chosen = ABOUT;
    for (size_t i = 0; i < map->count; i++) {
        const lashi_yaml *key = map->items[2 * i];
        size_t part = 0;
        while (part < PARTS && strcmp(parts[part].name, key->text) != 0)
            part++;
        if (part == PARTS) {
            char quoted[TEXT];
            const char *nearest = lashi_nearest(key->text, listed_part, NULL);
            lashi_say(reader, key, 0, path, "'%s' is not part of an orientation; %s%s%s",
                      lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)),
                      nearest ? "did you mean '" : "give ", nearest ? nearest : ORIENTATION_FORMS,
                      nearest ? "'?" : "");
            return false;
        }
        if (first && parts[part].form != chosen) {
            lashi_say(reader, key, 0, path, "%s and %s belong to two forms; give one of %s", first,
                      parts[part].name, ORIENTATION_FORMS);
            return false;
        }
        first = parts[part].name;
        chosen = parts[part].form;
        found[part] = map->items[2 * i + 1];
    }
    return true;
}

static const char *part_path(char buffer[KEY_PATH], const char *path, size_t part) {
    snprintf(buffer, KEY_PATH, "%s.%s", path, parts[part].name);
    return buffer;
}

static bool take_direction(double out[3], lashi_reader *reader, const lashi_yaml *node, const char *path) {
    double unit[3];
    if (!lashi_take_vector(out, reader, node, path, ""))
        return false;
    if (lashi_direction(unit, out))
        return true;
    lashi_say(reader, node, 0, path, "has no direction: not all of its components may be zero");
    return false;
}

static bool take_about(double out[4], lashi_reader *reader, const lashi_yaml *map, const char *path,
                       const lashi_yaml *const found[PARTS]) {
    char inner[KEY_PATH];
    double axis[3], angle;
    if (!found[AXIS] || !found[ANGLE]) {
        lashi_say(reader, map, 0, path, "its %s is missing; write {axis: [0, 0, 1], angle: 30 deg}",
                  found[AXIS] ? "angle" : "axis");
        return false;
    }
    bool fine = take_direction(axis, reader, found[AXIS], part_path(inner, path, AXIS));
    fine = lashi_take_number(&angle, reader, found[ANGLE], part_path(inner, path, ANGLE), "rad") && fine;
    return fine && lash_orientation_about(out, axis, angle);
}

static bool take_angles(double out[4], lashi_reader *reader, const char *path,
                        const lashi_yaml *const found[PARTS]) {
    char inner[KEY_PATH];
    double angles[3] = {0};
    bool fine = true;
    for (size_t i = 0; i < 3; i++)
        if (found[ROLL + i])
            fine = lashi_take_number(&angles[i], reader, found[ROLL + i], part_path(inner, path, ROLL + i),
                                     "rad") &&
                   fine;
    if (fine)
        lash_orientation_angles(out, angles[0], angles[1], angles[2]);
    return fine;
}

static bool take_axes(double out[4], lashi_reader *reader, const lashi_yaml *map, const char *path,
                      const lashi_yaml *const found[PARTS]) {
    char inner[KEY_PATH];
    double axes[3][3], x[3], y[3];
    bool fine = true;
    if (map->count != 2) {
        lashi_say(reader, map, 0, path, "give two of the axes x, y and z, not %zu; the third follows",
                  map->count);
        return false;
    }
    for (size_t i = 0; i < 3; i++)
        if (found[X + i])
            fine = take_direction(axes[i], reader, found[X + i], part_path(inner, path, X + i)) &&
                   lashi_direction(axes[i], axes[i]) && fine;
    if (!fine)
        return false;
    // The third direction first: with x it gives y, with y it gives x.
    memcpy(found[X] ? x : y, axes[found[X] ? 0 : 1], sizeof x);
    if (found[X] && found[Y])
        memcpy(y, axes[1], sizeof y);
    else if (found[X])
        lashi_cross(y, axes[2], axes[0]);
    else
        lashi_cross(x, axes[1], axes[2]);
    const double *second = axes[found[Z] ? 2 : 1], *given = axes[found[X] ? 0 : 1];
    double trial[4];
    if (lash_orientation_axes(trial, given, second) && lash_orientation_axes(out, x, y))
        return true;
    lashi_say(reader, map, 0, path, "its %s and %s are parallel; two axes must enclose an angle",
              found[X] ? "x" : "y", found[Z] ? "z" : "y");
    return false;
}

bool lashi_take_orientation(double out[4], lashi_reader *reader, const lashi_yaml *node, const char *path) {
    if (node->type == LASHI_YAML_LIST && node->count == 4) {
        double e[4];
        bool fine = true;
        for (size_t i = 0; i < 4; i++)
            fine = lashi_take_number(&e[i], reader, node->items[i], path, "") && fine;
        if (fine)
            memcpy(out, e, sizeof e);
        return fine;
    }
    if (node->type != LASHI_YAML_MAP || node->count == 0)
        return lashi_wrong_node(reader, node, path, ORIENTATION_FORMS);
    const lashi_yaml *found[PARTS] = {0};
    if (!find_parts(found, reader, node, path))
        return false;
    if (found[AXIS] || found[ANGLE])
        return take_about(out, reader, node, path, found);
    if (found[X] || found[Y] || found[Z])
        return take_axes(out, reader, node, path, found);
    return take_angles(out, reader, path, found);
}

bool lashi_take_inertia(double out[6], lashi_reader *reader, const lashi_yaml *node, const char *path,
                        const char *unit) {
    static const char forms[] = "[xx, yy, zz] or [xx, yy, zz, xy, xz, yz] in space";
    if (node->type != LASHI_YAML_LIST)
        return lashi_wrong_node(reader, node, path, forms);
    if (node->count != 3 && node->count != 6) {
        lashi_say(reader, node, 0, path, "expects %s, found a list of %zu", forms, node->count);
        return false;
    }
    double values[6] = {0};
    bool fine = true;
    for (size_t i = 0; i < node->count; i++)
        fine = lashi_take_number(&values[i], reader, node->items[i], path, unit) && fine;
    if (fine)
        memcpy(out, values, sizeof values);
    return fine;
}

// ---- a place that may be the name of a point

typedef struct point_list {
    const lash_model *model;
    size_t first; // the body's points begin here: they were added last
} point_list;

static const char *listed_point(const void *data, size_t index) {
    const point_list *list = data;
    const size_t i = list->first + index;
    return index < LONGEST_LIST && i < list->model->point_count ? list->model->points[i].name : NULL;
}

bool lashi_take_place(double out[3], lashi_reader *reader, const lashi_yaml *node, const char *path,
                      const char *unit) {
    if (node->type == LASHI_YAML_SCALAR && node->text[0])
        return true; // lashi_take_point_place, when the body's points are known
    if (node->type != LASHI_YAML_LIST)
        return lashi_wrong_node(reader, node, path,
                                "a list [x, y, z], or the name of one of the body's points");
    return lashi_take_vector(out, reader, node, path, unit);
}

bool lashi_take_point_place(double out[3], lashi_reader *reader, const lashi_yaml *node, const char *path,
                            size_t body) {
    const lash_model *model = reader->model;
    const char *own = model->bodies[body].name, *word;
    if (!lashi_take_word(&word, reader, node, path, "a point of the body"))
        return false;
    size_t length = strlen(own);
    if (strncmp(word, own, length) == 0 && word[length] == '.')
        word += length + 1;
    point_list list = {model, model->point_count};
    while (list.first > 0 && model->points[list.first - 1].body == body)
        list.first--;
    const lashi_name_entry *entry = lashi_names_find(&model->names, LASHI_POINT_SPACE + (unsigned)body, word);
    if (entry) {
        memcpy(out, model->points[entry->index].at, sizeof model->points[entry->index].at);
        return true;
    }
    char quoted[TEXT];
    const char *nearest = lashi_nearest(word, listed_point, &list);
    lashi_say(reader, node, 0, path, "the body has no point '%s'%s%s%s",
              lashi_quote(quoted, sizeof quoted, word, strlen(word)),
              nearest ? "; did you mean '" : "; give a point of its own, or a list [x, y, z]",
              nearest ? nearest : "", nearest ? "'?" : "");
    return false;
}
