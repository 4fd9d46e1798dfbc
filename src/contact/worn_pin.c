/* SPDX-License-Identifier: MIT
 *
 * A pin in its bearing, in the plane, with surfaces that are worn or wear (PHYSICS, section 15).
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
#include <string.h>

#include "base/error.h"
#include "contact/round.h"
#include "contact/rules.h"
#include "math/expression.h"

/* Surfaces flatter than this share of c bend like that: contact begins as a line there. */
static const double FLATTEST = 1e-6;
static const double TWO_PI = 6.283185307179586;
/* Sectors of a profile: few cannot show one, and many cost time. */
enum { FEWEST = 16, MOST = 3600 };

void lashi_worn_pin_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_gap_size *size = &contact->p->size;
    const lashi_pair p = lashi_pair_evaluate(i, j, contact->p->s);
    const lashi_vec2 e = {i->c * p.d.x + i->s * p.d.y, i->c * p.d.y - i->s * p.d.x};
    lashi_bed bed;
    lashi_worn_look(&bed, contact->worn, size->clearance, e, j->angle - i->angle);
    lashi_vec2 along = {cos(bed.at), sin(bed.at)};
    double s = -bed.slope;
    if (bed.pressed) {
        const double length = sqrt(lashi_dot(bed.thrust, bed.thrust));
        along = lashi_scale(1 / length, bed.thrust);
        s = -bed.moment / length;
        out->share = length * bed.per_unit;
    } else {
        out->share = pow(size->clearance / fmax(bed.bend, FLATTEST * size->clearance), 0.2);
    }
    const lashi_vec2 n = lashi_turn(i, along), t = lashi_perp(n);
    const double R_j = size->journal_arm, a = size->bearing_arm + size->carried * lashi_dot(p.d, n);
    const double beside = lashi_dot(p.d, t) + s;
    const double slip = lashi_dot(p.ddot, t) + R_j * j->w - a * i->w;
    out->closing = lashi_dot(n, p.ddot) + i->w * lashi_dot(p.d, t) - s * (j->w - i->w);
    out->turning = fabs(i->w) * contact->worn->steepest[0] + fabs(j->w) * contact->worn->steepest[1];
    out->e = sqrt(lashi_dot(p.d, p.d));
    out->delta = bed.pressed ? bed.depth : bed.deepest;
    out->deltadot = bed.pressed ? out->share * out->closing : out->closing;
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

static lashi_film_motion film(lashi_vec3 *n, lashi_vec3 *t, const lashi_contact *contact,
                              const lashi_frame *frames, const lashi_gap *gap) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const double e[2] = {gap->d.x, gap->d.y}, edot[2] = {gap->ddot.x, gap->ddot.y};
    double along[2], beside[2];
    lashi_film_motion m =
        lashi_film_planar(along, beside, &contact->film, e, edot, i->w, j->w, (double[2]){i->c, i->s});
    const double c = contact->p->size.clearance, distance = fmax(0, c + gap->delta);
    m.eps = distance / contact->film.p->clearance;
    m.radial = gap->closing / contact->film.p->clearance;
    m.transverse *= gap->e > 0 ? distance / gap->e : 0;
    *n = (lashi_vec3){along[0], along[1], 0};
    *t = (lashi_vec3){beside[0], beside[1], 0};
    return m;
}

/* The film's moments balance those of its forces at |e| = c + δ; the centres are elsewhere. */
static void drag(lashi_vec3 torque[LASHI_SLOTS], lashi_contact_state *out, const lashi_contact *contact,
                 const lashi_frame *frames, const lashi_film_force_result *film, lashi_vec3 n, lashi_vec3 f,
                 double eps, double share) {
    (void)frames, (void)f, (void)n;
    const double moved =
        0.5 * (contact->film.p->clearance * fmin(eps, LASHI_FILM_EPS_MAX) - out->gap.e) * film->transverse;
    torque[0] = (lashi_vec3){0, 0, share * (film->bearing_torque + moved)};
    torque[1] = (lashi_vec3){0, 0, share * (film->journal_torque + moved)};
    out->film_torque = torque[1].z;
}

/* ---- from the file ---- */

