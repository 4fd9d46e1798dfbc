/* SPDX-License-Identifier: MIT
 *
 * A joint with play as a force element: gap kinematics, film, normal law and friction law put together, with
 * the memory of its contact.
 *
 * The memory (mode, approach speed) changes only at located events, between steps; within a step every stage
 * sees the same mode, so that the right-hand side is smooth there. In free flight there is no force whatever
 * δ is.
 */
#ifndef LASHI_CLEARANCE_H
#define LASHI_CLEARANCE_H

#include "contact/film.h"
#include "contact/friction.h"
#include "contact/gap.h"
#include "contact/hybrid.h"
#include "contact/normal.h"
#include "joint/joint.h"
#include "lash/sim.h"

/* Sums over all elements at one instant: where the energy is and where power goes. */
typedef struct lashi_ledger {
    double elastic;     /* J, stored in springs; contacts are added when energies are recorded */
    double input;       /* W, brought in by drives, loads and actuators */
    double dissipation; /* W, lost in dampers and viscous joints */
    double table_at;    /* x of the last table that was read, for messages */
} lashi_ledger;

/* What touches: the circles of the plane; in space a ball in its socket, one end of a pin in its sleeve, or
 * the shoulders of a pin with play along its axis. */
typedef enum lashi_touch {
    LASHI_TOUCH_PLANE,
    LASHI_TOUCH_BALL,
    LASHI_TOUCH_PIN,
    LASHI_TOUCH_STOP
} lashi_touch;

/* What contact is: a force of the penetration; the constraint |e| = c at all times; or that constraint while
 * it presses, with free flight and impacts between (PHYSICS, section 6). */
typedef enum lashi_contact_model { LASHI_MODEL_COMPLIANT, LASHI_MODEL_PERMANENT, LASHI_MODEL_MODES } lashi_contact_model;

/* A compiled contact of a joint with play: a pin in space has several. Immutable. */
typedef struct lashi_contact {
    const char *name;
    lashi_touch touch;
    lashi_contact_model model;
    int constraint;            /* contact as a constraint: in motion.items; -1: a force */
    double restitution;        /* of impacts */
    double rest_speed;         /* m/s, rebounds slower than this end in following contact */
    bool rubs;                 /* following contact and impacts have friction */
    bool stops;                /* the run ends where contact would be lost */
    const char *start;         /* contact as a constraint: where and how it starts, in words; else NULL */
    int body[LASHI_SLOTS];     /* frame indices: bearing, journal */
    lashi_vec2 s[LASHI_SLOTS]; /* m, centres in body axes */
    lashi_gap_size gap;
    lashi_normal normal;
    lashi_friction friction;
    bool lubricated; /* there is a film … */
    bool dry;        /* … and where it is pressed through, dry contact; true without a film */
    lashi_film film;
    lashi_hybrid hybrid;
    const char *film_warning;   /* about oil or film, NULL: none */
    int bristle;                /* index into y of the bristle deflection, in space three; -1: none */
    bool by_tolerance;          /* detector: penetration-tolerance instead of located */
    double tolerance;           /* m, of the detector */
    lashi_vec3 s3[LASHI_SLOTS]; /* m, space: centres in principal axes; a pin: of the sleeve, of this end */
    lashi_vec3 axis;            /* unit, space: of the sleeve, axes of body[0] */
} lashi_contact;

/* Memory of a contact: part of the state. */
typedef struct lashi_memory {
    int touching;                  /* 0 free flight, 1 contact */
    int through;                   /* film: 1 beyond the transition, dry contact alone */
    int pulling;                   /* permanent contact: 1 while N < 0 */
    lashi_onset onset;             /* how this contact began */
    double film_carried;           /* N, most that the film carried in the transition, at accepted steps */
    double since;                  /* s, when this mode began */
    lash_peak peak;                /* in this contact so far */
    double peak_delta, deepest_at; /* m, s: the same of the penetration */
    lash_peak damped;              /* the largest force that is mostly damping where no impact explains it */
    double lost_before;            /* J, lost in this joint when the contact began */
    double impulse_before;         /* N s, of this joint until then */
    double delta, deltadot, speed; /* m, m/s, |ė| in m/s: at the last accepted point */
    double angle;                  /* rad, direction of n when it began */
} lashi_memory;

