/* SPDX-License-Identifier: MIT
 *
 * lash_model: building it up. Names are checked while adding (syntax, uniqueness); everything else, which may
 * need what is added later, is checked by lash_model_validate (check.c).
 *
 * Every text is copied into the model's arena. Expressions and tables change hands: the model frees them, or
 * the add function does when it fails.
 */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/expression_names.h"
#include "math/table.h"
#include "model/motor.h"

enum { LONGEST_NAME = 200 };

static void free_drive(const lash_drive_def *drive) {
    lash_expression_destroy(drive->motion);
    lash_table_destroy(drive->table);
}

static void free_force(const lash_force_def *force) {
    for (size_t i = 0; i < 3; i++)
        lash_expression_destroy(force->force[i]);
    for (size_t i = 0; i < 3; i++)
        lash_expression_destroy(force->torques[i]);
    lash_expression_destroy(force->torque);
    lash_expression_destroy(force->actuator);
    lash_table_destroy(force->table);
    lash_table_destroy(force->motor.curve);
    if (force->actuator && force->type && strcmp(force->type, "motor") == 0)
        return; // its signals have them
    lash_expression_destroy(force->motor.voltage);
    lash_expression_destroy(force->motor.position.to);
    lash_expression_destroy(force->motor.speed.to);
}

lash_expression *lashi_signal_expression(const lash_signal_def *signal, bool *state) {
    *state = !signal->value;
    return signal->value      ? signal->value
           : signal->integral ? signal->integral
           : signal->lag      ? signal->lag
                              : signal->hold;
}

static void free_signal(const lash_signal_def *signal) {
    lash_expression_destroy(signal->value);
    lash_expression_destroy(signal->integral);
    lash_expression_destroy(signal->lag);
    lash_expression_destroy(signal->hold);
}

static void free_joint(const lash_joint_def *joint) {
    lash_expression_destroy(joint->backlash.error);
    lash_table_destroy(joint->backlash.mesh);
    lash_expression_destroy(joint->clearance.wear.bearing);
    lash_expression_destroy(joint->clearance.wear.journal);
}

// Replaces a text by the model's own copy; NULL stays NULL. False when out of memory.
static bool keep(lash_model *model, const char **text) {
    if (!*text)
        return true;
    *text = lashi_arena_copy_text(&model->arena, *text);
    return *text != NULL;
}

static bool keep_pair(lash_model *model, const char *texts[2]) {
    return keep(model, &texts[0]) && keep(model, &texts[1]);
}

static bool keep_clearance(lash_model *model, lash_clearance_def *clearance) {
    return keep(model, &clearance->model) && keep_pair(model, clearance->materials) &&
           keep(model, &clearance->contact.law) && keep(model, &clearance->contact.damping) &&
           keep(model, &clearance->contact.points) && keep(model, &clearance->contact.approach) &&
           keep(model, &clearance->contact.following) && keep(model, &clearance->friction.law) &&
           keep(model, &clearance->sliding) && keep(model, &clearance->detector) &&
           keep(model, &clearance->lubricant.film) && keep(model, &clearance->lubricant.oil) &&
           keep(model, &clearance->lubricant.extent) && keep(model, &clearance->lubricant.shear) &&
           keep(model, &clearance->lubricant.inlet);
}

static bool keep_stops(lash_model *model, lash_stops_def *stops) {
    return keep(model, &stops->coordinate) && keep(model, &stops->model) &&
           keep(model, &stops->contact.law) && keep(model, &stops->contact.approach) &&
           keep(model, &stops->contact.following);
}

static bool keep_joint(lash_model *model, lash_joint_def *joint) {
    return keep(model, &joint->type) && keep_pair(model, joint->between) && keep_pair(model, joint->joints) &&
           keep_clearance(model, &joint->clearance) && keep_stops(model, &joint->stops) &&
           keep(model, &joint->backlash.law) && keep(model, &joint->backlash.approach) &&
           keep(model, &joint->friction.law.law);
}

static const char *kind_word(unsigned kind) {
    switch (kind) {
    case LASHI_BODIES: return "body";
    case LASHI_JOINTS: return "joint";
    case LASHI_DRIVES: return "drive";
    case LASHI_FORCES: return "force";
    case LASHI_SIGNALS: return "signal";
    case LASHI_NAMED_INPUTS: return "input";
    default: return "material";
    }
}

