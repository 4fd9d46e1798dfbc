/* SPDX-License-Identifier: MIT
 *
 * What several keys or objects of a model together must fulfil: ends on two bodies, one size of a clearance,
 * one profile of a drive, stiffness or materials, a coordinate where one is needed.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lash/bearing.h"
#include "math/expression.h"
#include "math/table.h"
#include "model/check.h"

/* Rounding allowed when a journal starts in touch with its bearing. */
static const double TOUCH = 1e-9;
/* Of the range of a table's values: a spline that goes farther beyond neighbouring points is told. Twelve
 * points of a sine give 1.7 %. */
static const double OVERSHOOT = 0.02;
/* Of tolerances: 45 units of rounding. Below, the error control would follow the rounding of the stages. */
static const double LEAST_TOLERANCE = 1e-14;
/* Share of the play by which a start in permanent contact may miss the wall as written; then it is moved
 * there. */
static const double HELD = 1e-6;

/* Rounding allowed between a moment of inertia and the sum of the other two; share of the largest that the
 * least one must have. */
static const double TRIANGLE = 1e-9, LEAST_MOMENT = 1e-12;

static bool is_named(const char *word, const char *(*name)(size_t index)) {
    for (size_t i = 0; word && name(i); i++)
        if (strcmp(word, name(i)) == 0)
            return true;
    return false;
}

