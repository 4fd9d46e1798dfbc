/* SPDX-License-Identifier: MIT
 *
 * Figures of a life: the worn profiles around a pin, magnified, or along a channel, with their history; and
 * curves over the turns.
 */
#include <math.h>
#include <string.h>

#include "cli/gnuplot.h"
#include "cli/plot_life.h"
#include "cli/talk.h"

enum { RINGS = 6, POINTS = 360 };
/* Of the mean radius as drawn: how far the deepest wear reaches. */
static const double REACH = 0.35;

/* Stages that are drawn: RINGS of them at most, equally far apart in the deepest wear. */
static size_t choose(size_t out[RINGS + 1], const lash_life *life, size_t joint) {
    const size_t stages = lash_life_stage_count(life);
    const double end = lash_life_stage_at(life, stages - 1)->joints[joint].play,
                 begin = lash_life_stage_at(life, 0)->joints[joint].play;
    size_t count = 0;
    for (size_t i = 1; i < stages; i++) {
        const double play = lash_life_stage_at(life, i)->joints[joint].play;
        const double step = (end - begin) / RINGS, level = begin + step * (double)(count + 1);
        // Not beside the last one, which is drawn in any case.
        if (i + 1 == stages || (play >= level && end - play >= step / 2 && count + 1 < RINGS))
            out[count++] = i;
    }
    return count;
}

/* Profiles of one part of the stages, the new one last: around the origin, magnified, radii 1; or along the
 * channel in mm, its faces half the play from the middle, µm. */
static void put_part(FILE *stream, const lash_life *life, size_t joint, int part, const size_t *stages,
                     size_t count, double scale) {
    const double sign = part ? -1 : 1, radius = part ? 0.92 : 1.0;
    for (size_t k = 0; k <= count; k++) {
        const lash_life_stage *stage = lash_life_stage_at(life, k < count ? stages[k] : 0);
        const lash_life_joint *j = &stage->joints[joint];
        const lash_worn_shape *shape = &j->shape;
        const double length = shape->pitch * (double)shape->sectors;
        fprintf(stream, "$part%d_%zu << END\n", part, k);
        for (int i = 0; i <= POINTS; i++) {
            const double at = shape->origin + length * i / POINTS,
                         depth = lash_worn_depth(shape, j->profile[part], at),
                         r = radius + sign * scale * depth;
            if (shape->closed)
                fprintf(stream, "%.6g %.6g\n", r * cos(at), r * sin(at));
            else
                fprintf(stream, "%.6g %.6g\n", 1e3 * at, 1e6 * sign * (0.5 * shape->clearance + depth));
        }
        fputs("END\n", stream);
    }
}

static void set_circle(FILE *stream, const lash_life_joint *last) {
    fprintf(stream, "set size ratio -1\nunset tics\nunset border\nset xrange [-1.45:1.45]\nset yrange "
                    "[-1.8:1.4]\nset key outside right center Left reverse\n");
    fprintf(stream, "set label 1 '");
    lashi_gnuplot_text(stream, last->shape.joint, LASHI_NAME);
    fprintf(stream, ": bearing outside, journal inside' at 0,-1.43 center\n");
    fprintf(stream,
            "set label 2 'worn by up to %.3g µm and %.3g µm' at 0,-1.57 center\n"
            "set label 3 'radial play %.3g µm when new' at 0,-1.71 center\n",
            1e6 * last->deepest[LASH_BEARING], 1e6 * last->deepest[LASH_JOURNAL],
            1e6 * last->shape.clearance);
}

static void set_channel(FILE *stream, const lash_life_joint *last) {
    const double from = 1e3 * last->shape.origin,
                 length = 1e3 * last->shape.pitch * (double)last->shape.sectors;
    fprintf(stream,
            "set xrange [%.6g:%.6g]\nset xlabel 'along the channel (mm)'\nset key outside right center "
            "Left reverse\nset ylabel '",
            from, from + length);
    lashi_gnuplot_text(stream, last->shape.joint, LASHI_NAME);
    fputs(": faces from the middle, without the height of the block (µm)'\n", stream);
}

/* How people count turns. */
typedef struct counted {
    double size;
    const char *words, *bare; /* between number and "turns"; by themselves */
} counted;
static counted count_in(double turns) {
    return turns >= 1e6   ? (counted){1e6, " million", "million"}
           : turns >= 1e4 ? (counted){1e3, " thousand", "thousand"}
                          : (counted){1, "", ""};
}

