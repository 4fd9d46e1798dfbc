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
#include "dynamics/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 20000, HALVINGS = 50, AXES = 2 };
/* Sweeps end when no impulse changes by more than this share of the largest. */
static const double SETTLED = 1e-15;
/* Speed after an impact, as a share of the fastest before it, that is rounding. */
static const double NO_SPEED = 1e-12;
/* Gain of energy, as a share of all that is exchanged, that is rounding. */
static const double NO_GAIN = 1e-13;

/* The contacts that take part; axis a of contact i is direction AXES i + a. */
typedef struct problem {
    int count;
    double *D;           /* [direction][link][6] */
    double *W;           /* [direction][direction] */
    double *u, *after;   /* [direction] m/s, before and after */
    double *P;           /* [direction] N s */
    double *restitution; /* [contact] */
    double *mu;          /* [contact] */
    double *rest;        /* [contact] m/s */
    double *held;        /* [contact] 1: stays closed although it would leave, slower than rest */
} problem;

/* Doubles for so many contacts at once. */
static size_t work_of(size_t contacts) {
    const size_t n = AXES * contacts;
    return n * LASHI_LINKS * LASHI_FREEDOMS + n * n + 3 * n + 4 * contacts;
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
static void set_up(problem *p, lashi_impact *impacts, lashi_workspace *w) {
    const lash_system *system = w->system;
    const int n = AXES * p->count;
    int at = 0;
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        if (!impacts[k].joins)
            continue;
        const lashi_gap gap = lashi_gap_of(contact, w->frames);
        double *D_n = direction(p, AXES * at), *D_t = direction(p, AXES * at + 1);
        lashi_contact_unit((double(*)[LASHI_FREEDOMS])D_n, contact, w->frames, &gap, gap.n);
        p->mu[at] = contact->rubs ? contact->friction.p->kinetic : 0;
        memset(D_t, 0, LASHI_LINKS * LASHI_FREEDOMS * sizeof(double));
        if (p->mu[at] > 0)
            lashi_contact_unit((double(*)[LASHI_FREEDOMS])D_t, contact, w->frames, &gap, gap.t);
        p->u[AXES * at] = gap.deltadot;
        p->u[AXES * at + 1] = p->mu[at] > 0 ? gap.sliding : 0;
        const double rebound = contact->p->restitution * gap.deltadot;
        p->rest[at] = contact->p->rest_speed;
        p->held[at] = impacts[k].merges;
        p->restitution[at] =
            rebound >= contact->p->rest_speed && !impacts[k].merges ? contact->p->restitution : 0;
        at++;
    }
    at = 0;
    for (int k = 0; k < system->contact_count; k++)
        for (int a = 0; impacts[k].joins && a < AXES; a++, at++) {
            memset(w->scratch, 0, (size_t)system->bodies * sizeof *w->scratch);
            press(w->scratch, direction(p, at), &system->contacts[k], 1);
            respond(w);
            yield(w->scratch, w);
            int other = 0;
            for (int l = 0; l < system->contact_count; l++)
                for (int o = 0; impacts[l].joins && o < AXES; o++, other++)
                    p->W[at * n + other] = power(direction(p, other), &system->contacts[l],
                                                 (const double(*)[LASHI_FREEDOMS])w->scratch);
        }
}

/* ---- one contact ---- */

/* P of one contact from W of its two directions, {nn, nt, tt}, and the velocities it must take away: r_n
 * along the normal, r_t of sliding. */
static void solve_one(double P[AXES], const double W[3], double r_n, double r_t, double mu, bool held) {
    const double a = W[0], c = W[1], d = W[2];
    P[0] = P[1] = 0;
    if (!(r_n > 0 || held) || !(a > 0))
        return;
    P[0] = r_n / a;
    if (!(mu > 0) || !(d > 0) || !(r_n > 0))
        return;
    const double determinant = a * d - c * c;
    if (determinant > 0) {
        const double n = (d * r_n - c * r_t) / determinant, t = (a * r_t - c * r_n) / determinant;
        if (n >= 0 && fabs(t) <= mu * n) {
            P[0] = n, P[1] = t;
            return;
        }
    }
    for (int sign = 1; sign >= -1; sign -= 2) {
        const double under = a + sign * mu * c, n = r_n / under, t = sign * mu * n;
        if (under > 0 && sign * (r_t - c * n - d * t) >= 0) {
            P[0] = n, P[1] = t;
            return;
        }
    }
}

/* Impulses and velocities after, with every restitution times `share`. */
static void solve(problem *p, double share) {
    const int n = AXES * p->count;
    memset(p->P, 0, (size_t)n * sizeof(double));
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double change = 0, largest = 0;
        for (int i = 0; i < p->count; i++) {
            const int at = AXES * i;
            double r[AXES], P[AXES];
            for (int axis = 0; axis < AXES; axis++) {
                r[axis] = p->u[at + axis];
                for (int o = 0; o < n; o++)
                    if (o / AXES != i)
                        r[axis] -= p->W[(at + axis) * n + o] * p->P[o];
            }
            const double own[3] = {p->W[at * n + at], p->W[at * n + at + 1], p->W[(at + 1) * n + at + 1]};
            solve_one(P, own, r[0] + share * p->restitution[i] * p->u[at], r[1], p->mu[i], p->held[i] > 0);
            for (int axis = 0; axis < AXES; axis++) {
                change = fmax(change, fabs(P[axis] - p->P[at + axis]));
                largest = fmax(largest, fabs(P[axis]));
                p->P[at + axis] = P[axis];
            }
        }
        if (p->count == 1 || change <= SETTLED * largest)
            break;
    }
    for (int i = 0; i < n; i++) {
        p->after[i] = p->u[i];
        for (int o = 0; o < n; o++)
            p->after[i] -= p->W[i * n + o] * p->P[o];
    }
}

