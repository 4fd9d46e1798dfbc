/* SPDX-License-Identifier: MIT
 *
 * What varies: axes, drawn parameters, the searched one.
 *
 *   play:    {from: 0.01 mm, to: 0.5 mm, steps: 50, scale: log}    50 values, both ends included
 *   gudgeon: [ideal, clearance]                                    a list of anything that a model reads
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/metric.h"
#include "study/read.h"

enum { MOST_STEPS = 1000000, MOST_SAMPLES = 1000000 };
static const double TOLERANCE = 1e-2; // of a search, relative
enum { SCAN = 8 };
/* Standard deviations: what lies farther from the mean has no probability above the smallest number. */
static const double FARTHEST = 37;

// ---- axes

static void add_value(lashi_axis *axis, const char *text, double number, bool is_number) {
    if (text)
        axis->values[axis->count++] = (lashi_axis_value){text, number, is_number};
}

/* Two values of one parameter have one dimension. */
static bool of_one_dimension(lash_document *document, const char *path, const lash_node *first,
                             const char *unit, const lash_node *other, const char *other_unit) {
    if (strcmp(unit, other_unit) == 0)
        return true;
    lash_document_mistake(document, other, "%s: '%s' and '%s' are not of one dimension%s", path,
                          lash_node_text(first), lash_node_text(other),
                          !unit[0] || !other_unit[0] ? "; both need a unit, also where one is 0" : "");
    return false;
}

static void read_list(lash_study *study, lashi_axis *axis, const lash_node *list) {
    lash_document *document = study->document;
    const size_t count = lash_node_count(list);
    const lash_node *first = NULL;
    if (count == 0)
        lash_document_mistake(document, list, "axis '%s' has no values", axis->name);
    axis->values = lashi_study_alloc(study, count, sizeof *axis->values);
    for (size_t i = 0; axis->values && i < count; i++) {
        const lash_node *item = lash_node_item(list, i);
        const char *text;
        char unit[LASH_NODE_UNIT];
        double number = (double)NAN;
        if (!lash_node_word(&text, document, item, axis->name, "a value"))
            continue;
        const bool is_number = lash_node_is_quantity(&number, unit, document, item);
        if (is_number && !first) {
            first = item;
            snprintf(axis->unit, sizeof axis->unit, "%s", unit);
        } else if (is_number && !of_one_dimension(document, axis->name, first, axis->unit, item, unit))
            continue;
        add_value(axis, text, number, is_number);
    }
}

/* Both ends of a range, of one dimension. */
static bool read_ends(double *from, double *to, char unit[LASH_NODE_UNIT], lash_document *document,
                      const lash_node *map, const char *name) {
    const lash_node *first = lash_node_find(map, "from"), *last = lash_node_find(map, "to");
    char other[LASH_NODE_UNIT];
    if (!first || !last) {
        lash_document_mistake(document, map, "%s: `from` and `to` belong here", name);
        return false;
    }
    bool fine = lash_node_quantity(from, unit, document, first, "from");
    fine = lash_node_quantity(to, other, document, last, "to") && fine;
    return fine && of_one_dimension(document, "to", first, unit, last, other);
}

static bool read_scale(bool *log, lash_document *document, const lash_node *map, double from, double to) {
    const lash_node *scale = lash_node_find(map, "scale");
    const char *word;
    *log = false;
    if (!scale)
        return true;
    if (!lash_node_word(&word, document, scale, "scale", "linear or log"))
        return false;
    *log = strcmp(word, "log") == 0;
    if (!*log && strcmp(word, "linear") != 0) {
        lash_document_mistake(document, scale, "scale: expects linear or log, found '%s'", word);
        return false;
    }
    if (*log && !(from * to > 0)) {
        lash_document_mistake(document, scale, "scale: log needs ends of one sign that are not zero");
        return false;
    }
    return true;
}

