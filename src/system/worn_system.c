/* SPDX-License-Identifier: MIT
 *
 * The worn surfaces of a system, for callers (lash/wear.h).
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "contact/guide.h"
#include "lash/wear.h"
#include "math/expression.h"
#include "system/system.h"

static const double TWO_PI = 6.283185307179586;

/* Contacts may share their surfaces: the first one counts. */
static bool is_first(const lash_system *system, int k) {
    for (int other = 0; other < k; other++)
        if (system->contacts[other].worn == system->contacts[k].worn)
            return false;
    return true;
}

lashi_contact *lashi_worn_contact(const lash_system *system, size_t index) {
    for (int k = 0; system && k < system->contact_count; k++)
        if (system->contacts[k].worn && is_first(system, k) && index-- == 0)
            return &system->contacts[k];
    return NULL;
}

size_t lash_system_worn_count(const lash_system *system) {
    size_t count = 0;
    while (lashi_worn_contact(system, count))
        count++;
    return count;
}

lash_worn_info lash_system_worn(const lash_system *system, size_t index) {
    const lashi_contact *contact = lashi_worn_contact(system, index);
    if (!contact)
        return (lash_worn_info){0};
    const lashi_contact_numbers *p = contact->p;
    lash_worn_info info = {.shape = {.joint = contact->worn->name,
                                     .closed = contact->worn->table,
                                     .sectors = (size_t)contact->worn->surface[0].sectors,
                                     .count = (size_t)contact->worn->surface[0].count,
                                     .origin = p->worn_origin,
                                     .pitch = p->worn_pitch,
                                     .clearance = p->worn_play},
                           .k = p->wear,
                           .share = {p->portion[0], p->portion[1]},
                           .depth = {p->worn[0], p->worn[1]},
                           .profile = {contact->worn->surface[0].a, contact->worn->surface[1].a}};
    for (int k = 0; k < system->contact_count && info.contacts < LASH_WORN_CONTACTS; k++)
        if (system->contacts[k].worn == contact->worn)
            info.contact[info.contacts++] = (size_t)k;
    return info;
}

/* A surface that is only read. */
static lashi_surface surface_of(const double *profile, const lash_worn_shape *shape) {
    return (lashi_surface){(int)shape->sectors, (int)shape->count, (double *)(uintptr_t)profile};
}

/* Checks a profile that a system is to have. */
static lash_status check_profile(const lashi_contact *contact, const lash_worn_shape *shape, int part,
                                 const double *profile, lash_status bad, lash_error *error) {
    if (!lashi_surface_is_worn(profile, (int)shape->sectors, (int)shape->count))
        return lashi_fail(
            error, bad,
            "joint '%s': the coefficients of its %s give a depth that is negative, or no number; "
            "worn depths are 0 or more",
            shape->joint, lash_worn_part(shape, part));
    const double deepest = lash_worn_deepest(shape, profile);
    if (deepest > contact->p->deepest)
        return lashi_fail(
            error, bad,
            "joint '%s': its %s is worn %.4g m deep; contact laws hold for worn depths up to %s, "
            "%.4g m",
            shape->joint, lash_worn_part(shape, part), deepest, lashi_kind_of(contact)->deepest,
            contact->p->deepest);
    return LASH_OK;
}

lash_status lash_system_set_worn(lash_system *system, size_t index, const double *first, const double *second,
                                 lash_error *error) {
    const double *from[] = {first, second};
    const lashi_contact *contact = lashi_worn_contact(system, index);
    if (!contact || !first || !second)
        return lashi_fail(error, LASH_ERROR_USAGE,
                          "profiles need a joint of the system that wears, and coefficients for both parts");
    const lash_worn_shape shape = lash_system_worn(system, index).shape;
    for (int part = 0; part < LASH_WORN_PARTS; part++) {
        const lash_status status = check_profile(contact, &shape, part, from[part], LASH_ERROR_USAGE, error);
        if (status)
            return status;
    }
    for (int part = 0; part < LASH_WORN_PARTS; part++)
        memcpy(contact->worn->surface[part].a, from[part], shape.count * sizeof(double));
    lashi_worn_prepare(contact->worn);
    return LASH_OK;
}

