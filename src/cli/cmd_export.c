/* SPDX-License-Identifier: MIT
 *
 * lash export: rows, events or texts of a result, as CSV or as they are. Numbers read back the same.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/talk.h"
#include "lash/record.h"

enum { BLOCK_ROWS = 256 };

static void print_number(FILE *stream, double value) {
    if (isnan(value))
        fputs("nan", stream); // never "-nan"
    else
        fprintf(stream, "%.17g", value);
}

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

/* Names come from the file, and so from anyone. */
static void put_heading(FILE *stream, const char *name, const char *unit, bool more) {
    char *text = NULL;
    if (asprintf(&text, "%s [%s]", name, unit) < 0)
        text = NULL;
    lashi_output_field(stream, text ? text : name);
    fputc(more ? ',' : '\n', stream);
    free(text);
}

static lash_status write_rows(FILE *stream, lash_result *result, lash_stream which, const size_t *columns,
                              size_t count) {
    size_t width = lash_result_column_count(result), rows = lash_result_row_count(result, which);
    double *block = calloc(BLOCK_ROWS * width, sizeof *block);
    if (!block)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < count; k++)
        put_heading(stream, lash_result_column_name(result, columns[k]),
                    lash_result_column_unit(result, columns[k]), k + 1 < count);
    lash_status status = LASH_OK;
    for (size_t first = 0; first < rows && status == LASH_OK && !ferror(stream); first += BLOCK_ROWS) {
        lash_error error;
        size_t n = rows - first < BLOCK_ROWS ? rows - first : BLOCK_ROWS;
        status = lash_result_read(block, result, which, first, n, &error);
        if (status != LASH_OK)
            lashi_talk_error(&error);
        for (size_t i = 0; i < n && status == LASH_OK; i++)
            for (size_t k = 0; k < count; k++) {
                print_number(stream, block[i * width + columns[k]]);
                fputc(k + 1 < count ? ',' : '\n', stream);
            }
    }
    free(block);
    return status;
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
    size_t width = lash_result_column_count(result), count = 0;
    lash_status status = choose_stream(&which, result, arguments);
    if (status != LASH_OK)
        return status;
    size_t *columns = calloc(width, sizeof *columns);
    if (!columns)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    status = choose_columns(columns, &count, result, arguments);
    if (status == LASH_OK)
        status = write_rows(stream, result, which, columns, count);
    free(columns);
    return status;
}

// ---- events and texts

static lash_status export_events(FILE *stream, lash_result *result) {
    size_t count = lash_result_event_count(result);
    lash_event *events = calloc(count + 1, sizeof *events);
    lash_error error;
    if (!events)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    lash_status status = lash_result_read_events(events, result, &error);
    if (status != LASH_OK)
        lashi_talk_error(&error);
    else
        fputs("kind,joint,mode,time [s],angle [rad],speed [m/s],peak_force [N],peak_penetration [m],"
              "duration [s],energy_lost [J],rebound [m/s],impulse [N s],crank [rad],elevation [rad],"
              "peak_time [s],peak_elastic [N],peak_damping [N],peak_depth [m]\n",
              stream);
    for (size_t i = 0; i < count && status == LASH_OK; i++) {
        const lash_event *e = &events[i];
        const double numbers[] = {
            e->time,      e->angle,       e->speed,        e->peak_force,   e->peak_penetration,
            e->duration,  e->energy_lost, e->rebound,      e->impulse,      e->crank,
            e->elevation, e->peak_time,   e->peak_elastic, e->peak_damping, e->peak_depth};
        bool release = e->kind == LASH_EVENT_RELEASE;
        fprintf(stream, "%s,", lash_event_kind_name(e->kind));
        lashi_output_field(stream, e->joint);
        fprintf(stream, ",%s", !release ? "" : e->impact ? "impact" : "following");
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            fputc(',', stream);
            if (!isnan(numbers[k])) // a crank's angle where there is none
                print_number(stream, numbers[k]);
        }
        fputc('\n', stream);
    }
    free(events);
    return status;
}

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
    if (wishes && (lashi_option_given(arguments, "channels") || lashi_option_given(arguments, "stream")))
        return lashi_talk_usage(arguments->command, "--channels and --stream choose rows; --%s are none",
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
                 : events ? export_events(output.stream, result)
                          : export_rows(output.stream, result, arguments);
        lash_status closed = lashi_output_close(&output, status == LASH_OK);
        status = status == LASH_OK ? closed : status;
    }
    lash_result_close(result);
    return status;
}

static const lashi_option options[] = {
    {"csv", 'o', "FILE", false, "writes to a file; without it, or with -, to standard output"},
    {"channels", 0, "A,B", true, "these channels only; * stands for anything"},
    {"stream", 0, "NAME", false, "samples, steps or peaks; without it the samples, if there are any"},
    {"events", 0, NULL, false, "the table of contacts instead of the rows"},
    {"summary", 0, NULL, false, "the summary of the run"},
    {"model", 0, NULL, false, "the model file that was run"},
    {"settings", 0, NULL, false, "what was set on the command line, as NAME=VALUE lines"},
    {0}};

const lashi_command lashi_command_export = {.name = "export",
                                            .arguments = "RESULT.h5",
                                            .brief = "Writes a result as CSV",
                                            .details = "The first column is always the time.\n",
                                            .least = 1,
                                            .most = 1,
                                            .options = options,
                                            .perform = perform};
