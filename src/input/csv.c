/* SPDX-License-Identifier: MIT
 *
 * CSV: the file is read whole, then line by line. What separates the fields is seen from the first line with
 * data: a semicolon if it has one, else a comma, else a tab, else blanks. Lines end with LF or CRLF; a UTF-8
 * mark at the start is skipped. Numbers have a decimal point whatever the locale. A heading is a first line
 * in which no field is a number.
 */
#include "input/csv.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "lash/file.h"

enum { LARGEST_FILE = 64 << 20 }; // bytes

typedef struct field {
    const char *start;
    size_t length;
} field;

typedef struct reading {
    const char *path;
    lash_error *error;
    const char *line; // the current one, without its end
    size_t length;
    int number;     // of the line, from 1
    char separator; // ' ': blanks; 0: not known yet
} reading;

/* Puts the place into an error that has its message already. */
static lash_status place(const reading *r, const char *at, lash_status status) {
    if (r->error) {
        snprintf(r->error->file, sizeof r->error->file, "%s", r->path);
        r->error->line = r->number;
        r->error->column = r->number ? (int)(at - r->line) + 1 : 0;
        snprintf(r->error->excerpt, sizeof r->error->excerpt, "%.*s", r->number ? (int)r->length : 0,
                 r->number ? r->line : "");
    }
    return status;
}