static void read_range(lash_study *study, lashi_axis *axis, const lash_node *map) {
    static const char *const allowed[] = {"from", "to", "steps", "scale", NULL};
    lash_document *document = study->document;
    double from, to;
    size_t steps = 0;
    bool log;
    const lash_node *node = lash_node_find(map, "steps");
    bool fine = lash_node_known_keys(document, map, axis->name, allowed);
    if (!node) {
        lash_document_mistake(document, map, "axis '%s': `steps`, the number of values, belongs here",
                              axis->name);
        fine = false;
    } else
        fine = lash_node_whole(&steps, document, node, "steps", 1, MOST_STEPS) && fine;
    fine = read_ends(&from, &to, axis->unit, document, map, axis->name) && fine;
    fine = fine && read_scale(&log, document, map, from, to);
    if (!fine)
        return;
    axis->values = lashi_study_alloc(study, steps, sizeof *axis->values);
    for (size_t i = 0; axis->values && i < steps; i++) {
        const double x = steps > 1 ? (double)i / (double)(steps - 1) : 0;
        double value = log ? from * pow(to / from, x) : from + x * (to - from);
        if (i + 1 == steps && steps > 1)
            value = to;
        add_value(axis, lashi_study_print(study, "%.17g%s%s", value, axis->unit[0] ? " " : "", axis->unit),
                  value, true);
    }
}

static void zip_axes(lash_study *study, const lash_node *group) {
    lash_document *document = study->document;
    lashi_axis *first = NULL;
    for (size_t i = 0; i < lash_node_count(group); i++) {
        const lash_node *item = lash_node_item(group, i);
        lashi_axis *axis = NULL;
        for (size_t k = 0; k < study->axis_count; k++)
            if (strcmp(study->axes[k].name, lash_node_text(item)) == 0)
                axis = &study->axes[k];
        if (!axis)
            lash_document_mistake(document, item, "zip: there is no axis '%s'", lash_node_text(item));
        else if (!first)
            first = axis;
        else if (axis->count != first->count)
            lash_document_mistake(document, item,
                                  "zip: '%s' has %zu values and '%s' %zu; they cannot vary together",
                                  axis->name, axis->count, first->name, first->count);
        else
            axis->group = first->group;
    }
}

/* Groups are numbered from 0 without gaps, in the order of their first axes. */
static void number_groups(lash_study *study) {
    for (size_t i = 0; i < study->axis_count; i++) {
        const size_t old = study->axes[i].group;
        if (old < study->group_count)
            continue;
        for (size_t k = i; k < study->axis_count; k++)
            if (study->axes[k].group == old)
                study->axes[k].group = study->group_count;
        study->group_count++;
    }
}

void lashi_read_axes(lash_study *study, const lash_node *axes, const lash_node *zip) {
    lash_document *document = study->document;
    if (axes && !lash_node_is(document, axes, LASH_NODE_MAP, "axes", "a map of parameters and their values"))
        axes = NULL;
    const size_t count = axes ? lash_node_count(axes) : 0;
    study->axes = lashi_study_alloc(study, count, sizeof *study->axes);
    for (size_t i = 0; study->axes && i < count; i++) {
        const lash_node *key = lash_node_key(axes, i), *value = lash_node_item(axes, i);
        if (!lashi_study_free_name(study, key))
            continue;
        lashi_axis *axis = &study->axes[study->axis_count++];
        // Above all final numbers until the groups are counted.
        *axis = (lashi_axis){.name = lash_node_text(key), .key = key, .group = count + i};
        if (lash_node_kind(value) == LASH_NODE_LIST)
            read_list(study, axis, value);
        else if (lash_node_is(document, value, LASH_NODE_MAP, axis->name,
                              "a list of values, or a range such as {from: 0.1 mm, to: 0.5 mm, steps: 5}"))
            read_range(study, axis, value);
    }
    if (zip && lash_node_is(document, zip, LASH_NODE_LIST, "zip", "a list of axes, or of such lists")) {
        const bool nested = lash_node_count(zip) && lash_node_kind(lash_node_item(zip, 0)) == LASH_NODE_LIST;
        for (size_t i = 0; i < (nested ? lash_node_count(zip) : 1); i++)
            zip_axes(study, nested ? lash_node_item(zip, i) : zip);
    }
    number_groups(study);
}

// ---- drawn parameters

