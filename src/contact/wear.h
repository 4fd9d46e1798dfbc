/* SPDX-License-Identifier: MIT
 *
 * What kinds with surfaces that wear share (worn.h, worn_pin.c, worn_end.c, worn_corner.c, worn_block_corner.c).
 */
#ifndef LASHI_WEAR_H
#define LASHI_WEAR_H

#include "contact/contact.h"

/* Of a gap with worn surfaces: the registers that it needs would be saved for every other kind. */
#ifdef LASHI_KERNEL
#define LASHI_APART
#else
#define LASHI_APART __attribute__((noinline))
#endif

/* The line along which the bed of a worn pin presses, in the plane across the bearing's axis. */
typedef struct lashi_worn_line {
    bool pressed;     /* else: the deepest place in free flight */
    lashi_vec2 along; /* unit, n in the bearing's axes */
    double beside;    /* m, s: from the journal's centre along t */
    double delta;     /* m, δ_e, or the deepest d */
    double share;     /* of the law's force; in flight: with which contact would begin */
} lashi_worn_line;
/* e from the bearing's centre to the journal's and α the journal's angle, both in the bearing's axes. */
lashi_worn_line lashi_worn_line_at(const lashi_contact *contact, lashi_vec2 e, double alpha);

/* The film of a round bearing with the same thinnest place on the line of centres, |e| = c + δ … */
lashi_film_motion lashi_worn_film(lashi_film_motion m, const lashi_contact *contact, const lashi_gap *gap);
/* … and what both its torques have more: they balance its forces there, and the centres are elsewhere. */
double lashi_worn_moved(const lashi_contact *contact, const lashi_gap *gap,
                        const lashi_film_force_result *film, double eps);

/* What the keys of a block `wear` must fulfil; `refused`: why this play has none, else NULL. `guide`: it is
 * that of a block in its channel. */
void lashi_wear_check(lashi_check *check, lashi_subject subject, const lash_clearance_def *play, bool guide,
                      const char *refused);
/* Surfaces of a pin, or of one of its ends: def has the length of it. */
lash_status lashi_wear_expand(lashi_contact *contact, lashi_expansion *out, const lash_clearance_def *def,
                              lash_error *error);
/* Those of a channel: of `count` contacts, corners of a block on two opposite faces. `width`: of the part of the
 * block that they stand for; `name`: of the surfaces, NULL: out of memory. */
lash_status lashi_wear_expand_guide(lashi_contact *const *corners, int count, lashi_expansion *out,
                                    double width, double play, const char *name, lash_error *error);

/* What the kinds of corners have as `wearing` and `wear`. slides: m/s along the channel, with a sign. */
lash_status lashi_channel_wearing(lashi_wear_motion *out, const lashi_contact *contact, double x,
                                  double slides, const lashi_gap *gap, lash_error *error);
void lashi_channel_wear(double *shares, const lashi_contact *contact, double x, double work);

#endif
