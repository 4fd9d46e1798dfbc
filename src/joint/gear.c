/* SPDX-License-Identifier: MIT
 *
 * Gear pair: the pitch circles of two wheels with centres P_i, P_j roll on each other.
 *
 * With φ the angle of the line of centres d = P_j − P_i, and pitch radii r_i, r_j (signed, see below):
 *   Φ = r_i (θ_i − φ) + r_j (θ_j − φ) − Φ0               (m: difference of the rolled arcs)
 *   φ̇ = n×ḋ/D with D = |d|, n = d/D, so ∂φ/∂P = ±t/D, t = perp(n)
 *   Φq_i = [ R t/D, r_i + R t·perp(S_i)/D ],  Φq_j = [ −R t/D, r_j − R t·perp(S_j)/D ],  R = r_i + r_j
 *   φ̈ = t·d̈/D − 2 (n·ḋ)(t·ḋ)/D²,  γ = R (velocity part of φ̈)
 * The wheels need not turn about fixed centres: with the centres on a carrier this is a planetary stage.
 * −Φqᵀλ is the tooth force at the pitch point across the line of centres, so the loads on the wheels'
 * bearings are right too. With a pressure angle α a force |λ| tan α along that line is added, which pushes
 * the wheels apart. ratio = r_i/r_j; it is negative for an internal gear, whose ring is the larger wheel:
 * then r_i and r_j have opposite signs, and r_i + r_j = D still holds as drawn. φ comes from atan2, so Φ is
 * reduced by whole turns of the line of centres.
 */
#include "base/error.h"
#include "joint/joint.h"
#include "joint/keys.h"
#include "joint/sliding.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double CENTRES_APART = 1e-9; /* m, least distance that gives the line of centres a direction */

void lashi_gear_rows(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair p = lashi_pair_evaluate(i, j, joint->s);
    const double ri = joint->radius[0], rj = joint->radius[1], R = ri + rj;
    const double D = sqrt(lashi_dot(p.d, p.d));
    const lashi_vec2 n = lashi_scale(1 / D, p.d), t = lashi_perp(n);
    const lashi_vec2 k = lashi_scale(R / D, t);
    lashi_set_row(out->J, 1, 0, 0, k.x, k.y, ri + lashi_dot(k, lashi_perp(p.S[0])));
    lashi_set_row(out->J, 1, 1, 0, -k.x, -k.y, rj - lashi_dot(k, lashi_perp(p.S[1])));
    const double phi = atan2(p.d.y, p.d.x);
    const double arc = ri * (i->angle - phi) + rj * (j->angle - phi) - joint->length;
    out->Phi[0] = remainder(arc, LASHI_TWO_PI * R);
    out->Phi_dot[0] = ri * i->w + rj * j->w - lashi_dot(k, p.ddot);
    out->gamma[0] =
        R * (lashi_dot(t, p.dbias) / D - 2 * lashi_dot(n, p.ddot) * lashi_dot(t, p.ddot) / (D * D));
}

/* In space: the angles of two joints are coupled, Φ = ratio θ_1 + θ_2 − Φ0, counted with their turns. Up to
 * three bodies move: the wheels and their housing. The teeth transmit a moment, no force. */
void lashi_gear_rows3(const lashi_rows *out, const lashi_constraint *joint, const lashi_frame *frames) {
    const lashi_coordinate *of[2] = {&joint->coordinate, &joint->second};
    const double weight[2] = {joint->radius[0], 1};
    memset(out->J, 0, LASHI_LINKS * LASHI_FREEDOMS * sizeof(double));
    out->Phi[0] = -joint->length;
    out->Phi_dot[0] = out->gamma[0] = 0;
    for (int k = 0; k < 2; k++) {
        const lashi_coordinate_state c = lashi_coordinate_evaluate(of[k], frames);
        out->Phi[0] += weight[k] * c.value;
        out->Phi_dot[0] += weight[k] * c.rate;
        out->gamma[0] -= weight[k] * c.bias;
        for (int end = 0; end < LASHI_SLOTS; end++)
            for (int link = 0; link < LASHI_LINKS; link++)
                if (of[k]->body[end] > 0 && joint->body[link] == of[k]->body[end])
                    for (int i = 0; i < LASHI_FREEDOMS; i++)
                        out->J[link * LASHI_FREEDOMS + i] += weight[k] * c.J[end][i];
    }
}

