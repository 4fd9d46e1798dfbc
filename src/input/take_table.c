/* SPDX-License-Identifier: MIT
 *
 * Tables of a model file:
 *   table: gas.csv                                            two columns, SI
 *   table: [[0, 0], [0.1 s, 90 deg], …]                       pairs, each value with its own unit
 *   table: {file: gas.csv, columns: [1, 3], units: [deg, N], interpolation: linear}
 *   table: {points: [[0, 0], …], interpolation: linear, beyond: hold}
 *   table: {file: gas.csv, shift: 180 deg, scale: 1.2, period: 720 deg}
 * A file is searched for beside the file that names it. `shift` moves the table along x, `scale` multiplies y,
 * `period` repeats it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "input/csv.h"
#include "input/reader.h"
#include "input/units.h"
#include "math/table.h"

enum { TEXT = 256, MOST_COLUMNS = 1000 };

/* Tables over time drive something: a spline, whose acceleration does not jump. All others are loads and
 * springs: monotone, which does not overshoot. */
static lash_interpolation usual_interpolation(const char *unit_of_x) {
    return strcmp(unit_of_x, "s") == 0 ? LASH_SPLINE : LASH_MONOTONE;
}

typedef struct style {
    lash_interpolation interpolation;
    lash_beyond beyond;
    double shift, scale, period; /* in the unit of x; a factor; unset: it does not repeat */
} style;

typedef struct points {
    double *x, *y;
    size_t count;
} points;

// "s,rad|m" → the units of x and of y.
static void split_unit(char units[2][64], const char *unit) {
    const char *comma = unit ? strchr(unit, ',') : NULL;
    snprintf(units[0], 64, "%.*s", comma ? (int)(comma - unit) : 0, comma ? unit : "");
    snprintf(units[1], 64, "%s", comma ? comma + 1 : "");
}

static bool take_pairs(points *out, lashi_reader *reader, const lashi_yaml *list, const char *path,
                       char units[2][64]) {
    out->x = calloc(list->count + 1, sizeof *out->x);
    out->y = calloc(list->count + 1, sizeof *out->y);
    if (!out->x || !out->y) {
        reader->diagnostics->out_of_memory = true;
        return false;
    }
    bool fine = true;
    for (size_t i = 0; i < list->count && !lashi_diagnostics_full(reader->diagnostics); i++) {
        const lashi_yaml *pair = list->items[i];
        if (pair->type != LASHI_YAML_LIST || pair->count != 2) {
            fine = lashi_wrong_node(reader, pair, path, "a pair [x, y]");
            continue;
        }
        bool x = lashi_take_number(&out->x[i], reader, pair->items[0], path, units[0]);
        bool y = lashi_take_number(&out->y[i], reader, pair->items[1], path, units[1]);
        fine = fine && x && y;
    }
    out->count = list->count;
    return fine;
}

// What stands for a table that is not to be read: zeros, so close together that they fit into any period.
static bool take_zeros(points *out, lashi_reader *reader) {
    enum { ZEROS = 4 };
    out->x = calloc(ZEROS, sizeof *out->x);
    out->y = calloc(ZEROS, sizeof *out->y);
    if (!out->x || !out->y) {
        reader->diagnostics->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < ZEROS; i++)
        out->x[i] = 1e-9 * (double)i;
    out->count = ZEROS;
    return true;
}

/* The model knows what files it needs, each once. NULL: out of memory. */
static lashi_table_file *note_table(lashi_reader *reader, const char *path) {
    lash_model *model = reader->model;
    for (size_t i = 0; i < model->table_count; i++)
        if (strcmp(model->tables[i].name, path) == 0)
            return &model->tables[i];
    const lashi_table_file file = {lashi_arena_copy_text(&model->arena, path), 0xcbf29ce484222325U};
    return file.name && lashi_append(model->tables, model->table_count, model->table_capacity, file)
               ? &model->tables[model->table_count - 1]
               : NULL;
}

/* FNV-1a. */
static void add(uint64_t *sum, const double *values, size_t count) {
    for (size_t i = 0; i < count * sizeof *values; i++)
        *sum = (*sum ^ ((const unsigned char *)values)[i]) * 0x100000001b3U;
}

