/* SPDX-License-Identifier: MIT
 *
 * Writing the file of a study.
 *
 * The write-ahead log makes a killed process harmless: what was committed is there when the file is opened
 * again, and a point, or a group of points that come together, is one transaction. A lock beside SQLite's own
 * keeps a second run of the same study out, while readers may look at any time.
 *
 * Everything in the table `points` follows from the study alone: rows are keyed by the number of the point,
 * and what the clock says goes into `timing`.
 */
#include "study/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/database.h"
#include "study/metric.h"
#include "study/sqlite_library.h"

struct lashi_store {
    const lash_study *study;
    const char *path;
    sqlite3 *db;
    sqlite3_stmt *point, *timing, *trial, *section, *uncut, *end, *way, *no_way;
    int lock;
};

// ---- statements

static lash_status fail(const lashi_store *store, lash_error *error, const char *what) {
    return lashi_database_fail(store->db, store->path, what, error);
}

static lash_status perform(lashi_store *store, const char *sql, lash_error *error) {
    return lashi_database_perform(store->db, store->path, sql, error);
}

/* Text that grows. */
typedef struct script {
    char *text;
    size_t size;
    FILE *stream;
} script;

static bool script_open(script *s) {
    s->stream = open_memstream(&s->text, &s->size);
    return s->stream;
}

/* Names of columns are the users' own: quoted, with quotes doubled. */
static void put_name(FILE *stream, const char *name) {
    fputc('"', stream);
    for (; *name; name++) {
        if (*name == '"')
            fputc('"', stream);
        fputc(*name, stream);
    }
    fputc('"', stream);
}

typedef void column_visit(void *user, const char *name, const char *unit, const char *kind, const char *type);

/* Columns of points between its number and its status. */
static void each_column(const lash_study *study, column_visit *visit, void *user) {
    for (size_t i = 0; i < study->axis_count; i++)
        visit(user, study->axes[i].name, study->axes[i].unit, "axis", "");
    if (study->sample_count)
        visit(user, "sample", "", "axis", "INTEGER");
    for (size_t i = 0; i < study->draw_count; i++)
        visit(user, study->draws[i].name, study->draws[i].unit, "axis", "REAL");
    if (study->search.wanted)
        visit(user, study->search.name, study->search.unit, "metric", "REAL");
    for (size_t i = 0; i < study->metric_count; i++) {
        const lashi_metric_kind *kind = study->metrics[i].kind;
        if (!kind->timing)
            visit(user, study->metrics[i].name, study->metrics[i].unit, "metric",
                  kind->words ? "TEXT" : "REAL");
    }
}

static void put_definition(void *user, const char *name, const char *unit, const char *kind,
                           const char *type) {
    (void)unit, (void)kind;
    FILE *stream = user;
    fputs(", ", stream);
    put_name(stream, name);
    fprintf(stream, " %s", type);
}

static void count_column(void *user, const char *name, const char *unit, const char *kind, const char *type) {
    (void)name, (void)unit, (void)kind, (void)type;
    ++*(size_t *)user;
}

static void list_column(void *user, const char *name, const char *unit, const char *kind, const char *type) {
    (void)unit, (void)kind, (void)type;
    FILE *stream = user;
    fputs(", ", stream);
    put_name(stream, name);
}

// ---- a new file

