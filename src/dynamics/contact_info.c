/* SPDX-License-Identifier: MIT
 *
 * What `lash check` says of a joint with play: its effective mass in the mechanism, and from it what its
 * contact law will do.
 *
 * Effective mass along n: a pair of unit forces ±n at the two centres gives the bodies v̇ = M⁻¹(f − Φqᵀλ) with
 * all ideal joints in place, S λ = Φq M⁻¹ f, and the centres the relative acceleration n·d̈; m = 1/(n·d̈).
 */
#include <math.h>
#include <string.h>

#include "contact/film_groove.h"
#include "contact/restitution.h"
#include "dynamics/evaluate.h"
#include "joint/space.h"

/* Approach speed assumed where nothing in the model gives one. */
static const double ASSUMED_SPEED = 0.1; /* m/s */
/* Integrator steps per contact time at order 8, an order of magnitude. */
static const double STEPS_PER_CONTACT = 10;

/* Share of a free motion that is rounding where joints prevent it. */
static const double HELD = 1e-9;

/* After an evaluation: 1/kg, the acceleration along a row of a unit force along it, with all ideal joints in
 * place; `loose`: without them. */
static double response(double *loose, lashi_workspace *w, const double (*row)[LASHI_FREEDOMS],
                       const int *body, int links) {
    const lash_system *system = w->system;
    const lashi_constraint_set *set = &system->motion;
    double(*push)[LASHI_FREEDOMS] = w->scratch;
    double out = 0;
    // First M⁻¹ f for the multipliers, then M⁻¹ (f − Φqᵀλ).
    for (int pass = 0; pass < 2; pass++) {
        memset(push, 0, (size_t)system->bodies * sizeof *push);
        for (int link = 0; link < links; link++)
            for (int i = 0; i < LASHI_FREEDOMS; i++)
                push[body[link]][i] += row[link][i];
        if (pass == 1 && set->rows > 0)
            lashi_constraints_subtract(push, &w->constraints, set, w->row_scratch);
        lashi_constraints_yield(push, set, w->frames, (const double(*)[LASHI_FREEDOMS])system->inverse_free);
        if (pass == 0 && set->rows > 0) {
            memset(w->row_scratch, 0, (size_t)set->rows * sizeof(double));
            lashi_constraints_multiply(w->row_scratch, &w->constraints, set,
                                       (const double(*)[LASHI_FREEDOMS])push);
            lashi_constraints_solve(w->row_scratch, &w->constraints, set);
        }
        *loose = pass == 0 ? 0 : out;
        out = 0;
        for (int link = 0; link < links; link++)
            for (int i = 0; i < LASHI_FREEDOMS; i++)
                out += row[link][i] * push[body[link]][i];
    }
    return out;
}

double lashi_effective_mass(lashi_workspace *w, int k, const lashi_gap *gap, lashi_vec3 n) {
    const lashi_contact *contact = &w->system->contacts[k];
    double row[LASHI_LINKS][LASHI_FREEDOMS], loose;
    lashi_contact_unit(row, contact, w->frames, gap, n);
    const double found =
        response(&loose, w, (const double(*)[LASHI_FREEDOMS])row, contact->body, LASHI_LINKS);
    return found > 0 ? 1 / found : INFINITY;
}

bool lashi_teeth_part(const lash_system *system, const lashi_constraint *teeth) {
    lashi_workspace *w;
    if (!(teeth->pressure > 0) || lashi_workspace_create(&w, system, NULL))
        return false;
    bool part = false;
    if (lashi_evaluate(w->ydot, w, system->start, system->y0) == 0) {
        double row[LASHI_SLOTS][LASHI_FREEDOMS] = {{0}}, loose;
        lashi_constraint_apart(row, teeth, w->frames);
        const double found =
            response(&loose, w, (const double(*)[LASHI_FREEDOMS])row, teeth->body, LASHI_SLOTS);
        part = found > HELD * loose;
    }
    lashi_workspace_destroy(w);
    return part;
}

static lashi_vec3 across(const lashi_workspace *w, const lashi_contact *contact, lashi_vec3 v) {
    const lashi_contact_kind *kind = lashi_kind_of(contact);
    return kind->across ? kind->across(contact, w->frames, v) : v;
}

/* The relative acceleration of the two centres while nothing touches; only the part along which the gap can
 * close. After an evaluation. */
static lashi_vec3 free_acceleration(const lashi_workspace *w, const lashi_contact *contact) {
    const lashi_contact_kind *kind = lashi_kind_of(contact);
    const lashi_frame *i = &w->frames[contact->body[0]], *j = &w->frames[contact->body[1]];
    lashi_vec3 a;
    if (kind->acts == LASHI_ACTS_IN_PLANE) {
        const lashi_pair p = lashi_pair_evaluate(i, j, contact->p->s);
        a = (lashi_vec3){p.dbias.x, p.dbias.y, 0};
        for (int slot = 0; slot < LASHI_SLOTS; slot++) {
            const double *v = w->acceleration[contact->body[slot]], sign = slot ? 1 : -1;
            a.x += sign * (v[0] - v[2] * p.S[slot].y);
            a.y += sign * (v[1] + v[2] * p.S[slot].x);
        }
    } else {
        const lashi_pair3 p = lashi_pair3_evaluate(i, j, contact->p->s3);
        a = p.dbias;
        for (int slot = 0; slot < LASHI_SLOTS; slot++) {
            const double *v = w->acceleration[contact->body[slot]];
            const lashi_vec3 turn = lashi_turn3(w->frames[contact->body[slot]].A, lashi_vec3_of(v + 3));
            a = lashi_axpy3(a, slot ? 1 : -1, lashi_add3(lashi_vec3_of(v), lashi_cross3(turn, p.S[slot])));
        }
    }
    return across(w, contact, a);
}

