/* SPDX-License-Identifier: MIT
 *
 * The inside of lash_model: named definitions in the order they were given.
 *
 * Names are unique over bodies, joints, drives and forces (one space, because channels are NAME.quantity);
 * materials have their own. Body 0 is "ground".
 */
#ifndef LASHI_MODEL_H
#define LASHI_MODEL_H

#include "base/memory.h"
#include "lash/model.h"
#include "model/schema.h"

typedef struct lashi_point {
    const char *name;
    size_t body;  /* index into bodies */
    double at[3]; /* m, body axes */
} lashi_point;

typedef struct lashi_named_body {
    const char *name;
    lash_body_def def;
} lashi_named_body;

typedef struct lashi_named_joint {
    const char *name;
    lash_joint_def def;
} lashi_named_joint;

typedef struct lashi_named_drive {
    const char *name;
    lash_drive_def def;
} lashi_named_drive;

typedef struct lashi_named_force {
    const char *name;
    lash_force_def def;
} lashi_named_force;

typedef struct lashi_named_material {
    const char *name;
    lash_material_def def;
} lashi_named_material;

/* Where in the file a key of an object was written, for messages. */
typedef struct lashi_place {
    const void *name; /* the object's name pointer (unique), or NULL for the run block and the top level */
    const char *key;  /* key path inside the object: "clearance.radial"; "" = the object itself */
    int line, column;
} lashi_place;

struct lash_model {
    lashi_arena arena; /* owns every text below */
    const char *title;
    lash_space space;
    double gravity[3]; /* m/s^2 */
    lash_run_def run;

    lashi_named_body *bodies; /* [0] is ground */
    size_t body_count, body_capacity;
    lashi_point *points;
    size_t point_count, point_capacity;
    lashi_named_material *materials;
    size_t material_count, material_capacity;
    lashi_named_joint *joints;
    size_t joint_count, joint_capacity;
    lashi_named_drive *drives;
    size_t drive_count, drive_capacity;
    lashi_named_force *forces;
    size_t force_count, force_capacity;

    const char *text; /* the file, "" if built in C */
    const char *file; /* its name as given, "" if built in C */
    lash_setting *settings;
    size_t setting_count, setting_capacity;
    lashi_place *places;
    size_t place_count, place_capacity;
};

enum { LASHI_GROUND_BODY = 0 };
#define LASHI_NONE ((size_t)-1)

size_t lashi_model_find_body(const lash_model *model, const char *name); /* LASHI_NONE: no such body */
size_t lashi_model_find_joint(const lash_model *model, const char *name);
size_t lashi_model_find_drive(const lash_model *model, const char *name);
size_t lashi_model_find_material(const lash_model *model, const char *name);
/* "body" or "body.point" -> body index and place in its axes. False: no such body or point. */
bool lashi_model_find_point(size_t *body, double at[3], const lash_model *model, const char *reference);

/* The whole check; every mistake goes to report (may be NULL), the first one to error. */
lash_status lashi_model_check(const lash_model *model, void (*report)(void *, const lash_error *), void *user,
                              lash_error *error);

#endif
