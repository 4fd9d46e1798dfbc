/* SPDX-License-Identifier: MIT
 *
 * Forces of a contact from its gap and laws (contact.c has the formulas), inline. `direct` is a constant: true
 * for the contacts that are, whose code then has no branch and no call but that of the friction law.
 */
#ifndef LASHI_APPLY_H
#define LASHI_APPLY_H

#include "contact/pin.h"

/* Of a kind that acts along rows: F_N, with its excitation. */
void lashi_push_rows(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, const lashi_contact *contact);
/* The film with weight 1 − w: on the bodies, and into *out. */
void lashi_wet_contact(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, const lashi_contact *contact,
                       const lashi_frame *frames, double w);

/* F on j and −F on i at S[…]. acts: of the contact. */
__attribute__((always_inline)) static inline void lashi_push(double *g[LASHI_SLOTS],
                                                             const lashi_contact *contact, lashi_acts acts,
                                                             const lashi_frame *frames,
                                                             const lashi_vec3 S[LASHI_SLOTS], lashi_vec3 F) {
    if (acts == LASHI_ACTS_IN_PLANE) {
        lashi_apply_at(g[1], (lashi_vec2){S[1].x, S[1].y}, (lashi_vec2){F.x, F.y});
        lashi_apply_at(g[0], (lashi_vec2){S[0].x, S[0].y}, (lashi_vec2){-F.x, -F.y});
    } else {
        const lashi_vec3 none = {0, 0, 0};
        lashi_apply_at3(g[1], &frames[contact->body[1]], S[1], F, none);
        lashi_apply_at3(g[0], &frames[contact->body[0]], S[0], lashi_scale3(-1, F), none);
    }
}

/* The friction force on j in space with bristles, and their rate: friction_lugre.c with vectors,
 * ż = v − σ0 |v| z/g, F = −F_N (σ0 z + σ1 ż + σ2 v). */
static inline lashi_vec3 lashi_bristle_force(double zdot[3], const lashi_contact *contact,
                                             const lashi_gap *gap, double normal_force,
                                             const double bristle[3]) {
    const lashi_friction *law = &contact->friction;
    const lashi_vec3 v = lashi_scale3(gap->sliding, gap->t), held = lashi_vec3_of(bristle);
    const lashi_vec3 z = lashi_axpy3(held, -lashi_dot3(held, gap->n), gap->n);
    const double fade = law->p->sigma0 * gap->sliding / lashi_stribeck_curve(law, gap->sliding);
    const lashi_vec3 rate = lashi_axpy3(v, -fade, z);
    const lashi_vec3 carried = lashi_axpy3(rate, -lashi_dot3(gap->ndot, z), gap->n);
    zdot[0] = carried.x, zdot[1] = carried.y, zdot[2] = carried.z;
    const lashi_vec3 mu =
        lashi_axpy3(lashi_axpy3(lashi_scale3(law->p->sigma0, z), law->p->sigma1, rate), law->p->viscous, v);
    return lashi_scale3(-normal_force, mu);
}

/* The friction force on j, *along of it along t, and the rate of the bristle. */
static inline lashi_vec3 lashi_rub_surfaces(double *along, double *zdot, const lashi_contact *contact,
                                            lashi_acts acts, const lashi_gap *gap, double normal_force,
                                            const double *bristle) {
    if (acts == LASHI_ACTS_IN_SPACE && contact->friction.bristle) {
        const lashi_vec3 F_T = lashi_bristle_force(zdot, contact, gap, normal_force, bristle);
        *along = lashi_dot3(F_T, gap->t);
        return F_T;
    }
    *along = lashi_friction_force(&contact->friction, normal_force, gap->sliding, *bristle, zdot);
    return lashi_scale3(*along, gap->t);
}

