/* SPDX-License-Identifier: MIT
 *
 * lash plot: a figure of a result or of a study, through gnuplot. The first bytes of the file say which it
 * is; presets of results are the list in plot.h, those of studies are in study_plot.c.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/file_kind.h"
#include "cli/output.h"
#include "cli/plot.h"
#include "cli/plot_life.h"
#include "cli/study_table.h"
#include "cli/talk.h"
#include "lash/quantity.h"

static const double SMALLEST = 4, LARGEST = 100; // cm, of a figure's side

static const lashi_preset *const presets[] = {
#define ENTRY(name) &lashi_preset_##name,
    LASHI_PRESET_LIST(ENTRY)
#undef ENTRY
};
enum { PRESETS = sizeof presets / sizeof *presets };

// ---- files

/* Says what to give instead of a file that is neither. */
static lash_status refuse_file(const char *path) {
    const char *dot = strrchr(path, '.');
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return lashi_talk_fail(LASH_ERROR_IO, "cannot read '%s': it is a folder", path);
    const char *hint = "";
    if (dot && strcmp(dot, ".csv") == 0)
        hint = "; a CSV file cannot be drawn, give the .h5 of its run";
    else if (dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0))
        hint = "; run a model first (lash run), or a study (lash study)";
    return lashi_talk_fail(LASH_ERROR_IO,
                           "'%s' is neither the result of a run (HDF5) nor that of a study (SQLite)%s", path,
                           hint);
}

/* runs/play.h5 and orbit → runs/play-orbit.svg */
static char *default_picture(const char *path, const char *what) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const int length = dot && dot > (slash ? slash + 1 : path) ? (int)(dot - path) : (int)strlen(path);
    char *picture;
    return asprintf(&picture, "%.*s-%s.svg", length, path, what) < 0 ? NULL : picture;
}

/* Nothing that is read may be written to. */
static lash_status check_outputs(const lashi_arguments *arguments, const char *picture) {
    const char *against = lashi_option_value(arguments, "against"),
               *script = lashi_option_value(arguments, "script");
    const char *const read[] = {arguments->names[0], against}, *const written[] = {picture, script};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++)
            if (lashi_output_same(read[i], written[k]))
                return lashi_talk_usage(arguments->command, "'%s' would be overwritten", read[i]);
    if (lashi_output_same(picture, script))
        return lashi_talk_usage(arguments->command, "the figure and --script are the same file");
    return lashi_gnuplot_check(picture);
}

// ---- options

/* "16x11": width and height in cm; both stay what they are when it is not given. */
static lash_status parse_size(double *width, double *height, const lashi_arguments *arguments) {
    const char *text = lashi_option_value(arguments, "size");
    char *end;
    if (!text)
        return LASH_OK;
    const double w = strtod(text, &end), h = *end == 'x' ? strtod(end + 1, &end) : 0;
    if (*end || !(w >= SMALLEST && w <= LARGEST && h >= SMALLEST && h <= LARGEST))
        return lashi_talk_usage(arguments->command,
                                "--size is WIDTHxHEIGHT in cm, %g to %g each, as in 16x11; not '%s'",
                                SMALLEST, LARGEST, text);
    *width = w;
    *height = h;
    return LASH_OK;
}

static lash_status parse_phase(double *out, const lashi_arguments *arguments) {
    const char *text = lashi_option_value(arguments, "phase");
    *out = 0;
    if (!text || lash_quantity_read(out, text, "rad", NULL) == LASH_OK)
        return LASH_OK;
    return lashi_talk_usage(arguments->command, "--phase is an angle, as in \"90 deg\"; not '%s'", text);
}

/* --window and --average of a spectrum. */
static lash_status parse_spectrum(lashi_plot *plot, const lashi_preset *preset,
                                  const lashi_arguments *arguments) {
    const char *window = lashi_option_value(arguments, "window"),
               *average = lashi_option_value(arguments, "average");
    if ((window || average) && !preset->even)
        return lashi_talk_usage(arguments->command, "--%s is for spectrum, not for %s",
                                window ? "window" : "average", preset->name);
    plot->even = preset->even;
    plot->segments = 1;
    size_t w = 0;
    while (window && lashi_window_name(w) && strcmp(lashi_window_name(w), window) != 0)
        w++;
    if (!lashi_window_name(w))
        return lashi_talk_usage(arguments->command, "--window is hann, flat-top or none, not '%s'", window);
    plot->window = (lashi_window)w;
    char *end = NULL;
    const long segments = average ? strtol(average, &end, 10) : 1;
    if (average && (*end || end == average || segments < 1 || segments > 1000))
        return lashi_talk_usage(arguments->command,
                                "--average is a number of segments from 1 to 1000, not '%s'", average);
    plot->segments = (size_t)segments;
    return LASH_OK;
}

