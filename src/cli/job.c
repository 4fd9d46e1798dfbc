/* SPDX-License-Identifier: MIT
 *
 * The steps of a computation from the command line.
 *
 * Ctrl-C and SIGTERM set a flag that the progress callback looks at: the run ends after the current step, and
 * what was recorded is kept. A second one ends the program at once.
 */
#include "cli/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/result_model.h"
#include "cli/talk.h"

// ---- loading

/* Options that stand for keys of the file's run block. */
static const char *const run_keys[] = {"until", "method", "rtol", "samples", "every", "steps", "compiled"};
enum { RUN_KEYS = sizeof run_keys / sizeof *run_keys };
static const char RUN_PREFIX[] = "run.", INPUT_PREFIX[] = "inputs.", WORN_PREFIX[] = "worn.";

typedef struct mistake_count {
    const lashi_arguments *arguments;
    size_t errors;
} mistake_count;

/* Names the option in place of the setting that was made from it; `before` characters were put in front of
 * its value. */
static void call_option(lash_error *error, const char *option, size_t before) {
    snprintf(error->file, sizeof error->file, "--%s", option);
    memmove(error->excerpt, error->excerpt + before, strlen(error->excerpt + before) + 1);
}

/* Messages name the option that was given: --until, not --set run.until; --input, not --set inputs.NAME. */
static void rename_setting(lash_error *error, const lashi_arguments *arguments) {
    size_t prefix = strlen(RUN_PREFIX);
    if (strcmp(error->file, "--set") != 0)
        return;
    if (strncmp(error->excerpt, INPUT_PREFIX, strlen(INPUT_PREFIX)) == 0 &&
        lashi_option_given(arguments, "input"))
        call_option(error, "input", strlen(INPUT_PREFIX));
    if (strncmp(error->excerpt, RUN_PREFIX, prefix) != 0)
        return;
    for (size_t i = 0; i < RUN_KEYS; i++) {
        size_t length = strlen(run_keys[i]);
        if (strncmp(error->excerpt + prefix, run_keys[i], length) == 0 &&
            error->excerpt[prefix + length] == '=' && lashi_option_given(arguments, run_keys[i])) {
            call_option(error, run_keys[i], prefix + length + 1);
            return;
        }
    }
}

static void report_mistake(void *user, const lash_error *mistake) {
    mistake_count *count = user;
    lash_error copy = *mistake;
    count->errors += mistake->status != LASH_OK;
    rename_setting(&copy, count->arguments);
    lashi_talk_error(&copy);
}

/* --set NAME=VALUE and --until T → settings; the texts of the names are the caller's to free. */
static lash_status collect_settings(lash_setting *settings, size_t *count, const lashi_arguments *arguments) {
    for (size_t i = 0; i < arguments->given_count; i++) {
        const lashi_given *given = &arguments->given[i];
        char *name = NULL;
        const char *value = given->value;
        if (strcmp(given->option->name, "set") == 0) {
            const char *equals = strchr(value, '=');
            if (!equals || equals == value)
                return lashi_talk_usage(arguments->command, "--set needs NAME=VALUE, not '%s'", value);
            name = strndup(value, (size_t)(equals - value));
            value = equals + 1;
        } else if (strcmp(given->option->name, "input") == 0) {
            const char *equals = strchr(value, '=');
            if (!equals || equals == value || !equals[1])
                return lashi_talk_usage(arguments->command, "--input needs NAME=FILE, not '%s'", value);
            if (asprintf(&name, "%s%.*s", INPUT_PREFIX, (int)(equals - value), value) < 0)
                name = NULL;
            value = equals + 1;
        } else {
            size_t key = 0;
            while (key < RUN_KEYS && strcmp(given->option->name, run_keys[key]) != 0)
                key++;
            if (key == RUN_KEYS || given->option->repeated) // lash wear has limits that end a life
                continue;
            if (asprintf(&name, "%s%s", RUN_PREFIX, run_keys[key]) < 0)
                name = NULL;
            if (!given->option->value)
                value = "true";
        }
        if (!name)
            return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
        settings[(*count)++] = (lash_setting){name, value};
    }
    return LASH_OK;
}

