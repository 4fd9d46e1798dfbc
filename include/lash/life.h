/* SPDX-License-Identifier: MIT
 *
 * lash_life: how a machine wears over its life.
 *
 *   lash_life_limit_read(&limit, sim, "play gudgeon", "0.3 mm", &error);
 *   const lash_life_options options = {.limits = &limit, .limit_count = 1, .store = "life.db"};
 *   lash_life_run(&life, system, &options, &error);
 *
 * Turns are computed until what they wear off repeats, or its mean is steady; that is extrapolated over many
 * turns, whose number follows from the tolerance; and so on until a limit is reached. A turn is one of the
 * first drive, or of the model's settle_period. Stages are written as they are found; a life that was
 * stopped continues where it was, and ends with the same numbers.
 */
#ifndef LASH_LIFE_H
#define LASH_LIFE_H

#include "lash/wear.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lash_life lash_life;

typedef enum lash_life_limit_kind {
    LASH_LIFE_TURNS,
    LASH_LIFE_HOURS,
    LASH_LIFE_PLAY, /* of a joint that wears: lash_worn_play */
    LASH_LIFE_MAX   /* the largest value of a channel in a turn, without its sign */
} lash_life_limit_kind;

enum { LASH_LIFE_TEXT = 128 };
typedef struct lash_life_limit {
    lash_life_limit_kind kind;
    char subject[LASH_LIFE_TEXT]; /* joint or channel; "" without one */
    double value;                 /* turns, h, m, or of the channel's unit */
} lash_life_limit;
/* From "turns", "hours", "play JOINT" or "max CHANNEL" and a value with its unit. sim: of the machine. */
lash_status lash_life_limit_read(lash_life_limit *out, const lash_sim *sim, const char *key,
                                 const char *value, lash_error *error);

/* A joint at a stage of the life. */
typedef struct lash_life_joint {
    lash_worn_shape shape;
    double volume;                          /* m³, worn off since the beginning */
    double wear;                            /* m³ per turn */
    double deepest[LASH_WORN_PARTS], play;  /* m */
    double peak_force;                      /* N, largest normal force in a turn */
    double impacts, energy_lost;            /* per turn; J */
    const double *profile[LASH_WORN_PARTS]; /* [count], as of lash_worn_info */
} lash_life_joint;

typedef struct lash_life_stage {
    double turns, hours;            /* since the beginning */
    double torque_peak, torque_rms; /* of the first drive in a turn; NaN without a drive */
    double turns_run, turns_kept;   /* turns that were computed here, and how many of them were averaged */
    bool repeats;                   /* the last ones repeat each other; else: their mean */
    double spread; /* relative difference of the turns compared, or standard error of the mean */
    size_t joint_count;
    const lash_life_joint *joints;
} lash_life_stage;

typedef struct lash_life_progress {
    double turns;    /* so far */
    double fraction; /* of the way to the nearest limit, in turns or wear, 0 to 1 */
    double elapsed;  /* s */
    size_t stages;
} lash_life_progress;

typedef struct lash_life_options {
    const lash_life_limit *limits; /* the first that is reached ends the life */
    size_t limit_count;
    double tolerance;     /* of the profiles' depths, of the deepest; 0: 0.02 */
    double turn_by_turn;  /* every turn is computed, nothing is extrapolated, if it is not 0 */
    size_t most_turns;    /* that are computed at one stage; 0: 200 */
    const char *store;    /* SQLite file; NULL: none */
    const char *settings; /* what the store is compared by besides the model's text; may be NULL */
    /* Called now and then; false stops the life, which can continue later. May be NULL. */
    bool (*progress)(void *user, const lash_life_progress *progress);
    void *user;
} lash_life_options;

/* The profiles of the system are changed. LASH_STOP_INTERRUPTED when `progress` said so: *out then holds what
 * was found. */
lash_status lash_life_run(lash_life **out, lash_system *system, const lash_life_options *options,
                          lash_error *error);
/* From a file, finished or not. */
lash_status lash_life_open(lash_life **out, const char *path, lash_error *error);
void lash_life_destroy(lash_life *life);

size_t lash_life_stage_count(const lash_life *life);
const lash_life_stage *lash_life_stage_at(const lash_life *life, size_t index); /* NULL past the end */
/* m, [count] coefficients of a joint's part after so many turns: between two stages they grow linearly.
 * NaN: at the last stage. */
lash_status lash_life_profile(double *out, const lash_life *life, size_t joint, int part, double turns,
                              lash_error *error);
/* The life that was found, in turns and hours, and the limit that ended it as "play gudgeon"; NaN and NULL:
 * it has not ended. */
double lash_life_turns(const lash_life *life);
double lash_life_hours(const lash_life *life);
const char *lash_life_end(const lash_life *life);
const char *lash_life_title(const lash_life *life);

#ifdef __cplusplus
}
#endif
#endif
