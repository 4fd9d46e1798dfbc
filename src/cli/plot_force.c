/* SPDX-License-Identifier: MIT
 *
 * Forces of joints: normal force over indentation in single impacts (hysteresis loops), and a joint's force
 * in polar coordinates.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "cli/talk.h"

static const double PI = 3.14159265358979323846;
enum { MOST_LOOPS = 4, LEAST_ROWS = 5 };

// ---- hysteresis

/* One contact: rows [first, first + count) between onset and release. */
typedef struct loop {
    size_t first, count;
    double time, speed; /* s, m/s at the onset */
} loop;

static const char *no_contact(const lashi_plot *p) {
    char joint[LASHI_OBJECT];
    return lashi_plot_object(joint, p, "delta", 0) && lashi_plot_object(joint, p, "fn", 0)
               ? NULL
               : "delta and fn of a joint with play";
}

/* The first impacts of a joint in the window that have rows enough to draw. */
static size_t find_loops(loop *out, size_t *impacts, const lashi_plot *p, const char *joint) {
    const double *time = p->columns[0];
    size_t count = 0, row = 0;
    double speed = (double)NAN;
    *impacts = 0;
    for (size_t i = 0; i < p->event_count && count < MOST_LOOPS; i++) {
        const lash_event *event = &p->events[i];
        if (strcmp(event->joint, joint) != 0)
            continue;
        if (event->kind == LASH_EVENT_ONSET)
            speed = event->speed;
        const double onset = event->time - event->duration;
        if (event->kind != LASH_EVENT_RELEASE || !event->impact || onset < time[0] ||
            event->time > time[p->count - 1])
            continue;
        ++*impacts;
        while (row < p->count && time[row] < onset)
            row++;
        size_t last = row;
        while (last < p->count && time[last] <= event->time)
            last++;
        if (last - row >= LEAST_ROWS)
            out[count++] = (loop){row, last - row, onset, speed};
        row = last;
    }
    return count;
}

static lash_status draw_hysteresis(lashi_plot *p, lashi_gnuplot *script) {
    FILE *stream = script->stream;
    char joint[LASHI_OBJECT], block[32], text[LASH_QUANTITY_TEXT];
    loop loops[MOST_LOOPS];
    size_t columns[3] = {0}, impacts, count;
    lash_status status = lashi_plot_joint(joint, p, "delta");
    if (!status) {
        columns[1] = lashi_plot_find_of(p, joint, "delta");
        columns[2] = lashi_plot_find_of(p, joint, "fn");
        status = columns[2] == LASHI_NONE
                     ? lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has no channel '%s.fn'", p->path, joint)
                     : lashi_plot_load(p, columns, 3);
    }
    if (!status)
        status = lashi_plot_events(p);
    if (status)
        return status;
    count = find_loops(loops, &impacts, p, joint);
    if (lashi_plot_find_of(p, joint, "contact_angle") != LASHI_NONE)
        return lashi_talk_fail(
            LASH_ERROR_USAGE,
            "the contact of '%s' is a constraint: it is not indented, and its impacts have "
            "no loop; `lash export --events` lists their impulses",
            joint);
    if (count == 0 && impacts == 0)
        return lashi_talk_fail(LASH_ERROR_USAGE, "no impact of '%s' began and ended in what is drawn", joint);
    if (count == 0)
        return lashi_talk_fail(LASH_ERROR_USAGE,
                               "the rows of '%s' are too far apart to draw its %zu impacts at '%s'; "
                               "`lash run --steps` keeps every step",
                               p->path, impacts, joint);
    lashi_axis x = lashi_axis_of(lash_result_column_unit(p->result, columns[1])),
               y = lashi_axis_of(lash_result_column_unit(p->result, columns[2]));
    const bool turns = strcmp(x.si, "rad") == 0; // of a stop
    const double *delta = p->columns[columns[1]], *force = p->columns[columns[2]];
    for (size_t k = 0; k < count; k++) {
        lashi_axis_hold(&x, delta + loops[k].first, loops[k].count);
        lashi_axis_hold(&y, force + loops[k].first, loops[k].count);
    }
    lashi_axis_prefix(&x);
    lashi_axis_prefix(&y);
    lashi_put_title(stream, p, joint);
    lashi_axis_range(stream, &x, 'x', 0);
    lashi_axis_range(stream, &y, 'y', 0);
    lashi_axis_label_words(stream, 'x', "indentation", x.unit);
    lashi_axis_label_words(stream, 'y', turns ? "torque" : "normal force", y.unit);
    fputs("set key inside top left vertical Left reverse\n", stream);
    for (size_t k = 0; k < count; k++) {
        snprintf(block, sizeof block, "loop%zu", k);
        lashi_put_path(stream, block, delta + loops[k].first, &x, force + loops[k].first, &y, loops[k].count,
                       0);
    }
    for (size_t k = 0; k < count; k++)
        fprintf(stream,
                "%s$loop%zu using 1:2 with linespoints lw 1.4 lc rgb '%s' dt %d pt %d ps 0.6 title '%.3g %s "
                "at %s'",
                k ? ", " : "plot ", k, lashi_gnuplot_colour(k), lashi_gnuplot_dash(k), lashi_gnuplot_point(k),
                loops[k].speed, turns ? "rad/s" : "m/s", lash_quantity_write(text, loops[k].time, "s"));
    fputc('\n', stream);
    return LASH_OK;
}

