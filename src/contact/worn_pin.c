/* SPDX-License-Identifier: MIT
 *
 * A pin in its bearing, in the plane, with surfaces that are worn or wear (docs/wear.md).
 *
 * worn.h has the profiles and the bed of springs between them. In the bearing's axes e = P_j − P_i, α is the
 * journal's angle, and the bed gives I and T, the slopes of its energy by e and α. Its force has the line of
 * action through P_j + s t along n = I/|I|, s = −T/|I|, t = perp(n); the surfaces close along it at
 *   w = n·(ė − ω_i perp(e)) − s (ω_j − ω_i),
 * and both parts feel it there: at P_j + s t + R_j n, and from P_i at (e·t + s) t + a n (gap_size.h).
 *   free       δ = the deepest d, δ̇ = w with n and s of the deepest place
 *   pressed    δ = δ_e, δ̇ = w |I|/g, F_N = F(δ, δ̇) |I|/g: the power F_N w is that of the law, F δ̇
 * Where contact begins d is a parabola of the curvature κ, and of c for the unworn pin: δ_e = d (c/κ)^(1/5).
 *
 * The film is that of a round bearing with the same thinnest place on the line of centres, |e| = c + δ.
 */
#include <math.h>
#include <stddef.h>

#include "contact/wear.h"

/* Surfaces flatter than this share of c bend like that: contact begins as a line there. */
static const double FLATTEST = 1e-6;
/* Depth, of the radius of curvature, up to which contact is as it begins: what a larger one adds is less than
 * the rounding of a smaller one, whose d is the difference of lengths such as c. */
static const double SHALLOW = 1e-7;

/* ---- in the plane across a pin, whichever space that is in ---- */

lashi_worn_line lashi_worn_line_at(const lashi_contact *contact, lashi_vec2 e, double alpha) {
    const double c = contact->p->size.clearance;
    lashi_bed bed;
    lashi_worn_look(&bed, contact->worn, c, e, alpha);
    const double bend = fmax(bed.bend, FLATTEST * c);
    if (!bed.pressed || bed.deepest < SHALLOW * fmin(bend, c)) {
        const double share = pow(c / bend, 0.2);
        return (lashi_worn_line){.pressed = bed.pressed,
                                 .along = {cos(bed.at), sin(bed.at)},
                                 .beside = -bed.slope,
                                 .delta = bed.pressed ? share * bed.deepest : bed.deepest,
                                 .share = share};
    }
    const double length = sqrt(lashi_dot(bed.thrust, bed.thrust));
    return (lashi_worn_line){.pressed = true,
                             .along = lashi_scale(1 / length, bed.thrust),
                             .beside = -bed.moment / length,
                             .delta = bed.depth,
                             .share = length * bed.per_unit};
}

lashi_film_motion lashi_worn_film(lashi_film_motion m, const lashi_contact *contact, const lashi_gap *gap) {
    const double c = contact->p->size.clearance, distance = fmax(0, c + gap->delta);
    m.eps = distance / contact->film.p->clearance;
    m.radial = gap->closing / contact->film.p->clearance;
    m.transverse *= gap->e > 0 ? distance / gap->e : 0;
    return m;
}

double lashi_worn_moved(const lashi_contact *contact, const lashi_gap *gap,
                        const lashi_film_force_result *film, double eps) {
    return 0.5 * (contact->film.p->clearance * fmin(eps, LASHI_FILM_EPS_MAX) - gap->e) * film->transverse;
}

/* ---- a pin of the plane ---- */

/* e in the bearing's axes. */
static lashi_vec2 in_bearing(const lashi_frame *i, lashi_vec2 d) {
    return (lashi_vec2){i->c * d.x + i->s * d.y, i->c * d.y - i->s * d.x};
}