/* What a run that continues decides anew: where it ends and what is recorded. */
static bool is_of_part(const char *name) {
    static const char *const keys[] = {"run.until", "run.samples", "run.every", "run.steps"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(name, keys[i]) == 0)
            return true;
    return false;
}

/* Settings of the result before that are not given again, behind the others. */
static lash_status collect_before(lash_setting **settings, size_t *count, const lashi_job *job) {
    lash_result *before = job->before;
    const bool worn = lashi_option_given(job->arguments, "worn"),
               quiet = lashi_option_given(job->arguments, "quiet");
    lash_setting *old;
    char *text;
    size_t olds;
    lash_status status = lashi_result_settings(&old, &olds, &text, before);
    lash_setting *more = status ? NULL : realloc(*settings, (*count + olds + 1) * sizeof *more);
    const size_t given = *count;
    if (more)
        *settings = more;
    for (size_t i = 0; more && i < olds; i++) {
        bool again =
            is_of_part(old[i].name) || (worn && strncmp(old[i].name, WORN_PREFIX, strlen(WORN_PREFIX)) == 0);
        for (size_t k = 0; !again && k < given; k++)
            again = strcmp(more[k].name, old[i].name) == 0;
        if (again)
            continue;
        more[*count] = (lash_setting){strdup(old[i].name), strdup(old[i].value)};
        status = more[*count].name && more[*count].value ? status : LASH_ERROR_MEMORY;
        if (!quiet && !status)
            fprintf(stderr, "note: %s=%.40s, as in %s\n", old[i].name, old[i].value,
                    lashi_option_value(job->arguments, "from"));
        ++*count;
    }
    free(old);
    free(text);
    return more && !status ? LASH_OK : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

/* A number alone is in SI, also where the file has another unit: "--set speed=600" is not 600 rpm. */
static void note_units(const lash_model *model) {
    lash_parameter p;
    for (size_t i = 0; lash_model_parameter(&p, model, i); i++) {
        char *end, *unit;
        double usual;
        strtod(p.text, &end);
        const double number = strtod(p.usual, &unit);
        if (*end || !p.unit[0] || strcmp(p.text, p.usual) == 0 || unit == p.usual)
            continue;
        if (lash_quantity_read(&usual, p.usual, p.unit, NULL) || usual == number)
            continue;
        // Angles have no dimension, but rpm is not 1/s.
        const char *si = strcmp(p.unit, "1/s") == 0 ? "rad/s" : p.unit;
        fprintf(stderr,
                "note: %s is set to %s %s, where the model has %s; with a unit it is --set %s=\"%s%s\"\n",
                p.name, p.text, si, p.usual, p.name, p.text, unit);
    }
}

/* One profile of a life as a setting, both texts the caller's. */
static lash_status worn_setting(lash_setting *out, const lash_life *life, size_t joint, int part,
                                double turns, lash_error *error) {
    const lash_worn_shape *shape = &lash_life_stage_at(life, 0)->joints[joint].shape;
    double *profile = calloc(shape->count, sizeof *profile);
    char *name = NULL, *value = NULL;
    size_t size;
    FILE *stream = open_memstream(&value, &size);
    lash_status status = LASH_ERROR_MEMORY;
    if (profile && stream)
        status = lash_life_profile(profile, life, joint, part, turns, error);
    for (size_t s = 0; !status && s < shape->count; s++)
        fprintf(stream, s ? " %.17g" : "%.17g", profile[s]);
    if ((stream && fclose(stream)) ||
        (!status && asprintf(&name, "%s%s.%s", WORN_PREFIX, shape->joint, lash_worn_part(shape, part)) < 0))
        status = LASH_ERROR_MEMORY, name = NULL;
    free(profile);
    *out = (lash_setting){name, value};
    return status;
}

/* --worn LIFE.db@TURNS → a setting for each profile, behind the others. */
static lash_status collect_worn(lash_setting **settings, size_t *count, const lashi_arguments *arguments,
                                const char *text) {
    const char *at = strrchr(text, '@');
    char *path = strndup(text, at ? (size_t)(at - text) : strlen(text));
    lash_error error = {.time = (double)NAN};
    lash_life *life = NULL;
    double turns = (double)NAN;
    lash_status status = path ? LASH_OK : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status && at && lash_quantity_read(&turns, at + 1, "", &error))
        status = lashi_talk_usage(arguments->command, "--worn: %s", error.message);
    if (status) {
        free(path);
        return status;
    }
    status = lash_life_open(&life, path, &error);
    const lash_life_stage *stage = lash_life_stage_at(life, 0);
    const size_t joints = stage ? stage->joint_count : 0;
    lash_setting *more = realloc(*settings, (*count + LASH_WORN_PARTS * joints + 1) * sizeof *more);
    if (more)
        *settings = more;
    else if (!status)
        status = LASH_ERROR_MEMORY;
    if (!status && !joints)
        status = lash_life_profile((double[1]){0}, life, 0, 0, turns, &error);
    for (size_t i = 0; !status && i < LASH_WORN_PARTS * joints; i++)
        status = worn_setting(&more[(*count)++], life, i / LASH_WORN_PARTS, (int)(i % LASH_WORN_PARTS), turns,
                              &error);
    if (status == LASH_ERROR_MEMORY)
        lashi_talk_fail(status, "out of memory");
    else if (status)
        lashi_talk_error(&error);
    lash_life_destroy(life);
    free(path);
    return status;
}