const lashi_preset lashi_preset_hysteresis = {.name = "hysteresis",
                                              .brief = "normal force over indentation of the first impacts",
                                              .width = 14,
                                              .height = 10.5,
                                              .steps = true,
                                              .lacks = no_contact,
                                              .draw = draw_hysteresis};

// ---- polar

/* A force whose mean is a smaller share of its largest value is drawn with a root scale. */
static const double MUCH_WEAKER = 0.2;

static const char *no_force(const lashi_plot *p) {
    char joint[LASHI_OBJECT];
    return lashi_plot_object(joint, p, "fx", 0) && lashi_plot_object(joint, p, "fy", 0)
               ? NULL
               : "fx and fy of a joint";
}

/* The joint that is named, or the first with play, or the first. */
static lash_status choose_joint(char out[LASHI_OBJECT], const lashi_plot *p) {
    for (size_t i = 0; !p->joint && lashi_plot_object(out, p, "fn", i); i++)
        if (lashi_plot_find_of(p, out, "fx") != LASHI_NONE)
            return LASH_OK;
    return lashi_plot_joint(out, p, "fx");
}

/* 1, 2 or 5 times a power of ten: so that three to six circles reach the value. */
static double circle_step(double value) {
    const double power = pow(10, floor(log10(value / 3)));
    return value / power < 6 ? power : value / power < 12 ? 2 * power : 5 * power;
}

/* The circles of a polar plot, outermost first. */
enum { MOST_CIRCLES = 8 };
typedef struct web {
    size_t count;
    double value[MOST_CIRCLES];
    bool root; /* distances from the centre go with the root of the value */
} web;

/* Where a value is drawn, 1: on the outermost circle. */
static double distance(const web *w, double value) {
    const double share = value / w->value[0];
    return w->root ? sqrt(share) : share;
}

/* Circles for values up to the largest. With a root scale: 1, 2 and 5 times powers of ten, as far as they are
 * apart. */
static web circles(double largest, bool root) {
    static const double nice[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10}, steps[] = {5, 2, 1};
    static const double NEAREST = 0.2, APART = 0.75; // of the outermost circle: distance, value
    web w = {.root = root};
    if (!root) {
        const double step = circle_step(largest);
        for (double k = ceil(largest / step); k >= 1 && w.count < MOST_CIRCLES; k--)
            w.value[w.count++] = k * step;
        return w;
    }
    const double power = pow(10, floor(log10(largest)));
    size_t i = 0;
    while (nice[i] * power < largest && i + 1 < sizeof nice / sizeof *nice)
        i++;
    w.value[w.count++] = nice[i] * power;
    for (double decade = power; w.count < MOST_CIRCLES && distance(&w, 5 * decade) >= NEAREST; decade /= 10)
        for (size_t s = 0; s < 3 && w.count < MOST_CIRCLES; s++)
            if (steps[s] * decade < APART * w.value[0] && distance(&w, steps[s] * decade) >= NEAREST)
                w.value[w.count++] = steps[s] * decade;
    return w;
}

/* Circles and spokes with their labels, and the ranges. */
static void put_web(FILE *stream, const web *w) {
    enum { CORNERS = 120, SPOKES = 12, LABELLED = 75 };
    fputs("$web << END\n", stream);
    for (size_t k = 0; k < w->count; k++) {
        const double r = distance(w, w->value[k]);
        for (int i = 0; i <= CORNERS; i++)
            fprintf(stream, "%.6g %.6g\n", r * cos(2 * PI * i / CORNERS), r * sin(2 * PI * i / CORNERS));
        fputc('\n', stream);
    }
    for (int i = 0; i < SPOKES; i++)
        fprintf(stream, "0 0\n%.6g %.6g\n\n", cos(2 * PI * i / SPOKES), sin(2 * PI * i / SPOKES));
    fputs("END\nset size ratio -1\nunset border\nunset tics\nunset grid\nunset key\n"
          "set xrange [-1.16:1.16]\nset yrange [-1.16:1.16]\n",
          stream);
    for (int i = 0; i < SPOKES; i++)
        fprintf(stream, "set label %d '%d°' at %.6g,%.6g center\n", 100 + i, 360 / SPOKES * i,
                1.09 * cos(2 * PI * i / SPOKES), 1.09 * sin(2 * PI * i / SPOKES));
    for (size_t k = 0; k < w->count; k++) {
        const double r = distance(w, w->value[k]);
        fprintf(stream, "set label %zu '%g' at %.6g,%.6g center front\n", 200 + k, w->value[k],
                r * cos(PI / 180 * LABELLED), r * sin(PI / 180 * LABELLED));
    }
}

