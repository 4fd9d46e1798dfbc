/* SPDX-License-Identifier: MIT
 *
 * Rows of a result by channel: the window that is drawn, and the columns that a preset asks for.
 *
 * A result may be larger than the memory: only the wanted columns are kept. The window is found by bisection,
 * since time rises, and the angle of a drive that turns steadily with it.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "cli/rows.h"
#include "cli/talk.h"
#include "lash/quantity.h"

enum { LOOKS = 64 };
/* A body that turns slower than this, in rad/s, does not turn: it is the noise of the constraints. */
static const double STANDS_STILL = 1e-6;
/* Of the fastest body: a body that is slower stands still, too. */
static const double ROUNDING = 1e-6;

static lash_status out_of_memory(void) {
    return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

// ---- names

static const char *column_name(const void *plot, size_t index) {
    return lash_result_column_name(((const lashi_plot *)plot)->result, index);
}

size_t lashi_plot_find(const lashi_plot *plot, const char *name) {
    for (size_t i = 0; i < plot->width; i++)
        if (strcmp(column_name(plot, i), name) == 0)
            return i;
    return LASHI_NONE;
}

size_t lashi_plot_find_of(const lashi_plot *plot, const char *object, const char *quantity) {
    const size_t length = strlen(object);
    for (size_t i = 0; i < plot->width; i++) {
        const char *name = column_name(plot, i);
        if (strncmp(name, object, length) == 0 && name[length] == '.' &&
            strcmp(name + length + 1, quantity) == 0)
            return i;
    }
    return LASHI_NONE;
}

lash_status lashi_plot_channel(size_t *column, const lashi_plot *plot, const char *name) {
    *column = lashi_plot_find(plot, name);
    if (*column != LASHI_NONE)
        return LASH_OK;
    const char *nearest = lash_channel_nearest(name, column_name, plot);
    return nearest ? lashi_talk_usage(plot->command, "'%s' has no channel '%s'; did you mean '%s'?",
                                      plot->path, name, nearest)
                   : lashi_talk_usage(plot->command, "'%s' has no channel '%s'", plot->path, name);
}

/* Columns that a pattern chooses, at the end of the list unless they are in it. */
static lash_status take(size_t *out, size_t *count, size_t most, const lashi_plot *plot,
                        const char *pattern) {
    size_t column, matches = 0;
    for (size_t i = 1; i < plot->width; i++) {
        bool seen = fnmatch(pattern, column_name(plot, i), 0) != 0;
        matches += !seen;
        for (size_t k = 0; k < *count; k++)
            seen = seen || out[k] == i;
        if (!seen && *count == most)
            return lashi_talk_usage(plot->command, "there would be more than %zu curves in one figure", most);
        if (!seen)
            out[(*count)++] = i;
    }
    return matches ? LASH_OK : lashi_plot_channel(&column, plot, pattern);
}

lash_status lashi_plot_channels(size_t *out, size_t *count, size_t most, const lashi_plot *plot,
                                const char *list) {
    lash_status status = LASH_OK;
    char *copy = strdup(list), *rest = copy, *word;
    *count = 0;
    if (!copy)
        return out_of_memory();
    while (!status && (word = strsep(&rest, ",")) != NULL) {
        word += strspn(word, " ");
        for (size_t n = strlen(word); n > 0 && word[n - 1] == ' '; n--)
            word[n - 1] = '\0';
        status = take(out, count, most, plot, word);
    }
    free(copy);
    return status;
}

bool lashi_plot_object(char out[LASHI_OBJECT], const lashi_plot *plot, const char *quantity, size_t index) {
    for (size_t i = 0; i < plot->width; i++) {
        const char *name = column_name(plot, i), *dot = strrchr(name, '.');
        if (strncmp(name, "energy.", 7) == 0 || strncmp(name, "constraint.", 11) == 0)
            continue; // of the whole, of no object
        if (!dot || strcmp(dot + 1, quantity) != 0 || dot - name >= LASHI_OBJECT || index-- > 0)
            continue;
        memcpy(out, name, (size_t)(dot - name));
        out[dot - name] = '\0';
        return true;
    }
    return false;
}

lash_status lashi_plot_joint(char out[LASHI_OBJECT], const lashi_plot *plot, const char *quantity) {
    char name[2 * LASHI_OBJECT];
    size_t column;
    if (!plot->joint)
        return lashi_plot_object(out, plot, quantity, 0)
                   ? LASH_OK
                   : lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has no channel .%s", plot->path, quantity);
    snprintf(name, sizeof name, "%.*s.%s", LASHI_OBJECT - 1, plot->joint, quantity);
    snprintf(out, LASHI_OBJECT, "%s", plot->joint);
    if (lashi_plot_find(plot, name) == LASHI_NONE && lashi_plot_is_ideal(plot, plot->joint))
        return lashi_talk_fail(LASH_ERROR_USAGE, "joint '%s' has no play in '%s': it is ideal", plot->joint,
                               plot->path);
    return lashi_plot_channel(&column, plot, name);
}

// ---- opening

static lash_status read_rows(double *values, lashi_plot *plot, size_t first, size_t count) {
    lash_error error = {.time = (double)NAN};
    const lash_status status = lash_result_read(values, plot->result, plot->stream, first, count, &error);
    if (status)
        lashi_talk_error(&error);
    return status;
}

/* A drive is what has a power, a torque and an angle; a force element has a rate as well. */
static size_t find_drive(const lashi_plot *plot) {
    char object[LASHI_OBJECT];
    for (size_t i = 0; lashi_plot_object(object, plot, "power", i); i++)
        if (lashi_plot_find_of(plot, object, "torque") != LASHI_NONE &&
            lashi_plot_find_of(plot, object, "rate") == LASHI_NONE &&
            lashi_plot_find_of(plot, object, "angle") != LASHI_NONE)
            return lashi_plot_find_of(plot, object, "angle");
    return LASHI_NONE;
}

lash_status lashi_plot_open(lashi_plot *out, const lashi_command *command, const char *path) {
    lash_error error = {.time = (double)NAN};
    *out = (lashi_plot){.command = command, .path = path, .drive_sign = 1};
    const lash_status status = lash_result_open(&out->result, path, &error);
    if (status) {
        lashi_talk_error(&error);
        return status;
    }
    out->width = lash_result_column_count(out->result);
    const char *title = lash_result_text(out->result, "title");
    out->title = title ? title : "";
    out->columns = calloc(out->width + 1, sizeof *out->columns);
    out->drive = find_drive(out);
    return out->columns ? LASH_OK : out_of_memory();
}

void lashi_plot_close(lashi_plot *plot) {
    for (size_t i = 0; plot->columns && i < plot->width; i++)
        free(plot->columns[i]);
    free(plot->columns);
    free(plot->events);
    lash_result_close(plot->result);
    *plot = (lashi_plot){0};
}

lash_status lashi_plot_events(lashi_plot *plot) {
    const size_t count = lash_result_event_count(plot->result);
    lash_error error = {.time = (double)NAN};
    plot->events = calloc(count + 1, sizeof *plot->events);
    if (!plot->events)
        return out_of_memory();
    const lash_status status = lash_result_read_events(plot->events, plot->result, &error);
    if (status)
        lashi_talk_error(&error);
    else
        plot->event_count = count;
    return status;
}

// ---- the window

/* What an end of the window is compared with: time, or the drive's angle from its start. */
static double place(const lashi_plot *plot, const double *row, bool angle) {
    return angle ? plot->drive_sign * (row[plot->drive] - plot->drive_start) : row[0];
}

/* The first of `rows` rows whose place is not below the limit (`above`: lies above it). */
static lash_status bisect(size_t *out, lashi_plot *plot, double *row, size_t rows, lashi_limit limit,
                          bool above) {
    size_t low = 0, high = rows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const lash_status status = read_rows(row, plot, middle, 1);
        if (status)
            return status;
        const double at = place(plot, row, limit.angle);
        // Limits are written in decimals: rows within rounding of them are included.
        const double slack = 1e-9 * fabs(limit.value);
        if (above ? at > limit.value + slack : at >= limit.value - slack)
            high = middle;
        else
            low = middle + 1;
    }
    *out = low;
    return LASH_OK;
}

