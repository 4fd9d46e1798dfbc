/* SPDX-License-Identifier: MIT
 *
 * What an accepted step shows of the contacts in it: peaks of force and penetration, limits of the laws, and
 * the step to take next.
 *
 * Peaks. Where contact is a force: with damping the force is largest before δ is. δ over the step is taken as
 * the cubic of Hermite through both ends, the force evaluated at a few points of it; where that promises a
 * new peak, parabolas through three points of the interpolant find it. Where contact is a constraint: its
 * pressure costs an evaluation of the equations. The stages of the step show without further cost where it
 * may pass the largest seen; only there its slope is looked at near both ends, and the step searched where it
 * rises first and falls then.
 *
 * Pace. The force of a contact begins and ends as δⁿ, a branch point of the motion in time, which a method of
 * order 8 sees from some way off: a step h that ends a distance d before the end of a contact is good while
 * d/h stays above APPROACH's, and a last step across it while its error, ~ h^(n+1), is tolerable. The error
 * control alone finds both by rejecting steps. Here the end is predicted from δ, δ̇ and the δ̈ of the cubic,
 * and the proposed step shortened to match; after a beginning it is lengthened likewise. The error control
 * still judges every step: a wrong prediction costs an evaluation or two, not accuracy.
 *
 * The first and last step of a contact: the error of a step that begins or ends at the branch point is
 *     κ v (h/T)^(n+1),   v the approach speed, T the contact's Hertz time, κ from experiment;
 * h is such that this is SHARE of the tolerance of speeds.
 */
#include "sim/sim.h"

#include <math.h>
#include <stdint.h>

#include "base/error.h"
#include "math/larger.h"
#include "math/root.h"

/* Parts of the step at whose ends the force is looked at. */
enum { LOOKS = 8 };
/* Search of a largest value that is no smooth peak: parts of a stretch, and how often it is narrowed. */
enum { PARTS = 8, PASSES = 8 };
/* The next parabola is so much narrower, where the top was inside the last one and where it was not; the narrowest. */
static const double INSIDE = 1.0 / 8, BEYOND = 1.0 / 4, NARROWEST = 1.0 / 256;
/* Peaks that the cubic places this far outside the step, of its length, may lie inside. */
static const double BESIDE = 0.15;
/* What the cubic may leave out of a peak, of its range over the step; and what of a peak is not worth a
 * search.
 */
static const double LEFT_OUT = 0.05, NOT_WORTH = 1e-10;
/* Bend of a parabola, of its height, at which a closer one would tell nothing; where a look costs an
 * evaluation of the equations. */
static const double FLAT = 1e-9, FLAT_PRESSURE = 1e-4;

static const double pi = 3.14159265358979323846;

static const double KAPPA = 2.6e-4; /* measured with dop853 on Hertz contacts */
static const double SHARE = 0.1;
static const double LONGEST_FIRST = 0.2; /* of T */
/* Next step after the first of a contact, in lengths of that one. */
static const double LEAVE = 2.0;
/* Share of the time to the end of a contact that one step may take. */
static const double APPROACH = 0.8;
/* The same where its force is cut off (kinks.c): only the work of the elastic part, which no error control
 * sees, has the branch point. */
static const double APPROACH_UNSEEN = 0.4;
/* Last step, in lengths of the time left: across the end for certain. */
static const double ACROSS = 1.3;

/* Damping is warned of where it matters: in a force above this share of the contact's largest, … */
static const double WORTH_SAYING = 0.1;
/* … pressed so many times faster than the contact began. */
static const double FASTER = 1.5;

/* Share of the clearance at which a film without dry contact counts as shut. */
#define LASHI_FILM_SHUT 1e-5

/* ---- peaks ---- */

/* δ over a step as a cubic in x = 0 … 1. */
typedef struct cubic {
    double d, a, p, q; /* δ = d + x (a + x (p + x q)) */
    double h;          /* s */
} cubic;

static cubic cubic_through(double d0, double v0, double d1, double v1, double h) {
    return (cubic){d0, h * v0, 3 * (d1 - d0) - h * (2 * v0 + v1), h * (v0 + v1) - 2 * (d1 - d0), h};
}

