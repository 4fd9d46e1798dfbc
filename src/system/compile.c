/* SPDX-License-Identifier: MIT
 *
 * lash_model → lash_system: names become indices, definitions become flat elements, the mechanism is closed.
 *
 * Phases: 1 bodies, 2 joints (ideal ones become constraints, those with play force elements that are closed
 * only for assembly), 3 drives, 4 forces and what expressions read, 5 plans of both constraint sets, 6 layout
 * of y, 7 assembly, 8 redundancy, 9 corrections and end.
 */
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "system/space.h"

/* Constraints while they are gathered: `motion` gets the ideal joints and the drives, `assembly` all. */
typedef struct gather {
    lash_system *system;
    const lash_model *model;
    lashi_frame *frames; /* as drawn */
    lashi_constraint *motion, *assembly;
    size_t motion_count, assembly_count;
    lashi_solver_choice solver;
    lashi_geometry *geometry; /* [joints] space */
} gather;

/* ---- 1 bodies ---- */

static void body_in_plane(lash_system *system, int b) {
    const lash_body_def *def = &system->model->bodies[b].def;
    const double mass[LASHI_PLANE] = {def->mass, def->mass, def->inertia[2]};
    double *q = system->full0 + LASHI_PLANE * (b - 1), *v = q + system->n_full;
    for (int k = 0; k < LASHI_PLANE; k++) {
        system->mass[b][k] = mass[k];
        system->inverse_mass[b][k] = system->inverse_free[b][k] = 1 / mass[k];
    }
    q[0] = def->position[0], q[1] = def->position[1], q[2] = def->angle;
    v[0] = def->velocity[0], v[1] = def->velocity[1], v[2] = def->angular_velocity[2];
}

/* The rotor of a motor on a joint of the ground turns with the body, `gear` times as fast: it has the energy
 * ½ J gear² ċ², but no weight. The check has refused other joints. */
static void add_rotor(lash_system *system, const lash_force_def *def) {
    const lash_model *model = system->model;
    const size_t joint = strcmp(def->type, "motor") == 0 && def->motor.rotor_inertia > 0
                             ? lashi_model_find_joint(model, def->joint)
                             : LASHI_NONE;
    if (joint == LASHI_NONE)
        return;
    const double more = def->motor.gear * def->motor.gear * def->motor.rotor_inertia;
    const bool turns = lashi_joint_coordinate(model->joints[joint].def.type) == 'r';
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        size_t body;
        double at[3];
        if (!lashi_model_find_point(&body, at, model, model->joints[joint].def.between[slot]) ||
            body == LASHI_GROUND_BODY)
            continue;
        for (int k = turns ? 2 : 0; k < (turns ? 3 : 2); k++) {
            system->mass[body][k] += more;
            system->inverse_mass[body][k] = system->inverse_free[body][k] = 1 / system->mass[body][k];
        }
    }
}

static lash_status compile_bodies(gather *g, lash_error *error) {
    lash_system *system = g->system;
    const int dimensions = system->spatial ? 3 : 2;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int b = 0; b < system->bodies; b++) {
        const lashi_named_body *body = &g->model->bodies[b];
        system->body_names[b] = body->name;
        system->principal[b][0] = 1;
        if (b == LASHI_GROUND_BODY)
            continue;
        if (!system->spatial)
            body_in_plane(system, b);
        else if (lashi_body_in_space(system, b, error))
            return LASH_ERROR_MODEL;
        system->moves[b] = LASHI_MOVES_FREELY;
        for (int k = 0; k < dimensions; k++) {
            system->weight[b][k] = body->def.mass * g->model->gravity[k];
            low[k] = fmin(low[k], body->def.position[k]);
            high[k] = fmax(high[k], body->def.position[k]);
        }
    }
    for (size_t k = 0; !system->spatial && k < g->model->force_count; k++)
        add_rotor(system, &g->model->forces[k].def);
    lashi_frame_ground(&g->frames[0]);
    lashi_frames_fill(g->frames, system, system->full0);
    // Size of the mechanism: extent of the centres of mass and places of the ground, reach of the points.
    for (size_t p = 0; p < g->model->point_count; p++)
        for (int k = 0; g->model->points[p].body == LASHI_GROUND_BODY && k < dimensions; k++) {
            low[k] = fmin(low[k], g->model->points[p].at[k]);
            high[k] = fmax(high[k], g->model->points[p].at[k]);
        }
    double square = 0;
    for (int k = 0; system->bodies > 1 && k < dimensions; k++)
        square += (high[k] - low[k]) * (high[k] - low[k]);
    double size = sqrt(square);
    for (size_t p = 0; p < g->model->point_count; p++) {
        const double *at = g->model->points[p].at;
        if (g->model->points[p].body == LASHI_GROUND_BODY)
            continue;
        size = fmax(size, dimensions == 3 ? sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2])
                                          : hypot(at[0], at[1]));
    }
    // A body by itself: a rotor in its bearing is as large as that.
    for (size_t j = 0; !(size > 0) && j < g->model->joint_count; j++)
        if (g->model->joints[j].def.has_clearance) {
            const lash_clearance_def *play = &g->model->joints[j].def.clearance;
            size = play->bearing_radius > 0 ? play->bearing_radius : play->length > 0 ? play->length : 0;
        }
    system->length = size > 0 ? size : 1;
    return LASH_OK;
}

