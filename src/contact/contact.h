/* SPDX-License-Identifier: MIT
 *
 * A contact: a place where two parts may touch.
 *
 * Five words, used in code, messages and documents alike:
 *   play      what a joint has that is not ideal; contacts then do what its constraints did
 *   contact   a place where two parts may touch; compiled, immutable
 *   kind      the geometry of a contact: pin, ball, end of a pin, …; one file each, one list (below)
 *   gap       what the geometry gives at one instant: depth, normal, sliding, where the forces act
 *   memory    what a contact remembers between steps: whether it touches, how fast it began, …
 * and the `model` of a contact says what touching is: a force of the depth, or a constraint.
 *
 * Part i is the first of `between` (bearing, socket, sleeve, channel), part j the second (journal, ball, pin,
 * block). The gap's normal n points from i into the wall of i, so that the force on j is −F_N n + F_T, the
 * opposite on i. The memory changes only at located events, between steps; within a step every stage sees the
 * same mode, so that the right-hand side is smooth there. In free flight there is no force whatever δ is.
 *
 * A kind brings one function, lashi_KIND_gap, and a table. Everything else sees contacts only.
 */
#ifndef LASHI_CONTACT_H
#define LASHI_CONTACT_H

#include "contact/film.h"
#include "contact/friction.h"
#include "contact/gap_size.h"
#include "contact/hybrid.h"
#include "contact/normal.h"
#include "contact/worn.h"
#include "joint/space.h"
#include "lash/scene.h"
#include "lash/sim.h"
#include "model/check.h"

/* Sums over all elements at one instant: where the energy is and where power goes. */
typedef struct lashi_ledger {
    double elastic;     /* J, stored in springs; contacts are added when energies are recorded */
    double input;       /* W, brought in by drives, loads and actuators */
    double dissipation; /* W, lost in dampers and viscous joints */
    double table_at;    /* x of the last table that was read, for messages */
} lashi_ledger;

/* The list of kinds by identifier, which is also the file. Adding one is one new file and one line here. */
#define LASHI_CONTACT_LIST(X)                                                                                \
    X(pin)                                                                                                   \
    X(worn_pin)                                                                                              \
    X(ball)                                                                                                  \
    X(pin_end)                                                                                               \
    X(worn_end)                                                                                              \
    X(shoulder)                                                                                              \
    X(corner)                                                                                                \
    X(worn_corner)                                                                                           \
    X(block_corner)                                                                                          \
    X(worn_block_corner)                                                                                     \
    X(stop)                                                                                                  \
    X(flank)                                                                                                 \
    X(rack_flank)                                                                                            \
    X(turning_flank)

enum {
#define LASHI_CONTACT_ENUM(id) LASHI_CONTACT_##id,
    LASHI_CONTACT_LIST(LASHI_CONTACT_ENUM)
#undef LASHI_CONTACT_ENUM
        LASHI_CONTACT_KINDS
};

/* What touching is: a force of the depth; the constraint δ = 0 at all times; or that constraint while it
 * presses, with free flight and impacts between (docs/physics.md, section 6). */
typedef enum lashi_contact_model {
    LASHI_MODEL_COMPLIANT,
    LASHI_MODEL_PERMANENT,
    LASHI_MODEL_MODES
} lashi_contact_model;

typedef struct lashi_contact lashi_contact;

/* The mesh of a gear pair (flank.c). */
typedef struct lashi_mesh_numbers {
    double radius[LASHI_SLOTS]; /* m, pitch radii; of an internal ring negative; a rack: the pinion's */
    double zero;                /* of the rolling, as drawn */
    double distance;            /* m, of the centres, or of the pinion from the rack, as drawn */
    double angle;               /* rad, of the line of centres, or of the pinion, as drawn */
    double cosine, sine;        /* of the pressure angle */
    double unit;                /* space: m per rad of the second wheel; 1: the backlash is an angle */
    double half;                /* m or rad, half the backlash along the line of action */
    double teeth;               /* of the first wheel */
} lashi_mesh_numbers;

/* The numbers of a contact: doubles and nothing else. Those of all contacts of a system stand one after the
 * other in one flat block of doubles, system->numbers, where wear may change them, a derivative be taken by
 * them, and a compiled model read them; number i of contact k is numbers[LASHI_NUMBERS k + i] with
 * i = LASHI_NUMBER(normal.stiffness), for instance. Names, pointers, choices and plans stand in
 * lashi_contact. */
