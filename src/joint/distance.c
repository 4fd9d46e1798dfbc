/* SPDX-License-Identifier: MIT
 *
 * Distance joint: a massless rod of length L with a pin at each end.
 *
 *   Φ = (d·d − L²)/(2L)      so that Φ ≈ |d| − L in m and λ is the rod's force in N (tension positive)
 *   Φq_i = −[d, d·perp(S_i)]/L,  Φq_j = [d, d·perp(S_j)]/L
 *   γ = −(ḋ·ḋ + d·(ω_i² S_i − ω_j² S_j))/L
 * Unlike |d| − L it is smooth at d = 0. In space the same, with S × d as the columns of ω.
 */
#include "base/error.h"
#include "joint/keys.h"
#include "joint/space.h"

#include <math.h>
#include <stddef.h>

/* A rod shorter than this has no direction. */
static const double SHORTEST = 1e-9; /* m */

void lashi_distance_rows(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_pair p = lashi_pair_evaluate(&frames[joint->body[0]], &frames[joint->body[1]], joint->s);
    const double inverse = 1 / joint->length;
    const lashi_vec2 d = lashi_scale(inverse, p.d);
    lashi_set_row(out->J, 1, 0, 0, -d.x, -d.y, -lashi_dot(d, lashi_perp(p.S[0])));
    lashi_set_row(out->J, 1, 1, 0, d.x, d.y, lashi_dot(d, lashi_perp(p.S[1])));
    out->Phi[0] = 0.5 * (lashi_dot(p.d, d) - joint->length);
    out->Phi_dot[0] = lashi_dot(d, p.ddot);
    out->gamma[0] = -inverse * lashi_dot(p.ddot, p.ddot) - lashi_dot(d, p.dbias);
}

void lashi_distance_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, joint->geometry->s);
    const double inverse = 1 / joint->length;
    const lashi_vec3 d = lashi_scale3(inverse, p.d);
    lashi_set_row3(out->J, 1, 0, 0, i, lashi_scale3(-1, d), lashi_cross3(d, p.S[0]));
    lashi_set_row3(out->J, 1, 1, 0, j, d, lashi_cross3(p.S[1], d));
    out->Phi[0] = 0.5 * (lashi_dot3(p.d, d) - joint->length);
    out->Phi_dot[0] = lashi_dot3(d, p.ddot);
    out->gamma[0] = -inverse * lashi_dot3(p.ddot, p.ddot) - lashi_dot3(d, p.dbias);
}

#ifndef LASHI_KERNEL // a compiled model needs no more

/* Distance of the two points as drawn. */
static double drawn_length(const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    if (joint->geometry)
        return lashi_length3(lashi_pair3_evaluate(i, j, joint->geometry->s).d);
    const lashi_vec2 d = lashi_pair_evaluate(i, j, joint->s).d;
    return hypot(d.x, d.y);
}

static lash_status compile(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames,
                           lash_error *error) {
    out->length = isnan(def->length) ? drawn_length(out, frames) : def->length;
    if (out->length < SHORTEST)
        return lashi_fail_at(
            error, LASH_ERROR_MODEL, (double)NAN, out->name,
            "joint '%s': its two points are drawn at the same place, so the rod has no length; "
            "give `length`, or use a revolute joint",
            out->name);
    return LASH_OK;
}

static const lashi_key keys[] = {
    LASHI_BETWEEN_KEY("the two ends of the rod"),
    {.name = "length",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_joint_def, length),
     .unit = "m",
     .range = LASHI_POSITIVE,
     .fallback = "(as drawn)",
     .doc = "distance of the two points"},
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_distance = {
    .schema = {"distance", "A massless rod with a pin at each end: two points keep their distance.",
               .keys = keys},
    .plane = {.rows = 1, .row_names = {"its length"}, .compile = compile},
    .space = {.rows = 1, .row_names = {"its length"}, .compile = compile},
};

#endif
