/* SPDX-License-Identifier: MIT
 *
 * One end of a pin in its sleeve, in space, with surfaces that are worn or wear (docs/physics.md, section 2;
 * docs/wear.md).
 *
 * pin_end.c has e across the sleeve and the place on it opposite to the end, P_i + z u; worn_pin.c what a bed
 * between worn surfaces does in a plane. Here that plane is the one across the sleeve through the end, with
 * the axes x of the sleeve (`across`) and u × x; the angle of the pin is that of its own direction `mark` in
 * it, so that it goes along with the pin to first order in the tilt, which is c/L at most. Each end has
 * profiles of its own, half as long as the pin.
 */
#include <math.h>
#include <stddef.h>

#include "contact/wear.h"

/* The plane across the sleeve: its axes in ground axes, and the pin in it. */
typedef struct across_plane {
    lashi_vec3 u, x, y;
    double alpha; /* rad */
} across_plane;

static across_plane plane_of(const lashi_contact *contact, const lashi_frame *i, const lashi_frame *j) {
    across_plane p = {.u = lashi_turn3(i->A, contact->p->axis), .x = lashi_turn3(i->A, contact->p->across)};
    p.y = lashi_cross3(p.u, p.x);
    const lashi_vec3 mark = lashi_turn3(j->A, contact->p->mark);
    p.alpha = atan2(lashi_dot3(mark, p.y), lashi_dot3(mark, p.x));
    return p;
}

static lashi_vec2 inside(const across_plane *p, lashi_vec3 v) {
    return (lashi_vec2){lashi_dot3(v, p->x), lashi_dot3(v, p->y)};
}

static lashi_vec3 outside(const across_plane *p, double x, double y) {
    return lashi_axpy3(lashi_scale3(x, p->x), y, p->y);
}

LASHI_APART void lashi_worn_end_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_gap_size *size = &contact->p->size;
    const lashi_vec3 none = {0, 0, 0};
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, contact->p->s3);
    const across_plane plane = plane_of(contact, i, j);
    const lashi_vec3 u = plane.u, udot = lashi_cross3(i->spin, u);
    const double z = lashi_dot3(u, p.d), zdot = lashi_dot3(udot, p.d) + lashi_dot3(u, p.ddot);
    out->d = lashi_axpy3(p.d, -z, u);
    out->ddot = lashi_axpy3(lashi_axpy3(p.ddot, -zdot, u), -z, udot);
    out->e = lashi_length3(out->d);
    out->ndot = out->e > 0 ? lashi_scale3(1 / out->e, out->ddot) : none;
    const lashi_worn_line line = lashi_worn_line_at(contact, inside(&plane, out->d), plane.alpha);
    out->n = outside(&plane, line.along.x, line.along.y);
    const lashi_vec3 t = lashi_cross3(u, out->n);
    out->centre[0] = lashi_axpy3(p.S[0], z, u);
    out->centre[1] = p.S[1];
    const double a = size->bearing_arm + size->carried * lashi_dot3(out->d, out->n);
    out->arm[0] = lashi_axpy3(lashi_axpy3(out->centre[0], lashi_dot3(out->d, t) + line.beside, t), a, out->n);
    out->arm[1] = lashi_axpy3(lashi_axpy3(out->centre[1], line.beside, t), size->journal_arm, out->n);
    const lashi_vec3 v = lashi_sub3(lashi_velocity_at3(j, out->arm[1]), lashi_velocity_at3(i, out->arm[0]));
    out->closing = lashi_dot3(out->n, v);
    out->turning = lashi_length3(i->spin) * contact->worn->steepest[0] +
                   lashi_length3(j->spin) * contact->worn->steepest[1];
    out->share = line.share;
    out->delta = line.delta;
    out->deltadot = line.pressed ? line.share * out->closing : out->closing;
    out->slip = lashi_axpy3(v, -out->closing, out->n);
    out->sliding = lashi_length3(out->slip);
    out->t = out->sliding > 0 ? lashi_scale3(1 / out->sliding, out->slip) : none;
}

static lashi_film_motion worn_end_film(lashi_vec3 *n, lashi_vec3 *t, const lashi_contact *contact,
                                       const lashi_frame *frames, const lashi_gap *gap) {
    return lashi_worn_film(lashi_contact_pin_end.film(n, t, contact, frames, gap), contact, gap);
}

static void worn_end_drag(lashi_vec3 torque[LASHI_SLOTS], lashi_contact_state *out,
                          const lashi_contact *contact, const lashi_frame *frames,
                          const lashi_film_force_result *film, lashi_vec3 n, lashi_vec3 f, double eps,
                          double share) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_vec3 *centre = out->gap.centre;
    lashi_film_force_result moved = *film;
    moved.bearing_torque += lashi_worn_moved(contact, &out->gap, film, eps);
    moved.journal_torque += lashi_worn_moved(contact, &out->gap, film, eps);
    lashi_contact_pin_end.drag(torque, out, contact, frames, &moved, n, f, eps, share);
    const lashi_vec3 v = lashi_sub3(lashi_velocity_at3(j, centre[1]), lashi_velocity_at3(i, centre[0]));
    out->film_power = -lashi_dot3(f, v) - lashi_dot3(torque[0], i->spin) - lashi_dot3(torque[1], j->spin);
}

#ifdef LASHI_KERNEL // a compiled model needs no more
const lashi_contact_kind lashi_contact_worn_end = {.film = worn_end_film, .drag = worn_end_drag};
#else

static lashi_vec3 across(const lashi_contact *contact, const lashi_frame *frames, lashi_vec3 v) {
    return lashi_contact_pin_end.across(contact, frames, v);
}

static lash_status wearing(lashi_wear_motion *out, const lashi_contact *contact, const lashi_frame *frames,
                           const lashi_gap *gap, lash_error *error) {
    (void)error;
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_vec3 u = lashi_turn3(i->A, contact->p->axis);
    const double swing = gap->e > 0 ? lashi_dot3(gap->ddot, lashi_cross3(u, gap->d)) / (gap->e * gap->e) : 0;
    *out = (lashi_wear_motion){
        .passed = fmax(fabs(swing - lashi_dot3(u, i->spin)), fabs(swing - lashi_dot3(u, j->spin))) /
                  contact->p->worn_pitch,
        .slides = lashi_dot3(gap->slip, lashi_cross3(u, gap->n))};
    return LASH_OK;
}

static void wear(double *shares, const lashi_contact *contact, const lashi_frame *frames,
                 const lashi_gap *gap, double work) {
    const across_plane plane = plane_of(contact, &frames[contact->body[0]], &frames[contact->body[1]]);
    lashi_worn_share(shares, contact->worn, contact->p->size.clearance, inside(&plane, gap->d), plane.alpha,
                     work);
}

const lashi_contact_kind lashi_contact_worn_end = {
    .name = "worn end of a pin",
    .acts = LASHI_ACTS_IN_SPACE,
    .bristles = 3,
    .centred = true,
    .deepest = "a quarter of the pin's radius",
    .across = across,
    .film = worn_end_film,
    .drag = worn_end_drag,
    .wearing = wearing,
    .wear = wear,
};

#endif
