/* SPDX-License-Identifier: MIT
 *
 * lash export: rows, events or texts of a result, as CSV or as they are. Numbers read back the same.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/talk.h"
#include "lash/quantity.h"
#include "lash/record.h"

// ---- rows

static const char *column_name(const void *result, size_t index) {
    return lash_result_column_name(result, index);
}

/* The columns that one pattern chooses go to the end of the list, unless they are in it already. */
static lash_status choose(size_t *columns, size_t *count, const lash_result *result, const char *pattern,
                          const lashi_command *command) {
    bool any = false;
    for (size_t i = 0; i < lash_result_column_count(result); i++) {
        if (fnmatch(pattern, lash_result_column_name(result, i), 0) != 0)
            continue;
        bool seen = false;
        for (size_t k = 0; k < *count; k++)
            seen = seen || columns[k] == i;
        if (!seen)
            columns[(*count)++] = i;
        any = true;
    }
    if (any)
        return LASH_OK;
    const char *nearest = lash_channel_nearest(pattern, column_name, result);
    return nearest ? lashi_talk_usage(command, "the result has no channel '%s'; did you mean '%s'?", pattern,
                                      nearest)
                   : lashi_talk_usage(command, "the result has no channel '%s'", pattern);
}

/* Time and what --channels says, in that order; everything without --channels. */
static lash_status choose_columns(size_t *columns, size_t *count, const lash_result *result,
                                  const lashi_arguments *arguments) {
    lash_status status = LASH_OK;
    const char *value;
    columns[(*count)++] = 0;
    if (!lashi_option_given(arguments, "channels"))
        return choose(columns, count, result, "*", arguments->command);
    for (size_t i = 0; (value = lashi_option_value_at(arguments, "channels", i)) != NULL && !status; i++) {
        char *list = strdup(value), *rest = list, *pattern;
        if (!list)
            return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
        while (!status && (pattern = strsep(&rest, ",")) != NULL) {
            pattern += strspn(pattern, " ");
            for (size_t n = strlen(pattern); n > 0 && pattern[n - 1] == ' '; n--)
                pattern[n - 1] = '\0';
            status = choose(columns, count, result, pattern, arguments->command);
        }
        free(list);
    }
    return status;
}

static lash_status read_sieve(lashi_sieve *out, const lashi_arguments *arguments) {
    static const char *const names[] = {"from", "to", "every"};
    double *const values[] = {&out->from, &out->to, &out->every};
    *out = (lashi_sieve){-INFINITY, INFINITY, (double)NAN, (double)NAN};
    for (size_t i = 0; i < 3; i++) {
        const char *text = lashi_option_value(arguments, names[i]);
        if (text && lash_quantity_read(values[i], text, "s", NULL) != LASH_OK)
            return lashi_talk_usage(arguments->command, "--%s is a time, as in \"20 ms\"; not '%s'", names[i],
                                    text);
    }
    if (out->every <= 0)
        return lashi_talk_usage(arguments->command, "--every must be greater than zero");
    return LASH_OK;
}

static lash_status choose_stream(lash_stream *out, const lash_result *result,
                                 const lashi_arguments *arguments) {
    const char *name = lashi_option_value(arguments, "stream");
    size_t samples = lash_result_row_count(result, LASH_STREAM_SAMPLES);
    *out = samples > 0 ? LASH_STREAM_SAMPLES : LASH_STREAM_STEPS;
    static const char *const names[LASH_STREAMS] = {"samples", "steps", "peaks"};
    for (size_t i = 0; name && i <= LASH_STREAMS; i++) {
        if (i == LASH_STREAMS)
            return lashi_talk_usage(arguments->command, "--stream is samples, steps or peaks, not '%s'",
                                    name);
        *out = (lash_stream)i;
        if (strcmp(name, names[i]) == 0)
            break;
    }
    if (lash_result_row_count(result, *out) == 0)
        return lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has no %s", arguments->names[0], name ? name : "rows");
    return LASH_OK;
}

