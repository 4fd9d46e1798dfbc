/* SPDX-License-Identifier: MIT
 *
 * Curves over the crank angle or the time: histories of channels, the energy ledger, the oil film. Panels
 * are above each other over one horizontal axis; channels of one quantity share a panel.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "cli/talk.h"

enum { MOST_PANELS = 6, MOST_CURVES = 6, MOST_CHANNELS = 12 };
static const double PANEL = 3.8, AROUND = 2.6; // cm, heights of a panel and of what stands around all
static const double LEGEND = 0.3;              // of a panel, room above the curves

typedef struct panel {
    size_t columns[MOST_CURVES], count;
    const char *words; /* of the axis; NULL: the channel's own */
    lashi_axis axis;
} panel;

// ---- panels

static const char *name_of(const lashi_plot *p, size_t column) {
    return lash_result_column_name(p->result, column);
}

static bool same_axis(const lashi_plot *p, size_t a, size_t b) {
    return strcmp(lash_result_column_unit(p->result, a), lash_result_column_unit(p->result, b)) == 0 &&
           strcmp(lashi_axis_words(name_of(p, a)), lashi_axis_words(name_of(p, b))) == 0;
}

/* Channels sorted into panels: one quantity, one panel. */
static lash_status sort_into_panels(panel *panels, size_t *panel_count, const lashi_plot *p,
                                    const size_t *columns, size_t count) {
    *panel_count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < *panel_count &&
               !(same_axis(p, panels[k].columns[0], columns[i]) && panels[k].count < MOST_CURVES))
            k++;
        if (k == MOST_PANELS)
            return lashi_talk_usage(p->command, "these channels would take more than %d panels",
                                    (int)MOST_PANELS);
        if (k == *panel_count)
            panels[(*panel_count)++] = (panel){0};
        panels[k].columns[panels[k].count++] = columns[i];
    }
    return LASH_OK;
}

/* The columns of one result that belong to those of another, by name. */
static void translate(size_t *out, const lashi_plot *to, const lashi_plot *from, const panel *one) {
    for (size_t i = 0; i < one->count; i++)
        if ((out[i] = lashi_plot_find(to, name_of(from, one->columns[i]))) == LASHI_NONE)
            fprintf(stderr, "lash plot: note: %s has no channel '%s': it is drawn of %s alone\n", to->path,
                    name_of(from, one->columns[i]), from->path);
}

static void hold_panel(panel *one, const lashi_plot *p, const size_t *others) {
    one->axis = lashi_axis_of(lash_result_column_unit(p->result, one->columns[0]));
    for (size_t i = 0; i < one->count; i++) {
        lashi_axis_hold(&one->axis, p->columns[one->columns[i]], p->count);
        if (p->against && others[i] != LASHI_NONE)
            lashi_axis_hold(&one->axis, p->against->columns[others[i]], p->against->count);
    }
    lashi_axis_fit(&one->axis);
}

// ---- drawing

/* A data block for each curve: $aI of this result, $bI of the other. */
static void put_blocks(FILE *stream, const lashi_plot *p, const panel *one, const size_t *others,
                       const lashi_abscissa *x, double other_factor, size_t other_column) {
    char block[32];
    for (size_t i = 0; i < one->count; i++) {
        const double *y = p->columns[one->columns[i]];
        snprintf(block, sizeof block, "a%zu", i);
        const lashi_axis along = {.factor = x->factor};
        if (x->rising)
            lashi_put_curve(stream, block, p->columns[x->column], x->factor, y, &one->axis, p->count);
        else
            lashi_put_path(stream, block, p->columns[x->column], &along, y, &one->axis, p->count, 0);
        if (!p->against || others[i] == LASHI_NONE)
            continue;
        snprintf(block, sizeof block, "b%zu", i);
        lashi_put_curve(stream, block, p->against->columns[other_column], other_factor,
                        p->against->columns[others[i]], &one->axis, p->against->count);
    }
}

/* A channel in the legend; entries of the ledger without the word that is at the axis. */
static void put_name(FILE *stream, const lashi_plot *p, const panel *one, size_t i) {
    const char *name = name_of(p, one->columns[i]);
    const bool ledger = one->words && strncmp(name, "energy.", 7) == 0;
    lashi_gnuplot_text(stream, ledger ? name + 7 : name, LASHI_NAME);
}