/* Where a cubic that rises first and falls then is highest: the root of its slope that does not cancel. */
static double cubic_top(const cubic *c) {
    const double root = sqrt(fmax(0, c->p * c->p - 3 * c->q * c->a));
    return fmin(1, c->a / (root - c->p));
}

/* By what the force of contact k is that of its law. */
static double share_of_law(const lash_sim *sim, int k, double delta) {
    const lashi_contact *contact = &sim->system->contacts[k];
    return sim->memories[k].factor *
           (contact->lubricated ? lashi_hybrid_weight(&contact->p->hybrid, delta) : 1);
}

static double force_of(const lash_sim *sim, int k, double delta, double deltadot) {
    return share_of_law(sim, k, delta) * lashi_normal_force_phase(&sim->system->contacts[k].normal, delta,
                                                                  deltadot, &sim->memories[k].onset)
                                             .force;
}

/* δ̇ nowhere exceeds this, by the cubic. */
static double fastest(const cubic *c) {
    return lashi_larger(c->a, lashi_larger(c->a + c->p, c->a + 2 * c->p + 3 * c->q)) / c->h;
}

/* No force is larger over the cubic: it is nowhere deeper or faster than its points of Bezier. */
static double most_force(const lash_sim *sim, int k, const cubic *c) {
    const double delta = lashi_larger(lashi_larger(c->d, c->d + c->a / 3),
                                      lashi_larger(c->d + (2 * c->a + c->p) / 3, c->d + c->a + c->p + c->q));
    return share_of_law(sim, k, delta) *
           lashi_normal_most(&sim->system->contacts[k].normal, delta, fastest(c), &sim->memories[k].onset);
}

/* Whether damping may be more than half of the force anywhere in the step: not while a contact opens, and where the speed it
 * began with scales it, not in the impact that the law is made for. */
static bool may_damp(const lash_sim *sim, int k, const cubic *c) {
    const lashi_normal *law = &sim->system->contacts[k].normal;
    const double rate = fastest(c), speed = lashi_larger(sim->memories[k].onset.speed, law->p->speed_floor);
    return rate > 0 && !(law->scale == LASHI_SCALE_FIRST && law->p->h * rate <= speed);
}

bool lashi_drive_turns(const lash_system *system) {
    return system->drive_count &&
           lashi_drive_constraint(system, 0)->coordinate.type == LASHI_COORDINATE_ANGLE;
}

double lashi_largest_force(const lash_sim *sim, int k) {
    return fmax(sim->accounts[k].turn[0].force, sim->accounts[k].turn[1].force);
}

static void keep_larger(lash_peak *peak, const lash_peak *at) {
    if (at->force > peak->force)
        *peak = *at;
}

void lashi_note_peak(lash_sim *sim, int k, const lash_peak *at) {
    keep_larger(&sim->memories[k].peak, at);
    // The instant between both turns belongs to both.
    if (at->time <= sim->state->turn_end)
        keep_larger(&sim->accounts[k].turn[0], at);
    if (at->time >= sim->state->turn_end)
        keep_larger(&sim->accounts[k].turn[1], at);
    if (at->time >= sim->state->counted_from)
        keep_larger(&sim->accounts[k].after, at);
}

void lashi_note_force(lash_sim *sim, int k, double t, double force) {
    const double none = (double)NAN;
    lashi_note_peak(sim, k, &(lash_peak){t, force, none, none, none});
}

void lashi_note_contact(lashi_contact_account *account, const lash_sim *sim, int k) {
    const lashi_memory *memory = &sim->memories[k];
    if (memory->peak_delta > account->peak_delta) {
        account->peak_delta = memory->peak_delta;
        account->deepest_at = memory->deepest_at;
    }
    account->deep += memory->peak_delta > sim->system->contacts[k].p->doubtful;
    if (memory->damped.force > WORTH_SAYING * memory->peak.force) {
        account->damped++;
        keep_larger(&account->damped_peak, &memory->damped);
    }
}