static lash_status choose_window(lashi_plot *plot, double *row, size_t rows, lashi_limit from,
                                 lashi_limit to) {
    size_t last = rows;
    lash_status status = LASH_OK;
    if ((from.angle || to.angle) && plot->drive == LASHI_NONE)
        return lashi_talk_fail(LASH_ERROR_USAGE,
                               "'%s' has no drive that turns, or its angle was not recorded; give --from and "
                               "--to as times",
                               plot->path);
    plot->first = 0;
    if (!isnan(from.value))
        status = bisect(&plot->first, plot, row, rows, from, false);
    if (!status && !isnan(to.value))
        status = bisect(&last, plot, row, rows, to, true);
    plot->rows = last > plot->first ? last - plot->first : 0;
    if (!status && from.angle == to.angle && from.value > to.value)
        return lashi_talk_fail(LASH_ERROR_USAGE, "--from is after --to: nothing lies between them");
    if (!status && rows && plot->first == rows)
        return lashi_talk_fail(LASH_ERROR_USAGE, "'%s' ends before the window begins: give an earlier --from",
                               plot->path);
    if (!status && plot->rows < 2)
        status = lashi_talk_fail(LASH_ERROR_USAGE,
                                 "%zu of the %zu rows of '%s' %s between --from and --to: widen the "
                                 "window, or record more rows, `lash run` with --samples N or --steps",
                                 plot->rows, rows, plot->path, plot->rows == 1 ? "lies" : "lie");
    lashi_rows all;
    if (!status)
        status = lashi_rows_open(&all, plot->result, plot->stream, plot->first, plot->rows, plot->peaks);
    if (!status) {
        plot->count = all.count;
        lashi_rows_close(&all);
    }
    return status;
}

