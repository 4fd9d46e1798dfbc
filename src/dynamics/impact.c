/* SPDX-License-Identifier: MIT
 *
 * Impacts of contacts that are constraints (three-mode model): impulse and momentum, with all ideal joints,
 * drives and permanent contacts in place.
 *
 * All contacts closed at the instant take part together: those that arrive and those that follow. With D the
 * unit forces along n and, where there is friction, along t, an impulse P (P_n presses journal and bearing
 * apart, P_t acts along −t on the journal) changes the relative velocities u = D v of the points that touch
 * by
 *     u⁺ = u⁻ − W P,     W = D M̂⁻¹ Dᵀ,     M̂⁻¹ = M⁻¹ − M⁻¹ Φqᵀ S⁻¹ Φq M⁻¹,
 * under
 *     P_n ≥ 0,   u_n⁺ + ε u_n⁻ ≤ 0,   one of them zero                     (Newton's restitution in every contact)
 *     |P_t| ≤ μ P_n,   sticking u_t⁺ = 0 or sliding P_t = μ P_n sign u_t⁺   (Coulomb)
 * (Moreau 1988; Pfeiffer & Glocker, Multibody Dynamics with Unilateral Contacts, 1996, ch. 8). One contact is
 * solved in closed form, several by sweeps over them (Gauss–Seidel; it converges for the symmetric, positive
 * semidefinite W without friction, and with the friction of bearings). μ is the coefficient of fast sliding.
 *
 * A rebound ε u_n⁻ slower than the joint's rest speed is taken as ε = 0. A contact that the others' impulses
 * would open slower than that stays closed (u_n⁺ = 0 with P_n of either sign): otherwise contacts that knock
 * each other open ever more slowly would never come to rest. The same holds for a contact that merges: the
 * bounce that brought it here was smaller than the errors of the positions.
 *
 * Energy. The contacts lose ½ P·(u⁻ + u⁺). With ε = 0 that is P·u⁺ + ½ PᵀWP ≥ 0; with different ε at several
 * contacts, or friction and restitution together, Newton's law may give a gain. Then all ε of this impact are
 * lowered by one common factor, the largest at which nothing is gained.
 */
#include "dynamics/impulses.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/evaluate.h"

enum { AXES = LASHI_IMPACT_AXES };

/* The contacts that take part; axis a of contact i is direction AXES i + a. */
typedef struct problem {
    lashi_impulses of;
    double *D; /* [direction][link][6] */
} problem;

/* Doubles for so many contacts at once. */
static size_t work_of(size_t contacts) {
    const size_t n = AXES * contacts;
    return n * LASHI_LINKS * LASHI_FREEDOMS + n * n + 3 * n + 5 * contacts;
}

bool lashi_impact_reserve(lashi_workspace *w, size_t contacts) {
    if (contacts <= w->impact_room)
        return true;
    double *room = calloc(work_of(contacts), sizeof *room);
    if (!room)
        return false;
    free(w->impact);
    w->impact = room;
    w->impact_room = contacts;
    return true;
}

/* Impulses on all bodies become changes of velocity. */
static void yield(double (*push)[LASHI_FREEDOMS], const lashi_workspace *w) {
    lashi_constraints_yield(push, &w->system->motion, w->frames,
                            (const double(*)[LASHI_FREEDOMS])w->system->inverse_free);
}

/* Adds to the impulses f in w->scratch those of the constraints: f − Φqᵀ S⁻¹ Φq M⁻¹ f. M⁻¹ times that is M̂⁻¹
 * f. The multipliers stay in row_scratch. */
static void respond(lashi_workspace *w) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    double(*push)[LASHI_FREEDOMS] = w->scratch, (*free)[LASHI_FREEDOMS] = w->acceleration;
    memcpy(free, push, (size_t)system->bodies * sizeof *free);
    yield(free, w);
    memset(w->row_scratch, 0, (size_t)set->rows * sizeof(double));
    lashi_constraints_multiply(w->row_scratch, &w->constraints, set, (const double(*)[LASHI_FREEDOMS])free);
    lashi_constraints_solve(w->row_scratch, &w->constraints, set);
    lashi_constraints_subtract(push, &w->constraints, set, w->row_scratch);
}

