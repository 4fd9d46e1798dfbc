/* SPDX-License-Identifier: MIT
 *
 * Figures of a run's result: rows by channel (plot_rows.c), axes, units and curves (plot_axes.c), and the
 * presets, each a function that writes gnuplot commands.
 *
 * A preset is one entry of the list below and one lashi_preset_NAME in a file plot_….c.
 */
#ifndef LASHI_PLOT_H
#define LASHI_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/gnuplot.h"
#include "cli/spectrum.h"
#include "lash/record.h"

#define LASHI_PRESET_LIST(X)                                                                                 \
    X(history)                                                                                               \
    X(orbit)                                                                                                 \
    X(gap)                                                                                                   \
    X(phase)                                                                                                 \
    X(poincare)                                                                                              \
    X(hysteresis)                                                                                            \
    X(modes)                                                                                                 \
    X(polar)                                                                                                 \
    X(energy)                                                                                                \
    X(film)                                                                                                  \
    X(spectrum)

#define LASHI_NONE SIZE_MAX /* no such column */

/* A result, the window of its rows that is drawn, and what the command line asks for. */
typedef struct lashi_plot {
    const lashi_command *command;
    lash_result *result;
    const char *path, *title;
    size_t width;                     /* columns */
    lash_stream stream;               /* the rows in use: … */
    size_t first, rows;               /* … those of the window … */
    bool peaks;                       /* … and, unless --stream is given, the peaks between them; … */
    size_t count;                     /* … in all */
    double **columns;                 /* [width] values of the window; NULL: not loaded */
    size_t drive;                     /* column of the first drive's angle; LASHI_NONE */
    double drive_start;               /* rad, its first value in the result */
    double drive_sign;                /* 1, or -1 if it turns clockwise */
    lash_event *events;               /* [event_count], read by lashi_plot_events */
    size_t event_count;               /* … and 0 before */
    const char *joint, *channels, *x; /* --joint, --channels and --x; NULL: not given */
    double phase;                     /* rad, of poincare */
    lashi_window window;              /* of spectrum … */
    size_t segments;                  /* … and how many stretches are averaged */
    bool even;                        /* wants rows that are equally spaced */
    struct lashi_plot *against;       /* dashed; NULL: none */
} lashi_plot;

typedef struct lashi_preset {
    const char *name, *brief;
    double width, height; /* cm, unless --size is given; height 0: by lashi_history_height */
    bool steps;           /* wants the integrator's own steps: contacts are short */
    bool against;         /* draws a second result */
    bool even;            /* wants rows that are equally spaced: samples, and no peaks between them */
    /* What the result lacks, in words that follow "needs"; NULL: it fits. */
    const char *(*lacks)(const lashi_plot *plot);
    const struct lashi_preset *instead; /* what may fit instead; NULL: nothing similar */
    lash_status (*draw)(lashi_plot *plot, lashi_gnuplot *script);
} lashi_preset;

#define LASHI_PRESET_DECLARE(name) extern const lashi_preset lashi_preset_##name;
LASHI_PRESET_LIST(LASHI_PRESET_DECLARE)
#undef LASHI_PRESET_DECLARE

// ---- plot_rows.c. Calls that can fail have said what is wrong.

/* An end of the window: a time, or an angle of the first drive from its start; NaN: not given. */
typedef struct lashi_limit {
    double value;
    bool angle;
} lashi_limit;

/* The window that --from and --to ask for. Without --from it begins after the transient that the model
 * discards. */
#define LASHI_WINDOW_OPTIONS                                                                                 \
    {"from", 0, "T", false, "begins there: a time or an angle of the drive (\"20 ms\", \"3 rev\")"}, {       \
        "to", 0, "T", false, "ends there"                                                                    \
    }
struct lashi_plot;
lash_status lashi_plot_window(lashi_limit *from, lashi_limit *to, const struct lashi_plot *plot,
                              const lashi_arguments *arguments);
lash_status lashi_plot_open(lashi_plot *out, const lashi_command *command, const char *path);
void lashi_plot_close(lashi_plot *plot);
/* Chooses the stream ("samples", "steps"; NULL: by itself, steps where they are wanted, else the one with
 * more rows, and with them the peaks) and the window. */
lash_status lashi_plot_choose_rows(lashi_plot *plot, const char *stream, bool steps, lashi_limit from,
                                   lashi_limit to);
lash_status lashi_plot_events(lashi_plot *plot);

/* A column by name, by object and quantity ("gudgeon", "fn"); LASHI_NONE if none. */
size_t lashi_plot_find(const lashi_plot *plot, const char *name);
size_t lashi_plot_find_of(const lashi_plot *plot, const char *object, const char *quantity);
/* Whether the joint, or every one (NULL), has no play, by the model in the result; false: not known. */
bool lashi_plot_is_ideal(const lashi_plot *plot, const char *joint);
/* A column, or the mistake with the nearest name. */
lash_status lashi_plot_channel(size_t *column, const lashi_plot *plot, const char *name);
/* Names separated by commas, * stands for anything: at most `most` columns into out. */
lash_status lashi_plot_channels(size_t *out, size_t *count, size_t most, const lashi_plot *plot,
                                const char *list);
