/* SPDX-License-Identifier: MIT
 *
 * The end of the text of a compiled model (write.c): the functions that the library calls (host.h). The text
 * before it defines turn(), position_rates(), equations_at(), equations() and press(), the numbers of BODIES and
 * CONTACTS, whether some contacts are constraints (LINKED), whether all is kept in the workspace (IN_WORKSPACE) and
 * whether functions of the library are called that read there (CALLS), and for y: POSITIONS, the number of its first
 * components, whose rates do not depend on accelerations, READS and STRIDE.
 */
#ifndef LASHI_MODEL_TEXT_H
#define LASHI_MODEL_TEXT_H

#include "integrate/dop853_sums.h"

#define TIME_OF_STAGE(s) LASHI_DOP853_C##s,

/* Four numbers that were found one by one. What is read in fours is written in fours: otherwise it would have
 * to reach the cache first. */
#define IN_FOURS(x)                                                                                          \
    (lashi_dop853_four) {                                                                                    \
        (x)[0], (x)[1], (x)[2], (x)[3]                                                                       \
    }

/* Arguments of stage s, at[s % 2]. q̇ follows from q and v: the positions of the next stage follow from the
 * velocities of this one and are computed before its equations, and sines, cosines and matrices of the next stage
 * (turn()) among its equations. A processor looks ahead in the text by some hundred instructions: what is to be done
 * while accelerations are awaited must stand near them. */
#define VELOCITIES_FROM (POSITIONS / 4 * 4)
#define SUM_OF_STAGE(s)                                                                                      \
    lashi_dop853_argument_##s(at[(s) % 2] + VELOCITIES_FROM, y + VELOCITIES_FROM, k + VELOCITIES_FROM,       \
                              STRIDE, READS - VELOCITIES_FROM, h);                                           \
    position_rates(rates, at[(s) % 2], n);                                                                   \
    for (int i = 0; i < POSITIONS; i += 4)                                                                   \
        *(lashi_dop853_four *)(k + (s)*STRIDE + i) = IN_FOURS(rates + i);
#define POSITIONS_OF_STAGE(s)                                                                                \
    lashi_dop853_argument_##s(at[(s) % 2], y, k, STRIDE, (POSITIONS + 3) / 4 * 4, h);
#define SUMS_OF_STAGE(s, next)                                                                               \
    case s:                                                                                                  \
        SUM_OF_STAGE(s)                                                                                      \
        POSITIONS_OF_STAGE(next)                                                                             \
        break;

/* Of places that no function of the library reads meanwhile. */
#if CALLS
#define APART
#else
#define APART restrict
#endif

LASHI_OUTSIDE

LASHI_EXPORT void lash_begin(const lashi_host *functions) {
    host = functions;
}

/* Into these places, none of which overlaps another: otherwise nothing that is read could be read before all that stands
 * ahead of it is written. Hidden, not static: a compiler knows that of the parameters of a function by itself. */
__attribute__((flatten, noinline)) int
evaluate_at(double *restrict ydot, lashi_workspace *w, double t, const double *restrict y,
            const double *restrict n, const void *const *o, double *restrict sum, int *restrict mismatch,
            const lashi_memory *restrict memories, lashi_frame *APART frames,
            double (*APART force)[LASHI_FREEDOMS], double (*APART acceleration)[LASHI_FREEDOMS],
            lashi_contact_state *APART contact_states, lashi_ledger *APART ledger, double *APART J,
            double *APART Phi, double *APART Phi_dot, double *APART gamma, double *APART S,
            double *APART pivots, double *APART lambda) {
    const lashi_places at = {frames, force, acceleration, contact_states, ledger, J, Phi, Phi_dot,
                             gamma,  S,     pivots,       lambda};
    const int refused = turn(frames, acceleration, t, y, n, o, true);
    return refused | equations_at(&at, ydot, sum, mismatch, t, y, n, o, memories, w, NULL, NULL, 0, NULL);
}

LASHI_EXPORT int lash_evaluate(double *restrict ydot, lashi_workspace *restrict w, double t,
                               const double *restrict y, const double *restrict n, const void *const *o,
                               double *restrict sum) {
    const lashi_places at = places_of(w);
    int mismatch = 0;
    if (evaluate_at(ydot, w, t, y, n, o, sum, &mismatch, w->memories, at.frames, at.force, at.acceleration,
                    at.contact_states, at.ledger, at.J, at.Phi, at.Phi_dot, at.gamma, at.S, at.pivots,
                    at.lambda))
        return 1;
    w->mismatch |= mismatch;
    press(w->least, w->most, w->contact_states);
    return 0;
}

/* The equations are inlined once, in a loop: eleven copies would not fit into the cache. */
LASHI_EXPORT __attribute__((flatten)) int lash_stages(double *restrict k, double *restrict argument,
                                                      lashi_workspace *restrict w, double t,
                                                      const double *restrict y, double h,
                                                      const double *restrict n, const void *const *o,
                                                      double *restrict sum) {
    static const double times[] = {LASHI_DOP853_STEP_STAGES(TIME_OF_STAGE) 1};
    _Alignas(32) double at[2][READS];
    lashi_frame next[BODIES];
    double next_a[BODIES][LASHI_FREEDOMS], rates[STRIDE] = {0}, all = 0;
    double least[CONTACTS + 1], most[CONTACTS + 1];
    int mismatch = 0, refused = 0;
    for (int c = 0; LINKED && c < CONTACTS; c++)
        least[c] = w->least[c], most[c] = w->most[c];
    next[0].inside = w->frames[0].inside;
    POSITIONS_OF_STAGE(1)
    refused |= turn(next, next_a, t + times[0] * h, at[1], n, o, false);
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
        default:
            SUM_OF_STAGE(11)
            POSITIONS_OF_STAGE(12) // of the end of the step, where lash_evaluate() comes next
        }
        lashi_contact_state own[CONTACTS + 1], *const state = IN_WORKSPACE ? w->contact_states : own;
        double one;
        refused |= equations(rates, state, &one, &mismatch, t + times[s - 1] * h, at[s % 2], n, o,
                             w->memories, &w->frames[0], w, next, next_a, t + times[s] * h, at[(s + 1) % 2]);
        for (int i = VELOCITIES_FROM; i < STRIDE; i += 4)
            *(lashi_dop853_four *)(k + s * STRIDE + i) = IN_FOURS(rates + i);
        press(least, most, state);
        all += one;
    }
    memcpy(argument, at[1], sizeof at[1]);
    *sum = all;
    if (refused)
        return 1;
    keep_turns(w->frames, next);
    w->mismatch |= mismatch;
    for (int c = 0; LINKED && c < CONTACTS; c++)
        w->least[c] = least[c], w->most[c] = most[c];
    return 0;
}

#endif
