/* SPDX-License-Identifier: MIT
 *
 * Places for the numbers of laws that stand alone, outside a contact: given out in turn, many more than a
 * test has laws at a time.
 */
#ifndef LASH_TESTS_NUMBERS_H
#define LASH_TESTS_NUMBERS_H

#include "contact/film.h"
#include "contact/friction.h"
#include "contact/normal.h"

enum { NUMBER_PLACES = 64 };

#define NUMBER_PLACE(name, type)                                                                             \
    static inline type *name(void) {                                                                         \
        static type places[NUMBER_PLACES];                                                                   \
        static unsigned next;                                                                                \
        return &places[next++ % NUMBER_PLACES];                                                              \
    }
NUMBER_PLACE(normal_numbers, lashi_normal_numbers)
NUMBER_PLACE(friction_numbers, lashi_friction_numbers)
NUMBER_PLACE(film_numbers, lashi_film_numbers)
#undef NUMBER_PLACE

#endif
