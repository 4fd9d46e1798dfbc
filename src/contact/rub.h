/* SPDX-License-Identifier: MIT
 *
 * A rub: a place where friction follows from accelerations and multipliers of the same instant, so that it
 * cannot be a force of the state (dynamics/rubbing.c).
 *
 * Ideal joints with friction have one at every place where they slide, contacts one where their law is
 * coulomb or where they are constraints.
 */
#ifndef LASHI_RUB_H
#define LASHI_RUB_H

#include "contact/friction.h"
#include "joint/joint.h"

typedef struct lashi_rub {
    const char *name; /* of the joint, or JOINT.PART; of the contact */
    int joint, place; /* index of the joint, and where it slides; a contact's */
    int contact;      /* index of the contact; -1: of an ideal joint */
    int constraint;   /* in motion.items: its rows press; -1: the contact presses by its depth */
    int ways;         /* directions in which it slides */
    bool round;       /* see lashi_joint_form */
    bool loaded;      /* the reaction counts; false: constant friction alone */
    lashi_friction law;
    lashi_friction_numbers numbers; /* of the law of a joint */
    double preload;                 /* N, constant part of the friction where it slides fast */
    double lever;     /* m, of what is recorded: the torque of a pin over f; 1: the force itself */
    const char *unit; /* of what is recorded */
    int bristle;      /* index into y of its deflection, `ways` numbers; -1: none */
    int loss;         /* index into y of the energy lost; -1: its contact's */
} lashi_rub;

/* 1/s, κ: how fast a sticking place returns from where errors of the integration have moved it. Steps are kept so short
 * that this does not amplify rounding: s, the longest one while something sticks. */
static const double LASHI_RETURN_RATE = 2, LASHI_LONGEST_STUCK = 1;
/* Mobility of a place, of that of its bodies by themselves, that is none. */
static const double LASHI_NO_MOBILITY = 1e-10;
/* How what is at rest is decided (sim/sticking.c), of friction and rates: what is left of friction where it counts as
 * held; rate of a sliding speed, of the largest part it is the sum of, that is rounding or an error of an event; what two
 * uses of friction differ by that are the same; use, of the largest, that is one of the largest; least that weighs. */
static const double LASHI_RUB_HELD = 1e-9, LASHI_RUB_NO_RATE = 1e-6, LASHI_RUB_SAME_USE = 1e-12,
                    LASHI_RUB_ONE_OF = 1e-6, LASHI_RUB_LEAST_USE = 1e-3;
/* Speed of something that sticks, in speeds that are none, at which drives have moved it; and speed that is none, in
 * what the tolerance of the velocities makes of it at the speed so far: errors of joints add to those. */
static const double LASHI_RUB_CARRIED_OFF = 2, LASHI_RUB_AT_REST = 100;
enum { LASHI_RUB_CHANGES = 10, LASHI_RUB_BALANCES = 100 };

/* Whether it sticks: part of the state, of rubs with a set-valued law. */
typedef enum lashi_rub_mode {
    LASHI_RUB_BY_SPEED, /* slides as its speed says, no friction at rest: where events are not looked for */
    LASHI_RUB_SLIDES,   /* as its speed says, which is on the side of `way` */
    LASHI_RUB_STARTS,   /* to slide along `way`, whatever its speed: while an event is decided */
    LASHI_RUB_BEGINS,   /* to slide in one of several directions: against the force that would hold it */
    LASHI_RUB_STICKS
} lashi_rub_mode;

typedef struct lashi_rub_memory {
    lashi_rub_mode mode;
    double way[LASHI_WAYS];  /* unit: in which direction it slides */
    lashi_vec3 ahead;        /* unit, contact in space: its first way, taken along with the surface */
    double held[LASHI_WAYS]; /* m, travel at which it sticks */
    double rest;             /* m/s, sliding speed that is none */
    double share;            /* of the force, where several stick that cannot move one without the other */
} lashi_rub_memory;

/* What an evaluation finds in a rub. */
typedef struct lashi_rub_state {
    double force[LASHI_WAYS]; /* N, friction on the second body */
    double speed[LASHI_WAYS]; /* m/s */
    double way[LASHI_WAYS];   /* unit: where it slides, against the friction */
    double limit;             /* N, most friction it can have at rest */
    double strength;          /* m/s², what its friction at rest could do to its bodies by themselves */
    bool active;              /* its parts touch */
} lashi_rub_state;

