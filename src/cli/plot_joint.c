/* SPDX-License-Identifier: MIT
 *
 * What happens in a joint with play: the path of the journal's centre in its clearance circle, and the strip
 * of its modes over time. Modes differ in colour and in symbol or height: free flight, impact, following.
 *
 * Points that would fall on the same dot of the picture are drawn once (a grid of cells), so that a long run
 * makes no larger file than a short one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "cli/talk.h"
#include "lash/system.h"

static const double FLAT = 1e-3; // of the eccentricity, a motion out of the plane that is none
enum { MODES = 3, CELLS = 240, MOST_PATH = 10000, MOST_JOINTS = 8, MOST_SETTINGS = 256 };
static const double BORDER = 1.12; // half width of the picture over what it must show
static const double SLIVER =
    3000; // boxes of the strip are at least this share of its width: hairlines vanish

typedef struct look {
    const char *name, *wet, *colour;
    int point;
    double size;
    double height; /* of the strip */
} look;
static const look looks[MODES] = {{"free flight", "film alone", "#56B4E9", 7, 0.25, 0.25},
                                  {"impact", "first contact", "#D55E00", 9, 0.6, 1.0},
                                  {"following", "contact", "#000000", 5, 0.2, 0.6}};

static const char *mode_name(const lashi_plot *p, const char *joint, size_t mode) {
    const bool wet = joint && lashi_plot_find_of(p, joint, "film") != LASHI_NONE;
    return wet ? looks[mode].wet : looks[mode].name;
}

static size_t mode_of(double value) {
    return value >= 1.5 ? 2 : value >= 0.5 ? 1 : 0;
}

// ---- the clearance circle

/* From the model in the result, with its settings. Tables beside the model file may be gone: no error then.
 */
static double radius_of_model(lashi_plot *p, const char *joint) {
    const char *text = lash_result_text(p->result, "model"), *lines = lash_result_text(p->result, "settings");
    char *copy = strdup(lines ? lines : ""), *rest = copy, *line;
    lash_setting settings[MOST_SETTINGS];
    lash_load_options options = {.settings = settings};
    lash_model *model = NULL;
    lash_system *system = NULL;
    double radius = (double)NAN;
    while (copy && (line = strsep(&rest, "\n")) != NULL && options.setting_count < MOST_SETTINGS) {
        char *equals = strchr(line, '=');
        if (!equals)
            continue;
        *equals = '\0';
        settings[options.setting_count++] = (lash_setting){line, equals + 1};
    }
    if (text && *text && copy && !lash_model_parse(&model, text, strlen(text), p->path, &options, NULL) &&
        !lash_system_compile(&system, model, NULL))
        for (size_t i = 0; i < lash_system_clearance_count(system); i++)
            if (strcmp(lash_system_clearance(system, i).joint, joint) == 0)
                radius = lash_system_clearance(system, i).radial;
    lash_system_destroy(system);
    lash_model_destroy(model);
    free(copy);
    return radius;
}

/* c = e − δ of any row; where these were not recorded, the model knows. NaN: nobody does. */
static double clearance_radius(lashi_plot *p, const char *joint) {
    const size_t e = lashi_plot_find_of(p, joint, "e"), delta = lashi_plot_find_of(p, joint, "delta");
    if (e != LASHI_NONE && delta != LASHI_NONE) {
        const double c = p->columns[e][0] - p->columns[delta][0];
        const double again = p->columns[e][p->count - 1] - p->columns[delta][p->count - 1];
        if (c > 0 && fabs(again - c) < 1e-6 * c)
            return c;
    }
    return radius_of_model(p, joint);
}

// ---- orbit

static const char *no_play(const lashi_plot *p) {
    char joint[LASHI_OBJECT];
    return lashi_plot_object(joint, p, "ex", 0) ? NULL : "a joint with play";
}

