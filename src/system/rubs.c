/* SPDX-License-Identifier: MIT
 *
 * The list of rubs (contact/rub.h): of ideal joints with friction, and of contacts whose friction follows
 * from the accelerations.
 */
#include "system/system.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* Law and constant part of a joint's friction. Without a coefficient the law gives the constant part its
 * shape. Of a mesh friction is a share k of its force F, half of it on either side: F (1 + k/2) goes in and F (1 − k/2)
 * comes out, so the share k/(1 + k/2) is lost. */
static lash_status compile_law(lashi_rub *out, const lash_rubbing_def *def, double radius,
                               lash_error *error) {
    lash_friction_def law = def->law;
    const double torque = isnan(def->torque) ? 0 : def->torque, force = isnan(def->force) ? 0 : def->force;
    if (!isnan(def->loss))
        law.coefficient = def->loss / (1 - def->loss / 2);
    out->loaded = law.coefficient > 0;
    out->preload = torque / radius + force;
    if (!out->loaded) {
        law.coefficient = 1;
        law.coefficient_static = (double)NAN;
    }
    return lashi_friction_compile(&out->law, &out->numbers, &law, error);
}

static lash_status add_joint(lash_system *system, int index, const lashi_constraint *item,
                             lash_error *error) {
    lashi_joint_info *info = &system->joints[index];
    const lashi_slides *slides = lashi_joint_form_of(item)->slides;
    const bool turns = strcmp(slides->unit, "N m") == 0;
    info->first_rub = system->rub_count;
    for (; info->rubs < slides->places; info->rubs++) {
        lashi_rub *rub = &system->rubs[system->rub_count++];
        *rub = (lashi_rub){.name = info->name,
                           .joint = index,
                           .place = info->rubs,
                           .contact = -1,
                           .constraint = -1,
                           .ways = slides->ways,
                           .round = slides->round,
                           .lever = turns ? item->rubbing.radius : 1,
                           .unit = slides->unit,
                           .bristle = -1,
                           .loss = -1};
        if (slides->part)
            rub->name = lashi_arena_print(&system->arena, "%s.%s", info->name, slides->part[rub->place]);
        if (!rub->name)
            return lashi_fail_memory(error);
        const lash_status status =
            compile_law(rub, &system->model->joints[index].def.friction, item->rubbing.radius, error);
        if (status)
            return status;
    }
    return LASH_OK;
}

static void add_contact(lash_system *system, int k) {
    const lashi_contact *contact = &system->contacts[k];
    if (!contact->rubs)
        return;
    system->rubs[system->rub_count++] = (lashi_rub){.name = contact->name,
                                                    .joint = contact->joint,
                                                    .contact = k,
                                                    .constraint = -1,
                                                    .ways = contact->acts == LASHI_ACTS_IN_SPACE ? 2 : 1,
                                                    .loaded = true,
                                                    .law = contact->friction,
                                                    .lever = 1,
                                                    .unit = "N",
                                                    .bristle = -1,
                                                    .loss = -1};
}

lash_status lashi_find_rubs(lash_system *system, const lashi_constraint *motion, size_t count,
                            lash_error *error) {
    enum { MOST_PLACES = 2 };
    const size_t most = MOST_PLACES * count + (size_t)system->contact_count;
    system->rubs = lashi_arena_alloc(&system->arena, most, sizeof *system->rubs);
    system->rub_memories0 = lashi_arena_alloc(&system->arena, most, sizeof *system->rub_memories0);
    if (!system->rubs || !system->rub_memories0)
        return lashi_fail_memory(error);
    lash_status status = LASH_OK;
    for (size_t c = 0; !status && c < count; c++)
        if (motion[c].rubbing.radius > 0)
            status = add_joint(system, motion[c].origin, &motion[c], error);
    for (int k = 0; k < system->contact_count; k++)
        add_contact(system, k);
    for (int r = 0; r < system->rub_count; r++)
        system->sticks = system->sticks || system->rubs[r].law.kind->sticks;
    return status;
}

void lashi_place_rubs(lash_system *system) {
    for (int r = 0; r < system->rub_count; r++) {
        lashi_rub *rub = &system->rubs[r];
        rub->constraint = rub->contact >= 0 ? system->contacts[rub->contact].constraint
                                            : system->joints[rub->joint].constraint;
        if (rub->contact >= 0)
            continue;
        rub->loss = system->n_y++;
        if (rub->law.bristle) {
            rub->bristle = system->n_y;
            system->n_y += rub->ways;
        }
    }
}