static bool take_file(points *out, lashi_reader *reader, const lashi_yaml *node, const char *path,
                      const int columns[2]) {
    const char *name;
    if (!lashi_take_word(&name, reader, node, path, "the name of a file"))
        return false;
    if (reader->without_tables)
        return take_zeros(out, reader);
    const char *full = name[0] == '/' ? name : lashi_arena_print(reader->arena, "%s%s", reader->folder, name);
    lashi_table_file *file =
        full ? note_table(reader, name[0] == '/' ? full : full + reader->parts->folder_length) : NULL;
    lash_error error = {0};
    lash_status status =
        file ? lashi_csv_read(&out->x, &out->y, &out->count, full, columns[0], columns[1], &error)
             : LASH_ERROR_MEMORY;
    if (status == LASH_ERROR_MEMORY)
        reader->diagnostics->out_of_memory = true;
    else if (status && error.line > 0)
        lashi_say(reader, node, 0, path, "%.200s, line %d: %s", error.file, error.line, error.message);
    else if (status)
        lashi_say(reader, node, 0, path, "%s", error.message);
    if (!status) {
        add(&file->sum, out->x, out->count);
        add(&file->sum, out->y, out->count);
    }
    return !status;
}

// Columns of the file: two different whole numbers from 1.
static bool take_columns(int columns[2], lashi_reader *reader, const lashi_yaml *node, const char *path) {
    if (node->type != LASHI_YAML_LIST || node->count != 2)
        return lashi_wrong_node(reader, node, path, "two numbers of columns such as [1, 2]");
    for (size_t i = 0; i < 2; i++) {
        double value;
        if (!lashi_take_number(&value, reader, node->items[i], path, ""))
            return false;
        if (!(value >= 1 && value <= MOST_COLUMNS && value == floor(value)))
            return lashi_wrong_node(reader, node->items[i], path, "the number of a column, from 1");
        columns[i] = (int)value;
    }
    return true;
}

// Converts one column of a file from the unit that the model states for it.
static bool convert(double *values, size_t count, lashi_reader *reader, const lashi_yaml *node,
                    const char *path, const char *unit) {
    const char *word;
    double scale, offset;
    lashi_dimension found, allowed[2];
    char why[TEXT], given[TEXT], wanted[TEXT];
    if (!lashi_take_word(&word, reader, node, path, "a unit"))
        return false;
    if (!lashi_unit_parse(&scale, &offset, &found, word, strlen(word), NULL, why, sizeof why)) {
        lashi_say(reader, node, 0, path, "%s", why);
        return false;
    }
    bool fits = false;
    const char *units[2];
    size_t alternatives = lashi_allowed_dimensions(allowed, units, reader, unit);
    for (size_t i = 0; i < alternatives; i++)
        fits = fits || lashi_dimension_fits(found, allowed[i]);
    if (!fits) {
        lashi_say(reader, node, 0, path, "%s where %s belongs",
                  lashi_dimension_print(given, sizeof given, found),
                  lashi_name_dimension(wanted, sizeof wanted, allowed[0], units[0]));
        return false;
    }
    for (size_t i = 0; i < count; i++)
        values[i] = scale * values[i] + offset;
    return true;
}

static const char *table_key(const void *list, size_t index) {
    static const char *const keys[] = {"file",   "columns", "units", "points", "interpolation",
                                       "beyond", "shift",   "scale", "period"};
    (void)list;
    return index < sizeof keys / sizeof *keys ? keys[index] : NULL;
}

/* One of the words of a list, `count` long; false: another. */
static bool take_choice(int *out, lashi_reader *reader, const lashi_yaml *map, const char *path,
                        const char *key, const char *const *words, int count, const char *wanted) {
    const lashi_yaml *node = lashi_yaml_find(map, key);
    char inner[TEXT];
    const char *word;
    if (!node)
        return true;
    snprintf(inner, sizeof inner, "%s.%s", path, key);
    if (!lashi_take_word(&word, reader, node, inner, wanted))
        return false;
    for (int i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0) {
            *out = i;
            return true;
        }
    return lashi_wrong_node(reader, node, inner, wanted);
}

