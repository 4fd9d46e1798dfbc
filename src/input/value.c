/* SPDX-License-Identifier: MIT
 *
 * One value of the file → number, vector, word, expression. Every number is an expression with units and
 * parameters; its dimension is checked against the key's, and a plain number is SI.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "input/reader.h"
#include "input/units.h"

enum { TEXT = 256 };

static const double TURN = 6.283185307179586476925; // rad
/* A turn and what 2 pi is rounded to; beyond it a plain number is suspect. */
static const double MOST_PLAIN_ANGLE = 7;

// ---- messages

void lashi_say(lashi_reader *reader, const lashi_yaml *node, int column, const char *path, const char *format,
               ...) {
    char message[LASH_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    lashi_mistake(reader->diagnostics, node->line,
                  column > 0 && node->text_column ? node->text_column + column - 1 : node->column,
                  "%s%s: %.*s", reader->subject, path, LASH_ERROR_TEXT - TEXT, message);
}

bool lashi_wrong_node(lashi_reader *reader, const lashi_yaml *node, const char *path, const char *expected) {
    char found[TEXT];
    lashi_say(reader, node, 0, path, "expects %s, found %s", expected,
              lashi_yaml_describe(found, sizeof found, node));
    return false;
}

// ---- dimensions

/* N/m^n, with the exponent of a law: numbers in it are written without unit, since those of units are whole. */
static bool is_of_law(const char *unit, size_t length) {
    return length > 2 && strncmp(unit + length - 2, "^n", 2) == 0;
}

size_t lashi_allowed_dimensions(lashi_dimension out[2], const char *units[2], const lashi_reader *reader,
                                const char *unit) {
    double scale, offset;
    char why[TEXT];
    unit = unit ? unit : "";
    const char *bar = strchr(unit, '|');
    const char *parts[2] = {unit, bar ? bar + 1 : unit};
    size_t lengths[2] = {bar ? (size_t)(bar - unit) : strlen(unit), strlen(parts[1])}, first = 0, count = 1;
    if (bar) {
        char coordinate =
            reader->has_over && strcmp(unit, "rad|m") == 0 ? reader->over_coordinate : reader->coordinate;
        first = coordinate == 't' ? 1 : 0;
        count = coordinate ? 1 : 2;
    }
    for (size_t i = 0; i < count; i++) {
        units[i] = parts[first + i];
        if (is_of_law(units[i], lengths[first + i]))
            out[i] = (lashi_dimension){0};
        else if (!lashi_unit_parse(&scale, &offset, &out[i], units[i], lengths[first + i], NULL, why,
                                   sizeof why))
            out[i] = (lashi_dimension){.open = true}; // a slip in the schema, which a test finds
    }
    return count;
}

const char *lashi_name_dimension(char *buffer, size_t size, lashi_dimension dimension, const char *unit) {
    char words[TEXT / 2];
    static const lashi_dimension pure = {0};
    bool angular = unit && strncmp(unit, "rad", 3) == 0;
    const size_t length = unit ? strcspn(unit, "|") : 0;
    if (is_of_law(unit, length))
        snprintf(words, sizeof words, "number without unit, in %.*s with n of the law,", (int)length, unit);
    else if (angular && unit[3] == '/')
        snprintf(words, sizeof words, "angular speed [rad/s]");
    else if (angular && memcmp(dimension.exponent, pure.exponent, sizeof pure.exponent) == 0)
        snprintf(words, sizeof words, "angle [rad]");
    else
        lashi_dimension_print(words, sizeof words, dimension);
    snprintf(buffer, size, "%s %s", strchr("aeiou", words[0]) ? "an" : "a", words);
    return buffer;
}

static bool check_dimension(lashi_reader *reader, const lashi_yaml *node, const char *path, const char *unit,
                            lashi_dimension found, const char *text) {
    lashi_dimension allowed[2];
    const char *units[2];
    if (strcmp(unit ? unit : "", "*") == 0)
        return true;
    size_t count = lashi_allowed_dimensions(allowed, units, reader, unit);
    for (size_t i = 0; i < count; i++)
        if (lashi_dimension_fits(found, allowed[i]))
            return true;
    char given[TEXT], wanted[2][TEXT] = {"", ""}, note[TEXT] = "";
    const char *hint = found.frequency
                           ? "; Hz and 1/min count turns or periods, write rpm, rev/s or rad/s, or 2*pi "
                             "times the frequency"
                           : "";
    for (size_t i = 0; i < count; i++)
        lashi_name_dimension(wanted[i], sizeof wanted[i], allowed[i], units[i]);
    const lashi_parameter *set = lashi_used_setting(reader, text);
    if (set)
        snprintf(note, sizeof note, " (%s was set to '%.100s')", set->name, set->setting->value);
    lashi_say(reader, node, 0, path, "%s where %s%s%s belongs%s%s",
              lashi_dimension_print(given, sizeof given, found), wanted[0], count > 1 ? " or " : "",
              wanted[1], note, hint);
    return false;
}

// ---- expressions

static lash_status compile_text(lash_expression **out, const lashi_reader *reader, const char *text,
                                lashi_variable of, const lashi_dimension *wanted, lash_error *error) {
    lashi_scope scope = {.symbols = reader->symbols,
                         .symbol_count = reader->symbol_count,
                         .of = of,
                         .unit = lashi_unit_parse,
                         .wanted = wanted,
                         .quantity = lashi_read_quantity,
                         .prefix = reader->prefix,
                         .context = (void *)(uintptr_t)reader};
    lash_error unused;
    *out = NULL;
    return lashi_expression_compile(out, text, &scope, error ? error : &unused);
}

lash_status lashi_compile_text(lash_expression **out, const lashi_reader *reader, const char *text,
                               lashi_variable of, lash_error *error) {
    return compile_text(out, reader, text, of, NULL, error);
}

// YAML's own spellings of what is not a number.
static bool is_yaml_special(const char *text) {
    static const char *const words[] = {".nan", ".inf", "-.inf", "+.inf",    "nan",
                                        "inf",  "-inf", "+inf",  "infinity", "-infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

static bool compile(lash_expression **out, lashi_reader *reader, const lashi_yaml *node, const char *text,
                    const char *path, const char *unit, lashi_variable of) {
    lash_error error;
    lashi_dimension allowed[2];
    const char *units[2];
    const bool one =
        strcmp(unit ? unit : "", "*") != 0 && lashi_allowed_dimensions(allowed, units, reader, unit) == 1;
    *out = NULL;
    if (is_yaml_special(text)) {
        lashi_say(reader, node, 0, path, "'%s' is not allowed; a finite number belongs here", text);
        return false;
    }
    if (!lashi_use_parameters(reader, text))
        return false;
    const lashi_parameter *word = lashi_used_switch(reader, text);
    if (word) {
        lashi_say(reader, node, 0, path, "$%s is a switch ('%s'), not a number", word->name, word->word);
        return false;
    }
    lash_status status = compile_text(out, reader, text, of, one ? allowed : NULL, &error);
    if (status == LASH_ERROR_MEMORY)
        reader->diagnostics->out_of_memory = true;
    else if (status)
        lashi_say(reader, node, error.column, path, "%s", error.message);
    return !status;
}

static bool take_expression(lash_expression **out, lashi_reader *reader, const lashi_yaml *node,
                            const char *path, const char *unit, lashi_variable of) {
    *out = NULL;
    if (node->type != LASHI_YAML_SCALAR || !node->text[0])
        return lashi_wrong_node(reader, node, path,
                                of == LASHI_OF_TIME    ? "an expression of t"
                                : of == LASHI_OF_STATE ? "an expression"
                                : of == LASHI_OF_ANGLE ? "an expression of angle"
                                                       : "a number, with or without unit");
    if (!compile(out, reader, node, node->text, path, unit, of))
        return false;
    if (check_dimension(reader, node, path, unit, lashi_expression_dimension(*out), node->text))
        return true;
    lash_expression_destroy(*out);
    *out = NULL;
    return false;
}

bool lashi_take_expression(lash_expression **out, lashi_reader *reader, const lashi_yaml *node,
                           const char *path, const char *unit) {
    return take_expression(out, reader, node, path, unit, LASHI_OF_STATE);
}

bool lashi_take_time_expression(lash_expression **out, lashi_reader *reader, const lashi_yaml *node,
                                const char *path, const char *unit) {
    return take_expression(out, reader, node, path, unit, LASHI_OF_TIME);
}

bool lashi_take_angle_expression(lash_expression **out, lashi_reader *reader, const lashi_yaml *node,
                                 const char *path, const char *unit) {
    return take_expression(out, reader, node, path, unit, LASHI_OF_ANGLE);
}

/* A plain number where an angle belongs is in rad; one of more than a turn was probably meant in degrees. */
static void warn_of_degrees(lashi_reader *reader, const lashi_yaml *node, const char *path, const char *unit,
                            double value) {
    double plain;
    const char *digits = node->text + (node->text[0] == '-' || node->text[0] == '+');
    if (strcmp(unit, "rad") != 0 && !(strcmp(unit, "rad|m") == 0 && reader->coordinate == 'r'))
        return;
    if (fabs(value) > MOST_PLAIN_ANGLE && lashi_read_number(&plain, digits, strlen(digits)) == strlen(digits))
        lashi_warning(reader->diagnostics, node->line, node->column,
                      "%s%s: %g rad are %.3g turns; in degrees it is written %g deg", reader->subject, path,
                      value, value / TURN, value);
}

bool lashi_take_number(double *out, lashi_reader *reader, const lashi_yaml *node, const char *path,
                       const char *unit) {
    lash_expression *expression;
    if (!take_expression(&expression, reader, node, path, unit, LASHI_OF_NOTHING))
        return false;
    double value = lashi_expression_value(expression, 0);
    lash_expression_destroy(expression);
    if (!isfinite(value)) {
        lashi_say(reader, node, 0, path, "its value is not finite: an overflow or a division by zero");
        return false;
    }
    warn_of_degrees(reader, node, path, unit, value);
    *out = value;
    return true;
}

bool lashi_take_share(double out[2], lashi_reader *reader, const lashi_yaml *node, const char *path) {
    lash_expression *expression;
    if (!take_expression(&expression, reader, node, path, "m|", LASHI_OF_NOTHING))
        return false;
    const lashi_dimension dimension = lashi_expression_dimension(expression);
    lash_expression_destroy(expression);
    const bool length = !dimension.open && dimension.exponent[0] == 1;
    double value;
    if (!lashi_take_number(&value, reader, node, path, "m|"))
        return false;
    out[0] = length ? value : LASH_UNSET;
    out[1] = length ? LASH_UNSET : value;
    return true;
}

bool lashi_take_number_pair(double out[2], lashi_reader *reader, const lashi_yaml *node, const char *path,
                            const char *unit) {
    double value[2];
    if (node->type != LASHI_YAML_LIST || node->count != 2)
        return lashi_wrong_node(reader, node, path, "a list of two numbers");
    bool fine = true;
    for (size_t i = 0; i < 2; i++)
        fine = lashi_take_number(&value[i], reader, node->items[i], path, unit) && fine;
    if (fine)
        memcpy(out, value, sizeof value);
    return fine;
}

static bool is_vector(lashi_reader *reader, const lashi_yaml *node, const char *path) {
    size_t count = reader->model->space == LASH_PLANAR ? 2 : 3;
    if (node->type != LASHI_YAML_LIST)
        return lashi_wrong_node(reader, node, path, count == 2 ? "a list [x, y]" : "a list [x, y, z]");
    if (node->count != count) {
        lashi_say(reader, node, 0, path, "expects %zu components%s, found %zu%s", count,
                  count == 3 ? " in space" : "", node->count,
                  count == 2 && node->count == 3
                      ? "; a model in space has `space: spatial`, and decimals are written with a point"
                  : node->count > count ? "; decimals are written with a point"
                                        : "");
        return false;
    }
    return true;
}

bool lashi_take_vector(double out[3], lashi_reader *reader, const lashi_yaml *node, const char *path,
                       const char *unit) {
    if (!is_vector(reader, node, path))
        return false;
    bool fine = true;
    double value[3] = {0};
    for (size_t i = 0; i < node->count; i++)
        fine = lashi_take_number(&value[i], reader, node->items[i], path, unit) && fine;
    if (fine)
        memcpy(out, value, sizeof value);
    return fine;
}

bool lashi_take_expression_vector(lash_expression *out[3], lashi_reader *reader, const lashi_yaml *node,
                                  const char *path, const char *unit) {
    if (!is_vector(reader, node, path))
        return false;
    bool fine = true;
    lash_expression *parts[3] = {0};
    for (size_t i = 0; i < node->count; i++)
        fine = lashi_take_expression(&parts[i], reader, node->items[i], path, unit) && fine;
    for (size_t i = 0; i < 3; i++) {
        if (fine)
            out[i] = parts[i];
        else
            lash_expression_destroy(parts[i]);
    }
    return fine;
}

// ---- words

static const char *listed_parameter(const void *list, size_t index) {
    const lashi_reader *reader = list;
    return index < reader->parameter_count ? reader->parameters[index].name : NULL;
}

const char *lashi_full_name(const lashi_reader *reader, const char *name, bool point) {
    static const char ground[] = "ground";
    const size_t length = sizeof ground - 1;
    const bool of_ground = strncmp(name, ground, length) == 0 && (!name[length] || name[length] == '.');
    const bool origin = of_ground && !name[length] && point && reader->placing.moved;
    if (!reader->prefix || !reader->prefix[0] || (of_ground && !name[length] && !origin))
        return name;
    const char *full = of_ground ? lashi_arena_print(reader->arena, "%s.%s%s", ground, reader->prefix,
                                                     origin ? LASHI_ORIGIN : name + length + 1)
                                 : lashi_arena_print(reader->arena, "%s%s", reader->prefix, name);
    if (!full)
        reader->diagnostics->out_of_memory = true;
    return full ? full : name;
}

/* The parameter that the text names, if it does so; false after reporting that there is none such. */
static bool find_named(lashi_parameter **out, lashi_reader *reader, const lashi_yaml *node,
                       const char *path) {
    const char *why;
    *out = NULL;
    if (node->text[0] != '$' || !lashi_name_is_valid(node->text + 1, true, &why))
        return true;
    lashi_parameter *parameter = *out = lashi_find_parameter(reader, node->text + 1);
    if (!parameter) {
        const char *nearest = lashi_nearest(node->text + 1, listed_parameter, reader);
        lashi_say(reader, node, 0, path, "unknown parameter %.100s%s%s%s", node->text,
                  nearest ? "; did you mean $" : "; define it under parameters", nearest ? nearest : "",
                  nearest ? "?" : "");
        return false;
    }
    parameter->used = true;
    return parameter->state != LASHI_PARAMETER_BAD;
}

/* A word, and the parameter that gives it; NULL: none. */
static bool take_word(const char **out, lashi_parameter **parameter, lashi_reader *reader,
                      const lashi_yaml *node, const char *path, const char *what) {
    if (node->type != LASHI_YAML_SCALAR || !node->text[0])
        return lashi_wrong_node(reader, node, path, what);
    if (!find_named(parameter, reader, node, path))
        return false;
    *out = *parameter ? (*parameter)->word : node->text;
    if (!*parameter || (*parameter)->is_switch || (*parameter)->is_name)
        return true;
    lashi_say(reader, node, 0, path, "$%s is a number; %s belongs here", (*parameter)->name, what);
    return false;
}

bool lashi_take_word(const char **out, lashi_reader *reader, const lashi_yaml *node, const char *path,
                     const char *what) {
    lashi_parameter *parameter;
    if (!take_word(out, &parameter, reader, node, path, what))
        return false;
    const bool is_name = parameter && parameter->is_name;
    if (is_name)
        lashi_say(reader, node, 0, path, "%s is the name of an object; %s belongs here", node->text, what);
    return !is_name;
}

bool lashi_take_name(const char **out, lashi_reader *reader, const lashi_yaml *node, const char *path,
                     const char *what, bool point) {
    lashi_parameter *parameter;
    if (!take_word(out, &parameter, reader, node, path, what))
        return false;
    if (!parameter || !parameter->given || !parameter->is_name) // else it is a name from outside already
        *out = lashi_full_name(reader, *out, point);
    return true;
}

bool lashi_take_pair(const char *out[2], lashi_reader *reader, const lashi_yaml *node, const char *path,
                     const char *what, bool one_is_enough) {
    const bool point = !one_is_enough && strchr(what, '.');
    char expected[TEXT];
    snprintf(expected, sizeof expected, "a list of two: [%s, %s]%s%s", what, what,
             one_is_enough ? ", or " : "", one_is_enough ? what : "");
    if (one_is_enough && node->type == LASHI_YAML_SCALAR)
        return lashi_take_name(&out[0], reader, node, path, expected, false);
    if (node->type != LASHI_YAML_LIST)
        return lashi_wrong_node(reader, node, path, expected);
    if (node->count != 2) {
        lashi_say(reader, node, 0, path, "expects %s, found a list of %zu", expected, node->count);
        return false;
    }
    bool first = lashi_take_name(&out[0], reader, node->items[0], path, what, point);
    bool second = lashi_take_name(&out[1], reader, node->items[1], path, what, point);
    return first && second;
}

bool lashi_take_flag(bool *out, lashi_reader *reader, const lashi_yaml *node, const char *path) {
    const char *word = NULL;
    if (!lashi_take_word(&word, reader, node, path, "true or false"))
        return false;
    *out = strcmp(word, "true") == 0;
    return *out || strcmp(word, "false") == 0 || lashi_wrong_node(reader, node, path, "true or false");
}

// The words of `hold` that fit the space.
static const char *hold_name(const void *list, size_t index) {
    const lash_space *space = list;
    for (size_t i = 0; lashi_hold_at(i).name; i++)
        if (lashi_fits(lashi_hold_at(i).space, *space) && index-- == 0)
            return lashi_hold_at(i).name;
    return NULL;
}

static bool take_held(unsigned *out, lashi_reader *reader, const lashi_yaml *node, const char *path) {
    const lash_space space = reader->model->space;
    const char *word, *words = space == LASH_PLANAR ? "one of x, y, angle, vx, vy, w"
                                                    : "one of x, y, z, orientation, vx, vy, vz, w";
    if (!lashi_take_word(&word, reader, node, path, words))
        return false;
    for (size_t i = 0; lashi_hold_at(i).name; i++) {
        const lashi_hold hold = lashi_hold_at(i);
        if (strcmp(hold.name, word) != 0)
            continue;
        if (lashi_fits(hold.space, space)) {
            *out |= hold.bit;
            return true;
        }
        lashi_say(reader, node, 0, path, "'%s' is for %s models%s%s", hold.name,
                  lashi_fits(hold.space, LASH_PLANAR) ? "planar" : "spatial", hold.instead ? "; " : "",
                  hold.instead ? hold.instead : "");
        return false;
    }
    const char *nearest = lashi_nearest(word, hold_name, &space);
    char found[TEXT];
    lashi_say(reader, node, 0, path, "%s is not %s%s%s%s", lashi_yaml_describe(found, sizeof found, node),
              words, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return false;
}

bool lashi_take_hold(unsigned *out, lashi_reader *reader, const lashi_yaml *node, const char *path) {
    *out = 0;
    if (node->type == LASHI_YAML_SCALAR)
        return take_held(out, reader, node, path);
    if (node->type != LASHI_YAML_LIST)
        return lashi_wrong_node(reader, node, path, "a list such as [x, angle]");
    bool fine = true;
    for (size_t i = 0; i < node->count; i++)
        fine = take_held(out, reader, node->items[i], path) && fine;
    return fine;
}

// ---- "groove at 90 deg"

bool lashi_take_inlet(lash_lubricant_def *out, lashi_reader *reader, const lashi_yaml *node,
                      const char *path) {
    static const char groove[] = "groove at ";
    const bool scalar = node->type == LASHI_YAML_SCALAR;
    const bool grooved = scalar && strncmp(node->text, groove, strlen(groove)) == 0;
    if (!grooved && scalar && (strstr(node->text, " at ") || strcmp(node->text, "groove at") == 0)) {
        lashi_say(reader, node, 0, path, "a groove is written with its angle, as in groove at 90 deg");
        return false;
    }
    if (!grooved)
        return lashi_take_word(&out->inlet, reader, node, path, "periodic, max-film, or groove at 90 deg");
    const char *angle = node->text + strlen(groove);
    // Blanks instead of the words keep the columns of mistakes right.
    const char *text = lashi_arena_print(reader->arena, "%*s%s", (int)strlen(groove), "", angle);
    lash_expression *expression;
    if (!text) {
        reader->diagnostics->out_of_memory = true;
        return false;
    }
    if (!compile(&expression, reader, node, text, path, "rad", LASHI_OF_NOTHING))
        return false;
    const double value = lashi_expression_value(expression, 0);
    const lashi_dimension dimension = lashi_expression_dimension(expression);
    lash_expression_destroy(expression);
    if (dimension.open) {
        lashi_say(reader, node, 0, path, "the angle needs its unit: write groove at %.100s deg, or rad",
                  angle);
        return false;
    }
    if (!check_dimension(reader, node, path, "rad", dimension, angle))
        return false;
    out->inlet = "groove";
    out->groove = value;
    return true;
}

// ---- "20 rev of motor"

bool lashi_take_until(lashi_moment *out, lashi_reader *reader, const lashi_yaml *node, const char *path) {
    if (node->type != LASHI_YAML_SCALAR || !node->text[0])
        return lashi_wrong_node(reader, node, path, "a time, or turns of a drive such as 20 rev of motor");
    const char *of = strstr(node->text, " of ");
    if (!of && (strstr(node->text, " rev") || strstr(node->text, " turn"))) {
        const lash_model *model = reader->model;
        lashi_say(reader, node, 0, path, "turns of what? Name the drive, as in %.*s rev of %s",
                  (int)strcspn(node->text, " "), node->text,
                  model->drive_count ? model->drives[0].name : "motor");
        return false;
    }
    if (!of)
        return lashi_take_number(&out->time, reader, node, path, "s");
    char *turns = lashi_arena_print(reader->arena, "%.*s", (int)(of - node->text), node->text);
    const char *drive = of + strlen(" of ");
    drive += strspn(drive, " ");
    lash_expression *expression;
    if (!turns) {
        reader->diagnostics->out_of_memory = true;
        return false;
    }
    if (!compile(&expression, reader, node, turns, path, "rad", LASHI_OF_NOTHING))
        return false;
    double angle = lashi_expression_value(expression, 0);
    lashi_dimension dimension = lashi_expression_dimension(expression);
    lash_expression_destroy(expression);
    const char *why;
    if (dimension.open) {
        lashi_say(reader, node, 0, path, "the turns need their unit: write %.100s rev of %.100s", turns,
                  drive);
        return false;
    }
    if (!check_dimension(reader, node, path, "rad", dimension, turns))
        return false;
    if (!lashi_full_name_is_valid(drive, true, &why)) {
        lashi_say(reader, node, (int)(drive - node->text) + 1, path,
                  "the name of a drive belongs after `of`, as in 20 rev of motor");
        return false;
    }
    out->turns = angle / TURN;
    out->drive = drive;
    return true;
}
