/* SPDX-License-Identifier: MIT
 *
 * Surfaces that wear, from the file: the rules of a block `wear`, and the surfaces as they are given.
 */
#include "contact/wear.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "contact/channel.h"
#include "contact/rules.h"
#include "math/expression.h"

static const double TWO_PI = 6.283185307179586;
/* Sectors of a profile: few cannot show one, and many cost time. */
enum { FEWEST = 16, MOST = 3600 };

static void check_share(lashi_check *check, lashi_subject subject, const lash_wear_def *wear,
                        const char *parts) {
    if (wear->share[0] >= 0 && wear->share[1] >= 0 && fabs(wear->share[0] + wear->share[1] - 1) > 1e-9)
        lashi_complain(check, subject, "clearance.wear.share",
                       "clearance.wear.share: %s have %g and %g, together %g; they must add up to 1", parts,
                       wear->share[0], wear->share[1], wear->share[0] + wear->share[1]);
}

/* Of a pin. */
static void check_pin(lashi_check *check, lashi_subject subject, const lash_clearance_def *play, bool wears) {
    const lash_wear_def *wear = &play->wear;
    if (wears && isnan(play->length) && !lashi_was_bad(check, subject, "clearance.length"))
        lashi_complain(
            check, subject, "clearance.wear",
            "clearance.length is missing: how deep a worn volume is depends on the bearing's length");
    check_share(check, subject, wear, "bearing and journal");
    if (play->sliding && strcmp(play->sliding, "geometric") == 0)
        lashi_complain(check, subject, "clearance.sliding",
                       "clearance.sliding geometric cannot be combined with wear: what wears are material "
                       "points; leave it out");
}

/* Of a block in its channel. */
static void check_guide(lashi_check *check, lashi_subject subject, const lash_clearance_def *play) {
    const double *span = play->wear.span;
    if (isnan(play->width) && !lashi_was_bad(check, subject, "clearance.width"))
        lashi_complain(check, subject, "clearance.wear",
                       "clearance.width is missing: how deep a worn volume is depends on the guide's width");
    if (span[1] <= span[0])
        lashi_complain(check, subject, "clearance.wear.span",
                       "clearance.wear.span goes from %g m to %g m; its end must lie beyond its beginning",
                       span[0], span[1]);
    check_share(check, subject, &play->wear, "channel and block");
}

void lashi_wear_check(lashi_check *check, lashi_subject subject, const lash_clearance_def *play, bool guide,
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
                       guide
                           ? "clearance.wear needs a contact that is a force, not the model %s: take model: "
                             "compliant"
                           : "clearance.wear needs a contact with an arc; the model %s touches in a point: "
                             "take model: compliant",
                       play->model);
    if (k && pair)
        lashi_complain(check, subject, "clearance.wear.k",
                       "clearance.wear: k is coefficient over hardness; give it, or those two");
    if (!k && coefficient != hardness)
        lashi_complain(check, subject, "clearance.wear",
                       "clearance.wear.%s is missing: coefficient and hardness go together; or give k alone",
                       coefficient ? "hardness" : "coefficient");
    if (!k && !pair && !worn)
        lashi_complain(
            check, subject, "clearance.wear",
            "clearance.wear: nothing in it wears or is worn; give k, or coefficient and hardness%s",
            guide ? "" : ", or a profile, bearing or journal");
    if ((wear->sectors >= 1 && wear->sectors < FEWEST) || wear->sectors > MOST)
        lashi_complain(check, subject, "clearance.wear.sectors",
                       "clearance.wear.sectors must lie between %d and %d, it is %g", FEWEST, MOST,
                       wear->sectors);
    if (play->friction.law && strcmp(play->friction.law, "coulomb") == 0)
        lashi_complain(check, subject, "clearance.friction.law",
                       "clearance.friction.law coulomb cannot be combined with wear; take lugre, which "
                       "sticks, or another law that is a function of the speed");
    if (guide)
        check_guide(check, subject, play);
    else
        check_pin(check, subject, play, k || pair);
}

