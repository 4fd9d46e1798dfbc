/* SPDX-License-Identifier: MIT
 *
 * Point number → what is set there.
 *
 * Groups of axes are the digits of a mixed-radix number, the last group running fastest; with samples, the
 * sample runs fastest of all:   point = setting × samples + sample. Every setting is drawn with the same
 * samples, so that settings can be compared pair by pair.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"

static size_t samples(const lash_study *study) {
    return study->sample_count ? study->sample_count : 1;
}

static size_t group_size(const lash_study *study, size_t group) {
    for (size_t i = 0; i < study->axis_count; i++)
        if (study->axes[i].group == group)
            return study->axes[i].count;
    return 1;
}

size_t lashi_point_axis_index(const lash_study *study, size_t point, size_t axis) {
    size_t rest = point / samples(study);
    for (size_t group = study->group_count; group-- > 0; rest /= group_size(study, group))
        if (study->axes[axis].group == group)
            return rest % group_size(study, group);
    return 0;
}

double lashi_point_draw(const lash_study *study, size_t point, size_t draw) {
    const lashi_draw *drawn = &study->draws[draw];
    const size_t sample = point % samples(study);
    const double u[2] = {lashi_uniform(study->seed, drawn->name, sample, 0),
                         lashi_uniform(study->seed, drawn->name, sample, 1)};
    return lashi_distribution_value(&drawn->distribution, u);
}

/* A number with its SI unit: reads back exactly. */
static bool set_number(lashi_point_settings *out, const char *name, double value, const char *unit) {
    char *text;
    if (asprintf(&text, "%.17g%s%s", value, unit[0] ? " " : "", unit) < 0)
        return false;
    out->owned[out->owned_count++] = text;
    out->settings[out->count++] = (lash_setting){name, text};
    return true;
}

/* What the study discards takes the place of what the model does. */
static void discard_in_model(lashi_point_settings *settings, const lash_study *study) {
    static const char key[] = "run.discard";
    size_t at = 0;
    if (!study->discard)
        return;
    while (at < settings->count && strcmp(settings->settings[at].name, key) != 0)
        at++;
    settings->settings[at] = (lash_setting){key, study->discard};
    settings->count = at == settings->count ? at + 1 : settings->count;
}

lash_status lashi_point_settings_create(lashi_point_settings *out, const lash_study *study, size_t point,
                                        double searched, lash_error *error) {
    *out = (lashi_point_settings){0};
    out->settings =
        calloc(study->axis_count + study->draw_count + study->fixed_count + 2, sizeof *out->settings);
    out->owned = calloc(study->draw_count + 1, sizeof *out->owned);
    bool fine = out->settings && out->owned;
    for (size_t i = 0; fine && i < study->fixed_count; i++)
        out->settings[out->count++] = study->fixed[i];
    for (size_t i = 0; fine && i < study->axis_count; i++) {
        const lashi_axis *axis = &study->axes[i];
        out->settings[out->count++] =
            (lash_setting){axis->name, axis->values[lashi_point_axis_index(study, point, i)].text};
    }
    for (size_t i = 0; fine && i < study->draw_count; i++)
        fine = set_number(out, study->draws[i].name, lashi_point_draw(study, point, i), study->draws[i].unit);
    if (fine && study->search.wanted)
        fine = set_number(out, study->search.name, searched, study->search.unit);
    if (fine) {
        discard_in_model(out, study);
        return LASH_OK;
    }
    lashi_point_settings_clear(out);
    return lashi_study_fail_memory(error);
}

void lashi_point_settings_clear(lashi_point_settings *settings) {
    for (size_t i = 0; i < settings->owned_count; i++)
        free(settings->owned[i]);
    free(settings->owned);
    free(settings->settings);
    *settings = (lashi_point_settings){0};
}
