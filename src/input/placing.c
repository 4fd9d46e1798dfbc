/* SPDX-License-Identifier: MIT
 *
 * Instances at their places: what is in the axes of the component's ground is moved by `at` and turned.
 *
 *   r = at + A r′,   v = A v′,   θ = θ′ + angle
 *
 * Points and axes of bodies stay. Where the first end of a joint is on the ground, its axes are the ground's,
 * and turn. In the plane the angle of such a joint counts from them, so that what is given as a value of it
 * (a start, a stop, a setpoint, a table over it) is moved by the angle; recorded angles stay those against the
 * ground. In space the joint knows the axes that its ground has (lashi_named_joint), and its angle counts from
 * these.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "input/part.h"
#include "input/reader.h"
#include "math/table.h"
#include "math/vec3.h"

static void turn(double v[3], const lashi_placing *placing) {
    if (!placing->turned || isnan(v[0]))
        return;
    const double old[3] = {v[0], v[1], isnan(v[2]) ? 0 : v[2]};
    for (int i = 0; i < 3; i++)
        v[i] = placing->A[i][0] * old[0] + placing->A[i][1] * old[1] + placing->A[i][2] * old[2];
}

/* Turned by a and, before that, by b. */
static void compose(double out[4], const double a[4], const double b[4]) {
    const double c[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                         a[0] * b[1] + b[0] * a[1] + a[2] * b[3] - a[3] * b[2],
                         a[0] * b[2] + b[0] * a[2] + a[3] * b[1] - a[1] * b[3],
                         a[0] * b[3] + b[0] * a[3] + a[1] * b[2] - a[2] * b[1]};
    memcpy(out, c, sizeof c);
}

void lashi_place_within(lashi_placing *out, const lashi_placing *outer, const double at[3], double angle,
                        const double orientation[4]) {
    static const double none[4] = {1, 0, 0, 0};
    double own[4], unit[4];
    *out = (lashi_placing){.at = {at[0], at[1], at[2]}, .angle = outer->angle + angle};
    lashi_place_point(out->at, outer);
    lash_orientation_about(own, (const double[3]){0, 0, 1}, angle);
    if (memcmp(orientation, none, sizeof none) != 0 && lashi_orientation_unit(unit, orientation))
        memcpy(own, unit, sizeof own);
    compose(out->orientation, outer->turned ? outer->orientation : none, own);
    lashi_orientation_matrix(out->A, out->orientation);
    out->turned = outer->turned || memcmp(own, none, sizeof none) != 0;
    out->moved = out->at[0] != 0 || out->at[1] != 0 || out->at[2] != 0;
}

void lashi_place_point(double at[3], const lashi_placing *placing) {
    turn(at, placing);
    for (int i = 0; placing->moved && i < 3; i++)
        at[i] += placing->at[i];
}

void lashi_place_body(lash_body_def *def, const lashi_placing *placing) {
    lashi_place_point(def->position, placing);
    turn(def->velocity, placing);
    if (!placing->turned)
        return;
    turn(def->angular_velocity, placing);
    def->angle += placing->angle;
    compose(def->orientation, placing->orientation, def->orientation);
}

static bool on_ground(const char *point) {
    return point && (strcmp(point, "ground") == 0 || strncmp(point, "ground.", 7) == 0);
}

/* How much larger the angle between two ends is against the ground's axes than against the instance's. */
static double added_angle(const char *const between[2], const lashi_placing *placing) {
    return on_ground(between[0]) ? placing->angle : on_ground(between[1]) ? -placing->angle : 0;
}

/* The same expression, but of another text. */
static bool recompile(lash_expression **expression, lashi_reader *reader, const lashi_yaml *node,
                      const char *path, const char *text, lashi_variable of) {
    lash_error error = {0};
    lash_expression *fresh = NULL;
    const lash_status status =
        text ? lashi_compile_text(&fresh, reader, text, of, &error) : LASH_ERROR_MEMORY;
    if (status == LASH_ERROR_MEMORY)
        reader->diagnostics->out_of_memory = true;
    else if (status)
        lashi_say(reader, node, 0, path, "%s (turned with its instance)", error.message);
    if (status)
        return false;
    lash_expression_destroy(*expression);
    *expression = fresh;
    return true;
}

/* The text with (mod(angle - (added), 2*pi)) in place of the variable `angle`; NULL: out of memory. */
static const char *less_angle(lashi_reader *reader, const char *text, double added) {
    static const char word[] = "angle";
    const size_t length = sizeof word - 1;
    const char *done = text, *out = "";
    for (const char *at = text; out && (at = strstr(at, word)); at += length) {
        const char before = at > text ? at[-1] : ' ', after = at[length];
        if (isalnum((unsigned char)before) || strchr("_$.", before) || isalnum((unsigned char)after) ||
            after == '_')
            continue; // part of another name
        out = lashi_arena_print(reader->arena, "%s%.*s(mod(angle-(%.17g),2*pi))", out, (int)(at - done), done,
                                added);
        done = at + length;
    }
    return out ? lashi_arena_print(reader->arena, "%s%s", out, done) : NULL;
}

