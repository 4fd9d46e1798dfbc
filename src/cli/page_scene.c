/* SPDX-License-Identifier: MIT
 *
 * The model of a result as the page draws it (include/lash/scene.h → web/src/shapes.js).
 */
#include <math.h>
#include <stdlib.h>

#include "cli/page.h"
#include "lash/wear.h"

static void put_shape(FILE *stream, const lash_shape_def *shape) {
    fputs("{\"layer\":", stream);
    lashi_json_number(stream, shape->layer);
    if (shape->has_cylinder) {
        fputs(",\"cylinder\":{\"radius\":", stream);
        lashi_json_number(stream, shape->cylinder.radius);
        fputs(",\"length\":", stream);
        lashi_json_number(stream, shape->cylinder.length);
        fputs(",\"axis\":", stream);
        if (isnan(shape->cylinder.axis[0]))
            fputs("null", stream);
        else
            lashi_json_vector(stream, shape->cylinder.axis, 3);
        fputs(",\"at\":", stream);
        lashi_json_vector(stream, shape->cylinder.at, 3);
        fputc('}', stream);
    }
    if (shape->has_box) {
        fputs(",\"box\":{\"size\":", stream);
        lashi_json_vector(stream, shape->box.size, 3);
        fputs(",\"at\":", stream);
        lashi_json_vector(stream, shape->box.at, 3);
        fputc('}', stream);
    }
    if (shape->has_sphere) {
        fputs(",\"sphere\":{\"radius\":", stream);
        lashi_json_number(stream, shape->sphere.radius);
        fputs(",\"at\":", stream);
        lashi_json_vector(stream, shape->sphere.at, 3);
        fputc('}', stream);
    }
    if (shape->has_link) {
        fputs(",\"link\":{\"width\":", stream);
        lashi_json_number(stream, shape->link.width);
        fputc('}', stream);
    }
    fputc('}', stream);
}

static void put_body(FILE *stream, const lash_scene_body *body) {
    fputs("{\"name\":", stream);
    lashi_json_text(stream, body->name);
    fputs(",\"position\":", stream);
    lashi_json_vector(stream, body->position, 3);
    fputs(",\"orientation\":", stream);
    lashi_json_vector(stream, body->orientation, 4);
    fputs(",\"shape\":", stream);
    if (body->shape)
        put_shape(stream, body->shape);
    else
        fputs("null", stream);
    fputc('}', stream);
}

/* Worn surfaces: `depths` of both parts, of a pin in space of both parts at its first end and then at its second,
 * an empty list where one is as new; of a channel the ends of its block. */
static void put_worn(FILE *stream, const lash_model *model, size_t joint) {
    enum { ENDS = 2 };
    const int ends = lash_scene_space(model) == LASH_PLANAR ? 1 : ENDS;
    lash_worn_shape shape = {0};
    double mark[3], *depths = NULL;
    bool worn = false;
    for (int i = 0; i < ends * LASH_WORN_PARTS; i++)
        worn = lash_scene_worn(NULL, &shape, mark, model, joint, i / LASH_WORN_PARTS, i % LASH_WORN_PARTS) ||
               worn;
    if (worn)
        depths = calloc(shape.count, sizeof *depths);
    if (!depths)
        return;
    lashi_json_key(stream, "worn");
    fputs("{\"from\":", stream);
    lashi_json_number(stream, shape.origin);
    fputs(",\"step\":", stream);
    lashi_json_number(stream, shape.pitch);
    fputs(",\"mark\":", stream);
    lashi_json_vector(stream, mark, 3);
    for (int tails = 0; tails <= !shape.closed; tails++) {
        fputs(tails ? "],\"ends\":[" : ",\"depths\":[", stream);
        for (int i = 0; i < ends * LASH_WORN_PARTS; i++) {
            const size_t count = lash_scene_worn(depths, &shape, mark, model, joint, i / LASH_WORN_PARTS,
                                                 i % LASH_WORN_PARTS),
                         sectors = count < shape.sectors ? count : shape.sectors;
            fputs(i ? "," : "", stream);
            lashi_json_vector(stream, tails ? depths + sectors : depths, tails ? count - sectors : sectors);
        }
    }
    fputs("]}", stream);
    free(depths);
}

