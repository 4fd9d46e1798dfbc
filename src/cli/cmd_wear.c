/* SPDX-License-Identifier: MIT
 *
 * lash wear: how a machine wears over its life, and how long it lasts.
 *
 * Ctrl-C and SIGTERM end it in good order; a process that is killed loses only the stage that it was computing.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/talk.h"

// ---- progress

/* 1.2e+06 turns, 14 stages */
static bool progress(void *user, const lash_life_progress *p) {
    char words[96];
    snprintf(words, sizeof words, "%.4g turns, %zu stage%s", p->turns, p->stages, p->stages == 1 ? "" : "s");
    lashi_progress_update(user, p->fraction, words);
    return !lashi_interrupted();
}

// ---- what came out

static void show_joint(FILE *stream, const lash_life *life, size_t joint) {
    enum { ROWS = 14 };
    const size_t count = lash_life_stage_count(life);
    const size_t step = count > ROWS ? (count - 1 + ROWS - 1) / ROWS : 1;
    const lash_life_joint *new = &lash_life_stage_at(life, 0)->joints[joint];
    fprintf(stream, "\n%s, %.4g µm of %splay when new\n", new->shape.joint, 1e6 * new->shape.clearance,
            new->shape.closed ? "radial " : "");
    fprintf(stream, "%12s %10s %9s %9s %9s %10s %8s %9s\n", "turns", "hours", "play",
            lash_worn_part(&new->shape, 0), lash_worn_part(&new->shape, 1), "worn off", "peak", "impacts");
    // µ has two bytes.
    fprintf(stream, "%12s %10s %10s %10s %10s %10s %8s\n", "", "", "µm", "µm", "µm", "mm^3", "N");
    for (size_t i = 0; i < count; i += i + 1 == count || i + step < count ? step : count - 1 - i) {
        const lash_life_stage *stage = lash_life_stage_at(life, i);
        const lash_life_joint *j = &stage->joints[joint];
        fprintf(stream, "%12.5g %10.4g %9.5g %9.4g %9.4g %10.4g %8.4g %9g\n", stage->turns, stage->hours,
                1e6 * j->play, 1e6 * j->deepest[0], 1e6 * j->deepest[1], 1e9 * j->volume, j->peak_force,
                j->impacts);
    }
}

static void show(FILE *stream, const lash_life *life) {
    size_t unsteady = 0, means = 0;
    const size_t count = lash_life_stage_count(life);
    lashi_talk_foreign(stream, lash_life_title(life));
    fputc('\n', stream);
    if (!count) {
        fprintf(stream, "The life has no stage yet: the turns of its first one are not finished.\n");
        return;
    }
    for (size_t j = 0; j < lash_life_stage_at(life, 0)->joint_count; j++)
        show_joint(stream, life, j);
    for (size_t i = 0; i < count; i++) {
        means += !lash_life_stage_at(life, i)->repeats;
        unsteady += lash_life_stage_at(life, i)->spread > 0.1;
    }
    fputc('\n', stream);
    if (means)
        fprintf(stream, "At %zu of %zu stages the turns did not repeat; their mean was taken.\n", means,
                count);
    if (unsteady)
        fprintf(stream, "At %zu of %zu stages it is known to no better than 10 %%.\n", unsteady, count);
    if (lash_life_end(life))
        fprintf(stream, "The life ends by %s after %.6g turns, %.6g h.%s\n", lash_life_end(life),
                lash_life_turns(life), lash_life_hours(life),
                lash_life_turns(life) > 0 ? "" : " The limit is passed when the machine is new.");
    else
        fprintf(stream, "The life has not ended yet.\n");
}

static void add_profile(lashi_json *json, const char *key, const double *values, size_t count) {
    lashi_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++)
        lashi_json_add(json, NULL, values[i]);
    lashi_json_close(json, ']');
}

static void add_joint(lashi_json *json, const lash_life_joint *joint) {
    lashi_json_open(json, NULL, '{');
    lashi_json_say(json, "joint", joint->shape.joint);
    lashi_json_add(json, "origin", joint->shape.origin);
    lashi_json_add(json, "pitch", joint->shape.pitch);
    lashi_json_add(json, "volume", joint->volume);
    lashi_json_add(json, "wear_per_turn", joint->wear);
    lashi_json_add(json, "play", joint->play);
    lashi_json_add(json, "peak_force", joint->peak_force);
    lashi_json_add(json, "impacts", joint->impacts);
    lashi_json_add(json, "energy_lost", joint->energy_lost);
    for (int part = 0; part < LASH_WORN_PARTS; part++) {
        char key[32];
        const char *name = lash_worn_part(&joint->shape, part);
        snprintf(key, sizeof key, "%s_depth", name);
        lashi_json_add(json, key, joint->deepest[part]);
        const size_t sectors = joint->shape.sectors, ends = joint->shape.count - sectors;
        add_profile(json, name, joint->profile[part], sectors);
        snprintf(key, sizeof key, "%s_block", name);
        if (ends)
            add_profile(json, key, joint->profile[part] + sectors, ends);
    }
    lashi_json_close(json, '}');
}

