/* SPDX-License-Identifier: MIT
 *
 * The table of film models, made from the list in films.h.
 */
#include "contact/films.h"

#include <string.h>

#define LASHI_FILM_ENTRY(law) &lashi_film_##law,
const lashi_film_law *const lashi_films[] = {LASHI_FILMS(LASHI_FILM_ENTRY) NULL};
#undef LASHI_FILM_ENTRY

const lashi_film_law *lashi_film_find(const char *name) {
    for (size_t i = 0; name && lashi_films[i]; i++)
        if (strcmp(lashi_films[i]->name, name) == 0)
            return lashi_films[i];
    return NULL;
}

bool lashi_film_is_ball(const char *name) {
    const lashi_film_law *law = lashi_film_find(name);
    return law && law->ball;
}

const char *lashi_film_name(size_t index) {
    size_t count = sizeof lashi_films / sizeof *lashi_films - 1;
    return index < count ? lashi_films[index]->name : NULL;
}
