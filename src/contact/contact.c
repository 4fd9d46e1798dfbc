/* SPDX-License-Identifier: MIT
 *
 * One evaluation of a contact (docs/physics.md, sections 2 to 5): its kind gives the gap, the laws give the
 * forces, and these are put on the bodies.
 *
 * Force on j f = −F_N n + F_T at gap.arm[1], on i −f at gap.arm[0]: power and momentum balance exactly. A
 * film acts at the centres, with torques of its own; together with dry contact each has its share (hybrid.h).
 *
 * Friction acts against the sliding velocity with the law's coefficient at its magnitude. The bristle of
 * lugre deflects along t in the plane. In space it is a vector z in ground axes that turns with the
 * normal without turning about it, as t carries the bristle of the plane: the law's own rate, and
 * −n (ṅ·z).
 */
#include "contact/contact.h"

#include <string.h>

#ifndef LASHI_KERNEL
const lashi_contact_kind *const lashi_contact_kinds[LASHI_CONTACT_KINDS] = {
#define LASHI_CONTACT_ADDRESS(id) &lashi_contact_##id,
    LASHI_CONTACT_LIST(LASHI_CONTACT_ADDRESS)
#undef LASHI_CONTACT_ADDRESS
};
#endif

void lashi_contact_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    switch (contact->kind) {
#define LASHI_CONTACT_CASE(id)                                                                               \
    case LASHI_CONTACT_##id: lashi_##id##_gap(out, contact, frames); break;
        LASHI_CONTACT_LIST(LASHI_CONTACT_CASE)
#undef LASHI_CONTACT_CASE
    default: break;
    }
}

/* ---- where forces go ---- */

/* F on j and −F on i at S[…]. */
static inline void push(double *g[LASHI_SLOTS], const lashi_contact *contact, const lashi_frame *frames,
                        const lashi_vec3 S[LASHI_SLOTS], lashi_vec3 F) {
    if (contact->acts == LASHI_ACTS_IN_PLANE) {
        lashi_apply_at(g[1], (lashi_vec2){S[1].x, S[1].y}, (lashi_vec2){F.x, F.y});
        lashi_apply_at(g[0], (lashi_vec2){S[0].x, S[0].y}, (lashi_vec2){-F.x, -F.y});
    } else {
        const lashi_vec3 none = {0, 0, 0};
        lashi_apply_at3(g[1], &frames[contact->body[1]], S[1], F, none);
        lashi_apply_at3(g[0], &frames[contact->body[0]], S[0], lashi_scale3(-1, F), none);
    }
}

/* Moments on i and j. */
static void twist(double *g[LASHI_SLOTS], const lashi_contact *contact, const lashi_frame *frames,
                  const lashi_vec3 moment[LASHI_SLOTS]) {
    const lashi_vec3 none = {0, 0, 0};
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        if (contact->acts == LASHI_ACTS_IN_PLANE)
            g[slot][2] += moment[slot].z;
        else
            lashi_apply_at3(g[slot], &frames[contact->body[slot]], none, none, moment[slot]);
}

void lashi_contact_unit(double row[LASHI_LINKS][LASHI_FREEDOMS], const lashi_contact *contact,
                        const lashi_frame *frames, const lashi_gap *gap, lashi_vec3 direction) {
    if (contact->acts == LASHI_ACTS_ON_ROWS) {
        memcpy(row, gap->row, sizeof gap->row);
        return;
    }
    memset(row, 0, LASHI_LINKS * LASHI_FREEDOMS * sizeof(double));
    push((double *[LASHI_SLOTS]){row[0], row[1]}, contact, frames, gap->arm, direction);
}

void lashi_contact_rows(const lashi_rows *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_gap gap = lashi_gap_of(contact, frames);
    lashi_contact_unit((double(*)[LASHI_FREEDOMS])out->J, contact, frames, &gap, gap.n); // one row: [slot][6]
    out->Phi[0] = gap.delta;
    out->Phi_dot[0] = gap.deltadot;
    out->gamma[0] = -lashi_kind_of(contact)->bias(contact, frames, &gap);
}