/* Some direction in which the parts can meet. */
static lashi_vec3 any_direction(const lashi_workspace *w, const lashi_contact *contact) {
    static const lashi_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    lashi_vec3 best = axes[0];
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        const lashi_vec3 a = across(w, contact, axes[k]);
        if (lashi_length3(a) > longest) {
            longest = lashi_length3(a);
            best = lashi_scale3(1 / longest, a);
        }
    }
    return best;
}

size_t lash_system_clearance_count(const lash_system *system) {
    if (!system)
        return 0;
    return (size_t)system->contact_count;
}

/* Where oil enters a film that is tabulated, and how good its table is. */
static void film_info(lash_clearance_info *info, const lashi_film *film) {
    if (film->groove_table) {
        info->inlet = lashi_inlet_name(LASHI_INLET_GROOVE);
        info->groove = atan2(film->p->groove[1], film->p->groove[0]);
        info->table_error = film->groove_table->error;
        info->table_error_thin = film->groove_table->error_thin;
    } else if (film->table) {
        info->inlet = lashi_inlet_name(film->table->key.inlet);
        info->table_error = film->table->error;
        info->table_error_thin = film->table->error_thin;
    }
}

lash_clearance_info lash_system_clearance(const lash_system *system, size_t index) {
    if (index >= lash_system_clearance_count(system))
        return (lash_clearance_info){0};
    const lashi_contact *contact = &system->contacts[index];
    const lashi_normal *law = &contact->normal;
    static const char *const models[] = {"compliant", "permanent-contact", "three-mode"};
    lash_clearance_info info = {.joint = contact->name,
                                .kind = lashi_kind_of(contact)->name,
                                .shape = contact->words,
                                .unit = contact->unit,
                                .bearing_radius = contact->p->size.bearing_radius,
                                .journal_radius = contact->p->size.journal_radius,
                                .radial = contact->p->room,
                                .model = models[contact->model],
                                .law = law->kind ? law->kind->name : NULL,
                                .friction = contact->friction.kind ? contact->friction.kind->name : "none",
                                .start = contact->start,
                                .stiffness = law->p->stiffness,
                                .exponent = law->p->exponent,
                                .restitution_asked = law->p->restitution_asked,
                                .restitution = law->p->restitution,
                                .damping = law->p->h,
                                .viscous = law->p->viscous,
                                .approach = law->scale == LASHI_SCALE_ENERGY ? "energy" : "first",
                                .remembers = law->p->h > 0 && law->scale == LASHI_SCALE_FIRST,
                                .effective_mass = (double)NAN,
                                .typical_speed = ASSUMED_SPEED,
                                .contact_time = (double)NAN,
                                .max_penetration = (double)NAN,
                                .max_force = (double)NAN,
                                .step = (double)NAN,
                                .speed_limit = law->p->speed_limit,
                                .warning = law->warning,
                                .groove = (double)NAN,
                                .table_error = (double)NAN,
                                .table_error_thin = (double)NAN};
    if (contact->lubricated) {
        info.film = contact->film.kind->name;
        info.viscosity = contact->film.p->viscosity;
        info.length_ratio = contact->film.kind->ball ? (double)NAN : contact->film.p->length_ratio;
        info.transition = contact->p->hybrid.e0;
        info.reserve = contact->p->hybrid.e1;
        info.transition_force = lashi_normal_elastic(law, contact->p->hybrid.e0);
        info.film_warning = contact->film_warning;
        film_info(&info, &contact->film);
    }
    lashi_workspace *w;
    if (lashi_workspace_create(&w, system, NULL))
        return info;
    if (lashi_evaluate(w->ydot, w, system->start, system->y0) == 0) {
        lashi_gap gap = w->contact_states[index].gap;
        lashi_vec3 n = gap.n;
        double speed = 0;
        if (lashi_kind_of(contact)->centred) {
            n = free_acceleration(w, contact);
            const double size = lashi_length3(n);
            speed = sqrt(2 * size * contact->p->room);
            n = size > 0 ? lashi_scale3(1 / size, n) : any_direction(w, contact);
            for (int slot = 0; slot < LASHI_SLOTS; slot++) // n is not that of the gap now
                gap.arm[slot] = lashi_gap_centre(contact, &gap, slot);
        }
        if (speed > law->p->speed_floor)
            info.typical_speed = speed;
        info.effective_mass = lashi_effective_mass(w, (int)index, &gap, n);
        if (contact->model != LASHI_MODEL_COMPLIANT) {
            info.restitution_asked = info.restitution =
                contact->model == LASHI_MODEL_MODES ? contact->p->restitution : (double)NAN;
            lashi_workspace_destroy(w);
            return info;
        }
        if (law->p->viscous > 0)
            info.restitution =
                lashi_restitution_viscous(law->p->stiffness, law->p->viscous, info.effective_mass);
        const lashi_impact_estimate impact =
            lashi_normal_estimate(law, info.effective_mass, info.typical_speed);
        info.contact_time = impact.time;
        info.max_penetration = impact.delta_max;
        info.max_force = impact.force_max;
        info.step = impact.time / STEPS_PER_CONTACT;
    }
    lashi_workspace_destroy(w);
    return info;
}