static lash_status create_tables(lashi_store *store, lash_error *error) {
    const lash_study *study = store->study;
    script s;
    if (!script_open(&s))
        return lashi_study_fail_memory(error);
    fputs("CREATE TABLE about (name TEXT PRIMARY KEY, value) WITHOUT ROWID;"
          "CREATE TABLE columns (position INTEGER PRIMARY KEY, name TEXT, unit TEXT, kind TEXT);"
          "CREATE TABLE timing (point INTEGER PRIMARY KEY, \"wall-time\" REAL);"
          "CREATE TABLE trials (point INTEGER, number INTEGER, value REAL, metric REAL, PRIMARY KEY (point, "
          "number))"
          " WITHOUT ROWID;"
          "CREATE TABLE section (point INTEGER, number INTEGER, time REAL",
          s.stream);
    for (size_t i = 0; i < study->cut.channel_count; i++)
        put_definition(s.stream, study->cut.channels[i], "", "", "REAL");
    fputs(", PRIMARY KEY (point, number)) WITHOUT ROWID;CREATE TABLE points (point INTEGER PRIMARY KEY",
          s.stream);
    each_column(study, put_definition, s.stream);
    fputs(", status TEXT, message TEXT);", s.stream);
    if (study->carry)
        fputs("CREATE TABLE ends (point INTEGER PRIMARY KEY, state BLOB);", s.stream);
    if (fclose(s.stream))
        return lashi_study_fail_memory(error);
    lash_status status = perform(store, s.text, error);
    free(s.text);
    return status;
}

static lash_status put_about(lashi_store *store, const char *name, const char *value, lash_error *error) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db, "INSERT INTO about VALUES (?, ?)", -1, &statement, NULL) != SQLITE_OK)
        return fail(store, error, "writing");
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC);
    const bool fine = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return fine ? LASH_OK : fail(store, error, "writing");
}

/* Whether a text of `about` is this one; *found (may be NULL) is what it is, to be freed. */
static bool is_about(lashi_store *store, const char *name, const char *value, char **found) {
    sqlite3_stmt *statement;
    bool same = false;
    if (sqlite3_prepare_v2(store->db, "SELECT value FROM about WHERE name = ?", -1, &statement, NULL) ==
        SQLITE_OK) {
        sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
        if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0)) {
            const char *text = (const char *)sqlite3_column_text(statement, 0);
            same = strcmp(text, value) == 0;
            if (found)
                *found = strdup(text);
        }
    }
    sqlite3_finalize(statement);
    return same;
}

/* A channel that is listed twice is put once. */
static lash_status put_cut_unit(lashi_store *store, const char *channel, const char *unit,
                                lash_error *error) {
    char *name;
    if (asprintf(&name, "unit of %s", channel) < 0)
        return lashi_study_fail_memory(error);
    lash_status status = is_about(store, name, unit, NULL) ? LASH_OK : put_about(store, name, unit, error);
    free(name);
    return status;
}

typedef struct column_writer {
    sqlite3_stmt *statement;
    bool fine;
} column_writer;