typedef struct lashi_contact_numbers {
    lashi_vec2 s[LASHI_SLOTS];  /* m, plane: centres in body axes */
    lashi_vec3 s3[LASHI_SLOTS]; /* m, space: centres in principal axes; a pin: of the sleeve, of this end */
    lashi_vec3 axis;            /* unit, of the sleeve or guide, axes of body[0] … */
    lashi_vec3 across;          /* … and across it: a guide's height, space */
    lashi_gap_size size;
    lashi_normal_numbers normal;
    lashi_friction_numbers friction;
    lashi_film_numbers film;
    lashi_hybrid hybrid;
    lashi_mesh_numbers mesh; /* flanks */
    double restitution;      /* of impacts */
    double rest_speed;       /* m/s, rebounds slower than this end in following contact */
    double tolerance;        /* m, of the detector */
    double room;             /* m or rad, from the middle to the wall: how far it moves before it touches */
    double doubtful;         /* m or rad, depth from which on it is reported: laws are not derived for that */
    double deepest;          /* m or rad, where no contact law holds any more */
    double lever;    /* m, of a δ that is an angle, by which it counts as a length; 1: δ is a length */
    double response; /* 1/kg, m²: δ̈ per unit force of its bodies by themselves, for scales */
    double sign;     /* guides, stops, flanks: which of the two sides */
    double wall;     /* m, guides: from the middle of the channel to the wall */
    /* Surfaces that wear, both of a contact (worn.h): */
    double wear;                 /* m²/N, worn volume per load and sliding distance */
    double portion[LASHI_SLOTS]; /* of it, off part i and part j */
    double worn[LASHI_SLOTS];    /* 1/m², depth of a sector, or of a block's end, per volume worn off it */
    double worn_origin;          /* rad or m, place of the first sector's node … */
    double worn_pitch;           /* … and the width of a sector */
    double worn_play;            /* m, of the joint as new: radial, or of a guide across both sides */
    lashi_vec3 mark;             /* unit, a pin in space: where its angle is counted from, axes of body[1] */
} lashi_contact_numbers;

enum { LASHI_NUMBERS = sizeof(lashi_contact_numbers) / sizeof(double) };
/* Those of contact k in a block. */
static inline lashi_contact_numbers *lashi_numbers_at(double *block, int k) {
    return (lashi_contact_numbers *)(block + (size_t)LASHI_NUMBERS * (size_t)k);
}
#define LASHI_NUMBER(field) (offsetof(lashi_contact_numbers, field) / sizeof(double))

/* A contact at one instant. Vectors in ground axes; in the plane their z is zero. */
typedef struct lashi_gap {
    double delta;    /* m (rad at a stop that turns), > 0 in contact */
    double deltadot; /* m/s */
    double sliding;  /* m/s, v_T along t: of the material points, or as the contact was told */
    double e;        /* m, distance of the centres; 0 where a kind has none */
    lashi_vec3 n, t; /* unit; 0 where there is no direction */
    lashi_vec3 d;    /* m, from the centre of i to that of j, of the part that can close */
    lashi_vec3 ddot; /* m/s, its rate: no direction of n makes |δ̇| larger than its length */
    lashi_vec3 ndot; /* 1/s, space: rate of n, whatever along n itself */
    lashi_vec3 slip; /* m/s, of the material points along the surface: what friction does its work at */
    lashi_vec3 arm[LASHI_SLOTS]; /* m, from the centres of mass to where the forces act */
    /* Kinds that act along a joint's coordinate: δ̇ = Σ row·v over their bodies. */
    double row[LASHI_LINKS][LASHI_FREEDOMS];
    /* Kinds with an excitation of their own: its force is `factor` times that of the law, `factor_rate` 1/s
     * its rate, and δ̇ has `given` m/s that no row has. */
    double factor, factor_rate, given;
    /* Those whose excitation has corners: the angle it is a function of, rad, and its rate, rad/s. */
    double phase, phase_rate;
    /* Worn surfaces (worn.h), where δ in contact is the depth that stands for the bed: its force over that of
     * the law, how fast the surfaces close where it acts, m/s, the rate at which the profiles turn into each
     * other at most, m/s, and the centres from the centres of mass, m. */
    double share, closing, turning;
    lashi_vec3 centre[LASHI_SLOTS];
} lashi_gap;

/* The piece of an excitation from one corner to the next, rad, in which it is smooth. */
typedef struct lashi_phase {
    double low, high;
} lashi_phase;

