/* SPDX-License-Identifier: MIT
 *
 * The film models by name: what each film_NAME.c defines. A new model is its file and one line here.
 */
#ifndef LASHI_FILMS_H
#define LASHI_FILMS_H

#include "contact/film.h"

/* The list, in the order it is shown; the first is the default. */
#define LASHI_FILMS(X)                                                                                       \
    X(squeeze_long)                                                                                          \
    X(long)                                                                                                  \
    X(short)                                                                                                 \
    X(reynolds)                                                                                              \
    X(squeeze_ball)

#define LASHI_FILM_DECLARE(law) extern const lashi_film_law lashi_film_##law;
LASHI_FILMS(LASHI_FILM_DECLARE)
#undef LASHI_FILM_DECLARE

#endif
