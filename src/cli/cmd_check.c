/* SPDX-License-Identifier: MIT
 *
 * lash check: reads and assembles a model and says what it is, without computing its motion.
 */
#include "cli/job.h"
#include "cli/json.h"
#include "cli/report.h"

static lash_status perform(const lashi_arguments *arguments) {
    lashi_job job;
    lash_status status = lashi_job_load(&job, arguments);
    if (status == LASH_OK)
        status = lashi_job_compile(&job);
    if (status == LASH_OK && lashi_option_given(arguments, "json")) {
        lashi_report_system_json(job.system);
    } else if (status == LASH_OK) {
        lashi_report_system(stdout, job.system);
        lashi_report_scales(stdout, job.system);
        lashi_report_start(stdout, job.system);
        lashi_report_tolerance(stdout, job.system);
        lashi_report_warnings(stdout, lash_system_warnings(job.system));
        lashi_report_clearances(stdout, job.system);
    }
    lashi_job_clear(&job);
    return status;
}

static const lashi_option options[] = {LASHI_OPTION_SET, LASHI_OPTION_JSON, {0}};

const lashi_command lashi_command_check = {
    .name = "check",
    .arguments = "MODEL",
    .also = "validate verify lint info inspect describe",
    .brief = "Checks and describes a model: freedoms, redundant constraints, what its contact laws will do",
    .details = "For each joint with play it prints the restitution that the law really gives, which\n"
               "often differs from the one asked for, and describes an impact at a typical speed.\n",
    .least = 1,
    .most = 1,
    .options = options,
    .perform = perform};
