/* SPDX-License-Identifier: MIT
 *
 * What the friction of an ideal joint must have.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/rules.h"

/* Play that does what the constraint did. */
static const char *play_of(const lash_joint_def *def) {
    return def->has_clearance ? "clearance" : def->has_backlash ? "backlash" : NULL;
}

/* Left out, or zero; what is negative is said by its key. */
static bool is_nothing(double size) {
    return isnan(size) || size == 0;
}

/* Sizes that the load needs; without one the words of its key say what happens. */
static void check_sizes(lashi_check *check, lashi_subject subject, const lash_joint_def *def) {
    const lashi_kind *kind = lashi_joint_schema_find(def->type, check->model->space);
    const lashi_key *friction = kind ? lashi_kind_find(kind, "friction", check->model->space) : NULL, *key;
    const bool regular = strcmp(def->friction.law.law, "coulomb") != 0;
    for (size_t i = 0; friction && (key = lashi_kind_key(friction->block, i)) != NULL; i++) {
        char path[64];
        snprintf(path, sizeof path, "friction.%s", key->name);
        if (!key->fallback || strcmp(key->fallback, LASHI_NEEDED_BY_LOAD) != 0 ||
            lashi_key_is_set(key, &def->friction) || lashi_was_bad(check, subject, path))
            continue;
        if (def->friction.law.coefficient > 0)
            lashi_complain(check, subject, path, "%s is missing: friction that depends on the load needs it",
                           path);
        else if (regular && strcmp(key->name, "radius") == 0)
            lashi_complain(check, subject, path,
                           "%s is missing: the law %s depends on the sliding speed there", path,
                           def->friction.law.law);
    }
}

void lashi_check_rubbing(lashi_check *check, lashi_subject subject, const lash_joint_def *def) {
    const lash_rubbing_def *friction = &def->friction;
    const bool mesh = !isnan(friction->loss);
    size_t known = 0;
    while (friction->law.law && lashi_friction_law_name(known) &&
           strcmp(friction->law.law, lashi_friction_law_name(known)) != 0)
        known++;
    if (!friction->law.law || !lashi_friction_law_name(known) || strcmp(friction->law.law, "none") == 0)
        return; // unknown: said by its key
    if (play_of(def)) {
        lashi_complain(check, subject, "friction", "friction: the joint has play; %s",
                       def->has_clearance
                           ? "give its friction in the clearance block, as clearance: {friction: …}"
                           : "the loss of an ideal mesh cannot be combined with backlash; leave it out");
        return;
    }
    if (friction->loss == 1)
        lashi_complain(check, subject, "friction.loss", "friction.loss must be smaller than 1, it is %g",
                       friction->loss);
    if (!mesh && is_nothing(friction->law.coefficient) && is_nothing(friction->torque) &&
        is_nothing(friction->force) && !lashi_was_bad(check, subject, "friction.coefficient") &&
        !lashi_was_bad(check, subject, "friction.torque") &&
        !lashi_was_bad(check, subject, "friction.force") && !lashi_was_bad(check, subject, "friction.loss"))
        lashi_complain(
            check, subject, "friction",
            "friction has no size: give coefficient, for friction that depends on the load, or a constant "
            "%s; without friction write law: none",
            lashi_joint_coordinate(def->type) == 't' || lashi_joint_has_both(def->type) ? "force" : "torque");
    if (!mesh && friction->law.coefficient_static >= 0 && !(friction->law.coefficient > 0))
        lashi_complain(check, subject, "friction.coefficient_static",
                       "friction.coefficient_static needs a coefficient");
    check_sizes(check, subject, def);
    lashi_friction_check(check, subject, "friction", &friction->law);
}
