/* SPDX-License-Identifier: MIT
 *
 * One end of a pin in its sleeve, in space (PHYSICS, section 2): the end P_j of the pin's axis against the
 * sleeve with axis u through P_i.
 *
 *   z = u·d,  e = d − z u,  n = e/|e|,  δ = |e| − c;  the points that touch: P_j + R_j n on the pin,
 *   P_i + z u + a n on the sleeve (gap_size.h)
 * A pin touches at both ends, each with half the stiffness: parallel to its sleeve it is the pin of the
 * plane.
 */
#include "contact/round.h"

void lashi_pin_end_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, contact->s3);
    const lashi_vec3 a = lashi_turn3(i->A, contact->axis), adot = lashi_cross3(i->spin, a);
    const double z = lashi_dot3(a, p.d), zdot = lashi_dot3(adot, p.d) + lashi_dot3(a, p.ddot);
    const lashi_vec3 e = lashi_axpy3(p.d, -z, a), edot = lashi_axpy3(lashi_axpy3(p.ddot, -zdot, a), -z, adot);
    lashi_round_gap(out, contact, i, j, &p, e, edot, lashi_axpy3(p.S[0], z, a));
}

/* Across the sleeve. */
static lashi_vec3 across(const lashi_contact *contact, const lashi_frame *frames, lashi_vec3 v) {
    const lashi_vec3 a = lashi_turn3(frames[contact->body[0]].A, contact->axis);
    return lashi_axpy3(v, -lashi_dot3(v, a), a);
}

/* Two ends; the shoulders where there is play along the pin, else a constraint that holds it there. */
static lash_status expand(lashi_expansion *out, lash_error *error) {
    static const char *const parts[] = {"end1", "end2"};
    const lashi_geometry *geometry = out->closed->geometry;
    lash_clearance_def def = out->def->clearance;
    lashi_contact *contact;
    lash_status status = LASH_OK;
    def.length /= 2;
    for (int k = 0; !status && k < 2; k++) {
        status = lashi_play_add(&contact, out, LASHI_CONTACT_pin_end, parts[k], &def, error);
        if (!status) {
            contact->normal.stiffness /= 2; // two ends carry what one pin does
            contact->s3[1] =
                lashi_axpy3(geometry->s[1], k == 0 ? -def.length : def.length, geometry->a[1][2]);
        }
    }
    if (status || isnan(def.axial)) {
        out->held = *out->closed;
        out->held.type = LASHI_JOINT_point_in_plane;
        out->held.rows = 1;
        out->held.steady = out->held.body[0] == LASHI_GROUND_BODY;
        out->holds = true;
        return status;
    }
    def.friction.law = "none";
    status = lashi_play_add(&contact, out, LASHI_CONTACT_shoulder, "stop", &def, error);
    if (!status) {
        contact->size.clearance = def.axial;
        contact->size.journal_arm = contact->size.bearing_arm = contact->size.carried = 0; // at P_j
        if (!isnan(def.axial_stiffness))
            contact->normal.stiffness = def.axial_stiffness;
    }
    return status;
}

static const char *const joints[] = {"revolute", NULL};
static const lashi_play play = {.joints = joints, .space = LASHI_SPACE_ONLY, .most = 3, .expand = expand};

const lashi_contact_kind lashi_contact_pin_end = {
    .name = "end of a pin",
    .play = &play,
    .acts = LASHI_ACTS_IN_SPACE,
    .bristles = 3,
    .centred = true,
    .across = across,
};
