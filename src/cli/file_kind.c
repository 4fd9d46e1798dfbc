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
    enum { MARK = 68, LIFE = 4 }; // where SQLite keeps the mark of who wrote the file
    char begin[MARK + LIFE] = "";
    FILE *file = lash_file_open(path);
    if (!file)
        return LASHI_FILE_UNREADABLE;
    const size_t length = fread(begin, 1, sizeof begin, file);
    fclose(file);
    if (length >= 8 && memcmp(begin, hdf5, 8) == 0)
        return LASHI_FILE_RESULT;
    if (length < sizeof sqlite || memcmp(begin, sqlite, sizeof sqlite) != 0)
        return LASHI_FILE_OTHER;
    return memcmp(begin + MARK, "Life", LIFE) == 0 ? LASHI_FILE_LIFE : LASHI_FILE_STUDY;
}
