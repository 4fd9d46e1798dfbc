/* SPDX-License-Identifier: MIT
 *
 * Bodies whose ground joints decide their motion alone: taken out of the equations before the run.
 *
 * Patterns which nearly every machine has, in the plane and in space:
 *   prescribed  pinned to ground and driven in its angle (a crank): the whole motion is a function of time,
 *               θ = ±f(t), r = P − S, v = S × ω, v̇ = S × ω̇ + ω × (S × ω).
 *   guided      on a ground guide along a ground axis (a piston): one coordinate is left, the others are
 *               constant.
 * and in space
 *   pinned      on a pin in ground, not driven (a rocker): one angle is left, v̇ = U u̇ + ω × (S × ω), u the
 *               component of ω′ that is largest along the pin, U the velocities at u = 1 (lashi_pin_unit).
 * Their own constraints are left out of S; a prescribed body enters the rows of its other joints with its
 * known acceleration, a guided one with 1/m along the guide and 0 across, a pinned one with Φq U, one column,
 * and 1/(Uᵀ M U), which is constant. Their reactions follow afterwards
 * from R = M v̇ − g, g everything else that acts on the body. The constraints hold exactly instead of to a
 * tolerance, the matrix shrinks, and the motion is the same. A joint with
 * friction, which needs its reaction, is left as it is. `reduce: false` in the run block turns this off.
 *
 * Where constraints repeat others, R is not determined by the body alone: reactions of least norm come from
 * the set of all constraints (lashi_reactions_share). The rows that are taken out depend on none but
 * each other, so that those left out of S are found among the rest.
 */
#include "system/system.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/principal.h"

/* The only moving body of a constraint, 0 if it has two. */
static int only_body(const lashi_constraint *c) {
    return c->body[0] == 0 ? c->body[1] : c->body[1] == 0 ? c->body[0] : 0;
}

/* Constraints on one body and ground, up to two of them. */
typedef struct ground_joints {
    int count;
    const lashi_constraint *item[2];
} ground_joints;

static bool is_prescribed(lashi_absorbed *out, int body, const ground_joints *own) {
    if (own->count != 2)
        return false;
    const bool first = own->item[0]->type == LASHI_JOINT_revolute;
    const lashi_constraint *pin = own->item[first ? 0 : 1], *drive = own->item[first ? 1 : 0];
    if (pin->type != LASHI_JOINT_revolute || pin->rubbing.radius > 0 || drive->type != LASHI_JOINT_drive ||
        drive->coordinate.type != LASHI_COORDINATE_ANGLE)
        return false;
    *out = (lashi_absorbed){.kind = LASHI_PRESCRIBED, .body = body, .joint = *pin, .drive = *drive};
    out->slot = pin->body[1] == body ? 1 : 0;
    out->sign = drive->coordinate.body[1] == body ? 1 : -1;
    return true;
}

/* The part of v across the unit vector n. */
static lashi_vec3 across(lashi_vec3 v, lashi_vec3 n) {
    return lashi_axpy3(v, -lashi_dot3(v, n), n);
}

/* Space: how the body turns, from the angle θ on. With the triads X on the body and G on ground, X0 = G0 cos θ +
 * G1 sin θ, X1 = G1 cos θ − G0 sin θ, X2 = G2. False: it was assembled another way round. */
