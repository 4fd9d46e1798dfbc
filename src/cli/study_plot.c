/* SPDX-License-Identifier: MIT
 *
 * Figures of studies: a metric against an axis (curve), the largest Lyapunov exponent with its error and the
 * line of zero (lyapunov), cuts of trajectories against an axis (bifurcation), spectra of cuts that are
 * equally spaced, one above the other (waterfall), a metric over two axes in colours (map), and over the samples
 * of tolerances as a histogram with the share below (distribution). `lash study plot` and `lash plot STUDY.db`
 * come here.
 *
 * Cells of a map reach to the middle between neighbouring values, in the logarithm where the axis has one, so
 * that lists with uneven steps are drawn as they are. Its colours rise evenly in lightness (viridis, by
 * S. van der Walt and N. Smith, 2015): they stay in order in black and white.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/gnuplot.h"
#include "cli/plot.h"
#include "cli/spectrum.h"
#include "cli/study_table.h"
#include "cli/talk.h"

/* An axis whose largest value is so many times its smallest is drawn with a logarithmic scale. */
static const double LOGARITHMIC = 30;
/* m: lengths between are drawn in mm. */
static const double SMALLEST_IN_MM = 1e-6, LARGEST_IN_MM = 1;
enum { MOST_SERIES = 12, FEW_CUTS = 500, MANY_CUTS = 100000, MOST_BINS = 60 };
/* Of a waterfall: cuts that a spectrum needs; lines of orders; the tallest peak, in distances of the spectra;
 * lines below this share of it are not worth a wider axis; and the share of the axis that the number of an
 * order needs. */
enum { LEAST_CUTS = 16, MOST_ORDERS = 8 };
static const double TALLEST = 4, LEAST_LINE = 0.02, NARROWEST = 0.018;
static const char EXPONENT[] = "exponent", EXPONENT_ERROR[] = "exponent-error";

/* What is drawn: y of a row of the table (cuts NULL), or of cuts. */
typedef struct plot {
    const lash_study_table *table;
    const lashi_study_figure *figure;
    size_t x, y, z; /* columns; y SIZE_MAX: cuts; z: of a map */
    size_t error;   /* column of the standard error of y, SIZE_MAX: none */
    const char *y_name;
    double *cuts;
    size_t *cut_rows, cut_count;
    size_t *series; /* [rows] number of the row's curve */
    size_t *first;  /* [series_count] a row of it */
    size_t series_count;
} plot;

// ---- columns

static size_t find_column(const lash_study_table *table, const char *name) {
    for (size_t c = 0; c < lash_study_table_width(table); c++)
        if (strcmp(lash_study_table_column(table, c).name, name) == 0)
            return c;
    return SIZE_MAX;
}

static bool has_numbers(const lash_study_table *table, size_t column) {
    for (size_t r = 0; r < lash_study_table_rows(table); r++)
        if (!isnan(lash_study_table_number(table, r, column)))
            return true;
    return false;
}

static bool varies(const lash_study_table *table, size_t column) {
    for (size_t r = 1; r < lash_study_table_rows(table); r++)
        if (strcmp(lash_study_table_text(table, r, column), lash_study_table_text(table, 0, column)) != 0)
            return true;
    return false;
}

/* The index-th column of a kind that has numbers, an axis only if it varies and is not the number of a draw;
 * SIZE_MAX: none. */
static size_t nth_column(const lash_study_table *table, lash_study_column_kind kind, size_t index) {
    for (size_t c = 0; c < lash_study_table_width(table); c++)
        if (lash_study_table_column(table, c).kind == kind && has_numbers(table, c) &&
            (kind != LASH_COLUMN_AXIS ||
             (varies(table, c) && strcmp(lash_study_table_column(table, c).name, "sample") != 0)) &&
            index-- == 0)
            return c;
    return SIZE_MAX;
}

static const char *column_name(const void *table, size_t index) {
    return index < lash_study_table_width(table) ? lash_study_table_column(table, index).name : NULL;
}

