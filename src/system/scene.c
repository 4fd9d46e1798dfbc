/* SPDX-License-Identifier: MIT
 *
 * lash_scene: a model as drawings see it. How play is drawn is said by the kinds of contact.
 */
#include "lash/scene.h"

#include <math.h>
#include <string.h>

#include "contact/contact.h"
#include "model/model.h"

lash_space lash_scene_space(const lash_model *model) {
    if (!model)
        return LASH_PLANAR;
    return model->space;
}

void lash_scene_gravity(double gravity[3], const lash_model *model) {
    if (!gravity || !model)
        return;
    memcpy(gravity, model->gravity, sizeof model->gravity);
}

size_t lash_scene_body_count(const lash_model *model) {
    if (!model)
        return 0;
    return model->body_count;
}

lash_scene_body lash_scene_body_at(const lash_model *model, size_t index) {
    if (index >= lash_scene_body_count(model))
        return (lash_scene_body){0};
    const lashi_named_body *body = &model->bodies[index];
    const bool ground = index == LASHI_GROUND_BODY;
    lash_scene_body out = {
        .name = body->name, .orientation = {1, 0, 0, 0}, .shape = ground ? NULL : &body->def.shape};
    if (!ground) {
        const double z[3] = {0, 0, 1};
        memcpy(out.position, body->def.position, sizeof out.position);
        if (model->space == LASH_PLANAR)
            lash_orientation_about(out.orientation, z, body->def.angle);
        else
            lashi_orientation_unit(out.orientation, body->def.orientation);
    }
    return out;
}

size_t lash_scene_point_count(const lash_model *model) {
    if (!model)
        return 0;
    return model->point_count;
}

lash_scene_point lash_scene_point_at(const lash_model *model, size_t index) {
    if (index >= lash_scene_point_count(model))
        return (lash_scene_point){0};
    const lashi_point *point = &model->points[index];
    return (lash_scene_point){point->name, point->body, {point->at[0], point->at[1], point->at[2]}};
}

static bool is_spring(const lash_force_def *force) {
    return strcmp(force->type, "spring") == 0;
}

size_t lash_scene_joint_count(const lash_model *model) {
    if (!model)
        return 0;
    size_t count = model->joint_count;
    for (size_t i = 0; i < model->force_count; i++)
        count += is_spring(&model->forces[i].def);
    return count;
}

static void find_ends(lash_scene_joint *joint, const lash_model *model, const char *const between[2]) {
    for (size_t k = 0; k < 2; k++)
        if (!between[k] || !lashi_model_find_point(&joint->body[k], joint->at[k], model, between[k]))
            joint->body[k] = LASHI_GROUND_BODY; // the check of the model has refused it
}

static lash_scene_joint spring_at(const lash_model *model, size_t index) {
    lash_scene_joint joint = {
        .axis = {LASH_UNSET, LASH_UNSET, LASH_UNSET}, .ratio = LASH_UNSET, .radius = LASH_UNSET};
    for (size_t i = 0; i < model->force_count; i++)
        if (is_spring(&model->forces[i].def) && index-- == 0) {
            joint.name = model->forces[i].name;
            joint.type = model->forces[i].def.type;
            find_ends(&joint, model, model->forces[i].def.between);
            break;
        }
    return joint;
}

/* The index-th play of a joint that can be drawn; NULL past the end. */
static const lashi_play *find_play(const lash_model *model, const lash_joint_def *def, size_t index) {
    const lashi_play *play;
    for (size_t i = 0; (play = lashi_play_at(def->type, model->space, i)) != NULL; i++)
        if (play->draw && lashi_play_is_in(play, def) && index-- == 0)
            return play;
    return NULL;
}

lash_scene_joint lash_scene_joint_at(const lash_model *model, size_t index) {
    if (index >= lash_scene_joint_count(model))
        return (lash_scene_joint){0};
    if (index >= model->joint_count)
        return spring_at(model, index - model->joint_count);
    const lash_joint_def *def = &model->joints[index].def;
    lash_scene_joint joint = {.name = model->joints[index].name,
                              .type = def->type,
                              .axis = {def->axis[0], def->axis[1], def->axis[2]},
                              .ratio = def->ratio,
                              .radius = def->radius};
    while (find_play(model, def, joint.play_count))
        joint.play_count++;
    find_ends(&joint, model, def->between);
    return joint;
}

lash_scene_play lash_scene_play_at(const lash_model *model, size_t joint, size_t index) {
    const lash_joint_def *def = model && joint < model->joint_count ? &model->joints[joint].def : NULL;
    const lashi_play *play = def ? find_play(model, def, index) : NULL;
    if (!play)
        return (lash_scene_play){0};
    lash_scene_play out = {.bearing_radius = LASH_UNSET,
                           .journal_radius = LASH_UNSET,
                           .length = LASH_UNSET,
                           .height = LASH_UNSET,
                           .width = LASH_UNSET,
                           .play = LASH_UNSET,
                           .side_play = LASH_UNSET,
                           .up = {LASH_UNSET, LASH_UNSET, LASH_UNSET},
                           .min = LASH_UNSET,
                           .max = LASH_UNSET,
                           .backlash = LASH_UNSET,
                           .pressure_angle = LASH_UNSET};
    play->draw(&out, def);
    return out;
}