static void draw_profiles(FILE *stream, const lash_life *life, size_t joint) {
    size_t stages[RINGS + 1];
    const size_t count = choose(stages, life, joint);
    const lash_life_stage *end = lash_life_stage_at(life, lash_life_stage_count(life) - 1);
    const lash_life_joint *last = &end->joints[joint];
    const double deepest = fmax(last->deepest[0], last->deepest[1]);
    fputs("set title '", stream);
    lashi_gnuplot_text(stream, lash_life_title(life), LASHI_TITLE);
    fputs("'\n", stream);
    (last->shape.closed ? set_circle : set_channel)(stream, last);
    for (int part = 0; part < LASH_WORN_PARTS; part++)
        put_part(stream, life, joint, part, stages, count, deepest > 0 ? REACH / deepest : 0);
    fputs("plot ", stream);
    for (int part = 0; part < LASH_WORN_PARTS; part++)
        for (size_t k = 0; k <= count; k++) {
            const double turns = lash_life_stage_at(life, k < count ? stages[k] : 0)->turns;
            const counted unit = count_in(turns);
            fprintf(stream, "%s$part%d_%zu using 1:2 with lines lw 1.4 dt %d lc rgb '%s' ",
                    part || k ? ", " : "", part, k, k == count ? 3 : 1,
                    k == count ? "#000000" : lashi_gnuplot_colour(k));
            if (part)
                fputs("notitle", stream);
            else if (k == count)
                fputs("title 'new'", stream);
            else
                fprintf(stream, "title '%.4g%s turns'", turns / unit.size, unit.words);
        }
    fputc('\n', stream);
}

static void draw_curves(FILE *stream, const lash_life *life) {
    const lash_life_stage *first = lash_life_stage_at(life, 0);
    const size_t stages = lash_life_stage_count(life), joints = first->joint_count;
    static const struct {
        const char *label;
        double factor;
    } curves[] = {{"play (µm)", 1e6}, {"worn off (mm³)", 1e9}, {"peak force (N)", 1}};
    enum { CURVES = sizeof curves / sizeof *curves };
    for (size_t j = 0; j < joints; j++) {
        fprintf(stream, "$joint%zu << END\n", j);
        for (size_t i = 0; i < stages; i++) {
            const lash_life_stage *s = lash_life_stage_at(life, i);
            fprintf(stream, "%.9g %.9g %.9g %.9g\n", s->turns, s->joints[j].play, s->joints[j].volume,
                    s->joints[j].peak_force);
        }
        fputs("END\n", stream);
    }
    fputs("set multiplot layout 3,1 title '", stream);
    lashi_gnuplot_text(stream, lash_life_title(life), LASHI_TITLE);
    fputs("' margins char 12,3,3.6,2.2 spacing char 0,0.9\nset xrange [0:*]\nset ylabel offset -1\n", stream);
    const counted unit = count_in(lash_life_stage_at(life, stages - 1)->turns);
    for (size_t c = 0; c < CURVES; c++) {
        const bool lowest = c + 1 == CURVES;
        fprintf(stream,
                "set ylabel '%s'\nset xlabel '%s%s%s%s'\nset format x '%s'\n%s\nset yrange [%s:*]\nplot ",
                curves[c].label, lowest ? "turns" : "", lowest && *unit.bare ? " (" : "",
                lowest ? unit.bare : "", lowest && *unit.bare ? ")" : "", lowest ? "%g" : "",
                c ? "unset key" : "set key top left", c ? "0" : "*");
        for (size_t j = 0; j < joints; j++) {
            fprintf(
                stream,
                "%s$joint%zu using ($1/%g):($%zu*%g) with linespoints pt 7 ps 0.3 lw 1.4 dt %d lc rgb '%s' "
                "title ",
                j ? ", " : "", j, unit.size, c + 2, curves[c].factor, lashi_gnuplot_dash(j),
                lashi_gnuplot_colour(j));
            lashi_gnuplot_quoted(stream, first->joints[j].shape.joint, LASHI_NAME);
        }
        fputc('\n', stream);
    }
    fputs("unset multiplot\n", stream);
}

lash_status lashi_plot_life(const lash_life *life, const lashi_life_figure *figure) {
    const bool curves = figure->what && strcmp(figure->what, "life") == 0;
    lashi_gnuplot script = {0};
    size_t joint = 0;
    if (figure->what && !curves && strcmp(figure->what, "wear") != 0)
        return lashi_talk_fail(LASH_ERROR_USAGE, "of a life --what is wear or life, not '%s'", figure->what);
    const lash_life_stage *first = lash_life_stage_at(life, 0);
    if (!first)
        return lashi_talk_fail(LASH_ERROR_USAGE, "there is no stage in the file yet");
    while (figure->joint && joint < first->joint_count &&
           strcmp(first->joints[joint].shape.joint, figure->joint) != 0)
        joint++;
    if (joint == first->joint_count)
        return lashi_talk_fail(LASH_ERROR_USAGE, "no joint '%s' wears in this life", figure->joint);
    lash_status status = lashi_gnuplot_begin(&script, figure->picture, figure->width, figure->height);
    if (!status && curves)
        draw_curves(script.stream, life);
    else if (!status)
        draw_profiles(script.stream, life, joint);
    return lashi_gnuplot_end(&script, status, figure->script);
}
