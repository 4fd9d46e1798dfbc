/* SPDX-License-Identifier: MIT
 *
 * The force and moment of a joint on its second body, at the joint's point, from the generalised force g that its rows, its
 * friction and its contacts put on that body: f = g, m = g_θ − S_j × f; in space with g_θ in the body's axes. A joint
 * that is absorbed has no rows: what it does is what its body lacks, M v̇ − g.
 */
#ifndef LASHI_REACTION_H
#define LASHI_REACTION_H

#include "dynamics/motion.h"
#include "joint/space.h"
#include "system/system.h"

typedef struct lashi_reaction {
    lashi_vec3 force, moment; /* N, N m; ground axes */
} lashi_reaction;

static inline lashi_reaction lashi_reaction_in_plane(const double g[LASHI_FREEDOMS],
                                                     const lashi_frame *second, lashi_vec2 s) {
    const lashi_vec2 S = lashi_turn(second, s);
    return (lashi_reaction){{g[0], g[1], 0}, {0, 0, g[2] - (S.x * g[1] - S.y * g[0])}};
}

static inline lashi_reaction lashi_reaction_in_space(const double g[LASHI_FREEDOMS],
                                                     const lashi_frame *second, lashi_vec3 s) {
    const lashi_vec3 F = lashi_vec3_of(g), S = lashi_turn3(second->A, s);
    return (lashi_reaction){F, lashi_sub3(lashi_turn3(second->A, lashi_vec3_of(g + 3)), lashi_cross3(S, F))};
}

/* What the ground joint of an absorbed body does to its second body, which may be ground. m, a, g, f: mass, acceleration,
 * force and frame of the body. */
static inline void lashi_reaction_of_absorbed(lashi_reaction *out, const lashi_absorbed *item, bool spatial,
                                              const double m[LASHI_FREEDOMS], const double a[LASHI_FREEDOMS],
                                              const double g[LASHI_FREEDOMS], const lashi_frame *f) {
    const double sign = item->slot == 1 ? 1 : -1;
    lashi_vec3 F, M;
    if (spatial) {
        lashi_balance_in_space(&F, &M, m, a, g, f, item->joint.geometry->s[item->slot]);
    } else {
        double R[LASHI_FREEDOMS];
        lashi_balance(R, m, a, g, f, item->joint.s[item->slot]);
        F = (lashi_vec3){R[0], R[1], 0}, M = (lashi_vec3){0, 0, R[2]};
    }
    if (item->kind == LASHI_GUIDED) // the guide does not push along itself
        F = (lashi_vec3){item->along == 0 ? 0 : F.x, item->along == 1 ? 0 : F.y, item->along == 2 ? 0 : F.z};
    else if (spatial) // about the pin it is the drive's, or rounding
        M = lashi_axpy3(M, -lashi_dot3(M, item->axis), item->axis);
    else
        M.z = 0;
    out->force = lashi_axpy3(out->force, sign, F);
    out->moment = lashi_axpy3(out->moment, sign, M);
}

#endif