/* ---- 2 joints ---- */

static const lashi_joint_form *form_of(const lash_model *model, const lash_joint_def *def) {
    const lashi_joint_kind *kind = lashi_joint_kind_at(lashi_joint_kind_find(def->type));
    return model->space == LASH_SPATIAL ? &kind->space : &kind->plane;
}

static bool joint_coordinate(lashi_coordinate *out, const lash_system *system, const char *name,
                             const char *which) {
    const lash_model *model = system->model;
    const size_t index = lashi_model_find_joint(model, name);
    if (index == LASHI_NONE)
        return false;
    const lash_joint_def *def = &model->joints[index].def;
    const lashi_joint_form *form = form_of(model, def);
    if (form->coordinate == LASHI_NO_COORDINATE)
        return false;
    *out = (lashi_coordinate){.type = form->coordinate == LASHI_HAS_ANGLE ? LASHI_COORDINATE_ANGLE
                                                                          : LASHI_COORDINATE_TRAVEL,
                              .counted = -1};
    if (system->spatial) {
        *out = system->joints[index].coordinate;
        if (form->has_travel && which && strcmp(which, "travel") == 0) {
            out->type = LASHI_COORDINATE_TRAVEL;
            out->counted = -1;
        }
        return true;
    }
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        size_t body;
        double at[3];
        if (!lashi_model_find_point(&body, at, model, def->between[slot]))
            return false;
        out->body[slot] = (int)body;
        out->s[slot] = (lashi_vec2){at[0], at[1]};
    }
    if (out->type == LASHI_COORDINATE_TRAVEL) {
        const double length = hypot(def->axis[0], def->axis[1]);
        out->axis = (lashi_vec2){def->axis[0] / length, def->axis[1] / length};
    }
    return true;
}

/* The bodies and points of a joint; a gear in space has none. */
static lash_status find_points(int body[LASHI_SLOTS], double at[LASHI_SLOTS][3], const gather *g,
                               const lashi_named_joint *named, lash_error *error) {
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        size_t found;
        if (!lashi_model_find_point(&found, at[slot], g->model, named->def.between[slot]))
            return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, named->name,
                                 "joint '%s': no body or point '%s'", named->name, named->def.between[slot]);
        body[slot] = (int)found;
    }
    return LASH_OK;
}

/* Points, triads and the coordinate of a joint in space, before any joint is compiled: some refer to others.
 */
static lash_status place_joint(gather *g, size_t index, lash_error *error) {
    lash_system *system = g->system;
    const lashi_named_joint *named = &g->model->joints[index];
    lashi_joint_info *info = &system->joints[index];
    double at[LASHI_SLOTS][3];
    if (!system->spatial || !named->def.between[0])
        return LASH_OK;
    const lashi_joint_form *form = form_of(g->model, &named->def);
    lash_status status = find_points(info->body, at, g, named, error);
    if (!status)
        status = lashi_geometry_compile(&g->geometry[index], system, named, info->body,
                                        (const double(*)[3])at, form, g->frames, error);
    info->has_coordinate = form->coordinate != LASHI_NO_COORDINATE;
    info->coordinate = (lashi_coordinate){
        .type = form->coordinate == LASHI_HAS_ANGLE ? LASHI_COORDINATE_ANGLE : LASHI_COORDINATE_TRAVEL,
        .body = {info->body[0], info->body[1]},
        .geometry = &g->geometry[index],
        .counted = form->coordinate == LASHI_HAS_ANGLE ? system->counted++ : -1,
        .tilts = named->def.has_clearance};
    return status;
}