static void put_column(void *user, const char *name, const char *unit, const char *kind, const char *type) {
    (void)type;
    column_writer *writer = user;
    sqlite3_bind_text(writer->statement, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(writer->statement, 2, unit, -1, SQLITE_STATIC);
    sqlite3_bind_text(writer->statement, 3, kind, -1, SQLITE_STATIC);
    writer->fine = writer->fine && sqlite3_step(writer->statement) == SQLITE_DONE;
    sqlite3_reset(writer->statement);
}

static lash_status put_columns(lashi_store *store, lash_error *error) {
    column_writer writer = {NULL, true};
    if (sqlite3_prepare_v2(store->db, "INSERT INTO columns (name, unit, kind) VALUES (?, ?, ?)", -1,
                           &writer.statement, NULL) != SQLITE_OK)
        return fail(store, error, "writing");
    put_column(&writer, "point", "", "point", "");
    each_column(store->study, put_column, &writer);
    put_column(&writer, "status", "", "status", "");
    put_column(&writer, "message", "", "status", "");
    for (size_t i = 0; i < store->study->metric_count; i++)
        if (store->study->metrics[i].kind->timing)
            put_column(&writer, store->study->metrics[i].name, store->study->metrics[i].unit, "timing", "");
    sqlite3_finalize(writer.statement);
    return writer.fine ? LASH_OK : fail(store, error, "writing");
}

static lash_status create(lashi_store *store, lash_error *error) {
    const lash_study *study = store->study;
    char mark[64], points[32], samples[32], angle[32] = "";
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d", (int)LASHI_STORE_MARK);
    snprintf(points, sizeof points, "%zu", study->point_count);
    snprintf(samples, sizeof samples, "%zu", study->sample_count);
    const char *quantity = study->cut.channel ? strrchr(study->cut.channel, '.') : ".angle";
    if (study->cut.channel_count && quantity && strcmp(quantity, ".angle") == 0)
        snprintf(angle, sizeof angle, "%.17g", study->cut.period);
    lash_status status = perform(store, "PRAGMA journal_mode = WAL", error);
    if (!status)
        status = perform(store, "BEGIN IMMEDIATE", error);
    if (!status)
        status = perform(store, mark, error);
    if (!status)
        status = create_tables(store, error);
    const char *const about[][2] = {
        {"version", LASH_VERSION},    {"title", study->title}, {"study", lash_document_text(study->document)},
        {"model", study->model_text}, {"points", points},      {"samples", samples},
        {"tables", study->tables},    {"section angle", angle}};
    for (size_t i = 0; !status && i < sizeof about / sizeof *about; i++)
        status = put_about(store, about[i][0], about[i][1], error);
    for (size_t i = 0; !status && i < study->cut.channel_count; i++)
        status = put_cut_unit(store, study->cut.channels[i], study->cut.units[i], error);
    if (!status)
        status = put_columns(store, error);
    return status ? status : perform(store, "COMMIT", error);
}

// ---- a file that is there

/* A number that a query gives, or -1. */
static long long ask(lashi_store *store, const char *sql) {
    sqlite3_stmt *statement;
    long long answer = -1;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        answer = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return answer;
}

/* How many put_columns makes. */
static long long listed_columns(const lash_study *study) {
    size_t count = 3; // point, status, message
    each_column(study, count_column, &count);
    for (size_t i = 0; i < study->metric_count; i++)
        count += study->metrics[i].kind->timing;
    return (long long)count;
}

static lash_status compare(lashi_store *store, lash_error *error) {
    static const char cure[] = "give another file with -o, or remove this one";
    char *version = NULL, *title = NULL;
    lash_status status = LASH_OK;
    if (!is_about(store, "version", LASH_VERSION, &version))
        status = lashi_study_fail(error, LASH_ERROR_USAGE,
                                  "'%.200s' was written by version %.20s, and this is " LASH_VERSION "; %s",
                                  store->path, version ? version : "?", cure);
    else if (!is_about(store, "study", lash_document_text(store->study->document), NULL)) {
        is_about(store, "title", "", &title);
        status = lashi_study_fail(
            error, LASH_ERROR_USAGE,
            "'%.200s' holds another study%s%.100s%s, or this file as it was before a change; %s", store->path,
            title && *title ? " ('" : "", title ? title : "", title && *title ? "')" : "", cure);
    } else if (!is_about(store, "model", store->study->model_text, NULL))
        status = lashi_study_fail(error, LASH_ERROR_USAGE,
                                  "'%.200s' was computed with another text of the model '%.200s'; %s",
                                  store->path, store->study->model_path, cure);
    else if (!is_about(store, "tables", store->study->tables, NULL))
        status = lashi_study_fail(error, LASH_ERROR_USAGE,
                                  "'%.200s' was computed with other tables (CSV files) than those the model "
                                  "'%.200s' reads now; %s",
                                  store->path, store->study->model_path, cure);
    else if (ask(store, "SELECT count(*) FROM columns") != listed_columns(store->study))
        status = lashi_study_fail(error, LASH_ERROR_IO,
                                  "'%.200s' is damaged: its list of columns is not that of this study; %s",
                                  store->path, cure);
    free(version);
    free(title);
    return status;
}

static lash_status read_done(lashi_store *store, unsigned char *done, lash_error *error) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(store->db, "SELECT point, status = 'ok' FROM points", -1, &statement, NULL) !=
        SQLITE_OK)
        return fail(store, error, "reading");
    int code;
    sqlite3_int64 foreign = 0;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const sqlite3_int64 point = sqlite3_column_int64(statement, 0);
        if (point >= 1 && (size_t)point <= store->study->point_count)
            done[point - 1] = sqlite3_column_int(statement, 1) ? 1 : 2;
        else
            foreign = point;
    }
    sqlite3_finalize(statement);
    if (code == SQLITE_DONE && foreign)
        return lashi_study_fail(error, LASH_ERROR_IO,
                                "'%.200s' is damaged: it has a point %lld, and the study has 1 to %zu; give "
                                "another file with -o, or remove this one",
                                store->path, (long long)foreign, store->study->point_count);
    return code == SQLITE_DONE ? LASH_OK : fail(store, error, "reading");
}

