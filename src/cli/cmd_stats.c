/* SPDX-License-Identifier: MIT
 *
 * lash stats: what channels of a result have been over a window: least and largest value, mean, RMS, range,
 * instant of the peak, dominant frequency.
 *
 * The rows are the samples, or the steps if there are more of them, and the peaks of contacts between them.
 * Mean and RMS are integrals over time by the trapezoidal rule, so that rows need not be equally spaced; a peak
 * between two samples lasts much less than from the one to the other, and is not among what is integrated. The
 * peak is the value that is farthest from zero. The frequency is that of the largest line of the spectrum under
 * a Hann window.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/plot.h"
#include "cli/spectrum.h"
#include "cli/talk.h"

/* Of a range: steps that leave out so much are too far apart for statistics. */
static const double COARSE = 0.01;
enum { MOST_SAMPLES = 1 << 17 }; /* of a spectrum, where rows are not equally spaced */

typedef struct statistics {
    double least, largest, mean, rms, range, peak, peak_time, frequency;
} statistics;

/* The dominant frequency; NaN: none, or out of memory, which *fine says. */
static double find_frequency(bool *fine, const double *times, const double *values, size_t count) {
    const bool uniform = lashi_is_uniform(times, count);
    size_t n = count - 1; // the last row is the first of the next period
    double *even = NULL;
    if (!uniform) {
        n = count < MOST_SAMPLES / 4 ? 4 * count : MOST_SAMPLES;
        even = calloc(n, sizeof *even);
        if (!even) {
            *fine = false;
            return (double)NAN;
        }
        lashi_resample(even, n, times, values, count);
    }
    lashi_spectrum spectrum;
    const double dt = (times[count - 1] - times[0]) / (double)n;
    *fine = lashi_spectrum_create(&spectrum, even ? even : values, n, dt, LASHI_WINDOW_HANN, 1);
    const double frequency = *fine ? lashi_spectrum_dominant(&spectrum) : (double)NAN;
    if (*fine)
        lashi_spectrum_clear(&spectrum);
    free(even);
    return frequency;
}

/* Extremes of every so manyth row … */
static statistics find_extremes(const double *times, const double *values, size_t count, size_t every) {
    statistics s = {.least = values[0], .largest = values[0], .peak = values[0], .peak_time = times[0]};
    for (size_t i = 0; i < count; i += every) {
        s.least = fmin(s.least, values[i]);
        s.largest = fmax(s.largest, values[i]);
        if (fabs(values[i]) > fabs(s.peak)) {
            s.peak = values[i];
            s.peak_time = times[i];
        }
    }
    s.range = s.largest - s.least;
    return s;
}

/* How much the extremes change where every second row is left out, as a share of the range: what may be hidden
 * between rows. */
static double coarseness(const double *times, const double *values, size_t count, const statistics *all) {
    const statistics half = find_extremes(times, values, count, 2);
    return all->range > 0 ? fmax(half.least - all->least, all->largest - half.largest) / all->range : 0;
}

/* … and what is over time, of rows without peaks between them. */
static void integrate(statistics *s, bool *fine, const double *times, const double *values, size_t count) {
    const double duration = times[count - 1] - times[0];
    double square = 0;
    for (size_t i = 1; i < count; i++) {
        const double h = times[i] - times[i - 1], a = values[i - 1], b = values[i];
        s->mean += 0.5 * h * (a + b) / duration;
        square += 0.5 * h * (a * a + b * b) / duration;
    }
    s->rms = sqrt(square);
    s->frequency = (double)NAN;
    if (s->range > 1e-12 * fmax(fabs(s->least), fabs(s->largest)))
        s->frequency = find_frequency(fine, times, values, count);
}

static void print_line(int width, const char *name, const char *unit, const statistics *s) {
    char frequency[32] = "-";
    if (!isnan(s->frequency))
        snprintf(frequency, sizeof frequency, "%.6g", s->frequency);
    // + 0: a zero has no sign.
    printf("%-*s  %-7s %13.6g %13.6g %13.6g %13.6g %13.6g %13.9g %13s\n", width, name, unit, s->least + 0,
           s->largest + 0, s->mean + 0, s->rms, s->range + 0, s->peak_time, frequency);
}

static void print_object(lashi_json *json, const char *name, const char *unit, const statistics *s) {
    lashi_json_open(json, name, '{');
    lashi_json_say(json, "unit", unit);
    lashi_json_add(json, "min", s->least);
    lashi_json_add(json, "max", s->largest);
    lashi_json_add(json, "mean", s->mean);
    lashi_json_add(json, "rms", s->rms);
    lashi_json_add(json, "peak_to_peak", s->range);
    lashi_json_add(json, "peak", s->peak);
    lashi_json_add(json, "peak_time", s->peak_time);
    lashi_json_add(json, "frequency", s->frequency);
    lashi_json_close(json, '}');
}

/* The columns asked for, or all but the time. */
static lash_status choose(size_t *columns, size_t *count, const lashi_plot *plot,
                          const lashi_arguments *arguments) {
    const char *value;
    *count = 0;
    for (size_t i = 0; (value = lashi_option_value_at(arguments, "channels", i)) != NULL; i++) {
        size_t more;
        const lash_status status =
            lashi_plot_channels(columns + *count, &more, plot->width - *count, plot, value);
        if (status)
            return status;
        *count += more;
    }
    for (size_t c = 1; !lashi_option_given(arguments, "channels") && c < plot->width; c++)
        columns[(*count)++] = c;
    return LASH_OK;
}

