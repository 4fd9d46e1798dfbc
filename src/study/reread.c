/* SPDX-License-Identifier: MIT
 *
 * Reading the table of a study again, finished or in the middle of a run.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/sqlite_library.h"
#include "study/store.h"

typedef struct cell {
    char *text; /* NULL: empty */
    double number;
} cell;

typedef struct named {
    char *name, *value;
} named;

struct lash_study_table {
    lash_study_column *columns;
    size_t width, rows, points;
    cell *cells; /* [rows][width] */
    named *about;
    size_t about_count;
};

static lash_status fail(sqlite3 *db, const char *path, lash_error *error) {
    return lashi_study_fail(error, LASH_ERROR_IO, "'%.200s' cannot be read: %s", path, sqlite3_errmsg(db));
}

static char *copy_column(sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? strdup(text) : NULL;
}

// ---- rows

/* Doubles as the shortest of 15 to 17 digits that reads back exactly. */
static char *print_number(double x) {
    char buffer[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, sizeof buffer, "%.*g", digits, x);
        if (strtod(buffer, NULL) == x)
            break;
    }
    return strdup(buffer);
}

static bool take_cell(cell *out, sqlite3_stmt *statement, int column) {
    *out = (cell){.number = (double)NAN};
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL: return true;
    case SQLITE_FLOAT:
        out->number = sqlite3_column_double(statement, column);
        out->text = print_number(out->number);
        break;
    case SQLITE_INTEGER:
        out->number = sqlite3_column_double(statement, column);
        out->text = copy_column(statement, column);
        break;
    default: out->text = copy_column(statement, column); break;
    }
    return out->text;
}

static lash_status read_rows(lash_study_table *table, sqlite3 *db, const char *path, lash_error *error) {
    sqlite3_stmt *statement;
    size_t capacity = 0, plain = 0;
    lash_status status = LASH_OK;
    for (size_t i = 0; i < table->width; i++)
        plain += table->columns[i].kind != LASH_COLUMN_TIMING;
    // Columns of `points` first, then the wall time for every timing column.
    if (sqlite3_prepare_v2(db,
                           "SELECT points.*, timing.\"wall-time\" FROM points LEFT JOIN timing USING (point) "
                           "ORDER BY point",
                           -1, &statement, NULL) != SQLITE_OK)
        return fail(db, path, error);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && !status) {
        if (table->rows == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            cell *larger = realloc(table->cells, capacity * table->width * sizeof *larger);
            if (!larger) {
                status = lashi_study_fail_memory(error);
                break;
            }
            table->cells = larger;
        }
        cell *row = table->cells + table->rows++ * table->width;
        memset(row, 0, table->width * sizeof *row);
        for (size_t i = 0; i < table->width && !status; i++)
            if (!take_cell(&row[i], statement, (int)(i < plain ? i : plain)))
                status = lashi_study_fail_memory(error);
    }
    if (!status && code != SQLITE_DONE)
        status = fail(db, path, error);
    sqlite3_finalize(statement);
    return status;
}

// ---- columns and texts

static lash_study_column_kind kind_of(const char *word) {
    static const char *const words[] = {"point", "axis", "metric", "timing", "status"};
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return (lash_study_column_kind)i;
    return LASH_COLUMN_METRIC;
}

static lash_status read_columns(lash_study_table *table, sqlite3 *db, const char *path, lash_error *error) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, "SELECT name, unit, kind FROM columns ORDER BY position", -1, &statement,
                           NULL) != SQLITE_OK)
        return fail(db, path, error);
    lash_status status = LASH_OK;
    while (!status && sqlite3_step(statement) == SQLITE_ROW) {
        lash_study_column *larger = realloc(table->columns, (table->width + 1) * sizeof *larger);
        if (larger)
            table->columns = larger;
        char *name = copy_column(statement, 0), *unit = copy_column(statement, 1);
        if (!larger || !name || !unit) {
            free(name);
            free(unit);
            status = lashi_study_fail_memory(error);
        } else
            table->columns[table->width++] =
                (lash_study_column){name, unit, kind_of((const char *)sqlite3_column_text(statement, 2))};
    }
    sqlite3_finalize(statement);
    return status;
}

