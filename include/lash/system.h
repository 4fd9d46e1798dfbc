/* SPDX-License-Identifier: MIT
 *
 * lash_system: a model compiled for computation. Immutable; may be shared between threads. The model must
 * outlive it.
 */
#ifndef LASH_SYSTEM_H
#define LASH_SYSTEM_H

#include "lash/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lash_system lash_system;

/* Validates the model, finds initial positions and velocities that close the mechanism, and plans the
 * computation. */
lash_status lash_system_compile(lash_system **out, const lash_model *model, lash_error *error);
void lash_system_destroy(lash_system *system);

const lash_model *lash_system_model(const lash_system *system);
size_t lash_system_body_count(const lash_system *system);       /* without ground */
size_t lash_system_joint_count(const lash_system *system);      /* with and without play */
size_t lash_system_constraint_count(const lash_system *system); /* scalar equations, drives included */
/* m, the size of the machine, which tolerances refer to; kg, the mass of all bodies. NaN: no system. */
double lash_system_size(const lash_system *system);
double lash_system_mass(const lash_system *system);
/* Degrees of freedom that the joints leave, without and with the drives. */
int lash_system_mobility(const lash_system *system);
int lash_system_freedoms(const lash_system *system);
/* Constraint equations that repeat what others say, in words; NULL past the end. They do not stop a run: the
 * motion is the same, and of the reactions the set with the least norm is given. */
const char *lash_system_redundant(const lash_system *system, size_t index);
/* A value of a body at the start that assembly has changed: what the model gives, and how the run begins. */
typedef struct lash_start_value {
    const char *body;
    const char *quantity;      /* the key of the model: "position", "angle", "orientation", "velocity", … */
    const char *unit;          /* m, rad, m/s, rad/s */
    const char *hold;          /* what the list `hold` of the body needs for the given value to be kept */
    bool moves;                /* a velocity; false: a place */
    int size;                  /* components; 0 of an orientation in space */
    double given[3], start[3]; /* ground axes */
    double change;             /* how far apart they are; of an orientation the angle between them */
    double share;              /* the same, of the mechanism's size, of a radian, or of the given velocity */
} lash_start_value;
/* The index-th of those that have changed by more than digits: places by more than a thousandth of the
 * mechanism's size or of a radian; velocities, where the model gives one that is not 0, by more than a
 * hundredth of it. False past the end. */
bool lash_system_start_value(lash_start_value *out, const lash_system *system, size_t index);
/* "dense" or "sparse". */
const char *lash_system_solver(const lash_system *system);
/* End of the run as the model asks for, s; NaN when it does not say. */
double lash_system_end(const lash_system *system);
/* End of the transient that the model leaves out, s; NaN when it does not say. */
double lash_system_discard(const lash_system *system);

/* A drive that prescribes a motion. */
typedef struct lash_drive_info {
    const char *name;    /* NULL: there is no such drive */
    bool turns;          /* it drives an angle, not a travel */
    bool steady;         /* value = start + speed t, rad or m */
    double start, speed; /* NaN where it is not steady */
} lash_drive_info;
size_t lash_system_drive_count(const lash_system *system);
lash_drive_info lash_system_drive(const lash_system *system, size_t index);
/* Where a drive is at a time, rad or m; NaN: there is no such drive. */
double lash_system_drive_value(const lash_system *system, size_t index, double t);

/* When the machine has made so many turns, s: of its first drive, or of the model's settle_period. */
lash_status lash_system_turn_end(double *out, const lash_system *system, double turns, lash_error *error);

/* A joint with play as it was compiled, and what its contact law will do: for an impact at a typical speed,
 * that of the journal after falling across the gap under the largest acceleration found in the ideal
 * mechanism's motion at the start, or 0.1 m/s where that gives nothing. */
typedef struct lash_clearance_info {
    const char *joint;                     /* its name: of the joint, or JOINT.PART */
    const char *kind;                      /* what touches, in words: "pin", "corner of a block", … */
    const char *shape;                     /* sizes in words; NULL: the radii say it */
    const char *unit;                      /* "m", or "rad" where the depth is an angle */
    double bearing_radius, journal_radius; /* m; 0 where nothing is round */
    double radial;                         /* m or rad, from the middle to the wall */
    const char *model;                     /* "compliant", "permanent-contact", "three-mode" */
    const char *law, *friction;
    const char *start;                     /* contact as a constraint: how it starts, in words; else NULL */
    double stiffness, exponent;            /* N/m^exponent; 0: an implicit cylinder law */
    double restitution_asked, restitution; /* asked for; what a free impact really gives */
    double damping;                        /* h of the damping part; 0: none, or a law without it */
    double viscous;                        /* N s/m (N m s/rad), of a linear damper; 0: none */
    const char *approach;                  /* "first" or "energy": what scales it */
    bool remembers;        /* its damping in lasting contact depends on the speed with which that began */
    double effective_mass; /* kg, of the two bodies along the line of centres, joints in place */
    double typical_speed;  /* m/s */
    double contact_time;   /* s, of a free impact at that speed */
    double max_penetration, max_force; /* m, N */
    double step;                       /* s, order of the integrator step that contact implies */
    double speed_limit;                /* m/s, validity of the law; INFINITY: not known */
    const char *warning;               /* about the law, NULL: none */
    const char *film;                  /* model of the oil film, NULL: the joint is dry */
    double viscosity;                  /* Pa s */
    double length_ratio;               /* L/D of the film; NAN of a ball's */
    double transition, reserve;        /* m, e0 and e1; 0: the film carries everything */
    double transition_force;           /* N, of the dry contact at δ = e0, without damping */
    const char *film_warning;          /* about film or oil, NULL: none */
    const char *inlet;                 /* of the film, NULL: its model knows none */
    double groove;                     /* rad, inlet "groove": its place in the first body's axes */
    /* What was found when the film was tabulated: the largest error of its force, relative to it up to e/c =
     * 0.95, and above to the largest force of any direction. NaN: no table. */
    double table_error, table_error_thin;
} lash_clearance_info;

/* A film whose table lash_system_compile will have to compute, as no copy of it is kept on disk. */
typedef struct lash_film_work {
    const char *joint;
    double length_ratio; /* L/D */
    double seconds;      /* about, on one core */
} lash_film_work;
/* The index-th of them; false past the end. */
bool lash_film_work_at(lash_film_work *out, const lash_model *model, size_t index);

size_t lash_system_clearance_count(const lash_system *system);
lash_clearance_info lash_system_clearance(const lash_system *system, size_t index);

#ifdef __cplusplus
}
#endif
#endif