/* A number under a key of the table; false after reporting. */
static bool take_own(double *out, lashi_reader *reader, const lashi_yaml *map, const char *path,
                     const char *key, const char *unit) {
    char inner[TEXT];
    const lashi_yaml *node = lashi_yaml_find(map, key);
    snprintf(inner, sizeof inner, "%s.%s", path, key);
    return !node || lashi_take_number(out, reader, node, inner, unit);
}

static bool take_style(style *out, lashi_reader *reader, const lashi_yaml *map, const char *path,
                       const char *unit_of_x) {
    static const char *const kinds[] = {
        [LASH_SPLINE] = "spline", [LASH_LINEAR] = "linear", [LASH_MONOTONE] = "monotone"};
    static const char *const ways[] = {[LASH_BEYOND_ERROR] = "error",
                                       [LASH_BEYOND_HOLD] = "hold",
                                       [LASH_BEYOND_EXTRAPOLATE] = "extrapolate",
                                       [LASH_BEYOND_ZERO] = "zero"};
    int kind = (int)out->interpolation, way = (int)out->beyond;
    bool fine =
        take_choice(&kind, reader, map, path, "interpolation", kinds, 3, "monotone, spline or linear");
    fine =
        take_choice(&way, reader, map, path, "beyond", ways, 4, "error, hold, extrapolate or zero") && fine;
    fine = take_own(&out->shift, reader, map, path, "shift", unit_of_x) && fine;
    fine = take_own(&out->scale, reader, map, path, "scale", "") && fine;
    fine = take_own(&out->period, reader, map, path, "period", unit_of_x) && fine;
    if (out->period <= 0) {
        lashi_say(reader, lashi_yaml_find(map, "period"), 0, path,
                  "period must be greater than zero, it is %g", out->period);
        fine = false;
    }
    out->interpolation = (lash_interpolation)kind;
    out->beyond = (lash_beyond)way;
    return fine;
}

static bool take_map(points *out, style *how, lashi_reader *reader, const lashi_yaml *map, const char *path,
                     char units[2][64]) {
    bool fine = true;
    char inner[TEXT], quoted[TEXT];
    for (size_t i = 0; i < map->count; i++) {
        const char *key = map->items[2 * i]->text;
        bool known = false;
        for (size_t k = 0; table_key(NULL, k); k++)
            known = known || strcmp(key, table_key(NULL, k)) == 0;
        if (known)
            continue;
        const char *nearest = lashi_nearest(key, table_key, NULL);
        lashi_say(
            reader, map->items[2 * i], 0, path, "'%s' is not a key of a table; %s%s%s",
            lashi_quote(quoted, sizeof quoted, key, strlen(key)), nearest ? "did you mean '" : "",
            nearest
                ? nearest
                : "its keys are file, columns, units, points, interpolation, beyond, shift, scale, period",
            nearest ? "'?" : "");
        fine = false;
    }
    const lashi_yaml *file = lashi_yaml_find(map, "file"), *columns_node = lashi_yaml_find(map, "columns"),
                     *units_node = lashi_yaml_find(map, "units"), *list = lashi_yaml_find(map, "points");
    int columns[2] = {1, 2};
    fine = take_style(how, reader, map, path, units[0]) && fine;
    if (!file == !list) {
        lashi_say(reader, map, 0, path, "give file or points, one of them");
        return false;
    }
    if (list) {
        snprintf(inner, sizeof inner, "%s.points", path);
        if (columns_node || units_node) {
            lashi_say(reader, columns_node ? columns_node : units_node, 0, path,
                      "columns and units belong to file; points have their own units");
            fine = false;
        }
        if (list->type != LASHI_YAML_LIST)
            return lashi_wrong_node(reader, list, inner, "a list of pairs");
        return take_pairs(out, reader, list, inner, units) && fine;
    }
    snprintf(inner, sizeof inner, "%s.columns", path);
    if (columns_node)
        fine = take_columns(columns, reader, columns_node, inner) && fine;
    snprintf(inner, sizeof inner, "%s.units", path);
    if (units_node && (units_node->type != LASHI_YAML_LIST || units_node->count != 2)) {
        fine = lashi_wrong_node(reader, units_node, inner, "two units such as [deg, N]");
        units_node = NULL;
    }
    snprintf(inner, sizeof inner, "%s.file", path);
    if (!fine || !take_file(out, reader, file, inner, columns))
        return false;
    snprintf(inner, sizeof inner, "%s.units", path);
    return !units_node || (convert(out->x, out->count, reader, units_node->items[0], inner, units[0]) &&
                           convert(out->y, out->count, reader, units_node->items[1], inner, units[1]));
}

