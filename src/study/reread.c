/* SPDX-License-Identifier: MIT
 *
 * Reading the table of a study again, finished or in the middle of a run. The file may come from anyone
 * (database.c); what it says about itself is doubted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lash/text.h"
#include "study/database.h"
#include "study/store.h"

static const double MOST_POINTS = 9007199254740992; // 2^53: counted exactly

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

static lash_status damaged(const char *path, const char *what, lash_error *error) {
    return lashi_study_fail(error, LASH_ERROR_IO, "'%.200s' is damaged or was made by another program: %s",
                            path, what);
}

/* `lines`: line ends are kept. NULL: the value is, or out of memory. */
static char *copy_column(sqlite3_stmt *statement, int column, bool lines) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    char *copy = text ? strdup(text) : NULL;
    if (copy)
        lash_text_tame(copy, lines);
    return copy;
}

/* What the row takers fill. */
typedef struct reading {
    lash_study_table *table;
    const char *path;
    size_t capacity;
} reading;

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
        out->text = copy_column(statement, column, false);
        break;
    default: out->text = copy_column(statement, column, false); break;
    }
    return out->text;
}

static lash_status take_row(void *user, sqlite3_stmt *row, lash_error *error) {
    reading *r = user;
    lash_study_table *table = r->table;
    if (table->rows == r->capacity) {
        const size_t capacity = r->capacity ? 2 * r->capacity : 64;
        cell *larger = realloc(table->cells, capacity * table->width * sizeof *larger);
        if (!larger)
            return lashi_study_fail_memory(error);
        table->cells = larger;
        r->capacity = capacity;
    }
    cell *cells = table->cells + table->rows * table->width;
    memset(cells, 0, table->width * sizeof *cells);
    table->rows++;
    for (size_t i = 0; i < table->width; i++)
        if (!take_cell(&cells[i], row, (int)i))
            return lashi_study_fail_memory(error);
    if (!(cells[0].number >= 1 && cells[0].number <= MOST_POINTS))
        return damaged(r->path, "a point has no number", error);
    return LASH_OK;
}

