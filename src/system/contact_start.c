/* SPDX-License-Identifier: MIT
 *
 * Contact as a constraint, Φ = δ = 0 (docs/physics.md, section 6; Grigore and others 2011 call that of a pin a
 * massless link), and how such contacts start. Its multiplier is the pressure N of part j on part i: positive
 * outward. contact/contact.c fills the row.
 *
 * In permanent contact the row always holds and counts among the constraints. In the three-mode model it
 * holds while contact follows; in free flight it is off. Which of them hold may repeat other rows in some
 * mode and position: then they are left out (constraints.h).
 */
#include "joint/space.h"
#include "system/system.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* Centres drawn closer than this share of c have no direction in which they could be in contact. */
static const double NO_DIRECTION = 1e-3;
/* Share of c from the wall within which a journal is drawn in contact. */
static const double AT_WALL = 1e-6;

/* Ways to start. */
static const char CENTRED[] = "in the centre, at rest in its bearing";
static const char AT_OFFSET[] = "at its offset, at rest in its bearing";
static const char THROWN[] = "at its offset, with the velocity given";
static const char AT_REST[] =
    "where it is drawn, at rest in its bearing, as the file gives no velocities there";
static const char AS_DRAWN[] = "where it is drawn, with the velocities of its bodies";
static const char COULD_NOT_REST[] = "where it is drawn, swinging in its bearing: with journals at rest no "
                                     "velocities satisfy joints and drives";

lashi_constraint lashi_contact_row(const lash_system *system, int index) {
    const lashi_contact *contact = &system->contacts[index];
    return (lashi_constraint){.type = LASHI_JOINT_contact,
                              .rows = 1,
                              .body = {contact->body[0], contact->body[1], contact->body[2]},
                              .origin = contact->joint,
                              .contact = contact,
                              .name = contact->name};
}

/* With an offset the start is that of every joint with play: the journal is there, at rest in its
 * bearing. Without, it is where it is drawn, closed as the contact asks, with the velocities drawn; where
 * none are, lashi_contact_attach puts it at rest there too. */
lash_status lashi_contact_assembly(lashi_constraint *closed, lash_system *system, int index,
                                   const double offset[3], const lashi_frame *frames, lash_error *error) {
    lashi_contact *contact = &system->contacts[index];
    const double c = contact->p->size.clearance;
    if (!isnan(offset[0])) {
        const double z = system->spatial ? offset[2] : 0,
                     size = sqrt(offset[0] * offset[0] + offset[1] * offset[1] + z * z);
        closed->offset = (lashi_vec2){offset[0] * c / size, offset[1] * c / size};
        closed->offset3 = (lashi_vec3){offset[0] * c / size, offset[1] * c / size, z * c / size};
        contact->start = AT_OFFSET;
        return LASH_OK;
    }
    if (!(lashi_gap_of(contact, frames).e > NO_DIRECTION * c))
        return lashi_fail_at(
            error, LASH_ERROR_MODEL, (double)NAN, contact->name,
            "joint '%s': its two centres are drawn at the same place, so that permanent "
            "contact has no direction; give clearance.offset, a vector of length %g m, or draw "
            "the bodies where they start",
            contact->name, c);
    *closed = lashi_contact_row(system, index);
    contact->start = AS_DRAWN;
    return LASH_OK;
}

void lashi_contact_start(lashi_constraint *closed, lash_system *system, int index,
                         const lash_clearance_def *def, const lashi_frame *frames) {
    lashi_contact *contact = &system->contacts[index];
    const double *offset = def->offset, *velocity = def->velocity;
    const bool thrown = !isnan(velocity[0]);
    if (!isnan(offset[0])) {
        closed->offset = (lashi_vec2){offset[0], offset[1]};
        closed->offset3 = lashi_vec3_of(offset);
    }
    if (thrown) {
        system->joints[contact->joint].thrown =
            (lashi_vec3){velocity[0], velocity[1], system->spatial ? velocity[2] : 0};
    } else if (isnan(offset[0]) && contact->model == LASHI_MODEL_MODES &&
               fabs(lashi_gap_of(contact, frames).delta) < AT_WALL * contact->p->room) {
        *closed = lashi_contact_row(system, index);
    }
    if (contact->model == LASHI_MODEL_MODES)
        contact->start = closed->contact    ? AS_DRAWN
                         : thrown           ? THROWN
                         : isnan(offset[0]) ? CENTRED
                                            : AT_OFFSET;
}

