/* SPDX-License-Identifier: MIT
 *
 * Reading a text file: also one that grows, is a pipe, or no file at all.
 */
#include "input/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "input/yaml.h"
#include "lash/file.h"

enum { READ_AT_ONCE = 1 << 16 };

static lash_status fail_to_read(lash_error *error, const char *path, const char *what, const char *why) {
    lashi_fail(error, LASH_ERROR_IO, "%s '%.200s' cannot be read: %s", what, path, why);
    if (error)
        snprintf(error->file, sizeof error->file, "%s", path);
    return LASH_ERROR_IO;
}

lash_status lashi_text_file_read(char **text, size_t *length, const char *path, const char *what,
                                 lash_error *error) {
    struct stat info;
    size_t capacity = 0, more = 1;
    *text = NULL;
    *length = 0;
    FILE *file = lash_file_open(path);
    if (!file)
        return fail_to_read(error, path, what, lash_file_reason(errno));
    lash_status status = LASH_OK;
    if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode))
        status = fail_to_read(error, path, what, "it is a directory; name the file in it");
    while (!status && more > 0 && *length <= LASHI_YAML_SIZE_LIMIT) {
        if (capacity < *length + READ_AT_ONCE + 1) {
            capacity = capacity ? 2 * capacity : READ_AT_ONCE + 1;
            char *larger = realloc(*text, capacity);
            if (!larger) {
                status = lashi_fail_memory(error);
                break;
            }
            *text = larger;
        }
        more = fread(*text + *length, 1, READ_AT_ONCE, file);
        *length += more;
        (*text)[*length] = '\0';
    }
    if (!status && ferror(file))
        status = fail_to_read(error, path, what, strerror(errno));
    fclose(file);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}
