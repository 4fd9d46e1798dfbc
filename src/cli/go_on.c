/* SPDX-License-Identifier: MIT
 *
 * lash run --from RESULT.h5: a run that continues from the end of another, or from one of its steps.
 *
 * A result keeps the state at its end. States of all its steps would be far larger than its rows; so for a
 * step the run is computed again from its beginning, with the same settings and steps, up to that one.
 *
 * With the same model and settings the state is restored, and the run continues bit for bit; where numbers
 * differ it is adopted (lash_sim_adopt). Settings differ because they were given; what differs in the text of
 * the model or in the files that it reads is said.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"
#include "cli/result_model.h"
#include "cli/talk.h"
#include "lash/quantity.h"

/* Share of a time within which a step ends at it. */
static const double NEARLY = 1e-9;
/* Lines of a text that are named. */
enum { MOST_NAMED = 5 };

// ---- what differs

/* Cuts a line off the text; *length without space at its end. NULL: no more. */
static const char *next_line(size_t *length, const char **text) {
    const char *line = *text;
    if (!line || !*line)
        return NULL;
    *length = strcspn(line, "\n");
    *text = line + *length + (line[*length] == '\n');
    while (*length > 0 && strchr(" \t\r", line[*length - 1]))
        --*length;
    return line;
}

/* The warning that a line is another than in the result; file NULL: of the model. */
static void warn_of_line(const char *file, int number, const char *line, size_t length, const char *old,
                         size_t old_length, const char *result) {
    lash_error warning = {.line = number, .column = 1, .time = (double)NAN};
    while ((size_t)warning.column <= length && (size_t)warning.column <= old_length &&
           line[warning.column - 1] == old[warning.column - 1])
        warning.column++;
    snprintf(warning.file, sizeof warning.file, "%s", file);
    snprintf(warning.excerpt, sizeof warning.excerpt, "%.*s", (int)length, line);
    snprintf(warning.message, sizeof warning.message,
             "%.200s was computed with '%.*s' here; the run continues with what it is now", result,
             (int)fmin((double)old_length, 200), old);
    lash_text_tame(warning.excerpt, false);
    lash_text_tame(warning.message, false);
    lashi_talk_error(&warning);
}

/* Whether the texts differ; the first lines that do are said. Files that the model includes stand behind it. */
static bool text_differs(const char *now, const char *then, const char *model, const char *result) {
    static const char BEGIN[] = "  \"", END[] = "\": |2+", INDENT[] = "    ";
    const size_t begin = strlen(BEGIN), end = strlen(END);
    size_t named = 0, length = 0, old_length = 0;
    char *file = NULL;
    for (int number = 1; named <= MOST_NAMED; number++) {
        const char *line = next_line(&length, &now), *old = next_line(&old_length, &then);
        if (!line && !old)
            break;
        line = line ? line : (length = 0, "");
        old = old ? old : (old_length = 0, "");
        if (length != old_length || memcmp(line, old, length) != 0) {
            const size_t indent = file && strncmp(line, INDENT, strlen(INDENT)) == 0 &&
                                          strncmp(old, INDENT, strlen(INDENT)) == 0
                                      ? strlen(INDENT)
                                      : 0;
            if (named++ == MOST_NAMED)
                fprintf(stderr, "... and more lines.\n");
            else
                warn_of_line(file ? file : model, number, line + indent, length - indent, old + indent,
                             old_length - indent, result);
        }
        if (length > begin + end && strncmp(line, BEGIN, begin) == 0 &&
            strncmp(line + length - end, END, end) == 0) {
            free(file);
            file = strndup(line + begin, length - begin - end);
            number = 0;
        }
    }
    free(file);
    return named > 0;
}

