/* SPDX-License-Identifier: MIT
 *
 * One end of a pin in its sleeve, in space (docs/physics.md, section 2): the end P_j of the pin's axis against the
 * sleeve with axis u through P_i.
 *
 *   z = u·d,  e = d − z u,  n = e/|e|,  δ = |e| − c;  the points that touch: P_j + R_j n on the pin,
 *   P_i + z u + a n on the sleeve (gap_size.h)
 * A pin touches at both ends, each with half the stiffness: parallel to its sleeve it is the pin of the
 * plane.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "contact/round.h"
#include "contact/rules.h"
#include "contact/wear.h"

/* Of a speed: rounding. */
static const double NO_AXIAL = 1e-9;

void lashi_pin_end_gap(lashi_gap *out, const lashi_contact *contact, const lashi_frame *frames) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_pair3 p = lashi_pair3_evaluate(i, j, contact->p->s3);
    const lashi_vec3 a = lashi_turn3(i->A, contact->p->axis), adot = lashi_cross3(i->spin, a);
    const double z = lashi_dot3(a, p.d), zdot = lashi_dot3(adot, p.d) + lashi_dot3(a, p.ddot);
    const lashi_vec3 e = lashi_axpy3(p.d, -z, a), edot = lashi_axpy3(lashi_axpy3(p.ddot, -zdot, a), -z, adot);
    lashi_round_gap(out, contact, i, j, &p, e, edot, lashi_axpy3(p.S[0], z, a));
}

/* The film of a half pin, in the plane across the sleeve: the end moves there as a pin of the plane does, and
 * both bodies turn with what their spins have along the axis. Sums of forces and moments are zero as there,
 * since the force on the sleeve acts opposite to the end. */
static lashi_film_motion pin_end_film(lashi_vec3 *n, lashi_vec3 *t, const lashi_contact *contact,
                                      const lashi_frame *frames, const lashi_gap *gap) {
    const lashi_frame *i = &frames[contact->body[0]], *j = &frames[contact->body[1]];
    const lashi_vec3 u = lashi_turn3(i->A, contact->p->axis), a = lashi_turn3(i->A, contact->p->across),
                     b = lashi_cross3(u, a);
    const double e[2] = {lashi_dot3(gap->d, a), lashi_dot3(gap->d, b)},
                 edot[2] = {lashi_dot3(gap->ddot, a), lashi_dot3(gap->ddot, b)};
    double along[2], beside[2];
    const lashi_film_motion m =
        lashi_film_planar(along, beside, &contact->film, e, edot, lashi_dot3(u, i->spin),
                          lashi_dot3(u, j->spin), (double[2]){1, 0});
    *n = lashi_axpy3(lashi_scale3(along[0], a), along[1], b);
    *t = lashi_axpy3(lashi_scale3(beside[0], a), beside[1], b);
    return m;
}

static void pin_end_drag(lashi_vec3 torque[LASHI_SLOTS], lashi_contact_state *out,
                         const lashi_contact *contact, const lashi_frame *frames,
                         const lashi_film_force_result *film, lashi_vec3 n, lashi_vec3 f, double eps,
                         double share) {
    (void)n, (void)f, (void)eps;
    const lashi_vec3 u = lashi_turn3(frames[contact->body[0]].A, contact->p->axis);
    torque[0] = lashi_scale3(share * film->bearing_torque, u);
    torque[1] = lashi_scale3(share * film->journal_torque, u);
    out->film_torque = share * film->journal_torque;
}

#ifdef LASHI_KERNEL // a compiled model needs no more
const lashi_contact_kind lashi_contact_pin_end = {.film = pin_end_film, .drag = pin_end_drag};
#else

/* Across the sleeve. */
static lashi_vec3 across(const lashi_contact *contact, const lashi_frame *frames, lashi_vec3 v) {
    const lashi_vec3 a = lashi_turn3(frames[contact->body[0]].A, contact->p->axis);
    return lashi_axpy3(v, -lashi_dot3(v, a), a);
}

static void check(lashi_check *check, lashi_subject subject, const lash_joint_def *def) {
    const lash_clearance_def *play = &def->clearance;
    lashi_round_check(check, subject, play, LASHI_ROUND_ENDS);
    if (play->has_wear)
        lashi_wear_check(check, subject, play, false, NULL);
    const char *given = !isnan(play->velocity[0]) ? "clearance.velocity" : "clearance.offset";
    if (strcmp(def->type, "cylindrical") == 0 && (!isnan(play->offset[0]) || !isnan(play->velocity[0])))
        lashi_complain(check, subject, given,
                       "%s is for joints whose points meet; a pin that slides in its sleeve starts in the "
                       "middle, parallel to it: leave it out",
                       given);
    if (strcmp(def->type, "revolute") != 0 && !isnan(play->axial))
        lashi_complain(
            check, subject, "clearance.axial",
            "clearance.axial: a joint of type %s slides freely along its axis; leave it out, or give "
            "stops",
            def->type);
    if (play->has_lubricant && play->lubricant.inlet && strcmp(play->lubricant.inlet, "groove") == 0)
        lashi_complain(
            check, subject, "clearance.lubricant.inlet",
            "clearance.lubricant.inlet: a groove is for pins in the plane; take periodic or max-film");
}

