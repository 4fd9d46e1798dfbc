/* SPDX-License-Identifier: MIT
 *
 * What happens in a joint with play: the path of the journal's centre in its clearance circle or of a block
 * between the limits of its channel, and the strip of modes over time. Modes differ in colour and in symbol
 * or height: free flight, impact, following.
 *
 * Points that would fall on the same dot of the picture are drawn once (a grid of cells), so that a long run
 * makes no larger file than a short one.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "cli/result_model.h"
#include "cli/talk.h"
#include "lash/scene.h"

enum { MODES = LASHI_MODES, CELLS = 480, MOST_PATH = 10000, MOST_CONTACTS = 16 };
static const double BORDER = 1.12; // half width of the picture over what it must show
static const double SLIVER =
    3000; // boxes of the strip are at least this share of its width: hairlines vanish

typedef struct look {
    const char *name, *wet, *colour;
    int point;
    double size;
    double lane; /* of the strip, from below: lanes do not cover each other where modes change quickly */
} look;
static const look looks[MODES] = {{"free flight", "film alone", "#56B4E9", 7, 0.25, 1},
                                  {"impact", "first contact", "#D55E00", 9, 0.6, 2},
                                  {"following", "contact", "#000000", 5, 0.2, 0}};
static const double LANE = 0.25, LANE_HEIGHT = 0.21; // of the distance of two strips

// ---- modes of a joint

static const char *mode_name(const lashi_plot *p, const char *joint, size_t mode) {
    const bool wet = joint && lashi_plot_find_of(p, joint, "film") != LASHI_NONE;
    return wet ? looks[mode].wet : looks[mode].name;
}

static size_t mode_of(double value) {
    return value >= 1.5 ? 2 : value >= 0.5 ? 1 : 0;
}

static bool has_mode(const double *modes, size_t count, size_t mode) {
    for (size_t i = 0; modes && i < count; i++)
        if (mode_of(modes[i]) == mode)
            return true;
    return false;
}

bool lashi_plot_is_of(const char *contact, const char *joint) {
    const size_t length = strlen(joint);
    return strncmp(contact, joint, length) == 0 && (contact[length] == '\0' || contact[length] == '.');
}

lash_status lashi_plot_modes(double **out, lashi_plot *p, const char *joint, const char *parts) {
    char contact[LASHI_OBJECT], pattern[2 * LASHI_OBJECT];
    snprintf(pattern, sizeof pattern, "%.*s%s%s", LASHI_OBJECT - 1, joint, *parts ? "." : "", parts);
    *out = NULL;
    for (size_t i = 0; lashi_plot_object(contact, p, "mode", i); i++) {
        const size_t column = lashi_plot_find_of(p, contact, "mode");
        if (fnmatch(pattern, contact, 0) != 0)
            continue;
        const lash_status status = lashi_plot_load(p, &column, 1);
        if (!status && !*out)
            *out = calloc(p->count, sizeof **out);
        if (status || !*out)
            return status ? status : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
        for (size_t k = 0; k < p->count; k++)
            (*out)[k] = fmax((*out)[k], p->columns[column][k]);
    }
    return LASH_OK;
}

void lashi_put_mode_points(FILE *stream, const double *x, const lashi_axis *x_axis, const double *y,
                           const lashi_axis *y_axis, const double range[4], const double *modes,
                           size_t count) {
    static unsigned char taken[CELLS][CELLS];
    for (size_t mode = 0; modes && mode < MODES; mode++) {
        memset(taken, 0, sizeof taken);
        fprintf(stream, "$mode%zu << END\n", mode);
        for (size_t i = 0; i < count; i++) {
            const double at[2] = {(x[i] - x_axis->offset) * x_axis->factor,
                                  (y[i] - y_axis->offset) * y_axis->factor};
            const double share[2] = {(at[0] - range[0]) / (range[1] - range[0]),
                                     (at[1] - range[2]) / (range[3] - range[2])};
            if (mode_of(modes[i]) != mode || !(share[0] >= 0 && share[0] < 1) ||
                !(share[1] >= 0 && share[1] < 1))
                continue;
            unsigned char *cell = &taken[(size_t)(share[0] * CELLS)][(size_t)(share[1] * CELLS)];
            if (!*cell)
                fprintf(stream, "%.7g %.7g\n", at[0], at[1]);
            *cell = 1;
        }
        fputs("END\n", stream);
    }
}