/* The worn depth of a part of the ground, over the angle in its axes. */
static void turn_profile(lash_expression **depth, lashi_reader *reader, const lashi_yaml *map,
                         const char *key, const char *path) {
    const lashi_yaml *clearance = lashi_yaml_find(map, "clearance"),
                     *wear = clearance ? lashi_yaml_find(clearance, "wear") : NULL,
                     *node = wear ? lashi_yaml_find(wear, key) : NULL;
    if (*depth && node)
        recompile(depth, reader, node, path, less_angle(reader, node->text, reader->placing.angle),
                  LASHI_OF_ANGLE);
}

/* Some direction across the axis, if none is given: the same one as in the axes of the component. */
static void choose_height(lash_joint_def *def) {
    const lashi_vec3 u = lashi_vec3_of(def->axis);
    const double length = lashi_length3(u);
    if (!isnan(def->clearance.height_axis[0]) || !(length > 0))
        return;
    const lashi_vec3 up = lashi_any_across(lashi_scale3(1 / length, u));
    memcpy(def->clearance.height_axis, (const double[3]){up.x, up.y, up.z}, 3 * sizeof(double));
}

void lashi_place_joint(lash_joint_def *def, lashi_reader *reader, const lashi_yaml *map) {
    const lashi_placing *placing = &reader->placing;
    if (!placing->turned || !def->type)
        return;
    const bool spatial = reader->model->space == LASH_SPATIAL;
    lash_wear_def *wear = &def->clearance.wear;
    const double added = added_angle(def->between, placing);
    if (on_ground(def->between[0])) {
        if (spatial)
            choose_height(def);
        else
            turn_profile(&wear->bearing, reader, map, "bearing", "clearance.wear.bearing");
        turn(def->axis, placing);
        turn(def->clearance.height_axis, placing);
        def->clearance.lubricant.groove += placing->angle;
    }
    if (on_ground(def->between[1])) {
        turn(def->second_axis, placing);
        if (!spatial)
            turn_profile(&wear->journal, reader, map, "journal", "clearance.wear.journal");
    }
    turn(def->clearance.offset, placing);
    turn(def->clearance.velocity, placing);
    def->angle += added; // of a fixed joint
    if (lashi_joint_coordinate(def->type) == 'r') {
        def->stops.min += added;
        def->stops.max += added;
    }
}

/* The same of a joint of this model, by name; 0 where its coordinate is none of the ground. */
static double added_to(const lashi_reader *reader, const char *joint) {
    const size_t index = joint ? lashi_model_find_joint(reader->model, joint) : LASHI_NONE;
    if (index == LASHI_NONE || reader->model->space == LASH_SPATIAL)
        return 0;
    const lash_joint_def *def = &reader->model->joints[index].def;
    return lashi_joint_coordinate(def->type) == 'r' ? added_angle(def->between, &reader->placing) : 0;
}

bool lashi_place_drive(lash_drive_def *def, lashi_reader *reader, const lashi_yaml *map) {
    if (!reader->placing.turned)
        return true;
    const double added = def->body ? reader->placing.angle : added_to(reader, def->joint);
    const lashi_yaml *motion = lashi_yaml_find(map, "motion");
    if (added == 0)
        return true;
    def->start += added;
    lashi_table_move(def->table, 0, added);
    return !def->motion ||
           recompile(&def->motion, reader, motion, "motion",
                     lashi_arena_print(reader->arena, "(%.17g)+(%s)", added, motion->text), LASHI_OF_TIME);
}

/* Components in ground axes, each the sum of what the instance's axes give. */
static bool turn_expressions(lash_expression *components[3], lashi_reader *reader, const lashi_yaml *list,
                             const char *path) {
    const double(*A)[3] = reader->placing.A;
    bool fine = true;
    for (size_t i = 0; fine && i < list->count; i++) {
        const char *text = "0";
        for (size_t k = 0; text && k < list->count; k++)
            text = lashi_arena_print(reader->arena, "%s%s(%.17g)*(%s)", k ? text : "", k ? "+" : "", A[i][k],
                                     list->items[k]->text);
        fine = recompile(&components[i], reader, list, path, text, LASHI_OF_STATE);
    }
    return fine;
}

bool lashi_place_force(lash_force_def *def, lashi_reader *reader, const lashi_yaml *map) {
    if (!reader->placing.turned || !def->type)
        return true;
    const bool own_axes = def->frame && strcmp(def->frame, "body") == 0;
    const double added = added_to(reader, def->joint);
    turn(def->direction, &reader->placing);
    def->free_angle += added;
    lashi_table_move(def->table, added_to(reader, def->over), 0);
    if (added != 0 && def->motor.has_position && def->motor.position.to) {
        const lashi_yaml *to = lashi_yaml_find(lashi_yaml_find(map, "position"), "to");
        return recompile(&def->motor.position.to, reader, to, "position.to",
                         lashi_arena_print(reader->arena, "(%.17g)+(%s)", added, to->text), LASHI_OF_STATE);
    }
    if (def->force[0] && !own_axes)
        return turn_expressions(def->force, reader, lashi_yaml_find(map, "force"), "force");
    if (def->torques[0] && !own_axes)
        return turn_expressions(def->torques, reader, lashi_yaml_find(map, "torque"), "torque");
    if (strcmp(def->type, "bushing") == 0 && on_ground(def->between[0])) {
        lashi_say(reader, map, 0, "between",
                  "the axes of this bushing are the ground's, which do not turn with the instance; name its "
                  "body first");
        return false;
    }
    return true;
}