static double power(const double D[LASHI_LINKS * LASHI_FREEDOMS], const lashi_contact *contact,
                    const double (*v)[LASHI_FREEDOMS]) {
    double sum = 0;
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            sum += D[link * LASHI_FREEDOMS + i] * v[contact->body[link]][i];
    return sum;
}

/* Adds scale times direction D to the impulses on the bodies. */
static void press(double (*push)[LASHI_FREEDOMS], const double D[LASHI_LINKS * LASHI_FREEDOMS],
                  const lashi_contact *contact, double scale) {
    for (int link = 0; link < LASHI_LINKS; link++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            push[contact->body[link]][i] += scale * D[link * LASHI_FREEDOMS + i];
}

static double *direction(const problem *p, int index) {
    return p->D + (size_t)index * LASHI_LINKS * LASHI_FREEDOMS;
}

/* ---- the equations ---- */

/* Directions, velocities before, restitution, and W; rows of the contacts that join are off. */
static void set_up(problem *all, lashi_impact *impacts, lashi_workspace *w) {
    const lash_system *system = w->system;
    lashi_impulses *p = &all->of;
    const int n = AXES * p->count;
    int at = 0;
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        if (!impacts[k].joins)
            continue;
        const lashi_gap gap = lashi_gap_of(contact, w->frames);
        double *D_n = direction(all, AXES * at), *D_t = direction(all, AXES * at + 1);
        lashi_contact_unit((double(*)[LASHI_FREEDOMS])D_n, contact, w->frames, &gap, gap.n);
        p->mu[at] = contact->rubs ? contact->friction.p->kinetic : 0;
        memset(D_t, 0, LASHI_LINKS * LASHI_FREEDOMS * sizeof(double));
        if (p->mu[at] > 0)
            lashi_contact_unit((double(*)[LASHI_FREEDOMS])D_t, contact, w->frames, &gap, gap.t);
        p->u[AXES * at] = gap.deltadot;
        p->u[AXES * at + 1] = p->mu[at] > 0 ? gap.sliding : 0;
        p->rest[at] = contact->p->rest_speed;
        p->response[at] = contact->p->response;
        p->held[at] = impacts[k].merges;
        p->restitution[at] = lashi_impact_restitution(contact->p->restitution, contact->p->rest_speed,
                                                      gap.deltadot, impacts[k].merges);
        at++;
    }
    at = 0;
    for (int k = 0; k < system->contact_count; k++)
        for (int a = 0; impacts[k].joins && a < AXES; a++, at++) {
            memset(w->scratch, 0, (size_t)system->bodies * sizeof *w->scratch);
            press(w->scratch, direction(all, at), &system->contacts[k], 1);
            respond(w);
            yield(w->scratch, w);
            int other = 0;
            for (int l = 0; l < system->contact_count; l++)
                for (int o = 0; impacts[l].joins && o < AXES; o++, other++)
                    p->mobility[at * n + other] = power(direction(all, other), &system->contacts[l],
                                                        (const double(*)[LASHI_FREEDOMS])w->scratch);
        }
}

/* ---- the whole ---- */

/* Work of the drives: they keep their prescribed motion against the impulses on them. */
static double driven(const lashi_workspace *w) {
    const lash_system *system = w->system;
    double work = 0;
    for (int d = 0; d < system->drive_count; d++) {
        const lashi_drive_info *drive = &system->drives[d];
        if (drive->absorbed >= 0) {
            const int b = system->absorbed[drive->absorbed].body;
            const lashi_frame *f = &w->frames[b];
            const double *P = w->scratch[b];
            work -= system->spatial
                        ? lashi_dot3(lashi_vec3_of(P), f->v) + lashi_dot3(lashi_vec3_of(P + 3), f->own)
                        : P[0] * f->vx + P[1] * f->vy + P[2] * f->w;
        } else {
            const lashi_constraint *item = &system->motion.items[drive->constraint];
            work -= w->row_scratch[item->first_row] *
                    lashi_coordinate_evaluate(&item->coordinate, w->frames).rate;
        }
    }
    return work;
}