void lashi_wear_check(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                      const char *refused) {
    const lash_wear_def *wear = &play->wear;
    const bool coefficient =
                   !isnan(wear->coefficient) || lashi_was_bad(check, subject, "clearance.wear.coefficient"),
               hardness = !isnan(wear->hardness) || lashi_was_bad(check, subject, "clearance.wear.hardness"),
               k = !isnan(wear->k) || lashi_was_bad(check, subject, "clearance.wear.k"),
               pair = coefficient || hardness,
               worn = wear->bearing || wear->journal ||
                      lashi_was_bad(check, subject, "clearance.wear.bearing") ||
                      lashi_was_bad(check, subject, "clearance.wear.journal");
    if (refused) {
        lashi_complain(check, subject, "clearance.wear", "clearance.wear: %s", refused);
        return;
    }
    if (!lashi_is_compliant(play))
        lashi_complain(check, subject, "clearance.wear",
                       "clearance.wear needs a contact with an arc; the model %s touches in a point: take "
                       "model: compliant",
                       play->model);
    if (k && pair)
        lashi_complain(check, subject, "clearance.wear.k",
                       "clearance.wear: k is coefficient over hardness; give it, or those two");
    if (!k && coefficient != hardness)
        lashi_complain(check, subject, "clearance.wear",
                       "clearance.wear.%s is missing: coefficient and hardness go together; or give k alone",
                       coefficient ? "hardness" : "coefficient");
    if (!k && !pair && !worn)
        lashi_complain(check, subject, "clearance.wear",
                       "clearance.wear: nothing in it wears or is worn; give k, or coefficient and hardness, "
                       "or a profile, bearing or journal");
    if ((k || pair) && isnan(play->length) && !lashi_was_bad(check, subject, "clearance.length"))
        lashi_complain(
            check, subject, "clearance.wear",
            "clearance.length is missing: how deep a worn volume is depends on the bearing's length");
    if (fabs(wear->share[0] + wear->share[1] - 1) > 1e-9)
        lashi_complain(
            check, subject, "clearance.wear.share",
            "clearance.wear.share: bearing and journal have %g and %g, together %g; they must make 1",
            wear->share[0], wear->share[1], wear->share[0] + wear->share[1]);
    if (wear->sectors < FEWEST || wear->sectors > MOST)
        lashi_complain(check, subject, "clearance.wear.sectors",
                       "clearance.wear.sectors must lie between %d and %d, it is %g", FEWEST, MOST,
                       wear->sectors);
    if (play->sliding && strcmp(play->sliding, "geometric") == 0)
        lashi_complain(check, subject, "clearance.sliding",
                       "clearance.sliding geometric does not go with wear: what wears are material points; "
                       "leave it out");
    if (play->friction.law && strcmp(play->friction.law, "coulomb") == 0)
        lashi_complain(check, subject, "clearance.friction.law",
                       "clearance.friction.law coulomb does not go with wear; take lugre, which sticks, or "
                       "another law that is a function of the speed");
}

/* The profile of one part as given, or new. */
static lash_status compile_surface(lashi_surface *out, lashi_expansion *expansion,
                                   const lash_expression *given, int sectors, const char *key,
                                   lash_error *error) {
    const char *joint = expansion->closed->name;
    double *h = lashi_arena_alloc(expansion->arena, (size_t)(3 * sectors), sizeof *h);
    out->sectors = sectors;
    out->a = lashi_arena_alloc(expansion->arena, (size_t)sectors, sizeof *out->a);
    if (!h || !out->a)
        return lashi_fail_memory(error);
    for (int s = 0; s < sectors && given; s++) {
        h[s] = lashi_expression_value(given, TWO_PI * s / sectors);
        if (!(h[s] >= 0) || !isfinite(h[s]))
            return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, joint,
                                 "joint '%s': clearance.wear.%s is %g m at %g deg; a worn depth is 0 or more",
                                 joint, key, h[s], 360.0 * s / sectors);
    }
    if (given)
        lashi_surface_fit(out->a, h, sectors, h + sectors);
    return LASH_OK;
}

lash_status lashi_wear_expand(lashi_contact *contact, lashi_expansion *out, lash_error *error) {
    const lash_clearance_def *def = &out->def->clearance;
    const lash_wear_def *wear = &def->wear;
    const int sectors = (int)wear->sectors;
    lashi_contact_numbers *p = contact->p;
    contact->worn = lashi_arena_alloc(out->arena, 1, sizeof *contact->worn);
    if (contact->worn)
        contact->worn->table = lashi_arena_alloc(out->arena, (size_t)(sectors * LASHI_WORN_PLACES),
                                                 sizeof *contact->worn->table);
    if (!contact->worn || !contact->worn->table)
        return lashi_fail_memory(error);
    contact->plain = false;
    lash_status status =
        compile_surface(&contact->worn->bearing, out, wear->bearing, sectors, "bearing", error);
    if (!status)
        status = compile_surface(&contact->worn->journal, out, wear->journal, sectors, "journal", error);
    if (!status)
        lashi_worn_prepare(contact->worn);
    p->wear = !isnan(wear->k) ? wear->k : isnan(wear->coefficient) ? 0 : wear->coefficient / wear->hardness;
    p->worn_length = def->length;
    for (int part = 0; part < LASHI_SLOTS; part++) {
        p->portion[part] = wear->share[part];
        p->worn[part] =
            sectors / (TWO_PI * def->length * (part ? p->size.journal_radius : p->size.bearing_radius));
    }
    return status;
}

const lashi_contact_kind lashi_contact_worn_pin = {
    .name = "worn pin",
    .acts = LASHI_ACTS_IN_PLANE,
    .bristles = 1,
    .centred = true,
    .deepest = "a quarter of the journal's radius",
    .film = film,
    .drag = drag,
};