/* Whether damping is more than half of a force that the impact the contact began with does not explain:
 * pressed clearly faster than it began, or later than an impact lasts. */
static bool mostly_damping(const lash_sim *sim, int k, double deltadot, const lash_peak *at) {
    const lashi_memory *memory = &sim->memories[k];
    return at->damping > at->elastic && (deltadot > FASTER * memory->onset.speed ||
                                         at->time - memory->since > lashi_impact_limit(&sim->accounts[k]));
}

/* The force at a point of a contact, and what of it is damping. */
static lash_peak force_at(const lash_sim *sim, int k, double t, double delta, double deltadot) {
    const double share = share_of_law(sim, k, delta);
    const lashi_normal_result normal =
        lashi_normal_force_phase(&sim->system->contacts[k].normal, delta, deltadot, &sim->memories[k].onset);
    lash_peak at = {.time = t, .depth = delta, .force = share * normal.force};
    at.elastic = share * normal.elastic;
    at.damping = at.force - at.elastic;
    return at;
}

/* A point of a contact: its force, δ and damping for the account. The force. */
static double note(lash_sim *sim, int k, double t, double delta, double deltadot) {
    lashi_memory *memory = &sim->memories[k];
    const lash_peak at = force_at(sim, k, t, delta, deltadot);
    lashi_note_peak(sim, k, &at);
    if (delta > memory->peak_delta) {
        memory->peak_delta = delta;
        memory->deepest_at = t;
    }
    if (mostly_damping(sim, k, deltadot, &at))
        keep_larger(&memory->damped, &at);
    return at.force;
}

/* The force where it is mostly damping, else 0. */
static double damped_force(const lash_sim *sim, int k, double t, double delta, double deltadot) {
    const lash_peak at = force_at(sim, k, t, delta, deltadot);
    return mostly_damping(sim, k, deltadot, &at) ? at.force : 0;
}

/* Whether its force is a multiplier. */
static bool is_pressure(const lash_sim *sim, int k) {
    return lashi_presses(sim, k) || sim->memories[k].touching == LASHI_QUIET;
}

/* A point of a quiet contact, as evaluated. */
static void note_quiet(lash_sim *sim, int k, double t) {
    const lashi_contact_state *state = &sim->workspace->contact_states[k];
    lashi_memory *memory = &sim->memories[k];
    lash_peak at = {.time = t, .force = state->normal_force, .depth = state->gap.delta};
    at.elastic = lashi_contact_elastic(&sim->system->contacts[k], memory->factor, at.depth);
    at.damping = at.force - at.elastic;
    lashi_note_peak(sim, k, &at);
    if (at.depth > memory->peak_delta) {
        memory->peak_delta = at.depth;
        memory->deepest_at = t;
    }
}

/* |N| of a contact that is a constraint, in y_work. */
static bool look_at_pressure(double *height, lash_sim *sim, int k, double t) {
    const int mismatch = sim->workspace->mismatch; // says what the step has seen
    const int bad = lashi_evaluate(sim->ydot_work, sim->workspace, t, sim->y_work);
    sim->workspace->mismatch = mismatch;
    *height = fabs(sim->workspace->contact_states[k].normal_force);
    if (!bad && sim->memories[k].touching == LASHI_QUIET)
        note_quiet(sim, k, t);
    else if (!bad)
        lashi_note_force(sim, k, t, *height);
    return !bad;
}

/* A point of the interpolant; *height is the force, or δ itself. */
static bool look(double *height, lash_sim *sim, int k, double t, bool of_force) {
    if (lashi_sim_sample(sim->y_work, sim, t, NULL))
        return false;
    if (is_pressure(sim, k))
        return look_at_pressure(height, sim, k, t);
    lashi_frames_of_contact(sim->frames, sim->system, &sim->system->contacts[k], t, sim->y_work);
    const lashi_gap m = lashi_gap_of(&sim->system->contacts[k], sim->frames);
    sim->memories[k].factor = lashi_gap_factor(&sim->system->contacts[k], &m);
    const double force = note(sim, k, t, m.delta, m.deltadot);
    *height = of_force ? force : m.delta;
    return true;
}

