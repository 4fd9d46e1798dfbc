/* SPDX-License-Identifier: MIT
 *
 * What interpose.c writes and powercut.c reads: the changes of files in their order.
 */
#ifndef TORTURE_JOURNAL_H
#define TORTURE_JOURNAL_H

#include <stdint.h>

enum journal_kind {
    JOURNAL_CREATE,
    JOURNAL_WRITE, /* data at offset */
    JOURNAL_TRUNCATE,
    JOURNAL_SYNC, /* of a file or a folder */
    JOURNAL_RENAME,
    JOURNAL_UNLINK
};

/* Followed by path, other and data, of so many bytes. */
struct journal_entry {
    uint32_t kind, path, other, size;
    int64_t offset;
};

#endif