// The model's copy of a new name in *kept, entered in the index as object `index`.
static lash_status enter_name(const char **kept, lash_model *model, unsigned space, unsigned kind,
                              size_t index, const char *what, const char *name, lash_error *error) {
    const char *why;
    char quoted[LASH_ERROR_PLACE];
    if (!lashi_full_name_is_valid(name, space != LASHI_OBJECT_SPACE, &why))
        return lashi_fail_at(
            error, LASH_ERROR_MODEL, LASH_UNSET, "", "%s '%s' cannot have this name: %s", what,
            lashi_quote(quoted, sizeof quoted, name ? name : "", name ? strlen(name) : 0), why);
    if (strlen(name) > LONGEST_NAME)
        return lashi_fail(error, LASH_ERROR_MODEL, "%s '%.40s...': a name has at most %d characters", what,
                          name, LONGEST_NAME);
    const lashi_name_entry *other = lashi_names_find(&model->names, space, name);
    if (other) {
        const char *word = space >= LASHI_POINT_SPACE ? "point" : kind_word(other->kind);
        return lashi_fail_at(error, LASH_ERROR_MODEL, LASH_UNSET, name,
                             "%s '%s': the name is taken already by %s %s; give it another one", what, name,
                             word[0] == 'i' ? "an" : "a", word);
    }
    *kept = lashi_arena_copy_text(&model->arena, name);
    lashi_name_entry entry = {.name = *kept, .space = space, .kind = kind, .index = index};
    if (!*kept || !lashi_names_add(&model->names, entry))
        return lashi_fail_memory(error);
    return LASH_OK;
}

lash_status lash_model_create(lash_model **out, lash_space space, lash_error *error) {
    if (!out)
        return lashi_fail_null(error);
    *out = NULL;
    if (space != LASH_PLANAR && space != LASH_SPATIAL)
        return lashi_fail(error, LASH_ERROR_MODEL, "a model is LASH_PLANAR or LASH_SPATIAL");
    lash_model *model = calloc(1, sizeof *model);
    if (!model)
        return lashi_fail_memory(error);
    model->title = model->text = model->file = "";
    model->space = space;
    model->run = lash_run_default();
    lashi_named_body ground = {.name = "ground", .def = lash_body_default()};
    if (!lashi_append(model->bodies, model->body_count, model->body_capacity, ground)) {
        lash_model_destroy(model);
        return lashi_fail_memory(error);
    }
    *out = model;
    return LASH_OK;
}

void lash_model_destroy(lash_model *model) {
    if (!model)
        return;
    for (size_t i = 0; i < model->joint_count; i++)
        free_joint(&model->joints[i].def);
    for (size_t i = 0; i < model->drive_count; i++)
        free_drive(&model->drives[i].def);
    for (size_t i = 0; i < model->force_count; i++)
        free_force(&model->forces[i].def);
    for (size_t i = 0; i < model->signal_count; i++)
        free_signal(&model->signals[i].def);
    for (size_t i = 0; i < model->input_count; i++)
        lash_table_destroy(model->inputs[i].def.table);
    free(model->bodies);
    free(model->points);
    free(model->materials);
    free(model->joints);
    free(model->drives);
    free(model->forces);
    free(model->signals);
    free(model->inputs);
    free(model->settings);
    free(model->places);
    free(model->absent);
    free(model->sources.list);
    lashi_arena_clear(&model->parsed);
    free(model->tables);
    free(model->names.entries);
    lashi_arena_clear(&model->arena);
    free(model);
}

lash_status lash_model_set_title(lash_model *model, const char *title, lash_error *error) {
    if (!model || !title)
        return lashi_fail_null(error);
    const char *copy = lashi_arena_copy_text(&model->arena, title ? title : "");
    if (!copy)
        return lashi_fail_memory(error);
    model->title = copy;
    return LASH_OK;
}

lash_status lash_model_set_gravity(lash_model *model, const double gravity[3], lash_error *error) {
    if (!model || !gravity)
        return lashi_fail_null(error);
    size_t count = model->space == LASH_PLANAR ? 2 : 3;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(gravity[i]))
            return lashi_fail(error, LASH_ERROR_MODEL, "gravity: every component must be a finite number");
    memset(model->gravity, 0, sizeof model->gravity);
    memcpy(model->gravity, gravity, count * sizeof *gravity);
    return LASH_OK;
}

