/* SPDX-License-Identifier: MIT
 *
 * Force elements: what acts on the bodies besides gravity, constraints and contacts.
 *
 * A force type is one file: its keys, how it is compiled, and one function that adds its generalised forces
 * and its share of the energy ledger. Every element says where its power goes: stored (potential), lost
 * (dissipation ≥ 0), or brought in from outside (input).
 */
#ifndef LASHI_FORCE_H
#define LASHI_FORCE_H

#include <stddef.h>

#include "contact/contact.h"
#include "joint/space.h"
#include "lash/system.h"
#include "math/switch.h"

/* A compiled force element. Immutable; every number is SI. */
typedef struct lashi_force {
    int type;              /* enum lashi_force_type */
    int index;             /* in the system's forces */
    int body[LASHI_SLOTS]; /* frame indices; the force acts on body[1], the opposite on body[0] */
    const char *name;
    lashi_vec2 s[LASHI_SLOTS]; /* m, points in body axes */
    bool in_body_axes;
    lashi_coordinate coordinate, over; /* joint elements; loads */
    double stiffness, damping;         /* N/m, N s/m or N m/rad, N m s/rad */
    double rest;                       /* free length (m) or free value of the coordinate (rad, m) */
    lashi_vec2 direction;              /* unit, ground axes */
    const lash_expression *expression[3];
    const lash_table *table;
    double stored;                    /* integral of the table where the stored energy is zero */
    bool spatial;                     /* the rest is for space alone */
    lashi_vec3 s3[LASHI_SLOTS];       /* m, points in principal axes */
    lashi_vec3 direction3;            /* unit, ground axes */
    lashi_vec3 triad[LASHI_SLOTS][3]; /* axes of the components on both bodies, in principal axes */
    double along[3], about[3], damping_along[3], damping_about[3]; /* bushing */
} lashi_force;

/* What a force's compile function may look up. */
typedef struct lashi_force_context {
    const lash_system *system;
    const lash_model *model;
    const lashi_frame *frames; /* as drawn */
    /* Coordinate of a joint by name, "angle", "travel" or (NULL) its first; false when the joint has none. */
    bool (*coordinate)(lashi_coordinate *out, const lash_system *system, const char *joint,
                       const char *which);
    /* Space: a vector in the user's axes of a body, in its principal axes. */
    lashi_vec3 (*to_principal)(const lash_system *system, int body, const double user[3]);
} lashi_force_context;

/* The list of force types. Adding one is one new file and one line here. */
#define LASHI_FORCE_LIST(X)                                                                                  \
    X(point_force)                                                                                           \
    X(torque)                                                                                                \
    X(spring)                                                                                                \
    X(joint_spring)                                                                                          \
    X(viscous)                                                                                               \
    X(load)                                                                                                  \
    X(bushing)                                                                                               \
    X(motor)

enum lashi_force_type {
#define LASHI_FORCE_ENUM(id) LASHI_FORCE_##id,
    LASHI_FORCE_LIST(LASHI_FORCE_ENUM)
#undef LASHI_FORCE_ENUM
};

enum { LASHI_INPUTS = 3 }; /* components of a force */

/* Where a force reads its table, and how fast that place moves. */
typedef struct lashi_reading {
    double x, rate; /* rad or m, and per second */
    bool turns;     /* x is an angle */
} lashi_reading;

/* What an element records. A suffix or unit with a bar depends on the coordinate it acts along: what stands
 * before the bar where that is an angle, or what stands after it where it is a travel. */
typedef struct lashi_force_channel {
    const char *suffix, *unit, *meaning;
    unsigned space;  /* LASHI_PLANE_ONLY, … */
    bool with_table; /* only where the element has one */
    bool of_over;    /* its coordinate is the one that the table is read with */
} lashi_force_channel;
enum { LASHI_FORCE_CHANNELS = 9 }; /* at most */

/* What a channel of a force reads. */
typedef struct lashi_force_view {
    const lashi_frame *frames;
    double t;
    double (*scratch)[LASHI_FREEDOMS]; /* [bodies], for forces that are applied to be looked at */
} lashi_force_view;

typedef struct lashi_force_kind {
    lashi_kind schema;
    /* Names of the components that expressions give, in the plane and in space; NULL: no more. */
    const char *inputs[2][LASHI_INPUTS];
    const char *input_unit; /* NULL: by its coordinate */
    /* Completes an element whose type and name are set. */
    lash_status (*compile)(lashi_force *out, const lash_force_def *def, const lashi_force_context *context,
                           lash_error *error);
    /* Of a force with a table. NULL: the type has none. */
    lashi_reading (*reading)(const lashi_force *force, const lashi_frame *frames);
    /* What is recorded of it, ended by a suffix NULL, and its value. Power is what the bodies get. */
    const lashi_force_channel *channels;
    double (*value)(const lashi_force *force, const lashi_force_view *view, int channel);
} lashi_force_kind;

