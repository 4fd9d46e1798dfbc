/* SPDX-License-Identifier: MIT
 *
 * Normal contact force of a joint with play: one compiled law per joint, and the pure functions of the hot
 * path.
 *
 * Notation: delta indentation (m, contact when > 0), deltadot its rate, v = deltadot_minus the approach speed
 * at the instant this contact began, e_r the restitution asked for.
 *
 *   power     F = K delta^n (1 + h deltadot/v)              Hertz and the dissipative family; h(e_r) names the law
 *   cylinder  F = f(delta) (1 + h deltadot/v)               f the inverse of delta = a f (ln(b/f) + s), cylinder.h
 *   bilinear  F = K delta loading, e_r K delta unloading    kelvin-voigt
 *
 * These are made for one free impact, in which |deltadot| <= v. In a contact that began slowly and is pressed
 * fast later they damp without bound. Bounded (approach: energy), v is replaced by the speed with which a
 * free impact would have begun to be where this one is (docs/clearance.md),
 *
 *     v_e^2 = deltadot^2 + 2 U(delta)/m,      m the effective mass when the contact began,
 *
 * so that the damping part is at most h times the elastic one. h is then the one with which a free impact
 * rebounds as it does with the law's own h and v (restitution.h).
 *
 * F >= 0 always: a bearing does not pull. Every law is split as F = F_el(delta) + rest, where F_el = dU/d
 * delta is the loading curve without damping. U is the elastic energy of the ledger, and (F - F_el) deltadot
 * >= 0 the power lost, so that the ledger closes whatever the law. For the bilinear law U = K delta^2/2, and
 * the share 1 - e_r of it is lost while unloading.
 *
 * A law is one file (normal_NAME.c) that defines a lashi_normal_law, and one line in normal_laws.h.
 */
#ifndef LASHI_NORMAL_H
#define LASHI_NORMAL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "contact/cylinder.h"
#include "contact/gap_size.h"
#include "lash/model.h"

typedef enum lashi_normal_family {
    LASHI_NORMAL_HERTZ, /* power, n = 1.5: no pow() */
    LASHI_NORMAL_POWER,
    LASHI_NORMAL_BILINEAR,
    LASHI_NORMAL_CYLINDER
} lashi_normal_family;

/* What scales the damping: v, v_e, nothing but the branch of a bilinear law, or the rate alone. */
typedef enum lashi_damping_scale {
    LASHI_SCALE_FIRST,
    LASHI_SCALE_ENERGY,
    LASHI_SCALE_BRANCH,
    LASHI_SCALE_VISCOUS
} lashi_damping_scale;

/* What a cylinder law is made from. */
typedef struct lashi_cylinder_data {
    double bearing_radius, journal_radius; /* m, R_i and R_j */
    double clearance;                      /* m, R_i - R_j */
    double length;                         /* m, L */
    double compliance;                     /* 1/Pa, sigma_i + sigma_j with sigma = (1 - nu^2)/(pi E) */
} lashi_cylinder_data;

typedef struct lashi_normal_law {
    const char *name, *doc, *reference;
    lashi_normal_family family;    /* LASHI_NORMAL_POWER stands for both power families */
    double exponent;               /* n unless the user gives another; 0: the law has none to set */
    double (*damping)(double e_r); /* h; NULL: no damping factor of its own */
    lashi_cylinder_law (*cylinder)(const lashi_cylinder_data *data); /* cylinder family; needs the length */
    const char *warning;                                             /* about the law itself, NULL: none */
} lashi_normal_law;

extern const lashi_normal_law *const lashi_normal_laws[];    /* NULL-terminated */
const lashi_normal_law *lashi_normal_find(const char *name); /* NULL: unknown */

typedef struct lashi_normal_numbers {
    double stiffness; /* K, N/m^n; cylinder: 0 */
    double exponent;  /* n; cylinder: 0 */
    double h;         /* damping factor of deltadot/v */
    double viscous;   /* N s/m, LASHI_SCALE_VISCOUS */
    double unloading; /* bilinear: share of K that is left while unloading; others: 1 */
    lashi_cylinder_law cylinder;
    double speed_floor;       /* m/s, least approach speed used with h */
    double speed_limit;       /* m/s, approach speeds above leave the law's validity; INFINITY: not known */
    double delta_limit;       /* m, end of the law's range; INFINITY: none. Beyond it F stays constant */
    double restitution_asked; /* e_r; unset where the law has no use for it */
    double restitution;       /* what a free two-body impact will really give */
} lashi_normal_numbers;