static const char *preset_name(const void *list, size_t index) {
    (void)list;
    return index < PRESETS ? presets[index]->name : index == PRESETS ? "list" : NULL;
}

/* The preset that --what names; channels are a history. */
static lash_status choose_preset(const lashi_preset **out, lashi_plot *plot,
                                 const lashi_arguments *arguments) {
    const char *what = lashi_option_value(arguments, "what");
    *out = presets[0];
    if (!what)
        return LASH_OK;
    for (size_t i = 0; i < PRESETS; i++)
        if (strcmp(presets[i]->name, what) == 0) {
            *out = presets[i];
            return LASH_OK;
        }
    if (strpbrk(what, ".,*") == NULL) {
        const char *nearest = lashi_options_nearest(what, preset_name, NULL);
        return lashi_talk_usage(arguments->command,
                                "--what is a preset or a list of channels; there is no preset '%s'%s%s%s",
                                what, nearest ? "; did you mean '" : ", `--what list` shows them",
                                nearest ? nearest : "", nearest ? "'?" : "");
    }
    if (plot->channels)
        return lashi_talk_usage(arguments->command, "channels are given by --what and by --channels");
    plot->channels = what;
    return LASH_OK;
}

// ---- results

static void list_presets(const lashi_plot *plot) {
    for (size_t i = 0; i < PRESETS; i++)
        if (!presets[i]->lacks(plot))
            printf("%-12s %s\n", presets[i]->name, presets[i]->brief);
    for (size_t i = 0; i < PRESETS; i++)
        if (presets[i]->lacks(plot))
            printf("(%s needs %s)\n", presets[i]->name, presets[i]->lacks(plot));
}

static void tell(const lashi_plot *plot, const lashi_preset *drawn, const char *picture, bool hint) {
    fprintf(stderr, "%s: %s", picture, drawn->brief);
    const char *separator = hint ? "; --what also takes " : NULL;
    for (size_t i = 0; separator && i < PRESETS; i++)
        if (presets[i] != drawn && !presets[i]->lacks(plot)) {
            fprintf(stderr, "%s%s", separator, presets[i]->name);
            separator = ", ";
        }
    fputs(".\n", stderr);
}

static lash_status draw_result(lashi_plot *plot, const lashi_preset *preset,
                               const lashi_arguments *arguments) {
    const char *given = lashi_option_value(arguments, "output"),
               *stream = lashi_option_value(arguments, "stream");
    double width = preset->width, height = preset->height;
    lashi_limit from, to;
    const char *lack = preset->lacks(plot);
    const lashi_preset *instead =
        lack && preset->instead && !preset->instead->lacks(plot) ? preset->instead : NULL;
    if (lack)
        return lashi_talk_fail(LASH_ERROR_USAGE, "the preset %s needs %s, which '%s' does not have%s%s%s%s%s",
                               preset->name, lack, plot->path,
                               lashi_plot_is_ideal(plot, NULL) ? ": all its joints are ideal" : "",
                               instead ? "; --what " : "", instead ? instead->name : "",
                               instead ? " draws the " : "", instead ? instead->brief : "");
    if (plot->against && !preset->against)
        return lashi_talk_usage(arguments->command, "--against is for history and phase, not for %s",
                                preset->name);
    char *picture = given ? strdup(given) : default_picture(plot->path, preset->name);
    lashi_gnuplot script = {0};
    lash_status status =
        picture ? check_outputs(arguments, picture) : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status)
        status = parse_size(&width, &height, arguments);
    if (!status)
        status = lashi_plot_window(&from, &to, plot, arguments);
    if (!status)
        status = parse_phase(&plot->phase, arguments);
    if (!status)
        status = parse_spectrum(plot, preset, arguments);
    if (!status)
        status = lashi_plot_choose_rows(plot, stream, preset->steps, from, to);
    if (!status && plot->against)
        status = lashi_plot_choose_rows(plot->against, stream, preset->steps, from, to);
    if (!status)
        status = lashi_gnuplot_begin(&script, picture, width, height);
    if (!status)
        status = preset->draw(plot, &script);
    status = lashi_gnuplot_end(&script, status, lashi_option_value(arguments, "script"));
    if (!status && !lashi_option_given(arguments, "quiet"))
        tell(plot, preset, picture, !lashi_option_given(arguments, "what"));
    free(picture);
    return status;
}

