/* SPDX-License-Identifier: MIT
 *
 * What the loop asks of a record. Implemented in src/record, which builds on this layer.
 */
#ifndef LASHI_RECORDER_H
#define LASHI_RECORDER_H

#include "lash/record.h"

/* The run goes from start to end: lays out the samples and writes the rows and events of the start. */
lash_status lashi_record_begin(lash_record *record, lash_sim *sim, double start, double end,
                               lash_error *error);
/* Samples inside the step that advance has accepted, before commit. */
lash_status lashi_record_samples(lash_record *record, lash_sim *sim, lash_error *error);
/* The present point and the events of the step, after commit. */
lash_status lashi_record_step(lash_record *record, lash_sim *sim, lash_error *error);
/* Kinematics: only lays out the samples; then every one is written as a point of its own. */
lash_status lashi_record_layout(lash_record *record, double start, double end, lash_error *error);
lash_status lashi_record_point(lash_record *record, lash_sim *sim, double t, const double *y,
                               lash_error *error);
/* Time of sample k, and how many there are. */
double lashi_record_sample_time(const lash_record *record, size_t k);
size_t lashi_record_sample_count(const lash_record *record);
/* Whether a column is an integral over the run. */
bool lashi_record_integrates(const lash_record *record, const lash_sim *sim);

#endif
