/* SPDX-License-Identifier: MIT
 *
 * Tables of studies for people and for other programs.
 */
#ifndef LASHI_STUDY_TABLE_H
#define LASHI_STUDY_TABLE_H

#include <stdio.h>

#include "lash/study.h"

/* Aligned columns; of a study that draws parameters the quantiles. */
void lashi_show_study(FILE *stream, const lash_study_table *table);
void lashi_export_study(FILE *stream, const lash_study_table *table);

/* study_plot.c: draws column y, or cuts of channel y, against column x into a picture; `path` is the table's
 * file. Has said what is wrong when it fails. */
lash_status lashi_plot_study(const lash_study_table *table, const char *path, const char *x, const char *y,
                             const char *picture);

#endif