/* Whether files of tables have other numbers; those that do are said. */
static bool tables_differ(const lash_model *model, lash_result *result, const char *path) {
    const char *then = lash_result_text(result, "tables"), *name;
    bool differ = false;
    for (size_t i = 0; (name = lash_model_table(model, i)) != NULL; i++) {
        bool same = false;
        size_t length = 0;
        const char *rest = then, *line;
        char *wanted = NULL;
        if (asprintf(&wanted, "%s=%016llx", name, lash_model_table_sum(model, i)) < 0)
            return true;
        while (!same && (line = next_line(&length, &rest)) != NULL)
            same = strlen(wanted) == length && memcmp(line, wanted, length) == 0;
        free(wanted);
        if (same)
            continue;
        lash_error warning = {.time = (double)NAN};
        snprintf(warning.file, sizeof warning.file, "%s", name);
        snprintf(
            warning.message, sizeof warning.message,
            "%.200s was computed with other numbers of this table; the run continues with those that it has "
            "now",
            path);
        lashi_talk_error(&warning);
        differ = true;
    }
    return differ;
}

/* Whether settings of one list, those of the model, are missing in the other. Keys of the run block are none of
 * the machine. */
static bool any_missing(const lash_setting *list, size_t count, const lash_setting *other,
                        size_t other_count) {
    for (size_t i = 0; i < count; i++) {
        bool found = strncmp(list[i].name, "run.", 4) == 0;
        for (size_t k = 0; !found && k < other_count; k++)
            found = strcmp(list[i].name, other[k].name) == 0 && strcmp(list[i].value, other[k].value) == 0;
        if (!found)
            return true;
    }
    return false;
}

static bool settings_differ(const lash_model *model, const lash_setting *then, size_t count) {
    const size_t now_count = lash_model_setting_count(model);
    lash_setting *now = calloc(now_count + 1, sizeof *now);
    for (size_t i = 0; now && i < now_count; i++)
        now[i] = lash_model_setting(model, i);
    const bool differ =
        !now || any_missing(now, now_count, then, count) || any_missing(then, count, now, now_count);
    free(now);
    return differ;
}

// ---- states

/* Brings the sim to a state of the result; *found: there is one. */
static lash_status restore(bool *found, lash_sim *sim, lash_result *result, const char *name,
                           lash_status (*take)(lash_sim *sim, const lash_state *state, lash_error *error),
                           lash_error *error) {
    lash_state *state = NULL;
    void *bytes;
    size_t count;
    lash_status status = lash_result_state(&bytes, &count, result, name, error);
    *found = bytes != NULL;
    if (!status && bytes)
        status = lash_state_create(&state, sim, error);
    if (!status && bytes)
        status = lash_state_read(state, sim, bytes, count, error);
    if (!status && bytes)
        status = take(sim, state, error);
    lash_state_destroy(state);
    free(bytes);
    return status;
}

/* The state of a sim becomes that of another of its structure. */
static lash_status hand_over(lash_sim *to, const lash_sim *from,
                             lash_status (*take)(lash_sim *sim, const lash_state *state, lash_error *error),
                             lash_error *error) {
    lash_state *state = NULL, *read = NULL;
    void *bytes = NULL;
    size_t count;
    lash_status status = lash_state_create(&state, from, error);
    if (!status)
        status = lash_state_write(&bytes, &count, state, from, error);
    if (!status)
        status = lash_state_create(&read, to, error);
    if (!status)
        status = lash_state_read(read, to, bytes, count, error);
    if (!status)
        status = take(to, read, error);
    lash_state_destroy(state);
    lash_state_destroy(read);
    free(bytes);
    return status;
}

/* s, of the result's summary; NaN: it has none. */
static double end_of(lash_result *result) {
    const char *summary = lash_result_text(result, "summary"),
               *line = summary ? strstr(summary, "\nend = ") : NULL;
    return line ? strtod(line + strlen("\nend = "), NULL) : (double)NAN;
}

/* Steps as the result has them, up to the one that ends at `at`. */
static lash_status step_to(lash_sim *sim, lash_result *result, double at, const lashi_job *job,
                           lash_error *error) {
    const char *path = lashi_option_value(job->arguments, "from");
    const double end = end_of(result);
    bool found;
    lash_status status = restore(&found, sim, result, "start", lash_sim_restore, error);
    double before = lash_sim_time(sim);
    const double near = NEARLY * fabs(at) + DBL_EPSILON * (end - before); // times may be negative, or 0
    if (!status && (at < before - near || !(at <= end + near)))
        return lashi_talk_usage(job->arguments->command,
                                "--at %.9g s lies outside of '%s', from %.9g s to %.9g s", at, path, before,
                                end);
    while (!status && lash_sim_time(sim) < at - near) {
        before = lash_sim_time(sim);
        status = lash_sim_step(sim, end, error);
    }
    if (status < 0)
        lashi_talk_error(error);
    const double now = lash_sim_time(sim);
    if (status >= 0 && fabs(now - at) > near)
        return lashi_talk_usage(job->arguments->command,
                                "no step of '%s' ends at %.9g s; the nearest end at %.17g s and %.17g s",
                                path, at, before, now);
    return status == LASH_STOP_END ? LASH_OK : status;
}

