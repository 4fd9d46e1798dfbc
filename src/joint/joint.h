/* SPDX-License-Identifier: MIT
 *
 * Ideal joints as constraints: Φ(q, t) = 0 with Jacobian Φq and the right-hand side γ of Φq v̇ = γ
 * (docs/physics.md, section 1).
 *
 * A joint type is one file: its keys for the reader, how it is compiled from its definition, and one function
 * that fills Φ, Φq, Φt and γ from the frames of its bodies. Drives are constraints too: joint/drive.c.
 * Notation in the plane: frame of body k at r_k, turned by θ_k; S = A s′ is a body-fixed vector in ground
 * axes; perp(a) = (−a_y, a_x), so that Ṡ = ω perp(S), S̈ = ω̇ perp(S) − ω² S.
 */
#ifndef LASHI_JOINT_H
#define LASHI_JOINT_H

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "math/table.h"
#include "math/trig.h"
#include "math/vec3.h"
#include "model/model.h"

/* Position and velocity of a body's frame (its centre of mass). Ground is frame 0 and never moves. The plane
 * uses the first part, which is one cache line. Space uses the second; there the body axes are the
 * principal axes of inertia. */
typedef struct lashi_frame {
    double x, y;   /* m */
    double c, s;   /* cos θ, sin θ */
    double angle;  /* rad, θ, not reduced */
    double vx, vy; /* m/s */
    double w;      /* rad/s */

    lashi_vec3 r, v;       /* m, m/s */
    double A[9];           /* body axes → ground axes */
    lashi_vec3 spin, own;  /* rad/s, angular velocity in ground axes and in body axes */
    double p[4];           /* Euler parameters, of any length */
    const double *counted; /* of ground: rad, angles of joints with their turns, from y; NULL: within ±π */
    const struct lashi_inputs *inputs; /* of ground: what forces see besides the frames; NULL: nothing */
    double inside; /* of ground: s, decides the pieces of functions of time (math/breaks.h); NaN: t itself */
    const struct lashi_phase *phases; /* of ground: [contacts] pieces of their excitation; NULL: none */
    double spare[2]; /* of this size, frames are addressed with fewer instructions than of similar ones */
} lashi_frame;

typedef struct lashi_vec2 {
    double x, y;
} lashi_vec2;

enum {
    LASHI_FREEDOMS = 6, /* velocities of a body, at most: x, y, θ in the plane; in space v, ω′ */
    LASHI_PLANE = 3,    /* of them in the plane */
    LASHI_MAX_ROWS = 6, /* constraint rows of one joint */
    LASHI_SLOTS = 2,    /* points of one joint */
    LASHI_LINKS = 3     /* bodies of one constraint: a gear pair in space also touches its housing */
};

/* How a prescribed coordinate moves: f(t) with two derivatives. */
typedef struct lashi_profile {
    enum { LASHI_PROFILE_SPEED, LASHI_PROFILE_RAMP, LASHI_PROFILE_EXPRESSION, LASHI_PROFILE_TABLE } type;
    double start, speed;   /* speed: f = start + speed t */
    double from, to, over; /* ramp */
    const lash_expression *expression;
    const lash_table *table;
} lashi_profile;

/* A joint in space: its points, and a right-handed triad on each body, in the body's (principal) axes. The
 * third axis of the first triad is the joint's own; at angle zero the triads coincide. */
typedef struct lashi_geometry {
    lashi_vec3 s[LASHI_SLOTS];    /* m */
    lashi_vec3 a[LASHI_SLOTS][3]; /* unit */
} lashi_geometry;

/* A scalar that drives, springs and friction can act on: angle of body j relative to i, or travel of P_j
 * along an axis of i. */