static bool is_one_of(const char *word, const char *const *list) {
    for (; word && *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

// ---- bodies in space

// A tensor that no distribution of mass has.
void lashi_check_body(lashi_check *check, const lashi_named_body *body) {
    static const char *const sources[] = {"mass", "inertia", "inertia_at", "inertia_axes", ""};
    const lashi_subject subject = {"body", body->name};
    const lash_body_def *def = &body->def;
    const bool moved = !isnan(def->inertia_at[0]);
    double J[6], moments[3];
    if (check->model->space != LASH_SPATIAL || (moved && !(def->mass > 0)))
        return;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (lashi_was_bad(check, subject, sources[i]))
            return;
    if (!lashi_body_inertia(J, def))
        return; // what is not finite was complained about by its key
    lashi_principal_moments(moments, J);
    const char *where = moved ? " about the centre of mass (moved there from inertia_at)" : "";
    const char *cure = moved ? "; is inertia_at right, and the inertia about it?" : "";
    if (!(moments[0] > LEAST_MOMENT * moments[2]))
        lashi_complain(check, subject, "inertia",
                       "inertia: the principal moments%s are %g, %g and %g kg m^2; all must be greater than "
                       "zero%s",
                       where, moments[0], moments[1], moments[2], cure);
    else if (moments[2] > (moments[0] + moments[1]) * (1 + TRIANGLE))
        lashi_complain(
            check, subject, "inertia",
            "inertia: of the principal moments%s %g, %g and %g kg m^2 the largest, %g, exceeds the "
            "sum of the other two, %g, which no body's does%s",
            where, moments[0], moments[1], moments[2], moments[2], moments[0] + moments[1], cure);
}

// ---- references

// Both ends of a joint or element on one body have no effect, or worse.
static void check_ends(lashi_check *check, lashi_subject subject, const char *const ends[2]) {
    size_t body[2];
    double at[3];
    if (!ends[0] || !ends[1] || !lashi_model_find_point(&body[0], at, check->model, ends[0]) ||
        !lashi_model_find_point(&body[1], at, check->model, ends[1]))
        return;
    if (body[0] == body[1])
        lashi_complain(check, subject, "between",
                       "both ends are on '%s'; name points of two different bodies",
                       check->model->bodies[body[0]].name);
}

// 'r' turns, 't' slides, 0 has no coordinate or is unknown.
static char coordinate_of(const lash_model *model, const char *joint) {
    size_t index = lashi_model_find_joint(model, joint);
    return index == LASHI_NONE ? 0 : lashi_joint_coordinate(model->joints[index].def.type);
}

static void check_coordinate(lashi_check *check, lashi_subject subject, const char *key, const char *joint,
                             const char *which) {
    size_t index = lashi_model_find_joint(check->model, joint);
    if (index == LASHI_NONE ||
        !lashi_joint_schema_find(check->model->joints[index].def.type, check->model->space))
        return; // said already
    if (!coordinate_of(check->model, joint))
        lashi_complain(check, subject, key,
                       "%s: the joint '%s' is of type %s and has no coordinate; name a revolute or %s joint",
                       key, joint, check->model->joints[index].def.type,
                       check->model->space == LASH_PLANAR ? "translational" : "prismatic");
    else if (which && !lashi_joint_has_both(check->model->joints[index].def.type))
        lashi_complain(check, subject, "coordinate",
                       "coordinate: the joint '%s' is of type %s and has one coordinate only; delete the key",
                       joint, check->model->joints[index].def.type);
}

// ---- joints with play

static void check_size(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                       bool pin_in_space) {
    const bool planar = check->model->space == LASH_PLANAR;
    const struct {
        const char *key;
        double value;
    } sizes[] = {{"clearance.journal_radius", play->journal_radius},
                 {"clearance.radial", play->radial},
                 {"clearance.diametric", play->diametric}};
    const char *given[3] = {0};
    size_t count = 0;
    for (size_t i = 0; i < 3; i++)
        if (!isnan(sizes[i].value) || lashi_was_bad(check, subject, sizes[i].key))
            given[count++] = sizes[i].key;
    if (count == 0) {
        lashi_complain(check, subject, "clearance",
                       "clearance: its size is missing; give one of journal_radius, radial and diametric");
        return;
    }
    if (count > 1) {
        lashi_complain(
            check, subject, given[1],
            "%s and %s are both given; give exactly one of journal_radius, radial and diametric, and "
            "the bearing's radius",
            given[0], given[1]);
        return;
    }
    double R = play->bearing_radius;
    double c = !isnan(play->radial)      ? play->radial
               : !isnan(play->diametric) ? 0.5 * play->diametric
                                         : R - play->journal_radius;
    const bool held = strcmp(play->model, "permanent-contact") == 0;
    const double *e = play->offset, distance = hypot(hypot(e[0], e[1]), planar ? 0 : e[2]);
    if (held && c > 0 && isfinite(distance) && fabs(distance - c) > HELD * c)
        lashi_complain(
            check, subject, "clearance.offset",
            "clearance.offset puts the journal %g m from the centre; in permanent contact it is the "
            "radial clearance, %g m",
            distance, c);
    if (!(R > 0) || !isfinite(R) || !isfinite(c))
        return;
    if (!isnan(play->journal_radius) && play->journal_radius > 0 && c <= 0)
        lashi_complain(check, subject, given[0],
                       "%s %g m is not smaller than the bearing's %g m: the journal does not fit; "
                       "the first of `between` carries the bearing",
                       given[0], play->journal_radius, R);
    else if (c >= R)
        lashi_complain(check, subject, given[0],
                       "%s leaves a journal of no radius in a bearing of %g m radius; is its unit right?",
                       given[0], R);
    // Along a pin in space there may be other play than across it.
    if (c > 0 && !held && !pin_in_space && isfinite(distance) && distance > c * (1 + TOUCH))
        lashi_complain(check, subject, "clearance.offset",
                       "clearance.offset puts the journal %g m from the centre, outside the play of %g m",
                       distance, c);
}

// A pin in space touches with its ends and may have play along it; a ball has neither.
static void check_pin(lashi_check *check, lashi_subject subject, const lash_clearance_def *play, bool pin) {
    if (pin && isnan(play->length) && !lashi_was_bad(check, subject, "clearance.length"))
        lashi_complain(check, subject, "clearance",
                       "clearance.length is missing: a pin in space can tilt in its bearing, and how far "
                       "depends on the bearing's length");
    if (!pin && !isnan(play->axial))
        lashi_complain(check, subject, "clearance.axial",
                       "clearance.axial: only a pin has play along its axis; leave it out");
    if (!isnan(play->axial_stiffness) && isnan(play->axial) &&
        !lashi_was_bad(check, subject, "clearance.axial"))
        lashi_complain(check, subject, "clearance.axial_stiffness",
                       "clearance.axial_stiffness belongs to axial play; give axial, or leave it out");
}

static void check_contact(lashi_check *check, lashi_subject subject, const lash_clearance_def *play) {
    static const char *const cylinder_laws[] = {"dubowsky-freudenstein", "goldsmith", "esdu-78035", "johnson",
                                                NULL};
    const lash_contact_def *contact = &play->contact;
    const char *law = contact->law ? contact->law : "";
    bool cylinder = is_one_of(law, cylinder_laws), damped = strcmp(law, "hertz") != 0;
    bool stiff = !isnan(contact->stiffness) || lashi_was_bad(check, subject, "clearance.contact.stiffness");
    bool material = play->materials[0] || lashi_was_bad(check, subject, "clearance.materials");
    if (cylinder) {
        damped = contact->damping && strcmp(contact->damping, "none") != 0;
        if (isnan(play->length))
            lashi_complain(check, subject, "clearance.length",
                           "clearance.length is missing: the cylinder law %s needs the bearing's length",
                           law);
        if (!material)
            lashi_complain(check, subject, "clearance.materials",
                           "clearance.materials is missing: the cylinder law %s needs the materials", law);
        if (stiff)
            lashi_complain(
                check, subject, "clearance.contact.stiffness",
                "clearance.contact.stiffness does not go with the cylinder law %s, which takes the "
                "materials; leave it out",
                law);
    } else {
        if (stiff && material)
            lashi_complain(
                check, subject, "clearance.contact.stiffness",
                "clearance.contact.stiffness and clearance.materials are both given; give one: the "
                "materials determine the stiffness");
        else if (!stiff && strcmp(law, "kelvin-voigt") == 0)
            lashi_complain(
                check, subject, "clearance.contact",
                "clearance.contact.stiffness is missing: the law %s is linear and needs it in N/m; "
                "materials do not determine it",
                law);
        else if (!stiff && !material)
            lashi_complain(check, subject, "clearance",
                           "clearance: give either materials or contact.stiffness, the contact needs one");
        if (strcmp(law, "kelvin-voigt") == 0 && !isnan(contact->exponent) && contact->exponent != 1)
            lashi_complain(check, subject, "clearance.contact.exponent",
                           "clearance.contact.exponent: the law %s is linear; leave it out", law);
        if (strcmp(law, "kelvin-voigt") == 0 && contact->approach && strcmp(contact->approach, "energy") == 0)
            lashi_complain(check, subject, "clearance.contact.approach",
                           "clearance.contact.approach: the law %s does not depend on the approach speed; "
                           "leave it out",
                           law);
        if (contact->damping && strcmp(contact->damping, "none") != 0)
            lashi_complain(check, subject, "clearance.contact.damping",
                           "clearance.contact.damping belongs to the cylinder laws; %s has its own", law);
    }
    if (damped && isnan(contact->restitution))
        lashi_complain(check, subject, "clearance.contact.restitution",
                       "clearance.contact.restitution is missing: %s needs it, for example restitution: 0.9",
                       cylinder ? "its damping" : law);
    if (strcmp(law, "goldsmith") == 0)
        lashi_warn(check, subject, "clearance.contact.law",
                   "the law goldsmith is dimensionally inconsistent as published; its numbers hold in SI "
                   "units alone");
}

static void check_friction(lashi_check *check, lashi_subject subject, const lash_friction_def *friction) {
    if (!friction->law || strcmp(friction->law, "none") == 0)
        return;
    if (isnan(friction->coefficient))
        lashi_complain(check, subject, "clearance.friction.coefficient",
                       "clearance.friction.coefficient is missing: the law %s needs it", friction->law);
    if (strcmp(friction->law, "lugre") == 0 && friction->coefficient == 0)
        lashi_complain(check, subject, "clearance.friction.coefficient",
                       "clearance.friction.coefficient must be greater than zero for lugre; without friction "
                       "write law: none");
    if (strcmp(friction->law, "ambrosio") == 0 && friction->v0 >= friction->v1)
        lashi_complain(check, subject, "clearance.friction.v0",
                       "clearance.friction: v0 (%g m/s) must be smaller than v1 (%g m/s)", friction->v0,
                       friction->v1);
    if (friction->coefficient_static < friction->coefficient)
        lashi_complain(check, subject, "clearance.friction.coefficient_static",
                       "clearance.friction.coefficient_static (%g) must not be smaller than coefficient (%g)",
                       friction->coefficient_static, friction->coefficient);
}

/* Pins have films in the plane, balls in space. */
static bool film_fits(lashi_check *check, lashi_subject subject, const lash_lubricant_def *oil, bool pin) {
    const bool planar = check->model->space == LASH_PLANAR, ball_film = lashi_film_is_ball(oil->film);
    if (pin) {
        lashi_complain(check, subject, "clearance.lubricant",
                       "clearance.lubricant: a pin in space has no film model, as it may tilt; leave it out, "
                       "or model the joint in the plane");
        return false;
    }
    if (!is_named(oil->film, lashi_film_name))
        return true; // said by its key
    if (planar && ball_film)
        lashi_complain(check, subject, "clearance.lubricant.film",
                       "clearance.lubricant.film: %s is the film of a ball in its socket, in space; a pin in "
                       "the plane takes another, for example reynolds",
                       oil->film);
    if (!planar && !ball_film)
        lashi_complain(check, subject, "clearance.lubricant.film",
                       "clearance.lubricant.film: %s is the film of a pin in the plane; a ball in its socket "
                       "takes film: squeeze-ball",
                       oil->film);
    if (!planar && oil->extent && strcmp(oil->extent, "half") == 0)
        lashi_complain(check, subject, "clearance.lubricant.extent",
                       "clearance.lubricant.extent: the film of a ball is full; leave it out");
    return planar != ball_film;
}

static void check_lubricant(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                            bool pin_in_space) {
    const lash_lubricant_def *oil = &play->lubricant;
    if (!film_fits(check, subject, oil, pin_in_space))
        return;
    const bool ball = lashi_film_is_ball(oil->film);
    const bool direct =
        !isnan(oil->viscosity) || lashi_was_bad(check, subject, "clearance.lubricant.viscosity");
    const bool grade = oil->oil || lashi_was_bad(check, subject, "clearance.lubricant.oil");
    if (direct && grade)
        lashi_complain(check, subject, "clearance.lubricant.viscosity",
                       "clearance.lubricant: viscosity and oil are both given; give one");
    else if (!direct && !grade)
        lashi_complain(
            check, subject, "clearance.lubricant",
            "clearance.lubricant: its viscosity is missing; give viscosity (for example 40 cP), or oil "
            "and temperature (for example oil: SAE 30, temperature: 80 degC)");
    if (grade && isnan(oil->temperature) && !lashi_was_bad(check, subject, "clearance.lubricant.temperature"))
        lashi_complain(
            check, subject, "clearance.lubricant",
            "clearance.lubricant.temperature is missing: the viscosity of an oil grade needs it, for "
            "example temperature: 80 degC");
    lash_error refusal = {0};
    double viscosity;
    if (oil->oil && !isnan(oil->temperature) &&
        lash_oil_viscosity(&viscosity, NULL, oil->oil, oil->temperature, &refusal))
        lashi_complain(check, subject, "clearance.lubricant.oil", "clearance.lubricant.oil: %s",
                       refusal.message);
    if (!ball && isnan(play->length) && !lashi_was_bad(check, subject, "clearance.length"))
        lashi_complain(check, subject, "clearance.lubricant",
                       "clearance.length is missing: a film needs the bearing's length");
    const bool groove = oil->inlet && strcmp(oil->inlet, "groove") == 0;
    if (oil->inlet && strcmp(oil->inlet, "periodic") != 0 && strcmp(oil->film, "reynolds") != 0 &&
        is_named(oil->film, lashi_film_name))
        lashi_complain(check, subject, "clearance.lubricant.inlet",
                       "clearance.lubricant.inlet: the film %s knows no inlet; leave it out%s", oil->film,
                       ball ? "" : ", or take film: reynolds");
    else if (groove && !isfinite(oil->groove))
        lashi_complain(check, subject, "clearance.lubricant.inlet",
                       "clearance.lubricant.inlet: where is the groove? Write for example inlet: groove at "
                       "90 deg, an angle in the first body's axes");
    for (int k = 0; k < 2; k++) // like with like; the rest is seen when the clearance is known
        if (oil->dry && oil->transition[k] >= oil->reserve[k])
            lashi_complain(
                check, subject, "clearance.lubricant.e0",
                "clearance.lubricant.e0 (%g) must be smaller than e1 (%g): the film must stay open over the "
                "whole transition",
                oil->transition[k], oil->reserve[k]);
}

// A gear in space couples the angles of two joints.
static void check_gear(lashi_check *check, lashi_subject subject, const char *const joints[2]) {
    for (int k = 0; k < 2; k++) {
        const size_t index = joints[k] ? lashi_model_find_joint(check->model, joints[k]) : LASHI_NONE;
        if (index == LASHI_NONE)
            return; // said already
        const char *type = check->model->joints[index].def.type;
        if (lashi_joint_schema_find(type, check->model->space) && lashi_joint_coordinate(type) != 'r')
            lashi_complain(check, subject, "joints",
                           "joints: the joint '%s' is of type %s and has no angle; a gear couples revolute, "
                           "cylindrical or screw joints",
                           joints[k], type);
    }
    if (strcmp(joints[0], joints[1]) == 0)
        lashi_complain(check, subject, "joints", "joints: both are '%s'; name the joint of each wheel",
                       joints[0]);
}

// Contact as a constraint: what it needs, and keys of compliant contact that it does not read.
static void check_constraint(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                             bool pin) {
    const bool modes = strcmp(play->model, "three-mode") == 0;
    const bool friction = play->friction.law && strcmp(play->friction.law, "none") != 0;
    const struct {
        const char *key;
        bool given;
    } unread[] = {{"clearance.materials", play->materials[0] != NULL},
                  {"clearance.contact.stiffness", !isnan(play->contact.stiffness)},
                  {"clearance.contact.restitution", !isnan(play->contact.restitution)},
                  {"clearance.friction.law", !modes && friction}};
    for (size_t k = 0; k < sizeof unread / sizeof *unread; k++)
        if (unread[k].given)
            lashi_warn(check, subject, unread[k].key, "%s is not used: the contact of model %s is %s",
                       unread[k].key, play->model, k < 3 ? "rigid" : "frictionless");
    if (pin)
        lashi_complain(check, subject, "clearance.model",
                       "clearance.model %s: in space only ball joints have it; a pin's play is compliant",
                       play->model);
    if (play->has_lubricant)
        lashi_complain(check, subject, "clearance.lubricant",
                       "clearance.lubricant does not go with the model %s; take model: compliant",
                       play->model);
    if (modes && isnan(play->restitution) && !lashi_was_bad(check, subject, "clearance.restitution"))
        lashi_complain(check, subject, "clearance",
                       "clearance.restitution is missing: three-mode needs it, for example restitution: 0.9");
    if (play->restitution > 1)
        lashi_complain(check, subject, "clearance.restitution",
                       "clearance.restitution must lie in [0, 1], it is %g", play->restitution);
    if (modes && play->stop_at_loss)
        lashi_complain(check, subject, "clearance.stop_at_loss",
                       "clearance.stop_at_loss belongs to permanent-contact; in three-mode lost contact is "
                       "free flight");
    if (modes && friction && check->model->space == LASH_SPATIAL)
        lashi_complain(check, subject, "clearance.friction.law",
                       "clearance.friction: in space the model three-mode is frictionless; leave it out");
    if (modes && friction && strcmp(play->friction.law, "lugre") == 0)
        lashi_complain(check, subject, "clearance.friction.law",
                       "clearance.friction.law lugre does not go with the model three-mode, whose contact "
                       "has no bristles; take ambrosio or threlfall");
    if (modes && friction && play->sliding && strcmp(play->sliding, "geometric") == 0)
        lashi_complain(check, subject, "clearance.sliding",
                       "clearance.sliding geometric does not go with the model three-mode: where journal and "
                       "bearing touch without penetration it is zero; leave it out");
}

// Compliant contact has its own restitution, and no loss that would have to be stopped at.
static void check_compliant(lashi_check *check, lashi_subject subject, const lash_clearance_def *play) {
    if (!isnan(play->restitution))
        lashi_complain(check, subject, "clearance.restitution",
                       "clearance.restitution belongs to the model three-mode; compliant contact has "
                       "contact.restitution");
    if (play->stop_at_loss)
        lashi_complain(check, subject, "clearance.stop_at_loss",
                       "clearance.stop_at_loss belongs to the model permanent-contact");
}

void lashi_check_joint(lashi_check *check, const lashi_named_joint *joint) {
    lashi_subject subject = {"joint", joint->name};
    check_ends(check, subject, joint->def.between);
    if (check->model->space == LASH_SPATIAL && strcmp(joint->def.type, "gear") == 0)
        check_gear(check, subject, joint->def.joints);
    const lash_space space = check->model->space;
    const lashi_kind *kind = lashi_joint_schema_find(joint->def.type, space);
    if (!joint->def.has_clearance)
        return;
    if (!kind || !lashi_kind_find(kind, "clearance", space)) {
        lashi_complain(check, subject, "clearance", "a joint of type %s cannot have play", joint->def.type);
        return;
    }
    if (lashi_was_bad(check, subject, "clearance"))
        return;
    const lashi_key *axis = lashi_kind_find(kind, "axis", space);
    const bool pin = space == LASH_SPATIAL && axis && lashi_fits(axis->space, space);
    const char *model = joint->def.clearance.model;
    const bool compliant = !model || strcmp(model, "compliant") == 0,
               friction = joint->def.clearance.friction.law &&
                          strcmp(joint->def.clearance.friction.law, "none") != 0;
    if (lashi_was_bad(check, subject, "clearance.model"))
        return;
    check_size(check, subject, &joint->def.clearance, pin);
    if (isnan(joint->def.clearance.bearing_radius) &&
        !lashi_was_bad(check, subject, "clearance.bearing_radius") &&
        (compliant || (friction && strcmp(model, "three-mode") == 0) ||
         !isnan(joint->def.clearance.journal_radius)))
        lashi_complain(check, subject, "clearance",
                       "clearance.bearing_radius is missing: radius of the bearing (first end)");
    if (compliant)
        check_compliant(check, subject, &joint->def.clearance);
    else
        check_constraint(check, subject, &joint->def.clearance, pin);
    if (space == LASH_SPATIAL)
        check_pin(check, subject, &joint->def.clearance, pin);
    // An unknown law is complained about by its key; what it would need is not known.
    if (compliant && is_named(joint->def.clearance.contact.law, lashi_normal_law_name))
        check_contact(check, subject, &joint->def.clearance);
    if (compliant && joint->def.clearance.has_lubricant &&
        !lashi_was_bad(check, subject, "clearance.lubricant"))
        check_lubricant(check, subject, &joint->def.clearance, pin);
    if (is_named(joint->def.clearance.friction.law, lashi_friction_law_name))
        check_friction(check, subject, &joint->def.clearance.friction);
}

// ---- tables

// A spline goes where no point is; `other` is what does not, and its price.
static void check_table(lashi_check *check, lashi_subject subject, const lash_table *table,
                        const char *other) {
    double x = 0, y = 0;
    const double share = table ? lashi_table_overshoot(table, &x, &y) : 0;
    if (share > OVERSHOOT)
        lashi_warn(
            check, subject, "table",
            "table: between its points the spline goes beyond them by up to %.2g %% of their range: it "
            "is %.4g at x = %.4g. Give more points there, or %s",
            100 * share, y, x, other);
}

// ---- drives

static void check_ramp(lashi_check *check, lashi_subject subject, const lash_drive_def *def) {
    const struct {
        const char *key;
        double value;
    } parts[] = {{"ramp.from", def->ramp_from}, {"ramp.to", def->ramp_to}, {"ramp.over", def->ramp_over}};
    for (size_t i = 0; i < 3; i++) {
        if (isnan(parts[i].value))
            lashi_complain(check, subject, parts[i].key, "%s is missing; write ramp: {to: 100, over: 0.5 s}",
                           parts[i].key);
        else if (!isfinite(parts[i].value))
            lashi_complain(check, subject, parts[i].key, "%s must be a finite number", parts[i].key);
    }
    if (def->ramp_over <= 0)
        lashi_complain(check, subject, "ramp.over", "ramp.over must be greater than zero, it is %g s",
                       def->ramp_over);
}

void lashi_check_drive(lashi_check *check, const lashi_named_drive *drive) {
    const lash_drive_def *def = &drive->def;
    lashi_subject subject = {"drive", drive->name};
    if (lashi_was_bad(check, subject, ""))
        return;
    bool joint = def->joint || lashi_was_bad(check, subject, "joint");
    bool body = def->body || lashi_was_bad(check, subject, "body");
    if (!joint && !body)
        lashi_complain(check, subject, "", "what it drives is missing; give joint (its coordinate)%s",
                       check->model->space == LASH_PLANAR ? " or body (its angle)" : "");
    if (joint && body)
        lashi_complain(check, subject, "body", "joint and body are both given; a drive has one of them");
    if (def->joint)
        check_coordinate(check, subject, "joint", def->joint, def->coordinate);

    bool ramp = !isnan(def->ramp_to) || !isnan(def->ramp_over) || lashi_was_bad(check, subject, "ramp.to") ||
                lashi_was_bad(check, subject, "ramp.over");
    const struct {
        const char *key;
        bool given;
    } profiles[] = {{"speed", !isnan(def->speed) || lashi_was_bad(check, subject, "speed")},
                    {"motion", def->motion || lashi_was_bad(check, subject, "motion")},
                    {"ramp", ramp},
                    {"table", def->table || lashi_was_bad(check, subject, "table")}};
    const char *first = NULL;
    for (size_t i = 0; i < 4; i++) {
        if (profiles[i].given && first)
            lashi_complain(check, subject, profiles[i].key,
                           "%s and %s are both given; a drive has one profile: speed, motion, ramp or table",
                           first, profiles[i].key);
        else if (profiles[i].given)
            first = profiles[i].key;
    }
    if (!first)
        lashi_complain(check, subject, "", "its profile is missing; give speed, motion, ramp or table");
    if (ramp)
        check_ramp(check, subject, def);
    if (!isnan(def->start) && first && strcmp(first, "speed") != 0 && strcmp(first, "ramp") != 0)
        lashi_complain(check, subject, "start",
                       "start goes with speed or ramp; %s says itself where it begins", first);
    check_table(check, subject, def->table,
                "take interpolation: monotone, whose acceleration jumps at the points");
    if (def->motion) {
        lashi_jet jet = lashi_expression_jet(def->motion, 0);
        if (!isfinite(jet.f) || !isfinite(jet.df) || !isfinite(jet.ddf))
            lashi_complain(check, subject, "motion",
                           "motion or one of its first two derivatives is not finite at t = 0");
    }

    // Two drives of one coordinate contradict each other.
    size_t j = lashi_model_find_joint(check->model, def->joint);
    size_t b = lashi_model_find_body(check->model, def->body);
    const size_t travel = def->coordinate && strcmp(def->coordinate, "travel") == 0;
    const char **driver = j != LASHI_NONE   ? &check->joint_drivers[2 * j + travel]
                          : b != LASHI_NONE ? &check->body_drivers[b]
                                            : NULL;
    if (driver && *driver)
        lashi_complain(check, subject, def->joint ? "joint" : "body",
                       "'%s' is driven by '%s' already; leave one of the two out",
                       def->joint ? def->joint : def->body, *driver);
    else if (driver)
        *driver = drive->name;
}

// ---- forces

static void check_finite(lashi_check *check, lashi_subject subject, const char *key,
                         const lash_expression *expression) {
    if (expression && !isfinite(lashi_expression_value(expression, 0)))
        lashi_complain(check, subject, key, "%s is not finite at t = 0", key);
}

void lashi_check_force(lashi_check *check, const lashi_named_force *force) {
    const lash_force_def *def = &force->def;
    lashi_subject subject = {"force", force->name};
    if (lashi_was_bad(check, subject, ""))
        return;
    check_ends(check, subject, def->between);
    if (def->joint)
        check_coordinate(check, subject, "joint", def->joint, def->coordinate);
    if (def->over)
        check_coordinate(check, subject, "over", def->over, NULL);
    size_t body;
    double at[3];
    if (def->at && lashi_model_find_point(&body, at, check->model, def->at) && body == LASHI_GROUND_BODY)
        lashi_complain(check, subject, "at",
                       "at: a force on the ground has no effect; name a point of a body");
    if (def->body && def->reaction && strcmp(def->body, def->reaction) == 0)
        lashi_complain(check, subject, "reaction",
                       "reaction: '%s' would take its own torque back; name another body", def->body);
    for (size_t i = 0; i < 3; i++)
        check_finite(check, subject, "force", def->force[i]);
    for (size_t i = 0; i < 3; i++)
        check_finite(check, subject, "torque", def->torques[i]);
    check_finite(check, subject, "torque", def->torque);
    check_finite(check, subject, "actuator", def->actuator);
    check_table(check, subject, def->table, "leave interpolation out: the default does not overshoot");
    if (def->table && def->period > 0 && lashi_table_beyond(def->table) != LASH_BEYOND_ERROR)
        lashi_complain(check, subject, "period",
                       "period and beyond are both given; a table that repeats has no end");

    // A load acts at a point, in a direction, or along a joint's coordinate.
    const bool planar = check->model->space == LASH_PLANAR;
    const lashi_kind *kind = lashi_force_schema_find(def->type, check->model->space);
    if (!kind || !lashi_kind_find(kind, "direction", check->model->space))
        return;
    bool point = def->at || lashi_was_bad(check, subject, "at");
    bool joint = def->joint || lashi_was_bad(check, subject, "joint");
    if (point == joint)
        lashi_complain(check, subject, joint ? "joint" : "",
                       "give either at with direction (a force at a point) or joint (along its coordinate)");
    else if (point && isnan(def->direction[0]))
        lashi_complain(check, subject, "direction", "direction is missing; give for example direction: %s",
                       planar ? "[-1, 0]" : "[-1, 0, 0]");
    else if (point && def->direction[0] == 0 && def->direction[1] == 0 && (planar || def->direction[2] == 0))
        lashi_complain(check, subject, "direction",
                       "direction has none: not all of its components may be zero");
}

// ---- run

/* "20 rev of motor" as a key of its own, so that its message is like every other one's. */
static const lashi_key until_keys[] = {{.name = "until",
                                        .type = LASHI_OBJECT,
                                        .fallback = NULL,
                                        .doc = "the drive whose turns are counted",
                                        .targets = LASHI_DRIVES},
                                       {0}};

void lashi_check_run(lashi_check *check) {
    const lash_model *model = check->model;
    const lash_run_def *run = &model->run;
    lashi_subject subject = {"model", NULL};
    lashi_check_keys(check, subject, run, &lashi_run_kind, "run");

    if (!isnan(run->until) && !(run->until > 0 && isfinite(run->until)))
        lashi_complain(check, subject, "run.until", "run.until must be greater than zero, it is %g s",
                       run->until);
    if (!isnan(run->until_turns)) {
        size_t index = lashi_model_find_drive(model, run->until_drive);
        if (!(run->until_turns > 0 && isfinite(run->until_turns)))
            lashi_complain(check, subject, "run.until", "run.until must be greater than zero, it is %g rev",
                           run->until_turns);
        else if (index == LASHI_NONE)
            lashi_check_keys(check, subject, &run->until_drive, &(lashi_kind){.keys = until_keys}, "run");
        else if (model->drives[index].def.joint &&
                 coordinate_of(model, model->drives[index].def.joint) == 't')
            lashi_complain(check, subject, "run.until",
                           "run.until: the drive '%s' slides and makes no turns; give a time",
                           run->until_drive);
        if (!isnan(run->until))
            lashi_complain(check, subject, "run.until",
                           "run.until: a time and turns of a drive are both given; give one");
    }
    const struct {
        const char *key;
        double value;
    } tolerances[] = {{"run.rtol", run->rtol}, {"run.atol", run->atol}};
    for (size_t i = 0; i < 2; i++) {
        if (tolerances[i].value >= 1)
            lashi_complain(check, subject, tolerances[i].key,
                           "%s %g is no tolerance; it must be smaller than 1, for example 1e-8",
                           tolerances[i].key, tolerances[i].value);
        else if (tolerances[i].value > 0 && tolerances[i].value < LEAST_TOLERANCE)
            lashi_complain(check, subject, tolerances[i].key,
                           "%s %g is less than double precision can hold: at least %g, for example 1e-10",
                           tolerances[i].key, tolerances[i].value, LEAST_TOLERANCE);
    }
    if (!isnan(run->samples) && !isnan(run->every))
        lashi_complain(check, subject, "run.every",
                       "run.samples and run.every are both given; give one of them");
    if (run->first_step > run->max_step)
        lashi_complain(check, subject, "run.first_step",
                       "run.first_step (%g s) must not be longer than run.max_step (%g s)", run->first_step,
                       run->max_step);
}
