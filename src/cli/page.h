/* SPDX-License-Identifier: MIT
 *
 * The page that `lash report` and `lash live` write: one HTML file, whose script (web/) is built into the
 * program, with the data of results, of a study or of a model as JSON inside.
 *
 *   page.c          the frame          page_json.c   texts, numbers, arrays of numbers in base64
 *   page_thin.c     many rows → few that keep every peak; frames of the animation
 *   page_result.c   a result          page_scene.c   its model          page_study.c   a study
 *
 * Names and texts come from files that anyone may have written. They leave as JSON in which no character can
 * end the element around it, and the script uses them as text only.
 */
#ifndef LASHI_PAGE_H
#define LASHI_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lash/lash.h"

/* True when the program was built with the page, and with the solver of live pages. */
bool lashi_page_is_there(void);
bool lashi_page_is_live(void);
/* Everything before the data, and everything after it; live: with the solver. */
void lashi_page_begin(FILE *stream, const char *title, bool live);
void lashi_page_end(FILE *stream, bool live);

void lashi_json_text(FILE *stream, const char *text); /* NULL: "" */
void lashi_json_number(FILE *stream, double value);   /* NaN and infinity: null */
void lashi_json_key(FILE *stream, const char *name);  /* "name": */
void lashi_json_vector(FILE *stream, const double *values, size_t count);
/* Base64 of numbers in little-endian order, in quotes. */
void lashi_json_doubles(FILE *stream, const double *values, size_t count);
void lashi_json_floats(FILE *stream, const float *values, size_t count);
void lashi_json_u32(FILE *stream, const uint32_t *values, size_t count);
void lashi_json_u16(FILE *stream, const uint16_t *values, size_t count);
void lashi_json_u8(FILE *stream, const uint8_t *values, size_t count);

/* ---- page_thin.c ---- */

/* Rows made fewer: of every `per` rows the least and the greatest value of each column, in the order in which
 * they came, at the times of the first and the last of these rows. With per = 1 the rows as they are. */
typedef struct lashi_thin {
    size_t columns, per, capacity, count; /* capacity, count: of points */
    double *time;                         /* [capacity] */
    float *values;                        /* [columns][capacity] */
    size_t gathered;                      /* rows since the last points */
    double first, last;                   /* s, their times */
    double *low, *high;                   /* [columns] */
    bool *low_first;                      /* [columns]: the least came before the greatest */
} lashi_thin;

/* `most` is the largest number of points wanted for so many rows. */
bool lashi_thin_init(lashi_thin *thin, size_t columns, size_t rows, size_t most);
void lashi_thin_row(lashi_thin *thin, double time, const double *row, const size_t *columns);
void lashi_thin_finish(lashi_thin *thin);
void lashi_thin_clear(lashi_thin *thin);

/* Rows chosen as frames: each of them, or the first one in each of `most` equal spans of time. Columns of one
 * group are taken together from the row of the span in which the group's weight, the size of the vector of
 * its `weight` columns, is largest: an impact shorter than a span is seen. */
typedef struct lashi_frames {
    size_t columns, groups;
    const size_t
        *group; /* [groups + 1]: group g is columns group[g] … group[g + 1] - 1, the poses come before */
    const bool *weight; /* [columns] */
    size_t count, most;
    double start, span; /* s; span 0: every row */
    double *time;       /* [most] */
    float *values;      /* [columns][most] */
    double *largest;    /* [groups] */
} lashi_frames;

/* The first four fields are set by the caller. */
bool lashi_frames_init(lashi_frames *frames, size_t rows, size_t most, double start, double end);
void lashi_frames_row(lashi_frames *frames, double time, const double *row, const size_t *columns);
void lashi_frames_clear(lashi_frames *frames);

/* ---- page_scene.c ---- */
void lashi_page_scene(FILE *stream, const lash_model *model);

/* ---- page_result.c ---- */
typedef struct lashi_page_options {
    const char *stream;   /* "samples", "steps"; NULL: the steps, if there are any */
    const char *patterns; /* channels of the figures, with commas; NULL: all */
    double from, to;      /* s, part of the run; NaN: its beginning, its end */
    size_t results;       /* that share the page */
} lashi_page_options;

/* Writes one result as an object. All have said what is wrong when they fail. */
lash_status lashi_page_result(FILE *stream, lash_result *result, const char *path, const char *label,
                              const lashi_page_options *options);
/* page_study.c */
lash_status lashi_page_study(FILE *stream, const lash_study_table *table, const char *path);

#endif
