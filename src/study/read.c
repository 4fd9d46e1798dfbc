/* SPDX-License-Identifier: MIT
 *
 * Study file → lash_study. The file:
 *
 *   title:    a line
 *   model:    path, from the study file's
 *   set:      parameters for all points
 *   axes:     parameters that vary
 *   zip:      axes that run in step
 *   run:      keys of a model's run block
 *   discard:  a time, or turns such as 5 rev of motor
 *   metrics:  a list such as [max slider.ax, turns]
 *   sample:   drawn parameters
 *   search:   largest value that keeps a metric below a limit
 *   section:  where the trajectory is cut
 *   carry:    the end of a point's run is the start of the next
 */
#include "study/read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "study/metric.h"

enum { MOST_POINTS = 10000000 };

static const char *const keys[] = {"title",   "model",  "set",    "axes",    "zip",  "run",   "discard",
                                   "metrics", "sample", "search", "section", "life", "carry", NULL};

// ---- memory of a study

static void *keep(lash_study *study, void *memory) {
    if (memory && study->text_count == study->text_capacity) {
        size_t capacity = study->text_capacity ? 2 * study->text_capacity : 64;
        char **larger = realloc(study->texts, capacity * sizeof *larger);
        if (!larger) {
            free(memory);
            memory = NULL;
        } else {
            study->texts = larger;
            study->text_capacity = capacity;
        }
    }
    if (memory)
        study->texts[study->text_count++] = memory;
    else
        lash_document_mistake(study->document, NULL, "out of memory");
    return memory;
}

void *lashi_study_alloc(lash_study *study, size_t count, size_t size) {
    return keep(study, calloc(count + 1, size));
}

const char *lashi_study_print(lash_study *study, const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return keep(study, text);
}

bool lashi_study_free_name(lash_study *study, const lash_node *key) {
    const char *name = lash_node_text(key), *where = NULL;
    for (size_t i = 0; i < study->fixed_count; i++)
        if (strcmp(study->fixed[i].name, name) == 0)
            where = "set";
    for (size_t i = 0; i < study->axis_count; i++)
        if (strcmp(study->axes[i].name, name) == 0)
            where = "axes";
    for (size_t i = 0; i < study->draw_count; i++)
        if (strcmp(study->draws[i].name, name) == 0)
            where = "sample";
    if (where)
        lash_document_mistake(study->document, key, "'%s' is given under `%s` already", name, where);
    return !where;
}

// ---- sections of the file

/* set: and run: */
static void read_fixed(lash_study *study, const lash_node *map, const char *path, const char *prefix) {
    lash_document *document = study->document;
    if (!map || !lash_node_is(document, map, LASH_NODE_MAP, path, "a map of names and values"))
        return;
    for (size_t i = 0; i < lash_node_count(map); i++) {
        const char *value;
        const lash_node *key = lash_node_key(map, i);
        if (!lash_node_word(&value, document, lash_node_item(map, i), lash_node_text(key), "a value"))
            continue;
        const char *name = lashi_study_print(study, "%s%s", prefix, lash_node_text(key));
        if (name)
            study->fixed[study->fixed_count++] = (lash_setting){name, value};
    }
}

static size_t count_of(const lash_node *node) {
    return node ? lash_node_count(node) : 0;
}

/* The model's text as it is now: what happens to the file later does not matter. */
static void read_model(lash_study *study, const lash_node *root, const char *path) {
    lash_document *document = study->document;
    const lash_node *node = lash_node_find(root, "model");
    const char *name;
    if (!node) {
        lash_document_mistake(document, root, "a study needs `model`, the path of a model file");
        return;
    }
    if (!lash_node_word(&name, document, node, "model", "the path of a model file"))
        return;
    const char *slash = strrchr(path, '/');
    study->model_path = name[0] == '/' || !slash
                            ? name
                            : lashi_study_print(study, "%.*s/%s", (int)(slash - path), path, name);
    if (!study->model_path)
        return;
    lash_document *model;
    lash_error error;
    // Read as a document for its text alone; its mistakes are found when it is tried.
    if (lash_document_load(&model, study->model_path, &error)) {
        lash_document_mistake(document, node, "model: %s", error.message);
        return;
    }
    study->model_text = lashi_study_print(study, "%s", lash_document_text(model));
    lash_document_destroy(model);
}

