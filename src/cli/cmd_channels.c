/* SPDX-License-Identifier: MIT
 *
 * lash channels: what can be recorded of a model, or what a result holds, with units and meanings.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/file_kind.h"
#include "cli/job.h"
#include "cli/json.h"
#include "cli/talk.h"

/* One channel of either. */
typedef struct channel {
    const char *name, *unit, *meaning;
} channel;

typedef channel (*channel_at)(const void *source, size_t index);

static channel of_sim(const void *sim, size_t k) {
    return (channel){lash_sim_channel_name(sim, k), lash_sim_channel_unit(sim, k),
                     lash_sim_channel_meaning(sim, k)};
}

static channel of_result(const void *result, size_t k) {
    const char *meaning = lash_result_column_meaning(result, k);
    return (channel){lash_result_column_name(result, k), lash_result_column_unit(result, k),
                     meaning ? meaning : ""};
}

static void print_table(channel_at at, const void *source, size_t count) {
    int name = 0, unit = 0;
    for (size_t k = 0; k < count; k++) {
        const channel one = at(source, k);
        name = (int)strlen(one.name) > name ? (int)strlen(one.name) : name;
        unit = (int)strlen(one.unit) > unit ? (int)strlen(one.unit) : unit;
    }
    for (size_t k = 0; k < count; k++) {
        const channel one = at(source, k);
        printf("%-*s  %-*s  %s\n", name, one.name, unit, one.unit, one.meaning);
    }
}

static void print_json(channel_at at, const void *source, size_t count) {
    lashi_json json = {.stream = stdout};
    lashi_json_open(&json, NULL, '[');
    for (size_t k = 0; k < count; k++) {
        const channel one = at(source, k);
        lashi_json_open(&json, NULL, '{');
        lashi_json_say(&json, "name", one.name);
        lashi_json_say(&json, "unit", one.unit);
        lashi_json_say(&json, "meaning", one.meaning);
        lashi_json_close(&json, '}');
    }
    lashi_json_close(&json, ']');
    printf("\n");
}

static void list(const lashi_arguments *arguments, channel_at at, const void *source, size_t count) {
    (lashi_option_given(arguments, "json") ? print_json : print_table)(at, source, count);
}

static lash_status list_result(const lashi_arguments *arguments) {
    lash_result *result;
    lash_error error = {.time = (double)NAN};
    if (lashi_option_given(arguments, "set"))
        return lashi_talk_usage(arguments->command, "--set is for models; '%s' is a result",
                                arguments->names[0]);
    const lash_status status = lash_result_open(&result, arguments->names[0], &error);
    if (status) {
        lashi_talk_error(&error);
        return status;
    }
    list(arguments, of_result, result, lash_result_column_count(result));
    lash_result_close(result);
    return LASH_OK;
}

static lash_status list_model(const lashi_arguments *arguments) {
    lashi_job job;
    lash_error error = {.time = (double)NAN};
    lash_status status = lashi_job_load(&job, arguments);
    if (!status)
        status = lashi_job_compile(&job);
    if (!status && (status = lash_sim_create(&job.sim, job.system, &error)) != LASH_OK)
        lashi_talk_error(&error);
    if (!status)
        list(arguments, of_sim, job.sim, lash_sim_channel_count(job.sim));
    lashi_job_clear(&job);
    return status;
}

static lash_status perform(const lashi_arguments *arguments) {
    return lashi_file_kind_of(arguments->names[0]) == LASHI_FILE_RESULT ? list_result(arguments)
                                                                        : list_model(arguments);
}

static const lashi_option options[] = {LASHI_OPTION_SET, LASHI_OPTION_JSON, {0}};

const lashi_command lashi_command_channels = {
    .name = "channels",
    .arguments = "MODEL|RESULT",
    .also = "list quantities names",
    .brief = "Lists the channels of a model or a result, with units and meanings",
    .details = "For a model: everything that a run can record. For a result: what was recorded.\n",
    .least = 1,
    .most = 1,
    .options = options,
    .perform = perform};