static inline double lashi_ways_length(const double *a, int ways) {
    return ways == 1 ? fabs(a[0]) : sqrt(a[0] * a[0] + a[1] * a[1] + (ways > 2 ? a[2] * a[2] : 0));
}
/* Direction of `v`, and its length. */
static inline double lashi_ways_direct(double way[LASHI_WAYS], const double *v, int ways) {
    const double length = lashi_ways_length(v, ways);
    for (int k = 0; k < ways; k++)
        way[k] = length > 0 ? v[k] / length : k == 0;
    return length;
}

/* What a coefficient of friction makes of the load of a joint. */
static inline double lashi_rub_hat(bool loaded, bool round, double m) {
    return !loaded ? 0 : round ? m / sqrt(1 + m * m) : m;
}
/* Direction in which friction acts, and its coefficient, of a law that is a function of the speed, with or without bristles z
 * (zdot: their rates). */
static inline double lashi_rub_regular(double way[LASHI_WAYS], double *zdot, const lashi_friction *law,
                                       int ways, const double *v, const double *z) {
    double unused, vector[LASHI_WAYS] = {0};
    if (ways == 1) {
        way[0] = 1;
        return law->kind->coefficient(law->bristle ? zdot : &unused, law, v[0], law->bristle ? z[0] : 0);
    }
    if (!law->bristle)
        return law->kind->coefficient(&unused, law, lashi_ways_direct(way, v, ways), 0);
    const double speed = lashi_ways_length(v, ways);
    const double fade = law->p->sigma0 * speed / lashi_stribeck_curve(law, speed);
    for (int k = 0; k < ways; k++) {
        const double rate = v[k] - fade * z[k];
        zdot[k] = rate;
        vector[k] = law->p->sigma0 * z[k] + law->p->sigma1 * rate + law->p->viscous * v[k];
    }
    return lashi_ways_direct(way, vector, ways);
}
/* The generalised unit force along that direction. */
static inline void lashi_slide_across(double T[LASHI_LINKS][LASHI_FREEDOMS], const lashi_slide *slide,
                                      const double *way, int ways) {
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            T[link][i] = 0;
    for (int w = 0; w < ways; w++)
        for (int link = 0; link < LASHI_LINKS; link++)
            for (int i = 0; i < LASHI_FREEDOMS; i++)
                T[link][i] += way[w] * slide->T[w][link][i];
}
/* Speed, in speeds that are none, up to which what begins to slide has no direction of its own. */
static const double LASHI_RUB_SLOW = 10;
/* What is left of sliding as it does, m/s: its speed along `way`; in several directions down to one that is
 * none, since a method that looks ahead would stay above zero for good. Where it begins, until it has a direction of
 * its own: a speed across the friction, or a large one; or goes back. */
static inline double lashi_rub_onward(const lashi_rub *rub, const lashi_rub_memory *memory,
                                      const lashi_rub_state *state) {
    static const double BEGUN = 1e5; // from there on its direction is well defined
    const bool begins = memory->mode == LASHI_RUB_BEGINS;
    double forward = 0, square = 0;
    for (int k = 0; k < rub->ways; k++) {
        forward += (begins ? state->way : memory->way)[k] * state->speed[k];
        square += state->speed[k] * state->speed[k];
    }
    const double rest = rub->ways == 1 ? 0 : memory->rest;
    if (!begins)
        return forward - 0.5 * rest;
    const double across = sqrt(fmax(square - forward * forward, 0));
    const double aside = fmax(rest - across, LASHI_RUB_SLOW * rest - sqrt(square));
    return fmin(fmin(forward + 0.5 * rest, aside), BEGUN * rest - forward);
}
/* What is left of what holds it: 1 everything, 0 it begins to slide, below: it should have. */
static inline double lashi_rub_margin(const lashi_rub *rub, const lashi_rub_state *state) {
    const double force = lashi_ways_length(state->force, rub->ways), sum = state->limit + force;
    return sum > 0 ? (state->limit - force) / sum : 1;
}

#endif
