/* SPDX-License-Identifier: MIT
 *
 * Parameters of a model file: numbers with units that may use one another in any order, and switches
 * ({choose: ideal, from: [ideal, clearance]}) that `when` asks for. Settings from outside replace values and
 * go through the same checks.
 *
 * Numbers are worked out depth first. A parameter met again while it is open closes a cycle, which is said
 * once.
 */
#include "input/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST_PARAMETERS = 1000, TEXT = 256 }; // bounds the depth of the recursion too

// ---- names in texts

static size_t name_length(const char *text) {
    size_t n = 0;
    while ((text[n] >= 'A' && text[n] <= 'Z') || (text[n] >= 'a' && text[n] <= 'z') || text[n] == '_' ||
           (n > 0 && text[n] >= '0' && text[n] <= '9'))
        n++;
    return n;
}

// The next parameter after a $ in *text, which moves on; NULL: no more. Unknown names are passed over.
static lashi_parameter *next_use(const lashi_reader *reader, const char **text) {
    const char *dollar;
    while ((dollar = strchr(*text, '$')) != NULL) {
        char name[TEXT];
        size_t n = name_length(dollar + 1);
        *text = dollar + 1 + n;
        if (n == 0 || n >= sizeof name)
            continue;
        memcpy(name, dollar + 1, n);
        name[n] = '\0';
        lashi_parameter *parameter = lashi_find_parameter(reader, name);
        if (parameter)
            return parameter;
    }
    return NULL;
}

lashi_parameter *lashi_find_parameter(const lashi_reader *reader, const char *name) {
    const lashi_name_entry *entry = lashi_names_find(&reader->names, 0, name);
    return entry ? &reader->parameters[entry->index] : NULL;
}

bool lashi_use_parameters(const lashi_reader *reader, const char *text) {
    bool fine = true;
    lashi_parameter *used;
    while ((used = next_use(reader, &text)) != NULL) {
        used->used = true;
        fine = fine && used->state != LASHI_PARAMETER_BAD;
    }
    return fine;
}

const lashi_parameter *lashi_used_switch(const lashi_reader *reader, const char *text) {
    const lashi_parameter *used;
    while ((used = next_use(reader, &text)) != NULL)
        if (used->is_switch)
            return used;
    return NULL;
}

const lashi_parameter *lashi_used_setting(const lashi_reader *reader, const char *text) {
    const lashi_parameter *used;
    while ((used = next_use(reader, &text)) != NULL)
        if (used->setting)
            return used;
    return NULL;
}

static const char *listed_parameter(const void *list, size_t index) {
    const lashi_reader *reader = list;
    return index < reader->parameter_count ? reader->parameters[index].name : NULL;
}

static const char *listed_choice(const void *list, size_t index) {
    const lashi_yaml *choices = list;
    return index < choices->count ? choices->items[index]->text : NULL;
}

static const char *list_choices(char *buffer, size_t size, const lashi_yaml *choices) {
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < choices->count && used + 8 < size; i++) {
        char quoted[TEXT];
        const char *text = choices->items[i]->text;
        int more = snprintf(buffer + used, size - used, "%s%s", i ? ", " : "",
                            lashi_quote(quoted, sizeof quoted, text, strlen(text)));
        used += more > 0 ? (size_t)more : 0;
    }
    return buffer;
}

static bool is_choice(const lashi_yaml *choices, const char *word) {
    for (size_t i = 0; i < choices->count; i++)
        if (strcmp(choices->items[i]->text, word) == 0)
            return true;
    return false;
}

// ---- saying what is wrong, in the file or in the setting

static void complain(lashi_reader *reader, lashi_parameter *parameter, int column, const char *message) {
    const lashi_yaml *node = parameter->node;
    parameter->state = LASHI_PARAMETER_BAD;
    if (parameter->setting)
        lashi_setting_mistake(reader->diagnostics, parameter->setting, "parameter '%s': %s", parameter->name,
                              message);
    else if (parameter->given)
        lashi_mistake(reader->diagnostics, parameter->given->line, parameter->given->column, "%swith.%s: %s",
                      reader->outer->subject, parameter->name, message);
    else
        lashi_mistake(reader->diagnostics, node->line,
                      node->text_column && column > 0 ? node->text_column + column - 1 : node->column,
                      "parameter '%s': %s", parameter->name, message);
}

