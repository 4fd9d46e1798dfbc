/* SPDX-License-Identifier: MIT
 *
 * Rules that kinds of play share: what the check of a model says about their laws.
 */
#ifndef LASHI_RULES_H
#define LASHI_RULES_H

#include "model/check.h"

/* What a kind of play can be. */
enum {
    LASHI_ALLOWS_MODES = 1,     /* model: three-mode … */
    LASHI_ALLOWS_RUBBING = 2,   /* … with friction */
    LASHI_ALLOWS_PERMANENT = 4, /* model: permanent-contact */
    LASHI_ALLOWS_CYLINDER = 8   /* laws of a cylinder in its bearing */
};

/* Whether the word is one of a list of names. */
bool lashi_is_named(const char *word, const char *(*name)(size_t index));
bool lashi_is_compliant(const lash_clearance_def *play);
/* Contact, friction and model of a `clearance` block. */
void lashi_laws_check(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                      unsigned allows);

/* A force law by itself, whose stiffness is given: `prefix` is where it stands. */
void lashi_force_law_check(lashi_check *check, lashi_subject subject, const char *prefix,
                           const lash_contact_def *contact);

/* Numbers of a friction law that must fit each other: `prefix` is where they stand. */
void lashi_friction_check(lashi_check *check, lashi_subject subject, const char *prefix,
                          const lash_friction_def *friction);

/* Pins and balls: what touches. */
typedef enum lashi_round_shape { LASHI_ROUND_PIN, LASHI_ROUND_BALL, LASHI_ROUND_ENDS } lashi_round_shape;
void lashi_round_check(lashi_check *check, lashi_subject subject, const lash_clearance_def *play,
                       lashi_round_shape shape);

#endif
