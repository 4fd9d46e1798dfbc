/* SPDX-License-Identifier: MIT
 *
 * What is reported about a compiled system and about a run.
 */
#ifndef LASHI_REPORT_H
#define LASHI_REPORT_H

#include <stdio.h>

#include "cli/job.h"

/* Title, size, degrees of freedom, redundant constraints. */
void lashi_report_system(FILE *stream, const lash_system *system);
/* Places that assembly has changed. */
/* Size, mass and gravity. */
void lashi_report_scales(FILE *stream, const lash_system *system);
void lashi_report_start(FILE *stream, const lash_system *system);
/* The least tolerance that makes sense. */
void lashi_report_tolerance(FILE *stream, const lash_system *system);
/* Warnings, one on each line of a text, which is freed; NULL: out of memory. */
void lashi_report_each_warning(char *text, void (*take)(void *user, const char *warning), void *user);
void lashi_report_warnings(FILE *stream, char *text);
/* The joints with play: what they were given and what their laws will do. */
void lashi_report_clearances(FILE *stream, const lash_system *system);
/* All about a run, on standard error. */
void lashi_report_run(const lashi_job *job, const lash_summary *summary);

/* The same for other programs. */
void lashi_report_json(const lashi_job *job); /* where something was computed, and --json asks for it */
void lashi_report_system_json(const lash_system *system);

#endif