const char *lash_worn_part(const lash_worn_shape *shape, int part) {
    static const char *const names[][LASH_WORN_PARTS] = {{"upper", "lower"}, {"bearing", "journal"}};
    return shape && part >= 0 && part < LASH_WORN_PARTS ? names[shape->closed][part] : NULL;
}

/* Reads "0 1e-6 2e-6 …" into out, which has room for `most`; how many there are. *bad: where it is no depth;
 * NULL: nowhere. */
static size_t read_depths(double *out, size_t most, const char **bad, const char *text) {
    size_t count = 0;
    *bad = NULL;
    for (char *end; *text && !*bad; text = end + strspn(end, " ")) {
        const double depth = strtod(text, &end);
        if (end == text)
            *bad = text;
        else if (count++ < most)
            out[count - 1] = depth;
    }
    return count;
}

/* Whether a setting is worn.JOINT.PART; `end`: worn.JOINT.end1.PART, 0: of a whole joint. */
static bool is_profile_of(const lash_setting *setting, const lash_worn_shape *shape, int end, int part) {
    const char *name = lashi_worn_setting(setting);
    char behind[64];
    const size_t length = strlen(shape->joint);
    if (end)
        snprintf(behind, sizeof behind, ".end%d.%s", end, lash_worn_part(shape, part));
    else
        snprintf(behind, sizeof behind, ".%s", lash_worn_part(shape, part));
    return name && strncmp(name, shape->joint, length) == 0 && strcmp(name + length, behind) == 0;
}

static lash_status take_profile(lashi_contact *contact, const lash_worn_shape *shape, int part,
                                const lash_setting *setting, lash_error *error) {
    const char *bad;
    double *a = contact->worn->surface[part].a;
    const size_t count = read_depths(a, shape->count, &bad, setting->value);
    if (bad)
        return lashi_fail(error, LASH_ERROR_MODEL, "%.200s: '%.20s' is no number", setting->name, bad);
    if (count != shape->count)
        return lashi_fail(
            error, LASH_ERROR_MODEL,
            "%.200s has %zu coefficients, and the profiles of the joint have %zu: it belongs to "
            "other sectors, or another model",
            setting->name, count, shape->count);
    lashi_worn_prepare(contact->worn);
    return LASH_OK;
}

lash_status lashi_worn_take_settings(lash_system *system, lash_error *error) {
    lash_status status = LASH_OK;
    for (size_t i = 0; !status && i < lash_model_setting_count(system->model); i++) {
        const lash_setting setting = lash_model_setting(system->model, i);
        bool found = !lashi_worn_setting(&setting);
        for (size_t k = 0; !found && k < lash_system_worn_count(system); k++) {
            const lash_worn_shape shape = lash_system_worn(system, k).shape;
            for (int part = 0; part < LASH_WORN_PARTS && !found; part++) {
                found = is_profile_of(&setting, &shape, 0, part);
                if (found)
                    status = take_profile(lashi_worn_contact(system, k), &shape, part, &setting, error);
            }
        }
        if (!found)
            status = lashi_fail(error, LASH_ERROR_MODEL,
                                "%.200s: no joint of the model wears there; is the life that of another one?",
                                setting.name);
    }
    for (size_t k = 0; k < lash_system_worn_count(system); k++)
        for (int part = 0; part < LASH_WORN_PARTS && !status; part++) {
            const lashi_contact *contact = lashi_worn_contact(system, k);
            const lash_worn_info worn = lash_system_worn(system, k);
            status = check_profile(contact, &worn.shape, part, worn.profile[part], LASH_ERROR_MODEL, error);
        }
    return status;
}

