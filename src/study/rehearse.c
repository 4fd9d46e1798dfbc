/* SPDX-License-Identifier: MIT
 *
 * Before anything is computed: the model is tried with the study's settings, so that an unknown parameter, a
 * wrong unit or a metric of a channel that does not exist is reported at once, at its place in the study file.
 * What is wrong at single points only (a clearance below zero) is reported by these points, even by the
 * first: the study is refused when the model runs at none of those tried.
 *
 * A channel may exist for some settings of the switches only: a metric must find its subject for one of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/metric.h"
#include "study/read.h"

enum { MOST_TRIALS = 64 };

typedef struct trial {
    lash_study *study;
    bool aloud; // reports what is wrong with the model too, not only with the settings
} trial;

/* Where the study says what a setting "NAME=VALUE" sets; NULL: not known. */
static const lash_node *place_of(const lash_study *study, const char *excerpt) {
    const lash_node *root = lash_document_root(study->document), *set = lash_node_find(root, "set"),
                    *run = lash_node_find(root, "run");
    char name[LASH_ERROR_PLACE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(excerpt, "="), excerpt);
    if (study->discard && strcmp(name, "run.discard") == 0)
        return lash_node_find(root, "discard");
    for (size_t i = 0; i < study->axis_count; i++)
        if (strcmp(study->axes[i].name, name) == 0)
            return study->axes[i].key;
    for (size_t i = 0; i < study->draw_count; i++)
        if (strcmp(study->draws[i].name, name) == 0)
            return study->draws[i].key;
    if (study->search.wanted && strcmp(study->search.name, name) == 0)
        return study->search.key;
    for (size_t i = 0; set && i < lash_node_count(set); i++)
        if (strcmp(lash_node_text(lash_node_key(set, i)), name) == 0)
            return lash_node_key(set, i);
    for (size_t i = 0; run && strncmp(name, "run.", 4) == 0 && i < lash_node_count(run); i++)
        if (strcmp(lash_node_text(lash_node_key(run, i)), name + 4) == 0)
            return lash_node_key(run, i);
    return NULL;
}

static void report(void *user, const lash_error *mistake) {
    trial *t = user;
    if (mistake->status == LASH_OK) // warnings about the model are for `lash check`
        return;
    const bool setting = strcmp(mistake->file, "--set") == 0;
    const lash_node *place = setting ? place_of(t->study, mistake->excerpt) : NULL;
    if (!setting && !t->aloud)
        return;
    if (place)
        lash_document_mistake(t->study->document, place, "%s", mistake->message);
    else
        lash_document_add(t->study->document, mistake);
}

/* A machine of a study. */
typedef struct machine {
    lash_model *model;
    lash_system *system;
    lash_sim *sim;
} machine;

static void scrap(machine *m) {
    lash_sim_destroy(m->sim);
    lash_system_destroy(m->system);
    lash_model_destroy(m->model);
    *m = (machine){0};
}

/* The machine of a point, or none; aloud: after noting why there is none. Wrong settings are noted always. */
static bool try_point(machine *out, lash_study *study, size_t point, bool aloud) {
    lashi_point_settings settings;
    lash_error error;
    trial t = {study, aloud};
    machine m = {0};
    if (lashi_point_settings_create(&settings, study, point, study->search.from, &error)) {
        lash_document_add(study->document, &error);
        return false;
    }
    const lash_load_options options = {.settings = settings.settings,
                                       .setting_count = settings.count,
                                       .report = report,
                                       .user = &t,
                                       .keep_parsed = true};
    const size_t before = lash_document_mistakes(study->document);
    lash_status status = lash_model_parse(&m.model, study->model_text, strlen(study->model_text),
                                          study->model_path, &options, &error);
    if (!status)
        status = lash_system_compile(&m.system, m.model, &error);
    if (!status && !(lash_system_end(m.system) > lash_model_run(m.model)->begin))
        status = lashi_study_fail(&error, LASH_ERROR_MODEL,
                                  "neither the model nor `run` says when a run ends: give run: {until: …}");
    if (!status)
        status = lash_sim_create(&m.sim, m.system, &error);
    if (status && aloud && lash_document_mistakes(study->document) == before) {
        const lash_node *root = lash_document_root(study->document);
        const bool discards = study->discard && strcmp(error.object, "run.discard") == 0;
        lash_document_mistake(study->document, lash_node_find(root, discards ? "discard" : "model"),
                              "the model does not run at point %zu: %s", point + 1, error.message);
    }
    lashi_point_settings_clear(&settings);
    if (status) {
        scrap(&m);
        return false;
    }
    scrap(out);
    *out = m;
    return true;
}