static void show_json(FILE *stream, const lash_life *life) {
    lashi_json json = {.stream = stream};
    lashi_json_open(&json, NULL, '{');
    lashi_json_say(&json, "title", lash_life_title(life));
    lashi_json_say(&json, "end", lash_life_end(life));
    lashi_json_add(&json, "turns", lash_life_turns(life));
    lashi_json_add(&json, "hours", lash_life_hours(life));
    lashi_json_open(&json, "stages", '[');
    for (size_t i = 0; i < lash_life_stage_count(life); i++) {
        const lash_life_stage *stage = lash_life_stage_at(life, i);
        lashi_json_open(&json, NULL, '{');
        lashi_json_add(&json, "turns", stage->turns);
        lashi_json_add(&json, "hours", stage->hours);
        lashi_json_add(&json, "torque_peak", stage->torque_peak);
        lashi_json_add(&json, "torque_rms", stage->torque_rms);
        lashi_json_add(&json, "turns_run", stage->turns_run);
        lashi_json_add(&json, "turns_kept", stage->turns_kept);
        lashi_json_flag(&json, "repeats", stage->repeats);
        lashi_json_add(&json, "spread", stage->spread);
        lashi_json_open(&json, "joints", '[');
        for (size_t j = 0; j < stage->joint_count; j++)
            add_joint(&json, &stage->joints[j]);
        lashi_json_close(&json, ']');
        lashi_json_close(&json, '}');
    }
    lashi_json_close(&json, ']');
    lashi_json_close(&json, '}');
    fputc('\n', stream);
}

static lash_status put(const lash_life *life, bool json) {
    lashi_output output;
    lash_status status = lashi_output_open(&output, "-");
    if (status)
        return status;
    (json ? show_json : show)(output.stream, life);
    return lashi_output_close(&output, LASH_OK);
}

// ---- running

/* "play gudgeon: 0.3 mm" */
static lash_status read_limit(lash_life_limit *limit, const lashi_arguments *arguments, const lash_sim *sim,
                              const char *text) {
    const char *colon = strrchr(text, ':');
    lash_error error = {.time = (double)NAN};
    char key[LASH_LIFE_TEXT];
    if (!colon || (size_t)(colon - text) >= sizeof key)
        return lashi_talk_usage(arguments->command,
                                "--until needs what ends the life, for example \"turns: 1e6\" or \"play "
                                "gudgeon: 0.3 mm\", not '%s'",
                                text);
    snprintf(key, sizeof key, "%.*s", (int)(colon - text), text);
    const lash_status status =
        lash_life_limit_read(limit, sim, key, colon + 1 + strspn(colon + 1, " "), &error);
    return status ? lashi_talk_usage(arguments->command, "--until: %s", error.message) : LASH_OK;
}

static lash_status read_limits(lash_life_limit **limits, size_t *count, const lashi_arguments *arguments,
                               const lash_system *system) {
    lash_sim *sim = NULL;
    lash_error error = {.time = (double)NAN};
    const char *text;
    lash_status status = lash_sim_create(&sim, system, &error);
    if (status)
        lashi_talk_error(&error);
    for (*count = 0; lashi_option_value_at(arguments, "until", *count); ++*count) {
    }
    *limits = calloc(*count + 1, sizeof **limits);
    if (!status && !*count)
        status = lashi_talk_usage(arguments->command,
                                  "what ends the life? Give --until, for example --until \"turns: 1e6\"");
    for (size_t i = 0; *limits && !status && (text = lashi_option_value_at(arguments, "until", i)); i++)
        status = read_limit(&(*limits)[i], arguments, sim, text);
    lash_sim_destroy(sim);
    return *limits ? status : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

static lash_status read_tolerance(double *out, const lashi_arguments *arguments) {
    const char *text = lashi_option_value(arguments, "tolerance");
    lash_error error = {.time = (double)NAN};
    *out = 0;
    if (!text)
        return LASH_OK;
    if (lash_quantity_read(out, text, "", &error))
        return lashi_talk_usage(arguments->command, "--tolerance: %s", error.message);
    if (!(*out > 0 && *out < 1))
        return lashi_talk_usage(arguments->command,
                                "--tolerance must lie between 0 and 1, for example 0.02, not %s", text);
    return LASH_OK;
}

/* What --set has set, for the file to be compared by. */
static char *settings_of(const lash_model *model) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (size_t i = 0; i < lash_model_setting_count(model); i++)
        fprintf(stream, "%s=%s\n", lash_model_setting(model, i).name, lash_model_setting(model, i).value);
    return fclose(stream) ? NULL : text;
}

