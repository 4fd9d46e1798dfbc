/* SPDX-License-Identifier: MIT
 *
 * The model of a result.
 */
#include "cli/result_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t lashi_settings_split(lash_setting *settings, char *text) {
    size_t count = 0;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        char *equals = strchr(line, '=');
        if (!equals)
            continue;
        *equals = '\0';
        settings[count++] = (lash_setting){line, equals + 1};
    }
    return count;
}

lash_status lashi_result_settings(lash_setting **out, size_t *count, char **text, lash_result *result) {
    const char *given = lash_result_text(result, "settings");
    size_t lines = 1;
    for (const char *c = given; c && *c; c++)
        lines += *c == '\n';
    *text = strdup(given ? given : "");
    *out = calloc(lines, sizeof **out);
    *count = *text && *out ? lashi_settings_split(*out, *text) : 0;
    return *text && *out ? LASH_OK : LASH_ERROR_MEMORY;
}

lash_status lashi_result_model(lash_model **out, lash_result *result, const char *path,
                               void (*report)(void *user, const lash_error *mistake), void *user,
                               lash_error *error) {
    const char *text = lash_result_text(result, "model");
    *out = NULL;
    if (!text || !*text) {
        snprintf(error->message, sizeof error->message,
                 "the result contains no model text: it was made in C");
        return error->status = LASH_ERROR_MODEL;
    }
    lash_setting *settings;
    size_t count;
    char *copy;
    lash_status status = lashi_result_settings(&settings, &count, &copy, result);
    if (!status) {
        const lash_load_options options = {.settings = settings,
                                           .setting_count = count,
                                           .report = report,
                                           .user = user,
                                           .without_tables = true};
        status = lash_model_parse(out, text, strlen(text), path, &options, error);
    }
    free(copy);
    free(settings);
    return status;
}
