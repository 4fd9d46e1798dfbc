/* SPDX-License-Identifier: MIT
 *
 * The equations of motion as a function, and linearised at the present state of a sim.
 *
 *   lash_linear_create(&linear, sim, outputs, 2, &error);
 *   for (size_t k = 0; lash_linear_mode(&mode, linear, k); k++)
 *       printf("%g Hz\n", mode.frequency);
 *
 * With small differences ξ of the positions and η of the velocities to the state, in as many coordinates as
 * there are degrees of freedom, x = (ξ, η), u the inputs (lash_sim_input_name) and z the outputs (channels):
 *   ẋ = A x + B u,   z = C x + D u.
 * Coordinates are such that the mass matrix is the identity. Contacts keep their mode. About a motion x are
 * differences to it in coordinates that go with the machine and turn no more than they must; rotors in space
 * are seen from axes that stand still, other bodies from their own. Where that motion is steady its modes are
 * those of A; else it is the instantaneous linearisation.
 */
#ifndef LASH_LINEAR_H
#define LASH_LINEAR_H

#include "lash/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* f(t, y): rates of the coordinates (lash_sim_coordinates) at a time and at coordinates of the caller's
 * choice, the contacts in the modes that they have now; the sim stays as it is. */
lash_status lash_sim_rates(double *rates, lash_sim *sim, double time, const double *coordinates,
                           lash_error *error);
/* ∂f/∂y there, by rows, coordinate_count squared values, by differences of fourth order. */
lash_status lash_sim_jacobian(double *jacobian, lash_sim *sim, double time, const double *coordinates,
                              lash_error *error);
/* The event functions there: δ of every contact, m, lash_system_clearance_count values; positive: it touches.
 */
lash_status lash_sim_gaps(double *gaps, lash_sim *sim, double time, const double *coordinates,
                          lash_error *error);

typedef struct lash_linear lash_linear;

/* About the present state of the sim, which stays as it is. outputs: names of channels, may be NULL. */
lash_status lash_linear_create(lash_linear **out, lash_sim *sim, const char *const *outputs,
                               size_t output_count, lash_error *error);
void lash_linear_destroy(lash_linear *linear);
/* x has twice as many components, and behind them the states of integrals and lags among the signals. */
size_t lash_linear_freedoms(const lash_linear *linear);
/* What rounding may have left in the stiffness or in the damping of A, as a share of their largest: some
 * 1e-10, more where coordinates have become large beside the deflections of stiff contacts. */
double lash_linear_uncertainty(const lash_linear *linear);
/* 'A', 'B', 'C' or 'D' by rows; NULL: another letter. */
const double *lash_linear_matrix(size_t *rows, size_t *columns, const lash_linear *linear, char which);

/* An eigenvalue s of A: of a pair s, s̄ only the one with Im s > 0 is listed. What is 0 within rounding is 0, also
 * a real or imaginary part beside the other. */
typedef struct lash_mode {
    double real, imaginary; /* 1/s */
    double frequency;       /* Hz, Im s/2π: of the motion as it is; 0: it does not oscillate */
    double natural;         /* Hz, |s|/2π */
    double damping;         /* −Re s/|s|: 1 or −1 where it does not oscillate; 0 at s = 0 */
} lash_mode;
/* By rising frequency; false past the end. */
bool lash_linear_mode(lash_mode *out, const lash_linear *linear, size_t mode);
/* How the bodies move in a mode: displacements of coordinates by name and unit ("rod.x", "rod.angle"; in
 * space "rod.turn.x" about body axes), complex numbers relative to the largest. A name of NULL: past the end.
 */
const char *lash_linear_coordinate_name(const lash_linear *linear, size_t coordinate);
const char *lash_linear_coordinate_unit(const lash_linear *linear, size_t coordinate);
lash_status lash_linear_shape(double *real, double *imaginary, const lash_linear *linear, size_t mode,
                              lash_error *error);

#ifdef __cplusplus
}
#endif
#endif