static lash_status load(lashi_job *job) {
    const lashi_arguments *arguments = job->arguments;
    if (lashi_option_given(arguments, "samples") && lashi_option_given(arguments, "every"))
        return lashi_talk_usage(arguments->command, "--samples and --every exclude each other");
    lash_setting *settings = calloc(arguments->given_count + 1, sizeof *settings);
    size_t count = 0;
    if (!settings)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    const char *worn = lashi_option_value(arguments, "worn");
    lash_status status = collect_settings(settings, &count, arguments);
    const size_t given = count; // their values are the arguments'
    if (status == LASH_OK && worn)
        status = collect_worn(&settings, &count, arguments, worn);
    if (status == LASH_OK && job->before)
        status = collect_before(&settings, &count, job);
    if (status == LASH_OK) {
        lash_error error;
        mistake_count mistakes = {arguments, 0};
        const lash_load_options options = {
            .settings = settings, .setting_count = count, .report = report_mistake, .user = &mistakes};
        status = lash_model_load(&job->model, arguments->names[0], &options, &error);
        if (status != LASH_OK && mistakes.errors == 0)
            lashi_talk_error(&error);
        if (mistakes.errors > 1)
            fprintf(stderr, "%zu mistakes in %s.\n", mistakes.errors, arguments->names[0]);
    }
    if (status == LASH_OK && !lashi_option_given(arguments, "quiet"))
        note_units(job->model);
    for (size_t i = 0; i < count; i++) {
        free((char *)settings[i].name);
        if (i >= given)
            free((char *)settings[i].value);
    }
    free(settings);
    return status;
}

lash_status lashi_job_load(lashi_job *job, const lashi_arguments *arguments) {
    *job = (lashi_job){.arguments = arguments};
    return load(job);
}

lash_status lashi_job_load_on(lashi_job *job, const lashi_arguments *arguments) {
    const char *path = lashi_option_value(arguments, "from");
    lash_error error = {.time = (double)NAN};
    *job = (lashi_job){.arguments = arguments};
    const lash_status status = path ? lash_result_open(&job->before, path, &error) : LASH_OK;
    if (status)
        lashi_talk_error(&error);
    return status ? status : load(job);
}

lash_status lashi_job_compile(lashi_job *job) {
    lash_error error;
    lash_film_work work;
    for (size_t i = 0; lash_film_work_at(&work, job->model, i); i++)
        fprintf(stderr,
                "%s: the film of L/D = %.4g is tabulated, about %.0f s; it is kept for the next time.\n",
                work.joint, work.length_ratio, work.seconds);
    lash_status status = lash_system_compile(&job->system, job->model, &error);
    if (status != LASH_OK) {
        if (!error.file[0])
            snprintf(error.file, sizeof error.file, "%s", job->arguments->names[0]);
        lashi_talk_error(&error);
    }
    return status;
}

// ---- recording

