/* SPDX-License-Identifier: MIT
 *
 * A stop of a joint's coordinate c, an angle or a travel (docs/contacts.md, stops): δ = ±(c − limit), + at the
 * upper one. The force acts along the coordinate, −F ∂δ/∂q on the bodies; it is a torque where c is an angle,
 * and δ is in rad then.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "contact/contact.h"
#include "contact/rules.h"
#include "model/fields.h"

void lashi_stop_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_coordinate_state c = lashi_coordinate_evaluate(&contact->coordinate, frames);
    memset(out, 0, sizeof *out);
    out->delta = contact->p->sign * c.value - contact->p->wall;
    out->deltadot = out->ddot.x = contact->p->sign * c.rate;
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        for (int k = 0; k < LASHI_FREEDOMS; k++)
            out->row[slot][k] = contact->p->sign * c.J[slot][k];
}

static double stop_bias(const lashi_contact *contact, const lashi_frame *frames, const lashi_gap *gap) {
    (void)gap;
    return contact->p->sign * lashi_coordinate_evaluate(&contact->coordinate, frames).bias;
}

#ifndef LASHI_KERNEL // a compiled model needs no more

/* Of the travel between the stops, or of the mechanism's size: a start that is beyond a stop by less than
 * this is rounding. */
static const double ROUNDING = 1e-9;
/* Of the mechanism's size, or of a turn: how far the coordinate moves before it touches, where only one side
 * has a stop. */
static const double ONE_SIDED = 0.1;

/* ---- keys ---- */

CHOICES(model_name, "compliant", "three-mode")
CHOICES(approach_name, "first", "energy")
CHOICES(following_name, "resolve", "auto", "reduce")

#define DEF lash_contact_def
static const lashi_key contact_keys[] = {
    CHOICE("law", law, lashi_normal_law_name, "lankarani-nikravesh", "law of the force of a stop"),
    NUMBER("restitution", restitution, "", LASHI_FRACTION, "(needed by every law with damping)",
           "coefficient of restitution asked for"),
    NUMBER("stiffness", stiffness, "N m/rad^n|N/m^n", LASHI_POSITIVE, "(needed by compliant stops)",
           "K of F = K δⁿ, a number without unit"),
    NUMBER("exponent", exponent, "", LASHI_POSITIVE, "(the law's own)", "n of F = K δⁿ"),
    NUMBER("speed_floor", speed_floor, "rad/s|m/s", LASHI_POSITIVE, "1e-6",
           "least approach speed that the damping factor divides by"),
    CHOICE("approach", approach, approach_name, "first",
           "speed that scales the damping: the approach speed at the first touch, or that of the energy in "
           "the contact, which bounds the damping of lasting contacts"),
    CHOICE("following", following, following_name, "resolve",
           "lasting contact whose vibration is over becomes a constraint: if the error is below the "
           "tolerance (auto) or below a thousandth of the depth (reduce); or never (resolve)"),
    {0}};
static const lashi_kind contact_block = {"stop-contact", "The force of a stop.", .keys = contact_keys};
#undef DEF

#define DEF lash_stops_def
static const lashi_key keys[] = {
    {FIELD("coordinate", LASHI_CHOICE, coordinate, "", LASHI_ANY, "(the joint's first)",
           "of a joint that turns and slides: which of the two is limited"),
     .choices = lashi_coordinate_name, .space = LASHI_SPACE_ONLY},
    NUMBER("min", min, "rad|m", LASHI_ANY, "(none on this side)", "least value of the coordinate"),
    NUMBER("max", max, "rad|m", LASHI_ANY, "(none on this side)", "largest value of the coordinate"),
    CHOICE("model", model, model_name, "compliant",
           "what contact is: a force of the penetration, or (three-mode) a constraint that holds while it "
           "presses, with free flight and impacts"),
    BLOCK("contact", contact, &contact_block, "(needed by compliant stops)", "the force"),
    NUMBER("restitution", restitution, "", LASHI_NOT_NEGATIVE, "(needed by three-mode)",
           "three-mode: speed after an impact over the speed before it, 0 to 1"),
    NUMBER("rest_speed", rest_speed, "rad/s|m/s", LASHI_POSITIVE, "1e-3",
           "three-mode: an impact that would rebound slower than this ends in following contact"),
    NUMBER("tolerance", tolerance, "rad|m", LASHI_POSITIVE, "1e-12",
           "to which the instant of touch is located"),
    {0}};
const lashi_kind lashi_stops_block = {"stops", "Stops of a joint's coordinate.", .keys = keys};
#undef DEF

/* ---- rules ---- */