/* Energy lost by direction i. */
static double lost(const problem *p, int i) {
    return 0.5 * p->P[i] * (p->u[i] + p->after[i]);
}

static bool gains(const problem *p) {
    double sum = 0, all = 0;
    for (int i = 0; i < AXES * p->count; i++) {
        sum += lost(p, i);
        all += fabs(p->P[i] * p->u[i]);
    }
    return sum < -NO_GAIN * all;
}

/* Marks contacts that leave slower than their rest speed; false: no new one. */
static bool hold_slow(problem *p) {
    double fastest = 0;
    bool any = false;
    for (int i = 0; i < p->count; i++)
        fastest = fmax(fastest, fabs(p->u[AXES * i]));
    for (int i = 0; i < p->count; i++) {
        const double leave = -p->after[AXES * i];
        const bool closed = p->u[AXES * i] >= -NO_SPEED * fastest; // it was not leaving before
        if (p->held[i] == 0 && closed && leave > NO_SPEED * fastest && leave < p->rest[i] &&
            p->restitution[i] == 0) {
            p->held[i] = 1;
            any = true;
        }
    }
    return any;
}

static void solve_without_gain(problem *p) {
    do
        solve(p, 1);
    while (hold_slow(p));
    if (!gains(p))
        return;
    double low = 0, high = 1;
    for (int k = 0; k < HALVINGS; k++) {
        const double share = 0.5 * (low + high);
        solve(p, share);
        *(gains(p) ? &high : &low) = share;
    }
    solve(p, low);
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

/* LOCKED: a machine that yields less than this share of what its free bodies would yields nothing to an
 * impact. STOPPED: approach after the impact, as a share of the fastest before it, that is still rounding. */
static const double LOCKED = 1e-10, STOPPED = 1e-9;

/* The contact that cannot be stopped, because no impulse in it moves the machine. Or the fastest, where
 * several together leave no freedom and the sweeps left some approaching. -1: none. */
static int unstoppable(const problem *p, const lash_system *system, const lashi_impact *impacts) {
    const int n = AXES * p->count;
    int fastest = -1, at = 0;
    double speed = 0, left = 0;
    for (int k = 0; k < system->contact_count; k++) {
        if (!impacts[k].joins)
            continue;
        const double u = p->u[at], rest = p->rest[at / AXES];
        if (p->W[n * at + at] < LOCKED * system->contacts[k].p->response && u > rest)
            return k;
        if (u > speed && u > rest)
            speed = u, fastest = k;
        left = fmax(left, p->after[at]);
        at += AXES;
    }
    return left > STOPPED * speed ? fastest : -1;
}

int lashi_impact_solve(double *y, lashi_impact *impacts, lashi_workspace *w, double t) {
    const lash_system *system = w->system;
    problem p = {0};
    for (int k = 0; k < system->contact_count; k++)
        p.count += impacts[k].joins;
    if (!lashi_impact_reserve(w, (size_t)p.count))
        return LASHI_IMPACT_NO_MEMORY;
    const size_t n = AXES * (size_t)p.count;
    p.D = w->impact;
    p.W = p.D + n * LASHI_LINKS * LASHI_FREEDOMS;
    p.u = p.W + n * n;
    p.after = p.u + n;
    p.P = p.after + n;
    p.restitution = p.P + n;
    p.mu = p.restitution + p.count;
    p.rest = p.mu + p.count;
    p.held = p.rest + p.count;
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
    set_up(&p, impacts, w);
    solve_without_gain(&p);
    const int locked = unstoppable(&p, system, impacts);
    if (locked >= 0)
        return LASHI_IMPACT_LOCKED + locked;
    // All impulses together: velocities, and what the drives had to resist.
    memset(w->scratch, 0, (size_t)system->bodies * sizeof *w->scratch);
    for (int k = 0, at = 0; k < system->contact_count; k++) {
        lashi_impact *impact = &impacts[k];
        if (!impact->joins)
            continue;
        press(w->scratch, direction(&p, at), &system->contacts[k], -p.P[at]);
        press(w->scratch, direction(&p, at + 1), &system->contacts[k], -p.P[at + 1]);
        impact->approach = p.u[at];
        impact->leave = -p.after[at];
        impact->impulse = p.P[at];
        impact->friction = -p.P[at + 1];
        impact->lost_friction = lost(&p, at + 1);
        impact->lost = lost(&p, at) + impact->lost_friction;
        y[system->loss_at + LASHI_LOSSES * k + LASHI_LOSS_DAMPING] += lost(&p, at);
        y[system->loss_at + LASHI_LOSSES * k + LASHI_LOSS_FRICTION] += lost(&p, at + 1);
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