lash_status lash_model_set_run(lash_model *model, const lash_run_def *run, lash_error *error) {
    if (!model || !run || !run->start || !run->method || !run->stabilisation || !run->solver)
        return lashi_fail_null(error);
    lash_run_def copy = *run;
    if (!copy.compiled)
        copy.compiled = "auto";
    if (copy.discard == 0 || copy.discard_turns == 0) // none, in place of what a file says
        copy.discard = copy.discard_turns = LASH_UNSET;
    if (!keep(model, &copy.until_drive) || !keep(model, &copy.discard_drive) || !keep(model, &copy.start) ||
        !keep(model, &copy.method) || !keep(model, &copy.compiled) || !keep(model, &copy.stabilisation) ||
        !keep(model, &copy.solver))
        return lashi_fail_memory(error);
    model->run = copy;
    return LASH_OK;
}

lash_status lash_model_add_body(lash_model *model, const char *name, const lash_body_def *body,
                                lash_error *error) {
    if (!model || !body)
        return lashi_fail_null(error);
    lashi_named_body named = {.def = *body};
    if (!lashi_grow(&model->bodies, &model->body_capacity, model->body_count, sizeof named))
        return lashi_fail_memory(error);
    lash_status status = enter_name(&named.name, model, LASHI_OBJECT_SPACE, LASHI_BODIES, model->body_count,
                                    "body", name, error);
    if (!status)
        model->bodies[model->body_count++] = named;
    return status;
}

lash_status lash_model_add_point(lash_model *model, const char *body, const char *name, const double at[3],
                                 lash_error *error) {
    if (!model || !body || !at)
        return lashi_fail_null(error);
    size_t index = lashi_model_find_body(model, body);
    if (index == LASHI_NONE)
        return lashi_fail(error, LASH_ERROR_MODEL, "point '%s': there is no body '%s'", name ? name : "",
                          body ? body : "");
    lashi_point point = {.body = index};
    memcpy(point.at, at, (model->space == LASH_PLANAR ? 2 : 3) * sizeof *at);
    for (size_t i = 0; i < 3; i++)
        if (!isfinite(point.at[i]))
            return lashi_fail_at(error, LASH_ERROR_MODEL, LASH_UNSET, body,
                                 "point '%s.%s': every component must be a finite number", body,
                                 name ? name : "");
    if (!lashi_grow(&model->points, &model->point_capacity, model->point_count, sizeof point))
        return lashi_fail_memory(error);
    lash_status status = enter_name(&point.name, model, LASHI_POINT_SPACE + (unsigned)index, 0,
                                    model->point_count, "point", name, error);
    if (!status)
        model->points[model->point_count++] = point;
    return status;
}

lash_status lash_model_add_material(lash_model *model, const char *name, const lash_material_def *material,
                                    lash_error *error) {
    if (!model || !material)
        return lashi_fail_null(error);
    lashi_named_material named = {.def = *material};
    if (!lashi_grow(&model->materials, &model->material_capacity, model->material_count, sizeof named))
        return lashi_fail_memory(error);
    lash_status status = enter_name(&named.name, model, LASHI_MATERIAL_SPACE, LASHI_MATERIALS,
                                    model->material_count, "material", name, error);
    if (!status)
        model->materials[model->material_count++] = named;
    return status;
}

bool lashi_is_one_pitch(const lash_table *mesh) {
    static const double ROUNDING = 1e-12;
    return fabs(lashi_table_first(mesh)) <= ROUNDING && fabs(lashi_table_last(mesh) - 1) <= ROUNDING;
}

lash_status lash_model_add_joint(lash_model *model, const char *name, const lash_joint_def *joint,
                                 lash_error *error) {
    if (!model || !joint)
        return lashi_fail_null(error);
    lashi_named_joint named = {.def = *joint, .ground = {1, 0, 0, 0}};
    lash_status status = LASH_OK;
    if (!lashi_grow(&model->joints, &model->joint_capacity, model->joint_count, sizeof named) ||
        !keep_joint(model, &named.def))
        status = lashi_fail_memory(error);
    if (!status && joint->backlash.mesh && lashi_is_one_pitch(joint->backlash.mesh))
        status = lashi_table_make_periodic(joint->backlash.mesh, 1, error);
    if (!status)
        status = enter_name(&named.name, model, LASHI_OBJECT_SPACE, LASHI_JOINTS, model->joint_count, "joint",
                            name, error);
    if (!status)
        model->joints[model->joint_count++] = named;
    else
        free_joint(joint);
    return status;
}