/* ---- forces ---- */

/* The friction force on j in space with bristles, and their rate: friction_lugre.c with vectors,
 * ż = v − σ0 |v| z/g, F = −F_N (σ0 z + σ1 ż + σ2 v). */
static lashi_vec3 bristle_force(double zdot[3], const lashi_contact *contact, const lashi_gap *gap,
                                double normal_force, const double bristle[3]) {
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
static inline lashi_vec3 rub(double *along, double *zdot, const lashi_contact *contact, const lashi_gap *gap,
                             double normal_force, const double *bristle) {
    if (contact->friction.bristle && contact->acts == LASHI_ACTS_IN_SPACE) {
        const lashi_vec3 F_T = bristle_force(zdot, contact, gap, normal_force, bristle);
        *along = lashi_dot3(F_T, gap->t);
        return F_T;
    }
    *along = lashi_friction_force(&contact->friction, normal_force, gap->sliding, *bristle, zdot);
    return lashi_scale3(*along, gap->t);
}

/* Of a kind that acts along rows: F_N, with its excitation. */
static void push_rows(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, const lashi_contact *contact) {
    const lashi_gap *gap = &out->gap;
    if (contact->excited) {
        out->normal_force *= gap->factor;
        out->damping_power *= gap->factor;
        out->input_power = gap->factor_rate * lashi_normal_energy(&contact->normal, gap->delta) +
                           out->normal_force * gap->given;
    }
    out->friction_force = out->friction_power = 0;
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int k = 0; k < LASHI_FREEDOMS; k++)
            g[contact->body[link]][k] -= out->normal_force * gap->row[link][k];
}

/* The dry contact with weight w (1 without a film): on the bodies, and into *out. */
static void dry_contact(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double *zdot,
                        const lashi_contact *contact, const lashi_memory *memory, const lashi_frame *frames,
                        const double *bristle, double w) {
    const lashi_gap *gap = &out->gap;
    const lashi_normal_result normal =
        lashi_normal_force_phase(&contact->normal, gap->delta, gap->deltadot, &memory->onset);
    out->normal_force = w * normal.force;
    out->damping_power = w * normal.damping_power;
    if (!contact->plain) {
        if (contact->acts == LASHI_ACTS_ON_ROWS) {
            push_rows(g, out, contact);
            return;
        }
        out->normal_force *= gap->share; // δ and δ̇ are those of the bed: what is stored and lost is the law's
    }
    const lashi_vec3 F_T = rub(&out->friction_force, zdot, contact, gap, out->normal_force, bristle);
    // The material points are those friction does its work at, whichever speed the law was given.
    out->friction_power = -lashi_dot3(F_T, gap->slip);
    out->dry = lashi_axpy3(F_T, -out->normal_force, gap->n);
    push((double *[LASHI_SLOTS]){g[contact->body[0]], g[contact->body[1]]}, contact, frames, gap->arm,
         out->dry);
}

/* The film with weight 1 − w: on the bodies, and into *out. */
static void wet_contact(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, const lashi_contact *contact,
                        const lashi_frame *frames, double w) {
    const lashi_contact_kind *kind = lashi_kind_of(contact);
    const double share = out->film_share = 1 - w;
    lashi_vec3 n, t, torque[LASHI_SLOTS];
    const lashi_film_motion m = kind->film(&n, &t, contact, frames, &out->gap);
    const lashi_film_force_result film = lashi_film_force(&contact->film, m);
    const lashi_vec3 f = lashi_scale3(share, lashi_axpy3(lashi_scale3(film.radial, n), film.transverse, t));
    out->film_force = share * sqrt(film.radial * film.radial + film.transverse * film.transverse);
    out->film_power = share * film.power;
    kind->drag(torque, out, contact, frames, &film, n, f, m.eps, share);
    out->wet = f;
    out->torque[0] = torque[0], out->torque[1] = torque[1];
    const lashi_vec3 centre[] = {lashi_gap_centre(contact, &out->gap, 0),
                                 lashi_gap_centre(contact, &out->gap, 1)};
    double *to[LASHI_SLOTS] = {g[contact->body[0]], g[contact->body[1]]};
    push(to, contact, frames, centre, f);
    twist(to, contact, frames, torque);
}

