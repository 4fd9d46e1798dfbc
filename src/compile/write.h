/* SPDX-License-Identifier: MIT
 *
 * A system as the text of a C program. The text holds structure alone: which frames, rows and places in S
 * there are, the elimination of S written out, where forces act. Rows, gaps and laws are the library's own
 * functions, called with constant arguments. Numbers other than 0 and ±1 are not in the text: it reads them
 * from a list that is written along with it, so that one text serves every machine of the same structure.
 */
#ifndef LASHI_WRITE_H
#define LASHI_WRITE_H

#include "dynamics/evaluate.h"

/* A table that members of an ensemble share: a number of the text is where its coefficients begin, in doubles. */
typedef struct lashi_shared_table {
    size_t number;
    const void *coefficients;
    size_t size;              /* bytes, whole doubles */
    const lash_table *points; /* of a film: NULL */
    double fine;              /* sights are behind (lashi_table_sights); NaN: none are */
} lashi_shared_table;

typedef struct lashi_text {
    char *text; /* NULL: it cannot be written, … */
    size_t length, capacity;
    const char *why; /* … for this reason, in words */
    double *numbers; /* n of the text */
    size_t number_count, number_capacity;
    const void **objects; /* o of the text: expressions, tables and contacts of the system */
    size_t object_count, object_capacity;
    lashi_shared_table *shared; /* of an ensemble */
    size_t shared_count, shared_capacity;
} lashi_text;

/* workspace: of the system. */
lash_status lashi_text_write(lashi_text *out, const lashi_workspace *workspace, lash_error *error);

/* What has to be found before a value that is looked at: nothing, … */
typedef enum lashi_seen_after {
    LASHI_SEEN_AS_IT_IS,
    LASHI_SEEN_JOINT,    /* … the coordinate of the joint, … */
    LASHI_SEEN_TRAVEL,   /* … its travel, … */
    LASHI_SEEN_DRIVE,    /* … the coordinate of the drive, … */
    LASHI_SEEN_REACTION, /* … what the joint does to its second body, … */
    LASHI_SEEN_ENERGY,   /* … energies, … */
    LASHI_SEEN_AXES,     /* … the axes that the user gave the body, in its own, … */
    LASHI_SEEN_FORCE     /* … or the value of a force's own channel */
} lashi_seen_after;

/* What is looked at in the members of an ensemble (seen.c). */
typedef struct lashi_seen {
    const char *text; /* how it is found; %d in it is the index: … */
    const char *unit; /* ""; or that it has */
    int index;        /* … of the body, contact, drive, joint or force */
    bool extrema;     /* are wanted */
    lashi_seen_after after;
    int channel; /* of a force: its number */
} lashi_seen;
/* False: the channel cannot be looked at. */
bool lashi_seen_find(lashi_seen *out, const lash_system *system, const char *channel);
/* What is lost in a contact, W. */
lashi_seen lashi_seen_loss(const lash_system *system, int contact);
enum { LASHI_MOST_SEEN = 63 };
typedef struct lashi_looks {
    const lashi_seen *seen;
    int count;
    int cuts;                  /* the first so many are kept at cuts */
    bool impacts;              /* are counted apart from longer contacts */
    bool shadow;               /* for an exponent */
    const double *rtol, *atol; /* [n_y] tolerances, which are among the numbers, … */
    double resolution,
        rounding; /* … and the error of positions, m: where rounding does not bound it; and by that */
    const double *share, *least; /* [n_y] of small motions (lashi_set_motion), … */
    double least_pace;           /* … and lashi_least_pace */
} lashi_looks;
/* The text of a member of an ensemble (ensemble.h); members of one structure have the same one. */
lash_status lashi_text_write_ensemble(lashi_text *out, const lashi_workspace *workspace,
                                      const lashi_looks *looks, lash_error *error);
/* Whether the damping of some contact is bounded by its energy, and whether contacts are weighed when they begin. */
bool lashi_ensemble_is_bounded(const lash_system *system);
bool lashi_ensemble_weighs(const lash_system *system, bool impacts);
/* Bits of the contacts that are constraints at times (model: three-mode). */
unsigned long long lashi_ensemble_modes(const lash_system *system);
/* Places of ideal joints that rub. They are the first of all that rub, and count after the contacts. */
int lashi_ensemble_places(const lash_system *system);
/* Bits of contacts and places that may stick (law: coulomb); and how many are looked at for that, all or none. */
unsigned long long lashi_ensemble_sticks(const lash_system *system);
int lashi_ensemble_grips(const lash_system *system);
/* Whether modes of contacts, or of friction, change. */
bool lashi_ensemble_changes(const lash_system *system);
/* Switches of a member: those of its expressions, then one for each contact whose law changes where it turns, of δ̇,
 * or which is always a constraint, of N, where it is asked when it presses: for `impacts`, or since the run ends where it does not. */
bool lashi_ensemble_has_switch(const lash_system *system, int contact, bool impacts);
int lashi_ensemble_switches(const lash_system *system, bool impacts);
/* The state of a member: positions whose rates are velocities, these velocities, and others, each with a rate
 * of its own. place: [n_y] gets their places in y, for so many as are returned. */
typedef struct lashi_state_size {
    int pairs;  /* positions with their velocities */
    int others; /* … first such as may be angles: */
    int turning;
} lashi_state_size;
lashi_state_size lashi_ensemble_state(int *place, const lash_system *system);
/* Threads of a GPU that share the memory for the stages of their steps, at most 48 kB. rates: pairs and others. */
int lashi_ensemble_block(int rates);
/* The whole text, with the numbers that do not vary from member to member written into it: the others are its
 * list, in their order. To be freed; NULL: out of memory. */
char *lashi_ensemble_text(const char *text, const double *numbers, const bool *varies, size_t count);
void lashi_text_clear(lashi_text *text);

#endif