/* models/crank.yaml → crank-wear.db */
static char *default_store(const char *model) {
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model, *dot = strrchr(name, '.');
    char *path = NULL;
    const int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    return asprintf(&path, "%.*s-wear.db", length, name) < 0 ? NULL : path;
}

static lash_status live(lashi_job *job, const lashi_arguments *arguments) {
    const bool quiet = lashi_option_given(arguments, "quiet");
    const char *given = lashi_option_value(arguments, "output");
    char *store = given ? strdup(given) : default_store(arguments->names[0]),
         *settings = settings_of(job->model);
    lash_life_limit *limits = NULL;
    lash_life *life = NULL;
    lash_error error = {.time = (double)NAN};
    lashi_progress bar;
    lash_life_options options = {.store = store,
                                 .settings = settings,
                                 .turn_by_turn = lashi_option_given(arguments, "turn-by-turn"),
                                 .progress = progress,
                                 .user = &bar};
    lash_status status = store && settings ? LASH_OK : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status)
        status = read_tolerance(&options.tolerance, arguments);
    if (!status)
        status = read_limits(&limits, &options.limit_count, arguments, job->system);
    options.limits = limits;
    if (!status) {
        lashi_progress_begin(&bar, !quiet);
        bar.from = (double)NAN; // a life that continues does not begin at 0
        lashi_interrupt_watch(true);
        status = lash_life_run(&life, job->system, &options, &error);
        lashi_interrupt_watch(false);
        lashi_progress_wipe(&bar);
        if (status < 0)
            lashi_talk_error(&error);
    }
    if (life && (!quiet || lashi_option_given(arguments, "json"))) {
        const lash_status told = put(life, lashi_option_given(arguments, "json"));
        status = status ? status : told;
        if (!quiet)
            fprintf(stderr, "%s%s\n",
                    status == LASH_STOP_INTERRUPTED ? "Interrupted; the same command continues from here: "
                                                    : "Kept in ",
                    store);
    }
    lash_life_destroy(life);
    free(limits);
    free(settings);
    free(store);
    return status;
}

static lash_status show_file(const lashi_arguments *arguments) {
    lash_life *life;
    lash_error error = {.time = (double)NAN};
    lash_status status = lash_life_open(&life, arguments->names[1], &error);
    if (status) {
        lashi_talk_error(&error);
        return status;
    }
    status = put(life, lashi_option_given(arguments, "json"));
    lash_life_destroy(life);
    return status;
}

static lash_status perform(const lashi_arguments *arguments) {
    if (arguments->name_count == 2) {
        if (strcmp(arguments->names[0], "show") != 0)
            return lashi_talk_usage(arguments->command, "'%s' is one argument too many", arguments->names[1]);
        return show_file(arguments);
    }
    lashi_job job;
    lash_status status = lashi_job_load(&job, arguments);
    if (status == LASH_OK)
        status = lashi_job_compile(&job);
    if (status == LASH_OK)
        status = live(&job, arguments);
    lashi_job_clear(&job);
    return status;
}

static const lashi_option options[] = {
    LASHI_OPTION_SET,
    {"until", 'u', "LIMIT", true,
     "what ends the life: \"turns: 1e7\", \"hours: 2000\", \"play gudgeon: 0.3 mm\", \"max slider.ax: "
     "5000\""},
    {"tolerance", 't', "X", false, "error of worn depths, of the deepest; 0.02 unless given"},
    {"turn-by-turn", 0, NULL, false, "computes every turn; nothing is extrapolated"},
    {"output", 'o', "FILE.db", false, "file for the life; named after the model"},
    {"json", 0, NULL, false, "writes the life as JSON, profiles included"},
    {"quiet", 'q', NULL, false, "no progress bar and no table"},
    {0}};

const lashi_command lashi_command_wear = {
    .name = "wear",
    .arguments = "MODEL",
    .also = "life lifetime archard durability",
    .brief = "Computes how a machine wears: profiles, play and forces over its life, and how long it lasts",
    .details = "lash wear show FILE.db       prints the table of a life again; with --json for programs\n"
               "lash plot FILE.db            draws profiles and curves over the life\n"
               "\n"
               "Joints wear if their clearance has a block wear. Turns are computed until they repeat, or\n"
               "their mean is steady, and extrapolated over as many as the tolerance allows. --until may be\n"
               "given more than once: the first limit that is reached ends the life. Stages are written as\n"
               "they are found; if a life was stopped, the same command continues it. See docs/wear.md.\n",
    .least = 1,
    .most = 2,
    .options = options,
    .perform = perform};