// ---- declaring

static bool scalars_only(const lashi_yaml *list) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i]->type != LASHI_YAML_SCALAR || list->items[i]->empty)
            return false;
    return true;
}

/* {name: crank.pin}: what an instance is joined to. */
static bool declare_name(lashi_reader *reader, lashi_parameter *parameter) {
    const lashi_yaml *map = parameter->node, *name = lashi_yaml_find(map, "name");
    parameter->is_name = true;
    if (map->count != 1 || name->type != LASHI_YAML_SCALAR || name->empty) {
        lashi_mistake(reader->diagnostics, map->line, map->column,
                      "parameter '%s': a name is written {name: crank.pin}", parameter->name);
        parameter->state = LASHI_PARAMETER_BAD;
        return false;
    }
    parameter->word = name->text;
    parameter->state = LASHI_PARAMETER_DONE;
    return true;
}

static bool declare_switch(lashi_reader *reader, lashi_parameter *parameter) {
    const lashi_yaml *map = parameter->node, *choose = lashi_yaml_find(map, "choose"),
                     *from = lashi_yaml_find(map, "from");
    parameter->is_switch = true;
    parameter->state = LASHI_PARAMETER_BAD;
    for (size_t i = 0; i < map->count; i++) {
        const lashi_yaml *key = map->items[2 * i];
        char quoted[TEXT];
        if (strcmp(key->text, "choose") != 0 && strcmp(key->text, "from") != 0) {
            lashi_mistake(reader->diagnostics, key->line, key->column,
                          "parameter '%s': '%s' is not a key of a switch; write {choose: a, from: [a, b]}",
                          parameter->name, lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)));
            return false;
        }
    }
    if (!choose || choose->type != LASHI_YAML_SCALAR || choose->empty || !from ||
        from->type != LASHI_YAML_LIST || from->count == 0 || !scalars_only(from)) {
        lashi_mistake(reader->diagnostics, map->line, map->column,
                      "parameter '%s': a switch is written {choose: a, from: [a, b]}", parameter->name);
        return false;
    }
    parameter->choices = from;
    parameter->word = choose->text;
    if (!is_choice(from, choose->text)) {
        char text[TEXT], quoted[TEXT];
        lashi_mistake(reader->diagnostics, choose->line, choose->column,
                      "parameter '%s': '%s' is not one of its choices: %s", parameter->name,
                      lashi_quote(quoted, sizeof quoted, choose->text, strlen(choose->text)),
                      list_choices(text, sizeof text, from));
        return false;
    }
    parameter->state = LASHI_PARAMETER_DONE;
    return true;
}

/* {value: 0.2 mm, range: [0.1 mm, 1 mm]}: a number with the range in which it makes sense. */
static void declare_ranged(lashi_reader *reader, lashi_parameter *parameter) {
    const lashi_yaml *map = parameter->node, *value = lashi_yaml_find(map, "value"),
                     *range = lashi_yaml_find(map, "range");
    for (size_t i = 0; i < map->count; i++) {
        const lashi_yaml *key = map->items[2 * i];
        char quoted[TEXT];
        if (strcmp(key->text, "value") != 0 && strcmp(key->text, "range") != 0) {
            const char *trap = lashi_yaml_trap(map, key);
            lashi_mistake(reader->diagnostics, key->line, key->column,
                          "parameter '%s': '%s' is not a key of a number; %s", parameter->name,
                          lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)),
                          trap ? trap : "write {value: 0.2 mm, range: [0.1 mm, 1 mm]}");
            parameter->state = LASHI_PARAMETER_BAD;
            return;
        }
    }
    if (!value || value->type != LASHI_YAML_SCALAR || value->empty || !range ||
        range->type != LASHI_YAML_LIST || range->count != 2 || !scalars_only(range)) {
        lashi_mistake(reader->diagnostics, map->line, map->column,
                      "parameter '%s': a number with a range is written {value: 0.2 mm, range: [0.1 mm, 1 "
                      "mm]}",
                      parameter->name);
        parameter->state = LASHI_PARAMETER_BAD;
        return;
    }
    parameter->node = value;
    parameter->range = range;
}