/* A time, or an angle of the first drive: "20 ms", "3 rev". */
static lash_status parse_limit(lashi_limit *out, const lashi_arguments *arguments, const char *option) {
    const char *text = lashi_option_value(arguments, option);
    *out = (lashi_limit){.value = (double)NAN};
    if (!text || lash_quantity_read(&out->value, text, "s", NULL) == LASH_OK)
        return LASH_OK;
    out->angle = true;
    if (lash_quantity_read(&out->value, text, "rad", NULL) == LASH_OK)
        return LASH_OK;
    return lashi_talk_usage(arguments->command,
                            "--%s is a time or an angle of the drive, as in \"3 rev\"; not '%s'", option,
                            text);
}

/* s, where the transient of the run ends; NaN: it has none. */
static double find_discard(const lashi_plot *plot) {
    const char *summary = lash_result_text(plot->result, "summary"),
               *line = summary ? strstr(summary, "\ndiscard = ") : NULL;
    return line ? strtod(line + strlen("\ndiscard = "), NULL) : (double)NAN;
}

lash_status lashi_plot_window(lashi_limit *from, lashi_limit *to, const lashi_plot *plot,
                              const lashi_arguments *arguments) {
    lash_status status = parse_limit(from, arguments, "from");
    if (!status)
        status = parse_limit(to, arguments, "to");
    if (!status && !lashi_option_given(arguments, "from"))
        from->value = find_discard(plot);
    return status;
}

static lash_status choose_stream(lashi_plot *plot, const char *name, bool steps) {
    const size_t sampled = lash_result_row_count(plot->result, LASH_STREAM_SAMPLES),
                 stepped = lash_result_row_count(plot->result, LASH_STREAM_STEPS);
    if (name && strcmp(name, "samples") != 0 && strcmp(name, "steps") != 0)
        return lashi_talk_usage(plot->command, "--stream is samples or steps, not '%s'", name);
    plot->peaks = !name && !plot->even;
    const bool rather_steps = plot->even ? sampled < 2 : steps || stepped > sampled;
    plot->stream = (name ? strcmp(name, "steps") == 0 : stepped && rather_steps) ? LASH_STREAM_STEPS
                                                                                 : LASH_STREAM_SAMPLES;
    const size_t rows = lash_result_row_count(plot->result, plot->stream);
    return rows > 1
               ? LASH_OK
               : lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has %s%s", plot->path, rows ? "a single row" : "no ",
                                 rows   ? ""
                                 : name ? name
                                        : "rows");
}