void lashi_put_mode_plots(FILE *stream, const lashi_plot *p, const char *joint, const double *modes,
                          bool legend) {
    // Impacts last: they are few and what one looks for.
    static const size_t order[MODES] = {0, 2, 1};
    for (size_t k = 0; k < MODES; k++)
        if (has_mode(modes, p->count, order[k]))
            fprintf(stream, ", $mode%zu using 1:2 with points pt %d ps %g lc rgb '%s'", order[k],
                    looks[order[k]].point, looks[order[k]].size, looks[order[k]].colour);
    for (size_t m = 0; legend && m < MODES; m++)
        if (has_mode(modes, p->count, m))
            fprintf(stream, ", keyentry with points pt %d ps %g lc rgb '%s' title '%s'", looks[m].point,
                    looks[m].size < 0.5 ? 0.7 : 0.9, looks[m].colour, mode_name(p, joint, m));
}

// ---- the limits of the play

/* The play of a joint that is drawn in that way, from the model in the result; false: not known. */
static bool find_play(lash_scene_play *out, const lashi_plot *p, const char *object, const char *drawn) {
    lash_model *model;
    lash_error error = {.time = (double)NAN};
    bool found = false;
    if (lashi_result_model(&model, p->result, p->path, NULL, NULL, &error))
        return false;
    for (size_t j = 0; j < lash_scene_joint_count(model); j++) {
        const lash_scene_joint joint = lash_scene_joint_at(model, j);
        for (size_t k = 0; lashi_plot_is_of(object, joint.name) && k < joint.play_count; k++) {
            const lash_scene_play play = lash_scene_play_at(model, j, k);
            if (strcmp(play.drawn, drawn) == 0) {
                *out = play;
                found = true;
            }
        }
    }
    lash_model_destroy(model);
    return found;
}

bool lashi_plot_is_ideal(const lashi_plot *p, const char *name) {
    lash_model *model;
    lash_error error = {.time = (double)NAN};
    size_t known = 0, plays = 0;
    if (lashi_result_model(&model, p->result, p->path, NULL, NULL, &error))
        return false;
    for (size_t j = 0; j < lash_scene_joint_count(model); j++) {
        const lash_scene_joint joint = lash_scene_joint_at(model, j);
        if (!name || strcmp(joint.name, name) == 0) {
            known++;
            plays += joint.play_count;
        }
    }
    lash_model_destroy(model);
    return known > 0 && plays == 0;
}

/* c = e − δ of any row; where these were not recorded, the model knows. NaN: not known. */
static double clearance_radius(const lashi_plot *p, const char *joint) {
    const size_t e = lashi_plot_find_of(p, joint, "e"), delta = lashi_plot_find_of(p, joint, "delta");
    lash_scene_play play;
    if (e != LASHI_NONE && delta != LASHI_NONE) {
        const double c = p->columns[e][0] - p->columns[delta][0];
        const double again = p->columns[e][p->count - 1] - p->columns[delta][p->count - 1];
        if (c > 0 && fabs(again - c) < 1e-6 * c)
            return c;
    }
    return find_play(&play, p, joint, "circle") ? play.bearing_radius - play.journal_radius : (double)NAN;
}

static void put_circle(FILE *stream, double radius) {
    enum { CORNERS = 180 };
    fputs("$limits << END\n", stream);
    for (int i = 0; i <= CORNERS; i++) {
        const double angle = 2 * 3.14159265358979323846 * i / CORNERS;
        fprintf(stream, "%.7g %.7g\n", radius * cos(angle), radius * sin(angle));
    }
    fputs("END\n", stream);
}

/* The largest offset at a tilt: a corner of the block, L long and h high, is at the wall. */
static double most_offset(const lash_scene_play *play, double tilt) {
    return play->play / 2 - play->length / 2 * sin(fabs(tilt)) + play->height / 2 * (1 - cos(tilt));
}

/* The tilt at which two opposite corners are. */
static double most_tilt(const lash_scene_play *play) {
    double low = 0, high = fmin(2 * play->play / play->length, 1.5);
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(most_offset(play, middle) > 0 ? &low : &high) = middle;
    }
    return low;
}

/* Where corners touch: near to a parallelogram, offset over tilt; in space the rectangle of two offsets,
 * which is reached without tilt. */