lash_status lash_model_add_drive(lash_model *model, const char *name, const lash_drive_def *drive,
                                 lash_error *error) {
    if (!model || !drive)
        return lashi_fail_null(error);
    lashi_named_drive named = {.def = *drive};
    lash_status status = LASH_OK;
    if (!lashi_grow(&model->drives, &model->drive_capacity, model->drive_count, sizeof named) ||
        !keep(model, &named.def.joint) || !keep(model, &named.def.coordinate) ||
        !keep(model, &named.def.body))
        status = lashi_fail_memory(error);
    if (!status)
        status = enter_name(&named.name, model, LASHI_OBJECT_SPACE, LASHI_DRIVES, model->drive_count, "drive",
                            name, error);
    if (!status)
        model->drives[model->drive_count++] = named;
    else
        free_drive(drive);
    return status;
}

lash_status lash_model_add_force(lash_model *model, const char *name, const lash_force_def *force,
                                 lash_error *error) {
    if (!model || !force)
        return lashi_fail_null(error);
    lashi_named_force named = {.def = *force};
    lash_force_def *def = &named.def;
    lash_status status = LASH_OK;
    if (!lashi_grow(&model->forces, &model->force_capacity, model->force_count, sizeof named) ||
        !keep(model, &def->type) || !keep(model, &def->at) || !keep(model, &def->body) ||
        !keep(model, &def->reaction) || !keep_pair(model, def->between) || !keep(model, &def->joint) ||
        !keep(model, &def->coordinate) || !keep(model, &def->over) || !keep(model, &def->frame))
        status = lashi_fail_memory(error);
    if (!status && def->table && !isnan(def->period) && def->period > 0) // the check refuses other periods
        status = lashi_table_make_periodic(def->table, def->period, error);
    if (!status)
        status = enter_name(&named.name, model, LASHI_OBJECT_SPACE, LASHI_FORCES, model->force_count, "force",
                            name, error);
    if (!status && def->type && strcmp(def->type, "motor") == 0)
        status = lashi_motor_expand(model, named.name, def, error);
    if (!status)
        model->forces[model->force_count++] = named;
    else
        free_force(def);
    return status;
}

const char *lashi_meaning(const char *name) {
    static const char *const taken[][2] = {{"t", "the time"},
                                           {"pi", "π"},
                                           {"e", "Euler's number"},
                                           {"and", "an operator"},
                                           {"or", "an operator"},
                                           {"not", "an operator"},
                                           {"angle", "the angle of a profile or a mesh"}};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i][0]) == 0)
            return taken[i][1];
    return lashi_function_find(name) ? "a function" : NULL;
}

/* A name that expressions use by itself: a dash in it would be a minus, and functions are not hidden. */
static lash_status fit_for_expressions(const char *what, const char *name, lash_error *error) {
    if (name && lashi_meaning(name))
        return lashi_fail_at(error, LASH_ERROR_MODEL, LASH_UNSET, "",
                             "%s '%s' cannot have this name: in expressions '%s' is %s", what, name, name,
                             lashi_meaning(name));
    if (name && strchr(name, '-'))
        return lashi_fail_at(error, LASH_ERROR_MODEL, LASH_UNSET, "",
                             "%s '%.100s' cannot have this name: in an expression the dash would be a minus; "
                             "write an underscore",
                             what, name);
    return LASH_OK;
}

lash_status lash_model_add_signal(lash_model *model, const char *name, const lash_signal_def *signal,
                                  lash_error *error) {
    if (!model || !signal)
        return lashi_fail_null(error);
    lashi_named_signal named = {.def = *signal};
    lash_status status = fit_for_expressions("signal", name, error);
    if (!status &&
        (!lashi_grow(&model->signals, &model->signal_capacity, model->signal_count, sizeof named) ||
         !keep(model, &named.def.unit)))
        status = lashi_fail_memory(error);
    if (!status)
        status = enter_name(&named.name, model, LASHI_OBJECT_SPACE, LASHI_SIGNALS, model->signal_count,
                            "signal", name, error);
    if (!status)
        model->signals[model->signal_count++] = named;
    else
        free_signal(signal);
    return status;
}

