/* SPDX-License-Identifier: MIT
 *
 * The inside of lash_system: the model compiled to indices, sizes and constants. Immutable once compiled and
 * shared between threads. It refers to the model's expressions and tables: the model must live as long.
 *
 * Layout of y, in this order:
 *   q, then v;
 *   in space the counted angles of joints;
 *   the ledger's work integrals;
 *   for every joint with play the energy lost by damping, friction and film, then the bristles;
 *   for every ideal joint with friction the energy lost by it, and its bristles;
 *   for every joint with play the integral of its normal force;
 *   the states of signals.
 * q has all coordinates of a body that moves freely, one of a guided or pinned body, none of a prescribed one
 * (absorb.c). In the plane these are x, y, θ, and v = q̇. In space q has r and the Euler parameters p, v has
 * ṙ and ω′ in the principal axes of inertia; ṗ = ½ Lᵀω′ + κ (1 − |p|²) p. Only the direction of p has a
 * meaning (vec3.h): κ, which keeps its length near 1, does not affect the motion. Assembly works on full
 * coordinates: those of every body without exception, then their velocities, then the counted angles. Frame 0
 * is ground.
 */
#ifndef LASHI_SYSTEM_H
#define LASHI_SYSTEM_H

#include "contact/contact.h"
#include "contact/rub.h"
#include "force/force.h"
#include "lash/system.h"
#include "math/trig.h"
#include "system/constraints.h"
#include "system/reads.h"

/* Work integrals carried along in y. */
enum { LASHI_WORK_INPUT, LASHI_WORK_DISSIPATION, LASHI_WORK_COUNT };
/* Energy lost in a joint with play, three integrals each. */
enum { LASHI_LOSS_DAMPING, LASHI_LOSS_FRICTION, LASHI_LOSS_FILM, LASHI_LOSSES };

/* One kind of play that a joint has; it may have several, for example play and stops. */
typedef struct lashi_joint_play {
    const lashi_play *play;
    int first_contact; /* of it, in contacts */
} lashi_joint_play;
enum { LASHI_JOINT_PLAYS = 3 };

/* A joint as the user named it, and what became of it. */
typedef struct lashi_joint_info {
    const char *name;
    int type;          /* enum lashi_joint_type */
    int constraint;    /* in motion.items; -1: it is absorbed, or play replaces all of it */
    int absorbed;      /* in absorbed; -1: not */
    int whole;         /* in whole.items; -1: not */
    int first_contact; /* in contacts; -1: it is ideal */
    int contacts;      /* their number */
    lashi_joint_play plays[LASHI_JOINT_PLAYS];
    int play_count;
    bool has_coordinate;
    bool has_travel; /* besides its angle */
    lashi_coordinate coordinate;
    int body[LASHI_SLOTS];
    lashi_vec2 s[LASHI_SLOTS];
    const lashi_geometry *geometry; /* space; NULL in the plane */
    int first_rub;                  /* in rubs; -1: it is ideal without friction */
    int rubs;                       /* their number */
    lashi_vec3 thrown;              /* m/s, velocity of the journal in its play at the start */
} lashi_joint_info;

typedef struct lashi_drive_info {
    const char *name;
    int constraint; /* in motion.items; -1: it is absorbed */
    int absorbed;   /* in absorbed; -1: not */
    int whole;      /* in whole.items; -1: not */
} lashi_drive_info;

