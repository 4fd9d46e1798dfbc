/* SPDX-License-Identifier: MIT
 *
 * A life in memory, shared by what computes it (life.c) and what keeps it (life_store.c).
 */
#ifndef LASHI_LIFE_H
#define LASHI_LIFE_H

#include "lash/life.h"
#include "study/study.h"

/* A stage, and what the next computation there begins from. */
typedef struct lashi_life_stage {
    lash_life_stage seen;
    lash_life_joint *joints; /* [joint_count] */
    double *profiles;        /* of all joints: those of both parts, [count] each */
    double jump;             /* turns that are tried next */
    lashi_state start;       /* of the machine, before the turns of this stage */
} lashi_life_stage;

struct lash_life {
    char *title;
    char **names;            /* [joint_count] */
    lash_worn_shape *shapes; /* [joint_count] they have these names, and words that last */
    size_t joint_count;
    lashi_life_stage *stages;
    size_t stage_count, capacity;
    double turns, hours; /* of the whole life; NaN: it has not ended */
    char end[LASH_LIFE_TEXT + 16];
};

/* Room for so many joints; names and shapes come later. */
lash_status lashi_life_create(lash_life **out, const char *title, size_t joints, lash_error *error);
/* The next joint's, with a copy of its name. */
lash_status lashi_life_shape(lash_life *life, size_t joint, const lash_worn_shape *shape, lash_error *error);
/* Doubles of all profiles. */
size_t lashi_life_width(const lash_life *life);
/* A new stage at the end, with room for everything; its numbers are zero. NULL: no memory. */
lashi_life_stage *lashi_life_add(lash_life *life);
/* Takes the last one away. */
void lashi_life_drop(lash_life *life);

/* ---- life_store.c ---- */

typedef struct lashi_life_store lashi_life_store;
/* Opens or creates the file; stages that are in it are added to the life. `key`: what it must agree with. */
lash_status lashi_life_store_open(lashi_life_store **out, lash_life *life, const char *path, const char *key,
                                  lash_error *error);
/* Writes the last stage, in place of one of the same number. */
lash_status lashi_life_store_write(lashi_life_store *store, const lash_life *life, lash_error *error);
/* Writes how the life has ended. */
lash_status lashi_life_store_end(lashi_life_store *store, const lash_life *life, lash_error *error);
void lashi_life_store_close(lashi_life_store *store);

#endif
