/* SPDX-License-Identifier: MIT
 *
 * Figures through gnuplot: a script is collected in memory, then run by a child that writes the picture; on
 * request the script is kept, data and all, so that `gnuplot FILE` draws it again.
 *
 * Names and titles are the users' own. They go through lashi_gnuplot_text, between single quotes, where
 * gnuplot expands nothing.
 */
#ifndef LASHI_GNUPLOT_H
#define LASHI_GNUPLOT_H

#include <stdio.h>

#include "lash/status.h"

typedef struct lashi_gnuplot {
    FILE *stream; /* commands go here */
    char *text;
    size_t length;
    const char *picture;
    double width, height; /* cm */
} lashi_gnuplot;

/* LASH_ERROR_USAGE: there is no picture with this ending. This and the functions below print what is wrong.
 * */
lash_status lashi_gnuplot_check(const char *picture);
/* An empty script with the style that all figures share. Sizes in cm. */
lash_status lashi_gnuplot_begin(lashi_gnuplot *out, const char *picture, double width, double height);
/* Keeps the script (`keep` NULL: no), runs gnuplot and frees the script. Also after a failure of the caller's
 * own, which `status` tells: then nothing is drawn, and the status comes back. */
lash_status lashi_gnuplot_end(lashi_gnuplot *script, lash_status status, const char *keep);

/* Text between single quotes, which the caller writes: `most` characters at most, quotes as apostrophes,
 * control characters as blanks, what is no UTF-8 as question marks. */
void lashi_gnuplot_text(FILE *stream, const char *text, size_t most);
/* 'text' with its quotes. */
void lashi_gnuplot_quoted(FILE *stream, const char *text, size_t most);

/* Colours that all eyes tell apart: M. Okabe, K. Ito, Color universal design, 2008 (without its yellow, which
 * is too light on white). Curves differ in their dashes too (dt N), points in their symbols (pt N). */
enum { LASHI_COLOURS = 7 };
const char *lashi_gnuplot_colour(size_t index);
int lashi_gnuplot_dash(size_t index);
int lashi_gnuplot_point(size_t index);

/* Where titles and names are cut, in characters. */
enum { LASHI_TITLE = 76, LASHI_NARROW = 62, LASHI_NAME = 28 };

#endif
