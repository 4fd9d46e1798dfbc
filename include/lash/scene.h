/* SPDX-License-Identifier: MIT
 *
 * What a drawing of a model needs to know: bodies with their points and shapes, what joins them, and where
 * play is. Bodies are counted from the ground, which is number 0. Texts and pointers live as long as the
 * model.
 */
#ifndef LASH_SCENE_H
#define LASH_SCENE_H

#include "lash/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lash_scene_body {
    const char *name;
    double position[3];          /* m, centre of mass as the model gives it, before assembly */
    double orientation[4];       /* Euler parameters, the scalar first: body axes → ground axes */
    const lash_shape_def *shape; /* NULL: the ground */
} lash_scene_body;

typedef struct lash_scene_point {
    const char *name;
    size_t body;
    double at[3]; /* m, body axes */
} lash_scene_point;

/* A joint, or a force element between two points (type "spring"). */
typedef struct lash_scene_joint {
    const char *name, *type;
    size_t body[2];
    double at[2][3]; /* m, in the axes of the two bodies */
    double axis[3];  /* in the first body's axes; unset where the type has none */
    double ratio;    /* gear; unset elsewhere */
    double radius;   /* m, rack-and-pinion; unset elsewhere */
    size_t play_count;
} lash_scene_joint;

/* A way in which a joint has play, as a picture needs it. Which picture is a word:
 *   circle    a journal in its bearing, a ball in its socket
 *   channel   a block between the walls of a channel along the joint's axis
 *   stops     limits of the joint's angle or travel
 *   teeth     a tooth between two flanks
 * Numbers that a picture does not use are unset. */
typedef struct lash_scene_play {
    const char *drawn;
    /* Channels behind the joint's name, ended by NULL: what moves in the picture, and the forces by which the
     * instants worth showing are found. Channels that a joint does not have were not recorded. */
    const char *const *channels, *const *forces;
    double bearing_radius, journal_radius; /* m, circle */
    double length;                         /* m, of the bearing, or of the block along its channel */
    double height, width;                  /* m, of the block; width in space only */
    double play, side_play;                /* m, of the channel less that of the block, both sides together */
    double up[3];                          /* channel: direction of the height, axes of the first body */
    double min, max;                       /* rad or m, stops: one of them may be unset */
    bool turns;            /* stops: of an angle, about the joint's axis; teeth: as `backlash` */
    double backlash;       /* m, teeth: along the line of action; rad if it is an angle */
    double pressure_angle; /* rad, teeth */
} lash_scene_play;

lash_space lash_scene_space(const lash_model *model);
void lash_scene_gravity(double gravity[3], const lash_model *model); /* m/s^2 */

/* By index; past the end all fields are 0. */
size_t lash_scene_body_count(const lash_model *model); /* with the ground */
lash_scene_body lash_scene_body_at(const lash_model *model, size_t index);
size_t lash_scene_point_count(const lash_model *model);
lash_scene_point lash_scene_point_at(const lash_model *model, size_t index);
/* Joints, then springs. */
size_t lash_scene_joint_count(const lash_model *model);
lash_scene_joint lash_scene_joint_at(const lash_model *model, size_t index);
lash_scene_play lash_scene_play_at(const lash_model *model, size_t joint, size_t index);

#ifdef __cplusplus
}
#endif
#endif
