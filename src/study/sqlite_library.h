/* SPDX-License-Identifier: MIT
 *
 * SQLite, loaded when the first table of a study is opened. What is used of it is in the list.
 */
#ifndef LASHI_SQLITE_LIBRARY_H
#define LASHI_SQLITE_LIBRARY_H

#include <sqlite3.h>

#include "base/library.h"

/* clang-format off */
#define LASHI_SQLITE_LIST(X)                                                                                 \
    X(sqlite3_bind_blob64) X(sqlite3_bind_double) X(sqlite3_bind_int64) X(sqlite3_bind_null)                 \
    X(sqlite3_bind_text) X(sqlite3_busy_timeout) X(sqlite3_close) X(sqlite3_column_blob)                     \
    X(sqlite3_column_bytes) X(sqlite3_column_double) X(sqlite3_column_int) X(sqlite3_column_int64)           \
    X(sqlite3_column_text) X(sqlite3_column_type) X(sqlite3_db_config) X(sqlite3_errcode)                    \
    X(sqlite3_errmsg) X(sqlite3_exec) X(sqlite3_finalize) X(sqlite3_free) X(sqlite3_limit)                   \
    X(sqlite3_mprintf) X(sqlite3_open_v2) X(sqlite3_prepare_v2) X(sqlite3_reset) X(sqlite3_step)             \
    X(sqlite3_str_appendall) X(sqlite3_str_appendf) X(sqlite3_str_finish) X(sqlite3_str_new)
/* clang-format on */

extern struct lashi_sqlite_calls LASHI_LIBRARY_ADDRESSES(LASHI_SQLITE_LIST) lashi_sqlite;

lash_status lashi_sqlite_load(lash_error *error);

#define LASHI_SQLITE(name)    (*lashi_sqlite.name)
#define sqlite3_bind_blob64   LASHI_SQLITE(sqlite3_bind_blob64)
#define sqlite3_bind_double   LASHI_SQLITE(sqlite3_bind_double)
#define sqlite3_bind_int64    LASHI_SQLITE(sqlite3_bind_int64)
#define sqlite3_bind_null     LASHI_SQLITE(sqlite3_bind_null)
#define sqlite3_bind_text     LASHI_SQLITE(sqlite3_bind_text)
#define sqlite3_busy_timeout  LASHI_SQLITE(sqlite3_busy_timeout)
#define sqlite3_close         LASHI_SQLITE(sqlite3_close)
#define sqlite3_column_blob   LASHI_SQLITE(sqlite3_column_blob)
#define sqlite3_column_bytes  LASHI_SQLITE(sqlite3_column_bytes)
#define sqlite3_column_double LASHI_SQLITE(sqlite3_column_double)
#define sqlite3_column_int    LASHI_SQLITE(sqlite3_column_int)
#define sqlite3_column_int64  LASHI_SQLITE(sqlite3_column_int64)
#define sqlite3_column_text   LASHI_SQLITE(sqlite3_column_text)
#define sqlite3_column_type   LASHI_SQLITE(sqlite3_column_type)
#define sqlite3_db_config     LASHI_SQLITE(sqlite3_db_config)
#define sqlite3_errcode       LASHI_SQLITE(sqlite3_errcode)
#define sqlite3_errmsg        LASHI_SQLITE(sqlite3_errmsg)
#define sqlite3_exec          LASHI_SQLITE(sqlite3_exec)
#define sqlite3_finalize      LASHI_SQLITE(sqlite3_finalize)
#define sqlite3_free          LASHI_SQLITE(sqlite3_free)
#define sqlite3_limit         LASHI_SQLITE(sqlite3_limit)
#define sqlite3_mprintf       LASHI_SQLITE(sqlite3_mprintf)
#define sqlite3_open_v2       LASHI_SQLITE(sqlite3_open_v2)
#define sqlite3_prepare_v2    LASHI_SQLITE(sqlite3_prepare_v2)
#define sqlite3_reset         LASHI_SQLITE(sqlite3_reset)
#define sqlite3_step          LASHI_SQLITE(sqlite3_step)
#define sqlite3_str_appendall LASHI_SQLITE(sqlite3_str_appendall)
#define sqlite3_str_appendf   LASHI_SQLITE(sqlite3_str_appendf)
#define sqlite3_str_finish    LASHI_SQLITE(sqlite3_str_finish)
#define sqlite3_str_new       LASHI_SQLITE(sqlite3_str_new)

#endif