/* Along the line of centres; inside a ring the centres are pushed together. */
void lashi_gear_apart(double row[LASHI_SLOTS][LASHI_FREEDOMS], const lashi_constraint *joint,
                      const lashi_frame *frames) {
    const lashi_pair p = lashi_pair_evaluate(&frames[joint->body[0]], &frames[joint->body[1]], joint->s);
    const double D = sqrt(lashi_dot(p.d, p.d)), sign = joint->radius[0] * joint->radius[1] > 0 ? 1 : -1;
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        lashi_apply_at(row[slot], p.S[slot], lashi_scale((slot ? sign : -sign) / D, p.d));
}

/* Loss of the mesh: friction by the tooth force along half the difference of the rolled arcs, whose rate is
 * the speed of the pitch line relative to the line of centres. */
void lashi_gear_slide(lashi_slide *out, int place, const lashi_constraint *joint, const lashi_frame *frames) {
    (void)place;
    const lashi_frame *i = &frames[joint->body[0]], *j = &frames[joint->body[1]];
    const lashi_pair p = lashi_pair_evaluate(i, j, joint->s);
    const double ri = 0.5 * joint->radius[0], rj = 0.5 * joint->radius[1], D = sqrt(lashi_dot(p.d, p.d));
    const lashi_vec2 n = lashi_scale(1 / D, p.d), t = lashi_perp(n), k = lashi_scale((ri - rj) / D, t);
    const double carried =
        lashi_dot(t, p.dbias) / D - 2 * lashi_dot(n, p.ddot) * lashi_dot(t, p.ddot) / (D * D);
    memset(out->T, 0, sizeof out->T);
    lashi_set_row(out->T[0][0], 1, 0, 0, k.x, k.y, ri + lashi_dot(k, lashi_perp(p.S[0])));
    lashi_set_row(out->T[0][1], 1, 0, 0, -k.x, -k.y, -rj - lashi_dot(k, lashi_perp(p.S[1])));
    out->speed[0] = ri * i->w - rj * j->w - lashi_dot(k, p.ddot);
    out->bias[0] = -(ri - rj) * carried;
    out->travel[0] = 0;
    out->held = false;
    out->ends = 1;
    memset(out->press, 0, sizeof out->press);
    out->press[0][0][0] = 1;
}

/* The same for the moment, with the angle of the second wheel. */
void lashi_gear_slide3(lashi_slide *out, int place, const lashi_constraint *joint,
                       const lashi_frame *frames) {
    (void)place;
    const lashi_coordinate *of[2] = {&joint->coordinate, &joint->second};
    const double weight[2] = {0.5 * joint->radius[0], -0.5};
    memset(out, 0, sizeof *out);
    for (int k = 0; k < 2; k++) {
        const lashi_coordinate_state c = lashi_coordinate_evaluate(of[k], frames);
        out->speed[0] += weight[k] * c.rate;
        out->bias[0] += weight[k] * c.bias;
        out->travel[0] += weight[k] * c.value;
        for (int end = 0; end < LASHI_SLOTS; end++)
            for (int link = 0; link < LASHI_LINKS; link++)
                if (of[k]->body[end] > 0 && joint->body[link] == of[k]->body[end])
                    for (int i = 0; i < LASHI_FREEDOMS; i++)
                        out->T[0][link][i] += weight[k] * c.J[end][i];
    }
    out->held = true;
    out->ends = 1;
    out->press[0][0][0] = 1;
}

#ifndef LASHI_KERNEL // a compiled model needs no more

static const lashi_slides slides = {.places = 1, .ways = 1, .unit = "N", .fill = lashi_gear_slide};