/* What the constraint of a joint starts from. */
static lash_status begin_joint(lashi_constraint *out, gather *g, size_t index, lash_error *error) {
    lash_system *system = g->system;
    const lashi_named_joint *named = &g->model->joints[index];
    const lashi_joint_form *form = form_of(g->model, &named->def);
    *out = (lashi_constraint){.type = (int)lashi_joint_kind_find(named->def.type),
                              .rows = form->rows,
                              .origin = (int)index,
                              .name = named->name};
    if (system->spatial) {
        const lashi_joint_info *info = &system->joints[index];
        out->geometry = &g->geometry[index];
        out->coordinate = info->coordinate;
        for (int slot = 0; slot < LASHI_SLOTS; slot++)
            out->body[slot] = info->body[slot];
        if (!named->def.between[0] &&
            (!joint_coordinate(&out->coordinate, system, named->def.joints[0], NULL) ||
             !joint_coordinate(&out->second, system, named->def.joints[1], NULL)))
            return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, named->name,
                                 "joint '%s': both of its joints must have an angle", named->name);
    } else {
        double at[LASHI_SLOTS][3];
        const lash_status status = find_points(out->body, at, g, named, error);
        if (status)
            return status;
        for (int slot = 0; slot < LASHI_SLOTS; slot++)
            out->s[slot] = (lashi_vec2){at[slot][0], at[slot][1]};
    }
    const lash_rubbing_def *rubs = &named->def.friction;
    if (named->def.has_friction && strcmp(rubs->law.law, "none") != 0)
        out->rubbing = (lashi_rubbing){.radius = isnan(rubs->radius) ? 1 : rubs->radius,
                                       .length = isnan(rubs->length) ? INFINITY : rubs->length,
                                       .width = isnan(rubs->width) ? INFINITY : rubs->width};
    out->points = form->steady == LASHI_STEADY;
    out->steady =
        out->points || (form->steady == LASHI_STEADY_ON_GROUND && out->body[0] == LASHI_GROUND_BODY);
    return form->compile ? form->compile(out, &named->def, g->frames, error) : LASH_OK;
}

/* How a pin or ball with play starts: what assembly closes in place of the joint. */
static lash_status start_round(lashi_constraint *closed, gather *g, const lash_joint_def *def, int contact,
                               lash_error *error) {
    lash_system *system = g->system;
    const double *offset = def->clearance.offset;
    if (system->contacts[contact].model != LASHI_MODEL_PERMANENT) {
        lashi_contact_start(closed, system, contact, &def->clearance, g->frames);
        return LASH_OK;
    }
    g->motion[g->motion_count++] = lashi_contact_row(system, contact);
    return lashi_contact_assembly(closed, system, contact, offset, g->frames, error);
}

static lash_status compile_joint(gather *g, size_t index, lash_error *error) {
    lash_system *system = g->system;
    const lashi_named_joint *named = &g->model->joints[index];
    lashi_constraint constraint;
    lash_status status = begin_joint(&constraint, g, index, error);
    if (status)
        return status;
    lashi_joint_info *info = &system->joints[system->joint_count++];
    *info = (lashi_joint_info){.name = named->name,
                               .type = constraint.type,
                               .constraint = -1,
                               .absorbed = -1,
                               .whole = -1,
                               .first_contact = -1,
                               .first_rub = -1,
                               .has_coordinate = info->has_coordinate,
                               .has_travel = system->spatial && form_of(g->model, &named->def)->has_travel,
                               .coordinate = info->coordinate,
                               .body = {constraint.body[0], constraint.body[1]},
                               .s = {constraint.s[0], constraint.s[1]},
                               .geometry = constraint.geometry};
    if (!system->spatial)
        info->has_coordinate = joint_coordinate(&info->coordinate, system, named->name, NULL);
    bool ideal = true, as_drawn = false;
    const lashi_play *play;
    for (size_t i = 0; (play = lashi_play_at(named->def.type, g->model->space, i)) != NULL; i++) {
        if (!lashi_play_is_in(play, &named->def))
            continue;
        lashi_expansion out = {.model = g->model,
                               .def = &named->def,
                               .frames = g->frames,
                               .closed = &constraint,
                               .coordinate = info->has_coordinate ? &info->coordinate : NULL,
                               .length = system->length,
                               .arena = &system->arena,
                               .contacts = system->contacts + system->contact_count,
                               .numbers = lashi_numbers_at(system->numbers, system->contact_count)};
        status = play->expand(&out, error);
        for (int k = 0; k < out.count; k++)
            out.contacts[k].phase = system->contact_count;
        if (info->first_contact < 0)
            info->first_contact = system->contact_count;
        info->contacts += out.count;
        info->plays[info->play_count++] = (lashi_joint_play){play, system->contact_count};
        system->contact_count += out.count;
        if (status)
            return status;
        ideal = ideal && !out.frees;
        as_drawn = as_drawn || out.as_drawn;
        if (out.holds)
            g->motion[g->motion_count++] = out.held;
        if (lashi_kind_of(out.contacts)->centred)
            status = start_round(&constraint, g, &named->def, (int)(out.contacts - system->contacts), error);
        if (status)
            return status;
    }
    if (ideal)
        g->motion[g->motion_count++] = constraint;
    if (!as_drawn)
        g->assembly[g->assembly_count++] = constraint;
    return LASH_OK;
}

/* ---- 3 drives ---- */

