/* SPDX-License-Identifier: MIT
 *
 * Bodies and joints in space as they are compiled: principal axes, triads of joints, moved positions.
 *
 * Inside Lash a body's axes are its principal axes of inertia. So M is diagonal in space as in the plane, and
 * all code that relies on that is shared. The user's axes are the body axes turned by a constant: A_user = A
 * Qᵀ.
 *
 * The angle of a joint is the turn of the second body's (user) axes relative to the first's about the joint's
 * axis u: with the Euler parameters (e0, e) of the relative orientation, θ = 2 atan2(e·u, e0). For bodies
 * drawn with parallel axes it is the angle of the plane; a turn about u adds to it exactly, whatever the rest
 * of the orientation is.
 */
#include "system/space.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "contact/guide.h"
#include "math/principal.h"
#include "system/moves.h"

lash_status lashi_body_in_space(lash_system *system, int b, lash_error *error) {
    const lashi_named_body *body = &system->model->bodies[b];
    const lash_body_def *def = &body->def;
    double J[6], moments[3], Q[9], A[9], unit[4];
    if (!lashi_body_inertia(J, def))
        return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, body->name,
                             "body '%s': its inertia is not that of a rigid body", body->name);
    lashi_principal(moments, Q, J);
    for (int k = 0; k < LASHI_FREEDOMS; k++) {
        system->mass[b][k] = k < 3 ? def->mass : moments[k - 3];
        system->inverse_mass[b][k] = system->inverse_free[b][k] = 1 / system->mass[b][k];
    }
    double turned[4];
    lashi_euler_parameters(turned, Q);
    for (int k = 0; k < 4; k++) // of Qᵀ
        system->principal[b][k] = k == 0 ? turned[0] : -turned[k];
    double *q = system->full0 + 7 * (b - 1), *v = system->full0 + system->n_full + 6 * (b - 1);
    lashi_rotation(A, unit, def->orientation);
    lashi_compose(q + 3, unit, turned);
    const lashi_vec3 spin = lashi_turn_back(Q, lashi_turn_back(A, lashi_vec3_of(def->angular_velocity)));
    for (int k = 0; k < 3; k++) {
        q[k] = def->position[k];
        v[k] = def->velocity[k];
    }
    v[3] = spin.x, v[4] = spin.y, v[5] = spin.z;
    return LASH_OK;
}

lashi_vec3 lashi_to_principal(const lash_system *system, int body, const double user[3]) {
    double A[9], unit[4];
    lashi_rotation(A, unit, system->principal[body]);
    return lashi_turn3(A, lashi_vec3_of(user));
}

void lashi_user_orientation(double p[4], const lash_system *system, int body, const lashi_frame *frame) {
    double unit[4];
    lashi_unit4(unit, frame->p);
    lashi_compose(p, unit, system->principal[body]);
}

/* 2 atan2(e·u, e0) of the second body's user axes relative to the first's; u in the first's user axes. The
 * ground has those of the instance. */
static double twist(const lash_system *system, const lashi_named_joint *named, const int body[LASHI_SLOTS],
                    const lashi_frame *frames, lashi_vec3 u) {
    double p[LASHI_SLOTS][4], relative[4];
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        if (body[slot] == LASHI_GROUND_BODY)
            memcpy(p[slot], named->ground, sizeof p[slot]);
        else
            lashi_user_orientation(p[slot], system, body[slot], &frames[body[slot]]);
    }
    if (body[0] == LASHI_GROUND_BODY) {
        double A[9], unit[4];
        lashi_rotation(A, unit, named->ground);
        u = lashi_turn_back(A, u);
    }
    for (int k = 1; k < 4; k++)
        p[0][k] = -p[0][k];
    lashi_compose(relative, p[0], p[1]);
    return 2 * atan2(relative[1] * u.x + relative[2] * u.y + relative[3] * u.z, relative[0]);
}

