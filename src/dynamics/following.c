/* SPDX-License-Identifier: MIT
 *
 * Contacts as constraints within one evaluation (docs/physics.md, section 6; contact/contact.c has their row).
 *
 * N = λ of the row δ = 0 is the pressure of part j on part i. As in contact/contact.c the force on j is
 * f = −N n + F_T t at the point of contact, and −f on i.
 *
 * Friction of following contact is found with N: rubbing.c.
 */
#include "dynamics/evaluate.h"

#include <math.h>

#include "contact/apply.h"

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

void lashi_following_finish(lashi_workspace *w, double *ydot) {
    const lash_system *system = w->system;
    for (int k = 0; k < system->contact_count; k++) {
        const lashi_contact *contact = &system->contacts[k];
        lashi_contact_state *state = &w->contact_states[k];
        if (contact->constraint < 0)
            continue;
        const double N = w->lambda[row_of(system, k)];
        w->mismatch |= lashi_contact_follow(state, contact, &w->memories[k], N);
        w->least[k] = fmin(w->least[k], N);
        w->most[k] = fmax(w->most[k], N);
        ydot[system->loss_at + LASHI_LOSSES * k + LASHI_LOSS_FRICTION] = state->friction_power;
        ydot[system->impulse_at + k] = N;
    }
}