/* The machine of the result, which has its settings, goes to `at`; the job's goes on from there. */
static lash_status repeat(lashi_job *job, const lash_setting *then, size_t count, double at,
                          lash_status (*take)(lash_sim *sim, const lash_state *state, lash_error *error)) {
    lash_error error = {.time = (double)NAN};
    lash_model *model = NULL;
    lash_system *system = NULL;
    lash_sim *sim = NULL;
    const lash_load_options options = {.settings = then, .setting_count = count};
    lash_status status = lash_model_reload(&model, job->model, &options, &error);
    if (!status)
        status = lash_system_compile(&system, model, &error);
    if (!status)
        status = lash_sim_create(&sim, system, &error);
    if (!status)
        status = lash_sim_compile(sim, &error);
    if (status)
        lashi_talk_error(&error);
    else
        status = step_to(sim, job->before, at, job, &error);
    if (!status && (status = hand_over(job->sim, sim, take, &error)) != LASH_OK)
        lashi_talk_error(&error);
    lash_sim_destroy(sim);
    lash_system_destroy(system);
    lash_model_destroy(model);
    return status;
}

static lash_status go_to_end(lashi_job *job, const char *path,
                             lash_status (*take)(lash_sim *sim, const lash_state *state, lash_error *error)) {
    lash_error error = {.time = (double)NAN};
    bool found;
    const lash_status status = restore(&found, job->sim, job->before, "state", take, &error);
    if (status)
        lashi_talk_error(&error);
    else if (!found)
        return lashi_talk_fail(LASH_ERROR_USAGE,
                               "'%s' has no state to continue from: its run failed, was made by an "
                               "earlier version, or not by lash run",
                               path);
    return status;
}

lash_status lashi_job_go_on(lashi_job *job) {
    const lashi_arguments *arguments = job->arguments;
    const char *path = lashi_option_value(arguments, "from"), *at = lashi_option_value(arguments, "at");
    double time = (double)NAN;
    if (!path)
        return at ? lashi_talk_usage(arguments->command, "--at needs --from") : LASH_OK;
    if (lashi_option_given(arguments, "verify"))
        return lashi_talk_usage(arguments->command,
                                "--verify computes a run from its beginning; not with --from");
    if (at && lash_quantity_read(&time, at, "s", NULL) != LASH_OK)
        return lashi_talk_usage(arguments->command, "--at is a time, as in \"20 ms\"; not '%s'", at);
    lash_setting *then;
    char *text;
    size_t count;
    lash_status status = lashi_result_settings(&then, &count, &text, job->before);
    if (status) {
        lashi_talk_fail(status, "out of memory");
    } else {
        const char *model = lash_result_text(job->before, "model");
        bool changed =
            text_differs(lash_model_text(job->model), model ? model : "", arguments->names[0], path);
        changed = tables_differ(job->model, job->before, path) || changed;
        const bool same = !changed && !settings_differ(job->model, then, count);
        if (at && changed)
            status =
                lashi_talk_fail(LASH_ERROR_USAGE,
                                "with --at the run of '%s' is computed again: the model must be the same, "
                                "except for what is set",
                                path);
        else if (at)
            status = repeat(job, then, count, time, same ? lash_sim_restore : lash_sim_adopt);
        else
            status = go_to_end(job, path, same ? lash_sim_restore : lash_sim_adopt);
    }
    free(then);
    free(text);
    if (!status && !(lash_sim_time(job->sim) < lash_system_end(job->system)))
        status = lashi_talk_usage(
            arguments->command,
            "the run continues from t = %.9g s and would end at %.9g s: give a later --until",
            lash_sim_time(job->sim), lash_system_end(job->system));
    return status;
}