static void read_fit(lash_study *study, lashi_draw *draw, const lash_node *map, const lash_node *node) {
    lash_document *document = study->document;
    const char *text, *wrong;
    char fit[32];
    int used = 0;
    if (!lash_node_word(&text, document, node, "fit", "a fit such as H7/g6 at 20 mm"))
        return;
    double diameter = 0;
    // The diameter has its unit, mm or m, written behind it.
    char unit[8] = "";
    if (sscanf(text, "%31s at %lf %7s%n", fit, &diameter, unit, &used) != 3 || (size_t)used != strlen(text) ||
        (strcmp(unit, "mm") != 0 && strcmp(unit, "m") != 0)) {
        lash_document_mistake(document, node, "fit: expects a fit and a diameter, such as H7/g6 at 20 mm");
        return;
    }
    wrong = lashi_fit_limits(draw->distribution.p, fit, strcmp(unit, "mm") == 0 ? diameter * 1e-3 : diameter);
    if (wrong)
        lash_document_mistake(document, node, "fit: %s", wrong);
    draw->distribution.kind = LASHI_FIT;
    snprintf(draw->unit, sizeof draw->unit, "m");
    const lash_node *shape = lash_node_find(map, "shape");
    const char *word;
    if (!shape || !lash_node_word(&word, document, shape, "shape", "normal or uniform"))
        return;
    draw->distribution.uniform = strcmp(word, "uniform") == 0;
    if (!draw->distribution.uniform && strcmp(word, "normal") != 0)
        lash_document_mistake(document, shape, "shape: expects normal or uniform, found '%s'", word);
}

static void read_numbers(lash_study *study, lashi_draw *draw, const lash_node *list, const char *what,
                         size_t count) {
    lash_document *document = study->document;
    double *p = draw->distribution.p;
    if (lash_node_kind(list) != LASH_NODE_LIST || lash_node_count(list) != count) {
        lash_document_mistake(document, list, "%s: expects a list of %zu: %s", lash_node_text(draw->key),
                              count, what);
        return;
    }
    bool fine = true;
    for (size_t i = 0; i < count; i++) {
        char unit[LASH_NODE_UNIT];
        if (!lash_node_quantity(&p[i], unit, document, lash_node_item(list, i), draw->name)) {
            fine = false;
            continue;
        }
        if (i > 0 && strcmp(unit, draw->unit) != 0) {
            lash_document_mistake(
                document, lash_node_item(list, i), "%s: '%s' has another dimension than '%s'", draw->name,
                lash_node_text(lash_node_item(list, i)), lash_node_text(lash_node_item(list, 0)));
            fine = false;
        }
        if (i == 0)
            memcpy(draw->unit, unit, sizeof unit);
    }
    if (!fine)
        return;
    if (draw->distribution.kind != LASHI_UNIFORM && !(p[1] > 0))
        lash_document_mistake(document, lash_node_item(list, 1), "%s: a standard deviation is above 0",
                              draw->name);
    const size_t low = draw->distribution.kind == LASHI_UNIFORM ? 0 : 2;
    if (count > low + 1 && !(p[low + 1] > p[low]))
        lash_document_mistake(document, lash_node_item(list, low + 1),
                              "%s: the upper limit is not above the lower", draw->name);
    else if (low == 2 && count == 4 && fmax(p[2] - p[0], p[0] - p[3]) > FARTHEST * p[1])
        lash_document_mistake(document, lash_node_item(list, p[2] > p[0] ? 2 : 3),
                              "%s: the limits are more than %g standard deviations from the mean: nothing of "
                              "the normal distribution lies between them",
                              draw->name, FARTHEST);
}

static void read_draw(lash_study *study, const lash_node *key, const lash_node *map) {
    static const char *const allowed[] = {"normal", "uniform", "truncated-normal", "fit", "shape", NULL};
    static const struct {
        const char *name, *what;
        lashi_distribution_kind kind;
        size_t count;
    } kinds[] = {{"normal", "[mean, standard deviation]", LASHI_NORMAL, 2},
                 {"uniform", "[low, high]", LASHI_UNIFORM, 2},
                 {"truncated-normal", "[mean, standard deviation, low, high]", LASHI_TRUNCATED_NORMAL, 4}};
    lash_document *document = study->document;
    const char *name = lash_node_text(key);
    if (!lash_node_is(document, map, LASH_NODE_MAP, name,
                      "a distribution such as {normal: [0.05 mm, 0.01 mm]}") ||
        !lashi_study_free_name(study, key))
        return;
    lash_node_known_keys(document, map, name, allowed);
    lashi_draw *draw = &study->draws[study->draw_count++];
    *draw = (lashi_draw){.name = name, .key = key};
    size_t found = 0;
    const lash_node *fit = lash_node_find(map, "fit");
    if (fit) {
        read_fit(study, draw, map, fit);
        found++;
    } else if (lash_node_find(map, "shape"))
        lash_document_mistake(document, map, "%s: `shape` belongs to a fit", name);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const lash_node *list = lash_node_find(map, kinds[i].name);
        if (!list)
            continue;
        found++;
        draw->distribution.kind = kinds[i].kind;
        read_numbers(study, draw, list, kinds[i].what, kinds[i].count);
    }
    if (found != 1)
        lash_document_mistake(document, map,
                              "%s: one of normal, uniform, truncated-normal and fit belongs here", name);
}