bool lashi_period_fits(lashi_reader *reader, const lashi_yaml *node, const char *path,
                       const lash_table *table, double period, const char *unit_of_x) {
    static const struct {
        const char *si, *usual;
    } words[] = {{"rad", "deg"}, {"m", "mm"}, {"s", "ms"}, {"rad/s", "rpm"}};
    if (lashi_table_fits(table, period))
        return true;
    lashi_dimension allowed[2];
    const char *units[2], *usual = NULL;
    char cure[TEXT] = "";
    lashi_allowed_dimensions(allowed, units, reader, unit_of_x);
    const int length = (int)strcspn(units[0], "|");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(units[0], words[i].si, (size_t)length) == 0 && !words[i].si[length])
            usual = words[i].usual;
    if (usual)
        snprintf(
            cure, sizeof cure,
            ". Numbers without a unit are in %.*s: if the table is in %s, write its points as [90 %s, …], or "
            "units: [%s, …] beside its file",
            length, units[0], usual, usual, usual);
    const char *blank = length ? " " : "";
    lashi_say(reader, node, 0, path,
              "the table goes from %.6g to %.6g%s%.*s and does not fit into a period of %.6g%s%.*s%s",
              lashi_table_first(table), lashi_table_last(table), blank, length, units[0], period, blank,
              length, units[0], cure);
    return false;
}

bool lashi_take_table(lash_table **out, lashi_reader *reader, const lashi_yaml *node, const char *path,
                      const char *unit) {
    points data = {0};
    char units[2][64];
    const int columns[2] = {1, 2};
    bool fine;
    *out = NULL;
    split_unit(units, unit);
    style how = {usual_interpolation(units[0]), LASH_BEYOND_ERROR, 0, 1, LASH_UNSET};
    if (reader->input_unit) {
        how.interpolation = LASH_LINEAR;
        how.beyond = LASH_BEYOND_HOLD;
        snprintf(units[1], sizeof units[1], "%s", reader->input_unit);
    }
    switch (node->type) {
    case LASHI_YAML_LIST: fine = take_pairs(&data, reader, node, path, units); break;
    case LASHI_YAML_MAP: fine = take_map(&data, &how, reader, node, path, units); break;
    default: fine = take_file(&data, reader, node, path, columns); break;
    }
    lash_error error;
    if (reader->without_tables && strcmp(units[0], "s") == 0) // zeros, for all times
        how.beyond = LASH_BEYOND_HOLD;
    for (size_t i = 0; fine && i < data.count; i++) {
        data.x[i] += how.shift;
        data.y[i] *= how.scale;
    }
    if (fine) {
        lash_status status = lash_table_create(out, data.x, data.y, data.count, how.interpolation, &error);
        if (!status)
            status = lash_table_set_beyond(*out, how.beyond, &error);
        const lashi_yaml *period = isnan(how.period) ? NULL : lashi_yaml_find(node, "period");
        char inner[TEXT];
        snprintf(inner, sizeof inner, "%s.period", path);
        fine = status || !period || lashi_period_fits(reader, period, inner, *out, how.period, units[0]);
        if (!status && period && fine)
            status = lashi_table_make_periodic(*out, how.period, &error);
        if (status == LASH_ERROR_MEMORY)
            reader->diagnostics->out_of_memory = true;
        else if (status)
            lashi_say(reader, node, 0, path, "%s", error.message);
        fine = fine && !status;
        if (!fine) {
            lash_table_destroy(*out);
            *out = NULL;
        }
    }
    free(data.x);
    free(data.y);
    return fine;
}
