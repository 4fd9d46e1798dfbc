/* SPDX-License-Identifier: MIT
 *
 * A pin in its bearing, in the plane (docs/physics.md, section 2).
 *
 *   e = P_j − P_i,  n = e/|e|,  δ = |e| − c,  δ̇ = ė·n,  t = n turned by +90°
 *   v_T = ė·t + R_j ω_j − a ω_i                    material: speed of the points that touch
 *   v_T = ė·t (1 − c/|e|) = ė·t δ/|e|              geometric: P4 eq. 14, which differentiates R_k n instead
 * At |e| = 0 there is no direction: n = t = 0, hence no force; c > 0 makes δ = −c < 0 there.
 *
 * The forces act on the line through the centres, at P_j + R_j n and P_i + a n (gap_size.h): moment R_j F_T
 * about P_j and −a F_T about P_i. The power of both is −F_N δ̇ + F_T v_T with the material v_T; with the
 * geometric one friction may do work of either sign.
 */
#include <stddef.h>

#include "contact/pin.h"
#include "contact/round.h"
#include "contact/rules.h"
#include "contact/wear.h"

void lashi_pin_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    lashi_pin_gap_inline(out, contact, frames);
}

static lashi_film_motion pin_film(lashi_vec3 *n, lashi_vec3 *t, const lashi_contact *contact,
                                  const lashi_frame *frames, const lashi_gap *gap) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const double e[2] = {gap->d.x, gap->d.y}, edot[2] = {gap->ddot.x, gap->ddot.y};
    double along[2], beside[2];
    const lashi_film_motion m =
        lashi_film_planar(along, beside, &contact->film, e, edot, i->w, j->w, (double[2]){i->c, i->s});
    *n = (lashi_vec3){along[0], along[1], 0};
    *t = (lashi_vec3){beside[0], beside[1], 0};
    return m;
}

static void pin_drag(lashi_vec3 torque[LASHI_SLOTS], lashi_contact_state *out, const lashi_contact *contact,
                     const lashi_frame *frames, const lashi_film_force_result *film, lashi_vec3 n,
                     lashi_vec3 f, double eps, double share) {
    (void)contact, (void)frames, (void)n, (void)f, (void)eps;
    torque[0] = (lashi_vec3){0, 0, share * film->bearing_torque};
    torque[1] = (lashi_vec3){0, 0, share * film->journal_torque};
    out->film_torque = torque[1].z;
}

/* δ̈ = n·ë + (ė·t)²/|e| */
static double pin_bias(const lashi_contact *contact, const lashi_frame *frames, const lashi_gap *gap) {
    const lashi_pair p =
        lashi_pair_evaluate(&frames[contact->body[0]], &frames[contact->body[1]], contact->p->s);
    const double across = lashi_dot3(gap->ddot, gap->t);
    return gap->n.x * p.dbias.x + gap->n.y * p.dbias.y + (gap->e > 0 ? across * across / gap->e : 0);
}

/* v̇_T = t·ë + R_j ω̇_j − a ω̇_i − (ė·n)(ė·t)/|e| − ȧ ω_i, since ṫ = −n (ė·t)/|e| */
static double pin_drift(const lashi_contact *contact, const lashi_frame *frames, const lashi_gap *gap,
                        lashi_vec3 t) {
    const lashi_frame *i = &frames[contact->body[0]];
    const lashi_pair p = lashi_pair_evaluate(i, &frames[contact->body[1]], contact->p->s);
    const double across = lashi_dot3(gap->ddot, t);
    return t.x * p.dbias.x + t.y * p.dbias.y - (gap->e > 0 ? gap->deltadot * across / gap->e : 0) -
           contact->p->size.carried * gap->deltadot * i->w;
}

#ifdef LASHI_KERNEL // a compiled model needs no more
const lashi_contact_kind lashi_contact_pin = {.film = pin_film, .drag = pin_drag};
#else

static void check(lashi_check *check, lashi_subject subject, const lash_joint_def *def) {
    lashi_round_check(check, subject, &def->clearance, LASHI_ROUND_PIN);
    if (def->clearance.has_wear)
        lashi_wear_check(check, subject, &def->clearance, false, NULL);
}

static lash_status expand(lashi_expansion *out, lash_error *error) {
    const lash_clearance_def *def = &out->def->clearance;
    lashi_contact *contact;
    out->frees = true;
    const lash_status status = lashi_play_add(
        &contact, out, def->has_wear ? LASHI_CONTACT_worn_pin : LASHI_CONTACT_pin, NULL, def, error);
    return status || !def->has_wear ? status : lashi_wear_expand(contact, out, def, error);
}

static const char *const joints[] = {"revolute", NULL};
static const lashi_play play = {
    .key = LASHI_CLEARANCE_KEY(LASHI_PLANE_ONLY, &lashi_clearance_kind, "(an ideal joint)",
                               "play in the joint: contact, friction and lubrication take its place"),
    .joints = joints,
    .most = 1,
    .check = check,
    .expand = expand,
    .draw = lashi_round_draw,
};

const lashi_contact_kind lashi_contact_pin = {
    .name = "pin",
    .play = &play,
    .acts = LASHI_ACTS_IN_PLANE,
    .bristles = 1,
    .centred = true,
    .deepest = "a quarter of the journal's radius",
    .bias = pin_bias,
    .drift = pin_drift,
    .film = pin_film,
    .drag = pin_drag,
};

#endif
