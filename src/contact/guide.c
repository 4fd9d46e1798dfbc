/* SPDX-License-Identifier: MIT
 *
 * Keys, rules and corners of guides with play.
 */
#include "contact/guide.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "contact/rules.h"
#include "model/fields.h"

/* Share of the play to which a corner may be drawn in its wall; deeper is a mistake in the drawing. */
static const double DRAWN = 0.5;
/* Share of the block's height beyond which no contact law holds. */
static const double DEEPEST = 0.1;

CHOICES(model_name, "compliant", "three-mode")

#define DEF lash_clearance_def
static const lashi_key keys[] = {
    CHOICE("model", model, model_name, "compliant",
           "what contact is: a force of the penetration, or (three-mode) a constraint that holds while it "
           "presses, with free flight and impacts"),
    NUMBER("length", length, "m", LASHI_POSITIVE, NULL, "length of the block, along the guide"),
    NUMBER("height", height, "m", LASHI_POSITIVE, NULL, "height of the block, across the guide"),
    {FIELD("width", LASHI_NUMBER, width, "m", LASHI_POSITIVE, NULL,
           "width of the block, across guide and height"),
     .space = LASHI_SPACE_ONLY},
    {FIELD("width", LASHI_NUMBER, width, "m", LASHI_POSITIVE, "(needed by wear)",
           "width of the block, across the plane"),
     .space = LASHI_PLANE_ONLY},
    NUMBER("play", play, "m", LASHI_POSITIVE, NULL,
           "height of the channel minus that of the block: both sides together"),
    {FIELD("side_play", LASHI_NUMBER, side_play, "m", LASHI_POSITIVE, "(= play)",
           "width of the channel minus that of the block"),
     .space = LASHI_SPACE_ONLY, .instead = "in the plane there is play only across the height"},
    {FIELD("height_axis", LASHI_VECTOR, height_axis, "", LASHI_NOT_ZERO, "(some direction across the guide)",
           "direction of the height, axes of the first body"),
     .space = LASHI_SPACE_ONLY, .instead = "in the plane the height is across the axis"},
    NUMBER("corner_radius", corner_radius, "m", LASHI_POSITIVE, "(needed with materials)",
           "rounding of the corners: with the materials it gives their stiffness; the gap is that of sharp "
           "ones"),
    OBJECT("materials", LASHI_OBJECT_PAIR, materials, LASHI_MATERIALS, "(contact.stiffness is given instead)",
           "one material, or [of the channel, of the block]"),
    BLOCK("contact", contact, &lashi_contact_block, "(defaults)", "the normal force of one corner"),
    BLOCK("friction", friction, &lashi_friction_kind, "(no friction)", "the tangential force"),
    {FIELD("wear", LASHI_BLOCK, wear, "", LASHI_ANY, "(nothing wears)", "a channel and a block that wear"),
     .block = &lashi_guide_wear_kind, .present = offsetof(lash_clearance_def, has_wear)},
    {FIELD("lubricant", LASHI_BLOCK, lubricant, "", LASHI_ANY, "(dry)", "refused"),
     .block = &lashi_lubricant_kind, .present = offsetof(lash_clearance_def, has_lubricant),
     .space = LASHI_NOWHERE,
     .instead =
         "a guide is dry: there is no model of the film between a block and its channel; leave it out"},
    CHOICE(
        "detector", detector, lashi_detector_name, "located",
        "how the beginning of contact is found: located on the interpolant, or by shortening the step until "
        "the first penetration is below the tolerance"),
    NUMBER("tolerance", tolerance, "m", LASHI_POSITIVE, "1e-12", "of the detector"),
    NUMBER("restitution", restitution, "", LASHI_NOT_NEGATIVE, "(needed by three-mode)",
           "three-mode: speed after an impact over the speed before it, 0 to 1"),
    NUMBER("rest_speed", rest_speed, "m/s", LASHI_POSITIVE, "1e-3",
           "three-mode: an impact that would rebound slower than this ends in following contact"),
    {0}};