static lash_status compile_drive(gather *g, size_t index, lash_error *error) {
    const lashi_named_drive *named = &g->model->drives[index];
    const lash_drive_def *def = &named->def;
    lashi_constraint drive = {
        .type = LASHI_JOINT_drive, .rows = 1, .origin = (int)index, .name = named->name};
    if (def->joint) {
        if (!joint_coordinate(&drive.coordinate, g->system, def->joint, def->coordinate))
            return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, named->name,
                                 "drive '%s': joint '%s' has no coordinate to drive", named->name,
                                 def->joint);
    } else if (g->system->spatial) {
        return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, named->name,
                             "drive '%s': in space a drive acts on a joint; give `joint`", named->name);
    } else {
        const size_t body = lashi_model_find_body(g->model, def->body);
        if (body == LASHI_NONE)
            return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, named->name,
                                 "drive '%s': no body '%s'", named->name, def->body);
        drive.coordinate = (lashi_coordinate){.type = LASHI_COORDINATE_ANGLE, .body = {0, (int)body}};
    }
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        drive.body[slot] = drive.coordinate.body[slot];
        drive.s[slot] = drive.coordinate.s[slot];
    }
    drive.geometry = drive.coordinate.geometry;
    drive.steady = drive.coordinate.type == LASHI_COORDINATE_ANGLE || drive.body[0] == LASHI_GROUND_BODY;
    // An initial value that is not given is the one drawn: assembly keeps it.
    const double drawn = lashi_coordinate_evaluate(&drive.coordinate, g->frames).value;
    const double start = isnan(def->start) ? drawn : def->start;
    if (def->motion)
        drive.profile = (lashi_profile){.type = LASHI_PROFILE_EXPRESSION, .expression = def->motion};
    else if (def->table)
        drive.profile = (lashi_profile){.type = LASHI_PROFILE_TABLE, .table = def->table};
    else if (!isnan(def->ramp_to))
        drive.profile = (lashi_profile){.type = LASHI_PROFILE_RAMP,
                                        .start = start,
                                        .from = def->ramp_from,
                                        .to = def->ramp_to,
                                        .over = def->ramp_over};
    else
        drive.profile = (lashi_profile){.type = LASHI_PROFILE_SPEED, .start = start, .speed = def->speed};
    // The value at the start of the run is that given or drawn; `start` of a profile is that at t = 0.
    drive.profile.start += start - lashi_profile_jet(&drive.profile, g->system->start).f;
    g->motion[g->motion_count++] = drive;
    g->assembly[g->assembly_count++] = drive;
    g->system->drives[g->system->drive_count++] =
        (lashi_drive_info){.name = named->name, .constraint = -1, .absorbed = -1, .whole = -1};
    return LASH_OK;
}

/* Angles are counted from those drawn, next to what a drive prescribes. In the plane the driven body is
 * turned by whole turns, which closes what it is part of as before; a motion may be many of them from the
 * drawing. */
static void count_from_drawn(gather *g) {
    static const double TURN = 6.283185307179586;
    lash_system *system = g->system;
    double *angles = system->full0 + system->n_full + system->full_v;
    lashi_count_angles(system->full0, system, g->frames);
    for (size_t c = 0; c < g->assembly_count; c++) {
        const lashi_constraint *drive = &g->assembly[c];
        if (drive->type != LASHI_JOINT_drive || drive->coordinate.type != LASHI_COORDINATE_ANGLE)
            continue;
        const double wanted = lashi_profile_jet(&drive->profile, system->start).f;
        const double value = lashi_coordinate_evaluate(&drive->coordinate, g->frames).value;
        const int body = drive->body[1];
        if (drive->geometry && drive->coordinate.counted >= 0)
            angles[drive->coordinate.counted] = wanted;
        else if (!system->spatial && isfinite(wanted) && body != LASHI_GROUND_BODY &&
                 !(g->model->bodies[body].def.hold & LASH_HOLD_ANGLE))
            system->full0[3 * (body - 1) + 2] += TURN * nearbyint((wanted - value) / TURN);
    }
}

/* ---- 4 forces ---- */

static lashi_force_context force_context(const gather *g) {
    return (lashi_force_context){.system = g->system,
                                 .model = g->model,
                                 .frames = g->frames,
                                 .coordinate = joint_coordinate,
                                 .to_principal = lashi_to_principal};
}

static lash_status compile_force(gather *g, size_t index, lash_error *error) {
    const lashi_named_force *named = &g->model->forces[index];
    const size_t type = lashi_force_kind_find(named->def.type);
    lashi_force *force = &g->system->forces[g->system->force_count++];
    *force = (lashi_force){
        .type = (int)type, .index = (int)index, .name = named->name, .spatial = g->system->spatial};
    const lashi_force_context context = force_context(g);
    return lashi_force_kind_at(type)->compile(force, &named->def, &context, error);
}

/* ---- 5 plans ---- */

static lash_status plan_motion(gather *g, lash_error *error) {
    lash_system *system = g->system;
    const lash_status status =
        lashi_constraints_plan(&system->motion, &system->arena, g->motion, g->motion_count, system->moves,
                               (size_t)system->bodies, system->width, g->solver, error);
    for (int c = 0; !status && c < system->motion.count; c++) { // the plan has reordered them
        const lashi_constraint *item = &system->motion.items[c];
        if (item->contact)
            system->contacts[item->contact - system->contacts].constraint = c;
        else if (item->type == LASHI_JOINT_drive)
            system->drives[item->origin].constraint = c;
        else
            system->joints[item->origin].constraint = c;
    }
    return status;
}