lash_status lashi_plot_choose_rows(lashi_plot *plot, const char *stream, bool steps, lashi_limit from,
                                   lashi_limit to) {
    lash_status status = choose_stream(plot, stream, steps);
    double *row = status ? NULL : calloc(plot->width, sizeof *row);
    if (status || !row)
        return status ? status : out_of_memory();
    const size_t rows = lash_result_row_count(plot->result, plot->stream);
    status = read_rows(row, plot, 0, 1);
    if (!status && plot->drive != LASHI_NONE) {
        plot->drive_start = row[plot->drive];
        status = read_rows(row, plot, rows - 1, 1);
        plot->drive_sign = row[plot->drive] < plot->drive_start ? -1 : 1;
    }
    if (!status)
        status = choose_window(plot, row, rows, from, to);
    free(row);
    return status;
}

// ---- columns

lash_status lashi_plot_load(lashi_plot *plot, const size_t *columns, size_t count) {
    bool any = false;
    lash_status status = LASH_OK;
    bool *fresh = calloc(plot->width, sizeof *fresh);
    if (!fresh)
        return out_of_memory();
    for (size_t k = 0; !status && k < count; k++) {
        const size_t c = columns[k];
        if (c == LASHI_NONE || plot->columns[c])
            continue;
        plot->columns[c] = calloc(plot->count, sizeof **plot->columns);
        any = fresh[c] = true;
        if (!plot->columns[c])
            status = out_of_memory();
    }
    lashi_rows rows = {0};
    if (!status && any)
        status = lashi_rows_open(&rows, plot->result, plot->stream, plot->first, plot->rows, plot->peaks);
    for (size_t i = 0; !status && i < rows.count; i++) {
        const double *row;
        status = lashi_rows_next(&row, &rows);
        for (size_t c = 0; !status && c < plot->width; c++)
            if (fresh[c])
                plot->columns[c][i] = row[c];
    }
    lashi_rows_close(&rows);
    free(fresh);
    return status;
}

/* Of the largest component: a smaller one counts as none. */
static const double FLAT = 1e-3;

size_t lashi_plot_normal(const lashi_plot *plot, const size_t columns[3]) {
    double reach[3] = {0}, most = 0;
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; columns[k] != LASHI_NONE && i < plot->count; i++)
            reach[k] = fmax(reach[k], fabs(plot->columns[columns[k]][i]));
        most = fmax(most, reach[k]);
    }
    for (size_t k = 3; k-- > 0;)
        if (reach[k] <= FLAT * most)
            return k;
    return LASHI_NONE;
}

// ---- motions

/* Coordinates of bodies and joints, their rates and second rates. */
static const char *const motions[][3] = {
    {"x", "vx", "ax"},         {"y", "vy", "ay"},         {"z", "vz", "az"},
    {"s", "sdot", ""},         {"angle", "wz", "alphaz"}, {"e", "edot", ""},
    {"delta", "deltadot", ""}, {"", "wx", "alphax"},      {"", "wy", "alphay"}};
enum { MOTIONS = sizeof motions / sizeof *motions };

size_t lashi_plot_rate(const lashi_plot *plot, size_t column) {
    char object[LASHI_OBJECT];
    const char *name = column_name(plot, column), *dot = strrchr(name, '.');
    if (!dot || dot - name >= LASHI_OBJECT)
        return LASHI_NONE;
    memcpy(object, name, (size_t)(dot - name));
    object[dot - name] = '\0';
    for (size_t m = 0; m < MOTIONS; m++)
        for (size_t k = 0; k < 2; k++)
            if (strcmp(dot + 1, motions[m][k]) == 0 && motions[m][k + 1][0])
                return lashi_plot_find_of(plot, object, motions[m][k + 1]);
    return LASHI_NONE;
}

