/* SPDX-License-Identifier: MIT
 *
 * Inputs and signals of a model file, and what names in expressions stand for while it is read.
 *
 * A signal may use others that come later. So all of them are declared first, and the dimension of one is
 * worked out when it is asked for, without a word about what is wrong with it: that is said when it is read.
 * One that is met again on the way, through a state or in a cycle, fits everything.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "input/reader.h"
#include "input/units.h"
#include "model/quantity.h"

enum { TEXT = 256, MOST_SIGNALS = 10000 };

static lashi_dimension of_unit(const char *unit) {
    double scale, offset;
    char why[TEXT];
    lashi_dimension dimension = {.open = true};
    if (!unit || !lashi_unit_parse(&scale, &offset, &dimension, unit, strlen(unit), NULL, why, sizeof why))
        return (lashi_dimension){.open = true};
    return dimension;
}

static bool same(lashi_dimension a, lashi_dimension b) {
    return memcmp(a.exponent, b.exponent, sizeof a.exponent) == 0;
}

/* The SI unit of a dimension as one writes it. */
static const char *unit_of(lashi_reader *reader, lashi_dimension dimension) {
    static const char *const usual[] = {"m", "m/s",   "N",   "N m", "N/m", "W",     "Pa",    "kg",
                                        "s", "m/s^2", "N s", "A",   "K",   "N s/m", "N/m^2", "kg m^2"};
    char text[LASHI_UNIT_TEXT];
    if (dimension.open)
        return "";
    if (dimension.angle && same(dimension, of_unit("rad")))
        return "rad";
    if (dimension.angle && same(dimension, of_unit("rad/s")))
        return "rad/s";
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (same(dimension, of_unit(usual[i])))
            return usual[i];
    lashi_dimension_unit(text, dimension);
    const char *copy = lashi_arena_copy_text(reader->arena, text);
    if (!copy)
        reader->diagnostics->out_of_memory = true;
    return copy ? copy : "";
}

/* ---- declared signals ---- */

void lashi_declare_signals(lashi_reader *reader) {
    const lashi_yaml *map = lashi_yaml_find(reader->root, "signals");
    if (!map || map->type != LASHI_YAML_MAP || map->count > MOST_SIGNALS)
        return;
    reader->signals = lashi_arena_alloc(reader->arena, map->count, sizeof *reader->signals);
    if (!reader->signals) {
        reader->diagnostics->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < map->count; i++) {
        const lashi_yaml *key = map->items[2 * i], *node = map->items[2 * i + 1];
        bool fine;
        const size_t errors = reader->diagnostics->error_count;
        if (node->type == LASHI_YAML_MAP && !lashi_when(&fine, reader, node))
            continue;
        if (reader->diagnostics->error_count > errors)
            continue;
        reader->signals[reader->signal_count++] =
            (lashi_signal_reading){.name = lashi_full_name(reader, key->text, false), .node = node};
    }
}

/* The dimension of a text; open where it cannot be told. */
static lashi_dimension of_text(lashi_reader *reader, const lashi_yaml *node) {
    lash_expression *expression;
    lashi_dimension dimension = {.open = true};
    lash_error unused;
    if (!node || node->type != LASHI_YAML_SCALAR || node->empty)
        return dimension;
    const lash_status status = lashi_compile_text(&expression, reader, node->text, LASHI_OF_STATE, &unused);
    if (status == LASH_ERROR_MEMORY)
        reader->diagnostics->out_of_memory = true;
    if (!status) {
        dimension = lashi_expression_dimension(expression);
        lash_expression_destroy(expression);
    }
    return dimension;
}

static lashi_dimension of_signal(lashi_reader *reader, lashi_signal_reading *signal) {
    static const char *const keys[] = {"value", "lag", "hold", "integral"};
    const lashi_yaml *node = signal->node;
    if (signal->state == LASHI_PARAMETER_DONE)
        return signal->dimension;
    if (signal->state == LASHI_PARAMETER_OPEN)
        return (lashi_dimension){.open = true};
    signal->state = LASHI_PARAMETER_OPEN;
    lashi_dimension dimension = {.open = true};
    if (node->type == LASHI_YAML_SCALAR)
        dimension = of_text(reader, node);
    for (size_t i = 0; node->type == LASHI_YAML_MAP && i < sizeof keys / sizeof *keys; i++) {
        const lashi_yaml *item = lashi_yaml_find(node, keys[i]);
        if (!item)
            continue;
        dimension = of_text(reader, item);
        if (strcmp(keys[i], "integral") == 0)
            dimension.exponent[2]++;
    }
    const lashi_yaml *unit = node->type == LASHI_YAML_MAP ? lashi_yaml_find(node, "unit") : NULL;
    if (unit && unit->type == LASHI_YAML_SCALAR)
        dimension = of_unit(unit->text);
    signal->dimension = dimension;
    signal->state = LASHI_PARAMETER_DONE;
    return dimension;
}

