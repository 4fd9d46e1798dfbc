/* SPDX-License-Identifier: MIT
 *
 * lash kinematics: motion and drive forces of a fully driven mechanism, without integration.
 */
#include "cli/json.h"
#include "cli/report.h"

enum { SAMPLES = 360 }; // where neither the model nor the command line says

static lash_status perform(const lashi_arguments *arguments) {
    lashi_job job;
    lash_status status = lashi_job_load(&job, arguments);
    if (status == LASH_OK)
        status = lashi_job_compile(&job);
    if (status == LASH_OK)
        status = lashi_job_record(&job, SAMPLES, "-");
    if (status == LASH_OK)
        status = lashi_job_compute(&job, lash_sim_kinematics);
    lashi_report_json(&job);
    lashi_job_clear(&job);
    return status;
}

static const lashi_option options[] = {LASHI_JOB_OPTIONS, LASHI_OPTION_JSON, {0}};

const lashi_command lashi_command_kinematics = {
    .name = "kinematics",
    .arguments = "MODEL",
    .also = "kinematic inverse",
    .brief = "Computes positions, velocities, accelerations and drive forces of a driven mechanism",
    .details = "Every degree of freedom must have its drive, and no joint may have play.\n"
               "Without -o and --csv the rows go to standard output as CSV. There are 361 of them, unless\n"
               "--samples, --every or the model say otherwise.\n",
    .least = 1,
    .most = 1,
    .options = options,
    .perform = perform};