static lash_status assemble(gather *g, const lashi_constraint *items, lash_error *error) {
    lash_system *system = g->system;
    const lash_status status =
        lashi_constraints_plan(&system->assembly, &system->arena, items, g->assembly_count, system->moves,
                               (size_t)system->bodies, system->width, g->solver, error);
    return status ? status : lashi_assemble(system, error);
}

/* Under a running drive a contact leaves the journal's speed around its bearing open, and bodies drawn
 * without velocities would decide it by their inertia: the journal would begin by swinging. So it is attached
 * where the first assembly has put it, and the velocities are those of the ideal mechanism. */
static lash_status attach_journals(gather *g, lashi_arena *scratch, lash_error *error) {
    lash_system *system = g->system;
    const size_t size = (size_t)(system->n_full + system->full_v + system->counted) * sizeof(double);
    lashi_constraint *items = lashi_arena_alloc(scratch, g->assembly_count, sizeof *items);
    double *drawn = lashi_arena_alloc(scratch, 1, size);
    if (!items || !drawn)
        return lashi_fail_memory(error);
    memcpy(items, g->assembly, g->assembly_count * sizeof *items);
    memcpy(drawn, system->full0, size);
    lashi_frames_fill(g->frames, system, system->full0);
    bool any = false;
    for (size_t c = 0; c < g->assembly_count; c++) {
        lashi_constraint closed;
        if (!items[c].contact)
            continue;
        lash_status status = begin_joint(&closed, g, (size_t)items[c].origin, error);
        if (status)
            return status;
        if (lashi_contact_attach(&closed, system, (int)(items[c].contact - system->contacts), g->frames)) {
            items[c] = closed;
            any = true;
        }
    }
    lash_error failed = {0};
    const lash_status status = any ? assemble(g, items, &failed) : LASH_OK;
    if (status != LASH_ERROR_ASSEMBLY) {
        if (status && error)
            *error = failed;
        return status;
    }
    memcpy(system->full0, drawn, size);
    lashi_contact_detached(system);
    return assemble(g, g->assembly, error);
}

/* Rows of contacts that hold at times: they join when rank and freedoms have been counted without them. */
static void add_switched(gather *g) {
    lash_system *system = g->system;
    for (int k = 0; k < system->contact_count; k++)
        if (system->contacts[k].model == LASHI_MODEL_MODES)
            g->motion[g->motion_count++] = lashi_contact_row(system, k);
}

/* Where bodies are absorbed and rows repeat others: the motion set as it was before is kept for reactions. */
static lash_status keep_whole(gather *g, lash_error *error) {
    lash_system *system = g->system;
    const lash_status status = lashi_find_repeats(system, error);
    system->whole = system->motion;
    for (int j = 0; j < system->joint_count; j++)
        system->joints[j].whole = system->joints[j].constraint;
    for (int d = 0; d < system->drive_count; d++)
        system->drives[d].whole = system->drives[d].constraint;
    return status ? status : lashi_leave_out(&system->whole, system, error);
}

/* What ground joints decide alone is taken out and the rest planned again. Not where the pressure of a contact
 * is one of many that fit: of these the one of least norm is sought among all constraints. */
static lash_status reduce(gather *g, lash_error *error) {
    lash_system *system = g->system;
    bool switched = false, linked = false;
    for (int k = 0; k < system->contact_count; k++) {
        switched = switched || system->contacts[k].model == LASHI_MODEL_MODES;
        linked = linked || system->contacts[k].model != LASHI_MODEL_COMPLIANT;
    }
    lash_status status = LASH_OK;
    if (g->model->run.reduce && !(linked && system->redundant_count > 0))
        status = lashi_find_absorbed(g->motion, g->motion_count, system, error);
    if (!status && system->absorbed_count > 0 && system->redundant_count > 0)
        status = keep_whole(g, error);
    if (status || (system->absorbed_count == 0 && !switched && system->redundant_count == 0))
        return status;
    for (int j = 0; j < system->joint_count; j++)
        system->joints[j].constraint = -1;
    for (int d = 0; d < system->drive_count; d++)
        system->drives[d].constraint = -1;
    lashi_absorb(g->motion, &g->motion_count, system);
    lashi_mark_repeats(g->motion, g->motion_count, system);
    if (switched)
        add_switched(g);
    status = plan_motion(g, error);
    if (!status)
        status = lashi_constraints_narrow(&system->motion, &system->arena, system->moves,
                                          (const double(*)[LASHI_FREEDOMS])system->inverse_free, system->pins,
                                          system->pin_count, error);
    return status ? status : lashi_leave_out(&system->motion, system, error);
}

