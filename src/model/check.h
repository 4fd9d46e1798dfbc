/* SPDX-License-Identifier: MIT
 *
 * Shared by the files of the model's check: where mistakes go, and how one is said.
 */
#ifndef LASHI_CHECK_H
#define LASHI_CHECK_H

#include "model/model.h"

typedef struct lashi_check {
    const lash_model *model;
    void (*report)(void *user, const lash_error *mistake); /* may be NULL */
    void *user;
    lash_error *first; /* may be NULL: the first mistake */
    size_t count;      /* mistakes so far, warnings not counted */
    const char **joint_drivers,
        **body_drivers; /* name of the drive of each joint (angle, travel) and body; NULL: none yet */
} lashi_check;

/* What a message is about: "joint", and the joint's name as the model holds it (NULL: the file or its run
 * block, whose keys are then "run.rtol"). */
typedef struct lashi_subject {
    const char *word, *name;
} lashi_subject;

/* Says that `key` (a path such as "clearance.radial", "" for the whole) of the subject is wrong; the message
 * begins with the subject. Nothing is said about a key or object whose reading failed. */
void lashi_complain(lashi_check *check, lashi_subject subject, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for something that is not a mistake. */
void lashi_warn(lashi_check *check, lashi_subject subject, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* True when the file has the key of the subject … */
bool lashi_was_given(const lashi_check *check, lashi_subject subject, const char *key);
/* … and when it could not be read. */
bool lashi_was_bad(const lashi_check *check, lashi_subject subject, const char *key);

/* What the keys alone show: missing, out of range, unknown word, no such object. */
void lashi_check_keys(lashi_check *check, lashi_subject subject, const void *definition,
                      const lashi_kind *kind, const char *prefix);

/* What several keys or objects together must fulfil. */
void lashi_check_body(lashi_check *check, const lashi_named_body *body);
void lashi_check_joint(lashi_check *check, const lashi_named_joint *joint);
/* The same for what a joint has where it is not ideal; in src/contact. */
void lashi_check_play(lashi_check *check, lashi_subject subject, const lash_joint_def *joint);
/* The same for the friction of an ideal joint; in src/contact. */
void lashi_check_rubbing(lashi_check *check, lashi_subject subject, const lash_joint_def *joint);
void lashi_check_drive(lashi_check *check, const lashi_named_drive *drive);
void lashi_check_force(lashi_check *check, const lashi_named_force *force);
void lashi_check_run(lashi_check *check);
/* check_signals.c: inputs, signals, and what expressions read. */
bool lashi_check_signals(lashi_check *check); /* false: out of memory */

#endif