static void put_plot(FILE *stream, const lashi_plot *p, const panel *one, const size_t *others) {
    const char *separator = "plot ";
    for (size_t i = 0; i < one->count; i++, separator = ", ") {
        fprintf(stream, "%s$a%zu using 1:2 with lines lw 1.5 lc rgb '%s' dt %d title '", separator, i,
                lashi_gnuplot_colour(i), p->against ? 1 : lashi_gnuplot_dash(i));
        if (one->count > 1)
            put_name(stream, p, one, i);
        else if (p->against)
            lashi_put_file_name(stream, p->path);
        fputc('\'', stream);
    }
    for (size_t i = 0; p->against && i < one->count; i++) {
        if (others[i] == LASHI_NONE)
            continue;
        fprintf(stream, ", $b%zu using 1:2 with lines lw 1.5 lc rgb '%s' dt 2 title '", i,
                one->count > 1 ? lashi_gnuplot_colour(i) : "#000000");
        lashi_put_file_name(stream, p->against->path);
        fputc('\'', stream);
    }
    fputc('\n', stream);
}

/* All panels. Columns are loaded already, except for those of the other result. */
static lash_status draw_panels(lashi_plot *p, lashi_gnuplot *script, panel *panels, size_t count) {
    FILE *stream = script->stream;
    lashi_abscissa x, other_x = {0};
    size_t others[MOST_PANELS][MOST_CURVES];
    lash_status status = lashi_abscissa_choose(&x, p);
    if (!status && p->against) {
        if (p->x == NULL && (p->drive == LASHI_NONE) != (p->against->drive == LASHI_NONE))
            p->x = p->against->x = "time"; // one of them has no crank
        status = lashi_abscissa_choose(&x, p);
        if (!status)
            status = lashi_abscissa_choose(&other_x, p->against);
    }
    for (size_t k = 0; !status && k < count; k++) {
        if (p->against) {
            translate(others[k], p->against, p, &panels[k]);
            status = lashi_plot_load(p->against, others[k], panels[k].count);
        }
        if (!status)
            hold_panel(&panels[k], p, others[k]);
    }
    if (status)
        return status;
    lashi_put_title(stream, p, NULL);
    fprintf(stream,
            "set multiplot layout %zu,1 margins char 13.5,3,3.6,2.2 spacing char 0,0.9\n"
            "set key inside top right horizontal width 0.5\nset ylabel offset -1\n",
            count);
    for (size_t k = 0; k < count; k++) {
        const panel *one = &panels[k];
        const bool legend = one->count > 1 || (p->against && k == 0);
        put_blocks(stream, p, one, others[k], &x, x.factor, other_x.column);
        lashi_abscissa_put(stream, p, &x, k + 1 == count);
        lashi_axis_range(stream, &one->axis, 'y', legend ? LEGEND : 0);
        if (one->words)
            lashi_axis_label_words(stream, 'y', one->words, one->axis.unit);
        else if (one->count == 1)
            lashi_axis_label(stream, 'y', name_of(p, one->columns[0]), &one->axis, true);
        else
            lashi_axis_label_words(stream, 'y', lashi_axis_words(name_of(p, one->columns[0])),
                                   one->axis.unit);
        fputs(legend ? "set key\n" : "unset key\n", stream);
        put_plot(stream, p, one, others[k]);
        fputs("unset title\n", stream);
    }
    fputs("unset multiplot\n", stream);
    return LASH_OK;
}

static void fit_height(lashi_gnuplot *script, size_t panels) {
    if (script->height <= 0)
        script->height = AROUND + PANEL * (double)(panels < 2 ? 2 : panels);
}

// ---- history

static const char *no_channels(const lashi_plot *p) {
    return p->width > 1 ? NULL : "a channel besides the time";
}

/* Without --channels: speed and acceleration of the part that shows most, and what the drive must give. */
static lash_status default_channels(size_t *columns, size_t *count, lashi_plot *p) {
    size_t motion[3];
    char drive[LASHI_OBJECT];
    const lash_status status = lashi_plot_main_motion(motion, p);
    *count = 0;
    if (status)
        return status;
    for (size_t k = 1; k < 3; k++)
        if (motion[k] != LASHI_NONE)
            columns[(*count)++] = motion[k];
    if (*count < 2 && motion[0] != LASHI_NONE)
        columns[(*count)++] = motion[0];
    if (*count > 0 && p->drive != LASHI_NONE && lashi_plot_object(drive, p, "torque", 0))
        columns[(*count)++] = lashi_plot_find_of(p, drive, "torque");
    for (size_t c = 1; c < p->width && *count < 3; c++) {
        bool seen = c == p->drive;
        for (size_t k = 0; k < *count; k++)
            seen = seen || columns[k] == c;
        // Recorded alone, these are what was wanted.
        if (!seen && p->width <= MOST_CHANNELS)
            columns[(*count)++] = c;
    }
    return LASH_OK;
}