/* The column of that name, or the one that was chosen where no name is given. */
static lash_status take_column(size_t *out, const plot *p, const char *name, size_t chosen,
                               const char *role) {
    *out = name ? find_column(p->table, name) : chosen;
    if (*out != SIZE_MAX && has_numbers(p->table, *out))
        return LASH_OK;
    if (!name)
        return lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has no %s with numbers", p->figure->path, role);
    const char *nearest = *out == SIZE_MAX ? lashi_options_nearest(name, column_name, p->table) : NULL;
    return lashi_talk_fail(
        LASH_ERROR_USAGE,
        "'%s' is not a column of numbers in '%s'%s%s%s; the first line of `lash study show` names them", name,
        p->figure->path, nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/* Rows of one curve agree in all axes but x; drawn parameters are no axes of a plot. */
static bool same_curve(const plot *p, size_t a, size_t b) {
    const bool drawn = find_column(p->table, "sample") != SIZE_MAX;
    for (size_t c = 0; !drawn && c < lash_study_table_width(p->table); c++)
        if (c != p->x && lash_study_table_column(p->table, c).kind == LASH_COLUMN_AXIS &&
            strcmp(lash_study_table_text(p->table, a, c), lash_study_table_text(p->table, b, c)) != 0)
            return false;
    return true;
}

static lash_status sort_into_curves(plot *p) {
    const size_t rows = lash_study_table_rows(p->table);
    p->series = calloc(rows + 1, sizeof *p->series);
    p->first = calloc(MOST_SERIES + 1, sizeof *p->first);
    if (!p->series || !p->first)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    for (size_t r = 0; r < rows; r++) {
        size_t s = 0;
        while (s < p->series_count && !same_curve(p, p->first[s], r))
            s++;
        if (s == MOST_SERIES)
            return lashi_talk_fail(LASH_ERROR_USAGE,
                                   "there would be more than %d curves, one for each combination of the "
                                   "other axes; `lash plot FILE.db --what map` draws a metric over two axes, "
                                   "and `lash study export` gives the numbers to other programs",
                                   (int)MOST_SERIES);
        if (s == p->series_count)
            p->first[p->series_count++] = r;
        p->series[r] = s;
    }
    return LASH_OK;
}

/* Numbers of points → rows of the table; both ascend. A point that came after the table was read has none. */
static void find_rows(plot *p) {
    const size_t rows = lash_study_table_rows(p->table);
    for (size_t i = 0, row = 0; i < p->cut_count; i++) {
        const double point = (double)p->cut_rows[i];
        while (row < rows && lash_study_table_number(p->table, row, 0) < point)
            row++;
        p->cut_rows[i] = row < rows && lash_study_table_number(p->table, row, 0) == point ? row : SIZE_MAX;
    }
}

/* Cuts of the channel y; of the section's first where none is named. */
static lash_status take_cuts(plot *p) {
    lash_error error = {.time = (double)NAN};
    const lash_status status =
        lash_study_cuts_read(&p->cuts, &p->cut_rows, &p->cut_count, p->figure->path, p->y_name, &error);
    if (status)
        lashi_talk_error(&error);
    else
        find_rows(p);
    if (!status && p->cut_count == 0)
        return lashi_talk_fail(LASH_ERROR_USAGE, "'%s' holds no cuts yet", p->figure->path);
    return status ? status : sort_into_curves(p);
}

static lash_status choose_curves(plot *p, char section[LASHI_OBJECT]) {
    const lashi_study_figure *f = p->figure;
    const char *what = f->what ? f->what : "";
    const bool lyapunov = strcmp(what, "lyapunov") == 0, bifurcation = strcmp(what, "bifurcation") == 0,
               cut = bifurcation || strcmp(what, "waterfall") == 0;
    const char *kept = lash_study_table_about(p->table, "section");
    lash_status status =
        take_column(&p->x, p, f->x, nth_column(p->table, LASH_COLUMN_AXIS, 0), "axis that varies");
    if (status)
        return status;
    p->y_name = f->y;
    if (cut && !f->y && kept && *kept) {
        snprintf(section, LASHI_OBJECT, "%.*s", (int)strcspn(kept, ","), kept);
        p->y_name = section;
    } else if (cut && !f->y) {
        return lashi_talk_fail(
            LASH_ERROR_USAGE, "'%s' has kept no cuts: a %s needs `section: {…%s, keep: true}` in the study",
            f->path, bifurcation ? "bifurcation diagram" : "waterfall", bifurcation ? "" : ", every: 5 deg");
    }
    if (lyapunov && find_column(p->table, EXPONENT) == SIZE_MAX)
        return lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has no metric '%s', which the preset lyapunov draws",
                               f->path, EXPONENT);
    p->y = p->y_name ? find_column(p->table, p->y_name) : SIZE_MAX;
    if (cut || (p->y_name && p->y == SIZE_MAX)) {
        p->y = SIZE_MAX;
        return take_cuts(p);
    }
    const size_t chosen =
        lyapunov ? find_column(p->table, EXPONENT) : nth_column(p->table, LASH_COLUMN_METRIC, 0);
    status = take_column(&p->y, p, p->y_name, chosen, "metric");
    if (status)
        return status;
    p->y_name = lash_study_table_column(p->table, p->y).name;
    if (strcmp(p->y_name, EXPONENT) == 0)
        p->error = find_column(p->table, EXPONENT_ERROR);
    return sort_into_curves(p);
}

// ---- axes

static bool is_logarithmic(const lashi_axis *axis, const plot *p, const char *name) {
    return axis->low > 0 && (axis->high >= LOGARITHMIC * axis->low ||
                             (axis->high > axis->low && lashi_study_says_log(p->table, name)));
}

/* A unit as people read it: that of the model file for what was set, else a prefix that suits; lengths are in mm,
 * whatever their size. */
static void fit(lashi_axis *axis, const plot *p, const lash_study_column *column) {
    const double largest = fmax(fabs(axis->low), fabs(axis->high));
    double size;
    if (column && (column->kind == LASH_COLUMN_AXIS || column->kind == LASH_COLUMN_METRIC) &&
        lashi_study_written(axis->unit, &size, p->table, column->name))
        axis->factor = 1 / size;
    else if (strcmp(axis->unit, "m") == 0 && largest > SMALLEST_IN_MM && largest < LARGEST_IN_MM) {
        axis->factor = 1000;
        strcpy(axis->unit, "mm");
    } else {
        lashi_axis_prefix(axis);
    }
}

static lashi_axis axis_of_column(const plot *p, size_t index) {
    const lash_study_column column = lash_study_table_column(p->table, index);
    lashi_axis axis = lashi_axis_of(column.unit);
    for (size_t r = 0; r < lash_study_table_rows(p->table); r++) {
        const double value = lash_study_table_number(p->table, r, index);
        lashi_axis_hold(&axis, &value, 1);
    }
    fit(&axis, p, &column);
    return axis;
}

/* Of cuts: the study keeps the units of its channels. */
static lashi_axis axis_of_cuts(const plot *p) {
    char *name = NULL;
    const char *unit =
        asprintf(&name, "unit of %s", p->y_name) < 0 ? NULL : lash_study_table_about(p->table, name);
    lashi_axis axis = lashi_axis_of(unit ? unit : "");
    lashi_axis_hold(&axis, p->cuts, p->cut_count);
    fit(&axis, p, NULL);
    free(name);
    return axis;
}

/* Ticks of a logarithmic axis: 1, 2 and 5 of each decade; powers alone where there are many; equal steps
 * where it spans so little that few of these are in it. */
static void put_log_ticks(FILE *stream, char letter, double low, double high) {
    enum { FEW = 3, DECADES = 4 };
    const double first = floor(log10(low)), last = floor(log10(high)), rough = (high - low) / DECADES,
                 power = pow(10, floor(log10(rough))), digit = rough / power,
                 step = power * (digit <= 1   ? 1
                                 : digit <= 2 ? 2
                                 : digit <= 5 ? 5
                                              : 10);
    const char *separator = "";
    size_t round = 0;
    for (double ten = first; ten <= last; ten++)
        for (int d = 1; d <= 5; d += d == 1 ? 1 : 3)
            round += d * pow(10, ten) >= low && d * pow(10, ten) <= high;
    fprintf(stream, "set %ctics (", letter);
    if (round < FEW)
        for (double k = ceil(low / step); k * step <= high; k++, separator = ", ")
            fprintf(stream, "%s'%.6g' %.12g", separator, k * step, k * step);
    else
        for (double ten = first; ten <= last; ten++)
            for (int d = 1; d <= (last - first > DECADES ? 1 : 5); d += d == 1 ? 1 : 3, separator = ", ") {
                const bool short_one = ten >= -3 && ten <= 4; // as a plain number
                if (short_one)
                    fprintf(stream, "%s'%.6g' %de%g", separator, d * pow(10, ten), d, ten);
                else
                    fprintf(stream, "%s'%de%g' %de%g", separator, d, ten, d, ten);
            }
    fputs(")\n", stream);
}

static void put_axis(FILE *stream, const plot *p, const lashi_axis *axis, char letter, const char *name) {
    if (is_logarithmic(axis, p, name) && letter != 'y') {
        const double low = axis->low * axis->factor / 1.1, high = axis->high * axis->factor * 1.1;
        fprintf(stream, "set logscale %c\nset %crange [%.9g:%.9g]\n", letter, letter, low, high);
        put_log_ticks(stream, letter, low, high);
    } else {
        lashi_axis_range(stream, axis, letter, 0);
    }
    lashi_axis_label_words(stream, letter, name, axis->unit);
}

static void put_study_title(FILE *stream, const plot *p) {
    const char *title = lash_study_table_about(p->table, "title");
    fputs("set title ", stream);
    lashi_gnuplot_quoted(stream, title ? title : "", LASHI_TITLE);
    fputc('\n', stream);
}

// ---- curves

/* "gudgeon ideal, speed 500 rad/s": the settings of a curve, those that vary. */
static void put_settings(FILE *stream, const plot *p, size_t row) {
    bool some = false;
    for (size_t c = 0; c < lash_study_table_width(p->table); c++) {
        const lash_study_column column = lash_study_table_column(p->table, c);
        if (c == p->x || column.kind != LASH_COLUMN_AXIS || !varies(p->table, c))
            continue;
        lashi_axis axis = lashi_axis_of(column.unit);
        const double value = lash_study_table_number(p->table, row, c);
        lashi_axis_hold(&axis, &value, 1);
        fit(&axis, p, &column);
        fputs(some ? ", " : "", stream);
        lashi_gnuplot_text(stream, column.name, LASHI_NAME);
        fputc(' ', stream);
        if (isnan(value))
            lashi_gnuplot_text(stream, lash_study_table_text(p->table, row, c), LASHI_NAME);
        else
            fprintf(stream, "%.6g", value * axis.factor);
        fputs(*axis.unit ? " " : "", stream);
        lashi_gnuplot_text(stream, axis.unit, LASHI_NAME);
        some = true;
    }
}

/* Entries of the legend to a row of the figure, by the length of the longest. */
static size_t entries_per_row(const plot *p) {
    char *text = NULL;
    size_t length = 0, longest = 0;
    for (size_t s = 0; s < p->series_count; s++) {
        FILE *stream = open_memstream(&text, &length);
        if (!stream)
            continue;
        put_settings(stream, p, p->first[s]);
        fclose(stream);
        longest = length > longest ? length : longest;
        free(text);
    }
    return longest > 32 ? 1 : longest > 18 ? 2 : 3;
}

static void put_data(FILE *stream, const plot *p, size_t series, double x_factor, double y_factor) {
    const size_t rows = lash_study_table_rows(p->table);
    fprintf(stream, "$curve%zu << END\n", series);
    for (size_t i = 0; i < (p->cuts ? p->cut_count : rows); i++) {
        const size_t row = p->cuts ? p->cut_rows[i] : i;
        if (row >= rows || p->series[row] != series)
            continue;
        const double x = lash_study_table_number(p->table, row, p->x) * x_factor,
                     y = (p->cuts ? p->cuts[i] : lash_study_table_number(p->table, row, p->y)) * y_factor,
                     error = p->error == SIZE_MAX ? 0 : lash_study_table_number(p->table, row, p->error);
        if (isfinite(x) && isfinite(y))
            fprintf(stream, "%.17g %.17g %.9g\n", x, y, isfinite(error) ? error * y_factor : 0);
    }
    fputs("END\n", stream);
}

static void write_curves(FILE *stream, const plot *p) {
    const bool drawn = find_column(p->table, "sample") != SIZE_MAX, points = p->cuts || drawn;
    lashi_axis x = axis_of_column(p, p->x), y = p->cuts ? axis_of_cuts(p) : axis_of_column(p, p->y);
    if (p->error != SIZE_MAX) { // the line of zero is what the exponent is read against
        const double zero = 0;
        lashi_axis_hold(&y, &zero, 1);
        for (size_t r = 0; r < lash_study_table_rows(p->table); r++) {
            const double value = lash_study_table_number(p->table, r, p->y),
                         error = lash_study_table_number(p->table, r, p->error),
                         ends[2] = {value - error, value + error};
            if (isfinite(value) && isfinite(error))
                lashi_axis_hold(&y, ends, 2);
        }
        fputs("set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lw 1 dt 2 lc rgb '#000000'\n",
              stream);
    }
    put_study_title(stream, p);
    put_axis(stream, p, &x, 'x', lash_study_table_column(p->table, p->x).name);
    put_axis(stream, p, &y, 'y', p->y_name);
    for (size_t s = 0; s < p->series_count; s++)
        put_data(stream, p, s, x.factor, y.factor);
    if (p->series_count > 1 && !drawn)
        lashi_put_key_above(stream, p->series_count, entries_per_row(p));
    else
        fputs("unset key\n", stream);
    for (size_t s = 0; s < p->series_count; s++) {
        fprintf(stream, "%s$curve%zu using %s with %s lw 1.3 lc rgb '%s' dt %d pt %d ps %s title '",
                s ? ", " : "plot ", s, p->error != SIZE_MAX ? "1:2:3" : "1:2",
                p->error != SIZE_MAX ? "yerrorlines"
                : points             ? "points"
                                     : "linespoints",
                lashi_gnuplot_colour(s), points || p->error != SIZE_MAX ? 1 : lashi_gnuplot_dash(s),
                p->cuts && p->series_count == 1 ? 7 : lashi_gnuplot_point(s),
                p->cuts && p->cut_count > MANY_CUTS  ? "0.06"
                : p->cuts && p->cut_count > FEW_CUTS ? "0.2"
                : p->cuts                            ? "0.35"
                                                     : "0.6");
        if (!drawn)
            put_settings(stream, p, p->first[s]);
        fputc('\'', stream);
    }
    fputc('\n', stream);
}

// ---- map

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Distinct values of an axis, rising; returns their number. */
static size_t distinct(double *out, const plot *p, size_t column) {
    size_t count = 0, kept = 0;
    for (size_t r = 0; r < lash_study_table_rows(p->table); r++) {
        const double value = lash_study_table_number(p->table, r, column);
        if (isfinite(value))
            out[count++] = value;
    }
    qsort(out, count, sizeof *out, compare);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || out[i] != out[kept - 1])
            out[kept++] = out[i];
    return kept;
}

