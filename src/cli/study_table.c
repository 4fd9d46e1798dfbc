/* SPDX-License-Identifier: MIT
 *
 * Tables of studies: aligned for people, with quantiles where parameters were drawn; CSV for programs.
 */
#include "cli/study_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "lash/document.h"
#include "lash/lash.h"
#include "cli/output.h"
#include "cli/talk.h"

enum { CELL = 64 };
static const double PROBABILITIES[] = {0.05, 0.5, 0.95};
enum { QUANTILES = sizeof PROBABILITIES / sizeof *PROBABILITIES };
static const double CONFIDENCE = 0.95;

// ---- aligned

/* A cell as it is shown: numbers with six digits, in a unit of that size in SI. */
static const char *shown(char buffer[CELL], const lash_study_table *table, size_t row, size_t column,
                         double size) {
    const double x = lash_study_table_number(table, row, column);
    if (isnan(x))
        return lash_study_table_text(table, row, column);
    snprintf(buffer, CELL, "%.6g", x / size);
    return buffer;
}

static int wider(int width, const char *text) {
    const int length = (int)strlen(text);
    return length > width ? length : width;
}

static bool is_message(const lash_study_table *table, size_t column) {
    return strcmp(lash_study_table_column(table, column).name, "message") == 0;
}

/* A column as it is shown: how wide, in which unit, and the size of that in SI. */
typedef struct layout {
    int width;
    double size;
    char unit[LASHI_WRITTEN];
} layout;

static void show_rows(FILE *stream, const lash_study_table *table, layout *columns) {
    char buffer[CELL];
    const size_t width = lash_study_table_width(table), rows = lash_study_table_rows(table);
    for (size_t c = 0; c < width; c++) {
        layout *column = &columns[c];
        column->size = lashi_study_unit(column->unit, table, c);
        column->width = wider(wider(0, lash_study_table_column(table, c).name), column->unit);
        for (size_t r = 0; r < rows; r++)
            column->width = wider(column->width, shown(buffer, table, r, c, column->size));
    }
    for (int line = 0; line < 2; line++) {
        for (size_t c = 0; c < width; c++)
            if (!is_message(table, c))
                fprintf(stream, "%s%*s", c ? "  " : "", columns[c].width,
                        line ? columns[c].unit : lash_study_table_column(table, c).name);
        fputc('\n', stream);
    }
    for (size_t r = 0; r < rows; r++) {
        const char *message = "";
        for (size_t c = 0; c < width; c++)
            if (is_message(table, c))
                message = lash_study_table_text(table, r, c);
            else
                fprintf(stream, "%s%*s", c ? "  " : "", columns[c].width,
                        shown(buffer, table, r, c, columns[c].size));
        fprintf(stream, "%s%s\n", *message ? "  " : "", message);
    }
}

// ---- quantiles

/* Axes that are set, before the column `sample`. */
static size_t set_columns(const lash_study_table *table) {
    size_t c = 1;
    while (c < lash_study_table_width(table) && strcmp(lash_study_table_column(table, c).name, "sample") != 0)
        c++;
    return c;
}

static size_t setting_of(const lash_study_table *table, size_t row, size_t samples) {
    return (size_t)(lash_study_table_number(table, row, 0) - 1) / samples;
}

static void show_setting(FILE *stream, const lash_study_table *table, size_t first, size_t count) {
    char buffer[CELL];
    if (set_columns(table) <= 1) {
        fprintf(stream, "All %zu samples:\n", count);
        return;
    }
    fputs("At", stream);
    for (size_t c = 1; c < set_columns(table); c++) {
        char unit[LASHI_WRITTEN];
        const double size = lashi_study_unit(unit, table, c);
        fprintf(stream, " %s = %s%s%s", lash_study_table_column(table, c).name,
                shown(buffer, table, first, c, size), unit[0] ? " " : "", unit);
    }
    fprintf(stream, ": %zu samples\n", count);
}

/* Words of samples and how many have them, the most frequent first; those that come after MOST_WORDS others count
 * together. */
enum { MOST_WORDS = 16 };
typedef struct word {
    const char *text;
    size_t count;
} word;

static int more_frequent(const void *a, const void *b) {
    const word *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : strcmp(x->text, y->text);
}