/* Points of one mode, each cell of the picture once. */
static void put_points(FILE *stream, const lashi_plot *p, const size_t axes[2], size_t mode_column,
                       size_t mode, double factor, double half) {
    static unsigned char taken[2 * CELLS][2 * CELLS];
    memset(taken, 0, sizeof taken);
    fprintf(stream, "$mode%zu << END\n", mode);
    for (size_t i = 0; i < p->count; i++) {
        const double x = p->columns[axes[0]][i] * factor, y = p->columns[axes[1]][i] * factor;
        if (mode_of(p->columns[mode_column][i]) != mode || !(fabs(x) < half) || !(fabs(y) < half))
            continue;
        unsigned char *cell = &taken[(size_t)((x / half + 1) * CELLS)][(size_t)((y / half + 1) * CELLS)];
        if (!*cell)
            fprintf(stream, "%.7g %.7g\n", x, y);
        *cell = 1;
    }
    fputs("END\n", stream);
}

static void put_circle(FILE *stream, double radius) {
    enum { CORNERS = 180 };
    fputs("$circle << END\n", stream);
    for (int i = 0; i <= CORNERS; i++) {
        const double angle = 2 * 3.14159265358979323846 * i / CORNERS;
        fprintf(stream, "%.7g %.7g\n", radius * cos(angle), radius * sin(angle));
    }
    fputs("END\n", stream);
}

static bool has_mode(const lashi_plot *p, size_t column, size_t mode) {
    for (size_t i = 0; i < p->count; i++)
        if (column != LASHI_NONE && mode_of(p->columns[column][i]) == mode)
            return true;
    return false;
}

/* Points of the path that are `least` apart: after many turns its lines are a tangle, and its points say all.
 */
static bool is_tangle(const lashi_plot *p, const size_t axes[2], double least) {
    const double *x = p->columns[axes[0]], *y = p->columns[axes[1]];
    size_t points = 0, last = 0;
    for (size_t i = 1; i < p->count && points <= MOST_PATH; i++)
        if (hypot(x[i] - x[last], y[i] - y[last]) >= least) {
            points++;
            last = i;
        }
    return points > MOST_PATH;
}

