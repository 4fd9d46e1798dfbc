/* SPDX-License-Identifier: MIT
 *
 * lash study: one model at many points, on all cores or under mpirun; and its tables.
 *
 * Ctrl-C and SIGTERM end a study in good order; a process that is killed loses only the points that it was
 * computing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/processes.h"
#include "cli/study_table.h"
#include "cli/talk.h"
#include "lash/document.h"

enum { MOST_JOBS = 1024 };

// ---- progress

typedef struct screen {
    bool leads;
    lashi_progress bar;
} screen;

/* 120 of 400 points, 5.3 per s, 2 failed */
static bool progress(void *user, const lash_study_progress *p) {
    screen *view = user;
    // Points of a batch count while it runs; they are written when it is complete.
    const double points = (double)p->points, earlier = (double)p->earlier,
                 done = (double)(p->done + p->ahead);
    char words[160], rate[LASH_QUANTITY_TEXT] = "", failed[LASH_QUANTITY_TEXT] = "";
    if (p->elapsed > 0 && done > earlier)
        snprintf(rate, sizeof rate, ", %.3g per s", (done - earlier) / p->elapsed);
    if (p->failed)
        snprintf(failed, sizeof failed, ", %zu failed", p->failed);
    snprintf(words, sizeof words, "%.0f of %zu points%s%s", done, p->points, rate, failed);
    view->bar.from = points > 0 ? earlier / points : 0;
    lashi_progress_update(&view->bar, points > 0 ? done / points : 1, words);
    return !lashi_interrupted();
}

static void say(void *user, const char *message) {
    const screen *view = user;
    if (!view->leads)
        return;
    lashi_progress_wipe(&view->bar);
    fprintf(stderr, "note: %s\n", message);
}

// ---- running

static void report_mistake(void *user, const lash_error *mistake) {
    size_t *errors = user;
    *errors += mistake->status != LASH_OK;
    lashi_talk_error(mistake);
}

/* studies/play.yaml, db → play.db */
static char *default_output(const char *study, const char *ending) {
    const char *slash = strrchr(study, '/'), *name = slash ? slash + 1 : study, *dot = strrchr(name, '.');
    char *path = NULL;
    const int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    return asprintf(&path, "%.*s.%s", length, name, ending) < 0 ? NULL : path;
}

static lash_status parse_jobs(size_t *jobs, const lashi_arguments *arguments) {
    const char *text = lashi_option_value(arguments, "jobs");
    char *end;
    *jobs = 0;
    if (!text)
        return LASH_OK;
    const long value = strtol(text, &end, 10);
    if (!*text || *end || value < 1 || value > MOST_JOBS)
        return lashi_talk_usage(arguments->command, "--jobs needs a number from 1 to %d, not '%s'",
                                (int)MOST_JOBS, text);
    *jobs = (size_t)value;
    return LASH_OK;
}

static void tell(const lash_study_progress *p, const char *store, lash_status status) {
    char time[LASH_QUANTITY_TEXT];
    fprintf(stderr, "%zu of %zu points in %s", p->done, p->points, store);
    if (p->earlier)
        fprintf(stderr, ", %zu of them from before", p->earlier);
    fprintf(stderr, "; %s.\n", lashi_talk_duration(time, p->elapsed));
    if (status == LASH_STOP_INTERRUPTED)
        fprintf(stderr, "Interrupted; the same command continues from here.\n");
}

/* The message of the first row that failed; "" where it cannot be read. */
static void first_failure(char message[LASH_ERROR_TEXT], const char *store) {
    lash_study_table *table;
    message[0] = '\0';
    if (lash_study_table_open(&table, store, NULL))
        return;
    const size_t width = lash_study_table_width(table);
    for (size_t r = 0; r < lash_study_table_rows(table) && !message[0]; r++)
        for (size_t c = 0; c < width; c++)
            if (strcmp(lash_study_table_column(table, c).name, "message") == 0)
                snprintf(message, LASH_ERROR_TEXT, "%s", lash_study_table_text(table, r, c));
    lash_study_table_close(table);
}

/* Rows are missing from the answer: a caller that looks only at the exit code must learn of it, and a quiet
 * run says it too. */
static lash_status tell_failures(const lash_study_progress *p, const char *store) {
    char message[LASH_ERROR_TEXT];
    first_failure(message, store);
    return lashi_talk_fail(
        LASH_ERROR_POINTS,
        "%zu of %zu points failed, the first one with: %.600s\n`lash study show %.200s` shows "
        "all; --retry-failed computes them again",
        p->failed, p->points, message, store);
}