/* Mean over time of values between rows. */
static double mean_over_time(const double *time, const double *value, size_t count) {
    double sum = 0;
    for (size_t i = 1; i < count; i++)
        sum += (time[i] - time[i - 1]) * (value[i] + value[i - 1]) / 2;
    return count > 1 && time[count - 1] > time[0] ? sum / (time[count - 1] - time[0]) : value[0];
}

static lash_status draw_polar(lashi_plot *p, lashi_gnuplot *script) {
    FILE *stream = script->stream;
    char joint[LASHI_OBJECT];
    size_t columns[] = {LASHI_NONE, LASHI_NONE, LASHI_NONE, LASHI_NONE, 0};
    lash_status status = choose_joint(joint, p);
    if (!status && p->x)
        status = lashi_plot_channel(&columns[2], p, p->x);
    if (!status && p->x && strcmp(lash_result_column_unit(p->result, columns[2]), "rad") != 0)
        status = lashi_talk_usage(p->command, "--x of a polar plot is an angle; '%s' is not", p->x);
    if (status)
        return status;
    columns[0] = lashi_plot_find_of(p, joint, "fx");
    columns[1] = lashi_plot_find_of(p, joint, "fy");
    if (columns[1] == LASHI_NONE)
        return lashi_talk_fail(LASH_ERROR_USAGE, "'%s' has no channel '%s.fy'", p->path, joint);
    columns[3] = lashi_plot_find_of(p, joint, "fz");
    const bool spatial = columns[3] != LASHI_NONE;
    status = lashi_plot_load(p, columns, sizeof columns / sizeof *columns);
    // The plane across a pin, or else xy.
    const size_t across = status ? LASHI_NONE
                                 : lashi_plot_normal(p, (size_t[3]){columns[0], columns[1], columns[3]}),
                 normal = across == LASHI_NONE ? 2 : across;
    static const char *const planes[] = {" in the plane yz", " in the plane xz", " in the plane xy"};
    double *x = status ? NULL : calloc(p->count, sizeof *x), *y = status ? NULL : calloc(p->count, sizeof *y),
           *size = status ? NULL : calloc(p->count, sizeof *size);
    lashi_axis axis = lashi_axis_of("N");
    for (size_t i = 0; x && y && size && i < p->count; i++) {
        const double fx = p->columns[columns[0]][i], fy = p->columns[columns[1]][i],
                     fz = spatial && (p->x || normal != 2) ? p->columns[columns[3]][i] : 0;
        size[i] = hypot(hypot(fx, fy), fz);
        x[i] = p->x ? size[i] * cos(p->columns[columns[2]][i]) : normal == 0 ? fy : fx;
        y[i] = p->x ? size[i] * sin(p->columns[columns[2]][i]) : normal == 2 ? fy : fz;
        lashi_axis_hold(&axis, &size[i], 1);
    }
    if (!status && (!x || !y || !size))
        status = lashi_talk_fail(LASH_ERROR_MEMORY, "out of memory");
    if (!status) {
        lashi_axis_prefix(&axis);
        // Impacts are many times stronger than what comes between them, which would vanish in the centre.
        const bool root = mean_over_time(p->columns[0], size, p->count) < MUCH_WEAKER * axis.high;
        const web w = circles(axis.high > 0 ? axis.high * axis.factor : 1, root);
        const lashi_axis unit = {.factor = 1};
        put_web(stream, &w);
        for (size_t i = 0; i < p->count; i++) {
            const double scale = size[i] > 0 ? distance(&w, size[i] * axis.factor) / size[i] : 0;
            x[i] *= scale;
            y[i] *= scale;
        }
        lashi_put_title(stream, p, joint);
        lashi_put_path(stream, "path", x, &unit, y, &unit, p->count, 1.0 / 400);
        fprintf(stream, "set label 1 'force%s (%s%s) over ", spatial && !p->x ? planes[normal] : "",
                axis.unit, root ? ", square-root scale" : "");
        lashi_gnuplot_text(stream, p->x ? p->x : "its direction", LASHI_NAME);
        fputs("' at screen 0.5, screen 0.03 center\n", stream);
        fprintf(stream,
                "plot $web using 1:2 with lines lw 0.6 lc rgb '#C8C8C8', "
                "$path using 1:2 with lines lw %s lc rgb '%s'\n",
                root ? "0.7" : "1.2", lashi_gnuplot_colour(0));
    }
    free(x);
    free(y);
    free(size);
    return status;
}

const lashi_preset lashi_preset_polar = {.name = "polar",
                                         .brief = "force of a joint over its direction, or over --x ANGLE",
                                         .width = 13,
                                         .height = 13.5,
                                         .lacks = no_force,
                                         .draw = draw_polar};