/* The edge of a cell below (side 0) or above (side 1) a value. */
static double edge(const double *values, size_t count, double value, int side, bool logarithmic) {
    size_t i = 0;
    while (i + 1 < count && values[i] < value)
        i++;
    const double here = logarithmic ? log(values[i]) : values[i];
    const size_t next = side ? (i + 1 < count ? i + 1 : i - 1) : (i > 0 ? i - 1 : i + 1);
    const double there = logarithmic ? log(values[next]) : values[next], half = fabs(there - here) / 2,
                 at = side ? here + half : here - half;
    return logarithmic ? exp(at) : at;
}

static lash_status choose_map(plot *p) {
    const lashi_study_figure *f = p->figure;
    const size_t first = nth_column(p->table, LASH_COLUMN_AXIS, 0),
                 second = nth_column(p->table, LASH_COLUMN_AXIS, 1);
    lash_status status = take_column(&p->x, p, f->x, first, "axis that varies");
    if (!status)
        status = take_column(&p->y, p, f->y, p->x == first ? second : first, "second axis that varies");
    if (!status)
        status = take_column(&p->z, p, f->z, nth_column(p->table, LASH_COLUMN_METRIC, 0), "metric");
    for (size_t c = 0; !status && c < lash_study_table_width(p->table); c++)
        if (lash_study_table_column(p->table, c).kind == LASH_COLUMN_AXIS && c != p->x && c != p->y &&
            varies(p->table, c))
            status = lashi_talk_fail(LASH_ERROR_USAGE, "a map has two axes, but '%s' varies too",
                                     lash_study_table_column(p->table, c).name);
    if (!status && (p->x == p->y || !varies(p->table, p->x) || !varies(p->table, p->y)))
        status = lashi_talk_fail(LASH_ERROR_USAGE, "a map needs two axes that vary, and they must differ");
    return status;
}