static lash_status draw_history(lashi_plot *p, lashi_gnuplot *script) {
    size_t columns[MOST_CHANNELS], count, panel_count;
    panel panels[MOST_PANELS];
    lash_status status = p->channels ? lashi_plot_channels(columns, &count, MOST_CHANNELS, p, p->channels)
                                     : default_channels(columns, &count, p);
    if (!status && count == 0) // nothing that moves: whatever comes first
        columns[count++] = 1;
    if (!status)
        status = sort_into_panels(panels, &panel_count, p, columns, count);
    if (!status)
        status = lashi_plot_load(p, columns, count);
    if (status)
        return status;
    fit_height(script, panel_count);
    return draw_panels(p, script, panels, panel_count);
}

const lashi_preset lashi_preset_history = {.name = "history",
                                           .brief = "channels over the crank angle or the time",
                                           .width = 16,
                                           .against = true,
                                           .lacks = no_channels,
                                           .draw = draw_history};

// ---- energy

static const char *no_energy(const lashi_plot *p) {
    return lashi_plot_find(p, "energy.balance") != LASHI_NONE ? NULL : "the channels energy.*";
}

static bool is_zero(const lashi_plot *p, size_t column) {
    for (size_t i = 0; i < p->count; i++)
        if (p->columns[column][i] != 0)
            return false;
    return true;
}

static lash_status draw_energy(lashi_plot *p, lashi_gnuplot *script) {
    enum { PANELS = 3, NAMES = 5 };
    static const char *const names[PANELS][NAMES] = {
        {"energy.input", "energy.kinetic", "energy.potential", "energy.elastic"},
        {"energy.dissipated", "energy.damping", "energy.contact", "energy.friction", "energy.film"},
        {"energy.balance"}};
    static const char *const words[PANELS] = {"energy", "lost", "balance"};
    panel panels[PANELS] = {{.count = 0}};
    size_t count = 0;
    for (size_t k = 0; k < PANELS; k++) {
        size_t columns[NAMES];
        for (size_t i = 0; i < NAMES; i++)
            columns[i] = names[k][i] ? lashi_plot_find(p, names[k][i]) : LASHI_NONE;
        const lash_status status = lashi_plot_load(p, columns, NAMES);
        if (status)
            return status;
        // What the machine does not have (no contact, no loss) is left out.
        panel *one = &panels[count];
        *one = (panel){.words = words[k]};
        for (size_t i = 0; i < NAMES; i++)
            if (columns[i] != LASHI_NONE && (k == PANELS - 1 || !is_zero(p, columns[i])))
                one->columns[one->count++] = columns[i];
        count += one->count > 0;
    }
    fit_height(script, count);
    return draw_panels(p, script, panels, count);
}

const lashi_preset lashi_preset_energy = {.name = "energy",
                                          .brief = "the energy ledger and its balance",
                                          .width = 16,
                                          .lacks = no_energy,
                                          .draw = draw_energy};

// ---- film

static const char *no_film(const lashi_plot *p) {
    char joint[LASHI_OBJECT];
    return lashi_plot_object(joint, p, "film", 0) ? NULL : "a lubricated joint";
}

static lash_status draw_film(lashi_plot *p, lashi_gnuplot *script) {
    static const char *const quantities[] = {"film", "film_force", "film_pressure"};
    char joint[LASHI_OBJECT];
    size_t columns[3], count = 0;
    panel panels[3];
    lash_status status = lashi_plot_joint(joint, p, "film");
    for (size_t i = 0; !status && i < 3; i++) {
        const size_t column = lashi_plot_find_of(p, joint, quantities[i]);
        if (column == LASHI_NONE)
            continue;
        panels[count] = (panel){.columns = {column}, .count = 1};
        columns[count++] = column;
    }
    if (!status)
        status = lashi_plot_load(p, columns, count);
    if (status)
        return status;
    fit_height(script, count);
    return draw_panels(p, script, panels, count);
}

const lashi_preset lashi_preset_film = {.name = "film",
                                        .brief = "thickness, force and pressure of an oil film",
                                        .width = 16,
                                        .lacks = no_film,
                                        .draw = draw_film};
