/* SPDX-License-Identifier: MIT
 *
 * The inside of lash_system: the model compiled to indices, sizes and constants. Immutable once compiled and
 * shared between threads. It refers to the model's expressions and tables: the model must live as long.
 *
 * Layout of y: q = (x, y, θ) of every body, then v = q̇, then the ledger's work integrals, then for every
 * joint with play the energy lost by damping and by friction, then the bristles. Body k > 0 stands at
 * q[3(k−1)]; frame 0 is ground.
 */
#ifndef LASHI_SYSTEM_H
#define LASHI_SYSTEM_H

#include "contact/clearance.h"
#include "force/force.h"
#include "lash/system.h"
#include "system/constraints.h"

/* Work integrals carried along in y. */
enum { LASHI_WORK_INPUT, LASHI_WORK_DISSIPATION, LASHI_WORK_COUNT };

/* A joint as the user named it, and what became of it. */
typedef struct lashi_joint_info {
    const char *name;
    int type;       /* enum lashi_joint_type */
    int constraint; /* in motion.items; -1: it is a clearance */
    int clearance;  /* in clearances; -1: it is ideal */
    bool has_coordinate;
    lashi_coordinate coordinate;
    int body[LASHI_SLOTS];
    lashi_vec2 s[LASHI_SLOTS];
} lashi_joint_info;

typedef struct lashi_drive_info {
    const char *name;
    int constraint; /* in motion.items */
} lashi_drive_info;

struct lash_system {
    lashi_arena arena;
    const lash_model *model;
    int bodies;                             /* with ground */
    const char **body_names;                /* [bodies] */
    double (*mass)[LASHI_FREEDOMS];         /* [bodies]: m, m, J; ground 0 */
    double (*inverse_mass)[LASHI_FREEDOMS]; /* [bodies]: 1/m, 1/m, 1/J; ground 0 */
    double (*weight)[LASHI_FREEDOMS];       /* [bodies]: N, m g; ground 0 */
    lashi_vec2 gravity;                     /* m/s² */
    lashi_constraint_set motion, assembly;
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

    int n_q, v_at, work_at, loss_at, n_y; /* layout of y */
    double *y0;                           /* [n_y] assembled initial state at t = 0 */
    lashi_contact *contacts0;             /* [clearance_count] initial contact memory */
    double *violation0;                   /* largest position and velocity violation after assembly: 2 */

    int freedoms_free;      /* without the drives */
    int freedoms;           /* with them */
    const char **redundant; /* dropped rows in words */
    double end;             /* s, end of the run from the model; NaN: none */
};

/* Frames of all bodies from q and v; frame 0 is left as ground. */
void lashi_frames_fill(lashi_frame *frames, const lash_system *system, const double *y);

/* Assembly: fills y0 with positions and velocities that satisfy every constraint. */
lash_status lashi_assemble(lash_system *system, lash_error *error);
/* Positions q (in y) moved onto Φ(q, t) = 0 of a set, from nearby, with weights; the joint with the largest
 * gap is named on failure. work belongs to the set. inverse: [bodies][3]. */
lash_status lashi_close_positions(double *y, lashi_constraint_work *work, lashi_frame *frames,
                                  const lash_system *system, const lashi_constraint_set *set, double t,
                                  const double (*inverse)[LASHI_FREEDOMS], lash_error *error);
/* Velocities v (in y) moved onto Φq v + Φt = 0 with least weighted change. */
lash_status lashi_close_velocities(double *y, lashi_constraint_work *work, lashi_frame *frames,
                                   const lash_system *system, const lashi_constraint_set *set, double t,
                                   const double (*inverse)[LASHI_FREEDOMS], lash_error *error);
/* Rank of the motion set and of its joints alone at y0; fills dropped rows, their names and the freedoms. */
lash_status lashi_find_redundancy(lash_system *system, lash_error *error);

#endif
