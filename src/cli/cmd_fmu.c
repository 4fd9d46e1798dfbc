/* SPDX-License-Identifier: MIT
 *
 * lash fmu: a model as an FMU for co-simulation, FMI 2.0 or 3.0.
 *
 *   modelDescription.xml        binaries/linux64/lash_fmu.so (2.0), binaries/x86_64-linux/… (3.0)
 *   resources/model.yaml        the model, and the tables that it names
 *   resources/outputs           channels, one per line       resources/settings   NAME=VALUE lines
 *   resources/token             that of modelDescription.xml
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/embedded.h"
#include "cli/fmu_description.h"
#include "cli/output.h"
#include "cli/talk.h"
#include "cli/zip.h"

// ---- what goes into it

static lash_status out_of_memory(void) {
    return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

static uint64_t add(uint64_t sum, const char *text) {
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3U;
    return (sum ^ 1) * 0x100000001b3U;
}

/* The same for the same model, settings, outputs and version of Lash. */
static void make_token(char token[40], const lashi_job *job, const char *outputs, const char *settings) {
    uint64_t half[2];
    for (int k = 0; k < 2; k++) {
        half[k] = 0xcbf29ce484222325U + (unsigned)k;
        half[k] = add(half[k], lash_version());
        half[k] = add(half[k], lash_model_text(job->model));
        half[k] = add(half[k], outputs);
        half[k] = add(half[k], settings);
    }
    snprintf(token, 40, "{%08x-%04x-%04x-%04x-%012llx}", (unsigned)(half[0] >> 32),
             (unsigned)(half[0] >> 16 & 0xffff), (unsigned)(half[0] & 0xffff), (unsigned)(half[1] >> 48),
             (unsigned long long)(half[1] & 0xffffffffffffU));
}

static bool matches(const char *pattern, const char *name) {
    if (*pattern == '*')
        return matches(pattern + 1, name) || (*name && matches(pattern, name + 1));
    return *pattern == *name && (!*name || matches(pattern + 1, name + 1));
}

/* Channels that are outputs: those of --channels, or all except those that have the name of an input. */
static const char *channel_name(const void *sim, size_t index) {
    return lash_sim_channel_name(sim, index);
}

static lash_status no_channel(const lashi_job *job, const char *pattern) {
    const char *nearest = lash_channel_nearest(pattern, channel_name, job->sim);
    return nearest ? lashi_talk_usage(job->arguments->command, "no channel '%s'; did you mean '%s'?", pattern,
                                      nearest)
                   : lashi_talk_usage(job->arguments->command, "no channel '%s'; `lash channels` lists them",
                                      pattern);
}

static lash_status choose_outputs(size_t **out, size_t *count, const lashi_job *job) {
    const size_t channels = lash_sim_channel_count(job->sim);
    *out = calloc(channels + 1, sizeof **out);
    *count = 0;
    if (!*out)
        return out_of_memory();
    bool *used = calloc(job->channel_count + 1, sizeof *used);
    for (size_t c = 1; used && c < channels; c++) {
        const char *name = lash_sim_channel_name(job->sim, c);
        bool wanted = job->channel_count == 0;
        for (size_t p = 0; p < job->channel_count; p++)
            if (matches(job->channels[p], name))
                wanted = used[p] = true;
        if (wanted && lash_sim_find_input(job->sim, name) == (size_t)-1)
            (*out)[(*count)++] = c;
    }
    lash_status status = used ? LASH_OK : out_of_memory();
    for (size_t p = 0; !status && p < job->channel_count; p++)
        if (!used[p])
            status = no_channel(job, job->channels[p]);
    free(used);
    return status;
}

// ---- tables

static lash_status add_table(lashi_zip *zip, const char *model, const char *name) {
    const char *slash = strrchr(model, '/');
    char *path = NULL, *inside = NULL, *bytes = NULL;
    if (name[0] == '/' || strstr(name, ".."))
        return lashi_talk_fail(
            LASH_ERROR_USAGE, "the table '%s' cannot go into the FMU: its path must lead down from the model",
            name);
    if (asprintf(&path, "%.*s%s", slash ? (int)(slash - model) + 1 : 0, model, name) < 0 ||
        asprintf(&inside, "resources/%s", name) < 0) {
        free(path);
        return out_of_memory();
    }
    lash_status status = LASH_OK;
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    if (!file)
        status = lashi_talk_fail(LASH_ERROR_IO, "cannot read '%s': %s", path, strerror(errno));
    while (!status) {
        enum { BLOCK = 1 << 16 };
        char *larger = realloc(bytes, size + BLOCK);
        if (!larger) {
            status = out_of_memory();
            break;
        }
        bytes = larger;
        const size_t more = fread(bytes + size, 1, BLOCK, file);
        size += more;
        if (more == 0)
            break;
    }
    if (file)
        fclose(file);
    if (!status)
        lashi_zip_add(zip, inside, bytes, size);
    free(bytes);
    free(path);
    free(inside);
    return status;
}

static lash_status add_resources(lashi_zip *zip, const lashi_job *job) {
    const char *text = lash_model_text(job->model), *table;
    lash_status status = LASH_OK;
    lashi_zip_add(zip, "resources/model.yaml", text, strlen(text));
    for (size_t i = 0; !status && (table = lash_model_table(job->model, i)) != NULL; i++)
        status = add_table(zip, job->arguments->names[0], table);
    return status;
}

// ---- the whole