static void put_play(FILE *stream, const lash_model *model, const lash_scene_play *play, size_t joint) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"bearing", play->bearing_radius},
                   {"journal", play->journal_radius},
                   {"length", play->length},
                   {"height", play->height},
                   {"width", play->width},
                   {"play", play->play},
                   {"side_play", play->side_play},
                   {"min", play->min},
                   {"max", play->max},
                   {"backlash", play->backlash},
                   {"pressure_angle", play->pressure_angle}};
    fputs("{\"drawn\":", stream);
    lashi_json_text(stream, play->drawn);
    fprintf(stream, ",\"turns\":%s", play->turns ? "true" : "false");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isnan(numbers[i].value)) {
            lashi_json_key(stream, numbers[i].name);
            lashi_json_number(stream, numbers[i].value);
        }
    if (!isnan(play->up[0])) {
        lashi_json_key(stream, "up");
        lashi_json_vector(stream, play->up, 3);
    }
    if (!isnan(play->play) || !isnan(play->bearing_radius)) // of the clearance
        put_worn(stream, model, joint);
    fputc('}', stream);
}

static void put_joint(FILE *stream, const lash_model *model, const lash_scene_joint *joint, size_t index) {
    fputs("{\"name\":", stream);
    lashi_json_text(stream, joint->name);
    fputs(",\"type\":", stream);
    lashi_json_text(stream, joint->type);
    fprintf(stream, ",\"body\":[%zu,%zu],\"at\":[", joint->body[0], joint->body[1]);
    lashi_json_vector(stream, joint->at[0], 3);
    fputc(',', stream);
    lashi_json_vector(stream, joint->at[1], 3);
    fputs("],\"axis\":", stream);
    if (isnan(joint->axis[0]))
        fputs("null", stream);
    else
        lashi_json_vector(stream, joint->axis, 3);
    fputs(",\"ratio\":", stream);
    lashi_json_number(stream, joint->ratio);
    fputs(",\"radius\":", stream);
    lashi_json_number(stream, joint->radius);
    fputs(",\"plays\":[", stream);
    for (size_t k = 0; k < joint->play_count; k++) {
        const lash_scene_play play = lash_scene_play_at(model, index, k);
        fputs(k ? "," : "", stream);
        put_play(stream, model, &play, index);
    }
    fputc(']', stream);
    fputc('}', stream);
}

void lashi_page_scene(FILE *stream, const lash_model *model) {
    double gravity[3];
    lash_scene_gravity(gravity, model);
    fprintf(stream,
            "{\"space\":\"%s\",\"gravity\":", lash_scene_space(model) == LASH_PLANAR ? "planar" : "spatial");
    lashi_json_vector(stream, gravity, 3);
    fputs(",\n\"bodies\":[", stream);
    for (size_t i = 0; i < lash_scene_body_count(model); i++) {
        const lash_scene_body body = lash_scene_body_at(model, i);
        fputs(i ? ",\n" : "", stream);
        put_body(stream, &body);
    }
    fputs("],\n\"points\":[", stream);
    for (size_t i = 0; i < lash_scene_point_count(model); i++) {
        const lash_scene_point point = lash_scene_point_at(model, i);
        fprintf(stream, "%s{\"name\":", i ? ",\n" : "");
        lashi_json_text(stream, point.name);
        fprintf(stream, ",\"body\":%zu,\"at\":", point.body);
        lashi_json_vector(stream, point.at, 3);
        fputc('}', stream);
    }
    fputs("],\n\"joints\":[", stream);
    for (size_t i = 0; i < lash_scene_joint_count(model); i++) {
        const lash_scene_joint joint = lash_scene_joint_at(model, i);
        fputs(i ? ",\n" : "", stream);
        put_joint(stream, model, &joint, i);
    }
    fputs("]}", stream);
}
