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

#endif