/* A law and where its numbers stand. Immutable once compiled; no memory of its own. */
typedef struct lashi_normal {
    lashi_normal_numbers *p; /* written while compiling */
    lashi_normal_family family;
    lashi_damping_scale scale;
    bool switches_at_turning; /* F jumps where deltadot changes sign inside a contact: see
                                 lashi_normal_force_phase */
    const lashi_normal_law *kind;
    const char *warning; /* one sentence for the user, NULL: none */
} lashi_normal;

/* Compiles def->contact. The materials are NULL when the stiffness K is given, and else both are needed. */
lash_status lashi_normal_compile(lashi_normal *out, lashi_normal_numbers *p, const lash_clearance_def *def,
                                 const lash_material_def *bearing, const lash_material_def *journal,
                                 lash_error *error);
/* The same for a shape that is known; NULL: it has none, and the stiffness is given. */
lash_status lashi_normal_compile_in(lashi_normal *out, lashi_normal_numbers *p, const lash_clearance_def *def,
                                    const lashi_gap_size *size, const lash_material_def *bearing,
                                    const lash_material_def *journal, lash_error *error);

typedef struct lashi_normal_result {
    double force;         /* N, >= 0 but for a rounding where the law sets in */
    double elastic;       /* N, the part that is the slope of the elastic energy */
    double damping_power; /* W, lost in the contact, >= 0 */
} lashi_normal_result;

/* F_el(delta), the loading curve without damping, N. */
__attribute__((always_inline)) static inline double lashi_normal_elastic(const lashi_normal *law,
                                                                         double delta) {
    if (!(delta > 0))
        return 0;
    if (__builtin_expect(law->family == LASHI_NORMAL_HERTZ, 1)) // most: without a call
        return law->p->stiffness * delta * sqrt(delta);
    switch (law->family) {
    case LASHI_NORMAL_HERTZ: break;
    case LASHI_NORMAL_POWER: return law->p->stiffness * pow(delta, law->p->exponent);
    case LASHI_NORMAL_BILINEAR: return law->p->stiffness * delta;
    case LASHI_NORMAL_CYLINDER: return lashi_cylinder_force(&law->p->cylinder, delta);
    }
    return 0;
}

/* How a contact began, as far as its force depends on it. */
typedef struct lashi_onset {
    double speed;        /* m/s, approach speed */
    double inverse_mass; /* 1/kg, of the effective mass; 0: neither body can move. LASHI_SCALE_ENERGY alone
                            needs it */
    int unloading;       /* laws that switch at deltadot = 0: the branch */
} lashi_onset;

/* 1 + damping/elastic part of laws that are not scaled by the speed at first touch; may be negative. */
double lashi_normal_factor(const lashi_normal *law, double delta, double deltadot, const lashi_onset *onset);

/* deltadot below which the law would pull, and is cut off at F = 0: its slope jumps there; -INFINITY: never. */
double lashi_normal_cut(const lashi_normal *law, double delta, const lashi_onset *onset);

/* F = F_el + c deltadot, not below 0. */
lashi_normal_result lashi_normal_viscous(const lashi_normal *law, double delta, double deltadot);

/* Whether F or its slope jumps where contact begins. Then the mode of the contact decides whether it acts, not delta: the
 * instant that was located may be a rounding before delta > 0, and a step from there must see one smooth function. */
static inline bool lashi_normal_sets_in(const lashi_normal *law) {
    return law->scale == LASHI_SCALE_VISCOUS || law->scale == LASHI_SCALE_BRANCH;
}

/* The force with the branch of a law that switches_at_turning held by the caller: such a law jumps at
 * deltadot = 0, so the loop locates deltadot = 0 as an event, keeps `unloading` in its contact memory between
 * events, and all stages of one step see one smooth branch. The others do not look at `unloading`. */