/* Where the forces of a contact act. */
typedef enum lashi_acts {
    LASHI_ACTS_IN_PLANE, /* at gap.arm, on x, y, θ */
    LASHI_ACTS_IN_SPACE, /* at gap.arm, on v, ω′ */
    LASHI_ACTS_ON_ROWS   /* F_N along gap.row; no friction */
} lashi_acts;

/* What an evaluation finds in a contact. */
typedef struct lashi_contact_state {
    lashi_gap gap;
    double normal_force;                        /* N */
    double friction_force;                      /* N, along t on j */
    lashi_vec3 dry;                             /* N, on j at gap.arm[1]; kinds that act on rows: 0 */
    lashi_vec3 wet;                             /* N, the film's on j at its centre … */
    lashi_vec3 torque[LASHI_SLOTS];             /* N m, … and its torques on i and j */
    double film_force, film_power, film_torque; /* N, W lost, N m on j; in space magnitudes */
    double film_share;                          /* of the film: 1 it is alone, 0 dry contact is, or no film */
    double damping_power;                       /* W, lost in the contact's damping */
    double input_power;                         /* W, brought in by its excitation */
    double friction_power;                      /* W, lost in its friction */
} lashi_contact_state;

/* Contact as it touches; compliant contact that is quiet (dynamics/quiet.c). */
enum { LASHI_TOUCHES = 1, LASHI_QUIET };

/* δ̈ of a quiet contact over a step: the polynomial through its last values, in Newton's form. */
enum { LASHI_QUIET_POINTS = 5 };
typedef struct lashi_quiet_way {
    int count;
    double at[LASHI_QUIET_POINTS];   /* s, of its values, the last one first */
    double part[LASHI_QUIET_POINTS]; /* m/s² and so on: their divided differences */
} lashi_quiet_way;

/* Memory of a contact: part of the state. */
typedef struct lashi_memory {
    int touching;                  /* 0 free flight, LASHI_TOUCHES, LASHI_QUIET */
    int through;                   /* film: 1 beyond the transition, dry contact alone */
    int pulling;                   /* permanent contact: 1 while N < 0 */
    lashi_onset onset;             /* how this contact began */
    double film_carried;           /* N, most that the film carried in the transition, at accepted steps */
    double since;                  /* s, when this mode began */
    lash_peak peak;                /* in this contact so far */
    double peak_delta, deepest_at; /* m, s: the same of the penetration */
    lash_peak damped;              /* the largest force that is mostly damping where no impact explains it */
    double lost_before;            /* J, lost here when the contact began */
    double impulse_before;         /* N s, of this contact until then */
    double delta, deltadot, speed; /* m, m/s, m/s: of the gap at the last accepted point */
    double sliding;                /* m/s, there */
    double angle;                  /* rad, direction of n when it began */
    double factor;                 /* of the gap at the last point looked at; 1 without excitation */
    int calm;              /* steps for which δ̇ was small, < 0: steps to wait (sim/quieten.c) … */
    int wait;              /* … last time */
    lashi_quiet_way quiet; /* δ̈ while it is quiet */
} lashi_memory;

/* A joint with play on its way to contacts. */
typedef struct lashi_expansion {
    const lash_model *model;
    const lash_joint_def *def;
    const lashi_frame *frames;          /* as drawn */
    const lashi_constraint *closed;     /* the ideal joint … */
    const lashi_coordinate *coordinate; /* … and what can be driven of it; NULL: nothing */
    double length;                      /* m, size of the mechanism */
    lashi_arena *arena;                 /* for names */
    lashi_contact *contacts;            /* the play's own are put here, … */
    lashi_contact_numbers *numbers;     /* … their numbers here … */
    int count;                          /* … and counted */
    bool frees;                         /* the ideal joint is gone … */
    lashi_constraint held;              /* … except for this constraint, which stays … */
    bool holds;                         /* … if there is one */
    bool as_drawn;                      /* assembly leaves the joint open: it starts as it is drawn */
} lashi_expansion;

/* What a joint records of its play besides its contacts. */
typedef struct lashi_play_channel {
    const char *suffix, *unit, *meaning;
} lashi_play_channel;

/* How a contact goes over the surfaces that it wears, at one instant. */
typedef struct lashi_wear_motion {
    double passed; /* 1/s, sectors of the surface that is passed faster */
    double slides; /* m/s, with a sign: steps are cut where it turns back, … */
    double place; /* … and where the contact passes a node: in sectors; 0: its pressure is wider than one */
} lashi_wear_motion;