const lashi_kind lashi_guide_block = {"guide", "Play of a block in its channel.", .keys = keys};
#undef DEF

void lashi_guide_check(lashi_check *check, lashi_subject subject, const lash_joint_def *def,
                       unsigned allows) {
    const lash_clearance_def *play = &def->clearance;
    if (!lashi_is_compliant(play) && strcmp(play->model, "three-mode") != 0)
        return; // said by its key
    lashi_laws_check(check, subject, play, allows);
    if (play->play >= play->height)
        lashi_complain(check, subject, "clearance.play",
                       "clearance.play (%g m) is not smaller than the block's height (%g m): it is the "
                       "height of the channel minus that of the block; is its unit right?",
                       play->play, play->height);
    if (lashi_is_compliant(play) && play->materials[0] && isnan(play->corner_radius) &&
        !lashi_was_bad(check, subject, "clearance.corner_radius"))
        lashi_complain(
            check, subject, "clearance",
            "clearance.corner_radius is missing: materials give the stiffness of a rounded corner; or "
            "give contact.stiffness in place of the materials");
    if (!isnan(play->corner_radius) && play->corner_radius >= play->height / 2)
        lashi_complain(check, subject, "clearance.corner_radius",
                       "clearance.corner_radius (%g m) must be smaller than half the block's height (%g m)",
                       play->corner_radius, play->height / 2);
}

lash_status lashi_guide_corner(lashi_contact **out, lashi_expansion *expansion, int kind, const char *part,
                               lash_error *error) {
    lash_clearance_def def = expansion->def->clearance;
    double speed_limit = INFINITY;
    if (def.materials[0]) { // K of a corner rounded with R against a plane wall: Hertz, R_i R_j/c → R
        const lash_material_def *channel = lashi_play_material(expansion->model, &def, 0),
                                *block = lashi_play_material(expansion->model, &def, 1);
        def.contact.stiffness = lashi_hertz_stiffness(def.corner_radius, 1, 1, channel, block);
        speed_limit = lashi_normal_speed_limit(channel, block);
        def.materials[0] = def.materials[1] = NULL;
    }
    const lash_status status = lashi_play_add(out, expansion, kind, part, &def, error);
    if (status)
        return status;
    lashi_contact *contact = *out;
    contact->normal.p->speed_limit = speed_limit;
    contact->p->size.carried = def.contact.points && strcmp(def.contact.points, "own") == 0 ? 0 : 1;
    contact->p->deepest = DEEPEST * def.height;
    contact->words = lashi_arena_print(
        expansion->arena, "corner of a block %.6g mm long and %.6g mm high in a channel with %.6g mm of play",
        1e3 * def.length, 1e3 * def.height, 1e3 * def.play);
    return contact->words ? LASH_OK : lashi_fail_memory(error);
}

lash_status lashi_guide_place(const lashi_expansion *expansion, lash_error *error) {
    for (int k = 0; k < expansion->count; k++) {
        const lashi_contact *contact = &expansion->contacts[k];
        const double delta = lashi_gap_of(contact, expansion->frames).delta;
        if (delta > 2 * DRAWN * contact->p->room)
            return lashi_fail_at(
                error, LASH_ERROR_MODEL, (double)NAN, contact->name,
                "joint '%s': %s is drawn %.3g m inside the wall of its channel, more than half of "
                "the play, %.3g m. Draw the block inside, or check the play and the block's size",
                expansion->closed->name, contact->name, delta, contact->p->room);
    }
    return LASH_OK;
}

void lashi_guide_draw(lash_scene_play *out, const lash_joint_def *def) {
    static const char *const forces[] = {"fx", "fy", "fz", NULL};
    out->drawn = "channel";
    out->forces = forces;
    out->length = def->clearance.length;
    out->height = def->clearance.height;
    out->play = def->clearance.play;
}
