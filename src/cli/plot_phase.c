/* SPDX-License-Identifier: MIT
 *
 * A channel against its rate: the whole path (phase portrait), or its cuts once per turn of the drive
 * (Poincaré section).
 *
 * Cuts lie between rows. Where the rate of a channel is recorded the cut is taken from the cubic through two
 * neighbouring rows with their rates (Hermite), u = (φ − φ₀)/(φ₁ − φ₀), h = t₁ − t₀:
 *   y = (1 + 2u)(1 − u)² y₀ + u(1 − u)² h ẏ₀ + u²(3 − 2u) y₁ + u²(u − 1) h ẏ₁,
 * otherwise from the straight line. The phase φ itself is taken as linear between two rows: exact for a drive
 * at constant speed, and of second order in the step for others.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "cli/talk.h"

static const double TURN = 2 * 3.14159265358979323846;
enum { FEW_CUTS = 200, MANY_CUTS = 2000 };

/* The channels along x and y: those of --channels (one: with its rate), or the part that shows most. */
static lash_status choose_pair(size_t out[2], lashi_plot *p) {
    size_t count = 2, motion[3];
    lash_status status;
    if (p->channels) {
        status = lashi_plot_channels(out, &count, 2, p, p->channels);
        if (!status && count == 1)
            out[1] = lashi_plot_rate(p, out[0]);
        if (!status && count == 1 && out[1] == LASHI_NONE)
            status = lashi_talk_usage(
                p->command, "the rate of '%s' is not in the result; give two channels: --channels A,B",
                p->channels);
        return status;
    }
    status = lashi_plot_main_motion(motion, p);
    // A body that turns in space has no angle: then the rate against its own.
    const size_t at = motion[0] == LASHI_NONE;
    out[0] = motion[at];
    out[1] = motion[at + 1];
    if (!status && (out[0] == LASHI_NONE || out[1] == LASHI_NONE))
        status =
            lashi_talk_usage(p->command, "no coordinate with its rate is in the result; give --channels A,B");
    return status;
}

static const char *no_pair(const lashi_plot *p) {
    return p->width > 2 ? NULL : "two channels";
}

static void put_axes(FILE *stream, const lashi_plot *p, const size_t pair[2], lashi_axis axes[2]) {
    lashi_put_title(stream, p, NULL);
    for (int i = 0; i < 2; i++) {
        lashi_axis_range(stream, &axes[i], i ? 'y' : 'x', 0);
        lashi_axis_label(stream, i ? 'y' : 'x', lash_result_column_name(p->result, pair[i]), &axes[i], false);
    }
}

// ---- phase portrait

/* The path in units of the picture, so that "near" means the same along both axes. */
static void put_portrait(FILE *stream, const char *name, const lashi_plot *p, const size_t pair[2],
                         const lashi_axis axes[2]) {
    const double *x = p->columns[pair[0]], *y = p->columns[pair[1]];
    double last_x = INFINITY, last_y = INFINITY;
    const double w = axes[0].high - axes[0].low, h = axes[1].high - axes[1].low;
    static const double NEAR = 1.0 / 800; // of the picture
    fprintf(stream, "$%s << END\n", name);
    for (size_t i = 0; i < p->count; i++) {
        const double dx = w > 0 ? (x[i] - last_x) / w : 0, dy = h > 0 ? (y[i] - last_y) / h : 0;
        if (i > 0 && i + 1 < p->count && hypot(dx, dy) < NEAR)
            continue;
        fprintf(stream, "%.9g %.9g\n", x[i] * axes[0].factor, y[i] * axes[1].factor);
        last_x = x[i];
        last_y = y[i];
    }
    fputs("END\n", stream);
}

static lash_status draw_phase(lashi_plot *p, lashi_gnuplot *script) {
    FILE *stream = script->stream;
    size_t pair[2], others[2];
    lashi_axis axes[2];
    lash_status status = choose_pair(pair, p);
    if (!status)
        status = lashi_plot_load(p, pair, 2);
    for (int i = 0; !status && i < 2; i++) {
        axes[i] = lashi_axis_of(lash_result_column_unit(p->result, pair[i]));
        lashi_axis_hold(&axes[i], p->columns[pair[i]], p->count);
        if (!p->against)
            continue;
        status = lashi_plot_channel(&others[i], p->against, lash_result_column_name(p->result, pair[i]));
        if (!status)
            status = lashi_plot_load(p->against, &others[i], 1);
        if (!status)
            lashi_axis_hold(&axes[i], p->against->columns[others[i]], p->against->count);
    }
    if (status)
        return status;
    for (int i = 0; i < 2; i++)
        lashi_axis_prefix(&axes[i]);
    put_axes(stream, p, pair, axes);
    put_portrait(stream, "path", p, pair, axes);
    if (!p->against)
        fputs("unset key\n", stream);
    else
        lashi_put_key_above(stream, 2, 2);
    if (p->against)
        put_portrait(stream, "other", p->against, others, axes);
    fprintf(stream, "plot $path using 1:2 with lines lw 1.2 lc rgb '%s' title '", lashi_gnuplot_colour(0));
    lashi_put_file_name(stream, p->path);
    fputc('\'', stream);
    if (p->against) {
        fputs(", $other using 1:2 with lines lw 1.5 dt 2 lc rgb '#000000' title '", stream);
        lashi_put_file_name(stream, p->against->path);
        fputc('\'', stream);
    }
    fputc('\n', stream);
    return LASH_OK;
}