const lashi_force_kind *lashi_force_kind_at(size_t index); /* NULL past the end */
size_t lashi_force_kind_find(const char *name);            /* = enum lashi_force_type; LASHI_NONE: unknown */

/* Adds to g ([body][6], ground's entries are scratch) and to the ledger. */
#define LASHI_FORCE_DECLARE(id)                                                                              \
    extern const lashi_force_kind lashi_force_##id;                                                          \
    void lashi_##id##_apply(double(*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,      \
                            const lashi_frame *frames, double t);                                            \
    double lashi_##id##_value(const lashi_force *force, const lashi_force_view *view, int channel);
LASHI_FORCE_LIST(LASHI_FORCE_DECLARE)
#undef LASHI_FORCE_DECLARE
void lashi_force_apply(double (*g)[LASHI_FREEDOMS], lashi_ledger *ledger, const lashi_force *force,
                       const lashi_frame *frames, double t);

/* The channel with the suffix and unit that this element has; false: it does not have it. */
bool lashi_force_channel_of(lashi_force_channel *out, const lashi_force *force,
                            const lashi_force_channel *channel);

/* Shared by the force files. */
lash_status lashi_force_point(lashi_force *out, int slot, const char *reference,
                              const lashi_force_context *context, lash_error *error);
lash_status lashi_force_coordinate(lashi_coordinate *out, const lashi_force *force, const char *joint,
                                   const char *which, const lashi_force_context *context, lash_error *error);

/* Keys that several force types have. */
#define LASHI_WHICH_COORDINATE_KEY                                                                           \
    {                                                                                                        \
        .name = "coordinate", .type = LASHI_CHOICE, .offset = offsetof(lash_force_def, coordinate),          \
        .fallback = "(the joint's first)", .choices = lashi_coordinate_name, .space = LASHI_SPACE_ONLY,      \
        .doc = "of a joint that turns and slides: which of the two it acts on"                               \
    }
#define LASHI_FRAME_KEY(where)                                                                               \
    {                                                                                                        \
        .name = "frame", .type = LASHI_CHOICE, .offset = offsetof(lash_force_def, frame),                    \
        .fallback = "ground", .choices = lashi_frame_name, .space = where,                                   \
        .doc = "axes of the components: ground, or the body's own (they turn with it)"                       \
    }

/* What forces see besides the frames. From outside: numbers that are added to their components, and functions
 * that a caller gives. And what their expressions read of the state. */
typedef struct lashi_input_call {
    lash_force_call *call; /* NULL: none */
    void *user;
} lashi_input_call;
typedef struct lashi_inputs {
    const double (*values)[LASHI_INPUTS]; /* [forces]; NULL: nothing is added */
    const lashi_input_call *calls;        /* [forces] */
    const lashi_instant *now;
} lashi_inputs;
/* Component k from outside. */
double lashi_input_value(const lashi_force *force, int k, const lashi_frame *frames, double t);

/* Component k at the time t, on the piece that holds now. */
static inline double lashi_force_value(const lashi_force *force, int k, const lashi_frame *frames, double t) {
    const lashi_inputs *seen = frames[0].inputs;
    const lash_expression *expression = force->expression[k];
    if (!seen)
        return lashi_expression_jet_in(expression, t, frames[0].inside).f;
    const double own = lashi_expression_reads_state(expression)
                           ? lashi_expression_read_value(expression, t, seen->now)
                           : lashi_expression_jet_in(expression, t, frames[0].inside).f;
    return seen->values ? own + lashi_input_value(force, k, frames, t) : own;
}
/* The table at x. */
static inline double lashi_force_read(lashi_ledger *ledger, const lashi_force *force, double x) {
    ledger->table_at = x;
    return lashi_table_jet(force->table, x).f;
}
/* A table of a spring: its energy is counted from x = 0, or from its first point if it has no value there. */
void lashi_force_table(lashi_force *out, const lash_table *table);

/* Choices of the key `frame`. */
const char *lashi_frame_name(size_t index);
/* Space: the user's axes of body[1] become the second triad. */
void lashi_force_own_axes(lashi_force *out, const lashi_force_context *context);
/* Components along that triad, in ground axes. */
static inline lashi_vec3 lashi_from_user_axes(const lashi_force *force, const lashi_frame *j, lashi_vec3 u) {
    const lashi_vec3 *e = force->triad[1];
    const lashi_vec3 own = lashi_axpy3(lashi_axpy3(lashi_scale3(u.x, e[0]), u.y, e[1]), u.z, e[2]);
    return lashi_turn3(j->A, own);
}

/* A generalised force Q along a coordinate: g += Jᵀ Q. */
static inline void lashi_apply_along(double (*g)[LASHI_FREEDOMS], const lashi_coordinate *coordinate,
                                     const lashi_coordinate_state *state, double Q) {
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        for (int k = 0; k < LASHI_FREEDOMS; k++)
            g[coordinate->body[slot]][k] += Q * state->J[slot][k];
}

#endif