static void declare(lashi_reader *reader, const lashi_yaml *key, const lashi_yaml *node) {
    lashi_diagnostics *diagnostics = reader->diagnostics;
    char quoted[TEXT];
    if (name_length(key->text) != strlen(key->text) || !key->text[0]) {
        lashi_mistake(diagnostics, key->line, key->column,
                      "parameter '%s' cannot have this name: a name begins with a letter and continues with "
                      "letters, digits and _",
                      lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)));
        return;
    }
    lashi_parameter *parameter = &reader->parameters[reader->parameter_count];
    *parameter = (lashi_parameter){
        .name = key->text, .key = key, .node = node, .low = (double)NAN, .high = (double)NAN};
    lashi_name_entry entry = {.name = key->text, .index = reader->parameter_count};
    if (!lashi_names_add(&reader->names, entry)) {
        diagnostics->out_of_memory = true;
        return;
    }
    reader->parameter_count++;
    if (node->type == LASHI_YAML_MAP && lashi_yaml_find(node, "name"))
        declare_name(reader, parameter);
    else if (node->type == LASHI_YAML_MAP &&
             (lashi_yaml_find(node, "value") || lashi_yaml_find(node, "range")))
        declare_ranged(reader, parameter);
    else if (node->type == LASHI_YAML_MAP)
        declare_switch(reader, parameter);
    else if (node->type == LASHI_YAML_LIST || node->empty) {
        char found[TEXT];
        lashi_mistake(diagnostics, node->line, node->column,
                      "parameter '%s' expects a value such as 0.2 mm, found %s", parameter->name,
                      lashi_yaml_describe(found, sizeof found, node));
        parameter->state = LASHI_PARAMETER_BAD;
    }
}