/* A body taken out of the equations together with its ground joints: see absorb.c. */
typedef struct lashi_absorbed {
    enum { LASHI_PRESCRIBED, LASHI_GUIDED, LASHI_PINNED } kind;
    int body;
    int slot;           /* of the body in its joint */
    int along;          /* guided: 0 along x, 1 along y, 2 along z */
    double sign;        /* prescribed: θ = sign f(t) */
    double across;      /* guided, plane: m, the coordinate that stays */
    double angle, c, s; /* guided, plane: rad, and its cosine and sine; prescribed, space: θ at t = 0;
                             pinned: θ at the start */
    lashi_frame frame;  /* guided, space: at the start */
    lashi_vec3 axis,
        own;        /* pinned or prescribed, space: of the pin, unit, in ground axes and in the body's */
    double p[2][4]; /* likewise: unit Euler parameters p[0] cos h + p[1] sin h, 2h the turn since `angle` */
    double A[3][9]; /* likewise: the axes are A[0] + A[1] cos 2h + A[2] sin 2h … */
    lashi_vec3 middle; /* … and the centre is at middle − arm[0] cos 2h − arm[1] sin 2h, m */
    lashi_vec3 arm[2];
    lashi_constraint joint; /* pin or guide */
    lashi_constraint drive; /* prescribed */
} lashi_absorbed;

/* A prescribed body in the plane, in short. */
typedef struct lashi_crank {
    int body;
    const lashi_absorbed *absorbed;
    lashi_vec2 s, at; // its pin: in the body's axes, and on ground
} lashi_crank;

/* A guided body in the plane, in short. */
typedef struct lashi_guide {
    int body, along; /* as in lashi_absorbed */
    int q;           /* where its coordinate is in y */
    int absorbed;    /* where the rest of it is */
} lashi_guide;

/* A row of the motion set, however that is planned. */
typedef struct lashi_row_id {
    int type, origin; /* of its constraint … */
    const lashi_contact *contact;
    int row;
} lashi_row_id;

struct lash_system {
    lashi_arena arena;
    const lash_model *model;
    bool spatial;
    int width;                              /* velocities of a body: 3 in the plane, 6 in space */
    int turning;                            /* the first of them that turns: 2, 3 */
    int bodies;                             /* with ground */
    const char **body_names;                /* [bodies] */
    double (*mass)[LASHI_FREEDOMS];         /* [bodies]: m, m, J; or m, m, m, J1, J2, J3; ground 0 */
    double (*inverse_mass)[LASHI_FREEDOMS]; /* [bodies]: their inverses; ground 0 */
    double (*weight)[LASHI_FREEDOMS];       /* [bodies]: N, m g; ground 0 */
    double (*inverse_free)[LASHI_FREEDOMS]; /* [bodies]: the same as inverse_mass, 0 where absorb.c leaves no
                                               freedom */
    unsigned char *moves;                   /* [bodies]: 0 ground and prescribed, LASHI_MOVES_… */
    int *movers; /* [mover_count] bodies that forces move, those that are free first */
    int mover_count, free_count;
    int *
        turners; /* [turner_count] in the plane: bodies whose angle varies, free and prescribed ones, in pairs; of an
                     odd number the last one stands there twice */
    int turner_count;
    double (*principal)[4]; /* [bodies]: space, Euler parameters: the user's body axes → principal */
    lashi_vec3 gravity;     /* m/s² */
    lashi_constraint_set motion, assembly;
    lashi_constraint_set
        whole; /* with what absorb.c took out; planned where rows repeat others, for reactions */
    lashi_absorbed *absorbed;
    int absorbed_count, absorbed_rows;
    lashi_crank *cranks; /* [crank_count] in the plane: the prescribed ones of these */
    lashi_guide *guides; /* [guide_count] in the plane: the others */
    int crank_count, guide_count;
    lashi_pinned *pins; /* [pin_count] the pinned bodies among them, in their order */
    int pin_count;
    lashi_force *forces;
    int force_count;
    lashi_contact *contacts;
    double *numbers; /* of the contacts, LASHI_NUMBERS each */
    int contact_count;
    int deposits; /* doubles that wear needs in a state */
    lashi_rub *rubs;
    int rub_count;
    bool sticks; /* the law of some rub is set-valued */
    lashi_joint_info *joints;
    int joint_count;
    lashi_drive_info *drives;
    int drive_count;
    lashi_machine machine; /* signals, and all that expressions read */