/* What is where a channel of a play is read: its own contacts. */
typedef struct lashi_play_view {
    const lashi_contact *contacts;
    const lashi_contact_state *states;
    const lashi_memory *memories;
    const lashi_frame *frames;
    const lashi_geometry *geometry; /* of the joint; NULL in the plane */
} lashi_play_view;

/* A way in which joints have play. */
typedef struct lashi_play {
    lashi_key key;             /* in the file: name, block of keys, and where both are in lash_joint_def */
    const char *const *joints; /* types that can have it, NULL-terminated */
    int most;                  /* contacts of one joint */
    /* What its keys must fulfil together. */
    void (*check)(lashi_check *check, lashi_subject subject, const lash_joint_def *def);
    lash_status (*expand)(lashi_expansion *out, lash_error *error);
    const lashi_play_channel *channels; /* ended by a suffix NULL; NULL: none */
    double (*value)(const lashi_play_view *view, int channel);
    /* How it is drawn (lash/scene.h): fills what the picture has. NULL: it is not drawn. */
    void (*draw)(lash_scene_play *out, const lash_joint_def *def);
} lashi_play;

/* The key `clearance`, with the block of a kind of play. */
#define LASHI_CLEARANCE_KEY(where, keys, ideal, text)                                                        \
    {                                                                                                        \
        .name = "clearance", .type = LASHI_BLOCK, .offset = offsetof(lash_joint_def, clearance),             \
        .fallback = (ideal), .block = (keys), .present = offsetof(lash_joint_def, has_clearance),            \
        .space = (where), .doc = (text)                                                                      \
    }

typedef struct lashi_contact_kind {
    const char *name;       /* as in messages and documents */
    const lashi_play *play; /* NULL: the play of another kind makes such contacts too */
    lashi_acts acts;
    int bristles;        /* components of the bristle of lugre: 1 along t in the plane, 3 in space */
    bool centred;        /* it has two centres, and e, ex, ey between them */
    const char *deepest; /* what `deepest` of a contact is, in words */
    /* Velocity part of δ̈ = row·v̇ + bias, for contact as a constraint. */
    double (*bias)(const lashi_contact *contact, const lashi_frame *frames, const lashi_gap *gap);
    /* Velocity part of the rate of the sliding velocity along t, unit and across n, for sticking. NULL: it
     * has no friction that sticks. */
    double (*drift)(const lashi_contact *contact, const lashi_frame *frames, const lashi_gap *gap,
                    lashi_vec3 t);
    /* Kinds whose excitation may have corners: the piece that begins at the angle `at` and goes up, or down
     * (way -1). */
    lashi_phase (*piece)(const lashi_contact *contact, double at, int way);
    /* Whether it may start as it stands. NULL: always. */
    lash_status (*start)(const lashi_contact *contact, const lashi_frame *frames, lash_error *error);
    /* Centred kinds: the part of a vector of ground axes along which the gap can close. NULL: all of it. */
    lashi_vec3 (*across)(const lashi_contact *contact, const lashi_frame *frames, lashi_vec3 v);
    /* How the film moves, n and t unit. NULL: it cannot be lubricated. */
    lashi_film_motion (*film)(lashi_vec3 *n, lashi_vec3 *t, const lashi_contact *contact,
                              const lashi_frame *frames, const lashi_gap *gap);
    /* Torques of the film on i and j, ground axes, from its force f on j. */
    void (*drag)(lashi_vec3 torque[LASHI_SLOTS], lashi_contact_state *out, const lashi_contact *contact,
                 const lashi_frame *frames, const lashi_film_force_result *film, lashi_vec3 n, lashi_vec3 f,
                 double eps, double share);
    /* Surfaces that wear (sim/wearing.c): how the contact goes over them, and what each of their sectors has
     * of `work`, added to shares, [2][sectors]. NULL: nothing wears. */
    lash_status (*wearing)(lashi_wear_motion *out, const lashi_contact *contact, const lashi_frame *frames,
                           const lashi_gap *gap, lash_error *error);
    void (*wear)(double *shares, const lashi_contact *contact, const lashi_frame *frames,
                 const lashi_gap *gap, double work);
} lashi_contact_kind;