/* What one evaluation finds in the joint. */
typedef struct lashi_contact_state {
    lashi_gap motion;
    double ex, ey, ez;                          /* m, e in ground axes */
    double normal_force;                        /* N */
    double friction_force;                      /* N, along t on the journal */
    double fx, fy, fz;                          /* N, on the journal */
    lashi_vec3 moment;                          /* N m, space: on the journal about its centre */
    double film_force, film_power, film_torque; /* N, W lost, N m on the journal; in space magnitudes */
    double film_share;                          /* of the film: 1 it is alone, 0 dry contact is, or no film */
    double damping_power;                       /* W, lost in the contact's damping */
    double friction_power;                      /* W, lost in its friction */
    double speed; /* m/s, |ė|, at least |δ̇|; lashi_contact_motion alone fills it */
} lashi_contact_state;

/* The gap's motion alone. */
lashi_contact_state lashi_contact_motion(const lashi_contact *joint, const lashi_frame *frames);
/* Adds the joint's forces to g ([body][6]); fills *out; zdot gets the bristle's rate: one, in space three. */
void lashi_contact_apply(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double *zdot,
                           const lashi_contact *joint, const lashi_memory *memory,
                           const lashi_frame *frames, const double *bristle);

/* Where a contact in space acts: arms from the centres of mass to the points that touch, ground axes. */
typedef struct lashi_contact_place {
    lashi_vec3 arm[LASHI_SLOTS], n;
    lashi_vec3 edot;   /* m/s, rate of e = |e| n; of a stop the part along its axis */
    lashi_vec3 centre; /* from the journal's centre of mass to its centre */
    lashi_vec3 slide;  /* m/s, of the material points along the surface */
} lashi_contact_place;
lashi_contact_state lashi_clearance_motion3(lashi_contact_place *place, const lashi_contact *joint,
                                            const lashi_frame *frames);
void lashi_clearance_apply3(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double zdot[3],
                            const lashi_contact *joint, const lashi_memory *memory,
                            const lashi_frame *frames, const double bristle[3]);

/* A ball's motion in its film, in the frame that turns with the mean of both bodies, so that no speed of
 * rotation is left; n and t are unit, t zero where nothing moves across. */
lashi_film_motion lashi_clearance_film3(lashi_vec3 *n, lashi_vec3 *t, const lashi_contact *joint,
                                        const lashi_frame *frames, const lashi_contact_state *at,
                                        const lashi_contact_place *place);

/* The film's motion, of a pin in the plane or of a ball. */
lashi_film_motion lashi_clearance_film(const lashi_contact *joint, const lashi_frame *frames);

/* What the film has of the joint's force at δ, the dry contact having the rest (hybrid.h). */
static inline double lashi_film_share(const lashi_contact *joint, const lashi_memory *memory,
                                      double delta) {
    return memory->touching ? 1 - lashi_hybrid_weight(&joint->hybrid, delta) : 1;
}

/* Elastic part of the normal force of a touching contact, N: the rest is damping. */
double lashi_clearance_elastic(const lashi_contact *joint, double delta);
/* Elastic energy in a touching contact, J. */
double lashi_contact_energy(const lashi_contact *joint, double delta);
/* Whether the contact's constraint holds now. */
static inline bool lashi_contact_holds(const lashi_contact *joint, const lashi_memory *memory) {
    return joint->model == LASHI_MODEL_PERMANENT || (joint->model == LASHI_MODEL_MODES && memory->touching);
}
/* Whether δ stands on the other side of a border than the memory says. */
static inline bool lashi_contact_mismatch(const lashi_contact *joint, const lashi_memory *memory,
                                          double delta) {
    return (delta > 0) != (memory->touching != 0) ||
           (joint->lubricated && (delta > joint->hybrid.e0) != (memory->through != 0));
}

/* A force F at S (ground axes, from the centre of mass) on a body. */
static inline void lashi_apply_at(double g[LASHI_FREEDOMS], lashi_vec2 S, lashi_vec2 F) {
    g[0] += F.x;
    g[1] += F.y;
    g[2] += S.x * F.y - S.y * F.x;
}

#endif
