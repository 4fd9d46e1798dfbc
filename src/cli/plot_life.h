/* SPDX-License-Identifier: MIT
 *
 * Figures of a life (lash wear).
 */
#ifndef LASHI_PLOT_LIFE_H
#define LASHI_PLOT_LIFE_H

#include "lash/life.h"

typedef struct lashi_life_figure {
    const char *what;  /* "wear": profiles; "life": curves; NULL: wear */
    const char *joint; /* of the profiles; NULL: the first */
    const char *picture, *script;
    double width, height; /* cm */
} lashi_life_figure;

/* Has said what is wrong when it fails. */
lash_status lashi_plot_life(const lash_life *life, const lashi_life_figure *figure);

#endif