    double length;                  /* m, size of the mechanism: scale of tolerances */
    double two_alpha, beta_squared; /* Baumgarte: 2α in 1/s, β² in 1/s² */
    bool projects;                  /* stabilisation: projection */

    int n_full, full_v; /* full coordinates: 3 or 7 per body, and 3 or 6 velocities */
    double *full0; /* [n_full + full_v + counted] assembled positions and velocities at the start, and the
                      counted angles */
    int n_q, n_v, v_at, counted_at, work_at, loss_at, impulse_at, signal_at, n_y; /* layout of y */
    int reads;                       /* components of y, from the first, that an evaluation reads */
    int counted;                     /* angles of joints in space that are counted */
    int *q_at, *u_at;                /* [bodies] first index in q and in v; -1: none */
    double *q_rate;                  /* [bodies] guided or pinned: q̇ when the velocity is 1 */
    int *freedom;                    /* [n_v] y[v_at + i] is velocity freedom[i] % 6 of body freedom[i] / 6 */
    double *y0;                      /* [n_y] initial state, at the time `start` */
    lashi_memory *memories0;         /* [contact_count] initial contact memory */
    lashi_rub_memory *rub_memories0; /* [rub_count] */

    int freedoms_free;      /* without the drives */
    int freedoms;           /* with them */
    const char **redundant; /* [redundant_count] rows that repeat others, in words */
    lashi_row_id *repeats;  /* [redundant_count] the same rows */
    int redundant_count;
    double start, end; /* s, of the run from the model; the end NaN: none */
    double discard;    /* s, end of the transient that the model leaves out; NaN: none */
    bool breaks;       /* a drive or force is made of pieces (math/breaks.h) */
};

/* A stretch of time in which no drive and no force passes from one of its pieces to another, or jumps. */
typedef struct lashi_piece {
    double end;    /* s; INFINITY: it has none */
    double inside; /* s, a time in it, which decides; NaN: nothing has pieces */
    bool anew;     /* it ends at a break of an expression: what follows may be quite different */
    bool varies;   /* some function of time varies in it */
} lashi_piece;

/* pieces.c: the piece after the time t. */
lashi_piece lashi_piece_from(const lash_system *system, double t);
/* Checks the time t between two pieces. An error where a function has no finite value, or where a drive's
 * position or speed jumps. *jumps: forces or accelerations jump. */
lash_status lashi_piece_pass(bool *jumps, const lash_system *system, double t, lashi_piece before,
                             lashi_piece after, lash_error *error);
/* Finds whether there are pieces at all, and checks the first ones of the run in the same way. */
lash_status lashi_find_pieces(lash_system *system, lash_error *error);

/* The frame of ground. */
void lashi_frame_ground(lashi_frame *frame);
/* Frames of all bodies at (t, y): prescribed ones from their drive. Frame 0 is left as ground. */
/* known: [bodies] gets the accelerations of prescribed bodies; may be NULL. */
void lashi_frames_at(lashi_frame *frames, double (*known)[LASHI_FREEDOMS], const lash_system *system,
                     double t, const double *y);
/* The same, but no more than the gap of this contact depends on: the frames of other bodies are as they were. */
void lashi_frames_of_contact(lashi_frame *frames, const lash_system *system, const lashi_contact *contact,
                             double t, const double *y);
/* Frames from full coordinates, for assembly. */
void lashi_frames_fill(lashi_frame *frames, const lash_system *system, const double *full);

/* All but sine and cosine of its angle. */
static inline void lashi_frame_place(lashi_frame *frame, const double q[3], const double v[3]) {
    frame->angle = q[2];
    frame->x = q[0];
    frame->y = q[1];
    frame->vx = v[0];
    frame->vy = v[1];
    frame->w = v[2];
}
/* Sine and cosine of the angles of two frames. False: an angle is out of range (math/trig.h), and they are
 * wrong. Members of an ensemble are side by side already. */