/* Which coordinates are integrated, and where everything is in y. */
static lash_status lay_out(lash_system *system, lash_error *error) {
    for (int b = 0; b < system->bodies; b++) {
        system->q_at[b] = system->moves[b] ? system->n_q : -1;
        system->u_at[b] = system->moves[b] ? system->n_v : -1;
        for (int k = 0; k < system->width; k++)
            if (system->inverse_free[b][k] != 0) {
                system->freedom[system->n_v++] = LASHI_FREEDOMS * b + k;
                system->n_q++;
            }
        system->n_q += lashi_turns_freely(system, b); // four Euler parameters for three turns
    }
    for (int b = 0; b < system->bodies; b++)
        if (system->moves[b] == LASHI_MOVES_FREELY)
            system->movers[system->mover_count++] = system->turners[system->turner_count++] = b;
    system->free_count = system->mover_count;
    for (int k = 0; k < system->absorbed_count; k++) {
        const lashi_absorbed *item = &system->absorbed[k];
        if (item->kind == LASHI_PRESCRIBED) {
            const lashi_vec2 *s = item->joint.s;
            system->cranks[system->crank_count++] =
                (lashi_crank){item->body, item, s[item->slot], s[1 - item->slot]};
            system->turners[system->turner_count++] = item->body;
        } else {
            system->guides[system->guide_count++] =
                (lashi_guide){item->body, item->along, system->q_at[item->body], k};
        }
    }
    if (system->turner_count % 2) {
        system->turners[system->turner_count] = system->turners[system->turner_count - 1];
        system->turner_count++;
    }
    for (int b = 0; b < system->bodies; b++)
        if (system->moves[b] && system->moves[b] != LASHI_MOVES_FREELY)
            system->movers[system->mover_count++] = b;
    system->v_at = system->n_q;
    system->counted_at = system->n_q + system->n_v;
    system->work_at = system->counted_at + system->counted;
    system->loss_at = system->work_at + LASHI_WORK_COUNT;
    system->n_y = system->loss_at + LASHI_LOSSES * system->contact_count;
    for (int k = 0; k < system->contact_count; k++)
        if (system->contacts[k].worn && system->contacts[k].p->wear > 0) {
            system->contacts[k].deposit = system->deposits;
            system->deposits += 1 + LASHI_SLOTS * system->contacts[k].worn->surface[0].count;
        }
    for (int k = 0; k < system->contact_count; k++)
        if (system->contacts[k].friction.bristle) {
            system->contacts[k].bristle = system->n_y;
            system->n_y += lashi_bristles(&system->contacts[k]);
        }
    lashi_place_rubs(system);
    system->impulse_at = system->n_y;
    system->n_y += system->contact_count;
    system->signal_at = system->n_y;
    for (int s = 0; s < system->machine.signal_count; s++)
        if (system->machine.signals[s].kind != LASHI_SIGNAL_VALUE)
            system->machine.signals[s].at = system->n_y++;
    // Behind the counted angles stand quadratures, which no evaluation reads; with anything else all counts as
    // read.
    const int quadratures = LASHI_WORK_COUNT + (LASHI_LOSSES + 1) * system->contact_count;
    system->reads = system->n_y == system->work_at + quadratures ? system->work_at : system->n_y;
    system->y0 = lashi_arena_alloc(&system->arena, (size_t)system->n_y, sizeof(double));
    if (!system->y0)
        return lashi_fail_memory(error);
    lashi_reduce(system->y0, system, system->full0);
    return LASH_OK;
}

void lashi_reduce(double *y, const lash_system *system, const double *full) {
    const double *v = full + system->n_full;
    for (int i = 0; i < system->n_v; i++) {
        const int b = system->freedom[i] / LASHI_FREEDOMS, k = system->freedom[i] % LASHI_FREEDOMS;
        y[system->v_at + i] = v[system->width * (b - 1) + k]; // ground has no full coordinates
        if (!system->spatial || k < system->turning)
            y[system->q_at[b] + i - system->u_at[b]] =
                full[(system->spatial ? 7 : LASHI_PLANE) * (b - 1) + k];
    }
    for (int b = 1; b < system->bodies; b++)
        if (lashi_turns_freely(system, b))
            memcpy(y + system->q_at[b] + 3, full + 7 * (b - 1) + 3, 4 * sizeof(double));
    for (int k = 0; k < system->absorbed_count; k++) {
        const lashi_absorbed *item = &system->absorbed[k];
        const double *p = full + 7 * (item->body - 1) + 3;
        double parts[2] = {0}; // cosine and sine of half the turn
        for (int i = 0; i < 4 && item->kind == LASHI_PINNED; i++) {
            parts[0] += item->p[0][i] * p[i];
            parts[1] += item->p[1][i] * p[i];
        }
        if (item->kind == LASHI_PINNED)
            y[system->q_at[item->body]] = item->angle + 2 * atan2(parts[1], parts[0]);
    }
    memcpy(y + system->counted_at, v + system->full_v, (size_t)system->counted * sizeof(double));
}

/* ---- the whole ---- */

