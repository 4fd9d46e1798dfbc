/* SPDX-License-Identifier: MIT
 *
 * From a joint with play to its contacts: what all kinds have in common. How many contacts there are, and
 * where, is said by the file of the kind.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "contact/contact.h"
#include "contact/oil.h"
#include "model/fields.h"
#include "model/model.h"

/* Share of the journal's radius beyond which no contact law holds. */
static const double DEEPEST = 0.25;

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
    const double c = out->p->size.clearance, e1 = def->dry ? resolve_share(def->reserve, c) : 0;
    if (!status && def->dry)
        status = lashi_hybrid_compile(&out->p->hybrid, resolve_share(def->transition, c), e1, c, error);
    const lashi_film_law *law = lashi_film_find(def->film);
    const lashi_film_data data = {.model = def->film,
                                  .viscosity = viscosity,
                                  .length = play->length,
                                  .radius = out->p->size.journal_radius,
                                  .clearance = c + e1,
                                  .full = def->extent ? strcmp(def->extent, "full") == 0 : law && law->full,
                                  .shear = def->shear ? strcmp(def->shear, "yes") == 0 : -1,
                                  .inlet = lashi_inlet_of(def->inlet),
                                  .groove = def->groove};
    if (!status)
        status = lashi_film_compile(&out->film, &out->p->film, &data, error);
    if (!status && !out->film_warning)
        out->film_warning = out->film.warning;
    return status;
}

const lash_material_def *lashi_play_material(const lash_model *model, const lash_clearance_def *def,
                                             int part) {
    const char *name = def->materials[part] ? def->materials[part] : def->materials[0];
    const size_t index = name ? lashi_model_find_material(model, name) : LASHI_NONE;
    return index == LASHI_NONE ? NULL : &model->materials[index].def;
}

/* Model, laws and film of a contact whose places are set. */
static lash_status compile_laws(lashi_contact *out, const lash_model *model, const lash_clearance_def *def,
                                lash_error *error) {
    const bool round = lashi_kind_of(out)->centred;
    out->model = strcmp(def->model, "permanent-contact") == 0 ? LASHI_MODEL_PERMANENT
                 : strcmp(def->model, "three-mode") == 0      ? LASHI_MODEL_MODES
                                                              : LASHI_MODEL_COMPLIANT;
    if (out->model != LASHI_MODEL_COMPLIANT) {
        out->by_tolerance = false;
        out->p->restitution = def->restitution;
        out->p->rest_speed = def->rest_speed;
        out->stops = def->stop_at_loss;
        const lash_status status =
            lashi_friction_compile(&out->friction, &out->p->friction, &def->friction, error);
        out->rubs = out->model == LASHI_MODEL_MODES && out->p->friction.kinetic > 0;
        return status;
    }
    lash_status status = lashi_normal_compile_in(
        &out->normal, &out->p->normal, def, round ? &out->p->size : NULL, lashi_play_material(model, def, 0),
        lashi_play_material(model, def, 1), error);
    if (!status)
        status = lashi_friction_compile(&out->friction, &out->p->friction, &def->friction, error);
    if (!status)
        out->rubs = out->friction.kind->sticks;
    if (!status && def->has_lubricant)
        status = compile_film(out, def, error);
    return status;
}

/* Friction with a memory of its own, films and laws that jump are resolved always. */
static bool can_quieten(const lashi_contact *contact) {
    return contact->watched && !contact->lubricated && !contact->friction.bristle &&
           !contact->normal.switches_at_turning && lashi_kind_of(contact)->bias;
}

