/* SPDX-License-Identifier: MIT
 *
 * Contacts as constraints within one evaluation (PHYSICS, section 6; contact/contact.c has their row).
 *
 * N = λ of the row δ = 0 is the pressure of part j on part i. Force on j f = −N n + F_T t at the point that
 * touches, on i −f: as in contact/contact.c.
 *
 * Friction of following contact, F_T = −μ(v_T) N with the coefficient of the joint's friction law, which is
 * continuous in v_T: sticking is creeping below the law's speed. With T_k the generalised unit force of F_T
 * at contact k, and λ⁰ the multipliers without friction, S λ = S λ⁰ − Σ_k μ_k N_k Φq M⁻¹ T_k        ⇒ N_i +
 * Σ_k μ_k (S⁻¹ Φq M⁻¹ T_k)_i N_k = N⁰_i: as many equations as contacts that rub, solved by elimination. No
 * pivot can fall to zero while friction is small; where it does, no motion with contact exists (Painlevé
 * 1895), and the evaluation fails.
 */
#include "dynamics/evaluate.h"

#include <math.h>
#include <string.h>

#include "joint/space.h"

/* Least pivot of the equations for N, of 1 without friction. */
static const double LEAST_PIVOT = 1e-6;

void lashi_following_switch(lashi_workspace *w) {
    if (!w->constraints.off)
        return;
    for (int k = 0; k < w->system->contact_count; k++) {
        const lashi_contact *contact = &w->system->contacts[k];
        if (contact->constraint >= 0)
            w->constraints.off[w->system->motion.items[contact->constraint].first_row] =
                !lashi_contact_holds(contact, &w->memories[k]);
    }
}

static int row_of(const lash_system *system, int k) {
    return system->motion.items[system->contacts[k].constraint].first_row;
}

static bool rubs(const lashi_workspace *w, int k) {
    return w->system->contacts[k].rubs && w->memories[k].touching;
}

/* μ of contact k with the sign of the force: F_T = −μ N. */
static double coefficient(const lashi_workspace *w, int k) {
    double unused;
    return -lashi_friction_force(&w->system->contacts[k].friction, 1, w->contact_states[k].gap.sliding, 0,
                                 &unused);
}

/* x = S⁻¹ Φq M⁻¹ T of contact k. */
static void response(double *x, const lashi_workspace *w, int k) {
    const lash_system *system = w->system;
    const lashi_contact *contact = &system->contacts[k];
    double row[LASHI_LINKS][LASHI_FREEDOMS];
    const lashi_gap *gap = &w->contact_states[k].gap;
    lashi_contact_unit(row, contact, w->frames, gap, gap->t);
    memset(w->scratch, 0, (size_t)system->bodies * sizeof *w->scratch);
    for (int slot = 0; slot < LASHI_SLOTS; slot++)
        for (int i = 0; i < LASHI_FREEDOMS; i++)
            w->scratch[contact->body[slot]][i] += system->inverse_free[contact->body[slot]][i] * row[slot][i];
    memset(x, 0, (size_t)system->motion.rows * sizeof(double));
    lashi_constraints_multiply(x, &w->constraints, &system->motion,
                               (const double(*)[LASHI_FREEDOMS])w->scratch);
    lashi_constraints_solve(x, &w->constraints, &system->motion);
}

/* A x = b in place by elimination, A [n][stride]; A is near the unit matrix. */
static bool eliminate(double *A, double *b, int n, int stride) {
    for (int i = 0; i < n; i++) {
        if (!(A[i * stride + i] > LEAST_PIVOT))
            return false;
        for (int r = i + 1; r < n; r++) {
            const double share = A[r * stride + i] / A[i * stride + i];
            for (int c = i; c < n; c++)
                A[r * stride + c] -= share * A[i * stride + c];
            b[r] -= share * b[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int c = i + 1; c < n; c++)
            b[i] -= A[i * stride + c] * b[c];
        b[i] /= A[i * stride + i];
    }
    return true;
}

int lashi_following_rub(lashi_workspace *w) {
    const lash_system *system = w->system;
    const int rows = system->motion.rows, most = system->contact_count;
    double *x = w->rub, *A = x + (size_t)most * (size_t)rows, *N = A + (size_t)most * (size_t)most;
    int count = 0;
    for (int k = 0; k < most; k++)
        if (rubs(w, k))
            response(x + (size_t)rows * (size_t)count++, w, k);
    if (count == 0)
        return 0;
    for (int i = 0, at = 0; i < most; i++) {
        if (!rubs(w, i))
            continue;
        for (int k = 0, column = 0; k < most; k++)
            if (rubs(w, k)) {
                A[at * most + column] =
                    (i == k) +
                    coefficient(w, k) * x[(size_t)rows * (size_t)column + (size_t)row_of(system, i)];
                column++;
            }
        N[at++] = w->lambda[row_of(system, i)];
    }
    if (!eliminate(A, N, count, most))
        return 1;
    for (int k = 0, at = 0; k < most; k++) {
        if (!rubs(w, k))
            continue;
        const lashi_contact *contact = &system->contacts[k];
        lashi_contact_state *state = &w->contact_states[k];
        double row[LASHI_LINKS][LASHI_FREEDOMS];
        state->friction_force = -coefficient(w, k) * N[at];
        state->friction_power = -state->friction_force * state->gap.sliding;
        for (int r = 0; r < rows; r++)
            w->lambda[r] += state->friction_force * x[(size_t)rows * (size_t)at + (size_t)r];
        lashi_contact_unit(row, contact, w->frames, &state->gap, state->gap.t);
        for (int slot = 0; slot < LASHI_SLOTS; slot++)
            for (int i = 0; i < LASHI_FREEDOMS; i++)
                w->force[contact->body[slot]][i] += state->friction_force * row[slot][i];
        at++;
    }
    return 0;
}

void lashi_following_finish(lashi_workspace *w, double *ydot) {
    const lash_system *system = w->system;
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        lashi_contact_state *state = &w->contact_states[k];
        const lashi_gap *gap = &state->gap;
        if (contact->constraint < 0)
            continue;
        const double N = w->lambda[row_of(system, k)], F_T = state->friction_force;
        state->normal_force = N;
        w->least[k] = fmin(w->least[k], N);
        w->most[k] = fmax(w->most[k], N);
        state->dry = lashi_axpy3(lashi_scale3(-N, gap->n), F_T, gap->t);
        ydot[system->loss_at + LASHI_LOSSES * k + LASHI_LOSS_FRICTION] = state->friction_power;
        ydot[system->impulse_at + k] = N;
        if (contact->model == LASHI_MODEL_PERMANENT)
            w->mismatch |= (N < 0) != (w->memories[k].pulling != 0);
        else
            w->mismatch |= w->memories[k].touching ? N < 0 : gap->delta > 0;
    }
}