static lash_status write_map(FILE *stream, const plot *p) {
    const size_t rows = lash_study_table_rows(p->table);
    double *xs = calloc(rows + 1, sizeof *xs), *ys = calloc(rows + 1, sizeof *ys);
    lashi_axis x = axis_of_column(p, p->x), y = axis_of_column(p, p->y), z = axis_of_column(p, p->z);
    const bool log_x = is_logarithmic(&x, p, lash_study_table_column(p->table, p->x).name),
               log_y = is_logarithmic(&y, p, lash_study_table_column(p->table, p->y).name);
    const size_t x_count = xs && ys ? distinct(xs, p, p->x) : 0,
                 y_count = xs && ys ? distinct(ys, p, p->y) : 0;
    lash_status status = xs && ys ? LASH_OK : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status && (x_count < 2 || y_count < 2))
        status = lashi_talk_fail(LASH_ERROR_USAGE, "a map needs two values or more along both axes");
    if (!status) {
        put_study_title(stream, p);
        lashi_axis_label_words(stream, 'x', lash_study_table_column(p->table, p->x).name, x.unit);
        lashi_axis_label_words(stream, 'y', lash_study_table_column(p->table, p->y).name, y.unit);
        fputs("set cblabel '", stream);
        lashi_gnuplot_text(stream, lash_study_table_column(p->table, p->z).name, 2 * LASHI_NAME);
        fprintf(stream, "%s%s%s'\n", *z.unit ? " (" : "", z.unit, *z.unit ? ")" : "");
        fprintf(stream, "%s%s", log_x ? "set logscale x\n" : "", log_y ? "set logscale y\n" : "");
        if (log_x)
            put_log_ticks(stream, 'x', xs[0] * x.factor, xs[x_count - 1] * x.factor);
        if (log_y)
            put_log_ticks(stream, 'y', ys[0] * y.factor, ys[y_count - 1] * y.factor);
        fprintf(stream, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n",
                edge(xs, x_count, xs[0], 0, log_x) * x.factor,
                edge(xs, x_count, xs[x_count - 1], 1, log_x) * x.factor,
                edge(ys, y_count, ys[0], 0, log_y) * y.factor,
                edge(ys, y_count, ys[y_count - 1], 1, log_y) * y.factor);
        if (z.high > z.low)
            fprintf(stream, "set cbrange [%.9g:%.9g]\n", z.low * z.factor, z.high * z.factor);
        else
            fprintf(stream, "set cbrange [%.9g:%.9g]\n", z.low * z.factor - 1, z.high * z.factor + 1);
        fputs("set palette defined (0 '#440154', 1 '#472D7B', 2 '#3B528B', 3 '#2C728E', 4 '#21918C', "
              "5 '#28AE80', 6 '#5EC962', 7 '#ADDC30', 8 '#FDE725')\n"
              "set tics front\nunset grid\n$map << END\n",
              stream);
        for (size_t r = 0; r < rows; r++) {
            const double at[3] = {lash_study_table_number(p->table, r, p->x),
                                  lash_study_table_number(p->table, r, p->y),
                                  lash_study_table_number(p->table, r, p->z)};
            if (isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]))
                fprintf(stream, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", at[0] * x.factor, at[1] * y.factor,
                        edge(xs, x_count, at[0], 0, log_x) * x.factor,
                        edge(xs, x_count, at[0], 1, log_x) * x.factor,
                        edge(ys, y_count, at[1], 0, log_y) * y.factor,
                        edge(ys, y_count, at[1], 1, log_y) * y.factor, at[2] * z.factor);
        }
        fputs("END\nplot $map using 1:2:3:4:5:6:7 with boxxyerror lc palette fillstyle solid noborder\n",
              stream);
    }
    free(xs);
    free(ys);
    return status;
}