typedef struct lashi_coordinate {
    enum { LASHI_COORDINATE_ANGLE, LASHI_COORDINATE_TRAVEL } type;
    int body[LASHI_SLOTS];
    lashi_vec2 s[LASHI_SLOTS];      /* m, body axes; travel only */
    lashi_vec2 axis;                /* unit, axes of body[0]; travel only */
    const lashi_geometry *geometry; /* space; NULL in the plane */
    int counted;                    /* space, angle: its place among the counted angles; -1: none */
    bool tilts;                     /* space: of a joint with play, whose axes need not be parallel */
} lashi_coordinate;

/* Sizes of what slides in an ideal joint with friction. */
typedef struct lashi_rubbing {
    double radius; /* m, of pin, ball or shaft; 1 where constant friction alone needs none */
    double length; /* m, from end to end; INFINITY: couples are left out */
    double width;  /* m, prismatic; INFINITY: likewise */
} lashi_rubbing;

/* A compiled joint or drive. Immutable; every number is SI. */
typedef struct lashi_constraint {
    int type; /* enum lashi_joint_type */
    int rows;
    int body[LASHI_LINKS];               /* frame indices; 0: ground, or no body */
    bool steady;                         /* ∂Φ/∂x and ∂Φ/∂y are constant … */
    bool points;                         /* … since it holds two points together (LASHI_STEADY) */
    bool repeats;                        /* some of its rows repeat others */
    bool pin;                            /* a revolute joint in the plane (revolute.h) */
    int origin;                          /* index of the joint or drive it was made from */
    const struct lashi_contact *contact; /* whose δ = 0 this is; NULL: none */
    int first_row;                       /* of λ, Φ, γ */
    int jacobian;                        /* index of its first Jacobian block; see lashi_rows */
    const char *name;                    /* of the joint or drive */
    lashi_vec2 s[LASHI_SLOTS];           /* m, P_k in body axes */
    lashi_vec2 axis;                     /* unit, axes of body[0] */
    lashi_vec2 offset;                   /* m, ground axes: P_j − P_i asked for (play with a given start) */
    double angle;                        /* rad, θ_j − θ_i */
    double length;                       /* m */
    double radius[LASHI_SLOTS];          /* m, gear, rack */
    double pressure;                     /* gear, rack: tan of the pressure angle */
    lashi_coordinate coordinate;         /* drive; screw and gear in space: the first angle … */
    lashi_coordinate second;             /* … gear in space: the second */
    lashi_profile profile;               /* drive */
    const lashi_geometry *geometry;      /* space; NULL in the plane */
    lashi_vec3 offset3;                  /* m, space: as offset */
    lashi_rubbing rubbing;               /* where it has friction */
} lashi_constraint;

/* Where a constraint writes. J holds one 6×rows block per slot, block after block: ∂Φ/∂x of all rows, then
 * ∂Φ/∂y, then ∂Φ/∂θ; in space the derivatives with respect to v and ω′. */
typedef struct lashi_rows {
    double *J;       /* [slot][6][row] */
    double *Phi;     /* [row]: m or rad */
    double *Phi_dot; /* [row]: Φq v + Φt */
    double *gamma;   /* [row]: −(Φq v)q v − 2Φqt v − Φtt */
    bool again;      /* J was filled before: what is constant in it stays */
} lashi_rows;

/* Rows that do not hold: Φ = 0 whatever moves. */
static inline void lashi_rows_clear(const lashi_rows *out, int rows) {
    memset(out->J, 0, sizeof(double) * (size_t)(LASHI_LINKS * rows * LASHI_FREEDOMS));
    for (int r = 0; r < rows; r++)
        out->Phi[r] = out->Phi_dot[r] = out->gamma[r] = 0;
}

/* One row of a slot's block. */
static inline void lashi_set_row(double *J, int rows, int slot, int row, double x, double y, double angle) {
    double *block = J + slot * rows * LASHI_FREEDOMS + row;
    block[0] = x;
    block[rows] = y;
    block[2 * rows] = angle;
}

