/* SPDX-License-Identifier: MIT
 *
 * Metrics and the section of a study file.
 */
#include <stdio.h>
#include <string.h>

#include "study/metric.h"
#include "study/read.h"

enum { MOST_KINDS = 64 };

/* The kind that is most like what was written. */
static const char *nearest_kind(const char *text) {
    const char *names[MOST_KINDS] = {0};
    char word[LASH_NODE_UNIT];
    size_t count = 0;
    for (const lashi_metric_kind *kind = lashi_metric_kinds; kind->name && count + 1 < MOST_KINDS; kind++)
        names[count++] = kind->name;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "), text);
    return lash_document_nearest(word, names);
}

size_t lashi_read_metric(lash_study *study, const lash_node *node) {
    lash_document *document = study->document;
    const char *text, *subject = "";
    if (!lash_node_word(&text, document, node, "metrics", "a metric such as max slider.ax"))
        return SIZE_MAX;
    for (size_t i = 0; i < study->metric_count; i++)
        if (strcmp(study->metrics[i].name, text) == 0)
            return i;
    const lashi_metric_kind *kind = lashi_metric_find(&subject, text);
    if (!kind) {
        const char *nearest = nearest_kind(text);
        if (!nearest && strchr(text, '.') && !strchr(text, ' '))
            lash_document_mistake(
                document, node,
                "there is no metric '%s'; a metric is computed from a channel, such as 'max %s'", text, text);
        else
            lash_document_mistake(document, node, "there is no metric '%s'%s%s%s", text,
                                  nearest ? "; did you mean '"
                                          : "; `lash help studies` lists them, for example '",
                                  nearest ? nearest : "max CHANNEL", nearest ? "'?" : "'");
        return SIZE_MAX;
    }
    if ((kind->subject == LASHI_NO_SUBJECT) != !subject[0] || strchr(subject, ' ')) {
        static const char *const expected[] = {"nothing", "one channel, such as slider.ax",
                                               "one joint with play",
                                               "the name of a metric that the caller makes"};
        lash_document_mistake(document, node, "'%s' is followed by %s", kind->name, expected[kind->subject]);
        return SIZE_MAX;
    }
    lashi_metric *metric = &study->metrics[study->metric_count];
    *metric = (lashi_metric){.name = text, .node = node, .kind = kind, .subject = subject};
    snprintf(metric->unit, sizeof metric->unit, "%s", kind->unit ? kind->unit : "");
    return study->metric_count++;
}

void lashi_read_metrics(lash_study *study, const lash_node *metrics) {
    lash_document *document = study->document;
    if (!lash_node_is(document, metrics, LASH_NODE_LIST, "metrics", "a list such as [max slider.ax]"))
        return;
    if (lash_node_count(metrics) == 0)
        lash_document_mistake(document, metrics, "metrics: the list is empty");
    for (size_t i = 0; i < lash_node_count(metrics); i++) {
        const size_t before = study->metric_count;
        const lash_node *node = lash_node_item(metrics, i);
        const size_t metric = lashi_read_metric(study, node);
        if (metric != SIZE_MAX && metric < before)
            lash_document_mistake(document, node, "metric '%s' is listed twice", lash_node_text(node));
    }
}

static bool read_switch(lash_document *document, const lash_node *node, const char *name) {
    const char *word;
    if (!lash_node_word(&word, document, node, name, "true or false"))
        return false;
    const bool on = strcmp(word, "true") == 0;
    if (!on && strcmp(word, "false") != 0)
        lash_document_mistake(document, node, "%s: expects true or false, found '%s'", name, word);
    return on;
}

