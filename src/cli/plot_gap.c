/* SPDX-License-Identifier: MIT
 *
 * What moves along one way between walls, over time, with the gap as a band: a joint between its stops, a
 * tooth between two flanks, the eccentricity of a journal. With x the way and δ the depth in a wall, the
 * walls are at x − δ above and x + δ below: so the figure needs no model, and a gap that changes is drawn as
 * it is.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "cli/talk.h"

enum { BAND = 2000, ENTRIES = 4 }; // points of a wall; what the legend may have: three modes and the wall

/* The way, and the contacts above and below; an empty name is the joint itself, NULL: none. */
typedef struct way {
    const char *quantity, *above, *below, *parts;
} way;
static const way ways[] = {{"angle", "max", "min", "m*"},
                           {"s", "max", "min", "m*"},
                           {"error", "flank1", "flank2", "flank*"},
                           {"e", "", NULL, ""}};
enum { WAYS = sizeof ways / sizeof *ways };

/* Column of the depth in a wall of the joint. */
static size_t find_depth(const lashi_plot *p, const char *joint, const char *part) {
    char contact[2 * LASHI_OBJECT];
    if (!part)
        return LASHI_NONE;
    snprintf(contact, sizeof contact, "%.*s%s%s", LASHI_OBJECT - 1, joint, *part ? "." : "", part);
    return lashi_plot_find_of(p, contact, "delta");
}

/* The way of a joint: columns of it and of the depths above and below, one of which is there. */
static const way *find_way(size_t columns[3], const lashi_plot *p, const char *joint) {
    for (size_t k = 0; k < WAYS; k++) {
        columns[0] = lashi_plot_find_of(p, joint, ways[k].quantity);
        columns[1] = find_depth(p, joint, ways[k].above);
        columns[2] = find_depth(p, joint, ways[k].below);
        // A stop limits one of two ways of a joint: it has its unit.
        const size_t depth = columns[1] != LASHI_NONE ? columns[1] : columns[2];
        if (columns[0] != LASHI_NONE && depth != LASHI_NONE &&
            strcmp(lash_result_column_unit(p->result, columns[0]),
                   lash_result_column_unit(p->result, depth)) == 0)
            return &ways[k];
    }
    return NULL;
}

bool lashi_gap_is_of(const lashi_plot *p, const char *joint) {
    size_t columns[3];
    return find_way(columns, p, joint) != NULL;
}

static bool find_first(char out[LASHI_OBJECT], const lashi_plot *p) {
    for (size_t k = 0; k < WAYS; k++)
        for (size_t i = 0; lashi_plot_object(out, p, ways[k].quantity, i); i++)
            if (lashi_gap_is_of(p, out))
                return true;
    return false;
}

static const char *no_gap(const lashi_plot *p) {
    char joint[LASHI_OBJECT];
    return find_first(joint, p) ? NULL : "a joint with stops, backlash, or play of a pin or a ball";
}

static lash_status choose_joint(char out[LASHI_OBJECT], const lashi_plot *p) {
    if (!p->joint)
        return find_first(out, p) ? LASH_OK : LASH_ERROR_USAGE; // no_gap has said so
    snprintf(out, LASHI_OBJECT, "%s", p->joint);
    if (lashi_gap_is_of(p, out))
        return LASH_OK;
    char other[LASHI_OBJECT];
    const bool any = find_first(other, p);
    return lashi_talk_usage(p->command,
                            "'%s' has no stops, backlash or clearance whose depth was recorded in '%s'%s%s%s",
                            out, p->path, any ? "; '" : "", any ? other : "", any ? "' has" : "");
}

static double wall_at(const lashi_plot *p, const size_t columns[3], int which, size_t row) {
    const double value = p->columns[columns[0]][row];
    if (columns[which] == LASHI_NONE)
        return (double)NAN;
    return which == 1 ? value - p->columns[columns[1]][row] : value + p->columns[columns[2]][row];
}