/* By name, whatever the order in the file; the wall time for every timing column. */
static lash_status read_rows(reading *r, sqlite3 *db, lash_error *error) {
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendall(sql, "SELECT ");
    for (size_t i = 0; i < r->table->width; i++) {
        const bool timing = r->table->columns[i].kind == LASH_COLUMN_TIMING;
        sqlite3_str_appendf(sql, timing ? "%stiming.\"%w\"" : "%spoints.\"%w\"", i ? ", " : "",
                            timing ? "wall-time" : r->table->columns[i].name);
    }
    sqlite3_str_appendall(sql, " FROM points LEFT JOIN timing USING (point) ORDER BY points.point");
    char *text = sqlite3_str_finish(sql);
    if (!text)
        return lashi_study_fail_memory(error);
    const lash_status status = lashi_database_each(db, r->path, text, take_row, r, error);
    sqlite3_free(text);
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

static lash_status take_column(void *user, sqlite3_stmt *row, lash_error *error) {
    reading *r = user;
    lash_study_table *table = r->table;
    const lash_study_column_kind kind = kind_of((const char *)sqlite3_column_text(row, 2));
    if (sqlite3_column_type(row, 0) != SQLITE_TEXT || sqlite3_column_type(row, 1) != SQLITE_TEXT)
        return damaged(r->path, "a column has no name", error);
    if ((table->width == 0) != (kind == LASH_COLUMN_POINT))
        return damaged(r->path, "its first column is not that of the points' numbers", error);
    lash_study_column *larger = realloc(table->columns, (table->width + 1) * sizeof *larger);
    if (!larger)
        return lashi_study_fail_memory(error);
    table->columns = larger;
    char *name = copy_column(row, 0, false), *unit = copy_column(row, 1, false);
    if (!name || !unit) {
        free(name);
        free(unit);
        return lashi_study_fail_memory(error);
    }
    table->columns[table->width++] = (lash_study_column){name, unit, kind};
    return LASH_OK;
}

static lash_status read_columns(reading *r, sqlite3 *db, lash_error *error) {
    lash_status status = lashi_database_each(
        db, r->path, "SELECT name, unit, kind FROM columns ORDER BY position", take_column, r, error);
    if (!status && r->table->width == 0)
        status = damaged(r->path, "it has no columns", error);
    return status;
}

static lash_status take_about(void *user, sqlite3_stmt *row, lash_error *error) {
    reading *r = user;
    named *larger = realloc(r->table->about, (r->table->about_count + 1) * sizeof *larger);
    if (!larger)
        return lashi_study_fail_memory(error);
    r->table->about = larger;
    if (sqlite3_column_type(row, 0) == SQLITE_NULL || sqlite3_column_type(row, 1) == SQLITE_NULL)
        return damaged(r->path, "a text is missing", error);
    const named entry = {copy_column(row, 0, false), copy_column(row, 1, true)};
    r->table->about[r->table->about_count++] = entry;
    return entry.name && entry.value ? LASH_OK : lashi_study_fail_memory(error);
}

static lash_status take_presence(void *user, sqlite3_stmt *row, lash_error *error) {
    (void)row, (void)error;
    *(bool *)user = true;
    return LASH_OK;
}

static lash_status read_about(reading *r, sqlite3 *db, lash_error *error) {
    // Of the table `section`: the channels, behind point, number and time.
    lash_status status = lashi_database_each(
        db, r->path,
        "SELECT name, value FROM about UNION ALL SELECT 'section', coalesce(group_concat(name), '') "
        "FROM pragma_table_info('section') WHERE cid > 2 AND EXISTS (SELECT 1 FROM section)",
        take_about, r, error);
    // Tables of earlier versions have no ways.
    bool ways = false;
    if (!status)
        status =
            lashi_database_each(db, r->path, "SELECT 1 FROM pragma_table_info('ways') WHERE name = 'way'",
                                take_presence, &ways, error);
    if (!status && ways)
        status = lashi_database_each(db, r->path,
                                     "SELECT 'computed', coalesce(group_concat(n || CASE way WHEN 'gpu' THEN "
                                     "' on a GPU' WHEN 'lanes' THEN "
                                     "' side by side' ELSE ' one by one' END, ', '), '') FROM (SELECT "
                                     "coalesce(way, '') AS way, count(*) AS n "
                                     "FROM points LEFT JOIN ways USING (point) GROUP BY 1 ORDER BY 1 DESC)",
                                     take_about, r, error);
    const char *points = status ? NULL : lash_study_table_about(r->table, "points");
    r->table->points = points ? (size_t)strtoull(points, NULL, 10) : 0;
    return status;
}

lash_status lash_study_table_open(lash_study_table **out, const char *path, lash_error *error) {
    sqlite3 *db = NULL;
    if (out)
        *out = NULL;
    if (!out || !path)
        return lashi_study_fail_null(error);
    lash_study_table *table = calloc(1, sizeof *table);
    if (!table)
        return lashi_study_fail_memory(error);
    reading r = {table, path, 0};
    lash_status status = lashi_database_open(&db, path, error);
    if (!status)
        status = lashi_database_check(db, path, LASHI_STORE_MARK, error);
    if (!status)
        status = read_about(&r, db, error);
    if (!status)
        status = read_columns(&r, db, error);
    if (!status)
        status = read_rows(&r, db, error);
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
    return table ? table->width : 0;
}

lash_study_column lash_study_table_column(const lash_study_table *table, size_t column) {
    return table && column < table->width ? table->columns[column]
                                          : (lash_study_column){"", "", LASH_COLUMN_STATUS};
}

size_t lash_study_table_rows(const lash_study_table *table) {
    return table ? table->rows : 0;
}

size_t lash_study_table_points(const lash_study_table *table) {
    return table ? table->points : 0;
}

static const cell *cell_at(const lash_study_table *table, size_t row, size_t column) {
    static const cell none = {NULL, (double)NAN};
    return table && row < table->rows && column < table->width ? &table->cells[row * table->width + column]
                                                               : &none;
}

const char *lash_study_table_text(const lash_study_table *table, size_t row, size_t column) {
    const char *text = cell_at(table, row, column)->text;
    return text ? text : "";
}

double lash_study_table_number(const lash_study_table *table, size_t row, size_t column) {
    return cell_at(table, row, column)->number;
}

const char *lash_study_table_about(const lash_study_table *table, const char *name) {
    for (size_t i = 0; table && name && i < table->about_count; i++)
        if (table->about[i].name && strcmp(table->about[i].name, name) == 0)
            return table->about[i].value;
    return NULL;
}

// ---- cuts

/* Channels whose cuts are kept. */
static lash_status take_channel(void *user, sqlite3_stmt *row, lash_error *error) {
    char *name = copy_column(row, 0, false);
    if (!name)
        return lashi_study_fail_memory(error);
    fprintf(user, "%s\n", name);
    free(name);
    return LASH_OK;
}

typedef struct cuts {
    double *values;
    size_t *points, count, capacity;
    const char *path;
} cuts;

static lash_status take_cut(void *user, sqlite3_stmt *row, lash_error *error) {
    cuts *c = user;
    if (c->count == c->capacity) {
        const size_t capacity = c->capacity ? 2 * c->capacity : 256;
        double *values = realloc(c->values, capacity * sizeof *values);
        if (values)
            c->values = values;
        size_t *points = realloc(c->points, capacity * sizeof *points);
        if (points)
            c->points = points;
        if (!values || !points)
            return lashi_study_fail_memory(error);
        c->capacity = capacity;
    }
    const sqlite3_int64 point = sqlite3_column_int64(row, 0);
    if (point < 1)
        return damaged(c->path, "a cut belongs to no point", error);
    c->points[c->count] = (size_t)point;
    c->values[c->count++] =
        sqlite3_column_type(row, 1) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(row, 1);
    return LASH_OK;
}

/* A line of `names` that is this one. */
static bool has_line(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *line = names; length && (line = strstr(line, name)); line += length)
        if ((line == names || line[-1] == '\n') && line[length] == '\n')
            return true;
    return false;
}

