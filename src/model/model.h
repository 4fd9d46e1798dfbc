/* SPDX-License-Identifier: MIT
 *
 * The inside of lash_model: named definitions in the order they were given.
 *
 * Names are unique over bodies, joints, drives, forces, signals and inputs (one space, because channels are
 * NAME.quantity);
 * materials have their own. Body 0 is "ground".
 */
#ifndef LASHI_MODEL_H
#define LASHI_MODEL_H

#include <stdint.h>

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
    double ground[4]; /* space: the axes from which angles count on the ground, those of an instance */
} lashi_named_joint;

typedef struct lashi_named_drive {
    const char *name;
    lash_drive_def def;
} lashi_named_drive;

typedef struct lashi_named_force {
    const char *name;
    lash_force_def def;
} lashi_named_force;

typedef struct lashi_named_signal {
    const char *name;
    lash_signal_def def;
} lashi_named_signal;

typedef struct lashi_named_input {
    const char *name;
    lash_input_def def;
} lashi_named_input;

typedef struct lashi_named_material {
    const char *name;
    lash_material_def def;
} lashi_named_material;

/* A file that a model is read from. Lines are counted on from file to file, so that a number tells both: line
 * n of a source is before + n, and `before` itself stands for the file as a whole. */
typedef struct lashi_source {
    const char *file, *text; /* name in messages; its bytes */
    size_t length;
    int before;
} lashi_source;

typedef struct lashi_sources {
    lashi_source *list; /* [0] is the model file, the others are those it includes */
    size_t count, capacity;
} lashi_sources;

/* The texts stay the caller's. False: out of memory. */
bool lashi_sources_add(lashi_sources *sources, const char *file, const char *text, size_t length);
/* The source that a line belongs to, and its number there; NULL: none. */
const lashi_source *lashi_sources_find(int *own_line, const lashi_sources *sources, int line);

/* Where in the file a key of an object was written, for messages. */
typedef struct lashi_place {
    const void *name; /* the object's name pointer (unique), or NULL for the run block and the top level */
    const char *key;  /* key path inside the object: "clearance.radial"; "" = the object itself */
    int line, column; /* from 1, counted over all sources; columns in characters */
    bool bad;         /* reading it has failed and was reported: nothing more is said about it */
} lashi_place;

/* An object that the file declares but the model does not hold. */
typedef struct lashi_absent {
    const char *name;
    bool bad; /* it could not be taken in, which was reported; else its `when` leaves it out */
} lashi_absent;

/* Names -> objects, for files with very many of them; see names.c. */
typedef struct lashi_name_entry {
    const char *name; /* NULL: empty */
    unsigned space;   /* 0: bodies, joints, drives, forces; 1: materials; 2 + body index: its points */
    unsigned kind;    /* LASHI_BODIES, … within space 0 */
    size_t index;
} lashi_name_entry;

typedef struct lashi_names {
    lashi_name_entry *entries; /* `size` of them, a power of two */
    size_t size, count;
} lashi_names;

enum {
    LASHI_FORCES = 32,
    LASHI_SIGNALS = 64,
    LASHI_NAMED_INPUTS = 128
}; /* continue from LASHI_GROUND in schema.h */
enum { LASHI_OBJECT_SPACE = 0, LASHI_MATERIAL_SPACE = 1, LASHI_POINT_SPACE = 2 };

const lashi_name_entry *lashi_names_find(const lashi_names *names, unsigned space, const char *name);
bool lashi_names_add(lashi_names *names, lashi_name_entry entry); /* false: out of memory */

/* A file of a table. */
typedef struct lashi_table_file {
    const char *name; /* from the folder of the model file */
    uint64_t sum;     /* of the numbers read from it */
} lashi_table_file;

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
    lashi_named_signal *signals;
    size_t signal_count, signal_capacity;
    lashi_named_input *inputs;
    size_t input_count, input_capacity;

    const char *text; /* the file, "" if built in C */
    const char *file; /* its name as given, "" if built in C */
    lashi_sources sources;
    lashi_arena parsed;      /* the file as a tree, where it was asked for … */
    const void *parsed_root; /* … (lashi_yaml of input/yaml.h); NULL: it is not kept */
    lashi_table_file *tables;
    size_t table_count, table_capacity;
    lash_setting *settings;
    size_t setting_count, setting_capacity;
    lash_parameter *parameters; /* in the arena */
    size_t parameter_count;
    lashi_place *places;
    size_t place_count, place_capacity;
    lashi_absent *absent;
    size_t absent_count, absent_capacity;
    lashi_names names;
};

