/* SPDX-License-Identifier: MIT
 *
 * The one list of what a model may contain: for every kind of thing its keys, with type, dimension, range,
 * default and meaning. The reader fills definition structs with it, the validator checks with it,
 * docs/model-format.md and the C defaults are made from it. A joint, force, law or film brings its own keys
 * in its own file.
 */
#ifndef LASHI_SCHEMA_H
#define LASHI_SCHEMA_H

#include <stddef.h>

#include "lash/model.h"

typedef enum lashi_value_type {
    LASHI_NUMBER,            /* double */
    LASHI_SHARE,             /* double[2]: a length in m, or a plain number: a share of the clearance */
    LASHI_PAIR,              /* double[2] */
    LASHI_FLAG,              /* bool: true, false */
    LASHI_VECTOR,            /* double[3]: two entries in the plane, three in space */
    LASHI_TEXT,              /* const char * */
    LASHI_CHOICE,            /* const char *: one of `choices` */
    LASHI_OBJECT,            /* const char *: name of an object of the kinds `targets` */
    LASHI_OBJECT_PAIR,       /* const char *[2]; a single name gives both when `same` is allowed */
    LASHI_POINT,             /* const char *: "body" or "body.point" */
    LASHI_POINT_PAIR,        /* const char *[2] */
    LASHI_EXPRESSION,        /* lash_expression *, of t and the state */
    LASHI_TIME_EXPRESSION,   /* lash_expression *, of t alone */
    LASHI_ANGLE_EXPRESSION,  /* lash_expression *, of `angle` */
    LASHI_EXPRESSION_VECTOR, /* lash_expression *[3] */
    LASHI_TABLE,       /* lash_table *: CSV file, or list of [x, y] pairs, or {file, units, interpolation} */
    LASHI_INERTIA,     /* double[6], space: [xx, yy, zz] or [xx, yy, zz, xy, xz, yz] */
    LASHI_ORIENTATION, /* double[4], space: Euler parameters, or one of the forms of src/input/spatial.c */
    LASHI_PLACE,       /* double[3], space: a vector in body axes, or the name of one of the body's points */
    LASHI_POINTS,      /* a map name -> vector, kept by the model */
    LASHI_HOLD,        /* unsigned: list of the names of lashi_hold_at */
    LASHI_UNTIL,       /* lashi_moment: "0.2 s" or "20 rev of motor" */
    LASHI_INLET,       /* lash_lubricant_def.inlet and groove: one of `choices`, or "groove at 90 deg" */
    LASHI_BLOCK,       /* a nested map with the keys of `block`, at `offset` */
    LASHI_FILES,       /* a file's name, or a list of them */
    LASHI_MAP          /* top level: a map name -> object of the kind `block` (NULL: has types of its own) */
} lashi_value_type;

typedef enum lashi_range {
    LASHI_ANY,          /* finite */
    LASHI_POSITIVE,     /* > 0 */
    LASHI_NOT_NEGATIVE, /* >= 0 */
    LASHI_FRACTION,     /* 0 < x <= 1 */
    LASHI_NOT_ZERO,     /* != 0; a vector: not all zero */
    LASHI_POISSON,      /* -1 < x < 0.5 */
    LASHI_WHOLE         /* 1, 2, 3, … */
} lashi_range;

enum { LASHI_BODIES = 1, LASHI_JOINTS = 2, LASHI_DRIVES = 4, LASHI_MATERIALS = 8, LASHI_GROUND = 16 };

/* Which models a key, a type or a word is for. */
enum {
    LASHI_BOTH_SPACES = 0,
    LASHI_PLANE_ONLY = 1 << LASH_PLANAR,
    LASHI_SPACE_ONLY = 1 << LASH_SPATIAL,
    LASHI_NOWHERE = 1 << 7 /* it is refused, with a reason of its own */
};

static inline bool lashi_fits(unsigned where, lash_space space) {
    return where == LASHI_BOTH_SPACES || where & 1u << space;
}

/* "'KEY' is …": why it does not fit. */
static inline const char *lashi_misfit_text(unsigned where) {
    return where == LASHI_PLANE_ONLY   ? "for planar models"
           : where == LASHI_SPACE_ONLY ? "for spatial models"
                                       : "not possible here";
}

/* Fields of a LASHI_UNTIL, as they follow one another in lash_run_def. */
typedef struct lashi_moment {
    double time, turns; /* s, or turns of the drive; both unset: none */
    const char *drive;
} lashi_moment;

typedef struct lashi_kind lashi_kind;