/* The contact that is number `index` of those that join. */
static int joined(const lash_system *system, const lashi_impact *impacts, int index) {
    int k = 0;
    while (k < system->contact_count && !(impacts[k].joins && index-- == 0))
        k++;
    return k;
}

int lashi_impact_solve(double *y, lashi_impact *impacts, lashi_workspace *w, double t) {
    const lash_system *system = w->system;
    int count = 0;
    for (int k = 0; k < system->contact_count; k++)
        count += impacts[k].joins;
    if (!lashi_impact_reserve(w, (size_t)count))
        return LASHI_IMPACT_NO_MEMORY;
    const size_t n = AXES * (size_t)count;
    double *room = w->impact + n * LASHI_LINKS * LASHI_FREEDOMS;
    problem all = {.D = w->impact,
                   .of = {.count = count,
                          .mobility = room,
                          .u = room + n * n,
                          .after = room + n * (n + 1),
                          .impulse = room + n * (n + 2)}};
    lashi_impulses *p = &all.of;
    p->restitution = p->impulse + n;
    p->mu = p->restitution + count;
    p->rest = p->mu + count;
    p->held = p->rest + count;
    p->response = p->held + count;
    w->present = false;
    lashi_frames_at(w->frames, NULL, system, t, y);
    lashi_following_switch(w);
    for (int k = 0; k < system->contact_count; k++)
        if (impacts[k].joins)
            w->constraints.off[system->motion.items[system->contacts[k].constraint].first_row] = 1;
    lashi_constraints_evaluate(&w->constraints, &system->motion, w->frames, t);
    w->singular_row = lashi_constraints_factor(&w->constraints, &system->motion,
                                               (const double(*)[LASHI_FREEDOMS])system->inverse_free, 0);
    if (w->singular_row >= 0)
        return 1;
    set_up(&all, impacts, w);
    lashi_impulses_solve(p);
    const int locked = lashi_impulses_locked(p);
    if (locked >= 0)
        return LASHI_IMPACT_LOCKED + joined(system, impacts, locked);
    // All impulses together: velocities, and what the drives had to resist.
    memset(w->scratch, 0, (size_t)system->bodies * sizeof *w->scratch);
    for (int k = 0, at = 0; k < system->contact_count; k++) {
        lashi_impact *impact = &impacts[k];
        if (!impact->joins)
            continue;
        press(w->scratch, direction(&all, at), &system->contacts[k], -p->impulse[at]);
        press(w->scratch, direction(&all, at + 1), &system->contacts[k], -p->impulse[at + 1]);
        impact->approach = p->u[at];
        impact->leave = -p->after[at];
        impact->impulse = p->impulse[at];
        impact->friction = -p->impulse[at + 1];
        impact->lost_friction = lashi_impulse_lost(p, at + 1);
        impact->lost = lashi_impulse_lost(p, at) + impact->lost_friction;
        y[system->loss_at + LASHI_LOSSES * k + LASHI_LOSS_DAMPING] += lashi_impulse_lost(p, at);
        y[system->loss_at + LASHI_LOSSES * k + LASHI_LOSS_FRICTION] += lashi_impulse_lost(p, at + 1);
        at += AXES;
    }
    respond(w);
    y[system->work_at + LASHI_WORK_INPUT] += driven(w);
    yield(w->scratch, w);
    const double *change = w->scratch[0];
    for (int i = 0; i < system->n_v; i++)
        y[system->v_at + i] += change[system->freedom[i]];
    return 0;
}