/* Of a metric that is no number, such as a verdict: the share of each word. False: it is a number. */
static bool show_words(FILE *stream, const lash_study_table *table, size_t column, size_t first,
                       size_t count) {
    word words[MOST_WORDS];
    size_t found = 0, all = 0, others = 0;
    for (size_t r = first; r < first + count; r++) {
        const char *text = lash_study_table_text(table, r, column);
        if (!isnan(lash_study_table_number(table, r, column)) || !*text)
            continue;
        size_t k = 0;
        while (k < found && strcmp(words[k].text, text) != 0)
            k++;
        all++;
        if (k == found && found < MOST_WORDS)
            words[found++] = (word){text, 0};
        *(k < found ? &words[k].count : &others) += 1;
    }
    qsort(words, found, sizeof *words, more_frequent);
    for (size_t k = 0; k < found; k++) {
        fprintf(stream, "%s%.3g %% ", k ? ", " : "  ", 100 * (double)words[k].count / (double)all);
        lashi_talk_foreign(stream, words[k].text);
    }
    if (others > 0)
        fprintf(stream, ", %.3g %% others", 100 * (double)others / (double)all);
    return found > 0;
}

static void show_quantiles(FILE *stream, const lash_study_table *table, size_t samples) {
    const size_t width = lash_study_table_width(table), rows = lash_study_table_rows(table);
    int name_width = 0;
    for (size_t c = 0; c < width; c++)
        if (lash_study_table_column(table, c).kind == LASH_COLUMN_METRIC)
            name_width = wider(name_width, lash_study_table_column(table, c).name);
    fprintf(stream, "Quantiles with bands of %g %% confidence (order statistics; - : too few samples)\n",
            100 * CONFIDENCE);
    for (size_t first = 0, count; first < rows; first += count) {
        count = 1;
        while (first + count < rows &&
               setting_of(table, first + count, samples) == setting_of(table, first, samples))
            count++;
        show_setting(stream, table, first, count);
        for (size_t c = 0; c < width; c++) {
            const lash_study_column column = lash_study_table_column(table, c);
            if (column.kind != LASH_COLUMN_METRIC)
                continue;
            fprintf(stream, "  %-*s", name_width, column.name);
            if (show_words(stream, table, c, first, count)) {
                fputc('\n', stream);
                continue;
            }
            for (size_t k = 0; k < QUANTILES; k++) {
                const lash_study_quantile q =
                    lash_study_table_quantile(table, c, first, count, PROBABILITIES[k], CONFIDENCE);
                char low[CELL] = "-", high[CELL] = "-";
                if (!isnan(q.low))
                    snprintf(low, sizeof low, "%.5g", q.low);
                if (!isnan(q.high))
                    snprintf(high, sizeof high, "%.5g", q.high);
                fprintf(stream, "  %g %%: %.5g (%s to %s)", 100 * PROBABILITIES[k], q.value, low, high);
            }
            fprintf(stream, " %s\n", column.unit);
        }
    }
}

void lashi_show_study(FILE *stream, const lash_study_table *table) {
    const char *title = lash_study_table_about(table, "title"),
               *samples = lash_study_table_about(table, "samples");
    const size_t rows = lash_study_table_rows(table), points = lash_study_table_points(table),
                 drawn = samples ? (size_t)strtoull(samples, NULL, 10) : 0;
    if (title && *title) {
        lashi_talk_foreign(stream, title);
        fputc('\n', stream);
    }
    if (rows < points)
        fprintf(stream, "%zu of %zu points\n", rows, points);
    // One by one is the usual way and is not mentioned.
    const char *computed = lash_study_table_about(table, "computed");
    if (computed && (strstr(computed, "GPU") || strstr(computed, "side")))
        fprintf(stream, "computed: %s\n", computed);
    layout *columns = calloc(lash_study_table_width(table) + 1, sizeof *columns);
    if (drawn)
        show_quantiles(stream, table, drawn);
    else if (columns)
        show_rows(stream, table, columns);
    free(columns);
}

// ---- CSV

void lashi_export_study(FILE *stream, const lash_study_table *table) {
    const size_t width = lash_study_table_width(table);
    for (size_t c = 0; c < width; c++) {
        const lash_study_column column = lash_study_table_column(table, c);
        char *heading = NULL;
        if (c)
            fputc(',', stream);
        if (column.unit[0] && asprintf(&heading, "%s [%s]", column.name, column.unit) < 0)
            heading = NULL;
        lashi_output_field(stream, heading ? heading : column.name);
        free(heading);
    }
    fputc('\n', stream);
    for (size_t r = 0; r < lash_study_table_rows(table); r++) {
        for (size_t c = 0; c < width; c++) {
            if (c)
                fputc(',', stream);
            lashi_output_field(stream, lash_study_table_text(table, r, c));
        }
        fputc('\n', stream);
    }
}