lash_status lashi_model_add_own_signal(lash_model *model, const char *name, const lash_signal_def *signal,
                                       lash_error *error) {
    lashi_named_signal named = {.name = name, .def = *signal};
    const lashi_name_entry entry = {
        .name = name, .space = LASHI_OBJECT_SPACE, .kind = LASHI_SIGNALS, .index = model->signal_count};
    if (!lashi_grow(&model->signals, &model->signal_capacity, model->signal_count, sizeof named) ||
        !keep(model, &named.def.unit) || !lashi_names_add(&model->names, entry)) {
        free_signal(signal);
        return lashi_fail_memory(error);
    }
    model->signals[model->signal_count++] = named;
    return LASH_OK;
}

lash_status lash_model_add_input(lash_model *model, const char *name, const lash_input_def *input,
                                 lash_error *error) {
    if (!model || !input)
        return lashi_fail_null(error);
    lashi_named_input named = {.def = *input};
    lash_status status = fit_for_expressions("input", name, error);
    if (!status && (!lashi_grow(&model->inputs, &model->input_capacity, model->input_count, sizeof named) ||
                    !keep(model, &named.def.unit)))
        status = lashi_fail_memory(error);
    if (!status)
        status = enter_name(&named.name, model, LASHI_OBJECT_SPACE, LASHI_NAMED_INPUTS, model->input_count,
                            "input", name, error);
    if (!status)
        model->inputs[model->input_count++] = named;
    else
        lash_table_destroy(input->table);
    return status;
}

/* ---- changing what is there ---- */

/* A model that was changed is not what its text says. */
static void forget_text(lash_model *model) {
    model->text = "";
    model->setting_count = 0;
}

static lash_status unknown(lash_error *error, const char *what, const char *name) {
    return lashi_fail(error, LASH_ERROR_USAGE, "the model has no %s '%.100s'", what, name ? name : "");
}

lash_status lash_model_get_body(lash_body_def *out, const lash_model *model, const char *name,
                                lash_error *error) {
    const size_t index = out && model && name ? lashi_model_find_body(model, name) : LASHI_NONE;
    if (index == LASHI_NONE || index == LASHI_GROUND_BODY)
        return unknown(error, "body", name);
    *out = model->bodies[index].def;
    return LASH_OK;
}

lash_status lash_model_set_body(lash_model *model, const char *name, const lash_body_def *body,
                                lash_error *error) {
    const size_t index = model && name && body ? lashi_model_find_body(model, name) : LASHI_NONE;
    if (index == LASHI_NONE || index == LASHI_GROUND_BODY)
        return unknown(error, "body", name);
    model->bodies[index].def = *body;
    forget_text(model);
    return LASH_OK;
}

lash_status lash_model_get_joint(lash_joint_def *out, const lash_model *model, const char *name,
                                 lash_error *error) {
    const size_t index = out && model && name ? lashi_model_find_joint(model, name) : LASHI_NONE;
    if (index == LASHI_NONE)
        return unknown(error, "joint", name);
    *out = model->joints[index].def;
    return LASH_OK;
}

lash_status lash_model_set_joint(lash_model *model, const char *name, const lash_joint_def *joint,
                                 lash_error *error) {
    const size_t index = model && name && joint ? lashi_model_find_joint(model, name) : LASHI_NONE;
    if (index == LASHI_NONE)
        return unknown(error, "joint", name);
    lash_joint_def copy = *joint;
    if (!keep_joint(model, &copy))
        return lashi_fail_memory(error);
    // Functions of the joint change hands, as when it is added.
    const lash_joint_def *before = &model->joints[index].def;
    if (before->backlash.error != copy.backlash.error)
        lash_expression_destroy(before->backlash.error);
    if (before->backlash.mesh != copy.backlash.mesh)
        lash_table_destroy(before->backlash.mesh);
    if (before->clearance.wear.bearing != copy.clearance.wear.bearing)
        lash_expression_destroy(before->clearance.wear.bearing);
    if (before->clearance.wear.journal != copy.clearance.wear.journal)
        lash_expression_destroy(before->clearance.wear.journal);
    model->joints[index].def = copy;
    forget_text(model);
    return LASH_OK;
}

lash_status lash_model_get_material(lash_material_def *out, const lash_model *model, const char *name,
                                    lash_error *error) {
    const size_t index = out && model && name ? lashi_model_find_material(model, name) : LASHI_NONE;
    if (index == LASHI_NONE)
        return unknown(error, "material", name);
    *out = model->materials[index].def;
    return LASH_OK;
}

