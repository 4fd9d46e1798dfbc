/* SPDX-License-Identifier: MIT
 *
 * SQLite, loaded when it is needed.
 */
#include "study/sqlite_library.h"

struct lashi_sqlite_calls lashi_sqlite;

lash_status lashi_sqlite_load(lash_error *error) {
    static lashi_library library = {.file = LASH_SQLITE_FILE,
                                    .name = "SQLite",
                                    .need = "tables of studies",
                                    .package = "libsqlite3-0",
                                    .names = LASHI_LIBRARY_NAMES(LASHI_SQLITE_LIST),
                                    .addresses = &lashi_sqlite,
                                    .lock = PTHREAD_MUTEX_INITIALIZER};
    return lashi_library_load(&library, error);
}
