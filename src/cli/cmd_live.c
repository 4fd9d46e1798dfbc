/* SPDX-License-Identifier: MIT
 *
 * lash live: a model as a page that simulates it, one HTML file with the solver inside; without a model a
 * gallery of the examples.
 *
 * The page gets the text of the model and the tables it reads. The model is read here first, so that mistakes
 * are reported where they can be corrected.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/examples.h"
#include "cli/job.h"
#include "cli/output.h"
#include "cli/page.h"
#include "cli/talk.h"

/* What the gallery opens with. */
static const char FIRST_EXAMPLE[] = "flores-2010.yaml";

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---- a model

static void put_named(FILE *stream, const char *name, const char *text) {
    fputs("{\"name\":", stream);
    lashi_json_text(stream, name);
    fputs(",\"text\":", stream);
    lashi_json_text(stream, text);
}

/* A table beside the model, whole; NULL after saying why not. */
static char *read_table(const char *model, const char *name) {
    const int folder = (int)(base_name(model) - model);
    char *path = NULL, *text = NULL;
    size_t length = 0;
    if (asprintf(&path, "%.*s%s", name[0] == '/' ? 0 : folder, model, name) < 0)
        return NULL;
    FILE *file = lash_file_open(path), *out = file ? open_memstream(&text, &length) : NULL;
    if (!file)
        lashi_talk_fail(LASH_ERROR_IO, "cannot read the table '%s'", path);
    char block[4096];
    for (size_t n; out && (n = fread(block, 1, sizeof block, file)) > 0;)
        fwrite(block, 1, n, out);
    if (file)
        fclose(file);
    if (out && fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    free(path);
    return text;
}

static lash_status put_model(FILE *stream, const lashi_job *job) {
    const char *path = job->arguments->names[0], *title = lash_model_title(job->model), *name;
    lashi_page_begin(stream, *title ? title : base_name(path), true);
    fputs("{\"kind\":\"live\",\"version\":\"" LASH_VERSION "\",\"name\":", stream);
    lashi_json_text(stream, base_name(path));
    lashi_json_key(stream, "text");
    lashi_json_text(stream, lash_model_text(job->model));
    lashi_json_key(stream, "settings");
    fputc('{', stream);
    for (size_t i = 0; i < lash_model_setting_count(job->model); i++) {
        const lash_setting setting = lash_model_setting(job->model, i);
        fputs(i ? "," : "", stream);
        lashi_json_text(stream, setting.name);
        fputc(':', stream);
        lashi_json_text(stream, setting.value);
    }
    fputs("},\n\"files\":[", stream);
    lash_status status = LASH_OK;
    for (size_t i = 0; !status && (name = lash_model_table(job->model, i)) != NULL; i++) {
        char *text = read_table(path, name);
        if (!text)
            status = LASH_ERROR_IO;
        else {
            fputs(i ? "," : "", stream);
            put_named(stream, name, text);
            fputc('}', stream);
        }
        free(text);
    }
    fputs("]}\n", stream);
    lashi_page_end(stream, true);
    return status;
}

// ---- the gallery

static lash_status put_gallery(FILE *stream) {
    const char *separator = "";
    lashi_page_begin(stream, "Lash: live examples", true);
    fprintf(stream, "{\"kind\":\"live\",\"version\":\"" LASH_VERSION "\",\"name\":\"%s\",\"examples\":[",
            FIRST_EXAMPLE);
    for (const lashi_embedded_file *file = lashi_examples; file->name; file++) {
        char title[256], about[512];
        if (!lashi_example_is_model(file))
            continue;
        fputs(separator, stream);
        put_named(stream, file->name, file->text);
        lashi_json_key(stream, "title");
        lashi_json_text(stream, lashi_example_title(title, sizeof title, file));
        lashi_json_key(stream, "about");
        lashi_json_text(stream, lashi_example_about(about, sizeof about, file));
        fputc('}', stream);
        separator = ",\n";
    }
    fputs("],\n\"files\":[", stream);
    separator = "";
    for (const lashi_embedded_file *file = lashi_examples; file->name; file++) {
        if (!lashi_example_is_table(file))
            continue;
        fputs(separator, stream);
        put_named(stream, file->name, file->text);
        fputc('}', stream);
        separator = ",";
    }
    fputs("]}\n", stream);
    lashi_page_end(stream, true);
    return LASH_OK;
}

// ---- the command line

/* models/engine.yaml → engine-live.html */
static char *default_output(const char *path) {
    const char *name = base_name(path), *dot = strrchr(name, '.');
    char *out = NULL;
    const int length = (int)(dot && dot != name ? (size_t)(dot - name) : strlen(name));
    return asprintf(&out, "%.*s-live.html", length, name) < 0 ? NULL : out;
}

static lash_status write_page(const lashi_arguments *arguments, const lashi_job *job) {
    const char *given = lashi_option_value(arguments, "output"),
               *model = arguments->name_count ? arguments->names[0] : NULL;
    if (lashi_output_same(given, model))
        return lashi_talk_usage(arguments->command, "the page would overwrite '%s'", model);
    char *path = given ? strdup(given) : model ? default_output(model) : strdup("gallery-live.html");
    if (!path)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    lashi_output output;
    lash_status status = lashi_output_open(&output, path);
    if (!status) {
        status = model ? put_model(output.stream, job) : put_gallery(output.stream);
        status = lashi_output_close(&output, status);
        if (!status && strcmp(path, "-") != 0 && !lashi_option_given(arguments, "quiet"))
            fprintf(stderr, "%s\n", path);
    }
    free(path);
    return status;
}

static lash_status perform(const lashi_arguments *arguments) {
    lashi_job job = {0};
    lash_status status = LASH_OK;
    if (!lashi_page_is_live())
        return lashi_talk_fail(
            LASH_ERROR_LIMIT,
            "this program was built without the solver of live pages, for which emscripten and Node.js are "
            "needed; run tools/install-deps.sh web, then make again");
    if (arguments->name_count)
        status = lashi_job_load(&job, arguments);
    else if (lashi_option_given(arguments, "set"))
        status = lashi_talk_usage(arguments->command, "--set needs a model");
    if (!status)
        status = write_page(arguments, &job);
    lashi_job_clear(&job);
    return status;
}

static const lashi_option options[] = {
    {"output", 'o', "FILE.html", false, "the page; named after the model unless given, - is standard output"},
    LASHI_OPTION_SET,
    LASHI_OPTION_WORN,
    {"quiet", 'q', NULL, false, "does not print the name of the page"},
    {0}};

const lashi_command lashi_command_live = {
    .name = "live",
    .arguments = "[MODEL]",
    .also = "web browser gallery interactive",
    .brief = "Makes a page that simulates a model: change it and watch",
    .details = "Without MODEL the page is a gallery of the built-in examples.\n"
               "The page is one HTML file with the solver inside (WebAssembly): it works offline, in any\n"
               "recent browser, and computes the same as `lash run`. Every parameter of the model\n"
               "has a slider; {value: 0.2 mm, range: [0.1 mm, 1 mm]} sets its range. Its integrator is\n"
               "dop853.\n",
    .least = 0,
    .most = 1,
    .options = options,
    .perform = perform};
