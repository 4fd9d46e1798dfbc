/* SPDX-License-Identifier: MIT
 *
 * The file of a study. store.c, reread.c, database.c and life_store.c are the only files that know SQLite.
 *
 *   about     name, value: version, title, the texts of study and model, numbers of points and samples
 *   columns   position, name, unit, kind: of the table points
 *   points    one row per finished point: number, what was set, metrics, status, message
 *   timing    point, wall time: varies, and so not in points
 *   trials    point, number, value, metric: what searches looked at
 *   ends      point, state: of points that carry over, doubles as they are in memory
 *   section   point, number, time, one column per channel: where trajectories were cut
 */
#ifndef LASHI_STORE_H
#define LASHI_STORE_H

#include "study/study.h"

typedef struct lashi_store lashi_store;

/* Opens the file, or makes it. One of another study, another version or no study at all is refused and left
 * as it is. done[point_count]: 1 finished, 2 failed. */
lash_status lashi_store_open(lashi_store **out, unsigned char *done, const char *path,
                             const lash_study *study, lash_error *error);
/* The state at the end of a point that is done; empty if it failed. One that is missing, cut or no number is
 * an error. */
lash_status lashi_store_read_end(lashi_state *out, lashi_store *store, size_t point, lash_error *error);
/* Points, in one transaction. */
lash_status lashi_store_write(lashi_store *store, const lashi_outcome *outcomes, size_t count,
                              lash_error *error);
lash_status lashi_store_close(lashi_store *store, lash_error *error);

#endif