__attribute__((always_inline)) static inline lashi_normal_result
lashi_normal_force_phase(const lashi_normal *law, double delta, double deltadot, const lashi_onset *onset) {
    lashi_normal_result result = {0, 0, 0};
    if (!(delta > 0) && !lashi_normal_sets_in(law))
        return result;
    double factor;
    if (law->scale == LASHI_SCALE_FIRST) {
        double speed = onset->speed > law->p->speed_floor ? onset->speed : law->p->speed_floor;
        factor = 1 + law->p->h / speed * deltadot; // the quotient waits for nothing
    } else if (law->scale == LASHI_SCALE_VISCOUS) {
        return lashi_normal_viscous(law, delta, deltadot);
    } else {
        factor = lashi_normal_factor(law, delta, deltadot, onset);
    }
    if (factor < 0)
        factor = 0; /* no pull */
    result.elastic =
        law->scale == LASHI_SCALE_BRANCH ? law->p->stiffness * delta : lashi_normal_elastic(law, delta);
    result.force = result.elastic * factor;
    result.damping_power = result.elastic * (factor - 1) * deltadot;
    return result;
}

/* No force is larger at depths up to delta and rates up to deltadot; INFINITY: not known. */
static inline double lashi_normal_most(const lashi_normal *law, double delta, double deltadot,
                                       const lashi_onset *onset) {
    const bool grows = law->scale == LASHI_SCALE_FIRST || law->scale == LASHI_SCALE_VISCOUS;
    return grows ? lashi_normal_force_phase(law, delta, deltadot, onset).force : INFINITY;
}

/* The largest force of an impact as these laws are made for, |deltadot| <= v, that is nowhere deeper than delta.
 * INFINITY: the damping is bounded otherwise. */
static inline double lashi_normal_strongest(const lashi_normal *law, double delta) {
    return law->scale == LASHI_SCALE_FIRST ? lashi_normal_elastic(law, delta) * (1 + law->p->h) : INFINITY;
}

/* The force as a function of the state alone, of laws that need no effective mass. */
static inline lashi_normal_result lashi_normal_force(const lashi_normal *law, double delta, double deltadot,
                                                     double approach_speed) {
    const lashi_onset onset = {.speed = approach_speed, .unloading = deltadot < 0};
    return lashi_normal_force_phase(law, delta, deltadot, &onset);
}

/* U(delta), J: the integral of F_el from 0. */
double lashi_normal_energy(const lashi_normal *law, double delta);
/* dF_el/d delta, N/m; 0 at delta <= 0. */
double lashi_normal_stiffness(const lashi_normal *law, double delta);

/* A free, undamped impact of the effective mass m (kg) at speed v (m/s): what `lash check` prints, and the
 * scale by which impacts are distinguished from following. */
typedef struct lashi_impact_estimate {
    double delta_max; /* m; at most the end of the law's range */
    double force_max; /* N, F_el there */
    double time;      /* s, from touch to release; INFINITY where the impact would leave the law's range */
    double stiffness; /* N/m, dF_el/d delta at delta_max: omega = sqrt(stiffness/m) bounds the integrator's
                         step */
    bool in_range;    /* false: the law cannot take this impact */
} lashi_impact_estimate;
lashi_impact_estimate lashi_normal_estimate(const lashi_normal *law, double mass, double speed);
/* A contact is an impact when it lasted no longer than so many of those times. */
enum { LASHI_IMPACT_TIMES = 3 };

/* Sphere-type stiffness K = 4/(3(s_i + s_j)) sqrt(R_i R_j/c), s = (1 - nu^2)/E, N/m^1.5 (P1 eq. 16, P4 eq.
 * 23). */
double lashi_hertz_stiffness(double bearing_radius, double journal_radius, double clearance,
                             const lash_material_def *bearing, const lash_material_def *journal);
/* Validity of the damped laws (P4): v <= 1e-5 sqrt(E/rho) with the faster of the two wave speeds, m/s.
 * INFINITY when a density is not given. */
double lashi_normal_speed_limit(const lash_material_def *bearing, const lash_material_def *journal);

#endif
