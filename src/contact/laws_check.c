/* SPDX-License-Identifier: MIT
 *
 * What the laws of a contact ask for together, whatever its kind: stiffness or materials, restitution,
 * friction, and what goes with a contact that is a constraint.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/rules.h"

bool lashi_is_named(const char *word, const char *(*name)(size_t index)) {
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

static bool is_cylinder_law(const char *law) {
    static const char *const cylinder_laws[] = {"dubowsky-freudenstein", "goldsmith", "esdu-78035", "johnson",
                                                NULL};
    return is_one_of(law, cylinder_laws);
}

void lashi_force_law_check(lashi_check *check, lashi_subject subject, const char *prefix,
                           const lash_contact_def *contact) {
    char key[64];
    if (!lashi_is_named(contact->law, lashi_normal_law_name))
        return; // said by its key
    snprintf(key, sizeof key, "%s.law", prefix);
    if (is_cylinder_law(contact->law))
        lashi_complain(
            check, subject, key,
            "%s: %s is a law of a pin in its bearing; take another, for example lankarani-nikravesh", key,
            contact->law);
    snprintf(key, sizeof key, "%s.restitution", prefix);
    if (strcmp(contact->law, "hertz") != 0 && isnan(contact->restitution) && !is_cylinder_law(contact->law) &&
        !lashi_was_bad(check, subject, key))
        lashi_complain(
            check, subject, key,
            "%s is missing: %s needs it, for example restitution: 0.9; or take law: hertz, without "
            "damping",
            key, contact->law);
    snprintf(key, sizeof key, "%s.exponent", prefix);
    if (strcmp(contact->law, "kelvin-voigt") == 0 && !isnan(contact->exponent) && contact->exponent != 1)
        lashi_complain(check, subject, key, "%s: the law %s is linear; leave it out", key, contact->law);
}

static void check_contact(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                          unsigned allows) {
    const lash_contact_def *contact = &play->contact;
    const char *law = contact->law ? contact->law : "";
    bool cylinder = is_cylinder_law(law), damped = strcmp(law, "hertz") != 0;
    bool stiff = !isnan(contact->stiffness) || lashi_was_bad(check, subject, "clearance.contact.stiffness");
    bool material = play->materials[0] || lashi_was_bad(check, subject, "clearance.materials");
    if (cylinder && !(allows & LASHI_ALLOWS_CYLINDER)) {
        lashi_complain(
            check, subject, "clearance.contact.law",
            "clearance.contact.law: %s is a law of a pin in its bearing; take another, for example "
            "lankarani-nikravesh",
            law);
        return;
    }
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
            lashi_complain(check, subject, "clearance.contact.stiffness",
                           "clearance.contact.stiffness cannot be combined with the cylinder law %s, which "
                           "takes the materials; leave it out",
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
    const char *remembers = play->has_lubricant                                              ? "a film"
                            : play->friction.law && strcmp(play->friction.law, "lugre") == 0 ? "lugre"
                            : strcmp(law, "kelvin-voigt") == 0                               ? law
                                                                                             : NULL;
    if (contact->following && strcmp(contact->following, "reduce") == 0 && remembers)
        lashi_complain(
            check, subject, "clearance.contact.following",
            "clearance.contact.following: contact with %s cannot be reduced, since its force is not "
            "that of the depth alone; leave the key out",
            remembers);
    if (damped && isnan(contact->restitution))
        lashi_complain(check, subject, "clearance.contact.restitution",
                       "clearance.contact.restitution is missing: %s needs it, for example restitution: 0.9",
                       cylinder ? "its damping" : law);
    if (strcmp(law, "hertz") == 0 && !isnan(contact->restitution))
        lashi_warn(check, subject, "clearance.contact.restitution",
                   "clearance.contact.restitution is not used: the law hertz has no damping");
    if (strcmp(law, "goldsmith") == 0)
        lashi_warn(check, subject, "clearance.contact.law",
                   "the law goldsmith is dimensionally inconsistent as published; its numbers are valid only "
                   "in SI units");
}

void lashi_friction_check(lashi_check *check, lashi_subject subject, const char *prefix,
                          const lash_friction_def *friction) {
    char key[64];
    if (strcmp(friction->law, "ambrosio") == 0 && friction->v0 >= friction->v1) {
        snprintf(key, sizeof key, "%s.v0", prefix);
        lashi_complain(check, subject, key, "%s: v0 (%g m/s) must be smaller than v1 (%g m/s)", prefix,
                       friction->v0, friction->v1);
    }
    snprintf(key, sizeof key, "%s.coefficient_static", prefix);
    if (friction->coefficient_static < friction->coefficient)
        lashi_complain(check, subject, key, "%s (%g) must not be smaller than coefficient (%g)", key,
                       friction->coefficient_static, friction->coefficient);
}

static void check_friction(lashi_check *check, lashi_subject subject, const lash_clearance_def *play) {
    const lash_friction_def *friction = &play->friction;
    if (!friction->law || strcmp(friction->law, "none") == 0) {
        // `law: none` beside a coefficient is a switch that is off; a coefficient alone is a slip.
        if (lashi_was_given(check, subject, "clearance.friction.coefficient") &&
            !lashi_was_given(check, subject, "clearance.friction.law"))
            lashi_complain(check, subject, "clearance.friction",
                           "clearance.friction.law is missing: without a law there is no friction; take, for "
                           "example, law: ambrosio");
        return;
    }
    if (isnan(friction->coefficient))
        lashi_complain(check, subject, "clearance.friction.coefficient",
                       "clearance.friction.coefficient is missing: the law %s needs it", friction->law);
    if (friction->coefficient == 0 &&
        (strcmp(friction->law, "lugre") == 0 || strcmp(friction->law, "coulomb") == 0))
        lashi_complain(check, subject, "clearance.friction.coefficient",
                       "clearance.friction.coefficient must be greater than zero for %s; without friction "
                       "write law: none",
                       friction->law);
    if (strcmp(friction->law, "coulomb") == 0 && play->sliding && strcmp(play->sliding, "geometric") == 0)
        lashi_complain(check, subject, "clearance.sliding",
                       "clearance.sliding geometric cannot be combined with the law coulomb: what sticks are "
                       "material points; leave it out");
    lashi_friction_check(check, subject, "clearance.friction", friction);
}

// Contact as a constraint: what it needs, and keys of compliant contact that it does not read.
static void check_constraint(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                             unsigned allows) {
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
    if (!(allows & (modes ? LASHI_ALLOWS_MODES : LASHI_ALLOWS_PERMANENT)))
        lashi_complain(check, subject, "clearance.model",
                       "clearance.model %s: this kind of play does not have it; take model: compliant%s",
                       play->model, !modes && allows & LASHI_ALLOWS_MODES ? " or three-mode" : "");
    if (play->has_lubricant)
        lashi_complain(check, subject, "clearance.lubricant",
                       "clearance.lubricant cannot be combined with the model %s; take model: compliant",
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
    if (modes && friction && !(allows & LASHI_ALLOWS_RUBBING))
        lashi_complain(check, subject, "clearance.friction.law",
                       "clearance.friction: in space the model three-mode is frictionless; leave it out");
    if (modes && friction && strcmp(play->friction.law, "lugre") == 0)
        lashi_complain(check, subject, "clearance.friction.law",
                       "clearance.friction.law lugre cannot be combined with the model three-mode, whose "
                       "contact has no bristles; take ambrosio or threlfall");
    if (modes && friction && play->sliding && strcmp(play->sliding, "geometric") == 0)
        lashi_complain(check, subject, "clearance.sliding",
                       "clearance.sliding geometric cannot be combined with the model three-mode: where "
                       "journal and bearing touch without penetration it is zero; leave it out");
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

bool lashi_is_compliant(const lash_clearance_def *play) {
    return !play->model || strcmp(play->model, "compliant") == 0;
}

void lashi_laws_check(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                      unsigned allows) {
    if (!lashi_is_compliant(play))
        check_constraint(check, subject, play, allows);
    else
        check_compliant(check, subject, play);
    // An unknown law is complained about by its key; what it would need is not known.
    if (lashi_is_compliant(play) && lashi_is_named(play->contact.law, lashi_normal_law_name))
        check_contact(check, subject, play, allows);
    if (lashi_is_named(play->friction.law, lashi_friction_law_name))
        check_friction(check, subject, play);
}