/* The profile of one part as given, or new. */
static lash_status compile_surface(lashi_surface *out, lashi_expansion *expansion,
                                   const lash_expression *given, int sectors, int ends, const char *key,
                                   lash_error *error) {
    const char *joint = expansion->closed->name;
    double *h = lashi_arena_alloc(expansion->arena, (size_t)(3 * sectors), sizeof *h);
    out->sectors = sectors;
    out->count = sectors + ends;
    out->a = lashi_arena_alloc(expansion->arena, (size_t)out->count, sizeof *out->a);
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

/* m²/N */
static double factor_of(const lash_wear_def *wear) {
    return !isnan(wear->k) ? wear->k : isnan(wear->coefficient) ? 0 : wear->coefficient / wear->hardness;
}

lash_status lashi_wear_expand(lashi_contact *contact, lashi_expansion *out, const lash_clearance_def *def,
                              lash_error *error) {
    const lash_wear_def *wear = &def->wear;
    const int sectors = (int)wear->sectors;
    lashi_contact_numbers *p = contact->p;
    contact->worn = lashi_arena_alloc(out->arena, 1, sizeof *contact->worn);
    if (contact->worn)
        contact->worn->table = lashi_arena_alloc(out->arena, (size_t)sectors, sizeof *contact->worn->table);
    if (!contact->worn || !contact->worn->table)
        return lashi_fail_memory(error);
    contact->worn->name = contact->name;
    contact->plain = false;
    lash_status status =
        compile_surface(&contact->worn->surface[0], out, wear->bearing, sectors, 0, "bearing", error);
    if (!status)
        status =
            compile_surface(&contact->worn->surface[1], out, wear->journal, sectors, 0, "journal", error);
    if (!status)
        lashi_worn_prepare(contact->worn);
    p->wear = factor_of(wear);
    p->worn_pitch = TWO_PI / sectors;
    p->worn_play = p->size.clearance;
    for (int part = 0; part < LASHI_SLOTS; part++) {
        p->portion[part] = wear->share[part];
        p->worn[part] =
            1 / (p->worn_pitch * def->length * (part ? p->size.journal_radius : p->size.bearing_radius));
    }
    return status;
}

lash_status lashi_wear_expand_guide(lashi_contact *const *corners, int count, lashi_expansion *out,
                                    double width, double play, const char *name, lash_error *error) {
    const lash_clearance_def *def = &out->def->clearance;
    const int sectors = (int)def->wear.sectors, all = sectors + 2 * LASHI_WORN_MARGIN;
    const double pitch = (def->wear.span[1] - def->wear.span[0]) / sectors;
    lashi_worn *worn = lashi_arena_alloc(out->arena, 1, sizeof *worn);
    if (!worn || !name)
        return lashi_fail_memory(error);
    worn->name = name;
    for (int face = 0; face < LASHI_SLOTS; face++) {
        const lash_status status =
            compile_surface(&worn->surface[face], out, NULL, all, LASHI_WORN_ENDS, NULL, error);
        if (status)
            return status;
    }
    lashi_worn_prepare(worn);
    for (int k = 0; k < count; k++) {
        lashi_contact *contact = corners[k];
        lashi_contact_numbers *p = contact->p;
        contact->worn = worn;
        contact->plain = false;
        p->wear = factor_of(&def->wear);
        p->worn_origin = def->wear.span[0] - LASHI_WORN_MARGIN * pitch;
        p->worn_pitch = pitch;
        p->worn_play = play;
        for (int part = 0; part < LASHI_SLOTS; part++)
            p->portion[part] = def->wear.share[part];
        p->worn[0] = 1 / (pitch * width);
        p->worn[1] = 1 / (def->length / LASHI_WORN_ENDS * width);
    }
    return LASH_OK;
}

/* ---- what a corner wears off its face ---- */

lash_status lashi_channel_wearing(lashi_wear_motion *out, const lashi_contact *contact, double x,
                                  double slides, const lashi_gap *gap, lash_error *error) {
    const double pitch = contact->p->worn_pitch, from = contact->p->worn_origin + LASHI_WORN_MARGIN * pitch,
                 to = from + (contact->worn->surface[0].sectors - 2 * LASHI_WORN_MARGIN) * pitch;
    if (!(x >= from && x <= to))
        return lashi_fail_at(
            error, LASH_ERROR_MODEL, (double)NAN, contact->name,
            "joint '%s' wears its channel at %g m, outside of clearance.wear.span, which goes "
            "from %g m to %g m; give a longer one",
            contact->name, x, from, to);
    *out = (lashi_wear_motion){.passed = lashi_length3(gap->ddot) / pitch,
                               .slides = slides,
                               .place = lashi_channel_sectors(contact, x)};
    return LASH_OK;
}

void lashi_channel_wear(double *shares, const lashi_contact *contact, double x, double work) {
    const lashi_surface *face = &contact->worn->surface[lashi_channel_face(contact)];
    double *own = shares + lashi_channel_face(contact) * face->count;
    lashi_surface_share(own, face->sectors, lashi_channel_sectors(contact, x), work);
    own[face->sectors + contact->end] += work;
}
