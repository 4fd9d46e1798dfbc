/* SPDX-License-Identifier: MIT
 *
 * Error scales: what a tolerance means for each component of y.
 *
 * Positions are controlled absolutely: rtol times a length that matters. With joints with play that is the
 * smallest radial clearance, because a contact force depends on δ = e − c and not on where the machine
 * stands: so a careless rtol does not become a force error. Without play it is the size of the mechanism.
 * Angles are lengths divided by that size. Velocities are controlled relative to themselves, with a floor:
 * the speed the mechanism has by itself. Work integrals follow the motion and are not controlled. No scale
 * goes below rounding.
 */
#include "sim/sim.h"

#include <float.h>
#include <math.h>

/* Share of the mechanism's size that positions of an ideal mechanism are resolved to. */
static const double IDEAL_SHARE = 0.1;
/* Error scale in units of rounding of a coordinate, below which control would chase noise. */
static const double ROUNDING = 4;

/* A speed the mechanism has: initial speeds, drives, or falling through its own size. */
static double own_speed(const lash_system *system) {
    double speed = sqrt(hypot(system->gravity.x, system->gravity.y) * system->length);
    for (int b = 0; b < system->bodies - 1; b++) {
        const double *v = system->y0 + system->v_at + 3 * b;
        speed = fmax(speed, fmax(hypot(v[0], v[1]), fabs(v[2]) * system->length));
    }
    for (int d = 0; d < system->drive_count; d++) {
        const lashi_constraint *drive = lashi_drive_constraint(system, d);
        const double rate = fabs(lashi_profile_jet(&drive->profile, 0).df);
        speed = fmax(speed, drive->coordinate.type == LASHI_COORDINATE_ANGLE ? rate * system->length : rate);
    }
    return speed > 0 ? speed : system->length; // from rest without gravity: the size in one second
}

void lashi_set_tolerances(double *rtol, double *atol, const lash_system *system) {
    const lash_run_def *run = &system->model->run;
    const double tolerance = isnan(run->atol) ? run->rtol : run->atol;
    const double L = system->length, speed = own_speed(system);
    double length = IDEAL_SHARE * L;
    for (int k = 0; k < system->clearance_count; k++)
        length = fmin(length, system->clearances[k].gap.clearance);
    for (int i = 0; i < system->n_q; i++) {
        const bool angle = i % 3 == 2;
        const double scale = angle ? length / L : length, size = angle ? 1 : L;
        // What is not integrated is not controlled.
        if (system->inverse_free[1 + i / 3][i % 3] == 0) {
            rtol[i] = atol[i] = rtol[system->v_at + i] = atol[system->v_at + i] = 0;
            continue;
        }
        rtol[i] = 0;
        atol[i] = fmax(tolerance * scale, ROUNDING * DBL_EPSILON * size);
        rtol[system->v_at + i] = run->rtol;
        atol[system->v_at + i] = IDEAL_SHARE * tolerance * (angle ? speed / L : speed);
    }
    for (int i = system->work_at; i < system->n_y; i++)
        rtol[i] = atol[i] = 0;
    for (int k = 0; k < system->clearance_count; k++)
        if (system->clearances[k].bristle >= 0)
            atol[system->clearances[k].bristle] = tolerance * system->clearances[k].friction.bristle_scale;
}