LASHI_APART void lashi_worn_pin_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_gap_size *size = &contact->p->size;
    const lashi_pair p = lashi_pair_evaluate(i, j, contact->p->s);
    const lashi_worn_line line = lashi_worn_line_at(contact, in_bearing(i, p.d), j->angle - i->angle);
    const lashi_vec2 n = lashi_turn(i, line.along), t = lashi_perp(n);
    const double R_j = size->journal_arm, a = size->bearing_arm + size->carried * lashi_dot(p.d, n);
    const double s = line.beside, beside = lashi_dot(p.d, t) + s;
    const double slip = lashi_dot(p.ddot, t) + R_j * j->w - a * i->w;
    out->closing = lashi_dot(n, p.ddot) + i->w * lashi_dot(p.d, t) - s * (j->w - i->w);
    out->turning = fabs(i->w) * contact->worn->steepest[0] + fabs(j->w) * contact->worn->steepest[1];
    out->e = sqrt(lashi_dot(p.d, p.d));
    out->share = line.share;
    out->delta = line.delta;
    out->deltadot = line.pressed ? line.share * out->closing : out->closing;
    out->sliding = slip;
    out->n = (lashi_vec3){n.x, n.y, 0};
    out->t = (lashi_vec3){t.x, t.y, 0};
    out->d = (lashi_vec3){p.d.x, p.d.y, 0};
    out->ddot = (lashi_vec3){p.ddot.x, p.ddot.y, 0};
    out->slip = (lashi_vec3){slip * t.x, slip * t.y, 0};
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        out->centre[slot] = (lashi_vec3){p.S[slot].x, p.S[slot].y, 0};
    out->arm[0] = lashi_axpy3(lashi_axpy3(out->centre[0], beside, out->t), a, out->n);
    out->arm[1] = lashi_axpy3(lashi_axpy3(out->centre[1], s, out->t), R_j, out->n);
}

static lashi_film_motion worn_pin_film(lashi_vec3 *n, lashi_vec3 *t, const lashi_contact *contact,
                                       const lashi_frame *frames, const lashi_gap *gap) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const double e[2] = {gap->d.x, gap->d.y}, edot[2] = {gap->ddot.x, gap->ddot.y};
    double along[2], beside[2];
    const lashi_film_motion m =
        lashi_film_planar(along, beside, &contact->film, e, edot, i->w, j->w, (double[2]){i->c, i->s});
    *n = (lashi_vec3){along[0], along[1], 0};
    *t = (lashi_vec3){beside[0], beside[1], 0};
    return lashi_worn_film(m, contact, gap);
}

/* The film's moments balance those of its forces at |e| = c + δ; the centres are elsewhere. It is that of
 * another gap: what it loses is what its forces take. */
static void worn_pin_drag(lashi_vec3 torque[LASHI_SLOTS], lashi_contact_state *out,
                          const lashi_contact *contact, const lashi_frame *frames,
                          const lashi_film_force_result *film, lashi_vec3 n, lashi_vec3 f, double eps,
                          double share) {
    (void)n;
    const double moved = lashi_worn_moved(contact, &out->gap, film, eps);
    torque[0] = (lashi_vec3){0, 0, share * (film->bearing_torque + moved)};
    torque[1] = (lashi_vec3){0, 0, share * (film->journal_torque + moved)};
    out->film_torque = torque[1].z;
    out->film_power = -lashi_dot3(f, out->gap.ddot) - torque[0].z * frames[contact->body[0]].w -
                      torque[1].z * frames[contact->body[1]].w;
}

#ifdef LASHI_KERNEL // a compiled model needs no more
const lashi_contact_kind lashi_contact_worn_pin = {.film = worn_pin_film, .drag = worn_pin_drag};
#else

static lash_status wearing(lashi_wear_motion *out, const lashi_contact *contact, const lashi_frame *frames,
                           const lashi_gap *gap, lash_error *error) {
    (void)error;
    const lashi_vec3 round = {-gap->d.y, gap->d.x, 0};
    const double swing = gap->e > 0 ? lashi_dot3(gap->ddot, round) / (gap->e * gap->e) : 0;
    const double i = fabs(swing - frames[contact->body[0]].w), j = fabs(swing - frames[contact->body[1]].w);
    *out = (lashi_wear_motion){.passed = fmax(i, j) / contact->p->worn_pitch, .slides = gap->sliding};
    return LASH_OK;
}

static void wear(double *shares, const lashi_contact *contact, const lashi_frame *frames,
                 const lashi_gap *gap, double work) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    lashi_worn_share(shares, contact->worn, contact->p->size.clearance,
                     in_bearing(i, (lashi_vec2){gap->d.x, gap->d.y}), j->angle - i->angle, work);
}

const lashi_contact_kind lashi_contact_worn_pin = {
    .name = "worn pin",
    .acts = LASHI_ACTS_IN_PLANE,
    .bristles = 1,
    .centred = true,
    .deepest = "a quarter of the journal's radius",
    .film = worn_pin_film,
    .drag = worn_pin_drag,
    .wearing = wearing,
    .wear = wear,
};

#endif