static lash_status export_rows(FILE *stream, lash_result *result, const lashi_arguments *arguments) {
    lash_stream which;
    lashi_sieve wanted;
    size_t width = lash_result_column_count(result), count = 0;
    lash_status status = choose_stream(&which, result, arguments);
    if (status == LASH_OK)
        status = read_sieve(&wanted, arguments);
    if (status != LASH_OK)
        return status;
    size_t *columns = calloc(width, sizeof *columns);
    if (!columns)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    status = choose_columns(columns, &count, result, arguments);
    if (status == LASH_OK)
        status = lashi_table_rows(stream, result, which, columns, count, &wanted);
    free(columns);
    return status;
}

// ---- texts

static lash_status export_text(FILE *stream, lash_result *result, const char *name, const char *path) {
    const char *text = lash_result_text(result, name);
    if (!text)
        return lashi_talk_fail(LASH_ERROR_IO, "'%s' holds no %s", path, name);
    fputs(text, stream);
    return LASH_OK;
}

static lash_status perform(const lashi_arguments *arguments) {
    static const char *const texts[] = {"model", "settings", "summary"};
    const char *text = NULL, *path = lashi_option_value(arguments, "csv");
    bool events = lashi_option_given(arguments, "events");
    size_t wishes = events;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (lashi_option_given(arguments, texts[i])) {
            text = texts[i];
            wishes++;
        }
    if (wishes > 1)
        return lashi_talk_usage(arguments->command,
                                "only one of --events, --model, --settings and --summary");
    static const char *const of_rows[] = {"channels", "stream", "from", "to", "every"};
    for (size_t i = 0; wishes && i < sizeof of_rows / sizeof *of_rows; i++)
        if (lashi_option_given(arguments, of_rows[i]))
            return lashi_talk_usage(arguments->command, "--%s chooses rows, and --%s has none", of_rows[i],
                                    text ? text : "events");
    if (lashi_output_same(path, arguments->names[0]))
        return lashi_talk_usage(arguments->command, "the CSV would overwrite the result '%s'", path);
    lash_result *result;
    lash_error error;
    lash_status status = lash_result_open(&result, arguments->names[0], &error);
    if (status != LASH_OK) {
        lashi_talk_error(&error);
        return status;
    }
    lashi_output output;
    status = lashi_output_open(&output, path ? path : "-");
    if (status == LASH_OK) {
        status = text     ? export_text(output.stream, result, text, arguments->names[0])
                 : events ? lashi_table_events(output.stream, result)
                          : export_rows(output.stream, result, arguments);
        status = lashi_output_close(&output, status);
    }
    lash_result_close(result);
    return status;
}

static const lashi_option options[] = {
    {"csv", 'o', "FILE", false, "writes to a file; without it, or with -, to standard output"},
    {"channels", 0, "A,B", true, "these channels only; * stands for anything"},
    {"stream", 0, "NAME", false, "samples, steps or peaks; without it the samples, if there are any"},
    {"from", 0, "T", false, "rows from this time on, e.g. \"20 ms\""},
    {"to", 0, "T", false, "rows up to this time"},
    {"every", 0, "DT", false, "of the rows, the first one of each DT"},
    {"events", 0, NULL, false, "the table of contacts instead of the rows"},
    {"summary", 0, NULL, false, "the summary of the run"},
    {"model", 0, NULL, false, "the model file that was run"},
    {"settings", 0, NULL, false, "what was set on the command line, as NAME=VALUE lines"},
    {0}};

const lashi_command lashi_command_export = {.name = "export",
                                            .arguments = "RESULT.h5",
                                            .also = "csv convert dump data",
                                            .instead = "--channels chooses the channels",
                                            .brief = "Writes a result as CSV",
                                            .details = "The first column is always the time.\n",
                                            .least = 1,
                                            .most = 1,
                                            .options = options,
                                            .perform = perform};