/* The largest size of a column in rows spread over the window. */
static lash_status look(double *largest, lashi_plot *plot, double *row) {
    for (size_t c = 0; c < plot->width; c++)
        largest[c] = 0;
    for (size_t k = 0; k < LOOKS; k++) {
        const size_t at = plot->first + (plot->rows - 1) * k / (LOOKS - 1);
        const lash_status status = read_rows(row, plot, at, 1);
        if (status)
            return status;
        for (size_t c = 0; c < plot->width; c++)
            largest[c] = fmax(largest[c], fabs(row[c]));
    }
    return LASH_OK;
}

static double speed(const lashi_plot *plot, const double *largest, const char *object, size_t motion) {
    const size_t column = lashi_plot_find_of(plot, object, motions[motion][1]);
    return column == LASHI_NONE ? 0 : largest[column];
}

static void take_motion(size_t out[3], const lashi_plot *plot, const char *object, size_t motion) {
    for (size_t k = 0; k < 3; k++)
        out[k] = motions[motion][k][0] ? lashi_plot_find_of(plot, object, motions[motion][k]) : LASHI_NONE;
}

/* The fastest of some motions of an object. */
static size_t fastest(const lashi_plot *plot, const double *largest, const char *object, const size_t *list,
                      size_t count) {
    size_t best = list[0];
    for (size_t i = 1; i < count; i++)
        best = speed(plot, largest, object, list[i]) > speed(plot, largest, object, best) ? list[i] : best;
    return best;
}

static double fastest_of(const lashi_plot *plot, const double *largest, const char *object,
                         const size_t *list, size_t count) {
    return speed(plot, largest, object, fastest(plot, largest, object, list, count));
}

lash_status lashi_plot_main_motion(size_t out[3], lashi_plot *plot) {
    static const size_t straight[] = {0, 1, 2}, turns[] = {4, 7, 8}; // in the list above
    char object[LASHI_OBJECT];
    out[0] = out[1] = out[2] = LASHI_NONE;
    double *row = calloc(plot->width, sizeof *row), *largest = calloc(plot->width, sizeof *largest);
    lash_status status = row && largest ? look(largest, plot, row) : out_of_memory();
    bool found = status != LASH_OK;
    double least_along = 0, least_about = 0; // what is slower is rounding
    for (size_t i = 0; !found && lashi_plot_object(object, plot, "vx", i); i++)
        least_along = fmax(least_along, ROUNDING * fastest_of(plot, largest, object, straight, 3));
    for (size_t i = 0; !found && lashi_plot_object(object, plot, "alphaz", i); i++)
        least_about = fmax(least_about, ROUNDING * fastest_of(plot, largest, object, turns, 3));
    for (size_t i = 0; !found && lashi_plot_object(object, plot, "vx", i); i++) {
        const double along = fastest_of(plot, largest, object, straight, 3);
        found =
            fastest_of(plot, largest, object, turns, 3) < STANDS_STILL && along > 0 && along >= least_along;
        if (found)
            take_motion(out, plot, object, fastest(plot, largest, object, straight, 3));
    }
    // Driven bodies follow their drive: the last one is the output of a four-bar, the first a pendulum.
    for (size_t i = 0; !found && lashi_plot_object(object, plot, "alphaz", i); i++)
        if (fastest_of(plot, largest, object, turns, 3) >= least_about &&
            (out[1] == LASHI_NONE || plot->drive != LASHI_NONE))
            take_motion(out, plot, object, fastest(plot, largest, object, turns, 3));
    found = found || out[1] != LASHI_NONE;
    for (size_t m = 0; !found && m < MOTIONS; m++)
        if (motions[m][0][0] && lashi_plot_object(object, plot, motions[m][0], 0)) {
            found = true;
            take_motion(out, plot, object, m);
        }
    free(row);
    free(largest);
    return status;
}
