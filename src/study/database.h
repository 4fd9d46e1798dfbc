/* SPDX-License-Identifier: MIT
 *
 * Opening the file of a study, for writing (store.c) and reading (reread.c). The file may come from anyone.
 */
#ifndef LASHI_DATABASE_H
#define LASHI_DATABASE_H

#include "lash/status.h"
#include "study/sqlite_library.h"

/* Opens an existing file in such a way that nothing stored in it is executed. On failure *out is NULL. */
lash_status lashi_database_open(sqlite3 **out, const char *path, lash_error *error);
/* "Lash" in letters, in the header of the file of a study; "Life" in that of a life. */
enum { LASHI_STORE_MARK = 0x4c617368, LASHI_LIFE_MARK = 0x4c696665 };
/* Whether it is the intact result of a study or life: checks its mark, the structure of its pages, and that
 * it has only tables. */
lash_status lashi_database_check(sqlite3 *db, const char *path, int mark, lash_error *error);
/* Calls `take` (may be NULL) for every row of a query; anything but rows and their end is an error. */
typedef lash_status lashi_row_taker(void *user, sqlite3_stmt *row, lash_error *error);
lash_status lashi_database_each(sqlite3 *db, const char *path, const char *sql, lashi_row_taker *take,
                                void *user, lash_error *error);

/* For writers: the error of SQLite, or of the system where there is no database yet; "writing" 'PATH' failed. */
lash_status lashi_database_fail(sqlite3 *db, const char *path, const char *what, lash_error *error);
lash_status lashi_database_perform(sqlite3 *db, const char *path, const char *sql, lash_error *error);
/* Makes the file if need be and keeps a second writer out, until *lock is closed: after the database, whose own locks
 * closing it takes away. -1: it was not opened. */
lash_status lashi_database_lock(int *lock, const char *path, lash_error *error);

#endif
