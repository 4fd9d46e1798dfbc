/* SPDX-License-Identifier: MIT
 *
 * lash study plot: a metric against an axis, or the cuts of trajectories against it (a bifurcation diagram).
 *
 * gnuplot draws, as a child that reads its commands from a pipe and writes the picture to the output. Names
 * are the users' own: they go into single quotes, where gnuplot expands nothing, with quotes doubled and
 * control characters as blanks. Colours: M. Okabe, K. Ito, Color universal design, 2008 (without its yellow,
 * which is too light on white); symbols differ too.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/study_table.h"
#include "cli/talk.h"

extern char **environ;

/* An axis whose largest value is so many times its smallest is drawn with a logarithmic scale. */
static const double LOGARITHMIC = 30;
/* m: lengths below are drawn in mm. */
static const double LARGEST_IN_MM = 1;
enum { MOST_SERIES = 12, FEW_CUTS = 500 };

static const char *const colours[] = {"#000000", "#E69F00", "#56B4E9", "#009E73",
                                      "#0072B2", "#D55E00", "#CC79A7"};
enum { COLOURS = sizeof colours / sizeof *colours };

/* Numbers are drawn times the factor, in the unit. */
typedef struct scale {
    const char *unit;
    double factor;
} scale;

/* What is drawn: y of a row of the table (cuts NULL), or of cuts. */
typedef struct plot {
    const lash_study_table *table;
    size_t x, y; /* columns; y SIZE_MAX: cuts */
    const char *y_name;
    scale x_scale, y_scale;
    double *cuts;
    size_t *cut_rows, cut_count;
    size_t *series; /* [rows] number of the row's curve */
    size_t *first;  /* [series_count] a row of it */
    size_t series_count;
} plot;

// ---- choosing

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
                                   "there would be more than %d curves, one for each setting of the other "
                                   "axes; `lash study export` gives the numbers to other programs",
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

static void choose_unit(scale *s, double largest, const char *unit) {
    const bool small = strcmp(unit, "m") == 0 && largest < LARGEST_IN_MM;
    *s = (scale){small ? "mm" : unit, small ? 1000 : 1};
}

/* Units as people read them: plays of 5e-05 m are 0.05 mm. */
static lash_status choose_units(plot *p) {
    double x = 0, y = 0;
    char *name = NULL;
    const char *unit = NULL;
    for (size_t r = 0; r < lash_study_table_rows(p->table); r++) {
        x = fmax(x, fabs(lash_study_table_number(p->table, r, p->x)));
        if (!p->cuts)
            y = fmax(y, fabs(lash_study_table_number(p->table, r, p->y)));
    }
    for (size_t i = 0; p->cuts && i < p->cut_count; i++)
        y = fmax(y, fabs(p->cuts[i]));
    choose_unit(&p->x_scale, x, lash_study_table_column(p->table, p->x).unit);
    if (!p->cuts)
        unit = lash_study_table_column(p->table, p->y).unit;
    else if (asprintf(&name, "unit of %s", p->y_name) < 0)
        return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    else
        unit = lash_study_table_about(p->table, name);
    free(name);
    choose_unit(&p->y_scale, y, unit ? unit : "");
    return LASH_OK;
}

static lash_status choose(plot *p, const char *path, const char *x, const char *y) {
    lash_error error = {.time = (double)NAN};
    p->x = find_column(p->table, x);
    p->y = find_column(p->table, y);
    p->y_name = y;
    if (p->x == SIZE_MAX || !has_numbers(p->table, p->x))
        return lashi_talk_fail(LASH_ERROR_USAGE,
                               "'%s' is no column with numbers in '%s'; its first line in "
                               "`lash study show` names them",
                               x, path);
    if (p->y == SIZE_MAX) {
        const lash_status status =
            lash_study_cuts_read(&p->cuts, &p->cut_rows, &p->cut_count, path, y, &error);
        if (status)
            lashi_talk_error(&error);
        else
            find_rows(p);
        return status ? status : sort_into_curves(p);
    }
    if (!has_numbers(p->table, p->y))
        return lashi_talk_fail(LASH_ERROR_USAGE, "column '%s' of '%s' has no numbers", y, path);
    return sort_into_curves(p);
}

// ---- the script

static void put_plain(FILE *stream, const char *text) {
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', stream);
        fputc((unsigned char)*text < ' ' || *text == 127 ? ' ' : *text, stream);
    }
}

static void put_label(FILE *stream, const char *axis, const char *name, const char *unit) {
    fprintf(stream, "set %slabel '", axis);
    put_plain(stream, name);
    if (*unit) {
        fputs(" (", stream);
        put_plain(stream, unit);
        fputc(')', stream);
    }
    fputs("'\n", stream);
}

static void put_title(FILE *stream, const plot *p, size_t row) {
    bool some = false;
    for (size_t c = 0; c < lash_study_table_width(p->table); c++) {
        const lash_study_column column = lash_study_table_column(p->table, c);
        if (c == p->x || column.kind != LASH_COLUMN_AXIS)
            continue;
        fputs(some ? ", " : "", stream);
        put_plain(stream, column.name);
        fputc(' ', stream);
        put_plain(stream, lash_study_table_text(p->table, row, c));
        fputs(*column.unit ? " " : "", stream);
        put_plain(stream, column.unit);
        some = true;
    }
}

static void put_pair(FILE *stream, const plot *p, double x, double y) {
    if (isfinite(x) && isfinite(y))
        fprintf(stream, "%.17g %.17g\n", p->x_scale.factor * x, p->y_scale.factor * y);
}