/* A place of a joint where its parts slide on each other, at one instant (docs/contacts.md, friction of ideal
 * joints). It slides along one to three directions, `ways`, fixed in the first body. The sliding speed along
 * way k is T_k·v, and a friction force f_k along it acts on the bodies as f_k T_k. It is pressed together at
 * its `ends`: N = Σ |R_e|, R_e a vector that is linear in the joint's multipliers. */
enum { LASHI_WAYS = 3, LASHI_ENDS = 3 };
typedef struct lashi_slide {
    int ends;
    bool held;                                            /* travel is a coordinate that sticking holds */
    double T[LASHI_WAYS][LASHI_LINKS][LASHI_FREEDOMS];    /* on the constraint's bodies */
    lashi_vec3 along[LASHI_WAYS];                         /* unit, of a contact: its ways */
    double speed[LASHI_WAYS];                             /* m/s */
    double bias[LASHI_WAYS];                              /* m/s², velocity part of the speeds' rates */
    double travel[LASHI_WAYS];                            /* m */
    double press[LASHI_ENDS][LASHI_WAYS][LASHI_MAX_ROWS]; /* R_e = press λ */
} lashi_slide;

/* The list of joint types by identifier, which is also the file: for the plane, for both, for space. Adding a
 * joint is one new file and one line here. */
#define LASHI_JOINT_LIST(PLANE, BOTH, SPACE)                                                                 \
    BOTH(revolute)                                                                                           \
    PLANE(translational)                                                                                     \
    SPACE(spherical)                                                                                         \
    SPACE(cylindrical)                                                                                       \
    SPACE(prismatic)                                                                                         \
    SPACE(universal)                                                                                         \
    BOTH(fixed)                                                                                              \
    SPACE(planar)                                                                                            \
    BOTH(distance)                                                                                           \
    BOTH(point_on_line)                                                                                      \
    SPACE(point_in_plane)                                                                                    \
    SPACE(screw)                                                                                             \
    BOTH(gear)                                                                                               \
    PLANE(rack)
#define LASHI_NOTHING(id)

enum lashi_joint_type {
#define LASHI_JOINT_ENUM(id) LASHI_JOINT_##id,
    LASHI_JOINT_LIST(LASHI_JOINT_ENUM, LASHI_JOINT_ENUM, LASHI_JOINT_ENUM)
#undef LASHI_JOINT_ENUM
        LASHI_JOINT_drive,
    LASHI_JOINT_contact /* a contact that is a constraint */
};

#define LASHI_ROTATION "rotation"

/* What slides in a type of joint. */
typedef struct lashi_slides {
    int places, ways;        /* where, and in how many directions */
    const char *const *part; /* [places] their names; NULL: the only one has none */
    bool round;              /* R is the resultant of pressure and friction: the friction circle */
    const char *unit;        /* of its friction: "N m" of what turns, "N" */
    /* Fills one place, whatever *out held. */
    void (*fill)(lashi_slide *out, int place, const lashi_constraint *joint, const lashi_frame *frames);
} lashi_slides;

/* What a type is in the plane or in space. */
typedef struct lashi_joint_form {
    int rows;                              /* 0: the type does not exist there */
    const char *row_names[LASHI_MAX_ROWS]; /* in words; LASHI_ROTATION: its multiplier is a moment */
    /* Whether the columns of the translations never change: their part of S is then computed once. LASHI_STEADY: the
     * first rows hold two points together, the others none. */
    enum { LASHI_UNSTEADY, LASHI_STEADY, LASHI_STEADY_ON_GROUND } steady;
    enum { LASHI_NO_COORDINATE, LASHI_HAS_ANGLE, LASHI_HAS_TRAVEL } coordinate;
    bool has_travel; /* space: besides the angle */
    bool has_axis;   /* space: the key `axis` gives the third axis of the triads */
    /* Completes a constraint whose type, bodies, points and, in space, triads are set, from the definition
     * and the frames as drawn. NULL: nothing to do. */
    lash_status (*compile)(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames,
                           lash_error *error);
    /* Teeth: adds the unit force of lashi_constraint_apart. NULL: it has none. */
    void (*apart)(double row[LASHI_SLOTS][LASHI_FREEDOMS], const lashi_constraint *joint,
                  const lashi_frame *frames);
    const struct lashi_slides *slides; /* what slides in it; NULL: it cannot have friction */
} lashi_joint_form;

