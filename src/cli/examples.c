/* SPDX-License-Identifier: MIT
 *
 * What is read from the built-in models without reading them as models: the files are ours.
 */
#include "cli/examples.h"

#include <stdio.h>
#include <string.h>

static const char MODEL_ENDING[] = ".yaml", TABLE_ENDING[] = ".csv";

static bool ends_with(const char *name, const char *ending) {
    const size_t n = strlen(name), m = strlen(ending);
    return n > m && strcmp(name + n - m, ending) == 0;
}

bool lashi_example_is_model(const lashi_embedded_file *file) {
    return ends_with(file->name, MODEL_ENDING);
}

bool lashi_example_is_table(const lashi_embedded_file *file) {
    return ends_with(file->name, TABLE_ENDING);
}

const char *lashi_example_name(char *buffer, size_t size, const lashi_embedded_file *file) {
    const int length = lashi_example_is_model(file) ? (int)(strlen(file->name) - strlen(MODEL_ENDING)) : 0;
    snprintf(buffer, size, "%.*s", length, file->name);
    return buffer;
}

const char *lashi_example_title(char *buffer, size_t size, const lashi_embedded_file *file) {
    const char *title = strncmp(file->text, "title:", 6) == 0 ? file->text : strstr(file->text, "\ntitle:");
    if (title) {
        title = strchr(title, ':') + 1;
        title += strspn(title, " \"'");
    }
    snprintf(buffer, size, "%.*s", title ? (int)strcspn(title, "\"\n") : 0, title ? title : "");
    return buffer;
}

const char *lashi_example_about(char *buffer, size_t size, const lashi_embedded_file *file) {
    size_t n = 0;
    bool whole = false;
    for (const char *line = file->text; *line == '#' && !whole;) {
        const char *end = line + strcspn(line, "\n");
        for (line += 1 + (line[1] == ' '); line < end && !whole && n + 2 < size; line++) {
            buffer[n++] = *line;
            // Not the point of an initial.
            whole =
                *line == '.' && (line + 1 == end || line[1] == ' ') && !(line[-1] >= 'A' && line[-1] <= 'Z');
        }
        if (!whole && n + 2 < size)
            buffer[n++] = ' ';
        line = *end ? end + 1 : end;
    }
    buffer[n] = '\0';
    return buffer;
}