static bool has_play(const lash_system *system, const char *joint) {
    for (size_t i = 0; i < lash_system_clearance_count(system); i++)
        if (strcmp(lash_system_clearance(system, i).joint, joint) == 0)
            return true;
    return false;
}

/* Marks metrics whose subjects exist, and takes their units. */
static void find_subjects(bool *found, lash_study *study, const lash_sim *sim, const lash_system *system) {
    for (size_t i = 0; i < study->metric_count; i++) {
        lashi_metric *metric = &study->metrics[i];
        if (metric->kind->subject == LASHI_NO_SUBJECT || metric->kind->subject == LASHI_OF_CALLER)
            found[i] = true;
        else if (metric->kind->subject == LASHI_OF_JOINT)
            found[i] = found[i] || has_play(system, metric->subject);
        else {
            const size_t channel = lash_sim_find_channel(sim, metric->subject);
            if (channel == SIZE_MAX)
                continue;
            found[i] = true;
            snprintf(metric->unit, sizeof metric->unit, "%s", lash_sim_channel_unit(sim, channel));
        }
    }
    for (size_t i = 0; i < study->cut.channel_count; i++) {
        const size_t channel = lash_sim_find_channel(sim, study->cut.channels[i]);
        if (channel == SIZE_MAX)
            continue;
        found[study->metric_count + i] = true;
        snprintf(study->cut.units[i], sizeof study->cut.units[i], "%s", lash_sim_channel_unit(sim, channel));
    }
}

static const char *channel_name(const void *sim, size_t index) {
    return lash_sim_channel_name(sim, index);
}

/* The contacts of a joint that has several. */
static void name_contacts(char *text, size_t size, const lash_system *system, const char *joint) {
    const size_t length = strlen(joint);
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < lash_system_clearance_count(system) && at < size; i++) {
        const char *name = lash_system_clearance(system, i).joint;
        if (strncmp(name, joint, length) == 0 && name[length] == '.')
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "; its contacts are ", name);
    }
}

static void complain(lash_study *study, const lash_sim *sim, const lash_system *system, const lash_node *node,
                     const char *subject, bool joint) {
    const char *nearest = joint ? NULL : lash_channel_nearest(subject, channel_name, sim);
    char contacts[200] = "";
    if (joint)
        name_contacts(contacts, sizeof contacts, system, subject);
    lash_document_mistake(study->document, node, "%s '%s' at any point%s%s%s%s",
                          !joint        ? "there is no channel"
                          : contacts[0] ? "there is no single contact"
                                        : "there is no joint with play",
                          subject, contacts, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                          nearest ? "'?" : "");
}

static bool all(const bool *found, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!found[i])
            return false;
    return true;
}

/* Numbers of the study that stand beside a channel or a metric have its dimension. */
static void check_units(lash_study *study, const lash_sim *sim) {
    lash_document *document = study->document;
    const lash_node *root = lash_document_root(document), *section = lash_node_find(root, "section"),
                    *below = lash_node_find(lash_node_find(root, "search"), "below");
    static const char *const names[] = {"at", "every"};
    double unused;
    const size_t cut = study->cut.channel ? lash_sim_find_channel(sim, study->cut.channel) : SIZE_MAX;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const lash_node *node = lash_node_find(section, names[i]);
        if (node && (cut != SIZE_MAX || !study->cut.channel))
            lash_node_number(&unused, document, node, names[i],
                             study->cut.channel ? lash_sim_channel_unit(sim, cut) : "rad");
    }
    if (!below)
        return;
    const lashi_metric *metric = &study->metrics[study->search.metric];
    const bool counted = metric->kind->needs & LASHI_NEEDS_LIFE; // turns and hours are written without a unit
    if (metric->kind->subject != LASHI_OF_CALLER)
        lash_node_number(&unused, document, below, "below", counted ? "" : metric->unit);
}