static lash_status load(lash_study **study, const lashi_arguments *arguments, const lash_study_link *link) {
    size_t mistakes = 0;
    lash_error error;
    const bool leads = !link || link->rank == 0;
    const lash_load_options options = {.report = leads ? report_mistake : NULL, .user = &mistakes};
    lash_status status = lash_study_load(study, arguments->names[0], &options, &error);
    if (status && leads && !mistakes)
        lashi_talk_error(&error);
    if (mistakes > 1)
        fprintf(stderr, "%zu mistakes in %s and its model.\n", mistakes, arguments->names[0]);
    const lash_status agreed = lashi_processes_agree(link, status < 0 ? status : LASH_OK);
    if (!status && agreed && leads)
        lashi_talk_fail(agreed,
                        "another process could not read '%s'; it must exist there under the same path",
                        arguments->names[0]);
    return agreed;
}

static lash_status parse_way(lash_study_way *way, const lashi_arguments *arguments) {
    static const char *const names[] = {"cpu", "gpu", "auto", NULL};
    static const lash_study_way ways[] = {LASH_STUDY_LANES, LASH_STUDY_GPU, LASH_STUDY_FASTEST};
    const char *text = lashi_option_value(arguments, "on");
    *way = LASH_STUDY_ONE_BY_ONE;
    if (!text)
        return LASH_OK;
    for (size_t k = 0; names[k]; k++)
        if (strcmp(text, names[k]) == 0) {
            *way = ways[k];
            return LASH_OK;
        }
    return lashi_talk_usage(arguments->command, "--on needs cpu, gpu or auto, not '%s'", text);
}

static lash_status run_study(const lashi_arguments *arguments, const lash_study_link *link, size_t jobs,
                             lash_study_way way) {
    const bool leads = !link || link->rank == 0, quiet = lashi_option_given(arguments, "quiet");
    screen view = {.leads = leads};
    lash_study *study = NULL;
    const char *given = lashi_option_value(arguments, "output");
    char *store = given ? strdup(given) : default_output(arguments->names[0], "db");
    lash_error error = {.time = (double)NAN};
    lash_study_progress outcome = {0};
    lash_status status =
        store ? load(&study, arguments, link) : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status) {
        const lash_study_options options = {.store = store,
                                            .jobs = jobs,
                                            .retry_failed = lashi_option_given(arguments, "retry-failed"),
                                            .progress = progress,
                                            .way = way,
                                            .say = say,
                                            .user = &view,
                                            .link = link};
        lashi_progress_begin(&view.bar, leads && !quiet);
        lashi_interrupt_watch(true);
        status = lash_study_run(&outcome, study, &options, &error);
        lashi_interrupt_watch(false);
        lashi_progress_wipe(&view.bar);
        if (status < 0 && leads)
            lashi_talk_error(&error);
        else if (leads && !quiet)
            tell(&outcome, store, status);
        if (!status && leads && outcome.failed)
            status = tell_failures(&outcome, store);
    }
    lash_study_destroy(study);
    free(store);
    return status;
}

static lash_status perform_run(const lashi_arguments *arguments) {
    size_t jobs;
    lash_study_way way;
    lash_status status = parse_jobs(&jobs, arguments);
    if (!status)
        status = parse_way(&way, arguments);
    if (status)
        return status;
    const lash_study_link *link = lashi_processes_join(&status);
    if (!status)
        status = run_study(arguments, link, jobs, way);
    lashi_processes_leave(link);
    return status;
}

// ---- tables

static lash_status plot_table(const lashi_arguments *arguments, const lash_study_table *table) {
    const char *x = lashi_option_value(arguments, "x"), *y = lashi_option_value(arguments, "y"),
               *given = lashi_option_value(arguments, "output");
    if (!x || !y)
        return lashi_talk_usage(arguments->command, "plot needs --x AXIS and --y METRIC");
    char *picture = given ? strdup(given) : default_output(arguments->names[1], "svg");
    const lashi_study_figure figure = {
        .path = arguments->names[1], .x = x, .y = y, .picture = picture, .width = 16, .height = 11};
    const lash_status status =
        picture ? lashi_plot_study(table, &figure) : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    free(picture);
    return status;
}