static lash_status plot_result(const lashi_arguments *arguments) {
    const char *what = lashi_option_value(arguments, "what"),
               *other = lashi_option_value(arguments, "against");
    static const char *const of_studies[] = {"y", "z"};
    for (size_t i = 0; i < sizeof of_studies / sizeof *of_studies; i++)
        if (lashi_option_given(arguments, of_studies[i]))
            return lashi_talk_usage(arguments->command,
                                    "--%s is for studies; --channels chooses what is drawn", of_studies[i]);
    lashi_plot plot, against = {0};
    const lashi_preset *preset;
    lash_status status = lashi_plot_open(&plot, arguments->command, arguments->names[0]);
    if (!status && what && strcmp(what, "list") == 0) {
        list_presets(&plot);
        lashi_plot_close(&plot);
        return LASH_OK;
    }
    if (!status && other) {
        status = lashi_plot_open(&against, arguments->command, other);
        plot.against = &against;
    }
    plot.joint = lashi_option_value(arguments, "joint");
    plot.channels = lashi_option_value(arguments, "channels");
    plot.x = against.x = lashi_option_value(arguments, "x");
    if (!status)
        status = choose_preset(&preset, &plot, arguments);
    if (!status)
        status = draw_result(&plot, preset, arguments);
    lashi_plot_close(&against);
    lashi_plot_close(&plot);
    return status;
}

// ---- studies

static lash_status plot_study(const lashi_arguments *arguments) {
    static const char *const of_runs[] = {"channels", "joint", "from",   "to",
                                          "against",  "phase", "stream", "average"};
    for (size_t i = 0; i < sizeof of_runs / sizeof *of_runs; i++)
        if (lashi_option_given(arguments, of_runs[i]))
            return lashi_talk_usage(arguments->command, "--%s is for results of runs; '%s' is a study",
                                    of_runs[i], arguments->names[0]);
    const char *given = lashi_option_value(arguments, "output"),
               *what = lashi_option_value(arguments, "what");
    lashi_study_figure figure = {.path = arguments->names[0],
                                 .what = what,
                                 .x = lashi_option_value(arguments, "x"),
                                 .y = lashi_option_value(arguments, "y"),
                                 .z = lashi_option_value(arguments, "z"),
                                 .script = lashi_option_value(arguments, "script"),
                                 .width = 16,
                                 .height = 11};
    lash_study_table *table;
    lash_error error = {.time = (double)NAN};
    lash_status status = lash_study_table_open(&table, figure.path, &error);
    if (status) {
        lashi_talk_error(&error);
        return status;
    }
    if (what && strcmp(what, "list") == 0) {
        lashi_list_study_figures(stdout, table);
        lash_study_table_close(table);
        return LASH_OK;
    }
    char *picture = given ? strdup(given) : default_picture(figure.path, what ? what : "curve");
    figure.picture = picture;
    status =
        picture ? check_outputs(arguments, picture) : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status)
        status = parse_size(&figure.width, &figure.height, arguments);
    if (!status)
        status = lashi_plot_study(table, &figure);
    if (!status && !lashi_option_given(arguments, "quiet"))
        fprintf(stderr, "%s\n", picture);
    lash_study_table_close(table);
    free(picture);
    return status;
}

// ---- lives

