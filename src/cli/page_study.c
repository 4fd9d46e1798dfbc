/* SPDX-License-Identifier: MIT
 *
 * A study as JSON: its table cell by cell, and the cuts that it kept, thinned evenly where they are very
 * many.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/study_table.h"
#include "cli/page.h"
#include "cli/talk.h"

enum {
    MOST_CUTS = 240000,  // numbers of all channels in a page: 3.8 MB
    MOST_CELLS = 200000, // of the table: up to 4.6 MB
    MOST_TEXT = 300000   // bytes of a file
};

static double round_digits(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.12g", value);
    return strtod(text, NULL);
}

static size_t put_table(FILE *stream, const lash_study_table *table) {
    const size_t width = lash_study_table_width(table), rows = lash_study_table_rows(table);
    double *sizes = calloc(width + 1, sizeof *sizes);
    const size_t step = rows * width / MOST_CELLS + 1;
    lashi_json_key(stream, "columns");
    for (size_t c = 0; c < width; c++) {
        const lash_study_column column = lash_study_table_column(table, c);
        fprintf(stream, "%s{\"kind\":\"%s\",\"name\":", c ? "," : "[", lashi_study_column_name(column.kind));
        lashi_json_text(stream, column.name);
        fputs(",\"unit\":", stream);
        char unit[LASHI_WRITTEN];
        const double size = lashi_study_unit(unit, table, c);
        if (sizes)
            sizes[c] = size;
        lashi_json_text(stream, sizes ? unit : column.unit);
        if (column.kind == LASH_COLUMN_AXIS && lashi_study_says_log(table, column.name))
            fputs(",\"log\":true", stream);
        fputc('}', stream);
    }
    fputc(']', stream);
    lashi_json_key(stream, "rows");
    fputc('[', stream);
    for (size_t r = 0; r < rows; r += step) {
        fputs(r ? ",\n" : "", stream);
        for (size_t c = 0; c < width; c++) {
            const double number = lash_study_table_number(table, r, c);
            const char *text = lash_study_table_text(table, r, c);
            fputc(c ? ',' : '[', stream);
            if (isfinite(number)) // twelve digits: 0.05 mm is not 0.049999999999999996
                lashi_json_number(stream, sizes && sizes[c] != 1 ? round_digits(number / sizes[c]) : number);
            else if (*text)
                lashi_json_text(stream, text);
            else
                fputs("null", stream);
        }
        fputc(']', stream);
    }
    fputc(']', stream);
    free(sizes);
    return rows - (rows + step - 1) / step;
}

/* The unit of a channel: the study keeps those of its section; in older files from a metric of the channel.
 */
static const char *unit_of(const lash_study_table *table, const char *channel) {
    char *name = NULL;
    const char *unit =
        asprintf(&name, "unit of %s", channel) < 0 ? NULL : lash_study_table_about(table, name);
    free(name);
    if (unit)
        return unit;
    for (size_t c = 0; c < lash_study_table_width(table); c++) {
        const lash_study_column column = lash_study_table_column(table, c);
        const char *blank = strrchr(column.name, ' ');
        if (column.kind == LASH_COLUMN_METRIC && blank && strcmp(blank + 1, channel) == 0)
            return column.unit;
    }
    return "";
}

static lash_status put_cut(FILE *stream, const lash_study_table *table, const char *path, const char *channel,
                           size_t most, size_t *left_out) {
    double *values;
    size_t *points, count;
    lash_error error = {.time = (double)NAN};
    const lash_status status = lash_study_cuts_read(&values, &points, &count, path, channel, &error);
    if (status == LASH_ERROR_USAGE)
        count = 0; // they were not kept
    else if (status) {
        lashi_talk_error(&error);
        return status;
    }
    const size_t step = count / most + 1, kept = (count + step - 1) / step;
    uint32_t *numbers = calloc(kept + 1, sizeof *numbers);
    for (size_t i = 0; numbers && i < kept; i++) {
        numbers[i] = (uint32_t)points[i * step];
        values[i] = values[i * step];
    }
    *left_out += count - kept;
    fputs("{\"channel\":", stream);
    lashi_json_text(stream, channel);
    fputs(",\"unit\":", stream);
    lashi_json_text(stream, unit_of(table, channel));
    fputs(",\"values\":", stream);
    lashi_json_doubles(stream, values, numbers ? kept : 0);
    fputs(",\"points\":", stream);
    lashi_json_u32(stream, numbers, numbers ? kept : 0);
    fputc('}', stream);
    const bool fine = numbers != NULL;
    free(numbers);
    free(values);
    free(points);
    return fine ? LASH_OK : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

static lash_status put_cuts(FILE *stream, const lash_study_table *table, const char *path, size_t *left_out) {
    char *names, *rest, *name;
    size_t channels = 0;
    lash_error error = {.time = (double)NAN};
    lash_status status = lash_study_cut_channels(&names, path, &error);
    if (status) {
        lashi_talk_error(&error);
        return status;
    }
    for (const char *c = names; *c; c++)
        channels += *c == '\n';
    lashi_json_key(stream, "cuts");
    fputc('[', stream);
    rest = names;
    for (size_t i = 0; i < channels && !status; i++) {
        name = strsep(&rest, "\n");
        fputs(i ? ",\n" : "", stream);
        status = put_cut(stream, table, path, name, MOST_CUTS / channels, left_out);
    }
    fputc(']', stream);
    free(names);
    return status;
}

lash_status lashi_page_study(FILE *stream, const lash_study_table *table, const char *path) {
    static const char *const texts[][2] = {
        {"title", "title"}, {"about", "version"}, {"study", "study"}, {"model", "model"}};
    const char *slash = strrchr(path, '/');
    size_t left_out = 0;
    lashi_json_key(stream, "file");
    lashi_json_text(stream, slash ? slash + 1 : path);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = lash_study_table_about(table, texts[i][1]);
        lashi_json_key(stream, texts[i][0]);
        lashi_json_text(stream, text && strlen(text) > MOST_TEXT ? "# Too long for this page." : text);
    }
    lashi_json_key(stream, "points");
    fprintf(stream, "%zu", lash_study_table_points(table));
    const size_t rows_left_out = put_table(stream, table);
    const lash_status status = put_cuts(stream, table, path, &left_out);
    lashi_json_key(stream, "warnings");
    fputc('[', stream);
    if (left_out || rows_left_out) {
        char text[160];
        snprintf(text, sizeof text,
                 "To limit the size of the page %zu points and %zu cuts are left out, evenly; lash study "
                 "export gives all.",
                 rows_left_out, left_out);
        lashi_json_text(stream, text);
    }
    fputc(']', stream);
    return status;
}
