/* SPDX-License-Identifier: MIT
 *
 * Light bodies on long levers: how many digits S = Φq M⁻¹ Φqᵀ loses, and how they are recovered.
 *
 * A pin at a distance s from the centre of mass gives S entries 1/m + s²/J. Where m s²/J is large, for a
 * point mass or a slender part, rounding of the second term hides the first, and accelerations have relative
 * errors of m s²/J ε: those of a pendulum of 1 kg and 1 m with J = 10⁻⁹ kg m² are good to 10⁻⁷. An integrator
 * with a sharper tolerance follows the noise. Each correction (dynamics/evaluate.c) solves, with the same
 * factor, for what v̇ still lacks to satisfy the constraints, and leaves m s²/J ε of it: iterative refinement
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, ch. 12). Their number is the least
 * that reaches rounding; it is 0 where few digits are lost, as in most machines.
 */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "system/system.h"

/* m s²/J up to which nothing is done: 11 digits are left. */
static const double HARMLESS = 1e4;
/* m s²/J beyond which the factor of S means nothing (LASHI_PIVOT_SHARE). */
static const double HOPELESS = 3e12;
/* What a correction leaves, in units of m s²/J ε: measured with pendulums and chains. */
static const double LEFT = 10;

/* The largest m s²/J of any body at the start, each the mean over its rows that hold a point;
 * *body: which. */
static double find_largest(int *body, const lash_system *system, const lashi_constraint_work *work,
                           double (*sums)[2]) {
    const lashi_constraint_set *set = &system->motion;
    for (int l = 0; l < set->link_count; l++) {
        const lashi_link *link = &set->links[l];
        for (int r = 0; r < link->rows; r++) {
            double moved = 0, turned = 0; // by a unit force in this row
            for (int k = 0; k < system->width; k++) {
                const double J = work->J[link->J + k * link->rows + r];
                *(k < system->turning ? &moved : &turned) += J * J * system->inverse_free[link->body][k];
            }
            if (moved > 0) {
                sums[link->body][0] += moved;
                sums[link->body][1] += turned;
            }
        }
    }
    double most = 0;
    for (int b = 1; b < system->bodies; b++)
        if (sums[b][1] > most * sums[b][0]) {
            most = sums[b][1] / sums[b][0];
            *body = b;
        }
    return most;
}

lash_status lashi_find_corrections(lash_system *system, lash_error *error) {
    lashi_constraint_set *set = &system->motion;
    if (set->rows == 0)
        return LASH_OK;
    lashi_arena scratch = {0};
    lashi_constraint_work work;
    lash_status status = lashi_constraint_work_create(&work, &scratch, set, error);
    lashi_frame *frames = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *frames);
    double(*sums)[2] = lashi_arena_alloc(&scratch, (size_t)system->bodies, sizeof *sums);
    if (!status && (!frames || !sums))
        status = lashi_fail_memory(error);
    if (!status) {
        lashi_frame_ground(&frames[0]);
        lashi_frames_fill(frames, system, system->full0);
        lashi_constraints_evaluate(&work, set, frames, system->start);
        int body = 0;
        const double ratio = find_largest(&body, system, &work, sums);
        if (ratio > HOPELESS)
            status = lashi_fail_at(
                error, LASH_ERROR_MODEL, (double)NAN, system->body_names[body],
                "body '%s': its inertia is too small beside its mass and the distance of its joints from its "
                "centre of mass, m r²/J = %.2g, for numbers of 16 digits; make it %.2g times larger, which "
                "changes the motion by no more than rounding",
                system->body_names[body], ratio, ratio / HOPELESS * 2);
        else if (ratio > HARMLESS)
            set->corrections = (int)ceil(log(DBL_EPSILON) / log(LEFT * DBL_EPSILON * ratio)) - 1;
    }
    lashi_arena_clear(&scratch);
    return status;
}