static lash_status read_about(lash_study_table *table, sqlite3 *db, const char *path, lash_error *error) {
    sqlite3_stmt *statement;
    // Of the table `section`: the channels, behind point, number and time.
    if (sqlite3_prepare_v2(db,
                           "SELECT name, value FROM about UNION ALL SELECT 'section', "
                           "coalesce(group_concat(name), '') FROM pragma_table_info('section') WHERE cid > 2 "
                           "AND EXISTS (SELECT 1 FROM section)",
                           -1, &statement, NULL) != SQLITE_OK)
        return fail(db, path, error);
    lash_status status = LASH_OK;
    while (!status && sqlite3_step(statement) == SQLITE_ROW) {
        named *larger = realloc(table->about, (table->about_count + 1) * sizeof *larger);
        if (!larger) {
            status = lashi_study_fail_memory(error);
            break;
        }
        table->about = larger;
        const named entry = {copy_column(statement, 0), copy_column(statement, 1)};
        table->about[table->about_count++] = entry;
        if (!entry.name || !entry.value)
            status = lashi_study_fail_memory(error);
    }
    sqlite3_finalize(statement);
    const char *points = status ? NULL : lash_study_table_about(table, "points");
    table->points = points ? (size_t)strtoull(points, NULL, 10) : 0;
    return status;
}

static bool is_study(sqlite3 *db) {
    sqlite3_stmt *statement;
    bool is = false;
    if (sqlite3_prepare_v2(db, "PRAGMA application_id", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        is = sqlite3_column_int(statement, 0) == LASHI_STORE_MARK;
    sqlite3_finalize(statement);
    return is;
}

lash_status lash_study_table_open(lash_study_table **out, const char *path, lash_error *error) {
    sqlite3 *db = NULL;
    *out = NULL;
    if (access(path, R_OK))
        return lashi_study_fail(error, LASH_ERROR_IO, "'%.200s' cannot be read: %s", path, strerror(errno));
    lash_status status = lashi_sqlite_load(error);
    if (status)
        return status;
    lash_study_table *table = calloc(1, sizeof *table);
    if (!table)
        return lashi_study_fail_memory(error);
    // A file whose log was left behind is read through the log, which takes writing; else reading will do.
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        status = fail(db, path, error);
    sqlite3_busy_timeout(db, 10000);
    if (!status && !is_study(db))
        status = lashi_study_fail(error, LASH_ERROR_USAGE, "'%.200s' is not the result of a study", path);
    if (!status)
        status = read_about(table, db, path, error);
    if (!status)
        status = read_columns(table, db, path, error);
    if (!status)
        status = read_rows(table, db, path, error);
    sqlite3_close(db);
    if (status)
        lash_study_table_close(table);
    else
        *out = table;
    return status;
}

void lash_study_table_close(lash_study_table *table) {
    if (!table)
        return;
    for (size_t i = 0; i < table->rows * table->width; i++)
        free(table->cells[i].text);
    for (size_t i = 0; i < table->width; i++) {
        free((char *)table->columns[i].name);
        free((char *)table->columns[i].unit);
    }
    for (size_t i = 0; i < table->about_count; i++) {
        free(table->about[i].name);
        free(table->about[i].value);
    }
    free(table->cells);
    free(table->columns);
    free(table->about);
    free(table);
}

size_t lash_study_table_width(const lash_study_table *table) {
    return table->width;
}

lash_study_column lash_study_table_column(const lash_study_table *table, size_t column) {
    return table->columns[column];
}

size_t lash_study_table_rows(const lash_study_table *table) {
    return table->rows;
}

size_t lash_study_table_points(const lash_study_table *table) {
    return table->points;
}

const char *lash_study_table_text(const lash_study_table *table, size_t row, size_t column) {
    const char *text = table->cells[row * table->width + column].text;
    return text ? text : "";
}

double lash_study_table_number(const lash_study_table *table, size_t row, size_t column) {
    return table->cells[row * table->width + column].number;
}

const char *lash_study_table_about(const lash_study_table *table, const char *name) {
    for (size_t i = 0; i < table->about_count; i++)
        if (table->about[i].name && strcmp(table->about[i].name, name) == 0)
            return table->about[i].value;
    return NULL;
}

// ---- cuts

static bool has_channel(sqlite3 *db, const char *channel) {
    sqlite3_stmt *statement;
    bool has = false;
    if (sqlite3_prepare_v2(db, "SELECT 1 FROM pragma_table_info('section') WHERE name = ? AND cid > 2", -1,
                           &statement, NULL) == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, channel, -1, SQLITE_STATIC);
        has = sqlite3_step(statement) == SQLITE_ROW;
    }
    sqlite3_finalize(statement);
    return has;
}

static lash_status read_cuts(double **values, size_t **points, size_t *count, sqlite3_stmt *statement,
                             lash_error *error) {
    size_t capacity = 0;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            double *more_values = realloc(*values, capacity * sizeof **values);
            if (more_values)
                *values = more_values;
            size_t *more_points = realloc(*points, capacity * sizeof **points);
            if (more_points)
                *points = more_points;
            if (!more_values || !more_points)
                return lashi_study_fail_memory(error);
        }
        (*points)[*count] = (size_t)sqlite3_column_int64(statement, 0);
        (*values)[(*count)++] = sqlite3_column_double(statement, 1);
    }
    return LASH_OK;
}

