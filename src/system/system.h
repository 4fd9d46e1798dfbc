/* SPDX-License-Identifier: MIT
 *
 * The inside of lash_system: the model compiled to indices, sizes and constants. Immutable once compiled and
 * shared between threads. It refers to the model's expressions and tables: the model must live as long.
 *
 * Layout of y: q, then v = q̇, then the ledger's work integrals, then for every joint with play the energy
 * lost by damping, friction and film, then the bristles. q has x, y, θ of every body that moves freely, one
 * coordinate of a guided one, nothing of a prescribed one (absorb.c). Assembly works on full coordinates: x,
 * y, θ of every body, body k > 0 at 3(k−1), then their rates. Frame 0 is ground.
 */
#ifndef LASHI_SYSTEM_H
#define LASHI_SYSTEM_H

#include "contact/clearance.h"
#include "force/force.h"
#include "lash/system.h"
#include "math/trig.h"
#include "system/constraints.h"

/* Work integrals carried along in y. */
enum { LASHI_WORK_INPUT, LASHI_WORK_DISSIPATION, LASHI_WORK_COUNT };
/* Energy lost in a joint with play, three integrals each. */
enum { LASHI_LOSS_DAMPING, LASHI_LOSS_FRICTION, LASHI_LOSS_FILM, LASHI_LOSSES };

/* A joint as the user named it, and what became of it. */
typedef struct lashi_joint_info {
    const char *name;
    int type;       /* enum lashi_joint_type */
    int constraint; /* in motion.items; -1: it is absorbed or has play */
    int absorbed;   /* in absorbed; -1: not */
    int clearance;  /* in clearances; -1: it is ideal */
    bool has_coordinate;
    lashi_coordinate coordinate;
    int body[LASHI_SLOTS];
    lashi_vec2 s[LASHI_SLOTS];
} lashi_joint_info;

typedef struct lashi_drive_info {
    const char *name;
    int constraint; /* in motion.items; -1: it is absorbed */
    int absorbed;   /* in absorbed; -1: not */
} lashi_drive_info;

/* How much of its own motion a body decides. */
enum { LASHI_MOVES_NOT, LASHI_MOVES_GUIDED, LASHI_MOVES_FREELY };

/* A body taken out of the equations together with its ground joints: see absorb.c. */
typedef struct lashi_absorbed {
    enum { LASHI_PRESCRIBED, LASHI_GUIDED } kind;
    int body;
    int slot;               /* of the body in its joint */
    int along;              /* guided: 0 along x, 1 along y */
    double sign;            /* prescribed: θ = sign f(t) */
    double across;          /* guided: m, the coordinate that stays */
    double angle, c, s;     /* guided: rad, and its cosine and sine */
    lashi_constraint joint; /* pin or guide */
    lashi_constraint drive; /* prescribed */
} lashi_absorbed;

struct lash_system {
    lashi_arena arena;
    const lash_model *model;
    int bodies;                             /* with ground */
    const char **body_names;                /* [bodies] */
    double (*mass)[LASHI_FREEDOMS];         /* [bodies]: m, m, J; ground 0 */
    double (*inverse_mass)[LASHI_FREEDOMS]; /* [bodies]: 1/m, 1/m, 1/J; ground 0 */
    double (*weight)[LASHI_FREEDOMS];       /* [bodies]: N, m g; ground 0 */
    double (*inverse_free)[LASHI_FREEDOMS]; /* [bodies]: the same as inverse_mass, 0 where absorb.c leaves no
                                               freedom */
    unsigned char *moves;                   /* [bodies]: 0 ground and prescribed, LASHI_MOVES_… */
    lashi_vec2 gravity;                     /* m/s² */
    lashi_constraint_set motion, assembly;
    lashi_absorbed *absorbed;
    int absorbed_count, absorbed_rows;
    lashi_force *forces;
    int force_count;
    lashi_clearance *clearances;
    int clearance_count;
    lashi_joint_info *joints;
    int joint_count;
    lashi_drive_info *drives;
    int drive_count;

    double length;                  /* m, size of the mechanism: scale of tolerances */
    double two_alpha, beta_squared; /* Baumgarte: 2α in 1/s, β² in 1/s² */
    bool projects;                  /* stabilisation: projection */

    int n_full;                           /* full coordinates: 3 per body */
    double *full0;                        /* [2 n_full] assembled positions and velocities at t = 0 */
    int n_q, v_at, work_at, loss_at, n_y; /* layout of y */
    int *q_at;                            /* [bodies] first index in q; -1: none */
    int *freedom;                         /* [n_q] y[i] is component freedom[i] % 3 of body freedom[i] / 3 */
    double *y0;                           /* [n_y] initial state at t = 0 */
    lashi_contact *contacts0;             /* [clearance_count] initial contact memory */

    int freedoms_free;      /* without the drives */
    int freedoms;           /* with them */
    const char **redundant; /* [redundant_count] rows that repeat others, in words */
    int redundant_count;
    double end; /* s, end of the run from the model; NaN: none */
};

/* Frames of all bodies at (t, y): prescribed ones from their drive. Frame 0 is left as ground. */
/* known: [bodies][3] gets the accelerations of prescribed ones; may be NULL. */
void lashi_frames_at(lashi_frame *frames, double (*known)[LASHI_FREEDOMS], const lash_system *system,
                     double t, const double *y);
/* Frames from full coordinates, for assembly. */
void lashi_frames_fill(lashi_frame *frames, const lash_system *system, const double *full);

static inline void lashi_frame_from(lashi_frame *frame, const double q[3], const double v[3]) {
    const double angle = q[2];
    lashi_sincos(angle, &frame->s, &frame->c);
    frame->angle = angle;
    frame->x = q[0];
    frame->y = q[1];
    frame->vx = v[0];
    frame->vy = v[1];
    frame->w = v[2];
}

/* Takes prescribed and guided bodies out: `constraints` keeps what is left for the motion set. */
lash_status lashi_absorb(lashi_constraint *constraints, size_t *count, lash_system *system,
                         lash_error *error);
/* The constraint of a drive or of an ideal joint, wherever it is kept. */
static inline const lashi_constraint *lashi_drive_constraint(const lash_system *system, int drive) {
    const lashi_drive_info *info = &system->drives[drive];
    return info->absorbed >= 0 ? &system->absorbed[info->absorbed].drive
                               : &system->motion.items[info->constraint];
}

/* Positions and velocities of y from full coordinates. */
void lashi_reduce(double *y, const lash_system *system, const double *full);

/* Assembly: fills full0 with positions and velocities that satisfy every constraint. */
lash_status lashi_assemble(lash_system *system, lash_error *error);
/* Positions of the full coordinates y moved onto Φ(q, t) = 0 of a set, from nearby, with weights; the joint
 * with the largest gap is named on failure. work belongs to the set. inverse: [bodies][3]. */
lash_status lashi_close_positions(double *y, lashi_constraint_work *work, lashi_frame *frames,
                                  const lash_system *system, const lashi_constraint_set *set, double t,
                                  const double (*inverse)[LASHI_FREEDOMS], lash_error *error);
/* Velocities of the full coordinates y moved onto Φq v + Φt = 0 with least weighted change. */
lash_status lashi_close_velocities(double *y, lashi_constraint_work *work, lashi_frame *frames,
                                   const lash_system *system, const lashi_constraint_set *set, double t,
                                   const double (*inverse)[LASHI_FREEDOMS], lash_error *error);
/* Rank of the motion set and of its joints alone at the start; names rows that repeat others and counts the
 * freedoms. */
lash_status lashi_find_redundancy(lash_system *system, lash_error *error);

#endif