/* ---- what names stand for ---- */

/* Of a force of one part that is still to be read. */
static lashi_naming of_force(lashi_quantity *out, lashi_reader *part, const char *name) {
    const lashi_yaml *forces = lashi_yaml_find(part->root, "forces");
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && forces && forces->type == LASHI_YAML_MAP && i < forces->count; i++) {
        const char *full = lashi_full_name(part, forces->items[2 * i]->text, false);
        const lashi_yaml *node = forces->items[2 * i + 1];
        if (strlen(full) != (size_t)(dot - name) || strncmp(full, name, (size_t)(dot - name)) != 0)
            continue;
        const lashi_yaml *type = lashi_yaml_find(node, "type"), *joint = lashi_yaml_find(node, "joint"),
                         *which = lashi_yaml_find(node, "coordinate");
        const size_t index =
            joint && joint->type == LASHI_YAML_SCALAR
                ? lashi_model_find_joint(part->model, lashi_full_name(part, joint->text, false))
                : LASHI_NONE;
        char coordinate =
            index == LASHI_NONE ? 'r' : lashi_joint_coordinate(part->model->joints[index].def.type);
        if (which && which->type == LASHI_YAML_SCALAR)
            coordinate = strcmp(which->text, "travel") == 0 ? 't' : 'r';
        return type && type->type == LASHI_YAML_SCALAR
                   ? lashi_force_quantity(out, type->text, coordinate, dot + 1)
                   : LASHI_UNKNOWN;
    }
    return LASHI_UNKNOWN;
}

/* Names of signals and inputs that this part sees as its own. */
static const char *signal_or_input(const void *list, size_t index) {
    const lashi_reader *reader = list;
    if (index < reader->signal_count)
        return reader->signals[index].name + strlen(reader->prefix);
    index -= reader->signal_count;
    return index < reader->model->input_count ? reader->model->inputs[index].name : NULL;
}

lashi_naming lashi_read_quantity(lashi_dimension *dimension, void *context, const char *name, char *why,
                                 size_t why_size) {
    const lashi_reader *reader = context;
    lashi_reader *first = reader->parts ? reader->parts->first : NULL;
    lashi_quantity quantity;
    *dimension = (lashi_dimension){.open = true};
    for (lashi_reader *part = first; part; part = part->next)
        for (size_t i = 0; i < part->signal_count; i++)
            if (strcmp(part->signals[i].name, name) == 0) {
                *dimension = of_signal(part, &part->signals[i]);
                return LASHI_KNOWN;
            }
    lashi_naming naming = lashi_model_quantity(&quantity, reader->model, name, why, why_size);
    const char *near =
        naming == LASHI_UNKNOWN && !strchr(name, '.') ? lashi_nearest(name, signal_or_input, reader) : NULL;
    if (near)
        snprintf(why, why_size, "there is no signal or input '%.100s'; did you mean '%s'?", name, near);
    for (lashi_reader *part = first; part && naming == LASHI_UNKNOWN; part = part->next)
        if (of_force(&quantity, part, name) == LASHI_KNOWN)
            naming = LASHI_KNOWN;
    if (naming == LASHI_KNOWN && quantity.unit)
        *dimension = of_unit(quantity.unit);
    return naming;
}

/* ---- reading ---- */

/* A name that is also a unit would hide it: 5 N*m. But u, the unit of atomic mass, is what a control signal
 * is usually called. */
static bool is_unit(lashi_reader *reader, const lashi_yaml *name) {
    double scale, offset;
    lashi_dimension unused;
    char why[TEXT];
    if (strcmp(name->text, "u") == 0 || lashi_meaning(name->text) || // which the model refuses
        !lashi_unit_parse(&scale, &offset, &unused, name->text, strlen(name->text), NULL, why, sizeof why))
        return false;
    lashi_mistake(reader->diagnostics, name->line, name->column,
                  "%s'%s' is a unit, and an expression such as 2*%s would mean the unit; choose another name",
                  reader->subject, name->text, name->text);
    return true;
}

/* The initial value or the default must fit the rest. */
static void check_fit(lashi_reader *reader, const lashi_yaml *node, const char *key, lashi_dimension wanted) {
    const lashi_yaml *item = node->type == LASHI_YAML_MAP ? lashi_yaml_find(node, key) : NULL;
    char given[TEXT], needed[TEXT];
    if (!item || wanted.open)
        return;
    const lashi_dimension found = of_text(reader, item);
    if (!lashi_dimension_fits(found, wanted))
        lashi_say(reader, item, 0, key, "%s where %s belongs",
                  lashi_dimension_print(given, sizeof given, found),
                  lashi_name_dimension(needed, sizeof needed, wanted, NULL));
}