/* Does the point differ from the first in words alone, and is it the first sample? */
static bool is_switch_point(const lash_study *study, size_t point) {
    if (study->sample_count && point % study->sample_count)
        return false;
    for (size_t i = 0; i < study->axis_count; i++) {
        const size_t index = lashi_point_axis_index(study, point, i);
        if (index && study->axes[i].values[index].is_number)
            return false;
    }
    return true;
}

/* What only the preparation of a run finds: `discard` and `section`. If it is fine at one point, nothing is
 * reported; otherwise what is wrong at the first is. */
typedef struct preparation {
    bool fine, tried;
    const char *key;
    lash_error error;
} preparation;

static void prepare(preparation *p, const lash_study *study, size_t point) {
    const char *key;
    lash_error error = {.message = ""};
    if (p->fine)
        return;
    p->fine = lashi_point_try(&key, study, point, &error) == LASH_OK;
    if (!p->fine && !p->tried) {
        p->key = key;
        p->error = error;
    }
    p->tried = true;
}

/* The text of the model with that of the files it includes, as they are now. */
static void keep_text(lash_study *study, const lash_model *model) {
    const char *text = lash_model_text(model);
    if (strlen(text) > strlen(study->model_text))
        study->model_text = lashi_study_print(study, "%s", text);
}

void lashi_study_check(lash_study *study) {
    const size_t count = study->metric_count + study->cut.channel_count;
    bool *found = calloc(count + 1, sizeof *found);
    size_t trials = 0, failed = SIZE_MAX;
    preparation prepared = {0};
    machine m = {0};
    uint64_t tables = LASHI_HASH_START;
    // Points that differ in words; then, where the model runs at none of these, any others.
    for (int pass = 0; found && pass < 2 && !m.sim; pass++)
        for (size_t point = 0; point < study->point_count && trials < MOST_TRIALS && !(pass && m.sim);
             point++) {
            if (is_switch_point(study, point) != (pass == 0))
                continue;
            trials++;
            if (try_point(&m, study, point, false)) {
                lashi_hash_tables(&tables, m.model, study->model_path);
                keep_text(study, m.model);
                find_subjects(found, study, m.sim, m.system);
                prepare(&prepared, study, point);
            } else if (lash_document_mistakes(study->document)) {
                break;
            } else if (failed == SIZE_MAX) {
                failed = point;
            }
        }
    if (!m.sim && failed != SIZE_MAX && !lash_document_mistakes(study->document))
        try_point(&m, study, failed, true);
    if (m.sim && found && !all(found, count)) {
        for (size_t i = 0; i < study->metric_count; i++)
            if (!found[i])
                complain(study, m.sim, m.system, study->metrics[i].node, study->metrics[i].subject,
                         study->metrics[i].kind->subject == LASHI_OF_JOINT);
        for (size_t i = 0; i < study->cut.channel_count; i++)
            if (!found[study->metric_count + i])
                complain(study, m.sim, m.system,
                         lash_node_find(lash_document_root(study->document), "section"),
                         study->cut.channels[i], false);
    } else if (m.sim && found && prepared.tried && prepared.fine)
        check_units(study, m.sim);
    else if (m.sim && prepared.tried)
        lash_document_mistake(study->document,
                              lash_node_find(lash_document_root(study->document), prepared.key), "%s: %s",
                              prepared.key, prepared.error.message);
    snprintf(study->tables, sizeof study->tables, "%016llx", (unsigned long long)tables);
    if (m.model && strcmp(lash_model_text(m.model), study->model_text) == 0) {
        lash_system_destroy(m.system);
        study->model = m.model;
        m.system = NULL;
        m.model = NULL;
    }
    scrap(&m);
    free(found);
}