/* The i-th object that has the quantity, copied to out; false past the end. */
enum { LASHI_OBJECT = 128 };
bool lashi_plot_object(char out[LASHI_OBJECT], const lashi_plot *plot, const char *quantity, size_t index);
/* The joint that --joint names, or the first that has the quantity. */
lash_status lashi_plot_joint(char out[LASHI_OBJECT], const lashi_plot *plot, const char *quantity);
/* Reads the window of columns; LASHI_NONE among them is passed over. */
lash_status lashi_plot_load(lashi_plot *plot, const size_t *columns, size_t count);
/* Which of the components x, y, z of a vector, 0 to 2, is nothing beside the others, so that they are drawn
 * alone: z in the plane, in space that along a pin. LASHI_NONE: none of them. */
size_t lashi_plot_normal(const lashi_plot *plot, const size_t columns[3]);
/* The body whose motion tells most, as columns of coordinate, rate and second rate (LASHI_NONE where they
 * were not recorded): the first that moves without turning (a slider), else the first that turns. */
lash_status lashi_plot_main_motion(size_t out[3], lashi_plot *plot);
/* Column of the rate of a column, LASHI_NONE if it has none or it was not recorded. */
size_t lashi_plot_rate(const lashi_plot *plot, size_t column);

// ---- plot_joint.c

enum { LASHI_MODES = 3 }; /* free flight, impact, following */
/* Whether a contact is one of the joint, JOINT.PART, or the joint itself. */
bool lashi_plot_is_of(const char *contact, const char *joint);
/* The mode of a joint in each row, which the caller frees: the furthest of the contacts that a pattern of
 * parts names, "" the joint itself. NULL: none was recorded. */
lash_status lashi_plot_modes(double **out, lashi_plot *plot, const char *joint, const char *parts);

// ---- plot_gap.c

/* Whether the joint moves along one way between walls whose distance is known. */
bool lashi_gap_is_of(const lashi_plot *plot, const char *joint);

// ---- plot_axes.c

/* An axis: (value − offset) × factor is drawn under `unit`. The offset is taken where values differ in digits
 * that tics would not show. */
typedef struct lashi_axis {
    double factor, offset;
    const char *si; /* unit of values and offset */
    char unit[32];  /* "mm", "m/s²", "10³ rad/s²", "" */
    double low, high;
} lashi_axis;

/* An axis without values yet, in that SI unit. */
lashi_axis lashi_axis_of(const char *unit);
void lashi_axis_hold(lashi_axis *axis, const double *values, size_t count);
/* Offset and prefix that suit what it holds. */
void lashi_axis_fit(lashi_axis *axis);
/* The prefix alone. */
void lashi_axis_prefix(lashi_axis *axis);
/* set xrange or yrange, with a margin; a margin at the top as well, as a share, for a legend. */
void lashi_axis_range(FILE *stream, const lashi_axis *axis, char letter, double above);

/* What a quantity is called: "slider.ax" → "acceleration"; "" if it is none of ours. */
const char *lashi_axis_words(const char *channel);
/* The label of one channel, name and what it is with its unit, on two lines or one. */
void lashi_axis_label(FILE *stream, char letter, const char *channel, const lashi_axis *axis, bool two_lines);
/* One of plain words. */
void lashi_axis_label_words(FILE *stream, char letter, const char *words, const char *unit);
/* The legend between title and figure, so many entries to a row; after the title. */
void lashi_put_key_above(FILE *stream, size_t entries, size_t per_row);

/* The horizontal axis of a history: angle of the first drive, time, or the channel of --x. */
typedef struct lashi_abscissa {
    size_t column;
    double factor;
    bool rising; /* curves can be thinned by columns of the picture */
    char unit[32];
    double low, high; /* as drawn */
} lashi_abscissa;
lash_status lashi_abscissa_choose(lashi_abscissa *out, lashi_plot *plot);
/* Range, tics and label. */
void lashi_abscissa_put(FILE *stream, const lashi_plot *plot, const lashi_abscissa *abscissa, bool label);

/* A data block $name of pairs, thinned so that no peak is lost: in each of many columns of the picture the
 * first, least, largest and last point. */
void lashi_put_curve(FILE *stream, const char *name, const double *x, double x_factor, const double *y,
                     const lashi_axis *axis, size_t count);
/* A path in the plane: points nearer than `least` (as drawn) to the last one are left out. */
void lashi_put_path(FILE *stream, const char *name, const double *x, const lashi_axis *x_axis,
                    const double *y, const lashi_axis *y_axis, size_t count, double least);
/* Data blocks $mode0 … of points by their mode, each dot of the picture once; range: of x and of y, as drawn.
 * Then what `plot` has of them, with a legend or without. */
void lashi_put_mode_points(FILE *stream, const double *x, const lashi_axis *x_axis, const double *y,
                           const lashi_axis *y_axis, const double range[4], const double *modes,
                           size_t count);
void lashi_put_mode_plots(FILE *stream, const lashi_plot *plot, const char *joint, const double *modes,
                          bool legend);
void lashi_put_title(FILE *stream, const lashi_plot *plot, const char *joint);
/* The name of a file without folder and ending. */
void lashi_put_file_name(FILE *stream, const char *path);

#endif
