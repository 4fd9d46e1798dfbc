/* SPDX-License-Identifier: MIT
 *
 * The first bytes of a file.
 */
#include "cli/file_kind.h"

#include <stdio.h>
#include <string.h>

#include "lash/file.h"

lashi_file_kind lashi_file_kind_of(const char *path) {
    static const char hdf5[] = "\x89HDF\r\n\x1a\n", sqlite[] = "SQLite format 3";
    char begin[16] = "";
    FILE *file = lash_file_open(path);
    if (!file)
        return LASHI_FILE_UNREADABLE;
    const size_t length = fread(begin, 1, sizeof begin, file);
    fclose(file);
    if (length >= 8 && memcmp(begin, hdf5, 8) == 0)
        return LASHI_FILE_RESULT;
    return length == sizeof begin && memcmp(begin, sqlite, sizeof begin) == 0 ? LASHI_FILE_STUDY
                                                                              : LASHI_FILE_OTHER;
}