void lashi_contact_apply(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double *zdot,
                         const lashi_contact *contact, const lashi_memory *memory, const lashi_frame *frames,
                         const double *bristle) {
    lashi_contact_gap(&out->gap, contact, frames);
    // As a constraint its force is a multiplier, and its friction goes with that.
    const bool force = contact->model == LASHI_MODEL_COMPLIANT;
    const bool touching = force && memory->touching == LASHI_TOUCHES && out->gap.delta > 0;
    double w = 1;
    const bool wet = lashi_is_wet(contact) && force;
    if (wet) {
        w = touching ? lashi_hybrid_weight(&contact->p->hybrid, out->gap.delta) : 0;
        out->film_force = out->film_power = out->film_torque = out->film_share = 0;
        out->wet = out->torque[0] = out->torque[1] = (lashi_vec3){0, 0, 0};
    }
    if (touching) {
        dry_contact(g, out, zdot, contact, memory, frames, bristle, w);
    } else {
        out->normal_force = out->friction_force = out->damping_power = out->friction_power = 0;
        out->dry = (lashi_vec3){0, 0, 0};
        zdot[0] = zdot[1] = zdot[2] = 0;
        // Beyond the end of a contact its bristle continues as it did, so that a step sees no jump there.
        if (force && memory->touching && contact->friction.bristle)
            rub(&out->friction_force, zdot, contact, &out->gap, 0, bristle);
        if (contact->excited)
            out->input_power = 0;
    }
    if (wet && w < 1)
        wet_contact(g, out, contact, frames, w);
}

/* ---- what is recorded ---- */

void lashi_contact_load(double g[LASHI_FREEDOMS], const lashi_contact *contact, const lashi_frame *frames,
                        const lashi_contact_state *state, int body) {
    if (contact->acts == LASHI_ACTS_ON_ROWS) {
        for (int link = 0; link < LASHI_LINKS; link++)
            for (int k = 0; k < LASHI_FREEDOMS && contact->body[link] == body; k++)
                g[k] -= state->normal_force * state->gap.row[link][k];
        return;
    }
    const lashi_gap *gap = &state->gap;
    const lashi_vec3 centre[] = {lashi_gap_centre(contact, gap, 0), lashi_gap_centre(contact, gap, 1)};
    double unused[LASHI_FREEDOMS] = {0};
    const bool second = contact->body[1] == body;
    if (!second && contact->body[0] != body)
        return;
    double *to[LASHI_SLOTS] = {second ? unused : g, second ? g : unused};
    push(to, contact, frames, gap->arm, state->dry);
    push(to, contact, frames, centre, state->wet);
    twist(to, contact, frames, state->torque);
}

lashi_film_motion lashi_contact_film(const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_gap gap = lashi_gap_of(contact, frames);
    lashi_vec3 n, t;
    return lashi_kind_of(contact)->film(&n, &t, contact, frames, &gap);
}

double lashi_contact_elastic(const lashi_contact *contact, double factor, double delta) {
    const double share = lashi_is_wet(contact) ? lashi_hybrid_weight(&contact->p->hybrid, delta) : 1;
    return factor * share * lashi_normal_elastic(&contact->normal, delta);
}

double lashi_contact_energy(const lashi_contact *contact, const lashi_gap *gap) {
    return lashi_is_wet(contact)
               ? lashi_hybrid_energy(&contact->p->hybrid, &contact->normal, gap->delta)
               : (contact->excited ? gap->factor : 1) * lashi_normal_energy(&contact->normal, gap->delta);
}
