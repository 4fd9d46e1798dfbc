/* SPDX-License-Identifier: MIT
 *
 * Cores that run members of an ensemble one by one while a GPU runs the others. A few members take many
 * times as many steps as the rest (contacts that began very slowly), and a core is some twenty times as fast
 * as one thread of a GPU.
 */
#ifndef LASHI_CORES_H
#define LASHI_CORES_H

#include "compile/compiler.h"
#include "lash/status.h"

typedef struct lashi_cores lashi_cores;

/* A single member: [column_count], [number_count], [cut_count], one after the other. */
typedef struct lashi_alone {
    size_t member;
    double *columns, *numbers, *cuts;
} lashi_alone;

/* How many cores there are to start. */
size_t lashi_cores_count(void);
/* stops: of all members; not copied. NULL: out of memory. */
lashi_cores *lashi_cores_start(lashi_members_function *run, const double *stops, size_t column_count,
                               size_t number_count, size_t cut_count);
/* Room for one more member, to be filled; NULL: out of memory. */
lashi_alone *lashi_cores_room(lashi_cores *cores);
/* Takes the member that was filled. */
void lashi_cores_take(lashi_cores *cores, lashi_alone *one);
/* How many members have been taken, and how many of these have reached their end. */
size_t lashi_cores_taken(const lashi_cores *cores);
size_t lashi_cores_ended(lashi_cores *cores);
/* Waits a little for the next member to end; false: all have ended. */
bool lashi_cores_wait(lashi_cores *cores);
/* Stops members that are being run where they are. */
void lashi_cores_stop(lashi_cores *cores);
/* One of the members taken, after the cores have stopped. */
const lashi_alone *lashi_cores_at(const lashi_cores *cores, size_t index);
void lashi_cores_destroy(lashi_cores *cores);

#endif