static void put_data(FILE *stream, const plot *p, size_t series) {
    const size_t rows = lash_study_table_rows(p->table);
    fprintf(stream, "$curve%zu << END\n", series);
    for (size_t i = 0; i < (p->cuts ? p->cut_count : rows); i++) {
        const size_t row = p->cuts ? p->cut_rows[i] : i;
        if (row < rows && p->series[row] == series)
            put_pair(stream, p, lash_study_table_number(p->table, row, p->x),
                     p->cuts ? p->cuts[i] : lash_study_table_number(p->table, row, p->y));
    }
    fputs("END\n", stream);
}

static bool is_logarithmic(const plot *p) {
    double low = INFINITY, high = 0;
    for (size_t r = 0; r < lash_study_table_rows(p->table); r++) {
        low = fmin(low, lash_study_table_number(p->table, r, p->x));
        high = fmax(high, lash_study_table_number(p->table, r, p->x));
    }
    return low > 0 && high >= LOGARITHMIC * low;
}

static void write_script(FILE *stream, const plot *p, const char *terminal) {
    const bool drawn = find_column(p->table, "sample") != SIZE_MAX, points = p->cuts || drawn;
    fprintf(stream,
            "set terminal %s noenhanced\nset grid\nset autoscale fix\nset offsets graph 0.02, graph 0.02, "
            "graph 0.02, graph "
            "0.02\nset key outside below\n",
            terminal);
    fputs("set title '", stream);
    const char *title = lash_study_table_about(p->table, "title");
    put_plain(stream, title ? title : "");
    fputs("'\n", stream);
    put_label(stream, "x", lash_study_table_column(p->table, p->x).name, p->x_scale.unit);
    put_label(stream, "y", p->y_name, p->y_scale.unit);
    if (is_logarithmic(p))
        fputs("set logscale x\n", stream);
    for (size_t s = 0; s < p->series_count; s++)
        put_data(stream, p, s);
    for (size_t s = 0; s < p->series_count; s++) {
        fprintf(stream, "%s$curve%zu using 1:2 with %s lc rgb '%s' pt %zu ps %s title '", s ? ", " : "plot ",
                s, points ? "points" : "linespoints", colours[s % COLOURS], p->cuts ? 7 : 4 + s,
                p->cuts && p->cut_count > FEW_CUTS ? "0.2" : "0.6");
        if (!drawn)
            put_title(stream, p, p->first[s]);
        fputc('\'', stream);
    }
    fputc('\n', stream);
}

// ---- the child

/* gnuplot with a pipe to its standard input and `to` as its standard output. */
static lash_status start(pid_t *child, FILE **script, int to) {
    char *const arguments[] = {"gnuplot", "-", NULL};
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC))
        return lashi_talk_fail(LASH_ERROR_IO, "no pipe: %s", strerror(errno));
    int code = posix_spawn_file_actions_init(&actions);
    if (!code) {
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
        code = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[0]);
    *script = code ? NULL : fdopen(ends[1], "w");
    if (!*script)
        close(ends[1]);
    // Nothing is wrong with files or the command line: the exit code is that of a failed run.
    if (code == ENOENT)
        return lashi_talk_fail(LASH_ERROR_LIMIT,
                               "gnuplot, which draws the plot, is not installed (Debian: gnuplot-nox); `lash "
                               "study export` gives the numbers to other programs");
    return code ? lashi_talk_fail(LASH_ERROR_IO, "gnuplot could not be started: %s", strerror(code))
                : LASH_OK;
}

static lash_status draw(FILE *to, const plot *p, const char *terminal) {
    pid_t child;
    FILE *script;
    int code = 0;
    fflush(to);
    lash_status status = start(&child, &script, fileno(to));
    if (status)
        return status;
    // A child that ends early is seen in its exit code.
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    sigaction(SIGPIPE, &ignore, &before);
    if (script) {
        write_script(script, p, terminal);
        fclose(script);
    }
    sigaction(SIGPIPE, &before, NULL);
    while (waitpid(child, &code, 0) < 0 && errno == EINTR)
        ;
    return script && WIFEXITED(code) && WEXITSTATUS(code) == 0
               ? LASH_OK
               : lashi_talk_fail(LASH_ERROR_IO, "gnuplot failed");
}

static const char *find_terminal(const char *path) {
    static const char *const terminals[][2] = {{".svg", "svg size 800,560 background rgb 'white'"},
                                               {".png", "pngcairo size 1200,840"},
                                               {".pdf", "pdfcairo size 16cm,11cm"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof terminals / sizeof *terminals; i++)
        if (strcmp(dot, terminals[i][0]) == 0)
            return terminals[i][1];
    return NULL;
}

lash_status lashi_plot_study(const lash_study_table *table, const char *path, const char *x, const char *y,
                             const char *picture) {
    const char *terminal = find_terminal(picture);
    if (!terminal)
        return lashi_talk_fail(LASH_ERROR_USAGE, "'%s' should end in .svg, .png or .pdf", picture);
    plot p = {.table = table};
    lashi_output output;
    lash_status status = choose(&p, path, x, y);
    if (!status)
        status = choose_units(&p);
    if (!status && !(status = lashi_output_open(&output, picture))) {
        status = draw(output.stream, &p, terminal);
        const lash_status closed = lashi_output_close(&output, !status);
        status = status ? status : closed;
    }
    free(p.cuts);
    free(p.cut_rows);
    free(p.series);
    free(p.first);
    return status;
}