/* $walls: x, above, below. */
static void put_walls(FILE *stream, const lashi_plot *p, const lashi_abscissa *x, const lashi_axis *axis,
                      const size_t columns[3]) {
    const size_t step = p->count / BAND + 1;
    fputs("$walls << END\n", stream);
    for (size_t k = 0; k * step < p->count + step - 1; k++) {
        const size_t row = k * step < p->count ? k * step : p->count - 1;
        fprintf(stream, "%.9g %.9g %.9g\n", p->columns[x->column][row] * x->factor,
                (wall_at(p, columns, 1, row) - axis->offset) * axis->factor,
                (wall_at(p, columns, 2, row) - axis->offset) * axis->factor);
    }
    fputs("END\n", stream);
}

static lash_status draw_gap(lashi_plot *p, lashi_gnuplot *script) {
    FILE *stream = script->stream;
    char joint[LASHI_OBJECT];
    size_t columns[3];
    double *modes = NULL;
    lashi_abscissa x;
    lash_status status = choose_joint(joint, p);
    const way *found = status ? NULL : find_way(columns, p, joint);
    if (!status)
        status = lashi_abscissa_choose(&x, p);
    if (!status)
        status = lashi_plot_load(p, columns, 3);
    if (!status)
        status = lashi_plot_modes(&modes, p, joint, found->parts);
    if (status) {
        free(modes);
        return status;
    }
    const double *value = p->columns[columns[0]];
    lashi_axis axis = lashi_axis_of(lash_result_column_unit(p->result, columns[0]));
    lashi_axis_hold(&axis, value, p->count);
    for (int k = 1; k < 3; k++)
        for (size_t i = 0; i < p->count; i++) {
            const double wall = wall_at(p, columns, k, i);
            lashi_axis_hold(&axis, &wall, 1);
        }
    lashi_axis_fit(&axis);
    lashi_put_title(stream, p, joint);
    lashi_abscissa_put(stream, p, &x, true);
    lashi_axis_range(stream, &axis, 'y', 0);
    lashi_axis_label(stream, 'y', lash_result_column_name(p->result, columns[0]), &axis, true);
    lashi_put_key_above(stream, ENTRIES, ENTRIES);
    const lashi_axis along = {.factor = x.factor};
    const double low = (axis.low - axis.offset) * axis.factor, high = (axis.high - axis.offset) * axis.factor,
                 range[4] = {x.low, x.high + 1e-9 * (x.high - x.low), low, high + 1e-9 * (high - low)};
    lashi_put_mode_points(stream, p->columns[x.column], &along, value, &axis, range, modes, p->count);
    if (x.rising)
        lashi_put_curve(stream, "way", p->columns[x.column], x.factor, value, &axis, p->count);
    else
        lashi_put_path(stream, "way", p->columns[x.column], &along, value, &axis, p->count, 0);
    put_walls(stream, p, &x, &axis, columns);
    fputs("plot ", stream);
    if (columns[1] != LASHI_NONE && columns[2] != LASHI_NONE)
        fputs("$walls using 1:2:3 with filledcurves fc rgb '#EAF1F7', ", stream);
    for (int k = 1; k < 3; k++)
        if (columns[k] != LASHI_NONE)
            fprintf(stream, "$walls using 1:%d with lines lw 1.2 dt 2 lc rgb '#000000', ", k + 1);
    fprintf(stream, "$way using 1:2 with lines lw %s",
            modes ? "0.8 lc rgb '#A0A0A0'" : "1.2 lc rgb '#0072B2'");
    lashi_put_mode_plots(stream, p, joint, modes, true);
    fputs(", keyentry with lines lw 1.2 dt 2 lc rgb '#000000' title 'wall'\n", stream);
    free(modes);
    return LASH_OK;
}

const lashi_preset lashi_preset_gap = {.name = "gap",
                                       .brief =
                                           "motion between stops or flanks over time, with the gap as a band",
                                       .width = 16,
                                       .height = 9,
                                       .steps = true,
                                       .lacks = no_gap,
                                       .instead = &lashi_preset_orbit,
                                       .draw = draw_gap};