typedef struct lashi_joint_kind {
    lashi_kind schema; /* name of the type, meaning, keys */
    lashi_joint_form plane, space;
} lashi_joint_kind;

const lashi_joint_kind *lashi_joint_kind_at(size_t index); /* NULL past the end */
/* What row `row` of a constraint asks for, in words; a drive's too. */
const char *lashi_row_name(const lashi_constraint *constraint, int row);
/* The form of its type in the plane or in space, whichever it is in. Not for drives and contacts. */
const lashi_joint_form *lashi_joint_form_of(const lashi_constraint *constraint);
bool lashi_row_is_moment(const lashi_constraint *constraint, int row);
/* Index of a type by its name in the file format, which is also its enum lashi_joint_type; LASHI_NONE:
 * unknown. */
size_t lashi_joint_kind_find(const char *name);

/* What fills the rows of a constraint of this type, in the plane and in space; of a type in which something slides, a place
 * there (lashi_slides); and of teeth, what pushes them apart. */
#define LASHI_DECLARE_PLANE(id)                                                                              \
    extern const lashi_joint_kind lashi_joint_##id;                                                          \
    void lashi_##id##_rows(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames); \
    void lashi_##id##_slide(lashi_slide *out, int place, const lashi_constraint *joint,                      \
                            const lashi_frame *frames);                                                      \
    void lashi_##id##_apart(double row[LASHI_SLOTS][LASHI_FREEDOMS], const lashi_constraint *joint,          \
                            const lashi_frame *frames);
#define LASHI_DECLARE_SPACE(id)                                                                              \
    extern const lashi_joint_kind lashi_joint_##id;                                                          \
    void lashi_##id##_rows3(const lashi_rows *out, const lashi_constraint *joint,                            \
                            const lashi_frame *frames);                                                      \
    void lashi_##id##_slide3(lashi_slide *out, int place, const lashi_constraint *joint,                     \
                             const lashi_frame *frames);
#define LASHI_DECLARE_BOTH(id) LASHI_DECLARE_PLANE(id) LASHI_DECLARE_SPACE(id)
LASHI_JOINT_LIST(LASHI_DECLARE_PLANE, LASHI_DECLARE_BOTH, LASHI_DECLARE_SPACE)
#undef LASHI_DECLARE_PLANE
#undef LASHI_DECLARE_SPACE
#undef LASHI_DECLARE_BOTH

/* Drives: Φ = coordinate − f(t). */
void lashi_drive_rows(const lashi_rows *out, const lashi_constraint *drive, const lashi_frame *frames,
                      double t);
/* f(t), ḟ, f̈ of a profile; at a break (math/breaks.h) those just after it. */
lashi_jet lashi_profile_jet(const lashi_profile *profile, double t);
/* The same on the piece that holds at the time `inside`, also at its ends; NaN: at t itself. */
lashi_jet lashi_profile_jet_of_piece(const lashi_profile *profile, double t, double inside);
static inline lashi_jet lashi_profile_jet_in(const lashi_profile *profile, double t, double inside) {
    if (profile->type == LASHI_PROFILE_SPEED)
        return (lashi_jet){profile->start + profile->speed * t, profile->speed, 0};
    return lashi_profile_jet_of_piece(profile, t, inside);
}
/* A time in (a, b] before which it has no break. */
double lashi_profile_next_break(const lashi_profile *profile, double a, double b);
bool lashi_profile_has_breaks(const lashi_profile *profile);
/* The top of its next pulse after a, or b (math/breaks.h). */
double lashi_profile_next_pulse(const lashi_profile *profile, double a, double b, double inside);
/* Whether f, ḟ and f̈ have bounds from a to b, on the piece that holds at the time `inside`. */
bool lashi_profile_is_bounded(const lashi_profile *profile, double a, double b, double inside);