lash_status lash_model_set_material(lash_model *model, const char *name, const lash_material_def *material,
                                    lash_error *error) {
    const size_t index = model && name && material ? lashi_model_find_material(model, name) : LASHI_NONE;
    if (index == LASHI_NONE)
        return unknown(error, "material", name);
    model->materials[index].def = *material;
    forget_text(model);
    return LASH_OK;
}

/* ---- parameters ---- */

bool lash_model_parameter(lash_parameter *out, const lash_model *model, size_t index) {
    if (!out || !model || index >= model->parameter_count)
        return false;
    *out = model->parameters[index];
    return true;
}

lash_status lash_model_validate(const lash_model *model, lash_error *error) {
    if (!model)
        return lashi_fail_null(error);
    return lashi_model_check(model, NULL, NULL, error);
}

const char *lash_model_title(const lash_model *model) {
    if (!model)
        return "";
    return model->title;
}

const lash_run_def *lash_model_run(const lash_model *model) {
    if (!model)
        return NULL;
    return &model->run;
}

const char *lash_model_text(const lash_model *model) {
    if (!model)
        return "";
    return model->text;
}

const char *lash_model_table(const lash_model *model, size_t index) {
    return model && index < model->table_count ? model->tables[index].name : NULL;
}

unsigned long long lash_model_table_sum(const lash_model *model, size_t index) {
    return model && index < model->table_count ? model->tables[index].sum : 0;
}

size_t lash_model_setting_count(const lash_model *model) {
    if (!model)
        return 0;
    return model->setting_count;
}

const char *lashi_worn_setting(const lash_setting *setting) {
    static const char prefix[] = "worn.";
    const size_t length = strlen(prefix);
    return setting->name && strncmp(setting->name, prefix, length) == 0 ? setting->name + length : NULL;
}

lash_setting lash_model_setting(const lash_model *model, size_t index) {
    if (!model)
        return (lash_setting){0};
    return index < model->setting_count ? model->settings[index] : (lash_setting){0};
}

static size_t find_object(const lash_model *model, const char *name, unsigned kind) {
    const lashi_name_entry *entry = lashi_names_find(&model->names, LASHI_OBJECT_SPACE, name);
    return entry && entry->kind == kind ? entry->index : LASHI_NONE;
}

size_t lashi_model_find_body(const lash_model *model, const char *name) {
    if (name && strcmp(name, "ground") == 0)
        return LASHI_GROUND_BODY;
    return find_object(model, name, LASHI_BODIES);
}

size_t lashi_model_find_joint(const lash_model *model, const char *name) {
    return find_object(model, name, LASHI_JOINTS);
}

size_t lashi_model_find_drive(const lash_model *model, const char *name) {
    return find_object(model, name, LASHI_DRIVES);
}

size_t lashi_model_find_material(const lash_model *model, const char *name) {
    const lashi_name_entry *entry = lashi_names_find(&model->names, LASHI_MATERIAL_SPACE, name);
    return entry ? entry->index : LASHI_NONE;
}

const char *lashi_point_dot(const char *reference) {
    static const char ground[] = "ground.";
    const size_t length = sizeof ground - 1;
    return strncmp(reference, ground, length) == 0 ? reference + length - 1 : strrchr(reference, '.');
}

bool lashi_model_find_point(size_t *body, double at[3], const lash_model *model, const char *reference) {
    memset(at, 0, 3 * sizeof *at);
    *body = reference ? lashi_model_find_body(model, reference) : LASHI_NONE;
    if (*body != LASHI_NONE)
        return true;
    const char *dot = reference ? lashi_point_dot(reference) : NULL;
    if (!dot)
        return false;
    char name[LONGEST_NAME + 1];
    size_t length = (size_t)(dot - reference);
    *body = LASHI_NONE;
    if (length <= LONGEST_NAME) {
        memcpy(name, reference, length);
        name[length] = '\0';
        *body = lashi_model_find_body(model, name);
    }
    if (*body == LASHI_NONE)
        return false;
    const lashi_name_entry *entry =
        lashi_names_find(&model->names, LASHI_POINT_SPACE + (unsigned)*body, dot + 1);
    if (!entry)
        return false;
    memcpy(at, model->points[entry->index].at, sizeof model->points[entry->index].at);
    return true;
}