/* The peak near t by parabolas through three points, ever closer; keeps the largest seen. */
static void search_peak(lash_sim *sim, int k, double t, double width, bool of_force) {
    const double t0 = sim->integrator->t_old, t1 = sim->t_new;
    double x[3], f[3];
    for (double apart = width; apart >= NARROWEST * width;) {
        const double middle = fmin(t1 - apart, fmax(t0 + apart, t));
        for (int j = 0; j < 3; j++) {
            x[j] = fmin(t1, fmax(t0, middle + (j - 1) * apart)); // rounding
            if (!look(&f[j], sim, k, x[j], of_force))
                return;
        }
        const double bend = f[0] - 2 * f[1] + f[2];
        if (!(bend < 0))
            t = f[0] > f[2] ? x[0] : x[2];
        else
            t = middle + fmax(-2 * apart, fmin(2 * apart, 0.5 * apart * (f[0] - f[2]) / bend));
        // A parabola so flat that a closer one would be rounding, or not worth its evaluations.
        if (-bend < (is_pressure(sim, k) ? FLAT_PRESSURE : FLAT) * f[1])
            break;
        apart *= bend < 0 && fabs(t - middle) < apart ? INSIDE : BEYOND;
    }
    look(f, sim, k, fmin(t1, fmax(t0, t)), of_force);
}

/* The largest force that is not worth a search in this step: of this contact and of this turn. */
static double seen(const lash_sim *sim, int k) {
    const bool later = sim->t_new > sim->state->turn_end;
    return lashi_smaller(sim->memories[k].peak.force, sim->accounts[k].turn[later].force);
}

/* Whether an interior value, with what the cubic may leave out, is a new peak. */
static bool promises(double inside, double end0, double end1, double peak) {
    const double above = inside - fmax(end0, end1), range = inside - fmin(end0, end1);
    return fabs(above) > NOT_WORTH * inside && inside + LEFT_OUT * range > peak;
}

/* The largest force that is mostly damping where no impact explains it, inside the step. That may begin or end to be so
 * where it is largest, so that parabolas are no help: the best of some points, ever closer. */
static void damped_inside(lash_sim *sim, int k, const cubic *c) {
    const lashi_memory *memory = &sim->memories[k];
    const double t0 = sim->integrator->t_old, apart = c->h / LOOKS;
    const double worth = fmax(WORTH_SAYING * memory->peak.force, (1 + NOT_WORTH) * memory->damped.force);
    if (!may_damp(sim, k, c) || !((1 + LEFT_OUT) * most_force(sim, k, c) > worth))
        return;
    double f[LOOKS + 1], unused;
    int j = 0;
    for (int i = 0; i <= LOOKS; i++) {
        const double x = (double)i / LOOKS;
        f[i] = damped_force(sim, k, t0 + x * c->h, c->d + x * (c->a + x * (c->p + x * c->q)),
                            (c->a + x * (2 * c->p + 3 * x * c->q)) / c->h);
        j = f[i] > f[j] ? i : j;
    }
    const int middle = j < 1 ? 1 : j > LOOKS - 1 ? LOOKS - 1 : j;
    const double least = fmin(fmin(f[middle - 1], f[middle]), f[middle + 1]);
    const double bend = f[middle - 1] - 2 * f[middle] + f[middle + 1], tilt = f[middle + 1] - f[middle - 1];
    const double x = middle - 0.5 * tilt / bend;
    // Where it lasts, the parabola tells whether the peak lies inside; the ends have been noted.
    const bool lasts = least > 0, inside = bend < 0 && x > -BESIDE * LOOKS && x < (1 + BESIDE) * LOOKS;
    const double top = lasts && inside ? f[middle] - tilt * tilt / (8 * bend) : f[j];
    if ((lasts && !inside) || !(top + LEFT_OUT * (top - least) > worth))
        return;
    double low = t0 + (middle - 1) * apart, high = t0 + (middle + 1) * apart;
    for (int pass = 0; pass < PASSES; pass++) {
        const double width = (high - low) / PARTS, start = low;
        double most = -1;
        for (int i = 0; i <= PARTS; i++) {
            const double t = fmin(sim->t_new, start + i * width);
            if (!look(&unused, sim, k, t, true))
                return;
            const lashi_gap m = lashi_gap_of(&sim->system->contacts[k], sim->frames);
            const double force = damped_force(sim, k, t, m.delta, m.deltadot);
            if (force > most) {
                most = force;
                low = fmax(t0, t - width);
                high = fmin(sim->t_new, t + width);
            }
        }
    }
}

