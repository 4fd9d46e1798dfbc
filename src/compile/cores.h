/* SPDX-License-Identifier: MIT
 *
 * Cores that take members of an ensemble one by one while a GPU has the others. A few members are thirty times as long
 * as the rest (contacts that began very slowly), and a core is thirty times as fast as one thread of a GPU.
 */
#ifndef LASHI_CORES_H
#define LASHI_CORES_H

#include "compile/compiler.h"
#include "lash/status.h"

typedef struct lashi_cores lashi_cores;

/* A member by itself: [column_count], [number_count], [cut_count], one behind the other. */
typedef struct lashi_alone {
    size_t member;
    double *columns, *numbers, *cuts;
} lashi_alone;

/* stops: of all members; they stay where they are. NULL: out of memory. */
lashi_cores *lashi_cores_start(lashi_members_function *run, const double *stops, size_t column_count,
                               size_t number_count, size_t cut_count);
/* How many they are. */
size_t lashi_cores_count(const lashi_cores *cores);
/* Room for one more, to be filled; NULL: out of memory. */
lashi_alone *lashi_cores_room(lashi_cores *cores);
/* Takes what was filled last. */
void lashi_cores_take(lashi_cores *cores, lashi_alone *one);
/* How many have been taken, and how many of these are at their end. */
size_t lashi_cores_taken(const lashi_cores *cores);
size_t lashi_cores_ended(lashi_cores *cores);
/* Waits a little for the next one to end; false: all are. */
bool lashi_cores_wait(lashi_cores *cores);
/* Ends after the members that are being run. */
void lashi_cores_stop(lashi_cores *cores);
/* One that was taken, when they have stopped. */
const lashi_alone *lashi_cores_at(const lashi_cores *cores, size_t index);
void lashi_cores_destroy(lashi_cores *cores);

#endif