static bool check_unit(lashi_reader *reader, const lashi_yaml *node) {
    const lashi_yaml *unit = node->type == LASHI_YAML_MAP ? lashi_yaml_find(node, "unit") : NULL;
    double scale, offset;
    lashi_dimension unused;
    char why[TEXT];
    if (!unit || unit->type != LASHI_YAML_SCALAR ||
        lashi_unit_parse(&scale, &offset, &unused, unit->text, strlen(unit->text), NULL, why, sizeof why))
        return true;
    lashi_say(reader, unit, 0, "unit", "%s", why);
    return false;
}

static void read_signal(lashi_reader *reader, const lashi_yaml *name, const lashi_yaml *node) {
    lash_signal_def def = lash_signal_default();
    lash_error error = {0};
    lashi_signal_reading *signal = NULL;
    for (size_t i = 0; i < reader->signal_count; i++)
        if (reader->signals[i].node == node)
            signal = &reader->signals[i];
    const bool fit = !is_unit(reader, name) && check_unit(reader, node);
    const size_t first = lashi_read_definition(&def, reader, name, node, &lashi_signal_kind, NULL);
    const lashi_dimension dimension = signal ? of_signal(reader, signal) : (lashi_dimension){.open = true};
    def.unit = unit_of(reader, dimension);
    if (fit)
        check_fit(reader, node, "initial", dimension);
    const lash_status status = lash_model_add_signal(reader->model, name->text, &def, &error);
    lashi_finish_object(reader, name, first, status,
                        status ? NULL : reader->model->signals[reader->model->signal_count - 1].name, &error);
}

void lashi_take_signals(lashi_reader *first) {
    lashi_read_objects(first, "signals", "signal", read_signal);
}

const char *lashi_input_setting(const lash_setting *setting) {
    static const char prefix[] = "inputs.";
    const size_t length = strlen(prefix);
    return setting->name && strncmp(setting->name, prefix, length) == 0 ? setting->name + length : NULL;
}

static void read_input(lashi_reader *reader, const lashi_yaml *name, const lashi_yaml *node) {
    lash_input_def def = lash_input_default();
    lash_error error = {0};
    const lashi_yaml *unit = node->type == LASHI_YAML_MAP ? lashi_yaml_find(node, "unit") : NULL,
                     *value = node->type == LASHI_YAML_MAP ? lashi_yaml_find(node, "default") : node;
    const bool fit = !is_unit(reader, name) && check_unit(reader, node);
    lashi_dimension dimension =
        unit && unit->type == LASHI_YAML_SCALAR ? of_unit(unit->text) : of_text(reader, value);
    const char *text = unit_of(reader, dimension);
    reader->input_unit = dimension.open ? "*" : text;
    const size_t first = lashi_read_definition(&def, reader, name, node, &lashi_input_kind, NULL);
    reader->input_unit = NULL;
    def.unit = text;
    if (fit)
        check_fit(reader, node, "default", dimension);
    const lash_status status = lash_model_add_input(reader->model, name->text, &def, &error);
    lashi_finish_object(reader, name, first, status,
                        status ? NULL : reader->model->inputs[reader->model->input_count - 1].name, &error);
}

static const char *input_name(const void *list, size_t index) {
    const lash_model *model = list;
    return index < model->input_count ? model->inputs[index].name : NULL;
}

void lashi_take_inputs(lashi_reader *reader, const lash_load_options *options) {
    lashi_read_objects(reader, "inputs", "input", read_input);
    for (size_t i = 0; options && i < options->setting_count; i++) {
        const lash_setting *setting = &options->settings[i];
        const char *name = lashi_input_setting(setting);
        if (!name)
            continue;
        size_t k = 0;
        while (k < reader->model->input_count && strcmp(reader->model->inputs[k].name, name) != 0)
            k++;
        if (k == reader->model->input_count) {
            const char *near = lashi_nearest(name, input_name, reader->model);
            lashi_setting_mistake(reader->diagnostics, setting, "the model has no input '%.100s'%s%s%s", name,
                                  near ? "; did you mean '"
                                       : "; its inputs are listed under inputs in the file",
                                  near ? near : "", near ? "'?" : "");
            continue;
        }
        lash_input_def *def = &reader->model->inputs[k].def;
        const lashi_yaml node = {.type = LASHI_YAML_SCALAR,
                                 .line = -1 - (int)i,
                                 .text = setting->value ? setting->value : "",
                                 .empty = !setting->value || !setting->value[0]};
        lash_table_destroy(def->table);
        def->table = NULL;
        const char *folder = reader->folder;
        reader->folder = ""; // a file of the command line is not searched for beside the model
        reader->input_unit = def->unit ? def->unit : "*";
        lashi_take_table(&def->table, reader, &node, name, "s,*");
        reader->input_unit = NULL;
        reader->folder = folder;
    }
}