// ---- opening and closing

static lash_status prepare(lashi_store *store, lash_error *error) {
    size_t columns = 0;
    each_column(store->study, count_column, &columns);
    script s;
    if (!script_open(&s))
        return lashi_study_fail_memory(error);
    fputs("INSERT OR REPLACE INTO points (point", s.stream);
    each_column(store->study, list_column, s.stream);
    fputs(", status, message) VALUES (?", s.stream);
    for (size_t i = 0; i < columns + 2; i++)
        fputs(", ?", s.stream);
    fputs(")", s.stream);
    fputc('\0', s.stream);
    const long section = ftell(s.stream);
    fputs("INSERT OR REPLACE INTO section (point, number, time", s.stream);
    for (size_t i = 0; i < store->study->cut.channel_count; i++)
        list_column(s.stream, store->study->cut.channels[i], "", "", "");
    fputs(") VALUES (?, ?, ?", s.stream);
    for (size_t i = 0; i < store->study->cut.channel_count; i++)
        fputs(", ?", s.stream);
    fputs(")", s.stream);
    if (fclose(s.stream))
        return lashi_study_fail_memory(error);
    bool fine =
        sqlite3_prepare_v2(store->db, s.text, -1, &store->point, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(store->db, s.text + section, -1, &store->section, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO timing VALUES (?, ?)", -1, &store->timing,
                           NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO trials VALUES (?, ?, ?, ?)", -1, &store->trial,
                           NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(store->db, "DELETE FROM section WHERE point = ?", -1, &store->uncut, NULL) ==
            SQLITE_OK &&
        sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO ways VALUES (?, ?)", -1, &store->way, NULL) ==
            SQLITE_OK &&
        sqlite3_prepare_v2(store->db, "DELETE FROM ways WHERE point = ?", -1, &store->no_way, NULL) ==
            SQLITE_OK &&
        (!store->study->carry || sqlite3_prepare_v2(store->db, "INSERT OR REPLACE INTO ends VALUES (?, ?)",
                                                    -1, &store->end, NULL) == SQLITE_OK);
    free(s.text);
    return fine ? LASH_OK : fail(store, error, "writing");
}

static lash_status open_database(lashi_store *store, unsigned char *done, lash_error *error) {
    lash_status status = lashi_database_open(&store->db, store->path, error);
    if (status)
        return status;
    const long long tables = ask(store, "SELECT count(*) FROM sqlite_master");
    const long long mark = ask(store, "PRAGMA application_id");
    if (tables == 0 && (mark == 0 || mark == LASHI_STORE_MARK))
        status = create(store, error);
    else if (tables < 0 || mark != LASHI_STORE_MARK)
        status = lashi_study_fail(error, LASH_ERROR_USAGE,
                                  "'%.200s' exists and is not the result of a study; it is left as it is",
                                  store->path);
    else if (!(status = lashi_database_check(store->db, store->path, LASHI_STORE_MARK, error)))
        status = compare(store, error);
    if (!status)
        status = read_done(store, done, error);
    // Safe against a killed process; a power cut may take the last points, never the file.
    if (!status)
        status = perform(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", error);
    // Points that were not computed one by one.
    if (!status)
        status =
            perform(store, "CREATE TABLE IF NOT EXISTS ways (point INTEGER PRIMARY KEY, way TEXT)", error);
    return status ? status : prepare(store, error);
}

lash_status lashi_store_open(lashi_store **out, unsigned char *done, const char *path,
                             const lash_study *study, lash_error *error) {
    *out = NULL;
    lash_status status = lashi_sqlite_load(error);
    if (status)
        return status;
    lashi_store *store = calloc(1, sizeof *store);
    if (!store)
        return lashi_study_fail_memory(error);
    *store = (lashi_store){.study = study, .path = path, .lock = -1};
    status = path ? lashi_database_lock(&store->lock, path, error)
                  : lashi_study_fail(error, LASH_ERROR_USAGE, "a study needs a file for its table");
    if (!status)
        status = open_database(store, done, error);
    if (status)
        lashi_store_close(store, NULL);
    else
        *out = store;
    return status;
}

lash_status lashi_store_close(lashi_store *store, lash_error *error) {
    if (!store)
        return LASH_OK;
    sqlite3_finalize(store->point);
    sqlite3_finalize(store->timing);
    sqlite3_finalize(store->trial);
    sqlite3_finalize(store->section);
    sqlite3_finalize(store->uncut);
    sqlite3_finalize(store->end);
    sqlite3_finalize(store->way);
    sqlite3_finalize(store->no_way);
    lash_status status = LASH_OK;
    if (store->db && sqlite3_close(store->db) != SQLITE_OK)
        status = fail(store, error, "closing");
    // Only now: closing a file of SQLite's earlier would take SQLite's own locks away.
    if (store->lock >= 0)
        close(store->lock);
    free(store);
    return status;
}

// ---- writing

static void bind_number(sqlite3_stmt *statement, int *at, double x) {
    if (isnan(x))
        sqlite3_bind_null(statement, (*at)++);
    else
        sqlite3_bind_double(statement, (*at)++, x);
}

static bool run(sqlite3_stmt *statement) {
    const bool fine = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    return fine;
}

static bool write_point(lashi_store *store, const lashi_outcome *outcome) {
    const lash_study *study = store->study;
    sqlite3_stmt *row = store->point;
    int at = 1;
    sqlite3_bind_int64(row, at++, (sqlite3_int64)outcome->point + 1);
    for (size_t i = 0; i < study->axis_count; i++) {
        const lashi_axis_value *value =
            &study->axes[i].values[lashi_point_axis_index(study, outcome->point, i)];
        if (value->is_number)
            bind_number(row, &at, value->number);
        else
            sqlite3_bind_text(row, at++, value->text, -1, SQLITE_STATIC);
    }
    if (study->sample_count)
        sqlite3_bind_int64(row, at++, (sqlite3_int64)(outcome->point % study->sample_count) + 1);
    for (size_t i = 0; i < study->draw_count; i++)
        bind_number(row, &at, lashi_point_draw(study, outcome->point, i));
    if (study->search.wanted)
        bind_number(row, &at, outcome->found);
    for (size_t i = 0; i < study->metric_count; i++) {
        const lashi_metric_value *value = &outcome->values[i];
        if (study->metrics[i].kind->timing)
            continue;
        if (value->text[0])
            sqlite3_bind_text(row, at++, value->text, -1, SQLITE_STATIC);
        else
            bind_number(row, &at, value->number);
    }
    sqlite3_bind_text(row, at++, outcome->status ? lash_status_name(outcome->status) : "ok", -1,
                      SQLITE_STATIC);
    if (outcome->message[0])
        sqlite3_bind_text(row, at, outcome->message, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(row, at);
    return run(row);
}

static bool write_rest(lashi_store *store, const lashi_outcome *outcome) {
    const sqlite3_int64 point = (sqlite3_int64)outcome->point + 1;
    sqlite3_bind_int64(store->timing, 1, point);
    sqlite3_bind_double(store->timing, 2, outcome->wall_time);
    bool fine = run(store->timing);
    for (size_t i = 0; fine && i < outcome->trial_count; i++) {
        int at = 1;
        sqlite3_bind_int64(store->trial, at++, point);
        sqlite3_bind_int64(store->trial, at++, (sqlite3_int64)i + 1);
        bind_number(store->trial, &at, outcome->trials[i].value);
        bind_number(store->trial, &at, outcome->trials[i].metric);
        fine = run(store->trial);
    }
    // Cuts of a computation before, of which there may be more.
    sqlite3_bind_int64(store->uncut, 1, point);
    fine = fine && run(store->uncut);
    const size_t width = store->study->cut.channel_count + 1;
    for (size_t i = 0; fine && i < outcome->section_count; i++) {
        int at = 1;
        sqlite3_bind_int64(store->section, at++, point);
        sqlite3_bind_int64(store->section, at++, (sqlite3_int64)i + 1);
        for (size_t k = 0; k < width; k++)
            bind_number(store->section, &at, outcome->section[i * width + k]);
        fine = run(store->section);
    }
    if (fine && store->end) {
        sqlite3_bind_int64(store->end, 1, point);
        sqlite3_bind_blob64(store->end, 2, outcome->end.count ? (const void *)outcome->end.values : "",
                            outcome->end.count * sizeof(double), SQLITE_STATIC);
        fine = run(store->end);
    }
    return fine;
}

static lash_status take_end(lashi_state *out, const lashi_store *store, sqlite3_stmt *row, size_t point,
                            lash_error *error) {
    const bool failed = sqlite3_column_int(row, 1) == 0;
    const size_t bytes = (size_t)sqlite3_column_bytes(row, 0), count = bytes / sizeof(double);
    if (failed)
        return LASH_OK;
    bool whole = sqlite3_column_type(row, 0) == SQLITE_BLOB && count > 0 && bytes % sizeof(double) == 0;
    out->values = calloc(count + 1, sizeof *out->values);
    if (!out->values)
        return lashi_study_fail_memory(error);
    if (whole)
        memcpy(out->values, sqlite3_column_blob(row, 0), bytes);
    for (size_t i = 0; whole && i < count; i++)
        whole = isfinite(out->values[i]);
    out->count = whole ? count : 0;
    if (whole)
        return LASH_OK;
    free(out->values);
    out->values = NULL;
    return lashi_study_fail(
        error, LASH_ERROR_IO,
        "'%.200s' is damaged: the state at the end of point %zu, which the next point begins "
        "from, is missing or cut; remove the file and compute the study again",
        store->path, point + 1);
}

lash_status lashi_store_read_end(lashi_state *out, lashi_store *store, size_t point, lash_error *error) {
    sqlite3_stmt *statement;
    lash_status status = LASH_OK;
    *out = (lashi_state){0};
    if (sqlite3_prepare_v2(
            store->db, "SELECT state, status = 'ok' FROM points LEFT JOIN ends USING (point) WHERE point = ?",
            -1, &statement, NULL) != SQLITE_OK)
        return fail(store, error, "reading");
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)point + 1);
    status = sqlite3_step(statement) == SQLITE_ROW ? take_end(out, store, statement, point, error)
                                                   : fail(store, error, "reading");
    sqlite3_finalize(statement);
    return status;
}

static bool write_way(lashi_store *store, const lashi_outcome *outcome) {
    const bool alone = outcome->way == LASH_STUDY_ONE_BY_ONE;
    sqlite3_stmt *statement = alone ? store->no_way : store->way;
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)outcome->point + 1);
    if (!alone)
        sqlite3_bind_text(statement, 2, outcome->way == LASH_STUDY_GPU ? "gpu" : "lanes", -1, SQLITE_STATIC);
    return run(statement);
}

lash_status lashi_store_write(lashi_store *store, const lashi_outcome *outcomes, size_t count,
                              lash_error *error) {
    lash_status status = perform(store, "BEGIN IMMEDIATE", error);
    for (size_t i = 0; !status && i < count; i++)
        if (!(write_point(store, &outcomes[i]) && write_rest(store, &outcomes[i]) &&
              write_way(store, &outcomes[i])))
            status = fail(store, error, "writing");
    if (!status)
        status = perform(store, "COMMIT", error);
    if (status)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}