/* The dry contact with weight w (1 without a film): on the bodies, and into *out. */
__attribute__((always_inline)) static inline void
lashi_dry_contact(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double *zdot,
                  const lashi_contact *contact, const lashi_memory *memory, const lashi_frame *frames,
                  const double *bristle, double w, bool direct) {
    const lashi_gap *gap = &out->gap;
    const lashi_acts acts = direct ? LASHI_ACTS_IN_PLANE : contact->acts;
    const lashi_normal_result normal =
        lashi_normal_force_phase(&contact->normal, gap->delta, gap->deltadot, &memory->onset);
    out->normal_force = w * normal.force;
    out->damping_power = w * normal.damping_power;
    if (!direct && !contact->plain) {
        if (acts == LASHI_ACTS_ON_ROWS) {
            lashi_push_rows(g, out, contact);
            return;
        }
        out->normal_force *= gap->share; // δ and δ̇ are those of the bed: what is stored and lost is the law's
    }
    const lashi_vec3 F_T =
        lashi_rub_surfaces(&out->friction_force, zdot, contact, acts, gap, out->normal_force, bristle);
    // The material points are those friction does its work at, whichever speed the law was given.
    out->friction_power = acts == LASHI_ACTS_IN_PLANE
                              ? -lashi_dot((lashi_vec2){F_T.x, F_T.y}, (lashi_vec2){gap->slip.x, gap->slip.y})
                              : -lashi_dot3(F_T, gap->slip);
    out->dry = lashi_axpy3(F_T, -out->normal_force, gap->n);
    lashi_push((double *[LASHI_SLOTS]){g[contact->body[0]], g[contact->body[1]]}, contact, acts, frames,
               gap->arm, out->dry);
}

/* No force. */
static inline void lashi_contact_rest(lashi_contact_state *out, double zdot[3]) {
    out->normal_force = out->friction_force = out->damping_power = out->friction_power = 0;
    out->dry = (lashi_vec3){0, 0, 0};
    zdot[0] = zdot[1] = zdot[2] = 0;
}

/* lashi_contact_apply. */
__attribute__((always_inline)) static inline void
lashi_apply_inline(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double *zdot,
                   const lashi_contact *contact, const lashi_memory *memory, const lashi_frame *frames,
                   const double *bristle, bool direct) {
    if (direct)
        lashi_pin_gap_inline(&out->gap, contact, frames);
    else
        lashi_contact_gap(&out->gap, contact, frames);
    // As a constraint its force is a multiplier, and its friction goes with that.
    const bool force = direct || contact->model == LASHI_MODEL_COMPLIANT;
    const bool touching = force && memory->touching == LASHI_TOUCHES &&
                          (out->gap.delta > 0 || (!direct && lashi_normal_sets_in(&contact->normal)));
    double w = 1;
    const bool wet = !direct && lashi_is_wet(contact) && force;
    if (wet) {
        w = touching ? lashi_hybrid_weight(&contact->p->hybrid, out->gap.delta) : 0;
        out->film_force = out->film_power = out->film_torque = out->film_share = 0;
        out->wet = out->torque[0] = out->torque[1] = (lashi_vec3){0, 0, 0};
    }
    if (touching) {
        lashi_dry_contact(g, out, zdot, contact, memory, frames, bristle, w, direct);
    } else {
        lashi_contact_rest(out, zdot);
        // Beyond the end of a contact its bristle continues as it did, so that a step sees no jump there.
        if (!direct && force && memory->touching && contact->friction.bristle)
            lashi_rub_surfaces(&out->friction_force, zdot, contact, contact->acts, &out->gap, 0, bristle);
        if (!direct && contact->excited)
            out->input_power = 0;
    }
    if (wet && w < 1)
        lashi_wet_contact(g, out, contact, frames, w);
}

/* As a constraint its force is N, the multiplier, with a friction that is known. Returns whether N or δ
 * contradicts its mode. */
static inline bool lashi_contact_follow(lashi_contact_state *state, const lashi_contact *contact,
                                        const lashi_memory *memory, double N) {
    const lashi_gap *gap = &state->gap;
    state->normal_force = N;
    state->dry = lashi_axpy3(lashi_scale3(-N, gap->n), state->friction_force, gap->t);
    if (contact->model == LASHI_MODEL_PERMANENT)
        return (N < 0) != (memory->pulling != 0);
    return memory->touching ? N < 0 : gap->delta > 0;
}

#endif
