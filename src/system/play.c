/* SPDX-License-Identifier: MIT
 *
 * Joints with play as they are compiled: gap, laws and film from the definition, and in space the several
 * contacts of one joint.
 */
#include "system/system.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "contact/oil.h"

/* A length in m from {length, share of c}. */
static double resolve_share(const double share[2], double c) {
    return isnan(share[0]) ? share[1] * c : share[0];
}

static lash_status compile_film(lashi_contact *out, const lash_clearance_def *play, lash_error *error) {
    const lash_lubricant_def *def = &play->lubricant;
    static const double ZERO_CELSIUS = 273.15;
    double viscosity = def->viscosity;
    lash_status status = LASH_OK;
    out->lubricated = true;
    out->dry = def->dry;
    if (def->oil)
        status = lashi_oil_viscosity(&viscosity, &out->film_warning, def->oil,
                                     def->temperature - ZERO_CELSIUS, error);
    const double c = out->gap.clearance, e1 = def->dry ? resolve_share(def->reserve, c) : 0;
    if (!status && def->dry)
        status = lashi_hybrid_compile(&out->hybrid, resolve_share(def->transition, c), e1, c, error);
    const lashi_film_law *law = lashi_film_find(def->film);
    const lashi_film_data data = {.model = def->film,
                                  .viscosity = viscosity,
                                  .length = play->length,
                                  .radius = out->gap.journal_radius,
                                  .clearance = c + e1,
                                  .full = def->extent ? strcmp(def->extent, "full") == 0 : law && law->full,
                                  .shear = def->shear ? strcmp(def->shear, "yes") == 0 : -1,
                                  .inlet = lashi_inlet_of(def->inlet),
                                  .groove = def->groove};
    if (!status)
        status = lashi_film_compile(&out->film, &data, error);
    if (!status && !out->film_warning)
        out->film_warning = out->film.warning;
    return status;
}

lash_status lashi_play_compile(lashi_contact *out, const lash_model *model, const lashi_constraint *closed,
                               const lash_clearance_def *def, lash_error *error) {
    *out = (lashi_contact){.name = closed->name,
                             .body = {closed->body[0], closed->body[1]},
                             .s = {closed->s[0], closed->s[1]},
                             .dry = true,
                             .bristle = -1,
                             .by_tolerance = strcmp(def->detector, "penetration-tolerance") == 0,
                             .tolerance = def->tolerance};
    out->constraint = -1;
    out->model = strcmp(def->model, "permanent-contact") == 0 ? LASHI_MODEL_PERMANENT
                : strcmp(def->model, "three-mode") == 0      ? LASHI_MODEL_MODES
                                                             : LASHI_MODEL_COMPLIANT;
    lash_status status = lashi_gap_compile(&out->gap, def, error);
    if (out->model != LASHI_MODEL_COMPLIANT) {
        out->by_tolerance = false;
        out->restitution = def->restitution;
        out->rest_speed = def->rest_speed;
        out->stops = def->stop_at_loss;
        out->rubs = out->model == LASHI_MODEL_MODES && strcmp(def->friction.law, "none") != 0;
        return status ? status : lashi_friction_compile(&out->friction, &def->friction, error);
    }
    const lash_material_def *material[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        const char *name = def->materials[k] ? def->materials[k] : def->materials[0];
        const size_t index = name ? lashi_model_find_material(model, name) : LASHI_NONE;
        if (index != LASHI_NONE)
            material[k] = &model->materials[index].def;
    }
    if (!status)
        status = lashi_normal_compile(&out->normal, def, material[0], material[1], error);
    if (!status)
        status = lashi_friction_compile(&out->friction, &def->friction, error);
    if (!status && def->has_lubricant)
        status = compile_film(out, def, error);
    return status;
}

lash_status lashi_contacts_compile(int *contacts, lash_system *system, const lashi_constraint *closed,
                                   const lash_joint_def *joint, lash_error *error) {
    static const char *const names[] = {"%s.end1", "%s.end2", "%s.stop"};
    const bool ball = closed->type == LASHI_JOINT_spherical, stops = !isnan(joint->clearance.axial);
    const lashi_geometry *geometry = closed->geometry;
    const int count = ball ? 1 : stops ? 3 : 2;
    for (int k = 0; k < count; k++) {
        lash_clearance_def def = joint->clearance;
        lashi_contact *contact = &system->contacts[system->contact_count];
        if (!ball)
            def.length /= 2;
        lash_status status = lashi_play_compile(contact, system->model, closed, &def, error);
        if (status)
            return status;
        contact->touch = ball ? LASHI_TOUCH_BALL : k < 2 ? LASHI_TOUCH_PIN : LASHI_TOUCH_STOP;
        contact->s3[0] = geometry->s[0];
        contact->s3[1] = geometry->s[1];
        contact->axis = geometry->a[0][2];
        if (contact->touch == LASHI_TOUCH_PIN) {
            contact->normal.stiffness /= 2; // two ends carry what one pin does
            contact->s3[1] =
                lashi_axpy3(geometry->s[1], k == 0 ? -def.length : def.length, geometry->a[1][2]);
        }
        if (contact->touch == LASHI_TOUCH_STOP) {
            contact->gap.clearance = def.axial;
            contact->gap.journal_arm = contact->gap.bearing_arm = contact->gap.carried = 0; // at P_j
            if (!isnan(def.axial_stiffness))
                contact->normal.stiffness = def.axial_stiffness;
        }
        if (!ball)
            contact->name = lashi_arena_print(&system->arena, names[k], closed->name);
        if (!contact->name)
            return lashi_fail_memory(error);
        system->contact_count++;
    }
    *contacts = count;
    return LASH_OK;
}