/* models/engine.yaml → engine, engine.fmu */
static char *base_name(const char *model, const char *ending) {
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model, *dot = strrchr(name, '.');
    char *out = NULL;
    const int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    return asprintf(&out, "%.*s%s", length, name, ending) < 0 ? NULL : out;
}

static lash_status write_fmu(FILE *stream, const lashi_job *job, int fmi, const size_t *outputs,
                             size_t count) {
    lashi_zip zip = {.stream = stream};
    char *list = NULL, *settings = NULL, *description = NULL, token[40];
    size_t list_size, settings_size, description_size, object_size;
    const char *object = lashi_fmu_object(&object_size);
    char *name = base_name(job->arguments->names[0], "");
    FILE *lists = open_memstream(&list, &list_size), *set = open_memstream(&settings, &settings_size),
         *xml = open_memstream(&description, &description_size);
    lash_status status = lists && set && xml && name ? LASH_OK : out_of_memory();
    for (size_t i = 0; !status && i < count; i++)
        fprintf(lists, "%s\n", lash_sim_channel_name(job->sim, outputs[i]));
    for (size_t i = 0; !status && i < lash_model_setting_count(job->model); i++) {
        const lash_setting setting = lash_model_setting(job->model, i);
        fprintf(set, "%s=%s\n", setting.name, setting.value);
    }
    if (lists)
        fclose(lists);
    if (set)
        fclose(set);
    if (!status) {
        make_token(token, job, list, settings);
        lashi_fmu_describe(xml, job, fmi, name, token, outputs, count);
    }
    if (xml)
        fclose(xml);
    if (!status) {
        lashi_zip_add(&zip, "modelDescription.xml", description, description_size);
        lashi_zip_add(&zip,
                      fmi == 2 ? "binaries/linux64/" LASHI_FMU_NAME ".so"
                               : "binaries/x86_64-linux/" LASHI_FMU_NAME ".so",
                      object, object_size);
        lashi_zip_add(&zip, "resources/outputs", list, list_size);
        lashi_zip_add(&zip, "resources/settings", settings, settings_size);
        lashi_zip_add(&zip, "resources/token", token, strlen(token));
        status = add_resources(&zip, job);
    }
    if (!lashi_zip_finish(&zip) && !status)
        status = lashi_talk_fail(LASH_ERROR_IO, "the FMU could not be written");
    free(list);
    free(settings);
    free(description);
    free(name);
    return status;
}

static lash_status perform(const lashi_arguments *arguments) {
    lashi_job job;
    size_t object_size, *outputs = NULL, count = 0;
    lash_error error;
    lashi_output output;
    const char *version = lashi_option_value(arguments, "fmi"),
               *given = lashi_option_value(arguments, "output");
    lashi_fmu_object(&object_size);
    if (object_size == 0)
        return lashi_talk_fail(LASH_ERROR_USAGE,
                               "this program was built without FMUs; build it with -DLASH_FMU=ON");
    if (version && strcmp(version, "2") != 0 && strcmp(version, "3") != 0)
        return lashi_talk_usage(arguments->command, "--fmi is 2 or 3, not '%s'", version);
    lash_status status = lashi_job_load(&job, arguments);
    char *path = given ? strdup(given) : base_name(arguments->names[0], ".fmu");
    if (status == LASH_OK && !path)
        status = out_of_memory();
    if (status == LASH_OK && lashi_output_same(path, arguments->names[0]))
        status = lashi_talk_usage(arguments->command, "the FMU would overwrite the model '%s'", path);
    if (status == LASH_OK && strcmp(lash_model_run(job.model)->start, "settled") == 0)
        status = lashi_talk_fail(
            LASH_ERROR_USAGE,
            "start: settled belongs to runs: an FMU begins as assembled, at the time of the "
            "importer. Give --set run.start=assembled and leave the transient out of its results");
    if (status == LASH_OK)
        status = lashi_job_compile(&job);
    if (status == LASH_OK)
        status = lashi_job_channels(&job);
    if (status == LASH_OK && lash_sim_create(&job.sim, job.system, &error) != LASH_OK) {
        lashi_talk_error(&error);
        status = error.status;
    }
    if (status == LASH_OK)
        status = choose_outputs(&outputs, &count, &job);
    if (status == LASH_OK)
        status = lashi_output_open(&output, path);
    if (status == LASH_OK) {
        status = write_fmu(output.stream, &job, version && version[0] == '2' ? 2 : 3, outputs, count);
        status = lashi_output_close(&output, status);
    }
    free(outputs);
    free(path);
    lashi_job_clear(&job);
    return status;
}

static const lashi_option options[] = {
    LASHI_OPTION_SET,
    {"output", 'o', "FILE.fmu", false, "the FMU; named after the model unless given"},
    {"fmi", 0, "2|3", false, "version of the standard: 2.0, or 3.0 (the default)"},
    {"channels", 0, "A,B", true, "outputs; * stands for anything; all channels unless given"},
    {0}};

const lashi_command lashi_command_fmu = {
    .name = "fmu",
    .arguments = "MODEL",
    .also = "fmi",
    .brief = "Writes a model as an FMU for co-simulation",
    .details =
        "Parameters of the model can be set before the steps begin; components of its forces and torques\n"
        "are inputs. The FMU contains all that it needs, for Linux on x86-64. A model without\n"
        "inputs gives the same numbers as `lash run` whatever the communication points are. With\n"
        "FMI 3.0 and event mode a step returns at contact events. The time of the model\n"
        "is that of the importer.\n",
    .least = 1,
    .most = 1,
    .options = options,
    .perform = perform};
