/* SPDX-License-Identifier: MIT
 *
 * Friction of a joint with play: F_T = -F_N mu(v_T, z) along t, on the journal.
 *
 * mu is odd in the sliding speed v_T; only lugre has a memory, one bristle deflection z (m) per joint that is
 * integrated with the system. A law is one file (friction_NAME.c) that defines a lashi_friction_law, and one
 * line in friction_laws.h.
 */
#ifndef LASHI_FRICTION_H
#define LASHI_FRICTION_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "lash/model.h"

typedef struct lashi_friction lashi_friction;
typedef struct lashi_friction_numbers lashi_friction_numbers;

enum {                                /* parameters a law reads, and so has checked */
       LASHI_FRICTION_DEAD_ZONE = 1,  /* 0 <= v0 < v1 */
       LASHI_FRICTION_TRANSITION = 2, /* vr > 0 */
       LASHI_FRICTION_STATIC = 4,     /* coefficient_static >= coefficient, stribeck_speed > 0 */
       LASHI_FRICTION_VISCOUS = 8,    /* viscous >= 0 */
       LASHI_FRICTION_BRISTLE =
           16 /* bristle_stiffness > 0, bristle_damping >= 0, coefficient > 0; has a state z */
};

typedef struct lashi_friction_law {
    const char *name, *doc, *reference;
    unsigned needs;
    bool sticks; /* set-valued: the force is found with the accelerations */
    bool ramps;  /* the coefficient is lashi_friction_ramp, which needs no call */
    /* mu, and zdot (m/s; 0 without bristle). Pure. */
    double (*coefficient)(double *zdot, const lashi_friction *law, double v, double z);
    size_t (*kinks)(lashi_friction_numbers *p); /* fills the kink speeds, gives their number; NULL: none */
} lashi_friction_law;

extern const lashi_friction_law *const lashi_friction_laws[];    /* NULL-terminated */
const lashi_friction_law *lashi_friction_find(const char *name); /* NULL: unknown */

struct lashi_friction_numbers {
    double kinetic, still; /* coefficients: sliding fast, and at rest */
    double v0, v1;         /* m/s */
    double vr;             /* m/s */
    double stribeck_speed; /* m/s */
    double viscous;        /* s/m */
    double sigma0, sigma1; /* 1/m, s/m */
    double bristle_scale;  /* m, largest |z| of a sliding contact, for tolerances */
    double kinks[2];       /* m/s, speeds |v_T| at which the slope of the law jumps, rising */
};

/* A law and where its numbers stand. Immutable once compiled. */
struct lashi_friction {
    lashi_friction_numbers *p; /* written while compiling */
    const lashi_friction_law *kind;
    bool bristle;      /* z belongs to the state; the loop sets it to 0 when a contact begins */
    size_t kink_count; /* of p->kinks */
};

lash_status lashi_friction_compile(lashi_friction *out, lashi_friction_numbers *p,
                                   const lash_friction_def *def, lash_error *error);

/* mu that rises from v0 to v1, odd in v: friction_ambrosio.c. */
static inline double lashi_friction_ramp(const lashi_friction_numbers *p, double v) {
    const double speed = fabs(v);
    if (speed <= p->v0)
        return 0;
    const double c_d = speed < p->v1 ? (speed - p->v0) / (p->v1 - p->v0) : 1;
    return copysign(p->kinetic * c_d, v);
}

/* F_T along t on the journal, N, for F_N >= 0; zdot as a side result. */
__attribute__((always_inline)) static inline double
lashi_friction_force(const lashi_friction *law, double normal_force, double v, double z, double *zdot) {
    if (!__builtin_expect(law->kind->ramps, 1))
        return -normal_force * law->kind->coefficient(zdot, law, v, z);
    *zdot = 0;
    return -normal_force * lashi_friction_ramp(law->p, v);
}

/* Stribeck's curve g(v) = mu_k + (mu_s - mu_k) exp(-(v/v_s)^2), even in v; stribeck and lugre share it. */
static inline double lashi_stribeck_curve(const lashi_friction *law, double v) {
    double ratio = v / law->p->stribeck_speed;
    return law->p->kinetic + (law->p->still - law->p->kinetic) * exp(-ratio * ratio);
}

#endif