size_t lash_scene_worn(double *depths, lash_worn_shape *shape, double mark[3], const lash_model *model,
                       size_t joint, int end, int part) {
    const lashi_named_joint *named = model && joint < model->joint_count ? &model->joints[joint] : NULL;
    if (!shape || !mark || !named || part < 0 || part >= LASH_WORN_PARTS || !named->def.has_clearance ||
        !named->def.clearance.has_wear)
        return 0;
    const lash_wear_def *wear = &named->def.clearance.wear;
    const bool closed = isnan(wear->span[0]), spatial = model->space != LASH_PLANAR;
    if (end < 0 || end > spatial || (spatial && !closed)) // channels in space are drawn as new
        return 0;
    const size_t sectors = (size_t)wear->sectors + (closed ? 0 : 2 * LASHI_WORN_MARGIN),
                 count = sectors + (closed ? 0 : LASHI_WORN_ENDS);
    *shape = (lash_worn_shape){.joint = named->name, .closed = closed, .sectors = sectors, .count = count};
    shape->pitch = closed ? TWO_PI / wear->sectors : (wear->span[1] - wear->span[0]) / wear->sectors;
    shape->origin = closed ? 0 : wear->span[0] - LASHI_WORN_MARGIN * shape->pitch;
    const lashi_vec3 axis = lashi_vec3_of(named->def.axis),
                     from = spatial && closed && lashi_length3(axis) > 0
                                ? lashi_guide_up(&named->def, lashi_scale3(1 / lashi_length3(axis), axis))
                                : (lashi_vec3){1, 0, 0};
    mark[0] = from.x, mark[1] = from.y, mark[2] = from.z;
    const lash_expression *given = !closed ? NULL : part ? wear->journal : wear->bearing;
    for (size_t i = 0; i < model->setting_count; i++) {
        const char *bad;
        if (!is_profile_of(&model->settings[i], shape, spatial ? end + 1 : 0, part))
            continue;
        double *a = calloc(count, sizeof *a);
        if (a)
            read_depths(a, count, &bad, model->settings[i].value);
        for (size_t s = 0; a && depths && s < count; s++)
            depths[s] = s >= sectors
                            ? a[s]
                            : (a[s ? s - 1 : sectors - 1] + 4 * a[s] + a[s + 1 < sectors ? s + 1 : 0]) / 6;
        free(a);
        return a ? count : 0;
    }
    for (size_t s = 0; given && depths && s < sectors; s++)
        depths[s] = lashi_expression_value(given, shape->pitch * (double)s);
    return given ? sectors : 0;
}

double lash_worn_depth(const lash_worn_shape *shape, const double *profile, double at) {
    if (!shape || !profile || !shape->sectors)
        return (double)NAN;
    const double along = (at - shape->origin) / shape->pitch, sectors = (double)shape->sectors;
    if (!shape->closed && !(along > 0 && along < sectors))
        return 0;
    const lashi_surface surface = surface_of(profile, shape);
    return lashi_surface_at(&surface, along * (TWO_PI / sectors)).h;
}

double lash_worn_deepest(const lash_worn_shape *shape, const double *profile) {
    if (!shape || !profile || !shape->sectors)
        return (double)NAN;
    const lashi_surface surface = surface_of(profile, shape);
    return lashi_surface_deepest(&surface);
}

double lash_worn_play(const lash_worn_info *worn) {
    if (!worn || !worn->profile[0])
        return (double)NAN;
    return worn->shape.clearance + lash_worn_deepest(&worn->shape, worn->profile[0]) +
           lash_worn_deepest(&worn->shape, worn->profile[1]);
}

/* 1/m², of a coefficient per volume worn off there. */
static double depth_of(const lash_worn_info *worn, int part, size_t s) {
    return worn->depth[worn->shape.closed ? part : s >= worn->shape.sectors];
}

double lash_worn_volume(const lash_worn_info *worn, int part, const double *profile) {
    if (!worn || !profile || part < 0 || part >= LASH_WORN_PARTS)
        return (double)NAN;
    double volume = 0;
    for (size_t s = 0; s < worn->shape.count; s++)
        volume += profile[s] / depth_of(worn, part, s);
    return volume;
}

void lash_worn_gain(double *gain, const lash_worn_info *worn, int part, const double *volumes) {
    if (!gain || !worn || !volumes || part < 0 || part >= LASH_WORN_PARTS)
        return;
    lashi_surface_gain(gain, volumes, (int)worn->shape.sectors);
    for (size_t s = 0; s < worn->shape.count; s++)
        gain[s] = (s < worn->shape.sectors ? gain[s] : volumes[s]) * depth_of(worn, part, s);
}