/* Searches the step where the cubic promises a force above those seen in this contact or in this turn. */
static void force_inside(lash_sim *sim, int k, const cubic *c, double end_force) {
    double f[LOOKS + 1];
    int j = 0;
    for (int i = 0; i <= LOOKS; i++) {
        const double x = (double)i / LOOKS;
        const double delta = c->d + x * (c->a + x * (c->p + x * c->q));
        const double rate = (c->a + x * (2 * c->p + 3 * x * c->q)) / c->h;
        f[i] = i < LOOKS ? force_of(sim, k, delta, rate) : end_force;
        j = f[i] > f[j] ? i : j;
    }
    // The parabola through the highest and its neighbours; at an end it tells whether the peak lies inside.
    j = j < 1 ? 1 : j > LOOKS - 1 ? LOOKS - 1 : j;
    const double bend = f[j - 1] - 2 * f[j] + f[j + 1], tilt = f[j + 1] - f[j - 1];
    if (bend < 0) {
        const double x = (j - 0.5 * tilt / bend) / LOOKS, top = f[j] - tilt * tilt / (8 * bend);
        if (x > -BESIDE && x < 1 + BESIDE && promises(top, f[0], f[LOOKS], seen(sim, k))) {
            search_peak(sim, k, sim->integrator->t_old + x * c->h, c->h / LOOKS, true);
        }
    }
}

/* The same, and where it promises a δ above those seen in this contact. */
static void peaks_inside(lash_sim *sim, int k, const cubic *c, double end_force) {
    const lashi_memory *memory = &sim->memories[k];
    damped_inside(sim, k, c);
    if ((1 + LEFT_OUT) * most_force(sim, k, c) > seen(sim, k))
        force_inside(sim, k, c, end_force);
    // δ is largest where δ̇ falls through zero.
    const double slope_end = c->a + 2 * c->p + 3 * c->q;
    if (c->a > 0 && slope_end < 0) {
        const double x = cubic_top(c);
        const double top = c->d + x * (c->a + x * (c->p + x * c->q));
        if (promises(top, c->d, memory->delta, memory->peak_delta)) {
            search_peak(sim, k, sim->integrator->t_old + x * c->h, c->h / LOOKS, false);
        }
    }
}

/* |N| at the end of the step: an evaluation that the loop would do anyway, unless another look follows. */
static bool pressure_at_end(double *force, lash_sim *sim, int k) {
    if (sim->found != SIZE_MAX)
        return look(force, sim, k, sim->t_new, true);
    const int mismatch = sim->workspace->mismatch;
    const bool fine = !lashi_sim_evaluate(sim, sim->t_new, sim->integrator->y, NULL);
    sim->workspace->mismatch = mismatch;
    *force = fabs(sim->workspace->contact_states[k].normal_force);
    return fine;
}

/* Slope of |N|, times `apart`, at a point where it is f, by the parabola through two more points inwards;
 * where the first of them is lower by more than `clear` that is enough. *slope: inwards. */
static bool slope_of_pressure(double *slope, lash_sim *sim, int k, double t, double f, double apart,
                              double next, double clear) {
    double third;
    *slope = next - f;
    if (*slope < -clear)
        return true;
    if (!look(&third, sim, k, t + 2 * apart, true))
        return false;
    *slope = 2 * next - 1.5 * f - 0.5 * third;
    return true;
}