/* A column of a table, and where the study asks for it; NULL: it is always there. */
typedef struct column {
    const char *name;
    const lash_node *node;
} column;

/* In SQLite upper and lower case of a name are one. */
static void check_columns(lash_study *study, const column *columns, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i && columns[i].name; k++)
            if (columns[k].name && strcasecmp(columns[i].name, columns[k].name) == 0) {
                const column *mine = columns[i].node ? &columns[i] : &columns[k];
                lash_document_mistake(study->document, mine->node,
                                      "'%s' would be a column of the table beside '%s', and upper and lower "
                                      "case are the same there: give it another name",
                                      mine->name, mine == &columns[i] ? columns[k].name : columns[i].name);
                break;
            }
}

static void check_table(lash_study *study, const lash_node *root) {
    column *columns = lashi_study_alloc(
        study, study->axis_count + study->draw_count + study->metric_count + study->cut.channel_count + 5,
        sizeof *columns);
    size_t count = 0;
    if (!columns)
        return;
    columns[count++] = (column){"point", NULL};
    columns[count++] = (column){"status", NULL};
    columns[count++] = (column){"message", NULL};
    if (study->sample_count)
        columns[count++] = (column){"sample", NULL};
    for (size_t i = 0; i < study->axis_count; i++)
        columns[count++] = (column){study->axes[i].name, study->axes[i].key};
    for (size_t i = 0; i < study->draw_count; i++)
        columns[count++] = (column){study->draws[i].name, study->draws[i].key};
    if (study->search.wanted)
        columns[count++] = (column){study->search.name, study->search.key};
    for (size_t i = 0; i < study->metric_count; i++)
        columns[count++] = (column){study->metrics[i].name, study->metrics[i].node};
    check_columns(study, columns, count);
    count = 0;
    columns[count++] = (column){"point", NULL};
    columns[count++] = (column){"number", NULL};
    const lash_node *channels = lash_node_find(lash_node_find(root, "section"), "channels");
    for (size_t i = 0; i < study->cut.channel_count; i++)
        columns[count++] = (column){study->cut.channels[i], channels};
    check_columns(study, columns, count);
}

static void count_points(lash_study *study, const lash_node *root) {
    double points = 1;
    for (size_t group = 0; group < study->group_count; group++)
        for (size_t i = 0; i < study->axis_count; i++)
            if (study->axes[i].group == group) {
                points *= (double)study->axes[i].count;
                break;
            }
    study->setting_count = points <= MOST_POINTS ? (size_t)points : 0;
    points *= study->sample_count ? (double)study->sample_count : 1;
    if (points > MOST_POINTS)
        lash_document_mistake(study->document, root, "there are %.3g points; at most %d are allowed", points,
                              MOST_POINTS);
    else
        study->point_count = (size_t)points;
}

static void read_root(lash_study *study, const lash_node *root, const char *path) {
    lash_document *document = study->document;
    if (!lash_node_is(document, root, LASH_NODE_MAP, "study",
                      "a map with keys such as model, axes and metrics"))
        return;
    if (lash_node_find(root, "bodies") && !lash_node_find(root, "model")) {
        lash_document_mistake(document, root,
                              "this is a model; a study is a file of its own that names one, `model: %s`, "
                              "and lists what to compute, `metrics: [max slider.ax]`",
                              path);
        return;
    }
    lash_node_known_keys(document, root, "", keys);
    const lash_node *title = lash_node_find(root, "title"), *discard = lash_node_find(root, "discard"),
                    *set = lash_node_find(root, "set"), *run = lash_node_find(root, "run");
    if (title)
        lash_node_word(&study->title, document, title, "title", "a text");
    if (discard)
        lash_node_word(&study->discard, document, discard, "discard",
                       "a time, or turns of a drive such as 5 rev of motor");
    read_model(study, root, path);
    study->fixed = lashi_study_alloc(study, count_of(set) + count_of(run), sizeof *study->fixed);
    if (!study->fixed)
        return;
    read_fixed(study, set, "set", "");
    read_fixed(study, run, "run", "run.");
    lashi_read_axes(study, lash_node_find(root, "axes"), lash_node_find(root, "zip"));
    if (lash_node_find(root, "sample"))
        lashi_read_sample(study, lash_node_find(root, "sample"));
    const lash_node *metrics = lash_node_find(root, "metrics"), *search = lash_node_find(root, "search");
    if (!metrics && !search)
        lash_document_mistake(document, root,
                              "a study needs `metrics`, e.g. [max slider.ax, rms motor.torque]");
    study->metrics = lashi_study_alloc(study, count_of(metrics) + 1, sizeof *study->metrics);
    if (!study->metrics)
        return;
    if (metrics)
        lashi_read_metrics(study, metrics);
    if (search)
        lashi_read_search(study, search);
    lashi_read_section(study, lash_node_find(root, "section"));
    lashi_read_life(study, lash_node_find(root, "life"));
    if (lash_node_find(root, "carry"))
        lashi_read_carry(study, lash_node_find(root, "carry"), root);
    check_table(study, root);
    count_points(study, root);
}