static lash_status open_checked(sqlite3 **db, const char *path, lash_error *error) {
    lash_status status = lashi_database_open(db, path, error);
    if (!status && (status = lashi_database_check(*db, path, LASHI_STORE_MARK, error))) {
        sqlite3_close(*db);
        *db = NULL;
    }
    return status;
}

static lash_status list_channels(char **names, sqlite3 *db, const char *path, lash_error *error) {
    size_t length;
    FILE *stream = open_memstream(names, &length);
    if (!stream)
        return lashi_study_fail_memory(error);
    lash_status status = lashi_database_each(
        db, path, "SELECT name FROM pragma_table_info('section') WHERE cid > 2 ORDER BY cid", take_channel,
        stream, error);
    if (fclose(stream) != 0 && !status)
        status = lashi_study_fail_memory(error);
    return status;
}

lash_status lash_study_cuts_read(double **values, size_t **points, size_t *count, const char *path,
                                 const char *channel, lash_error *error) {
    if (!values || !points || !count || !path || !channel)
        return lashi_study_fail_null(error);
    sqlite3 *db = NULL;
    char *names = NULL, *sql = NULL;
    cuts c = {.path = path};
    lash_status status = open_checked(&db, path, error);
    if (!status)
        status = list_channels(&names, db, path, error);
    if (!status && !has_line(names, channel) && strcmp(channel, "time") != 0)
        status = lashi_study_fail(
            error, LASH_ERROR_USAGE,
            "'%.200s' has neither a column nor cuts of a channel '%.200s'; the first lines of "
            "`lash study show` name the columns",
            path, channel);
    if (!status &&
        !(sql = sqlite3_mprintf("SELECT point, \"%w\" FROM section ORDER BY point, number", channel)))
        status = lashi_study_fail_memory(error);
    if (!status)
        status = lashi_database_each(db, path, sql, take_cut, &c, error);
    if (!status && c.count == 0)
        status = lashi_study_fail(error, LASH_ERROR_USAGE,
                                  "'%.200s' has no cuts: they are kept with section: {keep: true}", path);
    sqlite3_free(sql);
    free(names);
    sqlite3_close(db);
    if (status) {
        free(c.values);
        free(c.points);
        c = (cuts){0};
    }
    *values = c.values;
    *points = c.points;
    *count = c.count;
    return status;
}

lash_status lash_study_cut_channels(char **names, const char *path, lash_error *error) {
    sqlite3 *db = NULL;
    if (names)
        *names = NULL;
    if (!names || !path)
        return lashi_study_fail_null(error);
    lash_status status = open_checked(&db, path, error);
    if (!status)
        status = list_channels(names, db, path, error);
    sqlite3_close(db);
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
    const size_t rows = lash_study_table_rows(table), left = first < rows ? rows - first : 0;
    double *values = calloc((count < left ? count : left) + 1, sizeof *values);
    size_t low, high;
    for (size_t row = first; values && row - first < count && row < rows; row++) {
        const double x = lash_study_table_number(table, row, column);
        if (!isnan(x))
            values[q.count++] = x;
    }
    if (values) {
        qsort(values, q.count, sizeof *values, ascending);
        q.value = lashi_quantile(values, q.count, probability);
        lashi_quantile_ranks(&low, &high, q.count, probability, confidence);
        q.low = low ? values[low - 1] : (double)NAN;
        q.high = high ? values[high - 1] : (double)NAN;
    }
    free(values);
    return q;
}
