/* SPDX-License-Identifier: MIT
 *
 * Tables of finite bearings kept on disk, in $XDG_CACHE_HOME/lash or ~/.cache/lash.
 */
#ifndef LASHI_FILM_CACHE_H
#define LASHI_FILM_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "contact/reynolds.h"

enum { LASHI_TABLE_VERSION = 3 }; /* of the tables' numbers and of the solver */

/* What a table depends on. */
typedef struct lashi_film_key {
    lashi_inlet inlet;
    bool full;
    double length_ratio;
} lashi_film_key;

/* False: there is no good copy, or it could not be written. `size` of the coefficients in bytes. */
bool lashi_film_cache_read(void *coefficients, double errors[2], size_t size, const lashi_film_key *key);
bool lashi_film_cache_write(const void *coefficients, const double errors[2], size_t size,
                            const lashi_film_key *key);
/* Whether there is a copy of our own, good or not. */
bool lashi_film_cache_has(const lashi_film_key *key);
/* Where the copy is kept. False: nowhere. */
bool lashi_film_cache_path(char *out, size_t size, const lashi_film_key *key);

#endif
