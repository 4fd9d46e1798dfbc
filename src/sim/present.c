/* SPDX-License-Identifier: MIT
 *
 * The equations at one point of a run, for what is recorded and watched there.
 */
#include "base/error.h"
#include "sim/sim.h"

lash_status lashi_sim_evaluate(lash_sim *sim, double t, const double *y, lash_error *error) {
    lashi_workspace *w = sim->workspace;
    const bool present = y == lashi_sim_y(sim) && t == sim->integrator->t;
    // The integrator has often just been here.
    if (present && w->present) {
        lashi_reactions_share(w);
        return LASH_OK;
    }
    w->failed_force = -1;
    if (lashi_evaluate(sim->ydot_work, w, t, y))
        return lashi_sim_explain(sim,
                                 lashi_fail_at(error, LASH_ERROR_NOT_FINITE, t, "",
                                               "the equations of motion could not be evaluated at t = %.9g s",
                                               t),
                                 error);
    w->present = present;
    lashi_reactions_share(w);
    return LASH_OK;
}