/* Whether the file says how a body moves at the start: by its velocities, or by a drive. */
static bool has_velocity(const lash_system *system, int body) {
    bool any = body == LASHI_GROUND_BODY || lashi_body_is_thrown(&system->model->bodies[body].def);
    for (int c = 0; c < system->assembly.count; c++) {
        const lashi_constraint *item = &system->assembly.items[c];
        any = any || (item->type == LASHI_JOINT_drive && (item->body[0] == body || item->body[1] == body));
    }
    return any;
}

bool lashi_contact_attach(lashi_constraint *closed, lash_system *system, int index,
                          const lashi_frame *frames) {
    lashi_contact *contact = &system->contacts[index];
    if (has_velocity(system, contact->body[0]) && has_velocity(system, contact->body[1]))
        return false;
    const lashi_vec3 e = lashi_gap_of(contact, frames).d;
    closed->offset = (lashi_vec2){e.x, e.y};
    closed->offset3 = e;
    contact->start = AT_REST;
    return true;
}

void lashi_contact_detached(lash_system *system) {
    for (int k = 0; k < system->contact_count; k++)
        if (system->contacts[k].start == AT_REST)
            system->contacts[k].start = COULD_NOT_REST;
}

/* ---- with the machine assembled ---- */

/* δ̈ that a unit force gives the bodies of a contact by themselves. Of a contact between centres it is
 * the mean over its directions. */
static double response(const lash_system *system, const lashi_contact *contact, const lashi_gap *gap) {
    double sum = 0;
    for (int link = 0; link < LASHI_LINKS; link++) {
        const double *inverse = system->inverse_mass[contact->body[link]];
        if (contact->acts == LASHI_ACTS_ON_ROWS) {
            for (int i = 0; i < LASHI_FREEDOMS; i++)
                sum += inverse[i] * gap->row[link][i] * gap->row[link][i];
        } else if (link < LASHI_SLOTS && contact->acts == LASHI_ACTS_IN_PLANE) {
            sum += inverse[0] + inverse[2] * lashi_dot(contact->p->s[link], contact->p->s[link]);
        } else if (link < LASHI_SLOTS) {
            const lashi_vec3 s = contact->p->s3[link];
            sum += inverse[0] + (inverse[3] * (s.y * s.y + s.z * s.z) + inverse[4] * (s.z * s.z + s.x * s.x) +
                                 inverse[5] * (s.x * s.x + s.y * s.y)) /
                                    3;
        }
    }
    return sum;
}

/* A rigid stop of a coordinate that a drive prescribes. */
static lash_status refuse_driven(const lash_system *system, const lashi_contact *contact, lash_error *error) {
    const char *joint = system->model->joints[contact->joint].name;
    if (contact->model != LASHI_MODEL_MODES || contact->acts != LASHI_ACTS_ON_ROWS)
        return LASH_OK;
    for (int d = 0; d < system->drive_count; d++)
        if (system->model->drives[d].def.joint && strcmp(system->model->drives[d].def.joint, joint) == 0)
            return lashi_fail_at(
                error, LASH_ERROR_MODEL, (double)NAN, contact->name,
                "'%s' is rigid, but the drive '%s' prescribes how its joint moves: nothing can stop "
                "that. Take model: compliant, or drive the joint by a torque or force",
                contact->name, system->drives[d].name);
    return LASH_OK;
}

lash_status lashi_contacts_look(lash_system *system, lashi_frame *frames, lash_error *error) {
    lashi_frames_fill(frames, system, system->full0);
    for (int k = 0; k < system->contact_count; k++) {
        lashi_contact *contact = &system->contacts[k];
        const lashi_gap gap = lashi_gap_of(contact, frames);
        contact->p->response = response(system, contact, &gap);
        lash_status status = refuse_driven(system, contact, error);
        if (!status && lashi_kind_of(contact)->start)
            status = lashi_kind_of(contact)->start(contact, frames, error);
        if (status)
            return status;
    }
    return LASH_OK;
}