static lash_status perform_table(const lashi_arguments *arguments, bool show) {
    lash_study_table *table;
    lash_error error = {.time = (double)NAN};
    const char *path = lashi_option_value(arguments, "csv");
    if (arguments->name_count < 2)
        return lashi_talk_usage(arguments->command, "which study? `lash study %s FILE.db`",
                                arguments->names[0]);
    if (lashi_output_same(path, arguments->names[1]))
        return lashi_talk_usage(arguments->command, "the CSV would overwrite the study '%s'", path);
    if (lashi_output_same(lashi_option_value(arguments, "output"), arguments->names[1]))
        return lashi_talk_usage(arguments->command, "the plot would overwrite the study '%s'",
                                arguments->names[1]);
    lash_status status = lash_study_table_open(&table, arguments->names[1], &error);
    if (status) {
        lashi_talk_error(&error);
        return status;
    }
    if (strcmp(arguments->names[0], "plot") == 0) {
        status = plot_table(arguments, table);
        lash_study_table_close(table);
        return status;
    }
    lashi_output output;
    status = lashi_output_open(&output, path && !show ? path : "-");
    if (!status) {
        if (show && lashi_option_given(arguments, "json"))
            lashi_json_study(output.stream, table);
        else if (show)
            lashi_show_study(output.stream, table);
        else
            lashi_export_study(output.stream, table);
        status = lashi_output_close(&output, LASH_OK);
    }
    lash_study_table_close(table);
    return status;
}

static lash_status perform(const lashi_arguments *arguments) {
    const bool show = strcmp(arguments->names[0], "show") == 0,
               export = strcmp(arguments->names[0], "export") == 0,
               plot = strcmp(arguments->names[0], "plot") == 0, of_table = show || export || plot;
    static const char *const tables[] = {"show", "export", "plot", NULL};
    static const char *const of_runs[] = {"jobs", "output", "retry-failed", "quiet", "on"};
    for (size_t i = 0; of_table && i < sizeof of_runs / sizeof *of_runs; i++)
        if (lashi_option_given(arguments, of_runs[i]) && !(plot && strcmp(of_runs[i], "output") == 0))
            return lashi_talk_usage(arguments->command, "--%s cannot be combined with %s", of_runs[i],
                                    arguments->names[0]);
    if (lashi_option_given(arguments, "json") && !show)
        return lashi_talk_usage(arguments->command, "--json is for show");
    if (lashi_option_given(arguments, "csv") && !export)
        return lashi_talk_usage(arguments->command, "--csv is for export");
    if ((lashi_option_given(arguments, "x") || lashi_option_given(arguments, "y")) && !plot)
        return lashi_talk_usage(arguments->command, "--x and --y are for plot");
    if (of_table)
        return perform_table(arguments, show);
    if (arguments->name_count > 1) {
        const char *nearest = lash_document_nearest(arguments->names[0], tables);
        return nearest
                   ? lashi_talk_usage(arguments->command, "there is no `lash study %s`; did you mean '%s'?",
                                      arguments->names[0], nearest)
                   : lashi_talk_usage(arguments->command, "'%s' is one argument too many",
                                      arguments->names[1]);
    }
    return perform_run(arguments);
}

static const lashi_option options[] = {
    {"jobs", 'j', "N", false, "worker threads; one per core unless given, one per process under mpirun"},
    {"output", 'o', "FILE", false, "the table (.db) or the plot (.svg, .png, .pdf); named after the study"},
    {"retry-failed", 0, NULL, false, "computes points again that failed before"},
    {"on", 0, "WHERE", false,
     "cpu: points side by side on every core; gpu: on a GPU; auto: on the faster one of them"},
    {"quiet", 'q', NULL, false, "no progress bar and no summary"},
    {"csv", 'c', "FILE", false, "export: writes there; - is standard output"},
    {"json", 0, NULL, false, "show: writes the table as JSON"},
    {"x", 'x', "AXIS", false, "plot: the column along the horizontal axis"},
    {"y", 'y', "METRIC", false, "plot: the column, or the section's channel, that is drawn"},
    {0}};

const lashi_command lashi_command_study = {
    .name = "study",
    .arguments = "STUDY",
    .also = "sweep studies montecarlo optimise optimize search tolerance",
    .brief = "Runs a model at many points: sweeps, tolerances, searches",
    .details =
        "lash study show FILE.db      prints the table, or quantiles if parameters are drawn\n"
        "lash study export FILE.db    writes it as CSV\n"
        "lash study plot FILE.db --x AXIS --y METRIC    draws it with gnuplot\n"
        "\n"
        "Points are written as they finish. If a study was stopped, the same command\n"
        "continues it. `mpirun -n K lash study STUDY` shares the points\n"
        "between K processes. With --on cpu, gpu or auto many points are computed side by side by a program\n"
        "that is compiled for the model: ten to a thousand times as many per second. Numbers then agree "
        "with\n"
        "those of `lash run` within the tolerance, not to the last digit, and the table says how it was\n"
        "computed (`lash help compiled`). Points that fail do not stop the others; the exit code is then 1.\n"
        "`lash help studies` describes the files of studies.\n",
    .least = 1,
    .most = 2,
    .options = options,
    .perform = perform};