/* Searches the step where the pressure of a contact that is a constraint may pass the largest seen. */
static void pressure_inside(lash_sim *sim, int k) {
    const double t0 = sim->integrator->t_old, h = sim->t_new - t0, apart = h / (2 * LOOKS);
    const double least = sim->workspace->least[k], most = sim->workspace->most[k];
    const double top = fmax(fabs(least), fabs(most)), margin = LEFT_OUT * (most - least);
    double start, inward, end, backward, next;
    if (!(top + margin > seen(sim, k)) || !look(&next, sim, k, sim->t_new - apart, true) ||
        !pressure_at_end(&end, sim, k) ||
        !slope_of_pressure(&backward, sim, k, sim->t_new, end, -apart, next, margin) || backward <= 0)
        return;
    if (!look(&start, sim, k, t0, true) || !look(&next, sim, k, t0 + apart, true) ||
        !slope_of_pressure(&inward, sim, k, t0, start, apart, next, margin) || inward <= 0)
        return;
    const cubic c = cubic_through(start, inward / apart, end, -backward / apart, h);
    search_peak(sim, k, t0 + cubic_top(&c) * h, apart, true);
}

/* How far the first drive has turned beyond its first turn, rad. */
static double beyond_first_turn(void *context, double t) {
    const lash_sim *sim = context;
    return fabs(lashi_crank_angle(sim->system, t) - sim->crank0) - 2 * pi;
}

/* Whether the first turn of the first drive ends in this step; finds the time. */
static bool first_turn_ends(lash_sim *sim) {
    if (isfinite(sim->state->turn_end) || !lashi_drive_turns(sim->system))
        return false;
    const double t0 = sim->integrator->t_old, t1 = sim->t_new, beyond = beyond_first_turn(sim, t1);
    if (!(beyond >= 0))
        return false;
    const double short_of = fmin(0, beyond_first_turn(sim, t0));
    sim->state->turn_end = lashi_root(beyond_first_turn, sim, t0, short_of, t1, beyond, 0);
    return true;
}

/* ---- pace ---- */

double lashi_first_step(const lash_sim *sim, int k) {
    const lash_system *system = sim->system;
    const lashi_contact *contact = &system->contacts[k];
    const double T = sim->accounts[k].hertz_time;
    const double v = fmax(sim->memories[k].onset.speed, contact->normal.p->speed_floor);
    double tolerance = INFINITY; // of speeds, of the two bodies
    for (int i = 0; i < system->n_v; i++) {
        const int body = system->freedom[i] / LASHI_FREEDOMS;
        if (body != contact->body[0] && body != contact->body[1])
            continue;
        if (system->freedom[i] % LASHI_FREEDOMS < system->turning)
            tolerance = fmin(tolerance, sim->atol[system->v_at + i]);
        else if (system->moves[body] == LASHI_MOVES_PINNED)
            tolerance = fmin(tolerance, system->length * sim->atol[system->v_at + i]);
    }
    const double n = contact->normal.p->exponent > 0 ? contact->normal.p->exponent : 1;
    return T * fmin(LONGEST_FIRST, pow(SHARE * tolerance / (KAPPA * v), 1 / (n + 1)));
}

/* Longest next step for the end of contact k, from the cubic of the last one; INFINITY: it is not near. */
static double approach_limit(const lash_sim *sim, int k, const cubic *c) {
    const lashi_memory *memory = &sim->memories[k];
    const double d = memory->delta, v = memory->deltadot;
    if (!(v < 0) || !(d > 0))
        return INFINITY;
    const double a = (2 * c->p + 6 * c->q) / (c->h * c->h); // δ̈ at the end of the step
    const double root = v * v - 2 * a * d;
    if (root < 0)
        return INFINITY; // it turns before
    const double left = 2 * d / (sqrt(root) - v);
    // No first step is longer than that, and most of what is left is: no power is needed then.
    if (left <= LONGEST_FIRST * sim->accounts[k].hertz_time && left <= lashi_first_step(sim, k))
        return ACROSS * left;
    const bool cut = v < lashi_normal_cut(&sim->system->contacts[k].normal, d, &memory->onset);
    return (cut ? APPROACH_UNSEEN : APPROACH) * left;
}

