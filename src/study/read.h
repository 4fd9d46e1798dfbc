/* SPDX-License-Identifier: MIT
 *
 * Shared by the files that read a study: sections of the file. Each notes mistakes in the document.
 */
#ifndef LASHI_STUDY_READ_H
#define LASHI_STUDY_READ_H

#include "study/study.h"

/* read_axes.c */
void lashi_read_axes(lash_study *study, const lash_node *axes, const lash_node *zip);
void lashi_read_sample(lash_study *study, const lash_node *sample);
void lashi_read_search(lash_study *study, const lash_node *search);
/* read_metrics.c: after the axes, before the search */
void lashi_read_metrics(lash_study *study, const lash_node *metrics);
void lashi_read_section(lash_study *study, const lash_node *section);
void lashi_read_life(lash_study *study, const lash_node *life);
/* read_metrics.c: after the section */
void lashi_read_carry(lash_study *study, const lash_node *carry, const lash_node *root);
/* Place of a metric of that text in the study, added where it is not there; SIZE_MAX after a mistake. */
size_t lashi_read_metric(lash_study *study, const lash_node *node);

/* table_files.c: adds the contents of all tables that the model reads to a hash. */
static const uint64_t LASHI_HASH_START = 0xcbf29ce484222325u;
void lashi_hash_tables(uint64_t *hash, const lash_model *model, const char *model_path);

/* Zeroed memory that lives as long as the study; NULL: noted as a mistake. */
void *lashi_study_alloc(lash_study *study, size_t count, size_t size);
/* Notes a name that is set in another place too. */
bool lashi_study_free_name(lash_study *study, const lash_node *key);

#endif