static bool turns_in_space(lashi_absorbed *item, double angle, const lash_system *system) {
    static const double SAME = 1e-9;
    const lashi_geometry *g = item->joint.geometry;
    const lashi_vec3 *G = g->a[1 - item->slot], *own = g->a[item->slot];
    item->angle = angle;
    const double s = sin(item->angle), c = cos(item->angle);
    const lashi_vec3 X[3] = {lashi_axpy3(lashi_scale3(c, G[0]), s, G[1]),
                             lashi_axpy3(lashi_scale3(c, G[1]), -s, G[0]), G[2]};
    double A[9] = {0}, *p = item->p[0];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                A[3 * i + j] += (&X[k].x)[i] * (&own[k].x)[j];
    lashi_euler_parameters(p, A);
    const double *drawn = system->full0 + 7 * (item->body - 1) + 3;
    double agrees = 0;
    for (int k = 0; k < 4; k++)
        agrees += p[k] * drawn[k];
    for (int k = 0; k < 4; k++)
        p[k] = agrees < 0 ? -p[k] : p[k];
    item->axis = G[2];
    item->own = own[2];
    lashi_compose(item->p[1], p, (const double[4]){0, own[2].x, own[2].y, own[2].z});
    // Columns of A, and S: what is along the axis stays, what is across it turns.
    for (int k = 0; k < 3; k++) {
        const lashi_vec3 e = {A[k], A[3 + k], A[6 + k]}, turning = across(e, item->axis),
                         parts[3] = {lashi_sub3(e, turning), turning, lashi_cross3(item->axis, e)};
        for (int i = 0; i < 3; i++)
            item->A[i][k] = parts[i].x, item->A[i][3 + k] = parts[i].y, item->A[i][6 + k] = parts[i].z;
    }
    const lashi_vec3 S = lashi_turn3(A, g->s[item->slot]);
    item->arm[0] = across(S, item->axis);
    item->arm[1] = lashi_cross3(item->axis, S);
    item->middle = lashi_sub3(g->s[1 - item->slot], lashi_sub3(S, item->arm[0]));
    return fabs(fabs(agrees) - 1) < SAME;
}

/* Space: a driven body turns about the pin that it is driven in. */
static bool is_driven_in_space(lashi_absorbed *item, const lash_system *system) {
    return item->drive.geometry == item->joint.geometry &&
           turns_in_space(item, item->sign * lashi_profile_jet(&item->drive.profile, 0).f, system);
}

static bool is_pinned(lashi_absorbed *out, int body, const ground_joints *own, const lash_system *system) {
    const lashi_constraint *pin = own->item[0];
    if (own->count != 1 || pin->type != LASHI_JOINT_revolute || !pin->geometry || pin->rubbing.radius > 0)
        return false;
    *out = (lashi_absorbed){
        .kind = LASHI_PINNED, .body = body, .slot = pin->body[1] == body ? 1 : 0, .joint = *pin};
    const lashi_vec3 *G = pin->geometry->a[1 - out->slot];
    double A[9], p[4];
    lashi_rotation(A, p, system->full0 + 7 * (body - 1) + 3);
    const lashi_vec3 X = lashi_turn3(A, pin->geometry->a[out->slot][0]);
    return turns_in_space(out, atan2(lashi_dot3(X, G[1]), lashi_dot3(X, G[0])), system);
}

static bool is_guided(lashi_absorbed *out, int body, const ground_joints *own) {
    if (own->count != 1 || own->item[0]->body[1] != body || own->item[0]->rubbing.radius > 0 ||
        (own->item[0]->type != LASHI_JOINT_translational && own->item[0]->type != LASHI_JOINT_prismatic))
        return false;
    const lashi_constraint *guide = own->item[0];
    const lashi_vec3 u =
        guide->geometry ? guide->geometry->a[0][2] : (lashi_vec3){guide->axis.x, guide->axis.y, 0};
    if ((u.x != 0) + (u.y != 0) + (u.z != 0) != 1)
        return false;
    *out = (lashi_absorbed){.kind = LASHI_GUIDED,
                            .body = body,
                            .slot = 1,
                            .along = u.x != 0   ? 0
                                     : u.y != 0 ? 1
                                                : 2,
                            .joint = *guide};
    return true;
}

static void absorb_guided(lash_system *system, lashi_absorbed *item) {
    double *q = system->full0 + (system->spatial ? 7 : LASHI_PLANE) * (item->body - 1),
           *v = system->full0 + system->n_full + system->width * (item->body - 1);
    for (int k = 0; k < system->width; k++)
        if (k != item->along)
            v[k] = system->inverse_free[item->body][k] = 0;
    system->q_rate[item->body] = 1;
    if (system->spatial) {
        lashi_frame_from3(&item->frame, q, v);
        return;
    }
    item->across = q[1 - item->along];
    item->angle = q[2];
    lashi_sincos(q[2], &item->s, &item->c);
}

