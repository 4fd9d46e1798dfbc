/* SPDX-License-Identifier: MIT
 *
 * lash report: one or two results, or a study, as one HTML page that needs nothing else.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/file_kind.h"
#include "cli/output.h"
#include "cli/page.h"
#include "cli/talk.h"
#include "lash/file.h"

enum { MOST_RESULTS = 2 };

static void begin(FILE *stream, const char *title, const char *kind) {
    lashi_page_begin(stream, title, false);
    fprintf(stream, "{\"kind\":\"%s\",\"version\":\"" LASH_VERSION "\"", kind);
}

static void end(FILE *stream) {
    fputs("}\n", stream);
    lashi_page_end(stream, false);
}

// ---- a study

static lash_status report_study(FILE *stream, const lash_study_table *table, const char *path) {
    const char *title = lash_study_table_about(table, "title");
    begin(stream, title && *title ? title : path, "study");
    const lash_status status = lashi_page_study(stream, table, path);
    end(stream);
    return status;
}

// ---- results

/* What distinguishes two results: their files' names, or letters where these are the same. */
static void name_results(char labels[MOST_RESULTS][256], const char *const *paths, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *slash = strrchr(paths[i], '/');
        char *dot;
        snprintf(labels[i], 256, "%s", slash ? slash + 1 : paths[i]);
        if ((dot = strrchr(labels[i], '.')) != NULL && dot != labels[i])
            *dot = '\0';
    }
    if (count == MOST_RESULTS && strcmp(labels[0], labels[1]) == 0)
        for (size_t i = 0; i < count; i++)
            snprintf(labels[i], 256, "%c", "AB"[i]);
}

static lash_status report_results(FILE *stream, lash_result *const *results, const char *const *paths,
                                  const lashi_page_options *options) {
    char labels[MOST_RESULTS][256];
    const char *title = lash_result_text(results[0], "title");
    lash_status status = LASH_OK;
    name_results(labels, paths, options->results);
    begin(stream, title && *title ? title : paths[0], "results");
    lashi_json_key(stream, "results");
    fputc('[', stream);
    for (size_t i = 0; i < options->results && !status; i++) {
        fputs(i ? ",\n" : "", stream);
        status = lashi_page_result(stream, results[i], paths[i], labels[i], options);
    }
    fputc(']', stream);
    end(stream);
    return status;
}

// ---- the command line

static lash_status parse_time(double *time, const lashi_arguments *arguments, const char *name) {
    const char *text = lashi_option_value(arguments, name);
    lash_error error;
    *time = (double)NAN;
    if (text && lash_quantity_read(time, text, "s", &error))
        return lashi_talk_usage(arguments->command, "--%s: %s", name, error.message);
    return LASH_OK;
}

static lash_status parse_options(lashi_page_options *options, const lashi_arguments *arguments) {
    *options = (lashi_page_options){.stream = lashi_option_value(arguments, "stream"),
                                    .patterns = lashi_option_value(arguments, "channels"),
                                    .results = arguments->name_count};
    if (options->stream && strcmp(options->stream, "samples") != 0 && strcmp(options->stream, "steps") != 0)
        return lashi_talk_usage(arguments->command, "--stream is samples or steps, not '%s'",
                                options->stream);
    lash_status status = parse_time(&options->from, arguments, "from");
    return status ? status : parse_time(&options->to, arguments, "to");
}

/* results/run.h5 → run.html */
static char *default_output(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    char *out = NULL;
    return asprintf(&out, "%.*s.html", (int)(dot && dot != name ? dot - name : (long)strlen(name)), name) < 0
               ? NULL
               : out;
}

static lash_status open_all(lash_study_table **table, lash_result **results,
                            const lashi_arguments *arguments) {
    static const char *const of_results[] = {"stream", "channels", "from", "to"};
    lash_error error = {.time = (double)NAN};
    lash_status status = LASH_OK;
    for (size_t i = 0; i < arguments->name_count && !status; i++) {
        const char *path = arguments->names[i];
        if (!(lashi_file_kind_of(path) == LASHI_FILE_STUDY))
            status = lash_result_open(&results[i], path, &error);
        else if (arguments->name_count > 1)
            return lashi_talk_usage(arguments->command, "'%s' is a study; its page can have no other file",
                                    path);
        else
            status = lash_study_table_open(table, path, &error);
    }
    if (status)
        lashi_talk_error(&error);
    for (size_t i = 0; *table && i < sizeof of_results / sizeof *of_results; i++)
        if (lashi_option_given(arguments, of_results[i]))
            return lashi_talk_usage(arguments->command, "--%s is not for a study", of_results[i]);
    return status;
}

static lash_status write_page(const lashi_arguments *arguments, const lash_study_table *table,
                              lash_result *const *results, const lashi_page_options *options) {
    const char *given = lashi_option_value(arguments, "output");
    char *path = given ? strdup(given) : default_output(arguments->names[0]);
    if (!path)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    lashi_output output;
    lash_status status = lashi_output_open(&output, path);
    if (!status) {
        status = table ? report_study(output.stream, table, arguments->names[0])
                       : report_results(output.stream, results, arguments->names, options);
        status = lashi_output_close(&output, status);
        if (!status && strcmp(path, "-") != 0 && !lashi_option_given(arguments, "quiet"))
            fprintf(stderr, "%s\n", path);
    }
    free(path);
    return status;
}

static lash_status perform(const lashi_arguments *arguments) {
    lash_study_table *table = NULL;
    lash_result *results[MOST_RESULTS] = {NULL};
    lashi_page_options options;
    lash_status status = parse_options(&options, arguments);
    for (size_t i = 0; i < arguments->name_count && !status; i++)
        if (lashi_output_same(lashi_option_value(arguments, "output"), arguments->names[i]))
            status =
                lashi_talk_usage(arguments->command, "the page would overwrite '%s'", arguments->names[i]);
    if (!status && !lashi_page_is_there())
        status =
            lashi_talk_fail(LASH_ERROR_LIMIT,
                            "this program was built without the page, for which Node.js and npm are needed; "
                            "install them (Debian: nodejs npm) and run make again");
    if (!status)
        status = open_all(&table, results, arguments);
    if (!status)
        status = write_page(arguments, table, results, &options);
    for (size_t i = 0; i < MOST_RESULTS; i++)
        lash_result_close(results[i]);
    lash_study_table_close(table);
    return status;
}

static const lashi_option options_table[] = {
    {"output", 'o', "FILE.html", false,
     "the page; named after the result unless given, - is standard output"},
    {"channels", 0, "A,B", false, "figures of these channels only; * stands for anything"},
    {"stream", 0, "NAME", false, "samples or steps; without it the steps, if there are any"},
    {"from", 0, "T", false, "shows the run from this time on, e.g. \"0.2 s\""},
    {"to", 0, "T", false, "shows the run up to this time"},
    {"quiet", 'q', NULL, false, "does not print the name of the page"},
    {0}};

const lashi_command lashi_command_report = {
    .name = "report",
    .arguments = "RESULT.h5",
    .also = "show view open html page animate",
    .brief = "Makes a page with figures and the machine in motion",
    .details =
        "lash report A.h5 B.h5 shows two results side by side; lash report STUDY.db shows a study.\n"
        "The page is one HTML file that loads nothing: it can be mailed and read offline. For long runs\n"
        "it keeps the least and the greatest value of every group of rows, so no peak is lost.\n",
    .least = 1,
    .most = MOST_RESULTS,
    .options = options_table,
    .perform = perform};
