/* SPDX-License-Identifier: MIT
 *
 * Surfaces that wear: what a compiled system has of them, and what a sim has worn off.
 *
 * A profile is a worn depth over the angle in the part's own axes, or over the way along a channel: a sum of
 * cubic B-splines, one for each of `sectors` equal sectors, with the coefficients a_s at origin + s pitch. Its
 * integral is pitch Σ a_s. Of a channel two more follow: how far the two ends of the block's face there have
 * receded, the one behind first; between them the face stays straight. In a sim the profiles stay as they
 * are; what it wears off is counted, coefficient by coefficient. To continue with more wear: read it, add what
 * it gains to the profiles, and begin another sim.
 */
#ifndef LASH_WEAR_H
#define LASH_WEAR_H

#include "lash/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The two surfaces of a joint: of a pin those of bearing and journal, of a guide the faces of its channel, each
 * with the face of the block that it guides. */
enum { LASH_BEARING, LASH_JOURNAL, LASH_WORN_PARTS };
enum { LASH_UPPER, LASH_LOWER };
enum { LASH_WORN_CONTACTS = 4 }; /* of a joint's surfaces: one of a pin, four corners of a block */

typedef struct lash_worn_shape {
    const char *joint; /* its name; of a pin in space each end by itself: JOINT.end1 */
    bool closed;       /* around a circle, places in rad; else along a channel, in m */
    size_t sectors;
    size_t count;         /* of the coefficients: of the sectors, and of a channel two of the block */
    double origin, pitch; /* rad or m, place of the first coefficient, and from one to the next */
    double clearance;     /* m, play as new: radial; of a guide across both sides */
} lash_worn_shape;

/* What a part is called: "bearing" and "journal", of a channel "upper" and "lower"; NULL: none. */
const char *lash_worn_part(const lash_worn_shape *shape, int part);

/* A joint with worn surfaces, or with such that wear. */
typedef struct lash_worn_info {
    lash_worn_shape shape;
    size_t contacts,
        contact[LASH_WORN_CONTACTS]; /* those that wear it, as lash_system_clearance counts them */
    double k;                        /* m²/N, worn volume per load and sliding distance; 0: none */
    double share[LASH_WORN_PARTS];   /* of it: bearing and journal, channel and block */
    double depth[LASH_WORN_PARTS];   /* 1/m², of a coefficient per volume worn off there: of bearing and
                                      journal, of channel and block */
    const double *profile[LASH_WORN_PARTS]; /* m, [count] coefficients, of depths ≥ 0 */
} lash_worn_info;

size_t lash_system_worn_count(const lash_system *system);
/* All zeros past the end. */
lash_worn_info lash_system_worn(const lash_system *system, size_t index);
/* Other profiles for a joint, m, [count] coefficients each, of depths that are 0 or more and not larger than
 * contact laws allow. No sim of the system may be at work meanwhile; those that exist are to be begun again. */
lash_status lash_system_set_worn(lash_system *system, size_t index, const double *first, const double *second,
                                 lash_error *error);

/* m, worn depths of a joint as the model gives them, for a drawing (lash/scene.h counts the joints): [sectors] at
 * the places of the coefficients, of a channel [count] with the block's ends. `end`: of a pin in space 0 or 1,
 * else 0. `mark`: where the angle of a bearing is counted from, axes of its body. `depths` may
 * be NULL. Returns how many, 0: it is as new. */
size_t lash_scene_worn(double *depths, lash_worn_shape *shape, double mark[3], const lash_model *model,
                       size_t joint, int end, int part);

/* m, the depth of a profile at a place, of a channel without its block; the largest anywhere, of a channel with
 * the end of its block that is worn most. */
double lash_worn_depth(const lash_worn_shape *shape, const double *profile, double at);
double lash_worn_deepest(const lash_worn_shape *shape, const double *profile);
/* m³, the worn volume of a part with this profile. */
double lash_worn_volume(const lash_worn_info *worn, int part, const double *profile);
/* m, the play where both parts are worn most. */
double lash_worn_play(const lash_worn_info *worn);

/* What a sim has worn off a joint so far, m³; in `first` and `second` what each coefficient of its profiles has
 * of it, [count] each, which may be NULL. NaN: no such joint. */
double lash_sim_worn(double *first, double *second, const lash_sim *sim, size_t index);
/* m, what the coefficients of a part gain when so much is worn off, [count] each: none is negative, and the
 * volume is the same. */
void lash_worn_gain(double *gain, const lash_worn_info *worn, int part, const double *volumes);

#ifdef __cplusplus
}
#endif
#endif