/* A compiled contact: structure, and where its numbers stand. Immutable. */
struct lashi_contact {
    lashi_contact_numbers *p; /* in the block of the system */
    const char *name;
    int kind;        /* LASHI_CONTACT_… */
    lashi_acts acts; /* as its kind says */
    bool plain;      /* its force is that of the law, along n at gap.arm: neither on rows nor worn */
    bool direct;     /* a dry, compliant pin in the plane without bristles: apply.h has it without branches */
    int joint;       /* index of the joint it belongs to */
    lashi_contact_model model;
    int constraint;        /* contact as a constraint: in motion.items; -1: a force */
    bool rubs;             /* its friction goes with the accelerations (rub.h); impacts have it too */
    bool stops;            /* the run ends where contact would be lost */
    const char *start;     /* contact as a constraint: where and how it starts, in words; else NULL */
    int body[LASHI_LINKS]; /* frame indices: i, j, and a third of kinds that act on rows */
    lashi_sliding sliding; /* which sliding speed friction uses */
    lashi_normal normal;
    lashi_friction friction;
    bool lubricated; /* there is a film … */
    bool dry;        /* … and where it is pressed through, dry contact; true without a film */
    bool watched;    /* dry and compliant: its mode must agree with δ in every stage */
    bool quietens;   /* lasting contact may become a constraint … */
    bool reduces;    /* … also with more left out than the tolerance allows */
    lashi_film film;
    const char *film_warning;    /* about oil or film, NULL: none */
    bool excited;                /* it has an excitation of its own … */
    bool cornered;               /* … with corners, between which a step stays … */
    int phase;                   /* … in the phase of that contact: the first of its play */
    int bristle;                 /* index into y of the bristle's deflection; -1: none */
    bool by_tolerance;           /* detector: penetration-tolerance instead of located */
    const char *unit;            /* of δ: "m" or "rad" */
    lashi_worn *worn;            /* its surfaces, if they are worn or wear; else NULL. Corners share them */
    int end;                     /* corners: the end of the block's face, LASHI_WORN_ENDS */
    int deposit;                 /* where what they lose is kept (sim/wearing.c); -1: they do not wear */
    const char *words;           /* its shape, for `lash check` */
    lashi_coordinate coordinate; /* stops: what they limit; gears in space: the first angle … */
    lashi_coordinate second;     /* … and the second */
    /* Flanks: */
    const lash_table *mesh_stiffness;  /* over one pitch; NULL: constant */
    const lash_expression *mesh_error; /* m, of the first wheel's angle; NULL: none */
};

/* The ways in which a joint of a type can have play, one after the other; NULL past the end. */
const lashi_play *lashi_play_at(const char *type, lash_space space, size_t index);
/* Whether the joint has that play. */
bool lashi_play_is_in(const lashi_play *play, const lash_joint_def *def);
/* The next contact of an expansion with what all have: model, laws, film; `part` is appended to the joint's
 * name, NULL: nothing. */
lash_status lashi_play_add(lashi_contact **out, lashi_expansion *expansion, int kind, const char *part,
                           const lash_clearance_def *def, lash_error *error);

/* The material of part i (0) or j (1): the first stands for both where there is one; NULL: none is given. */
const lash_material_def *lashi_play_material(const lash_model *model, const lash_clearance_def *def,
                                             int part);

/* Whether the bodies of the joint have velocities in the file: a guide or mesh then starts as it is drawn,
 * with them; else assembled as the ideal joint. */
bool lashi_body_is_thrown(const lash_body_def *def);
bool lashi_play_is_thrown(const lashi_expansion *expansion);

#define LASHI_CONTACT_DECLARE(id)                                                                            \
    extern const lashi_contact_kind lashi_contact_##id;                                                      \
    void lashi_##id##_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames);
LASHI_CONTACT_LIST(LASHI_CONTACT_DECLARE)
#undef LASHI_CONTACT_DECLARE
extern const lashi_contact_kind *const lashi_contact_kinds[LASHI_CONTACT_KINDS];

static inline const lashi_contact_kind *lashi_kind_of(const lashi_contact *contact) {
    return lashi_contact_kinds[contact->kind];
}

/* Whether it has a film. A compiled model without any says so, for its compiler to see. */
static inline bool lashi_is_wet(const lashi_contact *contact) {
#ifdef LASHI_DRY
    (void)contact;
    return false;
#else
    return contact->lubricated;
#endif
}