// ---- waterfall

/* A spectrum of the waterfall, in the units of the axes. */
typedef struct ridge {
    double at; // on the axis
    double dt; // s, between cuts
    lashi_spectrum lines;
} ridge;

static int compare_ridges(const void *a, const void *b) {
    return compare(&((const ridge *)b)->at, &((const ridge *)a)->at); // the last one is in front
}

/* The spectrum of cuts [first, first + count), whose times must be equally spaced. */
static lash_status find_ridge(ridge *out, const plot *p, const double *times, size_t first, size_t count) {
    const char *text = lash_study_table_text(p->table, p->cut_rows[first], 0);
    if (count < LEAST_CUTS)
        return lashi_talk_fail(LASH_ERROR_USAGE,
                               "point %s has %zu cuts: a spectrum needs %d or more, as with section: {every: "
                               "5 deg}",
                               text, count, LEAST_CUTS);
    if (!lashi_is_uniform(times + first, count))
        return lashi_talk_fail(
            LASH_ERROR_USAGE,
            "the cuts of point %s are not equally spaced in time, so that they have no spectrum; cut at "
            "equal times, section: {of: time, every: 1 ms, …}, or at equal angles of a drive of constant "
            "speed",
            text);
    out->dt = (times[first + count - 1] - times[first]) / (double)(count - 1);
    return lashi_spectrum_create(&out->lines, p->cuts + first, count, out->dt, LASHI_WINDOW_HANN, 1)
               ? LASH_OK
               : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

/* Spectra of all rows with cuts; *most: the largest amplitude, *highest: the last frequency that matters. */
static lash_status find_ridges(ridge *ridges, size_t *count, double *most, double *highest, const plot *p) {
    double *times = NULL;
    size_t *points = NULL, all = 0;
    lash_error error = {.time = (double)NAN};
    lash_status status = lash_study_cuts_read(&times, &points, &all, p->figure->path, "time", &error);
    if (status)
        lashi_talk_error(&error);
    else if (all != p->cut_count)
        status = lashi_talk_fail(LASH_ERROR_USAGE, "'%s' changed while it was read", p->figure->path);
    for (size_t i = 0, next; !status && i < all; i = next) {
        for (next = i; next < all && p->cut_rows[next] == p->cut_rows[i];)
            next++;
        if (p->cut_rows[i] == SIZE_MAX)
            continue;
        ridge *r = &ridges[*count];
        r->at = lash_study_table_number(p->table, p->cut_rows[i], p->x);
        status = find_ridge(r, p, times, i, next - i);
        *count += !status;
        for (size_t k = 0; !status && k < r->lines.count; k++)
            *most = fmax(*most, r->lines.amplitude[k]);
    }
    for (size_t i = 0; i < *count; i++)
        for (size_t k = 0; k < ridges[i].lines.count; k++)
            if (ridges[i].lines.amplitude[k] > LEAST_LINE * *most)
                *highest = fmax(*highest, (double)k * ridges[i].lines.step);
    free(times);
    free(points);
    return status;
}

/* Where so many cuts are a turn of a drive: lines along which a frequency is a number of times its turns per
 * second, up to `top`, with the numbers above the frame; how many. */
static int put_orders(FILE *stream, const plot *p, const ridge *ridges, size_t count, double factor,
                      double highest, double top) {
    const char *angle = lash_study_table_about(p->table, "section angle");
    const double turn = angle ? strtod(angle, NULL) / 6.283185307179586 : 0;
    int orders = 0;
    if (!(turn > 0))
        return 0;
    fprintf(stream, "$turns << END\n%.9g %.9g\n", turn / ridges[0].dt, top);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%.9g %.9g\n", turn / ridges[i].dt, ridges[i].at * factor);
    fputs("END\n", stream);
    const double first = turn / ridges[0].dt;
    const int every = (int)ceil(NARROWEST * highest / first); // numbers that would touch are left out
    for (; orders < MOST_ORDERS && (orders + 1) * first <= highest; orders++)
        if ((orders + 1) % every == 0)
            fprintf(stream,
                    "set label '%d' at first %.9g,graph 1 center offset 0,0.7 font ',9' tc rgb '#555555'\n",
                    orders + 1, (orders + 1) * first);
    if (orders)
        fputs("set label 'order' at graph 0,graph 1 right offset -0.5,0.7 font ',9' tc rgb '#555555'\n",
              stream);
    return orders;
}

static lash_status write_waterfall(FILE *stream, const plot *p) {
    const size_t rows = lash_study_table_rows(p->table);
    ridge *ridges = calloc(rows + 1, sizeof *ridges);
    size_t count = 0;
    double most = 0, highest = 0;
    lash_status status = ridges ? find_ridges(ridges, &count, &most, &highest, p)
                                : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status && p->series_count > 1)
        status = lashi_talk_fail(LASH_ERROR_USAGE, "a waterfall has one axis, but others vary too");
    if (!status && (count < 2 || !(most > 0)))
        status = lashi_talk_fail(
            LASH_ERROR_USAGE, "a waterfall needs spectra of two points or more, and something that varies");
    if (!status) {
        qsort(ridges, count, sizeof *ridges, compare_ridges);
        const lashi_axis x = axis_of_column(p, p->x);
        lashi_axis y = axis_of_cuts(p);
        y = lashi_axis_of(y.si);
        lashi_axis_hold(&y, &most, 1);
        fit(&y, p, NULL);
        const double range = (ridges[0].at - ridges[count - 1].at) * x.factor,
                     scale = TALLEST * range / (double)(count - 1) / most;
        put_study_title(stream, p);
        const double top = x.high * x.factor + fmax(0.1 * range, 1.1 * scale * most);
        fprintf(stream, "set xrange [0:%.9g]\nset yrange [%.9g:%.9g]\nunset key\n", 1.1 * highest,
                x.low * x.factor - 0.03 * range, top);
        lashi_axis_label_words(stream, 'x', "frequency", "Hz");
        lashi_axis_label_words(stream, 'y', lash_study_table_column(p->table, p->x).name, x.unit);
        fputs("set label 1 '", stream);
        lashi_gnuplot_text(stream, p->y_name, LASHI_NAME);
        fprintf(stream, ": highest line %.4g %s' at graph 0.98,0.96 right front\n", most * y.factor, y.unit);
        const int orders = put_orders(stream, p, ridges, count, x.factor, highest, top);
        for (size_t i = 0; i < count; i++) {
            fprintf(stream, "$ridge%zu << END\n", i);
            for (size_t k = 0; k < ridges[i].lines.count && (double)k * ridges[i].lines.step <= 1.1 * highest;
                 k++)
                fprintf(stream, "%.9g %.9g %.9g\n", (double)k * ridges[i].lines.step, ridges[i].at * x.factor,
                        ridges[i].at * x.factor + scale * ridges[i].lines.amplitude[k]);
            fputs("END\n", stream);
        }
        for (size_t i = 0; i < count; i++)
            fprintf(stream,
                    "%s$ridge%zu using 1:2:3 with filledcurves fc rgb '#FFFFFF' fs solid noborder, $ridge%zu "
                    "using 1:3 with lines lw 1.1 lc rgb '%s'",
                    i ? ", " : "plot ", i, i, lashi_gnuplot_colour(0));
        if (orders)
            fprintf(stream, ", for [n = 1:%d] $turns using (n*$1):2 with lines lw 0.8 dt 3 lc rgb '#555555'",
                    orders);
        fputc('\n', stream);
    }
    for (size_t i = 0; i < count; i++)
        lashi_spectrum_clear(&ridges[i].lines);
    free(ridges);
    return status;
}