void lashi_read_sample(lash_study *study, const lash_node *sample) {
    lash_document *document = study->document;
    if (!lash_node_is(document, sample, LASH_NODE_MAP, "sample", "a map with count, seed and parameters"))
        return;
    study->draws = lashi_study_alloc(study, lash_node_count(sample), sizeof *study->draws);
    const lash_node *count = lash_node_find(sample, "count"), *seed = lash_node_find(sample, "seed");
    size_t whole = 1;
    if (!count)
        lash_document_mistake(document, sample, "sample: `count` belongs here");
    else if (lash_node_whole(&whole, document, count, "count", 1, MOST_SAMPLES))
        study->sample_count = whole;
    whole = 1;
    if (seed)
        lash_node_whole(&whole, document, seed, "seed", 0, (size_t)1 << 53);
    study->seed = whole;
    for (size_t i = 0; study->draws && i < lash_node_count(sample); i++) {
        const lash_node *key = lash_node_key(sample, i);
        if (strcmp(lash_node_text(key), "count") != 0 && strcmp(lash_node_text(key), "seed") != 0)
            read_draw(study, key, lash_node_item(sample, i));
    }
    if (!study->draw_count)
        lash_document_mistake(document, sample, "sample: no parameter is drawn");
}

// ---- search

void lashi_read_search(lash_study *study, const lash_node *map) {
    static const char *const allowed[] = {"parameter", "from", "to",        "scale", "metric",
                                          "below",     "scan", "tolerance", NULL};
    lash_document *document = study->document;
    lashi_search *search = &study->search;
    if (!lash_node_is(document, map, LASH_NODE_MAP, "search",
                      "a map with parameter, from, to, metric and below"))
        return;
    *search = (lashi_search){.wanted = true, .scan = SCAN, .tolerance = TOLERANCE, .metric = SIZE_MAX};
    lash_node_known_keys(document, map, "search", allowed);
    const lash_node *parameter = lash_node_find(map, "parameter"), *metric = lash_node_find(map, "metric"),
                    *below = lash_node_find(map, "below"), *scan = lash_node_find(map, "scan"),
                    *tolerance = lash_node_find(map, "tolerance");
    if (!parameter || !metric || !below) {
        lash_document_mistake(document, map, "search: `%s` is missing: %s",
                              !parameter ? "parameter"
                              : !metric  ? "metric"
                                         : "below",
                              "parameter, from, to, metric and below belong here");
        return;
    }
    bool fine = lash_node_word(&search->name, document, parameter, "parameter", "the name of a parameter") &&
                lashi_study_free_name(study, parameter);
    search->key = parameter;
    fine = read_ends(&search->from, &search->to, search->unit, document, map, "search") && fine;
    if (fine && !(search->to > search->from)) {
        lash_document_mistake(document, lash_node_find(map, "to"), "search: `to` is not above `from`");
        fine = false;
    }
    if (fine)
        read_scale(&search->log, document, map, search->from, search->to);
    if (scan)
        lash_node_whole(&search->scan, document, scan, "scan", 1, 10000);
    if (tolerance && lash_node_number(&search->tolerance, document, tolerance, "tolerance", "") &&
        !(search->tolerance > 0 && search->tolerance < 1))
        lash_document_mistake(document, tolerance, "tolerance: a share between 0 and 1 belongs here");
    char unit[LASH_NODE_UNIT];
    lash_node_quantity(&search->below, unit, document, below, "below");
    search->metric = lashi_read_metric(study, metric);
    if (search->metric != SIZE_MAX && study->metrics[search->metric].kind->words)
        lash_document_mistake(document, metric, "search: '%s' is a word, and only a number has a limit",
                              study->metrics[search->metric].name);
}