lash_status lashi_geometry_compile(lashi_geometry *out, const lash_system *system,
                                   const lashi_named_joint *named, const int body[LASHI_SLOTS],
                                   const double at[LASHI_SLOTS][3], const lashi_joint_form *form,
                                   const lashi_frame *frames, lash_error *error) {
    static const double along_z[3] = {0, 0, 1};
    const lash_joint_def *def = &named->def;
    const lashi_frame *i = &frames[body[0]], *j = &frames[body[1]];
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        out->s[slot] = lashi_to_principal(system, body[slot], at[slot]);
    const lashi_vec3 given = lashi_vec3_of(form->has_axis ? def->axis : along_z);
    const double length = lashi_length3(given);
    if (!(length > 0) || !isfinite(length))
        return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, named->name,
                             "joint '%s': the axis has no direction; give for example axis: [0, 0, 1]",
                             named->name);
    const lashi_vec3 u = lashi_scale3(1 / length, given);
    const double unit[3] = {u.x, u.y, u.z};
    lashi_vec3 *a = out->a[0], *b = out->a[1];
    a[2] = lashi_to_principal(system, body[0], unit);
    const lashi_vec3 up = lashi_guide_up(def, u);
    a[0] = lashi_to_principal(system, body[0], (const double[3]){up.x, up.y, up.z});
    a[1] = lashi_cross3(a[2], a[0]);
    // On the second body: the axis as drawn or as given, and the first axis at the drawn angle.
    lashi_vec3 axis = lashi_turn_back(j->A, lashi_turn3(i->A, a[2]));
    if (form->has_axis && !isnan(def->second_axis[0])) {
        const lashi_vec3 second = lashi_to_principal(system, body[1], def->second_axis);
        if (!(lashi_length3(second) > 0))
            return lashi_fail_at(error, LASH_ERROR_MODEL, (double)NAN, named->name,
                                 "joint '%s': the second axis has no direction", named->name);
        axis = lashi_scale3(1 / lashi_length3(second), second);
    }
    const double angle = form->coordinate == LASHI_HAS_ANGLE ? twist(system, named, body, frames, u) : 0;
    const lashi_vec3 first = lashi_turn3(i->A, lashi_axpy3(lashi_scale3(cos(angle), a[0]), sin(angle), a[1]));
    b[2] = axis;
    b[0] = lashi_across(lashi_turn_back(j->A, first), axis);
    if (!(lashi_length3(b[0]) > 0))
        b[0] = lashi_any_across(axis);
    b[1] = lashi_cross3(b[2], b[0]);
    return LASH_OK;
}

void lashi_shift(double *full, const lash_system *system, const double (*step)[LASHI_FREEDOMS],
                 double share) {
    for (int b = 1; b < system->bodies; b++) {
        if (system->spatial)
            lashi_shift_body(full + 7 * (b - 1), step[b], share);
        for (int k = 0; !system->spatial && k < LASHI_PLANE; k++)
            full[LASHI_PLANE * (b - 1) + k] += share * step[b][k];
    }
}

void lashi_shift_state(double *y, const lash_system *system, const double (*step)[LASHI_FREEDOMS],
                       double share) {
    const double *moves = step[0]; // by freedom
    if (!system->spatial) {
        for (int i = 0; i < system->n_q; i++)
            y[i] += share * moves[system->freedom[i]];
        return;
    }
    for (int b = 1; b < system->bodies; b++)
        if (lashi_turns_freely(system, b))
            lashi_shift_body(y + system->q_at[b], step[b], share);
        else if (system->moves[b])
            y[system->q_at[b]] += share * system->q_rate[b] * moves[system->freedom[system->u_at[b]]];
}

void lashi_velocity_unit(double unit[LASHI_FREEDOMS], const lash_system *system, const lashi_frame *frames,
                         int i) {
    const int body = system->freedom[i] / LASHI_FREEDOMS;
    memset(unit, 0, LASHI_FREEDOMS * sizeof *unit);
    unit[system->freedom[i] % LASHI_FREEDOMS] = 1;
    for (int k = 0; k < system->pin_count; k++)
        if (system->pins[k].body == body)
            lashi_pin_unit(unit, &system->pins[k], &frames[body]);
}

void lashi_count_angles(double *full, const lash_system *system, const lashi_frame *frames) {
    double *angles = full + system->n_full + system->full_v;
    for (int j = 0; system->counted > 0 && j < system->joint_count; j++) {
        const lashi_coordinate *coordinate = &system->joints[j].coordinate;
        if (system->joints[j].has_coordinate && coordinate->counted >= 0)
            angles[coordinate->counted] = lashi_coordinate_evaluate(coordinate, frames).value;
    }
}