// ---- distribution

/* A metric over the samples of a study: how many fall where, and the share that lies below. */
static lash_status choose_distribution(plot *p) {
    return take_column(&p->y, p, p->figure->y, nth_column(p->table, LASH_COLUMN_METRIC, 0), "metric");
}

/* Quantiles as upright lines with their values, one below the other above what is drawn; to the left of lines beyond
 * `right`. */
static void put_quantiles(FILE *stream, const plot *p, const lashi_axis *axis, double right) {
    static const double probabilities[] = {0.05, 0.5, 0.95};
    for (int k = 0; k < 3; k++) {
        const double at = lash_study_table_quantile(p->table, p->y, 0, lash_study_table_rows(p->table),
                                                    probabilities[k], 0.95)
                              .value *
                          axis->factor;
        fprintf(stream,
                "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead lw 1.2 dt 2 front\n"
                "set label '%g %%: %.4g %s' at first %.9g, graph %.2f %s offset %g,0 front\n",
                at, at, 100 * probabilities[k], at, axis->unit, at, 0.95 - 0.07 * k,
                at > right ? "right" : "left", at > right ? -0.6 : 0.6);
    }
}

static lash_status write_distribution(FILE *stream, const plot *p) {
    static const double HEADROOM = 1.3; // for the quantiles
    const size_t rows = lash_study_table_rows(p->table);
    double *values = calloc(rows + 1, sizeof *values);
    if (!values)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    const lashi_axis axis = axis_of_column(p, p->y);
    size_t count = 0;
    for (size_t r = 0; r < rows; r++) {
        const double value = lash_study_table_number(p->table, r, p->y);
        if (isfinite(value))
            values[count++] = value * axis.factor;
    }
    qsort(values, count, sizeof *values, compare);
    lash_status status = LASH_OK;
    if (count < 2 || !(values[count - 1] > values[0])) {
        status = lashi_talk_fail(LASH_ERROR_USAGE, "a distribution needs two different values or more");
    } else {
        // Freedman and Diaconis (1981): width 2 IQR/n^(1/3).
        const double range = values[count - 1] - values[0],
                     quartiles =
                         values[3 * count / 4 < count ? 3 * count / 4 : count - 1] - values[count / 4],
                     wanted =
                         quartiles > 0 ? range * cbrt((double)count) / (2 * quartiles) : sqrt((double)count);
        const size_t bins = wanted < 1 ? 1 : wanted > MOST_BINS ? MOST_BINS : (size_t)ceil(wanted);
        const double width = range / (double)bins;
        size_t most = 0;
        for (size_t b = 0, i = 0, from; b < bins; b++) {
            for (from = i; i < count && (b + 1 == bins || values[i] < values[0] + (double)(b + 1) * width);
                 i++)
                ;
            most = i - from > most ? i - from : most;
        }
        put_study_title(stream, p);
        lashi_axis_label_words(stream, 'x', lash_study_table_column(p->table, p->y).name, axis.unit);
        fprintf(
            stream,
            "set ylabel 'samples'\nset y2label 'share below (%%)'\nset ytics nomirror\nset y2tics 0,25,100\n"
            "set y2range [0:%.9g]\nset yrange [0:%.9g]\nset xrange [%.9g:%.9g]\nset style fill solid "
            "0.45\nunset "
            "key\n",
            100 * HEADROOM, HEADROOM * (double)most, values[0] - 0.5 * width,
            values[count - 1] + 0.5 * width);
        put_quantiles(stream, p, &axis, values[0] + 0.8 * range);
        fputs("$bins << END\n", stream);
        for (size_t b = 0, i = 0; b < bins; b++) {
            const double end = b + 1 < bins ? values[0] + (double)(b + 1) * width : INFINITY;
            size_t in = 0;
            for (; i < count && values[i] < end; i++)
                in++;
            fprintf(stream, "%.9g %zu %.9g\n", values[0] + ((double)b + 0.5) * width, in, width);
        }
        fputs("END\n$share << END\n", stream);
        for (size_t i = 0; i < count; i++)
            fprintf(stream, "%.9g %.9g\n", values[i], 100 * (double)(i + 1) / (double)count);
        fprintf(stream,
                "END\nplot $bins using 1:2:3 with boxes lc rgb '%s', $share using 1:2 axes x1y2 with steps "
                "lw 1.6 lc "
                "rgb '%s'\n",
                lashi_gnuplot_colour(0), lashi_gnuplot_colour(1));
    }
    free(values);
    return status;
}

