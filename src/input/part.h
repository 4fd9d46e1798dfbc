/* SPDX-License-Identifier: MIT
 *
 * Parts that are used several times: components, the files that bring them, and their instances.
 *
 * A file defines components under `components`, or includes files, each of which is a component called like
 * the file. An instance (a map with `use`) is read by a reader of its own: with the component's sections, its
 * own parameters, its name before all names, and moved to its place.
 */
#ifndef LASHI_PART_H
#define LASHI_PART_H

#include "input/yaml.h"

struct lashi_reader;

/* Sections that can be read as an instance. */
typedef struct lashi_component {
    const char *name;
    const lashi_yaml *key;               /* where it is named */
    const lashi_yaml *root;              /* its sections */
    const char *folder;                  /* of the file it is in */
    const struct lashi_library *library; /* the components that it may use */
    bool included;                       /* a file of its own, which may be run alone */
    bool open;                           /* an instance is being made: to meet it again is a cycle */
} lashi_component;

typedef struct lashi_library {
    const struct lashi_library *outer; /* of the file around it; NULL: none */
    lashi_component *list;             /* in the arena */
    size_t count;
} lashi_library;

/* Where an instance stands against the ground. */
typedef struct lashi_placing {
    bool moved, turned;
    double at[3];          /* m */
    double angle;          /* rad, plane */
    double orientation[4]; /* space */
    double A[3][3];        /* components in its axes → in ground axes */
} lashi_placing;

/* A file that is included, once for all who do. */
typedef struct lashi_included {
    const char *path; /* from the folder of the model file, or absolute */
    const char *text;
    const lashi_yaml *root; /* NULL: it could not be read, which was said */
    lashi_library *library;
    bool open; /* its own includes are being read: to meet it again is a cycle */
    struct lashi_included *next;
} lashi_included;

/* What the readers of one model share. */
typedef struct lashi_parts {
    struct lashi_reader *first, *last; /* the file itself, then its instances in the order of the file */
    size_t count;
    size_t folder_length;   /* of the model file's folder */
    size_t text_size;       /* of all included files */
    const lashi_yaml *kept; /* texts of included files that the model file brings along; NULL: none */
    lashi_included *files;  /* newest first */
    size_t depth;           /* of includes */
} lashi_parts;

/* What the second document of a model file holds: the texts of the files that it includes, by their paths. */
#define LASHI_KEPT "included files"
/* The point of the ground where the origin of a moved instance stands: ground.c1.origin. */
#define LASHI_ORIGIN "origin"

/* The components of the reader's own sections. */
void lashi_take_components(struct lashi_reader *reader);
/* Its instances, and theirs: readers at the end of the list, with parameters worked out. */
void lashi_take_instances(struct lashi_reader *reader);
/* A key that holds an instance or several of them. */
bool lashi_is_instance(const lashi_yaml *node);
/* After all is read: names of instances that objects have, too. */
void lashi_check_instances(const struct lashi_reader *first);
/* The text of the model with the files that it includes behind it, in the model's arena; NULL: out of memory.
 */
const char *lashi_bundle(struct lashi_reader *first, const char *text);

/* ---- placing.c: what the reader of an instance has read, moved to its place ---- */
void lashi_place_within(lashi_placing *out, const lashi_placing *outer, const double at[3], double angle,
                        const double orientation[4]);
void lashi_place_point(double at[3], const lashi_placing *placing);
void lashi_place_body(lash_body_def *def, const lashi_placing *placing);
void lashi_place_joint(lash_joint_def *def, struct lashi_reader *reader, const lashi_yaml *map);
/* `map`: where the expressions stand. False after reporting. */
bool lashi_place_drive(lash_drive_def *def, struct lashi_reader *reader, const lashi_yaml *map);
bool lashi_place_force(lash_force_def *def, struct lashi_reader *reader, const lashi_yaml *map);

#endif
