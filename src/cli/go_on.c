/* SPDX-License-Identifier: MIT
 *
 * lash run --from RESULT.h5: a run that continues from the end of another, or from one of its steps.
 *
 * A result keeps the state at its end. States of all its steps would be far larger than its rows; so for a
 * step the run is computed again from its beginning, with the same steps, up to that one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"
#include "cli/talk.h"
#include "lash/quantity.h"

/* Share of a time within which a step ends at it. */
static const double NEARLY = 1e-9;

/* Brings the sim to a state of the result; *found: there is one. */
static lash_status restore(bool *found, lashi_job *job, lash_result *result, const char *name) {
    lash_error error = {.time = (double)NAN};
    lash_state *state = NULL;
    void *bytes;
    size_t count;
    lash_status status = lash_result_state(&bytes, &count, result, name, &error);
    *found = bytes != NULL;
    if (!status && bytes)
        status = lash_state_create(&state, job->sim, &error);
    if (!status && bytes)
        status = lash_state_read(state, job->sim, bytes, count, &error);
    if (!status && bytes)
        status = lash_sim_restore(job->sim, state, &error);
    lash_state_destroy(state);
    free(bytes);
    if (status)
        lashi_talk_error(&error);
    return status;
}

/* s, of the result's summary; NaN: it has none. */
static double end_of(lash_result *result) {
    const char *summary = lash_result_text(result, "summary"),
               *line = summary ? strstr(summary, "\nend = ") : NULL;
    return line ? strtod(line + strlen("\nend = "), NULL) : (double)NAN;
}

/* Steps as the result has them, up to the one that ends at `at`. */
static lash_status repeat(lashi_job *job, lash_result *result, double at, const char *path) {
    const double end = end_of(result);
    lash_error error = {.time = (double)NAN};
    bool found;
    lash_status status = restore(&found, job, result, "start");
    double before = lash_sim_time(job->sim);
    if (!status && (at < before * (1 - NEARLY) || !(at <= end * (1 + NEARLY))))
        return lashi_talk_usage(job->arguments->command,
                                "--at %.9g s lies outside of '%s', from %.9g s to %.9g s", at, path, before,
                                end);
    while (!status && lash_sim_time(job->sim) < at * (1 - NEARLY)) {
        before = lash_sim_time(job->sim);
        status = lash_sim_step(job->sim, end, &error);
        if (status < 0)
            lashi_talk_error(&error);
    }
    const double now = lash_sim_time(job->sim);
    if (status >= 0 && fabs(now - at) > NEARLY * at)
        return lashi_talk_usage(job->arguments->command,
                                "no step of '%s' ends at %.9g s; the nearest end at %.17g s and %.17g s",
                                path, at, before, now);
    return status == LASH_STOP_END ? LASH_OK : status;
}

lash_status lashi_job_go_on(lashi_job *job) {
    const lashi_arguments *arguments = job->arguments;
    const char *path = lashi_option_value(arguments, "from"), *at = lashi_option_value(arguments, "at");
    lash_error error = {.time = (double)NAN};
    double time = (double)NAN;
    if (!path)
        return at ? lashi_talk_usage(arguments->command, "--at needs --from") : LASH_OK;
    if (lashi_option_given(arguments, "verify"))
        return lashi_talk_usage(arguments->command,
                                "--verify computes a run from its beginning; not with --from");
    if (at && lash_quantity_read(&time, at, "s", NULL) != LASH_OK)
        return lashi_talk_usage(arguments->command, "--at is a time, as in \"20 ms\"; not '%s'", at);
    lash_result *result;
    lash_status status = lash_result_open(&result, path, &error);
    if (status) {
        lashi_talk_error(&error);
        return status;
    }
    if (at) {
        status = repeat(job, result, time, path);
    } else {
        bool found;
        status = restore(&found, job, result, "state");
        if (!status && !found)
            status = lashi_talk_fail(LASH_ERROR_USAGE,
                                     "'%s' has no state to continue from: its run failed, was made by an "
                                     "earlier version, or not by lash run",
                                     path);
    }
    lash_result_close(result);
    if (!status && !(lash_sim_time(job->sim) < lash_system_end(job->system)))
        status = lashi_talk_usage(
            arguments->command,
            "the run continues from t = %.9g s and would end at %.9g s: give a later --until",
            lash_sim_time(job->sim), lash_system_end(job->system));
    return status;
}