static bool allocate(gather *g, lashi_arena *scratch) {
    lash_system *s = g->system;
    const lash_model *m = g->model;
    s->bodies = (int)m->body_count;
    s->n_full = (s->spatial ? 7 : LASHI_PLANE) * (s->bodies - 1);
    s->full_v = s->width * (s->bodies - 1);
    size_t contacts = 0;
    const lashi_play *play;
    for (size_t k = 0; k < m->joint_count; k++)
        for (size_t i = 0; (play = lashi_play_at(m->joints[k].def.type, m->space, i)) != NULL; i++)
            contacts += lashi_play_is_in(play, &m->joints[k].def) ? (size_t)play->most : 0;
    const size_t bodies = m->body_count, constraints = m->joint_count + m->drive_count + contacts;
    s->body_names = lashi_arena_alloc(&s->arena, bodies, sizeof *s->body_names);
    s->mass = lashi_arena_alloc(&s->arena, bodies, sizeof *s->mass);
    s->inverse_mass = lashi_arena_alloc(&s->arena, bodies, sizeof *s->inverse_mass);
    s->weight = lashi_arena_alloc(&s->arena, bodies, sizeof *s->weight);
    s->inverse_free = lashi_arena_alloc(&s->arena, bodies, sizeof *s->inverse_free);
    s->moves = lashi_arena_alloc(&s->arena, bodies, 1);
    s->movers = lashi_arena_alloc(&s->arena, bodies, sizeof(int));
    s->turners = lashi_arena_alloc(&s->arena, bodies + 1, sizeof(int));
    s->cranks = lashi_arena_alloc(&s->arena, bodies, sizeof *s->cranks);
    s->guides = lashi_arena_alloc(&s->arena, bodies, sizeof *s->guides);
    s->forces = lashi_arena_alloc(&s->arena, m->force_count, sizeof *s->forces);
    s->contacts = lashi_arena_alloc(&s->arena, contacts, sizeof *s->contacts);
    s->numbers = lashi_arena_alloc(&s->arena, contacts * LASHI_NUMBERS, sizeof *s->numbers);
    s->memories0 = lashi_arena_alloc(&s->arena, contacts, sizeof *s->memories0);
    s->joints = lashi_arena_alloc(&s->arena, m->joint_count, sizeof *s->joints);
    s->drives = lashi_arena_alloc(&s->arena, m->drive_count, sizeof *s->drives);
    s->principal = lashi_arena_alloc(&s->arena, bodies, sizeof *s->principal);
    s->full0 = lashi_arena_alloc(&s->arena, (size_t)(s->n_full + s->full_v) + m->joint_count, sizeof(double));
    g->geometry = lashi_arena_alloc(&s->arena, s->spatial ? m->joint_count : 0, sizeof *g->geometry);
    s->q_at = lashi_arena_alloc(&s->arena, bodies, sizeof(int));
    s->u_at = lashi_arena_alloc(&s->arena, bodies, sizeof(int));
    s->freedom = lashi_arena_alloc(&s->arena, (size_t)s->full_v, sizeof(int));
    g->frames = lashi_arena_alloc(scratch, bodies, sizeof *g->frames);
    g->motion = lashi_arena_alloc(scratch, constraints, sizeof *g->motion);
    g->assembly = lashi_arena_alloc(scratch, constraints, sizeof *g->assembly);
    return s->body_names && s->mass && s->inverse_mass && s->weight && s->inverse_free && s->moves &&
           s->movers && s->turners && s->cranks && s->guides && s->forces && s->contacts && s->numbers &&
           s->memories0 && s->joints && s->drives && s->full0 && s->q_at && s->u_at && s->freedom &&
           s->principal && g->geometry && g->frames && g->motion && g->assembly;
}