/* The gap at an instant: dispatch on the kind. */
void lashi_contact_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames);
static inline lashi_gap lashi_gap_of(const lashi_contact *contact, const lashi_frame *frames) {
    lashi_gap gap;
    lashi_contact_gap(&gap, contact, frames);
    return gap;
}
/* The centre of a round part, from the centre of mass: where its film acts. */
static inline lashi_vec3 lashi_gap_centre(const lashi_contact *contact, const lashi_gap *gap, int slot) {
    if (contact->worn)
        return gap->centre[slot];
    const lashi_gap_size *size = &contact->p->size;
    const double arm = slot ? size->journal_arm : size->bearing_arm + size->carried * gap->e;
    return lashi_axpy3(gap->arm[slot], -arm, gap->n);
}
/* Bound of |δ̇|, m/s, whichever way n turns. */
static inline double lashi_gap_speed(const lashi_contact *contact, const lashi_gap *gap) {
    return lashi_length3(gap->ddot) + (contact->worn ? gap->turning : 0);
}
/* Adds the contact's forces to g ([body][6]); fills *out; zdot gets the bristle's rate, one or three. */
void lashi_contact_apply(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double *zdot,
                         const lashi_contact *contact, const lashi_memory *memory, const lashi_frame *frames,
                         const double *bristle);
/* Generalised forces of a unit force along `direction` on j and against it on i, [slot][6]; a kind that acts
 * on rows has the one along n alone. */
void lashi_contact_unit(double row[LASHI_LINKS][LASHI_FREEDOMS], const lashi_contact *contact,
                        const lashi_frame *frames, const lashi_gap *gap, lashi_vec3 direction);
/* Contact as a constraint: Φ = δ. Fills one row. */
void lashi_contact_rows(const lashi_rows *out, const lashi_contact *contact, const lashi_frame *frames);
/* The same with the gap known, and `bias` of the contact's kind. */
void lashi_contact_fill_row(const lashi_rows *out, const lashi_contact *contact, const lashi_frame *frames,
                            const lashi_gap *gap, double bias);
/* How the film moves at an instant. */
lashi_film_motion lashi_contact_film(const lashi_contact *contact, const lashi_frame *frames);
/* What the film has of the contact's force at δ, dry contact having the rest (hybrid.h). */
static inline double lashi_film_share(const lashi_contact *contact, const lashi_memory *memory,
                                      double delta) {
    return memory->touching ? 1 - lashi_hybrid_weight(&contact->p->hybrid, delta) : 1;
}
/* What scales the law's force at this gap. */
static inline double lashi_gap_factor(const lashi_contact *contact, const lashi_gap *gap) {
    return contact->excited ? gap->factor : contact->worn ? gap->share : 1;
}
/* How fast the parts close, m/s, and the rate δ̇ with which a contact begins here: the bed of worn surfaces
 * has a depth of its own, which begins at another rate. */
static inline double lashi_gap_closing(const lashi_contact *contact, const lashi_gap *gap) {
    return contact->worn ? gap->closing : gap->deltadot;
}
static inline double lashi_gap_onset(const lashi_contact *contact, const lashi_gap *gap) {
    return contact->worn ? gap->share * gap->closing : gap->deltadot;
}
/* The mass that moves with δ, from the one that moves along n. */
static inline double lashi_gap_mass(const lashi_contact *contact, const lashi_gap *gap, double mass) {
    return contact->worn ? mass / (gap->share * gap->share) : mass;
}
/* Size of the force between the parts, N, or N m where δ is an angle. */
static inline double lashi_contact_size(const lashi_contact_state *state) {
    const double force = lashi_length3(lashi_add3(state->dry, state->wet));
    return force > 0 ? force : fabs(state->normal_force);
}
/* Adds the generalised force of the contact on one body, as evaluated. */
void lashi_contact_load(double g[LASHI_FREEDOMS], const lashi_contact *contact, const lashi_frame *frames,
                        const lashi_contact_state *state, int body);
/* Elastic part of the normal force of a touching contact, N: the rest is damping. factor: of the gap. */
double lashi_contact_elastic(const lashi_contact *contact, double factor, double delta);
/* Elastic energy in a touching contact, J. */
double lashi_contact_energy(const lashi_contact *contact, const lashi_gap *gap);

/* Whether the contact's constraint holds now. */
static inline bool lashi_contact_holds(const lashi_contact *contact, const lashi_memory *memory) {
    return contact->model == LASHI_MODEL_PERMANENT ||
           (contact->model == LASHI_MODEL_MODES && memory->touching);
}
/* Whether δ is on the other side of a border than the memory says. */
static inline bool lashi_contact_mismatch(const lashi_contact *contact, const lashi_memory *memory,
                                          double delta) {
    return (delta > 0) != (memory->touching != 0) ||
           (contact->lubricated && (delta > contact->p->hybrid.e0) != (memory->through != 0));
}

#endif
