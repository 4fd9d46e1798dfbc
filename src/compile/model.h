/* SPDX-License-Identifier: MIT
 *
 * The end of the text of a compiled model (write.c): the functions that the library calls (host.h). The text
 * before it defines equations_at() and equations(), the number of CONTACTS, and for y: POSITIONS, the number
 * of components whose rates are the velocities that follow them (0: other rates), READS and STRIDE.
 */
#ifndef LASHI_MODEL_TEXT_H
#define LASHI_MODEL_TEXT_H

#include "integrate/dop853_sums.h"

#define TIME_OF_STAGE(s) LASHI_DOP853_C##s,

/* Arguments of stage s, at[s % 2]. In the plane q̇ = v: the positions of the next stage follow from the
 * velocities of this one and are computed before its equations. A processor that executes several
 * instructions at once can then find the frames of the next stage while it solves for the accelerations of
 * this one. */
#define VELOCITIES_FROM (POSITIONS / 4 * 4)
#define SUM_OF_STAGE(s)                                                                                      \
    lashi_dop853_argument_##s(at[(s) % 2] + VELOCITIES_FROM, y + VELOCITIES_FROM, k + VELOCITIES_FROM,       \
                              STRIDE, READS - VELOCITIES_FROM, h);
#define POSITIONS_OF_STAGE(s)                                                                                \
    lashi_dop853_argument_##s(at[(s) % 2], y, k, STRIDE, (POSITIONS + 3) / 4 * 4, h);
#define SUMS_OF_STAGE(s, next)                                                                               \
    case s:                                                                                                  \
        SUM_OF_STAGE(s)                                                                                      \
        for (int i = 0; i < POSITIONS; i++)                                                                  \
            k[(s)*STRIDE + i] = at[(s) % 2][POSITIONS + i];                                                  \
        POSITIONS_OF_STAGE(next)                                                                             \
        break;

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

/* The equations are inlined once, in a loop: eleven copies would not fit into the cache. */
LASHI_EXPORT __attribute__((flatten)) int lash_stages(double *restrict k, double *restrict argument,
                                                      lashi_workspace *restrict w, double t,
                                                      const double *restrict y, double h,
                                                      const double *restrict n, const void *const *o,
                                                      double *restrict sum) {
    static const double times[] = {LASHI_DOP853_STEP_STAGES(TIME_OF_STAGE)};
    _Alignas(32) double at[2][READS];
    double all = 0;
    int mismatch = 0;
    POSITIONS_OF_STAGE(1)
    for (int s = 1; s <= 11; s++) {
        switch (s) {
            SUMS_OF_STAGE(1, 2)
            SUMS_OF_STAGE(2, 3)
            SUMS_OF_STAGE(3, 4)
            SUMS_OF_STAGE(4, 5)
            SUMS_OF_STAGE(5, 6)
            SUMS_OF_STAGE(6, 7)
            SUMS_OF_STAGE(7, 8)
            SUMS_OF_STAGE(8, 9)
            SUMS_OF_STAGE(9, 10)
            SUMS_OF_STAGE(10, 11)
        default: SUM_OF_STAGE(11)
        }
        lashi_contact_state state[CONTACTS + 1];
        double one;
        if (equations(k + s * STRIDE, state, &one, &mismatch, t + times[s - 1] * h, at[s % 2], n, o,
                      w->memories, &w->frames[0], w))
            return 1;
        all += one;
    }
    memcpy(argument, at[1], sizeof at[1]);
    w->mismatch |= mismatch;
    *sum = all;
    return 0;
}

#endif