typedef struct lashi_key {
    const char *name;
    lashi_value_type type;
    size_t offset;    /* in the definition struct (in the block's struct for a block's key) */
    const char *unit; /* SI unit of its dimension: "m", "kg m^2"; "" a pure number; "rad|m": by the joint, for
                       * a turning | a sliding one; a table: of x and y, "rad|m,N m|N"; "*" any; NULL: "" */
    lashi_range range;
    const char *fallback; /* NULL: required; "(as drawn)": unset, the text says what happens; else parsed as a
                             value */
    const char *doc;      /* one sentence for the reference */
    unsigned targets;     /* LASHI_OBJECT…: LASHI_BODIES | … */
    const char *(*choices)(size_t index); /* LASHI_CHOICE: the names, NULL at the end */
    const lashi_kind *block;              /* LASHI_BLOCK */
    size_t present;      /* LASHI_BLOCK: offset of a bool that says the block is there; 0: none */
    unsigned space;      /* LASHI_PLANE_ONLY, …; two keys of one name may share it between them */
    const char *instead; /* what to do where it does not fit: "in space give ..."; NULL: nothing */
} lashi_key;

struct lashi_kind {
    const char *name, *doc;
    const lashi_key *keys; /* ended by a key with name NULL */
    const char *plain;     /* the key that a value in place of a map stands for; NULL: a map is needed */
    unsigned space;        /* as of a key: two joint types, one per space, may have one name */
    const char *instead;
};

/* The kinds. Joint and force types each have their own keys; the lists live in src/joint and src/force. What
 * a joint has where it is not ideal is a block of its own, `clearance`, `stops`, `backlash`: src/contact. */
extern const lashi_kind lashi_body_kind, lashi_material_kind, lashi_clearance_kind, lashi_contact_block,
    lashi_friction_kind, lashi_lubricant_kind, lashi_wear_kind, lashi_guide_wear_kind, lashi_drive_kind,
    lashi_run_kind, lashi_ground_kind, lashi_shape_kind, lashi_guide_block, lashi_stops_block,
    lashi_backlash_block, lashi_signal_kind, lashi_input_kind;
/* A part that is used: what is beside `use`. */
typedef struct lashi_instance_def {
    const char *use, *as;
    double at[3];          /* m */
    double angle;          /* rad, plane */
    double orientation[4]; /* space */
} lashi_instance_def;
extern const lashi_kind lashi_instance_kind;
/* Fallback of a size that friction by the load needs. */
#define LASHI_NEEDED_BY_LOAD "(needed with a coefficient)"
/* Friction of ideal joints: of a pin, a ball, a guide, a shaft in its sleeve, a cross, a mesh. */
extern const lashi_kind lashi_pin_rubbing, lashi_ball_rubbing, lashi_guide_rubbing, lashi_sleeve_rubbing,
    lashi_cross_rubbing, lashi_mesh_rubbing;
extern const lashi_kind lashi_top_kind;             /* the keys of the file itself, offsets into lash_model */
const lashi_kind *lashi_joint_schema(size_t index); /* NULL past the end */
const lashi_kind *lashi_force_schema(size_t index);
/* What the coordinate of a joint type is: 'r' an angle, 't' a travel, 0: it has none. In src/joint. */
char lashi_joint_coordinate(const char *type);
bool lashi_joint_has_both(const char *type);     /* an angle and a travel */
const char *lashi_coordinate_name(size_t index); /* choices of the key `coordinate` */

/* The type or key of that name which fits the space, else one which does not; NULL: none. */
const lashi_kind *lashi_joint_schema_find(const char *type, lash_space space);
const lashi_kind *lashi_force_schema_find(const char *type, lash_space space);
/* The keys of a kind one after the other, those of its ways to have play last; NULL past the end. */
const lashi_key *lashi_kind_key(const lashi_kind *kind, size_t index);
const lashi_key *lashi_play_key(const char *joint_type, size_t index); /* in src/contact */
const lashi_key *lashi_kind_find(const lashi_kind *kind, const char *name, lash_space space);

/* Sets every field that the kind lists to its default (unset where the fallback is NULL or begins with a
 * bracket). */
void lashi_kind_default(void *definition, const lashi_kind *kind);
/* True when a field holds a value; a block: when it is there (always, without a `present` flag). */
bool lashi_key_is_set(const lashi_key *key, const void *definition);
/* The words of LASHI_HOLD; name NULL at the end. */
typedef struct lashi_hold {
    const char *name;
    unsigned bit, space;
    const char *instead;
} lashi_hold;
lashi_hold lashi_hold_at(size_t index);

/* Names for LASHI_CHOICE lists that live further down the tree. */
const char *lashi_integrator_name(size_t index);
const char *lashi_normal_law_name(size_t index);
const char *lashi_friction_law_name(size_t index);
const char *lashi_film_name(size_t index);
bool lashi_film_is_ball(const char *name); /* of a ball in its socket; else of a pin, or unknown */
const char *lashi_oil_name(size_t index);
const char *lashi_contact_model_name(size_t index);
const char *lashi_detector_name(size_t index);

#endif