static void absorb_pinned(lash_system *system, const lashi_absorbed *item) {
    lashi_pinned *pin = &system->pins[system->pin_count++];
    const double *mass = system->mass[item->body], *own = &item->own.x;
    const lashi_vec3 S = item->joint.geometry->s[item->slot], back = lashi_cross3(S, item->own);
    double *inverse = system->inverse_free[item->body], moment = mass[0] * lashi_dot3(back, back);
    int k = 0;
    for (int i = 0; i < 3; i++) {
        k = fabs(own[i]) > fabs(own[k]) ? i : k;
        moment += mass[3 + i] * own[i] * own[i];
    }
    memset(inverse, 0, LASHI_FREEDOMS * sizeof *inverse);
    inverse[3 + k] = own[k] * own[k] / moment;
    system->q_rate[item->body] = 1 / own[k];
    *pin = (lashi_pinned){.body = item->body,
                          .way = 3 + k,
                          .point = item->joint.geometry->s[1 - item->slot],
                          .axis = lashi_scale3(1 / own[k], item->axis),
                          .own = lashi_scale3(1 / own[k], item->own)};
}

lash_status lashi_find_absorbed(const lashi_constraint *constraints, size_t count, lash_system *system,
                                lash_error *error) {
    lashi_arena scratch = {0};
    ground_joints *own = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *own);
    system->absorbed = lashi_arena_alloc(&system->arena, (size_t)system->bodies, sizeof *system->absorbed);
    system->pins = lashi_arena_alloc(&system->arena, (size_t)system->bodies, sizeof *system->pins);
    system->q_rate = lashi_arena_alloc(&system->arena, (size_t)system->bodies, sizeof *system->q_rate);
    if (!own || !system->absorbed || !system->pins || !system->q_rate) {
        lashi_arena_clear(&scratch);
        return lashi_fail_memory(error);
    }
    for (size_t c = 0; c < count; c++) {
        ground_joints *of = &own[only_body(&constraints[c])];
        if (of->count < 2)
            of->item[of->count] = &constraints[c];
        of->count++;
    }
    for (int b = 1; b < system->bodies; b++) {
        lashi_absorbed *item = &system->absorbed[system->absorbed_count];
        if (!(is_prescribed(item, b, &own[b]) && (!system->spatial || is_driven_in_space(item, system))) &&
            !is_guided(item, b, &own[b]) && !is_pinned(item, b, &own[b], system))
            continue;
        system->joints[item->joint.origin].absorbed = system->absorbed_count;
        if (item->kind == LASHI_PRESCRIBED)
            system->drives[item->drive.origin].absorbed = system->absorbed_count;
        system->absorbed_count++;
    }
    lashi_arena_clear(&scratch);
    return LASH_OK;
}

void lashi_absorb(lashi_constraint *constraints, size_t *count, lash_system *system) {
    for (int k = 0; k < system->absorbed_count; k++) {
        lashi_absorbed *item = &system->absorbed[k];
        system->absorbed_rows += item->joint.rows;
        if (item->kind == LASHI_PRESCRIBED) {
            memset(system->inverse_free[item->body], 0, sizeof system->inverse_free[item->body]);
            system->moves[item->body] = LASHI_MOVES_NOT;
            system->absorbed_rows += item->drive.rows;
        } else if (item->kind == LASHI_GUIDED) {
            absorb_guided(system, item);
            system->moves[item->body] = LASHI_MOVES_GUIDED;
        } else {
            absorb_pinned(system, item);
            system->moves[item->body] = LASHI_MOVES_PINNED;
        }
    }
    // What is left is the motion set.
    size_t kept = 0;
    for (size_t c = 0; c < *count; c++) {
        const bool drive = constraints[c].type == LASHI_JOINT_drive;
        const int at = drive ? system->drives[constraints[c].origin].absorbed
                             : system->joints[constraints[c].origin].absorbed;
        if (at < 0)
            constraints[kept++] = constraints[c];
    }
    *count = kept;
}
