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
#include "contact/apply.h"

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
    lashi_push((double *[LASHI_SLOTS]){row[0], row[1]}, contact, contact->acts, frames, gap->arm, direction);
}

void lashi_contact_fill_row(const lashi_rows *out, const lashi_contact *contact, const lashi_frame *frames,
                            const lashi_gap *gap, double bias) {
    lashi_contact_unit((double(*)[LASHI_FREEDOMS])out->J, contact, frames, gap, gap->n); // one row: [slot][6]
    out->Phi[0] = gap->delta;
    out->Phi_dot[0] = gap->deltadot;
    out->gamma[0] = -bias;
}

void lashi_contact_rows(const lashi_rows *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_gap gap = lashi_gap_of(contact, frames);
    lashi_contact_fill_row(out, contact, frames, &gap, lashi_kind_of(contact)->bias(contact, frames, &gap));
}

/* ---- forces ---- */

/* Of a kind that acts along rows: F_N, with its excitation. */
void lashi_push_rows(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, const lashi_contact *contact) {
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

/* The film with weight 1 − w: on the bodies, and into *out. */
void lashi_wet_contact(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, const lashi_contact *contact,
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
    lashi_push(to, contact, contact->acts, frames, centre, f);
    twist(to, contact, frames, torque);
}

void lashi_contact_apply(double (*g)[LASHI_FREEDOMS], lashi_contact_state *out, double *zdot,
                         const lashi_contact *contact, const lashi_memory *memory, const lashi_frame *frames,
                         const double *bristle) {
    lashi_apply_inline(g, out, zdot, contact, memory, frames, bristle, false);
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
    lashi_push(to, contact, contact->acts, frames, gap->arm, state->dry);
    lashi_push(to, contact, contact->acts, frames, centre, state->wet);
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