/* 1/s: how fast the damping of contact k stops its rate, where the speed with which it began scales it. */
static double decay(const lash_sim *sim, int k, double delta) {
    const lashi_normal *law = &sim->system->contacts[k].normal;
    const lashi_onset *onset = &sim->memories[k].onset;
    return law->scale != LASHI_SCALE_FIRST ? 0
                                           : law->p->h / fmax(onset->speed, law->p->speed_floor) *
                                                 lashi_normal_elastic(law, delta) * onset->inverse_mass;
}

/* ---- films ---- */

/* The film of contact k at the end of a step: what it carries where dry contact has begun to take over, and
 * pressures that no steel bears. */
static void watch_film(lash_sim *sim, int k, double delta) {
    const double *y = lashi_at_event(sim) ? sim->y_event : sim->integrator->y;
    const lashi_film *film = &sim->system->contacts[k].film;
    lashi_memory *memory = &sim->memories[k];
    lashi_contact_account *account = &sim->accounts[k];
    const double share = lashi_film_share(&sim->system->contacts[k], memory, delta);
    lashi_frames_at(sim->frames, NULL, sim->system, sim->t_new, y); // the search for events has left others
    const lashi_film_motion m = lashi_contact_film(&sim->system->contacts[k], sim->frames);
    double pressure = 0;
    if (memory->touching) {
        const lashi_film_force_result f = lashi_film_force(film, m);
        memory->film_carried = fmax(memory->film_carried, share * hypot(f.radial, f.transverse));
    }
    if (share * lashi_film_bound(film, &m) > LASH_STEEL_PRESSURE)
        pressure = share * lashi_film_peak(film, m);
    const bool over = pressure > LASH_STEEL_PRESSURE;
    account->over_pressure += over && !account->over;
    account->over = over;
    if (over && pressure > account->film_pressure) {
        account->film_pressure = pressure;
        account->film_pressure_time = sim->t_new;
    }
}

/* ---- the accepted step ---- */

void lashi_contacts_watch(lash_sim *sim) {
    const lash_system *system = sim->system;
    const bool at_event = lashi_at_event(sim);
    const double t0 = sim->integrator->t_old, h = sim->t_new - t0;
    const double proposed = sim->integrator->h_next;
    const bool turned = first_turn_ends(sim);
    double limit = INFINITY, longer = 0, stiff = 1 / h, unused;
    int stiffest = -1;
    for (int k = 0; k < system->contact_count; k++) {
        lashi_memory *memory = &sim->memories[k];
        const lashi_gap_point end = sim->ends[k];
        const double rate = memory->deltadot; // a step may have no length
        const cubic c = cubic_through(memory->delta, rate, end.delta, end.deltadot, h);
        memory->delta = end.delta;
        memory->deltadot = end.deltadot;
        memory->speed = end.speed;
        memory->sliding = end.sliding;
        sim->accounts[k].min_film = lashi_smaller(sim->accounts[k].min_film, -end.delta);
        sim->accounts[k].farthest = lashi_larger(sim->accounts[k].farthest, fabs(end.delta));
        if (system->contacts[k].lubricated)
            watch_film(sim, k, end.delta);
        if (is_pressure(sim, k))
            pressure_inside(sim, k);
        if (turned && memory->touching)
            look(&unused, sim, k, sim->state->turn_end, true);
        if (memory->touching != LASHI_TOUCHES || system->contacts[k].model != LASHI_MODEL_COMPLIANT)
            continue;
        if (memory->since == t0) // it may exist from the start of the run, pressed in
            note(sim, k, t0, c.d, rate);
        peaks_inside(sim, k, &c, note(sim, k, sim->t_new, end.delta, end.deltadot));
        const double decays = sim->limited ? decay(sim, k, end.delta) : 0;
        if (decays > stiff) {
            stiff = decays;
            stiffest = k;
        }
        if (at_event)
            continue;
        limit = lashi_smaller(limit, approach_limit(sim, k, &c));
        if (memory->since == t0)
            longer = lashi_larger(longer, LEAVE * h);
    }
    if (stiffest >= 0)
        sim->accounts[stiffest].stiff++;
    if (at_event)
        return;
    // What the step was before it shortened is what it starts with again afterwards.
    if (limit < proposed && !sim->state->approaching)
        sim->state->h_smooth = proposed;
    sim->state->approaching = limit < proposed;
    sim->integrator->h_next = lashi_smaller(limit, lashi_larger(proposed, longer));
}