static lash_status compile_all(gather *g, lashi_arena *scratch, lash_error *error) {
    lash_system *system = g->system;
    const lash_model *model = g->model;
    system->spatial = model->space == LASH_SPATIAL;
    system->width = system->spatial ? LASHI_FREEDOMS : LASHI_PLANE;
    system->turning = system->spatial ? 3 : 2;
    if (!allocate(g, scratch))
        return lashi_fail_memory(error);
    system->gravity = lashi_vec3_of(model->gravity);
    system->projects = strcmp(model->run.stabilisation, "projection") == 0;
    // Multistep methods are corrected only now and then (cvode.c): feedback holds them in between.
    const bool feeds_back = strcmp(model->run.stabilisation, "baumgarte") == 0 ||
                            (system->projects && strcmp(model->run.method, "dop853") != 0);
    if (feeds_back) {
        system->two_alpha = 2 * model->run.alpha;
        system->beta_squared = model->run.beta * model->run.beta;
    }
    const char *solver = model->run.solver;
    g->solver = strcmp(solver, "dense") == 0    ? LASHI_SOLVER_DENSE
                : strcmp(solver, "sparse") == 0 ? LASHI_SOLVER_SPARSE
                                                : LASHI_SOLVER_AUTO;
    lash_status status = compile_bodies(g, error);
    for (size_t k = 0; !status && k < model->joint_count; k++)
        status = place_joint(g, k, error);
    for (size_t k = 0; !status && k < model->joint_count; k++)
        status = compile_joint(g, k, error);
    for (size_t k = 0; !status && k < model->drive_count; k++)
        status = compile_drive(g, k, error);
    if (!status)
        count_from_drawn(g);
    for (size_t k = 0; !status && k < model->force_count; k++)
        status = compile_force(g, k, error);
    const lashi_force_context context = force_context(g);
    if (!status)
        status = lashi_machine_compile(system, &context, error);
    if (!status)
        status = plan_motion(g, error);
    if (!status)
        status = assemble(g, g->assembly, error);
    if (!status)
        status = attach_journals(g, scratch, error);
    if (!status)
        status = lashi_contacts_look(system, g->frames, error);
    if (!status)
        status = lashi_find_redundancy(system, error);
    if (!status)
        status = lashi_find_rubs(system, g->motion, g->motion_count, error);
    if (!status)
        status = reduce(g, error);
    if (!status)
        status = lay_out(system, error);
    if (!status)
        status = lashi_find_corrections(system, error);
    system->whole.corrections = system->motion.corrections;
    if (!status)
        status = lashi_find_end(system, error);
    if (!status)
        status = lashi_find_pieces(system, error);
    return status;
}

lash_status lash_system_compile(lash_system **out, const lash_model *model, lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !model)
        return lashi_fail_null(error);
    lash_status status = lash_model_validate(model, error);
    if (status)
        return status;
    lash_system *system = calloc(1, sizeof *system);
    if (!system)
        return lashi_fail_memory(error);
    system->model = model;
    system->start = model->run.begin;
    lashi_arena scratch = {0};
    gather g = {.system = system, .model = model};
    status = compile_all(&g, &scratch, error);
    lashi_arena_clear(&scratch);
    if (!status)
        status = lashi_worn_take_settings(system, error);
    if (status)
        lash_system_destroy(system);
    else
        *out = system;
    return status;
}

void lash_system_destroy(lash_system *system) {
    if (!system)
        return;
    for (int k = 0; k < system->contact_count; k++)
        lashi_film_clear(&system->contacts[k].film);
    lashi_arena_clear(&system->arena);
    free(system);
}

/* ---- what can be asked ---- */

const lash_model *lash_system_model(const lash_system *system) {
    if (!system)
        return NULL;
    return system->model;
}

size_t lash_system_body_count(const lash_system *system) {
    if (!system)
        return 0;
    return (size_t)system->bodies - 1;
}

size_t lash_system_joint_count(const lash_system *system) {
    if (!system)
        return 0;
    return system->model->joint_count;
}

size_t lash_system_constraint_count(const lash_system *system) {
    if (!system)
        return 0;
    return (size_t)(system->motion.rows + system->absorbed_rows);
}

double lash_system_size(const lash_system *system) {
    return system ? system->length : (double)NAN;
}

double lash_system_mass(const lash_system *system) {
    double mass = system ? 0 : (double)NAN;
    for (int b = 1; system && b < system->bodies; b++)
        mass += system->mass[b][0];
    return mass;
}

int lash_system_mobility(const lash_system *system) {
    if (!system)
        return 0;
    return system->freedoms_free;
}

int lash_system_freedoms(const lash_system *system) {
    if (!system)
        return 0;
    return system->freedoms;
}

const char *lash_system_redundant(const lash_system *system, size_t index) {
    if (!system)
        return NULL;
    return index < (size_t)system->redundant_count ? system->redundant[index] : NULL;
}

const char *lash_system_solver(const lash_system *system) {
    if (!system)
        return "";
    return system->motion.ldlt.sparse ? "sparse" : "dense";
}

size_t lash_system_drive_count(const lash_system *system) {
    return system ? (size_t)system->drive_count : 0;
}

lash_drive_info lash_system_drive(const lash_system *system, size_t index) {
    lash_drive_info info = {.start = (double)NAN, .speed = (double)NAN};
    if (index >= lash_system_drive_count(system))
        return info;
    const lashi_constraint *drive = lashi_drive_constraint(system, (int)index);
    info.name = system->drives[index].name;
    info.turns = drive->coordinate.type == LASHI_COORDINATE_ANGLE;
    info.steady = drive->profile.type == LASHI_PROFILE_SPEED;
    if (info.steady) {
        info.start = drive->profile.start;
        info.speed = drive->profile.speed;
    }
    return info;
}

double lash_system_drive_value(const lash_system *system, size_t index, double t) {
    return index < lash_system_drive_count(system)
               ? lashi_profile_jet(&lashi_drive_constraint(system, (int)index)->profile, t).f
               : (double)NAN;
}

double lash_system_end(const lash_system *system) {
    return system ? system->end : (double)NAN;
}

double lash_system_discard(const lash_system *system) {
    return system ? system->discard : (double)NAN;
}
