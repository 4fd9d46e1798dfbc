/* SPDX-License-Identifier: MIT
 *
 * lash run: a model file → its motion, recorded.
 */
#include "cli/json.h"
#include "cli/report.h"
#include "cli/talk.h"
#include "cli/verify.h"

static lash_status perform(const lashi_arguments *arguments) {
    lashi_job job;
    lashi_trace *trace = NULL;
    lash_status status = lashi_job_load_on(&job, arguments);
    if (status == LASH_OK)
        status = lashi_job_compile(&job);
    if (status == LASH_OK)
        status = lashi_job_record(&job, 0, NULL);
    if (status == LASH_OK)
        status = lashi_job_go_on(&job);
    if (status == LASH_OK && lashi_option_given(arguments, "verify")) {
        lash_error error;
        if (!job.result) // else its events are read from there
            status = lash_record_to_memory(job.record, &error);
        if (status != LASH_OK)
            lashi_talk_error(&error);
        else
            status = lashi_trace_create(&trace, &job);
        job.observe = lashi_trace_observe;
        job.observer = trace;
    }
    if (status == LASH_OK)
        status = lashi_job_compute(&job, lash_sim_run);
    if (trace && (status == LASH_STOP_END || status == LASH_STOP_EVENT))
        status = lashi_verify(&job, trace);
    lashi_trace_destroy(trace);
    lashi_report_json(&job);
    lashi_job_clear(&job);
    return status;
}

static const lashi_option options[] = {
    LASHI_JOB_OPTIONS,
    {"steps", 0, NULL, false, "records every accepted step"},
    {"method", 0, "M", false, "integrator: dop853, adams or gear"},
    {"rtol", 0, "R", false, "relative tolerance of the integrator"},
    {"compiled", 0, "WHEN", false, "code made for the model by the C compiler: auto, always or never"},
    LASHI_OPTION_JSON,
    LASHI_OPTION_WORN,
    {"from", 0, "RESULT.h5", false, "continues from the end of a result"},
    {"at", 0, "T", false, "--from: continues from the step of the result that ends at this time"},
    {"verify", 0, NULL, false, "runs it twice more and says which digits hold"},
    {0}};

const lashi_command lashi_command_run = {
    .name = "run",
    .arguments = "MODEL",
    .also = "simulate sim solve compute start integrate exec",
    .brief = "Computes the motion of a model",
    .details =
        "Without -o and --csv the result goes to the current folder, named after the model.\n"
        "Without --samples, --every and --steps the model's run block says what is recorded;\n"
        "if it does not, every step is recorded. These options replace what the block says about rows;\n"
        "several of them may be given. Samples never change the computation.\n"
        "--set also reaches the other keys of the run block: --set run.stabilisation=projection\n"
        "--verify computes the same with a tolerance ten times tighter, by this and by another method,\n"
        "and compares; it ends with exit code 1 if a digit of the summary does not hold.\n"
        "--from needs the same model and the same version of lash, and continues as if the run had not\n"
        "been interrupted, with dop853 bit for bit; --until still counts from t = 0. What was set for\n"
        "that run holds until it is set again: --set gives parameters other values from there on. A\n"
        "warning says where the text of the model or a table is not the same. With --at the run up to\n"
        "that step is computed again.\n"
        "Ctrl-C ends a run early and keeps what was recorded.\n",
    .least = 1,
    .most = 1,
    .options = options,
    .perform = perform};