static inline bool lashi_frames_near(lashi_frame *a, lashi_frame *b) {
#ifdef LASHI_ENSEMBLE
    lashi_sincos(a->angle, &a->s, &a->c);
    lashi_sincos(b->angle, &b->s, &b->c);
    return true;
#else
    lashi_two s, c;
    const bool near = lashi_sincos_two((lashi_two){a->angle, b->angle}, &s, &c);
    a->s = s[0], a->c = c[0];
    b->s = s[1], b->c = c[1];
    return near;
#endif
}
static inline void lashi_frames_turn(lashi_frame *a, lashi_frame *b) {
    if (lashi_frames_near(a, b))
        return;
    lashi_sincos_aside(a->angle, &a->s, &a->c);
    lashi_sincos_aside(b->angle, &b->s, &b->c);
}
static inline void lashi_frame_from(lashi_frame *frame, const double q[3], const double v[3]) {
    lashi_frame_place(frame, q, v);
    lashi_sincos(frame->angle, &frame->s, &frame->c);
}

/* All but its matrix, which it has already. */
static inline void lashi_frame_place3(lashi_frame *frame, const double q[7], const double v[6]) {
    frame->r = lashi_vec3_of(q);
    for (int k = 0; k < 4; k++)
        frame->p[k] = q[3 + k];
    frame->v = lashi_vec3_of(v);
    frame->own = lashi_vec3_of(v + 3);
    frame->spin = lashi_turn3(frame->A, frame->own);
}
static inline void lashi_frame_from3(lashi_frame *frame, const double q[7], const double v[6]) {
    lashi_matrix(frame->A, q + 3);
    lashi_frame_place3(frame, q, v);
}

/* Euler parameters of the user's axes of a body. */
void lashi_user_orientation(double p[4], const lash_system *system, int body, const lashi_frame *frame);

/* Positions of all bodies in full coordinates moved by share times step, [bodies][6]. */
void lashi_shift(double *full, const lash_system *system, const double (*step)[LASHI_FREEDOMS], double share);
/* The same for those in y; step is not read where absorb.c has left no freedom. */
void lashi_shift_state(double *y, const lash_system *system, const double (*step)[LASHI_FREEDOMS],
                       double share);
/* Whether a body has Euler parameters in y. */
static inline bool lashi_turns_freely(const lash_system *system, int body) {
    return system->spatial && system->moves[body] == LASHI_MOVES_FREELY;
}

/* The velocities of its body when velocity i of y is 1 and all others are 0. */
void lashi_velocity_unit(double unit[LASHI_FREEDOMS], const lash_system *system, const lashi_frame *frames,
                         int i);

/* The counted angles of full coordinates, those nearest to what they were; frames: filled from them. */
void lashi_count_angles(double *full, const lash_system *system, const lashi_frame *frames);

/* Finds prescribed, guided and pinned bodies and keeps them with their constraints: system->absorbed. */
lash_status lashi_find_absorbed(const lashi_constraint *constraints, size_t count, lash_system *system,
                                lash_error *error);
/* Takes them out: `constraints` keeps what is left for the motion set. */
void lashi_absorb(lashi_constraint *constraints, size_t *count, lash_system *system);
/* The constraint of a drive or of an ideal joint, wherever it is kept. */
static inline const lashi_constraint *lashi_drive_constraint(const lash_system *system, int drive) {
    const lashi_drive_info *info = &system->drives[drive];
    return info->absorbed >= 0 ? &system->absorbed[info->absorbed].drive
                               : &system->motion.items[info->constraint];
}

/* worn_system.c: the first of the contacts that share a pair of surfaces which are worn or wear; NULL past the
 * end. */
lashi_contact *lashi_worn_contact(const lash_system *system, size_t index);
/* Profiles that are set from outside, as worn.JOINT.PART. */
lash_status lashi_worn_take_settings(lash_system *system, lash_error *error);

/* rubs.c: makes the list of rubs, before joints are absorbed; then finds their constraints and
 * places in y. */
