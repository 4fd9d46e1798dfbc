/* SPDX-License-Identifier: MIT
 *
 * lash example: lists the models that are built into the program, or writes one, with the tables it reads.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/examples.h"
#include "cli/output.h"
#include "cli/talk.h"

static void list(void) {
    char name[64];
    for (const lashi_embedded_file *file = lashi_examples; file->name; file++) {
        char title[256];
        if (lashi_example_is_model(file))
            printf("%-20s %s\n", lashi_example_name(name, sizeof name, file),
                   lashi_example_title(title, sizeof title, file));
    }
}

static const char *listed(const void *files, size_t index) {
    return ((const lashi_embedded_file *)files)[index].name;
}

static lash_status unknown(const lashi_arguments *arguments, const char *wanted) {
    char name[64], found[64];
    const bool whole = lashi_example_is_model(&(lashi_embedded_file){.name = wanted});
    snprintf(name, sizeof name, "%s%s", wanted, whole ? "" : ".yaml");
    const char *nearest = lashi_options_nearest(name, listed, lashi_examples);
    if (!nearest) // or the beginning of a name
        nearest = lashi_options_nearest(wanted, listed, lashi_examples);
    const lashi_embedded_file file = {.name = nearest};
    if (!nearest || !lashi_example_is_model(&file))
        return lashi_talk_usage(arguments->command, "there is no example '%s'; `lash example` lists them",
                                wanted);
    return lashi_talk_usage(arguments->command,
                            "there is no example '%s'; did you mean '%s'? `lash example` lists all", wanted,
                            lashi_example_name(found, sizeof found, &file));
}

static const lashi_embedded_file *find(const char *wanted) {
    char name[64];
    for (const lashi_embedded_file *file = lashi_examples; file->name; file++)
        if (lashi_example_name(name, sizeof name, file)[0] &&
            (strcmp(name, wanted) == 0 || strcmp(file->name, wanted) == 0))
            return file;
    return NULL;
}

static lash_status write_file(const char *path, const lashi_embedded_file *file, bool force) {
    if (!force && strcmp(path, "-") != 0 && access(path, F_OK) == 0)
        return lashi_talk_fail(LASH_ERROR_IO, "'%s' exists already; --force overwrites it", path);
    lashi_output output;
    lash_status status = lashi_output_open(&output, path);
    if (status != LASH_OK)
        return status;
    fwrite(file->text, 1, file->size, output.stream);
    status = lashi_output_close(&output, LASH_OK);
    if (status == LASH_OK && strcmp(path, "-") != 0)
        fprintf(stderr, "Written: %s\n", path);
    return status;
}

/* Tables that the model names lie beside it. */
static lash_status write_tables(const char *path, const lashi_embedded_file *model, bool force) {
    const char *slash = strrchr(path, '/');
    lash_status status = LASH_OK;
    for (const lashi_embedded_file *file = lashi_examples; file->name && status == LASH_OK; file++) {
        if (!lashi_example_is_table(file) || !strstr(model->text, file->name))
            continue;
        char *beside;
        if (asprintf(&beside, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, file->name) < 0)
            return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
        status = write_file(beside, file, force);
        free(beside);
    }
    return status;
}

static lash_status perform(const lashi_arguments *arguments) {
    if (arguments->name_count == 0) {
        list();
        return LASH_OK;
    }
    const char *wanted = arguments->names[0], *path = lashi_option_value(arguments, "output");
    const lashi_embedded_file *file = find(wanted);
    if (!file)
        return unknown(arguments, wanted);
    bool force = lashi_option_given(arguments, "force");
    path = path ? path : file->name;
    lash_status status = write_file(path, file, force);
    if (status == LASH_OK && strcmp(path, "-") != 0)
        status = write_tables(path, file, force);
    return status;
}

static const lashi_option options[] = {
    {"output", 'o', "FILE", false, "writes it there; - is standard output"},
    {"force", 'f', NULL, false, "overwrites files that exist"},
    {0}};

const lashi_command lashi_command_example = {.name = "example",
                                             .arguments = "[NAME]",
                                             .also = "examples demo new init template sample",
                                             .brief = "Lists the built-in models, or writes NAME.yaml",
                                             .details =
                                                 "A model that reads tables is written together with them.\n",
                                             .least = 0,
                                             .most = 1,
                                             .options = options,
                                             .perform = perform};
