/* SPDX-License-Identifier: MIT
 *
 * lash run: a model file → its motion, recorded.
 */
#include "cli/job.h"

static lash_status perform(const lashi_arguments *arguments) {
    lashi_job job;
    lash_status status = lashi_job_load(&job, arguments);
    if (status == LASH_OK)
        status = lashi_job_compile(&job);
    if (status == LASH_OK)
        status = lashi_job_record(&job, 0, NULL);
    if (status == LASH_OK)
        status = lashi_job_compute(&job, lash_sim_run);
    lashi_job_clear(&job);
    return status;
}

static const lashi_option options[] = {LASHI_JOB_OPTIONS,
                                       {"steps", 0, NULL, false, "records every accepted step"},
                                       {"method", 0, "M", false, "integrator: dop853, adams or gear"},
                                       {"rtol", 0, "R", false, "relative tolerance of the integrator"},
                                       {0}};

const lashi_command lashi_command_run = {
    .name = "run",
    .arguments = "MODEL",
    .brief = "Computes the motion of a model",
    .details = "Without -o and --csv the result goes to the current folder, named after the model.\n"
               "Without --samples, --every and --steps the model's run block says what is recorded;\n"
               "where it does not, every step is. Samples never change the computation.\n"
               "--set also reaches the other keys of the run block: --set run.stabilisation=projection\n"
               "Ctrl-C ends a run early and keeps what was recorded.\n",
    .least = 1,
    .most = 1,
    .options = options,
    .perform = perform};
