/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml of an FMU.
 */
#ifndef LASHI_FMU_DESCRIPTION_H
#define LASHI_FMU_DESCRIPTION_H

#include <stdio.h>

#include "cli/job.h"

/* References of variables: as src/fmu/slave.h has them. */
enum { LASHI_REFERENCE_PARAMETERS = 1, LASHI_REFERENCE_INPUTS = 100001, LASHI_REFERENCE_OUTPUTS = 200001 };
/* The name of the shared object inside. */
#define LASHI_FMU_NAME "lash_fmu"

/* fmi: 2 or 3. outputs: channels of job->sim. */
void lashi_fmu_describe(FILE *stream, const lashi_job *job, int fmi, const char *name, const char *token,
                        const size_t *outputs, size_t count);

#endif