/* Two ends; the shoulders where there is play along the pin, else a constraint that holds it there. A
 * cylindrical joint slides along its axis. */
static lash_status expand(lashi_expansion *out, lash_error *error) {
    static const char *const parts[] = {"end1", "end2"};
    const lashi_geometry *geometry = out->closed->geometry;
    lash_clearance_def def = out->def->clearance;
    lashi_contact *contact;
    lash_status status = LASH_OK;
    def.length /= 2;
    out->frees = true;
    for (int k = 0; !status && k < 2; k++) {
        status = lashi_play_add(&contact, out, def.has_wear ? LASHI_CONTACT_worn_end : LASHI_CONTACT_pin_end,
                                parts[k], &def, error);
        if (!status) {
            contact->normal.p->stiffness /= 2; // two ends carry what one pin does
            contact->p->across = geometry->a[0][0];
            contact->p->mark = geometry->a[1][0];
            contact->p->s3[1] =
                lashi_axpy3(geometry->s[1], k == 0 ? -def.length : def.length, geometry->a[1][2]);
        }
        if (!status && def.has_wear)
            status = lashi_wear_expand(contact, out, &def, error);
    }
    if (status || out->closed->type == LASHI_JOINT_cylindrical)
        return status;
    if (isnan(def.axial)) {
        const lashi_vec3 u = lashi_turn3(out->frames[out->closed->body[0]].A, out->closed->geometry->a[0][2]),
                         v = lashi_vec3_of(def.velocity);
        const double along = lashi_dot3(u, v);
        if (fabs(along) > NO_AXIAL * lashi_length3(v))
            return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, out->closed->name,
                                 "joint '%s': clearance.velocity has %.3g m/s along the pin, which is held "
                                 "there; leave that part out, or give axial play (clearance.axial)",
                                 out->closed->name, along);
        out->held = *out->closed;
        out->held.type = LASHI_JOINT_point_in_plane;
        out->held.rows = 1;
        out->held.steady = out->held.body[0] == LASHI_GROUND_BODY;
        out->holds = true;
        return LASH_OK;
    }
    def.friction.law = "none";
    def.has_lubricant = false;
    status = lashi_play_add(&contact, out, LASHI_CONTACT_shoulder, "stop", &def, error);
    if (!status) {
        contact->p->size.clearance = contact->p->room = contact->p->doubtful = def.axial;
        contact->p->size.journal_arm = contact->p->size.bearing_arm = contact->p->size.carried = 0; // at P_j
        contact->words =
            lashi_arena_print(out->arena, "%.6g mm of play along the pin to either side", 1e3 * def.axial);
        if (!contact->words)
            return lashi_fail_memory(error);
        if (!isnan(def.axial_stiffness))
            contact->normal.p->stiffness = def.axial_stiffness;
    }
    return status;
}

/* The middle of the pin against its sleeve, and the angle between their axes. */
static const lashi_play_channel channels[] = {
    {"ex", "m", "middle of the pin from that of its bearing, along x"},
    {"ey", "m", "middle of the pin from that of its bearing, along y"},
    {"ez", "m", "middle of the pin from that of its bearing, along z"},
    {"e", "m", "distance of the two middles"},
    {"tilt", "rad", "angle between the axes of pin and bearing"},
    {NULL}};

static double value(const lashi_play_view *view, int channel) {
    const lashi_frame *i = &view->frames[view->contacts->body[0]],
                      *j = &view->frames[view->contacts->body[1]];
    const lashi_vec3 d = lashi_pair3_evaluate(i, j, view->geometry->s).d;
    switch (channel) {
    case 0: return d.x;
    case 1: return d.y;
    case 2: return d.z;
    case 3: return lashi_length3(d);
    default: break;
    }
    const lashi_vec3 a = lashi_turn3(i->A, view->geometry->a[0][2]),
                     b = lashi_turn3(j->A, view->geometry->a[1][2]);
    return atan2(lashi_length3(lashi_cross3(a, b)), lashi_dot3(a, b));
}

static const char *const joints[] = {"revolute", "cylindrical", NULL};
static const lashi_play play = {
    .key = LASHI_CLEARANCE_KEY(
        LASHI_SPACE_ONLY, &lashi_clearance_kind, "(an ideal joint)",
        "play in the joint: contact, friction and lubrication at the two ends of the pin take its "
        "place"),
    .joints = joints,
    .most = 3,
    .check = check,
    .expand = expand,
    .channels = channels,
    .value = value,
    .draw = lashi_round_draw,
};

const lashi_contact_kind lashi_contact_pin_end = {
    .name = "end of a pin",
    .play = &play,
    .acts = LASHI_ACTS_IN_SPACE,
    .bristles = 3,
    .centred = true,
    .deepest = "a quarter of the pin's radius",
    .drift = lashi_round_drift,
    .across = across,
    .film = pin_end_film,
    .drag = pin_end_drag,
};

#endif