static const lashi_slides slides3 = {.places = 1, .ways = 1, .unit = "N m", .fill = lashi_gear_slide3};

/* Its coordinates are set; the bodies that they move become those of the constraint. */
static lash_status compile_space(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames,
                                 lash_error *error) {
    const int candidates[4] = {out->coordinate.body[1], out->second.body[1], out->coordinate.body[0],
                               out->second.body[0]};
    int count = 0;
    for (int k = 0; k < 4; k++) {
        bool fresh = candidates[k] > 0;
        for (int link = 0; link < count; link++)
            fresh = fresh && out->body[link] != candidates[k];
        if (fresh && count == LASHI_LINKS)
            return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, out->name,
                                 "joint '%s': its two joints must share a body, the housing or carrier",
                                 out->name);
        if (fresh)
            out->body[count++] = candidates[k];
    }
    out->radius[0] = def->ratio;
    out->length = def->ratio * lashi_coordinate_evaluate(&out->coordinate, frames).value +
                  lashi_coordinate_evaluate(&out->second, frames).value; // Φ0
    return LASH_OK;
}

static lash_status compile(lashi_constraint *out, const lash_joint_def *def, const lashi_frame *frames,
                           lash_error *error) {
    const lashi_frame *i = &frames[out->body[0]], *j = &frames[out->body[1]];
    const lashi_pair p = lashi_pair_evaluate(i, j, out->s);
    const double D = hypot(p.d.x, p.d.y);
    if (D < CENTRES_APART)
        return lashi_fail_at(
            error, LASH_ERROR_MODEL, (double)NAN, out->name,
            "joint '%s': the centres of the two wheels are drawn at the same place; draw them "
            "their centre distance apart",
            out->name);
    if (fabs(1 + def->ratio) < 1e-9)
        return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, out->name,
                             "joint '%s': ratio -1 would be a wheel inside a ring of its own size",
                             out->name);
    out->radius[1] = D / (1 + def->ratio);
    out->radius[0] = def->ratio * out->radius[1];
    out->pressure = isnan(def->pressure_angle) ? 0 : tan(def->pressure_angle);
    const double phi = atan2(p.d.y, p.d.x);
    out->length = out->radius[0] * (i->angle - phi) + out->radius[1] * (j->angle - phi); // Φ0
    return LASH_OK;
}

static const lashi_key keys[] = {
    {.name = "between",
     .type = LASHI_POINT_PAIR,
     .offset = offsetof(lash_joint_def, between),
     .space = LASHI_PLANE_ONLY,
     .instead = "in space give the two joints it couples as `joints`",
     .doc = "the centres of the two wheels, drawn their centre distance apart"},
    {.name = "joints",
     .type = LASHI_OBJECT_PAIR,
     .offset = offsetof(lash_joint_def, joints),
     .targets = LASHI_JOINTS,
     .space = LASHI_SPACE_ONLY,
     .doc = "the joints whose angles it couples, of the first wheel and of the second"},
    {.name = "ratio",
     .type = LASHI_NUMBER,
     .offset = offsetof(lash_joint_def, ratio),
     .unit = "",
     .range = LASHI_NOT_ZERO,
     .doc = "teeth of the first wheel over teeth of the second; negative: one of them is an internal ring"},
    LASHI_PRESSURE_KEY,
    LASHI_FRICTION_KEY(lashi_mesh_rubbing),
    {.name = NULL},
};

const lashi_joint_kind lashi_joint_gear = {
    .schema = {"gear",
               "A gear pair: two pitch circles roll on each other; the centres are held by other joints, on "
               "ground or on a carrier. The tooth force acts at the pitch point.",
               .keys = keys},
    .plane = {.rows = 1,
              .row_names = {"rolling"},
              .compile = compile,
              .apart = lashi_gear_apart,
              .slides = &slides},
    .space = {.rows = 1, .row_names = {LASHI_ROTATION}, .compile = compile_space, .slides = &slides3},
};

#endif