/* "A,B" of all --channels → a list. */
lash_status lashi_job_channels(lashi_job *job) {
    const char *value;
    size_t most = 1;
    for (size_t i = 0; (value = lashi_option_value_at(job->arguments, "channels", i)) != NULL; i++)
        most += strlen(value) + 1;
    job->channels = calloc(most, sizeof *job->channels);
    for (size_t i = 0; (value = lashi_option_value_at(job->arguments, "channels", i)) != NULL; i++)
        for (const char *at = value;; at++) {
            at += strspn(at, " ");
            size_t length = strcspn(at, ",");
            size_t trimmed = length;
            while (trimmed > 0 && at[trimmed - 1] == ' ')
                trimmed--;
            if (trimmed == 0)
                return lashi_talk_usage(job->arguments->command, "--channels has an empty name: '%s'", value);
            if (!job->channels || !(job->channels[job->channel_count++] = strndup(at, trimmed)))
                return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
            at += length;
            if (!*at)
                break;
        }
    return LASH_OK;
}

/* models/engine.yaml → engine.h5 */
static char *default_result(const char *model) {
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model, *dot = strrchr(name, '.');
    char *path = NULL;
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    return asprintf(&path, "%.*s.h5", length, name) < 0 ? NULL : path;
}

static lash_status choose_files(lashi_job *job, const char *csv) {
    const lashi_arguments *arguments = job->arguments;
    const char *model = arguments->names[0], *result = lashi_option_value(arguments, "output"),
               *given = lashi_option_value(arguments, "csv");
    if (!result && !given && csv)
        given = csv;
    job->csv = given ? strdup(given) : NULL;
    job->result = result ? strdup(result) : given ? NULL : default_result(model);
    if ((given && !job->csv) || ((result || !given) && !job->result))
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (job->result && strcmp(job->result, "-") == 0)
        return lashi_talk_usage(arguments->command, "a result cannot go to standard output; --csv - can");
    if (job->csv && strcmp(job->csv, "-") == 0 && lashi_option_given(arguments, "json"))
        return lashi_talk_usage(arguments->command, "--csv - and --json both go to standard output");
    if (lashi_output_same(job->result, model) || lashi_output_same(job->csv, model))
        return lashi_talk_usage(arguments->command, "the result would overwrite the model '%s'", model);
    if (lashi_output_same(job->result, job->csv))
        return lashi_talk_usage(arguments->command, "--output and --csv name the same file '%s'", job->csv);
    return LASH_OK;
}

/* Whether so many rows have room on the disk: a mistyped number of samples would fill it. */
static lash_status check_room(const lashi_job *job, double rows) {
    static const double GB = 1e9;
    char folder[4096];
    struct statvfs disk;
    const char *slash = strrchr(job->result, '/');
    const int length = slash ? (int)(slash - job->result) : 0;
    snprintf(folder, sizeof folder, "%.*s/", slash ? length : 1, slash ? job->result : ".");
    if (statvfs(folder, &disk) != 0)
        return LASH_OK; // who opens the file says what is wrong
    const size_t columns = lash_record_column_count(job->record);
    const double bytes = rows * (double)columns * sizeof(double),
                 room = (double)disk.f_bavail * (double)disk.f_frsize;
    return bytes <= room
               ? LASH_OK
               : lashi_talk_fail(
                     LASH_ERROR_IO,
                     "%.9g rows of %zu channels take %.3g GB, and where %s is to be written there is "
                     "room for %.3g GB: record fewer rows (--samples, --every), or fewer channels "
                     "(--channels)",
                     rows, columns, bytes / GB, job->result, room / GB);
}