lash_status lash_study_cuts_read(double **values, size_t **points, size_t *count, const char *path,
                                 const char *channel, lash_error *error) {
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    *values = NULL;
    *points = NULL;
    *count = 0;
    lash_status status = lashi_sqlite_load(error);
    if (status)
        return status;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        status = fail(db, path, error);
    sqlite3_busy_timeout(db, 10000);
    if (!status && !has_channel(db, channel))
        status = lashi_study_fail(
            error, LASH_ERROR_USAGE,
            "'%.200s' has neither a column nor cuts of a channel '%.200s'; the first lines of "
            "`lash study show` name the columns",
            path, channel);
    char *sql =
        status ? NULL : sqlite3_mprintf("SELECT point, \"%w\" FROM section ORDER BY point, number", channel);
    if (!status && !sql)
        status = lashi_study_fail_memory(error);
    if (!status && sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        status = fail(db, path, error);
    if (!status)
        status = read_cuts(values, points, count, statement, error);
    if (!status && *count == 0)
        status = lashi_study_fail(error, LASH_ERROR_USAGE,
                                  "'%.200s' has no cuts: they are kept with section: {keep: true}", path);
    sqlite3_free(sql);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    if (status) {
        free(*values);
        free(*points);
        *values = NULL;
        *points = NULL;
        *count = 0;
    }
    return status;
}

lash_status lash_study_cut_channels(char **names, const char *path, lash_error *error) {
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    size_t length;
    *names = NULL;
    lash_status status = lashi_sqlite_load(error);
    if (status)
        return status;
    FILE *stream = open_memstream(names, &length);
    if (!stream)
        return lashi_study_fail_memory(error);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        status = fail(db, path, error);
    sqlite3_busy_timeout(db, 10000);
    if (!status &&
        sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info('section') WHERE cid > 2 ORDER BY cid", -1,
                           &statement, NULL) != SQLITE_OK)
        status = fail(db, path, error);
    while (!status && sqlite3_step(statement) == SQLITE_ROW)
        fprintf(stream, "%s\n", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    if (fclose(stream) != 0 && !status)
        status = lashi_study_fail_memory(error);
    if (status) {
        free(*names);
        *names = NULL;
    }
    return status;
}

// ---- quantiles

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

lash_study_quantile lash_study_table_quantile(const lash_study_table *table, size_t column, size_t first,
                                              size_t count, double probability, double confidence) {
    lash_study_quantile q = {(double)NAN, (double)NAN, (double)NAN, 0};
    double *values = calloc(count + 1, sizeof *values);
    size_t low, high;
    for (size_t row = first; values && row < first + count && row < table->rows; row++) {
        const double x = lash_study_table_number(table, row, column);
        if (!isnan(x))
            values[q.count++] = x;
    }
    if (values && q.count) {
        qsort(values, q.count, sizeof *values, ascending);
        q.value = lashi_quantile(values, q.count, probability);
        lashi_quantile_ranks(&low, &high, q.count, probability, confidence);
        q.low = low ? values[low - 1] : (double)NAN;
        q.high = high ? values[high - 1] : (double)NAN;
    }
    free(values);
    return q;
}