/* Value, rate, Jacobian blocks and the velocity part of the second derivative: c̈ = J v̇ + bias. */
typedef struct lashi_coordinate_state {
    double value, rate, bias;
    double J[LASHI_SLOTS][LASHI_FREEDOMS]; /* with respect to x, y, θ, or to v, ω′ */
} lashi_coordinate_state;
lashi_coordinate_state lashi_coordinate_evaluate(const lashi_coordinate *coordinate,
                                                 const lashi_frame *frames);

/* Its rate alone. */
double lashi_coordinate_rate(const lashi_coordinate *coordinate, const lashi_frame *frames);

/* Any constraint: dispatch on its type. */
void lashi_constraint_rows(const lashi_rows *out, const lashi_constraint *constraint,
                           const lashi_frame *frames, double t);

/* Teeth with a pressure angle, in the plane: generalised unit force that pushes the two bodies apart. */
static inline void lashi_constraint_apart(double row[LASHI_SLOTS][LASHI_FREEDOMS],
                                          const lashi_constraint *joint, const lashi_frame *frames) {
    lashi_joint_kind_at((size_t)joint->type)->plane.apart(row, joint, frames);
}

/* Small plane geometry, shared by joints, forces and contacts. */
static inline lashi_vec2 lashi_perp(lashi_vec2 a) {
    return (lashi_vec2){-a.y, a.x};
}
static inline double lashi_dot(lashi_vec2 a, lashi_vec2 b) {
    return a.x * b.x + a.y * b.y;
}
static inline lashi_vec2 lashi_add(lashi_vec2 a, lashi_vec2 b) {
    return (lashi_vec2){a.x + b.x, a.y + b.y};
}
static inline lashi_vec2 lashi_sub(lashi_vec2 a, lashi_vec2 b) {
    return (lashi_vec2){a.x - b.x, a.y - b.y};
}
static inline lashi_vec2 lashi_scale(double k, lashi_vec2 a) {
    return (lashi_vec2){k * a.x, k * a.y};
}
/* Body-fixed vector in ground axes. */
static inline lashi_vec2 lashi_turn(const lashi_frame *frame, lashi_vec2 s) {
    return (lashi_vec2){frame->c * s.x - frame->s * s.y, frame->s * s.x + frame->c * s.y};
}

/* A force F at S (ground axes, from the centre of mass) on a body. */
static inline void lashi_apply_at(double g[LASHI_FREEDOMS], lashi_vec2 S, lashi_vec2 F) {
    g[0] += F.x;
    g[1] += F.y;
    g[2] += S.x * F.y - S.y * F.x;
}

/* A pair of points P_i, P_j: S_k, d = P_j − P_i, ḋ, and the velocity part of d̈. */
typedef struct lashi_pair {
    lashi_vec2 S[LASHI_SLOTS], d, ddot, dbias;
} lashi_pair;
static inline lashi_pair lashi_pair_evaluate(const lashi_frame *i, const lashi_frame *j,
                                             const lashi_vec2 s[LASHI_SLOTS]) {
    lashi_pair p;
    p.S[0] = lashi_turn(i, s[0]);
    p.S[1] = lashi_turn(j, s[1]);
    p.d = (lashi_vec2){j->x + p.S[1].x - i->x - p.S[0].x, j->y + p.S[1].y - i->y - p.S[0].y};
    p.ddot = (lashi_vec2){j->vx - j->w * p.S[1].y - i->vx + i->w * p.S[0].y,
                          j->vy + j->w * p.S[1].x - i->vy - i->w * p.S[0].x};
    const double wi2 = i->w * i->w, wj2 = j->w * j->w;
    p.dbias = (lashi_vec2){wi2 * p.S[0].x - wj2 * p.S[1].x, wi2 * p.S[0].y - wj2 * p.S[1].y};
    return p;
}

#endif