/* plain: the same rows, but no peaks between samples. */
static lash_status print_all(const lashi_plot *plot, const lashi_plot *plain, const size_t *columns,
                             size_t count, bool as_json) {
    const double *times = plot->columns[0];
    lashi_json json = {.stream = stdout};
    int width = 8;
    for (size_t k = 0; k < count; k++) {
        const int length = (int)strlen(lash_result_column_name(plot->result, columns[k]));
        width = length > width ? length : width;
    }
    if (as_json) {
        lashi_json_open(&json, NULL, '{');
        lashi_json_add(&json, "from", times[0]);
        lashi_json_add(&json, "to", times[plot->count - 1]);
        lashi_json_add(&json, "rows", (double)plot->count);
        lashi_json_open(&json, "channels", '{');
    } else {
        printf("# %zu rows from %.9g s to %.9g s\n", plot->count, times[0], times[plot->count - 1]);
        printf("%-*s  %-7s %13s %13s %13s %13s %13s %13s %13s\n", width, "channel", "unit", "min", "max",
               "mean", "rms", "peak-to-peak", "peak at/s", "frequency/Hz");
    }
    bool fine = true;
    double coarsest = 0;
    const char *coarse = "";
    for (size_t k = 0; fine && k < count; k++) {
        const char *name = lash_result_column_name(plot->result, columns[k]),
                   *unit = lash_result_column_unit(plot->result, columns[k]);
        statistics s = find_extremes(times, plot->columns[columns[k]], plot->count, 1);
        integrate(&s, &fine, plain->columns[0], plain->columns[columns[k]], plain->count);
        const bool judged = plot->stream == LASH_STREAM_STEPS &&
                            strncmp(name, "constraint.", 11) != 0; // errors are as rough as they are
        const double share = judged ? coarseness(times, plot->columns[columns[k]], plot->count, &s) : 0;
        coarse = share > coarsest ? name : coarse;
        coarsest = fmax(share, coarsest);
        if (as_json)
            print_object(&json, name, unit, &s);
        else
            print_line(width, name, unit, &s);
    }
    if (as_json) {
        lashi_json_close(&json, '}');
        lashi_json_close(&json, '}');
        printf("\n");
    }
    if (coarsest > COARSE)
        fprintf(
            stderr,
            "lash: warning: the rows are the integrator's steps, %.3g %% of the range of '%s' may be between "
            "them; for these numbers run the model with --samples 2000 or more\n",
            100 * coarsest, coarse);
    return fine ? LASH_OK : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
}

static lash_status load(lashi_plot *plot, const char *stream, lashi_limit from, lashi_limit to,
                        const size_t *columns, size_t count) {
    const size_t time = 0;
    lash_status status = lashi_plot_choose_rows(plot, stream, false, from, to);
    if (!status)
        status = lashi_plot_load(plot, &time, 1);
    return status ? status : lashi_plot_load(plot, columns, count);
}

static lash_status perform(const lashi_arguments *arguments) {
    lashi_plot plot, samples = {0};
    lashi_limit from, to;
    lash_status status = lashi_plot_open(&plot, arguments->command, arguments->names[0]);
    size_t *columns = status ? NULL : calloc(plot.width + 1, sizeof *columns), count = 0;
    if (!status && !columns)
        status = lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status)
        status = lashi_plot_window(&from, &to, &plot, arguments);
    if (!status)
        status = choose(columns, &count, &plot, arguments);
    if (!status)
        status = load(&plot, lashi_option_value(arguments, "stream"), from, to, columns, count);
    const bool twice = !status && plot.peaks && plot.stream == LASH_STREAM_SAMPLES;
    if (twice)
        status = lashi_plot_open(&samples, arguments->command, arguments->names[0]);
    if (twice && !status)
        status = load(&samples, "samples", from, to, columns, count);
    if (!status)
        status =
            print_all(&plot, twice ? &samples : &plot, columns, count, lashi_option_given(arguments, "json"));
    free(columns);
    if (twice)
        lashi_plot_close(&samples);
    lashi_plot_close(&plot);
    return status;
}

static const lashi_option options[] = {
    LASHI_WINDOW_OPTIONS,
    {"channels", 'c', "A,B", true, "these channels only; * stands for anything"},
    {"stream", 0, "NAME", false, "samples or steps"},
    LASHI_OPTION_JSON,
    {0}};

const lashi_command lashi_command_stats = {
    .name = "stats",
    .arguments = "RESULT.h5",
    .also = "statistics summary",
    .instead = "--channels chooses the channels",
    .brief = "Least, largest, mean, RMS, peak and frequency of channels",
    .details =
        "Without --from the window begins where the run's `discard` ends. Mean and RMS are over time,\n"
        "of the samples, or of the steps where there are more of these (--stream chooses). Peaks\n"
        "of contacts between samples are extremes only.\n"
        "The peak is the value farthest from zero, the frequency that of the largest line of the\n"
        "spectrum; `lash plot --what spectrum` draws all lines.\n",
    .least = 1,
    .most = 1,
    .options = options,
    .perform = perform};