static void apply_setting(lashi_reader *reader, const lash_setting *setting) {
    const char *name = setting->name ? setting->name : "", *value = setting->value ? setting->value : "";
    lashi_parameter *parameter = lashi_find_parameter(reader, name);
    char text[TEXT], quoted[TEXT];
    if (!parameter) {
        const char *nearest = lashi_nearest(name, listed_parameter, reader);
        lashi_quote(quoted, sizeof quoted, name, strlen(name));
        snprintf(text, sizeof text, "%.*s", (int)strcspn(name, "."), name);
        if (strchr(name, '.') && lashi_kind_find(&lashi_top_kind, text, reader->model->space))
            lashi_setting_mistake(reader->diagnostics, setting,
                                  "only parameters and keys of run can be set: write `parameters: {NAME: "
                                  "VALUE}` in the model and "
                                  "$NAME in place of '%s'",
                                  quoted);
        else if (strchr(name, '.'))
            lashi_setting_mistake(
                reader->diagnostics, setting,
                "the model has no parameter '%s'; those of an instance are set by its `with`, "
                "which may use the model's",
                quoted);
        else if (nearest)
            lashi_setting_mistake(reader->diagnostics, setting,
                                  "the model has no parameter '%s'; did you mean '%s'?", quoted, nearest);
        else
            lashi_setting_mistake(reader->diagnostics, setting,
                                  "the model has no parameter '%s'; only what is listed under parameters in "
                                  "the file can be set",
                                  quoted);
        return;
    }
    if (parameter->setting) {
        lashi_setting_mistake(reader->diagnostics, setting, "parameter '%s' is set twice", name);
        return;
    }
    parameter->setting = setting;
    if (parameter->is_name)
        parameter->word = value;
    if (!parameter->is_switch || !parameter->choices)
        return;
    parameter->word = value;
    if (is_choice(parameter->choices, value))
        return;
    parameter->state = LASHI_PARAMETER_BAD;
    const char *nearest = lashi_nearest(value, listed_choice, parameter->choices);
    lashi_quote(quoted, sizeof quoted, value, strlen(value));
    lashi_setting_mistake(reader->diagnostics, setting,
                          "parameter '%s': '%s' is not one of its choices: %s%s%s%s", name, quoted,
                          list_choices(text, sizeof text, parameter->choices),
                          nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

// ---- what an instance gives

static bool give_word(lashi_reader *reader, lashi_parameter *parameter, lashi_reader *outer) {
    const char *path = lashi_arena_print(reader->arena, "with.%s", parameter->name);
    char text[TEXT], quoted[TEXT];
    if (!path) {
        reader->diagnostics->out_of_memory = true;
        return false;
    }
    if (parameter->is_name)
        return lashi_take_name(&parameter->word, outer, parameter->given, path, "a name such as crank.pin",
                               true);
    if (!lashi_take_word(&parameter->word, outer, parameter->given, path, "a word"))
        return false;
    if (is_choice(parameter->choices, parameter->word))
        return true;
    snprintf(quoted, sizeof quoted, "'%.100s' is not one of its choices: %.120s", parameter->word,
             list_choices(text, sizeof text, parameter->choices));
    complain(reader, parameter, 0, quoted);
    return false;
}

/* The value of a number, worked out with the parameters of who uses the part. */
static bool give_number(lashi_reader *reader, lashi_parameter *parameter, lashi_reader *outer) {
    const lashi_yaml *node = parameter->given;
    const char *path = lashi_arena_print(reader->arena, "with.%s", parameter->name);
    lash_expression *expression;
    lash_error error;
    if (!path || node->type != LASHI_YAML_SCALAR || !node->text[0])
        return lashi_wrong_node(outer, node, path ? path : "with", "a number, with or without unit");
    if (!lashi_use_parameters(outer, node->text))
        return false;
    const lash_status status = lashi_compile_text(&expression, outer, node->text, LASHI_OF_NOTHING, &error);
    if (status == LASH_ERROR_MEMORY)
        reader->diagnostics->out_of_memory = true;
    else if (status)
        lashi_say(outer, node, error.column, path, "%s", error.message);
    if (status)
        return false;
    parameter->value = lashi_expression_value(expression, 0);
    parameter->dimension = lashi_expression_dimension(expression);
    lash_expression_destroy(expression);
    return true;
}

static void take_with(lashi_reader *reader, lashi_reader *outer, const lashi_yaml *with) {
    if (with->type != LASHI_YAML_MAP) {
        if (!with->empty)
            lashi_wrong_node(outer, with, "with", "a map of parameters and values such as {phase: 180 deg}");
        return;
    }
    for (size_t i = 0; i < with->count; i++) {
        const lashi_yaml *key = with->items[2 * i];
        lashi_parameter *parameter = lashi_find_parameter(reader, key->text);
        char quoted[TEXT];
        if (!parameter) {
            const char *nearest = lashi_nearest(key->text, listed_parameter, reader);
            lashi_mistake(reader->diagnostics, key->line, key->column,
                          "%swith: the component has no parameter '%s'%s%s%s", outer->subject,
                          lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)),
                          nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
            continue;
        }
        if (parameter->state == LASHI_PARAMETER_BAD)
            continue;
        parameter->given = with->items[2 * i + 1];
        const bool word = parameter->is_switch || parameter->is_name;
        if (!(word ? give_word : give_number)(reader, parameter, outer))
            parameter->state = LASHI_PARAMETER_BAD;
    }
}

// ---- working out

static void work_out(lashi_reader *reader, lashi_parameter *parameter);

// "a -> b -> a", from the open parameters on the stack.
static void say_cycle(lashi_reader *reader, lashi_parameter *from, lashi_parameter *to) {
    char text[TEXT];
    size_t used = 0;
    lashi_parameter *p = to;
    for (int i = 0; i < MOST_PARAMETERS; i++) {
        int more = snprintf(text + used, sizeof text - used, "$%s -> ", p->name);
        used = more > 0 && used + (size_t)more < sizeof text ? used + (size_t)more : used;
        if (p == from)
            break;
        // The open parameter that p uses is the next one of the cycle.
        const char *rest = p->setting ? p->setting->value : p->node->text;
        lashi_parameter *next;
        while ((next = next_use(reader, &rest)) != NULL && next->state != LASHI_PARAMETER_OPEN)
            ;
        if (!next)
            break;
        p = next;
    }
    char message[2 * TEXT];
    snprintf(message, sizeof message, "depends on itself: %s$%s; break the cycle", text, to->name);
    complain(reader, from, 0, message);
}

// Value and dimension of a text; false after complaining.
static bool evaluate(double *value, lashi_dimension *dimension, lashi_reader *reader,
                     lashi_parameter *parameter, const char *text) {
    lash_expression *expression;
    lash_error error;
    const lashi_parameter *word = lashi_used_switch(reader, text);
    char message[LASH_ERROR_TEXT];
    if (word) {
        snprintf(message, sizeof message, "$%s is a switch, not a number", word->name);
        complain(reader, parameter, 0, message);
        return false;
    }
    lash_status status = lashi_compile_text(&expression, reader, text, LASHI_OF_NOTHING, &error);
    if (status == LASH_ERROR_MEMORY)
        reader->diagnostics->out_of_memory = true;
    if (status) {
        size_t n = name_length(text);
        bool is_word = n > 0 && text[n] == '\0';
        snprintf(message, sizeof message, "%.900s%s", error.message,
                 is_word ? "; a switch is written {choose: a, from: [a, b]}" : "");
        complain(reader, parameter, error.column, message);
        return false;
    }
    *value = lashi_expression_value(expression, 0);
    *dimension = lashi_expression_dimension(expression);
    lash_expression_destroy(expression);
    if (isfinite(*value))
        return true;
    complain(reader, parameter, 0, "its value is not finite: an overflow or a division by zero");
    return false;
}

// Works out what a text uses. False: one of them is bad, or a cycle was closed.
static bool work_out_uses(lashi_reader *reader, lashi_parameter *parameter, const char *text) {
    lashi_parameter *used;
    for (const char *rest = text; (used = next_use(reader, &rest)) != NULL;) {
        used->used = true;
        if (used->state == LASHI_PARAMETER_OPEN) {
            say_cycle(reader, parameter, used);
            return false;
        }
        work_out(reader, used);
        if (used->state == LASHI_PARAMETER_BAD) {
            parameter->state = LASHI_PARAMETER_BAD;
            return false;
        }
    }
    return true;
}

// One end of a range; false after complaining.
static bool take_bound(double *out, lashi_reader *reader, lashi_parameter *parameter,
                       const lashi_yaml *bound) {
    lash_expression *expression;
    lash_error error;
    char given[TEXT], wanted[TEXT];
    if (!work_out_uses(reader, parameter, bound->text))
        return false;
    const lash_status status = lashi_compile_text(&expression, reader, bound->text, LASHI_OF_NOTHING, &error);
    if (status == LASH_ERROR_MEMORY)
        reader->diagnostics->out_of_memory = true;
    if (status) {
        lashi_mistake(reader->diagnostics, bound->line,
                      bound->text_column && error.column > 0 ? bound->text_column + error.column - 1
                                                             : bound->column,
                      "parameter '%s': range: %.900s", parameter->name, error.message);
        return false;
    }
    const lashi_dimension dimension = lashi_expression_dimension(expression);
    *out = lashi_expression_value(expression, 0);
    lash_expression_destroy(expression);
    if (!lashi_dimension_fits(parameter->dimension, dimension)) {
        lashi_mistake(reader->diagnostics, bound->line, bound->column,
                      "parameter '%s': range: %s where %s belongs", parameter->name,
                      lashi_dimension_print(given, sizeof given, dimension),
                      lashi_name_dimension(wanted, sizeof wanted, parameter->dimension, NULL));
        return false;
    }
    return true;
}

// The range of a number. Its value in the file lies inside, one that is set from outside need not.
static bool take_range(lashi_reader *reader, lashi_parameter *parameter) {
    const lashi_yaml *range = parameter->range;
    if (!take_bound(&parameter->low, reader, parameter, range->items[0]) ||
        !take_bound(&parameter->high, reader, parameter, range->items[1]))
        return false;
    if (!(parameter->low < parameter->high)) {
        lashi_mistake(reader->diagnostics, range->line, range->column,
                      "parameter '%s': a range goes from a smaller value to a larger one", parameter->name);
        return false;
    }
    if (!parameter->setting && (parameter->value < parameter->low || parameter->value > parameter->high)) {
        lashi_mistake(reader->diagnostics, parameter->node->line, parameter->node->column,
                      "parameter '%s': its value, %.100s, is outside of its range, %.100s to %.100s",
                      parameter->name, parameter->node->text, range->items[0]->text, range->items[1]->text);
        return false;
    }
    return true;
}

static void work_out(lashi_reader *reader, lashi_parameter *parameter) {
    if (parameter->state != LASHI_PARAMETER_NEW)
        return;
    parameter->state = LASHI_PARAMETER_OPEN;
    const char *text = parameter->setting ? parameter->setting->value : parameter->node->text;
    if (!text)
        text = "";
    if (!parameter->given && (!work_out_uses(reader, parameter, text) ||
                              !evaluate(&parameter->value, &parameter->dimension, reader, parameter, text)))
        return;
    if (parameter->given && !isfinite(parameter->value)) {
        complain(reader, parameter, 0, "its value is not finite: an overflow or a division by zero");
        return;
    }

    // A setting must be of the dimension that the file gives the parameter.
    if ((parameter->setting || parameter->given) && !strchr(parameter->node->text, '$')) {
        lash_expression *expression;
        lash_status status =
            lashi_compile_text(&expression, reader, parameter->node->text, LASHI_OF_NOTHING, NULL);
        if (status == LASH_ERROR_MEMORY)
            reader->diagnostics->out_of_memory = true;
        if (!status) {
            lashi_dimension usual = lashi_expression_dimension(expression);
            lash_expression_destroy(expression);
            char given[TEXT], wanted[TEXT], message[2 * TEXT + 32];
            if (!lashi_dimension_fits(usual, parameter->dimension)) {
                snprintf(message, sizeof message, "%s where %s belongs",
                         lashi_dimension_print(given, sizeof given, parameter->dimension),
                         lashi_name_dimension(wanted, sizeof wanted, usual, NULL));
                complain(reader, parameter, 0, message);
                return;
            }
            // "--set play=0.0002" is in SI whatever unit the file uses; the dimension stays known.
            if (parameter->dimension.open)
                parameter->dimension = usual;
        }
    }
    if (parameter->range && !take_range(reader, parameter)) {
        parameter->state = LASHI_PARAMETER_BAD;
        return;
    }
    parameter->state = LASHI_PARAMETER_DONE;
    reader->symbols[reader->symbol_count++] =
        (lashi_symbol){parameter->name, parameter->value, parameter->dimension};
}

void lashi_take_parameters(lashi_reader *reader, const lashi_yaml *section, const lash_load_options *options,
                           lashi_reader *outer, const lashi_yaml *with) {
    if (section && section->type != LASHI_YAML_MAP) {
        if (!section->empty)
            lashi_wrong_node(reader, section, "parameters", "a map of names and values");
        section = NULL;
    }
    size_t count = section ? section->count : 0;
    if (count > MOST_PARAMETERS) {
        lashi_mistake(reader->diagnostics, section->line, section->column,
                      "parameters: there are %zu of them; at most %d are allowed", count, MOST_PARAMETERS);
        count = MOST_PARAMETERS;
    }
    reader->parameters = lashi_arena_alloc(reader->arena, count, sizeof *reader->parameters);
    reader->symbols = lashi_arena_alloc(reader->arena, count, sizeof *reader->symbols);
    if (!reader->parameters || !reader->symbols) {
        reader->diagnostics->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        declare(reader, section->items[2 * i], section->items[2 * i + 1]);
    for (size_t i = 0; options && i < options->setting_count; i++)
        if (!lashi_run_setting(&options->settings[i]) && !lashi_input_setting(&options->settings[i]) &&
            !lashi_worn_setting(&options->settings[i]))
            apply_setting(reader, &options->settings[i]);
    if (with)
        take_with(reader, outer, with);
    for (size_t i = 0; i < reader->parameter_count; i++)
        work_out(reader, &reader->parameters[i]);
}

// ---- when

static bool has_value(bool *fine, lashi_reader *reader, const lashi_parameter *parameter,
                      const lashi_yaml *value) {
    char text[TEXT], quoted[TEXT];
    if (value->type != LASHI_YAML_SCALAR || value->empty) {
        *fine = lashi_wrong_node(reader, value, "when", "a choice of the switch, or a list of them");
        return false;
    }
    if (!is_choice(parameter->choices, value->text)) {
        const char *nearest = lashi_nearest(value->text, listed_choice, parameter->choices);
        lashi_mistake(reader->diagnostics, value->line, value->column,
                      "%swhen: '%s' is not one of the choices of '%s': %s%s%s%s", reader->subject,
                      lashi_quote(quoted, sizeof quoted, value->text, strlen(value->text)), parameter->name,
                      list_choices(text, sizeof text, parameter->choices), nearest ? "; did you mean '" : "",
                      nearest ? nearest : "", nearest ? "'?" : "");
        *fine = false;
        return false;
    }
    return strcmp(parameter->word, value->text) == 0;
}

// What is in a part that is left out counts as used all the same.
static void use_below(lashi_reader *reader, const lashi_yaml *node) {
    if (node->type == LASHI_YAML_SCALAR)
        lashi_use_parameters(reader, node->text);
    size_t count = node->type == LASHI_YAML_MAP ? 2 * node->count : node->count;
    for (size_t i = 0; i < count; i++) {
        if (node->type == LASHI_YAML_MAP && i % 2 == 0) {
            lashi_parameter *named = lashi_find_parameter(reader, node->items[i]->text); // a key of `when`
            if (named)
                named->used = true;
        } else
            use_below(reader, node->items[i]);
    }
}

bool lashi_when(bool *fine, lashi_reader *reader, const lashi_yaml *map) {
    const lashi_yaml *when = lashi_yaml_find(map, "when");
    *fine = true;
    if (!when)
        return true;
    if (when->type != LASHI_YAML_MAP) {
        *fine = lashi_wrong_node(reader, when, "when", "a map such as {gudgeon: clearance}");
        return true;
    }
    bool stands = true;
    for (size_t i = 0; i < when->count; i++) {
        const lashi_yaml *key = when->items[2 * i], *value = when->items[2 * i + 1];
        lashi_parameter *parameter = lashi_find_parameter(reader, key->text);
        char quoted[TEXT];
        if (!parameter) {
            const char *nearest = lashi_nearest(key->text, listed_parameter, reader);
            lashi_mistake(reader->diagnostics, key->line, key->column,
                          "%swhen: there is no parameter '%s'%s%s%s", reader->subject,
                          lashi_quote(quoted, sizeof quoted, key->text, strlen(key->text)),
                          nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
            *fine = false;
            continue;
        }
        parameter->used = true;
        if (parameter->state == LASHI_PARAMETER_BAD) {
            *fine = false;
            continue;
        }
        if (!parameter->is_switch) {
            lashi_mistake(
                reader->diagnostics, key->line, key->column,
                "%swhen: '%s' is a number; only a switch ({choose: a, from: [a, b]}) can be used here",
                reader->subject, parameter->name);
            *fine = false;
            continue;
        }
        bool holds = false;
        if (value->type == LASHI_YAML_LIST)
            for (size_t k = 0; k < value->count; k++)
                holds = has_value(fine, reader, parameter, value->items[k]) || holds;
        else
            holds = has_value(fine, reader, parameter, value);
        stands = stands && holds;
    }
    // After a mistake the thing stands, so that what refers to it is not complained about.
    if (stands || !*fine)
        return true;
    use_below(reader, map);
    return false;
}

void lashi_warn_unused(lashi_reader *reader) {
    if (reader->diagnostics->error_count) // then not all was read
        return;
    for (size_t i = 0; i < reader->parameter_count; i++) {
        const lashi_parameter *parameter = &reader->parameters[i];
        if (!parameter->used)
            lashi_warning(reader->diagnostics, parameter->key->line, parameter->key->column,
                          "parameter '%s' is used nowhere", parameter->name);
    }
}

// ---- what the model keeps of them

/* The comment at the end of a line of the text: what is behind a # after a blank, outside of quotes. */
static const char *comment_of(lashi_arena *arena, const char *text, int line) {
    for (; line > 1 && text; line--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    char quote = '\0';
    for (const char *c = text; c && *c && *c != '\n'; c++) {
        if (quote)
            quote = *c == quote ? '\0' : quote;
        else if (*c == '"' || *c == '\'')
            quote = *c;
        else if (*c == '#' && c > text && (c[-1] == ' ' || c[-1] == '\t')) {
            c += 1 + strspn(c + 1, " \t");
            size_t length = strcspn(c, "\r\n");
            while (length > 0 && (c[length - 1] == ' ' || c[length - 1] == '\t'))
                length--;
            return lashi_arena_print(arena, "%.*s", (int)length, c);
        }
    }
    return "";
}

static bool keep_choices(lash_parameter *out, lashi_arena *arena, const lashi_yaml *choices) {
    const char **list = lashi_arena_alloc(arena, choices->count + 1, sizeof *list);
    for (size_t i = 0; list && i < choices->count; i++) {
        list[i] = lashi_arena_copy_text(arena, choices->items[i]->text);
        if (!list[i])
            return false;
    }
    out->choices = list;
    return list != NULL;
}

bool lashi_keep_parameters(const lashi_reader *reader) {
    lash_model *model = reader->model;
    lashi_arena *arena = &model->arena;
    model->parameters = lashi_arena_alloc(arena, reader->parameter_count, sizeof *model->parameters);
    for (size_t i = 0; model->parameters && i < reader->parameter_count; i++) {
        const lashi_parameter *from = &reader->parameters[i];
        if (from->is_name)
            continue;
        const char *usual = from->is_switch ? lashi_yaml_find(from->node, "choose")->text : from->node->text;
        const char *text = from->is_switch ? from->word : from->setting ? from->setting->value : usual;
        char unit[LASHI_UNIT_TEXT] = "";
        if (!from->is_switch)
            lashi_dimension_unit(unit, from->dimension);
        lash_parameter *out = &model->parameters[model->parameter_count];
        *out = (lash_parameter){.name = lashi_arena_copy_text(arena, from->name),
                                .text = lashi_arena_copy_text(arena, text ? text : ""),
                                .usual = lashi_arena_copy_text(arena, usual ? usual : ""),
                                .value = from->is_switch ? LASH_UNSET : from->value,
                                .unit = lashi_arena_copy_text(arena, unit),
                                .doc = comment_of(arena, model->text, from->key->line),
                                .low = from->low,
                                .high = from->high};
        if (!out->name || !out->text || !out->usual || !out->unit || !out->doc ||
            (from->is_switch && !keep_choices(out, arena, from->choices)))
            return false;
        model->parameter_count++;
    }
    return model->parameters != NULL;
}