void lashi_read_section(lash_study *study, const lash_node *section) {
    static const char *const allowed[] = {"of", "at", "every", "channels", "keep", NULL};
    lash_document *document = study->document;
    lashi_cut *cut = &study->cut;
    const lashi_metric *needing = NULL;
    for (size_t i = 0; i < study->metric_count; i++)
        if (study->metrics[i].kind->needs & (LASHI_NEEDS_SECTION | LASHI_NEEDS_EXPONENT))
            needing = &study->metrics[i];
    if (!section && needing)
        lash_document_mistake(document, needing->node,
                              "'%s' needs a `section`, e.g. section: {channels: [slider.vx, slider.ax]}",
                              needing->name);
    if (!section || !lash_node_is(document, section, LASH_NODE_MAP, "section", "a map with channels"))
        return;
    lash_node_known_keys(document, section, "section", allowed);
    const lash_node *of = lash_node_find(section, "of"), *at = lash_node_find(section, "at"),
                    *every = lash_node_find(section, "every"),
                    *channels = lash_node_find(section, "channels"), *keep = lash_node_find(section, "keep");
    char unit[LASH_NODE_UNIT];
    if (of)
        lash_node_word(&cut->channel, document, of, "of", "a channel such as motor.angle");
    if (at)
        lash_node_quantity(&cut->at, unit, document, at, "at");
    cut->period = of ? 0 : LASHI_TURN;
    if (every)
        lash_node_quantity(&cut->period, unit, document, every, "every");
    const char *word;
    if (keep)
        cut->keep = read_switch(document, keep, "keep");
    if (!channels || lash_node_kind(channels) != LASH_NODE_LIST || !lash_node_count(channels)) {
        lash_document_mistake(document, channels ? channels : section,
                              "section: `channels`, a list such as [slider.vx, slider.ax], belongs here");
        return;
    }
    cut->channels = lashi_study_alloc(study, lash_node_count(channels), sizeof *cut->channels);
    cut->units = lashi_study_alloc(study, lash_node_count(channels), sizeof *cut->units);
    for (size_t i = 0; cut->channels && cut->units && i < lash_node_count(channels); i++) {
        const lash_node *item = lash_node_item(channels, i);
        if (!lash_node_word(&word, document, item, "channels", "a channel"))
            continue;
        bool twice = strcmp(word, "time") == 0;
        for (size_t k = 0; k < cut->channel_count; k++)
            twice = twice || strcmp(word, cut->channels[k]) == 0;
        if (twice)
            lash_document_mistake(document, item, "section: '%s' is kept already%s; leave it out", word,
                                  strcmp(word, "time") == 0 ? ", as it is of every cut" : "");
        else
            cut->channels[cut->channel_count++] = word;
    }
}

void lashi_read_life(lash_study *study, const lash_node *life) {
    static const char *const allowed[] = {"until", "tolerance", NULL};
    lash_document *document = study->document;
    lashi_ask *ask = &study->life;
    const lashi_metric *needing = NULL;
    char unit[LASH_NODE_UNIT];
    for (size_t i = 0; i < study->metric_count; i++)
        if (study->metrics[i].kind->needs & LASHI_NEEDS_LIFE)
            needing = &study->metrics[i];
    if (!life && needing)
        lash_document_mistake(document, needing->node,
                              "'%s' needs `life`, e.g. life: {until: {play gudgeon: 0.3 mm, turns: 1e7}}",
                              needing->name);
    if (life && !needing)
        lash_document_mistake(document, life,
                              "life: no metric asks for it; add life or life-hours to metrics");
    if (!life || !lash_node_is(document, life, LASH_NODE_MAP, "life", "a map with until"))
        return;
    lash_node_known_keys(document, life, "life", allowed);
    const lash_node *until = lash_node_find(life, "until"), *tolerance = lash_node_find(life, "tolerance");
    if (tolerance && lash_node_quantity(&ask->tolerance, unit, document, tolerance, "tolerance") &&
        !(ask->tolerance > 0 && ask->tolerance < 1 && !unit[0]))
        lash_document_mistake(document, tolerance, "tolerance: a number between 0 and 1, such as 0.02");
    if (!until || lash_node_kind(until) != LASH_NODE_MAP || !lash_node_count(until)) {
        lash_document_mistake(document, until ? until : life,
                              "life: `until` says what ends it, e.g. {play gudgeon: 0.3 mm, turns: 1e7}");
        return;
    }
    ask->node = life;
    ask->keys = lashi_study_alloc(study, lash_node_count(until), sizeof *ask->keys);
    ask->values = lashi_study_alloc(study, lash_node_count(until), sizeof *ask->values);
    for (size_t i = 0; ask->keys && ask->values && i < lash_node_count(until); i++) {
        ask->keys[i] = lash_node_text(lash_node_key(until, i));
        if (lash_node_word(&ask->values[i], document, lash_node_item(until, i), ask->keys[i],
                           "a value such as 0.3 mm"))
            ask->count++;
    }
}

/* Chains run along the one axis of numbers; other axes are choices of switches, each with a chain of its own.
 */
void lashi_read_carry(lash_study *study, const lash_node *carry, const lash_node *root) {
    lash_document *document = study->document;
    size_t numeric = 0;
    study->carry = read_switch(document, carry, "carry");
    if (!study->carry)
        return;
    for (size_t i = 0; i < study->axis_count; i++)
        if (study->axes[i].count && study->axes[i].values[0].is_number) {
            study->carry_axis = i;
            numeric++;
        }
    const char *wrong = !study->cut.channel_count        ? "needs a `section`"
                        : numeric != 1                   ? "needs exactly one axis of numbers to run along"
                        : lash_node_find(root, "zip")    ? "cannot be combined with `zip`"
                        : lash_node_find(root, "sample") ? "cannot be combined with `sample`"
                        : study->search.wanted           ? "cannot be combined with `search`"
                                                         : NULL;
    if (wrong)
        lash_document_mistake(document, carry, "carry %s", wrong);
}
