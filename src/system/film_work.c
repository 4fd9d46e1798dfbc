/* SPDX-License-Identifier: MIT
 *
 * Which tables of films lash_system_compile will have to compute: that takes seconds, and a program may want
 * to say so before. A table depends on L/D, extent and inlet alone (film_cache.h), so joints may share one.
 */
#include <math.h>
#include <string.h>

#include "contact/film_groove.h"
#include "contact/gap_size.h"
#include "lash/system.h"
#include "model/model.h"

/* The key of a joint's table; false: it needs none. */
static bool key_of(lashi_film_key *out, const lash_joint_def *joint) {
    const lash_clearance_def *play = &joint->clearance;
    const lash_lubricant_def *oil = &play->lubricant;
    lashi_gap_size gap;
    if (!joint->has_clearance || !play->has_lubricant || !oil->film)
        return false;
    const lashi_film_law *law = lashi_film_find(oil->film);
    if (!law || !law->tabulated || !(play->length > 0) || lashi_gap_size_compile(&gap, play, NULL) != LASH_OK)
        return false;
    *out = (lashi_film_key){.inlet = lashi_inlet_of(oil->inlet),
                            .full = oil->extent && strcmp(oil->extent, "full") == 0,
                            .length_ratio = play->length / (2 * gap.journal_radius)};
    return true;
}

static bool same(const lashi_film_key *a, const lashi_film_key *b) {
    return a->inlet == b->inlet && a->full == b->full && a->length_ratio == b->length_ratio;
}

bool lash_film_work_at(lash_film_work *out, const lash_model *model, size_t index) {
    if (!out || !model)
        return false;
    *out = (lash_film_work){0};
    for (size_t i = 0, found = 0; i < model->joint_count; i++) {
        lashi_film_key key, other;
        bool needed = key_of(&key, &model->joints[i].def) && !lashi_film_cache_has(&key);
        for (size_t k = 0; k < i && needed; k++)
            needed = !(key_of(&other, &model->joints[k].def) && same(&other, &key));
        if (needed && found++ == index) {
            *out = (lash_film_work){.joint = model->joints[i].name,
                                    .length_ratio = key.length_ratio,
                                    .seconds = key.inlet == LASHI_INLET_GROOVE ? LASHI_GROOVE_SECONDS
                                                                               : LASHI_TABLE_SECONDS};
            return true;
        }
    }
    return false;
}