// ---- lives

/* The metric that is drawn: --y, or the first one. For studies in which all parameters are drawn at random.
 * */
static lash_status choose_weibull(plot *p) {
    return take_column(&p->y, p, p->figure->y, nth_column(p->table, LASH_COLUMN_METRIC, 0), "metric");
}

/* Ranks on Weibull's paper: F = (i − 0.3)/(n + 0.4), ln(−ln(1 − F)) over ln x, and the straight line through
 * them, ln(−ln(1 − F)) = β (ln x − ln η), by least squares of ln x, since the ranks are given. */
static lash_status write_weibull(FILE *stream, const plot *p) {
    const size_t rows = lash_study_table_rows(p->table);
    size_t n = 0;
    double *x = calloc(rows + 1, sizeof *x), sums[5] = {0};
    for (size_t r = 0; x && r < rows; r++) {
        const double value = lash_study_table_number(p->table, r, p->y);
        if (isfinite(value) && value > 0)
            x[n++] = value;
    }
    if (!x || n < 3) {
        free(x);
        return x ? lashi_talk_fail(LASH_ERROR_USAGE, "a Weibull plot needs three values above zero or more")
                 : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    }
    qsort(x, n, sizeof *x, compare);
    fputs("$ranks << END\n", stream);
    for (size_t i = 0; i < n; i++) {
        const double F = ((double)i + 0.7) / ((double)n + 0.4), u = log(-log(1 - F)), v = log(x[i]);
        const double terms[5] = {1, u, v, u * u, u * v};
        for (int k = 0; k < 5; k++)
            sums[k] += terms[k];
        fprintf(stream, "%.9g %.9g\n", x[i], u);
    }
    fputs("END\n", stream);
    const double spread = sums[0] * sums[3] - sums[1] * sums[1],
                 inverse = (sums[0] * sums[4] - sums[1] * sums[2]) / spread, // 1/β
        scale = exp((sums[2] - inverse * sums[1]) / sums[0]);
    put_study_title(stream, p);
    const lash_study_column column = lash_study_table_column(p->table, p->y);
    const bool lives = strncmp(column.name, "life", strlen("life")) == 0;
    lashi_axis_label_words(stream, 'x', column.name, column.unit);
    lashi_axis_label_words(stream, 'y', lives ? "failed" : "share below", "%");
    fputs("set logscale x\nset ytics (", stream);
    static const double percent[] = {1, 2, 5, 10, 20, 50, 80, 90, 95, 99};
    for (size_t i = 0; i < sizeof percent / sizeof *percent; i++)
        fprintf(stream, "%s'%g' %.6g", i ? ", " : "", percent[i], log(-log(1 - percent[i] / 100)));
    const double width = x[n - 1] > x[0] ? x[n - 1] / x[0] : 2;
    fprintf(stream, ")\nset yrange [%.6g:%.6g]\nset xrange [%.9g:%.9g]\nset key bottom right\n",
            fmin(log(-log(1 - 0.5 / (double)n)) - 0.5, log(-log(0.95))), log(-log(0.005)),
            x[0] / pow(width, 0.15), x[n - 1] * pow(width, 0.15));
    put_log_ticks(stream, 'x', x[0] / pow(width, 0.15), x[n - 1] * pow(width, 0.15));
    fprintf(stream,
            "plot $ranks using 1:2 with points pt 7 ps 0.6 lc rgb '%s' title '%zu %s', "
            "(log(x) - %.12g)*%.12g with lines lw 1.4 lc rgb '%s' title 'Weibull: shape %.3g, scale %.4g%s",
            lashi_gnuplot_colour(0), n, lives ? "lives" : "samples", log(scale), 1 / inverse,
            lashi_gnuplot_colour(1), 1 / inverse, scale, *column.unit ? " " : "");
    lashi_gnuplot_text(stream, column.unit, LASHI_NAME);
    fputs("'\n", stream);
    free(x);
    return LASH_OK;
}