lash_status lashi_find_rubs(lash_system *system, const lashi_constraint *motion, size_t count,
                            lash_error *error);
void lashi_place_rubs(lash_system *system);

/* Components of a contact's bristle in y. */
static inline int lashi_bristles(const lashi_contact *contact) {
    return contact->bristle >= 0 ? lashi_kind_of(contact)->bristles : 0;
}

/* Positions and velocities of y from full coordinates. */
void lashi_reduce(double *y, const lash_system *system, const double *full);

/* Assembly: fills full0 with positions and velocities that satisfy every constraint. */
lash_status lashi_assemble(lash_system *system, lash_error *error);
/* Moves the positions of the full coordinates y onto Φ(q, t) = 0 of a set, from nearby, with weights. On
 * failure the message names the joint with the largest gap. work belongs to the set. inverse: [bodies][6]. */
lash_status lashi_close_positions(double *y, lashi_constraint_work *work, lashi_frame *frames,
                                  const lash_system *system, const lashi_constraint_set *set, double t,
                                  const double (*inverse)[LASHI_FREEDOMS], lash_error *error);
/* Moves the velocities of the full coordinates y onto Φq v + Φt = 0 with least weighted change. */
lash_status lashi_close_velocities(double *y, lashi_constraint_work *work, lashi_frame *frames,
                                   const lash_system *system, const lashi_constraint_set *set, double t,
                                   const double (*inverse)[LASHI_FREEDOMS], lash_error *error);
/* Sets the end of the run from what the model asks for. */
lash_status lashi_find_end(lash_system *system, lash_error *error);
/* Time at which a drive has made so many turns, s. */
lash_status lashi_turn_time(double *out, const lash_system *system, int drive, double turns,
                            lash_error *error);
/* Rank of the motion set and of its joints alone; names rows that repeat others and counts the freedoms. */
lash_status lashi_find_redundancy(lash_system *system, lash_error *error);
/* Which rows repeat others when bodies are absorbed: only rows that stay. To be called before
 * lashi_absorb. */
lash_status lashi_find_repeats(lash_system *system, lash_error *error);
/* lever.c: corrections of the motion set; refuses an inertia that is too small for rounding. */
lash_status lashi_find_corrections(lash_system *system, lash_error *error);
/* Marks the constraints that have such rows. */
void lashi_mark_repeats(lashi_constraint *items, size_t count, const lash_system *system);
/* Tells the motion set or the whole one, as it was planned last, which of its rows repeat others. */
lash_status lashi_leave_out(lashi_constraint_set *set, lash_system *system, lash_error *error);

/* contact_start.c: contact as a constraint. The row δ = 0 of the contact `index`. */
lashi_constraint lashi_contact_row(const lash_system *system, int index);
/* What assembly closes: as the joint is drawn, or where its offset says. */
lash_status lashi_contact_assembly(lashi_constraint *closed, lash_system *system, int index,
                                   const double offset[3], const lashi_frame *frames, lash_error *error);
/* The same for the other models: in the centre or at the offset, at rest or with the given velocity. In the
 * three-mode model a journal that is drawn in contact starts in contact. */
void lashi_contact_start(lashi_constraint *closed, lash_system *system, int index,
                         const lash_clearance_def *def, const lashi_frame *frames);
/* A journal that is drawn in contact, but whose bodies are given no velocities, starts at rest where
 * assembly has put it: `closed`, the joint, gets that place. False: it moves as drawn. */
bool lashi_contact_attach(lashi_constraint *closed, lash_system *system, int index,
                          const lashi_frame *frames);
/* After assembly: refuses contacts that cannot start as they are, and finds the response of their free
 * bodies. */
lash_status lashi_contacts_look(lash_system *system, lashi_frame *frames, lash_error *error);
/* After lashi_contact_attach, if assembly failed with it: these journals start as drawn. */
void lashi_contact_detached(lash_system *system);

#endif
