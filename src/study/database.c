/* SPDX-License-Identifier: MIT
 *
 * The file of a study as it may come from anyone. SQLite reads any bytes safely when it is told to trust
 * nothing: no functions, views or triggers of the file's own, no strings for names that do not exist, and
 * values of bounded size (SQLite, Defense Against The Dark Arts, https://sqlite.org/security.html).
 */
#include "study/database.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "study/fail.h"

enum {
    WAIT_FOR_OTHERS = 10000,   // ms
    LONGEST_VALUE = 256 << 20, // bytes of a text or blob: no file that a model reads is as large
    MOST_COLUMNS = 2000,       // SQLite's own limit, which a study meets when it is made
    MOST_STEPS = 1 << 20,      // of a compiled statement
};

static lash_status fail(sqlite3 *db, const char *path, lash_error *error) {
    return lashi_study_fail(error, LASH_ERROR_IO, "'%.200s' cannot be read: %s", path, sqlite3_errmsg(db));
}

lash_status lashi_database_open(sqlite3 **out, const char *path, lash_error *error) {
    static const int switches[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_ENABLE_FKEY, 0}};
    struct stat info;
    sqlite3 *db = NULL;
    *out = NULL;
    const lash_status loaded = lashi_sqlite_load(error);
    if (loaded)
        return loaded;
    // A pipe would be waited for.
    if (stat(path, &info) != 0)
        return lashi_study_fail(error, LASH_ERROR_IO, "'%.200s' cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return lashi_study_fail(error, LASH_ERROR_IO, "'%.200s' cannot be read: it is %s", path,
                                S_ISDIR(info.st_mode) ? "a folder" : "not a regular file");
    // A file whose log was left behind is read through the log, which takes writing; else reading will do.
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        const lash_status status = fail(db, path, error);
        sqlite3_close(db);
        return status;
    }
    sqlite3_busy_timeout(db, WAIT_FOR_OTHERS);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        sqlite3_db_config(db, switches[i][0], switches[i][1], NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
    sqlite3_limit(db, SQLITE_LIMIT_COLUMN, MOST_COLUMNS);
    sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, MOST_STEPS);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_exec(db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", NULL, NULL, NULL);
    *out = db;
    return LASH_OK;
}

lash_status lashi_database_each(sqlite3 *db, const char *path, const char *sql, lashi_row_taker *take,
                                void *user, lash_error *error) {
    sqlite3_stmt *statement = NULL;
    lash_status status = LASH_OK;
    int code;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        return fail(db, path, error);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && !status)
        status = take ? take(user, statement, error) : LASH_OK;
    if (!status && code != SQLITE_DONE)
        status = fail(db, path, error);
    sqlite3_finalize(statement);
    return status;
}

// ---- checking

typedef struct verdict {
    const char *path;
    long long number;
} verdict;

static lash_status take_number(void *user, sqlite3_stmt *row, lash_error *error) {
    (void)error;
    ((verdict *)user)->number = sqlite3_column_int64(row, 0);
    return LASH_OK;
}

/* The rows of quick_check: "ok", or what is wrong. */
static lash_status take_finding(void *user, sqlite3_stmt *row, lash_error *error) {
    const char *text = (const char *)sqlite3_column_text(row, 0);
    if (text && strcmp(text, "ok") == 0)
        return LASH_OK;
    return lashi_study_fail(error, LASH_ERROR_IO, "'%.200s' is damaged: %.200s", ((verdict *)user)->path,
                            text ? text : "?");
}

lash_status lashi_database_check(sqlite3 *db, const char *path, int mark, lash_error *error) {
    const char *what = mark == LASHI_LIFE_MARK ? "life" : "study";
    verdict v = {path, 0};
    lash_status status = lashi_database_each(db, path, "PRAGMA application_id", take_number, &v, error);
    if (status ? sqlite3_errcode(db) == SQLITE_NOTADB : v.number != mark)
        status = lashi_study_fail(error, LASH_ERROR_USAGE,
                                  "'%.200s' is not the result of a %s: that is a .db file, which `%s` writes",
                                  path, what,
                                  mark == LASHI_LIFE_MARK ? "lash wear MODEL" : "lash study STUDY.yaml");
    if (!status)
        status = lashi_database_each(db, path,
                                     "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', "
                                     "'index') OR sql LIKE 'CREATE VIRTUAL%'",
                                     take_number, &v, error);
    if (!status && v.number)
        status = lashi_study_fail(
            error, LASH_ERROR_IO,
            "'%.200s' is not as a %s makes it: it holds views, triggers or virtual tables", path, what);
    return status ? status : lashi_database_each(db, path, "PRAGMA quick_check(1)", take_finding, &v, error);
}

/* ---- writing ---- */

lash_status lashi_database_fail(sqlite3 *db, const char *path, const char *what, lash_error *error) {
    return lashi_study_fail(error, LASH_ERROR_IO, "%s '%.200s' failed: %s", what, path,
                            db ? sqlite3_errmsg(db) : strerror(errno));
}

lash_status lashi_database_perform(sqlite3 *db, const char *path, const char *sql, lash_error *error) {
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? LASH_OK
               : lashi_database_fail(db, path, "writing", error);
}

lash_status lashi_database_lock(int *lock, const char *path, lash_error *error) {
    struct stat info = {0};
    *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (*lock < 0)
        return lashi_study_fail(error, LASH_ERROR_IO, "'%.200s' cannot be opened: %s", path, strerror(errno));
    if (fstat(*lock, &info) != 0 || !S_ISREG(info.st_mode))
        return lashi_study_fail(error, LASH_ERROR_IO, "'%.200s' cannot be written: it is %s", path,
                                S_ISDIR(info.st_mode) ? "a folder" : "not a regular file");
    if (flock(*lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return lashi_study_fail(error, LASH_ERROR_IO, "another run is writing to '%.200s'", path);
    return LASH_OK;
}