/* Takes the document over. */
static lash_status read_study(lash_study **out, lash_document *document, const char *path,
                              const lash_load_options *options, lash_error *error) {
    lash_study *study = calloc(1, sizeof *study);
    if (!study) {
        lash_document_destroy(document);
        return lashi_study_fail_memory(error);
    }
    study->title = "";
    study->document = document;
    const lash_node *root = lash_document_root(study->document);
    if (root)
        read_root(study, root, path);
    if (root && !lash_document_mistakes(study->document))
        lashi_study_check(study);
    const lash_status status = lash_document_report(study->document, options, error);
    if (status)
        lash_study_destroy(study);
    else
        *out = study;
    return status;
}

lash_status lash_study_load(lash_study **out, const char *path, const lash_load_options *options,
                            lash_error *error) {
    if (out)
        *out = NULL;
    if (!out || !path)
        return lashi_study_fail_null(error);
    lash_error unseen;
    lash_document *document;
    error = error ? error : &unseen;
    const lash_status status = lash_document_load(&document, path, error);
    if (status && options && options->report)
        options->report(options->user, error);
    return status ? status : read_study(out, document, path, options, error);
}

lash_status lash_study_parse(lash_study **out, const char *text, size_t length, const char *name,
                             const lash_load_options *options, lash_error *error) {
    lash_error unseen;
    lash_document *document;
    error = error ? error : &unseen;
    if (!out)
        return lashi_study_fail(error, LASH_ERROR_USAGE, "there is no place to put the study");
    *out = NULL;
    const lash_status status = lash_document_parse(&document, text, length, name, error);
    return status ? status : read_study(out, document, name ? name : "", options, error);
}

lash_status lash_study_set_metric(lash_study *study, const char *name, const lash_study_metric *metric,
                                  lash_error *error) {
    if (!study || !name || !metric || !metric->value)
        return lashi_study_fail(error, LASH_ERROR_USAGE,
                                "a metric needs a study, a name and a function that gives its value");
    for (size_t i = 0; i < study->metric_count; i++) {
        lashi_metric *listed = &study->metrics[i];
        if (listed->kind->subject != LASHI_OF_CALLER || strcmp(listed->subject, name) != 0)
            continue;
        listed->own = *metric;
        listed->own.unit = NULL; // kept here
        snprintf(listed->unit, sizeof listed->unit, "%s", metric->unit ? metric->unit : "");
        return LASH_OK;
    }
    return lashi_study_fail(error, LASH_ERROR_USAGE, "the study lists no metric 'own %.100s'", name);
}

void lash_study_destroy(lash_study *study) {
    if (!study)
        return;
    lash_document_destroy(study->document);
    lash_model_destroy(study->model);
    for (size_t i = 0; i < study->text_count; i++)
        free(study->texts[i]);
    free(study->texts);
    free(study);
}

const char *lash_study_title(const lash_study *study) {
    if (!study)
        return "";
    return study->title;
}

size_t lash_study_point_count(const lash_study *study) {
    if (!study)
        return 0;
    return study->point_count;
}