lash_status lashi_play_add(lashi_contact **out, lashi_expansion *expansion, int kind, const char *part,
                           const lash_clearance_def *def, lash_error *error) {
    const lashi_constraint *closed = expansion->closed;
    lashi_contact *contact = *out = &expansion->contacts[expansion->count];
    lashi_contact_numbers *p = &expansion->numbers[expansion->count];
    *p = (lashi_contact_numbers){.s = {closed->s[0], closed->s[1]},
                                 .tolerance = def->tolerance,
                                 .doubtful = INFINITY,
                                 .deepest = INFINITY,
                                 .lever = 1};
    *contact = (lashi_contact){.p = p,
                               .name = closed->name,
                               .kind = kind,
                               .acts = lashi_contact_kinds[kind]->acts,
                               .plain = lashi_contact_kinds[kind]->acts != LASHI_ACTS_ON_ROWS,
                               .joint = closed->origin,
                               .constraint = -1,
                               .body = {closed->body[0], closed->body[1]},
                               .dry = true,
                               .bristle = -1,
                               .deposit = -1,
                               .by_tolerance = strcmp(def->detector, "penetration-tolerance") == 0,
                               .unit = "m",
                               .normal = {.p = &p->normal},
                               .friction = {.p = &p->friction},
                               .film = {.p = &p->film}};
    if (closed->geometry) {
        p->s3[0] = closed->geometry->s[0];
        p->s3[1] = closed->geometry->s[1];
        p->axis = closed->geometry->a[0][2];
    }
    if (part)
        contact->name = lashi_arena_print(expansion->arena, "%s.%s", closed->name, part);
    if (!contact->name)
        return lashi_fail_memory(error);
    expansion->count++;
    if (lashi_kind_of(contact)->centred) {
        lash_status status = lashi_gap_size_compile(&p->size, def, error);
        if (!status)
            status = lashi_sliding_compile(&contact->sliding, def, error);
        if (status)
            return status;
        p->room = p->doubtful = p->size.clearance;
        p->deepest = DEEPEST * p->size.journal_radius;
    }
    const lash_status status = compile_laws(contact, expansion->model, def, error);
    contact->watched = contact->dry && contact->model == LASHI_MODEL_COMPLIANT;
    contact->direct =
        kind == LASHI_CONTACT_pin && contact->watched && !contact->lubricated && !contact->friction.bristle;
    contact->quietens = can_quieten(contact) && strcmp(def->contact.following, "resolve") != 0;
    contact->reduces = contact->quietens && strcmp(def->contact.following, "reduce") == 0;
    return status;
}

bool lashi_body_is_thrown(const lash_body_def *def) {
    bool thrown = (def->hold & (LASH_HOLD_VX | LASH_HOLD_VY | LASH_HOLD_VZ | LASH_HOLD_W)) != 0;
    for (int k = 0; k < 3; k++)
        thrown = thrown || def->velocity[k] != 0 || def->angular_velocity[k] != 0;
    return thrown;
}

bool lashi_play_is_thrown(const lashi_expansion *expansion) {
    bool thrown = false;
    for (int link = 0; link < LASHI_LINKS; link++) {
        const int body = expansion->closed->body[link];
        thrown = thrown ||
                 (body != LASHI_GROUND_BODY && lashi_body_is_thrown(&expansion->model->bodies[body].def));
    }
    return thrown;
}

/* ---- ways to have play ---- */

const char *lashi_contact_model_name(size_t index) {
    static const char *const names[] = {"compliant", "permanent-contact", "three-mode"};
    return lashi_pick(names, sizeof names / sizeof *names, index);
}

const char *lashi_detector_name(size_t index) {
    static const char *const names[] = {"located", "penetration-tolerance"};
    return lashi_pick(names, sizeof names / sizeof *names, index);
}

static bool is_for(const lashi_play *play, const char *type) {
    for (size_t i = 0; play->joints[i]; i++)
        if (strcmp(play->joints[i], type) == 0)
            return true;
    return false;
}

const lashi_play *lashi_play_at(const char *type, lash_space space, size_t index) {
    for (int k = 0; type && k < LASHI_CONTACT_KINDS; k++) {
        const lashi_play *play = lashi_contact_kinds[k]->play;
        if (play && lashi_fits(play->key.space, space) && is_for(play, type) && index-- == 0)
            return play;
    }
    return NULL;
}

const lashi_key *lashi_play_key(const char *type, size_t index) {
    for (int k = 0; k < LASHI_CONTACT_KINDS; k++) {
        const lashi_play *play = lashi_contact_kinds[k]->play;
        if (play && is_for(play, type) && index-- == 0)
            return &play->key;
    }
    return NULL;
}

bool lashi_play_is_in(const lashi_play *play, const lash_joint_def *def) {
    return lashi_key_is_set(&play->key, def);
}

/* The first kind whose play has this key. */
static bool is_first(int kind) {
    for (int k = 0; k < kind; k++) {
        const lashi_play *play = lashi_contact_kinds[k]->play;
        if (play && strcmp(play->key.name, lashi_contact_kinds[kind]->play->key.name) == 0)
            return false;
    }
    return true;
}

void lashi_check_play(lashi_check *check, lashi_subject subject, const lash_joint_def *def) {
    for (int k = 0; k < LASHI_CONTACT_KINDS; k++) {
        const lashi_play *any = lashi_contact_kinds[k]->play, *play = NULL;
        if (!any || !lashi_play_is_in(any, def) || !is_first(k))
            continue;
        for (size_t i = 0; (play = lashi_play_at(def->type, check->model->space, i)) != NULL; i++)
            if (strcmp(play->key.name, any->key.name) == 0)
                break;
        if (!play)
            lashi_complain(check, subject, any->key.name, "%s: a joint of type %s cannot have it",
                           any->key.name, def->type);
        else if (!lashi_was_bad(check, subject, any->key.name))
            play->check(check, subject, def);
    }
}