lash_status lashi_job_record(lashi_job *job, size_t samples, const char *csv) {
    lash_error error;
    const lash_run_def *run = lash_model_run(job->model);
    if (!isfinite(lash_system_end(job->system)))
        return lashi_talk_usage(
            job->arguments->command,
            "the model does not say when the run ends: give --until, e.g. --until \"0.2 s\"");
    lash_status status = choose_files(job, csv);
    if (status == LASH_OK && lashi_option_given(job->arguments, "channels"))
        status = lashi_job_channels(job);
    if (status != LASH_OK)
        return status;
    bool uniform = isfinite(run->samples) || isfinite(run->every);
    lash_record_options options = {.channels = (const char *const *)job->channels,
                                   .channel_count = job->channel_count,
                                   .samples = isfinite(run->samples) ? (size_t)run->samples
                                              : uniform              ? 0
                                                                     : samples,
                                   .every = run->every,
                                   .peaks = true,
                                   .still = samples > 0};
    options.steps = run->steps && samples == 0;
    if (!uniform && samples == 0)
        options.steps = true;
    status = lash_sim_create(&job->sim, job->system, &error);
    if (status == LASH_OK)
        status = lash_sim_compile(job->sim, &error);
    if (status == LASH_OK)
        status = lash_record_create(&job->record, job->sim, &options, &error);
    const double span = lash_system_end(job->system) - run->begin,
                 rows = isfinite(run->every) ? span / run->every : (double)options.samples;
    if (status == LASH_OK && job->result && check_room(job, rows) != LASH_OK)
        return LASH_ERROR_IO;
    if (status == LASH_OK && job->result)
        status = lash_record_to_hdf5(job->record, job->result, &error);
    if (status == LASH_OK && job->csv)
        status = lash_record_to_csv(job->record, job->csv, &error);
    if (status != LASH_OK)
        lashi_talk_error(&error);
    return status;
}

// ---- computing

/* What the callbacks of a run need. */
typedef struct look {
    lashi_progress bar;
    const lashi_job *job;
} look;

static bool progress(void *user, double time, double end) {
    look *l = user;
    const double start = lash_model_run(l->job->model)->begin;
    lashi_progress_update(&l->bar, (time - start) / (end - start), NULL);
    return !lashi_interrupted();
}

static lash_status observe(void *user, lash_sim *sim, double t_old, double t_new) {
    const lashi_job *job = ((look *)user)->job;
    return job->observe(job->observer, sim, t_old, t_new);
}

lash_status lashi_job_steps(lashi_job *job, lashi_compute *compute, lash_error *error) {
    look user = {.job = job};
    lashi_interrupt_watch(true);
    lashi_progress_begin(&user.bar, !lashi_option_given(job->arguments, "quiet"));
    const lash_run_control control = {
        .progress = progress, .observe = job->observe ? observe : NULL, .user = &user};
    const lash_status status = compute(job->sim, job->record, &control, error);
    lashi_progress_wipe(&user.bar);
    lashi_interrupt_watch(false);
    return status;
}

lash_status lashi_job_compute(lashi_job *job, lashi_compute *compute) {
    bool quiet = lashi_option_given(job->arguments, "quiet");
    lash_error error = {.time = (double)NAN}, finish_error = {.time = (double)NAN};
    lash_status status = lashi_job_steps(job, compute, &error);

    // Also after a failure what was recorded until then is kept; but a refusal has left nothing to keep.
    if (status == LASH_ERROR_MODEL || status == LASH_ERROR_USAGE) {
        lashi_talk_error(&error);
        return status;
    }
    const lash_summary summary = lash_sim_summary(job->sim);
    lash_status finished = status >= 0 && summary.steps > 0
                               ? lash_record_keep_state(job->record, job->sim, &finish_error)
                               : LASH_OK;
    if (finished >= 0)
        finished = lash_record_finish(job->record, &summary, &finish_error);
    job->summary = summary;
    job->computed = finished >= 0;
    if (!quiet && !lashi_option_given(job->arguments, "json") && finished >= 0)
        lashi_report_run(job, &summary);
    if (status < 0)
        lashi_talk_error(&error);
    else if (finished < 0)
        lashi_talk_error(&finish_error);
    else if (status == LASH_STOP_INTERRUPTED)
        fprintf(stderr, "Interrupted at t = %.9g s; what was computed until then is kept.\n", summary.end);
    if (status < 0 && finished >= 0 && job->result)
        fprintf(stderr, "What was recorded is in %s, marked as failed.\n", job->result);
    return status >= 0 && finished < 0 ? finished : status;
}

void lashi_job_clear(lashi_job *job) {
    lash_result_close(job->before);
    lash_record_destroy(job->record);
    lash_sim_destroy(job->sim);
    lash_system_destroy(job->system);
    lash_model_destroy(job->model);
    for (size_t i = 0; i < job->channel_count; i++)
        free(job->channels[i]);
    free(job->channels);
    free(job->result);
    free(job->csv);
    *job = (lashi_job){0};
}
