/* SPDX-License-Identifier: MIT
 *
 * What a file is, by its first bytes: the result of a run (HDF5), that of a study or a life (SQLite), or
 * something else.
 */
#ifndef LASHI_FILE_KIND_H
#define LASHI_FILE_KIND_H

typedef enum lashi_file_kind {
    LASHI_FILE_UNREADABLE, /* errno says why */
    LASHI_FILE_RESULT,
    LASHI_FILE_STUDY,
    LASHI_FILE_LIFE,
    LASHI_FILE_OTHER
} lashi_file_kind;

lashi_file_kind lashi_file_kind_of(const char *path);

#endif
