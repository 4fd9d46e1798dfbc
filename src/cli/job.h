/* SPDX-License-Identifier: MIT
 *
 * What `run` and `kinematics` (and partly `check`) have in common: a model from the command line is loaded,
 * compiled, recorded, computed with a progress bar and Ctrl-C, and summed up.
 */
#ifndef LASHI_JOB_H
#define LASHI_JOB_H

#include "cli/command.h"
#include "lash/lash.h"

#define LASHI_OPTION_SET                                                                                     \
    { "set", 's', "NAME=VALUE", true, "sets a parameter of the model" }

#define LASHI_OPTION_WORN                                                                                    \
    {                                                                                                        \
        "worn", 0, "LIFE.db@TURNS", false,                                                                   \
            "with the surfaces of a life (lash wear) after so many turns; without @: at its end"             \
    }

/* Options of commands that compute and record. */
#define LASHI_JOB_OPTIONS                                                                                    \
    LASHI_OPTION_SET, {"output", 'o', "RESULT.h5", false, "file for the result"},                            \
        {"csv", 'c', "FILE", false, "writes the rows as CSV; - is standard output"},                         \
        {"samples", 'n', "N", false, "records N+1 equally spaced rows"},                                     \
        {"every", 0, "DT", false, "records a row every DT, e.g. \"0.1 ms\""},                                \
        {"channels", 0, "A,B", true, "records these channels only; * stands for anything"},                  \
        {"input", 0, "NAME=FILE", true, "sets an input of the model over time: a CSV of times and values"},  \
        {"until", 0, "T", false, "end of the run: \"0.2 s\", \"20 rev of motor\""}, {                        \
        "quiet", 'q', NULL, false, "no progress bar and no summary"                                          \
    }

typedef struct lashi_job {
    const lashi_arguments *arguments;
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
    lash_record *record;
    lash_result *before; /* that the run continues; NULL: none */
    char *result, *csv;  /* files to be written, NULL: none */
    char **channels;
    size_t channel_count;
    lash_status (*observe)(void *user, lash_sim *sim, double t_old, double t_new); /* NULL: no observer */
    void *observer;
    lash_summary summary; /* of what was computed */
    bool computed;
} lashi_job;

typedef lash_status lashi_compute(lash_sim *sim, lash_record *record, const lash_run_control *control,
                                  lash_error *error);

/* All of these have said what is wrong when they fail. The model is the first argument. */
lash_status lashi_job_load(lashi_job *job, const lashi_arguments *arguments);
/* The same where --from may be given: the settings of that result hold where they are not given again. */
lash_status lashi_job_load_on(lashi_job *job, const lashi_arguments *arguments);
lash_status lashi_job_compile(lashi_job *job);
/* The names of --channels into job->channels. */
lash_status lashi_job_channels(lashi_job *job);
/* Where the rows go. Without options: the file's own choice of rows, else `samples` of them (of kinematics: they are
 * `still`), else (0) every step; and to `csv` (NULL: to a result named after the model). */
lash_status lashi_job_record(lashi_job *job, size_t samples, const char *csv);
/* The sim of the record, brought to where --from and --at say; without them nothing is done. */
lash_status lashi_job_go_on(lashi_job *job);
/* With summary and files; --json is left to lashi_report_json, when everything has been said. */
lash_status lashi_job_compute(lashi_job *job, lashi_compute *compute);
/* The computation alone: with progress bar and Ctrl-C, without summary or files. */
lash_status lashi_job_steps(lashi_job *job, lashi_compute *compute, lash_error *error);
void lashi_job_clear(lashi_job *job);

#endif