/* Damping that is scaled by the speed a contact began with has no bound: a drive that presses on, as where a
 * linkage locks, meets ever larger forces at little depth, by ever shorter steps. Past the largest force that
 * the law has within its range, such a force says nothing about the joint. */
static lash_status check_damping(const lash_sim *sim, int k, lash_error *error) {
    const lashi_contact *contact = &sim->system->contacts[k];
    const lashi_memory *memory = &sim->memories[k];
    const double most = memory->factor * lashi_normal_strongest(&contact->normal, contact->p->deepest);
    if (!(memory->damped.force > most))
        return LASH_OK;
    return lashi_fail_at(
        error, LASH_ERROR_LIMIT, memory->damped.time, contact->name,
        "at t = %.9g s the force in '%s', %.4g N, passed %.4g N, the largest that its law gives within its "
        "range (%.3g m deep): %.4g N of it is damping, which is scaled by the speed with which the contact "
        "began, "
        "%.3g m/s, and it is pressed much faster now. If a drive presses it on, the machine locks here: run "
        "it "
        "with ideal joints, which show where. Otherwise give approach: energy, which bounds the damping",
        memory->damped.time, contact->name, memory->damped.force, most,
        fmin(contact->p->deepest, contact->normal.p->delta_limit), memory->damped.damping,
        memory->onset.speed);
}

lash_status lashi_contacts_check(const lash_sim *sim, lash_error *error) {
    for (int k = 0; k < sim->system->contact_count; k++) {
        const lashi_contact *contact = &sim->system->contacts[k];
        const double delta = sim->memories[k].delta, t = sim->t_new;
        if (!contact->dry && delta > -LASHI_FILM_SHUT * contact->p->size.clearance)
            return lashi_fail_at(
                error, LASH_ERROR_LIMIT, t, contact->name,
                "at t = %.9g s the film in '%s' was pressed shut (%.3g m left): it cannot carry the load "
                "alone. Allow dry contact (dry: true), or check viscosity, length and clearance",
                t, contact->name, -delta);
        if (!sim->memories[k].touching || contact->model != LASHI_MODEL_COMPLIANT)
            continue;
        const double deepest = sim->memories[k].peak_delta, at = sim->memories[k].deepest_at;
        if (deepest > contact->normal.p->delta_limit)
            return lashi_fail_at(error, LASH_ERROR_LIMIT, at, contact->name,
                                 "at t = %.9g s the penetration in '%s', %.4g m, passed the end of its law's "
                                 "range, %.4g m (%s): the contact is loaded harder than the law can carry. "
                                 "Use a law without an end (lankarani-nikravesh), a longer bearing, or look "
                                 "for the cause of the load",
                                 at, contact->name, deepest, contact->normal.p->delta_limit,
                                 contact->normal.kind->name);
        if (deepest > contact->p->deepest)
            return lashi_fail_at(
                error, LASH_ERROR_LIMIT, at, contact->name,
                "at t = %.9g s the penetration in '%s', %.4g %s, passed %.4g %s, beyond which no contact law "
                "holds (%s). The contact is far too soft for its load: check the stiffness or the materials, "
                "their units, the masses and the speed; or the machine locks here: run it with ideal joints",
                at, contact->name, deepest, contact->unit, contact->p->deepest, contact->unit,
                lashi_kind_of(contact)->deepest);
        if (sim->memories[k].damped.force > 0) {
            const lash_status status = check_damping(sim, k, error);
            if (status)
                return status;
        }
    }
    return LASH_OK;
}
