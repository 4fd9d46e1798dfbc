/* SPDX-License-Identifier: MIT
 *
 * Bodies whose ground joints decide their motion alone: taken out of the equations before the run.
 *
 * Two patterns, which nearly every machine has:
 *   prescribed  pinned to ground and driven in its angle (a crank): the whole motion is a function of time,
 *               θ = ±f(t), r = P − S, v = −ω perp(S), v̇ = −ω̇ perp(S) + ω² S.
 *   guided      on a ground guide along x or y (a piston): one coordinate is left, the others are constant.
 * Their own constraints are left out of S; a prescribed body enters the rows of its other joints with its
 * known acceleration, a guided one with 1/m along the guide and 0 across. Their reactions follow afterwards
 * from R = M v̇ − g, g everything else that acts on the body. The constraints hold exactly instead of to a
 * tolerance, the matrix shrinks, and the motion is the same. A mechanism with redundant constraints is left
 * as it is. `reduce: false` in the run block turns this off.
 */
#include "system/system.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

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
    if (pin->type != LASHI_JOINT_revolute || drive->type != LASHI_JOINT_drive ||
        drive->coordinate.type != LASHI_COORDINATE_ANGLE)
        return false;
    *out = (lashi_absorbed){.kind = LASHI_PRESCRIBED, .body = body, .joint = *pin, .drive = *drive};
    out->slot = pin->body[1] == body ? 1 : 0;
    out->sign = drive->coordinate.body[1] == body ? 1 : -1;
    return true;
}

static bool is_guided(lashi_absorbed *out, int body, const ground_joints *own) {
    if (own->count != 1 || own->item[0]->type != LASHI_JOINT_translational || own->item[0]->body[1] != body)
        return false;
    const lashi_vec2 u = own->item[0]->axis;
    if (u.x != 0 && u.y != 0)
        return false;
    *out = (lashi_absorbed){
        .kind = LASHI_GUIDED, .body = body, .slot = 1, .along = u.y == 0 ? 0 : 1, .joint = *own->item[0]};
    return true;
}

static void absorb_guided(lash_system *system, lashi_absorbed *item) {
    double *q = system->full0 + 3 * (item->body - 1), *v = q + system->n_full;
    for (int k = 0; k < LASHI_PLANE; k++)
        if (k != item->along)
            v[k] = system->inverse_free[item->body][k] = 0;
    item->across = q[1 - item->along];
    item->angle = q[2];
    lashi_sincos(q[2], &item->s, &item->c);
}

lash_status lashi_absorb(lashi_constraint *constraints, size_t *count, lash_system *system,
                         lash_error *error) {
    lashi_arena scratch = {0};
    ground_joints *own = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *own);
    system->absorbed = lashi_arena_alloc(&system->arena, (size_t)system->bodies, sizeof *system->absorbed);
    if (!own || !system->absorbed) {
        lashi_arena_clear(&scratch);
        return lashi_fail_memory(error);
    }
    for (size_t c = 0; c < *count; c++) {
        ground_joints *of = &own[only_body(&constraints[c])];
        if (of->count < 2)
            of->item[of->count] = &constraints[c];
        of->count++;
    }
    for (int b = 1; b < system->bodies; b++) {
        lashi_absorbed *item = &system->absorbed[system->absorbed_count];
        if (is_prescribed(item, b, &own[b])) {
            memset(system->inverse_free[b], 0, sizeof system->inverse_free[b]);
            system->moves[b] = 0;
            system->absorbed_rows += 3;
        } else if (is_guided(item, b, &own[b])) {
            absorb_guided(system, item);
            system->moves[b] = LASHI_MOVES_GUIDED;
            system->absorbed_rows += 2;
        } else {
            continue;
        }
        system->joints[item->joint.origin].absorbed = system->absorbed_count;
        if (item->kind == LASHI_PRESCRIBED)
            system->drives[item->drive.origin].absorbed = system->absorbed_count;
        system->absorbed_count++;
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
    lashi_arena_clear(&scratch);
    return LASH_OK;
}
