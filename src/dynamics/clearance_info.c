/* SPDX-License-Identifier: MIT
 *
 * What a joint with play will do, told before a run: the numbers of its law, and an impact at a typical
 * speed.
 *
 * Typical speed. At the start the journal flies freely. The centres' relative acceleration there,
 * a = (v̇ + α × S − ω² S) of the journal less that of the bearing, carries it across the gap c to the wall,
 * which it meets with v = sqrt(2 |a| c) in the direction n = a/|a|. Effective mass. A unit impulse along n
 * between the two bodies, with all ideal joints in place, changes the speed across the gap by 1/m = J M⁻¹ Jᵀ
 * − uᵀ S⁻¹ u, where u = Φq M⁻¹ Jᵀ, S = Φq M⁻¹ Φqᵀ and J is the row of δ̇ = J v. The impact is that of
 * lashi_normal_estimate: free and undamped, so its time and depth are upper estimates.
 */
#include <math.h>
#include <string.h>

#include "dynamics/evaluate.h"

/* m/s, where nothing moves the journal at the start. */
static const double SPEED_WITHOUT_CAUSE = 0.1;
/* m/s², below it the journal counts as not accelerated. */
static const double ACCELERATION_FLOOR = 1e-9;

static lashi_vec2 centre_acceleration(const lashi_workspace *w, int body, lashi_vec2 s) {
    const lashi_frame *frame = &w->frames[body];
    const double *a = w->acceleration[body];
    const lashi_vec2 S = lashi_turn(frame, s);
    const double square = frame->w * frame->w;
    if (body == LASHI_GROUND_BODY)
        return (lashi_vec2){0, 0};
    return (lashi_vec2){a[0] - a[2] * S.y - square * S.x, a[1] + a[2] * S.x - square * S.y};
}

/* After an evaluation. rows: room for 2 * rows of the motion set. */
static double effective_mass(double *rows, lashi_workspace *w, const lashi_clearance *joint, lashi_vec2 n) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    double response = 0, *u = rows, *x = rows + set->rows;
    memset(w->scratch, 0, (size_t)system->bodies * sizeof *w->scratch);
    for (int slot = 0; slot < LASHI_SLOTS; slot++) {
        const int body = joint->body[slot];
        const double *inverse = system->inverse_free[body], sign = slot ? 1 : -1;
        const lashi_vec2 S = lashi_turn(&w->frames[body], joint->s[slot]);
        const double J[LASHI_FREEDOMS] = {sign * n.x, sign * n.y, sign * (n.y * S.x - n.x * S.y)};
        for (int i = 0; i < LASHI_FREEDOMS; i++) {
            w->scratch[body][i] += inverse[i] * J[i];
            response += J[i] * inverse[i] * J[i];
        }
    }
    if (set->rows > 0) { // what the joints take of it
        memset(u, 0, (size_t)set->rows * sizeof *u);
        lashi_constraints_multiply(u, &w->constraints, set, (const double(*)[LASHI_FREEDOMS])w->scratch);
        memcpy(x, u, (size_t)set->rows * sizeof *x);
        lashi_constraints_solve(x, &w->constraints, set);
        for (int i = 0; i < set->rows; i++)
            response -= u[i] * x[i];
    }
    return response > 0 ? 1 / response : INFINITY;
}

/* Fills what depends on the motion at the start; left not-a-number where the start cannot be evaluated. */
static void estimate_impact(lash_clearance_info *info, const lash_system *system,
                            const lashi_clearance *joint) {
    lashi_workspace *w;
    if (lashi_workspace_create(&w, system, NULL) != LASH_OK)
        return;
    const size_t rows = (size_t)system->motion.rows;
    double *ydot = lashi_arena_alloc(&w->arena, (size_t)system->n_y, sizeof *ydot),
           *work = lashi_arena_alloc(&w->arena, 2 * rows, sizeof *work);
    lashi_contact *flying = lashi_arena_alloc(&w->arena, (size_t)system->clearance_count, sizeof *flying);
    w->contacts = flying;
    if (ydot && work && flying && lashi_evaluate(ydot, w, 0, system->y0) == 0) {
        const lashi_vec2 bearing = centre_acceleration(w, joint->body[0], joint->s[0]),
                         journal = centre_acceleration(w, joint->body[1], joint->s[1]),
                         a = {journal.x - bearing.x, journal.y - bearing.y};
        const double size = hypot(a.x, a.y);
        const bool moved = size > ACCELERATION_FLOOR;
        const lashi_vec2 n = moved ? (lashi_vec2){a.x / size, a.y / size} : (lashi_vec2){1, 0};
        info->typical_speed = moved ? sqrt(2 * size * info->radial) : SPEED_WITHOUT_CAUSE;
        info->effective_mass = effective_mass(work, w, joint, n);
    }
    lashi_workspace_destroy(w);
    if (!isfinite(info->effective_mass) || !isfinite(info->typical_speed))
        return;
    const lashi_impact_estimate impact =
        lashi_normal_estimate(&joint->normal, info->effective_mass, info->typical_speed);
    info->contact_time = impact.time;
    info->max_penetration = impact.delta_max;
    info->max_force = impact.force_max;
    info->step = sqrt(info->effective_mass / impact.stiffness);
}

size_t lash_system_clearance_count(const lash_system *system) {
    return (size_t)system->clearance_count;
}

lash_clearance_info lash_system_clearance(const lash_system *system, size_t index) {
    const lashi_clearance *joint = &system->clearances[index];
    const double unknown = (double)NAN;
    lash_clearance_info info = {.joint = joint->name,
                                .bearing_radius = joint->gap.bearing_radius,
                                .journal_radius = joint->gap.journal_radius,
                                .radial = joint->gap.clearance,
                                .law = joint->normal.kind->name,
                                .friction = joint->friction.kind->name,
                                .stiffness = joint->normal.stiffness,
                                .exponent = joint->normal.exponent,
                                .restitution_asked = joint->normal.restitution_asked,
                                .restitution = joint->normal.restitution,
                                .effective_mass = unknown,
                                .typical_speed = unknown,
                                .contact_time = unknown,
                                .max_penetration = unknown,
                                .max_force = unknown,
                                .step = unknown,
                                .speed_limit = joint->normal.speed_limit,
                                .warning = joint->normal.warning};
    estimate_impact(&info, system, joint);
    return info;
}