static void put_channel(FILE *stream, const lash_scene_play *play, bool sides, const lashi_axis axes[2]) {
    enum { POINTS = 40 };
    fputs("$limits << END\n", stream);
    const double x = play->play / 2 * axes[0].factor, y = play->side_play / 2 * axes[1].factor;
    if (sides)
        fprintf(stream, "%.7g %.7g\n%.7g %.7g\n%.7g %.7g\n%.7g %.7g\n%.7g %.7g\n", x, y, -x, y, -x, -y, x, -y,
                x, y);
    const double tilt = sides ? 0 : most_tilt(play);
    for (int side = 1; !sides && side >= -1; side -= 2)
        for (int i = -POINTS; i <= POINTS; i++) {
            const double t = side * tilt * i / POINTS;
            fprintf(stream, "%.7g %.7g\n", side * most_offset(play, t) * axes[0].factor, t * axes[1].factor);
        }
    fputs("END\n", stream);
}

// ---- orbit

/* What an orbit is made of: a pair of quantities of one joint, and the contacts whose modes it shows. */
static const char *const paths[][3] = {
    {"ex", "ey", "end*"}, {"offset", "side_offset", "corner*"}, {"offset", "tilt", "corner*"}};
enum { PATHS = sizeof paths / sizeof *paths };

static bool has_path(const lashi_plot *p, const char *joint, size_t path) {
    return lashi_plot_find_of(p, joint, paths[path][0]) != LASHI_NONE &&
           lashi_plot_find_of(p, joint, paths[path][1]) != LASHI_NONE;
}

static const char *no_orbit(const lashi_plot *p) {
    char joint[LASHI_OBJECT];
    for (size_t k = 0; k < PATHS; k++)
        for (size_t i = 0; lashi_plot_object(joint, p, paths[k][0], i); i++)
            if (has_path(p, joint, k))
                return NULL;
    return "a pin, a ball or a block with play";
}

/* Points of the path that are apart: after many turns lines would be a tangle, and points show as much. */
static bool is_tangle(const double *x, const double *y, size_t count, const double least[2]) {
    size_t points = 0, last = 0;
    for (size_t i = 1; i < count && points <= MOST_PATH; i++)
        if (hypot((x[i] - x[last]) / least[0], (y[i] - y[last]) / least[1]) >= 1) {
            points++;
            last = i;
        }
    return points > MOST_PATH;
}

/* One projection. The axes have factors and units; half widths are as drawn; `limits`: what $limits are,
 * NULL: none. */
static void draw_path(FILE *stream, const lashi_plot *p, const char *joint, const size_t columns[2],
                      const double *modes, const lashi_axis axes[2], const double half[2], const char *limits,
                      bool legend) {
    const double *x = p->columns[columns[0]], *y = p->columns[columns[1]];
    const double range[4] = {-half[0], half[0], -half[1], half[1]};
    const double least[2] = {2 * half[0] / CELLS / axes[0].factor, 2 * half[1] / CELLS / axes[1].factor};
    fprintf(stream, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", range[0], range[1], range[2],
            range[3]);
    for (int i = 0; i < 2; i++)
        lashi_axis_label(stream, i ? 'y' : 'x', lash_result_column_name(p->result, columns[i]), &axes[i],
                         false);
    lashi_put_mode_points(stream, x, &axes[0], y, &axes[1], range, modes, p->count);
    lashi_put_path(stream, "path", x, &axes[0], y, &axes[1],
                   modes && is_tangle(x, y, p->count, least) ? 1 : p->count,
                   2 * fmin(half[0], half[1]) / CELLS);
    fprintf(stream, "plot $path using 1:2 with lines lw %s",
            modes ? "0.5 lc rgb '#A0A0A0'" : "1 lc rgb '#0072B2'");
    if (limits)
        fputs(", $limits using 1:2 with lines lw 1.2 dt 2 lc rgb '#000000'", stream);
    lashi_put_mode_plots(stream, p, joint, modes, legend);
    if (legend && limits)
        fprintf(stream, ", keyentry with lines lw 1.2 dt 2 lc rgb '#000000' title '%s'", limits);
    fputc('\n', stream);
}