// ---- the table of figures

static const struct {
    const char *name, *brief;
} kinds[] = {{"curve", "a metric over an axis"},
             {"map", "a metric over two axes"},
             {"distribution", "a metric over the samples: histogram and cumulative share"},
             {"bifurcation", "kept cuts of the section over an axis"},
             {"lyapunov", "the largest Lyapunov exponent over an axis"},
             {"waterfall", "spectra of kept cuts, one above the other along an axis"},
             {"weibull", "a metric of drawn points, such as life, by rank"}};
enum { CURVE, MAP, DISTRIBUTION, BIFURCATION, LYAPUNOV, WATERFALL, WEIBULL, KINDS };

static const char *kind_name(const void *list, size_t index) {
    (void)list;
    return index < KINDS ? kinds[index].name : index == KINDS ? "list" : NULL;
}

static lash_status check_kind(const char *what) {
    for (size_t i = 0; what && i < KINDS; i++)
        if (strcmp(kinds[i].name, what) == 0)
            return LASH_OK;
    if (!what)
        return LASH_OK;
    const char *nearest = lashi_options_nearest(what, kind_name, NULL);
    return lashi_talk_fail(LASH_ERROR_USAGE, "a study has no figure '%s'%s%s%s", what,
                           nearest ? "; did you mean '" : ", `--what list` shows them",
                           nearest ? nearest : "", nearest ? "'?" : "");
}

void lashi_list_study_figures(FILE *stream, const lash_study_table *table) {
    const char *section = lash_study_table_about(table, "section");
    const bool axis = nth_column(table, LASH_COLUMN_AXIS, 0) != SIZE_MAX,
               metric = nth_column(table, LASH_COLUMN_METRIC, 0) != SIZE_MAX;
    const char *samples = lash_study_table_about(table, "samples");
    const bool fits[KINDS] = {axis && metric,
                              metric && nth_column(table, LASH_COLUMN_AXIS, 1) != SIZE_MAX,
                              metric && samples && strcmp(samples, "0") != 0,
                              axis && section && *section,
                              axis && find_column(table, EXPONENT) != SIZE_MAX,
                              axis && section && *section,
                              metric && samples && strcmp(samples, "0") != 0};
    for (size_t i = 0; i < KINDS; i++)
        if (fits[i])
            fprintf(stream, "%-12s %s\n", kinds[i].name, kinds[i].brief);
}

lash_status lashi_plot_study(const lash_study_table *table, const lashi_study_figure *figure) {
    plot p = {.table = table, .figure = figure, .error = SIZE_MAX};
    lashi_gnuplot script = {0};
    char section[LASHI_OBJECT];
    const bool map = figure->what && strcmp(figure->what, kinds[MAP].name) == 0,
               waterfall = figure->what && strcmp(figure->what, kinds[WATERFALL].name) == 0,
               distribution = figure->what && strcmp(figure->what, kinds[DISTRIBUTION].name) == 0,
               weibull = figure->what && strcmp(figure->what, kinds[WEIBULL].name) == 0;
    lash_status status = check_kind(figure->what);
    if (!status && figure->z && !map)
        status = lashi_talk_fail(LASH_ERROR_USAGE, "--z is for --what map");
    if (!status)
        status = lashi_gnuplot_check(figure->picture);
    if (!status)
        status = map            ? choose_map(&p)
                 : distribution ? choose_distribution(&p)
                 : weibull      ? choose_weibull(&p)
                                : choose_curves(&p, section);
    if (!status)
        status = lashi_gnuplot_begin(&script, figure->picture, figure->width, figure->height);
    if (!status && map)
        status = write_map(script.stream, &p);
    else if (!status && waterfall)
        status = write_waterfall(script.stream, &p);
    else if (!status && distribution)
        status = write_distribution(script.stream, &p);
    else if (!status && weibull)
        status = write_weibull(script.stream, &p);
    else if (!status)
        write_curves(script.stream, &p);
    status = lashi_gnuplot_end(&script, status, figure->script);
    free(p.cuts);
    free(p.cut_rows);
    free(p.series);
    free(p.first);
    return status;
}