enum { LASHI_GROUND_BODY = 0 };
#define LASHI_NONE ((size_t)-1)

size_t lashi_model_find_body(const lash_model *model, const char *name); /* LASHI_NONE: no such body */
/* The JOINT.PART of a setting worn.JOINT.PART, which gives a profile; NULL: it is another one. */
const char *lashi_worn_setting(const lash_setting *setting);
size_t lashi_model_find_joint(const lash_model *model, const char *name);
size_t lashi_model_find_drive(const lash_model *model, const char *name);
size_t lashi_model_find_material(const lash_model *model, const char *name);
/* Whether the stiffness of teeth is given over one pitch, 0 to 1: then the model repeats it. */
bool lashi_is_one_pitch(const lash_table *mesh);
/* "body" or "body.point" -> body index and place in its axes. False: no such body or point. */
bool lashi_model_find_point(size_t *body, double at[3], const lash_model *model, const char *reference);
/* The dot between body and point: the last one, but the first after "ground"; NULL: none. */
const char *lashi_point_dot(const char *reference);

/* A signal that an object of the model brings along, OBJECT.quantity; the name is the model's. */
lash_status lashi_model_add_own_signal(lash_model *model, const char *name, const lash_signal_def *signal,
                                       lash_error *error);
/* The expression of a signal, whichever it has, and whether it has a state; NULL: none is given. */
lash_expression *lashi_signal_expression(const lash_signal_def *signal, bool *state);

/* A text that follows the syntax of names, [A-Za-z_][A-Za-z0-9_-]*, and is not reserved; else why not. */
bool lashi_name_is_valid(const char *name, bool may_be_reserved, const char **why);
/* The same of a name with those of instances before it: "c1.rod". */
bool lashi_full_name_is_valid(const char *name, bool may_be_reserved, const char **why);

/* Notes where a key was written (`key` is copied); false when out of memory. */
bool lashi_model_note_place(lash_model *model, const void *name, const char *key, int line, int column,
                            bool bad);
/* To be called after the last note and before the first search. */
void lashi_model_sort_places(lash_model *model);
/* The place of a key, else of the nearest block around it, else of the object; NULL: built in C. */
const lashi_place *lashi_model_find_place(const lash_model *model, const void *name, const char *key);
/* What a word means in expressions (t, pi, e, a function …); NULL: nothing. */
const char *lashi_meaning(const char *name);
/* Length in bytes of the well-formed UTF-8 character at `bytes` (length >= 1), its code in *code; 0: broken.
 */
size_t lashi_utf8_length(uint32_t *code, const char *bytes, size_t length);
/* Line number `line` of a text, cut to a readable length, with control characters and broken UTF-8 escaped.
 */
void lashi_excerpt(char *buffer, size_t size, const char *text, size_t length, int line);
/* A piece of untrusted text made fit to be quoted in a message: cut, control characters escaped. */
const char *lashi_quote(char *buffer, size_t size, const char *text, size_t length);

/* ---- space: orientation.c, inertia.c ---- */
/* Unit vector along v; false: v is zero or not finite. */
bool lashi_direction(double out[3], const double v[3]);
void lashi_cross(double out[3], const double a[3], const double b[3]); /* out may be a or b */
/* Euler parameters of any length made a unit vector; false: they are all zero or not finite. */
bool lashi_orientation_unit(double out[4], const double orientation[4]);
/* Components in body axes -> in the others; false as above. */
bool lashi_orientation_matrix(double A[3][3], const double orientation[4]);
/* Tensor xx yy zz xy xz yz about the centre of mass in body axes, from inertia, inertia_axes and inertia_at.
 * False: it is not finite. Whether it is that of a body is for the check to say. */
bool lashi_body_inertia(double J[6], const lash_body_def *def);
void lashi_principal_moments(double moments[3], const double J[6]); /* in rising order */

/* The whole check; every mistake goes to report (may be NULL), the first one to error. */
lash_status lashi_model_check(const lash_model *model, void (*report)(void *, const lash_error *), void *user,
                              lash_error *error);

#endif
