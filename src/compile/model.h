/* SPDX-License-Identifier: MIT
 *
 * What the text of a compiled model ends with (write.c): the functions that the library calls (host.h). The
 * text before it gives equations_at() and equations(), and the sizes CONTACTS, READS and STRIDE of y.
 */
#ifndef LASHI_MODEL_TEXT_H
#define LASHI_MODEL_TEXT_H

#include "integrate/dop853_sums.h"

#define TIME_OF_STAGE(s) LASHI_DOP853_C##s,
#define SUM_OF_STAGE(s)                                                                                      \
    case s: lashi_dop853_argument_##s(argument, y, k, STRIDE, READS, h); break;

LASHI_OUTSIDE

LASHI_EXPORT void lash_begin(const lashi_host *functions) {
    host = functions;
}

LASHI_EXPORT __attribute__((flatten)) int lash_evaluate(double *restrict ydot, lashi_workspace *restrict w,
                                                        double t, const double *restrict y,
                                                        const double *restrict n, const void *const *o,
                                                        double *restrict sum) {
    const lashi_constraint_work *c = &w->constraints;
    const lashi_places at = {.frames = w->frames,
                             .force = w->force,
                             .acceleration = w->acceleration,
                             .contact_states = w->contact_states,
                             .ledger = &w->ledger,
                             .J = c->J,
                             .Phi = c->Phi,
                             .Phi_dot = c->Phi_dot,
                             .gamma = c->gamma,
                             .S = c->S,
                             .pivots = c->factor,
                             .lambda = w->lambda};
    int mismatch = 0;
    const int flag = equations_at(&at, ydot, sum, &mismatch, t, y, n, o, w->memories, w);
    w->mismatch |= mismatch;
    return flag;
}

/* One place for the equations: eleven would not fit the cache. */
LASHI_EXPORT __attribute__((flatten)) int lash_stages(double *restrict k, double *restrict argument,
                                                      lashi_workspace *restrict w, double t,
                                                      const double *restrict y, double h,
                                                      const double *restrict n, const void *const *o,
                                                      double *restrict sum) {
    static const double times[] = {LASHI_DOP853_STEP_STAGES(TIME_OF_STAGE)};
    double all = 0;
    int mismatch = 0;
    for (int s = 1; s <= 11; s++) {
        switch (s) { LASHI_DOP853_STEP_STAGES(SUM_OF_STAGE) }
        lashi_contact_state state[CONTACTS + 1];
        double one;
        if (equations(k + s * STRIDE, state, &one, &mismatch, t + times[s - 1] * h, argument, n, o,
                      w->memories, &w->frames[0], w))
            return 1;
        all += one;
    }
    w->mismatch |= mismatch;
    *sum = all;
    return 0;
}

#endif