static lash_status plot_life(const lashi_arguments *arguments) {
    static const char *const foreign[] = {"channels", "from", "to", "against", "phase", "stream",
                                          "average",  "x",    "y",  "z",       "window"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (lashi_option_given(arguments, foreign[i]))
            return lashi_talk_usage(arguments->command, "--%s is not for lives; '%s' is one", foreign[i],
                                    arguments->names[0]);
    const char *given = lashi_option_value(arguments, "output"),
               *what = lashi_option_value(arguments, "what");
    if (what && strcmp(what, "list") == 0) {
        printf("%-12s %s\n%-12s %s\n", "wear",
               "worn profiles around the pin or along the guide, with their history", "life",
               "play, worn volume and peak force over the turns");
        return LASH_OK;
    }
    lash_life *life;
    lash_error error = {.time = (double)NAN};
    lash_status status = lash_life_open(&life, arguments->names[0], &error);
    if (status) {
        lashi_talk_error(&error);
        return status;
    }
    char *picture = given ? strdup(given) : default_picture(arguments->names[0], what ? what : "wear");
    lashi_life_figure figure = {.what = what,
                                .joint = lashi_option_value(arguments, "joint"),
                                .picture = picture,
                                .script = lashi_option_value(arguments, "script"),
                                .width = 16,
                                .height = 14};
    status =
        picture ? check_outputs(arguments, picture) : lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status)
        status = parse_size(&figure.width, &figure.height, arguments);
    if (!status)
        status = lashi_plot_life(life, &figure);
    if (!status && !lashi_option_given(arguments, "quiet"))
        fprintf(stderr, "%s\n", picture);
    lash_life_destroy(life);
    free(picture);
    return status;
}

static lash_status perform(const lashi_arguments *arguments) {
    const char *path = arguments->names[0];
    switch (lashi_file_kind_of(path)) {
    case LASHI_FILE_RESULT: return plot_result(arguments);
    case LASHI_FILE_STUDY: return plot_study(arguments);
    case LASHI_FILE_LIFE: return plot_life(arguments);
    case LASHI_FILE_OTHER: return refuse_file(path);
    default: return lashi_talk_fail(LASH_ERROR_IO, "cannot read '%s': %s", path, strerror(errno));
    }
}

static const lashi_option options[] = {
    {"what", 'w', "PRESET", false,
     "what is drawn, or channels A,B over the crank angle; list: what is available"},
    {"output", 'o', "FILE", false, "the figure: .svg, .png or .pdf; beside the result unless given"},
    {"channels", 'c', "A,B", false,
     "history: these channels; phase, poincare: the pair, or one and its rate"},
    {"joint", 0, "NAME", false, "the joint, where there are several"},
    LASHI_WINDOW_OPTIONS,
    {"against", 0, "OTHER.h5", false, "history, phase: a second result, dashed"},
    {"phase", 0, "ANGLE", false, "poincare: where in the turn; 0 unless given"},
    {"x", 'x', "NAME", false, "the channel, or the study's axis, along the horizontal axis"},
    {"y", 'y', "NAME", false, "studies: metric, channel of the section or second axis"},
    {"z", 'z', "METRIC", false, "studies: metric of a map"},
    {"window", 0, "NAME", false, "spectrum: hann, flat-top (exact amplitudes) or none (whole periods)"},
    {"average", 0, "N", false, "spectrum: the mean of N segments that overlap by half"},
    {"stream", 0, "NAME", false, "samples or steps"},
    {"size", 0, "WxH", false, "of the figure in cm, as in 16x11"},
    {"script", 0, "FILE", false, "also writes the gnuplot script with its data; gnuplot FILE draws it again"},
    {"quiet", 'q', NULL, false, "does not say what was drawn"},
    {0}};

const lashi_command lashi_command_plot = {
    .name = "plot",
    .arguments = "RESULT",
    .also = "draw graph figure chart compare diff",
    .instead =
        "--what chooses the figure, --joint the joint, --channels the channels, --against another result",
    .brief = "Draws a figure of a result or a study",
    .details =
        "Of a result (RESULT.h5): history, orbit, gap, phase, poincare, hysteresis, modes, polar,\n"
        "energy, film, spectrum. Of a study (STUDY.db): curve, map, distribution,\n"
        "bifurcation, lyapunov, waterfall, weibull. Of a life (lash wear): wear, life. `--what list` "
        "prints those\n"
        "that apply. gnuplot is needed (Debian: gnuplot-nox). `lash help figures` has examples of all.\n",
    .least = 1,
    .most = 1,
    .options = options,
    .perform = perform};