/* The whole file with a NUL after it, to be freed also after a failure. */
static lash_status read_file(char **text, size_t *length, const reading *r) {
    *text = NULL;
    *length = 0;
    FILE *file = lash_file_open(r->path);
    if (!file)
        return place(
            r, NULL,
            lashi_fail(r->error, LASH_ERROR_IO, "cannot open %s: %s", r->path, lash_file_reason(errno)));
    lash_status status = LASH_OK;
    size_t capacity = 1 << 16;
    for (bool more = true; more; capacity *= 2) {
        char *larger = realloc(*text, capacity + 1);
        if (!larger) {
            status = lashi_fail_memory(r->error);
            break;
        }
        *text = larger;
        *length += fread(*text + *length, 1, capacity - *length, file);
        (*text)[*length] = '\0';
        more = *length == capacity;
        if (ferror(file)) {
            status = lashi_fail(r->error, LASH_ERROR_IO, "cannot read %s: %s", r->path, strerror(errno));
            break;
        }
        if (*length > LARGEST_FILE) {
            status = lashi_fail(r->error, LASH_ERROR_IO, "%s is larger than %d MB; thin it out", r->path,
                                LARGEST_FILE >> 20);
            break;
        }
    }
    fclose(file);
    return status == LASH_OK ? status : place(r, NULL, status);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static char find_separator(const char *line, size_t length) {
    static const char candidates[] = ";,\t";
    for (const char *c = candidates; *c; c++)
        if (memchr(line, *c, length))
            return *c;
    return ' ';
}

/* Takes the next field off the line; blanks around it are dropped. False at the end. */
static bool next_field(field *out, const char **at, const char *end, char separator) {
    const char *p = *at;
    if (separator == ' ')
        while (p < end && is_blank(*p))
            p++;
    if (p >= end)
        return false;
    const char *start = p;
    while (p < end && (separator == ' ' ? !is_blank(*p) : *p != separator))
        p++;
    *at = p < end ? p + 1 : end;
    while (start < p && is_blank(*start))
        start++;
    while (p > start && is_blank(p[-1]))
        p--;
    *out = (field){start, (size_t)(p - start)};
    return true;
}

static bool read_number(double *out, field f) {
    bool minus = f.length > 0 && f.start[0] == '-';
    if (minus || (f.length > 0 && f.start[0] == '+')) {
        f.start++;
        f.length--;
    }
    if (f.length == 0 || lashi_read_number(out, f.start, f.length) != f.length || !isfinite(*out))
        return false;
    *out = minus ? -*out : *out;
    return true;
}

static bool is_heading(const reading *r) {
    const char *at = r->line, *end = r->line + r->length;
    char separator = find_separator(r->line, r->length);
    field f;
    while (next_field(&f, &at, end, separator)) {
        bool starts_number = f.length > 0 && strchr("+-.0123456789", f.start[0]);
        if (starts_number ||
            (f.length == 3 && (!strncasecmp(f.start, "nan", 3) || !strncasecmp(f.start, "inf", 3))))
            return false;
    }
    return true;
}

/* The two numbers of the current line. */
static lash_status read_line(double *x, double *y, const reading *r, int x_column, int y_column) {
    const char *at = r->line, *end = r->line + r->length;
    int last = x_column > y_column ? x_column : y_column, column = 0;
    field f;
    while (column < last && next_field(&f, &at, end, r->separator)) {
        column++;
        double number = 0;
        if (column != x_column && column != y_column)
            continue;
        if (!read_number(&number, f)) {
            bool comma = r->separator == ';' && memchr(f.start, ',', f.length);
            return place(r, f.start,
                         lashi_fail(r->error, LASH_ERROR_MODEL, "'%.*s' is not a finite number%s",
                                    (int)(f.length < 60 ? f.length : 60), f.start,
                                    comma ? "; decimals are written with a point" : ""));
        }
        if (column == x_column)
            *x = number;
        if (column == y_column)
            *y = number;
    }
    if (column < last)
        return place(r, end,
                     lashi_fail(r->error, LASH_ERROR_MODEL,
                                "the line has %d column%s, but column %d is needed", column,
                                column == 1 ? "" : "s", last));
    return LASH_OK;
}

lash_status lashi_csv_read(double **x, double **y, size_t *count, const char *path, int x_column,
                           int y_column, lash_error *error) {
    *x = *y = NULL;
    *count = 0;
    if (x_column < 1 || y_column < 1)
        return lashi_fail(error, LASH_ERROR_USAGE, "the columns of a CSV file count from 1");
    reading r = {.path = path, .error = error};
    double *xs = NULL, *ys = NULL;
    size_t length, n = 0, x_capacity = 0, y_capacity = 0;
    char *text;
    lash_status status = read_file(&text, &length, &r);
    if (status != LASH_OK)
        goto done;
    if (memchr(text, '\0', length)) {
        status = place(&r, NULL,
                       lashi_fail(error, LASH_ERROR_MODEL,
                                  "%s is not a text file (it holds zero bytes); save it as CSV "
                                  "in UTF-8",
                                  path));
        goto done;
    }

    bool first = true;
    const char *end = text + length, *next = text;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        next += 3;
    while (next < end) {
        // One line, without its end and its comment.
        r.line = next;
        r.number++;
        const char *stop = memchr(next, '\n', (size_t)(end - next));
        stop = stop ? stop : end;
        next = stop + 1;
        const char *comment = memchr(r.line, '#', (size_t)(stop - r.line));
        stop = comment ? comment : stop;
        while (stop > r.line && is_blank(stop[-1]))
            stop--;
        r.length = (size_t)(stop - r.line);
        if (r.length == 0)
            continue;
        if (first && is_heading(&r)) {
            first = false;
            continue;
        }
        first = false;
        if (r.separator == 0)
            r.separator = find_separator(r.line, r.length);
        double a = 0, b = 0;
        status = read_line(&a, &b, &r, x_column, y_column);
        if (status != LASH_OK)
            goto done;
        size_t pairs = n;
        if (!lashi_append(xs, pairs, x_capacity, a) || !lashi_append(ys, n, y_capacity, b)) {
            status = lashi_fail_memory(error);
            goto done;
        }
    }
    if (n == 0) {
        r.number = 0;
        status = place(&r, NULL, lashi_fail(error, LASH_ERROR_MODEL, "%s holds no numbers", path));
    }
done:
    free(text);
    if (status != LASH_OK) {
        free(xs);
        free(ys);
        return status;
    }
    *x = xs;
    *y = ys;
    *count = n;
    return LASH_OK;
}