static void check(lashi_check *check, lashi_subject subject, const lash_joint_def *def) {
    const lash_stops_def *stops = &def->stops;
    const bool compliant = strcmp(stops->model, "compliant") == 0;
    if (!compliant && strcmp(stops->model, "three-mode") != 0)
        return; // said by its key
    const bool given[2] = {!isnan(stops->min) || lashi_was_bad(check, subject, "stops.min"),
                           !isnan(stops->max) || lashi_was_bad(check, subject, "stops.max")};
    if (!given[0] && !given[1])
        lashi_complain(check, subject, "stops", "stops: where are they? Give min, max, or both");
    if (stops->min >= stops->max)
        lashi_complain(check, subject, "stops.max", "stops.max (%g) must be greater than stops.min (%g)",
                       stops->max, stops->min);
    if (stops->coordinate && !lashi_joint_has_both(def->type))
        lashi_complain(check, subject, "stops.coordinate",
                       "stops.coordinate: a joint of type %s has one coordinate only; delete the key",
                       def->type);
    if (!compliant && isnan(stops->restitution) && !lashi_was_bad(check, subject, "stops.restitution"))
        lashi_complain(check, subject, "stops",
                       "stops.restitution is missing: three-mode needs it, for example restitution: 0.5");
    if (stops->restitution > 1)
        lashi_complain(check, subject, "stops.restitution", "stops.restitution must lie in [0, 1], it is %g",
                       stops->restitution);
    if (compliant && !isnan(stops->restitution))
        lashi_complain(check, subject, "stops.restitution",
                       "stops.restitution belongs to the model three-mode; compliant stops have "
                       "contact.restitution");
    if (!compliant && !isnan(stops->contact.stiffness))
        lashi_warn(check, subject, "stops.contact.stiffness",
                   "stops.contact.stiffness is not used: the stops of model three-mode are rigid");
    if (compliant && isnan(stops->contact.stiffness) &&
        !lashi_was_bad(check, subject, "stops.contact.stiffness"))
        lashi_complain(
            check, subject, "stops.contact",
            "stops.contact.stiffness is missing: K of F = K δⁿ in N/mⁿ, of an angle in N m/radⁿ; or take "
            "model: three-mode for rigid stops");
    if (compliant)
        lashi_force_law_check(check, subject, "stops.contact", &stops->contact);
}

/* ---- compiling ---- */

static lash_status expand(lashi_expansion *out, lash_error *error) {
    static const char *const parts[2] = {"min", "max"};
    const lash_stops_def *stops = &out->def->stops;
    const double limits[2] = {stops->min, stops->max}, range = stops->max - stops->min;
    lashi_coordinate coordinate = *out->coordinate;
    if (stops->coordinate && strcmp(stops->coordinate, "travel") == 0) {
        coordinate.type = LASHI_COORDINATE_TRAVEL;
        coordinate.counted = -1;
    }
    const bool angle = coordinate.type == LASHI_COORDINATE_ANGLE;
    const double size = isnan(range) ? ONE_SIDED * (angle ? 6.283185307179586 : out->length) : range / 2;
    lash_clearance_def def = lash_clearance_default();
    def.model = stops->model;
    def.contact = stops->contact;
    def.restitution = stops->restitution;
    def.rest_speed = stops->rest_speed;
    def.tolerance = stops->tolerance;
    for (int side = 0; side < 2; side++) {
        lashi_contact *contact;
        if (isnan(limits[side]))
            continue;
        const lash_status status =
            lashi_play_add(&contact, out, LASHI_CONTACT_stop, parts[side], &def, error);
        if (status)
            return status;
        contact->coordinate = coordinate;
        contact->body[0] = coordinate.body[0];
        contact->body[1] = coordinate.body[1];
        contact->p->sign = side ? 1 : -1;
        contact->p->wall = contact->p->sign * limits[side];
        contact->p->room = size;
        contact->unit = angle ? "rad" : "m";
        contact->p->lever = angle ? out->length : 1;
        contact->words = lashi_arena_print(out->arena, "stop at %.9g %s", limits[side], contact->unit);
        if (!contact->words)
            return lashi_fail_memory(error);
    }
    return LASH_OK;
}

lash_status lashi_stop_start(const lashi_contact *contact, const lashi_frame *frames, lash_error *error) {
    const double delta = lashi_gap_of(contact, frames).delta;
    if (delta <= ROUNDING * contact->p->room)
        return LASH_OK;
    return lashi_fail_at(
        error, LASH_ERROR_MODEL, (double)NAN, contact->name,
        "'%s': the joint starts %.6g %s beyond its stop at %.9g %s. Draw the machine between its "
        "stops, or move the stop",
        contact->name, delta, contact->unit, contact->p->sign * contact->p->wall, contact->unit);
}

static void draw(lash_scene_play *out, const lash_joint_def *def) {
    static const char *const angle[] = {"angle", "min.mode", "max.mode", NULL},
                             *const travel[] = {"s", "min.mode", "max.mode", NULL},
                             *const forces[] = {"min.fn", "max.fn", NULL};
    const lash_stops_def *stops = &def->stops;
    out->drawn = "stops";
    out->turns = stops->coordinate ? strcmp(stops->coordinate, "angle") == 0
                                   : lashi_joint_coordinate(def->type) == 'r';
    out->channels = out->turns ? angle : travel;
    out->forces = forces;
    out->min = stops->min;
    out->max = stops->max;
}

static const char *const joints[] = {
    "revolute", "translational", "point-on-line", "prismatic", "cylindrical", "screw", NULL};
static const lashi_play play = {
    .key = {.name = "stops",
            .type = LASHI_BLOCK,
            .offset = offsetof(lash_joint_def, stops),
            .fallback = "(it moves freely)",
            .block = &lashi_stops_block,
            .present = offsetof(lash_joint_def, has_stops),
            .doc = "stops that limit the joint's coordinate"},
    .joints = joints,
    .most = 2,
    .check = check,
    .expand = expand,
    .draw = draw,
};

const lashi_contact_kind lashi_contact_stop = {
    .name = "stop",
    .play = &play,
    .acts = LASHI_ACTS_ON_ROWS,
    .bristles = 1,
    .deepest = "",
    .bias = stop_bias,
    .start = lashi_stop_start,
};

#endif