// ---- JSON

const char *lashi_study_column_name(lash_study_column_kind kind) {
    switch (kind) {
    case LASH_COLUMN_POINT: return "point";
    case LASH_COLUMN_AXIS: return "axis";
    case LASH_COLUMN_METRIC: return "metric";
    case LASH_COLUMN_TIMING: return "timing";
    case LASH_COLUMN_STATUS: return "status";
    }
    return "";
}

void lashi_json_study(FILE *stream, const lash_study_table *table) {
    lashi_json json = {.stream = stream};
    const size_t width = lash_study_table_width(table), rows = lash_study_table_rows(table);
    lashi_json_open(&json, NULL, '{');
    lashi_json_say(&json, "title", lash_study_table_about(table, "title"));
    lashi_json_add(&json, "points", (double)lash_study_table_points(table));
    lashi_json_say(&json, "computed", lash_study_table_about(table, "computed"));
    lashi_json_open(&json, "columns", '[');
    for (size_t c = 0; c < width; c++) {
        const lash_study_column column = lash_study_table_column(table, c);
        lashi_json_open(&json, NULL, '{');
        lashi_json_say(&json, "name", column.name);
        lashi_json_say(&json, "unit", column.unit);
        lashi_json_say(&json, "kind", lashi_study_column_name(column.kind));
        lashi_json_close(&json, '}');
    }
    lashi_json_close(&json, ']');
    lashi_json_open(&json, "rows", '[');
    for (size_t r = 0; r < rows; r++) {
        lashi_json_open(&json, NULL, '[');
        for (size_t c = 0; c < width; c++) {
            const double number = lash_study_table_number(table, r, c);
            const char *text = lash_study_table_text(table, r, c);
            const bool status = lash_study_table_column(table, c).kind == LASH_COLUMN_STATUS;
            if (isnan(number) && (text[0] || status))
                lashi_json_say(&json, NULL, text);
            else // a cell that is empty, too
                lashi_json_add(&json, NULL, number);
        }
        lashi_json_close(&json, ']');
    }
    lashi_json_close(&json, ']');
    lashi_json_close(&json, '}');
    fputc('\n', stream);
}

bool lashi_study_written(char unit[LASHI_WRITTEN], double *size, const lash_study_table *table,
                         const char *name) {
    const char *text = lash_study_table_about(table, "model");
    lash_model *model = NULL;
    lash_error error;
    lash_parameter p;
    bool found = false;
    if (!text || lash_model_parse(&model, text, strlen(text), "model", NULL, &error))
        return false;
    for (size_t i = 0; !found && lash_model_parameter(&p, model, i); i++) {
        char *end = NULL;
        const double number = strcmp(p.name, name) == 0 ? strtod(p.usual, &end) : 0;
        const char *rest = end ? end + strspn(end, " ") : "";
        // A number and a unit alone; a unit is letters, digits and / ^ *.
        found =
            number != 0 && isfinite(p.value) && *rest && strlen(rest) < LASHI_WRITTEN &&
            strspn(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/^ ") == strlen(rest);
        if (found) {
            snprintf(unit, LASHI_WRITTEN, "%s", rest);
            *size = p.value / number;
        }
    }
    lash_model_destroy(model);
    return found && *size > 0;
}

double lashi_study_unit(char unit[LASHI_WRITTEN], const lash_study_table *table, size_t c) {
    const lash_study_column column = lash_study_table_column(table, c);
    double size;
    if ((column.kind == LASH_COLUMN_AXIS || column.kind == LASH_COLUMN_METRIC) &&
        lashi_study_written(unit, &size, table, column.name))
        return size;
    snprintf(unit, LASHI_WRITTEN, "%s", column.unit);
    return 1;
}

bool lashi_study_says_log(const lash_study_table *table, const char *name) {
    const char *text = lash_study_table_about(table, "study");
    lash_document *document = NULL;
    lash_error error;
    if (!text || lash_document_parse(&document, text, strlen(text), "study", &error))
        return false;
    const lash_node *axis = lash_node_find(lash_node_find(lash_document_root(document), "axes"), name),
                    *scale = lash_node_find(axis, "scale");
    const bool says = scale && strcmp(lash_node_text(scale), "log") == 0;
    lash_document_destroy(document);
    return says;
}
