/* SPDX-License-Identifier: MIT
 *
 * Spectra of channels: amplitudes over the frequency, or over the order, the frequency in turns of the first
 * drive.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "cli/spectrum.h"
#include "cli/talk.h"

enum { MOST_CHANNELS = 6, LEAST_ROWS = 8 };
/* Of the largest line: beyond the last one above it nothing is drawn. */
static const double LEAST = 2e-3;
static const double TURN = 6.283185307179586;

static const char *no_channels(const lashi_plot *p) {
    return p->width > 1 ? NULL : "a channel besides the time";
}

/* Without --channels: the acceleration of the part that shows most, else its speed or place. */
static lash_status default_channel(size_t *columns, size_t *count, lashi_plot *p) {
    size_t motion[3];
    const lash_status status = lashi_plot_main_motion(motion, p);
    *count = 1;
    columns[0] = 1;
    for (size_t k = 0; !status && k < 3; k++)
        if (motion[k] != LASHI_NONE)
            columns[0] = motion[k];
    return status;
}

/* The spectrum of one column of the window. */
static lash_status find(lashi_spectrum *out, const lashi_plot *p, const double *values) {
    const double *times = p->columns[0], duration = times[p->count - 1] - times[0];
    const size_t n = p->count - 1; // the last row is the first of the next period
    double *even = NULL;
    if (!lashi_is_uniform(times, p->count)) {
        if (!(even = calloc(n, sizeof *even)))
            return lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
        lashi_resample(even, n, times, values, p->count);
    }
    const bool fine =
        lashi_spectrum_create(out, even ? even : values, n, duration / (double)n, p->window, p->segments);
    free(even);
    return fine ? LASH_OK : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

/* Hz that are one on the horizontal axis: 1, or the drive's turns per second. */
static lash_status choose_scale(double *out, lashi_plot *p) {
    *out = 1;
    if (!p->x || strcmp(p->x, "frequency") == 0)
        return LASH_OK;
    if (strcmp(p->x, "order") != 0)
        return lashi_talk_usage(p->command, "--x of a spectrum is frequency or order, not '%s'", p->x);
    if (p->drive == LASHI_NONE)
        return lashi_talk_fail(
            LASH_ERROR_USAGE,
            "'%s' has no drive that turns, or its angle was not recorded: there are no orders", p->path);
    const lash_status status = lashi_plot_load(p, &p->drive, 1);
    if (status)
        return status;
    const double *angle = p->columns[p->drive], *times = p->columns[0];
    *out = fabs(angle[p->count - 1] - angle[0]) / TURN / (times[p->count - 1] - times[0]);
    return *out > 0 ? LASH_OK
                    : lashi_talk_fail(LASH_ERROR_USAGE, "the drive stands still here: there are no orders");
}

static lash_status draw(lashi_plot *p, lashi_gnuplot *script) {
    FILE *stream = script->stream;
    size_t columns[MOST_CHANNELS], count = 0, time = 0, drawn = 0;
    lashi_spectrum spectra[MOST_CHANNELS] = {{0}};
    double scale, highest = 0;
    lash_status status = p->channels ? lashi_plot_channels(columns, &count, MOST_CHANNELS, p, p->channels)
                                     : default_channel(columns, &count, p);
    if (!status && p->count < LEAST_ROWS + p->segments)
        status = lashi_talk_fail(LASH_ERROR_USAGE, "%zu rows are too few for a spectrum", p->count);
    if (!status)
        status = lashi_plot_load(p, &time, 1);
    if (!status)
        status = lashi_plot_load(p, columns, count);
    if (!status)
        status = choose_scale(&scale, p);
    lashi_axis axis = {0};
    for (; !status && drawn < count; drawn++) {
        const char *unit = lash_result_column_unit(p->result, columns[drawn]);
        lashi_spectrum *s = &spectra[drawn];
        if (drawn == 0)
            axis = lashi_axis_of(unit);
        else if (strcmp(axis.si, unit) != 0)
            status = lashi_talk_usage(p->command, "spectra of one figure have one unit; '%s' is in %s",
                                      lash_result_column_name(p->result, columns[drawn]), unit);
        if (!status)
            status = find(s, p, p->columns[columns[drawn]]);
        double most = 0;
        for (size_t k = 0; !status && k < s->count; k++)
            most = fmax(most, s->amplitude[k]);
        for (size_t k = 0; !status && k < s->count; k++)
            if (s->amplitude[k] > LEAST * most)
                highest = fmax(highest, (double)k * s->step / scale);
        if (!status)
            lashi_axis_hold(&axis, s->amplitude, s->count);
    }
    if (!status) {
        lashi_axis_prefix(&axis);
        lashi_put_title(stream, p, NULL);
        for (size_t i = 0; i < count; i++) {
            fprintf(stream, "$s%zu << END\n", i);
            for (size_t k = 0; k < spectra[i].count; k++)
                if ((double)k * spectra[i].step / scale <= 1.2 * highest)
                    fprintf(stream, "%.9g %.6g\n", (double)k * spectra[i].step / scale,
                            spectra[i].amplitude[k] * axis.factor);
            fputs("END\n", stream);
        }
        fprintf(stream, "set xrange [0:%.9g]\nset yrange [0:*]\n", highest > 0 ? 1.1 * highest : 1.0);
        lashi_axis_label_words(stream, 'x', p->x && strcmp(p->x, "order") == 0 ? "order" : "frequency",
                               p->x && strcmp(p->x, "order") == 0 ? "" : "Hz");
        if (count == 1)
            lashi_axis_label(stream, 'y', lash_result_column_name(p->result, columns[0]), &axis, true);
        else
            lashi_axis_label_words(stream, 'y', "amplitude", axis.unit);
        fputs(count > 1 ? "set key\n" : "unset key\n", stream);
        for (size_t i = 0; i < count; i++) {
            fprintf(stream, "%s$s%zu using 1:2 with lines lw 1.5 lc rgb '%s' title ", i ? ", " : "plot ", i,
                    lashi_gnuplot_colour(i));
            lashi_gnuplot_quoted(stream, lash_result_column_name(p->result, columns[i]), LASHI_NAME);
        }
        fputc('\n', stream);
    }
    for (size_t i = 0; i < MOST_CHANNELS; i++)
        lashi_spectrum_clear(&spectra[i]);
    return status;
}

const lashi_preset lashi_preset_spectrum = {.name = "spectrum",
                                            .brief = "amplitudes over the frequency, or over the order",
                                            .width = 16,
                                            .height = 9,
                                            .even = true,
                                            .lacks = no_channels,
                                            .draw = draw};