static double reach(const double *values, size_t count, double least) {
    double most = least > 0 ? least : 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

/* A step of ticks for an axis of this half width, whose labels do not meet in a small picture. */
static double wide_step(double half) {
    const double power = pow(10, floor(log10(half))), digit = half / power;
    return power * (digit < 2 ? 1 : digit < 5 ? 2 : 5);
}

/* A journal in its circle; three projections, unless it stays in one plane, as does a pin in space. */
static lash_status draw_circle(lashi_plot *p, lashi_gnuplot *script, const char *joint, const double *modes) {
    static const char *const quantities[] = {"ex", "ey", "ez", "e", "delta"};
    enum { EX, EY, EZ, E, DELTA, COUNT };
    static const int projections[3][2] = {{EX, EY}, {EX, EZ}, {EY, EZ}};
    FILE *stream = script->stream;
    size_t columns[COUNT];
    char words[64];
    for (size_t i = 0; i < COUNT; i++)
        columns[i] = lashi_plot_find_of(p, joint, quantities[i]);
    const lash_status status = lashi_plot_load(p, columns, COUNT);
    if (status)
        return status;
    const size_t normal = lashi_plot_normal(p, columns);
    const bool spatial = normal == LASHI_NONE;
    const double radius = clearance_radius(p, joint);
    lashi_axis axis = lashi_axis_of("m");
    axis.high = radius;
    for (size_t k = EX; k <= EZ; k++)
        if (k != normal)
            axis.high = reach(p->columns[columns[k]], p->count, axis.high);
    axis.low = -axis.high;
    lashi_axis_prefix(&axis);
    const double half = BORDER * (axis.high > 0 ? axis.high * axis.factor : 1);
    const lashi_axis axes[2] = {axis, axis};
    if (script->height <= 0) {
        script->width = spatial ? 24 : 13;
        script->height = spatial ? 10 : 14;
    }
    if (radius > 0)
        put_circle(stream, radius * axis.factor);
    snprintf(words, sizeof words, "clearance %.4g %s", radius * axis.factor, axis.unit);
    if (!spatial)
        lashi_put_title(stream, p, joint);
    fputs("set size ratio -1\nset format '%g'\n", stream);
    lashi_put_key_above(stream, 4, spatial ? 1 : 2);
    if (spatial) {
        fputs("set multiplot layout 1,3 title '", stream);
        lashi_gnuplot_text(stream, p->title, LASHI_TITLE);
        fputs(": ", stream);
        lashi_gnuplot_text(stream, joint, LASHI_NAME);
        fprintf(stream, "'\nset xtics %.9g\nset ytics %.9g\n", wide_step(half), wide_step(half));
    }
    for (size_t k = 0; k < 3; k++)
        if (spatial || k == EZ - normal)
            draw_path(stream, p, joint, (size_t[2]){columns[projections[k][0]], columns[projections[k][1]]},
                      modes, axes, (double[2]){half, half}, radius > 0 ? words : NULL, !spatial || k == 1);
    fputs(spatial ? "unset multiplot\n" : "", stream);
    return LASH_OK;
}

/* A block in its channel: offset and tilt, in space offset and offset to the side. */
static lash_status draw_channel(lashi_plot *p, lashi_gnuplot *script, const char *joint, size_t path,
                                const double *modes) {
    FILE *stream = script->stream;
    lash_scene_play play;
    lashi_axis axes[2];
    size_t columns[2];
    double half[2];
    char words[64];
    for (int i = 0; i < 2; i++)
        columns[i] = lashi_plot_find_of(p, joint, paths[path][i]);
    const lash_status status = lashi_plot_load(p, columns, 2);
    if (status)
        return status;
    const bool known = find_play(&play, p, joint, "channel"),
               sides = strcmp(lash_result_column_unit(p->result, columns[1]), "m") == 0;
    const double limits[2] = {known ? play.play / 2 : 0, !known  ? 0
                                                         : sides ? play.side_play / 2
                                                                 : most_tilt(&play)};
    for (int i = 0; i < 2; i++) {
        axes[i] = lashi_axis_of(lash_result_column_unit(p->result, columns[i]));
        axes[i].high = reach(p->columns[columns[i]], p->count, limits[i]);
        axes[i].low = -axes[i].high;
        lashi_axis_prefix(&axes[i]);
        half[i] = BORDER * (axes[i].high > 0 ? axes[i].high * axes[i].factor : 1);
    }
    if (script->height <= 0)
        script->height = 14;
    if (known)
        put_channel(stream, &play, sides, axes);
    snprintf(words, sizeof words, "play %.4g %s", known ? play.play * axes[0].factor : 0, axes[0].unit);
    lashi_put_title(stream, p, joint);
    fputs("set format '%g'\n", stream);
    lashi_put_key_above(stream, 4, 2);
    draw_path(stream, p, joint, columns, modes, axes, half, known ? words : NULL, true);
    return LASH_OK;
}

/* The joint that is named, or the first whose modes are known: in space an end of a bearing, not its middle.
 */
static lash_status choose_orbit(char out[LASHI_OBJECT], size_t *path, const lashi_plot *p) {
    *path = 0;
    for (; p->joint && *path < PATHS; ++*path)
        if (has_path(p, p->joint, *path)) {
            snprintf(out, LASHI_OBJECT, "%s", p->joint);
            return LASH_OK;
        }
    if (p->joint && lashi_gap_is_of(p, p->joint))
        return lashi_talk_fail(
            LASH_ERROR_USAGE,
            "'%s' has no orbit: stops and teeth move in one direction only; --what gap draws it", p->joint);
    if (p->joint)
        return lashi_plot_joint(out, p, "ex");
    for (size_t i = 0; lashi_plot_object(out, p, "mode", i); i++)
        if (has_path(p, out, 0))
            return LASH_OK;
    for (*path = 0; *path < PATHS; ++*path)
        for (size_t i = 0; lashi_plot_object(out, p, paths[*path][0], i); i++)
            if (has_path(p, out, *path))
                return LASH_OK;
    return LASH_ERROR_USAGE; // no_orbit has said so
}

static lash_status draw_orbit(lashi_plot *p, lashi_gnuplot *script) {
    char joint[LASHI_OBJECT];
    size_t path;
    double *modes = NULL;
    lash_status status = choose_orbit(joint, &path, p);
    const bool own = !status && path == 0 && lashi_plot_find_of(p, joint, "mode") != LASHI_NONE;
    if (!status)
        status = lashi_plot_modes(&modes, p, joint, own ? "" : paths[path][2]);
    if (!status)
        status =
            path == 0 ? draw_circle(p, script, joint, modes) : draw_channel(p, script, joint, path, modes);
    free(modes);
    return status;
}

const lashi_preset lashi_preset_orbit = {
    .name = "orbit",
    .brief = "path of the journal's centre in the clearance circle, of a block in its channel",
    .width = 13,
    .steps = true,
    .lacks = no_orbit,
    .instead = &lashi_preset_gap,
    .draw = draw_orbit};

// ---- strips of modes

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

/* Contacts of the joint that is named, or of all. */
static lash_status choose_contacts(char out[MOST_CONTACTS][LASHI_OBJECT], size_t *count,
                                   const lashi_plot *p) {
    char contact[LASHI_OBJECT];
    size_t all = 0;
    *count = 0;
    for (size_t i = 0; lashi_plot_object(contact, p, "mode", i); i++) {
        if (p->joint && !lashi_plot_is_of(contact, p->joint))
            continue;
        if (all++ < MOST_CONTACTS)
            memcpy(out[(*count)++], contact, sizeof contact);
    }
    if (all == 0)
        return lashi_plot_joint(contact, p, "mode");
    if (all > *count)
        lashi_talk_error(&(lash_error){
            .time = (double)NAN,
            .message = "there are too many contacts for one figure; choose a joint with --joint"});
    return LASH_OK;
}

static lash_status draw_modes(lashi_plot *p, lashi_gnuplot *script) {
    FILE *stream = script->stream;
    char joints[MOST_CONTACTS][LASHI_OBJECT];
    size_t columns[MOST_CONTACTS], count = 0;
    lashi_abscissa x;
    lash_status status = lashi_abscissa_choose(&x, p);
    if (!status)
        status = choose_contacts(joints, &count, p);
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
            if (has_mode(p->columns[columns[j]], p->count, m)) {
                const double low = LANE * looks[m].lane - (double)j;
                fprintf(stream, "%s$joint%zumode%zu using 1:(%g):1:2:(%g):(%g) with boxxyerror lc rgb '%s'",
                        separator, j, m, low, low, low + LANE_HEIGHT, looks[m].colour);
                separator = ", ";
            }
    for (size_t m = 0; m < MODES; m++) {
        bool any = false;
        for (size_t j = 0; j < count; j++)
            any = any || has_mode(p->columns[columns[j]], p->count, m);
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
