/* SPDX-License-Identifier: MIT
 *
 * lash compile: the code that a long run is computed with, to be read.
 */
#include <math.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/talk.h"

static lash_status perform(const lashi_arguments *arguments) {
    lashi_job job;
    lashi_output out;
    lash_error error = {.time = (double)NAN};
    const char *path = lashi_option_value(arguments, "output");
    lash_status status = lashi_job_load(&job, arguments);
    if (status == LASH_OK)
        status = lashi_job_compile(&job);
    if (status == LASH_OK) {
        char *code = lash_system_code(job.system, lashi_option_given(arguments, "whole"), &error);
        if (!code) {
            status = error.status;
            lashi_talk_error(&error);
        } else if ((status = lashi_output_open(&out, path ? path : "-")) == LASH_OK) {
            fputs(code, out.stream);
            status = lashi_output_close(&out, LASH_OK);
        }
        free(code);
    }
    lashi_job_clear(&job);
    return status;
}

static const lashi_option options[] = {
    LASHI_OPTION_SET,
    {"output", 'o', "FILE.c", false, "the file; without it, standard output"},
    {"whole", 0, NULL, false, "with the sources of the library that it includes: all that a compiler needs"},
    {0}};

const lashi_command lashi_command_compile = {
    .name = "compile",
    .arguments = "MODEL",
    .brief = "Shows the equations of motion of a model as C",
    .details =
        "This is what `lash run` compiles and loads if a run is long enough (--compiled). It calls the\n"
        "library's own functions for joints, forces and contacts; numbers are in a separate list.\n",
    .least = 1,
    .most = 1,
    .options = options,
    .perform = perform};