/* One projection. `axis` has the factor and the unit; half is as drawn. */
static void draw_projection(FILE *stream, const lashi_plot *p, const char *joint, const size_t axes[2],
                            size_t mode_column, const lashi_axis *axis, double radius, double half,
                            bool legend) {
    fprintf(stream, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", -half, half, -half, half);
    for (int i = 0; i < 2; i++)
        lashi_axis_label(stream, i ? 'y' : 'x', lash_result_column_name(p->result, axes[i]), axis, false);
    const bool tangle = mode_column != LASHI_NONE && is_tangle(p, axes, half / CELLS / axis->factor);
    lashi_put_path(stream, "path", p->columns[axes[0]], axis, p->columns[axes[1]], axis,
                   tangle ? 1 : p->count, half / CELLS);
    fprintf(stream, "plot $path using 1:2 with lines lw %s",
            mode_column == LASHI_NONE ? "1 lc rgb '#0072B2'" : "0.5 lc rgb '#A0A0A0'");
    if (radius > 0)
        fputs(", $circle using 1:2 with lines lw 1.2 dt 2 lc rgb '#000000'", stream);
    // Impacts last: they are few and what one looks for.
    static const size_t order[MODES] = {0, 2, 1};
    for (size_t k = 0; k < MODES; k++)
        if (has_mode(p, mode_column, order[k]))
            fprintf(stream, ", $mode%zu using 1:2 with points pt %d ps %g lc rgb '%s'", order[k],
                    looks[order[k]].point, looks[order[k]].size, looks[order[k]].colour);
    for (size_t m = 0; legend && mode_column != LASHI_NONE && m < MODES; m++)
        if (has_mode(p, mode_column, m))
            fprintf(stream, ", keyentry with points pt %d ps %g lc rgb '%s' title '%s'", looks[m].point,
                    looks[m].size < 0.5 ? 0.7 : 0.9, looks[m].colour, mode_name(p, joint, m));
    if (legend && radius > 0)
        fprintf(stream, ", keyentry with lines lw 1.2 dt 2 lc rgb '#000000' title 'clearance %.4g %s'",
                radius * axis->factor, axis->unit);
    fputc('\n', stream);
}

/* The joint that is named, or the first whose modes are known: in space an end of a bearing, not its middle.
 */
static lash_status choose_joint(char out[LASHI_OBJECT], const lashi_plot *p) {
    for (size_t i = 0; !p->joint && lashi_plot_object(out, p, "mode", i); i++)
        if (lashi_plot_find_of(p, out, "ex") != LASHI_NONE)
            return LASH_OK;
    return lashi_plot_joint(out, p, "ex");
}

/* Does the journal leave the plane? A joint of a plane mechanism in space does not. */
static bool leaves_plane(const lashi_plot *p, const size_t columns[3]) {
    double in = 0, out = 0;
    for (size_t i = 0; columns[2] != LASHI_NONE && i < p->count; i++) {
        in = fmax(in, hypot(p->columns[columns[0]][i], p->columns[columns[1]][i]));
        out = fmax(out, fabs(p->columns[columns[2]][i]));
    }
    return out > FLAT * in;
}

static lash_status draw_orbit(lashi_plot *p, lashi_gnuplot *script) {
    static const char *const quantities[] = {"ex", "ey", "ez", "mode", "e", "delta"};
    enum { EX, EY, EZ, MODE, E, DELTA, COUNT };
    static const int projections[3][2] = {{EX, EY}, {EX, EZ}, {EY, EZ}};
    FILE *stream = script->stream;
    char joint[LASHI_OBJECT];
    size_t columns[COUNT];
    lash_status status = choose_joint(joint, p);
    for (size_t i = 0; !status && i < COUNT; i++)
        columns[i] = lashi_plot_find_of(p, joint, quantities[i]);
    if (!status && columns[EY] == LASHI_NONE)
        status = lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has no channel '%s.ey'", p->path, joint);
    if (!status)
        status = lashi_plot_load(p, columns, COUNT);
    if (status)
        return status;
    const bool spatial = leaves_plane(p, columns);
    const double radius = clearance_radius(p, joint);
    lashi_axis axis = lashi_axis_of("m");
    for (size_t k = EX; k <= (spatial ? EZ : EY); k++)
        lashi_axis_hold(&axis, p->columns[columns[k]], p->count);
    axis.high = fmax(fmax(fabs(axis.low), fabs(axis.high)), radius > 0 ? radius : 0);
    axis.low = -axis.high;
    lashi_axis_prefix(&axis);
    const double half = BORDER * (axis.high > 0 ? axis.high * axis.factor : 1);
    if (script->height <= 0) {
        script->width = spatial ? 24 : 13;
        script->height = spatial ? 11.5 : 14;
    }
    if (radius > 0)
        put_circle(stream, radius * axis.factor);
    if (!spatial)
        lashi_put_title(stream, p, joint);
    fputs("set size ratio -1\nset format '%g'\n", stream);
    lashi_put_key_above(stream, 4, spatial ? 1 : 2);
    if (spatial) {
        fputs("set multiplot layout 1,3 title '", stream);
        lashi_gnuplot_text(stream, p->title, LASHI_TITLE);
        fputs(": ", stream);
        lashi_gnuplot_text(stream, joint, LASHI_NAME);
        fputs("'\n", stream);
    }
    for (size_t k = 0; k < (spatial ? 3 : 1); k++) {
        const size_t axes[2] = {columns[projections[k][0]], columns[projections[k][1]]};
        for (size_t m = 0; columns[MODE] != LASHI_NONE && m < MODES; m++)
            put_points(stream, p, axes, columns[MODE], m, axis.factor, half);
        draw_projection(stream, p, joint, axes, columns[MODE], &axis, radius, half, k == (spatial ? 1 : 0));
    }
    fputs(spatial ? "unset multiplot\n" : "", stream);
    return LASH_OK;
}

const lashi_preset lashi_preset_orbit = {.name = "orbit",
                                         .brief = "path of the journal's centre in the clearance circle",
                                         .width = 13,
                                         .steps = true,
                                         .lacks = no_play,
                                         .draw = draw_orbit};

// ---- modes

static const char *no_modes(const lashi_plot *p) {
    char joint[LASHI_OBJECT];
    return lashi_plot_object(joint, p, "mode", 0) ? NULL : "the mode of a joint with play";
}

/* Boxes [x0, x1] of a mode, those that nearly touch as one. */
static void put_boxes(FILE *stream, const double *x, double factor, const double *modes, size_t mode,
                      size_t count, double sliver) {
    double begin = (double)NAN, end = (double)NAN;
    for (size_t i = 0; i < count; i++) {
        if (mode_of(modes[i]) != mode)
            continue;
        const double from = x[i] * factor, to = x[i + 1 < count ? i + 1 : i] * factor;
        if (!(from - end < sliver)) { // also before the first
            if (!isnan(begin))
                fprintf(stream, "%.9g %.9g\n", begin, fmax(end, begin + sliver));
            begin = from;
        }
        end = to;
    }
    if (!isnan(begin))
        fprintf(stream, "%.9g %.9g\n", begin, fmax(end, begin + sliver));
}

static lash_status draw_modes(lashi_plot *p, lashi_gnuplot *script) {
    FILE *stream = script->stream;
    char joints[MOST_JOINTS][LASHI_OBJECT];
    size_t columns[MOST_JOINTS], count = 0;
    lashi_abscissa x;
    lash_status status = lashi_abscissa_choose(&x, p);
    if (p->joint && !status) {
        status = lashi_plot_joint(joints[0], p, "mode");
        count = 1;
    }
    while (!p->joint && count < MOST_JOINTS && lashi_plot_object(joints[count], p, "mode", count))
        count++;
    if (status)
        return status;
    for (size_t j = 0; j < count; j++)
        columns[j] = lashi_plot_find_of(p, joints[j], "mode");
    if ((status = lashi_plot_load(p, columns, count)) != LASH_OK)
        return status;
    if (script->height <= 0)
        script->height = 4.2 + 1.3 * (double)count;
    const double sliver = (x.high - x.low) / SLIVER;
    lashi_put_title(stream, p, NULL);
    lashi_abscissa_put(stream, p, &x, true);
    lashi_put_key_above(stream, 3, 3);
    fprintf(stream,
            "set grid noytics\n"
            "set yrange [%g:0.9]\nset ytics scale 0 (",
            0.8 - (double)count);
    for (size_t j = 0; j < count; j++) {
        fputs(j ? ", " : "", stream);
        lashi_gnuplot_quoted(stream, joints[j], LASHI_NAME);
        fprintf(stream, " %g", 0.35 - (double)j);
    }
    fputs(")\n", stream);
    const char *separator = "plot ";
    for (size_t m = 0; m < MODES; m++)
        for (size_t j = 0; j < count; j++) {
            fprintf(stream, "$joint%zumode%zu << END\n", j, m);
            put_boxes(stream, p->columns[x.column], x.factor, p->columns[columns[j]], m, p->count, sliver);
            fputs("END\n", stream);
        }
    for (size_t j = 0; j < count; j++)
        for (size_t m = 0; m < MODES; m++)
            if (has_mode(p, columns[j], m)) {
                fprintf(stream,
                        "%s$joint%zumode%zu using 1:(-%zu):1:2:(-%zu):(%g) with boxxyerror lc rgb '%s'",
                        separator, j, m, j, j, 0.7 * looks[m].height - (double)j, looks[m].colour);
                separator = ", ";
            }
    for (size_t m = 0; m < MODES; m++) {
        bool any = false;
        for (size_t j = 0; j < count; j++)
            any = any || has_mode(p, columns[j], m);
        if (any)
            fprintf(stream, ", keyentry with boxes lc rgb '%s' title '%s'", looks[m].colour,
                    mode_name(p, count == 1 ? joints[0] : NULL, m));
    }
    fputc('\n', stream);
    return LASH_OK;
}

const lashi_preset lashi_preset_modes = {.name = "modes",
                                         .brief = "free flight, impact and following of joints over time",
                                         .width = 16,
                                         .steps = true,
                                         .lacks = no_modes,
                                         .draw = draw_modes};