const lashi_preset lashi_preset_phase = {.name = "phase",
                                         .brief = "a channel against its rate",
                                         .width = 14,
                                         .height = 10.5,
                                         .against = true,
                                         .lacks = no_pair,
                                         .draw = draw_phase};

// ---- Poincaré section

static const char *no_turns(const lashi_plot *p) {
    return p->drive == LASHI_NONE ? "a drive that turns, and its angle" : no_pair(p);
}

/* A column between rows i and i + 1 at u. */
static double between(const lashi_plot *p, size_t column, size_t rate, size_t i, double u) {
    const double *y = p->columns[column], *t = p->columns[0];
    if (rate == LASHI_NONE)
        return y[i] + u * (y[i + 1] - y[i]);
    const double *r = p->columns[rate], h = t[i + 1] - t[i], v = 1 - u;
    return (1 + 2 * u) * v * v * y[i] + u * v * v * h * r[i] + u * u * (3 - 2 * u) * y[i + 1] -
           u * u * v * h * r[i + 1];
}

/* Cuts where the drive's angle passes phase + 2πk; returns their number. */
static size_t find_cuts(double *x, double *y, const lashi_plot *p, const size_t pair[2],
                        const size_t rates[2]) {
    const double *angle = p->columns[p->drive];
    size_t count = 0;
    for (size_t i = 0; i + 1 < p->count; i++) {
        const double a = p->drive_sign * angle[i] - p->phase, b = p->drive_sign * angle[i + 1] - p->phase;
        // Turns that begin after a and not after b; more than one only where rows are too far apart.
        const double turn = floor(b / TURN);
        if (!(turn > floor(a / TURN)))
            continue;
        const double u = (turn * TURN - a) / (b - a);
        x[count] = between(p, pair[0], rates[0], i, u);
        y[count++] = between(p, pair[1], rates[1], i, u);
    }
    return count;
}

static lash_status draw_poincare(lashi_plot *p, lashi_gnuplot *script) {
    FILE *stream = script->stream;
    size_t pair[2], rates[2], count = 0;
    lash_status status = choose_pair(pair, p);
    if (status)
        return status;
    for (int i = 0; i < 2; i++)
        rates[i] = lashi_plot_rate(p, pair[i]);
    const size_t columns[] = {0, p->drive, pair[0], pair[1], rates[0], rates[1]};
    status = lashi_plot_load(p, columns, sizeof columns / sizeof *columns);
    double *x = status ? NULL : calloc(p->count, sizeof *x), *y = status ? NULL : calloc(p->count, sizeof *y);
    if (!status && (!x || !y))
        status = lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status)
        count = find_cuts(x, y, p, pair, rates);
    if (!status && count == 0)
        status = lashi_talk_fail(
            LASH_ERROR_USAGE,
            "the drive does not pass %g deg in the part drawn; draw a longer part, or choose another --phase",
            p->phase * 360 / TURN);
    if (!status) {
        lashi_axis axes[2];
        for (int i = 0; i < 2; i++) {
            axes[i] = lashi_axis_of(lash_result_column_unit(p->result, pair[i]));
            lashi_axis_hold(&axes[i], i ? y : x, count);
            lashi_axis_fit(&axes[i]);
        }
        put_axes(stream, p, pair, axes);
        lashi_put_key_above(stream, 1, 1);
        fputs("$cuts << END\n", stream);
        for (size_t i = 0; i < count; i++)
            fprintf(stream, "%.12g %.12g\n", (x[i] - axes[0].offset) * axes[0].factor,
                    (y[i] - axes[1].offset) * axes[1].factor);
        fprintf(stream,
                "END\n"
                "plot $cuts using 1:2 with points pt 7 ps %s lc rgb '%s' title '%zu cuts at %g deg'\n",
                count < FEW_CUTS    ? "0.6"
                : count < MANY_CUTS ? "0.35"
                                    : "0.2",
                lashi_gnuplot_colour(0), count, p->phase * 360 / TURN);
    }
    free(x);
    free(y);
    return status;
}

const lashi_preset lashi_preset_poincare = {.name = "poincare",
                                            .brief = "a channel against its rate, once per turn of the drive",
                                            .width = 14,
                                            .height = 11.5,
                                            .lacks = no_turns,
                                            .draw = draw_poincare};
