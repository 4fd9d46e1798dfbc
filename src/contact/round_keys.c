/* SPDX-License-Identifier: MIT
 *
 * The keys of the play of pins and balls, and how they are drawn.
 */
#include "contact/round.h"
#include "model/fields.h"

CHOICES(sliding_name, "material", "geometric")

#define DEF lash_clearance_def
static const lashi_key clearance_keys[] = {
    CHOICE(
        "model", model, lashi_contact_model_name, "compliant",
        "what contact is: a force of the penetration; a constraint that always holds; or a constraint that "
        "holds while it presses, with free flight and impacts"),
    NUMBER("bearing_radius", bearing_radius, "m", LASHI_POSITIVE,
           "(needed by compliant contact and friction)", "radius of the bearing (first end)"),
    NUMBER("journal_radius", journal_radius, "m", LASHI_POSITIVE, "(from radial or diametric)",
           "radius of the journal (second end)"),
    NUMBER("radial", radial, "m", LASHI_POSITIVE, "(from the radii)", "difference of the radii"),
    NUMBER("diametric", diametric, "m", LASHI_POSITIVE, "(from the radii)", "difference of the diameters"),
    NUMBER("length", length, "m", LASHI_POSITIVE, "(not needed by sphere-type laws)",
           "length of the bearing; cylinder laws, films of a pin and a pin in space need it"),
    {FIELD("axial", LASHI_NUMBER, axial, "m", LASHI_POSITIVE, "(none: an ideal stop)",
           "a pin: play along it to either side"),
     .space = LASHI_SPACE_ONLY},
    {FIELD("axial_stiffness", LASHI_NUMBER, axial_stiffness, "", LASHI_POSITIVE, "(as across the pin)",
           "a pin with axial play: K of its end stops in N/mⁿ, a plain number"),
     .space = LASHI_SPACE_ONLY},
    OBJECT("materials", LASHI_OBJECT_PAIR, materials, LASHI_MATERIALS, "(contact.stiffness is given instead)",
           "one material, or [of the bearing, of the journal]"),
    BLOCK("contact", contact, &lashi_contact_block, "(defaults)", "the normal force"),
    BLOCK("friction", friction, &lashi_friction_kind, "(no friction)", "the tangential force"),
    {.name = "lubricant",
     .type = LASHI_BLOCK,
     .offset = offsetof(lash_clearance_def, lubricant),
     .unit = "",
     .fallback = "(dry)",
     .doc = "oil in the gap",
     .block = &lashi_lubricant_kind,
     .present = offsetof(lash_clearance_def, has_lubricant)},
    {.name = "wear",
     .type = LASHI_BLOCK,
     .offset = offsetof(lash_clearance_def, wear),
     .unit = "",
     .fallback = "(none)",
     .doc = "surfaces that wear, or are worn",
     .block = &lashi_wear_kind,
     .present = offsetof(lash_clearance_def, has_wear)},
    CHOICE("sliding", sliding, sliding_name, "material",
           "sliding speed: of the material points in contact, or of the point where they touch"),
    CHOICE("detector", detector, lashi_detector_name, "located",
           "how the beginning of contact is found: located on the interpolant, or by shortening the step "
           "until the "
           "first penetration is below the tolerance"),
    NUMBER("tolerance", tolerance, "m", LASHI_POSITIVE, "1e-12", "of the detector"),
    VECTOR("offset", offset, "m", LASHI_ANY, "(centred)",
           "journal centre from bearing centre at the start, ground axes"),
    VECTOR("velocity", velocity, "m/s", LASHI_ANY, "(at rest)",
           "of the journal centre in its bearing at the start, ground axes"),
    NUMBER("restitution", restitution, "", LASHI_NOT_NEGATIVE, "(needed by three-mode)",
           "three-mode: speed after an impact over the speed before it, 0 to 1"),
    NUMBER("rest_speed", rest_speed, "m/s", LASHI_POSITIVE, "1e-3",
           "three-mode: an impact that would rebound slower than this ends in following contact"),
    {FIELD("stop_at_loss", LASHI_FLAG, stop_at_loss, "", LASHI_ANY, "false",
           "permanent-contact: the run ends where contact would be lost")},
    {0}};
const lashi_kind lashi_clearance_kind = {"clearance", "Play in a joint.", .keys = clearance_keys};
#undef DEF

/* The offset of the journal's centre; of a pin in space, those of its two ends. */
static const char *const moves[] = {"ex",      "ey",      "ez",      "fn",        "mode",
                                    "film",    "end1.ex", "end1.ey", "end1.ez",   "end1.mode",
                                    "end2.ex", "end2.ey", "end2.ez", "end2.mode", NULL};
static const char *const forces[] = {"fx", "fy", "fz", NULL};

void lashi_round_draw(lash_scene_play *out, const lash_joint_def *def) {
    lashi_gap_size size;
    out->drawn = "circle";
    out->channels = moves;
    out->forces = forces;
    out->length = def->clearance.length;
    if (lashi_gap_size_compile(&size, &def->clearance, NULL))
        return; // the check of the model has refused it
    out->bearing_radius = size.bearing_radius;
    out->journal_radius = size.journal_radius;
}
