/* SPDX-License-Identifier: MIT
 *
 * Tables of studies for people and for other programs.
 */
#ifndef LASHI_STUDY_TABLE_H
#define LASHI_STUDY_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "lash/study.h"

/* Aligned columns; of a study that draws parameters the quantiles. */
void lashi_show_study(FILE *stream, const lash_study_table *table);
void lashi_json_study(FILE *stream, const lash_study_table *table);
void lashi_export_study(FILE *stream, const lash_study_table *table);
/* What a column is, for JSON: "point", "axis", "metric", "timing", "status". */
const char *lashi_study_column_name(lash_study_column_kind kind);

/* The unit in which the study's model writes a parameter ("5000 rpm": rpm), with its size in SI; false: a plain
 * number, or not known. */
enum { LASHI_WRITTEN = 32 };
bool lashi_study_written(char unit[LASHI_WRITTEN], double *size, const lash_study_table *table,
                         const char *name);
/* The same of any column, and its size: what was set is shown in the unit in which the model writes it, all else in SI. */
double lashi_study_unit(char unit[LASHI_WRITTEN], const lash_study_table *table, size_t column);
/* Whether the study's file has `scale: log` for an axis. */
bool lashi_study_says_log(const lash_study_table *table, const char *name);

/* study_plot.c: figures of a study. Names that are not given (NULL) are chosen: the first axis that varies,
 * the first metric with numbers, the first channel of the section. */
typedef struct lashi_study_figure {
    const char *path; /* the table's file */
    const char *
        what; /* curve, map, distribution, bifurcation, lyapunov; NULL: curve, or bifurcation where y is cut */
    const char *x, *y, *z; /* columns; y of a bifurcation: a channel; z: metric of a map */
    const char *picture;   /* .svg, .png or .pdf */
    const char *script;    /* kept there; NULL: not kept */
    double width, height;  /* cm */
} lashi_study_figure;
/* Has said what is wrong when it fails. */
lash_status lashi_plot_study(const lash_study_table *table, const lashi_study_figure *figure);
/* The figures that this study has something for, one per line. */
void lashi_list_study_figures(FILE *stream, const lash_study_table *table);

#endif
